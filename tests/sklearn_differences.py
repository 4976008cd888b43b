"""Why tests of scikit-learn fail with our learners in the place of its own: the one table, for the test and the docs.

``python tests/sklearn_differences.py`` prints the table of docs/differences.md, with ``zh`` that of the Chinese page.
"""

import sys
from collections import Counter
from dataclasses import dataclass, field

VERSION = "1.9.1"
"""The version of scikit-learn whose tests the table speaks of."""
PERCEPTRON, AGGRESSIVE, SGD = "test_perceptron.py::", "test_passive_aggressive.py::", "test_sgd.py::"
BOTH = ("SGDClassifier", "SparseSGDClassifier")


@dataclass(frozen=True)
class Difference:
    """A reason, in English and Chinese, and the tests that fail for it: all variants, or those with such an id."""

    english: str
    chinese: str
    tests: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def explains(self, test: str) -> bool:
        """Whether this is the reason of a test that fails."""
        name, _, variant = test.partition("[")
        wanted = self.tests.get(name)
        return wanted is not None and (not wanted or variant.rstrip("]") in wanted)


def every(prefix: str, *names: str) -> dict[str, tuple[str, ...]]:
    """Tests of which all variants fail."""
    return {f"{prefix}test_{name}": () for name in names}


AVERAGED = ("None-True", "csr_matrix-True", "csr_array-True")
AVERAGED_TWICE = tuple(f"{rows}-{bias}-True" for rows in ("None", "csr_matrix", "csr_array") for bias in (True, False))
FLOAT32 = tuple(f"float32-{name}" for name in (*BOTH, "SGDRegressor", "SparseSGDRegressor"))

