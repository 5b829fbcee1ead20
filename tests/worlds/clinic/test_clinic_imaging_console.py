"""The rules of the imaging console: what is refused, warned about and allowed; and what the pictures show."""

import io

import numpy as np
import pytest
from PIL import Image

BOTH = {"checked_name": "yes", "checked_birth_date": "yes"}
SCOUT = {"position": "head_first_supine", "direction": "ap", "scout_from": "300", "scout_to": "800"}
TECHNIQUE = {
    "kv": "120",
    "ma": "150",
    "rotation_s": "0.5",
    "slice_mm": "3.0",
    "pitch": "1",
    "fov_mm": "350",
    "kernel": "standard",
}
INJECTION = {"volume_ml": "80", "rate_ml_s": "3", "delay_s": "60"}
QUALITY = {"water_hu": "-1.2", "noise_hu": "4.1", "uniformity_hu": "2", "artefact": "none", "result": "pass"}


@pytest.fixture
def order(session):
    """Finds the order that plays a part."""
    return lambda part: next(row for row in session.rows("orders").values() if row["part"] == part)


@pytest.fixture
def at(order):
    """Returns the address of a step of the order that plays a part."""
    return lambda part, step: f"/exam/{order(part)['accession']}/{step}"


@pytest.fixture
def refused(session):
    """Posts, and sees that nothing is stored and the message is shown."""

    def post(path, message, **form):
        session.get(path)
        before = session.state()
        answer = session.post(path, **form)
        assert answer.status_code == 422
        assert message in answer.text
        assert session.state()["journal"] == before["journal"]

    return post


@pytest.fixture
def asked(session):
    """Posts, sees that the console asks first, and confirms."""

    def post(path, question, table, **form):
        before = session.rows(table)
        answer = session.post(path, **form)
        assert answer.status_code == 200
        assert question in answer.text
        assert session.rows(table) == before
        assert session.post(path, **form, confirmed="yes").status_code == 303

    return post


def last(session, collection):
    """Return the latest journalled image of a collection."""
    return session.journal(collection)[-1]["after"]


def test_registration_keeps_what_was_compared(session, order, at):
    """Registering stores the identifiers, moves the order on, and leads to the safety step."""
    answer = session.post(at("arrival", "register"), **BOTH)
    assert answer.headers["location"] == at("arrival", "safety")
    stored = last(session, "exams")
    assert (stored["checked_name"], stored["checked_mrn"], stored["registered_warned"]) == (
        True,
        False,
        False,
    )
    assert order("arrival")["status"] == "registered"


@pytest.mark.parametrize("form", [{}, {"checked_name": "yes"}, {"checked_mrn": "yes", "checked_room": "yes"}])
def test_fewer_than_two_identifiers_ask(session, asked, at, form):
    """One identifier, or one and a room number, has to be confirmed, and that is stored."""
    asked(at("arrival", "register"), "Fewer than two patient identifiers", "exams", **form)
    assert last(session, "exams")["registered_warned"] is True


def test_only_a_scheduled_order_is_registered(refused, at):
    """Nobody is registered twice."""
    refused(at("technique", "register"), "Only a scheduled order", **BOTH)


@pytest.mark.parametrize(
    "step", ["safety", "protocol", "technique", "scout", "scan", "injector", "send", "complete"]
)
def test_nothing_before_registration(refused, at, step):
    """Every other step refuses an order that is not registered."""
    refused(at("arrival", step), "Register the patient first.")


def test_only_the_technologist_operates(open_session):
    """Assistants may look, but not register, scan, hold or decide on quality."""
    session = open_session()
    session.login("assistant")
    orders = {row["part"]: row["accession"] for row in session.rows("orders").values()}
    arrival, technique = f"/exam/{orders['arrival']}", f"/exam/{orders['technique']}"
    assert session.get(f"{arrival}/patient").status_code == 200
    paths = [f"{arrival}/register", f"{arrival}/hold", f"{technique}/scout"]
    for path in [*paths, "/quality/scan", "/quality/result", "/quality/out", "/quality/in"]:
        answer = session.post(path, **BOTH, **SCOUT)
        assert answer.status_code == 422
        assert "Scanners are operated by the technologist." in answer.text


def test_hold_stops_the_order(session, order, at, refused):
    """A hold needs a reason and a person, and afterwards nothing can be scanned."""
    radiologist = session.user("radiologist")["user_id"]
    refused(at("technique", "hold"), "Choose a reason.", notified=radiologist)
    nobody = session.user("assistant")["user_id"]
    refused(at("technique", "hold"), "Choose who was told.", reason="contrast", notified=nobody)
    long = {"reason": "contrast", "notified": radiologist, "note": "x" * 301}
    refused(at("technique", "hold"), "At most 300 characters.", **long)
    assert session.post(at("technique", "hold"), **long | {"note": "waits"}).status_code == 303
    assert order("technique")["status"] == "on_hold"
    refused(at("technique", "scout"), "The order is on hold.", **SCOUT)
    refused(at("technique", "hold"), "Only an open order", reason="contrast", notified=radiologist)


def test_screening_asks_what_the_examination_needs(session, at):
    """Pregnancy for a woman of childbearing age, contrast and kidneys for contrast medium, devices for MR."""
    pages = {part: session.get(at(part, "safety")).text for part in ("complete", "flagged", "implant")}
    assert "Cannot be excluded" in pages["complete"]
    assert "Latest eGFR" not in pages["complete"]
    assert "Latest eGFR" in pages["flagged"]
    assert "Checked for ferromagnetic objects" in pages["implant"]
    assert "Takes metformin" not in pages["implant"]


def test_screening_is_complete_or_not_stored(session, at, refused):
    """A missing or impossible answer is refused at its field; a complete one is stored, others stay null."""
    session.post(at("flagged", "register"), **BOTH)
    good = {"reaction": "mild", "egfr": "48", "metformin": "yes"}
    refused(at("flagged", "safety"), "Choose an answer.", **good | {"metformin": ""})
    for egfr in ("", "0", "201", "48.5", "high"):
        refused(at("flagged", "safety"), "whole number from 1 to 200", **good | {"egfr": egfr})
    assert session.post(at("flagged", "safety"), **good, pregnancy="pregnant").status_code == 303
    stored = last(session, "screenings")
    assert (stored["reaction"], stored["egfr"], stored["metformin"]) == ("mild", 48, "yes")
    assert (stored["pregnancy"], stored["device"], stored["swept"]) == (None, None, False)


def test_zone_four_needs_the_ferromagnetic_check(session, at, refused):
    """An MR screening without the check is refused."""
    session.post(at("implant", "register"), **BOTH)
    refused(at("implant", "safety"), "ferromagnetic objects has to be done", device="conditional")
    assert session.post(at("implant", "safety"), device="conditional", swept="yes").status_code == 303


def test_protocol_brings_its_technique(session, at, refused):
    """Selecting stores the factory technique with its dose; another one replaces both; MR protocols are refused."""
    for protocol, current in (("chest_routine", 160), ("chest_low_dose", 60)):
        assert session.post(at("unplanned", "protocol"), protocol=protocol).status_code == 303
        assert last(session, "techniques")["ma"] == current
    assert last(session, "exams")["protocol"] == "chest_low_dose"
    refused(at("unplanned", "protocol"), "one of the protocols of this scanner", protocol="brain_routine")


def test_dose_follows_the_technique(session, at):
    """CTDIvol is proportional to mAs over pitch, and grows with the voltage."""
    session.post(at("technique", "protocol"), protocol="chest_routine")
    doses = []
    for change in ({}, {"ma": "300"}, {"pitch": "0.5"}, {"kv": "140"}):
        session.post(at("technique", "technique"), **TECHNIQUE | change, confirmed="yes")
        doses.append(last(session, "techniques")["ctdi_mgy"])
    first = 6.8 * 150 * 0.5 / 100
    assert doses == pytest.approx([first, 2 * first, 2 * first, first * (140 / 120) ** 2.6], abs=0.01)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kv": "110"}, "Choose one of the values shown."),
        ({"ma": "9"}, "whole number from 10 to 700"),
        ({"ma": "701"}, "whole number from 10 to 700"),
        ({"ma": "150.5"}, "whole number from 10 to 700"),
        ({"kv": "140", "ma": "580"}, "at most 80 kW: 571 mA"),
        ({"rotation_s": "2"}, "Choose one of the values shown."),
        ({"pitch": "0.2"}, "number from 0.3 to 1.6"),
        ({"fov_mm": "600"}, "whole number from 150 to 500"),
        ({"kernel": "extra"}, "Choose from the list."),
    ],
)
def test_impossible_technique_is_refused(refused, at, change, message):
    """What the scanner cannot do is refused at its field."""
    refused(at("technique", "technique"), message, **TECHNIQUE | change)


def test_dose_above_the_reference_level_asks(session, at, asked):
    """The notification is soft: confirmed, the technique is stored and says so."""
    session.post(at("technique", "protocol"), protocol="chest_routine")
    asked(
        at("technique", "technique"),
        "above the reference level of 12 mGy",
        "techniques",
        **TECHNIQUE | {"ma": "400"},
    )
    assert last(session, "techniques")["notified"] is True


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"position": "upside_down"}, "Choose how the patient lies."),
        ({"direction": "oblique"}, "Choose a direction."),
        ({"scout_from": "1501"}, "whole number from 0 to 1500"),
        ({"scout_from": "790"}, "must be 20 to 900 mm long"),
        ({"scout_from": "0", "scout_to": "1000"}, "must be 20 to 900 mm long"),
        ({"scout_to": "far"}, "whole number from 0 to 1500"),
    ],
)
def test_impossible_scout_is_refused(refused, at, change, message):
    """The scout lies on the table and runs from head to feet."""
    refused(at("positioned", "scout"), message, **SCOUT | change)


