"""Which estimates are infinite: the oracle, the known answers, every way in, and proofs that are held to account."""

import datetime
import json
import os
import re
import shlex
import subprocess
import sys
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import statsmodels.api as sm
import statsmodels.formula.api as smf
from threadpoolctl import threadpool_info
from typer.testing import CliRunner

import novikoff
from novikoff import check, separation, separation_many
from novikoff.certificates.check import seal
from novikoff.certificates.separation_certificate import SeparationCertificate
from novikoff.cli import app
from novikoff.regression.directions import dominant_combinations, dominated, find_directions
from novikoff.regression.estimates import newton

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import campaign_separation as campaign

CHECKER = Path(novikoff.__file__).parent / "certificates" / "check.py"
GROUP = pd.DataFrame(
    {
        "ward": ["a", "a", "b", "b", "c", "c", "a", "b", "c", "c"],
        "age": [30, 60, 41, 55, 38, 70, 45, 62, 50, 33],
        "died": [0, 1, 0, 1, 1, 1, 1, 0, 1, 1],
    }
)
"""Everyone in ward c died; in the others age does not tell."""


@pytest.mark.parametrize("seed", range(3))
def test_every_coefficient_is_what_the_oracle_says(seed):
    for number in range(60 if "NOVIKOFF_LONG" in os.environ else 30):
        case = campaign.make(seed, number)
        _, faults = campaign.judge(case)
        assert not faults, (case, faults)


def test_the_oracle_knows_the_five_kinds():
    X = [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]
    case = {"family": "binomial", "X": X, "y": [0, 0, 1, 1], "fit_intercept": True}
    assert campaign.truth(case) == ("complete", ["+inf", "undetermined", "aliased", "aliased"])
    case["y"] = [0, 1, 1, 1]
    assert campaign.truth(case)[1][:2] == ["+inf", "+inf"]
    case["X"] = [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
    case["y"] = [0, 1, 1, 0, 1, 0, 1, 0]
    assert campaign.truth(case) == ("overlap", ["finite", "finite", "aliased", "aliased"])


def test_a_group_whose_response_does_not_vary():
    found = separation(GROUP[["ward", "age"]], GROUP["died"])
    assert found.verdict == "quasi-complete"
    assert found.coefficients == {
        "ward[T.b]": "finite",
        "ward[T.c]": "+inf",
        "age": "finite",
        "(Intercept)": "finite",
    }
    assert found.rows.tolist() == [4, 5, 8, 9]
    assert found.informative == 6
    assert "ward[T.c] marks a group" in found.advice


def test_the_estimates_that_exist_are_those_of_the_other_rows():
    found = separation(GROUP[["ward", "age"]], GROUP["died"])
    rest = GROUP[GROUP.ward != "c"]
    X = sm.add_constant(np.column_stack([rest.ward == "b", rest.age]).astype(float))
    fitted = sm.Logit(rest.died, X).fit(disp=0)
    names = ["(Intercept)", "ward[T.b]", "age"]
    assert np.allclose([found.estimates[name] for name in names], fitted.params, rtol=1e-6)
    assert np.allclose([found.standard_errors[name] for name in names], fitted.bse, rtol=1e-5)


def test_counts_are_estimated_as_statsmodels_does():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (80, 2))
    y = rng.poisson(np.exp(0.4 * X[:, 0] - 0.3))
    found = separation(X, y, family="poisson")
    fitted = sm.Poisson(y, sm.add_constant(X.astype(float))).fit(disp=0)
    assert found.verdict == "overlap"
    assert np.allclose([found.estimates[k] for k in ("(Intercept)", "0", "1")], fitted.params, rtol=1e-6)
    y[X[:, 1] == 2] = 0
    y[0], X[0] = 3, (1, 1)
    zeros = separation(np.column_stack([X[:, 0], X[:, 1] == 2]), y, family="poisson")
    assert zeros.coefficients == {"0": "finite", "1": "-inf", "(Intercept)": "finite"}
    assert check(zeros, zeros.design, zeros.target, family="poisson")


def test_several_classes_and_their_reference():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 2))
    y = np.repeat(["far", "left", "right"], 30)
    X[:30] += 20
    from_far = separation(X, y, family="multinomial")
    assert set(from_far.coefficients.values()) <= {"undetermined", "+inf", "-inf"}
    found = separation(X, y, family="multinomial", reference="left")
    fitted = sm.Logit((y[30:] == "right").astype(int), sm.add_constant(X[30:])).fit(disp=0)
    assert np.allclose([found.estimates[f"right: {k}"] for k in ("(Intercept)", "0", "1")], fitted.params, rtol=1e-5)
    assert found.coefficients["far: 0"] != "finite"
    assert check(found, X, y, family="multinomial")


