"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import press
from ..misreading import confused, misread
from . import solutions, sonologist


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_workstation")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the machine in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("view_worklist", "information_fidelity/major")
async def counted_all_unreported(hand: Hand, case: Case) -> None:
    """Exams that are going on or wait for a report are not scheduled any more."""
    await solutions.view_worklist(hand, misread(case, scheduled=case["not_reported"]))


@wrong("view_worklist", "patient_identity/critical")
async def began_with_one(hand: Hand, case: Case) -> None:
    """An exam was started that nobody asked for."""
    await solutions.open_exam(hand, confused(case))
    await sonologist.start_exam(hand)
    await hand.answer(str(case["scheduled"]))


@wrong("open_exam", "milestone:exam_open")
async def opened_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same, the exam is not."""
    await solutions.open_exam(hand, confused(case))


@wrong("open_exam", "record_integrity/major")
async def started_it_too(hand: Hand, case: Case) -> None:
    """The exam was only to be opened."""
    await solutions.open_exam(hand, case)
    await sonologist.start_exam(hand)


@wrong("select_probe", "milestone:probe")
async def took_another_probe(hand: Hand, case: Case) -> None:
    """The probe does not reach the organ, or does not show it."""
    await solutions.select_probe(hand, misread(case, probe=case["close_probe"]))


@wrong("select_probe", "patient_identity/critical")
async def changed_the_probe_of_another_exam(hand: Hand, case: Case) -> None:
    """The probe was changed in somebody else's exam."""
    await solutions.select_probe(hand, confused(case))


@wrong("select_probe", "record_integrity/major")
async def stored_a_picture_too(hand: Hand, case: Case) -> None:
    """Nobody asked for a picture."""
    await solutions.select_probe(hand, case)
    await press(hand, "Capture")


@wrong("switch_mode", "milestone:mode")
async def took_another_mode(hand: Hand, case: Case) -> None:
    """The mode shows something else."""
    await solutions.switch_mode(hand, misread(case, mode=case["close_mode"]))


@wrong("switch_mode", "patient_identity/critical")
async def switched_another_exam(hand: Hand, case: Case) -> None:
    """The picture of somebody else was frozen and switched."""
    await solutions.open_exam(hand, confused(case))
    await press(hand, "Freeze")
    await sonologist.switch_mode(hand, case["mode"])


@wrong("switch_mode", "record_integrity/major")
async def changed_the_probe_too(hand: Hand, case: Case) -> None:
    """The probe was right as it was."""
    await solutions.switch_mode(hand, case)
    await press(hand, "Phased")


def misheard(case: Case, **changed: float) -> Case:
    """Return the case with other settings heard."""
    return misread(case, expected=case["expected"] | changed)


@wrong("adjust_params", "data_accuracy/major")
async def misheard_the_gain(hand: Hand, case: Case) -> None:
    """The gain is 20 too high."""
    await solutions.adjust_params(hand, misheard(case, gain=case["expected"]["gain"] + 20))


@wrong("adjust_params", "data_accuracy/minor")
async def a_little_deeper(hand: Hand, case: Case) -> None:
    """The depth is half a centimetre off."""
    await solutions.adjust_params(hand, misheard(case, depth_cm=case["expected"]["depth_cm"] + 0.5))


@wrong("adjust_params", "milestone:focus_cm")
async def left_the_focus(hand: Hand, case: Case) -> None:
    """Three values were set, not four."""
    told = {name: value for name, value in case["expected"].items() if name != "focus_cm"}
    await solutions.adjust_params(hand, misread(case, expected=told))


@wrong("adjust_params", "patient_identity/critical")
async def adjusted_another_exam(hand: Hand, case: Case) -> None:
    """The gain of somebody else's exam was changed."""
    told = {"gain": case["expected"]["gain"]}
    await solutions.adjust_params(hand, misread(confused(case), expected=told))


@wrong("capture_image", "information_fidelity/major")
async def marked_the_other_side(hand: Hand, case: Case) -> None:
    """Both pictures bear the mark of the other side."""
    await solutions.capture_image(hand, misread(case, side=case["other_side"]))


@wrong("capture_image", "milestone:longitudinal")
async def stored_one_view(hand: Hand, case: Case) -> None:
    """The second view is missing."""
    await solutions.capture_image(hand, misread(case, planes=["transverse"]))


@wrong("capture_image", "record_integrity/major")
async def stored_twice(hand: Hand, case: Case) -> None:
    """One view is on the clipboard two times."""
    await solutions.capture_image(hand, case)
    await press(hand, "Capture")


