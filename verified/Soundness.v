(* What the checker accepts is so. *)
From Coq Require Import ZArith List FinFun Bool Reals Lra Lia Psatz.
From Novikoff Require Import Meaning Checker Novikoff.
Import ListNotations.
Open Scope R_scope.

(* The columns are those from 1 to the last, each once. *)
Lemma in_columns j d : In j (columns d) <-> (1 <= j <= d)%Z.
Proof.
  unfold columns; rewrite in_map_iff; split.
  - intros [n [<- H]]; apply in_seq in H; lia.
  - intros H; exists (Z.to_nat j); rewrite in_seq; lia.
Qed.
Lemma columns_once d : NoDup (columns d).
Proof. apply Injective_map_NoDup; [intros a b; apply Nat2Z.inj | apply seq_NoDup]. Qed.

(* Sparse vectors, and sums over their entries. *)
Fixpoint entrywise (f : Z -> Z -> Z) (s : sparse) : Z :=
  match s with End => 0%Z | Entry k v rest => (f k v + entrywise f rest)%Z end.
Definition total_at (j : Z) : sparse -> Z := entrywise (fun k v => if Z.eqb k j then v else 0%Z).

Lemma descends_decreasing s : forall a, descends a s = true -> (0 < a)%Z /\ decreasing (a - 1) s.
Proof.
  induction s as [|k v s IH]; intros a H; simpl in *; [apply Z.ltb_lt in H; unfold Z.zero in H; auto|].
  destruct (Z.ltb_spec k a); [|discriminate]. apply IH in H as [H D]. repeat split; auto; lia.
Qed.
Lemma descends_to d s : descends (Z.succ d) s = true -> decreasing d s.
Proof. intros H; apply descends_decreasing in H as [_ H]; now replace (Z.succ d - 1)%Z with d in H by lia. Qed.
Lemma decreasing_weaken s : forall a b, (a <= b)%Z -> decreasing a s -> decreasing b s.
Proof. destruct s; simpl; auto; intros a b H [K D]; split; auto; lia. Qed.
Lemma entrywise_ext f g s : forall d, decreasing d s -> (forall k v, (1 <= k <= d)%Z -> f k v = g k v) ->
  entrywise f s = entrywise g s.
Proof.
  induction s as [|k v s IH]; simpl; auto; intros d [K D] H. rewrite H, (IH _ D); auto; intros; apply H; lia.
Qed.
Lemma entrywise_zero s : entrywise (fun _ _ => 0%Z) s = 0%Z.
Proof. induction s; simpl; auto. Qed.
Lemma total_above j s : forall d, decreasing d s -> (d < j)%Z -> total_at j s = 0%Z.
Proof.
  unfold total_at; induction s as [|k v s IH]; simpl; auto; intros d [K D] H.
  rewrite (IH _ D) by lia; destruct (Z.eqb_spec k j); lia.
Qed.
Lemma value_total j s : forall d, decreasing d s -> value_at j s = total_at j s.
Proof.
  induction s as [|k v s IH]; simpl; auto; intros d [K D]; unfold total_at; simpl; fold (total_at j s).
  rewrite (IH _ D); destruct (Z.eqb_spec k j); [|lia]. rewrite (total_above j s _ D); lia.
Qed.
Lemma value_below j s : forall d, decreasing d s -> value_at j s <> 0%Z -> (1 <= j <= d)%Z.
Proof.
  induction s as [|k v s IH]; simpl; [tauto|]; intros d [K D]; destruct (Z.eqb_spec k j); [lia|].
  intros H; specialize (IH _ D H); lia.
Qed.
Lemma zeros_total j s : zeros s = true -> total_at j s = 0%Z.
Proof.
  unfold total_at; induction s as [|k v s IH]; simpl; auto.
  destruct (Z.eqb_spec v Z.zero) as [->|]; [|discriminate]. intros H; rewrite IH; auto; now destruct (Z.eqb k j).
Qed.
Lemma not_zeros s : forall d, decreasing d s -> zeros s = false -> exists j, value_at j s <> 0%Z.
Proof.
  induction s as [|k v s IH]; simpl; [discriminate|]; intros d [K D].
  destruct (Z.eqb_spec v Z.zero) as [E|E]; intros H.
  - destruct (IH _ D H) as [j J]; exists j; destruct (Z.eqb_spec k j) as [->|]; auto.
    assert (B := value_below _ _ _ D J); lia.
  - exists k; now rewrite Z.eqb_refl.
Qed.
Lemma sum_delta k x l : NoDup l -> In k l -> sum (fun j => if Z.eqb k j then x else 0) l = x.
Proof.
  induction l as [|a l IH]; simpl; [tauto|]; intros N [->|H]; inversion N; subst.
  - rewrite Z.eqb_refl. rewrite (sum_ext _ (fun _ => 0)), sum_zero; [lra|].
    intros j J; destruct (Z.eqb_spec k j); [congruence | auto].
  - rewrite IH by auto. destruct (Z.eqb_spec k a); [congruence | lra].
Qed.
Lemma dot_entrywise d s f : decreasing d s ->
  dot d (vector_of s) (fun j => IZR (f j)) = IZR (entrywise (fun k v => v * f k)%Z s).
Proof.
  intros D; transitivity (sum (fun j => IZR (total_at j s) * IZR (f j)) (columns d)).
  { apply sum_ext; intros; unfold vector_of; now rewrite (value_total _ _ _ D). }
  enough (G : forall b, (b <= d)%Z -> decreasing b s -> sum (fun j => IZR (total_at j s) * IZR (f j)) (columns d)
    = IZR (entrywise (fun k v => v * f k)%Z s)) by (apply (G d); auto; lia).
  clear D; induction s as [|k v s IH]; intros b B; simpl.
  - intros _; rewrite (sum_ext _ (fun _ => 0)), sum_zero; auto; intros; cbn; ring.
  - intros [K D]; rewrite plus_IZR, mult_IZR, <- (IH (k - 1)%Z) by (auto; lia).
    rewrite (sum_ext _ (fun j => (if Z.eqb k j then IZR v * IZR (f k) else 0) + IZR (total_at j s) * IZR (f j))).
    + rewrite sum_plus, sum_delta; auto using columns_once; apply in_columns; lia.
    + intros j _; unfold total_at; cbn [entrywise]; rewrite plus_IZR.
      destruct (Z.eqb_spec k j) as [<-|]; ring.
