"""Nothing of the driver shows in a page: what it draws, listens to and replaces is neither seen nor heard there."""

from __future__ import annotations

import json

import pytest

from pytest_cuabench.drivers.chromium import Chromium
from pytest_cuabench.task.action import Click, Drag, Key, MouseDown, MouseUp, Move, Scroll, Type, Wait

from .conftest import Harness
from .recording import Recorder
from .test_chromium_odd_pages import active, page
from .unseen_pages import ODD, SELF, application

pytestmark = pytest.mark.asyncio(loop_scope="module")
APPLICATION = application
FIELDS = {"select": 72, "date": 112, "time": 152, "color": 192, "list": 232}  # where their middles are


async def told(harness: Harness) -> list[str]:
    """Return what the page has noticed since it was asked last."""
    found: list[str] = await page(harness).evaluate("seen.splice(0)")
    return found


async def test_a_page_finds_no_difference_to_a_plain_browser(harness: Harness, browser: Chromium) -> None:
    """All names and functions of a page, and the stacks of what they throw, are those without the driver."""
    await harness.go("watched")
    ours = json.loads(await page(harness).evaluate(SELF))
    context = await browser.context(
        proxy={"server": "http://localhost:9", "bypass": "localhost, *.localhost"}
    )
    plain = await context.new_page()
    await plain.goto(f"{harness.origin}/watched")
    theirs = json.loads(await plain.evaluate(SELF))
    await context.close()
    assert {key: ours.get(key) for key in ours | theirs if ours.get(key) != theirs.get(key)} == {}
    assert len(ours) > 5000


async def test_lists_and_tooltips_stand_in_no_document(harness: Harness) -> None:
    """While a tooltip and each kind of list is shown, the page notices no change, no shift and no press on the list."""
    await harness.go("watched")
    await told(harness)
    before = await page(harness).evaluate("state()")
    for place in (32, 272):
        await harness.do(Move(60, place), Wait(0.8))
        shown = await active(harness).drawn.look()
        assert shown is not None
        assert shown.nodes[0].role == "tooltip"
    for number, (name, place) in enumerate(FIELDS.items(), 1):
        await harness.do(Click(228, place))
        drawn = await active(harness).drawn.look()
        assert drawn is not None, name
        await harness.do(Move(60, place + 60), Scroll(60, place + 60, dy=1))
        await harness.do(Drag(((80, place + 20), (90, place + 26))))  # from the edge of the list to its edge
        assert await page(harness).evaluate("[state(), pressed]") == [before, number], name
        await harness.do(Key(("escape",)))
        assert not active(harness).drawn.there, name
    assert await told(harness) == []


async def test_a_list_goes_with_its_field(harness: Harness) -> None:
    """A list whose field left the page, is hidden, disabled, replaced or of another page is gone, and sets nothing."""
    for change in (
        "one.remove()",
        "one.replaceWith(one.cloneNode(true))",
        "one.hidden = true",
        "one.style.visibility = 'hidden'",
        "one.disabled = true",
        "document.body.innerHTML = '<p>other'",
        "location.reload()",
    ):
        for looked in (False, True):
            await harness.go("watched")
            await page(harness).evaluate("() => { window.one = select; one.onchange = () => say('set') }")
            await harness.do(Click(228, 72))
            assert active(harness).drawn.there
            await page(harness).evaluate(f"() => {{ {change} }}")
            if looked:
                seen = await harness.environment.observe("tree")
                assert "option" not in [node.role for node in seen.tree or ()], change
            await harness.do(Click(60, 120), Key(("down",)), Key(("enter",)))
            if "reload" not in change:
                assert await page(harness).evaluate("[one.value, seen.includes('set')]") == ["one", False], (
                    change
                )


async def test_a_list_shows_the_options_that_its_field_has_now(harness: Harness) -> None:
    """Options that a page changes under an open list are shown, pointed at and chosen as they are."""
    await harness.go("watched")
    await harness.do(Click(228, 72))
    await page(harness).evaluate(
        "document.getElementById('select').innerHTML = '<option>x<option>four<option>five'"
    )
    four = await harness.environment.locate('role=option[name="four"]')
    await harness.do(Type("fo"))
    assert await harness.environment.locate("role=option[selected]") == four
    assert await harness.environment.locate('role=option[name="five"][selected]') is None
    await harness.click('role=option[name="four"]')
    assert await page(harness).evaluate("document.getElementById('select').value") == "four"


async def test_a_press_that_is_let_go_on_a_list_chooses(harness: Harness) -> None:
    """Held from a field to an option, a button chooses it, and the page gets no click on what lies under the list."""
    await harness.go("watched")
    await page(harness).evaluate("addEventListener('click', () => say('click'), true)")
    await harness.do(MouseDown(228, 72), Move(60, 121), MouseUp(60, 121))
    assert await page(harness).evaluate("document.getElementById('select').value") == "two"
    assert "click" not in await told(harness)
    await harness.do(Click(60, 32))
    assert "click" in await told(harness)


@pytest.mark.slow
async def test_nothing_fails_on_odd_pages(harness: Harness) -> None:
    """Hovering, pressing, dragging, typing and pasting throws and logs nothing, whatever page it is."""
    session = harness.environment._session
    assert session is not None
    recorder = Recorder()
    await recorder.listen(session.active.page)
    for name in ODD:
        await harness.go(name)
        recorder.heard.clear()
        for x, y in ((20, 20), (150, 30), (500, 400)):
            await harness.do(Move(x, y), Wait(0.7), Click(x, y), Move(x + 30, y + 12))
            seen = await harness.environment.observe("screenshot+tree")
            assert seen.tree is not None, name
            assert "failed" not in " ".join(seen.notices), name
        await harness.do(
            Drag(((620, 20), (640, 80))),
            Key(("ctrl", "a")),
            Key(("ctrl", "c")),
            Type("ab"),
            Key(("ctrl", "v")),
        )
        await harness.do(
            Key(("tab",)), Key(("space",)), Key(("down",)), Key(("enter",)), Scroll(50, 50, dy=1)
        )
        assert "failed" not in await harness.notices(), name
        # What a frame without scripts refuses to run is told to developers alone.
        heard = [one.text for one in recorder.heard if "allow-scripts" not in one.text]
        assert heard == [], name
