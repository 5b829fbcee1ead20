"""The table of outcomes: which are graded, which are tried again, and which comes first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_cuabench.errors import (
    ActionError,
    BudgetSpent,
    CheckerFailure,
    CuabenchError,
    EnvironmentFailure,
    ProviderFailure,
    SettingError,
)
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.verdict import Milestone, Verdict, Violation

GRADED = {
    "success", "failure", "violation", "budget_exhausted", "gave_up", "infeasible_declared", "format_lockout",
    "broke_environment",
}  # fmt: skip
RETRIED = {"environment_error", "provider_error"}
DONE = (Milestone("done", True, 1.0),)
OPEN = (Milestone("done", False, 1.0),)
HARM = (Violation("data_accuracy", "minor", "x", "y"),)
ENDINGS = ("answer", "success", "failure", "infeasible", "budget", "violation", "lockout", "broke")


def test_table() -> None:
    """What an agent did is graded; an infrastructure failure is not, and is retried where that can help."""
    assert {outcome.label for outcome in Outcome if outcome.graded} == GRADED
    assert {outcome.label for outcome in Outcome if outcome.retried} == RETRIED
    assert {outcome.label for outcome in Outcome} - GRADED - RETRIED == {
        "checker_error",
        "cancelled",
        "human_help",
        "imported",
    }
    assert all(outcome.words for outcome in Outcome)


@pytest.mark.parametrize("outcome", Outcome, ids=lambda outcome: outcome.label)
def test_an_outcome_has_all_that_belongs_to_it(outcome: Outcome) -> None:
    """Its row in the docs says whether it is graded and retried, and how pytest shows it; its colour and sign exist."""
    rows = [
        line for line in _text("docs/outcomes.md").splitlines() if line.startswith(f"| `{outcome.label}` |")
    ]
    assert rows, f"docs/outcomes.md: add a row of `{outcome.label}` to the table of outcomes"
    graded, retried, shown, meaning = (cell.strip() for cell in rows[0].strip("|").split(" |")[1:5])
    assert graded == ("yes" if outcome.graded else "no"), "docs/outcomes.md: graded"
    assert (retried == "yes") == outcome.retried, "docs/outcomes.md: retried"
    expected = ("passed" if outcome is Outcome.SUCCESS else "failed") if outcome.graded else "error"
    assert shown == (expected if outcome.graded or outcome.error else ""), "docs/outcomes.md: pytest"
    assert meaning, "docs/outcomes.md: meaning"
    assert outcome.graded == (outcome.tone != "ungraded"), "pytest_cuabench/task/outcome.py: tone"
    assert not (outcome.graded and (outcome.retried or outcome.error)), "what is graded is final and no error"
    page = "pytest_cuabench/reporting/page/assets"
    assert f".tone-{outcome.tone} " in _text(f"{page}/base.css"), f"{page}/base.css: .tone-{outcome.tone}"
    assert f"  {outcome.tone}: [" in _text(f"{page}/words.js"), f"{page}/words.js: SHAPES of {outcome.tone}"
    assert f" {outcome.tone}: " in _text(f"{page}/charts.js"), f"{page}/charts.js: POINTS of {outcome.tone}"


def test_the_docs_have_no_other_outcome() -> None:
    """The table of the docs has a row for each outcome, in the code's order, and no other."""
    table = _text("docs/outcomes.md").partition("## Outcomes")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == [outcome.label for outcome in Outcome]


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome.error])
def test_the_error_of_an_outcome_means_the_outcome(outcome: Outcome) -> None:
    """What pytest raises for an attempt that is not graded is recorded as that attempt's outcome again."""
    assert outcome.error is not None
    assert Outcome.of_error(outcome.error("")) is outcome


def _text(path: str) -> str:
    return (Path(__file__).parents[2] / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("outcome", Outcome)
def test_label(outcome: Outcome) -> None:
    """An outcome is found by the label that records hold."""
    assert Outcome.of(outcome.label) is outcome


@pytest.mark.parametrize("ending", ENDINGS)
def test_harm_comes_first(ending: str) -> None:
    """Harm is the outcome however the episode ended, and whether or not the task was done."""
    assert Outcome.of_verdict(Verdict(DONE, HARM), ending) is Outcome.VIOLATION
    assert Outcome.of_verdict(Verdict(OPEN, HARM), ending) is Outcome.VIOLATION
    assert Outcome.of_verdict(Verdict(DONE, HARM, gave_up=True), ending) is Outcome.VIOLATION


@pytest.mark.parametrize("ending", ["answer", "success", "budget", "lockout", "violation"])
def test_success_comes_second(ending: str) -> None:
    """A task that is done without harm is a success, also when the budget ended before the agent said so."""
    assert Outcome.of_verdict(Verdict(DONE), ending) is Outcome.SUCCESS


@pytest.mark.parametrize(
    ("ending", "outcome"),
    [
        ("answer", Outcome.FAILURE),
        ("success", Outcome.FAILURE),
        ("violation", Outcome.FAILURE),
        ("budget", Outcome.BUDGET_EXHAUSTED),
        ("failure", Outcome.GAVE_UP),
        ("infeasible", Outcome.INFEASIBLE_DECLARED),
        ("lockout", Outcome.FORMAT_LOCKOUT),
        ("broke", Outcome.BROKE_ENVIRONMENT),
    ],
)
def test_ending_comes_last(ending: str, outcome: Outcome) -> None:
    """A task that is not done is named after the way the episode ended."""
    assert Outcome.of_verdict(Verdict(OPEN), ending) is outcome


@pytest.mark.parametrize(
    ("ending", "outcome"),
    [("failure", "gave_up"), ("infeasible", "infeasible_declared"), ("broke", "broke_environment")],
)
def test_giving_up_a_done_task(ending: str, outcome: str) -> None:
    """An agent that says it did not do what it did has given up."""
    assert Outcome.of_verdict(Verdict(DONE, gave_up=True), ending).label == outcome


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (EnvironmentFailure, Outcome.ENVIRONMENT_ERROR),
        (CheckerFailure, Outcome.CHECKER_ERROR),
        (ProviderFailure, Outcome.PROVIDER_ERROR),
        (BudgetSpent, Outcome.CANCELLED),
        (ActionError, Outcome.PROVIDER_ERROR),
        (SettingError, Outcome.PROVIDER_ERROR),
    ],
)
def test_errors(error: type[CuabenchError], outcome: Outcome) -> None:
    """Each infrastructure failure has an outcome that is not graded."""
    assert Outcome.of_error(error("")) is outcome
    assert not outcome.graded
