"""What headless Chromium does not paint is met by the agent as a person would meet it."""

from __future__ import annotations

import asyncio
import io

import pytest
from PIL import Image, ImageChops
from playwright.async_api import FileChooser

from pytest_cuabench.drivers.chromium.session.session import Session
from pytest_cuabench.task.action import (
    Back,
    Click,
    ClickElement,
    Key,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Type,
)
from pytest_cuabench.task.keys import parse_chord

from .conftest import Harness

pytestmark = pytest.mark.asyncio(loop_scope="module")


def _differ(one: bytes | None, other: bytes | None) -> bool:
    assert one is not None
    assert other is not None
    pictures = (Image.open(io.BytesIO(png)).convert("RGB") for png in (one, other))
    return ImageChops.difference(*pictures).getbbox() is not None


async def test_an_alert_is_painted_and_holds_the_page(harness: Harness) -> None:
    """An alert appears on the screenshot; the page gets nothing until it is answered."""
    await harness.go("dialogs")
    before = await harness.environment.observe("screenshot")
    await harness.click("#alert")
    during = await harness.environment.observe("screenshot")
    assert _differ(before.screenshot, during.screenshot)
    assert await harness.environment.read("dialog=message") == "Saved"
    assert await harness.environment.locate("#field") is None
    await harness.do(Key(("enter",)))
    assert await harness.out() == "alerted"


@pytest.mark.parametrize(("part", "answer"), [("OK", "true"), ("Cancel", "false")])
async def test_a_confirm_is_answered_by_its_buttons(harness: Harness, part: str, answer: str) -> None:
    """The buttons of a confirm give the page its answer."""
    await harness.go("dialogs")
    await harness.click("#confirm")
    await harness.click(f"dialog={part}")
    assert await harness.out() == answer


@pytest.mark.parametrize(
    ("keys", "answer"),
    [((("escape",),), "false"), ((("enter",),), "true"), ((("tab",), ("space",)), "false")],
)
async def test_a_confirm_is_answered_by_keys(
    harness: Harness, keys: tuple[tuple[str, ...], ...], answer: str
) -> None:
    """Enter, Escape, Tab and Space work as in any dialog."""
    await harness.go("dialogs")
    await harness.click("#confirm")
    await harness.do(*(Key(chord) for chord in keys))
    assert await harness.out() == answer


async def test_a_prompt_takes_a_text(harness: Harness) -> None:
    """Typing replaces the suggested text of a prompt; backspace removes the last character."""
    await harness.go("dialogs")
    await harness.click("#prompt")
    await harness.do(Type("Joanx"), Key(("backspace",)), Key(("enter",)))
    assert await harness.out() == "Joan"


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (("home", "x"), "xAnn"),
        (("end", "shift+home", "x"), "x"),
        (("home", "right", "shift+end", "delete"), "A"),
        (("end", "left", "left", "delete"), "An"),
        (("end", "ctrl+left", "x"), "xAnn"),
        (("ctrl+a", "ctrl+x", "ctrl+v", "ctrl+v"), "AnnAnn"),
        (("ctrl+a", "ctrl+c", "end", "ctrl+v"), "AnnAnn"),
        (("ctrl+A", "ctrl+backspace", "x"), "x"),
    ],
    ids=" ".join,
)
async def test_a_prompt_is_edited_by_keys(harness: Harness, keys: tuple[str, ...], answer: str) -> None:
    """The field of a prompt knows the keys of a text field."""
    await harness.go("dialogs")
    await harness.click("#prompt")
    await harness.do(*(Key(parse_chord(key)) for key in keys), Key(("enter",)))
    assert await harness.out() == answer


async def test_a_prompt_pastes_what_the_page_copied(harness: Harness) -> None:
    """Page and dialog have one clipboard, in both directions."""
    await harness.go("dialogs")
    await harness.click("#prompt")
    await harness.do(KeyDown("ctrl"), Key(("c",)), KeyUp("ctrl"), Key(("end",)), KeyDown("ctrl"), Key(("v",)))
    await harness.do(KeyUp("ctrl"), Key(("shift", "home")), Key(("ctrl", "x")), Key(("enter",)))
    await harness.click("#prompt")
    await harness.do(Key(("ctrl", "v")), Key(("enter",)))
    assert await harness.out() == "AnnAnn"


