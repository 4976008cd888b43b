"""``novikoff exercise``: the exercises of the course, and their judge."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from . import options
from .app import REFUSED, command, print_json


class Action(StrEnum):
    """What is to be done with an exercise."""

    LIST = "list"
    SHOW = "show"
    CHECK = "check"


@command("novikoff exercise check 8 answer.py")
def exercise(
    action: Annotated[Action, typer.Argument(metavar="ACTION", help="list them, show one, or check an answer.")],
    number: Annotated[int | None, typer.Argument(metavar="NUMBER", help="The number of the exercise.")] = None,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="For check: a Python file that defines answer.")
    ] = None,
    hints: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="For show: how many hints to give.")] = 0,
    solution: Annotated[bool, typer.Option("--solution", help="For show: give a solution.")] = False,
    lang: options.Lang = options.Language.EN,
    json: options.Json = False,
) -> None:
    """List the exercises of the course, show one, or judge an answer by running it: exit code 1 if it is not right."""
    from ..course.exercise_texts import EXERCISES

    if action is Action.LIST:
        titles = {each: exercise.title[lang.value] for each, exercise in EXERCISES.items()}
        print_json(titles) if json else typer.echo("\n".join(f"{each:3} {title}" for each, title in titles.items()))
        return
    if number is None or number not in EXERCISES:
        given = "name one" if number is None else f"there is no exercise {number}"
        raise ValueError(f"{given}: the exercises are 1 to {max(EXERCISES)}; novikoff exercise list names them.")
    if action is Action.SHOW:
        show(number, EXERCISES[number], hints, solution, lang.value, json)
    else:
        judge(number, file, lang.value, json)


def show(number: int, one: Any, hints: int, solution: bool, lang: str, as_json: bool) -> None:
    """Print an exercise, with as many hints as are asked for."""
    given = {
        "number": number,
        "title": one.title[lang],
        "question": one.question[lang],
        "hints": list(one.hints[lang][:hints]),
        "solution": one.solution if solution else None,
    }
    if as_json:
        print_json(given)
        return
    typer.echo(f"{number}. {one.title[lang]}\n\n{one.question[lang]}")
    word = "提示" if lang == "zh" else "Hint"
    for k, hint in enumerate(one.hints[lang][:hints], start=1):
        typer.echo(f"\n{word} {k}: {hint}")
    if solution:
        typer.echo(f"\n{one.solution}")


def judge(number: int, file: Path | None, lang: str, as_json: bool) -> None:
    """Print whether the answer in a file is right, and why."""
    from ..course.answers import check_file

    if file is None:
        raise ValueError(f"name the file of your answer: novikoff exercise check {number} answer.py.")
    judgement = check_file(number, file, lang)
    if as_json:
        print_json({"number": number, "right": judgement.right, "sentence": judgement.sentence})
    else:
        typer.echo(judgement.sentence)
    if not judgement.right:
        raise typer.Exit(REFUSED)
