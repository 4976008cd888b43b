"""The command, as a person runs it: every option, every format, every error in one sentence with its exit code."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from ast import literal_eval
from dataclasses import replace
from importlib import resources

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from typer.testing import CliRunner

from novikoff import load
from novikoff.certificates.certificate import Certificate
from novikoff.cli import app
from novikoff.cli.show import UNBROKEN, results_console
from novikoff.registry import DEFAULT_MODEL, LEARNERS, SHORT_NAMES, by_short_name, load_class, parameter_names
from novikoff.workflow.fit import fit
from novikoff.workflow.fit_request import FitRequest
from novikoff.workflow.result import FitResult

COMMANDS = ("fit", "predict", "certify", "check", "export", "bench", "inspect")
PROGRESS = re.compile("novikoff: (Comparing|Learning|Measuring|Yardsticks|Predicting|Preparing|Looking|Do the classes)")
"""How lines begin that tell how far a command is, where it takes more than a second and there is no terminal."""
LINEAR = [name for name in SHORT_NAMES if name not in ("kernel", "mlp")]


def run(*arguments, text=None):
    """The command in this process: what it printed, once it is done; yardsticks only where they are asked for."""
    arguments = [str(argument) for argument in arguments]
    if arguments[0] == "fit" and not {"--yardsticks", "--help"} & set(arguments):
        arguments.append("--no-yardsticks")
    return CliRunner().invoke(app, arguments, input=text)


def done(*arguments, text=None):
    found = run(*arguments, text=text)
    assert found.exit_code == 0, found.stderr
    return found.stdout


def failed(*arguments, code=2, text=None):
    """The one sentence of a failure."""
    found = run(*arguments, text=text)
    assert found.exit_code == code, (found.exit_code, found.stderr)
    *progress, sentence = found.stderr.splitlines()
    assert sentence.startswith("novikoff: ")
    assert all(PROGRESS.match(line) for line in progress)
    return sentence


def shell(*arguments, **options):
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "novikoff", *map(str, arguments)], capture_output=True, text=True, check=False, **options
    )


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Files to try things on, and a model."""
    folder = tmp_path_factory.mktemp("command")
    (folder / "dating.csv").write_bytes(resources.files("novikoff.data").joinpath("dating.csv").read_bytes())
    iris = load_iris(as_frame=True)
    frame = iris.data.round(1).assign(species=iris.target_names[iris.target])
    frame["hue"] = np.where(np.arange(150) % 3, "blue", "red")
    frame.to_csv(folder / "iris.csv", index=False)
    frame[frame.species != "virginica"].to_csv(folder / "two.csv", index=False)
    done("fit", folder / "iris.csv", "--target", "species", "-o", folder / "iris.nvk", "--model", "perceptron")
    return folder


@pytest.fixture(scope="session")
def iris(folder):
    return pd.read_csv(folder / "iris.csv")


LARGE = ("dask", "distributed", "numba", "numpy", "pandas", "pyarrow", "scipy", "skops", "sklearn")
"""Packages that take long to import."""


def imported(*arguments):
    """What the command prints, and which large packages it imports."""
    code = f"import sys; sys.argv = {['novikoff', *map(str, arguments)]}\ntry:\n import novikoff.cli\n"
    code += f" novikoff.cli.main()\nfinally: sys.stderr.write(str([m for m in {LARGE} if m in sys.modules]))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    words, bracket, names = ran.stderr.rpartition("[")
    return ran.stdout + words, set(literal_eval(bracket + names))


def test_help_is_quick_has_examples_and_imports_little():
    words, packages = imported("--help")
    assert packages == set()
    for name in COMMANDS:
        assert name in words
        assert f"Example: novikoff {name}" in " ".join(done(name, "--help").split())
    assert re.fullmatch(r"novikoff \d+\.\d+\.\d+", done("--version").strip())


def test_no_line_is_broken_where_there_is_no_terminal(folder, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert results_console().width == UNBROKEN
    proof = folder / "unbroken.json"
    lines = done("certify", folder / "two.csv", "-t", "species", "--drop", "hue", "-o", proof).splitlines()
    [sentence] = [line for line in lines if line.startswith("separable")]
    assert len(sentence) > 80
    assert sentence == Certificate.load(proof).summary()
    monkeypatch.setenv("COLUMNS", "60")
    assert results_console().width == 60


def test_completion_knows_the_commands():
    typed = {"_NOVIKOFF_COMPLETE": "complete_bash", "COMP_WORDS": "novikoff ", "COMP_CWORD": "1"}
    code = "import sys; sys.argv = ['novikoff']; from novikoff.cli import main; main()"
    found = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **typed}, capture_output=True, text=True, check=False
    )
    assert set(COMMANDS) <= set(found.stdout.split())


def test_fit_predict_and_report_from_a_shell(folder, tmp_path, iris):
    """The main job in three lines, each a process of its own."""
    model, report, out = tmp_path / "model.nvk", tmp_path / "report.html", tmp_path / "out.csv"
    found = shell("fit", folder / "iris.csv", "--target", "species", "-o", model, "--report", report)
    assert found.returncode == 0, found.stderr
    assert all(PROGRESS.match(line) for line in found.stderr.splitlines())
    for words in ("150 rows", "numbers", "categories", "setosa: 50", "Accuracy 0.9", "cross-validation", "Time:"):
        assert words in found.stdout
    assert "petal width (cm)" in found.stdout.split("Weightiest")[1]
    page = report.read_text(encoding="utf-8")
    assert page.count("<svg") >= 2
    assert not re.search(r"https?://|<script|<link|@import|url\(", page)
    assert shell("predict", model, folder / "iris.csv", "-o", out).returncode == 0
    predicted = pd.read_csv(out)
    assert list(predicted) == ["prediction"]
    assert (predicted.prediction == iris.species).mean() > 0.9
    assert sorted(os.listdir(tmp_path)) == ["model.nvk", "out.csv", "report.html"]


