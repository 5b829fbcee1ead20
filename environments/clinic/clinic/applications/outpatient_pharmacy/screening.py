"""Drug utilisation review: what a prescription is compared with, and the alerts that come of it."""

import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from clinic import clock, rows
from clinic.applications.outpatient_pharmacy import formulary
from clinic.applications.outpatient_pharmacy.choices import TIMES_A_DAY
from clinic.fixtures import Fixtures
from clinic.toolkit.words import age_years, number

RECENT = timedelta(days=30)
ALLERGY_SEVERITY = {"severe": "contraindicated", "moderate": "major", "mild": "moderate"}
CHILD_UNDER = 13


@dataclass(frozen=True)
class Finding:
    """Something that a pharmacist has to look at before the prescription goes out."""

    kind: str
    severity: str
    drug: str
    against: str
    effect: str
    advice: str


def screen(db: sqlite3.Connection, fixtures: Fixtures, rx: sqlite3.Row, today: date) -> Iterator[Finding]:
    """Compare a prescription with the patient's medicines, allergies and weight."""
    known = formulary.drugs(fixtures)
    rules = fixtures.load("outpatient_pharmacy/screening")
    drug = known[rx["drug"]]
    for line in db.execute("SELECT * FROM profile WHERE mrn = ? ORDER BY id", (rx["mrn"],)):
        yield from _against(rules, known, drug, line, today)
    for allergy in db.execute("SELECT * FROM allergies WHERE mrn = ? ORDER BY id", (rx["mrn"],)):
        yield from _allergic(rules, drug, allergy)
    yield from _by_weight(db, rules["dose"], drug, rx, today)


def _against(
    rules: dict[str, Any],
    known: dict[str, formulary.Drug],
    drug: formulary.Drug,
    line: sqlite3.Row,
    today: date,
) -> Iterator[Finding]:
    other = known[line["drug"]]
    if other["ingredient"] == drug["ingredient"]:
        return
    if line["stopped_on"] is None:
        for rule in rules["interaction"]:
            if {drug["ingredient"], other["ingredient"]} == set(rule["between"]):
                yield Finding(
                    "interaction",
                    rule["severity"],
                    drug["name"],
                    other["name"],
                    rule["effect"],
                    rule["advice"],
                )
    double = rules["duplicates"]
    if other["group"] == drug["group"] and drug["group"] in double["groups"]:
        if line["stopped_on"] is None:
            texts = double["effect"], double["advice"]
            yield Finding("duplicate", "major", drug["name"], other["name"], *texts)
        elif today - date.fromisoformat(line["stopped_on"]) <= RECENT:
            texts = double["stopped_effect"], double["stopped_advice"]
            yield Finding("duplicate", "minor", drug["name"], other["name"], *texts)


def _allergic(rules: dict[str, Any], drug: formulary.Drug, allergy: sqlite3.Row) -> Iterator[Finding]:
    rule = next((rule for rule in rules["allergy"] if rule["substance"] == allergy["substance"]), None)
    if rule is None or drug["group"] not in (*rule["groups"], *rule["cross"]):
        return
    same = drug["group"] in rule["groups"]
    kind = "Same class as" if same else "May cross-react with"
    severity = ALLERGY_SEVERITY[allergy["severity"]]
    effect = f"{kind} {allergy['substance'].lower()}; reaction on file: {allergy['reaction'].lower()}."
    advice = "Contact the prescriber for another medicine."
    yield Finding("allergy", severity, drug["name"], allergy["substance"], effect, advice)


def _by_weight(
    db: sqlite3.Connection, rule: dict[str, Any], drug: formulary.Drug, rx: sqlite3.Row, today: date
) -> Iterator[Finding]:
    patient = db.execute("SELECT birth_date FROM patients WHERE mrn = ?", (rx["mrn"],)).fetchone()
    weight = current_weight(db, rx["mrn"])
    if "children" not in drug or weight is None or age_years(patient["birth_date"], today) >= CHILD_UNDER:
        return
    a_day = rx["dose"] * TIMES_A_DAY[rx["frequency"]] * drug["mg_per_ml"] / weight["kg"]
    low, high = drug["children"]
    if a_day > high * 1.02:  # leave room for rounding to what a syringe can measure
        against = f"{number(weight['kg'])} kg body weight"
        effect = f"{rule['effect']} Ordered {a_day:.0f} mg/kg a day, usual {low}-{high} mg/kg a day."
        yield Finding("dose", "major", drug["name"], against, effect, rule["advice"])


def current_weight(db: sqlite3.Connection, mrn: str) -> sqlite3.Row | None:
    """Return the latest weight on file."""
    query = "SELECT * FROM weights WHERE mrn = ? ORDER BY taken_on DESC LIMIT 1"
    row: sqlite3.Row | None = db.execute(query, (mrn,)).fetchone()
    return row


def refresh(
    db: sqlite3.Connection, fixtures: Fixtures, rx_no: str, today: date, settled: dict[str, Any] | None = None
) -> None:
    """Add what is found now; an open alert that an edit made pointless counts as settled by it."""
    rx = db.execute("SELECT * FROM prescriptions WHERE rx_no = ?", (rx_no,)).fetchone()
    found = list(screen(db, fixtures, rx, today))
    listed = db.execute("SELECT * FROM alerts WHERE rx_no = ? ORDER BY id", (rx_no,)).fetchall()
    standing = {_sameness(row) for row in listed if row["action"] != "modify"}
    for finding in found:
        if _sameness(asdict(finding)) not in standing:
            rows.insert(db, "alerts", rx_no=rx_no, mrn=rx["mrn"], **asdict(finding))
    still = {_sameness(asdict(finding)) for finding in found}
    for row in listed:
        if settled and row["action"] is None and _sameness(row) not in still:
            rows.update(db, "alerts", {"id": row["id"]}, **settled)


def settled_by(user: str, reason: str, now: Any) -> dict[str, Any]:
    """Return what an edit writes into the alerts that it settles."""
    return {"action": "modify", "reason": reason, "by": user, "at": clock.text(now)}


def _sameness(row: Any) -> tuple[str, ...]:
    """Two alerts are the same when they say the same: a smaller overdose is another one."""
    return tuple(str(row[name]) for name in ("kind", "severity", "drug", "against", "effect"))
