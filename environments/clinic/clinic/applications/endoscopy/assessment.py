"""The assessment before sedation: physical status, fasting, blood thinners, consent, allergies."""

import re
import sqlite3
from datetime import timedelta
from typing import Any

from starlette.responses import Response

from clinic import clock
from clinic.applications.endoscopy import case as cases
from clinic.applications.endoscopy.choices import ANTITHROMBOTICS, ASA
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

CLOCK_TIME = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)
FASTING = timedelta(hours=2)


def show(visit: Visit) -> Response:
    """Show the page."""
    return cases.render(visit, "assessment")


def save(visit: Visit) -> Response:
    """Store the assessment; a gap or a risk has to be confirmed."""
    case = cases.load(visit)
    problems = Problems()
    values = _read(visit, case, problems)
    if problems:
        return cases.render(visit, "assessment", problems)
    warnings = _warnings(visit, values)
    if warnings and not visit.field("confirmed"):
        return cases.render(visit, "assessment", warnings=warnings)
    stamp = {"assessed_by": visit.user_id, "assessed_at": clock.text(visit.now)}
    cases.update(visit, case["case_no"], **values, assessment_warned=bool(warnings), **stamp)
    return cases.back(visit, "procedure", "Pre-assessment saved.")


def _read(visit: Visit, case: sqlite3.Row, problems: Problems) -> dict[str, Any]:
    asa, antithrombotic = visit.field("asa"), visit.field("antithrombotic")
    if problem := cases.writing_problem(visit, case):
        problems.add("", problem)
    elif case["status"] != "scheduled":
        problems.add("", "The assessment comes before the procedure, which was started.")
    problems.add_if(asa not in ASA, "asa", "Choose a class.")
    problems.add_if(antithrombotic not in ANTITHROMBOTICS, "antithrombotic", "Choose one.")
    match = CLOCK_TIME.fullmatch(visit.field("last_fluids"))
    problems.add_if(match is None, "last_fluids", "Enter a time such as 06:30.")
    return {
        "asa": int(asa) if asa in ASA else None,
        "antithrombotic": antithrombotic,
        "last_fluids": f"{int(match[1]):02d}:{match[2]}" if match else "",
        "consent": visit.field("consent") == "yes",
        "allergies_confirmed": visit.field("allergies_confirmed") == "yes",
    }


def _warnings(visit: Visit, values: dict[str, Any]) -> list[str]:
    hour, minute = map(int, values["last_fluids"].split(":"))
    last = visit.now.replace(hour=hour, minute=minute)
    warnings = []
    if timedelta(0) <= visit.now - last < FASTING:
        warnings.append("The last clear fluid was less than two hours ago.")
    if not values["consent"]:
        warnings.append("Consent is not confirmed.")
    if not values["allergies_confirmed"]:
        warnings.append("Allergies are not confirmed.")
    return warnings
