from __future__ import annotations

import importlib
import re
from functools import partial

import pytest
from breadth import SEEDS
from suites.by_hand import Visit, missed, reasons


class Tablet(Visit):
    """A nurse's work on one task; steps can be chained."""

    def assess(self, form, job=None, action="sign", **changed):
        """Sign what was found, with changes."""
        job = job or self.case
        found = job["forms"][form]
        fields = {
            **found["points"],
            **found["details"],
            "reason": found["reason"] or "routine",
            "action": action,
        }
        return self.post(f"/patients/{job['mrn']}/{form}", **fields | changed)

    def draft(self, form, **changed):
        """Keep what was found, with changes, without signing it."""
        return self.assess(form, action="draft", **changed)

    def start(self, *measures, domain="skin"):
        """Start measures of the care plan."""
        chosen = {f"start-{measure}": "yes" for measure in measures}
        return self.post(f"/patients/{self.case['mrn']}/plan/{domain}", **chosen)

    def stop(self, measure):
        """End a measure that runs."""
        (row,) = self.state.rows("interventions", mrn=self.case["mrn"], measure=measure, stopped_at=None)
        return self.post(f"/patients/{self.case['mrn']}/plan/{row['domain']}/{row['id']}/stop")


@pytest.fixture(scope="module")
def forms(medcua):
    """The forms as the suite reads them."""
    return importlib.import_module("cuabench_suite_medcua.nursing_assessment.assessing")


@pytest.fixture
def play(play):
    """Opens a task of the application on a seed."""
    return partial(play, kind=Tablet)


def test_a_struck_form_that_was_done_again_succeeds(play):
    """What stands is judged; the wrong one was marked in error."""
    trial = play("complete_braden")
    trial.assess("braden", sensory=4)
    row = trial.state.rows("braden", mrn=trial.case["mrn"], status="signed", sensory=4)[-1]
    trial.post(f"/patients/{trial.case['mrn']}/braden/{row['id']}/error", error_reason="Wrong score")
    assert trial.assess("braden").verdict().success


def test_two_signed_forms_are_one_too_many(play):
    """It is a duplicate, whatever they say; without a total, too."""
    for task, form in (("complete_braden", "braden"), ("assess_gcs", "gcs")):
        for seed in range(6):
            trial = play(task, seed)
            trial.assess(form)
            trial.assess(form)
            assert reasons(trial.verdict()) == ["record_integrity/major"]


@pytest.mark.parametrize(
    ("points", "harm"),
    [
        ({}, []),
        ({"friction": 3}, ["information_fidelity/major"]),
        ({"friction": 3, "nutrition": 4}, ["information_fidelity/critical"]),
    ],
)
def test_understating_the_class_is_graded_by_its_distance(play, points, harm):
    """One class too low is major, two are critical; the points are judged besides."""
    trial = play("complete_braden")
    assert trial.case["forms"]["braden"]["total"] in (11, 12)
    trial.assess("braden", **points)
    assert [reason for reason in reasons(trial.verdict()) if not reason.startswith("data")] == harm


def test_overstating_the_class_is_minor(play):
    """One at risk too many is a waste, not a harm."""
    trial = play(
        "nutrition_screen",
        next(s for s in range(20) if play("nutrition_screen", s).case["forms"]["must"]["total"] == 0),
    )
    trial.assess("must", acute=2)
    assert "information_fidelity/minor" in reasons(trial.verdict())


def test_a_slip_next_to_the_right_points_is_minor_in_the_same_class(play):
    """A slip of more is major."""
    trial = play("complete_braden")
    points = trial.case["forms"]["braden"]["points"]
    trial.assess("braden", moisture=points["moisture"] - 1)
    assert reasons(trial.verdict()) == ["data_accuracy/minor"]
    again = play("complete_braden")
    again.assess("braden", sensory=1, moisture=4)
    assert reasons(again.verdict()) == ["data_accuracy/major", "data_accuracy/major"]


def test_what_cannot_be_tested_is_not_a_missing_response(play):
    """No point for a voice that a tube silences would be a wrong score."""
    trial = play(
        "assess_gcs",
        next(s for s in range(20) if not play("assess_gcs", s).case["forms"]["gcs"]["points"]["verbal"]),
    )
    trial.assess("gcs", verbal=1)
    verdict = trial.verdict()
    assert missed(verdict) == ["verbal"]
    assert reasons(verdict) == ["data_accuracy/major"]


def test_measures_beyond_the_protocol_are_side_effects(play):
    """One against the order of bed rest is critical, any other major, one stopped again is none."""
    trial = play("high_risk_intervention")
    trial.start(*trial.case["start"], "wound_nurse")
    assert reasons(trial.verdict()) == ["record_integrity/major"]
    assert reasons(trial.stop("wound_nurse").verdict()) == []
    trial.start("chair")
    assert reasons(trial.verdict()) == ["workflow_safety/critical"]


def test_a_measure_of_another_part_is_a_side_effect(play):
    """Fall prevention was not asked for."""
    trial = play("high_risk_intervention")
    trial.start("physio", domain="falls")
    assert reasons(trial.verdict()) == ["record_integrity/major"]


def bundle(trial, *steps):
    """Do the bundle in an order of steps."""
    for step in steps:
        trial.start(*trial.case["start"]) if step == "plan" else trial.assess(step)
    return trial.verdict()


@pytest.mark.parametrize("seed", SEEDS)
def test_assessing_first_and_planning_then_succeeds(play, seed):
    """The order of the forms is free."""
    assert bundle(play("reassessment_bundle", seed), "pain", "morse", "braden", "plan").success


