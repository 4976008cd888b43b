"""The reference has every public name, and every public method says what it does."""

import inspect
import re
import sys
from pathlib import Path
from pydoc import locate

import pytest

import novikoff

ROOT = Path(__file__).parents[1]
CLASSES = [name for name in novikoff.__all__ if inspect.isclass(getattr(novikoff, name))]


def test_every_public_name_is_in_the_reference():
    listed = re.findall(r"^::: novikoff\.(\w+)$", (ROOT / "docs/api.md").read_text("utf-8"), flags=re.MULTILINE)
    assert sorted(listed) == novikoff.__all__


def test_what_public_functions_take_and_return_is_in_the_reference():
    listed = re.findall(r"^::: (novikoff\.[\w.]+)$", (ROOT / "docs/api.md").read_text("utf-8"), flags=re.MULTILINE)
    signatures = [str(inspect.signature(named)) for named in map(locate, listed) if inspect.isfunction(named)]
    classes = {name for signature in signatures for name in re.findall(r"novikoff\.[\w.]+", signature)}
    assert "novikoff.certificates.check.Verdict" in classes
    assert {name.rpartition(".")[2] for name in classes} <= {name.rpartition(".")[2] for name in listed}


@pytest.mark.parametrize("name", CLASSES)
def test_every_public_method_has_a_docstring(name):
    cls = getattr(novikoff, name)
    methods = [method for method, value in inspect.getmembers(cls, callable) if not method.startswith("_")]
    assert [method for method in methods if not inspect.getdoc(getattr(cls, method))] == []


@pytest.fixture(scope="module")
def package():
    """The package as the reference reads it."""
    griffe = pytest.importorskip("griffe", reason="griffe reads the source for the reference; make docs installs it")
    sys.path.insert(0, str(ROOT / "tools"))
    import reference_pages

    loader = griffe.GriffeLoader(
        extensions=griffe.Extensions(reference_pages.Reference()),
        search_paths=[str(Path(novikoff.__file__).parents[1])],
        docstring_parser=griffe.Parser.numpy,
        docstring_options={"warnings": False},
    )
    return loader.load("novikoff")


@pytest.mark.parametrize("name", [entry.name for entry in novikoff.registry.LEARNERS])
def test_the_reference_has_every_parameter_and_method_of_every_learner(package, name):
    learner = package[name].final_target
    lists = {section.kind.value: section.value for section in learner.docstring.parsed}
    stated = {item.name: item.default for item in lists["parameters"]}
    assert stated.keys() == inspect.signature(getattr(novikoff, name)).parameters.keys()
    assert all(item.description for item in lists["parameters"])
    assert eval(stated["max_iter"]) == getattr(novikoff, name)().max_iter
    assert {"fit", "partial_fit", "predict", "score", "get_params"} <= learner.all_members.keys()


def test_what_docstrings_say_of_parameters_is_not_taken_for_types(package):
    sections = {section.kind.value: section.value for section in package["certify"].final_target.docstring.parsed}
    stated = {item.name: item for item in sections["parameters"]}
    assert (str(stated["degree"].annotation), stated["coef0"].default) == ("int", "1.0")
    assert stated["degree"].description == "Of the polynomial kernel"
    assert ">>> margin([1.0" not in package["bounds.margin"].docstring.parsed[0].value