Qed.
Lemma squares_spec s : forall x, squares s x = (x + entrywise (fun _ v => v * v) s)%Z.
Proof. induction s as [|k v s IH]; intros x; simpl; [lia|]; rewrite IH; unfold square; lia. Qed.
Lemma squares_dot d s : decreasing d s -> IZR (squares s Z.zero) = dot d (vector_of s) (vector_of s).
Proof.
  intros D; unfold vector_of at 2; rewrite dot_entrywise, squares_spec by auto; unfold Z.zero; rewrite Z.add_0_l; f_equal.
  enough (G : forall b, (b <= d)%Z -> decreasing b s -> forall t, (forall j, (1 <= j <= b)%Z -> t j = value_at j s) ->
    entrywise (fun _ v => v * v)%Z s = entrywise (fun k v => v * t k)%Z s) by (apply (G d); auto; lia).
  clear D; induction s as [|k v s IH]; intros b B; simpl; auto; intros [K D] t T.
  rewrite T, Z.eqb_refl by lia; f_equal. apply (IH (k - 1)%Z); auto; [lia|].
  intros j J; rewrite T by lia; destruct (Z.eqb_spec k j); [lia | auto].
Qed.
Lemma reverse_total j s : forall out, total_at j (reverse s out) = (total_at j s + total_at j out)%Z.
Proof. unfold total_at; induction s as [|k v s IH]; intros out; simpl; [lia|]; rewrite IH; simpl; lia. Qed.

(* Chains. *)
Fixpoint found (j : Z) (c : chain) : Z :=
  match c with Stop => 0%Z | Link l x next _ _ => if Z.eqb l j then x else found j next end.
Fixpoint fine (above : Z) (c : chain) : Prop :=
  match c with
  | Stop => True
  | Link l _ next ahead jump =>
      (l < above)%Z /\ fine l next /\ fine l jump /\ forall j, (1 <= j <= ahead)%Z -> found j jump = found j next
  end.
Lemma fine_weaken c a b : (a <= b)%Z -> fine a c -> fine b c.
Proof. destruct c; simpl; auto; intros H [L F]; split; auto; lia. Qed.
Lemma found_above j c : forall a, fine a c -> (a <= j)%Z -> found j c = 0%Z.
Proof.
  induction c as [|l x next IH ahead jump _]; simpl; auto; intros a [L [N _]] H.
  destruct (Z.eqb_spec l j); [lia | apply (IH l); auto; lia].
Qed.
Lemma seek_spec k c : (1 <= k)%Z -> forall a, fine a c ->
  fine a (seek k c) /\ (forall j, (1 <= j <= k)%Z -> found j (seek k c) = found j c)
  /\ match seek k c with Stop => True | Link l _ _ _ _ => (l <= k)%Z end.
Proof.
  intros K; induction c as [|l x next IHn ahead jump IHj]; intros a F; [simpl; auto|].
  cbn [seek]; destruct (Z.ltb_spec k l) as [H|H]; [|split; [exact F | split; auto]].
  destruct F as [L [N [J A]]].
  assert (E : forall j, (1 <= j <= k)%Z -> found j (Link l x next ahead jump) = found j next).
  { intros j I; simpl; destruct (Z.eqb_spec l j); [lia | auto]. }
  destruct (Z.ltb_spec ahead k) as [M|M].
  - destruct (IHn _ N) as [F1 [F2 F3]]; split; [|split]; auto.
    + apply (fine_weaken _ l); auto; lia.
    + intros j I; rewrite F2, E; auto.
  - destruct (IHj _ J) as [F1 [F2 F3]]; split; [|split]; auto.
    + apply (fine_weaken _ l); auto; lia.
    + intros j I; rewrite F2, A, E by (auto; lia); auto.
Qed.
Lemma product_spec s : forall c a d x, fine a c -> decreasing d s ->
  product c s x = (x + entrywise (fun k v => v * found k c) s)%Z.
Proof.
  induction s as [|k v s IH]; intros c a d x F D; [simpl; lia|]; destruct D as [K D].
  cbn [product entrywise]. destruct (seek_spec k c ltac:(lia) a F) as [F1 [F2 F3]].
  assert (Fk := F2 k ltac:(lia)). destruct (seek k c) as [|l y next ahead jump]; cbv zeta.
  - rewrite <- Fk, (entrywise_ext _ (fun _ _ => 0%Z) s _ D), entrywise_zero; [simpl; lia|].
    intros j w J; rewrite <- F2 by lia; simpl; lia.
  - destruct (Z.ltb_spec l k) as [L|L].
    + assert (Q := F1); destruct Q as [_ Q]. rewrite (IH _ _ _ _ F1 D), <- Fk.
      rewrite (found_above k _ (l + 1)%Z); [|simpl; split; [lia|exact Q] | lia].
      rewrite (entrywise_ext _ (fun j w => w * found j c)%Z s _ D); [lia|].
      intros j w J; rewrite F2 by lia; auto.
    + destruct F1 as [_ [N _]]. rewrite (IH _ _ _ _ N D), <- Fk. assert (l = k) as -> by lia.
      simpl found at 2; rewrite Z.eqb_refl.
      rewrite (entrywise_ext _ (fun j w => w * found j c)%Z s _ D); [lia|].
      intros j w J; rewrite <- F2 by lia; simpl; destruct (Z.eqb_spec k j); [lia | auto].
Qed.
(* Chains are made well. *)
Fixpoint rising (from : Z) (s : sparse) : Prop :=
  match s with End => True | Entry k _ rest => (from <= k)%Z /\ rising (k + 1) rest end.
Lemma reverse_rising s : forall a out, (0 <= a)%Z -> decreasing a s -> rising (a + 1) out -> rising 1 (reverse s out).
Proof.
  induction s as [|k v s IH]; simpl; intros a out A D H.
  - destruct out; simpl in *; auto; destruct H; split; auto; lia.
  - destruct D as [K D]; apply (IH (k - 1)%Z); auto; [lia|]; simpl; split; [lia|].
    destruct out; simpl in *; auto; destruct H; split; auto; lia.
Qed.
Definition behind (c far : chain) : Prop :=
  fine (front far + 1) far /\ (front far <= front c)%Z /\ forall j, (1 <= j <= front far)%Z -> found j far = found j c.
Lemma link_spec s : forall c spans a, (1 <= a)%Z -> rising a s -> fine a c -> Forall (fun p => behind c (snd p)) spans ->
  (exists a', fine a' (link s c spans)) /\ forall j, found j (link s c spans) = (total_at j s + found j c)%Z.
