"""Play a suite for hours, and tell whether memory, open files, processes, ports or temporary folders grow.

    scripts/soak [--hours H] [--think S] [--simulated-hours H --pace S] [-- OPTIONS OF PYTEST]
    .venv/bin/python scripts/soak.py --table FOLDER        # the table again, of a soak that ran or runs

One session of pytest plays instances at once, by an agent that waits before each decision and whose verdicts are known
(`known_player.py`). Each half minute everything that the session started is measured. The soak ends as a user ends a
session, with Ctrl-C, after so many hours, or when as many steps were played as the simulated hours have at a pace:

    simulated hours = steps played * seconds a step at that pace / episodes at once / 3600

Only the agent's waiting is compressed. Episodes, steps, pictures and records are as many as in the simulated time; what
goes by the clock (time-outs, ageing of files) is not sped up.

A figure's slope is a straight line through the means of twelve equal parts of the time after the first sixth, or after
`--warm-up` hours, in which caches fill; its interval is that of 95 % by Student's t. A figure grows if the whole
interval is above zero and the line rises by more than 2 % of its start, or by more than half of one, in that time.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil
from known_player import THINK, expected
from processes import files_left, kind_of, of_session
from scipy import stats

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.outcome import Outcome

ROOT = Path(__file__).resolve().parents[1]
OWN = "not viewer and not openemr and not hospital and not pacs"  # applications that need nothing installed
SUITE = ("suites/medcua", "-k", OWN, "--cua-at-once=16")
AT_ONCE = 16
PLAYER = "known_player"  # which also shuffles the instances
EVERY = 30.0  # seconds between two samples
PARTS, WARM_UP = 12, 1 / 6
SAMPLES, ABOUT, RUN = "samples.jsonl", "soak.json", "soak"
Sample = dict[str, float]


def play(folder: Path, given: argparse.Namespace) -> None:
    """Play and sample until the time is over."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells take from jobs in the background
    temporary = folder / "t"
    temporary.mkdir()
    command = [
        *(sys.executable, "-m", "pytest", *(given.options or SUITE), "-q", "-p", "no:cacheprovider"),
        *("-p", PLAYER, f"--agent={PLAYER}:KnownPlayer"),
        *(f"--cua-reports={folder / 'reports'}", f"--cua-run={RUN}"),
        *(f"--cua-seeds={given.seeds}", f"--cua-epochs={given.epochs}", "--cua-max-seconds=100000"),
    ]
    environment = {
        **os.environ,
        "TMPDIR": str(temporary),
        THINK: str(given.think),
        "PYTHONPATH": str(Path(__file__).parent),
    }
    with (folder / "output.txt").open("wb") as output:
        session = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        sampler = Sampler(folder, session.pid)
        while session.poll() is None and not over(sampler.take(), given):
            time.sleep(EVERY)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(session.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            session.wait(120)
        left = [kind_of(process, session.pid) for process in of_session(temporary, session.pid)]
        remains = {"processes": left, "files": list(files_left(temporary))}
        (folder / "left.json").write_text(json.dumps(remains | {"code": session.poll()}))


def over(sample: Sample, given: argparse.Namespace) -> bool:
    """Whether the time is over."""
    simulated = sample["steps"] * given.pace / AT_ONCE / 3600
    return sample["hours"] >= given.hours or simulated >= given.simulated_hours


class Sampler:
    """Measures what a session started."""

    def __init__(self, folder: Path, pid: int) -> None:
        self._folder, self._pid, self._start = folder, pid, time.monotonic()
        self._read, self._episodes, self._steps = 0, 0, 0

    def take(self) -> Sample:
        """Measure once, and append the sample to the file."""
        found: Counter[str] = Counter()
        for process in list(of_session(self._folder / "t", self._pid)):
            with suppress(psutil.Error):
                kind = kind_of(process, self._pid)
                memory = process.memory_full_info()
                found[f"MiB of {kind}"] += memory.pss / 2**20
                found[f"own MiB of {kind}"] += memory.uss / 2**20
                found[f"open files of {kind}"] += process.num_fds()
                found[f"processes: {kind}"] += 1
                found[f"threads of {kind}"] += process.num_threads()
                found["processes"] += 1
                times = process.cpu_times()
                found["CPU"] += times.user + times.system
                connections = process.net_connections("inet")
                found["listening ports"] += sum(c.status == psutil.CONN_LISTEN for c in connections)
                found["other sockets"] += sum(c.status != psutil.CONN_LISTEN for c in connections)
        found["MiB of temporary files"], found["temporary files"] = size(self._folder / "t")
        self._count()
        sample = {
            "hours": (time.monotonic() - self._start) / 3600,
            "episodes": self._episodes,
            "steps": self._steps,
            **found,
        }
        with (self._folder / SAMPLES).open("a") as samples:
            samples.write(json.dumps(sample) + "\n")
        return sample

    def _count(self) -> None:
        """Count the episodes and steps that were recorded since the last time."""
        ledger = self._folder / "reports" / RUN / "ledger.jsonl"
        if not ledger.is_file():
            return
        with ledger.open("rb") as lines:
            lines.seek(self._read)
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                self._read += len(line)
                record = json.loads(line)
                if record["type"] == "attempt":
                    self._episodes += 1
                    self._steps += record["steps"]


def size(folder: Path) -> tuple[float, int]:
    """Return the MiB and the number of files in a folder."""
    sizes = []
    for parent, folders, files in os.walk(folder):  # which passes over a folder that goes away
        for name in folders + files:
            with suppress(OSError):
                sizes.append(os.lstat(f"{parent}/{name}").st_blocks * 512)
    return sum(sizes) / 2**20, len(sizes)


@dataclass(frozen=True)
class Line:
    """What became of one figure.

    Attributes:
        slope: Per hour, with the half of its interval.
    """

    name: str
    start: float
    end: float
    slope: float
    half: float
    grows: bool


def lines(samples: list[Sample], warm_up: float | None = None) -> Iterator[Line]:
    """Yield what became of each figure after the first hours."""
    total = samples[-1]["hours"]
    first = total * WARM_UP if warm_up is None else warm_up
    later = [sample for sample in samples if sample["hours"] >= first]
    if len(later) < PARTS:
        raise SystemExit(f"{len(later)} samples after --warm-up={first:g} tell no slope; use a shorter one")
    names = sorted({name for sample in later for name in sample} - {"hours", "episodes", "steps", "CPU"})
    for name in names:
        parts = np.array_split(np.array([(s["hours"], s.get(name, 0.0)) for s in later]), PARTS)
        hours, values = np.array([part.mean(axis=0) for part in parts]).T
        fitted = stats.linregress(hours, values)
        half = stats.t.ppf(0.975, PARTS - 2) * fitted.stderr
        rise = fitted.slope * (total - later[0]["hours"])
        least = max(0.02 * values[0], 0.0 if "MiB of" in name else 0.5)
        grows = fitted.slope - half > 0 and rise > least
        yield Line(name, values[0], values[-1], fitted.slope, half, grows)


def table(folder: Path, warm_up: float | None) -> Iterator[str]:
    """Yield the lines of what is printed at the end."""
    about = json.loads((folder / ABOUT).read_text())
    samples = [json.loads(line) for line in (folder / SAMPLES).read_text().splitlines()]
    samples = [sample for sample in samples if sample["steps"]]
    if len(samples) < PARTS:
        few = f"{len(samples)} samples with steps, one each {EVERY:g} s, tell no slope"
        yield f"{few}; play until there are {PARTS} or more"
        return
    first, last = samples[0], samples[-1]
    hours, played = last["hours"] - first["hours"], last["steps"] - first["steps"]
    factor = about["pace"] / about["think"]
    yield (
        f"{hours:.2f} hours, {last['episodes']} episodes, {last['steps']} steps: "
        f"{last['steps'] * about['pace'] / AT_ONCE / 3600:.1f} hours at {about['pace']:g} s a step "
        f"(waiting is compressed {factor:.0f} times); {played / hours / 3600:.1f} steps/s, "
        f"{(last['CPU'] - first['CPU']) / hours / 3600:.2f} cores"
    )
    outcomes = Counter(judged(folder))
    yield ", ".join(f"{count} {words}" for words, count in sorted(outcomes.items()))
    if (folder / "left.json").is_file():
        left = json.loads((folder / "left.json").read_text())
        behind = f"{left['processes'] or 'no process'}, {left['files'] or 'no file'}"
        yield f"exit code {left['code']}; left behind: {behind}"
    yield ""
    yield "| what | start | end | per hour | |"
    yield "|---|---|---|---|---|"
    for line in lines(samples, warm_up):
        if max(line.start, line.end) >= 0.05:
            verdict = "grows" if line.grows else "flat"
            yield (
                f"| {line.name} | {line.start:.1f} | {line.end:.1f} | {line.slope:+.2f} ± {line.half:.2f} | {verdict} |"
            )


def judged(folder: Path) -> Iterator[str]:
    """Yield for each instance whether its outcome is the known one."""
    for attempt in Run(folder / "reports" / RUN).attempts():
        if attempt.result is Outcome.CANCELLED:
            yield "cancelled"
        elif not attempt.result.graded:
            yield f"not graded ({attempt.outcome})"
        else:
            yield "right" if attempt.result is expected(attempt.instance) else f"WRONG ({attempt.instance})"


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--think", type=float, default=4.0, help="seconds of waiting before each decision")
    parser.add_argument("--simulated-hours", type=float, default=math.inf)
    parser.add_argument(
        "--pace", type=float, help="seconds of a step in simulated hours; as --think by default"
    )
    parser.add_argument(
        "--warm-up", type=float, metavar="HOURS", help="left out of the slopes; a sixth by default"
    )
    parser.add_argument("--seeds", default="0-1")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where to write; a new temporary folder by default")
    parser.add_argument("--table", type=Path, metavar="FOLDER", help="only print the table of a soak")
    parser.add_argument(
        "options", nargs="*", help="of pytest, after --; medcua, 16 episodes at once, by default"
    )
    given = parser.parse_args(words)
    given.pace = given.pace or given.think
    return given


def main() -> None:
    """Play, then print; or only print."""
    given = arguments()
    folder = given.table or given.folder or Path(tempfile.mkdtemp(prefix="soak-"))
    if not given.table:
        folder.mkdir(exist_ok=True)
        (folder / ABOUT).write_text(json.dumps({"pace": given.pace, "think": given.think}))
        print(f"soaking in {folder}; stop with Ctrl-C", flush=True)
        with suppress(KeyboardInterrupt):
            play(folder, given)
    print("\n".join(table(folder, given.warm_up)))


if __name__ == "__main__":
    main()
