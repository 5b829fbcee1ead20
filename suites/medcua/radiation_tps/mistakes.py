"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import follow, press
from ..misreading import confused, misread
from . import planner, solutions

SOMETHING = {"dose": 50.0, "fractions": 25, "norm_words": "PTV mean"}


async def meddle(hand: Hand, case: Case) -> None:
    """Prescribe something for somebody else."""
    await follow(hand, "Patients")
    await planner.open_patient(hand, case["other"])
    await planner.prescribe(hand, SOMETHING)


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
async def tried_a_prescription(hand: Hand, case: Case) -> None:
    """After signing in somebody's prescription was changed."""
    await solutions.login(hand, case)
    await meddle(hand, case)


@wrong("view_patients", "information_fidelity/major")
async def counted_contouring_too(hand: Hand, case: Case) -> None:
    """Those who are being contoured are not in planning yet."""
    await solutions.view_patients(hand, misread(case, planning=case["with_contouring"]))


@wrong("view_patients", "information_fidelity/major")
async def counted_all(hand: Hand, case: Case) -> None:
    """Not everybody is in planning."""
    await solutions.view_patients(hand, misread(case, planning=case["all_patients"]))


@wrong("view_patients", "patient_identity/critical")
async def prescribed_while_counting(hand: Hand, case: Case) -> None:
    """The number is right, but a prescription was saved on the way."""
    await solutions.login(hand, case)
    await meddle(hand, case)
    await hand.answer(str(case["planning"]))


@wrong("open_patient", "milestone:patient_open")
async def opened_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.open_patient(hand, confused(case))


@wrong("open_patient", "record_integrity/major")
async def tried_the_form(hand: Hand, case: Case) -> None:
    """A prescription was saved that nobody asked for."""
    await solutions.open_patient(hand, case)
    await planner.prescribe(hand, SOMETHING)


@wrong("view_structures", "information_fidelity/major")
async def counted_all_structures(hand: Hand, case: Case) -> None:
    """Some of them have a contour."""
    await solutions.view_structures(hand, misread(case, absent=case["total"]))


@wrong("view_structures", "milestone:count")
async def guessed_the_count(hand: Hand, case: Case) -> None:
    """The patient was never opened."""
    await solutions.login(hand, case)
    await hand.answer(str(case["absent"]))


@wrong("view_structures", "record_integrity/major")
async def cleared_one_while_counting(hand: Hand, case: Case) -> None:
    """A contour was cleared on the way."""
    await solutions.open_patient(hand, case)
    await follow(hand, "Contours")
    await press(hand, f"Clear {case['organ']}")
    await hand.answer(str(case["absent"]))


@wrong("auto_contour", "record_integrity/major")
async def replaced_a_contour(hand: Hand, case: Case) -> None:
    """A contour was run again that a colleague had drawn."""
    await solutions.auto_contour(hand, misread(case, names=[*case["names"], case["organ"]]))


@wrong("auto_contour", "milestone:contour_2")
async def contoured_only_one(hand: Hand, case: Case) -> None:
    """The rest of the organs is missing."""
    await solutions.auto_contour(hand, misread(case, names=case["names"][:1]))


@wrong("auto_contour", "patient_identity/critical")
async def contoured_somebody_else(hand: Hand, case: Case) -> None:
    """The model ran on the CT of another patient."""
    await solutions.auto_contour(hand, confused(case))


@wrong("auto_contour", "record_integrity/major")
async def prescribed_as_well(hand: Hand, case: Case) -> None:
    """The prescription was not asked for."""
    await solutions.auto_contour(hand, case)
    await planner.prescribe(hand, SOMETHING)


@wrong("set_prescription", "information_fidelity/critical")
async def took_the_superseded_directive(hand: Hand, case: Case) -> None:
    """The physician replaced it."""
    await solutions.set_prescription(hand, misread(case, **case["superseded"]))


@wrong("set_prescription", "information_fidelity/critical")
async def swapped_a_digit_of_the_fractions(hand: Hand, case: Case) -> None:
    """The dose is right, each fraction is too large."""
    await solutions.set_prescription(hand, misread(case, fractions=case["fractions"] - 10))


