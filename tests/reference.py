"""Each rule of the notes in plain Python, straight from the slides: what the fast passes are compared with.

Rows are lists of numbers that already end in the constant feature, labels are +1 and −1.
"""

import itertools


def dot(w, x):
    return sum(a * b for a, b in zip(w, x, strict=True))


def products(rows, others):
    """The product of every row with every other."""
    return [[dot(x, z) for z in others] for x in rows]


def perceptron(rows, labels, orders, eta=1, start=None, weights=None):
    """w₀ = 0; while a row has y·(w·x) ≤ 0: w ← w + η·y·x.

    ``orders`` has one order of the rows a pass.  Returns the weights, the rows updated in turn, and whether the last
    pass was clean; it stops at the first that is.
    """
    w = list(start or [0] * len(rows[0]))
    weights = weights or [1] * len(rows)
    updates = []
    for order in orders:
        clean = True
        for i in order:
            if labels[i] * dot(w, rows[i]) <= 0:
                w = [a + eta * weights[i] * labels[i] * b for a, b in zip(w, rows[i], strict=True)]
                updates.append(i)
                clean = False
        if clean:
            return w, updates, True
    return w, updates, False


def step_perceptron(rows, labels, passes, eta=1):
    """The rule for labels 0 and 1 with the step activation: w ← w + η·(y − ŷ)·x, ŷ = sgn(w·x) = 1 if w·x ≥ 0 else 0."""
    w = [0] * len(rows[0])
    for _ in range(passes):
        for x, y in zip(rows, labels, strict=True):
            guess = 1 if dot(w, x) >= 0 else 0
            w = [a + eta * (y - guess) * b for a, b in zip(w, x, strict=True)]
    return w


def joint(rows, labels, orders, classes, start=None):
    """While a rival scores no less than the row's own class: own += x, rival −= x; the strongest rival counts."""
    w = [list(v) for v in start or [[0] * len(rows[0])] * classes]
    updates = []
    for order in orders:
        clean = True
        for i in order:
            scores = [dot(v, rows[i]) for v in w]
            own = labels[i]
            rival = max((c for c in range(classes) if c != own), key=lambda c: scores[c])
            if scores[own] - scores[rival] <= 0:
                w[own] = [a + b for a, b in zip(w[own], rows[i], strict=True)]
                w[rival] = [a - b for a, b in zip(w[rival], rows[i], strict=True)]
                updates.append((i, rival))
                clean = False
        if clean:
            return w, updates, True
    return w, updates, False


def family(rows, labels, orders, length, watch=lambda w, i: None, start=None):
    """Any rule of the family: ``length(lead, w, x, steps)`` is the step of a row's update, 0 for none.

    ``watch`` is shown the weights after every visit.  Returns the weights, the updates (row, step), and whether the
    last pass was clean; it stops at the first that is.
    """
    w, updates = list(start or [0] * len(rows[0])), []
    for order in orders:
        clean = True
        for i in order:
            step = length(labels[i] * dot(w, rows[i]), w, rows[i], [s for _, s in updates])
            if step:
                w = [a + step * labels[i] * b for a, b in zip(w, rows[i], strict=True)]
                updates.append((i, step))
                clean = False
            watch(w, i)
        if clean:
            return w, updates, True
    return w, updates, False


def plain(lead, w, x, steps):
    """Correct while y·(w·x) ≤ 0."""
    return int(lead <= 0)


def relative(rho):
    """Correct while y·(w·x)/‖w‖ < ρ/2; the first sample always."""
    return lambda lead, w, x, steps: int(lead <= 0 or 4 * lead**2 < rho**2 * dot(w, w))


def growing(lead, w, x, steps):
    """Correct while y·(w·x) ≤ ‖w‖²/3M."""
    return int(lead <= 0 or 3 * lead * sum(steps) <= dot(w, w))


