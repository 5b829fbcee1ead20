"""Dialogs of the browser as pure data: layout, hit testing, keys and painting.

A headless browser does not paint its dialogs, so the driver draws them over the page, and sends clicks and keys to
them until they are answered. This module does not depend on a browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.chromium.native.line import Line
from pytest_cuabench.drivers.paint import canvas, font, shortened, width, wrapped
from pytest_cuabench.task.action import Point, Size
from pytest_cuabench.task.observation import Box, Node

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

_PAD, _LINE, _ROW, _BUTTON, _MOST_ROWS, _MOST_LINES = 20, 20, 26, 32, 8, 16
_MOST_CHARACTERS = 2000
_MOST_SHOWN = 200  # characters of a field that are measured and painted
_FRAME = 3 * _PAD + _BUTTON + 26 + 46  # height of everything but the message and the rows
_INK, _GREY, _BLUE, _PAPER = (32, 33, 36), (95, 99, 104), (26, 115, 232), (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer of a dialog: its text field's content, or the chosen files."""

    accepted: bool
    text: str = ""
    files: tuple[str, ...] = ()


@dataclass
class Overlay:
    """A dialog on the screen. `line` is None without a field; `files` is None without a list."""

    screen: Size
    title: str
    message: str = ""
    accept: str = "OK"
    cancel: str | None = "Cancel"
    line: Line | None = None
    files: tuple[str, ...] | None = None
    several: bool = False
    top: int = 0
    chosen: set[str] = field(default_factory=set)
    focus: str = ""

    def __post_init__(self) -> None:
        self._lines = self._message()
        self.focus = "field" if self.line is not None else self.accept

    @property
    def text(self) -> str:
        """What the field holds."""
        return self.line.text if self.line is not None else ""

    # Layout

    @property
    def rows(self) -> tuple[str, ...]:
        """The files that fit what was typed into the filter."""
        wanted = self.text.lower()
        return tuple(name for name in self.files or () if wanted in name.lower())

    def box(self) -> Box:
        """The whole dialog."""
        across = min(460, self.screen.width - 16)
        height = self._body_bottom() + _PAD + _BUTTON + _PAD
        top = max(4, min(72, (self.screen.height - height) // 2))
        return Box((self.screen.width - across) // 2, top, across, height)

    def boxes(self) -> dict[str, Box]:
        """Every part that can be clicked, by name: buttons, `field`, and files by their own names."""
        frame, parts = self.box(), {}
        inner = frame.width - 2 * _PAD
        if self.line is not None:
            parts["field"] = Box(frame.x + _PAD, frame.y + self._message_bottom() + 8, inner, 30)
        for line, name in enumerate(self.rows[self.top : self.top + _MOST_ROWS]):
            parts[name] = Box(frame.x + _PAD, frame.y + self._rows_top() + line * _ROW, inner, _ROW)
        right, y = frame.x + frame.width - _PAD, frame.y + frame.height - _PAD - _BUTTON
        for name in reversed(self.buttons):
            across = max(76, width(name, font(14)) + 36)
            parts[name] = Box(right - across, y, across, _BUTTON)
            right -= across + 8
        return parts

    @property
    def buttons(self) -> tuple[str, ...]:
        """The buttons from left to right."""
        return (self.accept,) if self.cancel is None else (self.accept, self.cancel)

    def _message(self) -> list[str]:
        if not self.message:
            return []
        lines = wrapped(
            self.message[:_MOST_CHARACTERS], font(14), int(min(460, self.screen.width - 16)) - 2 * _PAD
        )
        most = (self.screen.height - 8 - _FRAME) // _LINE
        return lines[: max(1, min(_MOST_LINES, most))]

    def _message_bottom(self) -> int:
        return _PAD + 26 + len(self._lines) * _LINE

    def _rows_top(self) -> int:
        return self._message_bottom() + (46 if self.line is not None else 0)

    def _body_bottom(self) -> int:
        return self._rows_top() + (_MOST_ROWS * _ROW if self.files is not None else 0)

    # Input

    def parts_at(self, at: Point) -> list[str]:
        """Return the parts at a point: one, or none."""
        return [name for name, box in self.boxes().items() if hit(box, at)]

    def click(self, at: Point, count: int = 1, add: bool = False) -> Outcome | None:
        """Click into the dialog; return the outcome when that answered it. `add` is ctrl held down."""
        name = next(iter(self.parts_at(at)), None)
        if name is None:
            return None
        if name in self.buttons:
            return self._press(name)
        self.focus = "field"
        if name == "field" and self.line is not None:
            self._put_caret(at, count)
        elif name != "field":
            self._choose(name, add)
            if count > 1:
                return self._press(self.accept)
        return None

    def key(self, keys: tuple[str, ...]) -> Outcome | None:
        """Press a chord; return the outcome when that answered the dialog."""
        last = keys[-1]
        if last == "escape":
            # An alert has nothing to cancel.
            return Outcome(accepted=self.cancel is None)
        if last in ("enter", "space") and (last == "enter" or self.focus != "field"):
            return self._press(self.focus if self.focus in self.buttons else self.accept)
        if last == "tab":
            self._next(-1 if "shift" in keys else 1)
        elif last in ("up", "down") and self.files is not None:
            self._step(1 if last == "down" else -1)
        elif self._edited(last, ctrl="ctrl" in keys, shift="shift" in keys):
            self._filter()
        elif (len(last) == 1 or last == "space") and not {"ctrl", "alt", "meta"} & set(keys):
            self._write(" " if last == "space" else last.upper() if "shift" in keys else last)
        return None

    def type(self, text: str) -> Outcome | None:
        """Type a text; a newline is the Enter key."""
        for character in text.replace("\r\n", "\n"):
            named = {"\n": "enter", "\t": "tab"}.get(character)
            if named is None:
                self._write(character)
                continue
            outcome = self.key((named,))
            if outcome is not None:
                return outcome
        return None

    def scroll(self, notches: int) -> None:
        """Scroll the list of files."""
        self.top = max(0, min(self.top + notches, len(self.rows) - _MOST_ROWS))

    def _press(self, button: str) -> Outcome | None:
        if button != self.accept:
            return Outcome(accepted=False)
        if self.files is None:
            return Outcome(True, self.text)
        files = tuple(name for name in self.files if name in self.chosen)
        return Outcome(True, files=files) if files else None  # Open has no effect without a selected file

    def _choose(self, name: str, add: bool) -> None:
        self.chosen = self.chosen ^ {name} if add and self.several else {name}

    def _next(self, step: int) -> None:
        stops = (["field"] if self.line is not None else []) + list(self.buttons)
        self.focus = stops[(stops.index(self.focus) + step) % len(stops)]

    def _step(self, by: int) -> None:
        rows = self.rows
        if not rows:
            return
        places = [place for place, name in enumerate(rows) if name in self.chosen]
        place = max(0, min(len(rows) - 1, places[0] + by)) if places else 0
        self.chosen = {rows[place]}
        self.top = max(place - _MOST_ROWS + 1, min(self.top, place))

    def drag(self, path: Sequence[Point]) -> None:
        """Select a part of the field, where the path begins and ends in it."""
        if self.line is not None and all(hit(self.boxes()["field"], at) for at in (path[0], path[-1])):
            self.focus = "field"
            anchor = self._place(path[0])
            self.line = Line(self.text, anchor, self._place(path[-1]))

    def copy(self, *, cut: bool = False) -> str:
        """Return the selected text of the field, and with `cut` take it out."""
        if self.line is None or self.focus != "field":
            return ""
        found = self.line.copy()
        if cut and found:
            self._write("")
        return found

    def paste(self, text: str) -> None:
        """Write a text into the field, on one line."""
        self._write(" ".join(text.splitlines()))

    def _put_caret(self, at: Point, count: int) -> None:
        """Put the caret where the field was clicked; several clicks select all."""
        assert self.line is not None
        if count > 1:
            self.line = Line.selected(self.text)
        else:
            self.line.anchor = self.line.caret = self._place(at)

    def _place(self, at: Point) -> int:
        """Return between which characters of the field a point is."""
        first, x = self._shown_from(), at.x - self.boxes()["field"].x - 8
        places = range(first, min(len(self.text), first + _MOST_SHOWN) + 1)
        return min(places, key=lambda place: abs(width(self.text[first:place], font(13)) - x))

    def _edited(self, key: str, *, ctrl: bool, shift: bool) -> bool:
        return self.line is not None and self.focus == "field" and self.line.key(key, ctrl=ctrl, shift=shift)

    def _write(self, text: str) -> None:
        if self.line is not None and self.focus == "field":
            self.line.insert(text)
            self._filter()

    def _filter(self) -> None:
        self.top = 0
        if self.files is not None:
            self.chosen &= set(self.rows)

    # Accessibility tree and painting

    def nodes(self) -> tuple[Node, ...]:
        """The dialog as an accessibility tree."""
        parts = self.boxes()
        found = [Node("dialog", self.title, "", ("modal",), self.box(), 0)]
        if self.message:
            found.append(Node("text", self.message, "", (), self.box(), 1))
        for name, box in parts.items():
            states = ("focused",) if name == self.focus else ()
            if name == "field":
                found.append(
                    Node("textbox", "Search" if self.files is not None else "", self.text, states, box, 1)
                )
            elif name in self.buttons:
                found.append(Node("button", name, "", states, box, 1))
            else:
                found.append(Node("option", name, "", ("selected",) if name in self.chosen else (), box, 1))
        return tuple(found)

    def paint(self, image: Image.Image) -> Image.Image:
        """Draw the dialog over a picture of the screen."""
        pen = canvas(image)
        frame = self.box()
        _rectangle(pen, Box(frame.x - 2, frame.y - 2, frame.width + 4, frame.height + 6), 10, (200, 202, 205))
        _rectangle(pen, frame, 8, _PAPER, (218, 220, 224))
        room = int(frame.width) - 2 * _PAD
        pen.text(
            (frame.x + _PAD, frame.y + _PAD - 4),
            shortened(self.title, font(15, True), room),
            _INK,
            font(15, True),
        )
        for line, text in enumerate(self._lines):
            pen.text((frame.x + _PAD, frame.y + _PAD + 24 + line * _LINE), text, _INK, font(14))
        if self.files is not None:
            rows = Box(frame.x + _PAD, frame.y + self._rows_top(), room, _MOST_ROWS * _ROW)
            _rectangle(pen, rows, 2, _PAPER, (218, 220, 224))
            if not self.rows:
                pen.text((rows.x + 8, rows.y + 5), "No files", _GREY, font(13))
        for name, box in self.boxes().items():
            self._paint_part(pen, name, box)
        return image

    def _paint_part(self, pen: ImageDraw.ImageDraw, name: str, box: Box) -> None:
        focused = name == self.focus
        if name == "field":
            self._paint_field(pen, box, focused)
        elif name in self.buttons:
            _paint_button(pen, name, box, name == self.accept, focused)
        else:
            chosen = name in self.chosen
            if chosen:
                _rectangle(pen, box, 2, (210, 227, 252))
            _text(pen, box, shortened(name, font(13), int(box.width) - 16), _INK)

    def _paint_field(self, pen: ImageDraw.ImageDraw, box: Box, focused: bool) -> None:
        _rectangle(pen, box, 4, _PAPER, _BLUE if focused else _GREY, 2 if focused else 1)
        assert self.line is not None
        start = self._shown_from()
        left = box.x + 8

        def place(number: int) -> float:
            return left + width(self.text[start : max(start, number)], font(13))

        shown = shortened(self.text[start : start + _MOST_SHOWN], font(13), int(box.width) - 16)
        first, last = map(place, self.line.selection)
        right = box.x + box.width - 8
        if focused and first < last:
            _rectangle(
                pen, Box(first, box.y + 6, min(last, right) - first, box.height - 12), 0, (180, 213, 254)
            )
        if not shown and self.files is not None:
            _text(pen, box, "Search", _GREY)
        _text(pen, box, shown, _INK)
        if focused:
            caret = min(place(self.line.caret), right)
            _rectangle(pen, Box(caret, box.y + 7, 1, box.height - 14), 0, _INK)

    def _shown_from(self) -> int:
        """Return the first character that is shown, so that the caret is in the field."""
        assert self.line is not None
        room, start = self.boxes()["field"].width - 20, max(0, self.line.caret - _MOST_SHOWN)
        while width(self.text[start : self.line.caret], font(13)) > room:
            start += 1
        return start


def hit(box: Box, at: Point) -> bool:
    """Whether a point lies in a box."""
    return box.x <= at.x < box.x + box.width and box.y <= at.y < box.y + box.height


def _rectangle(
    pen: ImageDraw.ImageDraw,
    box: Box,
    radius: int,
    fill: tuple[int, ...],
    edge: tuple[int, ...] | None = None,
    line: int = 1,
) -> None:
    corners = (box.x, box.y, box.x + box.width - 1, box.y + box.height - 1)
    pen.rounded_rectangle(corners, radius, fill, edge, line)


def _text(pen: ImageDraw.ImageDraw, box: Box, text: str, colour: tuple[int, ...]) -> None:
    pen.text((box.x + 8, box.y + box.height / 2), text, colour, font(13), anchor="lm")


def _paint_button(pen: ImageDraw.ImageDraw, name: str, box: Box, main: bool, focused: bool) -> None:
    if focused:
        ring = Box(box.x - 3, box.y - 3, box.width + 6, box.height + 6)
        _rectangle(pen, ring, 19, _PAPER, _BLUE, 2)
    _rectangle(pen, box, 16, _BLUE if main else _PAPER, _BLUE if main else (189, 193, 198))
    middle = (box.x + box.width / 2, box.y + box.height / 2)
    pen.text(middle, name, _PAPER if main else _BLUE, font(14), anchor="mm")
