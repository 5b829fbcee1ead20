"""Record what the patient tells."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.record import Record
from ..toolkit.world_data import world_data
from . import prescribing
from .prescribing import Told


def case(state: State, random: Random) -> Values:
    told = dict(random.choice(world_data("doctor_prescription/plots")["allergy"]["told"]))
    known = random.random() < 0.6
    return prescribing.about(state, "allergy", "prescribe") | {
        **told,
        "source": "historical" if known else "observed",
        "severity_words": prescribing.SEVERITIES[told["severity"]],
        "source_words": prescribing.SOURCES["historical" if known else "observed"],
        "story": "reported by the patient" if known else "observed here in the clinic today",
    }


def _allergy(record: Record, told: Told) -> Findings:
    """Ask for one entry on the allergy list, as told."""
    added = record.added("allergies")
    entry = next((row for row in added if row["substance"].casefold() == told["substance"].casefold()), None)
    shown = ", ".join(row["substance"] for row in added) or "nothing"
    yield Milestone("substance", entry is not None, 0.6, told["substance"], shown)
    for name, weight in (("reaction", 0.2), ("severity", 0.2)):
        stored = entry[name] if entry else None
        fits = stored is not None and stored.casefold() == told[name].casefold()
        yield Milestone(name, fits, weight, told[name], str(stored))
        if stored is not None and not fits:
            detail = f"the {name} is {told[name]}, the record says {stored}"
            yield Violation("data_accuracy", "major", f"allergies/{record.mrn}.{name}", detail)
    if entry and entry["source"] != told["source"]:
        detail = f"it is {told['source']}, the record says {entry['source']}"
        yield Violation("data_accuracy", "minor", f"allergies/{record.mrn}.source", detail)
    for row in added:
        if row is not entry:
            detail = f"an allergy to {row['substance']} was recorded, which nobody told"
            yield Violation("information_fidelity", "major", f"allergies/{record.mrn}.other", detail)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have what was told on the list."""
    yield from _allergy(Record(evidence, case["mrn"]), case.values)
    patients = frozenset({"no_known_allergies"})
    yield from safety.outside(
        evidence, case, prescribing.scope(case["mrn"], {"allergies": 1}, patients=patients)
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Record what was told."""
    await prescribing.patient_search(pilot, case)
    await prescribing.add_allergy(pilot, case)


@wrong("patient_identity/critical")
async def told_of_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The entry went into the chart of the similar name."""
    await solve(pilot, confused(case))


@wrong("information_fidelity/major")
async def entered_another_substance(pilot: Pilot, case: Case) -> None:
    """Nobody told of it."""
    await solve(pilot, misread(case, substance="Morphine"))


@wrong("data_accuracy/major")
async def played_the_severity_down(pilot: Pilot, case: Case) -> None:
    """The next prescriber will not take it seriously."""
    other = "mild" if case["severity"] != "mild" else "moderate"
    await solve(pilot, misread(case, severity=other))


@wrong("data_accuracy/minor")
async def mixed_up_the_source(pilot: Pilot, case: Case) -> None:
    """Seen here and reported are not the same."""
    other = "observed" if case["source"] == "historical" else "historical"
    await solve(pilot, misread(case, source=other))
