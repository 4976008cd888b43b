"""A spam filter on the SMS Spam Collection: words and pairs of words, an averaged plane, and what it goes by.

The collection is fetched once (0.5 MB); without a network the messages are made up, as in streaming.py.
"""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from streaming import message

from novikoff import PassiveAggressiveClassifier, datasets


def messages():
    """The texts and whether each is spam."""
    try:
        collection = datasets.fetch("sms")
    except ValueError as error:
        print(error)
        random = np.random.default_rng(0)
        spam = random.random(3000) < 0.3
        return [message(random, kind) for kind in spam], np.where(spam, "spam", "ham")
    return collection.data, collection.target


def main():
    texts, kinds = messages()
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
