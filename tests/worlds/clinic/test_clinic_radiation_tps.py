"""The rules of treatment planning: what is refused and allowed, and what the dose depends on."""

import io
import json

import numpy as np
import pytest
from PIL import Image


@pytest.fixture
def at(session):
    """Returns the address of a tab by story."""

    def address(story, tab, plan="A"):
        mrn = next(row["mrn"] for row in session.rows("patients").values() if row["story"] == story)
        return f"/rt/{mrn}/{plan}/{tab}"

    return address


def plan_of(session, address):
    """Return the plan of an address as it is stored now."""
    _, _, mrn, plan, _ = address.split("/", 4)
    return session.rows("plans")[f"{mrn}|{plan}"]


def rows_of(session, address, collection):
    """Return the rows of a plan."""
    _, _, mrn, plan, _ = address.split("/", 4)
    return [row for row in session.rows(collection).values() if (row["mrn"], row["plan"]) == (mrn, plan)]


def results(session, address):
    """Return what a plan reaches, by structure and figure."""
    goals = session.rows("goals")
    return {
        (goals[str(row["goal"])]["structure"], goals[str(row["goal"])]["metric"]): row["value"]
        for row in rows_of(session, address, "results")
    }


PRESCRIPTION = {"dose": "60", "fractions": "30", "norm": "d95"}
BEAMS = {"count": "7", "first": "0", "collimator": "5", "energy": "6 MV", "technique": "IMRT"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"dose": ""}, "Enter 1 to 100 Gy."),
        ({"dose": "0.5"}, "Enter 1 to 100 Gy."),
        ({"dose": "101"}, "Enter 1 to 100 Gy."),
        ({"dose": "six"}, "Enter 1 to 100 Gy."),
        ({"dose": "٦٠"}, "Enter 1 to 100 Gy."),
        ({"fractions": "0"}, "Enter 1 to 45."),
        ({"fractions": "46"}, "Enter 1 to 45."),
        ({"fractions": "2.5"}, "Enter 1 to 45."),
        ({"norm": ""}, "Choose a normalisation."),
        ({"norm": "max"}, "Choose a normalisation."),
        ({"fractions": "1"}, "More than 30 Gy in one fraction"),
    ],
)
def test_impossible_prescriptions_are_refused(session, at, changed, message):
    """A prescription that cannot be is refused at its field, and nothing is stored."""
    address = at("prescribe", "prescription")
    session.get(address)
    before = session.state()
    answer = session.post(address, **PRESCRIPTION | changed)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.state() == before


def test_a_prescription_is_stored(session, at):
    """Dose, fractions and normalisation arrive."""
    address = at("prescribe", "prescription")
    assert session.post(address, **PRESCRIPTION).status_code == 303
    plan = plan_of(session, address)
    assert (plan["dose_gy"], plan["fractions"], plan["norm"]) == (60.0, 30, "d95")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"count": "0"}, "Enter 1 to 13."),
        ({"count": "14"}, "Enter 1 to 13."),
        ({"first": "360"}, "Enter 0 to 359.9."),
        ({"collimator": "-5"}, "Enter 0 to 359.9."),
        ({"energy": "4 MV"}, "Choose an energy."),
        ({"technique": ""}, "Choose a technique."),
    ],
)
def test_impossible_arrangements_are_refused(session, at, changed, message):
    """Beams that the machine cannot give are refused, and nothing is stored."""
    address = at("beams", "beams")
    answer = session.post(address, **BEAMS | changed)
    assert answer.status_code == 422
    assert message in answer.text
    assert rows_of(session, address, "beams") == []


def test_beams_are_equally_spaced_and_replace_what_is_there(session, at):
    """The second arrangement is the one that counts."""
    address = at("beams", "beams")
    session.post(address, **BEAMS)
    session.post(address, **BEAMS | {"count": "5", "first": "300"})
    beams = sorted(rows_of(session, address, "beams"), key=lambda row: row["number"])
    assert [row["gantry"] for row in beams] == [300, 12, 84, 156, 228]
    assert {row["collimator"] for row in beams} == {5.0}
    assert plan_of(session, address)["technique"] == "IMRT"


