"""Rename a page, with everything that refers to it."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit.changes import actual, milestone, misread, nothing_else, value_at
from ..toolkit.gtk import press_button
from ..toolkit.kinds import TEXT
from ..toolkit.steps import Steps
from .notebook import LINKED, below_heading, notebook, open_page, page, text_of

_NAMES = ("Thyme", "Sorrel", "Lovage", "Tansy", "Borage")


def setup(random: Random) -> Steps:
    """Two pages, of which others speak with and without a link."""
    first, second, third = random.sample(_NAMES, 3)
    pages = {
        "Home": f"See [[{first}]] and [[{second}]].\n",
        first: "Sown in March.\n",
        second: f"Grows beside [[{first}]].\n",
        third: f"Not to be taken for {first}.\n",
    }
    yield from notebook(pages)


def case(state: State, random: Random) -> Values:
    old = next(name for name in _NAMES if f"[[{name}]] and" in text_of(state, "Home"))
    neighbour = next(name for name in _NAMES if f"beside [[{old}]]" in text_of(state, name))
    new = f"{random.choice(['Wild', 'Lemon', 'Garden'])} {old}"
    return {"old": old, "new": new, "neighbour": neighbour, "links": True, "heading": True}


def check(evidence: Evidence, case: Case) -> Findings:
    """The page has its name and heading, and the links lead to it."""
    old, new = case["old"], case["new"]
    files = evidence.after.collections["files"]
    moved = actual(evidence, page(new))
    whole = value_at(evidence.before, f"{page(old)}:text")
    seen = str(value_at(evidence.after, f"{moved}:text") or "")
    gone = page(old).partition("/")[2] not in files
    kept = TEXT.matches(below_heading(seen), below_heading(whole))
    yield Milestone("page", gone and kept, 0.4, f"{new} instead of {old}", ", ".join(sorted(files)))
    linked = [page(name) for name in ("Home", case["neighbour"])]
    for name, row in zip(("link_home", "link_neighbour"), linked, strict=True):
        wanted = value_at(evidence.before, f"{row}:text").replace(f"[[{old}]]", f"[[{new}]]")
        yield milestone(evidence, name, f"{row}:text", wanted, LINKED, 0.2)
    headed = whole.replace(f"====== {old} ======", f"====== {new} ======")
    yield milestone(evidence, "heading", f"{moved}:text", headed, TEXT, 0.2)
    judged = {f"{row}:text" for row in (*linked, moved)}
    gone_with_it = {f"{page(old)}:{name}" for name in ("text", "size", "sha256")}
    yield from nothing_else(evidence, judged | gone_with_it)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the page, and rename it."""
    dialog = "Rename or Move Page"
    await open_page(pilot, case["old"])
    await pilot.press("f2")
    await pilot.fill(f'dialog[name="{dialog}"] >> text:nth(1)', case["new"])
    if not case["links"]:
        await pilot.click(f'dialog[name="{dialog}"] >> check-box[name*="linking"]')
    if not case["heading"]:
        await pilot.click(f'dialog[name="{dialog}"] >> check-box[name*="heading"]')
    await press_button(pilot, "OK", dialog)


@wrong("milestone:link_home")
async def left_the_links(pilot: Pilot, case: Case) -> None:
    """The links keep the old name."""
    await solve(pilot, misread(case, links=False))


@wrong("milestone:heading")
async def left_the_heading(pilot: Pilot, case: Case) -> None:
    """The page says the old name."""
    await solve(pilot, misread(case, heading=False))
