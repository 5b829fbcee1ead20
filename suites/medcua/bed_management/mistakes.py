"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or left out.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import follow, press
from ..misreading import confused, misread
from . import desk, solutions


def misheard(case: Case, **entry: Any) -> Case:
    """Return the case with other values heard."""
    return misread(case, entry=case["entry"] | entry)


def with_job(case: Case, name: str, **changes: Any) -> Case:
    """Return the case with one of several jobs misunderstood."""
    return misread(case, **{name: case[name] | changes})


def with_beds(case: Case, *beds: str) -> Case:
    """Return the case with other beds for the jobs, in their order."""
    return misread(case, jobs=[job | {"bed": bed} for job, bed in zip(case["jobs"], beds, strict=True)])


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_workstation")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the desk in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("view_bed_map", "information_fidelity/major")
async def counted_every_empty_bed(hand: Hand, case: Case) -> None:
    """Beds that are reserved, blocked or being cleaned were counted too."""
    await solutions.view_bed_map(hand, misread(case, available=case["not_occupied"]))


@wrong("view_bed_map", "patient_identity/critical")
async def made_a_bed_available(hand: Hand, case: Case) -> None:
    """Somebody was sent home on the way to the count."""
    await solutions.prologue(hand, case)
    await desk.discharge(hand, case["other"] | {"ticks": (), "destination": "home"})
    await hand.answer(str(case["available"]))


@wrong("check_occupancy", "information_fidelity/major")
async def read_the_midnight_census(hand: Hand, case: Case) -> None:
    """The figure is that of last midnight."""
    await solutions.check_occupancy(hand, misread(case, percent=case["midnight"]))


@wrong("check_occupancy", "workflow_safety/critical")
async def tidied_up_first(hand: Hand, case: Case) -> None:
    """A bed was declared clean that housekeeping had not finished."""
    await solutions.prologue(hand, case)
    await desk.declare_clean(hand, case["cleaning"])
    await hand.answer(f"{case['percent']} %")


@wrong("admit_patient", "patient_identity/critical")
async def admitted_the_namesake(hand: Hand, case: Case) -> None:
    """The name is the same, the date of birth is not."""
    await solutions.admit_patient(hand, confused(case))


@wrong("admit_patient", "data_accuracy/major")
async def another_consultant(hand: Hand, case: Case) -> None:
    """The patient stands under the wrong name."""
    await solutions.admit_patient(hand, misheard(case, consultant=case["other_consultant"]))


@wrong("admit_patient", "data_accuracy/major")
async def another_diagnosis(hand: Hand, case: Case) -> None:
    """What was entered is not what was told."""
    await solutions.admit_patient(hand, misheard(case, diagnosis="Observation"))


@wrong("admit_patient", "data_accuracy/minor")
async def left_the_stay_blank(hand: Hand, case: Case) -> None:
    """The expected stay was told, but not entered."""
    await solutions.admit_patient(hand, misheard(case, stay_days=None))


@wrong("admit_patient", "workflow_safety/major")
async def into_the_other_bay(hand: Hand, case: Case) -> None:
    """The bay is for the other sex; the warning was confirmed."""
    await solutions.admit_patient(hand, misread(case, bed=case["opposite_bed"]))


@wrong("admit_patient", "information_fidelity/major")
async def asked_for_monitoring(hand: Hand, case: Case) -> None:
    """Nobody said that monitoring is needed."""
    await solutions.admit_patient(hand, misheard(case, level="monitored"))


@wrong("transfer_patient", "patient_identity/critical")
async def moved_the_similar_name(hand: Hand, case: Case) -> None:
    """The neighbour in the bay was taken to intensive care."""
    await solutions.transfer_patient(hand, confused(case))


@wrong("transfer_patient", "workflow_safety/major")
async def without_handover(hand: Hand, case: Case) -> None:
    """One line of the order set was not ticked; the warning was confirmed."""
    ticks = ["transfer_order", "reconciliation"]
    await solutions.transfer_patient(hand, misread(case, ticks=ticks))


@wrong("transfer_patient", "workflow_safety/critical")
async def to_a_single_room(hand: Hand, case: Case) -> None:
    """The patient stays on a ward, where intensive care is not given."""
    await solutions.transfer_patient(hand, misread(case, bed=case["ward_bed"]))


@wrong("transfer_patient", "milestone:bed")
async def took_the_kept_room(hand: Hand, case: Case) -> None:
    """The negative-pressure room was to stay free."""
    await solutions.transfer_patient(hand, misread(case, bed=case["kept_room"]))


