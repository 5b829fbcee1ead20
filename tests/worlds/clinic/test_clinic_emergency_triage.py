"""The rules of the emergency department: what is refused, warned about and allowed."""

import pytest

ADULT = "abdominal_pain"
CHILD = ("child_vomiting", "child_head_injury")


def last(session, collection):
    """Return the latest journalled image of a collection."""
    return session.journal(collection)[-1]["after"]


def test_values_are_stored_as_entered_and_in_one_unit(session):
    """All fields of a set arrive; °F and lb are kept and converted to one decimal of °C and kg."""
    answer = session.post(
        session.chart(ADULT, tab="vitals"),
        heart_rate="102",
        systolic="118",
        diastolic="78",
        spo2="97",
        oxygen="nasal_cannula",
        temperature="101.5",
        temperature_unit="F",
        respiratory_rate="20",
        gcs="15",
        pain="0",
        weight="165",
        weight_unit="lb",
    )
    assert answer.status_code == 303
    stored = last(session, "vitals")
    patient = session.patient(ADULT)
    expected = {
        "mrn": patient["mrn"],
        "visit_no": patient["visit_no"],
        "by": session.user()["user_id"],
        "heart_rate": 102,
        "systolic": 118,
        "diastolic": 78,
        "spo2": 97,
        "oxygen": "nasal_cannula",
        "temperature": 101.5,
        "temperature_unit": "F",
        "temp_c": 38.6,
        "respiratory_rate": 20,
        "gcs": 15,
        "pain": 0,
        "weight": 165.0,
        "weight_unit": "lb",
        "weight_kg": 74.8,
        "unusual_confirmed": False,
        "in_error": False,
    }
    assert {name: stored[name] for name in expected} == expected
    assert patient["weight_kg"] == 74.8


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"heart_rate": "fast"}, "Enter a whole number."),
        ({"heart_rate": "88.5"}, "Enter a whole number."),
        ({"heart_rate": "-5"}, "Enter a whole number."),
        ({"heart_rate": "٨٨"}, "Enter a whole number."),
        ({"heart_rate": "301"}, "enter 1 to 300"),
        ({"heart_rate": "0"}, "enter 1 to 300"),
        ({"systolic": "310"}, "enter 30 to 300"),
        ({"diastolic": "5"}, "enter 10 to 200"),
        ({"systolic": "80", "diastolic": "80"}, "Must be below the systolic value."),
        ({"spo2": "101"}, "enter 30 to 100"),
        ({"temperature": "101"}, "Not possible in °C"),
        ({"temperature": "38.6", "temperature_unit": "F"}, "Not possible in °F"),
        ({"temperature": "38,6"}, "Enter a number"),
        ({"temperature": "1e2"}, "Enter a number"),
        ({"temperature": "37", "temperature_unit": "K"}, "Choose one of the units"),
        ({"respiratory_rate": "121"}, "enter 1 to 120"),
        ({"gcs": "2"}, "enter 3 to 15"),
        ({"gcs": "16"}, "enter 3 to 15"),
        ({"pain": "11"}, "enter 0 to 10"),
        ({"weight": "401"}, "enter 0.3 to 400"),
        ({"weight": "1000", "weight_unit": "lb"}, "882 lb"),
        ({"heart_rate": "80", "oxygen": "steam"}, "Choose from the list."),
        ({"oxygen": "room_air"}, "enter at least one measurement"),
        ({}, "enter at least one measurement"),
    ],
)
def test_impossible_vitals_are_refused(session, form, message):
    """A value that cannot be is refused at its field, keeps what was typed, and nothing is stored."""
    address = session.chart(ADULT, tab="vitals")
    session.get(address)
    before = session.state()
    answer = (
        session.post(address, pain="4", **form)
        if len(form) > 1 and "oxygen" not in form
        else session.post(address, **form)
    )
    assert answer.status_code == 422
    assert message in answer.text
    assert session.state() == before


@pytest.mark.parametrize(
    ("presentations", "form", "shown"),
    [
        ((ADULT,), {"heart_rate": "190"}, "Heart rate 190 /min"),
        ((ADULT,), {"systolic": "70", "diastolic": "40"}, "Systolic BP 70 mmHg"),
        ((ADULT,), {"spo2": "80"}, "SpO2 80 %"),
        ((ADULT,), {"temperature": "106", "temperature_unit": "F"}, "Temperature 106 °F"),
        ((ADULT,), {"respiratory_rate": "40"}, "Respiratory rate 40 /min"),
        (CHILD, {"weight": "90"}, "Weight 90 kg"),
        (CHILD, {"heart_rate": "50"}, "Heart rate 50 /min"),
    ],
)
def test_unusual_vitals_ask_and_are_stored_when_confirmed(session, presentations, form, shown):
    """A possible but odd value is shown in a dialog first; confirming stores it and says so."""
    address = session.chart(*presentations, tab="vitals")
    question = session.post(address, **form)
    assert question.status_code == 200
    assert "Confirm unusual values" in question.text
    assert shown in question.text
    assert session.journal("vitals") == []
    assert session.post(address, **form, confirmed="yes").status_code == 303
    assert last(session, "vitals")["unusual_confirmed"] is True


