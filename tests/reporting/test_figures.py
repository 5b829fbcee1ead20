from __future__ import annotations

import io
from pathlib import Path

import pytest
import sample_run
from PIL import Image

from pytest_cuabench.ledger import Run
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.reporting import figures, marks


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
