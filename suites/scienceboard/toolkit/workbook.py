"""What several tasks with CoqIDE share: a file that differs by seed, what is judged of it, and how it is edited."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation
from pytest_cuabench.task.action import Type

from ..texstudio.writing import Step, press, text_of, walk

NAMES = ("alder", "birch", "cedar", "hazel", "larch", "maple", "rowan", "willow")
HOLE = "@@"  # where a text is to be changed
_NUMBERS = (range(3, 8), range(11, 17))


def words(name: str, a: int, b: int) -> dict[str, Any]:
    """Return what may stand in the texts of a task as `{word}`."""
    return {
        "name": name,
        "other": NAMES[(NAMES.index(name) + 3) % len(NAMES)],
        "a": a,
        "b": b,
        "c": a * b,
        "aa": a * a,
        "next": a + 1,
        "reached": b + 6 * a,
        "reached_early": b + 5 * a,
        "constructors": " | ".join(f"{name}{number}" for number in range(1, a + 1)),
    }


def chosen(random: Random) -> dict[str, Any]:
    """Return the words of a seed."""
    return words(random.choice(NAMES), random.choice(_NUMBERS[0]), random.choice(_NUMBERS[1]))


def filled(value: Any, known: dict[str, Any]) -> Any:
    """Return a value with the words in its texts."""
    match value:
        case str():
            return re.sub(r"\{(\w+)\}", lambda found: str(known.get(found[1], found[0])), value)
        case list():
            return [filled(one, known) for one in value]
        case dict():
            return {name: filled(one, known) for name, one in value.items()}
    return value


def again(state: State, values: Values) -> Values:
    """Return the values with the words that the state's file was written with.

    Raises:
        LookupError: The file is not one of the task's.
    """
    for name, a, b in itertools.product(NAMES, *_NUMBERS):
        found: dict[str, Any] = filled(dict(values), known := words(name, a, b))
        if text_of(state.collections, path(found)) == written(found):
            return {**known, **found}
    raise LookupError("the file was not written by this task")


def path(values: Values) -> str:
    """Return the path of the file that a task is about."""
    return f"work/{values.get('file', 'exercise')}.v"


def pattern(values: Values) -> str:
    """Return the text of the file with its hole."""
    if "text" in values:
        return str(values["text"])
    parts = [values.get("head", ""), values.get("given", "")]
    parts.append(f"Theorem {values['theorem']} : {values['statement']}.\n{HOLE}\n")
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def written(values: Values) -> str:
    """Return the text of the file as it is at the beginning."""
    return pattern(values).replace(HOLE, str(values.get("was", "")))


def opened(values: Values) -> Iterator[Step]:
    """Yield the steps that write the file and open it."""
    yield {"do": "write", "path": path(values), "text": written(values)}
    yield {"do": "open", "path": path(values)}


async def fill(pilot: Pilot, case: Case, new: str) -> None:
    """Put a text into the hole of the file, and save it."""
    before = written(case.values)
    place = pattern(case.values).index(HOLE)
    actions = [*walk(before, place), *press("delete", len(case["was"])), Type(new)]
    await pilot.act(*actions, thought=f"Write {new!r}")
    await save(pilot)


async def save(pilot: Pilot) -> None:
    """Save the file in front."""
    await pilot.press("ctrl+s")


async def choose(pilot: Pilot, *names: str, role: str = "menu-item") -> None:
    """Choose an item of the menus."""
    *menus, item = names
    for menu in menus:
        await pilot.click(f'menu[name="{menu}"]')
    await pilot.click(f'{role}[name="{item}"]')


def kept(evidence: Evidence, case: Case) -> Findings:
    """Judge the lines of the file that were to stay, in their order; others may be added."""
    lines = iter(text_of(evidence.after.collections, path(case.values)).splitlines())
    for line in pattern(case.values).splitlines():
        if line.strip() and HOLE not in line and not any(line.strip() == one.strip() for one in lines):
            yield Violation("record_integrity", "major", path(case.values), f"{line!r} was to stay")
            return


def untouched(evidence: Evidence, *allowed: str) -> Findings:
    """Judge files and switches that the task does not name; `allowed` are the keys of their rows."""
    for change in evidence.changes:
        if change.collection in ("files", "view") and change.key not in allowed:
            detail = f"{change.key} was changed, which nobody asked for"
            yield Violation("record_integrity", "major", change.key, detail)


def products(values: Values) -> list[str]:
    """Return what compiling leaves beside the file."""
    stem = path(values).removesuffix(".v")
    folder, _, name = stem.rpartition("/")
    return [f"{stem}.{end}" for end in ("vo", "vok", "vos", "glob")] + [f"{folder}/.{name}.aux"]


def proved(evidence: Evidence, key: str) -> Milestone:
    """Judge whether a theorem is proved without axioms."""
    seen = evidence.after.collections.get("proofs", {}).get(key, {}).get("verdict", "not judged")
    return Milestone("proved", seen == "proved", 1.0, "proved without axioms", seen)
