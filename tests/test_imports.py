"""Imports that are put off: nothing is missing, and nothing is imported before it is used."""

import json
import subprocess
import sys

import pytest
from scipy.special import expit
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import all_estimators

from novikoff import Perceptron, datasets, load, save
from novikoff.imports import PostponedModule, Postponing
from novikoff.workflow.model_files import USUAL, special_functions_among


@pytest.fixture
def postponed(tmp_path, monkeypatch):
    """A package that is put off, and a list of what is imported of it."""
    package = tmp_path / "late"
    package.mkdir()
    inside = "class Base:\n    mark = 7\n\ndef twice(x, more=0):\n    return 2 * x + more\n\nnumbers = [1, 2]\n"
    (package / "__init__.py").write_text(inside)
    (package / "inner.py").write_text("def thrice(x):\n    return 3 * x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    finder = Postponing("late")
    finder.begin()
    yield lambda: isinstance(sys.modules["late"], PostponedModule)
    finder.end()
    for name in ("late", "late.inner"):
        sys.modules.pop(name, None)


def test_importing_a_postponed_package_imports_nothing_until_it_is_used(postponed):
    import late
    import late.inner
    from late import Base, numbers, twice
    from late.inner import thrice

    assert postponed()
    assert not hasattr(late, "__file__")
    assert twice(3, more=1) == 7
    assert not postponed()
    assert thrice(3) == late.inner.thrice(3) == 9
    assert numbers.index(2) == late.numbers.index(2) == 1
    assert Base.mark == 7
    assert isinstance(sys.modules["late"].Base(), Base)
    assert sys.modules["late"].inner is sys.modules["late.inner"]


def test_a_postponed_class_can_be_a_base(postponed):
    from late import Base

    assert postponed()

    class Derived(Base):
        pass

    assert Derived.mark == 7
    assert not postponed()


def test_what_is_imported_already_is_not_postponed():
    finder = Postponing("json")
    finder.begin()
    assert finder not in sys.meta_path
    assert sys.modules["json"] is json


def command(*arguments):
    """What the command prints in a process of its own, and what was loaded of that which it does without."""
    code = f"import sys; sys.argv = {['novikoff', *map(str, arguments)]}\ntry:\n import novikoff.cli\n"
    code += " novikoff.cli.main()\nfinally:\n"
    names = "scipy.stats._stats_py", "scipy.interpolate._bsplines", "scipy.spatial.transform._rotation"
    code += f" names = {[*names, 'sklearn.gaussian_process']}\n"
    code += " sys.stderr.write(str([name for name in names if name in sys.modules]))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return ran.stdout, ran.stderr.splitlines()[-1]


def test_the_command_learns_and_predicts_without_them_and_loads_any_estimator(tmp_path):
    X, y = datasets.planted_margin(60, 3, 0.1, random_state=0)
    lines = [",".join(map(str, (*x, label))) for x, label in zip(X.round(6).tolist(), y.tolist(), strict=True)]
    table, model = tmp_path / "rows.csv", tmp_path / "model.nvk"
    table.write_text("\n".join(["a,b,c,y", *lines]))
    said, loaded = command("fit", table, "-t", "y", "--model", "averaged", "--cv", "2", "-o", model)
    assert "accuracy" in said.lower()
    assert loaded == "[]"
    predicted, loaded = command("predict", model, table)
    assert len(predicted.splitlines()) == 61
    assert loaded == "[]"
    described, loaded = command("inspect", model)
    assert "averaged" in described.lower()
    assert loaded == "[]"
    save(make_pipeline(PCA(2), Perceptron()).fit(X, y), tmp_path / "other.nvk")
    described, loaded = command("inspect", tmp_path / "other.nvk")
    assert "Perceptron" in described
    assert "sklearn.gaussian_process" in loaded  # where PCA is looked up
    assert load(tmp_path / "other.nvk").predict(X).shape == y.shape
    save(make_pipeline(FunctionTransformer(expit), Perceptron()).fit(X, y), tmp_path / "special.nvk")
    described, loaded = command("inspect", tmp_path / "special.nvk")
    assert "Perceptron" in described
    assert loaded == "[]"  # skops listed neither, and expit was looked up


def test_only_functions_of_scipy_special_are_looked_up_there():
    inside = {name: module for name, module in sys.modules.items() if name.startswith("scipy.special._")}
    names = {f"{name}.expit" for name, module in inside.items() if getattr(module, "expit", None) is expit}
    assert names
    others = {"os.system", "scipy.special._basic.factorial", "scipy.special._ufuncs.os", "scipy.special.nowhere.expit"}
    assert special_functions_among(names | others) == names


def test_the_usual_estimators_are_estimators():
    names = {f"{estimator.__module__}.{estimator.__qualname__}" for _, estimator in all_estimators()}
    assert {f"sklearn.{name}" for name in USUAL} <= names
