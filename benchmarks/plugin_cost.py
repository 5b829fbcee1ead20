"""What the plugin costs: installed but unused, at collection, and until the first action of a run.

Each figure is the CPU time of whole processes, beside pytest without the plugin in the same run. Goals: 50 ms unused;
1 s for the collection of 2,000 instances beyond 2,000 plain parameters with as many marks; 3 s until the first action.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from statistics import median

ROUNDS = 5
SUITES = Path(__file__).parents[1] / "suites"
SEEDS = {"medcua": "0-5", "scuba": "0-2", "scienceboard": "0-24"}  # about 2,000 instances of each
FIRST = ("infusion_pump", "pause_infusion-step")
PLAIN = """
import pytest

ABOUT = {"suite": "s", "application": "a", "domain": "d", "difficulty": "easy", "variant": "v", "template": ""}
NAMES = ("one", "two", "three", "four", "five")
PARAMETERS = [
    pytest.param(
        number,
        id=f"application/task_{number}-variant",
        marks=[pytest.mark.task(id=number, seed=number, **ABOUT), *(getattr(pytest.mark, name) for name in NAMES)],
    )
    for number in range(2000)
]

@pytest.mark.parametrize("number", PARAMETERS)
def test_plain(number):
    pass
"""
AGENT = """
from pathlib import Path

import psutil

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.builtin.noop import NoopAgent


def cpu(process):
    spent = process.cpu_times()
    return spent.user + spent.system + spent.children_user + spent.children_system


class FirstAction(NoopAgent):
    async def decide(self, observation):
        here = psutil.Process()
        total = sum(map(cpu, [here, *here.children(recursive=True)]))
        Path(__file__).with_name("spent").write_text(str(total))
        return await super().decide(observation)
"""


def cpu_s(*arguments: str | Path, folder: str, fails: bool = False) -> float:
    """Return the CPU seconds of a run of pytest, with those of its children that ended."""
    command = [sys.executable, "-m", "pytest", "-qq", "-p", "no:cacheprovider", f"-c{folder}/pytest.ini"]
    silence = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([folder, *filter(None, sys.path)])}
    pid = os.posix_spawn(sys.executable, [*command, *map(str, arguments)], environment, file_actions=silence)
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) != fails:
        raise SystemExit(f"pytest {' '.join(map(str, arguments))} failed")
    return usage.ru_utime + usage.ru_stime


def first_action_s(folder: str) -> float:
    """Return the CPU seconds of all processes of a run until its agent is asked for the first action."""
    application, task = FIRST
    cpu_s(
        SUITES / "medcua",
        "--agent=first_action:FirstAction",
        f"-k={application} and {task}",
        folder=folder,
        fails=True,  # the agent gives up
    )
    return float((Path(folder) / "spent").read_text())


def main() -> None:
    """Measure in turns and print."""
    with tempfile.TemporaryDirectory() as folder:
        one, plain = Path(folder) / "test_one.py", Path(folder) / "test_plain.py"
        one.write_text("def test_one():\n    pass\n")
        plain.write_text(PLAIN)
        (Path(folder) / "pytest.ini").write_text(
            "[pytest]\nmarkers =\n    task\n    one\n    two\n    three\n    four\n    five\n"
        )
        (Path(folder) / "first_action.py").write_text(AGENT)
        without = ("-p", "no:cuabench")
        measured = {
            "bare": lambda: cpu_s(one, *without, folder=folder),
            "unused": lambda: cpu_s(one, folder=folder),
            "plain": lambda: cpu_s(plain, "--collect-only", *without, folder=folder),
            **{
                suite: lambda suite=suite, seeds=seeds: cpu_s(
                    SUITES / suite, "--collect-only", f"--cua-seeds={seeds}", folder=folder
                )
                for suite, seeds in SEEDS.items()
            },
            "first action": lambda: first_action_s(folder),
        }
        runs = [{name: measure() for name, measure in measured.items()} for _ in range(ROUNDS)]
    found = {name: median(run[name] for run in runs) for name in measured}
    unused = 1000 * (found["unused"] - found["bare"])
    print(f"unused: {unused:.0f} ms beyond pytest's {1000 * found['bare']:.0f} ms (goal: 50)")
    for suite in SEEDS:
        more = found[suite] - found["plain"]
        print(f"collecting {suite}: {more:.2f} s beyond the {found['plain']:.2f} s of plain tests (goal: 1)")
    print(f"first action: {found['first action']:.2f} s, of them pytest {found['bare']:.2f} s (goal: 3)")


if __name__ == "__main__":
    main()
