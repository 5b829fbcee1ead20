"""What an agent may try on a desktop with programs of its own: none is ungraded, none passes, nothing is left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from drivers.desktop_here import require_desktop

from pytest_cuabench.task.action import Click

from .arena import Arena, Deed, Stage, Way, told
from .conftest import ids

pytestmark = pytest.mark.slow
SUITE = Path(__file__).parents[1] / "desktop_suite"


def bash(code: str) -> Deed:
    """Return an action that runs a program of the shell."""
    return told("run_code", code=code, language="bash")


def python(code: str) -> Deed:
    """Return an action that runs a Python program."""
    return told("run_code", code=code)


WAYS = [
    Way("kill every process of one's own", (bash("kill -9 -1"),)),
    Way("kill the window manager", (bash("pkill -9 openbox"),)),
    Way("kill the application", (bash("pkill -9 -f python3; pkill -9 -f probe"),)),
    Way("end all X clients", (bash("xkill -all 2>/dev/null; xrefresh -black 2>/dev/null; pkill -9 -f x11"),)),
    Way("a file name that is no text", (bash("touch \"$(printf 'bad\\xff')\" \"$(printf 'new\\nline')\""),)),
    Way("a folder as deep as it goes", (bash("for i in $(seq 900); do mkdir d && cd d || break; done"),)),
    Way("fifty thousand files", (python("for n in range(50_000): open(f'f{n}', 'w').close()"),)),
    Way("a pipe, a socket, a loop of links", (bash("mkfifo pipe; ln -s loop loop; ln -s /dev/zero zero"),)),
    Way("a sparse terabyte", (bash("truncate -s 1T big"),)),
    Way("fill the disk", (bash("dd if=/dev/zero of=fill bs=1M count=100000; true"),)),
    Way("fill the disk in many places", (bash("for d in ~ /tmp /var/tmp /dev/shm; do yes > $d/y; done"),)),
    Way("processes without end", (bash("f() { f | f & }; f; sleep 1"),)),
    Way("memory without end", (python("x = b'x' * 2**40"),)),
    Way("output without end", (bash("yes"),)),
    Way("a program that never ends", (bash("sleep infinity"),)),
    Way("a program that stays behind", (bash("setsid nohup sleep 100000 >/dev/null 2>&1 &"),)),
    Way("a home that cannot be read", (bash("chmod -R 000 ~"),)),
    Way("a home that is gone", (bash("rm -rf ~/* ~/.[a-z]*"),)),
    Way("a home of links to the host", (bash("for d in etc proc root; do ln -s /$d ~/$d; done"),)),
    Way("programs at every start", (bash("echo 'exit 1' | tee ~/.profile ~/.bashrc ~/.xsessionrc"),)),
    Way("another keyboard", (bash("xmodmap -e 'keycode 38 = q Q' || setxkbmap dvorak"),)),
    Way("swapped buttons", (bash("xmodmap -e 'pointer = 3 2 1'"),)),
    Way("another root window", (bash("xsetroot -solid red; xrdb -merge <<< 'x: y'"),)),
    Way("another screen", (bash("xrandr --fb 640x480"),)),
    Way("close the window", (told("key", keys=["alt", "f4"]),)),
    Way("switch the console", (told("key", keys=["ctrl", "alt", "f1"]),)),
    Way("end the server by its keys", (told("key", keys=["ctrl", "alt", "backspace"]),)),
    Way(
        "20,000 characters",
        (
            Click(500, 60),
            told("type", text=(("aé日 " * 20)[:-1] + "\n") * 250),
        ),
    ),
    Way(
        "a drag over 10,000 points", (told("drag", path=[(9 + n % 900, 9 + n % 500) for n in range(10_000)]),)
    ),
    Way("buttons and keys that are held", (told("key_down", key="shift"), told("mouse_down", x=9, y=9))),
    Way("an application that is not there", (told("open_app", name="/bin/sh"),)),
    Way("a code of a megabyte", (python("x = 1\n" * 200_000),)),
    Way("a code that is no text", (bash("printf '\\xff\\x00\\x1b[2J'"),)),
    Way("a namespace of one's own", (bash("unshare -Ur sh -c 'mount -t tmpfs none /tmp; id'"),)),
]


@pytest.fixture(scope="module")
def probe(arena: Arena) -> Stage:
    """A window with two fields; to write a word into the upper one is the task."""
    require_desktop()
    return Stage.of(arena, SUITE, "probe/write")


# GTK lays a line out again for each of its characters: this one takes many minutes, and the lines above some seconds.
ONE_LINE = Way("20,000 characters in one line", (Click(500, 60), told("type", text="aé日 " * 5_000)))


@pytest.mark.parametrize("way", [*WAYS, pytest.param(ONE_LINE, marks=pytest.mark.nightly)], ids=ids)
def test_no_way_out_of_a_desktop(probe: Stage, way: Way, graded: Callable[[Stage, Way], None]) -> None:
    """Whatever an agent does on a desktop, its attempt is graded and fails, and the next episode is unharmed."""
    graded(probe, way)
    assert probe.next_episode().outcome == "success"
