"""Every seed makes every task of the bedside screen possible, not done already, and not ambiguous."""

from datetime import datetime

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds

LOOK_ALIKES = ({"norepinephrine", "epinephrine"}, {"dobutamine", "dopamine"})


def story(start, name):
    """Return the only patient of a story."""
    (found,) = [row for row in start["patients"].values() if row["story"] == name]
    return found


def of(start, collection, name, **equal):
    """Return the rows of one patient."""
    mrn = story(start, name)["mrn"]
    rows = [row for row in start[collection].values() if row["mrn"] == mrn]
    return [row for row in rows if all(row[key] == value for key, value in equal.items())]


def test_the_shift_is_late(state):
    """Hours of the shift have passed, and the hour is not about to change."""
    now = datetime.fromisoformat(state["clock"])
    assert now.hour in (15, 16, 17, 3, 4, 5)
    assert now.minute <= 25


def test_names_are_confusable(start):
    """One pair shares the family name, another pair has similar ones."""
    assert story(start, "ards")["family_name"] == story(start, "postop")["family_name"]
    assert story(start, "neuro")["family_name"] != story(start, "weaning")["family_name"]
    assert story(start, "neuro")["family_name"][:3] == story(start, "weaning")["family_name"][:3]


def test_drugs_with_similar_names_run_side_by_side(start):
    """And one drug does not run."""
    running = {row["drug"] for row in of(start, "infusions", "cardiogenic", status="running")}
    assert any(pair <= running for pair in LOOK_ALIKES)
    assert len(running) == 4
    assert len(of(start, "infusions", "cardiogenic")) == 5


def test_the_pressure_is_low_and_the_orders_differ(start):
    """A step of the present order stays within it; the old one would lead elsewhere."""
    (numerics,) = of(start, "numerics", "septic")
    assert numerics["abp_mean"] < 60
    (active,) = of(start, "orders", "septic", drug="norepinephrine", status="active")
    (old,) = of(start, "orders", "septic", drug="norepinephrine", status="discontinued")
    assert active["step_dose"] != old["step_dose"]
    assert active["ordered_at"] > old["ordered_at"]
    (row,) = of(start, "infusions", "septic", drug="norepinephrine")
    assert row["dose"] + 2 * active["step_dose"] <= active["most_dose"]


def test_open_alarms(start):
    """Two wait for a response with one patient, one with the similar name, two with the septic one."""
    open_alarms = {
        name: {row["label"] for row in of(start, "alarms", name, acknowledged_at=None)}
        for name in ("neuro", "weaning", "septic")
    }
    assert open_alarms == {
        "neuro": {"Temp high", "High airway pressure"},
        "weaning": {"High airway pressure"},
        "septic": {"MAP low", "HR high"},
    }


def test_no_entry_lies_at_the_edge_of_a_day(state):
    """Minutes that pass do not change the totals."""
    now = datetime.fromisoformat(state["clock"])
    for row in state["collections"]["fluids"].values():
        hours = (now - datetime.fromisoformat(row["at"])).total_seconds() / 3600
        assert 0 < hours < 23


@pytest.mark.parametrize("name", ["postop", "weaning"])
def test_an_entry_in_error_would_change_the_balance(start, name):
    """It is large, and there is one."""
    (row,) = of(start, "fluids", name, in_error=True)
    assert row["ml"] > 1000


def test_the_drain_tells_its_level(start):
    """The comments add up the volumes."""
    rows = sorted(of(start, "fluids", "postop", kind="drain"), key=lambda row: row["at"])
    assert rows[-1]["comment"] == f"Chamber at {sum(row['ml'] for row in rows)} mL"


@pytest.mark.parametrize(("name", "pick"), [("abp_mean", min), ("spo2", min), ("heart_rate", max)])
def test_extremes_of_a_day_are_unique_and_old(state, name, pick):
    """One valid hour holds the extreme, before the last eight hours; the artefact is beyond it."""
    start, now = state["collections"], datetime.fromisoformat(state["clock"])
    valid = of(start, "observations", "weaning", in_error=False)
    (artefact,) = of(start, "observations", "weaning", in_error=True)
    extreme = pick(row[name] for row in valid)
    (row,) = [row for row in valid if row[name] == extreme]
    assert (now - datetime.fromisoformat(row["at"])).total_seconds() > 8 * 3600
    assert pick(artefact[name], extreme) == artefact[name] != extreme


def test_the_monitor_shows_other_values_than_the_chart(start):
    """Reading the last charted row gives another answer."""
    (numerics,) = of(start, "numerics", "ards")
    rows = of(start, "observations", "ards", in_error=False)
    last = max(rows, key=lambda row: row["at"])
    assert any(last[key] != numerics[key] for key in ("heart_rate", "spo2", "temp_c"))


def test_volumes_of_the_ventilator_differ(start):
    """What is exhaled, and what the actual weight gives, are other numbers."""
    (row,) = of(start, "ventilators", "ards")
    patient = story(start, "ards")
    predicted = (50 if patient["sex"] == "M" else 45.5) + 0.91 * (patient["height_cm"] - 152.4)
    assert row["exhaled_volume"] != row["tidal_volume"]
    assert round(row["tidal_volume"] / predicted, 1) != round(row["tidal_volume"] / patient["weight_kg"], 1)
    assert row["peep"] < row["plateau_pressure"] < row["peak_pressure"]
