"""The lab's answers: true of the learners, bounded, and careful with what is asked."""

import asyncio
import base64
import contextlib
import gzip
import hashlib
import json
import re
import socket
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection
from importlib import resources
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from novikoff import SlackEmbedding, fewest_errors, registry
from novikoff.lab import fewest_errors_view, playback, presets, truth_table
from novikoff.lab.bundle import bundle
from novikoff.lab.controls import LEARNERS, Refusal, lab_learners
from novikoff.lab.experiment import STEPS, run
from novikoff.lab.lanes import Busy, Dropped, Lane, Ticket
from novikoff.lab.link import Link, read_link
from novikoff.lab.page_file import page_of_link, recorded_page
from novikoff.lab.pictures import FRAMES, GRID, grid_points
from novikoff.lab.request import POINTS, check_request
from novikoff.lab.server import BYTES, WARM_UP, WORK, busy_response, make_app, make_server, open_socket
from novikoff.proofs.threshold_functions import ThresholdFunction

STATIC = resources.files("novikoff.lab") / "static"
XOR = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
PLANES = [name for name, learner in LEARNERS.items() if learner.kind == "plane"]


@dataclass
class Reply:
    status_code: int
    headers: dict
    body: bytes

    def json(self):
        return json.loads(self.body)


class Client:
    """Asks a running lab, path by path as written."""

    def __init__(self, port):
        self.port = port

    def ask(self, method, path, body=None, headers=None):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            got = connection.getresponse()
            return Reply(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())
        finally:
            connection.close()

    def get(self, path, headers=None):
        return self.ask("GET", path, headers=headers)

    def post(self, path, json_=None, content=None, kind="application/json"):
        return self.ask("POST", path, json.dumps(json_) if content is None else content, {"content-type": kind})


@pytest.fixture(scope="module")
def client():
    with open_socket("127.0.0.1", 0) as found:
        server = make_server(make_app())
        thread = threading.Thread(target=server.run, kwargs={"sockets": [found]})
        thread.start()
        client = Client(found.getsockname()[1])
        client.get("/")  # the server is up
        for warming in [one for one in threading.enumerate() if one.name == WARM_UP]:
            warming.join()  # the filters of warnings are those of all threads
        yield client
        server.should_exit = True
        thread.join()


def ran(client, points, learner="perceptron", **params):
    """The answer to an experiment."""
    response = client.post("/api/run", json_={"points": points, "learner": learner, "params": params})
    assert response.status_code == 200, response.body
    return response.json()


def table(points):
    rows = np.array(points, dtype=float)
    return rows[:, :2], rows[:, 2].astype(int)


