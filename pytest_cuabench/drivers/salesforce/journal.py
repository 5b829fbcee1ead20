"""Write-ahead journal of an org's resets, so that the next session can finish an interrupted one.

    <state folder>/<org id>/journal.jsonl    one line per event, flushed to the disk
    <state folder>/<org id>/<name>.snapshot  the state to reset the org to

An episode is *open* from the moment its snapshot is on disk until the org is equal to it again. The next session first
finishes open episodes whose owner is gone. The lines are not replayed: the remaining steps are found by comparing the
org with the snapshot, so a reset may be interrupted at any call.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pytest_cuabench.drivers.leases import Owner
from pytest_cuabench.drivers.salesforce.plan import Step
from pytest_cuabench.drivers.salesforce.resources import Watched
from pytest_cuabench.drivers.salesforce.snapshot import METADATA, Snapshot
from pytest_cuabench.errors import EnvironmentFailure

FILE = "journal.jsonl"
OPENED, INTENDED, DONE, FAILED, ADOPTED, RETIRED, CLOSED = (
    "opened",
    "intended",
    "done",
    "failed",
    "adopted",
    "retired",
    "closed",
)


@dataclass(frozen=True, slots=True)
class OpenEpisode:
    """An open episode: its org may differ from the snapshot.

    Attributes:
        name: Of the episode.
        watched: The objects and `metadata/` types to reset.
        snapshot: The file with their initial state.
        components: The watched full names by metadata type; empty means all of the type.
        listed: Metadata types watched by name and stamp only.
    """

    name: str
    watched: frozenset[str]
    snapshot: Path
    owner: Owner
    components: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    listed: frozenset[str] = frozenset()

    @property
    def wanted(self) -> Watched:
        """The objects and types to read for a comparison with the snapshot."""
        objects = frozenset(name for name in self.watched if not name.startswith(METADATA))
        return Watched(objects, self.components, listed=self.listed)


class Journal:
    """The journal of one org; several processes may write to it at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def open(self, name: str, snapshot: Snapshot, watched: Watched) -> OpenEpisode:
        """Open an episode: from now on the org has to be reset to the snapshot."""
        components = {kind: tuple(names) for kind, names in watched.components.items()}
        opened = OpenEpisode(
            name, watched.collections, self._snapshot(name), Owner.me(), components, watched.listed
        )
        # Before the line: an episode that the journal calls open has something to be reset to.
        snapshot.save(opened.snapshot)
        self._add(
            OPENED,
            name,
            watched=sorted(watched.collections),
            owner=asdict(opened.owner),
            components=components,
            listed=sorted(watched.listed),
        )
        return opened

    def intend(self, name: str, step: Step) -> None:
        """Record a step before its call."""
        self._add(INTENDED, name, step=_step(step))

    def end(self, name: str, step: Step, problem: str | None = None) -> None:
        """Record the end of a step."""
        more = {"problem": problem} if problem else {}
        self._add(FAILED if problem else DONE, name, step=_step(step), **more)

    def adopt(self, name: str, snapshot: Snapshot, old: str, new: str) -> None:
        """Record that a record was recreated; the snapshot then refers to the new one."""
        snapshot.save(self._snapshot(name))
        self._add(ADOPTED, name, old=old, new=new)

    def retire(self, name: str, id: str) -> None:
        """Record that a user was deactivated, because users cannot be deleted."""
        self._add(RETIRED, name, id=id)

    def close(self, name: str, left: tuple[str, ...] = ()) -> None:
        """Close an episode: the org is reset, except for the named differences."""
        self._add(CLOSED, name, left=list(left))
        # After the line, for the same reason as in `open`.
        self._snapshot(name).unlink(missing_ok=True)

    def unfinished(self) -> list[OpenEpisode]:
        """Return the open episodes of all owners, oldest first."""
        found: dict[str, OpenEpisode] = {}
        for line in self.lines():
            if line["event"] == OPENED:
                found[line["name"]] = self._opened(line)
            elif line["event"] == CLOSED:
                found.pop(line["name"], None)
        return list(found.values())

    def is_open(self, name: str) -> bool:
        """Whether an episode is still open."""
        return any(opened.name == name for opened in self.unfinished())

    def _opened(self, line: Mapping[str, Any]) -> OpenEpisode:
        watched = frozenset(line["watched"])
        kinds = (name.removeprefix(METADATA) for name in watched if name.startswith(METADATA))
        listed = frozenset(line.get("listed", ()))
        components = line.get("components", dict.fromkeys(kinds, ()))
        named = {kind: tuple(names) for kind, names in components.items()}
        snapshot = self._snapshot(line["name"])
        return OpenEpisode(line["name"], watched, snapshot, Owner.read(line["owner"]), named, listed)

    def retired(self) -> frozenset[str]:
        """Return the deactivated users."""
        return frozenset(line["id"] for line in self.lines() if line["event"] == RETIRED)

    def lines(self) -> Iterator[Mapping[str, Any]]:
        """Yield all events, skipping a line cut short by a crash.

        Raises:
            EnvironmentFailure: The file cannot be read.
        """
        try:
            text = (self.folder / FILE).read_text(encoding="utf-8")
        except FileNotFoundError:
            return
        except OSError as error:
            raise EnvironmentFailure(f"cannot read {self.folder / FILE}: {error.strerror}") from error
        for line in text.splitlines():
            with suppress(ValueError):
                yield json.loads(line)

    def _snapshot(self, name: str) -> Path:
        return self.folder / f"{re.sub(r'[^A-Za-z0-9._-]', '_', name)}.snapshot"

    def _add(self, event: str, name: str, **more: Any) -> None:
        line = json.dumps({"event": event, "name": name, **more}, separators=(",", ":"), default=str)
        descriptor = os.open(self.folder / FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            # One write per line; a line that a crash cut short is ended first.
            os.write(descriptor, f"{self._line_start(descriptor)}{line}\n".encode())
            os.fsync(descriptor)
        except OSError as error:
            raise EnvironmentFailure(f"cannot write {self.folder / FILE}: {error.strerror}") from error
        finally:
            os.close(descriptor)

    def _line_start(self, descriptor: int) -> str:
        size = os.fstat(descriptor).st_size
        if not size:
            return ""
        with (self.folder / FILE).open("rb") as file:
            file.seek(size - 1)
            return "" if file.read(1) == b"\n" else "\n"


def state_folder(org: str) -> Path:
    """Return the folder of an org's journal: below CUABENCH_STATE or the user's state folder."""
    folder = os.environ.get("CUABENCH_STATE")
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return (Path(folder) if folder else home / "cuabench") / "salesforce" / re.sub(r"[^A-Za-z0-9]", "_", org)


def _step(step: Step) -> dict[str, Any]:
    return {"act": step.act, "object": step.object, "key": step.key, "fields": dict(step.fields)}