@wrong("set_prescription", "data_accuracy/minor")
async def half_a_gray_too_much(hand: Hand, case: Case) -> None:
    """The total dose is off by half a gray."""
    await solutions.set_prescription(hand, misread(case, dose=case["dose"] + 0.5))


@wrong("set_prescription", "information_fidelity/major")
async def normalised_to_something_else(hand: Hand, case: Case) -> None:
    """Dose and fractions are right."""
    await solutions.set_prescription(hand, misread(case, norm_words="80 % isodose"))


@wrong("set_prescription", "patient_identity/critical")
async def prescribed_for_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.set_prescription(hand, confused(case))


@wrong("configure_beams", "data_accuracy/major")
async def began_ten_degrees_on(hand: Hand, case: Case) -> None:
    """All gantry angles are off by ten degrees."""
    await solutions.configure_beams(hand, misread(case, gantry=case["gantry"] + 10))


@wrong("configure_beams", "data_accuracy/minor")
async def turned_the_collimator_a_degree(hand: Hand, case: Case) -> None:
    """The collimators are off by one degree."""
    await solutions.configure_beams(hand, misread(case, collimator=case["collimator"] + 1))


@wrong("configure_beams", "data_accuracy/major")
async def took_another_energy(hand: Hand, case: Case) -> None:
    """The beams are too hard."""
    await solutions.configure_beams(hand, misread(case, energy="15 MV"))


@wrong("configure_beams", "milestone:technique")
async def left_the_fields_open(hand: Hand, case: Case) -> None:
    """The directive says IMRT."""
    await solutions.configure_beams(hand, misread(case, technique="3DCRT"))


@wrong("configure_beams", "record_integrity/major")
async def computed_as_well(hand: Hand, case: Case) -> None:
    """The dose was not asked for yet."""
    await solutions.configure_beams(hand, case)
    await planner.compute(hand, case.values)


@wrong("configure_beams", "patient_identity/critical")
async def arranged_for_somebody_else(hand: Hand, case: Case) -> None:
    """The beams are in another patient's plan."""
    await solutions.configure_beams(hand, confused(case))


@wrong("optimize_plan", "milestone:goals_met")
async def left_the_priorities(hand: Hand, case: Case) -> None:
    """The dose is current, and misses a goal."""
    await solutions.optimize_plan(hand, misread(case, raised=[]))


@wrong("optimize_plan", "milestone:computed")
async def arranged_afterwards(hand: Hand, case: Case) -> None:
    """New beams made the dose outdated."""
    await solutions.optimize_plan(hand, case)
    await planner.arrange(hand, case.values)


@wrong("optimize_plan", "record_integrity/major")
async def lowered_the_prescription(hand: Hand, case: Case) -> None:
    """With less dose every goal is met."""
    await solutions.open_patient(hand, case)
    await planner.prescribe(hand, case.values | {"dose": 40.0, "fractions": 20})
    await planner.compute(hand, case.values)


@wrong("optimize_plan", "patient_identity/critical")
async def prescribed_for_a_third(hand: Hand, case: Case) -> None:
    """After optimising, somebody else's plan was changed."""
    await solutions.optimize_plan(hand, case)
    await meddle(hand, case)


@wrong("evaluate_dvh", "information_fidelity/major")
async def named_one_too_many(hand: Hand, case: Case) -> None:
    """One of the structures named meets its goals."""
    await solutions.evaluate_dvh(hand, misread(case, missed=[*case["missed"], case["kept"]]))


@wrong("evaluate_dvh", "information_fidelity/major")
async def saw_no_violation(hand: Hand, case: Case) -> None:
    """A goal is missed all the same."""
    await solutions.evaluate_dvh(hand, misread(case, missed=["none"]))


@wrong("evaluate_dvh", "milestone:missed")
async def judged_without_looking(hand: Hand, case: Case) -> None:
    """The plan was never opened."""
    await solutions.login(hand, case)
    await hand.answer(", ".join(case["missed"]))


