"""A Slurm of one node on this computer, for as long as tests need it; else a reason to skip."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")
_CONFIGURATION = """
ClusterName=here
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmctldPort={controller}
SlurmdPort={daemon}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1
MinJobAge=60
KillWait=20
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


@contextmanager
def slurm() -> Iterator[Path]:
    """Run a controller, a node and munge; the value is the configuration, for `SLURM_CONF`."""
    for program in _PROGRAMS:
        if _found(program) is None:
            pytest.skip(f"{program} is missing; type: apt-get install slurm-wlm munge")
    if os.getuid() != 0:
        pytest.skip("a Slurm of one's own is started as root")
    folder = Path(tempfile.mkdtemp(prefix="cuabench-slurm-"))
    started: list[subprocess.Popen[bytes]] = []
    try:
        yield _start(folder, started)
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _start(folder: Path, started: list[subprocess.Popen[bytes]]) -> Path:
    for name in ("state", "spool"):
        (folder / name).mkdir()
    folder.chmod(0o755)  # munge looks at the folders above its socket
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    munge = {name: folder / f"munge.{name}" for name in ("socket", "pid", "log", "seed")}
    options = (
        *("--key-file", key, "--socket", munge["socket"], "--pid-file", munge["pid"]),
        *("--log-file", munge["log"], "--seed-file", munge["seed"]),
    )
    _launch(started, "munged", "--foreground", "--force", *map(str, options))
    _until(munge["socket"].exists, "munged")
    file = folder / "slurm.conf"
    ports = {"controller": _free_port(), "daemon": _free_port()}
    file.write_text(
        _CONFIGURATION.format(host=socket.gethostname().partition(".")[0], folder=folder, **ports)
    )
    _launch(started, "slurmctld", "-D", "-f", str(file))
    _launch(started, "slurmd", "-D", "-f", str(file))
    _until(lambda: b"idle" in _asked(file, "sinfo", "--noheader", "--format=%T"), "slurmd")
    return file


def _found(program: str) -> str | None:
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")


def _launch(started: list[subprocess.Popen[bytes]], program: str, *options: str) -> None:
    command = [str(_found(program)), *options]
    started.append(
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    )


def _asked(file: Path, *command: str) -> bytes:
    environment = {**os.environ, "SLURM_CONF": str(file)}
    return subprocess.run(command, env=environment, capture_output=True, check=False).stdout


def _until(there: object, what: str) -> None:
    assert callable(there)
    for _ in range(300):
        if there():
            return
        time.sleep(0.1)
    pytest.skip(f"{what} does not start here; is a sandbox in the way?")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
