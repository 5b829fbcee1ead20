"""Keeps what the workstation shows now, and who opened which chart."""

from clinic import clock, rows
from clinic.visit import Visit


def show(visit: Visit, screen: str, open_mrn: str | None = None) -> None:
    """Record the screen; a chart that was not open already counts as one access."""
    user = visit.user_id if visit.user is not None and screen != "login" else None
    before = visit.db.execute("SELECT user, open_mrn FROM workstation").fetchone()
    if open_mrn is not None and (user, open_mrn) != (before["user"], before["open_mrn"]):
        rows.insert(visit.db, "chart_access", user=user, mrn=open_mrn, at=clock.text(visit.now))
    rows.update(visit.db, "workstation", {"id": 1}, user=user, screen=screen, open_mrn=open_mrn)