async def test_a_dialog_is_answered_by_press_and_release(harness: Harness) -> None:
    """A button of the mouse that is pressed and let go on a button is a click; elsewhere it is none."""
    await harness.go("dialogs")
    await harness.click("#prompt")
    ok, cancel = [(await harness.environment.locate(f"dialog={name}")).middle for name in ("OK", "Cancel")]
    await harness.do(MouseDown(*cancel), MouseUp(*ok))
    assert await harness.environment.read("dialog=message") == "Name?"
    await harness.do(MouseDown(*ok, button="right"), MouseUp(*ok, button="right"))
    assert await harness.environment.read("dialog=message") == "Name?"
    await harness.do(MouseDown(*ok), MouseUp(*ok))
    assert await harness.out() == "Ann"


async def test_a_prompt_keeps_its_suggestion(harness: Harness) -> None:
    """A prompt that is only confirmed answers what it suggested."""
    await harness.go("dialogs")
    await harness.click("#prompt")
    await harness.click("dialog=OK")
    assert await harness.out() == "Ann"


async def test_dialogs_in_a_row(harness: Harness) -> None:
    """The second alert is there as soon as the first is answered."""
    await harness.go("dialogs")
    await harness.click("#twice")
    await harness.do(Key(("enter",)))
    assert await harness.environment.read("dialog=message") == "two"
    await harness.do(Key(("enter",)))
    assert await harness.out() == "both"


@pytest.mark.parametrize(("part", "title"), [("Leave", "Two"), ("Cancel", "Dialogs")])
@pytest.mark.slow
async def test_leaving_a_page_may_be_asked_about(harness: Harness, part: str, title: str) -> None:
    """A page that asks before it is left is left, or not, as answered."""
    await harness.start("dialogs")
    await harness.click("#leave")
    await harness.click(f"dialog={part}")
    assert await harness.environment.read("h1") == title
    await harness.start("")


async def test_browser_actions_wait_for_the_dialog(harness: Harness) -> None:
    """Going back while a dialog is open is the agent's mistake."""
    await harness.go("dialogs")
    await harness.click("#alert")
    result = await harness.environment.perform(Back())
    assert "dialog is open" in (result.error or "")
    await harness.do(Click(2, 2), Move(5, 5), Key(("escape",)))
    assert await harness.out() == "alerted"


@pytest.mark.parametrize("kind", ["tree", "marks", "dom", "screenshot+tree"])
async def test_every_kind_of_observation_shows_the_dialog(harness: Harness, kind: str) -> None:
    """A dialog is in the tree, the marks and the text too, with what it says and its buttons."""
    await harness.go("dialogs")
    await harness.click("#confirm")
    seen = await harness.environment.observe(kind)  # type: ignore[arg-type]
    told = str(seen.tree or seen.marks or seen.dom)
    assert "OK" in told
    assert "Cancel" in told
    if seen.marks:
        await harness.do(ClickElement(next(mark.number for mark in seen.marks if mark.name == "Cancel")))
    else:
        await harness.do(Key(("escape",)))
    assert await harness.out() == "false"


async def test_a_file_is_chosen_by_its_row(harness: Harness) -> None:
    """The file dialog lists the files that were handed over, without their paths; a click and Open choose one."""
    await harness.go("upload")
    await harness.click("#one")
    names = [
        node.name for node in (await harness.environment.observe("tree")).tree or () if node.role == "option"
    ]
    assert names == ["letter.txt", "scan.txt"]
    await harness.click("dialog=scan.txt")
    await harness.click("dialog=Open")
    assert await harness.out() == "scan.txt:7"


async def test_a_file_is_chosen_by_typing(harness: Harness) -> None:
    """Typing filters the files; the arrow and Enter choose."""
    await harness.go("upload")
    await harness.click("#one")
    await harness.do(Type("let"), Key(("down",)), Key(("enter",)))
    assert await harness.out() == "letter.txt:14"


async def test_no_file_is_chosen_on_escape(harness: Harness) -> None:
    """A file dialog that is cancelled leaves the page as it was, and the page can be used again."""
    await harness.go("upload")
    await harness.click("#one")
    await harness.do(Key(("escape",)))
    assert await harness.out() is None
    await harness.click("#one")
    await harness.click("dialog=letter.txt", count=2)
    assert await harness.out() == "letter.txt:14"


async def test_a_download_can_be_uploaded(harness: Harness) -> None:
    """A file that was downloaded in the episode is among those that can be uploaded."""
    await harness.start("files")
    await harness.click("#csv")
    await harness.go("upload")
    await harness.click("#one")
    await harness.click("dialog=list.csv")
    await harness.click("dialog=Open")
    assert await harness.out() == "list.csv:8"


