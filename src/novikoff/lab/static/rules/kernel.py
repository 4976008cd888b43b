def learn(X, y, kernel, passes=1000):
    """While y·f(x) ≤ 0 with f = Σ α_j·y_j·κ(x_j, ·): α of this point ← α + 1."""
    alpha, updates = [0] * len(X), 0  # ← start
    for _ in range(passes):
        before = updates
        for i, x in enumerate(X):
            score = sum(a * label * kernel(z, x) for a, label, z in zip(alpha, y, X, strict=True))
            if y[i] * score <= 0:
                alpha[i] += 1  # ← update
                updates += 1
        if updates == before:
            return alpha, updates  # ← end
    return alpha, updates