def aggressive(kind, C):
    """τ = loss/‖x‖², at most C, or with 1/2C more below."""

    def length(lead, w, x, steps):
        loss, square = max(0, 1 - lead), dot(x, x)
        if kind == "damped":
            return loss / (square + 1 / (2 * C))
        full = loss / square if square else 0
        return min(full, C) if kind == "capped" else full

    return length


def joint_family(rows, labels, orders, classes, length):
    """The same for all classes at once: the lead is over the strongest rival, and ‖z‖² is 2‖x‖²."""
    w, steps = [[0] * len(rows[0]) for _ in range(classes)], []
    for order in orders:
        for i in order:
            scores, own = [dot(v, rows[i]) for v in w], labels[i]
            rival = max((c for c in range(classes) if c != own), key=lambda c: scores[c])
            z = [a if c == own else -a if c == rival else 0 for c in range(classes) for a in rows[i]]
            step = length(scores[own] - scores[rival], [a for v in w for a in v], z, steps)
            w[own] = [a + step * b for a, b in zip(w[own], rows[i], strict=True)]
            w[rival] = [a - step * b for a, b in zip(w[rival], rows[i], strict=True)]
            steps += [step] if step else []
    return w


def gaussian(rows, labels, orders, change):
    """A rule with a variance of every weight: ``change(m, v)`` is (α, β) of an update, or None for none.

    w ← w + α·y·σ·x and σ ← σ − β·(σ·x)², with m = y·(w·x) and v = Σ σ·x².  Returns weights, variances, and the updates
    (row, m).
    """
    w, variances, updates = [0] * len(rows[0]), [1] * len(rows[0]), []
    for order in orders:
        for i in order:
            x, y = rows[i], labels[i]
            m, v = y * dot(w, x), sum(s * a * a for s, a in zip(variances, x, strict=True))
            changed = change(m, v)
            if changed:
                alpha, beta = changed
                w = [a + alpha * y * s * b for a, s, b in zip(w, variances, x, strict=True)]
                variances = [s - beta * (s * b) ** 2 for s, b in zip(variances, x, strict=True)]
                updates.append((i, m))
    return w, variances, updates


def joint_gaussian(rows, labels, orders, classes, change):
    """The same for all classes: x at the own class and −x at the strongest rival is one long row, by Kesler."""
    size = len(rows[0])
    w, variances = [0] * (classes * size), [1] * (classes * size)
    for order in orders:
        for i in order:
            scores = [dot(w[c * size : (c + 1) * size], rows[i]) for c in range(classes)]
            own = labels[i]
            rival = max((c for c in range(classes) if c != own), key=lambda c: scores[c])
            z = [a if c == own else -a if c == rival else 0 for c in range(classes) for a in rows[i]]
            v = sum(s * a * a for s, a in zip(variances, z, strict=True))
            changed = change(scores[own] - scores[rival], v)
            if changed:
                alpha, beta = changed
                w = [a + alpha * s * b for a, s, b in zip(w, variances, z, strict=True)]
                variances = [s - beta * (s * b) ** 2 for s, b in zip(variances, z, strict=True)]
    return [w[c * size : (c + 1) * size] for c in range(classes)]


def arow(r):
    """While m < 1: α = (1 − m)/(v + r), β = 1/(v + r)."""
    return lambda m, v: ((1 - m) / (v + r), 1 / (v + r)) if m < 1 else None


def soft_confidence(C, phi):
    """SCW-I, as in the paper: u is there what is called v' in the rule, and β = αφ/(√u + vαφ)."""

    def change(m, v):
        if m >= phi * v**0.5:
            return None
        psi, zeta = 1 + phi**2 / 2, 1 + phi**2
        full = (-m * psi + (m**2 * phi**4 / 4 + v * phi**2 * zeta) ** 0.5) / (v * zeta)
        alpha = min(C, max(0.0, full))
        root = (-alpha * v * phi + (alpha**2 * v**2 * phi**2 + 4 * v) ** 0.5) / 2
        return alpha, alpha * phi / (root + v * alpha * phi)

    return change


def errors(w, rows, labels):
    """Rows on the wrong side, or on the plane."""
    return sum(y * dot(w, x) <= 0 for x, y in zip(rows, labels, strict=True))


def kernel_perceptron(kernel, labels, orders, level=0):
    """α = 0; while a row has y_i·Σ α_j y_j κ(x_j, x_i) ≤ level: α_i ← α_i + 1.  ``kernel`` is the matrix of κ.

    Returns α, the rows updated in turn, the mean over all visits of the α after each, and whether the last pass was
    clean.
    """
    n = len(labels)
    alpha, total, updates, visits = [0] * n, [0] * n, [], 0
    for order in orders:
        clean = True
        for i in order:
            if labels[i] * sum(alpha[j] * labels[j] * kernel[j][i] for j in range(n) if alpha[j]) <= level:
                alpha[i] += 1
                updates.append(i)
                clean = False
            total = [a + b for a, b in zip(total, alpha, strict=True)]
            visits += 1
        if clean:
            return alpha, updates, [a / visits for a in total], True
    return alpha, updates, [a / visits for a in total], False


def budgeted(kernel, labels, orders, budget, policy, draw=None):
    """The same with at most ``budget`` supports; coefficients c_j take the place of α_j y_j.

    "project": a row that finds no room, or is in the span of the supports, is replaced by its projection onto them.
    "forget": f is shrunk by the most φ ≤ 1 with Q + (σφ)² + 2σφ − 2(σφ)(φμ) ≤ 15/32·M, where σ is the weight of the
    oldest support and μ its y·f(x) (for κ ≤ 1), then that support goes.  "random": the support ``draw`` says goes.
    Returns coefficients by row, and the rows updated in turn.
    """
    import numpy as np

    K = np.array(kernel, dtype=float)
    c, supports, updates, debt, visit = np.zeros(len(labels)), [], [], 0.0, -1
    for order in orders:
        for i in order:
            visit += 1
            y = labels[i]
            if y * (c @ K[i]) > 0:
                continue
            updates.append(i)
            if policy == "project" and supports:
                inside = K[np.ix_(supports, supports)]
                d = np.linalg.solve(inside, K[supports, i])
                if len(supports) == budget or K[i, i] - d @ K[supports, i] < 1e-8 * K[i, i]:
                    c[supports] += y * d
                    continue
            if i not in supports and len(supports) == budget:
                slot = 0 if policy == "forget" else draw(visit, budget)
                gone = supports[slot]
                if policy == "forget":
                    f = c.copy()
                    f[i] += y
                    sigma, mu = abs(c[gone]), np.sign(c[gone]) * (f @ K[gone])
                    grid = np.linspace(1, 0, 200001)
                    psi = (sigma * grid) ** 2 + 2 * sigma * grid - 2 * (sigma * grid) * (grid * mu)
                    phi = grid[np.argmax(psi <= 15 / 32 * len(updates) - debt)]
                    debt += (sigma * phi) ** 2 + 2 * sigma * phi - 2 * sigma * phi * phi * mu
                    c *= phi
                    y *= phi
                    supports.pop(0)
                    supports.append(i)
                else:
                    supports[slot] = i
                c[gone] = 0.0
            elif i not in supports:
                supports.append(i)
            c[i] += y
    return c, updates


