"""Several episodes at a time in one process: the same results, played ahead of pytest, and ended in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from phases import add_phases

from pytest_cuabench.ledger.attempt import Attempt

OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")
SCRIPTS = {
    "note_step": "n x",
    "count_intent": "=2",
    "count_step": "idle =5",
    "both_intent": "n b",
    "both_step": "huh n .",
}
CROWD = '''
"""A player that acts only when six of them have started, which needs six at a time."""
import asyncio

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.task.action import Terminate
from pytest_cuabench.testing import ScriptedAgent

started = 0
everybody = asyncio.Event()


class Crowd(ScriptedAgent):
    def __init__(self):
        super().__init__(())

    async def decide(self, observation):
        global started
        started += 1
        if started == 6:
            everybody.set()
        await everybody.wait()
        return Decision((Terminate("failure"),))
'''

PACED = '''
"""A player that is never more than three tests ahead of pytest."""
import asyncio

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.task.action import Terminate
from pytest_cuabench.testing import ScriptedAgent

ahead = asyncio.Semaphore(3)


class Paced(ScriptedAgent):
    def __init__(self):
        super().__init__(())

    async def decide(self, observation):
        await ahead.acquire()
        return Decision((Terminate("failure"),))
'''
COUNTING = '''
"""Count the attempts that are in memory after each test."""
import gc

import paced
from pytest_cuabench.ledger.attempt import Attempt


def pytest_runtest_logfinish():
    paced.ahead.release()
    gc.collect()
    found = sum(isinstance(each, Attempt) for each in gc.get_objects())
    with open("counts.txt", "a") as file:
        file.write(f"{found}\\n")
'''


@pytest.fixture
def play_desk(desk: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the suite in a process of its own."""

    def run(*options: str) -> pytest.RunResult:
        return desk.runpytest_subprocess(*OTHERS, "suites/sample", *options)

    return run


def what_counts(attempt: Attempt) -> tuple[Any, ...]:
    """Return what must not depend on what is played beside an attempt."""
    return (
        *(attempt.instance, attempt.number, attempt.outcome, attempt.verdict, attempt.goal, attempt.answer),
        *(
            attempt.steps,
            attempt.counts.actions,
            attempt.end.commits,
            attempt.ending,
            attempt.end.broke,
            attempt.error,
        ),
    )


