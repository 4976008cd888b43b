"""What ``novikoff fit`` decides: do the classes separate, which model, how good; how it is told and remembered."""

import json
import re
from dataclasses import replace
from string import Formatter

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.datasets import make_moons
from sklearn.metrics.pairwise import rbf_kernel
from typer.testing import CliRunner

from novikoff import certify, datasets, load
from novikoff.cli import app, options
from novikoff.cli.usage import language_of
from novikoff.data.open_files import ColumnOptions, Reading
from novikoff.language.translate import LANGUAGES, speak, translated
from novikoff.proofs.proof_json import with_seal
from novikoff.workflow import decision, model_choice
from novikoff.workflow.curve_look import FOLDS, CurveLook, curve_look, kernel_residuals, plane_residuals, told_classes
from novikoff.workflow.fit_request import FitRequest
from novikoff.workflow.measures import HeldOutRows, describe_tested
from novikoff.workflow.model_choice import PLANES, Candidate, Choice, Trial, candidates_of, choose
from novikoff.workflow.remembered import kept_reading, remembered_reading
from novikoff.workflow.sentences import reason_of
from novikoff.workflow.sigmoids import Sigmoids, class_margins, cross_calibrated, fit_calibration
from novikoff.workflow.wording import TEXTS, word
from novikoff.workflow.yardsticks import Yardsticks

QUICK = ("--no-yardsticks", "--separation-time", 0)


def done(*arguments, code=0):
    found = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert found.exit_code == code, found.stderr
    return found.stdout


