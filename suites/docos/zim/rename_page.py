"""Rename a page, with everything that refers to it."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit.changes import misread, nothing_else
from ..toolkit.gtk import press_button
from ..toolkit.steps import Steps
from .notebook import notebook, open_page, page, text_of

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
    old, new, neighbour = case["old"], case["new"], case["neighbour"]
    files = evidence.after.collections["files"]
    moved = page(old).partition("/")[2] not in files and text_of(evidence.after, new) == "Sown in March.\n"
    yield Milestone("page", moved, 0.4, f"{new} instead of {old}", ", ".join(sorted(files)))
    for name in ("Home", neighbour):
        wanted = text_of(evidence.before, name).replace(f"[[{old}]]", f"[[{new}]]")
        seen = text_of(evidence.after, name)
        yield Milestone(
            f"link_{'home' if name == 'Home' else 'neighbour'}", seen == wanted, 0.2, wanted, seen
        )
    head = str(files.get(page(new).partition("/")[2], {}).get("text", ""))
    yield Milestone("heading", f"====== {new} ======" in head, 0.2, new, head[-200:])
    yield from nothing_else(evidence, [page(name) for name in (old, new, "Home", neighbour)])


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
