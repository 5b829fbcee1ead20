"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import follow, press
from ..misreading import confused, misread
from . import reader, solutions


def earlier(case: Case) -> Case:
    """Return the case with the earlier recording of the same patient taken for the one that is meant."""
    return misread(case, link=case["earlier_link"])


def urgent_read_as(case: Case, **changes: Any) -> Case:
    """Return the case of two recordings with the urgent one misread."""
    urgent, calm = case["jobs"]
    return misread(case, jobs=[urgent | changes, calm])


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_workstation")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the workstation in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("view_worklist", "information_fidelity/major")
async def counted_drafts_too(hand: Hand, case: Case) -> None:
    """A draft has been read once already."""
    await solutions.view_worklist(hand, misread(case, unread=case["unsigned"]))


@wrong("view_worklist", "information_fidelity/major")
async def counted_all(hand: Hand, case: Case) -> None:
    """Signed recordings are on the list, too."""
    await solutions.view_worklist(hand, misread(case, unread=case["today"]))


@wrong("view_worklist", "patient_identity/critical")
async def analysed_one_on_the_way(hand: Hand, case: Case) -> None:
    """Only a number was asked."""
    await solutions.open_study(hand, confused(case))
    await press(hand, "Run analysis")
    await hand.answer(str(case["unread"]))


@wrong("open_study", "milestone:study_open")
async def opened_the_first_recording(hand: Hand, case: Case) -> None:
    """The patient is right, the recording is the one made before."""
    await solutions.open_study(hand, earlier(case))


@wrong("open_study", "milestone:study_open")
async def opened_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.open_study(hand, confused(case))


@wrong("open_study", "record_integrity/major")
async def analysed_it_too(hand: Hand, case: Case) -> None:
    """Looking was all that was asked."""
    await solutions.open_study(hand, case)
    await press(hand, "Run analysis")


@wrong("read_heart_rate", "information_fidelity/major")
async def read_the_earlier_recording(hand: Hand, case: Case) -> None:
    """The rate is that of another day."""
    await solutions.read_heart_rate(hand, misread(case, rate=case["old_rate"]))


@wrong("read_heart_rate", "information_fidelity/major")
async def read_the_axis(hand: Hand, case: Case) -> None:
    """The number is in another line of the table."""
    await solutions.read_heart_rate(hand, misread(case, rate=case["axis"]))


@wrong("read_heart_rate", "record_integrity/major")
async def stored_another_gain(hand: Hand, case: Case) -> None:
    """The answer is right, but the stored view is another one now."""
    await solutions.open_study(hand, case)
    await reader.store_view(hand, "20 mm/mV")
    await hand.answer(f"{case['rate']}/min")


@wrong("change_paper_speed", "patient_identity/critical")
async def changed_the_next_line(hand: Hand, case: Case) -> None:
    """The view of somebody else's recording was stored."""
    await solutions.change_paper_speed(hand, confused(case))


@wrong("change_paper_speed", "milestone:speed")
async def did_not_store(hand: Hand, case: Case) -> None:
    """The tracing was spread on the screen only."""
    await solutions.open_study(hand, case)
    await follow(hand, "50 mm/s")


@wrong("change_paper_speed", "record_integrity/major")
async def changed_the_gain_along(hand: Hand, case: Case) -> None:
    """Speed and gain are two things."""
    await solutions.open_study(hand, case)
    await reader.store_view(hand, "50 mm/s", "20 mm/mV")


@wrong("change_paper_speed", "record_integrity/major")
async def changed_the_first_recording(hand: Hand, case: Case) -> None:
    """The patient is right, the recording is not; the right one was then changed, too."""
    await solutions.change_paper_speed(hand, earlier(case))
    await reader.back_to_worklist(hand)
    await reader.open_study(hand, case)
    await reader.store_view(hand, "50 mm/s")


@wrong("change_gain", "milestone:gain")
async def turned_the_gain_the_other_way(hand: Hand, case: Case) -> None:
    """It is worse now than before."""
    await solutions.change_gain(hand, misread(case, gain=case["wrong_gain"]))


@wrong("change_gain", "patient_identity/critical")
async def changed_the_similar_name(hand: Hand, case: Case) -> None:
    """The names differ by a letter."""
    await solutions.change_gain(hand, confused(case))