def test_json_tells_the_same_for_scripts(folder):
    told = json.loads(done("fit", folder / "two.csv", "-t", "species", "--json", "--model", "perceptron"))
    assert told["data"]["classes"] == {"setosa": 50, "versicolor": 50}
    assert told["data"]["columns"]["hue"] == "category"
    (problem,) = told["learned"]["problems"]
    assert problem["status"] == "separated"
    assert 0 < problem["updates"] <= problem["mistake_bound"]
    assert 0 < problem["margin"] <= problem["margin_bound"]
    assert problem["certificate"].startswith("separable")
    assert told["quality"]["accuracy"] >= 0.98
    assert np.sum(told["quality"]["confusion"]) == 100
    assert told["learned"]["mistakes_by_pass"][-1] == 0


@pytest.mark.parametrize("model", SHORT_NAMES)
def test_every_model_fits_saves_and_predicts(folder, tmp_path, model, iris):
    path = tmp_path / "model.nvk"
    told = json.loads(
        done("fit", folder / "iris.csv", "-t", "species", "--model", model, "-o", path, "--json", "--cv", 2)
    )
    assert told["model"]["class"] == by_short_name(model).name
    assert told["quality"]["accuracy"] > 0.8
    lines = done("predict", path, folder / "iris.csv", "--scores").splitlines()
    assert lines[0] == "prediction,score setosa,score versicolor,score virginica"
    assert [line.split(",")[0] for line in lines[1:]] == load(path).predict(iris).tolist()


@pytest.mark.parametrize(("former", "name"), [("passive-aggressive", "pa"), ("layers", "mlp")])
def test_former_names_of_models_are_understood(folder, former, name):
    told = json.loads(done("fit", folder / "two.csv", "-t", "species", "--json", "--model", former, "--cv", 2))
    assert told["model"]["name"] == name
    assert told["model"]["class"] == by_short_name(name).name


def test_the_help_names_every_model(folder):
    shown = " ".join(re.sub(r"[│╭╰─]", " ", done("fit", "--help")).split())
    assert f"{', '.join(SHORT_NAMES[:-1])} or {SHORT_NAMES[-1]}; by default the best on rows held out." in shown


def test_the_result_is_typed_and_its_json_has_the_same_keys_in_memory_and_streamed(folder, tmp_path):
    request = FitRequest(data=str(folder / "two.csv"), target="species", report=tmp_path / "report.html")
    memory, streamed = fit(request), fit(replace(request, stream=True))
    keys = ["data", "notes", "model", "learned", "separation", "choice", "quality", "yardsticks", "weights"]
    measures = ["rows", "accuracy", "standard_error", "balanced_accuracy", "f1", "roc_auc", "log_loss"]
    for result in (memory, streamed):
        assert isinstance(result, FitResult)
        told = result.to_dict()
        assert list(told) == [*keys, "seconds", "files"]
        assert list(told["model"]) == ["name", "class", "reason", "settings"]
        assert list(told["learned"]) == ["passes", "radius", "problems", "mistakes_by_pass"]
        assert list(told["separation"]) == ["verdict", "questions", "rows", "seconds", "command", "filled"]
        assert list(told["quality"]) == ["how", *measures, "labels", "confusion", "classes"]
        assert told["files"] == {"report": str(tmp_path / "report.html")}
        assert json.loads(json.dumps(told)) == json.loads(json.dumps(result.to_dict()))
    assert list(memory.seconds) == ["read", "choose", "learn", "measure", "separation"]
    assert list(streamed.seconds) == ["look", "prepare", "learn", "measure", "separation"]
    assert memory.separation.verdict == "separable"  # with categories, a stream is not asked
    assert (streamed.separation.verdict, streamed.separation.questions) == ("unknown", [])
    assert streamed.separation.command.startswith("novikoff certify ")
    assert (memory.model.name, streamed.model.name) == (DEFAULT_MODEL, DEFAULT_MODEL)


