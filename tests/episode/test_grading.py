"""The rule for what is graded: the rows of the table in docs/outcomes.md that need no server, box or person."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_world import ROWS, Played, Table, check, make_task, make_world, press

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.models.budget import SpendLimit, paying
from pytest_cuabench.errors import (
    AgentFailure,
    BudgetSpent,
    EnvironmentFailure,
    ProviderFailure,
    Refused,
    SettingError,
)
from pytest_cuabench.task.action import Action, Terminate, Wait
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.testing import FakeEnvironment, ScriptedAgent

DONE = Terminate("success")


class Outside(ScriptedAgent):
    """An agent of somebody else's: it plays a script, and then raises or does something."""

    def __init__(
        self, script: list[Any], then: Callable[[], Awaitable[Any]] | BaseException | None = None
    ) -> None:
        super().__init__(script)
        self._then = then

    async def decide(self, observation: Any) -> Any:
        if self._then is None or self._next < len(self._script):
            return await super().decide(observation)
        if isinstance(self._then, BaseException):
            raise self._then
        return await self._then()


class Paced(Outside):
    """An agent at its own pace, as a program is: it may have done something else than acting."""

    deed: Mapping[str, Any] | None = None
    trouble = ""

    async def late(self) -> None:
        if self.trouble:
            raise ProviderFailure(self.trouble)


class Unready(FakeEnvironment):
    """A world that cannot be reset."""

    async def reset(self, instance: Any) -> None:
        raise EnvironmentFailure("it does not start")


async def nothing() -> None:
    """Return what is no decision."""


async def silent() -> None:
    """Never decide."""
    await asyncio.Event().wait()


def blind(*, start: bool) -> Callable[[Evidence, Case], Iterator[Any]]:
    """Return a check that fails on the state after, and on the one before unless it is judged at the `start`."""

    def checking(evidence: Evidence, case: Case) -> Iterator[Any]:
        yield from check(evidence, case)
        if evidence.journal or not start:
            raise KeyError("a row")

    return checking


def dark(world: FakeEnvironment, *, control: bool = True) -> FakeEnvironment:
    """Let a world not settle at an episode's end; in the control, which is its second reset, only if asked for."""
    settle = world.settle

    async def settling() -> None:
        if world.resets == 1 or not control:
            raise EnvironmentFailure("the page does not answer")
        await settle()

    world.settle = settling  # type: ignore[method-assign]
    return world


def paced(
    script: list[Any], deed: Mapping[str, Any] | None = None, trouble: str = "", then: Any = None
) -> Paced:
    """Return an agent at its own pace."""
    agent = Paced(script, then)
    agent.deed, agent.trouble = deed, trouble
    return agent


SCRIPT = {"kind": "script", "text": "while (true);"}
ROWS_OF_THE_TABLE: dict[str, tuple[Callable[[Table], Played], str]] = {
    "an action breaks the world": (lambda at: at.play([press("b")]), "broke_environment"),
    "an action breaks the world, and it breaks in the control": (
        lambda at: at.play([press("n"), DONE], world=dark(make_world(), control=False)),
        "environment_error",
    ),
    "a script hangs the page, and the program finishes": (
        lambda at: at.play(paced([DONE], SCRIPT), world=dark(make_world())),
        "broke_environment",
    ),
    "a program that did nothing is there when the world breaks": (
        lambda at: at.play(paced([DONE]), world=dark(make_world())),
        "broke_environment",
    ),
    "the world breaks while a model only waits": (
        lambda at: at.play([Wait(0.0), DONE], world=dark(make_world())),
        "environment_error",
    ),
    "a reset breaks": (lambda at: at.play([DONE], world=Unready(ROWS)), "environment_error"),
    "an agent returns no decision": (lambda at: at.play(Outside([], nothing)), "gave_up"),
    "an agent raises": (lambda at: at.play(Outside([press("l")], KeyError("x"))), "gave_up"),
    "an agent raises at once": (lambda at: at.play(Outside([], KeyError("x"))), "gave_up"),
    "an agent is silent": (lambda at: at.play(Outside([], silent), decision=0.05), "gave_up"),
    "an agent blames the world": (lambda at: at.play(Outside([], EnvironmentFailure("x"))), "gave_up"),
    "an agent speaks of money that nobody limits": (
        lambda at: at.play(Outside([], BudgetSpent("x"))),
        "gave_up",
    ),
    "an agent tells that its server failed": (
        lambda at: at.play(Outside([press("l")], ProviderFailure("x"))),
        "provider_error",
    ),
    "an agent tells of a wrong setting": (
        lambda at: at.play(Outside([], SettingError("x"))),
        "provider_error",
    ),
    "a server refuses what the model's replies have made": (
        lambda at: at.play([press("l"), AgentFailure("too long", ending="budget")]),
        "budget_exhausted",
    ),
    "a server refuses the first request": (lambda at: at.play([Refused("x")]), "provider_error"),
    "a program is silent": (lambda at: at.play(paced([], then=silent), seconds=0.1), "budget_exhausted"),
    "a program is silent, and its host cannot be reached without it": (
        lambda at: at.play(paced([], trouble="no host", then=silent), seconds=0.1),
        "provider_error",
    ),
    "replies that cannot be read": (lambda at: at.play([Decision(format_error="?")]), "format_lockout"),
    "a check cannot judge what the agent left": (
        lambda at: at.play([press("n"), DONE], task=make_task(check=blind(start=True))),
        "failure",
    ),
    "a check cannot judge the state before either": (
        lambda at: at.play([press("n"), DONE], task=make_task(check=blind(start=False))),
        "checker_error",
    ),
    "the user's spending limit": (lambda at: at.play([BudgetSpent("x")]), "cancelled"),
}


