"""An agent that repeats a recorded trajectory, action by action: `--agent=replay:reports/RUN`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.record import find_run, read_steps
from pytest_cuabench.task.action import Terminate, parse_action
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.model import Instance, PhaseInstance
from pytest_cuabench.task.observation import Observation


class ReplayAgent:
    """Repeats the last attempt that a run recorded at the same instance, or one trajectory's folder."""

    def __init__(self, profile: Profile) -> None:
        if not profile.argument:
            raise SettingError("--agent=replay needs a run or a trajectory, such as replay:reports/RUN")
        self._path = Path(profile.argument)
        if not self._path.is_dir():
            raise SettingError(f"--agent=replay: no such folder: {self._path}")
        self._steps: Iterator[dict[str, Any]] = iter(())

    def check(self) -> None:
        """See that there is something to repeat.

        Raises:
            SettingError: The folder holds neither a run nor a trajectory, or its ledger is flawed.
        """
        if not (self._path / "steps.jsonl").is_file() and not find_run(self._path).last_attempts():
            raise SettingError(f"--agent=replay: the run {self._path} holds no attempts")

    async def confide(self, instance: Instance, case: Case, environment: Environment) -> None:
        """Find the trajectory of this instance."""
        phase = instance.phase if isinstance(instance, PhaseInstance) else ""
        self._steps = iter(read_steps(self._folder(instance) / phase))

    async def start(self, briefing: Briefing) -> None:
        """Nothing to prepare."""

    async def decide(self, observation: Observation) -> Decision:
        """Return the next recorded decision; after the last one, end."""
        step = next(self._steps, None)
        if step is None:
            return Decision((Terminate("success"),), thought="The recording ends here.")
        actions = tuple(parse_action(action) for action in step["actions"])
        return Decision(actions, thought=step["thought"], format_error=step["format_error"])

    async def close(self) -> None:
        """Nothing to release."""

    def _folder(self, instance: Instance) -> Path:
        if (self._path / "steps.jsonl").is_file():
            return self._path
        run = find_run(self._path)
        attempt = run.last_attempts().get(instance.id)
        if attempt is None or attempt.files.trajectory is None:
            raise SettingError(f"{self._path} holds no trajectory of {instance.id}")
        return run.folder / attempt.files.trajectory
