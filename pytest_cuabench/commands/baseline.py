"""`cuabench baseline`: add runs to the baseline that gates compare with."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from pytest_cuabench.commands.grade import add_suites, suite_folders
from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.baseline import FILE, Evidence, append_evidence
from pytest_cuabench.gate.decision import Decision
from pytest_cuabench.gate.integrity import check_record
from pytest_cuabench.gate.recorded import some
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.ledger.signing import Key
from pytest_cuabench.task.text import say

HELP = "Add a run to the baseline that gates compare with; use it for runs of your main branch only."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    update = actions.add_parser("update", help=HELP, description=HELP)
    update.add_argument("run", metavar="RUN", help="a run's folder, or its name in reports/")
    update.add_argument(
        "--file", type=Path, default=Path(FILE), metavar="F", help=f"the baseline file (default: {FILE})"
    )
    add_suites(update)


def run(options: argparse.Namespace) -> int:
    """Append the run's evidence to the baseline.

    Raises:
        SettingError: The run holds no evidence, or is of several agents, or is already in the baseline.
    """
    found = locate_run(options.run)
    evidence = evidence_of(found, options.key, suite_folders(options.suite))
    append_evidence(options.file, evidence)
    plays = sum(each.plays for each in evidence.instances.values())
    say(
        f"{options.file}: added {plays} graded plays of {len(evidence.instances)} instances by {evidence.agent}, "
        f"run {evidence.run}\n"
    )
    return 0


def evidence_of(run: Run, key: Key | None, suites: Mapping[str, Path]) -> Evidence:
    """Return the evidence of a recorded run.

    Raises:
        SettingError: Its record is not trustworthy, or it holds attempts of several agents, or of an audit.
    """
    checked = check_record(run, key, suites)
    for finding in checked.findings:
        if finding.decision is not Decision.PASS:
            raise SettingError(
                f"run {run.name} cannot be used as evidence: {finding.reason.removesuffix('.')}"
            )
    about, recorded = run.about(), checked.recorded
    if about.get("agent") is None and recorded.agents == ["audit"]:
        raise SettingError(f"run {run.name} is an audit of tasks, not a run of an agent")
    if len(recorded.agents) > 1:
        raise SettingError(
            f"run {run.name} holds attempts of several agents ({some(recorded.agents)}); add a run of one agent"
        )
    agent = next(iter(recorded.agents), "")
    return Evidence.of(run.name, str(about.get("started", "")), agent, recorded.last.values(), recorded.all)
