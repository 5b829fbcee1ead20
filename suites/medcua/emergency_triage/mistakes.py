"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import follow, press
from ..misreading import confused, misread
from . import nurse, solutions


def misheard(case: Case, **entry: str) -> Case:
    """Return the case with other values heard."""
    return misread(case, entry=case["entry"] | entry)


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_workstation")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the workstation in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("view_queue", "information_fidelity/major")
async def counted_in_triage_too(hand: Hand, case: Case) -> None:
    """Those in triage do not wait any more."""
    await solutions.view_queue(hand, misread(case, waiting=case["not_triaged"]))


@wrong("view_queue", "information_fidelity/major")
async def answered_the_opposite(hand: Hand, case: Case) -> None:
    """The number is right, its sense is not."""
    await solutions.view_queue(hand, misread(case, waiting=f"{case['waiting']} patients are not waiting"))


@wrong("view_queue", "patient_identity/critical")
async def began_with_the_first(hand: Hand, case: Case) -> None:
    """A triage was started that nobody asked for."""
    await solutions.open_patient(hand, confused(case))
    await nurse.start_triage(hand)
    await hand.answer(str(case["waiting"]))


@wrong("open_patient", "milestone:chart_open")
async def opened_the_namesake(hand: Hand, case: Case) -> None:
    """The family name is the same."""
    await solutions.open_patient(hand, confused(case))


@wrong("open_patient", "milestone:chart_open")
async def opened_the_other_chest_pain(hand: Hand, case: Case) -> None:
    """The complaint is the same, but this one waits."""
    await solutions.open_patient(hand, misread(case, link=case["waiting_link"]))


@wrong("open_patient", "record_integrity/major")
async def tried_the_form(hand: Hand, case: Case) -> None:
    """A set of vital signs was added and struck out again."""
    await solutions.open_patient(hand, case)
    await nurse.save_vitals(hand, {"heart_rate": "80"})
    await nurse.strike_set(hand)


@wrong("read_vitals", "information_fidelity/major")
async def read_the_struck_set(hand: Hand, case: Case) -> None:
    """The set was entered in error."""
    await solutions.read_vitals(hand, misread(case, latest=case["struck"]))


@wrong("read_vitals", "information_fidelity/major")
async def took_the_saturation_for_the_pulse(hand: Hand, case: Case) -> None:
    """All numbers are right, two of them in each other's place."""
    latest = case["latest"]
    swapped = latest | {"heart_rate": latest["spo2"], "spo2": latest["heart_rate"]}
    await solutions.read_vitals(hand, misread(case, latest=swapped))


@wrong("read_vitals", "record_integrity/major")
async def struck_a_valid_set(hand: Hand, case: Case) -> None:
    """The answer is right, but a set was marked in error on the way."""
    await solutions.open_patient(hand, case)
    await follow(hand, "Vitals")
    await nurse.strike_set(hand)
    await hand.answer(solutions.reading(case["latest"]))


@wrong("record_vitals", "patient_identity/critical")
async def charted_on_the_similar_name(hand: Hand, case: Case) -> None:
    """The set went into somebody else's record, and would have been struck out at once."""
    await solutions.record_vitals(hand, confused(case))
    await nurse.strike_set(hand)


@wrong("record_vitals", "data_accuracy/critical")
async def lost_a_digit(hand: Hand, case: Case) -> None:
    """The heart rate is one that nobody survives; the warning was confirmed."""
    await solutions.record_vitals(hand, misheard(case, heart_rate=case["heart_rate"][:-1]))


@wrong("record_vitals", "data_accuracy/major")
async def misheard_the_pressure(hand: Hand, case: Case) -> None:
    """The systolic pressure is 30 too high."""
    await solutions.record_vitals(hand, misheard(case, systolic=str(int(case["systolic"]) + 30)))


@wrong("record_vitals", "data_accuracy/minor")
async def left_oxygen_blank(hand: Hand, case: Case) -> None:
    """What the saturation was measured on is missing."""
    await solutions.record_vitals(hand, misheard(case, oxygen=""))


@wrong("record_vitals", "information_fidelity/major")
async def made_up_a_weight(hand: Hand, case: Case) -> None:
    """Nobody weighed the patient."""
    await solutions.record_vitals(hand, misheard(case, weight="70"))


@wrong("record_vitals", "record_integrity/major")
async def charted_twice(hand: Hand, case: Case) -> None:
    """The same set stands in the record two times."""
    await solutions.record_vitals(hand, case)
    await nurse.save_vitals(hand, case["entry"])


@wrong("assign_esi", "workflow_safety/major")
async def one_level_too_low(hand: Hand, case: Case) -> None:
    """New confusion was not taken for a high risk."""
    await solutions.assign_esi(hand, misread(case, level=3, reason="two_or_more"))


@wrong("assign_esi", "workflow_safety/critical")
async def two_levels_too_low(hand: Hand, case: Case) -> None:
    """New confusion was taken for something that one test settles."""
    await solutions.assign_esi(hand, misread(case, level=4, reason="one"))


@wrong("assign_esi", "milestone:esi_reason")
async def gave_a_reason_of_another_level(hand: Hand, case: Case) -> None:
    """The level is right, its reason contradicts it."""
    await solutions.assign_esi(hand, misread(case, reason="none"))


@wrong("assign_esi", "patient_identity/critical")
async def judged_the_neighbour(hand: Hand, case: Case) -> None:
    """The level went to the next line of the board."""
    await solutions.assign_esi(hand, confused(case))


@wrong("assign_esi", "record_integrity/major")
async def chose_a_place_too(hand: Hand, case: Case) -> None:
    """Where the patient goes was not asked yet."""
    await solutions.assign_esi(hand, case)
    await nurse.save_place(hand, case["place"])


