"""Set what was dictated; some say the depth in millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.safety import Measure
from ..toolkit.screen import enter, press
from . import scanning
from .scanning import Exam

SETTINGS = (
    Measure("depth_cm", "depth", "cm", tolerance=0.5),
    Measure("gain", "gain", "%", tolerance=2),
    Measure("frequency_mhz", "frequency", "MHz", tolerance=0.5),
    Measure("focus_cm", "focus", "cm", tolerance=0.5),
)
_KNOBS = {"depth_cm": "Depth", "gain": "Gain", "frequency_mhz": "Frequency", "focus_cm": "Focus"}


def case(state: State, random: Random) -> Values:
    exam = scanning.story(state, "parameters")
    depth, focus = random.choice((3.5, 4.0, 6.0, 6.5, 7.0)), random.choice((1.0, 2.8, 3.0))
    expected = {
        "depth_cm": depth,
        "focus_cm": focus,
        "gain": random.choice((58, 60, 62, 64, 66)),
        "frequency_mhz": random.choice((7.5, 8.0, 9.0, 11.0, 12.0)),
    }
    in_mm = random.random() < 0.5
    spoken = {
        "depth": f"{depth * 10:g} mm" if in_mm else f"{depth:g} cm",
        "focus": f"{focus * 10:g} mm" if in_mm else f"{focus:g} cm",
        "gain": expected["gain"],
        "frequency": f"{expected['frequency_mhz']:g}",
    }
    return (
        scanning.about(state, random, exam, scanning.story(state, "capture"))
        | spoken
        | {"expected": expected}
    )


def _settings(exam: Exam, told: Mapping[str, float]) -> Findings:
    """Ask for every setting that was told, each for an equal share."""
    for measure in SETTINGS:
        stored, wanted = exam.row[measure.name], told[measure.name]
        reached = measure.usable(wanted, stored)
        yield Milestone(
            measure.name, reached, 1 / len(SETTINGS), measure.shown(wanted), measure.shown(stored)
        )
        if stored != exam.evidence.before.row("exams", accession=exam.accession)[measure.name]:
            yield from measure.judge(wanted, stored, f"exams/{exam.accession}.{measure.name}")


def check(evidence: Evidence, case: Case) -> Findings:
    """Set depth, gain, frequency and focus as told."""
    yield from _settings(Exam(evidence, case["accession"]), case["expected"])
    yield from safety.outside(evidence, case, scanning.scope(case["mrn"], exams=scanning.SETTINGS))


async def _turn_knobs(pilot: Pilot, values: Mapping[str, float]) -> None:
    """Set the values told, all at once."""
    for name, value in values.items():
        await enter(pilot, _KNOBS[name], f"{value:g}")
    await press(pilot, "Apply")


async def solve(pilot: Pilot, case: Case) -> None:
    """Set the four values."""
    await scanning.open_exam(pilot, case)
    await _turn_knobs(pilot, case["expected"])


def _misheard(case: Case, **changed: float) -> Case:
    """Return the case with other settings heard."""
    return misread(case, expected=case["expected"] | changed)


@wrong("data_accuracy/major")
async def misheard_the_gain(pilot: Pilot, case: Case) -> None:
    """The gain is 20 too high."""
    await solve(pilot, _misheard(case, gain=case["expected"]["gain"] + 20))


@wrong("data_accuracy/minor")
async def a_little_deeper(pilot: Pilot, case: Case) -> None:
    """The depth is half a centimetre off."""
    await solve(pilot, _misheard(case, depth_cm=case["expected"]["depth_cm"] + 0.5))


@wrong("milestone:focus_cm")
async def left_the_focus(pilot: Pilot, case: Case) -> None:
    """Three values were set, not four."""
    told = {name: value for name, value in case["expected"].items() if name != "focus_cm"}
    await solve(pilot, misread(case, expected=told))


@wrong("patient_identity/critical")
async def adjusted_another_exam(pilot: Pilot, case: Case) -> None:
    """The gain of somebody else's exam was changed."""
    told = {"gain": case["expected"]["gain"]}
    await solve(pilot, misread(confused(case), expected=told))
