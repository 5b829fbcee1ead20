"""Settings, each with its source, resolved once: option > environment variable > ini file > default."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pytest_cuabench.errors import SettingError

KEY_VARIABLE = "CUABENCH_LEDGER_KEY"  # its value signs ledgers, see `ledger/signing.py`


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: `--cua-NAME`, `CUABENCH_NAME`, ini `cua_name`."""

    name: str
    default: str | None
    help: str
    read: Callable[[str], Any] = str
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    flags: Mapping[str, str] | None = None  # flag options, and the value that each one stands for
    repeats: bool = False  # the option may be repeated; its values are joined into one list

    def __post_init__(self) -> None:
        if self.choices == ("on",):
            object.__setattr__(self, "flags", {self.option: "on"})

    @property
    def option(self) -> str:
        return "--agent" if self.name == "agent" else "--cua-" + self.name.replace("_", "-")

    @property
    def dest(self) -> str:
        return f"cua_{self.name}"

    @property
    def variable(self) -> str:
        return f"CUABENCH_{self.name.upper()}"


def setting(
    default: str | None,
    help: str,
    read: Callable[[str], Any] = str,
    metavar: str | None = None,
    *,
    choices: tuple[str, ...] | None = None,
    flags: Mapping[str, str] | None = None,
    repeats: bool = False,
) -> Any:
    """Declare a field of `Settings`, whose default is written as a user would; the field's name is the setting's."""
    return field(
        metadata={
            "default": default,
            "help": help,
            "read": read,
            "metavar": metavar,
            "choices": choices,
            "flags": flags,
            "repeats": repeats,
        }
    )


def switch(help: str, default: str | None = None) -> Any:
    """Declare a setting that is on or not: a flag, or, with a default, an option with the values on and off."""
    return setting(default, help, "on".__eq__, choices=("on", "off") if default else ("on",))


EXAM_VARIABLE = "CUABENCH_EXAM_SECRET"  # its value draws held-out seeds
LAST_OPEN_SEED = 1000  # docs, tests and audits show no values of later ones
_LAST_SEED = 999_999_999
_SHORTEST_SECRET = 16  # bytes
_MAX_SEEDS = 10_000
_PREFIX = "CUABENCH_"


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 1:
        raise ValueError("a whole number of 1 or more")
    return int(text)


def read_seconds(text: str) -> float:
    """Read a number of seconds; a `ValueError` says what is expected."""
    with suppress(ValueError):
        if 0 < (value := float(text)) < float("inf"):
            return value
    raise ValueError("a number of seconds above 0")


def _dollars(text: str) -> float:
    with suppress(ValueError):
        if 0 < (value := float(text)) < float("inf"):
            return value
    raise ValueError("an amount of US dollars above 0")


def read_seeds(text: str) -> tuple[int, ...]:
    """Read a list of seeds; a `ValueError` says what is expected."""
    if drawn := re.fullmatch(r"\s*held-out:([0-9]{1,5})\s*", text):
        return _held_out(int(drawn[1]))
    seeds: list[int] = []
    parts = [re.fullmatch(r"\s*([0-9]{1,9})(?:-([0-9]{1,9}))?\s*", part) for part in text.split(",")]
    for part in parts:
        if part:
            first, last = int(part[1]), int(part[2] or part[1])
            seeds.extend(range(first, min(last, first + _MAX_SEEDS) + 1))
    if not all(parts) or not 0 < len(set(seeds)) == len(seeds) <= _MAX_SEEDS:
        raise ValueError(f"up to {_MAX_SEEDS} different whole numbers, such as 0,1,2 or 0-4")
    if max(seeds) > LAST_OPEN_SEED:
        raise ValueError(
            f"seeds up to {LAST_OPEN_SEED}; later ones are held out, held-out:5 draws five of them"
        )
    return tuple(seeds)


def _held_out(count: int) -> tuple[int, ...]:
    """Return the first seeds of a private exam: the same for the same secret, and more of them for a larger count."""
    import hmac

    secret = os.environ.get(EXAM_VARIABLE, "").encode(errors="surrogateescape")
    if len(secret) < _SHORTEST_SECRET:
        state = f"has {len(secret)} bytes" if secret else "is not set"
        raise ValueError(
            f"a secret of at least {_SHORTEST_SECRET} bytes to draw held-out seeds from, but {EXAM_VARIABLE} {state}; "
            f"type: export {EXAM_VARIABLE}=$(openssl rand -hex 32)"
        )
    if not 1 <= count <= _MAX_SEEDS:
        raise ValueError(f"held-out: and a number from 1 to {_MAX_SEEDS}")
    found: dict[int, None] = {}
    number = 0
    while len(found) < count:
        drawn = hmac.digest(secret, f"cuabench-exam-1:{number}".encode(), "sha256")
        span = _LAST_SEED - LAST_OPEN_SEED
        found[LAST_OPEN_SEED + 1 + int.from_bytes(drawn) % span] = None
        number += 1
    return tuple(found)


