"""Kinds of GRASS's values: names, colours, and what the console says of a module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Choice, Color, Kind
from pytest_cuabench.task.kinds.base import Spellings

_NAMES = {
    "black": "#000000",
    "white": "#ffffff",
    "red": "#ff0000",
    "gray": "#808080",
    "grey": "#808080",
}
_LIGHTS = re.compile(r"(\d{1,3})[:,; ](\d{1,3})[:,; ](\d{1,3})(?:[:,; ]\d{1,3})?")  # wx adds an opacity


@dataclass(frozen=True)
class Name(Choice):
    """A name in a database, which does not tell case apart."""

    def meaning(self, value: Any) -> str:
        return str(value).casefold()

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "other case", value.swapcase()
        yield "small letters", value.lower()


@dataclass(frozen=True)
class Drawn(Color):
    """A colour of a drawing command, without the opacity that the window adds and GRASS passes over."""

    def meaning(self, value: Any) -> tuple[int, int, int]:
        found = _LIGHTS.fullmatch(str(value).strip())
        return super().meaning(":".join(found.groups()) if found else _NAMES.get(str(value), value))

    def spellings(self, value: str, random: Random) -> Spellings:
        red, green, blue = self.meaning(value)
        yield "with an opacity", f"{red}:{green}:{blue}:255"
        yield "without an opacity", f"{red}:{green}:{blue}"
        yield "digits of sixteen", f"#{red:02x}{green:02X}{blue:02x}"
        yield "commas between lights", f"{red},{green},{blue}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        for light in range(3):
            lights = list(self.meaning(value))
            lights[light] ^= 1
            yield ":".join(str(one) for one in lights)
        yield "black" if self.meaning(value) != (0, 0, 0) else "white"


@dataclass(frozen=True)
class Finished(Kind):
    """A text of the console by which a module was run on a map, and came to its end.

    Attributes:
        module: The module's name.
        option: The option that names the map.
        map: The map's name, without its mapset.
    """

    module: str
    option: str
    map: str

    @property
    def name(self) -> str:
        return "output of a module"

    @property
    def _run(self) -> re.Pattern[str]:
        flags = r"(?: -[a-z]+)*"
        called = rf"(?:{self.option}=)?{re.escape(self.map)}(?:@PERMANENT)?"
        return re.compile(
            rf"^{re.escape(self.module)}{flags} {called}{flags}[ \t\r]*$(?P<rest>.*)",
            re.MULTILINE | re.DOTALL,
        )

    def meaning(self, value: Any) -> bool:
        """Return whether the module came to its end.

        Raises:
            ValueError: It was not run on the map.
        """
        run = self._run.search(str(value))
        if run is None:
            raise ValueError(f"{self.module} was not run on {self.map}")
        return "Command finished" in run["rest"] and "ERROR" not in run["rest"]

    def spellings(self, value: str, random: Random) -> Spellings:
        calls = {
            "with its mapset": f"{self.module} {self.option}={self.map}@PERMANENT",
            "without its mapset": f"{self.module} {self.option}={self.map}",
            "without the option's name": f"{self.module} {self.map}",
            "with a flag before": f"{self.module} -g {self.option}={self.map}",
            "with a flag behind": f"{self.module} {self.option}={self.map} -g",
        }
        for form, call in calls.items():
            yield form, self._called(value, call)
        yield "behind other output", f"g.list type=vector\n(now)\nCommand finished\n{value}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield self._called(value, f"{self.module} {self.option}={self.map}x")
        yield self._called(value, f"{self.module} {self.option}=x{self.map}")
        yield self._called(value, f"x{self.module} {self.option}={self.map}")
        yield value.replace("Command finished", "")
        yield value.replace("Command finished", "ERROR: no such map\nCommand finished")
        yield ""

    def _called(self, value: str, call: str) -> str:
        return self._run.sub(lambda run: call + run["rest"], value)
