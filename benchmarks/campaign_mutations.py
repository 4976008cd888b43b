"""Proofs changed and sealed again, put to the checker; what it accepts must be true of the question that was posed."""

import copy
import functools
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import campaign_truth as exact
from campaign_questions import FAMILIES, labels, posed, put_to_check, touch_up

import novikoff
from novikoff.certificates import check
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.check import seal

PER_BASE = 20
"""Mutations of one proof before another is made."""
ODD = (
    "",
    " 1",
    "+1",
    "-0",
    "00",
    "0x0",
    "0x1",
    "1_0",
    "٣",
    "1.0",
    "1e3",
    "0b1",
    "1/0",
    "1/1",
    "2/2",
    "-1",
    "nan",
    "0",
    "1",
)
WRONG = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.0,
    1.5,
    10**30,
    "",
    "0",
    [],
    {},
    [[]],
    {"0": 1},
    [None],
    float("nan"),
    "x" * 300,
)
LONG = ("9" * 300, "0x" + "f" * 5000, "1" + "0" * 4200, "1/" + "7" * 500, "9" * 400 + "/7")
FACTORS = (
    1 + Fraction(1, 10**15),
    1 - Fraction(1, 10**15),
    Fraction(1, 2),
    2,
    0,
    -1,
    Fraction(10**12),
    1 + Fraction(1, 2**60),
)
HIGHEST = 100
"""The highest degree of a polynomial that is judged."""
Change = Callable[[Random, dict[str, Any], dict[str, Any]], Any]


