"""A spam filter trained on files that are never read into memory: words hashed on the way, passes over the disk."""

import csv
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.pipeline import make_pipeline

from novikoff import PassiveAggressiveClassifier
from novikoff.scale.stream import fit_stream

SPAM = ["win", "cash", "prize", "free", "claim", "now", "urgent", "call", "text", "txt"]
HAM = ["lunch", "meeting", "tomorrow", "home", "love", "see", "you", "later", "thanks", "ok"]
BOTH = ["the", "a", "to", "and", "is", "in", "it", "for", "on", "me"]


def message(random, spam):
    """Twelve words, most of them of the kind, some of the other."""
    own, other = (SPAM, HAM) if spam else (HAM, SPAM)
    return " ".join(random.choice(BOTH + own + own + other[:3], 12))


def write(path, random, rows):
    """A CSV file of messages."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["message", "kind"])
        for spam in random.random(rows) < 0.3:
            out.writerow([message(random, spam), "spam" if spam else "ham"])


def main():
    random = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        for day in range(3):
            write(Path(folder, f"day{day}.csv"), random, 2000)
        write(Path(folder, "test.csv"), random, 1000)

        words = ColumnTransformer([("words", HashingVectorizer(n_features=2**16), "message")])
        model = fit_stream(
            make_pipeline(words, PassiveAggressiveClassifier()),
            f"{folder}/day*.csv",
            target="kind",
            cache=folder,
        )
        learner = model[-1]
        print(f"{learner.n_iter_} passes over three files: {learner.n_updates_:,} updates", end=", ")
        print(f"and no plane has a margin above {learner.margin_bound_:.3g}")
        test = pd.read_csv(Path(folder, "test.csv"))
        print(f"accuracy on the next day: {model.score(test[['message']], test['kind']):.3f}")


if __name__ == "__main__":
    main()
