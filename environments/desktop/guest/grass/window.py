"""Asking GRASS's window what is true in it: the supervisor's end of the wrapper's socket."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from guest.errors import NotYet, Trouble
from guest.patience import STEP, patient

if TYPE_CHECKING:
    from guest.desk import Desk

_SOCKET, _TOKEN = "grass", "grass-token"  # in the folder that supervisor and programs share
_SECONDS = patient(8.0)  # for a question
_GRACE = 2.0  # the window itself gives up a little earlier, and says so
_LONGEST = 16 * 1024 * 1024  # bytes of an answer


@dataclass(slots=True)
class Window:
    """The window of one episode; whoever else answers in its place is found out by the seal."""

    token: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def arrange(self, desk: Desk) -> tuple[str, str]:
        """Leave the token for the wrapper; return the paths of socket and token as the wrapper sees them."""
        runtime = desk.box.places.runtime
        file = runtime.host / _TOKEN
        file.unlink(missing_ok=True)
        file.touch(mode=0o600)
        file.write_bytes(self.token)
        desk.box.own(file)
        return f"{runtime.inside}/{_SOCKET}", f"{runtime.inside}/{_TOKEN}"

    async def ask(self, desk: Desk, question: str, **details: object) -> dict[str, Any]:
        """Return what the window tells.

        Raises:
            NotYet: It does not answer now.
            Trouble: It says that it cannot, or something else answers.
        """
        return await self._ask(desk, question, details, _SECONDS)

    async def do(self, desk: Desk, deed: str, **details: object) -> None:
        """Have the window do something, once; a busy machine is given its time.

        Raises:
            Trouble: It was not done, or not in time.
        """
        await self._ask(desk, deed, details, STEP)

    async def _ask(
        self, desk: Desk, question: str, details: dict[str, object], seconds: float
    ) -> dict[str, Any]:
        request = {"ask": question, "with": details, "seconds": seconds}
        try:
            async with asyncio.timeout(seconds + _GRACE):
                body = await self._exchange(desk.box.places.runtime.host / _SOCKET, request)
        except (OSError, TimeoutError, EOFError) as error:
            reason = f"{type(error).__name__} {error}".strip()
            raise NotYet(f"the window of GRASS does not answer when asked for {question}: {reason}") from None
        answer: dict[str, Any] = json.loads(body)
        if "busy" in answer:
            raise NotYet(f"the window of GRASS, asked for {question}: {answer['busy']}")
        if "error" in answer:
            raise Trouble(f"the window of GRASS, asked for {question}: {answer['error']}")
        return answer

    async def _exchange(self, socket: Path, question: dict[str, object]) -> bytes:
        nonce = secrets.token_hex(16)
        reader, writer = await asyncio.open_unix_connection(socket, limit=_LONGEST)
        try:
            request = json.dumps({**question, "nonce": nonce}).encode()
            writer.write(self._seal(request) + b"\n" + request + b"\n")
            await writer.drain()
            seal = (await reader.readline()).strip()
            body = await _all(reader)
        finally:
            writer.close()
        if not hmac.compare_digest(seal, self._seal(nonce.encode() + body)):
            raise Trouble("something else answers in place of GRASS's window")
        return body

    def _seal(self, content: bytes) -> bytes:
        return hmac.new(self.token, content, hashlib.sha256).hexdigest().encode()


async def _all(reader: asyncio.StreamReader) -> bytes:
    body = bytearray()
    while chunk := await reader.read(65_536):
        body += chunk
        if len(body) > _LONGEST:
            raise Trouble(f"the window of GRASS tells more than {_LONGEST} bytes")
    return bytes(body)
