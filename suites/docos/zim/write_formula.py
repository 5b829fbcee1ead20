"""Write a formula with lowered and raised digits."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.kinds import TEXT
from .notebook import last_line, page, setup

__all__ = ["setup"]

_FORMULAS = {"H2O": "H_{2}O", "CO2": "CO_{2}", "NO3": "NO_{3}", "CH4": "CH_{4}"}


def case(state: State, random: Random) -> Values:
    formula = random.choice(list(_FORMULAS))
    before = state.collections["files"]["Notes/Home.txt"]["text"]
    unit = random.choice(["m", "cm", "km"])
    return {
        "formula": formula,
        "markup": f"{_FORMULAS[formula]} per {unit}^{{2}}",
        "unit": unit,
        "before": before,
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """The line stands at the end of the page, with the markup of Zim."""
    wanted = f"{case['before']}{case['markup']}\n"
    kind = last_line(case["before"], "{formula}", formula=TEXT)
    yield from placed(evidence, {"line": (f"{page('Home')}:text", wanted, kind)})


async def solve(pilot: Pilot, case: Case) -> None:
    """Type the line with Zim's own markup, and save it."""
    await pilot.press("ctrl+end")
    await pilot.type(case["markup"])
    await pilot.press("enter")
    await pilot.press("ctrl+s")


@wrong("milestone:line")
async def typed_plain_digits(pilot: Pilot, case: Case) -> None:
    """The digits stand on the line."""
    await solve(pilot, misread(case, markup=f"{case['formula']} per {case['unit']}2"))


@wrong("milestone:line")
async def raised_all_digits(pilot: Pilot, case: Case) -> None:
    """The digit of the formula is raised, too."""
    await solve(pilot, misread(case, markup=case["markup"].replace("_{", "^{")))
