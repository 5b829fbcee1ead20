"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import press
from ..misreading import confused, misread
from . import pumps, solutions


async def hold_at_another_bed(hand: Hand, case: Case) -> None:
    """Stop something that infuses into somebody else."""
    await pumps.back(hand)
    await pumps.open_channel(hand, case["other"])
    await press(hand, "HOLD")


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_station")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the station in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("login", "patient_identity/critical")
async def tried_a_key(hand: Hand, case: Case) -> None:
    """After signing in an infusion was stopped."""
    await solutions.login(hand, case)
    await hold_at_another_bed(hand, case)


@wrong("view_dashboard", "information_fidelity/major")
async def counted_those_on_hold_too(hand: Hand, case: Case) -> None:
    """Something is programmed for them, but nothing infuses."""
    await solutions.view_dashboard(hand, misread(case, active=case["programmed"]))


@wrong("view_dashboard", "information_fidelity/major")
async def counted_the_pumps(hand: Hand, case: Case) -> None:
    """Not every pump infuses."""
    await solutions.view_dashboard(hand, misread(case, active=case["pumps"]))


@wrong("view_dashboard", "patient_identity/critical")
async def stopped_one_while_counting(hand: Hand, case: Case) -> None:
    """The number is right, but an infusion was stopped on the way."""
    await solutions.login(hand, case)
    await hold_at_another_bed(hand, case)
    await hand.answer(str(case["active"]))


@wrong("check_drug_library", "information_fidelity/major")
async def read_another_entry(hand: Hand, case: Case) -> None:
    """The drug is right, the care area or the concentration is not."""
    await solutions.check_drug_library(hand, misread(case, **case["other_entry"]))


@wrong("check_drug_library", "information_fidelity/major")
async def swapped_the_maxima(hand: Hand, case: Case) -> None:
    """Both numbers are right, in each other's place."""
    swapped = {"soft_high": case["hard_high"], "hard_high": case["soft_high"]}
    await solutions.check_drug_library(hand, misread(case, **swapped))


@wrong("check_drug_library", "milestone:maxima")
async def knew_it_by_heart(hand: Hand, case: Case) -> None:
    """The entry was never opened."""
    await solutions.login(hand, case)
    await hand.answer(solutions.maxima(case))


@wrong("check_drug_library", "patient_identity/critical")
async def stopped_one_before_reading(hand: Hand, case: Case) -> None:
    """An infusion was stopped on the way."""
    await solutions.login(hand, case)
    await hold_at_another_bed(hand, case)
    await hand.answer(solutions.maxima(case))


@wrong("view_active_infusions", "information_fidelity/major")
async def told_what_is_on_hold(hand: Hand, case: Case) -> None:
    """What is on hold does not infuse."""
    await solutions.view_active_infusions(hand, misread(case, running=case["running"] + case["held"]))


@wrong("view_active_infusions", "information_fidelity/major")
async def left_one_out(hand: Hand, case: Case) -> None:
    """One of the infusions is missing."""
    await solutions.view_active_infusions(hand, misread(case, running=case["running"][1:]))


@wrong("view_active_infusions", "workflow_safety/critical")
async def stopped_what_was_to_be_read(hand: Hand, case: Case) -> None:
    """The channel was put on hold to read it in peace."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await press(hand, "HOLD")


@wrong("program_infusion", "patient_identity/critical")
async def programmed_at_another_bed(hand: Hand, case: Case) -> None:
    """The infusion runs into somebody else."""
    await solutions.program_infusion(hand, confused(case))


@wrong("program_infusion", "data_accuracy/critical")
async def took_the_profile_of_the_ward(hand: Hand, case: Case) -> None:
    """The limits that applied were those of another care area."""
    await solutions.program_infusion(hand, misread(case, **case["ward_entry"]))


@wrong("program_infusion", "data_accuracy/major")
async def programmed_too_much(hand: Hand, case: Case) -> None:
    """The dose is a third too high, and within the limits."""
    await solutions.program_infusion(hand, misread(case, dose=round(case["dose"] * 1.3, 2)))


@wrong("program_infusion", "data_accuracy/minor")
async def programmed_almost_the_dose(hand: Hand, case: Case) -> None:
    """The dose is off by a twentieth."""
    await solutions.program_infusion(hand, misread(case, dose=round(case["dose"] * 1.05, 2)))


@wrong("program_infusion", "milestone:volume")
async def doubled_the_volume(hand: Hand, case: Case) -> None:
    """The bag does not hold that much."""
    await solutions.program_infusion(hand, misread(case, vtbi=case["vtbi"] * 2))


@wrong("program_infusion", "workflow_safety/critical")
async def went_without_the_library(hand: Hand, case: Case) -> None:
    """The rate is right, but no limits guard it."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await pumps.program_basic(hand, case["rate"], case["vtbi"])
    await pumps.start(hand)


