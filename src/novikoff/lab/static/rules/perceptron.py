def learn(X, y, eta=1, passes=1000):
    """While y·(w·x) ≤ 0: w ← w + η·y·x.  Every x ends with a 1 for the bias; y is 1 or −1."""
    w, updates = [0] * len(X[0]), 0  # ← start
    for _ in range(passes):
        before = updates
        for x, label in zip(X, y, strict=True):
            score = sum(a * b for a, b in zip(w, x, strict=True))
            if label * score <= 0:
                w = [a + eta * label * b for a, b in zip(w, x, strict=True)]  # ← update
                updates += 1
        if updates == before:
            return w, updates  # ← end
    return w, updates
