(* The checker, which reads a row at a time: this is what is extracted and run. It uses whole numbers only through addition,
   multiplication, negation, comparison, 0 and 1. *)
From Coq Require Import ZArith List Bool.
From Novikoff Require Import Meaning.
Import ListNotations.
Open Scope Z_scope.

(* Vectors by column, as binary tries: what is absent is 0. *)
Inductive trie := Leaf | Node (evens : trie) (here : Z) (odds : trie).
Fixpoint get (j : positive) (t : trie) : Z :=
  match t with
  | Leaf => Z.zero
  | Node evens here odds => match j with xH => here | xO k => get k evens | xI k => get k odds end
  end.
Fixpoint bump (x : Z) (j : positive) (t : trie) : trie :=
  match j with
  | xH => match t with Leaf => Node Leaf x Leaf | Node e h o => Node e (Z.add h x) o end
  | xO k => match t with Leaf => Node (bump x k Leaf) Z.zero Leaf | Node e h o => Node (bump x k e) h o end
  | xI k => match t with Leaf => Node Leaf Z.zero (bump x k Leaf) | Node e h o => Node e h (bump x k o) end
  end.
Fixpoint gather (weight : Z) (s : sparse) (t : trie) : trie :=
  match s with [] => t | (k, v) :: rest => gather weight rest (bump (Z.mul weight v) k t) end.
Fixpoint product (t : trie) (s : sparse) (total : Z) : Z :=
  match s with [] => total | (k, v) :: rest => product t rest (Z.add total (Z.mul v (get k t))) end.
Definition square (x : Z) : Z := Z.mul x x.
Fixpoint squares (s : sparse) (total : Z) : Z :=
  match s with [] => total | (_, v) :: rest => squares rest (Z.add total (square v)) end.
Definition trie_of (s : sparse) : trie := gather Z.one s Leaf.
Definition vanishes (last : positive) (t : trie) : bool := forallb (fun j => Z.eqb (get j t) Z.zero) (columns last).
Definition length2 (last : positive) (t : trie) : Z :=
  fold_left (fun total j => Z.add total (square (get j t))) (columns last) Z.zero.

Fixpoint ascends (last : positive) (s : sparse) : bool :=
  match s with
  | [] => true
  | (k, _) :: rest => match rest with [] => Pos.leb k last | (l, _) :: _ => Pos.ltb k l && ascends last rest end
  end.

(* A row as it comes, with its weights in the proof. They are those of the row times [over], which is of whole numbers:
   [weight] in the witness or, if separable, in the combination; [cover] in the cover. *)
Record item := { data : row; weight : Z; cover : Z }.
Inductive reason :=
| Bad_ratio | Bad_plane | Bad_relation | Bad_over | Bad_columns | Relation_fails | Negative_weight | Margin_fails | Lo_fails
| Radius_fails | Bound_fails | Hi_fails | Bad_cover | Bad_name | Wrong_sizes | One_class | No_weight | Witness_fails
| Cover_fails | No_name.
Inductive answer := Accepted | Refused (why : reason).
Notation "'demand' test 'or' why ; rest" := (if test then rest else Some why) (at level 200, rest at level 200).

Record state := {
  the : claim; top : positive; plane : trie; ties : list trie; plane2 : Z;   (* these stay: plane2 is ‖plane‖² *)
  complaint : option reason; seen_plus : Z; seen_minus : Z; seen_name : bool;
  total : Z; weights : trie; covers : trie }.

Definition positive_ratio (q : ratio) : bool := Z.ltb Z.zero (num q) && Z.ltb Z.zero (den q).
Definition objection (c : claim) (w : sparse) : option reason :=
  demand ascends (last c) w or Bad_plane;
  demand forallb (fun v => ascends (last c) v && existsb (fun e => negb (Z.eqb (snd e) Z.zero)) v) (relations c)
    or Bad_relation;
  match says c with
  | Separable lo hi radius bound =>
      demand positive_ratio lo && positive_ratio hi && positive_ratio radius or Bad_ratio;
      demand Z.ltb (Z.mul (square (num radius)) (square (den lo)))
                   (Z.mul (Z.succ bound) (Z.mul (square (num lo)) (square (den radius)))) or Bound_fails;
      None
  | Inseparable _ => demand match w with [] => true | _ => false end or Bad_plane; None
  | Quasi_separable _ => None
  end.
