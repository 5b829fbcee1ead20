"""Settings of Geany's preferences: each task names the pages to open, what to set there, and what lies beside it.

In `preferences.toml`, `pages` are the tabs of the dialog, and `settings` its elements in the order of the steps: `click`,
`fill` or `pick` (with the `item` of a list) names one, `option` and `to` what it saves in geany.conf (alone: what goes with another). `slip` is the last
setting as somebody careless makes it, `beside` a change of what has to stay as it is. The values of `choices` differ by
seed, and may stand in texts as `{name}`.
"""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.steps import setup_of_a_program as setup

__all__ = ["setup"]


def case(state: State, random: Random, values: Values) -> Values:
    chosen = {name: random.choice(texts) for name, texts in values.get("choices", {}).items()}
    return {**chosen, **{name: _filled(value, chosen) for name, value in values.items()}}


def _filled(value: Any, chosen: dict[str, str]) -> Any:
    match value:
        case str():
            return value.format(**chosen)
        case list():
            return [_filled(one, chosen) for one in value]
        case dict():
            return {name: one if name in ("click", "fill", "pick") else _filled(one, chosen) for name, one in value.items()}
    return value


def check(evidence: Evidence, case: Case) -> Findings:
    """Each setting is saved with its value, the last one as the milestone `last`."""
    *before, last = [one for one in case["settings"] if "option" in one]
    wanted = {f"setting_{number}": one for number, one in enumerate(before, 1)} | {"last": last}
    yield from placed(
        evidence, {name: (f"settings/geany.conf/{one['option']}", one["to"]) for name, one in wanted.items()}
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the pages, set what is to be set, and save it."""
    await _set_all(pilot, case)
    await pilot.click('dialog >> push-button[name="OK"]')


async def _set_all(pilot: Pilot, case: Case) -> None:
    await pilot.press("ctrl+alt+p")
    for page in case["pages"]:
        await pilot.click(f'dialog >> page-tab[name="{page}"]')
    for one in case["settings"]:
        await _set(pilot, one)


async def _set(pilot: Pilot, one: dict[str, str]) -> None:
    if "fill" in one:
        await pilot.fill(f"dialog >> {one['fill']}", one["to"])
    elif "pick" in one:
        await pilot.click(f"dialog >> {one['pick']}")
        await pilot.click(f'menu-item[name="{one["item"]}"]:nth(0)')
    elif "click" in one:
        await pilot.click(f"dialog >> {one['click']}")


@wrong("milestone:last")
async def cancelled(pilot: Pilot, case: Case) -> None:
    """Everything is set, and the dialog is closed without saving."""
    await _set_all(pilot, case)
    await pilot.click('dialog >> push-button[name="Cancel"]')


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """It is the right page, but the last setting is another one, or has another value."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], case["slip"]]))


@wrong("record_integrity/major")
async def changed_the_neighbour(pilot: Pilot, case: Case) -> None:
    """Something that lies beside it is changed along."""
    await solve(pilot, misread(case, settings=[*case["settings"], case["beside"]]))

