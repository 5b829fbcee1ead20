from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sample_run

from pytest_cuabench.commands import judge
from pytest_cuabench.commands.cli import main
from pytest_cuabench.commands.clusters.plan import Plan
from pytest_cuabench.errors import EngineFailure
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting import words
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import printed, say
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.task.verdict import Milestone, Verdict, Violation


@pytest.mark.parametrize(
    ("action", "line"),
    [
        ({"kind": "click", "x": 512, "y": 300}, "click (512, 300)"),
        ({"kind": "click"}, "click at the pointer"),
        (
            {"kind": "click", "x": 1, "y": 2, "count": 2, "button": "right", "modifiers": ["ctrl"]},
            "ctrl+right double-click (1, 2)",
        ),
        ({"kind": "type", "text": "Maria"}, "type “Maria”"),
        ({"kind": "type", "text": "a\nb\tc"}, "type “a⏎b⇥c”"),
        ({"kind": "key", "keys": ["ctrl", "a"]}, "ctrl+a"),
        ({"kind": "key", "keys": ["tab"], "repeat": 3}, "tab × 3"),
        ({"kind": "scroll", "dy": 3}, "scroll down 3"),
        ({"kind": "scroll", "dx": -2, "x": 4, "y": 5}, "scroll left 2 (4, 5)"),
        ({"kind": "drag", "path": [[1, 2], [3, 4], [5, 6]]}, "drag (1, 2) → (5, 6)"),
        ({"kind": "zoom", "region": [0, 0, 10, 20]}, "zoom into (0, 0) – (10, 20)"),
        ({"kind": "hold_key", "keys": ["shift"], "seconds": 1.5}, "hold shift for 1.5 s"),
        ({"kind": "mouse_down", "x": 1, "y": 2}, "press button (1, 2)"),
        ({"kind": "wait"}, "wait 1 s"),
        ({"kind": "close_tab"}, "close the tab"),
        ({"kind": "click_element", "mark": 7}, "click mark 7"),
        ({"kind": "terminate", "status": "failure", "reason": "no such bay"}, "end: failure — no such bay"),
        ({"kind": "answer", "text": "42"}, "answer “42”"),
        ({"kind": "drag"}, "drag (malformed)"),
        ({"kind": "levitate"}, "levitate"),
    ],
)
def test_an_action_reads_as_a_line(action: dict, line: str) -> None:
    """Each action is told in the words a person would use."""
    assert words.action_words(action) == line


def test_a_long_text_is_cut_in_one_line() -> None:
    """Typing a page of text still is one short line."""
    line = words.action_words({"kind": "type", "text": "word\n" * 4000})
    assert len(line) <= 100
    assert line.endswith("…”")
    assert "\n" not in line


def test_a_decision_joins_its_actions() -> None:
    """A batch of actions is one line, and no action at all is said to be none."""
    click, enter = {"kind": "click", "x": 1, "y": 2}, {"kind": "key", "keys": ["enter"]}
    assert words.decision_words([click, enter]) == "click (1, 2), then enter"
    assert words.decision_words([]) == "no action"


def test_a_failure_says_what_a_person_needs(tmp_path: Path) -> None:
    """Goal, milestones, violations, answer, effort and the last screenshot all are in the message."""
    verdict = Verdict(sample_run.milestones(True, False, False), (sample_run.HARM,))
    done = sample_run.attempt(
        "emergency_triage",
        "discharge",
        "violation",
        verdict=verdict,
        answer="bay 12",
        screenshot="t/final.png",
    )
    message = words.failure_message(done, tmp_path / "run")
    assert message.startswith("emergency_triage/discharge-intent: the agent did harm (violation)\n")
    assert "goal       Sign in as nurse.jones" in message
    assert "✓ patient_opened\n" in message
    assert "✗ vitals_saved\n      expected hr = 88 and temp = 37.2\n      seen     no vitals" in message
    assert "! critical patient_identity: A heart rate was written to Mario Gonzales. [vitals.hr]" in message
    assert "answer     “bay 12”" in message
    assert "steps      7 of 30; score 0.33, reward -1.00" in message
    assert "last seen " in message
    assert message.endswith("t/final.png")


def test_no_line_but_a_path_is_wider_than_a_terminal(tmp_path: Path) -> None:
    """Twenty thousand characters of model text stay within lines of 100 columns, and not many of them."""
    done = sample_run.hostile(Run(tmp_path))
    *lines, path = words.failure_message(done, tmp_path).splitlines()
    assert max(map(len, lines)) <= words.WIDTH
    assert len(lines) < 60
    assert path.endswith("final.png")


def test_nothing_a_model_writes_controls_the_terminal(tmp_path: Path) -> None:
    """Escape sequences and changes of direction are spelled out."""
    message = words.failure_message(sample_run.hostile(Run(tmp_path)), tmp_path)
    assert "\x1b" not in message
    assert "\u202e" not in message
    assert "\\u{1b}[2J" in message


