"""World programs that several episodes open at the same time, and starts that are given up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.errors import EnvironmentFailure


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


def _program(folder: Path, text: str) -> World:
    """Return a world program that says one line and ends, and notes in a file that it was started."""
    world = folder / "environments" / "small"
    world.mkdir(parents=True)
    (world / "environment.toml").write_text('module = "small"\nstart_seconds = 20\n')
    note = "from pathlib import Path\nwith Path('starts').open('a') as f: f.write('x')\n"
    (world / "small.py").write_text(f"{note}print({text!r})\n")
    return World(find_world("small", folder))


@pytest.mark.asyncio
async def test_a_world_says_what_it_lacks_and_is_asked_once(tmp_path: Path) -> None:
    """Its sentence is why tests are skipped; nothing is started again for each of them."""
    sentence = "the world small needs a crate; type: sudo apt install crate"
    world = _program(tmp_path, json.dumps({"ready": False, "missing": sentence}))

    assert [await world.lacking() for _ in range(3)] == [sentence] * 3

    assert (tmp_path / "environments" / "small" / "starts").read_text() == "x"
    await world.close()


@pytest.mark.asyncio
async def test_a_world_that_broke_lacks_nothing(tmp_path: Path) -> None:
    """That it does not start is told by the attempt, as trouble and not as a reason to skip."""
    world = _program(tmp_path, "")

    assert await world.lacking() is None

    with pytest.raises(EnvironmentFailure, match="did not start"):
        await world.open("desk", 0)
    await world.close()


@pytest.mark.asyncio
async def test_a_world_that_starts_lacks_nothing(world: World) -> None:
    """It runs from then on."""
    assert await world.lacking() is None
    assert world.pid is not None
