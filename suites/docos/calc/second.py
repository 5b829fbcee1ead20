"""Second solutions of Calc, written without a look at the checks: by the field of names, letters, and arrow keys."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot

from ..toolkit.office import choose, finish, turn


async def _select(pilot: Pilot, cells: str) -> None:
    """Select cells by the field of names, which may name a sheet as well."""
    await pilot.press("ctrl+shift+t")
    await pilot.type(f"{cells}\n")


async def validity_list(pilot: Pilot, case: Case) -> None:
    """Type the entries line by line, and forbid empty cells afterwards."""
    await _select(pilot, "Stock.A2:A4")
    await choose(pilot, "Data", "Validity")
    await pilot.press("alt+a")
    await turn(pilot, 6)
    await pilot.click("dialog >> text:multi-line")
    await pilot.type(f"{case['first']}\n{case['second']}\n{case['third']}")
    await pilot.click('dialog >> check-box[name="Allow empty cells"]')
    await finish(pilot)
