"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or out of place.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from ..hands import choose, follow, press
from ..misreading import confused, misread
from . import site, solutions, technologist


def mistold(case: Case, group: str, **changes: Any) -> Case:
    """Return the case with other values in one group of them."""
    return misread(case, **{group: case[group] | changes})


def _beside(modality: str, case: Case) -> str:
    """Return the name of another protocol of the region."""
    known = site.protocols(modality)
    return next(
        str(entry["name"])
        for key, entry in known.items()
        if entry["region"] == case["region"] and key != case["protocol"]
    )


@wrong("login", "milestone:accepted")
async def locked_capitals(hand: Hand, case: Case) -> None:
    """The password was typed in the wrong case."""
    await solutions.login(hand, misread(case, password=case["password"].swapcase()))


@wrong("login", "milestone:at_console")
async def signed_out_again(hand: Hand, case: Case) -> None:
    """Nobody is at the console in the end."""
    await solutions.login(hand, case)
    await press(hand, "Sign out")


@wrong("login", "record_integrity/major")
async def tried_the_phantom(hand: Hand, case: Case) -> None:
    """The phantom was scanned, which nobody asked for."""
    await solutions.login(hand, case)
    await follow(hand, "Quality control")
    await press(hand, "Scan phantom")


@wrong("view_worklist", "information_fidelity/major")
async def counted_both_scanners(hand: Hand, case: Case) -> None:
    """MR orders were counted too."""
    await solutions.view_worklist(hand, misread(case, pending=case["both_scanners"]))


@wrong("view_worklist", "information_fidelity/major")
async def counted_any_status(hand: Hand, case: Case) -> None:
    """What is done or cancelled was counted too."""
    await solutions.view_worklist(hand, misread(case, pending=case["any_status"]))


@wrong("view_worklist", "milestone:count")
async def guessed_at_the_door(hand: Hand, case: Case) -> None:
    """The number is right, but nobody has looked."""
    await hand.answer(str(case["pending"]))


@wrong("view_worklist", "patient_identity/critical")
async def registered_the_first(hand: Hand, case: Case) -> None:
    """The count is right, but somebody was registered on the way."""
    await solutions.load_patient(hand, confused(case))
    await hand.answer(str(case["pending"]))


@wrong("load_patient", "patient_identity/critical")
async def registered_the_namesake(hand: Hand, case: Case) -> None:
    """The names differ by a letter."""
    await solutions.load_patient(hand, confused(case))


@wrong("load_patient", "milestone:registered")
async def only_looked(hand: Hand, case: Case) -> None:
    """The order was opened, but not registered."""
    await solutions.open_exam(hand, case)


@wrong("load_patient", "record_integrity/major")
async def registered_the_other_order_too(hand: Hand, case: Case) -> None:
    """The order on the other scanner was registered along with it."""
    await solutions.load_patient(hand, case)
    await follow(hand, "Worklist")
    await technologist.open_exam(hand, case["second"])
    await technologist.register(hand)


@wrong("load_patient", "workflow_safety/major")
async def identified_by_the_room(hand: Hand, case: Case) -> None:
    """A room number is no identifier; the console's question was waved through."""
    await solutions.open_exam(hand, case)
    await technologist.register(hand, (technologist.NAME, technologist.ROOM))


@wrong("load_patient", "milestone:identity")
async def compared_nothing(hand: Hand, case: Case) -> None:
    """No identifier was ticked."""
    await solutions.open_exam(hand, case)
    await technologist.register(hand, ())


@wrong("select_protocol", "information_fidelity/major")
async def selected_the_one_beside(hand: Hand, case: Case) -> None:
    """The region is right, the protocol is for another question."""
    await solutions.select_protocol(hand, misread(case, protocol_name=case["wrong_protocol"]))


@wrong("select_protocol", "milestone:protocol")
async def stopped_at_the_tree(hand: Hand, case: Case) -> None:
    """The protocol was looked at only."""
    await solutions.open_exam(hand, case)
    await technologist.step(hand, "Protocol")
    await follow(hand, case["region"])


@wrong("select_protocol", "patient_identity/critical")
async def selected_for_somebody_else(hand: Hand, case: Case) -> None:
    """The neighbour on the worklist has another protocol now."""
    await solutions.select_protocol(hand, confused(case))


@wrong("select_protocol", "record_integrity/major")
async def took_the_scout_along(hand: Hand, case: Case) -> None:
    """The protocol is right; the scout was not asked for."""
    await solutions.select_protocol(hand, case)
    await technologist.step(hand, "Scan")
    await press(hand, "Acquire scout")
    await technologist.confirm(hand)


