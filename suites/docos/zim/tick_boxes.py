"""Mark the boxes of a list in three ways: done, given up, and put off."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.kinds import TEXT
from ..toolkit.steps import Steps
from .notebook import notebook, page

_ITEMS = ("buy soil", "mend the fence", "call Ann", "cut the hedge", "sow peas", "oil the gate")


def setup(random: Random) -> Steps:
    """A list of open boxes."""
    items = random.sample(_ITEMS, 5)
    yield from notebook({"Home": "".join(f"[ ] {item}\n" for item in items)})


def case(state: State, random: Random) -> Values:
    text = state.collections["files"]["Notes/Home.txt"]["text"]
    items = [line.removeprefix("[ ] ") for line in text.splitlines() if line.startswith("[ ]")]
    done, dropped, later = random.sample(items, 3)
    return {"done": done, "dropped": dropped, "later": later, "items": items, "text": text, "signs": _SIGNS}


_SIGNS = {"done": "V", "dropped": "X", "later": ">"}  # as the menu names them
_MARKUP = {"V": "*", "X": "x", ">": ">"}


def check(evidence: Evidence, case: Case) -> Findings:
    """Three boxes have their signs, the others are open."""
    text = case["text"]
    for kind, sign in _SIGNS.items():
        text = text.replace(f"[ ] {case[kind]}\n", f"[{_MARKUP[sign]}] {case[kind]}\n")
    yield from placed(evidence, {"boxes": (f"{page('Home')}:text", text, TEXT)})


async def solve(pilot: Pilot, case: Case) -> None:
    """Go to each line with the arrow keys, choose its sign from the context menu, and save."""
    for kind, sign in case["signs"].items():
        await pilot.press("ctrl+home")
        await pilot.press("down", 1 + case["items"].index(case[kind]))
        await pilot.press("shift+f10")
        await pilot.click(f"menu-item[name=\"Check Checkbox '{sign}'\"]")
    await pilot.press("ctrl+s")


@wrong("milestone:boxes")
async def ticked_all_of_them(pilot: Pilot, case: Case) -> None:
    """All three are marked as done."""
    await solve(pilot, misread(case, signs=dict.fromkeys(_SIGNS, "V")))


@wrong("milestone:boxes")
async def mixed_two_up(pilot: Pilot, case: Case) -> None:
    """What is given up is put off, and the other way round."""
    await solve(pilot, misread(case, dropped=case["later"], later=case["dropped"]))