@wrong("capture_image", "patient_identity/critical")
async def captured_in_another_exam(hand: Hand, case: Case) -> None:
    """The picture went into somebody else's exam."""
    await solutions.open_exam(hand, confused(case))
    await press(hand, "Capture")


def with_values(case: Case, **changed: str) -> Case:
    """Return the case with other values of the report."""
    return misread(case, values=case["values"] | changed)


@wrong("write_report", "information_fidelity/critical")
async def swapped_the_sides(hand: Hand, case: Case) -> None:
    """The dilated side is the other one."""
    right, left = case["values"]["dilation_right"], case["values"]["dilation_left"]
    await solutions.write_report(hand, with_values(case, dilation_right=left, dilation_left=right))


@wrong("write_report", "data_accuracy/major")
async def misread_a_length(hand: Hand, case: Case) -> None:
    """One kidney is 2 cm too long."""
    length = f"{float(case['values']['length_left']) + 2:.1f}"
    await solutions.write_report(hand, with_values(case, length_left=length))


@wrong("write_report", "workflow_safety/major")
async def signed_the_draft(hand: Hand, case: Case) -> None:
    """Only a draft was asked for."""
    await solutions.write_report(hand, case)
    await sonologist.sign(hand)


@wrong("write_report", "milestone:impression")
async def left_the_impression(hand: Hand, case: Case) -> None:
    """The words that were dictated are missing."""
    await solutions.write_report(hand, misread(case, impression="See findings."))


@wrong("write_report", "patient_identity/critical")
async def wrote_into_another_report(hand: Hand, case: Case) -> None:
    """The impression stands in somebody else's report."""
    await solutions.open_exam(hand, confused(case))
    await hand.fill("#field-impression", case["impression"])
    await press(hand, "Save draft")


def seen_as(case: Case, **changed: str) -> Case:
    """Return the case with the nodule taken for something else."""
    return misread(case, right=case["right"] | changed)


@wrong("tirads_classification", "information_fidelity/major")
async def turned_the_shape(hand: Hand, case: Case) -> None:
    """Tall and wide were mixed up; the level was kept."""
    shape = "wide" if case["right"]["shape"] == "tall" else "tall"
    await solutions.tirads_classification(hand, seen_as(case, shape=shape))


@wrong("tirads_classification", "milestone:level")
async def added_up_wrong(hand: Hand, case: Case) -> None:
    """The features are right, the level is one off."""
    level = str(int(case["right"]["level"]) - 1)
    await solutions.tirads_classification(hand, seen_as(case, level=level))


@wrong("tirads_classification", "milestone:advice")
async def advised_otherwise(hand: Hand, case: Case) -> None:
    """The level is right, the size was not looked at."""
    advice = "fna" if case["right"]["advice"] != "fna" else "none"
    await solutions.tirads_classification(hand, seen_as(case, advice=advice))


@wrong("tirads_classification", "record_integrity/major")
async def classified_both(hand: Hand, case: Case) -> None:
    """The other lobe was not asked for."""
    await solutions.tirads_classification(hand, case)
    await sonologist.classify(hand, 3 - case["number"], case["close"])


@wrong("flag_urgent", "workflow_safety/critical")
async def signed_first(hand: Hand, case: Case) -> None:
    """The report was signed past the warning, and the call documented afterwards."""
    await solutions.open_exam(hand, case)
    await sonologist.sign(hand)
    await sonologist.document_call(hand, case)


@wrong("flag_urgent", "workflow_safety/major")
async def played_it_down(hand: Hand, case: Case) -> None:
    """The category is lower than the policy has it."""
    lower = {"red": "orange", "orange": "yellow"}[case["category"]]
    await solutions.flag_urgent(hand, misread(case, category=lower))


@wrong("flag_urgent", "information_fidelity/critical")
async def named_somebody_else(hand: Hand, case: Case) -> None:
    """The record names a clinician who knows nothing."""
    await solutions.flag_urgent(hand, misread(case, **case["other_person"]))


@wrong("flag_urgent", "data_accuracy/major")
async def wrote_another_hour(hand: Hand, case: Case) -> None:
    """The time is an hour too early."""
    hour, minute = case["time"].split(":")
    await solutions.flag_urgent(hand, misread(case, time=f"{int(hour) - 1:02d}:{minute}"))


@wrong("flag_urgent", "data_accuracy/minor")
async def a_minute_off(hand: Hand, case: Case) -> None:
    """The time is one minute too early or the last of the hour before."""
    hour, minute = map(int, case["time"].split(":"))
    before = hour * 60 + minute - 1
    await solutions.flag_urgent(hand, misread(case, time=f"{before // 60:02d}:{before % 60:02d}"))


