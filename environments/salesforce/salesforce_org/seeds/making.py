"""Makes believable records out of pools of words."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from salesforce_org.seeds.reading import Book, Table


@dataclass
class Filler:
    """Makes records out of pools of words.

    Attributes:
        taken: Names that are in use; no two companies or people of one org are called the same.
        owners: Ids of the users who own what is made.
    """

    book: Book
    chance: random.Random
    owners: list[str]
    taken: set[str] = field(default_factory=set)

    @property
    def pools(self) -> Table:
        """The words."""
        return self.book.fixtures["people"]

    def then(self, longest: int = 180) -> datetime:
        """Return a moment of working hours of the last days."""
        days = 1 + int(longest * self.chance.random() ** 2)  # much of it is recent
        return self.book.today - timedelta(days=days) + timedelta(minutes=self.chance.randrange(480))

    def enter(self, object: str, **given: Any) -> str:
        """Store a record of one of the owners."""
        owned = self.book.org.schema[object].field("OwnerId") is not None
        owner = {"OwnerId": self.chance.choice(self.owners)} if owned else {}
        return self.book.enter(object, {**owner, **given}, self.then())

    def pick(self, object: str, field: str) -> str:
        """Return one of a picklist's values."""
        named = self.book.org.schema[object].field(field)
        assert named is not None
        return self.chance.choice([one.value for one in self.book.org.picklist(named) if one.active])

    def person(self) -> tuple[str, str]:
        """Return first and last name of somebody new."""
        while True:
            names = self.chance.choice(self.pools["first"]), self.chance.choice(self.pools["last"])
            if self._new(" ".join(names)):
                return names

    def company(self) -> str:
        """Return the name of a new company."""
        while True:
            parts = (
                self.chance.choice(self.pools["company_first"]),
                self.chance.choice(self.pools["company_second"]),
            )
            if self._new(" ".join(parts)):
                return " ".join(parts)

    def phone(self) -> str:
        """Return a telephone number of nobody."""
        return f"({self.chance.randrange(201, 990)}) 555-01{self.chance.randrange(100):02}"

    def address(self, prefix: str) -> dict[str, str]:
        """Return the fields of an address."""
        city, state, code = self.chance.choice(self.pools["cities"])
        street = f"{self.chance.randrange(1, 400)} {self.chance.choice(self.pools['streets'])}"
        parts = {"Street": street, "City": city, "State": state, "PostalCode": code, "Country": "USA"}
        return {f"{prefix}{name}": value for name, value in parts.items()}

    def _new(self, name: str) -> bool:
        fresh = name not in self.taken
        self.taken.add(name)
        return fresh
