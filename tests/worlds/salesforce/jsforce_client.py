"""jsforce, Salesforce's own JavaScript client, as the Salesforce CLI brings it along."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from .salesforce_cli import FOLDER
from .world_process import REPOSITORY, OrgSession

PROGRAM = REPOSITORY / "scripts" / "jsforce_expressions.js"


def evaluate(org: OrgSession, *asked: str) -> list[Any]:
    """Return what JavaScript expressions give: `org` is the client, signed in, and `login` signs in by password."""
    modules = FOLDER / "node_modules"
    node = next(modules.glob("node-*/bin/node"), None)
    if node is None or not (modules / "@jsforce" / "jsforce-node").exists():
        pytest.skip("the Salesforce CLI is not installed; type: scripts/install-salesforce-cli")
    keys = org.described
    secrets = keys["access_token"], keys["username"], keys["password"] + keys["security_token"]
    done = subprocess.run(
        [str(node), str(PROGRAM), org.world.url, *secrets, *asked],
        env=os.environ | {"NODE_PATH": str(modules)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers
