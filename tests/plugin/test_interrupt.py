"""Ctrl-C ends the episode in flight in order: what was played is kept, what was not is said."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_cuabench.task.text import visible

OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")


@pytest.fixture
def start(sample: pytest.Pytester) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a session in a process group of its own, as a terminal does."""
    started: list[subprocess.Popen[str]] = []

    def starting(*options: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *OTHERS, "suites/sample", *options],
            cwd=sample.path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield starting
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_for_players(sample: pytest.Pytester, count: int) -> None:
    """Return when so many players wait for ever."""
    deadline = time.monotonic() + 60
    while len(list(sample.path.glob("waiting-*"))) < count:
        assert time.monotonic() < deadline, "no player waits"
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("workers", "waiting"),
    [
        ((), ["note-step"]),
        pytest.param(("-n2",), ["note-step", "count-intent"], marks=pytest.mark.slow),
    ],
    ids=["one", "two"],
)
def test_interrupt(
    players: Any,
    start: Any,
    sample: pytest.Pytester,
    played: Any,
    workers: tuple[str, ...],
    waiting: list[str],
) -> None:
    """Ctrl-C leaves a ledger in which the episodes in flight are cancelled and those that ended are as they were."""
    scripts = {name.replace("-", "_"): "wait" for name in waiting}
    session = start(players("n =2", **scripts), *workers)
    wait_for_players(sample, len(waiting))
    os.killpg(session.pid, signal.SIGINT)
    text, _ = session.communicate(timeout=60)
    assert session.returncode == pytest.ExitCode.INTERRUPTED
    assert "KeyboardInterrupt" in text
    attempts = played()
    for name in waiting:
        (attempt,) = attempts.pop(f"desk/{name}")
        assert (attempt.outcome, attempt.error) == ("cancelled", "the run was stopped")
        assert attempt.seconds.model > 0
    assert [attempt.outcome for (attempt,) in attempts.values()] == ["success"] * len(attempts)
    assert "desk/note-intent" in attempts or workers
    assert visible("cancelled") in text