def parameter_mixing(rows, labels, shards, rounds, share=lambda made: [1 / len(made)] * len(made)):
    """Every shard makes a pass from w, to w_s with k_s updates; then w ← Σ μ_s·w_s.

    ``share`` makes the μ of the k.  Returns the weights, Σ k_s and Σ μ_s·k_s over all rounds, the mean over the rounds
    of Σ μ_s·(the mean of w over the visits of shard s), and whether the last round was clean; it stops at the first.
    """
    w, mean, total, weighted, made_rounds = [0] * len(rows[0]), [0] * len(rows[0]), 0, 0, 0
    for _ in range(rounds):
        ends, means, made = [], [], []
        for shard in shards:
            end, seen = w, [0] * len(w)
            k = 0
            for i in shard:
                end, updates, _ = perceptron(rows, labels, [[i]], start=end)
                seen = [a + b for a, b in zip(seen, end, strict=True)]
                k += len(updates)
            ends.append(end)
            means.append([a / len(shard) for a in seen])
            made.append(k)
        mu = share(made)
        w = [sum(m * end[j] for m, end in zip(mu, ends, strict=True)) for j in range(len(w))]
        mean = [a + sum(m * part[j] for m, part in zip(mu, means, strict=True)) for j, a in enumerate(mean)]
        made_rounds += 1
        total, weighted = total + sum(made), weighted + sum(m * k for m, k in zip(mu, made, strict=True))
        if not any(made):
            break
    return w, total, weighted, [a / made_rounds for a in mean], not any(made)


def ratchet(rows, signs, passes):
    """Gallant's pocket algorithm with ratchet: the fewest errors that it finds, counting by its definition.

    As soon as weights were right on more rows in a row than those in the pocket when they came into it, their errors
    are counted; so long as no more rows were looked at for that than were visited.
    """
    w, run, longest, visits, looked = [0] * len(rows[0]), 0, -1, 0, 0
    fewest = errors(w, rows, signs)
    for order in passes:
        for i in order:
            if signs[i] * dot(w, rows[i]) > 0:
                run += 1
            else:
                if run > longest and looked <= visits:
                    looked += len(rows)
                    if errors(w, rows, signs) < fewest:
                        fewest, longest = errors(w, rows, signs), longest + 1
                w = [a + signs[i] * b for a, b in zip(w, rows[i], strict=True)]
                run = 0
            visits += 1
    return min(fewest, errors(w, rows, signs))


def along_columns(columns, margins, weights, lines, draws, reach):
    """Go along columns, one after the other, to the middle of a stretch with the fewest errors, counted row by row.

    A column is the slopes of all rows; between places where rows change sides, within reach, is a stretch.  Of several
    that are as good as any, the one drawn.  Returns the margins, and how far each column went.
    """
    moves = [0.0] * len(columns)
    for j, draw in zip(lines, draws, strict=True):
        slopes = columns[j]

        def wrong(step, margins=margins, slopes=slopes):
            return sum(w for m, s, w in zip(margins, slopes, weights, strict=True) if m + step * s <= 0)

        crossed = {-m / s for m, s in zip(margins, slopes, strict=True) if s and abs(m) < reach * abs(s)}
        if not crossed:
            continue
        ends = [-reach, *sorted(crossed), reach]
        middles = [(a + b) / 2 for a, b in itertools.pairwise(ends)]
        fewest = min(wrong(0), *map(wrong, middles))
        best = [a for a in middles if wrong(a) == fewest]
        step = best[int(draw * len(best))] if best else 0.0
        moves[j] += step
        margins = [m + step * s for m, s in zip(margins, slopes, strict=True)]
    return margins, moves


def insensitive(rows, targets, orders, kind, C, epsilon=0.5):
    """Passive-aggressive regression: loss = max(0, |y − w·x| − ε), w ← w + sign(y − w·x)·τ·x, τ as in ``aggressive``.

    Returns the weights after every visit, and the losses met.
    """
    w, seen, losses = [0] * len(rows[0]), [], []
    for order in orders:
        for i in order:
            residual, square = targets[i] - dot(w, rows[i]), dot(rows[i], rows[i])
            loss = max(0, abs(residual) - epsilon)
            if kind == "damped":
                step = loss / (square + 1 / (2 * C))
            else:
                step = min(loss / square, C) if kind == "capped" else loss / square
            w = [a + (step if residual > 0 else -step) * b for a, b in zip(w, rows[i], strict=True)]
            seen.append(w)
            losses.append(loss)
    return seen, losses
