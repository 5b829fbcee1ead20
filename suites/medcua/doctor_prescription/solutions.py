"""How a careful prescriber does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow
from ..hands import sign_in as prologue
from . import clinician


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def patient_search(hand: Hand, case: Case) -> None:
    """Open the chart and leave it open."""
    await prologue(hand, case)
    await clinician.open_chart(hand, case)


async def view_medication_list(hand: Hand, case: Case) -> None:
    """Count on the medications tab."""
    await patient_search(hand, case)
    await follow(hand, "Medications")
    await hand.answer(str(case["active"]))


async def add_allergy(hand: Hand, case: Case) -> None:
    """Record what was told."""
    await patient_search(hand, case)
    await clinician.add_allergy(hand, case)


async def set_preferred_pharmacy(hand: Hand, case: Case) -> None:
    """Make the right branch the default."""
    await patient_search(hand, case)
    await clinician.prefer(hand, case["pharmacy"])


async def new_prescription(hand: Hand, case: Case) -> None:
    """Order and sign."""
    await patient_search(hand, case)
    await clinician.order(hand, case["order"])
    await clinician.sign(hand, case["code"])


async def add_outside_medication(hand: Hand, case: Case) -> None:
    """Document what was told."""
    await patient_search(hand, case)
    await clinician.document(hand, case["told"])


async def patient_consent(hand: Hand, case: Case) -> None:
    """Record the consent with its witness."""
    await patient_search(hand, case)
    await clinician.consent(hand, case)


async def change_order(hand: Hand, case: Case) -> None:
    """Change and sign."""
    await patient_search(hand, case)
    await clinician.change(hand, case["drug"], case["changes"], case["reason"])
    await clinician.sign(hand, case["code"])


async def discontinue_medication(hand: Hand, case: Case) -> None:
    """Stop, tell the pharmacy, sign."""
    await patient_search(hand, case)
    await clinician.stop(hand, case["drug"], case["reason"])
    await clinician.sign(hand, case["code"])


async def process_renewal_request(hand: Hand, case: Case) -> None:
    """Accept one request, deny the other."""
    await patient_search(hand, case)
    await follow(hand, "Renewals")
    await clinician.accept_renewal(hand, case["accepted"]["drug"], case["refills"], case["code"])
    await clinician.deny_renewal(hand, case["denied"]["drug"], case["denied"]["reason"])


async def full_prescription_workflow(hand: Hand, case: Case) -> None:
    """Stop the old medicine, order the new one, sign both."""
    await patient_search(hand, case)
    await clinician.stop(hand, case["old"]["drug"], case["old"]["reason"])
    await clinician.order(hand, case["order"])
    await clinician.sign(hand, case["code"])
