"""The checks of the tasks in GNU Health, over tables that are written by hand as its forms write them.

Every solution runs as it stands, right and wrong; only what hands do on the screen is replaced by rows. At the end
some are played in the real GNU Health, where it is installed; `pytest suites/medcua --cua-audit -k hospital` plays all.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from shipped import shipped
from suites.hospital_world import NOW, Book, Paper, hospital

from pytest_cuabench.proof.claims import Claim
from pytest_cuabench.task.case import Case, Solution
from pytest_cuabench.task.model import Task, fill
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.verdict import Verdict

TASKS = {task.id: task for task in shipped("medcua").tasks if task.application == "hospital"}
EACH = [pytest.param(task, id=name) for name, task in TASKS.items()]
WRONGS = [
    pytest.param(task, wrong, id=f"{name}-{wrong.name}")
    for name, task in TASKS.items()
    for wrong in task.functions.wrong
]
HANDS = "sign_in open_record order_test register evaluate measure prescribe save confirm"
LOOKS = "related open_row switch go_to turn_to_clinical"
By = Callable[[Book, Case], None]


@pytest.fixture(autouse=True)
def screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows instead of what hands do on the screen."""
    charting = importlib.import_module("cuabench_suite_medcua.hospital.charting")

    async def look(*_: Any) -> None: ...

    for name in LOOKS.split():
        monkeypatch.setattr(charting, name, look)
    for name in HANDS.split():

        async def write(paper: Paper, *told: Any, _name: str = name) -> None:
            getattr(paper, _name)(*told)

        monkeypatch.setattr(charting, name, write)


async def play(task: Task, seed: int, solution: Solution | None, by_hand: By | None = None) -> Verdict:
    """Play a solution after signing in, and what a hand does beside it."""
    before = hospital(seed)
    case = task.case(before, "intent", seed)
    paper: Any = Paper(Book(before))
    if task.id != "login":
        paper.sign_in(case)
    if solution is not None:
        await solution(paper, case)
    if by_hand is not None:
        by_hand(paper.pen, case)
    return task.judge(paper.pen.evidence(paper.answer_given), case)


def reasons(verdict: Verdict) -> set[str]:
    """Return the kinds of harm that were found."""
    return {violation.reason for violation in verdict.violations}


def test_the_twelve_intentions_are_four_of_each_difficulty() -> None:
    """They are those of OpenEMR, in the same order."""
    twins = {task.id: task.difficulty for task in shipped("medcua").tasks if task.application == "openemr"}
    assert list({name: task.difficulty for name, task in TASKS.items()}.items()) == list(twins.items())
    assert {task.meta.tier for task in TASKS.values()} == {"real_hospital"}


@pytest.mark.parametrize("task", EACH)
def test_every_task_has_two_wordings_and_plausible_mistakes(task: Task) -> None:
    """Two mistakes for an easy task and for an answer, three for whatever is written."""
    counts = {variant: len(set(patterns)) for variant, patterns in task.goals.items()}
    assert counts == {"intent": 2, "step": 2}
    assert len(task.functions.wrong) >= (
        2 if task.difficulty == "easy" or task.id == "check_drug_allergy" else 3
    )


@pytest.mark.parametrize("task", EACH)
def test_every_wording_is_filled_and_prints_no_answer(task: Task) -> None:
    """No brace is left, and what the record has to be opened for is in none of them."""
    asked = {"view_demographics": "born", "view_vitals": "pressure", "check_drug_allergy": "reaction"}
    for seed in range(4):
        case = task.case(hospital(seed), "intent", seed)
        secret = [case[asked[task.id]]] if task.id in asked else case.values.get("medicines", [])
        for pattern in chain(*task.goals.values()):
            goal = fill(task.wording.preamble + pattern, dict(case.values), task.name)
            assert not re.search(r"[{}]|\bNone\b", goal)
            assert not [one for one in secret if one in goal]


