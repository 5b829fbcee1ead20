"""What programs of the desktop may fill, and what of the machine is hidden from them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from drivers.guests import Guest, needs_desktop

from guest import bubblewrap
from guest.box import make_box
from guest.errors import BadRequest

pytestmark = needs_desktop


def test_what_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installations for all users, environments and checkouts below /usr are hidden, but not the system's packages."""
    usr = tmp_path / "usr"
    packages = usr / "lib/python3/dist-packages"
    for folder in ("local/lib/python3.11/dist-packages/pytest_cuabench", "share/play/venv/lib", "src/app"):
        (usr / folder).mkdir(parents=True)
    for name in ("pytest_cuabench", "pytest_cuabench-1.0.dist-info", "gi"):
        (packages / name).mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(usr / "share/play/venv"))
    assert [str(path.relative_to(usr)) for path in bubblewrap.foreign(usr)] == [
        "lib/python3/dist-packages/pytest_cuabench", "lib/python3/dist-packages/pytest_cuabench-1.0.dist-info",
        "local", "share/play/venv", "src",
    ]  # fmt: skip


def test_an_old_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bubblewrap that cannot keep programs from making namespaces is refused with what to do."""
    script = tmp_path / "bwrap"
    script.write_text("#!/bin/sh\necho bubblewrap 0.6.1\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(BadRequest, match=r"bubblewrap 0\.6 cannot .* install 0\.8 or later"):
        make_box("bwrap", tmp_path / "state")


@pytest.mark.slow
def test_disk_space(desktop: Guest) -> None:
    """All that programs write lies in one file system of 512 MiB and 150,000 files, which they can fill and no more."""
    code = (
        "import os\n"
        "places = ('/home/user', '/tmp', '/run/user/1000', '/dev/shm')\n"
        "print(len({os.stat(place).st_dev for place in places}))\n"
        "room = os.statvfs('/tmp')\n"
        "print(room.f_blocks * room.f_frsize // 2**20, room.f_files)\n"
        "written = 0\n"
        "try:\n"
        "    for n in range(99):\n"
        "        with open(f'{places[n % 4]}/{n}', 'wb') as file:\n"
        "            os.posix_fallocate(file.fileno(), 0, 60 * 2**20)\n"
        "            written += 60\n"
        "except OSError as error: print(error.strerror, written <= 512)\n"
    )
    desktop.begin()
    ran = desktop.call("POST", "/code", {"code": code})
    assert ran["out"] == "1\n512 150000\nNo space left on device True\n", ran
    assert desktop.begin()["layer"] == "desktop"
