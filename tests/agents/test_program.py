"""A program may play: it runs in a box, and every way to act leads through the episode loop."""

from __future__ import annotations

import json
import os
import sys
import time
from itertools import pairwise
from pathlib import Path

import psutil
import pytest
from small_world import Table

from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.agents.program.agent import ProgramAgent
from pytest_cuabench.agents.program.sandbox import box
from pytest_cuabench.agents.program.sandbox.box import Plan
from pytest_cuabench.agents.program.sandbox.files import check_files
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger import live
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.task import library
from pytest_cuabench.task.usage import Usage

from .boxed import CALLS, look_everywhere, needs_box, program

pytestmark = needs_box


def steps_of(table: Table, attempt: Attempt) -> list[dict[str, object]]:
    """Return the recorded steps of an attempt."""
    file = table.folder / (attempt.trajectory or "") / "steps.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_plays(table: Table) -> None:
    """A program acts, finishes, and is judged by the world; the record says that it was boxed."""
    last = table.play(program("key('n'); finish()")).last
    assert (last.outcome, last.ending, last.steps) == ("success", "success", 2)
    assert last.conditions.isolation == "box"


def test_sees(table: Table) -> None:
    """A program gets goal, budget and screen, and after each step the screen and the results."""
    code = """
status, briefing = call("/v1/briefing")
first = call("/v1/observation")[1]
after = key("n")
refused = step({"kind": "click", "x": 9999, "y": 1})
finish(answer=json.dumps([briefing["goal"], briefing["max_steps"], first["step"], first["size"], after["step"],
                          after["results"], refused["results"][0]["error"]]))
"""
    answer = json.loads(table.play(program(code)).last.answer or "")
    goal, *others, problem = answer
    assert "Ada" in goal
    assert others == [10, 0, [64, 48], 1, [{"error": None, "text": None, "image": None}]]
    assert "lies outside" in problem


def test_costs(table: Table) -> None:
    """Costs are those that the program reports."""
    code = "key('n', usage={'tokens_in': 5, 'tokens_out': 2, 'cost': 0.25}); finish(usage={'cost': 0.5})"
    assert table.play(program(code)).last.usage == Usage(5, 2, 0, 0.75)


def test_unknown_costs(table: Table) -> None:
    """The cost of a program that reports none is unknown."""
    assert table.play(program("key('n'); finish()")).last.usage.cost is None


@pytest.mark.parametrize(
    ("code", "outcome", "ending"),
    [
        ("finish(status='failure')", "gave_up", "failure"),
        ("finish(status='infeasible')", "infeasible_declared", "infeasible"),
        ("key('n')", "success", "success"),
        ("key('l')", "failure", "success"),
        ("\nwhile not key('l')['ended']: pass", "budget_exhausted", "budget"),
        ("key('x'); key('n'); finish()", "violation", "violation"),
    ],
    ids=["gives up", "infeasible", "exits", "exits undone", "budget", "harm"],
)
def test_endings(table: Table, code: str, outcome: str, ending: str) -> None:
    """An episode ends by finish, by exiting, by its budget or by harm."""
    last = table.play(program(code)).last
    assert (last.outcome, last.ending) == (outcome, ending), last.error


def test_learns_the_end_only(table: Table) -> None:
    """After the end a program learns nothing but that, and further steps change nothing."""
    code = """
import pathlib
seen = key("l")
seen = key("l")
print(sorted(seen), key("n"), finish(answer="late"))
sys.exit(0)
"""
    played = table.play(agent := program(code), steps=1)
    assert (played.last.outcome, played.last.answer, played.last.steps) == ("budget_exhausted", None, 1)
    ended = "{'ended': True, 'step': 1, 'max_steps': 1}"
    assert agent._box.tail() == f"['ended', 'max_steps', 'step'] {ended} {ended}"


@pytest.mark.parametrize(
    ("code", "options", "words"),
    [
        (
            "print('no idea')",
            {},
            "ended with exit code 0 without a call of the door; its last output: no idea",
        ),
        ("time.sleep(60)", {"connect": 0.5}, "did not connect within 0.5 s; it wrote nothing"),
        (
            "call('/v1/briefing'); sys.exit('model down')",
            {},
            "failed with exit code 1 before its first step; its last output: model down",
        ),
        ("call('/v1/briefing'); os.kill(os.getpid(), 9)", {}, "failed with exit code 137 before"),
        ("call('/v1/briefing'); time.sleep(60)", {"seconds": 2.0}, "did not act within the task's time"),
    ],
    ids=["ends at once", "never connects", "fails", "is killed", "hangs"],
)
def test_failures(table: Table, code: str, options: dict[str, float], words: str) -> None:
    """A program that fails before its first step is graded, and told in one sentence: without it all works."""
    limits = {"seconds": options.pop("seconds")} if "seconds" in options else {}
    played = table.play(program(code, **options), attempts=2, **limits)
    last = played.last
    assert (last.outcome, len(played.attempts)) == ("budget_exhausted" if limits else "gave_up", 1)
    assert words in (last.error or "")


