"""Executes a plan on screens: finds a place, acts, checks for an effect, tries the next place."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pytest_cuabench.agents.builtin.reader import answering, similarity
from pytest_cuabench.agents.builtin.reader.plan import (
    CheckAll,
    CountEntries,
    Fill,
    Open,
    Plan,
    Press,
    ReadValues,
)
from pytest_cuabench.agents.builtin.reader.screen import (
    Screen,
    Text,
    TextMatch,
    contains,
    distance,
    middle,
    same_row,
)
from pytest_cuabench.task.action import Action, Answer, Click, Key, Scroll, Size, Terminate, Type
from pytest_cuabench.task.observation import Box

_T = TypeVar("_T")

_NOTCHES = 4
_ROW = 36  # pixels between the lines of a label and a choice on the same row
_FEW = 4  # new texts after a click that only selected a row
_ENOUGH = 12  # letters that identify an option of a list
_PAGES = 4  # pages to scroll when searching
_TRIES = 3  # places to try for one instruction
_NEAR = 420  # pixels between a label and a choice below it
_WHOLE = 0.84  # match of the whole text, up to OCR errors
_SIMILAR = 0.72  # match of the most similar option, if none fits
_QUANTITY = re.compile(r"(?P<number>[-+]?\d+(?:[.,]\d+)?)\s*(?P<unit>[^\d\s]\S{0,9}(?: \S{1,6})?)?")
_FUNCTION_KEY = re.compile(r"F(?:[1-9]|1[0-2])")
_NUMBERED = re.compile(r"^(?:\d+|NT) (?=\D)")  # a score before its meaning
_PRESSURE = re.compile(r"(?:.*\D)?(?P<upper>\d{2,3})/(?P<lower>\d{2,3})(?:\s*mmHg)?")


class PlanFailed(Exception):
    """Raised when the plan cannot continue; the message says what was not found."""


@dataclass(frozen=True, slots=True)
class ActionBatch:
    """The next actions with the reason."""

    actions: tuple[Action, ...]
    thought: str


ActionBatches = Generator[ActionBatch, Screen, _T]


class PlanExecutor:
    """Executes one plan. `run` yields actions, receives the screen after each, and ends the episode."""

    def __init__(self, plan: Plan, size: Size) -> None:
        self._plan = plan
        self._size = size
        self._screen = Screen(size)
        self._before = self._screen
        self._searched: Box | None = None  # the search field, whose own text is not a result
        self._context: Box | None = None  # the last label: of several matches the nearest is meant

    def run(self, first: Screen) -> ActionBatches[None]:
        """Execute the plan from the first screen."""
        self._screen = first
        last: Action = Terminate("success")
        try:
            if not self._plan.understood:
                raise PlanFailed("the goal holds no step that the reader can parse")
            yield from self._sign_in()
            for step in self._plan.steps:
                answer = yield from self._carry_out(step)
                last = Answer(answer) if answer is not None else last
        except PlanFailed as lost:
            last = Terminate("failure", str(lost))
        yield ActionBatch((last,), last.reason if isinstance(last, Terminate) and last.reason else "Done.")

    def _carry_out(
        self, step: Press | Open | Fill | CheckAll | CountEntries | ReadValues
    ) -> ActionBatches[str | None]:
        match step:
            case Press():
                yield from self._press(step)
            case Open():
                yield from self._open(step)
            case Fill():
                yield from self._fill_value(step)
            case CheckAll():
                yield from self._check_all(step)
            case CountEntries():
                return (yield from self._count_entries(step))
            case ReadValues():
                return (yield from self._read_values(step))
        return None

    # Signing in

    def _sign_in(self) -> ActionBatches[None]:
        user, password = self._plan.user, self._plan.password
        if user is None or password is None or not self._on_sign_in_page():
            return
        for _ in range(2):
            yield from self._fill_first(("User ID", "User name", "Username", "User"), user)
            yield from self._fill_first(("Password",), password)
            yield from self._click_any(self._buttons("Sign in"), "Press “Sign in”")
            if not self._on_sign_in_page():
                return
        raise PlanFailed("signing in has no effect")

    def _on_sign_in_page(self) -> bool:
        return any(place.fit > 0.9 for place in self._screen.find("Password")) and self._screen.shows(
            "Sign in"
        )

    def _fill_first(self, labels: Sequence[str], value: str) -> ActionBatches[None]:
        for label in labels:
            for place in self._screen.find(label):
                if (yield from self._fill(place.box, value, f"Fill in “{label}”")):
                    return
        raise PlanFailed(f"no field “{labels[0]}” on the screen")

    # Pressing and opening

    def _press(self, step: Press) -> ActionBatches[None]:
        places = self._buttons(step.words)
        if not places and _FUNCTION_KEY.fullmatch(step.words):
            yield from self._act(Key((step.words.lower(),)), thought=f"Press {step.words}")
            return
        if not places and not step.place:
            places = yield from self._scroll_to(lambda: self._buttons(step.words), step.words)
        yield from self._click_any(places, f"Press “{step.words}”", step.count)

    def _click_any(self, places: Sequence[TextMatch], thought: str, count: int = 1) -> ActionBatches[bool]:
        for place in places[:_TRIES]:
            if (yield from self._click(place.box, thought, count)):
                self._context = None
                return True
        return False

    def _open(self, step: Open) -> ActionBatches[None]:
        places = self._matches_of(step)
        if not places:
            yield from self._search(step)
            places = self._matches_of(step)
        if not places:
            places = yield from self._scroll_to(lambda: self._matches_of(step), step.names[0])
        thought = f"Open {step.names[0]}"
        opened = yield from self._click_any(places, thought, step.count)
        if step.count > 1 or (opened and not (step.enter and self._only_selected(places[0]))):
            return
        yield from self._click(places[0].box, f"{thought} with a double click", 2)

    def _only_selected(self, place: TextMatch) -> bool:
        """Whether a click only selected a row that is still on the screen."""
        there = any(distance(other.box, place.box) < 4 for other in self._screen.find(place.words))
        return there and len(self._screen.new_texts(self._before)) <= _FEW

    def _matches_of(self, step: Open) -> list[TextMatch]:
        """Return the matches of the names; only those on the row of `near`, if that is visible."""
        found = [
            place
            for name in step.names
            for form in similarity.name_forms(name)
            for place in self._find_outside_search(form)
        ]
        if step.near is None or step.near in step.names[:1]:
            return found
        rows = [place.box for place in self._find_outside_search(step.near)]
        on_row = [place for place in found if any(same_row(place.box, row) for row in rows)]
        return on_row or found

    def _find_outside_search(self, wanted: str) -> list[TextMatch]:
        """Return the matches of words outside of the search field."""
        field = self._searched
        return [place for place in self._screen.find(wanted) if not (field and contains(field, place.box))]

    def _search(self, step: Open) -> ActionBatches[None]:
        for field in self._search_fields():
            self._searched = field
            for wanted in (step.near, step.names[0].split()[-1]):
                if wanted is None:
                    continue
                yield from self._act(
                    Click(*middle(field, self._size)),
                    Key(("ctrl", "a")),
                    Type(f"{wanted}\n"),
                    thought=f"Search {wanted}",
                )
                if self._matches_of(step):
                    return
                buttons = [place for place in self._buttons("Search") if not contains(field, place.box)]
                yield from self._click_any(buttons[:1], "Press “Search”")
                if self._matches_of(step):
                    return

    def _search_fields(self) -> list[Box]:
        """Return the search field, by the words in it or beside it."""
        begun = [text.box for text in self._screen.texts if similarity.fold(text.words).startswith("search")]
        fields: list[Box] = []
        for box in (*(place.box for place in self._screen.find("Search")), *begun):
            frame = self._screen.frame_of(box)
            beside = [other for other in self._screen.frames if _is_left_of(other, box)]
            near = [frame] if frame and frame.width > 150 else [*beside, *self._screen.fields(box)][:1]
            fields += [field for field in near if 100 < field.width < 800 and field.height < 60]
        return fields[:1]

    def _buttons(self, wanted: str) -> list[TextMatch]:
        """Return the matches of words: whole texts if there are any, and buttons first."""

        def rank(place: TextMatch) -> tuple[int, int, float]:
            far = 0.0 if self._context is None else distance(place.box, self._context)
            return (-round(place.fit * 12), 0 if self._button_around(place.box) else 1, far)

        found = self._screen.find(wanted)
        whole = [place for place in found if place.fit >= _WHOLE]
        return sorted(whole or found, key=rank)

    def _button_around(self, box: Box) -> Box | None:
        frame = self._screen.frame_of(box)
        return frame if frame and frame.height <= 64 and frame.width <= box.width + 220 else None

    # Filling in and choosing

    def _fill_value(self, step: Fill) -> ActionBatches[None]:
        value, label = self._plan.resolved(step.value), step.label
        if (pressure := _PRESSURE.fullmatch(value)) and self._screen.shows("Diastolic"):
            yield from self._fill_value(Fill(pressure["upper"], "Systolic"))
            yield from self._fill_value(Fill(pressure["lower"], "Diastolic"))
            return
        yield from self._scroll_into_view(value, label)
        if label is None or not self._labels(label):
            begun = self._split_at_label(value) or self._split_named_value(value)
            label, value = begun if begun is not None else (None, value)
        if label is None:
            wanted = value
            places = yield from self._scroll_to(lambda: self._buttons(wanted), wanted)
            yield from self._click_any(places, f"Choose “{value}”")
            return
        for place in self._labels(label)[:_TRIES]:
            if (yield from self._fill_at(place.box, value, label)):
                self._context = place.box
                return
        raise PlanFailed(f"“{label}” does not take “{value}”")

    def _scroll_into_view(self, value: str, label: str | None) -> ActionBatches[None]:
        """Scroll to the label or to the value to choose."""

        def in_sight() -> bool:
            if label is not None and self._labels(label):
                return True
            return bool(self._split_at_label(value) or self._split_named_value(value) or self._buttons(value))

        if not in_sight():
            yield from self._scroll_to(lambda: [True] if in_sight() else [], label or value)

    def _labels(self, label: str) -> list[TextMatch]:
        """Return the matches of a label; among equal ones those with the nearest field first."""
        return sorted(
            self._screen.find(label),
            key=lambda place: (-round(place.fit * 12), self._screen.cost(place.box)),
        )

    def _split_at_label(self, value: str) -> tuple[str, str] | None:
        """Split “Heart rate 97” after the longest label on the screen that it begins with."""
        split = [
            (text.words, rest)
            for text in self._screen.pieces
            if (rest := similarity.starts(value, text.words))
            and (self._screen.fields(text.box) or self._screen.find(rest))
        ]
        return max(split, key=lambda pair: len(pair[0]), default=None)

    def _split_named_value(self, value: str) -> tuple[str, str] | None:
        """Split “Moisture: 2 Often moist” where the first part is on the screen."""
        label, colon, rest = value.partition(": ")
        return (label, rest) if colon and rest and self._screen.shows(label) else None

    def _fill_at(self, label: Box, value: str, name: str) -> ActionBatches[bool]:
        quantity = _QUANTITY.fullmatch(value)
        if (yield from self._choose_near(label, value, name)):
            return True
        number = quantity["number"] if quantity else value
        for field in self._screen.fields(label)[:_TRIES]:
            if quantity:
                done = yield from self._type_into(field, number, name)
            else:
                done = yield from self._open_and_fill(field, value, name)
            if done:
                if quantity and quantity["unit"]:
                    yield from self._set_unit(field, quantity["unit"])
                return True
        return (yield from self._fill(label, number, f"Fill in “{name}” by its label"))

    def _choose_near(self, label: Box, value: str, name: str) -> ActionBatches[bool]:
        """Choose a visible option below or right of a label: a radio button or a segment."""
        places = self._screen.find(value) or self._screen.find(_NUMBERED.sub("", value))
        near = [
            place
            for place in places
            if _apart(label, place.box) <= _NEAR
            and place.box.y >= label.y - 14
            and place.box != label
            and (not value[:1].isdigit() or self._button_around(place.box) or place.fit >= 1)
            and not self._in_field(place.box, label)
        ]
        for place in sorted(near, key=lambda place: _apart(label, place.box))[:1]:
            yield from self._click(place.box, f"Choose “{value}” under “{name}”")
            return True
        return False

    def _in_field(self, box: Box, label: Box) -> bool:
        """Whether a text is a field's current content, and not the text of a button."""
        return any(
            contains(field, box) and field.width > box.width + 60 for field in self._screen.fields(label)[:1]
        )

    def _open_and_fill(self, field: Box, value: str, name: str) -> ActionBatches[bool]:
        """Open a field: choose from the list that appears, or type."""
        yield from self._click(field, f"Go to the field “{name}”")
        if (options := self._options(field)) and len(options) > 1:
            wanted = self._option(options, value)
            if wanted is None:  # a long list filters by what is typed
                yield from self._act(Type(value[:_ENOUGH]), thought=f"Go to “{value}” in the list")
                wanted = self._option(self._options(field), value)
            if wanted is None:
                yield from self._act(Key(("escape",)), thought="Close the list")
                return False
            yield from self._click(wanted.box, f"Choose “{wanted.words}”")
            return True
        before = self._screen
        yield from self._act(Key(("ctrl", "a")), Type(value), thought=f"Type into “{name}”")
        if (suggested := self._option(self._options(field), value)) is not None:
            yield from self._click(suggested.box, f"Choose “{suggested.words}”")
        return self._screen.changed(before, field)

    def _options(self, field: Box) -> list[Text]:
        """Return the texts of a list that has opened below or above a field."""
        return [
            text
            for text in self._screen.new_texts(self._before)
            if text.box.x < field.x + field.width
            and text.box.x + text.box.width > field.x
            and not contains(field, text.box)
        ]

    def _option(self, options: Iterable[Text], value: str) -> Text | None:
        ranked = sorted(options, key=lambda text: -_option_fit(value, text.words))
        return ranked[0] if ranked and _option_fit(value, ranked[0].words) >= _SIMILAR else None

    def _type_into(self, field: Box, value: str, name: str) -> ActionBatches[bool]:
        before = self._screen
        yield from self._act(
            Click(*middle(field, self._size)),
            Key(("ctrl", "a")),
            Type(value),
            thought=f"Type {value} into “{name}”",
        )
        held = [text.words for text in self._screen.inside(field)]
        if any(similarity.ratio(value, text) == 1 for text in held):
            return True
        if (option := self._option(self._options(field), value)) is not None:
            return (yield from self._click(option.box, f"Choose “{option.words}”"))
        return self._screen.changed(before, field)

    def _fill(self, label: Box, value: str, thought: str) -> ActionBatches[bool]:
        """Type into the field of a label, or into the element that a click on the label focuses."""
        for target in (*self._screen.fields(label)[:2], label):
            before = self._screen
            yield from self._act(
                Click(*middle(target, self._size)), Key(("ctrl", "a")), Type(value), thought=thought
            )
            if self._screen.changed(before):
                return True
        return False

    def _set_unit(self, field: Box, unit: str) -> ActionBatches[None]:
        """Choose the unit beside a field, if there is a choice."""
        around = [
            place
            for place in self._screen.find(unit)
            if distance(place.box, field) < 120 and place.fit > 0.9 and abs(place.box.y - field.y) < 40
        ]
        for place in sorted(around, key=lambda place: distance(place.box, field))[:1]:
            if self._button_around(place.box) is not None:
                yield from self._click(place.box, f"Choose the unit {unit}")

    # Ticking

    def _check_all(self, step: CheckAll) -> ActionBatches[None]:
        boxes = self._unticked()
        if not boxes:
            yield from self._scroll(_NOTCHES)
            boxes = self._unticked()
        if not boxes:
            raise PlanFailed(f"there is nothing to tick ({step.words})")
        yield from self._act(
            *(Click(*middle(box, self._size)) for box in boxes), thought=f"Tick {step.words}"
        )

    def _unticked(self) -> list[Box]:
        """Return the check boxes of the longest column: small squares with a text to the right."""
        squares = [
            frame
            for frame in self._screen.frames
            if 9 <= frame.width <= 26
            and 0.75 < frame.width / frame.height < 1.33
            and self._text_right_of(frame)
        ]
        columns = [[other for other in squares if abs(other.x - square.x) <= 4] for square in squares]
        column = max(columns, key=len, default=[])
        return sorted(column, key=lambda box: box.y)

    def _text_right_of(self, square: Box) -> bool:
        return any(
            same_row(text.box, square) and -4 <= text.box.x - square.x - square.width <= 24
            for text in self._screen.texts
        )

    # Answering

    def _count_entries(self, step: CountEntries) -> ActionBatches[str]:
        if step.words is None:
            raise PlanFailed("the goal does not name what to count in words of the screen")
        wanted = step.words
        if not self._screen.shows(wanted):
            yield from self._scroll_to(lambda: self._screen.find(wanted), wanted)
        rows = answering.entries(self._screen, wanted, step.scope)
        for _ in range(_PAGES if step.scope is None else 0):
            if not (yield from self._scroll(_NOTCHES)):
                break
            rows |= answering.entries(self._screen, wanted)
        return str(rows.total())

    def _read_values(self, step: ReadValues) -> ActionBatches[str]:
        for page in range(_PAGES):
            answer = answering.fill_form(self._screen, step)
            if answer is not None:
                return answer
            if page < _PAGES - 1 and not (yield from self._scroll(_NOTCHES)):
                break
        raise PlanFailed(f"cannot read the values of the answer: {step.form} {', '.join(step.labels)}")

    # Acting

    def _act(self, *actions: Action, thought: str) -> ActionBatches[bool]:
        """Perform actions and return whether the screen changed."""
        before = self._screen
        self._screen = yield ActionBatch(actions, thought)
        self._before = before
        return self._screen.changed(before)

    def _click(self, box: Box, thought: str, count: int = 1) -> ActionBatches[bool]:
        return (yield from self._act(Click(*middle(box, self._size), count=count), thought=thought))

    def _scroll(self, notches: int) -> ActionBatches[bool]:
        """Scroll over the middle, or over the right part if the middle does not move."""
        for share in (0.5, 0.8):
            x, y = int(self._size.width * share), int(self._size.height * 0.6)
            if (yield from self._act(Scroll(x, y, dy=notches), thought="Scroll")):
                return True
        return False

    def _scroll_to(self, seek: Callable[[], list[_T]], wanted: str) -> ActionBatches[list[_T]]:
        """Return the result of `seek` after scrolling down and, if that fails, up to the top.

        Raises:
            PlanFailed: Nothing was found.
        """
        for notches in (*[_NOTCHES] * _PAGES, -100):
            if found := seek():
                return found
            if not (yield from self._scroll(notches)):
                break
        if found := seek():
            return found
        raise PlanFailed(f"“{wanted}” is not on the screen")


def _apart(label: Box, box: Box) -> float:
    """Return the distance of a choice from its label; along a row it counts less."""
    off = abs(box.y + box.height / 2 - label.y - label.height / 2)
    return off + 0.3 * distance(label, box) if off <= _ROW and box.x > label.x else distance(label, box)


def _is_left_of(field: Box, button: Box) -> bool:
    """Whether a field is left of a button's text, on its row."""
    gap = button.x - field.x - field.width
    return field.width > 120 and 0 <= gap <= 60 and same_row(field, button) and field.height < 60


def _option_fit(value: str, option: str) -> float:
    inside = similarity.find_within(value, option) or similarity.find_within(option, value)
    return max(similarity.ratio(value, option), 0.9 if inside else 0.0)
