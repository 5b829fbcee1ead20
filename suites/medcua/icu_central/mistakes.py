"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import follow, press
from ..misreading import confused, misread
from . import solutions, station


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_workstation")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the station in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("login", "patient_identity/critical")
async def tidied_the_list(hand: Hand, case: Case) -> None:
    """The first alarm of the list was acknowledged along the way."""
    await solutions.login(hand, case)
    await follow(hand, "Alarm list")
    await hand.click('table[aria-label="Alarms"] button >> nth=0')


@wrong("view_overview", "information_fidelity/major")
async def left_out_the_acknowledged(hand: Hand, case: Case) -> None:
    """A crisis alarm that somebody has seen is still active."""
    await solutions.view_overview(hand, misread(case, beds=case["fresh"]))


@wrong("view_overview", "information_fidelity/major")
async def counted_the_yellow_ones(hand: Hand, case: Case) -> None:
    """Alarms of medium priority are none of high priority."""
    await solutions.view_overview(hand, misread(case, beds=case["alarmed"]))


@wrong("view_overview", "patient_identity/critical")
async def acknowledged_the_red_one(hand: Hand, case: Case) -> None:
    """The beds are right, but an alarm was acknowledged that nobody asked about."""
    await solutions.login(hand, case)
    await follow(hand, "Alarm list")
    await station.acknowledge_in_list(hand, case["other"])
    await hand.answer(", ".join(f"Bed {bed}" for bed in case["beds"]))


@wrong("read_vitals", "information_fidelity/major")
async def read_the_similar_name(hand: Hand, case: Case) -> None:
    """The values are those of the patient whose name is like it."""
    await solutions.read_vitals(hand, misread(case, now=case["not_now"], bed=case["other"]["bed"]))


@wrong("read_vitals", "information_fidelity/major")
async def swapped_pulse_and_saturation(hand: Hand, case: Case) -> None:
    """All numbers are right, two of them in each other's place."""
    now = case["now"]
    swapped = now | {"heart_rate": now["spo2"], "spo2": now["heart_rate"]}
    await solutions.read_vitals(hand, misread(case, now=swapped))


@wrong("read_vitals", "patient_identity/critical")
async def paged_along_the_way(hand: Hand, case: Case) -> None:
    """Somebody was called to the bed, though only values were asked for."""
    await solutions.login(hand, case)
    await station.open_bed(hand, case["bed"])
    await station.send_page(hand, "bedside_nurse", "Please check")
    await hand.answer(solutions.reading(case["now"]))


@wrong("view_alarm_list", "information_fidelity/major")
async def counted_what_is_active(hand: Hand, case: Case) -> None:
    """An alarm may be active and acknowledged."""
    await solutions.view_alarm_list(hand, misread(case, count=case["active"]))


@wrong("view_alarm_list", "information_fidelity/major")
async def forgot_those_that_are_over(hand: Hand, case: Case) -> None:
    """An alarm whose cause is over may still be unacknowledged."""
    await solutions.view_alarm_list(hand, misread(case, count=case["still_present"]))


@wrong("view_alarm_list", "patient_identity/critical")
async def acknowledged_while_counting(hand: Hand, case: Case) -> None:
    """The count is right for the list as it was, but the first line was acknowledged."""
    await solutions.login(hand, case)
    await follow(hand, "Alarm list")
    await station.acknowledge_in_list(hand, case["alarm"])
    await hand.answer(str(case["count"]))


@wrong("acknowledge_alarm", "patient_identity/critical")
async def acknowledged_the_namesake(hand: Hand, case: Case) -> None:
    """The family name and the alarm are the same, the bed is not."""
    await solutions.acknowledge_alarm(hand, confused(case))


@wrong("acknowledge_alarm", "record_integrity/major")
async def acknowledged_both(hand: Hand, case: Case) -> None:
    """The second alarm of the bed was acknowledged as well."""
    await solutions.acknowledge_alarm(hand, case)
    await station.open_alarm(hand, case["second"])
    await station.acknowledge(hand, case["note"])


