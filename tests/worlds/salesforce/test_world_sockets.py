"""The sockets that world programs listen on."""

from __future__ import annotations

import socket

from worldkit.serving import public_socket


def test_answers_are_sent_without_delay() -> None:
    """asyncio switches Nagle's algorithm off only where a socket names TCP; otherwise each answer waits 40 ms."""
    with public_socket(("127.0.0.1", 0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP
