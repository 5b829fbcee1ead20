"""What SCUBA's wrong products, price books, quotes, contracts and orders still earn, instance by instance."""

from __future__ import annotations

import pytest

from .test_scuba_checks import SUITE, Trial

TASKS = {task.id: task for task in SUITE.tasks}
# By mistake: what each instance of the template scores, in the order of the instances.
EARNED = {
    ("sales_006", "forgot_the_first_product"): (0.5, 0.611, 0, 0.667, 0.727),
    ("sales_006", "left_the_descriptions_out"): (0.917, 0.917, 0.917, 0.909, 0.909),
    ("sales_007", "swapped_the_prices"): (0.6, 0.6, 0.6, 0.6, 0.6),
    ("sales_007", "priced_another_product"): (0.2, 0.2, 0.2, 0.2, 0.2),
    ("sales_007", "made_one_book_only"): (0.5, 0.5, 0.5, 0.5, 0.5),
    ("sales_008", "quoted_one_more"): (0.909, 0.909, 0.909, 0.909, 0.909),
    ("sales_008", "let_it_expire_a_day_later"): (0.818, 0.818, 0.818, 0.818, 0.818),
    ("sales_008", "quoted_for_another_opportunity"): (0.818, 0.818, 0.818, 0.818, 0.818),
    ("sales_009", "started_both_at_once"): (0.818, 0.818, 0.818, 0.818, 0.818),
    ("sales_009", "agreed_on_a_year_more"): (0.818, 0.818, 0.818, 0.818, 0.818),
    ("sales_009", "bound_another_account"): (0, 0, 0, 0, 0),
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


def test_every_mistake_has_its_scores() -> None:
    """No wrong solution of these templates is without a line above."""
    templates = {template for template, _ in EARNED}
    declared = {
        (task.template, one.name) for task in SUITE.tasks for one in task.wrong if task.template in templates
    }
    assert declared == set(EARNED)
