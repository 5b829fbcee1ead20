"""Fingerprints: hashes of an attempt's task, world, plugin and settings; equal ones make attempts comparable.

    task      its declared content, and the suite's Python that builds and judges it
    world     every file of the environment's folder and of the data it starts from
    plugin    the version of this package
    settings  what an agent is shown and what it may take, as words, so that a difference can be read

Budgets are settings and not part of the task: `--cua-max-steps` and a task file that says so mean the same. The
agent has a separate hash (`agent`), which is not part of the digest, because runs of two agents are to be compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pytest_cuabench.task import library
from pytest_cuabench.task.worlds import known_worlds, world_fixtures

if TYPE_CHECKING:
    from pytest_cuabench.task.model import Instance, SuiteInfo, Task

UPSTREAM_SCORING = "cua_upstream_scoring"  # the setting by which tasks are scored as their authors did
_LENGTH = 12  # hexadecimal digits; 48 bits are enough for a million contents
_NOT_CONTENT = ("__pycache__", "README.md")
_SECRET = re.compile(r"(^|[_-])(key|secret|token|password|authorization)$", re.IGNORECASE)
_HEADERS = re.compile(r"(^|[_-])headers$", re.IGNORECASE)  # which may hold tokens


class AgentProfile(Protocol):
    """What of an agent's profile is hashed."""

    @property
    def extras(self) -> object: ...
    def model_dump(self, *, mode: str, exclude: Any) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The parts, each comparable by itself."""

    task: str
    world: str
    plugin: str
    settings: Mapping[str, str]
    agent: str = ""

    @property
    def digest(self) -> str:
        """The hash of all parts except the agent."""
        return _hash(_plain([self.task, self.world, self.plugin, sorted(self.settings.items())]))

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {**asdict(self), "settings": dict(self.settings)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fingerprint:
        """Create a fingerprint from the output of `to_json`, ignoring unknown keys of newer versions."""
        return cls(**{name: data[name] for name in cls.__dataclass_fields__ if name in data})


def fingerprint_of(
    instance: Instance,
    suite: SuiteInfo,
    *,
    observation: str,
    max_steps: int,
    max_seconds: float,
    profile: AgentProfile | None = None,
    others: Mapping[str, str] | None = None,
) -> Fingerprint:
    """Return the fingerprint of an instance to be played, with its effective budgets.

    `others` are settings that count only where they are not what the suite itself says, such as another place.
    """
    phases = {
        f"phase {phase.name}": f"{world_hash(phase.place.driver, phase.place.world, phase.place.folder)}, "
        f"{phase.budget.steps} steps, {phase.budget.seconds:g} s"
        for phase in instance.phases
    }
    settings = {
        "cua_observation": observation,
        "cua_max_steps": str(max_steps),
        "cua_max_seconds": f"{max_seconds:g}",
        "screen": f"{suite.screen.width}x{suite.screen.height}",
        **phases,
        **(others or {}),
    }
    return Fingerprint(
        task=task_hash(instance.task, suite.folder),
        world=world_hash(suite.driver, suite.world, suite.folder, _app(suite)),
        plugin=version("pytest-cuabench"),
        settings=settings,
        agent=agent_hash(profile) if profile else "",
    )


def same_question(old: Fingerprint, new: Fingerprint) -> bool:
    """Whether all parts except the agent are equal."""
    if old is new:
        return True
    return (old.task, old.world, old.plugin, old.settings) == (new.task, new.world, new.plugin, new.settings)


def differences(old: Fingerprint, new: Fingerprint) -> list[str]:
    """Describe the differences of two fingerprints, one text per part; empty if they are equal."""
    return [
        *(["the task changed"] if old.task != new.task else []),
        *(["the world changed"] if old.world != new.world else []),
        *([f"the plugin version changed: {old.plugin} -> {new.plugin}"] if old.plugin != new.plugin else []),
        *_different_settings(old.settings, new.settings),
    ]


def same_agent(old: Fingerprint, new: Fingerprint) -> bool:
    """Whether both were played by agents with the same profile; an unrecorded profile equals any."""
    return not (old.agent and new.agent) or old.agent == new.agent


def task_hash(task: Task, folder: Path) -> str:
    """Return the hash of a task: its declared content, and all Python that may set it up or judge it."""
    return _hash(_declared(task), _python(folder, task.application))


def _app(suite: SuiteInfo) -> str:
    return suite.app.model_dump_json() if suite.app else ""


@cache
def world_hash(driver: str, world: str, suite: Path | None = None, app: str = "") -> str:
    """Return the hash of a world's files, or of what its suite says of a web application (`app`)."""
    if app:
        return _hash(f"{driver}\0{world}", app)
    folder = known_worlds(suite).get(world)
    folders = (folder, world_fixtures(folder)) if folder else ()
    files = [file for each in folders for file in _files(each)]
    return _hash(f"{driver}\0{world}", _contents(files, folder.parents[1] if folder else library.ROOT))


