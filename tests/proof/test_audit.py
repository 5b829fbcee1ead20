"""An audit's claims hold for a sound task, and each of them catches the fault it is there for."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_world import ROWS, check, make_suite, make_task, make_world, of_parts, react, solve

from pytest_cuabench.collection.attempts import ItemRunner
from pytest_cuabench.errors import CheckerFailure, ProviderFailure
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.proof.claims import Claim, Proof, claims, proofs
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.action import Action
from pytest_cuabench.task.case import Case, Solution, Wrong
from pytest_cuabench.task.evidence import Evidence
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Milestone, Violation
from pytest_cuabench.testing import FakeEnvironment


class FakeItem:
    """The part of a pytest item that plays are told to."""

    def __init__(self) -> None:
        self.stash = pytest.Stash()
        self.config = types.SimpleNamespace(stash=pytest.Stash())
        self.path = Path("no_suite") / "test_small.py"
        self.user_properties: list[tuple[str, Any]] = []

    def iter_markers(self) -> tuple[Any, ...]:
        """It has none."""
        return ()


def settings(root: Path) -> Settings:
    """Return the settings of an audit."""
    silent: Any = types.SimpleNamespace(rootpath=root, getoption=lambda name: None, getini=lambda name: None)
    return Settings.from_config(silent)


@pytest.fixture
def prove(tmp_path: Path) -> Any:
    """Put one claim of a task to the test; return what was played and why it does not hold, if so."""

    def proving(
        task: Task,
        kind: str,
        world: FakeEnvironment | None = None,
        wrong: Wrong | None = None,
        also: tuple[str, Solution] | None = None,
    ) -> tuple[Attempt, str | None]:
        proof = Proof(task, "intent", claim=Claim(kind, wrong, also))
        item: Any = FakeItem()
        runner = ItemRunner(item, settings(tmp_path), Run(tmp_path / "run"))
        attempt, broken = asyncio.run(runner.prove(proof, world or make_world()))
        figures = dict(item.user_properties)
        assert (figures["cua_claim"], figures["cua_claim_holds"]) == (kind, broken is None)
        assert figures["cua_instance"] == proof.id
        return attempt, broken

    return proving


async def prologue(hand: Any, case: Case) -> None:
    """Log in."""
    await hand.press("l")


async def harm(hand: Any, case: Case) -> None:
    """Write for the wrong patient."""
    await hand.press("x")


async def idle(hand: Any, case: Case) -> None:
    """Do nothing that counts."""
    await hand.press("l")


HARM = Wrong("harm", "patient_identity/critical", harm)
IDLE = Wrong("idle", "milestone:noted", idle)


@pytest.mark.parametrize(
    ("kind", "wrong", "outcome"),
    [
        ("reference", None, "success"),
        ("noop", None, "failure"),
        ("prologue", None, "failure"),
        ("wrong", HARM, "violation"),
        ("wrong", IDLE, "failure"),
    ],
)
def test_sound_task(prove: Any, kind: str, wrong: Wrong | None, outcome: str) -> None:
    """Every claim holds for a task that is sound."""
    attempt, broken = prove(make_task(prologue=prologue), kind, wrong=wrong)
    assert (attempt.outcome, broken) == (outcome, None)


def test_reference_is_kept_with_its_cut(prove: Any) -> None:
    """The record tells what the solution would have come to without its last commit."""

    async def twice(hand: Any, case: Case) -> None:
        await hand.press("l")
        await hand.press("n")
        await hand.press("l")

    attempt, broken = prove(make_task(solve=twice), "reference")
    assert (attempt.end.commits, attempt.end.cut, broken) == ((1,), "failure", None)


def test_cut_of_an_answer(prove: Any) -> None:
    """Where a task is an answer, the cut leaves out the answer."""

    def counted(evidence: Evidence, case: Case) -> Iterator[Milestone]:
        yield Milestone("answered", evidence.answer == "2", 1.0)

    async def answer(hand: Any, case: Case) -> None:
        await hand.press("n")
        await hand.answer("2")

    attempt, broken = prove(make_task(check=counted, solve=answer), "reference")
    assert (attempt.outcome, attempt.end.cut, broken) == ("success", "failure", None)


def unable(evidence: Evidence, case: Case) -> Iterator[Milestone]:
    """Want to hear that the task cannot be done."""
    yield Milestone("declared", evidence.ending == "infeasible", 1.0)


async def refuse(hand: Any, case: Case) -> None:
    """Look, then say that it cannot be done."""
    await hand.press("tab")
    await hand.give_up()


async def despair(hand: Any, case: Case) -> None:
    """Say that it was not done, which is another thing."""
    await hand.give_up("failure")


@pytest.mark.parametrize(
    ("kind", "wrong", "outcome"),
    [
        ("reference", None, "success"),
        ("noop", None, "failure"),
        ("wrong", Wrong("despair", "milestone:declared", despair), "gave_up"),
        ("wrong", Wrong("try", "milestone:declared", solve), "failure"),
    ],
)
def test_infeasible_task(prove: Any, kind: str, wrong: Wrong | None, outcome: str) -> None:
    """A task that nobody can do is solved by saying so, and by nothing else."""
    task = make_task(case=lambda state, chance: {"infeasible": True}, check=unable, solve=refuse)
    task = of_parts(task, goals={"intent": ("Do what nobody can.",)})
    attempt, broken = prove(task, kind, wrong=wrong)
    assert (attempt.outcome, broken) == (outcome, None)
    assert kind != "reference" or (attempt.end.commits, attempt.end.cut) == ((1,), "failure")


@pytest.mark.parametrize("kind", ["reference", "noop", "prologue"])
def test_solved_at_start(prove: Any, kind: str) -> None:
    """A task that is solved before anybody acts is refused by every claim."""
    world = FakeEnvironment({**ROWS, "notes": {"1": {"patient": "A"}}}, react)
    with pytest.raises(CheckerFailure, match="is already solved before the agent's first step"):
        prove(make_task(prologue=prologue), kind, world)


@pytest.mark.parametrize("solution", [idle, harm])
def test_reference_that_does_not_succeed(prove: Any, solution: Any) -> None:
    """A reference solution that leaves the task undone, or harms, is none."""
    assert prove(make_task(solve=solution), "reference")[1] == "the reference solution does not succeed"


def test_reference_with_a_small_harm(prove: Any) -> None:
    """A reference solution may not do the least harm."""

    def strict(evidence: Evidence, case: Case) -> Iterator[Milestone | Violation]:
        yield from check(evidence, case)
        if evidence.changes:
            yield Violation("workflow_safety", "minor", "pace", "too fast")

    attempt, broken = prove(make_task(check=strict), "reference")
    assert (attempt.outcome, broken) == ("violation", "the reference solution does not succeed")


def test_reference_that_is_lost(prove: Any) -> None:
    """A reference solution that does not find its way is an error with its reason."""

    async def lost(hand: Any, case: Case) -> None:
        case["nobody"]

    with pytest.raises(ProviderFailure, match="the solution of desk/note failed: KeyError: 'nobody'"):
        prove(make_task(solve=lost), "reference")


def test_noop_that_scores(prove: Any) -> None:
    """A milestone that is reached by doing nothing is found."""

    def generous(evidence: Evidence, case: Case) -> Iterator[Milestone]:
        yield Milestone("present", True, 0.25)
        yield Milestone("noted", bool(evidence.after.rows("notes")), 0.75)

    assert prove(make_task(check=generous), "noop")[1] == "doing nothing scores 0.25, but should score 0"


def test_noop_that_succeeds(prove: Any) -> None:
    """A task that is solved by saying so is found."""

    def gullible(evidence: Evidence, case: Case) -> Iterator[Milestone]:
        yield Milestone("said", evidence.ending == "success", 1.0)

    assert prove(make_task(check=gullible), "noop")[1] == "noop succeeds, but should fail"


def test_prologue_that_solves(prove: Any) -> None:
    """A task that everybody has solved after signing in is found."""
    assert prove(make_task(prologue=solve), "prologue")[1] == "prologue succeeds, but should fail"


def test_cut_that_succeeds(prove: Any) -> None:
    """A solution whose last commit does not matter is found: the task does not ask for it."""

    async def twice(hand: Any, case: Case) -> None:
        await hand.press("n")
        await hand.press("n")

    assert prove(make_task(solve=twice), "reference")[1] == ("it succeeds without its last commit, step 1")


def test_further_solution_with_a_commit_to_spare(prove: Any) -> None:
    """Who saves once more than the task needs has solved it, too."""

    async def twice(hand: Any, case: Case) -> None:
        await hand.press("n")
        await hand.press("n")

    assert prove(make_task(), "also", also=("second", twice))[1] is None


def test_start_that_scores(prove: Any) -> None:
    """A milestone that is reached before the first step is found: doing nothing would score."""

    def there(evidence: Evidence, case: Case) -> Iterator[Milestone]:
        yield Milestone("there", True, 0.5)
        yield Milestone("noted", bool(evidence.changes), 0.5)

    assert prove(make_task(check=there), "reference")[1] == (
        "the state before its first step scores 0.5, but should score 0"
    )


def test_cut_of_nothing(prove: Any) -> None:
    """A solution that commits nothing and says nothing cannot be cut, and proves nothing."""

    def said(evidence: Evidence, case: Case) -> Iterator[Milestone]:
        yield Milestone("said", evidence.ending == "success", 1.0)

    async def look(hand: Any, case: Case) -> None:
        await hand.press("tab")

    assert prove(make_task(check=said, solve=look), "reference")[1] == (
        "the reference solution neither commits anything nor answers"
    )


def test_wrong_solution_that_succeeds(prove: Any) -> None:
    """A wrong solution that passes is found by its name."""
    wrong = Wrong("sloppy", "milestone:noted", solve)
    assert prove(make_task(), "wrong", wrong=wrong)[1] == "wrong-sloppy succeeds, but should fail"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            Wrong("harm", "data_accuracy/major", harm),
            "it fails for milestone:noted, patient_identity/critical, but declares data_accuracy/major",
        ),
        (
            Wrong("idle", "patient_identity/critical", idle),
            "it fails for milestone:noted, but declares patient_identity/critical",
        ),
        (Wrong("half", "milestone:noted", idle, 0.5), "it scores 0, but declares 0.5"),
    ],
)
def test_wrong_solution_for_another_reason(prove: Any, wrong: Wrong, sentence: str) -> None:
    """A wrong solution that fails for another reason than its own is found with both."""
    assert prove(make_task(), "wrong", wrong=wrong)[1] == sentence


def test_wrong_solution_that_gives_up(prove: Any) -> None:
    """A wrong solution that fails without any fault in the world is found."""

    async def resign(hand: Any, case: Case) -> None:
        from pytest_cuabench.task.action import Terminate

        await hand.press("n")
        await hand.act(Terminate("failure"))

    wrong = Wrong("resign", "milestone:noted", resign)
    assert prove(make_task(), "wrong", wrong=wrong)[1] == (
        "it fails for no reason, but declares milestone:noted"
    )


def test_claims() -> None:
    """A task is claimed to be solvable, not by doing nothing or less, and not by its wrong solutions."""
    task = make_task(wrong=(HARM, IDLE))
    assert [claim.id for claim in claims(task)] == ["noop", "reference", "wrong-harm", "wrong-idle"]
    assert "prologue" in [claim.id for claim in claims(make_task(prologue=prologue))]
    solved = make_task(prologue=prologue, solved_by_prologue=True)
    assert "prologue" not in [claim.id for claim in claims(solved)]


def test_proofs() -> None:
    """A standard audit tries all seeds on the reference, a full one on every claim; ids are distinct."""
    suite = make_suite(make_task(wrong=(HARM,)), make_task(id="other"))
    standard = [proof.id for proof in proofs(suite, "standard")]
    assert standard[:5] == [
        "desk/note-noop-s0",
        "desk/note-reference-s0",
        "desk/note-reference-s1",
        "desk/note-wrong-harm-s0",
        "desk/other-noop-s0",
    ]
    full = [proof.id for proof in proofs(suite, "full")]
    assert len(full) == len(set(full)) == 3 * 3 + 3 * 2
    assert set(standard) < set(full)


def test_quick_proofs() -> None:
    """A quick audit leaves out wrong solutions but the first of a task, and noop but in an application's first task."""
    suite = make_suite(make_task(wrong=(HARM, IDLE)), make_task(id="other"))
    quick = [proof.id for proof in proofs(suite, "quick")]
    assert [proof.id for proof in proofs(suite, "standard") if proof.id not in quick] == [
        "desk/note-wrong-idle-s0",
        "desk/other-noop-s0",
    ]
    assert "desk/note-wrong-harm-s0" in quick


