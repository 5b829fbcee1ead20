"""Second solutions of Impress, written without a look at the checks: by Tab, letters of labels, and arrow keys."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot

from ..toolkit.office import choose, finish, put, turn


async def _select(pilot: Pilot, name: str) -> None:
    """Select an object of the first slide by Tab, past its title."""
    await pilot.press("tab", ["Left", "Middle", "Right"].index(name) + 2)


async def custom_show(pilot: Pilot, case: Case) -> None:
    """Choose the slides first, and name the show at the end."""
    await choose(pilot, "Slide Show", "Custom Slide Show")
    await pilot.press("alt+n")
    for name in (case["slide4"], case["slide2"], case["slide6"]):
        await pilot.click(f'dialog[name="Define Custom Slide Show"] >> table-cell[name="{name}"]')
        await pilot.click('push-button[name=">>"]')
    await put(pilot, "n", case["name"])
    await pilot.press("alt+o")
    await finish(pilot)


async def pin_object(pilot: Pilot, case: Case) -> None:
    """Open the dialog by F4, and enter what is down before what is across."""
    await _select(pilot, "Right")
    await pilot.press("f4")
    await put(pilot, "y", f"{case['down']} cm")
    await put(pilot, "x", f"{case['across']} cm")
    await pilot.press("alt+n")
    await finish(pilot)


async def round_corners(pilot: Pilot, case: Case) -> None:
    """Open the dialog by F4, and enter the radius in millimetres."""
    await _select(pilot, "Right")
    await pilot.press("f4")
    await pilot.click('page-tab[name^="Slant"]')
    await pilot.fill(
        'dialog >> spin-button[description^="Enter the radius"]', f"{float(case['radius']) * 10:g} mm\t"
    )
    await finish(pilot)


async def outline_of_box(pilot: Pilot, case: Case) -> None:
    """Set caps and corners before the width."""
    await _select(pilot, "Right")
    await pilot.press("shift+f10")
    await pilot.click('menu-item[name^="Line..."]')
    await pilot.press("alt+p")
    await turn(pilot, ["flat", "round", "square"].index(case["cap_said"]))
    await pilot.press("shift+tab")
    await turn(pilot, 3)
    await put(pilot, "w", f"{case['width']} cm")
    await finish(pilot)


async def alternative_text(pilot: Pilot, case: Case) -> None:
    """Enter the long text first."""
    await _select(pilot, "Middle")
    await choose(pilot, "Format", "Description")
    await pilot.press("tab")
    await pilot.type(case["long"])
    await pilot.press("alt+t")
    await pilot.type(case["short"])
    await finish(pilot)


async def object_name(pilot: Pilot, case: Case) -> None:
    """Select the object by Tab."""
    await _select(pilot, "Right")
    await choose(pilot, "Format", "Name")
    await put(pilot, "n", case["name"])
    await finish(pilot)
