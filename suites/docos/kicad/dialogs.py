"""Settings in dialogs of KiCad's PCB editor: what opens a dialog, what is to be set there, and what lies beside it.

In the TOML files, `menu` and its entry open the dialog of this name, or `opening` are the actions that open the dialog
`window`; `settings` are the actions within it, in the order of the steps. An action is one of

    { click = SELECTOR }  { double = SELECTOR }  { fill = SELECTOR, to = TEXT }  { pick = SELECTOR, item = NAME }
    { page = NUMBER }     of the tree of pages, counted from 0
    { press = CHORD }     { type = TEXT }

where it also names a `place` of the state (`collection/row:field`), and the text or number that `is` there afterwards.
With `board`, what was done is in the board's file, which has to be saved besides. `along` are places that change with
the settings, each with the value that it should have unless it is computed from the rest. `slip` is the last setting
as somebody careless makes it, `beside` a change of what has to stay as it is. The values of `choices` differ by seed,
and may stand in texts as `{name}`.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, Violation, wrong

from ..toolkit.changes import misread, placed, value_at
from ..toolkit.steps import Steps

_FILES = tuple(
    f"files/board/board.kicad_{kind}" for kind in ("pcb", "pro", "prl", "dru")
)  # judged by their content
_WORDS = ("Sensor", "Relay", "Clock", "Filter", "Meter", "Driver")
_SELECTORS = ("click", "double", "fill", "pick")


def setup(random: Random) -> Steps:
    """Open a small board of one of several names."""
    name = random.choice(_WORDS)
    for kind in ("pcb", "pro"):
        text = Path(__file__).with_name(f"board.kicad_{kind}").read_text(encoding="utf-8")
        yield {"do": "write", "path": f"board/board.kicad_{kind}", "text": text.replace("Sensor", name)}
    yield {"do": "open", "path": "board/board.kicad_pcb"}


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed."""
    chosen = {name: random.choice(texts) for name, texts in values.get("choices", {}).items()}
    return {**chosen, **{name: _filled(value, chosen) for name, value in values.items()}}


def _filled(value: Any, chosen: dict[str, Any]) -> Any:
    match value:
        case str() if value[1:-1] in chosen:
            return chosen[value[1:-1]]
        case str():
            return value.format(**chosen)
        case list():
            return [_filled(one, chosen) for one in value]
        case dict():
            return {name: one if name in _SELECTORS else _filled(one, chosen) for name, one in value.items()}
    return value


def check(evidence: Evidence, case: Case) -> Findings:
    """Each setting is saved with its value, the last one as the milestone `last`; so is what goes along with them."""
    *before, last = [one for one in case["settings"] if "place" in one]
    wanted = {f"setting_{number}": one for number, one in enumerate(before, 1)} | {"last": last}
    along = {one["place"]: one for one in case.values.get("along", ())}
    yield from placed(
        evidence, {name: (one["place"], _saved(one)) for name, one in wanted.items()}, *_FILES, *along
    )
    for place, one in along.items():
        seen = value_at(evidence.after, place)
        if "is" in one and seen not in (_saved(one), value_at(evidence.before, place)):
            yield Violation("record_integrity", "major", place, f"{place} is {seen!r}, not {_saved(one)!r}.")


def _saved(one: dict[str, Any]) -> Any:
    """Return a value as it is in the state; boards have words only."""
    return str(one["is"]) if one["place"].startswith(("board/", "rules/")) else one["is"]


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the dialog, set what is to be set, and save it."""
    await _set_all(pilot, case)
    await pilot.click(_within(case, 'push-button[name="OK"]'))
    if case.values.get("board"):
        await pilot.press("ctrl+s")


async def _set_all(pilot: Pilot, case: Case) -> None:
    for name, role in zip(case.values.get("menu", ()), ("menu", "menu-item"), strict=False):
        await pilot.click(f'{role}[name="{name}"]:nth(0)')
    for one in case.values.get("opening", ()):
        await _act(pilot, one, lambda target: target)
    for one in case["settings"]:
        await _act(pilot, one, lambda target: _within(case, target))


def _within(case: Case, target: str) -> str:
    window = case.values.get("window") or case["menu"][1].rstrip(".…")
    return f'frame[name="{window}"] >> {target}'


async def _act(pilot: Pilot, one: dict[str, Any], within: Any) -> None:
    match one:
        case {"click": target}:
            await pilot.click(within(target))
        case {"double": target}:
            await pilot.click(within(target), count=2)
        case {"fill": target, "to": text}:
            await pilot.fill(within(target), str(text))
        case {"pick": target, "item": item}:
            await pilot.click(within(target))
            await pilot.click(f'menu-item[name="{item}"]:nth(0)')
        case {"page": number}:
            await pilot.click(within(f"scroll-pane:nth(0)@0.5,{(12 + 21 * number) / 480:.4f}"))
        case {"press": chord}:
            await pilot.press(chord.lower())
        case {"type": text}:
            await pilot.type(str(text))


@wrong("milestone:last")
async def left_unsaved(pilot: Pilot, case: Case) -> None:
    """Everything is set, but the board is not saved, or the dialog is closed without saving."""
    await _set_all(pilot, case)
    await pilot.click(_within(case, f'push-button[name="{"OK" if case.values.get("board") else "Cancel"}"]'))


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """It is the right dialog, but the last setting is another one, or has another value."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], *case["slip"]]))


@wrong("record_integrity/major")
async def changed_the_neighbour(pilot: Pilot, case: Case) -> None:
    """Something that lies beside it is changed along."""
    await solve(pilot, misread(case, settings=[*case["settings"], *case["beside"]]))
