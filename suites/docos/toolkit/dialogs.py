"""Templates whose steps are data: what opens a dialog, what is set there, and where each setting is saved.

In the TOML files of these templates, `opening` are the actions that lead to the dialog, `settings` those within it, and
`closing` those that apply and save; all in the order of the steps, and in the form of `agents/solution_steps.py`.

Selectors of `settings` are looked for within `window`, if there is one, unless they begin with a dialog or frame. A
setting also names the `place` of the state that it changes (`collection/row:field`) and what `is` there afterwards,
or several as `saves`; or an `option`, which is a place within `file`, with the value `is` or `to`. Where that can be
written otherwise with the same meaning, `fits` is a regular expression for all of it; where it can be reached
otherwise, `otherwise` are places with what is there then, "" for nothing. Each is a milestone, the last one is
`last`; a setting without an action goes along with another. `along` are places that change with the settings, each
with what `is` there unless it is computed from the rest; without a field a place stands for its row, which has to be
`like` another one of before, if that is named. Numbers are compared as texts where the state has texts.

`slip` is what somebody careless does instead of the last setting, `beside` a change of what has to stay as it is, and
`unsaved` what is done instead of `closing` by somebody who forgets to save; nothing, if it is missing. The values of
`choices` differ by seed: they stand in texts as `{name}`, or as `{name_key}` where they are tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong
from pytest_cuabench.agents.solution_steps import do

from .changes import expected, misread, nothing_else, same, value_at

_SELECTORS = ("click", "double", "right", "fill", "pick")  # in which braces are theirs


def case(state: State, random: Random, values: Values) -> Values:
    """Choose the values that differ by seed, and put them into the texts."""
    words: dict[str, Any] = {}
    for name, choices in values.get("choices", {}).items():
        chosen = random.choice(choices)
        words |= (
            {f"{name}_{key}": one for key, one in chosen.items()}
            if isinstance(chosen, dict)
            else {name: chosen}
        )
    filled: dict[str, Any] = _filled(
        {name: value for name, value in values.items() if name != "choices"}, words
    )
    for name in ("settings", "along"):
        if name in filled:
            filled[name] = [_placed(one, filled.get("file", "")) for one in filled[name]]
    return filled | words


def _placed(one: dict[str, Any], file: str) -> dict[str, Any]:
    """Return a setting with the place of its option."""
    if "option" not in one:
        return one
    return one | {"place": f"{file}/{one['option']}".replace("/:", ":"), "is": one.get("is", one.get("to"))}


def _filled(value: Any, words: dict[str, Any]) -> Any:
    match value:
        case str() if value[1:-1] in words and value[0] == "{":
            return words[value[1:-1]]  # a number stays one
        case str():
            return re.sub(r"\{(\w+)\}", lambda found: str(words.get(found[1], found[0])), value)
        case list():
            return [_filled(one, words) for one in value]
        case dict():
            return {_filled(name, words): _filled(one, words) for name, one in value.items()}
    return value


def check(evidence: Evidence, case: Case) -> Findings:
    """Each setting is saved, the last one as the milestone `last`; so is what goes along, and nothing else changed."""
    *before, last = [pair for one in case["settings"] for pair in _saved(one)]
    otherwise = {one["place"]: one["otherwise"] for one in case["settings"] if "otherwise" in one}
    wanted = {f"setting_{number}": pair for number, pair in enumerate(before, 1)} | {"last": last}
    for name, (place, value) in wanted.items():
        seen = value_at(evidence.after, place)
        reached = _same(seen, value) or (place in otherwise and _all(evidence.after, otherwise[place]))
        yield Milestone(name, reached, 1 / len(wanted), expected(place, value), f"it is {seen!r}")
    along = [pair for one in case.values.get("along", ()) for pair in _saved(one)]
    for place, value in along:
        seen = value_at(evidence.after, place)
        if value is not None and not _same(seen, value) and seen != value_at(evidence.before, place):
            yield Violation("record_integrity", "major", place, f"{place} is {seen!r}, not {value!r}.")
    for one in case.values.get("along", ()):
        if "like" in one:
            yield from _unlike(evidence, one["place"], one["like"], {place for place, _ in wanted.values()})
    yield from nothing_else(evidence, {place for place, _ in (*wanted.values(), *along)})


def _unlike(evidence: Evidence, place: str, like: str, wanted: set[str]) -> Findings:
    """Judge what a new row has otherwise than the one that it is a copy of."""
    collection, _, key = place.partition("/")
    copy = evidence.after.collections.get(collection, {}).get(key, {})
    original = evidence.before.collections.get(collection, {}).get(like, {})
    for name, value in copy.items():
        if f"{place}:{name}" not in wanted and value != original.get(name):
            detail = f"{place}:{name} is {value!r}, and {original.get(name)!r} in {like}."
            yield Violation("record_integrity", "major", f"{place}:{name}", detail)


def _saved(one: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the places of an action, and their values; None for one that is computed."""
    if "place" in one:
        yield one["place"], re.compile(one["fits"]) if "fits" in one else one.get("is")
    yield from one.get("saves", {}).items()


def _all(state: State, places: dict[str, Any]) -> bool:
    """Whether each place has its value; an empty one stands for nothing."""
    return all((value_at(state, place) or "") == value for place, value in places.items())


def _same(seen: Any, value: Any) -> bool:
    return same(seen, str(value) if isinstance(seen, str) and not isinstance(value, re.Pattern) else value)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the dialog, set what is to be set, and save it."""
    await set_all(pilot, case)
    await do(pilot, case.values.get("closing", ()))


async def set_all(pilot: Pilot, case: Case) -> None:
    """Open the dialog, and set what is to be set."""
    await do(pilot, case.values.get("opening", ()))
    await do(pilot, case["settings"], case.values.get("window", ""))


@wrong("milestone:last")
async def left_unsaved(pilot: Pilot, case: Case) -> None:
    """Everything is set, but the dialog is closed without saving, or the document is not saved."""
    await set_all(pilot, case)
    await do(pilot, case.values.get("unsaved", ()))


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """It is the right dialog, but the last setting is another one, or has another value."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], *case["slip"]]))


@wrong("record_integrity/major")
async def changed_the_neighbour(pilot: Pilot, case: Case) -> None:
    """Something that lies beside it is changed along."""
    await solve(pilot, misread(case, settings=[*case["settings"], *case["beside"]]))
