"""How each task is done, with mouse and keyboard."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from . import moves


async def _store(hand: Hand, case: Case) -> None:
    await moves.calculate(hand, case["enter"])


async def _plot(hand: Hand, case: Case) -> None:
    await moves.plot(hand, case["enter"])


async def _draw(hand: Hand, case: Case) -> None:
    await moves.draw(hand, case["enter"])


async def _answer(hand: Hand, case: Case) -> None:
    await hand.answer(case["answer"])


store_conjugate = store_series_sum = store_derivative = store_common_divisor = store_combinations = _store
store_plane_distance = store_ellipse_area = _store
plot_log_power = plot_log_of_square = plot_with_tangent = plot_composition = plot_inverse = _plot
plot_ellipse = plot_even_mirror = plot_parabola = plot_in_tab = _plot
plot_hyperboloid = plot_sphere = plot_parallel_plane = plot_cylinder = replace_surface = _draw
count_crossings = find_lowest_point = _answer


async def name_missing_function(hand: Hand, case: Case) -> None:
    """Search the dictionary, then say that it has no such function."""
    await hand.fill('frame[name="Operations"] >> text', case["guess"])
    await hand.give_up("infeasible", f"the dictionary has no function for {case['what']}")


async def remove_variable(hand: Hand, case: Case) -> None:
    """Open the variable's value, and remove it there."""
    await moves.remove_variable(hand, case["cell"])


async def remove_curve(hand: Hand, case: Case) -> None:
    """Open the curve's editor, and remove it there."""
    await moves.remove_plot(hand, case["key"])


async def recolour_curve(hand: Hand, case: Case) -> None:
    """Choose the colour in the curve's editor."""
    await moves.recolour(hand, case["key"], case["place"])


async def set_resolution(hand: Hand, case: Case) -> None:
    """Choose the resolution from the menu."""
    await moves.choose(hand, "2D Graph", case["resolution"])


async def set_surface_style(hand: Hand, case: Case) -> None:
    """Choose the style from the menu."""
    await moves.choose(hand, "3D Graph", case["style"])


async def run_script(hand: Hand, case: Case) -> None:
    """Load the script, then call its function."""
    await moves.load(hand, case["file"])
    await _store(hand, case)


async def plot_from_script(hand: Hand, case: Case) -> None:
    """Load the script, then plot its curve."""
    await moves.load(hand, case["file"])
    await _plot(hand, case)