def test_one_beam_can_be_edited(session, at):
    """Only the beam named changes; a beam that does not exist is not there."""
    address = at("beams", "beams")
    session.post(address, **BEAMS)
    form = {"gantry": "185", "collimator": "90", "couch": "10", "weight": "1.5", "energy": "10 MV"}
    assert "Edit beam 3" in session.get(f"{address}?beam=3").text
    assert session.post(f"{address}/edit", number="3", **form).status_code == 303
    assert session.post(f"{address}/edit", number="9", **form).status_code == 404
    assert session.post(f"{address}/edit", number="3", **form | {"weight": "0"}).status_code == 422
    changed = {row["number"]: row for row in rows_of(session, address, "beams")}
    assert (changed[3]["gantry"], changed[3]["couch"], changed[3]["weight"]) == (185.0, 10.0, 1.5)
    assert changed[2]["collimator"] == 5.0


def test_a_dose_needs_prescription_and_beams(session, at):
    """The refusal says what is missing."""
    answer = session.post(at("full", "optimise"))
    assert answer.status_code == 422
    assert "a prescription and beams and a technique" in answer.text


def optimised(session, address, **priorities):
    """Compute a plan with priorities for all its organs, and return what it reaches."""
    rows = rows_of(session, address, "priorities")
    form = {f"priority {row['structure']}": priorities.get("all", "normal") for row in rows}
    assert session.post(address, **form).status_code == 303
    return results(session, address)


def test_priorities_change_the_dose(session, at):
    """An organ that counts gets less; the target pays for it with homogeneity."""
    address = at("optimise", "optimise")
    free, pushed, hard = (optimised(session, address, all=priority) for priority in ("off", "normal", "high"))
    means = [key for key in free if key[1] != "D95" and key[0] != "PTV"]
    assert sum(pushed[key] for key in means) < sum(free[key] for key in means)
    assert free["PTV", "Dmax"] <= pushed["PTV", "Dmax"] <= hard["PTV", "Dmax"]


def test_dose_is_proportional_to_the_prescription(session, at):
    """With open fields half the dose is half of every figure in gray."""
    address = at("evaluate", "prescription")
    whole = results(session, address)
    plan = plan_of(session, address)
    half = {"dose": f"{plan['dose_gy'] / 2:g}", "fractions": str(plan["fractions"]), "norm": plan["norm"]}
    session.post(address, **half)
    session.post(at("evaluate", "optimise"))
    for key, value in results(session, address).items():
        if key[1].startswith("D"):
            assert value == pytest.approx(whole[key] / 2, abs=0.11)


def test_dose_depends_on_where_the_beams_come_from(session, at):
    """Other gantry angles give other figures, and other monitor units."""
    address = at("evaluate", "beams")
    before = results(session, address)
    form = BEAMS | {"count": "3", "first": "90", "technique": "3DCRT"}
    session.post(address, **form)
    assert plan_of(session, address)["dose_state"] == "outdated"
    session.post(at("evaluate", "optimise"))
    assert results(session, address) != before
    assert all(row["mu"] > 0 for row in rows_of(session, address, "beams"))


def test_normalisation_means_what_it_says(session, at):
    """With D95 the prescribed dose covers 95 % of the target, with the 80 % isodose the maximum is a quarter above."""
    address = at("optimise", "prescription")
    plan = plan_of(session, address)
    for norm, key, expected in (
        ("d95", "D95", plan["dose_gy"]),
        ("iso80", "Dmax", plan["dose_gy"] * 1.25),
    ):
        session.post(address, dose=f"{plan['dose_gy']:g}", fractions=str(plan["fractions"]), norm=norm)
        session.post(at("optimise", "optimise"))
        assert results(session, address)["PTV", key] == pytest.approx(expected, abs=0.11)


