"""`cuabench gate`: judge a recorded run, without playing."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pytest_cuabench.gate.config import PYPROJECT, read_gate
from pytest_cuabench.gate.judge import judge_run
from pytest_cuabench.gate.words import lines, write_judgement
from pytest_cuabench.run_names import locate_run

HELP = "Judge a recorded run by a gate: exit code 0 is a pass, 10 a failure, 11 inconclusive."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which run, and by what it is judged."""
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name in reports/")
    parser.add_argument(
        "--config",
        type=Path,
        default=Path(PYPROJECT),
        metavar="FILE",
        help="TOML file of the gate (default: [tool.cuabench.gate] of pyproject.toml)",
    )


def run(options: argparse.Namespace) -> int:
    """Judge, write gate.json and gate.md into the run's folder, and say what was decided.

    Raises:
        SettingError: The run, the gate or its baseline cannot be read, or the judgement not written.
    """
    gate = read_gate(options.config)
    found = locate_run(options.run)
    judgement = judge_run(found, gate)
    write_judgement(found.folder, judgement)
    sys.stdout.write("\n".join(line for line, _ in lines(judgement)) + "\n")
    return judgement.decision.code
