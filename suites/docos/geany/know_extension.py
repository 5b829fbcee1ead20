"""Have files with an unknown ending treated as Python, without losing the endings that are known already."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.steps import setup_of_a_program as setup
from .editor import ENTRIES, add_to_settings

__all__ = ["setup"]

_KNOWN = "*.py;*.pyw;SConstruct;SConscript;wscript;"


def case(state: State, random: Random) -> Values:
    ending = random.choice(["bzl", "star", "recipe", "rules"])
    return {"ending": ending, "patterns": f"{_KNOWN}*.{ending};", "section": "Extensions"}


def check(evidence: Evidence, case: Case) -> Findings:
    """All endings of Python are listed, the new one among them."""
    place = "settings/filetype_extensions.conf/Extensions:Python"
    yield from placed(evidence, {"endings": (place, case["patterns"], ENTRIES)})


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the list of endings from the menus, and write the line of Python anew."""
    await add_to_settings(
        pilot, "filetype_extensions.conf", f"[{case['section']}]", f"Python={case['patterns']}"
    )


@wrong("milestone:endings")
async def forgot_the_known_endings(pilot: Pilot, case: Case) -> None:
    """Only the new ending is listed, so that the others are not Python any more."""
    await solve(pilot, misread(case, patterns=f"*.{case['ending']};"))


@wrong("milestone:endings")
async def wrote_a_group(pilot: Pilot, case: Case) -> None:
    """The line stands in the section for groups of file types."""
    await solve(pilot, misread(case, section="Groups"))
