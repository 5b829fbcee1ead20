"""Fill an initialised database of GNU Health with a ward; run by the Python that GNU Health is installed in.

python seed.py CONFIGURATION DATABASE WARD.toml PASSWORD
"""

import sys
import tomllib
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from trytond.config import config

DOCTOR = ("Helen", "Marsh", "hmarsh")
# ICD-10-CM (2026, CDC/NCHS): the status of an allergy by the kind of substance, by code and title.
ALLERGIES = {
    "Penicillin": ("Z88.0", "Allergy status to penicillin"),
    "Amoxicillin": ("Z88.0", "Allergy status to penicillin"),
    "Sulfamethoxazole": ("Z88.2", "Allergy status to sulfonamides"),
    "Codeine": ("Z88.5", "Allergy status to narcotic agent"),
    "Aspirin": ("Z88.6", "Allergy status to analgesic agent"),
    "Ibuprofen": ("Z88.6", "Allergy status to analgesic agent"),
    "Naproxen": ("Z88.6", "Allergy status to analgesic agent"),
    "Latex": ("Z91.040", "Latex allergy status"),
    "Iodinated contrast": ("Z91.041", "Radiographic dye allergy status"),
}
OTHER_DRUG = ("Z88.8", "Allergy status to other drugs, medicaments and biological substances")
SEVERITIES = {
    "bronchospasm": "3_sv",
    "anaphylaxis": "3_sv",
    "wheezing": "2_mo",
    "swelling of the lips": "2_mo",
}
GROUPS = ("Health Doctor", "Health Front Desk", "Health Nurse", "Health Lab", "Party Administration")


