"""The rules of the flowsheets: what is refused, warned about and allowed, and what the pages show."""

import json
import re
from datetime import datetime

import pytest

SET = {
    "temp_c": "38.4",
    "heart_rate": "96",
    "respiratory_rate": "21",
    "systolic": "105",
    "diastolic": "60",
    "spo2": "94",
    "oxygen": "oxygen",
    "oxygen_flow": "2",
    "consciousness": "alert",
    "pain": "3",
}
WOUND = {"region": "left_heel", "stage": "stage_3", "length_cm": "4.2", "width_cm": "3.1", "depth_cm": "0.8"}
NOTE = {"focus": "Pain", "data": "Pain 7.", "action": "Ice.", "response": "Pain 2."}
RAPID = {
    "trigger": "Early warning score",
    "news2": "9",
    "called_at": "00:10",
    "arrived_at": "00:15",
    "actions": "Oxygen.",
    "outcome": "Stays on the unit",
}
HOSTILE = "<script>alert(1)</script>"


def mrn_of(session, story):
    """Return the number of the patient of a story."""
    rows = session.rows("patients").values()
    return next(row["mrn"] for row in rows if json.loads(row["story"])["name"] == story)


@pytest.fixture
def bed(session):
    """Builds addresses of a patient by story."""
    return lambda story, *parts: "/".join(("/beds", mrn_of(session, story), *map(str, parts)))


def last(session, collection):
    """Return the latest journalled image of a collection."""
    return session.journal(collection)[-1]["after"]


def test_a_column_is_stored_as_typed(session, bed):
    """All values arrive in one set."""
    assert session.post(bed("record_vitals", "vitals"), **SET).status_code == 303
    stored = last(session, "vitals")
    assert {name: str(stored[name]) for name in SET} == SET | {"oxygen_flow": "2.0"}
    assert stored["by"] == session.user("shift_nurse")["user_id"]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"heart_rate": "fast"}, "enter a whole number"),
        ({"heart_rate": "301"}, "enter 10 to 300"),
        ({"temp_c": "101"}, "enter 25 to 45"),
        ({"spo2": "101"}, "enter 30 to 100"),
        ({"pain": "11"}, "enter 0 to 10"),
        ({"systolic": "80", "diastolic": "80"}, "must be below"),
        ({"oxygen_flow": "2"}, "choose “Oxygen”"),
        ({"oxygen": "steam"}, "choose one of the options"),
        ({}, "at least one value"),
    ],
)
def test_impossible_values_are_refused(session, bed, form, message):
    """Nothing is stored, and the sheet says why."""
    answer = session.post(bed("record_vitals", "vitals"), **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("vitals") == []


@pytest.mark.parametrize(
    "form", [{"heart_rate": "180"}, {"temp_c": "41"}, {"spo2": "80"}, {"respiratory_rate": "40"}]
)
def test_unusual_values_ask(session, bed, form):
    """They are stored when confirmed, and marked so."""
    address = bed("record_vitals", "vitals")
    assert "Confirm unusual values" in session.post(address, **form).text
    assert session.journal("vitals") == []
    session.post(address, **form, confirmed="yes")
    assert last(session, "vitals")["warned"] is True


def test_a_struck_set_stays_and_counts_no_more(session, bed):
    """The unit sheet then shows the set before."""
    session.post(bed("record_vitals", "vitals"), heart_rate="99")
    (key,) = {entry["key"] for entry in session.journal("vitals")}
    address = bed("record_vitals", "vitals", key, "error")
    assert session.post(address).status_code == 422
    assert session.post(address, error_reason="Wrong patient").status_code == 303
    assert "Struck: Wrong patient" in session.get(bed("record_vitals", "vitals")).text
    assert session.post(address, error_reason="Wrong patient").status_code == 404


@pytest.mark.parametrize(
    ("form", "points"),
    [
        (SET, {"temp_c": 1, "heart_rate": 1, "respiratory_rate": 2, "systolic": 1, "spo2": 1, "oxygen": 2}),
        (SET | {"spo2": "91", "consciousness": "confused"}, {"spo2": 3, "consciousness": 3}),
        (
            SET | {"temp_c": "39.1", "heart_rate": "131", "systolic": "90"},
            {"temp_c": 2, "heart_rate": 3, "systolic": 3},
        ),
    ],
)
def test_cells_are_coloured_by_the_early_warning_score(session, bed, form, points):
    """The newest column carries the points of NEWS2 as its colours."""
    session.post(bed("record_vitals", "vitals"), **form, confirmed="yes")
    page = session.get(bed("record_vitals", "vitals")).text
    labels = {
        "temp_c": "Temperature",
        "heart_rate": "Pulse",
        "respiratory_rate": "Respiratory rate",
        "spo2": "SpO2",
    }
    labels |= {"systolic": "Systolic BP", "oxygen": "Oxygen", "consciousness": "Consciousness"}
    for name, score in points.items():
        row = re.search(rf'<th scope="row" class="left">{labels[name]}\b.*?</tr>', page, re.DOTALL)
        assert row is not None
        assert re.findall(r'<td class="p(\d)">', row[0])[-1] == str(score)


def test_the_second_oxygen_scale_is_used_where_it_is_prescribed(session, bed):
    """A saturation of 90 % scores nothing there, and three points elsewhere."""
    for story, score in (("record_io", "0"), ("record_vitals", "3")):
        session.post(bed(story, "vitals"), spo2="90", oxygen="oxygen")
        row = re.search(r'class="left">SpO2.*?</tr>', session.get(bed(story, "vitals")).text, re.DOTALL)
        assert row is not None
        assert re.findall(r'<td class="p(\d)">', row[0])[-1] == score


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"news2": "21", "response": "urgent"}, "0 to 20"),
        ({"news2": "", "response": "urgent"}, "0 to 20"),
        ({"news2": "7"}, "Choose the response"),
    ],
)
def test_an_escalation_needs_score_and_response(session, bed, form, message):
    """Without them nothing is stored."""
    answer = session.post(bed("deteriorating", "escalations"), **form)
    assert answer.status_code == 422
    assert message in answer.text


