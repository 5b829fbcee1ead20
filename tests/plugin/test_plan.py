"""What a run was going to play is in its ledger before the first episode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_cuabench.ledger.inspection import read_ledger

Play = Callable[..., pytest.RunResult]


@pytest.mark.parametrize("workers", [(), pytest.param(("-n2",), marks=pytest.mark.slow)])
def test_plan(play: Play, the_run: Any, workers: tuple[str, ...]) -> None:
    """The plan holds what was selected, once, with all that a marker expression may ask for."""
    play("--agent=oracle", "-k", "count", "--cua-epochs=2", *workers).assert_outcomes(passed=4)
    assert len(list(the_run().records("plan"))) == 1  # of all workers, one wrote it
    plan = read_ledger(the_run().folder).plan()
    assert set(plan) == {
        "desk/count-intent",
        "desk/count-intent-e1",
        "desk/count-step",
        "desk/count-step-e1",
    }
    last = plan["desk/count-step-e1"]
    assert (last.suite, last.application, last.task) == ("sample", "desk", "count")
    assert (last.domain, last.difficulty, last.variant) == ("Front Desk", "medium", "step")
    assert (last.seed, last.epoch, last.markers) == (0, 1, ())


def test_stopped(players: Any, play: Play, the_run: Any) -> None:
    """The plan of a session that stops early still holds all of it."""
    play(players("."), "-x").assert_outcomes(failed=1)
    assert len(read_ledger(the_run().folder).plan()) == 6
    assert len(list(the_run().attempts())) == 1


def test_skipped(play: Play, the_run: Any, sample: pytest.Pytester) -> None:
    """What a user's own fixture skips is noted."""
    (sample.path / "suites" / "sample" / "test_sample.py").write_text(
        "import pytest\n"
        "@pytest.fixture\n"
        "def agent(instance, agent):\n"
        "    return pytest.skip('later') if instance.variant == 'step' else agent\n"
        "def test_sample(attempt):\n"
        "    attempt.require()\n"
    )
    play("--agent=oracle", "-k", "note").assert_outcomes(passed=1, skipped=1)
    assert set(read_ledger(the_run().folder).plan()) == {"desk/note-intent", "desk/note-step"}
    assert [instance for _, instance in read_ledger(the_run().folder).skipped] == ["desk/note-step"]


def test_audits_have_no_plan(play: Play, the_run: Any) -> None:
    """The claims of an audit are no instances that an agent could miss."""
    play("--cua-audit", "-k", "note and noop")
    assert read_ledger(the_run().folder).plan() == {}
