"""Selectors find the nodes that they describe, and say what is wrong when they do not."""

from __future__ import annotations

import pytest

from guest.errors import BadRequest, Missing
from guest.nodes import Node, Ref
from guest.selecting import parse


def node(role: str, name: str = "", parent: Node | None = None, **more: object) -> Node:
    """Return a node that is shown."""
    fields: dict[str, object] = {
        "value": "", "text": "", "description": "", "states": frozenset({"showing"}), "box": (10, 20, 100, 50),
    }  # fmt: skip
    fields.update(more)
    made = Node(role=role, name=name, depth=0, parent=parent, ref=Ref("", ""), **fields)  # type: ignore[arg-type]
    if parent is not None:
        parent.children.append(made)
    return made


def tree() -> list[Node]:
    """A window with two buttons of one name, a field and something hidden."""
    window = node("frame", "Main")
    bar = node("tool-bar", "Files", window)
    add = node("push-button", "Add", bar)
    focused = frozenset({"showing", "focused"})
    other = node("push-button", "Add", window, states=focused, description='says "hi"')
    entry = node("text", "Name", window, value="Ada Lovelace")
    hidden = node("push-button", "Remove", window, states=frozenset())
    empty = node("push-button", "Nowhere", window, box=None)
    return [window, bar, add, other, entry, hidden, empty]


@pytest.mark.parametrize(
    ("selector", "places"),
    [
        ('push-button[name="Add"]', [2, 3]),
        ('push-button[name="Add"]:nth(1)', [3]),
        ('tool-bar >> push-button[name="Add"]', [2]),
        ("frame >> tool-bar >> *", [2]),
        ('*[value^="Ada"]', [4]),
        ('*[value*="Love"]', [4]),
        ('*[value$="lace"]', [4]),
        (r'*[description="says \"hi\""]', [3]),
        ("push-button:focused", [3]),
        ("push-button:hidden", [2, 3, 5, 6]),
        ('push-button[name="Remove"]', []),
        ('push-button[name="Nowhere"]', []),
    ],
)
def test_what_fits(selector: str, places: list[int]) -> None:
    """Role, attributes, states, numbers and descent choose nodes; what is not shown is only found when asked for."""
    nodes = tree()
    assert parse(selector).all(nodes) == [nodes[place] for place in places]


def test_several_are_an_error() -> None:
    """A selector for one node that fits several says which, and how to choose."""
    with pytest.raises(Missing, match=r"fits 2 nodes .*add :nth\(0\)"):
        parse('push-button[name="Add"]').one(tree())


def test_none_is_none() -> None:
    """A selector that fits nothing is no error: the node may not be there yet."""
    assert parse('push-button[name="Gone"]').one(tree()) is None


def test_a_point_within_the_box() -> None:
    """A point is a fraction of the box, and the last pixel belongs to it."""
    nodes = tree()
    assert parse("text@0.25,0.5").box(nodes[4]) == (35, 45, 1, 1)
    assert parse("text@1,1").box(nodes[4]) == (109, 69, 1, 1)
    assert parse("text").box(nodes[4]) == (10, 20, 100, 50)


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("", "malformed"),
        ("push-button[name=Add]", r"malformed at '\[name=Add\]'"),
        ("push-button >>", "malformed"),
        ("push-button:shiny", "unknown :shiny"),
        ("push-button:nth", "unknown :nth"),
        ("push-button@1.5,0", "within 0 and 1"),
        ("*" * 2000, "at most 1000"),
    ],
)
def test_what_is_malformed(selector: str, said: str) -> None:
    """A malformed selector is refused with the place of the mistake."""
    with pytest.raises(BadRequest, match=said):
        parse(selector)
