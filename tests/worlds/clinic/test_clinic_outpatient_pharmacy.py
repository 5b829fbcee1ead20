"""The rules of the outpatient pharmacy: what is refused, warned about and allowed."""

import re

import pytest

HOSTILE = "<script>alert(1)</script>\"'><img src=x>"


@pytest.fixture
def rx(session):
    """Finds the prescription of a story, and addresses it."""

    def find(plot, page=""):
        (row,) = [row for row in session.rows("prescriptions").values() if row["plot"] == plot]
        return f"/rx/{row['rx_no']}{page}"

    return find


@pytest.fixture
def row(session):
    """Reads the prescription of a story."""
    return lambda plot: next(r for r in session.rows("prescriptions").values() if r["plot"] == plot)


@pytest.fixture
def alert(session, row, rx):
    """Returns the address of the first alert of a story."""

    def find(plot):
        mine = [r["id"] for r in session.rows("alerts").values() if r["rx_no"] == row(plot)["rx_no"]]
        return rx(plot, f"/alert/{min(mine)}")

    return find


def entry(row, **changes):
    """Return the form that stores an entry as it is, with changes."""
    names = ("drug", "dose", "frequency", "quantity", "days_supply", "refills")
    return {name: str(row[name]).removesuffix(".0") for name in names} | {"reason": "entry"} | changes


def lot(session, drug, place=0):
    """Return the lots of a drug, the first to expire first."""
    stock = [row for row in session.rows("stock").values() if row["drug"] == drug]
    return sorted(stock, key=lambda item: item["expires_on"])[place]


def test_a_clean_prescription_is_verified_once(session, rx, row):
    """Verification stamps user and time; a second one is refused."""
    assert session.post(rx("clean", "/verify")).status_code == 303
    assert (row("clean")["status"], row("clean")["verified_by"]) == (
        "verified",
        session.user("pharmacist")["user_id"],
    )
    again = session.post(rx("clean", "/verify"))
    assert again.status_code == 422
    assert "waits for verification" in again.text


def test_open_alerts_block_verification(session, rx, row):
    """Alerts above minor have to be decided on first."""
    before = session.state()
    answer = session.post(rx("duplicate", "/verify"))
    assert answer.status_code == 422
    assert "decide on the open alerts" in answer.text
    assert session.state()["collections"]["prescriptions"] == before["collections"]["prescriptions"]


def test_a_minor_alert_does_not_block(session, rx, row, alert):
    """With the interaction overridden, the note about a stopped medicine is for information."""
    session.post(alert("alert"), action="override", reason="consulted")
    assert session.post(rx("alert", "/verify")).status_code == 303


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({}, "Choose what to do."),
        ({"action": "modify", "reason": "monitoring"}, "Choose what to do."),
        ({"action": "override"}, "Choose a reason"),
        ({"action": "override", "reason": "duplicate"}, "Choose a reason"),
        ({"action": "reject", "reason": "monitoring"}, "Choose a reason"),
        ({"action": "reject", "reason": "dose", "note": "x" * 301}, "At most 300"),
    ],
)
def test_a_decision_needs_an_action_with_its_reason(session, alert, form, message):
    """Reasons of one action are none of the other."""
    answer = session.post(alert("tolerated"), **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("alerts") == []


def test_rejecting_holds_the_prescription_and_writes_to_the_prescriber(session, alert, row):
    """The message names what it is about, and the words added."""
    assert (
        session.post(alert("duplicate"), action="reject", reason="duplicate", note="Please call.").status_code
        == 303
    )
    assert row("duplicate")["status"] == "held"
    (message,) = [entry["after"] for entry in session.journal("messages")]
    assert (message["direction"], message["mrn"]) == ("out", row("duplicate")["mrn"])
    assert message["body"].startswith("Duplicate therapy: ")
    assert message["body"].endswith("Please call.")


def test_a_contraindication_is_overridden_only_when_confirmed(session, alert):
    """The first attempt asks; a moderate alert is overridden at once."""
    address = alert("contraindicated")
    question = session.post(address, action="override", reason="irrelevant")
    assert question.status_code == 200
    assert "Override a contraindication?" in question.text
    assert session.journal("alerts") == []
    assert session.post(address, action="override", reason="irrelevant", confirmed="yes").status_code == 303
    assert session.post(alert("tolerated"), action="override", reason="tolerated").status_code == 303
    assert session.post(address, action="override", reason="irrelevant").status_code == 422


def test_an_edit_is_screened_again(session, rx, row):
    """Alerts that no longer apply are settled by the edit, and new ones appear."""
    form = entry(row("contraindicated"), drug="Naproxen 500 mg tablet", reason="prescriber", confirmed="yes")
    assert session.post(rx("contraindicated", "/edit"), **form).status_code == 303
    old, *_ = [r for r in session.rows("alerts").values() if r["rx_no"] == row("contraindicated")["rx_no"]]
    assert (old["action"], old["reason"]) == ("modify", "prescriber")
    back = entry(row("contraindicated"), drug=old["drug"], reason="entry", confirmed="yes")
    session.post(rx("contraindicated", "/edit"), **back)
    mine = [
        r["action"] for r in session.rows("alerts").values() if r["rx_no"] == row("contraindicated")["rx_no"]
    ]
    assert mine == ["modify", None]


def test_a_smaller_overdose_is_a_new_alert(session, rx, row):
    """The dose is compared with the weight after each edit."""
    child = row("child")
    form = entry(child, dose=f"{child['dose'] - 0.5:g}", reason="prescriber", confirmed="yes")
    session.post(rx("child", "/edit"), **form)
    kinds = [
        (r["kind"], r["action"]) for r in session.rows("alerts").values() if r["rx_no"] == child["rx_no"]
    ]
    assert kinds == [("dose", "modify"), ("dose", None)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"drug": "Something 5 mg tablet"}, "Choose a product"),
        ({"frequency": "hourly"}, "Choose how often"),
        ({"dose": "0"}, "Enter 0.25 to 100."),
        ({"quantity": "many"}, "Enter 1 to 1000."),
        ({"days_supply": "1.5"}, "Enter 1 to 365."),
        ({"refills": "12"}, "Enter 0 to 11."),
        ({"reason": ""}, "Choose why"),
    ],
)
def test_an_impossible_entry_is_refused(session, rx, row, changes, message):
    """The refusal stands at its field and nothing is stored."""
    answer = session.post(rx("clean", "/edit"), **entry(row("clean"), **changes))
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("prescriptions") == []