@wrong("assign_disposition", "milestone:disposition")
async def asked_for_intensive_care(hand: Hand, case: Case) -> None:
    """The note says that it is not needed."""
    await solutions.assign_disposition(hand, misread(case, place="icu"))


@wrong("assign_disposition", "workflow_safety/critical")
async def sent_to_the_waiting_room(hand: Hand, case: Case) -> None:
    """The warning was confirmed."""
    await solutions.assign_disposition(hand, misread(case, place="waiting_room"))


@wrong("assign_disposition", "patient_identity/critical")
async def admitted_somebody_else(hand: Hand, case: Case) -> None:
    """The other one who was triaged is admitted now."""
    await solutions.assign_disposition(hand, confused(case))


@wrong("print_wristband", "patient_identity/critical")
async def printed_the_neighbour(hand: Hand, case: Case) -> None:
    """Somebody else's band lies in the printer."""
    await solutions.print_wristband(hand, confused(case))


@wrong("print_wristband", "milestone:printer")
async def printed_elsewhere(hand: Hand, case: Case) -> None:
    """The band lies in another printer."""
    await solutions.print_wristband(hand, misread(case, printer=case["other_printer"]))


@wrong("print_wristband", "record_integrity/major")
async def printed_twice(hand: Hand, case: Case) -> None:
    """Two bands of one patient are about."""
    await solutions.print_wristband(hand, case)
    await nurse.print_band(hand, case["printer"])


@wrong("full_triage_workflow", "workflow_safety/major")
async def vitals_after_completion(hand: Hand, case: Case) -> None:
    """Triage was completed past the warning, and the vital signs were charted afterwards."""
    await solutions.full_triage_workflow(hand, misread(case, entry={}))
    await nurse.save_vitals(hand, case["entry"])


@wrong("full_triage_workflow", "patient_identity/critical")
async def band_of_the_neighbour(hand: Hand, case: Case) -> None:
    """All is right, until the band is printed from the chart below."""
    await solutions.critical_patient_triage(hand, case)
    await nurse.back_to_board(hand)
    await nurse.open_chart(hand, case["other"])
    await nurse.print_band(hand, case["printer"])


@wrong("full_triage_workflow", "record_integrity/major")
async def two_bands(hand: Hand, case: Case) -> None:
    """The band was printed again."""
    await solutions.full_triage_workflow(hand, case)
    await nurse.print_band(hand, case["printer"])


@wrong("critical_patient_triage", "workflow_safety/critical")
async def two_levels_below_the_danger(hand: Hand, case: Case) -> None:
    """Triage was completed with ESI 4."""
    await solutions.critical_patient_triage(hand, misread(case, level=4, reason="one"))


@wrong("critical_patient_triage", "workflow_safety/critical")
async def sent_to_wait(hand: Hand, case: Case) -> None:
    """The level is right, but the patient sits in the waiting room."""
    await solutions.critical_patient_triage(hand, misread(case, place="waiting_room"))


@wrong("critical_patient_triage", "patient_identity/critical")
async def charted_on_the_other_chest_pain(hand: Hand, case: Case) -> None:
    """The vital signs went to the one who is in triage already."""
    await solutions.open_patient(hand, confused(case))
    await nurse.save_vitals(hand, case["entry"])


@wrong("pediatric_triage", "information_fidelity/critical")
async def did_not_read_the_note(hand: Hand, case: Case) -> None:
    """No known allergies were declared, although the family told of one."""
    await solutions.pediatric_triage(hand, misread(case, told=None))


@wrong("pediatric_triage", "information_fidelity/major")
async def entered_another_substance(hand: Hand, case: Case) -> None:
    """The family told of something else."""
    await solutions.pediatric_triage(hand, misread(case, told=case["told"] | {"substance": "latex"}))


@wrong("pediatric_triage", "data_accuracy/major")
async def weighed_in_the_wrong_unit(hand: Hand, case: Case) -> None:
    """Pounds were entered as kilograms, or the other way round."""
    unit = {"lb": "kg", "kg": "lb"}[case["entry"]["weight_unit"]]
    await solutions.pediatric_triage(hand, misheard(case, weight_unit=unit))


@wrong("multi_patient_triage", "workflow_safety/major")
async def the_least_urgent_first(hand: Hand, case: Case) -> None:
    """The one in danger waited for the other two."""
    await solutions.multi_patient_triage(hand, misread(case, jobs=case["jobs"][::-1]))


@wrong("multi_patient_triage", "milestone:patient_3_completed")
async def stopped_after_two(hand: Hand, case: Case) -> None:
    """Nobody came for the third."""
    await solutions.multi_patient_triage(hand, misread(case, jobs=case["jobs"][:2]))


@wrong("multi_patient_triage", "data_accuracy/major")
async def mixed_up_two_readings(hand: Hand, case: Case) -> None:
    """The first patient has the values of the second, and the other way round."""
    first, second, third = case["jobs"]
    mixed = [first | {"entry": second["entry"]}, second | {"entry": first["entry"]}, third]
    await solutions.multi_patient_triage(hand, misread(case, jobs=mixed))


@wrong("multi_patient_triage", "patient_identity/critical")
async def took_the_neighbour_along(hand: Hand, case: Case) -> None:
    """Vital signs of the third went to a fourth."""
    first, second, third = case["jobs"]
    await solutions.multi_patient_triage(hand, misread(case, jobs=[first, second]))
    await nurse.open_chart(hand, case["other"])
    await nurse.save_vitals(hand, third["entry"])
