"""What the hospital notes of who signed in, whose form was opened and what was shown."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from hospital.public import _note


def noted(*calls: tuple[str, Any]) -> SimpleNamespace:
    """Return a session after calls, each with its method and GNU Health's answer."""
    session: Any = SimpleNamespace(logins=[], visits=[], readings=set())
    for method, answer in calls:
        _note(session, method, json.dumps(answer).encode())
    return session


def test_a_form_is_one_visit_however_often_it_is_read() -> None:
    """The list of patients, which lacks a form's fields, is none."""
    form = {"result": [{"id": 4, "diseases": []}]}
    read = "model.gnuhealth.patient.read"
    assert noted((read, form), (read, form), (read, {"result": [{"id": 5, "party": 9}]})).visits == [4]


def test_rows_are_read_where_the_column_that_tells_is_shown() -> None:
    """Rows of a list without it tell nothing."""
    shown = {"result": [{"id": 7, "short_comment": "rash"}, {"id": 8, "short_comment": "hives"}]}
    session = noted(
        ("model.gnuhealth.patient.disease.read", shown),
        ("model.gnuhealth.patient.evaluation.read", {"result": [{"id": 3, "chief_complaint": "cough"}]}),
    )
    assert session.readings == {("gnuhealth_patient_disease", 7), ("gnuhealth_patient_disease", 8)}


@pytest.mark.parametrize("model", ["gnuhealth.patient", "gnuhealth.patient.disease", "party.party"])
def test_what_was_refused_is_not_noted(model: str) -> None:
    """A client may ask for anything; only what it was told counts."""
    session = noted((f"model.{model}.read", {"error": ["UserError", ["no such record", ""]]}))
    assert (session.visits, session.readings) == ([], set())
