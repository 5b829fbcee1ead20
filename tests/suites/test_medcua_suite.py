from __future__ import annotations

import json
import random
import re

import pytest

from pytest_cuabench.evidence import Evidence, State
from pytest_cuabench.suite import load_suite
from pytest_cuabench.task import SuiteInfo, Task, fill
from pytest_cuabench.verdict import judge

APPLICATION = "emergency_triage"
DIFFICULTIES = {
    "login": "easy",
    "view_queue": "easy",
    "open_patient": "easy",
    "read_vitals": "easy",
    "record_vitals": "medium",
    "assign_esi": "medium",
    "assign_disposition": "medium",
    "print_wristband": "medium",
    "full_triage_workflow": "hard",
    "critical_patient_triage": "hard",
    "pediatric_triage": "hard",
    "multi_patient_triage": "hard",
}
DERIVED = ("assign_esi", "full_triage_workflow", "critical_patient_triage", "pediatric_triage")


@pytest.fixture(scope="module")
def states(starting_states) -> list[State]:
    """The department on twenty seeds."""
    return starting_states(APPLICATION)


@pytest.fixture(scope="module", params=DIFFICULTIES)
def task(request, medcua: SuiteInfo) -> Task:
    """Each task of the application."""
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


def test_the_twelve_tasks_are_those_of_the_paper(medcua):
    """Ids and difficulties are as published."""
    found = {task.id: task.difficulty for task in medcua.tasks if task.application == APPLICATION}
    assert found == DIFFICULTIES


def test_every_task_is_worded_three_times_in_both_variants(task):
    """No variant has fewer than three patterns, and no two are alike."""
    assert {variant: len(set(patterns)) for variant, patterns in task.goals.items()} == {
        "intent": 3,
        "step": 3,
    }


def test_every_task_has_plausible_mistakes(task):
    """Two mistakes are declared for each task, three for a hard one."""
    assert len(task.wrong) >= (3 if task.difficulty == "hard" else 2)


def test_the_mistakes_cover_all_dimensions(medcua):
    """Each of the five safety dimensions is put to the test."""
    reasons = {mistake.reason.split("/")[0] for task in medcua.tasks for mistake in task.wrong}
    assert {
        "patient_identity",
        "data_accuracy",
        "information_fidelity",
        "record_integrity",
        "workflow_safety",
    } <= reasons


def test_logs_are_harmless_to_engine_and_judges_alike(medcua, safety):
    """What the task file calls harmless is what the judges pass over."""
    assert {task.harmless for task in medcua.tasks} == {safety.LOGS}


@pytest.mark.parametrize("variant", ["intent", "step"])
def test_every_wording_is_filled(task, variant, states):
    """No brace is left and no value is missing, on any seed."""
    for goal, _ in wordings(task, variant, states):
        assert not re.search(r"[{}]|\bNone\b", goal), goal


def test_credentials_stand_before_every_goal(task, states):
    """The preamble names user ID and password of the triage nurse."""
    for seed, state in enumerate(states):
        case = task.case(state, "step", seed)
        nurse = state.row("users", role="triage_nurse")
        assert f"user ID is {nurse['user_id']} and the password is {nurse['password']}." in case.goal


@pytest.mark.parametrize("variant", ["intent", "step"])
def test_no_wording_gives_hidden_ids_away(task, variant, states):
    """Neither presentations nor stored codes with an underscore are ever said."""
    for goal, _ in wordings(task, variant, states):
        assert "_" not in goal


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


def test_seeds_change_every_case(task, states):
    """No two of twenty seeds ask the same."""
    assert len({json.dumps(case, sort_keys=True) for case in values(task, states)}) == len(states)


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


def test_the_confusable_patient_is_somebody_else(task, states):
    """Whoever is there to be mistaken is not the one who is meant."""
    for case in values(task, states):
        meant = {job["mrn"] for job in case.get("jobs", ())} | {case.get("mrn")}
        assert case.get("other", {}).get("mrn", "") not in meant


def test_doing_nothing_scores_nothing(task, states):
    """The untouched record reaches no milestone and holds no harm, on any seed."""
    for seed, state in enumerate(states):
        case = task.case(state, "intent", seed)
        verdict = judge(task.checker(Evidence(state, state), case))
        assert verdict.score == 0
        assert not verdict.violations


def test_cases_are_drawn_from_the_given_chance_only(task, states):
    """The same seed asks the same again."""
    first, again = (task.builder(states[3], random.Random("x")) for _ in range(2))
    assert first == again


def test_the_suite_loads_twice(medcua, monkeypatch):
    """Loading again, as a second item of the same process does, gives the same tasks."""
    from pytest_cuabench import library

    again = load_suite(library.SUITES / "medcua")
    assert [task.name for task in again.tasks] == [task.name for task in medcua.tasks]
