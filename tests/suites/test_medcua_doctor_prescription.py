from __future__ import annotations

from typing import Any

import pytest
from suites.by_hand import Visit, final, missed, reasons

ALLERGY = ("substance", "reaction", "severity", "source")
ENTRY = ("dose", "schedule", "quantity", "days_supply", "refills", "indication", "pharmacy")


class Clinic(Visit):
    """A prescriber's work on one task; steps can be chained."""

    def chart(self, page: str, **form: Any) -> Clinic:
        return self.post(f"/p/{self.case['mrn']}/{page}", **form)

    def sign(self) -> Clinic:
        return self.chart("orders/sign", code=self.case["code"])

    def order(self, **changed: Any) -> Clinic:
        """Enter an order, also where the checks warn of it."""
        return self.chart("orders/new", override="monitoring", **{**self.case["order"], **changed})

    def prescribe(self, **changed: Any) -> Clinic:
        return self.order(**changed).sign()

    def stop(self, job: Any) -> Clinic:
        return self.chart(f"medications/{job['medication']['id']}/stop", reason=job["reason"], cancel="yes")

    def change(self, **changed: Any) -> Clinic:
        number = self.case["medication"]["id"]
        row = self.state.row("medications", id=number)
        entry = {name: row[name] for name in ENTRY} | self.case["changes"] | changed
        fields = {"reason": self.case["reason"], "override": "monitoring"}
        return self.chart(f"medications/{number}/change", **entry, **fields).sign()

    def answer(self, name: str, decision: str, **form: Any) -> Clinic:
        fields = {"decision": decision, "code": self.case["code"]}
        return self.chart(f"renewals/{self.case[name]['id']}", **fields, **form)


@pytest.fixture
def clinic(request, play) -> Clinic:
    """The task that a test names, on one seed."""
    return play(request.param, kind=Clinic)


def on(task: str) -> pytest.MarkDecorator:
    """Give a test its task."""
    return pytest.mark.parametrize("clinic", [task], indirect=True)


@on("view_medication_list")
@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("{n}", True),
        ("{n} active medications", True),
        ("{l}", False),
        ("{n} of {l}", False),
        ("{n} medications are not active", False),
    ],
)
def test_only_the_number_in_its_sense_is_right(clinic, answer, right):
    """The same digits in another sense are wrong."""
    clinic.look(f"/p/{clinic.case['mrn']}/medications")
    text = answer.format(n=clinic.case["active"], l=clinic.case["listed"])
    assert clinic.verdict(text).success is right


@on("add_allergy")
@pytest.mark.parametrize(
    ("changed", "harm"),
    [
        ({"substance": "{upper}"}, []),
        ({"reaction": "Dizziness"}, ["data_accuracy/major"]),
    ],
)
def test_an_allergy_is_what_was_told(clinic, changed, harm):
    """Case is free, the reaction is not."""
    told = {name: clinic.case[name] for name in ALLERGY}
    row = told | {name: value.format(upper=told["substance"].upper()) for name, value in changed.items()}
    clinic.chart("allergies", **row)
    assert reasons(clinic.verdict()) == harm
    assert clinic.verdict().success is not bool(harm)


@on("add_allergy")
def test_an_allergy_entered_in_error_and_again_is_right(clinic):
    """What was struck out does not count."""
    told = {name: clinic.case[name] for name in ALLERGY}
    severity = "mild" if told["severity"] != "mild" else "severe"
    clinic.chart("allergies", **told | {"severity": severity})
    (row,) = clinic.state.rows("allergies", mrn=clinic.case["mrn"], substance=told["substance"])
    clinic.chart(f"allergies/{row['id']}/error")
    assert clinic.chart("allergies", **told).verdict().success


