"""The rules of the bedside screen: what is refused, asked about and allowed, and what its tabs show."""

import re

import pytest

TABS = ("vitals", "fluids", "infusions", "ventilator", "alarms", "notes", "trends", "orders")


def patient(session, story):
    """Return a patient."""
    return next(row for row in session.rows("patients").values() if row["story"] == story)


def tab(session, story, name):
    """Return the address of a tab."""
    return f"/patient/{patient(session, story)['mrn']}/{name}"


def infusion(session, story, drug):
    """Return an infusion of a patient."""
    mrn = patient(session, story)["mrn"]
    rows = session.rows("infusions").values()
    return next(row for row in rows if (row["mrn"], row["drug"]) == (mrn, drug))


@pytest.fixture
def norepinephrine(session):
    """The address of the septic patient's norepinephrine."""
    return tab(session, "septic", f"infusions/{infusion(session, 'septic', 'norepinephrine')['id']}")


def change(dose="0.3", **changes):
    """Return a complete change of a dose."""
    return {"dose": dose, "reason": "titration", "identity": "yes"} | changes


@pytest.mark.parametrize("name", TABS)
def test_tabs_show_the_patient_and_count_as_one_access(session, name):
    """Name, number and monitor stand above every tab."""
    row = patient(session, "ards")
    for _ in range(2):
        page = session.get(tab(session, "ards", name))
        assert row["mrn"] in page.text
        assert 'data-traces="ecg abp pleth resp"' in page.text
    assert [entry["mrn"] for entry in session.rows("chart_access").values()] == [row["mrn"]]
    assert session.rows("workstation")["1"] | {"id": 1} == {
        "id": 1,
        "user": session.user("bedside_nurse")["user_id"],
        "screen": name,
        "open_mrn": row["mrn"],
    }


def test_nothing_without_a_login(session):
    """Tabs lead to the login page."""
    session.browse()
    assert session.get("/unit").status_code == 303
    assert session.get(tab(session, "ards", "vitals")).status_code == 303


def test_unknown_addresses(session):
    """Patients and rows that do not exist, or belong to somebody else, are not found."""
    other = infusion(session, "cardiogenic", "midazolam")["id"]
    for path in ("/patient/0/vitals", tab(session, "septic", f"infusions/{other}")):
        assert session.get(path).status_code == 404
    mrn = patient(session, "septic")["mrn"]
    entry = next(key for key, row in session.rows("fluids").items() if row["mrn"] != mrn)
    assert session.post(tab(session, "septic", f"fluids/{entry}/error")).status_code == 404
    assert session.post(tab(session, "septic", "alarms/999/acknowledge")).status_code == 404


def test_a_dose_is_turned_into_a_rate(session, norepinephrine):
    """mcg/kg/min x kg x 60 / concentration, to one decimal; the change is logged with the check."""
    assert session.post(f"{norepinephrine}/dose", **change("0.315")).status_code == 303
    row = infusion(session, "septic", "norepinephrine")
    weight = patient(session, "septic")["weight_kg"]
    assert row["dose"] == 0.315
    assert row["rate_ml_h"] == round(0.315 * weight * 60 / 1000 / 8 * 50, 1)
    (logged,) = session.rows("infusion_changes").values()
    assert (logged["new_dose"], logged["identity_checked"], logged["beyond_soft"]) == (0.315, True, False)


def test_rates_of_the_seed_follow_from_their_doses(session):
    """Every infusion agrees with weight and concentration."""
    per = {"mcg/kg/min": 60 / 1000, "mg/kg/h": 1, "mcg/h": 1 / 1000, "mg/h": 1, "units/h": 1}
    weights = {row["mrn"]: row["weight_kg"] for row in session.rows("patients").values()}
    for row in session.rows("infusions").values():
        weight = weights[row["mrn"]] if "kg" in row["dose_unit"] else 1
        rate = row["dose"] * weight * per[row["dose_unit"]] * row["volume_ml"] / row["amount"]
        assert row["rate_ml_h"] == pytest.approx(rate, abs=0.051)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dose": "fast"}, "Enter a number"),
        ({"dose": "0.1234"}, "Enter a number"),
        ({"dose": ""}, "Enter a number"),
        ({"dose": "0"}, "Enter a dose above 0"),
        ({"dose": "7.8"}, "the hard limit is 2"),
        ({"reason": ""}, "Choose a reason."),
    ],
)
def test_impossible_doses_are_refused(session, norepinephrine, changes, message):
    """A rate typed as a dose meets the hard limit; nothing is stored."""
    answer = session.post(f"{norepinephrine}/dose", **change(**changes), confirmed="yes")
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("infusions") == []


