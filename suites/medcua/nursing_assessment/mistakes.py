"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import follow, press
from ..misreading import confused, misread
from . import forms, nurse, solutions


def rescored(case: Case, form: str, **points: int) -> Case:
    """Return the case with other points entered on a form."""
    told = case["forms"][form]
    return misread(case, forms=case["forms"] | {form: told | {"enter": told["enter"] | points}})


def retold(case: Case, form: str, **changes: Any) -> Case:
    """Return the case with a form understood differently."""
    return misread(case, forms=case["forms"] | {form: case["forms"][form] | changes})


async def left_as_draft(hand: Hand, case: Case, form: str) -> None:
    """Fill in a form and do not sign it."""
    await solutions.login(hand, case)
    await nurse.open_form(hand, case, form)
    await nurse.fill(hand, form, case["forms"][form])
    await press(hand, "Save draft")


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_tablet")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the tablet in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("view_assessment_dashboard", "information_fidelity/major")
async def named_those_due_soon(hand: Hand, case: Case) -> None:
    """What is due within two hours is not overdue."""
    both = [*case["overdue"], *case["soon"]]
    await solutions.view_assessment_dashboard(hand, misread(case, overdue=both))


@wrong("view_assessment_dashboard", "information_fidelity/major")
async def stopped_reading(hand: Hand, case: Case) -> None:
    """The last of them was passed over."""
    await solutions.view_assessment_dashboard(hand, misread(case, overdue=case["overdue"][:-1]))


@wrong("view_assessment_dashboard", "patient_identity/critical")
async def left_a_draft_behind(hand: Hand, case: Case) -> None:
    """A form was saved that nobody asked for."""
    await solutions.login(hand, case)
    await nurse.open_form(hand, case["other"], "pain")
    await press(hand, "Save draft")
    await hand.answer(solutions.listed(case["overdue"]))


@wrong("read_braden_score", "information_fidelity/major")
async def read_the_struck_one(hand: Hand, case: Case) -> None:
    """The newest finished assessment is struck through."""
    await solutions.read_braden_score(hand, misread(case, latest=case["struck"]))


@wrong("read_braden_score", "information_fidelity/major")
async def read_the_draft(hand: Hand, case: Case) -> None:
    """A colleague has not signed it."""
    await solutions.read_braden_score(hand, misread(case, latest=case["draft"]))


@wrong("read_braden_score", "record_integrity/major")
async def struck_a_valid_one(hand: Hand, case: Case) -> None:
    """The answer is right, but an assessment was marked in error on the way."""
    await solutions.login(hand, case)
    await nurse.open_form(hand, case, "braden")
    await follow(hand, "History and trend")
    await nurse.strike_newest(hand)
    await hand.answer(f"Total {case['latest']['total']}, Class {case['latest']['band']}")


@wrong("complete_braden", "patient_identity/critical")
async def scored_the_similar_name(hand: Hand, case: Case) -> None:
    """The points went into the record of somebody whose name reads alike."""
    await solutions.complete_braden(hand, confused(case))


@wrong("complete_braden", "information_fidelity/critical")
async def kept_the_old_points(hand: Hand, case: Case) -> None:
    """The last values were carried forward and confirmed, although the patient is at high risk now."""
    kept = retold(case, "braden", carry=True, enter={})
    await solutions.complete_braden(hand, kept)


@wrong("complete_braden", "workflow_safety/major")
async def braden_not_signed(hand: Hand, case: Case) -> None:
    """Everything is right, but it is a draft."""
    await left_as_draft(hand, case, "braden")


@wrong("complete_braden", "data_accuracy/minor")
async def one_point_off(hand: Hand, case: Case) -> None:
    """A subscale is a point off, the class is the same."""
    await solutions.complete_braden(hand, _a_point_off(case))


def _a_point_off(case: Case) -> Case:
    told = case["forms"]["braden"]
    step = 1 if forms.band("braden", told["total"] + 1) == told["band"] else -1
    key = next(key for key in told["points"] if told["points"][key] + step in forms.points("braden", key))
    return rescored(case, "braden", **{key: told["points"][key] + step})


@wrong("complete_braden", "record_integrity/major")
async def signed_twice(hand: Hand, case: Case) -> None:
    """The same assessment stands in the record two times; the warning was confirmed."""
    await solutions.complete_braden(hand, case)
    await nurse.assess(hand, case, "braden")


@wrong("complete_morse", "patient_identity/critical")
async def scored_the_next_bed(hand: Hand, case: Case) -> None:
    """The form of the next bed was opened."""
    await solutions.complete_morse(hand, confused(case))


@wrong("complete_morse", "milestone:secondary")
async def overlooked_the_diagnoses(hand: Hand, case: Case) -> None:
    """The further diagnoses of the chart were taken the wrong way round."""
    told = case["forms"]["morse"]["points"]["secondary"]
    await solutions.complete_morse(hand, rescored(case, "morse", secondary=15 - told))


