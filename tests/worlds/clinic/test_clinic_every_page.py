"""What holds for every page that links lead to, in each application."""

import html
import re
from collections import Counter

import pytest

from .conftest import ROLES

MOST = 8  # addresses of one page, which differ in their numbers or in what is asked for
# What a screenshot of a headless browser does not show, what the content policy forbids, and comments.
UNSEEN = (
    r"<select|<datalist|type=\"(date|time|color|number|file)|target=|\stitle="
    r"|<script(?![^>]*(\bsrc=|application/json))|<style|\sstyle=|\son\w+=|<!--"
)
# Columns that tell a seed's plan, and words of what only a checker may know.
PLANS = ("case_name", "part", "plot", "presentation", "profile", "story")
KNOWN = {
    "emergency_triage": "tolerated",
    "ecg_workstation": "profile|injury|on_duty|narrow_fast|counted_double",
    "endoscopy": r"landmarks_|residue\.|scene|truth|wrong",
    "icu_bedside": "postop|target_map|story",
    "nurse_station": "sampling",
    "nursing_assessment": "bundle",
    "nursing_documentation": "wrong_fluid|deteriorating",
    "outpatient_pharmacy": '"plot|multi',
    "ultrasound": "tirads_|workflow|batch|anatomy|study",
}


def pages(session):
    """Return the pages that links lead to from the first one, with their addresses."""
    found, waiting, shapes = {}, ["/"], Counter()
    while waiting:
        address = waiting.pop(0)
        shape = re.sub(r"\d+", "0", address.partition("?")[0])
        if address in found or shapes[shape] >= MOST:
            continue
        shapes[shape] += 1
        answer = session.get(address, follow_redirects=True)
        assert answer.status_code == 200, address
        found[address] = answer.text if answer.headers["content-type"].startswith("text/html") else ""
        waiting += map(html.unescape, re.findall(r'href="(/(?!static/)[^"#]*)"', found[address]))
    return found


@pytest.mark.parametrize("application", ROLES)
def test_pages_can_be_seen_and_tell_no_secret(application, open_session):
    """Each opens, has nothing that a screenshot lacks, and holds neither a password nor what a seed has planned."""
    session = open_session()
    session.login(ROLES[application])
    state = session.state()
    rows = [row for table in state["collections"].values() for row in table.values()]
    secrets = {str(row[plan]) for row in rows for plan in PLANS if "_" in str(row.get(plan) or "")}
    secrets |= {user["password"] for user in state["collections"]["users"].values()}
    secrets |= {row["code"] for row in state["collections"].get("signature_codes", {}).values()}
    secrets |= {session.described["id"], state["fingerprint"]}
    found = pages(session)
    assert len(found) > 5
    for address, text in found.items():
        assert not re.search(UNSEEN, text), address
        assert not [secret for secret in secrets if secret in text], address
        assert application not in KNOWN or not re.search(KNOWN[application], text), address
