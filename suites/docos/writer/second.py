"""Second solutions of Writer, written without a look at the checks: by Tab and arrow keys."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot

from ..toolkit.office import choose, finish, turn_beside


async def line_numbers(pilot: Pilot, case: Case) -> None:
    """Leave out empty lines first, and choose the side by arrow keys."""
    await choose(pilot, "Tools", "Line Numbering")
    await pilot.click('dialog >> check-box[name="Show numbering"]')
    await pilot.click('dialog >> check-box[name="Blank lines"]')
    await pilot.press("space", 2)
    await turn_beside(pilot, "Position", 1)
    await pilot.press("tab", 2)
    await pilot.press("ctrl+a")
    await pilot.type(f"{case['interval']}\t")
    await finish(pilot)
