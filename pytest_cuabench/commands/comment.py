"""`cuabench comment`: one comment of a gate on the pull or merge request, replaced by each run."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.comment import Report, comment
from pytest_cuabench.gate.config import PYPROJECT, read_gate
from pytest_cuabench.gate.forges import Forge, ForgeError, GitHub, GitLab, publish
from pytest_cuabench.gate.summary import STEP_SUMMARY
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.task.text import say

HELP = "Write what a gate decided on a run as one comment on the pull or merge request, in place of the last one."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "run", metavar="RUN", help="a run that was judged: its folder, or its name in reports/"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--github", action="store_true", help="of GitHub, with the token in GITHUB_TOKEN")
    where.add_argument("--gitlab", action="store_true", help="of GitLab, with the token in GITLAB_TOKEN")
    parser.add_argument(
        "--config",
        type=Path,
        default=Path(PYPROJECT),
        metavar="FILE",
        help="TOML file of the gate, for its baseline (default: [tool.cuabench.gate] of pyproject.toml)",
    )
    parser.add_argument(
        "--name", default="", help="which of a pipeline's gates this is (default: the run's suites)"
    )
    parser.add_argument(
        "--request",
        type=int,
        metavar="N",
        help="number of the pull or merge request (default: the job's own)",
    )
    parser.add_argument(
        "--report", default="", metavar="URL", help="address of the report (default: the job's page)"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the comment and send nothing")


def run(options: argparse.Namespace) -> int:
    """Publish the comment, or print it.

    The exit code is 0 even if the forge refuses: the gate's alone decides. The comment is then added to the job's
    summary on GitHub.

    Raises:
        SettingError: The run was not judged, the gate cannot be read, or it is not known where to comment.
    """
    report = Report(options.report or _job_page(), _commit())
    mark, body = comment(locate_run(options.run), read_gate(options.config), options.name, report)
    if options.dry_run:
        say(body)
        return 0
    try:
        if forge := _forge(options):
            say(f"{publish(forge, mark, body)}\n")
        else:
            say("no comment: this job is not of a pull or merge request; name one with --request=N\n")
    except ForgeError as error:
        say(f"cuabench comment: no comment was written: {error}{_instead(body)}\n", sys.stderr)
    return 0


def _instead(body: str) -> str:
    """Add the comment to the job's summary on GitHub; return what to say of it."""
    page = os.environ.get(STEP_SUMMARY)
    if not page:
        return ""
    try:
        with Path(page).open("a", encoding="utf-8") as file:
            file.write(body)
    except OSError as error:
        return f"; nor can the job's summary be written: {error.strerror}"
    return "; it is in the job's summary instead"


def _forge(options: argparse.Namespace) -> Forge | None:
    """Return the forge, or None in a job that is not of a request."""
    github = options.github or (not options.gitlab and "GITHUB_ACTIONS" in os.environ)
    if not (github or options.gitlab or "GITLAB_CI" in os.environ):
        raise SettingError("say where to comment: --github, --gitlab, or --dry-run to see the comment")
    kind, variable = (GitHub, "GITHUB_TOKEN") if github else (GitLab, "GITLAB_TOKEN")
    number = options.request or (
        _pull_request() if github else _number(os.environ.get("CI_MERGE_REQUEST_IID"))
    )
    if not number:
        return None
    if not (token := os.environ.get(variable)):
        raise ForgeError(f"{variable} is not set, as in jobs of forks")
    if github:
        api, project = os.environ.get("GITHUB_API_URL", "https://api.github.com"), "GITHUB_REPOSITORY"
    else:
        api, project = os.environ.get("CI_API_V4_URL", "https://gitlab.com/api/v4"), "CI_PROJECT_ID"
    if not os.environ.get(project):
        raise SettingError(f"set {project} to the project that has request {number}")
    return kind(api, os.environ[project], number, token)


def _event() -> Mapping[str, Any]:
    """Return what GitHub says of the pull request that the job's event is of; nothing elsewhere."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_bytes())
        return dict(event["pull_request"])
    return {}


def _commit() -> str:
    """Return the commit that is judged: on GitHub that of the branch, as its job plays one merged with main."""
    with suppress(KeyError, TypeError):
        return str(_event()["head"]["sha"])
    return os.environ.get("GITHUB_SHA") or os.environ.get("CI_COMMIT_SHA", "")


def _pull_request() -> int | None:
    """Return the number of the pull request that the job is of."""
    if number := _number(_event().get("number")):
        return number
    parts = os.environ.get("GITHUB_REF", "").split("/")
    return _number(parts[2]) if parts[:2] == ["refs", "pull"] and len(parts) > 2 else None


def _number(text: object) -> int | None:
    return int(str(text)) if str(text).isdecimal() else None


def _job_page() -> str:
    if os.environ.get("CI_JOB_URL"):
        return f"{os.environ['CI_JOB_URL']}/artifacts/browse"
    known = [os.environ.get(name) for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")]
    return f"{known[0]}/{known[1]}/actions/runs/{known[2]}#artifacts" if all(known) else ""
