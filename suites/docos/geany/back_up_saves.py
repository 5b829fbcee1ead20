"""Have copies kept of what is saved: a plugin that is off, and its preferences."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Path

from ..toolkit.changes import Wanted, misread, placed
from ..toolkit.gtk import choose, press_button
from ..toolkit.kinds import CHOICE, NUMBER
from ..toolkit.steps import Steps, file
from .editor import ENTRIES

_ROW = "settings/saveactions.conf"
_PLUGIN = "/usr/lib/x86_64-linux-gnu/geany/saveactions.so;"


def case(state: State, random: Random) -> Values:
    return {
        "levels": str(random.randint(2, 9)),
        "folder": f"/home/user/{random.choice(_FOLDERS)}",
        "page": "Backup Copy",
    }


_FOLDERS = ("copies", "older", "kept")


def setup(random: Random) -> Steps:
    """Folders for copies, and a text."""
    yield from ({"do": "folder", "path": name} for name in _FOLDERS)
    yield from file("work/notes.txt", f"Page {random.randint(10, 99)}\n")


def check(evidence: Evidence, case: Case) -> Findings:
    """The plugin is on, and its copies go to the folder."""
    wanted: dict[str, Wanted] = {
        "plugin": ("settings/geany.conf/plugins:active_plugins", _PLUGIN, ENTRIES),
        "copies": (f"{_ROW}/saveactions:enable_backupcopy", "true", CHOICE),
        "folder": (f"{_ROW}/backupcopy:backup_dir", case["folder"], Path()),
        "levels": (f"{_ROW}/backupcopy:dir_levels", case["levels"], NUMBER),
    }
    yield from placed(evidence, wanted)


async def solve(pilot: Pilot, case: Case) -> None:
    """Switch the plugin on, and fill in its preferences."""
    await choose(pilot, "Tools", "Plugin Manager")
    await pilot.click('table-cell[name^="Save Actions"]')
    await pilot.press("left")
    await pilot.press("space")
    await press_button(pilot, "Preferences", "Plugins")
    await pilot.click(f'page-tab[name="{case["page"]}"]')
    await pilot.click(f'{_TABS} >> check-box[name="Enable"]')
    if case["page"] == "Backup Copy":
        await pilot.fill(f"{_TABS} >> text:nth(0)", case["folder"])
        await pilot.fill(f"{_TABS} >> spin-button", case["levels"])
    await press_button(pilot, "OK", "Configure Plugins")
    await press_button(pilot, "Close", "Plugins")


_TABS = 'dialog[name="Configure Plugins"]'


@wrong("milestone:copies")
async def saved_at_intervals(pilot: Pilot, case: Case) -> None:
    """The plugin is on, but it saves at intervals."""
    await solve(pilot, misread(case, page="Auto Save"))


@wrong("milestone:levels")
async def took_another_number(pilot: Pilot, case: Case) -> None:
    """The number of folders is another one."""
    await solve(pilot, misread(case, levels="1"))
