"""Requirements besides bounds: completeness and coverage, isolation, code, must_pass, zero_tolerance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase

from pytest_cuabench.gate.config import Gate
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.gate.recorded import Chosen, Recorded, some, task_of
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.stats import upper_bound
from pytest_cuabench.task.names import did_you_mean
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.parts import REPORTED
from pytest_cuabench.task.text import many

_SEVERITIES = ("critical", "major", "minor")


def completeness(recorded: Recorded, gate: Gate) -> Iterator[Finding]:
    """Yield findings on whether the run is complete, of one agent, and graded to a sufficient share."""
    if not recorded.expected():
        yield Finding(
            "coverage", "the run", Decision.INCONCLUSIVE, "The run is empty: no instance was played."
        )
        return
    if not recorded.plan:
        reason = "The run records no plan (it is of an older version), so missing instances are unknown."
        yield Finding("coverage", "the plan", Decision.INCONCLUSIVE, reason)
    if unplayed := recorded.unplayed():
        count = f"{len(unplayed)} of {len(recorded.expected())} planned instances"
        reason = f"{count} were never played, because the session was cut short: {some(unplayed)}."
        yield Finding("coverage", "the plan", Decision.INCONCLUSIVE, reason, {"unplayed": len(unplayed)})
    if missing := recorded.missing_shards:
        verb = "is" if len(missing) == 1 else "are"
        reason = f"Not all shards were merged: {some(missing)} {verb} missing, with all their instances."
        yield Finding(
            "coverage", "the shards", Decision.INCONCLUSIVE, reason, {"missing_shards": list(missing)}
        )
    if len(recorded.agents) > 1:
        reason = f"The run holds attempts of {some(recorded.agents)}; a gate judges one agent."
        yield Finding("coverage", "the agent", Decision.INCONCLUSIVE, reason)
    yield coverage(recorded, gate.coverage, "all instances", lambda instance: True)


def coverage(recorded: Recorded, floor: float, name: str, chosen: Chosen) -> Finding:
    """Return the finding on whether enough instances of a group were graded."""
    graded, expected = len(recorded.graded(chosen)), len(recorded.expected(chosen))
    share = graded / expected if expected else 0.0
    enough = share >= floor and graded > 0
    outcomes: dict[str, int] = {}
    for attempt in recorded.last.values():
        if chosen(attempt.item) and not attempt.result.graded:
            outcomes[attempt.outcome] = outcomes.get(attempt.outcome, 0) + 1
    left_out = ", ".join(f"{count} {label}" for label, count in sorted(outcomes.items()))
    skipped = sum(chosen(recorded.plan[each]) for each in recorded.skipped if each in recorded.plan)
    reason = f"{name}: {graded} of {expected} were graded ({share * 100:.1f} %)"
    reason += f", not graded: {left_out}" if left_out else ""
    reason += f", skipped by the user: {skipped}" if skipped else ""
    reason += "." if enough else f"; a conclusion requires {floor * 100:g} %."
    decision = Decision.PASS if enough else Decision.INCONCLUSIVE
    return Finding("coverage", name, decision, reason, {"graded": graded, "expected": expected})


def isolation(recorded: Recorded, gate: Gate) -> Iterator[Finding]:
    """Yield the finding on whether every instance was played with an accepted isolation of the agent."""
    if not gate.isolation:
        return
    found = Counter(attempt.conditions.isolation or "not recorded" for attempt in recorded.last.values())
    others = {name: count for name, count in sorted(found.items()) if name not in gate.isolation}
    accepted = ", ".join(gate.isolation)
    reason = f"The gate accepts the isolation {accepted}"
    if others:
        told = ", ".join(f"{many(count, 'instance')} {name}" for name, count in others.items())
        reason += f", but the run has {told}"
    decision = Decision.FAIL if others else Decision.PASS
    yield Finding("isolation", "the agent", decision, f"{reason}.", {"isolation": dict(found)})


def code(recorded: Recorded, gate: Gate) -> Iterator[Finding]:
    """Yield the findings on whether all attempts used the application by its screen alone."""
    ran = sorted(name for name, attempt in recorded.last.items() if attempt.counts.code_used)
    scripted = sorted(
        name
        for name, attempt in recorded.last.items()
        if attempt.counts.scripts and attempt.conditions.scripts_policy == REPORTED
    )
    if not gate.code:
        yield _past_the_screen("code", "The gate accepts no code", ran, "ran code")
    if not gate.scripts and scripted:
        reason = "The gate accepts no scripts in pages, which could act for the mouse (scripts = true does)"
        yield _past_the_screen("scripts", reason, scripted, "evaluated some")


def _past_the_screen(kind: str, reason: str, names: list[str], words: str) -> Finding:
    reason += f", but {many(len(names), 'instance')} {words}: {some(names)}" if names else ""
    decision = Decision.FAIL if names else Decision.PASS
    return Finding(kind, "the agent", decision, f"{reason}.", {"instances": len(names)})


def must_pass(recorded: Recorded, gate: Gate) -> Iterator[Finding]:
    """Yield the finding of each entry of `must_pass`; an entry that did not run fails."""
    for entry in gate.must_pass:
        yield _entry(recorded, entry)


def _entry(recorded: Recorded, entry: str) -> Finding:
    meant = {name for name, each in recorded.plan.items() if _means(entry, each)}
    meant |= {name for name, each in recorded.last.items() if _means(entry, each.item)}
    missing = meant.difference(recorded.last)
    played = [recorded.last[name] for name in meant & set(recorded.last)]
    failed = [each for each in played if each.result.graded and each.result is not Outcome.SUCCESS]
    broken = [each.item.instance for each in played if not each.result.graded]
    if not meant:
        tasks = (f"{each.item.application}/{each.item.task}" for each in recorded.last.values())
        near = did_you_mean(entry, {*recorded.plan, *recorded.last, *tasks}, likeness=0.8)
        return _must(entry, Decision.FAIL, f"did not run: no instance matches{near.removesuffix('?')}")
    if missing:
        return _must(entry, Decision.FAIL, f"did not run: {some(missing)}")
    if failed:
        words = some(f"{each.item.instance} ({each.outcome})" for each in failed)
        return _must(entry, Decision.FAIL, f"did not pass: {words}")
    if broken:
        return _must(entry, Decision.INCONCLUSIVE, f"could not be graded: {some(broken)}")
    return _must(entry, Decision.PASS, f"passed, {len(meant)} of {len(meant)}")


def _must(entry: str, decision: Decision, words: str) -> Finding:
    return Finding("must_pass", entry, decision, f"Must pass: {entry} {words}.")


def _means(entry: str, item: Planned) -> bool:
    """Whether an entry matches the instance, its task in this variant and seed, or its task; globs are allowed."""
    names = (
        item.instance,
        item.instance.removesuffix(f"-e{item.epoch}"),
        f"{item.application}/{item.task}",
    )
    return any(fnmatchcase(name, entry) for name in names)


def zero_tolerance(recorded: Recorded, gate: Gate) -> Iterator[Finding]:
    """Yield the finding on violations that are not tolerated, in any attempt including retried ones."""
    if gate.zero_tolerance is None:
        return
    bad = _SEVERITIES[: _SEVERITIES.index(gate.zero_tolerance) + 1]
    harms = [
        (attempt, violation)
        for attempt in recorded.all
        if attempt.verdict
        for violation in attempt.verdict.violations
        if violation.severity in bad
    ]
    subject = " or ".join([", ".join(bad[:-1]), bad[-1]] if bad[1:] else bad)
    if harms:
        episodes = len({id(attempt) for attempt, _ in harms})
        named = some({f"{attempt.item.instance} ({violation.reason})" for attempt, violation in harms})
        reason = f"{many(episodes, 'episode')} with violations that are not tolerated: {named}."
        yield Finding("zero_tolerance", subject, Decision.FAIL, reason, {"episodes": episodes})
    else:
        yield _no_harm(recorded, gate, subject)


def _no_harm(recorded: Recorded, gate: Gate, subject: str) -> Finding:
    graded = recorded.graded()
    tasks = len({task_of(attempt.item) for attempt in graded})
    bound = upper_bound(0, tasks, gate.confidence)
    reason = (
        f"No {subject} violation in {many(len(graded), 'graded episode')} of {many(tasks, 'task')}; upper bound of "
        f"the true share of episodes: {bound * 100:.1f} % ({gate.confidence * 100:g} % confidence, exact, each task "
        "counted once)."
    )
    decision = Decision.PASS if graded else Decision.INCONCLUSIVE
    figures = {"episodes": 0, "graded": len(graded), "upper_bound": round(bound, 6)}
    return Finding("zero_tolerance", subject, decision, reason, figures)
