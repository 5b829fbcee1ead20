"""Parts of the browser driver that need no browser: dialogs as data, file names, keys, painting."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from PIL import Image

from pytest_cuabench.drivers.chromium.browser.browser import PROGRAM
from pytest_cuabench.drivers.chromium.native.files import free_name, safe_name
from pytest_cuabench.drivers.chromium.native.line import Line
from pytest_cuabench.drivers.chromium.native.overlay import Outcome, Overlay
from pytest_cuabench.drivers.chromium.session.keys import playwright_name, runs, strokes
from pytest_cuabench.drivers.marking import painted
from pytest_cuabench.drivers.paint import blank, font, png, width, wrapped
from pytest_cuabench.task.action import Point, Size
from pytest_cuabench.task.observation import Box, Mark

SCREEN = Size(800, 600)


def _middle(overlay: Overlay, part: str) -> Point:
    return overlay.boxes()[part].middle


def test_parts_lie_within_the_dialog_and_the_screen() -> None:
    """Whatever a dialog says, its parts fit into it and it fits on the screen."""
    for message in ("", "short", "many words " * 40, "w" * 2000, "line\n" * 60):
        for screen in (SCREEN, Size(320, 480)):
            overlay = Overlay(screen, "Title", message, line=Line.selected("x"))
            frame = overlay.box()
            assert frame.x >= 0
            assert frame.y + frame.height <= screen.height
            for box in overlay.boxes().values():
                assert frame.x <= box.x
                assert box.x + box.width <= frame.x + frame.width
                assert frame.y < box.y < box.y + box.height <= frame.y + frame.height


def test_clicks_beside_a_dialog_do_nothing() -> None:
    """Only its buttons answer a dialog."""
    overlay = Overlay(SCREEN, "Title", "Message")
    assert overlay.click(Point(1, 1)) is None
    assert overlay.click(_middle(overlay, "OK")) == Outcome(True)
    assert overlay.click(_middle(overlay, "Cancel")) == Outcome(False)


def test_escape_on_an_alert_is_its_only_answer() -> None:
    """An alert has nothing to cancel."""
    assert Overlay(SCREEN, "T", cancel=None).key(("escape",)) == Outcome(True)
    assert Overlay(SCREEN, "T").key(("escape",)) == Outcome(False)


def test_the_field_of_a_prompt() -> None:
    """Typing replaces a selected content, a click ends the selection, ctrl+a brings it back."""
    overlay = Overlay(SCREEN, "T", line=Line.selected("old"))
    overlay.type("new")
    assert overlay.text == "new"
    overlay.key(("shift", "x"))
    overlay.key(("backspace",))
    overlay.key(("ctrl", "a"))
    overlay.key(("backspace",))
    assert overlay.text == ""
    overlay.type("ä 😀\n")
    assert overlay.key(("enter",)) == Outcome(True, "ä 😀")


def test_focus_goes_around() -> None:
    """Tab visits field and buttons in turn, shift+tab in reverse; typing beside the field writes nothing."""
    overlay = Overlay(SCREEN, "T", line=Line())
    visited = []
    for _ in range(3):
        overlay.key(("tab",))
        visited.append(overlay.focus)
    assert visited == ["OK", "Cancel", "field"]
    overlay.key(("shift", "tab"))
    assert overlay.type("x") is None
    assert overlay.text == ""
    assert overlay.key(("space",)) == Outcome(False)


def test_files_are_filtered_scrolled_and_chosen() -> None:
    """A long list scrolls, arrows move through it, several are chosen with ctrl where the page takes several."""
    names = tuple(f"file {number:02}.txt" for number in range(30))
    overlay = Overlay(SCREEN, "Open", accept="Open", line=Line(), files=names, several=True)
    assert overlay.key(("enter",)) is None
    for _ in range(12):
        overlay.key(("down",))
    assert overlay.chosen == {"file 11.txt"}
    assert "file 11.txt" in overlay.boxes()
    overlay.scroll(-100)
    overlay.click(_middle(overlay, "file 00.txt"))
    overlay.click(_middle(overlay, "file 02.txt"), add=True)
    assert overlay.click(_middle(overlay, "Open")) == Outcome(True, files=("file 00.txt", "file 02.txt"))
    overlay.type("29")
    assert overlay.rows == ("file 29.txt",)
    assert overlay.click(_middle(overlay, "file 29.txt"), count=2) == Outcome(True, files=("file 29.txt",))


@pytest.mark.parametrize(
    "overlay",
    [
        Overlay(SCREEN, "This page says", "Sure?\nReally?"),
        Overlay(SCREEN, "This page says", "Name", line=Line.selected("a very long text " * 20)),
        Overlay(SCREEN, "Open", accept="Open", line=Line(), files=("a.txt", "b" * 200), chosen={"a.txt"}),
        Overlay(SCREEN, "Open", accept="Open", line=Line(), files=()),
    ],
)
def test_dialogs_are_painted(overlay: Overlay) -> None:
    """A dialog changes the picture only where it is."""
    image = overlay.paint(Image.new("RGB", SCREEN, (1, 2, 3)))
    frame = overlay.box()
    assert image.getpixel((2, 2)) == (1, 2, 3)
    assert image.getpixel((int(frame.x) + 9, int(frame.y) + 9)) != (1, 2, 3)


def test_lines_are_broken_to_fit() -> None:
    """No line is wider than the room, and no word is lost."""
    for text in ("one two three four five six seven", "w" * 300, "a\n\nb", ""):
        lines = wrapped(text, font(14), 100)
        assert all(width(line, font(14)) <= 101 for line in lines)
        assert "".join(lines).replace(" ", "") == "".join(text.split())


@pytest.mark.parametrize(
    ("suggested", "safe"),
    [
        ("report.pdf", "report.pdf"), ("../../etc/passwd", "passwd"), ("..\\..\\x.exe", "x.exe"), ("..", "download"),
        ("", "download"), ("a\x00b\n.txt", "a_b_.txt"), (".bashrc", "bashrc"), ("Größe 😀.csv", "Größe 😀.csv"),
        ("x" * 500, "x" * 120),
    ],
)  # fmt: skip
def test_file_names_are_made_safe(suggested: str, safe: str) -> None:
    """Whatever a server suggests becomes a plain name."""
    assert safe_name(suggested) == safe


def test_the_program_keeps_the_arguments(tmp_path: Path) -> None:
    """The list of features is made longer, and everything else stays as Playwright gives it."""
    program = tmp_path / "the program"
    program.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"")
    program.chmod(0o700)
    given = ("--a=b c", "--disable-features=One,Two", "", "--enable-features=Three", "$HOME '")
    printed = subprocess.run(
        [PROGRAM, *given],
        env={"CHROMIUM_PROGRAM": str(program)},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = [each + ",RenderDocument" * each.startswith("--disable-f") for each in given]
    assert printed.stdout.splitlines() == expected


def test_names_that_are_taken_get_a_number(tmp_path: Path) -> None:
    """Numbers go before the ending, as in browsers."""
    for expected in ("a.txt", "a (1).txt", "a (2).txt"):
        assert free_name(tmp_path, "a.txt") == expected
        (tmp_path / expected).touch()


def test_texts_are_split_into_runs() -> None:
    """Keys type what has a key; a letter stays together with the marks that combine with it."""
    assert list(runs("ab中文c")) == [(True, "ab"), (False, "中文"), (True, "c")]
    assert list(runs("xe\u0301y")) == [(True, "x"), (False, "e\u0301"), (True, "y")]
    assert list(runs("a\nb")) == [(True, "a\nb")]
    assert list(runs("")) == []


def test_keys_have_names() -> None:
    """Characters are named by their place on the keyboard when shift is held."""
    assert playwright_name("a") == "KeyA"
    assert playwright_name("A") == "A"
    assert playwright_name("+", shift=True) == "Equal"
    assert playwright_name("f13") is None
    assert playwright_name("é") is None
    assert strokes("é") is None


def test_labels_of_marks_do_not_hide_each_other() -> None:
    """Crowded marks are painted without an error, at the screen's edges too."""
    marks = tuple(Mark(n, "button", "", Box(n * 12 - 20, (n % 3) * 10, 14, 12)) for n in range(60))
    image = painted(png(Image.new("RGB", SCREEN, "white")), marks)
    assert not blank(image)