@wrong("set_ct_parameters", "data_accuracy/major")
async def misheard_the_current(hand: Hand, case: Case) -> None:
    """The tube current is 40 mA too high."""
    current = case["technique"]["ma"] + 40
    await solutions.set_ct_parameters(hand, mistold(case, "technique", ma=current))


@wrong("set_ct_parameters", "data_accuracy/minor")
async def rounded_the_field_of_view(hand: Hand, case: Case) -> None:
    """The field of view is 5 mm too large."""
    field = case["technique"]["fov_mm"] + 5
    await solutions.set_ct_parameters(hand, mistold(case, "technique", fov_mm=field))


@wrong("set_ct_parameters", "milestone:kernel")
async def forgot_the_kernel(hand: Hand, case: Case) -> None:
    """The kernel is not the one that was told."""
    kernel = "bone" if case["technique"]["kernel"] != "bone" else "smooth"
    await solutions.set_ct_parameters(hand, mistold(case, "technique", kernel=kernel))


@wrong("set_ct_parameters", "patient_identity/critical")
async def set_for_somebody_else(hand: Hand, case: Case) -> None:
    """The technique went to the next examination of the list."""
    await solutions.set_ct_parameters(hand, confused(case))


@wrong("set_ct_parameters", "record_integrity/major")
async def exposed_a_scout(hand: Hand, case: Case) -> None:
    """Nothing was to be acquired yet."""
    await solutions.set_ct_parameters(hand, case)
    await press(hand, "Acquire scout")
    await technologist.confirm(hand)


@wrong("acquire_scout", "information_fidelity/critical")
async def left_the_usual_position(hand: Hand, case: Case) -> None:
    """The images say that the patient lies head first and supine: left and right, or front and back, are swapped."""
    await solutions.acquire_scout(hand, misread(case, position="head_first_supine"))


@wrong("acquire_scout", "data_accuracy/major")
async def from_the_other_side(hand: Hand, case: Case) -> None:
    """The direction is the other one."""
    other = {"ap": "lateral", "lateral": "ap"}[case["direction"]]
    await solutions.acquire_scout(hand, misread(case, direction=other))


@wrong("acquire_scout", "milestone:to_mm")
async def stopped_the_scout_short(hand: Hand, case: Case) -> None:
    """The scout ends 100 mm too early."""
    await solutions.acquire_scout(hand, misread(case, scout_to=case["scout_to"] - 100))


@wrong("acquire_scout", "data_accuracy/minor")
async def began_a_little_late(hand: Hand, case: Case) -> None:
    """The scout begins 5 mm off."""
    await solutions.acquire_scout(hand, misread(case, scout_from=case["scout_from"] + 5))


@wrong("acquire_scout", "record_integrity/major")
async def took_it_twice(hand: Hand, case: Case) -> None:
    """The patient was exposed two times for the same view."""
    await solutions.acquire_scout(hand, case)
    await press(hand, "Acquire scout")


@wrong("acquire_scout", "patient_identity/critical")
async def scout_of_somebody_else(hand: Hand, case: Case) -> None:
    """The images are in the record of the next examination."""
    await solutions.acquire_scout(hand, confused(case))


@wrong("run_scan", "workflow_safety/major")
async def forgot_to_arm(hand: Hand, case: Case) -> None:
    """The console's question was waved through: a contrast examination without contrast medium."""
    await solutions.open_exam(hand, case)
    await technologist.step(hand, "Scan")
    await technologist.scan(hand, case)


@wrong("run_scan", "milestone:covered")
async def took_the_console_s_box(hand: Hand, case: Case) -> None:
    """The range is the one that the console proposed without knowing the body."""
    await solutions.open_exam(hand, case)
    await technologist.arm(hand, case["injection"])
    await technologist.step(hand, "Scan")
    await press(hand, "Start scan")


@wrong("run_scan", "data_accuracy/major")
async def cut_off_the_end(hand: Hand, case: Case) -> None:
    """The range ends 60 mm too early."""
    await solutions.run_scan(hand, misread(case, range_to=case["bottom"] - 60))


@wrong("run_scan", "data_accuracy/minor")
async def scanned_too_much(hand: Hand, case: Case) -> None:
    """60 mm of the body above the range were exposed."""
    await solutions.run_scan(hand, misread(case, range_from=case["top"] - 60))


