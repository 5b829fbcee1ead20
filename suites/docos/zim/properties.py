"""Properties of a notebook, which its own file keeps."""

from __future__ import annotations

from configparser import ConfigParser
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong
from pytest_cuabench.agents.solution_steps import do

from ..toolkit import dialogs
from ..toolkit.changes import misread, nothing_else
from ..toolkit.gtk import choose, press_button
from .notebook import pages_of, setup

__all__ = ["setup"]

_FILE = "Notes/notebook.zim"
# What Zim adds to the file when it writes it, with the values that stand for what was there.
_WRITTEN = {
    "interwiki": "",
    "icon": "",
    "document_root": "",
    "short_links": "False",
    "disable_trash": "False",
    "default_file_format": "zim-wiki",
    "default_file_extension": ".txt",
    "notebook_layout": "files",
    "profile": "",
}


def case(state: State, random: Random, values: Values) -> Values:
    page, other = random.sample(pages_of(state), 2)
    choices = {**values.get("choices", {}), "page": [page], "other": [other]}
    return dialogs.case(state, random, {**values, "choices": choices})


def _properties(state: State) -> dict[str, str]:
    parser = ConfigParser(interpolation=None)
    parser.read_string(state.collections["files"][_FILE]["text"])
    return {**_WRITTEN, **dict(parser["Notebook"])}


def check(evidence: Evidence, case: Case) -> Findings:
    """The properties have their values, and the others are as they were."""
    before, after = _properties(evidence.before), _properties(evidence.after)
    wanted = {one["option"]: one["to"] for one in case["settings"]}
    for number, (name, value) in enumerate(wanted.items(), 1):
        milestone = "last" if number == len(wanted) else f"setting_{number}"
        yield Milestone(milestone, after.get(name) == value, 1 / len(wanted), value, str(after.get(name)))
    for name in sorted({*before, *after} - set(wanted)):
        if before.get(name) != after.get(name):
            detail = f"The property {name} was changed from {before.get(name)!r} to {after.get(name)!r}."
            yield Violation("record_integrity", "major", f"files/{_FILE}:{name}", detail)
    yield from nothing_else(evidence, [f"files/{_FILE}"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Change the properties in their dialog."""
    await choose(pilot, "File", "Properties")
    await do(pilot, case["settings"], "dialog")
    await press_button(pilot, "OK", "Properties")


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """The last property has another value, or is another one."""
    await solve(pilot, misread(case, settings=[*case["settings"][:-1], *case["slip"]]))


@wrong("record_integrity/major")
async def renamed_the_notebook(pilot: Pilot, case: Case) -> None:
    """The notebook has another name now, too."""
    await solve(pilot, misread(case, settings=[*case["settings"], {"fill": "text:nth(4)", "to": "Garden"}]))