def fitted(name, params, X, y):
    """The learner itself, without the lab."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return LEARNERS[name].make(LEARNERS[name].check_params(params)).fit(X, y)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("preset", ["and", "xor", "margin", "overlap"])
def test_a_run_is_that_of_the_learner_itself(client, learner, preset):
    points = presets.points(preset)
    answer = ran(client, points, learner)
    request = check_request({"points": points, "learner": learner})
    features = request.features
    passes = {"max_iter": answer["outcome"]["passes"]} if answer["cut_by_time"] else {}  # on a busy machine
    model = fitted(learner, passes, features, request.y)
    assert answer["outcome"]["right"] == (model.predict(features) == request.y).sum()
    if request.learner.kind != "film":
        assert answer["outcome"]["status"] == model.status_
        assert answer["steps"]["made"] == model.n_updates_ == sum(answer["charts"]["mistakes"])
    if learner in ("perceptron", "margin", "voted", "pa", "xor-features", "slack"):
        last, shown = answer["steps"]["weights"][-1], model.coef_.ravel()[: 2 if learner == "slack" else None]
        assert last == pytest.approx([*shown, *model.intercept_], rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("learner", PLANES)
@pytest.mark.parametrize("preset", ["and", "or", "not", "margin", "tight", "worst", "iris"])
def test_no_step_breaks_what_is_proved_of_it(client, learner, preset):
    answer = ran(client, presets.points(preset), learner, fit_intercept=preset not in ("tight", "worst"))
    charts, (lo, hi) = answer["charts"], answer["proof"]["margin"]
    assert 0 < lo <= hi
    with_variances = learner in ("arow", "scw")  # whose run bounds its mistakes once all are right, and no margins
    assert (charts["impossible"] is None) == with_variances
    if not with_variances or answer["outcome"]["status"] == "separated":
        assert 0 < charts["counts"][-1] <= charts["bound"] * (1 + 1e-9)
    unknown = [None] * len(charts["margins"])
    for reached, impossible in zip(charts["margins"][1:], (charts["impossible"] or unknown)[1:], strict=True):
        if reached is not None:
            assert reached <= hi * (1 + 1e-6)
            assert with_variances or impossible >= lo * (1 - 1e-6)
    assert all(line["holds"] for line in answer["audit"] or [])
    assert (answer["audit"] is None) == (with_variances or learner == "pa")


def test_the_rule_is_the_one_of_the_notes(client):
    """w ← w + η·y·x, update by update."""
    steps = ran(client, presets.points("and"), eta0=0.5)["steps"]
    X, y = table(presets.points("and"))
    for before, after, [i], signed in zip(
        steps["weights"], steps["weights"][1:], steps["rows"], steps["signed"], strict=False
    ):
        move = 0.5 * (2 * y[i] - 1)
        assert signed == move
        assert after == [*(np.array(before[:2]) + move * X[i]), before[2] + move]


def test_tight_and_worst_are_what_they_say(client):
    tight = ran(client, presets.points("tight"), fit_intercept=False)
    assert tight["steps"]["made"] == 2 == round(tight["charts"]["bound"], 9)
    assert ran(client, presets.points("worst"), fit_intercept=False)["steps"]["made"] == (4**2 - 1) / 3


def test_the_two_averages_of_xor_meet_in_its_middle(client):
    proof = ran(client, XOR)["proof"]
    assert proof["verdict"] == "inseparable"
    assert proof["checked"]
    assert proof["plane"] is None
    assert proof["bound"] is None
    witness = proof["witness"]
    assert witness["rows"] == [0, 1, 2, 3]
    assert witness["written"] == ["1/2"] * 4
    assert witness["meeting"] == [0.5, 0.5]


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_a_witness_is_one_point_seen_from_both_classes(client, intercept, seed):
    points = presets.points("overlap", seed)
    witness = ran(client, points, fit_intercept=intercept)["proof"]["witness"]
    X, y = table(points)
    rows, parts = witness["rows"], np.array(witness["parts"])
    assert witness["signed"] is not intercept
    if intercept:
        for side in (0, 1):
            of_side = y[rows] == side
            assert parts[of_side].sum() == pytest.approx(1)
            assert parts[of_side] @ X[rows][of_side] == pytest.approx(witness["meeting"], abs=1e-9)
    else:
        assert parts.sum() == pytest.approx(1)
        assert (parts * (2 * y[rows] - 1)) @ X[rows] == pytest.approx([0, 0], abs=1e-9)


def test_points_that_touch_are_told_from_points_that_overlap(client):
    proof = ran(client, [[-1, 0, 0], [0, 0, 0], [0, 0, 1], [1, 0, 1]])["proof"]
    assert proof["verdict"] == "quasi-separable"
    assert proof["strict"] == [0, 3]
    assert proof["witness"]["rows"] == [1, 2]


def test_learners_answer_to_their_former_names(client):
    for former, name in {"passive-aggressive": "pa", "layers": "mlp"}.items():
        assert ran(client, XOR, former, max_iter=5) == ran(client, XOR, name, max_iter=5)
    assert client.get("/api/controls").json()["former_names"] == {"passive-aggressive": "pa", "layers": "mlp"}


def test_the_lab_offers_the_learners_of_the_registry(client, monkeypatch):
    offered = client.get("/api/controls").json()["learners"]
    assert set(offered) == {entry.short_name for entry in registry.LEARNERS} | {"xor-features", "slack"}
    assert [control["name"] for control in offered["pa"]["controls"]] == [
        *("step", "C", "order", "max_iter", "average", "fit_intercept", "random_state"),
        *("w1_init", "w2_init", "b_init"),
    ]
    assert {name: learner["audit"] for name, learner in offered.items()} == {
        **{entry.short_name: entry.audit for entry in registry.LEARNERS},
        "xor-features": "novikoff",
        "slack": "novikoff",
    }
    toy = registry.LearnerEntry("MarginPerceptron", "toy", "learners.margin", lab={"margin": 0.25})
    absent = registry.LearnerEntry("Perceptron", "absent", "learners.perceptron", lab=None)
    monkeypatch.setattr(registry, "LEARNERS", (*registry.LEARNERS, toy, absent))
    learners = lab_learners()
    assert "absent" not in learners
    assert learners["toy"].kind == "plane"
    assert learners["toy"].check_params({})["margin"] == 0.25


@pytest.mark.parametrize("kernel", ["rbf", "poly"])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_a_kernel_is_drawn_as_it_scores(client, kernel, order):
    points = presets.points("circles")
    params = {"kernel": kernel, "order": order, "gamma": 0.5}
    answer = ran(client, points, "kernel", **params)
    model = fitted("kernel", params, *table(points))
    rows = [i for [i] in answer["steps"]["rows"]]
    assert np.bincount(rows, minlength=len(points)).tolist() == model.update_counts_.tolist()
    assert answer["charts"]["margins"][-1] == pytest.approx(model.margin_, rel=1e-4)
    assert answer["charts"]["impossible"][-1] == pytest.approx(model.margin_bound_, rel=1e-4)
    assert 0 < answer["charts"]["counts"][-1] <= answer["charts"]["bound"]
    assert all(line["holds"] for line in answer["audit"])
    check_picture(answer, model, points, "kernel", params)


def check_picture(answer, model, points, learner, params):
    """The last picture has the signs of the learner's own scores."""
    frames = answer["steps"]["frames"]
    request = check_request({"points": points, "learner": learner, "params": params})
    grid = grid_points(request)
    scores = model.decision_function(request.mapping.transform(grid) if request.learner.kind == "map" else grid)
    bytes_ = np.frombuffer(base64.b64decode(frames["data"][-1]), np.int8)
    assert frames["size"] == GRID
    assert len(bytes_) == GRID**2
    clear = np.abs(scores) > 1e-9 * np.abs(scores).max()
    assert (np.sign(bytes_) == np.sign(scores))[clear].all()
    roots = np.sqrt(np.abs(scores) / np.abs(scores).max())
    assert np.abs(np.abs(bytes_) / 127 - roots).max() < 1 / 127 + 1e-9


def test_the_picture_of_xor_features(client):
    answer = ran(client, XOR, "xor-features")
    request = check_request({"points": XOR, "learner": "xor-features"})
    model = fitted("xor-features", {}, request.features, request.y)
    check_picture(answer, model, XOR, "xor-features", {})
    ended = {"status": "separated", "stopped_by": None, "passes": 2, "right": 4, "right_by_last": 4, "points": 4}
    assert answer["outcome"] == {**ended, "clean": True, "required": 0.0, "refused": False}
    assert answer["charts"]["counts"][-1] <= answer["charts"]["bound"]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("1 2 a\n3 4 b\n5 6 a", False),
        ("1,2,a\n3,4,b", False),
        ("1,,a\n3,4,b\n5,6,a", False),
        ("u,v,class\n1,2,a\n3,4,b", True),
        ("u,v,class\n1,2,1\n3,4,0", True),
        ("2001,2002,2003\n1,2,1\n3,4,0", False),
    ],
)
def test_a_first_line_is_a_header_if_it_has_words_over_numbers(client, text, header):
    answer = client.post("/api/table", json_={"text": text}).json()
    assert answer["header"] is header
    assert len(answer["lines"]) == len(text.splitlines()) - header


