"""Reads the written data that seeds and rules start from."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SHIPPED = Path(__file__).resolve().parents[3] / "fixtures" / "clinic"


@dataclass(frozen=True)
class Fixtures:
    """A folder of TOML files, each parsed once."""

    folder: Path
    _parsed: dict[str, dict[str, Any]] = field(default_factory=dict, compare=False, repr=False)

    def load(self, name: str) -> dict[str, Any]:
        """Return the content of `<folder>/<name>.toml`; callers must not change it."""
        if name not in self._parsed:
            self._parsed[name] = tomllib.loads((self.folder / f"{name}.toml").read_text(encoding="utf-8"))
        return self._parsed[name]


_opened = Fixtures(SHIPPED)


def open_fixtures(folder: Path) -> Fixtures:
    """Return the fixtures of a folder; applications that are imported later take their choice lists from it."""
    global _opened
    _opened = Fixtures(folder)
    return _opened


def shared_choices(application: str) -> dict[str, dict[str, str]]:
    """Return the choice lists that suites judge by, too."""
    return _opened.load(f"{application}/choices")
