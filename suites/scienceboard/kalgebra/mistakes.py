"""Plausible ways to do it wrong, each with the reason for which it must fail."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from . import moves, solutions

_STORING = (
    "store_conjugate", "store_series_sum", "store_derivative", "store_common_divisor", "store_combinations",
    "store_plane_distance", "store_ellipse_area",
)  # fmt: skip
_DRAWING = (
    "plot_hyperboloid",
    "plot_sphere",
    "plot_parallel_plane",
    "plot_cylinder",
    "replace_surface",
)


async def _stored(hand: Hand, case: Case, expression: str) -> None:
    await moves.calculate(hand, f"{case['variable']}:={expression}")


def _of(case: Case) -> str:
    """Return what the solution stores."""
    return str(case["enter"]).split(":=", 1)[1]


# In many tasks


async def other_variable(hand: Hand, case: Case) -> None:
    """Store the right number under another name."""
    await moves.calculate(hand, f"result:={_of(case)}")


async def not_stored(hand: Hand, case: Case) -> None:
    """Calculate the right number, and leave it in the console."""
    await moves.calculate(hand, _of(case))


async def not_entered(hand: Hand, case: Case) -> None:
    """Type the surface, and do not press Return."""
    await moves.draw(hand, case["enter"], enter=False)


for _task in _STORING:
    other_variable = wrong(_task, "milestone:stored")(other_variable)
    not_stored = wrong(_task, "milestone:stored")(not_stored)
for _task in _DRAWING:
    not_entered = wrong(_task, "milestone:surface")(not_entered)


@wrong("plot_log_power", "record_integrity/major")
@wrong("plot_parabola", "record_integrity/major")
@wrong("plot_ellipse", "record_integrity/major")
async def attempt_left(hand: Hand, case: Case) -> None:
    """Plot the right curve, but leave a first attempt beside it."""
    await moves.plot(hand, ["x->x+1", *case["enter"]])


@wrong("count_crossings", "milestone:answer")
@wrong("find_lowest_point", "milestone:answer")
async def right_number_to_another_question(hand: Hand, case: Case) -> None:
    """Answer the height instead of the place, or count one too many."""
    await hand.answer(case["slip"])


@wrong("find_lowest_point", "record_integrity/major")
async def help_line_left(hand: Hand, case: Case) -> None:
    """Draw a vertical line to read the place, and leave it there."""
    await moves.plot(hand, [f"x={case['answer']}"])
    await hand.answer(case["answer"])


# Basics


@wrong("store_conjugate", "milestone:stored")
async def number_itself(hand: Hand, case: Case) -> None:
    """Store the number and not its conjugate; its real part is the same."""
    await _stored(hand, case, f"{case['real']}{-case['imaginary']:+d}*i")


@wrong("plot_log_power", "milestone:curve")
async def power_within(hand: Hand, case: Case) -> None:
    """Take the power of x and not of the logarithm."""
    await moves.plot(hand, [f"x->ln(x^{case['power']})+{case['shift']}"])


@wrong("plot_hyperboloid", "milestone:surface")
async def two_sheets(hand: Hand, case: Case) -> None:
    """Swap the signs, which makes two sheets."""
    await moves.draw(hand, f"z^2-x^2-y^2={case['right']}")


@wrong("name_missing_function", "milestone:declared")
async def made_up(hand: Hand, case: Case) -> None:
    """Answer a name that sounds right."""
    await hand.answer(case["guess"])


@wrong("name_missing_function", "milestone:declared")
async def given_up(hand: Hand, case: Case) -> None:
    """Say that it was not done, which is not to say that it cannot be done."""
    await hand.give_up("failure")


@wrong("name_missing_function", "record_integrity/major")
async def defined_by_oneself(hand: Hand, case: Case) -> None:
    """Overwrite a constant while trying, and then say that it cannot be done."""
    await moves.calculate(hand, "e:=3")
    await hand.give_up("infeasible")


# User interface


@wrong("plot_in_tab", "milestone:tab")
async def gone_back(hand: Hand, case: Case) -> None:
    """Go back to the calculator afterwards."""
    await solutions.plot_in_tab(hand, case)
    await moves.show(hand, "Calculator")


@wrong("plot_in_tab", "milestone:curve")
async def other_wave(hand: Hand, case: Case) -> None:
    """Put the factor into the cosine."""
    await moves.plot(hand, [f"x->cos({case['factor']}*x)+{case['shift']}"])


@wrong("remove_variable", "milestone:removed")
async def set_to_zero(hand: Hand, case: Case) -> None:
    """Set the variable to 0 and keep it."""
    await moves.calculate(hand, f"{case['name']}:=0")


@wrong("remove_variable", "record_integrity/major")
async def other_removed(hand: Hand, case: Case) -> None:
    """Remove another variable."""
    await moves.remove_variable(hand, case["other_cell"])


@wrong("remove_curve", "milestone:removed")
async def only_hidden(hand: Hand, case: Case) -> None:
    """Hide the curve by its check box."""
    await hand.click(f'frame[name="Functions"] >> table-cell[name="{case["key"]}"]@0.16,0.5')


@wrong("remove_curve", "record_integrity/major")
async def other_curve_removed(hand: Hand, case: Case) -> None:
    """Remove another curve."""
    await moves.remove_plot(hand, case["other"])


@wrong("recolour_curve", "milestone:colour")
async def nearly_the_colour(hand: Hand, case: Case) -> None:
    """Take a shade that looks much like it."""
    await moves.recolour(hand, case["key"], case["slip"])


@wrong("recolour_curve", "record_integrity/minor")
async def other_curve_coloured(hand: Hand, case: Case) -> None:
    """Colour the other curve."""
    await moves.recolour(hand, case["other"], case["place"])


@wrong("set_resolution", "milestone:resolution")
async def next_resolution(hand: Hand, case: Case) -> None:
    """Choose another line of the menu."""
    await moves.choose(hand, "2D Graph", case["slip"])


@wrong("set_resolution", "record_integrity/minor")
async def grid_gone(hand: Hand, case: Case) -> None:
    """Switch off the grid on the way."""
    await moves.choose(hand, "2D Graph", "Grid")
    await solutions.set_resolution(hand, case)


@wrong("set_surface_style", "milestone:style")
async def other_style(hand: Hand, case: Case) -> None:
    """Choose the other style, or none."""
    await moves.choose(hand, "3D Graph", case["slip"])


@wrong("replace_surface", "milestone:surface")
async def swapped(hand: Hand, case: Case) -> None:
    """Swap x and y."""
    await moves.draw(hand, f"(x,y)->{case['factor']}*sin(y)-e^(cos(x))/{case['divisor']}")


# Calculations


@wrong("store_series_sum", "milestone:stored")
async def one_term_short(hand: Hand, case: Case) -> None:
    """Leave out the last term."""
    await _stored(hand, case, f"sum(1/n^{case['power']} : n=1..{case['last'] - 1})")


@wrong("store_derivative", "milestone:stored")
async def height_not_slope(hand: Hand, case: Case) -> None:
    """Store the value of the function and not its slope."""
    x = case["at"]
    await _stored(hand, case, f"{x}^3-{case['a']}*{x}^2+{case['b']}*{x}")


@wrong("store_common_divisor", "milestone:stored")
async def multiple(hand: Hand, case: Case) -> None:
    """Store the least common multiple."""
    await _stored(hand, case, f"lcm({case['first']}, {case['second']})")


@wrong("store_combinations", "milestone:stored")
async def ordered(hand: Hand, case: Case) -> None:
    """Count the order, too."""
    await _stored(hand, case, f"factorial({case['many']})/factorial({case['many'] - case['some']})")


@wrong("run_script", "milestone:stored")
async def next_argument(hand: Hand, case: Case) -> None:
    """Call the function with the number after it."""
    await moves.load(hand, case["file"])
    await _stored(hand, case, f"loss({case['at'] + 1})")


@wrong("run_script", "milestone:loaded")
async def script_not_loaded(hand: Hand, case: Case) -> None:
    """Store the number without loading the script."""
    await _stored(hand, case, f"{case['value']:g}")


@wrong("store_plane_distance", "milestone:stored")
async def same_side(hand: Hand, case: Case) -> None:
    """Take the planes to lie on one side of the origin."""
    await _stored(hand, case, _of(case).replace("+", "-", 1))


@wrong("store_plane_distance", "milestone:stored")
async def no_root(hand: Hand, case: Case) -> None:
    """Divide by the square of the normal's length."""
    square = case["a"] ** 2 + case["b"] ** 2 + case["c"] ** 2
    await _stored(hand, case, f"({case['first']}+{case['second']})/{square}")


