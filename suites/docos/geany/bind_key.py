"""Give a command that has a key combination another one."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Keys

from ..toolkit.changes import misread, placed
from ..toolkit.gtk import find_in_list, press_button
from ..toolkit.steps import setup_of_a_program as setup

__all__ = ["setup"]

# Commands as the list of keys names them, their option, and one beside it.
_COMMANDS = {
    "Duplicate line or selection": (
        "Duplicate Line or Selection",
        "edit_duplicateline",
        "Delete Current Line(s)",
    ),
    "Delete current line(s)": ("Delete Current Line(s)", "edit_deleteline", "Delete to Line End"),
    "Transpose current line": ("Transpose Current Line", "edit_transposeline", "Scroll to Current Line"),
}
_KEYS = {
    "ctrl+alt+b": "<Primary><Alt>b",
    "ctrl+shift+y": "<Primary><Shift>y",
    "ctrl+alt+k": "<Primary><Alt>k",
}


def case(state: State, random: Random) -> Values:
    command, keys = random.choice(list(_COMMANDS)), random.choice(list(_KEYS))
    name, option, other = _COMMANDS[command]
    return {"command": command, "name": name, "option": option, "other": other, "keys": keys}


def check(evidence: Evidence, case: Case) -> Findings:
    """The command has the combination, and every other command the one that it had."""
    place = f"settings/keybindings.conf/Bindings:{case['option']}"
    yield from placed(evidence, {"key": (place, _KEYS[case["keys"]], Keys())})


async def solve(pilot: Pilot, case: Case) -> None:
    """Look for the command in the list, and press the combination when asked."""
    await pilot.press("ctrl+alt+p")
    await pilot.click('dialog >> page-tab[name="Keybindings"]')
    await pilot.click('table-cell[name="Save as"]')
    await find_in_list(pilot, case["name"])
    await press_button(pilot, "Change", "Preferences")
    await pilot.press(case["keys"])
    await press_button(pilot, "OK", "Grab Key")
    await press_button(pilot, "OK", "Preferences")


@wrong("milestone:key")
async def bound_the_neighbour(pilot: Pilot, case: Case) -> None:
    """The combination is right, the command is the one beside it."""
    await solve(pilot, misread(case, name=case["other"]))


@wrong("milestone:key")
async def pressed_other_keys(pilot: Pilot, case: Case) -> None:
    """The command is right, the combination is another one."""
    await solve(pilot, misread(case, keys="ctrl+alt+g"))
