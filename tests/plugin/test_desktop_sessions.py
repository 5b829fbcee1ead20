"""Whole sessions on real desktops: played, proved, broken into, killed; trouble is retried, and nothing is left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from pytest_cuabench.drivers.leases import Leases

SUITE = Path(__file__).parents[1] / "desktop_suite"
OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")
KILLER = '''
"""Plays the reference solution; before its second decision of the first attempt it kills what `VICTIM` names."""
import os
from contextlib import suppress
from pathlib import Path

import psutil
from pytest_cuabench.agents.builtin.oracle import OracleAgent


class Killer(OracleAgent):
    async def decide(self, observation):
        killed = Path(f"killed-{os.environ['PYTEST_CURRENT_TEST'].split('[')[1].split(']')[0].replace('/', '-')}")
        if self._decided and not killed.exists():
            killed.touch()
            for process in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):  # it may have ended with another one
                    if os.environ["VICTIM"] in (process.name(), *process.cmdline()[-1:]):
                        process.kill()
        return await super().decide(observation)
'''
WAITER = """
import asyncio
from pathlib import Path

from pytest_cuabench.agents.builtin.noop import NoopAgent


class Waiter(NoopAgent):
    async def decide(self, observation):
        Path("waiting").touch()
        await asyncio.Event().wait()
"""


@pytest.fixture
def desk(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with the suite of the event probe, and leases of the test's own."""
    from drivers.desktop_here import require_desktop

    require_desktop()
    shutil.copytree(SUITE, pytester.path / "suites" / "onprobe", ignore=shutil.ignore_patterns("__pycache__"))
    pytester.makeini("[pytest]\n")
    pytester.makepyfile(killer=KILLER, waiter=WAITER)
    pytester.syspathinsert()
    short = Path("/tmp") / f"cua-t{os.getpid()}"  # sockets below pytest's own folders have too long names
    short.mkdir(mode=0o700)
    monkeypatch.setenv("TMPDIR", str(short))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield pytester
    shutil.rmtree(short)


def run(desk: pytest.Pytester, *options: str) -> pytest.RunResult:
    """Run the suite as a user does."""
    return desk.runpytest_subprocess(*OTHERS, "suites/onprobe", *options)


def left(desk: pytest.Pytester) -> list[str]:
    """Return what a session left in the temporary folder, and which processes name that folder."""
    folder = os.environ["TMPDIR"]
    named = []
    for process in psutil.process_iter(["cmdline"]):
        if any(folder in word for word in process.info["cmdline"] or ()):
            named.append(" ".join(process.info["cmdline"]))
    return [*(str(path) for path in Path(folder).glob("cua-desktop-*")), *named]


def attempts(desk: pytest.Pytester) -> dict[str, list[str]]:
    """Return the outcomes of all attempts by instance."""
    from pytest_cuabench.ledger.record import Run

    (folder,) = (path for path in (desk.path / "reports").iterdir())
    found: dict[str, list[str]] = {}
    for attempt in Run(folder).attempts():
        found.setdefault(attempt.instance, []).append(attempt.outcome)
    return found


@pytest.mark.slow
def test_proved(desk: pytest.Pytester) -> None:
    """An audit holds on a real desktop; the reference finds it as the play before it left it: clean."""
    result = run(desk, "--cua-audit", "-k", "write", "--cua-screenshots=off")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["reset on xvfb p50 * ms, p95 * ms: clean * (1), desktop * (2), start * (1)"])
    assert left(desk) == []


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["Xvfb", "--until-eof"])
def test_killed_within_an_episode(
    desk: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, victim: str
) -> None:
    """A killed X server or guest is an environment error, is tried again, and passes; the agent is not blamed."""
    monkeypatch.setenv("VICTIM", victim)
    run(desk, "--agent=killer:Killer").assert_outcomes(passed=2)
    assert attempts(desk) == {
        "probe/write-goal": ["environment_error", "success"],
        "probe/line-goal": ["environment_error", "success"],
    }
    assert left(desk) == []


@pytest.mark.slow
def test_workers_share_nothing(desk: pytest.Pytester) -> None:
    """Two workers have a desktop each, and come to what one comes to."""
    run(desk, "--agent=oracle", "-n2", "--cua-epochs=2").assert_outcomes(passed=4)
    assert left(desk) == []


def wait_for(what: Callable[[], Any], seconds: float = 30.0) -> Any:
    """Return what is true as soon as it is."""
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(0.02)
    return found


@pytest.mark.slow
def test_killed_session(desk: pytest.Pytester) -> None:
    """A session killed with all its workers leaves no process, and the next one removes its folder."""
    session = subprocess.Popen(
        [sys.executable, "-m", "pytest", *OTHERS, "suites/onprobe", "--agent=waiter:Waiter", "-k", "write"],
        cwd=desk.path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for((desk.path / "waiting").exists)
        family = psutil.Process(session.pid).children(recursive=True)
        assert any(process.name() == "Xvfb" for process in family)
    finally:
        os.killpg(session.pid, signal.SIGKILL)
        session.wait()
    psutil.wait_procs(family, timeout=10)
    assert [process for process in family if process.is_running()] == []
    assert len(left(desk)) == 1
    leases = {lease.id: lease.kind for lease in Leases().left_behind()}
    assert "xvfb" in leases.values()
    run(desk, "--agent=noop", "-k", "line").assert_outcomes(failed=1)
    assert left(desk) == []
    assert not leases.keys() & {lease.id for lease in Leases().left_behind()}
