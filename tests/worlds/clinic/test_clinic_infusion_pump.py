"""The rules of the infusion pumps: what is refused, asked about and allowed."""

import pytest


@pytest.fixture
def pump(session):
    """Finds a patient's channel by story: the first one with a status."""

    def find(story, status="infusing"):
        patient = next(row for row in session.rows("patients").values() if row["story"] == story)
        rows = session.rows("channels").values()
        return next(row for row in rows if (row["mrn"], row["status"]) == (patient["mrn"], status))

    return find


@pytest.fixture
def entry(session):
    """Finds an entry of the unit's drug library."""

    def find(drug, area="adult_icu"):
        rows = session.rows("library").values()
        return next(row for row in rows if (row["drug"], row["care_area"]) == (drug, area))

    return find


def address(channel, page=""):
    """Return the address of a channel or of one of its keys."""
    return f"/pumps/{channel['mrn']}/{channel['letter']}" + (f"/{page}" if page else "")


def now(session, channel):
    """Return a channel as it is stored now."""
    return session.rows("channels")[f"{channel['mrn']}|{channel['letter']}"]


def programme(entry, **changed):
    """Return the form of a programme within all limits."""
    dose = (entry["soft_low"] + entry["soft_high"]) / 2
    return {"entry": str(entry["id"]), "dose": f"{dose:.3g}", "vtbi": "100", "weight": "70"} | changed


@pytest.mark.parametrize(
    ("drug", "dose", "weight", "rate"),
    [
        ("NORepinephrine", "0.1", "80", None),
        ("niCARdipine", "5", "", 25.0),
        ("insulin regular", "2", "", 2.0),
        ("vasopressin", "0.03", "", 9.0),
        ("lactated Ringer", "80", "", 80.0),
        ("propofol", "25", "80", 12.0),
    ],
)
def test_rate_follows_from_dose_weight_and_concentration(session, pump, entry, drug, dose, weight, rate):
    """The stored rate is what the arithmetic of the drug's label makes of the dose."""
    found, channel = entry(drug), pump("new_drug", "off")
    session.post(address(channel, "program"), **programme(found, dose=dose, weight=weight, vtbi="50"))
    stored = now(session, channel)
    mcg_per_ml = found["amount"] * 1000 / found["volume_ml"]
    assert stored["status"] == "ready"
    assert stored["rate"] == (rate or round(0.1 * 80 * 60 / mcg_per_ml, 1))
    assert (stored["dose"], stored["vtbi_ml"]) == (float(dose), 50.0)


def test_dose_follows_from_rate(session, pump, entry):
    """Whoever types the rate last gets the dose worked out to three digits."""
    channel = pump("new_drug", "off")
    form = programme(entry("propofol"), dose="", rate="12.5", leading="rate", weight="80")
    session.post(address(channel, "program"), **form)
    assert (now(session, channel)["rate"], now(session, channel)["dose"]) == (12.5, 26.0)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"dose": "much"}, "Enter a number."),
        ({"dose": ""}, "Enter a number."),
        ({"dose": "-5"}, "Enter a number."),
        ({"dose": "0"}, "Enter a number."),
        ({"dose": "٥"}, "Enter a number."),
        ({"dose": "5.1234"}, "Enter a number."),
        ({"vtbi": ""}, "Enter a number."),
        ({"vtbi": "10000"}, "At most 9999."),
        ({"weight": "400"}, "At most 350."),
        ({"dose": "3", "weight": "0.1"}, "the pump runs 0.1 to 999 mL/h"),
    ],
)
def test_impossible_settings_are_refused(session, pump, entry, changed, message):
    """A setting that cannot be is refused at its field, and nothing is stored."""
    channel = pump("new_drug", "off")
    session.get(address(channel))
    before = session.state()
    answer = session.post(address(channel, "program"), **programme(entry("DOPamine"), dose="5") | changed)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.state() == before


@pytest.mark.parametrize(("limit", "factor"), [("hard_low", 0.9), ("hard_high", 1.1)])
def test_hard_limits_cannot_be_passed(session, pump, entry, limit, factor):
    """Neither a reason nor insisting makes the pump take such a dose, in a programme or a titration."""
    found = entry("niCARdipine")
    dose = f"{found[limit] * factor:.3g}"
    free, running = pump("new_drug", "off"), pump("limits")
    more = {"reason": "emergency", "override": "asked"}
    answers = [session.post(address(free, "program"), **programme(found, dose=dose, **more))]
    running_entry = session.rows("library")[str(running["entry"])]
    dose = f"{running_entry[limit] * factor:.3g}"
    answers.append(session.post(address(running, "titrate"), dose=dose, **more))
    for answer in answers:
        assert answer.status_code == 422
        assert "HARD LIMIT" in answer.text
    assert now(session, running)["dose"] == running["dose"]
    assert now(session, free)["status"] == "off"


