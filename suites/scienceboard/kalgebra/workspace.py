"""What several tasks with KAlgebra share: how it is set up and used, and what is judged of it."""

from __future__ import annotations

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
from pytest_cuabench.task.kinds import FURTHER, Choice, free

from .kinds import Defined, Drawn, Seen, Stored

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


SEEN, STORED = Seen(), Stored()
_LOOKED_AT = 8  # new plots beside the expected ones; all others are too many anyway
_MAY_BE_RIGHT = ("success", "answer", "budget")  # endings after which a right state counts
_RESULT = "ans"  # holds the last result, whatever was calculated


def number_stored(evidence: Evidence, name: str, value: float, weight: float = 1.0) -> Findings:
    """Judge whether a variable holds a number."""
    held = variable(evidence, name)
    right = STORED.same(held, value, ("variables", name, "value"))
    yield Milestone("stored", right, weight, f"{name} = {value:.12g}", held or "no such variable")


def variable(evidence: Evidence, name: str) -> str | None:
    """Return what the list of variables says of one, None where it is not there."""
    return evidence.after.collections["variables"].get(name, {}).get("value")


@dataclass(frozen=True, slots=True)
class Unread:
    """A milestone that may be reached by something that is not understood here."""

    milestone: Milestone
    text: str


Open = Iterator[Milestone | Violation | Unread]


def curves_added(evidence: Evidence, expected: Sequence[str], weight: float = 1.0) -> Open:
    """Judge whether each expected curve was added to the graph, and whether no other one was."""
    drawn = Drawn(2, _definitions(evidence.after))
    new = _new_plots(evidence)
    left = dict(list(new.items())[: len(expected) + _LOOKED_AT])
    found = [_taken(left, curve, drawn) for curve in expected]
    unread = [key for key, text in left.items() if drawn.tells(text, expected[0]) is None]
    doubtful = len(unread) == len(left) == found.count(False)
    for number, (curve, reached) in enumerate(zip(expected, found, strict=True), 1):
        name = f"curve_{number}" if len(expected) > 1 else "curve"
        seen = ", ".join(new.values()) or "no new curve"
        milestone = Milestone(name, reached, round(weight / len(expected), 6), curve, seen)
        yield Unread(milestone, ", ".join(left.values())) if doubtful and not reached else milestone
    if not doubtful:
        yield from _too_many(left)
    yield from _too_many(dict(list(new.items())[len(expected) + _LOOKED_AT :]))


def _taken(left: dict[str, str], curve: str, drawn: Drawn) -> bool:
    """Take the first plot that is a curve away from those that are left; return whether there was one."""
    fitting = next((key for key, text in left.items() if drawn.matches(text, curve)), None)
    if fitting is None:
        return False
    return drawn.same(left.pop(fitting), curve, ("functions2d", fitting, "expression"))


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
    text = evidence.after.collections["plot3d"].get("surface", {}).get("expression", "")
    drawn = Drawn(3, _definitions(evidence.after))
    right = drawn.same(text or None, expected, ("plot3d", "surface", "expression"))
    milestone = Milestone("surface", right, weight, expected, text or "nothing was drawn")
    yield Unread(milestone, text) if text and drawn.tells(text, expected) is None else milestone


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


def setting(evidence: Evidence, name: str, value: Any, weight: float = 1.0) -> Findings:
    """Judge whether the window has a setting."""
    seen = _view(evidence.after).get(name)
    right = Choice().same(seen, value, ("view", "window", name))
    yield Milestone(name, right, weight, str(value), str(seen))


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
        _leave_open(change, variables)
        match change.collection:
            case "variables" if change.op != "insert" and change.key not in (*variables, _RESULT):
                yield _changed(change, "major")
            case "functions2d" if change.op != "insert" and change.key not in plots:
                yield from _plot_changed(change, change.key in recoloured)
            case "functions2d" if change.op == "insert" and _hidden(evidence, change.key):
                yield _changed(change, "minor")
            case "plot3d" if not (space and change.key == "surface"):
                yield _changed(change, "major")
            case "files" if not files:
                yield _changed(change, "major")
            case "view":
                yield from _settings_changed(change, {"tab", *settings})


def _leave_open(change: Change, variables: Sequence[str]) -> None:
    """Declare what may hold anything, each with its reason."""
    at = (change.collection, change.key)
    match change.collection:
        case "console":
            free(at, "what is calculated beside is left open")
        case "variables":
            free(("variables", FURTHER), "people calculate in steps")
            if change.key == _RESULT or (change.op == "insert" and change.key not in variables):
                free(at, "people calculate in steps")
            free((*at, FURTHER), "KAlgebra tells a variable's value and nothing else of it")
        case "functions2d":
            free((*at, FURTHER), "KAlgebra tells these fields of a plot and no others")
            if change.op == "insert":
                free((*at, "colour"), "KAlgebra takes any color for a new plot")
        case "plot3d":
            free((*at, FURTHER), "KAlgebra tells a surface's expression and nothing else of it")
        case "view":
            free((*at, "tab"), "any tab may be in front")


def _hidden(evidence: Evidence, key: str) -> bool:
    """Whether a plot is in the list and not in the graph; new ones in the graph are judged elsewhere."""
    shown = evidence.after.collections["functions2d"][key].get("shown")
    return not Choice().same(shown, True, ("functions2d", key, "shown"))


def _plot_changed(change: Change, recoloured: bool) -> Findings:
    if change.op == "delete" or "expression" in change.fields:
        yield _changed(change, "major")
    elif "shown" in change.fields or (_recoloured(change) and not recoloured):
        yield _changed(change, "minor")


def _recoloured(change: Change) -> bool:
    """Whether a plot has another color; one that is not in sight is not known."""
    old, new = change.fields.get("colour", (None, None))
    at = (change.collection, change.key, "colour")
    return old is not None and new is not None and not SEEN.same(new, old, at, optional=True)


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
    """Judge whether a variable holds the function that a script defines."""
    held, script = variable(evidence, function), evidence.before.collections["files"][case["file"]]["text"]
    body = script.strip().removeprefix(f"{function}:=")
    there = Defined(2, _definitions(evidence.after)).same(held, body, ("variables", function, "value"))
    yield Milestone("loaded", there, weight, script.strip(), held or "not defined")


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
