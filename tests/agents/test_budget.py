"""The spending limit of a run: never overdrawn, whoever draws on it, and however a worker ends."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil
import pytest

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.models.budget import LONGEST_WAIT, Charged, Hold, SpendLimit, paying
from pytest_cuabench.errors import AgentFailure, BudgetSpent
from pytest_cuabench.task.action import Key, Size, Terminate
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.testing import ScriptedAgent

SCREEN = Size(64, 48)


def spend_limit_of(
    folder: Path, dollars: float = 1.0, sleep: Callable[[float], Awaitable[None]] | None = None
) -> SpendLimit:
    """Return the spending limit in a folder; it never really sleeps."""

    async def skip(seconds: float) -> None:
        return None

    return SpendLimit(folder / "spend_limit", dollars, sleep=sleep or skip)


def held(spend_limit: SpendLimit, dollars: float) -> Hold:
    """Hold some money."""
    return asyncio.run(spend_limit.hold(dollars))


def test_a_call_pays_what_it_cost(tmp_path: Path) -> None:
    """The worst case is set aside, and what is not needed comes back."""
    spend_limit = spend_limit_of(tmp_path)
    hold = held(spend_limit, 0.4)
    assert (spend_limit.left, spend_limit.paid) == (pytest.approx(0.6), 0)
    hold.pay(0.1)
    assert (spend_limit.left, spend_limit.paid) == (pytest.approx(0.9), pytest.approx(0.1))


def test_a_call_that_never_told_pays_its_worst_case(tmp_path: Path) -> None:
    """What may have been billed counts as spent; and a call pays once only."""
    spend_limit = spend_limit_of(tmp_path)
    hold = held(spend_limit, 0.4)
    hold.pay(None)
    hold.pay(0.1)
    assert spend_limit.paid == pytest.approx(0.4)


def test_a_call_that_costs_nothing(tmp_path: Path) -> None:
    """Models that cost nothing play from any spending limit."""
    spend_limit = spend_limit_of(tmp_path, 0.000001)
    held(spend_limit, 0.0).pay(0.0)
    assert spend_limit.left == pytest.approx(0.000001)


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    """A call whose worst case is not covered is not made, and one sentence says what is left and what it may cost."""
    spend_limit = spend_limit_of(tmp_path)
    held(spend_limit, 0.75).pay(0.75)
    with pytest.raises(BudgetSpent) as raised:
        held(spend_limit, 0.3)
    assert str(raised.value) == (
        "spending limit reached: $0.2500 of $1 (--cua-max-cost) is left; the next call may cost $0.3000"
    )
    held(spend_limit, 0.25)


def test_all_spend_limits_of_a_run_are_one(tmp_path: Path) -> None:
    """What one worker holds or paid is gone for the others, also for one that comes late."""
    first, second = spend_limit_of(tmp_path), spend_limit_of(tmp_path)
    held(first, 0.5).pay(0.2)
    held(second, 0.5).pay(0.3)
    assert first.paid == second.paid == spend_limit_of(tmp_path).paid == pytest.approx(0.5)


def test_others_calls_in_flight_are_waited_for(tmp_path: Path) -> None:
    """Where a call in flight may still turn out cheap, its end is waited for."""
    hold = held(spend_limit_of(tmp_path), 0.9)
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            hold.pay(0.1)

    held(spend_limit_of(tmp_path, sleep=sleep), 0.5).pay(0.2)
    assert len(pauses) == 3
    assert spend_limit_of(tmp_path).paid == pytest.approx(0.3)


def test_waiting_has_an_end(tmp_path: Path) -> None:
    """A call in flight that never ends is not waited for forever."""
    held(spend_limit_of(tmp_path), 0.9)
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    with pytest.raises(BudgetSpent):
        held(spend_limit_of(tmp_path, sleep=sleep), 0.5)
    assert LONGEST_WAIT <= sum(pauses) < LONGEST_WAIT + 1


def test_the_dead_give_nothing_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker that died had held counts as spent, and nobody waits for it."""
    held(spend_limit_of(tmp_path), 0.9)
    monkeypatch.setattr(psutil, "pid_exists", lambda pid: False)

    async def never(seconds: float) -> None:
        raise AssertionError

    with pytest.raises(BudgetSpent):
        held(spend_limit_of(tmp_path, sleep=never), 0.5)


def test_an_entry_that_was_cut_short(tmp_path: Path) -> None:
    """Half an entry, of a worker that died while writing it and so sent nothing, is struck out."""
    spend_limit = spend_limit_of(tmp_path)
    held(spend_limit, 0.5).pay(0.5)
    with (tmp_path / "spend_limit").open("ab") as file:
        file.write(b"     4711  +9000")
    assert spend_limit.left == pytest.approx(0.5)
    assert spend_limit_of(tmp_path).left == pytest.approx(0.5)
    held(spend_limit, 0.25)
    assert spend_limit_of(tmp_path).left == pytest.approx(0.25)