DIFFERENCES = (
    Difference(
        "There are no penalties: `penalty`, `alpha` and `l1_ratio` are parameters of gradient descent.",
        "没有惩罚项：`penalty`、`alpha` 和 `l1_ratio` 是梯度下降的参数。",
        {
            **every(PERCEPTRON, "perceptron_l1_ratio"),
            **every(SGD, "clone", "sgd_failing_penalty_validation", "sgd_l1", "elasticnet_convergence"),
            **every(SGD, "large_regularization", "multi_core_gridsearch_and_early_stopping"),
        },
    ),
    Difference(
        "There are no losses and learning rates to choose, and no `t_`, which is the clock of a learning rate: the "
        "rule says how far a step goes.",
        "没有可选的损失和学习率，也没有作为学习率时钟的 `t_`：步长由规则决定。",
        every(
            SGD,
            "learning_rate_PA_raises",
            "adaptive_longer_than_constant",
            "power_t_limits",
            "warm_start",
            "warm_start_multiclass",
            "partial_fit_equal_fit_classif",
            "partial_fit_equal_fit",
        ),
    ),
    Difference(
        "The test writes out gradient descent on the squared loss; the passive-aggressive rule, which stands in its "
        "place, makes other steps.",
        "测试写出了平方损失的梯度下降；代替它的被动攻击规则走的是另外的步子。",
        every(
            SGD,
            "average_binary_computed_correctly",
            "sgd_multiclass_average",
            "sgd_averaged_computed_correctly",
            "sgd_averaged_partial_fit",
            "average_sparse",
        ),
    ),
    Difference(
        "The bias is a weight on a constant feature 1 like all others: it counts in ‖x‖², and on sparse rows its steps "
        "are not shortened to a hundredth. Without a bias the weights are scikit-learn's.",
        "偏置是常数特征 1 上的权重，与其他权重一样：它计入 ‖x‖²，在稀疏样本上步长也不缩短为百分之一。"
        "不用偏置时，权重与 scikit-learn 的相同。",
        every(AGGRESSIVE, "classifier_correctness", "regressor_correctness"),
    ),
    Difference(
        "Rows are shuffled by a generator of our own (and the bias counts in ‖x‖²), so a run with a seed is not "
        "scikit-learn's run with that seed.",
        "样本由我们自己的生成器打乱（偏置也计入 ‖x‖²），因此同一种子的运行与 scikit-learn 的不是同一次运行。",
        every(AGGRESSIVE, "passive_aggressive_classifier_vs_sgd", "passive_aggressive_regressor_vs_sgd"),
    ),
    Difference(
        "The test looks for private attributes of scikit-learn, or replaces one of its private functions.",
        "测试查看 scikit-learn 的私有属性，或替换它的私有函数。",
        {
            f"{AGGRESSIVE}test_classifier_accuracy": AVERAGED_TWICE,
            f"{AGGRESSIVE}test_regressor_mse": AVERAGED_TWICE,
            f"{AGGRESSIVE}test_classifier_partial_fit": AVERAGED,
            f"{AGGRESSIVE}test_regressor_partial_fit": AVERAGED,
            **every(SGD, "plain_has_no_average_attr", "loss_function_epsilon", "validation_mask_correctly_subsets"),
        },
    ),
    Difference(
        "`average` is True or False: a mean is over all visits, it cannot begin after so many rows.",
        "`average` 只能是 True 或 False：平均取遍所有访问，不能从若干样本之后开始。",
        every(
            SGD, "late_onset_averaging_not_reached", "late_onset_averaging_reached", "partial_fit_multiclass_average"
        ),
    ),
    Difference(
        "A run of the passive-aggressive classifier ends when every row has its margin, or at `max_iter`, not when the "
        "loss stalls; that it met the limit is no reason for a warning.",
        "被动攻击分类器的运行在每个样本都达到间隔时结束，或在 `max_iter` 处结束，"
        "而不是在损失停滞时；到达上限也不警告。",
        {f"{SGD}test_early_stopping": BOTH, **every(SGD, "tol_parameter", "sgd_random_state")},
    ),
    Difference(
        "With early stopping the weights of the best pass are returned, not the last ones, and the rows held out are "
        "drawn after the seed of the passes.",
        "提前停止时返回最好一轮的权重，而不是最后的；留出的样本在抽取各轮的种子之后才抽取。",
        every(SGD, "validation_set_not_used_for_training"),
    ),
    Difference(
        "The best pass on the rows held out is the 21st here, and the test asks for one of the first 19.",
        "这里在留出样本上最好的是第 21 轮，而测试要求在前 19 轮之内。",
        every(SGD, "multi_thread_multi_class_and_early_stopping"),
    ),
    Difference(
        "A weight multiplies C, so it is not felt once every row has its margin; and a run ends after five passes "
        "without a mistake, at other weights with a smaller C.",
        "权重乘在 C 上，因此每个样本都达到间隔之后就不再起作用；"
        "而连续五轮没有错误时运行即结束，C 较小时停在别的权重上。",
        every(AGGRESSIVE, "equal_class_weight"),
    ),
    Difference(
        "The test knows on which side of gradient descent's plane a new point lies. Without a penalty many planes have "
        "the rows right, and ours has the point on its other side.",
        "测试知道一个新点位于梯度下降所得平面的哪一侧。没有惩罚项时，许多平面都能分对这些样本，"
        "而我们的平面把该点放在另一侧。",
        every(SGD, "class_weights", "sample_weights"),
    ),
    Difference(
        "The test asks for an F1 of more than 0.96, and ours has 0.9599.",
        "测试要求 F1 大于 0.96，我们的是 0.9599。",
        every(SGD, "balanced_weight"),
    ),
    Difference(
        "There are no probabilities of a loss; `calibrated=True` has them of rows held out.",
        "没有由损失得出的概率；`calibrated=True` 用留出的样本给出概率。",
        every(SGD, "sgd_proba"),
    ),
    Difference(
        "A ValueError is raised as the test asks, with another sentence.",
        "如测试所要求的那样抛出 ValueError，但用的是另一句话。",
        every(
            SGD,
            "provide_coef",
            "set_intercept_offset",
            "sgd_early_stopping_with_partial_fit",
            "partial_fit_weight_class_balanced",
            "underflow_or_overflow",
            "sgd_error_on_zero_validation_weight",
        ),
    ),
    Difference(
        "`coef_` is float64 for float32 rows too: sums of many rows are kept exact as long as they can be.",
        "对 float32 的样本，`coef_` 也是 float64：许多样本之和尽可能保持精确。",
        {f"{SGD}test_sgd_dtype_match": FLOAT32},
    ),
    Difference(
        "Ours are not deprecated.",
        "我们的类没有被弃用。",
        every(AGGRESSIVE, "class_deprecation"),
    ),
)


def table(language: str, failed: Counter[str]) -> str:
    """The table of a page: the reasons, and the tests with the number of their variants that fail."""
    chinese = language == "zh"
    lines = ["| 差异 | scikit-learn 的测试 |" if chinese else "| difference | tests of scikit-learn |", "|---|---|"]
    for difference in DIFFERENCES:
        reason = difference.chinese if chinese else difference.english
        names = [f"`{name.partition('::')[2]}`" + number(failed[name]) for name in difference.tests]
        lines.append(f"| {reason} | {', '.join(names)} |")
    return "\n".join(lines) + "\n"


def number(variants: int) -> str:
    return f" ({variants})" if variants > 1 else ""


if __name__ == "__main__":
    from test_sklearn_suite import failures, substituted

    print(table("".join(sys.argv[1:]), Counter(test.partition("[")[0] for test in failures(substituted()))), end="")