@pytest.mark.parametrize("learner", PLANES)
@pytest.mark.parametrize("preset", ["and", "overlap", "margin"])
def test_a_run_starts_from_the_weights_that_are_given(client, learner, preset):
    """The same as fit with coef_init and intercept_init, and what is proved of it is that of its start."""
    points, start = presets.points(preset), {"w1_init": 3.0, "w2_init": -2.0, "b_init": 1.0}
    answer = ran(client, points, learner, **start)
    X, y = table(points)
    given = {"coef_init": [3.0, -2.0], "intercept_init": [1.0]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LEARNERS[learner].make(LEARNERS[learner].check_params({})).fit(X, y, **given)
    steps, charts = answer["steps"], answer["charts"]
    assert steps["weights"][0] == [3.0, -2.0, 1.0]
    assert steps["made"] == model.n_updates_
    assert answer["outcome"]["right"] == (model.predict(X) == y).sum()
    assert "coef_init=[3.0, -2.0], intercept_init=[1.0]" in answer["code"]
    assert charts["wrong"][0] == ((X @ [3.0, -2.0] + 1 >= 0) != y).sum()
    if charts["live_wrong"]:
        assert charts["live_wrong"][-1] == len(y) - answer["outcome"]["right"]
    if charts["impossible"] and answer["proof"]["margin"]:
        assert min(v for v in charts["impossible"] if v is not None) >= answer["proof"]["margin"][0]
    if charts["bound"] is not None:
        assert charts["counts"][-1] <= charts["bound"]


def test_the_bound_of_a_start_grows_with_its_length(client):
    """(r² + 2ρ‖w₀‖/η)/ρ²; without a bias there is none to start from."""
    points = presets.points("and")
    for eta0, length in ((1.0, 0.0), (1.0, 5.0), (0.5, 5.0)):
        answer = ran(client, points, eta0=eta0, w1_init=0.6 * length, w2_init=-0.8 * length)
        r, (rho, _) = answer["proof"]["radius"], answer["proof"]["margin"]
        assert answer["charts"]["bound"] == pytest.approx((r**2 + 2 * rho * length / eta0) / rho**2, rel=1e-6)
        assert all(line["holds"] for line in answer["audit"])
    through_zero = ran(client, presets.points("tight"), fit_intercept=False, b_init=7.0)
    assert through_zero["steps"]["weights"][0] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("preset", ["xor", "overlap", "margin"])
@pytest.mark.parametrize("amplitude", [None, 0.5, 20.0])
def test_a_slack_embedding_separates_anything_within_its_bound(client, preset, amplitude):
    points = presets.points(preset)
    answer = ran(client, points, "slack", amplitude=amplitude)
    X, y = table(points)
    embedding = SlackEmbedding(amplitude=amplitude).fit(X, y)
    slack, charts = answer["slack"], answer["charts"]
    assert slack["bound"] == pytest.approx(embedding.mistake_bound_)
    assert slack["amplitude"] == pytest.approx(embedding.amplitude_)
    assert slack["bound"] >= SlackEmbedding().fit(X, y).mistake_bound_ * (1 - 1e-12)
    assert answer["outcome"]["right"] == len(points)
    assert answer["steps"]["made"] <= charts["bound"] <= slack["bound"] * (1 + 1e-6)
    assert all(line["holds"] for line in answer["audit"])
    *w, b = answer["steps"]["weights"][-1]
    assert charts["live_wrong"][-1] == ((X @ w + b >= 0) != y).sum()  # a new point has the line alone
    assert charts["wrong"][-1] == 0
    assert answer["proof"]["own"]["verdict"] == "separable"
    assert ran(client, points)["slack"] is None


def test_not_has_four_samples_as_in_the_lecture():
    X, y = table(presets.points("not4"))
    assert X.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert y.tolist() == (1 - X[:, 0]).tolist()


@pytest.mark.parametrize("learner", ["pa", "kernel"])
def test_a_long_run_is_cut_and_says_so(client, learner):
    points = [*presets.points("spirals"), *presets.points("spirals", 1)]
    answer = ran(client, points, learner, max_iter=1000)
    assert answer["steps"]["made"] > STEPS
    assert len(answer["steps"]["rows"]) == STEPS
    assert len(answer["charts"]["margins"]) == STEPS + 1
    assert answer["audit"] is None


def test_pictures_are_few(client):
    steps = ran(client, presets.points("overlap"), "kernel")["steps"]
    assert len(steps["rows"]) > FRAMES == len(steps["frames"]["data"]) == len(steps["frames"]["at"])
    assert steps["frames"]["at"][0] == 0
    assert steps["frames"]["at"][-1] == len(steps["rows"])


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_code_does_the_same(client, learner, capsys):
    answer = ran(client, XOR, learner)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        exec(answer["code"], {})
    status, score, updates, verdict = re.match(r"(\S+) (\S+)(?: (\d+))?\n(\S+):", capsys.readouterr().out).groups()
    assert float(score) == answer["outcome"]["right"] / 4
    assert verdict == answer["proof"]["verdict"]
    if learner != "mlp":
        assert status == answer["outcome"]["status"]
        assert int(updates) == answer["steps"]["made"]


@pytest.mark.parametrize("learner", ["perceptron", "margin", "xor-features"])
@pytest.mark.parametrize("preset", ["and", "iris", "overlap", "circles"])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_it_is_said_how_many_points_the_last_line_has_right_and_how_many_the_one_returned(
    client, learner, preset, order
):
    points = presets.points(preset)
    answer = ran(client, points, learner, order=order)
    outcome, request = answer["outcome"], check_request({"points": points, "learner": learner})
    model = fitted(learner, {"order": order}, request.features, request.y)
    assert outcome["right"] == (model.predict(request.features) == request.y).sum()
    assert outcome["stopped_by"] == model._stopped_by[0]
    if answer["steps"]["made"] <= STEPS:
        assert outcome["right_by_last"] == len(points) - answer["charts"]["wrong"][-1]
    if outcome["status"] == "separated":
        assert outcome["right"] == outcome["right_by_last"] == len(points)


def test_a_run_that_ceased_to_help_returns_an_earlier_line(client):
    outcome = ran(client, presets.points("overlap"), "xor-features", order="shuffled")["outcome"]
    assert outcome["stopped_by"] != "limit"
    assert outcome["right"] != outcome["right_by_last"]


@pytest.mark.parametrize(
    ("learner", "preset", "counted"), [("kernel", "spirals", "n_updates_"), ("arow", "iris", "n_mistakes_")]
)
def test_of_a_run_that_is_cut_all_updates_are_counted(client, learner, preset, counted):
    points = presets.points(preset)
    answer = ran(client, points, learner, order="active")
    model = fitted(learner, {"order": "active"}, *table(points))
    assert answer["steps"]["made"] > STEPS
    assert answer["charts"]["made"] == getattr(model, counted) >= answer["charts"]["counts"][-1]


@pytest.mark.parametrize("learner", ["pocket", "averaged", "voted"])
@pytest.mark.parametrize("preset", ["and", "xor", "overlap"])
def test_what_is_predicted_with_is_that_of_the_learner_after_as_many_updates(client, learner, preset):
    """At the last step it is what the fitted learner predicts with; the pocket never gets worse."""
    points = presets.points(preset)
    answer = ran(client, points, learner)
    live, charts = answer["steps"]["live"], answer["charts"]
    model = fitted(learner, {}, *table(points))
    assert len(charts["live_wrong"]) == len(charts["wrong"]) == 1 + len(answer["steps"]["rows"])
    assert charts["live_wrong"][-1] == answer["outcome"]["points"] - answer["outcome"]["right"]
    if learner == "voted":
        check_frames(live["frames"], model, points)
    else:
        assert live["planes"][-1] == pytest.approx([*model.coef_.ravel(), *model.intercept_], rel=1e-5, abs=1e-6)
    if learner == "pocket":
        assert charts["live_wrong"][-1] <= min(charts["wrong"])


def check_frames(frames, model, points):
    """The last picture has the signs of the learner's own scores."""
    grid = grid_points(check_request({"points": points}))
    scores = model.decision_function(grid)
    bytes_ = np.frombuffer(base64.b64decode(frames["data"][-1]), np.int8)
    assert (np.sign(bytes_) == np.sign(scores)).mean() > 0.95  # but for points on a plane that votes


def test_no_bound_is_claimed_of_layers(client):
    charts = ran(client, XOR, "mlp")["charts"]
    assert charts["bound"] is charts["counts"] is charts["margins"] is None
    assert len(charts["loss"]) == 1 + len(charts["mistakes"])


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ([], "form"),
        ({}, "form"),
        ({"points": "no"}, "form"),
        ({"points": []}, "classes"),
        ({"points": [[0, 0, 1]]}, "classes"),
        ({"points": [[0, 0, 0], [0, 0]]}, "point"),
        ({"points": [[0, 0, 2], [0, 0, 1]]}, "point"),
        ({"points": [[0, "1", 0], [0, 0, 1]]}, "point"),
        ({"points": [[0, None, 0], [0, 0, 1]]}, "point"),
        ({"points": [[0, True, 0], [0, 0, 1]]}, "point"),
        ({"points": [[0, 1e7, 0], [0, 0, 1]]}, "far"),
        ({"points": [[0, 0, 0]] * (POINTS + 1)}, "points"),
        ({"points": XOR, "learner": "os.system"}, "learner"),
        ({"points": XOR, "learner": ["perceptron"]}, "learner"),
        ({"points": XOR, "params": {"eta0": 0}}, "parameter"),
        ({"points": XOR, "params": {"eta0": "1"}}, "parameter"),
        ({"points": XOR, "params": {"eta0": True}}, "parameter"),
        ({"points": XOR, "params": {"max_iter": 10**9}}, "parameter"),
        ({"points": XOR, "params": {"max_iter": 1.5}}, "parameter"),
        ({"points": XOR, "params": {"order": "random"}}, "parameter"),
        ({"points": XOR, "params": {"order": ["cyclic"]}}, "parameter"),
        ({"points": XOR, "params": {"fit_intercept": 1}}, "parameter"),
        ({"points": XOR, "params": {"verbose": 1}}, "parameter"),
        ({"points": XOR, "params": []}, "form"),
        ({"points": XOR, "view": [0, 1]}, "form"),
        ({"points": XOR, "view": [1, 0, 0, 1]}, "form"),
        ({"points": XOR, "view": [0, 1e300, 0, 1]}, "form"),
        ({"points": XOR, "view": [0, 10**400, 0, 1]}, "form"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(client, request_, code):
    response = client.post("/api/run", json_=request_)
    assert response.status_code == 422
    error = response.json()["error"]
    assert error["code"] == code
    assert error["sentence"].endswith(".")


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (b"{", "application/json", "form"),
        (b'{"points": NaN}', "application/json", "form"),
        (b'{"points": [[0, Infinity, 0], [0, 0, 1]]}', "application/json", "point"),
        (b"[" * 100_000, "application/json", "form"),
        (b"\xff", "application/json", "form"),
        (b"{}", "text/plain", "form"),
        (b" " * (BYTES + 1), "application/json", "bytes"),
    ],
)
def test_bodies_that_are_not_requests(client, body, kind, code):
    response = client.post("/api/run", content=body, kind=kind)
    assert response.status_code == 422
    assert response.json()["error"]["code"] == code


