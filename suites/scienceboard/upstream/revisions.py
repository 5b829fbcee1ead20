"""Which release of ScienceBoard's records a set of them is, by what is in them.

`revisions.json` has a digest of every record of each release. A set is of a release if all of its records are; many
records are the same in both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files

from .records import Record

ORIGINAL = "original"  # OS-Copilot/ScienceBoard at 9896c9b, November 2025
VERIFIED = "verified"  # HSZD-Team/ScienceBoard-Verified at cfee7c8, August 2026
_LENGTH = 16  # hexadecimal digits of a digest


def digest(record: Record) -> str:
    """Return the digest of all that a record's file says, however it is laid out."""
    return sha256(json.dumps(record.data, sort_keys=True).encode()).hexdigest()


def revision_of(records: Sequence[Record]) -> str:
    """Return the release that records are of: `original`, `verified`, or how many of them are of none."""
    held = {name: sum(_is_of(record, known) for record in records) for name, known in _known().items()}
    whole = [name for name, count in held.items() if count == len(records)]
    if whole:
        return " or ".join(whole)
    nearest = max(held, key=lambda name: held[name])
    return f"unknown: {len(records) - held[nearest]} of {len(records)} records differ from {nearest}"


def revisions_of(record: Record) -> frozenset[str]:
    """Return the releases that hold exactly this record."""
    return frozenset(name for name, known in _known().items() if _is_of(record, known))


def _is_of(record: Record, known: Mapping[str, str]) -> bool:
    return known.get(f"{record.application}/{record.id}") == digest(record)[:_LENGTH]


@cache
def _known() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = json.loads(
        files(__package__).joinpath("revisions.json").read_text(encoding="utf-8")
    )
    return found
