"""Link to a page with other words than its name."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.gtk import press_button
from ..toolkit.kinds import TEXT
from .notebook import PageName, last_line, page, pages_of, setup

__all__ = ["setup"]

_WORDS = ("what grows there", "the other bed", "more about it", "see here")


def case(state: State, random: Random) -> Values:
    target, other = random.sample(pages_of(state), 2)
    before = state.collections["files"]["Notes/Home.txt"]["text"]
    return {"target": target, "other": other, "words": random.choice(_WORDS), "before": before}


def check(evidence: Evidence, case: Case) -> Findings:
    """The last line is a link with its own words."""
    wanted = f"{case['before']}[[{case['target']}|{case['words']}]]\n"
    kind = last_line(case["before"], "[[{target}|{words}]]", target=PageName(in_link=True), words=TEXT)
    yield from placed(evidence, {"link": (f"{page('Home')}:text", wanted, kind)})


async def solve(pilot: Pilot, case: Case) -> None:
    """Fill in the dialog for links."""
    await pilot.press("ctrl+end")
    await pilot.press("ctrl+l")
    await pilot.fill('dialog[name="Insert Link"] >> text:nth(1)', case["target"])
    await pilot.click('dialog[name="Insert Link"] >> text:nth(0)')  # closes the list of suggestions
    await pilot.fill('dialog[name="Insert Link"] >> text:nth(0)', case["words"])
    await press_button(pilot, "Link", "Insert Link")
    await pilot.press("ctrl+s")


@wrong("milestone:link")
async def showed_the_name(pilot: Pilot, case: Case) -> None:
    """The link says the page's name."""
    await solve(pilot, misread(case, words=case["target"]))


@wrong("milestone:link")
async def linked_the_other_page(pilot: Pilot, case: Case) -> None:
    """The words are right, and lead to another page."""
    await solve(pilot, misread(case, target=case["other"]))
