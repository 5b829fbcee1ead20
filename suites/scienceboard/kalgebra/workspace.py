"""What several tasks with KAlgebra share: how it is set up and used, and what is judged of it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench import (
    Case,
    Change,
    CheckerFailure,
    Evidence,
    Findings,
    Milestone,
    Pilot,
    State,
    Values,
    Violation,
    wrong,
)
from pytest_cuabench.task.answer import Number

from . import comparing
from .evaluation import Evaluator, Function, Value
from .syntax import NotUnderstood, parse

Steps = Iterator[Mapping[str, Any]]


def _tab(name: str) -> Mapping[str, Any]:
    return {"do": "tab", "name": name}


def plot_of(expression: str) -> Mapping[str, Any]:
    return {"do": "plot2d", "expression": expression}


def calculator(random: Random) -> Steps:
    """Start as the program starts."""
    return iter(())


def flat(random: Random) -> Steps:
    """Start at an empty graph of the plane."""
    yield _tab("2D Graph")


def solid(random: Random) -> Steps:
    """Start at an empty graph in space."""
    yield _tab("3D Graph")


def in_the_dictionary(random: Random) -> Steps:
    """The dictionary of functions is in front."""
    yield _tab("Dictionary")


LETTERS = ("p", "k", "s", "w", "u", "d")


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def expressions(state: State) -> dict[str, str]:
    return {row["_key"]: row["expression"] for row in state.rows("functions2d")}


def store_values(random: Random, value: float, enter: str, **more: Any) -> Values:
    name = random.choice(LETTERS)
    return {"variable": name, "value": value, "enter": f"{name}:={enter}", **more}


TOLERANCE = 1e-6  # of a stored number, as ScienceBoard's
_COLOUR = 6  # of 255: what is read from the screen is rounded
_LOOKED_AT = 8  # new plots beside the expected ones; all others are too many anyway
_MAY_BE_RIGHT = ("success", "answer", "budget")  # endings after which a right state counts
_RESULT = "ans"  # holds the last result, whatever was calculated


def number_stored(evidence: Evidence, name: str, value: float, weight: float = 1.0) -> Findings:
    """Judge whether a variable holds a number."""
    held = evidence.after.collections["variables"].get(name)
    seen = "no such variable" if held is None else str(held["value"])
    right = held is not None and close(value_of(seen, {}), value)
    yield Milestone("stored", right, weight, f"{name} = {value:.12g}", seen)


def close(found: Value, value: complex) -> bool:
    if isinstance(found, Function | tuple | bool):
        return False
    return abs(found - value) <= TOLERANCE  # false for NaN, too


def value_of(text: str, variables: Mapping[str, Value]) -> Value:
    try:
        return Evaluator(variables).meaning(parse(text))({})
    except (NotUnderstood, RecursionError):
        return math.nan


def same_function(evidence: Evidence, name: str, script: str) -> bool:
    """Return whether a variable holds the function that a script defines as `name:=...`."""
    defined_by, body = script.strip().split(":=")
    calls = [f"({{}})({n})" for n in (2, 3)] if body.count("->") > 1 else ["{}"]
    variables = _definitions(evidence.after)
    return defined_by == name and all(
        comparing.same_curve(f"x->({call.format(name)})(x)", f"x->({call.format(f'({body})')})(x)", variables)
        for call in calls
    )


@dataclass(frozen=True, slots=True)
class Unread:
    """A milestone that may be reached by something that is not understood here."""

    milestone: Milestone
    text: str


Open = Iterator[Milestone | Violation | Unread]


def curves_added(evidence: Evidence, expected: Sequence[str], weight: float = 1.0) -> Open:
    """Judge whether each expected curve was added to the graph, and whether no other one was."""
    variables = _definitions(evidence.after)
    new = _new_plots(evidence)
    left = dict(list(new.items())[: len(expected) + _LOOKED_AT])
    found = [_taken(left, curve, variables) for curve in expected]
    unread = [key for key, text in left.items() if comparing.same_curve(text, expected[0], variables) is None]
    doubtful = len(unread) == len(left) == found.count(False)
    for number, (curve, reached) in enumerate(zip(expected, found, strict=True), 1):
        name = f"curve_{number}" if len(expected) > 1 else "curve"
        seen = ", ".join(new.values()) or "no new curve"
        milestone = Milestone(name, reached, round(weight / len(expected), 6), curve, seen)
        yield Unread(milestone, ", ".join(left.values())) if doubtful and not reached else milestone
    if not doubtful:
        yield from _too_many(left)
    yield from _too_many(dict(list(new.items())[len(expected) + _LOOKED_AT :]))


def _taken(left: dict[str, str], curve: str, variables: tuple[tuple[str, str], ...]) -> bool:
    """Take the first plot that is a curve away from those that are left; return whether there was one."""
    fitting = next((key for key, text in left.items() if comparing.same_curve(text, curve, variables)), None)
    left.pop(fitting or "", None)
    return fitting is not None


def _too_many(plots: Mapping[str, str]) -> Iterator[Violation]:
    for key, text in plots.items():
        yield _harm("functions2d", key, f"{text} was plotted as well", "major")


def _new_plots(evidence: Evidence) -> dict[str, str]:
    """Return the shown plots that are new or have got another expression."""
    before = {row["_key"]: row["expression"] for row in evidence.before.rows("functions2d")}
    after = evidence.after.rows("functions2d", shown=True)
    return {row["_key"]: row["expression"] for row in after if before.get(row["_key"]) != row["expression"]}


def surface_drawn(evidence: Evidence, expected: str, weight: float = 1.0) -> Open:
    """Judge whether the surface was drawn."""
    drawn = evidence.after.collections["plot3d"].get("surface", {}).get("expression", "")
    right = comparing.same_surface(drawn, expected, _definitions(evidence.after)) if drawn else False
    milestone = Milestone("surface", right is True, weight, expected, drawn or "nothing was drawn")
    yield Unread(milestone, drawn) if right is None else milestone


def decided(evidence: Evidence, findings: Iterable[Milestone | Violation | Unread]) -> Findings:
    """Yield findings, of which some may be open: what is not understood is not reached.

    Raises:
        CheckerFailure: The episode ended well but for what is not understood, which may be what was asked for.
    """
    found = list(findings)
    known = [one for one in found if not isinstance(one, Unread)]
    unread = [one for one in found if isinstance(one, Unread)]
    if (
        unread
        and evidence.ending in _MAY_BE_RIGHT
        and all(isinstance(one, Milestone) and one.reached for one in known)
    ):
        raise CheckerFailure(f"it is not understood here what KAlgebra draws of {unread[0].text[:200]}")
    yield from (one.milestone if isinstance(one, Unread) else one for one in found)


def _definitions(state: State) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((row["_key"], row["value"]) for row in state.rows("variables")))


def alike(seen: str, code: str) -> bool:
    if not seen.startswith("#"):
        return False
    return all(abs(int(seen[n : n + 2], 16) - int(code[n : n + 2], 16)) <= _COLOUR for n in (1, 3, 5))


def setting(evidence: Evidence, name: str, value: Any, weight: float = 1.0) -> Findings:
    """Judge whether the window has a setting."""
    seen = _view(evidence.after).get(name)
    yield Milestone(name, seen == value, weight, str(value), str(seen))


def _view(state: State) -> Mapping[str, Any]:
    return state.collections["view"].get("window", {})


def untouched(
    evidence: Evidence,
    *,
    variables: Sequence[str] = (),
    plots: Sequence[str] = (),
    recoloured: Sequence[str] = (),
    plane: bool = False,
    space: bool = False,
    settings: Sequence[str] = (),
    files: bool = False,
) -> Findings:
    """Judge what else was changed: other variables, plots, the surface, settings, files.

    A variable more is no harm, since people calculate in steps, nor is another tab in front. With `plane` the new
    curves, with `space` the surface, with `files` all files are judged elsewhere.
    """
    if not plane:
        yield from _too_many(_new_plots(evidence))
    for change in evidence.changes:
        match change.collection:
            case "variables" if change.op != "insert" and change.key not in (*variables, _RESULT):
                yield _changed(change, "major")
            case "functions2d" if change.op != "insert" and change.key not in plots:
                yield from _plot_changed(change, change.key in recoloured)
            case "functions2d" if change.op == "insert" and _hidden(evidence, change.key):
                yield _changed(change, "minor")
            case "plot3d" if not space:
                yield _changed(change, "major")
            case "files" if not files:
                yield _changed(change, "major")
            case "view":
                yield from _settings_changed(change, {"tab", *settings})


def _hidden(evidence: Evidence, key: str) -> bool:
    """Whether a plot is in the list and not in the graph; new ones in the graph are judged elsewhere."""
    return not evidence.after.collections["functions2d"].get(key, {}).get("shown", True)


def _plot_changed(change: Change, recoloured: bool) -> Findings:
    if change.op == "delete" or "expression" in change.fields:
        yield _changed(change, "major")
    elif "shown" in change.fields or (_recoloured(change) and not recoloured):
        yield _changed(change, "minor")


def _recoloured(change: Change) -> bool:
    old, new = change.fields.get("colour", (None, None))
    return old is not None and new is not None and not alike(new, old)


def _settings_changed(change: Change, allowed: set[str]) -> Findings:
    for name, (old, new) in change.fields.items():
        if name not in allowed:
            yield _harm("view", name, f"{name} is {new}, but was {old}", "minor")


def _changed(change: Change, severity: str) -> Violation:
    verb = {"insert": "was added", "update": "was changed", "delete": "was removed"}[change.op]
    return _harm(change.collection, change.key, f"{change.key} {verb}", severity)


def _harm(collection: str, key: str, detail: str, severity: Any) -> Violation:
    return Violation("record_integrity", severity, f"{collection}.{key}", detail)


def judge_stored(evidence: Evidence, case: Case) -> Findings:
    """The variable holds the value."""
    yield from number_stored(evidence, case["variable"], case["value"])
    yield from untouched(evidence, variables=[case["variable"]])


def plotted(evidence: Evidence, case: Case) -> Findings:
    """The curves are in the graph, and no other new ones."""
    found = curves_added(evidence, case["curves"])
    yield from decided(evidence, (*found, *untouched(evidence, plane=True)))


def drawn(evidence: Evidence, case: Case) -> Findings:
    """The surface is drawn."""
    found = surface_drawn(evidence, case["surface"])
    yield from decided(evidence, (*found, *untouched(evidence, space=True)))


def loaded(evidence: Evidence, case: Case, function: str, weight: float) -> Findings:
    known = evidence.after.collections["variables"].get(function)
    seen = "not defined" if known is None else str(known["value"])
    script = evidence.before.collections["files"][case["file"]]["text"]
    there = known is not None and same_function(evidence, function, script)
    yield Milestone("loaded", there, weight, script.strip(), seen)


def answered(evidence: Evidence, spec: Number) -> Findings:
    match = spec.match(evidence.answer, evidence.goal)
    yield Milestone("answer", match.ok, 1.0, spec.expected, match.seen)
    yield from untouched(evidence)


DOCK = 'frame[name="Functions"]'
_EDITOR = f"{DOCK} >> text"


async def show(pilot: Pilot, tab: str) -> None:
    """Bring a tab to the front."""
    await pilot.click(f'page-tab[name="{tab}"]')


async def calculate(pilot: Pilot, text: str) -> None:
    """Calculate in the console."""
    await show(pilot, "Calculator")
    await pilot.fill("text", text)
    await pilot.press("enter")


async def plot(pilot: Pilot, expressions: Sequence[str]) -> None:
    """Add curves to the graph of the plane."""
    await show(pilot, "2D Graph")
    for expression in expressions:
        if await pilot.sees(f'{DOCK} >> page-tab[name="Add"]'):
            await pilot.click(f'{DOCK} >> page-tab[name="Add"]')
        await pilot.fill(_EDITOR, expression)
        await pilot.press("enter")


async def draw(pilot: Pilot, expression: str, *, enter: bool = True) -> None:
    """Draw a surface, or only type it."""
    await show(pilot, "3D Graph")
    await pilot.fill("text", expression)
    if enter:
        await pilot.press("enter")


async def choose(pilot: Pilot, menu: str, item: str) -> None:
    """Choose from a menu."""
    await pilot.click(f'menu-item[name="{menu}"]')
    await pilot.click(f'menu-item[name="{menu}"] >> menu-item[name="{item}"]')


async def load(pilot: Pilot, file: str) -> None:
    """Load a script of HOME into the console."""
    await choose(pilot, "Calculator", "Load Script...")
    await pilot.fill('dialog >> text[name="File name:"]', file)
    await pilot.press("enter")


async def edit(pilot: Pilot, plot_name: str) -> None:
    """Open the editor of a curve."""
    await pilot.click(f'{DOCK} >> table-cell[name="{plot_name}"]@0.85,0.5', count=2)


async def store(pilot: Pilot, case: Case) -> None:
    await calculate(pilot, case["enter"])


async def plot_curves(pilot: Pilot, case: Case) -> None:
    await plot(pilot, case["enter"])


async def draw_surface(pilot: Pilot, case: Case) -> None:
    await draw(pilot, case["enter"])


async def tell(pilot: Pilot, case: Case) -> None:
    await pilot.answer(case["answer"])


async def stored(pilot: Pilot, case: Case, expression: str) -> None:
    await calculate(pilot, f"{case['variable']}:={expression}")


def of(case: Case) -> str:
    """Return what the solution stores."""
    return str(case["enter"]).split(":=", 1)[1]


@wrong("milestone:stored")
async def other_variable(pilot: Pilot, case: Case) -> None:
    """Store the right number under another name."""
    await calculate(pilot, f"result:={of(case)}")


@wrong("milestone:stored")
async def not_stored(pilot: Pilot, case: Case) -> None:
    """Calculate the right number, and leave it in the console."""
    await calculate(pilot, of(case))


@wrong("milestone:surface")
async def not_entered(pilot: Pilot, case: Case) -> None:
    """Type the surface, and do not press Return."""
    await draw(pilot, case["enter"], enter=False)


@wrong("record_integrity/major")
async def attempt_left(pilot: Pilot, case: Case) -> None:
    """Plot the right curve, but leave a first attempt beside it."""
    await plot(pilot, ["x->x+1", *case["enter"]])


@wrong("milestone:answer")
async def right_number_to_another_question(pilot: Pilot, case: Case) -> None:
    """Answer the height instead of the place, or count one too many."""
    await pilot.answer(case["slip"])