def test_an_error_names_what_broke_and_where_to_look() -> None:
    """An ungraded attempt is told in a sentence and a path."""
    broken = sample_run.attempt("pharmacy", "refill", "environment_error", trajectory="trajectories/x/1")
    message = words.error_message(broken)
    sentence, place = message.splitlines()
    assert sentence == "resetting the world took more than 90 s"
    assert place.split() == ["see", "trajectories/x/1"]
    assert words.error_message(broken, Path("reports/a")).endswith("reports/a/trajectories/x/1")


def test_the_title_of_an_attempt_names_the_reason() -> None:
    """The number, the outcome and the cause are one line."""
    broken = sample_run.attempt("pharmacy", "refill", "provider_error", error="HTTP 529\nfrom the server")
    assert words.attempt_title(broken) == "attempt 1: provider_error — HTTP 529⏎from the server"


def test_reasons_put_harm_first() -> None:
    """A violation is named before a missed milestone; a success has nothing to explain."""
    verdict = Verdict(sample_run.milestones(True, False), (sample_run.SLIP,))
    harmful = sample_run.attempt("a", "b", "violation", verdict=verdict)
    assert words.reason(harmful).startswith("minor record_integrity: The phone number")
    assert words.reason(replace(harmful, outcome="failure", verdict=sample_run.UNSOLVED)).endswith(
        "missed: vitals_saved, triage_set"
    )
    assert words.reason(sample_run.attempt("a", "b", "success")) == Outcome.SUCCESS.words


@pytest.mark.parametrize(
    ("usage", "line"),
    [
        (Usage(), "0 tokens in, 0 out, $0.00"),
        (Usage(21_000, 900, 9_000, 0.0412), "21,000 tokens in (9,000 cached), 900 out, $0.0412"),
        (Usage(2_000_000, 90_000, 0, 1234.5), "2,000,000 tokens in, 90,000 out, $1,234.50"),
        (Usage(10, 1, 0, None), "10 tokens in, 1 out, cost unknown"),
    ],
)
def test_usage(usage: Usage, line: str) -> None:
    """Tokens and money are one line, small sums to a hundredth of a cent."""
    assert words.usage_words(usage) == line


COMMANDS = (
    "::error::owned", "  ::set-output name=a::b", "##vso[task.setvariable variable=a]b", "##[error]owned",
    "##teamcity[testFailed name='a']", "section_start:1:a\r\x1b[0K", "section_end:1:a", "travis_fold:start:a",
)  # fmt: skip


def commands_in(text: str) -> list[str]:
    """Return the lines that a CI service would carry out, as their documentation tells."""
    anywhere = re.compile(r"##\[|##\w+\[|section_(start|end):|travis_\w+:", re.IGNORECASE)
    return [line for line in text.split("\n") if line.strip().startswith("::") or anywhere.search(line)]


def failing(words: str) -> Callable[..., Any]:
    """Return a function that fails with these words, as a scheduler's command does."""

    def fails(*given: Any) -> Any:
        raise EngineFailure(words)

    return fails


def told(found: Any) -> Callable[..., Any]:
    """Return a coroutine function with this result."""

    async def tells(*given: Any) -> Any:
        return found

    return tells


@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_is_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """What a model, a page or a program wrote is no command to a CI service, wherever a line of any width is broken."""
    folder = tmp_path / "run"
    for width in range(20, 201, 12):
        monkeypatch.setattr(words, "WIDTH", width)
        for before in ("", "x" * (width - 14), "word " * 9, "a" * 39):
            text = f"{before}{command} {before}{command}\n{command}"
            violation = replace(sample_run.HARM, detail=text, subject=text)
            milestone = replace(
                sample_run.milestones(False, False, False)[0], name=text, seen=text, expected=text
            )
            verdict = Verdict((milestone,), (violation,))
            done = sample_run.attempt("desk", "note", "violation", verdict=verdict).with_values(
                goal=text, answer=text, error=text, screenshot=f"t/{command.strip()}"
            )
            lost = replace(done, verdict=None, outcome="environment_error", error=text)
            for told in (words.failure_message(done, folder), words.error_message(lost, folder)):
                assert not commands_in(told), (width, before)


def test_printed_lines_are_no_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """What commands print goes through one function, which breaks commands in every line, and nothing else."""
    for command in COMMANDS:
        text = f"one\n{command}\n  | {command} | tests/test_a.py::test_b[x]"
        say(f"{text}\n")
        assert not commands_in(capsys.readouterr().out)
        assert printed(printed(text)) == printed(text)
    assert printed("tests/test_a.py::test_b[x] # 1 ## title") == "tests/test_a.py::test_b[x] # 1 ## title"


