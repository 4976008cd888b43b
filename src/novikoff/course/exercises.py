"""Judging answers to the exercises: by running them and by proving, never by comparing texts."""

import warnings
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np

from ..data import datasets
from ..learners.features import SlackEmbedding
from ..learners.perceptron import Perceptron
from ..learners.pocket import PocketPerceptron
from ..neuron import sign, step
from ..proofs.certify import certify
from ..proofs.fewest_errors import fewest_errors
from ..theory.audit import audit
from ..theory.trace import record
from .exercise_texts import EXERCISES
from .texts import LANGUAGES


class Judgement(NamedTuple):
    """Whether an answer is right, and why."""

    right: bool
    sentence: str

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return self.sentence


class WrongAnswerError(Exception):
    """What is wrong with an answer, in English and Chinese."""


Pair = tuple[str, str]
"""A sentence in English and in Chinese."""


def check(number: int, answer: Any, lang: str = "en") -> Judgement:
    """Judge an answer to an exercise by running it."""
    if lang not in LANGUAGES:
        raise ValueError(f"The course is in {' and '.join(map(repr, LANGUAGES))}, not in {lang!r}.")
    if number not in EXERCISES:
        raise ValueError(f"There is no exercise {number}: they are 1 to {max(EXERCISES)}.")
    place = LANGUAGES.index(lang)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # runs of a judge may end anyhow
            return Judgement(True, ("Right: ", "正确：")[place] + JUDGES[number](answer)[place])
    except WrongAnswerError as wrong:
        return Judgement(False, ("Not yet: ", "还不对：")[place] + wrong.args[place])
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        return Judgement(False, (f"The answer cannot be judged: {text}.", f"无法判断这个答案：{text}。")[place])


def demand(condition: Any, en: str, zh: str) -> None:
    """Say what is wrong, unless it is right."""
    if not condition:
        raise WrongAnswerError(en, zh)


def numbers(answer: Any, count: int) -> np.ndarray:
    """So many finite numbers."""
    values = np.asarray(answer, dtype=float).ravel()
    good = len(values) == count and np.isfinite(values).all()
    demand(good, f"answer must be {count} finite numbers.", f"answer 应为 {count} 个有限的数。")
    return values


