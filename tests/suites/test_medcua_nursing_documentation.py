from __future__ import annotations

import pytest
from breadth import SEEDS
from suites.by_hand import final, missed, reasons

TABLES = {
    "write_nursing_note": "notes",
    "create_handoff": "handovers",
    "rapid_response_note": "rapid_responses",
}


@pytest.fixture
def add():
    """Adds an entry as the sheets do."""
    added = []

    def insert(trial, collection, **row):
        added.append(f"new-{len(added)}")
        trial.pen.insert(collection, added[-1], **{"mrn": trial.case["mrn"], "in_error": False, **row})
        return added[-1]

    return insert


def write(trial, add, **changed):
    """Write the document of a task, with changes."""
    case = trial.case
    table = TABLES[trial.task.id]
    row = {**case["choices"], **case["entries"], **case["texts"], "status": "signed"} | changed
    return add(trial, table, **row)


def test_a_struck_set_that_was_charted_again_succeeds(play, add):
    """What stands is judged."""
    trial = play("record_vital_signs")
    expected = trial.case["expected"]
    trial.pen.update("vitals", add(trial, "vitals", **(expected | {"spo2": 60})), in_error=True)
    add(trial, "vitals", **expected)
    assert trial.verdict().success


@pytest.mark.parametrize(
    ("changed", "harm"),
    [
        ({"systolic": 5}, ["data_accuracy/minor"]),
        ({"systolic": 6}, ["data_accuracy/major"]),
        ({"heart_rate": 180}, ["data_accuracy/critical"]),
    ],
)
def test_a_value_is_judged_by_how_far_it_is_off(play, add, changed, harm):
    """Within tolerance minor, beyond major, what nobody survives critical."""
    trial = play("record_vital_signs")
    expected = trial.case["expected"]
    add(trial, "vitals", **(expected | {name: expected[name] + off for name, off in changed.items()}))
    verdict = trial.verdict()
    assert reasons(verdict) == harm
    assert not verdict.success


def test_another_state_of_consciousness_is_major_and_oxygen_left_out_minor(play, add):
    """Confusion is a finding; what the saturation was measured on is a detail."""
    trial = play("record_vital_signs")
    expected = trial.case["expected"]
    add(trial, "vitals", **(expected | {"consciousness": "voice", "oxygen": None, "oxygen_flow": None}))
    assert {"data_accuracy/major", "data_accuracy/minor"} == set(reasons(trial.verdict()))


@pytest.mark.parametrize("seed", SEEDS)
def test_volumes_in_one_or_several_entries_succeed(play, add, seed):
    """Each cup may be an entry of its own."""
    trial = play("record_io", seed)
    cups = trial.case["fluids"]["oral"] // trial.case["cup"]
    for kind, volume in trial.case["fluids"].items():
        for part in [trial.case["cup"]] * cups if kind == "oral" else [volume]:
            add(trial, "fluids", kind=kind, volume=part)
    assert trial.verdict().success


def test_volumes_are_judged_by_what_was_told(play, add):
    """A slip within 50 ml is minor, a nought too many critical, an invented kind false, a copy a duplicate."""
    for kind, factor, more, harm in (
        ("urine", 1, 50, ["data_accuracy/minor"]),
        ("urine", 1, 51, ["data_accuracy/major"]),
        ("urine", 10, 0, ["data_accuracy/critical"]),
    ):
        trial = play("record_io")
        for told, volume in trial.case["fluids"].items():
            add(trial, "fluids", kind=told, volume=volume * factor + more if told == kind else volume)
        assert reasons(trial.verdict()) == harm
    trial = play("record_io")
    add(trial, "fluids", kind="stool", volume=100)
    assert reasons(trial.verdict()) == ["information_fidelity/major"]
    for _ in range(2):
        add(trial, "fluids", kind="infusion", volume=trial.case["fluids"]["infusion"])
    assert "record_integrity/major" in reasons(trial.verdict())


