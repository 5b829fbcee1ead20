"""The steps that set a desktop up, as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

Step = dict[str, Any]
Steps = Iterator[Step]

_WORDS = ("amber", "birch", "copper", "delta", "ember", "flint", "grove", "harbour", "indigo", "juniper")


def file(path: str, text: str) -> Steps:
    """Write a file below HOME, and open it."""
    yield {"do": "write", "path": path, "text": text}
    yield {"do": "open", "path": path}


def setup_of_a_program(random: Random) -> Steps:
    """Open a short Python program, the same as in other tasks but for its names."""
    noun, verb = random.sample(_WORDS, 2)
    text = f'"""Counts {noun}."""\n\n\ndef {verb}({noun}):\n    return sum(1 for one in {noun} if one)\n'
    yield from file(f"work/{noun}.py", text)
