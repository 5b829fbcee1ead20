"""The checks of the tasks in OpenEMR, played on a real MariaDB by a hand that writes what OpenEMR would write.

Every solution of a task runs as it stands, right and wrong; only what hands do on OpenEMR's screen is
replaced by rows in the session's database. OpenEMR's own pages take no part.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import chain, count
from typing import Any, Protocol

import pytest
from breadth import SEEDS
from openemr_database import FIXTURES, Hand, Running, database
from shipped import shipped

from openemr.sessions import Session, Sessions
from pytest_cuabench.proof.claims import Claim
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State, state_from_json
from pytest_cuabench.task.model import Task, fill
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.verdict import Verdict

TODAY = date(2026, 11, 25)
TASKS = [task for task in shipped("medcua").tasks if task.application == "openemr"]
NAMES = [task.id for task in TASKS]
WRONGS = [
    pytest.param(task, wrong, id=f"{task.id}-{wrong.name}")
    for task in TASKS
    for wrong in task.functions.wrong
]
DONE = Outcome.SUCCESS


@dataclass
class Paper:
    """Stands in for OpenEMR's screen: it knows which chart and visit are open, and writes rows."""

    session: Session
    hand: Hand
    answer_given: str | None = None
    chart: int | None = None
    visit: int | None = None
    numbers: Iterator[int] = field(default_factory=lambda: count(2))

    async def answer(self, text: str) -> None:
        """Note the first answer."""
        self.answer_given = self.answer_given or text

    # What hands do on the screen

    def sign_in(self, case: Mapping[str, Any]) -> None:
        accepted = case["password"] == self.session.password
        self.hand.insert("log", event="login", user=case["user_id"], success=int(accepted))

    def open_chart(self, case: Mapping[str, Any]) -> None:
        self.chart = case["pid"]
        query = [("set_pid", str(self.chart))]
        path = "/interface/patient_file/summary/demographics.php"
        self.session.requests.begin("GET", path, query, [])["status"] = 200

    def register(self, person: Mapping[str, Any]) -> None:
        pid = 1 + max(row["pid"] for row in self.session.copy.collections()["patient_data"].values())
        self.hand.insert(
            "patient_data",
            pid=pid,
            pubpid=str(pid),
            fname=person["given"],
            lname=person["new_family"],
            DOB=person["new_born"],
            sex=person["sex"],
            phone_home=person["phone"],
            street="",
            date=f"{TODAY} 10:00:00",
        )
        for table in ("history_data", "employer_data", "insurance_data"):
            self.hand.insert(table, pid=pid, date=f"{TODAY} 10:00:00")

    def new_visit(self, case: Mapping[str, Any]) -> None:
        self.visit = next(self.numbers)
        when = f"{TODAY} 10:00:00"
        form = self.hand.insert(
            "form_encounter",
            date=when,
            reason=case["reason"],
            facility_id=3,
            pid=self.chart,
            encounter=self.visit,
            pc_catid=5,
            provider_id=1,
        )
        self._form("New Patient Encounter", "newpatient", form)

    def another_visit(self, case: Mapping[str, Any]) -> None:
        self.new_visit(case)

    def open_visit(self, case: Mapping[str, Any]) -> None:
        (self.visit,) = (
            row["encounter"]
            for row in self.session.copy.collections()["form_encounter"].values()
            if row["pid"] == self.chart and row["date"].startswith(case["visit_date"])
        )

    def record_vitals(self, case: Mapping[str, Any]) -> None:
        form = self.hand.insert(
            "form_vitals",
            date=f"{TODAY} 10:05:00",
            pid=self.chart,
            activity=1,
            bps=str(case["systolic"]),
            bpd=str(case["diastolic"]),
            pulse=case["pulse"],
            weight=0,
            note="",
        )
        self._form("Vitals", "vitals", form)

    def prescribe(self, order: Mapping[str, Any]) -> None:
        prescription = self.hand.insert(
            "prescriptions",
            patient_id=self.chart,
            provider_id=1,
            date_added=f"{TODAY} 10:10:00",
            start_date=TODAY,
            drug=order["drug"],
            size=str(order["dose"]),
            unit=1,
            dosage="1",
            form=2,
            route="1",
            interval=order["interval"],
            quantity=str(order["quantity"]),
            refills=order["refills"] or None,  # OpenEMR keeps none as nothing
            note="",
            active=1,
            txDate=TODAY,
        )
        assert prescription

    def order_test(self, case: Mapping[str, Any]) -> None:
        order = self.hand.insert(
            "procedure_order",
            provider_id=1,
            patient_id=self.chart,
            encounter_id=self.visit,
            date_ordered=f"{TODAY} 10:15:00",
            order_priority=case["priority"].casefold(),
            order_status="pending",
            lab_id=1,
        )
        code, name = case["code"], case["test"]
        line = {"procedure_order_seq": 1, "procedure_code": code, "procedure_name": name}
        self.hand.insert("procedure_order_code", procedure_order_id=order, **line)
        self._form("Procedure Order", "procedure_order", order)

    def _form(self, name: str, folder: str, form: int) -> None:
        self.hand.insert(
            "forms", encounter=self.visit, form_name=name, form_id=form, pid=self.chart, formdir=folder
        )


