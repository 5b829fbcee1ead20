"""Give programs in Python a second command of their own in the Build menu, with a folder to run it in."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Command, Fits

from ..toolkit.changes import Wanted, misread, placed
from ..toolkit.gtk import choose, press_button
from ..toolkit.steps import setup_of_a_program as setup
from .editor import LABEL

__all__ = ["setup"]

_FOLDER = Fits("a placeholder of Geany, which is not a path yet", pattern=r"\s*%d/?\s*", forms=("%d/", " %d"))
_ROW = "settings/filetypes.python/build-menu"


def case(state: State, random: Random) -> Values:
    label, program = random.choice([("Tidy", "black"), ("Sort imports", "isort"), ("Count", "wc -l")])
    return {"label": label, "command": f'{program} "%f"', "program": program, "folder": "%d", "row": 1}


def check(evidence: Evidence, case: Case) -> Findings:
    """The second command of Python has the label, the program and the folder."""
    wanted: dict[str, Wanted] = {
        "label": (f"{_ROW}:FT_01_LB", case["label"], LABEL),
        "command": (f"{_ROW}:FT_01_CM", case["command"], Command()),
        "folder": (f"{_ROW}:FT_01_WD", "%d", _FOLDER),
    }
    yield from placed(evidence, wanted)


async def solve(pilot: Pilot, case: Case) -> None:
    """Fill in the row of the dialog, whose label is a button."""
    row = case["row"]
    await choose(pilot, "Build", "Set Build Commands")
    await pilot.click(_LABELS[row])
    await pilot.type(case["label"])
    await pilot.press("enter")
    await pilot.fill(_COMMANDS[row], case["command"])
    await pilot.fill(_FOLDERS[row], case["folder"])
    await press_button(pilot, "OK", "Set Build Commands")


# Elements of the second row of Python, and of the fourth row of the commands that are for all kinds of files.
_DIALOG = 'dialog[name="Set Build Commands"] >>'
_LABELS = {1: f"{_DIALOG} push-button:nth(17)", 2: f"{_DIALOG} push-button:nth(6)"}
_COMMANDS = {1: f"{_DIALOG} text:nth(17)", 2: f"{_DIALOG} text:nth(6)"}
_FOLDERS = {1: f"{_DIALOG} text:nth(16)", 2: f"{_DIALOG} text:nth(5)"}


@wrong("milestone:label")
async def for_all_files(pilot: Pilot, case: Case) -> None:
    """The command is added for all kinds of files."""
    await solve(pilot, misread(case, row=2))


@wrong("milestone:command")
async def named_the_file_without_its_ending(pilot: Pilot, case: Case) -> None:
    """The command is given the name of the file without its ending."""
    await solve(pilot, misread(case, command=f'{case["program"]} "%e"'))


@wrong("milestone:folder")
async def left_the_folder_out(pilot: Pilot, case: Case) -> None:
    """No folder is given."""
    await solve(pilot, misread(case, folder=""))
