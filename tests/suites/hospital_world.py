"""A hospital written by hand: its tables as GNU Health keeps them, and the rows that its forms would write."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any

from suites.by_hand import Pen

from pytest_cuabench.task import library
from pytest_cuabench.task.evidence import State, Write

TODAY = date(2026, 11, 25)
NOW = f"{TODAY} 10:00:00"
DONE = {
    "end_evaluation": "gnuhealth_patient_evaluation",
    "create_prescription": "gnuhealth_prescription_order",
}
_EMPTY = (
    "gnuhealth_patient_lab_test gnuhealth_prescription_order gnuhealth_prescription_line gnuhealth_pol "
    "gnuhealth_person_name party_address party_party_lang logins visits readings"
)
_UNITS, _FREQUENCIES = ("mL", "mg", "ug"), ("1 time per day", "2 times per day", "4 times per day")
_EVALUATION = {
    "discharge_reason": "home",
    "evaluation_type": "outpatient",
    "information_source": "Self",
    "loc": 15,
    "state": "in_progress",
    "evaluation_start": NOW,
    **dict.fromkeys(("systolic", "diastolic", "bpm", "diagnosis")),
}
_LINE = {"qty": 1, "prnt": 1, "duration_period": "days", "frequency_unit": "hours", "add_to_history": 0}


def hospital(seed: int) -> State:
    """Return the state of a ward on a seed."""
    random = Random(seed)
    told = tomllib.loads((library.FIXTURES / "openemr" / "ward.toml").read_text(encoding="utf-8"))
    rows: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in _EMPTY.split()}
    medicines = [one["drug"] for one in [*_each(told, "medications"), *told["ward"]["medications"]]]
    _list(
        rows,
        "gnuhealth_medicament",
        "active_component",
        {*medicines, "Amlodipine", "Docusate", "Pantoprazole", "Rosuvastatin"},
    )
    _list(rows, "gnuhealth_dose_unit", "name", _UNITS)
    _list(rows, "gnuhealth_medication_dosage", "name", _FREQUENCIES)
    _list(rows, "gnuhealth_lab_test_type", "name", [name for _, name in told["laboratory"]["tests"]])
    _list(rows, "gnuhealth_pathology", "name", [name for name, _ in _each(told, "problems")])
    rows["staff"] = {"1": {"user_id": "hmarsh", "password": "Quiet-Harbour", "name": "Helen Marsh"}}
    rows["party_party"] = {"1": {"id": 1, "name": "Hillside Hospital", "is_person": 0}}
    similar = [{"given": given, "family": family} for given, family, _ in told["ward"]["similar"]]
    for number, person in enumerate([*told["patients"], *similar], 1):
        _patient(rows, random, number, {"allergies": [], "medications": [], **person})
    return State(rows, clock=f"{TODAY}T00:00:00")


def _each(told: dict[str, Any], name: str) -> list[Any]:
    return [one for person in told["patients"] for one in person[name]]


def _list(rows: dict[str, Any], table: str, column: str, names: Any) -> None:
    rows[table] = {str(n): {"id": n, column: name} for n, name in enumerate(sorted(set(names)), 1)}


def _key(rows: Mapping[str, Any], table: str, column: str, name: str) -> int:
    return next(int(key) for key, row in rows[table].items() if row[column] == name)


def _patient(rows: dict[str, Any], random: Random, number: int, person: dict[str, Any]) -> None:
    party, mrn = number + 1, f"HILL{random.randrange(100200, 999800)}"
    born = str(date(1960, 1, 1) + timedelta(days=random.randrange(15000)))
    names = {"name": person["given"], "lastname": person["family"]}
    rows["party_party"][str(party)] = {"id": party, "ref": mrn, "dob": born, "is_patient": 1, **names}
    rows.setdefault("gnuhealth_patient", {})[str(number)] = {"id": number, "party": party, "active": 1}
    rows.setdefault("patients", {})[str(number)] = {
        "pid": number,
        "party": party,
        "mrn": mrn,
        "given_name": person["given"],
        "family_name": person["family"],
        "birth_date": born,
    }
    for offset, days in enumerate((random.randint(70, 300), random.randint(20, 60))):
        systolic = random.randint(102, 168)
        key = 2 * number + offset
        rows.setdefault("gnuhealth_patient_evaluation", {})[str(key)] = {
            **_EVALUATION,
            "id": key,
            "patient": number,
            "evaluation_start": f"{TODAY - timedelta(days=days)} 09:00:00",
            "systolic": systolic,
            "diastolic": systolic - 40,
        }
    for name, reaction in person["allergies"]:
        table = rows.setdefault("gnuhealth_patient_disease", {})
        remark = f"{name}: {reaction}"
        table[str(len(table) + 1)] = {"patient": number, "is_allergy": 1, "short_comment": remark}
    for told in person["medications"]:
        table = rows.setdefault("gnuhealth_patient_medication", {})
        medicament = _key(rows, "gnuhealth_medicament", "active_component", told["drug"])
        table[str(len(table) + 1)] = {"patient": number, "medicament": medicament, "is_active": 1}


class Book(Pen):
    """A pen that also notes what GNU Health has no triggers for: who signed in, and whose form was opened."""

    def note(self, collection: str, **row: Any) -> None:
        """Add a row outside of the journal."""
        self._rows[collection] = {**self._rows[collection], str(len(self._rows[collection]) + 1): row}

    def key(self, table: str, column: str, name: str) -> int:
        """Return the key of what has a name."""
        return _key(self._rows, table, column, name)

    def add(self, table: str, **row: Any) -> int:
        """Add a row under the next key."""
        key = 1 + max(map(int, self._rows[table]), default=0)
        self.insert(table, str(key), id=key, **row)
        return key

    def last(self, table: str) -> str:
        """Return the key of the newest row."""
        return max(self._rows[table], key=int)

    def delete(self, table: str, key: str) -> None:
        """Take a row away."""
        self._journal.append(Write(table, key, "delete", self._rows[table].pop(key), None))

    def of(self, pid: int) -> int:
        """Return the party of a patient."""
        return int(self._rows["gnuhealth_patient"][str(pid)]["party"])


@dataclass
class Paper:
    """Stands in for the pilot and GNU Health's screen: it knows which form is open, and writes what it would write."""

    pen: Book
    answer_given: str | None = None
    patient: int = 0
    form: dict[str, Any] = field(default_factory=dict)
    saved: tuple[str, int] | None = None

    async def answer(self, text: str) -> None:
        """Note the first answer."""
        self.answer_given = self.answer_given or text

    async def click(self, target: str) -> None:
        """Turn to another page, which writes nothing."""

    # What hands do, by the names of the suite's module

    def sign_in(self, case: Mapping[str, Any]) -> None:
        self.pen.note("logins", ok=case["password"] == "Quiet-Harbour")

    def open_record(self, case: Mapping[str, Any]) -> None:
        self.patient = case["pid"]
        self.pen.note("visits", pid=self.patient)

    def order_test(self, case: Mapping[str, Any]) -> None:
        test = self.pen.key("gnuhealth_lab_test_type", "name", case["test"])
        self.pen.add("gnuhealth_patient_lab_test", patient_id=self.patient, test_type=test, urgent=0)

    def register(self, case: Mapping[str, Any]) -> None:
        names = {"name": case["given"], "lastname": case["new_family"]}
        told = {"gender": case["sex"][0].lower(), "dob": case["new_born"], "ref": case["puid"]}
        party = self.pen.add("party_party", **names, **told, is_person=1, is_patient=1, marital_status=None)
        self.pen.add("party_party_lang", party=party, company=1)
        self.pen.add("party_address", party=party, street="")
        self.pen.add("gnuhealth_person_name", party=party, given=names["name"], family=names["lastname"])
        self.pen.add("gnuhealth_patient", party=party, active=1, blood_type=None)

    def evaluate(self, case: Mapping[str, Any]) -> None:
        self.form = {**_EVALUATION, "patient": self.patient, "chief_complaint": case["reason"]}

    def measure(self, case: Mapping[str, Any]) -> None:
        self.form |= {name: case[name] for name in ("systolic", "diastolic", "bpm")}

    def prescribe(self, case: Mapping[str, Any]) -> None:
        self.form = {
            **_LINE,
            "medicament": self.pen.key("gnuhealth_medicament", "active_component", case["drug"]),
            "dose": float(case["dose"]),
            "dose_unit": self.pen.key("gnuhealth_dose_unit", "name", "mg"),
            "common_dosage": self.pen.key("gnuhealth_medication_dosage", "name", case["frequency"]),
            "quantity": case["quantity"],
            "refills": case["refills"],
            "indication": None,
        }

    def save(self) -> None:
        if "medicament" in self.form:
            order = {"patient": self.patient, "state": "draft", "prescription_warning_ack": 1, "notes": ""}
            self.saved = (DONE["create_prescription"], self.pen.add(DONE["create_prescription"], **order))
            self.pen.add("gnuhealth_prescription_line", **self.form, presc_order=self.saved[1])
        else:
            self.saved = (DONE["end_evaluation"], self.pen.add(DONE["end_evaluation"], **self.form))
        self.form = {}

    def confirm(self, button: str) -> None:
        if self.form:
            self.save()
        assert self.saved is not None
        table, key = self.saved
        assert table == DONE[button]
        self.pen.update(table, str(key), state="done")
        self.pen.add("gnuhealth_pol", person=self.pen.of(self.patient), info="written by GNU Health")