def test_usual_depends_on_age(session):
    """A heart rate that is fine for a child is stored at once for the child."""
    assert session.post(session.chart(*CHILD, tab="vitals"), heart_rate="120").status_code == 303


def test_same_set_twice_is_two_sets(session):
    """Saving again stores again, as in a real system."""
    address = session.chart(ADULT, tab="vitals")
    for _ in range(2):
        session.post(address, heart_rate="80")
    assert len(session.journal("vitals")) == 2


def test_set_in_error_stays_and_takes_its_weight_along(session):
    """A set marked in error stays listed, and its weight is no longer the patient's."""
    address = session.chart(ADULT, tab="vitals")
    session.post(address, weight="180")
    assert session.patient(ADULT)["weight_kg"] == 180.0
    key = session.journal("vitals")[-1]["key"]
    assert session.post(f"{address}/{key}/error").status_code == 303
    assert session.rows("vitals")[key]["in_error"] is True
    assert session.patient(ADULT)["weight_kg"] is None
    assert "Entered in error" in session.get(address).text
    assert session.post(f"{address}/{key}/error").status_code == 404


def test_set_of_another_patient_cannot_be_marked(session):
    """A set is marked only through the chart that it belongs to."""
    session.post(session.chart(ADULT, tab="vitals"), heart_rate="80")
    key = session.journal("vitals")[-1]["key"]
    assert session.post(f"{session.chart('dyspnea', tab='vitals')}/{key}/error").status_code == 404
    assert session.rows("vitals")[key]["in_error"] is False


