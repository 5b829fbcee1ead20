from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import shutil
import tempfile
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from guest.errors import DesktopFailure
from guest.sealed.window import Window

TOKEN = b"secret"


@pytest.fixture
def runtime() -> Iterator[Path]:
    """A folder with a short name, as sockets want."""
    folder = Path(tempfile.mkdtemp(prefix="cua-"))
    yield folder
    shutil.rmtree(folder)


def desktop(runtime: Path) -> Any:
    place = types.SimpleNamespace(host=runtime, inside="/run/user/1000")
    box = types.SimpleNamespace(places=types.SimpleNamespace(runtime=place), own=lambda path: None)
    return types.SimpleNamespace(box=box)


def told(runtime: Path, answer: Callable[[dict[str, Any]], bytes]) -> dict[str, Any]:
    """Ask a window that answers so."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        proof, request = (await reader.readline()).strip(), (await reader.readline()).strip()
        assert proof.decode() == hmac.new(TOKEN, request, hashlib.sha256).hexdigest()
        writer.write(answer(json.loads(request)))
        await writer.drain()
        writer.close()

    async def ask() -> dict[str, Any]:
        async with await asyncio.start_unix_server(serve, runtime / "grass"):
            return await Window("grass", "GRASS", TOKEN).ask(desktop(runtime), "state")

    return asyncio.run(ask())


def sealed(request: dict[str, Any], body: bytes, token: bytes = TOKEN) -> bytes:
    seal = hmac.new(token, request["nonce"].encode() + body, hashlib.sha256).hexdigest()
    return seal.encode() + b"\n" + body


def test_the_window_is_believed(runtime):
    """An answer sealed with the token for this very question is taken."""
    assert told(runtime, lambda request: sealed(request, b'{"layers": []}')) == {"layers": []}


@pytest.mark.parametrize(
    "answer",
    [
        lambda request: b'{"layers": []}',
        lambda request: sealed(request, b"{}", b"guessed"),
        lambda request: sealed({"nonce": "an earlier one"}, b"{}"),
        lambda request: b"",
    ],
    ids=["unsealed", "other token", "replayed", "empty"],
)
def test_nobody_else_answers_in_its_place(runtime, answer):
    """Who does not know the token, or repeats an earlier answer, is found out."""
    with pytest.raises(DesktopFailure, match="something else answers"):
        told(runtime, answer)


def test_what_the_window_cannot_do_is_told(runtime):
    """Its sentence is passed on."""
    with pytest.raises(DesktopFailure, match=r"asked for state: Failed: no"):
        told(runtime, lambda request: sealed(request, b'{"error": "Failed: no"}'))


def test_a_window_that_is_not_there_is_trouble(runtime):
    """One sentence says that it does not answer."""
    with pytest.raises(DesktopFailure, match="does not answer when asked for state"):
        asyncio.run(Window("grass", "GRASS", TOKEN).ask(desktop(runtime), "state"))


def test_the_token_is_left_for_the_wrapper_alone(runtime):
    """Its file can be read by nobody else, and every window has a token of its own."""
    socket, file = Window("grass", "GRASS", TOKEN).arrange(desktop(runtime))
    assert (socket, file) == ("/run/user/1000/grass", "/run/user/1000/grass-token")
    assert (runtime / "grass-token").read_bytes() == TOKEN
    assert (runtime / "grass-token").stat().st_mode & 0o077 == 0
    assert Window("grass", "GRASS").token != Window("grass", "GRASS").token
