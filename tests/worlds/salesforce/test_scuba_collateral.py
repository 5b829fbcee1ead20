"""One further legal write beside each task of SCUBA, of each kind that the org offers: none goes unnoticed."""

from __future__ import annotations

import random

import pytest

from pytest_cuabench.task.model import Task

from .scuba_collateral import FREE, PAGE, Beside, Extra, tally, text
from .scuba_trials import SUITE

FIRST = list({task.template: task for task in reversed(SUITE.tasks)}.values())[::-1]
SAMPLE = 2  # kinds of each group that are tried by default


def some(beside: Beside) -> list[Extra]:
    """Return a seeded sample of the kinds, of each group alike."""
    chance = random.Random(beside.trial.task.id)
    groups: dict[str, list[Extra]] = {}
    for extra in beside.extras():
        groups.setdefault(extra.group, []).append(extra)
    return [one for found in groups.values() for one in chance.sample(found, min(SAMPLE, len(found)))]


@pytest.mark.parametrize("task", FIRST, ids=lambda task: task.template)
def test_a_write_beside_the_task_is_seen(task: Task) -> None:
    """Whatever else is written beside the reference, or written and put back, the task is no success."""
    beside = Beside(task)
    assert [(one.group, one.name) for one in some(beside) if beside.survives(one)] == []


@pytest.mark.nightly
@pytest.mark.parametrize("task", SUITE.tasks, ids=lambda task: task.id)
def test_every_write_beside_the_task_is_seen(task: Task) -> None:
    """Every kind of write that the org offers, beside every task."""
    beside = Beside(task)
    assert [(one.group, one.name) for one in beside.extras() if beside.survives(one)] == []


@pytest.mark.nightly
def test_the_page_of_the_docs_is_what_was_tried() -> None:
    """The numbers in the docs are those of the templates' first tasks."""
    assert text(tally(FIRST)) == PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("template", "field"), FREE, ids=lambda one: one)
def test_free_fields_are_of_templates_and_objects_that_exist(template: str, field: str) -> None:
    """A field that is declared free is one that a task of the template can write."""
    object, _, name = field.partition(".")
    assert template in {task.template for task in SUITE.tasks}
    assert name in {one.name for one in Beside.schema()[object].fields}
