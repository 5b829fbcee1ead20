"""A plot that is not understood: no failure where it may be what was asked for, and no way around one."""

from __future__ import annotations

from typing import Any

import pytest
from scienceboard.small_records import small
from shipped import shipped

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.verdict import Verdict, judge

shipped("scienceboard")  # its code is then importable

from cuabench_suite_scienceboard.kalgebra import workspace  # type: ignore[import-not-found]  # noqa: E402
from cuabench_suite_scienceboard.upstream import native  # type: ignore[import-not-found]  # noqa: E402
from cuabench_suite_scienceboard.upstream.evaluators import milestones  # type: ignore[import-not-found]  # noqa: E402
from cuabench_suite_scienceboard.upstream.probes import kept, probes  # type: ignore[import-not-found]  # noqa: E402

STRANGE = "x->sum(n : n@list { x })"  # a loop over a list: nothing is known of it
EMPTY: dict[str, Any] = {
    "variables": {},
    "functions2d": {},
    "plot3d": {},
    "files": {},
    "view": {"window": {}},
}


def state(*plots: str, **collections: Any) -> State:
    """Return a state with these plots in the plane."""
    shown = {f"f{number}": {"expression": text, "shown": True} for number, text in enumerate(plots)}
    return State({**EMPTY, "functions2d": shown, **collections})


def judged(after: State, *expected: str, ending: str = "success") -> Verdict:
    """Return the verdict over curves that were asked for."""
    evidence = Evidence(state(), after, None, ending)
    found = workspace.curves_added(evidence, expected)
    return judge(workspace.decided(evidence, (*found, *workspace.untouched(evidence, plane=True))))


def test_what_may_be_the_curve_is_no_failure_of_the_agent() -> None:
    """All that is missing is a curve, and all that is too much is a plot that nobody can read."""
    with pytest.raises(CheckerFailure, match="not understood here what KAlgebra draws of x->sum"):
        judged(state(STRANGE), "x->x")
    with pytest.raises(CheckerFailure):
        judged(state(STRANGE, "x->2*x"), "x->x", "x->2*x")


@pytest.mark.parametrize(
    ("after", "expected", "ending"),
    [
        (state(STRANGE), ("x->x",), "running"),
        (state(STRANGE), ("x->x",), "infeasible"),
        (state(STRANGE), ("x->x",), "failure"),
        (state(STRANGE, STRANGE), ("x->x",), "success"),  # two of them, where one is missing
        (state(STRANGE), ("x->x", "x->2*x"), "success"),
        (state(STRANGE, "x->3*x"), ("x->x",), "success"),  # beside a wrong one
        (state(STRANGE, "x->x"), ("x->x",), "success"),  # beside the right one
        (state(STRANGE, files={"diary.txt": {"size": 1}}), ("x->x",), "success"),  # beside harm
        (state("x->" + "+".join(["x"] * 130)), ("x->x",), "success"),  # longer than anybody writes
        (state("x->sum(1 : n=1..10^6)*x"), ("x->x",), "success"),  # more work than a plot
        (state("x->x+1"), ("x->x",), "success"),
    ],
)
def test_no_failure_is_voided_by_a_strange_plot(after: State, expected: tuple[str, ...], ending: str) -> None:
    """Wherever something else is wrong, too, it stays a graded failure."""
    assert not judged(after, *expected, ending=ending).success


def test_a_strange_surface_is_the_same() -> None:
    """In space as in the plane."""
    evidence = Evidence(state(), state(plot3d={"surface": {"expression": "(u, v)->vector { u, v, u*v }"}}))
    (found,) = workspace.surface_drawn(evidence, "z=x*y")
    with pytest.raises(CheckerFailure):
        list(workspace.decided(Evidence(evidence.before, evidence.after, None, "success"), [found]))


def test_a_hidden_plot_is_seen() -> None:
    """What was plotted beside the curve and taken out of the picture is left in the list."""
    plots = {"f0": {"expression": "x->x", "shown": True}, "f9": {"expression": "x->3*x", "shown": False}}
    verdict = judged(State({**EMPTY, "functions2d": plots}), "x->x")
    assert verdict.completed
    assert [violation.subject for violation in verdict.violations] == ["functions2d.f9"]


def test_a_record_has_the_same_rule() -> None:
    """Its points are not known, its look is, and all other items hold."""
    points = {"type": "eqn", "key": [[1, 1], [2, 3]], "value": {"(1, 1)": True, "(2, 3)": False, "res": 416}}
    record = small(evaluate=[points, {"type": "val", "key": "p", "value": 3}])

    def verdict(expression: str, value: str, resolution: str) -> Verdict:
        told = {
            "functions2d": {"f0": {"expression": expression, "colour": "#000000"}},
            "variables": {"p": {"value": value}},
            "view": {"window": {"resolution": resolution}},
        }
        after = State(kept(native.replies(record, probes(record), told)))
        return judge(milestones(record, Evidence(State({}), after, None, "success")))

    assert verdict("x->x", "3", "Poor").success
    assert verdict("x->(diff(x^2:x))(x)/2", "3", "Poor").success
    assert not verdict("x->2*x", "3", "Poor").success
    with pytest.raises(CheckerFailure, match="not understood"):
        verdict(STRANGE, "3", "Poor")
    assert not verdict(STRANGE, "4", "Poor").success
    assert not verdict(STRANGE, "3", "Fine").success
