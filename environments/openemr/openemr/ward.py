"""The patients of a seed, as rows of OpenEMR's tables: five whom tasks are about, and a ward's worth around them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from openemr.seeding import Rows

NAME_OF_DOCTOR = {"fname": "Helen", "lname": "Marsh"}
_INTERVALS = {1: 9, 2: 1, 3: 2}  # OpenEMR's list of intervals: q.d., b.i.d., t.i.d.
_UNITS = {"mg": 1, "mcg": 7}  # its list of units
_TABLET, _BY_MOUTH = 2, "1"  # of its lists of forms and routes
_OFFICE_VISIT = 5
_FACILITY = 3  # the one that OpenEMR installs
_FIRST = 70001  # of the numbers that OpenEMR would have drawn from its table `sequences`
_FROM_SEQUENCE = frozenset({"prescriptions", "form_vitals", "insurance_companies", "addresses"})
_TITLES = {"Male": "Mr.", "Female": "Ms."}
_MARITAL = ("single", "married", "divorced", "widowed")
_REACTIONS = {  # OpenEMR's own list has three
    "nausea": "nausea",
    "bronchospasm": "shortness_of_breath",
    "wheezing": "shortness_of_breath",
}
_ANY_REACTION = "hives"
_SETTINGS = {
    "enable_cdr_new_crp": "0",  # would pop up over the pages
    "patient_birthday_alert": "0",
    "enable_database_connection_pooling": "0",  # each PHP process would keep a connection for each site
    "unique_installation_id": str(UUID(int=_FIRST)),  # the page "About" would write one
}
_OPEN = ("demographics", "insurance", "pnotes", "labdata", "vitals")  # cards that are not closed at first


@cache
def read_ward(fixtures: Path) -> dict[str, Any]:
    """Return the invented people.

    Raises:
        OSError: The file is not there.
    """
    return tomllib.loads((fixtures / "ward.toml").read_text(encoding="utf-8"))


def ward(fixtures: Path, seed: int, today: date, user: str = "admin", number: int = 1) -> Rows:
    """Return all rows of a seed.

    Args:
        user: Who signs in; `number` is OpenEMR's own of this user.
    """
    told = read_ward(fixtures)
    doctor = {"id": number, "username": user}
    return _Writer(Random(f"openemr:{seed}"), today, told, doctor).rows()  # noqa: S311 - repeatable on purpose


class _Writer:
    """Draws values and numbers rows."""

    def __init__(self, random: Random, today: date, told: dict[str, Any], doctor: dict[str, Any]) -> None:
        self._random, self._today, self._told = random, today, told
        self._doctor, self._user = doctor["id"], doctor["username"]
        self._rows: dict[str, list[dict[str, Any]]] = {}
        self._ids: dict[str, Iterator[int]] = {}
        self._sequence = count(_FIRST)
        self._pressures: set[tuple[int, int]] = set()

    def rows(self) -> Rows:
        """Write everything."""
        self._clinic()
        self._laboratory()
        people = [*self._told["patients"], *self._others()]
        pubpids = self._random.sample(range(100200, 999800), len(people))
        order = self._random.sample(range(len(people)), len(people))
        for pid, index in enumerate(order, 1):
            self._patient(pid, str(pubpids[index]), people[index])
        self._rows["sequences"] = [{"id": next(self._sequence)}]  # OpenEMR counts on from there
        return self._rows

    def _clinic(self) -> None:
        facility = self._told["facility"]
        self._rows["facility"] = [{"id": _FACILITY, **facility}]
        self._rows["users"] = [
            {
                "id": self._doctor,
                "username": self._user,
                **NAME_OF_DOCTOR,
                "authorized": 1,
                "active": 1,
                "calendar": 1,
                "facility_id": _FACILITY,
                "facility": facility["name"],
            }
        ]
        self._rows["globals"] = [
            {"gl_name": name, "gl_index": 0, "gl_value": value} for name, value in _SETTINGS.items()
        ]
        self._rows["product_registration"] = [{"id": 1, "opt_out": 1}]
        self._rows["user_settings"] = [
            {"setting_user": self._doctor, "setting_label": f"{card}_ps_expand", "setting_value": "1"}
            for card in _OPEN
        ]
        for company in self._told["insurance"]["companies"]:
            number = self._add("insurance_companies", name=company["name"], inactive=0)
            self._add("addresses", foreign_id=number, **company["address"])

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
                "here": (given, family, sex) in map(tuple, ward["others"]),
            }

    def _patient(self, pid: int, number: str, person: dict[str, Any]) -> None:
        random = self._random
        born = date(person["born"], 1, 1) + timedelta(days=random.randrange(365))
        self._add(
            "patient_data",
            pid=pid,
            pubpid=number,
            title=_TITLES[person["sex"]],
            fname=person["given"],
            lname=person["family"],
            sex=person["sex"],
            DOB=born.isoformat(),
            status=random.choice(_MARITAL),
            street=f"{random.randint(11, 989)} {random.choice(('Mill', 'Church', 'Station', 'Orchard'))} Road",
            postal_code=f"0{random.randint(1001, 2791)}",
            city=random.choice(("Ashford", "Brookfield", "Fairview", "Milton")),
            state=self._told["facility"]["state"],
            phone_home=f"555-{random.randint(200, 899)}-{random.randint(1000, 9899)}",
            date=self._ago(400),
            regdate=self._ago(400),
            providerID=self._doctor,
            language="english",
        )
        self._issues(pid, person)
        body = _Body(self._random, person)
        older = self._visit(pid, self._ago(random.randint(70, 300)), body)
        self._visit(pid, self._ago(random.randint(20, 60)), body)
        self._tested(pid, *older)
        self._around(pid, person, born.isoformat())

    def _issues(self, pid: int, person: dict[str, Any]) -> None:
        for title, code in person["problems"]:
            self._issue(pid, "medical_problem", title, diagnosis=f"ICD10:{code}")
        for title, reaction in person["allergies"]:
            self._issue(
                pid, "allergy", title, reaction=_REACTIONS.get(reaction, _ANY_REACTION), severity="moderate"
            )
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
            user=self._user,
            groupname="Default",
            reaction=reaction,
            severity_al=severity,
        )

    def _prescription(self, pid: int, told: dict[str, Any], dose: int, unit: str) -> None:
        begun = self._ago(self._random.randint(30, 300))
        self._add(
            "prescriptions",
            patient_id=pid,
            provider_id=self._doctor,
            date_added=begun,
            date_modified=begun,
            start_date=begun[:10],
            drug=told["drug"],
            dosage="1",
            quantity=str(30 * told["per_day"]),
            size=str(dose),
            unit=_UNITS[unit],
            form=_TABLET,
            route=_BY_MOUTH,
            interval=_INTERVALS[told["per_day"]],
            refills=self._random.randint(0, 3),
            active=1,
            medication=0,
            txDate=begun[:10],
            usage_category_title="",
            request_intent_title="",
            note="",
        )

    def _visit(self, pid: int, when: str, body: _Body) -> tuple[int, str]:
        number, reason = next(self._sequence), self._random.choice(self._told["ward"]["reasons"])
        visit = self._add(
            "form_encounter",
            date=when,
            reason=reason,
            facility=self._told["facility"]["name"],
            facility_id=_FACILITY,
            billing_facility=_FACILITY,
            pid=pid,
            encounter=number,
            onset_date=when,
            sensitivity="normal",
            pc_catid=_OFFICE_VISIT,
            provider_id=self._doctor,
        )
        self._form("New Patient Encounter", "newpatient", visit, pid, number, when)
        measured = body.measured(reason, self._pressures)
        whose = {"pid": pid, "user": self._user, "groupname": "Default", "authorized": 1, "activity": 1}
        vitals = self._add("form_vitals", date=when, **whose, **measured, note="")
        self._form("Vitals", "vitals", vitals, pid, number, when)
        said, found, plan = self._told["notes"][reason]
        objective = (
            f"Blood pressure {measured['bps']}/{measured['bpd']} mmHg, pulse {measured['pulse']}/min, "
            f"temperature {measured['temperature']} F."
        )
        words = {"subjective": said, "objective": objective, "assessment": found, "plan": plan}
        self._form("SOAP", "soap", self._add("form_soap", date=when, **whose, **words), pid, number, when)
        return number, when

    def _tested(self, pid: int, encounter: int, when: str) -> None:
        """Write an order of a laboratory test in a visit, and its results of the day after."""
        random, laboratory = self._random, self._told["laboratory"]["name"]
        code = random.choice(list(self._told["results"]))
        name = dict(map(tuple, self._told["laboratory"]["tests"]))[code]
        after = str(datetime.fromisoformat(when) + timedelta(days=1))
        order = self._add(
            "procedure_order",
            key="procedure_order_id",
            provider_id=self._doctor,
            patient_id=pid,
            encounter_id=encounter,
            date_collected=when,
            date_ordered=when,
            order_priority="normal",
            order_status="complete",
            activity=1,
            lab_id=1,
            procedure_order_type="laboratory_test",
        )
        self._form(f"{laboratory}-procedure", "procedure_order", order, pid, encounter, when)
        line = {"procedure_order_id": order, "procedure_order_seq": 1, "procedure_code": code}
        told = {"procedure_name": name, "procedure_source": "1", "procedure_order_title": "laboratory_test"}
        self._rows.setdefault("procedure_order_code", []).append({**line, **told})
        report = self._add(
            "procedure_report",
            key="procedure_report_id",
            procedure_order_id=order,
            procedure_order_seq=1,
            date_collected=when,
            date_report=after,
            source=self._doctor,
            report_status="complete",
            review_status="reviewed",
        )
        for text, unit, low, high, usual, decimals in self._told["results"][code]:
            self._add(
                "procedure_result",
                key="procedure_result_id",
                procedure_report_id=report,
                result_data_type="N",
                result_code=text[:31],
                result_text=text,
                date=after,
                facility=laboratory,
                units=unit,
                result=f"{random.uniform(low, high):.{decimals}f}",
                range=usual,
                abnormal="no",
                result_status="final",
            )

    def _around(self, pid: int, person: dict[str, Any], born: str) -> None:
        """Write what stands beside the visits: history, employer, insurance, immunizations, appointment, message."""
        random, told = self._random, self._told
        self._add(
            "history_data", date=self._ago(400), pid=pid, tobacco="|nevertobacco||4", alcohol="|neveralcohol|"
        )
        self._add("employer_data", date=self._ago(400), pid=pid, name="")
        self._add(
            "insurance_data",
            type="primary",
            provider=str(random.choice(self._rows["insurance_companies"])["id"]),
            plan_name=random.choice(told["insurance"]["plans"]),
            policy_number=f"HP{random.randint(1000000, 9999999)}",
            group_number=f"{random.randint(1000, 9999)}",
            subscriber_fname=person["given"],
            subscriber_lname=person["family"],
            subscriber_relationship="self",
            subscriber_DOB=born,
            subscriber_sex=person["sex"],
            date=self._ago(400)[:10],
            pid=pid,
        )
        for vaccine in told["immunizations"]:
            given = self._ago(random.randint(60, 700))
            self._add(
                "immunizations",
                patient_id=pid,
                administered_date=given,
                immunization_id=vaccine["number"],
                cvx_code=vaccine["cvx"],
                lot_number=f"{vaccine['lot']}{random.randint(1000, 9999)}",
                administered_by_id=self._doctor,
                administration_site=vaccine["site"],
                create_date=given,
                created_by=self._doctor,
                added_erroneously=0,
                completion_status="Completed",
            )
        self._appointment(pid, person)
        title = random.choice(list(told["messages"]))
        self._add(
            "pnotes",
            date=(written := self._ago(random.randint(1, 15))),
            body=f"{written[:16]} (front desk) {told['messages'][title]}",
            pid=pid,
            user=self._user,
            groupname="Default",
            activity=1,
            authorized=1,
            title=title,
            assigned_to=self._user,
            deleted=0,
            message_status="New",
        )

    def _appointment(self, pid: int, person: dict[str, Any]) -> None:
        """Write an appointment: today for some of the ward, on a weekday of the next weeks for everybody else."""
        day = self._today
        if not person.get("here"):
            day += timedelta(days=self._random.randint(2, 28))
            day += timedelta(days=2 if day.weekday() > 4 else 0)
        begin = datetime.combine(day, time(9)) + timedelta(minutes=15 * ((7 * pid) % 30))
        self._add(
            "openemr_postcalendar_events",
            key="pc_eid",
            pc_catid=_OFFICE_VISIT,
            pc_multiple=0,
            pc_aid=str(self._doctor),
            pc_pid=str(pid),
            pc_title="Office Visit",
            pc_time=self._ago(self._random.randint(1, 15)),
            pc_hometext="",
            pc_informant=str(self._doctor),
            pc_eventDate=day.isoformat(),
            pc_duration=900,
            pc_recurrtype=0,
            pc_recurrspec=_NEVER_AGAIN,
            pc_startTime=_clock(begin),
            pc_endTime=_clock(begin + timedelta(minutes=15)),
            pc_alldayevent=0,
            pc_location="",
            pc_eventstatus=1,
            pc_sharing=1,
            pc_apptstatus="-",
            pc_prefcatid=0,
            pc_facility=_FACILITY,
            pc_billing_location=_FACILITY,
        )

    def _form(self, name: str, folder: str, form: int, pid: int, encounter: int, when: str) -> None:
        self._add(
            "forms",
            date=when,
            encounter=encounter,
            form_name=name,
            form_id=form,
            pid=pid,
            user=self._user,
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

    def _add(self, table: str, *, key: str = "id", **values: Any) -> int:
        """Add a row with the next number, and an identity of its own where OpenEMR would give it one later."""
        shared = self._sequence if table in _FROM_SEQUENCE else None
        number = next(shared or self._ids.setdefault(table, count(1)))
        own = {"uuid": UUID(int=self._random.getrandbits(128)).bytes} if table in _WITH_IDENTITY else {}
        self._rows.setdefault(table, []).append({key: number, **values, **own})
        return number

    def _ago(self, days: int) -> str:
        moment = datetime.combine(self._today, datetime.min.time())
        return str(moment - timedelta(days=days) + timedelta(hours=9, minutes=5 * self._random.randrange(72)))


def _clock(moment: datetime) -> str:
    return f"{moment.hour}:{moment.minute:02d}:00"


class _Body:
    """What is measured of one adult: a height that stays, a weight near it, and changes from visit to visit."""

    def __init__(self, random: Random, person: dict[str, Any]) -> None:
        self._random = random
        self._height = random.randint(66, 74) if person["sex"] == "Male" else random.randint(61, 69)  # inches
        self._weight = random.uniform(21, 33) * self._height**2 / _POUNDS
        self._strained = any(code.startswith("I1") for _, code in person["problems"])

    def measured(self, reason: str, taken: set[tuple[int, int]]) -> dict[str, Any]:
        """Return vital signs as columns; no two of a ward have the same pressure."""
        random, ill = self._random, reason == "Cough and fever"
        self._weight *= random.uniform(0.98, 1.02)
        weight = round(self._weight)
        bmi = round(weight * _POUNDS / self._height**2, 1)
        while (pressure := self._pressure()) in taken:
            pass
        taken.add(pressure)
        return {
            "bps": str(pressure[0]),
            "bpd": str(pressure[1]),
            "weight": weight,
            "height": self._height,
            "BMI": bmi,
            "BMI_status": next(word for most, word in _BMI if bmi <= most),
            "temperature": round(random.uniform(100.4, 101.8) if ill else random.uniform(97.4, 98.9), 1),
            "pulse": random.randint(84, 104) if ill else random.randint(58, 92),
            "respiration": random.randint(16, 20) if ill else random.randint(12, 18),
            "oxygen_saturation": random.randint(95, 99),
        }

    def _pressure(self) -> tuple[int, int]:
        systolic = self._random.randint(126, 158) if self._strained else self._random.randint(106, 138)
        return systolic, round(systolic / 2) + self._random.randint(6, 16)


_POUNDS = 703  # pounds and inches to kg/m2
_BMI = (  # OpenEMR's words, each up to a value
    (18.5, "Underweight"),
    (25, "Normal"),
    (27, "Normal BL"),
    (30, "Overweight"),
    (34, "Obesity I"),
    (42, "Obesity II"),
)
_NEVER_AGAIN = (
    'a:5:{s:17:"event_repeat_freq";s:1:"0";s:22:"event_repeat_freq_type";s:1:"0";s:19:"event_repeat_on_num";s:1:"1";'
    's:19:"event_repeat_on_day";s:1:"0";s:20:"event_repeat_on_freq";s:1:"0";}'
)
_WITH_IDENTITY = frozenset({"patient_data", "lists", "prescriptions", "form_encounter", "form_vitals"})