def _exporters(text: str) -> tuple[str, ...]:
    from importlib.metadata import entry_points

    known, names = (
        sorted(entry_points(group=EXPORTERS).names),
        tuple(name.strip() for name in text.split(",")),
    )
    for name in names:
        if name not in known:
            from pytest_cuabench.task.names import did_you_mean

            raise ValueError(f"names of exporters: {', '.join(known)}{did_you_mean(name, known)}")
    return names


class Shard(NamedTuple):
    """One shard of a run: its number, counted from 1, and the number of shards."""

    number: int
    parts: int

    def __str__(self) -> str:
        return f"{self.number}/{self.parts}"


def _shard(text: str) -> Shard:
    parts = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", text)
    number, count = (int(part) for part in parts.groups()) if parts else (0, 0)
    if not 1 <= number <= count:
        raise ValueError("a shard and the number of shards, such as 2/4")
    return Shard(number, count)


def _cluster(text: str) -> str:
    if not re.fullmatch(r"local|auto|(ray://)?[^\s:/]+:[0-9]{1,5}", text):
        raise ValueError("local, auto (the cluster that this computer belongs to) or ray://HOST:PORT")
    return text


class Assigned(tuple[tuple[str, str], ...]):
    """Values given by name, as `NAME=VALUE,...`."""

    __slots__ = ()

    def of(self, name: str) -> str | None:
        """Return the value of a name; None where it was not given."""
        return dict(self).get(name)

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self)


def _assigned(example: str) -> Callable[[str], Assigned]:
    def read(text: str) -> Assigned:
        parts = re.split(r",(?=[a-z][a-z0-9_]*=)", text)  # other commas belong to a path
        pairs = [re.fullmatch(r"\s*([a-z][a-z0-9_]*)=(.*\S)\s*", part) for part in parts]
        found = [(pair[1], pair[2]) for pair in pairs if pair]
        if len(found) != len(parts) or len(dict(found)) != len(found):
            raise ValueError(f"NAME=VALUE, each name once, such as {example}")
        return Assigned(found)

    return read


# Default thresholds of two kinds of failure (`failures.py`): decisions of an early abort, rounds of a loop.
EARLY_ABORT, HEAVY_LOOP = 3, 5

