(* The checker of planes, which takes in a row at a time: this is what is extracted and run. It uses whole numbers only through
   addition, multiplication, negation, comparison, shifts, 0 and 1. Loops over entries are tail-recursive: rows may be long. *)
From Coq Require Import ZArith List Bool.
From Novikoff Require Import Meaning.
Import ListNotations.
Open Scope Z_scope.

Definition square (x : Z) : Z := Z.mul x x.
Definition size_of (x : Z) : Z := if Z.ltb x Z.zero then Z.opp x else x.
Fixpoint descends (above : Z) (s : sparse) : bool :=   (* from below [above] down to 1 *)
  match s with End => Z.ltb Z.zero above | Entry k _ rest => if Z.ltb k above then descends k rest else false end.
Fixpoint reverse (s out : sparse) : sparse := match s with End => out | Entry k v rest => reverse rest (Entry k v out) end.
Fixpoint squares (s : sparse) (total : Z) : Z :=
  match s with End => total | Entry _ v rest => squares rest (Z.add total (square v)) end.
Fixpoint zeros (s : sparse) : bool :=
  match s with End => true | Entry _ v rest => if Z.eqb v Z.zero then zeros rest else false end.

(* A vector to multiply rows by: its columns decrease, and each link also has a jump to one far behind it (Myers' list), whose
   column is [ahead], so that the next column of a row is found in few steps, be it near or far. *)
Inductive chain := Stop | Link (column value : Z) (next : chain) (ahead : Z) (jump : chain).
Fixpoint seek (k : Z) (c : chain) : chain :=
  match c with
  | Stop => Stop
  | Link l _ next ahead jump => if Z.ltb k l then if Z.ltb ahead k then seek k next else seek k jump else c
  end.
Fixpoint product (c : chain) (s : sparse) (total : Z) : Z :=
  match s with
  | End => total
  | Entry k v rest =>
      let here := seek k c in
      match here with
      | Stop => total
      | Link l x next _ _ => if Z.ltb l k then product here rest total else product next rest (Z.add total (Z.mul v x))
      end
  end.
Definition front (c : chain) : Z := match c with Stop => Z.zero | Link l _ _ _ _ => l end.
(* [spans]: how many links each jump passes, and where it ends. *)
Fixpoint link (s : sparse) (c : chain) (spans : list (Z * chain)) : chain :=
  match s with
  | End => c
  | Entry k v rest =>
      let '(far, spans) :=
        match spans with
        | (a, _) :: (b, far) :: before =>
            if Z.eqb a b then (far, (Z.succ (Z.add a b), far) :: before) else (c, (Z.one, c) :: spans)
        | _ => (c, (Z.one, c) :: spans)
        end in
      link rest (Link k v c (front far) far) spans
  end.
Definition chain_of (s : sparse) : chain := link (reverse s End) Stop [].

(* Sums of rows: as a binary counter, which has at place i nothing or the sum of 2^i rows. The columns of a sum at place i
   increase if i is even, else they decrease, because what is merged comes out in the opposite order. *)
Definition bank := list (option sparse).
Definition before (up : bool) (k l : Z) : bool := if up then Z.ltb k l else Z.ltb l k.
Inductive two := Two (left out : sparse).
Fixpoint pass (up : bool) (k : Z) (s out : sparse) : two :=
  match s with
  | End => Two End out
  | Entry l y rest => if before up l k then pass up k rest (Entry l y out) else Two s out
  end.
Fixpoint merge (up : bool) (s t out : sparse) : sparse :=
  match s with
  | End => reverse t out
  | Entry k v rest =>
      match pass up k t out with
      | Two End out => reverse rest (Entry k v out)
      | Two (Entry l y after as here) out =>
          if Z.eqb k l then merge up rest after (Entry k (Z.add v y) out) else merge up rest here (Entry k v out)
      end
  end.
Fixpoint scale (w : Z) (s out : sparse) : sparse :=
  match s with End => out | Entry k v rest => scale w rest (Entry k (Z.mul w v) out) end.
Fixpoint deposit (up : bool) (s : sparse) (b : bank) : bank :=
  match b with
  | [] => [Some s]
  | None :: rest => Some s :: rest
  | Some t :: rest => None :: deposit (negb up) (merge up s t End) rest
  end.
Fixpoint collapse (up : bool) (s : sparse) (b : bank) : sparse :=
  match b with
  | [] => s
  | None :: rest => collapse (negb up) (reverse s End) rest
  | Some t :: rest => collapse (negb up) (merge up s t End) rest
  end.
Definition sum_of (b : bank) : sparse := collapse true End b.
Definition vanishes (b : bank) : bool := zeros (sum_of b).
Definition in_order (last : Z) (s : sparse) : sparse := if descends (Z.succ last) s then s else reverse s End.

(* A vector whose columns are looked up: of a list of columns and values the last value of a column counts, and columns beyond
   [last] do not. The build makes it an array. *)
Definition table := list (Z * Z).
Definition table_of (last : Z) (l : list (Z * Z)) : table :=
  filter (fun p => Z.leb Z.zero (fst p) && Z.leb (fst p) last) l.
Definition entry (k : Z) (t : table) : Z := fold_left (fun found p => if Z.eqb (fst p) k then snd p else found) t Z.zero.
Fixpoint listed (s : sparse) (out : list (Z * Z)) : list (Z * Z) :=
  match s with End => out | Entry k v rest => listed rest ((k, v) :: out) end.
(* A table if there are not too many columns, else a chain. *)
Inductive finder := Indexed (t : table) | Linked (c : chain).
Definition four : Z := Z.shiftl Z.one (Z.succ Z.one).
Definition most_columns : Z := Z.shiftl Z.one (Z.shiftl (Z.add (Z.add four four) (Z.succ (Z.succ Z.one))) Z.one).   (* 2^22 *)
Definition finder_of (last : Z) (s : sparse) : finder :=
  if Z.leb last most_columns then Indexed (table_of last (listed s [])) else Linked (chain_of s).
Fixpoint indexed_product (t : table) (s : sparse) (total : Z) : Z :=
  match s with End => total | Entry k v rest => indexed_product t rest (Z.add total (Z.mul v (entry k t))) end.
Definition times (f : finder) (s : sparse) : Z :=
  match f with Indexed t => indexed_product t s Z.zero | Linked c => product c s Z.zero end.

(* A row as it comes, with its weights in the proof. They are those of the row times [over], which is of whole numbers:
   [weight] in the witness or, if separable, in the combination; [cover] in the cover. *)
Record item := { data : row; weight : Z; cover : Z }.
Inductive reason :=
| Bad_ratio | Bad_guess | Bad_plane | Bad_relation | Bad_over | Bad_columns | Relation_fails | Negative_weight | Margin_fails
| Lo_fails | Radius_fails | Bound_fails | Hi_fails | Bad_cover | Bad_name | Wrong_sizes | One_class | No_weight | Witness_fails
| Cover_fails | No_name.
Inductive answer := Accepted | Refused (why : reason).
Notation "'demand' test 'or' why ; rest" := (if test then rest else Some why) (at level 200, rest at level 200).


(* Numbers that save work if the claim is separable. They are guessed outside and checked in [objection]: a wrong guess
   is refused. [near] is not below lo·‖plane‖; [rough] is the plane over [grain], rounded down, and [most] more than the size of
   each of its values. *)
Record guess := { near : Z; grain : Z; most : Z; rough : sparse }.
Record state := {
  the : claim; top : Z; plane : finder; ties : list chain; plane2 : Z;   (* these stay: plane2 is ‖plane‖² *)
  guessed : guess; rough_plane : finder;                                 (* and these *)
  complaint : option reason; seen_plus : Z; seen_minus : Z; seen_name : bool;
  total : Z; weights : bank; covers : bank }.

Definition positive_ratio (q : ratio) : bool := Z.ltb Z.zero (num q) && Z.ltb Z.zero (den q).
Fixpoint fits (grain most : Z) (w rough : sparse) : bool :=
  match w, rough with
  | End, End => true
  | Entry k v w, Entry l x rough =>
      if Z.eqb k l && Z.leb (Z.mul grain x) v && Z.ltb v (Z.add (Z.mul grain x) grain) && Z.ltb (size_of x) most
      then fits grain most w rough else false
  | _, _ => false
  end.
Definition useful (lo : ratio) (w : sparse) (g : guess) : bool :=
  Z.ltb Z.zero (near g)
  && Z.leb (Z.mul (square (num lo)) (squares w Z.zero)) (Z.mul (square (den lo)) (square (near g)))
  && Z.ltb Z.zero (grain g) && Z.ltb Z.zero (most g) && fits (grain g) (most g) w (rough g).
Definition objection (c : claim) (w : sparse) (g : guess) : option reason :=
  demand Z.ltb Z.zero (width c) or Bad_columns;
  demand descends (Z.succ (last c)) w or Bad_plane;
  demand forallb (fun v => descends (Z.succ (last c)) v && negb (zeros v)) (relations c) or Bad_relation;
  match says c with
  | Separable lo hi radius bound =>
      demand positive_ratio lo && positive_ratio hi && positive_ratio radius or Bad_ratio;
      demand Z.ltb (Z.mul (square (num radius)) (square (den lo)))
                   (Z.mul (Z.succ bound) (Z.mul (square (num lo)) (square (den radius)))) or Bound_fails;
      demand useful lo w g or Bad_guess; None
  | Inseparable _ => demand match w with End => true | _ => false end or Bad_plane; None
  | Quasi_separable _ => None
  | Fewest_errors _ _ => Some Bad_plane   (* Errors.v has the checker of these *)
  end.
Definition start (c : claim) (w : sparse) (g : guess) : state :=
  {| the := c; top := last c; plane := finder_of (last c) w; ties := map chain_of (relations c); plane2 := squares w Z.zero;
     guessed := g; rough_plane := finder_of (last c) (rough g);
     complaint := objection c w g; seen_plus := Z.zero; seen_minus := Z.zero; seen_name := false;
     total := Z.zero; weights := []; covers := [] |}.

(* The signed row times [over]: its entries, up to the sign, and the sign. *)
Definition full (c : claim) (top : Z) (r : row) : sparse :=
  if intercept c then Entry top (over r) (entries r) else entries r.
Definition signed (r : row) (x : Z) : Z := if label r then x else Z.opp x.

(* Whether a row is surely far enough from the plane if its margin, times [over], is at least m. *)
Definition far (s : state) (r : row) (m : Z) : bool := Z.leb (Z.mul (near (guessed s)) (over r)) m.
Definition measured (s : state) (r : row) (a : sparse) (lo radius : ratio) : option reason :=
  let m := signed r (times (plane s) a) in
  let q := squares a Z.zero in
  demand Z.ltb Z.zero m or Margin_fails;
  demand far s r m || Z.leb (Z.mul (Z.mul (square (num lo)) (plane2 s)) (square (over r)))
                            (Z.mul (square (den lo)) (square m)) or Lo_fails;
  demand Z.leb (Z.mul (square (den radius)) q) (Z.mul (square (num radius)) (square (over r))) or Radius_fails;
  None.
Definition fault (s : state) (i : item) (a : sparse) : option reason :=
  let r := data i in
  demand Z.ltb Z.zero (over r) or Bad_over;
  demand descends (Z.succ (width (the s))) (entries r) or Bad_columns;
  demand forallb (fun t => Z.eqb (product t a Z.zero) Z.zero) (ties s) or Relation_fails;
  demand Z.leb Z.zero (weight i) or Negative_weight;
  match says (the s) with
  | Separable lo hi radius bound =>
      demand Z.eqb (cover i) Z.zero or Bad_cover;
      demand negb (named r) or Bad_name;
      measured s r a lo radius
  | Inseparable covered =>
      demand if covered then Z.ltb Z.zero (cover i) else Z.eqb (cover i) Z.zero or Bad_cover;
      demand negb (named r) or Bad_name; None
  | Quasi_separable covered =>
      let m := signed r (times (plane s) a) in
      demand if named r then Z.ltb Z.zero m else Z.eqb m Z.zero or Margin_fails;
      demand if covered && negb (named r) then Z.ltb Z.zero (cover i) else Z.eqb (cover i) Z.zero or Bad_cover; None
  | Fewest_errors _ _ => None
  end.
Definition join (x : Z) (r : row) (a : sparse) (b : bank) : bank :=
  if Z.eqb x Z.zero then b else deposit true (scale (signed r x) a End) b.
Definition step (s : state) (i : item) : state :=
  let r := data i in
  let a := full (the s) (top s) r in
  {| the := the s; top := top s; plane := plane s; ties := ties s; plane2 := plane2 s;
     guessed := guessed s; rough_plane := rough_plane s;
     complaint := match complaint s with None => fault s i a | Some why => Some why end;
     seen_plus := if label r then Z.succ (seen_plus s) else seen_plus s;
     seen_minus := if label r then seen_minus s else Z.succ (seen_minus s);
     seen_name := seen_name s || named r;
     total := Z.add (total s) (Z.mul (weight i) (over r));
     weights := join (weight i) r a (weights s);
     covers := join (cover i) r a (covers s) |}.

(* A row of a separable claim whose first digits suffice. Of these digits, times 2^-k: [inner] is their product with the rough plane,
   [size] the sum of their sizes, and [count] how many they are; [length], times 2^-2l, is not below the square of the row. *)
Definition shifted_leb (x y k : Z) : bool :=   (* x·2^k <= y *)
  if Z.leb Z.zero k then Z.leb (Z.shiftl x k) y else Z.leb x (Z.shiftl y (Z.opp k)).
Definition surely_far (s : state) (plus : bool) (inner size count k : Z) : bool :=
  let off := Z.add size (Z.mul count (most (guessed s))) in
  shifted_leb (near (guessed s)) (Z.mul (grain (guessed s)) (Z.add (if plus then inner else Z.opp inner) (Z.opp off))) k.
Definition surely_short (radius : ratio) (length l : Z) : bool :=
  shifted_leb (Z.mul (square (den radius)) length) (square (num radius)) (Z.opp (Z.add l l)).
Definition clear (s : state) (plus : bool) (inner size count k length l : Z) : bool :=
  match says (the s), ties s, complaint s with
  | Separable _ _ radius _, [], None => surely_far s plus inner size count k && surely_short radius length l
  | _, _, _ => false
  end.
Definition count_row (s : state) (plus : bool) : state :=
  {| the := the s; top := top s; plane := plane s; ties := ties s; plane2 := plane2 s;
     guessed := guessed s; rough_plane := rough_plane s; complaint := complaint s;
     seen_plus := if plus then Z.succ (seen_plus s) else seen_plus s;
     seen_minus := if plus then seen_minus s else Z.succ (seen_minus s);
     seen_name := seen_name s; total := total s; weights := weights s; covers := covers s |}.

Definition verdict_of (s : state) : option reason :=
  demand match complaint s with None => true | Some _ => false end
    or match complaint s with None => Bad_plane | Some why => why end;
  demand Z.eqb (seen_plus s) (plus (the s)) && Z.eqb (seen_minus s) (minus (the s)) or Wrong_sizes;
  demand Z.ltb Z.zero (seen_plus s) && Z.ltb Z.zero (seen_minus s) or One_class;
  demand Z.ltb Z.zero (total s) or No_weight;
  match says (the s) with
  | Separable lo hi radius bound =>
      let a := in_order (top s) (sum_of (weights s)) in
      demand descends (Z.succ (top s)) a && Z.leb (Z.mul (square (den hi)) (squares a Z.zero))
                                                  (Z.mul (square (num hi)) (square (total s))) or Hi_fails; None
  | Inseparable covered =>
      demand vanishes (weights s) or Witness_fails;
      demand vanishes (covers s) or Cover_fails; None
  | Quasi_separable covered =>
      demand vanishes (weights s) or Witness_fails;
      demand vanishes (covers s) or Cover_fails;
      demand seen_name s or No_name; None
  | Fewest_errors _ _ => None
  end.
Definition finish (s : state) : answer := match verdict_of s with None => Accepted | Some why => Refused why end.

Definition check (c : claim) (w : sparse) (g : guess) (items : list item) : answer :=
  finish (fold_left step items (start c w g)).