def make(seed: int, number: int) -> dict[str, Any]:
    """A question, and a proof that was changed in one to four ways and, nearly always, sealed again."""
    random = Random(f"mutations/{seed}/{number}")
    base = base_case(seed, number // PER_BASE)
    proof = copy.deepcopy(random.choice(base["proofs"]) if random.random() < 0.8 else base["proofs"][0])
    other = random.choice(
        base["proofs"] if random.random() < 0.5 else base_case(seed, number // PER_BASE + 1)["proofs"]
    )
    made = []
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        name = random.choice(NAMES)
        try:
            proof = CHANGES[name](random, proof, copy.deepcopy(other)) or proof
        except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, MemoryError):
            continue  # an earlier change left nothing to change here
        made.append(name)
    if random.random() < 0.8:
        mend_digests(proof, base["X"], base["y"])
    text = sealed(proof, random)
    if random.random() < 0.08:
        text = with_key_twice(random, text)
        made.append("key twice")
    return {name: base[name] for name in ("X", "y", "options", "asked")} | {"made": made, "proof": text}


@functools.lru_cache(maxsize=4)
def base_case(seed: int, number: int) -> dict[str, Any]:
    """A small question with the proofs of it and of questions near by: another intercept, kernel, or labels."""
    random = Random(f"bases/{seed}/{number}")
    options = draw_question(random)
    families = ("int", "int", "zero-one", "decimal", "tenths", "tiny margin", "gauss", "huge", "subnormal")
    family = random.choice(families[:-2] if "kernel" in options else families)
    n, d = random.randint(2, 7), random.randint(1, 3)
    X = [[FAMILIES[family](random) for _ in range(d)] for _ in range(n)]
    y = [min(c, 1) for c in labels(random, X)]
    touch_up(random, X, y)
    y[0] = y[0] if len(set(y)) > 1 else 1 - y[0]
    if n > 3 and random.random() < 0.2:
        y[-1] = 2
    y = y if len(set(y)) > 1 else [0, *[1] * (n - 1)]
    near = [
        options,
        options | {"fit_intercept": not options["fit_intercept"]},
        {"fit_intercept": options["fit_intercept"]},
        options | {"quasi": False},
        {"fit_intercept": True, "kernel": random.choice(("poly", "rbf")), "gamma": "1/2"},
    ]
    proofs = [proof for each in near for proof in proofs_of(X, y, each)]
    proofs += proofs_of(X, [1 - c if c < 2 else c for c in y], options) + proofs_of(X, y[1:] + y[:1], options)
    return {"X": X, "y": y, "options": options, "asked": 0, "proofs": proofs}


def draw_question(random: Random) -> dict[str, Any]:
    """How the question is asked."""
    options: dict[str, Any] = {"fit_intercept": random.random() < 0.7}
    if random.random() < 0.3:
        options |= {"kernel": random.choice(("poly", "poly", "rbf")), "gamma": random.choice(("1", "1/2"))}
    return options


def proofs_of(X: Any, y: Any, options: dict[str, Any]) -> list[Any]:
    """The proofs of what is asked, if there are any."""
    if len(set(y)) < 2:
        return []
    answers = novikoff.certify(X, y, **options)
    each = [answers] if isinstance(answers, Certificate) else list(answers.values())
    return [json.loads(json.dumps(answer.proof)) for answer in each if answer.proof is not None]


# The changes: each alters the proof it is given, or gives back another.


def change_text(random: Random, text: Any) -> str:
    """A number near by, or a text that is none."""
    chance = random.random()
    if chance < 0.15:
        return random.choice(ODD)
    if chance < 0.2:
        return random.choice(LONG)
    value = exact.number(text)
    value = random.choice((value + 1, value - 1, -value, 2 * value, value * random.choice(FACTORS)))
    return str(value) if random.random() < 0.9 else hex(int(value))


def change_vector(random: Random, texts: dict[str, str], limit: int) -> None:
    """One entry more, fewer or other; or all times a number."""
    kind = random.choice(("other", "more", "fewer", "all", "sign", "place"))
    places = list(texts)
    if kind == "more" or not places:
        texts[str(random.randint(-1, limit))] = str(random.randint(-2, 3))
    elif kind == "fewer":
        del texts[random.choice(places)]
    elif kind == "place":
        key = random.choice(places)
        texts[random.choice((f" {key}", f"0{key}", f"+{key}", f"{key}.0", "٠", str(int(key) + 1)))] = texts.pop(key)
    elif kind == "other":
        key = random.choice(places)
        texts[key] = change_text(random, texts[key])
    else:
        factor = -1 if kind == "sign" else random.choice((2, 3, 10**20))
        for key in places:
            texts[key] = str(int(texts[key], 0) * factor)


def change_in(*way: str) -> Change:
    """A change of the vector that is found on this way."""

    def change(random: Random, proof: dict[str, Any], other: Any) -> None:
        place: Any = proof
        for step in way:
            place = place[step]
        change_vector(random, place, max(proof["data"]["rows"], proof["data"]["columns"]))

    return change


def change_number(*way: str) -> Change:
    """A change of the number that is found on this way."""

    def change(random: Random, proof: dict[str, Any], other: Any) -> None:
        place: Any = proof
        for step in way[:-1]:
            place = place[step]
        place[way[-1]] = change_text(random, place[way[-1]])

    return change


def change_verdict(random: Random, proof: dict[str, Any], other: Any) -> None:
    proof["verdict"] = random.choice(("separable", "quasi-separable", "inseparable", "unknown", "Separable", None))


def change_rows(random: Random, proof: dict[str, Any], other: Any) -> None:
    n = proof["data"]["rows"]
    proof["rows"] = random.choice(
        ([], list(range(n)), proof["rows"][::-1], proof["rows"][1:], [*proof["rows"], n], [float(i) for i in range(n)])
    )


def change_collinear(random: Random, proof: dict[str, Any], other: Any) -> None:
    d = proof["data"]["columns"]
    if proof["collinear"] and random.random() < 0.5:
        change_vector(random, random.choice(proof["collinear"]), d)
    else:
        relation = {str(random.randint(0, d)): str(random.randint(-1, 1))}
        proof["collinear"] = random.choice(([], [{}], [relation], [relation, *proof["collinear"]], [{}] * 1000))


def change_classes(random: Random, proof: dict[str, Any], other: Any) -> None:
    kind = random.choice(("swap", "rest", "nobody", "same", "number", "odd"))
    if kind == "swap":
        proof["positive"], proof["negative"] = proof["negative"], proof["positive"]
    else:
        new = {"rest": None, "nobody": "unicorn", "same": proof["positive"], "number": 0, "odd": " 1"}[kind]
        proof[random.choice(("positive", "negative"))] = new


def forge_nobody(random: Random, proof: dict[str, Any], other: Any) -> None:
    """All rows on one side: a plane that is an intercept, or any number of rows."""
    d, side = proof["data"]["columns"], random.choice((1, -1))
    proof.update(
        verdict="separable",
        kernel=None,
        fit_intercept=True,
        plane={str(d): str(side)},
        rows=[],
        witness={},
        collinear=[],
        cover={"weights": {}, "rest": "0"},
        margin={"lo": "1/1000000", "hi": "1000000", "radius": "1000000", "mistake_bound": str(10**24)},
    )
    proof["margin"]["combination"] = {"0": "1"}
    proof["positive" if side < 0 else "negative"] = random.choice(("nobody", None, "", proof["positive"]))


def change_intercept(random: Random, proof: dict[str, Any], other: Any) -> None:
    proof["fit_intercept"] = random.choice((not proof["fit_intercept"], None, 1, "true"))


def change_kernel(random: Random, proof: dict[str, Any], other: Any) -> None:
    if proof["kernel"] is None or random.random() < 0.2:
        proof["kernel"] = random.choice(
            (None, other["kernel"], {"name": "poly", "gamma": "1", "degree": 1, "coef0": "0"})
        )
        return
    name = random.choice(list(proof["kernel"]))
    values = {
        "name": ("poly", "rbf", "linear", "sigmoid", None),
        "degree": (0, 1, 2, 3, 7, -1, 2.0, True, "2", 100, 10**5, 10**6, 10**9, 10**30),
        "gamma": ("0", "-1", "1", "1/2", "3", "1000000", "1e5", "100000", "1/" + "9" * 50, "9" * 30),
        "coef0": ("0", "-1", "1", "1/2", "3", "1000000", "-1/3"),
    }
    proof["kernel"][name] = random.choice(values.get(name, WRONG))


def change_shape(random: Random, proof: dict[str, Any], other: Any) -> None:
    name, data = random.choice(("rows", "columns")), proof["data"]
    data[name] = random.choice(
        (data[name] + 1, data[name] - 1, 0, -1, 10**30, float(data[name]), True, str(data[name]))
    )


def change_numbers(random: Random, proof: dict[str, Any], other: Any) -> None:
    proof["numbers"] = random.choice(("decimal", "float64", "float32", None))


def take_field(random: Random, proof: dict[str, Any], other: dict[str, Any]) -> None:
    """A field, or some, of another certificate."""
    for name in random.sample(list(other), random.choice((1, 1, 2, 3, 5))):
        proof[name] = other[name]


def take_claim(random: Random, proof: dict[str, Any], other: dict[str, Any]) -> None:
    """All that another certificate claims, under this heading; or the other way round."""
    heading = ("positive", "negative", "fit_intercept", "kernel", "numbers", "data")
    keep = heading if random.random() < 0.5 else heading[: random.randint(0, 6)]
    proof.update({name: value for name, value in other.items() if name not in keep})


def add_field(random: Random, proof: dict[str, Any], other: Any) -> None:
    place = random.choice([proof, proof["data"], proof["cover"], proof["margin"] or proof, proof["kernel"] or proof])
    place[random.choice(("note", "Verdict", "verdict ", "", "x" * 50, "rest", "degree"))] = random.choice(WRONG)


def drop_field(random: Random, proof: dict[str, Any], other: Any) -> None:
    place = random.choice([proof, proof, proof["data"], proof["cover"], proof["margin"] or proof])
    del place[random.choice(list(place))]


def change_type(random: Random, proof: dict[str, Any], other: Any) -> None:
    """Any value, however deep, as one of a wrong type."""
    place, key = random.choice(list(places_in(proof)))
    place[key] = random.choice(WRONG)


def change_leaf(random: Random, proof: dict[str, Any], other: Any) -> None:
    """Any text as another one."""
    found = [(place, key) for place, key in places_in(proof) if isinstance(place[key], str)]
    place, key = random.choice(found)
    place[key] = change_text(random, place[key])


def places_in(value: Any) -> Any:
    """(container, key) of everything inside."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places_in(value[key])


def change_version(random: Random, proof: dict[str, Any], other: Any) -> None:
    proof[random.choice(("version", "format"))] = random.choice((1, 2, 3, 4, 2.0, 3.0, "3", True, "novikoff", None))


def change_data(random: Random, proof: dict[str, Any], other: Any) -> None:
    name = random.choice(("values", "signs"))
    proof["data"][name] = random.choice((proof["data"][name].upper(), "0" * 64, other["data"][name], None))


def change_names(random: Random, proof: dict[str, Any], other: Any) -> None:
    proof["names"] = random.choice((None, [], ["a"] * proof["data"]["columns"], ["a"] * 50, "abc", [1, None], {"a": 1}))


def nest_deep(random: Random, proof: dict[str, Any], other: Any) -> None:
    nested: Any = []
    for _ in range(random.choice((50, 300))):
        nested = [nested]
    proof[random.choice(list(proof))] = nested


def wrap(random: Random, proof: dict[str, Any], other: Any) -> Any:
    """Something else around or instead of the proof."""
    return random.choice(({"proof": proof}, {}, proof | {"seal": None}))


CHANGES: dict[str, Change] = {
    "verdict": change_verdict,
    "plane": change_in("plane"),
    "witness": change_in("witness"),
    "cover": change_in("cover", "weights"),
    "rest": change_number("cover", "rest"),
    "rows": change_rows,
    "lo": change_number("margin", "lo"),
    "hi": change_number("margin", "hi"),
    "radius": change_number("margin", "radius"),
    "mistake_bound": change_number("margin", "mistake_bound"),
    "combination": change_in("margin", "combination"),
    "collinear": change_collinear,
    "classes": change_classes,
    "all on one side": forge_nobody,
    "intercept": change_intercept,
    "kernel": change_kernel,
    "shape": change_shape,
    "numbers": change_numbers,
    "field of another": take_field,
    "claim of another": take_claim,
    "field more": add_field,
    "field fewer": drop_field,
    "type": change_type,
    "text": change_leaf,
    "version": change_version,
    "digest": change_data,
    "names": change_names,
    "deep": nest_deep,
    "wrapped": wrap,
}


FORM = (
    "field more",
    "field fewer",
    "type",
    "text",
    "version",
    "digest",
    "names",
    "deep",
    "wrapped",
    "numbers",
    "shape",
)
NAMES = [*FORM, *(name for name in CHANGES if name not in FORM for _ in range(3))]
"""What changes the meaning comes more often than what changes the form."""


def mend_digests(proof: Any, X: Any, y: list[Any]) -> None:
    """The digests that fit the data and the classes that the proof names, as who lies on purpose would write them."""
    try:
        a, b = proof["positive"], proof["negative"]
        signs = [1 if str(c) == a else -1 if b in (None, str(c)) else 0 for c in y]
        proof["data"] |= exact.digests(X, signs, proof["numbers"])
    except (KeyError, TypeError, ValueError):
        return


def sealed(proof: Any, random: Random) -> str:
    """The JSON text, with a seal that fits nearly always."""
    if random.random() < 0.98 and proof.get("seal", "") is not None:
        proof.pop("seal", None)
        try:
            proof["seal"] = seal(proof)
        except (ValueError, TypeError):
            text = json.dumps(proof, sort_keys=True, separators=(",", ":"))
            proof["seal"] = hashlib.sha256(text.encode()).hexdigest()
    return json.dumps(proof)


def with_key_twice(random: Random, text: str) -> str:
    """A key that stands there twice, first or last with another value; the seal is that of the last one."""
    proof = json.loads(text)
    if not proof:
        return text
    key = random.choice(list(proof))
    extra = json.dumps(random.choice((proof[key], *WRONG[:6], "separable")))
    return (
        text[:-1] + f', "{key}": {json.dumps(proof[key])}}}'
        if random.random() < 0.5
        else f'{{"{key}": {extra}, {text[1:]}'
    )


# The judgement.


def judge(case: dict[str, Any]) -> tuple[Counter[str], list[tuple[str, str]]]:
    """Put a proof to the checker, and again as if of very many columns; if it is accepted, see whether it is true."""
    counts = Counter({"mutations": 1})
    asked = posed(case["y"], "ovr")[case["asked"]]
    options = case["options"]
    intercept, kernel = options["fit_intercept"], asked_kernel(options)
    found = put_to_check(case["proof"], case["X"], case["y"], asked, intercept, kernel)
    counts["malformed, by an exception"] += found.malformed and "Error: " in found.sentence
    counts["malformed" if found.malformed else "accepted" if found.accepted else "refused"] += 1
    with patch.object(check, "BLOCK", 1):
        wide = put_to_check(case["proof"], case["X"], case["y"], asked, intercept, kernel)
    if wide.accepted != found.accepted:
        what = f"{wide.sentence}; of fewer columns {found.sentence}; after {', '.join(case['made'])}"
        return counts, [("another answer where planes are not written out", what)]
    if not found.accepted:
        return counts, []
    true = exact.truth(case["X"], asked.signs, intercept, kernel)
    faults = faults_of_accepted(case, asked, true)
    counts["accepted and true"] += not faults
    return counts, [(kind, f"{what}; after {', '.join(case['made'])}; {found.sentence}") for kind, what in faults]


def asked_kernel(options: dict[str, Any]) -> Any:
    """The kernel that is asked for, as a proof has it."""
    if "kernel" not in options:
        return None
    poly = options["kernel"] == "poly"
    return {
        "name": options["kernel"],
        "gamma": options["gamma"],
        "degree": 2 if poly else 1,
        "coef0": "1" if poly else "0",
    }


def faults_of_accepted(case: dict[str, Any], asked: Any, true: exact.Truth) -> list[tuple[str, str]]:
    """What is wrong with a proof that was accepted."""
    proof, options = json.loads(case["proof"]), case["options"]
    kernel, y = proof["kernel"], case["y"]
    signs = [1 if str(c) == proof["positive"] else -1 if proof["negative"] in (None, str(c)) else 0 for c in y]
    said = proof["verdict"], int(proof["cover"]["rest"], 0) != 0
    holds = says_the_truth(*said, true)
    if signs != asked.signs and not holds:
        return [("accepted, of other classes", f"{proof['verdict']}, truly {true.verdict}")]
    if proof["fit_intercept"] != options["fit_intercept"] and not holds:
        return [("accepted, of another intercept", f"{proof['verdict']}, truly {true.verdict}")]
    if kernel is not None and kernel["degree"] > HIGHEST:
        return [("accepted but false", "the degree is beyond what anyone computes")]
    if not same_kernel(kernel, asked_kernel(options)) and not holds:
        return [("accepted, of another kernel", f"{proof['verdict']}, truly {true.verdict}")]
    own = exact.truth(case["X"], signs, proof["fit_intercept"], kernel_for_truth(kernel))
    false = exact.false_claims(proof, case["X"], signs, proof["fit_intercept"], kernel, own)
    faults = [("accepted but false", name) for name in false]
    return faults + [("object says more", what) for what in faults_of_object(case["proof"], own)]


def says_the_truth(verdict: str, rest: bool, true: exact.Truth) -> bool:
    """Whether a verdict is right."""
    return verdict == true.verdict or (verdict == "inseparable" and not rest and true.verdict != "separable")


def same_kernel(a: Any, b: Any) -> bool:
    """Whether two kernels are one."""
    if a is None or b is None:
        return a is b
    return a["name"] == b["name"] and (
        a["name"] == "rbf"
        or (a["degree"], *map(exact.number, (a["gamma"], a["coef0"])))
        == (b["degree"], *map(exact.number, (b["gamma"], b["coef0"])))
    )


def kernel_for_truth(kernel: Any) -> Any:
    """A proof's kernel with its numbers read."""
    return None if kernel is None else kernel | {"coef0": exact.number(kernel["coef0"])}


def faults_of_object(text: str, true: exact.Truth) -> list[str]:
    """What the certificate made of an accepted proof says that is not true."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof.json"
        path.write_text(text, encoding="utf-8")
        loaded = Certificate.load(path)
    if loaded.verdict != true.verdict and (loaded.verdict, true.verdict) != ("inseparable", "quasi-separable"):
        return [f"verdict {loaded.verdict}, truly {true.verdict}"]
    if loaded.verdict == "inseparable" and loaded.overlap and true.verdict != "inseparable":
        return [f"overlap, truly {true.verdict}"]
    return []