@pytest.mark.parametrize("limit", ["soft_low", "soft_high", "hard_low", "hard_high"])
def test_a_dose_on_a_limit_is_within_it(session, pump, entry, limit):
    """Limits are inclusive: the outermost possible dose only asks for a reason, a soft one nothing."""
    found = entry("niCARdipine")
    answer = session.post(
        address(pump("new_drug", "off"), "program"), **programme(found, dose=f"{found[limit]:g}")
    )
    assert ("SOFT LIMIT" in answer.text) is limit.startswith("hard")
    assert answer.status_code == (200 if limit.startswith("hard") else 303)


def test_a_soft_limit_asks_for_a_reason_and_keeps_it(session, pump, entry):
    """The first answer is a question; with a reason the dose is stored, and the override with it."""
    found, channel = entry("niCARdipine"), pump("new_drug", "off")
    form = programme(found, dose=f"{found['soft_high'] + 1:g}")
    assert "SOFT LIMIT" in session.post(address(channel, "program"), **form).text
    assert session.post(address(channel, "program"), **form, override="asked").status_code == 422
    assert session.journal("overrides") == []
    assert (
        session.post(address(channel, "program"), **form, override="asked", reason="tolerance").status_code
        == 303
    )
    (row,) = session.rows("overrides").values()
    assert (row["crossed"], row["limit_value"], row["reason"]) == (
        "soft_high",
        found["soft_high"],
        "tolerance",
    )
    assert now(session, channel)["status"] == "ready"


def test_a_basic_infusion_knows_no_limits(session, pump):
    """Going without the library is possible, as on real pumps, and leaves neither entry nor dose."""
    channel = pump("new_drug", "off")
    session.post(address(channel, "program"), entry="", rate="500", vtbi="900")
    session.post(address(channel, "start"))
    stored = now(session, channel)
    assert (stored["status"], stored["entry"], stored["dose"], stored["rate"]) == (
        "infusing",
        None,
        None,
        500.0,
    )


def test_a_running_channel_is_not_reprogrammed(session, pump, entry):
    """HOLD comes first."""
    channel = pump("limits")
    answer = session.post(address(channel, "program"), **programme(entry("niCARdipine")))
    assert answer.status_code == 422
    assert "press HOLD" in answer.text
    assert now(session, channel) == channel


def test_start_hold_restart_off(session, pump):
    """The keys lead from state to state, and refuse what makes no sense."""
    channel = pump("limits")
    for key, status, code in (
        ("start", "infusing", 422),
        ("off", "infusing", 422),
        ("hold", "hold", 303),
        ("hold", "hold", 422),
        ("start", "infusing", 303),
        ("hold", "hold", 303),
        ("off", "off", 303),
        ("off", "off", 422),
        ("start", "off", 422),
        ("titrate", "off", 422),
        ("volume", "off", 422),
    ):
        assert session.post(address(channel, key)).status_code == code
        assert now(session, channel)["status"] == status
    assert now(session, channel)["entry"] is None
    assert [row["what"] for row in session.rows("events").values()] == [
        "Put on hold",
        "Restarted",
        "Put on hold",
        "Switched off",
    ]


@pytest.mark.parametrize("page", ["titrate", "volume"])
def test_nothing_can_be_changed_where_nothing_is_programmed(session, pump, page):
    """The displays for changes need a programme."""
    assert session.get(address(pump("new_drug", "off"), page)).status_code == 422


def second(session, role="staff_nurse"):
    """Return the signature of somebody else."""
    user = session.user(role)
    return {"second_user": user["user_id"], "second_password": user["code"]}


