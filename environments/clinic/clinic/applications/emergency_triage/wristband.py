"""The wristband tab: preview and printing."""

from starlette.responses import Response

from clinic import clock, rows
from clinic.applications.emergency_triage import chart
from clinic.applications.emergency_triage.choices import PRINTERS, REPRINT_REASONS
from clinic.toolkit.entry import Problems
from clinic.visit import Visit

PRINTS = """
    SELECT wristband_prints.*, users.name AS by_name
    FROM wristband_prints LEFT JOIN users ON users.user_id = wristband_prints.by
    WHERE mrn = ? ORDER BY id DESC
"""
QUIET_MODULES = 4


def bars(mrn: str) -> list[tuple[int, int]]:
    """Return (position, width) of the dark bars that stand for a number, two for each digit."""
    drawn: list[tuple[int, int]] = []
    position = QUIET_MODULES
    for character in f"0{mrn}0":
        digit = int(character)
        for dark, light in ((1 + digit % 3, 1 + digit // 5), (1 + digit // 3 % 3, 1 + digit % 2)):
            drawn.append((position, dark))
            position += dark + light
    return drawn


def show(visit: Visit) -> Response:
    """Show the tab."""
    return _render(visit)


def _render(visit: Visit, problems: Problems | None = None) -> Response:
    mrn = visit.params["mrn"]
    prints = visit.db.execute(PRINTS, (mrn,)).fetchall()
    drawn = bars(mrn) if mrn.isdigit() else []
    width = drawn[-1][0] + drawn[-1][1] + QUIET_MODULES if drawn else 0
    return chart.render(visit, "wristband", problems, prints=prints, bars=drawn, bars_width=width)


def print_band(visit: Visit) -> Response:
    """Send a band to a printer; a second band needs a reason."""
    mrn = chart.load(visit)["mrn"]
    printer, reason = visit.field("printer"), visit.field("reason") or None
    again = visit.db.execute("SELECT 1 FROM wristband_prints WHERE mrn = ?", (mrn,)).fetchone() is not None
    problems = Problems()
    problems.add_if(printer not in PRINTERS, "printer", "Choose a printer.")
    if again and reason not in REPRINT_REASONS:
        problems.add("reason", "A band was printed before: choose the reason for another one.")
    if problems:
        return _render(visit, problems)
    rows.insert(
        visit.db,
        "wristband_prints",
        mrn=mrn,
        printer=printer,
        reason=reason if again else None,
        by=visit.user_id,
        at=clock.text(visit.now),
    )
    return visit.go(f"/chart/{mrn}/wristband", f"Wristband sent to printer {printer}.")
