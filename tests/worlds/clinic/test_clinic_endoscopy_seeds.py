"""Every seed makes every task at the endoscopy workstation possible, not done already, and not ambiguous."""

from datetime import datetime, timedelta

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds

SCORED = ("bbps_right", "bbps_transverse", "bbps_left")


@pytest.fixture
def one(start):
    """Finds the only procedure of a story."""

    def find(story):
        (found,) = [row for row in start["procedures"].values() if row["story"] == story]
        return found

    return find


@pytest.fixture
def truth(start):
    """Returns what a careful reader finds in a case."""
    rows = start["truth"].values()
    return lambda case: {row["subject"]: row["value"] for row in rows if row["case_no"] == case["case_no"]}


@pytest.fixture
def of(start):
    """Returns the rows of a case in a collection."""
    return lambda name, case: [row for row in start[name].values() if row["case_no"] == case["case_no"]]


def test_one_endoscopist_and_nobody_signed_in(start):
    """The workstation is free."""
    assert [user["role"] for user in start["users"].values()].count("endoscopist") == 1
    assert start["workstation"]["1"]["screen"] == "login"


def test_every_room_is_booked(start):
    """Each count is one of its own, and the list fits the screen."""
    rooms = {row["room"] for row in start["procedures"].values()}
    assert rooms <= {1, 2, 3, 4}
    assert len(start["procedures"]) <= 22


def test_names_are_unique_and_the_namesake_has_another_procedure(start, one):
    """Surname and procedure together name one case."""
    full = [(row["family_name"], row["given_name"]) for row in start["patients"].values()]
    assert len(set(full)) == len(full)
    case = one("select")
    family = start["patients"][case["mrn"]]["family_name"]
    others = [
        row
        for row in start["procedures"].values()
        if start["patients"][row["mrn"]]["family_name"] == family and row["case_no"] != case["case_no"]
    ]
    assert [row["kind"] != case["kind"] for row in others] == [True]


def test_assessments_are_open_begun_or_done(one):
    """What is to be assessed is not, and what is to be read is there."""
    assert (one("preassess")["asa"], one("preassess")["last_fluids"]) == (None, None)
    assert (one("complete")["assessed_at"], one("full")["asa"]) == (None, None)
    assert one("full")["last_fluids"] is not None
    assert one("info")["assessed_at"] is not None


def test_the_earlier_note_says_something_else(start, one, truth, of):
    """Reading the wrong line gives a wrong class and a wrong drug."""
    case = one("info")
    found = truth(case)
    (note,) = [row for row in of("notes", case) if row["part"] == "earlier"]
    assert found["earlier_asa"] != found["asa"]
    assert found["earlier_medication"] != found["medication"] == start["patients"][case["mrn"]]["medication"]
    assert found["earlier_medication"].lower() in note["text"]


def test_fasting_is_long_enough(state, one, truth):
    """The last drink was more than two hours ago."""
    now = datetime.fromisoformat(state["clock"])
    for story in ("preassess", "complete", "full"):
        hour, minute = map(int, truth(one(story))["last_fluids"].split(":"))
        assert now - now.replace(hour=hour, minute=minute) > timedelta(hours=2)


def test_nobody_who_takes_blood_thinners_is_to_be_started(one, truth):
    """A careful person would not begin, so no task asks for it."""
    assert all(truth(one(story))["antithrombotic"] != "taken" for story in ("complete", "full"))


def test_three_of_seven_pictures_are_landmarks(one, of, truth):
    """None has a label, and the log tells the time of each landmark."""
    case = one("landmarks")
    images = {row["number"]: row for row in of("images", case)}
    assert len(images) == 7
    assert all(row["label"] is None for row in images.values())
    times = [row["taken_at"] for row in images.values()]
    assert len(set(times)) == 7
    logged = {row["at"] for row in of("notes", case) if row["text"].startswith("Picture")}
    for scene in ("appendix", "valve", "retroflexion"):
        image = images[int(truth(case)[f"image {scene}"])]
        assert image["scene"] == scene
        assert image["taken_at"] in logged


def test_running_procedures_lack_what_is_asked(one, of):
    """No score and no lesion is there yet."""
    assert all(one("bbps")[name] is None for name in SCORED)
    assert of("findings", one("finding")) == []


def test_one_lesion_contradicts_the_log(one, of, truth):
    """Exactly one value of the record differs from what the nurse wrote."""
    case = one("report")
    found, lesions = truth(case), of("findings", case)
    victim = lesions[int(found["wrong finding"]) - 1]
    assert str(victim[found["wrong field"]]) != found["right value"]
    assert case["withdrawal_min"] is not None
    assert found["recommendation"] in ("screening", "three_years")


@pytest.mark.parametrize("story", ["report", "multi_1", "multi_2"])
def test_the_recommendation_follows_from_the_policy(one, of, truth, story):
    """Preparation, size and pieces give the first line that fits."""
    case = one(story)
    found, lesions = truth(case), [dict(row) for row in of("findings", case)]
    if "wrong finding" in found and found["wrong field"] == "size_mm":
        lesions[int(found["wrong finding"]) - 1]["size_mm"] = int(found["right value"])
    if any(case[name] < 2 for name in SCORED):
        expected = "repeat"
    elif any(row["method"] == "emr_pieces" and row["size_mm"] >= 20 for row in lesions):
        expected = "scar"
    elif any(row["size_mm"] >= 10 for row in lesions) or len(lesions) >= 5:
        expected = "three_years"
    else:
        expected = "screening"
    assert found["recommendation"] == expected


def test_the_withdrawal_time_is_in_the_log(one, of, truth):
    """One of two reports lacks it; the log has both ends, at least six minutes apart."""
    assert one("multi_1")["withdrawal_min"] is not None
    case = one("multi_2")
    assert case["withdrawal_min"] is None
    log = {
        row["text"]: datetime.fromisoformat(row["at"]) for row in of("notes", case) if row["part"] == "log"
    }
    span = log["Scope out."] - log["Caecum reached, withdrawal begins."]
    assert span == timedelta(minutes=int(truth(case)["withdrawal_min"]))
    assert span >= timedelta(minutes=6)


def test_what_is_over_was_over_before_now(state, of, one):
    """No note and no picture is of the future."""
    for story in ("landmarks", "bbps", "report", "multi_1", "multi_2"):
        for name, field in (("notes", "at"), ("images", "taken_at")):
            assert all(row[field] <= state["clock"] for row in of(name, one(story)))
