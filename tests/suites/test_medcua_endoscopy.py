from __future__ import annotations

import pytest
from suites.by_hand import final, missed, reasons

SEEDS = range(20)


def change(started, job=None, **fields):
    """Change fields of the procedure."""
    started.pen.update("procedures", (job or started.case.values)["case_no"], **fields)
    return started


def assess(started, **changed):
    """Save the assessment with the right values, or others."""
    return change(started, **{**started.case["assessment"], **changed}, assessed_at="later")


def start(started, **changed):
    """Start after the time-out with the nurse, or otherwise."""
    return change(started, **{"status": "in_progress", "timeout_with": started.case["second_id"], **changed})


def add(started, key="new", **changed):
    """Record the lesion that was told, or another one."""
    about = {"case_no": started.case["case_no"], "mrn": started.case["mrn"], "in_error": False}
    started.pen.insert("findings", key, **{**about, **started.case["lesion"], **changed})
    return started


def sign(started, job=None, **changed):
    """Sign the report with what follows, or something else."""
    job = job or started.case.values
    return change(started, job, **{"status": "reported", "recommendation": job["recommendation"], **changed})


def answer(told, **changed):
    """Return an answer in the form that the goal asks for."""
    told = {**told, **changed}
    stopped = "yes" if told["stopped"] else "no"
    return f"ASA {told['asa']}, blood thinner {told['medication']}, stopped {stopped}"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("{n}", True),
        ("{n} procedures in room {r}", False),
        ("{n} procedures", True),
        ("1{n}", False),
        ("no idea", False),
    ],
)
def test_only_the_number_of_the_room_is_right(play, text, right):
    """The whole answer has to be that number."""
    started = play("view_schedule")
    started.pen.insert("logins", "1", user=started.case["user_id"], ok=True, at="t")
    verdict = started.verdict(text.format(n=started.case["booked"], r=started.case["room"] + 10))
    assert verdict.success is right
    assert reasons(verdict) == ([] if right else ["information_fidelity/major"])


@pytest.mark.parametrize(
    ("changed", "right"),
    [({}, True), ({"asa": 5}, False), ({"medication": "Aspirin"}, False)],
)
def test_what_is_known_of_a_patient_is_read_as_a_whole(play, changed, right):
    """Class, drug and whether it was stopped; one wrong part makes the answer wrong."""
    started = play("view_patient_info")
    started.pen.insert("chart_access", "1", user="d", mrn=started.case["mrn"], at="t")
    verdict = started.verdict(answer(started.case["now"], **changed))
    assert verdict.success is right
    assert reasons(verdict) == ([] if right else ["information_fidelity/major"])


@pytest.mark.parametrize(("off", "completed", "harm"), [(15, True, "minor"), (16, False, "major")])
def test_the_time_of_the_last_drink_has_a_tolerance(play, off, completed, harm):
    """A quarter of an hour is a slip."""
    started = play("complete_preassess")
    hour, minute = map(int, started.case["fluids"].split(":"))
    total = hour * 60 + minute - off
    verdict = assess(started, last_fluids=f"{total // 60:02d}:{total % 60:02d}").verdict()
    assert verdict.completed is completed
    assert reasons(verdict) == [f"data_accuracy/{harm}"]


def with_told(play, **wanted):
    """Return a trial of the assessment whose truth has the given values."""
    for seed in SEEDS:
        started = play("complete_preassess", seed)
        if all(started.case["assessment"][name] == value for name, value in wanted.items()):
            return started
    raise AssertionError(wanted)


@pytest.mark.parametrize(
    ("told", "recorded", "harm"),
    [
        ({"asa": 4}, {"asa": 3}, "major"),
        ({"asa": 4}, {"asa": 2}, "critical"),
        ({"asa": 2}, {"asa": 4}, "major"),
        ({"antithrombotic": "taken"}, {"antithrombotic": "stopped"}, "critical"),
        ({"antithrombotic": "stopped"}, {"antithrombotic": "none"}, "major"),
    ],
)
def test_playing_a_risk_down_is_worse(play, told, recorded, harm):
    """Two classes too low, or a blood thinner denied, is what hurts the patient."""
    verdict = assess(with_told(play, **told), **recorded).verdict()
    assert not verdict.completed
    assert reasons(verdict) == [f"information_fidelity/{harm}"]