def test_the_same_dose_is_no_change(session, norepinephrine):
    """Nothing is logged twice."""
    dose = infusion(session, "septic", "norepinephrine")["dose"]
    assert session.post(f"{norepinephrine}/dose", **change(f"{dose:g}")).status_code == 422


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"identity": ""}, "The identity of the patient has not been checked"),
        ({"dose": "0.6"}, "above the soft limit of 0.5"),
    ],
)
def test_risky_changes_ask_first(session, norepinephrine, changes, shown):
    """Confirmed they are stored, with what was passed over."""
    form = change(**changes)
    answer = session.post(f"{norepinephrine}/dose", **form)
    assert answer.status_code == 200
    assert shown in answer.text
    assert session.journal("infusions") == []
    assert session.post(f"{norepinephrine}/dose", **form, confirmed="yes").status_code == 303
    (logged,) = session.rows("infusion_changes").values()
    assert (logged["identity_checked"], logged["beyond_soft"]) == (
        "identity" not in changes,
        "dose" in changes,
    )


def test_pausing_and_resuming(session, norepinephrine):
    """A paused infusion takes no dose, and goes on with the one it had."""
    assert session.post(f"{norepinephrine}/pause").status_code == 200
    assert session.post(f"{norepinephrine}/pause", identity="yes").status_code == 303
    assert infusion(session, "septic", "norepinephrine")["status"] == "paused"
    assert session.post(f"{norepinephrine}/dose", **change()).status_code == 422
    assert session.post(f"{norepinephrine}/pause", identity="yes").status_code == 422
    assert session.post(f"{norepinephrine}/resume", identity="yes").status_code == 303
    actions = [row["action"] for row in session.rows("infusion_changes").values()]
    assert actions == ["pause", "resume"]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"ml": "100"}, "Choose what went in"),
        ({"kind": "tea", "ml": "100"}, "Choose what went in"),
        ({"kind": "urine"}, "Enter whole millilitres"),
        ({"kind": "urine", "ml": "0.6"}, "Enter whole millilitres"),
        ({"kind": "urine", "ml": "0"}, "Enter whole millilitres"),
        ({"kind": "urine", "ml": "5001"}, "Enter whole millilitres"),
        ({"kind": "urine", "ml": "10", "comment": "x" * 121}, "At most 120"),
    ],
)
def test_impossible_fluids_are_refused(session, form, message):
    """Kind and whole millilitres are needed."""
    answer = session.post(tab(session, "postop", "fluids"), **form)
    assert answer.status_code == 422
    assert message in answer.text


def test_fluids_know_their_direction_and_large_ones_ask(session):
    """The kind says whether it is intake or output."""
    address = tab(session, "postop", "fluids")
    session.post(address, kind="drain", ml="60")
    assert session.journal("fluids")[-1]["after"]["direction"] == "output"
    assert session.post(address, kind="iv_fluid", ml="1001").status_code == 200
    session.post(address, kind="iv_fluid", ml="1001", confirmed="yes")
    stored = session.journal("fluids")[-1]["after"]
    assert (stored["direction"], stored["ml"], stored["unusual_confirmed"]) == ("intake", 1001, True)


def totals(session, period):
    """Return the totals that a period shows."""
    text = session.get(f"{tab(session, 'postop', 'fluids')}?period={period}").text.replace("−", "-")
    found = re.search(
        r"Intake</dt><dd>(\d+) mL.*Output</dt><dd>(\d+) mL.*Balance</dt><dd>([-+]?\d+) mL", text
    )
    return tuple(int(number) for number in found.groups())


