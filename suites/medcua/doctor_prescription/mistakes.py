"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or left out.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import follow, press
from ..misreading import confused, misread
from . import clinician, solutions


def ordered(case: Case, **changes: Any) -> Case:
    """Return the case with another order understood."""
    return misread(case, order=case["order"] | changes)


def reported(case: Case, **changes: Any) -> Case:
    """Return the case with another outside medication understood."""
    return misread(case, told=case["told"] | changes)


LATEX = {"substance": "Latex", "reaction": "Rash", "severity": "mild", "source": "historical"}


async def document_for_another(hand: Hand, case: Case) -> None:
    """Write into somebody else's chart."""
    await solutions.patient_search(hand, confused(case))
    await clinician.add_allergy(hand, LATEX)


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_workstation")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the workstation in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("login", "patient_identity/critical")
async def began_to_write(hand: Hand, case: Case) -> None:
    """Nobody asked for an entry in any chart."""
    await solutions.login(hand, case)
    await clinician.open_first_chart(hand)
    await clinician.add_allergy(hand, LATEX)


@wrong("patient_search", "milestone:chart_open")
async def opened_the_namesake(hand: Hand, case: Case) -> None:
    """The name is the same, the date of birth is not."""
    await solutions.patient_search(hand, confused(case))


@wrong("patient_search", "patient_identity/critical")
async def wrote_into_the_namesake(hand: Hand, case: Case) -> None:
    """The chart was not even to be written in."""
    await document_for_another(hand, case)


@wrong("patient_search", "record_integrity/major")
async def wrote_an_allergy_on_the_way(hand: Hand, case: Case) -> None:
    """The chart was only to be opened."""
    await solutions.patient_search(hand, case)
    await clinician.add_allergy(hand, LATEX)


@wrong("view_medication_list", "information_fidelity/major")
async def counted_all_that_is_listed(hand: Hand, case: Case) -> None:
    """Some were stopped or have expired."""
    await solutions.view_medication_list(hand, misread(case, active=case["listed"]))


@wrong("view_medication_list", "information_fidelity/major")
async def counted_outside_medications_too(hand: Hand, case: Case) -> None:
    """Those are prescribed elsewhere."""
    await solutions.view_medication_list(hand, misread(case, active=case["with_outside"]))


@wrong("view_medication_list", "patient_identity/critical")
async def corrected_another_chart(hand: Hand, case: Case) -> None:
    """An entry was made for somebody else on the way."""
    await document_for_another(hand, case)
    await hand.answer(str(case["active"]))


@wrong("add_allergy", "patient_identity/critical")
async def told_of_the_similar_name(hand: Hand, case: Case) -> None:
    """The entry went into the chart of the similar name."""
    await solutions.add_allergy(hand, confused(case))


@wrong("add_allergy", "information_fidelity/major")
async def entered_another_substance(hand: Hand, case: Case) -> None:
    """Nobody told of it."""
    await solutions.add_allergy(hand, misread(case, substance="Morphine"))


@wrong("add_allergy", "data_accuracy/major")
async def played_the_severity_down(hand: Hand, case: Case) -> None:
    """The next prescriber will not take it seriously."""
    other = "mild" if case["severity"] != "mild" else "moderate"
    await solutions.add_allergy(hand, misread(case, severity=other))


@wrong("add_allergy", "data_accuracy/minor")
async def mixed_up_the_source(hand: Hand, case: Case) -> None:
    """Seen here and reported are not the same."""
    other = "observed" if case["source"] == "historical" else "historical"
    await solutions.add_allergy(hand, misread(case, source=other))


@wrong("set_preferred_pharmacy", "information_fidelity/major")
async def took_the_other_branch(hand: Hand, case: Case) -> None:
    """The name is the same, the number is not."""
    await solutions.set_preferred_pharmacy(hand, misread(case, pharmacy=case["branch"]))


@wrong("set_preferred_pharmacy", "milestone:default")
async def did_not_make_it_the_default(hand: Hand, case: Case) -> None:
    """Orders still go where they went."""
    await solutions.patient_search(hand, case)
    await clinician.prefer(hand, case["pharmacy"], default=False)


@wrong("set_preferred_pharmacy", "patient_identity/critical")
async def moved_somebody_else(hand: Hand, case: Case) -> None:
    """Another patient's orders go elsewhere now."""
    await solutions.set_preferred_pharmacy(hand, confused(case))


