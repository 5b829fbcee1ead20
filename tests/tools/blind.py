"""Blind plays: a player who sees only goal and screen plays a sample of all suites, by the programs' HTTP interface.

Loaded by pytest as a plugin, it leaves a sample of the instances and brings the agent that waits for the player:

    PYTHONPATH=tests/tools pytest suites -p blind --blind 7:72 --blind-desk DESK --agent=blind:Blind

The player's side, from any directory, is `blind.py look DESK`, `blind.py act DESK JSON...` and `blind.py end DESK ...`
(`scripts/blind-plays` says how). What was played is an ordinary run; `blind.py table RUN... --desk DESK...` counts it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import secrets
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.agents.program.endpoints.exchange import Exchange
from pytest_cuabench.agents.program.endpoints.http import opened
from pytest_cuabench.collection.items import instance_of, suite_of
from pytest_cuabench.collection.stash import RUN
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.stats import wilson
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.text import say

DOOR, TOKEN, NOTES, WISH, GOAL, OVER = "door.sock", "token", "notes.jsonl", "wish", "goal", "over"
PLAY = "play.json"  # run and instance, which the player's commands do not print
_REQUESTS = 100_000
_PATIENCE = 900.0  # seconds for the next play to begin: desktops start slowly
_WRONG = "End this one wrongly on purpose: do nearly what is asked, as somebody might who errs, and end it as if done."
_desk = Path()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what is played, and where the player sits."""
    group = parser.getgroup("blind plays")
    group.addoption("--blind", metavar="SEED:COUNT", help="play a sample of the collected instances")
    group.addoption("--blind-part", metavar="K/N", default="1/1", help="the K-th of N parts of the sample")
    group.addoption(
        "--blind-desk", metavar="FOLDER", default="desk", help="where the player finds the screen"
    )
    group.addoption("--blind-wrong", action="store_true", help="the player is to end each one wrongly")


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the player's desk."""
    global _desk
    _desk = Path(config.getoption("--blind-desk")).absolute()
    _desk.mkdir(parents=True, exist_ok=True)
    (_desk / WISH).write_text(_WRONG if config.getoption("--blind-wrong") else "")
    (_desk / OVER).unlink(missing_ok=True)


def pytest_unconfigure() -> None:
    """Tell the player that no further play comes."""
    if _desk.is_dir() and _desk != Path():
        (_desk / OVER).touch()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note at the desk which instance of which run is played next."""
    if RUN in item.config.stash and (instance := instance_of(item)) is not None:
        play = {"run": item.config.stash[RUN].name, "instance": instance.id}
        (_desk / PLAY).write_text(json.dumps(play))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the sample, which the seed alone decides: as many of each suite and difficulty, each task once."""
    if not (given := config.getoption("--blind")):
        return
    seed, count = map(int, given.split(":"))
    part, parts = map(int, config.getoption("--blind-part").split("/"))
    chosen = sample(items, seed, count)[part - 1 :: parts]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


