"""The rules of order entry: what is refused, warned about and allowed."""

import re

import pytest

HOSTILE = "<script>alert(1)</script>\"'><img src=x>"
TABS = ("", "/medications", "/orders", "/allergies", "/consents", "/renewals", "/pharmacy", "/outside")
ORDER = {
    "drug": "Doxycycline 100 mg capsule",
    "dose": "1",
    "schedule": "bid",
    "quantity": "14",
    "days_supply": "7",
    "refills": "0",
    "indication": "Sinusitis",
}


@pytest.fixture
def mrn(session):
    """Finds the patient of a story."""
    return {r["plot"]: r["mrn"] for r in session.rows("patients").values()}.__getitem__


@pytest.fixture
def chart(mrn):
    """Returns the address of a chart, or of a page of it."""
    return lambda plot, page="": f"/p/{mrn(plot)}{page}"


@pytest.fixture
def medicines(session, mrn):
    """Reads a patient's medications, in the order in which they were written."""
    return lambda plot: [r for r in session.rows("medications").values() if r["mrn"] == mrn(plot)]


@pytest.fixture
def order(session):
    """Returns an order form at some pharmacy, with changes."""
    name = next(iter(session.rows("pharmacies").values()))["name"]
    return lambda **changes: ORDER | {"pharmacy": name} | changes


@pytest.fixture
def sign(session, chart):
    """Signs what was entered for a patient."""
    (row,) = session.rows("signature_codes").values()
    return lambda plot, code=row["code"]: session.post(chart(plot, "/orders/sign"), code=code)


def test_an_order_takes_effect_when_it_is_signed(session, chart, order, sign, medicines):
    """Before that there is neither a medication nor a message."""
    before = medicines("prescribe")
    assert session.post(chart("prescribe", "/orders/new"), **order()).status_code == 303
    assert medicines("prescribe") == before
    assert session.journal("transmissions") == []
    assert sign("prescribe").status_code == 303
    new = medicines("prescribe")[-1]
    assert (new["drug"], new["dose"], new["schedule"], new["status"]) == (ORDER["drug"], 1, "bid", "active")
    (sent,) = [entry["after"] for entry in session.journal("transmissions")]
    assert (sent["kind"], sent["drug"], sent["pharmacy"]) == ("NewRx", ORDER["drug"], new["pharmacy"])


def test_a_wrong_signature_code_signs_nothing(session, chart, order, sign):
    """Neither does signing where nothing waits."""
    assert "nothing to sign" in sign("list").text
    session.post(chart("prescribe", "/orders/new"), **order())
    answer = sign("prescribe", "wrong")
    assert answer.status_code == 422
    assert "signature code is not right" in answer.text
    assert session.journal("medications") == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"drug": "Nothing 5 mg tablet"}, "Choose a drug"),
        ({"dose": "0"}, "Enter 0.25 to 20."),
        ({"dose": "two"}, "Enter 0.25 to 20."),
        ({"schedule": "hourly"}, "Choose how often"),
        ({"quantity": "0"}, "Enter 1 to 1000."),
        ({"days_supply": "400"}, "Enter 1 to 365."),
        ({"refills": "12"}, "Enter 0 to 11."),
        ({"indication": ""}, "Enter what it is for"),
        ({"pharmacy": "Elsewhere"}, "Choose a pharmacy"),
        ({"drug": "Oxycodone 5 mg tablet", "refills": "1"}, "Schedule II: no refills."),
        ({"drug": "Tramadol 50 mg tablet", "refills": "6"}, "Schedule IV: at most 5 refills."),
    ],
)
def test_an_impossible_order_is_refused(session, chart, order, changes, message):
    """Limits of the form and of controlled substances hold without exception."""
    answer = session.post(chart("search", "/orders/new"), **order(**changes))
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("orders") == []


