"""What SCUBA's wrong charts, groups, roles, queues and milestones still earn, instance by instance."""

from __future__ import annotations

import pytest

from .test_scuba_checks import SUITE, Trial

TASKS = {task.id: task for task in SUITE.tasks}
# By mistake: what each instance of the template scores, in the order of the instances.
EARNED = {
    ("admin_010", "grouped_another_way"): (0.9, 0.9, 0.9, 0.9, 0.9),
    ("admin_010", "drew_another_shape"): (0.8, 0.8, 0.8, 0.8, 0.8),
    ("admin_010", "charted_another_list"): (0.8, 0.8, 0.8, 0.8, 0.8),
    ("admin_010", "misspelt_the_chart"): (0, 0, 0, 0, 0),
    ("admin_034", "left_the_first_member_out"): (0.625, 0.85, 0.625, 0.75, 0.75),
    ("admin_034", "let_one_role_more_in"): (1, 1, 1, 1, 1),
    ("admin_034", "took_the_subordinates_along"): (0.625, 0.7, 0.25, 0.5, 0.75),
    ("admin_035", "put_the_second_role_elsewhere"): (0.75, 0.75, 0.75, 0.5, 0.833),
    ("admin_035", "made_one_role_more"): (1, 1, 1, 1, 1),
    ("service_001", "supported_another_object"): (0.818, 0.765, 0.818, 0.818, 0.765),
    ("service_001", "let_one_role_more_in"): (0.773, 0.706, 0.773, 0.773, 0.706),
    ("service_006", "confused_the_recurrence"): (0.75, 0.5, 0.667, 0, 0.5),
    ("service_006", "made_one_milestone_more"): (1, 1, 1, 1, 1),
}
EACH = [
    pytest.param(f"{template}_{number:03}", name, score, id=f"{template}_{number:03}-{name}")
    for (template, name), scores in EARNED.items()
    for number, score in enumerate(scores, 1)
]


@pytest.mark.parametrize(("id", "name", "score"), EACH)
def test_partial_scores(id: str, name: str, score: float) -> None:
    """A mistake costs the milestones it misses and no others, and is never a success."""
    trial = Trial(TASKS[id])
    mistake = next(one for one in trial.task.wrong if one.name == name)
    told = vars(mistake.solution)
    verdict = trial.play(told["plays"], told["reading"](trial.case))
    assert verdict.score == pytest.approx(score, abs=0.001)
    assert not verdict.success


def test_every_mistake_has_its_score() -> None:
    """No wrong solution of these templates is without a line above."""
    templates = {template for template, _ in EARNED}
    declared = {
        (task.template, one.name) for task in SUITE.tasks for one in task.wrong if task.template in templates
    }
    assert declared == set(EARNED)
