"""Every seed makes every task of the central station possible, not done already, and not ambiguous."""

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds


@pytest.fixture
def alarms(start):
    """All alarms of the seed."""
    return list(start["alarms"].values())


def story(start, name):
    """Return the only patient of a story."""
    (found,) = [row for row in start["patients"].values() if row["story"] == name]
    return found


def of(start, collection, name, **equal):
    """Return the rows of one patient."""
    mrn = story(start, name)["mrn"]
    rows = [row for row in start[collection].values() if row["mrn"] == mrn]
    return [row for row in rows if all(row[key] == value for key, value in equal.items())]


def test_alarms_and_numerics_agree(start, alarms):
    """Every active alarm of a limit is one that the monitor shows now, and none is missing."""
    numerics, found = start["numerics"], set()
    for limit in start["limits"].values():
        value = numerics[limit["mrn"]][limit["parameter"]]
        if not limit["low"] <= value <= limit["high"]:
            found.add((limit["mrn"], limit["parameter"]))
    assert found == {(row["mrn"], row["parameter"]) for row in alarms if row["active"] and row["parameter"]}


def test_one_crisis_is_new(alarms):
    """One or two crises have been acknowledged, one has not."""
    high = [row for row in alarms if row["priority"] == "high"]
    assert all(row["active"] for row in high)
    assert sum(row["acknowledged_at"] is None for row in high) == 1
    assert 2 <= len(high) <= 3


def test_alarms_of_a_bed_have_different_names(alarms):
    """A bed and a label name one alarm."""
    names = [(row["bed"], row["label"]) for row in alarms]
    assert len(set(names)) == len(names)


def test_one_bed_is_ready(start):
    """Twelve beds, one of them ready, and everybody who is monitored lies in one."""
    beds = list(start["beds"].values())
    assert [row["state"] for row in beds].count("ready") == 1
    lying = {row["mrn"] for row in beds if row["mrn"]}
    assert lying == {row["mrn"] for row in start["patients"].values() if row["status"] == "monitored"}
    assert len(beds) == 12


def test_names_are_confusable(start):
    """The patient with hypoxia and an expected one have namesakes."""
    for one, other in (("hypoxia", "hypoxia_other"), ("arrival", "arrival_namesake")):
        assert story(start, one)["family_name"] == story(start, other)["family_name"]
        assert story(start, one)["given_name"] != story(start, other)["given_name"]


def test_orders_differ_from_what_is_set(start):
    """Every parameter ordered still has to be changed, and the old order says something else."""
    (active,) = of(start, "orders", "ordered_limits", status="active")
    (old,) = of(start, "orders", "ordered_limits", status="discontinued")
    lines = {
        order["id"]: {
            row["parameter"]: (row["low"], row["high"])
            for row in of(start, "ordered_limits", "ordered_limits", order_id=order["id"])
        }
        for order in (active, old)
    }
    assert active["ordered_at"] > old["ordered_at"]
    limits = {row["parameter"]: (row["low"], row["high"]) for row in of(start, "limits", "ordered_limits")}
    for parameter, pair in lines[active["id"]].items():
        assert pair != limits[parameter]
        assert all(abs(end - now) != 1 for end, now in zip(pair, limits[parameter], strict=True))
        assert pair != lines[old["id"]][parameter]


def test_the_windows_of_the_trend_have_different_extremes(start):
    """For each parameter the extreme of 4, 12, 24 and 72 hours are four different values."""
    for parameter, extreme in (("spo2", min), ("heart_rate", max), ("abp_mean", min)):
        (row,) = of(start, "trends", "past_episode", parameter=parameter)
        values = [int(text) for text in row["samples"].split(",")]
        assert len({extreme(values[-1 - 4 * hours :]) for hours in (4, 12, 24, 72)}) == 4


def test_one_patient_drifts_without_alarm(start, alarms):
    """Saturation falls by five at least; nobody else without any alarm loses more than two."""
    alarmed = {row["mrn"] for row in alarms}
    falls = {}
    for row in start["trends"].values():
        if row["parameter"] == "spo2" and row["mrn"] not in alarmed:
            values = [int(text) for text in row["samples"].split(",")]
            falls[row["mrn"]] = values[-49] - values[-1]
    drift = falls.pop(story(start, "drift")["mrn"])
    assert drift >= 5
    assert all(fall <= 2 for fall in falls.values())


def test_trends_end_with_what_is_shown(start):
    """The latest sample is the number on the monitor."""
    for row in start["trends"].values():
        assert float(row["samples"].rpartition(",")[2]) == start["numerics"][row["mrn"]][row["parameter"]]


def test_an_arrival_is_free_of_alarms_with_the_right_limits(start):
    """What was ordered fits what the monitor will show."""
    numerics = start["numerics"][story(start, "arrival")["mrn"]]
    for row in of(start, "ordered_limits", "arrival"):
        assert row["low"] <= numerics[row["parameter"]] <= row["high"]


def test_some_alarms_wait_for_nobody(alarms):
    """Past alarms and technical ones are unacknowledged too, so that they may be acknowledged by mistake."""
    unseen = [row for row in alarms if row["acknowledged_at"] is None]
    assert any(not row["active"] for row in unseen)
    assert any(row["priority"] == "low" for row in unseen)
    assert sum(row["active"] and row["priority"] != "low" for row in unseen) >= 5


def test_counting_what_is_active_is_another_count(alarms):
    """What nobody has acknowledged is never equally many."""
    unseen = [row for row in alarms if row["acknowledged_at"] is None]
    assert len(unseen) != sum(row["active"] for row in alarms)
