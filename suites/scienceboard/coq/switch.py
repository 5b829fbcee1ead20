"""What CoqIDE displays, switched in its View menu."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.case import misread
from pytest_cuabench.task.kinds import Choice

from ..toolkit import workbook
from ..toolkit.workbook import Step

# Items of the menu, and what is to be so afterwards.
_SWITCHES = {
    "Display implicit arguments": "implicit arguments are displayed",
    "Display coercions": "coercions are displayed",
    "Display parentheses": "parentheses are displayed",
    "Display notations": "notations are not displayed",
    "Display nested matching expressions": "nested matching expressions are not displayed",
    "Display universe levels": "universe levels are displayed",
}


def setup(random: Random, values: Values) -> list[Step]:
    """A file to look at."""
    return list(workbook.opened(workbook.filled(dict(values), workbook.chosen(random))))


def case(state: State, random: Random, values: Values) -> Values:
    items = random.sample(list(_SWITCHES), values["count"] + 1)
    wanted = {item: not state.collections["view"][item]["on"] for item in items[:-1]}
    meant = " and that ".join(_SWITCHES[item] for item in wanted)
    return {"wanted": wanted, "meant": meant, "neighbour": items[-1]}


def check(evidence: Evidence, case: Case) -> Findings:
    """The switches are as they should be, and nothing else was changed."""
    view = evidence.after.collections.get("view", {})
    for number, (item, on) in enumerate(case["wanted"].items(), 1):
        seen = view.get(item, {}).get("on")
        right = Choice().same(seen, on, ("view", item, "on"))
        yield Milestone(f"switch_{number}", right, 1 / len(case["wanted"]), f"{item}: {on}", f"it is {seen}")
    yield from workbook.untouched(evidence, *case["wanted"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose the items of the View menu."""
    for item in case["wanted"]:
        await workbook.choose(pilot, "View", item, role="check-menu-item")


@wrong("milestone:switch_1")
async def chose_the_neighbour(pilot: Pilot, case: Case) -> None:
    """Another item was chosen for the first one."""
    wanted = {case["neighbour"]: True, **dict(list(case["wanted"].items())[1:])}
    await solve(pilot, misread(case, wanted=wanted))


@wrong("record_integrity/major")
async def chose_one_more(pilot: Pilot, case: Case) -> None:
    """What was asked for is done, and something else."""
    await solve(pilot, misread(case, wanted={**case["wanted"], case["neighbour"]: True}))
