"""The rules of the nurse's station: what is refused, warned about, allowed and logged."""

from datetime import datetime, timedelta

import pytest


@pytest.fixture
def who(session):
    """Finds a patient by case."""
    return lambda case: next(row for row in session.rows("patients").values() if row["case_name"] == case)


@pytest.fixture
def task(session, who):
    """Finds the first task of a patient with some values."""

    def find(case, **equal):
        rows, mrn = session.rows("tasks").values(), who(case)["mrn"]
        mine = [row for row in rows if row["mrn"] == mrn and row["status"] == "due"]
        fitting = [row for row in mine if all(row[name] == value for name, value in equal.items())]
        return min(fitting, key=lambda row: (row["due_at"], row["id"]))

    return find


@pytest.fixture
def orders(session, who):
    """Finds the new orders of a patient."""

    def find(case):
        rows, mrn = session.rows("orders").values(), who(case)["mrn"]
        return [row for row in rows if (row["mrn"], row["status"]) == (mrn, "new")]

    return find


def band(patient):
    """Return what the wristband of a patient gives."""
    return {"band_mrn": patient["mrn"], "band_born": patient["birth_date"]}


def dose(task):
    """Return a dose as ordered."""
    return {"dose": f"{task['dose']:g}", "route": task["route"]}


def signature(session, role="colleague"):
    """Return the second nurse's user ID and password."""
    user = session.user(role)
    return {"second_user": user["user_id"], "second_password": user["code"]}


def last(session, collection):
    """Return the latest journalled image of a collection."""
    return session.journal(collection)[-1]["after"]


def test_a_medicine_is_given_with_everything_checked(session, who, task):
    """Five rights and a second signature: stored at once, without a warning."""
    due, patient = task("giving", high_alert=True), who("giving")
    answer = session.post(f"/task/{due['id']}/done", **band(patient), **dose(due), **signature(session))
    assert answer.status_code == 303
    stored = last(session, "administrations")
    second = session.user("colleague")["user_id"]
    expected = {"dose": due["dose"], "identity_checked": True, "second_user": second, "warnings": ""}
    assert {name: stored[name] for name in expected} == expected
    assert session.rows("tasks")[str(due["id"])]["status"] == "done"


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"band_mrn": ""}, "The wristband was not read"),
        ({"band_born": ""}, "The wristband was not read"),
        ({"second_user": ""}, "no second nurse has signed"),
        ({"dose": "999"}, "The order says"),
        ({"route": "oral"}, "The order says"),
    ],
)
def test_a_step_left_out_asks_first(session, who, task, changed, text):
    """The doubt is shown; what was confirmed keeps it in words."""
    due, patient = task("giving", high_alert=True), who("giving")
    form = {**band(patient), **dose(due), **signature(session), **changed}
    question = session.post(f"/task/{due['id']}/done", **form)
    assert question.status_code == 200
    assert text in question.text
    assert session.journal("administrations") == []
    assert session.post(f"/task/{due['id']}/done", **form, confirmed="yes").status_code == 303
    assert text in last(session, "administrations")["warnings"]


def test_a_dose_that_is_early_asks_first(session, who, task):
    """More than an hour before the time is not the right time."""
    mrn = who("giving")["mrn"]
    rows = [row for row in session.rows("tasks").values() if row["mrn"] == mrn]
    later = max((row for row in rows if row["high_alert"]), key=lambda row: row["due_at"])
    form = {**band(who("giving")), **dose(later), **signature(session)}
    assert "is not due before" in session.post(f"/task/{later['id']}/done", **form).text
    due = task("giving", high_alert=True)
    assert session.post(f"/task/{due['id']}/done", **{**form, **dose(due)}).status_code == 303


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"band_mrn": "12345678"}, "not the number of the patient"),
        ({"band_born": "01 Jan 1901"}, "not the date of birth"),
        ({"band_born": "31 Feb 1950"}, "not the date of birth"),
        ({"band_born": "yesterday"}, "not the date of birth"),
        ({"dose": ""}, "Enter the dose"),
        ({"dose": "0"}, "Enter the dose"),
        ({"dose": "four"}, "Enter the dose"),
        ({"route": "by air"}, "Choose the route."),
        ({"second_password": "wrong"}, "User ID or code is not right."),
        ({"second_user": "nobody"}, "User ID or code is not right."),
    ],
)
def test_what_cannot_be_is_refused(session, who, task, changed, message):
    """A band of somebody else, a dose that is no number, a signature that is none: nothing is stored."""
    due = task("giving", high_alert=True)
    form = {**band(who("giving")), **dose(due), **signature(session), **changed}
    session.get(f"/task/{due['id']}")
    before = session.state()
    answer = session.post(f"/task/{due['id']}/done", **form, confirmed="yes")
    assert answer.status_code == 422
    assert message in answer.text
    assert session.state() == before


