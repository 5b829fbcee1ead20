"""The rules of the ultrasound machine: what the picture depends on, what is refused, warned about and allowed."""

import io

import numpy as np
import pytest
from PIL import Image

SETTINGS = {"gain": "50", "tgc_near": "10", "tgc_mid": "10", "tgc_far": "10"}


def exam(session, story):
    """Return the exam of a story."""
    return next(row for row in session.rows("exams").values() if row["story"] == story)


def at(session, story, page):
    """Return the address of a page of an exam."""
    return f"/exam/{exam(session, story)['accession']}/{page}"


def picture(session, story):
    """Return the grey values of the live picture."""
    answer = session.get(at(session, story, "picture.png"))
    assert answer.headers["content-type"] == "image/png"
    return np.asarray(Image.open(io.BytesIO(answer.content)).convert("L"), dtype=float)


def adjust(session, story, **changed):
    """Set the machine, with usual values for what is not named."""
    usual = SETTINGS | {"depth": "5", "frequency": "10", "focus": "2"}
    return session.post(at(session, story, "settings"), **usual | changed)


def refused(session, address, message, **form):
    """Post something that must be refused and must leave no trace."""
    session.get(address.rpartition("/")[0] + "/scan")
    before = session.state()
    answer = session.post(address, **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.state()["collections"] == before["collections"]


def wall_distance(grey, scale):
    """Return the distance in mm between the bright outer walls around the widest black stretch of the midline."""
    line = grey[:, 310:330].mean(axis=1)
    dark = line < 22
    runs = np.flatnonzero(np.diff(np.concatenate([[0], dark, [0]])))
    start, end = max(
        zip(runs[::2], runs[1::2], strict=True), key=lambda run: (run[1] - run[0]) * (run[1] < 420)
    )
    return (end - start) / scale * 10


@pytest.mark.parametrize(
    "changed",
    [{"depth": "3.5"}, {"gain": "70"}, {"frequency": "6"}, {"focus": "4"}, {"tgc_far": "20"}],
    ids=lambda changed: next(iter(changed)),
)
def test_every_knob_changes_the_picture(session, changed):
    """No setting is there for show."""
    adjust(session, "parameters")
    before = picture(session, "parameters")
    assert adjust(session, "parameters", **changed).status_code == 303
    assert np.abs(picture(session, "parameters") - before).mean() > 0.5


def test_gain_brightens_and_frequency_costs_depth(session):
    """More gain means more light; a higher frequency darkens what lies deep."""
    adjust(session, "parameters", gain="40", frequency="6", depth="8")
    dim = picture(session, "parameters")
    adjust(session, "parameters", gain="60", frequency="6", depth="8")
    assert picture(session, "parameters").mean() > dim.mean() + 10
    adjust(session, "parameters", gain="40", frequency="15", depth="8")
    assert picture(session, "parameters")[330:].mean() < dim[330:].mean() - 10


def test_each_probe_and_mode_has_its_own_picture(session):
    """Geometry follows the probe, and every mode looks different."""
    seen = set()
    for probe in ("linear", "convex", "phased", "endocavity"):
        session.post(at(session, "parameters", "probe"), probe=probe)
        seen.add(session.get(at(session, "parameters", "picture.png")).content)
    for mode in ("colour", "pw", "m"):
        assert session.post(at(session, "parameters", "mode"), mode=mode).status_code == 303
        seen.add(session.get(at(session, "parameters", "picture.png")).content)
    assert len(seen) == 7


def test_the_same_settings_give_the_same_picture(open_session, role):
    """A picture is a function of the seed and the settings."""
    shots = []
    for _ in range(2):
        session = open_session(3)
        session.login(role)
        shots.append(session.get(at(session, "parameters", "picture.png")).content)
    assert shots[0] == shots[1]


@pytest.mark.parametrize("seed", range(6))
def test_the_aorta_is_as_wide_as_it_is_drawn(open_session, role, seed):
    """Calipers on the outer walls find the width that the report has to hold."""
    session = open_session(seed)
    session.login(role)
    row = exam(session, "workflow")
    session.post(at(session, "workflow", "start"), identity="yes")
    session.post(at(session, "workflow", "probe"), probe="convex")
    session.post(at(session, "workflow", "view"), plane="transverse")
    page = session.get(at(session, "workflow", "scan")).text
    scale = float(page.partition('data-scale="')[2].partition('"')[0])
    true = float(session.rows("truth")[f"{row['accession']}|diameter"]["value"]) * 10
    assert wall_distance(picture(session, "workflow"), scale) == pytest.approx(true, abs=3)


def test_starting_asks_for_the_identity(session):
    """Without the tick the machine asks first; confirmed, the record says so."""
    address = at(session, "workflow", "start")
    assert "Name and date of birth were not compared" in session.post(address).text
    assert exam(session, "workflow")["status"] == "scheduled"
    assert session.post(address, confirmed="yes").status_code == 303
    row = exam(session, "workflow")
    assert (row["status"], row["identity_checked"]) == ("in_progress", False)


def test_starting_with_the_identity_is_recorded(session):
    """With the tick the exam starts at once, and only once."""
    address = at(session, "workflow", "start")
    assert session.post(address, identity="yes").status_code == 303
    assert exam(session, "workflow")["identity_checked"] is True
    refused(session, address, "Only a scheduled exam", identity="yes")


@pytest.mark.parametrize(
    ("page", "form"),
    [
        ("probe", {"probe": "convex"}),
        ("mode", {"mode": "m"}),
        ("freeze", {}),
        ("view", {"plane": "transverse"}),
        ("captures", {}),
        ("measurements", {"label": "Aorta, front to back", "distance": "30"}),
        ("settings", SETTINGS | {"depth": "5", "frequency": "10", "focus": "2"}),
    ],
)
def test_nothing_is_scanned_before_the_start(session, page, form):
    """Every control of the machine waits for the exam to begin."""
    refused(session, at(session, "workflow", page), "Start the exam first.", **form)
    refused(session, at(session, "report", page), "not running any more", **form)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"depth": "45"}, "2 to 9."),
        ({"depth": "deep"}, "Enter a number."),
        ({"frequency": "3.5"}, "5 to 15."),
        ({"gain": "101"}, "0 to 100."),
        ({"gain": "50.5"}, "Enter a number."),
        ({"focus": "6"}, "0.5 to 5."),
        ({"tgc_mid": "21"}, "0 to 20."),
        ({"depth": "9", "step": "depth up"}, "2 to 9."),
    ],
)
def test_what_the_probe_cannot_do_is_refused(session, changed, message):
    """Limits belong to the probe, and are named."""
    usual = SETTINGS | {"depth": "5", "frequency": "10", "focus": "2"}
    refused(session, at(session, "parameters", "settings"), message, **usual | changed)


