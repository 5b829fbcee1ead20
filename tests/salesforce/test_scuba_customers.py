"""What SCUBA's wrong account trees and activities still earn, instance by instance."""

from __future__ import annotations

import pytest

from .test_scuba_checks import SUITE, Trial, before

TASKS = {task.id: task for task in SUITE.tasks}
# By mistake: what each instance of the template scores, in the order of the instances.
EARNED = {
    ("sales_002", "made_all_accounts_equal"): (0.6, 0.667, 0.75, 0.6, 0.6),
    ("sales_002", "shortened_the_first_name"): (0.4, 0.667, 0.5, 0.4, 0.4),
    ("sales_005", "set_another_stage"): (0.6, 0.636, 0.6, 0.6, 0.6),
    ("sales_005", "took_another_opportunity"): (0, 0, 0, 0, 0),
    ("sales_005", "took_another_kind"): (0.4, 0.364, 0.4, 0.4, 0.4),
}
EACH = [
    pytest.param(f"{template}_{number:03}", name, score, id=f"{template}_{number:03}-{name}")
    for (template, name), scores in EARNED.items()
    for number, score in enumerate(scores, 1)
]
TEMPLATES = ("sales_001", "sales_003", "sales_004", "sales_012", "sales_013", "sales_014", "sales_015")


@pytest.mark.parametrize(("id", "name", "score"), EACH)
def test_partial_scores(id: str, name: str, score: float) -> None:
    """A mistake costs the milestones it misses and no others."""
    trial = Trial(TASKS[id])
    told = vars(next(one for one in trial.task.wrong if one.name == name).solution)
    verdict = trial.play(told["plays"], told["reading"](trial.case))
    assert verdict.score == pytest.approx(score, abs=0.001)
    assert not verdict.success


@pytest.mark.parametrize("template", TEMPLATES)
def test_other_mistakes_declare_their_score(template: str) -> None:
    """Where all instances score the same, the mistake itself says how much."""
    for task in SUITE.tasks:
        if task.template == template:
            assert all(one.score is not None for one in task.wrong)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("id", [id for id, task in TASKS.items() if task.template == "sales_005"])
def test_somebody_else_s_opportunity_never_has_the_stage(id: str, seed: int) -> None:
    """The opportunity that is taken for the right one is open, and its stage is not the wanted one already."""
    case = Trial(TASKS[id], seed).case
    rows = before(seed).collections["Opportunity"].items()
    (key, other), *others = [pair for pair in rows if pair[1]["Name"] == case["other_opportunity"]]
    assert (others, key != case["opportunity_id"], other["IsClosed"]) == ([], True, False)
    assert other["StageName"] != case["stage"] != case["other_stage"]
