"""Put what happened into condition, intervention and response."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused
from ..toolkit.record import Record
from ..toolkit.screen import press
from . import charting


def case(state: State, random: Random) -> Values:
    patient = charting.patient(state, "note")
    event = charting.event(random, "note", state.clock or "")
    choices = {"focus": event["focus"]}
    documented = event | {"choices": choices, "entries": {}}
    return charting.about(state, random, patient, charting.neighbour(state, patient)) | documented


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign a note that says what happened, each thing in its part."""
    yield from charting.document(Record(evidence, case["mrn"]), case.values, "notes", 1.0)
    yield from safety.outside(evidence, case, charting.scope(case, "notes"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Write the note and sign it."""
    await charting.sign_in_and_open(pilot, case)
    await charting.write(pilot, "Nursing note", case)
    await charting.sign(pilot)


@wrong("patient_identity/critical")
async def noted_on_the_next_bed(pilot: Pilot, case: Case) -> None:
    """The sheet of the next bed was open."""
    await solve(pilot, confused(case))


@wrong("workflow_safety/major")
async def left_the_note_as_a_draft(pilot: Pilot, case: Case) -> None:
    """Everything is written, nothing is signed."""
    await charting.sign_in_and_open(pilot, case)
    await charting.write(pilot, "Nursing note", case)
    await press(pilot, "Save draft")


@wrong("milestone:response")
async def forgot_what_came_of_it(pilot: Pilot, case: Case) -> None:
    """The response says nothing of what was told."""
    await solve(pilot, charting.misheard(case, "texts", response="As expected."))


@wrong("information_fidelity/major")
async def denied_what_was_done(pilot: Pilot, case: Case) -> None:
    """The intervention stands in the note as what was not done."""
    named = " or ".join(words[0] for words in case["must"]["action"])
    await solve(pilot, charting.misheard(case, "texts", action=f"The patient got no {named}."))


@wrong("information_fidelity/major")
async def invented_a_number(pilot: Pilot, case: Case) -> None:
    """A value stands in the note that nobody told."""
    text = f"{case['texts']['response']} Pulse 77."
    await solve(pilot, charting.misheard(case, "texts", response=text))
