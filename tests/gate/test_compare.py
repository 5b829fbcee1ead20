"""A run against its baseline: the suite as a whole, and each instance by itself."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
import scipy
from gate_records import MEASURED, attempt, plays, recorded, runs

from pytest_cuabench.gate.baseline import Baseline, Evidence, Support
from pytest_cuabench.gate.compare import Pair, compare, false_alarm, mean_difference, pairs
from pytest_cuabench.gate.config import BaselineDemands
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.ledger.attempt import Attempt

PASS, FAIL, UNKNOWN = Decision.PASS, Decision.FAIL, Decision.INCONCLUSIVE


def suite(tasks: int, words: str, **more: Any) -> list[Attempt]:
    """Return epochs of so many tasks."""
    return [each for task in range(tasks) for each in plays(f"t{task}", words, **more)]


def findings(
    attempts: list[Attempt], baseline: Baseline, floor: float = 0.95, **demands: Any
) -> dict[str, Finding]:
    """Return what comparing comes to, by the kind of check."""
    found = compare(recorded(*attempts), baseline, BaselineDemands(**demands), floor)
    return {each.check: each for each in found}


def pair(task: str, now: tuple[int, int], before: tuple[int, int], variant: str = "") -> Pair:
    """Return an instance with its successes and plays, now and in the baseline."""
    support = Support(7, before[1], before[0])
    return Pair(f"{task}{variant}", ("s", "a", task), MEASURED, now[1], now[0], support)


def test_paired_by_task() -> None:
    """The difference is the mean over tasks, and its error Student's of the paired differences."""
    every = [
        pair("a", (0, 4), (9, 10)),
        pair("b", (2, 4), (5, 10)),
        pair("c", (4, 4), (2, 10)),
        pair("d", (1, 4), (8, 10)),
    ]
    found = mean_difference(every)
    differences = [each.difference for each in every]
    peer = scipy.stats.ttest_1samp(differences, 0, alternative="less")
    assert found.mean == pytest.approx(np.mean(differences))
    assert found.chance_of_loss == pytest.approx(peer.pvalue)
    assert found.lower(0.95) == pytest.approx(
        scipy.stats.ttest_1samp(differences, 0).confidence_interval(0.9).low
    )


def test_variants_are_one_task() -> None:
    """Two wordings of a task are no two tasks: their mean is one difference."""
    wordings = [pair("a", (0, 4), (10, 10), "-step"), pair("a", (4, 4), (10, 10), "-intent")]
    found = mean_difference([*wordings, pair("b", (4, 4), (10, 10))])
    assert (found.mean, found.tasks) == (pytest.approx(-0.25), 2)


def test_no_spread_is_no_certainty() -> None:
    """Where all differences are equal, chance alone still has a variance: that of smoothed binomials."""
    found = mean_difference([pair(name, (3, 3), (30, 30)) for name in "abcd"])
    rate = 34 / 35
    assert found.error == pytest.approx(sqrt(rate * (1 - rate) * (1 / 3 + 1 / 30) / 4))


def test_the_same_agent() -> None:
    """An agent that does what it did is not worse."""
    found = findings(suite(100, "++-"), runs(7, *suite(100, "++-")))
    assert {each.decision for each in found.values()} == {PASS}
    assert found["non_inferiority"].reason.startswith(
        "The suite is not worse than the baseline by the margin: "
    )


def test_a_worse_agent() -> None:
    """An agent that lost a third of its successes is worse, with the figures."""
    found = findings(suite(100, "+--"), runs(7, *suite(100, "++-")))["non_inferiority"]
    assert found.decision is FAIL
    assert "success rate −33.3 points on 100 tasks" in found.reason
    assert found.figures["difference"] == pytest.approx(-1 / 3, abs=1e-6)


def test_too_few_tasks() -> None:
    """On few tasks a loss cannot be told from chance, and is not taken for a pass either."""
    found = findings(suite(3, "++-"), runs(7, *suite(3, "+++")))["non_inferiority"]
    assert found.decision is UNKNOWN
    assert "play more epochs (--cua-epochs)" in found.reason
    one = findings(suite(1, "+++"), runs(7, *suite(1, "+++")))["non_inferiority"]
    assert one.decision is UNKNOWN


def test_a_small_loss_is_within_the_margin() -> None:
    """A loss that is certain, but smaller than the margin, is no failure."""
    old = [*suite(398, "+++"), *plays("x", "+++"), *plays("y", "+++")]
    new = [*suite(398, "+++"), *plays("x", "---"), *plays("y", "---")]
    found = findings(new, runs(7, *old), collapse_alpha=1e-9)["non_inferiority"]
    assert found.decision is PASS
    assert found.figures["difference"] < 0


def test_too_little_graded() -> None:
    """Below the coverage floor a loss is not concluded."""
    broken = [attempt(f"b{n}", "environment_error") for n in range(20)]
    found = findings([*suite(50, "---"), *broken], runs(7, *suite(50, "+++")))["non_inferiority"]
    assert found.decision is UNKNOWN
    assert "too few instances were graded" in found.reason


@pytest.mark.parametrize(
    ("count", "epochs", "admitted"), [(4, 3, False), (5, 3, True), (5, 1, False), (10, 1, True)]
)
def test_admission(count: int, epochs: int, admitted: bool) -> None:
    """An instance is compared after five runs and ten plays."""
    found = findings(suite(60, "+++"), runs(count, *suite(60, "+" * epochs)))
    assert ("non_inferiority" in found) is admitted
    assert ("baseline" in found) is not admitted


