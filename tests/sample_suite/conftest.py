"""The suite's world is a fake: key 'n' notes, 'x' harms, 'b' breaks the world, 'd' kills the worker.

It also breaks by itself, while it is waited for.
"""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Action, Key, Wait
from pytest_cuabench.testing import FakeEnvironment


def react(world: FakeEnvironment, action: Action) -> None:
    match action:
        case Key(keys=("n",)):
            world.write("notes", "1", patient="A", text="seen")
        case Key(keys=("x",)):
            world.write("notes", "2", patient="B", text="seen")
        case Key(keys=("b",)) | Wait():
            raise EnvironmentFailure("the desk fell over")
        case Key(keys=("f",)) if world.resets == 1:
            raise EnvironmentFailure("the desk shook")
        case Key(keys=("f",)):
            world.write("notes", "1", patient="A", text="seen")
        case Key(keys=("d",)):
            with suppress(FileExistsError):  # one worker dies
                Path("died").touch(exist_ok=False)
                os._exit(9)


@pytest.fixture
def environment() -> FakeEnvironment:
    return FakeEnvironment({"patients": {"A": {"name": "Ada"}, "B": {"name": "Bo"}}}, react)
