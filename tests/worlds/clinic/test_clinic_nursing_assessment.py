"""The rules of the bedside tablet: what is refused, warned about and allowed, and what its pages show."""

import json
import re
from datetime import datetime

import pytest

BRADEN = {
    "sensory": "3",
    "moisture": "2",
    "activity": "1",
    "mobility": "2",
    "nutrition": "2",
    "friction": "1",
}
MORSE = {"history": "25", "secondary": "15", "aid": "0", "iv": "20", "gait": "10", "mental": "0"}
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def bedside(session):
    """Builds addresses of a patient by story."""

    def address(story, *parts):
        mrn = next(
            row["mrn"]
            for row in session.rows("patients").values()
            if json.loads(row["story"])["name"] == story
        )
        return "/".join((f"/patients/{mrn}", *map(str, parts)))

    return address


def sign(session, address, **form):
    """Send a form for signing."""
    return session.post(address, **{"reason": "routine", "action": "sign", **form})


def last(session, collection):
    """Return the latest journalled image of a collection."""
    return session.journal(collection)[-1]["after"]


@pytest.mark.parametrize(
    ("form", "points", "total", "band"),
    [
        ("braden", BRADEN, 11, "high"),
        ("braden", dict.fromkeys(BRADEN, "1"), 6, "very_high"),
        ("braden", BRADEN | {"sensory": "4", "moisture": "3"}, 13, "moderate"),
        ("braden", BRADEN | {"sensory": "4", "moisture": "4", "activity": "2"}, 15, "mild"),
        ("braden", dict.fromkeys(BRADEN, "3") | {"sensory": "4"}, 19, "none"),
        ("morse", MORSE | {"history": "0", "secondary": "0"}, 30, "moderate"),
        ("morse", MORSE | {"iv": "0", "history": "0", "gait": "0"}, 15, "low"),
        ("morse", MORSE | {"secondary": "0", "gait": "0"}, 45, "high"),
        ("gcs", {"eye": "3", "verbal": "4", "motor": "5"}, 12, "moderate"),
        ("gcs", {"eye": "2", "verbal": "2", "motor": "4"}, 8, "severe"),
        ("gcs", {"eye": "3", "verbal": "0", "motor": "5"}, None, None),
        ("pain", {"rest": "2", "movement": "7"}, 7, "severe"),
        ("must", {"bmi": "1", "loss": "0", "acute": "2"}, 3, "high"),
        ("must", {"bmi": "1", "loss": "0", "acute": "0"}, 1, "medium"),
    ],
)
def test_totals_and_classes_follow_the_published_cut_offs(session, bedside, form, points, total, band):
    """A signed form stores its total and risk class; with a part not testable there is neither."""
    assert sign(session, bedside("gcs_new", form), **points).status_code == 303
    stored = last(session, form)
    assert (stored["total"], stored["band"], stored["status"]) == (total, band, "signed")
    assert stored["by"] == session.user("bedside_nurse")["user_id"]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({name: value for name, value in BRADEN.items() if name != "moisture"}, "Choose one"),
        (BRADEN | {"friction": "4"}, "Choose one"),
        (BRADEN | {"sensory": "x"}, "Choose one"),
        (BRADEN | {"reason": "because"}, "Not saved"),
    ],
)
def test_an_incomplete_or_impossible_form_is_not_signed(session, bedside, form, message):
    """What is missing is marked, what was chosen stays, and nothing is stored."""
    answer = sign(session, bedside("braden_new", "braden"), **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("braden") == []


def test_a_detail_must_come_from_its_list(session, bedside):
    """Location and pupils are chosen, not typed."""
    answer = sign(session, bedside("pain_new", "pain"), rest="1", movement="2", location=HOSTILE)
    assert answer.status_code == 422
    assert HOSTILE not in answer.text


def test_a_draft_may_be_incomplete_and_is_signed_later(session, bedside):
    """The same entry goes on from draft to signature; nobody else's draft is touched."""
    address = bedside("braden_new", "braden")
    session.post(address, reason="routine", action="draft", sensory="3")
    assert "You left a draft" in session.get(address).text
    sign(session, address, **BRADEN)
    kinds = [(entry["op"], entry["after"]["status"]) for entry in session.journal("braden")]
    assert kinds == [("insert", "draft"), ("update", "signed")]
    assert len({entry["key"] for entry in session.journal("braden")}) == 1


def test_an_own_draft_can_be_discarded_and_a_colleagues_cannot(session, bedside):
    """Discarding removes what this user left open, nothing else."""
    session.post(bedside("braden_new", "braden"), reason="routine", action="draft", sensory="3")
    assert session.post(bedside("braden_new", "braden", "discard")).status_code == 303
    assert session.journal("braden")[-1]["op"] == "delete"
    assert session.post(bedside("braden_read", "braden", "discard")).status_code == 404


def test_carrying_forward_fills_in_the_last_valid_values(session, bedside):
    """Struck assessments and drafts are passed over."""
    mrn = bedside("braden_read").rpartition("/")[2]
    rows = [row for row in session.rows("braden").values() if row["mrn"] == mrn]
    valid = [row for row in rows if row["status"] == "signed" and not row["in_error"]]
    newest = max(valid, key=lambda row: row["at"])
    page = session.get(bedside("braden_read", "braden") + "?carry=1").text
    chosen = dict(re.findall(r'name="(\w+)" value="(\d)" aria-label="[^"]*" checked', page))
    assert chosen == {name: str(newest[name]) for name in BRADEN}


def test_unchanged_carried_values_ask_before_signing(session, bedside):
    """A copy needs a second confirmation, and says that it is one."""
    address = bedside("multi_skin", "braden")
    mrn = bedside("multi_skin").rpartition("/")[2]
    rows = [row for row in session.rows("braden").values() if row["mrn"] == mrn]
    newest = max(rows, key=lambda row: row["at"])
    copied = {name: str(newest[name]) for name in BRADEN} | {"carried": "yes"}
    question = sign(session, address, **copied)
    assert (question.status_code, "none was changed" in question.text) == (200, True)
    assert session.journal("braden") == []
    assert sign(session, address, **copied, confirmed="yes").status_code == 303
    assert last(session, "braden")["carried"] is True


def test_signing_twice_within_the_hour_asks(session, bedside):
    """The second entry is stored only when confirmed."""
    address = bedside("morse_new", "morse")
    sign(session, address, **MORSE)
    assert "less than an hour ago" in sign(session, address, **MORSE).text
    assert len(session.journal("morse")) == 1
    sign(session, address, **MORSE, confirmed="yes")
    assert len(session.journal("morse")) == 2


def test_a_struck_assessment_stays_in_the_list_and_counts_no_more(session, bedside):
    """Striking needs a reason; the ward view then shows the one before."""
    mrn = bedside("planned").rpartition("/")[2]
    rows = [row for row in session.rows("braden").values() if row["mrn"] == mrn]
    newest, before = sorted(rows, key=lambda row: row["at"])[:-3:-1]
    address = bedside("planned", "braden", newest["id"], "error")
    assert session.post(address, error_reason="because").status_code == 422
    assert session.post(address, error_reason="Wrong score").status_code == 303
    assert "Entered in error" in session.get(bedside("planned", "braden", "history")).text
    card = session.get("/ward").text.split(mrn, 1)[1]
    assert f">{before['total']}</b>" in card.split("Morse", 1)[0]
    assert session.post(address, error_reason="Wrong score").status_code == 404


def test_measures_are_started_stopped_and_replaced_by_kind(session, bedside):
    """Another repositioning interval ends the one that runs."""
    address = bedside("bundle", "plan", "skin")
    assert session.post(address, **{"start-turn_2": "yes", "start-air": "yes"}).status_code == 303
    mrn = bedside("bundle").rpartition("/")[2]
    rows = [
        row for row in session.rows("interventions").values() if row["mrn"] == mrn and row["domain"] == "skin"
    ]
    running = {row["measure"]: row["id"] for row in rows if row["stopped_at"] is None}
    assert set(running) == {"skin_daily", "heels", "turn_2", "air"}
    assert session.post(f"{address}/{running['air']}/stop").status_code == 303
    assert session.post(f"{address}/{running['air']}/stop").status_code == 404


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({}, "Choose at least one"),
        ({"start-heels": "yes"}, "runs already"),
        ({"start-turn_2": "yes", "start-turn_3": "yes"}, "only one measure for: repositioning"),
    ],
)
def test_a_plan_without_sense_is_refused(session, bedside, form, message):
    """Nothing chosen, what runs already, or two of a kind."""
    answer = session.post(bedside("bundle", "plan", "skin"), **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("interventions") == []


def test_leaving_the_bed_against_the_order_asks(session, bedside):
    """Strict bed rest is the physician's order; going on is stored as warned."""
    address = bedside("unplanned", "plan", "skin")
    question = session.post(address, **{"start-chair": "yes"})
    assert "strict bed rest" in question.text
    assert session.journal("interventions") == []
    session.post(address, **{"start-chair": "yes"}, confirmed="yes")
    assert last(session, "interventions")["warned"] is True


def test_physicians_read_only(open_session, bedside):
    """Assessments and measures are charted by nurses."""
    session = open_session()
    session.login("physician")
    for address, form in (
        (bedside("braden_new", "braden"), BRADEN | {"reason": "routine", "action": "sign"}),
        (bedside("bundle", "plan", "skin"), {"start-air": "yes"}),
        (bedside("planned", "braden", "1", "error"), {"error_reason": "Wrong score"}),
        (bedside("planned", "plan", "skin", "1", "stop"), {}),
    ):
        answer = session.post(address, **form)
        assert answer.status_code == 422
        assert "charted by nurses" in answer.text


def test_the_ward_shows_what_is_overdue(session):
    """As many tiles say so as schedules have passed."""
    assert 2 <= session.get("/ward").text.count("<i>overdue</i>") <= 4


def test_unknown_addresses_lead_nowhere(session, bedside):
    """Forms, parts of the plan and patients that do not exist are not found."""
    for address in (
        "/patients/1",
        bedside("bundle", "apgar"),
        bedside("bundle", "plan", "diet"),
        "/patients/1/braden",
    ):
        assert session.get(address).status_code == 404


def test_the_search_for_a_struck_row_is_escaped(session, bedside):
    """What stands in the address does not come back as markup."""
    page = session.get(bedside("bundle", "braden", "history") + f"?strike={HOSTILE}")
    assert page.status_code == 200
    assert HOSTILE not in page.text


def test_every_seed_makes_every_task_possible(state):
    """Stories, findings, classes and measures are as the tasks need them."""
    rows = state["collections"]
    patients = {json.loads(row["story"])["name"]: row for row in rows["patients"].values()}
    assert len(patients) == len(rows["patients"]) == 12

    def valid(form, story):
        found = [row for row in rows[form].values() if row["mrn"] == patients[story]["mrn"]]
        counted = [row for row in found if row["status"] == "signed" and not row["in_error"]]
        return sorted(counted, key=lambda row: row["at"])

    high = {story for story in patients if valid("braden", story)[-1]["band"] == "high"}
    assert high == {"unplanned", "planned"}
    skin = {row["mrn"] for row in rows["interventions"].values() if row["domain"] == "skin"}
    assert {story for story in patients if patients[story]["mrn"] not in skin} == {"unplanned"}
    assert patients["unplanned"]["mobility_order"] == "bed_rest"
    for story, patient in patients.items():
        for form, points in json.loads(patient["story"])["now"].items():
            before = valid(form, story)[-1]
            assert form == "must" or any(before[key] != value for key, value in points.items())
    read = [row for row in rows["braden"].values() if row["mrn"] == patients["braden_read"]["mrn"]]
    newest = sorted(read, key=lambda row: row["at"])[-3:]
    assert [(row["status"], row["in_error"]) for row in newest] == [
        ("signed", False),
        ("signed", True),
        ("draft", False),
    ]
    assert len({row["total"] for row in newest}) == 3


def test_no_assessment_is_due_near_now(state):
    """What is overdue stays so, and nothing else becomes overdue, while the clock moves for an hour's work."""
    rows, now = state["collections"], datetime.fromisoformat(state["clock"])
    late = 0
    for entry in rows["schedules"].values():
        times = [
            datetime.fromisoformat(row["at"])
            for row in rows[entry["tool"]].values()
            if row["mrn"] == entry["mrn"] and row["status"] == "signed" and not row["in_error"]
        ]
        minutes = (now - max(times)).total_seconds() / 60 - entry["every_hours"] * 60
        assert not -40 < minutes < 40
        assert max(times) < now
        late += minutes > 0
    assert 2 <= late <= 4


def test_weights_lie_away_from_the_cut_offs_of_the_screen(state):
    """Body mass index and loss are clear of the limits, and the old weight misleads."""
    rows = state["collections"]
    patient = next(row for row in rows["patients"].values() if json.loads(row["story"])["name"] == "must_new")
    points = json.loads(patient["story"])["now"]["must"]
    found = [row for row in rows["weights"].values() if row["mrn"] == patient["mrn"] and not row["in_error"]]
    old, before, now = (row["kg"] for row in sorted(found, key=lambda row: row["at"]))
    index, loss, stale = now / (patient["height_cm"] / 100) ** 2, 1 - now / before, 1 - now / old
    assert points["bmi"] == (2 if index < 18.5 else 1 if index <= 20 else 0)
    assert points["loss"] == (2 if loss > 0.10 else 1 if loss >= 0.05 else 0)
    assert min(abs(index - 18.5), abs(index - 20)) > 0.2
    assert min(abs(loss - 0.05), abs(loss - 0.10)) > 0.008
    assert (stale > 0.10) is (points["loss"] == 0)
