"""The two identifiers of a wristband, as a scanner or a person types them in."""

import re
import sqlite3
from datetime import date

from clinic.toolkit.entry import Problems
from clinic.toolkit.words import MONTHS
from clinic.visit import Visit

UNCHECKED = "The wristband was not read: the patient's identity is not checked."
_WRITTEN = re.compile(r"(\d{1,2})[ .-]*([A-Za-z]{3,9})[ .,-]*(\d{4})", re.ASCII)


def read(visit: Visit, patient: sqlite3.Row, problems: Problems) -> bool:
    """Return whether both identifiers were given; what does not agree with the record is refused."""
    number, born = visit.field("band_mrn"), visit.field("band_born")
    if number and number != patient["mrn"]:
        problems.add("band_mrn", "This is not the number of the patient whose chart is open.")
    if born and _day(born) != patient["birth_date"]:
        problems.add("band_born", "This is not the date of birth of the patient whose chart is open.")
    return bool(number and born)


def _day(text: str) -> str | None:
    """Read a date as the product writes it (05 Mar 1957) or as a scanner sends it (1957-03-05)."""
    match = _WRITTEN.fullmatch(text)
    try:
        if match is None:
            return date.fromisoformat(text).isoformat()
        month = [name.lower() for name in MONTHS].index(match[2][:3].lower()) + 1
        return date(int(match[3]), month, int(match[1])).isoformat()
    except ValueError:
        return None
