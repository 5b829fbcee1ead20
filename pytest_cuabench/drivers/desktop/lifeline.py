"""The attached standard streams of a container, which runs as long as they are open."""

from __future__ import annotations

import socket
import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docker.models.containers import Container

_LINES = 20  # of output that are kept


class Lifeline:
    """The attached streams of one container; created before it starts."""

    def __init__(self, container: Container) -> None:
        wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        self._stream: Any = container.attach_socket(params=wanted)
        self._said: deque[str] = deque(maxlen=_LINES)
        self._ended = threading.Event()
        self._reader = threading.Thread(target=self._read, name="cuabench-lifeline", daemon=True)
        self._reader.start()

    @property
    def open(self) -> bool:
        """Whether the container runs."""
        return not self._ended.is_set()

    @property
    def last_line(self) -> str:
        """The last line of the container's output; empty if there is none."""
        return next((line.strip()[:500] for line in reversed(self._said) if line.strip()), "")

    def close(self) -> None:
        """Close the streams, which ends the container."""
        raw: socket.socket = getattr(self._stream, "_sock", self._stream)
        with suppress(OSError):
            # Closing alone does not wake a thread that reads.
            raw.shutdown(socket.SHUT_RDWR)
        self._reader.join(5)
        self._stream.close()

    def _read(self) -> None:
        from docker.utils.socket import frames_iter

        rest = ""
        with suppress(OSError, ValueError):
            for _, chunk in frames_iter(self._stream, tty=False):  # type: ignore[no-untyped-call]
                *lines, rest = (rest + chunk.decode("utf-8", "replace")).split("\n")
                self._said.extend(lines)
                # A line without an end must not fill the memory.
                rest = rest[-4096:]
        self._said.append(rest)
        self._ended.set()