def test_controlled_substances_within_the_rules_are_ordered(session, chart, order):
    """Schedule II without refills, schedule IV with five."""
    allowed = (("Oxycodone 5 mg tablet", "0"), ("Zolpidem 5 mg tablet", "5"))
    for drug, refills in allowed:
        form = order(drug=drug, refills=refills, schedule="bedtime")
        assert session.post(chart("search", "/orders/new"), **form, override="benefit").status_code == 303


@pytest.mark.parametrize(
    ("plot", "changes", "message"),
    [
        ("switch", {"drug": "{active}"}, "DUPLICATE DRUG"),
        ("search", {"dose": "3"}, "MAX DOSE"),
    ],
)
def test_order_checks_ask_for_a_reason(session, chart, order, medicines, plot, changes, message):
    """What speaks against an order is shown; with a reason it is accepted, and both are kept."""
    active = medicines(plot)[0]["drug"] if medicines(plot) else ""
    form = order(**{name: value.format(active=active) for name, value in changes.items()})
    question = session.post(chart(plot, "/orders/new"), **form)
    assert question.status_code == 200
    assert message in question.text
    assert session.journal("orders") == []
    assert session.post(chart(plot, "/orders/new"), **form, override="because").status_code == 200
    assert session.post(chart(plot, "/orders/new"), **form, override="benefit").status_code == 303
    stored = session.journal("orders")[-1]["after"]
    assert message in stored["order_checks"]
    assert stored["override"] == "benefit"


def test_allergies_and_interactions_are_checked(session, chart, order, sign):
    """The class of a substance on the list counts, and what was signed before."""
    told = {"substance": "Penicillin", "reaction": "Hives", "severity": "severe", "source": "observed"}
    session.post(chart("allergy", "/allergies"), **told)
    answer = session.post(chart("allergy", "/orders/new"), **order(drug="Amoxicillin 500 mg capsule"))
    assert "ALLERGY: Penicillin" in answer.text
    session.post(chart("allergy", "/orders/new"), **order(drug="Warfarin 5 mg tablet", schedule="daily"))
    sign("allergy")
    answer = session.post(chart("allergy", "/orders/new"), **order(drug="Ibuprofen 400 mg tablet"))
    assert "INTERACTION: Warfarin 5 mg tablet (bleeding)" in answer.text


def test_a_medicine_that_is_being_stopped_is_no_duplicate(session, chart, order, medicines):
    """An unsigned order to discontinue counts for the check."""
    old = medicines("switch")[0]
    session.post(chart("switch", f"/medications/{old['id']}/stop"), reason="adverse", cancel="yes")
    answer = session.post(chart("switch", "/orders/new"), **order(drug=old["drug"], schedule="daily"))
    assert answer.status_code == 303


def test_a_change_keeps_the_drug_and_is_sent(session, chart, order, medicines, sign):
    """Dose and quantity are replaced once signed."""
    old = medicines("change")[0]
    address = chart("change", f"/medications/{old['id']}/change")
    form = order(drug="Another", dose="1.5", quantity="45", schedule=old["schedule"], reason="wish")
    assert session.post(address, **form).status_code == 303
    assert medicines("change")[0] == old
    sign("change")
    new = medicines("change")[0]
    assert (new["drug"], new["dose"], new["quantity"]) == (old["drug"], 1.5, 45)
    assert session.journal("transmissions")[-1]["after"]["kind"] == "RxChange"
    assert session.post(address, **(form | {"reason": ""})).status_code == 422


