"""What an attempt was played with, as short hashes: two attempts with one fingerprint answer one question.

    task      its declared content, and the suite's Python that builds and judges it
    world     every file of the environment's folder and of the data it starts from
    plugin    the version of this package
    settings  what an agent is shown and what it may take, as words, so that a difference can be read

Budgets are settings and not part of the task: `--cua-max-steps` and a task file that says so mean the same. The
agent has a hash of its own (`agent`), which is no part of the digest: runs of two agents are there to be compared.
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
from typing import TYPE_CHECKING, Any

from pytest_cuabench import library

if TYPE_CHECKING:
    from pytest_cuabench.profile import Profile
    from pytest_cuabench.task import Instance, SuiteInfo, Task

UPSTREAM_SCORING = "cua_upstream_scoring"  # the setting by which tasks are scored as their authors did
_LENGTH = 12  # hexadecimal digits; 48 bits keep a million of contents apart
_NOT_CONTENT = ("__pycache__", "README.md")
_SECRET = re.compile(r"(^|[_-])(key|secret|token|password|authorization)$", re.IGNORECASE)
_HEADERS = re.compile(r"(^|[_-])headers$", re.IGNORECASE)


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
        """One short hash of all parts but the agent."""
        return _hash(_plain([self.task, self.world, self.plugin, sorted(self.settings.items())]))

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {**asdict(self), "settings": dict(self.settings)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fingerprint:
        """Read what `to_json` wrote; unknown keys of newer versions are passed over."""
        return cls(**{name: data[name] for name in cls.__dataclass_fields__ if name in data})


def fingerprint_of(
    instance: Instance,
    suite: SuiteInfo,
    *,
    observation: str,
    max_steps: int,
    max_seconds: float,
    profile: Profile | None = None,
    others: Mapping[str, str] | None = None,
) -> Fingerprint:
    """Return the fingerprint of an instance as it is about to be played, with the budgets that really hold.

    `others` are settings that count only where they are not what the suite itself says, such as another place.
    """
    settings = {
        "cua_observation": observation,
        "cua_max_steps": str(max_steps),
        "cua_max_seconds": f"{max_seconds:g}",
        "screen": f"{suite.screen.width}x{suite.screen.height}",
        **(others or {}),
    }
    return Fingerprint(
        task=task_hash(instance.task, suite.folder),
        world=world_hash(suite.driver, suite.world),
        plugin=version("pytest-cuabench"),
        settings=settings,
        agent=agent_hash(profile) if profile else "",
    )


def same_question(old: Fingerprint, new: Fingerprint) -> bool:
    """Whether all parts but the agent are the same, as of equal digests."""
    if old is new:
        return True
    return (old.task, old.world, old.plugin, old.settings) == (new.task, new.world, new.plugin, new.settings)


def differences(old: Fingerprint, new: Fingerprint) -> list[str]:
    """Return what differs between two fingerprints, a few words for each part; nothing where they are the same."""
    return [
        *(["the task changed"] if old.task != new.task else []),
        *(["the world changed"] if old.world != new.world else []),
        *(
            [f"the plugin is another version: {old.plugin} -> {new.plugin}"]
            if old.plugin != new.plugin
            else []
        ),
        *_different_settings(old.settings, new.settings),
    ]


def same_agent(old: Fingerprint, new: Fingerprint) -> bool:
    """Whether both were played by an agent of one profile; what nobody recorded is no difference."""
    return not (old.agent and new.agent) or old.agent == new.agent


def task_hash(task: Task, folder: Path) -> str:
    """Return the hash of a task: what is declared of it, and all Python that may build or judge it."""
    return _hash(_declared(task), _python(folder, task.application))


@cache
def world_hash(driver: str, world: str) -> str:
    """Return the hash of a world's files; of a world that is not ours the name has to do."""
    folders = (library.ENVIRONMENTS / world, library.FIXTURES / world)
    files = [file for folder in folders for file in _files(folder)]
    return _hash(f"{driver}\0{world}", _contents(files, library.ROOT))


def agent_hash(profile: Profile) -> str:
    """Return the hash of an agent's profile without its words for people and without anything secret."""
    return _hash(_plain(_open(profile.model_dump(mode="json", exclude={"description", "key", "extra"}))))


def _declared(task: Task) -> str:
    names = ("suite", "application", "id", "title", "domain", "difficulty", "preamble", "tier")
    goals = {variant: list(words) for variant, words in task.goals.items()}
    file = [task.digest] if task.digest else []
    documents = {variant: document.text for variant, document in task.documents.items()}
    more = [{"values": task.values, "documents": documents}] if task.values or documents else []
    return _plain([*(getattr(task, name) for name in names), goals, sorted(task.harmless), *file, *more])


def _python(folder: Path, application: str) -> str:
    """Return one text of the suite's own Python for an application: its folder's, and what all of them share."""
    files = (*sorted(folder.glob("*.py")), *sorted((folder / application).rglob("*.py")))
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
    """Return a line per file: its name below `root`, and the hash of what is in it."""
    return "\n".join(
        f"{file.relative_to(root).as_posix()} {sha256(file.read_bytes()).hexdigest()}" for file in files
    )


def _open(value: Any) -> Any:
    """Return plain data without the values of keys that sound secret."""
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
    return sha256("\0".join(texts).encode(errors="backslashreplace")).hexdigest()[:_LENGTH]