@wrong("store_ellipse_area", "milestone:stored")
async def squares_taken(hand: Hand, case: Case) -> None:
    """Multiply the squares of the half axes."""
    await _stored(hand, case, f"pi*{case['a'] ** 2}*{case['b'] ** 2}")


# Plots


@wrong("plot_log_of_square", "milestone:curve")
async def square_missed(hand: Hand, case: Case) -> None:
    """Leave out the square."""
    await moves.plot(hand, [f"x->{case['factor']}*ln(x+{case['shift']})"])


@wrong("plot_with_tangent", "milestone:curve_2")
async def normal_drawn(hand: Hand, case: Case) -> None:
    """Draw the normal instead of the tangent."""
    curve, a, b = case["enter"][0], case["a"], case["b"]
    await moves.plot(hand, [curve, f"x->{a}-{b}-(x-1)/{2 * a - 1}"])


@wrong("plot_with_tangent", "milestone:curve_1")
async def tangent_alone(hand: Hand, case: Case) -> None:
    """Draw the tangent without its curve."""
    await moves.plot(hand, case["enter"][1:])


@wrong("plot_from_script", "milestone:curve")
async def next_spiral(hand: Hand, case: Case) -> None:
    """Plot the next spiral of the family."""
    await moves.load(hand, case["file"])
    await moves.plot(hand, [f"q->(r({case['a'] + 1}))(q)"])


