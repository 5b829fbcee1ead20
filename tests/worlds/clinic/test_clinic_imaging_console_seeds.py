"""Every seed makes every task possible, not done already, and not ambiguous."""

from collections import Counter
from datetime import date, timedelta

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds


@pytest.fixture
def rows(state):
    """Finds the rows of a collection that belong to the order of a part."""

    def find(collection, part=None):
        found = list(state["collections"][collection].values())
        if part is None:
            return found
        (order,) = (row for row in state["collections"]["orders"].values() if row["part"] == part)
        key = "accession" if found and "accession" in found[0] else "mrn"
        return [row for row in found if row[key] == order[key]]

    return find


def test_worklist_has_orders_of_both_scanners(rows):
    """Some CT orders are scheduled, fewer than there are CT orders, and fewer than are scheduled."""
    scheduled = [row for row in rows("orders") if row["status"] == "scheduled"]
    ct = [row for row in scheduled if row["modality"] == "CT"]
    assert 5 <= len(ct) < len(scheduled)
    assert len(ct) < sum(row["modality"] == "CT" for row in rows("orders"))


def test_namesake_is_beside_the_arrival(rows):
    """Two of one sex have similar names and the same procedure; the right one has an MR order too."""
    (one,), (other,) = rows("patients", "arrival"), rows("patients", "namesake")
    assert one["family_name"] != other["family_name"]
    assert (one["family_name"][:3], one["sex"]) == (other["family_name"][:3], other["sex"])
    procedures = [rows("orders", part)[0]["procedure"] for part in ("arrival", "namesake")]
    assert len(set(procedures)) == 1
    assert rows("orders", "second")[0]["mrn"] == one["mrn"]


def test_stages(rows):
    """Each part has got as far as its task needs, and no farther."""
    done = {
        part: [name for name in ("exams", "techniques", "scouts", "injections", "scans") if rows(name, part)]
        for part in ("arrival", "unplanned", "technique", "positioned", "contrast", "complete", "implant")
    }
    assert done["arrival"] == done["complete"] == done["implant"] == []
    assert done["unplanned"] == ["exams"]
    assert rows("exams", "unplanned")[0]["protocol"] is None
    assert done["technique"] == done["positioned"] == ["exams", "techniques"]
    assert done["contrast"] == ["exams", "techniques", "scouts"]
    assert rows("techniques", "technique")[0]["at"] is None


def test_registered_patients_were_screened(rows):
    """Whoever is registered was screened, so that the console has nothing to ask."""
    for row in rows("exams"):
        assert [s for s in rows("screenings") if s["accession"] == row["accession"]]
        assert row["checked_name"]
        assert row["checked_birth_date"]


def test_scout_shows_what_the_scan_must_cover(rows):
    """The landmarks of the contrast examination lie well within its scout; the console's box misses them."""
    (scout,), (body,) = rows("scouts", "contrast"), rows("anatomy", "contrast")
    top, bottom = {
        "pulmonary_arteries": (body["apex"], body["adrenals"]),
    }.get(rows("orders", "contrast")[0]["protocol"], (body["dome"], body["symphysis"]))
    assert scout["from_mm"] + 60 < top < bottom < scout["to_mm"] - 60
    assert scout["from_mm"] + 140 < bottom - 20


def test_landmarks_are_in_order(rows):
    """A body is a body."""
    for row in rows("anatomy"):
        places = [row[name] for name in ("vertex", "skull_base", "apex", "dome", "adrenals", "symphysis")]
        assert places == sorted(places)
        assert places[0] > 95
        assert places[-1] + 95 < 1500


def test_flags_are_unambiguous(rows):
    """One contrast agent among three allergies; the newest eGFR is cancelled, the newest valid one is unique."""
    agents = {"Iohexol", "Iopamidol", "Iopromide", "Iodixanol"}
    allergies = rows("allergies", "flagged")
    assert len(allergies) == 3
    assert len([row for row in allergies if row["substance"] in agents]) == 1
    values = sorted(
        (row for row in rows("labs", "flagged") if row["test"] == "eGFR"), key=lambda r: r["taken_at"]
    )
    assert [row["cancelled"] for row in values] == [False, False, False, True]
    assert len({row["value"] for row in values}) == 4


def test_pregnancy_is_excluded_or_not(state, rows):
    """One woman has a negative test of today; the other an overdue period and no negative one since."""
    today = state["clock"][:10]
    (excluded,) = (row for row in rows("labs", "complete") if row["test"] == "hCG")
    assert (excluded["value"], excluded["taken_at"][:10]) == ("Negative", today)
    (woman,) = rows("patients", "pregnant")
    period = date.fromisoformat(woman["last_period"])
    assert date.fromisoformat(today) - period >= timedelta(days=38)
    tests = {row["value"]: row["taken_at"] for row in rows("labs", "pregnant") if row["test"] == "hCG"}
    assert tests["Negative"][:10] < woman["last_period"]
    assert tests.get("Positive", today)[:10] == today


def test_implants(rows):
    """One device bears 2 W/kg, the other nothing; whoever is scanned is not asked about pregnancy."""
    (one,), (other,) = rows("devices", "implant"), rows("devices", "forbidden")
    assert (one["label"], other["label"]) == ("conditional", "unsafe")
    assert "2 W/kg" in one["conditions"]
    assert rows("patients", "implant")[0]["last_period"] is None


def test_scanner_starts_in_service(rows):
    """Nothing was done today: the history is of earlier days, and all values have one decimal."""
    (scanner,) = rows("scanners")
    assert scanner["in_service"]
    assert rows("phantom_scans") == []
    for name in ("centre", "north", "east", "south", "west", "noise"):
        assert round(scanner[name], 1) == scanner[name]


def test_nothing_is_in_the_future(state, rows):
    """What was done and measured is past, and appointments of registered patients are, too."""
    for name in ("screenings", "scouts", "scans", "transfers"):
        assert all(row["at"] <= state["clock"] for row in rows(name))
    assert all(row["taken_at"] <= state["clock"] for row in rows("labs"))
    begun = [row for row in rows("orders") if row["status"] in ("registered", "completed")]
    assert all(row["scheduled_at"] <= state["clock"] for row in begun)


def test_names_and_numbers_are_unique(rows):
    """No two patients share a name."""
    names = Counter((row["family_name"], row["given_name"]) for row in rows("patients"))
    assert max(names.values()) == 1
