"""Whatever is killed, full, closed, taken or wrong: nothing recorded is lost, and no session is green by accident.

What a user reads is a sentence and no traceback, and the run can be resumed.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.collection.lifecycle import new_folder
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.settings import Settings

pytestmark = pytest.mark.slow  # processes are killed and disks filled

OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")
WORKERS = pytest.mark.parametrize("workers", [(), ("-n2",)], ids=["one", "two"])
Session = subprocess.Popen[str]
Play = Callable[..., pytest.RunResult]
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2


@pytest.fixture
def start(sample: pytest.Pytester) -> Iterator[Callable[..., Session]]:
    """Start a session as a user does, in a process group of its own."""
    started: list[Session] = []

    def starting(*options: str, before: Callable[[], object] | None = None) -> Session:
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *OTHERS, "suites/sample", "--cua-run=mine", *options],
            cwd=sample.path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=before,
        )
        started.append(process)
        return process

    yield starting
    for process in started:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
        process.wait()


@pytest.fixture
def resume(sample: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Go on with the run `mine`."""

    def going_on(*options: str) -> pytest.RunResult:
        run = sample.runpytest_subprocess if "-n2" in options else sample.runpytest_inprocess
        return run(*OTHERS, "suites/sample", "--cua-resume=mine", *options)

    return going_on


@pytest.fixture
def mine(sample: pytest.Pytester) -> Run:
    """The run `mine`, once it is there."""
    return Run(sample.path / "reports" / "mine")


def until(condition: Callable[[], Any], seconds: float = 60) -> Any:
    """Return what a condition comes to as soon as that is something."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
    return found


def waiting(sample: pytest.Pytester) -> list[int]:
    """Return the processes in which a player waits for ever."""
    return [int(file.name.split("-")[1]) for file in sample.path.glob("waiting-*")]


def outcomes(run: Run) -> dict[str, list[str]]:
    """Return the outcomes of all attempts by instance, in the order they were recorded."""
    found: dict[str, list[str]] = {}
    for attempt in run.attempts():
        found.setdefault(attempt.instance.removeprefix("desk/"), []).append(attempt.outcome)
    return found


def said(session: Session) -> str:
    """Return all that a session printed, when it has ended; there is no traceback in it."""
    text, _ = session.communicate(timeout=120)
    assert "Traceback" not in text, text
    assert "INTERNALERROR" not in text, text
    return text


# Who is killed


def test_a_killed_worker(players: Any, start: Any, resume: Any, sample: pytest.Pytester, mine: Run) -> None:
    """It takes one attempt with it, the others are played, the session fails, and going on plays that one."""
    agent = players("n =2", count_intent="l wait")
    session = start(agent, "-n2")
    (worker,) = until(lambda: waiting(sample))
    os.kill(worker, signal.SIGKILL)
    text = said(session)

    assert session.returncode == pytest.ExitCode.TESTS_FAILED
    assert "not graded, excluded from all rates: 1 environment_error" in text
    assert outcomes(mine).pop("count-intent") == ["environment_error"]
    players("n =2")
    result = resume(agent)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*: 5 of 6 instances are finished and keep their results, 1 will be played"])
    assert outcomes(mine)["count-intent"] == ["environment_error", "success"]


KILL = """
import os, signal
from pathlib import Path

def pytest_configure(config):
    if hasattr(config, "workerinput") and not Path("killed").exists():
        config.pluginmanager.register(Killer())

class Killer:
    def pytest_runtest_logreport(self, report):
        if report.when == "setup" and "count-intent" in report.nodeid:
            Path("killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_worker_killed_before_it_could_report(
    players: Any, start: Any, sample: pytest.Pytester, mine: Run
) -> None:
    """What it had recorded stays the result of its instance, and the session fails all the same."""
    sample.makeconftest(KILL)
    session = start(players("n =2"), "-n2")
    said(session)
    assert session.returncode == pytest.ExitCode.TESTS_FAILED
    assert outcomes(mine)["count-intent"] == ["success"]


@WORKERS
def test_a_killed_session(
    players: Any, start: Any, resume: Any, sample: pytest.Pytester, mine: Run, workers: tuple[str, ...]
) -> None:
    """Going on at once plays what is missing and nothing else, and waits for workers that have not noticed yet."""
    agent = players("n =2", count_step="l wait")
    session = start(agent, *workers)
    until(lambda: waiting(sample) and len(outcomes(mine)) >= 3)
    before, finished = (mine.folder / LEDGER).read_bytes(), outcomes(mine)
    os.kill(session.pid, signal.SIGKILL)
    session.wait()

    players("n =2")
    result = resume(agent, *workers)

    result.assert_outcomes(passed=6)
    assert result.ret == pytest.ExitCode.OK
    assert (mine.folder / LEDGER).read_bytes().startswith(before)
    after = outcomes(mine)
    assert len(after) == 6
    assert all(after[name] == ["success"] for name in finished)
    assert {last for *_, last in after.values()} == {"success"}


