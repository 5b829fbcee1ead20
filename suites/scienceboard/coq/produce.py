"""Web pages that CoqIDE makes, with coqdoc, of the file that is open."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Kind
from pytest_cuabench.task.kinds.base import Spellings

from ..toolkit import workbook
from ..toolkit.workbook import Step


def setup(random: Random, values: Values) -> list[Step]:
    """The file that something is to be made of."""
    return list(workbook.opened(workbook.filled(dict(values), workbook.chosen(random))))


def case(state: State, random: Random, values: Values) -> Values:
    return workbook.again(state, values)


class Page(Kind):
    """A web page of coqdoc with the text of a file: tags, escapes and white space mean nothing."""

    def meaning(self, value: Any) -> str:
        if not re.search(r"<html\b.*<body\b.*\bcoqdoc\b", str(value), re.DOTALL | re.IGNORECASE):
            raise ValueError(f"it is no web page: {value!r:.60}")
        return _squeezed(html.unescape(re.sub(r"<[^>]*>", "", value)))

    def equal(self, one: str, other: str) -> bool:
        return other in one

    def matches(self, seen: Any, wanted: Any) -> bool:
        """Return whether a page has the text of a file, or that of another page."""
        text = self.meaning(wanted) if self.reads(wanted) else _squeezed(_PROOF.sub("", wanted))
        return self.reads(seen) and text in self.meaning(seen)

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "line ends of Windows", value.replace("\n", "\r\n")
        yield "tags in capitals", re.sub(r"<[^>]*>", lambda tag: tag[0].upper(), value)
        yield "needless escapes", re.sub(r"\bforall\b", "&#102;orall", value)
        yield "letters in bold", re.sub(r"\bforall\b", "<b>f</b>orall", value)

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield re.sub("(?i)coqdoc", "", value)
        yield re.sub(r"\bforall\b", "exists", value)
        yield re.sub(r"<[^>]*>", "", value)
        yield re.sub(r"(?is)(<body\b[^>]*>).*(?=coqdoc)", r"\1", value)


_PROOF = re.compile(r"\bProof\..*?\bQed\.", re.DOTALL)  # CoqIDE has coqdoc leave proofs out


def _squeezed(text: str) -> str:
    return "".join(text.split())


def check(evidence: Evidence, case: Case) -> Findings:
    """The page is there with the text of the file, and nothing else was changed."""
    made = f"work/{case['makes']}"
    page = evidence.after.collections.get("files", {}).get(made, {}).get("text")
    right = Page().same(page, workbook.written(case.values), ("files", made, "text"))
    yield Milestone("made", right, 1.0, f"{made} is a page with the file's text", f"{page!r:.60}")
    along = [*workbook.products(case.values), *map("work/{}".format, case["along"])]
    yield from workbook.untouched(evidence, made, open=along)


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
