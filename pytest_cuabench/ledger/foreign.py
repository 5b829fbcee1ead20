"""Foreign records: trajectories in the Agent Trajectory Interchange Format become a run that can be shown.

Each trajectory is one attempt with the outcome `imported`: it is not graded, whatever its record claims, so it is in no
rate; and commands that decide, compare or merge refuse the whole run (`Run.imported`).
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import ActionError, SettingError
from pytest_cuabench.ledger.atif import Foreign, moment, pictures_of, results_of, text_of, usage_of
from pytest_cuabench.ledger.attempt import Attempt, Cost, PlayCounts, Seconds, now
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.task.action import parse_action
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import short

OURS = "pytest-cuabench"  # the name under `extra` of trajectories that this package exported
IMPORTED = "imported"  # suite, domain, difficulty and tier of what nobody knows here


def import_run(found: Sequence[Foreign], folder: Path) -> tuple[Run, int]:
    """Write trajectories as a run into a new folder; return it, and the number of pictures that are left out.

    Raises:
        SettingError: The folder exists already.
        RecordFailure: It cannot be written; nothing is left then.
    """
    if folder.exists():
        raise SettingError(f"{folder} exists already; name another run with --run=NAME")
    run, left_out = Run(folder), 0
    agents = {_name(each.content.agent.name) for each in found}
    try:
        run.create(
            {
                "started": now(),
                "agent": agents.pop() if len(agents) == 1 else None,
                "imported": {"format": "ATIF", "trajectories": len(found)},
                "versions": {OURS: version(OURS)},
            }
        )
        names: set[str] = set()
        for each in found:
            left_out += _Import(run, each, names).write()
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return run, left_out


@dataclass(slots=True)
class _Import:
    """Writes one trajectory as an attempt."""

    run: Run
    foreign: Foreign
    names: set[str]
    left_out: int = 0
    pictures: int = 0
    screen: str | None = None
    notices: list[str] = field(default_factory=list)
    goal: str | None = None

    def write(self) -> int:
        """Write it; return the number of pictures that are left out."""
        content = self.foreign.content
        application, task = self._place()
        instance = f"{application}/{task}-atif"
        recorder = Recorder(self.run, instance, 1)
        times = self.foreign.times()
        steps = [step for step in content.steps if step.source == "agent"]
        played = 0
        for step, time in zip(content.steps, times, strict=True):
            if step.source == "agent":
                self._decision(recorder, step, played, time)
                played += 1
            else:
                self._message(recorder, step)
            for result in results_of(step):
                self._look(recorder, result.content)
        if self.screen:
            recorder.picture("final", (recorder.folder / self.screen).read_bytes())
        started = next((step.timestamp for step in content.steps if step.timestamp), "")
        self.run.append(
            Attempt(
                Planned(
                    instance, IMPORTED, application, task, IMPORTED, IMPORTED, "atif", 0, 0, tier=IMPORTED
                ),
                number=1,
                agent=_name(content.agent.name),
                outcome=Outcome.IMPORTED.label,
                goal=self.goal or "",
                started=started and moment(started).isoformat(timespec="milliseconds"),
                counts=PlayCounts(played, played, actions=sum(len(step.tool_calls or ()) for step in steps)),
                cost=Cost(self.foreign.usage(), Seconds(total=max(times))),
                files=recorder.files,
            )
        )
        return self.left_out

    def _place(self) -> tuple[str, str]:
        """Return names for application and task, used once in the run."""
        content = self.foreign.content
        application = _slug(content.agent.name) or "agent"
        told = content.trajectory_id or content.session_id or self.foreign.file.resolve().parent.name
        wanted = task = _slug(told) or "trajectory"
        number = 1
        while f"{application}/{task}" in self.names:
            number += 1
            task = f"{wanted}-{number}"
        self.names.add(f"{application}/{task}")
        return application, task

    def _message(self, recorder: Recorder, step: Any) -> None:
        """Take what a user or the system says: the first words of a user are the goal."""
        text = text_of(step.message)
        self._look(recorder, step.message)
        if step.source == "user" and self.goal is None:
            self.goal = text
        elif text:
            self.notices.append(text)
        self.notices += [found for result in results_of(step) if (found := text_of(result.content))]

    def _decision(self, recorder: Recorder, step: Any, number: int, time: float) -> None:
        told = [step.reasoning_content, text_of(step.message)]
        recorder.step(
            {
                "step": number,
                "time": time,
                "screenshot": self.screen,
                "seen": {},
                "notices": self.notices,
                "thought": "\n\n".join(filter(None, told)),
                "actions": [self._action(call) for call in step.tool_calls or ()],
                "results": [{"error": None, "text": text or None} for text in _returned(step)],
                "format_error": None,
                "repairs": [],
                "wrote": False,
                "usage": asdict(usage_of(step)),
                "seconds": 0.0,
                "raw": None,
            }
        )
        self.notices = []
        self._look(recorder, step.message)

    def _action(self, call: Any) -> Mapping[str, Any]:
        """Return a call as an action: as ours if this package exported it, else as the call that it is.

        A foreign `click` may count in other pixels, so it gets no mark on the screen.
        """
        if OURS in (self.foreign.content.extra or {}):
            try:
                return parse_action({**call.arguments, "kind": call.function_name}).to_json()
            except ActionError:
                pass
        arguments = json.dumps(call.arguments, ensure_ascii=False)
        return {"kind": "call_api", "name": call.function_name, "arguments": arguments}

    def _look(self, recorder: Recorder, content: Any) -> None:
        """Keep the pictures of a content; the last one is what the agent sees next."""
        for place in pictures_of(content):
            if png := self.foreign.png(place):
                self.screen = recorder.picture(f"step-{self.pictures:03d}", png)
                self.pictures += 1
            else:
                self.left_out += 1


def _returned(step: Any) -> list[str]:
    """Return the texts that came back for each call, in order, and then those that belong to none."""
    calls = {call.tool_call_id: "" for call in step.tool_calls or ()}
    others = []
    for result in results_of(step):
        text = text_of(result.content)
        if result.source_call_id in calls:
            calls[result.source_call_id] += text
        elif text:
            others.append(text)
    return [*(calls[call.tool_call_id] for call in step.tool_calls or ()), *others]


def _name(text: str) -> str:
    return short(text, 100)


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.+]+", "-", text).strip("-.")[:80].strip("-.")