EXPORTERS = "pytest_cuabench.exporters"  # a group of entry points
OBSERVATIONS = ("screenshot", "tree", "screenshot+tree", "marks", "dom")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a run, each declared once; `sources` holds where each value came from.

    Many attributes: each is an option of the command line with its own type, default and help, read by its name.
    """

    root: Path
    agent: str | None = setting(
        None, "the agent to run: a profile name, path.toml, module:Class or replay:PATH", metavar="NAME"
    )
    suite: str | None = setting(
        None,
        "run a shipped or installed suite by name, in addition to the paths on the command line",
        metavar="NAME",
    )
    observation: str = setting(
        "screenshot", "type of observation that the agent receives", choices=OBSERVATIONS
    )
    extras: bool = switch(
        "offer Claude, Gemini and OpenAI's models actions that their own tools lack: addresses, history, tabs, marks"
    )
    seeds: tuple[int, ...] = setting(
        "0", "world seeds to play, such as 0,1,2 or 0-4; held-out:5 for an exam", read_seeds, "LIST"
    )
    epochs: int = setting("1", "number of times each instance is played", _count, "N")
    at_once: int = setting(
        "1", "number of episodes that each worker process plays at the same time", _count, "N"
    )
    max_steps: int | None = setting(
        None, "maximum steps per episode, overriding the task's budget", _count, "N"
    )
    max_seconds: float | None = setting(
        None, "maximum seconds per episode, overriding the task's budget", read_seconds, "S"
    )
    max_cost: float | None = setting(
        None, "maximum US dollars for the run, over all workers", _dollars, "USD"
    )
    max_task_cost: float | None = setting(None, "maximum US dollars per episode", _dollars, "USD")
    dry_run: bool = switch("estimate the run's steps, tokens and cost without playing anything")
    attempts: int = setting(
        "3", "maximum attempts at an episode that ends in an infrastructure failure", _count, "N"
    )
    run: str | None = setting(None, "name of the new run's folder", metavar="NAME")
    resume: str | None = setting(None, "resume a run: play only unfinished instances", metavar="RUN")
    shard: Shard | None = setting(None, "play one shard of the instances, such as 2/4", _shard, "I/N")
    durations: str | None = setting(
        None, "earlier run, or baseline file, whose durations balance the shards", metavar="RUN"
    )
    cluster: str | None = setting(
        None, "play on a Ray cluster with -n workers: local, auto or ray://HOST:PORT", _cluster, "WHERE"
    )
    export: tuple[str, ...] | None = setting(
        None, "exporters that write the finished run, such as csv", _exporters, "LIST"
    )
    reports: str = setting("reports", "folder to write runs to, or the URL of object storage", metavar="DIR")
    screenshots: str = setting("on", "which screenshots to keep", choices=("on", "off", "retain-on-failure"))
    video: str = setting(
        "off", "which videos of episodes to keep (video.webp)", choices=("on", "off", "retain-on-failure")
    )
    watch: bool = switch("serve a page that shows the running episodes, and print its address")
    take_over: bool = switch(
        "let a person take over episodes in the page of --cua-watch; such attempts are not graded"
    )
    audit: str | None = setting(
        None,
        "audit the tasks with their solutions and wrong solutions instead of running an agent",
        choices=("quick", "standard", "full"),
        flags={"--cua-audit-quick": "quick", "--cua-audit": "standard", "--cua-audit-full": "full"},
    )
    early_abort: int = setting(
        str(EARLY_ABORT),
        "number of steps up to which an agent that ends the episode counts as an early abort",
        _count,
        "N",
    )
    heavy_loop: int = setting(
        str(HEAVY_LOOP), "number of repeated rounds of the same steps that count as a loop", _count, "N"
    )
    gate: str | None = setting(
        None, "judge the run by the gate in this TOML file, which sets the exit code", metavar="FILE"
    )
    chromium: str | None = setting(None, "path of the Chromium executable", metavar="PATH")
    world: Assigned = setting(
        None,
        "where a world runs: desktop=docker, desktop=http://host:5000; browser=xvfb gives web worlds a window",
        _assigned("desktop=docker"),
        "NAME=WHERE",
        repeats=True,
    )
    tasks: Assigned = setting(
        None,
        "play a suite's published task files from this path",
        _assigned("my_suite=PATH"),
        "SUITE=PATH",
        repeats=True,
    )
    api: bool = switch("let agents call the applications' APIs, where the suite offers any", default="off")
    allow_reset: bool = switch(
        "allow agents to write to the live org that --cua-world names; their changes are reverted"
    )
    upstream_scoring: bool = switch(
        "score tasks by the benchmark authors' own rules, where they differ from the suite's"
    )
    unproved: bool = switch("also play tasks without a reference solution")
    tree_tokens: int = setting(
        "10240", "maximum (estimated) tokens of a desktop's accessibility tree; the rest is cut", _count, "N"
    )
    sources: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_config(cls, config: pytest.Config | None, root: Path | None = None) -> Settings:
        """Resolve all settings; without a session of pytest, from environment variables and defaults.

        Raises:
            SettingError: At least one value is invalid; there is one line for each, with its source.
        """
        values: dict[str, Any] = {}
        sources: dict[str, str] = {}
        mistakes = _unknown_variables()
        for setting in SETTINGS:
            text, source = _resolve(setting, config)
            sources[setting.name] = source
            try:
                values[setting.name] = _unset(setting) if text is None else _read(setting, text, source)
            except SettingError as error:
                mistakes.append(str(error))
        if mistakes:
            raise SettingError("\n".join(mistakes))
        _refuse_blind_video(values, sources)
        return cls(**values, root=config.rootpath if config else root or Path.cwd(), sources=sources)

    @property
    def plays(self) -> bool:
        """Whether this session plays any instances."""
        return self.agent is not None or self.audit is not None

    @property
    def reports_folder(self) -> Path:
        """The local folder of runs; where `reports` is a URL, they are in `reports/` as well."""
        return self.root / ("reports" if self.reports_url else self.reports)

    @property
    def reports_url(self) -> str | None:
        """The object storage that runs are copied to, if any."""
        return self.reports if "://" in self.reports else None

    @property
    def gate_file(self) -> Path | None:
        """The gate's file, relative to the working directory or else to the rootdir."""
        if self.gate is None:
            return None
        here = Path(self.gate).absolute()
        return here if here.is_file() else self.root / self.gate

    @property
    def gate_asked(self) -> bool:
        """Whether the gate was given by option or environment variable, not by an ini file."""
        return self.gate is not None and not self.sources["gate"].startswith("ini")

    def described(self) -> dict[str, str]:
        """Return the non-default settings with their sources, for headers and records."""
        return {
            name: f"{_written(getattr(self, name))} ({source})"
            for name, source in self.sources.items()
            if source != "default"
        }