Definition start (c : claim) (w : sparse) : state :=
  {| the := c; top := last c; plane := trie_of w; ties := map trie_of (relations c); plane2 := squares w Z.zero;
     complaint := objection c w; seen_plus := Z.zero; seen_minus := Z.zero; seen_name := false;
     total := Z.zero; weights := Leaf; covers := Leaf |}.

(* The signed row times [over]: its entries, up to the sign, and the sign. *)
Definition full (c : claim) (top : positive) (r : row) : sparse :=
  if intercept c then (top, over r) :: entries r else entries r.
Definition signed (r : row) (x : Z) : Z := if label r then x else Z.opp x.

Definition fault (s : state) (i : item) (a : sparse) : option reason :=
  let r := data i in
  demand Z.ltb Z.zero (over r) or Bad_over;
  demand ascends (width (the s)) (entries r) or Bad_columns;
  demand forallb (fun t => Z.eqb (product t a Z.zero) Z.zero) (ties s) or Relation_fails;
  demand Z.leb Z.zero (weight i) or Negative_weight;
  match says (the s) with
  | Separable lo hi radius bound =>
      let m := signed r (product (plane s) a Z.zero) in
      demand Z.ltb Z.zero m or Margin_fails;
      demand Z.leb (Z.mul (Z.mul (square (num lo)) (plane2 s)) (square (over r)))
                   (Z.mul (square (den lo)) (square m)) or Lo_fails;
      demand Z.leb (Z.mul (square (den radius)) (squares a Z.zero))
                   (Z.mul (square (num radius)) (square (over r))) or Radius_fails;
      demand Z.eqb (cover i) Z.zero or Bad_cover;
      demand negb (named r) or Bad_name; None
  | Inseparable covered =>
      demand if covered then Z.ltb Z.zero (cover i) else Z.eqb (cover i) Z.zero or Bad_cover;
      demand negb (named r) or Bad_name; None
  | Quasi_separable covered =>
      let m := signed r (product (plane s) a Z.zero) in
      demand if named r then Z.ltb Z.zero m else Z.eqb m Z.zero or Margin_fails;
      demand if covered && negb (named r) then Z.ltb Z.zero (cover i) else Z.eqb (cover i) Z.zero or Bad_cover; None
  end.
Definition join (x : Z) (r : row) (a : sparse) (t : trie) : trie :=
  if Z.eqb x Z.zero then t else gather (signed r x) a t.
Definition step (s : state) (i : item) : state :=
  let r := data i in
  let a := full (the s) (top s) r in
  {| the := the s; top := top s; plane := plane s; ties := ties s; plane2 := plane2 s;
     complaint := match complaint s with None => fault s i a | Some why => Some why end;
     seen_plus := if label r then Z.succ (seen_plus s) else seen_plus s;
     seen_minus := if label r then seen_minus s else Z.succ (seen_minus s);
     seen_name := seen_name s || named r;
     total := Z.add (total s) (Z.mul (weight i) (over r));
     weights := join (weight i) r a (weights s);
     covers := join (cover i) r a (covers s) |}.

Definition verdict_of (s : state) : option reason :=
  demand match complaint s with None => true | Some _ => false end
    or match complaint s with None => Bad_plane | Some why => why end;
  demand Z.eqb (seen_plus s) (plus (the s)) && Z.eqb (seen_minus s) (minus (the s)) or Wrong_sizes;
  demand Z.ltb Z.zero (seen_plus s) && Z.ltb Z.zero (seen_minus s) or One_class;
  demand Z.ltb Z.zero (total s) or No_weight;
  match says (the s) with
  | Separable lo hi radius bound =>
      demand Z.leb (Z.mul (square (den hi)) (length2 (top s) (weights s)))
                   (Z.mul (square (num hi)) (square (total s))) or Hi_fails; None
  | Inseparable covered =>
      demand vanishes (top s) (weights s) or Witness_fails;
      demand vanishes (top s) (covers s) or Cover_fails; None
  | Quasi_separable covered =>
      demand vanishes (top s) (weights s) or Witness_fails;
      demand vanishes (top s) (covers s) or Cover_fails;
      demand seen_name s or No_name; None
  end.
Definition finish (s : state) : answer := match verdict_of s with None => Accepted | Some why => Refused why end.

Definition check (c : claim) (w : sparse) (items : list item) : answer := finish (fold_left step items (start c w)).
