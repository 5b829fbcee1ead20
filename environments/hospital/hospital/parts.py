"""What `scripts/install-clinical hospital` put into the cache: GNU Health, the web client, and a filled database."""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

INSIDE = Path(__file__).resolve().parents[1] / "inside"
WARD = (
    Path(__file__).resolve().parents[3] / "fixtures" / "openemr" / "ward.toml"
)  # both tell of the same people
COMMAND = "scripts/install-clinical hospital"


class MissingPartError(Exception):
    """Something is not installed; the text says what to type."""


@dataclass(frozen=True)
class Parts:
    """Where everything lies.

    Attributes:
        python: The Python that GNU Health is installed in.
        web: The web client, ready to be served.
        template: The database that every session starts from.
    """

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "venv" / "bin" / "python"

    @property
    def web(self) -> Path:
        return self.folder / "web"

    @property
    def template(self) -> Path:
        return self.folder / f"hospital-{recipe()}.sqlite"

    @property
    def password(self) -> Path:
        return self.folder / "password"


def recipe() -> str:
    """Return a digest of everything that the database is made by."""
    made_by = (INSIDE / "seed.py", INSIDE / "packages.txt", WARD, Path(__file__).with_name("journal.py"))
    return sha256(b"".join(file.read_bytes() for file in made_by)).hexdigest()[:12]


def cache() -> Parts:
    """Return the place of all parts."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Parts(home / "cuabench" / "hospital")


def installed() -> Parts:
    """Return the parts.

    Raises:
        MissingPartError: They are not all there.
    """
    parts = cache()
    if not all(file.exists() for file in (parts.python, parts.web / "index.html", parts.template)):
        raise MissingPartError(f"GNU Health is not installed for this version; type: {COMMAND}")
    return parts
