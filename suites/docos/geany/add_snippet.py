"""Define an abbreviation for Python files that the editor completes."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.steps import setup_of_a_program as setup
from .editor import SNIPPET, add_to_settings

__all__ = ["setup"]

_BODIES = {
    "log": "logger.info(%cursor%)",
    "todo": "raise NotImplementedError(%cursor%)",
    "sh": "subprocess.run(%cursor%)",
}


def case(state: State, random: Random) -> Values:
    word = random.choice(list(_BODIES))
    return {"word": word, "text": _BODIES[word], "call": _BODIES[word].partition("(")[0], "section": "Python"}


def check(evidence: Evidence, case: Case) -> Findings:
    """The abbreviation is defined for Python, with the cursor between the brackets."""
    place = f"settings/snippets.conf/Python:{case['word']}"
    yield from placed(evidence, {"snippet": (place, case["text"], SNIPPET)})


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the snippets from the menus, and add a section."""
    line = f"{case['word']}={case['text']}"
    await add_to_settings(pilot, "snippets.conf", f"[{case['section']}]", line)


@wrong("milestone:snippet")
async def defined_for_all_files(pilot: Pilot, case: Case) -> None:
    """The abbreviation is defined for every kind of file."""
    await solve(pilot, misread(case, section="Default"))


@wrong("milestone:snippet")
async def left_the_cursor_behind(pilot: Pilot, case: Case) -> None:
    """Nothing says where the cursor goes."""
    await solve(pilot, misread(case, text=case["text"].replace("%cursor%", "")))
