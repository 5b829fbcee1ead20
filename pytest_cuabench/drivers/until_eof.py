"""Run a program until it ends or this program's standard input does; then end all that it started.

    python until_eof.py PROGRAM ARGUMENT...

Started in a session of its own, by path and without site packages. The pipe to its standard input closes however the
process that holds the other end dies, so nothing is left behind.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading

_POLITE = 5.0  # seconds between SIGTERM and SIGKILL


def main(command: list[str]) -> int:
    """Run the command."""
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - what the user wrote
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return 127
    threading.Thread(target=_end_at_eof, args=(child,), daemon=True).start()
    code = child.wait()
    # The group has this process in it, too.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)  # what the program started
    return code


def _end_at_eof(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    child.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(_POLITE)
        return
    os.killpg(0, signal.SIGKILL)  # this process, too


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
