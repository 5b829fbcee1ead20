"""Fills the department from a seed."""

import json
import random
import sqlite3
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.radiation_tps import cast, dosimetry
from clinic.applications.radiation_tps.cast import Plan, Role
from clinic.applications.radiation_tps.choices import NORMS
from clinic.applications.radiation_tps.draft import Setup
from clinic.applications.radiation_tps.physics import Structure
from clinic.toolkit import staff
from clinic.toolkit.department import settle
from clinic.toolkit.people import Registry

POSTS = (
    ("planner", "CMD"),
    ("dosimetrist", "CMD"),
    ("physicist", "DABR"),
    ("physicist", "PhD"),
    ("physician", "MD"),
    ("physician", "MD"),
    ("therapist", "RTT"),
)

FIRST_DAY = date(2026, 1, 5)
PRODUCTS = ("Fairbeam Planning", "Isoline RT", "Quadrant TPS", "Brightarc Planning")
DEPARTMENTS = ("Radiation Oncology", "Radiotherapy", "Department of Radiation Medicine")
ARRANGEMENT = (
    "Normalised to {norm}. Technique {technique}, {fields} equally spaced fields, first gantry {gantry}, {energy}, "
    "collimator {collimator}."
)
SINGLE_FRACTION = (
    "Radiosurgery in one fraction. Dose after the largest diameter of the PTV: up to 20 mm 24 Gy, "
    "21 to 30 mm 18 Gy, 31 to 40 mm 15 Gy."
)
FRACTIONATED = "{dose:g} Gy in {fractions} fractions."


@dataclass(frozen=True)
class Chart:
    """Where the record of one patient is written to."""

    db: sqlite3.Connection
    chance: random.Random
    users: dict[str, list[str]]
    mrn: str
    now: datetime

    def ago(self, least: int, most: int) -> str:
        """Return a time some hours ago."""
        return clock.text(
            self.now - timedelta(hours=self.chance.randint(least, most), minutes=self.chance.randint(0, 59))
        )


def fill(db: sqlite3.Connection, seeding: Seeding) -> datetime:
    """Fill all tables and return the clinical time at which the session starts."""
    stream = seeding.stream("department")
    day = FIRST_DAY + timedelta(days=stream.randrange(320))
    now = datetime(day.year, day.month, day.day, 8) + timedelta(minutes=stream.randrange(9 * 60))
    settle(db, seeding, stream, DEPARTMENTS, PRODUCTS, "RT-PLAN-{:02d}", 6)
    users = staff.employ(db, seeding, POSTS)
    sites = seeding.fixtures.load("radiation_tps/sites")
    plot = seeding.stream("cast")
    stories = [*cast.STORIES, *cast.others(plot)]
    plot.shuffle(stories)
    registry = Registry(seeding.fixtures, seeding.stream("people"), now.date())
    one, other = registry.similar_families()
    families = {"open": one, "prescribe": one, "approve": other}
    for place, story in enumerate(stories):
        chance = seeding.stream(f"patient {story} {place if story not in cast.STORIES else ''}")
        role = cast.play(story, chance, sites)
        sex = "M" if role.draft.site == "pelvis" else registry.stream.choice("FM")
        person = registry.person(sex, (38, 84), families.get(story))
        chart = Chart(db, chance, users, registry.number(8), now)
        rows.insert(
            db,
            "patients",
            mrn=chart.mrn,
            family_name=person.family,
            given_name=person.given,
            sex=sex,
            birth_date=person.born.isoformat(),
            site=role.draft.site,
            diagnosis=chance.choice(sites[role.draft.site]["diagnoses"]),
            physician=chance.choice(users["physician"]),
            status=role.status,
            ct_date=(now - timedelta(days=chance.randint(3, 12))).date().isoformat(),
            spacing=role.draft.anatomy.spacing,
            grain=chance.randrange(10**6),
            story=story if story in cast.STORIES else "",
        )
        _write(chart, role, sites[role.draft.site])
    return now


def _write(chart: Chart, role: Role, facts: dict[str, Any]) -> None:
    anatomy = role.draft.anatomy
    _structure(chart, anatomy.body, "external", facts["body"]["colour"], "planner")
    for each in (anatomy.target, *anatomy.organs):
        kind = "target" if each is anatomy.target else "organ"
        source = None if each.name in role.missing else "physician" if kind == "target" else "planner"
        _structure(chart, each, kind, facts["structures"][each.name]["colour"], source)
    _directives(chart, role.draft.directive)
    for goal in role.draft.goals:
        rows.insert(
            chart.db,
            "goals",
            mrn=chart.mrn,
            structure=goal.structure,
            metric=goal.metric,
            sense=goal.sense,
            limit_value=goal.limit,
        )
    for letter, plan in zip("AB", role.plans, strict=False):
        _plan(chart, role, letter, plan)


