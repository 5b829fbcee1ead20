"""Every seed makes every task at the ultrasound machine possible, not done already, and not ambiguous."""

import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # breadth: twenty seeds

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "clinic" / "ultrasound"
THRESHOLDS = {3: (15, 25), 4: (10, 15), 5: (5, 10)}


@pytest.fixture
def one(start):
    """Finds the only exam of a story."""

    def find(story):
        (found,) = [row for row in start["exams"].values() if row["story"] == story]
        return found

    return find


@pytest.fixture
def truth(start):
    """Returns what a careful reader finds in an exam."""
    rows = start["truth"].values()
    return lambda exam: {
        row["subject"]: row["value"] for row in rows if row["accession"] == exam["accession"]
    }


def named(start, exam):
    """Return the patient of an exam."""
    return start["patients"][exam["mrn"]]


def test_one_sonologist_and_nobody_signed_in(start):
    """The workstation is free."""
    assert [user["role"] for user in start["users"].values()].count("sonologist") == 1
    assert start["workstation"]["1"]["screen"] == "login"


def test_the_list_can_be_counted(start):
    """Between five and twelve exams are scheduled, and the list fits the screen."""
    assert 5 <= sum(row["status"] == "scheduled" for row in start["exams"].values()) <= 12
    assert len(start["exams"]) <= 24


def test_names_are_unique_and_the_namesake_has_another_organ(start, one):
    """Surname and organ together name one exam."""
    full = [(row["family_name"], row["given_name"]) for row in start["patients"].values()]
    assert len(set(full)) == len(full)
    exam = one("open")
    family = named(start, exam)["family_name"]
    others = [
        row for row in start["exams"].values() if named(start, row)["family_name"] == family and row != exam
    ]
    assert [row["protocol"] != exam["protocol"] for row in others] == [True]


def test_the_probe_is_wrong_and_the_mode_is_not_set(start, one):
    """What is to be selected is not selected."""
    protocols = tomllib.loads((FIXTURES / "protocols.toml").read_text())
    assert one("probe")["probe"] != protocols[one("probe")["protocol"]]["probe"]
    assert (one("mode")["mode"], one("mode")["frozen"]) == ("b", True)
    assert one("parameters")["probe"] == "linear"


def test_running_exams_have_no_pictures(start, one):
    """Nothing has been stored before it is asked for."""
    running = {row["accession"] for row in start["exams"].values() if row["status"] == "in_progress"}
    assert not running & {row["accession"] for row in start["captures"].values()}


def test_the_kidneys_differ(one, truth):
    """Exactly one side is dilated, so that sides can be mixed up."""
    found = truth(one("report"))
    assert sorted(found[f"dilation_{side}"] == "none" for side in ("right", "left")) == [False, True]


def test_nodules_follow_the_points(start, one, truth):
    """Level and advice are those of ACR TI-RADS 2017 for the features and the size."""
    lexicon, exam = tomllib.loads((FIXTURES / "nodules.toml").read_text()), one("tirads")
    rows = [row for row in start["nodules"].values() if row["accession"] == exam["accession"]]
    assert sorted(row["side"] for row in rows) == ["left", "right"]
    for row in rows:
        found = {
            key.split()[-1]: value for key, value in truth(exam).items() if f"nodule {row['number']} " in key
        }
        points = sum(lexicon[name][found[name]]["points"] for name in lexicon)
        points += 3 if found["shape"] == "tall" else 0
        level = 2 if points == 2 else 3 if points == 3 else 4 if points <= 6 else 5
        assert int(found["level"]) == level
        size = int(row["description"].split()[0])
        follow, aspirate = THRESHOLDS.get(level, (99, 99))
        assert found["advice"] == ("fna" if size >= aspirate else "follow" if size >= follow else "none")
        deep, across = _axes(row)
        assert (deep > across) == (found["shape"] == "tall")


def _axes(row):
    """Return the two diameters of the transverse view."""
    numbers = [int(word) for word in row["description"].split(".")[0].split() if word.isdigit()]
    return numbers[1], numbers[2]


def test_the_critical_result_is_drafted_and_untold(start, one, truth):
    """The draft is right, and nobody has been told."""
    exam = one("urgent")
    drafted = {
        row["field"]: row["value"] for row in start["report_values"].values() if row["mrn"] == exam["mrn"]
    }
    found = truth(exam)
    assert {key: found[key] for key in drafted} == drafted
    assert found["call"] in ("red", "orange")
    assert start["calls"] == {}


def test_exactly_one_draft_of_the_three_is_wrong(start, truth):
    """There is something to find, and not more than one."""
    batch = [row for row in start["exams"].values() if row["story"] == "batch"]
    wrong = 0
    for exam in batch:
        drafted = {
            row["field"]: row["value"] for row in start["report_values"].values() if row["mrn"] == exam["mrn"]
        }
        found = truth(exam)
        wrong += any(found[key] != value for key, value in drafted.items())
    assert (len(batch), wrong) == (3, 1)


def test_the_aorta_is_clear_of_every_limit(start, one, truth):
    """A caliper that is 3 mm off does not change the class; a similar name waits for the same exam."""
    exam = one("workflow")
    size = float(truth(exam)["diameter"]) * 10
    assert all(abs(size - limit) >= 4 for limit in (30, 40, 50, 55))
    waiting = [
        row for row in start["exams"].values() if row["protocol"] == "aorta" and row["status"] == "scheduled"
    ]
    assert len(waiting) == 2
