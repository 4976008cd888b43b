def errors(w, X, y):
    """Points on the wrong side, or on the plane."""
    return sum(label * sum(a * b for a, b in zip(w, x, strict=True)) <= 0 for x, label in zip(X, y, strict=True))


def learn(X, y, eta=1, passes=1000):
    """The perceptron; the weights with the fewest errors so far stay in the pocket."""
    w, updates = [0] * len(X[0]), 0  # ← start
    pocket, fewest = w, len(X)
    for _ in range(passes):
        before = updates
        for x, label in zip(X, y, strict=True):
            score = sum(a * b for a, b in zip(w, x, strict=True))
            if label * score <= 0:
                w = [a + eta * label * b for a, b in zip(w, x, strict=True)]  # ← update
                updates += 1
                if errors(w, X, y) < fewest:
                    pocket, fewest = w, errors(w, X, y)
        if updates == before:
            break  # ← end
    return pocket, updates