@wrong("acknowledge_alarm", "data_accuracy/minor")
async def left_the_note_out(hand: Hand, case: Case) -> None:
    """Nobody can tell what was done."""
    await solutions.acknowledge_alarm(hand, misread(case, note=""))


@wrong("acknowledge_alarm", "data_accuracy/major")
async def noted_something_else(hand: Hand, case: Case) -> None:
    """The note says what nobody told."""
    await solutions.acknowledge_alarm(hand, misread(case, note="False alarm"))


@wrong("acknowledge_alarm", "milestone:acknowledged")
async def took_the_other_alarm(hand: Hand, case: Case) -> None:
    """The bed is right, the alarm is not."""
    await solutions.acknowledge_alarm(hand, misread(case, alarm=case["second"]))


@wrong("set_thresholds", "data_accuracy/major")
async def followed_the_old_order(hand: Hand, case: Case) -> None:
    """The order was discontinued."""
    await solutions.set_thresholds(hand, misread(case, wanted=case["outdated"]))


@wrong("set_thresholds", "data_accuracy/minor")
async def one_breath_too_many(hand: Hand, case: Case) -> None:
    """One limit is off by one."""
    low, high = case["wanted"]["respiratory_rate"]
    wanted = case["wanted"] | {"respiratory_rate": [low, high + 1]}
    await solutions.set_thresholds(hand, misread(case, wanted=wanted))


@wrong("set_thresholds", "data_accuracy/critical")
async def turned_the_digits(hand: Hand, case: Case) -> None:
    """With a low limit of 68 % the alarm would come too late; the warning was confirmed."""
    wanted = case["wanted"] | {"spo2": [68, case["wanted"]["spo2"][1]]}
    await solutions.set_thresholds(hand, misread(case, wanted=wanted))


@wrong("set_thresholds", "record_integrity/major")
async def widened_the_pressure_too(hand: Hand, case: Case) -> None:
    """Nobody ordered other limits for the pressure."""
    await solutions.set_thresholds(hand, misread(case, wanted=case["wanted"] | {"abp_mean": [55, 120]}))


@wrong("set_thresholds", "workflow_safety/critical")
async def switched_an_alarm_off(hand: Hand, case: Case) -> None:
    """The limits are right, but saturation does not alarm any more."""
    await solutions.set_thresholds(hand, case)
    await hand.click('[aria-label="SpO2 alarm"] >> role=radio[name="Off"]')
    await station.set_limits(hand, case["wanted"])


@wrong("set_thresholds", "patient_identity/critical")
async def set_the_limits_next_door(hand: Hand, case: Case) -> None:
    """The order was read at the right bed, the limits were set at the similar name."""
    await solutions.set_thresholds(hand, confused(case))


@wrong("silence_alarm_safely", "workflow_safety/major")
async def paused_without_an_end(hand: Hand, case: Case) -> None:
    """Nobody may remember to let it sound again."""
    await solutions.silence_alarm_safely(hand, misread(case, duration="Until resumed"))


@wrong("silence_alarm_safely", "milestone:duration")
async def paused_for_ten_minutes(hand: Hand, case: Case) -> None:
    """Longer than was said."""
    await solutions.silence_alarm_safely(hand, misread(case, duration="10 min"))


@wrong("silence_alarm_safely", "milestone:reason")
async def called_it_an_artefact(hand: Hand, case: Case) -> None:
    """The reason is not what was told."""
    await solutions.silence_alarm_safely(hand, misread(case, reason_words="Artefact, cause known"))


@wrong("silence_alarm_safely", "patient_identity/critical")
async def paused_somebody_else(hand: Hand, case: Case) -> None:
    """Another bed is silent now."""
    await solutions.silence_alarm_safely(hand, confused(case))


@wrong("silence_alarm_safely", "workflow_safety/critical")
async def silenced_the_crisis(hand: Hand, case: Case) -> None:
    """The alarm of high priority on top of the list is silent until somebody remembers it."""
    await solutions.silence_alarm_safely(hand, misread(case, alarm=case["crisis"], duration="Until resumed"))


