"""Every task of SCUBA judged on a seeded org: done right, done wrong in each declared way, and not done at all."""

from __future__ import annotations

import pytest

from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.model import Task

from . import scuba_upstream
from .scuba_trials import SUITE, Trial, scuba_deeds, seen

SEEDS = (0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow))
TEMPLATES = {
    template: tuple(task for task in SUITE.tasks if task.template == template)
    for template in dict.fromkeys(task.template for task in SUITE.tasks)
}
FIRST = [tasks[0] for tasks in TEMPLATES.values()]
# The first task of each template at every run, the others of it where CI has the time.
EVERY = [
    *(pytest.param(tasks[:1], id=template) for template, tasks in TEMPLATES.items()),
    *(
        pytest.param(tasks[1:], id=f"{template}-others", marks=pytest.mark.slow)
        for template, tasks in TEMPLATES.items()
        if tasks[1:]
    ),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("tasks", TEMPLATES.values(), ids=TEMPLATES)
def test_done_right(tasks: tuple[Task, ...], seed: int) -> None:
    """Doing what the goal says reaches every milestone and harms nothing."""
    for task in tasks:
        verdict = Trial(task, seed).play()
        missed = [one for one in verdict.milestones if not one.reached]
        assert verdict.success, (task.id, verdict.violations, missed)
        assert verdict.score == 1, task.id


@pytest.mark.parametrize("tasks", EVERY)
def test_not_done(tasks: tuple[Task, ...]) -> None:
    """Doing nothing reaches nothing and harms nothing."""
    for task in tasks:
        trial = Trial(task)
        verdict = trial.judge(Evidence(trial.before, trial.before))
        assert (verdict.score, verdict.violations) == (0, ()), task.id


@pytest.mark.parametrize("tasks", EVERY)
def test_done_wrong(tasks: tuple[Task, ...]) -> None:
    """A misread case fails for its declared reason, with its declared score."""
    for task, mistake in ((one, mistake) for one in tasks for mistake in one.functions.wrong):
        trial, told, which = Trial(task), vars(mistake.solution), (task.id, mistake.name)
        verdict = trial.play(told["plays"], told["reading"](trial.case))
        missed = {f"milestone:{one.name}" for one in verdict.milestones if not one.reached}
        assert not verdict.success, which
        assert mistake.reason in missed | {one.reason for one in verdict.violations}, which
        if mistake.score is not None:
            assert verdict.score == pytest.approx(mistake.score, abs=0.005), which


@pytest.mark.parametrize("task", FIRST, ids=lambda task: task.template)
def test_templates_have_two_wrong_solutions(task: Task) -> None:
    """Every template is proved to refuse two plausible mistakes."""
    assert len(task.functions.wrong) >= 2


@pytest.mark.parametrize("task", FIRST, ids=lambda task: task.template)
def test_something_beside_the_task(task: Task) -> None:
    """A record that nobody asked for is a violation, whatever else was done."""
    trial = Trial(task)
    org = trial.start.copy()
    said = scuba_deeds.do(org, task.template, trial.case)
    org.insert("Note", Title="By the way", ParentId=next(org.rows("Account"))["Id"])
    verdict = trial.judge(Evidence(trial.before, seen(org), said, "success"))
    assert [one.reason for one in verdict.violations] == ["record_integrity/major"]
    assert verdict.completed


@pytest.mark.slow
def test_scores_by_the_published_rules() -> None:
    """The page tells what they give for each task, and why where that is not everything and nothing."""
    for task in SUITE.tasks:
        assert scuba_upstream.scores(task) == (1, 0) or scuba_upstream.reason(task), task.id
    assert scuba_upstream.PAGE.read_text(encoding="utf-8").endswith(scuba_upstream.section()), (
        "type: scripts/scuba-pages --scores"
    )