def test_only_the_page_is_served_and_only_to_itself(client):
    home = client.get("/")
    assert home.status_code == 200
    policy = home.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert "access-control-allow-origin" not in home.headers
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400
    assert client.get("/api/run").status_code == 405
    for path in ("/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd", "/server.py", "/docs"):
        assert client.get(path).status_code == 404
    for response in (home, client.get("/nowhere"), client.get("/static/main.js"), client.post("/api/run", json_=[])):
        assert response.headers["content-security-policy"] == policy
        assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", presets.NAMES)
def test_presets(client, name):
    points = client.get(f"/api/preset/{name}").json()["points"]
    assert {point[2] for point in points} == {0, 1}
    assert len(points) <= POINTS
    assert points == client.get(f"/api/preset/{name}").json()["points"]


def test_presets_take_a_seed_and_columns(client):
    def get(query):
        return client.get(f"/api/preset/{query}")

    assert get("margin?seed=1").json() != get("margin").json()
    assert get("iris?first=0&second=1&species=2").json()["points"][-1] == [5.9, 3.0, 1]
    for bad in ("nothing", "iris?first=4", "iris?species=x", "margin?seed=-1"):
        assert get(bad).status_code == 422


@pytest.mark.parametrize(
    ("text", "names", "numeric"),
    [
        ("a,b,c\n1,2,x\n3,4,y\n", ["a", "b", "c"], [True, True, False]),
        ("1;2;0\r\n3;4;1\r\n", ["x1", "x2", "x3"], [True, True, True]),
        ('"the, first"\tb\n1\t-2e3\n\n3\t4', ["the, first", "b"], [True, True]),
        ("\ufeff长,宽,类\n1,2,是\n3,nan,否", ["长", "宽", "类"], [True, False, False]),
        ("a b c\n1 2 x\n3 4 y", ["a", "b", "c"], [True, True, False]),
        ("a;b\n1,5;2\n3;4", ["a", "b"], [True, True]),
    ],
)
def test_tables(client, text, names, numeric):
    columns = client.post("/api/table", json_={"text": text}).json()["columns"]
    assert [column["name"] for column in columns] == names
    assert [column["numbers"] is not None for column in columns] == numeric


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "table"),
        ("a,b,c", "table"),
        ("one\ntwo", "table"),
        ("1,2\n3", "table"),
        ("1,2\n" * (POINTS + 1), "points"),
        (None, "form"),
    ],
)
def test_tables_that_cannot_be_read(client, text, code):
    response = client.post("/api/table", json_={"text": text})
    assert response.status_code == 422
    assert response.json()["error"]["code"] == code


