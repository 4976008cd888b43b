(* The checker of fewest errors, which reads a row at a time as well: this is extracted and run. *)
From Coq Require Import ZArith List Bool.
From Novikoff Require Import Meaning Checker Separation.
Import ListNotations.
Open Scope Z_scope.

(* Rows and witnesses are counted from 1. A witness has positive weights of rows that sum to zero: every plane has one of these
   rows wrong. A tree of cases: a row is asked for, first the case in which it is wrong comes, then the one in which it is right;
   or a case ends with weights of witnesses, over one number. *)
Inductive case := Ask (number : Z) | Pack (over : Z) (packing : sparse).
Record grounds := { shown : sparse; witnesses : list sparse; cases : list case }.

Definition among (i : Z) (l : list Z) : bool := existsb (Z.eqb i) l.
Fixpoint total_of (s : sparse) (total : Z) : Z := match s with End => total | Entry _ v rest => total_of rest (Z.add total v) end.
Fixpoint ones (s : sparse) : sparse := match s with End => End | Entry k _ rest => Entry k Z.one (ones rest) end.
Fixpoint numbered {A} (k : Z) (l : list A) (out : list (Z * A)) : list (Z * A) :=   (* the last one first *)
  match l with [] => out | a :: rest => numbered (Z.succ k) rest ((k, a) :: out) end.
(* Those that a vector names, each with its value; numbers decrease in both. *)
Fixpoint chosen {A} (from : list (Z * A)) (s : sparse) : option (list (Z * A)) :=
  match s, from with
  | End, _ => Some []
  | Entry _ _ _, [] => None
  | Entry k v rest, (l, a) :: more =>
      if Z.eqb k l then match chosen more rest with Some out => Some ((v, a) :: out) | None => None end else chosen more s
  end.

(* A case in which some rows are wrong and some right. No named witness has a wrong row, and no row but the right ones bears more
   than [over]: then the other errors are at least the weights over [over]. *)
Definition load (l : list (Z * sparse)) : bank := fold_left (fun b p => deposit true (scale (fst p) (snd p) End) b) l [].
Fixpoint bearable (over : Z) (wrongs rights : list Z) (s : sparse) : bool :=
  match s with
  | End => true
  | Entry i v rest =>
      if Z.leb v over && negb (among i wrongs) || among i rights then bearable over wrongs rights rest else false
  end.
Definition count (l : list Z) : Z := fold_left (fun n _ => Z.succ n) l Z.zero.
Definition enough (supports : list (Z * sparse)) (n least : Z) (wrongs rights : list Z) (over : Z) (packing : sparse) : bool :=
  Z.ltb Z.zero over && all_values is_positive packing
  && Z.ltb (Z.mul over (Z.add least (Z.opp (Z.succ (count wrongs))))) (total_of packing Z.zero)
  && match chosen supports packing with
     | Some l => let s := in_order n (sum_of (load l)) in descends (Z.succ n) s && bearable over wrongs rights s
     | None => false
     end.
(* The cases that are open, as the rows that are wrong and those that are right in them; the next line is about the first. *)
Fixpoint closed (supports : list (Z * sparse)) (n least : Z) (cases : list case) (open : list (list Z * list Z)) : bool :=
  match cases, open with
  | [], [] => true
  | Ask i :: more, (wrongs, rights) :: others =>
      if Z.leb Z.one i && Z.leb i n && negb (among i wrongs) && negb (among i rights)
      then closed supports n least more ((i :: wrongs, rights) :: (wrongs, i :: rights) :: others) else false
  | Pack over packing :: more, (wrongs, rights) :: others =>
      if enough supports n least wrongs rights over packing then closed supports n least more others else false
  | _, _ => false
  end.

Inductive slip := No_columns | Plane_malformed | Witness_malformed | Case_open | Row_malformed | Other_sizes | Class_missing
  | Other_errors | Witness_not_zero | Other_claim.
Record setting := { posed_claim : claim; last_column : Z; its_plane : finder; its_witnesses : list sparse }.
Record tally := { slipped : option slip; rows_seen : Z; plus_seen : Z; minus_seen : Z; mistakes : Z; kept : list (Z * row) }.

Definition first_slip (c : claim) (g : grounds) : option slip :=
  let n := Z.add (plus c) (minus c) in
  match says c with
  | Fewest_errors _ least =>
      demand Z.ltb Z.zero (width c) or No_columns;
      demand descends (Z.succ (last c)) (shown g) or Plane_malformed;
      demand forallb (fun w => descends (Z.succ n) w && all_values is_positive w && match w with End => false | _ => true end)
        (witnesses g) or Witness_malformed;
      demand closed (numbered Z.one (map ones (witnesses g)) []) n least (cases g) [([], [])] or Case_open; None
  | _ => Some Other_claim
  end.
Definition setting_of (c : claim) (g : grounds) : setting :=
  {| posed_claim := c; last_column := last c; its_plane := finder_of (last c) (shown g); its_witnesses := witnesses g |}.
Definition no_rows (c : claim) (g : grounds) : tally :=
  {| slipped := first_slip c g; rows_seen := Z.zero; plus_seen := Z.zero; minus_seen := Z.zero; mistakes := Z.zero; kept := [] |}.

(* Rows that are named are kept: witnesses may have them. *)
Definition tally_row (p : setting) (t : tally) (i : item) : tally :=
  let r := data i in
  let c := posed_claim p in
  let number := Z.succ (rows_seen t) in
  {| slipped := match slipped t with
                | None => demand Z.ltb Z.zero (over r) && descends (Z.succ (width c)) (entries r) or Row_malformed; None
                | Some why => Some why
                end;
     rows_seen := number;
     plus_seen := if label r then Z.succ (plus_seen t) else plus_seen t;
     minus_seen := if label r then minus_seen t else Z.succ (minus_seen t);
     mistakes := if Z.leb (signed r (Checker.times (its_plane p) (full c (last_column p) r))) Z.zero
                 then Z.succ (mistakes t) else mistakes t;
     kept := if named r then (number, r) :: kept t else kept t |}.
Definition weighed (p : Z * row) : item := {| data := snd p; weight := fst p; cover := Z.zero |}.
Definition sums_to_zero (c : claim) (last : Z) (kept : list (Z * row)) (w : sparse) : bool :=
  match chosen kept w with
  | Some l => vanishes (fold_left (fun b i => join (weight i) (data i) (full c last (data i)) b) (map weighed l) [])
  | None => false
  end.
Definition last_slip (p : setting) (t : tally) : option slip :=
  let c := posed_claim p in
  match slipped t with
  | None =>
      demand Z.eqb (plus_seen t) (plus c) && Z.eqb (minus_seen t) (minus c) or Other_sizes;
      demand Z.ltb Z.zero (plus_seen t) && Z.ltb Z.zero (minus_seen t) or Class_missing;
      demand match says c with Fewest_errors made _ => Z.eqb (mistakes t) made | _ => false end or Other_errors;
      demand forallb (sums_to_zero c (last_column p) (kept t)) (its_witnesses p) or Witness_not_zero;
      demand match relations c with [] => true | _ => false end or Other_claim; None
  | Some why => Some why
  end.
