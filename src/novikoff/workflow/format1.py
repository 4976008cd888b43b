"""Model files of format 1, which version 0.1.0 wrote, turned into the format of today before they are loaded.

skops writes an object as its type and its attributes, in ``schema.json``.  ``UPGRADES`` says of every type that has
changed since what it is called now, which attributes have other names, and which are gathered into one object.  Nothing
is made here: what comes out is loaded like any other file, of trusted types only.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..registry import LEARNERS


@dataclass(frozen=True)
class Gathered:
    """Attributes that are now those of one object: its type, and {their name: its name}; those not there are left."""

    type_name: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class Upgrade:
    """What became of a type: its name below ``novikoff``, and its attributes."""

    type_name: str
    renamed: Mapping[str, str] = field(default_factory=dict)  # {old attribute: new attribute}
    gathered: Mapping[str, Gathered] = field(default_factory=dict)  # {new attribute: what is in it}


RESUME = {
    "_resume": Gathered(
        "training.outcomes.Resume", {"_weights": "weights", "_clock": "clock", "_sums": "kept", "_pocket": "kept"}
    )
}
KERNEL_RESUME = {
    "_resume": Gathered(
        "training.budget.KernelResume",
        {"_kernel": "kernel", "_functions": "functions", "_rows_seen": "n_rows", "_budget": "budget"},
    )
}
"""What a later fit goes on from is one object now."""

UPGRADES = {
    **{
        name: Upgrade(name, gathered=KERNEL_RESUME if entry.name == "KernelPerceptron" else RESUME)
        for entry in LEARNERS
        for name in (f"{entry.module}.{entry.name}", f"scale.dask.{entry.cluster}")
    },
    "learners.features.SlackEmbedding": Upgrade("learners.features.SlackEmbedding", {"_leads": "_row_margins"}),
    "learners.voted.Voters": Upgrade("learners.voted.Voters", {"unit": "bias"}),
    "learners.functions.Expansion": Upgrade(
        "training.expansion.Expansion", {"late": "weighted_sums", "seen": "n_visits"}
    ),
    "learners.budget.Budget": Upgrade("training.budget.Budget", {"late": "weighted_sums", "seen": "n_visits"}),
    "learners.kernels.Kernel": Upgrade("training.kernels.Kernel", {"unit": "bias"}),
    "learners.kernels.Points": Upgrade("training.kernels.Points"),
    "passes.gram.Supports": Upgrade("passes.kernel_budget.Supports"),
    "proofs.certificate.Certificate": Upgrade("certificates.certificate.Certificate"),
    "proofs.certificate.Record": Upgrade("certificates.certificate.RunRecord"),
}
"""{type in format 1, below ``novikoff``: what became of it}; types that are not here are as they were."""
OURS = "novikoff."


def upgraded_archive(path: Any) -> bytes:
    """The archive at a path as the format of today has it, apart from what it says of itself."""
    out = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "schema.json":
                content = json.dumps(upgraded_node(json.loads(content))).encode()
            new.writestr(name, content)
    return out.getvalue()


def upgraded_node(node: Any) -> Any:
    """A node of the schema, and all below it, as they are today."""
    if isinstance(node, list):
        return [upgraded_node(item) for item in node]
    if not isinstance(node, dict):
        return node
    upgrade = UPGRADES.get(type_of(node).removeprefix(OURS)) if type_of(node).startswith(OURS) else None
    node = {key: upgraded_node(value) for key, value in node.items()}
    if upgrade is None:
        return node
    node |= name_of_type(upgrade.type_name)
    attributes = node.get("content")
    if isinstance(attributes, dict) and isinstance(attributes.get("content"), dict):
        node["content"] = upgraded_attributes(attributes, upgrade)
    return node


def type_of(node: Mapping[str, Any]) -> str:
    """The type that a node is of, with its module."""
    return f"{node.get('__module__')}.{node.get('__class__')}"


def name_of_type(name: str) -> dict[str, str]:
    """A type below ``novikoff`` as a node has it."""
    module, _, class_name = name.rpartition(".")
    return {"__module__": OURS + module, "__class__": class_name}


def upgraded_attributes(attributes: dict[str, Any], upgrade: Upgrade) -> dict[str, Any]:
    """The node of an object's attributes, these renamed and gathered."""
    nodes = {upgrade.renamed.get(name, name): node for name, node in attributes["content"].items()}
    for name, gathered in upgrade.gathered.items():
        inside = {new: nodes.pop(old) for old, new in gathered.fields.items() if old in nodes}
        nodes[name] = {
            **name_of_type(gathered.type_name),
            "__loader__": "ObjectNode",
            "content": dict_node(inside, attributes),
        }
    return dict_node(nodes, attributes)


def dict_node(content: dict[str, Any], like: dict[str, Any]) -> dict[str, Any]:
    """A node of attributes; ``like`` is one of at least as many."""
    types = like["key_types"]
    return {key: value for key, value in like.items() if key != "__id__"} | {
        "content": content,
        "key_types": {key: value for key, value in types.items() if key != "__id__"}
        | {"content": types["content"][:1] * len(content)},
    }
