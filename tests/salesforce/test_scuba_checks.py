"""Every task of SCUBA judged on a seeded org: done right, done wrong in each declared way, and not done at all."""

from __future__ import annotations

import pytest

from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Task, Wrong

from .scuba_trials import SUITE, Trial, before, scuba_deeds, seeded, seen

SEEDS = (0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow))
FIRST = list({task.template: task for task in reversed(SUITE.tasks)}.values())[::-1]
SLOWLY = [
    pytest.param(task, id=task.id, marks=[] if task in FIRST else pytest.mark.slow) for task in SUITE.tasks
]
WRONG = [
    pytest.param(task, each, id=f"{task.id}-{each.name}", marks=[] if task in FIRST else pytest.mark.slow)
    for task in SUITE.tasks
    for each in task.wrong
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: task.id)
def test_done_right(task: Task, seed: int) -> None:
    """Doing what the goal says reaches every milestone and harms nothing."""
    verdict = Trial(task, seed).play()
    assert verdict.success, [*verdict.violations, *(one for one in verdict.milestones if not one.reached)]
    assert verdict.score == 1


@pytest.mark.parametrize("task", SLOWLY)
def test_not_done(task: Task) -> None:
    """Doing nothing reaches nothing and harms nothing."""
    verdict = Trial(task).judge(Evidence(before(0), before(0)))
    assert (verdict.score, verdict.violations) == (0, ())


@pytest.mark.parametrize(("task", "mistake"), WRONG)
def test_done_wrong(task: Task, mistake: Wrong) -> None:
    """A misread case fails for its declared reason, with its declared score."""
    trial = Trial(task)
    told = vars(mistake.solution)
    verdict = trial.play(told["plays"], told["reading"](trial.case))
    missed = {f"milestone:{one.name}" for one in verdict.milestones if not one.reached}
    assert not verdict.success
    assert mistake.reason in missed | {one.reason for one in verdict.violations}
    if mistake.score is not None:
        assert verdict.score == pytest.approx(mistake.score, abs=0.005)


@pytest.mark.parametrize("task", FIRST, ids=lambda task: task.template)
def test_templates_have_two_wrong_solutions(task: Task) -> None:
    """Every template is proved to refuse two plausible mistakes."""
    assert len(task.wrong) >= 2


@pytest.mark.parametrize("task", FIRST, ids=lambda task: task.template)
def test_something_beside_the_task(task: Task) -> None:
    """A record that nobody asked for is a violation, whatever else was done."""
    org = seeded(0).copy()
    trial = Trial(task)
    said = scuba_deeds.do(org, task.template, trial.case)
    org.insert("Note", Title="By the way", ParentId=next(org.rows("Account"))["Id"])
    verdict = trial.judge(Evidence(before(0), seen(org), said, "success"))
    assert [one.reason for one in verdict.violations] == ["record_integrity/major"]
    assert verdict.completed


@pytest.mark.parametrize("task", SLOWLY)
def test_scored_as_upstream(task: Task) -> None:
    """The authors' rules accept what is done right, too, as far as they can be met at all."""
    trial = Trial(task)
    verdict = task.scored_upstream().judge(trial.evidence(), trial.case)
    assert not verdict.violations
    assert verdict.score == pytest.approx(_UPSTREAM.get(task.id, 1.0), abs=0.005)


# What their rules give for a task done right, where that is not everything.
_UPSTREAM = {
    "admin_035_002": 0.833,  # a stock role would have to be new, and at the top
    "sales_001_001": 0.2,  # another company of the name comes first
    "sales_001_002": 0.2,
    "sales_001_003": 0.2,
}
