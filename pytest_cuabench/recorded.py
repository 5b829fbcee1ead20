"""Judging again: what a run's folder keeps of an attempt, read back so that checks can be run without playing."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.evidence import Activity, Evidence, Request, state_from_json
from pytest_cuabench.ledger import Attempt, Run
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.task import Case, Task


def read_evidence(run: Run, attempt: Attempt) -> tuple[Evidence, Case]:
    """Return what a check was given when the attempt was judged.

    Raises:
        SettingError: The attempt was never judged, or its documents are gone or damaged.
    """
    before, after, activity, case = (
        _document(run, attempt, name) for name in ("before", "after", "activity", "case")
    )
    seen = Activity(
        tuple(Request(**request) for request in activity["requests"]),
        tuple(activity["navigations"]),
        tuple(activity["downloads"]),
    )
    states = (state_from_json(before), state_from_json(after))
    return Evidence(*states, attempt.answer, attempt.ending, seen), Case(case["goal"], case["values"])


def judge_again(task: Task, attempt: Attempt, evidence: Evidence, case: Case) -> Attempt:
    """Return the attempt as the checks of the task judge it now.

    Raises:
        CheckerFailure: The check itself broke.
    """
    verdict = task.judge(evidence, case)
    return replace(attempt, verdict=verdict, outcome=Outcome.of_verdict(verdict, attempt.ending).label)


def _document(run: Run, attempt: Attempt, name: str) -> Any:
    file = run.folder / (attempt.trajectory or "") / f"{name}.json"
    try:
        return json.loads(file.read_bytes())
    except FileNotFoundError:
        raise SettingError(f"{attempt.instance} cannot be judged again: {file} is missing") from None
    except ValueError as error:
        raise SettingError(f"{attempt.instance} cannot be judged again: {file} is damaged: {error}") from None
