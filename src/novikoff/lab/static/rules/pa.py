def learn(X, y, C=1.0, passes=1000):
    """While y·(w·x) < 1: w ← w + τ·y·x with τ = (1 − y·(w·x)) / ‖x‖², at most C."""
    w, updates = [0.0] * len(X[0]), 0  # ← start
    for _ in range(passes):
        before = updates
        for x, label in zip(X, y, strict=True):
            score = sum(a * b for a, b in zip(w, x, strict=True))
            loss = 1 - label * score
            if loss > 0:
                step = min(C, loss / sum(a * a for a in x))
                w = [a + step * label * b for a, b in zip(w, x, strict=True)]  # ← update
                updates += 1
        if updates == before:
            return w, updates  # ← end
    return w, updates