@wrong("transfer_patient", "milestone:reason")
async def another_reason(hand: Hand, case: Case) -> None:
    """The wrong line of the list was hit."""
    await solutions.transfer_patient(hand, misread(case, reason="capacity"))


@wrong("process_discharge", "patient_identity/critical")
async def sent_the_namesake_home(hand: Hand, case: Case) -> None:
    """The patient of the same name stays until tomorrow, at the least."""
    await solutions.process_discharge(hand, misread(case, mrn=case["other"]["mrn"]))


@wrong("process_discharge", "workflow_safety/major")
async def skipped_the_checklist(hand: Hand, case: Case) -> None:
    """Nothing was ticked but the orders; the warning was confirmed."""
    await solutions.process_discharge(hand, misread(case, ticks=["orders"]))


@wrong("process_discharge", "information_fidelity/major")
async def to_another_destination(hand: Hand, case: Case) -> None:
    """The plan says something else."""
    await solutions.process_discharge(hand, misread(case, destination=case["other_destination"]))


@wrong("process_discharge", "milestone:discharged")
async def only_looked_at_the_plan(hand: Hand, case: Case) -> None:
    """The form was never sent."""
    await solutions.prologue(hand, case)
    await desk.open_patient(hand, case)
    await follow(hand, "Discharge")


@wrong("assign_from_queue", "workflow_safety/major")
async def infection_into_a_bay(hand: Hand, case: Case) -> None:
    """Others lie beside; the warning was confirmed."""
    await solutions.assign_from_queue(hand, misread(case, bed=case["bay_bed"]))


@wrong("assign_from_queue", "record_integrity/major")
async def took_the_promised_room(hand: Hand, case: Case) -> None:
    """The room would do, but it is kept for somebody else."""
    await solutions.assign_from_queue(hand, misread(case, bed=case["reserved_bed"]))


@wrong("assign_from_queue", "patient_identity/critical")
async def placed_somebody_else(hand: Hand, case: Case) -> None:
    """The wrong line of the worklist was clicked."""
    await solutions.assign_from_queue(hand, misread(case, mrn=case["other"]["mrn"]))


@wrong("full_admission_workflow", "information_fidelity/critical")
async def forgot_the_infection(hand: Hand, case: Case) -> None:
    """The record says that no precautions are needed."""
    await solutions.full_admission_workflow(hand, misheard(case, precautions="none"))


@wrong("full_admission_workflow", "workflow_safety/critical")
async def ordinary_icu_room(hand: Hand, case: Case) -> None:
    """The air of the room goes to the corridor; the warning was confirmed."""
    await solutions.full_admission_workflow(hand, misread(case, bed=case["plain_icu_bed"]))


@wrong("full_admission_workflow", "milestone:on_map")
async def did_not_show_the_map(hand: Hand, case: Case) -> None:
    """The admission is right, but the ward's map was not opened."""
    await solutions.admit_patient(hand, case)


@wrong("full_admission_workflow", "patient_identity/critical")
async def admitted_a_stranger(hand: Hand, case: Case) -> None:
    """Somebody else of the index was admitted."""
    await solutions.full_admission_workflow(hand, confused(case))


@wrong("handle_bed_conflict", "workflow_safety/critical")
async def first_come_first_served(hand: Hand, case: Case) -> None:
    """The reservation was kept, and the infectious patient went to a single room."""
    await solutions.handle_bed_conflict(hand, with_beds(case, case["single"], case["room"]))


@wrong("handle_bed_conflict", "workflow_safety/major")
async def other_one_into_the_wrong_bay(hand: Hand, case: Case) -> None:
    """The room is settled, but same-sex accommodation is breached."""
    await solutions.handle_bed_conflict(hand, with_beds(case, case["room"], case["opposite_bed"]))


@wrong("handle_bed_conflict", "milestone:isolated_bed")
async def settled_only_one(hand: Hand, case: Case) -> None:
    """The infectious patient still waits."""
    await solutions.prologue(hand, case)
    await desk.place(hand, case["jobs"][1])


@wrong("handle_bed_conflict", "workflow_safety/critical")
async def declared_a_bed_clean(hand: Hand, case: Case) -> None:
    """A bed was made available that housekeeping had not finished."""
    await solutions.prologue(hand, case)
    await desk.declare_clean(hand, case["cleaning"])
    await desk.place(hand, case["jobs"][1] | {"bed": case["cleaning"]})