def agent_hash(profile: AgentProfile) -> str:
    """Return the hash of an agent's profile, without its description and secrets."""
    ignored = {"description", "key", "extra"} | (
        set() if profile.extras else {"extras"}
    )  # as before there were any
    return _hash(_plain(_open(profile.model_dump(mode="json", exclude=ignored))))


def _declared(task: Task) -> str:
    meta, wording, rules = task.meta, task.wording, task.rules
    place = (task.suite, task.application, task.id, meta.title, meta.domain, meta.difficulty)
    goals = {variant: list(words) for variant, words in wording.goals.items()}
    file = [meta.digest] if meta.digest else []
    documents = {variant: document.text for variant, document in wording.documents.items()}
    # Each is added only where a task has it, so that the hashes of all other tasks stay valid.
    more: list[Any] = [{"values": task.values, "documents": documents}] if task.values or documents else []
    more += [{"run_code": rules.run_code}] if rules.run_code == "refused" else []
    more += [{"scripts": rules.scripts}] if rules.scripts == "refused" else []
    more += [{"reference": asdict(task.reference)}] if task.reference else []
    return _plain([*place, wording.preamble, meta.tier, goals, sorted(task.scope.harmless), *file, *more])


def _python(folder: Path, application: str) -> str:
    """Return the suite's Python for an application as one text: its folder's, and the shared modules."""
    others = {file.parent for file in folder.glob("*/application.toml")} - {folder / application}
    files = [file for file in sorted(folder.rglob("*.py")) if others.isdisjoint(file.parents)]
    return _read_once(folder, tuple((file, *_version(file)) for file in files))


def _version(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_mtime_ns, status.st_size


@cache
def _read_once(folder: Path, files: tuple[tuple[Path, int, int], ...]) -> str:
    return _contents([file for file, *_ in files], folder)


def _files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        if file.is_file() and not any(part in _NOT_CONTENT or part.startswith(".") for part in parts):
            yield file


def _contents(files: Iterable[Path], root: Path) -> str:
    """Return one line per file: its path below `root`, and the hash of its content."""
    return "\n".join(
        f"{file.relative_to(root).as_posix()} {sha256(file.read_bytes()).hexdigest()}" for file in files
    )


def _open(value: Any) -> Any:
    """Return plain data without the values of keys with secret-like names."""
    if isinstance(value, Mapping):
        kept = {name: inner for name, inner in value.items() if not _secret(str(name))}
        return {name: _open(inner) for name, inner in kept.items()}
    return [_open(inner) for inner in value] if isinstance(value, list | tuple) else value


def _secret(name: str) -> bool:
    return bool(_SECRET.search(name) or _HEADERS.search(name))


def _different_settings(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    changed = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    words = ", ".join(f"{name} {old.get(name, 'unset')} -> {new.get(name, 'unset')}" for name in changed)
    return [f"settings differ: {words}"] if changed else []


def _plain(data: Any) -> str:
    return json.dumps(data, sort_keys=True, default=str)


def _hash(*texts: str) -> str:
    # Texts may hold lone surrogates, which UTF-8 cannot encode.
    return sha256("\0".join(texts).encode(errors="backslashreplace")).hexdigest()[:_LENGTH]