def test_high_alert_drugs_need_a_second_nurse(session, pump, entry):
    """Insulin starts only after a second nurse signed, and again at each change of dose."""
    channel = pump("new_drug", "off")
    session.post(address(channel, "program"), **programme(entry("insulin regular"), dose="2"))
    assert "Independent double check" in session.post(address(channel, "start")).text
    assert now(session, channel)["status"] == "ready"
    session.post(address(channel, "start"), **second(session))
    assert now(session, channel)["status"] == "infusing"
    assert "Independent double check" in session.post(address(channel, "titrate"), dose="3").text
    session.post(address(channel, "titrate"), dose="3", **second(session))
    assert now(session, channel)["dose"] == 3.0
    signed = [row["second"] for row in session.rows("double_checks").values()]
    assert signed == [session.user("staff_nurse")["user_id"]] * 2


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"second_user": ""}, "A second person has to sign."),
        ({"second_user": "self"}, "The second person must be somebody else."),
        ({"second_user": "nobody"}, "User ID or code is not right."),
        ({"second_user": "wrong"}, "User ID or code is not right."),
        ({"second_user": "pharmacist"}, "may not sign for this."),
    ],
)
def test_who_may_not_sign(session, pump, entry, form, message):
    """Nobody signs for themselves, with a wrong password, or without being a nurse."""
    known = {
        "self": second(session, "bedside_nurse"),
        "pharmacist": second(session, "pharmacist"),
        "wrong": second(session) | {"second_password": "no"},
    }
    channel = pump("new_drug", "off")
    session.post(address(channel, "program"), **programme(entry("insulin regular"), dose="2"))
    answer = session.post(address(channel, "start"), **known.get(form["second_user"], form))
    assert answer.status_code == 422
    assert message in answer.text
    assert session.rows("double_checks") == {}


def test_the_double_check_can_be_skipped_and_is_missed(session, pump, entry):
    """As on real pumps nothing stops a nurse in a hurry; the record says that nobody signed."""
    channel = pump("new_drug", "off")
    session.post(address(channel, "program"), **programme(entry("heparin"), dose="10"))
    session.post(address(channel, "start"), skip="yes")
    (row,) = session.rows("double_checks").values()
    assert (row["second"], now(session, channel)["status"]) == (None, "infusing")


def test_a_dose_beyond_a_soft_limit_is_kept_once_with_a_double_check(session, pump, entry):
    """Two questions in a row leave one override and one check."""
    found, channel = entry("insulin regular"), pump("new_drug", "off")
    session.post(address(channel, "program"), **programme(found, dose="2"))
    session.post(address(channel, "start"), **second(session))
    form = {"dose": f"{found['soft_high'] + 1:g}"}
    assert "SOFT LIMIT" in session.post(address(channel, "titrate"), **form).text
    form |= {"reason": "confirmed", "override": "asked"}
    assert "Independent double check" in session.post(address(channel, "titrate"), **form).text
    session.post(address(channel, "titrate"), **form, **second(session))
    assert len(session.rows("overrides")) == 1
    assert len(session.rows("double_checks")) == 2


def test_an_alarm_stops_until_cleared_and_started(session, pump):
    """START does nothing before the cause is named; afterwards the channel is on hold."""
    channel = pump("alarm_high", "alarm")
    (alarm,) = [row for row in session.rows("alarms").values() if row["mrn"] == channel["mrn"]]
    assert session.post(address(channel, "start")).status_code == 422
    clear = address(channel, f"alarms/{alarm['id']}")
    assert session.post(clear).status_code == 422
    cause = {"air_in_line": "air_removed", "occlusion": "clamp_opened"}[alarm["kind"]]
    assert session.post(clear, cause="mains_plugged").status_code == 422
    assert session.post(clear, cause=cause).status_code == 303
    assert now(session, channel)["status"] == "hold"
    assert session.post(clear, cause=cause).status_code == 404
    session.post(address(channel, "start"))
    assert now(session, channel)["status"] == "infusing"


def test_silencing_leaves_the_alarm(session, pump):
    """The sound pauses, the condition stays; a silent pump has nothing to silence."""
    channel = pump("alarm_high", "alarm")
    session.post(address(channel, "silence"))
    (alarm,) = [row for row in session.rows("alarms").values() if row["mrn"] == channel["mrn"]]
    assert (alarm["silenced_by"], alarm["cleared_at"]) == (session.user("bedside_nurse")["user_id"], None)
    assert "(silenced)" in session.get("/pumps").text
    assert session.post(address(channel, "silence")).status_code == 422


