"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or left out.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import follow, press
from ..misreading import misread
from . import solutions, station


def misheard(case: Case, name: str = "", **told: Any) -> Case:
    """Return the case with another value heard, for the task as a whole or for one of its jobs."""
    job = case[name] if name else case.values
    changed = {"expected": job["expected"] | told}
    return misread(case, **({name: job | changed} if name else changed))


async def charted_elsewhere(hand: Hand, case: Case) -> None:
    """Chart care of somebody whom the task is not about, and return to the overview."""
    await solutions.prologue(hand, case)
    await station.open_patient(hand, case["other"])
    await station.chart_done(hand, case["other"])
    await follow(hand, "Overview")


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_workstation")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the station in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("view_care_compass", "information_fidelity/major")
async def counted_the_tasks(hand: Hand, case: Case) -> None:
    """Tasks were asked for by nobody, patients were."""
    await solutions.view_care_compass(hand, misread(case, patients=case["tasks"]))


@wrong("view_care_compass", "information_fidelity/major")
async def said_none(hand: Hand, case: Case) -> None:
    """The cards were not looked at closely."""
    await solutions.view_care_compass(hand, misread(case, patients=0))


@wrong("view_care_compass", "patient_identity/critical")
async def began_to_work_it_off(hand: Hand, case: Case) -> None:
    """A task was charted on the way to the count."""
    await charted_elsewhere(hand, case)
    await hand.answer(str(case["patients"]))


@wrong("establish_relationship", "patient_identity/critical")
async def took_a_colleagues_patient(hand: Hand, case: Case) -> None:
    """One more row was ticked, of a patient who belongs to somebody else."""
    await solutions.establish_relationship(hand, misread(case, jobs=[*case["jobs"], case["other"]]))


@wrong("establish_relationship", "milestone:relationship_2")
async def forgot_one(hand: Hand, case: Case) -> None:
    """Only the first row was ticked."""
    await solutions.establish_relationship(hand, misread(case, jobs=case["jobs"][:1]))


@wrong("establish_relationship", "data_accuracy/major")
async def as_covering_nurse(hand: Hand, case: Case) -> None:
    """The role is not the one that was meant."""
    await solutions.establish_relationship(hand, misread(case, role="covering"))


@wrong("review_new_orders", "milestone:acknowledged")
async def overlooked_the_last_order(hand: Hand, case: Case) -> None:
    """One order is still new."""
    await solutions.review_new_orders(hand, misread(case, orders=case["orders"][:-1]))


@wrong("review_new_orders", "patient_identity/critical")
async def ticked_the_next_room(hand: Hand, case: Case) -> None:
    """An order of another patient was acknowledged, too."""
    orders = [*case["orders"], case["other"]["order"]]
    await solutions.review_new_orders(hand, misread(case, orders=orders))


@wrong("review_new_orders", "record_integrity/major")
async def queried_what_was_clear(hand: Hand, case: Case) -> None:
    """Nothing speaks against the order that was sent back."""
    await solutions.review_new_orders(hand, misread(case, orders=case["orders"][1:]))
    await station.query(hand, case["orders"][0], "dose")


@wrong("complete_task", "workflow_safety/critical")
async def without_the_second_nurse(hand: Hand, case: Case) -> None:
    """The warning that nobody else signed was confirmed."""
    await solutions.complete_task(hand, misread(case, second_user=None))


@wrong("complete_task", "workflow_safety/critical")
async def without_reading_the_band(hand: Hand, case: Case) -> None:
    """The warning that the identity is not checked was confirmed."""
    await solutions.complete_task(hand, misread(case, unread=True))


@wrong("complete_task", "data_accuracy/critical")
async def ten_times_the_dose(hand: Hand, case: Case) -> None:
    """A decimal place went wrong; the warning was confirmed."""
    await solutions.complete_task(hand, misheard(case, dose=case["dose"] * 10))


@wrong("complete_task", "data_accuracy/major")
async def the_dose_of_the_evening(hand: Hand, case: Case) -> None:
    """The other line of the same medicine was read."""
    later = case["later"]["dose"]
    dose = later if case["dose"] / 3 < later < case["dose"] * 3 else case["dose"] + 1
    await solutions.complete_task(hand, misheard(case, dose=dose))


@wrong("complete_task", "data_accuracy/major")
async def by_another_route(hand: Hand, case: Case) -> None:
    """It was charted as taken by mouth."""
    await solutions.complete_task(hand, misheard(case, route="oral"))


@wrong("complete_task", "record_integrity/major")
async def gave_the_evening_dose_now(hand: Hand, case: Case) -> None:
    """The task of the evening was opened; the warning that it is early was confirmed."""
    later = case["later"]
    changed = {"task": later["task"], "expected": later["expected"]}
    await solutions.complete_task(hand, misread(case, **changed))


