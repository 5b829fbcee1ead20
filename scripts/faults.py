"""Kill processes of sessions at random moments, resume the runs, and tell what was lost, wrong or left behind.

    scripts/faults [--kills N] [--seed S] [KIND ...]

For each kind of process a run with known verdicts (`known_player.py`) is played, and resumed with `--cua-resume` until
every instance is graded. After the kill of a session the run is resumed; after any other kill the session goes on, and
the run is resumed when it ends. After each kill, and at the end:

    lost      lines of the ledger before the kill that are not in it afterwards, byte for byte, at the same place
    wrong     instances whose last attempt has not the known outcome, and attempts that passed without the work
    left      processes, listening ports, and files in the session's TMPDIR, after the last session

Of a program in a box that is killed after it acted, what it did is judged (docs/programs.md): it must have
passed if and only if its right answer arrived.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from known_player import STEPS, THINK, expected
from processes import below, files_left, kind_of, of_session

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.outcome import Outcome

ROOT = Path(__file__).resolve().parents[1]
SHORT, LONG = 0.2, 15.0  # seconds between two kills
PATIENCE = 3600.0  # for a process to appear, and for a session to end
PROGRAM = """
import json, os, time, urllib.request

def call(path, body=None):
    headers = {"Authorization": "Bearer " + os.environ["CUABENCH_TOKEN"]}
    data = body and json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(os.environ["CUABENCH_URL"] + path, data, headers)) as reply:
        return json.load(reply)

goal = call("/v1/briefing")["goal"]
for _ in range(3):
    time.sleep(0.3)
    call("/v1/step", {"actions": [{"kind": "key", "keys": ["z"]}]})
