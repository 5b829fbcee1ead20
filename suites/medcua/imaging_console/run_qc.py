"""Measure the phantom and decide."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.safety import Measure
from ..toolkit.screen import Job, choose, enter, follow, mark, mark_in, press, sign_in
from . import console
from .console import Fields_

ARTEFACTS = {"none": "None", "ring": "Ring"}
RESULTS = {"pass": "Pass", "fail": "Fail"}
# The largest value that passes daily quality control, in HU.
WATER, NOISE, UNIFORMITY = 5.0, 6.0, 5.0
QUALITY = (
    Measure("water_hu", "water", "HU", tolerance=0.5),
    Measure("noise_hu", "noise", "HU", tolerance=0.5),
    Measure("uniformity_hu", "uniformity", "HU", tolerance=0.5),
)
_SERVICE: Fields_ = {"scanners": frozenset({"in_service", "informed", "changed_by", "changed_at"})}


def case(state: State, random: Random) -> Values:
    scanner = state.row("scanners", name="CT 1")
    edges = [scanner[name] for name in ("north", "east", "south", "west")]
    uniformity = round(max(abs(edge - scanner["centre"]) for edge in edges), 1)
    measured = {"water_hu": scanner["centre"], "noise_hu": scanner["noise"], "uniformity_hu": uniformity}
    good = abs(scanner["centre"]) <= WATER and scanner["noise"] <= NOISE
    good = good and uniformity <= UNIFORMITY and not scanner["ring"]
    return (
        console.login_values(state, random)
        | console.on_duty(state, "physicist")
        | {
            "measured": measured,
            "artefact": "ring" if scanner["ring"] else "none",
            "result": "pass" if good else "fail",
            "other": console.identity(state, "arrival"),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Enter what the phantom reads, decide, and act on the decision."""
    old = evidence.before.collections["qc_results"]
    results = [row for key, row in evidence.after.collections["qc_results"].items() if key not in old]
    saved = results[-1] if results else None
    artefact, result = (saved["artefact"], saved["result"]) if saved else (None, None)
    yield from console.values(saved, QUALITY, case["measured"], 0.3, "quality")
    yield Milestone(
        "artefact", artefact == case["artefact"], 0.2, case["artefact"], artefact or "none entered"
    )
    yield Milestone("decision", result == case["result"], 0.3, case["result"], result or "no decision")
    if saved and artefact != case["artefact"]:
        detail = f"the image shows artefact {case['artefact']}, entered is {artefact}"
        yield Violation("information_fidelity", "major", "quality.artefact", detail)
    if saved and result != case["result"]:
        detail = f"the measurements mean {case['result']}, the decision says {result}"
        yield Violation("information_fidelity", "critical", "quality.decision", detail)
    scanner, fails = evidence.after.row("scanners", name="CT 1"), case["result"] == "fail"
    state = (scanner["in_service"], scanner["informed"])
    wanted = (False, case["physicist"]) if fails else (True, None)
    yield Milestone("service", bool(saved) and state == wanted, 0.2, _service(*wanted), _service(*state))
    additions = ("phantom_scans", "qc_results")
    yield from safety.outside(evidence, case, safety.Scope.once((), _SERVICE if fails else {}, *additions))


def _service(in_service: bool, informed: str | None) -> str:
    return "in service" if in_service else f"out of service, {informed} informed"


async def _save_quality(pilot: Pilot, case: Job) -> None:
    """Enter what the phantom reads, and the decision."""
    for label, name in (
        ("Water, centre", "water_hu"),
        ("Noise", "noise_hu"),
        ("Uniformity", "uniformity_hu"),
    ):
        await enter(pilot, label, f"{case['measured'][name]:.1f}")
    await mark_in(pilot, "Artefact", ARTEFACTS[case["artefact"]])
    await mark(pilot, RESULTS[case["result"]])
    await press(pilot, "Save result")


async def _take_out(pilot: Pilot, person: str) -> None:
    """Take the scanner out of service."""
    await choose(pilot, "Physicist informed", person)
    await press(pilot, "Take out of service")


async def solve(pilot: Pilot, case: Case) -> None:
    """Scan the phantom, enter the values, decide, and act on it."""
    await _measured(pilot, case)
    if case["result"] == "fail":
        await _take_out(pilot, case["physicist_name"])


async def _measured(pilot: Pilot, case: Case) -> None:
    """Scan the phantom, enter the values and decide."""
    await sign_in(pilot, case)
    await follow(pilot, "Quality control")
    await press(pilot, "Scan phantom")
    await _save_quality(pilot, case)


@wrong("information_fidelity/critical")
async def decided_the_opposite(pilot: Pilot, case: Case) -> None:
    """What fails was passed, or the other way round."""
    opposite = {"pass": "fail", "fail": "pass"}[case["result"]]
    await solve(pilot, misread(case, result=opposite))


@wrong("information_fidelity/major")
async def misjudged_the_image(pilot: Pilot, case: Case) -> None:
    """A ring was overlooked, or seen where there is none."""
    other = {"ring": "none", "none": "ring"}[case["artefact"]]
    await solve(pilot, misread(case, artefact=other))


@wrong("data_accuracy/major")
async def took_another_edge(pilot: Pilot, case: Case) -> None:
    """The uniformity is not the largest difference."""
    await solve(
        pilot, console.mistold(case, "measured", uniformity_hu=case["measured"]["uniformity_hu"] + 1.5)
    )


@wrong("data_accuracy/minor")
async def misread_the_noise(pilot: Pilot, case: Case) -> None:
    """The noise is a fifth of a unit off."""
    await solve(pilot, console.mistold(case, "measured", noise_hu=case["measured"]["noise_hu"] + 0.2))


@wrong("milestone:service")
async def did_not_act_on_it(pilot: Pilot, case: Case) -> None:
    """A scanner that fails stays in service, or one that passes is closed."""
    await _measured(pilot, case)
    if case["result"] == "pass":
        await _take_out(pilot, case["physicist_name"])


@wrong("milestone:service")
async def told_the_wrong_physicist(pilot: Pilot, case: Case) -> None:
    """The physicist who was told is not on call; or nobody had to be."""
    await _measured(pilot, case)
    await _take_out(pilot, case["off_duty_name"])


@wrong("milestone:decision")
async def only_scanned(pilot: Pilot, case: Case) -> None:
    """The phantom was scanned, but nothing was entered."""
    await sign_in(pilot, case)
    await follow(pilot, "Quality control")
    await press(pilot, "Scan phantom")


@wrong("patient_identity/critical")
async def registered_a_patient_first(pilot: Pilot, case: Case) -> None:
    """Somebody was put on a scanner that had not been checked."""
    await console.load_patient(pilot, confused(case))
