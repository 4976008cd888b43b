(* What the checker of regressions accepts is so. *)
From Coq Require Import ZArith List Bool Reals Lra Lia.
From Novikoff Require Import Meaning Checker Novikoff Soundness Separation.
Import ListNotations.
Open Scope R_scope.

(* A matrix that is dominated by its diagonal, each column in units u, is zero on no other vector than 0. *)
Lemma largest {A} (f : A -> R) l : l = [] \/ exists a, In a l /\ forall b, In b l -> f b <= f a.
Proof.
  induction l as [|x l [->|[a [I M]]]]; auto; right.
  - exists x; split; [now left|]; intros b [->|[]]; lra.
  - destruct (Rle_dec (f x) (f a)) as [L|L].
    + exists a; split; [now right|]; intros b [<-|B]; auto.
    + exists x; split; [now left|]; intros b [<-|B]; [lra|]; specialize (M b B); lra.
Qed.
Lemma dominated_zero d (u g : vector) :
  (forall k, In k (columns d) -> 0 <= u k /\ (u k = 0 -> g k = 0)) ->
  (forall j, In j (columns d) -> 0 < u j -> exists t : vector,
     dot d t g = 0 /\ sum (fun k => Rabs (t k) * u k) (columns d) < 2 * (Rabs (t j) * u j)) ->
  forall k, In k (columns d) -> g k = 0.