def test_an_amount_that_does_not_fit_asks_first(session, rx, row):
    """The question says what the directions would need."""
    form = entry(row("clean"), quantity="7")
    question = session.post(rx("clean", "/edit"), **form)
    assert "Amount and directions differ" in question.text
    assert session.journal("prescriptions") == []
    assert session.post(rx("clean", "/edit"), **form, confirmed="yes").status_code == 303
    assert row("clean")["quantity"] == 7


def test_a_verified_prescription_is_not_edited_and_an_unverified_one_not_filled(session, rx, row):
    """Each step is open at its time only."""
    assert session.post(rx("dispense", "/edit"), **entry(row("dispense"))).status_code == 422
    item = lot(session, row("clean")["drug"], -1)
    answer = session.post(rx("clean", "/fill"), lot=item["lot"], quantity="30", days_supply="30")
    assert answer.status_code == 422
    assert "Only a verified prescription" in answer.text
    assert session.post(rx("clean", "/pickup"), counselling="declined", confirmed="yes").status_code == 422


def test_editing_takes_a_prescription_off_hold(session, rx, row):
    """Once the order is changed it waits for verification again."""
    form = entry(row("held"), drug="Cetirizine 10 mg tablet", reason="prescriber")
    assert session.post(rx("held", "/edit"), **form).status_code == 303
    assert row("held")["status"] == "pending"


def test_a_fill_comes_out_of_stock(session, rx, row):
    """Product, lot and expiry are copied, and the amount on hand falls."""
    item, order = lot(session, row("dispense")["drug"], 2), row("dispense")
    amount = {"quantity": f"{order['quantity']:g}", "days_supply": str(order["days_supply"])}
    assert session.post(rx("dispense", "/fill"), lot=item["lot"], **amount).status_code == 303
    (filled,) = [each["after"] for each in session.journal("fills")]
    assert (filled["ndc"], filled["expires_on"], filled["warned"]) == (item["ndc"], item["expires_on"], False)
    assert session.rows("stock")[str(item["id"])]["on_hand"] == item["on_hand"] - order["quantity"]
    assert row("dispense")["status"] == "ready"


def test_expired_or_other_products_ask_first(session, rx, row):
    """The question names what is wrong; confirmed, it is stored with that fact."""
    order = row("dispense")
    expired = lot(session, order["drug"], 0)
    amount = {"quantity": f"{order['quantity']:g}", "days_supply": str(order["days_supply"])}
    question = session.post(rx("dispense", "/fill"), lot=expired["lot"], **amount)
    assert f"Lot {expired['lot']} expired on" in question.text
    beside = [r for r in session.rows("stock").values() if r["drug"].split()[0] == order["drug"].split()[0]]
    other = next(r for r in beside if r["drug"] != order["drug"])
    assert "Another product" in session.post(rx("dispense", "/fill"), lot=other["lot"], **amount).text
    assert session.journal("fills") == []
    session.post(rx("dispense", "/fill"), lot=expired["lot"], **amount, confirmed="yes")
    assert session.journal("fills")[-1]["after"]["warned"] is True


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"quantity": "30", "days_supply": "30"}, "Choose what was taken"),
        ({"lot": "X1", "quantity": "30", "days_supply": "30"}, "Choose what was taken"),
        ({"lot": "{lot}", "quantity": "", "days_supply": "30"}, "Enter the quantity"),
        ({"lot": "{lot}", "quantity": "9999", "days_supply": "30"}, "not that much"),
        ({"lot": "{lot}", "quantity": "30", "days_supply": "0"}, "Enter 1 to 365 days."),
    ],
)
def test_an_impossible_fill_is_refused(session, rx, row, form, message):
    """Nothing leaves the shelf."""
    item = lot(session, row("dispense")["drug"], 2)
    filled = {name: value.format(lot=item["lot"]) for name, value in form.items()}
    answer = session.post(rx("dispense", "/fill"), **filled)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("stock") == []