SETTINGS = tuple(Setting(place.name, **place.metadata) for place in fields(Settings) if place.metadata)


def add_options(parser: pytest.Parser) -> None:
    """Register every setting as an option and as an ini value."""
    group = parser.getgroup("cuabench", "computer-use-agent benchmarks")
    for setting in SETTINGS:
        words = f"{setting.help} (default: {setting.default})" if setting.default else setting.help
        # `_read` checks choices, not argparse: the same message for every source.
        extra: dict[str, Any] = {"metavar": setting.metavar or "{" + ",".join(setting.choices or ()) + "}"}
        extra |= {"action": "append"} if setting.repeats else {}
        if not setting.flags:
            group.addoption(setting.option, dest=setting.dest, default=None, help=words, **extra)
        for flag, value in (setting.flags or {}).items():
            meaning = f"{words}: {value}" if len(setting.flags or {}) > 1 else words
            about = {"dest": setting.dest, "default": None, "help": meaning}
            group.addoption(flag, action="store_const", const=value, **about)
        parser.addini(setting.dest, setting.help, default=None)


def refuse_unknown_options(arguments: Iterable[str]) -> None:
    """Refuse options that look like ours and are unknown; pytest itself would not say which one may be meant.

    Raises:
        SettingError: There is such an option; the sentence names the nearest.
    """
    from pytest_cuabench.task.names import did_you_mean

    known = {name for setting in SETTINGS for name in (setting.option, *(setting.flags or ()))}
    for argument in arguments:
        option = argument.partition("=")[0]
        near = did_you_mean(option, known, "{}") if option.startswith("--cua-") else ""
        if near and option not in known:
            raise SettingError(f"unrecognized option {option}{near}")


def _unknown_variables() -> list[str]:
    """Return a sentence for each environment variable that looks like one of a setting, and is not.

    The names of settings are short, and other programs of this project read further variables: only what is very
    like a setting's is refused.
    """
    from pytest_cuabench.task.names import did_you_mean

    known = {setting.variable.removeprefix(_PREFIX) for setting in SETTINGS}
    names = (name.removeprefix(_PREFIX) for name in os.environ if name.startswith(_PREFIX))
    near = {name: did_you_mean(name, known, _PREFIX + "{}", 0.8) for name in names if name not in known}
    return [f"{_PREFIX}{name} is not a setting{meant}" for name, meant in near.items() if meant]


def _resolve(setting: Setting, config: pytest.Config | None) -> tuple[str | None, str]:
    if config and (option := config.getoption(setting.dest)) is not None:
        return ",".join(option) if setting.repeats else str(option), setting.option
    if variable := os.environ.get(setting.variable):
        return variable, setting.variable
    if config and (ini := config.getini(setting.dest)) is not None:
        return str(ini), f"ini {setting.dest}"
    return setting.default, "default"


def _unset(setting: Setting) -> Any:
    return Assigned() if setting.repeats else False if setting.choices == ("on",) else None


def _written(value: object) -> str:
    """Return a value as a user would write it."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _refuse_blind_video(values: Mapping[str, Any], sources: Mapping[str, str]) -> None:
    if values["take_over"] and values["screenshots"] == "off":
        raise SettingError(
            f"{sources['take_over']} needs screenshots, but {sources['screenshots']} turns them off; "
            "use --cua-screenshots=on"
        )
    if values["video"] != "off" and values["screenshots"] == "off":
        raise SettingError(
            f"{sources['video']} needs screenshots, but {sources['screenshots']} turns them off; "
            "use --cua-screenshots=on"
        )


def _read(setting: Setting, text: str, source: str) -> Any:
    if setting.choices and text not in setting.choices:
        from pytest_cuabench.task.names import did_you_mean

        near = did_you_mean(text, setting.choices)
        choices = ", ".join(setting.choices)
        raise SettingError(f"invalid value for {source}: {text!r}; expected one of {choices}{near}")
    try:
        return setting.read(text)
    except ValueError as error:
        raise SettingError(f"invalid value for {source}: {text!r}; expected {error}") from None