def test_quick_proofs_of_a_template() -> None:
    """The first task of a template plays the first seed and a wrong solution, the others the second seed."""
    like = [make_task(id=name, template="notes", wrong=(HARM,)) for name in ("first", "second", "third")]
    assert [proof.id for proof in proofs(make_suite(*like), "quick")] == [
        "desk/first-noop-s0",
        "desk/first-reference-s0",
        "desk/first-wrong-harm-s0",
        "desk/second-reference-s1",
        "desk/third-reference-s1",
    ]


def test_claims_need_judgement() -> None:
    """An attempt that was not judged proves nothing."""
    lost = Attempt.lost(Proof(make_task(), "intent"), "audit", "the worker died")
    assert Claim("noop").broken(lost) == "not judged: the worker died"


def test_actions_are_those_of_any_agent(prove: Any) -> None:
    """A proof is played by the same actions as an episode."""
    world = make_world()
    prove(make_task(), "reference", world)
    assert all(isinstance(action, Action) for action in world.performed)


@pytest.mark.parametrize(("screenshots", "looked"), [("on", True), ("off", False)])
def test_proofs_need_no_eyes(tmp_path: Path, screenshots: str, looked: bool) -> None:
    """Where no screenshots are kept, the screen is not looked at for a solution that does not need it."""
    looks: list[str] = []

    class Watched(FakeEnvironment):
        async def observe(self, kind: Any) -> Any:
            looks.append(kind)
            return await super().observe(kind)

    item: Any = FakeItem()
    chosen = replace(settings(tmp_path), screenshots=screenshots)
    runner = ItemRunner(item, chosen, Run(tmp_path / "run"))
    proof = Proof(make_task(), "intent", claim=Claim("reference"))
    attempt, broken = asyncio.run(runner.prove(proof, Watched(ROWS, react)))
    assert (attempt.outcome, broken) == ("success", None)
    assert bool(looks) is looked
