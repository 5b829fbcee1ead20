"""Every seed makes every task of the outpatient pharmacy possible, not done already, and not ambiguous."""

from datetime import date, timedelta

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds

FIELDS = ("drug", "dose", "frequency", "quantity", "days_supply", "refills")


@pytest.fixture
def rows(state):
    """Reads a collection."""
    return lambda name, **equal: [
        row
        for row in state["collections"][name].values()
        if all(row[field] == value for field, value in equal.items())
    ]


@pytest.fixture
def rx(rows):
    """Finds the only prescription of a story."""

    def find(plot):
        (found,) = rows("prescriptions", plot=plot)
        return found

    return find


def test_one_pharmacist_and_nobody_signed_in(rows):
    """The terminal waits for the pharmacist."""
    assert len(rows("users", role="pharmacist")) == 1
    assert rows("logins") == []


def test_the_queue_is_long_enough_to_count(rows):
    """Twelve to sixteen wait for verification, fewer than are listed."""
    pending = rows("prescriptions", status="pending")
    assert 12 <= len(pending) <= 16
    assert len(rows("prescriptions")) > len(pending) + 3


def test_look_alikes_are_about(rows, rx):
    """A similar name has the same medicine, and the same patient has another one."""
    one, second, similar = rx("lookup"), rx("lookup_second"), rx("lookup_similar")
    assert one["mrn"] == second["mrn"] != similar["mrn"]
    assert one["drug"] == similar["drug"] != second["drug"]
    names = [rows("patients", mrn=row["mrn"])[0]["family_name"] for row in (one, similar)]
    assert names[0] != names[1]
    assert names[0][:3] == names[1][:3]


def test_two_people_share_a_name_and_not_the_rest(rows, rx):
    """Date of birth, address and phone tell them apart."""
    one, twin = (rows("patients", mrn=rx(plot)["mrn"])[0] for plot in ("counsel", "counsel_twin"))
    assert (one["family_name"], one["given_name"]) == (twin["family_name"], twin["given_name"])
    for name in ("birth_date", "address", "phone"):
        assert one[name] != twin[name]
    assert {rx(plot)["status"] for plot in ("counsel", "counsel_twin")} == {"ready"}


def test_alerts_are_those_of_the_stories(rows, rx):
    """Every story has its alerts, all undecided, and clean ones have none."""
    expected = {
        "contraindicated": [("interaction", "contraindicated")],
        "full": [("interaction", "moderate")],
        "tolerated": [("interaction", "moderate")],
        "duplicate": [("duplicate", "major")],
        "allergy": [("allergy", "contraindicated")],
        "child": [("dose", "major")],
        **{plot: [] for plot in ("review", "lookup", "clean", "dispense", "counsel")},
    }
    for plot, wanted in expected.items():
        alerts = rows("alerts", rx_no=rx(plot)["rx_no"])
        assert [(alert["kind"], alert["severity"]) for alert in alerts] == wanted
        assert all(alert["action"] is None for alert in alerts)
    first, second = rows("alerts", rx_no=rx("alert")["rx_no"])
    assert (first["kind"], second["kind"], second["severity"]) == ("interaction", "duplicate", "minor")
    assert first["severity"] in ("major", "moderate")


def test_only_the_reviewed_entry_differs_and_in_one_field(rows):
    """All others say what the prescriber sent."""
    originals = {row["rx_no"]: row for row in rows("originals")}
    for row in rows("prescriptions"):
        differing = [name for name in FIELDS if row[name] != originals[row["rx_no"]][name]]
        assert len(differing) == (1 if row["plot"] == "review" else 0)


def test_one_lot_is_right(rows, rx, state):
    """Of four lots one expired, one is too short, and the earlier of the others is right."""
    today = date.fromisoformat(state["clock"][:10])
    for plot in ("dispense", "full", "clean"):
        lots = sorted(rows("stock", drug=rx(plot)["drug"]), key=lambda row: row["expires_on"])
        last = today + timedelta(days=rx(plot)["days_supply"])
        expiries = [date.fromisoformat(row["expires_on"]) for row in lots]
        assert len(set(expiries)) == 4
        assert expiries[0] < today <= expiries[1] < last < expiries[2]
        assert all(row["on_hand"] >= rx(plot)["quantity"] for row in lots)


def test_the_child_is_one_and_the_doses_differ(rows, rx, state):
    """The current weight, last year's and the pounds give three doses."""
    (patient,) = rows("patients", mrn=rx("child")["mrn"])
    years = int(state["clock"][:4]) - int(patient["birth_date"][:4])
    assert 1 <= years <= 8
    old, now = sorted(rows("weights", mrn=patient["mrn"]), key=lambda row: row["taken_on"])
    assert old["kg"] < now["kg"] - 1
    assert len(rows("messages", rx_no=rx("child")["rx_no"])) == 2


def test_the_last_answer_contradicts_the_first(rows, rx):
    """Two messages name two medicines, neither of them the one ordered."""
    first, second = sorted(rows("messages", rx_no=rx("allergy")["rx_no"]), key=lambda row: row["at"])
    assert first["at"] < second["at"]
    assert "take my last answer back" in second["body"]
    assert first["body"].split("change to ")[1].split(".")[0] not in second["body"]


def test_the_chart_tells_why_an_override_is_right(rows, rx):
    """A check is arranged in one story, and months of use stand in the profile of the other."""
    (note,) = [row["note"] for row in rows("originals", rx_no=rx("full")["rx_no"])]
    assert any(word in note for word in ("booked", "arranged"))
    lines = rows("profile", mrn=rx("tolerated")["mrn"])
    (own,) = [line for line in lines if line["drug"] == rx("tolerated")["drug"]]
    assert own["fills"] >= 6


def test_stories_are_at_their_start(rows, rx):
    """Nothing that a task asks for is done."""
    for plot in ("review", "contraindicated", "full", "allergy", "child", "clean", "duplicate", "tolerated"):
        assert rx(plot)["status"] == "pending"
    assert rx("dispense")["status"] == "verified"
    assert rows("fills", rx_no=rx("dispense")["rx_no"]) == []
    assert rows("pickups", rx_no=rx("counsel")["rx_no"]) == []