def test_a_response_below_the_score_asks(session, bed):
    """It is stored when confirmed; a fitting one at once."""
    address = bed("deteriorating", "escalations")
    assert "below what the score calls for" in session.post(address, news2="5", response="nurse").text
    assert session.journal("escalations") == []
    session.post(address, news2="5", response="nurse", confirmed="yes")
    assert last(session, "escalations")["warned"] is True
    session.post(address, news2="7", response="emergency")
    assert last(session, "escalations")["warned"] is False


def test_volumes_become_entries_and_totals(session, bed):
    """Each kind is an entry of its own, and the balance follows."""
    address = bed("incomplete", "fluids")
    session.post(address, oral="300", urine="450")
    assert [(e["after"]["kind"], e["after"]["volume"]) for e in session.journal("fluids")] == [
        ("oral", 300),
        ("urine", 450),
    ]
    assert '<td class="sum">−150</td>' in session.get(address).text


@pytest.mark.parametrize("form", [{}, {"oral": "0"}, {"oral": "5001"}, {"oral": "1.5"}, {"oral": "much"}])
def test_impossible_volumes_are_refused(session, bed, form):
    """Whole millilitres from 1 to 5000."""
    assert session.post(bed("record_io", "fluids"), **form).status_code == 422
    assert session.journal("fluids") == []


def test_large_volumes_ask(session, bed):
    """More than 1200 ml at once has to be confirmed."""
    address = bed("record_io", "fluids")
    assert "Urine 2400 ml" in session.post(address, urine="2400", oral="100").text
    session.post(address, urine="2400", oral="100", confirmed="yes")
    assert [entry["after"]["warned"] for entry in session.journal("fluids")] == [False, True]


@pytest.fixture
def wrong(session):
    """The entry that contradicts its slip."""
    mrn = mrn_of(session, "wrong_fluid")
    story = json.loads(session.rows("patients")[mrn]["story"])
    return f"/beds/{mrn}/fluids/{story['entry']}", story


def test_striking_and_replacing_keeps_the_old_entry(session, wrong):
    """The new one stands at the same time and names the one it replaces."""
    address, story = wrong
    answer = session.post(address, way="replace", error_reason="Wrong value", volume=str(story["right"]))
    assert answer.status_code == 303
    old, new = session.rows("fluids")[str(story["entry"])], last(session, "fluids")
    assert (old["in_error"], old["error_reason"]) == (True, "Wrong value")
    assert (new["replaces"], new["volume"], new["at"], new["kind"]) == (
        old["id"],
        story["right"],
        old["at"],
        old["kind"],
    )
    assert session.post(address, way="strike", error_reason="Wrong value").status_code == 422


def test_overwriting_is_possible_and_leaves_no_mark(session, wrong):
    """The product lets it happen; the journal has seen it."""
    address, story = wrong
    session.post(address, way="overwrite", volume="111")
    assert session.rows("fluids")[str(story["entry"])]["volume"] == 111
    assert session.journal("fluids")[-1]["op"] == "update"


@pytest.mark.parametrize(
    "form",
    [
        {"way": "replace", "volume": "100"},
        {"way": "replace", "error_reason": "Wrong value"},
        {"way": "strike"},
        {"way": "burn", "error_reason": "Wrong value"},
        {"way": "overwrite", "volume": "0"},
    ],
)
def test_a_correction_needs_reason_and_volume(session, wrong, form):
    """Nothing is stored without them."""
    assert session.post(wrong[0], **form).status_code == 422
    assert session.journal("fluids") == []


