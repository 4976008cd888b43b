(* What the program accepts is so. *)
From Coq Require Import ZArith List Bool Reals Lia.
From Novikoff Require Import Meaning Checker Novikoff Soundness Separation SeparationSoundness Errors ErrorsSoundness Text Reader.
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
(* The same by fewer operations. *)
Lemma mod_of_land x n : 0 <= n -> Z.land x (2 ^ n - 1) = x mod 2 ^ n.
Proof. intros N. rewrite <- Z.land_ones by auto. now rewrite Z.ones_equiv. Qed.
Lemma word x : is_word x = true -> 0 <= x < 2 ^ 32.
Proof.
  unfold is_word; intros H; apply Z.eqb_eq in H. change minus32 with (-32) in H. change (-32) with (- (32)) in H.
  rewrite Z.shiftl_opp_r, Z.shiftr_div_pow2 in H by lia. change Z.zero with 0 in H.
  assert (D := Z.div_mod x (2 ^ 32) ltac:(lia)). assert (M := Z.mod_pos_bound x (2 ^ 32) ltac:(lia)). lia.
Qed.
Lemma digits_cell by_ high low : valid high low = true -> cell false by_ high low = Some (digits by_ high low).
Proof.
  unfold valid; intros V; apply andb_prop in V as [V V3]; apply andb_prop in V as [V1 V2].
  apply word in V1, V2. apply Z.ltb_lt in V3.
  unfold cell, float64_of, digits. change sign_bit with (2 ^ 31) in *. change mask31 with (2 ^ 31 - 1) in *.
  rewrite mod_of_land in * by lia.
  set (h := if Z.leb (2 ^ 31) high then less high (2 ^ 31) else high).
  assert (E : high mod 2 ^ 31 = h).
  { unfold h, less; destruct (Z.leb_spec (2 ^ 31) high); [|apply Z.mod_small; lia].
    symmetry; apply (Z.mod_unique_pos _ _ 1); lia. }
  rewrite E in *. assert (P : 0 <= h) by (rewrite <- E; apply Z.mod_pos_bound; lia).
  change (Z.opp n20) with minus20. set (e := Z.shiftl h minus20).
  assert (Ee : e = h / 2 ^ 20) by (unfold e; change minus20 with (- (20)); now rewrite Z.shiftl_opp_r, Z.shiftr_div_pow2 by lia).
  change infinite with (2047 * 2 ^ 20) in V3. change low_limit with (2 ^ 32). change n2047 with 2047.
  replace (Z.leb Z.zero high) with true by (symmetry; apply Z.leb_le; unfold Z.zero; lia).
  replace (Z.ltb e 2047) with true by (symmetry; apply Z.ltb_lt; rewrite Ee; apply Z.div_lt_upper_bound; lia).
  replace (Z.leb Z.zero low) with true by (symmetry; apply Z.leb_le; unfold Z.zero; lia).
  replace (Z.ltb low (2 ^ 32)) with true by (symmetry; apply Z.ltb_lt; lia).
  cbn [andb]. destruct (Z.eqb_spec e Z.zero) as [Z0|Z0].
  - rewrite Z0. replace (less h (Z.shiftl Z.zero n20)) with h by (unfold less; rewrite Z.shiftl_0_l; lia).
    now rewrite (Z.add_comm by_).
  - change mask20 with (2 ^ 20 - 1). rewrite mod_of_land by lia.
    replace (less h (Z.shiftl e n20)) with (h mod 2 ^ 20); [now rewrite (Z.add_comm by_)|].
    unfold less; rewrite Z.shiftl_mul_pow2 by (change n20 with 20; lia). change n20 with 20. rewrite Ee, Z.mod_eq; lia.
Qed.
Definition head_of (h : Z) : Z := Z.shiftl h minus26.
Definition tail_of (h : Z) : Z := Z.land h mask26.
Lemma head_and_tail h : h = 2 ^ 26 * head_of h + tail_of h /\ 0 <= tail_of h < 2 ^ 26.
Proof.
  unfold head_of, tail_of. change minus26 with (- (26)). change mask26 with (2 ^ 26 - 1).
  rewrite mod_of_land, Z.shiftl_opp_r, Z.shiftr_div_pow2 by lia.
  split; [apply Z.div_mod; lia | apply Z.mod_pos_bound; lia].
