"""Plays a reference again and again, each time with one control of one of its forms filled in otherwise.

A first play keeps every reply and, before each form, a copy of the session. Each further play reads the replies up to
its form, and goes on from there on another copy, so that what came before is not asked for again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random

from lxml.html import HtmlElement

from pytest_cuabench.drivers.worlds import WorldSession
from pytest_cuabench.proof.collateral import markup
from pytest_cuabench.proof.collateral.branching import ASKED, Branches, Extra, played
from pytest_cuabench.proof.collateral.form_pilot import Refused, Visitor
from pytest_cuabench.proof.collateral.markup import Fields, Page
from pytest_cuabench.proof.collateral.offers import Offer, Typed, confirmed, offer_of
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State, difference

_CHOICES = 3  # other choices of one list that are tried
_MORE = "as discussed"
_EMPTY = ("As discussed", "7", "08:15")  # what is typed into an empty field, until one is accepted
_FILLED_IN, _PERSON = "filled in", "another person's"  # tried until one is accepted
_PERSONS = 4
_MOMENTS = {
    "%Y-%m-%dT%H:%M": timedelta(hours=-1),
    "%Y-%m-%d %H:%M": timedelta(hours=-1),
    "%Y-%m-%d": timedelta(days=-1),
    "%H:%M": timedelta(hours=-1),
}


@dataclass(frozen=True, slots=True)
class Other:
    """One control of a form, filled in otherwise; or another button of the form.

    Attributes:
        form: Place of the form among those that the reference sends.
        kind: Kind of write, name of the control, and how it differs, such as `/p/*/orders/new: dose, far off`.
        values: What is filled in, by the control's name; a box of that value is ticked, or loses its tick.
        button: What the other button offers.
    """

    form: int
    kind: str
    values: Mapping[str, str]
    button: Offer | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """A form of the reference, just before it is sent.

    Attributes:
        replies: Number of requests before it.
        session: The session as it is then.
        accepted: Whether the server goes on to another page when the form is sent as the reference fills it in.
    """

    replies: int
    cookies: dict[str, str]
    session: WorldSession
    others: list[Other]
    accepted: list[bool] = field(default_factory=list)


class NotAccepted(Exception):
    """The application refused the form as it was changed."""


class Recorder(Visitor):
    """Keeps every reply, and a copy of the session before each form."""

    def __init__(self, visitor: Visitor, typed: Typed, random: Random) -> None:
        super().__init__(visitor.client, visitor.session, {})
        self.replies: list[tuple[str, str, bool]] = []
        self.stops: list[Stop] = []
        self._typed, self._random = typed, random

    async def send(self, page: Page, button: HtmlElement) -> tuple[Page, bool]:
        """Send a form by one of its buttons."""
        if not _writes(page, button):
            return await super().send(page, button)
        others = list(_others(page, button, len(self.stops), self._typed, self._random))
        stop = Stop(len(self.replies), dict(self.cookies), await self.session.copy(), others)
        self.stops.append(stop)
        page, accepted = await super().send(page, button)
        stop.accepted.append(accepted)
        return page, accepted

    async def _ask(self, method: str, address: str, fields: Fields | None = None) -> tuple[Page, bool]:
        page, accepted = await super()._ask(method, address, fields)
        self.replies.append((page.address, page.source, accepted))
        return page, accepted


class Repeater(Visitor):
    """Reads the kept replies up to one form, and sends that one otherwise."""

    def __init__(self, recorder: Recorder, stop: Stop, other: Other, session: WorldSession) -> None:
        super().__init__(recorder.client, session, dict(stop.cookies))
        self._waiting = recorder.replies[: stop.replies]
        self._stop, self._other = stop, other
        self._forms = 0

    async def send(self, page: Page, button: HtmlElement) -> tuple[Page, bool]:
        """Send a form by one of its buttons.

        Raises:
            NotAccepted: The application refused the form as it was changed.
        """
        if not _writes(page, button):
            return await super().send(page, button)
        self._forms += 1
        if self._forms != self._other.form + 1:
            return await super().send(page, button)
        try:
            page, accepted = await super().send(page, _filled_in(page, button, self._other))
            if any(self._stop.accepted):
                page, accepted = await confirmed(self, page, accepted)
        except Refused as error:
            raise NotAccepted from error
        if not accepted and any(self._stop.accepted):
            raise NotAccepted
        return page, accepted

    async def _ask(self, method: str, address: str, fields: Fields | None = None) -> tuple[Page, bool]:
        if not self._waiting:
            return await super()._ask(method, address, fields)
        at, text, accepted = self._waiting.pop(0)
        return Page(at, text), accepted


async def filled_in_otherwise(
    branches: Branches, session: WorldSession, most: int | None = None
) -> list[Extra]:
    """Return what comes of each control, or of some, that is filled in otherwise; what is refused is left out."""
    random = Random(f"otherwise:{branches.task.name}:{branches.seed}")  # noqa: S311 - variety, not secrecy

    def typed(address: str) -> Mapping[str, str]:
        return branches.knowledge.typed(branches.before, branches.case, address, random)

    begin = branches.hand.visitor.moved(session)
    done = await _by_others(branches, begin) if most is None else []
    recorder = Recorder(begin, typed, random)
    await played(branches.task.functions.solve, branches.case, recorder, branches.knowledge)
    every = [(stop, other) for stop in recorder.stops for other in stop.others]
    if most is not None:
        random.shuffle(every)
    for stop, other in every:
        if most is not None and len(done) >= most:
            break
        if other.kind.endswith((_FILLED_IN, _PERSON)) and any(one.kind == other.kind for one in done):
            continue
        session = await stop.session.copy()
        visitor = Repeater(recorder, stop, other, session)
        done += await _made(branches, visitor, branches.case, other.kind)
    for stop in recorder.stops:
        await stop.session.close()
    return done


async def _by_others(branches: Branches, begin: Visitor) -> list[Extra]:
    """Return what comes of it when somebody else does the whole task."""
    for values in branches.knowledge.colleagues(branches.before, branches.case):
        visitor = Visitor(begin.client, await begin.session.copy(), {})
        case = replace(branches.case, values={**branches.case.values, **values})
        if made := await _made(branches, visitor, case, "/login: somebody else"):
            return made
    return []


async def _made(branches: Branches, visitor: Visitor, case: Case, kind: str) -> list[Extra]:
    """Return what comes of a play; nothing where it is refused, changes nothing, or the reference is stuck in it."""
    said, ending, stuck = branches.hand.said, branches.hand.ending, False
    try:
        hand = await played(branches.task.functions.solve, case, visitor, branches.knowledge)
        said, ending = hand.said, hand.ending
    except NotAccepted:
        await visitor.session.close()
        return []
    except (LookupError, Refused):
        stuck = True  # what stands is judged all the same
    state = await visitor.session.state()
    await visitor.session.close()
    fields = _differing(branches, state)
    verdict = branches.task.judge(Evidence(branches.before, state, said, ending), branches.case)
    if not fields or (stuck and not verdict.success):
        return []
    return [Extra(branches.task.name, branches.seed, kind, ASKED, fields, verdict)]


def _differing(branches: Branches, state: State) -> tuple[str, ...]:
    """Return the fields that are otherwise than the reference leaves them."""
    found = {
        f"{change.collection}.{name}"
        for change in difference(branches.reached, state)
        if change.collection not in branches.task.scope.harmless
        for name in change.fields
    }
    return tuple(sorted(found))


def _writes(page: Page, button: HtmlElement) -> bool:
    form = page.form_of(button)
    assert form is not None
    return form.get("method", "get").lower() == "post" and offer_of(page, form, button).writes


def _filled_in(page: Page, button: HtmlElement, other: Other) -> HtmlElement:
    """Change the form, and return the button that sends it."""
    form = page.form_of(button)
    assert form is not None
    for control in page.controls(form):
        if (name := control.get("name", "")) in other.values:
            _set(page, control, other.values[name])
    if other.button is None:
        return button
    return next(one for _, one in page.forms() if offer_of(page, form, one) == other.button)


def _set(page: Page, control: HtmlElement, value: str) -> None:
    if control.get("type") not in ("radio", "checkbox"):
        markup.fill(control, value)
    elif markup.value_of(control) == value:
        markup.choose(page, control)


def _others(page: Page, button: HtmlElement, place: int, typed: Typed, random: Random) -> Iterator[Other]:
    """Yield what the form may hold otherwise: each control by itself, all that names a person, and each button."""
    form = page.form_of(button)
    assert form is not None
    offer = offer_of(page, form, button)
    known = typed(offer.action)
    mine = [one.get("name", "") for one in page.controls(form) if one.get("name") in known]
    for person in (typed(offer.action) for _ in range(_PERSONS if mine else 0)):
        yield Other(
            place, f"{offer.kind}: {', '.join(mine)}, {_PERSON}", {name: person[name] for name in mine}
        )
    for name, how, value in _alternatives(page, form, random):
        if name not in known:
            yield Other(place, f"{offer.kind}: {name}, {how}", {name: value})
    for its, one in page.forms():
        if its is form and (instead := offer_of(page, form, one)) != offer:
            yield Other(place, f"{offer.kind}: {instead.kind} instead", {}, instead)


def _alternatives(page: Page, form: HtmlElement, random: Random) -> Iterator[tuple[str, str, str]]:
    """Yield each control's name with what may be done with it, and the value that it holds then."""
    radios: dict[str, list[HtmlElement]] = {}
    for control in page.controls(form):
        name, kind, held = control.get("name", ""), control.get("type", "text"), markup.value_of(control)
        picker = next((one for one in control.iterancestors() if one.get("class") == "picker"), None)
        if control.tag == "button" or kind == "submit":
            continue
        if kind == "radio":
            radios.setdefault(name, []).append(control)
        elif kind == "checkbox":
            yield name, "ticked" if control.get("checked") is None else "not ticked", held
            continue
        if picker is not None:
            options = [one.get("data-value", "") for one in picker.iter("li")]
            yield from ((name, "another", value) for value in _some(options, held, random))
        if kind not in ("radio", "hidden"):
            yield from ((name, how, value) for how, value in _texts(held))
    for name, group in radios.items():
        held = next((markup.value_of(one) for one in group if one.get("checked") is not None), "")
        options = [markup.value_of(one) for one in group]
        yield from ((name, "another", value) for value in _some(options, held, random))


def _some(options: Iterable[str], held: str, random: Random) -> list[str]:
    rest = [option for option in dict.fromkeys(options) if option and option != held]
    return random.sample(rest, min(_CHOICES, len(rest)))


def _texts(held: str) -> Iterator[tuple[str, str]]:
    """Yield other texts than the one that is held: other numbers and moments, more words, none."""
    if not held:
        yield from ((_FILLED_IN, text) for text in _EMPTY)
        return
    if re.fullmatch(r"-?\d+(\.\d+)?", held):
        digits = len(held.partition(".")[2])
        step = 10.0**-digits
        yield from (("a little off", f"{float(held) + by:.{digits}f}") for by in (step, -step))
        yield from (("far off", f"{float(held) * by:.{digits}f}") for by in (2, 1.3, 0.7, 0.5))
    elif moved := _moved(held):
        yield "another moment", moved
    else:
        yield "more words", f"{held} {_MORE}"
    yield "left out", ""


def _moved(held: str) -> str | None:
    for form, by in _MOMENTS.items():
        with suppress(ValueError):
            return (datetime.strptime(held, form) + by).strftime(form)
    return None
