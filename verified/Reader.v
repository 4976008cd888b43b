(* The program: it takes in a text line by line, and answers. This is extracted and run. *)
From Coq Require Import ZArith List Bool String.
From Novikoff Require Import Meaning Checker Separation Text.
Import ListNotations.
Open Scope Z_scope.

(* A row of floats that has no weight, whose first digits may suffice: 29 of those of its largest number; or all 53. *)
Fixpoint largest (l : line) (best : Z) : Z :=
  match l with
  | _ :: high :: _ :: rest =>
      let h := if Z.leb sign_bit high then less high sign_bit else high in largest rest (if Z.ltb best h then h else best)
  | _ => best
  end.
Fixpoint largest_of_all (l : line) (best : Z) : Z :=
  match l with
  | _ :: high :: rest =>
      let h := if Z.leb sign_bit high then less high sign_bit else high in
      largest_of_all rest (if Z.ltb best h then h else best)
  | _ => best
  end.
Definition n24 : Z := Z.add n20 (power n2).
Definition with_one (s : state) (one : Z) (entries : sparse) : sparse :=
  if intercept (the s) then Entry (top s) one entries else entries.
Definition digits_in (s : state) (fewer kind : Z) (l : line) : option (Z * sparse) :=
  let least := if intercept (the s) then Z.shiftl n1023 n20 else Z.zero in
  let all := Z.eqb kind n2 in
  let last := Z.add fewer (Z.shiftl (if all then largest_of_all l least else largest l least) (Z.opp n20)) in
  match (if all then all_floats false (Z.opp last) Z.one l End
         else if Z.eqb kind Z.one then floats false (Z.opp last) l End else None) with
  | Some digits =>
      if Z.ltb last Z.one then None else Some (less n1075 last, with_one s (Z.shiftl (power n52) (less n1023 last)) digits)
  | None => None
  end.
Definition clear_cells (s : state) (label : bool) (kind scale : Z) (l : line) : bool :=
  if Z.eqb kind Z.zero then
    Z.eqb scale Z.one &&
    match pairs l End with Some entries => clear s label true (with_one s Z.one entries) Z.zero (fun _ => None) | None => false end
  else
    Z.eqb scale n1074 &&
    match digits_in s n24 kind l with
    | Some (k, digits) => clear s label false digits k (fun _ => digits_in s Z.zero kind l)
    | None => false
    end.
Definition clear_row (s : state) (l : line) : option bool :=
  match says (the s), l with
  | Separable _ _ _ _, plus :: kind :: scale :: weight :: cover :: name :: rest =>
      match flag plus with
      | Some label =>
          if Z.eqb weight Z.zero && Z.eqb cover Z.zero && Z.eqb name Z.zero && clear_cells s label kind scale rest
          then Some label else None
      | None => None
      end
  | _, _ => None
  end.

Inductive stage :=
| Start
| Head (missing : Z) (lines : list line)   (* the lines so far, the last one first *)
| Planes (s : state)
| Estimates (c : line) (p : prepared) (s : progress)
| Broken.
Definition opened (head : list line) : stage :=
  match question_in head with
  | Some q => Planes (start (asked q) (shown_plane q) (helps q))
  | None => match model_in head with
            | Some m => let p := prepare (claimed m) (shown_by m) in Estimates (classes m) p (start_rows p)
            | None => Broken
            end
  end.
Definition take (s : stage) (l : line) : stage :=
  match s with
  | Start => match l with
             | _ :: n :: _ => if Z.leb n Z.one then Broken else Head (less n Z.one) [l]
             | _ => Broken
             end
  | Head missing lines => if Z.leb missing Z.one then opened (rev (l :: lines)) else Head (less missing Z.one) (l :: lines)
  | Planes s => match clear_row s l with
                | Some label => Planes (count_row s label)
                | None => match item_of l with Some i => Planes (step s i) | None => Broken end
                end
  | Estimates c p s => match observed_of c l with Some o => Estimates c p (next p s o) | None => Broken end
  | Broken => Broken
  end.

Open Scope string_scope.
Definition explain (why : reason) : string :=
  match why with
  | Bad_ratio => "lo, hi and radius must be positive" | Bad_guess => "the numbers that save work are wrong"
  | Bad_plane => "the plane is not one, or none is called for" | Bad_relation => "a relation is zero"
  | Bad_over => "it is over 0" | Bad_columns => "its columns do not increase, or there are none"
  | Relation_fails => "a relation does not vanish on it" | Negative_weight => "its weight is negative"
  | Margin_fails => "its margin is not what the claim needs" | Lo_fails => "its margin is below lo"
  | Radius_fails => "it is longer than radius" | Bound_fails => "the bound is below radius^2/lo^2"
  | Hi_fails => "the combination does not prove hi" | Bad_cover => "its weight in the cover is not what the claim needs"
  | Bad_name => "it is named, which only quasi-separable claims do"
  | Wrong_sizes => "the rows of the classes are not as many as stated" | One_class => "there are rows of one class only"
  | No_weight => "no weight is positive" | Witness_fails => "the rows do not sum to zero under the witness"
  | Cover_fails => "the rows do not sum to zero under the cover" | No_name => "no row is named as on the right side"
  end.
Definition explain_doubt (why : doubt) : string :=
  match why with
  | Bad_space => "a vector does not have its column alone, or a column is left out" | Bad_vector => "a plane is not one"
  | Bad_observation => "it is over 0, its columns do not increase, or its class is none"
  | Off_first => "its z.w is not what the claim needs"
  | Off_further => "it is on the wrong side of a plane" | Off_constant => "a vector of the constants is not zero on it"
  | Off_hull => "it has a weight for the hull, and is separated or not zero on it"
  | Bad_tying => "its weight in the cover is not what the claim needs" | Bad_sign_weight => "a weight of a sign is negative"
  | Wrong_extent => "the verdict is another" | Cover_not_zero => "the tied rows do not sum to zero under the cover"
  | Constant_not_all => "the constants are not shown to be all" | Hull_not_all => "the hull is not shown to be all"
  | Sign_not_forced => "a sum of rows does not have the sign that it is said to force"
  | Bad_estimate => "a coefficient is not proved to be what is claimed"
  end.
Inductive outcome := Accepts | Refuses (why : string) | Malformed.
Definition outcome_of (s : stage) : outcome :=   (* if this was the last line *)
  match s with
  | Planes s => match finish s with Accepted => Accepts | Refused why => Refuses (explain why) end
  | Estimates _ p s => match conclude p s with None => Accepts | Some why => Refuses (explain_doubt why) end
  | _ => Malformed
  end.
Definition settled (s : stage) : bool :=   (* whether further lines change nothing *)
  match s with
  | Broken => true
  | Planes s => match complaint s with Some _ => true | None => false end
  | Estimates _ _ s => match doubted s with Some _ => true | None => false end
  | _ => false
  end.
Definition judge (lines : list line) : outcome := outcome_of (fold_left take lines Start).
