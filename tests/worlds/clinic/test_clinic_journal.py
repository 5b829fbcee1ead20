"""What a checker can rely on: the journal, the request log, the workstation and the clock."""


def test_every_write_is_journalled_with_its_request(session):
    """A saved set appears with key, images before and after, and the number of its request."""
    mrn = session.patient("abdominal_pain")["mrn"]
    session.post(f"/chart/{mrn}/vitals", heart_rate="88", weight="70")
    request = session.requests()[-1]
    (added,) = session.journal("vitals")
    assert (added["op"], added["before"], added["request"]) == ("insert", None, request["n"])
    assert added["after"] == session.rows("vitals")[added["key"]]
    (changed,) = session.journal("patients")
    assert (changed["op"], changed["key"]) == ("update", mrn)
    assert changed["before"] | {"weight_kg": 70.0} == changed["after"]


def test_journal_speaks_json(session):
    """Booleans and blanks in the journal are JSON values, as in the collections."""
    session.post(session.chart("abdominal_pain", tab="vitals"), heart_rate="88")
    (added,) = session.journal("vitals")
    assert added["after"]["in_error"] is False
    assert added["after"]["gcs"] is None


def test_undone_writes_stay_in_the_journal(session):
    """A level that was corrected and a set marked in error leave both steps behind."""
    triage = session.chart("altered_mental_status", tab="triage")
    session.post(f"{triage}/esi", esi="4", reason="one")
    session.post(f"{triage}/esi", esi="2", reason="mental_status")
    levels = [(entry["before"]["esi"], entry["after"]["esi"]) for entry in session.journal("patients")]
    assert levels == [(None, 4), (4, 2)]
    vitals = session.chart("altered_mental_status", tab="vitals")
    session.post(vitals, heart_rate="88")
    key = session.journal("vitals")[-1]["key"]
    session.post(f"{vitals}/{key}/error")
    assert [entry["op"] for entry in session.journal("vitals")] == ["insert", "update"]


def test_journal_numbers_have_no_gap_and_are_the_revision(session):
    """Entries are numbered from 1 and the revision is the last number."""
    session.post(session.chart("abdominal_pain", tab="vitals"), heart_rate="88")
    state = session.state()
    assert [entry["n"] for entry in state["journal"]] == list(range(1, state["revision"] + 1))


def test_refused_post_changes_nothing(session):
    """A refusal leaves revision, clock and data as they were; only the request log knows."""
    address = session.chart("abdominal_pain", tab="vitals")
    session.get(address)
    before = session.state()
    assert session.post(address, heart_rate="999", gcs="15").status_code == 422
    assert session.state() == before
    assert session.requests()[-1]["status"] == 422


def test_write_that_changes_nothing_is_no_change(session):
    """Opening the same page again does not move the revision."""
    session.get("/board")
    before = session.state()["revision"]
    session.get("/board")
    assert session.state()["revision"] == before


def test_clock_moves_a_minute_with_each_write_only(session):
    """The clinical clock stands still while pages are read and moves one minute per stored POST."""
    address = session.chart("abdominal_pain", tab="vitals")
    before = session.state()["clock"]
    session.get(address)
    assert session.state()["clock"] == before
    session.post(address, heart_rate="88")
    after = session.state()["clock"]
    assert after != before
    assert session.journal("vitals")[-1]["after"]["taken_at"] == before


def test_request_log_hides_passwords(open_session):
    """The request log has method, path, query and form, but never a password."""
    session = open_session()
    session.login()
    session.get("/board?show=waiting&q=a")
    login, board = session.requests()
    user = session.user()
    assert login["method"] == "POST"
    assert login["form"] == {"user_id": user["user_id"], "password": "***"}
    assert login["status"] == 303
    expected = {"path": "/board", "query": {"show": "waiting", "q": "a"}, "form": {}, "status": 200}
    assert {name: board[name] for name in expected} == expected


def test_login_tokens_are_not_reported(session):
    """No part of the state contains the cookie of the browser."""
    token = session.browser.cookies["signin"]
    assert token not in str(session.state())
    assert not any(name.startswith("_") for name in session.state()["collections"])


def test_workstation_follows_the_screen(session):
    """The workstation row says who sees what now; the chart counts as open until it is left."""
    mrn = session.patient("dyspnea")["mrn"]
    session.get(f"/chart/{mrn}/vitals")
    row = session.rows("workstation")["1"]
    assert (row["user"], row["screen"], row["open_mrn"]) == (session.user()["user_id"], "vitals", mrn)
    session.get("/board")
    assert session.rows("workstation")["1"]["open_mrn"] is None
    session.post("/logout")
    assert session.rows("workstation")["1"] == {"id": 1, "user": None, "screen": "login", "open_mrn": None}


def test_opening_a_chart_is_recorded_once(session):
    """One access per opening, however many tabs are read."""
    mrn = session.patient("dyspnea")["mrn"]
    for address in (
        f"/chart/{mrn}",
        f"/chart/{mrn}/vitals",
        f"/chart/{mrn}/triage",
        "/board",
        f"/chart/{mrn}",
    ):
        session.get(address)
    assert [row["mrn"] for row in session.rows("chart_access").values()] == [mrn, mrn]


def test_looking_around_does_not_change_the_fingerprint(session):
    """Logins, the workstation and chart accesses are reported but not fingerprinted."""
    session.get(session.chart("dyspnea"))
    state = session.state()
    assert state["revision"] > 0
    assert state["fingerprint"] == session.described["fingerprint"]
