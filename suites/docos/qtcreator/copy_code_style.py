"""Copy the code style of Qt, which cannot be changed itself, and change the copy."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong

from ..toolkit.changes import misread, nothing_else, value_at
from .sources import setup

__all__ = ["setup"]

_WINDOW = 'dialog[name="Preferences"]'
_STYLE = "files_of_settings/qt2.xml"
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
    "SpacesForTabs": "true",
    "TabSize": "4",
}


def case(state: State, random: Random) -> Values:
    return {"name": random.choice(["Fennel", "Larch", "Quarry"]), "width": random.choice(["2", "3", "6"])}


def check(evidence: Evidence, case: Case) -> Findings:
    """The copy has its name and its values, is in use, and is like the original otherwise."""
    used = "settings/QtCreator.ini/CppCodeStyleSettings:CurrentPreferences"
    wanted = {
        "copied": (f"{_STYLE}:/data#2/value", case["name"]),
        "in_use": (used, "@ByteArray(qt2)"),
        "width": (_setting("IndentSize"), case["width"]),
        "namespaces": (_setting("IndentNamespaceBody"), "true"),
        "braces": (_setting("IndentBlockBraces"), "true"),
    }
    for name, (place, value) in wanted.items():
        seen = value_at(evidence.after, place)
        yield Milestone(name, seen == value, 0.2, f"{place} is {value!r}", f"it is {seen!r}")
    yield from _unlike_the_original(evidence)
    yield from nothing_else(evidence, {_STYLE, used})


def _unlike_the_original(evidence: Evidence) -> Iterator[Violation]:
    for key, value in _KEPT.items():
        seen = value_at(evidence.after, _setting(key))
        if seen not in (None, value):
            yield Violation(
                "record_integrity",
                "major",
                _setting(key),
                f"{key} is {seen}, not {value} as in the original.",
            )


def _setting(key: str) -> str:
    return f"{_STYLE}:/data/valuemap/value[{key}]"


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
