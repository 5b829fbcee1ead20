"""The OpenEnv server, played by the client of the package `openenv` and by strangers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import pytest
from phases import PAGE
from serving.conftest import NAMED, NOTE, STOP, keys

from pytest_cuabench.serving.catalogue import Catalogue
from pytest_cuabench.serving.sessions import Sessions

pytest.importorskip("openenv", reason="type: pip install 'pytest-cuabench[openenv]'")
pytestmark = [
    pytest.mark.usefixtures("openenv_package"),
    # of the package's own modules and of what it imports
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


Collected = Callable[..., Catalogue]
Work = Callable[[str, Sessions], Awaitable[Any]]


def served(
    catalogue: Catalogue, work: Work, *, token: str | None = None, idle: float = 60.0, at_once: int = 4
) -> Any:
    """Serve a catalogue while `work` runs."""
    from pytest_cuabench.serving.openenv import bound, serving

    async def running() -> Any:
        sessions = Sessions(catalogue, at_once=at_once, idle=idle, name="openenv")
        async with serving(sessions, bound("127.0.0.1", 0), token, idle) as address:
            return await work(address, sessions)

    return asyncio.run(running())


def client(address: str, **options: Any) -> Any:
    """Return OpenEnv's own client."""
    from openenv.core import GenericEnvClient

    return GenericEnvClient(base_url=address, **options)


async def note(address: str, *steps: dict[str, Any], **reset: Any) -> Any:
    """Play steps by OpenEnv's own client, and return the last result."""
    async with client(address) as env:
        result = await env.reset(**(reset or {"instance": NOTE}))
        for step in steps:
            result = await env.step(step)
        return result


def test_openenvs_client_solves_a_task(collected: Collected) -> None:
    """Their client resets, steps and gets the reward 1 at the end, with the milestones in the metadata only then."""

    async def work(address: str, sessions: Sessions) -> None:
        async with client(address) as env:
            first = await env.reset(instance=NOTE)
            assert first.observation["briefing"]["goal"] == "Sit down. Note that Ada was seen."
            solved = await env.step(keys("n"))
            assert (solved.reward, solved.done, solved.metadata) == (None, False, None)
            assert (await env.state())["step_count"] == 1
            last = await env.step(STOP)
            assert (last.reward, last.done, last.metadata["success"]) == (1.0, True, True)
            with pytest.raises(RuntimeError, match="the episode has ended: reset"):
                await env.step(STOP)
            assert (await env.reset(instance=NOTE)).observation["step"] == 0

    served(collected(), work)


@pytest.mark.usefixtures("phased")
def test_openenvs_client_plays_both_phases(collected: Collected) -> None:
    """The result of the step that ends the search has the task's briefing, and its steps are counted anew."""

    async def work(address: str, sessions: Sessions) -> None:
        async with client(address) as env:
            first = await env.reset(instance=NOTE)
            assert first.observation["briefing"]["phase"] == "search"
            second = await env.step(NAMED)
            briefing = second.observation["briefing"]
            assert (briefing["phase"], briefing["max_steps"], second.done) == ("", 10, False)
            assert PAGE in briefing["documents"][0]
            assert len(briefing["pictures"]) == 1
            noted = await env.step(keys("n"))
            assert (noted.observation["briefing"], noted.observation["step"]) == (None, 1)
            assert (await env.step(STOP)).reward == 1.0

    served(collected(), work)


def test_doing_nothing_has_its_reward(collected: Collected) -> None:
    """An episode that is ended at once has the reward 0."""
    assert served(collected(), lambda address, _: note(address, STOP)).reward == 0.0


def test_a_broken_world_has_no_reward(collected: Collected) -> None:
    """A world that breaks is told as an error without a reward."""
    told = served(collected(), lambda address, _: note(address, keys("b")))
    assert (told.done, told.reward) == (True, None)
    assert "fell over" in told.metadata["error"]


