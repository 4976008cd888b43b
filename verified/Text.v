(* What a text says: lines of whole numbers, as a claim and rows. The statements of the theorems rest on these definitions too.
   Of every line the last number comes first, so that a line is read from its end; README.md says the same in words. Numbers
   are taken apart by shifts only, and written by them: the build replaces operations, not numerals. *)
From Coq Require Import ZArith List Bool.
From Novikoff Require Import Meaning Checker Separation Errors.
Import ListNotations.
Open Scope Z_scope.
Notation line := (list Z).

Definition power (k : Z) : Z := Z.shiftl Z.one k.
Definition less (x y : Z) : Z := Z.add x (Z.opp y).
Definition n2 : Z := Z.succ Z.one.
Definition n20 : Z := Z.add (power (power n2)) (power n2).
Definition n32 : Z := power (Z.succ (power n2)).
Definition n52 : Z := Z.add n32 n20.
Definition n1023 : Z := less (power (Z.add (power (Z.succ n2)) n2)) Z.one.
Definition n1075 : Z := Z.add n1023 n52.
Definition n1074 : Z := less n1075 Z.one.
Definition n2047 : Z := Z.succ (Z.add n1023 n1023).
Fact these_numbers : (n2, n20, n32, n52, n1023, n1075, n1074, n2047) = (2, 20, 32, 52, 1023, 1075, 1074, 2047).
Proof. reflexivity. Qed.

(* A float64 is written as its first and last 32 bits. It is ±mantissa·2^(exponent - 1075). *)
Inductive float64 := Float64 (negative : bool) (exponent mantissa : Z) | No_number.
Definition sign_bit : Z := power (less n32 Z.one).
Definition hidden_bit : Z := power n20.
Definition low_limit : Z := power n32.
Definition float64_of (high low : Z) : float64 :=
  let negative := Z.leb sign_bit high in
  let h := if negative then less high sign_bit else high in
  let e := Z.shiftl h (Z.opp n20) in
  let f := less h (Z.shiftl e n20) in
  if Z.leb Z.zero high && Z.ltb e n2047 && Z.leb Z.zero low && Z.ltb low low_limit
  then if Z.eqb e Z.zero then Float64 negative Z.one (Z.add (Z.shiftl f n32) low)
       else Float64 negative e (Z.add (Z.shiftl (Z.add f hidden_bit) n32) low)
  else No_number.
(* ±mantissa·2^(exponent + by), rounded down; if it must be exact, a whole number without rounding. *)
Definition cell (exact : bool) (by_ high low : Z) : option Z :=
  match float64_of high low with
  | Float64 negative e m =>
      let k := Z.add e by_ in
      if exact && Z.ltb k Z.zero then None else Some (Z.shiftl (if negative then Z.opp m else m) k)
  | No_number => None
  end.

(* Vectors, the first column first: column and value; column and float64; or float64 for every column. *)
Fixpoint pairs (l : line) (out : sparse) : option sparse :=
  match l with [] => Some out | v :: k :: rest => pairs rest (Entry k v out) | _ => None end.
Fixpoint floats (exact : bool) (by_ : Z) (l : line) (out : sparse) : option sparse :=
  match l with
  | [] => Some out
  | low :: high :: k :: rest =>
      match cell exact by_ high low with Some v => floats exact by_ rest (Entry k v out) | None => None end
  | _ => None
  end.
Fixpoint all_floats (exact : bool) (by_ j : Z) (l : line) (out : sparse) : option sparse :=
  match l with
  | [] => Some out
  | low :: high :: rest =>
      match cell exact by_ high low with Some v => all_floats exact by_ (Z.succ j) rest (Entry j v out) | None => None end
  | _ => None
  end.
(* Numbers over a denominator: whole ones over [scale], or floats over 2^scale. *)
Definition cells_of (kind scale : Z) (l : line) : option (Z * sparse) :=
  if Z.eqb kind Z.zero then match pairs l End with Some s => Some (scale, s) | None => None end
  else if Z.ltb scale Z.zero then None
  else let read := if Z.eqb kind Z.one then floats true (less scale n1075) l End
                   else if Z.eqb kind n2 then all_floats true (less scale n1075) Z.one l End else None in
       match read with Some s => Some (power scale, s) | None => None end.

