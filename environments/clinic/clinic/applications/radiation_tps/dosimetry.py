"""From the record to the dose model and back: what a stored plan gives."""

import json
import sqlite3
from dataclasses import dataclass

from clinic import rows
from clinic.applications.radiation_tps import physics
from clinic.applications.radiation_tps.physics import Anatomy, Beam, Dose, Ellipse, Structure, Wish

STRUCTURES = "SELECT * FROM structures WHERE mrn = ? ORDER BY kind = 'organ', kind, name"
BEAMS = "SELECT * FROM beams WHERE mrn = ? AND plan = ? ORDER BY number"
GOALS = """
    SELECT goals.*, coalesce(priority, 'off') AS priority FROM goals
    LEFT JOIN priorities USING (mrn, structure) WHERE mrn = ? AND (plan IS NULL OR plan = ?) ORDER BY goals.id
"""
CALIBRATION = 105.0  # MU for each Gy of a fraction through an open field at the reference depth


@dataclass(frozen=True)
class Planned:
    """A plan with its dose: what a page draws."""

    anatomy: Anatomy
    dose: Dose
    prescribed: float


def shape(row: sqlite3.Row) -> Structure:
    """Return a structure of the record."""
    return Structure(
        row["name"], tuple(Ellipse(*part) for part in json.loads(row["outline"])), row["length_cm"]
    )


def anatomy(db: sqlite3.Connection, patient: sqlite3.Row) -> Anatomy | None:
    """Return the contoured anatomy of a patient; None without a body or a target."""
    contoured = [row for row in db.execute(STRUCTURES, (patient["mrn"],)) if row["contoured"]]
    parts = {
        kind: [shape(row) for row in contoured if row["kind"] == kind] for kind in ("external", "target")
    }
    if not parts["external"] or not parts["target"]:
        return None
    organs = tuple(shape(row) for row in contoured if row["kind"] == "organ")
    return Anatomy(parts["external"][0], parts["target"][0], organs, patient["spacing"])


def planned(db: sqlite3.Connection, patient: sqlite3.Row, plan: sqlite3.Row) -> Planned | None:
    """Return the dose of a plan as it stands; None when something is missing for it."""
    slice_ = anatomy(db, patient)
    fields = db.execute(BEAMS, (plan["mrn"], plan["plan"])).fetchall()
    if slice_ is None or not fields or not plan["dose_gy"] or plan["technique"] is None:
        return None
    prescribed: float = plan["dose_gy"]
    goals = db.execute(GOALS, (plan["mrn"], plan["plan"])).fetchall()
    wishes = tuple(
        Wish(goal["structure"], goal["metric"], _level(goal) / prescribed, goal["priority"])
        for goal in goals
        if goal["sense"] == "max"
    )
    beams = tuple(Beam(field["gantry"], field["energy"], field["weight"]) for field in fields)
    dose = physics.compute(slice_, beams, wishes, plan["technique"], plan["norm"])
    return Planned(slice_, dose, prescribed)


def _level(goal: sqlite3.Row) -> float:
    """Return the dose in Gy that the optimiser pushes an organ under."""
    return float(goal["metric"][1:]) if goal["metric"].startswith("V") else float(goal["limit_value"])


def store(db: sqlite3.Connection, plan: sqlite3.Row, result: Planned) -> None:
    """Keep what a plan reaches, and the monitor units of its beams."""
    forget(db, plan)
    for goal_id, value in reached(db, plan, result).items():
        rows.insert(db, "results", mrn=plan["mrn"], plan=plan["plan"], goal=goal_id, value=value)
    fraction = result.prescribed / plan["fractions"]
    for number, output in enumerate(result.dose.output, 1):
        place = {"mrn": plan["mrn"], "plan": plan["plan"], "number": number}
        rows.update(db, "beams", place, mu=round(output * fraction * CALIBRATION / 4, 1))


def forget(db: sqlite3.Connection, plan: sqlite3.Row) -> None:
    """Drop what is no longer true of a plan."""
    db.execute("DELETE FROM results WHERE mrn = ? AND plan = ?", (plan["mrn"], plan["plan"]))
    db.execute("UPDATE beams SET mu = NULL WHERE mrn = ? AND plan = ?", (plan["mrn"], plan["plan"]))


def reached(db: sqlite3.Connection, plan: sqlite3.Row, result: Planned) -> dict[int, float]:
    """Return the figure of each goal whose structure is contoured."""
    slice_ = result.anatomy
    known = {structure.name: structure for structure in (slice_.target, *slice_.organs)}
    goals = db.execute("SELECT * FROM goals WHERE mrn = ? ORDER BY id", (plan["mrn"],)).fetchall()
    return {
        goal["id"]: physics.measure(
            slice_, known[goal["structure"]], result.dose, goal["metric"], result.prescribed
        )
        for goal in goals
        if goal["structure"] in known
    }


def met(goal: sqlite3.Row, value: float) -> bool:
    """Tell whether a figure meets a goal; on the limit it does."""
    return bool(value >= goal["limit_value"] if goal["sense"] == "min" else value <= goal["limit_value"])
