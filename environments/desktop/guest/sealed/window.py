"""The client of a wrapped window, which answers over the channel that it was started with (`inside/serving.py`)."""

from __future__ import annotations

import asyncio
import json
import socket
from dataclasses import dataclass, field
from typing import Any

from guest.errors import DesktopFailure, Ended, NotReady, SealBroken
from guest.timeouts import STEP, scaled

_SECONDS = scaled(8.0)  # timeout of a query
_GRACE = 2.0  # the window's own timeout is shorter by this
_LONGEST = 16 * 1024 * 1024  # bytes of a reply

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(slots=True)
class Window:
    """The window of one launch.

    Its channel is a pair of sockets without a name: one end is ours, the other is the standard input of the wrapper. So
    no other program can answer or ask. Before code runs in the wrapper that is not its own, it says so, and from then
    on it is not believed any more.

    Attributes:
        program: What messages call the program.
        before: The window of the launch before, which is asked when this one has ended.
        broken: Why the window is not believed any more; None if it is.
    """

    program: str
    before: Window | None = None
    broken: str | None = None
    _pair: tuple[socket.socket, socket.socket] | None = None
    _streams: Streams | None = None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _count: int = 0

    @property
    def channel(self) -> socket.socket:
        """The wrapper's end, which is closed here when the wrapper is started."""
        self._pair = self._pair or socket.socketpair()
        return self._pair[1]

    async def ask(self, question: str, **details: object) -> dict[str, Any]:
        """Send a query to the window and return its reply.

        Raises:
            NotReady: It does not answer in time.
            Ended: It has ended, and so have those before.
            SealBroken: It ran code that is not its own.
            DesktopFailure: It reports an error.
        """
        return await self._ask(question, details, _SECONDS)

    async def do(self, request_name: str, **details: object) -> None:
        """Send a command to the window, once, with a long timeout.

        Raises:
            SealBroken: It ran code that is not its own.
            DesktopFailure: The command failed or timed out.
        """
        await self._ask(request_name, details, STEP)

    def close(self) -> None:
        """Close the channel, and those of the windows before."""
        if self.before is not None:
            self.before.close()
        for end in self._pair or ():
            end.close()
        if self._streams is not None:
            self._streams[1].close()
        self._pair = None

    async def _ask(self, question: str, details: dict[str, object], seconds: float) -> dict[str, Any]:
        try:
            async with asyncio.timeout(seconds + _GRACE), self._turn:
                answer = await self._exchange({"ask": question, "with": details, "seconds": seconds})
        except (OSError, TimeoutError, EOFError) as error:
            if self.before is not None and self.before._pair and not isinstance(error, TimeoutError):
                return await self.before._ask(question, details, seconds)
            reason = f"{type(error).__name__} {error}".strip()
            ended = self._streams is not None and not isinstance(error, TimeoutError)
            raise (Ended if ended else NotReady)(
                f"the window of {self.program} does not answer when asked for {question}: {reason}"
            ) from None
        if "busy" in answer:
            raise NotReady(f"the window of {self.program}, asked for {question}: {answer['busy']}")
        if "error" in answer:
            raise DesktopFailure(f"the window of {self.program}, asked for {question}: {answer['error']}")
        return answer

    async def _exchange(self, question: dict[str, object]) -> dict[str, Any]:
        reader, writer = await self._opened()
        self._count += 1
        writer.write(json.dumps({**question, "number": self._count}).encode() + b"\n")
        await writer.drain()
        while True:
            said = await self._said(reader)
            if said.get("number") == self._count:  # earlier ones come too late
                answer: dict[str, Any] = said["answer"]
                return answer

    async def _opened(self) -> Streams:
        if self._pair is None:
            raise EOFError("it was not started")
        if self._streams is None:
            ours = self._pair[0].dup()
            self._streams = await asyncio.open_unix_connection(sock=ours, limit=_LONGEST)
        return self._streams

    async def _said(self, reader: asyncio.StreamReader) -> dict[str, Any]:
        """Return the next message; nothing is read any more when the seal is broken.

        Raises:
            SealBroken: It ran code that is not its own.
        """
        if self.broken is None:
            try:
                line = await reader.readuntil()
            except asyncio.LimitOverrunError:
                raise DesktopFailure(
                    f"the window of {self.program} tells more than {_LONGEST} bytes"
                ) from None
            said: dict[str, Any] = json.loads(line)
            if "broken" not in said:
                return said
            self.broken = str(said["broken"])
        raise SealBroken(
            f"{self.program} is not believed any more, since {self.broken}; reopened, it is again"
        )


class Wrapped:
    """An application whose windows are asked over channels; `_window` is the one that was launched last."""

    def __init__(self, program: str) -> None:
        self._window = Window(program)

    def next_channel(self) -> socket.socket:
        """Return the wrapper's end of the channel of another launch."""
        self._window = Window(self._window.program, self._window)
        return self._window.channel

    def close(self) -> None:
        """Close the channels of all launches, with their desktop."""
        self._window.close()
        self._window = Window(self._window.program)
