"""Control groups: the kernel counts tasks, root's as well."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from guest.control_group import ControlGroup, make_control_group

ENVIRONMENT = Path(__file__).parents[3] / "environments" / "desktop"
FEW = """
import subprocess
made = []
try:
    for _ in range(20): made.append(subprocess.Popen(["sleep", "3"]))
except OSError: pass
print(len(made))
for one in made: one.kill()
"""


@pytest.fixture
def fence() -> Iterator[ControlGroup]:
    """A group for eight tasks."""
    made = make_control_group(8)
    if made is None:
        pytest.skip("no control group can be made here; run as root on a system with cgroups")
    yield made
    made.remove()


def reaped(gate: str, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run a program below a reaper."""
    command = [sys.executable, "-m", "guest.reaper", gate, *argv]
    return subprocess.run(command, cwd=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=30)


def test_few_tasks(fence: ControlGroup) -> None:
    """A program in a group for eight starts fewer than eight others, and the group can be removed afterwards."""
    assert 1 <= int(reaped(str(fence.gate), sys.executable, "-c", FEW).stdout) < 8
    fence.remove()
    assert not fence.folder.exists()


def test_without_a_group() -> None:
    """Without a group the reaper binds nothing, and tells a program's end as a shell does."""
    assert reaped("-", sys.executable, "-c", FEW).stdout == "20\n"
    assert reaped("-", "sh", "-c", "exit 7").returncode == 7
    assert reaped("-", "sh", "-c", "kill -9 $$").returncode == 137


def test_orphans_are_ended() -> None:
    """What a program left behind in a session of its own ends with it."""
    script = (
        "import subprocess; print(subprocess.Popen(['setsid', 'sleep', '60'], stdout=subprocess.DEVNULL).pid)"
    )
    pid = int(reaped("-", sys.executable, "-c", script).stdout)
    assert not Path(f"/proc/{pid}").exists()