@wrong("new_prescription", "patient_identity/critical")
async def prescribed_for_the_similar_name(hand: Hand, case: Case) -> None:
    """The pharmacy has it already."""
    await solutions.new_prescription(hand, confused(case))


@wrong("new_prescription", "information_fidelity/critical")
async def took_another_line_of_the_list(hand: Hand, case: Case) -> None:
    """Another medicine was chosen."""
    await solutions.new_prescription(hand, ordered(case, drug="Hydralazine 25 mg tablet"))


@wrong("new_prescription", "data_accuracy/major")
async def doubled_the_dose(hand: Hand, case: Case) -> None:
    """An order check may have spoken against it, and was overridden."""
    await solutions.new_prescription(hand, ordered(case, dose=case["order"]["dose"] * 2))


@wrong("new_prescription", "data_accuracy/minor")
async def counted_one_more(hand: Hand, case: Case) -> None:
    """The quantity is off by one."""
    await solutions.new_prescription(hand, ordered(case, quantity=case["order"]["quantity"] + 1))


@wrong("new_prescription", "milestone:details")
async def sent_it_elsewhere(hand: Hand, case: Case) -> None:
    """The patient will wait at another counter."""
    await solutions.new_prescription(hand, ordered(case, pharmacy=case["other_pharmacy"]))


@wrong("new_prescription", "workflow_safety/major")
async def forgot_to_sign(hand: Hand, case: Case) -> None:
    """The order never takes effect."""
    await solutions.patient_search(hand, case)
    await clinician.order(hand, case["order"])


@wrong("add_outside_medication", "data_accuracy/major")
async def mixed_up_the_schedule(hand: Hand, case: Case) -> None:
    """It is taken at other times."""
    other = "tid" if case["told"]["schedule"] != "tid" else "daily"
    await solutions.add_outside_medication(hand, reported(case, schedule=other))


@wrong("add_outside_medication", "data_accuracy/minor")
async def left_out_who_prescribes(hand: Hand, case: Case) -> None:
    """Nobody can ask there."""
    await solutions.add_outside_medication(hand, reported(case, prescriber=""))


@wrong("add_outside_medication", "patient_identity/critical")
async def documented_it_for_somebody_else(hand: Hand, case: Case) -> None:
    """Another patient does not take it."""
    await solutions.add_outside_medication(hand, confused(case))


@wrong("add_outside_medication", "record_integrity/major")
async def documented_it_twice(hand: Hand, case: Case) -> None:
    """It seems to be taken two times."""
    await solutions.add_outside_medication(hand, case)
    await clinician.document(hand, case["told"])


@wrong("patient_consent", "workflow_safety/critical")
async def recorded_it_without_the_witness(hand: Hand, case: Case) -> None:
    """The warning was confirmed."""
    await solutions.patient_consent(hand, misread(case, witness=""))


@wrong("patient_consent", "patient_identity/critical")
async def recorded_it_for_somebody_else(hand: Hand, case: Case) -> None:
    """Another patient never consented."""
    await solutions.patient_search(hand, confused(case))
    await clinician.consent(hand, case, "Medication history query")


@wrong("patient_consent", "milestone:witness")
async def asked_another_witness(hand: Hand, case: Case) -> None:
    """The other nurse was not in the room."""
    other = {"witness": case["other_witness"], "witness_password": case["other_password"]}
    await solutions.patient_consent(hand, misread(case, **other))


@wrong("patient_consent", "information_fidelity/major")
async def named_another_signer(hand: Hand, case: Case) -> None:
    """Somebody else signed."""
    other = "guardian" if case["signer"] != "guardian" else "parent"
    await solutions.patient_consent(hand, misread(case, signer=other))


@wrong("patient_consent", "information_fidelity/critical")
async def recorded_another_consent(hand: Hand, case: Case) -> None:
    """It is not what was agreed to."""
    await solutions.patient_search(hand, case)
    await clinician.consent(hand, case, "Opioid treatment agreement")


@wrong("change_order", "milestone:dose")
async def left_it_unsigned(hand: Hand, case: Case) -> None:
    """The old dose stays."""
    await solutions.patient_search(hand, case)
    await clinician.change(hand, case["drug"], case["changes"], case["reason"])


@wrong("change_order", "data_accuracy/major")
async def kept_the_old_quantity(hand: Hand, case: Case) -> None:
    """It lasts half of the month."""
    await solutions.change_order(hand, misread(case, changes={"dose": case["changes"]["dose"]}))


