def learn(X, y, eta=1, passes=10):
    """The perceptron; all its weights vote, each with as many votes as it survived points."""
    w, updates = [0] * len(X[0]), 0  # ← start
    voters, votes = [], 0
    for _ in range(passes):
        before = updates
        for x, label in zip(X, y, strict=True):
            score = sum(a * b for a, b in zip(w, x, strict=True))
            if label * score <= 0:
                voters.append((w, votes))
                w, votes = [a + eta * label * b for a, b in zip(w, x, strict=True)], 0  # ← update
                updates += 1
            votes += 1
        if updates == before:
            break  # ← end
    return [*voters, (w, votes)], updates
