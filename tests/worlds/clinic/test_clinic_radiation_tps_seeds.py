"""Every seed of the planning system makes every task possible, not done already, and not ambiguous."""

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds

STORIES = (
    "open",
    "structures",
    "contour",
    "prescribe",
    "beams",
    "optimise",
    "evaluate",
    "approve",
    "srs",
    "full",
)


@pytest.fixture
def mine(start):
    """Finds the rows of a story's patient."""

    def find(story, collection):
        (patient,) = [row for row in start["patients"].values() if row["story"] == story]
        if collection == "patients":
            return patient
        return [row for row in start[collection].values() if row["mrn"] == patient["mrn"]]

    return find


def missed(start, mine, story, plan="A"):
    """Return which structures miss a goal in a plan with a dose."""
    values = {row["goal"]: row["value"] for row in mine(story, "results") if row["plan"] == plan}
    return {
        goal["structure"]
        for goal in mine(story, "goals")
        if (values[goal["id"]] < goal["limit_value"]) is (goal["sense"] == "min")
        and values[goal["id"]] != goal["limit_value"]
    }


def test_people(start):
    """Each story is told once, exactly one user is the planner, and two physicists can sign."""
    stories = [row["story"] for row in start["patients"].values() if row["story"]]
    assert sorted(stories) == sorted(STORIES)
    roles = [user["role"] for user in start["users"].values()]
    assert roles.count("planner") == 1
    assert roles.count("physicist") == 2
    assert start["logins"] == {}


def test_statuses(start):
    """Some are in planning, some are not, and contouring is a status of its own."""
    statuses = [row["status"] for row in start["patients"].values()]
    assert 6 <= statuses.count("planning") < len(statuses) <= 16
    assert statuses.count("contouring") == 2


def test_namesakes(mine):
    """The patient to open shares the family name with the one to prescribe for, but not the given one."""
    one, other = mine("open", "patients"), mine("prescribe", "patients")
    assert one["family_name"] == other["family_name"]
    assert one["given_name"] != other["given_name"]


def test_directives(mine):
    """One directive is in force; where there are fractions, it differs from the one it replaced."""
    for story in STORIES:
        rows = sorted(mine(story, "directives"), key=lambda row: row["version"])
        assert [row["status"] for row in rows][-1] == "current"
        assert [row["status"] for row in rows].count("current") == 1
        if story != "srs":
            old, new = rows
            assert (old["dose_gy"], old["fractions"]) != (new["dose_gy"], new["fractions"])


@pytest.mark.parametrize(("story", "least"), [("structures", 1), ("contour", 2)])
def test_missing_contours(mine, story, least):
    """Some organs have no contour, some have, and the target always has."""
    organs = [row for row in mine(story, "structures") if row["kind"] == "organ"]
    missing = [row for row in organs if not row["contoured"]]
    assert least <= len(missing) < len(organs)
    assert all(row["contoured"] for row in mine(story, "structures") if row["kind"] != "organ")


@pytest.mark.parametrize(
    ("story", "prescribed", "beams"),
    [
        ("prescribe", False, False),
        ("beams", True, False),
        ("optimise", True, True),
        ("srs", False, False),
        ("full", False, False),
    ],
)
def test_how_far_plans_are(mine, story, prescribed, beams):
    """Nothing that a task asks for is there already."""
    (plan,) = mine(story, "plans")
    assert (plan["dose_gy"] is not None, bool(mine(story, "beams"))) == (prescribed, beams)
    assert plan["dose_state"] == "none"
    assert mine(story, "results") == []
    assert plan["approved_at"] is None


def test_optimise(mine):
    """Some organs are left out, some are not."""
    priorities = {row["priority"] for row in mine("optimise", "priorities")}
    assert priorities == {"off", "normal"}


def test_evaluate(start, mine):
    """One to three structures miss a goal, others do not."""
    assert 1 <= len(missed(start, mine, "evaluate")) <= 3
    assert len({row["structure"] for row in mine("evaluate", "goals")}) > 3


def test_approve(start, mine):
    """Exactly one of two plans meets all goals, and neither is approved."""
    found = [missed(start, mine, "approve", plan) == set() for plan in "AB"]
    assert sorted(found) == [False, True]
    assert all(plan["approved_at"] is None for plan in mine("approve", "plans"))


def test_figures_are_clear_of_their_limits(mine):
    """No rounding decides whether a goal is met."""
    for story in ("evaluate", "approve"):
        goals = {goal["id"]: goal for goal in mine(story, "goals")}
        for row in mine(story, "results"):
            limit = goals[row["goal"]]["limit_value"]
            assert abs(row["value"] - limit) >= 0.019 * limit


def test_srs(mine):
    """The dose of the directive follows from the diameter after RTOG 90-05."""
    (target,) = [row for row in mine("srs", "structures") if row["kind"] == "target"]
    part = target["outline"].strip("[]").split(",")
    diameter = round(20 * max(float(part[2]), float(part[3])))
    (directive,) = mine("srs", "directives")
    assert directive["dose_gy"] == (24 if diameter <= 20 else 18 if diameter <= 30 else 15)
