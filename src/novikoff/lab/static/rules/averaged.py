def learn(X, y, eta=1, passes=10):
    """The perceptron; what it predicts with is the mean of its weights over all visits."""
    w, updates = [0] * len(X[0]), 0  # ← start
    total, visits = [0] * len(X[0]), 0
    for _ in range(passes):
        before = updates
        for x, label in zip(X, y, strict=True):
            score = sum(a * b for a, b in zip(w, x, strict=True))
            if label * score <= 0:
                w = [a + eta * label * b for a, b in zip(w, x, strict=True)]  # ← update
                updates += 1
            total = [a + b for a, b in zip(total, w, strict=True)]
            visits += 1
        if updates == before:
            break  # ← end
    return [a / visits for a in total], updates
