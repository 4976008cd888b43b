"""What the course says of every claim, in English and Chinese."""

from dataclasses import dataclass

LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Text:
    """A claim in one language: its title, what the notes say, what is run, what was found, and what goes beyond."""

    title: str
    says: str
    ran: str
    found: str
    beyond: str = ""


def pair(en: Text, zh: Text) -> dict[str, Text]:
    return {"en": en, "zh": zh}


TEXTS: dict[str, dict[str, Text]] = {
    "C01": pair(
        Text(
            "The neuron of McCulloch and Pitts",
            "The output is h(Σ w_i·x_i + b): inputs are weighted and summed, a bias is added, an activation h "
            "is applied.",
            "1000 inputs of 5 numbers, one by one and as a batch, against the formula by hand",
            "largest difference on {n} inputs: {error:.1e}",
        ),
        Text(
            "M-P 神经元模型",
            "输出为 h(Σ w_i·x_i + b)：输入信号加权求和，加上偏置，再通过激活函数 h 输出。",
            "1000 个五维输入，逐个和成批计算，与手算公式比较",
            "{n} 个输入上的最大误差：{error:.1e}",
        ),
    ),
    "C02": pair(
        Text(
            "Four activation functions",
            "sgn(x) = 1 if x ≥ 0 else 0; σ(x) = 1/(1 + exp(−x)); sign(x) = 2·sgn(x) − 1; tanh(x) = 2·σ(2x) − 1.",
            "both identities at 200001 points from −1000 to 1000, with overflow as an error",
            "sign = 2·sgn − 1 everywhere; tanh − (2σ(2x) − 1) is at most {error:.1e}; no overflow",
        ),
        Text(
            "四种激活函数",
            "阶跃函数 sgn(x) = 1 (x ≥ 0)，否则为 0；对数几率函数 σ(x) = 1/(1 + exp(−x))；符号函数 sign(x) = "
            "2·sgn(x) − 1；"
            "双曲正切函数 tanh(x) = 2·σ(2x) − 1。",
            "在 −1000 到 1000 的 200001 个点上检验两个恒等式，溢出视为错误",
            "sign = 2·sgn − 1 处处成立；tanh − (2σ(2x) − 1) 至多 {error:.1e}；没有溢出",
        ),
    ),
    "C03": pair(
        Text(
            "The bias is one more weight",
            "w·x + b = [w; b]·[x; 1]; with a threshold θ, w·x − θ = [w; θ]·[x; −1].",
            "1000 inputs in the three forms; the perceptron with a bias and with a column of ones",
            "{same} of {n} outputs agree; both runs make the same {updates} updates and end in the same weights",
            "With x₀ = +1 the folded weight is −threshold: 002 has the sign wrong.",
        ),
        Text(
            "偏置是多出来的一维权重",
            "w·x + b = [w; b]·[x; 1]；若用阈值 θ，则 w·x − θ = [w; θ]·[x; −1]。",
            "1000 个输入用三种写法计算；带偏置的感知机与添一列 1 的感知机比较",
            "{n} 个输出中 {same} 个一致；两次运行都更新 {updates} 次，最终权重相同",
            "取 x₀ = +1 时，并入的权重是 −threshold：讲义 002 此处符号有误。",
        ),
    ),
    "C04": pair(
        Text(
            "The learning rule",
            "w₀ = 0; while a sample has y·(w·x) ≤ 0: w ← w + η·y·x. One update raises y·(w·x) by η·‖x‖².",
            "AND in cyclic order with η = 1/2, against the rule in plain Python",
            "the same {updates} updates in the same order, to w = {weights}; each raises y·(w·x) by exactly η·‖x‖²",
        ),
        Text(
            "感知机学习算法",
            "w₀ = 0；只要有样本满足 y·(w·x) ≤ 0，就令 w ← w + η·y·x。一次更新使 y·(w·x) 增大 η·‖x‖²。",
            "与运算，循环顺序，η = 1/2，与纯 Python 写的规则比较",
            "{updates} 次更新逐一相同，最终 w = {weights}；每次都使 y·(w·x) 恰好增大 η·‖x‖²",
        ),
    ),
    "C05": pair(
        Text(
            "Any order will do",
            "The next mistake may be picked at random or in a cycle: the final plane depends on it, the bound "
            "does not.",
            "100 rows with margin 0.1: three orders, five seeds each",
            "{planes} different planes in {runs} runs; {least} to {most} updates, all below r²/ρ² = {bound:.0f}",
        ),
        Text(
            "误分类点的顺序",
            "下一个误分类点可以随机挑选，也可以循环遍历：最终的超平面与顺序有关，更新次数的上界与顺序无关。",
            "间隔为 0.1 的 100 个样本：三种顺序，各取五个随机种子",
            "{runs} 次运行得到 {planes} 个不同的超平面；更新 {least} 到 {most} 次，都不超过 r²/ρ² = {bound:.0f}",
        ),
    ),
    "C06": pair(
        Text(
            "The dating table",
            "17 evenings in 6 categories, one-hot; trained on 10 rows, Perceptron(eta0=0.5) scores 5/7 on the other 7.",
            "our Perceptron and scikit-learn's on the split of the notes; certify on the training rows and on all rows",
            "test score {ours:.4f} (scikit-learn: {theirs:.4f}); training score {ours_train:.1f} "
            "(scikit-learn: {theirs_train:.1f}); training rows {part} with margin {margin:.4g}, all 17 rows {whole}",
            "scikit-learn stops before all training rows are right. The training rows are separable, which is "
            "proved; the "
            "whole table is not: a plane has no row on its wrong side, but some rows lie on every such plane.",
        ),
        Text(
            "约会数据",
            "17 个样本、6 个离散特征，独热编码；用 10 个样本训练，Perceptron(eta0=0.5) 在其余 7 个上的精度为 5/7。",
            "按讲义的划分运行我们的和 scikit-learn 的感知机；对训练样本和全部样本求可分性证明",
            "测试精度 {ours:.4f}（scikit-learn：{theirs:.4f}）；训练精度 {ours_train:.1f}（scikit-learn："
            "{theirs_train:.1f}）；训练样本 {part}，间隔 {margin:.4g}；全部 17 个样本 {whole}",
            "scikit-learn 在训练样本还没有全部分对时就停了。训练样本线性可分，有证明；全部样本则不可分："
            "有超平面不把任何样本分错，但总有样本落在超平面上（拟可分）。",
        ),
    ),
    "C07": pair(
        Text(
            "AND, OR, NOT",
            "The three gates are learnt without error: with labels ±1; with labels 0/1, the step activation and "
            "w ← w + η·(y − ŷ)·x; and they have closed forms such as AND = sign(x₁ + x₂ − 1.5).",
            "each gate with both rules and in closed form",
            "all right; with labels ±1 after {and} (AND), {or} (OR) and {not} (NOT) updates",
            "NOT is a problem of one input and two samples, x₁ = 0 and x₁ = 1.",
        ),
        Text(
            "与、或、非",
            "三种运算都能无错学会：标记取 ±1；或标记取 0/1，用阶跃函数和 w ← w + η·(y − ŷ)·x；也有闭式解，"
            "例如 与 = sign(x₁ + x₂ − 1.5)。",
            "每种运算用两种规则学习，并检验闭式解",
            "全部正确；标记取 ±1 时分别更新 {and} 次（与）、{or} 次（或）、{not} 次（非）",
            "非运算是一维输入、两个样本（x₁ = 0 和 x₁ = 1）的问题。",
        ),
    ),
    "C08": pair(
        Text(
            "XOR",
            "XOR is not separable, and the perceptron never stops unless the passes are limited.",
            "XOR without a limit that matters, and certify with its independent checker",
            "stopped in pass {passes} after {updates} updates, with a proof: the signed rows {rows} sum to zero",
            "It does stop. A weight vector came back, so the updates in between sum to zero, and no plane "
            "can have a "
            "positive product with all of them: that is a proof.",
        ),
        Text(
            "异或",
            "异或线性不可分，若不限制迭代轮数，感知机无法停止。",
            "在异或上运行感知机，并用 certify 求证明、由独立的检验程序检验",
            "第 {passes} 轮、{updates} 次更新后带着证明停止：带符号的样本 {rows} 之和为零",
            "其实能停。权重回到了以前出现过的值，其间的更新之和为零，没有超平面能与它们都有正的内积：这就是证明。",
        ),
    ),
    "C09": pair(
        Text(
            "Novikoff's theorem",
            "If ‖x‖ ≤ r and y·(v·x) ≥ ρ for a unit vector v, there are at most M ≤ r²/ρ² updates, whatever the "
            "dimension, the learning rate and the order.",
            "10 data sets of 2 to 11 dimensions, three orders, three learning rates; ρ is the certified best margin",
            "in {runs} runs M reached at most {worst:.0%} of r²/ρ²",
        ),
        Text(
            "Novikoff 定理",
            "若 ‖x‖ ≤ r，且存在单位向量 v 使 y·(v·x) ≥ ρ，则更新次数 M ≤ r²/ρ²，与维度、学习率和顺序无关。",
            "2 到 11 维的 10 个数据集，三种顺序，三种学习率；ρ 取经过证明的最大间隔",
            "{runs} 次运行中，M 最多达到 r²/ρ² 的 {worst:.0%}",
        ),
    ),
    "C10": pair(
        Text(
            "Its proof, inequality by inequality",
            "M·ρ ≤ Σ y·(v·x) ≤ ‖Σ y·x‖ = ‖w_M‖/η = √Σ(‖w_t‖² − ‖w_{t−1}‖²)/η ≤ √Σ‖x‖² ≤ √(M·r²).",
            "a run on 100 rows, audited along the best plane",
            "{inequalities} of {inequalities} relations hold: {chain}; so M = {updates} ≤ {bound:.4g}",
        ),
        Text(
            "定理的证明，逐个不等式",
            "M·ρ ≤ Σ y·(v·x) ≤ ‖Σ y·x‖ = ‖w_M‖/η = √Σ(‖w_t‖² − ‖w_{t−1}‖²)/η ≤ √Σ‖x‖² ≤ √(M·r²)。",
            "在 100 个样本上运行，沿最优超平面逐项检验",
            "{inequalities} 个关系全部成立：{chain}；故 M = {updates} ≤ {bound:.4g}",
        ),
    ),
    "C11": pair(
        Text(
            "The bound is tight",
            "m orthonormal rows take exactly m updates, and ρ = 1/√m.",
            "every m from 2 to 200 (a classifier needs rows of two classes)",
            "exactly m updates and the margin 1/√m for {sizes} of 199 sizes",
        ),
        Text(
            "上界是紧的",
            "m 个标准正交的样本恰好更新 m 次，且 ρ = 1/√m。",
            "m 从 2 到 200 逐一运行（分类需要两类样本）",
            "199 个 m 中有 {sizes} 个恰好更新 m 次，间隔为 1/√m",
        ),
    ),
    "C12": pair(
        Text(
            "The worst case",
            "The rows y_i·x_i = [−1, …, −1, 1, 0, …, 0] take Ω(2^m) updates.",
            "m = 2 to 8 in cyclic order from zero; the certificate of m = 200 without a run",
            "{updates} updates: (4^m − 1)/3 each, to w = (1, 2, 4, …); m = 200 is separable with margin {margin:.3g}",
            "The notes bound it from below by 2^m. In cyclic order it takes exactly (4^m − 1)/3 updates. "
            "For m = 200 "
            "that is 10^120, but a certificate takes seconds. And 2⁰ + … + 2^(m−1) is 2^m − 1.",
        ),
        Text(
            "收敛速度的最坏情况",
            "样本 y_i·x_i = [−1, …, −1, 1, 0, …, 0] 需要 Ω(2^m) 次更新。",
            "m = 2 到 8，循环顺序，从零开始；m = 200 不运行感知机，直接求证明",
            "更新次数 {updates}：恰为 (4^m − 1)/3，最终 w = (1, 2, 4, …)；m = 200 线性可分，间隔 {margin:.3g}",
            "讲义给出下界 2^m。循环顺序下更新次数恰好是 (4^m − 1)/3。m = 200 时约为 10^120 次，而求证明只要几秒。"
            "另外 2⁰ + … + 2^(m−1) 等于 2^m − 1。",
        ),
    ),
    "C13": pair(
        Text(
            "The margin perceptron",
            "Update while y·(w·x)/‖w‖ < ρ/2. Then M ≤ 16r²/ρ², and the margin reached is at least ρ/2.",
            "10 data sets with margin ρ = 0.1, the chain of the notes audited on each",
            "M reached at most {most:.1%} of 16r²/ρ²; the margin at least {least:.2f} times ρ/2; every "
            "inequality holds",
            "At w = 0 the quotient is not defined; the first sample always takes an update. MarginPerceptron() "
            "need not be "
            "told ρ: it reaches a third of the best margin within 3r²/ρ² updates.",
        ),
        Text(
            "更好的界：间隔感知机",
            "只要 y·(w·x)/‖w‖ < ρ/2 就更新。于是 M ≤ 16r²/ρ²，最终间隔至少为 ρ/2。",
            "间隔 ρ = 0.1 的 10 个数据集，每次运行都检验讲义的不等式",
            "M 最多达到 16r²/ρ² 的 {most:.1%}；最终间隔至少是 ρ/2 的 {least:.2f} 倍；所有不等式成立",
            "w = 0 时该式没有定义，第一个样本总要更新。MarginPerceptron() 不必事先知道 ρ："
            "它在 3r²/ρ² 次更新内达到最大间隔的三分之一。",
        ),
    ),
    "C14": pair(
        Text(
            "A feature map for XOR",
            "φ(x₁, x₂) = (2x₁ − 1, 2x₂ − 1, (2x₁ − 1)(2x₂ − 1)) makes XOR separable, and y = (1 − z₃)/2 = x₁ + "
            "x₂ − 2x₁x₂.",
            "the map and a Perceptron in a pipeline",
            "score {score:.0f} after {updates} updates; both formulas give y",
        ),
        Text(
            "异或的特征变换",
            "φ(x₁, x₂) = (2x₁ − 1, 2x₂ − 1, (2x₁ − 1)(2x₂ − 1)) 使异或线性可分，且 y = (1 − z₃)/2 = x₁ + x₂ − 2x₁x₂。",
            "把变换和感知机放进一个流水线",
            "更新 {updates} 次后精度为 {score:.0f}；两个公式都给出 y",
        ),
    ),
    "C15": pair(
        Text(
            "Any data, with a feature for every row",
            "With s_i = max(0, ρ − y_i·(w·x_i)), δ = √Σs_i² and A² = r·δ, the rows [x_i; A·e_i] are separable, and "
            "M ≤ (r + δ)²/ρ².",
            "10 data sets of 40 rows with random labels; the chain audited on each",
            "all separated; M reached at most {worst:.0%} of (r + δ)²/ρ²; every inequality holds",
            "s_i is a maximum of two numbers for each i; the notes' max over i is a slip.",
        ),
        Text(
            "一般性结论：任意数据",
            "令 s_i = max(0, ρ − y_i·(w·x_i))，δ = √Σs_i²，A² = r·δ，则 [x_i; A·e_i] 线性可分，且 M ≤ (r + δ)²/ρ²。",
            "10 个随机标记的数据集，各 40 个样本，逐一检验不等式",
            "全部可分；M 最多达到 (r + δ)²/ρ² 的 {worst:.0%}；所有不等式成立",
            "s_i 对每个 i 只是两个数取大者；讲义中对 i 取最大是笔误。",
        ),
    ),
    "C16": pair(
        Text(
            "The dual form",
            "w = Σ α_j·y_j·φ(x_j): keep α instead of w; a mistake on row i makes α_i ← α_i + η.",
            "20 data sets: the kernel perceptron with κ(x, z) = x·z + 1 beside the perceptron",
            "{same} of {runs} runs agree in every update ({updates} in all), row by row and score by score",
            "004 lets y enter twice: either α_i ← α_i + η with y_j in the sum, or α_i ← α_i + η·y_i without.",
        ),
        Text(
            "感知机的对偶形式",
            "w = Σ α_j·y_j·φ(x_j)：维护 α 而不是 w；第 i 个样本分错时 α_i ← α_i + η。",
            "20 个数据集：κ(x, z) = x·z + 1 的核感知机与感知机并排运行",
            "{runs} 次运行中 {same} 次的每一次更新（共 {updates} 次）都相同，样本相同，得分也相同",
            "讲义 004 中 y 出现了两次：要么 α_i ← α_i + η 且求和中有 y_j，要么 α_i ← α_i + η·y_i 且求和中没有。",
        ),
    ),
    "C17": pair(
        Text(
            "The kernel perceptron",
            "κ(x, z) = (x·z + 1)² is the inner product of an explicit map of degree 2; f(z) = Σ α_j·y_j·κ(x_j, z).",
            "kernel and map on 40000 pairs; both perceptrons on XOR and on two circles",
            "both separated, after {xor} and {circles} updates; kernel and explicit map differ by {error:.1e} at most",
        ),
        Text(
            "核感知机",
            "κ(x, z) = (x·z + 1)² 是一个显式二次特征映射的内积；f(z) = Σ α_j·y_j·κ(x_j, z)。",
            "在 40000 对点上比较核与映射；在异或和两个同心圆上比较两种感知机",
            "都能分开，分别更新 {xor} 次和 {circles} 次；核与显式映射最多相差 {error:.1e}",
        ),
    ),
    "C18": pair(
        Text(
            "The pocket algorithm",
            "For data that is not separable keep the weights with the fewest errors so far; to find the best "
            "is NP-hard.",
            "10 sets of 7 rows with random labels, beside every plane of the run and the best of all planes, "
            "by trying all",
            "worse than a plane of its run in {worse} of {sets} sets; the best of all planes in {best}",
        ),
        Text(
            "口袋算法",
            "对线性不可分的数据，保留迄今错误最少的权重；求最优解是 NP 难的。",
            "10 组随机标记的 7 个样本，与运行中的每个超平面以及穷举得到的最优超平面比较",
            "{sets} 组中有 {worse} 组差于运行中出现过的超平面；有 {best} 组达到最优",
        ),
    ),
    "C19": pair(
        Text(
            "The angle closes",
            "cos(v, w_t) ≥ √t·ρ/r: it grows with √t and cannot exceed 1, so t ≤ r²/ρ².",
            "the cosine after every update of a run on 200 rows",
            "from {first:.3f} to {last:.3f} in {updates} updates, never below √t·ρ/r, which ends at "
            "{floor:.3f} and would "
            "be 1 at t = {bound:.0f}",
            "The margin is the minimum over the samples; 002 writes a maximum.",
        ),
        Text(
            "夹角越来越小",
            "cos(v, w_t) ≥ √t·ρ/r：下界随 √t 增长而余弦不超过 1，故 t ≤ r²/ρ²。",
            "在 200 个样本上运行，记录每次更新后的余弦",
            "{updates} 次更新中从 {first:.3f} 到 {last:.3f}，始终不低于 √t·ρ/r；下界最终为 {floor:.3f}，在 t = "
            "{bound:.0f} 时才到 1",
            "间隔是对样本取最小值；讲义 002 写成了最大值。",
        ),
    ),
    "C20": pair(
        Text(
            "The multi-layer perceptron",
            "Composing functions, learnt by back-propagation, solves XOR too.",
            "4 hidden neurons on XOR; two layers of 20 on two spirals of 200 points",
            "score {xor:.0f} on XOR and {spirals:.0f} on the spirals, after {steps} steps",
            "No theorem bounds the steps, and none is claimed.",
        ),
        Text(
            "多层感知机",
            "函数复合（反向传播训练的多层感知机）也能解决异或。",
            "异或用 4 个隐层神经元；200 个点的双螺旋用两层各 20 个神经元",
            "异或精度 {xor:.0f}，双螺旋精度 {spirals:.0f}，用了 {steps} 步",
            "没有定理给出步数的上界，我们也不作此声称。",
        ),
    ),
    "C21": pair(
        Text(
            "How many functions are like XOR",
            "One neuron computes AND, OR and NOT, but not XOR.",
            "every Boolean function of 2, 3 and 4 inputs: its smallest whole-number weights, or a trade that shows "
            "that there are none, each verified at every point",
            "{threshold[0]} of {all[0]} functions of two inputs have weights (up to {largest[0]}), {threshold[1]} of "
            "{all[1]} of three (up to {largest[1]}), {threshold[2]} of {all[2]} of four (up to {largest[2]}); each of "
            "the others has a trade, of {trade} points against {trade} at most",
            "A trade is a list of points where f is 1 and one, as long, of points where f is 0, with the same sum: no "
            "weights can reach the threshold on all of the first and stay below it on all of the second. The more "
            "inputs, the smaller the part of the functions that one neuron computes.",
        ),
        Text(
            "有多少函数像异或",
            "一个神经元能计算与、或、非，但不能计算异或。",
            "2、3、4 个输入的每一个布尔函数：求最小的整数权重，或说明权重不存在的交换，并在每个点上验证",
            "两个输入的 {all[0]} 个函数中 {threshold[0]} 个有权重（至多 {largest[0]}），三个输入的 {all[1]} 个中 "
            "{threshold[1]} 个有（至多 {largest[1]}），四个输入的 {all[2]} 个中 {threshold[2]} 个有（至多 "
            "{largest[2]}）；其余的都有交换，至多 {trade} 个点对 {trade} 个点",
            "交换是若干个 f 为 1 的点和同样多个 f 为 0 的点，两边之和相等：没有权重能使前者都达到阈值、后者都低于阈值。"
            "输入越多，一个神经元能计算的函数所占的部分越小。",
        ),
    ),
}
"""Of every claim, the text in every language; figures are filled in when it is run."""