def test_scan_needs_a_scout_and_stays_within(session, at, refused):
    """A range outside of the scout cannot be planned; one inside is stored with its dose-length product."""
    refused(at("positioned", "scan"), "Acquire the scout first.", range_from="400", range_to="600")
    assert session.post(at("positioned", "scout"), **SCOUT).status_code == 303
    refused(at("positioned", "scan"), "whole number from 300 to 800", range_from="290", range_to="600")
    assert session.post(at("positioned", "scan"), range_from="400", range_to="600").status_code == 303
    scan = last(session, "scans")
    assert scan["dlp_mgy_cm"] == pytest.approx(scan["ctdi_mgy"] * 20, abs=0.1)
    assert (scan["with_contrast"], scan["warned"]) == (False, False)


def test_a_second_scan_asks(session, at, asked):
    """Exposing the patient again for the same examination has to be confirmed."""
    session.post(at("positioned", "scout"), **SCOUT)
    session.post(at("positioned", "scan"), range_from="400", range_to="600")
    asked(at("positioned", "scan"), "scanned already", "scans", range_from="400", range_to="600")


def test_unscreened_and_pregnant_patients_ask(session, at, asked):
    """The console asks before an exposure without screening, and once pregnancy is not excluded."""
    session.post(at("pregnant", "register"))
    session.post(at("pregnant", "register"), confirmed="yes")
    session.post(at("pregnant", "protocol"), protocol="urinary_stone")
    asked(at("pregnant", "scout"), "The safety screening has not been saved.", "scouts", **SCOUT)
    session.post(at("pregnant", "safety"), pregnancy="possible")
    answer = session.post(at("pregnant", "scout"), **SCOUT)
    assert "Pregnancy: cannot be excluded." in answer.text
    assert "fewer than two identifiers" in answer.text


def test_contrast_risks_ask(session, at):
    """An earlier reaction, an eGFR below 30 and metformin with it are named before the exposure."""
    session.post(at("flagged", "register"), **BOTH)
    session.post(at("flagged", "safety"), reaction="moderate", egfr="24", metformin="yes")
    session.post(at("flagged", "protocol"), protocol="abdomen_portal_venous")
    page = session.post(at("flagged", "scout"), **SCOUT).text
    assert "Earlier moderate reaction to contrast medium." in page
    assert "below 30; metformin is to be withheld for 48 hours." in page


def test_contrast_scan_without_injector_asks(session, at, asked):
    """A contrast protocol asks when nothing is armed; what is armed is injected with the scan."""
    scout = next(
        row
        for row in session.rows("scouts").values()
        if at("contrast", "x").split("/")[2] == row["accession"]
    )
    limits = {"range_from": str(scout["from_mm"] + 50), "range_to": str(scout["to_mm"] - 50)}
    asked(at("contrast", "scan"), "the injector is not armed", "scans", **limits)
    assert last(session, "scans")["with_contrast"] is False
    answer = session.post(at("contrast", "injector"), **INJECTION)
    assert answer.status_code == 422
    assert "The scan was done." in answer.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"volume_ml": "201"}, "whole number from 1 to 200"),
        ({"rate_ml_s": "12"}, "number from 0.1 to 10"),
        ({"delay_s": "301"}, "whole number from 0 to 300"),
    ],
)
def test_injector_limits(refused, at, change, message):
    """The pump refuses what it cannot do."""
    refused(at("contrast", "injector"), message, **INJECTION | change)


def test_contrast_that_was_not_ordered_asks(session, at, asked):
    """Arming for an examination without contrast medium has to be confirmed; MR has no injector."""
    asked(at("technique", "injector"), "without contrast medium", "injections", **INJECTION)
    session.post(at("implant", "register"), **BOTH)
    assert "no injector" in session.post(at("implant", "injector"), **INJECTION).text


def test_first_level_mode_asks(session, at, asked):
    """MR: the localizer comes first, and the first level mode has to be confirmed."""
    session.post(at("implant", "register"), **BOTH)
    session.post(at("implant", "safety"), device="conditional", swept="yes")
    session.post(at("implant", "protocol"), protocol="brain_routine")
    assert "Acquire the localizer first." in session.post(at("implant", "scan")).text
    session.post(at("implant", "scout"))
    asked(at("implant", "scan"), "whole-body SAR above 2 W/kg", "scans")
    assert last(session, "scans")["mode"] == "first_level"