@pytest.mark.slow
async def test_a_download_is_waited_for(harness: Harness) -> None:
    """A file whose last part comes later than a page has to rest is saved when the click has ended."""
    await harness.start("files")
    await harness.click("#late")
    assert (await harness.environment.activity()).downloads == ("late.csv",)


@pytest.mark.slow
async def test_a_file_dialog_is_waited_for(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file dialog that the browser tells of late is there when the click has ended."""
    choose = Session._choose_files

    def later(self: Session, chooser: FileChooser) -> None:
        asyncio.get_running_loop().call_later(2, choose, self, chooser)

    monkeypatch.setattr(Session, "_choose_files", later)
    await harness.start("upload")
    for button in ("#one", "#hidden"):
        await harness.click(button)
        assert await harness.environment.locate("dialog=scan.txt") is not None
        await harness.do(Key(("escape",)))


async def test_a_select_opens_a_list_in_the_page(harness: Harness) -> None:
    """A click opens the options, a click on one of them chooses it and tells the page."""
    await harness.go("select")
    before = (await harness.environment.observe("screenshot")).screenshot
    await harness.click("#ward")
    assert _differ(before, (await harness.environment.observe("screenshot")).screenshot)
    await harness.click('[role=option] >> text="Ward B"')
    assert await harness.out() == "change b"
    assert await harness.environment.read("#ward") == "b"
    assert await harness.environment.locate("[role=listbox]") is None


async def test_a_select_is_used_by_keys(harness: Harness) -> None:
    """Space opens the list, arrows skip what is disabled, letters search, Enter chooses."""
    await harness.go("select")
    await harness.do(Key(("tab",)), Key(("space",)), Key(("down",)), Key(("down",)), Key(("enter",)))
    assert await harness.out() == "change d"
    await harness.do(Key(("space",)), Type("ward b"), Key(("enter",)))
    assert await harness.out() == "change b"


async def test_a_select_is_left_by_escape_and_by_a_click_elsewhere(harness: Harness) -> None:
    """The list closes without a choice; a disabled option cannot be chosen."""
    await harness.go("select")
    await harness.click("#ward")
    await harness.do(Key(("escape",)))
    assert await harness.environment.locate("[role=listbox]") is None
    await harness.click("#ward")
    await harness.click('[role=option] >> text="Ward C"')
    await harness.do(Click(700, 600))
    assert await harness.environment.locate("[role=listbox]") is None
    assert await harness.out() is None


async def test_the_tree_names_the_options_of_an_open_list(harness: Harness) -> None:
    """Agents that read the tree find the options too."""
    await harness.go("select")
    await harness.click("#ward")
    tree = (await harness.environment.observe("tree")).tree or ()
    assert [node.name for node in tree if node.role == "option"] == ["Ward A", "Ward B", "Ward C", "Ward D"]


@pytest.mark.slow
async def test_a_file_dialog_may_come_from_an_input_that_is_not_on_the_page(harness: Harness) -> None:
    """Applications often make the file input only when its button is clicked."""
    await harness.go("upload")
    await harness.click("#hidden")
    await harness.click("dialog=letter.txt", count=2)
    assert await harness.out() == "letter.txt"


async def test_a_select_in_a_modal_dialog_takes_a_choice(harness: Harness) -> None:
    """The list lies in the dialog, as everything beside a modal dialog is inert."""
    await harness.go("modal")
    await harness.click("#ward")
    await harness.click('[role=option] >> text="Ward B"')
    assert await harness.out() == "b"


async def test_a_key_that_is_let_go_at_a_dialog_is_not_held_after_it(harness: Harness) -> None:
    """What is released while a dialog is open is released for the page, too, when it takes input again."""
    await harness.go("modal")
    await harness.click("#field")
    await harness.do(KeyDown("ctrl"), KeyDown("s"), KeyUp("s"), KeyUp("ctrl"))
    assert await harness.environment.read("dialog=message") == "Save?"
    await harness.do(Key(("enter",)), Type("after"))
    assert await harness.environment.read("#field") == "after"


async def test_two_presses_in_a_row_are_a_double_click(harness: Harness) -> None:
    """A page cannot tell two quick presses from a double click."""
    await harness.go("modal")
    await harness.do(MouseDown(300, 300), MouseUp(300, 300), MouseDown(300, 300), MouseUp(300, 300))
    assert await harness.out() == "twice"