def test_tasks_are_told_by_split(collected: Collected) -> None:
    """The tasks API tells splits and their instances, and a reset by split and index plays the one it told."""

    async def work(address: str, sessions: Sessions) -> None:
        async with httpx2.AsyncClient(base_url=address, trust_env=False) as web:
            splits = (await web.get("/sample/splits")).json()
            assert {"name": "train:easy", "type": "train"} in splits
            count = (await web.post("/sample/num_tasks", json={"split": "train"})).json()["num_tasks"]
            assert count == 12
            task = (await web.post("/sample/task", json={"split": "train", "index": 5})).json()
            assert (await web.post("/sample/task", json={"split": "train", "index": 99})).status_code == 400
            missing = await web.post("/sample/tasks", json={"split": "trian"})
            assert "did you mean 'train'" in missing.json()["detail"]
        task = task.get("task", task)
        async with client(address) as env:
            await env.reset(split="train", index=5)
            assert (await env.state())["instance"] == task["id"]

    served(collected("--cua-seeds=0-2"), work)


def test_eight_clients_on_four_places(collected: Collected) -> None:
    """Eight clients at once on four places all get their reward."""

    async def work(address: str, sessions: Sessions) -> list[float]:
        played = await asyncio.gather(*(note(address, keys("n"), STOP) for _ in range(8)))
        return [each.reward for each in played]

    assert served(collected(), work) == [1.0] * 8


async def speak(address: str, *messages: str, **options: Any) -> list[dict[str, Any]]:
    """Send messages as they are, and return the answers."""
    from websockets.asyncio.client import connect

    async with connect(address.replace("http", "ws") + "/ws", proxy=None, **options) as socket:
        answers = []
        for message in messages:
            await socket.send(message)
            answers.append(json.loads(await socket.recv()))
        return answers


def test_a_client_that_dies_frees_its_place(collected: Collected) -> None:
    """When a connection breaks in the middle of an episode, its place is free and the next episode is clean."""

    async def work(address: str, sessions: Sessions) -> float:
        from websockets.asyncio.client import connect

        socket = await connect(address.replace("http", "ws") + "/ws", proxy=None)
        await socket.send(json.dumps({"type": "reset", "data": {"instance": NOTE}}))
        await socket.recv()
        await socket.send(json.dumps({"type": "step", "data": keys("n")}))
        await socket.recv()
        assert sessions.playing == 1
        socket.transport.abort()
        async with asyncio.timeout(10):
            while sessions.playing:
                await asyncio.sleep(0.01)
        return (await note(address, STOP)).reward

    assert served(collected(), work, at_once=1) == 0.0


def test_a_silent_client_loses_its_place_and_then_its_connection(collected: Collected) -> None:
    """A connected client that does nothing loses first its episode and then its connection."""

    async def work(address: str, sessions: Sessions) -> None:
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed

        async with connect(address.replace("http", "ws") + "/ws", proxy=None) as socket:
            await socket.send(json.dumps({"type": "reset", "data": {"instance": NOTE}}))
            await socket.recv()
            async with asyncio.timeout(10):
                while sessions.playing:
                    await asyncio.sleep(0.01)
                with pytest.raises(ConnectionClosed):
                    await socket.recv()

    served(collected(), work, idle=0.2)


RESET = json.dumps({"type": "reset", "data": {"instance": NOTE}})


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("{", "Invalid JSON"),
        ('{"type": "explode"}', "Unknown message type"),
        ('{"type": "step", "data": {"actions": []}}', "no episode has begun"),
        ('{"type": "step", "data": {"click": 1}}', "Invalid message"),
        ('{"type": "reset", "data": {"instance": "desk/nota-intent"}}', "did you mean"),
        ('{"type": "reset", "data": {"split": "train", "index": "1"}}', "index is '1'"),
        ('{"type": "reset", "data": {"seed": true}}', "seed is True"),
        ('{"type": "reset", "data": {"instance": ["x"]}}', "no instance"),
    ],
)
def test_garbage_is_refused(collected: Collected, message: str, words: str) -> None:
    """What is no message, step or instance is refused in a sentence, and the connection stays usable."""

    async def work(address: str, sessions: Sessions) -> None:
        refused, reset = await speak(address, message, RESET)
        assert refused["type"] == "error"
        assert words in refused["data"]["message"]
        assert reset["type"] == "observation"

    served(collected("--cua-seeds=0-1"), work)


