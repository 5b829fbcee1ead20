"""Programs for tests of the agent that is a program: a few lines of Python in a box."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.agents.program.agent import ProgramAgent

needs_box = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

CALLS = """
import json, os, sys, time, urllib.error, urllib.request

def call(path, body=None, token=os.environ["CUABENCH_TOKEN"]):
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"Authorization": "Bearer " + token}
    request = urllib.request.Request(os.environ["CUABENCH_URL"] + path, data, headers)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)

def step(*actions, **more):
    return call("/v1/step", {"actions": list(actions), **more})[1]

def key(name, **more):
    return step({"kind": "key", "keys": name}, **more)

def finish(**how):
    return call("/v1/finish", how)[1]
"""


def program(code: str, key: str | None = None, **options: Any) -> ProgramAgent:
    """Return the agent whose program is this code, with `call`, `step`, `key` and `finish`."""
    given = {"command": ["python3", "-c", CALLS + code], **options}
    return ProgramAgent(Profile(adapter="program", name="mine", key=key, options=given))