def test_many_tabs_at_once_are_independent(client):
    jobs = [
        (presets.points(name, seed), learner)
        for name in ("margin", "overlap")
        for seed in range(3)
        for learner in PLANES
    ]
    alone = [ran(client, *job) for job in jobs]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda job: ran(client, *job), jobs))
    assert together == alone


def test_answers_are_sent_at_once():
    """A socket whose protocol is not named is left with Nagle's algorithm, and every answer waits 40 ms."""
    with open_socket("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_files_of_the_page_are_sent_packed_once_and_by_their_tag(client):
    plain = client.get("/static/lab.js")
    packed = client.get("/static/lab.js", headers={"accept-encoding": "gzip"})
    assert plain.headers["content-type"].startswith("text/javascript")
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < 0.4 * len(plain.body)
    tag = plain.headers["etag"]
    known = client.get("/static/lab.js", headers={"if-none-match": tag})
    assert (known.status_code, known.body) == (304, b"")
    assert client.get("/static/lab.js", headers={"if-none-match": '"another"'}).body == plain.body
    for file in STATIC.iterdir():
        if file.is_file():
            assert client.get(f"/static/{file.name}").body == file.read_bytes()


def test_the_page_loads_every_module_as_one_script():
    """Each once, after those that it imports, and nothing is left to be fetched."""
    script = bundle("main.js", waits=True)
    made = re.findall(r'^modules\["([\w-]+\.js)"\] = ', script, re.M)
    assert sorted(made) == sorted({file.name for file in STATIC.glob("*.js")} - {"recorded.js"})
    assert not re.search(r"^(import|export) |\bimport\(", script, re.M)
    for k, name in enumerate(made):
        wanted = re.findall(r'from "\./([\w-]+\.js)"', (STATIC / name).read_text("utf-8"))
        assert set(wanted) <= set(made[:k])


def test_a_free_port_is_taken_if_the_wished_one_is_not():
    with open_socket("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with open_socket("127.0.0.1", port) as second:
            assert second.getsockname()[1] not in (0, port)


def test_an_address_that_is_not_ours_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match=r"cannot listen on 192\.0\.2\.1"):
        open_socket("192.0.2.1", 8010)


def test_both_languages_say_the_same_things(client):
    texts = {name: json.loads((STATIC / "texts" / f"{name}.json").read_text("utf-8")) for name in ("en", "zh")}
    assert texts["en"].keys() == texts["zh"].keys()
    for key, text in texts["en"].items():
        if isinstance(text, str):
            assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", texts["zh"][key])), key
        else:
            assert len(text) == len(texts["zh"][key])
    offered = client.get("/api/controls").json()
    wanted = {f"preset-{name}" for name in offered["presets"]}
    for name, learner in offered["learners"].items():
        wanted |= {f"learner-{name}"} | {f"param-{control['name']}" for control in learner["controls"]}
        wanted |= {f"choice-{choice}" for control in learner["controls"] for choice in control["choices"]}
    page = (STATIC / "index.html").read_text("utf-8")
    wanted |= set(re.findall(r'data-(?:text|label)="([\w-]+)"', page))
    scripts = [file.read_text("utf-8") for file in STATIC.iterdir() if file.name.endswith(".js")]
    wanted |= {key for script in scripts for key in re.findall(r'\bt\("([\w-]+)"', script)}
    assert wanted <= texts["en"].keys()


def test_the_page_asks_nothing_of_others():
    for file in [*STATIC.iterdir(), *(STATIC / "texts").iterdir()]:
        if file.is_file():
            addresses = set(re.findall(r"https?://[^\s\"'`)]+", file.read_text("utf-8")))
            assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"}
    assert not re.search(
        r"\son\w+=|<style|style=|<script(?! type=\"module\" src=\"/static/)", (STATIC / "index.html").read_text()
    )


def counted(client, points, **options):
    """The answer on the fewest errors."""
    response = client.post("/api/errors", json_={"points": points, **options})
    assert response.status_code == 200, response.body
    return response.json()


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("preset", ["and", "xor", "overlap", "circles"])
def test_both_numbers_of_the_fewest_errors_are_true_of_the_points(client, preset, intercept):
    """The plane has just the rows wrong that are named; on small sets the bound is that of fewest_errors itself."""
    points = presets.points(preset)
    answer = counted(client, points, fit_intercept=intercept)
    X, y = table(points)
    *w, b = answer["plane"]
    wrong = np.flatnonzero((2 * y - 1) * (X @ w + b) <= 1e-9 * np.abs(answer["plane"]).max())
    assert answer["checked"]
    assert answer["rows"] == wrong.tolist()
    assert 0 <= answer["lower_bound"] <= answer["errors"] == len(wrong)
    assert answer["optimal"] == (answer["lower_bound"] == answer["errors"])
    assert intercept or b == 0
    if preset in ("and", "xor"):
        assert answer["errors"] == answer["lower_bound"] == fewest_errors(X, y, fit_intercept=intercept).errors


def test_a_bound_on_errors_that_the_checker_refuses_is_not_called_checked(client, monkeypatch):
    real = fewest_errors_view.fewest_errors
    monkeypatch.setattr(fewest_errors_view, "fewest_errors", lambda X, y, **how: real(X, 1 - y, **how))
    assert not counted(client, XOR)["checked"]


@pytest.mark.parametrize("body", [[], {}, {"points": XOR, "fit_intercept": 1}, {"points": [[0, 0, 1]]}])
def test_what_has_no_fewest_errors_is_refused(client, body):
    response = client.post("/api/errors", json_=body)
    assert response.status_code == 422
    assert response.json()["error"]["sentence"].endswith(".")


def test_every_truth_table_is_weighed_or_has_a_trade(client):
    """By the definition: w·x ≥ t exactly at the ones; or rows of ones and as many of zeros with the same sum."""
    for values in product((0, 1), repeat=4):
        answer = client.post("/api/function", json_={"table": values}).json()
        assert answer["checked"]
        points = np.array(list(product((0, 1), repeat=2)))
        if answer["weights"] is not None:
            assert (points @ answer["weights"] >= answer["threshold"]).astype(int).tolist() == list(values)
            assert answer["trade"] is None
        else:
            ones, zeros = answer["trade"]
            assert sum(values[row] for row in ones) == len(ones) == len(zeros)
            assert not any(values[row] for row in zeros)
            assert points[ones].sum(axis=0).tolist() == points[zeros].sum(axis=0).tolist()


def test_the_truth_table_of_three_inputs(client):
    majority = client.post("/api/function", json_={"table": [0, 0, 0, 1, 0, 1, 1, 1]}).json()
    assert majority == {"weights": [1, 1, 1], "threshold": 2, "trade": None, "checked": True}
    parity = client.post("/api/function", json_={"table": [0, 1, 1, 0, 1, 0, 0, 1]}).json()
    assert parity["weights"] is None
    assert parity["checked"]


def test_what_was_not_proved_of_a_truth_table_is_not_called_checked(client, monkeypatch):
    wrong = ThresholdFunction(["x1", "x2"], (0, 1, 1, 0), [1, 1], 1)
    monkeypatch.setattr(truth_table, "threshold_function", lambda values: wrong)
    assert not client.post("/api/function", json_={"table": [0, 1, 1, 0]}).json()["checked"]


@pytest.mark.parametrize("values", [None, [], [0, 1], [0, 1, 1, 2], [0, 1, 1, True], [0] * 16, "0110", [0, 1, 1, 0.0]])
def test_tables_that_are_no_truth_tables(client, values):
    response = client.post("/api/function", json_={"table": values})
    assert response.status_code == 422
    assert response.json()["error"]["code"] == "form"


# Nothing that is asked makes it fail, or makes others wait


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/run", r'{"params": {"\ud800": 1}, "points": [[0, 0, 0], [1, 1, 1]]}'),
        ("/api/run", '{"points": [[1e-320, 0, 0], [1e-320, 1e-300, 1]]}'),
        ("/api/run", '{"points": [[1e-320, 0, 0], [1e-320, 1e-300, 1]], "learner": "kernel"}'),
        ("/api/table", r'{"text": "a\ud800,b,c\n1,2,3"}'),
        ("/api/table", r'{"text": "\u0000,\"\n1,2"}'),
        ("/api/page", '{"points": [[0, 0, 0], [1, 1, 1]], "looked": {"axes": ["<script>", 3], "step": "x"}}'),
        ("/api/growth", '{"family": "worst", "size": 13}'),
    ],
)
def test_no_answer_is_a_fault(client, path, body):
    assert client.post(path, content=body).status_code in (200, 422)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