def test_totals_without_what_is_in_error(session):
    """The balance is intake less output; striking an entry takes it out."""
    intake, output, balance = totals(session, "shift")
    assert balance == intake - output
    session.post(tab(session, "postop", "fluids"), kind="urine", ml="200")
    assert totals(session, "shift") == (intake, output + 200, balance - 200)
    key = session.journal("fluids")[-1]["key"]
    session.post(tab(session, "postop", f"fluids/{key}/error"))
    assert totals(session, "shift") == (intake, output, balance)
    assert session.post(tab(session, "postop", f"fluids/{key}/error")).status_code == 404
    assert totals(session, "day") != totals(session, "shift") != totals(session, "previous")


def test_acknowledging_once(session):
    """With a response, by the user, and only once."""
    row = next(row for row in session.rows("alarms").values() if row["label"] == "MAP low")
    address = f"/patient/{row['mrn']}/alarms/{row['id']}/acknowledge"
    assert session.post(address, response="x" * 201).status_code == 422
    assert session.post(address, response="Seen <i>").status_code == 303
    assert session.post(address, response="again").status_code == 422
    page = session.get(f"/patient/{row['mrn']}/alarms?alarm={row['id']}")
    assert "Seen &lt;i&gt;" in page.text
    stored = session.rows("alarms")[str(row["id"])]
    assert (stored["active"], stored["acknowledged_by"]) == (True, session.user("bedside_nurse")["user_id"])


def test_notes_are_signed_or_drafts(session):
    """A draft can be signed later, a note of one's own be struck out; those of others cannot."""
    address = tab(session, "neuro", "notes")
    for form in ({"text": "x"}, {"category": "event"}, {"category": "poem", "text": "x"}):
        assert session.post(address, **form).status_code == 422
    session.post(address, category="event", text="Coughing fit")
    key = session.journal("notes")[-1]["key"]
    assert session.rows("notes")[key]["signed_at"] is None
    assert "Draft, not signed" in session.get(address).text
    assert session.post(f"{address}/{key}/sign").status_code == 303
    assert session.post(f"{address}/{key}/sign").status_code == 404
    assert session.post(f"{address}/{key}/error").status_code == 303
    mrn = patient(session, "neuro")["mrn"]
    foreign = next(key for key, row in session.rows("notes").items() if row["mrn"] == mrn)
    assert session.post(f"{address}/{foreign}/error").status_code == 404


def test_charting_what_the_monitor_shows(session):
    """A row with the present values appears, and can be struck out."""
    address = tab(session, "ards", "vitals")
    session.post(address)
    stored = session.journal("observations")[-1]
    numerics = session.rows("numerics")[stored["after"]["mrn"]]
    assert all(stored["after"][name] == numerics[name] for name in ("heart_rate", "spo2", "abp_mean"))
    assert session.post(f"{address}/{stored['key']}/error").status_code == 303
    assert "In error" in session.get(address).text


@pytest.mark.parametrize(("window", "count"), [("4", 4), ("8", 8), ("24", 25), ("x", 4)])
def test_windows_of_a_trend(session, window, count):
    """Every window lists its hours; the row in error is in the list, but not in the curve."""
    page = session.get(f"{tab(session, 'weaning', 'trends')}?window={window}").text
    assert len(re.findall(r"<li(?: class=\"void\")?><span>\d\d", page)) == count
    assert page.count("<circle") == count - (window == "24")


def test_the_predicted_weight(session):
    """It follows from sex and height, after the ARDS Network."""
    row = patient(session, "ards")
    weight = (50 if row["sex"] == "M" else 45.5) + 0.91 * (row["height_cm"] - 152.4)
    assert f"{weight:.1f} <small>kg" in session.get(tab(session, "ards", "ventilator")).text
    assert "No ventilator" in session.get(tab(session, "postop", "ventilator")).text


def test_discontinued_orders_are_shown_as_such(session):
    """The present order stands above the one it replaced."""
    text = session.get(tab(session, "septic", "orders")).text
    assert text.index("<td>Active</td><td><b>Titrate") < text.index("<td>Discontinued</td>")
