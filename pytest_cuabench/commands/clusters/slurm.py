"""Slurm: one job array, whose task N plays shard N."""

from __future__ import annotations

import math
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_cuabench.commands.clusters.engine import call, ranges
from pytest_cuabench.commands.clusters.plan import Plan
from pytest_cuabench.commands.clusters.progress import State
from pytest_cuabench.errors import SettingError

SCRIPT, LOGS = "job.sh", "logs"


class Slurm:
    """The scheduler of the computer that this runs on."""

    def write(self, plan: Plan, folder: Path) -> list[Path]:
        """Write the job script."""
        file = folder / SCRIPT
        file.write_text(script(plan, folder), encoding="utf-8")
        (folder / LOGS).mkdir(exist_ok=True)
        return [file]

    def active(self, plan: Plan, folder: Path) -> tuple[Mapping[int, State], Sequence[int]]:
        """Ask `squeue`. It soon forgets what has ended, but a shard that was begun has left its output."""
        listed = call("squeue", "--noheader", "--array", f"--name={job_name(plan)}", "--format=%K %T")
        found: dict[int, State] = {}
        for line in listed.splitlines():
            task, _, state = line.strip().partition(" ")
            if task.isdigit():
                found[int(task)] = State.WAITING if state == "PENDING" else State.RUNNING
        begun = (int(file.stem) for file in (folder / LOGS).glob("*.txt") if file.stem.isdigit())
        return found, sorted({*found, *begun})

    def submit(self, plan: Plan, folder: Path, shards: Sequence[int]) -> str:
        """Submit an array of these shards."""
        most = f"%{parallel}" if (parallel := plan.options.get("parallel")) else ""
        job = call("sbatch", "--parsable", f"--array={ranges(shards)}{most}", str(folder / SCRIPT)).strip()
        return f"job {job.partition(';')[0]}"  # a name of the cluster may follow


def job_name(plan: Plan) -> str:
    """Return the name of the plan's jobs."""
    return f"cuabench-{plan.name}"


def script(plan: Plan, folder: Path) -> str:
    """Return the job script."""
    if not re.fullmatch(r"[^\s%\\\"']+", str(folder)):
        raise SettingError(f"{folder} has characters that Slurm reads as patterns; use --folder")
    asked = {
        "job-name": job_name(plan),
        "ntasks": "1",
        "cpus-per-task": str(math.ceil(plan.cores)),
        "mem": f"{plan.mebibytes}M",
        "output": f"{folder}/{LOGS}/%a.txt",
        "open-mode": "append",  # a task that is requeued keeps what it said before
        "signal": "B:TERM@60",  # a minute before the time is up, to record what is in progress
    }
    if plan.limit is not None:
        asked["time"] = str(math.ceil(plan.limit / 60))
    if partition := plan.options.get("partition"):
        asked["partition"] = str(partition)
    lines = [f"#SBATCH --{name}={value}" for name, value in asked.items()]
    program = [str(Path(sys.executable).with_name("cuabench"))]
    command = plan.command(range(1, plan.shards + 1), program)
    return "\n".join(
        (
            "#!/bin/sh",
            *lines,
            "#SBATCH --requeue",
            f"cd {shlex.quote(plan.root)} || exit 4",
            f"exec {shlex.join(command)}",  # `B:` signals the script's own process alone
            "",
        )
    )
