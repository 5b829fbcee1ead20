"""What the applications share: login, workstation record, widgets, people, wording."""

from pathlib import Path

from clinic.application import Page
from clinic.toolkit import login

FOLDER = Path(__file__).parent
COMMON_SCHEMA = (FOLDER / "common.sql").read_text(encoding="utf-8")
COMMON_EPHEMERAL = frozenset({"logins", "workstation", "chart_access"})
PAGES = (
    Page("GET", "/login", login.show, anyone=True),
    Page("POST", "/login", login.submit, anyone=True),
    Page("POST", "/logout", login.leave, anyone=True),
)