def test_a_class_with_one_row_is_always_trained_on(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("x,y\n" + "".join(f"{i},{'b' if i == 9 else 'a'}\n" for i in range(10)))
    told = json.loads(done("fit", path, "-t", "y", "--json"))
    assert told["quality"]["how"].endswith("in which classes of one row are always trained on")
    assert told["quality"]["rows"] == 9
    path.write_text("x,y\n1,a\n2,b\n")
    assert "not measured: every class has one row only" in done("fit", path, "-t", "y", "--model", "pa")


def test_settings_are_passed_on(folder, tmp_path):
    path = tmp_path / "model.nvk"
    given = ("--model", "perceptron", "--set", "max_iter=7", "--set", "order=cyclic", "--set", "tol=none")
    found = run("fit", folder / "iris.csv", "-t", "species", *given, "-o", path)
    assert "max_iter=7" in found.stdout
    assert "Raise max_iter" in " ".join(found.stdout.split())
    learner = load(path)[-1]
    assert (learner.max_iter, learner.order, learner.tol) == (7, "cyclic", None)


@pytest.mark.parametrize(
    ("options", "how"),
    [
        (("--cv", 3), "by 3-fold cross-validation"),
        (("--test-size", 0.25), "on 25% of the rows, held out at random"),
        (("--test", "{folder}/iris.csv"), "on the rows of {folder}/iris.csv"),
    ],
)
def test_ways_to_measure(folder, options, how):
    options = [str(option).format(folder=folder) for option in options]
    told = json.loads(done("fit", folder / "iris.csv", "-t", "species", "--json", *options))
    assert told["quality"]["how"] == how.format(folder=folder)
    assert 0.8 < told["quality"]["accuracy"] <= 1


@pytest.mark.parametrize("kind", ["tsv", "csv.gz", "csv.xz", "csv.zst", "parquet", "feather", "npz", "libsvm", "stdin"])
def test_every_format_is_learnt_from_and_predicted(folder, tmp_path, kind, iris):
    path, model = tmp_path / f"data.{kind}", tmp_path / "model.nvk"
    target, text = ("--target", "species"), None
    numbers = iris.drop(columns=["species", "hue"])
    if kind == "stdin":
        path, text = "-", iris.to_csv(index=False)
    elif kind == "parquet":
        iris.to_parquet(path)
    elif kind == "feather":
        iris.to_feather(path)
    elif kind == "npz":
        target = ()
        np.savez(path, X=numbers, y=iris.species.to_numpy(str))
    elif kind == "libsvm":
        from sklearn.datasets import dump_svmlight_file

        target = ()
        dump_svmlight_file(numbers, iris.species.astype("category").cat.codes, str(path), zero_based=False)
    elif kind == "csv.zst":
        import pyarrow as pa

        path.write_bytes(pa.Codec("zstd").compress(iris.to_csv(index=False).encode(), asbytes=True))
    else:
        iris.to_csv(path, index=False, sep="\t" if kind == "tsv" else ",")
    done("fit", path, *target, "-o", model, "--model", "averaged", text=text)
    predicted = done("predict", model, path, text=text).splitlines()[1:]
    assert predicted == [str(label) for label in load(model).predict(iris if target else loaded(path, numbers))]
    assert len(set(predicted)) == 3


def loaded(path, numbers):
    """What a pipeline of an npz or libsvm file takes."""
    import scipy.sparse as sp

    if str(path).endswith("libsvm"):
        return sp.csr_matrix(numbers.to_numpy())
    return numbers.set_axis([f"X{j + 1}" for j in range(numbers.shape[1])], axis=1)


def test_the_dating_table_in_both_encodings(folder, tmp_path):
    text = (folder / "dating.csv").read_text(encoding="utf-8")
    (tmp_path / "gb.csv").write_bytes(text.encode("gb18030"))
    told = [
        json.loads(done("fit", path, "--target", "约会", "--json", "--model", "perceptron"))
        for path in (folder / "dating.csv", tmp_path / "gb.csv")
    ]
    assert told[0]["weights"] == told[1]["weights"]
    assert told[0]["data"]["classes"] == {"否": 9, "是": 8}
    assert told[1]["data"]["format"] == "CSV with commas, gb18030"


def test_free_text_is_learnt_from(tmp_path):
    words = ("see you at home tonight my dear", "win a free prize now and call")
    rows = "".join(f"{words[i % 2]} {i}\t{i % 2}\n" for i in range(60))
    (tmp_path / "sms.tsv").write_text(f"message\tspam\n{rows}")
    told = json.loads(done("fit", tmp_path / "sms.tsv", "-t", "spam", "--json"))
    assert told["data"]["columns"] == {"message": "text"}
    assert told["quality"]["accuracy"] == 1
    assert any(name in ("message: prize", "message: dear") for name, _ in told["weights"]["1"]), told["weights"]


def test_columns_as_the_user_says(folder):
    wishes = ["--drop", "sepal length (cm)", "--categorical", "petal width (cm)", "--text", "hue"]
    wishes += ["--numeric", "sepal width (cm),petal length (cm)"]
    told = json.loads(done("fit", folder / "iris.csv", "-t", "species", "--json", *wishes))
    assert told["data"]["columns"] == {
        "sepal length (cm)": "dropped",
        "sepal width (cm)": "number",
        "petal length (cm)": "number",
        "petal width (cm)": "category",
        "hue": "text",
    }


HOLES = "a,b,y\n" + "".join(f"{i},{'uv'[i % 2]},{'no' if i < 20 else 'yes'}\n" for i in range(40))
HOLES = HOLES.replace("\n3,", "\n,").replace("\n30,u", "\nNA,").replace("\n35,v,yes", "\n35,v,")


def test_missing_values_are_counted_and_refused_or_handled(tmp_path):
    path, model = tmp_path / "holes.csv", tmp_path / "model.nvk"
    path.write_text(HOLES)
    assert "(a: 2, b: 1, y: 1)" in failed("fit", path, "-t", "y")
    told = json.loads(done("fit", path, "-t", "y", "--missing", "drop", "--json", "-o", model))
    assert (told["data"]["rows"], told["data"]["rows_left_out"]) == (37, 3)
    assert "no value in column 'a' at row 4" in failed("predict", model, path)
    told = json.loads(done("fit", path, "-t", "y", "--missing", "impute", "--json", "-o", model))
    assert (told["data"]["rows"], told["data"]["missing"]) == (39, {"a": 2, "b": 1})
    assert len(done("predict", model, path).splitlines()) == 41


def test_predict_takes_columns_in_any_order_and_names_missing_ones(folder, tmp_path, iris):
    model, path = folder / "iris.nvk", tmp_path / "other.csv"
    expected = done("predict", model, folder / "iris.csv")
    iris[iris.columns[::-1]].assign(extra="x").to_csv(path, index=False)
    assert done("predict", model, path) == expected
    iris.drop(columns=["hue", "petal width (cm)"]).to_csv(path, index=False)
    assert "lacks 'petal width (cm)', 'hue'" in failed("predict", model, path)
    iris.assign(hue="green").to_csv(path, index=False)
    assert len(done("predict", model, path).splitlines()) == 151  # a category not learnt counts as none
    iris.astype({"petal width (cm)": str}).replace("0.2", "wide").to_csv(path, index=False)
    assert "must hold numbers, but row 1 has 'wide'" in failed("predict", model, path)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak memory as Linux gives it")
def test_predict_streams_files_larger_than_memory(folder, tmp_path, iris):
    """Six times as many rows take hardly more memory; the parts that are read at a time are small here."""
    code = "import resource, sys; from novikoff.data import readers; readers.NUMBER_BLOCK = 2**17\n"
    code += "from novikoff.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    peaks = []
    for times in (1000, 6000):
        path = tmp_path / "large.csv"
        body = iris.to_csv(index=False, header=False)
        with path.open("w") as file:
            file.write(iris.iloc[:0].to_csv(index=False))
            for _ in range(times):
                file.write(body)
        found = subprocess.run(
            [sys.executable, "-c", code, "predict", folder / "iris.nvk", path, "-o", tmp_path / "out.csv"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        peaks.append(int(found.stderr.split()[-1]) * 1024)
        assert (tmp_path / "out.csv").read_bytes().count(b"\n") == times * len(iris) + 1
    assert path.stat().st_size > 25e6
    assert peaks[1] - peaks[0] < 0.6 * path.stat().st_size


CERTIFIED = {
    "separable": "x,y\n-1.1,a\n-0.1,a\n0.1,b\n1.1,b\n",
    "quasi-separable": "x,y\n-1,a\n0,a\n0,b\n1,b\n",
    "inseparable": "x,y\n-1,a\n0,b\n0,a\n1,a\n0.5,b\n",
}


@pytest.mark.parametrize("verdict", CERTIFIED)
def test_certify_and_check(tmp_path, verdict):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text(CERTIFIED[verdict])
    text = done("certify", data, "--target", "y", "-o", proof)
    assert f"{verdict}:" in text
    assert "novikoff check" in text
    told = json.loads(done("certify", data, "--target", "y", "--json"))
    assert told["questions"][0]["verdict"] == verdict
    assert f"accepted: {verdict}" in done("check", proof, data, "--target", "y")
    data.write_text(CERTIFIED[verdict].replace("1.1", "1.2").replace("x,y\n-1,", "x,y\n-2,"))
    found = run("check", proof, data, "--target", "y")
    assert (found.exit_code, found.stdout.splitlines()[-1][:8]) == (1, "refused:")
    proof.write_text(proof.read_text()[:-10])
    found = run("check", proof, data, "--target", "y", "--json")
    assert found.exit_code == 3
    assert not json.loads(found.stdout)["accepted"]


def test_a_file_means_the_decimals_written_in_it(tmp_path):
    """0.1 + 0.2 and 0.3 are equal as decimals, and different as floats."""
    decimal = tmp_path / "data.csv"
    decimal.write_text("u,v,w,y\n0.1,0.2,-0.3,a\n0.1,0.2,-0.3,b\n")
    assert "inseparable:" in done("certify", decimal, "-t", "y")
    decimal.write_text("x,y\n0.3,a\n0.30000000000000001,b\n")
    assert "separable: a plane" in done("certify", decimal, "-t", "y")
    assert float("0.3") == float("0.30000000000000001")


def test_certify_several_classes_categories_and_options(folder, tmp_path):
    proof = tmp_path / "proof.json"
    text = done("certify", folder / "iris.csv", "-t", "species", "-o", proof, "--drop", "hue")
    assert "setosa against the rest" in text
    assert len(json.loads(proof.read_text())) == 3
    assert done("check", proof, folder / "iris.csv", "-t", "species", "--drop", "hue").count("accepted") == 3
    assert done("check", proof, folder / "iris.csv", "-t", "species").startswith("read as the proof says: --drop hue\n")
    assert run("check", proof, folder / "iris.csv", "-t", "species", "--drop", "sepal length").exit_code in (1, 2)
    text = done("certify", folder / "dating.csv", "-t", "约会", "-o", proof)
    assert "时间: 3 categories" in text
    assert "quasi-separable" in text
    assert "accepted" in done("check", proof, folder / "dating.csv", "-t", "约会")
    told = json.loads(
        done("certify", folder / "iris.csv", "-t", "species", "--json", "--multi-class", "ovo", "--no-intercept")
    )
    assert told["questions"][0]["classes"] == ["setosa", "versicolor"]


def test_check_needs_nothing_but_the_standard_library(folder, tmp_path):
    proof = tmp_path / "proof.json"
    done("certify", folder / "two.csv", "-t", "species", "-o", proof)
    code = f"""
import sys
sys.argv = ['novikoff', 'check', {str(proof)!r}, {str(folder / "two.csv")!r}, '--target', 'species']
from novikoff.cli import main
try: main()
except SystemExit as end: print(end.code)
print([m for m in ('numpy', 'scipy', 'sklearn', 'numba', 'pandas', 'pyarrow', 'flint') if m in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[1].startswith("accepted: separable")
    assert found.stdout.splitlines()[2:] == ["0", "[]"]


@pytest.mark.parametrize("model", LINEAR)
def test_export_gives_the_same_predictions(folder, tmp_path, model, iris):
    onnxruntime = pytest.importorskip("onnxruntime")
    path, out = tmp_path / "model.nvk", tmp_path / "model.onnx"
    done("fit", folder / "iris.csv", "-t", "species", "--model", model, "-o", path, "--cv", 2)
    if model == "voted":
        assert "has no plane" in failed("export", path, out)
        return
    assert "same for 150 of 150 rows" in done("export", path, out, "--check", folder / "iris.csv")
    session = onnxruntime.InferenceSession(str(out))
    feed = {put.name: iris[[put.name]].to_numpy() for put in session.get_inputs() if put.name in iris}
    assert len(feed) < len(session.get_inputs())  # names with brackets are rewritten by ONNX


@pytest.mark.parametrize("kind", ["two classes", "missing values", "text", "ties"])
def test_export_of_other_pipelines(folder, tmp_path, kind):
    pytest.importorskip("onnxruntime")
    data, model, out = tmp_path / "data.csv", tmp_path / "model.nvk", tmp_path / "model.onnx"
    options = ("--missing", "impute") if kind == "missing values" else ()
    if kind == "two classes":
        data.write_bytes((folder / "dating.csv").read_bytes().replace("约会".encode(), b"y"))
    elif kind == "missing values":
        data.write_text(HOLES)
    elif kind == "text":
        words = [
            "a long sentence on growing ünïts",
            "other words, of quite another kind",
            "三 long words again",
        ]
        data.write_text("t,y\n" + "".join(f'"{words[i % 3]} {i}",{i % 2}\n' for i in range(30)))
    else:  # every score is 0 or so: ties go to the second class here and there
        data.write_text("a,b,y\n" + "".join(f"{i % 3 - 1},{i % 2},{i % 2}\n" for i in range(12)))
    done("fit", data, "-t", "y", *options, "-o", model, "--model", "perceptron")
    rows = len(data.read_text(encoding="utf-8").splitlines()) - 1
    assert f"same for {rows} of {rows} rows" in done("export", model, out, "--check", data)


def test_bench_compares_with_scikit_learn(folder):
    told = json.loads(done("bench", folder / "two.csv", "-t", "species", "--cv", 2, "--json"))
    names = [line["learner"] for line in told["learners"]]
    assert {*SHORT_NAMES, "scikit-learn Perceptron"} <= set(names)
    assert "best first" in done("bench", folder / "two.csv", "-t", "species", "--cv", 2)


ERRORS = {
    ("fit", "{folder}/iris.csv"): "--target: sepal length",
    ("fit", "{folder}/iris.csv", "-t", "speces"): "did you mean 'species'?",
    ("fit", "{folder}/none.csv", "-t", "y"): "no such file",
    ("certify", "{folder}", "-t", "y"): "is a model that novikoff fit wrote, not data",
    ("fit", "{folder}", "-t", "约会"): "is a model that novikoff fit wrote, not data",
    ("fit", "{folder}/*.parket", "-t", "y"): "there is no file with such a name",
    ("fit", "{folder}/iris.csv", "-t", "species", "--model", "margn"): "no model 'margn'",
    ("fit", "{folder}/iris.csv", "-t", "species", "--model", "perceptron", "--set", "max_itr=3"): "'max_iter'",
    ("fit", "{folder}/iris.csv", "-t", "species", "--model", "perceptron", "--set", "max_iter"): "key=value",
    ("fit", "{folder}/iris.csv", "-t", "species", "--model", "perceptron", "--set", "max_iter=0"): "must be an int",
    ("fit", "{folder}/iris.csv", "-t", "species", "--cv", "2", "--test-size", "0.2"): "choose one",
    ("fit", "{folder}/iris.csv", "-t", "species", "--cv", "1"): "at least 2",
    ("fit", "{folder}/iris.csv", "-t", "species", "--cv", "60"): "one has 50 only",
    ("fit", "{folder}/iris.csv", "-t", "species", "--test-size", "2"): "between 0 and 1",
    ("fit", "{folder}/iris.csv", "-t", "species", "--delimiter", "ab"): "one character",
    ("fit", "{folder}/iris.csv", "-t", "species", "-o", "{folder}/iris.csv"): "is read as well",
    ("fit", "{folder}/iris.csv", "-t", "species", "-o", "{folder}/no/model.nvk"): "no folder",
    ("fit", "{folder}/iris.csv", "-t", "species", "-o", "{folder}"): "is a folder",
    ("fit", "{folder}/iris.csv", "-t", "species", "--test", "{folder}/two.csv", "--drop", "hu"): "did you mean 'hue'",
    ("fit", "{folder}/iris.csv", "-t", "petal length (cm)", "--drop", "species"): None,
    ("predict", "{folder}/none.nvk", "{folder}/iris.csv"): "no such file",
    ("predict", "{folder}/iris.nvk", "{folder}/none.csv"): "no such file",
    ("certify", "{folder}/iris.csv"): "--target",
    ("certify", "{folder}/iris.csv", "-t", "speces"): "did you mean 'species'?",
    ("check", "{folder}/none.json", "{folder}/iris.csv"): "no such file",
    ("export", "{folder}/iris.nvk", "{folder}/iris.tflite"): "must end in .onnx",
    ("bench", "{folder}/iris.csv", "-t", "species", "--cv", "60"): "one has 50 only",
}


@pytest.mark.parametrize("arguments", [key for key, words in ERRORS.items() if words])
def test_errors_are_one_sentence_that_helps(folder, arguments):
    before = sorted(os.listdir(folder))
    assert ERRORS[arguments] in failed(*(argument.format(folder=folder) for argument in arguments))
    assert sorted(os.listdir(folder)) == before


SEEN_AT_ONCE = {
    ("fit", "{folder}/none.csv", "-t", "y"): "no such file",
    ("fit", "{folder}/none.csv", "-t", "y", "--stream"): "no such file",
    ("fit", "{folder}/*.parket", "-t", "y"): "there is no file with such a name",
    ("fit", "{folder}/iris.csv"): "--target: sepal length",
    ("fit", "{folder}/iris.csv", "-t", "speces"): "did you mean 'species'?",
    ("fit", "{folder}/iris.csv", "-t", "speces", "--stream"): "did you mean 'species'?",
    ("fit", "{folder}/iris.csv", "-t", "species", "--drop", "hu"): "did you mean 'hue'",
    ("fit", "{folder}/iris.csv", "-t", "species", "--test", "{folder}/none.csv"): "no such file",
    ("fit", "{folder}/iris.csv", "-t", "species", "--test", "{folder}/dating.csv"): "has no column 'species'",
    ("fit", "{folder}/iris.csv", "-t", "species", "--model", "margn"): "no model 'margn'",
    ("fit", "{folder}/iris.csv", "-t", "species", "--set", "max_itr=3"): "'max_iter'",
    ("fit", "{folder}/iris.csv", "-t", "species", "--cv", "1"): "at least 2",
    ("fit", "{folder}/iris.csv", "-t", "species", "-o", "{folder}/no/model.nvk"): "no folder",
    ("fit", "{folder}/iris.csv", "--tarket", "species"): "No such option",
    ("fit", "{folder}/iris.csv", "-t", "species", "--model", "mlp", "--class-weight", "balanced"): "no class weights",
    ("fit", "{folder}/iris.csv", "-t", "species", "--test", "{folder}/iris.csv", "--refit"): "another file's",
    ("predict", "{folder}/iris.nvk", "{folder}/iris.csv", "--keep", "hu"): "did you mean 'hue'?",
    ("bench", "{folder}/iris.csv", "-t", "speces"): "did you mean 'species'?",
    ("predict", "{folder}/none.nvk", "{folder}/iris.csv"): "no such file",
    ("predict", "{folder}/iris.nvk", "{folder}/none.csv"): "no such file",
    ("predict", "{folder}/iris.nvk", "{folder}/dating.csv"): "which the model was learnt with",
    ("certify", "{folder}/iris.csv", "-t", "speces"): "did you mean 'species'?",
    ("export", "{folder}/none.nvk", "{folder}/none.onnx"): "no such file",
}
"""Mistakes that are reported before anything large is imported."""


@pytest.fixture(scope="session")
def seen_at_once(folder):
    """What each of these calls prints, and which large packages are imported by then: all in one new process."""
    calls = [[argument.format(folder=folder) for argument in arguments] for arguments in SEEN_AT_ONCE]
    code = f"import sys\nfrom typer.testing import CliRunner\nfrom novikoff.cli import app\nfor call in {calls}:\n"
    code += " words = CliRunner().invoke(app, call).output\n"
    code += f" print(repr((words, [m for m in {LARGE} if m in sys.modules])))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return dict(zip(SEEN_AT_ONCE, map(literal_eval, ran.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("arguments", SEEN_AT_ONCE)
def test_a_wrong_file_option_or_column_is_reported_before_anything_large_is_imported(seen_at_once, arguments):
    words, packages = seen_at_once[arguments]
    assert SEEN_AT_ONCE[arguments] in words
    assert packages == []


def test_a_wrong_column_of_a_typed_file_is_reported_by_its_schema(tmp_path):
    frame = pd.DataFrame({"a": [1.0, 2.0], "y": ["u", "v"]})
    for path, write in ((tmp_path / "a.parquet", frame.to_parquet), (tmp_path / "a.feather", frame.to_feather)):
        write(path)
        words, packages = imported("fit", path, "-t", "yy")
        assert "did you mean 'y'?" in words
        assert packages <= {"numpy", "pyarrow"}


def test_skops_is_imported_with_models_only_and_dask_with_clusters_only(folder, tmp_path):
    """One command after the other in one process, and what is imported by then."""
    undecided = ("fit", "--cv", "2", "--separation-time", "0", "--no-yardsticks")
    asked = (undecided, ("fit", "--cv", "2"), ("fit", "--stream"), ("bench", "--cv", "2"), ("certify",))
    calls = [[name, str(folder / "two.csv"), "-t", "species", *options] for name, *options in asked]
    calls += [["predict", str(folder / "iris.nvk"), str(folder / "iris.csv"), "-o", str(tmp_path / "predicted.csv")]]
    code = f"import sys\nfrom typer.testing import CliRunner\nfrom novikoff.cli import app\nfor call in {calls}:\n"
    code += " done = CliRunner().invoke(app, call)\n"
    code += f" print(repr((done.exit_code, [m for m in {[*LARGE, 'novikoff.proofs.certify']} if m in sys.modules])))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *without, last = map(literal_eval, ran.stdout.splitlines())
    assert [code for code, _ in (*without, last)] == [0] * len(calls)
    assert ["novikoff.proofs.certify" in packages for _, packages in without] == [False, True, True, True, True]
    for _, packages in without:
        assert "sklearn" in packages
        assert not set(packages) & {"dask", "distributed", "skops"}
    assert "skops" in last[1]
    assert not set(last[1]) & {"dask", "distributed"}


@pytest.mark.parametrize("entry", LEARNERS, ids=lambda entry: entry.short_name)
def test_the_parameters_of_a_learner_are_known_without_importing_it(entry):
    assert parameter_names(entry.module, entry.name) == sorted(load_class(entry.module, entry.name)().get_params())


BROKEN = ("", "a,y\n", "a,y\n1,u\n2\n", "a,a\n1,2\n", "\0\1\2", ",".join(map(str, range(10**6))))


@pytest.mark.parametrize("content", BROKEN, ids=lambda content: repr(content[:10]))
def test_broken_files_fail_from_a_shell(tmp_path, content):
    path = tmp_path / "data.csv"
    path.write_text(content)
    found = shell("fit", path, "--target", "y", "-o", tmp_path / "model.nvk")
    assert found.returncode == 2
    assert found.stderr.startswith("novikoff: ")
    assert found.stderr.count("\n") == 1
    assert os.listdir(tmp_path) == ["data.csv"]


def test_the_process_ends_without_taking_the_interpreter_down(folder):
    """What was registered to be done at the end is done and all is written, but no object of a module is deleted."""
    code = f"""
import atexit, sys
sys.argv = ['novikoff', 'fit', {str(folder / "iris.csv")!r}, '-t', 'nothing']
from novikoff.cli import main
class Thread:
    def __del__(self): print('too late')
thread = Thread()
try: main()
finally:
    atexit.register(print, 'in time')
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (2, "in time\n")
    assert found.stderr.startswith("novikoff: ")


def test_debug_shows_the_traceback_and_usage_errors_have_their_code(folder):
    found = shell("fit", folder / "iris.csv", "--debug", "-t", "nothing")
    assert "Traceback" in found.stderr
    assert shell("fit").returncode == 2
    assert shell("fit", folder / "iris.csv", "--no-such-option").returncode == 2
    assert shell("nothing").returncode == 2


def test_malformed_model_files_have_their_code(folder, tmp_path):
    path = tmp_path / "model.nvk"
    path.write_bytes(b"junk")
    assert "not a model file" in failed("predict", path, folder / "iris.csv", code=3)


def test_a_reader_who_has_enough_is_no_error(folder, tmp_path, iris):
    path = tmp_path / "large.csv"
    pd.concat([iris] * 300).to_csv(path, index=False)
    command = f"{sys.executable} -m novikoff predict {folder / 'iris.nvk'} {path} | head -2"
    found = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert found.stdout.splitlines() == ["prediction", "setosa"]
    assert found.stderr == ""


SLOW = ("--model", "perceptron", "--set", "tol=none", "--set", "max_iter=1500", "--test-size", "0.5")


@pytest.fixture(scope="session")
def slow(tmp_path_factory):
    """A file that takes thousands of passes, and beside it the model that they end in."""
    folder = tmp_path_factory.mktemp("slow")
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X.iloc[:, :10].assign(y=y).to_csv(folder / "cancer.csv", index=False)
    done("fit", folder / "cancer.csv", "-t", "y", *SLOW, "-o", folder / "cancer.nvk")
    return folder / "cancer.csv"


def started(*arguments):
    """The command in a process of its own, in which SIGINT is not ignored, as it is where tests are run with &."""
    was = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "novikoff", *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
    finally:
        signal.signal(signal.SIGINT, was)


def until(condition, process):
    """Wait until a condition holds or the process ends."""
    while process.poll() is None and not condition():
        time.sleep(0.005)


def test_killed_at_any_moment_a_fit_goes_on_to_the_same_model(slow, tmp_path):
    checkpoint, model = tmp_path / "fit.checkpoint", tmp_path / "model.nvk"
    fit = ("fit", slow, "-t", "y", *SLOW, "-o", model, "--checkpoint", checkpoint, "--checkpoint-every", 0.02)
    killed = 0
    for pause in (0.0, 0.02, 0.05):
        process, before = started(*fit), checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        until(lambda before=before: checkpoint.exists() and checkpoint.stat().st_mtime_ns > before, process)
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        killed += process.returncode == -signal.SIGKILL
        assert process.returncode in (0, -signal.SIGKILL), errors
    assert killed >= 2
    assert model.exists() != checkpoint.exists()  # a fit may be at its end before it is killed
    if checkpoint.exists():
        other = ("fit", slow, "-t", "y", "--drop", "mean radius", *SLOW, "--checkpoint", checkpoint)
        assert "other data or with other settings" in failed(*other)
    done(*fit)
    assert os.listdir(tmp_path) == ["model.nvk"]
    expected, found = load(slow.with_suffix(".nvk"))[-1], load(model)[-1]
    assert expected.n_iter_ > 100
    for name, value in vars(expected).items():
        if name == "_resume":
            assert all(np.array_equal(getattr(found._resume, part), kept) for part, kept in vars(value).items())
        elif name != "certificate_":
            assert np.array_equal(getattr(found, name), value), name


@pytest.fixture(scope="session")
def large(tmp_path_factory, iris):
    """A file whose predictions take a while."""
    folder = tmp_path_factory.mktemp("large")
    pd.concat([iris] * 1500).to_csv(folder / "large.csv", index=False)
    return folder / "large.csv"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted_outputs_are_never_half_written(folder, tmp_path, number, large):
    path, out = tmp_path / "large.csv", tmp_path / "out.csv"
    path.hardlink_to(large)
    for _ in range(10):  # on a busy machine all may be written by the time that it is interrupted
        out.write_text("before")
        process = started("predict", folder / "iris.nvk", path, "-o", out)
        until(lambda: any(tmp_path.glob(".out.csv.*.part")), process)
        process.send_signal(number)
        _, errors = process.communicate()
        if out.read_text() == "before":
            break
        assert len(out.read_text().splitlines()) == len(large.read_text().splitlines())
    assert out.read_text() == "before"
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert errors.decode().startswith("novikoff: interrupted")
        assert sorted(os.listdir(tmp_path)) == ["large.csv", "out.csv"]
    done("predict", folder / "iris.nvk", path, "-o", out)
    assert sorted(os.listdir(tmp_path)) == ["large.csv", "out.csv"]


@pytest.mark.parametrize("place", ["options.check_outputs", "app.app"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_a_library_makes_of_an_interruption_is_an_interruption(folder, number, place):
    """Compiled code and imports that a signal cuts short may raise an error of their own."""
    code = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from novikoff.cli import options, predict_command
app = sys.modules["novikoff.cli.app"]
def cut_short(*_, **__):
    try:
        os.kill(os.getpid(), {int(number)})
        sum(range(1000))
    except KeyboardInterrupt:
        raise SystemError("returned a result with an exception set") from None
{place} = cut_short
sys.argv = ["novikoff", "predict", "{folder / "iris.nvk"}", "{folder / "iris.csv"}"]
app.main()
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (130, "novikoff: interrupted; no file was left half-written.\n")


def test_a_report_escapes_what_it_shows(tmp_path):
    path, report = tmp_path / "data.csv", tmp_path / "report.html"
    path.write_text("<b>x</b>,y\n" + "".join(f"{i},{'<script>' if i < 15 else 'no'}\n" for i in range(30)))
    done("fit", path, "-t", "y", "--report", report, "--model", "perceptron")
    page = report.read_text(encoding="utf-8")
    assert "<script>" not in page
    assert "<b>x</b>" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize(
    ("settings", "stopped_by", "words"),
    [
        (["max_iter=2"], "limit", "the limit of passes was reached"),
        (["max_iter=400"], "stalled", "passes had ceased to help"),
        (["max_iter=400", "early_stopping=true"], "early", "early stopping ended the run"),
    ],
)
def test_a_report_says_what_stopped_the_run(tmp_path, settings, stopped_by, words):
    random = np.random.default_rng(0)
    X, y = random.normal(size=(600, 4)), random.integers(0, 2, 600)
    path, report = tmp_path / "data.csv", tmp_path / "report.html"
    pd.DataFrame(X, columns=list("abcd")).assign(y=y).to_csv(path, index=False)
    options = [part for setting in settings for part in ("--set", setting)]
    options += ["--test-size", 0.5, "--report", report, "--json"]
    told = json.loads(done("fit", path, "-t", "y", "--model", "perceptron", *options))
    assert [problem["stopped_by"] for problem in told["learned"]["problems"]] == [stopped_by]
    sentences = set(re.findall("stopped: ([^<]*)[.]<", report.read_text(encoding="utf-8")))
    assert sentences == {words}


def test_real_files(real_data, tmp_path):
    """Files as they come: missing values, no header, stray quotes, compressed."""
    told = json.loads(done("fit", real_data / "penguins.csv.gz", "-t", "species", "--missing", "drop", "--json"))
    assert told["data"]["rows"] == 333
    assert told["quality"]["accuracy"] > 0.98
    told = json.loads(done("fit", real_data / "sms_spam_collection.tsv.gz", "--no-header", "-t", "1", "--json"))
    assert told["data"]["rows"] == 5574
    assert told["quality"]["accuracy"] > 0.98
    assert "quasi-separable" in done("certify", real_data / "silvapulle1981.csv", "-t", "y")
    with gzip.open(real_data / "heart_scale.libsvm.gz") as file:
        (tmp_path / "heart.txt").write_bytes(file.read())
    done("certify", tmp_path / "heart.txt", "-o", tmp_path / "proof.json")
    assert "accepted: inseparable" in done("check", tmp_path / "proof.json", real_data / "heart_scale.libsvm.gz")