Qed.
Fixpoint heads (s : sparse) : sparse := match s with End => End | Entry k h rest => Entry k (head_of h) (heads rest) end.
Lemma heads_digits u s : 0 < u -> forall d, digits_of u s d -> digits_of (u * 2 ^ 26) s (heads d).
Proof.
  intros U; induction s as [|k v s IH]; intros [|j h d]; cbn [digits_of heads]; try tauto.
  intros [E [V D]]; split; [auto|]; split; [|auto]. destruct (head_and_tail h) as [H T]. nia.
Qed.
Lemma heads_entrywise f d : entrywise f (heads d) = entrywise (fun k v => f k (head_of v)) d.
Proof. induction d as [|k h d IH]; cbn [heads entrywise]; auto; now rewrite IH. Qed.
Lemma squares_of_parts d : entrywise (fun _ v => v * v) d = 2 ^ 52 * entrywise (fun _ v => head_of v * head_of v) d
  + 2 ^ 27 * entrywise (fun _ v => head_of v * tail_of v) d + entrywise (fun _ v => tail_of v * tail_of v) d.
Proof.
  induction d as [|k h d IH]; cbn [entrywise]; [reflexivity|]. rewrite IH. destruct (head_and_tail h) as [H _].
  set (x := head_of h) in *; set (y := tail_of h) in *; clearbody x y; subst h. change (2 ^ 52) with (2 ^ 26 * 2 ^ 26).
  change (2 ^ 27) with (2 * 2 ^ 26). set (t := 2 ^ 26). ring.
Qed.
Lemma sizes_of_parts d : entrywise (fun _ v => size_of v) d
  <= 2 ^ 26 * (entrywise (fun _ v => size_of (head_of v)) d + entrywise (fun _ _ => 1) d).
Proof.
  induction d as [|k h d IH]; cbn [entrywise]; [lia|]. rewrite !size_abs. destruct (head_and_tail h) as [H T].
  set (x := head_of h) in *; set (y := tail_of h) in *; clearbody x y. rewrite !Z.mul_add_distr_l in *.
  enough (Z.abs h <= 2 ^ 26 * Z.abs x + 2 ^ 26 * 1) by lia. destruct (Z.abs_spec x) as [[? ->]|[? ->]]; lia.
Qed.