def test_stopping_tells_the_pharmacy_if_wanted(session, chart, medicines, sign):
    """The message is a choice that has to be made."""
    first, second = medicines("stop")[:2]
    address = chart("stop", f"/medications/{first['id']}/stop")
    assert "Choose whether" in session.post(address, reason="wish").text
    assert "Choose why" in session.post(address, cancel="yes").text
    session.post(address, reason="wish", cancel="yes")
    session.post(chart("stop", f"/medications/{second['id']}/stop"), reason="completed", cancel="no")
    sign("stop")
    assert [row["status"] for row in medicines("stop")[:2]] == ["discontinued", "discontinued"]
    assert [row["stop_reason"] for row in medicines("stop")[:2]] == ["wish", "completed"]
    kinds = [(entry["after"]["kind"], entry["after"]["drug"]) for entry in session.journal("transmissions")]
    assert kinds == [("CancelRx", first["drug"])]
    assert session.post(address, reason="wish", cancel="yes").status_code == 404


def test_an_unsigned_order_can_be_withdrawn(session, chart, order, sign):
    """Withdrawn orders are not signed."""
    session.post(chart("prescribe", "/orders/new"), **order())
    key = session.journal("orders")[-1]["key"]
    assert session.post(chart("prescribe", f"/orders/{key}/withdraw")).status_code == 303
    assert "nothing to sign" in sign("prescribe").text
    assert session.post(chart("prescribe", f"/orders/{key}/withdraw")).status_code == 404


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"reaction": "Hives", "severity": "mild", "source": "observed"}, "Enter or choose one"),
        ({"substance": "Latex", "severity": "mild", "source": "observed"}, "Enter or choose one"),
        ({"substance": "Latex", "reaction": "Hives", "source": "observed"}, "Choose a severity."),
        ({"substance": "Latex", "reaction": "Hives", "severity": "mild"}, "Choose where"),
    ],
)
def test_an_incomplete_allergy_is_refused(session, chart, form, message):
    """All four fields are needed."""
    answer = session.post(chart("allergy", "/allergies"), **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("allergies") == []


def test_an_allergy_is_listed_once_until_struck_out(session, chart, mrn):
    """The same substance again is refused, whatever its case; an entry in error makes room."""
    told = {"substance": "Latex", "reaction": "Hives", "severity": "mild", "source": "historical"}
    assert session.post(chart("allergy", "/allergies"), **told).status_code == 303
    assert session.rows("patients")[mrn("allergy")]["no_known_allergies"] is False
    again = session.post(chart("allergy", "/allergies"), **(told | {"substance": "LATEX"}))
    assert "Already on the list." in again.text
    key = session.journal("allergies")[-1]["key"]
    assert session.post(chart("allergy", f"/allergies/{key}/error")).status_code == 303
    assert session.post(chart("search", f"/allergies/{key}/error")).status_code == 404
    assert session.post(chart("allergy", "/allergies"), **told).status_code == 303


def test_one_pharmacy_is_the_default(session, chart, mrn):
    """A new default takes the mark from the old one; without it the list only grows."""
    names = [row["name"] for row in session.rows("pharmacies").values()]
    listed = [
        r["pharmacy"] for r in session.rows("preferred_pharmacies").values() if r["mrn"] == mrn("pharmacy")
    ]
    first, second = [name for name in names if name not in listed][:2]
    session.post(chart("pharmacy", "/pharmacy"), pharmacy=first)
    session.post(chart("pharmacy", "/pharmacy"), pharmacy=second, default="yes")
    rows = [r for r in session.rows("preferred_pharmacies").values() if r["mrn"] == mrn("pharmacy")]
    assert {r["pharmacy"] for r in rows} == {*listed, first, second}
    assert [r["pharmacy"] for r in rows if r["is_default"]] == [second]
    session.post(chart("pharmacy", "/pharmacy"), pharmacy=first, default="yes")
    rows = [r for r in session.rows("preferred_pharmacies").values() if r["mrn"] == mrn("pharmacy")]
    assert [r["pharmacy"] for r in rows if r["is_default"]] == [first]
    assert session.post(chart("pharmacy", "/pharmacy"), pharmacy="Elsewhere").status_code == 422


def test_a_pharmacy_is_found_by_name_and_street(session, chart):
    """The search narrows the list."""
    one = next(iter(session.rows("pharmacies").values()))
    found = session.get(chart("pharmacy", "/pharmacy"), params={"q": one["address"].split(",")[0]}).text
    assert re.findall(r'type="radio" name="pharmacy" value="([^"]+)"', found) == [one["name"]]


def test_an_outside_medication_is_documented_and_struck_out(session, chart):
    """Drug, dose, schedule and reporter are needed; the rest may be left out."""
    told = {"drug": "Melatonin", "dose": "3 mg", "schedule": "bedtime", "reported_by": "family"}
    assert session.post(chart("outside", "/outside"), **told).status_code == 303
    row = session.journal("outside_medications")[-1]["after"]
    assert (row["prescriber"], row["explained"]) == ("", False)
    for name in told:
        assert session.post(chart("outside", "/outside"), **(told | {name: ""})).status_code == 422
    key = session.journal("outside_medications")[-1]["key"]
    assert session.post(chart("outside", f"/outside/{key}/error")).status_code == 303
    assert session.rows("outside_medications")[key]["in_error"] is True


def test_a_consent_needs_a_signer_and_asks_for_a_witness(session, chart):
    """Without a witness it is stored only when confirmed."""
    form = {"kind": "eprescribing", "signer": "patient", "signer_name": "Ada Hanson"}
    for name in form:
        assert session.post(chart("consent", "/consents/new"), **(form | {name: ""})).status_code == 422
    question = session.post(chart("consent", "/consents/new"), **form)
    assert "Consent without witness" in question.text
    assert session.journal("consents") == []
    assert session.post(chart("consent", "/consents/new"), **form, confirmed="yes").status_code == 303
    assert session.journal("consents")[-1]["after"]["witness"] is None
    assert "on file" in session.post(chart("consent", "/consents/new"), **form, confirmed="yes").text


def test_a_witness_signs_with_a_code_of_their_own(session, chart):
    """The prescriber is no witness, and a wrong code is none either."""
    form = {"kind": "eprescribing", "signer": "parent", "signer_name": "Ada Hanson"}
    nurse, self = session.user("nurse"), session.user("prescriber")
    for user, password, message in (
        (nurse["user_id"], "wrong", "is not right"),
        (self["user_id"], self["code"], "somebody else"),
    ):
        answer = session.post(
            chart("consent", "/consents/new"), **form, second_user=user, second_password=password
        )
        assert answer.status_code == 422
        assert message in answer.text
    signed = {"second_user": nurse["user_id"], "second_password": nurse["code"]}
    assert session.post(chart("consent", "/consents/new"), **form, **signed).status_code == 303
    row = session.journal("consents")[-1]
    assert row["after"]["witness"] == nurse["user_id"]
    assert session.post(chart("consent", f"/consents/{row['key']}/withdraw")).status_code == 303


@pytest.fixture
def requests(session, mrn, medicines):
    """Returns the requests of the renewal story with their medications, the good one first."""
    rows = [r for r in session.rows("renewals").values() if r["mrn"] == mrn("renewal")]
    drugs = {row["id"]: row for row in medicines("renewal")}
    return sorted(((r, drugs[r["medication"]]) for r in rows), key=lambda pair: pair[1]["id"])


def test_a_renewal_is_signed_and_answered(session, chart, requests, sign):
    """Accepting grants refills, keeps an order, and tells the pharmacy; once."""
    (request, medicine), _ = requests
    code = next(iter(session.rows("signature_codes").values()))["code"]
    address = chart("renewal", f"/renewals/{request['id']}")
    assert session.post(address, decision="accepted", refills="3", code="no").status_code == 422
    assert session.post(address, decision="accepted", refills="12", code=code).status_code == 422
    assert session.post(address, decision="accepted", refills="3", code=code).status_code == 303
    assert session.rows("renewals")[str(request["id"])]["status"] == "accepted"
    assert session.rows("medications")[str(medicine["id"])]["refills"] == 3
    assert session.journal("orders")[-1]["after"]["action"] == "renew"
    assert session.journal("transmissions")[-1]["after"]["text"] == "Accepted with 3 refills"
    assert session.post(address, decision="denied", reason="visit").status_code == 422


def test_a_denial_needs_a_reason(session, chart, requests):
    """The pharmacy is told which."""
    _, (request, _) = requests
    address = chart("renewal", f"/renewals/{request['id']}")
    assert "Choose an answer" in session.post(address).text
    assert session.post(address, decision="denied").status_code == 422
    assert session.post(address, decision="denied", reason="visit").status_code == 303
    assert session.journal("transmissions")[-1]["after"]["text"].startswith("Denied: Patient has to be seen")


def test_what_a_system_can_see_is_asked_before_a_renewal(open_session):
    """A stopped medicine, or one with supply left, asks first; overdue results are for the prescriber to see."""
    asked = {}
    for seed in range(8):
        session = open_session(seed)
        session.login("prescriber")
        code = next(iter(session.rows("signature_codes").values()))["code"]
        plots = {row["plot"]: row["mrn"] for row in session.rows("patients").values()}
        wanted = [r for r in session.rows("renewals").values() if r["mrn"] == plots["renewal"]]
        request = max(wanted, key=lambda row: row["medication"])
        medicine = session.rows("medications")[str(request["medication"])]
        form = {"decision": "accepted", "refills": "1", "code": code}
        answer = session.post(f"/p/{plots['renewal']}/renewals/{request['id']}", **form)
        asked[medicine["status"], "Filled" in answer.text or "Status:" in answer.text] = answer.status_code
    assert asked[("discontinued", True)] == 200
    assert all(status == (200 if dialog else 303) for (_, dialog), status in asked.items())


def test_only_a_prescriber_orders(open_session):
    """A nurse may document, but not order, sign or answer requests."""
    session = open_session()
    session.login("nurse")
    plots = {row["plot"]: row["mrn"] for row in session.rows("patients").values()}
    name = next(iter(session.rows("pharmacies").values()))["name"]
    request = next(iter(session.rows("renewals").values()))
    attempts = {
        f"/p/{plots['search']}/orders/new": ORDER | {"pharmacy": name},
        f"/p/{plots['search']}/orders/sign": {"code": "x"},
        f"/p/{request['mrn']}/renewals/{request['id']}": {"decision": "denied", "reason": "visit"},
    }
    for address, form in attempts.items():
        answer = session.post(address, **form)
        assert answer.status_code == 422
        assert "Only a prescriber may" in answer.text
    told = {"substance": "Latex", "reaction": "Hives", "severity": "mild", "source": "historical"}
    assert session.post(f"/p/{plots['allergy']}/allergies", **told).status_code == 303


def test_hostile_text_is_shown_as_text(session, chart):
    """Markup typed into free fields is escaped wherever it comes back."""
    told = {"substance": HOSTILE, "reaction": HOSTILE, "severity": "mild", "source": "historical"}
    session.post(chart("allergy", "/allergies"), **told)
    outside = {"drug": HOSTILE, "dose": HOSTILE, "schedule": "daily", "reported_by": "patient"}
    session.post(chart("allergy", "/outside"), **outside)
    pages = [session.get(chart("allergy", tab)) for tab in TABS]
    pages.append(session.get("/patients", params={"q": HOSTILE}))
    for page in pages:
        assert "<script>alert" not in page.text
        assert "<img" not in page.text
    assert "&lt;script&gt;" in pages[0].text


@pytest.mark.parametrize(
    "page", ["/p/00000000", "/p/00000000/orders", "/p/{m}/medications/0/stop", "/p/{m}/renewals/0"]
)
def test_unknown_addresses_are_not_found(session, mrn, page):
    """An address that leads nowhere says so."""
    assert session.get(page.format(m=mrn("search"))).status_code == 404
