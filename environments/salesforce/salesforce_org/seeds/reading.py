"""Fixtures as files say them, and the book in which their records are entered."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from salesforce_org.store import Org, values

Table = Mapping[str, Any]
_DAY = re.compile(r"today(?:(?P<days>[+-]\d+))?(?: (?P<time>\d\d:\d\d))?")


@dataclass(frozen=True, slots=True)
class Fixtures:
    """The files of a folder, by name without ending."""

    files: Mapping[str, Table]

    @classmethod
    def read(cls, folder: Path) -> Fixtures:
        """Read a folder.

        Raises:
            ValueError: There is no fixture, or a file is no TOML.
        """
        files = {}
        for file in sorted(folder.glob("*.toml")):
            try:
                files[file.stem] = tomllib.loads(file.read_text(encoding="utf-8"))
            except tomllib.TOMLDecodeError as error:
                raise ValueError(f"{file.name}: {error}") from error
        if not files:
            raise ValueError(f"{folder} holds no fixtures")
        return cls(files)

    def __getitem__(self, name: str) -> Table:
        if name not in self.files:
            raise ValueError(f"there is no fixture {name}.toml")
        return self.files[name]


@dataclass
class Book:
    """An org being filled; knows records by object and name, and what day it is for the fixtures.

    Attributes:
        today: The moment at which the org will be when it is ready.
    """

    org: Org
    fixtures: Fixtures
    today: datetime
    ids: dict[tuple[str, str], str] = field(default_factory=dict)

    def enter(self, object: str, given: Table, at: datetime | None = None) -> str:
        """Store a record, as written at a moment, and return its id.

        Raises:
            ValueError: It refers to something that is not there.
        """
        if at is not None:
            self.org.now = at
        id = self.org.insert(object, **{name: self.value(value) for name, value in given.items()})
        name = self.org.name_of(id)
        if name is not None:
            self.ids.setdefault((object, name), id)
        return id

    def enter_all(self, tables: Mapping[str, Iterable[Table]]) -> None:
        """Store records by object, in their order."""
        for object, records in tables.items():
            for given in records:
                self.enter(object, given)

    def value(self, given: Any) -> Any:
        """Return a value with references and relative days resolved."""
        if not isinstance(given, str):
            return given
        if given.startswith("@"):
            object, _, name = given[1:].partition("/")
            return self.id(object, name)
        if found := _DAY.fullmatch(given):
            return self.day(int(found["days"] or 0), found["time"])
        return given

    def id(self, object: str, name: str) -> str:
        """Return the id of a record by name.

        Raises:
            ValueError: No record has this name.
        """
        if (object, name) not in self.ids:
            raise ValueError(f"fixtures refer to {object} {name!r}, which is not there")
        return self.ids[object, name]

    def day(self, days: int, time: str | None = None) -> str:
        """Return a day so many days from the org's, or a moment on it, as records hold them."""
        there = self.today.astimezone(self.org.zone) + timedelta(days=days)
        if time is None:
            return there.date().isoformat()
        hour, minute = map(int, time.split(":"))
        return values.moment(there.replace(hour=hour, minute=minute, second=0, microsecond=0))