CODE = {
    "C01": """>>> from novikoff.neuron import Neuron
>>> int(Neuron([1.0, 1.0], -1.5)([1, 1]))
1""",
    "C02": """>>> from novikoff.neuron import logistic, sign, step, tanh
>>> sign([-1.0, 0.0, 1.0]).tolist(), logistic([-1000.0, 1000.0]).tolist()
([-1, 1, 1], [0.0, 1.0])""",
    "C03": """>>> from novikoff.neuron import Neuron
>>> bool(Neuron([2, 3], -4)([1, 1]) == Neuron.with_threshold([2, 3], 4)([1, 1]))
True""",
    "C04": """>>> from novikoff import Perceptron, datasets, record
>>> trace = record(Perceptron(eta0=0.5, order="cyclic"), *datasets.logic_gate("and"))
>>> trace.problems[0].rows[:6].tolist(), trace.weights_before(len(trace)).tolist()
([0, 3, 0, 1, 3, 1], [1.5, 1.0, -2.0])""",
    "C05": """>>> from novikoff import Perceptron, datasets
>>> X, y = datasets.planted_margin(100, 2, 0.1, random_state=0)
>>> [Perceptron(order=order).fit(X, y).status_ for order in ("cyclic", "shuffled", "active")]
['separated', 'separated', 'separated']""",
    "C06": """>>> from sklearn.preprocessing import OneHotEncoder
>>> from novikoff import Perceptron, certify, datasets
>>> table = datasets.dating()
>>> X, y = OneHotEncoder().fit_transform(table.data), table.target
>>> model = Perceptron(eta0=0.5).fit(X[table.train], y[table.train])
>>> round(model.score(X[table.test], y[table.test]), 4), certify(X, y).verdict
(0.7143, 'quasi-separable')""",
    "C07": """>>> from novikoff import Perceptron, datasets
>>> [Perceptron().fit(*datasets.logic_gate(name)).status_ for name in ("and", "or", "not")]
['separated', 'separated', 'separated']""",
    "C08": """>>> from novikoff import Perceptron, datasets
>>> model = Perceptron(order="cyclic").fit(*datasets.logic_gate("xor"))
>>> model.status_, model.certificate_.witness
('inseparable', {0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0})""",
    "C09": """>>> from novikoff import Perceptron, certify, datasets
>>> X, y = datasets.planted_margin(60, 5, 0.05, random_state=0)
>>> bool(Perceptron(eta0=10).fit(X, y).n_updates_ <= certify(X, y).mistake_bound)
True""",
    "C10": """>>> from novikoff import Perceptron, audit, datasets, record
>>> X, y = datasets.planted_margin(100, 2, 0.1, random_state=0)
>>> checked = audit(record(Perceptron(), X, y))     # print(checked) shows every term
>>> checked.holds
True""",
    "C11": """>>> from novikoff import Perceptron, datasets
>>> [int(Perceptron(fit_intercept=False).fit(*datasets.orthonormal(m)).n_updates_) for m in (2, 50, 200)]
[2, 50, 200]""",
    "C12": """>>> from novikoff import Perceptron, datasets
>>> learner = Perceptron(order="cyclic", fit_intercept=False, max_iter=10**6, tol=None)
>>> [int(learner.fit(*datasets.exponential(m)).n_updates_) for m in (2, 4, 6)], (4**6 - 1) // 3
([5, 85, 1365], 1365)""",
    "C13": """>>> from novikoff import MarginPerceptron, audit, datasets, record
>>> X, y = datasets.planted_margin(60, 3, 0.1, random_state=0)
>>> trace = record(MarginPerceptron(margin=0.1), X, y)
>>> audit(trace).holds, bool(trace.learner.margin_ >= 0.05)
(True, True)""",
    "C14": """>>> from sklearn.pipeline import make_pipeline
>>> from novikoff import Perceptron, XorFeatures, datasets
>>> X, y = datasets.logic_gate("xor")
>>> make_pipeline(XorFeatures(), Perceptron()).fit(X, y).score(X, y)
1.0""",
    "C15": """>>> from novikoff import Perceptron, SlackEmbedding, audit, datasets, record
>>> X, y = datasets.logic_gate("xor")
>>> embedding = SlackEmbedding()
>>> trace = record(Perceptron(), embedding.fit_transform(X, y), y)
>>> trace.learner.status_, audit(trace, reference=embedding).holds
('separated', True)""",
    "C16": """>>> from novikoff import KernelPerceptron, Perceptron, datasets, record
>>> X, y = datasets.logic_gate("and")
>>> dual = record(KernelPerceptron("linear", fit_intercept=True, order="cyclic"), X, y)
>>> primal = record(Perceptron(order="cyclic"), X, y)
>>> dual.problems[0].rows.tolist() == primal.problems[0].rows.tolist()
True""",
    "C17": """>>> from novikoff import KernelPerceptron, datasets
>>> X, y = datasets.circles(100, noise=0.05, random_state=0)
>>> KernelPerceptron("poly", gamma=1, degree=2, coef0=1).fit(X, y).status_
'separated'""",
    "C18": """>>> from novikoff import PocketPerceptron
>>> model = PocketPerceptron(max_iter=20).fit([[0], [1], [2], [3], [4], [5]], [0, 0, 1, 0, 1, 1])
>>> model.n_errors_, model.status_
(1, 'inseparable')""",
    "C19": """>>> from novikoff import Perceptron, audit, datasets, record
>>> X, y = datasets.planted_margin(200, 3, 0.02, random_state=1)
>>> checked = audit(record(Perceptron(), X, y))
>>> bool((checked.cosines >= checked.floors).all())
True""",
    "C20": """>>> from novikoff import MultilayerPerceptron, datasets
>>> MultilayerPerceptron((4,), "tanh", solver="lbfgs").fit(*datasets.logic_gate("xor")).status_
'separated'""",
    "C21": """>>> from itertools import product
>>> from novikoff import threshold_function
>>> found = [threshold_function(table) for table in product((0, 1), repeat=4)]
>>> sum(map(bool, found)), len(found), all(one.holds() for one in found)
(14, 16, True)
>>> next(one for one in found if not one).summary()
'no weights do: 01 + 10 = 00 + 11, point by point 1 on the left and 0 on the right'""",
}
"""Of every claim, a few lines to run it by."""
