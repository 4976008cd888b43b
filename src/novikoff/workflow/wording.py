"""The words of the terminal and of the report, in English and Chinese: one table, and the language that is spoken.

These are the texts of those who print: headings, heads of tables, captions, and what is put together of pieces in an
order of each language.  Sentences that are made elsewhere, where Python reads them too and no language is known
(errors, notes, certificates, progress), are in English and looked up as a whole in the catalogue of ``language/``.

The standard library only, so that little is imported to print it.
"""

import re
from collections.abc import Iterable
from functools import cache

from ..language.translate import LANGUAGES, Template, by_length, spoken, template_of

TEXTS: dict[str, tuple[str, str]] = {
    # how words are put together
    "inspected": (
        "This is what the file says of itself; novikoff check verifies a proof against its data.",
        "以上是文件自己的说法；novikoff check 用数据检验证明。",
    ),
    "pair": ("{name}: {text}", "{name}：{text}"),
    "comma": (", ", "，"),
    "value None": ("None", "无"),
    "value True": ("True", "是"),
    "value False": ("False", "否"),
    "sentence": ("{text}.", "{text}。"),
    # the data
    "rows": ("{n} rows", "{n} 行"),
    "columns": ("{n} columns", "{n} 列"),
    "row": ("{n} row", "{n} 行"),
    "column": ("{n} column", "{n} 列"),
    "left out": (" ({n} left out for missing values)", "（另有 {n} 行因缺失值被略去）"),
    "kind number": ("numbers", "数值"),
    "kind category": ("categories", "类别"),
    "kind text": ("free text", "自由文本"),
    "kind identifier": ("left out, as they name rows", "略去：只是行的名称"),
    "kind empty": ("left out, as they are empty", "略去：空列"),
    "kind dropped": ("left out, as asked for", "按要求略去"),
    "missing": ("missing", "缺失"),
    "missing values": ("missing values", "缺失值"),
    "classes": ("classes", "类别标签"),
    "format": ("format", "格式"),
    "and more": (" and {n} more", " 等，另有 {n} 个"),
    # do the classes separate?
    "separate?": ("Do the classes separate?", "各类能被超平面分开吗？"),
    "decision separable": ("Yes, a plane separates them", "能：有超平面把它们分开"),
    "decision quasi-separable": (
        "Almost: a plane has some rows on their right side and all others on it, none has all on their right side",
        "几乎能（拟可分）：有超平面使一部分行在正确一侧、其余都在超平面上，但没有超平面使所有行都在正确一侧",
    ),
    "decision inseparable": ("No, no plane separates them", "不能：没有超平面能把它们分开"),
    "decision unknown": ("Not decided", "尚未判定"),
    "decided": (
        "Proved of {rows} rows, with their numbers as float64, in {seconds:.2g} s.",
        "对 {rows} 行证明（数取 float64），用时 {seconds:.2g} 秒。",
    ),
    "decided, filled": (
        "Proved of {rows} rows, with their numbers as float64 and missing values filled in in {filled} of them, in "
        "{seconds:.2g} s.",
        "对 {rows} 行证明（数取 float64，其中 {filled} 行的缺失值已填补），用时 {seconds:.2g} 秒。",
    ),
    "looked at": ("Looked for {seconds:.2g} s at {rows} rows.", "看了 {rows} 行，用时 {seconds:.2g} 秒。"),
    "not looked at": (
        "In a stream this is asked only where all columns hold numbers and no value is missing.",
        "流式读取时，只在各列都是数值且无缺失值时判定。",
    ),
    "decides": ("This decides it: {command}", "用此命令判定：{command}"),
    "logistic": (
        "Estimates of a logistic regression are infinite on such data; novikoff separation says which.",
        "在这样的数据上逻辑回归的某些估计是无穷大；novikoff separation 会说明是哪些。",
    ),
    "against": (" against ", " 对 "),
    "the rest": ("the rest", "其余"),
    "class": ("class", "类"),
    "verdict": ("answer", "结论"),
    "verdict separable": ("separable", "可分"),
    "verdict quasi-separable": ("quasi-separable", "拟可分"),
    "verdict inseparable": ("inseparable", "不可分"),
    "verdict unknown": ("unknown", "未知"),
    "best margin": ("largest margin", "最大间隔"),
    "updates at most": ("updates at most", "更新次数至多"),
    "proved by": ("witness", "证据"),
    "witness rows": ("{n} rows", "{n} 行"),
    "no margin above": ("no margin above {margin}", "间隔不超过 {margin}"),
    # the model
    "status": ("status", "状态"),
    "updates": ("updates", "更新"),
    "mistakes": ("mistakes", "错误"),
    "at most": ("at most", "至多"),
    "margin": ("margin", "间隔"),
    "none above": ("none above", "不会超过"),
    "all": ("all", "全部"),
    "proved": ("proved", "已证明"),
    "passes": ("{n} passes", "{n} 轮"),
    "passes, updates": ("{passes} passes, {updates} updates", "{passes} 轮，{updates} 次更新"),
    "reason asked": ("asked for", "按指定"),
    "reason default": ("the default", "默认"),
    "reason cluster": ("learnt on the cluster {address}", "在集群 {address} 上学习"),
    "reason chosen": (
        "{chosen} in {where} of {rows} rows; others, none clearly better: {others}",
        "在 {rows} 行的{where}中为 {chosen}；其他的都没有明显更好：{others}",
    ),
    "reason looked": (
        "the default, as a curve does not clearly help: least squares reach {curve:.4f} with curves, {plane:.4f} with "
        "planes, each of {rows} rows held out once",
        "默认，因为曲面没有明显的帮助：{rows} 行逐一留出，最小二乘用曲面达到 {curve:.4f}，用超平面达到 {plane:.4f}",
    ),
    "reason curved": (
        "a curve helps: least squares reach {curve:.4f} with curves, {plane:.4f} with planes, each of {rows} rows held "
        "out once",
        "曲面有帮助：{rows} 行逐一留出，最小二乘用曲面达到 {curve:.4f}，用超平面达到 {plane:.4f}",
    ),
    "reason sure": (
        "a curve helps: least squares reach {curve:.4f} with curves, {plane:.4f} with planes, each of {rows} rows held "
        "out once; on a held-out part {planes}",
        "曲面有帮助：{rows} 行逐一留出，最小二乘用曲面达到 {curve:.4f}，用超平面达到 {plane:.4f}；"
        "在留出部分上 {planes}",
    ),
    "curves looked at": ("curves by least squares {curve:.4f}", "最小二乘的曲面 {curve:.4f}"),
    "in folds": ("{n} folds", " {n} 折"),
    "held out part": ("a held-out part", "留出部分"),
    # how good
    "accuracy": ("accuracy", "准确率"),
    "balanced accuracy": ("balanced accuracy", "平衡准确率"),
    "f1": ("F1", "F1"),
    "roc_auc": ("ROC AUC", "ROC 曲线下面积"),
    "log_loss": ("log-loss", "对数损失"),
    "standard error": ("standard error", "标准误"),
    "precision": ("precision", "精确率"),
    "recall": ("recall", "召回率"),
    "how good": ("How good", "效果"),
    "how file": ("on the rows of {file}", "在 {file} 的行上"),
    "how own": ("on the file's own test rows", "在文件自带的测试行上"),
    "how part": ("on {part} of the rows, held out at random", "在随机留出的 {part} 行上"),
    "how folds": ("by {n}-fold cross-validation", "用 {n} 折交叉验证"),
    "how single": (", in which classes of one row are always trained on", "，只有一行的类总在训练之列"),
    "how none": ("not measured: every class has one row only", "未测量：每一类都只有一行"),
    "measured title": ("{title}, {how} ({n} rows)", "{title}，{how}（{n} 行）"),
    "measured": (
        "Measured {how}: {rows} rows, none predicted by a model that was trained on it.",
        "{how}测量：{rows} 行，预测每一行的模型都没有学过它。",
    ),
    "actual predicted": ("actual ↓ predicted →", "实际 ↓ 预测 →"),
    "yardsticks": ("Yardsticks on the same rows", "同样的行上的参照"),
    "this model": ("this model", "本模型"),
    "yardstick majority": ("the most frequent class", "最多的一类"),
    "yardstick linear": ("linear: {name}", "线性：{name}"),
    "yardstick curved": ("curved: {name}", "曲面：{name}"),
    "trained on": ("trained on", "训练行数"),
    "on folds": ("{done} of {folds} folds", "{folds} 折中的 {done} 折"),
    "note": ("note", "说明"),
    "curve better, kernel": (
        "A curved model does better here, by {points:.1f} points: try --model kernel.",
        "曲面模型在这里更好，高 {points:.1f} 个百分点：试试 --model kernel。",
    ),
    "curve better": (
        "A curved model does better here, by {points:.1f} points: try --model mlp, or --tune.",
        "曲面模型在这里更好，高 {points:.1f} 个百分点：试试 --model mlp 或 --tune。",
    ),
    "line better": (
        "Another linear model does better here, by {points:.1f} points: try --tune.",
        "另一个线性模型在这里更好，高 {points:.1f} 个百分点：试试 --tune。",
    ),
    "weights": ("Weightiest features", "权重最大的特征"),
    "for class": ("for {name}", "对 {name}"),
    "wrote model": ("Wrote the model: {path}", "已写入模型：{path}"),
    "wrote report": ("Wrote the report: {path}", "已写入报告：{path}"),
    "wrote proof": ("Wrote the proof: {path}; check it with: {again}", "已写入证明：{path}；检验它：{again}"),
    "wrote": ("Wrote {path}.", "已写入 {path}。"),
    "seconds": ("{stage} {n} s", "{stage} {n} 秒"),
    "time": ("Time", "用时"),
    "Note": ("Note", "注意"),
    "noted": ("note", "注意"),
    "see help": ("{why}: {path} --help tells more.", "{why}：用法见 {path} --help。"),
    "see help after a question": ("{why} {path} --help tells more.", "{why}用法见 {path} --help。"),
    "stage read": ("read (while libraries load)", "读取（同时载入库）"),
    "stage look": ("look (while libraries load)", "查看（同时载入库）"),
    "stage prepare": ("prepare", "准备"),
    "stage choose": ("choose", "选择"),
    "stage learn": ("learn", "学习"),
    "stage measure": ("measure", "测量"),
    "stage refit": ("refit", "再学习"),
    "stage separation": ("separation", "可分性"),
    # the report
    "title": ("{model} on {file}", "{model}：{file}"),
    "predicts": ("Predicts {target}", "预测 {target}"),
    "section quality": ("How good it is", "效果如何"),
    "section data": ("Data", "数据"),
    "section learned": ("What was learned", "学到了什么"),
    "section separation": ("Do the classes separate?", "各类能被超平面分开吗？"),
    "section curve": ("Learning curve", "学习曲线"),
    "section weights": ("Weights", "权重"),
    "section notes": ("Notes", "说明"),
    "curve caption": ("Mistakes in every pass, over all classes.", "每一轮的错误数，各类合计。"),
    "pass": ("pass {n}", "第 {n} 轮"),
    "margins": (
        "Margins are distances from the plane, of the rows after scaling and encoding.",
        "间隔是缩放和编码之后的行到超平面的距离。",
    ),
    "bound caption": (
        "Updates made (dark) and the most there could have been (light), by the theorem of the learner's rule.",
        "实际更新次数（深色）与该学习器规则的定理给出的上限（浅色）。",
    ),
    "bound caption, mistakes": (
        "Mistakes made on the way (dark) and the most there could have been (light), by the theorem of the learner's "
        "rule.",
        "学习途中的错误次数（深色）与该学习器规则的定理给出的上限（浅色）。",
    ),
    # the ends of a run
    "status separated": ("separated", "已分开"),
    "status inseparable": ("inseparable", "不可分"),
    "status thin": ("thin", "间隔过小"),
    "status stopped": ("stopped", "已停止"),
    "end separated": ("separated: a full pass made no mistake.", "已分开：整轮没有错误。"),
    "end inseparable": (
        "inseparable: it is proved that no plane has every row on its right side.",
        "不可分：已证明没有超平面使每一行都在正确一侧。",
    ),
    "end thin": (
        "thin: it is proved that no plane has a margin worth waiting for, and passes have ceased to help.",
        "间隔过小：已证明没有超平面的间隔值得等待，再学也无改进。",
    ),
    "end stalled": ("stopped: passes had ceased to help.", "已停止：再学已无改进。"),
    "end limit": ("stopped: the limit of passes was reached.", "已停止：已到轮数上限。"),
    "end early": ("stopped: early stopping ended the run.", "已停止：提前停止。"),
    "end stopped": ("stopped: the run ended with mistakes left.", "已停止：结束时仍有错误。"),
    # other commands
    "in all": ("{n} in all; --json has them", "共 {n} 个；--json 有全部"),
    "best first": ("Mean of {n} folds, best first", "{n} 折的平均，由好到差"),
    "learner": ("learner", "学习器"),
    "balanced": ("balanced", "平衡"),
    "seconds a fit": ("seconds a fit", "每次训练秒数"),
    "categories each": (
        "  {column}: {n} categories, a column of 0 and 1 each",
        "  {column}：{n} 个类别，各成一列 0 和 1",
    ),
    "onnx same": (
        "onnxruntime predicts the same for {same} of {rows} rows of {file}.",
        "onnxruntime 对 {file} 的 {rows} 行中的 {same} 行预测相同。",
    ),
}
"""{what is said: (English, Chinese)}"""


