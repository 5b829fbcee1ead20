"""Show points by another symbol."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import mapping
from .mapping import region as setup

__all__ = ["setup"]

_SYMBOLS = ("star", "diamond", "triangle", "box", "pin", "hexagon")
SYMBOL_GROUPS = (
    *(
        "arrow",
        "arrow1",
        "arrow2",
        "arrow3",
        "box",
        "circle",
        "cross1",
        "cross2",
        "cross3",
        "diamond",
        "hexagon",
    ),
    *("marker", "octagon", "pin", "pin_dot", "point", "pushpin", "star", "triangle", "x"),
)
_SYMBOL = 'frame[name="Symbols"]'


def case(state: State, random: Random) -> Values:
    symbol, bad = random.sample(_SYMBOLS, 2)
    return mapping.points(state, random) | {"symbol": symbol, "wrong_symbol": bad}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the points shown by the symbol."""
    yield from mapping.options(evidence, case, icon=f"basic/{case['symbol']}")


async def solve(pilot: Pilot, case: Case) -> None:
    """Show the points, then choose the symbol among the pictures."""
    await mapping.show_map(pilot, mapping.PIEMONTE, case["map"])
    dialog = await mapping.properties(pilot, case["layer"], "Symbols")
    await mapping.press(pilot, f"{dialog} >> scroll-pane >> push-button:nth(0)")
    await mapping.press(pilot, f"{_SYMBOL} >> icon:nth({SYMBOL_GROUPS.index(case['symbol'])})")
    await mapping.confirm(pilot, _SYMBOL)
    await mapping.confirm(pilot, dialog)


@wrong("milestone:icon")
async def took_another_symbol(pilot: Pilot, case: Case) -> None:
    """The symbol is the wrong one."""
    await solve(pilot, mapping.misread(case, symbol=case["wrong_symbol"]))
