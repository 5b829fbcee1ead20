"""`cuabench gate`: judge a recorded run by a gate, without playing."""

from __future__ import annotations

import argparse
from pathlib import Path

from pytest_cuabench.commands.grade import add_suites, suite_folders
from pytest_cuabench.gate.config import PYPROJECT, read_gate
from pytest_cuabench.gate.judge import judge_run
from pytest_cuabench.gate.summary import lines, write_judgement
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.task.text import say

HELP = "Judge a recorded run by a gate. Exit code 0: pass; 10: fail; 11: inconclusive."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("run", metavar="RUN", help="a run's folder, or its name in reports/")
    parser.add_argument(
        "--config",
        type=Path,
        default=Path(PYPROJECT),
        metavar="FILE",
        help="TOML file of the gate (default: [tool.cuabench.gate] of pyproject.toml)",
    )
    parser.add_argument(
        "--require-signed",
        action="store_true",
        help="fail unless every line of the ledger is signed with the key in CUABENCH_LEDGER_KEY",
    )
    add_suites(parser)


def run(options: argparse.Namespace) -> int:
    """Judge the run, write gate.json and gate.md into its folder, and print the decision.

    Raises:
        SettingError: The run, the gate or its baseline cannot be read, or the judgement cannot be written.
    """
    gate = read_gate(options.config)
    if options.require_signed:
        gate = gate.model_copy(update={"require_signed": True})
    found = locate_run(options.run)
    judgement = judge_run(found, gate, options.key, suite_folders(options.suite))
    write_judgement(found.folder, judgement)
    say("\n".join(line for line, _ in lines(judgement)) + "\n")
    return judgement.decision.code
