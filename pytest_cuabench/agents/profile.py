"""Agent profiles: adapter, model and limits of an agent, and creating agents by name."""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from pytest_cuabench.agents.base import Agent, Checked
from pytest_cuabench.errors import Missing, SettingError
from pytest_cuabench.task import library
from pytest_cuabench.task.names import did_you_mean, unknown_name
from pytest_cuabench.task.observation import ObservationKind
from pytest_cuabench.task.toml import fit_strict, read_strict
from pytest_cuabench.task.tracebacks import told

GROUP = "pytest_cuabench.agents"
_Options = TypeVar("_Options", bound=BaseModel)
FIXTURE = "fixture"  # `--agent=fixture`: the user's own fixture makes the agent


class Profile(BaseModel):
    """An agent's TOML file.

    Attributes:
        adapter: Name of an installed adapter, or `module:Class`.
        argument: The text after a colon on the command line (`replay:PATH`).
        extra: The extra of this package that brings the adapter's dependencies.
        key: Name of the environment variable that holds the API key; never the key itself.
        extras: Whether the model gets actions beside those of its maker's tool, as with `--cua-extras`.
        options: Passed to the adapter.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    adapter: str = Field(min_length=1)
    description: str = ""
    model: str | None = None
    observation: ObservationKind | None = None
    extra: str | None = None
    key: str | None = Field(default=None, pattern=r"^[A-Z][A-Z0-9_]*$")
    extras: bool = False
    options: Mapping[str, Any] = Field(default_factory=dict)
    name: str = ""
    argument: str | None = None
    _file: Path | None = PrivateAttr(default=None)

    @property
    def folder(self) -> Path:
        """The folder of the profile's file, which relative paths in its options start from."""
        return self._file.resolve().parent if self._file else Path.cwd()

    def read_options(self, model: type[_Options]) -> _Options:
        """Return the validated options.

        Raises:
            SettingError: Options are unknown, missing or invalid; there is one line for each.
        """
        text = self._file.read_text(encoding="utf-8") if self._file else ""
        place = str(self._file) if self._file else f"agent {self.name!r}"
        return fit_strict(self.options, model, place, text, ("options",))


Factory = Callable[[Profile], Agent]


@dataclass(frozen=True, slots=True)
class ChosenAgent:
    """The agent of this run: its profile and factory."""

    profile: Profile
    factory: Factory

    @property
    def name(self) -> str:
        """The profile's name, with its argument."""
        argument = self.profile.argument
        return f"{self.profile.name}:{argument}" if argument else self.profile.name

    @property
    def headed(self) -> bool:
        """Whether the agent needs a visible screen; its class says so by `headed`."""
        return bool(getattr(self.factory, "headed", False))

    def make(self) -> Agent:
        """Return a new agent."""
        return self.factory(self.profile)

    def check(self) -> None:
        """Check that the agent can be created and is valid, before the run.

        Raises:
            SettingError: The agent cannot be created, or lacks a method.
        """
        if self.profile.adapter == FIXTURE:
            return
        try:
            agent: Any = self.make()
            if isinstance(agent, Checked):
                agent.check()
        except SettingError:
            raise
        except ModuleNotFoundError as error:
            raise SettingError(_missing(self.profile, error)) from error
        except (Exception, SystemExit) as error:
            raise SettingError(f"cannot create agent {self.name!r}: {told(error)}") from error
        check_agent(agent, f"agent {self.name!r}")


def choose_agent(name: str, root: Path, *, keyless: bool = False, extras: bool = False) -> ChosenAgent:
    """Return the agent that `--agent` names; with `keyless` it needs no key and cannot play.

    Args:
        extras: Allow the extra actions, even if its profile does not.

    Raises:
        SettingError: The agent is unknown or malformed, or lacks its extra or key.
    """
    if name == FIXTURE:
        return ChosenAgent(Profile(adapter=name, name=name), _no_fixture)
    profile = load_profile(name, root)
    profile = profile.model_copy(update={"extras": profile.extras or extras})
    factory = agent_factory(profile.model_copy(update={"key": None}) if keyless else profile)
    return ChosenAgent(profile, factory)


def _no_fixture(profile: Profile) -> Agent:
    raise SettingError(
        "--agent=fixture: define a fixture named 'agent' in your conftest.py that returns your agent"
    )


