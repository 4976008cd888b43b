"""The exercises: questions and hints in English and Chinese, and solutions, which are answers that are judged right."""

from typing import NamedTuple


class Exercise(NamedTuple):
    """An exercise: the section of the chapter it belongs to, its texts by language, and a solution as Python."""

    section: int
    title: dict[str, str]
    question: dict[str, str]
    hints: dict[str, tuple[str, ...]]
    solution: str


def both(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


def hints(en: tuple[str, ...], zh: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {"en": en, "zh": zh}


EXERCISES: dict[int, Exercise] = {
    1: Exercise(
        2,
        both("Weights for NAND", "与非门的权重"),
        both(
            "Choose weights w1, w2 and a bias b so that sign(w1·x1 + w2·x2 + b) is NAND: −1 if x1 = x2 = 1, else 1. "
            "answer = (w1, w2, b).",
            "选取权重 w1、w2 和偏置 b，使 sign(w1·x1 + w2·x2 + b) 为与非运算：x1 = x2 = 1 时为 −1，否则为 1。answer = (w1, w2, b)。",
        ),
        hints(
            ("NAND is AND turned round.", "AND is sign(x1 + x2 − 1.5)."),
            ("与非是与的相反。", "与是 sign(x1 + x2 − 1.5)。"),
        ),
        "answer = (-1, -1, 1.5)",
    ),
    2: Exercise(
        11,
        both("XOR from three neurons", "用三个神经元实现异或"),
        both(
            "One neuron cannot compute XOR; three can. Give two neurons on the inputs and a third on their outputs (0 or 1, by the "
            "step function), each as (w1, w2, b), so that the last output is XOR. answer = [first, second, last].",
            "一个神经元不能计算异或，三个可以。给出两个以输入为自变量的神经元，和一个以它们的输出（阶跃函数，取 0 或 1）为自变量的神经元，"
            "各写成 (w1, w2, b)，使最后的输出为异或。answer = [第一个, 第二个, 最后一个]。",
        ),
        hints(
            ("XOR is OR, but not AND.", "First OR, second NAND, last AND."),
            ("异或是“或”而非“与”。", "第一个取或，第二个取与非，最后取与。"),
        ),
        "answer = [(1, 1, -0.5), (-1, -1, 1.5), (1, 1, -1.5)]",
    ),
    3: Exercise(
        4,
        both("One update by hand", "手算一次更新"),
        both(
            "w = (1, −2), b = 0, and the sample x = (2, 3) has the label y = +1. With η = 1/2, what are the weights after the "
            "perceptron has looked at it? answer = (w1, w2, b).",
            "w = (1, −2)，b = 0，样本 x = (2, 3) 的标记为 y = +1。取 η = 1/2，感知机看过它之后权重是多少？answer = (w1, w2, b)。",
        ),
        hints(
            ("Is y·(w·x + b) ≤ 0?", "The bias is a weight on a feature that is always 1."),
            ("y·(w·x + b) ≤ 0 吗？", "偏置是恒为 1 的特征的权重。"),
        ),
        "answer = (2, -0.5, 0.5)",
    ),
    4: Exercise(
        4,
        both("The perceptron in ten lines", "十行代码写出感知机"),
        both(
            "Write answer(X, y): y holds ±1, the rows have no bias. Start from w = 0, visit the rows in cyclic order, make an update "
            "with η = 1 while y·(w·x) ≤ 0, stop after a pass without an update, and return the list of rows that were updated on.",
            "编写 answer(X, y)：y 取 ±1，样本不带偏置。从 w = 0 开始，循环遍历样本，y·(w·x) ≤ 0 时以 η = 1 更新，一整轮没有更新即停止；"
            "返回依次被更新的样本的编号列表。",
        ),
        hints(
            (
                "A list w, two loops, and a flag for the pass.",
                "y·(w·x) = 0 is a mistake too: from w = 0 the first sample always takes an update.",
            ),
            ("一个列表 w、两重循环、一个标志。", "y·(w·x) = 0 也算错：从 w = 0 出发，第一个样本总要更新。"),
        ),
        """def answer(X, y):
    w, updated, wrong = [0] * len(X[0]), [], True
    while wrong:
        wrong = False
        for i, x in enumerate(X):
            if y[i] * sum(a * b for a, b in zip(w, x)) <= 0:
                w = [a + y[i] * b for a, b in zip(w, x)]
                updated.append(i)
                wrong = True
    return updated""",
    ),
    5: Exercise(
        5,
        both("A good order", "好的顺序"),
        both(
            "The four samples of AND are numbered 0: (0, 0), 1: (0, 1), 2: (1, 0), 3: (1, 1). In which order should they be presented, "
            "again and again, so that the perceptron (with a bias, from zero) makes the fewest updates? answer = a permutation.",
            "与运算的四个样本编号为 0：(0, 0)，1：(0, 1)，2：(1, 0)，3：(1, 1)。按怎样的次序循环呈现，带偏置的感知机从零开始更新最少？answer = 一个排列。",
        ),
        hints(
            (
                "There are only 24 orders: try them all.",
                'Perceptron(order="cyclic").fit(X[order], y[order]).n_updates_',
            ),
            ("只有 24 种次序，全试一遍即可。", 'Perceptron(order="cyclic").fit(X[order], y[order]).n_updates_'),
        ),
        """from itertools import permutations
from novikoff import Perceptron, datasets

X, y = datasets.logic_gate("and")
learner = Perceptron(order="cyclic")
answer = min(permutations(range(4)), key=lambda order: learner.fit(X[list(order)], y[list(order)]).n_updates_)""",
    ),
    6: Exercise(
        5,
        both("A proof that no plane separates", "证明不存在分开的超平面"),
        both(
            "Points on a line: x = 0, 1, 2, 3, 4 with labels −, +, +, −, +. No threshold separates them. Prove it: give weights p ≥ 0, not all "
            "zero, so that the signed rows y·[x; 1], weighted by p, sum to zero. answer = the five weights.",
            "直线上的点 x = 0, 1, 2, 3, 4，标记为 −, +, +, −, +。没有阈值能分开它们。请证明：给出不全为零的权重 p ≥ 0，使带符号的样本 y·[x; 1] "
            "按 p 加权之和为零。answer = 五个权重。",
        ),
        hints(
            (
                "A point of one class between two of the other is an average of them.",
                "3 is the mean of 2 and 4; what are their signs?",
            ),
            ("一类的点夹在另一类两点之间，就是它们的平均。", "3 是 2 和 4 的平均；它们的符号是什么？"),
        ),
        "answer = [0, 0, 1, 2, 1]",
    ),
    7: Exercise(
        6,
        both("The bound on T (the question of the notes)", "T 的上界（讲义思考题）"),
        both(
            "Let R = max ‖x_n‖ and let w_f be a vector with y_n·(w_f·x_n) > 0 for all n. Write answer(X, y, w_f) that returns the upper bound of "
            "the number T of updates that the proof gives for this w_f.",
            "设 R = max ‖x_n‖，w_f 满足对所有 n 有 y_n·(w_f·x_n) > 0。编写 answer(X, y, w_f)，返回证明对这个 w_f 给出的更新次数 T 的上界。",
        ),
        hints(
            (
                "1 ≥ cos(w_f, w_T) ≥ √T · constant.",
                "The margin is the minimum over the samples; 002 writes a maximum. And w_f need not have length 1.",
            ),
            (
                "1 ≥ cos(w_f, w_T) ≥ √T · constant。",
                "间隔是对样本取最小值，讲义 002 误写成最大值；w_f 也不一定是单位向量。",
            ),
        ),
        """import numpy as np


def answer(X, y, w_f):
    R = np.linalg.norm(X, axis=1).max()
    rho = (y * (X @ w_f)).min() / np.linalg.norm(w_f)
    return R**2 / rho**2""",
    ),
    8: Exercise(
        6,
        both("Data that needs 100 updates", "需要 100 次更新的数据"),
        both(
            "Make separable data of at most 6 rows with two whole numbers from −20 to 20 each, on which the perceptron (with a bias, cyclic "
            "order, from zero) makes at least 100 updates. answer = (X, y).",
            "构造线性可分的数据：至多 6 个样本，每个是两个 −20 到 20 的整数，使带偏置的感知机（循环顺序，从零开始）至少更新 100 次。answer = (X, y)。",
        ),
        hints(
            (
                "The bound is r²/ρ²: the margin must be small beside the longest row.",
                "Two points that are close to each other, far from 0, and of different classes.",
            ),
            ("上界是 r²/ρ²：间隔与最长的样本相比必须很小。", "两个不同类的点，彼此很近，离原点很远。"),
        ),
        "answer = ([[20, -19], [19, -18]], [1, -1])",
    ),
    9: Exercise(
        7,
        both("The bound is reached", "达到上界"),
        both(
            "Make data of 5 rows (numbers as you like, no bias) on which the perceptron makes exactly r²/ρ² = 5 updates, but whose rows are "
            "not those of a unit matrix: no row may have fewer than two numbers other than zero. answer = (X, y).",
            "构造 5 个样本（数值不限，不带偏置），使感知机恰好更新 r²/ρ² = 5 次；但样本不能是单位矩阵的行：每行至少有两个非零数。answer = (X, y)。",
        ),
        hints(
            (
                "Rows that are orthonormal take one update each.",
                "A rotation or a reflection keeps products; take one in whole numbers, as rounding would turn 0 into something else.",
            ),
            ("标准正交的样本各更新一次。", "旋转和反射不改变内积；取整数的，以免舍入使 0 变成别的数。"),
        ),
        """import numpy as np

answer = (5 * np.eye(5) - 2, [1, -1, 1, -1, 1])  # a mirror image of 5 times the unit matrix""",
    ),
    10: Exercise(
        7,
        both("Counting without running", "不运行也能数"),
        both(
            "The worst case with m = 5 rows, y_i·x_i = [−1, …, −1, 1, 0, …, 0]: how often is each row updated on? answer = five numbers. "
            "(They are judged by a run.)",
            "m = 5 的最坏情况，y_i·x_i = [−1, …, −1, 1, 0, …, 0]：每个样本各更新几次？answer = 五个数。（由实际运行来判断。）",
        ),
        hints(
            (
                "In the end w = (1, 2, 4, 8, 16), in any order.",
                "w is the sum of the signed rows, each times its count: solve from the last coordinate.",
            ),
            ("无论什么顺序，最后 w = (1, 2, 4, 8, 16)。", "w 是带符号样本按更新次数的加权和：从最后一个分量解起。"),
        ),
        "answer = [171, 86, 44, 24, 16]",
    ),
    11: Exercise(
        6,
        both("Find the slip in this proof", "找出证明中的错误"),
        both(
            "(1) v·w grows by at least ρ with every update. (2) ‖w‖² grows by at most r². (3) So cos(v, w) = v·w/‖w‖ grows with every update. "
            "(4) It cannot exceed 1, so the run ends. Which step is wrong? Prove it by data of two columns on which it fails. "
            "answer = (step, X, y); v is the best plane through the origin, there is no bias.",
            "(1) 每次更新 v·w 至少增大 ρ。(2) ‖w‖² 至多增大 r²。(3) 所以 cos(v, w) = v·w/‖w‖ 每次更新都增大。(4) 它不超过 1，故运行必定终止。"
            "哪一步错了？用两列的数据证明它不成立。answer = (步骤, X, y)；v 是过原点、间隔最大的超平面，不带偏置。",
        ),
        hints(
            ("A quotient need not grow if both parts do.", "A long row far from v can turn w away from it."),
            ("分子分母都增大，商未必增大。", "一个很长、与 v 夹角很大的样本，会把 w 带离 v。"),
        ),
        "answer = (3, [[1, 0.1], [10, -1.5]], [1, -1])",
    ),
    12: Exercise(
        8,
        both("A plane with nearly the best margin", "接近最大间隔的超平面"),
        both(
            "X, y = datasets.planted_margin(30, 2, 0.2, random_state=3). Give a plane (w1, w2, b) whose margin, in the geometry of the rows "
            "[x; 1], is at least 99 % of the best there is. answer = (w1, w2, b).",
            "X, y = datasets.planted_margin(30, 2, 0.2, random_state=3)。给出超平面 (w1, w2, b)，使它在增广样本 [x; 1] 下的间隔至少是最大间隔的 99%。"
            "answer = (w1, w2, b)。",
        ),
        hints(
            (
                "certify(X, y) returns a plane of the best margin: coef and intercept.",
                "A support vector machine does it too.",
            ),
            ("certify(X, y) 返回间隔最大的超平面：coef 和 intercept。", "支持向量机也可以。"),
        ),
        """from novikoff import certify, datasets

proof = certify(*datasets.planted_margin(30, 2, 0.2, random_state=3))
answer = (*proof.coef.ravel(), *proof.intercept.ravel())""",
    ),
    13: Exercise(
        9,
        both("A feature map for parity", "奇偶函数的特征变换"),
        both(
            "Parity of three inputs (1 if an odd number of them is 1) is no threshold function. Write answer(X) that maps rows of three numbers 0 "
            "or 1 to at most four features in which a plane separates it.",
            "三个输入的奇偶函数（1 的个数为奇数时取 1）不是阈值函数。编写 answer(X)，把由 0、1 组成的三维样本变换为至多四个特征，使它线性可分。",
        ),
        hints(
            ("XOR needed the product of (2x − 1).", "One feature is enough: which?"),
            ("异或用的是 (2x − 1) 的乘积。", "一个特征就够了：哪一个？"),
        ),
        """import numpy as np


def answer(X):
    return np.prod(2 * np.asarray(X) - 1, axis=1)[:, None]""",
    ),
    14: Exercise(
        9,
        both("Slack of XOR", "异或的松弛量"),
        both(
            "XOR with w = (0, 0), b = 1 (a unit vector [w; b]) and ρ = 1: compute δ, the best A, and the bound (r + δ)²/ρ², where r is the length of the "
            "longest row [x; 1]. answer = (δ, A, bound).",
            "异或，取 w = (0, 0)、b = 1（[w; b] 为单位向量）、ρ = 1：计算 δ、最好的 A 以及上界 (r + δ)²/ρ²，其中 r 是最长的增广样本 [x; 1] 的长度。"
            "answer = (δ, A, 上界)。",
        ),
        hints(
            (
                "s_i = max(0, ρ − y_i·(w·x_i + b)) for each of the four rows.",
                "Two rows lack 2, two lack nothing; r = √3; A² = r·δ.",
            ),
            ("对四个样本分别计算 s_i = max(0, ρ − y_i·(w·x_i + b))。", "两个样本差 2，两个不差；r = √3；A² = r·δ。"),
        ),
        """delta, r = 8**0.5, 3**0.5
answer = (delta, (r * delta) ** 0.5, (r + delta) ** 2)""",
    ),
    15: Exercise(
        9,
        both("Data on which the pocket loses", "让口袋算法失手的数据"),
        both(
            "Make data of at most 12 rows and two columns on which PocketPerceptron(max_iter=10, refine=False) keeps more errors than the best plane makes "
            "(which fewest_errors proves). answer = (X, y).",
            "构造至多 12 个样本、两列的数据，使 PocketPerceptron(max_iter=10, refine=False) 保留的错误数多于错误最少的超平面（由 fewest_errors 证明）。answer = (X, y)。",
        ),
        hints(
            (
                "Random labels on random points do it soon: search.",
                "One far point of the wrong class pulls the weights about.",
            ),
            ("随机点配随机标记，不久就能找到：搜索即可。", "一个很远的异类点会把权重来回拉扯。"),
        ),
        """import numpy as np
from novikoff import PocketPerceptron, fewest_errors

for seed in range(100):
    random = np.random.default_rng(seed)
    X, y = random.integers(-9, 10, (10, 2)), np.arange(10) % 2
    if PocketPerceptron(max_iter=10, refine=False).fit(X, y).n_errors_ > fewest_errors(X, y).errors:
        answer = (X, y)
        break""",
    ),
    16: Exercise(
        10,
        both("A kernel from its map", "由映射求核"),
        both(
            "Which kernel has the map φ(x) = (x1², √2·x1·x2, x2²)? Write answer(x, z) without computing φ: with one inner product only.",
            "映射 φ(x) = (x1², √2·x1·x2, x2²) 对应哪个核？编写 answer(x, z)，不计算 φ，只用一次内积。",
        ),
        hints(
            ("Multiply φ(x)·φ(z) out.", "It is the square of something."),
            ("把 φ(x)·φ(z) 展开。", "它是某个量的平方。"),
        ),
        "def answer(x, z):\n    return (x[0] * z[0] + x[1] * z[1]) ** 2",
    ),
    17: Exercise(
        10,
        both("XOR in the dual", "对偶形式的异或"),
        both(
            "κ(x, z) = (x·z + 1)². Give α ≥ 0 for the four samples of XOR (in the order of datasets.logic_gate) so that "
            "f(x) = Σ α_j·y_j·κ(x_j, x) has the sign of y, which is ±1, on all four. answer = four numbers.",
            "κ(x, z) = (x·z + 1)²。为异或的四个样本（顺序同 datasets.logic_gate）给出 α ≥ 0，使 f(x) = Σ α_j·y_j·κ(x_j, x) 在四个样本上都与 y = ±1 同号。"
            "answer = 四个数。",
        ),
        hints(
            (
                "KernelPerceptron finds some: its update counts.",
                "By hand: start from 0 and add 1 to α_i while y_i·f(x_i) ≤ 0.",
            ),
            ("KernelPerceptron 能找到一组：它的更新次数。", "手算：从 0 开始，y_i·f(x_i) ≤ 0 时给 α_i 加 1。"),
        ),
        "answer = [7, 5, 5, 4]",
    ),
    18: Exercise(
        12,
        both("A trade", "一个交换"),
        both(
            "f(x) = (x1 ∧ x2) ∨ (x3 ∧ x4) is no threshold function. Prove it by a trade: points where f is 1 and as many where f is 0 with the "
            "same sum. answer = (points where f is 1, points where f is 0), each point four numbers 0 or 1.",
            "f(x) = (x1 ∧ x2) ∨ (x3 ∧ x4) 不是阈值函数。用交换证明：若干个 f 为 1 的点，和同样多个 f 为 0 的点，两边之和相等。"
            "answer = (f 为 1 的点, f 为 0 的点)，每个点是四个 0 或 1。",
        ),
        hints(
            ("Two points against two are enough.", "Start from 1100 and 0011, and exchange one input."),
            ("两个点对两个点就够了。", "从 1100 和 0011 出发，交换一个输入。"),
        ),
        "answer = ([(1, 1, 0, 0), (0, 0, 1, 1)], [(1, 0, 1, 0), (0, 1, 0, 1)])",
    ),
}
