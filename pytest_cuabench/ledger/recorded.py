"""Read the recorded evidence of an attempt and judge it again without playing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Activity, Evidence, Request, state_from_json
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.outcome import BROKEN, Outcome


def read_evidence(run: Run, attempt: Attempt) -> tuple[Evidence, Case]:
    """Return the evidence and case with which an attempt was judged.

    Raises:
        SettingError: The attempt was never judged, or its files are missing or damaged.
    """
    before, after, activity, case = (
        _document(run, attempt, name) for name in ("before", "after", "activity", "case")
    )
    try:
        seen = Activity(
            tuple(Request(**request) for request in activity["requests"]),
            tuple(activity["navigations"]),
            tuple(activity["downloads"]),
        )
        states = (state_from_json(before), state_from_json(after))
        return Evidence(*states, attempt.end.answer, attempt.end.ending, seen), Case(
            case["goal"], case["values"]
        )
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise SettingError(
            f"cannot regrade {attempt.item.instance}: its evidence is damaged: {problem}"
        ) from None


def judge_again(task: Task, attempt: Attempt, evidence: Evidence, case: Case) -> Attempt:
    """Return the attempt with the verdict of the current checks; one that broke without harm is unchanged.

    Raises:
        CheckerFailure: The check failed.
    """
    verdict = task.judge(evidence, case)
    if attempt.end.ending == BROKEN and not attempt.result.graded and not verdict.harmed:
        return attempt
    return replace(attempt, verdict=verdict, outcome=Outcome.of_verdict(verdict, attempt.end.ending).label)


def _document(run: Run, attempt: Attempt, name: str) -> Any:
    file = run.folder / (attempt.files.trajectory or "") / f"{name}.json"
    try:
        return parse_json(file.read_bytes())
    except FileNotFoundError:
        raise SettingError(f"cannot regrade {attempt.item.instance}: {file} is missing") from None
    except ValueError as error:
        raise SettingError(f"cannot regrade {attempt.item.instance}: {file} is damaged: {error}") from None