def listed(texts: Iterable[str]) -> str:
    """Texts with commas, as the language has them."""
    return word("comma").join(texts)


def word(key: str, **values: object) -> str:
    """A text of the table in the language that is spoken.

    >>> word("rows", n=3)
    '3 rows'
    """
    return TEXTS[key][LANGUAGES.index(spoken())].format(**values)


def retold(text: str) -> str:
    """A text of the table, which was kept in English, in the language that is spoken.

    >>> retold("by 5-fold cross-validation")
    'by 5-fold cross-validation'
    """
    if spoken() == "en":
        return text
    for template in kept_texts():
        if found := re.fullmatch(template.pattern, text):
            return template.translation.format(**{name: retold(part) for name, part in found.groupdict().items()})
    return text


@cache
def kept_texts() -> list[Template]:
    """The texts that models keep: how they were measured, and why they were chosen."""
    kept = ("how ", "reason ", "curves looked at", "in folds", "held out part")
    pairs = [texts for key, texts in TEXTS.items() if key.startswith(kept)]
    return by_length([template_of(*(re.sub(r":[^{}]*}", "}", text) for text in texts)) for texts in pairs])


KINDS = ("number", "category", "text", "identifier", "empty", "dropped")
"""The kinds of columns, in the order in which they are listed."""
ENDS = ("separated", "inseparable", "thin", "stalled", "limit", "early", "stopped")
"""How runs end."""
