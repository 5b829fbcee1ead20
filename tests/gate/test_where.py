"""Marker expressions on recorded attempts mean what they mean on pytest's items."""

from __future__ import annotations

import pytest
from gate_records import attempt, plan

from pytest_cuabench.errors import SettingError
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


@pytest.mark.parametrize("expression", ["hard and task(foo='1')", "not hard or task(foo='1')"])
def test_arguments_behind_other_names(expression: str) -> None:
    """An unknown argument is found wherever it stands in an expression."""
    with pytest.raises(SettingError, match="task: no argument named 'foo'"):
        Where.compile(expression)


def test_arguments_that_only_an_instance_reaches() -> None:
    """An unknown argument that needs several names to be true and false is found when an instance is looked at."""
    where = Where.compile("(hard and easy) or (hard and task(foo='1'))")
    with pytest.raises(SettingError, match="task: no argument named 'foo'"):
        where(PLAYED.item)