class Ward:
    """Creates records by the models' own rules, as their windows do."""

    def __init__(self, pool: Any, told: dict[str, Any]) -> None:
        self._pool, self._told = pool, told
        self._random = Random("hospital")  # noqa: S311 - repeatable on purpose
        self._drugs: dict[str, int] = {}
        self._pathologies: dict[str, int] = {}

    def make(self, model: str, **values: Any) -> Any:
        """Create one record."""
        if values.get("is_person"):
            values = {"fed_country": None, **values}  # its own code asks for the key
        return self._pool.get(model).create([values])[0]

    def fill(self, password: str) -> None:
        """Create everything."""
        self._institution(password)
        self._catalogues()
        ward = self._told["ward"]
        people = list(self._told["patients"])
        for given, family, sex in [*ward["similar"], *ward["others"]]:
            people.append(
                {
                    "given": given,
                    "family": family,
                    "sex": sex,
                    "born": self._random.randint(1938, 2001),
                    "problems": self._random.sample(ward["problems"], self._random.randint(1, 2)),
                    "allergies": self._random.sample(ward["allergies"], self._random.randint(0, 2)),
                    "medications": self._random.sample(ward["medications"], self._random.randint(1, 3)),
                }
            )
        self._random.shuffle(people)
        for number, person in enumerate(people, 1):
            self._patient(number, person)

    def _institution(self, password: str) -> None:
        get = self._pool.get
        currency = self.make("currency.currency", name="Crown", code="CRW", symbol="C")
        house = self.make("party.party", name="Hillside Hospital", is_institution=True)
        company = self.make("company.company", party=house.id, currency=currency.id)
        groups = [group.id for group in get("res.group").search([]) if group.name in GROUPS]
        given, family, login = DOCTOR
        views = get("ir.action.act_window").search([("res_model", "=", "gnuhealth.patient")])
        user = self.make(
            "res.user",
            name=f"Dr. {given} {family}",
            login=login,
            password=password,
            companies=[("add", [company.id])],
            company=company.id,
            groups=[("add", groups)],
            actions=[("add", [next(each.action.id for each in views if each.name == "Patients")])],
        )
        self.institution = self.make(
            "gnuhealth.institution",
            party=house.id,
            code="HILL",
            institution_type="hospital",
            public_level="private",
        )
        doctor = self.make(
            "party.party",
            name=given,
            lastname=family,
            is_person=True,
            is_healthprof=True,
            internal_user=user.id,
            gender="f",
        )
        self.doctor = self.make(
            "gnuhealth.healthprofessional", party=doctor.id, institution=self.institution.id
        )

    def _catalogues(self) -> None:
        get = self._pool.get
        self._unit = get("product.uom").search([("name", "=", "Unit")])[0]
        units = get("gnuhealth.dose.unit").search([])
        self._units = {unit.name: unit.id for unit in units}
        ward = self._told["ward"]
        told = [one for person in self._told["patients"] for one in person["medications"]]
        new = ("Amlodipine", "Docusate", "Pantoprazole", "Rosuvastatin")
        for name in dict.fromkeys([*(one["drug"] for one in [*told, *ward["medications"]]), *new]):
            self._drugs[name] = self._medicament(name).id
        problems = [one for person in self._told["patients"] for one in person["problems"]]
        for name, code in [*problems, *ward["problems"]]:
            self._pathology(name, code)
        allergies = [one for person in self._told["patients"] for one in person["allergies"]]
        for name, _ in [*allergies, *ward["allergies"]]:
            code, title = ALLERGIES.get(name, OTHER_DRUG)
            self._pathology(title, code)
        service = self._product("Laboratory test", type="service")
        get("gnuhealth.lab.test_type").delete(get("gnuhealth.lab.test_type").search([]))
        for code, name in self._told["laboratory"]["tests"]:
            self.make("gnuhealth.lab.test_type", name=name, code=code, product_id=service.id)

    def _pathology(self, name: str, code: str) -> int:
        if name not in self._pathologies:
            self._pathologies[name] = self.make("gnuhealth.pathology", name=name, code=code).id
        return self._pathologies[name]

    def _product(self, name: str, **more: Any) -> Any:
        kind = {"type": "goods", **more}
        medicine = kind.pop("is_medicament", False)
        template = self.make("product.template", name=name, default_uom=self._unit.id, **kind)
        found = self._pool.get("product.product").search([("template", "=", template.id)])
        product = found[0] if found else self.make("product.product", template=template.id)
        if medicine:
            self._pool.get("product.product").write([product], {"is_medicament": True})
        return product

    def _medicament(self, name: str) -> Any:
        product = self._product(name, is_medicament=True)
        return self.make("gnuhealth.medicament", product=product.id, active_component=name)

    def _patient(self, number: int, person: dict[str, Any]) -> None:
        random = self._random
        party = self.make(
            "party.party",
            name=person["given"],
            lastname=person["family"],
            is_person=True,
            is_patient=True,
            gender=person["sex"][0].lower(),
            dob=date(person["born"], 1, 1) + timedelta(days=random.randrange(365)),
            ref=f"HILL{number:05d}",
        )
        found = self._pool.get("gnuhealth.patient").search([("party", "=", party.id)])
        patient = found[0] if found else self.make("gnuhealth.patient", party=party.id)
        for name, _ in person["problems"]:
            self.make(
                "gnuhealth.patient.disease",
                patient=patient.id,
                pathology=self._pathologies[name],
                is_active=True,
                status="c",
                disease_severity=random.choice(("1_mi", "2_mo")),
                healthprof=self.doctor.id,
            )
        for name, reaction in person["allergies"]:
            self.make(
                "gnuhealth.patient.disease",
                patient=patient.id,
                pathology=self._pathologies[ALLERGIES.get(name, OTHER_DRUG)[1]],
                is_active=True,
                is_allergy=True,
                allergy_type="ma" if name == "Latex" else "da",
                disease_severity=SEVERITIES.get(reaction, "1_mi"),
                status="c",
                short_comment=f"{name}: {reaction}",
                healthprof=self.doctor.id,
            )
        if any(reaction in SEVERITIES for _, reaction in person["allergies"]):
            self._pool.get("gnuhealth.patient").write([patient], {"crit_allergic": True})
        for told in person["medications"]:
            self.make(
                "gnuhealth.patient.medication",
                patient=patient.id,
                medicament=self._drugs[told["drug"]],
                dose=float(told["doses"][0]),
                dose_unit=self._units["ug" if told.get("unit") == "mcg" else "mg"],
                is_active=True,
                healthprof=self.doctor.id,
            )
        for days in sorted((random.randint(20, 60), random.randint(70, 300)), reverse=True):
            begun = datetime(2031, 3, 4, 9) - timedelta(days=days)
            systolic = random.randint(102, 168)
            self.make(
                "gnuhealth.patient.evaluation",
                patient=patient.id,
                healthprof=self.doctor.id,
                evaluation_start=begun,
                evaluation_endtime=begun + timedelta(minutes=20),
                chief_complaint=random.choice(self._told["ward"]["reasons"]),
                systolic=systolic,
                diastolic=round(systolic * random.uniform(0.56, 0.68)),
                bpm=random.randint(54, 108),
                state="done",
            )


def main() -> None:
    """Fill the database, read it back, and commit."""
    configuration, database, ward, password = sys.argv[1:]
    config.update_etc(configuration)
    from trytond.pool import Pool
    from trytond.transaction import Transaction

    Pool.start()
    pool = Pool(database)
    with Transaction().start(database, 0, context={"active_test": False}):
        pool.init()
    with Transaction().start(database, 1) as transaction:
        told = tomllib.loads(Path(ward).read_text(encoding="utf-8"))
        Ward(pool, told).fill(password)
        expected = len(told["patients"]) + len(told["ward"]["similar"]) + len(told["ward"]["others"])
        for model, count in (("gnuhealth.patient", expected), ("gnuhealth.patient.evaluation", 2 * expected)):
            found = pool.get(model).search([], count=True)
            if found != count:
                raise SystemExit(f"seeding {model} made {found} records, not {count}")
        transaction.commit()


if __name__ == "__main__":
    main()
