"""What every seed of every application says of its people is what a clinician would believe.

The rules follow the tables of `fixtures/clinic` (growth, body, vital signs, medicines), which name their sources. They
look at the names of columns, so that an application that is added is judged, too.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from clinic import catalogue, clock, snapshot, starting_points
from clinic.fixtures import open_fixtures
from pytest_cuabench.task import library

Rows = list[dict[str, Any]]
World = Mapping[str, Rows]

FIXTURES = library.FIXTURES / "clinic"
APPLICATIONS = sorted(catalogue.discover())
FEW, MANY = range(2), range(2, 200)
TIMES = {"daily": 1, "bid": 2, "tid": 3, "qid": 4, "bedtime": 1, "weekly": 0.14}
NOT_FOR_HER, NOT_FOR_HIM = re.compile("prostat|test(?:is|ic)", re.I), re.compile("pregnan|ovar|uter", re.I)


@cache
def table(name: str) -> dict[str, Any]:
    """Return a table of facts."""
    return tomllib.loads((FIXTURES / f"{name}.toml").read_text(encoding="utf-8"))


def world(application: str, seed: int) -> World:
    """Return what an application begins with; entries that were struck out are left out."""
    point = starting_points.build(
        catalogue.discover([application])[application], seed, open_fixtures(FIXTURES)
    )
    found = {
        name: [row for row in rows.values() if not row.get("in_error") and not row.get("cancelled")]
        for name, rows in snapshot.collections(point.db).items()
    }
    now = clock.text(clock.now(point.db))
    return {**found, "today": [{"date": now[:10], "now": now}]}


def age(person: Mapping[str, Any], day: str) -> float:
    """Return years of age on a day."""
    return (date.fromisoformat(day[:10]) - date.fromisoformat(person["birth_date"])).days / 365.25


def within(value: float, bounds: Any) -> bool:
    """Whether a value lies between two bounds."""
    return bool(bounds[0] <= value <= bounds[1])


def bodies(known: World) -> Iterator[str]:
    """Yield weights and heights that nobody of the age and sex has."""
    today = known["today"][0]["date"]
    people = {row["mrn"]: row for row in known["patients"]}
    for row in [*known["patients"], *known.get("weights", ()), *known.get("vitals", ())]:
        person, kg = people[row["mrn"]], row.get("weight_kg") or row.get("kg")
        years = age(person, row.get("taken_on") or row.get("at") or today)
        if kg is not None and years < 14:
            light, _, _ = table("growth")["kg"][person["sex"]][str(int(years))]
            _, _, heavy = table("growth")["kg"][person["sex"]][str(min(int(years) + 1, 14))]
            if not within(kg, (light * 0.97, heavy * 1.03)):
                yield f"{kg} kg at {years:.1f} years, {person['sex']}"
        elif kg is not None and not within(kg, table("body")["weight_kg"][person["sex"]]):
            yield f"{kg} kg, {person['sex']}"
        if height := person.get("height_cm"):
            bmi = (kg or person.get("weight_kg") or 22 * height**2 / 1e4) / (height / 100) ** 2
            limits = table("body")["bmi"]
            if not within(height, table("body")["height_cm"][person["sex"]]):
                yield f"{height} cm, {person['sex']}"
            if not within(bmi, (limits["least"], limits["most"])):
                yield f"body mass index {bmi:.1f}"


def vital_signs(known: World) -> Iterator[str]:
    """Yield signs that nobody alive has, pressures that do not belong together, and changes that nobody has."""
    facts = table("vital_signs")
    for name in ("vitals", "numerics", "observations"):
        for row in known.get(name, ()):
            for sign, bounds in facts["survivable"].items():
                if row.get(sign) is not None and not within(row[sign], bounds):
                    yield f"{name}: {sign} {row[sign]}"
            yield from _pressures(row, facts["pressures"])
    for row in known.get("trends", ()):
        values = [float(text) for text in row["samples"].split(",")]
        most = facts["largest_change"][row["parameter"]]
        worst = max((abs(b - a) for a, b in pairwise(values)), default=0)
        if worst > most:
            yield f"trends: {row['parameter']} changes by {worst} in {row['step_minutes']} minutes"
    yield from _courses(known, facts["largest_change"])


def _pressures(row: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[str]:
    for prefix in ("", "abp_"):
        high, low = (row.get(f"{prefix}{end}") for end in ("systolic", "diastolic"))
        if high is not None and low is not None:
            if not within((high - low) / high, facts["pulse"]):
                yield f"pressure {high}/{low}"
            if (mean := row.get(f"{prefix}mean")) and not within((mean - low) / (high - low), facts["mean"]):
                yield f"pressure {high}/{low}, mean {mean}"


def _courses(known: World, most: Mapping[str, float]) -> Iterator[str]:
    for name in ("vitals", "observations"):
        courses: dict[tuple[str, str], list[tuple[str, float]]] = {}
        for row in known.get(name, ()):
            for sign in most:
                if row.get(sign) is not None and "at" in row:
                    courses.setdefault((row["mrn"], sign), []).append((row["at"], row[sign]))
        for (_, sign), course in courses.items():
            for (then, before), (at, after) in pairwise(sorted(course)):
                apart = datetime.fromisoformat(at) - datetime.fromisoformat(then)
                if abs(after - before) > most[sign] * max(apart.total_seconds() / 3600, 1):
                    yield f"{name}: {sign} {before} to {after} in {apart}"


def medicines(known: World, units: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield medicines that are taken more often, or in more, than a label has it."""
    for name in ("prescriptions", "originals", "profile", "medications"):
        for row in known.get(name, ()):
            drug = units.get(row.get("drug", ""))
            if drug and drug["unit"] == "mL":
                continue  # liquids are for children, whose doses go by weight
            often = TIMES.get(row.get("frequency") or row.get("schedule") or "")
            if drug is None or often is None or drug["ingredient"] not in table("medicines")["drugs"]:
                yield f"{name}: nothing is known of {row.get('drug')} {often}"
                continue
            facts, mg = table("medicines")["drugs"][drug["ingredient"]], strength(row["drug"])
            if often not in facts["times"]:
                yield f"{name}: {row['drug']} {often:g} times a day"
            if row["dose"] * mg * often > facts["most"] * 1.001:
                yield f"{name}: {row['drug']}, {row['dose']:g} units {often:g} times a day"