def _structure(chart: Chart, structure: Structure, kind: str, colour: str, source: str | None) -> None:
    outline = [[part.x, part.y, part.rx, part.ry] for part in structure.outline]
    rows.insert(
        chart.db,
        "structures",
        mrn=chart.mrn,
        name=structure.name,
        kind=kind,
        colour=colour,
        outline=json.dumps(outline),
        length_cm=structure.length,
        contoured=source is not None,
        source=source,
    )


def _directives(chart: Chart, current: Setup) -> None:
    """Write the directive in force, and the one that it replaced."""
    versions = [current]
    if current.technique != "SRS":
        fractions = current.fractions - chart.chance.choice((2, 5))
        older = replace(current, dose=current.dose / current.fractions * fractions, fractions=fractions)
        versions.insert(0, replace(older, fields=current.fields + 2))
    for version, setup in enumerate(versions, 1):
        pattern = SINGLE_FRACTION if setup.technique == "SRS" else FRACTIONATED
        last = version == len(versions)
        rows.insert(
            chart.db,
            "directives",
            mrn=chart.mrn,
            version=version,
            status="current" if last else "superseded",
            text=f"{pattern} {ARRANGEMENT}".format(**vars(setup) | {"norm": NORMS[setup.norm]}),
            by=chart.chance.choice(chart.users["physician"]),
            at=chart.ago(20, 60) if last else chart.ago(70, 140),
            dose_gy=round(setup.dose, 2),
            fractions=setup.fractions,
            norm=setup.norm,
            technique=setup.technique,
            fields=setup.fields,
            gantry=setup.gantry,
            collimator=setup.collimator,
            energy=setup.energy,
        )


def _plan(chart: Chart, role: Role, letter: str, plan: Plan) -> None:
    place = {"mrn": chart.mrn, "plan": letter}
    setup = plan.setup
    values: dict[str, Any] = {"dose_state": "none"}
    if setup is not None:
        values |= {"dose_gy": setup.dose, "fractions": setup.fractions, "norm": setup.norm}
        values |= {"technique": setup.technique} if plan.beams else {}
    rows.insert(chart.db, "plans", **place, **values)
    for name in role.draft.organs:
        priority = plan.priorities.get(name, "off")
        rows.insert(chart.db, "priorities", **place, structure=name, priority=priority)
    if setup is not None and plan.beams:
        for number, gantry in enumerate(role.draft.gantries(setup), 1):
            angles = {"gantry": gantry, "collimator": float(setup.collimator), "couch": 0.0}
            rows.insert(chart.db, "beams", **place, number=number, energy=setup.energy, weight=1.0, **angles)
    if plan.computed:
        _compute(chart, place)
    if plan.approved:
        _sign(chart, place, plan)


def _compute(chart: Chart, place: dict[str, str]) -> None:
    patient = chart.db.execute("SELECT * FROM patients WHERE mrn = ?", (chart.mrn,)).fetchone()
    plan = chart.db.execute(
        "SELECT * FROM plans WHERE mrn = ? AND plan = ?", tuple(place.values())
    ).fetchone()
    result = dosimetry.planned(chart.db, patient, plan)
    assert result is not None
    dosimetry.store(chart.db, plan, result)
    by = chart.chance.choice(chart.users["dosimetrist"])
    rows.update(chart.db, "plans", place, dose_state="current", computed_by=by, computed_at=chart.ago(2, 18))


def _sign(chart: Chart, place: dict[str, str], plan: Plan) -> None:
    signed = {
        "approved_by": chart.users["dosimetrist"][0],
        "second": chart.chance.choice(chart.users["physicist"]),
    }
    at = clock.text(chart.now - timedelta(minutes=100))
    rows.update(chart.db, "plans", place, **signed, approved_at=at)
    if plan.exported:
        sent = {
            "exported_by": signed["approved_by"],
            "exported_at": clock.text(chart.now - timedelta(minutes=60)),
        }
        rows.update(chart.db, "plans", place, **sent)
