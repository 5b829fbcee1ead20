"""Dictate a technique that differs from the factory's in every value."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from ..toolkit.safety import Measure
from ..toolkit.screen import choose, enter, mark_in, press, press_if_asked
from . import console
from .console import Fields_

_NUMBERS = ("kv", "ma", "rotation_s", "slice_mm", "pitch", "fov_mm")
TECHNIQUE = (
    Measure("kv", "tube voltage", "kV"),
    Measure("ma", "tube current", "mA", tolerance=5),
    Measure("rotation_s", "rotation time", "s"),
    Measure("slice_mm", "slice thickness", "mm"),
    Measure("pitch", "pitch", tolerance=0.05),
    Measure("fov_mm", "field of view", "mm", tolerance=10),
    Measure("kernel", "kernel"),
)
_TECHNIQUE: Fields_ = {
    "techniques": frozenset({*(m.name for m in TECHNIQUE), "ctdi_mgy", "notified", "by", "at"})
}


def case(state: State, random: Random) -> Values:
    values = console.about(state, random, "technique", "positioned")
    protocol = console.protocols("CT")[values["protocol"]]
    told = _technique(random, protocol)
    spoken = {
        "kernel_words": console.KERNELS[told["kernel"]],
        **{name: f"{told[name]:g}" for name in _NUMBERS},
    }
    return values | {"technique": told} | spoken


def _technique(random: Random, protocol: Any) -> Values:
    """Draw a technique below the reference level, different from the factory's in every value."""
    factory = protocol["technique"]
    while True:
        told = {
            "kv": random.choice((80, 100, 120, 140)),
            "ma": random.randrange(70, 300, 5),
            "rotation_s": random.choice((0.35, 0.5, 0.75, 1.0)),
            "slice_mm": random.choice((1.0, 2.0, 3.0, 5.0)),
            "pitch": random.choice((0.8, 0.85, 0.9, 0.95, 1.05, 1.1, 1.25)),
            "fov_mm": random.randrange(300, 430, 5),
            "kernel": random.choice(("smooth", "standard", "sharp")),
        }
        different = all(told[name] != factory[name] for name in told)
        clearly = abs(told["ma"] - factory["ma"]) > 20 and abs(told["fov_mm"] - factory["fov_mm"]) > 10
        if different and clearly and 2 <= _ctdi(protocol, told) < protocol["drl"] * 0.6:
            return told


def _ctdi(protocol: Mapping[str, Any], technique: Mapping[str, Any]) -> float:
    """Return the CTDIvol in mGy that the console predicts."""
    per_100_mas = {"head": 16.0, "body": 6.8}[protocol["phantom"]]
    effective = technique["ma"] * technique["rotation_s"] / technique["pitch"]
    return float(per_100_mas * (technique["kv"] / 120) ** 2.6 * effective / 100)


def check(evidence: Evidence, case: Case) -> Findings:
    """Save the technique that was told."""
    study = console.study(evidence, case)
    row = evidence.after.row("techniques", accession=study.accession)
    saved = row if row["at"] is not None else None
    yield from console.values(saved, TECHNIQUE, case["technique"], 1.0, "technique")
    yield from console.outside(evidence, case, study.mrn, fields=_TECHNIQUE)


async def _save_technique(pilot: Pilot, told: Mapping[str, Any]) -> None:
    """Save a CT technique; a dose above the reference level is confirmed."""
    await mark_in(pilot, "Tube voltage (kV)", str(told["kv"]))
    await enter(pilot, "Tube current", str(told["ma"]))
    await mark_in(pilot, "Rotation time (s)", str(told["rotation_s"]))
    await mark_in(pilot, "Slice thickness (mm)", str(told["slice_mm"]))
    await enter(pilot, "Pitch", str(told["pitch"]))
    await enter(pilot, "Field of view", str(told["fov_mm"]))
    await choose(pilot, "Kernel", console.KERNELS[told["kernel"]])
    await press(pilot, "Save technique")
    await press_if_asked(pilot, "Confirm and save")


async def solve(pilot: Pilot, case: Case) -> None:
    """Save the technique."""
    await console.begin_exam(pilot, case)
    await console.step(pilot, "Technique")
    await _save_technique(pilot, case["technique"])


@wrong("data_accuracy/major")
async def misheard_the_current(pilot: Pilot, case: Case) -> None:
    """The tube current is 40 mA too high."""
    current = case["technique"]["ma"] + 40
    await solve(pilot, console.mistold(case, "technique", ma=current))


@wrong("data_accuracy/minor")
async def rounded_the_field_of_view(pilot: Pilot, case: Case) -> None:
    """The field of view is 5 mm too large."""
    field = case["technique"]["fov_mm"] + 5
    await solve(pilot, console.mistold(case, "technique", fov_mm=field))


@wrong("milestone:kernel")
async def forgot_the_kernel(pilot: Pilot, case: Case) -> None:
    """The kernel is not the one that was told."""
    kernel = "bone" if case["technique"]["kernel"] != "bone" else "smooth"
    await solve(pilot, console.mistold(case, "technique", kernel=kernel))


@wrong("patient_identity/critical")
async def set_for_somebody_else(pilot: Pilot, case: Case) -> None:
    """The technique went to the next examination of the list."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def exposed_a_scout(pilot: Pilot, case: Case) -> None:
    """Nothing was to be acquired yet."""
    await solve(pilot, case)
    await press(pilot, "Acquire scout")
    await press_if_asked(pilot, "Confirm and go on")
