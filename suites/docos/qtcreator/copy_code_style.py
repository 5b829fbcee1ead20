"""Copy the code style of Qt, which cannot be changed itself, and change the copy."""

from __future__ import annotations

from pathlib import PurePosixPath
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import Wanted, made, misread, placed
from ..toolkit.kinds import CHOICE, NUMBER, TEXT
from .sources import setup

__all__ = ["setup"]

_WINDOW = 'dialog[name="Preferences"]'
_NAME = "/data#2/value"
_KEPT = {
    "AlignAssignments": "false",
    "AutoSpacesForTabs": "false",
    "BindStarToIdentifier": "true",
    "BindStarToLeftSpecifier": "false",
    "BindStarToRightSpecifier": "false",
    "BindStarToTypeName": "false",
    "ExtraPaddingForConditionsIfConfusingAlign": "true",
    "IndentAccessSpecifiers": "false",
    "IndentBlockBody": "true",
    "IndentBlocksRelativeToSwitchLabels": "false",
    "IndentClassBraces": "false",
    "IndentControlFlowRelativeToSwitchLabels": "true",
    "IndentDeclarationsRelativeToAccessSpecifiers": "true",
    "IndentEnumBraces": "false",
    "IndentFunctionBody": "true",
    "IndentFunctionBraces": "false",
    "IndentNamespaceBraces": "false",
    "IndentStatementsRelativeToSwitchLabels": "true",
    "IndentSwitchLabels": "false",
    "PaddingMode": "2",
    "ShortGetterName": "true",
    "SpacesForTabs": "true",
    "TabSize": "4",
}


def case(state: State, random: Random) -> Values:
    return {"name": random.choice(["Fennel", "Larch", "Quarry"]), "width": random.choice(["2", "3", "6"])}


def check(evidence: Evidence, case: Case) -> Findings:
    """The copy has its name and its values, is in use, and is like the original otherwise."""
    style = made(evidence, "files_of_settings/qt2.xml", _NAME, **{"is": case["name"]})
    used = "settings/QtCreator.ini/CppCodeStyleSettings:CurrentPreferences"
    wanted: dict[str, Wanted] = {
        "copied": (f"{style}:{_NAME}", case["name"], TEXT),
        "in_use": (used, f"@ByteArray({PurePosixPath(style).stem})", CHOICE),
        "width": (f"{style}:{_setting('IndentSize')}", case["width"], NUMBER),
        "namespaces": (f"{style}:{_setting('IndentNamespaceBody')}", "true", CHOICE),
        "braces": (f"{style}:{_setting('IndentBlockBraces')}", "true", CHOICE),
    }
    along = {f"{style}:{_setting(key)}": value for key, value in _KEPT.items()}
    row = evidence.after.collections["files_of_settings"].get(style.partition("/")[2], {})
    forms = (key for key in row if key.endswith(("@key", "@type", "/variable")))
    form = {f"{style}:{key}": "it is the form of the file" for key in forms}
    yield from placed(evidence, wanted, form, along)


def _setting(key: str) -> str:
    return f"/data/valuemap/value[{key}]"


async def solve(pilot: Pilot, case: Case) -> None:
    """Copy the style, change it on three tabs, and save it."""
    await pilot.click('menu-item[name="Edit"]:nth(0)')
    await pilot.click('menu-item[name^="Preferences"]:nth(0)')
    await pilot.click(f'{_WINDOW} >> list-item[name="C++"]:nth(0)')
    await pilot.click(f'{_WINDOW} >> page-tab[name="Code Style"]')
    await pilot.click(f'{_WINDOW} >> push-button[name="Copy..."]')
    await pilot.fill('dialog[name="Copy Code Style"] >> text', case["name"])
    await pilot.press("enter")
    await pilot.click(f'{_WINDOW} >> spin-button[name="Indent size:"]')
    await pilot.press("ctrl+a")
    await pilot.type(case["width"])
    await pilot.click(f'{_WINDOW} >> page-tab[name="Content"]')
    await pilot.click(f'{_WINDOW} >> check-box[name^="Declarations within"]')
    await pilot.click(f'{_WINDOW} >> page-tab[name="Braces"]')
    await pilot.click(f'{_WINDOW} >> check-box[name="{case.values.get("braces", "Blocks")}"]')
    if tab := case.values.get("tab"):
        await pilot.click(f'{_WINDOW} >> page-tab[name="{tab}"]')
        await pilot.click(f'{_WINDOW} >> check-box[name="Align after assignments"]')
    await pilot.click(f'{_WINDOW} >> push-button[name="{case.values.get("button", "OK")}"]')


@wrong("milestone:braces")
async def indented_other_braces(pilot: Pilot, case: Case) -> None:
    """The braces of functions are indented, not those of blocks."""
    await solve(pilot, misread(case, braces="Function declarations"))


@wrong("milestone:in_use")
async def cancelled(pilot: Pilot, case: Case) -> None:
    """The window is closed without saving, which leaves a plain copy."""
    await solve(pilot, misread(case, button="Cancel"))


@wrong("record_integrity/major")
async def aligned_assignments(pilot: Pilot, case: Case) -> None:
    """Something else of the style is changed along."""
    await solve(pilot, misread(case, tab="Alignment"))