def strength(name: str) -> float:
    """Return the mg of one tablet, capsule or puff."""
    found = re.search(r"([\d.]+) (mg|mcg)", name)
    assert found or "DS" in name, name
    return float(found[1]) / (1000 if found[2] == "mcg" else 1) if found else 800.0


def sexes(known: World) -> Iterator[str]:
    """Yield findings of organs that the patient does not have."""
    people = {row["mrn"]: row for row in known["patients"]}
    today = known["today"][0]["date"]
    for name in ("patients", "exams", "orders", "problems", "procedures"):
        for row in known.get(name, ()):
            person = people.get(row.get("mrn", ""))
            words = " ".join(
                str(row.get(key) or "") for key in ("diagnosis", "protocol", "examination", "name")
            )
            if person and (NOT_FOR_HER if person["sex"] == "F" else NOT_FOR_HIM).search(words):
                yield f"{name}: {words}, {person['sex']}"
            if person and "pregnan" in words and not within(age(person, today), (15, 50)):
                yield f"{name}: {words} at {age(person, today):.0f}"


def plans(known: World) -> Iterator[str]:
    """Yield doses of radiotherapy that no machine gives: too even, or too uneven in the target."""
    prescribed = {(row["mrn"], row["plan"]): row for row in known.get("plans", ())}
    goals = {row["id"]: row for row in known.get("goals", ())}
    figures: dict[tuple[str, str], dict[str, float]] = {}
    for row in known.get("results", ()):
        if goals[row["goal"]]["structure"] == "PTV":
            figures.setdefault((row["mrn"], row["plan"]), {})[goals[row["goal"]]["metric"]] = row["value"]
    for place, found in figures.items():
        dose, limits = prescribed[place]["dose_gy"], table("radiation_tps/quality")
        modulated = prescribed[place]["technique"] == "IMRT"
        if (
            "Dmax" in found
            and modulated
            and not within((found["Dmax"] - found["D95"]) / dose, limits["spread"])
        ):
            yield f"D95 {found['D95']:.1f}, Dmax {found['Dmax']:.1f} of {dose} Gy"


AHEAD = {"due_at", "scheduled_at", "promised_at", "seen_at", "ends_at", "plan_date", "expires_on"}


def times(known: World) -> Iterator[str]:
    """Yield entries of times to come, and people who are not born yet or older than anybody."""
    now, today = known["today"][0]["now"], known["today"][0]["date"]
    for name, rows in known.items():
        for row in rows if name != "today" else ():
            for field, value in row.items():
                if field in AHEAD or not re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\d.*)?", str(value)):
                    continue
                if str(value) > (now if "T" in str(value) else today):
                    yield f"{name}: {field} {value} is after {now}"
            if "birth_date" in row and not within(age(row, today), (0, 105)):
                yield f"{name}: born {row['birth_date']}"


MINUTES = {"min": 60, "h": 1}


