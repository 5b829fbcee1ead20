"""Programs for tests of the agent that is a program: a few lines of Python in a box."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest
from small_world import SECRET, Table

from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.agents.program.agent import ProgramAgent
from pytest_cuabench.agents.program.sandbox import box
from pytest_cuabench.task import library

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


LOOK = """
import socket, subprocess
port, = map(int, sys.argv[1:])
files, secret_files, sockets, writable = [], [], [], []
for folder, names, found in os.walk("/"):
    names[:] = [name for name in names if os.path.join(folder, name) not in ("/proc", "/sys")]
    for name in found:
        path = os.path.join(folder, name)
        if name in ("suite.toml", "ledger.jsonl", "case.json", "open_patient.py", "record_vitals.py"):
            files.append(path)
        if os.path.exists(path) and (os.stat(path).st_mode & 0o170000) == 0o140000:
            sockets.append(path)
    if not folder.startswith(("/tmp", "/home/agent", "/dev")) and os.access(folder, os.W_OK):
        writable.append(folder)
def reach(address):
    try:
        socket.create_connection(address, 1).close()
        return True
    except OSError:
        return False
def allowed(*command):
    return subprocess.run(command, capture_output=True).returncode == 0
processes = [open(f"/proc/{pid}/cmdline").read() for pid in os.listdir("/proc") if pid.isdigit()]
environs = ""
for pid in os.listdir("/proc"):
    try:
        environs += open(f"/proc/{pid}/environ").read()
    except OSError:
        pass
caps = [line.split()[1] for line in open("/proc/self/status") if line.startswith("Cap")]
finish(answer=json.dumps({
    "uid": os.getuid(), "files": files,
    "sockets": sockets, "writable": writable, "ports": reach(("127.0.0.1", port)), "outside": reach(("1.1.1.1", 53)),
    "processes": processes, "count": len(processes),
    "secret": "the-expected-value" in environs, "capabilities": sorted(set(caps)),
    "mounts": allowed("unshare", "-m", "true"),
    "roots": [path for path in ("/root", "/work", "/var", "/sys", "/mnt", "/srv") if os.path.exists(path)],
    "package": os.listdir("/opt/cuabench/pytest_cuabench"),
}))
"""


def look_everywhere(table: Table, monkeypatch: pytest.MonkeyPatch, folder: Path, **options: Any) -> list[str]:
    """Let a program in a box look everywhere; return the paths of this computer that it saw, which is to be none."""
    monkeypatch.setenv("CUABENCH_LEDGER_KEY", SECRET)
    (folder / "seen.txt").write_text(SECRET)
    with socket.create_server(("127.0.0.1", 0)) as judge:
        port = judge.getsockname()[1]
        options["command"] = ["python3", "-c", CALLS + LOOK, str(port)]
        agent = ProgramAgent(Profile(adapter="program", name="mine", options=options))
        last = table.play(agent).last
    assert last.answer, last.error
    found = json.loads(last.answer)
    assert found.pop("uid") >= 60_000
    assert found.pop("count") < 8
    seen = "".join(found.pop("processes"))
    assert not [
        word for word in (str(library.ROOT), str(folder), "cuabench-door", "-m\0pytest") if word in seen
    ]
    roots: list[str] = found.pop("roots")
    assert found == {
        "files": [],
        "sockets": [f"{box.DOORS}/{box.DOOR}"],
        "writable": [],
        "ports": False,
        "outside": False,
        "secret": False,
        "capabilities": ["0000000000000000"],
        "mounts": False,
        "package": ["client.py"],
    }
    return roots
