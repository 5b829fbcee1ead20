"""What hands do in KAlgebra when it runs beside TeXstudio: it begins in front, with its input line waiting."""

from __future__ import annotations

from pytest_cuabench.action import Key, Type
from pytest_cuabench.adapters.oracle import Hand


async def work_out(hand: Hand, formula: str) -> None:
    """Have a value calculated."""
    await hand.act(Type(formula), Key(("enter",)), thought=f"Calculate {formula}")


async def leave(hand: Hand) -> None:
    """Go back to TeXstudio."""
    await hand.press("alt+tab")
