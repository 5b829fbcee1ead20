"""The rules of the endoscopy workstation: what is refused, warned about and allowed."""

import pytest

LESION = {"segment": "sigmoid", "paris": "0-Is", "method": "cold_snare", "size_mm": "6", "jar": "3"}
COURSE = {
    "bbps_right": "2",
    "bbps_transverse": "3",
    "bbps_left": "2",
    "caecum": "reached",
    "withdrawal_min": "8",
}
ASSESSED = {
    "asa": "2",
    "last_fluids": "06:00",
    "antithrombotic": "none",
    "consent": "yes",
    "allergies_confirmed": "yes",
}


def case(session, story):
    """Return the procedure of a story."""
    return next(row for row in session.rows("procedures").values() if row["story"] == story)


def at(session, story, page):
    """Return the address of a page of a case."""
    return f"/case/{case(session, story)['case_no']}/{page}"


def refused(session, address, message, **form):
    """Post something that must be refused and must leave no trace."""
    session.get(address.rpartition("/")[0].partition("/findings")[0] + "/report")
    before = session.state()["collections"]
    answer = session.post(address, **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.state()["collections"] == before


def nurse(session):
    """Return the nurse's signature as the form takes it."""
    user = session.user("endoscopy_nurse")
    return {"second_user": user["user_id"], "second_password": user["code"], "said_aloud": "yes"}


def test_an_assessment_is_stored_with_who_and_when(session):
    """All fields arrive, and the next page is the procedure."""
    answer = session.post(at(session, "preassess", "assessment"), **ASSESSED)
    assert answer.headers["location"].endswith("/procedure")
    row = case(session, "preassess")
    assert (row["asa"], row["last_fluids"], row["antithrombotic"]) == (2, "06:00", "none")
    assert (row["consent"], row["allergies_confirmed"], row["assessment_warned"]) == (True, True, False)
    assert row["assessed_by"] == session.user("endoscopist")["user_id"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"asa": ""}, "Choose a class."),
        ({"asa": "6"}, "Choose a class."),
        ({"antithrombotic": "later"}, "Choose one."),
        ({"last_fluids": "yesterday"}, "Enter a time such as 06:30."),
        ({"last_fluids": "24:10"}, "Enter a time such as 06:30."),
    ],
)
def test_an_incomplete_assessment_is_refused(session, changed, message):
    """Class, fasting and blood thinners have to be known."""
    refused(session, at(session, "preassess", "assessment"), message, **ASSESSED | changed)


def just_now(session):
    """Return the time of an hour ago."""
    hour, minute = session.state()["clock"][11:].split(":")
    return f"{int(hour) - 1:02d}:{minute}"


@pytest.mark.parametrize(
    ("missing", "warning"),
    [
        ("consent", "Consent is not confirmed."),
        ("allergies_confirmed", "Allergies are not confirmed."),
        ("last_fluids", "less than two hours ago"),
    ],
)
def test_a_risky_assessment_asks_and_is_stored_when_confirmed(session, missing, warning):
    """A gap is shown in a dialog first; confirming stores it and says so."""
    form = {name: value for name, value in ASSESSED.items() if name != missing}
    form |= {"last_fluids": just_now(session)} if missing == "last_fluids" else {}
    address = at(session, "preassess", "assessment")
    assert warning in session.post(address, **form).text
    assert case(session, "preassess")["assessed_at"] is None
    assert session.post(address, **form, confirmed="yes").status_code == 303
    assert case(session, "preassess")["assessment_warned"] is True


def test_the_assessment_comes_before_the_procedure(session):
    """Once begun, or by a nurse, it cannot be saved."""
    refused(session, at(session, "finding", "assessment"), "comes before the procedure", **ASSESSED)
    session.browse()
    session.login("endoscopy_nurse")
    refused(session, at(session, "preassess", "assessment"), "the endoscopist writes it", **ASSESSED)


def test_a_time_out_needs_a_nurse(session):
    """Neither a wrong password nor somebody else's role will do, and the tick is part of it."""
    address = at(session, "info", "start")
    signed = nurse(session)
    refused(session, address, "User ID or code is not right.", **signed | {"second_password": "x"})
    refused(session, address, "Confirm what was said aloud.", **signed | {"said_aloud": ""})
    clerk = session.user("clerk")
    other = {"second_user": clerk["user_id"], "second_password": clerk["code"], "said_aloud": "yes"}
    refused(session, address, "may not sign for this", **other)
    me = session.user("endoscopist")
    own = {"second_user": me["user_id"], "second_password": me["code"], "said_aloud": "yes"}
    refused(session, address, "must be somebody else", **own)


def test_a_start_after_time_out_is_recorded(session):
    """Assessed and signed by the nurse, the procedure begins at once, and only once."""
    address = at(session, "info", "start")
    assert session.post(address, **nurse(session)).status_code == 303
    row = case(session, "info")
    assert (row["status"], row["start_warned"]) == ("in_progress", False)
    assert row["timeout_with"] == session.user("endoscopy_nurse")["user_id"]
    refused(session, address, "was started before", **nurse(session))