@wrong("change_gain", "record_integrity/major")
async def changed_the_layout_along(hand: Hand, case: Case) -> None:
    """The layout was to stay."""
    await solutions.open_study(hand, case)
    await reader.store_view(hand, f"{case['gain']} mm/mV", "6×2")


@wrong("switch_cabrera", "milestone:layout")
async def took_six_rows(hand: Hand, case: Case) -> None:
    """Six rows of limb leads are not yet in Cabrera order."""
    await solutions.open_study(hand, case)
    await reader.store_view(hand, "6×2")


@wrong("switch_cabrera", "patient_identity/critical")
async def changed_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.switch_cabrera(hand, confused(case))


@wrong("switch_cabrera", "record_integrity/major")
async def spread_it_along(hand: Hand, case: Case) -> None:
    """The speed was to stay."""
    await solutions.open_study(hand, case)
    await reader.store_view(hand, "50 mm/s", "Cabrera")


@wrong("run_auto_analysis", "information_fidelity/major")
async def took_the_preset_formula(hand: Hand, case: Case) -> None:
    """The QTc is that of another formula."""
    await solutions.run_auto_analysis(hand, misread(case, qtc=case["preset_qtc"]))


@wrong("run_auto_analysis", "patient_identity/critical")
async def analysed_the_next_line(hand: Hand, case: Case) -> None:
    """Somebody else's recording was analysed."""
    await solutions.run_auto_analysis(hand, confused(case))


@wrong("run_auto_analysis", "milestone:analysed")
async def guessed(hand: Hand, case: Case) -> None:
    """The number is right, but nothing was run."""
    await solutions.open_study(hand, case)
    await hand.answer(f"{case['qtc']} ms")


@wrong("run_auto_analysis", "record_integrity/major")
async def began_a_report(hand: Hand, case: Case) -> None:
    """A draft was saved that nobody asked for."""
    await solutions.open_study(hand, case)
    await press(hand, "Run analysis")
    await follow(hand, "Report")
    await press(hand, "Save draft")
    await hand.answer(f"{case['qtc']} ms")


@wrong("submit_report", "information_fidelity/major")
async def believed_the_algorithm(hand: Hand, case: Case) -> None:
    """The statements were signed as they came."""
    await solutions.submit_report(hand, misread(case, remove=[], add=[]))


@wrong("submit_report", "information_fidelity/critical")
async def saw_an_infarction(hand: Hand, case: Case) -> None:
    """An acute infarction was signed that is not there."""
    await solutions.submit_report(hand, misread(case, add=[*case["add"], "stemi_inferior"]))


@wrong("submit_report", "workflow_safety/major")
async def signed_without_analysis(hand: Hand, case: Case) -> None:
    """All is typed by hand, past the warning."""
    boxes = {name: str(value) for name, value in case["measured"].items() if value is not None}
    job = {"enter": boxes, "remove": [], "add": case["required"]}
    await solutions.open_study(hand, case)
    await reader.write_report(hand, job)
    await reader.sign(hand, case["password"])


@wrong("submit_report", "data_accuracy/critical")
async def typed_a_digit_too_many(hand: Hand, case: Case) -> None:
    """No heart beats so fast."""
    rate = f"2{int(case['rate_words']) % 100:02d}"
    await solutions.submit_report(hand, misread(case, enter={"heart_rate": rate}))


@wrong("submit_report", "data_accuracy/major")
async def took_the_rate_for_another(hand: Hand, case: Case) -> None:
    """The rate is twenty too high."""
    rate = str(int(case["rate_words"]) + 20)
    await solutions.submit_report(hand, misread(case, enter={"heart_rate": rate}))


@wrong("submit_report", "patient_identity/critical")
async def signed_the_similar_name(hand: Hand, case: Case) -> None:
    """Somebody else has a report now."""
    await solutions.submit_report(hand, misread(confused(case), enter={}, remove=[], add=case["required"]))


@wrong("submit_report", "milestone:signed")
async def kept_a_draft(hand: Hand, case: Case) -> None:
    """All is right, but nothing is signed."""
    await solutions.open_study(hand, case)
    await press(hand, "Run analysis")
    await reader.write_report(hand, case.values)
    await press(hand, "Save draft")


