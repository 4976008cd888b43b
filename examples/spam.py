"""A spam filter on the SMS Spam Collection: words and pairs of words, an averaged plane, and what it goes by.

It reads sms_spam_collection.tsv.gz from the folder in NOVIKOFF_DATA, lines of "spam" or "ham", a tab, and the text.
"""

import csv
import gzip
import os
import sys
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from novikoff import PassiveAggressiveClassifier


def messages(folder):
    """The texts and whether each is spam."""
    with gzip.open(Path(folder) / "sms_spam_collection.tsv.gz", "rt", encoding="utf-8") as file:
        lines = [line for line in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if len(line) == 2]
    kinds, texts = zip(*(line for line in lines if line[0] in ("ham", "spam")), strict=True)
    return list(texts), np.array(kinds)


def main():
    folder = os.environ.get("NOVIKOFF_DATA")
    if folder is None:
        sys.exit("Set NOVIKOFF_DATA to the folder with sms_spam_collection.tsv.gz.")
    texts, kinds = messages(folder)
    train, test, y, truth = train_test_split(texts, kinds, test_size=0.2, random_state=0, stratify=kinds)
    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), PassiveAggressiveClassifier())
    model.fit(train, y)
    (kept, lost), (missed, caught) = confusion_matrix(truth, model.predict(test))
    print(f"{len(test)} new messages: {model.score(test, truth):.2%} right")
    print(f"spam: {caught} caught, {missed} missed; ham: {kept} kept, {lost} lost")
    words, weights = model[0].get_feature_names_out(), model[1].coef_[0]
    print("most like spam:", ", ".join(words[np.argsort(weights)[:-11:-1]]))


if __name__ == "__main__":
    main()
