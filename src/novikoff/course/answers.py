"""Answers in files: each is run in a process of its own, with a limit of time, and judged there.

``python -m novikoff.course.answers 3 answer.py en`` prints the judgement as JSON; ``check_file`` starts that and waits.
The file is run as it is: judge only files that you would run yourself.
"""

import contextlib
import json
import runpy
import subprocess
import sys
import traceback
from pathlib import Path

from .exercises import Judgement, check

LIMIT = 60.0
"""Seconds that an answer may take."""


def check_file(number: int, path: Path, lang: str = "en", limit: float = LIMIT) -> Judgement:
    """Judge the ``answer`` of a Python file."""
    if not path.is_file():
        raise FileNotFoundError(2, "there is no such file", str(path))
    command = [sys.executable, "-m", __name__, str(number), str(path), lang]
    zh = lang == "zh"
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return Judgement(
            False, f"{path} 运行超过 {limit:g} 秒，已停止。" if zh else f"{path} was stopped after {limit:g} s."
        )
    try:
        return Judgement(*json.loads(done.stdout.splitlines()[-1]))
    except (IndexError, TypeError, ValueError):
        return Judgement(False, f"{path} 没有运行到底。" if zh else f"{path} ended before it could be judged.")


def judge_file(number: int, path: str, lang: str) -> Judgement:
    """Run the file and judge its answer."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            names = runpy.run_path(path)
    except BaseException as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        line = getattr(error, "lineno", None) or (lines[-1] if lines else 1)
        where = f"{path}，第 {line} 行：" if lang == "zh" else f"{path}, line {line}: "
        return Judgement(False, f"{where}{type(error).__name__}: {error}")
    if "answer" not in names:
        return Judgement(False, f"{path} 中没有名为 answer 的变量。" if lang == "zh" else f"{path} defines no answer.")
    with contextlib.redirect_stdout(sys.stderr):
        return check(number, names["answer"], lang)


if __name__ == "__main__":
    print(json.dumps(judge_file(int(sys.argv[1]), *sys.argv[2:4])))
