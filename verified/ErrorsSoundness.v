(* What the checker of fewest errors accepts is so. *)
From Coq Require Import ZArith List Bool Reals Lra Lia.
From Novikoff Require Import Meaning Checker Novikoff Soundness Separation SeparationSoundness Errors.
Import ListNotations.
Open Scope R_scope.

(* What is chosen. *)
Fixpoint has (k : Z) (s : sparse) : Prop := match s with End => False | Entry l _ rest => k = l \/ has k rest end.
Lemma numbered_in {A} (l : list A) : forall k out p, In p (numbered k l out) -> In p out \/ In (snd p) l.
Proof.
  induction l as [|a l IH]; intros k out p H; simpl in *; auto. apply IH in H as [[<-|H]|H]; simpl; auto.
Qed.
Lemma chosen_spec {A} (from : list (Z * A)) : forall s l, chosen from s = Some l ->
  sum (fun p => IZR (fst p)) l = IZR (entrywise (fun _ v => v) s) /\ (s <> End -> l <> [])
  /\ forall p, In p l -> (forall test, all_values test s = true -> test (fst p) = true)
                        /\ exists k, has k s /\ In (k, snd p) from.
Proof.
  induction from as [|[j a] from IH]; intros [|k v s] l; cbn [chosen]; try discriminate;
    try (intros H; injection H; intros <-; split; [reflexivity|]; split; [congruence|]; intros p []).
  destruct (Z.eqb_spec k j) as [->|N].
  - destruct (chosen from s) as [m|] eqn:C; [|discriminate]. intros H; injection H; intros <-; clear H.
    destruct (IH _ _ C) as [S [_ P]]. split; [|split; [congruence|]].
    + cbn [sum fold_right fst entrywise]. rewrite plus_IZR, <- S. reflexivity.
    + intros p [<-|I]; cbn [fst snd].
      * split; [|exists j; simpl; auto]. intros test; simpl; destruct (test v); auto; discriminate.
      * destruct (P p I) as [T [i [H1 H2]]]; split; [|exists i; simpl; auto].
        intros test; simpl; destruct (test v); [apply T | discriminate].
  - intros H; destruct (IH _ _ H) as [S [E P]]; split; [auto|]; split; auto.
    intros p I; destruct (P p I) as [T [i [H1 H2]]]; split; auto. exists i; split; auto; now right.
Qed.
Lemma total_of_spec s : forall x, total_of s x = (x + entrywise (fun _ v => v) s)%Z.
Proof. induction s as [|k v s IH]; intros x; simpl; [lia|]; rewrite IH; lia. Qed.
Lemma ones_decreasing s : forall d, decreasing d s -> decreasing d (ones s).
Proof. induction s as [|k v s IH]; simpl; auto; intros d [K D]; split; auto. Qed.
Lemma ones_at k s : (has k s -> value_at k (ones s) = 1%Z) /\ (0 <= value_at k (ones s))%Z.
Proof.
  induction s as [|l v s [IH1 IH2]]; simpl; [split; [tauto | lia]|].
  destruct (Z.eqb_spec l k); unfold Z.one; [lia|]. split; auto. intros [->|H]; [congruence | auto].
Qed.
Lemma has_between k s : forall d, decreasing d s -> has k s -> (1 <= k <= d)%Z.
Proof.
  induction s as [|l v s IH]; simpl; [tauto|]; intros d [K D] [->|H]; [lia|]. specialize (IH _ D H); lia.
Qed.
Lemma among_in i l : among i l = true <-> In i l.
Proof.
  unfold among; rewrite existsb_exists; split; [intros [x [I E]]; apply Z.eqb_eq in E; now subst|].
  intros I; exists i; split; auto; apply Z.eqb_refl.
Qed.
Lemma count_length l : count l = Z.of_nat (length l).
Proof.
  unfold count; enough (G : forall n, fold_left (fun n (_ : Z) => Z.succ n) l n = (n + Z.of_nat (length l))%Z)
    by (rewrite G; unfold Z.zero; lia).
  induction l as [|i l IH]; intros n; simpl fold_left; [simpl; lia|]. rewrite IH; simpl length; lia.
Qed.
Lemma load_held l j : forall b, held j (fold_left (fun b p => deposit true (scale (fst p) (snd p) End) b) l b)
  = (held j b + fold_right (fun p t => fst p * total_at j (snd p) + t) 0 l)%Z.
