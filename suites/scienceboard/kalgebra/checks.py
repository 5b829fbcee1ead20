"""What each task wants to be true, and what must not have changed beside it."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench.answer import Number
from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone, Violation

from . import judges

Findings = Iterator[Milestone | Violation]


def _stored(evidence: Evidence, case: Case) -> Findings:
    """The variable holds the value."""
    yield from judges.stored(evidence, case["variable"], case["value"])
    yield from judges.untouched(evidence, variables=[case["variable"]])


def _plotted(evidence: Evidence, case: Case) -> Findings:
    """The curves are in the graph, and no other new ones."""
    yield from judges.plotted(evidence, case["curves"])
    yield from judges.untouched(evidence, plane=True)


def _drawn(evidence: Evidence, case: Case) -> Findings:
    """The surface is drawn."""
    yield from judges.surface(evidence, case["surface"])
    yield from judges.untouched(evidence, space=True)


store_series_sum = store_derivative = store_common_divisor = store_combinations = _stored
store_plane_distance = store_ellipse_area = _stored
plot_log_power = plot_log_of_square = plot_with_tangent = plot_composition = plot_inverse = _plotted
plot_ellipse = plot_even_mirror = plot_parabola = _plotted
plot_hyperboloid = plot_sphere = plot_parallel_plane = plot_cylinder = replace_surface = _drawn


def store_conjugate(evidence: Evidence, case: Case) -> Findings:
    """The variable holds the conjugate."""
    yield from judges.stored_complex(evidence, case["variable"], complex(case["real"], case["imaginary"]))
    yield from judges.untouched(evidence, variables=[case["variable"]])


def name_missing_function(evidence: Evidence, case: Case) -> Findings:
    """The agent says that there is no such function."""
    said = evidence.answer or evidence.ending
    yield Milestone("declared", evidence.ending == "infeasible", 1.0, "declared infeasible", said)
    yield from judges.untouched(evidence)


def plot_in_tab(evidence: Evidence, case: Case) -> Findings:
    """The curve is there, and its tab in front."""
    yield from judges.plotted(evidence, case["curves"], 0.8)
    yield from judges.setting(evidence, "tab", "2D Graph", 0.2)
    yield from judges.untouched(evidence, plane=True)


def remove_variable(evidence: Evidence, case: Case) -> Findings:
    """The variable is gone, and every other one is there."""
    held = evidence.after.collections["variables"].get(case["name"])
    seen = "gone" if held is None else str(held["value"])
    yield Milestone("removed", held is None, 1.0, f"no variable {case['name']}", seen)
    yield from judges.untouched(evidence, variables=[case["name"]])


def remove_curve(evidence: Evidence, case: Case) -> Findings:
    """The curve is gone, and the others are there."""
    left = evidence.after.collections["functions2d"].get(case["key"])
    seen = "gone" if left is None else str(left["expression"])
    yield Milestone("removed", left is None, 1.0, f"no {case['kind']}", seen)
    yield from judges.untouched(evidence, plots=[case["key"]])


def recolour_curve(evidence: Evidence, case: Case) -> Findings:
    """The curve has the colour, and is the same otherwise."""
    yield from judges.coloured(evidence, case["key"], case["code"])
    yield from judges.untouched(evidence, recoloured=[case["key"]])


def set_resolution(evidence: Evidence, case: Case) -> Findings:
    """The graph has the resolution."""
    yield from judges.setting(evidence, "resolution", case["resolution"])
    yield from judges.untouched(evidence, settings=["resolution"])


def set_surface_style(evidence: Evidence, case: Case) -> Findings:
    """The surface is drawn in the style."""
    yield from judges.setting(evidence, "style", case["style"])
    yield from judges.untouched(evidence, settings=["style"])


def run_script(evidence: Evidence, case: Case) -> Findings:
    """The script was loaded, and the variable holds the value of its function."""
    yield from _loaded(evidence, "loss", 0.3)
    yield from judges.stored(evidence, case["variable"], case["value"], 0.7)
    yield from judges.untouched(evidence, variables=[case["variable"], "loss"])


def plot_from_script(evidence: Evidence, case: Case) -> Findings:
    """The script was loaded, and its spiral is in the graph."""
    yield from _loaded(evidence, "r", 0.3)
    yield from judges.plotted(evidence, case["curves"], 0.7)
    yield from judges.untouched(evidence, variables=["r"], plane=True)


def _loaded(evidence: Evidence, function: str, weight: float) -> Findings:
    known = evidence.after.collections["variables"].get(function)
    seen = "not defined" if known is None else str(known["value"])
    yield Milestone("loaded", "->" in seen, weight, f"{function} is a function", seen)


def count_crossings(evidence: Evidence, case: Case) -> Findings:
    """The answer is the number of common points."""
    yield from _answered(
        evidence, Number(case["count"], words=("points", "common", "crossings", "intersections"))
    )


def find_lowest_point(evidence: Evidence, case: Case) -> Findings:
    """The answer is where the curve is lowest."""
    yield from _answered(evidence, Number(case["x"], words=("x",)))


def _answered(evidence: Evidence, spec: Number) -> Findings:
    match = spec.match(evidence.answer)
    yield Milestone("answer", match.ok, 1.0, spec.expected, match.seen)
    yield from judges.untouched(evidence)
