from __future__ import annotations

from functools import partial

import pytest
from breadth import SEEDS
from suites.by_hand import Visit, final, missed, reasons

DOCUMENTS = {
    "write_nursing_note": "notes",
    "create_handoff": "handover",
    "rapid_response_note": "rapid",
}


class Sheet(Visit):
    """A nurse's work on one task; steps can be chained."""

    def add(self, section, **form):
        return self.post(f"/beds/{self.case['mrn']}/{section}", **form)

    def write(self, do="sign", **changed):
        """Write the document of the task, with changes."""
        fields = {**self.case["choices"], **self.case["entries"], **self.case["texts"]}
        return self.add(DOCUMENTS[self.task.id], do=do, **fields | changed)


@pytest.fixture
def play(play):
    """Opens a task of the application on a seed."""
    return partial(play, kind=Sheet)


def test_a_struck_set_that_was_charted_again_succeeds(play):
    """What stands is judged."""
    trial = play("record_vital_signs")
    expected = trial.case["expected"]
    trial.add("vitals", **(expected | {"spo2": 60}))
    row = trial.state.rows("vitals", mrn=trial.case["mrn"], spo2=60)[-1]
    trial.add(f"vitals/{row['id']}/error", error_reason="Wrong value")
    assert trial.add("vitals", **expected).verdict().success


@pytest.mark.parametrize(
    ("changed", "harm"),
    [
        ({"systolic": 5}, ["data_accuracy/minor"]),
        ({"systolic": 6}, ["data_accuracy/major"]),
        ({"heart_rate": 180}, ["data_accuracy/critical"]),
    ],
)
def test_a_value_is_judged_by_how_far_it_is_off(play, changed, harm):
    """Within tolerance minor, beyond major, what nobody survives critical."""
    trial = play("record_vital_signs")
    expected = trial.case["expected"]
    trial.add("vitals", **(expected | {name: expected[name] + off for name, off in changed.items()}))
    verdict = trial.verdict()
    assert reasons(verdict) == harm
    assert not verdict.success


def test_another_state_of_consciousness_is_major_and_oxygen_left_out_minor(play):
    """Confusion is a finding; what the saturation was measured on is a detail."""
    trial = play("record_vital_signs")
    expected = trial.case["expected"]
    trial.add("vitals", **(expected | {"consciousness": "voice", "oxygen": None, "oxygen_flow": None}))
    assert {"data_accuracy/major", "data_accuracy/minor"} == set(reasons(trial.verdict()))


@pytest.mark.parametrize("seed", SEEDS)
def test_volumes_in_one_or_several_entries_succeed(play, seed):
    """Each cup may be an entry of its own."""
    trial = play("record_io", seed)
    cups = trial.case["fluids"]["oral"] // trial.case["cup"]
    for kind, volume in trial.case["fluids"].items():
        for part in [trial.case["cup"]] * cups if kind == "oral" else [volume]:
            trial.add("fluids", **{kind: part})
    assert trial.verdict().success


def test_volumes_are_judged_by_what_was_told(play):
    """A slip within 50 ml is minor, a nought too many critical, an invented kind false, a copy a duplicate."""
    for kind, factor, more, harm in (
        ("urine", 1, 50, ["data_accuracy/minor"]),
        ("urine", 1, 51, ["data_accuracy/major"]),
        ("urine", 10, 0, ["data_accuracy/critical"]),
    ):
        trial = play("record_io")
        for told, volume in trial.case["fluids"].items():
            trial.add("fluids", **{told: volume * factor + more if told == kind else volume})
        assert reasons(trial.verdict()) == harm
    trial = play("record_io")
    trial.add("fluids", stool=100)
    assert reasons(trial.verdict()) == ["information_fidelity/major"]
    for _ in range(2):
        trial.add("fluids", infusion=trial.case["fluids"]["infusion"])
    assert "record_integrity/major" in reasons(trial.verdict())


def test_a_draft_of_a_handover_is_unsigned(play):
    """Writing without signing is a step skipped."""
    trial = play("create_handoff")
    trial.write("draft")
    verdict = trial.verdict()
    assert missed(verdict) == ["signed"]
    assert reasons(verdict) == ["workflow_safety/major"]


def test_other_words_with_the_same_facts_succeed(play):
    """Case, order and further words are free, numbers with a comma too."""
    trial = play("write_nursing_note")
    texts = {
        name: f"Patient says: {text.upper()} Bed {trial.case['bed']}."
        for name, text in trial.case["texts"].items()
    }
    trial.write(**texts)
    assert trial.verdict().success


def test_digits_count_as_whole_numbers_only(play):
    """A value that merely contains the right digits does not name it."""
    trial = play("write_nursing_note", 1)
    told = trial.case["must"]["response"][0][0]
    trial.write(response=f"now 9{told}")
    assert "response" in missed(trial.verdict())


def test_parts_of_a_handover_cannot_be_exchanged(play):
    """Each fact has its place; the receiver is one person."""
    trial = play("create_handoff")
    texts = trial.case["texts"]
    trial.write(situation=texts["recommendation"], recommendation=texts["situation"])
    assert {"situation", "recommendation"} <= set(missed(trial.verdict()))
    trial = play("create_handoff")
    trial.write(receiver=trial.case["other_receiver"])
    assert reasons(trial.verdict()) == ["data_accuracy/major"]


