"""The kinds of observation, looking closely, finding elements."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from pytest_cuabench.task.action import (
    ClickElement,
    CursorPosition,
    FillElement,
    Move,
    OpenApp,
    Screenshot,
    Scroll,
    Zoom,
)
from pytest_cuabench.task.observation import Node

from .conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")


def _size(png: bytes | None) -> tuple[int, int]:
    assert png is not None
    return Image.open(io.BytesIO(png)).size


async def _tree(desk: Desk) -> tuple[Node, ...]:
    return (await desk.environment.observe("tree")).tree or ()


async def test_a_screenshot_has_the_size_of_the_screen(desk: Desk) -> None:
    """The picture is a PNG of exactly the screen, with the cursor's place beside it."""
    await desk.do(Move(12, 34))
    seen = await desk.environment.observe("screenshot")
    assert _size(seen.screenshot) == (1000, 700)
    assert seen.cursor == (12, 34)
    assert (seen.tree, seen.marks, seen.dom) == (None, None, None)


async def test_the_tree_tells_what_is_visible(desk: Desk) -> None:
    """Roles, names, values and states in reading order; nothing that is clipped, far below, or secret."""
    await desk.go("looks")
    tree = await _tree(desk)
    told = [(node.role, node.name, node.value) for node in tree]
    assert told.index(("heading", "Patients", "")) < told.index(("link", "Two", ""))
    assert ("textbox", "Name", "Ann") in told
    assert ("textbox", "Password", "") in told
    assert ("text", "seen", "") in told
    assert not {"hidden away", "Far below"} & {name for _, name, _ in told}
    states = {node.name: node.states for node in tree}
    assert "checked" in states["Urgent"]
    assert "disabled" in states["Save"]
    assert "hunter2" not in str(tree)


async def test_boxes_of_the_tree_are_on_the_screen(desk: Desk) -> None:
    """A node's box is where the element is painted, in frames and after scrolling too."""
    await desk.go("looks")
    for selector, name in (("#inner", "Inner"), ("#covered", "Covered")):
        box = await desk.environment.locate(selector)
        node = next(node for node in await _tree(desk) if node.name == name)
        assert box is not None
        assert tuple(node.box) == pytest.approx(tuple(box), abs=1)
    await desk.do(Scroll(500, 600, dy=100))
    node = next(node for node in await _tree(desk) if node.name == "Far below")
    box = await desk.environment.locate("#far")
    assert box is not None
    assert node.box.y == pytest.approx(box.y, abs=1)


async def test_picture_and_tree_come_together(desk: Desk) -> None:
    """`screenshot+tree` has both."""
    seen = await desk.environment.observe("screenshot+tree")
    assert _size(seen.screenshot) == (1000, 700)
    assert seen.tree


async def test_marks_number_what_can_be_used(desk: Desk) -> None:
    """Marks are on visible, uncovered elements, keep their numbers, and are painted on the picture."""
    await desk.go("looks")
    plain = (await desk.environment.observe("screenshot")).screenshot
    seen = await desk.environment.observe("marks")
    names = [mark.name for mark in seen.marks or ()]
    assert {"Two", "Name", "Urgent", "Inner", "Clickable"} <= set(names)
    assert "Covered" not in names
    assert [mark.number for mark in seen.marks or ()] == list(range(1, len(names) + 1))
    assert (await desk.environment.observe("marks")).marks == seen.marks
    assert seen.screenshot != plain


async def test_marks_are_clicked_and_filled(desk: Desk) -> None:
    """A mark's number stands for its element; an unknown number is the agent's mistake."""
    await desk.go("looks")
    numbers = {mark.name: mark.number for mark in (await desk.environment.observe("marks")).marks or ()}
    await desk.do(FillElement(numbers["Name"], "Größe 😀"))
    assert await desk.environment.read("#name") == "Größe 😀"
    result = await desk.environment.perform(ClickElement(99))
    assert "mark 99 is not on the last observation" in (result.error or "")
    await desk.do(ClickElement(numbers["Two"]))
    assert await desk.environment.read("h1") == "Two"


async def test_the_text_of_a_page(desk: Desk) -> None:
    """The text has headings, fields with labels and values, frames, and no password."""
    await desk.go("looks")
    text = (await desk.environment.observe("dom")).dom or ""
    for part in ("# Patients", "[field] Name: Ann", "[x] Urgent", "Inner", "[link] Two", "(hidden)"):
        assert part in text
    assert "hunter2" not in text


async def test_looking_closely(desk: Desk) -> None:
    """A zoom fills the screen as far as its proportions allow; a screenshot can be taken within a batch."""
    result = await desk.do(Zoom((0, 0, 100, 50)))
    assert _size(result.image) == (1000, 500)
    assert _size((await desk.do(Screenshot())).image) == (1000, 700)
    assert (await desk.do(Move(7, 8), CursorPosition())).text == "7,8"


async def test_what_this_environment_cannot_do(desk: Desk) -> None:
    """Actions of other environments and points beside the screen are the agent's mistakes."""
    result = await desk.environment.perform(OpenApp("Calculator"))
    assert "not available" in (result.error or "")
    result = await desk.environment.perform(Move(1000, 5))
    assert "outside" in (result.error or "")


async def test_locating(desk: Desk) -> None:
    """One visible match has a box, none is None, several are an error, and so is what is no selector."""
    await desk.go("several")
    assert await desk.environment.locate("#nothing") is None
    with pytest.raises(LookupError, match="2 visible elements"):
        await desk.environment.locate(".same")
    with pytest.raises(LookupError, match="not a selector"):
        await desk.environment.locate("p[[")
    assert await desk.environment.read("text=two") == "two"


async def test_locating_within_frames(desk: Desk) -> None:
    """What is not in the page itself is looked for in its frames, and found where it can be clicked."""
    await desk.go("looks")
    box = await desk.environment.locate("text=Inner")
    assert box is not None
    assert box.x > 600
    assert box.y > 300
