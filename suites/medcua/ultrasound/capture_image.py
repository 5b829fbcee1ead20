"""Store two views of one side."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.screen import press
from . import scanning
from .scanning import Exam


def case(state: State, random: Random) -> Values:
    exam = scanning.story(state, "capture")
    side, other_side = random.sample(("right", "left"), 2)
    organ = {"renal": "kidney", "thyroid": "thyroid lobe", "testis": "testis"}[exam["protocol"]]
    planes = random.sample(list(scanning.PLANES), 2)
    words = {"side": side, "other_side": other_side, "side_words": side.title(), "organ": organ}
    views = {"planes": planes, "first": planes[0].title(), "second": planes[1].title()}
    return scanning.about(state, random, exam, scanning.story(state, "parameters")) | words | views


def check(evidence: Evidence, case: Case) -> Findings:
    """Store both views of the side that was asked for, each once."""
    exam = Exam(evidence, case["accession"])
    shots = exam.added("captures")
    views = [(shot["side"], shot["plane"]) for shot in shots]
    seen = ", ".join(f"{side} {plane}" for side, plane in views) or "nothing stored"
    for plane in case["planes"]:
        stored = (case["side"], plane) in views
        yield Milestone(plane, stored, 0.5, f"a picture of the {case['side']} side, {plane}", seen)
        same = [shot for shot in shots if (shot["side"], shot["plane"]) == (case["side"], plane)]
        yield from safety.twice(same, ("plane",), f"captures/{exam.accession}.{plane}")
    for side, plane in sorted(set(views)):
        if side != case["side"]:
            detail = f"a picture was kept as {side} {plane}, the {case['side']} side was asked for"
            yield Violation(
                "information_fidelity", "major", f"captures/{exam.accession}.{side}.{plane}", detail
            )
    free = scanning.VIEW | scanning.SETTINGS | scanning.TGC
    yield from safety.outside(
        evidence, case, scanning.scope(case["mrn"], exams=free, additions=("captures",))
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Store both views."""
    await scanning.open_exam(pilot, case)
    for plane in case["planes"]:
        await scanning.capture(pilot, case["side"], plane)


@wrong("information_fidelity/major")
async def marked_the_other_side(pilot: Pilot, case: Case) -> None:
    """Both pictures bear the mark of the other side."""
    await solve(pilot, misread(case, side=case["other_side"]))


@wrong("milestone:longitudinal")
async def stored_one_view(pilot: Pilot, case: Case) -> None:
    """The second view is missing."""
    await solve(pilot, misread(case, planes=["transverse"]))


@wrong("record_integrity/major")
async def stored_twice(pilot: Pilot, case: Case) -> None:
    """One view is on the clipboard two times."""
    await solve(pilot, case)
    await press(pilot, "Capture")


@wrong("patient_identity/critical")
async def captured_in_another_exam(pilot: Pilot, case: Case) -> None:
    """The picture went into somebody else's exam."""
    await scanning.open_exam(pilot, confused(case))
    await press(pilot, "Capture")
