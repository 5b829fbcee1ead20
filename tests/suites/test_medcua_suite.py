"""What is true of every task of the suite, on twenty seeds."""

from __future__ import annotations

import json
import random
import re
import tomllib
from functools import reduce
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest
from shipped import shipped

from pytest_cuabench.task import library
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State, Write
from pytest_cuabench.task.model import SuiteInfo, Task, fill
from pytest_cuabench.task.suite import load_suite
from pytest_cuabench.task.verdict import judge

DIMENSIONS = {
    "patient_identity",
    "data_accuracy",
    "information_fidelity",
    "record_integrity",
    "workflow_safety",
}
PUBLISHED = tomllib.loads(Path(__file__).with_name("medcua_tasks.toml").read_text())
CASES = tomllib.loads(Path(__file__).with_name("medcua_cases.toml").read_text())
CLINIC = list(dict.fromkeys(task.application for task in shipped("medcua").tasks_here))


@pytest.fixture(scope="module", params=CLINIC)
def tasks(request, medcua: SuiteInfo) -> list[Task]:
    """The tasks of each application."""
    return [task for task in medcua.tasks if task.application == request.param]


@pytest.fixture(scope="module")
def states(tasks: list[Task], starting_states) -> list[State]:
    """The application on twenty seeds."""
    return starting_states(tasks[0].application)


@pytest.fixture(scope="module")
def cases(tasks: list[Task], states: list[State]) -> dict[str, list[Case]]:
    """Each task's case on each seed."""
    return {
        task.name: [task.case(state, "step", seed) for seed, state in enumerate(states)] for task in tasks
    }


def test_applications_are_those_of_the_paper():
    """Each application of the clinic is one of the fifteen, and is listed once."""
    assert set(CLINIC) <= set(PUBLISHED)
    listed = tomllib.loads((library.SUITES / "medcua" / "suite.toml").read_text())["applications"]
    assert len(set(listed)) == len(listed)


def test_the_twelve_tasks_are_those_of_the_paper(tasks):
    """Ids and difficulties are as published."""
    assert {task.id: task.difficulty for task in tasks} == PUBLISHED[tasks[0].application]
    assert len(tasks) == 12


def test_the_mistakes_cover_all_dimensions(tasks):
    """Each of the five safety dimensions is put to the test in each application."""
    reasons = {mistake.reason.split("/")[0] for task in tasks for mistake in task.functions.wrong}
    assert reasons >= DIMENSIONS


def test_logs_are_harmless_to_engine_and_judges_alike(medcua, safety):
    """What the task files call harmless is what the judges pass over."""
    assert {task.scope.harmless for task in medcua.tasks} == {safety.LOGS}


def test_every_task_is_worded_three_times_in_both_variants(tasks):
    """No variant has fewer than three patterns, and no two are alike."""
    for task in tasks:
        counts = {variant: len(set(patterns)) for variant, patterns in task.goals.items()}
        assert counts == {"intent": 3, "step": 3}, task.name


def test_every_task_has_plausible_mistakes(tasks):
    """Two mistakes are declared for an easy task, three for the others."""
    assert [
        task.name for task in tasks if len(task.functions.wrong) < (2 if task.difficulty == "easy" else 3)
    ] == []


def test_only_login_is_solved_by_signing_in(tasks):
    """Everything else asks for clinical work."""
    assert [task.id for task in tasks if task.proof.solved_by_prologue] == ["login"]


@pytest.mark.slow
def test_every_wording_is_filled(tasks, cases):
    """No brace is left and no value is missing, on any seed; nor is a stored code with an underscore said."""
    for task in tasks:
        for pattern, case in product(chain(*task.goals.values()), cases[task.name]):
            goal = fill(pattern, dict(case.values), task.name)
            assert not re.search(r"[{}_]|(?<!“)\bNone\b", goal), goal  # “None” is a button of some


@pytest.mark.slow
def test_credentials_stand_before_every_goal(tasks, states, cases):
    """The preamble names the user ID and the password of one user, whose password it is."""
    for task, (seed, state) in product(tasks, enumerate(states)):
        case = cases[task.name][seed]
        user = state.row("users", user_id=case["user_id"])
        assert user["password"] == case["password"], (task.name, seed)
        assert f"user ID is {user['user_id']} and the password is {user['password']}." in case.goal


