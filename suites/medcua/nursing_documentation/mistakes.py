"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import press
from ..misreading import confused, misread
from . import nurse, solutions


def misheard(case: Case, part: str, **changes: Any) -> Case:
    """Return the case with other values in one part."""
    return misread(case, **{part: case[part] | changes})


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_workstation")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the workstation in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("view_vitals", "information_fidelity/major")
async def read_the_struck_column(hand: Hand, case: Case) -> None:
    """The newest column is struck through."""
    await solutions.view_vitals(hand, misread(case, latest=case["struck"]))


@wrong("view_vitals", "information_fidelity/major")
async def said_that_nothing_was_measured(hand: Hand, case: Case) -> None:
    """The cell of the last valid column is empty, but an earlier one is not."""
    await solutions.open_sheet(hand, case)
    await hand.answer("not measured")


@wrong("view_vitals", "record_integrity/major")
async def struck_a_column(hand: Hand, case: Case) -> None:
    """The answer is right, but a valid set was struck on the way."""
    await solutions.open_sheet(hand, case)
    await nurse.strike_first_set(hand)
    await hand.answer(f"{case['latest']} °C")


@wrong("view_fluid_balance", "information_fidelity/major")
async def read_the_last_shift(hand: Hand, case: Case) -> None:
    """The column beside is that of the shift before."""
    await solutions.view_fluid_balance(hand, misread(case, balance=case["last_shift"]))


@wrong("view_fluid_balance", "information_fidelity/major")
async def read_the_intake(hand: Hand, case: Case) -> None:
    """What went in is not the balance."""
    await solutions.view_fluid_balance(hand, misread(case, balance=case["intake"]))


@wrong("record_vital_signs", "patient_identity/critical")
async def charted_on_the_similar_name(hand: Hand, case: Case) -> None:
    """The set went into somebody else's sheet."""
    await solutions.record_vital_signs(hand, confused(case))


@wrong("record_vital_signs", "data_accuracy/critical")
async def typed_a_digit_too_many(hand: Hand, case: Case) -> None:
    """Nobody has such a pulse; the warning was confirmed."""
    await solutions.record_vital_signs(hand, misheard(case, "entry", heart_rate=f"2{case['pulse']}"))


@wrong("record_vital_signs", "data_accuracy/major")
async def misheard_the_pressure(hand: Hand, case: Case) -> None:
    """The systolic pressure is 30 too high."""
    systolic = str(case["expected"]["systolic"] + 30)
    await solutions.record_vital_signs(hand, misheard(case, "entry", systolic=systolic))


@wrong("record_vital_signs", "data_accuracy/minor")
async def left_out_the_oxygen(hand: Hand, case: Case) -> None:
    """What the saturation was measured on is missing."""
    entry = {name: text for name, text in case["entry"].items() if name != "oxygen_flow"}
    pills = {"consciousness": case["pills"]["consciousness"]}
    await solutions.record_vital_signs(hand, misread(case, entry=entry, pills=pills))


@wrong("record_vital_signs", "record_integrity/major")
async def charted_twice(hand: Hand, case: Case) -> None:
    """Two columns say the same."""
    await solutions.record_vital_signs(hand, case)
    await nurse.save_vitals(hand, case["entry"], case["pills"])


@wrong("record_io", "patient_identity/critical")
async def measured_for_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.record_io(hand, confused(case))


@wrong("record_io", "data_accuracy/major")
async def counted_one_cup(hand: Hand, case: Case) -> None:
    """There was more than one cup."""
    await solutions.record_io(hand, misheard(case, "fluids", oral=case["cup"]))


@wrong("record_io", "data_accuracy/critical")
async def typed_a_nought_too_many(hand: Hand, case: Case) -> None:
    """Nobody passes so much at once; the warning was confirmed."""
    await solutions.record_io(hand, misheard(case, "fluids", urine=case["urine_ml"] * 10))


@wrong("record_io", "information_fidelity/major")
async def made_up_some_vomit(hand: Hand, case: Case) -> None:
    """Nobody told of it."""
    await solutions.record_io(hand, misheard(case, "fluids", vomit=100))


@wrong("record_io", "record_integrity/major")
async def saved_the_volumes_twice(hand: Hand, case: Case) -> None:
    """Each volume stands in the sheet two times."""
    await solutions.record_io(hand, case)
    await nurse.save_fluids(hand, case["fluids"])


