"""What an attempt leaves on disk: steps and pictures as they happen, its evidence when nothing is played any more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.episode.clocks import Clocks
from pytest_cuabench.ledger.record import Recorder
from pytest_cuabench.task.evidence import Activity, State, state_to_json
from pytest_cuabench.task.observation import ActionResult, Observation
from pytest_cuabench.task.phases import FoundDocument
from pytest_cuabench.task.usage import Usage


class Recording:
    """Writes an attempt's record, on a clock of its own.

    Attributes:
        step_seconds: The world's seconds of each step.
        documents: The evidence, by the name of its file; it is not on disk while anything is played.
    """

    def __init__(self, recorder: Recorder, clocks: Clocks) -> None:
        self._recorder, self._clocks = recorder, clocks
        self.step_seconds: list[float] = []
        self.documents: dict[str, Any] = {}

    def picture(self, name: str, png: bytes | None) -> str | None:
        """Write a picture; return its path in the run."""
        with self._clocks.running("recording"):
            return self._recorder.picture(name, png)

    def found(self, document: FoundDocument) -> None:
        """Write a document that a phase hands on."""
        with self._clocks.running("recording"):
            self._recorder.found(document)

    def keep_start(self, case: dict[str, Any], before: State) -> None:
        """Keep what the agent found."""
        self.documents |= {"case": case, "before": state_to_json(before)}

    def keep_end(self, after: State, activity: Activity) -> None:
        """Keep what the agent left."""
        self.documents |= {"after": state_to_json(after), "activity": asdict(activity)}

    def step(
        self,
        number: int,
        seen: Observation,
        decision: Decision,
        results: Sequence[ActionResult],
        *,
        picture: str | None,
        wrote: bool,
        usage: Usage,
    ) -> None:
        """Write a step, and publish it to those who watch; `usage` is that of the attempt so far."""
        shown = {
            "step": number,
            "time": round(self._clocks.elapsed, 4),
            "screenshot": picture,
            "notices": list(seen.notices),
            "thought": decision.thought,
            "actions": [action.to_json() for action in decision.actions],
            "results": [{"error": result.error, "text": result.text} for result in results],
            "format_error": decision.format_error,
            "repairs": list(decision.repairs),
            "wrote": wrote,
            "seconds": self.step_seconds[-1],
        }
        texts = {"tree": seen.tree, "marks": seen.marks, "dom": seen.dom}
        texts = {name: value for name, value in texts.items() if value is not None}
        with self._clocks.running("recording"):
            self._recorder.step(
                {**shown, "seen": texts, "usage": asdict(decision.usage), "raw": decision.raw}
            )
            self._recorder.publish(step=shown, cost=usage.cost, seconds=round(self._clocks.on_task, 1))

    def write_evidence(self) -> None:
        """Write the evidence.

        Raises:
            RecordFailure: It cannot be written.
        """
        try:
            with self._clocks.running("recording"):
                for name, data in self.documents.items():
                    self._recorder.document(name, data)
        finally:
            self.documents = {}
