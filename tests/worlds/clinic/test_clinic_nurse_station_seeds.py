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
def of(state):
    """Finds a patient's rows of a collection."""
    return lambda patient, collection: [
        row for row in state["collections"][collection].values() if row["mrn"] == patient["mrn"]
    ]


@pytest.fixture
def nurse(state):
    """The nurse of this shift."""
    (found,) = [row for row in state["collections"]["users"].values() if row["role"] == "ward_nurse"]
    return found


def late(state, tasks):
    """Return open tasks whose time is past."""
    return [row for row in tasks if row["status"] == "due" and row["due_at"] < state["clock"]]


def test_the_ward(state, nurse):
    """Thirteen patients in rooms of their own, nine of them this nurse's, two without a relationship yet."""
    patients = state["collections"]["patients"].values()
    mine = {row["mrn"] for row in patients if row["nurse"] == nurse["user_id"]}
    held = {
        row["mrn"]
        for row in state["collections"]["relationships"].values()
        if row["user"] == nurse["user_id"]
    }
    assert len(patients) == 13
    assert len(mine) == 9
    assert held < mine
    assert len(mine - held) == 2


def test_view_care_compass(state, nurse, of):
    """Some of the own patients have something overdue, not all, and never as many as there are tasks."""
    patients = state["collections"]["patients"].values()
    counts = [len(late(state, of(row, "tasks"))) for row in patients if row["nurse"] == nurse["user_id"]]
    assert 1 <= sum(count > 0 for count in counts) < len(counts)
    assert sum(counts) > sum(count > 0 for count in counts)


def test_complete_task(state, one, of):
    """A high-alert medicine is due within the hour, and again in the evening in another dose."""
    rows = [row for row in of(one("giving"), "tasks") if row["high_alert"]]
    first, second = sorted(rows, key=lambda row: row["due_at"])
    assert state["clock"] < first["due_at"] < second["due_at"]
    assert first["drug"] == second["drug"]
    assert first["dose"] != second["dose"]
    assert one("giving")["family_name"][:3] == one("giving_like")["family_name"][:3]


def test_chart_not_done(one, of):
    """Four things are due for the patient, each with a name of its own."""
    titles = [row["title"].split()[0] for row in of(one("absent"), "tasks") if row["status"] == "due"]
    assert {"Paracetamol", "Metformin", "Vancomycin", "Walk"} <= set(titles)
    assert len(titles) == len(set(titles))


def test_specimen_collection(one, of):
    """Two different specimens are due."""
    titles = {row["title"] for row in of(one("sampling"), "tasks") if row["kind"] == "specimen"}
    assert len(titles) == 2


def test_view_patient_snapshot(one, of):
    """Two or three active allergies and a struck one; somebody has the same surname."""
    rows = of(one("known"), "allergies")
    assert [row["in_error"] for row in rows].count(True) == 1
    assert 2 <= [row["in_error"] for row in rows].count(False) <= 3
    assert one("known")["family_name"] == one("namesake")["family_name"]


def test_orders(one, of):
    """Each patient has the new orders that the tasks are about."""
    assert 2 <= len(of(one("reviewing"), "orders")) <= 3
    assert sorted(row["priority"] for row in of(one("urgent"), "orders")) == ["routine", "stat"]
    assert [row["priority"] for row in of(one("admission"), "orders")] == ["stat"]
    assert len(of(one("known"), "orders")) == 1


def test_manage_overdue_tasks(state, one, of):
    """Exactly three things are late: pain, position and a medicine."""
    rows = late(state, of(one("late"), "tasks"))
    assert sorted(row["measure"] or row["kind"] for row in rows) == ["medication", "pain", "position"]


def test_full_shift_workflow(state, one, of):
    """The new patient has a specimen that waits for its order, and three first tasks that are not late."""
    rows = [row for row in of(one("admission"), "tasks") if row["status"] == "due"]
    (specimen,) = [row for row in rows if row["kind"] == "specimen"]
    assert specimen["order_id"] is not None
    assert late(state, rows) == []
    assert {"Pain reassessment", "Reposition", "Show the call bell"} <= {row["title"] for row in rows}


def test_nothing_was_done_in_the_future(state):
    """What is charted lies before the clock."""
    for collection in ("tasks", "administrations", "handovers", "relationships"):
        rows = state["collections"][collection].values()
        assert all(row["at"] <= state["clock"] for row in rows if row["at"])
