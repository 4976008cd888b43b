"""scikit-learn drops its passive-aggressive learners in 1.10: the same work with ours, accuracy and time side by side.

Every learner is at its defaults, on the same rows, in one process; times are the best of several fits.  With the folder
of real sets in NOVIKOFF_DATA, film reviews are among them.
"""

import os
import time
import warnings
from pathlib import Path

from sklearn import linear_model
from sklearn.datasets import load_diabetes, load_digits, load_svmlight_file, make_classification, make_regression
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from novikoff import PassiveAggressiveClassifier, PassiveAggressiveRegressor

REPEATS = 3


def digits():
    return load_digits(return_X_y=True)


def clusters():
    """Ten clusters of rows in a hundred columns, one row in ten with a label by chance."""
    return make_classification(50_000, 100, n_informative=20, n_classes=10, flip_y=0.1, random_state=0)


def reviews(folder):
    """The word counts of film reviews, as tf-idf, where the folder has them."""
    X, y = load_svmlight_file(str(folder / "imdb_counts_mindf5.train.libsvm.gz"))
    return TfidfTransformer(sublinear_tf=True).fit_transform(X), y


def diabetes():
    return load_diabetes(return_X_y=True, scaled=False)


def synthetic():
    return make_regression(100_000, 50, noise=20, random_state=0)


def best_time(model, X, y):
    """Seconds of the quickest of several fits."""
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        model.fit(X, y)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def compare(name, data, theirs, ours, scaled):
    """One line: the score of both on rows not trained on, and how many times as fast ours is."""
    X, X_test, y, y_test = train_test_split(*data, test_size=0.3, random_state=0)
    if scaled:
        scale = StandardScaler().fit(X)
        X, X_test = scale.transform(X), scale.transform(X_test)
    ours.fit(X, y)  # the first fit compiles, once per machine
    ratio = best_time(theirs, X, y) / best_time(ours, X, y)
    print(f"{name:22} {theirs.score(X_test, y_test):12.4f} {ours.score(X_test, y_test):9.4f} {ratio:8.1f}")


def main():
    if not hasattr(linear_model, "PassiveAggressiveClassifier"):
        print("This scikit-learn has no passive-aggressive learners any more, so there is nothing to compare with.")
        return
    warnings.simplefilter("ignore", FutureWarning)  # from 1.8 on it says so itself
    print(f"{'':22} {'scikit-learn':>12} {'novikoff':>9} {'speed':>8}")
    classifier, regressor = linear_model.PassiveAggressiveClassifier, linear_model.PassiveAggressiveRegressor
    for name, data in (("digits, accuracy", digits()), ("clusters, accuracy", clusters())):
        compare(name, data, classifier(random_state=0), PassiveAggressiveClassifier(), True)
    if folder := os.environ.get("NOVIKOFF_DATA"):
        data = reviews(Path(folder))
        compare("reviews, accuracy", data, classifier(random_state=0), PassiveAggressiveClassifier(), False)
    for name, data in (("diabetes, R²", diabetes()), ("synthetic, R²", synthetic())):
        compare(name, data, regressor(random_state=0), PassiveAggressiveRegressor(), True)


if __name__ == "__main__":
    main()