def sample(items: Sequence[pytest.Item], seed: int, count: int) -> list[pytest.Item]:
    """Return some items, one of each group in turn."""
    groups: dict[tuple[str, str], dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        if (instance := instance_of(item)) is not None:
            groups[suite_of(item).name, instance.task.difficulty][instance.task.name].append(item)
    chance = random.Random(seed)
    queues = []
    for _, tasks in sorted(groups.items()):
        found = [chance.choice(tasks[name]) for name in sorted(tasks)]
        chance.shuffle(found)
        queues.append(found)
    chance.shuffle(queues)
    turns = (
        queue[turn]
        for turn in range(max(map(len, queues), default=0))
        for queue in queues
        if turn < len(queue)
    )
    return [item for item, _ in zip(turns, range(count), strict=False)]


class Blind:
    """The agent that opens the door at the desk, and waits for the player."""

    def __init__(self, profile: Profile) -> None:
        self._open = AsyncExitStack()
        self._exchange: Exchange

    async def start(self, briefing: Briefing) -> None:
        """Open the door for an episode, or for a phase of it."""
        await self.close()
        token = secrets.token_urlsafe(16)
        self._exchange = Exchange(briefing)
        await self._open.enter_async_context(
            opened(self._exchange, _desk / DOOR, token, _REQUESTS, mcp=False)
        )
        (_desk / TOKEN).write_text(token)

    async def decide(self, observation: Observation) -> Decision:
        """Wait for the player."""
        return await self._exchange.decide(observation)

    async def close(self) -> None:
        """Close the door."""
        (_desk / TOKEN).unlink(missing_ok=True)
        if hasattr(self, "_exchange"):
            self._exchange.end()
        await self._open.aclose()
        (_desk / DOOR).unlink(missing_ok=True)


# The player's side


async def call(desk: Path, method: str, path: str, body: Any = None) -> dict[str, Any]:
    """Return the answer of the door."""
    import httpx2

    headers = {"Authorization": f"Bearer {(desk / TOKEN).read_text()}"}
    transport = httpx2.AsyncHTTPTransport(uds=str(desk / DOOR))
    async with httpx2.AsyncClient(transport=transport, timeout=600, base_url="http://desk") as client:
        answer = await client.request(method, f"/v1/{path}", json=body, headers=headers)
        told: dict[str, Any] = answer.json()
        return told


def tell(*lines: str) -> None:
    """Print lines; texts of pages are harmless to the terminal."""
    say("".join(f"{line}\n" for line in lines))


def show(desk: Path, seen: dict[str, Any]) -> None:
    """Write the picture to the desk, and print the rest."""
    import base64

    if seen.get("error"):
        tell(f"refused: {seen['error']}")
        return
    if seen.get("screenshot"):
        (desk / "screen.png").write_bytes(base64.b64decode(seen["screenshot"]))
    if seen["ended"]:
        remark = " Type `end` with your remark, if there is none yet." if (desk / GOAL).exists() else ""
        tell(f"This play has ended.{remark} For the next one type: look")
    else:
        said = [each["error"] or each["text"] for each in seen["results"]]
        tell(f"step {seen['step']} of {seen['max_steps']}; the screen is in {desk / 'screen.png'}")
        tell(*filter(None, (*said, *seen["notices"])))


async def look(desk: Path) -> None:
    """Wait for a play, then show its goal and its screen."""
    until = time.monotonic() + _PATIENCE
    while not (desk / TOKEN).exists():
        if (desk / OVER).exists() or time.monotonic() > until:
            tell("There is no further play.")
            return
        await asyncio.sleep(0.5)
    told = await call(desk, "GET", "briefing")
    (desk / GOAL).write_text(json.dumps(json.loads((desk / PLAY).read_text()) | {"goal": told["goal"]}))
    for old in desk.glob("document-*.txt"):
        old.unlink()
    for number, text in enumerate(told["documents"], 1):
        (desk / f"document-{number}.txt").write_text(text)
        tell(f"a document is in {desk / f'document-{number}.txt'}")
    tell(f"goal: {told['goal']}", (desk / WISH).read_text())
    tell(f"actions: {', '.join(told['actions'])}")
    show(desk, await call(desk, "GET", "observation"))


async def end(desk: Path, options: argparse.Namespace) -> None:
    """Note what the player says of the play that was looked at last, and end it unless it ended by itself."""
    if not (desk / GOAL).exists():
        tell("There is no play to end. Type: look")
        return
    looked_at = json.loads((desk / GOAL).read_text())
    note = {
        **looked_at,
        "clear": options.clear,
        "wrong": bool((desk / WISH).read_text()),
        "remark": options.remark,
    }
    with (desk / NOTES).open("a") as file:
        file.write(f"{json.dumps(note)}\n")
    (desk / GOAL).unlink()
    if not (desk / TOKEN).exists() or (await call(desk, "GET", "briefing"))["goal"] != looked_at["goal"]:
        tell("The remark is noted; this play had ended. Type: look")
        return
    show(desk, await call(desk, "POST", "finish", {"status": options.status, "answer": options.answer}))


# The table


def table(runs: Sequence[Path], desks: Sequence[Path]) -> Iterator[str]:
    """Yield the lines of a table of what was graded, by suite, with Wilson 95 % intervals."""
    notes = notes_by_play(desks)
    suites: dict[str, list[tuple[Attempt, list[dict[str, Any]]]]] = defaultdict(list)
    for run in map(Run, runs):
        for attempt in filter(_counts, run.last_attempts().values()):
            played = attempt, notes.get((run.name, attempt.instance), [])
            suites[attempt.suite].append(played)
            suites["all"].append(played)
    yield "| suite | goal clear | honest end accepted | wrong end refused | steps, of the budget |"
    yield "|---|---:|---:|---:|---:|"
    for suite, plays in sorted(suites.items(), key=lambda pair: pair[0] == "all"):
        noted = [(each, said) for each, said in plays if said]
        ends = [(each.outcome == "success", said[-1]["wrong"]) for each, said in noted]
        yield "| " + " | ".join((
            suite,
            share([all(note["clear"] == "yes" for note in said) for _, said in noted]),
            share([passed for passed, wrong in ends if not wrong]),
            share([not passed for passed, wrong in ends if wrong]),
            f"{statistics.median(each.steps / each.counts.max_steps for each, _ in plays):.0%}",
        )) + " |"  # fmt: skip


def _counts(attempt: Attempt) -> bool:
    """Return whether an attempt was graded and has a budget to compare its steps with."""
    return attempt.result.graded and attempt.counts.max_steps > 0


def notes_by_play(desks: Sequence[Path]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Return the notes of each run and instance; an instance with phases has one for each that was played."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for file in (desk / NOTES for desk in desks):
        for note in map(json.loads, file.read_text().splitlines() if file.exists() else ()):
            found[note["run"], note["instance"]].append(note)
    return found


def share(of: Sequence[bool]) -> str:
    """Return how many are true, with an interval."""
    if not of:
        return "–"
    low, high = wilson(sum(of), len(of))
    return f"{sum(of)} of {len(of)} [{low:.0%}, {high:.0%}]"


def main() -> None:
    """Do what the player, or who counts, asks for."""
    parser = argparse.ArgumentParser(description="Play blind at a desk.")
    doing = parser.add_subparsers(dest="doing", required=True)
    for name in ("look", "act", "end"):
        doing.add_parser(name).add_argument("desk", type=Path)
    doing.choices["act"].add_argument("actions", nargs="+", type=json.loads)
    ending = doing.choices["end"]
    ending.add_argument("--answer")
    ending.add_argument("--status", choices=("success", "failure", "infeasible"), default="success")
    ending.add_argument("--clear", choices=("yes", "no"), default="yes", help="whether the goal was clear")
    ending.add_argument("--remark", default="", help="what looked unlike the real program, or was odd")
    counting = doing.add_parser("table")
    counting.add_argument("runs", nargs="+", type=Path)
    counting.add_argument("--desk", nargs="+", type=Path, required=True)
    options = parser.parse_args()
    match options.doing:
        case "look":
            asyncio.run(look(options.desk))
        case "act":
            show(options.desk, asyncio.run(call(options.desk, "POST", "step", {"actions": options.actions})))
        case "end":
            asyncio.run(end(options.desk, options))
        case "table":
            tell(*table(options.runs, options.desk))


if __name__ == "__main__":
    main()
