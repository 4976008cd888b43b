(* The program: it takes in a text line by line, and answers. This is extracted and run. *)
From Coq Require Import ZArith List Bool String.
From Novikoff Require Import Meaning Checker Separation Errors Text.
Import ListNotations.
Open Scope Z_scope.

(* Rows that have no weight, as they are read. A float is first taken to 53 bits of the largest number, h = 2^26·a + b, rounded down;
   a are the first digits. Of whole numbers all digits are the first ones. *)
Inductive sums := Sums (column inner size count high cross low : Z) | Unclear.
Definition n26 : Z := Z.add n20 (Z.add (power n2) n2).
Definition minus20 : Z := Z.opp n20.
Definition minus26 : Z := Z.opp n26.
Definition minus32 : Z := Z.opp n32.
Definition mask20 : Z := less hidden_bit Z.one.
Definition mask26 : Z := less (power n26) Z.one.
Definition mask31 : Z := less sign_bit Z.one.
Definition infinite : Z := Z.shiftl n2047 n20.
Definition is_word (x : Z) : bool := Z.eqb (Z.shiftl x minus32) Z.zero.   (* of 32 bits *)
Definition digits (by_ high low : Z) : Z :=
  let h := Z.land high mask31 in
  let e := Z.shiftl h minus20 in
  let m := if Z.eqb e Z.zero then Z.add (Z.shiftl h n32) low else Z.add (Z.shiftl (Z.add (Z.land h mask20) hidden_bit) n32) low in
  Z.shiftl (if Z.leb sign_bit high then Z.opp m else m) (Z.add by_ (if Z.eqb e Z.zero then Z.one else e)).
Definition valid (high low : Z) : bool := is_word high && is_word low && Z.ltb (Z.land high mask31) infinite.
Fixpoint floats_seen (t : table) (by_ : Z) (l : line) (column inner size count high cross low : Z) : sums :=
  match l with
  | [] => Sums column inner size count high cross low
  | y :: x :: k :: rest =>
      if Z.ltb column k && valid x y then
        let h := digits by_ x y in
        let a := Z.shiftl h minus26 in
        let b := Z.land h mask26 in
        floats_seen t by_ rest k (Z.add inner (Z.mul a (entry k t))) (Z.add size (size_of a)) (Z.succ count)
          (Z.add high (Z.mul a a)) (Z.add cross (Z.mul a b)) (Z.add low (Z.mul b b))
      else Unclear
  | _ => Unclear
  end.
Fixpoint all_floats_seen (t : table) (by_ : Z) (l : line) (column inner size high cross low : Z) : sums :=
  match l with
  | [] => Sums column inner size column high cross low
  | y :: x :: rest =>
      if valid x y then
        let k := Z.succ column in
        let h := digits by_ x y in
        let a := Z.shiftl h minus26 in
        let b := Z.land h mask26 in
        all_floats_seen t by_ rest k (Z.add inner (Z.mul a (entry k t))) (Z.add size (size_of a))
          (Z.add high (Z.mul a a)) (Z.add cross (Z.mul a b)) (Z.add low (Z.mul b b))
      else Unclear
  | _ => Unclear
  end.
Fixpoint whole_seen (t : table) (l : line) (column inner size count length : Z) : sums :=
  match l with
  | [] => Sums column inner size count length Z.zero Z.zero
  | v :: k :: rest =>
      if Z.ltb column k then
        whole_seen t rest k (Z.add inner (Z.mul v (entry k t))) (Z.add size (size_of v)) (Z.succ count) (Z.add length (Z.mul v v))
      else Unclear
  | _ => Unclear
  end.
(* The first bits, but for the sign, of the largest number, or at least these. *)
Fixpoint largest (l : line) (best : Z) : Z :=
  match l with
  | _ :: high :: _ :: rest => let h := Z.land high mask31 in largest rest (if Z.ltb best h then h else best)
  | _ => best
  end.
Fixpoint largest_of_all (l : line) (best : Z) : Z :=
  match l with
  | _ :: high :: rest => let h := Z.land high mask31 in largest_of_all rest (if Z.ltb best h then h else best)
  | _ => best
  end.
(* With an intercept, 1 in the last column; h is its digits. *)
Definition one_seen (s : state) (t : table) (h : Z) : sums :=
  if intercept (the s) then
    let a := Z.shiftl h minus26 in
    let b := Z.land h mask26 in
    Sums (top s) (Z.mul a (entry (top s) t)) (size_of a) Z.one (Z.mul a a) (Z.mul a b) (Z.mul b b)
  else Sums Z.zero Z.zero Z.zero Z.zero Z.zero Z.zero Z.zero.
