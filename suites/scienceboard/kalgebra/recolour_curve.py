"""One of the curves, and a colour that it has not."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import workspace
from .workspace import Steps

PALETTE = {
    "black": ("#000000", 5),
    "red": ("#ff0000", 13),
    "blue": ("#0000ff", 18),
    "magenta": ("#ff00ff", 19),
}
DARKER = {"black": 4, "red": 20, "blue": 25, "magenta": 26}  # what is easily taken for it


def case(state: State, random: Random) -> Values:
    curves = workspace.expressions(state)
    key = random.choice(sorted(curves))
    (other,) = set(curves) - {key}
    name = random.choice(sorted(name for name, (code, _) in PALETTE.items() if not _has(state, key, code)))
    code, place = PALETTE[name]
    spoken = curves[key].removeprefix("x->")
    return {
        "curve": f"y = {spoken}",
        "key": key,
        "other": other,
        "colour": name,
        "code": code,
        "place": place,
        "slip": DARKER[name],
    }


def _has(state: State, key: str, code: str) -> bool:
    """Whether a curve nearly has a colour already; its first one is drawn by the program."""
    now = str(state.collections["functions2d"][key]["colour"] or "#808080")
    return all(abs(int(now[n : n + 2], 16) - int(code[n : n + 2], 16)) < 64 for n in (1, 3, 5))


def setup(random: Random) -> Steps:
    """Two curves."""
    yield workspace.plot_of(f"x->{random.randint(2, 4)}*sin(x)")
    yield workspace.plot_of(f"x->e^x-{random.randint(2, 6)}")


def _coloured(evidence: Evidence, key: str, code: str, weight: float = 1.0) -> Findings:
    """Judge whether a plot has a colour."""
    seen = evidence.after.collections["functions2d"].get(key, {}).get("colour")
    right = workspace.SEEN.same(seen, code, ("functions2d", key, "colour"))
    yield Milestone("colour", right, weight, code, seen or "not seen")


def check(evidence: Evidence, case: Case) -> Findings:
    """The curve has the colour, and is the same otherwise."""
    yield from _coloured(evidence, case["key"], case["code"])
    yield from workspace.untouched(evidence, recoloured=[case["key"]])


async def _recolour(pilot: Pilot, plot_name: str, place: int) -> None:
    """Give a curve one of the colours of the list."""
    await workspace.edit(pilot, plot_name)
    await pilot.click(f"{workspace.DOCK} >> combo-box")
    await pilot.click(f"{workspace.DOCK} >> combo-box >> list-item:nth({place})")
    await pilot.click(f'{workspace.DOCK} >> push-button[name="OK"]')


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose the colour in the curve's editor."""
    await _recolour(pilot, case["key"], case["place"])


@wrong("milestone:colour")
async def nearly_the_colour(pilot: Pilot, case: Case) -> None:
    """Take a shade that looks much like it."""
    await _recolour(pilot, case["key"], case["slip"])


@wrong("record_integrity/minor")
async def other_curve_coloured(pilot: Pilot, case: Case) -> None:
    """Colour the other curve."""
    await _recolour(pilot, case["other"], case["place"])
