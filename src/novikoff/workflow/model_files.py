"""Model files: ``save`` and ``load`` without pickle.

A model file is a zip archive that skops writes, in which ``novikoff.json`` tells the version, what the model was made
with, and a digest of the rest.  Loading makes objects of the types in ``TRUSTED``, of public estimators of scikit-learn
and of what skops itself holds safe, and runs no code that a file brings along.
"""

import hashlib
import io
import json
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..atomic import check_clock, replacing
from ..imports import skops_io
from ..registry import LEARNERS
from ..version import __version__
from .format1 import upgraded_archive

VERSION = 2
"""The version of the format; files of version 1 are read too (format1.py)."""
LARGEST = 2**33
"""Bytes that a model may have uncompressed."""
UNSUSPECTED = 2**28
"""Bytes up to which it does not matter how well a model was compressed."""
EXPANSION = 200
"""How many times its own length a longer one may have uncompressed; a bomb has about a thousand."""
USUAL = [
    "pipeline.Pipeline",
    "compose._column_transformer.ColumnTransformer",
    "feature_extraction.text.HashingVectorizer",
    "feature_extraction.text.TfidfTransformer",
    "feature_extraction.text.TfidfVectorizer",
    "impute._base.SimpleImputer",
    "preprocessing._data.MaxAbsScaler",
    "preprocessing._data.StandardScaler",
    "preprocessing._encoders.OneHotEncoder",
    "preprocessing._function_transformer.FunctionTransformer",
    "preprocessing._label.LabelBinarizer",
    "neural_network._multilayer_perceptron.MLPClassifier",
]
"""Estimators of scikit-learn that ``novikoff fit`` uses; the others are trusted, too, but have to be looked up."""
TRUSTED = [
    *(f"novikoff.{entry.module}.{entry.name}" for entry in LEARNERS),
    *(f"novikoff.{name}" for entry in LEARNERS for name in entry.stored),
    *(f"novikoff.scale.dask.{entry.cluster}" for entry in LEARNERS if entry.cluster),
    "novikoff.learners.features.SlackEmbedding",
    "novikoff.learners.features.XorFeatures",
    "novikoff.learners.passive_aggressive_regressor.PassiveAggressiveRegressor",
    "novikoff.training.regression_run.RegressionEnd",
    "novikoff.learners.calibration.Calibration",
    "novikoff.learners.calibration.GivenScores",
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "novikoff.certificates.certificate.Certificate",
    "novikoff.certificates.certificate.RunRecord",
    "novikoff.training.outcomes.Resume",
    "scipy.sparse._csr.csr_matrix",  # update counts; made of arrays, it does nothing
    "numpy.dtype",  # what SimpleImputer remembers; made of a text, it does nothing
    *(f"sklearn.{name}" for name in USUAL),
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
]
"""The types that a model file may hold, besides those that skops itself holds safe."""


class ModelFileError(ValueError):
    """A file that is not a model, or not one that can be loaded, in one sentence."""

    exit_code = 3


def save(model: Any, path: Any, **about: Any) -> None:
    """Write a fitted estimator or pipeline to a file, whole or not at all.

    ``about`` is kept beside the model, as what JSON can hold.

    >>> import tempfile
    >>> from novikoff import Perceptron, datasets, load
    >>> X, y = datasets.logic_gate("and")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Perceptron().fit(X, y), f"{folder}/and.nvk")
    ...     load(f"{folder}/and.nvk").predict(X).tolist()
    [0, 0, 0, 1]
    """
    check_clock()
    with replacing(path) as part:
        skops_io().dump(model, part, compression=zipfile.ZIP_STORED)
        rewrite_plainly(part, zipfile.ZIP_DEFLATED)
        if is_suspect(part):  # weights that are nearly all zero: then as they are, so that the file is not refused
            rewrite_plainly(part, zipfile.ZIP_STORED)
        check_trusted(part, f"{type(model).__name__} cannot be saved", path)
        head = {
            "format": "novikoff model",
            "version": VERSION,
            "made with": {name: version(name) for name in ("scikit-learn", "numpy", "skops")}
            | {"novikoff": __version__},
            "certificate": certificate_summaries(model),
            "about": about,
        }
        with zipfile.ZipFile(part, "a") as archive:
            head["sha256"] = digest(archive, head)
            archive.writestr(dateless("novikoff.json"), json.dumps(head, ensure_ascii=False))


def rewrite_plainly(part: Any, compression: int) -> None:
    """Number what skops calls by where it was in memory, and leave out the time: equal models are equal files."""
    with zipfile.ZipFile(part) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    numbers: dict[str, int] = {}
    schema = renumber(json.loads(contents.pop("schema.json")), numbers)
    with zipfile.ZipFile(part, "w") as archive:
        archive.writestr(dateless("schema.json"), json.dumps(schema), compression)
        for name in sorted(contents, key=lambda name: numbers[name.partition(".")[0]]):
            stem, dot, end = name.partition(".")
            archive.writestr(dateless(f"{numbers[stem]}{dot}{end}"), contents[name], compression)


def renumber(node: Any, numbers: dict[str, int]) -> Any:
    """A part of a schema with "__id__" and the names of files numbered in the order in which they are met."""
    if isinstance(node, list):
        return [renumber(part, numbers) for part in node]
    if not isinstance(node, dict):
        return node
    plain: dict[str, Any] = {}
    for key, value in node.items():
        if key == "__id__" and isinstance(value, int):
            plain[key] = numbers.setdefault(str(value), len(numbers))
        elif key == "file" and isinstance(value, str):
            stem, dot, end = value.partition(".")
            plain[key] = f"{numbers.setdefault(stem, len(numbers))}{dot}{end}"
        else:
            plain[key] = renumber(value, numbers)
    return plain


