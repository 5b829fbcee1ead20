"""`python -m guest.healthy WHERE [TOKEN-FILE]`: succeeds when a guest answers at a socket's path or at HOST:PORT."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

_SECONDS = 8.0


def main(where: str, token_file: str | None = None) -> int:
    """Return 0 if the guest reports that it is healthy, else 1."""
    known = ""
    if token_file is not None:
        known = f"Authorization: Bearer {Path(token_file).read_text(encoding='ascii').strip()}\r\n"
    request = f"GET /cuabench/1/health HTTP/1.0\r\nHost: desktop\r\n{known}Connection: close\r\n\r\n"
    with _connect(where) as connection:
        connection.sendall(request.encode("ascii"))
        status = connection.makefile("rb").readline().split()
    return 0 if status[1:2] == [b"200"] else 1


def _connect(where: str) -> socket.socket:
    if not where.startswith("/"):
        host, _, port = where.rpartition(":")
        return socket.create_connection((host, int(port)), _SECONDS)
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(_SECONDS)
    connection.connect(where)
    return connection


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
