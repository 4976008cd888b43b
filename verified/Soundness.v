(* What the checker accepts is so. *)
From Coq Require Import ZArith List Bool Reals Lra Lia Psatz.
From Novikoff Require Import Meaning Checker Novikoff.
Import ListNotations.
Open Scope R_scope.

(* The columns are those from 1 to the last, each once. *)
Lemma columns_succ d : columns (Pos.succ d) = Pos.succ d :: columns d.
Proof. unfold columns; now rewrite Pos.peano_rect_succ. Qed.
Lemma in_columns j d : In j (columns d) <-> (j <= d)%positive.
Proof.
  induction d using Pos.peano_ind; [simpl; lia|].
  rewrite columns_succ; simpl; rewrite IHd; lia.
Qed.
Lemma columns_once d : NoDup (columns d).
Proof.
  induction d using Pos.peano_ind.
  - repeat constructor; simpl; tauto.
  - rewrite columns_succ; constructor; auto; rewrite in_columns; lia.
Qed.

(* Sparse vectors. *)
Definition keys (s : sparse) := map fst s.
Definition proper d s := NoDup (keys s) /\ forall k, In k (keys s) -> (k <= d)%positive.

Lemma ascends_increasing d s : ascends d s = true -> increasing d s.
Proof.
  induction s as [|[k v] [|[l x] s] IH]; intros H; [constructor| |]; simpl in H.
  - constructor; now apply Pos.leb_le.
  - apply andb_prop in H as [H1 H2]; constructor; [now apply Pos.ltb_lt | now apply IH].
Qed.
Lemma increasing_above d k v s : increasing d ((k, v) :: s) -> forall j, In j (keys s) -> (k < j)%positive.
Proof.
  revert k v; induction s as [|[l x] s IH]; intros k v H j; simpl; [tauto|].
  inversion H as [| |? ? ? ? ? K I]; subst; intros [<-|J]; auto.
  specialize (IH _ _ I j J); lia.
Qed.
Lemma increasing_proper d s : increasing d s -> proper d s.
Proof.
  induction s as [|[k v] s IH]; intros H.
  - split; [constructor | simpl; tauto].
  - assert (A := increasing_above _ _ _ _ H).
    assert (P : proper d s) by (apply IH; inversion H; subst; auto; constructor).
    destruct P as [N B]; split; simpl.
    + constructor; auto. intros I; specialize (A _ I); lia.
    + intros j [<-|J]; auto.
      inversion H as [| |? ? l x rest K I]; subst; auto.
      specialize (B l (or_introl eq_refl)); lia.
Qed.

Lemma value_absent j s : ~ In j (keys s) -> value_at j s = 0%Z.
Proof.
  induction s as [|[k v] s IH]; simpl; auto; intros H.
  destruct (Pos.eqb_spec k j); [tauto | apply IH; tauto].
Qed.
Lemma value_present k v s : NoDup (keys s) -> In (k, v) s -> value_at k s = v.
Proof.
  induction s as [|[l x] s IH]; simpl; [tauto|]; intros N H; inversion N; subst.
  destruct (Pos.eqb_spec l k) as [->|E].
  - destruct H as [H|H]; [congruence|]. exfalso; apply H2, (in_map fst _ _ H).
  - destruct H as [H|H]; [congruence | auto].
Qed.
Lemma value_cons j k v s : ~ In k (keys s) ->
  value_at j ((k, v) :: s) = ((if Pos.eqb k j then v else 0) + value_at j s)%Z.
Proof.
  intros H; simpl; destruct (Pos.eqb_spec k j) as [<-|]; [rewrite value_absent by auto|]; lia.
Qed.
Lemma sum_delta k x l : NoDup l -> In k l -> sum (fun j => if Pos.eqb k j then x else 0) l = x.
Proof.
  induction l as [|a l IH]; simpl; [tauto|]; intros N [->|H]; inversion N; subst.
  - rewrite Pos.eqb_refl. rewrite (sum_ext _ (fun _ => 0)), sum_zero; [lra|].
    intros j J; destruct (Pos.eqb_spec k j); [congruence | auto].
  - rewrite IH by auto. destruct (Pos.eqb_spec k a); [congruence | lra].
Qed.
Lemma sum_sparse d s (u : vector) : proper d s ->
  dot d (vector_of s) u = sum (fun e => IZR (snd e) * u (fst e)) s.
