"""World programs that several episodes open at the same time, and starts that are given up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from pytest_cuabench.drivers.worlds import World, find_world


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    """The clinic, not started."""
    made = World(find_world("clinic"))
    yield made
    await made.close()


@pytest.mark.asyncio
async def test_first_opens_start_one_program(world: World) -> None:
    """Sixteen episodes that begin at the same time share one program, with a session each."""
    sessions = await asyncio.gather(*(world.open("icu_central", 0) for _ in range(16)))
    assert len({session.origin for session in sessions}) == 16
    assert {len((await session.state()).journal) for session in sessions} == {0}


@pytest.mark.asyncio
async def test_a_start_that_is_given_up_is_made_again(world: World) -> None:
    """After a start was cancelled, the next episode has a world."""
    starting = asyncio.create_task(world.open("icu_central", 0))
    while world.pid is None:
        await asyncio.sleep(0.001)
    starting.cancel()
    await asyncio.wait({starting})
    session = await world.open("icu_central", 0)
    assert (await session.state()).journal == ()