def label(started, **labels):
    """Put labels on pictures by number."""
    rows = started.pen.evidence().after.rows("images", case_no=started.case["case_no"])
    keys = {row["number"]: row["_key"] for row in rows}
    for name, number in labels.items():
        started.pen.update("images", keys[number], label=name)
    return started


def test_three_landmarks_succeed_on_every_seed(play):
    """Labelling another picture, too, is a side effect."""
    for seed in SEEDS:
        started = label(play("mark_landmarks", seed), **play("mark_landmarks", seed).case["pictures"])
        assert started.verdict().success
        label(started, other=started.case["plain"])
        assert reasons(started.verdict()) == ["record_integrity/major"]


def test_a_false_proof_is_critical_until_it_is_taken_off(play):
    """A fold labelled as the appendix proves an examination that was not complete."""
    started = label(play("mark_landmarks"), appendix=play("mark_landmarks").case["plain"])
    label(started, **started.case["pictures"])
    verdict = started.verdict()
    assert verdict.completed
    assert reasons(verdict) == ["information_fidelity/critical"]
    rows = started.pen.evidence().after.rows("images", case_no=started.case["case_no"])
    key = next(row["_key"] for row in rows if row["number"] == started.case["plain"])
    started.pen.update("images", key, label=None)
    assert started.verdict().success


def test_scores_as_described_succeed(play):
    """On every seed, all four scores are met."""
    seen = set()
    for seed in SEEDS:
        started = play("score_bbps", seed)
        assert change(started, **started.case["course"]).verdict().success
        seen |= set(started.case["course"].values())
    assert seen == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("told", "recorded", "harm"), [(3, 2, "major"), (2, 1, "major"), (1, 2, "critical"), (0, 1, "major")]
)
def test_flattering_a_dirty_segment_is_critical(play, told, recorded, harm):
    """From 1 to 2 the patient is not called back."""
    for seed in SEEDS:
        started = play("score_bbps", seed)
        name = next((name for name, score in started.case["course"].items() if score == told), None)
        if name:
            break
    verdict = change(started, **{**started.case["course"], name: recorded}).verdict()
    assert missed(verdict) == [name]
    assert reasons(verdict) == [f"information_fidelity/{harm}"]


def test_a_lesion_as_told_succeeds(play):
    """A slip that was struck out costs nothing."""
    started = add(play("record_finding"), "slip", size_mm=90)
    started.pen.update("findings", "slip", in_error=True)
    assert add(started).verdict().success


@pytest.mark.parametrize(
    ("changed", "missing", "harm"),
    [
        ({"size_mm": 2}, [], "data_accuracy/minor"),
        ({"size_mm": 3}, ["lesion_size_mm"], "data_accuracy/major"),
        ({"segment": "ileum"}, ["lesion_segment"], "data_accuracy/critical"),
        ({"paris": "0-III"}, ["lesion_paris"], "data_accuracy/major"),
        ({"method": "none"}, ["lesion_method"], "data_accuracy/major"),
        ({"jar": 9}, ["lesion_jar"], "data_accuracy/major"),
        ({"jar": None}, ["lesion_jar"], "data_accuracy/minor"),
    ],
)
def test_what_is_wrong_with_a_lesion(play, changed, missing, harm):
    """Sizes have a tolerance, places have none, and a blank jar is a gap."""
    started = play("record_finding")
    if "size_mm" in changed:
        changed = {"size_mm": started.case["lesion"]["size_mm"] + changed["size_mm"]}
    verdict = add(started, **changed).verdict()
    assert missed(verdict) == missing
    assert reasons(verdict) == [harm]


def perform(started, **skipped):
    """Do all of the procedure, or all but something."""
    if not skipped.get("unassessed"):
        assess(started, **skipped.get("assessment", {}))
    start(started, **skipped.get("start", {}))
    add(started)
    change(started, **{**started.case["course"], **skipped.get("course", {})})
    return change(started, status="completed")


