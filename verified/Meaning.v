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
| Quasi_separable (covered : bool).
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

(* Regressions. The rows are those that a model poses, each times some positive number; along coefficients b with z·b = 0 for
   free rows and z·b >= 0 for the others, the likelihood never falls. [separated] says of a row that z·b can be > 0. *)
Record posed := { free : bool; separated : bool; coordinates : sparse }.
Inductive extent := Complete | Quasi_complete | Overlap.
Inductive fate := Finite | Plus_infinite | Minus_infinite | Undetermined | Aliased.
Record regression := { wide : Z; extent_is : extent; estimates : list fate }.   (* of so many coefficients *)

Section Regression.
  Variables (c : regression) (rows : list posed).
  Definition score (r : posed) (b : vector) : R := dot (wide c) (vector_of (coordinates r)) b.
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
  Definition estimate_holds (j : Z) (e : fate) : Prop :=
    match e with
    | Finite => forall b, never_falls b -> b j = 0
    | Plus_infinite => can (Rlt 0) j /\ forall b, never_falls b -> 0 <= b j
    | Minus_infinite => can (Rgt 0) j /\ forall b, never_falls b -> b j <= 0
    | Undetermined => can (Rlt 0) j /\ can (Rgt 0) j /\ forall b, constant_along b -> b j = 0
    | Aliased => exists b, constant_along b /\ b j <> 0
    end.

  Definition regression_meaning : Prop :=
    (forall r, In r rows -> decreasing (wide c) (coordinates r))
    /\ extent_holds
    /\ (forall r, In r rows -> (separated r = true <-> exists b, never_falls b /\ 0 < score r b))
    /\ Forall2 estimate_holds (columns (wide c)) (estimates c).
End Regression.
