"""Foreign records: trajectories in the Agent Trajectory Interchange Format become a run that can be shown.

Each trajectory is one attempt with the outcome `imported`: it is not graded, whatever its record claims, so it is in no
rate; and commands that decide, compare or merge refuse the whole run (`Run.imported`). Files are untrusted: texts are
data, pictures are read only from the folder of their trajectory, and addresses are never fetched.
"""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import ActionError, Missing, SettingError
from pytest_cuabench.ledger.attempt import Attempt, Seconds, now
from pytest_cuabench.ledger.inspection import fit
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.task.action import parse_action
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import short
from pytest_cuabench.task.usage import Usage

NEWEST = 8  # of version 1, which is the only one
OURS = "pytest-cuabench"  # the name under `extra` of trajectories that this package exported
IMPORTED = "imported"  # suite, domain, difficulty and tier of what nobody knows here
_LARGEST = 64_000_000  # bytes of a picture's file


@dataclass(frozen=True, slots=True)
class Foreign:
    """A trajectory of another program, and where it was found."""

    file: Path
    content: Any


def read_trajectories(places: Iterable[Path]) -> list[Foreign]:
    """Read files, and the files `trajectory*.json` of folders.

    Raises:
        SettingError: There is none, or one is invalid.
        Missing: The package `atif` is not installed.
    """
    found = [foreign for place in places for file in _files(place) for foreign in _read(file)]
    if not found:
        raise SettingError("nothing to import; name a file or a folder with trajectories")
    return found


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


# Reading


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        files = sorted(place.rglob("trajectory*.json"))
        if not files:
            raise SettingError(f"{place} holds no trajectory.json; name the file itself")
        return files
    if not place.is_file():
        raise SettingError(f"no such file: {place}")
    return [place]


def _read(file: Path) -> Iterator[Foreign]:
    """Yield the trajectory of a file, and those of sub-agents in it."""
    try:
        from atif import Trajectory
    except ModuleNotFoundError as error:
        raise Missing(
            f"cuabench import needs the package 'atif'; type: pip install '{OURS}[atif]'"
        ) from error

    try:
        data = parse_json(file.read_bytes())
        if not isinstance(data, dict):
            raise ValueError("it is no JSON object")
        _refuse_version(data.get("schema_version"))
        pending = [fit(Trajectory, data)]
    except ValueError as error:
        raise SettingError(f"{file} is not a trajectory in ATIF: {short(error, 200)}") from None
    while pending:
        trajectory = pending.pop(0)
        pending += trajectory.subagent_trajectories or ()
        if not any(step.source == "agent" for step in trajectory.steps):
            raise SettingError(f"{file} is a trajectory without a step of an agent; there is nothing to show")
        yield Foreign(file, trajectory)


def _refuse_version(told: Any) -> None:
    """Raise a ValueError for what the package `atif` accepts although nobody knows what it means."""
    found = re.fullmatch(r"ATIF-v1\.([0-9]{1,3})", told) if isinstance(told, str) else None
    if not found or int(found[1]) > NEWEST:
        raise ValueError(
            f"its schema_version is {told!r}, but this version reads ATIF-v1.0 to ATIF-v1.{NEWEST}"
        )


# Writing


