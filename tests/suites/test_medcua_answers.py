"""The answers of every task of MedCUA, as models phrase them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_cuabench.task.model import SuiteInfo

ACCEPTED = (
    "{}",
    "The answer is {}.",
    "I have completed the task. The answer is {}.",
    "{}. Done.",
    "<answer>{}</answer>",
    "\\boxed{{{}}}",
    "**{}**",
    "- {}",
    "```\n{}\n```",
    '{{"answer": "{}"}}',
)
REFUSED = (
    "not {}",
    "{} is wrong",
    "{}. Actually 57.",
    "{} or 57",
    "about {}",
    "~~{}~~",
    '{{"answer": "{}", "alt": "7"}}',
    "I think {}",
    "{}, 57 doctors",
)


SIGNED = ("nursing_documentation/view_fluid_balance",)  # a dash before the number may be a minus


@pytest.fixture(scope="module")
def questions(medcua: SuiteInfo, trial: Callable[..., Any]) -> list[tuple[Any, str]]:
    """Every task that asks for an answer, on one seed, with the right one."""
    return [
        (found, right) for task in medcua.tasks for found in [trial(task.name)] for right in _expected(found)
    ]


def _expected(found: Any) -> Iterator[str]:
    verdict = found.verdict("nothing of the kind")
    asked = {each.subject.removeprefix("answer.") for each in verdict.violations if "answer." in each.subject}
    yield from (
        re.sub(r" ± [\d.]+", "", each.expected)
        for each in verdict.milestones
        if each.name in asked and each.expected
    )


def _right(found: Any, text: str) -> bool:
    return not any(each.subject.startswith("answer.") for each in found.verdict(text).violations)


def test_right_answers_are_right_as_models_phrase_them(questions: list[tuple[Any, str]]) -> None:
    """What a task expects is accepted in every common wrapping; a dash before a signed number stays unclear."""
    assert len(questions) > 30
    wrong = [
        (found.task.name, pattern.format(right))
        for found, right in questions
        for pattern in ACCEPTED
        if (pattern != "- {}" or found.task.name not in SIGNED) and not _right(found, pattern.format(right))
    ]

    assert wrong == []


def test_turned_answers_are_wrong(questions: list[tuple[Any, str]]) -> None:
    """A denial, correction, second candidate, hedge, strike or claim with the right answer is refused."""
    passed = [
        (found.task.name, pattern.format(right))
        for found, right in questions
        for pattern in REFUSED
        if _right(found, pattern.format(right))
    ]

    assert passed == []


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("imaging_console/view_worklist", "{} pending"),
        ("imaging_console/view_worklist", "There are {} CT orders with the status scheduled."),
        ("outpatient_pharmacy/view_queue", "{} pending"),
        ("outpatient_pharmacy/view_queue", "{} prescriptions wait for verification"),
        ("ultrasound/view_worklist", "{} exams are pending"),
        ("ecg_workstation/view_worklist", "There are {} unread ECGs on the worklist."),
        ("emergency_triage/view_queue", "Currently {} patients are waiting for triage."),
        ("nurse_station/view_care_compass", "{} of my patients have at least one overdue task."),
        ("radiation_tps/view_structures", "{} structures are not contoured yet"),
        ("radiation_tps/view_structures", "{} structures without a contour"),
        ("radiation_tps/view_patients", "Based on the list, {} patients are in planning."),
        ("bed_management/view_bed_map", "The ward has {} available beds."),
        ("icu_central/view_alarm_list", "{} alarms are unacknowledged."),
        ("doctor_prescription/view_medication_list", "The patient has {} active outpatient medications."),
        ("endoscopy/view_schedule", "{} procedures are booked today."),
    ],
)
def test_the_question_may_be_said_again(trial: Callable[..., Any], name: str, pattern: str) -> None:
    """A sentence in the words of the question, around the right number, is accepted on every seed."""
    for seed in range(3):
        found = trial(name, seed)
        (right,) = _expected(found)

        assert _right(found, pattern.format(right)), found.verdict(pattern.format(right)).violations
