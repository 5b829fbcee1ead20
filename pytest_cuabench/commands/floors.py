"""`cuabench floors`: play suites with agents that know nothing of the tasks, which real ones must beat."""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

from pytest_cuabench.commands.baseline import evidence_of
from pytest_cuabench.commands.grade import add_suites, suite_folders
from pytest_cuabench.commands.report import add_reports
from pytest_cuabench.commands.table import success_table
from pytest_cuabench.errors import CuabenchError
from pytest_cuabench.gate.baseline import Baseline, append_evidence
from pytest_cuabench.gate.config import FLOORS
from pytest_cuabench.ledger.lines import ABOUT
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.task.text import say

HELP = "Play suites with agents that know nothing of the tasks; a gate can require to be above them."
AGENTS = ("noop", "random", "answer-spam", "click-everything", "ocr")
_PLAYED = (0, 1)  # pytest's exit codes of a run to its end: all passed, or tests failed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("suites", nargs="+", metavar="SUITE", help="paths that pytest collects")
    parser.add_argument(
        "--options", default="", metavar="TEXT", help="further options of pytest, such as '-n 4 -k intent'"
    )
    parser.add_argument(
        "--agents",
        default=",".join(AGENTS),
        metavar="LIST",
        help=f"the agents, by their profiles (default: {','.join(AGENTS)})",
    )
    parser.add_argument(
        "--run", default="floors", metavar="NAME", help="start of the runs' names (default: floors)"
    )
    parser.add_argument(
        "--file", type=Path, default=Path(FLOORS), metavar="F", help=f"what gates read (default: {FLOORS})"
    )
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    add_suites(parser)
    add_reports(parser)


def run(options: argparse.Namespace) -> int:
    """Play what is not yet played, add it to the floor's file, and print the table.

    Raises:
        SettingError: A run cannot be used as evidence.
        CuabenchError: pytest could not play a run to its end.
    """
    runs = [
        _played(
            agent.strip(),
            f"{options.run}-{agent.strip()}",
            [*options.suites, *shlex.split(options.options)],
            options.reports,
        )
        for agent in options.agents.split(",")
    ]
    folders = suite_folders(options.suite)
    for found in runs:
        evidence = evidence_of(found, options.key, folders)
        known = Baseline.read(options.file).evidence if options.file.is_file() else ()
        if (evidence.run, evidence.started) not in {(each.run, each.started) for each in known}:
            append_evidence(options.file, evidence)
    say("\n".join(success_table(runs, ["suite", "agent"], "difficulty", markdown=options.markdown)))
    say(f"\n\n{options.file}: for gates, as [floor] file = {str(options.file)!r}\n")
    return 0


def _played(agent: str, name: str, arguments: list[str], reports: Path) -> Run:
    """Play a run, or what is left of it."""
    begun = (reports / name / ABOUT).is_file()
    chosen = f"--cua-resume={name}" if begun else f"--cua-run={name}"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--tb=no",
        "-rN",
        f"--agent={agent}",
        chosen,
        f"--cua-reports={reports.absolute()}",
        *arguments,
    ]
    say(f"== {agent}: pytest {' '.join(command[3:])}\n")
    sys.stdout.flush()
    code = subprocess.run(command, check=False).returncode  # noqa: S603 - a person's own arguments
    if code not in _PLAYED:
        raise CuabenchError(
            f"pytest ended with exit code {code} for {agent}; fix the error above, then run the same command again"
        )
    return locate_run(name, reports)