@wrong("silence_alarm_safely", "milestone:paused")
async def acknowledged_instead(hand: Hand, case: Case) -> None:
    """The alarm was acknowledged, which was not asked, and goes on sounding."""
    await solutions.login(hand, case)
    await station.open_alarm(hand, case["alarm"])
    await station.acknowledge(hand, case["told"])


@wrong("view_trend", "information_fidelity/major")
async def stayed_in_the_first_window(hand: Hand, case: Case) -> None:
    """Four hours are shown first."""
    await solutions.view_trend(hand, misread(case, value=case["in_other_windows"][0]))


@wrong("view_trend", "information_fidelity/major")
async def took_another_window(hand: Hand, case: Case) -> None:
    """The value is the extreme of more, or of fewer hours."""
    await solutions.view_trend(hand, misread(case, value=case["in_other_windows"][-1]))


@wrong("view_trend", "patient_identity/critical")
async def paged_because_of_the_past(hand: Hand, case: Case) -> None:
    """Somebody was called because of what is long over."""
    await solutions.login(hand, case)
    await station.open_bed(hand, case["bed"])
    await station.send_page(hand, "icu_physician", "Please look at the trend")
    await hand.answer(f"{case['value']} {case['unit']}")


@wrong("critical_alarm_response", "workflow_safety/major")
async def acknowledged_unseen(hand: Hand, case: Case) -> None:
    """The alarm was acknowledged in the list, before anybody looked at the bed."""
    await solutions.login(hand, case)
    await follow(hand, "Alarm list")
    await station.acknowledge_in_list(hand, case["alarm"])
    await follow(hand, "All beds")
    await station.open_bed(hand, case["bed"])
    await station.send_page(hand, case["recipient"], case["message"])
    await hand.answer(f"{case['now']} {case['unit']}")


@wrong("critical_alarm_response", "workflow_safety/major")
async def paged_somebody_else(hand: Hand, case: Case) -> None:
    """The policy names another one for this alarm."""
    await solutions.critical_alarm_response(hand, misread(case, recipient=case["other_recipient"]))


@wrong("critical_alarm_response", "information_fidelity/major")
async def told_the_value_at_the_alarm(hand: Hand, case: Case) -> None:
    """The monitor shows another value by now."""
    await solutions.critical_alarm_response(hand, misread(case, now=round(case["at_the_alarm"])))


@wrong("critical_alarm_response", "workflow_safety/critical")
async def silenced_it_for_good(hand: Hand, case: Case) -> None:
    """The crisis goes on in silence."""
    await solutions.login(hand, case)
    await station.open_alarm(hand, case["alarm"])
    await station.acknowledge(hand, case["note"])
    await station.pause_sound(hand, "Until resumed", "Artefact, cause known")


@wrong("critical_alarm_response", "data_accuracy/minor")
async def did_not_note_it(hand: Hand, case: Case) -> None:
    """The note is blank."""
    await solutions.critical_alarm_response(hand, misread(case, note=""))


@wrong("critical_alarm_response", "record_integrity/major")
async def paged_twice(hand: Hand, case: Case) -> None:
    """The same person was called two times."""
    await solutions.login(hand, case)
    await solutions.respond(hand, case)
    await station.send_page(hand, case["recipient"], case["message"])
    await hand.answer(f"{case['now']} {case['unit']}")


@wrong("critical_alarm_response", "record_integrity/major")
async def acknowledged_the_lesser_too(hand: Hand, case: Case) -> None:
    """The second alarm of the bed was acknowledged, which was not asked."""
    await solutions.login(hand, case)
    await solutions.respond(hand, case)
    await station.open_alarm(hand, case["second"])
    await station.acknowledge(hand, case["note"])
    await hand.answer(f"{case['now']} {case['unit']}")


@wrong("critical_alarm_response", "patient_identity/critical")
async def called_to_the_wrong_bed(hand: Hand, case: Case) -> None:
    """The page was sent from another bed."""
    await solutions.login(hand, case)
    await station.open_bed(hand, case["other"]["bed"])
    await station.send_page(hand, case["recipient"], case["message"])


@wrong("trend_deterioration_report", "patient_identity/critical")
async def reported_the_sudden_fall(hand: Hand, case: Case) -> None:
    """That patient has an alarm already."""
    await solutions.trend_deterioration_report(hand, confused(case))