@wrong("run_scan", "data_accuracy/critical")
async def doubled_the_volume(hand: Hand, case: Case) -> None:
    """A hundred millilitres too many."""
    volume = min(200, case["injection"]["volume_ml"] + 100)
    await solutions.run_scan(hand, mistold(case, "injection", volume_ml=volume))


@wrong("run_scan", "milestone:rate_ml_s")
async def slowed_the_flow(hand: Hand, case: Case) -> None:
    """The flow is 1 mL/s too slow."""
    rate = case["injection"]["rate_ml_s"] - 1
    await solutions.run_scan(hand, mistold(case, "injection", rate_ml_s=rate))


@wrong("run_scan", "record_integrity/major")
async def scanned_twice(hand: Hand, case: Case) -> None:
    """The patient was scanned again."""
    await solutions.run_scan(hand, case)
    await technologist.scan(hand, case)


@wrong("run_scan", "patient_identity/critical")
async def scanned_somebody_else(hand: Hand, case: Case) -> None:
    """The injector was armed for the next examination of the list."""
    await solutions.open_exam(hand, confused(case))
    await technologist.arm(hand, case["injection"])
    await technologist.confirm(hand, "Confirm and arm")


@wrong("check_safety_flags", "information_fidelity/major")
async def read_the_cancelled_sample(hand: Hand, case: Case) -> None:
    """The eGFR is that of somebody else's blood."""
    await solutions.check_safety_flags(hand, misread(case, egfr=case["cancelled_egfr"]))


@wrong("check_safety_flags", "information_fidelity/major")
async def named_an_unrelated_allergy(hand: Hand, case: Case) -> None:
    """The allergy has nothing to do with contrast medium."""
    await solutions.check_safety_flags(hand, misread(case, agent=case["unrelated"]))


@wrong("check_safety_flags", "information_fidelity/major")
async def missed_the_combination(hand: Hand, case: Case) -> None:
    """Metformin was overlooked, or imagined."""
    await solutions.check_safety_flags(hand, misread(case, metformin=not case["metformin"]))


@wrong("check_safety_flags", "milestone:flags")
async def answered_unseen(hand: Hand, case: Case) -> None:
    """The answer is right, but the chart was never opened."""
    await solutions.prologue(hand, case)
    await hand.answer(solutions.flags(case))


@wrong("check_safety_flags", "record_integrity/major")
async def held_the_order(hand: Hand, case: Case) -> None:
    """The order was put on hold, which the radiologist has to decide."""
    await solutions.open_exam(hand, case)
    await technologist.hold(hand, "condition", case["radiologist_name"])
    await hand.answer(solutions.flags(case))


@wrong("complete_scan_workflow", "information_fidelity/major")
async def left_pregnancy_open(hand: Hand, case: Case) -> None:
    """The negative test of today was not seen."""
    await solutions.complete_scan_workflow(hand, mistold(case, "screening", pregnancy="possible"))


@wrong("complete_scan_workflow", "workflow_safety/critical")
async def screened_afterwards(hand: Hand, case: Case) -> None:
    """The patient was exposed, then asked."""
    await solutions.open_exam(hand, case)
    await technologist.register(hand)
    await technologist.step(hand, "Protocol")
    await technologist.select(hand, case["region"], case["protocol_name"])
    await technologist.step(hand, "Scan")
    await technologist.wide_scout(hand, case)
    await technologist.step(hand, "Safety")
    await technologist.screen(hand, case["screening"])


@wrong("complete_scan_workflow", "workflow_safety/critical")
async def exposed_a_stranger(hand: Hand, case: Case) -> None:
    """Nobody had asked who it is."""
    await solutions.open_exam(hand, case)
    await technologist.register(hand, (technologist.ROOM,))
    await technologist.screen(hand, case["screening"])
    await technologist.select(hand, case["region"], case["protocol_name"])
    await technologist.step(hand, "Scan")
    await technologist.wide_scout(hand, case)


@wrong("complete_scan_workflow", "information_fidelity/critical")
async def turned_the_patient_around(hand: Hand, case: Case) -> None:
    """The images say that the patient lies feet first: left and right are swapped."""
    await solutions.prepared(hand, case)
    await technologist.select(hand, case["region"], case["protocol_name"])
    await technologist.step(hand, "Scan")
    await choose(hand, "Patient position", site.POSITIONS["feet_first_supine"])
    await technologist.wide_scout(hand, case)


