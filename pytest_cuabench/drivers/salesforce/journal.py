"""What is being done to an org, written down before it is done, so that whoever comes next can finish it.

    <state folder>/<org id>/journal.jsonl    one line per event, flushed to the disk
    <state folder>/<org id>/<name>.snapshot  what the org is to be brought back to

An episode is *open* from the moment its snapshot lies on the disk until the org is equal to it again. One that is open
and whose owner is gone is finished by the next session, before anything else. The lines need no replaying: what is
left to do is found by comparing the org with the snapshot, so that a reset may break at any call.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pytest_cuabench.drivers.salesforce.plan import Step
from pytest_cuabench.drivers.salesforce.snapshot import Snapshot
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.leases import Owner

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
class Open:
    """An episode whose org is not known to be back where it was.

    Attributes:
        name: Of the episode.
        watched: The objects and `metadata/` types that are brought back.
        snapshot: The file with what they were.
    """

    name: str
    watched: frozenset[str]
    snapshot: Path
    owner: Owner


class Journal:
    """The journal of one org; several processes may write to it at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def open(self, name: str, snapshot: Snapshot, watched: frozenset[str]) -> Open:
        """Begin an episode: from here on the org is to be brought back to the snapshot."""
        opened = Open(name, watched, self._snapshot(name), Owner.me())
        snapshot.save(opened.snapshot)
        self._add(OPENED, name, watched=sorted(watched), owner=asdict(opened.owner))
        return opened

    def intend(self, name: str, step: Step) -> None:
        """Note a step before its call is made."""
        self._add(INTENDED, name, step=_step(step))

    def end(self, name: str, step: Step, problem: str | None = None) -> None:
        """Note how a step ended."""
        more = {"problem": problem} if problem else {}
        self._add(FAILED if problem else DONE, name, step=_step(step), **more)

    def adopt(self, name: str, snapshot: Snapshot, old: str, new: str) -> None:
        """Note that a record was made anew; from here on the snapshot means the new one."""
        snapshot.save(self._snapshot(name))
        self._add(ADOPTED, name, old=old, new=new)

    def retire(self, name: str, id: str) -> None:
        """Note a user who could not be deleted, and is of no account from here on."""
        self._add(RETIRED, name, id=id)

    def close(self, name: str, left: tuple[str, ...] = ()) -> None:
        """End an episode: the org is where it was, but for what is named."""
        self._add(CLOSED, name, left=list(left))
        self._snapshot(name).unlink(missing_ok=True)

    def unfinished(self) -> list[Open]:
        """Return the episodes that are open, oldest first, whoever owns them."""
        found: dict[str, Open] = {}
        for line in self.lines():
            if line["event"] == OPENED:
                watched, owner = frozenset(line["watched"]), Owner(**line["owner"])
                found[line["name"]] = Open(line["name"], watched, self._snapshot(line["name"]), owner)
            elif line["event"] == CLOSED:
                found.pop(line["name"], None)
        return list(found.values())

    def retired(self) -> frozenset[str]:
        """Return the users who are of no account any more."""
        return frozenset(line["id"] for line in self.lines() if line["event"] == RETIRED)

    def lines(self) -> Iterator[Mapping[str, Any]]:
        """Yield all events; a line that was cut by a crash is passed over.

        Raises:
            EnvironmentFailure: The file cannot be read.
        """
        try:
            text = (self.folder / FILE).read_text(encoding="utf-8")
        except FileNotFoundError:
            return
        except OSError as error:
            raise EnvironmentFailure(f"{self.folder / FILE} cannot be read: {error.strerror}") from error
        for line in text.splitlines():
            with suppress(ValueError):
                yield json.loads(line)

    def _snapshot(self, name: str) -> Path:
        return self.folder / f"{re.sub(r'[^A-Za-z0-9._-]', '_', name)}.snapshot"

    def _add(self, event: str, name: str, **more: Any) -> None:
        line = json.dumps({"event": event, "name": name, **more}, separators=(",", ":"), default=str)
        descriptor = os.open(self.folder / FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            # One write of a whole line, begun on a line of its own should the last one have been cut by a crash.
            os.write(descriptor, f"{self._fresh(descriptor)}{line}\n".encode())
            os.fsync(descriptor)
        except OSError as error:
            raise EnvironmentFailure(f"{self.folder / FILE} cannot be written: {error.strerror}") from error
        finally:
            os.close(descriptor)

    def _fresh(self, descriptor: int) -> str:
        size = os.fstat(descriptor).st_size
        if not size:
            return ""
        with (self.folder / FILE).open("rb") as file:
            file.seek(size - 1)
            return "" if file.read(1) == b"\n" else "\n"


def state_folder(org: str) -> Path:
    """Return where the journal of an org lies: below the user's state folder, or where the variable says."""
    told = os.environ.get("CUABENCH_STATE")
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return (Path(told) if told else home / "cuabench") / "salesforce" / re.sub(r"[^A-Za-z0-9]", "_", org)


def _step(step: Step) -> dict[str, Any]:
    return {"act": step.act, "object": step.object, "key": step.key, "fields": dict(step.fields)}