SMALL = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 5e-324, 1e-160, 1e-320, 1e6])
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "points": st.lists(st.tuples(SMALL, SMALL, st.integers(0, 1)).map(list), min_size=2, max_size=6) | VALUES,
        "learner": st.sampled_from(list(LEARNERS)) | VALUES,
        "params": st.dictionaries(st.sampled_from(["eta0", "order", "gamma", "margin", "C", "max_iter"]), VALUES),
        "view": st.lists(st.floats(), min_size=4, max_size=4) | VALUES,
        "text": st.text(max_size=40),
        "table": VALUES,
        "family": VALUES,
        "looked": VALUES,
    },
)


@settings(max_examples=60)
@given(st.sampled_from(["run", "table", "function", "growth", "page"]), BODIES | VALUES)
def test_whatever_is_asked_is_answered_or_refused(name, body):
    """Straight at the work behind a route: a refusal is the only error there is."""
    with contextlib.suppress(Refusal):
        json.dumps(WORK[name](json.loads(json.dumps(body)), Ticket(1.0)), allow_nan=False)


def test_beyond_the_queue_there_is_a_sentence(client, monkeypatch):
    started, end = threading.Event(), threading.Event()

    def wait(body, ticket):
        started.set()
        end.wait()
        return {}

    lane = Lane("test", 1, 2)

    async def crowd():
        first = asyncio.ensure_future(lane.do(wait, None, Ticket()))
        second = asyncio.ensure_future(lane.do(wait, None, Ticket()))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await lane.do(wait, None, Ticket())
        second.cancel()  # nobody waits for it: it is never begun
        end.set()
        await first
        assert lane.under_way == 0
        return await lane.do(lambda body, ticket: "done", None, Ticket())

    assert asyncio.run(crowd()) == "done"
    lane.close()
    response = busy_response(None, Busy())
    assert response.status_code == 503
    assert response.headers["retry-after"] == "1"
    assert json.loads(response.body)["error"]["sentence"].endswith(".")


