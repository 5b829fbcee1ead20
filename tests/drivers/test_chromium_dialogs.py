"""What headless Chromium does not paint is met by the agent as a person would meet it."""

from __future__ import annotations

import asyncio
import io

import pytest
from PIL import Image, ImageChops
from playwright.async_api import FileChooser

from pytest_cuabench.drivers.chromium.session import Session
from pytest_cuabench.task.action import Back, Click, ClickElement, Key, Move, Type

from .conftest import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")


def _differ(one: bytes | None, other: bytes | None) -> bool:
    assert one is not None
    assert other is not None
    pictures = (Image.open(io.BytesIO(png)).convert("RGB") for png in (one, other))
    return ImageChops.difference(*pictures).getbbox() is not None


async def test_an_alert_is_painted_and_holds_the_page(desk: Desk) -> None:
    """An alert appears on the screenshot; the page gets nothing until it is answered."""
    await desk.go("dialogs")
    before = await desk.environment.observe("screenshot")
    await desk.click("#alert")
    during = await desk.environment.observe("screenshot")
    assert _differ(before.screenshot, during.screenshot)
    assert await desk.environment.read("dialog=message") == "Saved"
    assert await desk.environment.locate("#field") is None
    await desk.do(Key(("enter",)))
    assert await desk.out() == "alerted"


@pytest.mark.parametrize(("part", "answer"), [("OK", "true"), ("Cancel", "false")])
async def test_a_confirm_is_answered_by_its_buttons(desk: Desk, part: str, answer: str) -> None:
    """The buttons of a confirm give the page its answer."""
    await desk.go("dialogs")
    await desk.click("#confirm")
    await desk.click(f"dialog={part}")
    assert await desk.out() == answer


@pytest.mark.parametrize(
    ("keys", "answer"),
    [((("escape",),), "false"), ((("enter",),), "true"), ((("tab",), ("space",)), "false")],
)
async def test_a_confirm_is_answered_by_keys(
    desk: Desk, keys: tuple[tuple[str, ...], ...], answer: str
) -> None:
    """Enter, Escape, Tab and Space work as in any dialog."""
    await desk.go("dialogs")
    await desk.click("#confirm")
    await desk.do(*(Key(chord) for chord in keys))
    assert await desk.out() == answer


async def test_a_prompt_takes_a_text(desk: Desk) -> None:
    """Typing replaces the suggested text of a prompt; backspace removes the last character."""
    await desk.go("dialogs")
    await desk.click("#prompt")
    await desk.do(Type("Joanx"), Key(("backspace",)), Key(("enter",)))
    assert await desk.out() == "Joan"


async def test_a_prompt_keeps_its_suggestion(desk: Desk) -> None:
    """A prompt that is only confirmed answers what it suggested."""
    await desk.go("dialogs")
    await desk.click("#prompt")
    await desk.click("dialog=OK")
    assert await desk.out() == "Ann"


async def test_dialogs_in_a_row(desk: Desk) -> None:
    """The second alert is there as soon as the first is answered."""
    await desk.go("dialogs")
    await desk.click("#twice")
    await desk.do(Key(("enter",)))
    assert await desk.environment.read("dialog=message") == "two"
    await desk.do(Key(("enter",)))
    assert await desk.out() == "both"


@pytest.mark.parametrize(("part", "title"), [("Leave", "Two"), ("Cancel", "Dialogs")])
async def test_leaving_a_page_may_be_asked_about(desk: Desk, part: str, title: str) -> None:
    """A page that asks before it is left is left, or not, as answered."""
    await desk.start("dialogs")
    await desk.click("#leave")
    await desk.click(f"dialog={part}")
    assert await desk.environment.read("h1") == title
    await desk.start("")


async def test_browser_actions_wait_for_the_dialog(desk: Desk) -> None:
    """Going back while a dialog is open is the agent's mistake."""
    await desk.go("dialogs")
    await desk.click("#alert")
    result = await desk.environment.perform(Back())
    assert "dialog is open" in (result.error or "")
    await desk.do(Click(2, 2), Move(5, 5), Key(("escape",)))
    assert await desk.out() == "alerted"


@pytest.mark.parametrize("kind", ["tree", "marks", "dom", "screenshot+tree"])
async def test_every_kind_of_observation_shows_the_dialog(desk: Desk, kind: str) -> None:
    """A dialog is in the tree, the marks and the text too, with what it says and its buttons."""
    await desk.go("dialogs")
    await desk.click("#confirm")
    seen = await desk.environment.observe(kind)  # type: ignore[arg-type]
    told = str(seen.tree or seen.marks or seen.dom)
    assert "OK" in told
    assert "Cancel" in told
    if seen.marks:
        await desk.do(ClickElement(next(mark.number for mark in seen.marks if mark.name == "Cancel")))
    else:
        await desk.do(Key(("escape",)))
    assert await desk.out() == "false"


