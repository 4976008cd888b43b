"""Reading in a thread: what it finds, tells and raises comes to whoever takes it, and it begins before imports."""

import subprocess
import sys
import threading
import warnings
import weakref

import numpy as np
import pandas as pd
import pytest

from novikoff.data.ahead import Begun
from novikoff.errors import InputError, ReadingNote, tell
from novikoff.workflow.begun_reading import begin_reading
from novikoff.workflow.fit import fit
from novikoff.workflow.fit_request import FitRequest


def test_work_is_done_in_another_thread_and_its_result_is_held_by_nobody_else():
    class Result:
        thread = threading.current_thread()

    def work():
        result = Result()
        result.thread = threading.current_thread()
        return result

    result = Begun(work)()
    assert result.thread is not threading.current_thread()
    gone = weakref.ref(result)
    del result
    assert gone() is None


def test_an_error_is_raised_where_the_result_is_taken():
    def work():
        raise InputError("No such column.")

    take = Begun(work)
    with pytest.raises(InputError, match="No such column"):
        take()


def test_what_is_told_in_the_thread_is_told_where_the_result_is_taken():
    done = threading.Event()

    def work():
        tell("Column 'a' is dates.")
        done.set()

    with warnings.catch_warnings(record=True) as before:
        warnings.simplefilter("always")
        take = Begun(work)
        assert done.wait(60)
    assert before == []
    with pytest.warns(ReadingNote, match="Column 'a' is dates"):
        take()


@pytest.mark.parametrize("stream", [False, True])
def test_a_fit_whose_reading_has_begun_is_the_same_fit(tmp_path, stream):
    X = np.random.default_rng(0).normal(size=(300, 3)).round(3)
    table = pd.DataFrame(X, columns=list("abc")).assign(y=(X[:, 0] > 0.1).astype(int))
    table.to_csv(tmp_path / "data.csv", index=False)
    request = FitRequest(
        str(tmp_path / "data.csv"), "y", model="averaged", yardsticks=False, separation_time=0.0, stream=stream
    )
    reading = begin_reading(request)
    plain, begun = fit(request), fit(request, begun=reading)
    assert begun.seconds[next(iter(begun.seconds))] >= reading.seconds - 0.002 > 0  # of all of it, not of the end
    assert plain.to_dict() | {"seconds": 0} == begun.to_dict() | {"seconds": 0}


def test_reading_begins_before_what_learns_is_imported():
    code = "import sys, novikoff.cli, novikoff.workflow.begun_reading\n"
    code += "print([name for name in ('sklearn', 'numba', 'pandas', 'skops') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