Definition flag (x : Z) : option bool := if Z.eqb x Z.zero then Some false else if Z.eqb x Z.one then Some true else None.
Fixpoint all_of {A} (items : list (option A)) : option (list A) :=
  match items with
  | [] => Some []
  | Some a :: rest => match all_of rest with Some more => Some (a :: more) | None => None end
  | None :: _ => None
  end.
Definition is (wanted x : Z) : option unit := if Z.eqb x wanted then Some tt else None.
Definition vector_line (l : line) : option sparse := pairs l End.

(* Planes: a row, and the lines before the rows. *)
Definition item_of (l : line) : option item :=
  match l with
  | plus :: kind :: scale :: weight :: cover :: name :: rest =>
      match flag plus, flag name, cells_of kind scale rest with
      | Some label, Some named, Some (over, entries) =>
          Some {| data := {| label := label; over := over; entries := entries; named := named |};
                  weight := weight; cover := cover |}
      | _, _, _ => None
      end
  | _ => None
  end.
Definition verdict_in (l : line) : option verdict :=
  match l with
  | kind :: [covered] =>
      match flag covered with
      | Some f => if Z.eqb kind Z.one then Some (Inseparable f) else if Z.eqb kind n2 then Some (Quasi_separable f) else None
      | None => None
      end
  | kind :: [ln; ld; hn; hd; rn; rd; bound] =>
      if Z.eqb kind Z.zero
      then Some (Separable {| num := ln; den := ld |} {| num := hn; den := hd |} {| num := rn; den := rd |} bound) else None
  | _ => None
  end.
Record question := { asked : claim; shown_plane : sparse; helps : guess }.
Definition question_in (head : list line) : option question :=
  match head with
  | (subject :: _ :: width :: with_one :: plus :: minus :: said) :: [near; grain; most] :: plane :: rough :: others =>
      match is Z.zero subject, flag with_one, verdict_in said, vector_line plane, vector_line rough,
            all_of (map vector_line others) with
      | Some tt, Some f, Some v, Some w, Some r, Some vs =>
          Some {| asked := {| width := width; intercept := f; says := v; relations := vs; plus := plus; minus := minus |};
                  shown_plane := w;
                  helps := {| near := near; grain := grain; most := most; rough := r |} |}
      | _, _, _, _, _, _ => None
      end
  | _ => None
  end.

(* Regressions. *)
Fixpoint some_pairs (n : Z) (l : line) (out : sparse) : option (sparse * line) :=
  if Z.eqb n Z.zero then Some (out, l)
  else match l with v :: k :: rest => some_pairs (less n Z.one) rest (Entry k v out) | _ => None end.
Definition versus_in (k : Z) (l : line) : option (versus * line) :=
  match l with
  | wins :: tying :: m :: n :: o :: rest =>
      match flag wins, some_pairs m rest End with
      | Some f, Some (a, rest) =>
          match some_pairs n rest End with
          | Some (b, rest) =>
              match some_pairs o rest End with
              | Some (c, rest) => Some ({| rival := k; beats := f; tying := tying; for_constant := a; for_hull := b;
                                           for_sign := c |}, rest)
              | None => None
              end
          | None => None
          end
      | _, _ => None
      end
  | _ => None
  end.
Fixpoint rivals_in (classes : line) (l : line) : option (list versus * line) :=
  match classes with
  | [] => Some ([], l)
  | k :: more =>
      match versus_in k l with
      | Some (v, rest) => match rivals_in more rest with Some (vs, rest) => Some (v :: vs, rest) | None => None end
      | None => None
      end
  end.
Definition observed_of (classes l : line) : option observed :=
  match l with
  | own :: kind :: scale :: rest =>
      match rivals_in (filter (fun k => negb (Z.eqb k own)) classes) rest with
      | Some (vs, rest) =>
          match cells_of kind scale rest with
          | Some (over, entries) => Some {| own := own; under := over; cells := entries; against := vs |}
          | None => None
          end
      | None => None
      end
  | _ => None
  end.
Definition extent_in (x : Z) : option extent :=
  if Z.eqb x Z.zero then Some Complete else if Z.eqb x Z.one then Some Quasi_complete else if Z.eqb x n2 then Some Overlap
  else None.