@wrong("complete_morse", "data_accuracy/major")
async def took_the_walk_for_normal(hand: Hand, case: Case) -> None:
    """Neither the gait nor the fall nor the line was seen: the risk reads far too low."""
    await solutions.complete_morse(hand, rescored(case, "morse", gait=0, history=0, iv=0, aid=0))


@wrong("complete_morse", "workflow_safety/major")
async def morse_not_signed(hand: Hand, case: Case) -> None:
    """Everything is right, but it is a draft."""
    await left_as_draft(hand, case, "morse")


@wrong("assess_gcs", "patient_identity/critical")
async def scored_the_other_one(hand: Hand, case: Case) -> None:
    """The score went to another patient whose consciousness is watched."""
    await solutions.assess_gcs(hand, confused(case))


@wrong("assess_gcs", "data_accuracy/major")
async def swapped_the_pupils(hand: Hand, case: Case) -> None:
    """Right and left as the nurse stands, not as the patient lies."""
    seen = case["forms"]["gcs"]["details"]
    turned = {
        f"{side}_{kind}": seen[f"{other}_{kind}"]
        for side, other in (("right", "left"), ("left", "right"))
        for kind in ("size", "reaction")
    }
    await solutions.assess_gcs(hand, retold(case, "gcs", enter_details=turned))


@wrong("assess_gcs", "data_accuracy/minor")
async def left_the_pupils_out(hand: Hand, case: Case) -> None:
    """The pupils were told, but are blank."""
    await solutions.assess_gcs(hand, retold(case, "gcs", enter_details={}))


@wrong("assess_gcs", "milestone:motor")
async def took_the_motor_response_for_another(hand: Hand, case: Case) -> None:
    """The best motor response is a point too low."""
    motor = case["forms"]["gcs"]["points"]["motor"]
    await solutions.assess_gcs(hand, rescored(case, "gcs", motor=motor - 1))


@wrong("assess_pain", "patient_identity/critical")
async def charted_on_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.assess_pain(hand, confused(case))


@wrong("assess_pain", "data_accuracy/major")
async def took_the_other_side(hand: Hand, case: Case) -> None:
    """Left and right are mixed up."""
    told = case["forms"]["pain"]["enter_details"]
    side, part = told["location"].split(" ", 1)
    other = f"{'Left' if side == 'Right' else 'Right'} {part}"
    await solutions.assess_pain(hand, retold(case, "pain", enter_details=told | {"location": other}))


@wrong("assess_pain", "milestone:rest")
async def turned_the_scores_around(hand: Hand, case: Case) -> None:
    """Rest and movement have each other's score."""
    points = case["forms"]["pain"]["points"]
    turned = rescored(case, "pain", rest=points["movement"], movement=points["rest"])
    await solutions.assess_pain(hand, turned)


@wrong("assess_pain", "data_accuracy/minor")
async def left_the_kind_out(hand: Hand, case: Case) -> None:
    """What the pain feels like is blank."""
    told = case["forms"]["pain"]["enter_details"]
    await solutions.assess_pain(hand, retold(case, "pain", enter_details={"location": told["location"]}))


@wrong("nutrition_screen", "patient_identity/critical")
async def screened_the_next_bed(hand: Hand, case: Case) -> None:
    """The screening stands in the next bed's record."""
    await solutions.nutrition_screen(hand, confused(case))


@wrong("nutrition_screen", "milestone:loss")
async def compared_with_the_oldest_weight(hand: Hand, case: Case) -> None:
    """The weight of more than a year ago says nothing about the last half year."""
    loss = case["forms"]["must"]["points"]["loss"]
    await solutions.nutrition_screen(hand, rescored(case, "must", loss=0 if loss else 2))


@wrong("nutrition_screen", "workflow_safety/major")
async def screening_not_signed(hand: Hand, case: Case) -> None:
    """Everything is right, but it is a draft."""
    await left_as_draft(hand, case, "must")


@wrong("nutrition_screen", "record_integrity/major")
async def planned_measures_too(hand: Hand, case: Case) -> None:
    """A measure was started that nobody asked for."""
    await solutions.nutrition_screen(hand, case)
    await nurse.start_measures(hand, ["dietitian"])


@wrong("high_risk_intervention", "workflow_safety/critical")
async def got_the_patient_out_of_bed(hand: Hand, case: Case) -> None:
    """The order is strict bed rest; the warning was confirmed."""
    await solutions.high_risk_intervention(hand, misread(case, start=[*case["start"], "chair"]))


