"""What an attempt has changed in its world so far, and in which steps."""

from __future__ import annotations

from typing import Any

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Activity, Evidence, State
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.verdict import Verdict


class Progress:
    """Follows the world's state from before the first step to after the last one.

    Attributes:
        case: The task made concrete by the state before.
        before: The state before the first step.
        current: The last known state.
        revision: The world's revision of that state.
        commits: The steps that may have changed the verdict.
        score: The score of the last known state.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self.case = Case("", {})
        self.before = self.current = self._uncommitted = State({})
        self.revision: int | None = None
        self.commits: list[int] = []
        self.score = 0.0
        self._writes = 0

    def start(self, state: State) -> None:
        """Begin with a state.

        Raises:
            CheckerFailure: No case can be created from it.
        """
        self.before = self.current = state
        self.case = self._instance.task.case(state, self._instance.variant, self._instance.seed)

    def commit(self, step: int, previous: State) -> None:
        """Note a step that may change the verdict, and the state before it."""
        if step not in self.commits:
            self.commits.append(step)
            self._uncommitted = previous

    def wrote(self, state: State) -> bool:
        """Whether anything that counts was written since the last known state; without a journal anything may be."""
        harmless = self._instance.task.scope.harmless
        # What was written before the first step, such as while the world got ready, is no deed of the agent.
        new = state.journal[max(self._writes, len(self.before.journal)) :]
        return not state.journaled or any(write.collection not in harmless for write in new)

    def advance(self, state: State) -> None:
        """Take over a state as the last known one."""
        self.current, self._writes = state, len(state.journal)

    def judge(self, state: State) -> Verdict:
        """Return the verdict on a state while it is played."""
        return self._instance.task.judge(Evidence(self.before, state), self.case)

    def outcome_before_commits(self, activity: Activity) -> str | None:
        """Return the outcome as it would be without the last commit; None if there was none."""
        if not self.commits:
            return None
        evidence = Evidence(self.before, self._uncommitted, None, "success", activity)
        return Outcome.of_verdict(self._instance.task.judge(evidence, self.case), "success").label

    def untouched(self, ending: str) -> Evidence:
        """Return the evidence of an attempt that changed nothing."""
        return Evidence(self.before, self.before, None, ending)

    def documents(self) -> dict[str, Any]:
        """Return what the record keeps of the case."""
        return {"goal": self.case.goal, "values": dict(self.case.values)}