def test_a_start_without_safety_checks_asks(session):
    """Both gaps are named; confirmed, the record says so."""
    address = at(session, "preassess", "start")
    question = session.post(address).text
    assert "No time-out with the nurse is recorded." in question
    assert "There is no pre-assessment." in question
    assert session.post(address, confirmed="yes").status_code == 303
    row = case(session, "preassess")
    assert (row["start_warned"], row["timeout_with"]) == (True, None)


def test_nothing_is_recorded_before_the_start(session):
    """Lesions, course and pictures wait for the scope."""
    refused(session, at(session, "info", "findings"), "Start the procedure first.", **LESION)
    refused(session, at(session, "info", "course"), "Start the procedure first.", action="save", **COURSE)
    refused(session, at(session, "info", "images"), "no live picture")
    assert session.get(at(session, "info", "live.png")).status_code == 404


def test_a_lesion_is_added_changed_and_struck(session):
    """The journal keeps all of it; the jar may be blank."""
    address = at(session, "finding", "findings")
    session.post(address, **LESION)
    (entry,) = session.journal("findings")
    assert {name: str(entry["after"][name]) for name in LESION} == LESION
    session.post(f"{address}/{entry['key']}", **LESION | {"size_mm": "7", "jar": ""})
    changed = session.rows("findings")[entry["key"]]
    assert (changed["size_mm"], changed["jar"]) == (7, None)
    assert "7 mm" in session.get(at(session, "finding", "procedure")).text
    session.post(f"{address}/{entry['key']}/error")
    assert session.rows("findings")[entry["key"]]["in_error"] is True
    assert session.post(f"{address}/{entry['key']}/error").status_code == 404
    assert session.post(f"{address}/{entry['key']}", **LESION).status_code == 404


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"segment": "antrum"}, "Choose one."),
        ({"paris": "0-IV"}, "Choose one."),
        ({"method": ""}, "Choose one."),
        ({"size_mm": "0"}, "1 to 100 mm."),
        ({"size_mm": "6.5"}, "1 to 100 mm."),
        ({"size_mm": "120"}, "1 to 100 mm."),
        ({"jar": "21"}, "1 to 20, or blank."),
    ],
)
def test_impossible_lesions_are_refused(session, changed, message):
    """Where, how large, which shape and how removed have to be possible."""
    refused(session, at(session, "finding", "findings"), message, **LESION | changed)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"bbps_left": "4"}, "Scores are 0 to 3."),
        ({"caecum": "perhaps"}, "Choose one."),
        ({"withdrawal_min": "0"}, "1 to 120 minutes."),
        ({"withdrawal_min": "8.5"}, "1 to 120 minutes."),
    ],
)
def test_an_impossible_course_is_refused(session, changed, message):
    """Scores and minutes have limits."""
    refused(session, at(session, "finding", "course"), message, action="save", **COURSE | changed)


def test_a_course_may_be_saved_in_parts(session):
    """Blank is not zero, and the total needs all three."""
    address = at(session, "finding", "course")
    session.post(address, action="save", bbps_right="0")
    row = case(session, "finding")
    assert (row["bbps_right"], row["bbps_left"], row["status"]) == (0, None, "in_progress")
    session.post(address, action="save", **COURSE)
    assert "<b>7</b>/9" in session.get(at(session, "finding", "procedure")).text


@pytest.mark.parametrize(
    ("changed", "warning"),
    [
        ({"caecum": ""}, "Whether the caecum was reached"),
        ({"bbps_left": ""}, "is not scored"),
        ({"withdrawal_min": "5"}, "6 minutes or more"),
        ({"withdrawal_min": ""}, "6 minutes or more"),
    ],
)
def test_ending_with_gaps_asks(session, changed, warning):
    """What quality is measured by should be there; confirmed, it ends all the same."""
    address = at(session, "finding", "course")
    assert warning in session.post(address, action="end", **COURSE | changed).text
    assert case(session, "finding")["status"] == "in_progress"
    session.post(address, action="end", confirmed="yes", **COURSE | changed)
    row = case(session, "finding")
    assert (row["status"], row["end_warned"]) == ("completed", True)


def test_a_complete_course_ends_at_once(session):
    """Nothing to ask; a withdrawal of any length is fine where the caecum was not reached."""
    address = at(session, "finding", "course")
    assert session.post(address, action="end", **COURSE).headers["location"].endswith("/report")
    assert case(session, "finding")["end_warned"] is False
    refused(session, address, "has ended", action="end", **COURSE)
    session.post(
        at(session, "bbps", "course"),
        action="end",
        **COURSE | {"caecum": "not_reached", "withdrawal_min": ""},
    )
    assert case(session, "bbps")["status"] == "completed"


def password(session):
    """Return the signature of the endoscopist."""
    return session.user("endoscopist")["password"]


