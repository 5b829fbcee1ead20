"""The patients of a seed, as rows of OpenEMR's tables: five whom tasks are about, and a ward's worth around them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from openemr.seeding import Rows

DOCTOR = {"id": 1, "username": "admin", "fname": "Helen", "lname": "Marsh", "authorized": 1, "active": 1}
_INTERVALS = {1: 9, 2: 1, 3: 2}  # OpenEMR's list of intervals: q.d., b.i.d., t.i.d.
_UNITS = {"mg": 1, "mcg": 7}  # its list of units
_TABLET, _BY_MOUTH = 2, "1"  # of its lists of forms and routes
_OFFICE_VISIT = 5
_FIRST_ENCOUNTER = 70001  # OpenEMR counts on from 1


@cache
def read_ward(fixtures: Path) -> dict[str, Any]:
    """Return the invented people.

    Raises:
        OSError: The file is not there.
    """
    return tomllib.loads((fixtures / "ward.toml").read_text(encoding="utf-8"))


def ward(fixtures: Path, seed: int, today: date) -> Rows:
    """Return all rows of a seed."""
    told = read_ward(fixtures)
    return _Writer(Random(f"openemr:{seed}"), today, told).rows()  # noqa: S311 - repeatable on purpose


class _Writer:
    """Draws values and numbers rows."""

    def __init__(self, random: Random, today: date, told: dict[str, Any]) -> None:
        self._random, self._today, self._told = random, today, told
        self._rows: dict[str, list[dict[str, Any]]] = {}
        self._ids: dict[str, Iterator[int]] = {}
        self._encounters = count(_FIRST_ENCOUNTER)

    def rows(self) -> Rows:
        """Write everything."""
        self._rows["users"] = [DOCTOR]
        self._laboratory()
        people = [*self._told["patients"], *self._others()]
        pubpids = self._random.sample(range(100200, 999800), len(people))
        order = self._random.sample(range(len(people)), len(people))
        for pid, index in enumerate(order, 1):
            self._patient(pid, str(pubpids[index]), people[index])
        return self._rows

    def _others(self) -> Iterator[dict[str, Any]]:
        ward, random = self._told["ward"], self._random
        for given, family, sex in [*ward["similar"], *ward["others"]]:
            yield {
                "given": given,
                "family": family,
                "sex": sex,
                "born": random.randint(1938, 2001),
                "problems": random.sample(ward["problems"], random.randint(1, 2)),
                "allergies": random.sample(ward["allergies"], random.randint(0, 2)),
                "medications": random.sample(ward["medications"], random.randint(1, 3)),
            }

    def _patient(self, pid: int, number: str, person: dict[str, Any]) -> None:
        random = self._random
        born = date(person["born"], 1, 1) + timedelta(days=random.randrange(365))
        self._add(
            "patient_data",
            pid=pid,
            pubpid=number,
            fname=person["given"],
            lname=person["family"],
            sex=person["sex"],
            DOB=born.isoformat(),
            street=f"{random.randint(11, 989)} {random.choice(('Mill', 'Church', 'Station', 'Orchard'))} Road",
            postal_code=f"{random.randint(10000, 99899)}",
            city=random.choice(("Ashford", "Brookfield", "Fairview", "Milton")),
            phone_home=f"555-{random.randint(200, 899)}-{random.randint(1000, 9899)}",
            date=self._ago(400),
            regdate=self._ago(400),
            providerID=DOCTOR["id"],
            language="english",
        )
        self._issues(pid, person)
        for days in sorted((random.randint(20, 60), random.randint(70, 300)), reverse=True):
            self._visit(pid, self._ago(days))

    def _issues(self, pid: int, person: dict[str, Any]) -> None:
        for title, code in person["problems"]:
            self._issue(pid, "medical_problem", title, diagnosis=f"ICD10:{code}")
        for title, reaction in person["allergies"]:
            self._issue(pid, "allergy", title, reaction=reaction, severity="moderate")
        for told in person["medications"]:
            dose, unit = self._random.choice(told["doses"]), told.get("unit", "mg")
            self._issue(pid, "medication", f"{told['drug']} {dose} {unit}")
            self._prescription(pid, told, dose, unit)

    def _issue(
        self, pid: int, kind: str, title: str, diagnosis: str = "", reaction: str = "", severity: str = ""
    ) -> None:
        begun = self._ago(self._random.randint(310, 900))
        self._add(
            "lists",
            date=begun,
            type=kind,
            title=title,
            begdate=begun,
            diagnosis=diagnosis,
            activity=1,
            pid=pid,
            user=DOCTOR["username"],
            groupname="Default",
            reaction=reaction,
            severity_al=severity,
        )

    def _prescription(self, pid: int, told: dict[str, Any], dose: int, unit: str) -> None:
        begun = self._ago(self._random.randint(30, 300))
        self._add(
            "prescriptions",
            patient_id=pid,
            provider_id=DOCTOR["id"],
            date_added=begun,
            date_modified=begun,
            start_date=begun[:10],
            drug=told["drug"],
            dosage="1",
            quantity="30",
            size=str(dose),
            unit=_UNITS[unit],
            form=_TABLET,
            route=_BY_MOUTH,
            interval=_INTERVALS[told["per_day"]],
            refills=self._random.randint(0, 3),
            active=1,
            medication=1,
            txDate=begun[:10],
            usage_category_title="",
            request_intent_title="",
            note="",
        )

    def _visit(self, pid: int, when: str) -> None:
        random, number = self._random, next(self._encounters)
        visit = self._add(
            "form_encounter",
            date=when,
            reason=random.choice(self._told["ward"]["reasons"]),
            facility="",
            facility_id=3,
            pid=pid,
            encounter=number,
            onset_date=when,
            sensitivity="normal",
            pc_catid=_OFFICE_VISIT,
            provider_id=DOCTOR["id"],
        )
        self._form("New Patient Encounter", "newpatient", visit, pid, number, when)
        systolic = random.randint(102, 168)
        vitals = self._add(
            "form_vitals",
            date=when,
            pid=pid,
            user=DOCTOR["username"],
            groupname="Default",
            authorized=1,
            activity=1,
            bps=str(systolic),
            bpd=str(systolic - random.randint(32, 60)),
            weight=random.randint(110, 240),
            height=random.randint(60, 76),
            temperature=round(random.uniform(97.2, 100.4), 1),
            pulse=random.randint(54, 108),
            respiration=random.randint(12, 22),
            oxygen_saturation=random.randint(92, 99),
            note="",
        )
        self._form("Vitals", "vitals", vitals, pid, number, when)

    def _form(self, name: str, folder: str, form: int, pid: int, encounter: int, when: str) -> None:
        self._add(
            "forms",
            date=when,
            encounter=encounter,
            form_name=name,
            form_id=form,
            pid=pid,
            user=DOCTOR["username"],
            groupname="Default",
            authorized=1,
            deleted=0,
            formdir=folder,
        )

    def _laboratory(self) -> None:
        laboratory = self._told["laboratory"]
        self._rows["procedure_providers"] = [{"ppid": 1, "name": laboratory["name"], "active": 1}]
        group = {"name": "Laboratory", "parent": 0, "procedure_type": "grp", "procedure_code": ""}
        tests = [
            {"name": name, "parent": 1, "procedure_type": "ord", "procedure_code": code}
            for code, name in laboratory["tests"]
        ]
        self._rows["procedure_type"] = [
            {"procedure_type_id": number, "lab_id": 1, "activity": 1, **row}
            for number, row in enumerate([group, *tests], 1)
        ]

    def _add(self, table: str, **values: Any) -> int:
        """Add a row with the next number, and an identity of its own where OpenEMR would give it one later."""
        number = next(self._ids.setdefault(table, count(1)))
        own = {"uuid": UUID(int=self._random.getrandbits(128)).bytes} if table in _WITH_IDENTITY else {}
        self._rows.setdefault(table, []).append({"id": number, **values, **own})
        return number

    def _ago(self, days: int) -> str:
        moment = datetime.combine(self._today, datetime.min.time())
        return str(moment - timedelta(days=days) + timedelta(hours=9, minutes=5 * self._random.randrange(72)))


_WITH_IDENTITY = frozenset({"patient_data", "lists", "prescriptions", "form_encounter", "form_vitals"})
