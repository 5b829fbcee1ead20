"""The proof of a task: the reference solution succeeds, and doing less or something else does not.

With `--cua-audit` these claims are the items instead of a measured agent's instances:

* `reference` — the solution scores 1.0 with no violation, and would not have done so without its last commit;
* `noop` — doing nothing reaches no milestone;
* `prologue` — what everybody does first (signing in) does not solve it;
* each declared wrong solution fails for its declared reason, with its declared score where one is declared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_cuabench.adapters.noop import NoopAgent
from pytest_cuabench.adapters.oracle import OracleAgent
from pytest_cuabench.agent import Agent
from pytest_cuabench.ledger import Attempt
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.task import Instance, SuiteInfo, Task, Wrong

_HUNDREDTH = 0.01


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that must be true of a task; one item of an audit."""

    kind: str
    wrong: Wrong | None = None

    @property
    def id(self) -> str:
        """Return the claim's part of the item's id."""
        return f"wrong-{self.wrong.name}" if self.wrong else self.kind

    def agent(self, task: Task) -> Agent:
        """Return the player that puts the claim to the test."""
        if self.kind == "noop":
            return NoopAgent()
        if self.kind == "prologue":
            return OracleAgent(solution=task.prologue)
        return OracleAgent(solution=self.wrong.solution if self.wrong else task.solution)

    def broken(self, attempt: Attempt) -> str | None:
        """Return why the claim does not hold for what was played, or None when it does."""
        verdict = attempt.verdict
        if verdict is None:
            return f"not judged: {attempt.error}"
        if self.kind == "reference":
            return _no_reference(attempt)
        if attempt.result is Outcome.SUCCESS:
            return f"{self.id} succeeds, but must not"
        if self.kind == "noop" and verdict.score:
            return f"doing nothing already scores {verdict.score:g}"
        return self._wrong_reason(attempt) if self.wrong else None

    def _wrong_reason(self, attempt: Attempt) -> str | None:
        assert self.wrong is not None
        assert attempt.verdict is not None
        missed = {f"milestone:{m.name}" for m in attempt.verdict.milestones if not m.reached}
        found = missed | {violation.reason for violation in attempt.verdict.violations}
        if self.wrong.reason in found:
            return self._wrong_score(attempt.verdict.score)
        return (
            f"it fails for {', '.join(sorted(found)) or 'no reason'}, not for {self.wrong.reason} as declared"
        )

    def _wrong_score(self, score: float) -> str | None:
        assert self.wrong is not None
        declared = self.wrong.score
        if declared is None or abs(declared - score) < _HUNDREDTH:
            return None
        return f"it scores {score:g}, not {declared:g} as declared"


def _no_reference(attempt: Attempt) -> str | None:
    if attempt.result is not Outcome.SUCCESS:
        return "the reference solution does not succeed"
    if not attempt.commits:
        return "the reference solution commits nothing and says nothing"
    if attempt.cut == Outcome.SUCCESS.label:
        return f"it succeeds without its last commit, step {attempt.commits[-1]}"
    return None


@dataclass(frozen=True, slots=True, repr=False)
class Proof(Instance):
    """An instance that is played to put a claim to the test."""

    claim: Claim = field(default_factory=lambda: Claim("reference"))

    @property
    def id(self) -> str:
        return f"{self.task.name}-{self.claim.id}-s{self.seed}"


def proofs(suite: SuiteInfo, depth: str) -> Iterator[Proof]:
    """Yield the items of an audit.

    `standard` tries two seeds on the reference and one on every other claim, `full` all seeds on every claim.
    `quick` tries only the first wrong solution of each task; of the tasks of a template, whose solutions are the
    same, the first one stands for the others in this and on the second seed.
    """
    led: set[tuple[str, str]] = set()
    for task in suite.tasks:
        leads = depth != "quick" or not task.template or (task.application, task.template) not in led
        led.add((task.application, task.template))
        variant = next(iter(task.goals))
        for claim in claims(task, wrong=None if depth != "quick" else int(leads)):
            for seed in suite.audit_seeds[: _seeds(claim, depth, leads=leads)]:
                yield Proof(task, variant, seed, claim=claim)


def _seeds(claim: Claim, depth: str, *, leads: bool) -> int | None:
    """Return how many of the suite's seeds a claim is tried on; None for all."""
    if depth == "full":
        return None
    return 2 if claim.kind == "reference" and leads else 1


def claims(task: Task, wrong: int | None = None) -> Iterator[Claim]:
    """Yield what must be true of a task, with so many of its wrong solutions; doing nothing leaves the world clean."""
    yield Claim("noop")
    yield Claim("reference")
    if task.prologue is not None and not task.solved_by_prologue:
        yield Claim("prologue")
    for mistake in task.wrong[:wrong]:
        yield Claim("wrong", mistake)
