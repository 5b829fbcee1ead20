"""How the product words things, and which lot of the shelf is right."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any

from pytest_cuabench.evidence import State
from pytest_cuabench.library import FIXTURES

REASONS = {
    "monitoring": "Monitoring is arranged",
    "tolerated": "Taken together before without problems",
    "consulted": "Prescriber was consulted and confirms",
    "irrelevant": "Not relevant for this patient",
    "interaction": "Drug interaction",
    "allergy": "Allergy or cross-sensitivity",
    "duplicate": "Duplicate therapy",
    "dose": "Dose outside the usual range",
}
EDIT_REASONS = {
    "entry": "Entry corrected to the original",
    "prescriber": "Change authorised by the prescriber",
    "stock": "Other product in stock",
}
KINDS = {
    "interaction": "drug interaction",
    "allergy": "allergy",
    "duplicate": "duplicate therapy",
    "dose": "dose for weight",
}
SEVERITIES = ("Contraindicated", "Major", "Moderate", "Minor")
FREQUENCIES = {
    "daily": "once daily",
    "bid": "twice daily",
    "tid": "three times daily",
    "qid": "four times daily",
    "bedtime": "at bedtime",
}
IDENTIFIERS = {
    "name": "Full name",
    "birth": "Date of birth",
    "address": "Address",
    "phone": "Phone number",
}
POINTS = {
    "purpose": "Name and purpose",
    "dose": "Dose, route and duration",
    "precautions": "Special directions and precautions",
    "effects": "Side effects and interactions",
    "monitoring": "Self-monitoring",
    "storage": "Storage",
    "refills": "Refills",
    "missed": "Missed dose",
}
# The same points as somebody tells them.
SPOKEN = {
    "purpose": "what the medicine is called and what it is for",
    "dose": "how much to take, how, and for how long",
    "precautions": "which special directions and precautions to follow",
    "effects": "its side effects and what it interacts with",
    "monitoring": "how to watch for warning signs at home",
    "storage": "where to keep it",
    "refills": "when and how to get more of it",
    "missed": "what to do after forgetting a dose",
}


@cache
def _load(name: str) -> Mapping[str, Any]:
    file = FIXTURES / "clinic" / "outpatient_pharmacy" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def drug(name: str) -> Mapping[str, Any]:
    """Return what the formulary says of a product."""
    return next(known for known in _load("formulary")["drugs"] if known["name"] == name)


def orders(plot: str) -> list[Mapping[str, Any]]:
    """Return the orders that a story may begin with."""
    found: list[Mapping[str, Any]] = _load("plots")[plot]["orders"]
    return found


def lots(state: State, product: str, days: int) -> dict[str, str]:
    """Return the lot that expires first among those that last for all days, and what else may be taken."""
    today = date.fromisoformat((state.clock or "")[:10])
    stock = sorted(state.rows("stock", drug=product), key=lambda row: str(row["expires_on"]))
    lasting = [row for row in stock if date.fromisoformat(row["expires_on"]) >= today + timedelta(days=days)]
    short = [row for row in stock if row not in lasting]
    return {
        "lot": lasting[0]["lot"],
        "later_lot": lasting[1]["lot"],
        "expired_lot": short[0]["lot"],
        "short_lot": short[-1]["lot"],
    }
