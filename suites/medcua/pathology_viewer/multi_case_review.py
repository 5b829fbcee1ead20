"""Look at three slides and tell whose were not stained as usual."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import EntitySet

from ..toolkit.misreading import misread
from . import microscope


def case(state: State, random: Random) -> Values:
    jobs = [microscope.job(state, row) for row in microscope.whole_slides(state) if not row["alike"]]
    others = [one for one in jobs if one["stain"] != microscope.USUAL]
    chosen = [*random.sample(others, 2), random.choice([one for one in jobs if one not in others])]
    random.shuffle(chosen)
    special = [one["name"] for one in chosen if one["stain"] != microscope.USUAL]
    return {"slides": chosen, "names": "; ".join(one["name"] for one in chosen), "special": special}


def check(evidence: Evidence, case: Case) -> Findings:
    """Name them, having seen all three."""
    seen = [microscope.opened(evidence, slide) for slide in case["slides"]]
    for number, (slide, looked) in enumerate(zip(case["slides"], seen, strict=True), 1):
        told = "seen" if looked else "never opened"
        yield Milestone(f"slide_{number}", looked, 0.2, slide["name"], told)
    spec = EntitySet(tuple(case["special"]))
    yield from microscope.answered(evidence, spec, "names", 0.4, looked=all(seen))
    yield from microscope.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open one after the other."""
    for number, slide in enumerate(case["slides"]):
        if number:
            await microscope.back(pilot)
        await microscope.open_slide(pilot, slide)
    await pilot.answer("; ".join(case["special"]))


@wrong("information_fidelity/major")
async def missed_one(pilot: Pilot, case: Case) -> None:
    """Two of the three are special."""
    await solve(pilot, misread(case, special=case["special"][:1]))


@wrong("information_fidelity/major")
async def named_all(pilot: Pilot, case: Case) -> None:
    """One of them has the usual stain."""
    await solve(pilot, misread(case, special=[slide["name"] for slide in case["slides"]]))


@wrong("milestone:slide_3")
async def left_out_the_last(pilot: Pilot, case: Case) -> None:
    """It was told by exclusion."""
    await solve(pilot, misread(case, slides=case["slides"][:2]))