def test_a_nudge_changes_one_value(session):
    """The buttons beside a value move it by one step."""
    adjust(session, "parameters", step="depth down")
    adjusted = exam(session, "parameters")
    assert (adjusted["depth_cm"], adjusted["gain"], adjusted["focus_cm"]) == (4.5, 50, 2.0)


def test_a_probe_comes_with_its_usual_settings(session):
    """Changing the probe leaves no value that the new one cannot have."""
    session.post(at(session, "parameters", "probe"), probe="phased")
    row = exam(session, "parameters")
    assert (row["probe"], row["frequency_mhz"], row["depth_cm"], row["focus_cm"]) == (
        "phased",
        2.5,
        16.0,
        6.4,
    )


def test_unknown_choices_are_refused(session):
    """What is not on the panel cannot be posted either."""
    refused(session, at(session, "parameters", "probe"), "no such probe", probe="matrix")
    refused(session, at(session, "parameters", "mode"), "no such mode", mode="elasto")
    refused(session, at(session, "parameters", "view"), "no such view", side="midline")


def test_a_frozen_picture_keeps_its_mode(session):
    """The mode changes only while the picture runs."""
    address = at(session, "mode", "mode")
    refused(session, address, "Press Unfreeze", mode="m")
    session.post(at(session, "mode", "freeze"))
    assert session.post(address, mode="m").status_code == 303
    assert exam(session, "mode")["mode"] == "m"


@pytest.mark.parametrize("mode", ["colour", "pw"])
def test_doppler_over_an_embryo_warns(open_session, role, mode):
    """More output than advised has to be confirmed; M-mode has not."""
    for seed in range(20):
        session = open_session(seed)
        session.login(role)
        if exam(session, "mode")["protocol"] == "pregnancy":
            break
    session.post(at(session, "mode", "freeze"))
    assert session.post(at(session, "mode", "mode"), mode="m").status_code == 303
    assert "above what is advised" in session.post(at(session, "mode", "mode"), mode=mode).text
    assert exam(session, "mode")["mode_warned"] is False
    session.post(at(session, "mode", "mode"), mode=mode, confirmed="yes")
    assert exam(session, "mode")["mode_warned"] is True


