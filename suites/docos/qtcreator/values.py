"""Kinds of values that Qt Creator reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Command

_ALIKE = {"NativeFilePath": "FilePath", "NativePath": "Path"}  # on Linux


@dataclass(frozen=True)
class Arguments(Command):
    """Arguments of a tool, in which a native path is the path."""

    program: bool = False

    def meaning(self, value: Any) -> tuple[str, ...]:
        text = str(value)
        for native, plain in _ALIKE.items():
            text = text.replace(f":{native}}}", f":{plain}}}")
        return Command.meaning(self, text)

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield from Command.spellings(self, value, random)
        yield "a native path", value.replace(":FilePath}", ":NativeFilePath}")


ARGUMENTS = Arguments()