Proof.
  unfold dot, vector_of; induction s as [|[k v] s IH]; intros [N B].
  - simpl; rewrite (sum_ext _ (fun _ => 0)), sum_zero; auto; intros; ring.
  - inversion N; subst. cbn [sum fold_right fst snd]. fold (sum (fun e => IZR (snd e) * u (fst e)) s).
    rewrite <- IH by (split; auto; intros; apply B; simpl; auto).
    rewrite (sum_ext _ (fun j => (if Pos.eqb k j then IZR v * u k else 0) + IZR (value_at j s) * u j)).
    + rewrite sum_plus, sum_delta; auto using columns_once; apply in_columns, B; simpl; auto.
    + intros j _; rewrite value_cons, plus_IZR by auto.
      destruct (Pos.eqb_spec k j) as [<-|]; ring.
Qed.

(* Tries. *)
Definition vector_in (t : trie) : vector := fun j => IZR (get j t).
Lemma get_leaf j : get j Leaf = 0%Z.
Proof. now destruct j. Qed.
Lemma get_bump x k : forall t j, get j (bump x k t) = (get j t + if Pos.eqb k j then x else 0)%Z.
Proof.
  induction k; intros [|e h o] [j|j|]; simpl; rewrite ?IHk, ?get_leaf; unfold Z.zero; try lia.
Qed.
Lemma get_gather w s : forall t j, NoDup (keys s) -> get j (gather w s t) = (get j t + w * value_at j s)%Z.
Proof.
  induction s as [|[k v] s IH]; intros t j N; [simpl; lia|].
  inversion N; subst. rewrite value_cons by auto. cbn [gather]. rewrite IH, get_bump by auto.
  destruct (Pos.eqb k j); lia.
Qed.
Lemma get_trie_of j s : NoDup (keys s) -> get j (trie_of s) = value_at j s.
Proof. intros; unfold trie_of; rewrite get_gather, get_leaf by auto; unfold Z.one; lia. Qed.
Lemma product_spec t s : forall x,
  IZR (product t s x) = IZR x + sum (fun e => IZR (snd e) * vector_in t (fst e)) s.
Proof.
  induction s as [|[k v] s IH]; intros x; [simpl; lra|].
  cbn [product]; rewrite IH, plus_IZR, mult_IZR. unfold vector_in; simpl; lra.
Qed.
Lemma product_dot d t s : proper d s -> IZR (product t s Z.zero) = dot d (vector_of s) (vector_in t).
Proof. intros; rewrite product_spec, sum_sparse by auto; unfold Z.zero; lra. Qed.
Lemma squares_spec s : forall x, IZR (squares s x) = IZR x + sum (fun e => IZR (snd e) * IZR (snd e)) s.
Proof.
  induction s as [|[k v] s IH]; intros x; [simpl; lra|].
  cbn [squares]; rewrite IH, plus_IZR; unfold square; rewrite mult_IZR; simpl; lra.
Qed.
Lemma squares_dot d s : proper d s -> IZR (squares s Z.zero) = dot d (vector_of s) (vector_of s).
Proof.
  intros P; rewrite squares_spec, (sum_sparse d) by auto; unfold Z.zero; rewrite Rplus_0_l.
  apply sum_ext; intros [k v] I; simpl. unfold vector_of; rewrite (value_present k v); auto; apply P.
Qed.
Lemma length2_dot d t : IZR (length2 d t) = dot d (vector_in t) (vector_in t).
Proof.
  unfold length2, dot. enough (G : forall l x, IZR (fold_left (fun a j => Z.add a (square (get j t))) l x)
    = IZR x + sum (fun j => vector_in t j * vector_in t j) l) by (rewrite G; unfold Z.zero; lra).
  induction l as [|k l IH]; intros x; [simpl; lra|].
  cbn [fold_left]; rewrite IH, plus_IZR; unfold square; rewrite mult_IZR; unfold vector_in; simpl; lra.
Qed.
Lemma vanishes_dot d t u : vanishes d t = true -> dot d (vector_in t) u = 0.
Proof.
  unfold vanishes, dot; rewrite forallb_forall; intros H.
  rewrite (sum_ext _ (fun _ => 0)), sum_zero; auto.
  intros j J; specialize (H j J); apply Z.eqb_eq in H; unfold vector_in; rewrite H; unfold Z.zero; lra.
Qed.
Lemma dot_ext d u u' v v' : (forall j, u j = u' j) -> (forall j, v j = v' j) -> dot d u v = dot d u' v'.
Proof. intros H H'; apply sum_ext; intros; now rewrite H, H'. Qed.

Lemma scale_scale d k u v : dot d (fun j => k * u j) (fun j => k * v j) = k * k * dot d u v.
Proof. rewrite dot_scale, dot_sym, dot_scale, dot_sym; ring. Qed.