@wrong("complete_scan_workflow", "information_fidelity/major")
async def scanned_for_another_question(hand: Hand, case: Case) -> None:
    """The region is right, the protocol is for another question."""
    await solutions.complete_scan_workflow(hand, misread(case, protocol_name=_beside("CT", case)))


@wrong("complete_scan_workflow", "data_accuracy/minor")
async def chose_another_kernel(hand: Hand, case: Case) -> None:
    """The extra series has a kernel that nobody asked for."""
    kernel = next(name for name in site.KERNELS if name != case["series"]["kernel"])
    await solutions.complete_scan_workflow(hand, mistold(case, "series", kernel=kernel))


@wrong("complete_scan_workflow", "record_integrity/major")
async def sent_elsewhere(hand: Hand, case: Case) -> None:
    """The images are in another archive."""
    await solutions.complete_scan_workflow(hand, misread(case, destination=case["elsewhere"]))


@wrong("complete_scan_workflow", "workflow_safety/major")
async def completed_unsent(hand: Hand, case: Case) -> None:
    """The console's question was waved through: the images stay on the console."""
    await solutions.prepared(hand, case)
    await technologist.select(hand, case["region"], case["protocol_name"])
    await solutions.acquired(hand, case)
    await technologist.step(hand, "Finish")
    await technologist.complete(hand)


@wrong("complete_scan_workflow", "milestone:completed")
async def forgot_to_complete(hand: Hand, case: Case) -> None:
    """The examination stays open."""
    await solutions.prepared(hand, case)
    await technologist.select(hand, case["region"], case["protocol_name"])
    await solutions.acquired(hand, case)
    await technologist.step(hand, "Finish")
    await technologist.send(hand, case["destination"])


@wrong("complete_scan_workflow", "data_accuracy/major")
async def exposed_half_the_body(hand: Hand, case: Case) -> None:
    """120 mm above the range were scanned too."""
    wide = misread(case, range_from=case["range_from"] - 110)
    await solutions.complete_scan_workflow(hand, wide)


@wrong("complete_scan_workflow", "patient_identity/critical")
async def began_with_somebody_else(hand: Hand, case: Case) -> None:
    """The woman who must not be scanned was registered."""
    await solutions.prepared(hand, confused(case))


@wrong("mri_scan", "workflow_safety/critical")
async def kept_the_factory_mode(hand: Hand, case: Case) -> None:
    """First level mode heats the implant beyond what it bears; the console's question was confirmed."""
    await solutions.mri_scan(hand, misread(case, mode="first_level"))


@wrong("mri_scan", "information_fidelity/critical")
async def denied_the_implant(hand: Hand, case: Case) -> None:
    """The screening says that there is no device."""
    await solutions.mri_scan(hand, mistold(case, "screening", device="none"))


@wrong("mri_scan", "information_fidelity/major")
async def called_the_implant_unsafe(hand: Hand, case: Case) -> None:
    """The label is a worse one than in the chart."""
    await solutions.mri_scan(hand, mistold(case, "screening", device="unsafe"))


@wrong("mri_scan", "information_fidelity/major")
async def scanned_another_protocol(hand: Hand, case: Case) -> None:
    """The protocol is for another question."""
    await solutions.mri_scan(hand, misread(case, protocol_name=_beside("MR", case)))


@wrong("mri_scan", "record_integrity/major")
async def sent_the_mr_elsewhere(hand: Hand, case: Case) -> None:
    """The images are in another archive."""
    await solutions.mri_scan(hand, misread(case, destination=case["elsewhere"]))


@wrong("mri_scan", "workflow_safety/major")
async def completed_the_mr_unsent(hand: Hand, case: Case) -> None:
    """The console's question was waved through: the images stay on the console."""
    await solutions.scanned(hand, case)
    await technologist.step(hand, "Finish")
    await technologist.complete(hand)


@wrong("mri_scan", "workflow_safety/critical")
async def scanned_a_stranger(hand: Hand, case: Case) -> None:
    """Nobody had asked who it is; every question of the console was waved through."""
    await solutions.open_exam(hand, case)
    await technologist.register(hand, (technologist.ROOM,))
    await technologist.screen(hand, case["screening"])
    await technologist.select(hand, case["region"], case["protocol_name"])
    await technologist.step(hand, "Scan")
    await press(hand, "Acquire localizer")
    await technologist.confirm(hand)


@wrong("mri_scan", "patient_identity/critical")
async def registered_the_forbidden_one(hand: Hand, case: Case) -> None:
    """The patient with the MR Unsafe device was registered instead."""
    await solutions.prepared(hand, confused(case))


