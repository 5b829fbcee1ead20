"""The people who work here, one of them at the console, one radiologist on duty, one physicist on call."""

from clinic import rows
from clinic.applications.imaging_console.desk import Desk
from clinic.toolkit import staff

POSTS = (
    ("technologist", "RT"),
    ("assistant", "MA"),
    ("assistant", "MA"),
    ("radiologist", "MD"),
    ("radiologist", "MD"),
    ("radiologist", "MD"),
    ("physicist", "MS"),
    ("physicist", "PhD"),
)


def employ(desk: Desk) -> None:
    """Fill `users` and `duties`, and let the desk know who is who."""
    desk.users.update(staff.employ(desk.db, desk.seeding, POSTS))
    stream = desk.seeding.stream("duties")
    for post in ("radiologist", "physicist"):
        rows.insert(desk.db, "duties", post=post, user=stream.choice(desk.users[post]))