def test_sums_are_exact(tmp_path: Path) -> None:
    """Many small amounts add up to what they are, and entries keep their width."""
    spend_limit = spend_limit_of(tmp_path, 1_000_000)
    for _ in range(100):
        held(spend_limit, 1000.1).pay(0.1)
    assert spend_limit.paid == 10.0
    assert len({len(line) for line in (tmp_path / "spend_limit").read_text().splitlines()}) == 1


DRAWER = """
import asyncio, random, sys
from pathlib import Path
from pytest_cuabench.errors import BudgetSpent
from pytest_cuabench.agents.models.budget import SpendLimit

async def draw(spend_limit, chance):
    spent = 0
    while True:
        try:
            hold = await spend_limit.hold(0.02)
        except BudgetSpent:
            return spent
        cost = chance.randint(0, 20)
        await asyncio.sleep(0.002)
        if chance.random() < 0.02:
            return spent + 20  # the call never told
        hold.pay(cost / 1000)
        spent += cost

async def skip(seconds):
    await asyncio.sleep(0.001)

async def together(folder, name):
    (folder / f"ready-{name}").touch()
    while len(list(folder.glob("ready-*"))) < 4:
        await asyncio.sleep(0.002)
    return await draw(SpendLimit(folder / "spend_limit", 1.0, sleep=skip), random.Random(int(name)))

print(asyncio.run(together(Path(sys.argv[1]), sys.argv[2])))
"""


def test_several_processes_never_spend_more(tmp_path: Path) -> None:
    """Workers that draw at the same time spend the spending limit nearly to its end, and never beyond it."""
    command = [sys.executable, "-c", DRAWER, str(tmp_path)]
    workers = [
        subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE, text=True, env=os.environ)
        for seed in range(4)
    ]
    thousandths = [int(worker.communicate(timeout=60)[0]) for worker in workers]
    assert all(worker.returncode == 0 for worker in workers)
    assert sum(thousandths) <= 1000
    assert sum(thousandths) > 900
    assert sum(map(bool, thousandths)) > 1
    assert spend_limit_of(tmp_path).left == pytest.approx(1 - sum(thousandths) / 1000, abs=1e-6)


# Agents that pay


def decide(agent: Charged) -> Decision:
    """Return an agent's next decision."""
    return asyncio.run(agent.decide(Observation(SCREEN)))


def priced(cost: float | None) -> Decision:
    """Return a decision at a price."""
    return Decision((Key(("n",)),), usage=Usage(cost=cost))


def test_an_agent_that_tells_afterwards_is_stopped_before_the_next_decision(tmp_path: Path) -> None:
    """An agent that is no `Payer` pays for what it decided, and decides no more when the spending limit is empty."""
    spend_limit = spend_limit_of(tmp_path)
    agent = paying(ScriptedAgent([priced(0.6), priced(0.6), priced(0.6)]), spend_limit)
    assert isinstance(agent, Charged)
    asyncio.run(agent.start(Briefing("note", "screenshot", SCREEN, (), 5)))
    assert decide(agent) == decide(agent) == priced(0.6)
    with pytest.raises(BudgetSpent, match=r"^spending limit reached: \$-0\.2000 of \$1 "):
        decide(agent)
    asyncio.run(agent.close())


def test_an_agent_that_does_not_tell(tmp_path: Path) -> None:
    """An agent that does not tell its price ends its own attempt, except by its last step; what it used is kept."""
    last = Decision((Terminate("success"),), usage=Usage(cost=None))
    agent = Charged(ScriptedAgent([last, priced(None)]), spend_limit_of(tmp_path))
    asyncio.run(agent.start(Briefing("note", "screenshot", SCREEN, (), 5)))
    assert decide(agent) == last
    with pytest.raises(AgentFailure, match="the agent reports none") as raised:
        decide(agent)
    assert (raised.value.usage, raised.value.ending) == (Usage(cost=None), "budget")


def test_a_payer_is_given_the_spend_limit(tmp_path: Path) -> None:
    """An agent that asks before its calls is given the spending limit and left as it is."""

    class Asking(ScriptedAgent):
        spend_limit: SpendLimit | None = None

        def set_spend_limit(self, spend_limit: SpendLimit) -> None:
            self.spend_limit = spend_limit

    agent, spend_limit = Asking([]), spend_limit_of(tmp_path)
    assert paying(agent, spend_limit) is agent
    assert agent.spend_limit is spend_limit
