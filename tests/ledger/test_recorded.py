"""What a run keeps of an attempt is enough to judge it again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from small_world import Table, make_task, make_world, press

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.errors import CheckerFailure, SettingError
from pytest_cuabench.ledger.recorded import judge_again, read_evidence
from pytest_cuabench.task.action import Answer, Terminate
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.verdict import Milestone

DONE = Decision((Terminate("success"),))


def test_evidence_comes_back_as_it_was_judged(table: Table) -> None:
    """States, journal, answer, ending and case are those that the check was given."""
    given: list[Evidence] = []

    def look(evidence: Evidence, case: Case) -> Iterator[Milestone]:
        given.append(evidence)
        yield Milestone("never", False, 1.0)

    task = make_task(check=look)
    played = table.play([press("n", "x"), Decision((Answer("seen"),))], task=task)
    evidence, case = read_evidence(played.run, played.last)
    assert evidence.about(case.goal) == given[-1]
    assert (evidence.answer, evidence.ending) == ("seen", "answer")
    assert case.values["name"] == "Ada"
    assert case.goal == played.last.goal


@pytest.mark.parametrize("script", [[press("n"), DONE], [DONE], [press("x"), DONE]])
def test_the_same_check_judges_the_same(table: Table, script: list[Decision]) -> None:
    """Success, failure and violation stay what they were."""
    task = make_task()
    played = table.play(script, task=task, world=make_world())
    assert judge_again(task, played.last, *read_evidence(played.run, played.last)) == played.last


def test_another_check_judges_again(table: Table) -> None:
    """Verdict and outcome follow the check of today."""
    played = table.play([press("n"), DONE])
    stricter = make_task(check=lambda evidence, case: [Milestone("more", False, 1.0)])
    again = judge_again(stricter, played.last, *read_evidence(played.run, played.last))
    assert played.last.result is Outcome.SUCCESS
    assert again.result is Outcome.FAILURE
    assert again.verdict is not None
    assert [milestone.name for milestone in again.verdict.milestones] == ["more"]


def test_a_check_that_breaks_is_no_verdict(table: Table) -> None:
    """A fault of the check is told as one."""
    played = table.play([DONE])
    broken = make_task(check=lambda evidence, case: [evidence.before.row("nothing")])
    with pytest.raises(CheckerFailure, match="cannot judge desk/note: LookupError"):
        judge_again(broken, played.last, *read_evidence(played.run, played.last))


def test_an_attempt_that_never_began_cannot_be_judged_again(table: Table) -> None:
    """Where the agent was never asked, nothing was kept to judge; the sentence names the file."""

    solved = make_task(check=lambda evidence, case: [Milestone("done", True, 1.0)])
    played = table.play([DONE], task=solved)
    with pytest.raises(SettingError, match=r"cannot regrade .*: .*before\.json is missing"):
        read_evidence(played.run, played.last)
