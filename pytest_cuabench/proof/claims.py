"""Audits: proof that a task's reference solution succeeds, and that doing less or something else does not.

With `--cua-audit` the items are these claims instead of an agent's instances:

* `reference` — the solution scores 1.0 without a violation, and would not without its last commit, nor anything
  before its first step; in suites with phases it is played with all of them, the other claims without; in suites
  with a `collateral.py`, no further write after it leaves the task a success (see `collateral`);
* `noop` — doing nothing reaches no milestone;
* `prologue` — the common first steps (signing in) do not solve the task;
* each further solution (`@also`) succeeds like the reference, whenever it commits;
* each wrong solution fails for its declared reason, and with its declared score, if any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_cuabench.agents.base import Agent
from pytest_cuabench.agents.builtin.noop import NoopAgent
from pytest_cuabench.agents.builtin.oracle import OracleAgent
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.task.case import Solution, Wrong
from pytest_cuabench.task.model import Instance, SuiteInfo, Task
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.verdict import Verdict

_HUNDREDTH = 0.01
# Number of kinds of collateral writes to try, by depth; None for all, no entry for none.
FURTHER_KINDS: dict[str | None, int | None] = {"standard": 4, "full": None}


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about a task; one item of an audit."""

    kind: str
    wrong: Wrong | None = None
    also: tuple[str, Solution] | None = None

    @property
    def id(self) -> str:
        """Return the claim's part of the item's id."""
        if self.also:
            return f"also-{self.also[0]}"
        return f"wrong-{self.wrong.name}" if self.wrong else self.kind

    def solution(self, task: Task) -> Solution | None:
        """Return what plays the claim; None for doing nothing."""
        if self.kind in ("noop", "prologue"):
            return task.functions.prologue if self.kind == "prologue" else None
        if self.also:
            return self.also[1]
        return self.wrong.solution if self.wrong else task.functions.solve

    def agent(self, task: Task) -> Agent:
        """Return the agent that plays the claim."""
        solution = self.solution(task)
        return OracleAgent(solution=solution) if solution else NoopAgent()

    def broken(self, attempt: Attempt) -> str | None:
        """Return why the claim fails for an attempt; None if it holds."""
        if attempt.verdict is None:
            return f"not judged: {attempt.error}"
        return self.refuted(attempt.verdict, attempt.result) or (
            self._no_reference(attempt) if self._should_succeed else None
        )

    def refuted(self, verdict: Verdict, outcome: Outcome) -> str | None:
        """Return why the claim fails by a verdict alone; None if it does not."""
        if self._should_succeed:
            return None if outcome is Outcome.SUCCESS else "the reference solution does not succeed"
        if outcome is Outcome.SUCCESS:
            return f"{self.id} succeeds, but should fail"
        if self.kind == "noop" and verdict.score:
            return f"doing nothing scores {verdict.score:g}, but should score 0"
        return self._wrong_reason(verdict) if self.wrong else None

    @property
    def _should_succeed(self) -> bool:
        return self.kind in ("reference", "also")

    def _no_reference(self, attempt: Attempt) -> str | None:
        """Return why an attempt that succeeded proves nothing.

        When a further solution commits does not matter: it may save once more than it has to, or end before the
        program writes.
        """
        if missed := next(
            (phase for phase in attempt.phases if phase.outcome != Outcome.SUCCESS.label), None
        ):
            return f"its phase {missed.name} does not succeed: {missed.answer or missed.ending}"
        if not attempt.end.commits and not self.also:
            return "the reference solution neither commits anything nor answers"
        if attempt.end.cut == Outcome.SUCCESS.label and not self.also:
            return f"it succeeds without its last commit, step {attempt.end.commits[-1]}"
        if attempt.end.head_start:
            return f"the state before its first step scores {attempt.end.head_start:g}, but should score 0"
        return None

    def _wrong_reason(self, verdict: Verdict) -> str | None:
        assert self.wrong is not None
        missed = {f"milestone:{m.name}" for m in verdict.milestones if not m.reached}
        found = missed | {violation.reason for violation in verdict.violations}
        if self.wrong.reason in found:
            return self._wrong_score(verdict.score)
        return f"it fails for {', '.join(sorted(found)) or 'no reason'}, but declares {self.wrong.reason}"

    def _wrong_score(self, score: float) -> str | None:
        assert self.wrong is not None
        declared = self.wrong.score
        if declared is None or abs(declared - score) < _HUNDREDTH:
            return None
        return f"it scores {score:g}, but declares {declared:g}"


@dataclass(frozen=True, slots=True, repr=False)
class Proof(Instance):
    """An instance that is played to test a claim."""

    claim: Claim = field(default_factory=lambda: Claim("reference"))

    @property
    def id(self) -> str:
        return f"{self.task.name}-{self.claim.id}-s{self.seed}"


def proofs(suite: SuiteInfo, depth: str) -> Iterator[Proof]:
    """Yield the items of an audit.

    `standard` plays the reference with two seeds and every other claim with one, `full` every claim with all seeds.
    `quick` plays only the first wrong solution of each task, and one further solution and doing nothing once in each
    application: the references show of each task that its start scores 0. The tasks of a template have the same
    solutions, so in `quick` only the first of them plays a wrong solution and the phases before the task, and the
    others play the second seed.
    """
    like = Counter((task.application, task.meta.template) for task in suite.tasks if task.meta.template)
    led: set[tuple[str, str]] = set()
    shown: set[tuple[str, str]] = set()
    for task in suite.tasks:
        template = (task.application, task.meta.template)
        leads = depth != "quick" or template not in like or template not in led
        led.add(template)
        alone = depth != "quick" or like[template] < 2
        variant = next(iter(task.wording.goals))
        phased = next(
            (name for name, phases in task.phases.items() if any(p.played for p in phases)), variant
        )
        for claim in claims(task, wrong=None if depth != "quick" else int(leads)):
            if claim.kind in ("noop", "also") and depth == "quick":
                if (task.application, claim.kind) in shown:
                    continue
                shown.add((task.application, claim.kind))
            for seed in _seeds(suite.audit_seeds, claim, depth, leads=leads, alone=alone):
                whole = claim.kind == "reference" and leads
                yield Proof(task, phased if whole else variant, seed, claim=claim)


def _seeds(seeds: tuple[int, ...], claim: Claim, depth: str, *, leads: bool, alone: bool) -> tuple[int, ...]:
    """Return those of a suite's seeds that a claim is played with; tasks that are not `alone` share the first two."""
    if depth == "full":
        return seeds
    if claim.kind != "reference":
        return seeds[:1]
    if alone:
        return seeds[:2]
    return seeds[:1] if leads else seeds[:2][-1:]


def claims(task: Task, wrong: int | None = None) -> Iterator[Claim]:
    """Yield the claims about a task, with at most `wrong` of its wrong solutions."""
    yield Claim("noop")
    if task.proof.proved:
        yield Claim("reference")
    yield from (Claim("also", also=solution) for solution in task.functions.also())
    if task.functions.prologue is not None and not task.proof.solved_by_prologue:
        yield Claim("prologue")
    for mistake in task.functions.wrong[:wrong]:
        yield Claim("wrong", mistake)
