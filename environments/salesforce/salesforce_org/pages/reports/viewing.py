"""A report's page: what a run shows, with its menus; and reports as files."""

from __future__ import annotations

import csv
import io
from typing import Any

from starlette.responses import Response

from salesforce_org.pages.reports import drafts, words
from salesforce_org.pages.reports.builder import BASE, HOME
from salesforce_org.pages.reports.choices import figures
from salesforce_org.pages.reports.result import result
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import Visit
from salesforce_org.reports import stored
from salesforce_org.reports.definition import Report
from salesforce_org.reports.running import MOST_ROWS, run

FAVORITES = "favorite reports"


@page("GET", BASE + "/view")
def show(visit: Visit) -> Response:
    """Run a report and show what it finds."""
    row = drafts.record(visit)
    report = drafts.report_of(visit, dict(stored.tree_of(visit.org, "Report", row)))
    stored.note_run(visit.org, row)
    drafts.looked_at(visit, row["Id"])
    place = stored.place_of(visit.org, "Report", row)
    return _show(visit, report, row=row, place=place, favorite=row["Id"] in favorites(visit))


@page("GET", BASE + "/run")
def try_out(visit: Visit) -> Response:
    """Run a draft as it is; nothing is saved."""
    draft = drafts.opened(visit)
    if draft.id and not draft.dirty:
        return visit.go(f"/lightning/r/Report/{draft.id}/view")
    return _show(visit, drafts.report_of(visit, draft.tree), row=None, place=None, favorite=False)


def _show(visit: Visit, report: Report, **context: Any) -> Response:
    context |= {
        "report": report,
        "base": f"/lightning/r/Report/{visit.params['id']}",
        "filters": words.filters(visit.org, report),
        "crossings": words.crossings(visit.org, report),
        "scopes": words.scopes(report),
        "frame_text": words.frame(report),
        "figures": figures,
        "panel": visit.query.get("panel", ""),
        **result(visit, report, MOST_ROWS),
    }
    return visit.render("reports/view.html", object="Report", **context)


@page("GET", BASE + "/export")
def export(visit: Visit) -> Response:
    """Return the rows of a report as a CSV file."""
    row = drafts.record(visit)
    report = drafts.report_of(visit, dict(stored.tree_of(visit.org, "Report", row)))
    found = run(visit.org, report)
    columns = [*(one.column for one in report.groupings), *report.columns]
    lines = io.StringIO()
    writer = csv.writer(lines, quoting=csv.QUOTE_ALL)
    writer.writerow([one.label for one in columns])
    for each in found.rows:
        writer.writerow([one.shown(visit.org, each).text for one in columns])
    headers = {"Content-Disposition": f'attachment; filename="{row["DeveloperName"]}.csv"'}
    return Response(lines.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


@page("GET", BASE + "/delete")
def ask_delete(visit: Visit) -> Response:
    """Ask whether a report shall go."""
    row = drafts.record(visit)
    what = f"the report {row['Name']}"
    context: dict[str, Any] = {"label": "Report", "what": what, "ids": "", "back": "", "problems": []}
    return visit.render("record/delete.html", action=visit.path, **context)


@page("POST", BASE + "/delete")
def delete(visit: Visit) -> Response:
    """Delete a report."""
    row = drafts.record(visit)
    stored.remove(visit.org, "Report", row)
    return visit.go(HOME, f'Report "{row["Name"]}" was deleted.')


@page("POST", BASE + "/favorite")
def favor(visit: Visit) -> Response:
    """Make a report a favorite, or no longer one."""
    id, known = drafts.record(visit)["Id"], favorites(visit)
    if visit.login is not None:
        chosen = [one for one in known if one != id] if id in known else [*known, id]
        visit.login.drafts[FAVORITES] = chosen
    return visit.go(visit.field("back") or HOME)


def favorites(visit: Visit) -> list[str]:
    """Return the ids of the user's favorite reports."""
    return list(visit.login.drafts.get(FAVORITES, [])) if visit.login else []
