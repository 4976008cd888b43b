(* The checker of regressions, which reads a row at a time as well: this is extracted and run. *)
From Coq Require Import ZArith List Bool.
From Novikoff Require Import Meaning Checker.
Import ListNotations.
Open Scope Z_scope.

(* Vectors on which some rows are zero, each with a column that the others do not have. That there are no more is shown by
   sums of these rows, one for each of the other columns; these columns are measured in [units], which are positive. *)
Record space := { basis : list (Z * sparse); units : sparse }.
(* Coefficients along which the likelihood never falls, the first ones so that every separated row is > 0; along those of
   [constant] it is constant; those along which it never falls are sums of those of [hull]. If a sum of rows, with weights that
   are not negative but for free rows, is times·b_j for each b of the hull, then the sign of b_j is that of [times]. *)
Record evidence := { first : sparse; further : list sparse; constant : space; hull : space; times : sparse }.
(* A row as it comes: the class [rival] that it is posed for; whether it is said to be separated; its weight in the cover, which
   shows that tied rows are tied; and in each of the sums, by column. The weights are those of the row times its denominator. *)
Record versus := { rival : Z; beats : bool; tying : Z; for_constant : sparse; for_hull : sparse; for_sign : sparse }.
Record observed := { own : Z; under : Z; cells : sparse; against : list versus }.
Record posed_item := { is_free : bool; coordinates : sparse; proper : versus }.

Fixpoint pick (j : Z) (s : sparse) : Z :=
  match s with End => Z.zero | Entry k v rest => if Z.eqb k j then v else pick j rest end.
Fixpoint all_values (test : Z -> bool) (s : sparse) : bool :=
  match s with End => true | Entry _ v rest => if test v then all_values test rest else false end.
Fixpoint absolute (s : sparse) : sparse := match s with End => End | Entry k v rest => Entry k (size_of v) (absolute rest) end.
Definition is_zero (x : Z) : bool := Z.eqb x Z.zero.
Definition is_positive (x : Z) : bool := Z.ltb Z.zero x.
Definition is_negative (x : Z) : bool := Z.ltb x Z.zero.
Definition vectors (s : space) : list sparse := map snd (basis s).

(* Sums of rows, by column. *)
Definition sums_by := list (Z * bank).
Fixpoint no_sums (s : sparse) : sums_by := match s with End => [] | Entry k _ rest => (k, []) :: no_sums rest end.
Definition add_to (w : Z) (a : sparse) (b : bank) : bank := if is_zero w then b else deposit true (scale w a End) b.
Definition add_each (w a : sparse) (sums : sums_by) : sums_by :=
  match w with End => sums | _ => map (fun s => (fst s, add_to (pick (fst s) w) a (snd s))) sums end.

Inductive doubt := Bad_space | Bad_vector | Bad_observation | Off_first | Off_further | Off_constant | Off_hull | Bad_tying
  | Bad_sign_weight | Wrong_extent | Cover_not_zero | Constant_not_all | Hull_not_all | Sign_not_forced | Bad_estimate.
Record progress := {
  doubted : option doubt; moved : bool; still : bool;   (* whether some row is separated, and some is not *)
  cover_sum : bank; constant_sums : sums_by; hull_sums : sums_by; sign_sums : sums_by }.
Record prepared := { stated : regression; proof : evidence; past : Z; first_chain : chain; further_chains : list chain;
  constant_chains : list chain; hull_chains : list chain }.
Definition prepare (c : regression) (e : evidence) : prepared :=
  {| stated := c; proof := e; past := Z.succ (wide c);
     first_chain := chain_of (first e); further_chains := map chain_of (further e);
     constant_chains := map chain_of (vectors (constant e)); hull_chains := map chain_of (vectors (hull e)) |}.

(* Before the rows: every vector is one; those of a space are alone in having their column; no column is left out. *)
Definition alone (s : space) (g : Z * sparse) : bool :=
  forallb (fun h => if Z.eqb (fst g) (fst h) then negb (is_zero (pick (fst g) (snd h))) else is_zero (pick (fst g) (snd h)))
    (basis s).