def test_the_second_nurse_is_somebody_else_and_a_nurse(session, who, task):
    """The own signature and that of a physician do not count."""
    due = task("giving", high_alert=True)
    for signer, message in (("ward_nurse", "must be somebody else"), ("physician", "may not sign")):
        form = {**band(who("giving")), **dose(due), **signature(session, signer)}
        answer = session.post(f"/task/{due['id']}/done", **form, confirmed="yes")
        assert message in answer.text
    assert session.journal("administrations") == []


def test_the_date_of_birth_may_be_written_as_on_the_page(session, who, task):
    """A scanner sends digits, a person types the month."""
    due, patient = task("giving", high_alert=True), who("giving")
    written = datetime.fromisoformat(patient["birth_date"]).strftime("%d %b %Y")
    form = {**band(patient), "band_born": written, **dose(due), **signature(session)}
    assert session.post(f"/task/{due['id']}/done", **form).status_code == 303


def test_nothing_is_charted_without_a_relationship(session, who, task):
    """Care of a patient begins with the relationship; looking is free."""
    due = task("admission", kind="care")
    assert session.get(f"/patient/{who('admission')['mrn']}").status_code == 200
    for action in ("done", "not-done"):
        answer = session.post(f"/task/{due['id']}/{action}", reason="refused")
        assert answer.status_code == 422
        assert "no care relationship" in answer.text
    address = f"/patient/{who('admission')['mrn']}/handover"
    parts = dict.fromkeys(("situation", "background", "assessment", "recommendation"), "x")
    assert session.post(address, **parts).status_code == 422
    session.post("/assignments", role="primary", **{f"mrn_{who('admission')['mrn']}": "yes"})
    assert session.post(f"/task/{due['id']}/done").status_code == 303


def test_relationships_need_a_patient_and_a_role(session, who):
    """Ticking nobody is refused; one who is ticked again stays as before."""
    assert "Tick at least one patient." in session.post("/assignments", role="primary").text
    box = {f"mrn_{who('admission')['mrn']}": "yes"}
    assert "Choose your role." in session.post("/assignments", role="boss", **box).text
    session.post("/assignments", role="primary", **box)
    session.post("/assignments", role="covering", **box)
    assert [row["after"]["role"] for row in session.journal("relationships")] == ["primary"]


def test_a_task_waits_for_its_order(session, who, task, orders):
    """What a new order asks for can be done only after the order was acknowledged."""
    (stat,) = [row for row in orders("urgent") if row["priority"] == "stat"]
    waiting = task("urgent", order_id=stat["id"])
    form = {**band(who("urgent")), **dose(waiting), **signature(session)}
    assert "has not been acknowledged" in session.post(f"/task/{waiting['id']}/done", **form).text
    assert session.post("/orders", **{f"order_{stat['id']}": "yes"}).status_code == 303
    assert session.post(f"/task/{waiting['id']}/done", **form).status_code == 303


def test_new_orders_are_those_of_related_patients(session, who, orders):
    """Orders of others are neither listed nor can they be acknowledged."""
    (hidden,) = orders("admission")
    page = session.get("/orders").text
    assert f'name="order_{hidden["id"]}"' not in page
    assert all(f'name="order_{row["id"]}"' in page for row in orders("reviewing"))
    assert session.post("/orders", **{f"order_{hidden['id']}": "yes"}).status_code == 422
    assert session.get(f"/orders/{hidden['id']}/query").status_code == 404


def test_several_orders_are_acknowledged_at_once(session, orders):
    """Every ticked order carries who took note of it."""
    wanted = orders("reviewing")
    session.post("/orders", **{f"order_{row['id']}": "yes" for row in wanted})
    stored = [session.rows("orders")[str(row["id"])] for row in wanted]
    assert {row["status"] for row in stored} == {"acknowledged"}
    assert {row["by"] for row in stored} == {session.user("ward_nurse")["user_id"]}
    assert "Tick at least one order." in session.post("/orders").text


def test_an_order_is_sent_back_with_a_question(session, orders):
    """The query needs its reason; afterwards the order is new no more."""
    (order,) = orders("known")
    address = f"/orders/{order['id']}/query"
    assert "Choose what is to be asked." in session.post(address).text
    assert "At most 300 characters." in session.post(address, reason="allergy", note="x" * 301).text
    assert session.post(address, reason="allergy", note="<i>see list</i>").status_code == 303
    stored = session.rows("orders")[str(order["id"])]
    assert (stored["status"], stored["query_reason"]) == ("queried", "allergy")
    assert session.post(address, reason="allergy").status_code == 404


