"""Invented people, drawn from the name pools of the fixtures."""

import random
from dataclasses import dataclass, field
from datetime import date, timedelta

from clinic.fixtures import Fixtures


@dataclass(frozen=True)
class Person:
    """Somebody who does not exist."""

    family: str
    given: str
    sex: str
    born: date


@dataclass
class Registry:
    """Draws people and numbers that occur once per hospital."""

    fixtures: Fixtures
    stream: random.Random
    today: date
    _names: set[tuple[str, str]] = field(default_factory=set)
    _families: set[str] = field(default_factory=set)
    _numbers: set[str] = field(default_factory=set)

    def person(self, sex: str, years: tuple[int, int], family: str | None = None) -> Person:
        """Draw a person; the family name is new unless one is given."""
        family = family or self.family()
        given = self._given(sex, family)
        return Person(family, given, sex, self._born(years))

    def family(self) -> str:
        """Draw a family name that nobody here has, nor one that reads like it."""
        pool = self.fixtures.load("names")["family"]
        return self._keep(self.stream.choice([name for name in pool if name not in self._families]))

    def similar_families(self) -> tuple[str, str]:
        """Draw two family names that are easily confused."""
        pairs = self.fixtures.load("names")["similar"]
        free = [pair for pair in pairs if not self._families.intersection(pair)]
        first, second = self.stream.sample(self.stream.choice(free), 2)
        return self._keep(first), self._keep(second)

    def number(self, digits: int) -> str:
        """Draw an identifying number of fixed length."""
        number = str(self.stream.randrange(10 ** (digits - 1), 10**digits))
        if number in self._numbers:
            return self.number(digits)
        self._numbers.add(number)
        return number

    def _keep(self, family: str) -> str:
        self._families.add(family)
        return family

    def _given(self, sex: str, family: str) -> str:
        pool = self.fixtures.load("names")["given_female" if sex == "F" else "given_male"]
        used = {given for _, given in self._names}
        given: str = self.stream.choice([name for name in pool if name not in used])
        self._names.add((family, given))
        return given

    def _born(self, years: tuple[int, int]) -> date:
        """Keep a month from both ends, so that the age is within the limits all year."""
        oldest = self.today - timedelta(days=round((years[1] + 1) * 365.25) - 40)
        youngest = self.today - timedelta(days=round(years[0] * 365.25) + 40)
        return oldest + timedelta(days=self.stream.randrange((youngest - oldest).days))
