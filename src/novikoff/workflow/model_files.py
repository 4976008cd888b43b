"""Model files: ``save`` and ``load`` without pickle.

A model file is a zip archive that skops writes, in which ``novikoff.json`` tells the version, what the model was made
with, and a digest of the rest.  Loading makes objects of the types in ``TRUSTED`` and of those that skops itself holds
safe, and runs no code that a file brings along.
"""

import hashlib
import json
import zipfile
from importlib.metadata import version
from typing import Any

import skops.io

from ..atomic import replacing
from ..version import __version__

VERSION = 1
"""The version of the format."""
LARGEST = 2**33
"""Bytes that a model may unpack to."""
LEARNERS = {
    "Perceptron": "perceptron",
    "MarginPerceptron": "margin",
    "PocketPerceptron": "pocket",
    "AveragedPerceptron": "averaged",
    "VotedPerceptron": "voted",
    "PassiveAggressiveClassifier": "passive_aggressive",
    "KernelPerceptron": "kernel",
    "MultilayerPerceptron": "multilayer",
}
TRUSTED = [
    *(f"novikoff.learners.{module}.{name}" for name, module in LEARNERS.items()),
    "novikoff.learners.features.SlackEmbedding",
    "novikoff.learners.features.XorFeatures",
    "novikoff.training.budget.Budget",
    "novikoff.training.expansion.Expansion",
    "novikoff.training.kernels.Kernel",
    "novikoff.training.kernels.Points",
    "novikoff.learners.voted.Voters",
    "novikoff.passes.kernel.Supports",
    "novikoff.certificates.certificate.Certificate",
    "novikoff.certificates.certificate.RunRecord",
    "novikoff.scale.dask.DaskAveragedPerceptron",
    "novikoff.scale.dask.DaskPerceptron",
    "numpy.dtype",  # what SimpleImputer remembers; made of a text, it does nothing
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
]


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
    with replacing(path) as part:
        skops.io.dump(model, part, compression=zipfile.ZIP_DEFLATED)
        check_trusted(part, f"{type(model).__name__} cannot be saved")
        head = {
            "format": "novikoff model",
            "version": VERSION,
            "made with": {name: version(name) for name in ("scikit-learn", "numpy", "skops")}
            | {"novikoff": __version__},
            "certificate": verdicts(model),
            "about": about,
        }
        with zipfile.ZipFile(part, "a") as archive:
            head["sha256"] = digest(archive, head)
            archive.writestr("novikoff.json", json.dumps(head, ensure_ascii=False))


def load(path: Any) -> Any:
    """The estimator or pipeline of a file that ``save`` wrote; a file from a stranger cannot run code."""
    return stored(path)[0]


def stored(path: Any) -> tuple[Any, dict[str, Any]]:
    """The model of a file, and what is kept beside it."""
    about = read_head(path)
    check_trusted(path, f"{path} was not loaded")
    try:
        return skops.io.load(path, trusted=TRUSTED), about["about"]
    except Exception as error:  # whatever a broken file makes the reader stumble over
        raise ModelFileError(f"{path} cannot be read as a model: {error}.") from error


def read_head(path: Any) -> dict[str, Any]:
    """What a model file says of itself, if it is one, whole and not too new."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(item.file_size for item in archive.infolist()) > LARGEST:
                raise ModelFileError(f"{path} would unpack to more than {LARGEST >> 30} GB: it is not loaded.")
            head = json.loads(archive.read("novikoff.json"))
            check_format(path, head)
            whole = digest(archive, head) == head["sha256"]
    except (zipfile.BadZipFile, KeyError, TypeError, json.JSONDecodeError, UnicodeDecodeError, EOFError) as error:
        raise ModelFileError(f"{path} is not a model file that novikoff wrote, or it is damaged.") from error
    if not whole:
        raise ModelFileError(f"{path} was changed or damaged since it was written: its digest differs.")
    return head


def check_format(path: Any, head: dict[str, Any]) -> None:
    """Raise unless the format is one that is known here."""
    if head["format"] != "novikoff model":
        raise KeyError("format")
    if head["version"] > VERSION:
        raise ModelFileError(
            f"{path} was written by novikoff {head['made with']['novikoff']} in format {head['version']}; this is "
            f"novikoff {__version__}, which reads up to format {VERSION}: install a newer one."
        )


def check_trusted(path: Any, what: str) -> None:
    """Raise if a file names types that are neither ours nor known to be safe."""
    try:
        strange = set(skops.io.get_untrusted_types(file=path)) - set(TRUSTED)
    except Exception as error:  # as above
        raise ModelFileError(f"{path} cannot be read as a model: {error}.") from error
    if strange:
        raise ModelFileError(f"{what}: it holds {', '.join(sorted(strange)[:3])}, not trusted in a model file.")


def digest(archive: zipfile.ZipFile, head: dict[str, Any]) -> str:
    """A digest of everything in the archive."""
    found = hashlib.sha256(json.dumps({k: v for k, v in head.items() if k != "sha256"}, sort_keys=True).encode())
    for name in sorted(name for name in archive.namelist() if name != "novikoff.json"):
        found.update(name.encode() + b"\0" + hashlib.sha256(archive.read(name)).digest())
    return found.hexdigest()


def verdicts(model: Any) -> Any:
    """What the certificates of a model say, in words."""
    found = getattr(model[-1] if hasattr(model, "steps") else model, "certificate_", None)
    several = found if isinstance(found, list) else [found]
    return [certificate.summary() for certificate in several if certificate is not None]