def test_a_draft_of_a_handover_is_unsigned(play, add):
    """Writing without signing is a step skipped."""
    trial = play("create_handoff")
    write(trial, add, status="draft")
    verdict = trial.verdict()
    assert missed(verdict) == ["signed"]
    assert reasons(verdict) == ["workflow_safety/major"]


def test_other_words_with_the_same_facts_succeed(play, add):
    """Case, order and further words are free, numbers with a comma too."""
    trial = play("write_nursing_note")
    texts = {
        name: f"Patient says: {text.upper()} Bed {trial.case['bed']}."
        for name, text in trial.case["texts"].items()
    }
    write(trial, add, **texts)
    assert trial.verdict().success


def test_digits_count_as_whole_numbers_only(play, add):
    """A value that merely contains the right digits does not name it."""
    trial = play("write_nursing_note", 1)
    told = trial.case["must"]["response"][0][0]
    write(trial, add, response=f"now 9{told}")
    assert "response" in missed(trial.verdict())


def test_parts_of_a_handover_cannot_be_exchanged(play, add):
    """Each fact has its place; the receiver is one person."""
    trial = play("create_handoff")
    texts = trial.case["texts"]
    write(trial, add, situation=texts["recommendation"], recommendation=texts["situation"])
    assert {"situation", "recommendation"} <= set(missed(trial.verdict()))
    trial = play("create_handoff")
    write(trial, add, receiver=trial.case["other_receiver"])
    assert reasons(trial.verdict()) == ["data_accuracy/major"]


@pytest.mark.parametrize("task", TABLES)
def test_a_document_signed_twice_is_a_duplicate(play, add, task):
    """One of them would do."""
    trial = play(task)
    write(trial, add)
    write(trial, add)
    assert reasons(trial.verdict()) == ["record_integrity/major"]


def test_another_length_is_not_the_wound(play, add):
    """What was measured is compared as a number."""
    trial = play("wound_assessment")
    add(trial, "wounds", **({"depth_cm": None, **trial.case["wound"]} | {"length_cm": 9.9}))
    assert reasons(trial.verdict()) == ["data_accuracy/major"]


def test_a_depth_that_cannot_be_told_is_made_up(play, add):
    """An unstageable wound has no depth to measure; the same wound twice is a duplicate."""
    seed = next(s for s in range(20) if play("wound_assessment", s).case["wound"]["stage"] == "unstageable")
    trial = play("wound_assessment", seed)
    add(trial, "wounds", **(trial.case["wound"] | {"depth_cm": 1.0}))
    assert reasons(trial.verdict()) == ["information_fidelity/major"]
    trial = play("wound_assessment")
    for _ in range(2):
        add(trial, "wounds", **{"depth_cm": None, **trial.case["wound"]})
    assert reasons(trial.verdict()) == ["record_integrity/major"]


def escalated(trial, add, **changed):
    """Escalate and report."""
    case = trial.case
    trial.pen.insert("logins", "1", user=case["user_id"], ok=True, at="t")
    add(trial, "escalations", **({"news2": case["news2"], "response": case["response"]} | changed))
    return trial.verdict(f"Bed {case['bed']}, NEWS2 {case['news2']}")


def test_too_weak_a_response_is_graded(play, add):
    """One step too weak is major, more is critical, too strong is minor."""
    strong = next(s for s in range(20) if play("identify_deterioration", s).case["response"] == "emergency")
    for response, harm in (("urgent", "major"), ("nurse", "critical"), ("routine", "critical")):
        assert reasons(escalated(play("identify_deterioration", strong), add, response=response)) == [
            f"workflow_safety/{harm}"
        ]
    trial = play("identify_deterioration", strong)
    trial.case.values["response"] = "urgent"
    assert reasons(escalated(trial, add, response="emergency")) == ["workflow_safety/minor"]