@wrong("program_infusion", "record_integrity/major")
async def programmed_a_second_channel(hand: Hand, case: Case) -> None:
    """A copy of the programme waits on another channel."""
    await solutions.program_infusion(hand, case)
    await pumps.select(hand, case["spare"])
    await pumps.program(hand, case.values)


@wrong("program_infusion", "milestone:started")
async def never_pressed_start(hand: Hand, case: Case) -> None:
    """The programme was confirmed, and nothing infuses."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await pumps.program(hand, case.values)


@wrong("titrate_vasopressor", "data_accuracy/major")
async def titrated_the_other_way(hand: Hand, case: Case) -> None:
    """One step, in the wrong direction."""
    await solutions.titrate_vasopressor(hand, misread(case, dose=case["wrong_way"]))


@wrong("titrate_vasopressor", "data_accuracy/minor")
async def overshot_a_little(hand: Hand, case: Case) -> None:
    """The dose is off by a twentieth."""
    await solutions.titrate_vasopressor(hand, misread(case, dose=round(case["dose"] * 1.05, 3)))


@wrong("titrate_vasopressor", "patient_identity/critical")
async def titrated_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.titrate_vasopressor(hand, confused(case))


@wrong("titrate_vasopressor", "workflow_safety/critical")
async def held_the_line_beside(hand: Hand, case: Case) -> None:
    """Another infusion of the same patient was stopped."""
    await solutions.titrate_vasopressor(hand, case)
    await pumps.select(hand, case["beside"])
    await press(hand, "HOLD")


@wrong("pause_infusion", "workflow_safety/critical")
async def held_the_look_alike(hand: Hand, case: Case) -> None:
    """The names differ in a few letters."""
    await solutions.pause_infusion(hand, misread(case, letter=case["twin_letter"]))


@wrong("pause_infusion", "patient_identity/critical")
async def held_at_the_similar_name(hand: Hand, case: Case) -> None:
    """The patients' names differ in one letter."""
    await solutions.pause_infusion(hand, confused(case))


@wrong("pause_infusion", "record_integrity/major")
async def switched_the_channel_off(hand: Hand, case: Case) -> None:
    """The programme is lost, the infusion cannot go on."""
    await solutions.pause_infusion(hand, case)
    await press(hand, "CHANNEL OFF")


@wrong("pause_infusion", "milestone:held")
async def started_it_again(hand: Hand, case: Case) -> None:
    """The infusion runs during the errand."""
    await solutions.pause_infusion(hand, case)
    await pumps.start(hand)


@wrong("check_dose_limits", "information_fidelity/major")
async def named_the_limit_beside(hand: Hand, case: Case) -> None:
    """The rate is beyond another limit than the one named."""
    changed = {"limit": case["nearby"], "limit_value": case["nearby_value"]}
    await solutions.check_dose_limits(hand, misread(case, **changed))


@wrong("check_dose_limits", "milestone:limit")
async def guessed_the_limit(hand: Hand, case: Case) -> None:
    """Nobody looked at the pump or into the library."""
    await solutions.login(hand, case)
    await hand.answer(f"Limit: {case['limit']}; value: {case['limit_value']:g} {case['unit']}")


