"""How a careful nurse does each task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow
from ..hands import sign_in as prologue
from . import nurse


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_assessment_dashboard(hand: Hand, case: Case) -> None:
    """Read the ward view."""
    await prologue(hand, case)
    await hand.answer(listed(case["overdue"]))


def listed(entries: Iterable[Mapping[str, Any]]) -> str:
    """Return beds with forms as the goal asks for them."""
    return "; ".join(f"Bed {entry['bed']} {entry['form']}" for entry in entries)


async def read_braden_score(hand: Hand, case: Case) -> None:
    """Read the newest signed Braden that is not struck."""
    await prologue(hand, case)
    await nurse.open_form(hand, case, "braden")
    await follow(hand, "History and trend")
    await hand.answer(f"Total {case['latest']['total']}, Class {case['latest']['band']}")


async def _assess(hand: Hand, case: Case) -> None:
    await prologue(hand, case)
    await nurse.assess_all(hand, case)


async def complete_braden(hand: Hand, case: Case) -> None:
    """Score the six subscales and sign."""
    await _assess(hand, case)


async def complete_morse(hand: Hand, case: Case) -> None:
    """Score the six items and sign."""
    await _assess(hand, case)


async def assess_gcs(hand: Hand, case: Case) -> None:
    """Score the three responses and the pupils, and sign."""
    await _assess(hand, case)


async def assess_pain(hand: Hand, case: Case) -> None:
    """Chart both scores, place and kind, and sign."""
    await _assess(hand, case)


async def nutrition_screen(hand: Hand, case: Case) -> None:
    """Score the three steps and sign."""
    await _assess(hand, case)


async def high_risk_intervention(hand: Hand, case: Case) -> None:
    """Start the measures of the protocol and name the bed."""
    await prologue(hand, case)
    await nurse.open_chart(hand, case)
    await nurse.start_measures(hand, case["start"])
    await hand.answer(f"Bed {case['bed']}")


async def post_fall_reassessment(hand: Hand, case: Case) -> None:
    """Score both risks after the fall and report the totals."""
    await _assess(hand, case)
    totals = case["totals"]
    await hand.answer(f"Braden {totals['braden']}, Morse {totals['morse']}")


async def multi_assessment(hand: Hand, case: Case) -> None:
    """Assess one patient, then the other."""
    await prologue(hand, case)
    first, second = case["jobs"]
    await nurse.assess_all(hand, first)
    await nurse.back_to_ward(hand)
    await nurse.assess_all(hand, second)


async def reassessment_bundle(hand: Hand, case: Case) -> None:
    """Assess first, then raise the measures."""
    await _assess(hand, case)
    await nurse.start_measures(hand, case["start"])