def infusions(known: World) -> Iterator[str]:
    """Yield rates that do not make the dose of an infusion."""
    people = {row["mrn"]: row for row in known["patients"]}
    library = {row["id"]: row for row in known.get("library", ())}
    for row in [*known.get("infusions", ()), *known.get("channels", ())]:
        entry = library.get(row.get("entry"), row)
        unit, dose = entry.get("dose_unit") or entry.get("dosing_unit"), row.get("dose")
        rate = row.get("rate_ml_h", row.get("rate"))
        if not unit or dose is None or rate is None or unit.startswith("mL"):
            continue
        mass, *weighed, per = unit.split("/")
        strength = entry["amount"] * (1000 if (mass, entry["amount_unit"]) == ("mcg", "mg") else 1)
        kg = (row.get("weight_kg") or people[row["mrn"]]["weight_kg"]) if weighed else 1
        due = dose * kg * MINUTES[per] / (strength / entry["volume_ml"])
        if abs(due - rate) > max(0.051, 0.01 * due):
            yield f"{entry['drug']} {dose:g} {unit} at {rate:g} mL/h, not {due:.2f}"


SCORES = {
    "braden": ("sensory moisture activity mobility nutrition friction", 6, 23),
    "morse": ("history secondary aid iv gait mental", 0, 125),
    "gcs": ("eye verbal motor", 3, 15),
    "must": ("bmi loss acute", 0, 6),
}


def scores(known: World) -> Iterator[str]:
    """Yield totals that are not the sum of their parts."""
    for name, (parts, least, most) in SCORES.items():
        for row in known.get(name, ()):
            total = sum(row[part] for part in parts.split())
            if row["total"] != total or not within(total, (least, most)):
                yield f"{name}: {row['total']} for {total}"


def tracings(known: World) -> Iterator[str]:
    """Yield intervals of an ECG that no heart has, and corrected ones that do not follow."""
    facts = table("measures")["tracing"]
    for name in ("automatic", "signals", "reports"):
        for row in known.get(name, ()):
            for field in facts:
                if row.get(field) is not None and not within(row[field], facts[field]):
                    yield f"{name}: {field} {row[field]}"
            if row.get("qtc_formula") == "bazett" and row["qtc_ms"] is not None:
                due = row["qt_ms"] / (60 / row["heart_rate"]) ** 0.5
                if abs(due - row["qtc_ms"]) > 1:
                    yield f"{name}: corrected {row['qtc_ms']}, not {due:.0f}"


def results(known: World) -> Iterator[str]:
    """Yield laboratory results that nobody has, pregnancy tests of men, and what no ultrasound measures."""
    people = {row["mrn"]: row for row in known["patients"]}
    facts = table("measures")
    for row in known.get("labs", ()):
        name, text = row.get("test") or row["name"], row.get("value") or row["result"]
        if name == "hCG" and people[row["mrn"]]["sex"] != "F":
            yield "a pregnancy test of a man"
        for part, value in zip(re.split(" and ", name), re.findall(r"[\d.]+", text), strict=False):
            bounds = next(
                (found for key, found in facts["laboratory"].items() if key.lower() == part.lower()), None
            )
            if bounds is None or not within(float(value), bounds):
                yield f"labs: {name} {text}"
    if any(row.get("last_period") and row["sex"] != "F" for row in people.values()):
        yield "a last period of a man"
    for row in known.get("truth", ()):
        bounds = facts["scan"].get(row["subject"].partition("_")[0]) if "accession" in row else None
        if bounds and not within(float(row["value"]), bounds):
            yield f"{row['subject']} {row['value']}"


def breaths(known: World) -> Iterator[str]:
    """Yield settings of a ventilator that do not belong together."""
    people, facts = {row["mrn"]: row for row in known["patients"]}, table("measures")["ventilation"]
    for row in known.get("ventilators", ()):
        person = people[row["mrn"]]
        ideal = (50 if person["sex"] == "M" else 45.5) + 0.91 * (person["height_cm"] - 152.4)
        if row["tidal_volume"] and not within(row["tidal_volume"] / ideal, facts["volume"]):
            yield f"{row['tidal_volume']} mL for {ideal:.0f} kg"
        if not within(row["pao2"] / row["fio2"] * 100, facts["ratio"]):
            yield f"PaO2 {row['pao2']} with {row['fio2']} % oxygen"
        if abs(row["exhaled_volume"] * row["total_rate"] / 1000 - row["minute_volume"]) > 0.1:
            yield f"{row['exhaled_volume']} mL by {row['total_rate']}, {row['minute_volume']} L in a minute"
        if not row["peep"] < row["plateau_pressure"] <= row["peak_pressure"]:
            yield f"pressures {row['peep']}, {row['plateau_pressure']}, {row['peak_pressure']}"


