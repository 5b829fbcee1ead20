"""Money: a run that may spend so much and no more, what it would cost, and what it did cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_cuabench.agents.models.budget import FILE, SpendLimit

OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")
Play = Callable[..., pytest.RunResult]
ROBOTS = '''
"""A model whose server does not think: it presses n, and then says that it is done."""
from pytest_cuabench.task.action import Key, Terminate
from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.models.model import ModelAgent, ModelOptions


class Robot(ModelAgent):
    server = "Robots"

    def __init__(self, profile):
        super().__init__(profile, profile.read_options(ModelOptions))

    def explain(self, error):
        return None

    async def begin(self):
        self.turns = 0

    async def ask(self):
        self.turns += 1
        return 1000, 50

    async def turn(self, seen):
        self.spend(*await self.call(self.ask))
        return Decision((Key(("n",)) if self.turns == 1 else Terminate("success"),))

    async def close(self):
        pass
'''
PRICES = "[options.prices]\ninput = 10.0\noutput = 100.0\n"  # 1.5 cents a call


@pytest.fixture
def robot(sample: pytest.Pytester) -> Callable[..., str]:
    """Write a model player and its profile; return the option that chooses it."""

    def write(tail: str = PRICES, key: str = "") -> str:
        (sample.path / "robots.py").write_text(ROBOTS)
        (sample.path / "agents").mkdir(exist_ok=True)
        (sample.path / "agents" / "robot.toml").write_text(
            f'adapter = "robots:Robot"\nmodel = "robot-1"\n{key}[options]\nmax_tokens = 100\n{tail}'
        )
        sample.syspathinsert()
        return "--agent=robot"

    return write


def test_a_run_within_its_money(robot: Any, play: Play, outcomes: Any) -> None:
    """Where the money suffices nothing is different, and what was spent is said."""
    result = play(robot(), "--cua-max-cost=5", "-k", "note")
    assert outcomes() == {"desk/note-intent": ["success"], "desk/note-step": ["success"]}
    result.stdout.fnmatch_lines(
        [
            "cuabench: * max_cost 5.0 (--cua-max-cost)*",
            "✓ desk/note-step * 2/2 · 100 % · $0.06*",
            "usage of all attempts: 4,000 tokens in, 200 out, $0.0600",
        ]
    )
    result.stdout.no_fnmatch_line("charged to --cua-max-cost*")


def test_a_run_whose_money_is_spent(robot: Any, play: Play, played: Any, the_run: Any) -> None:
    """The attempt that cannot be paid ends ungraded, is an error and not tried again, and so are those after it."""
    result = play(robot(), "--cua-max-cost=0.15", "-k", "note or both")
    attempts = [attempt for tries in played().values() for attempt in tries]
    assert [attempt.outcome for attempt in attempts][-1] == "cancelled"
    cancelled = [attempt for attempt in attempts if attempt.outcome == "cancelled"]
    assert all(attempt.verdict is None and "--cua-max-cost" in attempt.error for attempt in cancelled)
    assert len(attempts) == 4
    spent = sum(attempt.usage.cost for attempt in attempts)
    assert 0 < spent <= 0.15
    assert SpendLimit(the_run().folder / FILE, 0.15).paid == pytest.approx(spent)
    result.assert_outcomes(passed=4 - len(cancelled), errors=len(cancelled))
    result.stdout.fnmatch_lines(
        [
            "! desk/* cancelled *",
            "spending limit reached: $0.* of $0.15 (--cua-max-cost) is left; the next call may cost $*",
            "not graded, excluded from all rates: * cancelled",
        ]
    )


def test_calls_that_were_cut_are_told(robot: Any, play: Play, sample: pytest.Pytester, the_run: Any) -> None:
    """A call without a reply costs nothing in the record and its worst case at most; the summary says both."""
    option = robot()
    (sample.path / "robots.py").write_text(ROBOTS.replace("return 1000, 50", "raise ConnectionError('cut')"))
    result = play(option, "--cua-max-cost=5", "-k", "note-intent")
    assert all(attempt.usage.cost == 0 for attempt in the_run().attempts())
    assert SpendLimit(the_run().folder / FILE, 5).charged > 0
    result.stdout.fnmatch_lines(
        ["charged to --cua-max-cost: $0.*; calls without a reply * count with their worst case"]
    )


@pytest.mark.slow
def test_workers_share_the_spend_limit(robot: Any, sample: pytest.Pytester, the_run: Any) -> None:
    """On several workers a run spends no more than on one."""
    result = sample.runpytest_subprocess(
        *OTHERS, "suites/sample", robot(), "--cua-max-cost=0.36", "--cua-epochs=3", "-n2"
    )
    attempts = list(the_run().attempts())
    spent = sum(attempt.usage.cost or 0 for attempt in attempts)
    assert {attempt.outcome for attempt in attempts} >= {"success", "cancelled"}
    assert spent <= 0.36
    assert spent + 0.13 > 0.36  # nothing is held back that could have been spent
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_an_unknown_price(robot: Any, play: Play, sample: pytest.Pytester) -> None:
    """Money cannot be limited where nobody knows the price; one sentence says how to give it."""
    result = play(robot(tail=""), "--cua-max-cost=5")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [
            "ERROR: --cua-max-cost: the prices of robot-1 are unknown; add them to the profile *'robot'*options.prices*"
        ]
    )
    assert not (sample.path / "reports").exists()


def test_an_unknown_cost_is_shown_as_unknown(robot: Any, play: Play, the_run: Any) -> None:
    """Without a limit such a model plays, and every report says that its cost is unknown."""
    result = play(robot(tail=""), "-k", "note-step")
    result.stdout.fnmatch_lines(
        ["✓ * $[?]*", "usage of all attempts: 2,000 tokens in, 100 out, cost unknown"]
    )
    assert "| 1 | 2,000 | 0 | 100 | unknown |" in (the_run().folder / "summary.md").read_text()


def test_agents_that_cost_nothing_have_any_spend_limit(play: Play) -> None:
    """The reference solution is not stopped by a limit of money."""
    play("--agent=oracle", "--cua-max-cost=0.000001", "-k", "note").assert_outcomes(passed=2)


def test_own_agents_are_stopped_between_decisions(
    players: Any, play: Play, sample: pytest.Pytester, outcomes: Any
) -> None:
    """An agent that tells its costs afterwards plays until they reach the limit."""
    option = players("n .")
    module = sample.path / "the_players.py"
    module.write_text(
        module.read_text()
        + """
    async def _priced(self, observation, decide=Player.decide):
        from dataclasses import replace
        from pytest_cuabench.task.usage import Usage
        return replace(await decide(self, observation), usage=Usage(cost=0.4))
