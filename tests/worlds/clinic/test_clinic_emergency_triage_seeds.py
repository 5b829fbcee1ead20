"""Every seed makes every task possible, not done already, and not ambiguous."""

from datetime import date, datetime

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds

CHILDREN = {"child_vomiting", "child_head_injury"}
MIDDLE = {"renal_colic", "hand_laceration"}
LOW = {"minor_rash", "suture_removal"}


@pytest.fixture
def patients(state):
    """Patients of the seed."""
    return list(state["collections"]["patients"].values())


@pytest.fixture
def one(patients):
    """Finds the only patient with one of the presentations."""

    def find(*presentations):
        (found,) = [row for row in patients if row["presentation"] in presentations]
        return found

    return find


@pytest.fixture
def sets(state):
    """Finds the vitals sets of a patient's present visit."""
    rows = state["collections"]["vitals"].values()
    return lambda patient: [row for row in rows if row["visit_no"] == patient["visit_no"]]


@pytest.fixture
def age(state):
    """Computes ages in years."""
    today = datetime.fromisoformat(state["clock"]).date()

    def years(patient):
        born = date.fromisoformat(patient["birth_date"])
        return today.year - born.year - ((today.month, today.day) < (born.month, born.day))

    return years


def printed(state, patient):
    """Tell whether a band was printed."""
    return any(row["mrn"] == patient["mrn"] for row in state["collections"]["wristband_prints"].values())


def test_login(state):
    """Exactly one user is the triage nurse, and nobody is signed in."""
    roles = [user["role"] for user in state["collections"]["users"].values()]
    assert roles.count("triage_nurse") == 1
    assert state["collections"]["logins"] == {}
    assert state["collections"]["workstation"]["1"]["screen"] == "login"


def test_view_queue(patients):
    """There are 16 to 20 patients, 7 to 11 of them waiting."""
    waiting = [row for row in patients if row["status"] == "waiting"]
    assert 16 <= len(patients) <= 20
    assert 7 <= len(waiting) <= 11


def test_open_patient(patients, one):
    """One chest pain is in triage; others are elsewhere, and somebody shares the surname."""
    pains = [row for row in patients if row["complaint"] == "Chest pain"]
    assert [row["presentation"] for row in pains if row["status"] == "in_triage"] == ["chest_pain"]
    assert len(pains) == 3
    names = [row["family_name"] for row in patients]
    assert names.count(one("chest_pain")["family_name"]) == 2


def test_read_vitals(one, sets):
    """A triaged patient has two valid sets and one in error, at different times, with different values."""
    patient = one("palpitations")
    found = sets(patient)
    assert patient["status"] == "triaged"
    assert sorted(row["in_error"] for row in found) == [False, False, True]
    assert len({row["taken_at"] for row in found}) == 3
    latest = max((row for row in found if not row["in_error"]), key=lambda row: row["taken_at"])
    (wrong,) = [row for row in found if row["in_error"]]
    assert latest["heart_rate"] != wrong["heart_rate"]


def test_record_vitals(patients, one, sets):
    """A waiting adult with abdominal pain has no vitals of this visit; a similar name is about."""
    patient, other = one("abdominal_pain"), one("back_pain")
    assert patient["status"] == "waiting"
    assert sets(patient) == []
    assert other["family_name"] != patient["family_name"]
    assert other["sex"] == patient["sex"]
    assert abs(len(other["family_name"]) - len(patient["family_name"])) <= 1
    assert other["family_name"][:3] == patient["family_name"][:3]


def test_assign_esi(one, sets):
    """The confused patient is in triage with vitals and a lowered GCS, without ESI."""
    patient = one("altered_mental_status")
    assert (patient["status"], patient["esi"]) == ("in_triage", None)
    assert all(row["gcs"] < 15 for row in sets(patient))
    assert sets(patient)


def test_assign_disposition(one):
    """The breathless patient is triaged with ESI 2 and has no disposition."""
    patient = one("dyspnea")
    assert (patient["status"], patient["esi"], patient["disposition"]) == ("triaged", 2, None)
    assert "ward" in patient["narrative"]


def test_print_wristband(state, one):
    """The ankle injury is triaged and has no band."""
    patient = one("ankle_injury")
    assert patient["status"] == "triaged"
    assert not printed(state, patient)


def test_full_triage_workflow(state, one, sets):
    """The feverish adult waits with nothing done."""
    patient = one("fever_infection")
    assert (patient["status"], patient["esi"], patient["allergies_reviewed_at"]) == ("waiting", None, None)
    assert sets(patient) == []
    assert not printed(state, patient)


def test_critical_patient_triage(one, sets):
    """The high-risk chest pain waits with nothing done."""
    patient = one("chest_pain_high_risk")
    assert (patient["status"], patient["esi"], patient["disposition"]) == ("waiting", None, None)
    assert sets(patient) == []


def test_pediatric_triage(state, patients, one, age, presentations):
    """One child waits without weight; the parent's allergy is in the note and not on the list."""
    patient = one(*CHILDREN)
    waiting = [row for row in patients if row["status"] == "waiting" and age(row) < 18]
    assert waiting == [patient]
    assert patient["weight_kg"] is None
    told = presentations[patient["presentation"]]["parent_allergies"]
    assert len([name for name in told if name in patient["narrative"]]) == 1
    assert "{" not in patient["narrative"]
    assert all(row["mrn"] != patient["mrn"] for row in state["collections"]["allergies"].values())


def test_multi_patient_triage(one, presentations):
    """Three waiting adults have clearly different acuity."""
    chosen = [one("stroke_signs"), one(*MIDDLE), one(*LOW)]
    assert {row["status"] for row in chosen} == {"waiting"}
    levels = [presentations[row["presentation"]]["esi"][0] for row in chosen]
    assert levels == sorted(set(levels))


def test_nothing_is_in_the_future_or_out_of_order(state, patients):
    """Arrival, start of triage, ESI and disposition follow each other and are all past."""
    for row in patients:
        steps = ("arrived_at", "triage_started_at", "esi_at", "triaged_at", "disposition_at")
        times = [row[step] for step in steps if row[step]]
        assert times == sorted(times)
        assert times[-1] <= state["clock"]
    assert all(row["taken_at"] <= state["clock"] for row in state["collections"]["vitals"].values())


def test_ages_fit_presentations(patients, age, presentations):
    """Nobody is outside the ages that the presentation was written for."""
    for row in patients:
        low, high = presentations[row["presentation"]]["ages"]
        assert low <= age(row) <= high


def test_names_and_numbers_are_unique(patients):
    """No two patients have the same full name or visit number."""
    assert len({(row["family_name"], row["given_name"]) for row in patients}) == len(patients)
    assert len({row["visit_no"] for row in patients}) == len(patients)


def test_waiting_count_varies(world):
    """The count asked for is not the same in every seed."""
    counts = set()
    for seed in range(20):
        session = world.open(seed)
        counts.add(sum(row["status"] == "waiting" for row in session.rows("patients").values()))
        session.browser.close()
        world.control.delete(session.path)
    assert len(counts) >= 3