Definition clear_floats (s : state) (t : table) (plus all : bool) (l : line) : bool :=
  let least := if intercept (the s) then Z.shiftl n1023 n20 else Z.zero in
  let last := Z.shiftl (if all then largest_of_all l least else largest l least) minus20 in
  let by_ := Z.opp last in
  let k := less n1075 last in
  if Z.ltb last Z.one then false
  else match one_seen s t (Z.shiftl (power n52) (less n1023 last)) with
  | Sums _ i1 s1 c1 h1 x1 l1 =>
      match (if all then all_floats_seen t by_ l Z.zero i1 s1 h1 x1 l1 else floats_seen t by_ l Z.zero i1 s1 Z.zero h1 x1 l1) with
      | Sums column inner size n high cross low =>
          let count := Z.add n c1 in
          let length := Z.add (Z.add (Z.shiftl high (Z.add n26 n26)) (Z.add (Z.shiftl cross (Z.succ n26)) low))
                              (Z.add (Z.shiftl (Z.add size count) (Z.succ n26)) count) in
          Z.leb column (width (the s)) && clear s plus inner size count (less k n26) length k
      | Unclear => false
      end
  | Unclear => false
  end.
Definition clear_whole (s : state) (t : table) (plus : bool) (l : line) : bool :=
  let one := if intercept (the s) then Z.one else Z.zero in
  match whole_seen t l Z.zero (if intercept (the s) then entry (top s) t else Z.zero) one one one with
  | Sums column inner size count length _ _ =>
      Z.leb column (width (the s)) && clear s plus inner size count Z.zero length Z.zero
  | Unclear => false
  end.
Definition clear_cells (s : state) (plus : bool) (kind scale : Z) (l : line) : bool :=
  match rough_plane s with
  | Indexed t =>
      if Z.eqb kind Z.zero then Z.eqb scale Z.one && clear_whole s t plus l
      else Z.eqb scale n1074 && (Z.eqb kind Z.one || Z.eqb kind n2) && clear_floats s t plus (Z.eqb kind n2) l
  | Linked _ => false
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
| Counts (p : setting) (t : tally)
| Broken.
Definition opened (head : list line) : stage :=
  match question_in head with
  | Some q => Planes (start (asked q) (shown_plane q) (helps q))
  | None => match model_in head with
            | Some m => let p := prepare (claimed m) (shown_by m) in Estimates (classes m) p (start_rows p)
            | None => match trial_in head with
                      | Some t => Counts (setting_of (tried t) (argued t)) (no_rows (tried t) (argued t))
                      | None => Broken
                      end
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
  | Counts p t => match item_of l with Some i => Counts p (tally_row p t i) | None => Broken end
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
Definition explain_slip (why : slip) : string :=
  match why with
  | No_columns => "there are no columns" | Plane_malformed => "the plane is not one" | Witness_malformed => "a witness is not one"
  | Case_open => "the cases do not prove as many errors" | Row_malformed => "it is over 0, or its columns do not increase"
  | Other_sizes => "the rows of the classes are not as many as stated" | Class_missing => "there are rows of one class only"
  | Other_errors => "the plane makes another number of errors" | Witness_not_zero => "the rows do not sum to zero under a witness"
  | Other_claim => "this is another claim"
  end.
Inductive outcome := Accepts | Refuses (why : string) | Malformed.
Definition outcome_of (s : stage) : outcome :=   (* if this was the last line *)
  match s with
  | Planes s => match finish s with Accepted => Accepts | Refused why => Refuses (explain why) end
  | Estimates _ p s => match conclude p s with None => Accepts | Some why => Refuses (explain_doubt why) end
  | Counts p t => match last_slip p t with None => Accepts | Some why => Refuses (explain_slip why) end
  | _ => Malformed
  end.
Definition settled (s : stage) : bool :=   (* whether further lines change nothing *)
  match s with
  | Broken => true
  | Planes s => match complaint s with Some _ => true | None => false end
  | Estimates _ _ s => match doubted s with Some _ => true | None => false end
  | Counts _ t => match slipped t with Some _ => true | None => false end
  | _ => false
  end.
Definition judge (lines : list line) : outcome := outcome_of (fold_left take lines Start).
