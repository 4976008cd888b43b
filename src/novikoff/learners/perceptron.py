"""The perceptron of Rosenblatt and Novikoff."""

from .base import LinearLearner


class Perceptron(LinearLearner):
    """The perceptron: while a row has y·(w·x) ≤ 0, w ← w + η·y·x.

    It stops at the first full pass without a mistake, and otherwise when it is known why there will be none: see
    ``status_``.  By Novikoff's theorem separable rows take at most r²/ρ² updates, whatever the order, the step and
    the number of features.

    Parameters
    ----------
    eta0 : float, default=1.0
        The step η.  It scales the weights and changes nothing else.
    order : "cyclic", "shuffled" or "active", default="shuffled"
        How a pass visits the rows.  "cyclic": in the given order.  "shuffled": in a new permutation every pass; with
        more than 16384 rows, blocks of 4 neighbours are put in random order, and of 256 of them one row each is
        visited in turn, which is as accurate and faster.  "active": shuffled, and between two full passes the rows that
        caused updates are visited again and again; this needs far fewer full passes when few rows are hard.
    max_iter : int, default=1000
        The largest number of passes.
    tol : float or None, default=1e-3
        When to give up.  With "shuffled", after five passes in a row (more if there are few rows) without an
        improvement: none made fewer mistakes than the best pass before it, by tol times the number of rows.  If only
        few rows are wrong then, the run works on these for half as long again; if that does not help, the weights of
        the last pass with an improvement are returned.  With any order the status is then "thin" if it is proved
        that no plane has a margin above tol × radius (the proof takes at most 1/tol² updates), and "stopped" if not.
        With 0 or None the run continues until no mistake is left.
    fit_intercept : bool, default=True
        Learn a bias, as one more weight on a constant feature 1.
    multi_class : "ovr" or "joint", default="ovr"
        Several classes as one problem per class against the rest, or as one joint problem in which an update moves
        a row's own class towards it and the strongest rival away.  Two classes are one problem in either case.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; they multiply the sample weights.
    random_state : int, RandomState instance or None, default=0
        The source of the permutations.
    warm_start : bool, default=False
        Whether ``fit`` continues from the current weights.
    n_jobs : int or None, default=None
        Threads for one-vs-rest problems, as in scikit-learn.
    verbose : int, default=0
        With 1, a progress bar.
    early_stopping : bool, default=False
        Hold out a part of the rows, score it after every pass, and stop when the score no longer improves; the weights
        with the best score are returned, unless the run separates the other rows.
    validation_fraction : float, default=0.1
        The fraction of the rows that ``early_stopping`` holds out, the same for every class.
    n_iter_no_change : int, default=5
        How many passes in a row without an improvement end the run.
    calibrated : bool, "sigmoid" or "isotonic", default=False
        Whether there is ``predict_proba``, calibrated on scores of held-out rows by scikit-learn's calibration; True
        means "sigmoid".  The weights are the same; ``fit`` makes up to five more fits for the scores.

    Attributes
    ----------
    coef_, intercept_, classes_, n_features_in_, feature_names_in_ : as in scikit-learn
    n_iter_ : int
        Full passes made, the most of any class.
    n_updates_ : int or array
        Updates made: the M of Novikoff's theorem.
    status_ : str or array
        "separated": a full pass without a mistake; "inseparable": no plane separates the classes, and
        ``certificate_.witness`` proves it; "thin": no plane has a margin above tol × radius; "stopped": passes no
        longer helped, max_iter of them were made, or early stopping ended the run.
    radius_ : float
        The length of the longest row.
    margin_ : float or array
        The margin reached: the least y·(w·x)/‖w‖, not positive if a row is on the wrong side.
    margin_bound_ : float or array
        A margin that no plane exceeds, proved by the updates of the run: ‖w‖/M with steps of length 1, in general
        ‖w − w₀‖ over the sum of the steps.
    mistake_bound_ : float or array
        The most updates there could have been: r²/margin_², with weighted rows times the ratio of the largest
        weight to the least, and 2‖w₀‖/(eta0·margin_) more after a start from weights w₀ (``warm_start``,
        ``coef_init``); infinite unless every row is on its right side.
    update_counts_ : array
        How often each row was updated on; with several classes, one row per class (in the joint problem, per
        rival).
    certificate_ : Certificate, list of them, or None
        What was proved.

    All of these refer to the augmented rows [x; 1]; with several classes under "ovr", arrays have one entry per class.

    Examples
    --------
    >>> from novikoff import Perceptron, datasets
    >>> X, y = datasets.logic_gate("and")
    >>> model = Perceptron().fit(X, y)
    >>> model.status_, model.score(X, y), bool(model.n_updates_ <= model.mistake_bound_)
    ('separated', 1.0, True)

    XOR has no separating plane; the run ends with a proof.

    >>> model = Perceptron().fit(*datasets.logic_gate("xor"))
    >>> model.status_, model.certificate_.witness
    ('inseparable', {0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0})

    References
    ----------
    A. Novikoff, "On convergence proofs on perceptrons", Symposium on the Mathematical Theory of Automata, 1962.
    """