def test_a_pick_up_records_identity_and_talk(session, rx, row):
    """Ticked boxes become facts, the others do not."""
    form = {"checked_birth": "yes", "checked_phone": "yes", "talked_dose": "yes", "counselling": "given"}
    assert session.post(rx("counsel", "/pickup"), **form, teach_back="able").status_code == 303
    (done,) = [each["after"] for each in session.journal("pickups")]
    ticked = {name for name, value in done.items() if value is True}
    assert ticked == {"checked_birth", "checked_phone", "talked_dose"}
    assert row("counsel")["status"] == "sold"


def test_handing_out_without_two_identifiers_asks_first(session, rx):
    """One identifier is not enough."""
    form = {"checked_name": "yes", "counselling": "declined"}
    question = session.post(rx("counsel", "/pickup"), **form)
    assert "Two identifiers are required" in question.text
    assert session.journal("pickups") == []
    session.post(rx("counsel", "/pickup"), **form, confirmed="yes")
    assert session.journal("pickups")[-1]["after"]["warned"] is True


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({}, "Choose whether the patient was counselled."),
        ({"counselling": "given"}, "Mark what was talked about."),
        ({"counselling": "declined", "talked_dose": "yes"}, "when counselling was declined"),
        ({"counselling": "given", "talked_dose": "yes", "teach_back": "maybe"}, "Choose one of the answers."),
    ],
)
def test_a_contradictory_pick_up_is_refused(session, rx, form, message):
    """What was talked about and whether it was must agree."""
    answer = session.post(rx("counsel", "/pickup"), **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("pickups") == []


def test_only_the_pharmacist_decides(open_session):
    """A technician may correct entries and fill, but not verify, decide on alerts or counsel."""
    session = open_session()
    session.login("technician")
    rxs = {row["plot"]: row for row in session.rows("prescriptions").values()}
    address = {plot: f"/rx/{row['rx_no']}" for plot, row in rxs.items()}
    held = next(r["id"] for r in session.rows("alerts").values() if r["rx_no"] == rxs["tolerated"]["rx_no"])
    attempts = {
        f"{address['clean']}/verify": {},
        f"{address['tolerated']}/alert/{held}": {"action": "override", "reason": "tolerated"},
        f"{address['counsel']}/pickup": {"counselling": "declined", "confirmed": "yes"},
    }
    for where, form in attempts.items():
        answer = session.post(where, **form)
        assert answer.status_code == 422
        assert "Only a pharmacist may" in answer.text
    assert session.post(f"{address['clean']}/edit", **entry(rxs["clean"])).status_code == 303


def test_the_queue_filters_searches_and_does_not_count(session, row):
    """A tab shows one step, the search one prescription; no number of rows is printed."""
    pending = [r["rx_no"] for r in session.rows("prescriptions").values() if r["status"] == "pending"]
    page = session.get("/queue?show=pending").text
    assert sorted(re.findall(r'href="/rx/(\d+)"', page)) == sorted(pending)
    assert not re.search(rf"\b{len(pending)}\b (rows|prescriptions|records)", page)
    one = row("lookup_second")
    assert re.findall(r'href="/rx/(\d+)"', session.get("/queue", params={"q": one["rx_no"]}).text) == [
        one["rx_no"]
    ]
    assert "No prescriptions match." in session.get("/queue?q=zzzz").text


def test_the_screen_tells_which_prescription_is_open(session, rx, row):
    """The workstation records window and patient."""
    session.get(rx("lookup"))
    state = session.rows("workstation")["1"]
    assert state["screen"] == f"prescription {row('lookup')['rx_no']}"
    assert state["open_mrn"] == row("lookup")["mrn"]
    session.get("/stock")
    assert session.rows("workstation")["1"]["open_mrn"] is None


def test_hostile_text_is_shown_as_text(session, alert):
    """Markup typed into a search or a message is escaped."""
    session.post(alert("duplicate"), action="reject", reason="duplicate", note=HOSTILE)
    window = alert("duplicate").rpartition("/alert")[0]
    for page in (
        session.get(window),
        session.get("/queue", params={"q": HOSTILE}),
        session.get("/stock", params={"q": HOSTILE}),
    ):
        assert "<script>alert" not in page.text
        assert "<img" not in page.text
    assert "&lt;script&gt;" in session.get(window).text


@pytest.mark.parametrize("address", ["/rx/0000000", "/rx/0000000/edit", "/rx/x/alert/1"])
def test_unknown_prescriptions_are_not_found(session, address):
    """An address that leads nowhere says so."""
    assert session.get(address).status_code == 404


def test_an_alert_belongs_to_its_prescription(session, alert, rx):
    """It cannot be decided on through another one."""
    number = alert("tolerated").rpartition("/")[2]
    answer = session.post(rx("clean", f"/alert/{number}"), action="override", reason="tolerated")
    assert answer.status_code == 404