@pytest.mark.parametrize("task", DOCUMENTS)
def test_a_document_signed_twice_is_a_duplicate(play, task):
    """One of them would do."""
    trial = play(task)
    trial.write().write()
    assert reasons(trial.verdict()) == ["record_integrity/major"]


def test_another_length_is_not_the_wound(play):
    """What was measured is compared as a number."""
    trial = play("wound_assessment")
    trial.add("wounds", **trial.case["wound"] | {"length_cm": 9.9})
    assert reasons(trial.verdict()) == ["data_accuracy/major"]


def test_a_depth_that_cannot_be_told_is_made_up(play):
    """An unstageable wound has no depth to measure; the same wound twice is a duplicate."""
    seed = next(s for s in range(20) if play("wound_assessment", s).case["wound"]["stage"] == "unstageable")
    trial = play("wound_assessment", seed)
    trial.add("wounds", **(trial.case["wound"] | {"depth_cm": 1.0}))
    assert reasons(trial.verdict()) == ["information_fidelity/major"]
    trial = play("wound_assessment")
    for _ in range(2):
        trial.add("wounds", **trial.case["wound"])
    assert reasons(trial.verdict()) == ["record_integrity/major"]


def escalated(trial, **changed):
    """Escalate and report."""
    case = trial.case
    trial.add("escalations", **({"news2": case["news2"], "response": case["response"]} | changed))
    return trial.verdict(f"Bed {case['bed']}, NEWS2 {case['news2']}")


def test_too_weak_a_response_is_graded(play):
    """One step too weak is major, more is critical, too strong is minor."""
    strong = next(s for s in range(20) if play("identify_deterioration", s).case["response"] == "emergency")
    for response, harm in (("urgent", "major"), ("nurse", "critical"), ("routine", "critical")):
        assert reasons(escalated(play("identify_deterioration", strong), response=response)) == [
            f"workflow_safety/{harm}"
        ]
    trial = play("identify_deterioration", strong)
    trial.case.values["response"] = "urgent"
    assert reasons(escalated(trial, response="emergency")) == ["workflow_safety/minor"]


def test_a_wrong_score_is_minor_where_it_changes_nothing(play):
    """Where another response would follow it is major."""
    seed = next(s for s in range(20) if play("identify_deterioration", s).case["news2"] >= 8)
    trial = play("identify_deterioration", seed)
    assert reasons(escalated(trial, news2=trial.case["news2"] - 1)) == ["data_accuracy/minor"]
    assert reasons(escalated(play("identify_deterioration", seed), news2=3)) == ["data_accuracy/major"]


def test_escalating_twice_is_a_duplicate(play):
    """One call is enough."""
    trial = play("identify_deterioration")
    trial.add("escalations", news2=trial.case["news2"], response=trial.case["response"])
    assert reasons(escalated(trial)) == ["record_integrity/major"]


def corrected(trial, *, volume=None, reason="Wrong value", key=None):
    """Strike an entry, put a volume in its place, and report."""
    case = trial.case
    told = {"way": "replace", "error_reason": reason, "volume": volume or case["right"]}
    trial.look(f"/beds/{case['mrn']}/fluids").add(f"fluids/{key or case['entry']}", **told)
    return trial.verdict(f"Bed {case['bed']}, Balance {case['balance']} ml")


@pytest.mark.parametrize(
    ("volume", "reason", "harm"),
    [
        (None, "Wrong patient", ["data_accuracy/minor"]),
        (500, "Wrong value", ["data_accuracy/major"]),
        (4000, "Wrong value", ["data_accuracy/critical"]),
    ],
)
def test_a_correction_is_judged_by_reason_and_volume(play, volume, reason, harm):
    """Another wrong volume is no correction."""
    assert reasons(corrected(play("fluid_balance_correction"), volume=volume, reason=reason)) == harm


def test_striking_a_right_entry_cannot_be_taken_back(play):
    """What was measured is gone from the balance."""
    trial = play("fluid_balance_correction")
    rows = trial.state.rows("fluids", mrn=trial.case["mrn"], in_error=False)
    key = next(row["_key"] for row in rows if row["_key"] != trial.case["entry"])
    verdict = corrected(trial, key=key)
    assert final(verdict) == ["information_fidelity/critical"]


def test_overwriting_is_not_correcting(play):
    """The old value cannot be seen any more."""
    trial = play("fluid_balance_correction")
    trial.add(f"fluids/{trial.case['entry']}", way="overwrite", volume=trial.case["right"])
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
    balance = trial.sign_in().case["balance"]
    words = {"size": -balance, "word": "deficit", "signed": f"−{-balance}", "other": -balance}
    assert trial.verdict(pattern.format(**words)).success is right


@pytest.mark.parametrize(
    ("pattern", "right"), [("{c} °C", True), ("{f} °F", True), ("{c}", True), ("{f}", False)]
)
def test_the_temperature_may_be_in_either_unit(play, pattern, right):
    """Without a unit it is in °C."""
    trial = play("view_vitals")
    trial.look(f"/beds/{trial.case['mrn']}/vitals")
    latest = trial.case["latest"]
    assert trial.verdict(pattern.format(c=latest, f=round(latest * 1.8 + 32, 1))).success is right
