"""Steps a second through the OpenEnv server with their own client, beside the same steps played directly.

    direct    an agent in the process that plays, as in a pytest run
    openenv   the client of the package `openenv` over a WebSocket, in a process of its own, to a server in this one

Both play the same steps (moves of the pointer) on the same instance, the default `medcua` login, one episode at a
time, first one and then the other in each round. A step ends with a screenshot, which the server sends in base64.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.serving.catalogue import Catalogue, Offer, collect
from pytest_cuabench.serving.openenv import bound, serving
from pytest_cuabench.serving.sessions import Caller, Sessions
from pytest_cuabench.task.action import Move, Terminate
from pytest_cuabench.task.observation import Observation

CLIENT = """
import sys, time
from openenv.core import GenericEnvClient
address, instance, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
with GenericEnvClient(base_url=address, message_timeout_s=120).sync() as env:
    env.reset(instance=instance)
    began = time.perf_counter()
    for number in range(steps):
        env.step({"actions": [{"kind": "move", "x": 100 + number % 50, "y": 100}]})
    print(time.perf_counter() - began)
    env.step({"actions": [{"kind": "terminate", "status": "failure"}]})
"""


class Mover(Caller):
    """Decides at once, in the process that plays."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.steps, self.done, self.began, self.seconds = steps, 0, 0.0, 0.0

    async def decide(self, observation: Observation) -> Decision:
        """Move the pointer, and end after the steps."""
        self.began = self.began or time.perf_counter()
        if self.done == self.steps:
            self.seconds = time.perf_counter() - self.began
            return Decision((Terminate("failure"),))
        self.done += 1
        return Decision((Move(100 + (self.done - 1) % 50, 100),))


async def direct(sessions: Sessions, offer: Offer, steps: int) -> float:
    """Return steps a second in one process."""
    player = Mover(steps)
    await sessions.play(offer, player)
    return steps / player.seconds


async def by_client(address: str, offer: Offer, steps: int) -> float:
    """Return steps a second of OpenEnv's client."""
    words = (sys.executable, "-c", CLIENT, address, offer.instance.id, str(steps))
    process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    told, _ = await process.communicate()
    assert process.returncode == 0, "the client failed"
    return steps / float(told)


async def measured(catalogue: Catalogue, steps: int, rounds: int) -> Iterator[tuple[float, float]]:
    """Return both figures of each round, after one that only warms up."""
    # Budgets are not what is measured.
    catalogue = replace(
        catalogue, settings=replace(catalogue.settings, max_steps=steps + 2, max_seconds=3600.0)
    )
    offer = catalogue.offers[0]
    sessions = Sessions(catalogue, at_once=1, idle=120.0)
    async with serving(sessions, bound("127.0.0.1", 0), None, 120.0) as address:
        figures = [
            (await direct(sessions, offer, steps), await by_client(address, offer, steps))
            for _ in range(rounds + 1)
        ]
    return iter(figures[1:])


def main() -> None:
    """Print the medians of both, and their ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--suite", default="medcua")
    parser.add_argument("-k", default="emergency_triage and login and intent", help="as in pytest")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    catalogue = collect(options.suite, ("-k", options.k, "-p", "no:cacheprovider"))
    figures = list(asyncio.run(measured(catalogue, options.steps, options.rounds)))
    ours, theirs = (statistics.median(column) for column in zip(*figures, strict=True))
    ratios = sorted(through / alone for alone, through in figures)
    print(f"direct   {ours:6.1f} steps a second")
    print(f"openenv  {theirs:6.1f} steps a second, in base64 over a WebSocket")
    print(f"ratio    {statistics.median(ratios):6.2f} (from {ratios[0]:.2f} to {ratios[-1]:.2f})")


if __name__ == "__main__":
    main()