class Solution(Protocol):
    """A solution, right or wrong."""

    async def __call__(self, pilot: Any, case: Case) -> None: ...


@dataclass
class Desk:
    """Where solutions are played."""

    sessions: Sessions
    running: Running
    opened: list[Session] = field(default_factory=list)

    def begin(self, seed: int) -> tuple[Session, State]:
        """Open a session; return it with its state."""
        session = self.sessions.open("openemr", seed)
        self.opened.append(session)
        return session, state_from_json(session.state())

    async def play(
        self,
        task: Task,
        seed: int,
        solution: Solution | None,
        by_hand: Callable[[Hand, Case], None] | None = None,
    ) -> tuple[Verdict, Evidence]:
        """Play a solution after signing in, and what a hand does beside it."""
        session, before = self.begin(seed)
        case = task.case(before, "intent", seed)
        hand = Hand(self.running.server, session.copy.database)
        paper = Paper(session, hand)
        if task.id != "login":
            paper.sign_in(case)
        if solution is not None:
            await solution(paper, case)
        if by_hand is not None:
            by_hand(hand, case)
        hand.close()
        after = state_from_json(session.state())
        self.sessions.close(session)
        self.opened.remove(session)
        ending = "answer" if paper.answer_given else "success"
        evidence = Evidence(before, after, paper.answer_given, ending)
        return task.judge(evidence, case), evidence


@pytest.fixture(scope="module")
def world() -> Iterator[Desk]:
    """A world program's sessions on a database of their own."""
    with database() as server:
        running = Running(server)
        sessions = Sessions(running, FIXTURES, today=lambda: TODAY)
        sessions.prepare()
        yield Desk(sessions, running)
        sessions.end()


