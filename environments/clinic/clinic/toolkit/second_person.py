"""The second person of a two-person check: who signs beside the one at the workstation."""

import secrets
import sqlite3

from clinic.toolkit.entry import Problems
from clinic.visit import Visit


def read(visit: Visit, roles: frozenset[str], problems: Problems) -> sqlite3.Row | None:
    """Return the user named in the fields `second_user` and `second_password`, if they may co-sign.

    What signs is the code that somebody gives for countersigning, not the password, which nobody shares. A refusal is
    added to `problems` under the field's name; a wrong code and an unknown user read the same.
    """
    user_id, given = visit.field("second_user"), visit.form.get("second_password", "").encode()
    if not user_id:
        problems.add("second_user", "A second person has to sign.")
        return None
    row: sqlite3.Row | None = visit.db.execute(
        "SELECT * FROM users WHERE user_id = ? COLLATE NOCASE", (user_id,)
    ).fetchone()
    if row is None or not secrets.compare_digest(row["code"].encode(), given):
        problems.add("second_password", "User ID or code is not right.")
        return None
    if row["user_id"] == visit.user_id:
        problems.add("second_user", "The second person must be somebody else.")
        return None
    if row["role"] not in roles:
        problems.add("second_user", f"{row['name']} may not sign for this.")
        return None
    return row