def test_a_capture_keeps_settings_and_body_mark(session):
    """A stored picture does not change when the machine is set otherwise; deleting strikes it."""
    session.post(at(session, "capture", "view"), side="left", plane="longitudinal")
    session.post(at(session, "capture", "captures"))
    (key, kept) = next(
        (key, row)
        for key, row in session.rows("captures").items()
        if row["mrn"] == exam(session, "capture")["mrn"]
    )
    assert (kept["side"], kept["plane"], kept["by"]) == (
        "left",
        "longitudinal",
        session.user("sonologist")["user_id"],
    )
    thumbnail = session.get(at(session, "capture", f"captures/{key}.png")).content
    session.post(at(session, "capture", "view"), side="right")
    assert session.get(at(session, "capture", f"captures/{key}.png")).content == thumbnail
    assert session.post(at(session, "capture", f"captures/{key}/delete")).status_code == 303
    assert session.rows("captures")[key]["in_error"] is True
    assert session.post(at(session, "capture", f"captures/{key}/delete")).status_code == 404


def test_measurements_are_kept_in_millimetres(session):
    """A distance needs a name of the protocol and a possible length."""
    address = at(session, "parameters", "measurements")
    refused(session, address, "Choose what was measured.", label="Nose", distance="12")
    label = (
        session.get(at(session, "parameters", "scan"))
        .text.partition('name="label" value="')[2]
        .partition('"')[0]
    )
    refused(session, address, "0.5 to 300 mm.", label=label, distance="0.1")
    session.post(address, label=label, distance="12.5")
    (entry,) = session.journal("measurements")
    assert entry["after"]["value_mm"] == 12.5
    session.post(f"{address}/{entry['key']}/delete")
    assert session.rows("measurements")[entry["key"]]["in_error"] is True


def test_a_draft_may_have_gaps_and_a_signature_may_not(session):
    """Saving keeps what is there; signing names what is missing."""
    address = at(session, "report", "report")
    refused(session, address, "Needed before signing.", action="sign", length_right="10.5")
    assert session.post(address, action="save", length_right="10.5").status_code == 303
    accession = exam(session, "report")["accession"]
    assert session.rows("report_values")[f"{accession}|length_right"]["value"] == "10.5"
    assert session.rows("reports")[accession]["status"] == "draft"


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"length_right": "108"}, "Enter 3 to 20 cm."),
        ({"length_right": "long"}, "Enter 3 to 20 cm."),
        ({"dilation_left": "huge"}, "Choose one of those shown."),
        ({"impression": "x" * 601}, "At most 600 characters."),
        ({"action": "print"}, "Choose Save draft or Sign report."),
    ],
)
def test_impossible_reports_are_refused(session, form, message):
    """Nothing that cannot be is stored."""
    refused(session, at(session, "report", "report"), message, **{"action": "save"} | form)


def drafted(session, story):
    """Return what the draft of an exam says."""
    accession = exam(session, story)["accession"]
    rows = session.rows("report_values").values()
    return {row["field"]: row["value"] for row in rows if row["accession"] == accession}


def test_a_critical_result_that_nobody_was_told_of_warns(session):
    """Signing asks; told before, it does not."""
    address, values = at(session, "urgent", "report"), drafted(session, "urgent")
    assert "nobody has been told" in session.post(address, action="sign", **values).text
    told = {
        "category": "red",
        "person": exam(session, "urgent")["referrer"],
        "method": "phone",
        "told_at": "09:00",
    }
    assert session.post(at(session, "urgent", "calls"), read_back="yes", **told).status_code == 303
    assert session.post(address, action="sign", **values).status_code == 303
    report = session.rows("reports")[exam(session, "urgent")["accession"]]
    assert (report["status"], report["warned"]) == ("signed", False)
    assert exam(session, "urgent")["status"] == "reported"


def test_a_signed_report_stays_as_it_is(session):
    """Neither saving nor signing again changes it."""
    address, values = at(session, "urgent", "report"), drafted(session, "urgent")
    session.post(address, action="sign", confirmed="yes", **values)
    refused(session, address, "cannot be changed", action="save", **values)


def test_residents_draft_and_sonologists_sign(open_session):
    """A resident's signature is refused, and a sonographer may not write at all."""
    session = open_session()
    session.login("resident")
    address, values = at(session, "urgent", "report"), drafted(session, "urgent")
    refused(session, address, "signed by the sonologist", action="sign", **values)
    session.browse()
    session.login("sonographer")
    refused(session, address, "not write them", action="save", **values)


def test_signing_without_a_picture_warns(session):
    """A report about nothing that was stored has to be confirmed."""
    session.post(at(session, "workflow", "start"), identity="yes")
    values = {"diameter": "2.0", "conclusion": "normal", "follow_up": "none", "action": "sign"}
    assert "No picture was stored" in session.post(at(session, "workflow", "report"), **values).text


