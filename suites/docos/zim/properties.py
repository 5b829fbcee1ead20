"""Properties of a notebook, which its own file keeps."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong
from pytest_cuabench.agents.builtin.solution_steps import do

from ..toolkit import dialogs
from ..toolkit.changes import misread, nothing_else, parts, value_at
from ..toolkit.gtk import choose, press_button
from .notebook import PROPERTIES, pages_of, read_properties, setup, write_properties

__all__ = ["setup"]

_FILE = "Notes/notebook.zim"


def case(state: State, random: Random, values: Values) -> Values:
    page, other = random.sample(pages_of(state), 2)
    choices = {**values.get("choices", {}), "page": [page], "other": [other]}
    return dialogs.case(state, random, {**values, "choices": choices})


def check(evidence: Evidence, case: Case) -> Findings:
    """The properties have their values, and the others are as they were."""
    place = f"files/{_FILE}:text"
    seen = value_at(evidence.after, place)
    wanted = {one["option"]: one["to"] for one in case["settings"]}
    whole = write_properties({**read_properties(value_at(evidence.before, place)), **wanted})
    PROPERTIES.same(seen, whole, parts(place))
    unlike = PROPERTIES.unlike(seen, whole)
    for number, (name, value) in enumerate(wanted.items(), 1):
        milestone = "last" if number == len(wanted) else f"setting_{number}"
        shown = str(read_properties(seen).get(name))
        yield Milestone(milestone, name not in unlike, 1 / len(wanted), value, shown)
    for name in (one for one in unlike if one not in wanted):
        yield Violation(
            "record_integrity", "major", f"files/{_FILE}:{name}", f"The property {name} was changed."
        )
    yield from nothing_else(evidence, [place])


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