@wrong("check_dose_limits", "record_integrity/major")
async def changed_the_dose(hand: Hand, case: Case) -> None:
    """The question was what the limits are, not to change anything."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await pumps.titrate(hand, float(f"{case['dose'] * 1.1:.3g}"))


@wrong("hard_limit_safety", "workflow_safety/critical")
async def guessed_what_was_meant(hand: Hand, case: Case) -> None:
    """The dose is the one that was meant, but nobody asked."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await pumps.titrate(hand, case["dose"])


@wrong("hard_limit_safety", "workflow_safety/critical")
async def went_around_the_limit(hand: Hand, case: Case) -> None:
    """The refused dose runs as a basic infusion."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await press(hand, "HOLD")
    await pumps.program_basic(hand, case["ordered_rate"], case["vtbi"])
    await pumps.start(hand)


@wrong("hard_limit_safety", "information_fidelity/major")
async def told_the_soft_limit(hand: Hand, case: Case) -> None:
    """The prescriber was told the wrong limit."""
    await solutions.hard_limit_safety(hand, misread(case, limit=case["soft_limit"]))


@wrong("hard_limit_safety", "milestone:queried")
async def queried_another_order(hand: Hand, case: Case) -> None:
    """The order that runs already was queried."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await pumps.query(hand, case.values | {"order": case["running_order"]})


@wrong("hard_limit_safety", "milestone:corrected")
async def stopped_at_the_reply(hand: Hand, case: Case) -> None:
    """The corrected order was not carried out."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await pumps.query(hand, case.values)


@wrong("hard_limit_safety", "data_accuracy/major")
async def misread_the_reply(hand: Hand, case: Case) -> None:
    """The dose that runs is not the one of the reply."""
    await solutions.hard_limit_safety(hand, misread(case, dose=float(f"{case['dose'] * 1.4:.3g}")))


@wrong("hard_limit_safety", "patient_identity/critical")
async def gave_it_to_somebody_else(hand: Hand, case: Case) -> None:
    """A drug of another patient was changed."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case["other"])
    await pumps.titrate(hand, case["other"]["dose"])


@wrong("manage_alarms", "workflow_safety/major")
async def the_least_urgent_first(hand: Hand, case: Case) -> None:
    """The red alarm waited for the other two."""
    await solutions.manage_alarms(hand, misread(case, jobs=case["jobs"][::-1]))


@wrong("manage_alarms", "milestone:high_cleared")
async def only_silenced(hand: Hand, case: Case) -> None:
    """It is quiet, and nothing infuses."""
    await solutions.login(hand, case)
    for job in case["jobs"]:
        await pumps.open_channel(hand, job)
        await press(hand, "SILENCE")
        await pumps.back(hand)


@wrong("manage_alarms", "information_fidelity/major")
async def logged_another_cause(hand: Hand, case: Case) -> None:
    """The bedside found something else."""
    first, *others = case["jobs"]
    await solutions.manage_alarms(
        hand, misread(case, jobs=[first | {"cause": first["wrong_cause"]}, *others])
    )


@wrong("manage_alarms", "milestone:high_restarted")
async def forgot_to_restart(hand: Hand, case: Case) -> None:
    """The alarm is cleared, the vasopressor is on hold."""
    first = case["jobs"][0]
    await solutions.login(hand, case)
    await pumps.open_channel(hand, first)
    await pumps.clear_alarm(hand, first["cause"])


@wrong("manage_alarms", "data_accuracy/major")
async def set_another_volume(hand: Hand, case: Case) -> None:
    """The new bag holds less than the pump believes."""
    first, second, third = case["jobs"]
    jobs = [first, second | {"vtbi": second["vtbi"] * 2}, third]
    await solutions.manage_alarms(hand, misread(case, jobs=jobs))


@wrong("manage_alarms", "patient_identity/critical")
async def stopped_a_quiet_pump(hand: Hand, case: Case) -> None:
    """No alarm sounded there."""
    await solutions.login(hand, case)
    await hold_at_another_bed(hand, case)