def test_a_complete_infusion_needs_a_volume(session, pump):
    """KVO goes on to infuse with a new VTBI only, and that clears its alarm."""
    channel = pump("alarm_medium", "kvo")
    (alarm,) = [row for row in session.rows("alarms").values() if row["mrn"] == channel["mrn"]]
    assert session.post(address(channel, "start")).status_code == 422
    assert session.post(address(channel, f"alarms/{alarm['id']}"), cause="new_volume").status_code == 422
    for wrong in ("", "0", "many", "10000"):
        assert session.post(address(channel, "volume"), vtbi=wrong).status_code == 422
    session.post(address(channel, "volume"), vtbi="500")
    session.post(address(channel, "start"))
    assert now(session, channel)["status"] == "infusing"
    assert session.rows("alarms")[str(alarm["id"])]["cause"] == "new_volume"


def test_the_dashboard_shows_alarms_by_priority(session):
    """High before medium before low, with the marks of IEC 60601-1-8."""
    page = session.get("/pumps").text
    places = [page.index(f"alarm-{priority}") for priority in ("high", "medium", "low")]
    assert places == sorted(places)


def test_a_query_brings_what_was_meant(session, pump):
    """The slip is replaced by a new order; what was meant is nowhere to be seen before."""
    order = next(row for row in session.rows("orders").values() if row["meant_dose"])
    page = f"/pumps/{order['mrn']}/orders"
    assert f"{order['meant_dose']:g} {order['dosing_unit']}" not in session.get(page).text
    form = {"order_id": order["id"], "problem": "above_hard_maximum", "limit": "20"}
    session.post(page, **form)
    assert session.rows("orders")[order["id"]]["status"] == "replaced"
    new = session.rows("orders")[f"{order['id']}-R"]
    assert (new["dose"], new["status"]) == (order["meant_dose"], "new")
    assert f"{new['dose']:g} {new['dosing_unit']}" in session.get(page).text
    assert session.post(page, **form).status_code == 422


def test_a_query_about_a_sound_order_changes_nothing(session):
    """The prescriber says that it stands."""
    order = next(row for row in session.rows("orders").values() if not row["meant_dose"])
    form = {"order_id": order["id"], "problem": "above_soft_maximum", "limit": "7.5"}
    session.post(f"/pumps/{order['mrn']}/orders", **form)
    (query,) = session.rows("queries").values()
    assert query["reply"] == "The order stands as it is written."
    assert session.rows("orders")[order["id"]] == order


def test_an_incomplete_query_is_refused(session):
    """Problem and limit are both needed, and the order must be the patient's."""
    order, other = (
        next(row for row in session.rows("orders").values() if bool(row["meant_dose"]) is meant)
        for meant in (True, False)
    )
    page = f"/pumps/{order['mrn']}/orders"
    for form in ({"problem": "", "limit": "20"}, {"problem": "above_hard_maximum", "limit": "high"}):
        assert session.post(page, order_id=order["id"], **form).status_code == 422
    wrong = {"order_id": other["id"], "problem": "above_hard_maximum", "limit": "20"}
    assert session.post(page, **wrong).status_code == 404
    assert session.rows("queries") == {}


def test_nothing_hidden_is_on_a_page(session, pump):
    """Stories are in no page, nor is the dose that a slip of the pen stands for."""
    stories = {row["story"] for row in session.rows("patients").values() if "_" in row["story"]}
    mrn = pump("limits")["mrn"]
    for page in ("/pumps", "/orders", "/library", "/log", f"/pumps/{mrn}/A", f"/pumps/{mrn}/orders"):
        text = session.get(page).text
        assert not [story for story in stories if story in text]
        assert "meant" not in text


def test_unknown_places_are_not_there(session, pump):
    """Neither a fifth channel, nor a stranger, nor an entry that does not exist."""
    channel = pump("limits")
    for page in (
        f"/pumps/{channel['mrn']}/E",
        "/pumps/00000000/A",
        "/library/9999",
        address(channel, "program?entry=9999"),
    ):
        assert session.get(page).status_code == 404


def test_the_library_finds_by_care_area_and_name(session):
    """A search shows what matches in the care area asked for."""
    page = session.get("/library?area=adult_ward&q=heparin").text
    assert "heparin 25,000 units / 250 mL" in page
    assert "units / 500 mL" not in page
    assert "<i>x" not in session.get("/library?q=%3Ci%3Ex").text


def test_looking_at_a_pump_is_logged(session, pump):
    """Opening a patient's pump counts as access, once."""
    channel = pump("limits")
    session.get(address(channel))
    session.get(address(channel, "drugs"))
    assert [row["mrn"] for row in session.rows("chart_access").values()] == [channel["mrn"]]
    assert session.rows("workstation")["1"]["screen"] == "pump drugs"