@wrong("complete_task", "patient_identity/critical")
async def gave_to_somebody_else(hand: Hand, case: Case) -> None:
    """Another patient's medicine was charted without reading the band."""
    await solutions.complete_task(hand, misread(case, **case["other"], unread=True, second_user=None))


@wrong("chart_not_done", "information_fidelity/major")
async def gave_another_reason(hand: Hand, case: Case) -> None:
    """The reason is not the one that was told."""
    await solutions.chart_not_done(hand, misread(case, reason=case["other_reason"]))


@wrong("chart_not_done", "record_integrity/major")
async def left_out_the_wrong_task(hand: Hand, case: Case) -> None:
    """Another task of the same patient was charted as not done."""
    await solutions.chart_not_done(hand, misread(case, task=case["neighbour"]["task"]))


@wrong("chart_not_done", "patient_identity/critical")
async def left_out_for_somebody_else(hand: Hand, case: Case) -> None:
    """The task belongs to another patient."""
    await solutions.chart_not_done(hand, misread(case, **case["other"]))


@wrong("specimen_collection", "data_accuracy/major")
async def into_the_wrong_tube(hand: Hand, case: Case) -> None:
    """The laboratory cannot use it."""
    await solutions.specimen_collection(hand, misread(case, container=case["wrong_container"]))


@wrong("specimen_collection", "workflow_safety/major")
async def labelled_at_the_desk(hand: Hand, case: Case) -> None:
    """Label and patient were not together; the warning was confirmed."""
    await solutions.specimen_collection(hand, misread(case, labelled=False))


@wrong("specimen_collection", "workflow_safety/critical")
async def drew_without_identifying(hand: Hand, case: Case) -> None:
    """The wristband was not read."""
    await solutions.specimen_collection(hand, misread(case, unread=True))


@wrong("specimen_collection", "record_integrity/major")
async def took_the_other_specimen_too(hand: Hand, case: Case) -> None:
    """The other one was to wait."""
    await solutions.specimen_collection(hand, case)
    await station.collect(hand, case["second"])


@wrong("specimen_collection", "patient_identity/critical")
async def went_to_another_bed_first(hand: Hand, case: Case) -> None:
    """Care of somebody else was charted on the way."""
    await charted_elsewhere(hand, case)
    await station.open_patient(hand, case)
    await station.collect(hand, dict(case.values))


@wrong("view_patient_snapshot", "information_fidelity/major")
async def read_the_struck_entry_too(hand: Hand, case: Case) -> None:
    """An allergy that was entered in error was reported."""
    await solutions.view_patient_snapshot(hand, misread(case, substances=case["all_substances"]))


@wrong("view_patient_snapshot", "information_fidelity/major")
async def told_another_code(hand: Hand, case: Case) -> None:
    """The code status is not the patient's."""
    await solutions.view_patient_snapshot(hand, misread(case, code=case["wrong_code"]))


@wrong("view_patient_snapshot", "record_integrity/major")
async def charted_while_looking(hand: Hand, case: Case) -> None:
    """The answer is right, but a task of the patient was closed on the way."""
    await solutions.prologue(hand, case)
    await station.open_patient(hand, case)
    await station.chart_done(hand, case["touched"])
    await follow(hand, "Snapshot")
    substances = ", ".join(case["substances"])
    await hand.answer(f"Allergies: {substances}; Code status: {case['code']}; Isolation: {case['isolation']}")


@wrong("handle_stat_order", "milestone:given")
async def only_took_note(hand: Hand, case: Case) -> None:
    """The order was acknowledged, and the patient still waits."""
    await solutions.prologue(hand, case)
    await station.acknowledge(hand, case["orders"])


@wrong("handle_stat_order", "record_integrity/major")
async def acknowledged_the_routine_order_too(hand: Hand, case: Case) -> None:
    """The other order was to stay for later."""
    await solutions.handle_stat_order(hand, misread(case, orders=[*case["orders"], case["routine"]]))


@wrong("handle_stat_order", "workflow_safety/critical")
async def too_urgent_for_a_second_nurse(hand: Hand, case: Case) -> None:
    """Nobody else checked."""
    await solutions.handle_stat_order(hand, misread(case, second_user=None))


@wrong("handle_stat_order", "data_accuracy/critical")
async def a_tenth_of_the_dose(hand: Hand, case: Case) -> None:
    """A decimal place went wrong."""
    await solutions.handle_stat_order(hand, misheard(case, dose=case["dose"] / 10))


@wrong("handle_stat_order", "patient_identity/critical")
async def first_something_else(hand: Hand, case: Case) -> None:
    """Care of another patient was charted before."""
    await charted_elsewhere(hand, case)
    await station.acknowledge(hand, case["orders"])


