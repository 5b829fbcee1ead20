"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import follow, press
from ..misreading import confused, misread
from . import endoscopist, solutions


def assessed_as(case: Case, **changed: Any) -> Case:
    """Return the case with other values of the assessment."""
    return misread(case, entry=case["entry"] | changed)


def seen_as(case: Case, **changed: Any) -> Case:
    """Return the case with the lesion taken for something else."""
    return misread(case, lesion=case["lesion"] | changed)


def gone_as(case: Case, **changed: Any) -> Case:
    """Return the case with another course."""
    return misread(case, course=case["course"] | changed)


def later(case: Case) -> str:
    """Return a recommendation that puts the next look off too long."""
    return "none" if case["recommendation"] == "screening" else "screening"


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_workstation")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the workstation in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("view_schedule", "information_fidelity/major")
async def counted_all_rooms(hand: Hand, case: Case) -> None:
    """The number is that of the whole unit."""
    await solutions.view_schedule(hand, misread(case, booked=case["in_all_rooms"]))


@wrong("view_schedule", "patient_identity/critical")
async def assessed_one(hand: Hand, case: Case) -> None:
    """An assessment was saved that nobody asked for."""
    await solutions.select_case(hand, confused(case))
    entry = {"asa": 2, "last_fluids": "05:00", "antithrombotic": "none"}
    await endoscopist.assess(hand, entry)
    await hand.answer(str(case["booked"]))


@wrong("select_case", "milestone:case_open")
async def opened_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same, the procedure is not."""
    await solutions.select_case(hand, confused(case))


@wrong("select_case", "record_integrity/major")
async def assessed_it_too(hand: Hand, case: Case) -> None:
    """The case was only to be opened."""
    await solutions.select_case(hand, case)
    await endoscopist.assess(hand, {"asa": 2, "last_fluids": "05:00", "antithrombotic": "none"})


@wrong("view_patient_info", "information_fidelity/major")
async def read_the_note_of_years_ago(hand: Hand, case: Case) -> None:
    """Class and drug were those of an earlier visit."""
    await solutions.view_patient_info(hand, misread(case, now=case["then"]))


@wrong("view_patient_info", "information_fidelity/major")
async def turned_stopped_around(hand: Hand, case: Case) -> None:
    """Drug and class are right, the rest is the opposite."""
    now = case["now"]
    await solutions.view_patient_info(hand, misread(case, now=now | {"stopped": not now["stopped"]}))


@wrong("view_patient_info", "milestone:values")
async def guessed(hand: Hand, case: Case) -> None:
    """The answer is right, but nobody looked."""
    await solutions.login(hand, case)
    await hand.answer(solutions.reading(case["now"]))


@wrong("complete_preassess", "information_fidelity/major")
async def one_class_off(hand: Hand, case: Case) -> None:
    """The history means another class."""
    asa = case["entry"]["asa"]
    await solutions.complete_preassess(hand, assessed_as(case, asa=asa + 1 if asa < 4 else 3))


@wrong("complete_preassess", "data_accuracy/major")
async def another_hour(hand: Hand, case: Case) -> None:
    """The last drink was an hour earlier in the record."""
    hour, minute = case["entry"]["last_fluids"].split(":")
    await solutions.complete_preassess(hand, assessed_as(case, last_fluids=f"{int(hour) - 1:02d}:{minute}"))


@wrong("complete_preassess", "data_accuracy/minor")
async def rounded_the_time(hand: Hand, case: Case) -> None:
    """The last drink was one minute off."""
    hour, minute = case["entry"]["last_fluids"].split(":")
    near = int(minute) + (1 if int(minute) < 59 else -1)
    await solutions.complete_preassess(hand, assessed_as(case, last_fluids=f"{hour}:{near:02d}"))


@wrong("complete_preassess", "milestone:consent")
async def left_the_consent(hand: Hand, case: Case) -> None:
    """The warning was confirmed."""
    await solutions.complete_preassess(hand, assessed_as(case, consent=False))


@wrong("complete_preassess", "patient_identity/critical")
async def assessed_somebody_else(hand: Hand, case: Case) -> None:
    """The assessment stands in another case."""
    await solutions.complete_preassess(hand, confused(case))


@wrong("complete_preassess", "record_integrity/major")
async def started_as_well(hand: Hand, case: Case) -> None:
    """The procedure was started, which nobody asked for."""
    await solutions.complete_preassess(hand, case)
    await endoscopist.start_alone(hand)


@wrong("mark_landmarks", "information_fidelity/critical")
async def took_a_fold_for_the_appendix(hand: Hand, case: Case) -> None:
    """The picture shows plain bowel."""
    await solutions.mark_landmarks(
        hand, misread(case, pictures=case["pictures"] | {"appendix": case["plain"]})
    )


@wrong("mark_landmarks", "milestone:retroflexion")
async def left_the_rectum(hand: Hand, case: Case) -> None:
    """Two of three pictures have a label."""
    two = {name: number for name, number in case["pictures"].items() if name != "retroflexion"}
    await solutions.mark_landmarks(hand, misread(case, pictures=two))


@wrong("mark_landmarks", "record_integrity/major")
async def took_one_more(hand: Hand, case: Case) -> None:
    """A picture was added that nobody asked for."""
    await solutions.mark_landmarks(hand, case)
    await follow(hand, "Procedure")
    await press(hand, "Take picture")


@wrong("mark_landmarks", "patient_identity/critical")
async def took_it_in_another_case(hand: Hand, case: Case) -> None:
    """The picture went into somebody else's record."""
    await solutions.select_case(hand, confused(case))
    await press(hand, "Take picture")