call("/v1/finish", {"status": "success", "answer": "2" if "How many" in goal else "5"})
"""
PROFILE = """
adapter = "program"
[options]
command = ["python3", "/opt/agent/play.py"]
files = ["play.py"]
"""


@dataclass(frozen=True)
class Game:
    """What is played while one kind of process is killed.

    Attributes:
        steps: Of a solution that is not finished, see `known_player.py`.
        kills: Of 200.
    """

    suite: str
    options: tuple[str, ...]
    kills: int
    steps: int = 0
    epochs: int = 10
    agent: str = "known_player:KnownPlayer"


SAMPLE, PROBE, CLINIC = "tests/sample_suite", "tests/desktop_suite", "suites/medcua"
TRIAGE = ("-k", "emergency_triage and vitals", "--cua-at-once=3")
GAMES = {
    "controller": Game(SAMPLE, (), 30, epochs=8),
    "worker": Game(SAMPLE, ("-n2",), 35, epochs=20),
    "session with browser": Game(CLINIC, TRIAGE, 5, STEPS, 1),
    "browser": Game(CLINIC, TRIAGE, 20, STEPS, 1),
    "renderer": Game(CLINIC, TRIAGE, 20, STEPS, 1),
    "world": Game(CLINIC, TRIAGE, 20, STEPS, 1),
    "desktop guest": Game(PROBE, ("-n2",), 15, 1, 4),
    "X server": Game(PROBE, ("-n2",), 15, 1, 4),
    "agent program": Game(SAMPLE, ("-n2", "-k", "count"), 30, epochs=15, agent="program.toml"),
    "watching server": Game(SAMPLE, ("--cua-watch",), 10, epochs=3),
}
CALLED = {"session with browser": "controller"}  # what the process of a game is


@dataclass
class Tally:
    """What became of the kills of one kind."""

    kind: str
    kills: int = 0
    sessions: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    wrong: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def row(self) -> str:
        """Return the row of the table."""
        counted = ", ".join(f"{count} {name}" for name, count in sorted(self.outcomes.items()))
        return (
            f"| {self.kind} | {self.kills} | {self.sessions} | {counted} | {self.lost} | "
            f"{', '.join(self.wrong) or 0} | {', '.join(self.left) or 'nothing'} |"
        )


class Campaign:
    """Kills processes of one kind."""

    def __init__(self, kind: str, kills: int, chance: random.Random) -> None:
        self.tally, self._game, self._goal, self._chance = Tally(kind), GAMES[kind], kills, chance
        self._kind = CALLED.get(kind, kind)
        self._folder = Path(tempfile.mkdtemp(prefix="faults-"))
        self._folder.chmod(0o755)  # programs in boxes are other users
        self._temporary = self._folder / "t"
        self._temporary.mkdir()
        self._run = Run(self._folder / "reports" / "mine")
        self._session: subprocess.Popen[bytes] | None = None
        self._killed: set[int] = set()
        self._suite = ROOT / self._game.suite
        if self._game.suite != CLINIC:
            self._suite = self._folder / "suites" / self._suite.name.removesuffix("_suite")
            shutil.copytree(ROOT / self._game.suite, self._suite)
        (self._folder / "play.py").write_text(PROGRAM)
        (self._folder / "program.toml").write_text(PROFILE)

    def play(self) -> Tally:
        """Kill, resume, and compare."""
        try:
            while self.tally.kills < self._goal:
                if self._ended() and self._finished():
                    self._judge()
                    shutil.rmtree(self._run.folder)
                self._start()
                self._kill()
            self._end()
            while not self._finished():
                self._start()
                self._end()
            self._judge()
            self._start()  # which finds nothing to play, and removes what killed sessions left
            self._end()
            self.tally.left = list(self._left())
        finally:
            if self._session is not None:
                with suppress(ProcessLookupError):
                    os.killpg(self._session.pid, signal.SIGKILL)
            shutil.rmtree(self._folder, ignore_errors=True)
        return self.tally

    def _start(self) -> None:
        """Start or resume the run, unless a session plays it."""
        if not self._ended():
            return
        named = "--cua-resume=mine" if self._run.folder.exists() else "--cua-run=mine"
        game = self._game
        command = [
            *(
                sys.executable,
                "-m",
                "pytest",
                str(self._suite),
                "-q",
                "-p",
                "no:cacheprovider",
                *game.options,
            ),
            *(f"--rootdir={self._folder}", f"--cua-reports={self._folder / 'reports'}", named),
            *(f"--agent={game.agent}", f"--cua-epochs={game.epochs}", "--cua-attempts=20"),
        ]
        environment = {
            **os.environ,
            "TMPDIR": str(self._temporary),
            "PYTHONPATH": str(Path(__file__).parent),
            "PLAYER_STEPS": str(game.steps),
            THINK: "0.1",
        }
        with (self._folder / "output.txt").open("ab") as output:
            self._session = subprocess.Popen(
                command,
                cwd=self._folder,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.tally.sessions += 1

    def _ended(self) -> bool:
        return self._session is None or self._session.poll() is not None

    def _kill(self) -> None:
        """Kill one process of the kind at a random moment, and compare the ledger."""
        victim = self._victim()
        if victim is None:
            return  # the session ended
        time.sleep(self._chance.uniform(SHORT, LONG))
        before = self._ledger()
        try:
            victim.kill()
        except psutil.NoSuchProcess:
            return
        self.tally.kills += 1
        print(f"{self.tally.kind}: {self.tally.kills}", file=sys.stderr, flush=True)
        self._killed.add(victim.pid)
        if self._kind in ("controller", "watching server"):
            self._end()
        self._compare(before)

    def _victim(self) -> psutil.Process | None:
        assert self._session is not None
        end = time.monotonic() + PATIENCE
        while not self._ended() and time.monotonic() < end:
            found = []
            for process in below(self._session.pid):
                with suppress(psutil.Error):
                    if kind_of(process, self._session.pid) == self._kind and process.pid not in self._killed:
                        found.append(process)
            if found and self._ledger():
                return self._chance.choice(found)
            time.sleep(0.5)
        return None

    def _ledger(self) -> bytes:
        with suppress(FileNotFoundError):
            return (self._run.folder / LEDGER).read_bytes()
        return b""

    def _compare(self, before: bytes) -> None:
        whole = before[: before.rfind(b"\n") + 1]
        after = self._ledger()
        if not after.startswith(whole):
            lines = whole.splitlines()
            kept = sum(old == new for old, new in zip(lines, after.splitlines(), strict=False))
            self.tally.lost += len(lines) - kept

    def _end(self) -> None:
        """Wait for the session to end."""
        if self._session is not None:
            self._session.wait(PATIENCE)

    def _finished(self) -> bool:
        """Whether every instance is graded."""
        if not self._run.folder.exists():
            return False
        planned = {
            instance["instance"] for record in self._run.records("plan") for instance in record["instances"]
        }
        graded = {name for name, attempt in self._run.last_attempts().items() if attempt.result.graded}
        return bool(planned) and planned <= graded

    def _judge(self) -> None:
        """Compare all verdicts with the known ones."""
        attempts = list(self._run.attempts())
        self.tally.outcomes.update(attempt.outcome for attempt in attempts)
        self.tally.wrong += [
            f"{attempt.instance} {attempt.number}: {attempt.outcome}"
            for attempt in attempts
            if self._wrong(attempt)
        ]

    def _wrong(self, attempt: Attempt) -> bool:
        if not attempt.result.graded:
            return False
        if self._game.agent == "program.toml":
            return (attempt.result is Outcome.SUCCESS) != (attempt.answer == "2")
        return attempt.result is not expected(attempt.instance)

    def _left(self) -> Iterator[str]:
        """Yield what is there after the last session."""
        assert self._session is not None
        end = time.monotonic() + 20  # for what ends when its parent does
        while time.monotonic() < end and list(of_session(self._temporary, self._session.pid)):
            time.sleep(0.5)
        for process in of_session(self._temporary, self._session.pid):
            with suppress(psutil.Error):
                yield kind_of(process, self._session.pid)
        yield from files_left(self._temporary)


def main() -> None:
    """Kill and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", choices=[[], *GAMES], metavar="KIND", help=", ".join(GAMES))
    parser.add_argument("--kills", type=int, help="of each kind; by default 200 of all kinds")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print("| killed | kills | sessions | attempts | records lost | wrong verdicts | left behind |")
    print("|---|---|---|---|---|---|---|")
    for kind in given.kinds or GAMES:
        campaign = Campaign(kind, given.kills or GAMES[kind].kills, random.Random(f"{given.seed} {kind}"))
        print(campaign.play().row(), flush=True)


if __name__ == "__main__":
    main()