@pytest.mark.slow
def test_seeds_change_every_case(cases):
    """No two of twenty seeds ask the same."""
    for name, each in cases.items():
        assert len({json.dumps(dict(case.values), sort_keys=True) for case in each}) == len(each), name


@pytest.mark.slow
def test_the_confusable_patient_is_somebody_else(cases):
    """Whoever is there to be mistaken is not the one who is meant."""
    for name, case in ((name, case.values) for name, each in cases.items() for case in each):
        meant = {job["mrn"] for job in case.get("jobs", ())} | {case.get("mrn")}
        assert case.get("other", {}).get("mrn", "") not in meant, name


def at(case: Case, path: str) -> str:
    """Return a value of a case, which may lie inside of another one, as text."""
    value: Any = reduce(lambda found, part: found[part], path.split("."), case.values)
    return f"{value:g}" if isinstance(value, float) else str(value)


def test_no_fixed_answer_passes(tasks, cases):
    """What is right differs from seed to seed."""
    for task in tasks:
        for path, least in CASES["varies"].get(task.name, {}).items():
            assert len({at(case, path) for case in cases[task.name]}) >= least, (task.name, path)


def test_what_is_to_be_found_is_not_said(tasks, cases):
    """What a task wants to be found or worked out is in no wording of the aim, and an answer is in none at all."""
    for task in tasks:
        secrets = {"intent": CASES["hidden"].get(task.name, []), "step": []}
        for variant, patterns in task.goals.items():
            hidden = secrets[variant] + CASES["unsaid"].get(task.name, [])
            for pattern, case, path in product(patterns, cases[task.name], hidden):
                goal = fill(pattern, dict(case.values), task.name)
                assert not re.search(rf"(?<![\w./]){re.escape(at(case, path))}(?!\w)", goal), (
                    task.name,
                    path,
                    goal,
                )


def test_writes_that_nobody_asked_for_are_found(tasks, states, cases, pen):
    """On a stranger they are on the wrong patient, elsewhere at least a side effect, whatever the task."""
    state = states[0]
    for task, (name, rows) in product(tasks, state.collections.items()):
        case = cases[task.name][0]
        told, own = json.dumps(dict(case.values)), (None, case.values.get("mrn"))
        chosen = {
            row.get("mrn") in own: key
            for key, row in rows.items()
            if row.get("mrn") in own or row["mrn"] not in told
        }
        for known, key in chosen.items() if name not in task.scope.harmless else ():
            verdict = task.judge(pen(state).update(name, key, remark="changed").evidence(), case)
            reasons = {violation.reason for violation in verdict.violations}
            found = reasons == {"patient_identity/critical"} or (
                known and "record_integrity/major" in reasons
            )
            assert found, (task.name, name, key, reasons)


@pytest.mark.slow
def test_doing_nothing_scores_nothing(tasks, states, cases):
    """The untouched record reaches no milestone and holds no harm, on any seed."""
    for task, (seed, state) in product(tasks, enumerate(states)):
        verdict = judge(task.functions.check(Evidence(state, state), cases[task.name][seed]))
        assert (verdict.score, verdict.violations) == (0, ()), (task.name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("odd", [None, *(pytest.param(odd, marks=pytest.mark.slow) for odd in ("odd", -1.5))])
def test_rows_that_no_world_holds_are_judged(tasks, states, odd):
    """Whatever an episode leaves behind, the verdict is a graded one, and no success."""
    before = states[0]
    for task in tasks:
        rows = {
            name: {
                key: row if name in task.scope.harmless else dict.fromkeys(row, odd)
                for key, row in table.items()
            }
            for name, table in before.collections.items()
        }
        journal = tuple(
            Write(name, key, "update", before.collections[name][key], row)
            for name, table in rows.items()
            if name not in task.scope.harmless
            for key, row in table.items()
        )
        evidence = Evidence(before, State(rows, journal, len(journal)), "1", "answer")
        assert not task.judge(evidence, task.case(before, "intent", 0)).success, task.name


@pytest.mark.slow
def test_cases_are_drawn_from_the_given_chance_only(tasks, states):
    """The same seed asks the same again."""
    for task in tasks:
        first, again = (task.functions.case(states[3], random.Random("x")) for _ in range(2))
        assert first == again, task.name


def test_the_suite_loads_twice(medcua):
    """Loading again, as a second item of the same process does, gives the same tasks."""
    again = load_suite(library.SUITES / "medcua")
    assert [task.name for task in again.tasks_here] == [task.name for task in medcua.tasks]
