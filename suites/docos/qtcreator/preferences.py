"""Settings of Qt Creator's preferences: each task has a page, what is set there, and what lies beside it.

In `preferences.toml`, `page` is a category and its tab, and `settings` what is done there in the order of
the steps: `click` an element, `fill` one with the text `to`, `pick` the `item` of a list (`nth` of its name),
`then` click further elements, `press` keys, and `type` a text. `saves` are the places that this changes, with
their values. `slip` is what somebody careless does instead of the last setting, `beside` a change of what has
to stay as it is. The values of `choices` differ by seed; they stand in texts as `{name}`, or as `{name_key}`
where they are tables.
"""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from .sources import setup

__all__ = ["setup"]

_WINDOW = 'dialog[name="Preferences"]'


def case(state: State, random: Random, values: Values) -> Values:
    words: dict[str, str] = {}
    for name, choices in values.get("choices", {}).items():
        chosen = random.choice(choices)
        if isinstance(chosen, dict):
            words |= {f"{name}_{key}": text for key, text in chosen.items()}
        else:
            words[name] = chosen
    kept = {name: value for name, value in values.items() if name != "choices"}
    filled: dict[str, Any] = _filled(kept, words)
    return filled | words


def _filled(value: Any, words: dict[str, str]) -> Any:
    match value:
        case str():
            for name, word in words.items():
                value = value.replace(f"{{{name}}}", word)
            return value
        case list():
            return [_filled(one, words) for one in value]
        case dict():
            return {_filled(name, words): _filled(one, words) for name, one in value.items()}
    return value


def check(evidence: Evidence, case: Case) -> Findings:
    """Each setting is saved with its values, the last one as the milestone `last`."""
    saved = [(place, value) for one in case["settings"] for place, value in one.get("saves", {}).items()]
    wanted = {f"setting_{number}": one for number, one in enumerate(saved[:-1], 1)} | {"last": saved[-1]}
    yield from placed(evidence, wanted)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the page, set what is to be set, and save it."""
    await _set_all(pilot, case)
    await pilot.click(f'{_WINDOW} >> push-button[name="OK"]')


async def _set_all(pilot: Pilot, case: Case) -> None:
    category, tab = case["page"]
    await pilot.click('menu-item[name="Edit"]:nth(0)')
    await pilot.click('menu-item[name^="Preferences"]:nth(0)')
    await pilot.click(f'{_WINDOW} >> list-item[name="{category}"]:nth(0)')
    await pilot.click(f'{_WINDOW} >> page-tab[name="{tab}"]')
    for one in case["settings"]:
        await _set(pilot, one)


async def _set(pilot: Pilot, one: dict[str, Any]) -> None:
    if element := one.get("click") or one.get("fill") or one.get("pick"):
        await pilot.click(_within(element))
    if "fill" in one:
        await pilot.press("ctrl+a")
        await pilot.type(one["to"])
    if "pick" in one:
        await pilot.click(f'list-item[name="{one["item"]}"]:nth({one.get("nth", 0)})')
    for further in one.get("then", ()):
        await pilot.click(_within(further))
    for keys in one.get("press", ()):
        await pilot.press(keys)
    if "type" in one:
        await pilot.type(one["type"])


def _within(element: str) -> str:
    return element if element.startswith("dialog") else f"dialog >> {element}"


@wrong("milestone:last")
async def cancelled(pilot: Pilot, case: Case) -> None:
    """Everything is set, and the window is closed without saving."""
    await _set_all(pilot, case)
    await pilot.click(f'{_WINDOW} >> push-button[name="Cancel"]')


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """It is the right page, but the last setting is another one, or has another value."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], case["slip"]]))


@wrong("record_integrity/major")
async def changed_the_neighbour(pilot: Pilot, case: Case) -> None:
    """Something that lies beside it is changed along."""
    await solve(pilot, misread(case, settings=[*case["settings"], case["beside"]]))
