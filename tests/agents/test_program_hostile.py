"""Whatever a program sends to a door is answered by a sentence of the door's own: nothing fails inside."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from small_world import SCREEN

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.program.cdp_client import Client
from pytest_cuabench.agents.program.door import Guard, routes
from pytest_cuabench.agents.program.exchange import Exchange
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.testing import blank_png

TOKEN = "t" * 43
NAMES = (
    "kind",
    "x",
    "y",
    "keys",
    "key",
    "text",
    "path",
    "seconds",
    "button",
    "count",
    "modifiers",
    "\ud800",
    "",
)
KINDS = ("click", "type", "key", "drag", "wait", "zoom", "run_code", "terminate", "\udfff", "", "finish")
leaves = (
    some.none()
    | some.booleans()
    | some.sampled_from(
        [*KINDS, "ctrl+a", 10**300, -1, 0, 5, 1e308, float("nan"), float("inf"), "\ud800", "a\x00"]
    )
    | some.text(max_size=5)
)
values = some.recursive(
    leaves,
    lambda inner: (
        some.lists(inner, max_size=3) | some.dictionaries(some.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=8,
)
actions = some.dictionaries(some.sampled_from(NAMES), values, max_size=4).flatmap(
    lambda rest: some.sampled_from(KINDS).map(lambda kind: {**rest, "kind": kind})
)
steps = some.fixed_dictionaries(
    {"actions": some.lists(actions | values, max_size=3)},
    optional={
        "usage": values | some.fixed_dictionaries({"cost": leaves}),
        "thought": leaves,
        "\ud801": leaves,
    },
)
ODD = (
    b"\xff\xfe\x00", b"[" * 100_000, b'{"actions":' + b"[" * 900 + b"]" * 900 + b"}", b"9" * 5_000, b'"\\ud800"', b"",
    b'{"actions":[{"kind":"wait","kind":"click","x":1,"x":2}]}', b'{"pyautogui":"pyautogui.write(\\"\\ud800\\")"}',
    b'{"actions":[{"kind":"click","\\ud800":1}]}', b'{"pyautogui":"' + b"(" * 5_000 + b'"}', b"NaN", b"null",
    b'{"actions":[{"kind":"drag","path":' + b"[" * 500 + b"]" * 500 + b"}]}", b'{"status":{}}', b'{"status":[[]]}',
)  # fmt: skip


def sends(bodies: list[bytes], *paths: str) -> list[int]:
    """Send each body to each path of a door whose loop answers every step; return the statuses."""
    exchange = Exchange(Briefing("do", "screenshot", SCREEN, ("pointer", "keyboard"), 99))

    async def loop() -> None:
        notices: tuple[str, ...] = ()
        while True:
            seen = Observation(SCREEN, blank_png(SCREEN), notices=notices)
            decision = await exchange.decide(seen)
            notices = (decision.format_error or "", decision.thought)
            json.dumps([action.to_json() for action in decision.actions], allow_nan=False)

    async def send() -> list[int]:
        from starlette.applications import Starlette

        guard = Guard(Starlette(routes=routes(exchange)), exchange, TOKEN, 10_000)
        playing = asyncio.create_task(loop())
        transport = httpx.ASGITransport(guard)  # type: ignore[arg-type]
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(transport=transport, base_url="http://door", headers=headers) as client:
            found = [(await client.post(path, content=body)).status_code for body in bodies for path in paths]
            found.append((await client.get("/v1/observation")).status_code)
        playing.cancel()
        assert guard.fault == ""
        return found

    return asyncio.run(send())


def test_odd_bodies() -> None:
    """Bodies that are no text, no JSON, nested too deeply or hold lone surrogates get 400 or make a step of none."""
    found = sends(list(ODD), "/v1/step", "/v1/finish")
    assert set(found) <= {200, 400}
    assert found[-1] == 200  # what was said of them can still be told


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some.lists(steps, min_size=1, max_size=5))
def test_steps_of_any_form(given_steps: list[dict[str, Any]]) -> None:
    """A step whose names and values are anything is answered, and so is the next look."""
    found = sends([json.dumps(step).encode() for step in given_steps], "/v1/step")
    assert set(found) <= {200, 400}
    assert found[-1] == 200


def test_a_fault_of_the_door_is_a_malformed_request() -> None:
    """Where answering fails inside, the program is told that its request is malformed, and the fault is kept."""
    exchange = Exchange(Briefing("do", "screenshot", SCREEN, ("pointer",), 9))

    async def app(*arguments: Any) -> None:
        raise ZeroDivisionError("a bug of the door")

    async def ask() -> tuple[int, str]:
        guard = Guard(app, exchange, TOKEN, 10)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url="http://door") as client:  # type: ignore[arg-type]
            answer = await client.post("/v1/step", headers={"Authorization": f"Bearer {TOKEN}"})
        return answer.status_code, guard.fault

    assert asyncio.run(ask()) == (400, "the door failed: ZeroDivisionError: a bug of the door")


@pytest.mark.parametrize("fault", [TypeError("x"), KeyError("x"), RecursionError("x"), OverflowError("x")])
def test_a_cdp_call_that_fails_inside(fault: Exception) -> None:
    """A call by CDP whose parameters fail inside is answered by an error, and the connection stays."""

    class Door:
        exchange = None

    async def fails(*arguments: Any) -> Any:
        raise fault

    async def answer() -> list[str]:
        client = Client(Door(), None)  # type: ignore[arg-type]
        client._call = fails  # type: ignore[method-assign]
        await client._answer('{"id": 7, "method": "Page.enable", "params": {}}')
        return [client._sent.get_nowait()]

    (sent,) = asyncio.run(answer())
    assert json.loads(sent)["id"] == 7
    assert "malformed" in json.loads(sent)["error"]["message"]
