"""A person plays: a visible window, a terminal, and the same checks. The person here is xdotool."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

NEEDED = ("Xvfb", "openbox", "xdotool", "chromium")
MISSING = [program for program in NEEDED if shutil.which(program) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"a window needs: apt-get install {' '.join(MISSING).lower()}"),
]


@pytest.fixture
def display() -> Iterator[dict[str, str]]:
    """A screen with a window manager; the environment to use it by."""
    command = [
        "Xvfb",
        "-displayfd",
        "1",
        "-screen",
        "0",
        "1400x1000x24",
    ]  # it takes a free number, and says which
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as screen:
        assert screen.stdout
        environment = {**os.environ, "DISPLAY": f":{screen.stdout.readline().strip()}"}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(["openbox"], env=environment, **quiet) as manager:
            yield environment
            manager.terminate()
        screen.terminate()


class Terminal:
    """A pytest run on a terminal of its own."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "--cua-suite=medcua",
            "--agent=human",
            "-k",
            "emergency_triage and login-intent",
        ]
        self._pid, self._screen = pty.fork()
        if self._pid == 0:
            os.chdir(folder)
            os.execve(command[0], [*command, "-p", "no:cacheprovider"], environment)

    def read_until(self, pattern: str, seconds: float = 60) -> re.Match[str]:
        """Return what the terminal shows once it fits."""
        shown, end = "", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self._screen], [], [], 0.2)[0]:
                try:
                    shown += os.read(self._screen, 65536).decode(errors="replace")
                except OSError:  # the program has ended
                    break
            if found := re.search(pattern, " ".join(shown.split())):
                return found
        raise AssertionError(f"the terminal never showed {pattern}:\n{shown}")

    def type(self, text: str) -> None:
        os.write(self._screen, text.encode())


def hand(environment: dict[str, str]) -> Callable[..., str]:
    def use(*arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    return use


def test_a_person_signs_in(display: dict[str, str], tmp_path: Path) -> None:
    """What a person does is judged when Enter is pressed, and told in numbers; which keys it were is not kept."""
    terminal, xdotool = Terminal(tmp_path, display), hand(display)
    asked = terminal.read_until(r"user ID is (\S+) and the password is (\S+)\. .*'give up'\. >")
    window = xdotool("search", "--sync", "--onlyvisible", "--class", "chromium").split()[-1]

    xdotool("windowactivate", "--sync", window)
    xdotool("mousemove", "844", "443", "click", "1")  # the field "User ID"
    for keys in (("type", asked[1]), ("key", "Tab"), ("type", asked[2]), ("key", "Return")):
        xdotool(*keys)
    xdotool("search", "--sync", "--onlyvisible", "--name", "board|Board")
    terminal.type("\n")

    shown = terminal.read_until(r"people: .* all +1/1 .*1 passed")[0]
    assert re.search(r"easy +1/1 +\d+ s +\d+ s", shown)
    (steps,) = tmp_path.glob("reports/*/trajectories/**/steps.jsonl")
    played = json.loads(steps.read_text())
    kinds = [event[1] for event in played["raw"]["input_events"]]
    assert kinds.count("click") == 1
    assert kinds.count("key") >= len(asked[1]) + len(asked[2]) + 2
    assert asked[2] not in steps.read_text()
