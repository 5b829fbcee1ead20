"""The rules of the central station: what is refused, asked about and allowed, and what its screens show."""

import pytest

LIMITS = ("heart_rate", "spo2", "respiratory_rate", "abp_mean", "temp_c")


def patient(session, story):
    """Return a patient, with the bed number."""
    row = next(row for row in session.rows("patients").values() if row["story"] == story)
    beds = session.rows("beds").values()
    return row | {"bed": next((bed["number"] for bed in beds if bed["mrn"] == row["mrn"]), None)}


def alarm(session, **equal):
    """Return the first active alarm with the given values."""
    rows = session.rows("alarms").values()
    return next(row for row in rows if row["active"] and all(row[k] == v for k, v in equal.items()))


def limits_form(session, mrn, **changes):
    """Return the limits of a patient as the form sends them, with changes."""
    form = {}
    for row in session.rows("limits").values():
        if row["mrn"] == mrn:
            for end in ("low", "high"):
                form[f"{row['parameter']}_{end}"] = f"{row[end]:g}"
    return form | changes


def limit(session, mrn, parameter):
    """Return the stored limits of one parameter."""
    rows = session.rows("limits").values()
    return next(row for row in rows if (row["mrn"], row["parameter"]) == (mrn, parameter))


@pytest.fixture
def free_bed(session):
    """The address at which somebody is admitted to the bed that is ready."""
    bed = next(row for row in session.rows("beds").values() if row["state"] == "ready")
    return f"/bed/{bed['number']}/admit"


def admission(mrn, **changes):
    """Return a complete admission."""
    form = {"mrn": mrn, "age_class": "adult", "profile": "general", "paced": "no", "identity": "yes"}
    return form | changes


@pytest.mark.parametrize("path", ["/overview", "/alarms", "/trends", "/policy"])
def test_screens_of_the_unit_open(session, path):
    """Every screen of the unit is shown, and needs a login."""
    assert session.get(path).status_code == 200
    session.browse()
    assert session.get(path).status_code == 303


@pytest.mark.parametrize("tab", ["", "/limits", "/trends", "/trends?view=table", "/events", "/patient"])
def test_tabs_of_a_bed_open_and_count_as_access(session, tab):
    """A tab shows name and number, and opening the bed is logged once."""
    row = patient(session, "drift")
    for _ in range(2):
        page = session.get(f"/bed/{row['bed']}{tab}")
        assert row["family_name"] in page.text.replace("&#39;", "'")
        assert row["mrn"] in page.text
    assert [entry["mrn"] for entry in session.rows("chart_access").values()] == [row["mrn"]]
    assert session.rows("workstation")["1"]["open_mrn"] == row["mrn"]


def test_beds_and_alarms_that_are_not_there(session):
    """Unknown addresses are not found; a free bed has no monitor."""
    free = next(row["number"] for row in session.rows("beds").values() if row["mrn"] is None)
    for path in ("/bed/99", f"/bed/{free}", "/bed/x/limits", "/alarms/999"):
        assert session.get(path).status_code == 404
    taken = patient(session, "drift")["bed"]
    assert session.get(f"/bed/{taken}/admit").status_code == 404


def test_acknowledging_once(session):
    """An alarm is acknowledged with a note by the user, and only once; it stays active."""
    row = alarm(session, kind="spo2_low", acknowledged_at=None)
    address = f"/alarms/{row['id']}/acknowledge"
    assert session.post(address, note=" Probe moved ").status_code == 303
    stored = session.rows("alarms")[str(row["id"])]
    assert (stored["acknowledged_by"], stored["note"], stored["active"]) == (
        session.user("monitor_nurse")["user_id"],
        "Probe moved",
        True,
    )
    assert session.post(address).status_code == 422
    assert session.post(f"/alarms/{row['id']}/acknowledge", note="x" * 201).status_code == 422


def test_acknowledging_in_the_list_keeps_the_filter(session):
    """The list comes back as it was filtered."""
    row = alarm(session, priority="medium", acknowledged_at=None)
    answer = session.post(f"/alarms/{row['id']}/acknowledge", show="unacknowledged")
    assert answer.headers["location"] == "/alarms?show=unacknowledged"


def test_filters_of_the_list(session):
    """Each filter shows what it says."""
    rows = session.rows("alarms").values()
    expected = {
        "all": len(rows),
        "active": sum(row["active"] for row in rows),
        "unacknowledged": sum(row["acknowledged_at"] is None for row in rows),
        "high": sum(row["priority"] == "high" for row in rows),
    }
    shown = {
        name: session.get(f"/alarms?show={name}").text.count('aria-label="Open Bed') for name in expected
    }
    assert shown == expected


