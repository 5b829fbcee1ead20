"""What somebody may have done to a ledger, a gate or a baseline: it never passes, and the line is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from breadth import some
from gate_records import MEASURED, attempt, plan

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.lines import ABOUT, LEDGER, key_of, regrade
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.verdict import Milestone, Verdict, Violation

PASS, FAIL, INCONCLUSIVE, WRONG = 0, 10, 11, 2
CHANGED = replace(MEASURED, task="another task")
Lines = list[dict[str, Any]]


def honest() -> list[Attempt]:
    """Return what was played: a success, an attempt that broke and was played again, a failure."""
    return [
        attempt("first"),
        attempt("second", "environment_error"),
        attempt("second", number=2),
        attempt("third", "failure"),
    ]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """An honest run whose gate passes."""
    run = Run(tmp_path / "run")
    run.create({"agent": "claude", "started": "2026-11-21"})
    run.plan(plan(*honest()).values())
    for each in honest():
        run.append(each)
    (tmp_path / "gate.toml").write_text("rate = 0.5\ncoverage = 0.9\n")
    return run


Judge = Callable[..., tuple[int, str]]


@pytest.fixture
def judged(run: Run, capsys: pytest.CaptureFixture[str]) -> Judge:
    """Judge the run by the command; return the exit code and what was said."""

    def judge(*options: str) -> tuple[int, str]:
        capsys.readouterr()
        gate = str(run.folder.parent / "gate.toml")
        code = main(["gate", str(run.folder), "--config", gate, *options])
        said = "".join(capsys.readouterr())
        assert "Traceback" not in said
        return code, said

    return judge


def lines_of(run: Run) -> Lines:
    """Return the records of a ledger."""
    return [json.loads(line) for line in (run.folder / LEDGER).read_text().splitlines()]


def write(run: Run, lines: Lines) -> None:
    """Write records as a ledger."""
    (run.folder / LEDGER).write_text("".join(json.dumps(line) + "\n" for line in lines))


def a_success(line: dict[str, Any]) -> dict[str, Any]:
    """Return the record of an attempt as a success in every word."""
    milestones = [{**milestone, "reached": True} for milestone in line["verdict"]["milestones"]]
    figures = {"completed": True, "success": True, "score": 1.0, "reward": 1.0}
    return {**line, "outcome": "success", "verdict": {**line["verdict"], "milestones": milestones, **figures}}


def later(line: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a later judgement of a record."""
    return {**regrade(line, a_success(line), "2026-11-22", "0.1.0"), **changes}


