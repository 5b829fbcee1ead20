"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import follow, press
from ..misreading import confused, misread
from . import bedside, solutions


async def chart_monitor(hand: Hand) -> None:
    """Take the monitor's values over into the chart of the open patient."""
    await follow(hand, "Vitals")
    await press(hand, "Chart monitor values now")


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_workstation")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the bedside screen in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("login", "patient_identity/critical")
async def charted_to_try_it(hand: Hand, case: Case) -> None:
    """Somebody's chart has a row that nobody asked for."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case["other"])
    await press(hand, "Chart monitor values now")


@wrong("view_vitals", "information_fidelity/major")
async def read_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.view_vitals(hand, misread(case, now=case["not_now"], link=case["other"]["link"]))


@wrong("view_vitals", "information_fidelity/major")
async def read_the_last_charted_row(hand: Hand, case: Case) -> None:
    """The chart is older than the monitor."""
    await solutions.view_vitals(hand, misread(case, now=case["charted"]))


@wrong("view_vitals", "record_integrity/major")
async def charted_them_too(hand: Hand, case: Case) -> None:
    """The values were only to be told."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await chart_monitor(hand)
    await hand.answer(solutions.reading(case["now"]))


@wrong("view_fluid_balance", "information_fidelity/major")
async def took_another_period(hand: Hand, case: Case) -> None:
    """The totals are those of other hours."""
    await solutions.view_fluid_balance(hand, misread(case, sums=case["other_sums"]))


@wrong("view_fluid_balance", "information_fidelity/major")
async def lost_the_sign(hand: Hand, case: Case) -> None:
    """A deficit was told as a surplus, or the other way round."""
    sums = case["sums"] | {"balance": -case["sums"]["balance"]}
    await solutions.view_fluid_balance(hand, misread(case, sums=sums))


@wrong("view_fluid_balance", "record_integrity/major")
async def added_what_seemed_missing(hand: Hand, case: Case) -> None:
    """An entry was made though only totals were asked for."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await follow(hand, "Fluids")
    await bedside.chart_fluid(hand, "urine", 100)
    await hand.answer(solutions.balance(case["sums"]))


@wrong("check_infusions", "information_fidelity/major")
async def listed_the_one_that_stands_still(hand: Hand, case: Case) -> None:
    """A drug that does not run was told as running."""
    await solutions.check_infusions(hand, misread(case, rates=case["rates"] | case["idle"]))


@wrong("check_infusions", "information_fidelity/major")
async def told_doses_as_rates(hand: Hand, case: Case) -> None:
    """The numbers are those of the column before."""
    await solutions.check_infusions(hand, misread(case, rates=case["doses"]))


@wrong("check_infusions", "record_integrity/major")
async def noted_the_list(hand: Hand, case: Case) -> None:
    """A note was written that nobody asked for."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await bedside.write_note(hand, "assessment", solutions.rates(case["rates"]))
    await hand.answer(solutions.rates(case["rates"]))


@wrong("adjust_infusion_rate", "workflow_safety/critical")
async def changed_the_look_alike(hand: Hand, case: Case) -> None:
    """The name of the drug is nearly the same."""
    await solutions.adjust_infusion_rate(hand, misread(case, drug=case["look_alike"]))