def load_profile(name: str, root: Path) -> Profile:
    """Find the profile that `--agent` names: a file, a name, `name:argument`, `adapter:name` or `module:Class`.

    Raises:
        SettingError: The name is unknown, or the file is malformed.
    """
    if name.endswith(".toml"):
        here = Path(name).resolve()
        return _read(here if here.is_file() else root / name, Path(name).stem)
    known = known_profiles(root)
    head, _, argument = name.partition(":")
    if head in known:
        return _read(known[head], head).model_copy(update={"argument": argument or None})
    installed = entry_points(group=GROUP).names
    if name in installed:  # of an installed package that brings no profile
        return Profile(adapter=name, name=name)
    if head in installed and argument:
        return _by_adapter(head, load_profile(argument, root))
    if ":" in name:
        return Profile(adapter=name, name=name.rpartition(":")[2])
    names = sorted({*known, *installed})
    raise SettingError(
        f"--agent: no agent named {name!r}; known: {', '.join(names)}, or a path to a .toml file, "
        f"or module:Class{did_you_mean(name, names, '--agent={}')}"
    )


def _by_adapter(adapter: str, profile: Profile) -> Profile:
    """Return the profile of `--agent=adapter:NAME`.

    Raises:
        SettingError: It has another adapter.
    """
    if profile.adapter != adapter:
        raise SettingError(
            f"--agent={adapter}:{profile.name}: the adapter of agent {profile.name!r} is {profile.adapter!r}, "
            f"not {adapter!r}; type: --agent={profile.name}"
        )
    return profile


def known_profiles(root: Path) -> dict[str, Path]:
    """Return profile files by name; those in the user's `agents` folder take precedence."""
    folders = (library.AGENTS, root / "agents")
    return {file.stem: file for folder in folders for file in sorted(folder.glob("*.toml"))}


def agent_factory(profile: Profile) -> Factory:
    """Return the factory of this profile's agents.

    Raises:
        SettingError: The adapter, its extra or its key is missing.
    """
    if profile.key and not os.environ.get(profile.key):
        raise SettingError(
            f"agent {profile.name!r} reads its key from {profile.key}, which is not set; type: export {profile.key}=..."
        )
    adapters = {entry.name: entry for entry in entry_points(group=GROUP)}
    entry = adapters.get(profile.adapter)
    if entry is None and ":" not in profile.adapter:
        raise SettingError(f"agent {profile.name!r}: {unknown_name('adapter', profile.adapter, adapters)}")
    try:
        factory = entry.load() if entry else _import(profile.adapter)
    except ModuleNotFoundError as error:
        raise SettingError(_missing(profile, error)) from error
    except Missing as error:  # of the adapter; a profile's extra brings that, too
        lacks = error.__cause__
        if profile.extra and isinstance(lacks, ModuleNotFoundError):
            raise SettingError(_missing(profile, lacks)) from error
        raise
    except (Exception, SystemExit) as error:
        raise SettingError(
            f"cannot import agent {profile.name!r} from {profile.adapter!r}: {told(error)}"
        ) from error
    if not callable(factory):
        raise SettingError(
            f"agent {profile.name!r}: {profile.adapter!r} is not a class; expected module:Class"
        )
    return _accepting(factory, needs_profile=entry is not None)


def check_agent(agent: Any, named: str) -> None:
    """See that an object can play.

    Raises:
        SettingError: It lacks a method, or one takes other arguments.
    """
    if problem := _no_agent(agent):
        raise SettingError(f"{named} is not a valid agent: {problem}; see docs/agents.md")


_METHODS = {"start": 1, "decide": 1, "close": 0}  # with how many arguments each is called


def _no_agent(agent: Any) -> str:
    """Return why an object is not a valid agent; empty if it is."""
    lacking = [name for name in _METHODS if not callable(getattr(agent, name, None))]
    if lacking:
        return f"{type(agent).__name__} has no {', no '.join(lacking)}"
    for name, count in _METHODS.items():
        with suppress(ValueError):  # some methods written in C do not tell
            try:
                inspect.signature(getattr(agent, name)).bind(*[None] * count)
            except TypeError as error:
                return f"{type(agent).__name__}.{name} has to accept {count} arguments: {error}"
    return ""


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
        return str(Missing.of(f"agent {profile.name!r}", error.name or "", profile.extra))
    return f"agent {profile.name!r}: no module named {error.name!r}; check that it is installed and spelled correctly"


def _read(file: Path, name: str) -> Profile:
    profile = read_strict(file, Profile).model_copy(update={"name": name})
    profile._file = file
    return profile