# Where nothing can be written


def full(bytes_: int) -> Callable[[], object]:
    """Return what makes every file of a process full at a size, as a disk is."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))


@pytest.mark.parametrize(("workers", "bytes_"), [((), 2_000), (("-n2",), 5_000)], ids=["at once", "later"])
def test_a_full_disk(
    players: Any,
    start: Any,
    resume: Any,
    mine: Run,
    monkeypatch: pytest.MonkeyPatch,
    workers: tuple[str, ...],
    bytes_: int,
) -> None:
    """The session is stopped with a sentence, what is recorded is whole, and there is a way to go on."""
    monkeypatch.setenv(
        "PYTHONDONTWRITEBYTECODE", "1"
    )  # Python would keep a part of a module that it cannot write
    agent = players("n =2")
    session = start(agent, *workers, before=full(bytes_))
    text = said(session)

    assert session.returncode == pytest.ExitCode.INTERRUPTED
    assert ": File too large; earlier records are kept" in text
    assert "to resume the run, add --cua-resume=mine" in text
    passed = text.count("✓")
    assert passed < 6
    assert passed <= len(outcomes(mine)) <= 6
    result = resume(agent, *workers)
    result.assert_outcomes(passed=6)
    assert result.ret == pytest.ExitCode.OK
    assert {last for *_, last in outcomes(mine).values()} == {"success"}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 128 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", disk], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"a small disk needs root: {mounted.stderr.decode().strip()}")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_small_disk(
    players: Any, start: Any, resume: Any, small_disk: Path, sample: pytest.Pytester
) -> None:
    """A disk that really is full is the same; what it holds can be resumed where there is room."""
    agent = players("n =2")
    session = start(agent, f"--cua-reports={small_disk}")
    text = said(session)
    assert session.returncode == pytest.ExitCode.INTERRUPTED
    assert "No space left on device" in text
    lost = 6 - len(outcomes(Run(small_disk / "mine")))
    assert text.count("✓") <= 6 - lost
    (sample.path / "reports").mkdir()
    subprocess.run(["cp", "-r", small_disk / "mine", sample.path / "reports" / "mine"], check=True)
    resume(agent).assert_outcomes(passed=6)


def test_reports_that_cannot_be_written(
    players: Any, play: Play, mine: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run whose page cannot be written is recorded whole, but its session is not green."""

    def refuse(run: Run) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pytest_cuabench.reporting.finish.write_report", refuse)
    result = play(players("n =2"), "--cua-run=mine")
    result.assert_outcomes(passed=6)
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    result.stdout.fnmatch_lines(["cuabench: cannot write the report: *No space left on device"])
    assert len(outcomes(mine)) == 6


def without_privileges() -> None:
    """Let a process of root be bound by the permissions of files, as others are."""
    libc = ctypes.CDLL(None)
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


@pytest.mark.parametrize(("workers", "kind"), [((), "closed"), (("-n2",), "file")])
def test_a_closed_folder(
    players: Any, start: Any, sample: pytest.Pytester, kind: str, workers: tuple[str, ...]
) -> None:
    """Reports that cannot be written are refused before anything is played, with what to type instead."""
    reports = sample.path / "reports"
    if kind == "file":
        reports.touch()
    else:
        reports.mkdir(mode=0o500)
    session = start(players("n =2"), *workers, before=without_privileges)
    text = said(session)
    reports.chmod(0o700)
    if kind == "closed" and (reports / "mine").exists():
        pytest.skip("this system does not bind root by permissions")
    assert session.returncode == pytest.ExitCode.USAGE_ERROR
    words = {"closed": "Permission denied", "file": "Not a directory"}[kind]
    assert (
        f"--cua-reports: cannot write to {reports} ({words}); choose another folder with --cua-reports=DIR"
        in text
    )
    assert len(text.strip().splitlines()) == 1


# Who wants the same folder


def test_two_sessions_in_one_folder(
    players: Any, start: Any, sample: pytest.Pytester, mine: Run, resume: Any
) -> None:
    """The second is refused, by its name as well as by going on, and the first plays to its end."""
    agent = players("n =2", both_step="l wait")
    first = start(agent)
    until(lambda: waiting(sample))
    before = (mine.folder / LEDGER).read_bytes()
    second = start(agent)
    assert "mine already exists; resume it with --cua-resume=mine" in said(second)
    assert second.returncode == pytest.ExitCode.USAGE_ERROR
    third = resume(agent)
    assert third.ret == pytest.ExitCode.USAGE_ERROR
    third.stderr.fnmatch_lines(["ERROR: another session is writing to */mine; wait until it ends, or *"])
    assert (mine.folder / LEDGER).read_bytes() == before
    os.killpg(first.pid, signal.SIGINT)
    first.communicate(timeout=60)
    assert outcomes(mine).pop("both-step") == ["cancelled"]


