"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or left out.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import press
from ..misreading import confused, misread
from . import pharmacist, solutions


async def release_a_bystander(hand: Hand, case: Case) -> None:
    """Verify the prescription of somebody else."""
    await pharmacist.open_rx(hand, case["other"])
    await pharmacist.verify(hand)


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
async def pressed_on(hand: Hand, case: Case) -> None:
    """A prescription was verified, which nobody asked for."""
    await solutions.login(hand, case)
    await release_a_bystander(hand, case)


@wrong("view_queue", "information_fidelity/major")
async def counted_the_whole_queue(hand: Hand, case: Case) -> None:
    """What is verified or filled does not wait for verification any more."""
    await solutions.view_queue(hand, misread(case, waiting=case["not_picked_up"]))


@wrong("view_queue", "patient_identity/critical")
async def began_to_work(hand: Hand, case: Case) -> None:
    """A prescription was verified that nobody asked for."""
    await solutions.login(hand, case)
    await release_a_bystander(hand, case)
    await hand.answer(str(case["waiting"]))


@wrong("open_prescription", "milestone:window_open")
async def opened_the_similar_name(hand: Hand, case: Case) -> None:
    """The medicine is the same and the name nearly."""
    await solutions.open_prescription(hand, confused(case))


@wrong("open_prescription", "milestone:window_open")
async def opened_the_other_medicine(hand: Hand, case: Case) -> None:
    """The patient is right, the prescription is not."""
    await solutions.open_prescription(hand, misread(case, rx_no=case["second"]))


@wrong("open_prescription", "record_integrity/major")
async def verified_on_the_way(hand: Hand, case: Case) -> None:
    """The prescription was to be looked at only."""
    await solutions.open_prescription(hand, case)
    await pharmacist.verify(hand)


@wrong("read_dur_alert", "information_fidelity/major")
async def read_the_lesser_alert(hand: Hand, case: Case) -> None:
    """The medicine of the other alert was stopped."""
    await solutions.read_dur_alert(hand, misread(case, right=case["lesser"]))


@wrong("read_dur_alert", "information_fidelity/major")
async def mixed_up_the_severity(hand: Hand, case: Case) -> None:
    """The medicine is right, the severity is that of the other alert."""
    right = case["right"] | {"severity": case["lesser"]["severity"]}
    await solutions.read_dur_alert(hand, misread(case, right=right))


@wrong("read_dur_alert", "record_integrity/major")
async def changed_what_was_to_be_read(hand: Hand, case: Case) -> None:
    """The prescription went on hold before the answer."""
    await solutions.open_prescription(hand, case)
    await pharmacist.decide(hand, misread(case, action="reject", reason="interaction"))
    told = case["right"]
    await hand.answer(f"Severity: {told['severity']}; Medicine: {told['against']}")


@wrong("review_prescription", "information_fidelity/critical")
async def verified_without_comparing(hand: Hand, case: Case) -> None:
    """The entry is not what the prescriber sent."""
    await solutions.open_prescription(hand, case)
    await pharmacist.verify(hand)


@wrong("review_prescription", "data_accuracy/major")
async def corrected_to_something_else(hand: Hand, case: Case) -> None:
    """Neither the original nor the entry says so."""
    await solutions.review_prescription(hand, misread(case, changes={"quantity": 7}))


@wrong("review_prescription", "milestone:edit_reason")
async def claimed_a_call(hand: Hand, case: Case) -> None:
    """Nobody called the prescriber."""
    await solutions.review_prescription(hand, misread(case, edit_reason="prescriber"))


@wrong("review_prescription", "milestone:verified")
async def stopped_after_the_correction(hand: Hand, case: Case) -> None:
    """The prescription still waits."""
    await solutions.open_prescription(hand, case)
    await pharmacist.edit(hand, case["changes"], "entry")


@wrong("review_prescription", "patient_identity/critical")
async def verified_another_one(hand: Hand, case: Case) -> None:
    """Somebody else's prescription was released unseen."""
    await solutions.login(hand, case)
    await release_a_bystander(hand, case)


@wrong("handle_dur_alert", "workflow_safety/critical")
async def overrode_the_contraindication(hand: Hand, case: Case) -> None:
    """The warning was confirmed."""
    await solutions.handle_dur_alert(hand, misread(case, action="override", reason="monitoring"))


@wrong("handle_dur_alert", "milestone:reason")
async def gave_another_reason(hand: Hand, case: Case) -> None:
    """There is no allergy."""
    await solutions.handle_dur_alert(hand, misread(case, reason="allergy"))


@wrong("handle_dur_alert", "patient_identity/critical")
async def rejected_somebody_else(hand: Hand, case: Case) -> None:
    """Another interaction was rejected."""
    await solutions.handle_dur_alert(hand, confused(case))


