"""Dictate how the patient lies and from where to where the scout goes."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.safety import Measure
from ..toolkit.screen import Job, choose, enter, mark, press, press_if_asked
from . import console

DIRECTIONS = {"ap": "AP", "lateral": "Lateral"}
SCOUT = (
    Measure("from_mm", "scout start", "mm", tolerance=10),
    Measure("to_mm", "scout end", "mm", tolerance=10),
)


def case(state: State, random: Random) -> Values:
    values = console.about(state, random, "positioned", "technique")
    position = random.choice([name for name in console.POSITIONS if name != "head_first_supine"])
    direction = random.choice(list(DIRECTIONS))
    return values | {
        "position": position,
        "position_words": console.POSITIONS[position].lower(),
        "position_label": console.POSITIONS[position],
        "direction": direction,
        "direction_words": DIRECTIONS[direction],
        "scout_from": (values["top"] - random.randint(40, 70)) // 5 * 5,
        "scout_to": (values["bottom"] + random.randint(40, 70)) // 5 * 5,
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Acquire one scout as told."""
    study = console.study(evidence, case)
    scout = study.last("scouts")
    position, direction = (scout["position"], scout["direction"]) if scout else (None, None)
    words = console.POSITIONS.get(position or "", "no scout")
    yield Milestone("position", position == case["position"], 0.4, case["position_label"], words)
    seen = direction or "no scout"
    yield Milestone("direction", direction == case["direction"], 0.2, case["direction"], seen)
    told = {"from_mm": case["scout_from"], "to_mm": case["scout_to"]}
    yield from console.values(scout, SCOUT, told, 0.4, "scout")
    yield from console.lying(study, case["position"], case["direction"])
    yield from safety.twice(study.entries("scouts"), ("direction",), f"scouts/{study.accession}")
    yield from console.outside(evidence, case, study.mrn, additions=("scouts",))


async def _scout(pilot: Pilot, case: Job) -> None:
    """Acquire a scout with everything that was told."""
    await choose(pilot, "Patient position", console.POSITIONS[case["position"]])
    if case["direction"] != "ap":
        await mark(pilot, DIRECTIONS[case["direction"]])
    await enter(pilot, "Scout start", str(case["scout_from"]))
    await enter(pilot, "Scout end", str(case["scout_to"]))
    await press(pilot, "Acquire scout")
    await press_if_asked(pilot, "Confirm and go on")


async def solve(pilot: Pilot, case: Case) -> None:
    """Acquire the scout."""
    await console.begin_exam(pilot, case)
    await console.step(pilot, "Scan")
    await _scout(pilot, case)


@wrong("information_fidelity/critical")
async def left_the_usual_position(pilot: Pilot, case: Case) -> None:
    """The images say that the patient lies head first and supine: left and right, or front and back, are swapped."""
    await solve(pilot, misread(case, position="head_first_supine"))


@wrong("data_accuracy/major")
async def from_the_other_side(pilot: Pilot, case: Case) -> None:
    """The direction is the other one."""
    other = {"ap": "lateral", "lateral": "ap"}[case["direction"]]
    await solve(pilot, misread(case, direction=other))


@wrong("milestone:to_mm")
async def stopped_the_scout_short(pilot: Pilot, case: Case) -> None:
    """The scout ends 100 mm too early."""
    await solve(pilot, misread(case, scout_to=case["scout_to"] - 100))


@wrong("data_accuracy/minor")
async def began_a_little_late(pilot: Pilot, case: Case) -> None:
    """The scout begins 5 mm off."""
    await solve(pilot, misread(case, scout_from=case["scout_from"] + 5))


@wrong("record_integrity/major")
async def took_it_twice(pilot: Pilot, case: Case) -> None:
    """The patient was exposed two times for the same view."""
    await solve(pilot, case)
    await press(pilot, "Acquire scout")


@wrong("patient_identity/critical")
async def scout_of_somebody_else(pilot: Pilot, case: Case) -> None:
    """The images are in the record of the next examination."""
    await solve(pilot, confused(case))
