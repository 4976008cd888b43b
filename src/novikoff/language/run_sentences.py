"""What learners and runs say, and how far they are, in English and Chinese."""

RUNS: dict[str, str] = {
    # how far it is
    "Learning from {file}": "从 {file} 学习",
    "Learning from {file}: pass {n}, {mistakes} mistakes in it": "从 {file} 学习：第 {n} 轮，其中 {mistakes} 个错误",
    "Learning from {file}: pass {n}, {done} of at most {rows} rows": "从 {file} 学习：第 {n} 轮，至多 {rows} 行中的 {done} 行",
    "Learning from {file} on the cluster {address}": "在集群 {address} 上从 {file} 学习",
    "Comparing on {file}": "在 {file} 上比较",
    "Comparing models: {made} of {total}, about {rest} s left": "比较模型：{total} 次中的 {made} 次，还要约 {rest} 秒",
    "Predicting {file}": "预测 {file}",
    "Predicting {file}: {n} rows": "预测 {file}：{n} 行",
    "Measuring": "测量",
    "Measuring: fold {k} of {folds}": "测量：第 {k} 折，共 {folds} 折",
    "Yardsticks: fold {k} of {folds}, at most {seconds} s for all of them": "参照：第 {k} 折，共 {folds} 折，全部至多 {seconds} 秒",
    "Do the classes separate? At most {seconds} s": "各类能被超平面分开吗？至多 {seconds} 秒",
    "Looking at the classes of {file}": "查看 {file} 的类别",
    "Preparing the columns of {file}": "准备 {file} 的各列",
    # how runs end
    "{name} stopped after {end} mistakes in the last one; {proved}. Raise max_iter to go on, {remedy}.": "{name} 停在{end} 个错误；{proved}。要继续，请加大 max_iter，{remedy}。",
    "{name} gave up after {end} mistakes in the last one, as {proved}, while margin={margin} asks for {half}. Ask for a smaller margin, or for margin=None.": "{name} 停在{end} 个错误，因为{proved}，而 margin={margin} 要求 {half}。请要求较小的间隔，或 margin=None。",
    "KernelPerceptron stopped after {end} mistakes in the last one. {remedy} for fewer.": "KernelPerceptron 停在{end} 个错误。{remedy}可以减少错误。",
    "Updates are those of the shards, with the weights of the mixing, which is the number that is bounded; all shards together made {n}.": "更新次数是各分片的更新按混合的权重相加，被上界所限的就是这个数；各分片一共作了 {n} 次。",
    "{n} of {all} partitions hold rows of one class only, from which a shard learns little: put the rows into random order over all partitions first.": "{all} 个分区中有 {n} 个只含一类的行，分片从中学不到多少：请先把各行在所有分区之间打乱。",
    "The cluster has no workers yet: start some, or wait for them with client.wait_for_workers.": "集群还没有工作进程：请启动几个，或用 client.wait_for_workers 等待。",
    # what learners do not take
    "Input X contains {what} at row {row}, column {column} ({n} value in all not finite): remove those rows or fill them, NaN for example with sklearn.impute.SimpleImputer.": "X 第 {row} 行第 {column} 列是 {what}（共 {n} 个值不是有限数）：请去掉这些行，或把它们补上，NaN 可以用 sklearn.impute.SimpleImputer。",
    "Input X contains {what} at row {row}, column {column} ({n} values in all not finite): remove those rows or fill them, NaN for example with sklearn.impute.SimpleImputer.": "X 第 {row} 行第 {column} 列是 {what}（共 {n} 个值不是有限数）：请去掉这些行，或把它们补上，NaN 可以用 sklearn.impute.SimpleImputer。",
    "Input X is too large for float64: {value} at row {row}, column {column} makes scores overflow; rescale X, for example with sklearn.preprocessing.StandardScaler.": "X 对 float64 来说太大：第 {row} 行第 {column} 列的 {value} 使得分溢出；请缩放 X，例如用 sklearn.preprocessing.StandardScaler。",
    "The weights of the model are not finite: fit it again.": "模型的权重不是有限数：请重新训练。",
    "The values of X are so small (none above {value}) that squared lengths underflow: rescale X, for example with sklearn.preprocessing.StandardScaler.": "X 的值太小（都不超过 {value}），长度的平方下溢：请缩放 X，例如用 sklearn.preprocessing.StandardScaler。",
    "The weights overflow float64, as some rows of X are much shorter than others: rescale X, for example with sklearn.preprocessing.StandardScaler.": "X 有些行比别的行短得多，使权重超出 float64：请缩放 X，例如用 sklearn.preprocessing.StandardScaler。",
    "The weights of all rows are zero: none is left to learn from; check sample_weight and class_weight.": "所有行的权重都是零，没有可以学习的行：请检查 sample_weight 和 class_weight。",
    "class_weight must not be negative or NaN, got {weights}.": "class_weight 不能是负数或 NaN，得到的是 {weights}。",
    "intercept_init is a bias to start from, but fit_intercept=False learns none.": "intercept_init 是偏置的初值，而 fit_intercept=False 不学偏置。",
    "calibrated needs at least two rows of every class, to hold one of them out.": "calibrated 要求每一类至少有两行，以便留出一行。",
    "order='active' is for runs without a budget: choose 'shuffled' or 'cyclic'.": "order='active' 只用于没有预算的运行：请选 'shuffled' 或 'cyclic'。",
    "average=True on a budget needs policy='project': with {policy} the supports of earlier functions are gone.": "有预算时 average=True 需要 policy='project'：用 {policy} 时，先前函数的支持样本已经没有了。",
    "certify is of one class against the others: set multi_class='ovr', or certify=False.": "certify 针对一类对其余：请设 multi_class='ovr' 或 certify=False。",
    "certify counts rows, which must count alike: leave out the weights, or set certify=False.": "certify 数的是行，各行必须同等：请去掉权重，或设 certify=False。",
    "Kernel values up to {value} are too large for {dtype}: rescale X, for example with sklearn.preprocessing.StandardScaler, or lower gamma, coef0 or degree.": "核的值大到 {value}，超出 {dtype}：请缩放 X，例如用 sklearn.preprocessing.StandardScaler，或减小 gamma、coef0 或 degree。",
    "The {name} parameter of {learner} must be {allowed}. Got {value} instead.": "{learner} 的参数 {name} 必须是 {allowed}，得到的是 {value}。",
}
"""{English: Chinese}"""