def test_work_that_nobody_waits_for_is_dropped():
    ticket = Ticket()
    ticket.drop()
    with pytest.raises(Dropped):
        run({"points": XOR}, ticket)
    with pytest.raises(Dropped):
        run({"points": XOR, "learner": "mlp"}, ticket)


def test_whoever_hangs_up_leaves_no_work_behind(client):
    """A network of many passes is begun, and ends soon after the connection does."""
    body = json.dumps({"points": [*presets.points("overlap"), *presets.points("overlap", 1)], "learner": "mlp"})
    with socket.create_connection(("127.0.0.1", client.port)) as line:
        head = f"POST /api/run HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
        line.sendall(f"{head}Content-Type: application/json\r\n\r\n{body}".encode())
    assert client.post("/api/run", json_={"points": XOR, "learner": "mlp"}).status_code == 200


def test_a_run_that_takes_too_long_shows_the_passes_so_far():
    answer = run({"points": presets.points("overlap"), "learner": "mlp", "params": {"max_iter": 200}}, Ticket(0.0))
    assert answer["cut_by_time"]
    assert answer["outcome"]["passes"] == len(answer["steps"]["rows"]) == 1
    assert answer["steps"]["frames"]["at"] == [0, 1]
    assert not run({"points": XOR}, Ticket(0.0))["cut_by_time"]


def test_only_the_page_itself_may_ask(client):
    headers = {"content-type": "application/json", "origin": "http://elsewhere.example"}
    assert client.ask("POST", "/api/run", json.dumps({"points": XOR}), headers).status_code == 422
    headers["origin"] = f"http://127.0.0.1:{client.port}"
    reply = client.ask("POST", "/api/run", json.dumps({"points": XOR}), headers)
    assert reply.status_code == 200
    assert "server" not in reply.headers
    assert reply.headers["cross-origin-opener-policy"] == "same-origin"


# One geometry, and the learner's own space first


@pytest.mark.parametrize("intercept", [True, False])
def test_the_distance_is_that_of_the_nearest_point(client, intercept):
    points = presets.points("tight")
    proof = ran(client, points, fit_intercept=intercept)["proof"]
    X, y = table(points)
    *w, b = proof["plane"]
    nearest = ((2 * y - 1) * (X @ w + b) / np.hypot(*w)).min()
    assert proof["distance"] == pytest.approx(nearest, rel=1e-6)
    if not intercept:
        assert proof["distance"] == pytest.approx(proof["margin"][0], rel=1e-6)


@pytest.mark.parametrize(("learner", "preset"), [("kernel", "circles"), ("xor-features", "xor")])
def test_the_space_of_the_learner_has_its_own_checked_proof(client, learner, preset):
    proof = ran(client, presets.points(preset), learner)["proof"]
    assert proof["verdict"] == "inseparable"
    assert proof["own"]["verdict"] == "separable"
    assert proof["own"]["checked"]
    assert proof["own"]["margin"][0] > 0
    assert ran(client, presets.points("overlap"), "kernel", max_iter=1)["proof"]["own"] is None
    assert ran(client, presets.points(preset))["proof"]["own"] is None


TWICE = [[1, 1, 1], [1, 1, 0], [3, 3, 1]]


@pytest.mark.parametrize(
    ("points", "params", "verdict"),
    [
        (presets.points("circles"), {"kernel": "poly", "degree": 1}, "inseparable"),  # planes among the coordinates
        (presets.points("xor"), {"kernel": "poly", "degree": 1}, "inseparable"),  # proved by the run itself
        (TWICE, {"kernel": "rbf"}, "inseparable"),  # one point in both classes
        (TWICE, {"kernel": "poly", "degree": 3}, "inseparable"),
        (presets.points("spirals"), {"kernel": "poly", "degree": 2}, "unknown"),  # but no plane has more than a margin
    ],
)
def test_what_is_known_of_a_kernel_s_space_is_what_has_been_proved_there(client, points, params, verdict):
    own = ran(client, points, "kernel", **params)["proof"]["own"]
    assert own["verdict"] == verdict
    assert own["checked"] == (verdict == "inseparable")
    assert (own["most"] > 0) == (verdict == "unknown")


# The rule in plain Python, the families, links and pages


def rule_of(name):
    """The program that the page shows."""
    space = {}
    exec((STATIC / "rules" / f"{name}.txt").read_text("utf-8"), space)
    return space["learn"]


