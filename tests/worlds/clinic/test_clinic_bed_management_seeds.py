"""Every seed makes every task possible, not done already, and not ambiguous."""

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds


@pytest.fixture
def one(state):
    """Finds the only patient of a case."""

    def find(case):
        rows = state["collections"]["patients"].values()
        (found,) = [row for row in rows if row["case_name"] == case]
        return found

    return find


@pytest.fixture
def beds(state):
    """All beds with ward, kind and sex of their bay, and the specialty of the ward."""
    tables = state["collections"]
    return [
        {**tables["bays"][row["bay"]], **tables["wards"][tables["bays"][row["bay"]]["ward"]], **row}
        for row in tables["beds"].values()
    ]


@pytest.fixture
def bed_of(beds):
    """Finds where somebody lies."""
    return lambda patient: next(bed for bed in beds if bed["mrn"] == patient["mrn"])


def free(beds, specialty, kind):
    """Return the beds that can be given."""
    wanted = [bed for bed in beds if (bed["specialty"], bed["kind"]) == (specialty, kind)]
    return [
        bed for bed in wanted if (bed["condition"], bed["mrn"], bed["reserved_for"]) == ("ready", None, None)
    ]


def test_wards_are_laid_out(beds):
    """36 beds; every bay for women or men has one that can be given, and each ward one in cleaning."""
    assert len(beds) == 36
    for specialty in ("medicine", "surgery", "cardiology"):
        assert {bed["sex"] for bed in free(beds, specialty, "bay")} == {"F", "M"}
    for specialty in ("medicine", "surgery", "cardiology", "critical_care"):
        assert any(bed["condition"] == "cleaning" for bed in beds if bed["specialty"] == specialty)


def test_nobody_lies_where_they_must_not(state, beds):
    """Bays hold one sex, empty beds nobody, and nobody lies in a bed that is not ready."""
    people = state["collections"]["patients"]
    taken = [bed for bed in beds if bed["mrn"]]
    assert all(bed["sex"] in (None, people[bed["mrn"]]["sex"]) for bed in taken)
    assert all(bed["condition"] == "ready" for bed in taken)
    lying = {mrn for mrn, row in people.items() if row["status"] == "inpatient"}
    assert lying == {bed["mrn"] for bed in taken}


def test_requests_are_open_for_those_who_wait(state):
    """Seven to nine people wait, each with one open request, requested before now."""
    rows = state["collections"]["requests"].values()
    waiting = {mrn for mrn, row in state["collections"]["patients"].items() if row["status"] == "waiting"}
    assert {row["mrn"] for row in rows} == waiting
    assert 7 <= len(rows) <= 9
    assert all(row["status"] == "open" and row["requested_at"] < state["clock"] for row in rows)


def test_admit_patient(state, one):
    """Two people of one name and sex are registered, with different dates of birth."""
    patient, namesake = one("direct_ward"), one("direct_namesake")
    for name in ("family_name", "given_name", "sex", "status"):
        assert patient[name] == namesake[name]
    assert patient["birth_date"] != namesake["birth_date"]
    assert patient["status"] == "registered"


def test_transfer_patient(one, bed_of, beds):
    """The patient lies beside somebody of a similar name; intensive care has an ordinary room and the special one."""
    patient, other = one("deteriorating"), one("lookalike")
    assert bed_of(patient)["bay"] == bed_of(other)["bay"]
    assert patient["family_name"] != other["family_name"]
    assert patient["family_name"][:3] == other["family_name"][:3]
    assert free(beds, "critical_care", "single")
    assert len(free(beds, "critical_care", "negative")) == 1


def test_process_discharge(state, one, bed_of):
    """Everything is arranged for today; the namesake of the ward has an order, but stays."""
    patient, other = one("going_home"), one("staying")
    assert patient["plan_date"] == state["clock"][:10]
    assert all(patient[f"{name}_at"] for name in ("orders", "medication", "transport", "settlement"))
    assert patient["family_name"] == other["family_name"]
    assert other["plan_date"] > state["clock"][:10]
    assert other["medication_at"] is None
    assert bed_of(patient)["ward"] == bed_of(other)["ward"]


def test_assign_from_queue(one, beds):
    """A single room is free on the medical ward, and a bay bed tempts."""
    assert one("queue_contact")["precautions"] == "contact"
    assert len(free(beds, "medicine", "single")) == 1


def test_handle_bed_conflict(state, one, beds):
    """One negative-pressure room is promised to two, and reserved for the one who does not need it."""
    (room,) = [bed for bed in beds if (bed["specialty"], bed["kind"]) == ("medicine", "negative")]
    isolated, plain = one("conflict_airborne"), one("conflict_plain")
    assert room["reserved_for"] == plain["mrn"]
    promised = [row["mrn"] for row in state["collections"]["requests"].values() if row["promised_bed"]]
    assert sorted(promised) == sorted([isolated["mrn"], plain["mrn"]])
    assert (isolated["precautions"], plain["precautions"]) == ("airborne", "none")


def test_swap_beds(one, bed_of):
    """The two lie on one ward, are of one sex, and only the wrong one has the special room."""
    isolated, recovered = one("swap_isolated"), one("swap_recovered")
    assert bed_of(isolated)["kind"] == "bay"
    assert bed_of(recovered)["kind"] == "negative"
    assert bed_of(isolated)["ward"] == bed_of(recovered)["ward"]
    assert isolated["sex"] == recovered["sex"] == bed_of(isolated)["sex"]


def test_emergencies(one):
    """Three levels are left open and the scores are clearly apart."""
    scores = [one(case) for case in ("emergency_icu", "emergency_monitored", "emergency_ward")]
    assert all(row["level"] is None for row in scores)
    assert scores[0]["news2"] > scores[1]["news2"] > scores[2]["news2"]


def test_multi_operation(state, one, bed_of):
    """One leaves today, one gets worse on the cardiac ward, one waits for a monitored bed."""
    assert one("multi_leaving")["plan_date"] == state["clock"][:10]
    assert bed_of(one("multi_transfer"))["specialty"] == "cardiology"
    assert one("queue_monitored")["level"] == "monitored"


def test_midnights_differ_from_now(state, beds):
    """The census of no midnight gives the figure of now."""
    for row in state["collections"]["census"].values():
        own = [bed for bed in beds if bed["ward"] == row["ward"]]
        occupied = sum(bed["mrn"] is not None for bed in own)
        open_beds = sum(bed["condition"] != "blocked" for bed in own)
        assert round(100 * row["occupied"] / row["open_beds"]) != round(100 * occupied / open_beds)
