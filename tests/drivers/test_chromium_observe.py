"""The kinds of observation, looking closely, finding elements."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from pytest_cuabench.task import action as act
from pytest_cuabench.task.observation import Box, Node

from .conftest import Harness

pytestmark = pytest.mark.asyncio(loop_scope="module")


def _size(png: bytes | None) -> tuple[int, int]:
    assert png is not None
    return Image.open(io.BytesIO(png)).size


async def _tree(harness: Harness) -> tuple[Node, ...]:
    return (await harness.environment.observe("tree")).tree or ()


async def test_a_screenshot_has_the_size_of_the_screen(harness: Harness) -> None:
    """The picture is a PNG of exactly the screen, with the cursor's place beside it."""
    await harness.do(act.Move(12, 34))
    seen = await harness.environment.observe("screenshot")
    assert _size(seen.screenshot) == (1000, 700)
    assert seen.cursor == (12, 34)
    assert (seen.tree, seen.marks, seen.dom) == (None, None, None)


async def test_the_tree_tells_what_is_visible(harness: Harness) -> None:
    """Roles, names, values and states in reading order; nothing that is clipped, far below, or secret."""
    await harness.go("looks")
    tree = await _tree(harness)
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


async def test_boxes_of_the_tree_are_on_the_screen(harness: Harness) -> None:
    """A node's box is where the element is painted, in frames and after scrolling too."""
    await harness.go("looks")
    for selector, name in (("#inner", "Inner"), ("#covered", "Covered")):
        box = await harness.environment.locate(selector)
        node = next(node for node in await _tree(harness) if node.name == name)
        assert box is not None
        assert tuple(node.box) == pytest.approx(tuple(box), abs=1)
    await harness.do(act.Scroll(500, 600, dy=100))
    node = next(node for node in await _tree(harness) if node.name == "Far below")
    box = await harness.environment.locate("#far")
    assert box is not None
    assert node.box.y == pytest.approx(box.y, abs=1)


async def test_picture_and_tree_come_together(harness: Harness) -> None:
    """`screenshot+tree` has both."""
    seen = await harness.environment.observe("screenshot+tree")
    assert _size(seen.screenshot) == (1000, 700)
    assert seen.tree


async def test_marks_number_what_can_be_used(harness: Harness) -> None:
    """Marks are on visible, uncovered elements, keep their numbers, and are painted on the picture."""
    await harness.go("looks")
    plain = (await harness.environment.observe("screenshot")).screenshot
    seen = await harness.environment.observe("marks")
    names = [mark.name for mark in seen.marks or ()]
    assert {"Two", "Name", "Urgent", "Inner", "Clickable"} <= set(names)
    assert "Covered" not in names
    assert [mark.number for mark in seen.marks or ()] == list(range(1, len(names) + 1))
    assert (await harness.environment.observe("marks")).marks == seen.marks
    assert seen.screenshot != plain


async def test_marks_are_clicked_and_filled(harness: Harness) -> None:
    """A mark's number stands for its element; an unknown number is the agent's mistake."""
    await harness.go("looks")
    numbers = {mark.name: mark.number for mark in (await harness.environment.observe("marks")).marks or ()}
    await harness.do(act.FillElement(numbers["Name"], "Größe 😀"))
    assert await harness.environment.read("#name") == "Größe 😀"
    result = await harness.environment.perform(act.ClickElement(99))
    assert "mark 99 is not on the last observation" in (result.error or "")
    await harness.do(act.ClickElement(numbers["Two"]))
    assert await harness.environment.read("h1") == "Two"


async def test_the_text_of_a_page(harness: Harness) -> None:
    """The text has headings, fields with labels and values, frames, and no password."""
    await harness.go("looks")
    text = (await harness.environment.observe("dom")).dom or ""
    for part in ("# Patients", "[field] Name: Ann", "[x] Urgent", "Inner", "[link] Two", "(hidden)"):
        assert part in text
    assert "hunter2" not in text


async def test_looking_closely(harness: Harness) -> None:
    """A zoom fills the screen as far as its proportions allow; a screenshot can be taken within a batch."""
    result = await harness.do(act.Zoom((0, 0, 100, 50)))
    assert _size(result.image) == (1000, 500)
    assert _size((await harness.do(act.Screenshot())).image) == (1000, 700)
    assert (await harness.do(act.Move(7, 8), act.CursorPosition())).text == "7,8"


async def test_what_this_environment_cannot_do(harness: Harness) -> None:
    """Actions of other environments and points beside the screen are the agent's mistakes."""
    result = await harness.environment.perform(act.OpenApp("Calculator"))
    assert "not available" in (result.error or "")
    result = await harness.environment.perform(act.Move(1000, 5))
    assert "outside" in (result.error or "")


async def test_locating(harness: Harness) -> None:
    """One visible match has a box, none is None, several are an error, and so is what is no selector."""
    await harness.go("several")
    assert await harness.environment.locate("#nothing") is None
    with pytest.raises(LookupError, match="2 visible elements"):
        await harness.environment.locate(".same")
    with pytest.raises(LookupError, match="not a selector"):
        await harness.environment.locate("p[[")
    assert await harness.environment.read("text=two") == "two"


async def test_a_frame_that_is_scaled(harness: Harness) -> None:
    """What is in a scaled frame has the box that is painted, for selectors, in the tree and as a mark."""
    await harness.go("scaled")
    box = await harness.environment.locate("#inner")
    assert box is not None
    assert (box.x, box.y) == pytest.approx((100 + 2 * (4 + 6 + 30), 50 + 2 * (4 + 6 + 30)), abs=1)
    assert box.height > 30
    node = next(node for node in await _tree(harness) if node.name == "Inner")
    (mark,) = (await harness.environment.observe("marks")).marks or ()
    assert [tuple(node.box), tuple(mark.box)] == [pytest.approx(tuple(box), abs=1)] * 2
    await harness.do(act.ClickElement(mark.number))
    assert await harness.environment.read("#inner") == "Pressed"


async def test_what_a_frame_hides_has_to_come_into_view(harness: Harness) -> None:
    """A button that is scrolled out of its frame lies under what is above; the wheel over the frame brings it back."""
    await harness.go("covered")
    placed = await harness.environment.place("#upper")
    assert placed is not None
    assert placed.window == Box(0, 100, 500, 300)
    assert placed.box.inside(harness.environment.screen)
    assert not placed.box.shown_in(placed.window)
    await harness.do(act.Scroll(*placed.window.middle, dx=0, dy=-1))
    placed = await harness.environment.place("#upper")
    assert placed is not None
    assert placed.box.shown_in(placed.window)
    await harness.do(act.Click(*placed.box.middle))
    assert await harness.environment.read("#upper") == "1"
    assert await harness.environment.read("h1") == "Bar"


async def test_locating_within_frames(harness: Harness) -> None:
    """What is not in the page itself is looked for in its frames, and found where it can be clicked."""
    await harness.go("looks")
    box = await harness.environment.locate("text=Inner")
    assert box is not None
    assert box.x > 600
    assert box.y > 300