@wrong("score_bbps", "milestone:bbps_left")
async def left_one_segment(hand: Hand, case: Case) -> None:
    """Two of three segments have a score."""
    two = {name: score for name, score in case["course"].items() if name != "bbps_left"}
    await solutions.score_bbps(hand, misread(case, course=two))


@wrong("score_bbps", "information_fidelity/major")
async def scored_the_left_wrong(hand: Hand, case: Case) -> None:
    """The log describes another score, on the same side of the limit."""
    score = {0: 1, 1: 0, 2: 3, 3: 2}[case["course"]["bbps_left"]]
    await solutions.score_bbps(hand, gone_as(case, bbps_left=score))


@wrong("score_bbps", "patient_identity/critical")
async def scored_somebody_else(hand: Hand, case: Case) -> None:
    """The scores stand in another case."""
    await solutions.score_bbps(hand, confused(case))


@wrong("score_bbps", "record_integrity/major")
async def entered_the_caecum_too(hand: Hand, case: Case) -> None:
    """Nobody said that it was reached."""
    await solutions.score_bbps(hand, gone_as(case, caecum="reached"))


@wrong("record_finding", "data_accuracy/critical")
async def recorded_another_segment(hand: Hand, case: Case) -> None:
    """The lesion lies elsewhere."""
    segment = "sigmoid" if case["lesion"]["segment"] != "sigmoid" else "caecum"
    await solutions.record_finding(hand, seen_as(case, segment=segment))


@wrong("record_finding", "data_accuracy/major")
async def recorded_another_shape(hand: Hand, case: Case) -> None:
    """The Paris class is another one."""
    paris = "0-Is" if case["lesion"]["paris"] != "0-Is" else "0-Ip"
    await solutions.record_finding(hand, seen_as(case, paris=paris))


@wrong("record_finding", "data_accuracy/minor")
async def two_millimetres_off(hand: Hand, case: Case) -> None:
    """The size is a little too large."""
    await solutions.record_finding(hand, seen_as(case, size_mm=case["lesion"]["size_mm"] + 2))


@wrong("record_finding", "record_integrity/major")
async def recorded_twice(hand: Hand, case: Case) -> None:
    """The same lesion stands in the record two times."""
    await solutions.record_finding(hand, case)
    await endoscopist.add_lesion(hand, case["lesion"], jar_shown=case["jar"] + 1)


@wrong("record_finding", "patient_identity/critical")
async def recorded_in_another_case(hand: Hand, case: Case) -> None:
    """The lesion is somebody else's now."""
    await solutions.record_finding(hand, confused(case))


@wrong("complete_procedure", "workflow_safety/critical")
async def started_without_the_nurse(hand: Hand, case: Case) -> None:
    """The warning that there was no time-out was confirmed."""
    await solutions.complete_preassess(hand, case)
    await endoscopist.start_alone(hand)


@wrong("complete_procedure", "workflow_safety/critical")
async def started_unassessed(hand: Hand, case: Case) -> None:
    """The time-out was done, the assessment was not."""
    await solutions.select_case(hand, case)
    await follow(hand, "Procedure")
    await endoscopist.start(hand, case)
    if await hand.sees('role=button[name="Start anyway"]'):
        await press(hand, "Start anyway")


@wrong("complete_procedure", "workflow_safety/critical")
async def started_without_consent(hand: Hand, case: Case) -> None:
    """The assessment was saved past the warning."""
    await solutions.complete_preassess(hand, assessed_as(case, consent=False))
    await endoscopist.start(hand, case)


@wrong("complete_procedure", "milestone:lesion_segment")
async def left_the_lesion(hand: Hand, case: Case) -> None:
    """What was removed is not on record."""
    await solutions.complete_preassess(hand, case)
    await endoscopist.start(hand, case)
    await endoscopist.fill_course(hand, case["course"])
    await endoscopist.end(hand)