def test_every_row_of_the_table(table: Table, tmp_path: Path) -> None:
    """Only what also happens without the agent is ungraded, whatever ends the attempt, and one attempt is enough."""
    found = {}
    for number, (name, (play, _)) in enumerate(ROWS_OF_THE_TABLE.items()):
        found[name] = play(Table(tmp_path / str(number))).last.outcome
    assert found == {name: outcome for name, (_, outcome) in ROWS_OF_THE_TABLE.items()}


def test_what_a_script_broke_is_told(table: Table) -> None:
    """The record names the script after which the world broke, and its step."""
    broke = table.play(paced([press("l"), DONE], SCRIPT), world=dark(make_world())).last.end.broke
    assert broke is not None
    assert (broke.step, broke.action, broke.control) == (2, SCRIPT, True)


def test_the_agents_own_error_is_told_and_judged(table: Table) -> None:
    """The sentence stays, the state is judged by the whole check, and the attempt is not played again."""
    played = table.play(Outside([press("n")], KeyError("a mistake")), attempts=3)
    last = played.last
    assert (len(played.attempts), last.ending, last.error) == (
        1,
        "failure",
        "waiting for the agent's decision failed: KeyError: 'a mistake'",
    )
    assert last.verdict is not None
    assert last.verdict.score == 1


def test_the_control_uses_the_world(table: Table) -> None:
    """A world in which no action works without the agent either is not the agent's to answer for."""

    def dead(world: FakeEnvironment, action: Action) -> None:
        raise EnvironmentFailure("no input arrives")

    last = table.play([press("n")], world=FakeEnvironment(ROWS, dead)).last
    assert last.outcome == "environment_error"
    assert last.error == "no input arrives; without the agent the environment failed, too: no input arrives"


# A program's costs are its own word


def claims(*costs: float | None) -> Paced:
    """Return a program whose steps report costs, and which then finishes."""
    steps = [replace(press("l"), usage=Usage(cost=cost)) for cost in costs]
    return paced([*steps, Decision((DONE,), usage=Usage(cost=None))])


@pytest.mark.parametrize(
    ("costs", "outcome", "charged"),
    [
        ((999.0, 0.0), "budget_exhausted", 2.0),
        ((None, 0.0), "budget_exhausted", 0.0),
        ((0.5, 0.5), "failure", 1.0),
    ],
)
def test_costs_of_a_program(
    table: Table, tmp_path: Path, costs: tuple[float | None, ...], outcome: str, charged: float
) -> None:
    """What a program reports or hides ends its own attempt, graded; the next one is played all the same."""
    limit = SpendLimit(tmp_path / "purse", 10.0)
    last = table.play(paying(claims(*costs), limit, 5)).last  # type: ignore[arg-type]
    assert (last.outcome, limit.paid) == (outcome, charged)
    again = paying(paced([replace(press("n"), usage=Usage(cost=0.1)), DONE]), limit, 5)  # type: ignore[arg-type]
    assert table.play(again).last.outcome == "success"
    assert limit.paid <= 10.0


def test_an_outsider_does_not_spend_the_limit(table: Table, tmp_path: Path) -> None:
    """An agent that says that the limit is reached, which it is not, or that tells no cost, is graded."""
    limit = SpendLimit(tmp_path / "purse", 10.0)
    claimed = replace(press("l"), usage=Usage(cost=0.1))
    agent: Any = paying(Outside([claimed], BudgetSpent("all is spent")), limit)
    assert table.play(agent).last.outcome == "gave_up"
    silent_one: Any = paying(ScriptedAgent([claimed, replace(claimed, usage=Usage(cost=None)), DONE]), limit)
    last = table.play(silent_one, attempts=3).last
    assert (last.outcome, last.number) == ("budget_exhausted", 1)