def test_an_entry_of_another_patient_is_not_found(session, bed, wrong):
    """Addresses cannot be mixed."""
    number = wrong[1]["entry"]
    assert session.get(bed("record_io", "fluids", number)).status_code == 404


def receiver(session):
    """Return a nurse who may take over."""
    return session.user("staff_nurse")["name"]


def test_documents_go_from_draft_to_signature(session, bed):
    """The draft is filled in again, and the same entry is signed."""
    address = bed("note", "notes")
    session.post(address, do="draft", data="Half of it")
    assert "Half of it" in session.get(address).text
    session.post(address, do="sign", **NOTE)
    assert [entry["after"]["status"] for entry in session.journal("notes")] == ["draft", "signed"]
    assert len({entry["key"] for entry in session.journal("notes")}) == 1


@pytest.mark.parametrize(
    ("document", "form", "message"),
    [
        ("notes", NOTE | {"response": ""}, "Response: must not be empty"),
        ("notes", NOTE | {"focus": "Weather"}, "Focus: choose from the list"),
        ("notes", NOTE | {"data": "x" * 601}, "at most 600"),
        ("rapid", RAPID | {"called_at": "25:00"}, "as HH:MM"),
        ("rapid", RAPID | {"arrived_at": "23:59"}, "not later than now"),
        ("rapid", RAPID | {"arrived_at": "00:05"}, "cannot arrive before"),
        ("rapid", RAPID | {"news2": "21"}, "1 to 20"),
        ("handover", {"receiver": "Nobody", "situation": "s"}, "choose from the list"),
    ],
)
def test_incomplete_or_impossible_documents_are_not_signed(session, bed, document, form, message):
    """Nothing is stored, and the page says what is missing."""
    answer = session.post(bed("note", document), do="sign", **form)
    assert answer.status_code == 422
    assert message in answer.text


def test_what_is_written_is_escaped(session, bed):
    """Text comes back as text."""
    session.post(bed("note", "notes"), do="sign", **(NOTE | {"data": HOSTILE}))
    page = session.get(bed("note", "notes")).text
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page


def test_a_rapid_response_record_and_a_handover_are_signed(session, bed):
    """Everything filled in is accepted."""
    assert session.post(bed("deteriorating", "rapid"), do="sign", **RAPID).status_code == 303
    sbar = dict.fromkeys(("situation", "background", "assessment", "recommendation"), "As told.")
    form = sbar | {"receiver": receiver(session)}
    assert session.post(bed("handover", "handover"), do="sign", **form).status_code == 303


@pytest.mark.parametrize(
    "form",
    [
        WOUND | {"region": ""},
        WOUND | {"stage": "stage_9"},
        WOUND | {"length_cm": "60"},
        WOUND | {"depth_cm": "deep"},
        WOUND | {"exudate": "green"},
    ],
)
def test_impossible_wounds_are_refused(session, bed, form):
    """Region and stage are chosen, sizes are centimetres."""
    assert session.post(bed("wound", "wounds"), **form).status_code == 422
    assert session.journal("wounds") == []


def test_a_depth_under_closed_skin_asks_and_a_wound_can_be_struck(session, bed):
    """Stage 1 is unbroken skin; what was saved wrongly stays, struck."""
    address = bed("wound", "wounds")
    assert "closed skin" in session.post(address, **(WOUND | {"stage": "stage_1"})).text
    assert session.post(address, **WOUND).status_code == 303
    key = session.journal("wounds")[-1]["key"]
    assert session.post(f"{address}/{key}/error", error_reason="x").status_code == 422
    assert session.post(f"{address}/{key}/error", error_reason="Wrong value").status_code == 303
    assert session.post(f"{address}/{key}/error", error_reason="Wrong value").status_code == 404


def test_signing_off_with_open_points_asks_and_says_so(session, bed):
    """It can be done, is marked, and only once."""
    address = bed("incomplete", "signoff")
    assert "Vital signs within the last 4 hours" in session.post(address).text
    assert session.journal("patients") == []
    session.post(address, confirmed="yes")
    assert last(session, "patients")["signed_off_incomplete"] is True
    assert session.post(address).status_code == 422


def test_a_complete_checklist_is_signed_off_at_once(session, bed):
    """What was open is charted first."""
    assert session.get(bed("incomplete", "signoff")).text.count(">Open<") == 3
    session.post(bed("incomplete", "vitals"), **SET)
    session.post(bed("incomplete", "fluids"), oral="200", urine="300")
    assert session.post(bed("incomplete", "signoff")).status_code == 303
    assert last(session, "patients")["signed_off_incomplete"] is False


