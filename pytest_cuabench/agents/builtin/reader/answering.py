"""Reads answers from a screen: the number of list entries, and values near labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from pytest_cuabench.agents.builtin.reader import similarity
from pytest_cuabench.agents.builtin.reader.plan import ReadValues
from pytest_cuabench.agents.builtin.reader.screen import Screen, Text, TextMatch, contains, same_row
from pytest_cuabench.task.observation import Box

_SAME = 0.8  # entries are short, and OCR may miss a narrow letter
_SURE = 0.84  # a label is the whole text or its beginning
_COLUMN = 14  # pixels of misalignment within a column
_CARD = 70  # pixels: minimum height of a card
_FAR = 420  # pixels from a label to its value
_SIGN = re.compile(r"^(?:\d+\s*|\S{1,2}\s+)(?=\w)")  # a sign read as a letter, or a count
_SLOT = re.compile(r"(?P<label>[^…]*?)(?P<slot>…(?:\s*/\s*…)?)")


def entries(screen: Screen, wanted: str, scope: str | None = None) -> Counter[str]:
    """Return the list rows whose entry has the wanted words, within the panel of `scope` if it is given."""
    said = [text for text in screen.texts if _matches(text.words, wanted)]
    panel = _panel(screen, scope, said) if scope else None
    if panel is not None:
        return Counter(similarity.fold(entry.words) for entry in said if contains(panel, entry.box))
    cards = {card for entry in said if (card := _card(screen, entry.box)) is not None}
    columns = [[other for other in said if abs(other.box.x - entry.box.x) <= _COLUMN] for entry in said]
    column = max(columns, key=len, default=[])
    if len(cards) > len(column):
        return Counter(
            "|".join(similarity.fold(text.words) for text in screen.inside(card)) for card in cards
        )
    return Counter(_line(screen, entry.box) for entry in column)


def fill_form(screen: Screen, wanted: ReadValues) -> str | None:
    """Return the form with its slots filled; None if a value is not on the screen."""
    answer, end = "", 0
    for number, slot in enumerate(_SLOT.finditer(wanted.form)):
        label = slot["label"].strip(" ,;:\n")
        names = (
            [label]
            if re.search(r"\w", label)
            else list(wanted.labels[number : number + 1] or wanted.labels[:1])
        )
        value = next((value for name in names if (value := _value(screen, name, wanted, slot["slot"]))), None)
        if value is None:
            return None
        answer += slot["label"] + _without_unit(value, wanted.form[slot.end() :])
        end = slot.end()
    return (answer + wanted.form[end:]).strip(" “”") or None


def _matches(seen: str, wanted: str) -> bool:
    """Whether an entry has the words, ignoring a sign before them that was read as a letter."""
    return any(similarity.ratio(wanted, entry) >= _SAME for entry in (seen, _SIGN.sub("", seen)))


def _line(screen: Screen, entry: Box) -> str:
    return "|".join(similarity.fold(text.words) for text in screen.row(entry))


def _card(screen: Screen, entry: Box) -> Box | None:
    """Return the smallest frame around an entry that is larger than a button or a row."""
    return next((frame for frame in screen.frames if frame.height >= _CARD and contains(frame, entry)), None)


def _panel(screen: Screen, scope: str, entries: Sequence[Text]) -> Box | None:
    """Return the smallest frame that holds the scope's name and an entry."""
    for frame in screen.frames:
        if any(contains(frame, entry.box) for entry in entries):
            inside = screen.inside(frame)
            if any(
                similarity.ratio(scope, text.words) == 1 or similarity.find_within(scope, text.words)
                for text in inside
            ):
                return frame
    return None


def _value(screen: Screen, label: str, wanted: ReadValues, slot: str) -> str | None:
    for place in screen.find(label):
        held = similarity.starts(place.words, label)
        if place.fit < _SURE and held is None:  # a longer text that contains the label
            continue
        cells = [held] if held else list(_cells(screen, place, wanted))
        if wanted.form.strip() == "…":  # the unit is part of the answer
            whole = [cell for cell in cells if re.match(r"[-+−]?\d", cell)]
            return whole[0] if whole else None
        if (value := next((value for cell in cells if (value := _fitting(cell, slot))), None)) is not None:
            return value
        if (said := [text for text in _beside(screen, place.box) if text[:1].isalpha()]) and "/" not in slot:
            return said[0]
    return None


def _cells(screen: Screen, label: TextMatch, wanted: ReadValues) -> Iterable[str]:
    """Yield candidates for the value of a label, the likeliest first."""
    below = _below(screen, label.box, wanted.without)
    if wanted.row is not None:
        rows = [place.box for place in screen.find(wanted.row)]
        yield from (text.words for text in below if any(same_row(text.box, row) for row in rows))
        return
    beside, under = _beside(screen, label.box), [text.words for text in below]
    heads_a_column = sum(not any(c.isdigit() for c in text) for text in beside) > len(beside) / 2
    yield from (*under, *beside) if heads_a_column else (*beside, *under)


def _beside(screen: Screen, label: Box) -> list[str]:
    """Return the texts to the right of a label on its line, within `_FAR` pixels."""
    end = label.x + label.width
    return [text.words for text in screen.row(label) if end - 4 <= text.box.x <= end + _FAR]


def _below(screen: Screen, label: Box, without: str | None) -> list[Text]:
    """Return a column's cells from top to bottom, without rows that contain `without`."""
    struck = [place.box for place in screen.find(without)] if without else []
    column = [
        text
        for text in screen.texts
        if text.box.y > label.y + label.height - 4
        and text.box.x < label.x + label.width + _COLUMN
        and text.box.x + text.box.width > label.x - _COLUMN
        and not any(same_row(text.box, row) for row in struck)
    ]
    return sorted(column, key=lambda text: text.box.y)


def _fitting(cell: str, slot: str) -> str | None:
    """Return the part of a cell that fits a slot: a pair for “…/…”, else a number."""
    if "/" in slot:
        pair = re.search(r"\d+\s*/\s*\d+", cell)
        return pair[0].replace(" ", "") if pair else None
    number = re.search(r"[-+−]?\d+(?:[.,]\d+)?", cell)
    return number[0] if number else None


def _without_unit(value: str, following: str) -> str:
    """Return a value without the unit that follows it in the form."""
    unit = following.strip().split(",")[0].strip()
    return value.removesuffix(unit).strip() if unit else value
