"""Marker expressions on recorded attempts mean what they mean on pytest's items."""

from __future__ import annotations

import pytest
from gate_records import attempt, plan

from pytest_cuabench.gate.selection import Where

PLAYED = attempt(
    "icu_bedside/set_alarm", domain="Intensive Care", variant="step", seed=2, markers=("nightly",)
)


@pytest.mark.parametrize(
    ("expression", "meant"),
    [
        ("hard", True),
        ("easy", False),
        ("intensive_care and step", True),
        ("icu_bedside and not intent", True),
        ("small", True),
        ("nightly", True),
        ("weekly or nightly", True),
        ("task", True),
        ("task(domain='Intensive Care')", True),
        ("task(domain='ICU')", False),
        ("task(id='icu_bedside/set_alarm', seed=2)", True),
        ("task(seed=3)", False),
        ("hard and task(variant='step') and not (easy or task(application='ward'))", True),
    ],
)
def test_expressions(expression: str, meant: bool) -> None:
    """Names are markers, and `task(...)` asks for what the task marker says; planned or played makes no difference."""
    where = Where.compile(expression)
    assert where(PLAYED.item) is meant
    assert where(plan(PLAYED)[PLAYED.instance]) is meant