def test_a_report_waits_for_the_exam(session):
    """Nothing can be written about somebody who was not scanned."""
    refused(session, at(session, "workflow", "report"), "was not started", action="save", diameter="2")


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"category": ""}, "Choose a category."),
        ({"person": "nobody"}, "Choose who was told."),
        ({"method": "pigeon"}, "Choose how."),
        ({"method": "message"}, "A red result is told by voice."),
        ({"told_at": "25:00"}, "Enter a time such as 14:05."),
        ({"told_at": "23:59"}, "This time has not come yet."),
    ],
)
def test_incomplete_communications_are_refused(session, form, message):
    """Who, how and when have to be known."""
    told = {
        "category": "red",
        "person": exam(session, "urgent")["referrer"],
        "method": "phone",
        "told_at": "09:00",
    }
    refused(session, at(session, "urgent", "calls"), message, **told | form)


def test_a_communication_can_be_marked_in_error(session):
    """It stays in the record and leaves the page."""
    told = {
        "category": "orange",
        "person": exam(session, "urgent")["referrer"],
        "method": "phone",
        "told_at": "9:05",
    }
    session.post(at(session, "urgent", "calls"), **told)
    (entry,) = session.journal("calls")
    assert entry["after"]["told_at"].endswith("T09:05")
    assert entry["after"]["read_back"] is False
    assert session.post(at(session, "urgent", f"calls/{entry['key']}/error")).status_code == 303
    assert session.rows("calls")[entry["key"]]["in_error"] is True


CLASSIFIED = {
    "composition": "solid",
    "echogenicity": "hypo",
    "shape": "wide",
    "margin": "smooth",
    "foci_macro": "yes",
    "foci_punctate": "yes",
    "level": "5",
    "advice": "fna",
}


def test_a_classification_is_stored_as_chosen(session):
    """Several foci are kept together; the machine adds no points and corrects no level."""
    assert session.post(at(session, "tirads", "nodules/1"), **CLASSIFIED).status_code == 303
    (entry,) = session.journal("nodules")
    assert (entry["after"]["foci"], entry["after"]["level"], entry["after"]["advice"]) == (
        "macro,punctate",
        5,
        "fna",
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"composition": ""}, "Choose the composition."),
        ({"foci_macro": "", "foci_punctate": ""}, "Choose the echogenic foci."),
        ({"foci_none": "yes"}, "None goes with no other choice."),
        ({"level": "6"}, "Choose a level."),
        ({"advice": ""}, "Choose what is advised."),
    ],
)
def test_an_incomplete_classification_is_refused(session, changed, message):
    """Every feature is needed."""
    refused(session, at(session, "tirads", "nodules/1"), message, **CLASSIFIED | changed)


def test_the_report_does_not_say_the_reader_s_words(session):
    """The impression is the agent's to write."""
    truth = session.rows("truth").values()
    impression = next(row["value"] for row in truth if row["subject"] == "impression")
    assert impression not in session.get(at(session, "report", "report")).text


def test_what_was_typed_is_escaped(session):
    """A hostile impression is text, on this page and the next."""
    session.post(at(session, "report", "report"), action="save", impression="<script>alert(1)</script>")
    page = session.get(at(session, "report", "report")).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_strangers_and_missing_exams(session):
    """An unknown exam is not there, and a scheduled one has no picture."""
    assert session.get("/exam/US00/scan").status_code == 404
    assert session.get(at(session, "workflow", "picture.png")).status_code == 404
    assert session.get(at(session, "report", "nodules/1")).status_code == 404


def test_the_worklist_filters_and_searches(session):
    """Status and words narrow the list."""
    row = exam(session, "open")
    everybody = session.get("/worklist").text
    scheduled = session.get("/worklist?show=scheduled").text
    found = session.get(f"/worklist?q={row['mrn']}").text
    counts = [text.count("/exam/") for text in (everybody, scheduled, found)]
    assert counts[0] == len(session.rows("exams"))
    assert counts[1] == sum(row["status"] == "scheduled" for row in session.rows("exams").values())
    assert counts[2] == 1


def test_opening_an_exam_leads_to_the_work(session):
    """What is still to scan opens at the machine, what was scanned at its report."""
    for story, page in (("workflow", "scan"), ("mode", "scan"), ("report", "report")):
        accession = exam(session, story)["accession"]
        assert session.get(f"/exam/{accession}").headers["location"].endswith(f"/{page}")