(* The signed row times [over]. *)
Section Rows.
  Variable c : claim.
  Notation a r := (full c (last c) r).
  Definition sign (r : row) : R := if label r then 1 else -1.
  Lemma signed_sign r x : IZR (signed r x) = sign r * IZR x.
  Proof. unfold signed, sign; destruct (label r); [|rewrite opp_IZR]; lra. Qed.
  Lemma full_proper r : regular c r -> proper (last c) (a r).
  Proof.
    intros [_ R]; apply increasing_proper in R as [N B]; unfold full, last in *; destruct (intercept c); [|split; auto].
    split; simpl.
    - constructor; auto; intros I; specialize (B _ I); lia.
    - intros k [<-|I]; [lia | specialize (B _ I); lia].
  Qed.
  Lemma over_pos r : regular c r -> 0 < IZR (over r).
  Proof. intros [O _]; now apply IZR_lt in O. Qed.
  Lemma z_full r j : regular c r -> IZR (over r) * z_of c r j = sign r * vector_of (a r) j.
  Proof.
    intros R; assert (O := over_pos r R); unfold z_of, x_of, sign, full, vector_of.
    destruct (intercept c); cbn [andb value_at].
    - rewrite (Pos.eqb_sym j); destruct (Pos.eqb (last c) j), (label r); field; lra.
    - destruct (label r); field; lra.
  Qed.
  Lemma margin_full r u : regular c r ->
    IZR (over r) * margin c u r = sign r * dot (last c) (vector_of (a r)) u.
  Proof.
    intros R; unfold margin; rewrite <- !dot_scale; apply dot_ext; auto; intros; now apply z_full.
  Qed.
  Lemma margin_product r t : regular c r ->
    IZR (signed r (product t (a r) Z.zero)) = IZR (over r) * margin c (vector_in t) r.
  Proof.
    intros R; rewrite margin_full, signed_sign, (product_dot (last c)); auto using full_proper.
  Qed.
  Lemma norm_full r : regular c r ->
    IZR (squares (a r) Z.zero) = IZR (over r) * IZR (over r) * dot (last c) (z_of c r) (z_of c r).
  Proof.
    intros R; rewrite (squares_dot (last c)) by auto using full_proper.
    rewrite <- scale_scale.
    transitivity (dot (last c) (fun j => sign r * vector_of (a r) j) (fun j => sign r * vector_of (a r) j)).
    - rewrite scale_scale; unfold sign; destruct (label r); ring.
    - apply dot_ext; intros; symmetry; now apply z_full.
  Qed.
  Lemma margin_ext r u v : (forall j, u j = v j) -> margin c u r = margin c v r.
  Proof. intros; now apply dot_ext. Qed.

  (* The sum of the rows under weights g, as it is gathered. *)
  Variable g : item -> Z.
  Definition gathered (items : list item) (t : trie) : trie :=
    fold_left (fun t i => join (g i) (data i) (a (data i)) t) items t.
  Definition share (i : item) : R := IZR (g i) * IZR (over (data i)).
  Lemma gathered_at items j : (forall i, In i items -> regular c (data i)) -> forall t,
    vector_in (gathered items t) j = vector_in t j + sum (fun i => share i * z_of c (data i) j) items.
  Proof.
    unfold gathered; induction items as [|i items IH]; intros H t; [simpl; lra|].
    cbn [fold_left]; rewrite IH by (intros; apply H; simpl; auto).
    assert (R : regular c (data i)) by (apply H; simpl; auto).
    enough (E : vector_in (join (g i) (data i) (a (data i)) t) j = vector_in t j + share i * z_of c (data i) j)
      by (rewrite E; simpl; lra).
    unfold share; rewrite Rmult_assoc, z_full by auto. unfold join, vector_in.
    destruct (Z.eqb_spec (g i) Z.zero) as [->|_]; [unfold Z.zero; lra|].
    rewrite get_gather by (apply (full_proper _ R)).
    rewrite plus_IZR, mult_IZR, signed_sign; unfold vector_of; ring.
  Qed.
  Lemma gathered_dot items u : (forall i, In i items -> regular c (data i)) ->
    dot (last c) (vector_in (gathered items Leaf)) u = sum (fun i => share i * margin c u (data i)) items.
  Proof.
    intros H; unfold margin, dot.
    rewrite (sum_ext (fun i => share i * _)
      (fun i => sum (fun j => share i * (z_of c (data i) j * u j)) (columns (last c)))) by (intros; now rewrite sum_scale).
    rewrite sum_swap; apply sum_ext; intros j _.
    rewrite gathered_at by auto; unfold vector_in at 1; rewrite get_leaf, Rplus_0_l.
    rewrite Rmult_comm, <- sum_scale; apply sum_ext; intros; ring.
  Qed.
End Rows.

(* The state after the rows. *)
Lemma fold_still items : forall s, let s' := fold_left step items s in
  the s' = the s /\ top s' = top s.