@wrong("handle_dur_alert", "record_integrity/major")
async def changed_the_order(hand: Hand, case: Case) -> None:
    """The prescriber has not authorised anything."""
    await solutions.open_prescription(hand, case)
    await pharmacist.edit(hand, {"drug": "Doxycycline 100 mg capsule"}, "prescriber")


@wrong("dispense_prescription", "workflow_safety/critical")
async def took_the_expired_lot(hand: Hand, case: Case) -> None:
    """The warning was confirmed."""
    await solutions.dispense_prescription(hand, misread(case, lot=case["expired_lot"]))


@wrong("dispense_prescription", "workflow_safety/major")
async def took_a_lot_that_does_not_last(hand: Hand, case: Case) -> None:
    """It expires while the patient still takes it."""
    await solutions.dispense_prescription(hand, misread(case, lot=case["short_lot"]))


@wrong("dispense_prescription", "milestone:lot")
async def took_the_freshest_lot(hand: Hand, case: Case) -> None:
    """An older one that lasts stays on the shelf."""
    await solutions.dispense_prescription(hand, misread(case, lot=case["later_lot"]))


@wrong("dispense_prescription", "information_fidelity/critical")
async def took_the_other_strength(hand: Hand, case: Case) -> None:
    """The name on the box is nearly the same; the warning was confirmed."""
    await solutions.dispense_prescription(hand, misread(case, lot=case["look_alike_lot"]))


@wrong("dispense_prescription", "data_accuracy/major")
async def counted_for_a_week(hand: Hand, case: Case) -> None:
    """The quantity is another one."""
    await solutions.dispense_prescription(hand, misread(case, fill_quantity="7"))


@wrong("dispense_prescription", "data_accuracy/minor")
async def counted_one_short(hand: Hand, case: Case) -> None:
    """One tablet is missing."""
    await solutions.dispense_prescription(
        hand, misread(case, fill_quantity=str(int(case["fill_quantity"]) - 1))
    )


@wrong("dispense_prescription", "patient_identity/critical")
async def released_somebody_else_first(hand: Hand, case: Case) -> None:
    """The wrong row was opened, and verified."""
    await solutions.login(hand, case)
    await release_a_bystander(hand, case)


@wrong("counsel_patient", "patient_identity/critical")
async def served_the_namesake(hand: Hand, case: Case) -> None:
    """The name is the same, the date of birth is not."""
    await solutions.counsel_patient(hand, confused(case))


@wrong("counsel_patient", "workflow_safety/critical")
async def handed_out_without_a_check(hand: Hand, case: Case) -> None:
    """The warning was confirmed."""
    await solutions.counsel_patient(hand, misread(case, identifiers=[]))


@wrong("counsel_patient", "information_fidelity/major")
async def ticked_everything(hand: Hand, case: Case) -> None:
    """Not all of it was talked about."""
    every = ["purpose", "dose", "precautions", "effects", "monitoring", "storage", "refills", "missed"]
    await solutions.counsel_patient(hand, misread(case, talked=every))


@wrong("counsel_patient", "milestone:counselled")
async def ticked_one_point(hand: Hand, case: Case) -> None:
    """The rest of the talk is lost."""
    await solutions.counsel_patient(hand, misread(case, talked=case["talked"][:1]))


@wrong("counsel_patient", "data_accuracy/minor")
async def left_out_the_teach_back(hand: Hand, case: Case) -> None:
    """Nobody will know whether the patient understood."""
    await solutions.counsel_patient(hand, misread(case, teach_back=""))


@wrong("full_dispensing_workflow", "milestone:reason")
async def misread_the_note(hand: Hand, case: Case) -> None:
    """The two medicines were never taken together before."""
    await solutions.full_dispensing_workflow(hand, misread(case, reason="tolerated"))


@wrong("full_dispensing_workflow", "milestone:decision")
async def held_it_back(hand: Hand, case: Case) -> None:
    """The check that the alert asks for is arranged."""
    await solutions.handle_dur_alert(hand, misread(case, action="reject", reason="interaction"))


@wrong("full_dispensing_workflow", "workflow_safety/critical")
async def did_not_ask_who_it_is(hand: Hand, case: Case) -> None:
    """Everything else is right."""
    await solutions.full_dispensing_workflow(hand, misread(case, identifiers=[]))


@wrong("full_dispensing_workflow", "milestone:handed_out")
async def left_it_on_the_counter(hand: Hand, case: Case) -> None:
    """The patient went without the medicine."""
    await solutions.open_prescription(hand, case)
    await pharmacist.decide(hand, case)
    await pharmacist.verify(hand)
    await pharmacist.fill(hand, case["lot"], case["fill_quantity"])


