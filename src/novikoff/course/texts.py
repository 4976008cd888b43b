"""What the course says of every claim, in English and Chinese."""

from dataclasses import dataclass

LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Text:
    """A claim in one language: its title, what the notes say, what is run, what was found, and what goes beyond.

    ``found`` has no result in it: every number and every word that depends on the run is filled in from the run.
    """

    title: str
    says: str
    ran: str
    found: str
    beyond: str = ""


def pair(en: Text, zh: Text) -> dict[str, Text]:
    return {"en": en, "zh": zh}


CHINESE_RESULTS = {
    "separable": "线性可分",
    "quasi-separable": "拟可分",
    "inseparable": "线性不可分",
    "separated": "已分开",
    "thin": "间隔过小",
    "stopped": "中止",
    "unknown": "未定",
    "True": "是",
    "False": "否",
}
"""Words of results, in Chinese."""
ENGLISH_RESULTS = {"True": "yes", "False": "no"}

TEXTS: dict[str, dict[str, Text]] = {
    "C01": pair(
        Text(
            "The neuron of McCulloch and Pitts",
            "The output is h(Σ w_i·x_i + b): inputs are weighted and summed, a bias is added, an activation h "
            "is applied.",
            "inputs of 5 numbers, one by one and as a batch, against the formula by hand",
            "on {n} inputs neuron and formula differ by at most {error:.0e}",
        ),
        Text(
            "M-P 神经元模型",
            "输出为 h(Σ w_i·x_i + b)：输入信号加权求和，加上偏置，再通过激活函数 h 输出。",
            "五维输入，逐个和成批计算，与手算公式比较",
            "在 {n} 个输入上，神经元与公式至多相差 {error:.0e}",
        ),
    ),
    "C02": pair(
        Text(
            "Four activation functions",
            "sgn(x) = 1 if x ≥ 0 else 0; σ(x) = 1/(1 + exp(−x)); sign(x) = 2·sgn(x) − 1; tanh(x) = 2·σ(2x) − 1.",
            "both identities on a fine grid from −1000 to 1000, where overflow would be noticed",
            "the identity sign = 2·sgn − 1 holds at {same} of {n} points; tanh and 2σ(2x) − 1 differ by at most {error:.0e}; sign(0) = "
            "{zero[0]}, sgn(0) = {zero[1]}; overflows: {overflows}",
        ),
        Text(
            "四种激活函数",
            "阶跃函数 sgn(x) = 1 (x ≥ 0)，否则为 0；对数几率函数 σ(x) = 1/(1 + exp(−x))；符号函数 sign(x) = "
            "2·sgn(x) − 1；双曲正切函数 tanh(x) = 2·σ(2x) − 1。",
            "在 −1000 到 1000 的细密网格上检验两个恒等式，并留意溢出",
            "{n} 个点中有 {same} 个满足 sign = 2·sgn − 1；tanh 与 2σ(2x) − 1 至多相差 {error:.0e}；sign(0) = {zero[0]}，"
            "sgn(0) = {zero[1]}；溢出 {overflows} 次",
        ),
    ),
    "C03": pair(
        Text(
            "Folding the bias into the weights",
            "w·x + b = [w; b]·[x; 1]; with a threshold θ, w·x − θ = [w; θ]·[x; −1].",
            "1000 inputs in the three forms; the perceptron with a bias, and without one on a column of ones",
            "{same} of {n} outputs agree; {updates} updates with a bias and {column} with a column of ones, and the "
            "final weights differ by {gap:g}",
            "With x₀ = +1 the folded weight is −threshold: 002 has the sign wrong.",
        ),
        Text(
            "将偏置并入权重",
            "w·x + b = [w; b]·[x; 1]；若用阈值 θ，则 w·x − θ = [w; θ]·[x; −1]。",
            "1000 个输入用三种写法计算；带偏置的感知机，与不带偏置、添一列 1 的感知机比较",
            "{n} 个输出中 {same} 个一致；带偏置更新 {updates} 次，添一列 1 更新 {column} 次，最终权重相差 {gap:g}",
            "取 x₀ = +1 时，并入的权重是 −threshold：讲义 002 此处符号有误。",
        ),
    ),
    "C04": pair(
        Text(
            "The learning rule",
            "w₀ = 0; while a sample has y·(w·x) ≤ 0: w ← w + η·y·x. One update raises y·(w·x) by η·‖x‖².",
            "AND in cyclic order with η = 1/2, against the rule in plain Python",
            "{same} of {updates} updates are on the sample that plain Python takes; the run ends at w = {weights}, plain "
            "Python at {by_hand}; {raised} of {updates} updates raise y·(w·x) by exactly η·‖x‖²",
        ),
        Text(
            "感知机学习算法",
            "w₀ = 0；只要有样本满足 y·(w·x) ≤ 0，就令 w ← w + η·y·x。一次更新使 y·(w·x) 增大 η·‖x‖²。",
            "与运算，循环顺序，η = 1/2，与用纯 Python 写的规则比较",
            "{updates} 次更新中有 {same} 次与纯 Python 取同一样本；最终 w = {weights}，纯 Python 得 {by_hand}；"
            "{updates} 次更新中有 {raised} 次使 y·(w·x) 恰好增大 η·‖x‖²",
        ),
    ),
    "C05": pair(
        Text(
            "Any order will do",
            "The next mistake may be picked at random or in a cycle: the final plane depends on it, and on the start "
            "w₀; the bound does not depend on the order.",
            "100 rows with margin 0.1: cyclic order once, shuffled and active with five seeds each; then five starts w₀",
            "{planes} different planes in {runs} runs from 0, with {least} to {most} updates, where r²/ρ² = {bound:.0f}; {others} different planes from {starts} starts w₀, after {begun} updates, at most {part:.0%} of (r² + 2ρ‖w₀‖)/ρ²",
            "From w₀ ≠ 0 the proof gives M ≤ (r² + 2ρ‖w₀‖/η)/ρ²; fit takes coef_init and intercept_init.",
        ),
        Text(
            "误分类点的顺序与初始权重",
            "下一个误分类点可以随机挑选，也可以循环遍历：最终的超平面与顺序有关，也与初始权重 w₀ 有关；更新次数的上界与顺序无关。",
            "间隔为 0.1 的 100 个样本：循环顺序一次，打乱和活跃集各取五个随机种子；再取五个初始权重 w₀",
            "从零开始的 {runs} 次运行得到 {planes} 个不同的超平面，更新 {least} 到 {most} 次，而 r²/ρ² = {bound:.0f}；从 {starts} 个 w₀ 出发得到 {others} 个不同的超平面，分别更新 {begun} 次，至多是 (r² + 2ρ‖w₀‖)/ρ² 的 {part:.0%}",
            "初始权重 w₀ ≠ 0 时，证明给出 M ≤ (r² + 2ρ‖w₀‖/η)/ρ²；fit 有参数 coef_init 和 intercept_init。",
        ),
    ),
    "C06": pair(
        Text(
            "The dating table",
            "17 samples with 6 categorical features, one-hot; trained on 10 of them, Perceptron(eta0=0.5) scores 5/7 on "
            "the other 7.",
            "our Perceptron and scikit-learn's on the split of the notes, with 8 seeds each and in cyclic order; "
            "certify on the training rows and on all rows",
            "of 7 test rows scikit-learn has {theirs} right with seeds 0 to 7, ours {shuffled} shuffled and {cyclic} in "
            "cyclic order; of the training rows ours has {learnt:.0%} right, scikit-learn's {stopped:.0%}; the "
            "training rows are {part} (margin {margin:.4g}), all 17 rows {whole}",
            "So 5/7 is a matter of the order. scikit-learn stops before all training rows are right. Quasi-separable "
            "means: some plane has no row on its wrong side, but every such plane passes through some rows.",
        ),
        Text(
            "约会数据",
            "17 个样本、6 个离散特征，独热编码；用 10 个样本训练，Perceptron(eta0=0.5) 在其余 7 个上的精度为 5/7。",
            "按讲义的划分运行我们的和 scikit-learn 的感知机，各取 8 个随机种子，我们的另取循环顺序；对训练样本和全部样本求可分性证明",
            "7 个测试样本中，scikit-learn 在种子 0 到 7 下分别对 {theirs} 个，我们的打乱顺序下对 {shuffled} 个，循环顺序下对 "
            "{cyclic} 个；训练精度我们的为 {learnt:.0%}，scikit-learn 的为 {stopped:.0%}；训练样本{part}（间隔 {margin:.4g}），"
            "全部 17 个样本{whole}",
            "可见 5/7 取决于样本顺序。scikit-learn 在训练样本还没有全部分对时就停了。拟可分是指：有超平面不把任何样本分错，"
            "但每个这样的超平面上都有样本。",
        ),
    ),
    "C07": pair(
        Text(
            "AND, OR, NOT",
            "The three gates are learnt without error: with labels ±1; with labels 0/1, the step activation and "
            "w ← w + η·(y − ŷ)·x; and they have closed forms such as AND = sign(x₁ + x₂ − 1.5).",
            "each gate on four samples (NOT is ¬x₁, as in the notes) with both rules, and the closed forms",
            "{right} of {outputs} outputs are right; updates for AND, OR, NOT: {signed} with labels ±1, {stepped} with "
            "labels 0/1, and {noted} with labels ±1 if the samples come in the order of the notes",
            "The two rules differ at w·x = 0: sgn(0) = 1 is right for y = 1, but y·(w·x) = 0 counts as a mistake.",
        ),
        Text(
            "与、或、非",
            "三种运算的训练精度均可达 100%：标记取 ±1；或标记取 0/1，用阶跃函数和 w ← w + η·(y − ŷ)·x；也有闭式解，"
            "例如 与 = sign(x₁ + x₂ − 1.5)。",
            "每种运算用四个样本（非运算按讲义取 ¬x₁），两种规则各学一遍，并检验闭式解",
            "{outputs} 个输出中 {right} 个正确；与、或、非的更新次数：标记取 ±1 时 {signed}，取 0/1 时 {stepped}；标记取 ±1 "
            "且样本按讲义的先后排列时 {noted}",
            "两种规则在 w·x = 0 处不同：y = 1 时 sgn(0) = 1 算对，而 y·(w·x) = 0 算错。",
        ),
    ),
    "C08": pair(
        Text(
            "XOR",
            "XOR is not separable, and the perceptron never stops unless the passes are limited.",
            "the rule of the notes in plain Python for 1000 passes; our Perceptron; certify with its independent checker",
            "the rule of the notes: {plain} updates in 1000 passes, stopped: {stopped}. Ours: {status} in pass {passes}, after "
            "{updates} updates; the signed rows {rows} of its proof sum to {total}; the checker accepts: {accepted}",
            "The rule of the notes never stops; ours notices that a weight vector has come back, and stops: the updates in "
            "between sum to zero, so no w can have a positive product with all of them.",
        ),
        Text(
            "异或",
            "异或线性不可分，若不限制迭代轮数，感知机无法停止。",
            "用纯 Python 写的讲义算法运行 1000 轮；我们的感知机；用 certify 求证明，由独立的检验程序检验",
            "讲义的算法：1000 轮更新 {plain} 次，是否停止：{stopped}。我们的：第 {passes} 轮更新 {updates} 次后终止，结论为{status}；"
            "证明所用的带符号样本 {rows} 之和为 {total}；检验程序是否接受：{accepted}",
            "讲义的算法确实不会停止；本库发现权重重复出现时终止：其间各次更新 y·x 之和为零，故不存在 w 使它们与 w 的内积全为正，"
            "即线性不可分。",
        ),
    ),
    "C09": pair(
        Text(
            "Novikoff's theorem",
            "If ‖x‖ ≤ r and y·(v·x) ≥ ρ for a unit vector v, there are at most M ≤ r²/ρ² updates, whatever the "
            "dimension, the learning rate and the order; with a small ρ it may take long.",
            "10 data sets of 2 to 11 dimensions, three orders, three learning rates; one data set turned into up to 1000 "
            "dimensions; three families of data with smaller and smaller ρ, certified",
            "in {runs} runs M reached at most {worst:.0%} of r²/ρ²; the learning rate made no difference in {etas} of "
            "{groups} cases; in {dimensions} dimensions the same points took {turned} updates; down to ρ/r = "
            "{smallest:.2g}, M rose to {slowest}",
        ),
        Text(
            "Novikoff 定理",
            "若 ‖x‖ ≤ r，且存在单位向量 v 使 y·(v·x) ≥ ρ，则更新次数 M ≤ r²/ρ²；这个上界与维度、学习率和顺序无关；ρ 很小时收敛可能很慢。",
            "2 到 11 维的 10 个数据集，三种顺序，三种学习率；把同一组点旋转到至多 1000 维；三族间隔 ρ 越来越小的数据，ρ 都有证明",
            "{runs} 次运行中，M 最多达到 r²/ρ² 的 {worst:.0%}；{groups} 种情形中有 {etas} 种更新次数与学习率无关；同一组点在 "
            "{dimensions} 维中分别更新 {turned} 次；ρ/r 小到 {smallest:.2g} 时，M 增至 {slowest}",
        ),
    ),
    "C10": pair(
        Text(
            "Its proof, inequality by inequality",
            "M·ρ ≤ Σ y·(v·x) ≤ ‖Σ y·x‖ = ‖w_M‖/η = √Σ(‖w_t‖² − ‖w_{t−1}‖²)/η ≤ √Σ‖x‖² ≤ √(M·r²).",
            "a run on 100 rows without a bias, audited along the best plane",
            "{hold} of {relations} relations hold: {chain}; M = {updates}, r²/ρ² = {bound:.4g}",
        ),
        Text(
            "定理的证明，逐个不等式",
            "M·ρ ≤ Σ y·(v·x) ≤ ‖Σ y·x‖ = ‖w_M‖/η = √Σ(‖w_t‖² − ‖w_{t−1}‖²)/η ≤ √Σ‖x‖² ≤ √(M·r²)。",
            "在 100 个样本上不带偏置地运行，沿间隔最大的超平面逐项检验",
            "{relations} 个关系中有 {hold} 个成立：{chain}；M = {updates}，r²/ρ² = {bound:.4g}",
        ),
    ),
    "C11": pair(
        Text(
            "The bound is tight",
            "m orthonormal rows take exactly m updates, and ρ = 1/√m.",
            "every m from 2 to 200 without a bias (a classifier needs rows of two classes); the best margin of 50 rows, "
            "certified",
            "exactly m updates to the margin 1/√m for {sizes} of {all} sizes m; of 50 rows the best margin times √50 lies "
            "between {low:.6f} and {high:.6f}",
        ),
        Text(
            "上界是紧的",
            "m 个标准正交的样本恰好更新 m 次，且 ρ = 1/√m。",
            "对 m = 2, …, 200 逐一运行，不带偏置（分类需要两类样本）；对 50 个样本求最大间隔的证明",
            "{all} 个 m 中有 {sizes} 个恰好更新 m 次且间隔为 1/√m；50 个样本的最大间隔乘以 √50 介于 {low:.6f} 与 {high:.6f} 之间",
        ),
    ),
    "C12": pair(
        Text(
            "The worst case",
            "The rows y_i·x_i = [−1, …, −1, 1, 0, …, 0] take Ω(2^m) updates, since raising w_i alone takes a_i = 2^(i−1).",
            "m = 2 to 8 from zero without a bias: cyclic, shuffled and active order with different learning rates, and "
            "mistakes picked at random; a_i by solving for it; the certificate of m = 200 without a run",
            "{exact} of {runs} runs take exactly (4^m − 1)/3 updates: {updates} for m = 2 to 8, ending at weights in the "
            "ratio {weights}, with {counts} updates row by row; a_i = {raising}; m = 200 is {verdict} with margin {margin:.3g}",
            "The notes bound it from below by 2^m (and 2⁰ + … + 2^(m−1) is 2^m − 1). It is exactly (4^m − 1)/3 in any order: "
            "row i is updated only while w_i ≤ Σ_{j<i} w_j, so w_i/η never exceeds 2^(i−1), and in the end it must be that "
            "large; so w/η = (1, 2, 4, …), which fixes all update counts, as the rows are a basis.",
        ),
        Text(
            "收敛速度的最坏情况",
            "样本 y_i·x_i = [−1, …, −1, 1, 0, …, 0] 需要 Ω(2^m) 次更新，因为单独增大 w_i 就要 a_i = 2^(i−1) 次。",
            "m = 2 到 8，从零开始，不带偏置：循环、打乱、活跃集三种顺序，学习率各异，另有随机挑选误分类点；解方程求 a_i；"
            "m = 200 不运行感知机，直接求证明",
            "{runs} 次运行中有 {exact} 次恰好更新 (4^m − 1)/3 次：m = 2 到 8 时为 {updates}；最终权重之比为 {weights}，各样本的更新次数为 "
            "{counts}；a_i = {raising}；m = 200 {verdict}，间隔 {margin:.3g}",
            "讲义给出下界 2^m（而 2⁰ + … + 2^(m−1) 等于 2^m − 1）。实际上按任何顺序都恰好是 (4^m − 1)/3 次：只有 w_i ≤ Σ_{j<i} w_j "
            "时才会更新样本 i，故 w_i/η 不超过 2^(i−1)；结束时 w_i/η 又至少是这么大；所以 w/η = (1, 2, 4, …)，而样本是一组基，"
            "各样本的更新次数由此完全确定。",
        ),
    ),
    "C13": pair(
        Text(
            "The margin perceptron",
            "Update while y·(w·x)/‖w‖ < ρ/2. Then M ≤ 16r²/ρ², and the margin reached is at least ρ/2.",
            "data sets with margin ρ = 0.1, the chain of the notes audited on each",
            "in {runs} runs M reached at most {most:.1%} of 16r²/ρ², and the margin at least {least:.2f} times ρ/2; {hold} of "
            "{relations} relations hold",
            "At w = 0 the quotient is not defined; the first sample always takes an update. MarginPerceptron() does not "
            "need to know ρ: it reaches a third of the best margin within 3r²/ρ² updates.",
        ),
        Text(
            "更好的界：间隔感知机",
            "只要 y·(w·x)/‖w‖ < ρ/2 就更新。于是 M ≤ 16r²/ρ²，最终间隔至少为 ρ/2。",
            "间隔 ρ = 0.1 的若干数据集，每次运行都检验讲义的不等式",
            "{runs} 次运行中，M 最多达到 16r²/ρ² 的 {most:.1%}，最终间隔至少是 ρ/2 的 {least:.2f} 倍；{relations} 个关系中有 "
            "{hold} 个成立",
            "w = 0 时该式没有定义，第一个样本总要更新。MarginPerceptron() 不必事先知道 ρ："
            "它在 3r²/ρ² 次更新内达到最大间隔的三分之一。",
        ),
    ),
    "C14": pair(
        Text(
            "A feature map for XOR",
            "φ(x₁, x₂) = (2x₁ − 1, 2x₂ − 1, (2x₁ − 1)(2x₂ − 1)) makes XOR separable, and y = (1 − z₃)/2 = x₁ + "
            "x₂ − 2x₁x₂.",
            "the map and a Perceptron in a pipeline, and both formulas",
            "{right} of 4 rows right after {updates} updates; (1 − z₃)/2 gives y on {by_z} of 4 rows, x₁ + x₂ − 2x₁x₂ on {by_x}",
        ),
        Text(
            "异或的特征变换",
            "φ(x₁, x₂) = (2x₁ − 1, 2x₂ − 1, (2x₁ − 1)(2x₂ − 1)) 使异或线性可分，且 y = (1 − z₃)/2 = x₁ + x₂ − 2x₁x₂。",
            "把变换和感知机放进一个流水线，并检验两个公式",
            "更新 {updates} 次后 4 个样本中 {right} 个正确；(1 − z₃)/2 在 {by_z} 个样本上等于 y，x₁ + x₂ − 2x₁x₂ 在 {by_x} 个上",
        ),
    ),
    "C15": pair(
        Text(
            "Any data, with a feature for every row",
            "With s_i = max(0, ρ − y_i·(w·x_i)) and δ = √Σs_i², the rows [x_i; A·e_i] are separable; A² = r·δ makes the "
            "bound smallest: M ≤ (r + δ)²/ρ².",
            "data sets of 40 rows with random labels, the chain audited on each; of the last one, the bound for 33 values of A",
            "{separated} of {runs} separated; M reached at most {worst:.0%} of (r + δ)²/ρ²; {hold} of {relations} relations "
            "hold; the bound is smallest at A = {amplitude:.4g}, where √(rδ) = {root:.4g}",
            "s_i is max(0, ρ − y_i·(w·x_i)) for each i by itself; the notes' max over i is a slip. Here ρ > 0 and the unit "
            "vector w are any: such data has no margin.",
        ),
        Text(
            "一般性结论：任意数据",
            "令 s_i = max(0, ρ − y_i·(w·x_i))，δ = √Σs_i²，则 [x_i; A·e_i] 线性可分；取 A² = r·δ 可使上界最紧：M ≤ (r + δ)²/ρ²。",
            "随机标记的数据集，各 40 个样本，逐一检验不等式；对最后一组取 33 个 A 计算上界",
            "{runs} 组中 {separated} 组可分；M 最多达到 (r + δ)²/ρ² 的 {worst:.0%}；{relations} 个关系中有 {hold} 个成立；上界在 A = "
            "{amplitude:.4g} 处最小，而 √(rδ) = {root:.4g}",
            "s_i 应对每个 i 单独取 max(0, ρ − y_i·(w·x_i))；讲义中对 i 取最大是笔误。这里的 ρ > 0 和单位向量 w 可任取：这样的数据没有间隔。",
        ),
    ),
    "C16": pair(
        Text(
            "The dual form",
            "w = Σ α_j·y_j·φ(x_j): keep α instead of w; a mistake on row i makes α_i ← α_i + η.",
            "the kernel perceptron with κ(x, z) = x·z + 1 beside the perceptron",
            "in {same} of {runs} data sets both make the same updates ({updates} in all), row by row and score by score",
            "004 lets y enter twice: either α_i ← α_i + η with y_j in the sum, or α_i ← α_i + η·y_i without.",
        ),
        Text(
            "感知机的对偶形式",
            "w = Σ α_j·y_j·φ(x_j)：维护 α 而不是 w；第 i 个样本分错时 α_i ← α_i + η。",
            "κ(x, z) = x·z + 1 的核感知机与感知机并排运行",
            "{runs} 组数据中有 {same} 组，两种形式的更新完全一致（样本与函数值均相同），合计 {updates} 次更新",
            "讲义 004 中 y 出现了两次：要么 α_i ← α_i + η 且求和中有 y_j，要么 α_i ← α_i + η·y_i 且求和中没有。",
        ),
    ),
    "C17": pair(
        Text(
            "The kernel perceptron",
            "κ(x, z) = (x·z + 1)² is x₁²z₁² + x₂²z₂² + 2x₁x₂z₁z₂ + 2x₁z₁ + 2x₂z₂ + 1, the inner product of an explicit map; "
            "f(z) = Σ α_j·y_j·κ(x_j, z).",
            "the terms against the kernel on whole numbers; XOR with three kernels; two circles with the kernel and with "
            "the explicit map",
            "the sum of the {terms} terms is the kernel on {equal} of {pairs} pairs; {separated} of 4 runs separate: XOR after "
            "{updates} updates (poly 2, poly 3, rbf), the circles after {circles}; kernel and explicit map score alike: {gap}",
            "004 writes f(z) = wᵀz; it is wᵀφ(z).",
        ),
        Text(
            "核感知机",
            "κ(x, z) = (x·z + 1)² = x₁²z₁² + x₂²z₂² + 2x₁x₂z₁z₂ + 2x₁z₁ + 2x₂z₂ + 1，是一个显式特征映射的内积；f(z) = Σ α_j·y_j·κ(x_j, z)。",
            "在整数点上逐项检验；用三种核学习异或；在两个同心圆上比较核与显式映射",
            "{pairs} 对点中有 {equal} 对，{terms} 项之和等于核；4 次运行中 {separated} 次分开：异或更新 {updates} 次（poly 2、poly 3、rbf），"
            "同心圆更新 {circles} 次；核与显式映射的函数值是否一致：{gap}",
            "讲义 004 写作 f(z) = wᵀz，应为 wᵀφ(z)。",
        ),
    ),
    "C18": pair(
        Text(
            "The pocket algorithm",
            "For data that is not separable keep the weights with the fewest errors so far; to find the best is NP-hard.",
            "sets of 9 rows that are proved not to separate, compared with all planes of the run and with the fewest errors "
            "that any plane can make, proved by fewest_errors",
            "the pocket is worse than a plane of its run in {worse} of {sets} sets; it has the fewest errors possible in {best}",
        ),
        Text(
            "口袋算法",
            "对线性不可分的数据，保留迄今错误最少的权重；求最优解是 NP 难的。",
            "若干组 9 个样本的数据，均已证明线性不可分；与运行中出现过的所有超平面，以及由 fewest_errors 证明的最少错误数比较",
            "{sets} 组中有 {worse} 组口袋解差于运行中出现过的超平面；有 {best} 组达到了最少的错误数",
        ),
    ),
    "C19": pair(
        Text(
            "A floor under the cosine",
            "cos(v, w_t) ≥ √t·ρ/r: the floor grows with √t, and a cosine cannot exceed 1, so t ≤ r²/ρ².",
            "the cosine after every update of a run on 200 rows",
            "in {updates} updates the cosine goes from {first:.3f} to {last:.3f}, but falls in {falls} of {steps} steps, once by "
            "{deepest:.3f}; it is below √t·ρ/r in {below}; this floor ends at {floor:.3f} and would be 1 at t = {bound:.0f}",
            "Only the floor grows; 002 says that the cosine does. And the margin is the minimum over the samples, where 002 "
            "writes a maximum.",
        ),
        Text(
            "夹角余弦的下界",
            "cos(v, w_t) ≥ √t·ρ/r：下界随 √t 增长而余弦不超过 1，故 t ≤ r²/ρ²。",
            "在 200 个样本上运行，记录每次更新后的余弦",
            "{updates} 次更新中余弦从 {first:.3f} 变到 {last:.3f}，但 {steps} 步中有 {falls} 步下降，最多一次降 {deepest:.3f}；低于 "
            "√t·ρ/r 的有 {below} 步；下界最终为 {floor:.3f}，到 t = {bound:.0f} 时才是 1",
            "增长的只是下界；讲义 002 说余弦本身增大。另外间隔是对样本取最小值，002 写成了最大值。",
        ),
    ),
    "C20": pair(
        Text(
            "The multi-layer perceptron",
            "Composing functions, learnt by back-propagation, solves XOR too.",
            "back-propagation written out for 4 hidden neurons on XOR, its derivatives checked by differences; two layers of "
            "20 neurons (MultilayerPerceptron) on two spirals of 200 points",
            "{right} of 4 rows right after {steps} steps, in which the loss falls from {first:.3f} to {last:.4f}; derivatives "
            "agree with differences: {gap}; score {spirals:.0%} on the spirals after at most {passes} steps",
            "No theorem bounds the steps, and none is claimed.",
        ),
        Text(
            "多层感知机",
            "函数复合（反向传播训练的多层感知机）也能解决异或。",
            "对异或写出 4 个隐层神经元的反向传播，并用差商检验导数；两层各 20 个神经元（MultilayerPerceptron）学习 200 个点的双螺旋",
            "{steps} 步后 4 个样本中 {right} 个正确，损失从 {first:.3f} 降到 {last:.4f}；导数与差商是否一致：{gap}；双螺旋至多 {passes} 步后精度 "
            "{spirals:.0%}",
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
            "{all[1]} of three (up to {largest[1]}), {threshold[2]} of {all[2]} of four (up to {largest[2]}); trades have "
            "{trade} points against {trade} at most; {proved} answers proved",
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
            "{largest[2]}）；交换至多 {trade} 个点对 {trade} 个点；{proved} 个答案有证明",
            "交换是若干个 f 为 1 的点和同样多个 f 为 0 的点，两边之和相等：没有权重能使前者都达到阈值、后者都低于阈值。"
            "输入越多，一个神经元能计算的函数所占的部分越小。",
        ),
    ),
    "C22": pair(
        Text(
            "Two schools",
            "The symbolists write a rule, yes ← (weather = sunny) ∧ (work = light); the connectionists learn "
            "sgn(w₀ + w₁·Saturday + w₂·Sunday + …).",
            "the rule and the perceptron that was trained on the 10 rows of the notes, both on the whole dating table",
            "the rule is right on {rule} of {rows} rows, on {rule_test} of the {tests} test rows; the plane on {plane} and "
            "{plane_test}; the rule can be read at a glance, the plane has {numbers} numbers, the largest being {largest}",
        ),
        Text(
            "路线之争",
            "符号学派写出规则：是 ← (天气 = 晴天) ∧ (课业 = 轻松)；连接学派学习 sgn(w₀ + w₁·周六 + w₂·周日 + …)。",
            "在整张约会表上比较该规则，与在讲义的 10 个样本上训练的感知机",
            "规则在 {rows} 个样本中对 {rule} 个，在 {tests} 个测试样本中对 {rule_test} 个；超平面分别对 {plane} 个和 {plane_test} 个；"
            "规则一目了然，超平面有 {numbers} 个数，最大的是 {largest}",
        ),
    ),
    "C23": pair(
        Text(
            "Margin and generalisation",
            "The perceptron's margin is not guaranteed and may be small, and the margin bears on generalisation.",
            "20 training rows in 10 dimensions and 1000 test rows, drawn again and again: Perceptron, MarginPerceptron, "
            "and the plane of the best margin",
            "on average of {sets} sets the three reach {margins[0]:.0%}, {margins[1]:.0%} and {margins[2]:.0%} of the best "
            "margin, and err on {errors[0]:.1%}, {errors[1]:.1%} and {errors[2]:.1%} of the test rows",
        ),
        Text(
            "间隔与泛化",
            "感知机的间隔没有保证，可能很小，而间隔与泛化性能息息相关。",
            "反复抽取 10 维的 20 个训练样本和 1000 个测试样本：感知机、间隔感知机、间隔最大的超平面",
            "{sets} 组的平均：三者分别达到最大间隔的 {margins[0]:.0%}、{margins[1]:.0%}、{margins[2]:.0%}，测试错误率分别为 "
            "{errors[0]:.1%}、{errors[1]:.1%}、{errors[2]:.1%}",
        ),
    ),
    "C24": pair(
        Text(
            "Cover's count",
            "Beyond the notes (Cover 1965): of the 2^n labellings of n points in general position in d dimensions, planes "
            "through the origin separate 2·Σ_{k<d} C(n−1, k): all for n ≤ d, half for n = 2d.",
            "all labellings of a few points, each certified; random points with random labels in 5 dimensions, from n = 6 to 18",
            "{exact}: {agree} of {cases} counts are Cover's; at n = 2d {half:.0%} of random sets separate; the largest gap to "
            "Cover's curve is {gap:.2f}",
        ),
        Text(
            "Cover 计数",
            "讲义之外（Cover 1965）：d 维空间中处于一般位置的 n 个点有 2^n 种标记，过原点的超平面能分开其中 2·Σ_{k<d} C(n−1, k) 种："
            "n ≤ d 时为全部，n = 2d 时为一半。",
            "少数点的所有标记，逐一求证明；5 维空间中随机标记的随机点，n 从 6 到 18",
            "{exact}：{cases} 种情形中有 {agree} 种与 Cover 的公式一致；n = 2d 时随机数据有 {half:.0%} 可分；与 Cover 曲线至多相差 {gap:.2f}",
        ),
    ),
    "C25": pair(
        Text(
            "Three losses",
            "Beyond the notes: the perceptron, the hinge (support vector machines) and the logistic loss ask for different planes.",
            "the three, nearly without regularisation, on the training rows of the dating table",
            "perceptron, hinge and logistic loss have {trained} of {rows} training rows and {tested} of {tests} test rows right; "
            "their planes are at {angles[0]:.0f}° and {angles[1]:.0f}° to that of the perceptron",
        ),
        Text(
            "三种损失",
            "讲义之外：感知机损失、合页损失（支持向量机）和对数几率损失要求不同的超平面。",
            "在约会数据的训练样本上比较三者，几乎不加正则化",
            "感知机、合页、对数几率三种损失在 {rows} 个训练样本中分别对 {trained} 个，在 {tests} 个测试样本中分别对 {tested} 个；后两个超平面"
            "与感知机的夹角为 {angles[0]:.0f}° 和 {angles[1]:.0f}°",
        ),
    ),
    "C26": pair(
        Text(
            "The best margin is that of a support vector machine",
            "Beyond the notes: the plane of the largest margin is the hard-margin support vector machine, ρ = 1/‖w‖.",
            "the certified interval of the best margin beside scikit-learn's SVC with C = 10⁶ on the rows [x; 1] and their mirror "
            "image, which makes its bias 0",
            "in {within} of {sets} sets 1/‖w‖ is in the certified interval up to 1 in 10⁴, for instance {margin:.6f} beside "
            "{low:.6f} … {high:.6f}",
        ),
        Text(
            "最大间隔即硬间隔支持向量机",
            "讲义之外：间隔最大的超平面就是硬间隔支持向量机，ρ = 1/‖w‖。",
            "把最大间隔的证明区间，与 scikit-learn 的 SVC（C = 10⁶，样本取 [x; 1] 及其镜像，使偏置为零）比较",
            "{sets} 组中有 {within} 组的 1/‖w‖ 在证明区间内（误差不超过万分之一），例如 {margin:.6f} 与 {low:.6f} … {high:.6f}",
        ),
    ),
}
"""Of every claim, the text in every language; figures are filled in when it is run."""