Proof.
  induction l as [|p l IH]; intros b; cbn [fold_left fold_right]; [lia|].
  rewrite IH, deposit_held, scale_total; cbn [total_at entrywise]; lia.
Qed.

(* Let e be which rows a plane has wrong. Every case that is closed has at least so many of them. *)
Section Cases.
  Variables (supports : list (Z * sparse)) (n least : Z) (e : Z -> bool).
  Definition error : vector := fun i => if e i then 1 else 0.
  Notation size := (sum error (columns n)).
  Hypothesis A : forall p, In p supports -> decreasing n (snd p) /\ 1 <= dot n (vector_of (snd p)) error.
  Hypothesis Whole : exists z, size = IZR z.
  Record consistent (wrongs rights : list Z) : Prop := {
    once : NoDup wrongs; between : forall i, In i wrongs -> In i (columns n) /\ e i = true;
    no_errors : forall i, In i rights -> e i = false }.

  Lemma load_dot l : (forall p, In p l -> 0 <= IZR (fst p) /\ exists k, In (k, snd p) supports) ->
    sum (fun p => IZR (fst p)) l <= dot n (vector_in (load l)) error.
  Proof.
    intros H. unfold load, dot. rewrite (sum_ext _ (fun j => sum (fun p => IZR (fst p) * (vector_of (snd p) j * error j)) l)).
    - rewrite sum_swap. apply sum_le; intros p I; destruct (H p I) as [P [k K]]. rewrite sum_scale.
      destruct (A _ K) as [_ D]; cbn [snd] in D; unfold dot in D. nra.
    - intros j _; unfold vector_in; rewrite load_held; cbn [held]; rewrite Z.add_0_l.
      induction l as [|p l IH]; [simpl; lra|]. cbn [fold_right sum].
      rewrite plus_IZR, mult_IZR, Rmult_plus_distr_r. fold (sum (fun p => IZR (fst p) * (vector_of (snd p) j * error j)) l).
      rewrite IH by (intros; apply H; now right). destruct (H p (or_introl eq_refl)) as [_ [k K]].
      destruct (A _ K) as [D _]; cbn [snd] in D. unfold vector_of; rewrite (value_total _ _ _ D); ring.
  Qed.
  Lemma bearable_at over wrongs rights s : bearable over wrongs rights s = true -> forall i, value_at i s <> 0%Z ->
    (value_at i s <= over)%Z /\ ~ In i wrongs \/ In i rights.
  Proof.
    induction s as [|k v s IH]; simpl; [tauto|]. destruct (_ || _) eqn:T; [|discriminate]. intros H i.
    destruct (Z.eqb_spec k i) as [->|]; [intros _ | now apply IH].
    apply orb_prop in T as [T|T]; [left | right; now apply among_in].
    apply andb_prop in T as [T1 T2]; apply Z.leb_le in T1; split; auto.
    intros I; apply among_in in I; rewrite I in T2; discriminate.
  Qed.
  Lemma count_sum l : NoDup l -> (forall i, In i l -> In i (columns n)) ->
    IZR (count l) = sum (fun i => if among i l then 1 else 0) (columns n).
  Proof.
    induction l as [|k l IH]; intros N I; [rewrite (sum_ext _ (fun _ => 0)), sum_zero; auto|].
    inversion N; subst. rewrite count_length in *. cbn [length]. rewrite Nat2Z.inj_succ, succ_IZR, IH; auto.
    - transitivity (sum (fun i => (if Z.eqb k i then 1 else 0) + (if among i l then 1 else 0)) (columns n)).
      + rewrite sum_plus, sum_delta; [lra | apply columns_once | apply I; now left].
      + apply sum_ext; intros i _; unfold among at 2; cbn [existsb]; fold (among i l). rewrite (Z.eqb_sym i k).
        destruct (Z.eqb_spec k i) as [<-|]; [|simpl; lra].
        destruct (among k l) eqn:M; [apply among_in in M; contradiction | simpl; lra].
    - intros i J; apply I; now right.
  Qed.
  Lemma enough_spec wrongs rights over packing : consistent wrongs rights ->
    enough supports n least wrongs rights over packing = true -> IZR least <= size.
  Proof.
    intros [N B F] H; unfold enough in H. apply andb_prop in H as [H H4]; apply andb_prop in H as [H H3].
    apply andb_prop in H as [H1 H2]. destruct (chosen supports packing) as [l|] eqn:C; [|discriminate].
    destruct (chosen_spec _ _ _ C) as [S [_ P]]. cbv zeta in H4; apply andb_prop in H4 as [O L].
    destruct (ordered_at n (load l) O) as [D V]. set (s := in_order n (sum_of (load l))) in *.
    apply ltz in H1. apply Z.ltb_lt, IZR_lt in H3. rewrite total_of_spec in H3; unfold Z.zero in H3; rewrite Z.add_0_l in H3.
    rewrite mult_IZR, plus_IZR, opp_IZR, succ_IZR, <- S, count_sum in H3; [|auto | intros; now apply B].
    assert (M : sum (fun p => IZR (fst p)) l <= dot n (vector_in (load l)) error).
    { apply load_dot; intros p I; destruct (P p I) as [T [k [_ K]]]; split; [|eauto].
      specialize (T _ H2); apply ltz in T; lra. }
    assert (U : dot n (vector_in (load l)) error
      <= sum (fun i => IZR over * (error i + - (if among i wrongs then 1 else 0))) (columns n)).
    { apply sum_le; intros i I; rewrite <- V; unfold vector_of.
      assert (Q := bearable_at _ _ _ _ L i). unfold error. destruct (e i) eqn:Ei.
      - destruct (Z.eq_dec (value_at i s) 0) as [Z|Z].
        + rewrite Z; destruct (among i wrongs); lra.
        + destruct (Q Z) as [[Q1 Q2]|Q1]; [|rewrite (F i Q1) in Ei; discriminate].
          apply IZR_le in Q1. destruct (among i wrongs) eqn:W; [apply among_in in W; contradiction | lra].
      - destruct (among i wrongs) eqn:W; [|lra]. apply among_in in W; destruct (B i W); congruence. }
    rewrite sum_scale, sum_plus in U.
    rewrite (sum_ext (fun i => - (if among i wrongs then 1 else 0)) (fun i => -1 * (if among i wrongs then 1 else 0))),
      sum_scale in U by (intros; lra).
    destruct Whole as [z Ez]. rewrite Ez in *. set (w := sum (fun i => if among i wrongs then 1 else 0) (columns n)) in *.
    apply IZR_le. enough (least - 1 < z)%Z by lia. apply lt_IZR; rewrite minus_IZR.
    apply Rmult_lt_reg_l with (IZR over); auto. nra.
  Qed.
  Lemma closed_spec cases : forall open, closed supports n least cases open = true ->
    forall wrongs rights, In (wrongs, rights) open -> consistent wrongs rights -> IZR least <= size.
  Proof.
    induction cases as [|[i|over packing] more IH]; intros [|[ws rs] open]; cbn [closed]; try discriminate; try (intros _ ? ? []; fail).
    - destruct (_ && _) eqn:T; [|discriminate]. intros H wrongs rights [E|I] K; [|apply (IH _ H wrongs rights); simpl; auto].
      injection E; intros -> ->; clear E. apply andb_prop in T as [T T4]; apply andb_prop in T as [T T3]; apply andb_prop in T as [T1 T2].
      apply Z.leb_le in T1, T2. destruct K as [N B F]. destruct (e i) eqn:Ei.
      + apply (IH _ H (i :: wrongs) rights); [now left|]. split; auto.
        * constructor; auto. intros J; apply among_in in J; rewrite J in T3; discriminate.
        * intros j [<-|J]; auto. split; auto. apply in_columns; unfold Z.one in T1; lia.
      + apply (IH _ H wrongs (i :: rights)); [right; now left|]. split; auto. intros j [<-|J]; auto.
    - destruct (enough _ _ _ _ _ _ _) eqn:T; [|discriminate]. intros H wrongs rights [E|I] K; [|apply (IH _ H wrongs rights); auto].
      injection E; intros -> ->. now apply (enough_spec wrongs rights over packing).
  Qed.