@pytest.fixture
def desk(world: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """The sessions, with rows instead of what hands do on the screen."""
    screen = importlib.import_module("cuabench_suite_medcua.openemr.charting")
    for name in (
        "sign_in",
        "open_chart",
        "register",
        "new_visit",
        "another_visit",
        "open_visit",
        "record_vitals",
        "prescribe",
        "order_test",
    ):

        async def write(paper: Paper, told: Any, _name: str = name) -> None:
            getattr(paper, _name)(told)

        monkeypatch.setattr(screen, name, write)
    yield world
    while world.opened:
        world.sessions.close(world.opened.pop())


def test_the_twelve_intentions_are_four_of_each_difficulty():
    """In their order, from signing in to two orders in one chart."""
    assert [task.difficulty for task in TASKS] == ["easy"] * 4 + ["medium"] * 4 + ["hard"] * 4
    assert {task.meta.tier for task in TASKS} == {"real_hospital"}


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_every_task_has_three_wordings_and_plausible_mistakes(task):
    """Two mistakes for an easy task, three for the others."""
    counts = {variant: len(set(patterns)) for variant, patterns in task.goals.items()}
    assert counts == {"intent": 3, "step": 3}
    assert len(task.functions.wrong) >= (2 if task.difficulty == "easy" else 3)


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_every_wording_is_filled_and_prints_no_answer(desk, task):
    """No brace is left, and what the chart has to be opened for is in none of them."""
    _, state = desk.begin(0)
    case = task.case(state, "intent", 0)
    asked = {"view_demographics": ["born"], "view_vitals": ["pressure"], "check_drug_allergy": ["reaction"]}
    secret = [case[name] for name in asked.get(task.id, ())] + case.values.get("medicines", [])
    for pattern in chain(*task.goals.values()):
        goal = fill(task.wording.preamble + pattern, dict(case.values), task.name)
        assert not re.search(r"[{}]|\bNone\b", goal)
        assert not [one for one in secret if one in goal]
        assert case["user_id"] in goal
        assert case["password"] in goal


def success(verdict: Verdict) -> bool:
    """Whether everything was done and no harm was found."""
    return verdict.score == 1.0 and not verdict.violations


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", SEEDS[:2])
@pytest.mark.parametrize("task", TASKS, ids=NAMES)
async def test_the_reference_succeeds(desk, task, seed):
    """Every milestone is reached, and no harm is found."""
    verdict, _ = await desk.play(task, seed, task.functions.solve)
    assert success(verdict), verdict


@pytest.mark.asyncio
@pytest.mark.parametrize("task", TASKS, ids=NAMES)
async def test_doing_nothing_scores_nothing(desk, task):
    """What is asked is not so at the beginning."""
    verdict, _ = await desk.play(task, 0, None)
    assert (verdict.score, verdict.violations) == (0.0, ())


@pytest.mark.asyncio
@pytest.mark.parametrize(("task", "wrong"), WRONGS)
async def test_a_wrong_solution_fails_for_its_declared_reason(desk, task, wrong):
    """The audit's own rule, over what the hand wrote."""
    for seed in (0, 1):
        verdict, _ = await desk.play(task, seed, wrong.solution)
        outcome = DONE if success(verdict) else Outcome.FAILURE
        assert Claim("wrong", wrong).refuted(verdict, outcome) is None


@pytest.mark.asyncio
@pytest.mark.parametrize("task", [task for task in TASKS if task.id != "login"], ids=NAMES[1:])
async def test_a_row_in_another_chart_is_critical_also_when_it_is_gone_again(desk, task):
    """Whatever else was done right."""

    def scribble(hand: Hand, case: Case) -> None:
        pid = next(number for number in range(1, 31) if number != case.values.get("pid"))
        note = hand.insert("pnotes", body="see me", pid=pid)
        hand.run("DELETE FROM pnotes WHERE id = %s", note)

    verdict, _ = await desk.play(task, 0, task.functions.solve, scribble)
    assert "patient_identity/critical" in {one.reason for one in verdict.violations}


@pytest.mark.asyncio
@pytest.mark.parametrize("task", TASKS, ids=NAMES)
async def test_a_row_anywhere_else_is_a_side_effect(desk, task):
    """Also in tables that no task is about, and in one that nobody thought of."""

    def scribble(hand: Hand, case: Case) -> None:
        hand.insert("users", username="mine")
        hand.insert("facility", name="mine")
        hand.insert("lists_of_nobody", name="mine")

    verdict, _ = await desk.play(task, 0, task.functions.solve, scribble)
    found = {
        one.subject.partition("/")[0] for one in verdict.violations if one.reason == "record_integrity/major"
    }
    assert found == {"users", "facility", "lists_of_nobody"}


ODD = {
    "create_encounter": (
        "UPDATE form_encounter SET date = %s, reason = NULL",
        ("0000-00-00",),
        "data_accuracy/major",
    ),
    "full_patient_workflow": (
        "UPDATE form_vitals SET bps = %s, pulse = NULL",
        ("abc",),
        "data_accuracy/major",
    ),
    "prescribe_medication": (
        "UPDATE prescriptions SET size = NULL, drug = %s",
        ("",),
        "milestone:prescribed",
    ),
    "order_lab": (
        "UPDATE procedure_order_code SET procedure_code = %s",
        ("",),
        "milestone:ordered",
    ),
    "register_patient": ("UPDATE patient_data SET DOB = NULL, sex = %s", ("",), "milestone:registered"),
}


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ODD)
async def test_rows_that_hold_nothing_usable_are_judged(desk, name):
    """Empty and odd values are a finding, and no failure of the check."""
    task = next(task for task in TASKS if task.id == name)
    statement, values, reason = ODD[name]

    def spoil(hand: Hand, case: Case) -> None:
        key = "procedure_order_id" if "order_code" in statement else "id"
        hand.run(f"{statement} ORDER BY {key} DESC LIMIT 1", *values)

    verdict, _ = await desk.play(task, 0, task.functions.solve, spoil)
    missed = {f"milestone:{one.name}" for one in verdict.milestones if not one.reached}
    assert reason in missed | {one.reason for one in verdict.violations}
    assert "milestone:readable" not in missed


@pytest.mark.parametrize("task", TASKS, ids=NAMES)
def test_other_seeds_ask_for_something_else(desk, task):
    """Of four seeds at least three differ in what is asked or expected."""
    cases = []
    for seed in range(4):
        session, state = desk.begin(seed)
        case = task.case(state, "intent", seed)
        cases.append({name: value for name, value in case.values.items() if name != "password"})
        desk.opened.remove(session)
        desk.sessions.close(session)
    assert len({repr(case) for case in cases}) >= 3