""".replace("\n    ", "\n")
        + "\nPlayer.decide = _priced\n"
    )
    play(option, "--cua-max-cost=1", "-k", "note or both")
    assert list(outcomes().values()) == [["success"], ["cancelled"], ["cancelled"], ["cancelled"]]


@pytest.mark.parametrize("value", ["0", "-1", "much", "inf", "nan"])
def test_wrong_limits(play: Play, value: str) -> None:
    """A limit is a number of dollars above nothing."""
    result = play("--agent=oracle", f"--cua-max-cost={value}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"ERROR: invalid value for --cua-max-cost: '{value}'; expected an amount of US dollars*"]
    )


# A dry run


@pytest.mark.parametrize("workers", [(), ("-n2",)], ids=" ".join)
def test_dry_run(robot: Any, play: Play, sample: pytest.Pytester, workers: tuple[str, ...]) -> None:
    """Nothing is played or written; tokens and cost are a range, and what was assumed is said. It needs no key."""
    result = play(robot(key='key = "ROBOT_API_KEY"\n'), "--cua-dry-run", "-k", "note", *workers)
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(deselected=6)
    result.stdout.fnmatch_lines(
        [
            "*= cuabench: dry run, nothing was played =*",
            "instances   2 with budgets of 20 steps in total",
            "agent       robot (robot-1)",
            "tokens in   *,* to *,*",
            "tokens out  900 to 12,000",
            "cost        $0.* to $*",
            "assumed     at least 30 % of the steps; *",
            "            at most 100 % of the steps; *",
            "            pictures of 640x480, up to 3 of them in a call; no cache; *",
        ]
    )
    assert not (sample.path / "reports").exists()


def test_dry_run_of_an_unknown_price(robot: Any, play: Play) -> None:
    """Tokens are estimated, the cost is unknown."""
    play(robot(tail=""), "--cua-dry-run").stdout.fnmatch_lines(
        ["cost        unknown; add the prices to the profile*"]
    )


def test_dry_run_and_a_limit(robot: Any, play: Play) -> None:
    """An estimate beyond the limit says that the run may end early."""
    result = play(robot(), "--cua-dry-run", "--cua-max-cost=0.5", "--cua-epochs=9")
    result.stdout.fnmatch_lines(["*--cua-max-cost=0.5 may stop the run early"])


def test_dry_run_without_a_model(play: Play) -> None:
    """The reference solution costs nothing to estimate."""
    result = play("--agent=oracle", "--cua-dry-run")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        ["instances   6 *", "agent       oracle has no model, so there is nothing to estimate"]
    )


def test_dry_run_leaves_other_tests_alone(robot: Any, play: Play, sample: pytest.Pytester) -> None:
    """Plain tests are run as ever."""
    option = robot()
    sample.makepyfile(test_plain="def test_plain():\n    pass\n")
    play("test_plain.py", option, "--cua-dry-run").assert_outcomes(passed=1, deselected=6)


def test_dry_run_of_a_wrong_profile(robot: Any, play: Play) -> None:
    """A mistake in the profile is found before anything is played."""
    result = play(robot(tail="histroy = 3\n"), "--cua-dry-run")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: *.toml:*: unknown key options.histroy; *; did you mean 'history'?"])
