"""What a fit found, in sentences and lines of tables that the terminal and the report share."""

from typing import TYPE_CHECKING

from ..errors import number_text
from ..language.translate import translated_part
from .wording import listed, word

if TYPE_CHECKING:  # what is told is made by others; nothing of theirs is needed to tell it
    from .decision import SeparationAnswer, SeparationDecision
    from .measures import Measurement
    from .model_choice import Choice
    from .result import FitResult, ProblemSummary

NOTABLE = 0.02
"""How much better a yardstick must be to be pointed out."""


def problem_name(classes: list[str]) -> str:
    """A class against the rest or another, in words."""
    if classes == ["all"]:
        return word("all")
    return word("against").join(classes)


def problem_lines(problems: "list[ProblemSummary]") -> list[list[str]]:
    """How each problem of a run ended, its updates (or mistakes) against their bound, and its margins."""
    of_mistakes = any(problem.mistakes is not None for problem in problems)
    return [
        [
            problem_name(problem.classes),
            word(f"status {problem.status}") if problem.status else "",
            number_text(problem.updates),
            *([number_text(problem.mistakes)] if of_mistakes else []),
            number_text(problem.mistake_bound, at_most=True),
            number_text(problem.margin),
            number_text(problem.margin_bound),
        ]
        for problem in problems
    ]


def problem_heads(problems: "list[ProblemSummary]") -> list[str]:
    """What stands above these lines."""
    of_mistakes = any(problem.mistakes is not None for problem in problems)
    counted = ("updates", "mistakes") if of_mistakes else ("updates",)
    return [word(key) for key in ("class", "status", *counted, "at most", "margin", "none above")]


def decision_answer(decision: "SeparationDecision") -> str:
    """Do the classes separate?  In one sentence."""
    return word(f"decision {decision.verdict}")


def decision_basis(decision: "SeparationDecision") -> str:
    """What the answer rests on."""
    if not decision.questions:
        return word("not looked at")
    proved = "decided, filled" if decision.filled else "decided"
    key = "looked at" if decision.verdict == "unknown" else proved
    return word(key, rows=f"{decision.rows:,}", filled=f"{decision.filled:,}", seconds=decision.seconds)


def question_lines(questions: "list[SeparationAnswer]") -> list[list[str]]:
    """The answer for every class, and what proves it."""
    return [[question_name(each), word(f"verdict {each.verdict}"), *question_cells(each)] for each in questions]


def question_name(question: "SeparationAnswer") -> str:
    """A class against another or the rest."""
    rest = [word("the rest")] if len(question.classes) == 1 else []
    return word("against").join([*question.classes, *rest])


def question_cells(question: "SeparationAnswer") -> list[str]:
    """The margin, the bound on updates, and the witness or what is known instead."""
    low, high = question.margin
    margin = f"{low:.4g} … {high:.4g}" if low is not None and high is not None else ""
    bound = number_text(question.mistake_bound, at_most=True)
    if question.witness:
        return [margin, bound, word("witness rows", n=f"{question.witness:,}")]
    if question.verdict == "unknown":
        known = word("no margin above", margin=f"{high:.4g}") if high is not None else ""
        return [margin, bound, "; ".join(filter(None, [translated_part(question.reason), known]))]
    return [margin, bound, ""]


def question_heads() -> list[str]:
    """What stands above these lines."""
    return [word(key) for key in ("class", "verdict", "best margin", "updates at most", "proved by")]


