"""Find the outline of an organ that lies beside the organ, among those that are right."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.action import Wait
from pytest_cuabench.task.answer import Choice, Fields, Number

from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from ..toolkit.viewer import appears
from . import reading_room

_ORGANS = ("Liver", "Spleen", "Right kidney", "Left kidney", "Stomach", "Aorta")


def case(state: State, random: Random) -> Values:
    values = reading_room.pair(state, random, "abdomen")
    return values | _outlined(state, values) | {"other": values["other"] | _outlined(state, values["other"])}


def _outlined(state: State, study: Values) -> Values:
    finding = state.collections["findings"][study["study_uid"]]
    names = finding["segments"]
    right = next(name for name in names if name != finding["misplaced"])
    return {"segments": names, "organs": len(names), "misplaced": finding["misplaced"], "right": right}


def check(evidence: Evidence, case: Case) -> Findings:
    """All outlines are over the images in the end, and the answer is what they show."""
    ports = reading_room.ports(evidence.after, case)
    shown = sorted({name for port in ports for name in port["outlines"]})
    told = ", ".join(shown) or "no outline"
    yield Milestone(
        "outlines_shown", shown == sorted(case["segments"]), 0.4, ", ".join(case["segments"]), told
    )
    seen = any(
        write.row["study_uid"] == case["study_uid"] and set(write.row["outlines"]) == set(case["segments"])
        for write in evidence.journal
        if write.collection == "viewports"
    )
    spec = Fields(
        {
            "organs": (Number(case["organs"], words=("outlines", "segments")), ("outlines", "segments")),
            "misplaced": (Choice(case["misplaced"], _ORGANS), ("wrong", "name")),
        }
    )
    yield from answered(evidence, spec, "review", 0.6, looked=seen)
    yield from reading_room.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Load the series of outlines, and look at them."""
    await reading_room.open_study(pilot, case)
    await pilot.click('[data-cy^="study-browser-thumbnail"]:has-text("SEG")', count=2)
    await appears(pilot, 'button:text-is("Yes")')
    await pilot.click('button:text-is("Yes")')
    await pilot.act(Wait(1.0), thought="Look at the outlines")
    await _tell(pilot, case)


async def _tell(pilot: Pilot, case: Case) -> None:
    await pilot.answer(f"organs: {case['organs']}, misplaced: {case['misplaced']}")


@wrong("information_fidelity/major")
async def named_one_that_is_right(pilot: Pilot, case: Case) -> None:
    """That outline lies where it should."""
    await solve(pilot, misread(case, misplaced=case["right"]))


@wrong("information_fidelity/major")
async def counted_one_too_few(pilot: Pilot, case: Case) -> None:
    """The misplaced outline is one of them."""
    await solve(pilot, misread(case, organs=case["organs"] - 1))


@wrong("milestone:outlines_shown")
async def reviewed_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, confused(case))


@wrong("milestone:review")
async def looked_at_the_images_only(pilot: Pilot, case: Case) -> None:
    """Without the outlines, the answer is a guess."""
    await reading_room.open_study(pilot, case)
    await _tell(pilot, case)
