"""What several tasks with Geany do: its files of settings."""

from __future__ import annotations

from pytest_cuabench import Pilot

from ..toolkit.gtk import choose


async def add_to_settings(pilot: Pilot, file: str, *lines: str) -> None:
    """Open a file of settings from the menus, add lines at its end, and save it."""
    await choose(pilot, "Tools", "Configuration Files", file)
    await pilot.press("ctrl+end")
    for line in lines:
        await pilot.type(line)
        await pilot.press("enter")
    await pilot.press("ctrl+s")