(* What is seen of a row while it is read is what its digits say. *)
Section Seen.
  Variables (t : table) (by_ : Z).
  Definition seen_of (d : sparse) (inner size count high cross low : Z) : Prop :=
    inner = entrywise (fun k v => head_of v * entry k t) d /\ size = entrywise (fun _ v => size_of (head_of v)) d
    /\ count = entrywise (fun _ _ => 1) d /\ high = entrywise (fun _ v => head_of v * head_of v) d
    /\ cross = entrywise (fun _ v => head_of v * tail_of v) d /\ low = entrywise (fun _ v => tail_of v * tail_of v) d.
  (* [first] is the intercept's, which is not among the numbers that are read. *)
  Variable first : sparse.
  Fixpoint joined (s : sparse) : sparse := match s with End => first | Entry k v rest => Entry k v (joined rest) end.
  Lemma joined_entrywise f s : entrywise f (joined s) = entrywise f s + entrywise f first.
  Proof. induction s as [|k v s IH]; cbn [joined entrywise]; [lia|]; rewrite IH; lia. Qed.
  Lemma floats_seen_spec l : forall column inner size count high cross low out j i s n h x y,
    floats_seen t by_ l column inner size count high cross low = Sums j i s n h x y -> 0 <= column -> decreasing column out ->
    seen_of (joined out) inner size (count + entrywise (fun _ _ => 1) first) high cross low ->
    exists d, floats false by_ l out = Some d /\ decreasing j d /\ seen_of (joined d) i s (n + entrywise (fun _ _ => 1) first) h x y.
  Proof.
    revert l; fix IH 1. intros [|lo [|hi [|k l]]] column inner size count high cross low out j i s n h x y; cbn [floats_seen floats];
      try discriminate.
    - intros E P D S; inversion E; subst; eauto.
    - destruct (Z.ltb_spec column k) as [C|C]; [|discriminate]. cbn [andb]. destruct (valid hi lo) eqn:V; [|discriminate].
      rewrite (digits_cell _ _ _ V). set (v := digits by_ hi lo). fold (head_of v) (tail_of v). intros E P D S.
      apply (IH l _ _ _ _ _ _ _ (Entry k v out)) in E; auto; [lia | |].
      + split; [lia|]. apply (decreasing_weaken _ column); auto; lia.
      + unfold seen_of in *; cbn [joined entrywise]. lia.
  Qed.
  Lemma all_floats_seen_spec l : forall column inner size high cross low out j i s n h x y,
    all_floats_seen t by_ l column inner size high cross low = Sums j i s n h x y -> 0 <= column -> decreasing column out ->
    seen_of (joined out) inner size (column + entrywise (fun _ _ => 1) first) high cross low ->
    exists d, all_floats false by_ (Z.succ column) l out = Some d /\ decreasing j d
      /\ seen_of (joined d) i s (n + entrywise (fun _ _ => 1) first) h x y.
  Proof.
    revert l; fix IH 1. intros [|lo [|hi l]] column inner size high cross low out j i s n h x y; cbn [all_floats_seen all_floats];
      try discriminate.
    - intros E P D S; inversion E; subst; eauto.
    - destruct (valid hi lo) eqn:V; [|discriminate].
      rewrite (digits_cell _ _ _ V). set (v := digits by_ hi lo). fold (head_of v) (tail_of v). intros E P D S.
      apply (IH l _ _ _ _ _ _ (Entry (Z.succ column) v out)) in E; auto; [lia | |].
      + split; [lia|]. apply (decreasing_weaken _ column); auto; lia.
      + unfold seen_of in *; cbn [joined entrywise]. lia.
  Qed.
End Seen.
Lemma whole_seen_spec t l : forall column inner size count length out j i s n q x y,
  whole_seen t l column inner size count length = Sums j i s n q x y -> 0 <= column -> decreasing column out ->
  exists d, pairs l out = Some d /\ decreasing j d /\
    i + entrywise (fun k v => v * entry k t) out = inner + entrywise (fun k v => v * entry k t) d /\
    s + entrywise (fun _ v => size_of v) out = size + entrywise (fun _ v => size_of v) d /\
    n + entrywise (fun _ _ => 1) out = count + entrywise (fun _ _ => 1) d /\
    q + entrywise (fun _ v => v * v) out = length + entrywise (fun _ v => v * v) d.
Proof.
  revert l; fix IH 1. intros [|v [|k l]] column inner size count length out j i s n q x y; cbn [whole_seen pairs]; try discriminate.
  - intros E P D; inversion E; subst. exists out; repeat split; auto; lia.
  - destruct (Z.ltb_spec column k) as [C|C]; [|discriminate]. intros E P D.
    apply (IH l _ _ _ _ _ (Entry k v out)) in E as [d [E [K [S1 [S2 [S3 S4]]]]]]; [|lia|].
    + exists d; cbn [entrywise] in *; repeat split; auto; lia.
    + split; [lia|]. apply (decreasing_weaken _ column); auto; lia.
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
Definition with_one (s : state) (one : Z) (entries : sparse) : sparse :=
  if intercept (the s) then Entry (top s) one entries else entries.
Lemma clear_step c w g before r t digits inner size count k unit length l unit' e : let s := fold_left step before (start c w g) in
  let a := with_one s (over r) (entries r) in rough_plane s = Indexed t ->
  clear s (label r) inner size count k length l = true -> named r = false -> over r = 2 ^ e -> 0 <= e -> 0 <= unit -> e = unit + k ->
  0 <= unit' -> e = unit' + l -> decreasing (width (the s)) (entries r) -> digits_of (2 ^ unit) a digits ->
  inner = entrywise (fun k v => v * entry k t) digits -> size = entrywise (fun _ v => size_of v) digits ->
  count = entrywise (fun _ _ => 1) digits -> squares a Z.zero <= square (2 ^ unit') * length ->
  step s {| data := r; weight := Z.zero; cover := Z.zero |} = count_row s (label r).
Proof.
  intros s a0 Rp C N O P1 P2 P3 P4 P5 De D I1 I2 I3 S.
  destruct (fold_still before (start c w g)) as [F1 F2]; destruct (unchanged before (start c w g)) as [F3 [F4 [F5 F6]]].
  fold s in F1, F2, F3, F4, F5, F6. cbn [start the top plane ties guessed rough_plane] in F1, F2, F3, F4, F5, F6.
  assert (K := C); unfold clear in K.
  destruct (says (the s)) as [lo hi radius bound| | |] eqn:V; try discriminate.
  destruct (ties s) eqn:Ti; try discriminate. destruct (complaint s) eqn:Co; try discriminate. clear K.
  assert (Ob := Co); apply fold_complaint in Ob as [Ob _]. cbn [start complaint] in Ob; unfold objection in Ob.
  destruct (Z.ltb_spec Z.zero (width c)) as [W|W]; [|discriminate].
  destruct (descends _ w) eqn:Aw in Ob; [|discriminate]; apply descends_to in Aw.
  destruct (forallb _ _) in Ob; [|discriminate]. rewrite F1 in V; rewrite V in Ob.
  destruct (_ && _) in Ob; [|discriminate]; destruct (Z.ltb _ _) in Ob; [|discriminate].
  destruct (useful lo w g) eqn:U; [|discriminate].
  assert (A : full c (last c) r = a0) by (unfold a0, full, with_one; rewrite F1, F2; reflexivity).
  rewrite <- A in D, S. rewrite F1 in De.
  assert (Q : 0 < over r) by (rewrite O; apply Z.pow_pos_nonneg; lia).
  assert (R : regular c r) by (split; auto).
  assert (Dd := digits_decrease c r W R (2 ^ unit) digits D).
  assert (I1' : inner = entrywise (fun k v => v * value_at k (rough g)) digits).
  { rewrite I1. apply (entrywise_ext _ _ _ (last c)); auto. intros j v _. f_equal.
    assert (Fi := U); unfold useful in Fi; apply andb_prop in Fi as [_ Fi]. assert (Dr := fits_decreasing _ _ _ _ _ Fi Aw).
    rewrite Rp in F6; unfold finder_of in F6. destruct (Z.leb _ _); [|discriminate]. injection F6; intros ->.
    now apply entry_table. }
  assert (M : measured s r (full c (last c) r) lo radius = None)
    by exact (digits_suffice c w g lo radius r W Aw U R s digits inner size count k unit length l unit' e hi bound F5 F3 F1 V C
              I1' I2 I3 P1 P2 P3 P4 P5 O D S).
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
Lemma clear_whole_step c w g before t plus l : let s := fold_left step before (start c w g) in rough_plane s = Indexed t ->
  clear_whole s t plus l = true -> exists entries, pairs l End = Some entries /\
    let r := {| label := plus; over := Z.one; entries := entries; named := false |} in
    step s {| data := r; weight := Z.zero; cover := Z.zero |} = count_row s plus.
Proof.
  intros s Rp C. unfold clear_whole in C. destruct (whole_seen _ _ _ _ _ _ _) as [j i sz n q x y|] eqn:E; [|discriminate].
  apply andb_prop in C as [J C]; apply Z.leb_le in J.
  apply (whole_seen_spec t l _ _ _ _ _ End) in E as [d [E [D [S1 [S2 [S3 S4]]]]]]; [|unfold Z.zero; lia|exact I].
  exists d; split; [auto|]. intros r. cbn [entrywise] in S1, S2, S3, S4.
  apply (clear_step c w g before r t (with_one s Z.one d) i sz n Z.zero 0 q Z.zero 0 0); fold s; auto; try apply Z.le_refl.
  - apply (decreasing_weaken _ j); auto.
  - apply digits_of_itself.
  - unfold with_one. destruct (intercept (the s)); cbn [entrywise]; unfold Z.one, Z.zero in *; lia.
  - unfold with_one. destruct (intercept (the s)); cbn [entrywise]; rewrite ?size_abs; unfold Z.one, Z.zero in *; lia.
  - unfold with_one. destruct (intercept (the s)); cbn [entrywise]; unfold Z.one, Z.zero in *; lia.
  - rewrite squares_spec. cbn [r over entries]. unfold with_one, square. change (2 ^ 0) with 1.
    destruct (intercept (the s)); cbn [entrywise]; unfold Z.one, Z.zero in *; lia.
Qed.
Lemma one_seen_spec s t h j i z n hh x l : one_seen s t h = Sums j i z n hh x l ->
  seen_of t (if intercept (the s) then Entry (top s) h End else End) i z n hh x l.
Proof.
  unfold one_seen, seen_of. fold (head_of h) (tail_of h). set (a := head_of h). set (b := tail_of h).
  destruct (intercept (the s)); intros E.
  - assert (i = a * entry (top s) t /\ z = size_of a /\ n = 1 /\ hh = a * a /\ x = a * b /\ l = b * b)
      as [-> [-> [-> [-> [-> ->]]]]] by (clearbody a b; inversion E; auto 10).
    cbn [entrywise]; fold a b. rewrite !Z.add_0_r. auto 10.
  - cbn [entrywise]. inversion E; auto 10.
Qed.
Lemma clear_floats_step c w g before t plus (all : bool) kind l : let s := fold_left step before (start c w g) in rough_plane s = Indexed t ->
  kind = (if all then n2 else Z.one) -> clear_floats s t plus all l = true ->
  exists entries, cells_of kind n1074 l = Some (least_unit, entries) /\
    let r := {| label := plus; over := least_unit; entries := entries; named := false |} in
    step s {| data := r; weight := Z.zero; cover := Z.zero |} = count_row s plus.
Proof.
  intros s Rp Ki C. unfold clear_floats in C; cbv zeta in C.
  match type of C with context [Z.ltb ?x Z.one] => set (n := x) in C end; clearbody n.
  destruct (Z.ltb_spec n Z.one) as [N|N]; [discriminate|]. change Z.one with 1 in N.
  remember (Z.shiftl (power n52) (less n1023 n)) as h1 eqn:H1.
  set (first := if intercept (the s) then Entry (top s) h1 End else End).
  destruct (one_seen s t h1) as [j1 i1 s1 c1 hh1 x1 l1|] eqn:O1; [|discriminate].
  assert (S0 : seen_of t first i1 s1 c1 hh1 x1 l1).
  { exact (one_seen_spec _ _ _ _ _ _ _ _ _ _ O1). }
  assert (C1 : c1 = entrywise (fun _ _ => 1) first) by apply S0.
  match type of C with context [match ?read with Sums _ _ _ _ _ _ _ => _ | Unclear => false end] =>
    destruct read as [j i sz m hi x lo|] eqn:E end;
    [|discriminate].
  apply andb_prop in C as [J C]; apply Z.leb_le in J.
  assert (G : exists d entries, (if Z.eqb kind Z.one then floats true (less n1074 n1075) l End
      else if Z.eqb kind n2 then all_floats true (less n1074 n1075) Z.one l End else None) = Some entries
    /\ digits_of (2 ^ (n - 1)) entries d /\ decreasing j d
    /\ seen_of t (joined first d) i sz (m + entrywise (fun _ _ => 1) first) hi x lo).
  { destruct all; subst kind.
    - change (Z.eqb n2 Z.one) with false. change (Z.eqb n2 n2) with true. cbv iota.
      apply (all_floats_seen_spec t (Z.opp n) first l _ _ _ _ _ _ End) in E as [d [F [D S]]].
      + apply (all_floats_digits n l ltac:(lia) _ _ _ End) in F as [entries [F Q]]; [|exact I]. exists d, entries; auto.
      + unfold Z.zero; lia.
      + exact I.
      + cbn [joined]. unfold Z.zero; rewrite Z.add_0_l, <- C1. exact S0.
    - change (Z.eqb Z.one Z.one) with true. cbv iota.
      apply (floats_seen_spec t (Z.opp n) first l _ _ _ _ _ _ _ End) in E as [d [F [D S]]].
      + apply (floats_digits n l ltac:(lia) _ _ End) in F as [entries [F Q]]; [|exact I]. exists d, entries; auto.
      + unfold Z.zero; lia.
      + exact I.
      + cbn [joined]. unfold Z.zero; rewrite Z.add_0_l, <- C1. exact S0. }
  destruct G as [d [entries [F [Q [D S]]]]]. exists entries. split.
  { unfold cells_of. destruct (Z.eqb_spec kind Z.zero) as [K0|K0]; [destruct all; subst kind; discriminate|].
    change (Z.ltb n1074 Z.zero) with false. cbv iota. rewrite F, least_unit_power. reflexivity. }
  intros r. set (D0 := with_one s h1 d).
  assert (SD : forall f, entrywise f (joined first d) = entrywise f D0).
  { intros f; rewrite joined_entrywise; unfold D0, with_one, first. destruct (intercept (the s)); cbn [entrywise]; lia. }
  destruct S as [S1 [S2 [S3 [S4 [S5 S6]]]]]. rewrite SD in S1, S2, S3, S4, S5, S6. rewrite <- C1 in S3.
  assert (U : 0 < 2 ^ (n - 1)) by (apply Z.pow_pos_nonneg; lia).
  assert (QD : digits_of (2 ^ (n - 1)) (with_one s least_unit entries) D0).
  { unfold D0, with_one; destruct (intercept (the s)); auto. split; [reflexivity|]. split; auto.
    assert (X := shift_digits (power n52) n1023 n ltac:(now apply Z.leb_le) N). rewrite least_unit_shift in X.
    rewrite H1; exact X. }
  assert (De : decreasing (width (the s)) entries)
    by (apply (digits_decreasing _ _ _ _ Q), (decreasing_weaken _ j); auto).
  apply (clear_step c w g before r t (heads D0) i sz (m + c1) (less (less n1075 n) n26) (n - 1 + 26) _ (less n1075 n) (n - 1) 1074 Rp C);
    fold s; auto; try lia.
  - unfold less; change n1075 with 1075; change n26 with 26; lia.
  - unfold less; change n1075 with 1075; lia.
  - rewrite Z.pow_add_r by lia. apply heads_digits; auto.
  - now rewrite heads_entrywise.
  - now rewrite heads_entrywise.
  - now rewrite heads_entrywise.
  - cbn [r over Meaning.entries]. eapply Z.le_trans; [exact (near_squares _ U _ _ QD)|].
    apply Z.mul_le_mono_nonneg_l; [unfold square; nia|].
    rewrite !Z.shiftl_mul_pow2 by (change n26 with 26; lia). change (n26 + n26) with 52. change (Z.succ n26) with 27.
    assert (X := sizes_of_parts D0). rewrite <- S2, <- S3 in X. rewrite squares_of_parts, <- S4, <- S5, <- S6, <- S3.
    change (2 ^ 27) with (2 * 2 ^ 26) in *. set (p := 2 ^ 52) in *; set (q := 2 ^ 26) in *; clearbody p q.
    rewrite Z.mul_add_distr_l in X. nia.
Qed.
Lemma clear_row_step c w g before l plus : let s := fold_left step before (start c w g) in
  clear_row s l = Some plus -> exists i, item_of l = Some i /\ step s i = count_row s plus.
Proof.
  intros s H. unfold clear_row in H. destruct (says (the s)); try discriminate.
  destruct l as [|sign [|kind [|scale [|we [|co [|name rest]]]]]]; try discriminate.
  destruct (flag sign) as [p|] eqn:S; [|discriminate].
  destruct (_ && _) eqn:T in H; [|discriminate]. injection H; clear H; intros ->.
  apply andb_prop in T as [T C]; apply andb_prop in T as [T T3]; apply andb_prop in T as [T1 T2].
  apply Z.eqb_eq in T1, T2, T3. subst. unfold clear_cells in C. destruct (rough_plane s) as [t|] eqn:Rp; [|discriminate].
  destruct (Z.eqb_spec kind Z.zero) as [->|K].
  - apply andb_prop in C as [E C]; apply Z.eqb_eq in E; subst. apply (clear_whole_step c w g before t) in C as [entries [P C]]; auto.
    eexists; split; [|exact C]. unfold item_of, cells_of. rewrite S. change (Z.eqb Z.zero Z.zero) with true. cbv iota.
    rewrite P. reflexivity.
  - apply andb_prop in C as [E C]; apply andb_prop in E as [E B]; apply Z.eqb_eq in E; subst.
    apply (clear_floats_step c w g before t plus _ kind) in C as [entries [P C]]; auto.
    + eexists; split; [|exact C]. unfold item_of. rewrite S, P. reflexivity.
    + destruct (Z.eqb_spec kind n2); [auto|]. apply orb_prop in B as [B|B]; [now apply Z.eqb_eq in B | discriminate].
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
Lemma rows_of_counts p lines : forall t, outcome_of (fold_left take lines (Counts p t)) = Accepts ->
  exists items, map item_of lines = map Some items /\ last_slip p (fold_left (tally_row p) items t) = None.
Proof.
  induction lines as [|l lines IH]; intros t H.
  - exists []; split; auto. cbn in *. destruct (last_slip p t); [discriminate | auto].
  - cbn [fold_left take] in H. destruct (item_of l) as [i|] eqn:I; [|rewrite broken in H; discriminate].
    destruct (IH _ H) as [items [M K]]. exists (i :: items); split; auto. cbn [map]; now rewrite I, M.
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
  - destruct (model_in _) as [m|] eqn:E.
    + apply rows_of_estimates in H as [items [M K]]. right; left; exists m, items; split; [auto|]; split; [auto|].
      eapply accepted_separation_means; exact K.
    + destruct (trial_in _) as [t'|] eqn:T; [|rewrite broken in H; discriminate].
      apply rows_of_counts in H as [items [M K]]. right; right; exists t', items; split; [auto|]; split; [auto|].
      eapply accepted_errors_mean; exact K.
Qed.
Print Assumptions accepted_text_means.