def table(answer: Any, most: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and labels of two classes, ±1."""
    X, y = np.asarray(answer[0], dtype=float), np.asarray(answer[1])
    good = X.ndim == 2 and X.shape[1] == columns and 2 <= len(X) <= most and len(y) == len(X) and np.isfinite(X).all()
    demand(
        good and len(set(y.tolist())) == 2,
        f"answer must be (X, y) with at most {most} rows of {columns} numbers and labels of two classes.",
        f"answer 应为 (X, y)：至多 {most} 个样本，每个 {columns} 个数，标记有两类。",
    )
    return X, np.where(y == np.unique(y)[1], 1, -1)


def nand(answer: Any) -> Pair:
    *w, b = numbers(answer, 3)
    for x in product((0, 1), repeat=2):
        given, wanted = int(sign(np.dot(w, x) + b)), 1 - 2 * (x[0] & x[1])
        demand(
            given == wanted,
            f"at {x} the neuron gives {given}, and NAND is {wanted}.",
            f"在 {x} 处神经元输出 {given}，而与非为 {wanted}。",
        )
    return "all four outputs are NAND.", "四个输出都是与非。"


def xor_of_three(answer: Any) -> Pair:
    first, second, last = (numbers(one, 3) for one in answer)
    for x in product((0, 1), repeat=2):
        hidden = [int(step(w[:2] @ np.array(x) + w[2])) for w in (first, second)]
        given = int(step(last[:2] @ np.array(hidden) + last[2]))
        demand(
            given == x[0] ^ x[1],
            f"at {x} the two neurons give {hidden} and the last {given}, but XOR is {x[0] ^ x[1]}.",
            f"在 {x} 处前两个神经元输出 {hidden}，最后输出 {given}，而异或为 {x[0] ^ x[1]}。",
        )
    return "all four outputs are XOR.", "四个输出都是异或。"


def one_update(answer: Any) -> Pair:
    w, x, y = np.array([1.0, -2.0, 0.0]), np.array([2.0, 3.0, 1.0]), 1
    new = w + 0.5 * y * x if y * (w @ x) <= 0 else w
    demand(
        np.allclose(numbers(answer, 3), new, rtol=0, atol=1e-9),
        "the rule gives other weights.",
        "按规则得到的不是这些权重。",
    )
    return f"w·x = {w @ x:g} is a mistake, and w ← w + ½·x.", f"w·x = {w @ x:g} 是误分类，w ← w + ½·x。"


def own_perceptron(answer: Any) -> Pair:
    random = np.random.default_rng(0)
    for _ in range(20):
        X, w = random.integers(-5, 6, (8, 3)), random.integers(-5, 6, 3)
        y = np.where(X @ w > 0, 1, -1)
        if not (X @ w).all() or abs(y.sum()) == 8:
            continue
        wanted = record(Perceptron(order="cyclic", fit_intercept=False, max_iter=10**5, tol=None), X, y)
        given = list(answer(X.tolist(), y.tolist()))
        demand(
            given == wanted.problems[0].rows.tolist(),
            f"on X = {X.tolist()}, y = {y.tolist()} the updates are on rows {wanted.problems[0].rows.tolist()}, not on {given}.",
            f"在 X = {X.tolist()}、y = {y.tolist()} 上应依次更新样本 {wanted.problems[0].rows.tolist()}，而不是 {given}。",
        )
    return "the same updates as the library's.", "与本库的每次更新都相同。"


def good_order(answer: Any) -> Pair:
    X, y = datasets.logic_gate("and")
    order = [int(i) for i in answer]
    demand(
        sorted(order) == [0, 1, 2, 3],
        "answer must be a permutation of 0, 1, 2, 3.",
        "answer 应为 0、1、2、3 的一个排列。",
    )
    learner = Perceptron(order="cyclic")
    made = {each: learner.fit(X[list(each)], y[list(each)]).n_updates_ for each in permutations(range(4))}
    own, best = made[tuple(order)], min(made.values())
    demand(
        own == best,
        f"this order takes {own} updates, and one takes {best}.",
        f"这个次序更新 {own} 次，而有的次序只要 {best} 次。",
    )
    return (
        f"{best} updates; the worst order takes {max(made.values())}.",
        f"更新 {best} 次；最差的次序要 {max(made.values())} 次。",
    )


def no_threshold(answer: Any) -> Pair:
    p = [Fraction(str(value)) for value in answer]
    demand(
        len(p) == 5 and min(p) >= 0 and any(p), "p must be five weights ≥ 0, not all 0.", "p 应为五个不全为零的非负数。"
    )
    rows = [(y * x, y) for x, y in enumerate((-1, 1, 1, -1, 1))]
    total = [sum(weight * row[j] for weight, row in zip(p, rows, strict=True)) for j in (0, 1)]
    demand(total == [0, 0], f"the weighted sum is ({total[0]}, {total[1]}).", f"加权和为 ({total[0]}, {total[1]})。")
    return "the weighted signed rows sum to zero: no threshold separates.", "加权和为零：没有阈值能分开。"


def bound_of_the_notes(answer: Any) -> Pair:
    for seed in range(5):
        X, y = datasets.planted_margin(20, 3, 0.1, radius=2.0, random_state=seed)
        proof = certify(X, y, fit_intercept=False)
        w = 3.0 * np.ravel(proof.coef)
        wanted = (np.linalg.norm(X, axis=1).max() * np.linalg.norm(w) / (y * (X @ w)).min()) ** 2
        given = float(answer(X, y, w))
        demand(
            abs(given / wanted - 1) < 1e-9,
            f"on planted_margin(20, 3, 0.1, radius=2.0, random_state={seed}) it gives {given:.6g}, and R²/ρ² is {wanted:.6g}.",
            f"在 planted_margin(20, 3, 0.1, radius=2.0, random_state={seed}) 上给出 {given:.6g}，而 R²/ρ² 为 {wanted:.6g}。",
        )
    return "T ≤ R²/ρ², with ρ = min y_n·(w_f·x_n)/‖w_f‖.", "T ≤ R²/ρ²，其中 ρ = min y_n·(w_f·x_n)/‖w_f‖。"


def hundred_updates(answer: Any) -> Pair:
    X, y = table(answer, 6, 2)
    whole = (np.round(X) == X).all() and abs(X).max() <= 20
    demand(whole, "the numbers must be whole, from −20 to 20.", "数值应为 −20 到 20 的整数。")
    proof = certify(X, y)
    demand(proof.verdict == "separable", f"the data is {proof.verdict}.", "数据不是线性可分的。")
    made = Perceptron(order="cyclic", max_iter=10**6, tol=None).fit(X, y).n_updates_
    demand(made >= 100, f"the run makes {made} updates.", f"只更新了 {made} 次。")
    return (
        f"{made} updates, where r²/ρ² = {proof.mistake_bound:.6g}.",
        f"更新 {made} 次，而 r²/ρ² = {proof.mistake_bound:.6g}。",
    )


def tight_five(answer: Any) -> Pair:
    X, y = table(answer, 5, 5)
    demand(
        len(X) == 5 and (np.count_nonzero(X, axis=1) >= 2).all(),
        "there must be 5 rows with two numbers other than zero each.",
        "应有 5 个样本，每个至少有两个非零数。",
    )
    proof = certify(X, y, fit_intercept=False)
    demand(proof.verdict == "separable", f"the data is {proof.verdict}.", "数据不是线性可分的。")
    made, bound = Perceptron(fit_intercept=False).fit(X, y).n_updates_, (proof.radius / proof.margin[1]) ** 2
    demand(
        made == 5 and abs(bound - 5) < 1e-6,
        f"the run makes {made} updates, and r²/ρ² is {bound:.6g}.",
        f"更新 {made} 次，而 r²/ρ² 为 {bound:.6g}。",
    )
    return "5 updates, and r²/ρ² = 5.", "更新 5 次，r²/ρ² = 5。"


def counts_of_five(answer: Any) -> Pair:
    learner = Perceptron(fit_intercept=False, max_iter=10**6, tol=None)
    wanted = learner.fit(*datasets.exponential(5)).update_counts_.tolist()
    given = numbers(answer, 5).tolist()
    right = sum(a == b for a, b in zip(given, wanted, strict=True))
    demand(right == 5, f"{right} of the 5 counts are those of a run.", f"5 个数中有 {right} 个与实际运行相符。")
    return f"they sum to {sum(wanted)} = (4⁵ − 1)/3.", f"合计 {sum(wanted)} = (4⁵ − 1)/3。"


def slip_in_the_proof(answer: Any) -> Pair:
    number, *data = answer
    X, y = table(data, 20, 2)
    demand(number == 3, f"step {number} is true of every run.", f"第 {number} 步对任何运行都成立。")
    trace = record(Perceptron(order="cyclic", fit_intercept=False, max_iter=10**5, tol=None), X, y)
    checked = audit(trace)
    demand(
        len(checked.cosines), "no plane through the origin separates this data.", "没有过原点的超平面能分开这些数据。"
    )
    changes = np.diff(checked.cosines)
    demand(len(changes) and changes.min() < 0, "on this data the cosine does grow.", "在这些数据上余弦一直增大。")
    worst = int(np.argmin(changes))
    return (
        f"update {worst + 2} lowers the cosine by {-changes[worst]:.3f}; only its floor √t·ρ/r grows.",
        f"第 {worst + 2} 次更新使余弦减小 {-changes[worst]:.3f}；增大的只是下界 √t·ρ/r。",
    )


def nearly_best(answer: Any) -> Pair:
    X, y = datasets.planted_margin(30, 2, 0.2, random_state=3)
    w, rows = numbers(answer, 3), np.column_stack([X, np.ones(30)])
    demand(w.any(), "a plane needs weights that are not all zero.", "权重不能全为零。")
    part = float((y * (rows @ w)).min() / np.linalg.norm(w) / certify(X, y).margin[1])
    demand(part >= 0.99, f"its margin is {part:.1%} of the best.", f"它的间隔是最大间隔的 {part:.1%}。")
    return f"its margin is {part:.2%} of the best.", f"它的间隔是最大间隔的 {part:.2%}。"


def parity_map(answer: Any) -> Pair:
    X = np.array(list(product((0, 1), repeat=3)))
    Z = np.asarray(answer(X), dtype=float)
    fits = Z.ndim == 2 and len(Z) == 8 and 1 <= Z.shape[1] <= 4
    demand(fits, "answer(X) must have 8 rows and at most 4 columns.", "answer(X) 应有 8 行、至多 4 列。")
    verdict = certify(Z, X.sum(axis=1) % 2).verdict
    demand(verdict == "separable", f"in these features parity is {verdict}.", "在这些特征下奇偶函数不是线性可分的。")
    return (
        f"{Z.shape[1]} feature(s) are enough, which certify proves.",
        f"{Z.shape[1]} 个特征就够了，certify 给出了证明。",
    )


def slack_of_xor(answer: Any) -> Pair:
    X, y = datasets.logic_gate("xor")
    fitted = SlackEmbedding(margin=1, coef=[0, 0, 1]).fit(X, y)
    wanted = np.array([fitted.slack_, fitted.amplitude_, fitted.mistake_bound_])
    right = np.isclose(numbers(answer, 3), wanted, rtol=1e-6)
    names = [name for name, good in zip(("δ", "A", "the bound"), right, strict=True) if not good]
    demand(
        right.all(),
        f"{', '.join(names)} is not that of SlackEmbedding.",
        f"{'、'.join(names)} 与 SlackEmbedding 不符。",
    )
    return f"at most {wanted[2]:.4g} updates.", f"至多更新 {wanted[2]:.4g} 次。"


def losing_pocket(answer: Any) -> Pair:
    X, y = table(answer, 12, 2)
    kept, best = PocketPerceptron(max_iter=10, refine=False).fit(X, y).n_errors_, fewest_errors(X, y)
    demand(
        kept > best.errors,
        f"the pocket keeps {kept} errors, and the best plane makes at least {best.lower_bound}.",
        f"口袋保留 {kept} 个错误，而错误最少的超平面至少有 {best.lower_bound} 个。",
    )
    return (
        f"the pocket keeps {kept} errors, a plane makes {best.errors}.",
        f"口袋保留 {kept} 个错误，而有超平面只错 {best.errors} 个。",
    )


def kernel_of_the_map(answer: Any) -> Pair:
    for x, z in np.random.default_rng(0).integers(-9, 10, (50, 2, 2)).tolist():
        wanted = (x[0] * z[0] + x[1] * z[1]) ** 2
        given = answer(x, z)
        demand(
            abs(given - wanted) < 1e-9 * max(1, abs(wanted)),
            f"at x = {x}, z = {z} it gives {given}, and φ(x)·φ(z) is {wanted}.",
            f"在 x = {x}、z = {z} 处给出 {given}，而 φ(x)·φ(z) 为 {wanted}。",
        )
    return "κ(x, z) = (x·z)².", "κ(x, z) = (x·z)²。"


def dual_xor(answer: Any) -> Pair:
    X, y = datasets.logic_gate("xor")
    alpha, signs = numbers(answer, 4), 2 * y - 1
    demand((alpha >= 0).all(), "α must not be negative.", "α 不能为负。")
    scores = signs * ((X @ X.T + 1) ** 2 @ (alpha * signs))
    demand(
        (scores > 0).all(),
        f"y·f(x) is {scores.tolist()} on the four samples.",
        f"四个样本上的 y·f(x) 为 {scores.tolist()}。",
    )
    return f"y·f(x) is {scores.tolist()}.", f"y·f(x) 为 {scores.tolist()}。"


def trade(answer: Any) -> Pair:
    ones, zeros = ([tuple(int(bit) for bit in point) for point in points] for points in answer)
    good = ones and len(ones) == len(zeros) and all(len(p) == 4 and set(p) <= {0, 1} for p in [*ones, *zeros])
    demand(
        good,
        "both lists must have as many points of four numbers 0 or 1.",
        "两个列表应有同样多的点，每个点是四个 0 或 1。",
    )

    def f(p: Any) -> int:
        return (p[0] & p[1]) | (p[2] & p[3])

    demand(
        all(map(f, ones)) and not any(map(f, zeros)),
        "f must be 1 on the first and 0 on the second.",
        "f 在前者上应为 1，在后者上应为 0。",
    )
    sums = [np.sum(points, axis=0).tolist() for points in (ones, zeros)]
    demand(sums[0] == sums[1], f"the sums are {sums[0]} and {sums[1]}.", f"两边之和为 {sums[0]} 和 {sums[1]}。")
    return f"both sums are {sums[0]}: no weights can do it.", f"两边之和都是 {sums[0]}：不存在这样的权重。"


JUDGES: dict[int, Callable[[Any], Pair]] = dict(
    enumerate(
        [
            nand,
            xor_of_three,
            one_update,
            own_perceptron,
            good_order,
            no_threshold,
            bound_of_the_notes,
            hundred_updates,
            tight_five,
            counts_of_five,
            slip_in_the_proof,
            nearly_best,
            parity_map,
            slack_of_xor,
            losing_pocket,
            kernel_of_the_map,
            dual_xor,
            trade,
        ],
        start=1,
    )
)
"""The judge of every exercise: a sentence if the answer is right, else ``WrongAnswerError``."""