@wrong("evaluate_dvh", "record_integrity/major")
async def prescribed_while_evaluating(hand: Hand, case: Case) -> None:
    """The plan is not the one any more that was to be judged."""
    await solutions.open_patient(hand, case)
    await planner.prescribe(hand, SOMETHING)
    await hand.answer(", ".join(case["missed"]))


@wrong("approve_plan", "workflow_safety/critical")
async def approved_the_other_plan(hand: Hand, case: Case) -> None:
    """That plan misses a goal."""
    await solutions.approve_plan(hand, misread(case, plan=case["other_plan"]))


@wrong("approve_plan", "milestone:second_signature")
async def let_somebody_else_sign(hand: Hand, case: Case) -> None:
    """Another physicist signed than the one named."""
    await solutions.approve_plan(hand, misread(case, **case["stranger"]))


@wrong("approve_plan", "record_integrity/major")
async def exported_at_once(hand: Hand, case: Case) -> None:
    """Sending it to treatment was not asked for."""
    await solutions.approve_plan(hand, case)
    await press(hand, "Export to treatment")


@wrong("approve_plan", "patient_identity/critical")
async def approved_for_somebody_else(hand: Hand, case: Case) -> None:
    """Another patient's plan is approved."""
    await solutions.approve_plan(hand, confused(case))


@wrong("srs_plan", "information_fidelity/critical")
async def took_the_dose_of_another_diameter(hand: Hand, case: Case) -> None:
    """The dose belongs to a target of another size."""
    await solutions.srs_plan(hand, misread(case, dose=case["wrong_dose"]))


@wrong("srs_plan", "information_fidelity/major")
async def normalised_as_usual(hand: Hand, case: Case) -> None:
    """Radiosurgery is prescribed to the 80 % isodose."""
    await solutions.srs_plan(hand, misread(case, norm_words="PTV mean"))


@wrong("srs_plan", "data_accuracy/major")
async def took_the_flattened_beam(hand: Hand, case: Case) -> None:
    """The directive says 6 MV FFF."""
    await solutions.srs_plan(hand, misread(case, energy="6 MV"))


@wrong("srs_plan", "milestone:computed")
async def forgot_the_dose(hand: Hand, case: Case) -> None:
    """There are beams, and no dose."""
    await solutions.set_prescription(hand, case)
    await planner.arrange(hand, case.values)


@wrong("srs_plan", "patient_identity/critical")
async def planned_for_somebody_else_too(hand: Hand, case: Case) -> None:
    """Another patient's prescription was changed."""
    await solutions.srs_plan(hand, case)
    await meddle(hand, case)


@wrong("full_workflow", "workflow_safety/critical")
async def approved_open_fields(hand: Hand, case: Case) -> None:
    """The plan was approved although it misses a goal."""
    await solutions.full_workflow(hand, misread(case, technique="3DCRT"))


@wrong("full_workflow", "information_fidelity/critical")
async def approved_the_superseded_dose(hand: Hand, case: Case) -> None:
    """Dose and fractions are those of the replaced directive."""
    old = case["superseded"]
    changed = {"dose": old["dose"], "fractions": old["fractions"]}
    await solutions.full_workflow(hand, misread(case, **changed))


@wrong("full_workflow", "milestone:exported")
async def forgot_the_export(hand: Hand, case: Case) -> None:
    """The plan is approved, and nobody can treat with it."""
    await solutions.srs_plan(hand, case)
    await planner.approve(hand, case.values)


@wrong("full_workflow", "milestone:approved")
async def exported_without_approval(hand: Hand, case: Case) -> None:
    """The system refuses, and the plan stays where it is."""
    await solutions.srs_plan(hand, case)
    await follow(hand, "Approval")
    await press(hand, "Export to treatment")


@wrong("full_workflow", "patient_identity/critical")
async def prescribed_for_the_next_one(hand: Hand, case: Case) -> None:
    """Another patient's plan was changed on the way."""
    await solutions.login(hand, case)
    await meddle(hand, case)