def test_the_same_plan_has_the_same_dose(session, at):
    """Computing again changes nothing but the time."""
    address = at("optimise", "optimise")
    assert optimised(session, address) == optimised(session, address)


@pytest.mark.parametrize(
    ("tab", "form"),
    [
        ("prescription", PRESCRIPTION),
        ("beams", BEAMS),
        ("contours/clear", {"name": "any"}),
    ],
)
def test_what_changes_a_plan_makes_its_dose_outdated(session, at, tab, form):
    """Prescription, beams and contours take the results along."""
    address = at("evaluate", tab)
    organs = [
        row["name"]
        for row in session.rows("structures").values()
        if row["mrn"] == address.split("/")[2] and row["kind"] == "organ"
    ]
    form = form | ({"name": organs[0]} if "name" in form else {})
    assert session.post(address, **form).status_code == 303
    assert plan_of(session, address)["dose_state"] == "outdated"
    assert rows_of(session, address, "results") == []
    assert "Dose outdated" in session.get(at("evaluate", "evaluate")).text


def test_only_ticked_structures_are_contoured(session, at):
    """What is not ticked stays as it was; what is ticked is from the model."""
    address = at("contour", "contours")
    mrn = address.split("/")[2]
    mine = {row["name"]: row for row in session.rows("structures").values() if row["mrn"] == mrn}
    missing = next(name for name, row in mine.items() if not row["contoured"])
    page = session.get(address).text
    model = next(
        name
        for name in ("Head and neck", "Thorax", "Male pelvis")
        if missing in session.get(f"{address}?model={name}").text.split("Run auto")[0].split("Load model")[1]
    )
    assert model in page
    session.post(address, model=model, **{f"pick {missing}": "yes"})
    now = {row["name"]: row for row in session.rows("structures").values() if row["mrn"] == mrn}
    assert (now[missing]["contoured"], now[missing]["source"]) == (True, "auto")
    assert {name: row for name, row in now.items() if name != missing} == {
        name: row for name, row in mine.items() if name != missing
    }


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"model": "Knee"}, "Choose a model."),
        ({"model": "Thorax"}, "Tick at least one structure."),
        ({"model": "Brain", "pick Chiasm": "yes"}, "The model found no Chiasm in this CT."),
    ],
)
def test_models_do_not_invent(session, at, form, message):
    """A model contours what is in the CT only."""
    answer = session.post(at("contour", "contours"), **form)
    assert answer.status_code == 422
    assert message in answer.text


def test_the_target_cannot_be_cleared(session, at):
    """Only organs lose their contour here."""
    assert session.post(at("contour", "contours/clear"), name="PTV").status_code == 422


TICKED = {"identity": "yes", "prescription": "yes", "goals": "yes"}


def signed(session, role="physicist"):
    """Return the form of a complete approval."""
    user = session.user(role)
    return TICKED | {"second_user": user["user_id"], "second_password": user["code"]}


