(* What an accepted claim means. This file holds every definition that the theorem's statement rests on, and nothing else:
   who believes these lines, and Coq, need not read the proofs. *)
From Coq Require Import ZArith List Reals.
Import ListNotations.
Open Scope R_scope.

(* Columns are counted from 1; a vector has a real number for each. Only the columns up to [last] count. *)
Definition vector := Z -> R.
Definition columns (last : Z) : list Z := map Z.of_nat (seq 1 (Z.to_nat last)).
Definition sum {A} (f : A -> R) (items : list A) : R := fold_right (fun a total => f a + total) 0 items.
Definition dot last (u v : vector) : R := sum (fun j => u j * v j) (columns last).
Definition norm last (u : vector) : R := sqrt (dot last u u).
Definition zero : vector := fun _ => 0.
Definition add (u v : vector) : vector := fun j => u j + v j.

(* A sparse vector of whole numbers: columns and values, the last column first. *)
Inductive sparse := End | Entry (column value : Z) (rest : sparse).
Fixpoint value_at (j : Z) (s : sparse) : Z :=
  match s with End => 0%Z | Entry k v rest => if Z.eqb k j then v else value_at j rest end.
Definition vector_of (s : sparse) : vector := fun j => IZR (value_at j s).
Fixpoint decreasing (last : Z) (s : sparse) : Prop :=
  match s with End => True | Entry k _ rest => (1 <= k <= last)%Z /\ decreasing (k - 1) rest end.

(* A row of the data: its class, which is + if [label] is true; x = entries / over; and whether the claim names it as one that
   can be on the right side (of use in quasi-separable claims only). *)
Record row := { label : bool; over : Z; entries : sparse; named : bool }.
Record ratio := { num : Z; den : Z }.
Definition value (q : ratio) : R := IZR (num q) / IZR (den q).

Inductive verdict :=
| Separable (lo hi radius : ratio) (bound : Z)
| Inseparable (covered : bool)
| Quasi_separable (covered : bool)
| Fewest_errors (made least : Z).
Record claim := { width : Z;                 (* how many columns the data have *)
                  intercept : bool;          (* with an intercept, column width + 1 is 1 in every row *)
                  says : verdict;
                  relations : list sparse;
                  plus : Z; minus : Z }.     (* how many rows there are of each class *)
Definition last (c : claim) : Z := if intercept c then Z.succ (width c) else width c.

(* The signed row z = ±[x; 1], or ±x without intercept. *)
Definition regular (c : claim) (r : row) : Prop := (0 < over r)%Z /\ decreasing (width c) (entries r).
Definition x_of (c : claim) (r : row) : vector := fun j =>
  if (intercept c && Z.eqb j (last c))%bool then 1 else vector_of (entries r) j / IZR (over r).
Definition z_of (c : claim) (r : row) : vector := fun j => if label r then x_of c r j else - x_of c r j.

Section Meaning.
  Variables (c : claim) (rows : list row).
  Definition margin (u : vector) (r : row) : R := dot (last c) (z_of c r) u.
  Definition every (P : row -> Prop) : Prop := forall r, In r rows -> P r.
  Definition some (P : row -> Prop) : Prop := exists r, In r rows /\ P r.

  (* A run of the perceptron from zero, after t updates: each adds a row that is not on its right side. *)
  Inductive run : nat -> vector -> Prop :=
  | run_start : run 0 zero
  | run_update t w r : run t w -> In r rows -> margin w r <= 0 -> run (S t) (add w (z_of c r)).

  (* The margins m that a plane of norm 1 can have. Their least upper bound is the margin of the best plane. *)
  Definition reached (m : R) : Prop := exists u, norm (last c) u = 1 /\ every (fun r => m <= margin u r).

  Definition separable : Prop := exists u, every (fun r => 0 < margin u r).
  (* How many rows are not on the right side of u: its errors. *)
  Definition errors (u : vector) : Z := Z.of_nat (length (filter (fun r => if Rle_dec (margin u r) 0 then true else false) rows)).
  Definition verdict_holds : Prop :=
    match says c with
    | Separable lo hi radius bound =>
        separable
        /\ (exists best, is_lub reached best /\ 0 < value lo <= best /\ best <= value hi)
        /\ every (fun r => norm (last c) (z_of c r) <= value radius)
        /\ (forall t w, run t w -> (Z.of_nat t <= bound)%Z)
    | Inseparable covered =>
        ~ separable
        /\ (covered = true -> forall u, every (fun r => 0 <= margin u r) -> every (fun r => margin u r = 0))
    | Quasi_separable covered =>
        ~ separable
        /\ (exists u, every (fun r => 0 <= margin u r /\ (0 < margin u r <-> named r = true)))
        /\ some (fun r => named r = true)
        /\ (covered = true ->
            forall u, every (fun r => 0 <= margin u r) -> every (fun r => 0 < margin u r -> named r = true))
    | Fewest_errors made least => (exists u, errors u = made) /\ forall u, (least <= errors u)%Z
    end.

  Definition related (v : sparse) : Prop :=
    decreasing (last c) v /\ (exists j, In j (columns (last c)) /\ vector_of v j <> 0)
    /\ every (fun r => margin (vector_of v) r = 0).
  Definition size (which : bool) : Z := Z.of_nat (length (filter (fun r => Bool.eqb (label r) which) rows)).

  Definition meaning : Prop :=
    every (regular c)
    /\ size true = plus c /\ size false = minus c /\ (0 < plus c)%Z /\ (0 < minus c)%Z
    /\ verdict_holds
    /\ Forall related (relations c).