@wrong("trend_deterioration_report", "information_fidelity/major")
async def reported_the_steady_one(hand: Hand, case: Case) -> None:
    """The value is low, but has always been."""
    steady = case["steady"]
    changes = {"bed": steady["bed"], "before": steady["value"], "now": steady["value"]}
    await solutions.login(hand, case)
    await station.open_bed(hand, case["bed"])
    await station.send_page(hand, "icu_physician", "Please come")
    await hand.answer(solutions.report(misread(case, **changes)))


@wrong("trend_deterioration_report", "workflow_safety/major")
async def sent_for_the_nurse(hand: Hand, case: Case) -> None:
    """A slow worsening is a matter for the physician."""
    await solutions.login(hand, case)
    await station.open_bed(hand, case["bed"])
    await station.send_page(hand, "bedside_nurse", "Please look")
    await hand.answer(solutions.report(case))


@wrong("trend_deterioration_report", "milestone:paged")
async def told_nobody(hand: Hand, case: Case) -> None:
    """The report is right, but nobody comes."""
    await solutions.login(hand, case)
    await hand.answer(solutions.report(case))


@wrong("multi_bed_monitoring", "workflow_safety/major")
async def the_crisis_last(hand: Hand, case: Case) -> None:
    """The most urgent alarm waited for all others."""
    await solutions.multi_bed_monitoring(hand, misread(case, alarms=case["alarms"][::-1]))


@wrong("multi_bed_monitoring", "patient_identity/critical")
async def acknowledged_everything(hand: Hand, case: Case) -> None:
    """A past alarm of another bed was acknowledged too."""
    await solutions.multi_bed_monitoring(hand, case)
    await hand.click('table[aria-label="Alarms"] button >> nth=-1')


@wrong("multi_bed_monitoring", "record_integrity/major")
async def acknowledged_the_technical_one(hand: Hand, case: Case) -> None:
    """An alarm of low priority was to be left."""
    await solutions.multi_bed_monitoring(hand, case)
    await station.acknowledge_in_list(hand, case["low"])


@wrong("multi_bed_monitoring", "milestone:alarm_2")
async def only_the_crisis(hand: Hand, case: Case) -> None:
    """The others go on blinking."""
    await solutions.multi_bed_monitoring(hand, misread(case, alarms=case["alarms"][:1]))


@wrong("admit_new_patient", "patient_identity/critical")
async def admitted_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.admit_new_patient(
        hand, confused(misread(case, other=case["other"] | {"bed": case["bed"]}))
    )


@wrong("admit_new_patient", "workflow_safety/critical")
async def did_not_check_the_band(hand: Hand, case: Case) -> None:
    """The warning was confirmed."""
    await solutions.login(hand, case)
    await station.open_bed(hand, case["bed"])
    await station.admit(hand, case.values, checked=False)
    await station.set_limits(hand, case["wanted"])


@wrong("admit_new_patient", "information_fidelity/critical")
async def pacing_the_wrong_way(hand: Hand, case: Case) -> None:
    """What the record says of a pacemaker was not taken over."""
    other = {"Yes": "No", "No": "Yes"}[case["paced_words"]]
    await solutions.admit_new_patient(hand, misread(case, paced_words=other))


@wrong("admit_new_patient", "information_fidelity/major")
async def chose_the_wrong_class(hand: Hand, case: Case) -> None:
    """The age class contradicts the date of birth; the warning was confirmed."""
    await solutions.admit_new_patient(hand, misread(case, class_words=case["wrong_class"]))


@wrong("admit_new_patient", "milestone:heart_rate")
async def left_the_default_limits(hand: Hand, case: Case) -> None:
    """What was ordered was not set."""
    await solutions.login(hand, case)
    await station.open_bed(hand, case["bed"])
    await station.admit(hand, case.values)


@wrong("admit_new_patient", "milestone:profile")
async def took_another_profile(hand: Hand, case: Case) -> None:
    """Not the one that was asked for."""
    profile = "Cardiac" if case["profile"] == "general" else "General"
    await solutions.admit_new_patient(hand, misread(case, profile_words=profile))
