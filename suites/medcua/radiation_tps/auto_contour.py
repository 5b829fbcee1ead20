"""Contour what is missing, and no more."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.screen import choose, follow, press, tick
from . import planning

MODELS = {"head_neck": "Head and neck", "thorax": "Thorax", "pelvis": "Male pelvis"}
_CONTOUR = frozenset({"contoured", "source", "changed_by", "changed_at"})


def case(state: State, random: Random) -> Values:
    values = planning.about(state, "contour", "structures")
    rows = state.rows("structures", mrn=values["mrn"])
    missing = [row["name"] for row in rows if not row["contoured"]]
    there = [row["name"] for row in rows if row["contoured"] and row["kind"] == "organ"]
    other = values["other"]
    lacking = [row["name"] for row in state.rows("structures", mrn=other["mrn"]) if not row["contoured"]]
    site = state.row("patients", mrn=other["mrn"])["site"]
    return values | {
        "model": MODELS[values["site"]],
        "names": missing,
        "names_words": ", ".join(missing),
        "organ": there[0],
        "other": other | {"model": MODELS[site], "names": lacking},
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Have everything contoured that was missing, and nothing replaced."""
    names = case["names"]
    for place, name in enumerate(names, 1):
        source = evidence.after.collections["structures"][f"{case['mrn']}|{name}"]["source"]
        wanted, seen = f"{name} contoured", source or "no contour"
        yield Milestone(f"contour_{place}", source == "auto", 1 / len(names), wanted, seen)
    for write in evidence.journal:
        if (
            write.collection == "structures"
            and write.row["mrn"] == case["mrn"]
            and write.row["name"] not in names
        ):
            detail = f"the contour of {write.row['name']} was changed, which was there already"
            yield Violation("record_integrity", "major", f"structures/{write.key}", detail, committed=True)
    yield from planning.confined(evidence, case, case["mrn"], fields={"structures": _CONTOUR})


async def _contour(pilot: Pilot, model: str, names: Iterable[str]) -> None:
    """Run a model for some structures."""
    await follow(pilot, "Contours")
    await choose(pilot, "Model", model)
    await press(pilot, "Load model")
    for name in names:
        await tick(pilot, name)
    await press(pilot, "Run auto-contouring")


async def solve(pilot: Pilot, case: Case) -> None:
    """Contour what is missing."""
    await planning.open_patient(pilot, case)
    await _contour(pilot, case["model"], case["names"])


@wrong("record_integrity/major")
async def replaced_a_contour(pilot: Pilot, case: Case) -> None:
    """A contour was run again that a colleague had drawn."""
    await solve(pilot, misread(case, names=[*case["names"], case["organ"]]))


@wrong("milestone:contour_2")
async def contoured_only_one(pilot: Pilot, case: Case) -> None:
    """The rest of the organs is missing."""
    await solve(pilot, misread(case, names=case["names"][:1]))


@wrong("patient_identity/critical")
async def contoured_somebody_else(pilot: Pilot, case: Case) -> None:
    """The model ran on the CT of another patient."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def prescribed_as_well(pilot: Pilot, case: Case) -> None:
    """The prescription was not asked for."""
    await solve(pilot, case)
    await planning.prescribe(pilot, planning.SOMETHING)