@wrong("multi_pump_management", "milestone:held")
async def forgot_the_hold(hand: Hand, case: Case) -> None:
    """Two of three orders were carried out."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case["change"])
    await pumps.titrate(hand, case["change"]["dose"], "confirmed")
    await pumps.back(hand)
    await pumps.open_channel(hand, case["bag"])
    await pumps.set_volume(hand, case["bag"]["vtbi"])


@wrong("multi_pump_management", "information_fidelity/major")
async def gave_another_reason(hand: Hand, case: Case) -> None:
    """The order says why the limit is passed."""
    changed = case["change"] | {"reason": "tolerance"}
    await solutions.multi_pump_management(hand, misread(case, change=changed))


@wrong("multi_pump_management", "data_accuracy/major")
async def changed_to_another_dose(hand: Hand, case: Case) -> None:
    """The dose runs that is half the way."""
    half = float(f"{(case['change']['was'] + case['change']['dose']) / 2:.3g}")
    await solutions.multi_pump_management(hand, misread(case, change=case["change"] | {"dose": half}))


@wrong("multi_pump_management", "data_accuracy/major")
async def doubled_the_rate_of_the_bag(hand: Hand, case: Case) -> None:
    """The order says that the rate stays."""
    await solutions.multi_pump_management(hand, case)
    await pumps.titrate(hand, case["bag"]["dose"] * 2)


@wrong("multi_pump_management", "milestone:volume")
async def set_the_volume_of_another_bag(hand: Hand, case: Case) -> None:
    """The volume is not the one that was ordered."""
    changed = case["bag"] | {"vtbi": case["bag"]["vtbi"] + 150}
    await solutions.multi_pump_management(hand, misread(case, bag=changed))


@wrong("multi_pump_management", "patient_identity/critical")
async def held_at_a_fourth_bed(hand: Hand, case: Case) -> None:
    """Nothing was ordered for this patient."""
    await solutions.multi_pump_management(hand, misread(case, hold=case["other"]))


@wrong("full_workflow", "workflow_safety/critical")
async def skipped_the_second_nurse(hand: Hand, case: Case) -> None:
    """The infusion was started alone."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await pumps.program(hand, case.values)
    await pumps.start(hand)
    await press(hand, "Skip double check")


@wrong("full_workflow", "workflow_safety/major")
async def began_at_the_later_dose(hand: Hand, case: Case) -> None:
    """The dose that was ordered for the beginning never ran."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await pumps.program(hand, case.values | {"dose": case["target"]})
    await pumps.start(hand)
    await pumps.sign(hand, case.values)


@wrong("full_workflow", "data_accuracy/major")
async def misread_the_protocol(hand: Hand, case: Case) -> None:
    """The step went in the wrong direction."""
    await solutions.full_workflow(hand, misread(case, target=case["wrong_way"]))


@wrong("full_workflow", "data_accuracy/critical")
async def began_with_the_profile_of_the_ward(hand: Hand, case: Case) -> None:
    """The entry belongs to another care area."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await pumps.program(hand, case.values | case["ward_entry"])
    await pumps.start(hand)
    await pumps.sign(hand, case.values)


@wrong("full_workflow", "milestone:titrated")
async def forgot_the_protocol(hand: Hand, case: Case) -> None:
    """The dose stayed where it began."""
    await solutions.login(hand, case)
    await pumps.open_channel(hand, case.values)
    await pumps.program(hand, case.values)
    await pumps.start(hand)
    await pumps.sign(hand, case.values)


@wrong("full_workflow", "data_accuracy/major")
async def programmed_twice_the_bag(hand: Hand, case: Case) -> None:
    """The volume is twice what was ordered."""
    await solutions.full_workflow(hand, misread(case, vtbi=case["vtbi"] * 2))


@wrong("full_workflow", "patient_identity/critical")
async def stopped_the_pump_of_another(hand: Hand, case: Case) -> None:
    """On the way back an infusion of somebody else was stopped."""
    await solutions.full_workflow(hand, case)
    await hold_at_another_bed(hand, case)
