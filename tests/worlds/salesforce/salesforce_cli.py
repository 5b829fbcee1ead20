"""Salesforce's own command line, where `scripts/install-salesforce-cli` has put it, with a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .world_process import OrgSession

FOLDER = Path(os.environ.get("CUABENCH_SALESFORCE_CLI") or Path.home() / ".cache/cuabench/salesforce-cli")
QUIET = {"SF_DISABLE_TELEMETRY": "true", "SF_AUTOUPDATE_DISABLE": "true", "SF_SKIP_NEW_VERSION_CHECK": "true"}
PROJECT = {"packageDirectories": [{"path": "force-app", "default": True}], "sourceApiVersion": "62.0"}
ALIAS = "org"


@dataclass(frozen=True)
class Cli:
    """The program, a home folder, and a project in it where it works."""

    home: Path

    @property
    def project(self) -> Path:
        """The folder of the project."""
        return self.home / "project"

    def run(self, *words: str, **variables: str) -> tuple[int, dict[str, Any]]:
        """Run a command that answers in JSON and return its exit code and answer."""
        bins = [*(FOLDER / "node_modules").glob("node-*/bin"), FOLDER / "node_modules" / ".bin"]
        path = os.pathsep.join([*map(str, bins), os.environ["PATH"]])
        done = subprocess.run(
            ["sf", *words, "--json"],
            cwd=self.project,
            env=os.environ | QUIET | {"HOME": str(self.home), "PATH": path} | variables,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=120,
        )
        assert done.stdout.strip(), done.stderr
        return done.returncode, json.loads(done.stdout)

    def on_org(self, *words: str) -> Any:
        """Return the result of a command on the org; it must succeed."""
        code, answer = self.run(*words, "--target-org", ALIAS)
        assert code == 0, answer
        return answer["result"]


def installed(home: Path) -> Cli:
    """Return the program with a new home and project, or skip the test where it is absent."""
    if not (FOLDER / "node_modules" / ".bin" / "sf").exists():
        pytest.skip("the Salesforce CLI is not installed; type: scripts/install-salesforce-cli")
    cli = Cli(home)
    (cli.project / "force-app").mkdir(parents=True)
    (cli.project / "sfdx-project.json").write_text(json.dumps(PROJECT))
    return cli


def signed_in(home: Path, org: OrgSession) -> Cli:
    """Return the program, signed in to an org by its access token."""
    cli = installed(home)
    words = ("org", "login", "access-token", "--instance-url", org.world.url, "--no-prompt", "--alias", ALIAS)
    code, answer = cli.run(*words, SF_ACCESS_TOKEN=org.described["access_token"])
    assert code == 0, answer
    assert answer["result"]["username"] == org.described["username"]
    return cli
