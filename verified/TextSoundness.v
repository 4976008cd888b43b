(* What the program accepts is so. *)
From Coq Require Import ZArith List Bool Reals Lia.
From Novikoff Require Import Meaning Checker Novikoff Soundness Separation SeparationSoundness Text Reader.
Import ListNotations.
Open Scope Z_scope.

(* The first digits of a float, and the float. *)
Lemma shift_digits x e last : 1 <= e -> 1 <= last -> let u := 2 ^ (last - 1) in let h := Z.shiftl x (e - last) in
  u * h <= Z.shiftl x (e - 1) < u * h + u.
Proof.
  intros E L u h; unfold u, h; clear u h. assert (0 < 2 ^ (last - 1)) by (apply Z.pow_pos_nonneg; lia).
  rewrite (Z.shiftl_mul_pow2 x (e - 1)) by lia. destruct (Z_lt_le_dec e last) as [N|N].
  - replace (e - last) with (- (last - e)) by lia. rewrite Z.shiftl_opp_r, Z.shiftr_div_pow2 by lia.
    assert (P : 0 < 2 ^ (last - e)) by (apply Z.pow_pos_nonneg; lia).
    assert (Q : 0 < 2 ^ (e - 1)) by (apply Z.pow_pos_nonneg; lia).
    assert (D := Z.div_mod x (2 ^ (last - e)) ltac:(lia)). assert (M := Z.mod_pos_bound x (2 ^ (last - e)) P).
    set (h := x / 2 ^ (last - e)) in *; set (r := x mod 2 ^ (last - e)) in *.
    replace (2 ^ (last - 1)) with (2 ^ (last - e) * 2 ^ (e - 1)) in * by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    rewrite D; set (p := 2 ^ (last - e)) in *; set (q := 2 ^ (e - 1)) in *; nia.
  - rewrite Z.shiftl_mul_pow2 by lia.
    replace (2 ^ (e - 1)) with (2 ^ (e - last) * 2 ^ (last - 1)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    split; [|nia]. apply Z.eq_le_incl; ring.
Qed.
Lemma exponent_positive high low n e m : float64_of high low = Float64 n e m -> 1 <= e.
Proof.
  unfold float64_of; destruct (_ && _) eqn:H; [|discriminate].
  apply andb_prop in H as [H _]; apply andb_prop in H as [H _]; apply andb_prop in H as [H _]. apply Z.leb_le in H.
  change (Z.opp n20) with (-20). set (h := if Z.leb sign_bit high then _ else _).
  assert (0 <= h) by (unfold h, less; destruct (Z.leb_spec sign_bit high); unfold Z.zero in *; lia).
  assert (P : 0 <= Z.shiftl h (-20)) by (apply Z.shiftl_nonneg; auto).
  revert P; generalize (Z.shiftl h (-20)) as x; clearbody h; intros x P.
  generalize (Z.add (Z.shiftl (less h (Z.shiftl x n20)) n32) low).
  generalize (Z.add (Z.shiftl (Z.add (less h (Z.shiftl x n20)) hidden_bit) n32) low).
  intros y y'; destruct (Z.eqb_spec x Z.zero) as [E|E]; intros X; injection X; intros _ <- _; clear - P E.
  - now apply Z.leb_le.
  - unfold Z.zero in E; lia.
Qed.
Lemma cell_digits high low last h : 1 <= last -> cell false (Z.opp last) high low = Some h ->
  exists v, cell true (less n1074 n1075) high low = Some v /\ 2 ^ (last - 1) * h <= v < 2 ^ (last - 1) * h + 2 ^ (last - 1).
Proof.
  intros L; unfold cell; destruct (float64_of high low) as [n e m|] eqn:F; [|discriminate].
  apply exponent_positive in F. cbn [andb]. intros H; injection H; clear H; intros <-.
  change (less n1074 n1075) with (-1). destruct (Z.ltb_spec (e + -1) Z.zero) as [K|K]; [unfold Z.zero in K; lia|].
  eexists; split; [reflexivity|]. exact (shift_digits (if n then - m else m) e last F L).
Qed.
Lemma floats_digits last l : 1 <= last -> forall d digits out, floats false (Z.opp last) l digits = Some d ->
  digits_of (2 ^ (last - 1)) out digits ->
  exists s, floats true (less n1074 n1075) l out = Some s /\ digits_of (2 ^ (last - 1)) s d.
Proof.
  intros L; revert l; fix IH 1. intros [|low [|high [|k l]]] d digits out; cbn [floats]; try discriminate.
  - intros H; inversion H; subst; eauto.
  - destruct (cell false _ _ _) as [h|] eqn:C; [|discriminate]. apply (cell_digits _ _ _ _ L) in C as [v [-> V]].
    intros H O; apply (IH l d (Entry k h digits) (Entry k v out) H); simpl; auto.
Qed.
Lemma all_floats_digits last l : 1 <= last -> forall j d digits out, all_floats false (Z.opp last) j l digits = Some d ->
  digits_of (2 ^ (last - 1)) out digits ->
  exists s, all_floats true (less n1074 n1075) j l out = Some s /\ digits_of (2 ^ (last - 1)) s d.
Proof.
  intros L; revert l; fix IH 1. intros [|low [|high l]] j d digits out; cbn [all_floats]; try discriminate.
  - intros H; inversion H; subst; eauto.
  - destruct (cell false _ _ _) as [h|] eqn:C; [|discriminate]. apply (cell_digits _ _ _ _ L) in C as [v [-> V]].
    intros H O; apply (IH l (Z.succ j) d (Entry j h digits) (Entry j v out) H); simpl; auto.
Qed.
Definition least_unit : Z := 2 ^ 1074.
Lemma least_unit_power : power n1074 = least_unit.
Proof. vm_compute; reflexivity. Qed.
Lemma least_unit_shift : Z.shiftl (power n52) (n1023 - 1) = least_unit.
Proof. vm_compute; reflexivity. Qed.
Lemma least_unit_pow : least_unit = 2 ^ 1074.
Proof. reflexivity. Qed.
Lemma least_unit_positive : 0 < least_unit.
Proof. reflexivity. Qed.
Opaque least_unit.
Lemma digits_in_row s fewer kind l k digits : digits_in s fewer kind l = Some (k, digits) -> kind <> 0 ->
  exists unit, 0 <= unit /\ 1074 = unit + k /\ exists entries, cells_of kind n1074 l = Some (least_unit, entries) /\
    digits_of (2 ^ unit) (with_one s least_unit entries) digits.
Proof.
  unfold digits_in; cbv zeta. match goal with |- context [Z.ltb ?x Z.one] => set (n := x) end; clearbody n.
  match goal with |- context [match ?x with Some _ => _ | None => None end] => destruct x as [d|] eqn:F end; [|discriminate].
  destruct (Z.ltb_spec n Z.one) as [N|N]; [discriminate|]. intros H K.
  assert (Hk : k = less n1075 n) by congruence.
  assert (Hd : digits = with_one s (Z.shiftl (power n52) (less n1023 n)) d) by congruence. clear H; subst k digits.
  change Z.one with 1 in N. exists (n - 1); split; [lia|]. split.
  { assert (E5 : n1075 = 1075) by reflexivity. unfold less; rewrite E5; lia. }
  unfold cells_of.
  destruct (Z.eqb_spec kind Z.zero) as [E|E]; [contradiction|]. change (Z.ltb n1074 Z.zero) with false. cbv iota.
  assert (G : exists entries, (if Z.eqb kind Z.one then floats true (less n1074 n1075) l End
      else if Z.eqb kind n2 then all_floats true (less n1074 n1075) Z.one l End else None) = Some entries
    /\ digits_of (2 ^ (n - 1)) entries d).
  { destruct (Z.eqb_spec kind n2) as [->|E2].
    - change (Z.eqb n2 Z.one) with false. cbv iota. eapply all_floats_digits; eauto. simpl; auto.
    - destruct (Z.eqb kind Z.one); [|discriminate]. eapply floats_digits; eauto. simpl; auto. }
  destruct G as [entries [-> D]]. exists entries. rewrite least_unit_power. split; [reflexivity|].
  unfold with_one; destruct (intercept (the s)); auto. split; [reflexivity|]. split; auto.
  assert (Q := shift_digits (power n52) n1023 n ltac:(now apply Z.leb_le) N). rewrite least_unit_shift in Q. exact Q.
Qed.

(* A row that is clear would have been accepted. *)
Lemma decreasing_descends s : forall d, 0 <= d -> decreasing d s -> descends (Z.succ d) s = true.
Proof.
  assert (G : forall s a, 0 < a -> decreasing (a - 1) s -> descends a s = true).
  { induction s0 as [|k v s0 IH]; intros a A; simpl; [intros _; now apply Z.ltb_lt|].
    intros [K D]. destruct (Z.ltb_spec k a); [|lia]. apply IH; [lia | auto]. }
  intros d P D; apply G; [lia|]. now replace (Z.succ d - 1) with d by lia.
Qed.
Lemma unchanged items : forall s, let t := fold_left step items s in
  plane t = plane s /\ ties t = ties s /\ guessed t = guessed s /\ rough_plane t = rough_plane s.
Proof. induction items as [|i items IH]; intros s; simpl; auto; destruct (IH (step s i)) as [? [? [? ?]]]; auto. Qed.
Lemma clear_step c w g before r exactly digits k e unit fine : let s := fold_left step before (start c w g) in
  clear s (label r) exactly digits k fine = true -> named r = false -> over r = 2 ^ e -> 0 <= e -> 0 <= unit -> e = unit + k ->
  digits_of (2 ^ unit) (with_one s (over r) (entries r)) digits ->
  (exactly = true -> unit = 0 /\ with_one s (over r) (entries r) = digits) ->
  (forall k' digits', fine tt = Some (k', digits') -> exists unit', 0 <= unit' /\ e = unit' + k' /\
     digits_of (2 ^ unit') (with_one s (over r) (entries r)) digits') ->
  step s {| data := r; weight := Z.zero; cover := Z.zero |} = count_row s (label r).
Proof.
  intros s C N O P1 P2 P3 D X Y.
  destruct (fold_still before (start c w g)) as [F1 F2]; destruct (unchanged before (start c w g)) as [F3 [F4 [F5 F6]]].
  fold s in F1, F2, F3, F4, F5, F6. cbn [start the top plane ties guessed rough_plane] in F1, F2, F3, F4, F5, F6.
  assert (K := C); unfold clear in K.
  destruct (says (the s)) as [lo hi radius bound| |] eqn:V; try discriminate.
  destruct (ties s) eqn:Ti; try discriminate. destruct (complaint s) eqn:Co; try discriminate.
  apply andb_prop in K as [K _]. apply descends_to in K. rewrite F2 in K.
  assert (Ob := Co); apply fold_complaint in Ob as [Ob _]. cbn [start complaint] in Ob; unfold objection in Ob.
  destruct (Z.ltb_spec Z.zero (width c)) as [W|W]; [|discriminate].
  destruct (descends _ w) eqn:Aw in Ob; [|discriminate]; apply descends_to in Aw.
  destruct (forallb _ _) in Ob; [|discriminate]. rewrite F1 in V; rewrite V in Ob.
  destruct (_ && _) in Ob; [|discriminate]; destruct (Z.ltb _ _) in Ob; [|discriminate].
  destruct (useful lo w g) eqn:U; [|discriminate].
  assert (A : full c (last c) r = with_one s (over r) (entries r)) by (unfold full, with_one; rewrite F1, F2; reflexivity).
  rewrite <- A in D, X, Y. assert (Da := digits_decreasing _ _ _ _ D K).
  assert (De : decreasing (width c) (entries r)).
  { unfold full, last in Da. destruct (intercept c); auto.
    destruct Da as [_ Da]; now replace (Z.succ (width c) - 1) with (width c) in Da by lia. }
  assert (Q : 0 < over r) by (rewrite O; apply Z.pow_pos_nonneg; lia).
  assert (R : regular c r) by (split; auto).
  assert (M : measured s r (full c (last c) r) lo radius = None)
    by exact (digits_suffice c w g lo radius r W Aw U R s exactly digits k e unit hi bound fine F5 F3 F6 F1 F2 V C P1 P2 P3 O D X Y).
  assert (Fa : fault s {| data := r; weight := Z.zero; cover := Z.zero |} (full (the s) (top s) r) = None).
  { unfold fault; cbn [data weight cover]. rewrite Ti, F1, F2, V, N.
    replace (Z.ltb Z.zero (over r)) with true by (symmetry; now apply Z.ltb_lt).
    rewrite (decreasing_descends (entries r) (width c)) by (auto; unfold Z.zero in W; lia).
    cbn [forallb negb]. exact M. }
  unfold step, count_row; cbn [data weight cover]; rewrite Co, Fa, N, Ti. unfold join.
  change (Z.eqb Z.zero Z.zero) with true. cbv iota. rewrite orb_false_r.
  change (Z.mul Z.zero (over r)) with 0. now rewrite Z.add_0_r.
Qed.
Lemma digits_of_itself s : digits_of (2 ^ 0) s s.
Proof. induction s as [|k v s IH]; cbn [digits_of]; auto. change (2 ^ 0) with 1 in *. repeat split; auto; lia. Qed.
Lemma clear_row_step c w g before l plus : let s := fold_left step before (start c w g) in
  clear_row s l = Some plus -> exists i, item_of l = Some i /\ step s i = count_row s plus.
Proof.
  intros s H. unfold clear_row in H. destruct (says (the s)); try discriminate.
  destruct l as [|sign [|kind [|scale [|we [|co [|name rest]]]]]]; try discriminate.
  destruct (flag sign) as [p|] eqn:S; [|discriminate].
  destruct (_ && _) eqn:T in H; [|discriminate]. injection H; clear H; intros ->.
  apply andb_prop in T as [T C]; apply andb_prop in T as [T T3]; apply andb_prop in T as [T1 T2].
  apply Z.eqb_eq in T1, T2, T3. subst. unfold clear_cells in C. destruct (Z.eqb_spec kind Z.zero) as [->|K].
  - apply andb_prop in C as [E C]; apply Z.eqb_eq in E; subst. destruct (pairs rest End) as [entries|] eqn:P; [|discriminate].
    set (r := {| label := plus; over := Z.one; entries := entries; named := false |}).
    exists {| data := r; weight := Z.zero; cover := Z.zero |}. split.
    + unfold item_of, cells_of. rewrite S. change (Z.eqb Z.zero Z.zero) with true. cbv iota. rewrite P. reflexivity.
    + apply (clear_step c w g before r true _ Z.zero 0 0 _ C); auto; try apply Z.le_refl; [apply digits_of_itself | discriminate].
  - apply andb_prop in C as [E C]; apply Z.eqb_eq in E; subst.
    destruct (digits_in s n24 kind rest) as [[k digits]|] eqn:D; [|discriminate].
    apply digits_in_row in D as [unit [P1 [P2 [entries [E D]]]]]; auto.
    set (r := {| label := plus; over := least_unit; entries := entries; named := false |}).
    exists {| data := r; weight := Z.zero; cover := Z.zero |}. split.
    + unfold item_of. rewrite S, E. reflexivity.
    + apply (clear_step c w g before r false digits k 1074 unit _ C); auto; try discriminate; try lia.
      intros k' digits' F. apply digits_in_row in F as [unit' [Q1 [Q2 [entries' [E' D']]]]]; auto.
      exists unit'; split; [auto|]; split; [auto|]. rewrite E in E'; injection E'; intros ->. exact D'.
Qed.

(* Lines. *)
Lemma broken lines : fold_left take lines Broken = Broken.
Proof. induction lines; auto. Qed.
Lemma rows_of_planes c w g lines : forall before, let s := fold_left step before (start c w g) in
  outcome_of (fold_left take lines (Planes s)) = Accepts ->
  exists items, map item_of lines = map Some items /\ check c w g (before ++ items) = Accepted.
Proof.
  induction lines as [|l lines IH]; intros before s H.
  - exists []; split; auto. rewrite app_nil_r. unfold check; fold s. cbn in H. destruct (finish s); [auto | discriminate].
  - cbn [fold_left take] in H.
    enough (G : forall i, item_of l = Some i -> outcome_of (fold_left take lines (Planes (step s i))) = Accepts ->
      exists items, map item_of (l :: lines) = map Some items /\ check c w g (before ++ items) = Accepted).
    { destruct (clear_row s l) as [p|] eqn:C.
      - destruct (clear_row_step c w g before l p C) as [i [I E]]. fold s in E. rewrite <- E in H. eauto.
      - destruct (item_of l) as [i|]; [eauto | rewrite broken in H; discriminate]. }
    intros i I G. destruct (IH (before ++ [i])) as [items [M K]].
    + rewrite fold_left_app; exact G.
    + exists (i :: items); split; [cbn [map]; now rewrite I, M|]. now rewrite <- app_assoc in K.