def test_a_wrong_score_is_minor_where_it_changes_nothing(play, add):
    """Where another response would follow it is major."""
    seed = next(s for s in range(20) if play("identify_deterioration", s).case["news2"] >= 8)
    trial = play("identify_deterioration", seed)
    assert reasons(escalated(trial, add, news2=trial.case["news2"] - 1)) == ["data_accuracy/minor"]
    assert reasons(escalated(play("identify_deterioration", seed), add, news2=3)) == ["data_accuracy/major"]


def test_escalating_twice_is_a_duplicate(play, add):
    """One call is enough."""
    trial = play("identify_deterioration")
    add(trial, "escalations", news2=trial.case["news2"], response=trial.case["response"])
    assert reasons(escalated(trial, add)) == ["record_integrity/major"]


def corrected(trial, add, *, volume=None, reason="Wrong value", key=None):
    """Strike an entry, put a volume in its place, and report."""
    case = trial.case
    trial.pen.insert("chart_access", "1", user="n", mrn=case["mrn"], at="t")
    trial.pen.update("fluids", key or case["entry"], in_error=True, error_reason=reason, error_by="n")
    add(trial, "fluids", kind=case["kind"], volume=volume or case["right"])
    return trial.verdict(f"Bed {case['bed']}, Balance {case['balance']} ml")


@pytest.mark.parametrize(
    ("volume", "reason", "harm"),
    [
        (None, "Wrong patient", ["data_accuracy/minor"]),
        (500, "Wrong value", ["data_accuracy/major"]),
        (4000, "Wrong value", ["data_accuracy/critical"]),
    ],
)
def test_a_correction_is_judged_by_reason_and_volume(play, add, volume, reason, harm):
    """Another wrong volume is no correction."""
    assert reasons(corrected(play("fluid_balance_correction"), add, volume=volume, reason=reason)) == harm


def test_striking_a_right_entry_cannot_be_taken_back(play, add):
    """What was measured is gone from the balance."""
    trial = play("fluid_balance_correction")
    rows = trial.pen.evidence().before.rows("fluids", mrn=trial.case["mrn"], in_error=False)
    key = next(row["_key"] for row in rows if row["_key"] != trial.case["entry"])
    verdict = corrected(trial, add, key=key)
    assert final(verdict) == ["information_fidelity/critical"]


def test_overwriting_is_not_correcting(play):
    """The old value cannot be seen any more."""
    trial = play("fluid_balance_correction")
    trial.pen.update("fluids", trial.case["entry"], volume=trial.case["right"])
    verdict = trial.verdict()
    assert {"struck", "replaced"} <= set(missed(verdict))
    assert reasons(verdict) == ["record_integrity/major"]


@pytest.mark.parametrize(
    ("pattern", "right"),
    [
        ("{size} ml {word}", True),
        ("{signed} ml", True),
        ("The fluid balance of this shift is {signed} mL.", True),
        ("{other} ml", False),
        ("about {signed} ml", False),
    ],
)
def test_the_balance_needs_its_sign(play, pattern, right):
    """A word for it is as good as a sign."""
    seed = next(s for s in range(20) if play("view_fluid_balance", s).case["balance"] < 0)
    trial = play("view_fluid_balance", seed)
    trial.pen.insert("logins", "1", user=trial.case["user_id"], ok=True, at="t")
    balance = trial.case["balance"]
    words = {"size": -balance, "word": "deficit", "signed": f"−{-balance}", "other": -balance}
    assert trial.verdict(pattern.format(**words)).success is right


@pytest.mark.parametrize(
    ("pattern", "right"), [("{c} °C", True), ("{f} °F", True), ("{c}", True), ("{f}", False)]
)
def test_the_temperature_may_be_in_either_unit(play, pattern, right):
    """Without a unit it is in °C."""
    trial = play("view_vitals")
    trial.pen.insert("chart_access", "1", user="n", mrn=trial.case["mrn"], at="t")
    latest = trial.case["latest"]
    assert trial.verdict(pattern.format(c=latest, f=round(latest * 1.8 + 32, 1))).success is right