def test_complete_separation_has_a_direction_that_is_no_estimate():
    found = separation([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    assert found.verdict == "complete"
    assert found.estimates == {}
    slope, intercept = found.direction["0"], found.direction["(Intercept)"]
    assert np.isclose(-intercept / slope, 2.0, rtol=1e-2)
    assert found.margin[0] <= found.margin[1]
    assert "no estimate" in found.summary()


def test_weights_of_zero_take_no_part_and_others_count():
    X, y = GROUP[["age"]], GROUP["died"]
    weights = np.array([2, 1, 1, 3, 0, 0, 1, 1, 0, 0])
    found = separation(X, y, sample_weight=weights)
    repeated = separation(np.repeat(X.to_numpy(), weights, axis=0), np.repeat(y.to_numpy(), weights))
    assert np.isclose(found.estimates["age"], repeated.estimates["0"])
    assert check(found, found.design, found.target)
    moved = separation(GROUP[["ward", "age"]], y, sample_weight=(GROUP.ward != "b").astype(int))
    assert moved.rows.tolist() == [0, 1, 4, 5, 6, 8, 9]  # numbered as the rows given


def test_successes_and_failures():
    X = np.array([[0, 1], [1, 0], [1, 1], [0, 0]])
    y = np.array([[3, 4], [5, 1], [2, 2], [1, 6]])
    found = separation(X, y)
    model = sm.GLM(y, sm.add_constant(X.astype(float)), family=sm.families.Binomial())
    fitted = model.fit()
    assert np.allclose([found.estimates[k] for k in ("(Intercept)", "0", "1")], fitted.params, rtol=1e-6)
    assert np.allclose([found.standard_errors[k] for k in ("(Intercept)", "0", "1")], fitted.bse, rtol=1e-5)
    named = separation(model)
    assert list(named.coefficients.values()) == ["finite"] * 3
    y[1] = 6, 0
    y[2] = 4, 0
    assert separation(X, y).coefficients["0"] == "+inf"


def test_ways_in_agree():
    formula = separation("died ~ ward + age", data=GROUP)
    model = smf.logit("died ~ ward + age", GROUP)
    frame = separation(GROUP[["ward", "age"]], GROUP["died"])
    assert formula.coefficients == frame.coefficients == separation(model).coefficients
    assert formula.estimates == pytest.approx(frame.estimates)
    X = frame.design.to_numpy()
    for given in (
        X.tolist(),
        sp.csr_array(X.astype(float)),
        X.astype(np.float32),
        [[str(v) for v in row] for row in X],
    ):
        assert list(separation(given, GROUP["died"]).coefficients.values()) == list(frame.coefficients.values())
    without = separation("died ~ 0 + ward", data=GROUP)
    assert "(Intercept)" not in without.coefficients
    assert separation("died ~ ward:age", data=GROUP).certificate is not None


def test_a_result_of_statsmodels():
    rng = np.random.default_rng(3)
    X = sm.add_constant(rng.normal(size=(40, 2)))
    y = (rng.random(40) < 0.5).astype(int)
    result = sm.Probit(y, X).fit(disp=0)
    assert set(separation(result).coefficients) == {"x1", "x2", "(Intercept)"}
    assert separation(sm.GLM(y, X, family=sm.families.Poisson())).family == "poisson"
    assert separation(sm.MNLogit(rng.integers(0, 3, 40), X)).family == "multinomial"
    with pytest.raises(ValueError, match="OLS"):
        separation(sm.OLS(y, X))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: separation("died ~ wart", data=GROUP), "names 'wart'.*did you mean 'ward'"),
        (lambda: separation("dead ~ ward", data=GROUP), "response 'dead'"),
        (lambda: separation("died ~ ward +* age", data=GROUP), "could not be read"),
        (lambda: separation("died", data=GROUP), "must be 'response ~ terms'"),
        (lambda: separation("died ~ ward"), "needs its data"),
        (
            lambda: separation("died ~ ward + age", data=GROUP.assign(age=[None] * 3 + [1] * 7)),
            "'age' has no value in row 0",
        ),
        (lambda: separation(GROUP[["age"]], [1] * 10), "one class, 1"),
        (lambda: separation(GROUP[["age"]], GROUP["ward"]), "3 classes .*multinomial"),
        (lambda: separation(GROUP[["age"]], GROUP["died"], sample_weight=[0] * 10), "All weights are zero"),
        (lambda: separation(GROUP[["age"]], GROUP["died"], sample_weight=[-1] + [1] * 9), "not negative"),
        (lambda: separation([[np.nan], [1]], [0, 1]), "NaN at row 0"),
        (lambda: separation(GROUP[["age"]], GROUP["died"], family="gamma"), "'family' parameter"),
        (lambda: separation(GROUP[["age"]], GROUP["died"], reference="x"), "reference 'x'"),
        (lambda: separation(GROUP[["age"]], [-1] * 10, family="poisson"), "no count"),
        (lambda: separation(GROUP[["age"]], ["a"] * 10, family="poisson"), "must be counts"),
        (lambda: separation(GROUP[["age"]], [1, 0]), "inconsistent"),
        (lambda: separation(GROUP[["age"]]), "needs the response"),
        (lambda: separation(pd.DataFrame({"k": ["one"] * 4}), [0, 1, 0, 1]), "no column besides"),
        (lambda: separation_many([1, 2], [0, 1]), "must be a table"),
        (lambda: separation_many(pd.DataFrame({"g": list("abc")}), [0, 1, 1]), "Column 'g' has more than two"),
    ],
)
def test_bad_input_is_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        call()
    assert "\n" not in str(error.value)


def test_a_constant_column_and_too_few_rows_are_said_so():
    constant = separation(GROUP[["age"]].assign(k=3), GROUP["died"])
    assert constant.coefficients["k"] == constant.coefficients["(Intercept)"] == "aliased"
    assert "column k does not vary" in constant.advice
    assert "other estimates are finite" not in separation([[1], [1], [1], [1]], [0, 1, 0, 1]).advice
    few = separation(np.eye(3), [0, 1, 0])
    assert "3 rows cannot tell 4 coefficients apart" in few.advice


def test_advice_fits_the_family_and_the_case():
    x, y = [[0], [1], [1], [2]], [0, 0, 1, 1]
    threshold = separation(x, y).advice
    assert "Beyond some value of 0 the response" in threshold
    assert "the finite ones above" not in threshold
    assert "firthmodels" in threshold
    counts = separation([[0], [0], [1], [2]], [1, 2, 0, 0], family="poisson").advice
    assert "firthmodels" not in counts
    assert "with the finite ones above, or estimate all with Firth's penalty (brglm2 in R)" in counts


def test_estimates_that_floats_do_not_hold_are_not_made_up():
    _, faults = campaign.judge(case := campaign.make(38, 162))
    assert not faults
    options = {"family": case["family"], "fit_intercept": case["fit_intercept"]}
    found = separation(np.array(case["X"]), case["y"], **options)
    assert set(map(np.isnan, found.estimates.values())) == {True}
    assert found.estimates.keys() == found.standard_errors.keys()


@pytest.mark.parametrize("family", ["binomial", "poisson"])
def test_columns_of_zeros(family):
    found = separation([[0], [0], [0]], [0, 1, 1], family=family, fit_intercept=False)
    assert found.verdict == "overlap"
    assert found.coefficients == {"0": "aliased"}
    assert check(found, found.design, found.target, fit_intercept=False)


def test_relations_hold_in_every_row():
    X = np.array([[1, 2, 3], [4, 5, 9], [0, 7, 7], [2, 2, 4], [5, 1, 6], [1, 1, 2]])
    found = separation(X, [0, 1, 0, 1, 1, 0])
    (relation,) = found.relations
    rows = [dict(zip("012", row, strict=True)) | {"(Intercept)": 1} for row in X.tolist()]
    assert all(sum(v * row[name] for name, v in relation.items()) == 0 for row in rows)


def test_time_that_is_up_says_unknown():
    rng = np.random.default_rng(0)
    found = separation(rng.normal(size=(300, 20)), rng.integers(0, 2, 300), time_limit=0)
    assert found.verdict == "unknown"
    assert set(found.coefficients.values()) == {"unknown"}
    assert "time limit" in found.summary()
    assert not found.finite


def test_shapes_of_the_answer():
    found = separation(GROUP[["ward", "age"]], GROUP["died"])
    frame = found.to_frame()
    assert frame.loc["ward[T.c]", "estimate"] == np.inf
    assert frame["is"].to_dict() == found.coefficients
    assert json.loads(json.dumps(found.to_dict()))["coefficients"] == found.coefficients
    assert "ward[T.c]" in found._repr_html_()
    assert re.search(r"ward\[T\.c\]\s+\+∞", found.summary())


