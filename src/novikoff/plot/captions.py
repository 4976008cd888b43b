"""The words on pictures, in English and Chinese, and the fonts to write them in."""

from importlib import resources
from typing import Any

FONT = "Novikoff Sans SC"
"""A subset of Noto Sans SC (OFL) that comes with the package: the characters in daily use, and signs of formulas."""
CHINESE = {
    "step": "阶跃函数 sgn",
    "sign": "符号函数 sign",
    "logistic": "对数几率函数",
    "tanh": "双曲正切函数",
    "input": "输入",
    "output": "输出",
    "class {}": "类别 {}",
    "plane": "超平面",
    "margin": "间隔",
    "weights": "法向量 w",
    "AND": "与",
    "OR": "或",
    "NOT": "非",
    "XOR": "异或",
    "not separable": "线性不可分",
    "update t": "更新次数 t",
    "cosine to the best plane": "与最大间隔超平面的夹角余弦",
    "cosine to the last function": "与最终函数的夹角余弦",
    "cos(v, w_t) of the run": "实际运行的 cos(v, w_t)",
    "at least √t·ρ/r": "下界 √t·ρ/r",
    "M = {} updates": "更新 M = {} 次",
    "bound r²/ρ² = {:.4g}": "上界 r²/ρ² = {:.4g}",
    "ball of radius r = {:.3g}": "半径 r = {:.3g} 的球",
    "margin ρ = {:.3g}": "间隔 ρ = {:.3g}",
    "rows m": "样本数 m",
    "updates": "更新次数",
    "updates of the run": "实际更新次数",
    "(4^m − 1)/3": "(4^m − 1)/3",
    "2^m − 1, the notes' lower bound": "2^m − 1（讲义的下界）",
    "update {} of {}": "第 {} 次更新（共 {} 次）",
    "score": "得分",
    "largest log-likelihood": "最大对数似然",
    "the others at their best": "其余系数取最优",
    "estimate {:.3g}": "估计值 {:.3g}",
    "{:.4g}, which no value reaches": "{:.4g}，任何取值都达不到",
    "rows responsible": "造成分离的样本",
    "coefficient of {}": "{} 的系数",
    "input layer": "输入层",
    "output layer": "输出层",
    "separable": "线性可分",
    "quasi-separable": "拟可分",
    "inseparable": "线性不可分",
    "margin of the row": "函数间隔",
    "loss": "损失",
    "mistake (0/1)": "错误（0/1）",
    "perceptron": "感知机",
    "hinge": "合页",
    "logistic loss": "对数几率",
    "at least t·ρ": "下界 t·ρ",
    "at most √t·r": "上界 √t·r",
    "at least": "下界",
    "at most": "上界",
    "floor by the theorem of its rule": "由其规则的定理得到的下界",
    "bound of the theorem: {:.4g}": "定理给出的上界：{:.4g}",
    "length": "长度",
    "new w": "新的 w",
    "level lines": "等高线",
    "surface": "曲面",
}


class Words:
    """Labels in a language, and the fonts to write them in."""

    def __init__(self, lang: str) -> None:
        if lang not in ("en", "zh"):
            raise ValueError(f"lang must be 'en' or 'zh', got {lang!r}.")
        self.chinese = lang == "zh"
        self.fonts = [chinese_font(), "DejaVu Sans"] if self.chinese else ["DejaVu Sans"]

    def __call__(self, text: str, *values: Any) -> str:
        return (CHINESE[text] if self.chinese else text).format(*values)

    def either(self, english: str, chinese: str) -> str:
        """The one of two texts that is in the language."""
        return chinese if self.chinese else english

    def dress(self, ax: Any, title: str = "", x: str = "", y: str = "", legend: bool = True) -> Any:
        """Write title, labels and, beside the picture, so that it hides nothing, the legend."""
        for put, text in ((ax.set_title, title), (ax.set_xlabel, x), (ax.set_ylabel, y)):
            if text:
                put(text, fontfamily=self.fonts)
        if legend:
            place = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0), "borderaxespad": 0.0}
            ax.legend(prop={"family": self.fonts, "size": "small"}, frameon=False, **place)
        return ax


def chinese_font() -> str:
    """The name of our font, which matplotlib is told of when it is first asked for: no font need be installed."""
    from matplotlib import font_manager

    if FONT not in {font.name for font in font_manager.fontManager.ttflist}:
        with resources.as_file(resources.files("novikoff") / "fonts" / "NovikoffSansSC.ttf") as path:
            font_manager.fontManager.addfont(str(path))
    return FONT