def sides(known: World) -> Iterator[str]:
    """Yield organs of the left that lie on the right of the patient, who is seen from the feet."""
    for row in known.get("structures", ()):
        outline = json.loads(row["outline"])
        if outline and row["name"][-2:] in (" L", " R") and (outline[0][0] > 0) != (row["name"][-1] == "L"):
            yield f"{row['name']} at {outline[0][0]}"


def lesions(known: World) -> Iterator[str]:
    """Yield lesions of the bowel that are not taken off in this way, and blood thinners of healthy people."""
    told = {(row.get("case_no"), row["subject"]): row["value"] for row in known.get("truth", ())}
    for row in known.get("findings", ()):
        slip = told.get((row["case_no"], "wrong field")) == "size_mm"  # for a reader to find
        size = "small" if row["size_mm"] < 10 else "large"
        usual = [*table("endoscopy/wording")["removal"][row["paris"]][size], "emr_pieces"]
        if row["method"] not in usual and not slip:
            yield f"{row['paris']} of {row['size_mm']} mm by {row['method']}"
    for (case, subject), value in told.items():
        if subject == "antithrombotic" and value != "none" and told[case, "asa"] == "1":
            yield "a healthy patient takes a blood thinner"


def variety(known: World) -> Iterator[str]:
    """Yield tests that have the same result in everybody."""
    found: dict[str, list[str]] = {}
    for row in known.get("labs", ()):
        if "result" in row:
            found.setdefault(row["name"], []).append(row["result"])
    for name, values in found.items():
        if len(values) > 4 and len(set(values)) == 1:
            yield f"{name} is {values[0]} in all {len(values)}"


RULES = (
    bodies,
    vital_signs,
    sexes,
    plans,
    times,
    infusions,
    scores,
    tracings,
    results,
    breaths,
    sides,
    lesions,
    variety,
)


@pytest.mark.parametrize(
    "seeds", [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.nightly)]
)
@pytest.mark.parametrize("application", APPLICATIONS)
def test_a_clinician_believes_every_seed(application, seeds):
    """Bodies, signs, medicines, times, doses, scores, results and sides agree with the tables of facts."""
    formulary = FIXTURES / application / "formulary.toml"
    units = (
        {each["name"]: each for each in table(f"{application}/formulary")["drugs"]}
        if formulary.exists()
        else {}
    )
    for seed in seeds:
        known = world(application, seed)
        wrong = [said for rule in RULES for said in rule(known)]
        wrong += medicines(known, units) if units else []
        assert wrong == [], f"{application}, seed {seed}"


TODAY = [{"date": "2026-05-01", "now": "2026-05-01T10:00"}]
ADA = {"mrn": "1", "sex": "M", "birth_date": "1970-01-01", "height_cm": 175, "weight_kg": 80}
ROW = {"mrn": "1"}
WRONG = {
    times: {"orders": [ROW | {"at": "2026-05-01T10:01"}]},
    infusions: {
        "infusions": [
            ROW
            | {"drug": "norepinephrine", "dose_unit": "mcg/kg/min", "dose": 0.1, "rate_ml_h": 5.0}
            | {"amount": 4, "amount_unit": "mg", "volume_ml": 50}
        ]
    },
    scores: {"gcs": [ROW | {"eye": 4, "verbal": 4, "motor": 6, "total": 15}]},
    tracings: {"reports": [{"qtc_formula": "bazett", "qtc_ms": 430, "qt_ms": 400, "heart_rate": 60}]},
    results: {"labs": [ROW | {"name": "Potassium", "result": "42 mmol/L"}]},
    breaths: {
        "ventilators": [
            ROW
            | {"tidal_volume": 900, "exhaled_volume": 900, "total_rate": 10, "minute_volume": 9.0, "pao2": 90}
            | {"fio2": 40, "peep": 5, "plateau_pressure": 20, "peak_pressure": 24}
        ]
    },
    sides: {"structures": [ROW | {"name": "Parotid L", "outline": "[[-5.5, 1, 2, 3]]"}]},
    lesions: {"findings": [ROW | {"case_no": "1", "paris": "0-Ip", "size_mm": 12, "method": "cold_snare"}]},
    variety: {"labs": [ROW | {"name": "Potassium", "result": "4.2 mmol/L"}] * 5},
}


@pytest.mark.parametrize("rule", WRONG, ids=lambda rule: rule.__name__)
def test_each_rule_finds_what_nobody_believes(rule):
    """One value that is wrong is found, and found once."""
    assert len(list(rule({"today": TODAY, "patients": [ADA], **WRONG[rule]}))) == 1
