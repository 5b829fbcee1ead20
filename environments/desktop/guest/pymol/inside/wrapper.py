"""Starts PyMOL's unmodified window inside the box, and serves its state over a Unix socket.

Run as `python3 wrapper.py SOCKET TOKEN_FILE`; it needs nothing but PyMOL, the standard library and `sealed/inside`.
What is typed into PyMOL's command line may be Python, and runs in this very process: the token keeps other programs
out, not such lines. So they are counted (`console/python`).
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "sealed" / "inside"))

import pymol  # type: ignore[import-not-found]
import serving  # type: ignore[import-not-found]
import snapshot  # type: ignore[import-not-found]
from pmg_qt import pymol_qt_gui  # type: ignore[import-not-found]
from pymol.parser import Parser  # type: ignore[import-not-found]

Reply = dict[str, Any]


class Lines:
    """Counts the lines of the command line that are run as Python."""

    count = 0

    def watch(self) -> None:
        """Count from now on."""
        run = Parser.exec_python

        def counted(parser: Any, text: str, *args: Any, **kwargs: Any) -> Any:
            self.count += 1
            return run(parser, text, *args, **kwargs)

        Parser.exec_python = counted


class PymolApi:
    """Handlers of the requests; every method runs in the window's thread."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._usual: dict[str, str] = {}

    def ready(self) -> Reply:
        """Return what is still missing before a user could work."""
        window = pymol_qt_gui.window
        if not window.isVisible() or not window.pymolwidget.isVisible():
            return {"waiting": "for the main window"}
        if not window.isMaximized():
            return {"waiting": "for its size"}
        if not self._usual:
            self._usual = snapshot.settings(pymol.cmd)
        return {"waiting": None}

    def run(self, lines: list[str]) -> Reply:
        """Run lines of PyMOL's command language."""
        for line in lines:
            pymol.cmd.do(line, 0, 0, 1)
        pymol.cmd.sync()
        self._lines.count = 0
        return {}

    def state(self) -> Reply:
        """Return the state of the session."""
        state: Reply = snapshot.collections(pymol.cmd, self._usual)
        return state | {"console": {"python": {"lines": self._lines.count}}}


def in_window_thread(work: Callable[[], None]) -> None:
    """Have a function called in the window's thread, when there is one."""

    def wait() -> None:
        while not (call := getattr(pymol.cmd, "_call_in_gui_thread", None)) or not hasattr(call, "mutex"):
            time.sleep(0.02)
        call(work)

    threading.Thread(target=wait, daemon=True).start()


def main(address: str, token_file: str) -> None:
    """Start the server thread and the window."""
    token = serving.take_token(token_file)
    lines = Lines()
    lines.watch()
    serving.start(address, token, PymolApi(lines), in_window_thread)
    pymol.launch(["pymol", "-q"])


if __name__ == "__main__":
    main(*sys.argv[1:])
