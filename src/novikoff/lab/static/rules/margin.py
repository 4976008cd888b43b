def learn(X, y, eta=1, passes=1000):
    """While y·(w·x) ≤ ‖w‖² / 3·Σs, so that a margin is left: w ← w + η·y·x."""
    w, updates = [0] * len(X[0]), 0  # ← start
    for _ in range(passes):
        before = updates
        for x, label in zip(X, y, strict=True):
            score = sum(a * b for a, b in zip(w, x, strict=True))
            square = sum(a * a for a in w)
            if label * score <= 0 or 3 * label * score * eta * updates <= square:
                w = [a + eta * label * b for a, b in zip(w, x, strict=True)]  # ← update
                updates += 1
        if updates == before:
            return w, updates  # ← end
    return w, updates