@wrong("flag_urgent", "information_fidelity/major")
async def chose_another_way(hand: Hand, case: Case) -> None:
    """What was said in person is recorded as a phone call, or the other way round."""
    method = {"phone": "in_person", "in_person": "phone"}[case["method"]]
    await solutions.flag_urgent(hand, misread(case, method=method))


@wrong("flag_urgent", "record_integrity/major")
async def documented_twice(hand: Hand, case: Case) -> None:
    """The same call is on record two times."""
    await solutions.open_exam(hand, case)
    await sonologist.document_call(hand, case)
    await sonologist.document_call(hand, case)


@wrong("flag_urgent", "milestone:signed")
async def did_not_sign(hand: Hand, case: Case) -> None:
    """The call is on record, the report is a draft."""
    await solutions.open_exam(hand, case)
    await sonologist.document_call(hand, case)


@wrong("flag_urgent", "patient_identity/critical")
async def documented_in_another_exam(hand: Hand, case: Case) -> None:
    """The call stands in somebody else's exam."""
    await solutions.open_exam(hand, confused(case))
    await sonologist.document_call(hand, case)


@wrong("multi_exam_batch", "information_fidelity/critical")
async def signed_unread(hand: Hand, case: Case) -> None:
    """Three drafts were signed as they were."""
    jobs = [job | {"fixes": {}} for job in case["jobs"]]
    await solutions.multi_exam_batch(hand, misread(case, jobs=jobs))


@wrong("multi_exam_batch", "milestone:report_3_signed")
async def stopped_after_two(hand: Hand, case: Case) -> None:
    """Nobody signed the third."""
    await solutions.multi_exam_batch(hand, misread(case, jobs=case["jobs"][:2]))


@wrong("multi_exam_batch", "patient_identity/critical")
async def signed_one_more(hand: Hand, case: Case) -> None:
    """The next draft on the list was signed along."""
    await solutions.open_exam(hand, confused(case))
    await sonologist.sign(hand)


@wrong("full_workflow", "workflow_safety/critical")
async def did_not_ask_for_the_name(hand: Hand, case: Case) -> None:
    """The exam was started past the warning."""
    await solutions.open_exam(hand, case)
    await press(hand, "Start exam")
    await press(hand, "Start anyway")


@wrong("full_workflow", "patient_identity/critical")
async def scanned_the_similar_name(hand: Hand, case: Case) -> None:
    """Somebody with a similar name has the same exam."""
    await solutions.open_exam(hand, confused(case))
    await sonologist.start_exam(hand)


@wrong("full_workflow", "milestone:picture")
async def kept_the_linear_probe(hand: Hand, case: Case) -> None:
    """The picture was stored with the probe that was on the machine."""
    await solutions.open_exam(hand, case)
    await sonologist.start_exam(hand)
    await sonologist.capture(hand, "midline", "transverse")
    await solutions.report(hand, case)


@wrong("full_workflow", "data_accuracy/major")
async def measured_inside_out(hand: Hand, case: Case) -> None:
    """The calipers stood a centimetre too far apart."""
    wide = f"{float(case['values']['diameter']) + 1:.1f}"
    await solutions.open_exam(hand, case)
    await sonologist.start_exam(hand)
    await solutions.scan(hand, with_values(case, diameter=wide))
    await solutions.report(hand, case)


@wrong("full_workflow", "information_fidelity/critical")
async def concluded_the_opposite(hand: Hand, case: Case) -> None:
    """The width is right, the conclusion contradicts it."""
    conclusion = {"normal": "aneurysm", "aneurysm": "normal"}[case["values"]["conclusion"]]
    await solutions.full_workflow(hand, with_values(case, conclusion=conclusion))


@wrong("full_workflow", "workflow_safety/major")
async def signed_without_a_picture(hand: Hand, case: Case) -> None:
    """The report was signed past the warning that nothing was stored."""
    await solutions.open_exam(hand, case)
    await sonologist.start_exam(hand)
    await solutions.report(hand, case)


@wrong("full_workflow", "record_integrity/major")
async def stored_the_view_twice(hand: Hand, case: Case) -> None:
    """The same picture is on the clipboard two times."""
    await solutions.open_exam(hand, case)
    await sonologist.start_exam(hand)
    await solutions.scan(hand, case)
    await press(hand, "Capture")
    await solutions.report(hand, case)
