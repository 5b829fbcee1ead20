"""The owner of a machine is known after any death; only what a dead owner of this user left is ended."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import pytest

from pytest_cuabench.drivers import leases
from pytest_cuabench.drivers.leases import Lease, Leases, Owner
from pytest_cuabench.errors import EnvironmentFailure

WORKER = """
import sys, time
from pathlib import Path
from pytest_cuabench.drivers.leases import Leases
Leases(Path(sys.argv[1])).take("docker", {"container": "c1"})
print("taken", flush=True)
time.sleep(600)
"""


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Leases]:
    """The leases of this process."""
    held = Leases(tmp_path / "leases")
    yield held
    asyncio.run(held.close())


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """What the reaper of the kind `docker` was told to end."""
    found: list[dict[str, str]] = []
    monkeypatch.setattr(
        leases, "_reaper", lambda kind: lambda resource: found.append({kind: resource["container"]})
    )
    return found


def dead_worker(folder: Path) -> None:
    """Let a process take a lease and kill it."""
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, str(folder)], stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout
        assert worker.stdout.readline() == "taken\n"
        worker.send_signal(signal.SIGKILL)


def test_living_owner_keeps(mine: Leases, ended: list[dict[str, str]]) -> None:
    """What a living process owns is not ended, not even by itself."""
    lease = mine.take("docker", {"container": "c0"})
    other = Leases(mine.folder)
    assert other.reap() == []
    assert ended == []
    assert mine.reap() == []
    mine.release(lease)
    assert list(mine.folder.iterdir()) == []


def test_killed_owner_is_reaped(mine: Leases, ended: list[dict[str, str]]) -> None:
    """What a killed process owned is ended once, and its lease is gone then."""
    dead_worker(mine.folder)
    assert mine.reap() == []
    assert ended == [{"docker": "c1"}]
    assert mine.reap() == []
    assert len(ended) == 1
    assert list(mine.folder.iterdir()) == []


def test_number_of_a_process_used_again(mine: Leases, ended: list[dict[str, str]]) -> None:
    """A living process that has by chance the number of a dead owner does not keep its machine."""
    lease = mine.take("docker", {"container": "c2"})
    mine.release(lease)
    ancient = replace(lease, owner=replace(lease.owner, born=lease.owner.born - 3600))
    (mine.folder / f"{lease.id}.json").write_text(json.dumps(asdict(ancient)))
    mine.reap()
    assert ended == [{"docker": "c2"}]


def test_clock_that_is_set(
    mine: Leases, ended: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An owner lives on when the clock of the computer is set, which changes when psutil says it started."""
    mine.take("docker", {"container": "c5"})
    create_time = psutil.Process.create_time
    monkeypatch.setattr(psutil.Process, "create_time", lambda process: create_time(process) + 3600)
    assert Leases(mine.folder).reap() == []
    assert ended == []


SCRATCH = """
import sys, tempfile, time
tempfile.tempdir = sys.argv[1]
from pytest_cuabench.drivers.scratch import Scratch
Scratch("cua-")
removed = Scratch("cua-")
removed.remove()
removed.remove()
print("taken", flush=True)
time.sleep(600)
"""


def test_folder_of_a_killed_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A temporary folder lives as long as its process, and is removed by the next session."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", SCRATCH, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout
        assert worker.stdout.readline() == "taken\n"
        (folder,) = tmp_path.glob("cua-*")
        (folder / "control").touch()
        assert Leases().reap() == []
        assert folder.is_dir()
        worker.send_signal(signal.SIGKILL)
    assert Leases().reap() == []
    assert list(tmp_path.glob("cua-*")) == []


def test_folder_that_is_none_of_ours(mine: Leases, tmp_path: Path) -> None:
    """A lease names no folder but a temporary one of this plugin; another is left alone, with a sentence."""
    folder = tmp_path / "home"
    folder.mkdir()
    lease = mine.take("folder", {"folder": str(folder)})
    mine.release(lease)
    dead = replace(lease, owner=replace(lease.owner, born=0.0))
    (mine.folder / f"{lease.id}.json").write_text(json.dumps(asdict(dead)))
    (problem,) = mine.reap()
    assert f"{folder} is not a temporary folder of this plugin" in problem
    assert folder.is_dir()


@pytest.mark.parametrize(("silent", "reaped"), [(5, False), (600, True)])
def test_owner_out_of_sight(mine: Leases, ended: list[dict[str, str]], silent: int, reaped: bool) -> None:
    """An owner that cannot be seen from here, as from within a container, lives as long as its heart beats."""
    lease = mine.take("docker", {"container": "c3"})
    mine.release(lease)
    file = mine.folder / f"{lease.id}.json"
    file.write_text(json.dumps(asdict(replace(lease, owner=replace(lease.owner, namespace="another host")))))
    then = time.time() - silent
    os.utime(file, (then, then))
    mine.reap()
    assert bool(ended) is reaped


@pytest.mark.parametrize("released", [0, 50])
def test_heartbeat(mine: Leases, released: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a lease is held its file is touched again and again, also right after all others were released."""
    monkeypatch.setattr(leases, "BEAT", 0.01)
    for _ in range(released):
        mine.release(mine.take("docker", {"container": "c3"}))
    lease = mine.take("docker", {"container": "c4"})
    file = mine.folder / f"{lease.id}.json"
    os.utime(file, (1, 1))
    deadline = time.monotonic() + 5
    while file.stat().st_mtime < 2:
        assert time.monotonic() < deadline, "the file was never touched"
        time.sleep(0.01)


def test_failing_reaper(mine: Leases, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be ended is told in a sentence, and its lease stays for the next session."""

    def refuses(kind: str) -> object:
        raise RuntimeError("no engine answers")

    monkeypatch.setattr(leases, "_reaper", refuses)
    dead_worker(mine.folder)
    assert mine.reap() == ["what a killed session left could not be ended (docker): no engine answers"]
    assert len(list(mine.folder.glob("*.json"))) == 1


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"id": "x", "kind": "docker", "owner": 3}'])
def test_file_of_somebody_else(mine: Leases, ended: list[dict[str, str]], text: str) -> None:
    """A file that is no lease is left alone."""
    mine.release(mine.take("docker", {}))
    (mine.folder / "x.json").write_text(text)
    assert mine.reap() == []
    assert ended == []
    assert (mine.folder / "x.json").read_text() == text


def test_folder_of_somebody_else(tmp_path: Path) -> None:
    """A folder that others may write to is not used: what stands in it is going to be ended."""
    folder = tmp_path / "leases"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    with pytest.raises(EnvironmentFailure, match="is not a folder of yours alone"):
        Leases(folder).take("docker", {})
    planted = Lease("x", "docker", replace(Owner.me(), pid=2**22, born=1.0))
    (folder / "x.json").write_text(json.dumps(asdict(planted)))
    assert list(Leases(folder).left_behind()) == []
