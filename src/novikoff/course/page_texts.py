"""The words around the claims."""

WORDS = {
    "en": {
        "title": "The course: every claim of the notes, checked",
        "lead": "Each claim of the lecture notes on the perceptron was run on the library's own learners; the code is what "
        "was run.",
        "says": "The notes say",
        "ran": "What was run",
        "found": "What was found",
        "beyond": "Remarks",
        "code": "The code that was run",
        "holds": "holds",
        "fails": "does NOT hold",
        "figure": "Figure of",
        "places": "More of it",
        "section": "the chapter, section {}",
        "lab": "in the lab, while novikoff lab runs",
        "formulas": "Rows x are the augmented [x; 1] unless it is said that there is no bias; r is the length of the longest, "
        "ρ the margin, m the number of rows, M the number of updates, η the learning rate.",
    },
    "zh": {
        "title": "课程：逐条验证讲义中的结论",
        "lead": "感知机讲义中的每个结论，都用本库自己的学习器运行了一遍；所列代码就是运行的代码。",
        "says": "讲义内容",
        "ran": "实验设置",
        "found": "实验结果",
        "beyond": "补充",
        "code": "所运行的代码",
        "holds": "成立",
        "fails": "不成立",
        "figure": "图：",
        "places": "延伸",
        "section": "课程讲义第 {} 节",
        "lab": "在实验室中打开（需运行 novikoff lab）",
        "formulas": "除注明不带偏置外，样本 x 指增广后的 [x; 1]；r 是最长样本的长度，ρ 是间隔，m 是样本数，M 是更新次数，η 是学习率。",
    },
}
