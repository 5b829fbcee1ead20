"""What belongs to each maker of models, held for all of them; each message names the file to edit."""

from __future__ import annotations

import pkgutil
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from pytest_cuabench.agents import makers
from pytest_cuabench.agents.models.known import known_models
from pytest_cuabench.agents.models.model import ModelAgent, ModelOptions
from pytest_cuabench.agents.profile import GROUP, Profile, known_profiles, load_profile

from .speakers import SPEAKERS
from .speaking import NOWHERE

REPOSITORY = Path(__file__).parents[2]
NAMES = [module.name for module in pkgutil.iter_modules(makers.__path__)]
PARTS = {
    "agent": "the class",
    "calls": "how its calls are read as actions",
    "conversation": "what is sent again with each request",
    "models": "what its models take",
    "reply": "how a reply is read",
}
OF_MANY_MAKERS = {  # chat completions carry the models of many makers, each with its own words
    "calls": "action_spaces",
    "models": "official",
    "reply": "completions",
}


def agent_of(maker: str) -> type[ModelAgent]:
    """Return the agent that a maker's module defines."""
    name = f"{makers.__name__}.{maker}"
    module = import_module(f"{name}.agent" if find_spec(name).submodule_search_locations else name)  # type: ignore[union-attr]
    (found,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, ModelAgent) and value.__module__ == module.__name__
    )
    return found


def borrowed(maker: str) -> bool:
    """Whether a maker's agent is that of another maker, with other values."""
    package = f"{makers.__name__}.{maker}"
    return any(
        base.__module__.startswith(f"{makers.__name__}.") and not base.__module__.startswith(package)
        for base in agent_of(maker).__mro__
    )


def profiles_of(maker: str) -> list[Profile]:
    """Return the shipped profiles with this maker's adapter."""
    profiles = (load_profile(name, NOWHERE) for name in known_profiles(NOWHERE))
    return [profile for profile in profiles if profile.adapter == maker]


def missing_modules(maker: str) -> Iterator[str]:
    """Yield which modules a maker lacks, and what is to be found in them."""
    if borrowed(maker):
        return
    others = OF_MANY_MAKERS if maker == "chat" else {}
    for part, meaning in PARTS.items():
        name = others.get(part, part)
        if find_spec(f"{makers.__name__}.{maker}.{name}") is None:
            yield f"pytest_cuabench/agents/makers/{maker}/{name}.py: {meaning}"
    module = import_module(agent_of(maker).__module__)
    if not issubclass(getattr(module, "Options", object), ModelOptions):
        yield f"pytest_cuabench/agents/makers/{maker}/agent.py: Options(ModelOptions), the [options] of a profile"


def missing_around(maker: str) -> Iterator[str]:
    """Yield what a maker lacks in the files beside its own."""
    agent, profiles = agent_of(maker), profiles_of(maker)
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if project["entry-points"][GROUP].get(maker) != f"{agent.__module__}:{agent.__name__}":
        yield f'pyproject.toml: {maker} = "{agent.__module__}:{agent.__name__}" in entry-points."{GROUP}"'
    if not profiles:
        yield f'agents/: a profile with adapter = "{maker}"'
    listed = (REPOSITORY / "agents" / "README.md").read_text(encoding="utf-8")
    for profile in profiles:
        if profile.extra not in project["optional-dependencies"]:
            yield f"agents/{profile.name}.toml: extra, the extra of pyproject.toml that installs the maker's SDK"
        if f"`{profile.name}`" not in listed:
            yield f"agents/README.md: a row of `{profile.name}`"
    if agent.provider and not any(row.maker == agent.provider for row in known_models()):
        yield f'agents/models/known.toml: rows with maker = "{agent.provider}"'


def missing_tests(maker: str) -> Iterator[str]:
    """Yield which tests a maker lacks."""
    agent = agent_of(maker)
    adapter = f"{agent.__module__}:{agent.__name__}"
    if not borrowed(maker) and not (REPOSITORY / "tests/agents/servers" / f"{maker}.py").is_file():
        yield f"tests/agents/servers/{maker}.py: a local server as strict as the maker's"
    if not any(speaker.adapter == adapter for speaker in SPEAKERS):
        yield f"tests/agents/speakers.py: a Speaker of {adapter} in SPEAKERS and in MAKERS"


@pytest.mark.parametrize("maker", NAMES)
def test_a_maker_has_all_that_belongs_to_it(maker: str) -> None:
    """Modules of the same names, an adapter, a profile, a row in the docs, known models and a strict server exist."""
    missing = [*missing_modules(maker), *missing_around(maker), *missing_tests(maker)]
    assert not missing, "\n".join([f"{maker} is not complete, it lacks:", *missing])


def test_every_known_model_is_of_a_maker() -> None:
    """Each row of the table of models names a maker whose agent reads it."""
    providers = {agent_of(maker).provider for maker in NAMES}
    assert {row.maker for row in known_models()} <= providers
