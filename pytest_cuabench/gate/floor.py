"""The floor: what agents reach that know nothing of the tasks, and that a run must be above.

`cuabench floors` writes it in the form of a baseline file, one line per agent. For each of these agents, the difference
of the run's success rates to its own is taken by task, and tested as in `compare.py`.

    pass           the run's mean is higher with one-sided confidence
    fail           it is not higher at all
    inconclusive   otherwise, or there is no evidence on the same tasks
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_cuabench.gate.baseline import Baseline, Support, instance_of
from pytest_cuabench.gate.compare import Pair, mean_difference
from pytest_cuabench.gate.config import FloorDemands
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.gate.recorded import Recorded, task_of
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import many


def above_floor(recorded: Recorded, floor: Baseline, demands: FloorDemands) -> Iterator[Finding]:
    """Yield a finding for each agent of the floor."""
    own = set(recorded.agents)
    agents = dict.fromkeys(each.agent for each in floor.evidence if each.agent not in own)
    if not agents:
        reason = "The floor holds no other agent; create it: cuabench floors SUITE."
        yield Finding("floor", "the floor", Decision.INCONCLUSIVE, reason)
    graded = recorded.graded()
    for agent in agents:
        yield _above(agent, list(_pairs(graded, floor, agent)), demands.confidence)


def _above(agent: str, pairs: list[Pair], confidence: float) -> Finding:
    tasks = len({pair.task for pair in pairs})
    if tasks < 2:
        reason = (
            f"The floor of {agent} was played on {many(tasks, 'task')} of this run; two or more are needed."
        )
        return Finding("floor", agent, Decision.INCONCLUSIVE, reason)
    found = mean_difference(pairs)
    lower = found.lower(confidence)
    if lower > 0:
        decision, words = Decision.PASS, "The run is above"
    elif found.mean <= 0:
        decision, words = Decision.FAIL, "The run is not above"
    else:
        decision, words = Decision.INCONCLUSIVE, "Cannot decide whether the run is above"
    reason = (
        f"{words} the floor of {agent}: success rate {found.mean * 100:+.1f} points on {many(tasks, 'task')}, at least "
        f"{lower * 100:+.1f} ({confidence * 100:g} %, one-sided)."
    ).replace("-", "−")
    figures = {"difference": round(found.mean, 6), "lower": round(lower, 6), "tasks": tasks}
    return Finding("floor", agent, decision, reason, figures)


def _pairs(graded: Iterable[Attempt], floor: Baseline, agent: str) -> Iterator[Pair]:
    """Yield the instances that both played: the same task in the same world, under whatever settings."""
    for attempt in graded:
        name, known = instance_of(attempt), Support()
        for evidence in floor.evidence:
            plays = evidence.instances.get(name) if evidence.agent == agent else None
            if plays and plays.plays and (here := attempt.fingerprint) and _same(here, plays.fingerprint):
                known = Support(known.runs + 1, known.plays + plays.plays, known.successes + plays.successes)
        if known.plays:
            good = attempt.result is Outcome.SUCCESS
            yield Pair(name, task_of(attempt.item), attempt.conditions.fingerprint, 1, int(good), known)


def _same(one: Fingerprint, other: Fingerprint) -> bool:
    return (one.task, one.world) == (other.task, other.world)
