"""Whole runs of the shipped suite, as a user types them, in a real Chromium."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Run

APPLICATION = "emergency_triage"  # one is enough to see whole runs; the proofs play all of them
INSTANCES = 12  # of one wording each: what is clicked is the same for both
SOME = "record_vitals or read_vitals or print_wristband or view_queue"
pytestmark = pytest.mark.slow


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "pytest", "--cua-suite=medcua", "-p", "no:cacheprovider", *options]


def play(folder: Path, *options: str, check: bool = False) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*options), cwd=folder, capture_output=True, text=True, check=check)


def one_application(and_: str = "") -> str:
    """Return what `-k` is given to stay within one application."""
    return f"-k={APPLICATION} and ({and_})" if and_ else f"-k={APPLICATION}"


def attempts(folder: Path) -> list[Attempt]:
    """Return all attempts of the one run in a folder."""
    (ledger,) = folder.glob(f"reports/*/{LEDGER}")
    return list(Run(ledger.parent).attempts())


def outcomes(folder: Path) -> Counter[str]:
    return Counter(
        attempt.outcome for attempt in Run(next(folder.glob("reports/*"))).last_attempts().values()
    )


@pytest.fixture(scope="module")
def oracle_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the reference solution over all tasks, with two workers, Allure and JUnit."""
    folder = tmp_path_factory.mktemp("oracle")
    reports = ("--alluredir=allure-results", "--junitxml=junit.xml")
    done = play(folder, "--agent=oracle", "-n", "2", "--dist", "worksteal", one_application("step"), *reports)
    (folder / "terminal.txt").write_text(done.stdout + done.stderr)
    return folder


def test_reference_solutions_pass(oracle_run: Path) -> None:
    """The oracle passes all instances, each at its first attempt, and the terminal says so."""
    terminal = (oracle_run / "terminal.txt").read_text()

    assert f"{INSTANCES} passed" in terminal, terminal
    assert outcomes(oracle_run) == {"success": INSTANCES}
    assert len(attempts(oracle_run)) == INSTANCES
    assert "report: reports/" in terminal


def test_reference_solutions_stay_well_within_their_budgets(oracle_run: Path) -> None:
    """No reference solution needs more than two thirds of the steps an agent may take."""
    tight = {
        a.instance: (a.steps, a.counts.max_steps)
        for a in attempts(oracle_run)
        if a.steps > a.counts.max_steps * 2 / 3
    }

    assert tight == {}


def test_every_step_is_an_allure_step_with_its_picture(oracle_run: Path) -> None:
    """Allure's results hold, for each instance, a step with a screenshot per decision, and stable distinct ids."""
    results = [json.loads(file.read_text()) for file in (oracle_run / "allure-results").glob("*-result.json")]
    steps = {attempt.steps for attempt in attempts(oracle_run)}

    assert len(results) == INSTANCES
    assert len({result["historyId"] for result in results}) == INSTANCES
    for result in results:
        pictured = [
            s for s in result["steps"] if any(a["type"] == "image/png" for a in s.get("attachments", ()))
        ]
        assert len(pictured) >= min(steps)


def test_a_recorded_run_can_be_replayed(oracle_run: Path, tmp_path: Path) -> None:
    """Replaying the recorded actions on the same seeds succeeds as the reference solution did."""
    (run,) = oracle_run.glob("reports/*")

    done = play(
        tmp_path,
        f"--agent=replay:{run}",
        one_application("step and (print_wristband or read_vitals or login)"),
    )

    assert "3 passed" in done.stdout, done.stdout


@pytest.mark.nightly  # each claim by itself is in the audit that CI plays
def test_doing_nothing_solves_nothing(tmp_path: Path) -> None:
    """The agent that does nothing fails all instances and reaches no milestone."""
    done = play(tmp_path, "--agent=noop", "-n", "2", one_application())

    assert f"{2 * INSTANCES} failed" in done.stdout, done.stdout
    assert {attempt.verdict.score for attempt in attempts(tmp_path) if attempt.verdict} == {0.0}


@pytest.mark.nightly
def test_other_seeds_are_other_worlds(tmp_path: Path) -> None:
    """The reference solution passes on seeds it was not written on, with other values in the goals."""
    some = one_application("record_vitals or view_queue")
    done = play(tmp_path, "--agent=oracle", "--cua-seeds=11,12", some, "-n", "2")

    assert "8 passed" in done.stdout, done.stdout
    assert len({attempt.goal for attempt in attempts(tmp_path)}) == 8


@pytest.mark.nightly  # one way to spread them is the run of the reference solution above
@pytest.mark.parametrize(
    "options",
    [
        ("-n", "4"),
        ("-n", "2", "--dist", "loadscope"),
        (),
    ],
)
def test_parallel_runs_agree(tmp_path: Path, options: tuple[str, ...]) -> None:
    """However the instances are spread over workers, the outcomes are the same."""
    done = play(tmp_path, "--agent=oracle", one_application("intent"), *options)

    assert "12 passed" in done.stdout, done.stdout


def chromium_of(pid: int) -> Iterator[int]:
    """Yield the browser processes that a process started, without their own children."""
    children: dict[int, list[int]] = {}
    names: dict[int, str] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, tail = status.read_text().rpartition(")")
        except OSError:
            continue
        child = int(head.split(" ")[0])
        names[child] = head.partition("(")[2]
        children.setdefault(int(tail.split()[1]), []).append(child)
    waiting = [pid]
    while waiting:
        here = waiting.pop()
        if "chrom" in names.get(here, ""):
            yield here
        else:
            waiting += children.get(here, [])


def test_a_killed_browser_costs_only_time(tmp_path: Path) -> None:
    """Killing Chromium in the middle of a run is an environment error that is tried again; all instances pass."""
    with subprocess.Popen(
        command("--agent=oracle", "-n", "2", one_application(f"intent and ({SOME})")),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        killed = False
        while running.poll() is None and not killed:
            steps = list(tmp_path.glob("reports/*/trajectories/*/*/1/steps.jsonl"))
            browsers = list(chromium_of(running.pid)) if len(steps) >= 2 else []
            for browser in browsers[:1]:
                os.killpg(os.getpgid(browser), signal.SIGKILL)  # a script may have started it
                killed = True
            time.sleep(0.02)
        terminal = running.stdout.read() if running.stdout else ""

    assert killed
    assert "4 passed" in terminal, terminal
    found = Counter(a.outcome for a in attempts(tmp_path))
    assert found.pop("environment_error", 0) >= 1  # a machine under load may add one of its own
    assert found == {"success": 4}
