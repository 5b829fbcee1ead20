"""Starts PyMOL's unmodified window inside the box, and serves its state.

Run as `python3 -I wrapper.py`, with its channel as standard input; it needs nothing but PyMOL, the standard library and
`sealed/inside`. What is typed into PyMOL's command line may be Python, and runs in this very process: such lines are
counted (`console/python`), and code that does more than call PyMOL's commands breaks the seal (`own_code.py`).
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
sys.path[:0] = [str(_HERE), str(_HERE.parents[1] / "sealed" / "inside")]

import own_code  # type: ignore[import-not-found] # noqa: E402
import pymol  # type: ignore[import-not-found] # noqa: E402
import serving  # type: ignore[import-not-found] # noqa: E402
import snapshot  # type: ignore[import-not-found] # noqa: E402
from pmg_qt import pymol_qt_gui  # type: ignore[import-not-found] # noqa: E402
from pymol.parser import Parser  # type: ignore[import-not-found] # noqa: E402

_TEXTS = (  # that PyMOL compiles by itself
    b"glutThread = thread.get_ident()",
    b"import sys, pcatch\nif sys.stdout is not pcatch:pcatch.closed = False;pcatch.encoding = 'UTF-8';"
    b"sys.stderr = sys.stdout = pcatch",
    b"import pymol.importing;pymol.importing.loadfunctions.setdefault('mmtf',pymol.importing.load_mmtf)",
)
_CLASSES = (
    "pymol.Session_Storage",
    *(f"chempy.{name}" for name in ("Atom", "Bond", "Molecule", "models.Indexed")),
)
_PACKAGES = "/usr/lib/python3/dist-packages/"

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

    def __init__(self, lines: Lines, code: Any) -> None:
        self._lines, self._code = lines, code

    def ready(self) -> Reply:
        """Return what is still missing before a user could work."""
        window = pymol_qt_gui.window
        if not window.isVisible() or not window.pymolwidget.isVisible():
            return {"waiting": "for the main window"}
        if not window.isMaximized():
            return {"waiting": "for its size"}
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
        with self._code.aside():
            state: Reply = snapshot.collections(pymol.cmd)
        return state | {"console": {"python": {"lines": self._lines.count}}}


def in_window_thread(work: Callable[[], None]) -> None:
    """Have a function called in the window's thread, when there is one."""

    def wait() -> None:
        while not (call := getattr(pymol.cmd, "_call_in_gui_thread", None)) or not hasattr(call, "mutex"):
            time.sleep(0.02)
        call(work)

    threading.Thread(target=wait, daemon=True).start()


def main() -> None:
    """Start the server thread and the window, without what a user's files add to PyMOL."""
    channel = serving.take_channel()
    code = own_code.OwnCode(
        lambda why: serving.tell(channel, {"broken": why}),
        own=f"{_HERE.parents[1]}/",
        interpreters=tuple(f"{_PACKAGES}{name}/" for name in ("pymol", "pmg_qt", "pmg_tk", "chempy")),
        commands=("cmd", "util", "preset"),
        getters=("get_wizard",),
        stores=("stored",),
        classes=_CLASSES,
        texts=_TEXTS,
    )
    code.watch()
    lines = Lines()
    lines.watch()
    serving.start(channel, PymolApi(lines, code), in_window_thread)
    pymol.launch(["pymol", "-qk"])


if __name__ == "__main__":
    main()
