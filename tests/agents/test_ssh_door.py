"""The SSH door: commands of a boxed program run in the guest, each as one step."""

from __future__ import annotations

import json
from typing import Any

import pytest
from small_world import ROWS, Played, Table, make_task, react

from pytest_cuabench.task.action import Action, RunCode
from pytest_cuabench.task.observation import ActionResult, RunResult
from pytest_cuabench.testing import FakeEnvironment

from .boxed import needs_box, program

pytest.importorskip("asyncssh", reason="pip install 'pytest-cuabench[ssh]'")
pytestmark = needs_box
SSH = """
import subprocess

def ssh(*words, host="guest", **given):
    ran = subprocess.run(["ssh", *words[:-1], host, words[-1]], capture_output=True, text=True, **given)
    return [ran.returncode, ran.stdout, ran.stderr]

"""


class Guest(FakeEnvironment):
    """A desk whose programs echo: their output, their errors, and an exit code."""

    def __init__(self, *able: Any) -> None:
        super().__init__(ROWS, react)
        self.capabilities = ("pointer", "keyboard", *able)
        self.ran: list[RunCode] = []

    async def perform(self, action: Action) -> ActionResult:
        if isinstance(action, RunCode):
            self.ran.append(action)
            self.write("notes", "1", patient="A", text="seen")
            code = -9 if action.code == "crash" else 3 if action.code == "fail" else 0
            ran = RunResult(code, f"<{action.code}>\nstderr:\n", "é!")
            return ActionResult(text="as text", ran=ran)
        return await super().perform(action)


def play(table: Table, code: str, *, world: Guest | None = None, **options: Any) -> tuple[Played, Guest]:
    """Play the task by SSH."""
    world = world or Guest("code")
    return table.play(program(SSH + code, door="ssh", **options), world=world), world


def answer(played: Played) -> Any:
    """Return what the program answered."""
    assert played.last.answer is not None, played.last.error
    return json.loads(played.last.answer)


def test_commands(table: Table) -> None:
    """OpenSSH's client works as it is; output, errors and exit codes come back, and each command is a step."""
    code = "finish(answer=json.dumps([ssh('ls -l'), ssh('fail'), ssh('crash')]))"
    played, world = play(table, code)
    assert answer(played) == [
        [0, "<ls -l>\nstderr:\n", "é!"],
        [3, "<fail>\nstderr:\n", "é!"],
        [137, "<crash>\nstderr:\n", "é!"],
    ]
    assert world.ran == [RunCode("ls -l", "bash"), RunCode("fail", "bash"), RunCode("crash", "bash")]
    assert (played.last.outcome, played.last.steps, played.last.counts.code_used) == ("success", 4, True)


def test_last_command_counts(table: Table) -> None:
    """A program that only runs a command and exits is judged by what the command did."""
    played, world = play(table, "ssh('note it')")
    assert (played.last.outcome, played.last.ending, len(world.ran)) == ("success", "success", 1)


def test_password(table: Table) -> None:
    """The token is the password, and another one is refused."""
    code = """
os.makedirs(".ssh", exist_ok=True)
open("ask", "w").write("#!/bin/sh\\necho $ASKED")
os.chmod("ask", 0o700)
found = []
for word in (os.environ["CUABENCH_TOKEN"], "another"):
    given = {**os.environ, "SSH_ASKPASS": "/home/agent/ask", "SSH_ASKPASS_REQUIRE": "force", "ASKED": word}
    found.append(ssh("-o", "PubkeyAuthentication=no", "-o", "NumberOfPasswordPrompts=1", "true", env=given)[0])
finish(answer=json.dumps(found))
"""
    assert answer(play(table, code)[0]) == [0, 255]


@pytest.mark.parametrize("able", [True, False], ids=["the task refuses", "the environment cannot"])
def test_not_available(table: Table, able: bool) -> None:
    """Where code is not offered or refused, a command is refused with a sentence and is no step."""
    world = Guest("code") if able else Guest()
    agent = program(SSH + "finish(answer=json.dumps(ssh('ls')))", door="ssh")
    played = table.play(agent, world=world, task=make_task(run_code="refused" if able else "allowed"))
    sentence = "run_code is not available here: this suite is played by the GUI alone\n"
    assert answer(played) == [255, "", sentence]
    assert (world.ran, played.last.steps, played.last.counts.code_used) == ([], 1, False)


def test_refusals(table: Table) -> None:
    """A shell, standard input, a file's transfer, a terminal and a forwarded port are refused, and nothing is run."""
    code = """
shell = subprocess.run(["ssh", "guest"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
open("file", "w").write("x")
copy = subprocess.run(["scp", "file", "guest:file"], capture_output=True, text=True)
there = ssh("-o", "ExitOnForwardFailure=yes", "-R", "9000:127.0.0.1:22", "true")
finish(answer=json.dumps([shell.returncode, shell.stderr, ssh("cat", input="text"), copy.returncode, there[0]]))
"""
    played, world = play(table, code)
    code, sentence, given, copied, forwarded = answer(played)
    assert code == 255
    assert "give a command: ssh guest 'ls -l'" in sentence
    assert given == [255, "", "standard input does not reach the guest; write the text into the command\n"]
    assert (copied, forwarded, world.ran) == (255, 255, [])


def test_long_command(table: Table) -> None:
    """A command that is longer than an action may be is refused with a sentence."""
    played, world = play(table, "finish(answer=json.dumps(ssh('x' * 20_001)))")
    assert "at most 20000 are taken" in answer(played)[2]
    assert world.ran == []


def test_after_the_end(table: Table) -> None:
    """After the end a command is answered with the end."""
    code = "ssh('a'); print(ssh('b')[2]); time.sleep(0.1)"
    agent = program(SSH + code, door="ssh")
    played = table.play(agent, world=Guest("code"), steps=1)
    assert (played.last.ending, agent._box.tail()) == ("budget", "the episode has ended")


def test_no_ssh(table: Table) -> None:
    """What is no SSH, and a flood of connections, are cut off; beyond their number the program is stopped."""
    code = """
import socket
found = []
for said in (b"GET / HTTP/1.1\\r\\n\\r\\n", b"\\0" * 70000, b"SSH-2.0-x\\r\\n" + b"\\xff" * 70000):
    with socket.create_connection(("127.0.0.1", 2222)) as near:
        near.settimeout(10)
        try:
            near.sendall(said)
            while near.recv(9999):
                pass
        except ConnectionError:
            pass
        found.append(len(said))
print(found, flush=True)
while True:
    socket.create_connection(("127.0.0.1", 2222)).close()
"""
    agent = program(SSH + code, door="ssh", requests=50)
    played = table.play(agent, world=Guest("code"))
    assert agent._box.tail().startswith("[18, 70000, 70011]")
    assert (played.last.outcome, played.last.steps) == ("gave_up", 1)
