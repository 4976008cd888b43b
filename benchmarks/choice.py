"""The command's default model against scikit-learn's LogisticRegression, on the files of real data, prepared alike.

For every fold, or the part held out, the model is chosen on the rows to train on, as ``novikoff fit`` does it; few rows
are cut into folds ten times.  Seconds are those of choosing and learning on one processor, in parts of those of
LogisticRegression's fit.
"""

import sys
import time
import warnings
from collections import Counter

import numpy as np
from measure import MissingError
from origin import origin
from rich.console import Console
from rich.table import Table
from sets import real
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from novikoff.data.open_files import ColumnOptions, Reading
from novikoff.workflow.engines import make_recipe, split_rows
from novikoff.workflow.fit_request import Evaluation, FitRequest
from novikoff.workflow.labelled_rows import read_rows
from novikoff.workflow.model_choice import candidates_of, choose, folds_of, sample, shuffled_folds
from novikoff.workflow.pipelines import make_preparation

FILES = {
    "20news": ("20news_counts.train.libsvm.gz", {}, "20news_counts.test.libsvm.gz"),
    "a9a": ("a9a.libsvm.gz", {}, "a9a.t.libsvm.gz"),
    "banknote": ("banknote.npz", {}, None),
    "covtype": ("covtype.npz", {"column_options": ColumnOptions(categorical=("wilderness", "soil"))}, None),
    "endometrial": ("endometrial.csv", {"target": "HG"}, None),
    "heart": ("heart_scale.libsvm.gz", {}, None),
    "imdb": ("imdb_counts_mindf5.train.libsvm.gz", {}, "imdb_counts_mindf5.test.libsvm.gz"),
    "ionosphere": ("ionosphere.npz", {}, None),
    "iris": ("iris.npz", {}, None),
    "lizards": ("lizards.csv", {"target": "light"}, None),
    "mnist": ("mnist.npz", {}, None),
    "mushrooms": ("mushrooms_agaricus.train.libsvm.gz", {}, "mushrooms_agaricus.test.libsvm.gz"),
    "penguins": ("penguins.csv.gz", {"target": "species", "missing": "impute"}, None),
    "pima": ("pima.npz", {}, None),
    "silvapulle": ("silvapulle1981.csv", {"target": "y"}, None),
    "sms": ("sms_spam_collection.tsv.gz", {"target": "1", "reading": Reading(header=False)}, None),
    "sonar": ("sonar.npz", {}, None),
    "spambase": ("spambase.npz", {}, None),
    "wdbc": ("wdbc.npz", {}, None),
}


FEW_ROWS = 400
"""Rows up to which the folds are drawn several times, as a row more or less would be a point."""
REPEATS = 10
SHORT, TIMES = 0.2, 5
"""Seconds up to which work is done again, and how often, as short times are unsteady."""


def folds_again(rows, folds):
    """The folds of the command, and, of few rows, others."""
    yield from folds_of(rows.y, shuffled_folds(folds))
    for seed in range(1, REPEATS if len(rows.y) <= FEW_ROWS else 1):
        yield from StratifiedKFold(folds, shuffle=True, random_state=seed).split(rows.y, rows.y)


def parts(name):
    """(rows to learn from, rows to be tested on), prepared as the command prepares them."""
    file, options, test = FILES[name]
    request = FitRequest(data=str(real(file)), evaluation=Evaluation(test and str(real(test))), **options)
    rows = read_rows(request)
    split = split_rows(request, rows, make_recipe(request, rows.columns, rows.target, rows.X.shape[1]))
    pairs = [(split.train, split.test)]
    if split.folds:
        pairs = [(rows.take(train), rows.take(test)) for train, test in folds_again(rows, split.folds)]
    for (X, y), (X_test, y_test) in pairs:
        prepare = make_preparation(rows.columns, request.missing == "impute")
        X_ready = prepare.fit_transform(rows.frame(X), y)
        yield X_ready, y, prepare.transform(rows.frame(X_test)), y_test


def timed(work):
    """What it returns, and its seconds on the processor; of short work, the best of several."""
    seconds = []
    while not seconds or (sum(seconds) < SHORT and len(seconds) < TIMES):
        start = time.process_time()
        done = work()
        seconds.append(time.process_time() - start)
    return done, min(seconds)


def chosen(X, y):
    """The command's default model, chosen and trained."""
    candidate = choose(candidates_of(None, False, X), X, y).best
    return candidate, candidate.learner({}).fit(X, y)


def compile_passes(X, y):
    """Train every candidate on few rows, so that no time is one of compiling."""
    some = sample(y, FEW_ROWS)
    for candidate in candidates_of(None, False, X):
        candidate.learner({}).fit(X[some], y[some])


def compare(name):
    """Accuracies of LogisticRegression and the default, the ratio of their seconds, and the models taken."""
    lines, taken = [], Counter()
    for X, y, X_test, y_test in parts(name):
        with threadpool_limits(1):
            if not lines:
                compile_passes(X, y)
            theirs, their_seconds = timed(lambda X=X, y=y: LogisticRegression().fit(X, y))
            (candidate, ours), our_seconds = timed(lambda X=X, y=y: chosen(X, y))
        taken[str(candidate)] += 1
        lines.append(
            [theirs.score(X_test, y_test), ours.score(X_test, y_test), their_seconds, our_seconds, len(y_test)]
        )
    theirs, ours = (np.average([line[k] for line in lines], weights=[line[4] for line in lines]) for k in (0, 1))
    their_seconds, our_seconds = (np.median([line[k] for line in lines]) for k in (2, 3))
    return theirs, ours, our_seconds / their_seconds, our_seconds, taken.most_common(1)[0][0]


def main():
    warnings.simplefilter("ignore", ConvergenceWarning)
    table = Table(title="Accuracy on rows not trained on: the file's test rows, a fifth held out, or five folds")
    table.add_column("set")
    for name in ("LogisticRegression", "default", "points more", "time / its", "model taken most often"):
        table.add_column(name, justify="right")
    for name in sys.argv[1:] or FILES:
        try:
            theirs, ours, ratio, seconds, model = compare(name)
        except MissingError as reason:
            table.add_row(name, str(reason))
            continue
        much = f"{ratio:.2g}" if seconds > 0.1 else f"{ratio:.2g} ({1000 * seconds:.0f} ms)"
        table.add_row(name, f"{theirs:.4f}", f"{ours:.4f}", f"{100 * (ours - theirs):+.1f}", much, model)
        print(f"{name}: {theirs:.4f} {ours:.4f} {ratio:.2g} {seconds:.3f} {model}", file=sys.stderr, flush=True)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
    print(origin())