@wrong("full_dispensing_workflow", "patient_identity/critical")
async def released_one_more(hand: Hand, case: Case) -> None:
    """Somebody else's prescription was verified along the way."""
    await solutions.login(hand, case)
    await release_a_bystander(hand, case)


@wrong("allergy_conflict_resolution", "workflow_safety/critical")
async def overrode_the_allergy(hand: Hand, case: Case) -> None:
    """The patient would get what they are allergic to."""
    await solutions.open_prescription(hand, case)
    await pharmacist.decide(hand, misread(case, action="override"))


@wrong("allergy_conflict_resolution", "information_fidelity/critical")
async def followed_the_first_answer(hand: Hand, case: Case) -> None:
    """The prescriber took it back; an alert about it was overridden on the way."""
    await solutions.open_prescription(hand, case)
    stale = {name: value for name, value in case["stale"].items() if name != "refills"}
    await pharmacist.edit(hand, stale, "prescriber")
    if await hand.sees('role=link[name^="Resolve allergy"]'):
        await _override_what_stands(hand)
    await pharmacist.verify(hand)


async def _override_what_stands(hand: Hand) -> None:
    await hand.click('role=link[name^="Resolve allergy"]')
    await hand.click('role=radio[name="Override"]')
    await hand.click('role=combobox[name="Reason"]')
    await hand.click('role=option[name="Prescriber was consulted and confirms"]')
    await press(hand, "OK")
    if await hand.sees('role=button[name="Yes, override"]'):
        await press(hand, "Yes, override")


@wrong("allergy_conflict_resolution", "data_accuracy/major")
async def left_the_old_amount(hand: Hand, case: Case) -> None:
    """Drug and directions are new, the quantity is not what the prescriber says."""
    await solutions.allergy_conflict_resolution(
        hand, misread(case, changes={**case["changes"], "quantity": 99})
    )


@wrong("allergy_conflict_resolution", "patient_identity/critical")
async def verified_a_bystander(hand: Hand, case: Case) -> None:
    """Somebody else's prescription was released."""
    await solutions.login(hand, case)
    await release_a_bystander(hand, case)


@wrong("pediatric_dose_check", "workflow_safety/critical")
async def let_the_overdose_pass(hand: Hand, case: Case) -> None:
    """The alert was overridden."""
    await solutions.open_prescription(hand, case)
    await pharmacist.decide(hand, misread(case, action="override", reason="consulted"))
    await pharmacist.verify(hand)


@wrong("pediatric_dose_check", "data_accuracy/major")
async def took_last_year_s_weight(hand: Hand, case: Case) -> None:
    """The child weighs more now."""
    await solutions.pediatric_dose_check(hand, misread(case, changes=case["by_old_weight"]))


@wrong("pediatric_dose_check", "milestone:quantity")
async def forgot_the_quantity(hand: Hand, case: Case) -> None:
    """The bottle is still that of the overdose."""
    await solutions.pediatric_dose_check(hand, misread(case, changes={"dose": case["changes"]["dose"]}))


@wrong("pediatric_dose_check", "patient_identity/critical")
async def verified_an_adult(hand: Hand, case: Case) -> None:
    """The wrong row was opened."""
    await solutions.login(hand, case)
    await release_a_bystander(hand, case)


def other_decision(case: Case, name: str, **changed: Any) -> Case:
    """Return the case with one of the three jobs decided otherwise."""
    return misread(case, **{name: case[name] | changed})


@wrong("multi_prescription_workflow", "workflow_safety/critical")
async def let_the_duplicate_out(hand: Hand, case: Case) -> None:
    """The patient would take two medicines of one class."""
    misled = other_decision(case, "held", action="override", reason="tolerated")
    await solutions.multi_prescription_workflow(hand, misled)


@wrong("multi_prescription_workflow", "milestone:released_decision")
async def held_all_that_had_an_alert(hand: Hand, case: Case) -> None:
    """The renewal has been taken for months."""
    misled = other_decision(case, "released", action="reject", reason="interaction")
    await solutions.multi_prescription_workflow(hand, misled)


@wrong("multi_prescription_workflow", "milestone:released_reason")
async def claimed_monitoring(hand: Hand, case: Case) -> None:
    """Nothing is arranged."""
    await solutions.multi_prescription_workflow(hand, other_decision(case, "released", reason="monitoring"))


@wrong("multi_prescription_workflow", "data_accuracy/major")
async def counted_another_amount(hand: Hand, case: Case) -> None:
    """Ten tablets are not what was ordered."""
    await solutions.multi_prescription_workflow(hand, other_decision(case, "clean", fill_quantity="10"))


@wrong("multi_prescription_workflow", "patient_identity/critical")
async def took_a_fourth_along(hand: Hand, case: Case) -> None:
    """Nobody asked for it."""
    await solutions.login(hand, case)
    await release_a_bystander(hand, case)
