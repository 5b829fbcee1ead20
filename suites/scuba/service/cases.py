"""What each task of service is about in the org at hand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from pytest_cuabench.evidence import State

from .. import dates
from ..records import Records, Row, called

Values = dict[str, Any]
Given = Mapping[str, Any]

RECURRENCES = {
    "none": "No Recurrence",
    "recursIndependently": "Independent",
    "recursChained": "Sequential",
}
LABELS = {
    "PotentialLiability__c": "Potential Liability",
    "SLAViolation__c": "SLA Violation",
    "Priority": "Priority",
}
_COUNTS = ("no", "one milestone", "two milestones", "three milestones", "four milestones")


def service_001(state: State, chance: random.Random, values: Given) -> Values:
    """Find the users and the groups that stand for the roles."""
    org = Records(state)
    roles = {row["Id"]: called(row) for row in org.all("UserRole")}
    groups = {roles.get(row["RelatedId"], ""): row["Id"] for row in org.where("Group", Type="Role")}
    users = [org.one("User", name)["Id"] for name in values["users"]]
    words = [f"the user {name}" for name in values["users"]] + [
        f"the role {name}" for name in values["roles"]
    ]
    return {
        "member_ids": [*users, *(groups[name] for name in values["roles"])],
        "members_words": "; ".join(words),
        "email_words": _email_words(values["email"]),
        "other_role": chance.choice(sorted(set(roles.values()) - set(values["roles"]))),
    }


def _email_words(email: str) -> str:
    if not email:
        return "It has no email address."
    return f"Its email address is {email}; the members themselves get no emails."


def service_003(state: State, chance: random.Random, values: Given) -> Values:
    """Find the contact, and another one."""
    org = Records(state)
    contact = org.one("Contact", values["contact"])
    return {"contact_id": contact["Id"], "other_contact": _other(org, chance, "Contact", contact)}


def service_004(state: State, chance: random.Random, values: Given) -> Values:
    """Find the case, and another one; something must be left to do."""
    org = Records(state)
    case = org.one("Case", values["subject"])
    updates = {"Status": values["status"], **values["updates"]}
    words = [f"{LABELS.get(name, name)}: {value}" for name, value in updates.items()]
    return {
        "case_id": case["Id"],
        "updates_words": "; ".join(words),
        "labelled": {LABELS[name]: value for name, value in values["updates"].items()},
        # Of those that are open: no interface gives a case its first closing date back.
        "other_case": _other(org, chance, "Case", case, IsClosed=False),
    }


def service_005(state: State, chance: random.Random, values: Given) -> Values:
    """Find the account, and work out the dates."""
    org = Records(state)
    account = org.one("Account", values["account"])
    starts = dates.after(org.today, values["starts"])
    return {
        "account_id": account["Id"],
        "other_account": _other(org, chance, "Account", account),
        "starts_on": starts.isoformat(),
        "starts_words": dates.words(values["starts"]),
        "ends_on": dates.after(starts, values["ends"]).isoformat(),
        "ends_words": dates.words(values["ends"]),
        "ends_from_today": dates.after(org.today, values["ends"]).isoformat(),
    }


def service_006(state: State, chance: random.Random, values: Given) -> Values:
    """Say what the milestones are."""
    entries = values["milestones"]
    words = [f'"{entry["name"]}" (recurrence type: {RECURRENCES[entry["recurrence"]]})' for entry in entries]
    return {"count_words": _COUNTS[len(entries)], "milestones_words": ", ".join(words)}


def service_010(state: State, chance: random.Random, values: Given) -> Values:
    """No article of the title may be there already."""
    if Records(state).where("Knowledge__kav", Title=values["title"]):
        raise LookupError(f"there is an article {values['title']!r} already")
    return {"url": "-".join(values["title"].split())}


def service_011(state: State, chance: random.Random, values: Given) -> Values:
    """There has to be something to read."""
    if not Records(state).where("Knowledge__kav", PublishStatus="Online", Title=values["article"]):
        raise LookupError(f"there is no published article {values['article']!r}")
    return {"other_answer": values["wrong_answer"]}


def service_013(state: State, chance: random.Random, values: Given) -> Values:
    """Find the products."""
    org = Records(state)
    products = [org.one("Product2", entry["name"]) for entry in values["products"]]
    return {
        "product_ids": [row["Id"] for row in products],
        "products_words": "; ".join(f"{entry['name']} ({entry['impact']})" for entry in values["products"]),
        "other_product": _other(org, chance, "Product2", products[0]),
    }


def service_014(state: State, chance: random.Random, values: Given) -> Values:
    """Find the incident, and another one."""
    org = Records(state)
    incident = org.one("Incident", values["incident"])
    return {
        "incident_id": incident["Id"],
        "incident_number": incident.get("IncidentNumber", ""),
        "other_incident": _other(org, chance, "Incident", incident),
    }


def _other(org: Records, chance: random.Random, object: str, row: Row, **equal: Any) -> str:
    """Return the name of another record of an object that stands for itself, of those with these values."""
    names = [called(each) for each in org.all(object)]
    right = {called(each) for each in org.where(object, **equal)} - {called(row), ""}
    return chance.choice(sorted(name for name in right if names.count(name) == 1))