@wrong("change_order", "milestone:reason")
async def gave_another_reason(hand: Hand, case: Case) -> None:
    """The patient did not ask for it."""
    await solutions.change_order(hand, misread(case, reason="wish"))


@wrong("change_order", "patient_identity/critical")
async def worked_in_another_chart(hand: Hand, case: Case) -> None:
    """Somebody else's chart was open."""
    await document_for_another(hand, case)


@wrong("discontinue_medication", "information_fidelity/critical")
async def stopped_the_look_alike(hand: Hand, case: Case) -> None:
    """The name begins alike, or the line was the next one."""
    await solutions.discontinue_medication(hand, misread(case, drug=case["beside"]["drug"]))


@wrong("discontinue_medication", "workflow_safety/major")
async def did_not_tell_the_pharmacy(hand: Hand, case: Case) -> None:
    """Refills are left there."""
    await solutions.patient_search(hand, case)
    await clinician.stop(hand, case["drug"], case["reason"], "Do not send")
    await clinician.sign(hand, case["code"])


@wrong("discontinue_medication", "milestone:stop_reason")
async def gave_the_wrong_reason(hand: Hand, case: Case) -> None:
    """There is no duplicate."""
    await solutions.discontinue_medication(hand, misread(case, reason="duplicate"))


@wrong("discontinue_medication", "patient_identity/critical")
async def entered_it_elsewhere(hand: Hand, case: Case) -> None:
    """Somebody else's chart was open."""
    await document_for_another(hand, case)


@wrong("process_renewal_request", "workflow_safety/critical")
async def accepted_both(hand: Hand, case: Case) -> None:
    """The chart speaks against one of them."""
    await solutions.patient_search(hand, case)
    await follow(hand, "Renewals")
    for name in ("accepted", "denied"):
        await clinician.accept_renewal(hand, case[name]["drug"], case["refills"], case["code"])


@wrong("process_renewal_request", "information_fidelity/major")
async def denied_both(hand: Hand, case: Case) -> None:
    """One of them is in order."""
    await solutions.patient_search(hand, case)
    await follow(hand, "Renewals")
    for name in ("accepted", "denied"):
        await clinician.deny_renewal(hand, case[name]["drug"], "visit")


@wrong("process_renewal_request", "milestone:denial_reason")
async def denied_for_no_reason_of_the_chart(hand: Hand, case: Case) -> None:
    """The pharmacy will tell the patient something false."""
    await solutions.process_renewal_request(
        hand, misread(case, denied=case["denied"] | {"reason": "controlled"})
    )


@wrong("process_renewal_request", "data_accuracy/major")
async def granted_another_number(hand: Hand, case: Case) -> None:
    """Eleven refills are not what was wanted."""
    await solutions.process_renewal_request(hand, misread(case, refills=11))


@wrong("process_renewal_request", "patient_identity/critical")
async def was_in_another_chart(hand: Hand, case: Case) -> None:
    """Somebody else's chart was open."""
    await document_for_another(hand, case)


@wrong("full_prescription_workflow", "milestone:stopped")
async def left_the_old_one(hand: Hand, case: Case) -> None:
    """The patient takes both now."""
    await solutions.new_prescription(hand, case)


@wrong("full_prescription_workflow", "milestone:ordered")
async def stopped_only(hand: Hand, case: Case) -> None:
    """The patient has nothing now."""
    await solutions.discontinue_medication(hand, misread(case, **case["old"]))


@wrong("full_prescription_workflow", "workflow_safety/major")
async def kept_the_pharmacy_in_the_dark(hand: Hand, case: Case) -> None:
    """The old medicine may still be dispensed."""
    await solutions.patient_search(hand, case)
    await clinician.stop(hand, case["old"]["drug"], "adverse", "Do not send")
    await clinician.order(hand, case["order"])
    await clinician.sign(hand, case["code"])


@wrong("full_prescription_workflow", "data_accuracy/major")
async def granted_other_refills(hand: Hand, case: Case) -> None:
    """Nine refills are not what was told."""
    await solutions.full_prescription_workflow(hand, ordered(case, refills=9))


@wrong("full_prescription_workflow", "record_integrity/major")
async def put_the_reaction_on_the_allergy_list(hand: Hand, case: Case) -> None:
    """Nobody called it an allergy."""
    await solutions.patient_search(hand, case)
    told = {"substance": case["old_drug"], "reaction": "Rash", "severity": "mild", "source": "historical"}
    await clinician.add_allergy(hand, told)
