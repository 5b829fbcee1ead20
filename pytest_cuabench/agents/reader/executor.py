"""Carries out a plan on screens: finds places, acts, looks whether it had an effect, tries the next place."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pytest_cuabench.agents.reader import answering, similarity
from pytest_cuabench.agents.reader.plan import Count, Open, Plan, Press, Put, Tell, Tick
from pytest_cuabench.agents.reader.screen import Found, Screen, Text, contains, distance, middle, same_row
from pytest_cuabench.task.action import Action, Answer, Click, Key, Scroll, Size, Terminate, Type
from pytest_cuabench.task.observation import Box

_T = TypeVar("_T")

_NOTCHES = 4
_ROW = 36  # pixels that a choice is off its label's line, but on its row
_FEW = 4  # texts that may be new when a row was only selected
_ENOUGH = 12  # letters that tell an option of a list from the others
_PAGES = 4  # how far is scrolled in search of something
_TRIES = 3  # places that are tried for one thing
_NEAR = 420  # pixels between a label and what is chosen under it
_WHOLE = 0.84  # the words are the whole text, but for misreadings
_CLOSE_BY = 0.72  # an option that resembles the wanted words, where none fits
_QUANTITY = re.compile(r"(?P<number>[-+]?\d+(?:[.,]\d+)?)\s*(?P<unit>[^\d\s]\S{0,9}(?: \S{1,6})?)?")
_FUNCTION_KEY = re.compile(r"F(?:[1-9]|1[0-2])")
_NUMBERED = re.compile(r"^(?:\d+|NT) (?=\D)")  # a score before its meaning
_PRESSURE = re.compile(r"(?:.*\D)?(?P<upper>\d{2,3})/(?P<lower>\d{2,3})(?:\s*mmHg)?")


class Lost(Exception):
    """The player does not find its way; the message says what it looked for."""


@dataclass(frozen=True, slots=True)
class Move:
    """What is done next, and why."""

    actions: tuple[Action, ...]
    thought: str


Moves = Generator[Move, Screen, _T]


class Player:
    """Plays one plan. `play` yields moves, takes the screen after each, and ends with an answer or a verdict."""

    def __init__(self, plan: Plan, size: Size) -> None:
        self._plan = plan
        self._size = size
        self._screen = Screen(size)
        self._before = self._screen
        self._searched: Box | None = None  # the field that a name was typed into: it is not found there
        self._context: Box | None = None  # where the last label was: of several places, the near one is meant

    def play(self, first: Screen) -> Moves[None]:
        """Carry out the plan, beginning at the first screen."""
        self._screen = first
        last: Action = Terminate("success")
        try:
            if not self._plan.understood:
                raise Lost("the goal holds no step that the reader can parse")
            yield from self._sign_in()
            for step in self._plan.steps:
                answer = yield from self._carry_out(step)
                last = Answer(answer) if answer is not None else last
        except Lost as lost:
            last = Terminate("failure", str(lost))
        yield Move((last,), last.reason if isinstance(last, Terminate) and last.reason else "Done.")

    def _carry_out(self, step: Press | Open | Put | Tick | Count | Tell) -> Moves[str | None]:
        match step:
            case Press():
                yield from self._press(step)
            case Open():
                yield from self._open(step)
            case Put():
                yield from self._put(step)
            case Tick():
                yield from self._tick(step)
            case Count():
                return (yield from self._count(step))
            case Tell():
                return (yield from self._tell(step))
        return None

    # Signing in

    def _sign_in(self) -> Moves[None]:
        user, password = self._plan.user, self._plan.password
        if user is None or password is None or not self._signing_page():
            return
        for _ in range(2):
            yield from self._fill_first(("User ID", "User name", "Username", "User"), user)
            yield from self._fill_first(("Password",), password)
            yield from self._press_any(self._buttons("Sign in"), "Press “Sign in”")
            if not self._signing_page():
                return
        raise Lost("signing in has no effect")

    def _signing_page(self) -> bool:
        return any(place.fit > 0.9 for place in self._screen.find("Password")) and self._screen.shows(
            "Sign in"
        )

    def _fill_first(self, labels: Sequence[str], value: str) -> Moves[None]:
        for label in labels:
            for place in self._screen.find(label):
                if (yield from self._fill(place.box, value, f"Fill in “{label}”")):
                    return
        raise Lost(f"no field “{labels[0]}” on the screen")

    # Pressing and opening

    def _press(self, step: Press) -> Moves[None]:
        places = self._buttons(step.words)
        if not places and _FUNCTION_KEY.fullmatch(step.words):
            yield from self._act(Key((step.words.lower(),)), thought=f"Press {step.words}")
            return
        if not places and not step.place:
            places = yield from self._scroll_to(lambda: self._buttons(step.words), step.words)
        yield from self._press_any(places, f"Press “{step.words}”", step.count)

    def _press_any(self, places: Sequence[Found], thought: str, count: int = 1) -> Moves[bool]:
        for place in places[:_TRIES]:
            if (yield from self._click(place.box, thought, count)):
                self._context = None
                return True
        return False

    def _open(self, step: Open) -> Moves[None]:
        places = self._named(step)
        if not places:
            yield from self._search(step)
            places = self._named(step)
        if not places:
            places = yield from self._scroll_to(lambda: self._named(step), step.names[0])
        thought = f"Open {step.names[0]}"
        opened = yield from self._press_any(places, thought, step.count)
        if step.count > 1 or (opened and not (step.enter and self._still(places[0]))):
            return
        yield from self._click(places[0].box, f"{thought} with a double click", 2)

    def _still(self, place: Found) -> bool:
        """Whether a click has done no more than to select what is still there."""
        there = any(distance(other.box, place.box) < 4 for other in self._screen.find(place.words))
        return there and len(self._screen.new_texts(self._before)) <= _FEW

    def _named(self, step: Open) -> list[Found]:
        """Return where the names stand; on the row of `near`, if that can be seen."""
        found = [
            place
            for name in step.names
            for form in similarity.name_forms(name)
            for place in self._listed(form)
        ]
        if step.near is None or step.near in step.names[:1]:
            return found
        rows = [place.box for place in self._listed(step.near)]
        on_row = [place for place in found if any(same_row(place.box, row) for row in rows)]
        return on_row or found

    def _listed(self, wanted: str) -> list[Found]:
        """Return where words stand, but for the field that they were typed into."""
        field = self._searched
        return [place for place in self._screen.find(wanted) if not (field and contains(field, place.box))]

    def _search(self, step: Open) -> Moves[None]:
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
                if self._named(step):
                    return
                buttons = [place for place in self._buttons("Search") if not contains(field, place.box)]
                yield from self._press_any(buttons[:1], "Press “Search”")
                if self._named(step):
                    return

    def _search_fields(self) -> list[Box]:
        """Return the field that invites to search, by the words in it or beside it."""
        begun = [text.box for text in self._screen.texts if similarity.fold(text.words).startswith("search")]
        fields: list[Box] = []
        for box in (*(place.box for place in self._screen.find("Search")), *begun):
            frame = self._screen.frame_of(box)
            beside = [other for other in self._screen.frames if _ends_at(other, box)]
            near = [frame] if frame and frame.width > 150 else [*beside, *self._screen.fields(box)][:1]
            fields += [field for field in near if 100 < field.width < 800 and field.height < 60]
        return fields[:1]

    def _buttons(self, wanted: str) -> list[Found]:
        """Return where words stand, as a part of others only if nowhere alone; those in a button's frame first."""

        def rank(place: Found) -> tuple[int, int, float]:
            far = 0.0 if self._context is None else distance(place.box, self._context)
            return (-round(place.fit * 12), 0 if self._button_around(place.box) else 1, far)

        found = self._screen.find(wanted)
        whole = [place for place in found if place.fit >= _WHOLE]
        return sorted(whole or found, key=rank)

    def _button_around(self, box: Box) -> Box | None:
        frame = self._screen.frame_of(box)
        return frame if frame and frame.height <= 64 and frame.width <= box.width + 220 else None

    # Filling in and choosing

    def _put(self, step: Put) -> Moves[None]:
        value, label = self._plan.resolved(step.value), step.label
        if (pressure := _PRESSURE.fullmatch(value)) and self._screen.shows("Diastolic"):
            yield from self._put(Put(pressure["upper"], "Systolic"))
            yield from self._put(Put(pressure["lower"], "Diastolic"))
            return
        yield from self._bring_in_sight(value, label)
        if label is None or not self._labels(label):
            begun = self._begun(value) or self._named_value(value)
            label, value = begun if begun is not None else (None, value)
        if label is None:
            wanted = value
            places = yield from self._scroll_to(lambda: self._buttons(wanted), wanted)
            yield from self._press_any(places, f"Choose “{value}”")
            return
        for place in self._labels(label)[:_TRIES]:
            if (yield from self._put_at(place.box, value, label)):
                self._context = place.box
                return
        raise Lost(f"“{label}” does not take “{value}”")

    def _bring_in_sight(self, value: str, label: str | None) -> Moves[None]:
        """Scroll to the label, or to the value to choose."""

        def in_sight() -> bool:
            if label is not None and self._labels(label):
                return True
            return bool(self._begun(value) or self._named_value(value) or self._buttons(value))

        if not in_sight():
            yield from self._scroll_to(lambda: [True] if in_sight() else [], label or value)

    def _labels(self, label: str) -> list[Found]:
        """Return where a label stands, of equal ones first the one whose field is nearest."""
        return sorted(
            self._screen.find(label),
            key=lambda place: (-round(place.fit * 12), self._screen.price(place.box)),
        )

    def _begun(self, value: str) -> tuple[str, str] | None:
        """Split “Heart rate 97” at the longest label on the screen that it begins with."""
        split = [
            (text.words, rest)
            for text in self._screen.pieces
            if (rest := similarity.starts(value, text.words))
            and (self._screen.fields(text.box) or self._screen.find(rest))
        ]
        return max(split, key=lambda pair: len(pair[0]), default=None)

    def _named_value(self, value: str) -> tuple[str, str] | None:
        """Split “Moisture: 2 Often moist” where the first part is on the screen."""
        label, colon, rest = value.partition(": ")
        return (label, rest) if colon and rest and self._screen.shows(label) else None

    def _put_at(self, label: Box, value: str, name: str) -> Moves[bool]:
        quantity = _QUANTITY.fullmatch(value)
        if (yield from self._choose_near(label, value, name)):
            return True
        number = quantity["number"] if quantity else value
        for field in self._screen.fields(label)[:_TRIES]:
            if quantity:
                done = yield from self._type_into(field, number, name)
            else:
                done = yield from self._give(field, value, name)
            if done:
                if quantity and quantity["unit"]:
                    yield from self._set_unit(field, quantity["unit"])
                return True
        return (yield from self._fill(label, number, f"Fill in “{name}” by its label"))

    def _choose_near(self, label: Box, value: str, name: str) -> Moves[bool]:
        """Choose what stands under or right of a label for everybody to see: a radio button, a segment."""
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
        """Whether a text is what a field holds already, and not a button's word."""
        return any(
            contains(field, box) and field.width > box.width + 60 for field in self._screen.fields(label)[:1]
        )

    def _give(self, field: Box, value: str, name: str) -> Moves[bool]:
        """Open a field: choose from the list that appears, or type."""
        yield from self._click(field, f"Go to the field “{name}”")
        if (options := self._options(field)) and len(options) > 1:
            wanted = self._option(options, value)
            if wanted is None:  # a long list shows what is typed
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
        """Return the texts that a list under or above a field has brought."""
        return [
            text
            for text in self._screen.new_texts(self._before)
            if text.box.x < field.x + field.width
            and text.box.x + text.box.width > field.x
            and not contains(field, text.box)
        ]

    def _option(self, options: Iterable[Text], value: str) -> Text | None:
        ranked = sorted(options, key=lambda text: -_option_fit(value, text.words))
        return ranked[0] if ranked and _option_fit(value, ranked[0].words) >= _CLOSE_BY else None

    def _type_into(self, field: Box, value: str, name: str) -> Moves[bool]:
        before = self._screen
        yield from self._act(
            Click(*middle(field, self._size)),
            Key(("ctrl", "a")),
            Type(value),
            thought=f"Type {value} into “{name}”",
        )
        held = [text.words for text in self._screen.inside(field)]
        if any(similarity.likeness(value, text) == 1 for text in held):
            return True
        if (option := self._option(self._options(field), value)) is not None:
            return (yield from self._click(option.box, f"Choose “{option.words}”"))
        return self._screen.changed(before, field)

    def _fill(self, label: Box, value: str, thought: str) -> Moves[bool]:
        """Type into the field of a label, or into what a click on the label goes to."""
        for target in (*self._screen.fields(label)[:2], label):
            before = self._screen
            yield from self._act(
                Click(*middle(target, self._size)), Key(("ctrl", "a")), Type(value), thought=thought
            )
            if self._screen.changed(before):
                return True
        return False

    def _set_unit(self, field: Box, unit: str) -> Moves[None]:
        """Choose the unit beside a field, where it can be chosen."""
        around = [
            place
            for place in self._screen.find(unit)
            if distance(place.box, field) < 120 and place.fit > 0.9 and abs(place.box.y - field.y) < 40
        ]
        for place in sorted(around, key=lambda place: distance(place.box, field))[:1]:
            if self._button_around(place.box) is not None:
                yield from self._click(place.box, f"Choose the unit {unit}")

    # Ticking

    def _tick(self, step: Tick) -> Moves[None]:
        boxes = self._unticked()
        if not boxes:
            yield from self._scroll(_NOTCHES)
            boxes = self._unticked()
        if not boxes:
            raise Lost(f"there is nothing to tick ({step.words})")
        yield from self._act(
            *(Click(*middle(box, self._size)) for box in boxes), thought=f"Tick {step.words}"
        )

    def _unticked(self) -> list[Box]:
        """Return the small squares of the longest column of them that have words at their right."""
        squares = [
            frame
            for frame in self._screen.frames
            if 9 <= frame.width <= 26
            and 0.75 < frame.width / frame.height < 1.33
            and self._words_right_of(frame)
        ]
        columns = [[other for other in squares if abs(other.x - square.x) <= 4] for square in squares]
        column = max(columns, key=len, default=[])
        return sorted(column, key=lambda box: box.y)

    def _words_right_of(self, square: Box) -> bool:
        return any(
            same_row(text.box, square) and -4 <= text.box.x - square.x - square.width <= 24
            for text in self._screen.texts
        )

    # Answering

    def _count(self, step: Count) -> Moves[str]:
        if step.words is None:
            raise Lost("the goal does not name what to count in words of the screen")
        wanted = step.words
        if not self._screen.shows(wanted):
            yield from self._scroll_to(lambda: self._screen.find(wanted), wanted)
        rows = answering.entries(self._screen, wanted, step.scope)
        for _ in range(_PAGES if step.scope is None else 0):
            if not (yield from self._scroll(_NOTCHES)):
                break
            rows |= answering.entries(self._screen, wanted)
        return str(rows.total())

    def _tell(self, step: Tell) -> Moves[str]:
        for page in range(_PAGES):
            answer = answering.tell(self._screen, step)
            if answer is not None:
                return answer
            if page < _PAGES - 1 and not (yield from self._scroll(_NOTCHES)):
                break
        raise Lost(f"cannot read the values of the answer: {step.form} {', '.join(step.labels)}")

    # Acting

    def _act(self, *actions: Action, thought: str) -> Moves[bool]:
        """Do something, look again, and return whether the screen changed."""
        before = self._screen
        self._screen = yield Move(actions, thought)
        self._before = before
        return self._screen.changed(before)

    def _click(self, box: Box, thought: str, count: int = 1) -> Moves[bool]:
        return (yield from self._act(Click(*middle(box, self._size), count=count), thought=thought))

    def _scroll(self, notches: int) -> Moves[bool]:
        """Turn the wheel over the middle, or over the right part where the middle does not move."""
        for share in (0.5, 0.8):
            x, y = int(self._size.width * share), int(self._size.height * 0.6)
            if (yield from self._act(Scroll(x, y, dy=notches), thought="Scroll")):
                return True
        return False

    def _scroll_to(self, seek: Callable[[], list[_T]], wanted: str) -> Moves[list[_T]]:
        """Return what is sought, after scrolling down and, if that was in vain, up to the top.

        Raises:
            Lost: It is nowhere.
        """
        for notches in (*[_NOTCHES] * _PAGES, -100):
            if found := seek():
                return found
            if not (yield from self._scroll(notches)):
                break
        if found := seek():
            return found
        raise Lost(f"“{wanted}” is not on the screen")


def _apart(label: Box, box: Box) -> float:
    """Return how far a choice is from its label; along its row the way is short."""
    off = abs(box.y + box.height / 2 - label.y - label.height / 2)
    return off + 0.3 * distance(label, box) if off <= _ROW and box.x > label.x else distance(label, box)


def _ends_at(field: Box, button: Box) -> bool:
    """Whether a field lies left of a button's word, on its row."""
    gap = button.x - field.x - field.width
    return field.width > 120 and 0 <= gap <= 60 and same_row(field, button) and field.height < 60


def _option_fit(value: str, option: str) -> float:
    inside = similarity.within(value, option) or similarity.within(option, value)
    return max(similarity.likeness(value, option), 0.9 if inside else 0.0)