@pytest.mark.parametrize(
    ("measure", "form", "message"),
    [
        ("pain", {"pain": "11"}, "from 0 to 10"),
        ("pain", {"pain": "-1"}, "from 0 to 10"),
        ("pain", {"pain": "3.5"}, "from 0 to 10"),
        ("pain", {}, "from 0 to 10"),
        ("position", {"position": "upside"}, "Choose the position."),
    ],
)
def test_observations_are_possible_values(session, task, measure, form, message):
    """A score beyond the scale and a position that is none are refused."""
    answer = session.post(f"/task/{task('late', measure=measure)['id']}/done", **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("observations") == []


def test_observations_are_stored(session, task):
    """Zero is a score."""
    session.post(f"/task/{task('late', measure='pain')['id']}/done", pain="0")
    assert last(session, "observations")["pain"] == 0
    session.post(f"/task/{task('late', measure='position')['id']}/done", position="left")
    assert last(session, "observations")["position"] == "left"


def test_specimens_are_labelled_at_the_bedside(session, who, task):
    """Container is needed; a missing label or band asks first."""
    due, patient = task("sampling", kind="specimen"), who("sampling")
    address = f"/task/{due['id']}/done"
    assert "Choose the container." in session.post(address, **band(patient), labelled="yes").text
    question = session.post(address, container="blue")
    assert "not labelled at the bedside" in question.text
    assert "The wristband was not read" in question.text
    assert session.post(address, container="blue", labelled="yes", **band(patient)).status_code == 303
    stored = last(session, "specimens")
    assert (stored["test"], stored["labelled"], stored["identity_checked"]) == (due["title"], True, True)


def test_not_done_needs_a_reason(session, task):
    """Why something was left out is part of the record, and the task is closed."""
    due = task("absent", kind="care", title="Walk with the frame")
    address = f"/task/{due['id']}/not-done"
    assert "Choose the reason." in session.post(address).text
    assert "At most 200 characters." in session.post(address, reason="away", comment="x" * 201).text
    assert session.post(address, reason="away", comment="<b>X-ray</b>").status_code == 303
    page = session.get(f"/task/{due['id']}").text
    assert "&lt;b&gt;X-ray" in page
    assert "closed already" in session.post(address, reason="away").text


def test_charting_is_taken_back_as_an_error(session, task):
    """The task is due again; the entry stays, marked."""
    due = task("late", measure="pain")
    session.post(f"/task/{due['id']}/done", pain="9")
    assert session.post(f"/task/{due['id']}/undo").status_code == 303
    assert last(session, "observations")["in_error"] is True
    assert session.rows("tasks")[str(due["id"])]["status"] == "due"
    assert session.post(f"/task/{due['id']}/undo").status_code == 404
    assert session.post(f"/task/{due['id']}/done", pain="3").status_code == 303


def test_the_overview_shows_what_is_late(session, who):
    """Cards count overdue tasks; a task of a new order is not late; colleagues' patients are one click away."""
    clock = session.state()["clock"]
    rows, mrn = session.rows("tasks").values(), who("late")["mrn"]
    late = [row for row in rows if row["mrn"] == mrn and row["due_at"] < clock]
    open_late = [row for row in late if row["status"] == "due"]
    page = session.get("/overview").text
    card = page.split(f'href="/patient/{who("late")["mrn"]}"')[1].split("</article>")[0]
    assert f"{len(open_late)} overdue" in card
    assert f"/patient/{who('namesake')['mrn']}" not in page
    assert f"/patient/{who('namesake')['mrn']}" in session.get("/overview?show=ward").text


def test_the_snapshot_strikes_what_was_entered_in_error(session, who):
    """All entries are listed, the struck one as such; the banner warns."""
    patient = who("known")
    page = session.get(f"/patient/{patient['mrn']}/snapshot").text
    rows = [row for row in session.rows("allergies").values() if row["mrn"] == patient["mrn"]]
    assert all(row["substance"] in page for row in rows)
    assert page.count("Entered in error") == 1


def test_handover_has_four_parts(session, who):
    """Each part of SBAR is needed; the text is escaped."""
    address = f"/patient/{who('late')['mrn']}/handover"
    parts = dict.fromkeys(("situation", "background", "assessment", "recommendation"), "<i>fine</i>")
    assert session.post(address, **{**parts, "assessment": ""}).status_code == 422
    assert session.post(address, **parts).status_code == 303
    assert "&lt;i&gt;fine" in session.get(address).text
    assert "<i>fine" not in session.get(address).text


def test_a_call_is_answered(session):
    """The bell goes off."""
    caller = next(row for row in session.rows("patients").values() if row["calling_since"])
    assert session.post(f"/patient/{caller['mrn']}/call").status_code == 303
    assert session.rows("patients")[caller["mrn"]]["calling_since"] is None


def test_what_is_not_there_is_not_found(session):
    """Unknown patients, tasks and orders lead nowhere."""
    for path in ("/patient/1", "/task/99999", "/orders/99999/query"):
        assert session.get(path).status_code == 404


def test_the_screen_is_known_to_the_workstation(session, who):
    """Opening a snapshot counts as one access of the chart."""
    patient = who("known")
    session.get(f"/patient/{patient['mrn']}/snapshot")
    session.get(f"/patient/{patient['mrn']}/record")
    shown = session.rows("workstation")["1"]
    assert (shown["screen"], shown["open_mrn"]) == ("record", patient["mrn"])
    assert len(session.rows("chart_access")) == 1


def test_what_is_due_becomes_late_by_the_clock(session, task):
    """The state follows the clinical clock, which stands still while nothing is written."""
    due = task("giving", high_alert=True)
    left = datetime.fromisoformat(due["due_at"]) - datetime.fromisoformat(session.state()["clock"])
    assert left >= timedelta(minutes=10)
