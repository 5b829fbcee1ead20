"""Pictures of the procedure: taking them, and saying what they show."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.endoscopy import case as cases
from clinic.applications.endoscopy import lumen
from clinic.toolkit.entry import Problems
from clinic.visit import NotHere, Visit

THUMBNAIL = 3


def show(visit: Visit) -> Response:
    """Show all pictures, the first one large."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    listed = cases.images(visit, visit.params["case_no"])
    number = visit.params.get("number", "")
    chosen = next((row for row in listed if str(row["number"]) == number), None)
    if number and chosen is None:
        raise NotHere
    return cases.render(visit, "images", problems, image=chosen or (listed[0] if listed else None))


def label(visit: Visit) -> Response:
    """Say what a picture shows; the same again takes the label off."""
    case, chosen = cases.load(visit), visit.field("label")
    kind = cases.kinds(visit)[case["kind"]]
    if problem := cases.writing_problem(visit, case):
        return _render(visit, Problems({"": problem}))
    if chosen not in kind["landmarks"] | kind["others"]:
        return _render(visit, Problems({"": "There is no such label."}))
    where = {"case_no": case["case_no"], "number": visit.params["number"]}
    known = next(
        (row for row in cases.images(visit, case["case_no"]) if str(row["number"]) == where["number"]), None
    )
    if known is None:
        raise NotHere
    value = None if known["label"] == chosen else chosen
    rows.update(visit.db, "images", where, label=value, labelled_by=visit.user_id if value else None)
    return cases.back(visit, f"images/{where['number']}", "Label saved." if value else "Label taken off.")


def capture(visit: Visit) -> Response:
    """Take a picture of the live view."""
    case = cases.load(visit)
    problem = cases.writing_problem(visit, case)
    if problem or case["status"] != "in_progress":
        return _render(visit, Problems({"": problem or "There is no live picture."}))
    number = len(cases.images(visit, case["case_no"])) + 1
    scene, study = _live(visit)
    about = {
        "case_no": case["case_no"],
        "mrn": case["mrn"],
        "number": number,
        "taken_at": clock.text(visit.now),
    }
    rows.insert(visit.db, "images", **about, scene=scene, study=study)
    return cases.back(visit, "procedure", f"Picture {number} taken.")


def _live(visit: Visit) -> tuple[str, int]:
    query = "SELECT scene, study FROM procedures WHERE case_no = ?"
    row = visit.db.execute(query, (visit.params["case_no"],)).fetchone()
    return row["scene"], row["study"]


def live_picture(visit: Visit) -> Response:
    """Draw what the scope sees while it is in."""
    if cases.load(visit)["status"] != "in_progress":
        raise NotHere
    return Response(lumen.draw(*_live(visit)), media_type="image/png")


def stored_picture(visit: Visit) -> Response:
    """Draw a picture that was taken, small unless it is wanted large."""
    query = "SELECT scene, study FROM images WHERE case_no = ? AND number = ?"
    row = visit.one(query, (visit.params["case_no"], visit.params["number"]))
    shrink = 1 if "large" in visit.query else THUMBNAIL
    return Response(lumen.draw(row["scene"], row["study"], shrink), media_type="image/png")
