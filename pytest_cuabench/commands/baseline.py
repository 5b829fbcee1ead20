"""`cuabench baseline`: what later runs are compared with."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.baseline import FILE, Evidence, append_evidence
from pytest_cuabench.gate.recorded import Recorded, some
from pytest_cuabench.ledger import Run
from pytest_cuabench.run_names import locate_run

HELP = "Add a run to the baseline that a gate compares with; do it with runs of your main branch only."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which run, and which file."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    update = actions.add_parser("update", help=HELP, description=HELP)
    update.add_argument("run", metavar="RUN", help="a run's folder, or its name in reports/")
    update.add_argument(
        "--file", type=Path, default=Path(FILE), metavar="F", help=f"the baseline (default: {FILE})"
    )


def run(options: argparse.Namespace) -> int:
    """Append the run's evidence.

    Raises:
        SettingError: The run holds none, or of several agents; or it is in the baseline already.
    """
    found = locate_run(options.run)
    evidence = evidence_of(found)
    append_evidence(options.file, evidence)
    plays = sum(each.plays for each in evidence.instances.values())
    sys.stdout.write(
        f"{options.file}: added {plays} graded plays of {len(evidence.instances)} instances by {evidence.agent}, "
        f"run {evidence.run}\n"
    )
    return 0


def evidence_of(run: Run) -> Evidence:
    """Return what a recorded run shows.

    Raises:
        SettingError: It holds attempts of several agents, or of an audit.
    """
    about, recorded = run.about(), Recorded.of(run)
    if about.get("agent") is None and recorded.agents == ["audit"]:
        raise SettingError(
            f"run {run.name} is an audit: it shows what tasks are worth, and not what an agent is"
        )
    if len(recorded.agents) > 1:
        raise SettingError(
            f"run {run.name} holds attempts of {some(recorded.agents)}; a baseline is of one agent each"
        )
    agent = next(iter(recorded.agents), "")
    return Evidence.of(run.name, str(about.get("started", "")), agent, recorded.last.values())