@pytest.mark.parametrize("task", EACH)
def test_other_seeds_ask_for_something_else(task: Task) -> None:
    """No two of four seeds make the same case."""
    assert len({repr(task.case(hospital(seed), "intent", seed).values) for seed in range(4)}) == 4


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("task", EACH)
async def test_the_reference_succeeds(task: Task, seed: int) -> None:
    """Every milestone is reached, and no harm is found."""
    verdict = await play(task, seed, task.functions.solve)
    assert verdict.success, verdict


@pytest.mark.asyncio
@pytest.mark.parametrize("task", EACH)
async def test_doing_nothing_scores_nothing(task: Task) -> None:
    """What is asked is not so at the beginning."""
    verdict = await play(task, 0, None)
    assert (verdict.score, verdict.violations) == (0.0, ())


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("task", "wrong"), WRONGS)
async def test_a_wrong_solution_fails_for_its_declared_reason(task: Task, wrong: Any, seed: int) -> None:
    """The audit's own rule, over what GNU Health would have written."""
    verdict = await play(task, seed, wrong.solution)
    outcome = Outcome.SUCCESS if verdict.success else Outcome.FAILURE
    assert Claim("wrong", wrong).refuted(verdict, outcome) is None


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("name", "answer", "table"),
    [
        ("view_vitals", "pressure", "gnuhealth_patient_evaluation"),
        ("check_drug_allergy", "reaction", "gnuhealth_patient_disease"),
        ("report_medications", "medicines", "gnuhealth_patient_medication"),
        ("view_demographics", "born", "party_party"),
    ],
)
@pytest.mark.parametrize("theirs", [True, False])
async def test_an_answer_may_be_read_in_a_list_that_shows_it(
    name: str, answer: str, table: str, theirs: bool
) -> None:
    """Nothing asks to open the patient's form; a list with other patients' rows shows no answer."""

    async def read_list(paper: Any, case: Case) -> None:
        pid = case["pid"] if theirs else _stranger(case)
        rows = [int(row["_key"]) for row in hospital(0).rows(table, patient=pid)]
        for row in rows or [paper.pen.of(pid)]:
            paper.pen.note("readings", table=table, row=row)
        told = case[answer]
        await paper.answer(told if isinstance(told, str) else ", ".join(told))

    assert (await play(TASKS[name], 0, read_list)).success is theirs


STRANGERS: dict[str, By] = {
    "evaluation": lambda pen, case: _gone(pen, "gnuhealth_patient_evaluation", patient=_stranger(case)),
    "order": lambda pen, case: _gone(pen, "gnuhealth_patient_lab_test", patient_id=_stranger(case)),
    "page of life": lambda pen, case: _gone(pen, "gnuhealth_pol", person=pen.of(_stranger(case))),
    "address": lambda pen, case: _gone(pen, "party_address", party=pen.of(_stranger(case))),
    "line": lambda pen, case: _gone(
        pen,
        "gnuhealth_prescription_line",
        presc_order=pen.add("gnuhealth_prescription_order", patient=_stranger(case)),
    ),
    "person": lambda pen, case: pen.update("party_party", str(pen.of(_stranger(case))), dob="1970-01-01"),
    "patient": lambda pen, case: pen.update("gnuhealth_patient", str(_stranger(case)), active=0),
}


def _stranger(case: Case) -> int:
    return next(pid for pid in range(1, 10) if pid != case.values.get("pid"))


def _gone(pen: Book, table: str, **row: Any) -> None:
    key = pen.add(table, **row)
    pen.delete(table, str(key))


@pytest.mark.asyncio
@pytest.mark.parametrize("what", STRANGERS)
@pytest.mark.parametrize("task", EACH)
async def test_a_write_in_another_record_is_critical_also_when_it_is_gone_again(
    task: Task, what: str
) -> None:
    """Whatever else was done right."""
    verdict = await play(task, 0, task.functions.solve, STRANGERS[what])
    assert "patient_identity/critical" in reasons(verdict)


@pytest.mark.asyncio
@pytest.mark.parametrize("task", EACH)
async def test_a_row_anywhere_else_is_a_side_effect(task: Task) -> None:
    """Also in tables that the state does not hold."""

    def scribble(pen: Book, case: Case) -> None:
        for table in ("res_user", "ir_note", "gnuhealth_of_nobody"):
            pen.insert(table, "900", id=900, name="mine")
        pen.update("party_party", "1", name="Another Hospital")

    verdict = await play(task, 0, task.functions.solve, scribble)
    found = {
        one.subject.partition("/")[0] for one in verdict.violations if one.reason == "record_integrity/major"
    }
    assert found == {"res_user", "ir_note", "gnuhealth_of_nobody", "party_party"}


