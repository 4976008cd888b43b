"""The command's default model against scikit-learn's Perceptron, on the files of real data, prepared alike."""

import sys
import warnings

import numpy as np
from measure import MissingError
from rich.console import Console
from rich.table import Table
from sets import real
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Sklearn

from novikoff.data.open_files import ColumnOptions, Reading
from novikoff.registry import DEFAULT_MODEL
from novikoff.workflow.engines import make_recipe, read_rows, shuffled_folds, split_rows
from novikoff.workflow.fit_request import Evaluation, FitRequest
from novikoff.workflow.pipelines import make_learner, make_preparation

MODELS = ("perceptron", "margin", "averaged", "pa")
FILES = {
    "20news": ("20news_counts.train.libsvm.gz", {}, "20news_counts.test.libsvm.gz"),
    "a9a": ("a9a.libsvm.gz", {}, "a9a.t.libsvm.gz"),
    "banknote": ("banknote.npz", {}, None),
    "covtype": ("covtype.npz", {"column_options": ColumnOptions(categorical=("wilderness", "soil"))}, None),
    "heart": ("heart_scale.libsvm.gz", {}, None),
    "imdb": ("imdb_counts_mindf5.train.libsvm.gz", {}, "imdb_counts_mindf5.test.libsvm.gz"),
    "ionosphere": ("ionosphere.npz", {}, None),
    "iris": ("iris.npz", {}, None),
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


def parts(name):
    """(rows to learn from, rows to be tested on), prepared as the command prepares them."""
    file, options, test = FILES[name]
    request = FitRequest(data=str(real(file)), evaluation=Evaluation(test and str(real(test))), **options)
    rows = read_rows(request)
    split = split_rows(request, rows, make_recipe(request, rows.columns, rows.target, rows.X.shape[1]))
    pairs = [(split.train, split.test)]
    if split.folds:
        folds = shuffled_folds(split.folds).split(rows.y, rows.y)
        pairs = [(rows.take(train), rows.take(test)) for train, test in folds]
    for (X, y), (X_test, y_test) in pairs:
        prepare = make_preparation(rows.columns, request.missing == "impute")
        X_ready = prepare.fit_transform(X, y)
        yield X_ready, y, prepare.transform(X_test), y_test


def accuracies(name):
    """Of scikit-learn's Perceptron, of every model, and of the default one."""
    lines = []
    for X, y, X_test, y_test in parts(name):
        models = {"scikit-learn": Sklearn()} | {model: make_learner(model) for model in MODELS}
        scores = {k: clone(model).fit(X, y).score(X_test, y_test) for k, model in models.items()}
        lines.append([*scores.values(), scores[DEFAULT_MODEL]])
    return np.mean(lines, axis=0)


def main():
    warnings.simplefilter("ignore", ConvergenceWarning)
    table = Table(title="Accuracy on rows not trained on: the file's test rows, a fifth held out, or five folds")
    table.add_column("set")
    for name in ("scikit-learn", *MODELS, "default"):
        table.add_column(name, justify="right")
    lines = []
    for name in sys.argv[1:] or FILES:
        try:
            lines.append(accuracies(name))
        except MissingError as reason:
            table.add_row(name, str(reason))
            continue
        table.add_row(name, *(f"{value:.4f}" for value in lines[-1]))
    if lines:
        table.add_row("mean", *(f"{value:.4f}" for value in np.mean(lines, axis=0)))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
