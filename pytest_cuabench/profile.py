"""Agent profiles: which adapter plays, with which model and limits; and how a name becomes an agent."""

from __future__ import annotations

import difflib
import importlib
import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench import library
from pytest_cuabench.agent import Agent
from pytest_cuabench.errors import SettingError
from pytest_cuabench.observation import ObservationKind
from pytest_cuabench.strict import read_strict

GROUP = "pytest_cuabench.adapters"


class Profile(BaseModel):
    """An agent's TOML file.

    Attributes:
        adapter: Name of an installed adapter, or `module:Class`.
        argument: What stood behind a colon on the command line (`replay:PATH`).
        extra: The extra of this package that brings the adapter's dependencies.
        key: Name of the environment variable that holds the API key; never the key itself.
        options: Handed to the adapter as they are.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    adapter: str = Field(min_length=1)
    description: str = ""
    model: str | None = None
    observation: ObservationKind | None = None
    extra: str | None = None
    key: str | None = Field(default=None, pattern=r"^[A-Z][A-Z0-9_]*$")
    options: Mapping[str, Any] = Field(default_factory=dict)
    name: str = ""
    argument: str | None = None


Factory = Callable[[Profile], Agent]


@dataclass(frozen=True, slots=True)
class ChosenAgent:
    """The agent of this run: its profile, and how to make one."""

    profile: Profile
    factory: Factory

    @property
    def name(self) -> str:
        """The profile's name, with its argument."""
        argument = self.profile.argument
        return f"{self.profile.name}:{argument}" if argument else self.profile.name

    @property
    def headed(self) -> bool:
        """Whether a person will look at the screen."""
        return self.profile.adapter == "human"

    def make(self) -> Agent:
        """Return a new agent."""
        return self.factory(self.profile)


def choose_agent(name: str, root: Path, *, keyless: bool = False) -> ChosenAgent:
    """Return the agent that `--agent` names; `keyless` is one that will not play and needs no key.

    Raises:
        SettingError: It is unknown, malformed, or lacks its extra or key.
    """
    if name == "fixture":
        return ChosenAgent(Profile(adapter=name, name=name), _no_fixture)
    profile = load_profile(name, root)
    factory = agent_factory(profile.model_copy(update={"key": None}) if keyless else profile)
    return ChosenAgent(profile, factory)


def _no_fixture(profile: Profile) -> Agent:
    raise SettingError(
        "--agent=fixture: define a fixture named 'agent' in your conftest.py that returns your agent"
    )


def load_profile(name: str, root: Path) -> Profile:
    """Find the profile that `--agent` names: a file, a name, `name:argument` or `module:Class`.

    Raises:
        SettingError: Nothing is known by that name, or the file is malformed.
    """
    if name.endswith(".toml"):
        here = Path(name).resolve()
        return _read(here if here.is_file() else root / name, Path(name).stem)
    known = known_profiles(root)
    head, _, argument = name.partition(":")
    if head in known:
        return _read(known[head], head).model_copy(update={"argument": argument or None})
    if ":" in name:
        return Profile(adapter=name, name=name.rpartition(":")[2])
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean --agent={close[0]}?" if close else ""
    raise SettingError(
        f"--agent: no agent is named {name!r}; known: {', '.join(sorted(known))}, or a path to a .toml file, "
        f"or module:Class{hint}"
    )


def known_profiles(root: Path) -> dict[str, Path]:
    """Return profile files by name; those of the user's own `agents` folder win."""
    folders = (library.AGENTS, root / "agents")
    return {file.stem: file for folder in folders for file in sorted(folder.glob("*.toml"))}


def agent_factory(profile: Profile) -> Factory:
    """Return what makes agents of this profile.

    Raises:
        SettingError: The adapter, its extra, or its key is missing; the sentence says what to type.
    """
    if profile.key and not os.environ.get(profile.key):
        raise SettingError(
            f"agent {profile.name!r} reads its key from {profile.key}, which is not set; type: export {profile.key}=..."
        )
    adapters = {entry.name: entry for entry in entry_points(group=GROUP)}
    entry = adapters.get(profile.adapter)
    if entry is None and ":" not in profile.adapter:
        raise SettingError(
            f"agent {profile.name!r}: no adapter is named {profile.adapter!r}; known: {', '.join(sorted(adapters))}"
        )
    try:
        factory = entry.load() if entry else _import(profile.adapter)
    except ModuleNotFoundError as error:
        raise SettingError(_missing(profile, error)) from error
    except Exception as error:
        raise SettingError(
            f"agent {profile.name!r} cannot be imported from {profile.adapter!r}: {type(error).__name__}: {error}"
        ) from error
    if not callable(factory):
        raise SettingError(f"agent {profile.name!r}: {profile.adapter!r} names no class; write module:Class")
    return _accepting(factory, needs_profile=entry is not None)


def _accepting(factory: Callable[..., Agent], *, needs_profile: bool) -> Factory:
    """Let `module:Class` be a plain class without arguments."""
    if needs_profile or _wants_an_argument(factory):
        return factory
    return lambda profile: factory()


def _wants_an_argument(factory: Callable[..., Agent]) -> bool:
    try:
        inspect.signature(factory).bind()
    except TypeError:
        return True
    except ValueError:  # some classes written in C do not tell
        return False
    return False


def _import(place: str) -> Any:
    module, _, name = place.partition(":")
    return EntryPoint(name, f"{module}:{name}", GROUP).load() if name else importlib.import_module(module)


def _missing(profile: Profile, error: ModuleNotFoundError) -> str:
    if profile.extra:
        return (
            f"agent {profile.name!r} needs the package {error.name!r}; "
            f"type: pip install 'pytest-cuabench[{profile.extra}]'"
        )
    return f"agent {profile.name!r}: there is no module {error.name!r}; is it installed and spelled right?"


def _read(file: Path, name: str) -> Profile:
    return read_strict(file, Profile).model_copy(update={"name": name})
