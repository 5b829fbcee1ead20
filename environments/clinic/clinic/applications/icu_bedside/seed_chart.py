"""Writes one patient: identity, monitor, infusions, ventilator, alarms, notes and orders."""

import random
from typing import Any

from clinic.applications.icu_bedside import dosing, seed_hours
from clinic.applications.icu_bedside.unit import Unit
from clinic.applications.icu_bedside.ventilator import predicted_weight

LOOK_ALIKES = (("norepinephrine", "epinephrine"), ("dobutamine", "dopamine"))
COMPANIONS = ("fentanyl", "propofol", "heparin", "furosemide", "insulin")
MEASURES = ("heart_rate", "spo2", "respiratory_rate", "cvp")
# label, source, priority, detail, active, seen by somebody
ALARMS = {
    "septic": [
        ("MAP low", "monitor", "high", "MAP {abp_mean}, limit 65", True, False),
        ("HR high", "monitor", "medium", "HR {heart_rate}, limit 110", True, False),
    ],
    "cardiogenic": [("HR high", "monitor", "medium", "HR 112, limit 110", False, True)],
    "ards": [("SpO2 low", "monitor", "medium", "SpO2 86, limit 88", False, True)],
    "postop": [("Infusion near end", "pump", "low", "Fentanyl, 20 minutes left", True, False)],
    "neuro": [
        ("Temp high", "monitor", "medium", "Temp {temp_c}, limit 38.5", True, False),
        ("High airway pressure", "ventilator", "medium", "Peak 41 cmH2O, limit 40", True, False),
        ("Low minute volume", "ventilator", "medium", "4.1 L/min, limit 4.5", False, True),
    ],
    "weaning": [
        ("High airway pressure", "ventilator", "medium", "Peak 42 cmH2O, limit 40", True, False),
        ("Apnoea", "ventilator", "high", "20 s without breath", False, True),
    ],
}


def write(unit: Unit, story: str, bed: int, family: str | None) -> None:
    """Write everything about one patient."""
    stream = unit.seeding.stream(f"chart {story}")
    facts = unit.load("stories")[story]
    patient = _register(unit, stream, story, facts, bed, family)
    numerics = _monitor(unit, stream, facts, patient["mrn"])
    drugs = facts["running"]
    if story == "cardiogenic":
        drugs = [*stream.choice(LOOK_ALIKES), *stream.sample(COMPANIONS, 2)]
        stream.shuffle(drugs)
    for drug in drugs:
        _infusion(unit, stream, patient, drug, "running")
    for drug in facts["stopped"]:
        _infusion(unit, stream, patient, drug, stream.choice(("paused", "stopped")))
    if facts["ventilated"]:
        _ventilator(unit, stream, story, patient)
    _alarms(unit, stream, story, patient["mrn"], numerics)
    _notes(unit, stream, patient["mrn"])
    _orders(unit, stream, story, patient["mrn"])
    seed_hours.observations(unit, stream, story, facts, patient["mrn"], numerics)
    seed_hours.fluids(unit, stream, story, patient["mrn"])


def _register(
    unit: Unit, stream: random.Random, story: str, facts: dict[str, Any], bed: int, family: str | None
) -> dict[str, Any]:
    low, high = facts["ages"]
    person = unit.registry.person(stream.choice("FM"), (low, high), family)
    height = stream.randint(156, 172) if person.sex == "F" else stream.randint(168, 188)
    patient = {
        "mrn": unit.registry.number(7),
        "family_name": person.family,
        "given_name": person.given,
        "sex": person.sex,
        "birth_date": person.born.isoformat(),
        "bed": bed,
        "weight_kg": float(round(height - 100 + stream.randint(-8, 18))),
        "height_cm": height,
        "diagnosis": stream.choice(facts["diagnoses"]),
        "physician": unit.doctor(stream),
        "allergies": stream.choice(unit.load("unit")["allergies"]),
        "admitted_at": unit.ago(stream.randint(2200, 9000)),
        "story": story,
    }
    unit.insert("patients", **patient)
    return patient


def _monitor(unit: Unit, stream: random.Random, facts: dict[str, Any], mrn: str) -> dict[str, Any]:
    measured: dict[str, Any] = {name: stream.randint(*facts[name]) for name in MEASURES}
    mean, pulse = stream.randint(*facts["map"]), stream.randint(38, 56)
    diastolic = mean - pulse // 3
    measured |= {"abp_mean": mean, "abp_diastolic": diastolic, "abp_systolic": diastolic + pulse}
    measured["temp_c"] = round(stream.uniform(*facts["temp_c"]), 1)
    unit.insert("numerics", mrn=mrn, rhythm="sinus", **measured)
    return measured


def _infusion(unit: Unit, stream: random.Random, patient: dict[str, Any], name: str, status: str) -> None:
    drug = unit.load("drugs")[name]
    kept = {key: drug[key] for key in ("amount", "amount_unit", "volume_ml", "dose_unit")}
    dose = round(stream.uniform(*drug["dose"]), drug["decimals"])
    changed = stream.randint(50, 300)
    unit.insert(
        "infusions",
        mrn=patient["mrn"],
        drug=name,
        **kept,
        dose=dose,
        rate_ml_h=dosing.rate_ml_h(dose, kept, patient["weight_kg"]),
        status=status,
        started_at=unit.ago(changed + stream.randint(100, 1500)),
        changed_by=unit.nurse(stream),
        changed_at=unit.ago(changed),
    )