Proof. induction items as [|i items IH]; intros s; simpl; auto; destruct (IH (step s i)); auto. Qed.
Lemma fold_complaint items : forall s, complaint (fold_left step items s) = None ->
  complaint s = None /\ forall i, In i items -> fault s i (full (the s) (top s) (data i)) = None.
Proof.
  induction items as [|i items IH]; intros s H; [simpl in *; tauto|].
  apply (IH (step s i)) in H as [H1 H2]; simpl in H1.
  destruct (complaint s) eqn:E; [discriminate|]; split; auto.
  intros k [<-|K]; auto. apply (H2 k K).
Qed.
Lemma fold_weights items : forall s, weights (fold_left step items s) =
  fold_left (fun t i => join (weight i) (data i) (full (the s) (top s) (data i)) t) items (weights s).
Proof. induction items as [|i items IH]; intros s; simpl; auto; now rewrite IH. Qed.
Lemma fold_covers items : forall s, covers (fold_left step items s) =
  fold_left (fun t i => join (cover i) (data i) (full (the s) (top s) (data i)) t) items (covers s).
Proof. induction items as [|i items IH]; intros s; simpl; auto; now rewrite IH. Qed.
Lemma fold_total items : forall s, IZR (total (fold_left step items s)) = IZR (total s) + sum (share weight) items.
Proof.
  induction items as [|i items IH]; intros s; [simpl; lra|]; cbn [fold_left]; rewrite IH; simpl total.
  rewrite plus_IZR, mult_IZR; unfold share; simpl; lra.
Qed.
Lemma fold_sizes items : forall s,
  seen_plus (fold_left step items s) = (seen_plus s + size (map data items) true)%Z /\
  seen_minus (fold_left step items s) = (seen_minus s + size (map data items) false)%Z.
Proof.
  unfold size; induction items as [|i items IH]; intros s; [simpl; lia|].
  cbn [fold_left map filter]; destruct (IH (step s i)) as [-> ->]; simpl seen_plus; simpl seen_minus.
  destruct (label (data i)); cbn [Bool.eqb length]; lia.
Qed.
Lemma fold_name items : forall s, seen_name (fold_left step items s) = true ->
  seen_name s = true \/ some (map data items) (fun r => named r = true).
Proof.
  induction items as [|i items IH]; intros s H; [simpl in *; tauto|].
  apply IH in H as [H|[r [I N]]].
  - simpl in H; apply orb_prop in H as [H|H]; auto.
    right; exists (data i); simpl; auto.
  - right; exists r; simpl; auto.
Qed.

Ltac demands H := repeat match type of H with
  | context [if ?b then _ else Some _] => let D := fresh "D" in destruct b eqn:D; [|discriminate H]
  end.
Ltac conj := repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [? ?] end.
Lemma ltz x : Z.ltb Z.zero x = true -> 0 < IZR x.
Proof. intros H; apply Z.ltb_lt, IZR_lt in H; exact H. Qed.
Lemma lez x : Z.leb Z.zero x = true -> 0 <= IZR x.
Proof. intros H; apply Z.leb_le, IZR_le in H; exact H. Qed.
Lemma square_IZR x : IZR (square x) = IZR x * IZR x.
Proof. apply mult_IZR. Qed.
Lemma square_lt0 x y : 0 < y -> 0 <= x -> x * x <= y * y -> x <= y.
Proof. intros; nra. Qed.
Lemma value_scaled q : 0 < IZR (den q) -> IZR (den q) * value q = IZR (num q).
Proof. intros; unfold value; field; lra. Qed.