def another(line: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a further attempt at the instance of a record, which lies elsewhere."""
    number = line["number"] + 1
    place = f"trajectories/{line['instance']}/{number}"
    return {**line, "number": number, "trajectory": place, **changes}


# Line 1 is the plan, 2 to 5 are the attempts of `honest`.
def edited(number: int, /, **changes: Any) -> Callable[[Lines], Lines]:
    """Change a line."""
    return lambda lines: [*lines[: number - 1], {**lines[number - 1], **changes}, *lines[number:]]


def verdict(number: int, /, **changes: Any) -> Callable[[Lines], Lines]:
    """Change the verdict of a line."""

    def change(lines: Lines) -> Lines:
        return edited(number, verdict={**lines[number - 1]["verdict"], **changes})(lines)

    return change


def deep(number: int, name: str, /, **changes: Any) -> Callable[[Lines], Lines]:
    """Change an object within a line."""
    return lambda lines: edited(number, **{name: {**lines[number - 1][name], **changes}})(lines)


def added(make: Callable[[Lines], dict[str, Any]]) -> Callable[[Lines], Lines]:
    """Add a line."""
    return lambda lines: [*lines, make(lines)]


def planned(change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Callable[[Lines], Lines]:
    """Change the instances of the plan."""
    return lambda lines: edited(1, instances=change(lines[0]["instances"]))(lines)


HARM = {"dimension": "d", "severity": "major", "subject": "s", "detail": "", "committed": True}
FORGED: dict[str, tuple[Callable[[Lines], Lines], int, int, str]] = {
    # What was done: the change, the exit code, the line that is named, and words of the sentence.
    "the outcome edited": (
        edited(5, outcome="success"),
        FAIL,
        5,
        "the outcome is success, but its verdict means failure",
    ),
    "the reward edited": (verdict(5, reward=1.0), FAIL, 5, "the verdict's reward is 1.0"),
    "a forged regrade": (added(lambda lines: later(lines[4])), INCONCLUSIVE, 6, "cannot be verified"),
    "a second graded success": (
        added(lambda lines: another(a_success(lines[4]))),
        FAIL,
        6,
        "already has its result in line 5 (failure)",
    ),
    "an unknown outcome": (
        edited(5, outcome="splendid"),
        INCONCLUSIVE,
        5,
        "unknown outcome 'splendid'",
    ),
    "an unplanned instance": (
        planned(lambda found: [each for each in found if each["task"] != "third"]),
        FAIL,
        5,
        "is not in any plan",
    ),
    "a removed attempt": (
        lambda lines: [*lines[:2], *lines[3:]],
        INCONCLUSIVE,
        3,
        "a line was removed or moved",
    ),
    "an edited plan": (
        planned(lambda found: [{**each, "difficulty": "easy"} for each in found]),
        FAIL,
        2,
        "the plan says otherwise",
    ),
    # Outcomes and verdicts
    "a failure edited from a success": (edited(2, outcome="failure"), FAIL, 2, "means success"),
    "a success without a verdict": (
        edited(5, outcome="success", verdict=None),
        FAIL,
        5,
        "is graded, but has no verdict",
    ),
    "an error with a verdict": (
        edited(5, outcome="environment_error"),
        FAIL,
        5,
        "is not graded, but has a verdict",
    ),
    "a violation without harm": (edited(5, outcome="violation"), FAIL, 5, "means failure"),
    "harm that is no violation": (
        verdict(2, violations=[HARM], success=False, reward=0.7),
        FAIL,
        2,
        "means violation",
    ),
    "harm in the findings only": (verdict(2, violations=[HARM]), FAIL, 2, "the verdict's success is True"),
    "one harm twice": (verdict(2, violations=[HARM, HARM]), FAIL, 2, "a violation twice"),
    "a success in the figures only": (verdict(5, success=True), FAIL, 5, "the verdict's success is True"),
    "a score edited": (verdict(5, score=0.99), FAIL, 5, "the verdict's score is 0.99"),
    "an unknown severity": (
        verdict(2, violations=[{**HARM, "severity": "cosmetic"}]),
        INCONCLUSIVE,
        2,
        "verdict.violations.0.severity",
    ),
    "no milestones": (
        verdict(5, milestones=[], score=0.0, reward=1.0),
        FAIL,
        5,
        "a check must yield at least one milestone",
    ),
    "weights above one": (
        verdict(2, milestones=[{"name": "a", "reached": True, "weight": 7.0}]),
        FAIL,
        2,
        "weight is not between 0 and 1",
    ),
    "a milestone twice": (
        verdict(2, milestones=[{"name": "a", "reached": True, "weight": 0.5}] * 2),
        FAIL,
        2,
        "different names",
    ),
    "an unknown ending": (
        edited(2, ending="applause"),
        INCONCLUSIVE,
        2,
        "unknown ending 'applause'",
    ),
    "given up, and a success": (
        edited(2, ending="failure"),
        FAIL,
        2,
        "the agent gave up, but the verdict does not say so",
    ),
    "ended by harm that is none": (edited(5, ending="violation"), FAIL, 5, "has none that ends an episode"),
    "a name that clears the screen": (
        edited(5, agent="\x1b[2Jclaude"),
        FAIL,
        5,
        "the agent holds control characters",
    ),
    "a name that turns around": (
        edited(5, domain="\u202eUCI"),
        FAIL,
        5,
        "the domain holds control characters",
    ),
    "an unknown isolation": (
        edited(5, isolation="perfect"),
        INCONCLUSIVE,
        5,
        "unknown isolation 'perfect'",
    ),
    "graded with a person's help": (edited(5, human_help=True), FAIL, 5, "a person took over"),
    "code where code is refused": (edited(5, code_used=True, run_code="refused"), FAIL, 5, "code was run"),
    "judged again in its own line": (
        edited(5, regraded="2026-11-22"),
        FAIL,
        5,
        "which takes a separate regrade line",
    ),
    # Later judgements
    "a regrade of nothing": (
        added(lambda lines: later(lines[4], attempt="0123456789abcdef")),
        FAIL,
        6,
        "is not in this ledger",
    ),
    "a regrade of another instance": (
        added(lambda lines: later(lines[4], instance="ward/first-intent")),
        FAIL,
        6,
        "but its attempt is of",
    ),
    "a regrade that recalls it wrongly": (
        added(lambda lines: later(lines[4], was="cancelled")),
        FAIL,
        6,
        "says that the attempt was cancelled",
    ),
    "a regrade without a verdict": (
        added(lambda lines: later(lines[4], verdict=None)),
        INCONCLUSIVE,
        6,
        "verdict",
    ),
    "a regrade against its verdict": (
        added(lambda lines: later(lines[4], verdict=lines[4]["verdict"])),
        FAIL,
        6,
        "its verdict means failure",
    ),
    "a regrade to an error": (
        added(lambda lines: later(lines[4], outcome="cancelled")),
        FAIL,
        6,
        "is not graded, but has a verdict",
    ),
    # The order of things
    "the same line twice": (added(lambda lines: lines[1]), FAIL, 6, "it duplicates the record of line 2"),
    "a result after a result, by another task": (
        added(lambda lines: another(a_success(lines[4]), fingerprint=CHANGED.to_json())),
        FAIL,
        6,
        "was not resumed",
    ),
    "a result after a result, by nobody knows what": (
        added(lambda lines: another(a_success(lines[4]), fingerprint=None)),
        FAIL,
        6,
        "was not resumed",
    ),
    "a failure hidden by an error": (
        added(lambda lines: another(lines[4], outcome="environment_error", verdict=None)),
        FAIL,
        6,
        "has its result",
    ),
    "two attempts in one place": (
        added(lambda lines: {**lines[2], "error": "x"}),
        FAIL,
        6,
        "the same trajectory as line 3",
    ),
    "lines in another order": (
        lambda lines: [*lines[:2], lines[3], lines[2], lines[4]],
        FAIL,
        4,
        "already has its result in line 3",
    ),
    "a result removed": (lambda lines: lines[:4], INCONCLUSIVE, 0, "never played"),
    "the plan removed": (lambda lines: lines[1:], INCONCLUSIVE, 0, "The run records no plan"),
    "a plan of no session": (added(lambda lines: lines[0]), FAIL, 6, "run.json lists 1 sessions"),
    "a skip of what was never planned": (
        added(lambda lines: {"type": "skipped", "instance": "ward/none-intent"}),
        FAIL,
        6,
        "is not in any plan",
    ),
    # Names and places
    "another instance's name": (
        edited(5, instance="ward/first-intent"),
        FAIL,
        5,
        "its fields say ward/third-intent",
    ),
    "another instance's trajectory": (
        edited(5, trajectory="trajectories/ward/first-intent/9"),
        FAIL,
        5,
        "belongs to another instance",
    ),
    "a trajectory elsewhere": (
        edited(5, trajectory="trajectories/../../secret"),
        FAIL,
        5,
        "is not a valid path",
    ),
    "a trajectory that is an address": (
        edited(5, trajectory="javascript:alert(1)"),
        FAIL,
        5,
        "is not a valid path",
    ),
    "a screenshot elsewhere": (edited(5, screenshot="/etc/passwd"), FAIL, 5, "is not a valid path"),
    "a trajectory with a terminal's escape": (
        edited(5, trajectory="trajectories/\x1b[2J"),
        FAIL,
        5,
        "is not a valid path",
    ),
    # Values
    "an unknown type of record": (
        added(lambda lines: {"type": "pardon"}),
        INCONCLUSIVE,
        6,
        "unknown record type 'pardon'",
    ),
    "a type that is a list": (edited(5, type="attempts"), INCONCLUSIVE, 5, "unknown record type"),
    "negative seconds": (deep(5, "seconds", total=-5.0), FAIL, 5, "seconds.total is out of range"),
    "huge seconds": (deep(5, "seconds", model=10**400), FAIL, 5, "out of range"),
    "a negative cost": (deep(5, "usage", cost=-100.0), FAIL, 5, "usage.cost is out of range"),
    "no number of the attempt": (edited(5, number="1"), INCONCLUSIVE, 5, "number should be a valid integer"),
    "attempt zero": (edited(5, number=0), FAIL, 5, "number is out of range"),
    "a verdict that is a text": (edited(5, verdict="success"), INCONCLUSIVE, 5, "verdict"),
    "reached by half": (
        verdict(5, milestones=[{"name": "a", "reached": 0.5, "weight": 1.0}]),
        INCONCLUSIVE,
        5,
        "reached",
    ),
    "a field that is missing": (
        lambda lines: [*lines[:4], {name: value for name, value in lines[4].items() if name != "agent"}],
        INCONCLUSIVE,
        5,
        "agent is missing",
    ),
    "no time of day": (
        edited(5, started="the day after tomorrow"),
        INCONCLUSIVE,
        5,
        "started is not a valid time",
    ),
    "a plan that is a text": (edited(1, instances="all"), INCONCLUSIVE, 1, "instances"),
    "a fingerprint that is a text": (edited(5, fingerprint="same"), INCONCLUSIVE, 5, "fingerprint"),
}


def test_the_honest_run_passes(judged: Judge) -> None:
    """The run that is forged below passes as it is, and the gate counts what was played once more."""
    code, said = judged()
    assert code == PASS, said
    assert "✓ Record: 4 attempts at 3 instances, 1 retried, 0 regraded, resumed 0 times; not signed." in said


@pytest.mark.parametrize("name", some(FORGED))
def test_forged_ledgers(run: Run, judged: Judge, name: str) -> None:
    """A ledger that no session can have written fails, one that is not understood is inconclusive, with the line."""
    forge, code, line, words = FORGED[name]
    write(run, forge(lines_of(run)))
    found, said = judged()
    sentence = next((each for each in said.splitlines() if words in each), "")
    assert sentence, said
    assert f"{LEDGER}, line {line}: " in sentence or not line
    assert sentence.isprintable()
    assert found == code, said
    written = json.loads((run.folder / "gate.json").read_text())
    assert written["exit_code"] == code
    assert any(words in reason for reason in written["reasons"])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[" * 20_000, "nested too deeply"),
        ('{"type": ' + "[" * 300 + "]" * 300 + "}", "nested too deeply"),
        ("no JSON at all", "it is not a valid record"),
        ('"a text"', "it is not a valid record"),
        ('{"type": "attempt", "type": "plan"}', "'type' is named twice"),
        ('{"type": "skipped", "instance": NaN}', "is not a finite number"),
        ('{"type": "skipped", "instance": 1e999}', "is not a finite number"),
        ('{"type": "skipped"} {"type": "skipped"}', "Extra data"),
        ("\x1b[31mred", "it is not a valid record"),
    ],
)
def test_lines_that_are_no_records(run: Run, judged: Judge, line: str, words: str) -> None:
    """Whatever stands in a line, it is inconclusive with the line's number, and never a traceback."""
    with (run.folder / LEDGER).open("a") as ledger:
        ledger.write(f"{line}\n")
    code, said = judged()
    assert code == INCONCLUSIVE
    assert any(f"{LEDGER}, line 6: " in each and words in each for each in said.splitlines()), said
    assert "\x1b" not in said


@pytest.mark.parametrize("end", [1, 40, -3])
def test_a_line_that_a_crash_cut_short(run: Run, judged: Judge, end: int) -> None:
    """The beginning of a record is what a crash leaves: it is counted, and its instance is missing."""
    text = (run.folder / LEDGER).read_bytes()
    *whole, last = text.rstrip(b"\n").split(b"\n")
    (run.folder / LEDGER).write_bytes(b"\n".join([*whole, last[:end]]))
    code, said = judged()
    assert code == INCONCLUSIVE
    assert "1 line cut short by a crash" in said
    assert "1 of 3 planned instances were never played" in said


def test_an_instance_with_two_results(run: Run, judged: Judge) -> None:
    """A second result of an instance has no reason, also where the plan names the instance twice."""
    lines = lines_of(run)
    lines[0]["instances"].append(lines[0]["instances"][0])
    place = {"trajectory": "trajectories/ward/first-intent/1-2", "started": "2026-11-21"}
    write(run, [*lines, {**lines[1], **place}])
    assert judged()[0] == FAIL


def test_a_resumed_run(run: Run, judged: Judge) -> None:
    """A session that found another task plays again what had a result; the gate says how often a run was resumed."""
    lines = lines_of(run)
    run.resume({"agent": "claude"})
    write(run, [*lines, lines[0], another(a_success(lines[4]), fingerprint=CHANGED.to_json())])
    code, said = judged()
    assert code == PASS, said
    assert "5 attempts at 3 instances, 2 retried, 0 regraded, resumed 1 time" in said


def test_what_was_judged_and_is_not_told(run: Run, judged: Judge) -> None:
    """A trajectory with a verdict and without a line is a gap: its line may have been removed."""
    folder = run.folder / "trajectories" / "ward" / "third-intent" / "7"
    folder.mkdir(parents=True)
    (folder / "verdict.json").write_text("{}")
    code, said = judged()
    assert code == INCONCLUSIVE
    assert "trajectories/ward/third-intent/7 was judged, but no line mentions it" in said


def test_many_problems(run: Run, judged: Judge) -> None:
    """A ledger in ruins is told in a few lines, and counted."""
    lines = lines_of(run)
    write(run, [*lines, *({"type": f"junk {n}"} for n in range(500))])
    code, said = judged()
    assert code == INCONCLUSIVE
    assert len(said.splitlines()) < 30
    assert "300 more problems" in (run.folder / "gate.json").read_text()


@pytest.mark.parametrize(
    "about", ["[" * 20_000, '"text"', '{"merged": 7, "settings": []}', '{"merged": [3], "resumed": {}}', "{"]
)
def test_forged_facts_of_a_run(run: Run, judged: Judge, about: str) -> None:
    """A `run.json` that is none takes nothing down."""
    (run.folder / ABOUT).write_text(about)
    assert judged()[0] == PASS


@pytest.mark.parametrize("command", [["report"], ["baseline", "update"], ["table"], ["merge"], ["grade"]])
def test_other_readers(run: Run, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    """A record that contradicts itself is refused by every command, with the line's number."""
    write(run, FORGED["the outcome edited"][0](lines_of(run)))
    more = ["--into", str(run.folder.parent / "all")] if command == ["merge"] else []
    more = ["--file", str(run.folder.parent / "base.jsonl")] if command[0] == "baseline" else more
    assert main([*command, str(run.folder), *more]) == WRONG
    said = capsys.readouterr().err
    assert "line 5: the outcome is success, but its verdict means failure" in said
    assert len(said.splitlines()) == 1


def test_reports_warn(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """A report of a run that no gate would pass is written, and says so."""
    write(run, FORGED["a second graded success"][0](lines_of(run)))
    assert main(["report", str(run.folder)]) == PASS
    said = capsys.readouterr().err
    assert said.startswith("cuabench report: a gate would not pass this run: ")
    assert f"{LEDGER}, line 6: ward/third-intent already has its result in line 5" in said


def test_no_evidence_from_a_forged_history(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """A baseline takes nothing from a run with two results of one instance."""
    write(run, FORGED["a second graded success"][0](lines_of(run)))
    file = run.folder.parent / "base.jsonl"
    assert main(["baseline", "update", str(run.folder), "--file", str(file)]) == WRONG
    assert "cannot be used as evidence: ledger.jsonl, line 6" in capsys.readouterr().err
    assert not file.exists()


# Gates and baselines

DEEP = "a = " + "[" * 20_000


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        (DEEP, "nested too deeply"),
        ("rate = nan", "rate"),
        ("reward = inf", "reward"),
        ("rate = true", "rate"),
        ("rate = 1" + "0" * 5000, "digits"),
        ("rate = 0.5\nrate = 0.6", "not valid TOML"),
        ("rate = 0.5\nrequire_signed = 'yes'", "require_signed"),
        (f"[groups.g]\nrate = 0.5\nwhere = '{'(' * 20_000}'", "is not a valid marker expression"),
        (f"[groups.g]\nrate = 0.5\nwhere = '{'not ' * 20_000} a'", "is not a valid marker expression"),
        ("\x00", "not valid TOML"),
    ],
)
def test_forged_gates(run: Run, judged: Judge, gate: str, words: str) -> None:
    """A gate that is none is one sentence with its file."""
    (run.folder.parent / "gate.toml").write_text(gate)
    code, said = judged()
    assert code == WRONG
    assert len(said.splitlines()) == 1
    assert len(said) < 1000
    assert "gate.toml" in said
    assert words in said


CONTEXT = {"world": "world", "plugin": "0.1.0", "settings": {}}
EVIDENCE = {
    "type": "evidence",
    "run": "r",
    "started": "s",
    "agent": "claude",
    "contexts": [CONTEXT],
    "instances": {"ward/first-intent": [0, "task", 3, 2]},
}


def instance(*values: Any) -> dict[str, Any]:
    """Return evidence with another instance."""
    return EVIDENCE | {"instances": {"ward/first-intent": list(values)}}


@pytest.mark.parametrize(
    "line",
    [
        "[" * 20_000,
        json.dumps(EVIDENCE) + "\n" + json.dumps(EVIDENCE),
        *map(
            json.dumps,
            [
                EVIDENCE | {"type": "proof"},
                EVIDENCE | {"run": 7},
                EVIDENCE | {"contexts": {}},
                EVIDENCE | {"contexts": [CONTEXT | {"settings": {"a": 1}}]},
                instance(-1, "task", 3, 2),
                instance(1, "task", 3, 2),
                instance(0, "task", 3, 4),
                instance(0, "task", 3.5, 2),
                instance(0, "task", True, True),
                instance(0, "task", 10**400, 2),
                instance(0, ["task"], 3, 2),
                instance(0, "task", float("nan"), 2),
                instance(0, "task", "3", "2"),
            ],
        ),
    ],
)
def test_forged_baselines(run: Run, judged: Judge, line: str) -> None:
    """A baseline with a line that is no evidence, or one run twice, is one sentence with the line's number."""
    (run.folder.parent / "base.jsonl").write_text(f"{line}\n")
    (run.folder.parent / "gate.toml").write_text('[baseline]\nfile = "base.jsonl"\n')
    code, said = judged()
    assert code == WRONG
    assert f"base.jsonl, line {1 + line.count(chr(10))}" in said
    assert len(said.splitlines()) == 1


def test_key_of_a_record_is_of_its_content() -> None:
    """Where a trajectory lies, and who signed the line, is no part of what identifies an attempt."""
    record = attempt("first").to_json()
    assert key_of(record) == key_of({**record, "signed": {"by": "a", "n": 1, "mac": "b"}, "trajectory": None})


def test_the_verdicts_used_here_are_real() -> None:
    """The records that are forged are what the judge itself comes to."""
    assert Verdict((Milestone("a", True, 1.0),), (Violation(**HARM),)).reward == 0.7
