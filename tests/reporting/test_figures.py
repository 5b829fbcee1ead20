from __future__ import annotations

import io
from pathlib import Path

import pytest
import sample_run
from PIL import Image

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting import figures, marks
from pytest_cuabench.task.outcome import Outcome


def test_rates_leave_ungraded_attempts_out(run: Run) -> None:
    """What could not be graded is in no rate, but counted among the outcomes."""
    last = list(run.last_attempts().values())
    overall = figures.rate(last)
    assert (overall.successes, overall.graded, len(last)) == (3, 9, 10)
    assert figures.outcomes(last)[Outcome.PROVIDER_ERROR] == 1


def test_the_matrix_adds_up(run: Run) -> None:
    """The columns go from easy to hard, and the cells of a row sum to its total."""
    table = figures.matrix(list(run.last_attempts().values()))
    assert list(table["all"]) == ["easy", "medium", "hard", "all"]
    assert list(table) == ["emergency_triage", "pharmacy", "radiology_orders", "all"]
    for cells in table.values():
        *parts, total = cells.values()
        assert sum(part.graded for part in parts) == total.graded


def test_an_empty_rate_is_a_dash() -> None:
    """Where nothing is graded there is no percentage."""
    assert figures.percent(figures.rate([])) == "–"


def test_steps_survive_a_crash(tmp_path: Path) -> None:
    """A last line cut short is passed over; line separators within a text do not cut one."""
    run = Run(tmp_path)
    done = sample_run.record(
        run, sample_run.attempt("a", "b", "failure"), [sample_run.step(0, [], thought="one\u2028two")]
    )
    with (tmp_path / str(done.trajectory) / "steps.jsonl").open("a") as file:
        file.write('{"step": 1, "thou')
    assert [step["thought"] for step in figures.steps(run, done)] == ["one\u2028two"]


def test_an_unknown_cost_is_not_taken_for_nothing() -> None:
    """The known part of a cost is marked as incomplete."""
    known = sample_run.attempt("a", "b", "success")
    unknown = sample_run.attempt("a", "c", "success", usage=sample_run.Usage(cost=None))
    assert figures.cost([known, known]) == (0.0824, True)
    assert figures.cost([known, unknown]) == (0.0412, False)


def test_what_was_spent() -> None:
    """Tokens are summed, and money where all of it is known."""
    known = sample_run.attempt("a", "b", "success")
    unknown = sample_run.attempt("a", "c", "success", usage=sample_run.Usage(5, 1, 3, None))
    assert figures.spent([known, known]) == sample_run.Usage(42_000, 1800, 0, 0.0824)
    assert figures.spent([known, unknown]) == sample_run.Usage(21_005, 901, 3, None)
    assert figures.spent([]) == sample_run.Usage()


def test_signs_are_drawn_where_the_agent_acted() -> None:
    """A ring around the click, an arrow along the drag, a box around the zoom; keys have no place."""
    signs = marks.marks(sample_run.ACTIONS)
    assert [sign.sign for sign in signs] == ["ring", "ring", "arrow", "box", "ring"]
    plain = sample_run.picture(0)
    with (
        Image.open(io.BytesIO(marks.draw(plain, signs[:1]))) as drawn,
        Image.open(io.BytesIO(plain)) as before,
    ):
        assert drawn.size == before.size
        assert drawn.getpixel((230, 148 - 16)) == marks._COLOUR
        assert drawn.getpixel((230, 148)) == before.getpixel((230, 148))
        assert drawn.getpixel((900, 600)) == before.getpixel((900, 600))


def test_measures_are_those_of_graded_attempts(run: Run) -> None:
    """Strict success, mean reward, share of timeouts, mean steps and tokens; what broke is in none of them."""
    overall = figures.measures(run.last_attempts().values())
    assert overall.rate == figures.rate(run.last_attempts().values())
    assert overall.reward == pytest.approx(2 / 9)
    assert overall.timeouts == pytest.approx(1 / 9)
    assert (overall.steps, overall.tokens) == (7, 21_900)
    assert figures.measured(overall) == ("+0.22", "11 %", "7.0", "21,900")
    assert figures.measured(figures.measures([])) == ("–", "–", "–", "–")


def test_the_breakdown_has_every_group_once(run: Run) -> None:
    """Domains, difficulties, wordings and tiers, each of which adds up to the whole run."""
    groups = figures.breakdown(list(run.last_attempts().values()))
    assert list(groups) == ["domain", "difficulty", "variant", "tier", "all"]
    assert list(groups["difficulty"]) == ["easy", "medium", "hard"]
    assert list(groups["tier"]) == ["synthetic"]
    for found in groups.values():
        assert sum(each.rate.graded for each in found.values()) == 9


def test_failures_are_counted_by_kind(run: Run) -> None:
    """Each graded failure has one kind, in the order of the kinds."""
    counts = figures.failures(run, run.last_attempts().values())
    assert {kind.label: count for kind, count in counts.items()} == {
        "chat_give_up": 2,
        "exploration_timeout": 1,
        "other": 3,
    }


def twice_played(epochs: int = 3) -> list[Attempt]:
    """Return attempts at two tasks in two wordings: one always succeeds, one never by intent, one sometimes."""
    outcomes = {
        ("stock", "intent"): "success failure success",
        ("stock", "step"): "success success success",
        ("label", "intent"): "failure failure failure",
        ("label", "step"): "success provider_error environment_error",
    }
    return [
        sample_run.attempt("pharmacy", task, outcome, variant=variant, epoch=epoch)
        for (task, variant), words in outcomes.items()
        for epoch, outcome in enumerate(words.split()[:epochs])
    ]


def test_repeats_keep_variants_apart() -> None:
    """pass@k and pass^k are told by variant and of all; what was not graded is left out and counted."""
    found = figures.repeats(twice_played())
    assert list(found) == ["intent", "step", "all"]
    intent, step = found["intent"], found["step"]
    assert (intent.success.value, intent.success.n, intent.success.tasks) == (pytest.approx(1 / 3), 6, 2)
    assert {k: figure.value for k, figure in intent.any_of.items()} == {2: 0.5, 3: 0.5}
    assert intent.all_of[2].value == pytest.approx((1 / 3 + 0) / 2)
    assert intent.all_of[3].value == 0
    assert (step.success.n, step.success.left_out) == (4, 2)
    assert (step.all_of[2].n, step.all_of[2].left_out) == (1, 1)
    assert found["all"].success.n == 10


def test_one_play_is_no_repeat() -> None:
    """Without epochs there is nothing to say of repeated plays."""
    assert figures.repeats(twice_played(1)) == {}
    assert figures.repeats([]) == {}


def test_repeat_rows() -> None:
    """Every figure is shown with its interval, of what it was made, and what was left out."""
    rows = list(figures.repeat_rows(figures.repeats(twice_played())["step"]))
    assert [measure for measure, _, _ in rows] == ["success", "pass@2", "pass@3", "pass^2", "pass^3"]
    assert rows[0][1].startswith("100.0 % (")
    assert rows[0][2] == "4 episodes of 2 tasks; 2 left out"
    assert rows[1][2] == "1 instance of 1 task; 1 left out"


def test_many_epochs() -> None:
    """Of many epochs a few k are shown, the number of epochs among them."""
    attempts = [sample_run.attempt("a", "b", "success", epoch=epoch) for epoch in range(20)]
    assert list(figures.repeats(attempts)["intent"].any_of) == [2, 3, 4, 5, 8, 16, 20]
