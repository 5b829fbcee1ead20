"""Every seed of the infusion pumps makes every task possible, not done already, and not ambiguous."""

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds

STORIES = {
    "active",
    "new_drug",
    "pressor",
    "look_alike",
    "limits",
    "tenfold",
    "alarm_high",
    "alarm_medium",
    "alarm_low",
    "round_dose",
    "round_bag",
    "protocol",
}


@pytest.fixture
def patient(start):
    """Finds the one patient of a story."""

    def find(story):
        (found,) = [row for row in start["patients"].values() if row["story"] == story]
        return found

    return find


@pytest.fixture
def channels(start):
    """Finds a patient's channels by status."""

    def find(patient, *status):
        rows = start["channels"].values()
        return [row for row in rows if row["mrn"] == patient["mrn"] and row["status"] in status]

    return find


def new_order(start, patient):
    """Return the only new order of a patient."""
    (order,) = [
        row for row in start["orders"].values() if row["mrn"] == patient["mrn"] and row["status"] == "new"
    ]
    return order


def test_the_unit(start):
    """There are 13 to 15 pumps of four channels, and each story is told once."""
    stories = [row["story"] for row in start["patients"].values()]
    assert 13 <= len(stories) <= 15
    assert set(stories) >= STORIES
    assert len(start["channels"]) == 4 * len(stories)


def test_staff(start):
    """Exactly one user is the bedside nurse; others can sign."""
    roles = [user["role"] for user in start["users"].values()]
    assert roles.count("bedside_nurse") == 1
    assert roles.count("staff_nurse") == 3
    assert start["logins"] == start["events"] == start["overrides"] == start["double_checks"] == {}


def test_some_but_not_all_infuse(start):
    """A count of pumps, or of programmed ones, is not the count of those that infuse."""
    rows = start["channels"].values()
    infusing = {row["mrn"] for row in rows if row["status"] == "infusing"}
    programmed = {row["mrn"] for row in rows if row["rate"] is not None}
    assert len(infusing) < len(programmed) <= len(start["patients"])


def test_what_runs_is_within_the_soft_limits(start):
    """No pump asks for a reason for what it does already, and rates agree with doses."""
    for row in start["channels"].values():
        if row["entry"] is not None:
            entry = start["library"][str(row["entry"])]
            assert entry["soft_low"] <= row["dose"] <= entry["soft_high"], (entry, row)
            assert entry["care_area"] == "adult_icu"
            assert 0.1 <= row["rate"] <= 999


def test_limits_are_in_order(start):
    """Hard limits lie outside of soft ones."""
    for row in start["library"].values():
        assert 0 < row["hard_low"] < row["soft_low"] < row["soft_high"] < row["hard_high"]


def test_names_are_confusable(patient):
    """Two pairs of patients share or almost share a family name."""
    assert patient("pressor")["family_name"] == patient("limits")["family_name"]
    one, other = patient("look_alike"), patient("active")
    assert one["family_name"] != other["family_name"]
    assert one["family_name"][:3] == other["family_name"][:3]
    assert one["sex"] == other["sex"]


def test_active(patient, channels):
    """Two or three infusions run, one is on hold."""
    assert len(channels(patient("active"), "infusing")) in (2, 3)
    assert len(channels(patient("active"), "hold")) == 1


@pytest.mark.parametrize("story", ["new_drug", "protocol"])
def test_new_infusions(start, patient, channels, story):
    """What is ordered does not run yet, there are two free channels, and the dose is within the soft limits."""
    order = new_order(start, patient(story))
    running = [start["library"][str(row["entry"])]["drug"] for row in channels(patient(story), "infusing")]
    assert order["drug"] not in running
    assert len(channels(patient(story), "off")) >= 2
    (entry,) = [
        row
        for row in start["library"].values()
        if (row["drug"], row["care_area"]) == (order["drug"], "adult_icu")
        and f"/ {row['volume_ml']:g} mL" in order["concentration"]
        and f"{row['amount']:,g} " in order["concentration"]
    ]
    assert entry["soft_low"] <= order["dose"] <= entry["soft_high"]
    assert entry["double_check"] is (story == "protocol")


def test_pressor(start, patient, channels):
    """A step up or down stays within the soft limits, and another infusion runs beside."""
    orders = [row for row in start["orders"].values() if row["mrn"] == patient("pressor")["mrn"]]
    (order,) = [row for row in orders if "Titrate" in row["note"]]
    step = float(order["note"].split("steps of ")[1].split()[0])
    running = channels(patient("pressor"), "infusing")
    (row,) = [row for row in running if start["library"][str(row["entry"])]["drug"] == order["drug"]]
    entry = start["library"][str(row["entry"])]
    assert (
        entry["soft_low"] <= round(row["dose"] - step, 4) < round(row["dose"] + step, 4) <= entry["soft_high"]
    )
    assert len(running) >= 2


def test_tenfold(start, patient):
    """The order is beyond the hard maximum, what was meant is within the soft limits."""
    order = new_order(start, patient("tenfold"))
    entry = next(
        row
        for row in start["library"].values()
        if (row["drug"], row["care_area"]) == (order["drug"], "adult_icu")
        and f"/ {row['volume_ml']:g} mL" in order["concentration"]
    )
    assert order["dose"] > entry["hard_high"]
    assert entry["soft_low"] <= order["meant_dose"] <= entry["soft_high"]


def test_alarms(start, patient):
    """Three alarms sound, one of each priority."""
    kinds = {row["mrn"]: row["kind"] for row in start["alarms"].values()}
    assert kinds[patient("alarm_high")["mrn"]] in ("air_in_line", "occlusion")
    assert kinds[patient("alarm_medium")["mrn"]] == "complete"
    assert kinds[patient("alarm_low")["mrn"]] == "battery"
    assert len(kinds) == 3


def test_round(start, patient, channels):
    """One new order is beyond a soft limit, one stops something that runs, one is a volume."""
    dose = new_order(start, patient("round_dose"))
    entries = [
        row
        for row in start["library"].values()
        if (row["drug"], row["care_area"]) == (dose["drug"], "adult_icu")
    ]
    assert any(row["soft_high"] < dose["dose"] <= row["hard_high"] for row in entries)
    assert not any(row["double_check"] for row in entries)
    stop = new_order(start, patient("active"))
    running = [start["library"][str(row["entry"])]["drug"] for row in channels(patient("active"), "infusing")]
    assert (stop["kind"], stop["drug"] in running) == ("stop", True)
    bag = new_order(start, patient("round_bag"))
    (row,) = [
        row
        for row in channels(patient("round_bag"), "infusing")
        if start["library"][str(row["entry"])]["drug"] == bag["drug"]
    ]
    assert bag["vtbi_ml"] > row["vtbi_ml"]
