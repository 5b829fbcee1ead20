"""The known models, `agents/models/known.toml`: which computer tool one takes, and how large a picture may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from fnmatch import fnmatchcase
from functools import cache

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.task import library
from pytest_cuabench.task.toml import read_strict

FILE = library.AGENTS / "models" / "known.toml"


class Picture(BaseModel):
    """The largest picture that is not shrunk: pixels of its longer side, pixels in all, or patches in all."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    long_edge: int | None = Field(default=None, ge=1)
    pixels: int | None = Field(default=None, ge=1)
    patches: int | None = Field(default=None, ge=1)

    def __str__(self) -> str:
        said = {"px": self.long_edge, "pixels": self.pixels, "patches": self.patches}
        return ", ".join(f"{value:,} {unit}" for unit, value in said.items() if value)


class KnownModel(BaseModel):
    """A row of the table, whose comment says what the fields are; `maker` is the `provider` of an agent in `makers`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    maker: str
    names: tuple[str, ...] = Field(min_length=1)
    like: tuple[str, ...] = ()
    tool: str
    tools: Mapping[str, str] = Field(default_factory=dict)
    picture: Picture = Picture()
    thinks: bool = False
    always: tuple[str, ...] = ()
    bound: bool = False
    status: str = Field(min_length=1)
    looked_up: date


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    model: tuple[KnownModel, ...]


@cache
def known_models() -> tuple[KnownModel, ...]:
    """Return all rows.

    Raises:
        SettingError: The table is malformed.
    """
    return read_strict(FILE, _Table).model


def rows_of(maker: str) -> Iterator[KnownModel]:
    """Yield the rows of one maker, in their order."""
    return (row for row in known_models() if row.maker == maker)


def find_known(maker: str, name: str) -> KnownModel | None:
    """Return the row of a model: the one that names it, else the first whose patterns fit; None if none does."""
    named = (row for row in rows_of(maker) if name in row.names)
    alike = (row for row in rows_of(maker) if any(fnmatchcase(name, one) for one in row.like))
    return next(named, None) or next(alike, None)
