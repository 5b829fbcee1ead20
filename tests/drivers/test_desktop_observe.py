"""What an agent is told of a desktop's tree: what means something, within a budget; and what gets a number."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_cuabench.drivers.desktop.client import TreeNode
from pytest_cuabench.drivers.desktop.observe import cut, filtered, marks
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.observation import Box, Node

SCREEN = Size(800, 600)
SHOWS = ("showing", "visible", "enabled")


def element(role: str = "push-button", name: str = "Add", **about: Any) -> TreeNode:
    """Return an element that is told, unless `about` says otherwise."""
    usual = {
        "value": "",
        "description": "",
        "states": SHOWS,
        "box": Box(10, 10, 40, 20),
        "depth": 0,
        "parent": -1,
    }
    return TreeNode(role, name, **usual | about)


@pytest.mark.parametrize(
    "one",
    [
        element(),
        element("menu-item"),
        element("radio-menu-item"),
        element("page-tab"),
        element("table-cell"),
        element("document-web"),
        element("label", "", value="2 + 3"),
        element("entry", "", states=(*SHOWS, "editable")),
        element("push-button", "", description="Zoom in"),
        element("push-button", states=("showing", "visible")),
    ],
)
def test_told(one: TreeNode) -> None:
    """Elements of roles that mean something are told, as soon as they say anything or can be typed into."""
    assert len(filtered([one], SCREEN)) == 1


@pytest.mark.parametrize(
    "one",
    [
        element("filler"),
        element("panel"),
        element(states=("visible", "enabled")),
        element(states=("showing", "enabled")),
        element(name="  "),
        element(box=Box(10, 10, 0, 20)),
        element(box=Box(10, 10, 40, -1)),
        element(box=Box(900, 10, 40, 20)),
        element(box=Box(-100, 10, 40, 20)),
    ],
)
def test_left_out(one: TreeNode) -> None:
    """What means nothing, does not show, says nothing, or lies off the screen is left out."""
    assert filtered([one], SCREEN) == []


def test_depth_and_words() -> None:
    """Elements are as deep as told ones around them; a description stands for a name, and nothing is said twice."""
    tree = [
        element("frame", "Desk"),
        element("menu", "File", parent=0, depth=1),
        element("filler", "", parent=1, depth=2),
        element("menu-item", "Open", parent=2, depth=3, states=("showing", "visible", "focused")),
        element("label", "5", value="5", parent=0, depth=1, description="result"),
    ]
    told = filtered(tree, SCREEN)
    assert [(node.role, node.name, node.value, node.states, node.depth) for node in told] == [
        ("frame", "Desk", "", (), 0),
        ("menu", "File", "", (), 1),
        ("menu-item", "Open", "", ("focused", "disabled"), 2),
        ("label", "5", "", (), 1),
    ]


def test_budget() -> None:
    """A tree is cut to its budget in reading order; what fits is left as it is."""
    told = filtered([element(name=f"Item {number}") for number in range(1000)], SCREEN)
    short = cut(told, 500)
    assert (short.nodes, short.total) == (tuple(told[: len(short.nodes)]), 1000)
    assert 20 <= len(short.nodes) <= 60
    assert cut(told[:10], 500) == (tuple(told[:10]), 10)
    wide = filtered([element(name="é" * 20) for _ in range(1000)], SCREEN)
    assert len(cut(wide, 500).nodes) < len(cut(filtered([element(name="e" * 20)] * 1000, SCREEN), 500).nodes)


def test_marks() -> None:
    """Numbers go by place to what can be acted on; of elements in one and the same box the innermost has it."""

    def node(role: str, x: int, y: int, *states: str) -> Node:
        return Node(role, role, "", states, Box(x, y, 40, 20), 0)

    numbered = marks(
        [
            node("page-tab", 300, 10),
            node("label", 10, 10),
            node("push-button", 100, 10),
            node("menu-item", 10, 50, "disabled"),
            node("list-item", 10, 90),
            node("check-box", 10, 90),
            node("label", 10, 130, "editable"),
        ]
    )
    assert [(mark.number, mark.role) for mark in numbered] == [
        (1, "push-button"),
        (2, "page-tab"),
        (3, "check-box"),
        (4, "label"),
    ]