def reason_of(choice: "Choice") -> str:
    """How a model was chosen, in one line: what it reached, and the best of every other kind."""
    if choice.look and not choice.trials:
        return word("reason curved" if choice.look.helps else "reason looked", **vars(choice.look))
    reached = {str(trial.candidate): trial.accuracy for trial in choice.trials}
    mine = str(choice.best)
    if choice.look and mine not in reached:
        planes = ", ".join(f"{name} {accuracy:.4f}" for name, accuracy in reached.items())
        return word("reason sure", planes=planes, **vars(choice.look))
    kinds, others = {choice.best.name}, []
    for trial in sorted(choice.trials, key=lambda trial: -trial.accuracy):
        if trial.candidate.name not in kinds:
            kinds.add(trial.candidate.name)
            others.append(f"{trial.candidate} {trial.accuracy:.4f}")
    if choice.look and all(trial.candidate.name != "kernel" for trial in choice.trials):
        others.append(word("curves looked at", curve=choice.look.curve))
    where = word("in folds", n=choice.folds) if choice.folds > 1 else word("held out part")
    chosen = f"{mine} {reached[mine]:.4f}"
    return word("reason chosen", chosen=chosen, where=where, rows=f"{choice.rows:,}", others=", ".join(others) or "–")


def stage_seconds(result: "FitResult") -> str:
    """How long each stage took."""
    return listed(word("seconds", stage=word(f"stage {stage}"), n=f"{n:.2g}") for stage, n in result.seconds.items())


def measure_pairs(measured: "Measurement") -> list[tuple[str, str]]:
    """The measures with their names."""
    pairs = [
        ("accuracy", f"{measured.accuracy:.4f} ± {measured.standard_error:.4f}"),
        ("balanced accuracy", f"{measured.balanced_accuracy:.4f}"),
        ("f1", f"{measured.f1:.4f}"),
    ]
    pairs += [("roc_auc", f"{measured.roc_auc:.4f}")] if measured.roc_auc is not None else []
    pairs += [("log_loss", f"{measured.log_loss:.4f}")] if measured.log_loss is not None else []
    return [(word(key), text) for key, text in pairs]


def class_lines(measured: "Measurement") -> list[list[str]]:
    """Precision, recall and F1 of every class."""
    return [
        [each.label, f"{each.rows:,}", *(f"{value:.4f}" for value in (each.precision, each.recall, each.f1))]
        for each in measured.classes
    ]


def class_heads() -> list[str]:
    """What stands above these lines."""
    return [word("class"), word("rows", n="").strip(), *(word(key) for key in ("precision", "recall", "f1"))]


def yardstick_lines(result: "FitResult") -> list[list[str]]:
    """What the model and the yardsticks reached, and on what these were trained."""
    measured = result.quality.measurement
    if measured is None or not result.yardsticks:
        return []
    lines = [[word("pair", name=word("this model"), text=result.model.name), f"{measured.accuracy:.4f}", "", ""]]
    folds = max(each.folds for each in result.yardsticks)
    for each in result.yardsticks:
        some = word("on folds", done=each.folds, folds=folds) if each.folds < folds else ""
        name = word(f"yardstick {each.kind}", name=each.name)
        lines.append([name, f"{each.accuracy:.4f}", f"{each.rows:,}", some])
    return lines


def yardstick_heads() -> list[str]:
    """What stands above these lines."""
    return ["", *(word(key) for key in ("accuracy", "trained on", "note"))]


def advice(result: "FitResult") -> str:
    """One sentence where another model does better by far; else nothing."""
    measured = result.quality.measurement
    reached = {each.kind: each.accuracy for each in result.yardsticks}
    if measured is None or not reached:
        return ""
    linear, curved = (reached.get(kind, 0.0) - measured.accuracy for kind in ("linear", "curved"))
    if max(linear, curved) <= NOTABLE:
        return ""
    if linear >= curved:
        return word("line better", points=100 * linear)
    tried = result.model.name == "kernel" or result.choice is not None
    return word("curve better" if tried else "curve better, kernel", points=100 * curved)


def short(name: str, most: int = 22) -> str:
    """A name without its end, if it is long: that of a category may be a whole text.

    >>> short("a" * 9, 5), short("red")
    ('aaaa…', 'red')
    """
    return name if len(name) <= most else name[: most - 1] + "…"
