"""Our own records, with solutions as data: the form of the values in the TOML files of this suite.

    record = "libreoffice_calc/ID"     the record, in the folder records/
    do = [...]                         the reference solution, in the form of `agents/builtin/solution_steps.py`
    slip = [...]                       what somebody careless does instead
    closing = [...]                    what saves it (optional: the application's own)
    unsaved = [...]                    what is done instead by somebody who forgets to (optional)
    settings = ["gimprc/NAME:value"]   of a record about settings: the only ones that may change

Also understood are `{ cell = "B6" }`, which goes to a cell or range of a workbook, `{ keys = [...] }`, chords one after
another, and `{ pixel = [x, y] }`, a click.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from pytest_cuabench import Case, Change, Evidence, Findings, Pilot, State, Values, Violation, wrong
from pytest_cuabench.agents.builtin.solution_steps import do
from pytest_cuabench.task.action import Click
from pytest_cuabench.task.kinds import FURTHER, free

from .downloads import Downloads
from .judging import findings
from .records import read_records
from .tasks import Playable, recorded

Actions = Iterable[Mapping[str, Any]]

RECORDS = Path(__file__).parents[1] / "records"
_FILES = Downloads(RECORDS / "files")


_SAVE: list[Mapping[str, Any]] = [{"press": "ctrl+s"}, {"wait": 1.5}]
_SAVE_IN_FORMAT: list[Mapping[str, Any]] = [
    {"press": "ctrl+s"},
    {"click": 'push-button[name*="2007"]'},
    {"wait": 1.5},
]  # where it asks
_CLOSING: Mapping[str, Actions] = {
    "libreoffice_calc": _SAVE_IN_FORMAT,
    "libreoffice_impress": _SAVE,
    "libreoffice_writer": _SAVE,
}


def case(state: State, random: Random, values: Values) -> Values:
    """Return what the record asks, and how it is solved; the seed changes nothing."""
    playable = own(values["record"])
    if playable.unsupported is not None:
        raise playable.unsupported
    closing = values.get("closing", _CLOSING.get(playable.record.domain, ()))
    return {**values, "closing": [*closing], **playable.values(), "files": ""}


def setup_of(values: Values) -> list[Mapping[str, Any]]:
    """Return the steps that prepare the desktop for a record."""
    return own(values["record"]).setup()


def own(name: str) -> Playable:
    """Return one of our records by `domain/id`."""
    (record,) = read_records(RECORDS / "examples" / f"{name}.json")
    return Playable.of(record, _FILES)


def check(evidence: Evidence, case: Case) -> Findings:
    """Judge by the record's evaluators; besides, no other file or setting may be changed or removed."""
    playable = Playable.of(recorded(case)[0], _FILES)
    yield from findings(playable.record, evidence, _FILES)
    for change in evidence.changes:
        if change.collection == "settings" and "settings" in case.values:
            yield from _settings(change, case["settings"])
            continue
        _leave_open(change, playable.paths)
        if change.collection == "files" and change.op != "insert" and change.key not in playable.paths:
            detail = f"{change.key} was {'removed' if change.op == 'delete' else 'changed'}."
            yield Violation("record_integrity", "major", change.key, detail)


def _settings(change: Change, asked: Collection[str]) -> Findings:
    """Judge the settings of a row that nobody asked to change."""
    for name, (before, after) in change.fields.items():
        place = f"{change.key}:{name}"
        if place in asked:
            free((change.collection, change.key, name), "the record's evaluators compare it")
        else:
            detail = f"{place} was changed from {before!r:.60} to {after!r:.60}."
            yield Violation("record_integrity", "major", f"settings/{place}", detail)


def _leave_open(change: Change, judged: Container[str]) -> None:
    """Declare what a record says nothing of."""
    at = (change.collection, change.key)
    if change.collection == "kept":
        free((*at, "size"), "it follows from the content")
        free((*at, "sha256"), "it follows from the content")
        free((*at, FURTHER), "files are told by content, size and hash")
    elif change.collection != "files" or change.key in judged or change.op == "insert":
        free(at, "records judge the files that they name, and nothing else may be changed or removed")


async def solve(pilot: Pilot, case: Case) -> None:
    """Do what the record asks, and save it."""
    await _act(pilot, case["do"])
    await _act(pilot, case["closing"])


@wrong("milestone:evaluators")
async def slipped(pilot: Pilot, case: Case) -> None:
    """Something similar is done and saved."""
    await _act(pilot, case["slip"])
    await _act(pilot, case["closing"])


@wrong("milestone:evaluators")
async def left_unsaved(pilot: Pilot, case: Case) -> None:
    """Everything is done, and nothing is saved."""
    await _act(pilot, case["do"])
    await _act(pilot, case.values.get("unsaved", ()))


async def give_up(pilot: Pilot, case: Case) -> None:
    """Say that it cannot be done."""
    await pilot.give_up()


@wrong("milestone:infeasible")
async def claimed_it(pilot: Pilot, case: Case) -> None:
    """Say that it is done."""
    await pilot.answer("Done.")


async def _act(pilot: Pilot, actions: Actions) -> None:
    for one in actions:
        match one:
            case {"pixel": [x, y]}:
                await pilot.act(Click(int(x), int(y)), thought=f"Click {x}, {y}")
            case _:
                await do(pilot, _plain(one))


def _plain(one: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    match one:
        case {"cell": place}:
            yield {"press": "ctrl+shift+t"}
            yield {"type": f"{place}\n"}
        case {"keys": chords}:
            yield from ({"press": chord} for chord in chords)
        case _:
            yield one
