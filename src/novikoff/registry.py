"""The one table of learners: what each is called, where it lives, and what it can do.

The public names, the command's ``--model``, the types that a model file may hold, streams, clusters, the audit and the
lab are all made of it.  Nothing is imported until it is asked for.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import InputError, suggestion

if TYPE_CHECKING:  # for editors and type checkers, which do not run the table below
    from .learners.arow import AROWClassifier as AROWClassifier
    from .learners.averaged import AveragedPerceptron as AveragedPerceptron
    from .learners.kernel import KernelPerceptron as KernelPerceptron
    from .learners.margin import MarginPerceptron as MarginPerceptron
    from .learners.multilayer import MultilayerPerceptron as MultilayerPerceptron
    from .learners.passive_aggressive import PassiveAggressiveClassifier as PassiveAggressiveClassifier
    from .learners.perceptron import Perceptron as Perceptron
    from .learners.pocket import PocketPerceptron as PocketPerceptron
    from .learners.scw import SCWClassifier as SCWClassifier
    from .learners.voted import VotedPerceptron as VotedPerceptron


@dataclass(frozen=True)
class LearnerEntry:
    """A learner, by the name of its class, and what the rest of the house asks of it."""

    name: str
    short_name: str  # in the command, the lab and addresses
    module: str  # below novikoff
    streams: bool = False  # can be trained on rows that are never all in memory
    cluster: str | None = None  # its class in novikoff.scale.dask
    audit: str | None = None  # whose inequalities hold of its runs: "novikoff", "margin", or nobody's in the notes
    stored: tuple[str, ...] = ()  # types below novikoff that its model file holds besides its own
    lab: Mapping[str, Any] | None = field(default_factory=dict)  # what the lab starts with, where that is its own
    former_names: tuple[str, ...] = ()  # short names of earlier versions, still understood


@cache
def load_class(module: str, name: str) -> Any:
    """A class of a module below novikoff."""
    return getattr(import_module(f"novikoff.{module}"), name)


LEARNERS = (
    LearnerEntry(
        "Perceptron",
        "perceptron",
        "learners.perceptron",
        streams=True,
        cluster="DaskPerceptron",
        audit="novikoff",
        lab={"max_iter": 200},
    ),
    LearnerEntry("MarginPerceptron", "margin", "learners.margin", streams=True, audit="margin", lab={"max_iter": 200}),
    LearnerEntry(
        "PocketPerceptron",
        "pocket",
        "learners.pocket",
        audit="novikoff",
        stored=("certificates.stored_proof.StoredProof",),
        lab={"max_iter": 50},
    ),
    LearnerEntry(
        "AveragedPerceptron",
        "averaged",
        "learners.averaged",
        streams=True,
        cluster="DaskAveragedPerceptron",
        audit="novikoff",
        lab={"max_iter": 10},
    ),
    LearnerEntry(
        "VotedPerceptron",
        "voted",
        "learners.voted",
        audit="novikoff",
        stored=("learners.voted.Voters",),
        lab={"max_iter": 10},
    ),
    LearnerEntry(
        "PassiveAggressiveClassifier",
        "pa",
        "learners.passive_aggressive",
        streams=True,
        lab={"max_iter": 50, "average": False},
        former_names=("passive-aggressive",),
    ),
    LearnerEntry(
        "AROWClassifier", "arow", "learners.arow", streams=True, cluster="DaskAROWClassifier", lab={"max_iter": 10}
    ),
    LearnerEntry(
        "SCWClassifier", "scw", "learners.scw", streams=True, cluster="DaskSCWClassifier", lab={"max_iter": 10}
    ),
    LearnerEntry(
        "KernelPerceptron",
        "kernel",
        "learners.kernel",
        audit="novikoff",
        stored=(
            "passes.kernel_budget.Supports",
            "training.budget.Budget",
            "training.budget.KernelResume",
            "training.expansion.Expansion",
            "training.kernels.Kernel",
            "training.kernels.Points",
        ),
        lab={"max_iter": 50},
    ),
    LearnerEntry("MultilayerPerceptron", "mlp", "learners.multilayer", lab={"max_iter": 60}, former_names=("layers",)),
)
"""The learners, in the order in which people meet them."""


SHORT_NAMES = tuple(entry.short_name for entry in LEARNERS)
DEFAULT_MODEL = "pa"
"""The learner that the command takes, with settings of its own, unless another is asked for or clearly better."""
DEFAULT_CLUSTER_MODEL = "averaged"
"""The learner that it takes on a cluster, which has fewer."""


@cache
def by_short_name(name: str) -> LearnerEntry | None:
    """The learner that the command and the lab call so, or called so once."""
    return next((entry for entry in LEARNERS if name in (entry.short_name, *entry.former_names)), None)


@cache
def entry_of(name: str) -> LearnerEntry:
    """The learner of a short name; raises if there is none."""
    entry = by_short_name(name)
    if entry is None:
        raise InputError(f"There is no model {name!r}{suggestion(name, SHORT_NAMES)}; choose {', '.join(SHORT_NAMES)}.")
    return entry


def parameter_names(module: str, name: str) -> list[str]:
    """The parameters of a learner's class, as its source says, since to import it takes seconds.

    A learner without an ``__init__`` of its own has that of the linear learners.
    """
    tree = ast.parse(Path(__file__).parent.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8"))
    here = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    for node in here.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            return sorted(argument.arg for argument in (*node.args.args[1:], *node.args.kwonlyargs))
    return parameter_names("learners.base", "LinearLearner")


def short_name_of(name: str) -> str:
    """The short name of today for one of an earlier version; other names as they are."""
    entry = by_short_name(name)
    return name if entry is None else entry.short_name


def by_class_name(name: str) -> LearnerEntry | None:
    """The learner of a class."""
    return next((entry for entry in LEARNERS if entry.name == name), None)