Proof.
  unfold total_at; induction s as [|k v s IH]; intros c spans a A R F S; [simpl; split; [eauto | lia]|].
  destruct R as [K R]; cbn [link].
  assert (C : (front c < a)%Z) by (destruct c; simpl in *; unfold Z.zero; lia).
  assert (Self : behind c c).
  { split; [|split]; auto; [|lia]. destruct c; simpl in *; auto; destruct F; split; auto; lia. }
  enough (G : forall far spans', behind c far -> Forall (fun p => behind c (snd p)) spans' ->
    let c' := link s (Link k v c (front far) far) spans' in
    (exists a', fine a' c') /\ forall j, found j c' = (entrywise (fun k v => if Z.eqb k j then v else 0) (Entry k v s)
                                                     + found j c)%Z).
  { destruct spans as [|[n f] [|[n' f'] before]]; try (apply G; auto; constructor; auto).
    inversion S as [|? ? S1 S2]; inversion S2 as [|? ? S3 S4]; subst; simpl in S1, S3.
    destruct (Z.eqb n n'); apply G; auto; constructor; auto. }
  intros far spans' B S'. destruct B as [B1 [B2 B3]].
  assert (F' : fine (k + 1) (Link k v c (front far) far)).
  { split; [lia|]; split; [apply (fine_weaken _ a); auto|]; split; auto. apply (fine_weaken _ (front far + 1)%Z); auto; lia. }
  destruct (IH (Link k v c (front far) far) spans' (k + 1)%Z ltac:(lia) R F') as [E1 E2].
  - eapply Forall_impl; [|exact S']. intros [n f] [Q1 [Q2 Q3]]; simpl snd in *.
    split; [|split]; auto; [simpl; lia|]. intros j J; simpl; destruct (Z.eqb_spec k j); [lia | auto].
  - cbv zeta; split; auto. intros j; rewrite E2; simpl; destruct (Z.eqb_spec k j) as [<-|]; [|lia].
    rewrite (found_above k c a); auto; lia.
Qed.
Lemma chain_of_spec d s : (0 <= d)%Z -> decreasing d s ->
  (exists a, fine a (chain_of s)) /\ forall j, found j (chain_of s) = value_at j s.
Proof.
  intros P D; unfold chain_of.
  destruct (link_spec (reverse s End) Stop [] 1) as [F E]; simpl; auto; [lia | now apply (reverse_rising s d) |].
  split; auto; intros j; rewrite E, reverse_total, (value_total _ _ _ D); cbn; lia.
Qed.

(* Tables, and what is looked up. *)
Lemma entry_listed last j s : forall d out, decreasing d s -> (d <= last)%Z ->
  entry j (table_of last (listed s out)) =
  fold_left (fun found p => if Z.eqb (fst p) j then snd p else found) (table_of last out) (value_at j s).
Proof.
  unfold entry, table_of; induction s as [|k v s IH]; intros d out D L; [reflexivity|].
  destruct D as [K D]; cbn [listed value_at]. rewrite (IH (k - 1)%Z) by (auto; lia). cbn [filter fst].
  replace (Z.leb Z.zero k && Z.leb k last) with true; [reflexivity|].
  symmetry; apply andb_true_intro; split; apply Z.leb_le; unfold Z.zero; lia.
Qed.
Lemma entry_table d j s : decreasing d s -> entry j (table_of d (listed s [])) = value_at j s.
Proof. intros D; now rewrite (entry_listed d j s d) by (auto; lia). Qed.
Lemma indexed_product_spec t s : forall x, indexed_product t s x = (x + entrywise (fun k v => v * entry k t) s)%Z.
Proof. induction s as [|k v s IH]; intros x; simpl; [lia|]; rewrite IH; lia. Qed.
Lemma times_spec d s a : (0 <= d)%Z -> decreasing d s -> decreasing d a ->
  times (finder_of d s) a = entrywise (fun k v => v * value_at k s)%Z a.
Proof.
  intros P D A; unfold finder_of, times. destruct (Z.leb d most_columns).
  - rewrite indexed_product_spec; unfold Z.zero; rewrite Z.add_0_l. apply (entrywise_ext _ _ _ d); auto.
    intros; now rewrite entry_table.
  - destruct (chain_of_spec d s P D) as [[b F] E]. rewrite (product_spec _ _ b d) by auto; unfold Z.zero; rewrite Z.add_0_l.
    apply (entrywise_ext _ _ _ d); auto. intros; now rewrite E.
Qed.

(* Sums of rows. *)
Fixpoint held (j : Z) (b : bank) : Z :=
  match b with [] => 0%Z | None :: rest => held j rest | Some s :: rest => (total_at j s + held j rest)%Z end.
Lemma pass_total j up k s : forall out, match pass up k s out with
  Two s' out' => (total_at j s' + total_at j out' = total_at j s + total_at j out)%Z end.
Proof.
  unfold total_at; induction s as [|l y s IH]; intros out; simpl; auto.
  destruct (before up l k); [|reflexivity]. specialize (IH (Entry l y out)); destruct (pass _ _ _ _); simpl in *; lia.
Qed.
Lemma merge_total j up s : forall t out,
  total_at j (merge up s t out) = (total_at j s + total_at j t + total_at j out)%Z.
Proof.
  induction s as [|k v s IH]; intros t out; cbn [merge]; [rewrite reverse_total; cbn; lia|].
  assert (P := pass_total j up k t out); destruct (pass up k t out) as [[|l y t'] out'].
  - rewrite reverse_total; unfold total_at in *; simpl in *; lia.
  - destruct (Z.eqb_spec k l) as [<-|]; rewrite IH; unfold total_at in *; simpl in *; destruct (Z.eqb k j); lia.
Qed.
Lemma scale_total j w s : forall out, total_at j (scale w s out) = (w * total_at j s + total_at j out)%Z.
Proof.
  unfold total_at; induction s as [|k v s IH]; intros out; simpl; [lia|]; rewrite IH; simpl; destruct (Z.eqb k j); lia.
Qed.
Lemma deposit_held j b : forall up s, held j (deposit up s b) = (total_at j s + held j b)%Z.
Proof. induction b as [|[t|] b IH]; intros up s; simpl; auto; rewrite IH, merge_total; cbn; lia. Qed.
Lemma collapse_total j b : forall up s, total_at j (collapse up s b) = (total_at j s + held j b)%Z.
Proof.
  induction b as [|[t|] b IH]; intros up s; simpl; [lia| |]; rewrite IH; [rewrite merge_total | rewrite reverse_total];
    cbn; lia.
Qed.
Lemma sum_of_total j b : total_at j (sum_of b) = held j b.
Proof. unfold sum_of; rewrite collapse_total; reflexivity. Qed.
Lemma in_order_total d j s : total_at j (in_order d s) = total_at j s.
Proof. unfold in_order; destruct (descends _ _); auto; rewrite reverse_total; cbn; lia. Qed.
Definition vector_in (b : bank) : vector := fun j => IZR (held j b).
Lemma vanishes_dot d b u : vanishes b = true -> dot d (vector_in b) u = 0.
Proof.
  unfold vanishes, dot; intros H; rewrite (sum_ext _ (fun _ => 0)), sum_zero; auto.
  intros j _; unfold vector_in; rewrite <- sum_of_total, zeros_total by auto; lra.
Qed.
Lemma dot_ext d u u' v v' : (forall j, u j = u' j) -> (forall j, v j = v' j) -> dot d u v = dot d u' v'.
Proof. intros H H'; apply sum_ext; intros; now rewrite H, H'. Qed.
Lemma length2_dot d b : let s := in_order d (sum_of b) in descends (Z.succ d) s = true ->
  IZR (squares s Z.zero) = dot d (vector_in b) (vector_in b).
Proof.
  intros s H; apply descends_to in H; rewrite (squares_dot d) by auto.
  assert (E : forall j, vector_of s j = vector_in b j).
  { intros j; unfold vector_of, vector_in; rewrite (value_total _ _ _ H); unfold s.
    now rewrite in_order_total, sum_of_total. }
  now apply dot_ext.
Qed.
Lemma scale_scale d k u v : dot d (fun j => k * u j) (fun j => k * v j) = k * k * dot d u v.
Proof. rewrite dot_scale, dot_sym, dot_scale, dot_sym; ring. Qed.

(* Estimates. *)
Lemma size_abs x : size_of x = Z.abs x.
Proof. unfold size_of, Z.zero; destruct (Z.ltb_spec x 0); lia. Qed.
Lemma fits_spec grain most w : (0 < grain)%Z -> (0 < most)%Z -> forall rough, fits grain most w rough = true -> forall j,
  (grain * value_at j rough <= value_at j w < grain * value_at j rough + grain)%Z /\ (Z.abs (value_at j rough) < most)%Z.
Proof.
  intros G M; induction w as [|k v w IH]; intros [|l x rough]; simpl; try discriminate; [intros; lia|].
  rewrite size_abs; destruct (Z.eqb_spec k l) as [<-|]; [|discriminate].
  destruct (Z.leb_spec (grain * x) v); [|discriminate]. destruct (Z.ltb_spec v (grain * x + grain)); [|discriminate].
  destruct (Z.ltb_spec (Z.abs x) most); [|discriminate]. cbn [andb]; intros F j.
  destruct (Z.eqb k j); auto.
Qed.
Lemma fits_decreasing grain most w : forall rough d, fits grain most w rough = true -> decreasing d w -> decreasing d rough.
Proof.
  induction w as [|k v w IH]; intros [|l x rough] d; simpl; try discriminate; auto.
  destruct (Z.eqb_spec k l) as [<-|]; [|discriminate].
  destruct (_ && _ && _); [|discriminate]. intros F [K D]; split; auto.
Qed.
Lemma near_product u g m v h w x : (0 < u)%Z -> (0 < g)%Z -> (u * h <= v < u * h + u)%Z -> (g * x <= w < g * x + g)%Z ->
  (Z.abs x < m)%Z -> (Z.abs (v * w - u * g * (h * x)) <= u * g * (Z.abs h + m))%Z.
Proof.
  intros U G V W M. set (l := (v - u * h)%Z); set (n := (w - g * x)%Z).
  replace (v * w - u * g * (h * x))%Z with (u * h * n + l * w)%Z by (unfold l, n; ring).
  assert (Z.abs w <= g * m)%Z by nia. assert (0 <= l < u)%Z by (unfold l; lia). assert (0 <= n < g)%Z by (unfold n; lia).
  assert (A : (Z.abs (u * h * n) <= u * g * Z.abs h)%Z) by (rewrite !Z.abs_mul, (Z.abs_eq u), (Z.abs_eq n) by lia; nia).
  assert (B : (Z.abs (l * w) <= u * (g * m))%Z) by (rewrite Z.abs_mul, (Z.abs_eq l) by lia; nia).
  rewrite Z.mul_add_distr_l. lia.
Qed.
Lemma near_square u v h : (0 < u)%Z -> (u * h <= v < u * h + u)%Z -> (v * v <= u * u * (h * h + (2 * Z.abs h + 1)))%Z.
Proof.
  intros U V. set (l := (v - u * h)%Z). assert (0 <= l < u)%Z by (unfold l; lia).
  replace (v * v)%Z with (u * u * (h * h) + 2 * (u * h * l) + l * l)%Z by (unfold l; ring).
  assert (l * l <= u * u)%Z by nia. assert (h * l <= u * Z.abs h)%Z by (destruct (Z.abs_spec h) as [[? ->]|[? ->]]; nia).
  assert (u * h * l <= u * u * Z.abs h)%Z by (rewrite <- !Z.mul_assoc; apply Z.mul_le_mono_nonneg_l; lia).
  replace (u * u * (h * h + (2 * Z.abs h + 1)))%Z with (u * u * (h * h) + 2 * (u * u * Z.abs h) + u * u)%Z by ring. lia.
Qed.
Fixpoint digits_of (u : Z) (s digits : sparse) : Prop :=
  match s, digits with
  | End, End => True
  | Entry k v s, Entry l h digits => k = l /\ (u * h <= v < u * h + u)%Z /\ digits_of u s digits
  | _, _ => False
  end.
Lemma near_products u g m f r : (0 < u)%Z -> (0 < g)%Z ->
  (forall j, (g * r j <= f j < g * r j + g)%Z /\ (Z.abs (r j) < m)%Z) -> forall s digits, digits_of u s digits ->
  (Z.abs (entrywise (fun k v => v * f k) s - u * g * entrywise (fun k v => v * r k) digits)
   <= u * g * (entrywise (fun _ v => size_of v) digits + entrywise (fun _ _ => 1) digits * m))%Z.
Proof.
  intros U G H; induction s as [|k v s IH]; intros [|l h digits]; simpl digits_of; try tauto; cbn [entrywise]; [lia|].
  intros [<- [D Q]]. destruct (H k) as [H1 H2]. assert (P := near_product u g m v h (f k) (r k) U G D H1 H2).
  specialize (IH digits Q). rewrite size_abs, !Z.mul_add_distr_l in *. lia.
Qed.
Lemma near_squares u : (0 < u)%Z -> forall s digits, digits_of u s digits ->
  (squares s Z.zero <= square u * (entrywise (fun _ v => v * v) digits
     + (2 * entrywise (fun _ v => size_of v) digits + entrywise (fun _ _ => 1) digits)))%Z.
Proof.
  intros U s digits; rewrite squares_spec; unfold Z.zero; rewrite Z.add_0_l; revert digits.
  induction s as [|k v s IH]; intros [|l h digits]; simpl digits_of; try tauto; cbn [entrywise]; [lia|].
  intros [_ [D Q]]. assert (P := near_square u v h U D). specialize (IH digits Q). unfold square in *.
  rewrite size_abs in *. lia.
Qed.
Lemma digits_decreasing u s : forall digits d, digits_of u s digits -> decreasing d digits -> decreasing d s.
Proof.
  induction s as [|k v s IH]; intros [|l h digits] d; simpl; try tauto. intros [-> [_ Q]] [K D]; split; eauto.
Qed.
Lemma shifted_leb_spec x y k e g : shifted_leb x y k = true -> (0 <= e)%Z -> (0 <= g)%Z -> (e = g + k)%Z ->
  (x * 2 ^ e <= y * 2 ^ g)%Z.
Proof.
  unfold shifted_leb; intros H E G ->. destruct (Z.leb_spec Z.zero k) as [K|K]; apply Z.leb_le in H; unfold Z.zero in K.
  - rewrite Z.shiftl_mul_pow2 in H by lia. rewrite Z.pow_add_r, (Z.mul_comm (2 ^ g)), Z.mul_assoc by lia.
    apply Z.mul_le_mono_nonneg_r; auto; apply Z.pow_nonneg; lia.
  - rewrite Z.shiftl_mul_pow2 in H by lia. replace (2 ^ g)%Z with (2 ^ (- k) * 2 ^ (g + k))%Z
      by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    rewrite Z.mul_assoc. apply Z.mul_le_mono_nonneg_r; auto; apply Z.pow_nonneg; lia.
Qed.

(* The signed row times [over]. *)
Section Rows.
  Variable c : claim.
  Hypothesis W : (0 < width c)%Z.
  Notation a r := (full c (last c) r).
  Definition sign (r : row) : R := if label r then 1 else -1.
  Lemma signed_sign r x : IZR (signed r x) = sign r * IZR x.
  Proof. unfold signed, sign; destruct (label r); [|rewrite opp_IZR]; lra. Qed.
  Lemma last_pos : (0 < last c)%Z.
  Proof. unfold last; destruct (intercept c); lia. Qed.
  Lemma full_decreasing r : regular c r -> decreasing (last c) (a r).
  Proof.
    intros [_ R]; unfold full, last; destruct (intercept c); auto; split; [lia|].
    apply (decreasing_weaken _ (width c)); auto; lia.
  Qed.
  Lemma over_pos r : regular c r -> 0 < IZR (over r).
  Proof. intros [O _]; now apply IZR_lt in O. Qed.
  Lemma z_full r j : regular c r -> IZR (over r) * z_of c r j = sign r * vector_of (a r) j.
  Proof.
    intros R; assert (O := over_pos r R); unfold z_of, x_of, sign, full, vector_of.
    destruct (intercept c); cbn [andb value_at].
    - rewrite (Z.eqb_sym j); destruct (Z.eqb (last c) j), (label r); field; lra.
    - destruct (label r); field; lra.
  Qed.
  Lemma margin_full r u : regular c r ->
    IZR (over r) * margin c u r = sign r * dot (last c) (vector_of (a r)) u.
  Proof.
    intros R; unfold margin; rewrite <- !dot_scale; apply dot_ext; auto; intros; now apply z_full.
  Qed.
  Definition exact (f : Z -> Z) (r : row) : Z := signed r (entrywise (fun k v => v * f k)%Z (a r)).
  Lemma margin_exact r f : regular c r -> IZR (exact f r) = IZR (over r) * margin c (fun j => IZR (f j)) r.
  Proof. intros R; unfold exact; rewrite margin_full, signed_sign, dot_entrywise; auto using full_decreasing. Qed.
  Lemma product_exact s r : decreasing (last c) s -> regular c r ->
    signed r (product (chain_of s) (a r) Z.zero) = exact (fun j => value_at j s) r.
  Proof.
    intros D R; unfold exact; f_equal. assert (P := last_pos).
    destruct (chain_of_spec (last c) s ltac:(lia) D) as [[b F] E].
    rewrite (product_spec _ _ b (last c)) by auto using full_decreasing; unfold Z.zero; rewrite Z.add_0_l.
    apply (entrywise_ext _ _ _ (last c)); auto using full_decreasing. intros; now rewrite E.
  Qed.
  Lemma times_exact s r : decreasing (last c) s -> regular c r ->
    signed r (times (finder_of (last c) s) (a r)) = exact (fun j => value_at j s) r.
  Proof.
    intros D R; unfold exact; f_equal. assert (P := last_pos). apply times_spec; auto using full_decreasing; lia.
  Qed.
  Lemma norm_full r : regular c r ->
    IZR (squares (a r) Z.zero) = IZR (over r) * IZR (over r) * dot (last c) (z_of c r) (z_of c r).
  Proof.
    intros R; rewrite (squares_dot (last c)) by auto using full_decreasing.
    rewrite <- scale_scale.
    transitivity (dot (last c) (fun j => sign r * vector_of (a r) j) (fun j => sign r * vector_of (a r) j)).
    - rewrite scale_scale; unfold sign; destruct (label r); ring.
    - apply dot_ext; intros; symmetry; now apply z_full.
  Qed.
  Lemma margin_ext r u v : (forall j, u j = v j) -> margin c u r = margin c v r.
  Proof. intros; now apply dot_ext. Qed.

  (* The sum of the rows under weights g, as it is gathered. *)
  Variable g : item -> Z.
  Definition gathered (items : list item) (t : bank) : bank :=
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
    rewrite deposit_held, scale_total; unfold vector_of; rewrite (value_total _ _ (last c)) by now apply full_decreasing.
    cbn [total_at entrywise]; rewrite Z.add_0_r, plus_IZR, mult_IZR, signed_sign; ring.
  Qed.
  Lemma gathered_dot items u : (forall i, In i items -> regular c (data i)) ->
    dot (last c) (vector_in (gathered items [])) u = sum (fun i => share i * margin c u (data i)) items.
  Proof.
    intros H; unfold margin, dot.
    rewrite (sum_ext (fun i => share i * _)
      (fun i => sum (fun j => share i * (z_of c (data i) j * u j)) (columns (last c)))) by (intros; now rewrite sum_scale).
    rewrite sum_swap; apply sum_ext; intros j _.
    rewrite gathered_at by auto; unfold vector_in at 1; cbn [held]; rewrite Rplus_0_l.
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
  Hypothesis W : (0 < width c)%Z.
  Hypothesis R : forall i, In i items -> regular c (data i).
  Notation rows := (map data items).
  Lemma every_item (P : row -> Prop) : (forall i, In i items -> P (data i)) <-> every rows P.
  Proof.
    split; intros H; [intros r I; apply in_map_iff in I as [i [<- I]]; auto|].
    intros i I; apply H, in_map, I.
  Qed.

  Lemma balance g u : (forall i, In i items -> 0 <= IZR (g i)) ->
    vanishes (gathered c g items []) = true -> (forall i, In i items -> 0 <= margin c u (data i)) ->
    forall i, In i items -> share g i * margin c u (data i) = 0.
  Proof.
    intros G V M; apply (sum_null (fun i => share g i * margin c u (data i))).
    - intros i I; unfold share; assert (O := over_pos c _ (R i I)); specialize (G i I); specialize (M i I).
      repeat apply Rmult_le_pos; lra.
    - rewrite <- gathered_dot by auto; now apply vanishes_dot.
  Qed.
  Lemma witness_sound : (forall i, In i items -> 0 <= IZR (weight i)) -> 0 < sum (share weight) items ->
    vanishes (gathered c weight items []) = true -> ~ separable c rows.
  Proof.
    intros G T V [u U]. rewrite <- every_item in U.
    assert (B := balance weight u G V (fun i I => Rlt_le _ _ (U i I))).
    rewrite (sum_ext _ (fun _ => 0)), sum_zero in T; [lra|].
    intros i I; specialize (B i I); specialize (U i I); cbv beta in U.
    apply Rmult_integral in B as [B|B]; lra.
  Qed.
  Lemma cover_sound u : (forall i, In i items -> 0 <= IZR (cover i)) ->
    vanishes (gathered c cover items []) = true -> every rows (fun r => 0 <= margin c u r) ->
    forall i, In i items -> 0 < IZR (cover i) -> margin c u (data i) = 0.
  Proof.
    intros G V M i I P. rewrite <- every_item in M.
    assert (B := balance cover u G V M i I). assert (O := over_pos c _ (R i I)).
    unfold share in B. apply Rmult_integral in B as [B|B]; auto. nra.
  Qed.
  Lemma hi_sound hi : 0 < IZR (den hi) -> 0 < IZR (num hi) ->
    (forall i, In i items -> 0 <= IZR (weight i)) -> 0 < sum (share weight) items ->
    descends (Z.succ (last c)) (in_order (last c) (sum_of (gathered c weight items []))) = true ->
    IZR (den hi) * IZR (den hi) * IZR (squares (in_order (last c) (sum_of (gathered c weight items []))) Z.zero)
      <= IZR (num hi) * IZR (num hi) * (sum (share weight) items * sum (share weight) items) ->
    forall m, reached c rows m -> m <= value hi.
  Proof.
    intros D N G T O H m [u [U M]]. rewrite <- every_item in M.
    set (A := vector_in (gathered c weight items [])) in *; set (t := sum (share weight) items) in *.
    rewrite length2_dot in H by exact O; clear O; fold A in H; rewrite <- norm_square in H.
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
  Lemma lo_sound w lo : 0 < IZR (den lo) -> 0 < IZR (num lo) -> decreasing (last c) w -> items <> [] ->
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

(* Guesses and estimates. *)
Section Guesses.
  Variables (c : claim) (w : sparse) (g : guess) (lo radius : ratio) (r : row).
  Notation a := (full c (last c) r).
  Notation m := (exact c (fun j => value_at j w) r).
  Hypotheses (W : (0 < width c)%Z) (Aw : decreasing (last c) w) (U : useful lo w g = true) (R : regular c r).
  Lemma far_enough x : (near g * over r <= x)%Z -> (x <= m)%Z ->
    (0 < m)%Z /\ (square (num lo) * squares w Z.zero * square (over r) <= square (den lo) * square m)%Z.
  Proof.
    intros X M; destruct R as [O _]; unfold useful in U; conj.
    repeat match goal with H : Z.ltb _ _ = true |- _ => apply Z.ltb_lt in H
                         | H : Z.leb _ _ = true |- _ => apply Z.leb_le in H end.
    unfold Z.zero in *. assert (0 < near g * over r)%Z by nia. split; [lia|].
    apply Z.le_trans with (square (den lo) * square (near g) * square (over r))%Z.
    - apply Z.mul_le_mono_nonneg_r; auto; unfold square; nia.
    - rewrite <- Z.mul_assoc; apply Z.mul_le_mono_nonneg_l; [unfold square; nia|].
      unfold square; replace (near g * near g * (over r * over r))%Z with (near g * over r * (near g * over r))%Z by ring.
      apply Z.mul_le_mono_nonneg; lia.
  Qed.
  Lemma tested s : guessed s = g -> plane s = finder_of (last c) w -> plane2 s = squares w Z.zero -> measured s r a lo radius = None ->
    (0 < m)%Z /\ (square (num lo) * squares w Z.zero * square (over r) <= square (den lo) * square m)%Z
    /\ (square (den radius) * squares a Z.zero <= square (num radius) * square (over r))%Z.
  Proof.
    intros E1 E2 E3; unfold measured, far; rewrite E1, E2, E3, times_exact by auto; intros F; cbv zeta in F; demands F.
    apply Z.ltb_lt in D; apply orb_prop in D0. apply Z.leb_le in D1. split; [exact D|]. split; auto.
    destruct D0 as [D0|D0]; apply Z.leb_le in D0; auto. apply (far_enough _ D0); lia.
  Qed.
  (* The first digits suffice: what they say of the row is so. *)
  Lemma digits_decrease u digits : digits_of u a digits -> decreasing (last c) digits.
  Proof.
    intros D. assert (Da := full_decreasing c W r R). revert D Da. generalize a as s0. generalize (last c). clear.
    intros z s0; revert z digits. induction s0 as [|k0 v s0 IH]; intros z [|l h digits]; simpl; try tauto.
    intros [-> [_ Q]] [K D]; split; eauto.
  Qed.
  Lemma surely_far_is s digits inner size count k e unit : guessed s = g ->
    surely_far s (label r) inner size count k = true -> inner = entrywise (fun k v => v * value_at k (rough g))%Z digits ->
    size = entrywise (fun _ v => size_of v) digits -> count = entrywise (fun _ _ => 1%Z) digits ->
    (0 <= e)%Z -> (0 <= unit)%Z -> e = (unit + k)%Z -> over r = (2 ^ e)%Z -> digits_of (2 ^ unit) a digits ->
    (near g * over r <= m)%Z.
  Proof.
    intros E1 H -> -> -> P1 P2 P3 O D. unfold surely_far in H; rewrite E1 in H.
    assert (F := U); unfold useful in F; conj.
    repeat match goal with H : Z.ltb Z.zero _ = true |- _ => apply Z.ltb_lt in H end.
    assert (0 < grain g)%Z by assumption. assert (0 < most g)%Z by assumption.
    match goal with H : fits _ _ _ _ = true |- _ => rename H into Hf end.
    assert (K := fits_spec (grain g) (most g) w ltac:(assumption) ltac:(assumption) _ Hf).
    assert (U1 : (0 < 2 ^ unit)%Z) by (apply Z.pow_pos_nonneg; lia).
    assert (N1 := near_products (2 ^ unit) (grain g) (most g) (fun j => value_at j w) (fun j => value_at j (rough g))
      U1 ltac:(assumption) K _ _ D).
    apply (shifted_leb_spec _ _ _ e unit) in H; auto.
    rewrite O. unfold exact, signed; cbv beta in *; destruct (label r); nia.
  Qed.
  Lemma surely_short_is x k e unit : surely_short radius x k = true ->
    (0 <= e)%Z -> (0 <= unit)%Z -> e = (unit + k)%Z -> over r = (2 ^ e)%Z -> (squares a Z.zero <= square (2 ^ unit) * x)%Z ->
    (square (den radius) * squares a Z.zero <= square (num radius) * square (over r))%Z.
  Proof.
    intros H P1 P2 P3 O S. apply (shifted_leb_spec _ _ _ (2 * unit) (2 * e)) in H; [|lia..].
    rewrite O; replace (square (2 ^ e)) with (2 ^ (2 * e))%Z by (unfold square; rewrite <- Z.pow_add_r by lia; f_equal; lia).
    eapply Z.le_trans; [|exact H]. rewrite <- Z.mul_assoc. apply Z.mul_le_mono_nonneg_l; [unfold square; nia|].
    replace (2 ^ (2 * unit))%Z with (square (2 ^ unit)) by (unfold square; rewrite <- Z.pow_add_r by lia; f_equal; lia).
    rewrite Z.mul_comm; exact S.
  Qed.
  Lemma digits_suffice s digits inner size count k unit length l unit' e hi bound : guessed s = g ->
    plane s = finder_of (last c) w -> the s = c -> says c = Separable lo hi radius bound ->
    clear s (label r) inner size count k length l = true -> inner = entrywise (fun k v => v * value_at k (rough g))%Z digits ->
    size = entrywise (fun _ v => size_of v) digits -> count = entrywise (fun _ _ => 1%Z) digits ->
    (0 <= e)%Z -> (0 <= unit)%Z -> e = (unit + k)%Z -> (0 <= unit')%Z -> e = (unit' + l)%Z -> over r = (2 ^ e)%Z ->
    digits_of (2 ^ unit) a digits -> (squares a Z.zero <= square (2 ^ unit') * length)%Z -> measured s r a lo radius = None.
  Proof.
    intros E1 E2 E3 E4 H I1 I2 I3 P1 P2 P3 P4 P5 O D S. unfold clear in H; rewrite E3, E4 in H.
    destruct (ties s); try discriminate. destruct (complaint s); try discriminate. apply andb_prop in H as [Hf Hs].
    assert (M := surely_far_is s digits inner size count k e unit E1 Hf I1 I2 I3 P1 P2 P3 O D).
    assert (Q := surely_short_is length l e unit' Hs P1 P4 P5 O S).
    assert (0 < over r)%Z by (destruct R; auto).
    assert (0 < near g)%Z by (assert (F := U); unfold useful in F; conj; match goal with H : Z.ltb Z.zero (near g) = true |- _ =>
      apply Z.ltb_lt in H; exact H end).
    unfold measured, far; rewrite E1, E2, times_exact by auto; cbv zeta.
    destruct (Z.ltb_spec Z.zero m) as [L|L]; [|unfold Z.zero in L; nia].
    apply Z.leb_le in M, Q. rewrite M, Q. reflexivity.
  Qed.
End Guesses.

Theorem accepted_means : forall c plane guess items, check c plane guess items = Accepted -> meaning c (map data items).
Proof.
  intros c w g items H; unfold check, finish in H.
  set (s := fold_left step items (start c w g)) in *.
  destruct (verdict_of s) eqn:V; [discriminate|]; clear H; rename V into H.
  destruct (fold_still items (start c w g)) as [T1 T2]; fold s in T1, T2; simpl in T1, T2.
  unfold verdict_of in H. rewrite T1, T2 in H.
  destruct (complaint s) eqn:C; [discriminate|].
  apply fold_complaint in C as [C F]; cbn [start complaint the top] in C, F.
  destruct (fold_sizes items (start c w g)) as [Sp Sm]; fold s in Sp, Sm; cbn [start seen_plus seen_minus] in Sp, Sm.
  assert (W := fold_weights items (start c w g)); fold s in W; cbn [start the top weights] in W.
  assert (K := fold_covers items (start c w g)); fold s in K; cbn [start the top covers] in K.
  fold (gathered c weight items []) in W; fold (gathered c cover items []) in K.
  assert (T := fold_total items (start c w g)); fold s in T; cbn [start total] in T.
  rewrite Rplus_0_l in T.
  assert (N := fold_name items (start c w g)); fold s in N; cbn [start seen_name] in N.
  rewrite Sp, Sm, W, K in H; clear Sp Sm W K.
  destruct (_ && _) eqn:S1 in H; [|discriminate].
  destruct (_ && _) eqn:S2 in H; [|discriminate].
  destruct (Z.ltb _ (total s)) eqn:S3; [|discriminate].
  conj. repeat match goal with H : Z.eqb _ _ = true |- _ => apply Z.eqb_eq in H end.
  repeat match goal with H : Z.ltb _ (_ + _) = true |- _ => apply Z.ltb_lt in H end.
  unfold Z.zero in *; rewrite ?Z.add_0_l in *.
  apply ltz in S3; rewrite T in S3.
  unfold objection in C.
  destruct (Z.ltb _ (width c)) eqn:W; [|discriminate]; apply Z.ltb_lt in W.
  destruct (descends _ w) eqn:Aw; [|discriminate]; apply descends_to in Aw.
  destruct (forallb _ (relations c)) eqn:Ar in C; [|discriminate].
  assert (F1 : forall i, In i items -> regular c (data i) /\ 0 <= IZR (weight i) /\
     forallb (fun t => Z.eqb (product t (full c (last c) (data i)) Z.zero) Z.zero) (map chain_of (relations c)) = true).
  { intros i I; specialize (F i I); unfold fault in F; cbn [start the ties] in F.
    destruct (Z.ltb _ (over (data i))) eqn:F1; [|discriminate].
    destruct (descends _ _) eqn:F2 in F; [|discriminate].
    destruct (forallb _ _) eqn:F3 in F; [|discriminate].
    destruct (Z.leb _ (weight i)) eqn:F4 in F; [|discriminate].
    split; [split; [now apply Z.ltb_lt in F1 | now apply descends_to]|].
    split; [now apply lez | auto]. }
  assert (R : forall i, In i items -> regular c (data i)) by (intros i I; apply (F1 i I)).
  assert (G : forall i, In i items -> 0 <= IZR (weight i)) by (intros i I; apply (F1 i I)).
  set (m := fun i => exact c (fun j => value_at j w) (data i)).
  assert (M : forall i, In i items -> IZR (m i) = IZR (over (data i)) * margin c (vector_of w) (data i))
    by (intros i I; unfold m; now rewrite margin_exact by auto).
  assert (Rel : Forall (related c (map data items)) (relations c)).
  { apply Forall_forall; intros v Iv; rewrite forallb_forall in Ar; specialize (Ar v Iv); conj.
    match goal with A : descends _ v = true |- _ => apply descends_to in A; rename A into Av end. split; [|split]; auto.
    - match goal with A : negb (zeros v) = true |- _ => apply negb_true_iff, (not_zeros v _ Av) in A as [j J] end.
      exists j; split; [apply in_columns, (value_below _ _ _ Av J) | unfold vector_of; now apply IZR_neq].
    - apply every_item; intros i I; destruct (F1 i I) as [Ri [_ Z]].
      rewrite forallb_forall in Z; specialize (Z (chain_of v) (in_map _ _ _ Iv)); apply Z.eqb_eq in Z.
      assert (E := margin_exact c W (data i) (fun j => value_at j v) Ri).
      rewrite <- product_exact, Z, signed_sign in E by auto.
      unfold Z.zero in E; rewrite Rmult_0_r in E; fold (vector_of v) in E.
      assert (O := over_pos c _ Ri). symmetry in E; apply Rmult_integral in E as [E|E]; lra. }
  split; [now apply every_item|].
  repeat (split; [congruence || lia|]); split; [|exact Rel].
  unfold verdict_holds; unfold fault in F; cbn [start the ties plane] in F.
  destruct (says c) as [lo hi radius bound|covered|covered|made least]; cbv zeta in F; [| | |discriminate C].
  - (* separable *)
    destruct (_ && _) eqn:Q in C; [|discriminate]; destruct (Z.ltb _ _) eqn:B in C; [|discriminate].
    destruct (useful _ _ _) eqn:U in C; [|discriminate].
    cbv zeta in H; destruct (_ && _) eqn:A in H; [|discriminate]; clear H C; apply andb_prop in A as [Ao A].
    unfold positive_ratio in Q; conj.
    repeat match goal with H : Z.ltb Z.zero _ = true |- _ => apply ltz in H end.
    apply Z.ltb_lt, IZR_lt in B; rewrite !mult_IZR, !square_IZR in B.
    apply Z.leb_le, IZR_le in A; rewrite !mult_IZR, !square_IZR, T in A.
    assert (F2 : forall i, In i items -> 0 < IZR (m i) /\
      IZR (num lo) * IZR (num lo) * IZR (squares w Z.zero) * (IZR (over (data i)) * IZR (over (data i)))
        <= IZR (den lo) * IZR (den lo) * (IZR (m i) * IZR (m i)) /\
      IZR (den radius) * IZR (den radius) * IZR (squares (full c (last c) (data i)) Z.zero)
        <= IZR (num radius) * IZR (num radius) * (IZR (over (data i)) * IZR (over (data i)))).
    { intros i I; specialize (F i I).
      do 6 (match type of F with (if ?b then _ else _) = None => destruct b; [|discriminate F] end).
      destruct (tested c w g lo radius (data i) W Aw U (R i I) (start c w g)) as [P1 [P2 P3]]; try reflexivity; [exact F|].
      apply IZR_lt in P1; apply IZR_le in P2, P3; rewrite !mult_IZR, !square_IZR in P2; rewrite !mult_IZR, !square_IZR in P3.
      auto. }
    assert (Lo : reached c (map data items) (value lo)).
    { apply (lo_sound c items R w); auto.
      - intros ->; simpl in S3; lra.
      - intros i I; exists (m i).
        destruct (F2 i I) as [? [? _]]; auto. }
    assert (Hi := hi_sound c items W R hi ltac:(auto) ltac:(auto) G S3 Ao A).
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
    apply (cover_sound c items W R u); auto. intros k K; left; auto.
  - (* quasi-separable *)
    demands H. assert (F2 : forall i, In i items ->
      (if named (data i) then 0 < margin c (vector_of w) (data i) else margin c (vector_of w) (data i) = 0)
      /\ (if covered && negb (named (data i)) then 0 < IZR (cover i) else IZR (cover i) = 0)).
    { intros i I; specialize (F i I); assert (Mi := M i I); assert (O := over_pos c _ (R i I)).
      rewrite times_exact in F by auto; fold (m i) in F; demands F; split.
      - destruct (named (data i)).
        + match goal with H : Z.ltb Z.zero (m i) = true |- _ => apply ltz in H; rewrite Mi in H end. nra.
        + match goal with H : Z.eqb (m i) _ = true |- _ => apply Z.eqb_eq in H; rewrite H in Mi end.
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
      apply (cover_sound c items W R u); auto.
      * intros k K; destruct (F2 k K) as [_ Z]; destruct (_ && _); lra.
      * destruct (F2 i I) as [_ Z]; rewrite E in Z; exact Z.
Qed.
Print Assumptions accepted_means.