@pytest.mark.parametrize(
    ("priority", "duration", "asks"),
    [
        ("medium", "10", False),
        ("medium", "off", True),
        ("high", "2", False),
        ("high", "3", True),
        ("high", "off", True),
    ],
)
def test_long_pauses_ask_first(session, priority, duration, asks):
    """Two minutes are the limit for a crisis alarm; a pause without an end always asks."""
    row = alarm(session, priority=priority, acknowledged_at=None)
    form = {"duration": duration, "reason": "suctioning"}
    answer = session.post(f"/alarms/{row['id']}/silence", **form)
    assert answer.status_code == (200 if asks else 303)
    if asks:
        assert "Pause outside the policy" in answer.text
        assert session.rows("silences") == {}
        session.post(f"/alarms/{row['id']}/silence", **form, confirmed="yes")
    (stored,) = session.rows("silences").values()
    assert stored["minutes"] == (None if duration == "off" else int(duration))


@pytest.mark.parametrize(
    "form", [{"reason": "suctioning"}, {"duration": "2"}, {"duration": "7", "reason": "suctioning"}]
)
def test_a_pause_needs_length_and_reason(session, form):
    """Without either it is refused."""
    row = alarm(session, priority="medium", acknowledged_at=None)
    assert session.post(f"/alarms/{row['id']}/silence", **form).status_code == 422


def test_a_pause_ends_with_its_time(session):
    """A pause of one minute is over after the next minute of the clock; one can be ended early."""
    row = alarm(session, priority="medium", acknowledged_at=None)
    base = f"/alarms/{row['id']}"
    session.post(f"{base}/silence", duration="1", reason="turning")
    assert "The sound is paused" in session.get(base).text
    assert session.post(f"{base}/silence", duration="1", reason="turning").status_code == 422
    assert session.post(f"{base}/resume").status_code == 303
    assert session.post(f"{base}/resume").status_code == 422
    session.post(f"{base}/silence", duration="1", reason="turning")
    session.post(f"/bed/{row['bed']}/page", recipient="bedside_nurse", message="Hello")
    assert "The sound is paused" not in session.get(base).text


def test_what_is_over_makes_no_sound(session):
    """A past alarm cannot be paused."""
    row = next(row for row in session.rows("alarms").values() if not row["active"])
    answer = session.post(f"/alarms/{row['id']}/silence", duration="1", reason="turning")
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"heart_rate_low": "fast"}, "Enter whole numbers."),
        ({"heart_rate_low": "60.5"}, "Enter whole numbers."),
        ({"heart_rate_low": ""}, "Enter whole numbers."),
        ({"heart_rate_low": "5"}, "The monitor takes 15 to 300."),
        ({"spo2_high": "101"}, "The monitor takes 50 to 100."),
        ({"heart_rate_low": "115"}, "10 apart at least"),
        ({"temp_c_low": "38.5"}, "1 apart at least"),
        ({}, "Nothing was changed."),
    ],
)
def test_impossible_limits_are_refused(session, changes, message):
    """What the monitor cannot take is refused, and nothing is stored."""
    row = patient(session, "drift")
    address = f"/bed/{row['bed']}/limits"
    answer = session.post(address, **limits_form(session, row["mrn"], **changes))
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("limits") == []


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"heart_rate_low": "35"}, "HR: low limit 35 is below 40"),
        ({"spo2_low": "80"}, "SpO2: low limit 80 is below 85"),
        ({"abp_mean_high": "140"}, "ABP mean: high limit 140 is above 130"),
        ({"spo2_alarm": "off"}, "SpO2: the alarm will be switched off"),
    ],
)
def test_limits_beyond_the_policy_ask_first(session, changes, shown):
    """Confirmed they are stored, and say that they are beyond the policy."""
    row = patient(session, "drift")
    address = f"/bed/{row['bed']}/limits"
    form = limits_form(session, row["mrn"], **changes)
    question = session.post(address, **form)
    assert question.status_code == 200
    assert shown in question.text
    assert session.journal("limits") == []
    session.post(address, **form, confirmed="yes")
    (written,) = session.journal("limits")
    assert written["after"]["beyond_policy"] is True


def test_limits_raise_and_end_alarms(session):
    """What the monitor shows is compared at once with limits that were changed."""
    row = patient(session, "drift")
    address = f"/bed/{row['bed']}/limits"
    session.post(address, **limits_form(session, row["mrn"], spo2_low="95"))
    raised = session.journal("alarms")[-1]["after"]
    assert (raised["mrn"], raised["label"], raised["active"]) == (row["mrn"], "SpO2 low", True)
    session.post(address, **limits_form(session, row["mrn"], spo2_low="90"))
    assert session.journal("alarms")[-1]["after"]["active"] is False