def test_a_signature_needs_the_password_and_a_recommendation(session):
    """Both are asked for at their fields."""
    address = at(session, "multi_1", "report")
    refused(session, address, "The password is not right.", recommendation="screening", signature="x")
    refused(session, address, "Choose what follows.", signature=password(session))
    refused(
        session, address, "At most 500", comment="x" * 501, recommendation="none", signature=password(session)
    )


def test_a_report_with_gaps_is_refused(session):
    """Without withdrawal time there is no signature, nor before the end."""
    form = {"recommendation": "screening", "signature": password(session)}
    refused(session, at(session, "multi_2", "report"), "withdrawal time is not recorded", **form)
    refused(session, at(session, "finding", "report"), "has not ended", **form)
    session.post(at(session, "finding", "course"), action="end", confirmed="yes", withdrawal_min="8")
    refused(session, at(session, "finding", "report"), "Caecum or preparation", **form)


def test_a_signed_case_stays_as_it_is(session):
    """Nothing of it can be changed afterwards."""
    form = {"recommendation": "screening", "signature": password(session)}
    assert session.post(at(session, "multi_1", "report"), **form, comment="As discussed.").status_code == 303
    row = case(session, "multi_1")
    assert (row["status"], row["recommendation"], row["comment"]) == (
        "reported",
        "screening",
        "As discussed.",
    )
    for page, more in (
        ("report", form),
        ("course", {"action": "save"}),
        ("findings", LESION),
        ("images/1", {"label": "polyp"}),
    ):
        refused(session, at(session, "multi_1", page), "cannot be changed", **more)
    lesion = next(
        key for key, found in session.rows("findings").items() if found["case_no"] == row["case_no"]
    )
    refused(session, at(session, "multi_1", f"findings/{lesion}/error"), "cannot be changed")


def test_labels_are_set_and_taken_off(session):
    """The same label again takes it off; unknown ones are refused."""
    address = at(session, "landmarks", "images/2")
    session.post(address, label="valve")
    image = next(
        row for row in session.rows("images").values() if row["label"] == "valve" and row["number"] == 2
    )
    assert image["mrn"] == case(session, "landmarks")["mrn"]
    session.post(address, label="valve")
    assert session.journal("images")[-1]["after"]["label"] is None
    refused(session, address, "no such label", label="spleen")
    assert session.post(at(session, "landmarks", "images/99"), label="valve").status_code == 404


def test_pictures_differ_by_what_they_show(session):
    """Seven pictures, drawn the same each time, none like another; thumbnails are small."""
    drawn = [
        session.get(at(session, "landmarks", f"images/{number}.png?large=1")).content
        for number in range(1, 8)
    ]
    assert len(set(drawn)) == 7
    small = session.get(at(session, "landmarks", "images/1.png")).content
    assert len(small) < len(drawn[0]) / 4
    assert session.get(at(session, "landmarks", "images/1.png?large=1")).content == drawn[0]
    assert session.get(at(session, "landmarks", "images/9.png")).status_code == 404


def test_a_picture_can_be_taken_while_the_scope_is_in(session):
    """It gets the next number and has no label."""
    assert session.get(at(session, "finding", "live.png")).headers["content-type"] == "image/png"
    session.post(at(session, "finding", "images"))
    (entry,) = session.journal("images")
    assert (entry["after"]["number"], entry["after"]["label"]) == (1, None)


def test_a_gastroscopy_has_no_bowel_to_score(open_session, role):
    """Its stations are those of the upper tract, and it ends without a Boston score."""
    for seed in range(20):
        session = open_session(seed)
        session.login(role)
        if case(session, "select")["kind"] == "gastroscopy":
            break
    session.post(at(session, "select", "start"), confirmed="yes")
    page = session.get(at(session, "select", "procedure")).text
    assert "Lower oesophagus" in page
    assert "Boston scale" not in page
    assert session.post(at(session, "select", "course"), action="end").status_code == 303


def test_what_was_typed_is_escaped(session):
    """A hostile comment is text."""
    form = {"recommendation": "none", "signature": "x", "comment": "</textarea><script>alert(1)</script>"}
    page = session.post(at(session, "multi_1", "report"), **form).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert 'value="x"' not in page


def test_opening_a_case_leads_to_the_work(session):
    """Each state has its page, and an unknown case is not there."""
    for story, page in (("full", "assessment"), ("bbps", "procedure"), ("report", "report")):
        number = case(session, story)["case_no"]
        assert session.get(f"/case/{number}").headers["location"].endswith(f"/{page}")
    assert session.get("/case/EN0").status_code == 404


def test_the_schedule_filters_and_searches(session):
    """Status and words narrow the list."""
    row = case(session, "full")
    counts = [
        session.get(f"/schedule{query}").text.count("/case/")
        for query in ("", "?show=completed", f"?q={row['mrn']}")
    ]
    assert counts == [len(session.rows("procedures")), 3, 1]