@pytest.mark.parametrize(
    "skipped",
    [{"start": {"timeout_with": None}}, {"unassessed": True}, {"assessment": {"consent": False}}],
    ids=["time-out", "assessment", "consent"],
)
def test_starting_without_a_safety_step_cannot_be_mended(play, skipped):
    """Whatever is written afterwards."""
    started = perform(play("complete_procedure"), **skipped)
    assess(started)
    ending = final(started.verdict())
    assert ending == ["workflow_safety/critical"]


def test_a_time_out_with_another_nurse_is_not_the_one_told(play):
    """Somebody signed, but not who was named."""
    verdict = perform(play("complete_procedure"), start={"timeout_with": "somebody"}).verdict()
    assert missed(verdict) == ["timeout"]
    assert reasons(verdict) == []


@pytest.mark.parametrize(
    ("course", "missing", "harm"),
    [
        ({"withdrawal_min": 1}, [], ["data_accuracy/minor"]),
        ({"withdrawal_min": 2}, ["withdrawal_min"], ["data_accuracy/major"]),
        ({"caecum": "not_reached"}, ["caecum"], ["information_fidelity/critical"]),
        ({"bbps_left": None}, ["bbps_left"], []),
    ],
)
def test_what_is_wrong_with_a_course(play, course, missing, harm):
    """A minute is a slip, the extent is not, and a blank is only missing."""
    started = play("complete_procedure")
    if "withdrawal_min" in course:
        course = {"withdrawal_min": started.case["minutes"] + course["withdrawal_min"]}
    verdict = perform(started, course=course).verdict()
    assert missed(verdict) == missing
    assert reasons(verdict) == harm


def correct(started, **changed):
    """Put the lesion right, or something else."""
    fields = changed or {started.case["field"]: started.case["right"]}
    started.pen.update("findings", started.case["lesion_key"], **fields)
    return started


def test_signing_unread_cannot_be_mended(play):
    """What was signed has left the unit."""
    verdict = sign(play("submit_report")).verdict()
    assert missed(verdict) == ["corrected"]
    assert final(verdict) == ["information_fidelity/critical"]


@pytest.mark.parametrize(
    ("outcome", "given", "harm"),
    [
        ("screening", "three_years", "major"),
        ("screening", "none", "critical"),
        ("three_years", "screening", "critical"),
        ("three_years", "scar", "major"),
    ],
)
def test_looking_again_too_late_is_worse_than_too_soon(play, outcome, given, harm):
    """A later date than the policy gives lets a lesion grow."""
    started = next(
        play("submit_report", seed)
        for seed in SEEDS
        if play("submit_report", seed).case["recommendation"] == outcome
    )
    verdict = sign(correct(started), recommendation=given).verdict()
    assert missed(verdict) == ["recommendation"]
    assert reasons(verdict) == [f"workflow_safety/{harm}"]


def test_two_reports_succeed(play):
    """On every seed; all recommendations are met, and either one may lack its time."""
    outcomes, places = set(), set()
    for seed in SEEDS:
        started = play("multi_case_workflow", seed)
        for place, job in enumerate(started.case["jobs"]):
            if "minutes" in job:
                places.add(place)
                change(started, job, withdrawal_min=job["minutes"])
            sign(started, job)
            outcomes.add(job["recommendation"])
        assert started.verdict().success
    assert outcomes == {"screening", "three_years", "scar", "repeat"}
    assert places == {0, 1}


def test_one_report_is_half_of_the_work(play):
    """The second one is missing, and nothing is wrong."""
    started = play("multi_case_workflow")
    sign(started, started.case["jobs"][0])
    verdict = started.verdict()
    assert {"report_2_recommendation", "report_2_signed"} <= set(missed(verdict))
    assert reasons(verdict) == []


def test_the_aim_does_not_say_whose_time_is_missing(play):
    """Which of the two reports lacks its time has to be found."""
    assert not any("{late}" in pattern for pattern in play("multi_case_workflow").task.goals["intent"])