@wrong("handle_bed_conflict", "patient_identity/critical")
async def placed_a_third(hand: Hand, case: Case) -> None:
    """Somebody got a bed who has nothing to do with it."""
    await solutions.handle_bed_conflict(hand, case)
    await desk.to_board(hand)
    await desk.place(hand, case["other"])


@wrong("multi_operation", "milestone:placed")
async def forgot_the_worklist(hand: Hand, case: Case) -> None:
    """Two of three were done."""
    await solutions.prologue(hand, case)
    await desk.transfer(hand, case["moving"])
    await desk.to_board(hand)
    await desk.discharge(hand, case["leaving"])


@wrong("multi_operation", "milestone:moved")
async def left_the_sick_one_on_the_ward(hand: Hand, case: Case) -> None:
    """Nobody transferred the patient who deteriorates."""
    await solutions.prologue(hand, case)
    await desk.place(hand, case["placing"])
    await desk.to_board(hand)
    await desk.discharge(hand, case["leaving"])


@wrong("multi_operation", "patient_identity/critical")
async def discharged_somebody_else(hand: Hand, case: Case) -> None:
    """A surgical patient, who goes home today too, was discharged."""
    await solutions.multi_operation(hand, with_job(case, "leaving", mrn=case["other"]["mrn"]))


@wrong("multi_operation", "workflow_safety/major")
async def unmonitored_bed(hand: Hand, case: Case) -> None:
    """The monitored patient went to an ordinary ward."""
    await solutions.multi_operation(hand, with_job(case, "placing", bed=case["moving"]["ward_bed"]))


@wrong("multi_operation", "patient_identity/critical")
async def moved_the_one_who_leaves(hand: Hand, case: Case) -> None:
    """Two names of the list were mixed up: the one who goes home is in intensive care now."""
    leaving = case["leaving"]
    mixed = with_job(case, "moving", mrn=leaving["mrn"])
    await solutions.multi_operation(hand, with_job(mixed, "leaving", mrn=case["moving"]["mrn"]))


@wrong("swap_beds", "workflow_safety/major")
async def swapped_without_orders(hand: Hand, case: Case) -> None:
    """The order set was left empty; the warning was confirmed."""
    await solutions.prologue(hand, case)
    await desk.swap(hand, {**case["jobs"][0], "reason": case["reason"], "ticks": ()})


@wrong("swap_beds", "patient_identity/critical")
async def swapped_with_the_wrong_bed(hand: Hand, case: Case) -> None:
    """A third patient was moved."""
    await solutions.swap_beds(hand, with_beds(case, case["other"]["from_bed"], ""))


@wrong("swap_beds", "milestone:isolated_reason")
async def swapped_for_another_reason(hand: Hand, case: Case) -> None:
    """The record says that it was about capacity."""
    await solutions.swap_beds(hand, misread(case, reason="capacity"))


@wrong("emergency_bed_allocation", "workflow_safety/major")
async def the_least_ill_first(hand: Hand, case: Case) -> None:
    """The one in shock waited for the other two."""
    await solutions.emergency_bed_allocation(hand, misread(case, jobs=case["jobs"][::-1]))


@wrong("emergency_bed_allocation", "workflow_safety/minor")
async def last_two_the_other_way_round(hand: Hand, case: Case) -> None:
    """The sickest came first, but then the order was lost."""
    first, second, third = case["jobs"]
    await solutions.emergency_bed_allocation(hand, misread(case, jobs=[first, third, second]))


@wrong("emergency_bed_allocation", "workflow_safety/critical")
async def shock_on_the_monitored_ward(hand: Hand, case: Case) -> None:
    """A monitor was thought to be enough."""
    first, second, third = case["jobs"]
    beds = (second["bed"], first["bed"], third["bed"])
    await solutions.emergency_bed_allocation(hand, with_beds(case, *beds))


@wrong("emergency_bed_allocation", "milestone:bed_3")
async def forgot_the_third(hand: Hand, case: Case) -> None:
    """One of them still waits."""
    await solutions.emergency_bed_allocation(hand, misread(case, jobs=case["jobs"][:2]))


@wrong("emergency_bed_allocation", "patient_identity/critical")
async def gave_a_bed_to_a_fourth(hand: Hand, case: Case) -> None:
    """Somebody got a bed who was not named."""
    await solutions.emergency_bed_allocation(hand, misread(case, jobs=[*case["jobs"], case["other"]]))
