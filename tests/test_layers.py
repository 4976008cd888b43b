"""The house stands: storeys without cycles, and no two modules or public classes of one name."""

import ast
import sys
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from house import ALLOWED, BEFORE, STOREYS, UPWARD, graph, modules, room, walks

STOREY = {name: number for number, storey in enumerate(STOREYS) for name in storey}
FREE = {"__init__", "__main__"}
"""Names that every folder may use."""


def test_every_room_has_a_storey():
    assert {room(module) for module in modules()} == set(STOREY)


def test_imports_go_down():
    upward = {
        (room(module), room(other))
        for module, others in graph().items()
        for other in others
        if room(module) != room(other) and STOREY[room(other)] >= max(STOREY[room(module)], 1)
    }
    assert upward <= set(UPWARD), "a room imports from its own folder or from a storey below"
    assert len(UPWARD) <= 2


def test_there_is_no_cycle():
    edges = graph()
    for low, high in UPWARD:
        for module, others in edges.items():
            if room(module) == low:
                edges[module] = {other for other in others if room(other) != high}
    list(TopologicalSorter(edges).static_order())


def test_no_two_modules_have_one_name():
    names = Counter(module.split(".")[-1] for module in modules())
    assert [name for name, count in names.items() if count > 1 and name not in FREE] == []


def test_no_two_public_classes_have_one_name():
    names = Counter(
        node.name
        for path in modules().values()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_the_tree_of_the_docs_names_every_module():
    tree = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    own = {module.split(".")[-1] for module in modules() if room(module) not in ("learners", "cli")}
    folders = {room(module) for module in modules() if "." in module}
    missing = [name for name in own - FREE - folders - {"version"} if f" {name}.py " not in tree]
    assert missing == []


def test_a_call_changes_rooms_at_most_half_as_often_as_in_version_0_1(tmp_path):
    changes = {name: walked.changes() for name, walked in walks(tmp_path)}
    assert {name: count for name, count in changes.items() if count > ALLOWED.get(name, 0.5) * BEFORE[name]} == {}