@wrong("write_nursing_note", "patient_identity/critical")
async def noted_on_the_next_bed(hand: Hand, case: Case) -> None:
    """The sheet of the next bed was open."""
    await solutions.write_nursing_note(hand, confused(case))


@wrong("write_nursing_note", "workflow_safety/major")
async def left_the_note_as_a_draft(hand: Hand, case: Case) -> None:
    """Everything is written, nothing is signed."""
    await solutions.open_sheet(hand, case)
    await nurse.write(hand, "Nursing note", case)
    await press(hand, "Save draft")


@wrong("write_nursing_note", "milestone:response")
async def forgot_what_came_of_it(hand: Hand, case: Case) -> None:
    """The response says nothing of what was told."""
    await solutions.write_nursing_note(hand, misheard(case, "texts", response="As expected."))


@wrong("write_nursing_note", "information_fidelity/major")
async def invented_a_number(hand: Hand, case: Case) -> None:
    """A value stands in the note that nobody told."""
    text = f"{case['texts']['response']} Pulse 77."
    await solutions.write_nursing_note(hand, misheard(case, "texts", response=text))


@wrong("create_handoff", "patient_identity/critical")
async def handed_over_the_next_bed(hand: Hand, case: Case) -> None:
    """The sheet of the next bed was open."""
    await solutions.create_handoff(hand, confused(case))


@wrong("create_handoff", "data_accuracy/major")
async def handed_over_to_somebody_else(hand: Hand, case: Case) -> None:
    """Another nurse is named."""
    await solutions.create_handoff(hand, misheard(case, "choices", receiver=case["other_receiver"]))


@wrong("create_handoff", "milestone:situation")
async def mixed_up_the_parts(hand: Hand, case: Case) -> None:
    """Situation and background stand in each other's place."""
    texts = case["texts"]
    turned = {"situation": texts["background"], "background": texts["situation"]}
    await solutions.create_handoff(hand, misheard(case, "texts", **turned))


@wrong("create_handoff", "record_integrity/major")
async def handed_over_twice(hand: Hand, case: Case) -> None:
    """The same handover was written again."""
    await solutions.create_handoff(hand, case)
    await nurse.write(hand, "Handover", case)
    await nurse.sign(hand)


@wrong("wound_assessment", "patient_identity/critical")
async def charted_the_wound_of_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.wound_assessment(hand, confused(case))


@wrong("wound_assessment", "milestone:region")
async def took_the_other_side(hand: Hand, case: Case) -> None:
    """Left and right are mixed up."""
    await solutions.wound_assessment(hand, misheard(case, "wound", region=case["mirrored"]))


@wrong("wound_assessment", "data_accuracy/major")
async def staged_it_wrongly(hand: Hand, case: Case) -> None:
    """What is seen belongs to another stage."""
    other = "stage_3" if case["wound"]["stage"] != "stage_3" else "stage_2"
    await solutions.wound_assessment(hand, misheard(case, "wound", stage=other))


@wrong("wound_assessment", "data_accuracy/minor")
async def left_the_exudate_out(hand: Hand, case: Case) -> None:
    """The exudate was told, but is blank."""
    await solutions.wound_assessment(hand, misheard(case, "wound", exudate=None))


@wrong("identify_deterioration", "workflow_safety/critical")
async def went_on_with_routine(hand: Hand, case: Case) -> None:
    """The score is right, but nobody is called; the warning was confirmed."""
    await solutions.identify_deterioration(hand, misread(case, response="routine"))


@wrong("identify_deterioration", "patient_identity/critical")
async def escalated_for_the_fever(hand: Hand, case: Case) -> None:
    """The highest temperature belongs to somebody else."""
    await solutions.identify_deterioration(hand, confused(case))


@wrong("identify_deterioration", "milestone:news2")
async def miscounted_the_score(hand: Hand, case: Case) -> None:
    """One parameter was forgotten."""
    await solutions.identify_deterioration(hand, misread(case, news2=case["news2"] - 1))


@wrong("identify_deterioration", "information_fidelity/major")
async def reported_another_bed(hand: Hand, case: Case) -> None:
    """The record is right, the report is not."""
    await solutions.open_sheet(hand, case)
    await nurse.escalate(hand, case["news2"], case["response"])
    await hand.answer(f"Bed {case['other']['bed']}, NEWS2 {case['news2']}")