def test_a_saved_proof_is_read_and_checked(tmp_path):
    found = separation(GROUP[["ward", "age"]], GROUP["died"])
    found.certificate.save(tmp_path / "proof.json")
    loaded = SeparationCertificate.load(tmp_path / "proof.json")
    assert loaded.coefficients == found.coefficients
    assert loaded.verdict == found.verdict
    verdict = check(tmp_path / "proof.json", found.design, found.target)
    assert verdict
    assert verdict.question == "binomial regression with an intercept: 1 (7 rows) against the reference 0 (3 rows)"
    assert not check(loaded, found.design, 1 - found.target)
    assert not check(loaded, found.design.to_numpy() + 1, found.target)
    assert not check(loaded, found.design, found.target, fit_intercept=False)
    assert not check(loaded, found.design, found.target, family="poisson")
    assert not check(loaded, found.design, found.target, positive=0)
    (tmp_path / "other.json").write_text('{"format": "novikoff separation"}')
    with pytest.raises(ValueError, match="no certificate that can be read"):
        SeparationCertificate.load(tmp_path / "other.json")


def proofs_to_change():
    """Small designs in which every kind of claim occurs."""
    for seed in range(3):
        for number in range(40):
            case = campaign.make(100 + seed, number)
            if len(case["X"]) < 10:
                yield case


def swaps(proof):
    """Every coefficient called otherwise, every verdict, and every number changed by one."""
    for j, name in enumerate(proof["coefficients"]):
        for other in {"finite", "+inf", "-inf", "undetermined", "aliased"} - {name}:
            changed = deepcopy(proof)
            changed["coefficients"][j] = other
            yield changed
    for verdict in {"complete", "quasi-complete", "overlap"} - {proof["verdict"]}:
        yield proof | {"verdict": verdict}


def test_no_coefficient_can_be_called_otherwise():
    tried = 0
    for case in proofs_to_change():
        X, y = case["X"], case["y"]
        options = {"family": case["family"], "fit_intercept": case["fit_intercept"]}
        found = separation(X, y, **options)
        for changed in swaps(found.certificate.proof):
            changed["seal"] = seal(changed)
            tried += 1
            assert not check(changed, X, y, **options), (case, changed["coefficients"])
    assert tried > 500


NUMBERS = re.compile(r'"(-?[1-9]\d*)"')


def test_a_changed_number_is_refused_or_says_nothing_else():
    """What is accepted after a change still names the same verdict and coefficients, which the oracle confirmed."""
    refused = tried = 0
    for case in list(proofs_to_change())[:25]:
        X, y = case["X"], case["y"]
        options = {"family": case["family"], "fit_intercept": case["fit_intercept"]}
        text = separation(X, y, **options).certificate.json()
        for match in list(NUMBERS.finditer(text))[:40]:
            changed = json.loads(f"{text[: match.start(1)]}{int(match[1]) + 1 or 2}{text[match.end(1) :]}")
            changed["seal"] = seal(changed)
            tried += 1
            verdict = check(changed, X, y, **options)
            refused += not verdict
    assert tried > 300
    assert refused > tried / 3


def test_dominance_is_needed():
    """Combinations that are not strictly dominated by their diagonal prove nothing."""
    found = separation([[1, 0], [0, 1], [1, 1], [1, 0], [0, 1]], [0, 1, 0, 1, 0], fit_intercept=False)
    proof = deepcopy(found.certificate.proof)
    first, second = proof["constant"]["combinations"].values()
    proof["constant"]["combinations"]["0"] = second
    proof["seal"] = seal(proof)
    verdict = check(proof, found.design, found.target, fit_intercept=False)
    assert "do not prove column 0" in verdict.finding
    assert first != second


@pytest.mark.parametrize("scale", [1, 10**6, 10**40, 10**300])
def test_combinations_are_dominated_whatever_the_scales(scale):
    rng = np.random.default_rng(0)
    square = rng.integers(-5, 6, (6, 6)).tolist()
    square = [[v * (scale if j % 2 else 1) for j, v in enumerate(row)] for row in square]
    sizes = [max(abs(row[k]) for row in square) for k in range(6)]
    assert dominated(dominant_combinations(square), square, sizes)


def test_combinations_of_rows_that_are_nearly_dependent():
    square = [[10**20, 10**20 + 1], [10**20 + 1, 10**20 + 3]]
    sizes = [max(abs(row[k]) for row in square) for k in range(2)]
    assert dominated(dominant_combinations(square), square, sizes)


def test_blas_takes_one_thread(monkeypatch):
    """Its products are small; on a busy machine threads that meet in each of them wait for each other."""
    seen = []

    def look(posed, limits):
        seen.extend(part["num_threads"] for part in threadpool_info() if part["user_api"] == "blas")
        return find_directions(posed, limits)

    monkeypatch.setattr("novikoff.regression.separation.find_directions", look)
    separation(GROUP[["age"]], GROUP["died"])
    assert set(seen) == {1}


def test_newton_finds_the_minimum():
    def model(beta):
        e = np.exp(beta)
        return float((e - 3 * beta).sum()), e - 3, np.diag(e)

    assert np.allclose(newton(model, 2)[0], np.log(3))


def test_newton_finds_its_way_where_floats_see_no_curvature():
    """A minimum far away, beyond rows whose second derivatives are below 1e-17."""

    def model(beta):
        far = np.array([beta[0] - 40, 40 - beta[0], beta[0] - 42])
        e = np.exp(-np.abs(far))
        p = np.where(far > 0, 1 / (1 + e), e / (1 + e))
        return float(np.logaddexp(0, far).sum()), np.array([p[0] - p[1] + p[2]]), np.array([[(p * (1 - p)).sum()]])

    beta, _, found = newton(model, 1)
    assert found
    assert abs(model(beta)[1][0]) < 1e-6


