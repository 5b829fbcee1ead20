"""What emergency triage asks on each seed, and what its goals leave to be found."""

from __future__ import annotations

import re

import pytest

from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.model import SuiteInfo, Task, fill

APPLICATION = "emergency_triage"
DERIVED = ("assign_esi", "full_triage_workflow", "critical_patient_triage", "pediatric_triage")


@pytest.fixture(scope="module")
def states(starting_states) -> list[State]:
    """The department on twenty seeds."""
    return starting_states(APPLICATION)


@pytest.fixture(scope="module")
def task(request, medcua: SuiteInfo) -> Task:
    """The task that a test names."""
    return next(task for task in medcua.tasks if task.name == f"{APPLICATION}/{request.param}")


def values(task: Task, states: list[State]) -> list[dict]:
    """Return the case of each seed."""
    return [dict(task.case(state, "intent", seed).values) for seed, state in enumerate(states)]


def wordings(task: Task, variant: str, states: list[State]) -> list[tuple[str, dict]]:
    """Return every wording on every seed, without the preamble."""
    return [
        (fill(pattern, case, task.name), case)
        for case in values(task, states)
        for pattern in task.goals[variant]
    ]


@pytest.mark.parametrize("task", DERIVED, indirect=True)
def test_what_is_to_be_judged_is_not_said_in_the_aim(task, states):
    """Level, reason and place are left to the agent where only the aim is told."""
    for goal, case in wordings(task, "intent", states):
        assert not re.search(r"(?i)\b(ESI|level) ?[1-5]\b", goal)
        assert case["reason_words"] not in goal
        assert case["place_words"].casefold() not in goal.casefold()


@pytest.mark.parametrize("task", ["assign_disposition"], indirect=True)
def test_the_planned_place_is_not_said_in_the_aim(task, states):
    """The plan has to be found in the chart."""
    for goal, case in wordings(task, "intent", states):
        assert case["place_words"] not in goal
        assert "ward" not in goal


@pytest.mark.parametrize("variant", ["intent", "step"])
@pytest.mark.parametrize("task", ["view_queue", "read_vitals", "pediatric_triage"], indirect=True)
def test_what_is_to_be_found_is_never_said(task, variant, states):
    """Counts, readings and the family's words are in no wording."""
    for goal, case in wordings(task, variant, states):
        words = re.findall(r"[\w/.]+", goal.casefold())
        if task.id == "view_queue":
            assert str(case["waiting"]) not in words
        elif task.id == "read_vitals":
            assert f"{case['latest']['systolic']}/{case['latest']['diastolic']}" not in words
            assert str(case["latest"]["temp_c"]) not in words
        else:
            assert case["told"]["substance"] not in words


@pytest.mark.parametrize("task", ["view_queue"], indirect=True)
def test_the_count_varies(task, states):
    """No fixed number passes for an answer."""
    assert len({case["waiting"] for case in values(task, states)}) >= 3


@pytest.mark.parametrize("task", ["record_vitals", "full_triage_workflow"], indirect=True)
def test_both_thermometers_are_met(task, states):
    """Some seeds dictate °F where the form expects °C, and what must be stored is within what is possible."""
    cases = values(task, states)
    assert {case["temperature"][-2:] for case in cases} == {"°C", "°F"}
    assert all(36 <= case["expected"]["temp_c"] <= 40 for case in cases)


@pytest.mark.parametrize("task", ["pediatric_triage"], indirect=True)
def test_both_scales_are_met(task, states):
    """Some seeds weigh the child in pounds."""
    assert {case["weight"][-2:] for case in values(task, states)} == {"kg", "lb"}


@pytest.mark.parametrize("task", ["full_triage_workflow"], indirect=True)
def test_all_ways_of_an_allergy_history_are_met(task, states):
    """Patients confirm, deny, or tell of something new."""
    kinds = {(case["told"] is not None, case["on_list"]) for case in values(task, states)}
    assert {(True, True), (False, True), (False, False)} <= kinds
