"""Second solutions of KAlgebra, written without a look at the checks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

from pytest_cuabench import Case, Pilot

_PLOT = 'frame[name*="Functions"] >> text:nth(0)'
_LIST = 'frame[name*="Functions"] >> table-cell'


async def _compute(pilot: Pilot, *lines: str) -> None:
    """Type lines into the console, which keeps the focus and selects what was entered."""
    await pilot.press("alt+c")
    await pilot.fill("text:nth(0)", lines[0] + "\n")
    for line in lines[1:]:
        await pilot.press("ctrl+a")
        await pilot.type(line + "\n")


async def _plot(pilot: Pilot, *curves: str) -> None:
    """Add curves to the 2D graph by its OK button."""
    await pilot.press("alt+2")
    for curve in curves:
        await pilot.click('page-tab[name="Add"]')
        await pilot.fill(_PLOT, curve)
        await pilot.click('push-button[name="OK"]')


async def _draw(pilot: Pilot, surface: str) -> None:
    """Show a surface in the 3D graph."""
    await pilot.click('page-tab[name="3D Graph"]')
    await pilot.click("text:nth(0)")
    await pilot.press("ctrl+a")
    await pilot.type(surface)
    await pilot.press("Return")


async def _store(pilot: Pilot, case: Case, formula: str, **more: int) -> None:
    """Compute a formula first, and store it as `ans` in a second line."""
    await _compute(pilot, formula.format(**case.values, **more), f"{case['variable']}:=ans")


async def store_conjugate(pilot: Pilot, case: Case) -> None:
    """Take real and imaginary part instead of calling conjugate."""
    number = case["number"].replace(" ", "").replace("i", "*i")
    await _compute(pilot, f"{case['variable']}:=real({number})-imaginary({number})*i")


async def plot_log_power(pilot: Pilot, case: Case) -> None:
    """Write an equation in place of a function, with the shift on the other side."""
    await _plot(pilot, f"y-{case['shift']}=ln(x)^{case['power']}")


async def plot_hyperboloid(pilot: Pilot, case: Case) -> None:
    """Bring z to the other side."""
    await _draw(pilot, f"x^2+y^2={case['right']}+z^2")


async def name_missing_function(pilot: Pilot, case: Case) -> None:
    """Look through the whole list, which has no such function."""
    await pilot.click('page-tab[name="Dictionary"]')
    await pilot.click('list-item[name="abs"]')
    await pilot.press("End")
    await pilot.give_up("infeasible", f"The dictionary lists no function for {case['what']}.")


async def plot_in_tab(pilot: Pilot, case: Case) -> None:
    """Write the cosine as a shifted sine."""
    await _plot(pilot, f"x->{case['factor']}*sin(x+pi/2)+{case['shift']}")


async def remove_variable(pilot: Pilot, case: Case) -> None:
    """Open the value beside the name, and remove it by the keyboard."""
    for index in range(0, 40, 2):
        if await pilot.read(f'frame[name="Variables"] >> table-cell:nth({index})') == case["name"]:
            await pilot.click(f'frame[name="Variables"] >> table-cell:nth({index + 1})')
            break
    await pilot.press("alt+r")


async def _row(pilot: Pilot, fits: Callable[[str], object]) -> str:
    """Return the text of the curve in the list that fits."""
    await pilot.click('page-tab[name="List"]')
    for index in range(1, 6, 2):
        text = await pilot.read(f"{_LIST}:nth({index})")
        if fits(text):
            return text
    raise LookupError("no such curve")


_KINDS: dict[str, str] = {
    "parabola": r"x\^2",
    "cosine wave": r"cos\(",
    "rose": r"q->",
    "sine wave": r"x->.*sin",
}


async def remove_curve(pilot: Pilot, case: Case) -> None:
    """Open the curve in the editor and remove it there, by the keyboard."""
    pattern = _KINDS.get(case["kind"], r"q->")
    text = await _row(pilot, lambda text: re.search(pattern, text))
    await pilot.click(f'table-cell[name="{text}"]', count=2)
    await pilot.press("alt+r")


async def recolour_curve(pilot: Pilot, case: Case) -> None:
    """Set red, green and blue as numbers in the dialog."""
    wanted = case["curve"].split("=", 1)[1].strip()
    text = await _row(pilot, lambda text: text.replace("x->", "") == wanted)
    await pilot.click(f'table-cell[name="{text}"]', count=2)
    await pilot.click("combo-box:nth(0)")
    await pilot.press("Home")
    await pilot.press("Return")
    code = case["code"].lstrip("#")
    for place, name in enumerate(("Red:", "Green:", "Blue:")):
        await pilot.fill(f'spin-button[name="{name}"]', str(int(code[2 * place : 2 * place + 2], 16)))
        await pilot.press("Tab")
    await pilot.click('dialog >> push-button[name="OK"]')
    await pilot.click('frame[name*="Functions"] >> push-button[name="OK"]')
    await pilot.press("alt+l")


async def _choose(pilot: Pilot, menu: str, entries: list[str]) -> None:
    for entry in entries:
        await pilot.click(f'menu-item[name="{menu}"]:nth(0)')
        await pilot.click(f'popup-menu >> menu-item[name="{entry}"]')


async def set_resolution(pilot: Pilot, case: Case) -> None:
    """Try another resolution first."""
    other = next(name for name in ("Very Fine", "Fine") if name != case["resolution"])
    await pilot.click('page-tab[name="2D Graph"]')
    await _choose(pilot, "2D Graph", [other, case["resolution"]])


async def set_surface_style(pilot: Pilot, case: Case) -> None:
    """Try another style first."""
    other = next(name for name in ("Dots", "Lines") if name != case["style"])
    await pilot.click('page-tab[name="3D Graph"]')
    await _choose(pilot, "3D Graph", [other, case["style"]])


async def replace_surface(pilot: Pilot, case: Case) -> None:
    """Bring all to one denominator."""
    factor, divisor = case["factor"], case["divisor"]
    await _draw(pilot, f"z=({factor * divisor}*sin(x)-e^(cos(y)))/{divisor}")


async def store_series_sum(pilot: Pilot, case: Case) -> None:
    """Add up backwards."""
    await _store(pilot, case, "sum(1/({last}+1-n)^{power}:n=1..{last})")


async def store_derivative(pilot: Pilot, case: Case) -> None:
    """Differentiate by hand."""
    a, b, at = case["a"], case["b"], case["at"]
    await _compute(pilot, f"{case['variable']}:=3*{at}^2-{2 * a}*{at}+{b}")


async def store_common_divisor(pilot: Pilot, case: Case) -> None:
    """Divide the product by the least common multiple."""
    await _store(pilot, case, "{first}*{second}/lcm({first},{second})")


async def store_combinations(pilot: Pilot, case: Case) -> None:
    """Multiply fractions, without a factorial."""
    await _store(pilot, case, "product(({many}-n)/(n+1):n=0..{last})", last=case["some"] - 1)


async def store_plane_distance(pilot: Pilot, case: Case) -> None:
    """Divide the sum of the numbers on the right by the length of the normal vector."""
    await _store(pilot, case, "({first}+{second})/root({a}^2+{b}^2+{c}^2,2)")


async def _load(pilot: Pilot, file: str) -> None:
    await pilot.press("alt+c")
    await pilot.click('menu-item[name="Calculator"]:nth(0)')
    await pilot.press("Down")
    await pilot.press("Return")
    await pilot.press("ctrl+a")
    await pilot.type(file + "\n")


async def run_script(pilot: Pilot, case: Case) -> None:
    """Open the script from the keyboard, and store the value as `ans`."""
    await _load(pilot, case["file"])
    await _compute(pilot, f"loss({case['at']})", f"{case['variable']}:=ans")


async def plot_log_of_square(pilot: Pilot, case: Case) -> None:
    """Bring the factor into the logarithm."""
    await _plot(pilot, f"x->ln((x^2+{case['shift']})^{case['factor']})")


async def plot_with_tangent(pilot: Pilot, case: Case) -> None:
    """Draw the tangent first, as an equation."""
    a, b = case["a"], case["b"]
    await _plot(pilot, f"y={2 * a - 1}*(x-1)+{a - b}".replace("+-", "-"), f"y={a}*x^2-ln(x)-{b}")


async def plot_from_script(pilot: Pilot, case: Case) -> None:
    """Load by the menu, and apply the member of the family to the angle."""
    await _load(pilot, case["file"])
    await _plot(pilot, f"q->(r({case['a']}))(q)")


async def plot_composition(pilot: Pilot, case: Case) -> None:
    """Write f of g out, as an equation."""
    g = f"((x^2+{case['b']})*e^x-1)"
    await _plot(pilot, f"y={case['a']}/{g}-ln({g})")


async def plot_inverse(pilot: Pilot, case: Case) -> None:
    """Swap x and y, and leave the equation unsolved."""
    await _plot(pilot, f"x={case['a']}*e^y+{case['b']}")


async def plot_ellipse(pilot: Pilot, case: Case) -> None:
    """Write the sum of distances as it is said."""
    focus, total = case["focus"], case["sum"]
    await _plot(pilot, f"root((x+{focus})^2+y^2,2)+root((x-{focus})^2+y^2,2)={total}")


async def plot_even_mirror(pilot: Pilot, case: Case) -> None:
    """Replace x by minus its absolute value, as a root of its square."""
    await _plot(pilot, f"x->(x^2+{case['a']}*root(x^2,2))/e^root(x^2,2)-{case['b']}")


async def plot_sphere(pilot: Pilot, case: Case) -> None:
    """Compare squares of diameters, not of radii."""
    await _draw(pilot, f"4*x^2+4*y^2+4*z^2={case['factor'] ** 2 * case['radicand']}")


async def plot_parabola(pilot: Pilot, case: Case) -> None:
    """Multiply the square out."""
    h, k = case["h"], case["k"]
    a = Fraction(case["y"] - k, (case["x"] - h) ** 2)
    await _plot(pilot, f"x->({a})*x^2+({-2 * a * h})*x+({a * h * h + k})")


async def plot_parallel_plane(pilot: Pilot, case: Case) -> None:
    """Keep the equation in its form."""
    await _draw(pilot, f"{case['a']}*x+{case['b']}*y-z+({case['intercept']})=0")


async def plot_cylinder(pilot: Pilot, case: Case) -> None:
    """The curve is the circle in z = 0; write its shifted form as an equation, divided by the square of the radius."""
    assert case["twice"] == 2 * case["r2"]
    await _draw(pilot, f"((x+{case['k']}*z)^2+y^2)/{case['r2']}=1")


async def _curves(pilot: Pilot, count: int) -> list[str]:
    await pilot.press("alt+2")
    await pilot.click('page-tab[name="List"]')
    return [await pilot.read(f"{_LIST}:nth({2 * index + 1})") for index in range(count)]


def _numbers(pattern: str, text: str) -> list[float]:
    match = re.fullmatch(pattern, text)
    if match is None:
        raise LookupError(f"{text} is another kind of curve")
    return [float(group or 0) for group in match.groups()]


async def count_crossings(pilot: Pilot, case: Case) -> None:
    """Solve the equations, which the list of plots tells."""
    circle, parabola = sorted(await _curves(pilot, 2), key=lambda text: "->" in text)
    (square,) = _numbers(r"x\^2\+y\^2=([\d.]+)", circle)
    (shift,) = _numbers(r"x->x\^2([+-][\d.]+)?", parabola)
    # With u = x²: u + (u + shift)² = square.
    b, c = 1 + 2 * shift, shift**2 - square
    root = math.sqrt(max(0.0, b * b - 4 * c))
    values = {round((-b + sign * root) / 2, 9) for sign in (1, -1)} if b * b >= 4 * c else set()
    await pilot.answer(str(sum((value > 0) * 2 + (value == 0) for value in values)))


async def store_ellipse_area(pilot: Pilot, case: Case) -> None:
    """Store the number itself, with six digits after the point."""
    (curve,) = await _curves(pilot, 1)
    a2, b2 = _numbers(r"x\^2/([\d.]+)\+y\^2/([\d.]+)=1", curve)
    await _compute(pilot, f"{case['variable']}:={math.pi * math.sqrt(a2 * b2):.6f}")


async def find_lowest_point(pilot: Pilot, case: Case) -> None:
    """Work it out from the coefficients, and answer with a decimal."""
    (curve,) = await _curves(pilot, 1)
    a, b = _numbers(r"x->([\d.]+)\*x\^2([+-][\d.]+)\*x(?:[+-][\d.]+)?", curve)
    await pilot.answer(f"{-b / (2 * a):.2f}")
