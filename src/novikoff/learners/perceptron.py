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
        How a pass visits the rows: as they come; in a new permutation every pass, drawn from all of them up to some
        thousand rows, and of more from those that bring blocks of 8 neighbours in any order and mix the rows of 1024
        blocks at a time, which is as good and kinder to memory; or shuffled, with the rows that were updated on
        worked hard between two full passes, which needs far fewer of those when few rows are hard.
    max_iter : int, default=1000
        The most passes.
    tol : float or None, default=1e-3
        When to give up.  In order "shuffled", five passes in a row that do not help are enough (more of few rows): none
        made fewer mistakes than all before it, by tol times the number of rows.  If few rows are wrong then, these are
        worked on for half as long again; if that is to no avail, the weights of the last pass that helped are
        returned.  The status is "thin", in any order, if it is proved that no plane has a margin above tol × radius (a
        proof that comes after at most 1/tol² updates), and "stopped" if not.  0 and None go on to the last mistake.
    fit_intercept : bool, default=True
        Learn a bias, as one more weight on a constant feature 1.
    multi_class : "ovr" or "joint", default="ovr"
        Several classes as one problem per class against the rest, or as one joint problem in which an update moves
        a row's own class towards it and the strongest rival away.  Two classes are one problem in either case.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; they multiply those of the rows.
    random_state : int, RandomState instance or None, default=0
        The source of the permutations.
    warm_start : bool, default=False
        Whether ``fit`` goes on from the weights there are.
    n_jobs : int or None, default=None
        Threads for one-vs-rest problems, as in scikit-learn.
    verbose : int, default=0
        With 1, a progress bar.
    early_stopping : bool, default=False
        Hold rows out, look at them after every pass, and end when that brings nothing better ("stopped"); the weights
        that were best there are returned, unless the run separates the others.
    validation_fraction : float, default=0.1
        The part of the rows that ``early_stopping`` holds out, of every class alike.
    n_iter_no_change : int, default=5
        How many passes in a row may bring nothing better.

    Attributes
    ----------
    coef_, intercept_, classes_, n_features_in_, feature_names_in_ : as in scikit-learn
    n_iter_ : int
        Full passes made, the most of any class.
    n_updates_ : int or array
        Updates made: the M of Novikoff's theorem.
    status_ : str or array
        "separated": a full pass without a mistake; "inseparable": no plane separates the classes, and
        ``certificate_.witness`` proves it; "thin": no plane has a margin above tol × radius; "stopped": passes had
        ceased to help, max_iter of them were made, or early stopping ended the run.
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

    All of these speak of the augmented rows [x; 1]; with several classes under "ovr", arrays have one entry per class.

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
