"""Each task's page is found by its query, and teaches the words that somebody has to type."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from shipped import shipped

from pytest_cuabench.agents.builtin.oracle import Pilot
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Action, Point, Type
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.observation import Box
from pytest_cuabench.task.phases import Reference

if TYPE_CHECKING:
    from docs_web.index import Index

TASKS = shipped("docos").tasks
SHOWN = 8  # results that are on the screen without scrolling
SEEDS = range(4)
# Words and names, what begins with a sign (`%s`, `\frac`), and signs that are more than punctuation.
WORD = re.compile(r"[%\\][a-z]+|\w+|[^\w\s.,:;/()'\"?!-]")


class Noting(Pilot):
    """A pilot that does nothing, and notes what it would have typed."""

    def __init__(self) -> None:
        self.typed: list[str] = []

    async def act(self, *actions: Action, thought: str = "") -> None:
        """See `Pilot.act`."""
        self.typed += [action.text for action in actions if isinstance(action, Type)]

    async def sees(self, target: str) -> bool:
        """See `Pilot.sees`."""
        return False

    async def read(self, target: str) -> str:
        """See `Pilot.read`."""
        return ""

    async def box(self, target: str) -> Box:
        """See `Pilot.box`."""
        return Box(0, 0, 10, 10)

    async def _point(self, target: str) -> Point:
        return Point(0, 0)


@pytest.fixture(scope="module")
def index() -> Index:
    """The index of all sites that are installed, as the world keeps it for its user."""
    sys.path += [
        str(library.ENVIRONMENTS / name)
        for name in ("docs_web", "kit")
        if str(library.ENVIRONMENTS / name) not in sys.path
    ]
    from docs_web.index import Index
    from docs_web.sites import read_sites

    kept = Path.home() / ".cache" / "cuabench" / "docs_web"
    kept.mkdir(parents=True, exist_ok=True)
    return Index(read_sites(library.FIXTURES / "docs_web", kept), kept)


def installed(index: Index) -> Iterator[tuple[Task, Reference, str]]:
    """Yield the tasks whose pages are installed, with the texts of the pages."""
    hosts = {row[0].split("/")[2] for row in index._db.execute("SELECT url FROM pages_at")}
    for task in TASKS:
        assert task.reference is not None
        if task.reference.url.split("/")[2] in hosts:
            yield task, task.reference, page(index, task.reference.url)


def page(index: Index, url: str) -> str:
    """Return the title and the text of a page."""
    found = index._db.execute(
        "SELECT title, text FROM pages_at JOIN parts_at ON parts_at.page = pages_at.id "
        "WHERE url = ? ORDER BY parts_at.id",
        (url,),
    ).fetchall()
    return "\n".join([title for title, _ in found[:1]] + [text for _, text in found])


def test_queries(index: Index) -> None:
    """The expected page of each task is among the first eight results of its reference query."""
    late = {
        task.name: one.query
        for task, one, _ in installed(index)
        if one.url not in [hit.url for hit in index.search(one.query).results[:SHOWN]]
    }
    assert late == {}


def test_pages_teach_what_is_typed(index: Index) -> None:
    """Each word that a solution types is in the goal or on the page, or the task says how else one knows it."""
    untaught = {}
    for task, reference, text in installed(index):
        missing = not_taught(task, text)
        found = {word for word in missing if not any(fnmatchcase(word, one) for one in reference.beyond)}
        unused = {one for one in reference.beyond if not any(fnmatchcase(word, one) for word in missing)}
        untaught |= {task.name: (reference.url, found, unused)} if found | unused else {}
    assert untaught == {}


def not_taught(task: Task, text: str) -> set[str]:
    """Return the words that the solution types and that neither the goal nor the page has."""
    taught = words(text)
    cases = [task.case(state(task, seed), next(iter(task.goals)), seed) for seed in SEEDS]
    return {
        word
        for case, typed in asyncio.run(typed_by(task, cases))
        for word in words(typed) - taught
        if word not in case.goal.lower()
    }


async def typed_by(task: Task, cases: Iterable[Case]) -> list[tuple[Case, str]]:
    """Return what the reference solution types in each case."""
    found = []
    for case in cases:
        pilot = Noting()
        await task.functions.solve(pilot, case)
        found += [(case, text) for text in pilot.typed]
    return found


def words(text: str) -> set[str]:
    """Return the words of a text; numbers, with their units or without, and the signs of absolute cells are none."""
    found = (word.strip("_") for word in WORD.findall(text.lower().replace("$", "")))
    return {word for word in found if word and not word[0].isdigit()}


def state(task: Task, seed: int) -> State:
    """Return as much of a prepared program's state as the cases of the tasks look at."""
    files = {step["path"]: {"text": step["text"]} for step in task.setup(seed) if step.get("do") == "write"}
    decks = {"Alps": "Maps", "Salts": "Default", "Latin": "Languages"}
    slide = {f"talk.fodp/page S{number}/notes": number for number in range(1, 8)}
    rows: dict[str, dict[str, dict[str, Any]]] = {
        "files": files,
        "entries": {f"Root/Entry {number}": {} for number in range(6)},
        "decks": {"Default": {}} | {name: {"preset": preset} for name, preset in decks.items()},
        "images": {"work/a.xcf": {}},
        "layers": {f"work/a.xcf/Layer {number}": {"position": number} for number in range(3)},
        "book": {"transaction/2026-02-16 Kiln insurance": {"Expenses/Insurance.value": "100"}},
        "document": {key: {"page-thumbnail@page-number": number} for key, number in slide.items()},
    }
    return State(rows)
