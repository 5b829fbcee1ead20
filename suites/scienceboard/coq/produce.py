"""Web pages that CoqIDE makes, with coqdoc, of the file that is open."""

from __future__ import annotations

import html
import re
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit import workbook
from ..toolkit.workbook import Step


def setup(random: Random, values: Values) -> list[Step]:
    """The file that something is to be made of."""
    return list(workbook.opened(workbook.filled(dict(values), workbook.chosen(random))))


def case(state: State, random: Random, values: Values) -> Values:
    return workbook.again(state, values)


def check(evidence: Evidence, case: Case) -> Findings:
    """The page is there with the text of the file, and nothing else was changed."""
    files = evidence.after.collections.get("files", {})
    made = f"work/{case['makes']}"
    text = files.get(made, {}).get("text") or ""
    seen = _seen(text, workbook.written(case.values))
    yield Milestone("made", not seen, 1.0, f"{made} is a page with the file's text", seen or "it is")
    yield from workbook.untouched(
        evidence, made, *workbook.products(case.values), *map("work/{}".format, case["along"])
    )


def _seen(page: str, source: str) -> str:
    """Return what a page is instead of one of coqdoc with the text of a file; nothing if it is one."""
    if not page:
        return "it is missing, or no text"
    if not re.search(r"<html\b.*<body\b.*\bcoqdoc\b", page, re.DOTALL | re.IGNORECASE):
        return f"it is no web page: {page!r:.60}"
    told = html.unescape(re.sub(r"<[^>]*>", "", page))
    source = re.sub(r"\bProof\..*?\bQed\.", "", source, flags=re.DOTALL)  # CoqIDE has coqdoc leave proofs out
    return "" if "".join(source.split()) in "".join(told.split()) else "the file's text is not on the page"


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose the item of the menus."""
    await workbook.choose(pilot, *case["menu"])


@wrong("milestone:made")
async def made_something_else(pilot: Pilot, case: Case) -> None:
    """Another item of the menus was chosen."""
    await workbook.choose(pilot, *case["slip"])


@wrong("record_integrity/major")
async def changed_the_file(pilot: Pilot, case: Case) -> None:
    """It was made of a file that is not what it was."""
    await pilot.type("(* made *) ")
    await workbook.save(pilot)
    await solve(pilot, case)
