"""Add a program to Zim's menu that is given the file of the page in front."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Command

from ..toolkit.changes import Wanted, misread, placed
from ..toolkit.gtk import choose, press_button
from ..toolkit.kinds import CHOICE, TEXT
from .notebook import setup

__all__ = ["setup"]

_AS_MADE = {  # by the dialog, where nothing else is filled in
    "Exec": "",
    "GenericName": "",
    "Icon": "",
    "MimeType": "",
    "NoDisplay": "false",
    "Terminal": "false",
    "TryExec": "",
    "Type": "X-Zim-CustomTool",
    "Version": "1.0",
    "X-Zim-ShowInContextMenu": "Page",
    "X-Zim-ShowInToolBar": "false",
}


def case(state: State, random: Random) -> Values:
    name, program = random.choice(
        [("Count", "wc -w"), ("Spell", "aspell list"), ("Fingerprint", "sha256sum")]
    )
    return {
        "name": name,
        "program": program,
        "command": f"{program} %s",
        "safe": True,
        "about": f"Runs {program}",
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """The program is in the menu, with the real file as its argument, and changes nothing."""
    row = f"settings/{_saved_as(evidence, case['name'])}"
    wanted: dict[str, Wanted] = {
        "name": (f"{row}:Name", case["name"], TEXT),
        "about": (f"{row}:Comment", case["about"], TEXT),
        "command": (f"{row}:X-Zim-ExecTool", case["command"], Command()),
        "safe": (f"{row}:X-Zim-ReadOnly", "true", CHOICE),
        "menu": (f"{row}:X-Zim-ReplaceSelection", "false", CHOICE),
    }
    yield from placed(evidence, wanted, along={f"{row}:{name}": value for name, value in _AS_MADE.items()})


def _saved_as(evidence: Evidence, name: str) -> str:
    """Return the row of the new tool of that name, whose file has the name that it was first saved under."""
    before = evidence.before.collections["settings"]
    rows = evidence.after.collections["settings"]
    made = [key for key in rows if key not in before and key.endswith("-usercreated.desktop/Desktop Entry")]
    named = [key for key in made if TEXT.matches(rows[key].get("Name"), name)]
    return (named or made or [f"{name.lower()}-usercreated.desktop/Desktop Entry"])[0]


async def solve(pilot: Pilot, case: Case) -> None:
    """Fill in the dialog for a new tool."""
    edit = "Edit Custom Tool"
    await choose(pilot, "Tools", "Custom Tools")
    await pilot.click('dialog[name="Custom Tools"] >> push-button:nth(0)')
    for place, text in enumerate((case["command"], case["about"], case["name"])):
        await pilot.fill(f'dialog[name="{edit}"] >> text:nth({place})', text)
    if case["safe"]:
        await pilot.click(f'dialog[name="{edit}"] >> check-box[name^="Command does not"]')
    await press_button(pilot, "OK", edit)
    await press_button(pilot, "Close", "Custom Tools")


@wrong("milestone:command")
async def gave_it_a_copy(pilot: Pilot, case: Case) -> None:
    """The program is given a temporary file."""
    await solve(pilot, misread(case, command=f"{case['program']} %f"))


@wrong("milestone:safe")
async def let_it_change_data(pilot: Pilot, case: Case) -> None:
    """Nothing says that the program changes nothing."""
    await solve(pilot, misread(case, safe=False))