def test_many_designs_agree_with_one_after_the_other():
    rng = np.random.default_rng(0)
    covariates = pd.DataFrame({"age": rng.integers(20, 80, 120), "ward": rng.choice(["a", "b"], 120)})
    columns = pd.DataFrame({f"rs{k}": rng.binomial(2, 0.03, 120) for k in range(12)})
    y = (rng.random(120) < 0.15).astype(int)
    many = separation_many(columns, y, covariates, certificates=True, n_jobs=2)
    for name, line in many.iterrows():
        found = separation(pd.concat([columns[[name]], covariates], axis=1), y)
        assert line["verdict"] == found.verdict
        assert line["is"] == found.coefficients[name]
        others = [each for each, kind in found.coefficients.items() if each != name and kind != "finite"]
        assert line["infinite"] == ", ".join(others)
        assert check(line["certificate"], found.design, found.target)
    assert {"+inf", "-inf"} & set(many["is"])
    alone = separation_many(sp.csr_array(columns.to_numpy()), y)
    assert alone["is"].tolist() == [separation(columns[[name]], y).coefficients[name] for name in columns]


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_command_and_both_checkers(tmp_path):
    data, proof, page = tmp_path / "ward.csv", tmp_path / "proof.json", tmp_path / "page.html"
    GROUP.to_csv(data, index=False)
    result = run("separation", data, "--target", "died", "-o", proof, "--report", page)
    assert result.exit_code == 1
    assert re.search(r"ward\[T\.c\]\s+\+∞", result.stdout)
    assert "ward[T.c]" in page.read_text(encoding="utf-8")
    checked = run("check", proof, data, "--target", "died")
    assert checked.exit_code == 0, checked.output
    alone = [sys.executable, "-I", "-S", CHECKER, proof, data, "--target", "died"]
    said = subprocess.run(alone, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    assert said == checked.stdout
    assert run("check", proof, data, "--target", "died", "--no-intercept").exit_code == 1


def test_the_command_with_a_formula_and_counts(tmp_path):
    data, proof = tmp_path / "ward.csv", tmp_path / "proof.json"
    GROUP.to_csv(data, index=False)
    result = run("separation", data, "--formula", "died ~ ward*age", "--json", "-o", proof)
    assert json.loads(result.stdout)["coefficients"] == separation("died ~ ward*age", data=GROUP).coefficients
    assert run("check", proof, data, "--formula", "died ~ ward*age").exit_code == 0
    assert run("separation", data, "--formula", "died ~ age").exit_code == 0
    assert run("separation", data, "--target", "age", "--family", "poisson", "-o", proof).exit_code == 0
    assert run("check", proof, data, "--target", "age").exit_code == 0
    wrong = run("separation", data, "--formula", "died ~ wart")
    assert wrong.exit_code == 2
    assert "did you mean 'ward'" in wrong.output
    assert run("separation", data, "--formula", "died ~ age", "--target", "died").exit_code == 2
    assert run("separation", data, "--target", "dyed").exit_code == 2


def forged(X, y, fields, **options):
    """What the checker says of a proof in which some fields were changed, sealed again."""
    proof = deepcopy(separation(X, y, **options).certificate.proof) | fields
    proof["seal"] = seal(proof)
    return check(proof, X, y, **options).finding


TOUCHING = [[0], [1], [1], [2]], [0, 0, 1, 1]
"""z = (0, -1), (-1, -1), (1, 1), (2, 1): the slope is +∞ and the intercept −∞, the two rows at 1 are tied."""
FREE = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1]
"""z = (0, 0, -1), (0, -1, -1), (1, 0, 1), (1, 1, 1): the second coefficient may have either sign."""


def test_rows_that_are_not_tied_do_not_make_estimates_finite():
    whole = separation(*TOUCHING).certificate.proof["constant"]
    fields = {"hull": whole, "coefficients": ["finite", "finite"], "forced": {}}
    assert "has a row that is not tied" in forged(*TOUCHING, fields)


def test_weights_that_are_not_positive_tie_nothing():
    whole = separation(*TOUCHING).certificate.proof["constant"]
    cover = {"weights": {"0": "-1", "1": "3", "2": "1", "3": "1"}, "rest": "1"}
    fields = {"verdict": "overlap", "plane": {}, "planes": [], "rows": [], "cover": cover, "hull": whole}
    found = forged(*TOUCHING, fields | {"coefficients": ["finite", "finite"], "forced": {}})
    assert "a weight of the cover is not positive" in found
    zero = {"weights": {str(k): str(v) for k, v in enumerate((1, 2, 1, 1))}, "rest": "1"}
    found = forged(*TOUCHING, fields | {"cover": zero, "coefficients": ["finite", "finite"], "forced": {}})
    assert "do not sum to zero" in found


@pytest.mark.parametrize("combination", [{"2": "-1", "3": "1"}, {"3": "1"}, {"2": "1"}])
def test_a_sign_is_forced_by_positive_weights_only(combination):
    proof = separation(*FREE).certificate.proof
    assert proof["coefficients"][1] == "undetermined"
    forced = proof["forced"] | {"1": {"times": "1", "combination": combination}}
    fields = {"coefficients": [proof["coefficients"][0], "+inf", *proof["coefficients"][2:]], "forced": forced}
    assert "coefficient 1 is not proved to be +inf" in forged(*FREE, fields)


