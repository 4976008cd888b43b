(* The program in OCaml. Whole numbers are those of zarith, by whole.ml: the eleven operations below, and two of tables, are
   believed to do what Coq says they do. They take no whole number apart: the build would fail if they did. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNativeString.
From Novikoff Require Import Checker Reader.
Extract Inductive Z => "Whole.t" [ "Not_used.zero" "Not_used.positive" "Not_used.negative" ] "Not_used.cases".
Extract Inlined Constant Z.zero => "Whole.zero".
Extract Inlined Constant Z.one => "Whole.one".
Extract Inlined Constant Z.succ => "Whole.succ".
Extract Inlined Constant Z.opp => "Whole.neg".
Extract Inlined Constant Z.add => "Whole.add".
Extract Inlined Constant Z.mul => "Whole.mul".
Extract Inlined Constant Z.eqb => "Whole.equal".
Extract Inlined Constant Z.ltb => "Whole.lt".
Extract Inlined Constant Z.leb => "Whole.leq".
Extract Inlined Constant Z.shiftl => "Whole.shiftl".
Extract Inlined Constant Z.land => "Whole.logand".
(* Helpers of Coq's own definitions of these: named here so that they are left out. *)
Extract Inlined Constant Z.compare => "Not_used.compare".
Extract Inlined Constant Z.pos_sub => "Not_used.pos_sub".
Extract Inlined Constant Z.double => "Not_used.double".
Extract Inlined Constant Z.succ_double => "Not_used.succ_double".
Extract Inlined Constant Z.pred_double => "Not_used.pred_double".
Extract Inlined Constant Z.div2 => "Not_used.div2".
Extract Inlined Constant Z.shiftr => "Not_used.shiftr".
Extract Inlined Constant Z.of_N => "Not_used.of_N".
(* Tables are arrays. *)
Extract Constant table => "Whole.t array".
Extract Inlined Constant table_of => "Whole.table_of".
Extract Inlined Constant entry => "Whole.entry".
Extraction "checker.ml" take settled outcome_of judge.