def test_physicians_read_only(open_session):
    """Nurses chart in the sheets."""
    session = open_session()
    session.login("physician")
    base = f"/beds/{mrn_of(session, 'incomplete')}"
    number = next(iter(session.rows("fluids")))
    owner = session.rows("fluids")[number]["mrn"]
    wound, vitals = next(iter(session.rows("wounds"))), next(iter(session.rows("vitals")))
    for address, form in (
        (f"{base}/vitals", SET),
        (f"{base}/vitals/{vitals}/error", {"error_reason": "Wrong value"}),
        (f"{base}/escalations", {"news2": "7", "response": "emergency"}),
        (f"{base}/fluids", {"oral": "100"}),
        (f"/beds/{owner}/fluids/{number}", {"way": "strike", "error_reason": "Wrong value"}),
        (f"{base}/notes", NOTE | {"do": "sign"}),
        (f"{base}/wounds", WOUND),
        (f"{base}/wounds/{wound}/error", {"error_reason": "Wrong value"}),
        (f"{base}/signoff", {}),
    ):
        answer = session.post(address, **form)
        assert answer.status_code == 422, address
        assert "nurses chart" in answer.text


def test_unknown_addresses_lead_nowhere(session, bed):
    """Sections, entries and patients that do not exist are not found."""
    for address in ("/beds/1/vitals", bed("note", "diary"), bed("note", "fluids", "99999")):
        assert session.get(address).status_code == 404


@pytest.fixture
def patients(state):
    """Patients of the seed by story."""
    return {json.loads(row["story"])["name"]: row for row in state["collections"]["patients"].values()}


def rows_of(state, collection, patient):
    """Return what a collection holds of a patient, oldest first."""
    rows = state["collections"][collection].values()
    return sorted((row for row in rows if row["mrn"] == patient["mrn"]), key=lambda row: row["at"])


def test_every_seed_makes_every_task_possible(state, patients):
    """Struck, missing and stale values are where the tasks need them."""
    sets = rows_of(state, "vitals", patients["read_vitals"])
    assert [(row["temp_c"] is None, row["in_error"]) for row in sets[-3:]] == [
        (False, False),
        (True, False),
        (False, True),
    ]
    assert sets[-1]["temp_c"] != sets[-3]["temp_c"]
    now, started = state["clock"], state["collections"]["shift"]["1"]["started_at"]
    for story in ("incomplete", "record_vitals"):
        newest = rows_of(state, "vitals", patients[story])[-1]["at"]
        waited = datetime.fromisoformat(now) - datetime.fromisoformat(newest)
        assert waited.total_seconds() > 6 * 3600
    assert all(row["at"] < started for row in rows_of(state, "fluids", patients["incomplete"]))
    assert rows_of(state, "notes", patients["incomplete"])
    assert rows_of(state, "handovers", patients["incomplete"])
    assert not rows_of(state, "notes", patients["note"])
    assert {row["region"] for row in rows_of(state, "wounds", patients["wound"])} == {"sacrum"}
    assert all(
        row["at"] <= now for name in ("vitals", "fluids") for row in state["collections"][name].values()
    )


def test_the_wrong_entry_makes_the_lowest_balance(state, patients):
    """It contradicts its slip by a nought, and no other entry contradicts any."""
    started = state["collections"]["shift"]["1"]["started_at"]

    def balance(patient):
        signs = dict.fromkeys(("oral", "infusion", "tube", "blood"), 1)
        rows = [
            row for row in rows_of(state, "fluids", patient) if row["at"] >= started and not row["in_error"]
        ]
        return sum(row["volume"] * signs.get(row["kind"], -1) for row in rows)

    balances = {story: balance(patient) for story, patient in patients.items()}
    assert sorted(balances, key=balances.__getitem__)[0] == "wrong_fluid"
    assert (
        balances["wrong_fluid"]
        < min(value for story, value in balances.items() if story != "wrong_fluid") - 300
    )
    wrong = json.loads(patients["wrong_fluid"]["story"])
    slips = {
        (row["at"], int(re.findall(r"(\d+) ml", row["text"])[0]))
        for row in state["collections"]["slips"].values()
    }
    charted = [
        row
        for row in rows_of(state, "fluids", patients["wrong_fluid"])
        if row["at"] >= started and row["kind"] in ("urine", "drain")
    ]
    assert [row["id"] for row in charted if (row["at"], row["volume"]) not in slips] == [wrong["entry"]]
    assert len({row["at"] for row in charted}) == len(charted)


def test_names_and_beds_are_unique(patients):
    """Nobody can be confused by number, and two pairs by name."""
    assert len(patients) == 10
    assert patients["record_io"]["family_name"] == patients["wound"]["family_name"]
    assert patients["record_vitals"]["family_name"][:3] == patients["read_vitals"]["family_name"][:3]
