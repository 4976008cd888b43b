(* Sums, Cauchy-Schwarz and Novikoff's theorem. *)
From Coq Require Import ZArith List Reals Lra Lia Psatz.
From Novikoff Require Import Meaning.
Import ListNotations.
Open Scope R_scope.

Section Sums.
  Context {A : Type}.
  Implicit Types (f g : A -> R) (l : list A).
  Lemma sum_ext f g l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
  Proof. induction l; simpl; intros; auto; rewrite H, IHl; auto. Qed.
  Lemma sum_plus f g l : sum (fun a => f a + g a) l = sum f l + sum g l.
  Proof. induction l; simpl; try rewrite IHl; lra. Qed.
  Lemma sum_scale k f l : sum (fun a => k * f a) l = k * sum f l.
  Proof. induction l; simpl; try rewrite IHl; lra. Qed.
  Lemma sum_nonneg f l : (forall a, In a l -> 0 <= f a) -> 0 <= sum f l.
  Proof.
    induction l; simpl; intros; [lra|].
    assert (0 <= f a) by auto. assert (0 <= sum f l) by auto. lra.
  Qed.
  Lemma sum_le f g l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
  Proof.
    induction l; simpl; intros; [lra|].
    assert (f a <= g a) by auto. assert (sum f l <= sum g l) by auto. lra.
  Qed.
  Lemma sum_zero l : sum (fun _ : A => 0) l = 0.
  Proof. induction l; simpl; lra. Qed.
  Lemma sum_null f l : (forall a, In a l -> 0 <= f a) -> sum f l = 0 -> forall a, In a l -> f a = 0.
  Proof.
    induction l as [|b l IH]; simpl; intros H S a; [tauto|].
    assert (0 <= f b) by auto. assert (0 <= sum f l) by (apply sum_nonneg; auto).
    intros [<-|I]; [lra|]. apply IH; auto; lra.
  Qed.
End Sums.
Lemma sum_swap {A B} (f : A -> B -> R) l m :
  sum (fun a => sum (f a) m) l = sum (fun b => sum (fun a => f a b) l) m.
Proof.
  induction l; simpl; [now rewrite sum_zero|]. rewrite IHl, <- sum_plus. reflexivity.
Qed.

Section Space.
  Variable d : Z.
  Notation "u · v" := (dot d u v) (at level 40).
  Lemma dot_sym u v : u · v = v · u.
  Proof. apply sum_ext; intros; ring. Qed.
  Lemma dot_add u v w : add u v · w = u · w + v · w.
  Proof. unfold dot, add; rewrite <- sum_plus; apply sum_ext; intros; ring. Qed.
  Lemma dot_scale k u v : dot d (fun j => k * u j) v = k * (u · v).
  Proof. unfold dot; rewrite <- sum_scale; apply sum_ext; intros; ring. Qed.
  Lemma dot_zero u : zero · u = 0.
  Proof. transitivity (sum (fun _ => 0) (columns d)); [apply sum_ext; intros; unfold zero; ring | apply sum_zero]. Qed.
  Lemma dot_self u : 0 <= u · u.
  Proof. apply sum_nonneg; intros; nra. Qed.

  Lemma cauchy_schwarz u v : (u · v) * (u · v) <= (u · u) * (v · v).
  Proof.
    set (a := u · u); set (b := u · v); set (c := v · v).
    assert (Q : forall s t, 0 <= s * s * a + 2 * (s * t) * b + t * t * c).
    { intros s t.
      assert (E : s * s * a + 2 * (s * t) * b + t * t * c
                  = dot d (add (fun j => s * u j) (fun j => t * v j)) (add (fun j => s * u j) (fun j => t * v j))).
      { rewrite dot_add, !dot_scale, !(dot_sym _ (add _ _)), !dot_add, !dot_scale, (dot_sym v u).
        unfold a, b, c; ring. }
      rewrite E; apply dot_self. }
    assert (0 <= a) by apply dot_self. assert (0 <= c) by apply dot_self.
    destruct (Req_dec c 0) as [C|C].
    - destruct (Req_dec b 0) as [B|B]; [rewrite B, C; lra|].
      specialize (Q 1 (- (a + 1) / b)). rewrite C in Q.
      assert (- (a + 1) / b * b = - (a + 1)) by (field; auto). nra.
    - specialize (Q c (- b)). assert (0 < c) by lra.
      assert (0 <= c * (a * c - b * b)) by nra. nra.
  Qed.

  Lemma norm_square u : norm d u * norm d u = u · u.
  Proof. apply sqrt_sqrt, dot_self. Qed.
  Lemma norm_nonneg u : 0 <= norm d u.
  Proof. apply sqrt_pos. Qed.
  Lemma square_le x y : 0 <= y -> x * x <= y * y -> x <= y.
  Proof. intros; nra. Qed.
  Lemma dot_norm u v : u · v <= norm d u * norm d v.
  Proof.
    apply square_le; [apply Rmult_le_pos; apply norm_nonneg|].
    replace (norm d u * norm d v * (norm d u * norm d v))
      with ((norm d u * norm d u) * (norm d v * norm d v)) by ring.
    rewrite !norm_square; apply cauchy_schwarz.
  Qed.
  Lemma norm_scale k u : 0 <= k -> norm d (fun j => k * u j) = k * norm d u.
  Proof.
    intros K; unfold norm at 1; rewrite dot_scale, dot_sym, dot_scale, <- Rmult_assoc, sqrt_mult_alt by nra.
    rewrite sqrt_square; auto.
  Qed.
End Space.

(* After t updates, t·lo <= w·u for a unit vector u of margin lo, and w·w <= t·radius². *)
Theorem novikoff c rows lo radius : 0 < lo -> 0 <= radius -> reached c rows lo ->
  every rows (fun r => norm (last c) (z_of c r) <= radius) ->
  forall t w, run c rows t w -> INR t * (lo * lo) <= radius * radius.
Proof.
  intros L P [u [U M]] N.
  assert (I : forall t w, run c rows t w ->
    INR t * lo <= dot (last c) w u /\ dot (last c) w w <= INR t * (radius * radius)).
  { intros t w H; induction H as [|t w r H [I1 I2] R U'].
    - rewrite !dot_zero; simpl; lra.
    - specialize (M r R); specialize (N r R). cbv beta in M, N. unfold margin in *.
      rewrite S_INR, !dot_add, !(dot_sym _ _ (add _ _)), !dot_add, (dot_sym _ w (z_of c r)).
      split; [lra|].
      assert (dot (last c) (z_of c r) (z_of c r) <= radius * radius).
      { rewrite <- norm_square. apply Rmult_le_compat; auto using norm_nonneg. }
      lra. }
  intros t w H; destruct (I t w H) as [I1 I2]; clear I.
  assert (C := cauchy_schwarz (last c) w u).
  rewrite <- (norm_square _ u), U in C.
  assert (T := pos_INR t).
  destruct (Req_dec (INR t) 0) as [E|E]; [rewrite E; nra|].
  assert (0 <= INR t * lo) by nra.
  assert (INR t * lo * (INR t * lo) <= INR t * (radius * radius)) by nra.
  apply Rmult_le_reg_l with (INR t); [lra|]. nra.
Qed.
