"""What each task is about on a given seed: whose chart, and what is to stand in it."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

from pytest_cuabench.evidence import State

from . import words

Values = dict[str, Any]

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_GIVEN = ("Astrid", "Benedikt", "Corinna", "Dominic", "Eleni", "Florian", "Greta", "Henrik")


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the workstation."""
    return _credentials(state)


def _credentials(state: State) -> Values:
    user = state.row("users", role="prescriber")
    code = state.row("signature_codes", user_id=user["user_id"])["code"]
    return {
        "user_id": user["user_id"],
        "password": user["password"],
        "prescriber": user["name"],
        "code": code,
    }


def patient_search(state: State, chance: random.Random) -> Values:
    """Find one of two people of the same name."""
    return _about(state, "search", "search_twin")


def view_medication_list(state: State, chance: random.Random) -> Values:
    """Count the active medications among others."""
    values = _about(state, "list")
    statuses = [row["status"] for row in state.rows("medications", mrn=values["mrn"])]
    outside = state.rows("outside_medications", mrn=values["mrn"])
    active = statuses.count("active")
    return values | {"active": active, "listed": len(statuses), "with_outside": active + len(outside)}


def add_allergy(state: State, chance: random.Random) -> Values:
    """Record what the patient tells."""
    told = dict(chance.choice(words.stories()["allergy"]["told"]))
    known = chance.random() < 0.6
    return _about(state, "allergy", "prescribe") | {
        **told,
        "source": "historical" if known else "observed",
        "severity_words": words.SEVERITIES[told["severity"]],
        "source_words": words.SOURCES["historical" if known else "observed"],
        "story": "reported by the patient" if known else "observed here in the clinic today",
    }


def set_preferred_pharmacy(state: State, chance: random.Random) -> Values:
    """Make one of two branches the default."""
    values = _about(state, "pharmacy")
    known = [row["pharmacy"] for row in state.rows("preferred_pharmacies", mrn=values["mrn"])]
    free = [row for row in state.rows("pharmacies") if row["name"] not in known]
    chosen = chance.choice([row for row in free if _branch(state, row)["name"] not in known])
    return values | {
        "pharmacy": chosen["name"],
        "chain": chosen["name"].partition(" No.")[0],
        "street": chosen["address"],
        "branch": _branch(state, chosen)["name"],
    }


def _branch(state: State, pharmacy: dict[str, Any]) -> dict[str, Any]:
    name = pharmacy["name"].partition(" No.")[0]
    return next(
        row
        for row in state.rows("pharmacies")
        if row["name"].startswith(name) and row["name"] != pharmacy["name"]
    )


def new_prescription(state: State, chance: random.Random) -> Values:
    """Order a medicine for somebody whose name is like another one's."""
    values = _about(state, "prescribe", "allergy")
    order = _order("prescribe", chance)
    listed = [row["pharmacy"] for row in state.rows("preferred_pharmacies", mrn=values["mrn"])]
    free = [row["name"] for row in state.rows("pharmacies") if row["name"] not in listed]
    pharmacies = chance.sample(free, 2)
    order["pharmacy"], other = pharmacies
    return values | _ordering(order) | {"pharmacy": order["pharmacy"], "other_pharmacy": other}


def add_outside_medication(state: State, chance: random.Random) -> Values:
    """Document what others prescribe."""
    story = words.stories()["outside"]
    told = dict(chance.choice(story["medicines"])) | {
        "prescriber": chance.choice(story["sources"]),
        "reported_by": chance.choice(sorted(words.REPORTERS)),
        "explained": True,
    }
    reporter = {"patient": "the patient", "family": "a family member", "record": "a record from outside"}
    return _about(state, "outside") | {
        "told": told,
        "outside_drug": told["drug"],
        "outside_dose": told["dose"],
        "outside_schedule": words.SCHEDULES[told["schedule"]],
        "outside_prescriber": told["prescriber"],
        "reporter": reporter[told["reported_by"]],
        "reporter_words": words.REPORTERS[told["reported_by"]],
    }


def patient_consent(state: State, chance: random.Random) -> Values:
    """Record a consent that somebody signs and a nurse witnesses."""
    values = _about(state, "consent")
    patient = state.row("patients", mrn=values["mrn"])
    years = int((state.clock or "")[:4]) - int(patient["birth_date"][:4])
    witness = chance.choice(state.rows("users", role="nurse"))
    signer, name = "patient", values["name"]
    if years < 18:
        signer = chance.choice(("parent", "guardian"))
        name = f"{chance.choice(_GIVEN)} {patient['family_name']}"
    relation = {"patient": "the patient", "parent": "a parent", "guardian": "the legal guardian"}[signer]
    return values | {
        "signer": signer,
        "signer_name": name,
        "signer_words": words.SIGNERS[signer],
        "signs": f"{name}, {relation},",
        "witness": witness["user_id"],
        "witness_password": witness["password"],
        "witness_name": witness["name"],
        "other_witness": next(
            row["user_id"]
            for row in state.rows("users", role="nurse")
            if row["user_id"] != witness["user_id"]
        ),
        "other_password": next(
            row["password"]
            for row in state.rows("users", role="nurse")
            if row["user_id"] != witness["user_id"]
        ),
    }


