"""What is true of every task of the suite, on twenty seeds."""

from __future__ import annotations

import json
import random
import re
import tomllib
from pathlib import Path

import pytest

from pytest_cuabench import library
from pytest_cuabench.evidence import Evidence, State
from pytest_cuabench.suite import load_suite
from pytest_cuabench.task import SuiteInfo, Task, fill
from pytest_cuabench.verdict import judge

DIMENSIONS = {
    "patient_identity",
    "data_accuracy",
    "information_fidelity",
    "record_integrity",
    "workflow_safety",
}
PUBLISHED = tomllib.loads(Path(__file__).with_name("medcua_tasks.toml").read_text())
SUITE = tomllib.loads((library.SUITES / "medcua" / "suite.toml").read_text())
TASKS = [f"{application}/{task}" for application in SUITE["applications"] for task in PUBLISHED[application]]


@pytest.fixture(scope="module", params=TASKS)
def task(request, medcua: SuiteInfo) -> Task:
    """Each task of the suite."""
    return next(task for task in medcua.tasks if task.name == request.param)


@pytest.fixture(scope="module")
def states(task: Task, starting_states) -> list[State]:
    """The task's application on twenty seeds."""
    return starting_states(task.application)


@pytest.fixture(scope="module")
def cases(task: Task, states: list[State]) -> list[dict]:
    """The task's case on each seed."""
    return [dict(task.case(state, "intent", seed).values) for seed, state in enumerate(states)]


@pytest.fixture(scope="module")
def goals(task: Task, cases: list[dict]) -> list[str]:
    """Every wording on every seed, without the preamble."""
    patterns = [pattern for variant in task.goals.values() for pattern in variant]
    return [fill(pattern, case, task.name) for case in cases for pattern in patterns]


def test_applications_are_those_of_the_paper():
    """Each application that the suite lists is one of the fifteen, and is listed once."""
    assert len(set(SUITE["applications"])) == len(SUITE["applications"])
    assert set(SUITE["applications"]) <= set(PUBLISHED)


@pytest.mark.parametrize("application", SUITE["applications"])
def test_the_twelve_tasks_are_those_of_the_paper(application, medcua):
    """Ids and difficulties are as published."""
    found = {task.id: task.difficulty for task in medcua.tasks if task.application == application}
    assert found == PUBLISHED[application]
    assert len(found) == 12


@pytest.mark.parametrize("application", SUITE["applications"])
def test_the_mistakes_cover_all_dimensions(application, medcua):
    """Each of the five safety dimensions is put to the test in each application."""
    tasks = [task for task in medcua.tasks if task.application == application]
    reasons = {mistake.reason.split("/")[0] for task in tasks for mistake in task.wrong}
    assert reasons >= DIMENSIONS


def test_logs_are_harmless_to_engine_and_judges_alike(medcua, safety):
    """What the task files call harmless is what the judges pass over."""
    assert {task.harmless for task in medcua.tasks} == {safety.LOGS}


def test_every_task_is_worded_three_times_in_both_variants(task):
    """No variant has fewer than three patterns, and no two are alike."""
    assert {variant: len(set(patterns)) for variant, patterns in task.goals.items()} == {
        "intent": 3,
        "step": 3,
    }


def test_every_task_has_plausible_mistakes(task):
    """Two mistakes are declared for an easy task, three for the others."""
    assert len(task.wrong) >= (2 if task.difficulty == "easy" else 3)


def test_only_login_is_solved_by_signing_in(task):
    """Everything else asks for clinical work."""
    assert task.solved_by_prologue is (task.id == "login")


def test_every_wording_is_filled(goals):
    """No brace is left and no value is missing, on any seed; nor is a stored code with an underscore said."""
    for goal in goals:
        assert not re.search(r"[{}_]|(?<!“)\bNone\b", goal), goal  # “None” is a button of some


def test_credentials_stand_before_every_goal(task, states):
    """The preamble names the user ID and the password of one user, whose password it is."""
    for seed, state in enumerate(states):
        case = task.case(state, "step", seed)
        user = state.row("users", user_id=case["user_id"])
        assert user["password"] == case["password"]
        assert f"user ID is {user['user_id']} and the password is {user['password']}." in case.goal


def test_seeds_change_every_case(cases):
    """No two of twenty seeds ask the same."""
    assert len({json.dumps(case, sort_keys=True) for case in cases}) == len(cases)


def test_the_confusable_patient_is_somebody_else(cases):
    """Whoever is there to be mistaken is not the one who is meant."""
    for case in cases:
        meant = {job["mrn"] for job in case.get("jobs", ())} | {case.get("mrn")}
        assert case.get("other", {}).get("mrn", "") not in meant


def test_doing_nothing_scores_nothing(task, states):
    """The untouched record reaches no milestone and holds no harm, on any seed."""
    for seed, state in enumerate(states):
        verdict = judge(task.checker(Evidence(state, state), task.case(state, "intent", seed)))
        assert verdict.score == 0
        assert not verdict.violations


def test_cases_are_drawn_from_the_given_chance_only(task, states):
    """The same seed asks the same again."""
    first, again = (task.builder(states[3], random.Random("x")) for _ in range(2))
    assert first == again


def test_the_suite_loads_twice(medcua):
    """Loading again, as a second item of the same process does, gives the same tasks."""
    again = load_suite(library.SUITES / "medcua")
    assert [task.name for task in again.tasks] == [task.name for task in medcua.tasks]
