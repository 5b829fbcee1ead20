"""The scripts that run inside pages, kept as files of their own language."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def script(name: str) -> str:
    """Return the text of a script of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


REST = 'globalThis[Symbol.for("screen.rest")]?.rest({limit}) ?? true'