@wrong("critical_alert", "information_fidelity/critical")
async def named_another_finding(hand: Hand, case: Case) -> None:
    """The finding is one that the tracing does not show."""
    await solutions.critical_alert(hand, misread(case, finding="Ventricular tachycardia"))


@wrong("critical_alert", "workflow_safety/major")
async def told_who_is_off_duty(hand: Hand, case: Case) -> None:
    """The service is right, the hours are not."""
    await solutions.critical_alert(hand, misread(case, contact_name=case["off_duty"]))


@wrong("critical_alert", "milestone:read_back")
async def went_without_read_back(hand: Hand, case: Case) -> None:
    """Nobody knows whether it was understood."""
    await solutions.critical_alert(hand, misread(case, read_back=False))


@wrong("critical_alert", "patient_identity/critical")
async def alarmed_for_the_similar_name(hand: Hand, case: Case) -> None:
    """The catheter laboratory waits for somebody else."""
    await solutions.critical_alert(hand, confused(case))


@wrong("critical_alert", "record_integrity/major")
async def told_it_twice(hand: Hand, case: Case) -> None:
    """The same alert stands in the record two times."""
    await solutions.critical_alert(hand, case)
    await reader.tell(hand, case.values)


@wrong("full_workflow", "milestone:speed")
async def forgot_the_view(hand: Hand, case: Case) -> None:
    """The report is right, the view is as it was."""
    await solutions.submit_report(hand, case)


@wrong("full_workflow", "information_fidelity/major")
async def compared_the_wrong_way(hand: Hand, case: Case) -> None:
    """What is new was called known, or the other way round."""
    words = "Same" if case["comparison"] == "changed" else "Changed"
    await solutions.full_workflow(hand, misread(case, comparison_words=words))


@wrong("full_workflow", "data_accuracy/minor")
async def left_the_preset_formula(hand: Hand, case: Case) -> None:
    """The QTc is that of Bazett."""
    await solutions.full_workflow(hand, misread(case, formula_words=""))


@wrong("full_workflow", "patient_identity/critical")
async def read_the_next_line(hand: Hand, case: Case) -> None:
    """Somebody else's recording was analysed."""
    await solutions.open_study(hand, confused(case))
    await press(hand, "Run analysis")


@wrong("multi_study_review", "workflow_safety/critical")
async def signed_before_telling(hand: Hand, case: Case) -> None:
    """The danger was signed past the warning, and told afterwards."""
    urgent, _ = case["jobs"]
    await solutions.prologue(hand, case)
    await solutions.read(hand, urgent, case["password"])
    await reader.tell(hand, urgent)


@wrong("multi_study_review", "workflow_safety/major")
async def the_calm_one_first(hand: Hand, case: Case) -> None:
    """The one in danger waited for the other report."""
    urgent, calm = case["jobs"]
    await solutions.prologue(hand, case)
    await solutions.read(hand, calm, case["password"])
    await reader.back_to_worklist(hand)
    await reader.open_study(hand, urgent)
    await reader.tell(hand, urgent)
    await follow(hand, "Analysis")
    await solutions.finish(hand, urgent, case["password"])


@wrong("multi_study_review", "information_fidelity/critical")
async def left_the_danger_out(hand: Hand, case: Case) -> None:
    """The report of the urgent one names no danger."""
    urgent, _ = case["jobs"]
    changes = {"remove": [urgent["critical"]], "add": ["st_t_nonspecific"]}
    await solutions.multi_study_review(hand, urgent_read_as(case, **changes))


@wrong("multi_study_review", "information_fidelity/major")
async def believed_it_of_the_calm_one(hand: Hand, case: Case) -> None:
    """The algorithm's overcall was signed."""
    urgent, calm = case["jobs"]
    await solutions.multi_study_review(hand, misread(case, jobs=[urgent, calm | {"remove": [], "add": []}]))


@wrong("multi_study_review", "milestone:second_signed")
async def stopped_after_the_first(hand: Hand, case: Case) -> None:
    """Nobody read the other one."""
    urgent, _ = case["jobs"]
    await solutions.open_study(hand, misread(case, link=urgent["link"]))
    await reader.tell(hand, urgent)
    await follow(hand, "Analysis")
    await solutions.finish(hand, urgent, case["password"])
