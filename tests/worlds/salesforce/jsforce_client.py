"""jsforce, Salesforce's own JavaScript client, as the Salesforce CLI brings it along."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from .salesforce_cli import FOLDER
from .world_process import OrgSession

PROGRAM = """
const { Connection } = require("@jsforce/jsforce-node");
const [url, token, username, password, ...asked] = process.argv.slice(1);
const org = new Connection({ instanceUrl: url, accessToken: token, version: "62.0" });
const login = async (word) => {
  const other = new Connection({ loginUrl: url, version: "62.0" });
  await other.login(username, word);
  return (await other.identity()).username;
};
(async () => {
  const answers = [];
  for (const one of asked) {
    try { answers.push(await eval(one)); } catch (error) { answers.push(`${error.errorCode}: ${error.message}`); }
  }
  console.log(JSON.stringify(answers.map((one) => one ?? null)));
})();
"""


def evaluate(org: OrgSession, *asked: str) -> list[Any]:
    """Return what JavaScript expressions give: `org` is the client, signed in, and `login` signs in by password."""
    modules = FOLDER / "node_modules"
    node = next(modules.glob("node-*/bin/node"), None)
    if node is None or not (modules / "@jsforce" / "jsforce-node").exists():
        pytest.skip("the Salesforce CLI is not installed; type: scripts/install-salesforce-cli")
    keys = org.described
    secrets = keys["access_token"], keys["username"], keys["password"] + keys["security_token"]
    done = subprocess.run(
        [str(node), "-e", PROGRAM, "--", org.world.url, *secrets, *asked],
        env=os.environ | {"NODE_PATH": str(modules)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers
