"""Whatever a program leaves behind, the state is told, and the next episode begins as the first one did."""

from __future__ import annotations

import json
from typing import Any

import psutil
import pytest
from drivers.guests import Guest, needs_desktop

pytestmark = needs_desktop
CPU_SECONDS = 20.0  # that a look may take of the guest; it is bounded by what is read

_TWO = r"""touch "$(printf 'bad\xff')" '\udcff' 'bad\udcff' '//bad%FF' 2>/dev/null; touch 'bad%FF' """
_BYTES = r"""touch "$(printf 'bad\xff')"; mkdir "$(printf 'dir\xfe')"; touch "$(printf 'dir\xfe')/a" """
FILES = {
    "not UTF-8": (_BYTES, "//bad%FF"),
    "two alike": (_TWO, "//bad%FF"),
    "line ends": (r"""touch $'a\nb' $'\t' $'\e[31m' "$(printf '\xed\xa0\x80')" """, "a\nb"),
    "many": ("import os\nfor n in range(100_000): os.close(os.open(f'f{n:06}', os.O_CREAT))", "//cut"),
    "deep": ("import os\nfor n in range(3000):\n os.mkdir('d'); os.chdir('d')\nopen('end', 'w')", None),
    "pipe": ("mkfifo pipe; touch after", "pipe"),
    "socket": ("import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind('sock')", "sock"),
    "devices": ("ln -s /dev/zero zero; ln -s /dev/random random; ln -s /proc/kmsg kmsg; touch after", "zero"),
    "loops": ("ln -s . dot; ln -s b a; ln -s a b; ln -s .. up; touch after", "dot"),
    "sparse": ("import os\nfor n in range(40):\n open(f's{n}', 'wb').truncate(60 * 2**20)", "s0"),
    "closed": ("echo x > shut; chmod 000 shut; mkdir d; touch d/in; chmod 000 d; touch after", "shut"),
    "home closed": ("touch in; chmod 000 ~", None),
    "link target": (r"""ln -s "$(printf 'to\xff')" link""", "link"),
    "no text": (
        r"""printf '\xff\xfe' > bin; printf '\xed\xa0\x80' > half; head -c 200000 /dev/zero > nul""",
        "half",
    ),
}
TYPICAL = ("not UTF-8", "pipe", "loops", "sparse", "closed")
# What breaks the desktop itself, told by python-xlib.
WINDOWS = (
    "from Xlib import X, display\nd = display.Display()\nroot = d.screen().root\n"
    "open('made.txt', 'w').write('kept')\n"
)
DAMAGE = {
    "kill all clients": "for w in root.query_tree().children: w.kill_client(); d.flush()\n",
    "kill the manager": (
        "at = d.intern_atom('_NET_SUPPORTING_WM_CHECK')\n"
        "n = root.get_full_property(at, X.AnyPropertyType).value[0]\n"
        "d.create_resource_object('window', n).kill_client(); d.sync()\n"
    ),
    "close windows": "for w in root.query_tree().children: w.destroy(); d.flush()\n",
    "unmap windows": "for w in root.query_tree().children: w.unmap(); d.flush()\n",
    "become the manager": "root.delete_property(d.intern_atom('_NET_SUPPORTED')); d.sync()\n",
    "titles": (
        "name, kind = d.intern_atom('_NET_WM_NAME'), d.intern_atom('UTF8_STRING')\n"
        "for w in root.query_tree().children:\n"
        "  for v in (w, *w.query_tree().children): v.change_property(name, kind, 8, b'\\xff\\xed\\xa0\\x80')\n"
        "d.sync()\n"
    ),
    "fill the disk": (
        "try:\n  for n in range(99): open(f'/tmp/{n}', 'wb').write(b'x' * (60 * 2**20))\nexcept OSError: pass\n"
        "for n in range(99):\n"
        "  try: open(f'/dev/shm/{n}', 'wb').write(b'x' * 2**20)\n  except OSError: break\n"
    ),
    "fork to the limit": (
        "import os, time\n"
        "for n in range(500):\n"
        "  try:\n    if os.fork() == 0: time.sleep(30); os._exit(0)\n  except OSError: break\n"
    ),
    "grab the server": "d.grab_server(); d.sync()\nimport time; time.sleep(1)\n",
}  # fmt: skip


@pytest.fixture
def probe(desktop: Guest) -> Guest:
    """The probe at its beginning."""
    desktop.first = desktop.begin()["fingerprint"]  # type: ignore[attr-defined]
    return desktop


def run(guest: Guest, code: str) -> None:
    """Run a program of a model's, in the language that it is written in."""
    python = code.startswith(("import ", "from "))
    reply = guest.client.post(
        "/code", json={"code": code, "language": "python" if python else "bash", "seconds": 30}, timeout=120
    )
    assert reply.status_code in (200, 503), reply.text


def looked(guest: Guest) -> dict[str, Any]:
    """Return what the guest tells of its state, which must not cost much."""
    before = _worked(guest)
    told = guest.call("GET", "/session/state")
    assert _worked(guest) - before < CPU_SECONDS
    return told


def _worked(guest: Guest) -> float:
    spent = psutil.Process(guest.process.pid).cpu_times()
    return float(spent.user + spent.system)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name if name in TYPICAL else pytest.param(name, marks=pytest.mark.slow) for name in FILES]
)
def test_files(name: str, probe: Guest) -> None:
    """No file that a program makes breaks the state; what cannot be read is told; the next episode begins alike."""
    code, told = FILES[name]
    run(probe, code)
    look = looked(probe)
    assert look["trouble"] is None
    assert len(look["collections"]["files"]) <= 2_001
    if told is not None:
        assert told in look["collections"]["files"], sorted(look["collections"]["files"])[:9]
    assert probe.begin()["fingerprint"] == probe.first  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if number else name for number, name in enumerate(DAMAGE)],
)
def test_damage(name: str, probe: Guest) -> None:
    """Whatever of the desktop a program breaks, the files of HOME are told, and the next episode begins alike."""
    run(probe, WINDOWS + DAMAGE[name])
    look = looked(probe)
    assert look["collections"]["files"]["made.txt"]["text"] == "kept"
    assert {"events", "fields"} <= set(look["collections"])
    again = probe.begin()
    assert (again["layer"], again["fingerprint"]) == ("desktop", probe.first)  # type: ignore[attr-defined]
    assert probe.call("GET", "/session/state")["trouble"] is None


def test_unread_is_told(probe: Guest) -> None:
    """A file that is too large to be read is told with its size, and one that lies too deep with the reason."""
    run(
        probe,
        "mkdir -p $(printf 'd/%.0s' $(seq 60)); echo x > a; for n in $(seq 9); do truncate -s 60M s$n; done",
    )
    files = looked(probe)["collections"]["files"]
    assert files["a"]["text"] == "x\n"
    assert files["s1"]["size"] == 60 * 2**20
    assert [
        row for name, row in files.items() if name.startswith("d/") and "deeper than 40" in row["unreadable"]
    ]


@pytest.mark.parametrize("code", ["\ud800", "#" * 100_001, "\0"])
def test_code_that_cannot_be_run(code: str, probe: Guest) -> None:
    """A program that no argument can hold is refused in a sentence."""
    reply = probe.client.post("/code", content=json.dumps({"code": code}))
    assert reply.status_code == 400
    assert "at most 100000 bytes of UTF-8" in reply.json()["error"]