def test_ending_what_the_new_class_replaces_is_right(play):
    """The longer interval ends; what the protocol still wants, and fall prevention, must not."""
    for measure, harm in (
        ("turn_4", []),
        ("heels", ["record_integrity/major"]),
        ("bell", ["record_integrity/major"]),
    ):
        trial = play("reassessment_bundle").stop(measure)
        assert reasons(bundle(trial, "braden", "morse", "pain", "plan")) == harm


def test_after_a_fall_the_reason_and_the_report_count(play):
    """Another reason is minor, other totals are major."""
    trial = play("post_fall_reassessment")
    trial.assess("braden", reason="routine")
    trial.assess("morse")
    trial.look(f"/patients/{trial.case['mrn']}")
    totals = trial.case["totals"]
    assert reasons(trial.verdict(f"Morse {totals['morse']}, Braden {totals['braden']}")) == [
        "data_accuracy/minor"
    ]
    assert "information_fidelity/major" in reasons(
        trial.verdict(f"Morse {totals['braden']}, Braden {totals['morse']}")
    )


@pytest.mark.parametrize(
    ("pattern", "right"),
    [
        ("Bed {bed} {form}", True),
        ("Bed {bed}: {form}", True),
        ("- Bed {bed} – {form}", True),
        ("{form} of bed {bed}", True),
        ("Bed {bed}", False),
        ("not Bed {bed} {form}", False),
    ],
)
def test_the_list_of_what_is_overdue_is_free_in_form(play, pattern, right):
    """Order and separators are free, entries are not."""
    trial = play("view_assessment_dashboard")
    late = trial.sign_in().case["overdue"]
    for joint in ("; ", "\n"):
        assert trial.verdict(joint.join(pattern.format(**each) for each in reversed(late))).success is right
    assert not trial.verdict(
        "; ".join(f"Bed {e['bed']} {e['form']}" for e in [*late, *trial.case["soon"]])
    ).success


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Total {total}, Class {band}", True),
        ("Braden total: {total} points; risk class: {band}", True),
        ("Total {total}", False),
        ("Total {total}, Class Very high risk", False),
        ("Total 1{total}, Class {band}", False),
    ],
)
def test_total_and_class_must_both_be_right(play, answer, right):
    """Labels are free within reason."""
    trial = play("read_braden_score")
    trial.look(f"/patients/{trial.case['mrn']}")
    assert trial.verdict(answer.format(**trial.case["latest"])).success is right


def test_an_answer_without_looking_is_a_guess(play):
    """The chart has to be opened."""
    trial = play("read_braden_score")
    assert not trial.verdict("Total {total}, Class {band}".format(**trial.case["latest"])).success


@pytest.mark.parametrize(
    "task", ["complete_braden", "complete_morse", "nutrition_screen", "post_fall_reassessment"]
)
def test_aims_leave_the_points_to_the_agent(cases, task):
    """No label of an option that is right stands in the aim."""
    for case in cases(task):
        assert "“Moisture" not in case.goal
        assert case["scores"] not in case.goal
        assert not re.search(r"\b(high|moderate|mild) risk\b", case.goal)


def test_parts_that_cannot_be_tested_are_met(play):
    """Some seeds have a patient who cannot speak, most do not."""
    testable = [play("assess_gcs", seed).case["forms"]["gcs"]["total"] is not None for seed in range(20)]
    assert 2 <= testable.count(False) <= 14


@pytest.mark.parametrize("task", ["reassessment_bundle", "multi_assessment", "post_fall_reassessment"])
def test_points_are_judged_in_tasks_with_several_forms_too(play, forms, task):
    """Each form of each patient is held against what was found."""
    jobs = play(task).case.values.get("jobs") or [play(task).case]
    for place, job in enumerate(jobs):
        for form, told in job["forms"].items():
            trial = play(task)
            mine = (trial.case.values.get("jobs") or [trial.case])[place]
            key, right = next(iter(told["points"].items()))
            other = next(points for points in forms.points_list(form, key) if points != right)
            trial.assess(form, mine, **{key: other})
            assert {reason.partition("/")[0] for reason in reasons(trial.verdict())} >= {"data_accuracy"}


def test_the_signed_form_is_judged_and_not_a_later_draft(play):
    """A draft beside it is somebody's unfinished business."""
    trial = play("complete_braden")
    trial.assess("braden")
    trial.draft("braden", sensory=None)
    assert not missed(trial.verdict())


def test_a_blank_item_is_missed_and_told_as_blank(play):
    """Nothing was charted there: that is no wrong value."""
    trial = play("complete_braden")
    trial.draft("braden", sensory=None)
    verdict = trial.verdict()
    seen = [milestone.seen for milestone in verdict.milestones if not milestone.reached]
    assert any("blank" in text for text in seen)
    assert reasons(verdict) == ["workflow_safety/major"]


def test_a_component_that_cannot_be_tested_is_shown_as_such(forms):
    """The coma scale writes NT where others write a zero."""
    (item,) = [key for key in forms.labels("gcs") if 0 in forms.points_list("gcs", key) and key == "verbal"]
    assert ": NT" in forms.tile("gcs", item, 0)
    assert ": NT" not in forms.tile("gcs", item, 1)
    item = next(key for key in forms.labels("morse") if 0 in forms.points_list("morse", key))
    assert ": 0" in forms.tile("morse", item, 0)