@wrong("adjust_infusion_rate", "workflow_safety/critical")
async def did_not_check_who_it_is(hand: Hand, case: Case) -> None:
    """The question was confirmed instead."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await bedside.set_dose(hand, case["drug"], case["dose"], case["reason"], checked=False)


@wrong("adjust_infusion_rate", "data_accuracy/critical")
async def slipped_by_a_factor(hand: Hand, case: Case) -> None:
    """The dose is a third of what was ordered."""
    await solutions.adjust_infusion_rate(hand, misread(case, dose=round(case["dose"] / 3, 3)))


@wrong("adjust_infusion_rate", "data_accuracy/major")
async def misheard_the_dose(hand: Hand, case: Case) -> None:
    """The dose is a quarter too high."""
    await solutions.adjust_infusion_rate(hand, misread(case, dose=round(case["dose"] * 1.26, 3)))


@wrong("adjust_infusion_rate", "data_accuracy/minor")
async def rounded_the_dose(hand: Hand, case: Case) -> None:
    """The dose is a little off."""
    await solutions.adjust_infusion_rate(hand, misread(case, dose=round(case["dose"] * 1.03, 3)))


@wrong("adjust_infusion_rate", "milestone:reason")
async def called_it_weaning(hand: Hand, case: Case) -> None:
    """It was an order by telephone."""
    await solutions.adjust_infusion_rate(hand, misread(case, reason="weaning"))


@wrong("adjust_infusion_rate", "patient_identity/critical")
async def charted_next_door(hand: Hand, case: Case) -> None:
    """All is right, but another patient's monitor was charted on the way."""
    await solutions.adjust_infusion_rate(hand, case)
    await bedside.open_patient(hand, case["other"])
    await chart_monitor(hand)


@wrong("review_ventilator", "information_fidelity/major")
async def told_the_exhaled_volume(hand: Hand, case: Case) -> None:
    """What comes back is not what was set."""
    await solutions.review_ventilator(hand, misread(case, volume=case["exhaled"]))


@wrong("review_ventilator", "information_fidelity/major")
async def divided_by_the_actual_weight(hand: Hand, case: Case) -> None:
    """Lungs do not grow with the weight."""
    await solutions.review_ventilator(hand, misread(case, per_kg=case["per_actual_kg"]))


@wrong("review_ventilator", "record_integrity/major")
async def charted_beside(hand: Hand, case: Case) -> None:
    """The monitor's values were charted, which nobody asked for."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await chart_monitor(hand)
    await hand.answer(solutions.settings(case))


@wrong("acknowledge_alarm", "patient_identity/critical")
async def acknowledged_the_similar_name(hand: Hand, case: Case) -> None:
    """Another patient has an alarm, too."""
    await solutions.acknowledge_alarm(hand, confused(case))


@wrong("acknowledge_alarm", "record_integrity/major")
async def acknowledged_both(hand: Hand, case: Case) -> None:
    """Nobody has seen to the second alarm."""
    await solutions.acknowledge_alarm(hand, case)
    await bedside.acknowledge(hand, case["second"], "")


@wrong("acknowledge_alarm", "milestone:acknowledged")
async def acknowledged_the_other_one(hand: Hand, case: Case) -> None:
    """The patient is right, the alarm is not."""
    await solutions.acknowledge_alarm(hand, misread(case, label=case["second"]))


@wrong("acknowledge_alarm", "data_accuracy/minor")
async def left_the_response_out(hand: Hand, case: Case) -> None:
    """Nobody can tell what was done."""
    await solutions.acknowledge_alarm(hand, misread(case, response=""))


@wrong("acknowledge_alarm", "data_accuracy/major")
async def wrote_something_else(hand: Hand, case: Case) -> None:
    """That was not what was done."""
    await solutions.acknowledge_alarm(hand, misread(case, response="False alarm"))


@wrong("add_nursing_note", "patient_identity/critical")
async def wrote_on_the_similar_name(hand: Hand, case: Case) -> None:
    """The note stands in somebody else's chart."""
    await solutions.add_nursing_note(hand, confused(case))


