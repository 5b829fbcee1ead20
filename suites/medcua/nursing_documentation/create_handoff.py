"""Sort facts into the four parts of a handover."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, also, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused
from ..toolkit.record import Record
from . import charting


def case(state: State, random: Random) -> Values:
    patient = charting.patient(state, "handover")
    event = charting.event(random, "handover", state.clock or "")
    receivers = [row["name"] for row in state.rows("users") if row["role"] in ("staff_nurse", "charge_nurse")]
    receiver, other = random.sample(receivers, 2)
    return (
        charting.about(state, random, patient, charting.neighbour(state, patient))
        | event
        | {
            "choices": {"receiver": receiver},
            "entries": {},
            "receiver": receiver,
            "other_receiver": other,
            **event["texts"],
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign a handover whose four parts say what belongs there."""
    yield from charting.document(Record(evidence, case["mrn"]), case.values, "handovers", 1.0)
    yield from safety.outside(evidence, case, charting.scope(case, "handovers"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Write the four parts and sign them over."""
    await charting.sign_in_and_open(pilot, case)
    await charting.write(pilot, "Handover", case)
    await charting.sign(pilot)


@also
async def pressed_for_it(pilot: Pilot, case: Case) -> None:
    """The request denies a delay, and nothing else."""
    text = f"Please do not forget: {case['texts']['recommendation'].rstrip('.')} and do not delay it."
    await solve(pilot, charting.misheard(case, "texts", recommendation=text))


@wrong("information_fidelity/major")
async def took_the_request_back(pilot: Pilot, case: Case) -> None:
    """The recommendation says what was told, and that none of it is needed."""
    text = f"{case['texts']['recommendation']} On second thought, there is no need for any of this."
    await solve(pilot, charting.misheard(case, "texts", recommendation=text))


@wrong("information_fidelity/major")
async def handed_over_a_well_patient(pilot: Pilot, case: Case) -> None:
    """The situation names the trouble, and says that it is over."""
    text = f"{case['texts']['situation']} Resolved, all is fine now."
    await solve(pilot, charting.misheard(case, "texts", situation=text))


@wrong("patient_identity/critical")
async def handed_over_the_next_bed(pilot: Pilot, case: Case) -> None:
    """The sheet of the next bed was open."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def handed_over_to_somebody_else(pilot: Pilot, case: Case) -> None:
    """Another nurse is named."""
    await solve(pilot, charting.misheard(case, "choices", receiver=case["other_receiver"]))


@wrong("milestone:situation")
async def mixed_up_the_parts(pilot: Pilot, case: Case) -> None:
    """Situation and background stand in each other's place."""
    texts = case["texts"]
    turned = {"situation": texts["background"], "background": texts["situation"]}
    await solve(pilot, charting.misheard(case, "texts", **turned))


@wrong("record_integrity/major")
async def handed_over_twice(pilot: Pilot, case: Case) -> None:
    """The same handover was written again."""
    await solve(pilot, case)
    await charting.write(pilot, "Handover", case)
    await charting.sign(pilot)
