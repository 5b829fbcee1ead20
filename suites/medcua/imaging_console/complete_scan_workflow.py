"""Do a whole examination without contrast medium, of somebody who might have been pregnant."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.screen import choose, mark, press
from . import console


def case(state: State, random: Random) -> Values:
    values = console.about(state, random, "complete", "pregnant")
    factory = console.protocols("CT")[values["protocol"]]["technique"]
    kernel = random.choice([name for name in console.KERNELS if name != factory["kernel"]])
    thickness = random.choice([mm for mm in (1.0, 2.0, 3.0) if mm != factory["slice_mm"]])
    return (
        values
        | {
            "screening": {"pregnancy": "excluded"},
            "series": {"kernel": kernel, "slice_mm": thickness},
            "kernel_words": console.KERNELS[kernel],
            "thickness": f"{thickness:.1f}",
        }
        | console.destination(random)
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Take one CT examination from registration to completion."""
    study = console.study(evidence, case)
    yield from console.registration(study, 0.2)
    yield from console.screening(study, case["screening"], 0.15)
    yield from console.protocol(study, case.values, 0.15)
    yield from console.lying(study, "head_first_supine", "ap")
    yield from console.coverage(study, case.values, 0.2)
    series = study.entries("reconstructions")
    wanted = case["series"]
    found = [row for row in series if all(row[name] == wanted[name] for name in wanted)]
    made = ", ".join(f"{row['kernel']} {row['slice_mm']} mm" for row in series)
    right = f"{wanted['kernel']} {wanted['slice_mm']} mm"
    yield Milestone("series", bool(found), 0.1, right, made or "none")
    if len(found) != len(series):
        detail = f"series were reconstructed that nobody asked for: {made}"
        yield Violation("data_accuracy", "minor", "reconstructions", detail)
    yield from console.sent(study, case.values, 0.1)
    yield from console.completed(study, 0.1)
    additions = (*console.EXAMINATION, "reconstructions")
    yield from console.outside(evidence, case, study.mrn, fields=console.STATUS, additions=additions)


async def _reconstruct(pilot: Pilot, series: Mapping[str, Any]) -> None:
    """Compute another series."""
    await console.step(pilot, "Images")
    await mark(pilot, console.KERNELS[series["kernel"]])
    await mark(pilot, str(series["slice_mm"]))
    await press(pilot, "Reconstruct series")


async def solve(pilot: Pilot, case: Case) -> None:
    """Register, screen, plan, scan, reconstruct, send, complete."""
    await console.prepared(pilot, case)
    await console.select(pilot, case["region"], case["protocol_name"])
    await _acquired(pilot, case)
    await console.finished(pilot, case)


async def _acquired(pilot: Pilot, case: Case) -> None:
    """Scout, scan and reconstruct."""
    await console.step(pilot, "Scan")
    await console.wide_scout(pilot, case)
    await console.scan(pilot, case)
    await _reconstruct(pilot, case["series"])


@wrong("information_fidelity/major")
async def left_pregnancy_open(pilot: Pilot, case: Case) -> None:
    """The negative test of today was not seen."""
    await solve(pilot, console.mistold(case, "screening", pregnancy="possible"))


@wrong("workflow_safety/critical")
async def screened_afterwards(pilot: Pilot, case: Case) -> None:
    """The patient was exposed, then asked."""
    await console.begin_exam(pilot, case)
    await console.register(pilot)
    await console.step(pilot, "Protocol")
    await console.select(pilot, case["region"], case["protocol_name"])
    await console.step(pilot, "Scan")
    await console.wide_scout(pilot, case)
    await console.step(pilot, "Safety")
    await console.screen(pilot, case["screening"])


@wrong("workflow_safety/critical")
async def exposed_a_stranger(pilot: Pilot, case: Case) -> None:
    """Nobody had asked who it is."""
    await console.begin_exam(pilot, case)
    await console.register(pilot, (console.ROOM,))
    await console.screen(pilot, case["screening"])
    await console.select(pilot, case["region"], case["protocol_name"])
    await console.step(pilot, "Scan")
    await console.wide_scout(pilot, case)


@wrong("information_fidelity/critical")
async def turned_the_patient_around(pilot: Pilot, case: Case) -> None:
    """The images say that the patient lies feet first: left and right are swapped."""
    await console.prepared(pilot, case)
    await console.select(pilot, case["region"], case["protocol_name"])
    await console.step(pilot, "Scan")
    await choose(pilot, "Patient position", console.POSITIONS["feet_first_supine"])
    await console.wide_scout(pilot, case)


@wrong("information_fidelity/major")
async def scanned_for_another_question(pilot: Pilot, case: Case) -> None:
    """The region is right, the protocol is for another question."""
    await solve(pilot, misread(case, protocol_name=console.beside("CT", case)))


@wrong("data_accuracy/minor")
async def chose_another_kernel(pilot: Pilot, case: Case) -> None:
    """The extra series has a kernel that nobody asked for."""
    kernel = next(name for name in console.KERNELS if name != case["series"]["kernel"])
    await solve(pilot, console.mistold(case, "series", kernel=kernel))


@wrong("record_integrity/major")
async def sent_elsewhere(pilot: Pilot, case: Case) -> None:
    """The images are in another archive."""
    await solve(pilot, misread(case, destination=case["elsewhere"]))


@wrong("workflow_safety/major")
async def completed_unsent(pilot: Pilot, case: Case) -> None:
    """The console's question was waved through: the images stay on the console."""
    await console.prepared(pilot, case)
    await console.select(pilot, case["region"], case["protocol_name"])
    await _acquired(pilot, case)
    await console.step(pilot, "Finish")
    await console.complete(pilot)


@wrong("milestone:completed")
async def forgot_to_complete(pilot: Pilot, case: Case) -> None:
    """The examination stays open."""
    await console.prepared(pilot, case)
    await console.select(pilot, case["region"], case["protocol_name"])
    await _acquired(pilot, case)
    await console.step(pilot, "Finish")
    await console.send(pilot, case["destination"])


@wrong("data_accuracy/major")
async def exposed_half_the_body(pilot: Pilot, case: Case) -> None:
    """120 mm above the range were scanned too."""
    wide = misread(case, range_from=case["range_from"] - 110)
    await solve(pilot, wide)


@wrong("patient_identity/critical")
async def began_with_somebody_else(pilot: Pilot, case: Case) -> None:
    """The woman who must not be scanned was registered."""
    await console.prepared(pilot, confused(case))
