"""Builds and judges the episodes of all pages alike: the page says what it asks for, and its own reward decides."""

from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, State, Values


def case(state: State, _random: Random, _values: Values) -> Values:
    """Take the goal from the page, after its own seeding."""
    row = state.row("episode")
    return {"page": row["page"], "utterance": row["utterance"], "fields": row["fields"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """Require the full reward, or what counts as full where the page measures a distance."""
    enough = case.values.get("enough", 1.0)
    reward = _reward(evidence)
    solved = reward is not None and reward >= enough - 1e-9
    yield Milestone("solved", solved, 1.0, f"a reward of {enough:g}", _told(reward))


def upstream(evidence: Evidence, _case: Case) -> Findings:
    """Judge as BrowserGym does: any reward above 0 will do."""
    reward = _reward(evidence)
    solved = reward is not None and reward > 0
    yield Milestone("solved", solved, 1.0, "a reward above 0", _told(reward))


def _reward(evidence: Evidence) -> float | None:
    reward: Any = evidence.after.row("episode")["reward"]
    return None if reward is None else float(reward)


def _told(reward: float | None) -> str:
    return "the page has not ended the episode" if reward is None else f"a reward of {reward:g}"