(* Each kind of proof, for rows that are regular. *)
Section Proofs.
  Variables (c : claim) (items : list item).
  Hypothesis R : forall i, In i items -> regular c (data i).
  Notation rows := (map data items).
  Lemma every_item (P : row -> Prop) : (forall i, In i items -> P (data i)) <-> every rows P.
  Proof.
    split; intros H; [intros r I; apply in_map_iff in I as [i [<- I]]; auto|].
    intros i I; apply H, in_map, I.
  Qed.

  Lemma balance g u : (forall i, In i items -> 0 <= IZR (g i)) ->
    vanishes (last c) (gathered c g items Leaf) = true -> (forall i, In i items -> 0 <= margin c u (data i)) ->
    forall i, In i items -> share g i * margin c u (data i) = 0.
  Proof.
    intros G V M; apply (sum_null (fun i => share g i * margin c u (data i))).
    - intros i I; unfold share; assert (O := over_pos c _ (R i I)); specialize (G i I); specialize (M i I).
      repeat apply Rmult_le_pos; lra.
    - rewrite <- gathered_dot by auto; now apply vanishes_dot.
  Qed.
  Lemma witness_sound : (forall i, In i items -> 0 <= IZR (weight i)) -> 0 < sum (share weight) items ->
    vanishes (last c) (gathered c weight items Leaf) = true -> ~ separable c rows.
  Proof.
    intros G T V [u U]. rewrite <- every_item in U.
    assert (B := balance weight u G V (fun i I => Rlt_le _ _ (U i I))).
    rewrite (sum_ext _ (fun _ => 0)), sum_zero in T; [lra|].
    intros i I; specialize (B i I); specialize (U i I); cbv beta in U.
    apply Rmult_integral in B as [B|B]; lra.
  Qed.
  Lemma cover_sound u : (forall i, In i items -> 0 <= IZR (cover i)) ->
    vanishes (last c) (gathered c cover items Leaf) = true -> every rows (fun r => 0 <= margin c u r) ->
    forall i, In i items -> 0 < IZR (cover i) -> margin c u (data i) = 0.
  Proof.
    intros G V M i I P. rewrite <- every_item in M.
    assert (B := balance cover u G V M i I). assert (O := over_pos c _ (R i I)).
    unfold share in B. apply Rmult_integral in B as [B|B]; auto. nra.
  Qed.
  Lemma hi_sound hi : 0 < IZR (den hi) -> 0 < IZR (num hi) ->
    (forall i, In i items -> 0 <= IZR (weight i)) -> 0 < sum (share weight) items ->
    IZR (den hi) * IZR (den hi) * IZR (length2 (last c) (gathered c weight items Leaf))
      <= IZR (num hi) * IZR (num hi) * (sum (share weight) items * sum (share weight) items) ->
    forall m, reached c rows m -> m <= value hi.
  Proof.
    intros D N G T H m [u [U M]]. rewrite <- every_item in M.
    set (A := vector_in (gathered c weight items Leaf)) in *; set (t := sum (share weight) items) in *.
    rewrite length2_dot in H; fold A in H; rewrite <- norm_square in H.
    assert (NA := norm_nonneg (last c) A).
    assert (HA : IZR (den hi) * norm (last c) A <= IZR (num hi) * t).
    { apply square_le; [apply Rmult_le_pos; lra | lra]. }
    assert (L : m * t <= dot (last c) A u).
    { unfold A; rewrite gathered_dot by auto; unfold t; rewrite <- sum_scale; apply sum_le.
      intros i I; specialize (M i I); cbv beta in M; assert (O := over_pos c _ (R i I)); specialize (G i I).
      assert (0 <= share weight i) by (apply Rmult_le_pos; lra). nra. }
    assert (C := dot_norm (last c) A u); rewrite U, Rmult_1_r in C.
    assert (V := value_scaled hi D).
    apply Rmult_le_reg_l with (IZR (den hi) * t); [nra|].
    replace (IZR (den hi) * t * value hi) with (t * (IZR (den hi) * value hi)) by ring.
    rewrite V; nra.
  Qed.
  Lemma lo_sound w lo : 0 < IZR (den lo) -> 0 < IZR (num lo) -> proper (last c) w -> items <> [] ->
    (forall i, In i items -> exists m, IZR m = IZR (over (data i)) * margin c (vector_of w) (data i) /\ 0 < IZR m /\
      IZR (num lo) * IZR (num lo) * IZR (squares w Z.zero) * (IZR (over (data i)) * IZR (over (data i)))
        <= IZR (den lo) * IZR (den lo) * (IZR m * IZR m)) ->
    reached c rows (value lo).
  Proof.
    intros D N P E M. rewrite (squares_dot (last c)), <- norm_square in M by auto.
    set (n := norm (last c) (vector_of w)) in *. assert (Nn : 0 <= n) by apply norm_nonneg.
    assert (Pos : 0 < n).
    { destruct items as [|i l]; [congruence|]. destruct (M i (or_introl eq_refl)) as [m [E1 [E2 _]]].
      assert (O := over_pos c _ (R i (or_introl eq_refl))).
      assert (C := dot_norm (last c) (z_of c (data i)) (vector_of w)).
      fold n in C; unfold margin in E1. destruct (Req_dec n 0) as [Z|Z]; [|lra].
      rewrite Z, Rmult_0_r in C; nra. }
    exists (fun j => / n * vector_of w j); split.
    - rewrite norm_scale; [fold n; field; lra | left; now apply Rinv_0_lt_compat].
    - apply every_item; intros i I; destruct (M i I) as [m [E1 [E2 E3]]]; assert (O := over_pos c _ (R i I)).
      assert (L : IZR (num lo) * n * IZR (over (data i)) <= IZR (den lo) * IZR m).
      { apply square_le; [apply Rmult_le_pos; lra | lra]. }
      unfold margin; rewrite dot_sym, dot_scale, dot_sym; fold (margin c (vector_of w) (data i)).
      assert (V := value_scaled lo D).
      apply Rmult_le_reg_l with (IZR (den lo) * n * IZR (over (data i))); [repeat apply Rmult_lt_0_compat; auto|].
      replace (IZR (den lo) * n * IZR (over (data i)) * value lo)
        with ((IZR (den lo) * value lo) * n * IZR (over (data i))) by ring.
      replace (IZR (den lo) * n * IZR (over (data i)) * (/ n * margin c (vector_of w) (data i)))
        with (IZR (den lo) * (IZR (over (data i)) * margin c (vector_of w) (data i))) by (field; lra).
      rewrite V, <- E1; auto.
  Qed.
  Lemma radius_sound radius r : 0 < IZR (den radius) -> 0 < IZR (num radius) -> regular c r ->
    IZR (den radius) * IZR (den radius) * IZR (squares (full c (last c) r) Z.zero)
      <= IZR (num radius) * IZR (num radius) * (IZR (over r) * IZR (over r)) ->
    norm (last c) (z_of c r) <= value radius.
  Proof.
    intros D N Rr H; rewrite norm_full, <- norm_square in H by auto; assert (O := over_pos c r Rr).
    assert (Nn := norm_nonneg (last c) (z_of c r)); set (n := norm (last c) (z_of c r)) in *.
    assert (V := value_scaled radius D).
    assert (L : IZR (den radius) * IZR (over r) * n <= IZR (num radius) * IZR (over r)).
    { apply square_le; [apply Rmult_le_pos; lra | lra]. }
    apply Rmult_le_reg_l with (IZR (den radius) * IZR (over r)); [nra|].
    replace (IZR (den radius) * IZR (over r) * value radius) with ((IZR (den radius) * value radius) * IZR (over r)) by ring.
    rewrite V; auto.
  Qed.
  Lemma bound_sound lo radius bound : 0 < IZR (den lo) -> 0 < IZR (num lo) -> 0 < IZR (den radius) -> 0 < IZR (num radius) ->
    IZR (num radius) * IZR (num radius) * (IZR (den lo) * IZR (den lo))
      < IZR (Z.succ bound) * (IZR (num lo) * IZR (num lo) * (IZR (den radius) * IZR (den radius))) ->
    reached c rows (value lo) -> every rows (fun r => norm (last c) (z_of c r) <= value radius) ->
    forall t w, run c rows t w -> (Z.of_nat t <= bound)%Z.
  Proof.
    intros Dl Nl Dr Nr H Lo Ra t w T.
    assert (Vl := value_scaled lo Dl); assert (Vr := value_scaled radius Dr).
    assert (0 < value lo) by (apply Rdiv_lt_0_compat; auto).
    assert (0 < value radius) by (apply Rdiv_lt_0_compat; auto).
    assert (B := novikoff c rows (value lo) (value radius) ltac:(auto) ltac:(lra) Lo Ra t w T).
    rewrite <- Vl, <- Vr in H.
    enough (K : (Z.of_nat t < Z.succ bound)%Z) by lia.
    apply lt_IZR; rewrite <- INR_IZR_INZ.
    set (p := IZR (den lo)) in *; set (q := IZR (den radius)) in *.
    assert (S : 0 < p * p * (q * q)) by (repeat apply Rmult_lt_0_compat; auto).
    assert (0 < value lo * value lo) by nra.
    apply Rmult_lt_reg_r with (value lo * value lo); auto.
    apply Rmult_lt_reg_l with (p * p * (q * q)); auto.
    apply Rle_lt_trans with (p * p * (q * q) * (value radius * value radius)); [|lra].
    apply Rmult_le_compat_l; lra.
  Qed.