def test_completion(session, order, at, refused, asked):
    """Nothing is completed without a scan; unsent images only ask; afterwards everything is closed."""
    refused(at("positioned", "complete"), "without a scan cannot be completed")
    refused(at("positioned", "send"), "There are no images to send.", destination="Main archive")
    refused(at("positioned", "reconstruct"), "no CT scan to reconstruct", kernel="bone", slice_mm="1.0")
    session.post(at("positioned", "scout"), **SCOUT)
    session.post(at("positioned", "scan"), range_from="400", range_to="600")
    refused(at("positioned", "reconstruct"), "Choose a kernel.", slice_mm="1.0")
    assert session.post(at("positioned", "reconstruct"), kernel="bone", slice_mm="1.0").status_code == 303
    refused(at("positioned", "send"), "Choose where to send the images.", destination="Moon")
    asked(at("positioned", "complete"), "The images have not been sent.", "exams")
    assert order("positioned")["status"] == "completed"
    refused(at("positioned", "send"), "The examination is completed.", destination="Main archive")


def test_quality_control(session, refused):
    """Values need a phantom scan, may be negative, and the console takes whatever decision it is given."""
    assert "Mean HU" not in session.get("/quality").text
    assert session.get("/phantom.png").status_code == 404
    refused("/quality/result", "Scan the phantom first.", **QUALITY)
    session.post("/quality/scan")
    assert "Mean HU" in session.get("/quality").text
    for water in ("", "1.25", "--1", "900"):
        refused("/quality/result", "at most one decimal", **QUALITY | {"water_hu": water})
    refused("/quality/result", "Choose one.", **QUALITY | {"result": "perhaps"})
    assert session.post("/quality/result", **QUALITY | {"water_hu": "−1.2"}).status_code == 303
    assert last(session, "qc_results")["water_hu"] == -1.2


def test_a_scanner_out_of_service_asks(session, at, asked, refused):
    """Taking it out names a physicist; scanning on it all the same has to be confirmed; it can be put back."""
    refused("/quality/out", "Choose who was told.", informed=session.user("radiologist")["user_id"])
    session.post("/quality/out", informed=session.user("physicist")["user_id"])
    asked(at("positioned", "scout"), "The scanner is out of service.", "scouts", **SCOUT)
    session.post("/quality/in")
    assert session.rows("scanners")["CT 1"]["in_service"] is True


def grey(answer):
    """Return the mean brightness of a picture."""
    assert answer.headers["content-type"] == "image/png"
    return float(np.asarray(Image.open(io.BytesIO(answer.content))).mean())


def test_the_window_changes_the_slice(session, at):
    """A lung window shows more than a soft tissue window, a level below air whites everything out."""
    assert session.get(at("positioned", "slice.png")).status_code == 404
    session.post(at("positioned", "scout"), **SCOUT)
    session.post(at("positioned", "scan"), range_from="400", range_to="600")
    address = at("positioned", "slice.png")
    soft, lung, white = (
        grey(session.get(f"{address}?at=500&width={width}&level={level}"))
        for width, level in ((400, 40), (1500, -600), (100, -2000))
    )
    assert soft < lung < white
    assert white == 255


def test_a_stranger_s_scout_is_another_picture(session, at):
    """The scout is drawn from the patient's own landmarks."""
    shown = []
    for part in ("positioned", "technique"):
        session.post(at(part, "scout"), **SCOUT)
        shown.append(session.get(at(part, "scout.png")).content)
    assert shown[0] != shown[1]


def test_hidden_truth_is_in_no_page(session, order, at):
    """Neither the part that an order plays, nor the right protocol, nor landmarks are written anywhere."""
    steps = ("patient", "safety", "technique", "scan", "injector", "images", "finish")
    pages = "".join(session.get(at("contrast", step)).text for step in steps) + session.get("/worklist").text
    body = session.rows("anatomy")[order("contrast")["mrn"]]
    assert "unplanned" not in pages
    assert order("contrast")["protocol"] not in pages
    for name in ("dome", "apex", "symphysis"):
        assert f">{body[name]}<" not in pages
        assert f'"{body[name]}"' not in pages


def test_hostile_text_is_escaped(session, at):
    """A note is shown as text."""
    notified = session.user("radiologist")["user_id"]
    session.post(
        at("technique", "hold"), reason="condition", notified=notified, note="<script>alert(1)</script>"
    )
    page = session.get(at("technique", "patient")).text
    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page
    assert session.get("/exam/0000000/patient").status_code == 404
    assert "&lt;b&gt;" in session.get("/worklist", params={"q": "<b>"}).text
