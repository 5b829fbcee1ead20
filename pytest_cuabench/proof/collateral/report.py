"""The figures of generated writes, by application, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pytest_cuabench.proof.collateral.branching import ASKED, OTHER, SAME, STRANGER, Declarations, Extra
from pytest_cuabench.proof.collateral.claims import survivors
from pytest_cuabench.task import library
from pytest_cuabench.task.model import Task

FILE = library.SUITES.parent / "docs" / "collateral.md"
_PLACES = range(2, 8)  # columns of the table that are left out where they are empty


@dataclass(frozen=True, slots=True)
class Tried:
    """The further writes of one task, and the kinds of which the application accepted none."""

    task: Task
    extras: Sequence[Extra]
    refused: set[str]


def written(suite: str, table: str, text: str) -> str:
    """Return a page with the table of a suite in its place."""
    begin, end = f"<!-- figures: scripts/collateral {suite} -->", f"<!-- end of figures: {suite} -->"
    return f"{text.partition(begin)[0]}{begin}\n\n{table}\n\n{end}{text.partition(end)[2]}"


def kinds_table(tried: Iterable[Tried], knowledge: Declarations) -> str:
    """Return the table of applications, and the list of what was declared harmless."""
    by_application = groupby(tried, key=lambda one: one.task.application)
    lines = [_line(name, list(group), knowledge) for name, group in by_application]
    head = (
        "application",
        "kinds",
        "pairs",
        "fields",
        SAME,
        OTHER,
        STRANGER,
        ASKED,
        "violation or not done",
        "harmless",
        "survivors",
    )
    table = [head, ["---", *["---:"] * (len(head) - 1)], *lines, sums := _sum(lines)]
    empty = {place for place in _PLACES if not sums[place]}  # what a suite's writes cannot be
    rows = (_row(cell for place, cell in enumerate(row) if place not in empty) for row in table)
    return "\n".join([*rows, "", *_harmless(knowledge)])


def _line(name: str, tried: list[Tried], knowledge: Declarations) -> list[str | int]:
    extras = [extra for one in tried for extra in one.extras]
    kinds = {extra.kind for extra in extras if extra.where != ASKED}
    fields = {extra.kind.rpartition(", ")[0] or extra.kind for extra in extras if extra.where == ASKED}
    single = {kind for kind in kinds if " + " not in kind}
    left = survivors(extras, knowledge)
    harmless = sum(extra.survives for extra in extras) - len(left)
    places = [sum(extra.where == where for extra in extras) for where in (SAME, OTHER, STRANGER, ASKED)]
    seen = len(extras) - harmless - len(left)
    return [name, len(single), len(kinds) - len(single), len(fields), *places, seen, harmless, len(left)]


def _sum(lines: list[list[str | int]]) -> list[str | int]:
    return ["all", *(sum(int(line[place]) for line in lines) for place in range(1, len(lines[0])))]


def _harmless(knowledge: Declarations) -> Iterator[str]:
    yield _row(("tasks", "kind of write", "declared harmless, because"))
    yield _row(("---", "---", "---"))
    for one in knowledge.HARMLESS:
        yield _row((f"`{one.tasks}`", f"`{one.kind}`", one.reason))


def _row(cells: Iterable[str | int]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
