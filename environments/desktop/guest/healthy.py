"""`python -m guest.healthy SOCKET TOKEN-FILE`: succeeds when a guest on a Unix socket answers."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

_SECONDS = 8.0


def main(control: str, token_file: str) -> int:
    """Return 0 when the guest says that it is well, else 1."""
    token = Path(token_file).read_text(encoding="ascii").strip()
    request = (
        "GET /cuabench/1/health HTTP/1.0\r\nHost: desktop\r\n"
        f"Authorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    )
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_SECONDS)
        connection.connect(control)
        connection.sendall(request.encode("ascii"))
        status = connection.makefile("rb").readline().split()
    return 0 if status[1:2] == [b"200"] else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
