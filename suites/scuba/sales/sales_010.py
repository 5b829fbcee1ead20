"""Sales process with exactly these stages."""

from __future__ import annotations

from random import Random
from urllib.parse import quote, unquote

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import lightning as hands
from ..toolkit.groups import save_form
from ..toolkit.judging import Findings, exists, judged, listed
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

KIND = "metadata/BusinessProcess"


def case(state: State, random: Random, values: Given) -> Values:
    """Find the stages that stay out."""
    stages = [row["ApiName"] for row in Records(state).where("OpportunityStage", IsActive=True)]
    return {
        "stages_words": ", ".join(values["stages"]),
        "others": [one for one in stages if one not in values["stages"]],
    }


def _id(case: Case) -> str:
    return f"{KIND}/Opportunity.{quote(case['process'], safe=' ')}"


def _stages(process: Row | None) -> list[str]:
    return [unquote(entry["fullName"]) for entry in (process or {}).get("values", ())]


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the process with these stages and no others."""
    process = work.closest(KIND, {"Id": _id(case)})
    found, wanted = _stages(process), case["stages"]
    plain = [{"fullName": one["fullName"], "default": False} for one in (process or {}).get("values", ())]
    work.claim(process, isActive=True, values=plain)
    told = listed(found)
    yield exists("process", 0.2, process, f"a new sales process '{case['process']}'")
    yield Milestone("stages", set(wanted) <= set(found), 0.4, f"has {listed(wanted)}", told)
    yield Milestone(
        "no_others", bool(process) and set(found) <= set(wanted), 0.4, "has no other stages", told
    )


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A process of the name, which may have been there before."""
    _, _, name = _id(case).rpartition("/")
    process = Records(evidence.after).get(KIND, name)
    found, wanted = set(_stages(process)), set(case["stages"])
    yield fact("process", 0.2, process is not None)
    yield fact("stages", 0.4, wanted <= found)
    yield fact("no_others", 0.4, process is not None and found <= wanted)


async def solve(pilot: Pilot, case: Case) -> None:
    """Make a process out of all stages, then take those out that do not belong to it."""
    await hands.open_setup(pilot, "Sales Processes")
    await pilot.click(hands.named("button", "New", hands.PAGE))
    await hands.enter(pilot, "Sales Process Name", case["process"], hands.PAGE)
    await save_form(pilot)
    for stage in (one for one in case["others"] if one not in case["stages"]):
        selected = hands.named("listbox", "Selected Values", hands.PAGE)
        await pilot.click(f"{selected} >> {hands.reading('option', stage)}")
        await hands.press(pilot, "Remove from Selected Values", hands.PAGE)
    await save_form(pilot)


@slip("milestone:process", 0)
def misspelt_the_process(case: Case) -> Case:
    """The process has another name."""
    return misread(case, process=f"{case['process']} Process")


@slip("milestone:no_others", 0.6)
def left_one_stage_more(case: Case) -> Case:
    """One stage was not taken out."""
    return misread(case, others=case["others"][1:])


@slip("milestone:stages", 0.6)
def took_one_stage_too_many_out(case: Case) -> Case:
    """One of the stages that belong to it is missing."""
    return misread(case, stages=case["stages"][1:], others=[*case["others"], case["stages"][0]])
