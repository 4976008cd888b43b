"""The address of an experiment, read as the page reads it: ``#preset=xor&learner=kernel&p.gamma=2&step=3``."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from ..errors import InputError
from . import presets
from .controls import Refusal, learner_called

LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Link:
    """What an address says: the request, and how its answer is looked at, with the end as step None."""

    body: dict[str, Any]
    language: str
    step: int | None
    axes: list[str]


def read_link(link: str) -> Link:
    """The experiment of an address or of the part after its #; raises where a part of it cannot be read."""
    given = parts_of(link)
    try:
        return link_of(given)
    except Refusal as error:
        raise InputError(f"The link cannot be read: {error}") from error
    except ValueError as error:
        raise InputError(f"The link cannot be read: {error}.") from error


def parts_of(link: str) -> dict[str, str]:
    """The parts of an address by their names."""
    fragment = urlsplit(link).fragment if "#" in link else link
    for part in (part for part in fragment.split("&") if part and "=" not in part):
        raise InputError(f"The link cannot be read: {part[:40]!r} is no name=value.")
    return dict(part.partition("=")[::2] for part in fragment.split("&") if part)


def refuse_without_run(link: str) -> None:
    """Raise where an address is of something that is no run, and of no run besides."""
    given = parts_of(link)
    if "lesson" in given and "points" not in given:
        lesson = f"lesson={given['lesson'][:40]}"
        raise InputError(
            f"{lesson} is a lesson, not a run: open it in the lab, and choose Export, Page there; or leave lesson out."
        )
    if "function" in given and not {"points", "preset"} & set(given):
        raise InputError(
            f"function={given['function'][:40]} is a truth table, which has no run: say which points to learn, "
            "such as preset=xor, and leave function out."
        )


def link_of(given: dict[str, str]) -> Link:
    """From the parts of an address."""
    preset = given.get("preset", "own" if "points" in given else "and")
    learner = given.get("learner", "perceptron")
    params = {name[2:]: json_value(name, value) for name, value in given.items() if name.startswith("p.")}
    if preset in presets.CENTRED and "fit_intercept" in {control.name for control in learner_called(learner).controls}:
        params.setdefault("fit_intercept", False)
    body: dict[str, Any] = {"points": points_of(given, preset), "learner": learner, "params": params}
    if "view" in given:
        body["view"] = numbers(given["view"])
    axes = [unquote(name) for name in given.get("axes", "").split(",")] if "axes" in given else []
    if preset == "iris" and not axes:
        first, second, _ = iris_columns(given)
        axes = [presets.IRIS[first], presets.IRIS[second]]
    asked = given.get("step", "end" if "points" in given else "0")
    step = None if asked == "end" else int(asked)
    language = given.get("lang", "en")
    if language not in LANGUAGES:
        raise ValueError(f"lang is {' or '.join(LANGUAGES)}, not {language!r}")
    return Link(body, language, step, axes)


def points_of(given: dict[str, str], preset: str) -> list[list[float]]:
    """The points that are written out, or those of the preset."""
    if "points" in given:
        points = [numbers(point) for point in given["points"].split(";") if point]
        return [[*point[:2], *map(int, point[2:])] for point in points]
    first, second, species = iris_columns(given)
    return presets.points(preset, int(given.get("seed", 0)), (first, second), species)


def iris_columns(given: dict[str, str]) -> list[int]:
    """Two columns and a species."""
    columns = [int(number) for number in given.get("iris", "2,3,0").split(",")]
    if len(columns) != 3 or not set(columns[:2]) <= set(range(4)) or columns[2] not in range(3):
        raise ValueError("iris is two columns from 0 to 3, and a species from 0 to 2")
    return columns


def numbers(text: str) -> list[float]:
    """Numbers with commas between."""
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise ValueError(f"{text!r} is no list of numbers with commas between") from None


def json_value(name: str, text: str) -> Any:
    """The value of a parameter."""
    try:
        return json.loads(unquote(text))
    except ValueError:
        raise ValueError(f'{name}={text} is no value such as 2, true or "poly"') from None
