"""A mistake of the agent is a failure, an infrastructure failure an error; both are told without a traceback."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

Play = Callable[..., pytest.RunResult]
MIXED = {
    "note_intent": "n .",
    "note_step": "x",
    "count_intent": "=2",
    "count_step": "idle",
    "both_intent": "n .",
    "both_step": "f =2",
}


@pytest.mark.parametrize(
    ("script", "counts", "code"),
    [
        ("n =2", {"passed": 6}, pytest.ExitCode.OK),
        (".", {"failed": 6}, pytest.ExitCode.TESTS_FAILED),
        ("idle", {"errors": 6}, pytest.ExitCode.TESTS_FAILED),
    ],
)
def test_exit_codes(players: Any, play: Play, script: str, counts: dict[str, int], code: int) -> None:
    """A session in which all is done exits with 0, one with failures or errors with 1."""
    result = play(players(script))
    result.assert_outcomes(**counts)
    assert result.ret == code


def test_mixed(players: Any, play: Play, outcomes: Any) -> None:
    """Each instance has an outcome of its own, whatever its neighbours did."""
    play(players(**MIXED)).assert_outcomes(passed=3, failed=2, errors=1)
    assert outcomes() == {
        "desk/note-intent": ["success"],
        "desk/note-step": ["violation"],
        "desk/count-intent": ["success"],
        "desk/count-step": ["environment_error"] * 3,
        "desk/both-intent": ["failure"],
        "desk/both-step": ["environment_error", "success"],
    }


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        ("-", "gave_up"),
        ("%", "infeasible_declared"),
        ("z", "budget_exhausted"),
        ("huh", "format_lockout"),
        ("x", "violation"),
        ("x b", "violation"),
    ],
)
def test_failures(players: Any, play: Play, outcomes: Any, script: str, outcome: str) -> None:
    """However an agent does not do its task, the test fails, once."""
    play(players(script), "-k", "note-intent").assert_outcomes(failed=1)
    assert outcomes() == {"desk/note-intent": [outcome]}


def test_broke_environment(players: Any, play: Play, outcomes: Any, sample: pytest.Pytester) -> None:
    """An agent that breaks the world fails, and the failure names the action that did it."""
    result = play(players("n b"), "-k", "note-intent", "--junitxml=junit.xml")
    result.assert_outcomes(failed=1)
    words = "after b in step 2: the desk fell over; the environment works without the agent"
    result.stdout.fnmatch_lines(
        [
            "desk/note-intent: the agent broke the environment, which works without it (broke_environment)",
            f"  broke      {words}",
        ]
    )
    assert outcomes() == {"desk/note-intent": ["broke_environment"]}
    properties = ElementTree.parse(sample.path / "junit.xml").iter("property")
    told = {each.get("name"): each.get("value") for each in properties}
    assert (told["cua_outcome"], told["cua_reward"], told["cua_broke"]) == ("broke_environment", "0.0", words)
    (summary,) = sample.path.glob("reports/*/summary.md")
    assert "broke\\_environment: after b in step 2" in summary.read_text()


@pytest.mark.parametrize(
    ("script", "outcome", "sentence"),
    [
        ("idle", "environment_error", "the desk fell over"),
        ("broke", "provider_error", "no credit is left"),
    ],
)
def test_errors(players: Any, play: Play, outcomes: Any, script: str, outcome: str, sentence: str) -> None:
    """An infrastructure failure is an error of one sentence, after as many attempts as allowed."""
    result = play(players(script), "-k", "note-intent", "--cua-attempts=2")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*ERROR at setup of test_sample?desk/note-intent?*", sentence])
    assert "Traceback" not in result.stdout.str()
    assert not re.search(r"\.py:\d", result.stdout.str())
    assert outcomes() == {"desk/note-intent": [outcome] * 2}


def test_an_agent_that_raises(players: Any, play: Play, outcomes: Any) -> None:
    """A mistake of the agent's code fails its test at once, and the failure has its sentence."""
    result = play(players("bug"), "-k", "note-intent", "--cua-attempts=2")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*waiting for the agent's decision failed: KeyError: 'a mistake of the player'"]
    )
    assert outcomes() == {"desk/note-intent": ["gave_up"]}