@wrong("complete_shift_documentation", "workflow_safety/major")
async def signed_off_first(hand: Hand, case: Case) -> None:
    """Everything is charted in the end, but the signature came before."""
    await solutions.open_sheet(hand, case)
    await nurse.sign_off(hand)
    await hand.click('role=link[name="Vital signs"]')
    await nurse.save_vitals(hand, case["entry"], case["pills"])
    await nurse.save_fluids(hand, case["fluids"])


@wrong("complete_shift_documentation", "milestone:signed_off")
async def forgot_to_sign_off(hand: Hand, case: Case) -> None:
    """All points are done, the signature is missing."""
    await solutions.record_vital_signs(hand, case)
    await nurse.save_fluids(hand, case["fluids"])


@wrong("complete_shift_documentation", "milestone:urine")
async def forgot_the_output(hand: Hand, case: Case) -> None:
    """Intake without output is no balance."""
    fluids = {kind: volume for kind, volume in case["fluids"].items() if kind != "urine"}
    await solutions.complete_shift_documentation(hand, misread(case, fluids=fluids))


@wrong("complete_shift_documentation", "patient_identity/critical")
async def finished_the_next_bed(hand: Hand, case: Case) -> None:
    """The sheet of the next bed was open."""
    await solutions.complete_shift_documentation(hand, confused(case))


@wrong("fluid_balance_correction", "record_integrity/major")
async def overwrote_the_volume(hand: Hand, case: Case) -> None:
    """The balance is right, but what was charted before cannot be seen any more."""
    await solutions.open_sheet(hand, case)
    await nurse.open_entry(hand, case["kind_words"], case["typed"], case["time"])
    await hand.fill('role=textbox[name="Right volume"]', str(case["right"]))
    await press(hand, "Overwrite volume")
    await hand.answer(f"Bed {case['bed']}, Balance {case['balance']} ml")


@wrong("fluid_balance_correction", "information_fidelity/critical")
async def struck_a_right_entry(hand: Hand, case: Case) -> None:
    """The urine entry beside the wrong one was taken for it."""
    beside = case["beside"]
    taken = misread(case, kind_words="Urine", typed=beside["volume"], time=beside["time"])
    await solutions.fluid_balance_correction(hand, taken)


@wrong("fluid_balance_correction", "data_accuracy/minor")
async def gave_another_reason(hand: Hand, case: Case) -> None:
    """The value was wrong, not the patient."""
    await solutions.fluid_balance_correction(hand, misread(case, reason="Wrong patient"))


@wrong("fluid_balance_correction", "information_fidelity/major")
async def reported_the_balance_of_before(hand: Hand, case: Case) -> None:
    """The correction is right, the report is not."""
    await solutions.fluid_balance_correction(hand, misread(case, balance=case["balance_before"]))


@wrong("fluid_balance_correction", "milestone:replaced")
async def only_struck_it(hand: Hand, case: Case) -> None:
    """What was measured is nowhere."""
    await solutions.open_sheet(hand, case)
    await nurse.open_entry(hand, case["kind_words"], case["typed"], case["time"])
    await nurse.strike_volume(hand, case["reason"])


@wrong("rapid_response_note", "patient_identity/critical")
async def recorded_for_the_fever(hand: Hand, case: Case) -> None:
    """The team was with somebody else."""
    await solutions.rapid_response_note(hand, confused(case))


@wrong("rapid_response_note", "data_accuracy/major")
async def turned_the_times_around(hand: Hand, case: Case) -> None:
    """The time of arrival is that of the call."""
    await solutions.rapid_response_note(hand, misheard(case, "entries", arrived_at=case["called_at"]))


@wrong("rapid_response_note", "milestone:news2")
async def forgot_a_parameter(hand: Hand, case: Case) -> None:
    """The score is too low."""
    await solutions.rapid_response_note(hand, misheard(case, "entries", news2=str(case["news2"] - 2)))


@wrong("rapid_response_note", "workflow_safety/major")
async def left_the_record_as_a_draft(hand: Hand, case: Case) -> None:
    """Everything is written, nothing is signed."""
    await solutions.open_sheet(hand, case)
    await nurse.write(hand, "Rapid response", case)
    await press(hand, "Save draft")


@wrong("rapid_response_note", "milestone:actions")
async def left_out_the_fluids(hand: Hand, case: Case) -> None:
    """The bolus is not in the record."""
    flow = case["must"]["actions"][0][0]
    text = f"Oxygen {flow} L/min by mask, blood gas taken."
    await solutions.rapid_response_note(hand, misheard(case, "texts", actions=text))