@pytest.mark.parametrize("message", ["[" * 100_000, "[]", '"x"', "1" * 2_000_000])
def test_a_connection_that_sends_worse_harms_only_itself(collected: Collected, message: str) -> None:
    """What ends a connection frees its place, and other clients play on."""

    async def work(address: str, sessions: Sessions) -> float:
        from websockets.exceptions import ConnectionClosed

        try:
            answers = await speak(address, RESET, message, RESET)
            assert answers[1]["type"] == "error"
        except ConnectionClosed:
            pass
        async with asyncio.timeout(10):
            while sessions.playing:
                await asyncio.sleep(0.01)
        return (await note(address, keys("n"), STOP)).reward

    assert served(collected(), work, at_once=1) == 1.0


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/ws?session_id=another", {}, 403),
        ("/ws", {"Origin": "http://clinic.localhost"}, 403),
        ("/ws", {"Authorization": "Bearer wrong"}, 401),
    ],
)
def test_strangers_are_refused(collected: Collected, path: str, headers: dict[str, str], status: int) -> None:
    """Another session's id, a page in a browser and a wrong token are refused before a session begins."""

    async def work(address: str, sessions: Sessions) -> int:
        from websockets.asyncio.client import connect
        from websockets.exceptions import InvalidStatus

        sent = {"Authorization": "Bearer secret", **headers}
        with pytest.raises(InvalidStatus) as refusal:
            await connect(address.replace("http", "ws") + path, proxy=None, additional_headers=sent)
        async with client(address, headers={"Authorization": "Bearer secret"}) as env:
            assert (await env.reset(instance=NOTE)).done is False
        return refusal.value.response.status_code

    assert served(collected(), work, token="secret") == status


def test_names_that_lead_here(collected: Collected) -> None:
    """A request under another name (DNS rebinding) is refused; a proxy's name can be allowed."""
    from pytest_cuabench.serving.openenv import bound, serving

    async def statuses(hosts: tuple[str, ...] | None, *names: str) -> list[int]:
        sessions = Sessions(collected(), at_once=1, idle=60.0, name="openenv")
        async with (
            serving(sessions, bound("127.0.0.1", 0), None, 60.0, hosts) as address,
            httpx2.AsyncClient(base_url=address, trust_env=False) as web,
        ):
            return [(await web.get("/sample/splits", headers={"Host": name})).status_code for name in names]

    names = (
        "localhost",
        "127.0.0.1:8000",
        "[::1]:8000",
        "LOCALHOST:1",
        "evil.example:8000",
        "localhost.evil.example",
    )
    assert asyncio.run(statuses((), *names)) == [200, 200, 200, 200, 421, 421]
    assert asyncio.run(statuses(("Trainer.example",), "trainer.example", "evil.example")) == [200, 421]
    assert asyncio.run(statuses(None, "trainer.example")) == [200]


def test_bodies_have_limits(collected: Collected) -> None:
    """A body that is too large, nested too deeply or no JSON is refused, and nothing breaks."""

    async def work(address: str, sessions: Sessions) -> list[int]:
        bodies = ("[" * 100_000, '{"split":' * 200 + "1" + "}" * 200, "1" * 2_000_000, "{", "\udc80")
        async with httpx2.AsyncClient(base_url=address, trust_env=False) as web:
            sent = [each.encode(errors="surrogateescape") for each in bodies]
            return [(await web.post("/sample/num_tasks", content=each)).status_code for each in sent]

    assert served(collected(), work) == [400, 400, 413, 400, 400]


@pytest.mark.parametrize("path", ["/reset", "/step", "/mcp", "/reset/"])
def test_requests_without_a_session_start_nothing(collected: Collected, path: str) -> None:
    """A single HTTP request is refused with what to use instead, since its session would end with it."""

    async def work(address: str, sessions: Sessions) -> None:
        async with httpx2.AsyncClient(base_url=address, trust_env=False) as web:
            answer = await web.post(path, json={"action": {}})
        assert answer.status_code == 409
        assert "/ws" in answer.json()["detail"]
        assert sessions.playing == 0

    served(collected(), work)
