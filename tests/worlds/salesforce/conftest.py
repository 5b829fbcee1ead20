"""The org's program lies beside the plugin and is no installed package."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from pytest_cuabench.drivers.salesforce.emulated import EmulatedOrgs
from pytest_cuabench.drivers.worlds import World, find_world

ENVIRONMENTS = Path(__file__).resolve().parents[3] / "environments"
for folder in ("salesforce", "kit"):
    if str(ENVIRONMENTS / folder) not in sys.path:
        sys.path.append(str(ENVIRONMENTS / folder))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def orgs() -> AsyncIterator[EmulatedOrgs]:
    """The orgs of one running emulator."""
    world = World(find_world("salesforce"))
    source = EmulatedOrgs(world)
    yield source
    await source.close()
    await world.close()