Fixpoint left_out (s : space) (j : Z) (es : list fate) : bool :=
  match es with
  | [] => false
  | _ :: rest =>
      if is_positive (pick j (units s)) || existsb (fun g => Z.eqb (fst g) j) (basis s)
      then left_out s (Z.succ j) rest else true
  end.
Definition good_space (c : regression) (past : Z) (s : space) : bool :=
  descends past (units s) && all_values is_positive (units s) && forallb (descends past) (vectors s)
  && forallb (alone s) (basis s) && negb (left_out s Z.one (estimates c)).
Fixpoint counted (n : Z) (es : list fate) : Z := match es with [] => n | _ :: rest => counted (Z.succ n) rest end.
Definition first_doubt (p : prepared) : option doubt :=
  let e := proof p in
  demand Z.leb Z.zero (given (stated p)) && Z.eqb (counted Z.zero (estimates (stated p))) (wide (stated p)) or Bad_estimate;
  demand descends (past p) (first e) && forallb (descends (past p)) (further e) or Bad_vector;
  demand good_space (stated p) (past p) (constant e) && good_space (stated p) (past p) (hull e) or Bad_space; None.
Definition start_rows (p : prepared) : progress :=
  {| doubted := first_doubt p; moved := false; still := false; cover_sum := [];
     constant_sums := no_sums (units (constant (proof p))); hull_sums := no_sums (units (hull (proof p)));
     sign_sums := no_sums (times (proof p)) |}.

Definition zero_on (a : sparse) (chains : list chain) : bool := forallb (fun c => is_zero (product c a Z.zero)) chains.
Definition row_doubt (p : prepared) (i : posed_item) : option doubt :=
  let v := proper i in
  let a := coordinates i in
  let m := product (first_chain p) a Z.zero in
  demand if beats v then negb (is_free i) && is_positive m else is_zero m or Off_first;
  demand forallb (fun c => let m := product c a Z.zero in if is_free i then is_zero m else Z.leb Z.zero m) (further_chains p)
    or Off_further;
  demand zero_on a (constant_chains p) or Off_constant;
  demand match for_hull v with End => true | _ => negb (beats v) && zero_on a (hull_chains p) end or Off_hull;
  demand is_free i || (if beats v then is_zero (tying v) else is_positive (tying v)) or Bad_tying;
  demand is_free i || all_values (Z.leb Z.zero) (for_sign v) or Bad_sign_weight; None.
Definition next_row (p : prepared) (s : progress) (i : posed_item) : progress :=
  let v := proper i in
  let a := coordinates i in
  {| doubted := match doubted s with None => row_doubt p i | Some why => Some why end;
     moved := moved s || beats v; still := still s || negb (beats v);
     cover_sum := add_to (tying v) a (cover_sum s);
     constant_sums := add_each (for_constant v) a (constant_sums s);
     hull_sums := add_each (for_hull v) a (hull_sums s);
     sign_sums := add_each (for_sign v) a (sign_sums s) |}.

(* The rows that an observation poses, times its denominator. *)
Fixpoint shift (far : Z) (minus : bool) (a rest : sparse) : sparse :=
  match a with
  | End => rest
  | Entry k v more => Entry (Z.add k far) (if minus then Z.opp v else v) (shift far minus more rest)
  end.
Definition place (c : regression) (k : Z) (minus : bool) (a rest : sparse) : sparse :=
  if is_positive k then shift (Z.mul (Z.add k (Z.opp Z.one)) (block c)) minus a rest else rest.
Definition pose (c : regression) (o : observed) (v : versus) : posed_item :=
  let a := if with_intercept c then Entry (block c) (under o) (cells o) else cells o in
  {| is_free := counts c && Z.eqb (own o) Z.one;
     coordinates := if Z.ltb (rival v) (own o) then place c (own o) false a (place c (rival v) true a End)
                    else place c (rival v) true a (place c (own o) false a End);
     proper := v |}.