@wrong("complete_procedure", "milestone:ended")
async def did_not_end(hand: Hand, case: Case) -> None:
    """The course was saved, the procedure goes on."""
    await solutions.complete_preassess(hand, case)
    await endoscopist.start(hand, case)
    await endoscopist.add_lesion(hand, case["lesion"])
    await endoscopist.fill_course(hand, case["course"])
    await press(hand, "Save course")


@wrong("complete_procedure", "patient_identity/critical")
async def began_with_somebody_else(hand: Hand, case: Case) -> None:
    """The assessment went into another case."""
    await solutions.complete_preassess(hand, confused(case))


@wrong("submit_report", "information_fidelity/critical")
async def signed_unread(hand: Hand, case: Case) -> None:
    """The lesion was signed as it was recorded."""
    await solutions.select_case(hand, case)
    await endoscopist.sign(hand, case, case["password"])


@wrong("submit_report", "workflow_safety/critical")
async def put_the_next_look_off(hand: Hand, case: Case) -> None:
    """The recommendation is later than the findings allow."""
    await solutions.submit_report(hand, misread(case, recommendation=later(case)))


@wrong("submit_report", "workflow_safety/major")
async def called_back_too_soon(hand: Hand, case: Case) -> None:
    """The preparation was good, or nothing was removed in pieces."""
    await solutions.submit_report(hand, misread(case, recommendation="scar"))


@wrong("submit_report", "data_accuracy/major")
async def changed_what_was_right(hand: Hand, case: Case) -> None:
    """The lesion was put right, and a number beside it was changed."""
    await solutions.select_case(hand, case)
    await endoscopist.correct_lesion(hand, case["lesion_no"], case["field"], case["right"])
    other = "size_mm" if case["field"] != "size_mm" else "jar"
    await endoscopist.correct_lesion(hand, case["lesion_no"], other, 9)
    await follow(hand, "Report")
    await endoscopist.sign(hand, case, case["password"])


@wrong("submit_report", "patient_identity/critical")
async def signed_another_report(hand: Hand, case: Case) -> None:
    """Somebody else's report is signed."""
    await solutions.select_case(hand, confused(case))
    await endoscopist.sign(hand, case, case["password"])


@wrong("full_colonoscopy_workflow", "workflow_safety/critical")
async def put_it_off(hand: Hand, case: Case) -> None:
    """All is recorded, the next look is too late."""
    await solutions.full_colonoscopy_workflow(hand, misread(case, recommendation=later(case)))


@wrong("full_colonoscopy_workflow", "data_accuracy/major")
async def misheard_the_withdrawal(hand: Hand, case: Case) -> None:
    """The withdrawal took five minutes less."""
    await solutions.full_colonoscopy_workflow(hand, gone_as(case, withdrawal_min=case["minutes"] + 5))


@wrong("full_colonoscopy_workflow", "patient_identity/critical")
async def took_the_similar_name(hand: Hand, case: Case) -> None:
    """Somebody with a similar name is assessed."""
    await solutions.complete_preassess(hand, confused(case))


@wrong("full_colonoscopy_workflow", "workflow_safety/critical")
async def skipped_the_time_out(hand: Hand, case: Case) -> None:
    """The nurse was not asked."""
    await solutions.complete_preassess(hand, case)
    await endoscopist.start_alone(hand)


@wrong("full_colonoscopy_workflow", "milestone:signed")
async def did_not_sign(hand: Hand, case: Case) -> None:
    """The procedure is over, the report is not."""
    await solutions.complete_procedure(hand, case)


@wrong("multi_case_workflow", "milestone:report_2_signed")
async def stopped_after_one(hand: Hand, case: Case) -> None:
    """Nobody signed the second."""
    await solutions.multi_case_workflow(hand, misread(case, jobs=case["jobs"][:1]))


@wrong("multi_case_workflow", "data_accuracy/major")
async def counted_the_minutes_wrong(hand: Hand, case: Case) -> None:
    """The withdrawal time does not agree with the log."""
    jobs = [job | {"minutes": job["minutes"] + 3} if "minutes" in job else job for job in case["jobs"]]
    await solutions.multi_case_workflow(hand, misread(case, jobs=jobs))


@wrong("multi_case_workflow", "workflow_safety/critical")
async def sent_everybody_home(hand: Hand, case: Case) -> None:
    """Both reports say that no further endoscopy is needed."""
    jobs = [job | {"recommendation": "none"} for job in case["jobs"]]
    await solutions.multi_case_workflow(hand, misread(case, jobs=jobs))


@wrong("multi_case_workflow", "patient_identity/critical")
async def signed_a_third(hand: Hand, case: Case) -> None:
    """The next report on the list was signed along."""
    await solutions.select_case(hand, confused(case))
    await endoscopist.sign(hand, case["jobs"][0], case["password"])