def test_collecting() -> None:
    """While there is too little evidence nothing is known, unless the user says that it may pass."""
    found = findings(suite(9, "+++"), runs(2, *suite(9, "+++")))
    assert list(found) == ["baseline"]
    assert found["baseline"].decision is UNKNOWN
    assert found["baseline"].reason == (
        "0 of 9 instances have enough evidence in the baseline of claude; the others have at least 2 of 5 runs at "
        "their fingerprint; the suite is not compared until then."
    )
    allowed = findings(suite(9, "+++"), runs(2, *suite(9, "+++")), collecting="pass")
    assert allowed["baseline"].decision is PASS


def test_what_made_evidence_worthless() -> None:
    """Evidence of another fingerprint is never compared with, and the difference is named."""
    other = replace(MEASURED, plugin="0.2.0", settings={"cua_max_steps": "50"})
    found = findings(suite(9, "---", fingerprint=other), runs(9, *suite(9, "+++")))
    assert list(found) == ["baseline"]
    assert (
        "(9 instances: the plugin version changed: 0.1.0 -> 0.2.0; settings differ: cua_max_steps 30 -> 50)"
        in found["baseline"].reason
    )
    unknown = findings(suite(9, "+++", fingerprint=None), runs(9, *suite(9, "+++")))
    assert "no fingerprint, or several, recorded" in unknown["baseline"].reason


def test_epochs_of_several_fingerprints() -> None:
    """An instance that was resumed with other settings is compared with nothing, and is evidence of its first."""
    mixed = [*plays("a", "+"), attempt("a", epoch=1, fingerprint=replace(MEASURED, world="other"))]
    (found,) = pairs(mixed, runs(7, *plays("a", "+++")), "claude", 20)
    assert (found.fingerprint, found.support.plays) == (None, 0)
    assert Evidence.of("r", "", "claude", mixed).instances["ward/a-intent"].plays == 1


def test_a_few_new_tasks() -> None:
    """Some tasks that the baseline does not know yet do not keep the others from being compared."""
    new = [each for n in range(10) for each in plays(f"new{n}", "---")]
    found = findings([*suite(90, "+++"), *new], runs(7, *suite(90, "+++")))
    assert found["baseline"].decision is PASS
    assert found["non_inferiority"].figures["instances"] == 90


def test_another_agents_baseline() -> None:
    """A candidate can be compared with the agent that it is to replace."""
    old = runs(7, *suite(100, "+++", agent="released"), agent="released")
    assert list(findings(suite(100, "---"), old)) == ["baseline"]
    assert findings(suite(100, "---"), old, agent="released")["non_inferiority"].decision is FAIL


def test_nothing_graded() -> None:
    """Where nothing was graded there is nothing to compare."""
    found = findings([attempt("a", "environment_error")], runs(7, attempt("a")))
    assert found["baseline"].decision is UNKNOWN


def test_collapse() -> None:
    """A solid instance of which all plays fail fails the gate alone, with its false-alarm bound."""
    solid = suite(100, "+++")
    fallen = [*solid[3:], *plays("t0", "---")]
    found = findings(fallen, runs(20, *solid))
    assert found["non_inferiority"].decision is PASS
    assert found["collapse"].decision is FAIL
    assert found["collapse"].reason == (
        "ward/t0-intent collapsed: none of 3 plays succeeded, and in the baseline 60 of 60 did (probability of a "
        "false alarm at most 6e-06)."
    )


@pytest.mark.parametrize(
    ("now", "before", "count"),
    [("-+-", "+++", 20), ("---", "+--", 20), ("-", "+++", 20), ("---", "+++", 5)],
)
def test_no_collapse(now: str, before: str, count: int) -> None:
    """One success, a shaky baseline, a single play or a young baseline are no collapse."""
    solid = suite(99, "+++")
    found = findings([*solid, *plays("x", now)], runs(count, *solid, *plays("x", before)))
    assert found["collapse"].decision is PASS


@pytest.mark.parametrize(("n", "s", "now"), [(20, 20, 3), (20, 19, 3), (60, 57, 3), (12, 12, 1), (30, 27, 5)])
def test_false_alarm(n: int, s: int, now: int) -> None:
    """The bound is the largest chance over all true rates of looking solid and then failing every time."""
    rates = np.linspace(0, 1, 200_001)
    peer = (scipy.stats.binom.sf(s - 1, n, rates) * (1 - rates) ** now).max()
    assert false_alarm(n, s, now) == pytest.approx(peer, rel=1e-6)


def test_false_alarm_in_closed_form() -> None:
    """Where every play succeeded, the worst rate is n / (n + e)."""
    assert false_alarm(20, 20, 3) == pytest.approx((20 / 23) ** 20 * (3 / 23) ** 3)
    assert false_alarm(20, 0, 3) == pytest.approx(1.0)


def test_epochs_are_gathered() -> None:
    """Epochs are plays of one instance; variants and seeds are instances of their own."""
    attempts = [*plays("a", "++-"), *plays("a", "--", variant="step")]
    first, second = pairs(attempts, Baseline(()), "claude", 20)
    assert (first.instance, first.plays, first.successes) == ("ward/a-intent", 3, 2)
    assert (second.instance, second.plays, second.successes) == ("ward/a-step", 2, 0)
    assert first.task == second.task