def test_only_changed_limits_are_written(session):
    """Saving a form writes nothing about parameters that stayed."""
    row = patient(session, "drift")
    session.post(f"/bed/{row['bed']}/limits", **limits_form(session, row["mrn"], heart_rate_high="125"))
    assert [entry["after"]["parameter"] for entry in session.journal("limits")] == ["heart_rate"]
    assert limit(session, row["mrn"], "heart_rate")["changed_by"] == session.user("monitor_nurse")["user_id"]


def test_a_page_needs_recipient_and_message(session):
    """A complete one is sent."""
    base = f"/bed/{patient(session, 'drift')['bed']}"
    for form in ({"message": "x"}, {"recipient": "icu_physician"}, {"recipient": "nobody", "message": "x"}):
        assert session.post(f"{base}/page", **form).status_code == 422
    assert session.post(f"{base}/page", recipient="icu_physician", message="Come <b>").status_code == 303
    assert "Come &lt;b&gt;" in session.get(f"{base}/patient").text


def test_discharge_asks_and_frees_the_bed(session):
    """The alarms of the patient end, and the bed has to be cleaned before the next one."""
    row = patient(session, "hypoxia")
    base = f"/bed/{row['bed']}"
    assert session.post(f"{base}/discharge").status_code == 422
    assert session.post(f"{base}/discharge", destination="ward").status_code == 200
    session.post(f"{base}/discharge", destination="ward", confirmed="yes")
    assert session.rows("beds")[str(row["bed"])] == {"number": row["bed"], "state": "cleaning", "mrn": None}
    assert not [
        each for each in session.rows("alarms").values() if each["mrn"] == row["mrn"] and each["active"]
    ]
    assert row["mrn"] not in session.get("/alarms").text
    mrn = patient(session, "arrival")["mrn"]
    assert session.post(f"{base}/admit", **admission(mrn)).status_code == 422
    assert session.post(f"{base}/clean").status_code == 303
    assert session.post(f"{base}/clean").status_code == 422


@pytest.mark.parametrize("name", ["mrn", "age_class", "profile", "paced"])
def test_admission_needs_everything(session, free_bed, name):
    """Patient, age class, profile and pacing have to be chosen."""
    form = admission(patient(session, "arrival_other")["mrn"])
    del form[name]
    assert session.post(free_bed, **form).status_code == 422


def test_admission_sets_the_usual_limits(session, free_bed):
    """The patient lies in the bed, is watched, and has the limits of class and profile."""
    row = patient(session, "arrival_other")
    assert session.post(free_bed, **admission(row["mrn"], profile="neuro")).status_code == 303
    stored = patient(session, "arrival_other")
    assert (stored["status"], stored["identity_checked"], stored["paced"]) == ("monitored", True, False)
    assert f"/bed/{stored['bed']}/admit" == free_bed
    assert {name: limit(session, row["mrn"], name)["low"] for name in LIMITS} == {
        "heart_rate": 50.0,
        "spo2": 90.0,
        "respiratory_rate": 8.0,
        "abp_mean": 70.0,
        "temp_c": 35.5,
    }
    assert "No trend yet" in session.get(f"/bed/{stored['bed']}/trends").text


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"identity": ""}, "identity band has not been checked"),
        ({"age_class": "neonatal"}, "Neonatal does not fit"),
    ],
)
def test_odd_admissions_ask_first(session, free_bed, changes, shown):
    """An unchecked identity, or a class that contradicts the date of birth, has to be confirmed."""
    form = admission(patient(session, "arrival_other")["mrn"], **changes)
    answer = session.post(free_bed, **form)
    assert answer.status_code == 200
    assert shown in answer.text
    assert session.journal("patients") == []
    assert session.post(free_bed, **form, confirmed="yes").status_code == 303


def test_a_child_with_the_limits_of_an_adult_sets_off_alarms(open_session):
    """Wrong limits are compared with the monitor at once."""
    for seed in range(12):
        session = open_session(seed)
        session.login("monitor_nurse")
        row = patient(session, "arrival")
        if row["birth_date"] > "2008":
            break
    bed = next(each["number"] for each in session.rows("beds").values() if each["state"] == "ready")
    session.post(f"/bed/{bed}/admit", **admission(row["mrn"]), confirmed="yes")
    assert {entry["after"]["label"] for entry in session.journal("alarms")} == {"HR high"}


@pytest.mark.parametrize(
    ("window", "rows"), [("4", 17), ("12", 13), ("24", 13), ("72", 13), ("nonsense", 17)]
)
def test_windows_of_the_trend_table(session, window, rows):
    """A longer window has wider steps; the first one is four hours."""
    page = session.get(f"/bed/{patient(session, 'drift')['bed']}/trends?view=table&window={window}")
    assert page.text.count("<tr><td>") == rows