@pytest.mark.parametrize("name", sorted(file.name[:-4] for file in (STATIC / "rules").iterdir()))
@pytest.mark.parametrize("preset", ["and", "xor", "tight"])
def test_the_rule_that_is_shown_is_the_rule_that_is_run(name, preset):
    points = presets.points(preset)
    X, y = table(points)
    model = fitted(name, {"order": "cyclic", "max_iter": 10}, X, y)
    signs, rows = (2 * y - 1).tolist(), np.column_stack([X, np.ones(len(X))]).tolist()
    if name == "kernel":
        values = {
            (tuple(a), tuple(b)): v
            for a, line in zip(X, model_kernel(model, X), strict=True)
            for b, v in zip(X, line, strict=True)
        }
        learnt, updates = rule_of(name)([tuple(x) for x in X], signs, lambda a, b: values[a, b], passes=model.n_iter_)
        assert learnt == model.update_counts_.tolist()
    else:
        passes = 10 if name == "averaged" and model.status_ == "separated" else model.n_iter_  # a mean is over all
        learnt, updates = rule_of(name)(rows, signs, passes=passes)
        if name == "voted":
            votes = sum(life * np.where(rows @ np.array(w) >= 0, 1, -1) for w, life in learnt)
            assert votes / sum(life for _, life in learnt) == pytest.approx(model.decision_function(X))
        else:
            assert learnt == pytest.approx([*model.coef_[0], *model.intercept_])
    assert updates == model.n_updates_


def model_kernel(model, X):
    return playback.kernel_values(model, X, X)


def test_rules_mark_their_start_update_and_end():
    for file in (STATIC / "rules").iterdir():
        text = file.read_text("utf-8")
        assert len(text.splitlines()) <= 25
        assert re.findall(r"  # ← (\w+)$", text, re.M) == ["start", "update", "end"]


@pytest.mark.parametrize("size", [2, 5, 8])
def test_the_families_grow_as_the_notes_say(client, size):
    tight = client.post("/api/growth", json_={"family": "tight", "size": size}).json()
    assert tight["updates"] == size == round(tight["bound"], 6)
    worst = client.post("/api/growth", json_={"family": "worst", "size": size}).json()
    assert worst["updates"] == sum(worst["of_rows"]) == (4**size - 1) // 3 <= worst["bound"]
    assert worst["weights"] == [2**k for k in range(size)]


def test_a_link_is_read_as_the_page_reads_it():
    link = read_link("http://127.0.0.1:8010/#lang=zh&preset=iris&iris=0,1,2&learner=layers&p.hidden=3&step=4")
    assert link.body["learner"] == "layers"
    assert link.body["params"] == {"hidden": 3}
    assert link.body["points"][-1] == [5.9, 3.0, 1]
    assert (link.language, link.step, link.axes) == ("zh", 4, ["sepal length", "sepal width"])
    own = read_link("points=0,1e-5,1;1,2,0&view=0,1,0,1&step=end")
    assert own.body["points"] == [[0, 1e-5, 1], [1, 2, 0]]
    assert own.step is None
    assert read_link("preset=tight").body["params"] == {"fit_intercept": False}


@pytest.mark.parametrize(
    "link", ["preset=xo", "points=1,x,0", "p.eta0=x", "lang=fr", "preset=iris&iris=9,9,9", "step=x", "xor"]
)
def test_links_that_cannot_be_read(link):
    with pytest.raises(ValueError, match=r"The link cannot be read: .*\."):
        read_link(link)


@pytest.mark.parametrize("link", ["lang=zh&lesson=slack", "lang=zh&function=0110", "#lesson=xor&learner=kernel"])
def test_what_is_no_run_is_not_written_as_one(link):
    with pytest.raises(ValueError, match=r"is a (lesson|truth table), .*: (open it in the lab|say which points)"):
        page_of_link(link)


def test_a_lesson_with_its_points_is_the_run_that_is_seen():
    points = ";".join(",".join(map(str, point)) for point in XOR)
    assert '"learner":"pocket"' in page_of_link(f"lesson=xor&function=0110&learner=pocket&points={points}")


def recording_of(link):
    page = page_of_link(link)
    return json.loads(re.search(r'id="recording">(.*?)</script>', page, re.S).group(1))


@pytest.mark.parametrize(
    ("link", "step"), [("preset=xor", 0), ("preset=xor&step=end", None), ("points=0,0,0;1,1,1", None)]
)
def test_a_page_opens_at_the_step_of_its_link_and_names_the_parameters_that_are_used(link, step):
    recording = recording_of(f"{link}&learner=pa&p.step=%22full%22")
    assert recording["step"] == step
    named = ["step", "order", "max_iter", "average", "fit_intercept", "random_state", "w1_init", "w2_init", "b_init"]
    assert recording["listed"] == named  # C caps no full step
    assert recording["request"]["params"]["order"] == "cyclic"


def test_a_page_holds_its_run_and_lets_nothing_else_run():
    page = page_of_link("preset=xor&learner=kernel&lang=zh")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page).group(1)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r'(?:src|href)=["\']?(?:https?:)?/', page.split("<script>")[0])
    script = page.split("<script>")[1].split("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert not re.search(r"^(?:import|export) ", script, re.M)
    evil = Link({"points": XOR}, "en", None, ["</script><script>alert(1)</script>", "{script}"])
    assert "<script>alert" not in recorded_page(evil, run(evil.body))


# Colours


def luminance(colour):
    """The relative luminance of WCAG 2."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_and_controls_stand_out_from_their_ground(scheme):
    """Text at least 4.5, borders of controls, points and lines at least 3, in both schemes."""
    light, dark = (STATIC / "style.css").read_text("utf-8").split("@media (prefers-color-scheme: dark)")[:2]
    text = light if scheme == "light" else dark.partition("* {")[0]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", text))
    assert len(colours) == 14
    for ground in ("paper", "card"):
        for name in ("ink", "soft", "wrong", "good", "accent-strong"):
            assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
        for name in ("edge", "accent", "positive", "negative", "limit", "mark"):
            assert contrast(colours[name], colours[ground]) >= 3, (name, ground)
    assert contrast(colours["card"], colours["accent-strong"]) >= 4.5  # the word on the large button