def test_commands_print_no_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No line that a command prints of a run, whose every text is hostile, is a command to a CI service."""
    monkeypatch.chdir(tmp_path)
    evil = "\n".join(
        f"{before}{command}" for command in COMMANDS for before in ("", "\x1b[2K", "\u2028", "\r\n")
    )
    first = COMMANDS[0]
    bad = Verdict((Milestone(evil, False, 1.0, evil, evil),), (Violation(evil, "major", evil, evil, True),))
    known: dict[str, Any] = {"goal": evil, "answer": evil, "error": evil}
    known |= {
        "agent": first,
        "domain": first,
        "suite": "##vso[task.complete result=Failed]",
        "difficulty": first,
    }
    harm = sample_run.attempt(first, first, "violation", verdict=bad, **known)
    lost = sample_run.attempt(first, first, "environment_error", seed=1, **known)
    for name in ("one", "two", "floors-noop", "night-1"):
        made = Run(tmp_path / "reports" / name)
        made.create({"settings": {"agent": evil}, "suite": evil, "world": evil})
        for done in (harm, lost, harm.with_values(epoch=1, instance=f"{harm.instance}-e1")):
            sample_run.record(
                made, done, [sample_run.step(0, [{"kind": "type", "text": evil}], thought=evil)]
            )
    agent = {"name": first, "version": evil}
    steps = [{"step_id": 1, "source": "agent", "message": evil}]
    foreign = {
        "schema_version": "ATIF-v1.6",
        "session_id": evil,
        "agent": agent,
        "steps": steps,
        "notes": evil,
    }
    (tmp_path / "foreign.json").write_text(json.dumps(foreign))
    (tmp_path / "odd.json").write_text(json.dumps({"schema_version": evil}))
    (tmp_path / "pyproject.toml").write_text("[tool.cuabench.gate]\nrate = 0.5\n")
    plan = Plan("night", "slurm", 1, (evil,), "reports", evil, 1, 1, None, None, {})
    (tmp_path / "cluster" / "night").mkdir(parents=True)
    plan.write(tmp_path / "cluster" / "night")
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    monkeypatch.setattr("subprocess.run", lambda *arguments, **options: SimpleNamespace(returncode=0))
    monkeypatch.setattr("pytest_cuabench.commands.cluster.Slurm.active", failing(evil))
    monkeypatch.setattr(judge, "_tasks", lambda *given: [(harm, SimpleNamespace(reference=("a",)))])
    monkeypatch.setattr(judge, "judge_attempt", told(judge.Count(harm.instance, 1, 1, None, problem=evil)))
    shown = [
        *(["table", "one", "two", "--rows", rows] for rows in ("agent,suite", "difficulty,application")),
        ["table", "one", "--markdown"], ["gate", "one"], ["view", "one"], ["report", "one"],
        ["judge", "one", "--model=noop"], ["merge", "one", "--into=reports/both"], ["export", "one", "--to=csv"],
        ["export", "one", "--to=atif"], ["determinism", "one", "two", "--all"], ["models", evil],
        ["import", "foreign.json"], ["grade", "one"],
    ]  # fmt: skip
    refused = [
        ["table", evil], ["table", "one", "--layout", evil], ["export", "one", "--to", evil], ["import", "odd.json"],
        ["floors", evil, "--agents=noop"], ["cluster", "status", "night"],
        ["baseline", "update", "one"], ["cluster", "collect", "night"],
    ]  # fmt: skip
    for line in shown + refused:
        code = main(line)
        out = "".join(capsys.readouterr())
        assert (commands_in(out), "\x1b" in out, "\r" in out) == ([], False, False), line
        assert out.strip(), line
        assert (code in (0, 11)) == (line in shown), (line, code, out)


def test_nothing_prints_by_itself() -> None:
    """Nothing in the package prints but `say` and `tell`, which break commands to CI services."""
    package = Path(words.__file__).parents[1]
    own = {
        "task/text.py",
        "agents/program/sandbox/stdio.py",
        "agents/program/endpoints/ssh.py",
    }  # the last two answer a program
    found = []
    for file in package.rglob("*.py"):
        name = file.relative_to(package).as_posix()
        if name in own or name.startswith("drivers/"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called == "print" or called.endswith((".stdout.write", ".stderr.write", ".write_line")):
                found.append(f"{name}:{node.lineno}: {called}")
    assert not found


def test_violations_that_are_many_of_a_kind_are_one_line_with_their_number():
    """Of a collection's many rows the first is told with a count; few of a kind and other kinds stay apart."""
    many = [
        Violation("record_integrity", "major", f"settings/{n}", f"settings/{n} was added.")
        for n in range(761)
    ]
    few = [Violation("record_integrity", "major", f"view/{n}", f"view/{n} was added.") for n in range(3)]
    gone = Violation("record_integrity", "major", "settings/gone", "settings/gone was removed.")
    first, *others = words.by_kind([*many, *few, gone])
    assert first.detail == "settings/0 was added (and 760 more of this kind)"
    assert others == [*few, gone]
