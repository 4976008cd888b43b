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
        rewrite <- Rabs_mult. assert (A := Rle_abs (t k * g k)); assert (A' := Rle_abs (- (t k * g k))); rewrite Rabs_Ropp in A'.
        destruct S1 as [->| ->]; lra.
      - rewrite sum_plus, sum_scale. fold (dot d t g). rewrite T; lra. }
    rewrite (F j J) in B.
    assert (C : sum (fun k => Rabs (t k) * Rabs (g k)) (columns d) <= f j * sum (fun k => Rabs (t k) * u k) (columns d)).
    { rewrite <- sum_scale; apply sum_le; intros k K; rewrite (F k K); specialize (M k K).
      destruct (U k K) as [Uk _]; assert (A := Rabs_pos (t k)).
      apply Rle_trans with (Rabs (t k) * (f j * u k)); [|lra]. apply Rmult_le_compat_l; auto. apply Rmult_le_compat_r; auto. }
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
  rewrite (product_spec _ _ b d) by auto; unfold Z.zero; rewrite Z.add_0_l; unfold vector_of at 2; rewrite dot_entrywise by auto.
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
    assert (Av : forall h, In h (basis s) -> (fst h = k -> vector_of v (fst h) <> 0) /\ (fst h <> k -> vector_of v (fst h) = 0)).
    { intros h H; specialize (A h H); unfold alone in A; rewrite forallb_forall in A; specialize (A (k, v) Iv); cbn [fst snd] in A.
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
  Variables (d : Z) (w : posed_item -> sparse).
  Notation row_of i := (coordinates (posed_row i)).
  Lemma added x a b u : decreasing d a ->
    dot d (vector_in (add_to x a b)) u = dot d (vector_in b) u + IZR x * dot d (vector_of a) u.
  Proof.
    intros D; rewrite <- dot_scale, <- dot_add; apply sum_ext; intros j _; f_equal; unfold add_to, vector_in, add, vector_of.
    destruct (is_zero x) eqn:E; [apply zero_iff in E; rewrite E; ring|].
    rewrite deposit_held, scale_total, (value_total _ _ _ D), !plus_IZR, mult_IZR; cbn; ring.
  Qed.
  Definition summed : list posed_item -> sums_by -> sums_by := fold_left (fun t i => add_each (w i) (row_of i) t).
  Lemma summed_keys items : forall t, map fst (summed items t) = map fst t.
  Proof.
    unfold summed; induction items as [|i items IH]; intros t; simpl; auto; rewrite IH.
    unfold add_each; destruct (w i); auto; rewrite map_map; reflexivity.
  Qed.
  Lemma summed_dot items : (forall i, In i items -> decreasing d (row_of i)) -> forall t j x, In (j, x) (summed items t) ->
    exists y, In (j, y) t /\ forall u, dot d (vector_in x) u
      = dot d (vector_in y) u + sum (fun i => IZR (value_at j (w i)) * dot d (vector_of (row_of i)) u) items.
  Proof.
    unfold summed; induction items as [|i items IH]; intros D t j x X; [exists x; split; auto; intros; simpl; ring|].
    simpl in X; destruct (IH ltac:(intros; apply D; now right) _ j x X) as [y [Y1 Y2]]; unfold add_each in Y1.
    assert (E : exists y', In (j, y') t /\ y = add_to (value_at j (w i)) (row_of i) y').
    { destruct (w i) as [|k v rest] eqn:E; [exists y; split; auto|].
      apply in_map_iff in Y1 as [[k' y'] [Q I]]; cbn [fst snd] in Q; inversion Q; subst; rewrite pick_value; eauto. }
    destruct E as [y' [I ->]]; exists y'; split; auto; intros u; rewrite Y2, added by (apply D; now left); simpl; ring.
  Qed.
  Lemma from_nothing items s j x : (forall i, In i items -> decreasing d (row_of i)) -> In (j, x) (summed items (no_sums s)) ->
    forall u, dot d (vector_in x) u = sum (fun i => IZR (value_at j (w i)) * dot d (vector_of (row_of i)) u) items.
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
  cover_sum t = fold_left (fun b i => add_to (tying i) (coordinates (posed_row i)) b) items (cover_sum s)
  /\ constant_sums t = summed for_constant items (constant_sums s) /\ hull_sums t = summed for_hull items (hull_sums s)
  /\ sign_sums t = summed for_sign items (sign_sums s)
  /\ (moved t = true <-> moved s = true \/ exists i, In i items /\ separated (posed_row i) = true)
  /\ (still t = true <-> still s = true \/ exists i, In i items /\ separated (posed_row i) = false)
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
Lemma cover_dot d items u : (forall i, In i items -> decreasing d (coordinates (posed_row i))) -> forall b,
  dot d (vector_in (fold_left (fun b i => add_to (tying i) (coordinates (posed_row i)) b) items b)) u
  = dot d (vector_in b) u + sum (fun i => IZR (tying i) * dot d (vector_of (coordinates (posed_row i))) u) items.
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

(* A row that was not objected to. *)
Section Row.
  Variables (c : regression) (e : evidence) (i : posed_item).
  Notation r := (posed_row i).
  Notation along v := (score c r (vector_of v)).
  Hypotheses (P : (0 <= wide c)%Z) (D1 : decreasing (wide c) (first e))
    (D2 : forall v, In v (others e ++ vectors (constant e) ++ vectors (hull e)) -> decreasing (wide c) v).
  Lemma row_sound : row_doubt (prepare c e) i = None ->
    decreasing (wide c) (coordinates r)
    /\ (if separated r then free r = false /\ 0 < along (first e) else along (first e) = 0)
    /\ (forall v, In v (others e) -> if free r then along v = 0 else 0 <= along v)
    /\ (forall v, In v (vectors (constant e)) -> along v = 0)
    /\ (for_hull i = End \/ separated r = false /\ forall v, In v (vectors (hull e)) -> along v = 0)
    /\ (free r = true \/ if separated r then tying i = 0%Z else 0 < IZR (tying i))
    /\ (free r = true \/ forall j, 0 <= IZR (value_at j (for_sign i))).
  Proof.
    unfold row_doubt; cbv zeta; cbn [prepare past first_chain other_chains constant_chains hull_chains]; intros H; demands H.
    rename D into A, D0 into F, D3 into Ot, D4 into K, D5 into U, D6 into T, D7 into S; clear H; apply descends_to in A.
    assert (E : forall v, decreasing (wide c) v -> IZR (product (chain_of v) (coordinates r) Z.zero) = along v)
      by (intros v V; now apply product_dot).
    assert (Zs : forall vs, incl vs (others e ++ vectors (constant e) ++ vectors (hull e)) ->
      zero_on (coordinates r) (map chain_of vs) = true -> forall v, In v vs -> along v = 0).
    { intros vs I Z v V; unfold zero_on in Z; rewrite forallb_forall in Z; specialize (Z _ (in_map chain_of _ _ V)).
      apply zero_iff in Z; rewrite E in Z; auto. }
    split; [exact A|]. split; [|split; [|split; [|split; [|split]]]].
    - rewrite <- (E _ D1); destruct (separated r); [|now apply zero_iff].
      apply andb_prop in F as [F1 F2]; apply negb_true_iff in F1; split; auto; now apply ltz.
    - intros v V; rewrite forallb_forall in Ot; specialize (Ot _ (in_map chain_of _ _ V)); cbv beta zeta in Ot.
      rewrite <- E by auto using in_or_app; destruct (free r); [now apply zero_iff | now apply lez].
    - apply (Zs (vectors (constant e))); auto using incl_appl, incl_appr, incl_refl.
    - destruct (for_hull i); auto; right; apply andb_prop in U as [U1 U2]; apply negb_true_iff in U1; split; auto.
      apply (Zs (vectors (hull e))); auto using incl_appl, incl_appr, incl_refl.
    - apply orb_prop in T as [T|T]; auto; right; destruct (separated r); [now apply Z.eqb_eq | now apply ltz].
    - apply orb_prop in S as [S|S]; auto; right; intros j; destruct (all_values_at _ _ j S) as [->|?]; [lra | now apply lez].
  Qed.
End Row.

Lemma space_vectors c past s : good_space c past s = true -> forall v, In v (vectors s) -> descends past v = true.
Proof. unfold good_space; intros G; conj; now apply forallb_forall. Qed.
Lemma term_zero x y : x = 0 \/ y = 0 -> x * y = 0.
Proof. intros [->| ->]; ring. Qed.
Theorem accepted_separation_means :
  forall c e items, check_separation c e items = None -> regression_meaning c (map posed_row items).
Proof.
  intros c e items H; unfold check_separation in H; set (p := prepare c e) in *.
  destruct (after p items (start_rows p)) as (Cs & Ks & Hs & Ss & Mv & St & Ob); cbv zeta in *.
  set (s := fold_left (next_row p) items (start_rows p)) in *; unfold conclude in H.
  destruct (doubted s); [discriminate|]; destruct (Ob eq_refl) as [O R]; clear Ob.
  cbn [start_rows cover_sum constant_sums hull_sums sign_sums moved still doubted p prepare proof] in Cs, Ks, Hs, Ss, Mv, St, O.
  unfold first_doubt in O; cbv zeta in O; demands O; demands H; clear O H.
  rename D into W, D0 into Pl, D1 into Sp, D2 into Ex, D3 into Co, D4 into Kd, D5 into Hd, D6 into Sd, D7 into Pr.
  cbn [p prepare stated proof past] in *; apply andb_prop in Pl as [D1 D2], Sp as [Gk Gh].
  rewrite Cs in Co; rewrite Ks in Kd; rewrite Hs in Hd; rewrite Ss in Sd; clear Cs Ks Hs Ss.
  apply Z.eqb_eq in W; rewrite counted_length in W; unfold Z.zero in W; rewrite Z.add_0_l in W; symmetry in W.
  set (d := wide c) in *; assert (P : (0 <= d)%Z) by lia.
  assert (V : forall v, In v (others e ++ vectors (constant e) ++ vectors (hull e)) -> decreasing d v).
  { intros v I; apply descends_to; rewrite forallb_forall in D2; rewrite !in_app_iff in I.
    destruct I as [I|[I|I]]; [apply D2 | apply (space_vectors _ _ _ Gk) | apply (space_vectors _ _ _ Gh)]; auto. }
  apply descends_to in D1.
  assert (F : forall i, In i items -> _) by (intros i I; exact (row_sound c e i P D1 V (R i I))); fold d in F; clear R D2.
  assert (Dr : forall i, In i items -> decreasing d (coordinates (posed_row i))) by (intros i I; apply (F i I)).
  set (rows := map posed_row items) in *.
  assert (each : forall Q : posed -> Prop, (forall i, In i items -> Q (posed_row i)) -> forall r, In r rows -> Q r).
  { intros Q A r I; apply in_map_iff in I as [i [<- I]]; auto. }
  assert (row : forall i, In i items -> In (posed_row i) rows) by (intros; now apply in_map).
  (* The planes and the constants are what they are said to be, tied rows are tied. *)
  assert (N1 : never_falls c rows (vector_of (first e))).
  { red; apply each; intros i I; destruct (F i I) as (_ & A & _).
    destruct (separated (posed_row i)); [destruct A as [-> A]; lra|]. destruct (free (posed_row i)); lra. }
  assert (N2 : forall v, In v (others e) -> never_falls c rows (vector_of v)).
  { intros v Iv; red; apply each; intros i I; now apply (F i I). }
  assert (N3 : forall v, In v (vectors (constant e)) -> constant_along c rows (vector_of v)).
  { intros v Iv; red; apply each; intros i I; now apply (F i I). }
  assert (T : forall b, never_falls c rows b -> forall i, In i items -> separated (posed_row i) = false ->
    score c (posed_row i) b = 0).
  { intros b B. assert (Z := vanishes_dot d _ b Co); rewrite cover_dot in Z by auto.
    change (vector_in []) with zero in Z; rewrite dot_zero, Rplus_0_l in Z.
    assert (Q : forall i, In i items -> 0 <= IZR (tying i) * score c (posed_row i) b).
    { intros i I; destruct (F i I) as (_ & _ & _ & _ & _ & A & _); specialize (B _ (row i I)).
      destruct A as [A|A]; [rewrite A in B; rewrite B; lra|].
      destruct (separated (posed_row i)); [rewrite A; lra|].
      destruct (free (posed_row i)); [rewrite B; lra | now apply Rmult_le_pos; lra]. }
    intros i I S; assert (Zi := sum_null _ _ Q Z i I); specialize (B _ (row i I)).
    destruct (F i I) as (_ & _ & _ & _ & _ & A & _). rewrite S in A.
    destruct (free (posed_row i)); auto; destruct A as [A|A]; [discriminate|].
    apply Rmult_integral in Zi as [Zi|Zi]; auto; lra. }
  assert (K : forall b, constant_along c rows b -> forall t, (forall v, In v (vectors (constant e)) -> dot d t (vector_of v) = 0) ->
    dot d t b = 0).
  { intros b B; apply (spanned p _ _ b eq_refl W Gk Kd (has_sum for_constant items _)).
    assert (Z : forall u, constant_along c rows u -> forall j,
      sum (fun i => IZR (value_at j (for_constant i)) * dot d (vector_of (coordinates (posed_row i))) u) items = 0).
    { intros u Cu j; rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero|]; intros i I; apply term_zero; right; apply (Cu _ (row i I)). }
    intros j x X; change (wide (stated p)) with d; rewrite (from_nothing d for_constant items _ _ _ Dr X); split; auto.
    intros v Iv; rewrite (from_nothing d for_constant items _ _ _ Dr X); auto. }
  assert (Hu : forall b, never_falls c rows b -> forall t, (forall v, In v (vectors (hull e)) -> dot d t (vector_of v) = 0) ->
    dot d t b = 0).
  { intros b B; apply (spanned p _ _ b eq_refl W Gh Hd (has_sum for_hull items _)).
    assert (Z : forall u, (forall i, In i items -> for_hull i = End \/ score c (posed_row i) u = 0) -> forall j,
      sum (fun i => IZR (value_at j (for_hull i)) * dot d (vector_of (coordinates (posed_row i))) u) items = 0).
    { intros u Cu j; rewrite (sum_ext _ (fun _ => 0)); [apply sum_zero|]; intros i I; apply term_zero.
      destruct (Cu i I) as [->|?]; auto. }
    intros j x X; change (wide (stated p)) with d; rewrite (from_nothing d for_hull items _ _ _ Dr X); split.
    - apply Z; intros i I; destruct (F i I) as (_ & _ & _ & _ & [A|[A _]] & _); auto.
    - intros v Iv; rewrite (from_nothing d for_hull items _ _ _ Dr X); apply Z; intros i I.
      destruct (F i I) as (_ & _ & _ & _ & [A|[_ A]] & _); auto. }
  (* The sign of a coefficient. *)
  assert (Sg : forall j b, In j (columns d) -> value_at j (times e) <> 0%Z -> never_falls c rows b ->
    0 <= IZR (value_at j (times e)) * b j).
  { intros j b J N B; destruct (has_sum for_sign items _ _ N) as [x X].
    assert (G := proj1 (forallb_forall _ _) Sd _ X); unfold tells_sign in G; cbn [p prepare stated proof past fst snd] in G; fold d in G.
    apply andb_prop in G as [O G]; destruct (ordered_at _ _ O) as [O1 O2]; rewrite forallb_forall in G.
    assert (E : dot d (fun k => vector_in x k - IZR (value_at j (times e)) * one j k) b = 0).
    { apply Hu; auto; intros v Iv; specialize (G v Iv); apply Z.eqb_eq, (f_equal IZR) in G.
      assert (Dv : decreasing d v) by (apply V; rewrite !in_app_iff; auto).
      rewrite mult_IZR, (product_dot d), (dot_ext d _ (vector_in x) _ (vector_of v) O2) in G by auto.
      rewrite dot_minus, dot_one, G, (pick_value j v), (pick_value j (times e)) by auto; unfold vector_of; ring. }
    rewrite dot_minus, dot_one, (from_nothing d for_sign items _ _ _ Dr X) in E by auto.
    enough (Q : 0 <= sum (fun i => IZR (value_at j (for_sign i)) * dot d (vector_of (coordinates (posed_row i))) b) items) by lra.
    apply sum_nonneg; intros i I; destruct (F i I) as (_ & _ & _ & _ & _ & _ & A); specialize (B _ (row i I)).
    unfold score in B; fold d in B.
    destruct (free (posed_row i)); [rewrite B; lra|]. destruct A as [A|A]; [discriminate | now apply Rmult_le_pos]. }
  assert (Sh : forall test (Q : R -> Prop) j, (forall x, test x = true -> Q (IZR x)) -> shown e test j = true -> can c rows Q j).
  { intros test Q j A B; apply existsb_exists in B as [v [I B]]; rewrite pick_value in B; exists (vector_of v).
    split; [destruct I as [<-|I]; auto | now apply A]. }
  assert (No : forall q j, none_of q j = true -> In j (columns d) -> forall v, In v (vectors q) -> dot d (one j) (vector_of v) = 0).
  { intros q j A J v I; rewrite dot_one by auto. unfold none_of in A; rewrite forallb_forall in A; specialize (A v I).
    rewrite pick_value in A; now apply zero_iff. }
  split; [now apply each|]. split; [|split].
  - unfold extent_holds; destruct (extent_is c).
    + apply andb_prop in Ex as [E1 E2]; apply Mv in E1 as [?|[k [E1 _]]]; [discriminate|].
      exists (vector_of (first e)); split; [intros Q; apply row in E1; rewrite Q in E1; destruct E1|]; split; auto.
      apply each; intros i I; destruct (F i I) as (_ & A & _); destruct (separated (posed_row i)) eqn:S; [tauto|].
      rewrite (proj2 St) in E2 by eauto; discriminate.
    + apply andb_prop in Ex as [E1 E2]; apply Mv in E1 as [?|[i [I S]]]; [discriminate|].
      apply St in E2 as [?|[k [Ik Sk]]]; [discriminate|]. split.
      * intros [b [_ [B C]]]; specialize (C _ (row k Ik)); rewrite (T b B k Ik Sk) in C; lra.
      * exists (vector_of (first e)), (posed_row i); destruct (F i I) as (_ & A & _); rewrite S in A; split; auto; split; [auto | tauto].
    + apply andb_prop in Ex as [E1 _]; intros b B; red; apply each; intros i I; apply T; auto.
      destruct (separated (posed_row i)) eqn:S; auto. rewrite (proj2 Mv) in E1 by eauto; discriminate.
  - apply each; intros i I; split.
    + intros S; exists (vector_of (first e)); destruct (F i I) as (_ & A & _); rewrite S in A; tauto.
    + intros [b [B C]]; destruct (separated (posed_row i)) eqn:S; auto. rewrite (T b B i I S) in C; lra.
  - unfold columns; fold d; rewrite W, Nat2Z.id; apply (proved_all e _ _ 1%Z); auto; [lia|].
    intros j f J Pf; rewrite <- W in J; assert (J' : In j (columns d)) by (apply in_columns; lia); clear J.
    destruct f; cbn [proves] in Pf; conj; rewrite ?pick_value in *; cbn [estimate_holds].
    + intros b B; rewrite <- (dot_one d) by auto. now apply Hu, No.
    + split; [apply (Sh positive); auto using ltz|]. intros b B.
      match goal with Q : positive _ = true |- _ => apply ltz in Q; rename Q into Q1 end.
      assert (0 <= IZR (value_at j (times e)) * b j) by (apply Sg; auto; intros E; rewrite E in Q1; lra). nra.
    + split; [apply (Sh negative); auto; intros x Q; apply Z.ltb_lt, IZR_lt in Q; exact Q|]. intros b B.
      match goal with Q : negative _ = true |- _ => apply Z.ltb_lt, IZR_lt in Q; change (IZR Z.zero) with 0 in Q; rename Q into Q1 end.
      assert (0 <= IZR (value_at j (times e)) * b j) by (apply Sg; auto; intros E; rewrite E in Q1; lra). nra.
    + split; [apply (Sh positive); auto using ltz|].
      split; [apply (Sh negative); auto; intros x Q; apply Z.ltb_lt, IZR_lt in Q; exact Q|].
      intros b B; rewrite <- (dot_one d) by auto. now apply K, No.
    + apply existsb_exists in Pf as [v [I X]]; exists (vector_of v); split; auto.
      intros Q; apply negb_true_iff in X; rewrite pick_value in X; apply zero_iff in Q; congruence.
Qed.
Print Assumptions accepted_separation_means.