@wrong("add_nursing_note", "workflow_safety/major")
async def left_it_as_a_draft(hand: Hand, case: Case) -> None:
    """Nobody signed for it."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await bedside.write_note(hand, case["category"], case["text"], sign=False)


@wrong("add_nursing_note", "information_fidelity/critical")
async def wrote_their_own_words(hand: Hand, case: Case) -> None:
    """Nothing of what was dictated is in the chart."""
    await solutions.add_nursing_note(hand, misread(case, text="No change, patient comfortable"))


@wrong("add_nursing_note", "information_fidelity/major")
async def added_an_opinion(hand: Hand, case: Case) -> None:
    """Nobody dictated the last sentence."""
    await solutions.add_nursing_note(hand, misread(case, text=f"{case['text']}. Seems anxious."))


@wrong("add_nursing_note", "data_accuracy/minor")
async def mistyped_a_word(hand: Hand, case: Case) -> None:
    """One letter of the last word is doubled."""
    await solutions.add_nursing_note(hand, misread(case, text=case["text"] + case["text"][-1]))


@wrong("add_nursing_note", "milestone:category")
async def filed_it_elsewhere(hand: Hand, case: Case) -> None:
    """The category is not the one."""
    await solutions.add_nursing_note(hand, misread(case, category=case["other_category"]))


@wrong("add_nursing_note", "record_integrity/major")
async def signed_it_twice(hand: Hand, case: Case) -> None:
    """The same note stands in the chart two times."""
    await solutions.add_nursing_note(hand, case)
    await bedside.write_note(hand, case["category"], case["text"])


@wrong("record_intake_output", "data_accuracy/major")
async def charted_the_level(hand: Hand, case: Case) -> None:
    """The level of the chamber is all that has come so far, not what came now."""
    await solutions.record_intake_output(hand, misread(case, told=case["told"] | {"drain": case["level"]}))


@wrong("record_intake_output", "data_accuracy/minor")
async def five_too_many(hand: Hand, case: Case) -> None:
    """One volume is a little off."""
    told = case["told"] | {"urine": case["told"]["urine"] + 5}
    await solutions.record_intake_output(hand, misread(case, told=told))


@wrong("record_intake_output", "data_accuracy/critical")
async def lost_the_decimal_point(hand: Hand, case: Case) -> None:
    """Litres were entered that nobody could be given; the question was confirmed."""
    await solutions.record_intake_output(hand, misread(case, told=case["told"] | {"iv_fluid": 5000}))


@wrong("record_intake_output", "information_fidelity/major")
async def took_the_feed_for_oral(hand: Hand, case: Case) -> None:
    """Nobody gave any feed."""
    told = {kind: ml for kind, ml in case["told"].items() if kind != "oral"}
    await solutions.record_intake_output(hand, misread(case, told=told | {"enteral": case["oral"]}))


@wrong("record_intake_output", "record_integrity/major")
async def charted_urine_twice(hand: Hand, case: Case) -> None:
    """The same volume counts two times."""
    await solutions.record_intake_output(hand, case)
    await bedside.chart_fluid(hand, "urine", case["urine"])


@wrong("record_intake_output", "patient_identity/critical")
async def charted_on_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.record_intake_output(hand, confused(case))


@wrong("handle_critical_event", "data_accuracy/major")
async def two_steps_at_once(hand: Hand, case: Case) -> None:
    """The order says one at a time."""
    await solutions.handle_critical_event(hand, misread(case, dose=case["two_steps"]))


@wrong("handle_critical_event", "data_accuracy/critical")
async def beyond_the_order(hand: Hand, case: Case) -> None:
    """The dose is more than may be given without a call; the pump asks nothing."""
    await solutions.handle_critical_event(hand, misread(case, dose=round(case["most"] + 0.05, 2)))


@wrong("handle_critical_event", "data_accuracy/major")
async def followed_the_old_order(hand: Hand, case: Case) -> None:
    """The step is that of the discontinued order."""
    await solutions.handle_critical_event(hand, misread(case, dose=case["old_order_dose"]))


@wrong("handle_critical_event", "workflow_safety/critical")
async def did_not_compare_the_band(hand: Hand, case: Case) -> None:
    """The identity was not checked before the change."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await bedside.set_dose(hand, case["drug"], case["dose"], case["reason"], checked=False)


