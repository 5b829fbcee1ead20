"""What belongs to each canonical action, held for all of them; each message names the file to edit."""

from __future__ import annotations

import ast
import asyncio
import typing
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, cast

import pytest
from drivers.conformance import CASES

from pytest_cuabench.agents.models.extras import EXTRAS
from pytest_cuabench.drivers.chromium.acting.actions import ActionExecutor
from pytest_cuabench.drivers.chromium.environment import ChromiumEnvironment
from pytest_cuabench.drivers.desktop.actions import carry_out
from pytest_cuabench.reporting.words import action_words
from pytest_cuabench.task.action import ACTIONS, Action, Answer, CallUser, Size, Terminate, parse_action
from pytest_cuabench.task.observation import ActionResult, Box, Mark
from pytest_cuabench.task.redact import without

REPOSITORY = Path(__file__).parents[2]
ACTION = "pytest_cuabench/task/action.py"
CHROMIUM = "pytest_cuabench/drivers/chromium/acting/actions.py"
DESKTOP = "pytest_cuabench/drivers/desktop/actions.py"
GUEST = "environments/desktop/guest/actions.py"
OSWORLD = "pytest_cuabench/drivers/desktop/osworld/input.py"
SCREEN = Size(1280, 800)
SECRET = "correct-horse"
IN_THE_LOOP = (Answer, CallUser, Terminate)  # which no driver sees
GROWING = {"text", "path", "repeat", "seconds", "dx", "dy"}  # arguments that an action takes longer with
SAMPLES: dict[str, Any] = {
    "x": 1, "y": 1, "path": ((1, 1), (2, 2)), "region": (0, 0, 2, 2), "dy": 1, "key": "a", "keys": ("a",),
    "seconds": 0.5, "index": 0, "mark": 1,
}  # fmt: skip


class RecordingGuest:
    """A guest's client that notes the kinds of actions it is asked for."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()

    async def perform(self, actions: Sequence[Action]) -> tuple[ActionResult, ...]:
        self.kinds |= {action.kind for action in actions}
        return (ActionResult(),)


def sample(cls: type[Action]) -> Action:
    """Return an action of this class, whose texts are a secret."""
    hints = typing.get_type_hints(cls)
    values = {field.name: SECRET for field in fields(cls) if hints[field.name] is str} | SAMPLES
    needed = {field.name for field in fields(cls) if field.default is MISSING or hints[field.name] is str}
    needed |= {field.name for field in fields(cls)} & {"dy"}  # a wheel that does not turn is no action
    if unknown := sorted(needed - set(values)):
        pytest.fail(f"{cls.kind}: add a value of {', '.join(unknown)} to SAMPLES in {Path(__file__).name}")
    return cls(**{name: values[name] for name in needed})


def own(cls: type[Action], method: str) -> bool:
    """Whether an action has a method of its own."""
    return getattr(cls, method) is not getattr(Action, method)


def keys_of_table(path: str, name: str) -> set[str]:
    """Return the keys of a table in a program of ours that is not imported here."""
    for node in ast.walk(ast.parse((REPOSITORY / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
            return {ast.literal_eval(key) for key in cast(ast.Dict, node.value).keys if key}
    raise AssertionError(f"{path} has no table {name}")


def methods_of_class(path: str, name: str) -> set[str]:
    """Return the names of a class's methods in a script that runs in a machine."""
    for node in ast.parse((REPOSITORY / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
    raise AssertionError(f"{path} has no class {name}")


def missing_in_the_class(cls: type[Action]) -> Iterator[str]:
    """Yield what the class itself does not declare."""
    if "words" not in vars(cls):
        yield f"{ACTION}: give {cls.__name__} words(), the line of the terminal and of the report"
    if not cls.__doc__:
        yield f"{ACTION}: give {cls.__name__} a docstring, which programs are offered it by"
    works = cls.needs in ("pointer", "keyboard", "elements") or cls.kind == "wait"
    grows = GROWING & {field.name for field in fields(cls)}
    if works and grows and not own(cls, "extra_seconds"):
        yield f"{ACTION}: give {cls.__name__} extra_seconds(), since it takes longer with {', '.join(sorted(grows))}"
    if cls.passive and cls.needs != "talk":
        yield f"{ACTION}: {cls.__name__} needs {cls.needs}, so it is not passive"


def missing_in_drivers(cls: type[Action]) -> Iterator[str]:
    """Yield which drivers cannot do what their capabilities promise."""
    handlers = ActionExecutor(cast(Any, None), cast(Any, None), ()).handlers()
    at_mark = cls.kind == "click_element"  # done as a click
    if cls.needs in ChromiumEnvironment.capabilities and cls not in handlers and not at_mark:
        yield f"{CHROMIUM}: add {cls.__name__} to ActionExecutor.handlers, and to _on_dialog what it does there"
    if cls.needs in ("pointer", "keyboard", "elements"):
        guest, mark = RecordingGuest(), Mark(1, "button", "Save", Box(10, 10, 20, 20))
        asyncio.run(carry_out(sample(cls), cast(Any, guest), SCREEN, (mark,)))
        for path, known in (
            (GUEST, keys_of_table(GUEST, "_ACTS")),
            (OSWORLD, methods_of_class(OSWORLD, "Input")),
        ):
            if unknown := sorted(guest.kinds - known):
                hint = f", or split it in {DESKTOP}" if cls.needs == "elements" else ""
                yield f"{path}: perform {', '.join(unknown)}{hint}"
    if cls.needs in ("apps", "code") and cls.kind not in keys_of_table(GUEST, "_ACTS"):
        yield f"{GUEST}: perform {cls.kind}"


def missing_elsewhere(cls: type[Action]) -> Iterator[str]:
    """Yield which lists of models' tools and of tests lack the action."""
    arguments = [field.name for field in fields(cls)]
    offers = {extra.name: list(extra.properties) for extra in EXTRAS}
    if cls.needs in ("browser", "elements") and offers.get(cls.kind) != arguments:
        yield f"pytest_cuabench/agents/models/extras.py: offer {cls.kind} with {', '.join(arguments) or 'nothing'}"
    tested = any(isinstance(action, cls) for case in CASES for action in case.actions)
    if cls.needs in ("pointer", "keyboard") and not tested:
        yield f"tests/drivers/conformance/: add a case of {cls.__name__} to mouse.py, keys.py or text.py"


@pytest.mark.parametrize("cls", ACTIONS.values(), ids=ACTIONS)
def test_an_action_has_all_that_belongs_to_it(cls: type[Action]) -> None:
    """Words, a time limit, drivers that perform it, offers to models and a case of the conformance tests are there."""
    missing = [*missing_in_the_class(cls), *missing_in_drivers(cls), *missing_elsewhere(cls)]
    assert not missing, "\n".join([f"{cls.kind} is not complete:", *missing])


@pytest.mark.parametrize("cls", ACTIONS.values(), ids=ACTIONS)
def test_a_secret_in_an_action_is_masked(cls: type[Action]) -> None:
    """A record with its secrets masked still reads as the same kind of action, and no line of it shows a secret."""
    recorded = without(sample(cls).to_json(), (SECRET,))
    assert isinstance(parse_action(recorded), cls)
    assert SECRET not in action_words(recorded)


@pytest.mark.parametrize("cls", IN_THE_LOOP, ids=lambda cls: cls.kind)
def test_what_the_loop_does_itself_needs_no_capability(cls: type[Action]) -> None:
    """Answering, ending and calling the user are possible everywhere, and change nothing on a screen."""
    assert (cls.needs, cls.passive) == ("talk", True)
