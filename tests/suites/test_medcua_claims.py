"""Every claim about every task: its reference, signing in, doing nothing and each wrong solution, over HTTP.

`scripts/prove` plays the references in a browser besides; here no browser is started, so that all claims of all tasks
are played whenever CI runs. Second solutions read the page as a person does, and are left to the browser.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import chain

import httpx2
import pytest
from suites.test_medcua_suite import CLINIC, PUBLISHED

from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.proof.claims import Claim, claims
from pytest_cuabench.proof.collateral.branching import played
from pytest_cuabench.proof.collateral.claims import knowledge_of
from pytest_cuabench.proof.collateral.form_pilot import Visitor
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.model import SuiteInfo, Task
from pytest_cuabench.task.outcome import Outcome

pytestmark = pytest.mark.slow
Play = Callable[[Task, Claim, int], "str | None"]


@pytest.fixture(scope="module")
def play(medcua: SuiteInfo) -> Iterator[Play]:
    """Plays a claim on a seed, and returns why it does not hold, if it does not."""
    knowledge = knowledge_of(medcua)
    assert knowledge is not None

    async def outcome(task: Task, claim: Claim, seed: int) -> str | None:
        session = await world.open(task.application, seed)
        before = await session.state()
        case = task.case(before, next(iter(task.goals)), seed)
        said, ending = None, "success"
        if solution := claim.solution(task):
            hand = await played(solution, case, Visitor(client, session, {}), knowledge)
            said, ending = hand.said, hand.ending
        verdict = task.judge(Evidence(before, await session.state(), said, ending), case)
        await session.close()
        return claim.refuted(verdict, Outcome.of_verdict(verdict, ending))

    with asyncio.Runner() as runner:
        world = World(find_world("clinic"))
        client = httpx2.AsyncClient(timeout=60, trust_env=False)
        yield lambda *claim: runner.run(outcome(*claim))
        runner.run(client.aclose())
        runner.run(world.close())


@pytest.mark.parametrize(
    "name", list(chain.from_iterable((f"{a}/{t}" for t in PUBLISHED[a]) for a in CLINIC))
)
def test_every_claim_holds(name, medcua, play):
    """The reference also on a second seed."""
    task = next(task for task in medcua.tasks if task.name == name)
    without_page = [claim for claim in claims(task) if claim.id != "also-second"]
    tried = [(claim, seed) for claim in without_page for seed in (0, 1)[: 1 + (claim.kind == "reference")]]
    problems = {f"{claim.id}-s{seed}": play(task, claim, seed) for claim, seed in tried}
    assert {at: problem for at, problem in problems.items() if problem} == {}