def test_failure_does_not_hide_harm(table: Table) -> None:
    """Harm stays a violation when the program fails afterwards."""
    last = table.play(program("key('n'); key('x'); sys.exit(1)")).last
    assert last.outcome == "violation"


def test_missing_file(table: Table, tmp_path: Path) -> None:
    """A file of the command that options.files does not hold is told before the run."""
    (tmp_path / "play.py").touch()
    options = {"command": ["python3", "/opt/agent/play.py"], "files": [str(tmp_path / "play.py")]}
    agent = ProgramAgent(Profile(adapter="program", name="mine", options=options))
    agent.check()
    options["command"][1] = "/opt/agent/plays.py"  # type: ignore[index]
    with pytest.raises(SettingError, match=r"names /opt/agent/plays\.py, which options\.files does not hold"):
        ProgramAgent(Profile(adapter="program", name="mine", options=options)).check()


def test_missing_program(table: Table) -> None:
    """A command that is not in the box is told by its name."""
    agent = ProgramAgent(Profile(adapter="program", name="mine", options={"command": ["no-such-thing"]}))
    with pytest.raises(SettingError, match="the box has no program 'no-such-thing'; install it below /usr"):
        agent.check()
    assert "cannot start 'no-such-thing': No such file" in (table.play(agent).last.error or "")


def test_cdp_needs_a_browser(table: Table) -> None:
    """The door by CDP is refused where the episode has no browser."""
    last = table.play(program("finish()", door="cdp")).last
    assert "door = 'cdp' needs a suite that is played in a browser without a window" in (last.error or "")


def test_nonsense_is_a_step(table: Table) -> None:
    """Actions that cannot be read are counted and told; five in a row end the episode."""
    code = """
seen = step({"kind": "fly"})
print(seen["notices"])
while not step({"kind": "click", "x": "left"})["ended"]: pass
"""
    last = table.play(agent := program(code)).last
    assert (last.outcome, last.counts.format_errors) == ("format_lockout", 5)
    assert "unknown action 'fly'" in agent._box.tail()


def test_refused_requests(table: Table) -> None:
    """Another token, no JSON, another form, a huge body, an unknown path: a sentence each, and no step."""
    code = """
found = [call("/v1/step", b"{"), call("/v1/step", []), call("/v1/step", {"actions": []}),
         call("/v1/step", {"actions": [{"kind": "wait"}], "usage": {"cost": -1}}), call("/v1/step", b"x" * 1_000_001),
         call("/v1/observation", token="another"), call("/v1/finish", {"status": "won"}), call("/ledger"),
         call("/v1/briefing", {})]
print(json.dumps(found))
finish(answer=json.dumps(found))
"""
    last = table.play(program(code)).last
    found = json.loads(last.answer or "")
    assert [status for status, _ in found] == [400, 400, 400, 400, 413, 401, 400, 404, 405]
    assert [body["error"] for _, body in found][:6] == [
        "the body is not JSON",
        "a step is a JSON object, not list",
        "a step has 'actions', a list of 1 to 50 objects",
        "usage: cost is -1, but must be a number from 0 to 1000",
        "a request has at most 1000000 bytes",
        "the token is not this episode's; send 'Authorization: Bearer TOKEN'",
    ]
    assert (last.steps, last.counts.format_errors) == (1, 0)


def test_flood(table: Table) -> None:
    """A program that sends too many requests is stopped, and its attempt is graded."""
    agent = program("while True: call('/v1/observation', token='x' * 43)", requests=200)
    last = table.play(agent).last
    assert (last.outcome, last.ending) == ("gave_up", "failure")
    assert "more than 200 requests" in json.dumps(steps_of(table, last)[-1])


def test_processes_end_with_the_episode(table: Table) -> None:
    """Processes that a program leaves behind end with its episode."""
    mark = f"97{os.getpid()}.5"
    code = f"""
import subprocess
subprocess.Popen(["setsid", "sleep", "{mark}"], start_new_session=True)
key("n")
"""
    assert table.play(program(code)).last.outcome == "success"
    deadline = time.monotonic() + 10
    while left := [
        each.pid for each in psutil.process_iter(["cmdline"]) if mark in (each.info["cmdline"] or ())
    ]:
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def test_fork_bomb(table: Table) -> None:
    """A program cannot have more processes than its profile allows."""
    code = """
started = 0
try:
    for _ in range(100):
        if os.fork() == 0:
            time.sleep(60)
        started += 1
except OSError:
    finish(answer=str(started))
"""
    last = table.play(program(code, processes=30)).last
    assert last.answer is not None, last.error
    assert int(last.answer) < 30