End Cases.

(* The errors of a plane, row by row. *)
Lemma sum_numbers {A} (g : option A -> R) (l : list A) : forall k,
  sum (fun i => g (nth_error l (Z.to_nat (i - 1) - k))) (map Z.of_nat (seq (S k) (length l))) = sum (fun a => g (Some a)) l.
Proof.
  induction l as [|a l IH]; intros k; [reflexivity|]. cbn [length seq map sum fold_right].
  replace (Z.to_nat (Z.of_nat (S k) - 1) - k)%nat with 0%nat by lia. cbn [nth_error]. f_equal.
  fold (sum (fun a => g (Some a)) l). rewrite <- (IH (S k)).
  apply sum_ext; intros i I; apply in_map_iff in I as [m [<- I]]; apply in_seq in I.
  replace (Z.to_nat (Z.of_nat m - 1) - k)%nat with (S (Z.to_nat (Z.of_nat m - 1) - S k)) by lia. reflexivity.
Qed.
Section Planes.
  Variables (c : claim) (rows : list row) (u : vector).
  Definition is_wrong (r : row) : bool := if Rle_dec (margin c u r) 0 then true else false.
  Definition wrong_at (i : Z) : bool := match nth_error rows (Z.to_nat (i - 1)) with Some r => is_wrong r | None => false end.
  Lemma errors_sum : IZR (errors c rows u) = sum (error wrong_at) (columns (Z.of_nat (length rows))).
  Proof.
    transitivity (sum (fun r => if is_wrong r then 1 else 0) rows).
    - change (errors c rows u) with (Z.of_nat (length (filter is_wrong rows))).
      induction rows as [|r l IH]; [reflexivity|]. cbn [filter sum fold_right].
      fold (sum (fun r => if is_wrong r then 1 else 0) l). rewrite <- IH.
      destruct (is_wrong r); [cbn [length]; rewrite Nat2Z.inj_succ, succ_IZR|]; lra.
    - unfold columns; rewrite Nat2Z.id.
      rewrite <- (sum_numbers (fun o => if match o with Some r => is_wrong r | None => false end then 1 else 0) rows 0).
      apply sum_ext; intros i _; unfold error, wrong_at. now rewrite Nat.sub_0_r.
  Qed.