Definition fate_in (x : Z) : option fate :=
  if Z.eqb x Z.zero then Some Finite else if Z.eqb x Z.one then Some Plus_infinite
  else if Z.eqb x n2 then Some Minus_infinite else if Z.eqb x (Z.succ n2) then Some Undetermined
  else if Z.eqb x (power n2) then Some Aliased else None.
(* The further lines: 0 and a plane, or 1 (constant) or 2 (hull), the column that it alone has, and a vector. *)
Definition tagged (tag : Z) (l : line) : bool := match l with t :: _ => Z.eqb t tag | [] => false end.
Definition plane_in (l : line) : option sparse := match l with _ :: rest => vector_line rest | [] => None end.
Definition basis_in (l : line) : option (Z * sparse) :=
  match l with
  | _ :: k :: rest => match vector_line rest with Some v => Some (k, v) | None => None end
  | _ => None
  end.
Record model := { claimed : regression; classes : line; shown_by : evidence }.
Definition model_in (head : list line) : option model :=
  match head with
  | [subject; _; given; with_one; counted; said] :: classes :: fates :: plane :: units1 :: units2 :: times :: others =>
      match is Z.one subject, flag with_one, flag counted, extent_in said, all_of (map fate_in fates), vector_line plane with
      | Some tt, Some f, Some n, Some e, Some es, Some w =>
          match vector_line units1, vector_line units2, vector_line times, all_of (map plane_in (filter (tagged Z.zero) others)),
                all_of (map basis_in (filter (tagged Z.one) others)), all_of (map basis_in (filter (tagged n2) others)) with
          | Some u1, Some u2, Some t, Some further, Some b1, Some b2 =>
              Some {| claimed := {| given := given; with_intercept := f;
                                    others := less (fold_left (fun n _ => Z.succ n) classes Z.zero) Z.one;
                                    counts := n; extent_is := e; estimates := es |};
                      classes := classes;
                      shown_by := {| first := w; further := further; constant := {| basis := b1; units := u1 |};
                                     hull := {| basis := b2; units := u2 |}; times := t |} |}
          | _, _, _, _, _, _ => None
          end
      | _, _, _, _, _, _ => None
      end
  | _ => None
  end.

(* Fewest errors: the plane, and then lines of 0 and a witness, a vector by row; of 1 and the row that is asked for; or of 2, a
   number and the weights of witnesses over it. *)
Definition case_in (l : line) : option case :=
  match l with
  | tag :: number :: rest =>
      if Z.eqb tag Z.one then match rest with [] => Some (Ask number) | _ => None end
      else if Z.eqb tag n2 then match vector_line rest with Some v => Some (Pack number v) | None => None end else None
  | _ => None
  end.
Record trial := { tried : claim; argued : grounds }.
Definition trial_in (head : list line) : option trial :=
  match head with
  | [subject; _; width; with_one; plus; minus; made; least] :: plane :: others =>
      match is n2 subject, flag with_one, vector_line plane, all_of (map plane_in (filter (tagged Z.zero) others)),
            all_of (map case_in (filter (fun l => negb (tagged Z.zero l)) others)) with
      | Some tt, Some f, Some w, Some vs, Some cs =>
          Some {| tried := {| width := width; intercept := f; says := Fewest_errors made least; relations := [];
                              plus := plus; minus := minus |};
                  argued := {| shown := w; witnesses := vs; cases := cs |} |}
      | _, _, _, _, _ => None
      end
  | _ => None
  end.

(* What an accepted text means. Its first lines are a claim about planes, and the others rows of which it is true; or they are of a
   regression; or of fewest errors. The first number says which. *)
Definition text_meaning (lines : list line) : Prop := exists head body, lines = head ++ body /\
  ((exists q items, question_in head = Some q /\ map item_of body = map Some items /\ meaning (asked q) (map data items))
   \/ (exists m items, model_in head = Some m /\ map (observed_of (classes m)) body = map Some items
                       /\ regression_meaning (claimed m) (map observation_of items))
   \/ (exists t items, trial_in head = Some t /\ map item_of body = map Some items /\ meaning (tried t) (map data items))).