async def test_a_file_is_chosen_by_its_row(desk: Desk) -> None:
    """The file dialog lists the files that were handed over, without their paths; a click and Open choose one."""
    await desk.go("upload")
    await desk.click("#one")
    names = [
        node.name for node in (await desk.environment.observe("tree")).tree or () if node.role == "option"
    ]
    assert names == ["letter.txt", "scan.txt"]
    await desk.click("dialog=scan.txt")
    await desk.click("dialog=Open")
    assert await desk.out() == "scan.txt:7"


async def test_a_file_is_chosen_by_typing(desk: Desk) -> None:
    """Typing filters the files; the arrow and Enter choose."""
    await desk.go("upload")
    await desk.click("#one")
    await desk.do(Type("let"), Key(("down",)), Key(("enter",)))
    assert await desk.out() == "letter.txt:14"


async def test_no_file_is_chosen_on_escape(desk: Desk) -> None:
    """A file dialog that is cancelled leaves the page as it was, and the page can be used again."""
    await desk.go("upload")
    await desk.click("#one")
    await desk.do(Key(("escape",)))
    assert await desk.out() is None
    await desk.click("#one")
    await desk.click("dialog=letter.txt", count=2)
    assert await desk.out() == "letter.txt:14"


async def test_a_download_can_be_uploaded(desk: Desk) -> None:
    """A file that was downloaded in the episode is among those that can be uploaded."""
    await desk.start("files")
    await desk.click("#csv")
    await desk.go("upload")
    await desk.click("#one")
    await desk.click("dialog=list.csv")
    await desk.click("dialog=Open")
    assert await desk.out() == "list.csv:8"


async def test_a_download_is_waited_for(desk: Desk) -> None:
    """A file whose last part comes later than a page has to rest is saved when the click has ended."""
    await desk.start("files")
    await desk.click("#late")
    assert (await desk.environment.activity()).downloads == ("late.csv",)


async def test_a_file_dialog_is_waited_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file dialog that the browser tells of late is there when the click has ended."""
    choose = Session._choose_files

    def later(self: Session, chooser: FileChooser) -> None:
        asyncio.get_running_loop().call_later(2, choose, self, chooser)

    monkeypatch.setattr(Session, "_choose_files", later)
    await desk.start("upload")
    for button in ("#one", "#hidden"):
        await desk.click(button)
        assert await desk.environment.locate("dialog=scan.txt") is not None
        await desk.do(Key(("escape",)))


async def test_a_select_opens_a_list_in_the_page(desk: Desk) -> None:
    """A click opens the options, a click on one of them chooses it and tells the page."""
    await desk.go("select")
    before = (await desk.environment.observe("screenshot")).screenshot
    await desk.click("#ward")
    assert _differ(before, (await desk.environment.observe("screenshot")).screenshot)
    await desk.click('[role=option] >> text="Ward B"')
    assert await desk.out() == "change b"
    assert await desk.environment.read("#ward") == "b"
    assert await desk.environment.locate("[role=listbox]") is None


async def test_a_select_is_used_by_keys(desk: Desk) -> None:
    """Space opens the list, arrows skip what is disabled, letters search, Enter chooses."""
    await desk.go("select")
    await desk.do(Key(("tab",)), Key(("space",)), Key(("down",)), Key(("down",)), Key(("enter",)))
    assert await desk.out() == "change d"
    await desk.do(Key(("space",)), Type("ward b"), Key(("enter",)))
    assert await desk.out() == "change b"


async def test_a_select_is_left_by_escape_and_by_a_click_elsewhere(desk: Desk) -> None:
    """The list closes without a choice; a disabled option cannot be chosen."""
    await desk.go("select")
    await desk.click("#ward")
    await desk.do(Key(("escape",)))
    assert await desk.environment.locate("[role=listbox]") is None
    await desk.click("#ward")
    await desk.click('[role=option] >> text="Ward C"')
    await desk.do(Click(700, 600))
    assert await desk.environment.locate("[role=listbox]") is None
    assert await desk.out() is None


async def test_the_tree_names_the_options_of_an_open_list(desk: Desk) -> None:
    """Agents that read the tree find the options too."""
    await desk.go("select")
    await desk.click("#ward")
    tree = (await desk.environment.observe("tree")).tree or ()
    assert [node.name for node in tree if node.role == "option"] == ["Ward A", "Ward B", "Ward C", "Ward D"]


async def test_a_file_dialog_may_come_from_an_input_that_is_not_on_the_page(desk: Desk) -> None:
    """Applications often make the file input only when its button is clicked."""
    await desk.go("upload")
    await desk.click("#hidden")
    await desk.click("dialog=letter.txt", count=2)
    assert await desk.out() == "letter.txt"