@wrong("manage_overdue_tasks", "information_fidelity/critical")
async def charted_the_medicine_as_given(hand: Hand, case: Case) -> None:
    """It was told that the patient did not get it."""
    await solutions.prologue(hand, case)
    await station.open_patient(hand, case)
    await station.give(hand, case["medicine"])


@wrong("manage_overdue_tasks", "data_accuracy/minor")
async def one_point_off(hand: Hand, case: Case) -> None:
    """The score is one higher than was told."""
    await solutions.manage_overdue_tasks(hand, misheard(case, "pain", pain=case["score"] + 1))


@wrong("manage_overdue_tasks", "data_accuracy/major")
async def turned_the_other_way(hand: Hand, case: Case) -> None:
    """The position charted is not the one the patient lies in."""
    await solutions.manage_overdue_tasks(hand, misheard(case, "position", position=case["other_side"]))


@wrong("manage_overdue_tasks", "milestone:pain")
async def forgot_the_pain(hand: Hand, case: Case) -> None:
    """Two of three were settled."""
    await solutions.prologue(hand, case)
    await station.open_patient(hand, case)
    await station.leave_out(hand, case["medicine"])
    await station.observe(hand, case["position"])


@wrong("manage_overdue_tasks", "patient_identity/critical")
async def helped_a_neighbour(hand: Hand, case: Case) -> None:
    """Care of another patient was charted, too."""
    await charted_elsewhere(hand, case)
    await station.open_patient(hand, case)
    await station.observe(hand, case["pain"])


@wrong("batch_order_review", "workflow_safety/critical")
async def ticked_everything(hand: Hand, case: Case) -> None:
    """The order against the allergy was acknowledged with the rest."""
    await solutions.prologue(hand, case)
    await station.acknowledge(hand, [*case["orders"], case["conflict"]])


@wrong("batch_order_review", "milestone:query_reason")
async def asked_something_else(hand: Hand, case: Case) -> None:
    """The prescriber is asked about the dose."""
    await solutions.prologue(hand, case)
    await station.acknowledge(hand, case["orders"])
    await station.query(hand, case["conflict"], "dose")


@wrong("batch_order_review", "milestone:queried")
async def left_it_lying(hand: Hand, case: Case) -> None:
    """The dangerous order was neither acknowledged nor sent back."""
    await solutions.prologue(hand, case)
    await station.acknowledge(hand, case["orders"])


@wrong("batch_order_review", "record_integrity/major")
async def sent_back_one_too_many(hand: Hand, case: Case) -> None:
    """A harmless order was queried, too."""
    await solutions.batch_order_review(hand, misread(case, orders=case["orders"][1:]))
    await station.query(hand, case["orders"][0], "allergy")


@wrong("batch_order_review", "patient_identity/critical")
async def charted_in_between(hand: Hand, case: Case) -> None:
    """Care of somebody without new orders was charted."""
    await charted_elsewhere(hand, case)
    await station.acknowledge(hand, case["orders"])


@wrong("full_shift_workflow", "milestone:relationship_2")
async def only_the_new_patient(hand: Hand, case: Case) -> None:
    """The relationship with one more own patient is still missing."""
    await solutions.full_shift_workflow(hand, misread(case, jobs=case["jobs"][:1]))


@wrong("full_shift_workflow", "data_accuracy/major")
async def lactate_into_the_wrong_tube(hand: Hand, case: Case) -> None:
    """A purple cap stops nothing."""
    specimen = case["specimen"] | {"container": "purple"}
    await solutions.full_shift_workflow(hand, misread(case, specimen=specimen))


@wrong("full_shift_workflow", "workflow_safety/critical")
async def in_a_hurry(hand: Hand, case: Case) -> None:
    """The wristband of the new patient was not read."""
    specimen = case["specimen"] | {"unread": True}
    await solutions.full_shift_workflow(hand, misread(case, specimen=specimen))


@wrong("full_shift_workflow", "patient_identity/critical")
async def took_over_too_many(hand: Hand, case: Case) -> None:
    """A colleague's patient was taken over, too."""
    await solutions.full_shift_workflow(hand, misread(case, jobs=[*case["jobs"], case["other"]]))


@wrong("full_shift_workflow", "milestone:care")
async def never_showed_the_bell(hand: Hand, case: Case) -> None:
    """The last of the first tasks is still due."""
    await solutions.prologue(hand, case)
    await station.establish(hand, case["jobs"], case["role"])
    await station.acknowledge(hand, case["orders"])
    await follow(hand, "Overview")
    await station.open_patient(hand, case)
    await station.collect(hand, case["specimen"])
    await station.observe(hand, case["pain"])
    await station.observe(hand, case["position"])