@wrong("run_qc", "information_fidelity/critical")
async def decided_the_opposite(hand: Hand, case: Case) -> None:
    """What fails was passed, or the other way round."""
    opposite = {"pass": "fail", "fail": "pass"}[case["result"]]
    await solutions.run_qc(hand, misread(case, result=opposite))


@wrong("run_qc", "information_fidelity/major")
async def misjudged_the_image(hand: Hand, case: Case) -> None:
    """A ring was overlooked, or seen where there is none."""
    other = {"ring": "none", "none": "ring"}[case["artefact"]]
    await solutions.run_qc(hand, misread(case, artefact=other))


@wrong("run_qc", "data_accuracy/major")
async def took_another_edge(hand: Hand, case: Case) -> None:
    """The uniformity is not the largest difference."""
    await solutions.run_qc(
        hand, mistold(case, "measured", uniformity_hu=case["measured"]["uniformity_hu"] + 1.5)
    )


@wrong("run_qc", "data_accuracy/minor")
async def misread_the_noise(hand: Hand, case: Case) -> None:
    """The noise is a fifth of a unit off."""
    await solutions.run_qc(hand, mistold(case, "measured", noise_hu=case["measured"]["noise_hu"] + 0.2))


@wrong("run_qc", "milestone:service")
async def did_not_act_on_it(hand: Hand, case: Case) -> None:
    """A scanner that fails stays in service, or one that passes is closed."""
    await solutions.measured(hand, case)
    if case["result"] == "pass":
        await technologist.take_out(hand, case["physicist_name"])


@wrong("run_qc", "milestone:service")
async def told_the_wrong_physicist(hand: Hand, case: Case) -> None:
    """The physicist who was told is not on call; or nobody had to be."""
    await solutions.measured(hand, case)
    await technologist.take_out(hand, case["off_duty_name"])


@wrong("run_qc", "milestone:decision")
async def only_scanned(hand: Hand, case: Case) -> None:
    """The phantom was scanned, but nothing was entered."""
    await solutions.prologue(hand, case)
    await follow(hand, "Quality control")
    await press(hand, "Scan phantom")


@wrong("run_qc", "patient_identity/critical")
async def registered_a_patient_first(hand: Hand, case: Case) -> None:
    """Somebody was put on a scanner that had not been checked."""
    await solutions.load_patient(hand, confused(case))


@wrong("pregnant_patient_safety", "information_fidelity/critical")
async def believed_the_old_test(hand: Hand, case: Case) -> None:
    """A test from before the last period was taken for today's."""
    await solutions.pregnant_patient_safety(hand, mistold(case, "screening", pregnancy="excluded"))


@wrong("pregnant_patient_safety", "workflow_safety/critical")
async def scouted_all_the_same(hand: Hand, case: Case) -> None:
    """The console's question was waved through: the patient was exposed."""
    await solutions.prepared(hand, case)
    await technologist.select(hand, case["region"], case["protocol_name"])
    await technologist.step(hand, "Scan")
    await technologist.wide_scout(hand, case)


@wrong("pregnant_patient_safety", "workflow_safety/major")
async def compared_the_name_only(hand: Hand, case: Case) -> None:
    """One identifier was compared; the console's question was waved through."""
    await solutions.open_exam(hand, case)
    await technologist.register(hand, (technologist.NAME,))
    await technologist.screen(hand, case["screening"])
    await technologist.step(hand, "Patient")
    await technologist.hold(hand, case["reason"], case["radiologist_name"])


@wrong("pregnant_patient_safety", "milestone:reason")
async def gave_another_reason(hand: Hand, case: Case) -> None:
    """The order is on hold, but nobody will know why."""
    await solutions.pregnant_patient_safety(hand, misread(case, reason="condition"))


@wrong("pregnant_patient_safety", "milestone:informed")
async def told_somebody_off_duty(hand: Hand, case: Case) -> None:
    """The radiologist who was told is not on duty."""
    await solutions.pregnant_patient_safety(hand, misread(case, radiologist_name=case["off_duty_name"]))


@wrong("pregnant_patient_safety", "milestone:on_hold")
async def only_screened(hand: Hand, case: Case) -> None:
    """The screening is right, but the order is still open."""
    await solutions.prepared(hand, case)


@wrong("pregnant_patient_safety", "patient_identity/critical")
async def held_somebody_else(hand: Hand, case: Case) -> None:
    """The woman who is not pregnant was registered and held."""
    await solutions.prepared(hand, confused(case))