def test_start_of_triage(session):
    """A waiting patient is taken to triage by the user, once."""
    address = session.chart(ADULT, tab="triage/start")
    assert session.post(address).status_code == 303
    row = session.patient(ADULT)
    assert (row["status"], row["nurse"]) == ("in_triage", session.user()["user_id"])
    assert session.post(address).status_code == 422


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"reason": "one"}, "Choose an ESI level."),
        ({"esi": "6", "reason": "one"}, "Choose an ESI level."),
        ({"esi": "3"}, "Choose the reason"),
        ({"esi": "3", "reason": "because"}, "Choose the reason"),
    ],
)
def test_esi_needs_level_and_reason(session, form, message):
    """A level without reason, or a reason without level, is refused."""
    answer = session.post(session.chart(ADULT, tab="triage/esi"), **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.patient(ADULT)["esi"] is None


def test_triage_cannot_be_completed_before_it_started(session):
    """A waiting patient has to be taken to triage first."""
    answer = session.post(session.chart(ADULT, tab="triage/complete"))
    assert answer.status_code == 422
    assert "after it was started" in answer.text


def test_completion_names_everything_that_is_missing(session):
    """The refusal lists acuity, allergy review and, for a child, the weight."""
    address = session.chart(*CHILD, tab="triage")
    session.post(f"{address}/start")
    answer = session.post(f"{address}/complete", confirmed="yes")
    assert answer.status_code == 422
    for text in ("No ESI level", "Allergies have not been reviewed", "A weight is required"):
        assert text in answer.text
    assert session.patient(*CHILD)["status"] == "in_triage"


def test_adult_needs_no_weight_and_missing_vitals_only_ask(session):
    """Without vitals in this visit the completion asks; confirmed it is stored with that fact."""
    address = session.chart(ADULT, tab="triage")
    session.post(f"{address}/start")
    session.post(f"{address}/esi", esi="3", reason="two_or_more")
    patient = session.patient(ADULT)
    listed = [row for row in session.rows("allergies").values() if row["mrn"] == patient["mrn"]]
    session.post(session.chart(ADULT, tab="allergies/review" if listed else "allergies/none"))
    question = session.post(f"{address}/complete")
    assert "No vital signs were recorded in this visit." in question.text
    assert session.patient(ADULT)["status"] == "in_triage"
    assert session.post(f"{address}/complete", confirmed="yes").status_code == 303
    row = session.patient(ADULT)
    assert (row["status"], row["triaged_by"]) == ("triaged", session.user()["user_id"])
    assert row["triaged_without_vitals"] is True
    assert session.post(f"{address}/complete", confirmed="yes").status_code == 422


def test_only_the_triage_nurse_decides(open_session):
    """Other staff may chart vitals but not start or complete triage, set ESI or disposition."""
    session = open_session()
    session.login("staff_nurse")
    assert session.post(session.chart(ADULT, tab="vitals"), heart_rate="80").status_code == 303
    before = session.rows("patients")
    forms = {
        "triage/start": {},
        "triage/esi": {"esi": "3", "reason": "two_or_more"},
        "triage/complete": {},
        "disposition": {"disposition": "ward"},
    }
    for tab, form in forms.items():
        answer = session.post(session.chart("dyspnea", tab=tab), **form)
        assert answer.status_code == 422
        assert "triage decisions are made by the triage nurse" in answer.text
    assert session.rows("patients") == before


def test_disposition_needs_an_esi_and_a_choice(session):
    """Without acuity or without a choice nothing is stored."""
    answer = session.post(session.chart(ADULT, tab="disposition"), disposition="ward")
    assert answer.status_code == 422
    assert "needs an ESI level" in answer.text
    answer = session.post(session.chart("dyspnea", tab="disposition"), note="to be decided")
    assert "Choose a disposition." in answer.text
    answer = session.post(session.chart("dyspnea", tab="disposition"), disposition="ward", note="x" * 501)
    assert "At most 500 characters." in answer.text
    assert session.patient("dyspnea")["disposition"] is None


def test_disposition_is_stored_with_note(session):
    """A fitting choice is stored at once and can be changed later."""
    address = session.chart("dyspnea", tab="disposition")
    assert session.post(address, disposition="icu", note="Dr. agrees").status_code == 303
    assert session.post(address, disposition="ward").status_code == 303
    row = session.patient("dyspnea")
    assert (row["disposition"], row["disposition_note"], row["disposition_warned"]) == ("ward", "", False)
    assert len(session.journal("patients")) == 2


@pytest.mark.parametrize(
    ("esi", "disposition", "asks"),
    [
        ("1", "waiting_room", True),
        ("2", "fast_track", True),
        ("2", "discharge", True),
        ("2", "resuscitation", False),
        ("3", "discharge", True),
        ("3", "fast_track", False),
        ("4", "resuscitation", True),
        ("5", "icu", True),
        ("5", "discharge", False),
    ],
)
def test_contradicting_disposition_asks_first(session, esi, disposition, asks):
    """A place that does not fit the acuity is stored only after a confirmation, which is kept."""
    session.post(session.chart("dyspnea", tab="triage/esi"), esi=esi, reason="one")
    address = session.chart("dyspnea", tab="disposition")
    answer = session.post(address, disposition=disposition)
    assert ("is not usual for a patient with ESI" in answer.text) is asks
    assert answer.status_code == (200 if asks else 303)
    assert (session.patient("dyspnea")["disposition"] is None) is asks
    session.post(address, disposition=disposition, confirmed="yes")
    row = session.patient("dyspnea")
    assert (row["disposition"], row["disposition_warned"]) == (disposition, asks)


def test_allergy_from_free_text(session):
    """A substance that is not offered may be typed; reaction is optional."""
    address = session.chart(*CHILD, tab="allergies")
    assert session.post(address, substance="  Strawberries ", severity="mild").status_code == 303
    row = last(session, "allergies")
    assert (row["substance"], row["reaction"], row["severity"]) == ("Strawberries", "", "mild")
    assert "Strawberries" in session.get(session.chart(*CHILD)).text


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"severity": "mild"}, "Enter or choose a substance."),
        ({"substance": "Latex"}, "Choose a severity."),
        ({"substance": "Latex", "severity": "awful"}, "Choose a severity."),
        ({"substance": "x" * 61, "severity": "mild"}, "At most 60 characters."),
    ],
)
def test_incomplete_allergy_is_refused(session, form, message):
    """Substance and severity are required."""
    answer = session.post(session.chart(*CHILD, tab="allergies"), **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("allergies") == []


def test_allergy_is_listed_once(session):
    """The same substance is refused while it is on the list, whatever its case."""
    address = session.chart(*CHILD, tab="allergies")
    session.post(address, substance="Latex", severity="mild")
    assert "already on the list" in session.post(address, substance="LATEX", severity="severe").text
    key = session.journal("allergies")[-1]["key"]
    session.post(f"{address}/{key}/error")
    assert session.post(address, substance="LATEX", severity="severe").status_code == 303


def test_review_of_an_empty_list_is_refused(session):
    """An empty list has to be declared as no known allergies, which counts as the review."""
    address = session.chart(*CHILD, tab="allergies")
    assert "The list is empty" in session.post(f"{address}/review").text
    assert session.post(f"{address}/none").status_code == 303
    row = session.patient(*CHILD)
    assert row["no_known_allergies"] is True
    assert row["allergies_reviewed_by"] == session.user()["user_id"]


def test_no_known_allergies_and_a_list_exclude_each_other(session):
    """Declaring none is refused while something is listed; adding something takes the declaration back."""
    address = session.chart(*CHILD, tab="allergies")
    session.post(f"{address}/none")
    session.post(address, substance="Latex", severity="mild")
    assert session.patient(*CHILD)["no_known_allergies"] is False
    assert "cannot be declared" in session.post(f"{address}/none").text
    assert session.post(f"{address}/review").status_code == 303


def test_wristband_needs_a_printer_and_a_reason_for_another(session):
    """A first band needs a printer only; each further one also a reason."""
    address = session.chart("ankle_injury", tab="wristband")
    assert "Choose a printer." in session.post(address).text
    assert session.post(address, printer="Triage 2").status_code == 303
    assert "choose the reason" in session.post(address, printer="Triage 2").text
    assert session.post(address, printer="Registration", reason="Band lost").status_code == 303
    prints = [entry["after"] for entry in session.journal("wristband_prints")]
    assert [(row["printer"], row["reason"]) for row in prints] == [
        ("Triage 2", None),
        ("Registration", "Band lost"),
    ]