def _ventilator(unit: Unit, stream: random.Random, story: str, patient: dict[str, Any]) -> None:
    ideal = predicted_weight(patient["sex"], patient["height_cm"])
    severe, easy = story == "ards", story == "weaning"
    per_kg = (
        stream.choice((stream.uniform(5.6, 6.3), stream.uniform(8.4, 9.4)))
        if severe
        else stream.uniform(6.2, 7.8)
    )
    volume = round(ideal * per_kg / 10) * 10
    peep = stream.randint(10, 15) if severe else stream.randint(5, 9)
    rate = stream.randint(20, 28) if severe else stream.randint(12, 18)
    total = rate + stream.randint(0, 3)
    exhaled = volume - stream.randint(12, 38)
    plateau = peep + stream.randint(12, 16)
    unit.insert(
        "ventilators",
        mrn=patient["mrn"],
        mode="SIMV + PS" if easy else "VC-AC",
        fio2=stream.choice((55, 60, 65, 70, 75, 80)) if severe else stream.choice((30, 35, 40, 45)),
        peep=peep,
        tidal_volume=volume,
        rate=rate,
        exhaled_volume=exhaled,
        total_rate=total,
        peak_pressure=plateau + stream.randint(3, 7),
        plateau_pressure=plateau,
        minute_volume=round(exhaled * total / 1000, 1),
        pao2=stream.randint(58, 74) if severe else stream.randint(78, 110),
        ph=round(stream.uniform(7.26, 7.34) if severe else stream.uniform(7.35, 7.44), 2),
        paco2=stream.randint(46, 58) if severe else stream.randint(36, 44),
        gas_at=unit.ago(stream.randint(20, 170)),
    )


def _alarms(unit: Unit, stream: random.Random, story: str, mrn: str, numerics: dict[str, Any]) -> None:
    for label, source, priority, detail, active, seen in ALARMS[story]:
        minutes = stream.randint(2, 14) if active else stream.randint(60, 300)
        unit.insert(
            "alarms",
            mrn=mrn,
            label=label,
            source=source,
            priority=priority,
            detail=detail.format(**numerics),
            raised_at=unit.ago(minutes),
            active=active,
            acknowledged_by=unit.nurse(stream) if seen else None,
            acknowledged_at=unit.ago(minutes - 1) if seen else None,
            response="Seen at the bedside" if seen else "",
        )


def _notes(unit: Unit, stream: random.Random, mrn: str) -> None:
    chosen = stream.sample(unit.load("unit")["earlier_notes"], 3)
    for (category, text), minutes in zip(chosen, sorted(stream.sample(range(90, 1300), 3)), strict=True):
        at, author = unit.ago(minutes), unit.nurse(stream)
        unit.insert(
            "notes", mrn=mrn, category=category, text=text, written_by=author, written_at=at, signed_at=at
        )


def _orders(unit: Unit, stream: random.Random, story: str, mrn: str) -> None:
    """Write orders; the septic patient has a titration that replaced another one."""
    plain = [
        ("Saturation", f"Keep SpO2 at {stream.choice((90, 92))} % or above."),
        ("Head of bed", "Keep the head of the bed at 30 degrees or more."),
        ("Glucose", "Measure blood glucose every 2 hours while insulin runs."),
    ]
    for title, text in stream.sample(plain, 2):
        _order(unit, stream, mrn, "active", stream.randint(300, 1500), title=title, text=text)
    if story != "septic":
        return
    old, new = stream.choice(((0.02, 0.05), (0.02, 0.04), (0.05, 0.03), (0.06, 0.04)))
    _titration(unit, stream, mrn, "discontinued", 60, old, 0.3)
    _titration(unit, stream, mrn, "active", 65, new, 0.4)


def _titration(
    unit: Unit, stream: random.Random, mrn: str, status: str, target: int, step: float, most: float
) -> None:
    text = (
        f"Keep MAP at {target} mmHg or above. While it is below, raise norepinephrine by {step:g} mcg/kg/min, "
        f"one step at a time, and look again after 5 minutes. At most {most:g} mcg/kg/min, then call."
    )
    minutes = stream.randint(40, 250) if status == "active" else stream.randint(700, 1400)
    _order(
        unit,
        stream,
        mrn,
        status,
        minutes,
        title="Titrate norepinephrine",
        text=text,
        drug="norepinephrine",
        target_map=target,
        step_dose=step,
        most_dose=most,
    )


def _order(unit: Unit, stream: random.Random, mrn: str, status: str, minutes: int, **values: Any) -> None:
    unit.insert(
        "orders",
        mrn=mrn,
        status=status,
        ordered_by=unit.doctor(stream),
        ordered_at=unit.ago(minutes),
        **values,
    )