def test_a_sign_needs_a_direction_that_has_it():
    X, y = [[0, 0], [0, 1], [0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0, 1, 1]
    proof = separation(X, y).certificate.proof
    assert proof["coefficients"] == ["+inf", "finite", "finite"]
    forced = proof["forced"] | {"1": {"times": "1", "combination": {}}}
    fields = {"coefficients": ["+inf", "+inf", "finite"], "forced": forced}
    assert "coefficient 1 is not proved to be +inf" in forged(X, y, fields)


def test_a_row_of_a_positive_count_is_on_every_plane():
    X, y = [[0], [1], [2]], [1, 1, 0]
    fields = {
        "verdict": "quasi-complete",
        "plane": {"0": "-1"},
        "rows": [2],
        "cover": {"weights": {}, "rest": "0"},
        "hull": {"basis": {"0": {"0": "1"}}, "combinations": {"1": {"0": "1"}}},
        "coefficients": ["-inf", "finite"],
        "forced": {"0": {"times": "2", "combination": {"2": "1"}}},
    }
    assert "row 1, of a positive count, is not on the plane" in forged(X, y, fields, family="poisson")


def test_the_rows_of_a_space_are_zero_on_its_vectors():
    X, y = [[1], [1], [1], [1]], [0, 1, 0, 1]
    fields = {
        "hull": {"basis": {"0": {"0": "1"}}, "combinations": {"1": {"1": "1"}}},
        "coefficients": ["aliased", "finite"],
    }
    assert "a row of 'hull' is not zero on a vector of it" in forged(X, y, fields)
    fields = {"constant": fields["hull"], "coefficients": ["aliased", "finite"]}
    assert "does not satisfy a relation" in forged(X, y, fields)


def test_a_vector_has_its_column_alone():
    X, y = [[1, 0], [1, 1], [-1, 0]], [1, 1, 0]
    both = {"0": {"0": "1", "1": "1"}, "1": {"0": "1", "1": "1"}}
    proof = separation(X, y, fit_intercept=False).certificate.proof
    fields = {
        "hull": {"basis": both, "combinations": {}},
        "coefficients": ["+inf", "+inf"],
        "planes": [*proof["planes"], {"0": "2", "1": "1"}],
        "forced": {"0": {"times": "1", "combination": {"0": "1"}}, "1": {"times": "1", "combination": {"0": "1"}}},
    }
    assert "does not have its column alone" in forged(X, y, fields, fit_intercept=False)


def test_a_plane_of_the_list_has_no_row_wrong():
    fields = {"planes": [{"1": "1"}], "coefficients": ["+inf", "undetermined"]}
    assert "needs every margin >= 0" in forged(*TOUCHING, fields)


def test_columns_that_depend_on_others_are_not_called_undetermined():
    X, y = [[0, 0], [1, 2], [2, 4], [3, 6]], [0, 0, 1, 1]
    proof = separation(X, y).certificate.proof
    planes = [*proof["planes"], {"0": "99", "1": "-49", "2": "-2"}, {"0": "-99", "1": "50", "2": "-2"}]
    fields = {"planes": planes, "coefficients": ["undetermined", "undetermined", proof["coefficients"][2]]}
    assert "coefficient 0 is not proved to be undetermined" in forged(X, y, fields)


# A checker of regressions, written from docs/certificate-format.md alone: what it needs is on that page.


def rows_of_the_page(proof, X, labels):
    """{number: (row posed, whether it is free)}."""
    posed, classes = {}, proof["classes"]
    for i, (given, label) in enumerate(zip(X, labels, strict=True)):
        x = [*map(Fraction, given), *[Fraction(1)] * proof["fit_intercept"]]
        if classes is None:
            posed[i] = [v if Fraction(label) else -v for v in x], Fraction(label) != 0
            continue
        a, m = classes.index(label), len(x)
        for t, b in enumerate(k for k in range(len(classes)) if k != a):
            z = [Fraction(0)] * ((len(classes) - 1) * m)
            for k, sign in ((a, 1), (b, -1)):
                if k:
                    z[(k - 1) * m : k * m] = [sign * v for v in x]
            posed[i * (len(classes) - 1) + t] = z, False
    return posed


def dot_of(z, vector):
    return sum((z[int(j)] * int(v) for j, v in vector.items()), Fraction(0))


def sum_of(posed, weights, width):
    return [sum((int(w) * posed[int(i)][0][k] for i, w in weights.items()), Fraction(0)) for k in range(width)]


def is_all_of_it(posed, space, width, barred):
    """The four points of "A space is all of it", but for the rows of constant that no combination names."""
    basis, combinations = space["basis"], space["combinations"]
    alone = all({g for g in basis if g in v} == {j} for j, v in basis.items())
    used = {int(i) for weights in combinations.values() for i in weights}
    keys = [str(k) for k in range(width) if str(k) not in basis]
    zero = all(dot_of(posed[i][0], v) == 0 for i in used for v in basis.values())
    if not (alone and zero and set(combinations) == set(keys) and len(used) <= width and not used & barred):
        return False
    sizes = {k: max((abs(posed[i][0][int(k)]) for i in used), default=0) for k in keys}
    for j in keys:
        total = sum_of(posed, combinations[j], width)
        parts = {k: abs(total[int(k)]) / sizes[k] for k in keys if total[int(k)]}
        if not parts.get(j, 0) > sum(part for k, part in parts.items() if k != j):
            return False
    return True


def accepted_by_the_page(proof, X, labels):
    posed, width = rows_of_the_page(proof, X, labels), len(proof["coefficients"])
    planes = [proof["plane"], *proof["planes"]]
    in_cone = all(dot_of(z, w) == 0 if free else dot_of(z, w) >= 0 for z, free in posed.values() for w in planes)
    right = {i for i, (z, _) in posed.items() if dot_of(z, proof["plane"]) > 0}
    tied = posed.keys() - right
    verdict = "overlap" if not right else "quasi-complete" if tied else "complete"
    weights, rest = proof["cover"]["weights"], int(proof["cover"]["rest"])
    strict = {i for i in tied if not posed[i][1]}
    cover = dict.fromkeys(strict, rest) | {int(i): int(w) for i, w in weights.items()}
    covered = all(w > 0 for i, w in cover.items() if not posed[i][1]) and rest >= 0 and bool(rest) == bool(strict)
    constant, hull = proof["constant"], proof["hull"]
    flat = all(dot_of(z, v) == 0 for z, _ in posed.values() for v in constant["basis"].values())
    proved = [
        in_cone and proof["rows"] == sorted(right) and bool(right) == bool(proof["plane"]),
        verdict == proof["verdict"] and covered and not any(sum_of(posed, cover, width)),
        flat and is_all_of_it(posed, constant, width, set()) and is_all_of_it(posed, hull, width, right),
    ]
    return all(proved) and all(
        kind == kind_on_the_page(proof, posed, str(j), width, planes) for j, kind in enumerate(proof["coefficients"])
    )


def kind_on_the_page(proof, posed, j, width, planes):
    signs = {int(w[j]) > 0 for w in planes if j in w}
    if any(j in v for v in proof["constant"]["basis"].values()):
        return "aliased"
    if not any(j in v for v in proof["hull"]["basis"].values()):
        return "finite"
    if signs == {True, False}:
        return "undetermined"
    sign, said = (1 if True in signs else -1), proof["forced"][j]
    total = sum_of(posed, said["combination"], width)
    positive = all(int(w) > 0 for i, w in said["combination"].items() if not posed[int(i)][1])
    same = all(
        dot_of(total, v) == sign * int(said["times"]) * int(v.get(j, 0)) for v in proof["hull"]["basis"].values()
    )
    return ("+inf" if sign > 0 else "-inf") if positive and same and int(said["times"]) > 0 else "nothing"


def test_the_page_on_the_format_is_all_that_a_checker_needs():
    for number in range(60):
        case = campaign.make(7, number)
        proof = separation(
            case["X"], case["y"], family=case["family"], fit_intercept=case["fit_intercept"]
        ).certificate.proof
        assert accepted_by_the_page(proof, case["X"], [str(label) for label in case["y"]])
        for changed in swaps(proof):
            assert not accepted_by_the_page(changed, case["X"], [str(label) for label in case["y"]])


def mixed(n=60, seed=0):
    """A frame in which nothing separates."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": rng.normal(size=n), "g": rng.integers(0, 2, n), "e": rng.random(n)})
    frame["y"] = (rng.random(n) < 1 / (1 + np.exp(-frame.x))).astype(int)
    frame["c"] = rng.poisson(np.exp(0.3 * frame.x))
    return frame


@pytest.mark.filterwarnings("ignore::statsmodels.tools.sm_exceptions.PerfectSeparationWarning")
def test_proportions_are_trials():
    x = sm.add_constant(pd.DataFrame({"x": [0, 0, 1, 1.0]}))
    model = sm.GLM([0.25, 0.25, 0.75, 0.75], x, family=sm.families.Binomial())
    found = separation(model)
    assert found.coefficients == {"x": "finite", "(Intercept)": "finite"}
    assert found.estimates["x"] == pytest.approx(model.fit().params.iloc[1])
    weighted = sm.GLM([0.2, 0.4, 0.6, 0.9], x, family=sm.families.Binomial(), var_weights=[10, 5, 5, 10])
    found, fitted = separation(weighted), weighted.fit()
    assert found.estimates["x"] == pytest.approx(fitted.params.iloc[1])
    assert found.standard_errors["x"] == pytest.approx(fitted.bse.iloc[1])


def test_weights_of_a_model_count():
    x = sm.add_constant(pd.DataFrame({"x": [0, 0, 1, 1.0]}))
    for name in ("freq_weights", "var_weights"):
        model = sm.GLM([0, 0, 1, 0], x, family=sm.families.Binomial(), **{name: [1, 1, 1, 0.0]})
        assert separation(model).verdict == "complete"


@pytest.mark.filterwarnings("ignore::statsmodels.tools.sm_exceptions.DomainWarning")
@pytest.mark.parametrize("link", ["Identity", "Log", "Cauchy"])
def test_links_outside_of_the_theory_are_refused(link):
    family = sm.families.Binomial(getattr(sm.families.links, link)())
    with pytest.raises(ValueError, match=f"no rows for the model GLM {link}"):
        separation(smf.glm("y ~ x", mixed(), family=family))


def test_estimates_of_another_model_are_not_given_as_its_own():
    frame = mixed()
    models = [
        smf.probit("y ~ x", frame),
        smf.glm("y ~ x", frame, family=sm.families.Binomial(), offset=frame.e),
        smf.glm("c ~ x", frame, family=sm.families.NegativeBinomial(alpha=1.0)),
        sm.NegativeBinomial(frame.c, sm.add_constant(frame[["x"]])),
    ]
    for model in models:
        found = separation(model)
        assert found.finite
        assert found.estimates == {}
        assert "take their values from it" in found.summary()
    plain = smf.glm("c ~ x", frame, family=sm.families.Poisson())
    assert separation(plain).estimates["x"] == pytest.approx(plain.fit().params["x"])


def test_what_a_model_or_a_formula_says_is_not_said_twice():
    frame = mixed()
    model = smf.logit("y ~ x", frame)
    for call in (
        lambda: separation(model, 1 - frame.y),
        lambda: separation(model, sample_weight=frame.e),
        lambda: separation(model, family="poisson"),
        lambda: separation("y ~ x", frame.y, data=frame),
        lambda: separation("y ~ x", data=frame, fit_intercept=False),
    ):
        with pytest.raises(ValueError, match=r"leave (them|the others) out"):
            call()


def test_the_first_category_of_a_response_is_the_reference():
    dose = pd.DataFrame({"dose": [1, 2, 3, 4]})
    level = pd.Series(pd.Categorical(["low", "low", "high", "high"], categories=["low", "high"], ordered=True))
    found = separation(dose, level)
    assert found.coefficients["dose"] == "+inf"
    assert "of high against the reference low" in found.summary()


def test_rows_of_a_model_are_numbered_as_its_data():
    frame = pd.DataFrame({"x": [np.nan, 0, 0, 0, 1, 1, 1, 1], "y": [1, 0, 1, 0, 1, 1, 1, 1]})
    assert separation(smf.logit("y ~ x", frame)).rows.tolist() == [4, 5, 6, 7]


def test_columns_far_from_zero_and_light_weights():
    rng = np.random.default_rng(5)
    k = np.arange(200)
    y = (rng.random(200) < 1 / (1 + np.exp(-(k - 100) / 50))).astype(int)
    near, far = separation(k[:, None], y), separation((k + 1.7e9)[:, None], y)
    assert far.estimates["0"] == pytest.approx(near.estimates["0"], rel=1e-6)
    assert far.standard_errors["0"] == pytest.approx(near.standard_errors["0"], rel=1e-6)
    assert near.estimates["(Intercept)"] == pytest.approx(
        sm.Logit(y, sm.add_constant(k)).fit(disp=0).params[0], rel=1e-5
    )
    light = separation(k[:, None], y, sample_weight=np.full(200, 1e-12))
    assert light.estimates["0"] == pytest.approx(near.estimates["0"], rel=1e-6)
    assert light.standard_errors["0"] == pytest.approx(1e6 * near.standard_errors["0"], rel=1e-6)


def test_a_formula_without_an_intercept_is_checked(tmp_path):
    frame = mixed()
    found = separation("y ~ 0 + x + g", data=frame)
    assert check(found, found.design, found.target)
    assert not check(found, found.design, found.target, fit_intercept=True)
    frame.to_csv(tmp_path / "m.csv", index=False)
    formula = ["--formula", "y ~ 0 + x + g"]
    assert run("separation", tmp_path / "m.csv", *formula, "-o", tmp_path / "p.json").exit_code == 0
    assert run("check", tmp_path / "p.json", tmp_path / "m.csv", *formula).exit_code == 0
    assert run("check", tmp_path / "p.json", tmp_path / "m.csv", "--formula", "y ~ x + g").exit_code == 1


def test_frames_of_other_kinds():
    import polars as pl

    frame = separation(GROUP[["ward", "age"]], GROUP["died"])
    assert (
        separation(pl.from_pandas(GROUP[["ward", "age"]]), pl.Series(GROUP["died"])).coefficients == frame.coefficients
    )
    assert separation("died ~ ward + age", data=pl.from_pandas(GROUP)).coefficients == frame.coefficients
    assert separation("died ~ .", data=GROUP).coefficients == frame.coefficients
    assert separation(GROUP["age"], GROUP["died"]).coefficients.keys() == {"age", "(Intercept)"}
    assert separation("died ~ age", data=GROUP.to_dict("list")).finite
    labelled = sm.MNLogit(np.array(["a", "b", "c"] * 20), sm.add_constant(mixed()[["x"]]))
    assert "b: x" in separation(labelled).coefficients


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: separation(pd.DataFrame([[0, 1], [1, 0]], columns=["x", "x"]), [0, 1]), "called 'x'"),
        (lambda: separation(np.empty((0, 2)), []), "no row"),
        (lambda: separation("died ~ when", data=GROUP.assign(when=pd.Timestamp("2020-01-01"))), "dates"),
        (lambda: separation(sm.OLS(GROUP["died"], GROUP[["age"]])), "no rows for the model OLS"),
    ],
)
def test_more_bad_input_is_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ("I('a)", "could not be read: unterminated string literal"),
        ("{age +}", "could not be read: invalid syntax"),
        ("ward | age", "has several parts: a regression has one"),
        ("C(ward, levels=['a'])", "could not be read: Data has categories outside of the nominated levels"),
    ],
)
def test_a_formula_that_cannot_be_meant_is_refused_in_one_sentence(tmp_path, terms, words):
    data = tmp_path / "trial.csv"
    GROUP.to_csv(data, index=False)
    refused = run("separation", data, "--formula", f"died ~ {terms}")
    assert refused.exit_code == 2
    assert words in " ".join(refused.stderr.split())
    with pytest.raises(ValueError, match=re.escape(words)):
        separation(f"died ~ {terms}", data=GROUP)


@pytest.mark.parametrize(
    "terms", ["(x + z)^99999999", "x^99999999999", "*".join("abcdefghijklmnopqrstuvwxyz"), "+ .^9 "]
)
def test_a_formula_cannot_ask_for_more_terms_than_memory_holds(terms):
    data = pd.DataFrame({name: [0, 1, 1, 2] for name in "yabcdefghijklmnopqrstuvwxz"} | {"y": [0, 1, 0, 1]})
    with pytest.raises(ValueError, match="more than 100,000 terms"):
        separation(f"y ~ {terms}", data=data)


def test_a_name_of_a_column_is_no_code(tmp_path):
    """What stands between backquotes in a formula is a name; outside of them it is code."""
    told = tmp_path / "told"
    name = f"z` + {{open({str(told)!r}, 'w').write('x')}} + `z"
    data = pd.DataFrame({"y": [0, 1, 0, 1, 0, 1], name: [1, 2, 3, 1, 2, 4], "z": [2, 1, 3, 5, 7, 4]})
    with pytest.raises(ValueError, match="has a backquote in its name"):
        separation("y ~ .", data=data)
    assert not told.exists()
    data.columns = ["y", "a . b", r"c\1d"]
    assert list(separation("y ~ .", data=data).coefficients) == ["a . b", r"c\1d", "(Intercept)"]
    assert list(separation("y ~ `a . b`", data=data).coefficients) == ["a . b", "(Intercept)"]


def test_the_command_that_checks_a_proof_of_a_formula_that_is_code_has_the_formula(tmp_path):
    data, proof = tmp_path / "trial.csv", tmp_path / "proof.json"
    GROUP.to_csv(data, index=False)
    told = run("separation", data, "--formula", "died ~ ward + np.log(age)", "-o", proof).stdout
    again = shlex.split(" ".join(told.split("check it with:")[1].split()))
    assert again[:2] == ["novikoff", "check"]
    assert run(*again[1:]).exit_code == 0
    assert "--formula" not in run("separation", data, "--formula", "died ~ ward + age", "-o", proof).stdout


@pytest.mark.parametrize("size", [1e3, 1e6, 1e8, 1e12])
def test_large_counts_have_the_estimates_of_small_ones(size):
    """Counts that are all so many times as large have the same slope, and an intercept larger by the logarithm."""
    x, counts = np.arange(12.0)[:, None], np.array([0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1])
    small, large = (separation(x, counts * c, family="poisson") for c in (1, size))
    assert large.estimates["0"] == pytest.approx(small.estimates["0"], rel=1e-9)
    assert large.estimates["(Intercept)"] == pytest.approx(small.estimates["(Intercept)"] + np.log(size), rel=1e-9)
    assert large.standard_errors["0"] == pytest.approx(small.standard_errors["0"] / np.sqrt(size), rel=1e-6)


def test_estimates_of_many_trials_are_told_to_the_digits_that_are_printed():
    found = separation([[0], [1]], [[1, 10**9], [10**9, 1]])
    assert found.estimates["0"] == pytest.approx(2 * np.log(1e9), rel=1e-12)


def test_trials_of_a_model_count_where_every_group_has_one_outcome():
    data = pd.DataFrame({"well": [3, 0, 2, 0], "ill": [0, 5, 0, 4], "x": [0.0, 1, 2, 3]})
    model = smf.glm("well + ill ~ x", data, family=sm.families.Binomial())
    found = separation(model)
    assert found.estimates == pytest.approx(separation("cbind(well, ill) ~ x", data=data).estimates)
    assert found.estimates["x"] == pytest.approx(model.fit().params["x"], rel=1e-5)


def test_a_newton_that_does_not_find_the_minimum_says_so():
    def falls_for_ever(beta):
        return float(-beta[0]), np.array([-1.0]), np.array([[1e-3]])

    assert not newton(falls_for_ever, 1)[2]


def test_no_coefficient_takes_the_name_of_another():
    with pytest.raises(ValueError, match="Two coefficients would be called '\\(Intercept\\)'"):
        separation(pd.DataFrame({"(Intercept)": range(12), "z": [0, 1] * 6}), [0] * 6 + [1] * 6)
    columns = pd.DataFrame({"b: c": range(9), "c": [0, 1, 2] * 3})
    with pytest.raises(ValueError, match="Two coefficients would be called"):
        separation(columns, ["a", "a: b", "x"] * 3, family="multinomial", reference="x")


def test_columns_that_only_rounding_tells_apart_are_said_so(tmp_path):
    """Shares add up to 1 but for the last digit, which is no predictor."""
    x = np.arange(12.0)
    data = pd.DataFrame({"x": x, "z": (x - x.mean()) / x.std(), "y": [0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0]})
    found = separation(data[["x", "z"]], data["y"])
    assert found.rounded == ["x", "z"]
    assert "but for the rounding of floats" in found.advice
    assert "nan" not in found.summary()
    random, separated = np.random.default_rng(0), 0
    for _ in range(60):
        parts = random.integers(1, 10, (14, 3)).astype(float)
        shares, y = parts / parts.sum(axis=1, keepdims=True), (random.random(14) < 0.3).astype(int)
        if len(set(y)) < 2 or separation(shares[:, :2], y).verdict != "overlap":
            continue
        found = separation(shares, y)
        separated += found.verdict != "overlap"
        assert found.rounded == ["0", "1", "2"] or "aliased" in found.coefficients.values()
        assert separation(shares[:, :2], y).rounded == []
    assert separated  # by rounding alone
    data["z"] = x * 0.18 + 32
    data.to_csv(tmp_path / "data.csv", index=False)
    for options in (["--target", "y"], ["--formula", "y ~ x + z"]):
        assert CliRunner().invoke(app, ["separation", str(tmp_path / "data.csv"), *options]).exit_code == 1


def test_advice_names_the_group_of_one_response():
    levels = pd.DataFrame({"g": list("aaabbbbccc")})
    assert separation(levels, [0, 0, 0, 0, 1, 1, 0, 1, 0, 1]).advice.startswith("g[reference] marks a group")
    assert separation(levels, [0, 1, 0, 0, 1, 1, 0, 1, 1, 1]).advice.startswith("g[T.c] marks a group")
    three = separation(levels, list("xxxyzyzxyz"), family="multinomial", reference="y").advice
    assert "reference" in three.split(" in which")[0]
    assert "[T." not in three.split(" in which")[0]
    one = pd.DataFrame({"g": [0] * 5 + [1] * 5})
    assert separation(one, [0] * 5 + [0, 1, 0, 1, 1]).advice.startswith("g = 0 marks a group")
    both = pd.DataFrame({"g": [0] * 8 + [1] * 8, "x": [-3, -2, -1, 0, 0, 1, 2, 3, 0, 1, 2, 3, 3, 4, 5, 6]})
    assert separation(both, [0, 0, 0, 0, 1, 1, 1, 1] * 2).advice.startswith("A combination of g, x tells")
    assert "the columns tell the response" in separation([[0], [1]], [[50, 0], [0, 50]]).advice
    zero = separation(np.c_[np.arange(12), np.zeros(12)], [0, 1] * 6, fit_intercept=False)
    assert "column 1 is 0 in every row" in zero.advice


@pytest.mark.parametrize("kind", [int, float, Decimal])
def test_numbers_as_objects_are_numbers(kind):
    data = pd.DataFrame({"x": pd.Series(list(map(kind, range(8))), dtype=object), "y": [0, 1, 0, 1, 1, 0, 0, 1]})
    assert list(separation(data[["x"]], data["y"]).coefficients) == ["x", "(Intercept)"]
    assert list(separation("y ~ x", data=data).coefficients) == ["x", "(Intercept)"]


def test_days_are_neither_numbers_nor_categories():
    y = [0, 1, 0, 1, 1, 0, 0, 1]
    for days in ([datetime.date(2020, 1, k) for k in range(1, 9)], pd.period_range("2020-01", periods=8, freq="M")):
        with pytest.raises(ValueError, match="dates or times"):
            separation(pd.DataFrame({"x": days}), y)
        with pytest.raises(ValueError, match="dates or times"):
            separation("y ~ x", data=pd.DataFrame({"x": days, "y": y}))


def test_levels_and_classes_that_do_not_occur_take_no_part():
    g = pd.Categorical(list("bbbccc"), categories=list("abc"))
    data = pd.DataFrame({"g": g, "y": [0, 1, 0, 1, 0, 1]})
    assert list(separation("y ~ g", data=data).coefficients) == list(separation(data[["g"]], data["y"]).coefficients)
    y = pd.Series(pd.Categorical(["mid", "lo", "hi", "lo", "mid", "hi"], categories=["no", "lo", "mid", "hi"]))
    found = separation(pd.DataFrame({"x": [1, 2, 3, 1, 3, 2]}), y, family="multinomial")
    assert found.classes == ["lo", "mid", "hi"]
    assert check(found, found.design, found.target)


def test_rows_in_two_orders_are_refused():
    x = pd.DataFrame({"x": range(12)})
    y = (x["x"] > 5).astype(int)
    with pytest.raises(ValueError, match="one index in two orders"):
        separation(x, y.sort_index(ascending=False))
    assert separation(x, y.sort_index(ascending=False).loc[x.index]).coefficients["x"] == "+inf"


def test_a_generalised_poisson_of_another_kind_is_refused():
    x, y = np.arange(6.0)[:, None], [1, 2, 0, 1, 0, 3]
    assert separation(sm.GeneralizedPoisson(y, x, p=1)).verdict == "overlap"
    with pytest.raises(ValueError, match="of GeneralizedPoisson p=1"):
        separation(sm.GeneralizedPoisson(y, x, p=2))


@pytest.mark.parametrize("form", [sp.coo_matrix, sp.dia_array, sp.bsr_array, sp.lil_array])
def test_sparse_rows_of_any_form_may_have_weights(form):
    X, y = np.c_[np.arange(12.0), np.arange(12) % 3], [0, 1, 1] * 4
    weights = [1, 2, 0] * 4
    assert separation(form(X), y, sample_weight=weights).estimates == pytest.approx(
        separation(X, y, sample_weight=weights).estimates
    )


def test_a_time_limit_is_a_number_of_seconds():
    for limit in (-1, "5"):
        with pytest.raises(ValueError, match="of separation must be a number of seconds or None"):
            separation([[0], [1]], [0, 1], time_limit=limit)


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("y ~ x + offset(np.log(t))", "has an offset, which changes no verdict"),
        ("cbind(y, n - y) ~ x", "cbind\\(successes, failures\\) of two"),
        ("I(y == 1) ~ x", "the left side is the name of a column"),
    ],
)
def test_formulas_of_r_that_are_not_taken_say_what_to_do(formula, said):
    data = pd.DataFrame({"x": range(4), "t": [1, 2, 1, 2], "n": [3] * 4, "y": [0, 1, 1, 0]})
    with pytest.raises(ValueError, match=said):
        separation(formula, data=data)


def test_a_reference_that_is_no_class_is_told_the_classes():
    with pytest.raises(ValueError, match="whose classes are 0, 1"):
        separation([[0], [1], [2]], [0, 1, 1], reference="none of them")


def test_a_formula_reads_a_file_as_the_target_does(tmp_path):
    """Dates and percentages are numbers, and rows without a value are left out if that is asked for."""
    table, proof = tmp_path / "data.csv", str(tmp_path / "proof.json")
    days = ["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04", "2020-01-05", "2020-01-07"]
    lines = zip([1, 0, 1, 0, 1, 0], days, ["12.5%", "10%", "11%", "30%", "4%", "5%"], [4, 5, "", 7, 6, 2], strict=True)
    table.write_text("y,day,share,age\n" + "".join(",".join(map(str, line)) + "\n" for line in lines))
    for options in (["--formula", "y ~ day + share"], ["--target", "y", "--drop", "age"]):
        told = CliRunner().invoke(app, ["separation", str(table), *options, "--json", "-o", proof])
        assert list(json.loads(told.stdout)["coefficients"]) == ["day", "share", "(Intercept)"]
        assert CliRunner().invoke(app, ["check", proof, str(table)]).exit_code == 0
    whole = ["separation", str(table), "--formula", "y ~ day + age", "-o", proof]
    assert "has no value" in CliRunner().invoke(app, whole).output
    told = CliRunner().invoke(app, [*whole, "--missing", "drop"])
    assert "1 row of" in told.output
    checked = CliRunner().invoke(app, ["check", proof, str(table)])
    assert "1 (2 rows) against the reference 0 (3 rows)" in checked.stdout
    assert checked.exit_code == 0


def test_a_scan_leaves_out_the_rows_without_a_value_column_by_column():
    random = np.random.default_rng(3)
    calls = pd.DataFrame(random.integers(0, 3, (40, 6)).astype(float), columns=[f"rs{k}" for k in range(6)])
    calls = calls.mask(random.random(calls.shape) < 0.2)
    y, age = random.integers(0, 2, 40), pd.DataFrame({"age": random.integers(20, 60, 40)})
    calls["all"] = np.nan
    found = separation_many(calls, y, age)
    assert found["missing"].tolist() == calls.isna().sum().tolist()
    assert found.loc["all", "verdict"] == "unknown"
    for name in list(calls)[:-1]:
        there = calls[name].notna()
        one = separation(pd.concat([calls.loc[there, [name]], age[there]], axis=1), y[there])
        assert (one.verdict, one.coefficients[name]) == tuple(found.loc[name, ["verdict", "is"]])
    arrays = separation_many(calls.to_numpy(), y, age.to_numpy())
    assert arrays["is"].tolist() == found["is"].tolist()
