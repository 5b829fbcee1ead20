"""Find the extreme of one parameter over a window that is not the one shown first."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number
from pytest_cuabench.task.evidence import Row

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.people import patient_of
from ..toolkit.reading import read_in_chart
from ..toolkit.screen import follow, sign_in
from . import central

_EXTREMES = {"spo2": "lowest", "heart_rate": "highest", "abp_mean": "lowest"}


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, "past_episode")
    parameter = random.choice(sorted(_EXTREMES))
    hours = random.choice((12, 24, 72))
    extreme = _EXTREMES[parameter]
    found = {each: _extreme(state, patient, parameter, each, extreme) for each in (4, 12, 24, 72)}
    label, unit = central.PARAMETERS[parameter]
    return central.about(state, random, patient, patient_of(state, "stable")) | {
        "parameter": parameter,
        "parameter_words": label,
        "unit": unit,
        "hours": hours,
        "extreme": extreme,
        "value": found[hours],
        "in_other_windows": [value for each, value in found.items() if each != hours],
    }


def _extreme(state: State, patient: Row, parameter: str, hours: int, extreme: str) -> int:
    window = central.samples(state, patient, parameter)[-1 - hours * central.SAMPLES_PER_HOUR :]
    return min(window) if extreme == "lowest" else max(window)


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the extreme value of the window that was asked for."""
    words = (
        "lowest",
        "highest",
        "last",
        "hours",
        "window",
        "trend",
        case["parameter_words"],
        f"{case['hours']} h",
    )
    hours = (f"{case['hours']} hours",)
    spec = Number(case["value"], case["unit"], words=words + hours)
    yield from read_in_chart(evidence, case, spec, "value")
    yield from safety.outside(evidence, case, central.NOTHING)


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose parameter and window, and read the statistics."""
    await sign_in(pilot, case)
    await central.open_bed(pilot, case["bed"])
    await follow(pilot, "Trends")
    await follow(pilot, central.PARAMETERS[case["parameter"]][0])
    await follow(pilot, f"{case['hours']} h")
    await pilot.answer(f"{case['value']} {case['unit']}")


@wrong("information_fidelity/major")
async def stayed_in_the_first_window(pilot: Pilot, case: Case) -> None:
    """Four hours are shown first."""
    await solve(pilot, misread(case, value=case["in_other_windows"][0]))


@wrong("information_fidelity/major")
async def took_another_window(pilot: Pilot, case: Case) -> None:
    """The value is the extreme of more, or of fewer hours."""
    await solve(pilot, misread(case, value=case["in_other_windows"][-1]))


@wrong("patient_identity/critical")
async def paged_because_of_the_past(pilot: Pilot, case: Case) -> None:
    """Somebody was called because of what is long over."""
    await sign_in(pilot, case)
    await central.open_bed(pilot, case["bed"])
    await central.send_page(pilot, "icu_physician", "Please look at the trend")
    await pilot.answer(f"{case['value']} {case['unit']}")