@pytest.mark.parametrize(
    ("name", "old", "new", "sentence"),
    [
        (
            "desk/note.py",
            'name="Ada"',
            'name="Cy"',
            "cannot create the case of desk/note for seed 0: LookupError: 0 rows of *",
        ),
        (
            "desk/shared.py",
            '"noted", noted, weight',
            '"noted", noted, 7',
            "desk/note: the weights of milestones *",
        ),
        (
            "desk/note.toml",
            "{name} was",
            "{nobody} was",
            "desk/note: unknown placeholder {nobody}; known: name",
        ),
        (
            "desk/shared.py",
            'return Milestone("noted", noted',
            'return Milestone("noted", True',
            "*is already solved*",
        ),
        (
            "desk/note.py",
            'return {"name": state',
            'None and {"name": state',
            "cannot create the case of desk/note for seed 0: TypeError: case must return a dict * (*/note.py:8)",
        ),
        (
            "desk/note.py",
            "    yield noted(evidence, 1.0)\n",
            "",
            "desk/note: a check must yield at least one milestone (*/note.py:12)",
        ),
        (
            "desk/shared.py",
            "Milestone, Violation",
            "Milestone, Violations",
            "cannot create the case of desk/note for seed 0: cannot import */note.py: ImportError: * (*/shared.py:3)",
        ),
    ],
)
def test_broken_tasks(
    players: Any, play: Play, change: Any, outcomes: Any, name: str, old: str, new: str, sentence: str
) -> None:
    """A task that cannot be built or judged is an error of one sentence, and not tried again."""
    change(name, old, new)
    result = play(players("n ."), "-k", "note-intent")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([sentence])
    assert "Traceback" not in result.stdout.str()
    assert outcomes() == {"desk/note-intent": ["checker_error"]}


def test_retry_shows_as_a_pass(players: Any, play: Play, played: Any, the_run: Any) -> None:
    """An instance that is done at its second attempt has passed; both attempts are kept."""
    play(players("f =2"), "-k", "both-step").assert_outcomes(passed=1)
    first, second = played()["desk/both-step"]
    assert (first.number, first.outcome, first.error) == (1, "environment_error", "the desk shook")
    assert (second.number, second.outcome) == (2, "success")
    for attempt in (first, second):
        assert (the_run().folder / attempt.trajectory / "case.json").is_file()


def test_failure_text(players: Any, play: Play) -> None:
    """A failure tells goal, milestones, harm, effort and where the last screenshot lies, and no traceback."""
    result = play(players("n x ."), "-k", "both-intent", "--cua-run=here")
    result.stdout.fnmatch_lines(
        [
            "*test_sample?desk/both-intent?*",
            "desk/both-intent: the agent did harm (violation)",
            "",
            "  goal       Sit down. Note Ada, then answer how many patients there are.",
            "  ✓ noted",
            "  ✗ counted",
            "      expected 2",
            "      seen     no answer",
            "  ! critical patient_identity: a note was written for Bo *notes*",
            "  steps      2 of 20; score 0.50, reward -1.00",
            "  last seen  reports/here/trajectories/desk/both-intent/1/final.png",
        ],
        consecutive=True,
    )
    text = result.stdout.str()
    assert "Traceback" not in text
    assert "require()" not in text
    assert "fixtures.py" not in text


def test_answer_in_the_failure_text(players: Any, play: Play) -> None:
    """A wrong answer is shown beside the right one."""
    result = play(players("=3"), "-k", "count-step")
    result.stdout.fnmatch_lines(["      expected 2", "      seen     3", "  answer     “3”"])


def test_junit(players: Any, play: Play, sample: pytest.Pytester) -> None:
    """JUnit XML holds an element of the right kind for each instance, and its figures as properties."""
    play(players(**MIXED), "--junitxml=junit.xml")
    root = ElementTree.parse(sample.path / "junit.xml").getroot()
    (suite,) = root.iter("testsuite")
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "6",
        "failures": "2",
        "errors": "1",
    }
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert len(cases) == 6
    kinds = {
        "desk/note-intent": None,
        "desk/note-step": "failure",
        "desk/count-step": "error",
        "desk/both-step": None,
    }
    for name, kind in kinds.items():
        case = cases[f"test_sample[{name}]"]
        assert {child.tag for child in case} & {"failure", "error"} == ({kind} if kind else set())
    error = cases["test_sample[desk/count-step]"].find("error")
    assert error is not None
    assert "the desk fell over" in f"{error.get('message')} {error.text}"


def test_junit_properties(players: Any, play: Play, sample: pytest.Pytester) -> None:
    """The properties of an instance tell its outcome, reward, effort and where its record lies."""
    play(players("n x ."), "-k", "both-intent", "--junitxml=junit.xml", "--cua-run=here")
    root = ElementTree.parse(sample.path / "junit.xml").getroot()
    found = {prop.get("name"): prop.get("value") for prop in root.iter("property")}
    assert float(found.pop("cua_seconds") or "nan") >= 0
    assert found == {
        "cua_instance": "desk/both-intent",
        "cua_outcome": "violation",
        "cua_agent": "Player",
        "cua_isolation": "in_process",
        "cua_reward": "-1.0",
        "cua_score": "0.5",
        "cua_steps": "2",
        "cua_attempt": "1",
        "cua_tokens_in": "0",
        "cua_tokens_out": "0",
        "cua_cost": "0.0",
        "cua_trajectory": "trajectories/desk/both-intent/1",
    }