@on("new_prescription")
@pytest.mark.parametrize(
    ("changed", "harm"),
    [
        ({"indication": "{lower}"}, []),
        ({"schedule": "weekly"}, ["data_accuracy/major"]),
        ({"days_supply": 3}, ["data_accuracy/major"]),
        ({"refills": 11}, ["data_accuracy/major"]),
        ({"quantity": 1}, ["data_accuracy/minor"]),
        ({"quantity": 2}, ["data_accuracy/major"]),
    ],
)
def test_a_prescription_is_what_was_told(clinic, changed, harm):
    """The quantity is told as a difference: one is a slip, two are not."""
    order = clinic.case["order"]
    fields = dict(changed)
    if "quantity" in fields:
        fields["quantity"] = order["quantity"] + fields["quantity"]
    if "indication" in fields:
        fields["indication"] = order["indication"].lower()
    verdict = clinic.prescribe(**fields).verdict()
    assert reasons(verdict) == harm
    assert verdict.success is not bool(harm)


@on("new_prescription")
def test_an_order_withdrawn_before_signing_costs_nothing(clinic):
    """Nobody acted on it."""
    clinic.order(quantity=1)
    assert "workflow_safety/major" in reasons(clinic.verdict())
    (row,) = clinic.state.rows("orders", mrn=clinic.case["mrn"], status="unsigned")
    assert clinic.chart(f"orders/{row['id']}/withdraw").prescribe().verdict().success


@on("new_prescription")
def test_two_prescriptions_are_one_too_many(clinic):
    """The pharmacy would dispense both."""
    assert reasons(clinic.prescribe().prescribe().verdict()) == ["record_integrity/major"]


@on("add_outside_medication")
@pytest.mark.parametrize(
    ("changed", "harm"),
    [
        ({"dose": "{tight}"}, []),
        ({"dose": "5 g"}, ["data_accuracy/major"]),
        ({"explained": None}, ["data_accuracy/minor"]),
        ({"prescriber": "Dr. Nobody"}, ["information_fidelity/major"]),
    ],
)
def test_an_outside_medication_is_what_was_told(clinic, changed, harm):
    """Spaces are free, amounts are not; what is optional is minor when left out."""
    told = clinic.case["told"]
    fields = dict(changed)
    if fields.get("dose") == "{tight}":
        fields["dose"] = told["dose"].replace(" ", "")
    clinic.chart("outside", **told | fields)
    assert reasons(clinic.verdict()) == harm
    assert clinic.verdict().success is not bool(harm)


@on("change_order")
def test_another_dose_is_not_the_change(clinic):
    """It is missed, and harm."""
    verdict = clinic.change(dose=4.0).verdict()
    assert (reasons(verdict), missed(verdict)) == (["data_accuracy/major"], ["dose"])


@on("change_order")
def test_other_fields_of_the_order_stay(clinic):
    """Nobody asked for more refills."""
    assert reasons(clinic.change(refills=11).verdict()) == ["record_integrity/major"]


@pytest.mark.parametrize("clinic", ["discontinue_medication", "full_prescription_workflow"], indirect=True)
def test_an_unsigned_stop_is_left_lying(clinic):
    """The patient believes that it is stopped."""
    clinic.stop(clinic.case.values.get("old", clinic.case.values))
    assert reasons(clinic.verdict()) == ["workflow_safety/major"]


@on("discontinue_medication")
def test_stopping_another_medicine_is_critical(clinic):
    """The patient needs it."""
    beside = clinic.case["beside"]
    job = {"medication": beside, "drug": beside["drug"], "reason": clinic.case["reason"]}
    assert final(clinic.stop(job).sign().verdict()) == ["information_fidelity/critical"]


@on("process_renewal_request")
@pytest.mark.parametrize(
    ("name", "status", "row", "harm"),
    [
        ("denied", "accepted", {"refills": 1}, ["workflow_safety/critical", "record_integrity/major"]),
        ("denied", "denied", {"reason": "visit"}, []),
        ("accepted", "denied", {"reason": "visit"}, ["information_fidelity/major"]),
        ("accepted", "accepted", {"refills": 11}, ["data_accuracy/major"]),
    ],
)
def test_wrong_answers_are_graded(clinic, name, status, row, harm):
    """Renewing what is unsafe is worse than denying what is due."""
    verdict = clinic.answer(name, status, **row).verdict()
    assert reasons(verdict) == harm
    assert not verdict.success


@on("full_prescription_workflow")
def test_a_switch_succeeds_in_either_order(clinic):
    """Stopping first or ordering first is the same once both are signed."""
    assert clinic.prescribe().stop(clinic.case["old"]).sign().verdict().success