@pytest.mark.parametrize("name", ["mine", None])
def test_sessions_that_start_at_once(pytestconfig: pytest.Config, tmp_path: Path, name: str | None) -> None:
    """Of many that want one name one gets it; those without a name get one each."""
    values = dict.fromkeys(Settings.__dataclass_fields__) | {
        "run": name,
        "reports": "reports",
        "root": tmp_path,
    }
    settings = Settings(**values | {"sources": {}})

    def begin(_: int) -> Path | None:
        try:
            return new_folder(settings)
        except SettingError:
            return None

    with ThreadPoolExecutor(16) as pool:
        found = [folder for folder in pool.map(begin, range(16)) if folder]
    assert len(found) == len(set(found)) == (1 if name else 16)


# What is missing


def test_what_is_not_recorded_is_not_green(players: Any, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session whose passes are not in the ledger, for whatever reason, says so and fails."""
    monkeypatch.setattr(Run, "append", lambda run, attempt: None)
    result = play(players("n =2"))
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(["cuabench: desk/both-intent and 5 more ended, but is not recorded in *"])
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR


def test_no_gate_passes_what_is_not_recorded(
    players: Any, play: Play, sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gate that passes what is in the ledger does not decide over what is not."""
    (sample.path / "gate.toml").write_text("rate = 0.5\ncoverage = 0.5\n")
    options = (players("n =2", count_step="=5"), "--cua-gate=gate.toml")
    assert play(*options).ret == pytest.ExitCode.OK
    append = Run.append

    def forget(run: Run, attempt: Attempt) -> None:
        if attempt.instance != "desk/note-step":
            append(run, attempt)

    monkeypatch.setattr(Run, "append", forget)
    assert play(*options).ret == pytest.ExitCode.INTERNAL_ERROR


STOP = """
import pytest

@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session):
    session.items = session.items[:4]
    return (yield)
"""


def test_what_never_ended_is_not_green(players: Any, play: Play, sample: pytest.Pytester) -> None:
    """A session in which collected instances were never played, and nobody deselected them, fails."""
    sample.makeconftest(STOP)
    result = play(players("n =2"))
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["cuabench: *test_sample[[]desk/both-intent[]] and 1 more did not end"])
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR


# What time it is


@pytest.mark.parametrize("hours", [-30, 30])
def test_a_clock_that_jumps(
    players: Any, play: Play, resume: Any, mine: Run, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """Days forth or back between attempts change no duration, no order and no result."""
    ticks = itertools.count()

    class Jumping(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime(2026, 6, 1, tzinfo=UTC) + next(ticks) * timedelta(hours=hours)

    for module in ("episode.clocks", "ledger.attempt", "collection.lifecycle"):
        monkeypatch.setattr(f"pytest_cuabench.{module}.datetime", Jumping)
    agent = players("n =2", both_intent="idle", note_step="f .")
    play(agent, "--cua-run=mine", "--alluredir=allure").assert_outcomes(passed=5, errors=1)
    attempts = list(mine.attempts())
    starts = [attempt.started for attempt in attempts]
    assert starts == sorted(starts, reverse=hours < 0)
    assert all(0 <= attempt.seconds.world <= attempt.seconds.total < 3600 for attempt in attempts)
    assert outcomes(mine)["note-step"] == ["environment_error", "success"]
    players("n =2")
    result = resume(agent)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*: 5 of 6 instances are finished*"])
    assert outcomes(mine)["both-intent"] == ["environment_error"] * 3 + ["success"]


LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)  # of Debian's package faketime


@pytest.mark.skipif(LIBRARY is None, reason="a clock that jumps needs more; type: apt-get install faketime")
def test_a_system_clock_that_jumps(
    players: Any, start: Any, resume: Any, mine: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weeks forth and back while workers play change no duration and no result, and the run can be resumed."""
    clock = tmp_path / "clock"
    clock.write_text("+0")
    monkeypatch.setenv("LD_PRELOAD", str(LIBRARY))
    monkeypatch.setenv("FAKETIME_TIMESTAMP_FILE", str(clock))
    monkeypatch.setenv("FAKETIME_NO_CACHE", "1")
    monkeypatch.setenv(
        "FAKETIME_DONT_FAKE_MONOTONIC", "1"
    )  # as setting a computer's clock does not change it
    agent = players("n =2", both_intent="idle")
    session = start(agent, "-n2")
    jumps = itertools.cycle(("+30d", "-30d", "+0"))
    while session.poll() is None:
        clock.write_text(next(jumps))
        time.sleep(0.05)
    said(session)
    monkeypatch.delenv("LD_PRELOAD")
    attempts = list(mine.attempts())
    assert len({attempt.started[:10] for attempt in attempts}) > 1
    assert all(0 <= attempt.seconds.world <= attempt.seconds.total < 600 for attempt in attempts)
    assert outcomes(mine).pop("both-intent") == ["environment_error"] * 3
    assert {last for name, (*_, last) in outcomes(mine).items() if name != "both-intent"} == {"success"}
    players("n =2")
    result = resume(agent)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*: 5 of 6 instances are finished*"])
