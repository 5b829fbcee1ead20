"""What a run's folder tells while episodes are played, and what a person asks of them (`cuabench watch`).

    live/session.json    the session that plays: its process and when it started
    live/<pid>.jsonl     one line for each change of an episode, by the process that plays it
    live/commands.jsonl  what a person asks for in the page; episodes read it between steps

The folder exists only while a session plays. Lines hold the goal and the steps with secrets masked, and nothing else of
the case. A line that cannot be written is left out: nobody loses an attempt because it could not be watched.
"""

from __future__ import annotations

import os
import shutil
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from pytest_cuabench.ledger.jsonl import add_line, line_of, read_lines, recording, write_json
from pytest_cuabench.task.bounded import parse_json

FOLDER = "live"
_SESSION, _COMMANDS = "session.json", "commands.jsonl"

Command = Literal["pause", "resume", "abort", "take", "act", "give", "end"]
COMMANDS: tuple[Command, ...] = get_args(Command)
TAKE_OVER: tuple[Command, ...] = ("take", "act", "give", "end")  # for one attempt, with `--cua-take-over`
MOST_WAITING = 50  # actions of a person that wait to be performed; further ones are dropped


def open_session(run: Path, *, take_over: bool = False) -> None:
    """Create the folder for this session, without what a killed one left in it.

    Raises:
        RecordFailure: It cannot be written.
    """
    close_session(run)
    with recording(run / FOLDER):
        (run / FOLDER).mkdir()
    write_json(run / FOLDER / _SESSION, {"pid": os.getpid(), "started": time.time(), "take_over": take_over})


def close_session(run: Path) -> None:
    """Remove the folder."""
    shutil.rmtree(run / FOLDER, ignore_errors=True)


def session_of(run: Path) -> dict[str, Any] | None:
    """Return process, start and options of the session that plays, and whether it is alive; None if there is none."""
    try:
        found = parse_json((run / FOLDER / _SESSION).read_bytes())
        pid, started = int(found["pid"]), float(found["started"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    take_over = found.get("take_over") is True
    return {"pid": pid, "started": started, "alive": _alive(pid), "take_over": take_over}


def files_of(run: Path) -> Iterator[Path]:
    """Yield the files with lines of episodes."""
    yield from (file for file in sorted((run / FOLDER).glob("*.jsonl")) if file.name != _COMMANDS)


def tell(run: Path, attempt: str, facts: dict[str, Any]) -> None:
    """Append a line on an attempt, if a session plays."""
    line = line_of({"attempt": attempt, "time": round(time.time(), 3), **facts})
    with suppress(OSError), (run / FOLDER / f"{os.getpid()}.jsonl").open("ab") as opened:
        opened.write(line)


# Commands


def ask(run: Path, command: Command, attempt: str | None = None, action: object = None) -> None:
    """Append a command for one attempt, or for the whole run; `action` is that of `act`.

    Raises:
        RecordFailure: No session plays, or the folder cannot be written.
    """
    line = {"command": command, "attempt": attempt, "time": time.time()}
    add_line(run / FOLDER / _COMMANDS, line if action is None else {**line, "action": action})


@dataclass(slots=True)
class Commands:
    """The commands for one attempt. Looking costs one `stat` as long as nobody commands anything.

    Attributes:
        paused: Whether the attempt is to wait.
        aborted: `attempt` or `run` if a person aborted one of them.
        take_over: Whether a person may take over; otherwise these commands are ignored.
        taken: Whether a person has taken over.
        acts: What the person asked for since then: the data of an action, or `give` or `end`.
    """

    run: Path
    attempt: str
    take_over: bool = False
    paused: bool = field(default=False, init=False)
    aborted: str = field(default="", init=False)
    taken: bool = field(default=False, init=False)
    acts: deque[tuple[Command, object]] = field(default_factory=deque, init=False)
    _size: int = field(default=0, init=False)
    _read: int = field(default=0, init=False)

    def look(self) -> None:
        """Read what was commanded."""
        file = self.run / FOLDER / _COMMANDS
        try:
            size = os.stat(file).st_size
        except OSError:
            return
        if size != self._size:
            self._size = size
            self._follow(file)

    def _follow(self, file: Path) -> None:
        """Take the new commands for the attempt or for all; an abort is final."""
        with suppress(OSError):
            lines = list(read_lines(file))
            new, self._read = lines[self._read :], len(lines)
            for line in new:
                whole = line.get("attempt") is None
                if not whole and line["attempt"] != self.attempt:
                    continue
                match line.get("command"):
                    case "pause" | "resume" as command:
                        self.paused = command == "pause"
                    case "abort":
                        self.aborted = "run" if whole or self.aborted == "run" else "attempt"
                    case "take" if self.take_over and not whole and not self.taken:
                        self.taken, self.paused = True, False
                        self.acts.clear()
                    case "act" | "give" | "end" as command if self.taken:
                        if command != "act" or len(self.acts) < MOST_WAITING:
                            self.acts.append((command, line.get("action")))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:  # the process of another user
        return True
    except OSError:
        return False
    return True