Proof.
  intros U H. set (f := fun k => Rabs (g k) / u k).
  assert (F : forall k, In k (columns d) -> Rabs (g k) = f k * u k).
  { intros k K; destruct (U k K) as [_ Z]; unfold f; destruct (Req_dec (u k) 0) as [E|E].
    - rewrite (Z E), E, Rabs_R0; ring.
    - field; auto. }
  destruct (largest f (columns d)) as [E|[j [J M]]]; [rewrite E; intros k []|].
  assert (P : f j <= 0).
  { destruct (U j J) as [P Z]. destruct (Req_dec (u j) 0) as [E|E]; [unfold f; rewrite (Z E), Rabs_R0; lra|].
    destruct (H j J ltac:(lra)) as [t [T D]].
    assert (B : 2 * (Rabs (t j) * Rabs (g j)) <= sum (fun k => Rabs (t k) * Rabs (g k)) (columns d)).
    { rewrite <- (sum_delta j (2 * (Rabs (t j) * Rabs (g j))) (columns d)); auto using columns_once.
      assert (S : exists s, (s = 1 \/ s = -1) /\ s * (t j * g j) = Rabs (t j) * Rabs (g j)).
      { rewrite <- Rabs_mult; destruct (Rle_dec 0 (t j * g j)).
        - exists 1; rewrite Rabs_right by lra; split; auto; ring.
        - exists (-1); rewrite Rabs_left by lra; split; auto; ring. }
      destruct S as [s [S1 S2]].
      apply Rle_trans with (sum (fun k => Rabs (t k) * Rabs (g k) + s * (t k * g k)) (columns d)).
      - apply sum_le; intros k _; destruct (Z.eqb_spec j k) as [<-|]; [rewrite S2; lra|].
        rewrite <- Rabs_mult. assert (A := Rle_abs (t k * g k)); assert (A' := Rle_abs (- (t k * g k))).
        rewrite Rabs_Ropp in A'.
        destruct S1 as [->| ->]; lra.
      - rewrite sum_plus, sum_scale. fold (dot d t g). rewrite T; lra. }
    rewrite (F j J) in B.
    assert (C : sum (fun k => Rabs (t k) * Rabs (g k)) (columns d) <= f j * sum (fun k => Rabs (t k) * u k) (columns d)).
    { rewrite <- sum_scale; apply sum_le; intros k K; rewrite (F k K); specialize (M k K).
      destruct (U k K) as [Uk _]; assert (A := Rabs_pos (t k)).
      apply Rle_trans with (Rabs (t k) * (f j * u k)); [|lra].
      apply Rmult_le_compat_l; auto. apply Rmult_le_compat_r; auto. }
    destruct (Rle_dec (f j) 0) as [|N]; auto. exfalso. nra. }
  intros k K; specialize (M k K); destruct (U k K) as [Uk _]; specialize (F k K).
  assert (A := Rabs_pos (g k)). destruct (Req_dec (g k) 0) as [|N]; auto. apply Rabs_pos_lt in N. nra.
Qed.

(* Sparse vectors. *)
Lemma pick_value j s : pick j s = value_at j s.
Proof. induction s as [|k v s IH]; simpl; auto; now rewrite IH. Qed.
Lemma all_values_at test s j : all_values test s = true -> value_at j s = 0%Z \/ test (value_at j s) = true.
Proof.
  induction s as [|k v s IH]; simpl; auto. destruct (test v) eqn:T; [|discriminate].
  intros H; destruct (Z.eqb k j); auto.
Qed.
Lemma absolute_at j s : value_at j (absolute s) = Z.abs (value_at j s).
Proof. induction s as [|k v s IH]; simpl; auto; destruct (Z.eqb k j); auto using size_abs. Qed.
Lemma absolute_decreasing s : forall d, decreasing d s -> decreasing d (absolute s).
Proof. induction s as [|k v s IH]; simpl; auto; intros d [K D]; split; auto. Qed.
Lemma product_dot d s a : (0 <= d)%Z -> decreasing d s -> decreasing d a ->
  IZR (product (chain_of s) a Z.zero) = dot d (vector_of a) (vector_of s).
Proof.
  intros P S A; destruct (chain_of_spec d s P S) as [[b F] E].
  rewrite (product_spec _ _ b d) by auto; unfold Z.zero; rewrite Z.add_0_l.
  unfold vector_of at 2; rewrite dot_entrywise by auto.
  f_equal; apply (entrywise_ext _ _ _ d); auto; intros; now rewrite E.
Qed.
Lemma zero_iff x : is_zero x = true <-> IZR x = 0.
Proof. unfold is_zero; rewrite Z.eqb_eq; split; [intros ->; reflexivity | apply eq_IZR]. Qed.
Lemma ordered_at d b : let t := in_order d (sum_of b) in descends (Z.succ d) t = true ->
  decreasing d t /\ forall j, vector_of t j = vector_in b j.
Proof.
  intros t H; apply descends_to in H; split; auto; intros j; unfold vector_of, vector_in.
  rewrite (value_total _ _ _ H); unfold t; now rewrite in_order_total, sum_of_total.
Qed.
Definition one (j : Z) : vector := fun k => if Z.eqb j k then 1 else 0.
Lemma dot_one d j u : In j (columns d) -> dot d (one j) u = u j.
Proof.
  intros J; rewrite <- (sum_delta j (u j) (columns d)) by auto using columns_once.
  apply sum_ext; intros k _; unfold one; destruct (Z.eqb_spec j k) as [<-|]; ring.
Qed.
Lemma dot_minus d t k s u : dot d (fun j => t j - k * s j) u = dot d t u - k * dot d s u.
Proof.
  transitivity (dot d (add t (fun j => - k * s j)) u); [apply sum_ext; intros; unfold add; ring|].
  rewrite dot_add, dot_scale; ring.
Qed.

(* Spaces. *)
Section Space.
  Variables (d : Z) (s : space).
  Hypotheses (P : (0 <= d)%Z) (A : forallb (alone s) (basis s) = true).
  (* What vanishes on the vectors of a space is on b what it is on some g that has none of their columns. *)
  Lemma reduced l : incl l (basis s) -> forall b : vector, exists g : vector,
    (forall h, In h (basis s) -> b (fst h) = 0 \/ In h l -> g (fst h) = 0) /\
    forall t, (forall v, In v (vectors s) -> dot d t (vector_of v) = 0) -> dot d t g = dot d t b.
  Proof.
    induction l as [|[k v] l IH]; intros I b; [exists b; split; auto; intros h _ [H|[]]; auto|].
    assert (Iv : In (k, v) (basis s)) by (apply I; now left).
    rewrite forallb_forall in A.
    assert (Av : forall h, In h (basis s) ->
      (fst h = k -> vector_of v (fst h) <> 0) /\ (fst h <> k -> vector_of v (fst h) = 0)).
    { intros h H; specialize (A h H); unfold alone in A; rewrite forallb_forall in A; specialize (A (k, v) Iv).
      cbn [fst snd] in A.
      rewrite pick_value in A; unfold vector_of; destruct (Z.eqb_spec (fst h) k); split; intros; try congruence.
      - intros E; apply zero_iff in E; rewrite E in A; discriminate.
      - now apply zero_iff. }
    assert (N : vector_of v k <> 0) by (now apply (Av (k, v) Iv)).
    destruct (IH ltac:(intros h H; apply I; now right) (fun j => b j - b k / vector_of v k * vector_of v j)) as [g [G1 G2]].
    exists g; split.
    - intros h H O; apply G1; auto. destruct O as [O|[<-|O]]; auto; left; [|cbn [fst]; field; auto].
      destruct (Z.eq_dec (fst h) k) as [E|E]; [rewrite E; field; auto|].
      destruct (Av h H) as [_ ->]; auto; lra.
    - intros t T; rewrite G2, !(dot_sym _ t) by auto; rewrite dot_minus, (dot_sym _ _ t), (dot_sym _ (vector_of v)), T; [ring|].
      apply (in_map snd) in Iv; exact Iv.
  Qed.
  Lemma left_out_not es : forall j, left_out s j es = false ->
    forall k, (j <= k < j + Z.of_nat (length es))%Z -> (0 < value_at k (units s))%Z \/ exists v, In (k, v) (basis s).
  Proof.
    induction es as [|e es IH]; intros j H k K; cbn [length left_out] in *; [lia|].
    destruct (_ || _) eqn:O; [|discriminate]. destruct (Z.eq_dec j k) as [<-|].
    - apply orb_prop in O as [O|O]; [left; rewrite pick_value in O; now apply Z.ltb_lt|].
      apply existsb_exists in O as [[i v] [I E]]; apply Z.eqb_eq in E; simpl in E; subst; eauto.
    - apply (IH (Z.succ j)); auto; lia.
  Qed.
End Space.
Lemma counted_length es : forall n, counted n es = (n + Z.of_nat (length es))%Z.
Proof. induction es as [|e es IH]; intros n; cbn [counted length]; [|rewrite IH]; lia. Qed.
Lemma spanned p s sums b : let d := wide (stated p) in
  past p = Z.succ d -> d = Z.of_nat (length (estimates (stated p))) -> good_space (stated p) (Z.succ d) s = true ->
  forallb (dominated p (units s)) sums = true -> (forall j, value_at j (units s) <> 0%Z -> exists x, In (j, x) sums) ->
  (forall j x, In (j, x) sums -> dot d (vector_in x) b = 0
     /\ forall v, In v (vectors s) -> dot d (vector_in x) (vector_of v) = 0) ->
  forall t, (forall v, In v (vectors s) -> dot d t (vector_of v) = 0) -> dot d t b = 0.
Proof.
  intros d E W G D Has Zero t T; unfold good_space in G; conj.
  match goal with H : negb (left_out _ _ _) = true |- _ => apply negb_true_iff in H; rename H into L end.
  match goal with H : all_values _ _ = true |- _ => rename H into V end.
  match goal with H : descends _ (units s) = true |- _ => apply descends_to in H; rename H into U end.
  assert (V' : forall k, (0 <= value_at k (units s))%Z).
  { intros k; destruct (all_values_at _ _ k V) as [->|Q]; [lia|]; apply Z.ltb_lt in Q; unfold Z.zero in Q; lia. }
  destruct (reduced d s ltac:(assumption) (basis s) (incl_refl _) b) as [g [G1 G2]].
  rewrite <- (G2 t T), <- (dot_zero d t), (dot_sym d t).
  enough (N : forall k, In k (columns d) -> g k = 0) by (apply sum_ext; intros k K; now rewrite (N k K)).
  apply (dominated_zero d (vector_of (units s))).
  - intros k K; split; [apply IZR_le, V'|]. intros Q; apply eq_IZR in Q; apply in_columns in K.
    destruct (left_out_not s _ _ L k) as [?|[v I]]; [rewrite <- W; unfold Z.one; lia | lia |].
    apply (G1 (k, v)); auto.
  - intros j J Uj; apply lt_IZR in Uj. destruct (Has j ltac:(lia)) as [x X]; exists (vector_in x).
    destruct (Zero j x X) as [Z1 Z2]; rewrite (G2 _ Z2); split; auto.
    rewrite forallb_forall in D; specialize (D _ X); unfold dominated in D; cbn [fst snd] in D; rewrite E in D; fold d in D.
    apply andb_prop in D as [O D]; destruct (ordered_at _ _ O) as [O1 O2].
    apply Z.ltb_lt, IZR_lt in D; rewrite plus_IZR, mult_IZR, (pick_value j (units s)), pick_value, size_abs, abs_IZR in D.
    rewrite (product_dot d) in D by (try apply absolute_decreasing; auto; lia).
    fold (vector_of (in_order d (sum_of x)) j) in D; rewrite O2 in D; fold (vector_of (units s) j) in D.
    unfold dot in D; erewrite sum_ext in D; [|intros k _; unfold vector_of at 1; rewrite absolute_at, abs_IZR;
      fold (vector_of (in_order d (sum_of x)) k); rewrite O2; reflexivity]. lra.
Qed.

(* Sums of rows, by column. *)
Section Summed.
  Variables (d : Z) (w : versus -> sparse).
  Notation row_of i := (coordinates i).
  Lemma added x a b u : decreasing d a ->
    dot d (vector_in (add_to x a b)) u = dot d (vector_in b) u + IZR x * dot d (vector_of a) u.
  Proof.
    intros D; rewrite <- dot_scale, <- dot_add; apply sum_ext; intros j _; f_equal; unfold add_to, vector_in, add, vector_of.
    destruct (is_zero x) eqn:E; [apply zero_iff in E; rewrite E; ring|].
    rewrite deposit_held, scale_total, (value_total _ _ _ D), !plus_IZR, mult_IZR; cbn; ring.
  Qed.
  Definition summed : list posed_item -> sums_by -> sums_by := fold_left (fun t i => add_each (w (proper i)) (row_of i) t).
  Lemma summed_keys items : forall t, map fst (summed items t) = map fst t.
  Proof.
    unfold summed; induction items as [|i items IH]; intros t; simpl; auto; rewrite IH.
    unfold add_each; destruct (w (proper i)); auto; rewrite map_map; reflexivity.
  Qed.
  Lemma summed_dot items : (forall i, In i items -> decreasing d (row_of i)) -> forall t j x, In (j, x) (summed items t) ->
    exists y, In (j, y) t /\ forall u, dot d (vector_in x) u
      = dot d (vector_in y) u + sum (fun i => IZR (value_at j (w (proper i))) * dot d (vector_of (row_of i)) u) items.
  Proof.
    unfold summed; induction items as [|i items IH]; intros D t j x X; [exists x; split; auto; intros; simpl; ring|].
    simpl in X; destruct (IH ltac:(intros; apply D; now right) _ j x X) as [y [Y1 Y2]]; unfold add_each in Y1.
    assert (E : exists y', In (j, y') t /\ y = add_to (value_at j (w (proper i))) (row_of i) y').
    { destruct (w (proper i)) as [|k v rest] eqn:E; [exists y; split; auto|].
      apply in_map_iff in Y1 as [[k' y'] [Q I]]; cbn [fst snd] in Q; inversion Q; subst; rewrite pick_value; eauto. }
    destruct E as [y' [I ->]]; exists y'; split; auto; intros u; rewrite Y2, added by (apply D; now left); simpl; ring.
  Qed.
  Lemma from_nothing items s j x : (forall i, In i items -> decreasing d (row_of i)) -> In (j, x) (summed items (no_sums s)) ->
    forall u, dot d (vector_in x) u = sum (fun i => IZR (value_at j (w (proper i))) * dot d (vector_of (row_of i)) u) items.
  Proof.
    intros D X u; destruct (summed_dot items D _ _ _ X) as [y [Y ->]].
    assert (y = []) as ->.
    { clear X; induction s as [|k v s IH]; simpl in Y; [tauto|]; destruct Y as [Y|Y]; auto; congruence. }
    change (vector_in []) with zero; rewrite dot_zero; ring.
  Qed.
  Lemma has_sum items s j : value_at j s <> 0%Z -> exists x, In (j, x) (summed items (no_sums s)).
  Proof.
    intros N; assert (K : In j (map fst (summed items (no_sums s)))).
    { rewrite summed_keys; induction s as [|k v s IH]; simpl in *; [tauto|]. destruct (Z.eqb_spec k j); auto. }
    apply in_map_iff in K as [[k x] [<- I]]; eauto.
  Qed.
End Summed.

(* What is left after the rows. *)
Lemma after p items : forall s, let t := fold_left (next_row p) items s in
  cover_sum t = fold_left (fun b i => add_to (tying (proper i)) (coordinates i) b) items (cover_sum s)
  /\ constant_sums t = summed for_constant items (constant_sums s) /\ hull_sums t = summed for_hull items (hull_sums s)
  /\ sign_sums t = summed for_sign items (sign_sums s)
  /\ (moved t = true <-> moved s = true \/ exists i, In i items /\ beats (proper i) = true)
  /\ (still t = true <-> still s = true \/ exists i, In i items /\ beats (proper i) = false)
  /\ (doubted t = None -> doubted s = None /\ forall i, In i items -> row_doubt p i = None).
Proof.
  induction items as [|i items IH]; intros s; cbv zeta.
  - simpl; repeat split; auto; try (intros [?|[i [[] _]]]; auto); tauto.
  - cbn [fold_left]; destruct (IH (next_row p s i)) as (A & B & C & D & E & F & G); cbv zeta in *.
    rewrite A, B, C, D, E, F; repeat (split; [reflexivity|]); clear A B C D E F.
    cbn [next_row moved still doubted] in *; rewrite !orb_true_iff, negb_true_iff; split; [|split].
    + split; [intros [[?|?]|[k [K S]]] | intros [?|[k [[<-|K] S]]]]; auto; right; eauto using in_eq, in_cons.
    + split; [intros [[?|?]|[k [K S]]] | intros [?|[k [[<-|K] S]]]]; auto; right; eauto using in_eq, in_cons.
    + intros N; destruct (G N) as [O R]; destruct (doubted s); [discriminate|]; split; auto.
      intros k [<-|K]; auto.
Qed.
Lemma cover_dot d items u : (forall i, In i items -> decreasing d (coordinates i)) -> forall b,
  dot d (vector_in (fold_left (fun b i => add_to (tying (proper i)) (coordinates i) b) items b)) u
  = dot d (vector_in b) u + sum (fun i => IZR (tying (proper i)) * dot d (vector_of (coordinates i)) u) items.
Proof.
  induction items as [|i items IH]; intros D b; [simpl; ring|].
  cbn [fold_left]; rewrite IH, (added d) by (intros; apply D; simpl; auto); simpl; ring.
Qed.
Lemma proved_all e (Q : Z -> fate -> Prop) es : forall j, (0 <= j)%Z -> proves_all e j es = true ->
  (forall k f, (j <= k < j + Z.of_nat (length es))%Z -> proves e k f = true -> Q k f) ->
  Forall2 Q (map Z.of_nat (seq (Z.to_nat j) (length es))) es.
Proof.
  induction es as [|f es IH]; intros j J H K; [constructor|].
  cbn [proves_all length seq map] in *; destruct (proves e j f) eqn:P; [|discriminate]; rewrite Z2Nat.id by auto.
  constructor; [apply K; auto; lia|]. rewrite <- Z2Nat.inj_succ by auto. apply IH; auto; [lia|]. intros; apply K; auto; lia.
Qed.

Definition view (i : posed_item) : posed :=
  {| free := is_free i; separated := beats (proper i); z := vector_of (coordinates i) |}.
(* A row that was not objected to. *)
Section Row.
  Variables (c : regression) (e : evidence) (i : posed_item).
  Notation r := (view i).
  Notation along v := (score c r (vector_of v)).
  Hypotheses (P : (0 <= wide c)%Z) (A : decreasing (wide c) (coordinates i)) (D1 : decreasing (wide c) (first e))
    (D2 : forall v, In v (further e ++ vectors (constant e) ++ vectors (hull e)) -> decreasing (wide c) v).
  Lemma row_sound : row_doubt (prepare c e) i = None ->
    (if beats (proper i) then is_free i = false /\ 0 < along (first e) else along (first e) = 0)
    /\ (forall v, In v (further e) -> if is_free i then along v = 0 else 0 <= along v)
    /\ (forall v, In v (vectors (constant e)) -> along v = 0)
    /\ (for_hull (proper i) = End \/ beats (proper i) = false /\ forall v, In v (vectors (hull e)) -> along v = 0)
    /\ (is_free i = true \/ if beats (proper i) then tying (proper i) = 0%Z else 0 < IZR (tying (proper i)))
    /\ (is_free i = true \/ forall j, 0 <= IZR (value_at j (for_sign (proper i)))).
  Proof.
    unfold row_doubt; cbv zeta; cbn [prepare past first_chain further_chains constant_chains hull_chains]; intros H; demands H.
    rename D into F, D0 into Ot, D3 into K, D4 into U, D5 into T, D6 into S; clear H.
    assert (E : forall v, decreasing (wide c) v -> IZR (product (chain_of v) (coordinates i) Z.zero) = along v)
      by (intros v V; now apply product_dot).
    assert (Zs : forall vs, incl vs (further e ++ vectors (constant e) ++ vectors (hull e)) ->
      zero_on (coordinates i) (map chain_of vs) = true -> forall v, In v vs -> along v = 0).
    { intros vs I Z v V; unfold zero_on in Z; rewrite forallb_forall in Z; specialize (Z _ (in_map chain_of _ _ V)).
      apply zero_iff in Z; rewrite E in Z; auto. }
    split; [|split; [|split; [|split; [|split]]]].
    - rewrite <- (E _ D1); destruct (beats (proper i)); [|now apply zero_iff].
      apply andb_prop in F as [F1 F2]; apply negb_true_iff in F1; split; auto; now apply ltz.
    - intros v V; rewrite forallb_forall in Ot; specialize (Ot _ (in_map chain_of _ _ V)); cbv beta zeta in Ot.
      rewrite <- E by auto using in_or_app; destruct (is_free i); [now apply zero_iff | now apply lez].
    - apply (Zs (vectors (constant e))); auto using incl_appl, incl_appr, incl_refl.
    - destruct (for_hull (proper i)); auto; right; apply andb_prop in U as [U1 U2]; apply negb_true_iff in U1; split; auto.
      apply (Zs (vectors (hull e))); auto using incl_appl, incl_appr, incl_refl.
    - apply orb_prop in T as [T|T]; auto; right; destruct (beats (proper i)); [now apply Z.eqb_eq | now apply ltz].
    - apply orb_prop in S as [S|S]; auto; right; intros j; destruct (all_values_at _ _ j S) as [->|?]; [lra | now apply lez].
  Qed.
End Row.

Lemma space_vectors c past s : good_space c past s = true -> forall v, In v (vectors s) -> descends past v = true.
Proof. unfold good_space; intros G; conj; now apply forallb_forall. Qed.
(* Rows that were not objected to, in the end. *)
Section Rows.
  Variables (c : regression) (e : evidence) (items : list posed_item).
  Notation d := (wide c).
  Notation p := (prepare c e).
  Notation rows := (map view items).
  Notation sums_of w s := (summed w items (no_sums s)).
  Hypotheses (W : d = Z.of_nat (length (estimates c))) (Dr : forall i, In i items -> decreasing d (coordinates i))
    (D1 : descends (Z.succ d) (first e) = true) (D2 : forallb (descends (Z.succ d)) (further e) = true)
    (Gk : good_space c (Z.succ d) (constant e) = true) (Gh : good_space c (Z.succ d) (hull e) = true)
    (Nd : forall i, In i items -> row_doubt p i = None).
  Lemma vectors_decreasing v : In v (further e ++ vectors (constant e) ++ vectors (hull e)) -> decreasing d v.
  Proof.
    intros I; apply descends_to; rewrite !in_app_iff in I; destruct I as [I|[I|I]];
      [now apply (proj1 (forallb_forall _ _) D2) | now apply (space_vectors _ _ _ Gk) | now apply (space_vectors _ _ _ Gh)].
  Qed.
  Definition sound i (I : In i items) :=
    row_sound c e i ltac:(lia) (Dr i I) (descends_to _ _ D1) vectors_decreasing (Nd i I).
  Lemma each (Q : posed -> Prop) : (forall i, In i items -> Q (view i)) -> forall r, In r rows -> Q r.
  Proof. intros A r I; apply in_map_iff in I as [i [<- I]]; auto. Qed.
  Lemma viewed i : In i items -> In (view i) rows.
  Proof. apply in_map. Qed.

  (* The planes and the constants are what they are said to be. *)
  Lemma first_never_falls : never_falls c rows (vector_of (first e)).
  Proof.
    red; apply each; intros i I; destruct (sound i I) as (A & _); cbn [view free].
    destruct (beats (proper i)); [destruct A as [-> A]; lra|]. destruct (is_free i); lra.
  Qed.
  Lemma further_never_falls v : In v (further e) -> never_falls c rows (vector_of v).
  Proof. intros V; red; apply each; intros i I; now apply (sound i I). Qed.
  Lemma constant_is_constant v : In v (vectors (constant e)) -> constant_along c rows (vector_of v).
  Proof. intros V; red; apply each; intros i I; now apply (sound i I). Qed.
  Lemma shown_can test (Q : R -> Prop) j : (forall x, test x = true -> Q (IZR x)) -> shown e test j = true -> can c rows Q j.
  Proof.
    intros A B; apply existsb_exists in B as [v [I B]]; rewrite pick_value in B; exists (vector_of v).
    split; [destruct I as [<-|I]; auto using first_never_falls, further_never_falls | now apply A].
  Qed.

  (* Tied rows are tied. *)
  Hypothesis Co : vanishes (fold_left (fun b i => add_to (tying (proper i)) (coordinates i) b) items []) = true.
  Lemma tied b i : never_falls c rows b -> In i items -> beats (proper i) = false -> score c (view i) b = 0.
  Proof.
    intros B. assert (Z := vanishes_dot d _ b Co); rewrite cover_dot in Z by auto.
    change (vector_in []) with zero in Z; rewrite dot_zero, Rplus_0_l in Z.
    assert (Q : forall i, In i items -> 0 <= IZR (tying (proper i)) * score c (view i) b).
    { clear i; intros i I; destruct (sound i I) as (_ & _ & _ & _ & A & _); specialize (B _ (viewed i I)); cbn [view free] in B.
      destruct A as [A|A]; [rewrite A in B; rewrite B; lra|].
      destruct (beats (proper i)); [rewrite A; lra|].
      destruct (is_free i); [rewrite B; lra | now apply Rmult_le_pos; lra]. }
    intros I S; assert (Zi := sum_null _ _ Q Z i I); specialize (B _ (viewed i I)); cbn [view free] in B.
    destruct (sound i I) as (_ & _ & _ & _ & A & _). rewrite S in A.
    destruct (is_free i); auto; destruct A as [A|A]; [discriminate|].
    apply Rmult_integral in Zi as [Zi|Zi]; auto; lra.
  Qed.

  (* The spaces are all. *)
  Hypotheses (Kd : forallb (dominated p (units (constant e))) (sums_of for_constant (units (constant e))) = true)
    (Hd : forallb (dominated p (units (hull e))) (sums_of for_hull (units (hull e))) = true).
  Lemma weightless (w : versus -> sparse) s j x u : In (j, x) (sums_of w s) ->
    (forall i, In i items -> w (proper i) = End \/ score c (view i) u = 0) -> dot d (vector_in x) u = 0.
  Proof.
    intros X Z; rewrite (from_nothing d w items _ _ _ Dr X), (sum_ext _ (fun _ => 0)); [apply sum_zero|].
    intros i I; destruct (Z i I) as [Q|Q]; [rewrite Q; cbn; ring|].
    unfold score in Q; cbn [view z] in Q; rewrite Q; ring.
  Qed.
  Lemma constants_are_all b t : constant_along c rows b ->
    (forall v, In v (vectors (constant e)) -> dot d t (vector_of v) = 0) -> dot d t b = 0.
  Proof.
    intros B; apply (spanned p _ _ b eq_refl W Gk Kd (has_sum for_constant items _)).
    intros j x X; split; [|intros v V]; apply (weightless _ _ _ _ _ X); intros i I; right; [|apply (constant_is_constant v V)];
      auto using viewed.
  Qed.
  Lemma hull_is_all b t : never_falls c rows b ->
    (forall v, In v (vectors (hull e)) -> dot d t (vector_of v) = 0) -> dot d t b = 0.
  Proof.
    intros B; apply (spanned p _ _ b eq_refl W Gh Hd (has_sum for_hull items _)).
    intros j x X; split; [|intros v V]; apply (weightless _ _ _ _ _ X); intros i I;
      destruct (sound i I) as (_ & _ & _ & [A|[A1 A2]] & _); auto using tied.
  Qed.
  Lemma none_at q j v : none_of q j = true -> In j (columns d) -> In v (vectors q) -> dot d (one j) (vector_of v) = 0.
  Proof.
    intros A J I; rewrite dot_one by auto. unfold none_of in A; rewrite forallb_forall in A; specialize (A v I).
    rewrite pick_value in A; now apply zero_iff.
  Qed.

  (* The sign of a coefficient. *)
  Hypothesis Sd : forallb (tells_sign p) (sums_of for_sign (times e)) = true.
  Lemma sign_forced j b : In j (columns d) -> value_at j (times e) <> 0%Z -> never_falls c rows b ->
    0 <= IZR (value_at j (times e)) * b j.
  Proof.
    intros J N B; destruct (has_sum for_sign items _ _ N) as [x X].
    assert (G := proj1 (forallb_forall _ _) Sd _ X); unfold tells_sign in G; cbn [prepare stated proof past fst snd] in G.
    apply andb_prop in G as [O G]; destruct (ordered_at _ _ O) as [O1 O2]; rewrite forallb_forall in G.
    assert (E : dot d (fun k => vector_in x k - IZR (value_at j (times e)) * one j k) b = 0).
    { apply hull_is_all; auto; intros v Iv; specialize (G v Iv); apply Z.eqb_eq, (f_equal IZR) in G.
      assert (Dv : decreasing d v) by (apply vectors_decreasing; rewrite !in_app_iff; auto).
      rewrite mult_IZR, (product_dot d), (dot_ext d _ (vector_in x) _ (vector_of v) O2) in G by (auto; lia).
      rewrite dot_minus, dot_one, G, (pick_value j v), (pick_value j (times e)) by auto; unfold vector_of; ring. }
    rewrite dot_minus, dot_one, (from_nothing d for_sign items _ _ _ Dr X) in E by auto.
    enough (Q : 0 <= sum (fun i => IZR (value_at j (for_sign (proper i))) * score c (view i) b) items)
      by (unfold score in Q; cbn [view z] in Q; lra).
    apply sum_nonneg; intros i I; destruct (sound i I) as (_ & _ & _ & _ & _ & A); specialize (B _ (viewed i I)).
    cbn [view free] in B; destruct (is_free i); [rewrite B; lra|]. destruct A as [A|A]; [discriminate | now apply Rmult_le_pos].
  Qed.
  Lemma below_zero x : is_negative x = true -> 0 > IZR x.
  Proof. intros Q; apply Z.ltb_lt, IZR_lt in Q; exact Q. Qed.
  Lemma proves_sound j f : In j (columns d) -> proves e j f = true -> fate_holds c rows j f.
  Proof.
    intros J Pf; destruct f; cbn [proves] in Pf; conj; rewrite ?pick_value in *; cbn [fate_holds].
    - intros b B; rewrite <- (dot_one d) by auto. apply hull_is_all; auto; intros; now apply (none_at (hull e)).
    - split; [apply (shown_can is_positive); auto using ltz|]. intros b B.
      match goal with Q : is_positive _ = true |- _ => apply ltz in Q; rename Q into Q1 end.
      assert (0 <= IZR (value_at j (times e)) * b j) by (apply sign_forced; auto; intros E; rewrite E in Q1; lra). nra.
    - split; [apply (shown_can is_negative); auto using below_zero|]. intros b B.
      match goal with Q : is_negative _ = true |- _ => apply below_zero in Q; rename Q into Q1 end.
      assert (0 <= IZR (value_at j (times e)) * b j) by (apply sign_forced; auto; intros E; rewrite E in Q1; lra). nra.
    - split; [apply (shown_can is_positive); auto using ltz|]. split; [apply (shown_can is_negative); auto using below_zero|].
      intros b B; rewrite <- (dot_one d) by auto. apply constants_are_all; auto; intros; now apply (none_at (constant e)).
    - apply existsb_exists in Pf as [v [I X]]; exists (vector_of v); split; [now apply constant_is_constant|].
      intros Q; apply negb_true_iff in X; rewrite pick_value in X; apply zero_iff in Q; congruence.
  Qed.
End Rows.
Lemma rows_sound c e items : let p := prepare c e in (forall i, In i items -> decreasing (wide c) (coordinates i)) ->
  conclude p (fold_left (next_row p) items (start_rows p)) = None -> claims_hold c (map view items).
Proof.
  intros p Dr H.
  destruct (after p items (start_rows p)) as (Cs & Ks & Hs & Ss & Mv & St & Ob); cbv zeta in *.
  set (s := fold_left (next_row p) items (start_rows p)) in *; unfold conclude in H.
  destruct (doubted s); [discriminate|]; destruct (Ob eq_refl) as [O R]; clear Ob.
  cbn [start_rows cover_sum constant_sums hull_sums sign_sums moved still doubted p prepare proof] in Cs, Ks, Hs, Ss, Mv, St, O.
  unfold first_doubt in O; cbv zeta in O; demands O; demands H; clear O H.
  rename D into W, D0 into Pl, D1 into Sp, D2 into Ex, D3 into Co, D4 into Kd, D5 into Hd, D6 into Sd, D7 into Pr.
  cbn [p prepare stated proof past] in *; apply andb_prop in Pl as [D1 D2], Sp as [Gk Gh].
  rewrite Cs in Co; rewrite Ks in Kd; rewrite Hs in Hd; rewrite Ss in Sd; clear Cs Ks Hs Ss.
  apply andb_prop in W as [_ W]; apply Z.eqb_eq in W; rewrite counted_length in W; unfold Z.zero in W.
  rewrite Z.add_0_l in W; symmetry in W.
  assert (F := sound c e items W Dr D1 D2 Gk Gh R). assert (N := first_never_falls c e items W Dr D1 D2 Gk Gh R).
  assert (T := tied c e items W Dr D1 D2 Gk Gh R Co). assert (row := viewed items).
  split; [|split].
  - unfold extent_holds; destruct (extent_is c).
    + apply andb_prop in Ex as [E1 E2]; apply Mv in E1 as [?|[k [E1 _]]]; [discriminate|].
      exists (vector_of (first e)); split; [intros Q; apply row in E1; rewrite Q in E1; destruct E1|]; split; auto.
      apply each; intros i I; destruct (F i I) as (A & _); destruct (beats (proper i)) eqn:S; [tauto|].
      rewrite (proj2 St) in E2 by eauto; discriminate.
    + apply andb_prop in Ex as [E1 E2]; apply Mv in E1 as [?|[i [I S]]]; [discriminate|].
      apply St in E2 as [?|[k [Ik Sk]]]; [discriminate|]. split.
      * intros [b [_ [B C]]]; specialize (C _ (row k Ik)); rewrite (T b k B Ik Sk) in C; lra.
      * exists (vector_of (first e)), (view i); destruct (F i I) as (A & _); rewrite S in A; split; auto; split; [auto | tauto].
    + apply andb_prop in Ex as [E1 _]; intros b B; red; apply each; intros i I; apply T; auto.
      destruct (beats (proper i)) eqn:S; auto. rewrite (proj2 Mv) in E1 by eauto; discriminate.
  - apply each; intros i I; cbn [view separated]; fold (view i); split.
    + intros S; exists (vector_of (first e)); destruct (F i I) as (A & _); rewrite S in A; tauto.
    + intros [b [B C]]; destruct (beats (proper i)) eqn:S; auto. rewrite (T b i B I S) in C; lra.
  - unfold columns; rewrite W, Nat2Z.id; apply (proved_all e _ _ 1%Z); auto; [lia|].
    intros j f J Pf; rewrite <- W in J. apply (proves_sound c e items W Dr D1 D2 Gk Gh R Co Kd Hd Sd); auto.
    apply in_columns; lia.
Qed.

(* Rows that are the same but for positive factors say the same. *)
Definition similar (r q : posed) : Prop :=
  free r = free q /\ separated r = separated q /\ exists k, 0 < k /\ forall j, z r j = k * z q j.
Lemma similar_score c r q b : similar r q -> exists k, 0 < k /\ score c r b = k * score c q b.
Proof.
  intros (_ & _ & k & K & E); exists k; split; auto; unfold score; rewrite <- dot_scale; apply sum_ext; intros; now rewrite E.
Qed.
Lemma same_claims c rows others : (forall r, In r rows -> exists q, In q others /\ similar r q) ->
  (forall q, In q others -> exists r, In r rows /\ similar r q) -> claims_hold c rows -> claims_hold c others.
Proof.
  intros A B.
  assert (N : forall b, never_falls c rows b <-> never_falls c others b).
  { intros b; split.
    - intros H q Q; destruct (B q Q) as [r [R S]]; specialize (H r R); destruct (similar_score c r q b S) as [k [K E]].
      destruct S as [F _]; rewrite F in H; rewrite E in H; destruct (free q); [apply Rmult_integral in H as [?|?]; lra | nra].
    - intros H r R; destruct (A r R) as [q [Q S]]; specialize (H q Q); destruct (similar_score c r q b S) as [k [K E]].
      destruct S as [F _]; rewrite F, E; destruct (free q); [rewrite H; ring | nra]. }
  assert (C : forall b, constant_along c rows b <-> constant_along c others b).
  { intros b; split.
    - intros H q Q; destruct (B q Q) as [r [R S]]; specialize (H r R); destruct (similar_score c r q b S) as [k [K E]].
      rewrite E in H; apply Rmult_integral in H as [?|?]; lra.
    - intros H r R; destruct (A r R) as [q [Q S]]; destruct (similar_score c r q b S) as [k [K E]].
      rewrite E, (H q Q); ring. }
  assert (P : forall r q b, similar r q -> (0 < score c r b <-> 0 < score c q b)).
  { intros r q b S; destruct (similar_score c r q b S) as [k [K ->]]; split; intros; nra. }
  assert (T : forall b, completely c rows b <-> completely c others b).
  { intros b; split; intros (H1 & H2 & H3); split; [|split; [now apply N|] | |split; [now apply N|]].
    - intros ->; destruct rows as [|r l]; auto; destruct (A r (in_eq _ _)) as [q [[] _]].
    - intros q Q; destruct (B q Q) as [r [R S]]; apply (P r q); auto.
    - intros ->; destruct others as [|q l]; auto; destruct (B q (in_eq _ _)) as [r [[] _]].
    - intros r R; destruct (A r R) as [q [Q S]]; apply (P r q); auto. }
  intros (H1 & H2 & H3); split; [|split].
  - unfold extent_holds in *; destruct (extent_is c).
    + destruct H1 as [b H]; exists b; now apply T.
    + destruct H1 as [H (b & r & H4 & R & H5)]; split; [intros [b' H']; apply H; exists b'; now apply T|].
      destruct (A r R) as [q [Q S]]; exists b, q; split; [now apply N|]; split; auto; now apply (P r q).
    + intros b H; apply C, H1, N, H.
  - intros q Q; destruct (B q Q) as [r [R S]]; destruct (H2 r R) as [G1 G2]; assert (E := S); destruct E as (_ & E & _).
    rewrite <- E; split; [intros G; destruct (G1 G) as [b [G3 G4]] | intros [b [G3 G4]]; apply G2]; exists b; split;
      try apply N; auto; now apply (P r q).
  - assert (Cn : forall Q j, can c rows Q j -> can c others Q j).
    { intros Q j [b [G1 G2]]; exists b; split; auto; now apply N. }
    enough (Fh : forall j f, fate_holds c rows j f -> fate_holds c others j f) by (induction H3; constructor; auto).
    intros j [ | | | | ]; cbn [fate_holds]; intros G; repeat match goal with H : _ /\ _ |- _ => destruct H end;
      repeat split; auto; try (intros b G'; first [apply N in G' | apply C in G']; now auto).
    destruct G as [b [G1 G2]]; exists b; split; auto; now apply C.
Qed.

(* The rows that an observation poses. *)
Lemma shift_total j far minus a rest : total_at j (shift far minus a rest)
  = ((if minus then - total_at (j - far) a else total_at (j - far) a) + total_at j rest)%Z.
Proof.
  unfold total_at; induction a as [|k v a IH]; cbn [shift entrywise]; [destruct minus; lia|]; rewrite IH.
  destruct (Z.eqb_spec (k + far) j), (Z.eqb_spec k (j - far)), minus; lia.
Qed.
Lemma shift_decreasing far minus a rest : (0 <= far)%Z -> decreasing far rest -> forall d, (0 <= d)%Z -> decreasing d a ->
  decreasing (far + d) (shift far minus a rest).
Proof.
  intros F R; induction a as [|k v a IH]; intros d D; simpl; [intros _; apply (decreasing_weaken _ far); auto; lia|].
  intros [K A]; split; [lia|]. replace (k + far - 1)%Z with (far + (k - 1))%Z by lia. apply IH; auto; lia.
Qed.
Section Posing.
  Variables (c : regression) (o : observed).
  Hypotheses (G : (0 <= given c)%Z) (Own : (0 <= own o <= others c)%Z) (U : (0 < under o)%Z)
    (C : decreasing (given c) (cells o)).
  Notation a := (if with_intercept c then Entry (block c) (under o) (cells o) else cells o).
  Lemma block_nonneg : (0 <= block c)%Z.
  Proof. unfold block; destruct (with_intercept c); lia. Qed.
  Lemma cells_decreasing : decreasing (block c) a.
  Proof.
    unfold block; destruct (with_intercept c); auto; split; [lia|].
    replace (Z.succ (given c) - 1)%Z with (given c) by lia; auto.
  Qed.
  Lemma place_decreasing k minus rest d : (0 <= k)%Z -> (0 <= d)%Z -> (k = 0%Z \/ d <= (k - 1) * block c)%Z ->
    decreasing d rest -> decreasing (Z.max d (k * block c)) (place c k minus a rest).
  Proof.
    intros K D1 D2 R; assert (B := block_nonneg); unfold place, is_positive.
    destruct (Z.ltb_spec Z.zero k) as [P|P]; unfold Z.zero in P.
    - destruct D2 as [D2|D2]; [lia|].
      replace (Z.mul (Z.add k (Z.opp Z.one)) (block c)) with ((k - 1) * block c)%Z by (unfold Z.one; lia).
      apply (decreasing_weaken _ ((k - 1) * block c + block c)%Z); [lia|].
      apply shift_decreasing; auto using cells_decreasing; [lia|]. apply (decreasing_weaken _ d); auto.
    - apply (decreasing_weaken _ d); auto; lia.
  Qed.
  Lemma place_total j k minus rest : (0 <= k)%Z -> IZR (total_at j (place c k minus a rest))
    = (if minus then -1 else 1) * (IZR (under o) * in_block c k (observation_of o) j) + IZR (total_at j rest).
  Proof.
    intros K; unfold place, is_positive, in_block; cbn [observation_of denominator numbers].
    destruct (Z.ltb_spec Z.zero k) as [P|P]; unfold Z.zero in P.
    - replace (Z.leb 1 k) with true by (symmetry; apply Z.leb_le; lia).
      rewrite shift_total, plus_IZR; f_equal.
      replace (Z.mul (Z.add k (Z.opp Z.one)) (block c)) with ((k - 1) * block c)%Z by (unfold Z.one; lia).
      set (i := (j - (k - 1) * block c)%Z). rewrite <- (value_total i a _ cells_decreasing).
      assert (E : IZR (value_at i a) = IZR (under o) * (if (true && Z.leb 1 i && Z.leb i (block c))%bool
        then if (with_intercept c && Z.eqb i (block c))%bool then 1 else vector_of (cells o) i / IZR (under o) else 0)).
      { apply IZR_lt in U. destruct (true && _ && _) eqn:In.
        - unfold vector_of; destruct (with_intercept c); cbn [andb value_at]; [|field; lra].
          rewrite (Z.eqb_sym i); destruct (Z.eqb (block c) i); field; lra.
        - destruct (Z.eq_dec (value_at i a) 0) as [->|N]; [ring|]. apply (value_below _ _ _ cells_decreasing) in N.
          apply andb_false_iff in In as [In|In]; cbn [andb] in In; apply Z.leb_gt in In; lia. }
      cbv zeta; fold i; rewrite <- E; destruct minus; [rewrite opp_IZR|]; ring.
    - assert (k = 0%Z) as -> by lia. change (Z.leb 1 0) with false; cbv zeta; cbn [andb]; ring.
  Qed.
  Lemma pose_sound v : (0 <= rival v <= others c)%Z -> rival v <> own o ->
    decreasing (wide c) (coordinates (pose c o v)) /\ forall j, vector_of (coordinates (pose c o v)) j
      = IZR (under o) * (in_block c (own o) (observation_of o) j - in_block c (rival v) (observation_of o) j).
  Proof.
    intros R N; assert (B := block_nonneg).
    assert (D : decreasing (wide c) (coordinates (pose c o v))).
    { unfold wide; cbn [pose coordinates]; destruct (Z.ltb_spec (rival v) (own o)).
      - apply (decreasing_weaken _ (Z.max (Z.max 0 (rival v * block c)) (own o * block c))); [nia|].
        apply place_decreasing; [lia | nia | right; nia |]; apply place_decreasing; simpl; auto; [lia | lia | nia].
      - apply (decreasing_weaken _ (Z.max (Z.max 0 (own o * block c)) (rival v * block c))); [nia|].
        apply place_decreasing; [lia | nia | right; nia |]; apply place_decreasing; simpl; auto; [lia | lia | nia]. }
    split; auto; intros j; unfold vector_of; rewrite (value_total _ _ _ D); cbn [pose coordinates].
    destruct (Z.ltb (rival v) (own o)); rewrite !place_total by lia; cbn; ring.
  Qed.
End Posing.
Lemma in_turn_spec c mine vs : forall k, in_turn c mine k vs = true -> (k <= others c + 1)%Z
  /\ (forall v, In v vs -> (k <= rival v <= others c)%Z /\ rival v <> mine)
  /\ (forall b, (k <= b <= others c)%Z -> b <> mine -> exists v, In v vs /\ rival v = b)
  /\ (forall v w, In v vs -> In w vs -> rival v = rival w -> v = w).
Proof.
  induction vs as [|v vs IH]; intros k H; cbn [in_turn] in H; cbv zeta in H.
  - apply Z.eqb_eq in H. destruct (Z.eqb_spec k mine); (split; [lia|]); repeat split; try contradiction; intros b ? ?;
      exfalso; lia.
  - assert (E : exists k', (k <= k')%Z /\ k' <> mine /\ rival v = k' /\ in_turn c mine (Z.succ k') vs = true
      /\ forall b, (k <= b < k')%Z -> b = mine).
    { exists (if Z.eqb k mine then Z.succ k else k); destruct (Z.eqb_spec k mine);
        match type of H with context [Z.eqb ?x ?y] => destruct (Z.eqb_spec x y) end; try discriminate H;
        repeat split; auto; intros; lia. }
    destruct E as (k' & K & M & V & T & B); destruct (IH _ T) as (I1 & I2 & I3 & I4); split; [lia|]; split; [|split].
    + intros w [<-|W]; [split; [lia | congruence]|]; destruct (I2 w W); split; auto; lia.
    + intros b Hb N; destruct (Z.lt_trichotomy b k') as [L|[L|L]];
        [exfalso; apply N, B; lia | exists v; split; [now left | congruence] |].
      destruct (I3 b ltac:(lia) N) as [w [W1 W2]]; exists w; split; auto; now right.
    + intros x y [<-|X] [<-|Y] Q; auto; [destruct (I2 y Y) | destruct (I2 x X)]; lia.
Qed.
Definition all_rows (c : regression) (items : list observed) : list posed_item :=
  flat_map (fun o => map (pose c o) (against o)) items.
Lemma next_rows p items : forall s, doubted (fold_left (next p) items s) = None ->
  doubted s = None /\ (forall o, In o items -> good_observation (stated p) o = true)
  /\ fold_left (next p) items s = fold_left (next_row p) (all_rows (stated p) items) s.
Proof.
  induction items as [|o items IH]; intros s H; [simpl in *; tauto|].
  cbn [fold_left] in *; destruct (IH _ H) as (D & G & E); clear IH H; unfold next in D at 1.
  destruct (good_observation (stated p) o) eqn:Q; [|discriminate].
  split; [now apply (after p) in D|]. split; [intros q [<-|I]; auto|].
  rewrite E; unfold all_rows; cbn [flat_map]; rewrite fold_left_app; unfold next; now rewrite Q.
Qed.

Theorem accepted_separation_means :
  forall c e items, check_separation c e items = None -> regression_meaning c (map observation_of items).
Proof.
  intros c e items H; unfold check_separation in H; set (p := prepare c e) in *.
  assert (D : doubted (fold_left (next p) items (start_rows p)) = None).
  { unfold conclude in H; destruct (doubted _); [discriminate | auto]. }
  destruct (next_rows p items _ D) as (O & Good & E); rewrite E in H; clear D E; cbn [start_rows doubted] in O.
  unfold first_doubt in O; cbv zeta in O; destruct (_ && _) eqn:Gv in O; [|discriminate]; clear O.
  apply andb_prop in Gv as [Gv _]; apply Z.leb_le in Gv; cbn [p prepare stated] in Gv, Good.
  assert (F : forall o, In o items -> regular_observation c (observation_of o) /\ in_turn c (own o) Z.zero (against o) = true).
  { intros o I; specialize (Good o I); unfold good_observation in Good; conj.
    repeat match goal with Q : Z.leb _ _ = true |- _ => apply Z.leb_le in Q
                         | Q : is_positive _ = true |- _ => apply Z.ltb_lt in Q end.
    repeat split; auto; now apply descends_to. }
  assert (Ps : forall o v, In o items -> In v (against o) -> (0 <= rival v <= others c)%Z /\ rival v <> own o
    /\ decreasing (wide c) (coordinates (pose c o v)) /\ forall j, vector_of (coordinates (pose c o v)) j
      = IZR (under o) * (in_block c (own o) (observation_of o) j - in_block c (rival v) (observation_of o) j)).
  { intros o v I V; destruct (F o I) as [(F1 & F2 & F3) T]; destruct (in_turn_spec _ _ _ _ T) as (_ & T1 & _).
    destruct (T1 v V) as [T2 T3]; repeat (split; [exact T2 || exact T3|]); now apply pose_sound. }
  split; [apply Forall_map, Forall_forall; intros o I; now apply F|].
  assert (R : claims_hold c (map view (all_rows c items))).
  { apply (rows_sound c e); auto. intros i I; apply in_flat_map in I as [o [Io I]]; apply in_map_iff in I as [v [<- V]].
    now apply Ps. }
  assert (In_posed : forall o v, In o items -> In v (against o) -> forall q,
    q = {| free := counts c && Z.eqb (own o) 1; separated := existsb (Z.eqb (rival v)) (beaten (observation_of o));
           z := fun j => in_block c (own o) (observation_of o) j - in_block c (rival v) (observation_of o) j |} ->
    similar (view (pose c o v)) q).
  { intros o v I V q ->; destruct (F o I) as [(_ & F2 & _) T]; destruct (Ps o v I V) as (_ & _ & _ & Pv).
    split; [reflexivity|]; split; [|exists (IZR (under o)); split; [now apply IZR_lt | exact Pv]].
    cbn [view pose proper separated observation_of beaten]. destruct (beats v) eqn:B; symmetry.
    - apply existsb_exists; exists (rival v); split; [|apply Z.eqb_refl]. apply in_map, filter_In; auto.
    - apply not_true_iff_false; intros X; apply existsb_exists in X as [k [X K]]; apply Z.eqb_eq in K; subst k.
      apply in_map_iff in X as [w [W X]]; apply filter_In in X as [X1 X2].
      destruct (in_turn_spec _ _ _ _ T) as (_ & _ & _ & T4). rewrite (T4 w v X1 V W) in X2; congruence. }
  apply (same_claims c _ _) with (3 := R).
  - intros r I; apply in_map_iff in I as [i [<- I]]; apply in_flat_map in I as [o [Io I]]; apply in_map_iff in I as [v [<- V]].
    destruct (Ps o v Io V) as (P1 & P2 & _). eexists; split; [|apply (In_posed o v Io V); reflexivity].
    apply in_flat_map; exists (observation_of o); split; [now apply in_map|]; unfold posed_by; apply in_map_iff.
    exists (rival v); split; [reflexivity|].
    apply filter_In; split; [|cbn [observation_of class]; apply negb_true_iff; now apply Z.eqb_neq].
    apply in_map_iff; exists (Z.to_nat (rival v)); rewrite in_seq; lia.
  - intros q I; apply in_flat_map in I as [d [I Q]]; apply in_map_iff in I as [o [<- Io]].
    unfold posed_by in Q; apply in_map_iff in Q as [k [<- K]]; apply filter_In in K as [K N].
    apply negb_true_iff, Z.eqb_neq in N.
    apply in_map_iff in K as [n [<- K]]; apply in_seq in K; destruct (F o Io) as [(F1 & _) T].
    cbn [observation_of class] in F1, N.
    destruct (in_turn_spec _ _ _ _ T) as (_ & _ & T3 & _). destruct (T3 (Z.of_nat n) ltac:(unfold Z.zero; lia) N) as [v [V E]].
    exists (view (pose c o v)); split; [|apply (In_posed o v Io V); now rewrite E].
    apply in_map, in_flat_map; exists o; split; auto; now apply in_map.
Qed.
Print Assumptions accepted_separation_means.