(* Whether the rivals are all classes from k on but the own one, in order. *)
Fixpoint in_turn (c : regression) (own k : Z) (vs : list versus) : bool :=
  let k := if Z.eqb k own then Z.succ k else k in
  match vs with
  | [] => Z.eqb k (Z.succ (others c))
  | v :: rest => if Z.eqb (rival v) k then in_turn c own (Z.succ k) rest else false
  end.
Definition good_observation (c : regression) (o : observed) : bool :=
  Z.leb Z.zero (own o) && Z.leb (own o) (others c) && is_positive (under o) && descends (Z.succ (given c)) (cells o)
  && in_turn c (own o) Z.zero (against o).
Definition reject (s : progress) : progress :=
  {| doubted := Some Bad_observation; moved := moved s; still := still s; cover_sum := cover_sum s;
     constant_sums := constant_sums s; hull_sums := hull_sums s; sign_sums := sign_sums s |}.
Definition next (p : prepared) (s : progress) (o : observed) : progress :=
  if good_observation (stated p) o then fold_left (next_row p) (map (pose (stated p) o) (against o)) s else reject s.

(* After the rows. A sum is dominated by its own column: in units, that one is more than all others together. *)
Definition dominated (p : prepared) (units : sparse) (s : Z * bank) : bool :=
  let t := in_order (wide (stated p)) (sum_of (snd s)) in
  let own := Z.mul (size_of (pick (fst s) t)) (pick (fst s) units) in
  descends (past p) t && Z.ltb (product (chain_of units) (absolute t) Z.zero) (Z.add own own).
Definition tells_sign (p : prepared) (s : Z * bank) : bool :=
  let t := in_order (wide (stated p)) (sum_of (snd s)) in
  let factor := pick (fst s) (times (proof p)) in
  descends (past p) t && forallb (fun v => Z.eqb (product (chain_of v) t Z.zero) (Z.mul factor (pick (fst s) v)))
                           (vectors (hull (proof p))).
Definition shown (e : evidence) (test : Z -> bool) (j : Z) : bool := existsb (fun v => test (pick j v)) (first e :: further e).
Definition none_of (s : space) (j : Z) : bool := forallb (fun v => is_zero (pick j v)) (vectors s).
Definition proves (e : evidence) (j : Z) (claimed : fate) : bool :=
  match claimed with
  | Finite => none_of (hull e) j
  | Plus_infinite => is_positive (pick j (times e)) && shown e is_positive j
  | Minus_infinite => is_negative (pick j (times e)) && shown e is_negative j
  | Undetermined => shown e is_positive j && shown e is_negative j && none_of (constant e) j
  | Aliased => existsb (fun v => negb (is_zero (pick j v))) (vectors (constant e))
  end.
Fixpoint proves_all (e : evidence) (j : Z) (es : list fate) : bool :=
  match es with [] => true | claimed :: rest => if proves e j claimed then proves_all e (Z.succ j) rest else false end.
Definition conclude (p : prepared) (s : progress) : option doubt :=
  let e := proof p in
  match doubted s with
  | Some why => Some why
  | None =>
      demand match extent_is (stated p) with
             | Complete => moved s && negb (still s)
             | Quasi_complete => moved s && still s
             | Overlap => negb (moved s) && match first e with End => true | _ => false end
             end or Wrong_extent;
      demand vanishes (cover_sum s) or Cover_not_zero;
      demand forallb (dominated p (units (constant e))) (constant_sums s) or Constant_not_all;
      demand forallb (dominated p (units (hull e))) (hull_sums s) or Hull_not_all;
      demand forallb (tells_sign p) (sign_sums s) or Sign_not_forced;
      demand proves_all e Z.one (estimates (stated p)) or Bad_estimate; None
  end.
Definition observation_of (o : observed) : observation :=
  {| class := own o; denominator := under o; numbers := cells o; beaten := map rival (filter beats (against o)) |}.
Definition check_separation (c : regression) (e : evidence) (items : list observed) : option doubt :=
  let p := prepare c e in conclude p (fold_left (next p) items (start_rows p)).