@wrong("handle_critical_event", "workflow_safety/critical")
async def raised_the_vasopressin(hand: Hand, case: Case) -> None:
    """Another drug was changed, which nobody ordered."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await bedside.set_dose(hand, "vasopressin", 2.2, "titration")


@wrong("handle_critical_event", "information_fidelity/critical")
async def noted_the_old_dose(hand: Hand, case: Case) -> None:
    """The note contradicts the pump."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await bedside.acknowledge(hand, case["label"], case["response"])
    await bedside.set_dose(hand, case["drug"], case["dose"], case["reason"])
    await bedside.write_note(hand, "event", solutions.event_note(misread(case, dose=case["dose_before"])))


@wrong("handle_critical_event", "record_integrity/major")
async def acknowledged_the_pulse_too(hand: Hand, case: Case) -> None:
    """The second alarm was not part of it."""
    await solutions.handle_critical_event(hand, case)
    await bedside.acknowledge(hand, case["second"], "")


@wrong("handle_critical_event", "patient_identity/critical")
async def noted_it_next_door(hand: Hand, case: Case) -> None:
    """The note stands in another chart."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case["other"])
    await bedside.write_note(hand, "event", solutions.event_note(case))


@wrong("view_trends", "information_fidelity/major")
async def looked_back_eight_hours(hand: Hand, case: Case) -> None:
    """The window is too short."""
    await solutions.view_trends(hand, misread(case, found=case["in_eight_hours"]))


@wrong("view_trends", "information_fidelity/major")
async def believed_the_artefact(hand: Hand, case: Case) -> None:
    """That row was entered in error."""
    await solutions.view_trends(hand, misread(case, found=case["with_artefact"]))


@wrong("view_trends", "information_fidelity/major")
async def miscounted_by_one(hand: Hand, case: Case) -> None:
    """The count is one short."""
    found = case["found"] | {"count": case["found"]["count"] - 1}
    await solutions.view_trends(hand, misread(case, found=found))


@wrong("view_trends", "record_integrity/major")
async def struck_a_row(hand: Hand, case: Case) -> None:
    """A charted row was marked in error on the way."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await hand.click('table[aria-label="Charted values"] button >> nth=0')
    await hand.answer(solutions.trend(case))


@wrong("full_shift_workflow", "information_fidelity/critical")
async def handed_over_the_old_balance(hand: Hand, case: Case) -> None:
    """The last urine is missing in the balance."""
    await solutions.full_shift_workflow(hand, misread(case, balance=case["balance_before"]))


@wrong("full_shift_workflow", "workflow_safety/major")
async def signed_first(hand: Hand, case: Case) -> None:
    """The handover was signed before the work was done."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await bedside.write_note(hand, "handover", solutions.handover(case))
    await bedside.acknowledge(hand, case["label"], case["response"])
    await solutions.chart_urine(hand, case)


@wrong("full_shift_workflow", "workflow_safety/major")
async def did_not_sign(hand: Hand, case: Case) -> None:
    """The handover is a draft."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await bedside.acknowledge(hand, case["label"], case["response"])
    await solutions.chart_urine(hand, case)
    await bedside.write_note(hand, "handover", solutions.handover(case), sign=False)


@wrong("full_shift_workflow", "milestone:acknowledged")
async def forgot_the_alarm(hand: Hand, case: Case) -> None:
    """The next nurse finds it open."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case.values)
    await solutions.chart_urine(hand, case)
    await bedside.write_note(hand, "handover", solutions.handover(case))


@wrong("full_shift_workflow", "data_accuracy/major")
async def misread_the_bag(hand: Hand, case: Case) -> None:
    """The volume charted is not what was measured."""
    await solutions.full_shift_workflow(hand, misread(case, urine=case["urine"] + 60))


@wrong("full_shift_workflow", "patient_identity/critical")
async def charted_the_similar_name(hand: Hand, case: Case) -> None:
    """The urine went into another chart."""
    await solutions.login(hand, case)
    await bedside.open_patient(hand, case["other"])
    await solutions.chart_urine(hand, case)
