"""What was found out about a desktop at one moment, and digests of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from guest.applications.base import Collections


@dataclass(frozen=True, slots=True)
class Look:
    """What was found out about a desktop at one moment.

    Attributes:
        trouble: What keeps the application's collections from being read, in a sentence; they are older then.
    """

    collections: Collections
    trouble: str | None = None

    @property
    def fingerprint(self) -> str:
        """A digest of what is true."""
        return digest_of(self.collections)


def digest_of(data: Any) -> str:
    """Return a digest of plain data, whatever the order of its keys."""
    text = json.dumps(data, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
