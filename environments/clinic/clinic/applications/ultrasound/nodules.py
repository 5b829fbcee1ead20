"""The classification of thyroid nodules; points and level are added up by the reader."""

import sqlite3

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.ultrasound import exam as exams
from clinic.applications.ultrasound.choices import ADVICE, LEVELS, LEXICON
from clinic.toolkit.entry import Problems
from clinic.visit import Visit


def first(visit: Visit) -> Response:
    """Lead to the first nodule of the exam."""
    return exams.back(visit, "nodules/1")


def show(visit: Visit) -> Response:
    """Show one nodule."""
    return _render(visit)


def _load(visit: Visit) -> sqlite3.Row:
    query = "SELECT * FROM nodules WHERE accession = ? AND number = ?"
    return visit.one(query, (visit.params["accession"], visit.params["number"]))


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    return exams.render(visit, "nodules", problems, nodule=_load(visit))


def classify(visit: Visit) -> Response:
    """Store the features of a nodule, its level and what is advised."""
    exam, nodule = exams.load(visit), _load(visit)
    foci = [key for key in LEXICON["foci"][1] if visit.field(f"foci_{key}")]
    values = {name: visit.field(name) for name in LEXICON if name != "foci"} | {"foci": ",".join(foci)}
    problems = Problems()
    problems.add_if(exam["report_status"] == "signed", "", "The report is signed and cannot be changed.")
    for name, (label, options) in LEXICON.items():
        chosen = foci if name == "foci" else [values[name]]
        if not chosen or not set(chosen) <= set(options):
            problems.add(name, f"Choose the {label.lower()}.")
    problems.add_if("none" in foci and len(foci) > 1, "foci", "None goes with no other choice.")
    level, advice = visit.field("level"), visit.field("advice")
    problems.add_if(level not in LEVELS, "level", "Choose a level.")
    problems.add_if(advice not in ADVICE, "advice", "Choose what is advised.")
    if problems:
        return _render(visit, problems)
    stamp = {"by": visit.user_id, "at": clock.text(visit.now)}
    rows.update(visit.db, "nodules", {"id": nodule["id"]}, **values, level=int(level), advice=advice, **stamp)
    return exams.back(visit, f"nodules/{nodule['number']}", f"Nodule {nodule['number']} saved as TR{level}.")