End Meaning.

(* Regressions. The classes are 0, the reference, to [others]; each but the reference has a block of coefficients, one for each
   column and, with an intercept, one more. Of counts, 0 is the class 0, any other one the class 1. An observation is
   x = numbers / denominator; [beaten] are the classes k for which the claim says that z·b can be > 0. *)
Inductive extent := Complete | Quasi_complete | Overlap.
Inductive fate := Finite | Plus_infinite | Minus_infinite | Undetermined | Aliased.
Record regression := { given : Z; with_intercept : bool; others : Z; counts : bool; extent_is : extent; estimates : list fate }.
Record observation := { class : Z; denominator : Z; numbers : sparse; beaten : list Z }.
Definition block (c : regression) : Z := if with_intercept c then Z.succ (given c) else given c.
Definition wide (c : regression) : Z := Z.mul (others c) (block c).

(* The rows z that an observation poses, one for each other class k: [x; 1] in the block of its own class, -[x; 1] in that of k.
   Along coefficients b with z·b >= 0, and z·b = 0 for free rows, which are of counts above 0, the likelihood never falls. *)
Record posed := { free : bool; separated : bool; z : vector }.
Definition regular_observation (c : regression) (o : observation) : Prop :=
  (0 <= class o <= others c)%Z /\ (0 < denominator o)%Z /\ decreasing (given c) (numbers o).
Definition in_block (c : regression) (k : Z) (o : observation) : vector := fun j =>
  let i := (j - (k - 1) * block c)%Z in
  if (Z.leb 1 k && Z.leb 1 i && Z.leb i (block c))%bool
  then if (with_intercept c && Z.eqb i (block c))%bool then 1 else vector_of (numbers o) i / IZR (denominator o) else 0.
Definition posed_by (c : regression) (o : observation) : list posed :=
  map (fun k => {| free := counts c && Z.eqb (class o) 1; separated := existsb (Z.eqb k) (beaten o);
                   z := fun j => in_block c (class o) o j - in_block c k o j |})
    (filter (fun k => negb (Z.eqb k (class o))) (map Z.of_nat (seq 0 (Z.to_nat (others c + 1))))).

Section Regression.
  Variables (c : regression) (rows : list posed).
  Definition score (r : posed) (b : vector) : R := dot (wide c) (z r) b.
  Definition never_falls (b : vector) : Prop := forall r, In r rows -> if free r then score r b = 0 else 0 <= score r b.
  Definition constant_along (b : vector) : Prop := forall r, In r rows -> score r b = 0.
  Definition completely (b : vector) : Prop := rows <> [] /\ never_falls b /\ forall r, In r rows -> 0 < score r b.

  Definition extent_holds : Prop :=
    match extent_is c with
    | Complete => exists b, completely b
    | Quasi_complete => ~ (exists b, completely b) /\ exists b r, never_falls b /\ In r rows /\ 0 < score r b
    | Overlap => forall b, never_falls b -> constant_along b
    end.
  Definition can (P : R -> Prop) (j : Z) : Prop := exists b, never_falls b /\ P (b j).
  Definition fate_holds (j : Z) (e : fate) : Prop :=
    match e with
    | Finite => forall b, never_falls b -> b j = 0
    | Plus_infinite => can (Rlt 0) j /\ forall b, never_falls b -> 0 <= b j
    | Minus_infinite => can (Rgt 0) j /\ forall b, never_falls b -> b j <= 0
    | Undetermined => can (Rlt 0) j /\ can (Rgt 0) j /\ forall b, constant_along b -> b j = 0
    | Aliased => exists b, constant_along b /\ b j <> 0
    end.
  Definition claims_hold : Prop :=
    extent_holds
    /\ (forall r, In r rows -> (separated r = true <-> exists b, never_falls b /\ 0 < score r b))
    /\ Forall2 fate_holds (columns (wide c)) (estimates c).
End Regression.
Definition regression_meaning (c : regression) (data : list observation) : Prop :=
  Forall (regular_observation c) data /\ claims_hold c (flat_map (posed_by c) data).