@wrong("plot_from_script", "milestone:loaded")
async def spiral_by_hand(hand: Hand, case: Case) -> None:
    """Plot the right curve without loading the script."""
    await moves.plot(hand, case["curves"])


@wrong("plot_composition", "milestone:curve")
async def other_order(hand: Hand, case: Case) -> None:
    """Apply the functions in the other order."""
    f = f"({case['a']}/x-ln(x))"
    await moves.plot(hand, [f"x->({f}^2+{case['b']})*e^{f}-1"])


@wrong("plot_inverse", "milestone:curve")
async def reciprocal(hand: Hand, case: Case) -> None:
    """Take the reciprocal for the inverse."""
    await moves.plot(hand, [f"x->1/({case['a']}*e^x+{case['b']})"])


@wrong("plot_ellipse", "milestone:curve")
async def axes_swapped(hand: Hand, case: Case) -> None:
    """Swap the half axes."""
    await moves.plot(hand, [f"x^2/{case['b2']}+y^2/{case['a2']}=1"])


@wrong("plot_even_mirror", "milestone:curve")
async def odd_mirror(hand: Hand, case: Case) -> None:
    """Mirror at the origin instead of the axis."""
    a, b = case["a"], case["b"]
    left, right = f"(x^2-{a}*x)*e^x-{b}", f"-(x^2+{a}*x)*e^(-x)+{b}"
    await moves.plot(hand, [f"x->piecewise {{ x<=0 ? {left}, ? {right} }}"])


@wrong("plot_even_mirror", "milestone:curve")
async def not_mirrored(hand: Hand, case: Case) -> None:
    """Plot the function itself on both sides."""
    await moves.plot(hand, [f"x->(x^2-{case['a']}*x)*e^x-{case['b']}"])


@wrong("plot_sphere", "milestone:surface")
async def diameter_as_radius(hand: Hand, case: Case) -> None:
    """Take the diameter for the radius."""
    await moves.draw(hand, f"x^2+y^2+z^2={case['slip']}")


@wrong("plot_parabola", "milestone:curve")
async def vertex_mirrored(hand: Hand, case: Case) -> None:
    """Get the sign of the vertex wrong."""
    await moves.plot(hand, case["slip"])


@wrong("plot_parallel_plane", "milestone:surface")
async def intercept_mirrored(hand: Hand, case: Case) -> None:
    """Get the sign of the intercept wrong."""
    await moves.draw(hand, f"(x,y)->{case['a']}*x+{case['b']}*y+{-case['intercept']}")


@wrong("plot_cylinder", "milestone:surface")
async def other_slant(hand: Hand, case: Case) -> None:
    """Slant the cylinder to the other side."""
    await moves.draw(hand, f"(x-{case['k']}*z)^2+y^2={case['r2']}")
