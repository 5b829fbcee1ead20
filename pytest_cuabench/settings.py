"""Settings, each resolved once: option > environment variable > ini file > default, and where it came from."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pytest_cuabench.errors import SettingError


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: `--cua-NAME`, `CUABENCH_NAME`, ini `cua_name`."""

    name: str
    default: str | None
    help: str
    read: Callable[[str], Any] = str
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    flags: Mapping[str, str] | None = None  # options without a value of their own, and what each one means
    repeats: bool = False  # the option may be given several times; its values are one list

    @property
    def option(self) -> str:
        return "--agent" if self.name == "agent" else "--cua-" + self.name.replace("_", "-")

    @property
    def dest(self) -> str:
        return f"cua_{self.name}"

    @property
    def variable(self) -> str:
        return f"CUABENCH_{self.name.upper()}"


_MAX_SEEDS = 10_000


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 1:
        raise ValueError("must be a whole number, 1 or more")
    return int(text)


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < (value := float(text)) < float("inf"):
            return value
    raise ValueError("must be a number of seconds above 0")


def _dollars(text: str) -> float:
    with suppress(ValueError):
        if 0 < (value := float(text)) < float("inf"):
            return value
    raise ValueError("must be a number of US dollars above 0")


def _seeds(text: str) -> tuple[int, ...]:
    seeds: list[int] = []
    parts = [re.fullmatch(r"\s*([0-9]{1,9})(?:-([0-9]{1,9}))?\s*", part) for part in text.split(",")]
    for part in parts:
        if part:
            first, last = int(part[1]), int(part[2] or part[1])
            seeds.extend(range(first, min(last, first + _MAX_SEEDS) + 1))
    if not all(parts) or not 0 < len(set(seeds)) == len(seeds) <= _MAX_SEEDS:
        raise ValueError(f"must be up to {_MAX_SEEDS} different whole numbers, such as 0,1,2 or 0-4")
    return tuple(seeds)


class Shard(NamedTuple):
    """One of several parts, numbered from 1."""

    number: int
    parts: int

    def __str__(self) -> str:
        return f"{self.number}/{self.parts}"


def _shard(text: str) -> Shard:
    parts = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", text)
    number, count = (int(part) for part in parts.groups()) if parts else (0, 0)
    if not 1 <= number <= count:
        raise ValueError("must be a part and the number of parts, such as 2/4")
    return Shard(number, count)


class Assigned(tuple[tuple[str, str], ...]):
    """What was said of some names, as `NAME=VALUE`."""

    __slots__ = ()

    def of(self, name: str) -> str | None:
        """Return what was said of a name."""
        return dict(self).get(name)

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self)


def _assigned(example: str) -> Callable[[str], Assigned]:
    def read(text: str) -> Assigned:
        parts = re.split(r",(?=[a-z][a-z0-9_]*=)", text)  # a comma within a path is the path's
        pairs = [re.fullmatch(r"\s*([a-z][a-z0-9_]*)=(.*\S)\s*", part) for part in parts]
        found = [(pair[1], pair[2]) for pair in pairs if pair]
        if len(found) != len(parts) or len(dict(found)) != len(found):
            raise ValueError(f"must be NAME=VALUE, each name once, such as {example}")
        return Assigned(found)

    return read


# Where two kinds of failure begin (`failures.py`): decisions that are few, and rounds that are many.
EARLY_ABORT, HEAVY_LOOP = 3, 5

