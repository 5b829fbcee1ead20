"""A client as OSWorld's are: what it sends and how it takes failure is theirs, the words are ours.

It needs nothing but the standard library and an address: run as a program, it does one small task and prints what
it saw: `osworld_style.py http://host:5000`.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

PREFIX = "import pyautogui; import time; pyautogui.FAILSAFE = False; {command}"
TRIES = 3


class Controller:
    """Speaks with one machine; a call that fails three times gives None, as everything that fails here."""

    def __init__(self, address: str, pause: float = 5.0) -> None:
        self.address, self.pause = address, pause

    def get(self, path: str) -> bytes | None:
        return self._tried(urllib.request.Request(self.address + path))

    def post(self, path: str, data: Mapping[str, Any] | None = None, **form: str) -> bytes | None:
        body, kind = urlencode(form).encode(), "application/x-www-form-urlencoded"
        if data is not None:
            body, kind = json.dumps(data).encode(), "application/json"
        return self._tried(
            urllib.request.Request(self.address + path, body, {"Content-Type": kind}, method="POST")
        )

    def python(self, command: str) -> dict[str, Any] | None:
        """Run a line of pyautogui in the machine."""
        sent = {"command": ["python", "-c", PREFIX.format(command=command)], "shell": False}
        found = self.post("/execute", sent)
        return None if found is None else dict(json.loads(found))

    def act(self, action: Mapping[str, Any] | str) -> None:
        """Carry out an action of computer_13; WAIT, FAIL and DONE are no business of the machine."""
        if isinstance(action, str):
            assert action in ("WAIT", "FAIL", "DONE")
            return
        kind, given = action["action_type"], dict(action.get("parameters", {}))
        if kind == "TYPING":
            self.python(f"pyautogui.typewrite({given['text']!r})")
        elif kind == "PRESS":
            self.python(f"pyautogui.press({given['key']!r})")
        elif kind == "HOTKEY":
            self.python(f"pyautogui.hotkey({', '.join(map(repr, given['keys']))})")
        elif kind == "CLICK":
            clicks, button = given.pop("num_clicks", 1), given.pop("button", "left")
            self.python(
                f"pyautogui.click(button={button!r}, x={given['x']}, y={given['y']}, clicks={clicks})"
            )
        elif kind == "MOVE_TO":
            self.python(f"pyautogui.moveTo({given['x']}, {given['y']}, 0.1)")
        elif kind == "DRAG_TO":
            self.python(f"pyautogui.dragTo({given['x']}, {given['y']}, duration=0.3, button='left')")
        elif kind == "SCROLL":
            self.python(f"pyautogui.vscroll({given['dy']})")
        else:
            raise ValueError(kind)

    def tree(self) -> str | None:
        found = self.get("/accessibility")
        return None if found is None else str(json.loads(found)["AT"])

    def _tried(self, request: urllib.request.Request) -> bytes | None:
        for _ in range(TRIES):
            try:
                with urllib.request.urlopen(request, timeout=90) as reply:
                    return bytes(reply.read())
            except urllib.error.URLError:
                time.sleep(self.pause)
        return None


class Desktop:
    """An environment of steps: an action, a pause, and everything there is to see."""

    def __init__(self, address: str, pause: float = 2.0) -> None:
        self.controller = Controller(address, pause=0.1)
        self.pause = pause

    def step(self, action: Mapping[str, Any] | str) -> tuple[dict[str, Any], bool]:
        """Return the observation and whether the episode is over."""
        if isinstance(action, str) and action not in ("WAIT", "FAIL", "DONE"):
            self.controller.python(action)
        else:
            self.controller.act(action)
        time.sleep(self.pause)
        return self.observe(), action in ("FAIL", "DONE")

    def observe(self) -> dict[str, Any]:
        terminal = self.controller.get("/terminal")
        return {
            "screenshot": self.controller.get("/screenshot"),
            "accessibility_tree": self.controller.tree(),
            "terminal": json.loads(terminal)["output"] if terminal else None,
        }


def main(address: str) -> int:
    """Calculate in KAlgebra, and say whether the sum is on the screen."""
    desktop = Desktop(address, pause=0.5)
    controller = desktop.controller
    controller.post("/setup/launch", {"command": ["kalgebra"], "shell": False})
    wait = {
        "command": "true",
        "shell": True,
        "verification": {"window_exists": "KAlgebra"},
        "max_wait_time": 20,
    }
    controller.post("/setup/execute_with_verification", wait)
    controller.post("/setup/activate_window", {"window_name": "KAlgebra", "strict": False, "by_class": False})
    for action in ("WAIT", "pyautogui.typewrite('total:=20+22')", "pyautogui.press('enter')", "DONE"):
        seen, over = desktop.step(action)
    screenshot, tree = seen["screenshot"], seen["accessibility_tree"]
    told = {"over": over, "png": bool(screenshot), "total": ">42<" in tree or '"42"' in tree}
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
