"""Sessions on several workers: the same outcomes, one run, and a worker that dies takes one attempt with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pytest_cuabench.collection.items import find_instances

OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")
MIXED = {"note_step": "x", "count_step": "=5", "both_intent": "idle", "both_step": "f =2"}


@pytest.fixture
def play_on(sample: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the sample suite; on several workers in a process of its own."""

    def run(*options: str) -> pytest.RunResult:
        start = (
            sample.runpytest_subprocess
            if "-n2" in options or "-n4" in options
            else sample.runpytest_inprocess
        )
        return start(*OTHERS, "suites/sample", *options)

    return run


@pytest.mark.parametrize(
    "workers",
    [
        pytest.param(("-n2",), id="-n2"),
        pytest.param(("-n4", "--dist=worksteal"), id="-n4 --dist=worksteal", marks=pytest.mark.slow),
    ],
)
def test_same_outcomes(
    players: Any, play_on: Any, outcomes: Any, the_run: Any, workers: tuple[str, ...], sample: pytest.Pytester
) -> None:
    """On several workers each instance ends as it does on one, in one run with one table, and JUnit tells all."""
    result = play_on(players("n =2", **MIXED), *workers, "--junitxml=junit.xml")
    result.assert_outcomes(passed=3, failed=2, errors=1)
    assert outcomes() == {
        "desk/note-intent": ["success"],
        "desk/note-step": ["violation"],
        "desk/count-intent": ["success"],
        "desk/count-step": ["failure"],
        "desk/both-intent": ["environment_error"] * 3,
        "desk/both-step": ["environment_error", "success"],
    }
    result.stdout.fnmatch_lines(["* 6/6 · 60 %*", "desk * 3/5 60 % *", "report: reports/*/report.html"])
    assert len([line for line in map(str, result.outlines) if line.startswith(("✓", "✗", "!"))]) == 6
    assert (the_run().folder / "report.html").is_file()
    names = {prop.get("value") for prop in ElementTree.parse(sample.path / "junit.xml").iter("property")}
    assert set(outcomes()) <= names


@pytest.mark.slow
def test_worker_death(players: Any, play_on: Any, played: Any) -> None:
    """A worker that dies loses one attempt, which is recorded as an environment error; the others are played."""
    result = play_on(players("n =2", count_intent="l d =2"), "-n2")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    attempts = played()
    lost = attempts.pop("desk/count-intent")
    assert [(attempt.outcome, attempt.error) for attempt in lost] == [
        ("environment_error", "its worker process died")
    ]
    assert {name: [a.outcome for a in played] for name, played in attempts.items()} == {
        f"desk/{name}": ["success"]
        for name in ("note-intent", "note-step", "count-step", "both-intent", "both-step")
    }
    result.stdout.fnmatch_lines(
        [
            "! desk/count-intent *environment error*",
            "*worker 'gw*' crashed while running 'suites/sample/test_sample.py::test_sample?desk/count-intent?'*",
            "not graded, excluded from all rates: 1 environment_error",
        ]
    )


@pytest.mark.parametrize(
    "workers", [pytest.param((), id="one"), pytest.param(("-n2",), id="two", marks=pytest.mark.slow)]
)
def test_a_refused_key_stops_the_run(
    players: Any, play_on: Any, outcomes: Any, workers: tuple[str, ...]
) -> None:
    """One sentence says what to check and how to go on; what was played is kept, and no worker plays on."""
    agent = players("refused", note_intent="n .", note_step="n .")
    result = play_on(agent, *workers, "--cua-run=mine")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    words = "Maker returned 401: the key is invalid; check MAKER_API_KEY; to resume the run, add --cua-resume=mine"
    assert words in result.stdout.str()
    found = outcomes()
    assert found["desk/note-intent"] == ["success"]
    refused = [name for name, played in found.items() if played == ["provider_error"]]
    assert 1 <= len(refused) <= max(1, len(workers) * 2)
    assert len(found) < 6


def test_usage_error_comes_from_one_process(play_on: Any, sample: pytest.Pytester) -> None:
    """A wrong setting is one sentence, said before workers start."""
    result = play_on("--agent=orcle", "-n2")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert result.stderr.str().count("--agent: no agent named 'orcle'") == 1
    assert "gw0" not in result.stdout.str() + result.stderr.str()
    assert not Path(sample.path / "reports").exists()


@pytest.mark.slow
def test_nobody_on_workers(play_on: Any, sample: pytest.Pytester) -> None:
    """Without an agent workers skip, and one line says how to choose one."""
    result = play_on("-n2")
    result.assert_outcomes(skipped=6)
    assert result.stdout.str().count("choose an agent") == 1
    assert not (sample.path / "reports").exists()


@pytest.mark.slow
def test_malformed_suite_on_workers(play_on: Any, change: Any) -> None:
    """A malformed suite is the same sentence on workers, and no traceback."""
    change("suite.toml", "steps = 10", "steps = 0")
    result = play_on("--agent=oracle", "-n2")
    text = result.stdout.str() + result.stderr.str()
    assert result.ret not in (pytest.ExitCode.OK, pytest.ExitCode.INTERNAL_ERROR)
    assert "suite.toml:13: budget.steps: input should be greater than or equal to 1, not 0" in text
    assert "Traceback" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "nodeid"),
    [
        (("suites/sample",), "suites/sample/test_sample.py::test_sample[desk/note-step]"),
        (("--rootdir=elsewhere", "suites/sample"), "test_sample.py::test_sample[desk/note-step]"),
        (("--rootdir=elsewhere", "suites"), "sample/test_sample.py::test_sample[desk/note-step]"),
        (("--rootdir=elsewhere", "suites/sample/test_sample.py"), "::test_sample[desk/note-step]"),
        (
            ("--rootdir=elsewhere", "suites/sample/test_sample.py::test_sample"),
            "::test_sample[desk/note-step]",
        ),
    ],
)
def test_instances_are_found_by_their_ids(
    sample: pytest.Pytester, arguments: tuple[str, ...], nodeid: str
) -> None:
    """The process that leads workers knows what they play, also where a suite lies outside of the root."""
    sample.mkdir("elsewhere")
    config = sample.parseconfigure(*OTHERS, *arguments)
    found = [
        instance.id for instance, _ in find_instances(config, [nodeid, f"{nodeid}s", "test_x.py::test_x"])
    ]
    assert found == ["desk/note-step"]