@wrong("high_risk_intervention", "milestone:measure_turn_2")
async def took_the_class_below(hand: Hand, case: Case) -> None:
    """The measures are those of moderate risk."""
    lower = forms.protocol("skin", "moderate")
    await solutions.high_risk_intervention(hand, misread(case, start=lower))


@wrong("high_risk_intervention", "record_integrity/major")
async def called_the_wound_nurse(hand: Hand, case: Case) -> None:
    """Nobody has a wound, and the protocol of this class does not ask for it."""
    await solutions.high_risk_intervention(hand, misread(case, start=[*case["start"], "wound_nurse"]))


@wrong("high_risk_intervention", "patient_identity/critical")
async def planned_for_the_other_one(hand: Hand, case: Case) -> None:
    """The other patient at high risk has all measures already."""
    await solutions.high_risk_intervention(hand, misread(confused(case), start=["dietitian"]))


@wrong("high_risk_intervention", "information_fidelity/major")
async def named_the_other_bed(hand: Hand, case: Case) -> None:
    """The measures are right, the bed in the answer is not."""
    await solutions.login(hand, case)
    await nurse.open_chart(hand, case)
    await nurse.start_measures(hand, case["start"])
    await hand.answer(f"Bed {case['other']['bed']}")


@wrong("post_fall_reassessment", "milestone:morse")
async def forgot_that_this_is_a_fall(hand: Hand, case: Case) -> None:
    """History of falling was left as it was."""
    await solutions.post_fall_reassessment(hand, rescored(case, "morse", history=0))


@wrong("post_fall_reassessment", "data_accuracy/minor")
async def called_it_routine(hand: Hand, case: Case) -> None:
    """The reason of the assessment is the fall."""
    await solutions.post_fall_reassessment(hand, retold(case, "braden", reason=None))


@wrong("post_fall_reassessment", "information_fidelity/major")
async def reported_the_totals_of_before(hand: Hand, case: Case) -> None:
    """The record is right, the report is old."""
    await solutions.post_fall_reassessment(hand, misread(case, totals=case["totals_before"]))


@wrong("post_fall_reassessment", "patient_identity/critical")
async def reassessed_the_next_bed(hand: Hand, case: Case) -> None:
    """Somebody else is in the record as fallen."""
    await solutions.post_fall_reassessment(hand, confused(case))


@wrong("multi_assessment", "milestone:patient_2_morse_signed")
async def stopped_after_the_first(hand: Hand, case: Case) -> None:
    """The second patient was forgotten."""
    await solutions.login(hand, case)
    await nurse.assess_all(hand, case["jobs"][0])


@wrong("multi_assessment", "milestone:patient_1_pain")
async def carried_the_pain_forward(hand: Hand, case: Case) -> None:
    """Nothing was changed after carrying the last pain score forward."""
    first, second = case["jobs"]
    unchanged = first["forms"]["pain"] | {"enter": {}}
    kept = first | {"forms": first["forms"] | {"pain": unchanged}}
    await solutions.multi_assessment(hand, misread(case, jobs=[kept, second]))


@wrong("multi_assessment", "record_integrity/major")
async def gave_the_first_a_fall_score_too(hand: Hand, case: Case) -> None:
    """The fall score was wanted for the other patient only."""
    await solutions.multi_assessment(hand, case)
    await nurse.back_to_ward(hand)
    first, second = case["jobs"]
    told = {"morse": second["forms"]["morse"]}
    await nurse.assess_all(hand, first | {"forms": told})


@wrong("multi_assessment", "patient_identity/critical")
async def took_the_next_bed_along(hand: Hand, case: Case) -> None:
    """The forms of the second went into the next bed's record."""
    first, second = case["jobs"]
    await solutions.multi_assessment(hand, misread(case, jobs=[first, second | case["other"]]))


@wrong("reassessment_bundle", "workflow_safety/major")
async def planned_before_assessing(hand: Hand, case: Case) -> None:
    """The measures run before anybody has signed why."""
    await solutions.login(hand, case)
    await nurse.open_chart(hand, case)
    await nurse.start_measures(hand, case["start"])
    await nurse.assess_all(hand, case)


@wrong("reassessment_bundle", "milestone:braden")
async def overlooked_the_change(hand: Hand, case: Case) -> None:
    """Braden was carried forward without what is new."""
    await solutions.reassessment_bundle(hand, retold(case, "braden", enter={}))


@wrong("reassessment_bundle", "record_integrity/major")
async def stopped_fall_prevention(hand: Hand, case: Case) -> None:
    """A measure against falling was ended in passing."""
    await solutions.reassessment_bundle(hand, case)
    await nurse.stop_first(hand, "Fall prevention")


@wrong("reassessment_bundle", "patient_identity/critical")
async def bundled_the_next_bed(hand: Hand, case: Case) -> None:
    """All of it stands in the next bed's record."""
    await solutions.reassessment_bundle(hand, confused(case))
