"""Put two studies side by side, and tell whether a nodule has grown."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Choice

from ..toolkit.misreading import misread
from ..toolkit.reading import answered
from . import reading_room


def case(state: State, random: Random) -> Values:
    now, then = (reading_room.job(state, reading_room.the(state, story)) for story in ("chest", "prior"))
    change = "larger" if now["mm"] > then["mm"] else "smaller"
    return now | {"before": then["date"], "prior": then, "change": change}


def check(evidence: Evidence, case: Case) -> Findings:
    """Both studies are beside each other at the nodule in the end, and the answer is right."""
    grid = evidence.after.row("layout")
    beside = (grid["rows"], grid["columns"]) == (1, 2)
    yield Milestone("side_by_side", beside, 0.2, "1 by 2", f"{grid['rows']} by {grid['columns']}")
    for name, study in (("now", case.values), ("prior", case["prior"])):
        shown = [
            row["image"] for row in reading_room.ports(evidence.after, study) if reading_room.near(row, study)
        ]
        wanted = f"{study['date']} near image {study['image']}"
        yield Milestone(f"{name}_shown", bool(shown), 0.2, wanted, "shown" if shown else "not shown")
    looked = all(reading_room.seen(evidence, study) for study in (case.values, case["prior"]))
    yield from answered(evidence, Choice(case["change"], ("larger", "smaller")), "change", 0.4, looked=looked)
    yield from reading_room.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Put both beside each other, and compare."""
    await _beside(pilot, case)
    await pilot.answer(case["change"])


async def _beside(pilot: Pilot, case: Case) -> None:
    await reading_room.open_study(pilot, case)
    await reading_room.turn_to(pilot, case["image"])
    await reading_room.split(pilot, 1, 2)
    await reading_room.bring(pilot, case["prior"], place=1)
    await reading_room.turn_to(pilot, case["prior"]["image"], place=1)


@wrong("information_fidelity/major")
async def took_one_date_for_the_other(pilot: Pilot, case: Case) -> None:
    """The change is the opposite."""
    await solve(pilot, misread(case, change="larger" if case["change"] == "smaller" else "smaller"))


@wrong("milestone:prior_shown")
async def looked_at_one_only(pilot: Pilot, case: Case) -> None:
    """The word is right, but the prior study was never on the screen."""
    await reading_room.open_study(pilot, case)
    await reading_room.turn_to(pilot, case["image"])
    await reading_room.split(pilot, 1, 2)
    await pilot.answer(case["change"])


@wrong("milestone:prior_shown")
async def left_the_prior_at_its_first_image(pilot: Pilot, case: Case) -> None:
    """Both are open, but one does not show the nodule."""
    await solve(pilot, misread(case, prior=case["prior"] | {"image": 1}))
