"""Snapshots of an org as plain data: records of the watched objects, and metadata components."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import EnvironmentFailure

Record = Mapping[str, Any]
Records = Mapping[str, Mapping[str, Record]]
METADATA = "metadata/"


@dataclass(frozen=True, slots=True)
class Component:
    """One metadata component: its XML as a tree, and its deployable file."""

    tree: Mapping[str, Any]
    path: str = ""
    text: str = ""
    created: str = ""


Components = Mapping[str, Mapping[str, Component]]
Listing = Mapping[str, Mapping[str, Mapping[str, str]]]
CREATED, CHANGED = "createdDate", "lastModifiedDate"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An org at one moment.

    Attributes:
        org: Id of the organization.
        taken: The org's time in UTC before the first record was read.
        records: By object and id.
        components: By metadata type and full name.
        listed: Stamps of components that were not read, by metadata type and full name.
    """

    org: str
    taken: str
    records: Records
    components: Components = field(default_factory=dict)
    listed: Listing = field(default_factory=dict)

    def trees(self, kind: str) -> dict[str, Mapping[str, Any]]:
        """Return the components of a type by full name; listed ones have their stamp instead of a tree."""
        listed = {name: {CHANGED: one.get(CHANGED, "")} for name, one in self.listed.get(kind, {}).items()}
        return {**listed, **{name: one.tree for name, one in self.components.get(kind, {}).items()}}

    def collections(self) -> dict[str, dict[str, Any]]:
        """Return records by object and id, and the trees of components as `metadata/<Type>` by full name."""
        found: dict[str, dict[str, Any]] = {name: dict(rows) for name, rows in self.records.items()}
        for kind in {**self.components, **self.listed}:
            found[METADATA + kind] = self.trees(kind)
        return found

    def within(self, watched: frozenset[str]) -> Snapshot:
        """Return a copy restricted to some objects and `metadata/` types."""
        return replace(
            self,
            records={name: rows for name, rows in self.records.items() if name in watched},
            components={kind: rows for kind, rows in self.components.items() if METADATA + kind in watched},
            listed={kind: rows for kind, rows in self.listed.items() if METADATA + kind in watched},
        )

    def merged(self, newer: Snapshot) -> Snapshot:
        """Return a copy updated with the objects and types of a newer snapshot."""
        return replace(
            self,
            taken=newer.taken,
            records={**self.records, **newer.records},
            components={**self.components, **newer.components},
            listed={**self.listed, **newer.listed},
        )

    def with_successor(self, object: str, old: str, row: Record, kept: frozenset[str]) -> Snapshot:
        """Return a copy in which a recreated record replaces the old one, with all references updated.

        The new id and automatic values are expected from then on; the fields `kept` keep their expected values.
        """
        new = str(row["Id"])
        turned = {
            name: {key: _with_new_ids(one, old, new) for key, one in rows.items() if key != old}
            for name, rows in self.records.items()
        }
        expected = _with_new_ids(self.records.get(object, {}).get(old, {}), old, new)
        turned.setdefault(object, {})[new] = {
            **row,
            **{name: value for name, value in expected.items() if name in kept},
        }
        return replace(self, records=turned)

    def save(self, file: Path) -> None:
        """Write the file atomically, readable by this user only."""
        draft = file.with_suffix(".draft")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as raw:
            raw.write(gzip.compress(json.dumps(asdict(self), separators=(",", ":")).encode(), 1, mtime=0))
            raw.flush()
            os.fsync(raw.fileno())
        draft.replace(file)

    @classmethod
    def load(cls, file: Path) -> Snapshot:
        """Read a file written by `save`.

        Raises:
            EnvironmentFailure: The file is missing or malformed.
        """
        try:
            data = json.loads(gzip.decompress(file.read_bytes()))
            components = {
                kind: {name: Component(**one) for name, one in table.items()}
                for kind, table in data["components"].items()
            }
            return cls(data["org"], data["taken"], data["records"], components, data.get("listed", {}))
        except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
            raise EnvironmentFailure(f"the snapshot {file} cannot be read: {type(error).__name__}") from error


def _with_new_ids(record: Record, old: str, new: str) -> Record:
    if old not in record.values():
        return record
    return {name: new if value == old else value for name, value in record.items()}