def played_in(desk: pytest.Pytester, name: str) -> list[tuple[Any, ...]]:
    """Return what counts of each attempt of a run."""
    from pytest_cuabench.ledger.record import Run

    attempts = Run(desk.path / "reports" / name).attempts()
    return sorted(map(what_counts, attempts), key=lambda each: each[:2])


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(("--cua-at-once=2",), marks=pytest.mark.slow),
        ("--cua-at-once=16",),
        pytest.param(("--cua-at-once=100",), marks=pytest.mark.slow),
        pytest.param(("--cua-at-once=5", "-n2"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
@pytest.mark.slow
def test_results_are_the_same(
    players: Any, play_desk: Any, desk: pytest.Pytester, how: tuple[str, ...]
) -> None:
    """However many are played at once: the same attempts, verdicts, broken environments and reports."""
    agent = players("n .", **SCRIPTS)
    results = {
        name: play_desk(agent, "--cua-seeds=0-9", f"--cua-run={name}", *options)
        for name, options in (("one", ()), ("many", how))
    }
    assert results["one"].parseoutcomes() == results["many"].parseoutcomes()
    one, many = played_in(desk, "one"), played_in(desk, "many")
    assert len(one) > 60  # what broke by itself was tried again
    assert one == many


def test_every_environment_is_closed(players: Any, play_desk: Any, desk: pytest.Pytester) -> None:
    """The end of the session waits for environments that are just being closed."""
    suite = desk.path / "suites" / "sample"
    slowly = """        return Slow({"patients": {"A": {"name": "Ada"}, "B": {"name": "Bo"}}}, react)


class Slow(FakeEnvironment):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        print("opened", file=open("doors", "a"))

    async def close(self):
        await asyncio.sleep(0.3)
        print("closed", file=open("doors", "a"))
"""
    head, _, _ = (suite / "desk_driver.py").read_text().partition("        return FakeEnvironment")
    (suite / "desk_driver.py").write_text(
        head.replace("from pytest", "import asyncio\nfrom pytest", 1) + slowly
    )
    play_desk(players("n ."), "--cua-at-once=3")
    doors = (desk.path / "doors").read_text().split()
    assert doors.count("closed") == doors.count("opened") > 1


@pytest.mark.slow
def test_claims_are_the_same(play_desk: Any, desk: pytest.Pytester) -> None:
    """The claims of an audit, too, are played at once, and hold or fail as they do one at a time."""
    one, many = (
        play_desk("--cua-audit", f"--cua-run={name}", *options)
        for name, options in (("one", ()), ("many", ("--cua-at-once=8",)))
    )
    assert one.parseoutcomes() == many.parseoutcomes()
    assert "one at a time" not in many.stdout.str()
    assert played_in(desk, "one") == played_in(desk, "many") != []


@pytest.mark.parametrize("at_once", [1, 2])
def test_attempts_are_freed_one_by_one(at_once: int, play_desk: Any, desk: pytest.Pytester) -> None:
    """After a test its attempt is on disk alone, so that a long session does not grow with what it played."""
    (desk.path / "conftest.py").write_text(COUNTING)
    (desk.path / "paced.py").write_text(PACED)
    play_desk("--agent=paced:Paced", f"--cua-at-once={at_once}", "--cua-epochs=4")
    counts = list(map(int, (desk.path / "counts.txt").read_text().split()))
    assert len(counts) == 24
    assert max(counts) <= 4  # those of the next tests, which have ended, too


def test_they_are_played_at_the_same_time(play_desk: Any, desk: pytest.Pytester, outcomes: Any) -> None:
    """Players that wait for each other all go on."""
    (desk.path / "crowd.py").write_text(CROWD)
    result = play_desk("--agent=crowd:Crowd", "--cua-at-once=6")
    result.assert_outcomes(failed=6)
    assert set(map(tuple, outcomes().values())) == {("gave_up",)}
    assert "6/6" in result.stdout.str()


def test_what_was_played_ahead_of_a_stop_is_kept(players: Any, play_desk: Any, outcomes: Any) -> None:
    """With -x episodes in progress are cancelled and recorded, ended ones are kept, and resuming plays the rest."""
    agent = players("n .", note_intent="-", count_intent="n =2", both_step="wait")
    result = play_desk(agent, "--cua-at-once=6", "-x", "--cua-run=mine")
    result.assert_outcomes(failed=1)
    found = outcomes()
    assert found.pop("desk/note-intent") == ["gave_up"]
    assert found.pop("desk/both-step") == ["cancelled"]
    assert {outcome for played in found.values() for outcome in played} <= {"success", "failure", "cancelled"}
    again = play_desk(players("n .", count_intent="n =2"), "--cua-resume=mine", "--cua-at-once=6")
    assert sum(again.parseoutcomes().values()) == 6


def test_interrupt_ends_all(players: Any, desk: pytest.Pytester, outcomes: Any) -> None:
    """Ctrl-C cancels every episode in progress, and each is recorded."""
    agent = players("wait")
    session = subprocess.Popen(
        [sys.executable, "-m", "pytest", *OTHERS, "suites/sample", agent, "--cua-at-once=4"],
        cwd=desk.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while len(list(desk.path.glob("waiting-*"))) < 4:
        assert time.monotonic() < deadline, "no four players wait"
        time.sleep(0.02)
    os.killpg(session.pid, signal.SIGINT)
    text, _ = session.communicate(timeout=60)
    assert session.returncode == pytest.ExitCode.INTERRUPTED, text
    assert list(outcomes().values()) == [["cancelled"]] * 5  # four, and the next one, already reset


@pytest.mark.parametrize(
    ("conftest", "test", "reason"),
    [
        (
            "import pytest\n@pytest.fixture(autouse=True)\ndef clock():\n    yield\n",
            "def test_sample(attempt):\n    attempt.require()\n",
            "because of the fixture 'clock' of conftest",
        ),
        pytest.param(
            "",
            "def test_sample(attempt, environment):\n    attempt.require()\n    assert environment.rows['notes']\n",
            "because of the test's use of the fixture 'environment'",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "",
            "import pytest\n@pytest.mark.skipif(False, reason='')\ndef test_sample(attempt):\n    attempt.require()\n",
            "because of the mark skipif",
            marks=pytest.mark.slow,
        ),
    ],
    ids=["fixture", "environment", "mark"],
)
def test_what_a_user_changes_is_played_in_its_turn(
    players: Any, play_desk: Any, desk: pytest.Pytester, conftest: str, test: str, reason: str
) -> None:
    """Tests with further fixtures, with the environment or with marks that may skip are played one at a time."""
    suite = desk.path / "suites" / "sample"
    (suite / "conftest.py").write_text(conftest)
    (suite / "test_sample.py").write_text(test)
    result = play_desk(players("n ."), "--cua-at-once=6", "-k", "note")
    result.assert_outcomes(passed=2, warnings=1)
    assert f"--cua-at-once: 2 instances are played one at a time, {reason}" in result.stdout.str()


def test_skipped_instances_are_not_played(
    players: Any, play_desk: Any, desk: pytest.Pytester, outcomes: Any
) -> None:
    """A test that its mark skips is not played ahead."""
    (desk.path / "suites" / "sample" / "test_sample.py").write_text(
        "import pytest\n@pytest.mark.skip\ndef test_sample(attempt):\n    attempt.require()\n"
        "def test_other(attempt):\n    attempt.require()\n"
    )
    result = play_desk(players("n ."), "--cua-at-once=6", "-k", "note")
    result.assert_outcomes(passed=2, skipped=2)
    assert outcomes() == {"desk/note-intent": ["success"], "desk/note-step": ["success"]}


def test_logs_are_in_their_own_report(play_desk: Any, players: Any, desk: pytest.Pytester) -> None:
    """What an episode logs is shown with its own test, and with no other."""
    agent = players("-")
    source = desk.path / "the_players.py"
    source.write_text(
        source.read_text().replace(
            "        self._script =",
            "        import logging; logging.warning('playing %s', instance)\n        self._script =",
        )
    )
    text = play_desk(agent, "--cua-at-once=6").stdout.str()
    failures = text.partition("= FAILURES =")[2].split("\n____")[1:]
    assert len(failures) == 6
    for failure in failures:
        name = failure.partition("[")[2].partition("]")[0]
        assert failure.count("playing desk/") == 1
        assert f"playing {name}" in failure


def test_a_refused_key_stops_all(players: Any, play_desk: Any, outcomes: Any) -> None:
    """A rejected key ends the session, whichever episode met it."""
    result = play_desk(players("wait", both_step="refused"), "--cua-at-once=6", "--cua-run=mine")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "check MAKER_API_KEY; to resume the run, add --cua-resume=mine" in result.stdout.str()
    assert outcomes()["desk/both-step"] == ["provider_error"]


@pytest.mark.slow
def test_worker_death_costs_no_record(players: Any, play_desk: Any, played: Any) -> None:
    """A worker that dies loses what was in progress; what had ended is not played again, and all instances end."""
    result = play_desk(players("n =2", count_intent="l d =2"), "-n2", "--cua-at-once=3", "--cua-seeds=0-3")
    attempts = played()
    graded = [a for each in attempts.values() for a in each if a.result.graded]
    assert len(graded) == len({attempt.instance for attempt in graded}) >= 23
    assert len(attempts) == 24
    result.assert_outcomes(passed=23, errors=1)


def test_distributions_that_do_not_fit_are_refused(players: Any, play_desk: Any) -> None:
    """Another way of giving workers their tests is a usage error."""
    result = play_desk(players("n ."), "-n2", "--cua-at-once=3", "--dist=loadfile")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --cua-at-once does not work with --dist=loadfile; leave --dist out"])


def test_a_person_plays_one_at_a_time(play_desk: Any) -> None:
    """Several at once are refused for a person."""
    result = play_desk("--agent=human", "--cua-at-once=2")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --cua-at-once: a person plays one instance at a time; leave it out"])


def test_earlier_phases(
    desk: pytest.Pytester, play_desk: Callable[..., pytest.RunResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Episodes with an earlier phase have an environment each for it, and keep the place that they have."""
    add_phases(desk.path / "suites" / "sample")
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parents[1]}:{os.environ.get('PYTHONPATH', '')}")
    result = play_desk("--agent=oracle", "--cua-at-once=2")
    result.assert_outcomes(passed=6)
