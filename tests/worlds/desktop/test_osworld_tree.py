"""The XML of a tree, as our guest writes it and as our client reads it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guest.nodes import ROLES, STATES, Node, Ref
from guest.osworld.tree import MAX_WIDTH, desktop_xml
from pytest_cuabench.drivers.desktop.osworld.tree import read_tree
from pytest_cuabench.task.observation import Box

REF = Ref(":1.1", "/1")
ANY = st.text(max_size=20)


def node(role: str = "frame", parent: Node | None = None, **about: object) -> Node:
    """Return a node below another."""
    plain = {"name": "", "value": "", "text": "", "description": "", "states": frozenset(), "box": None}
    made = Node(role=role, depth=parent.depth + 1 if parent else 0, parent=parent, ref=REF, **(plain | about))  # type: ignore[arg-type]
    if parent is not None:
        parent.children.append(made)
    return made


@given(
    st.sampled_from(ROLES), ANY, ANY, ANY, st.sets(st.sampled_from(STATES)),
    st.none() | st.tuples(*[st.integers(-5000, 5000)] * 2, *[st.integers(1, 5000)] * 2),
)  # fmt: skip
@settings(max_examples=150)
def test_there_and_back(
    role: str, name: str, text: str, description: str, states: set[str], box: tuple[int, int, int, int] | None
) -> None:
    """Whatever an application says of itself, it comes back, but for characters that XML cannot hold."""
    top = node("application", name="app")
    node(
        role,
        top,
        name=name,
        text=text,
        value=text,
        description=description,
        states=frozenset(states),
        box=box,
    )
    _, _, read = read_tree(desktop_xml([top]))
    assert (read.role, read.depth, read.parent) == (role, 2, 1)
    assert set(read.states) == states
    shown = box is not None and {"visible", "showing"} <= states
    assert read.box == (Box(*box) if box is not None and shown else Box(0, 0, 0, 0))
    if name.isprintable() and "\ufffd" not in name + text + description:
        assert read.name == name
        assert read.value == text.strip() or not text.isprintable()


@pytest.mark.parametrize(
    "hostile", ["\x00", "\ud800", "\x1b[31m", "]]>", "<!DOCTYPE a>", "&lol;", "\ufffe", "\"'<"]
)
def test_hostile_names(hostile: str) -> None:
    """An application cannot break the XML by its words."""
    top = node("application", name=hostile)
    node("text", top, text=hostile, value=hostile, description=hostile)
    assert len(read_tree(desktop_xml([top]))) == 3


def test_depth_and_width() -> None:
    """A tree is cut where OSWorld's is."""
    top = node("application")
    for _ in range(MAX_WIDTH + 5):
        node("label", top)
    below = top
    for _ in range(60):
        below = node("panel", below)
    top.children.insert(0, top.children.pop())
    nodes = read_tree(desktop_xml([top]))
    assert sum(one.role == "label" for one in nodes) == MAX_WIDTH - 1
    assert max(one.depth for one in nodes) == 50
    assert max(one.depth for one in read_tree(desktop_xml([top], depth=6))) == 6