def test_an_approved_plan_is_locked_and_can_be_exported(session, at):
    """Two people approve; then nothing changes any more, and the plan goes to treatment once."""
    address = at("approve", "approval")
    export = at("approve", "export")
    assert session.post(export).status_code == 422
    assert session.post(address, **signed(session)).status_code == 303
    plan = plan_of(session, address)
    assert (plan["approved_by"], plan["second"]) == (
        session.user("planner")["user_id"],
        session.user("physicist")["user_id"],
    )
    for tab, form in (
        ("prescription", PRESCRIPTION),
        ("beams", BEAMS),
        ("beams/edit", {"number": "1"}),
        ("optimise", {}),
        ("contours", {"model": "Thorax"}),
        ("contours/clear", {"name": "Rectum"}),
        ("approval", signed(session)),
    ):
        assert session.post(at("approve", tab), **form).status_code == 422, tab
    assert session.post(export).status_code == 303
    assert session.post(export).status_code == 422
    assert session.rows("patients")[plan["mrn"]]["status"] == "treatment"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"goals": ""}, "Still to be checked: Dose and protocol goals reviewed."),
        ({"second_user": ""}, "A second person has to sign."),
        ({"second_password": "no"}, "User ID or code is not right."),
        ({"second_user": "therapist"}, "may not sign for this."),
        ({"second_user": "planner"}, "The second person must be somebody else."),
    ],
)
def test_an_incomplete_approval_is_refused(session, at, changed, message):
    """Check list and second signature are both needed."""
    form = signed(session) | changed
    if changed.get("second_user") in ("therapist", "planner"):
        user = session.user(changed["second_user"])
        form |= {"second_user": user["user_id"], "second_password": user["code"]}
    answer = session.post(at("approve", "approval"), **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert plan_of(session, at("approve", "approval"))["approved_at"] is None


def test_no_approval_without_a_current_dose(session, at):
    """A plan that was never computed cannot be approved."""
    answer = session.post(at("optimise", "approval"), **signed(session))
    assert answer.status_code == 422
    assert "without a current dose" in answer.text


def test_a_plan_that_misses_goals_can_be_approved(session, at):
    """As in real systems: it is for the people who sign to see it."""
    assert session.post(at("evaluate", "approval"), **signed(session, "physician")).status_code == 303


def test_the_slice_is_a_picture_and_shows_isodoses(session, at):
    """The picture differs between a plan with a dose and the bare CT."""
    with_dose = session.get(at("evaluate", "slice.png"))
    bare = session.get(at("evaluate", "slice.png?plain=1"))
    assert with_dose.headers["content-type"] == "image/png"
    picture, plain = (np.asarray(Image.open(io.BytesIO(answer.content))) for answer in (with_dose, bare))
    assert picture.shape == plain.shape == (400, 500, 3)
    assert np.count_nonzero(np.ptp(picture, axis=2) > 100) > 300
    assert np.ptp(plain, axis=2).max() == 0


def test_outlines_are_shown_only_once_contoured(session, at):
    """What nobody has contoured is not drawn."""
    address = at("contour", "overview")
    mrn = address.split("/")[2]
    mine = [row for row in session.rows("structures").values() if row["mrn"] == mrn]
    drawn = sum(len(json.loads(row["outline"])) for row in mine if row["contoured"])
    assert session.get(address).text.count("<ellipse") == drawn


def test_nothing_hidden_is_on_a_page(session, at):
    """Stories are in no page, and no figure is where nothing was computed."""
    for tab in ("overview", "contours", "prescription", "beams", "optimise", "evaluate", "approval"):
        page = session.get(at("contour", tab)).text
        assert "story" not in page
        assert "outline" not in page.replace("outlines", "")
    assert "Figures" not in session.get(at("optimise", "evaluate")).text


def test_unknown_places_are_not_there(session, at):
    """Neither a third plan nor a stranger."""
    for page in (at("open", "overview", "C"), at("open", "overview", "B"), "/rt/00000000/A/overview"):
        assert session.get(page).status_code == 404


def test_the_list_finds_by_name_and_number(session, at):
    """All words of a search must match; what is typed is escaped."""
    mrn = at("open", "overview").split("/")[2]
    page = session.get(f"/patients?q={mrn}").text
    assert page.count('class="name"') == 1
    assert "<i>x" not in session.get("/patients?q=%3Ci%3Ex").text


def test_opening_a_plan_is_logged(session, at):
    """The tabs of one patient count as one access."""
    session.get(at("open", "overview"))
    session.get(at("open", "beams"))
    assert len(session.rows("chart_access")) == 1
    assert session.rows("workstation")["1"]["screen"] == "beams"
