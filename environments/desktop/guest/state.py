"""The state of a desktop at one moment, and digests."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from guest.data import Collections


@dataclass(frozen=True, slots=True)
class DesktopState:
    """The state of a desktop at one moment.

    Attributes:
        failure: Why collections could not be read, as a sentence; they have their last values then.
        unsealed: Why the application is not believed any more: an agent's code runs in it, or it has ended; likewise.
    """

    collections: Collections
    failure: str | None = None
    unsealed: str | None = None

    @property
    def fingerprint(self) -> str:
        """A digest of the collections."""
        return digest_of(self.collections)


def digest_of(data: Any) -> str:
    """Return a digest of plain data, independent of the order of keys."""
    text = json.dumps(data, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
