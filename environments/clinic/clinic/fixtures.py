"""Reads the written data that seeds and rules start from."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


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