@dataclass(slots=True)
class _Import:
    """Writes one trajectory as an attempt."""

    run: Run
    foreign: Foreign
    names: set[str]
    left_out: int = 0
    screen: str | None = None
    notices: list[str] = field(default_factory=list)
    goal: str | None = None

    def write(self) -> int:
        """Write it; return the number of pictures that are left out."""
        content = self.foreign.content
        application, task = self._place()
        instance = f"{application}/{task}-atif"
        recorder = Recorder(self.run, instance, 1)
        times = _times(content.steps)
        steps = [step for step in content.steps if step.source == "agent"]
        played = 0
        for step, time in zip(content.steps, times, strict=True):
            if step.source == "agent":
                self._decision(recorder, step, played, time)
                played += 1
            else:
                self._message(recorder, step)
            self._look(recorder, _contents(step.observation))
        if self.screen:
            recorder.picture("final", (recorder.folder / self.screen).read_bytes())
        started = next((step.timestamp for step in content.steps if step.timestamp), "")
        words = f"imported from {self.foreign.file.name} ({content.schema_version}), neither played nor judged here"
        self.run.append(
            Attempt(
                instance=instance,
                number=1,
                suite=IMPORTED,
                application=application,
                task=task,
                domain=IMPORTED,
                difficulty=IMPORTED,
                variant="atif",
                seed=0,
                epoch=0,
                agent=_name(content.agent.name),
                outcome=Outcome.IMPORTED.label,
                goal=self.goal or "",
                error=words,
                steps=played,
                max_steps=played,
                actions=sum(len(step.tool_calls or ()) for step in steps),
                seconds=Seconds(total=max(times)),
                usage=_total(content),
                started=started and _moment(started).isoformat(timespec="milliseconds"),
                trajectory=recorder.relative(recorder.folder),
                screenshot=recorder.relative(recorder.last),
                tier=IMPORTED,
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
        text = _text(step.message)
        self._look(recorder, [step.message])
        if step.source == "user" and self.goal is None:
            self.goal = text
        elif text:
            self.notices.append(text)
        self.notices += [found for found in map(_text, _contents(step.observation)) if found]

    def _decision(self, recorder: Recorder, step: Any, number: int, time: float) -> None:
        calls = step.tool_calls or []
        results = step.observation.results if step.observation else []
        texts = [
            "\n".join(
                filter(
                    None,
                    (_text(each.content) for each in results if each.source_call_id == call.tool_call_id),
                )
            )
            for call in calls
        ]
        known = {call.tool_call_id for call in calls}
        others = [_text(each.content) for each in results if each.source_call_id not in known]
        thought = "\n\n".join(filter(None, (step.reasoning_content, _text(step.message))))
        recorder.step(
            {
                "step": number,
                "time": time,
                "screenshot": self.screen,
                "seen": {},
                "notices": self.notices,
                "thought": thought,
                "actions": [self._action(call) for call in calls],
                "results": [
                    {"error": None, "text": text or None} for text in (*texts, *filter(None, others))
                ],
                "format_error": None,
                "repairs": [],
                "wrote": False,
                "usage": asdict(_usage(step.metrics)),
                "seconds": 0.0,
                "raw": None,
            }
        )
        self.notices = []
        self._look(recorder, [step.message])

    def _action(self, call: Any) -> Mapping[str, Any]:
        """Return a call as an action: as ours if this package exported it, else as the call that it is.

        A foreign `click` may count in other pixels, so it gets no mark on the screen.
        """
        if OURS in (self.foreign.content.extra or {}):
            try:
                return parse_action({"kind": call.function_name, **call.arguments}).to_json()
            except ActionError:
                pass
        arguments = json.dumps(call.arguments, ensure_ascii=False)
        return {"kind": "call_api", "name": call.function_name, "arguments": arguments}

    def _look(self, recorder: Recorder, contents: Iterable[Any]) -> None:
        """Keep the pictures of contents; the last one is what the agent sees next."""
        for content in contents:
            for part in content if isinstance(content, list) else ():
                if part.type != "image":
                    continue
                png = _png(self.foreign.file.parent, part.source.path)
                if png is None:
                    self.left_out += 1
                else:
                    number = len(list(recorder.folder.glob("step-*.png")))
                    self.screen = recorder.picture(f"step-{number:03d}", png)


def _contents(observation: Any) -> list[Any]:
    return [result.content for result in observation.results] if observation else []


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(part.text for part in content if part.type == "text" and part.text)
    return content or ""


def _png(folder: Path, place: str) -> bytes | None:
    """Return a picture as PNG; None for what lies elsewhere, is missing, or is no picture."""
    from PIL import Image, UnidentifiedImageError

    try:
        file = (folder / place).resolve()
        if not file.is_relative_to(folder.resolve()) or not file.is_file() or file.stat().st_size > _LARGEST:
            return None
        out = io.BytesIO()
        with Image.open(file) as picture:
            picture.convert("RGB").save(out, "PNG", compress_level=1)
        return out.getvalue()
    except (OSError, ValueError, UnidentifiedImageError, Image.DecompressionBombError):
        return None


def _times(steps: Sequence[Any]) -> list[float]:
    """Return the seconds from the first time to each step; a step without one has that of the step before."""
    told = [step.timestamp and _moment(step.timestamp) for step in steps]
    first = next(filter(None, told), None)
    times, last = [], 0.0
    for moment in told:
        if moment and first:
            last = max(last, (moment - first).total_seconds())
        times.append(round(last, 4))
    return times


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


def _usage(metrics: Any) -> Usage:
    if metrics is None:
        return Usage(cost=None)
    numbers = (metrics.prompt_tokens, metrics.completion_tokens, metrics.cached_tokens)
    return Usage(*(_number(value) for value in numbers), _number(metrics.cost_usd, None))


def _total(content: Any) -> Usage:
    """Return the totals that are told, else the sums of the steps."""
    summed = sum((_usage(step.metrics) for step in content.steps if step.metrics), Usage())
    told = content.final_metrics
    cost = told.total_cost_usd if told and told.total_cost_usd is not None else None
    if cost is None and any(step.metrics for step in content.steps):
        cost = summed.cost
    if told is None:
        return Usage(summed.tokens_in, summed.tokens_out, summed.tokens_cached, cost)
    pairs = (
        (told.total_prompt_tokens, summed.tokens_in),
        (told.total_completion_tokens, summed.tokens_out),
        (told.total_cached_tokens, summed.tokens_cached),
    )
    return Usage(*(_number(total, known) for total, known in pairs), _number(cost, None))


def _number(value: Any, otherwise: Any = 0) -> Any:
    """Return a number that a record may hold."""
    return otherwise if value is None or not 0 <= value < 1e12 else value


def _name(text: str) -> str:
    return short(text, 100)


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.+]+", "-", text).strip("-.")[:80].strip("-.")
