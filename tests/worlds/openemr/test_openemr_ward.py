"""The patients of a seed are people that a clinician would believe, and fill every panel of a chart."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Any

import pytest
from breadth import first
from openemr_database import FIXTURES

from openemr.ward import ward

TODAY = date(2026, 11, 25)
REACTIONS = {"hives", "nausea", "shortness_of_breath"}  # of the list that OpenEMR installs
PANELS = {
    **dict.fromkeys(("history_data", "insurance_data", "form_vitals", "form_soap", "pnotes"), "pid"),
    **dict.fromkeys(("prescriptions", "procedure_order", "immunizations"), "patient_id"),
    "openemr_postcalendar_events": "pc_pid",
}


def rows(seed: int) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a seed by table."""
    return dict(ward(FIXTURES, seed, TODAY))


def by(name: str, found: list[dict[str, Any]]) -> dict[Any, list[dict[str, Any]]]:
    """Return rows by a field."""
    groups = defaultdict(list)
    for row in found:
        groups[row[name]].append(row)
    return groups


@pytest.mark.parametrize("seed", first(40))
def test_vital_signs_are_those_of_one_adult(seed):
    """Nobody grows, weights stay near, pressures have a pulse, and no two of them are the same."""
    told = rows(seed)["form_vitals"]
    assert len({(row["bps"], row["bpd"]) for row in told}) == len(told)
    for visits in by("pid", told).values():
        assert len({row["height"] for row in visits}) == 1
        weights = [row["weight"] for row in visits]
        assert max(weights) <= 1.05 * min(weights)
        for row in visits:
            systolic, diastolic = int(row["bps"]), int(row["bpd"])
            assert 100 <= systolic <= 160
            assert 50 <= diastolic <= 100
            assert 30 <= systolic - diastolic <= 75
            assert 18.5 < row["weight"] * 703 / row["height"] ** 2 < 36
            assert 97 <= row["temperature"] <= 102


def test_every_panel_of_every_chart_has_something():
    """Visits with notes, results, immunizations, an appointment, a message, insurance and history."""
    told = rows(0)
    everybody = {str(row["pid"]) for row in told["patient_data"]}
    for table, owner in PANELS.items():
        assert {str(row[owner]) for row in told[table]} == everybody, table
    for form in ("newpatient", "vitals", "soap"):
        visits = {row["encounter"] for row in told["forms"] if row["formdir"] == form}
        assert visits == {row["encounter"] for row in told["form_encounter"]}
    reports = {row["procedure_report_id"] for row in told["procedure_result"]}
    assert reports == {row["procedure_report_id"] for row in told["procedure_report"]}
    today = {
        row["pc_pid"] for row in told["openemr_postcalendar_events"] if row["pc_eventDate"] == str(TODAY)
    }
    five = {
        str(row["pid"])
        for row in told["patient_data"]
        if row["lname"] in ("Wilson", "Garcia", "Johnson", "Chen", "Brown")
    }
    assert today
    assert not today & five  # OpenEMR takes the defaults of a visit from today's appointment


@pytest.mark.parametrize("seed", first(40))
def test_a_chart_is_one_that_a_clinic_keeps(seed):
    """Tablets last 30 days, coming appointments are on weekdays, and vaccines and insurers are described."""
    told = rows(seed)
    per_day = {9: 1, 1: 2, 2: 3}  # by OpenEMR's intervals
    assert all(int(row["quantity"]) == 30 * per_day[row["interval"]] for row in told["prescriptions"])
    days = {date.fromisoformat(row["pc_eventDate"]) for row in told["openemr_postcalendar_events"]}
    assert all(day.weekday() < 5 for day in days - {TODAY})
    assert all(row["cvx_code"].isdigit() for row in told["immunizations"])
    placed = {row["foreign_id"] for row in told["addresses"]}
    assert placed == {row["id"] for row in told["insurance_companies"]}
    assert all(row["title"] and row["status"] for row in told["patient_data"])


def test_what_openemr_would_change_by_itself_is_as_it_would_have_it():
    """Reactions are of its list, medicines are listed once, and numbers of its sequence lie behind the seed's."""
    told = rows(0)
    assert {row["reaction"] for row in told["lists"] if row["type"] == "allergy"} <= REACTIONS
    assert {row["medication"] for row in told["prescriptions"]} == {0}
    (sequence,) = told["sequences"]
    drawn = ("prescriptions", "form_vitals", "insurance_companies", "addresses")
    numbers = [row["id"] for name in drawn for row in told[name]]
    numbers += [row["encounter"] for row in told["form_encounter"]]
    assert len(set(numbers)) == len(numbers)
    assert max(numbers) < sequence["id"]
    settings = {row["gl_name"]: row["gl_value"] for row in told["globals"]}
    assert settings.pop("unique_installation_id")
    assert set(settings.values()) == {"0"}
    assert told["product_registration"] == [{"id": 1, "opt_out": 1}]


def test_the_doctor_is_whoever_signs_in():
    """Charts name the account of the address, with OpenEMR's own number of it."""
    told = ward(FIXTURES, 0, TODAY, "hmarsh", 4)
    assert [(row["id"], row["username"], row["lname"]) for row in told["users"]] == [(4, "hmarsh", "Marsh")]
    assert {row["user"] for row in told["forms"]} == {"hmarsh"}
    assert {row["provider_id"] for row in told["form_encounter"]} == {4}
