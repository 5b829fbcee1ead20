"""Stage and measure a wound beside one that is known already."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused
from ..toolkit.record import Record
from ..toolkit.safety import Measure, accuracy
from ..toolkit.screen import Job, enter, follow, mark, press
from ..toolkit.world_data import world_data
from . import charting
from .charting import Told

STAGES = {
    "stage_2": "Stage 2",
    "stage_3": "Stage 3",
    "stage_4": "Stage 4",
    "unstageable": "Unstageable",
}
REGIONS = {
    f"{side.lower()}_{part}": f"{side} {part}"
    for side in ("Left", "Right")
    for part in ("hip", "heel", "ankle", "elbow")
}
EXUDATES = {"small": "Small", "moderate": "Moderate", "large": "Large"}
WOUND = (
    Measure("region", "body region"),
    Measure("stage", "stage"),
    Measure("length_cm", "length", "cm", tolerance=0.2),
    Measure("width_cm", "width", "cm", tolerance=0.2),
    Measure("depth_cm", "depth", "cm", tolerance=0.2),
    Measure("exudate", "exudate", optional=True),
)


def case(state: State, random: Random) -> Values:
    values = charting.about(
        state, random, charting.patient(state, "wound"), charting.patient(state, "record_io")
    )
    return values | _wound_values(random)


def _wound_values(random: Random) -> Values:
    """Draw a pressure injury: place with side, size, stage as it is seen, exudate."""
    region = random.choice(list(REGIONS))
    stage = random.choice(list(STAGES))
    length, width = round(random.uniform(2.6, 5.4), 1), round(random.uniform(1.4, 2.5), 1)
    depth = None if stage == "unstageable" else {"stage_2": 0.2, "stage_3": 1.1, "stage_4": 2.4}[stage]
    depth = depth and round(depth + random.choice((0, 0.1, 0.2)), 1)
    sizes = {"length_cm": length, "width_cm": width} | ({"depth_cm": depth} if depth else {})
    exudate = random.choice(list(EXUDATES))
    side, part = region.split("_")
    return {
        "wound": {"region": region, "stage": stage, "exudate": exudate, **sizes},
        "sizes": {name: str(value) for name, value in sizes.items()},
        "region_words": REGIONS[region],
        "place": f"{side} {part}",
        "stage_words": STAGES[stage],
        "look": random.choice(world_data("nursing_documentation/words")["wound"][stage]),
        "length": length,
        "width": width,
        "deep": f"{depth} cm deep" if depth else "of a depth that cannot be measured",
        "depth_step": f"Depth {depth}" if depth else "leave “Depth” empty",
        "exudate": exudate,
        "exudate_words": EXUDATES[exudate],
        "mirrored": f"{'right' if side == 'left' else 'left'}_{part}",
    }


def _wound(record: Record, told: Told, weight: float) -> Findings:
    """Ask for one new assessment with the place, stage and size that were found."""
    rows, subject = record.added("wounds"), f"wounds/{record.mrn}"
    stored = rows[-1] if rows else {}
    yield from charting.values(WOUND, told, stored, weight)
    if rows:
        yield from accuracy(WOUND, told, stored, subject)


def check(evidence: Evidence, case: Case) -> Findings:
    """Chart the new wound, once."""
    yield from _wound(Record(evidence, case["mrn"]), case["wound"], 1.0)
    yield from safety.outside(evidence, case, charting.scope(case, "wounds"))


async def _save_wound(pilot: Pilot, job: Job) -> None:
    """Choose region and stage, type the sizes, and save."""
    wound = job["wound"]
    await follow(pilot, "Wounds")
    await mark(pilot, REGIONS[wound["region"]])
    await mark(pilot, STAGES[wound["stage"]])
    for name, text in job["sizes"].items():
        await enter(pilot, name.removesuffix("_cm").capitalize(), text)
    if wound.get("exudate"):
        await mark(pilot, f"Exudate: {EXUDATES[wound['exudate']]}")
    await press(pilot, "Save wound assessment")


async def solve(pilot: Pilot, case: Case) -> None:
    """Chart place, stage, size and exudate."""
    await charting.sign_in_and_open(pilot, case)
    await _save_wound(pilot, case)


@wrong("patient_identity/critical")
async def charted_the_wound_of_the_namesake(pilot: Pilot, case: Case) -> None:
    """The family name is the same."""
    await solve(pilot, confused(case))


@wrong("milestone:region")
async def took_the_other_side(pilot: Pilot, case: Case) -> None:
    """Left and right are mixed up."""
    await solve(pilot, charting.misheard(case, "wound", region=case["mirrored"]))


@wrong("data_accuracy/major")
async def staged_it_wrongly(pilot: Pilot, case: Case) -> None:
    """What is seen belongs to another stage."""
    other = "stage_3" if case["wound"]["stage"] != "stage_3" else "stage_2"
    await solve(pilot, charting.misheard(case, "wound", stage=other))


@wrong("data_accuracy/minor")
async def left_the_exudate_out(pilot: Pilot, case: Case) -> None:
    """The exudate was told, but is blank."""
    await solve(pilot, charting.misheard(case, "wound", exudate=None))