End Planes.

(* The state after the rows. *)
Section Tally.
  Variables (c : claim) (g : grounds).
  Notation p := (setting_of c g).
  Notation after items := (fold_left (tally_row p) items (no_rows c g)).
  Hypotheses (W : (0 < width c)%Z) (D : decreasing (last c) (shown g)).
  Lemma after_one items i : after (items ++ [i]) = tally_row p (after items) i.
  Proof. now rewrite fold_left_app. Qed.
  Lemma slipped_after items : slipped (after items) = None ->
    first_slip c g = None /\ forall i, In i items -> regular c (data i).
  Proof.
    induction items as [|i items IH] using rev_ind; [simpl; tauto|]. rewrite after_one; cbn [tally_row slipped posed_claim setting_of].
    destruct (slipped _); [discriminate|]. destruct (_ && _) eqn:T; [|discriminate]. intros _.
    destruct IH as [F R]; auto; split; auto. intros j J; apply in_app_or in J as [J|[<-|[]]]; auto.
    apply andb_prop in T as [T1 T2]; split; [now apply Z.ltb_lt in T1 | now apply descends_to].
  Qed.
  Lemma seen_after items : rows_seen (after items) = Z.of_nat (length items)
    /\ plus_seen (after items) = size (map data items) true /\ minus_seen (after items) = size (map data items) false.
  Proof.
    unfold size; induction items as [|i items [IH1 [IH2 IH3]]] using rev_ind; [simpl; auto|].
    rewrite after_one; cbn [tally_row rows_seen plus_seen minus_seen].
    rewrite IH1, IH2, IH3, map_app, !filter_app, !app_length; cbn [map filter length].
    destruct (label (data i)); cbn [Bool.eqb length]; lia.
  Qed.
  Lemma kept_after items k r : In (k, r) (kept (after items)) -> nth_error (map data items) (Z.to_nat (k - 1)) = Some r.
  Proof.
    induction items as [|i items IH] using rev_ind; [simpl; tauto|]. rewrite after_one; cbn [tally_row kept].
    destruct (seen_after items) as [-> _]. rewrite map_app. intros H.
    assert (G : In (k, r) (kept (after items)) -> nth_error (map data items ++ map data [i]) (Z.to_nat (k - 1)) = Some r).
    { intros I; specialize (IH I). rewrite nth_error_app1; auto. apply nth_error_Some; congruence. }
    destruct (named (data i)); [|auto]. destruct H as [E|I]; auto. injection E; intros <- <-.
    rewrite nth_error_app2, map_length; [|rewrite map_length; lia].
    replace (Z.to_nat (Z.succ (Z.of_nat (length items)) - 1) - length items)%nat with 0%nat by lia. reflexivity.
  Qed.
  Lemma mistakes_after items : (forall i, In i items -> regular c (data i)) ->
    mistakes (after items) = errors c (map data items) (vector_of (shown g)).
  Proof.
    unfold errors; induction items as [|i items IH] using rev_ind; intros R; [reflexivity|].
    rewrite after_one; cbn [tally_row mistakes posed_claim last_column its_plane setting_of].
    assert (Ri : regular c (data i)) by (apply R, in_or_app; simpl; auto).
    rewrite IH by (intros; apply R, in_or_app; auto). rewrite map_app, filter_app, app_length; cbn [map filter].
    rewrite times_exact by auto. assert (O := over_pos c _ Ri). set (x := exact c _ _).
    assert (M : IZR x = IZR (over (data i)) * margin c (vector_of (shown g)) (data i)) by exact (margin_exact c W (data i) _ Ri).
    destruct (Z.leb_spec x Z.zero) as [L|L], (Rle_dec (margin c (vector_of (shown g)) (data i)) 0) as [Q|Q]; cbn [length]; try lia;
      exfalso; unfold Z.zero in L.
    - apply IZR_le in L; nra.
    - apply IZR_lt in L; nra.
  Qed.
  (* Every plane has a row of a witness wrong. *)
  Lemma witness_errs items w u : (forall i, In i items -> regular c (data i)) -> all_values is_positive w = true -> w <> End ->
    sums_to_zero c (last c) (kept (after items)) w = true -> exists k, has k w /\ wrong_at c (map data items) u k = true.
  Proof.
    intros R P E H; unfold sums_to_zero in H. destruct (chosen _ w) as [l|] eqn:C; [|discriminate].
    destruct (chosen_spec _ _ _ C) as [_ [Ne S]]. specialize (Ne E).
    assert (K : forall q, In q l -> 0 < IZR (fst q) /\ regular c (snd q)
              /\ exists k, has k w /\ nth_error (map data items) (Z.to_nat (k - 1)) = Some (snd q)).
    { intros q I; destruct (S q I) as [T [k [Hk J]]]. apply kept_after in J.
      split; [specialize (T _ P); now apply ltz|]. split; [|eauto].
      apply nth_error_In, in_map_iff in J as [i [<- J]]; auto. }
    assert (Rl : forall i, In i (map weighed l) -> regular c (data i)).
    { intros i I; apply in_map_iff in I as [q [<- I]]. apply (K q I). }
    assert (Pos : forall q, In q l -> 0 < share weight (weighed q)).
    { intros q I; destruct (K q I) as [Pq [Rq _]]. apply Rmult_lt_0_compat; auto. exact (over_pos c _ Rq). }
    assert (N : ~ separable c (map data (map weighed l))).
    { apply witness_sound; auto.
      - intros i I; apply in_map_iff in I as [q [<- I]]. apply Rlt_le, (K q I).
      - destruct l as [|q l]; [congruence|]. cbn [map sum fold_right].
        fold (sum (share weight) (map weighed l)). apply Rplus_lt_le_0_compat; [apply Pos; now left|].
        apply sum_nonneg; intros i I; apply in_map_iff in I as [q' [<- I]]. apply Rlt_le, Pos; now right. }
    assert (G : (forall q, In q l -> 0 < margin c u (snd q)) \/ exists q, In q l /\ margin c u (snd q) <= 0).
    { clear. induction l as [|q l [IH|[q' [I M]]]]; [left; intros q []| |right; exists q'; split; auto; now right].
      destruct (Rle_dec (margin c u (snd q)) 0) as [L|L]; [right; exists q; split; auto; now left|].
      left; intros q' [<-|I]; auto; lra. }
    destruct G as [G|[q [I M]]].
    - exfalso; apply N; exists u. intros r I. rewrite map_map in I; apply in_map_iff in I as [q [<- I]]. now apply G.
    - destruct (K q I) as [_ [_ [k [Hk J]]]]. exists k; split; auto. unfold wrong_at, is_wrong; rewrite J.
      destruct (Rle_dec _ 0); auto; contradiction.
  Qed.
End Tally.

Theorem accepted_errors_mean : forall c g items,
  last_slip (setting_of c g) (fold_left (tally_row (setting_of c g)) items (no_rows c g)) = None -> meaning c (map data items).
Proof.
  intros c g items H. unfold last_slip in H; cbn [posed_claim last_column its_witnesses setting_of] in H.
  set (t := fold_left _ items _) in *. destruct (slipped t) eqn:S; [discriminate|].
  destruct (slipped_after c g items S) as [F R]. destruct (seen_after c g items) as [_ [Sp Sm]]. fold t in Sp, Sm.
  rewrite Sp, Sm in H. demands H.
  repeat match goal with H : _ && _ = true |- _ => apply andb_prop in H as [? ?] end.
  repeat match goal with H : Z.eqb _ _ = true |- _ => apply Z.eqb_eq in H | H : Z.ltb _ _ = true |- _ => apply Z.ltb_lt in H end.
  unfold first_slip in F. destruct (says c) as [| | |made least] eqn:V; try discriminate F. demands F.
  destruct (relations c) eqn:Re; [|discriminate].
  match goal with H : Z.ltb Z.zero (width c) = true |- _ => apply Z.ltb_lt in H; rename H into Wc end.
  match goal with H : descends _ (shown g) = true |- _ => apply descends_to in H; rename H into Pl end.
  match goal with H : forallb (fun w => _) (witnesses g) = true |- _ => rename H into Ws end.
  match goal with H : closed _ _ _ _ _ = true |- _ => rename H into Cl end.
  match goal with H : forallb (sums_to_zero _ _ _) _ = true |- _ => rename H into Ze end.
  match goal with H : Z.eqb (mistakes t) made = true |- _ => apply Z.eqb_eq in H; rename H into Mi end.
  unfold t in Mi; rewrite (mistakes_after c g Wc Pl items R) in Mi.
  split; [now apply every_item|]. unfold Z.zero in *.
  split; [auto|]. split; [auto|]. split; [lia|]. split; [lia|]. split; [|rewrite Re; constructor].
  unfold verdict_holds; rewrite V. split; [now exists (vector_of (shown g))|]. intros u.
  set (n := (plus c + minus c)%Z) in *.
  assert (Sn : n = Z.of_nat (length (map data items))).
  { unfold n; replace (plus c) with (size (map data items) true) by congruence.
    replace (minus c) with (size (map data items) false) by congruence. unfold size.
    generalize (map data items) as l; clear. induction l as [|r l IH]; [reflexivity|]. cbn [filter length].
    destruct (label r); cbn [Bool.eqb length]; lia. }
  apply le_IZR. rewrite errors_sum, <- Sn.
  refine (closed_spec _ n least (wrong_at c (map data items) u) _ _ (cases g) _ Cl [] [] (or_introl eq_refl) _).
  - intros q I; apply numbered_in in I as [[]|I]. apply in_map_iff in I as [w [<- I]].
    rewrite forallb_forall in Ws, Ze; specialize (Ws w I); specialize (Ze w I).
    apply andb_prop in Ws as [Ws W3]; apply andb_prop in Ws as [W1 W2]. apply descends_to in W1.
    split; [now apply ones_decreasing|].
    destruct (witness_errs c g Wc items w u R W2 ltac:(intros ->; discriminate) Ze) as [k [Hk Ek]].
    assert (Ik : In k (columns n)) by (apply in_columns, (has_between _ w); auto).
    rewrite <- (sum_delta k 1 (columns n)) by auto using columns_once. apply sum_le; intros j _.
    destruct (ones_at j w) as [O1 O2]. unfold vector_of, error. destruct (Z.eqb_spec k j) as [<-|].
    + rewrite (O1 Hk), Ek; lra.
    + apply IZR_le in O2. destruct (wrong_at _ _ _ j); lra.
  - exists (errors c (map data items) u). rewrite errors_sum, <- Sn; reflexivity.
  - split; [constructor | intros i [] | intros i []].
Qed.
Print Assumptions accepted_errors_mean.