OBSERVATIONS = ("screenshot", "tree", "screenshot+tree", "marks", "dom")

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "agent", None, "the player: a profile's name, path.toml, module:Class or replay:PATH", metavar="NAME"
    ),
    Setting("suite", None, "run a shipped or installed suite by its name", metavar="NAME"),
    Setting("observation", "screenshot", "what the agent is shown", choices=OBSERVATIONS),
    Setting("seeds", "0", "world seeds to play, such as 0,1,2 or 0-4", _seeds, "LIST"),
    Setting("epochs", "1", "how often each instance is played", _count, "N"),
    Setting("max_steps", None, "decisions an agent may take, instead of the task's own budget", _count, "N"),
    Setting("max_seconds", None, "seconds an episode may take, instead of the task's budget", _seconds, "S"),
    Setting("max_cost", None, "US dollars that the run may spend, all workers together", _dollars, "USD"),
    Setting("max_task_cost", None, "US dollars that an episode may cost", _dollars, "USD"),
    Setting(
        "dry_run",
        None,
        "say what the run would take and cost, and play nothing",
        choices=("on",),
        flags={"--cua-dry-run": "on"},
    ),
    Setting("attempts", "3", "tries of an episode that broke for no fault of the agent", _count, "N"),
    Setting("run", None, "name of the run's folder", metavar="NAME"),
    Setting("resume", None, "go on with a run: play only what is not finished in it", metavar="RUN"),
    Setting("shard", None, "play one part of the instances, such as 2/4", _shard, "I/N"),
    Setting("durations", None, "a run whose times make the shards equally long", metavar="RUN"),
    Setting("reports", "reports", "folder that runs are written to", metavar="DIR"),
    Setting("screenshots", "on", "which screenshots to keep", choices=("on", "off", "retain-on-failure")),
    Setting(
        "video",
        "off",
        "a moving picture of each episode, video.webp",
        choices=("on", "off", "retain-on-failure"),
    ),
    Setting(
        "audit",
        None,
        "prove the tasks instead of playing them",
        choices=("quick", "standard", "full"),
        flags={"--cua-audit-quick": "quick", "--cua-audit": "standard", "--cua-audit-full": "full"},
    ),
    Setting(
        "early_abort",
        str(EARLY_ABORT),
        "decisions within which giving up is an early abort",
        _count,
        "N",
    ),
    Setting("heavy_loop", str(HEAVY_LOOP), "rounds of equal decisions that are a loop", _count, "N"),
    Setting(
        "gate",
        None,
        "judge the run by the gate in this TOML file; its decision is the exit code",
        metavar="FILE",
    ),
    Setting("chromium", None, "the Chromium to use", metavar="PATH"),
    Setting(
        "world",
        None,
        "where a world is: desktop=docker, desktop=qemu, or its address, such as desktop=http://host:5000",
        _assigned("desktop=docker"),
        "NAME=WHERE",
        repeats=True,
    ),
    Setting(
        "tasks",
        None,
        "play a suite's original task files instead of ours, such as scienceboard=PATH",
        _assigned("scienceboard=PATH"),
        "SUITE=PATH",
        repeats=True,
    ),
    Setting(
        "api",
        "off",
        "offer agents the calls that applications take beside their screen, where there are any",
        choices=("on", "off"),
    ),
    Setting(
        "allow_reset",
        None,
        "agents may write to the live org that --cua-world names; what they did is taken back",
        choices=("on",),
        flags={"--cua-allow-reset": "on"},
    ),
    Setting(
        "upstream_scoring",
        None,
        "score tasks as the authors of the benchmark do, where ours is another way",
        choices=("on",),
        flags={"--cua-upstream-scoring": "on"},
    ),
    Setting(
        "tree_tokens", "10240", "tokens that a desktop's accessibility tree is cut to, estimated", _count, "N"
    ),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a run; `sources` tells where each value came from."""

    agent: str | None
    suite: str | None
    observation: str
    seeds: tuple[int, ...]
    epochs: int
    max_steps: int | None
    max_seconds: float | None
    max_cost: float | None
    max_task_cost: float | None
    dry_run: str | None
    attempts: int
    run: str | None
    resume: str | None
    shard: Shard | None
    durations: str | None
    reports: str
    screenshots: str
    video: str
    audit: str | None
    early_abort: int
    heavy_loop: int
    gate: str | None
    chromium: str | None
    world: Assigned
    tasks: Assigned
    api: str
    allow_reset: str | None
    upstream_scoring: str | None
    tree_tokens: int
    root: Path
    sources: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_config(cls, config: pytest.Config) -> Settings:
        """Resolve all settings.

        Raises:
            SettingError: A value is not allowed; the sentence names it, its source and what is.
        """
        values: dict[str, Any] = {}
        sources: dict[str, str] = {}
        for setting in SETTINGS:
            text, source = _resolve(setting, config)
            values[setting.name] = _nothing(setting) if text is None else _read(setting, text, source)
            sources[setting.name] = source
        _refuse_blind_video(values, sources)
        return cls(**values, root=config.rootpath, sources=sources)

    @property
    def plays(self) -> bool:
        """Whether instances are to be played at all."""
        return self.agent is not None or self.audit is not None

    @property
    def gate_file(self) -> Path | None:
        """The gate's file, seen from where the user is or else from the root."""
        if self.gate is None:
            return None
        here = Path(self.gate).absolute()
        return here if here.is_file() else self.root / self.gate

    @property
    def gate_asked(self) -> bool:
        """Whether a gate was asked for in this very call, and does not just stand in an ini file."""
        return self.gate is not None and not self.sources["gate"].startswith("ini")

    def described(self) -> dict[str, str]:
        """Return the settings that are not defaults, with their sources, for headers and records."""
        return {
            name: f"{getattr(self, name)} ({source})"
            for name, source in self.sources.items()
            if source != "default"
        }


def add_options(parser: pytest.Parser) -> None:
    """Register every setting as an option and as an ini value."""
    group = parser.getgroup("cuabench", "computer-use-agent benchmarks")
    for setting in SETTINGS:
        words = f"{setting.help} (default: {setting.default})" if setting.default else setting.help
        extra: dict[str, Any] = (
            {"choices": setting.choices} if setting.choices else {"metavar": setting.metavar}
        ) | ({"action": "append"} if setting.repeats else {})
        if not setting.flags:
            group.addoption(setting.option, dest=setting.dest, default=None, help=words, **extra)
        for flag, value in (setting.flags or {}).items():
            meaning = f"{words}: {value}" if len(setting.flags or {}) > 1 else words
            about = {"dest": setting.dest, "default": None, "help": meaning}
            group.addoption(flag, action="store_const", const=value, **about)
        parser.addini(setting.dest, setting.help, default=None)


def _resolve(setting: Setting, config: pytest.Config) -> tuple[str | None, str]:
    if (option := config.getoption(setting.dest)) is not None:
        return ",".join(option) if setting.repeats else str(option), setting.option
    if variable := os.environ.get(setting.variable):
        return variable, setting.variable
    if (ini := config.getini(setting.dest)) is not None:
        return str(ini), f"ini {setting.dest}"
    return setting.default, "default"


def _nothing(setting: Setting) -> Any:
    return Assigned() if setting.repeats else None


def _refuse_blind_video(values: Mapping[str, Any], sources: Mapping[str, str]) -> None:
    if values["video"] != "off" and values["screenshots"] == "off":
        raise SettingError(
            f"{sources['video']}: a video is made of screenshots, which {sources['screenshots']} turns off; "
            "use --cua-screenshots=on"
        )


def _read(setting: Setting, text: str, source: str) -> Any:
    if setting.choices and text not in setting.choices:
        raise SettingError(f"{source}: {text!r} is not one of {', '.join(setting.choices)}")
    try:
        return setting.read(text)
    except ValueError as error:
        raise SettingError(f"{source}: {text!r} is not allowed: {error}") from None
