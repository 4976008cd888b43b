(* The checker as an OCaml program. Whole numbers are those of zarith: the ten operations below are believed to do what Coq
   says they do. Columns stay as Coq has them. The checker takes no whole number apart: the build would fail if it did. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic.
From Novikoff Require Import Checker.
Extract Inductive Z => "Z.t" [ "Not_used.zero" "Not_used.positive" "Not_used.negative" ] "Not_used.cases".
Extract Inlined Constant Z.zero => "Z.zero".
Extract Inlined Constant Z.one => "Z.one".
Extract Inlined Constant Z.succ => "Z.succ".
Extract Inlined Constant Z.opp => "Z.neg".
Extract Inlined Constant Z.add => "Z.add".
Extract Inlined Constant Z.mul => "Z.mul".
Extract Inlined Constant Z.eqb => "Z.equal".
Extract Inlined Constant Z.ltb => "Z.lt".
Extract Inlined Constant Z.leb => "Z.leq".
Extraction "build/checker.ml" start step finish check.
