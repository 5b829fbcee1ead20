"""The client of a wrapped window, which serves its state over a Unix socket (`inside/serving.py`)."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from guest.errors import DesktopFailure, NotReady
from guest.timeouts import STEP, scaled

if TYPE_CHECKING:
    from guest.desktop import Desktop

_SECONDS = scaled(8.0)  # timeout of a query
_GRACE = 2.0  # the window's own timeout is shorter by this
_LONGEST = 16 * 1024 * 1024  # bytes of a reply


@dataclass(slots=True)
class Window:
    """The window of one episode; forged replies are detected by their signature.

    Attributes:
        name: Of the socket, in the folder that supervisor and programs share.
        program: What messages call the program.
    """

    name: str
    program: str
    token: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def arrange(self, desktop: Desktop) -> tuple[str, str]:
        """Write the token for the wrapper; return the wrapper's paths of socket and token."""
        runtime = desktop.box.places.runtime
        file = runtime.host / f"{self.name}-token"
        file.unlink(missing_ok=True)
        file.touch(mode=0o600)
        file.write_bytes(self.token)
        desktop.box.own(file)
        return f"{runtime.inside}/{self.name}", f"{runtime.inside}/{self.name}-token"

    async def ask(self, desktop: Desktop, question: str, **details: object) -> dict[str, Any]:
        """Send a query to the window and return its reply.

        Raises:
            NotReady: It does not answer in time.
            DesktopFailure: It reports an error, or the reply is forged.
        """
        return await self._ask(desktop, question, details, _SECONDS)

    async def do(self, desktop: Desktop, request_name: str, **details: object) -> None:
        """Send a command to the window, once, with a long timeout.

        Raises:
            DesktopFailure: The command failed or timed out.
        """
        await self._ask(desktop, request_name, details, STEP)

    async def _ask(
        self, desktop: Desktop, question: str, details: dict[str, object], seconds: float
    ) -> dict[str, Any]:
        request = {"ask": question, "with": details, "seconds": seconds}
        try:
            async with asyncio.timeout(seconds + _GRACE):
                body = await self._exchange(desktop.box.places.runtime.host / self.name, request)
        except (OSError, TimeoutError, EOFError) as error:
            reason = f"{type(error).__name__} {error}".strip()
            raise NotReady(
                f"the window of {self.program} does not answer when asked for {question}: {reason}"
            ) from None
        answer: dict[str, Any] = json.loads(body)
        if "busy" in answer:
            raise NotReady(f"the window of {self.program}, asked for {question}: {answer['busy']}")
        if "error" in answer:
            raise DesktopFailure(f"the window of {self.program}, asked for {question}: {answer['error']}")
        return answer

    async def _exchange(self, socket: Path, question: dict[str, object]) -> bytes:
        nonce = secrets.token_hex(16)
        reader, writer = await asyncio.open_unix_connection(socket, limit=_LONGEST)
        try:
            request = json.dumps({**question, "nonce": nonce}).encode()
            writer.write(self._seal(request) + b"\n" + request + b"\n")
            await writer.drain()
            seal = (await reader.readline()).strip()
            body = await self._all(reader)
        finally:
            writer.close()
        if not hmac.compare_digest(seal, self._seal(nonce.encode() + body)):
            raise DesktopFailure(f"something else answers in place of {self.program}'s window")
        return body

    async def _all(self, reader: asyncio.StreamReader) -> bytes:
        body = bytearray()
        while chunk := await reader.read(65_536):
            body += chunk
            if len(body) > _LONGEST:
                raise DesktopFailure(f"the window of {self.program} tells more than {_LONGEST} bytes")
        return bytes(body)

    def _seal(self, content: bytes) -> bytes:
        return hmac.new(self.token, content, hashlib.sha256).hexdigest().encode()
