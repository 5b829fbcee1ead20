"""Templates whose steps are data: what opens a dialog, what is set there, and where each setting is saved.

In the TOML files of these templates, `opening` are the actions that lead to the dialog, `settings` those within it, and
`closing` those that apply and save; all in the order of the steps, in the form of `agents/builtin/solution_steps.py`.

Selectors of `settings` are looked for within `window`, if there is one, unless they begin with a dialog or frame. A
setting also names the `place` of the state that it changes (`collection/row:field`) and what `is` there afterwards,
or several as `saves`; or an `option`, which is a place within `file`, with the value `is` or `to`. Its `kind`, of
`kinds.py`, says what means the same: what is clicked or picked is a choice and what a spin button holds a number, and
all else has to name one, or `why` it is compared as it is written; `fits` is a regular expression for all of it, where
no kind knows what else means the same. Where it can be reached otherwise, `otherwise` are places with what is there
then, "" for nothing. Each is a milestone, the last one is `last`; a setting without an action goes along with another.
`along` are places that change with the settings, each with what `is` there, or `why` it is open; without a field a
place stands for its row, which has to be `like` another one of before, if that is named. Numbers are compared as texts
where the state has texts. Where people know a new row by one of its fields, and the program keeps it by another name,
`rows` name the `row`, the `field` and what it `is`.

`slip` is what somebody careless does instead of the last setting, `beside` a change of what has to stay as it is, and
`unsaved` what is done instead of `closing` by somebody who forgets to save; nothing, if it is missing. The values of
`choices` differ by seed: they stand in texts as `{name}`, or as `{name_key}` where they are tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.agents.builtin.solution_steps import do
from pytest_cuabench.task.kinds import Fits, Kind, Raw

from .changes import (
    Wanted,
    actual,
    goes_along,
    labelled,
    made,
    milestone,
    misread,
    nothing_else,
    unlike,
    value_at,
)
from .kinds import CHOICE, NUMBER, kind_named

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
    value = {"is": one["to"]} if "to" in one and "is" not in one else {}
    return one | {"place": f"{file}/{one['option']}".replace("/:", ":")} | value


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
    rows = {one["row"]: made(evidence, **one) for one in case.values.get("rows", ())}
    set_here = [{"is": None, **setting} if "place" in setting else setting for setting in case["settings"]]
    *before, last = [one for setting in set_here for one in _saved(setting, evidence, rows)]
    otherwise = {one["place"]: one["otherwise"] for one in case["settings"] if "otherwise" in one}
    wanted = {f"setting_{number}": one for number, one in enumerate(before, 1)} | {"last": last}
    for name, (place, value, kind) in wanted.items():
        found = milestone(evidence, name, place, value, kind, 1 / len(wanted))
        other = place in otherwise and _all(evidence.after, otherwise[place], kind)
        yield replace(found, reached=found.reached or other)
    judged = {place for place, *_ in wanted.values()}
    for one in case.values.get("along", ()):
        for place, value, kind in _saved(one, evidence, rows):
            judged.add(place)
            yield from goes_along(evidence, place, value, kind)
        if "like" in one:
            yield from unlike(evidence, actual(evidence, one["place"]), one["like"], judged)
    whole = (one for one in case.values.get("along", ()) if "place" in one and not {"is", "like"} & set(one))
    opened = {
        labelled(evidence, rows.get(row, row) + colon + field): one.get("why", "")
        for one in whole
        for row, colon, field in [one["place"].rpartition(":")]
    }
    yield from nothing_else(evidence, judged, opened)


def _saved(one: dict[str, Any], evidence: Evidence, rows: dict[str, str]) -> Iterator[Wanted]:
    """Yield the places of an action that are judged, their values, and their kinds."""
    values = {one["place"]: one["is"]} if "place" in one and "is" in one else {}
    for place, value in {**values, **one.get("saves", {})}.items():
        row, colon, field = place.rpartition(":")
        if row not in rows:
            rows[row] = actual(evidence, row)
        here = labelled(evidence, rows[row] + colon + field)
        written = isinstance(value_at(evidence.after, here), str)
        yield here, str(value) if written else value, _kind(one, value)


def _kind(one: dict[str, Any], value: Any) -> Kind:
    """Return the kind of the value that an action changes."""
    if "kind" in one:
        return kind_named(one["kind"])
    if "fits" in one:
        return Fits(one.get("why", ""), pattern=one["fits"])
    if not {"fill", "type"} & set(one):
        return CHOICE
    spun = "spin-button" in one.get("fill", "") and NUMBER.reads(value)
    return NUMBER if spun else Raw(one.get("why", ""))


def _all(state: State, places: dict[str, Any], kind: Kind) -> bool:
    """Whether each place has its value; an empty one stands for nothing."""
    return all(kind.matches(value_at(state, place) or "", value) for place, value in places.items())


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