def dateless(name: str) -> zipfile.ZipInfo:
    """A member of an archive that does not tell when it was written."""
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def load(path: Any) -> Any:
    """The estimator or pipeline of a file that ``save`` wrote; a file cannot run code, whoever wrote it."""
    return load_with_notes(path)[0]


def load_with_notes(path: Any) -> tuple[Any, dict[str, Any]]:
    """The model of a file, and what is kept beside it."""
    head = read_head(path)
    archive = path
    if head["version"] < VERSION:
        try:
            archive = io.BytesIO(upgraded_archive(path))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ModelFileError(f"{path} cannot be read as a model of format {head['version']}: {error}.") from error
    trusted = check_trusted(archive, f"{path} was not loaded", path)
    try:
        return skops_io().load(archive, trusted=trusted), head["about"]
    except Exception as error:  # whatever a broken file makes the reader stumble over
        raise ModelFileError(f"{path} cannot be read as a model: {error}.") from error


def read_head(path: Any) -> dict[str, Any]:
    """What a model file says of itself, if it is one, whole and not too new."""
    try:
        if is_suspect(path):
            raise ModelFileError(f"{path} would decompress to far more than a model of its length: it is not loaded.")
        with zipfile.ZipFile(path) as archive:
            check_names(path, archive)
            head = json.loads(archive.read("novikoff.json"))
            check_format(path, head)
            whole = digest(archive, head) == head["sha256"]
    except (ModelFileError, FileNotFoundError, IsADirectoryError, PermissionError):
        raise
    except Exception as error:  # whatever a broken archive makes its reader stumble over
        raise ModelFileError(f"{path} is not a model file that novikoff wrote, or it is damaged.") from error
    if not whole:
        raise ModelFileError(f"{path} was changed or damaged since it was written: its digest differs.")
    return head


def is_suspect(path: Any) -> bool:
    """Whether a file would decompress to more than any model, or to far more than its own length."""
    with zipfile.ZipFile(path) as archive:
        total = sum(item.file_size for item in archive.infolist())
    return total > LARGEST or total > max(UNSUSPECTED, EXPANSION * Path(path).stat().st_size)


def check_names(path: Any, archive: zipfile.ZipFile) -> None:
    """Raise if a member has a name that no model's has: one with a folder in it, or one that is there twice."""
    names = archive.namelist()
    strange = next((name for name in names if {"/", "\\", ":"} & set(name)), None)
    if strange is not None or len(set(names)) < len(names):
        raise ModelFileError(
            f"{path} has members that no model has ({strange or 'two of one name'}): it is not loaded."
        )


def check_format(path: Any, head: dict[str, Any]) -> None:
    """Raise unless the format is one that is known here."""
    if head["format"] != "novikoff model" or "about" not in head:
        raise KeyError("format")
    if head["version"] > VERSION:
        raise ModelFileError(
            f"{path} was written by novikoff {head['made with']['novikoff']} in format {head['version']}; this is "
            f"novikoff {__version__}, which reads up to format {VERSION}: install a newer one."
        )


def check_trusted(archive: Any, what: str, path: Any) -> list[str]:
    """The types that an archive may be made of; raise if it names others."""
    try:
        others = set(skops_io().get_untrusted_types(file=archive)) - set(TRUSTED)
    except Exception as error:  # as above
        raise ModelFileError(f"{path} cannot be read as a model: {error}.") from error
    untrusted = others - estimators_among(others) - special_functions_among(others)
    if untrusted:
        raise ModelFileError(f"{what}: it holds {', '.join(sorted(untrusted)[:3])}, not trusted in a model file.")
    return [*TRUSTED, *others]


def estimators_among(names: set[str]) -> set[str]:
    """Those of these types that are public estimators of scikit-learn; to know it, all of it is imported."""
    if not any(name.startswith("sklearn.") for name in names):
        return set()
    from sklearn.utils import all_estimators

    return names & {f"{estimator.__module__}.{estimator.__qualname__}" for _, estimator in all_estimators()}


def special_functions_among(names: set[str]) -> set[str]:
    """Those of these types that are functions of scipy.special, which skops holds safe where it has listed them."""
    parted = {name: name.rpartition(".") for name in names if name.startswith("scipy.special.")}
    if not parted:
        return set()
    from numpy import ufunc
    from scipy import special

    public = {name: getattr(special, last, None) for name, (_, _, last) in parted.items()}
    return {
        name
        for name, (module, _, last) in parted.items()
        if isinstance(public[name], ufunc) and public[name] is getattr(sys.modules.get(module), last, None)
    }


def digest(archive: zipfile.ZipFile, head: dict[str, Any]) -> str:
    """A digest of everything in the archive."""
    total = hashlib.sha256(json.dumps({k: v for k, v in head.items() if k != "sha256"}, sort_keys=True).encode())
    for name in sorted(name for name in archive.namelist() if name != "novikoff.json"):
        total.update(name.encode() + b"\0" + hashlib.sha256(archive.read(name)).digest())
    return total.hexdigest()


def certificate_summaries(model: Any) -> list[str]:
    """What the certificates of a model say, in words."""
    certificates = getattr(model[-1] if hasattr(model, "steps") else model, "certificate_", None)
    certificates = certificates if isinstance(certificates, list) else [certificates]
    return [certificate.summary() for certificate in certificates if certificate is not None]