def test_next_episode(table: Table) -> None:
    """The episode after one of a program that failed is a new box with a new token."""
    agent = program(
        "print(os.environ['CUABENCH_TOKEN'][:8]); open('left', 'x').close(); key('l'); sys.exit(1)"
    )
    assert [table.play(agent).last.outcome for _ in range(2)] == ["gave_up", "gave_up"]
    assert "FileExistsError" not in agent._box.tail()
    assert table.play(program("key('n'); finish()")).last.outcome == "success"


def test_key_is_passed_and_hidden(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The profile's key reaches the program, other variables do not, and records do not hold it."""
    monkeypatch.setenv("MY_MODEL_KEY", "sk-4711-secret")
    monkeypatch.setenv("CUABENCH_LEDGER_KEY", "another-secret")
    code = "print(os.environ['MY_MODEL_KEY'], os.environ.get('CUABENCH_LEDGER_KEY')); call('/v1/briefing'); sys.exit(2)"
    error = table.play(program(code, key="MY_MODEL_KEY")).last.error or ""
    assert "its last output: *** None" in error
    everything = "".join(
        file.read_text(errors="replace") for file in table.folder.rglob("*") if file.is_file()
    )
    assert "sk-4711-secret" not in everything


def test_replacements(table: Table) -> None:
    """Goal, address, token and model are put into the command, the variables and the files to write."""
    script = CALLS + "print(sys.argv[1:], os.environ['WHERE'], open('conf/a.txt').read()); finish()"
    options = {
        "command": ["python3", "-c", script, "{goal}", "{model}", "{braces}"],
        "environment": {"WHERE": "{url}/mcp"},
        "write": {"conf/a.txt": "model={model}"},
    }
    agent = ProgramAgent(Profile(adapter="program", name="mine", model="m1", options=options))
    table.play(agent)
    assert "Ada" in agent._box.tail()
    assert agent._box.tail().endswith("'m1', '{braces}'] http://127.0.0.1:8000/mcp model=m1")


def test_without_root(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session of another user than root makes the box with a user namespace."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    code = "key('n'); finish(answer=json.dumps([os.getuid(), os.path.exists('/root'), os.listdir('.')]))"
    last = table.play(program(code)).last
    assert (last.outcome, last.answer) == ("success", "[60000, false, []]"), last.error


def test_hides_an_installed_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the box's Python has this plugin installed, its folders are empty in the box."""
    packages = tmp_path / "lib/python3.11/site-packages"
    for name in ("pytest_cuabench", "pytest_cuabench-0.1.0.dist-info", "requests"):
        (packages / name).mkdir(parents=True)
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    words = box.arguments(Plan([], {}), tmp_path)
    hidden = [after for word, after in pairwise(words) if word == "--tmpfs" and "site-packages" in after]
    inside = "/opt/python/lib/python3.11/site-packages/pytest_cuabench"
    assert hidden == [inside, f"{inside}-0.1.0.dist-info"]


def test_commands_of_a_person_are_out_of_reach(table: Table) -> None:
    """A program can neither read what is told to those who watch its run, nor command in their place."""
    table.folder.mkdir()
    live.open_session(table.folder)
    live.ask(table.folder, "resume")
    commands = table.folder / live.FOLDER / "commands.jsonl"
    before = commands.read_bytes()
    code = f"""
from pathlib import Path
file = Path({str(commands)!r})
seen = [str(path) for path in (file, file.parent, file.parent.parent) if path.exists()]
file.parent.mkdir(parents=True)
file.write_text(json.dumps({{"command": "abort", "attempt": None}}) + chr(10))
key("n")
finish(answer=json.dumps(seen))
"""
    last = table.play(program(code)).last
    assert (last.outcome, last.answer) == ("success", "[]")
    assert commands.read_bytes() == before


@pytest.mark.slow
def test_adversary_finds_nothing(table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program that looks everywhere sees no suite, record, key, other process, port or socket of the session."""
    assert look_everywhere(table, monkeypatch, tmp_path) == []


@pytest.mark.parametrize("name", ["suites", "agents/..", "suites/medcua"])
def test_files_with_suites(name: str) -> None:
    """A profile cannot show a program the suites, or a folder that holds them."""
    with pytest.raises(SettingError, match=r"options\.files: .* would show the program"):
        check_files([library.ROOT / name])


def test_missing_files(tmp_path: Path) -> None:
    """A file that does not exist is told before anything is played."""
    with pytest.raises(SettingError, match=r"options\.files: there is no .*/nothing"):
        check_files([tmp_path / "nothing"])


def test_unknown_variable() -> None:
    """A variable to pass on that is not set is told before anything is played."""
    with pytest.raises(SettingError, match=r"passes on NO_SUCH, which is not set; type: export NO_SUCH="):
        program("", pass_environment=["NO_SUCH"]).check()


def test_host_network_is_recorded(tmp_path: Path) -> None:
    """A box with this computer's network is another isolation in the record."""
    assert program("", network="host").isolation == "box_with_network"
    assert "--unshare-net" in box.arguments(Plan([], {}), tmp_path)
    assert "--unshare-net" not in box.arguments(Plan([], {}, network=True), tmp_path)
