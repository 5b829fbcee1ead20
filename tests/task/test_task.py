"""Tasks become cases, cases become goals; a task that cannot says so in one sentence."""

from __future__ import annotations

import re
from typing import Any

import pytest
from small_world import ROWS, SECRET, build, check, make_task

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State, Write
from pytest_cuabench.task.model import Instance, fill
from pytest_cuabench.task.verdict import Milestone, Violation

STATE = State(ROWS)


def test_fill() -> None:
    """Fields are replaced by their values, and nothing else in the pattern means anything."""
    pattern = "{name} is {age}: {{x}} {0} {} {Name} {name!r} {name.upper} %s $name"
    assert fill(pattern, {"name": "Ada {age}", "age": 3, "x": 1}, "t") == (
        "Ada {age} is 3: {1} {0} {} {Name} {name!r} {name.upper} %s $name"
    )


def test_fill_names_what_is_missing() -> None:
    """A field without a value is named with the known ones."""
    with pytest.raises(CheckerFailure) as refused:
        fill("{who} and {name}", {"name": 1, "age": 2}, "desk/note")
    assert str(refused.value) == "desk/note: unknown placeholder {who}; known: age, name"


def test_case() -> None:
    """A case is the preamble and one of the goals with values, and the values it is judged by."""
    case = make_task().case(STATE, "intent", 0)
    assert case.goal == "Sit down. Note that Ada was seen."
    assert case["name"] == "Ada"
    assert case["secret"] == SECRET
    assert make_task(preamble="").case(STATE, "step", 0).goal == "Press n for Ada."


def test_case_is_the_same_for_the_same_seed() -> None:
    """Wording and chance depend on task, variant and seed only."""
    goals = {"intent": tuple(f"{number} {{name}} {{chance}}" for number in range(50))}
    task = make_task(
        goals=goals, case=lambda state, chance: {**build(state, chance), "chance": chance.random()}
    )
    made = [task.case(STATE, "intent", seed) for seed in range(20)]
    assert made == [task.case(STATE, "intent", seed) for seed in range(20)]
    assert len({case.goal for case in made}) > 10
    assert len({case["chance"] for case in made}) == 20


def _broken(state: State, chance: Any) -> dict[str, Any]:
    return {"name": state.row("patients", name="Cy")}


@pytest.mark.parametrize(
    ("builder", "sentence"),
    [
        (_broken, "LookupError: 0 rows of patients have {'name': 'Cy'}, expected 1"),
        (lambda state, chance: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda state, chance: None, "TypeError: 'NoneType' object is not iterable"),
        (lambda state, chance: {"name": {1, 2}}, "TypeError: Object of type set is not JSON serializable"),
    ],
)
def test_case_that_cannot_be_built(builder: Any, sentence: str) -> None:
    """A builder that breaks, or returns what a record cannot keep, is named with the seed and the reason."""
    with pytest.raises(CheckerFailure) as refused:
        make_task(case=builder).case(STATE, "intent", 3)
    place = re.escape(__file__) + r":\d+"
    expected = rf"{re.escape(f'cannot create the case of desk/note for seed 3: {sentence}')} \({place}\)"
    assert re.fullmatch(expected, str(refused.value))


def test_wording_without_a_value() -> None:
    """A goal that names an unknown field is a fault of the suite."""
    with pytest.raises(CheckerFailure, match=r"desk/note: unknown placeholder \{whom\}; known: name, secret"):
        make_task(goals={"intent": ("See {whom}.",)}).case(STATE, "intent", 0)


def test_judge() -> None:
    """A task is judged by its check; an agent that gave up has not completed it."""
    case = Case("", {})
    done = Evidence(STATE, State({"notes": {"1": {"patient": "A"}}}), ending="success")
    assert make_task().judge(done, case).success
    for ending in ("failure", "infeasible"):
        assert make_task().judge(Evidence(done.before, done.after, ending=ending), case).gave_up
    for ending in ("running", "budget", "answer", "violation", "lockout"):
        assert not make_task().judge(Evidence(done.before, done.after, ending=ending), case).gave_up


@pytest.mark.parametrize(
    ("ending", "declared", "gave_up"),
    [
        ("infeasible", True, False),
        ("failure", True, True),
        ("success", True, False),
        ("infeasible", False, True),
        ("infeasible", "yes", True),
    ],
)
def test_judge_of_an_infeasible_case(ending: str, declared: object, gave_up: bool) -> None:
    """To say that a task cannot be done is no giving up where the case declares just that."""
    case = Case("", {"infeasible": declared})
    assert make_task().judge(Evidence(STATE, STATE, ending=ending), case).gave_up is gave_up


def _half(evidence: Evidence, case: Case) -> Any:
    yield Milestone("half", True, 0.5)


@pytest.mark.parametrize(
    ("checker", "sentence"),
    [
        (_half, "desk/note: the weights of milestones ['half'] sum to 0.5, but must sum to 1"),
        (lambda evidence, case: case["nothing"], "cannot judge desk/note: KeyError: 'nothing'"),
        (
            lambda evidence, case: None,
            "cannot judge desk/note: TypeError: 'NoneType' object is not iterable",
        ),
    ],
)
def test_check_that_breaks(checker: Any, sentence: str) -> None:
    """A check that breaks is named, with the reason, the file and the line."""
    with pytest.raises(CheckerFailure) as refused:
        make_task(check=checker).judge(Evidence(STATE, STATE), Case("", {}))
    told, _, place = str(refused.value).partition(" (/")
    assert told == sentence
    assert place.startswith(__file__[1:])


def test_what_an_episode_left_cannot_break_its_judgement() -> None:
    """A check that breaks on the state after an episode finds the task not done, and the harm of earlier writes."""

    def checker(evidence: Evidence, case: Case) -> Any:
        for write in evidence.journal:
            yield Violation("patient_identity", "critical", write.key, "somebody else's", committed=True)
        dose = evidence.after.row("patients", name="Ada")["dose"]
        yield Milestone("dose", dose + 1 > 0, 1.0)

    ada, odd = {"name": "Ada", "dose": 1.0}, {"name": "Ada", "dose": None}
    writes = (
        Write("patients", "2", "insert", None, {"name": "Bo"}),
        Write("patients", "1", "update", ada, odd),
    )
    after = State({"patients": {"1": odd, "2": {"name": "Bo"}}}, writes)
    verdict = make_task(check=checker).judge(Evidence(State({"patients": {"1": ada}}), after), Case("", {}))
    assert not verdict.completed
    assert "TypeError" in verdict.milestones[0].seen
    assert [violation.subject for violation in verdict.violations] == ["2"]


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ({}, "desk/note-intent"),
        ({"seed": 3}, "desk/note-intent-s3"),
        ({"epoch": 2}, "desk/note-intent-e2"),
        ({"seed": 3, "epoch": 2}, "desk/note-intent-s3-e2"),
    ],
)
def test_instance_id(parts: dict[str, int], name: str) -> None:
    """An id names task and wording, and seed and epoch where they are not the first."""
    instance = Instance(make_task(), "intent", **parts)
    assert instance.id == repr(instance) == name


def test_task_shows_no_code() -> None:
    """A task's text is its name and figures, the same in every process."""
    assert "0x" not in repr(make_task(check=check))


def test_shorter_names() -> None:
    """What suites read most of a task is found on the task itself."""
    task = make_task(template="notes")
    assert (task.title, task.domain, task.difficulty) == ("Write a note", "Front Desk", "easy")
    assert (task.template, task.goals) == ("notes", task.wording.goals)