def change_order(state: State, chance: random.Random) -> Values:
    """Double a dose."""
    values = _about(state, "change")
    facts = _story(state, values["mrn"], "change", "drug")
    return values | {
        "medication": _medication(state, values["mrn"], facts["drug"]),
        "drug": facts["drug"],
        "changes": {"dose": facts["dose"], "quantity": facts["quantity"]},
        "new_dose": f"{words.amount(facts['dose'], facts['drug'])} {words.SCHEDULES[facts['schedule']]}",
        "dose_number": f"{facts['dose']:g}",
        "quantity_number": f"{facts['quantity']:g}",
        "why": facts["why"],
        "reason": facts["reason"],
        "reason_words": words.CHANGE_REASONS[facts["reason"]],
    }


def discontinue_medication(state: State, chance: random.Random) -> Values:
    """Stop one of two medicines whose names are alike, and tell the pharmacy."""
    values = _about(state, "stop")
    facts = _story(state, values["mrn"], "stop", "drug")
    return (
        values
        | _stopping(state, values["mrn"], facts["drug"], facts["reason"])
        | {
            "why": facts["why"],
            "beside": _medication(state, values["mrn"], facts["beside"]),
        }
    )


def process_renewal_request(state: State, chance: random.Random) -> Values:
    """Accept one request and deny the other."""
    values = _about(state, "renewal")
    bad = words.stories()["renewal"]["bad"]
    reasons = {story["drug"]: story["reason"] for story in bad}
    jobs: Values = {}
    for request in state.rows("renewals", mrn=values["mrn"]):
        drug = state.row("medications", id=request["medication"])["drug"]
        job = {"id": request["id"], "drug": drug, "medication": request["medication"]}
        if drug in reasons:
            jobs["denied"] = job | {"reason": reasons[drug]}
        else:
            jobs["accepted"] = job
    refills = chance.randint(1, 5)
    return (
        values
        | jobs
        | {
            "refills": refills,
            "accepted_drug": jobs["accepted"]["drug"],
            "denied_drug": jobs["denied"]["drug"],
            "denial_words": words.DENIALS[jobs["denied"]["reason"]],
        }
    )


def full_prescription_workflow(state: State, chance: random.Random) -> Values:
    """Replace a medicine that is not tolerated by another one."""
    values = _about(state, "switch")
    facts = _story(state, values["mrn"], "switch", "old")
    order = _entry(facts) | {"pharmacy": _default(state, values["mrn"])}
    stopping = _stopping(state, values["mrn"], facts["old"], "adverse")
    return (
        values
        | _ordering(order)
        | {
            "old": stopping,
            "old_drug": facts["old"],
            "stop_words": stopping["reason_words"],
            "why": facts["why"],
            "pharmacy": order["pharmacy"],
        }
    )


# Parts


def _about(state: State, plot: str, other: str = "search") -> Values:
    """Return the patient of a story, and one who is not meant."""
    return _credentials(state) | _person(state, plot) | {"other": _person(state, other)}


def _person(state: State, plot: str) -> Values:
    patient = state.row("patients", plot=plot)
    link = f"{patient['family_name']}, {patient['given_name']}".upper()
    twins = state.rows("patients", family_name=patient["family_name"], given_name=patient["given_name"])
    places = sorted(twins, key=lambda row: str(row["seen_at"]))
    return {
        "mrn": patient["mrn"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "born": _day(patient["birth_date"]),
        "link": link,
        "nth": [row["mrn"] for row in places].index(patient["mrn"]),
    }


def _day(value: str) -> str:
    when = date.fromisoformat(value)
    return f"{when.day:02d} {_MONTHS[when.month - 1]} {when.year}"


def _story(state: State, mrn: str, plot: str, key: str) -> Any:
    """Return the written story whose medicine the patient takes."""
    taken = {row["drug"] for row in state.rows("medications", mrn=mrn)}
    stories = [story for story in words.stories()[plot]["orders"] if story[key] in taken]
    (found,) = (story for story in stories if _fits(state, mrn, plot, story))
    return found


def _fits(state: State, mrn: str, plot: str, story: Any) -> bool:
    """Tell a story from a medicine that the patient takes by chance: it comes first."""
    rows = sorted(state.rows("medications", mrn=mrn), key=lambda row: int(row["id"]))
    return bool(rows[0]["drug"] == (story["old"] if plot == "switch" else story["drug"]))


def _order(plot: str, chance: random.Random) -> Values:
    return _entry(chance.choice(words.stories()[plot]["orders"]))


def _entry(story: Any) -> Values:
    return {
        "drug": story["drug"],
        "dose": story["dose"],
        "schedule": story["schedule"],
        "quantity": story["quantity"],
        "days_supply": story["days"],
        "refills": story["refills"],
        "indication": story["indication"],
    }


def _ordering(order: Values) -> Values:
    """Return an order as data and in words."""
    amount = words.amount(order["dose"], order["drug"])
    return {
        "order": order,
        "new_drug": order["drug"],
        "dose_words": f"{amount} {words.SCHEDULES[order['schedule']]}",
        "dose_number": f"{order['dose']:g}",
        "schedule_words": words.SCHEDULES[order["schedule"]],
        "quantity_number": f"{order['quantity']:g}",
        "days": order["days_supply"],
        "refill_number": order["refills"],
        "indication": order["indication"],
    }


def _stopping(state: State, mrn: str, drug: str, reason: str) -> Values:
    return {
        "medication": _medication(state, mrn, drug),
        "drug": drug,
        "reason": reason,
        "reason_words": words.STOP_REASONS[reason],
    }


def _medication(state: State, mrn: str, drug: str) -> Values:
    row = state.row("medications", mrn=mrn, drug=drug)
    return {"id": row["id"], "drug": drug}


def _default(state: State, mrn: str) -> str:
    return str(state.row("preferred_pharmacies", mrn=mrn, is_default=True)["pharmacy"])