Qed.
Lemma rows_of_estimates classes p lines : forall s,
  outcome_of (fold_left take lines (Estimates classes p s)) = Accepts ->
  exists items, map (observed_of classes) lines = map Some items /\ conclude p (fold_left (next p) items s) = None.
Proof.
  induction lines as [|l lines IH]; intros s H.
  - exists []; split; auto. cbn in *. destruct (conclude p s); [discriminate | auto].
  - cbn [fold_left take] in H. destruct (observed_of classes l) as [o|] eqn:O; [|rewrite broken in H; discriminate].
    destruct (IH _ H) as [items [M K]]. exists (o :: items); split; auto. cbn [map]; now rewrite O, M.
Qed.
Lemma head_and_body lines : forall n before, outcome_of (fold_left take lines (Head n before)) = Accepts ->
  exists more body, lines = more ++ body /\ outcome_of (fold_left take body (opened (rev before ++ more))) = Accepts.
Proof.
  induction lines as [|l lines IH]; intros n before H; [discriminate|].
  cbn [fold_left take] in H. destruct (Z.leb n Z.one).
  - exists [l], lines; split; auto.
  - apply IH in H as [more [body [-> H]]]. exists (l :: more), body; split; auto.
    cbn [rev] in H; now rewrite <- app_assoc in H.
Qed.
Theorem accepted_text_means : forall lines, judge lines = Accepts -> text_meaning lines.
Proof.
  intros lines H; unfold judge in H. destruct lines as [|l lines]; [discriminate|].
  cbn [fold_left take] in H.
  destruct l as [|t [|n l]]; try (rewrite broken in H; discriminate).
  destruct (Z.leb n Z.one); [rewrite broken in H; discriminate|].
  apply head_and_body in H as [more [body [-> H]]].
  exists (rev [t :: n :: l] ++ more), body; split; auto. unfold opened in H.
  destruct (question_in _) as [q|] eqn:Q.
  - apply (rows_of_planes _ _ _ _ []) in H as [items [M K]]. left; exists q, items; split; [auto|]; split; [auto|].
    eapply accepted_means; exact K.
  - destruct (model_in _) as [m|] eqn:E; [|rewrite broken in H; discriminate].
    apply rows_of_estimates in H as [items [M K]]. right; exists m, items; split; [auto|]; split; [auto|].
    eapply accepted_separation_means; exact K.
Qed.
Print Assumptions accepted_text_means.
