"""Every seed makes every task of order entry possible, not done already, and not ambiguous."""

from datetime import date

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds

INTERVALS = {"Methotrexate": 84, "Lithium": 183, "Amiodarone": 183}


@pytest.fixture
def rows(state):
    """Reads a collection."""
    return lambda name, **equal: [
        row
        for row in state["collections"][name].values()
        if all(row[field] == value for field, value in equal.items())
    ]


@pytest.fixture
def patient(rows):
    """Finds the only patient of a story."""

    def find(plot):
        (found,) = rows("patients", plot=plot)
        return found

    return find


@pytest.fixture
def days_since(state):
    """Computes how long ago something was."""
    today = date.fromisoformat(state["clock"][:10])
    return lambda value: (today - date.fromisoformat(value)).days


def test_one_prescriber_with_a_code_and_two_nurses(rows):
    """The prescriber signs with a code that is not the password; nurses can be witnesses."""
    (prescriber,) = rows("users", role="prescriber")
    (code,) = rows("signature_codes", user_id=prescriber["user_id"])
    assert code["code"] != prescriber["password"]
    assert len(rows("users", role="nurse")) == 2
    assert rows("logins") == []


def test_two_people_share_a_name(rows, patient):
    """The date of birth tells them apart, and nobody else shares a name."""
    one, twin = patient("search"), patient("search_twin")
    assert (one["family_name"], one["given_name"]) == (twin["family_name"], twin["given_name"])
    assert one["birth_date"] != twin["birth_date"]
    names = [(row["family_name"], row["given_name"]) for row in rows("patients")]
    assert len(set(names)) == len(names) - 1
    assert len({row["seen_at"] for row in rows("patients")}) == len(names)


def test_similar_names_are_about(patient):
    """Whoever gets a prescription has a name that is easily taken for another one."""
    one, other = patient("prescribe"), patient("allergy")
    assert one["family_name"] != other["family_name"]
    assert one["family_name"][:3] == other["family_name"][:3]
    assert one["sex"] == other["sex"]


def test_the_list_holds_more_than_what_is_active(rows, patient):
    """Three to five are active, three are not, and others prescribe something."""
    mrn = patient("list")["mrn"]
    statuses = [row["status"] for row in rows("medications", mrn=mrn)]
    assert 3 <= statuses.count("active") <= 5
    assert len(statuses) == statuses.count("active") + 3
    assert rows("outside_medications", mrn=mrn)


def test_every_pharmacy_has_two_branches(rows):
    """Names differ by number, and streets differ."""
    names = [row["name"] for row in rows("pharmacies")]
    chains = [name.partition(" No.")[0] for name in names]
    assert all(chains.count(chain) == 2 for chain in chains)
    assert len({row["address"] for row in rows("pharmacies")}) == len(names)


def test_everybody_has_one_default_pharmacy(rows):
    """Orders have somewhere to go."""
    for row in rows("patients"):
        assert len(rows("preferred_pharmacies", mrn=row["mrn"], is_default=True)) == 1


def test_the_consent_is_missing_where_it_is_asked(rows, patient):
    """Everybody else has given it."""
    without = [
        row["plot"]
        for row in rows("patients")
        if not rows("consents", mrn=row["mrn"], kind="eprescribing", withdrawn=False)
    ]
    assert without == ["consent"]


def test_what_is_changed_or_stopped_is_active_and_known(rows, patient):
    """The medicine of each story is there once, with refills where the pharmacy has to be told."""
    for plot in ("change", "stop", "switch"):
        lines = rows("medications", mrn=patient(plot)["mrn"])
        first = min(lines, key=lambda row: row["id"])
        assert first["status"] == "active"
        assert [row["drug"] for row in lines].count(first["drug"]) == 1
        if plot != "change":
            assert first["refills"] >= 1


def test_one_request_is_in_order_and_one_is_not(rows, patient, days_since):
    """Used up and checked on the one hand; overdue, early or stopped on the other."""
    mrn = patient("renewal")["mrn"]
    requests = rows("renewals", mrn=mrn, status="open")
    lines = sorted(
        (rows("medications", id=row["medication"])[0] for row in requests), key=lambda row: row["id"]
    )
    good, bad = lines
    assert good["status"] == "active"
    assert days_since(good["last_filled"]) >= 0.75 * good["days_supply"]
    early = days_since(bad["last_filled"]) < 0.75 * bad["days_supply"]
    stopped = bad["status"] == "discontinued"
    name = bad["drug"].split()[0]
    labs = [row for row in rows("labs", mrn=mrn) if name in INTERVALS and _about(row, name)]
    overdue = bool(labs) and min(days_since(row["taken_on"]) for row in labs) > INTERVALS[name]
    assert [early, stopped, overdue].count(True) == 1


def _about(lab, name):
    return {"Methotrexate": "CBC", "Lithium": "Lithium", "Amiodarone": "TSH and"}[name] in lab["name"]


def test_nothing_is_ordered_or_sent_at_the_start(rows):
    """No order waits, and no message went out."""
    assert rows("orders") == []
    assert rows("transmissions") == []