def told(*arguments):
    return json.loads(done(*arguments, "--json"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Blobs with a name for each row, moons that no plane tells apart, and a model of the former."""
    folder, random = tmp_path_factory.mktemp("decisions"), np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 30)
    X = random.normal(size=(90, 2)) + 2.2 * np.array([[0, 0], [1, 2], [2, 0]])[y]
    names = [f"row-{k}" for k in range(90)]
    pd.DataFrame(X.round(3), columns=["a", "b"]).assign(hue=np.where(X[:, 0] > 1, "red", "blue"), id=names).assign(
        kind=np.array(["u", "v", "w"])[y]
    ).to_csv(folder / "blobs.csv", index=False)
    X, y = make_moons(300, noise=0.12, random_state=0)
    pd.DataFrame(X.round(4), columns=["a", "b"]).assign(y=y).to_csv(folder / "moons.csv", index=False)
    done("fit", folder / "blobs.csv", "-t", "kind", "-o", folder / "blobs.nvk", "--model", "pa", *QUICK)
    return folder


TABLES = {
    "separable": "x,y\n-1.1,a\n-0.1,a\n0.1,b\n1.1,b\n",
    "quasi-separable": "x,y\n-1,a\n0,a\n0,b\n1,b\n",
    "inseparable": "x,y\n-1,a\n0,b\n0,a\n1,a\n0.5,b\n",
}


@pytest.mark.parametrize("verdict", TABLES)
@pytest.mark.parametrize("stream", [False, True])
def test_fit_decides_whether_the_classes_separate(tmp_path, verdict, stream):
    path = tmp_path / "data.csv"
    path.write_text("x,y\n" + 8 * TABLES[verdict].partition("\n")[2])
    result = told("fit", path, "-t", "y", "--model", "pa", "--no-yardsticks", *(["--stream"] if stream else []))
    assert result["separation"]["verdict"] == verdict
    assert result["separation"]["command"] is None
    if verdict == "separable":
        low, high = result["separation"]["questions"][0]["margin"]
        assert 0.0999 < low <= 0.1 <= high < 0.1001  # the margin of the file's rows, not of scaled ones


def test_what_is_open_is_said_with_the_command_that_decides():
    X, y = np.random.default_rng(0).normal(size=(50, 3)), np.arange(50) % 3
    answers = decision.decide(X, y, True, seconds=0.0)
    assert [answer.verdict for answer in answers] == ["unknown"] * 3
    assert decision.SeparationDecision(answers, 50, 0.0).verdict == "unknown"
    request = FitRequest("a b.csv", "y", Reading(header=False), ColumnOptions(drop=("c",)))
    command = decision.deciding_command(request, {"a": "number"})
    assert command == "novikoff certify 'a b.csv' --target y --drop c --no-header"
    assert decision.deciding_command(request, {"t": "text"}).endswith("--no-header --separation-time 600")


def test_a_part_of_the_rows_proves_only_that_there_is_no_plane(monkeypatch):
    X = np.arange(40.0)[:, None]
    apart, mixed = (X[:, 0] > 20).astype(int), (X[:, 0] % 2).astype(int)
    assert decision.decide(X, apart, True, 5)[0].verdict == "separable"
    assert decision.decide(X, apart, False, 5)[0].verdict == "unknown"
    assert decision.decide(X, mixed, False, 5)[0].verdict == "inseparable"
    monkeypatch.setattr(decision, "FEW_ROWS", 10)
    monkeypatch.setattr("novikoff.proofs.quasi.NUMBERS", 40)
    asked = []
    monkeypatch.setattr("novikoff.proofs.certify.certify", lambda X, y, **_: asked.append(len(y)) or certify(X, y))
    assert decision.decide(X, mixed, True, 5)[0].verdict == "inseparable"
    assert asked == [10]  # few rows are enough for that
    assert decision.decide(X, apart, True, 5)[0].verdict == "separable"
    assert asked == [10, 10, 40]


def test_a_curve_is_taken_where_it_helps_and_advised_where_a_plane_is_asked_for(folder):
    chosen = told("fit", folder / "moons.csv", "-t", "y", *QUICK)
    assert chosen["model"]["name"] == "kernel"
    look = chosen["choice"]["look"]
    assert look["curve"] > look["plane"] + 0.05
    assert f"{look['curve']:.4f} with curves, {look['plane']:.4f} with planes" in chosen["model"]["reason"]
    text = " ".join(done("fit", folder / "moons.csv", "-t", "y", "--model", "pa", "--separation-time", 0).split())
    assert re.search(r"A curved model does better here, by \d+\.\d points: try --model kernel\.", text)
    assert "the most frequent class 0.5000" in text
    assert "linear: LogisticRegression 0.8" in text
    straight = told("fit", folder / "blobs.csv", "-t", "kind", *QUICK)
    assert straight["model"]["name"] == "pa"


def test_the_first_candidate_stays_where_none_is_clearly_better():
    right = np.ones(100)
    one, five = right.copy(), right.copy()
    one[0], five[:5] = 0, 0
    names = [Candidate("pa"), Candidate("averaged"), Candidate("kernel")]
    assert model_choice.clearly_best(names, [one, right, right]) == 0
    assert model_choice.clearly_best(names, [five, right, one]) == 1
    assert model_choice.clearly_best(names, [five, five, right]) == 2
    many = np.ones(2000)
    many[:10] = 0
    assert model_choice.clearly_best(names, [many, many, np.ones(2000)]) == 0  # half a point is not worth a curve


def test_balanced_weights_count_every_class_the_same(folder):
    worth = model_choice.row_worth(np.array([0, 0, 0, 1]), balanced=True)
    assert worth.tolist() == [2 / 3, 2 / 3, 2 / 3, 2]
    random = np.random.default_rng(0)
    x = np.concatenate([random.normal(size=200), random.normal(1, size=20)])
    pd.DataFrame({"x": x.round(3), "y": np.repeat([0, 1], [200, 20])}).to_csv(folder / "few.csv", index=False)
    plain, weighted = (
        told("fit", folder / "few.csv", "-t", "y", "--model", "averaged", *QUICK, *extra)["quality"]
        for extra in ((), ("--class-weight", "balanced"))
    )
    assert weighted["classes"][1]["recall"] > plain["classes"][1]["recall"]


def test_tune_searches_more_and_refit_learns_from_all_rows(folder):
    tuned = told("fit", folder / "moons.csv", "-t", "y", "--model", "averaged", "--tune", "--cv", 2, *QUICK)
    assert [trial["candidate"]["settings"]["max_iter"] for trial in tuned["choice"]["trials"]] == [3, 10, 30]
    out = folder / "refit.nvk"
    fit = ("fit", folder / "moons.csv", "-t", "y", "--model", "perceptron", "--set", "max_iter=3", *QUICK)
    done(*fit, "--test-size", 0.5, "-o", out)
    assert load(out)[-1].update_counts_.shape[-1] == 150
    again = told(*fit, "--test-size", 0.5, "--refit", "-o", out)
    assert load(out)[-1].update_counts_.shape[-1] == 300
    assert again["quality"]["rows"] == 150
    assert "refit" in again["seconds"]


@pytest.mark.parametrize("classes", [2, 3])
def test_measures_are_those_of_scikit_learn(classes):
    random = np.random.default_rng(1)
    y = random.integers(0, classes, 200)
    scores = random.normal(size=(200, classes)) + 1.5 * np.eye(classes)[y]
    flat = scores[:, 1] - scores[:, 0] if classes == 2 else scores
    predicted, folds = scores.argmax(axis=1), np.arange(200) % 5
    tested = HeldOutRows(np.arange(classes), y, predicted, flat, folds)
    found = describe_tested("", tested).measurement
    assert found.accuracy == pytest.approx(metrics.accuracy_score(y, predicted))
    assert found.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(y, predicted))
    assert found.f1 == pytest.approx(metrics.f1_score(y, predicted, average="macro"))
    per_fold = [metrics.accuracy_score(y[folds == k], predicted[folds == k]) for k in range(5)]
    assert found.standard_error == pytest.approx(np.std(per_fold, ddof=1) / np.sqrt(5))
    precision, recall, f1, rows = metrics.precision_recall_fscore_support(y, predicted)
    for k, line in enumerate(found.classes):
        values = (line.precision, line.recall, line.f1, line.rows)
        assert values == pytest.approx((precision[k], recall[k], f1[k], rows[k]))
    if classes == 2:
        areas = [metrics.roc_auc_score(y[folds == k], flat[folds == k]) for k in range(5)]
        assert found.roc_auc == pytest.approx(np.mean(areas))
    p = cross_calibrated(flat, y, folds)
    assert found.log_loss == pytest.approx(metrics.log_loss(y, p))
    assert found.log_loss < np.log(classes)


def test_probabilities_rise_with_the_score_and_sum_to_one():
    from sklearn.calibration import _SigmoidCalibration

    random = np.random.default_rng(0)
    scores = random.normal(size=400)
    y = (scores + random.normal(size=400) > 0).astype(int)
    found = fit_calibration(scores, y)
    theirs = _SigmoidCalibration().fit(scores, y)
    assert found.probabilities(scores)[:, 1] == pytest.approx(theirs.predict(scores), abs=1e-3)
    three = random.normal(size=(50, 3))
    p = fit_calibration(three, three.argmax(axis=1)).probabilities(three)
    assert p.sum(axis=1) == pytest.approx(np.ones(50))
    assert (p.argmax(axis=1) == three.argmax(axis=1)).mean() > 0.9
    assert class_margins(np.array([[2.0, 2.0, 0.0]])).tolist() == [[0.0, 0.0, -2.0]]
    constant = fit_calibration(np.zeros(20), np.arange(20) % 2)
    assert constant.probabilities(np.zeros(1))[0, 1] == pytest.approx(0.5, abs=0.05)


def test_predict_gives_probabilities_json_and_columns_carried_through(folder):
    model, data = folder / "blobs.nvk", folder / "blobs.csv"
    lines = [
        json.loads(line)
        for line in done("predict", model, data, "--probabilities", "--json", "--keep", "id,hue").splitlines()
    ]
    assert list(lines[0]) == ["id", "hue", "prediction", "probability u", "probability v", "probability w"]
    assert [line["id"] for line in lines] == [f"row-{k}" for k in range(90)]
    assert sum(lines[5][f"probability {name}"] for name in "uvw") == pytest.approx(1)
    rows = done("predict", model, data, "--keep", "id", "--scores", "--probabilities").splitlines()
    assert rows[0] == "id,prediction,score u,score v,score w,probability u,probability v,probability w"
    kept = Sigmoids(**told("inspect", model)["about"]["calibration"])
    cells = np.array([row.split(",")[2:] for row in rows[1:]], dtype=float)
    assert cells[:, 3:] == pytest.approx(kept.probabilities(cells[:, :3]))


def test_equal_runs_write_equal_files(folder):
    for name in ("once.nvk", "twice.nvk"):
        done("fit", folder / "blobs.csv", "-t", "kind", "-o", folder / name, "--no-yardsticks")
    assert (folder / "once.nvk").read_bytes() == (folder / "twice.nvk").read_bytes()


def test_inspect_shows_everything_in_models_and_proofs(folder):
    shown = done("inspect", folder / "blobs.nvk")
    for words in (
        "novikoff model",
        "target: kind",
        "a: number",
        "hue: category",
        "slopes",
        "max_iter: 5",
        "accuracy: 0",
    ):
        assert words in shown
    proof = folder / "moons.json"
    done("certify", folder / "moons.csv", "-t", "y", "-o", proof)
    (claim,) = told("inspect", proof)["proofs"]
    assert claim == json.loads(proof.read_text())
    assert "verdict: inseparable" in done("inspect", proof)
    (folder / "junk.json").write_text("{}")
    found = CliRunner().invoke(app, ["inspect", str(folder / "junk.json")])
    assert (found.exit_code, found.stderr.count("\n")) == (2, 1)


def test_a_model_remembers_how_its_file_was_read(folder):
    data = folder / "bare.txt"
    data.write_text("".join(f"{i};{i % 7};{'no' if i < 20 else 'yes'};?\n" for i in range(40)))
    fit = ("fit", data, "-t", "3", "--no-header", "--na", "?", "--model", "pa", "-o", folder / "bare.nvk", *QUICK)
    done(*fit)
    assert told("inspect", folder / "bare.nvk")["about"]["reading"] == {"header": False, "missing": ["?"]}
    assert len(done("predict", folder / "bare.nvk", data).splitlines()) == 41
    kept = kept_reading(Reading(delimiter=";", header=False))
    assert remembered_reading({"reading": kept}) == Reading(delimiter=";", header=False)
    assert remembered_reading({"reading": kept}, delimiter=",") == Reading(delimiter=",", header=False)
    assert remembered_reading({}) == Reading()


def test_a_proof_remembers_its_columns(folder):
    data, proof = folder / "blobs.csv", folder / "proof.json"
    done("certify", data, "-t", "kind", "--drop", "id", "-o", proof)
    assert done("check", proof, data).count("accepted") == 3
    frame = pd.read_csv(data).assign(size=np.arange(90) % 3)
    frame.to_csv(folder / "sizes.csv", index=False)
    done("certify", folder / "sizes.csv", "-t", "kind", "--drop", "id", "--categorical", "size", "-o", proof)
    assert done("check", proof, folder / "sizes.csv").count("accepted") == 3
    unread = [
        with_seal({k: v for k, v in claim.items() if k not in ("seal", "reading")})
        for claim in json.loads(proof.read_text())
    ]
    proof.write_text(json.dumps(unread))  # as Python writes it
    assert done("check", proof, folder / "sizes.csv").startswith("read as the proof says: --target kind --categorical ")
    frame.rename(columns={"a": "other"}).to_csv(folder / "sizes.csv", index=False)
    found = CliRunner().invoke(app, ["check", str(proof), str(folder / "sizes.csv")])
    assert found.exit_code == 2
    assert "--target" in found.stderr


def test_every_text_is_there_in_both_languages_with_the_same_gaps():
    def gaps(text):
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

    for key, texts in TEXTS.items():
        assert len(texts) == len(LANGUAGES)
        assert gaps(texts[0]) == gaps(texts[1]), key
    assert {key for key, (english, chinese) in TEXTS.items() if english == chinese} == {"f1"}


def test_results_reports_and_errors_of_usage_in_chinese(folder):
    report = folder / "report.html"
    text = done("fit", folder / "moons.csv", "-t", "y", "--model", "pa", "--report", report, "--lang", "zh")
    for words in ("各类能被超平面分开吗？", "不能：没有超平面能把它们分开", "准确率", "实际 ↓ 预测 →", "曲面", "用时"):
        assert words in text
    page = report.read_text(encoding="utf-8")
    assert '<html lang="zh">' in page
    for words in ("效果如何", "各类能被超平面分开吗？", "学习曲线", "曲面模型在这里更好"):
        assert words in page
    shown = CliRunner().invoke(app, ["fit", "--tarket", "x", "--lang", "zh"]).stderr
    assert "没有这个选项" in shown
    assert "Do the classes separate?" in done(
        "fit", folder / "moons.csv", "-t", "y", "--model", "pa", "--no-yardsticks"
    )
    assert language_of(["fit", "--lang=zh"]) == "zh"
    assert language_of(["fit", "--lang", "fr"]) == "en"
    speak("zh")
    try:
        assert translated("Missing argument 'DATA'") == "缺少参数 'DATA'"
        assert translated("something else") == "something else"
    finally:
        speak("en")
    assert word("rows", n=2) == "2 rows"


def test_the_report_tells_the_decision_the_yardsticks_and_whole_bounds(folder):
    report = folder / "report.html"
    done("fit", folder / "blobs.csv", "-t", "kind", "--model", "perceptron", "--report", report)
    page = report.read_text(encoding="utf-8")
    for words in (
        "Do the classes separate?",
        "actual ↓ predicted →",
        "LogisticRegression",
        "precision",
        "Learning curve",
    ):
        assert words in page
    assert not re.search(r"at most [\d,]*\.\d", page)


def test_yardsticks_stop_when_their_time_is_up():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(200, 3)), np.arange(200) % 2
    yardsticks = Yardsticks(np.array([0, 1]), seconds=0.0, folds=3)
    for _ in range(3):
        yardsticks.lay_on((X, y), (X, y))
    assert [(each.kind, each.folds) for each in yardsticks.found()] == [("majority", 3), ("linear", 1), ("curved", 1)]


def test_progress_is_plain_lines_where_there_is_no_terminal(capsys, monkeypatch):
    clock = iter([0.0, 0.5, 1.5, 1.9, 3.0])
    monkeypatch.setattr(options.time, "monotonic", lambda: next(clock))
    lines = options.PlainLines()
    for text in ("a", "b", "c", "d"):
        lines.say(text)
    assert capsys.readouterr().err == "novikoff: b\nnovikoff: d\n"
    heard = []
    clock = iter([0.0, 2.0, 4.0])
    monkeypatch.setattr(model_choice.time, "monotonic", lambda: next(clock))
    left = model_choice.TimeLeft(4, heard.append, "Comparing models")
    left.step()
    left.step()
    assert heard[-1] == "Comparing models: 2 of 4, about 4 s left"
    clock = iter([0.0, 0.1])
    model_choice.TimeLeft(4, heard.append, "Comparing models").step()
    assert "about 0 s" not in heard[-1]


def test_the_look_for_a_curve_is_least_squares_with_each_row_held_out():
    X, y = make_moons(40, noise=0.3, random_state=0)
    kernel = rbf_kernel(X, gamma=1 / (2 * X.var())) + 1
    taken = [
        int(kernel[i, rest] @ np.linalg.solve(kernel[np.ix_(rest, rest)] + 0.1 * np.eye(39), 2.0 * y[rest] - 1) > 0)
        for i in range(40)
        for rest in [np.delete(np.arange(40), i)]
    ]
    assert told_classes(kernel_residuals(kernel, 0.1), y).tolist() == taken
    look = curve_look(X, y, np.ones(40), 0.01)
    assert (look.curve, look.rows) == (np.mean(taken == y), 40)
    Z = np.column_stack([X, np.ones(40)])
    np.testing.assert_allclose(plane_residuals(X), kernel_residuals(Z @ Z.T, 1.0), atol=1e-12)


def test_of_several_classes_a_part_of_each_is_held_out_and_told_by_a_fit_on_the_others():
    random = np.random.default_rng(1)
    X, y = random.normal(size=(60, 2)), random.integers(0, 5, 60)
    Z, targets, taken = np.column_stack([X, np.ones(60)]), np.where(y[:, None] == np.arange(5), 1.0, -1.0), y.copy()
    for k in range(FOLDS):
        held_out = np.argsort(y, kind="stable")[k::FOLDS]
        rest = np.setdiff1d(np.arange(60), held_out)
        scores = Z @ np.linalg.solve(Z[rest].T @ Z[rest] + np.eye(3), Z[rest].T @ targets[rest])
        means = np.array([scores[rest][y[rest] == c].mean(axis=0) for c in range(5)])
        within = scores[rest] - means[y[rest]]
        spread = within.T @ within / len(rest)
        scale = np.linalg.inv(spread + 1e-3 * np.trace(spread) / 5 * np.eye(5))
        away = np.array([[(s - m) @ scale @ (s - m) for m in means] for s in scores[held_out]])
        taken[held_out] = away.argmin(axis=1)
    assert told_classes(plane_residuals(X), y).tolist() == taken.tolist()


def test_the_look_is_not_deceived_by_many_classes_in_few_columns():
    """Without a row, the scores of its own class are lower, which tells nothing of rows to come."""
    random = np.random.default_rng(0)
    X, drawn = random.normal(size=(150, 2)), random.integers(0, 10, 150)
    look = curve_look(X, drawn, np.ones(150), 0.01)
    assert max(look.plane, look.curve) < 0.25
    assert not look.helps
    alone = curve_look(X[:20], np.arange(20), np.ones(20), 0.01)
    assert (alone.plane, alone.curve) == (0, 0)
    angles, rings = random.uniform(0, 2 * np.pi, 150), np.arange(150) % 6
    X = (1 + rings[:, None]) * np.column_stack([np.cos(angles), np.sin(angles)])
    assert curve_look(X / X.std(), rings, np.ones(150), 0.01).sure


def test_the_look_is_not_deceived_by_a_class_between_two_others():
    y = np.repeat([0, 1, 2], 20)
    X = (y + np.random.default_rng(0).normal(scale=0.1, size=60))[:, None]
    X = (X - X.mean()) / X.std()
    R, targets = plane_residuals(X), np.where(y[:, None] == np.arange(3), 1.0, -1.0)
    assert np.mean((targets - R @ targets).argmax(axis=1) == y) < 0.8
    assert np.mean(told_classes(R, y) == y) == 1.0
    assert not curve_look(X, y, np.ones(60), 0.01).helps


def test_a_curve_that_the_look_is_sure_of_needs_no_trial():
    X = np.random.default_rng(0).normal(size=(6000, 2))
    y = np.where((X**2).sum(axis=1) < 1.4, "inner", "outer")
    some = choose(candidates_of(None, False, X[:300]), X[:300], y[:300])
    assert (some.best.name, some.trials) == ("kernel", [])
    assert reason_of(some).endswith("rows held out once")
    choice = choose(candidates_of(None, False, X), X, y)
    assert choice.look.sure
    assert choice.best.name == "kernel"
    assert {trial.candidate.name for trial in choice.trials} == {"pa", "averaged"}
    for each in (some, choice):
        assert reason_of(each).startswith("a curve helps: least squares reach")
    X_few, y_few = make_moons(95, noise=0.25, random_state=1)
    doubtful = choose(candidates_of(None, False, X_few), X_few, y_few)
    assert doubtful.look.helps
    assert not doubtful.look.sure
    plane, curve = doubtful.trials
    assert curve.accuracy > plane.accuracy + 0.05
    assert f"{curve.accuracy:.4f} in 3 folds of 95 rows" in reason_of(doubtful)
    few = choose(candidates_of(None, False, X[:30]), X[:30], y[:30])
    assert few.look.helps == few.look.sure


def test_the_look_decides_between_a_plane_and_a_curve(folder, tmp_path):
    X = np.random.default_rng(0).normal(size=(200, 3))
    pd.DataFrame(X.round(3)).assign(y=np.where(X.sum(axis=1) > 0.2, "u", "v")).to_csv(tmp_path / "a.csv", index=False)
    curved, straight = (told("fit", file, "-t", "y", *QUICK) for file in (folder / "moons.csv", tmp_path / "a.csv"))
    assert curved["choice"]["look"]["helps"]
    assert curved["model"]["name"] == "kernel"
    assert not curved["choice"]["trials"]
    assert not straight["choice"]["look"]["helps"]
    assert not straight["choice"]["trials"]
    assert "as a curve does not clearly help" in straight["model"]["reason"]


def test_a_curve_is_not_tried_where_planes_do_as_well_as_the_look():
    rows, look = np.array([1.0, 1.0, 1.0, 0.0]), CurveLook(0.5, 0.75, 4, helps=True, sure=False)
    assert model_choice.beaten(look, [rows])
    assert not model_choice.beaten(replace(look, curve=0.8), [rows])
    choice = Choice(Candidate("pa"), [Trial(Candidate("pa"), 0.75)], 4, 2, look)
    assert "none clearly better: curves by least squares 0.7500" in reason_of(choice)


def test_nothing_is_compared_with_a_model_that_makes_no_error():
    X = np.linspace(-1, 1, 6000)[:, None]
    trials = choose(list(PLANES), X, (X[:, 0] > 0.01).astype(int)).trials
    assert [str(trial.candidate) for trial in trials] == ["pa (C=0.1, max_iter=10)"]


def test_kernels_have_a_learning_curve(folder):
    report = folder / "kernel.html"
    curve = told("fit", folder / "moons.csv", "-t", "y", "--model", "kernel", "--report", report, *QUICK)["learned"]
    assert len(curve["mistakes_by_pass"]) == curve["passes"] > 1
    assert "Learning curve" in report.read_text(encoding="utf-8")


def test_a_class_of_one_row_does_not_stop_the_choice():
    X, y = np.arange(20.0)[:, None], np.array([0] * 10 + [1] * 9 + [2])
    assert choose([Candidate("pa"), Candidate("averaged")], X, y).rows == 20


def test_it_is_said_of_which_numbers_the_classes_separate(tmp_path):
    """(0.15, 0.15) lies half-way between the others as written, and not as float64."""
    (tmp_path / "mid.csv").write_text("x,y,label\n0.1,0.2,a\n0.15,0.15,b\n0.2,0.1,a\n", encoding="utf-8")
    told = done("fit", tmp_path / "mid.csv", "--target", "label", "--no-yardsticks")
    assert "Yes, a plane separates them." in told
    assert "Proved of 3 rows, with their numbers as float64" in " ".join(told.split())
    assert "inseparable" in done("certify", tmp_path / "mid.csv", "--target", "label")


def test_values_that_were_filled_in_are_counted_where_something_is_proved_of_them(tmp_path):
    (tmp_path / "gap.csv").write_text("x,y\n1,a\n2,a\n3,b\n4,b\n,a\n5,b\n", encoding="utf-8")
    given = "fit", tmp_path / "gap.csv", "--target", "y", "--no-yardsticks"
    told = " ".join(done(*given, "--missing", "impute").split())
    assert "of 6 rows, with their numbers as float64 and missing values filled in in 1 of them" in told
    assert "filled in" not in done(*given, "--missing", "drop")
    assert json.loads(done(*given, "--missing", "impute", "--json"))["separation"]["filled"] == 1


@pytest.mark.parametrize("name", ["pa", "arow", "scw", "perceptron"])
def test_what_is_bounded_stands_beside_its_bound(tmp_path, name):
    """Of rules with steps of any length it is the mistakes, and there may be more updates."""
    X, y = datasets.planted_margin(80, 2, 0.15, random_state=1)
    pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y}).to_csv(tmp_path / "planted.csv", index=False)
    given = "fit", tmp_path / "planted.csv", "--target", "y", "--model", name, *QUICK
    (problem,) = json.loads(done(*given, "--json"))["learned"]["problems"]
    assert (problem["mistakes"] is None) == (name == "perceptron")
    assert (problem["updates"] if name == "perceptron" else problem["mistakes"]) <= problem["mistake_bound"]
    told = done(*given, "--report", tmp_path / "report.html")
    assert ("mistakes  at most" in told) == (name != "perceptron")
    assert "inf" not in told.split("Weightiest")[0]
    caption = "Updates made" if name == "perceptron" else "Mistakes made on the way"
    assert caption in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_columns_that_are_kept_have_names_of_their_own(tmp_path):
    (tmp_path / "t.csv").write_text("x,prediction,y\n1,7,a\n2,8,b\n3,9,b\n", encoding="utf-8")
    done("fit", tmp_path / "t.csv", "--target", "y", "--model", "perceptron", *QUICK, "-o", tmp_path / "m.nvk")
    given = "predict", tmp_path / "m.nvk", tmp_path / "t.csv", "--keep"
    refused = CliRunner().invoke(app, [*map(str, given), "prediction"])
    assert refused.exit_code == 2
    assert "--keep prediction: the predictions have a column of that name" in " ".join(refused.stderr.split())
    assert done(*given, "x").splitlines()[0] == "x,prediction"