End Proofs.

Theorem accepted_means : forall c plane items, check c plane items = Accepted -> meaning c (map data items).
Proof.
  intros c w items H; unfold check, finish in H.
  set (s := fold_left step items (start c w)) in *.
  destruct (verdict_of s) eqn:V; [discriminate|]; clear H; rename V into H.
  destruct (fold_still items (start c w)) as [T1 T2]; fold s in T1, T2; simpl in T1, T2.
  unfold verdict_of in H. rewrite T1, T2 in H.
  destruct (complaint s) eqn:C; [discriminate|].
  apply fold_complaint in C as [C F]; cbn [start complaint the top] in C, F.
  destruct (fold_sizes items (start c w)) as [Sp Sm]; fold s in Sp, Sm; cbn [start seen_plus seen_minus] in Sp, Sm.
  assert (W := fold_weights items (start c w)); fold s in W; cbn [start the top weights] in W.
  assert (K := fold_covers items (start c w)); fold s in K; cbn [start the top covers] in K.
  fold (gathered c weight items Leaf) in W; fold (gathered c cover items Leaf) in K.
  assert (T := fold_total items (start c w)); fold s in T; cbn [start total] in T.
  rewrite Rplus_0_l in T.
  assert (N := fold_name items (start c w)); fold s in N; cbn [start seen_name] in N.
  rewrite Sp, Sm, W, K in H; clear Sp Sm W K.
  destruct (_ && _) eqn:S1 in H; [|discriminate].
  destruct (_ && _) eqn:S2 in H; [|discriminate].
  destruct (Z.ltb _ (total s)) eqn:S3; [|discriminate].
  conj. repeat match goal with H : Z.eqb _ _ = true |- _ => apply Z.eqb_eq in H end.
  repeat match goal with H : Z.ltb _ (_ + _) = true |- _ => apply Z.ltb_lt in H end.
  unfold Z.zero in *; rewrite ?Z.add_0_l in *.
  apply ltz in S3; rewrite T in S3.
  unfold objection in C.
  destruct (ascends (last c) w) eqn:Aw; [|discriminate]; apply ascends_increasing, increasing_proper in Aw.
  destruct (forallb _ (relations c)) eqn:Ar in C; [|discriminate].
  assert (F1 : forall i, In i items -> regular c (data i) /\ 0 <= IZR (weight i) /\
     forallb (fun t => Z.eqb (product t (full c (last c) (data i)) Z.zero) Z.zero) (map trie_of (relations c)) = true).
  { intros i I; specialize (F i I); unfold fault in F; cbn [start the ties] in F.
    destruct (Z.ltb _ (over (data i))) eqn:F1; [|discriminate].
    destruct (ascends _ _) eqn:F2 in F; [|discriminate].
    destruct (forallb _ _) eqn:F3 in F; [|discriminate].
    destruct (Z.leb _ (weight i)) eqn:F4 in F; [|discriminate].
    split; [split; [now apply Z.ltb_lt in F1 | now apply ascends_increasing]|].
    split; [now apply lez | auto]. }
  assert (R : forall i, In i items -> regular c (data i)) by (intros i I; apply (F1 i I)).
  assert (G : forall i, In i items -> 0 <= IZR (weight i)) by (intros i I; apply (F1 i I)).
  assert (M : forall i, In i items -> IZR (signed (data i) (product (trie_of w) (full c (last c) (data i)) Z.zero))
              = IZR (over (data i)) * margin c (vector_of w) (data i)).
  { intros i I; rewrite margin_product by auto; f_equal; apply margin_ext; intros j.
    unfold vector_in, vector_of; now rewrite get_trie_of by apply Aw. }
  assert (Rel : Forall (related c (map data items)) (relations c)).
  { apply Forall_forall; intros v Iv; rewrite forallb_forall in Ar; specialize (Ar v Iv); conj.
    match goal with A : ascends _ v = true |- _ => apply ascends_increasing in A; rename A into Av end.
    assert (Pv := increasing_proper _ _ Av). split; [|split]; auto.
    - match goal with A : existsb _ v = true |- _ => apply existsb_exists in A as [[k x] [I X]] end.
      exists k; split; [apply in_columns, Pv; apply (in_map fst _ _ I)|].
      unfold vector_of; rewrite (value_present k x); auto; [|apply Pv].
      apply negb_true_iff, Z.eqb_neq in X; now apply IZR_neq.
    - apply every_item; intros i I; destruct (F1 i I) as [Ri [_ Z]].
      rewrite forallb_forall in Z; specialize (Z (trie_of v) (in_map _ _ _ Iv)); apply Z.eqb_eq in Z.
      assert (E := margin_product c (data i) (trie_of v) Ri).
      rewrite Z, signed_sign in E; unfold Z.zero in E; rewrite Rmult_0_r in E.
      rewrite (margin_ext c _ (vector_of v) (vector_in (trie_of v)))
        by (intros j; unfold vector_in, vector_of; now rewrite get_trie_of by apply Pv).
      assert (O := over_pos c _ Ri). symmetry in E; apply Rmult_integral in E as [E|E]; lra. }
  split; [now apply every_item|].
  repeat (split; [congruence || lia|]); split; [|exact Rel].
  unfold verdict_holds; unfold fault in F; cbn [start the ties plane plane2] in F.
  destruct (says c) as [lo hi radius bound|covered|covered]; cbv zeta in F.
  - (* separable *)
    destruct (_ && _) eqn:Q in C; [|discriminate]; destruct (Z.ltb _ _) eqn:B in C; [|discriminate].
    destruct (Z.leb _ _) eqn:A in H; [|discriminate]; clear H C. unfold positive_ratio in Q; conj.
    repeat match goal with H : Z.ltb Z.zero _ = true |- _ => apply ltz in H end.
    apply Z.ltb_lt, IZR_lt in B; rewrite !mult_IZR, !square_IZR in B.
    apply Z.leb_le, IZR_le in A; rewrite !mult_IZR, !square_IZR, T in A.
    assert (F2 : forall i, In i items ->
      0 < IZR (signed (data i) (product (trie_of w) (full c (last c) (data i)) Z.zero)) /\
      IZR (num lo) * IZR (num lo) * IZR (squares w Z.zero) * (IZR (over (data i)) * IZR (over (data i)))
        <= IZR (den lo) * IZR (den lo)
           * (IZR (signed (data i) (product (trie_of w) (full c (last c) (data i)) Z.zero))
              * IZR (signed (data i) (product (trie_of w) (full c (last c) (data i)) Z.zero))) /\
      IZR (den radius) * IZR (den radius) * IZR (squares (full c (last c) (data i)) Z.zero)
        <= IZR (num radius) * IZR (num radius) * (IZR (over (data i)) * IZR (over (data i)))).
    { intros i I; specialize (F i I); demands F.
      repeat match goal with H : Z.leb (_ * _) _ = true |- _ =>
        apply Z.leb_le, IZR_le in H; rewrite !mult_IZR, !square_IZR in H end.
      split; [now apply ltz | split; assumption]. }
    assert (Lo : reached c (map data items) (value lo)).
    { apply (lo_sound c items R w); auto.
      - intros ->; simpl in S3; lra.
      - intros i I; exists (signed (data i) (product (trie_of w) (full c (last c) (data i)) Z.zero)).
        destruct (F2 i I) as [? [? _]]; auto. }
    assert (Hi := hi_sound c items R hi ltac:(auto) ltac:(auto) G S3 A).
    assert (Ra : every (map data items) (fun r => norm (last c) (z_of c r) <= value radius)).
    { apply every_item; intros i I; apply radius_sound; auto; apply (F2 i I). }
    split; [|split; [|split]]; auto.
    + exists (vector_of w); apply every_item; intros i I; destruct (F2 i I) as [P _].
      rewrite M in P by auto; assert (O := over_pos c _ (R i I)). nra.
    + destruct (completeness (reached c (map data items))) as [best L].
      * exists (value hi); exact Hi.
      * exists (value lo); exact Lo.
      * exists best; split; auto; destruct L as [L1 L2]; split; [split|].
        -- apply Rdiv_lt_0_compat; auto.
        -- apply L1, Lo.
        -- apply L2; exact Hi.
    + apply (bound_sound c items lo radius); auto.
  - (* inseparable *)
    demands H. split; [now apply witness_sound|].
    intros -> u U; apply every_item; intros i I.
    assert (P : forall k, In k items -> 0 < IZR (cover k)).
    { intros k K; specialize (F k K); demands F; now apply ltz. }
    apply (cover_sound c items R u); auto. intros k K; left; auto.
  - (* quasi-separable *)
    demands H. assert (F2 : forall i, In i items ->
      (if named (data i) then 0 < margin c (vector_of w) (data i) else margin c (vector_of w) (data i) = 0)
      /\ (if covered && negb (named (data i)) then 0 < IZR (cover i) else IZR (cover i) = 0)).
    { intros i I; specialize (F i I); assert (Mi := M i I); assert (O := over_pos c _ (R i I)); demands F; split.
      - destruct (named (data i)).
        + match goal with H : Z.ltb Z.zero (signed _ _) = true |- _ => apply ltz in H; rewrite Mi in H end. nra.
        + match goal with H : Z.eqb (signed _ _) _ = true |- _ => apply Z.eqb_eq in H; rewrite H in Mi end.
          symmetry in Mi; apply Rmult_integral in Mi as [?|?]; lra.
      - destruct (covered && _); [now apply ltz|].
        match goal with H : Z.eqb (cover i) _ = true |- _ => apply Z.eqb_eq in H; rewrite H end. reflexivity. }
    split; [now apply witness_sound|]. split; [|split].
    + exists (vector_of w); apply every_item; intros i I; destruct (F2 i I) as [P _].
      destruct (named (data i)); split; try split; intros; try congruence; lra.
    + destruct N as [?|?]; auto; congruence.
    + intros -> u U; apply every_item; intros i I P.
      destruct (named (data i)) eqn:E; auto. exfalso.
      assert (margin c u (data i) = 0); [|lra].
      apply (cover_sound c items R u); auto.
      * intros k K; destruct (F2 k K) as [_ Z]; destruct (_ && _); lra.
      * destruct (F2 i I) as [_ Z]; rewrite E in Z; exact Z.
Qed.
Print Assumptions accepted_means.