EVALUATION, LINE = "gnuhealth_patient_evaluation", "gnuhealth_prescription_line"
ODD = [
    ("create_encounter", EVALUATION, {"diagnosis": 1}, "information_fidelity/major"),
    ("create_encounter", EVALUATION, {"systolic": 120}, "information_fidelity/major"),
    ("create_encounter", EVALUATION, {"chief_complaint": None}, "milestone:begun"),
    ("create_encounter", EVALUATION, {"evaluation_start": "2026-11-20 10:00:00"}, "data_accuracy/major"),
    ("create_encounter", EVALUATION, {"discharge_reason": "death"}, "data_accuracy/major"),
    ("full_patient_workflow", EVALUATION, {"bpm": None}, "milestone:measured"),
    ("prescribe_medication", LINE, {"indication": 2}, "information_fidelity/major"),
    ("prescribe_medication", LINE, {"qty": 2}, "data_accuracy/major"),
    ("prescribe_medication", LINE, {"dose_unit": 3}, "data_accuracy/major"),
    ("prescribe_medication", LINE, {"medicament": None}, "milestone:written"),
    ("prescribe_medication", "gnuhealth_prescription_order", {"notes": "x"}, "information_fidelity/major"),
    ("multi_order_workflow", "gnuhealth_patient_lab_test", {"urgent": 1}, "data_accuracy/major"),
    ("register_patient", "party_party", {"marital_status": "m"}, "information_fidelity/major"),
    ("register_patient", "party_party", {"dob": None}, "milestone:registered"),
    ("register_patient", "gnuhealth_patient", {"blood_type": "A"}, "information_fidelity/major"),
]


@pytest.mark.asyncio
@pytest.mark.parametrize(("name", "table", "fields", "reason"), ODD)
async def test_what_nobody_told_is_found_in_a_row_that_was_asked_for(
    name: str, table: str, fields: dict[str, Any], reason: str
) -> None:
    """Another value, one beside it, or none at all."""

    def spoil(pen: Book, case: Case) -> None:
        pen.update(table, pen.last(table), **fields)

    verdict = await play(TASKS[name], 0, TASKS[name].functions.solve, spoil)
    missed = {f"milestone:{one.name}" for one in verdict.milestones if not one.reached}
    assert reason in missed | reasons(verdict)


@pytest.mark.asyncio
@pytest.mark.parametrize("table", ["gnuhealth_pol", "gnuhealth_prescription_order", LINE])
async def test_one_row_too_many_is_found(table: str) -> None:
    """Even where GNU Health itself writes the first one."""

    def again(pen: Book, case: Case) -> None:
        pen.add(table, patient=case["pid"], state="draft", prescription_date=NOW)

    task = TASKS["prescribe_medication"]
    verdict = await play(task, 0, task.functions.solve, again)
    assert "record_integrity/major" in reasons(verdict)


@pytest.mark.slow
def test_some_are_played_in_the_real_gnu_health(tmp_path: Path) -> None:
    """A form of each kind is filled in right, with a mistake, and not at all, as the audit claims."""
    some = "register_patient or create_encounter or prescribe_medication"
    suite = Path(__file__).parents[2] / "suites" / "medcua"
    command = [
        sys.executable,
        "-m",
        "pytest",
        str(suite),
        "--cua-audit",
        "-q",
        "-p",
        "no:cacheprovider",
        "-rs",
    ]
    chosen = f"hospital and not openemr and ({some}) and (reference or twice or similar or noop)"
    done = subprocess.run(
        [*command, "-k", chosen, "--cua-screenshots=off"], cwd=tmp_path, capture_output=True, text=True
    )
    if "scripts/install-clinical hospital" in done.stdout:
        pytest.skip("GNU Health is not installed; type: scripts/install-clinical hospital")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
