"""The rules of the bed board: what is refused, warned about, allowed and logged."""

import pytest

ORDERS = {"transfer_order": "yes", "handover": "yes", "reconciliation": "yes"}
CHECKLIST = {"orders": "yes", "medication": "yes", "transport": "yes", "settlement": "yes"}


@pytest.fixture
def who(session):
    """Finds a patient by case."""
    return lambda case: next(row for row in session.rows("patients").values() if row["case_name"] == case)


@pytest.fixture
def beds(session):
    """Finds beds with what their bay adds, by ward specialty and any further values."""

    def find(specialty, **equal):
        wards = {code for code, row in session.rows("wards").items() if row["specialty"] == specialty}
        bays = session.rows("bays")
        rows = [{**bays[row["bay"]], **row} for row in session.rows("beds").values()]
        return [
            row["label"]
            for row in rows
            if row["ward"] in wards and all(row[name] == value for name, value in equal.items())
        ]

    return find


@pytest.fixture
def free(beds):
    """Finds beds that can be given at once."""
    return lambda specialty, **equal: beds(specialty, condition="ready", mrn=None, reserved_for=None, **equal)


def at(patient, page=""):
    """Return the address of a patient, or of a page about the patient."""
    return f"/patient/{patient['mrn']}" + (f"/{page}" if page else "")


def bed_of(session, patient):
    """Return where somebody lies."""
    return next((row["label"] for row in session.rows("beds").values() if row["mrn"] == patient["mrn"]), None)


def test_the_board_shows_everybody_who_lies_or_waits(session):
    """Each bed has a tile, each open request a line, and nothing of the cases is in the page."""
    page = session.get("/board").text
    assert all(f">{label}</b>" in page for label in session.rows("beds"))
    assert all(f"/patient/{row['mrn']}" in page for row in session.rows("requests").values())
    for row in session.rows("patients").values():
        assert (
            row["case_name"] in ("", "filler", "lookalike", "staying", "bystander")
            or row["case_name"] not in page
        )


@pytest.mark.parametrize("condition", ["cleaning", "blocked", "occupied", ""])
def test_a_bed_that_cannot_be_given_is_refused(session, who, beds, condition):
    """Nobody is put into a bed that is taken, blocked, being cleaned, or not there."""
    patient = who("queue_contact")
    rows = session.rows("beds").values()
    taken = {"occupied": [row["label"] for row in rows if row["mrn"]], "": ["9Z-99"]}
    labels = taken.get(condition) or [row["label"] for row in rows if row["condition"] == condition]
    for label in labels[:1]:
        answer = session.post(at(patient, "place"), bed=label, confirmed="yes")
        assert answer.status_code == 422
        assert session.journal("beds") == []


def test_a_fitting_bed_is_given_at_once(session, who, free):
    """The request is closed, the patient admitted, the bed taken, all by the user and without warning."""
    patient = who("queue_contact")
    (label, *_) = free("medicine", kind="single")
    assert session.post(at(patient, "place"), bed=label).status_code == 303
    assert bed_of(session, patient) == label
    assert session.rows("patients")[patient["mrn"]]["status"] == "inpatient"
    request = next(row for row in session.rows("requests").values() if row["mrn"] == patient["mrn"])
    assert (request["status"], request["placed_by"]) == ("placed", session.user("bed_manager")["user_id"])
    admission = session.journal("admissions")[-1]["after"]
    assert (admission["route"], admission["warnings"]) == ("request", "")
    assert session.post(at(patient, "place"), bed=label).status_code == 404


@pytest.mark.parametrize(
    ("case", "specialty", "kind", "opposite", "text"),
    [
        ("conflict_airborne", "medicine", "single", False, "negative-pressure room"),
        ("queue_contact", "medicine", "bay", False, "single room"),
        ("conflict_plain", "medicine", "bay", True, "same-sex accommodation"),
        ("queue_monitored", "surgery", "bay", False, "level of care needed is monitored"),
        ("conflict_plain", "critical_care", "single", False, "level of care needed is ward"),
        ("queue_contact", "medicine", "negative", None, "is reserved for"),
    ],
)
def test_what_speaks_against_a_bed_asks_first(
    session, who, free, beds, case, specialty, kind, opposite, text
):
    """A concern is shown in a dialog, and the bed is given with a record of it once it is confirmed."""
    patient = who(case)
    if opposite is None:
        label = beds(specialty, kind=kind)[0]
    else:
        sex = (
            ({"F": "M", "M": "F"}[patient["sex"]] if opposite else patient["sex"]) if kind == "bay" else None
        )
        label = free(specialty, kind=kind, sex=sex)[0]
    question = session.post(at(patient, "place"), bed=label)
    assert question.status_code == 200
    assert text in question.text
    assert session.journal("beds") == []
    assert session.post(at(patient, "place"), bed=label, confirmed="yes").status_code == 303
    assert text in session.journal("admissions")[-1]["after"]["warnings"]


def test_a_request_that_leaves_the_level_open_is_not_warned_about(session, who, free):
    """What nobody stated cannot be checked: the judgement is the bed manager's."""
    patient = who("emergency_icu")
    label = free("medicine", kind="bay", sex=patient["sex"])[0]
    assert session.post(at(patient, "place"), bed=label).status_code == 303


def test_a_reservation_ends_when_its_patient_lies_elsewhere(session, who, free, beds):
    """The room that was promised becomes available."""
    patient = who("conflict_plain")
    (room,) = beds("medicine", kind="negative")
    assert session.rows("beds")[room]["reserved_for"] == patient["mrn"]
    session.post(at(patient, "place"), bed=free("medicine", kind="bay", sex=patient["sex"])[0])
    assert session.rows("beds")[room]["reserved_for"] is None


def test_transfer_leaves_a_bed_to_be_cleaned(session, who, free):
    """Order set and reason are logged; the bed left behind cannot be given before it is clean."""
    patient = who("deteriorating")
    old, new = bed_of(session, patient), free("critical_care", kind="single")[0]
    answer = session.post(at(patient, "transfer"), bed=new, reason="deterioration", **ORDERS)
    assert answer.status_code == 303
    left = session.rows("beds")[old]
    assert (left["mrn"], left["condition"]) == (None, "cleaning")
    logged = session.journal("transfers")[-1]["after"]
    assert (logged["from_bed"], logged["to_bed"], logged["handover"]) == (old, new, True)
    refused = session.post(at(who("queue_contact"), "place"), bed=old, confirmed="yes")
    assert "being cleaned" in refused.text


@pytest.mark.parametrize("page", ["transfer", "swap"])
def test_moving_needs_a_reason_and_asks_about_the_order_set(session, who, free, page):
    """No reason is refused; every line that is not ticked is named before anything happens."""
    patient = who("deteriorating")
    there = {"transfer": free("critical_care")[0], "swap": bed_of(session, who("lookalike"))}[page]
    assert "Choose a reason." in session.post(at(patient, page), bed=there, **ORDERS).text
    question = session.post(at(patient, page), bed=there, reason="capacity", handover="yes")
    assert "Not confirmed: Transfer order signed." in question.text
    assert "Nursing handover given." not in question.text.split('id="dialog-text"')[1].split("</div>")[0]
    assert session.journal("transfers") == []
    assert session.post(at(patient, page), bed=there, reason="capacity", confirmed="yes").status_code == 303
    assert session.journal("transfers")[0]["after"]["handover"] is False


def test_swap_moves_both_without_cleaning(session, who):
    """Two patients change places in one request; both moves are logged."""
    first, second = who("swap_isolated"), who("swap_recovered")
    here, there = bed_of(session, first), bed_of(session, second)
    answer = session.post(at(first, "swap"), bed=there, reason="precautions", **ORDERS)
    assert answer.status_code == 303
    assert (bed_of(session, first), bed_of(session, second)) == (there, here)
    assert {row["after"]["kind"] for row in session.journal("transfers")} == {"swap"}
    assert len(session.journal("transfers")) == 2


def test_swap_wants_another_occupied_bed(session, who, free):
    """An empty bed and the own one are refused."""
    patient = who("swap_isolated")
    for bed in (free("medicine")[0], bed_of(session, patient), ""):
        answer = session.post(at(patient, "swap"), bed=bed, reason="precautions", **ORDERS, confirmed="yes")
        assert answer.status_code == 422


def test_swap_warns_for_either_side(session, who):
    """Concerns of both patients are named."""
    isolated, other = who("swap_isolated"), who("going_home")
    question = session.post(at(other, "swap"), bed=bed_of(session, isolated), reason="capacity", **ORDERS)
    assert "negative-pressure room" in question.text
    assert question.status_code == 200


def test_discharge_frees_the_bed_for_cleaning(session, who):
    """A complete checklist is stored at once."""
    patient = who("going_home")
    bed = bed_of(session, patient)
    assert session.post(at(patient, "discharge"), destination="home", **CHECKLIST).status_code == 303
    assert session.rows("patients")[patient["mrn"]]["status"] == "discharged"
    assert session.rows("beds")[bed]["condition"] == "cleaning"
    assert session.get(at(patient, "discharge")).status_code == 404


def test_discharge_asks_about_open_items(session, who):
    """What is not ticked is named; confirmed, it is stored as not done."""
    patient = who("going_home")
    question = session.post(at(patient, "discharge"), destination="home", orders="yes")
    assert "Not confirmed: Account settled." in question.text
    session.post(at(patient, "discharge"), destination="home", orders="yes", confirmed="yes")
    assert session.journal("discharges")[-1]["after"]["settlement"] is False


def test_discharge_needs_order_and_destination(session, who):
    """Without a written order nobody leaves, whatever is ticked."""
    answer = session.post(
        at(who("deteriorating"), "discharge"), destination="home", **CHECKLIST, confirmed="yes"
    )
    assert answer.status_code == 422
    assert "No discharge order" in answer.text
    assert "Choose a destination." in session.post(at(who("going_home"), "discharge"), **CHECKLIST).text


def test_direct_admission_fills_the_record(session, who, free):
    """The form goes into the record, and the person into the bed."""
    patient = who("direct_ward")
    form = {
        "diagnosis": "Hernia",
        "consultant": session.user("consultant")["user_id"],
        "source": "gp",
        "level": "ward",
        "precautions": "none",
        "stay_days": "4",
    }
    bed = free("surgery", kind="bay", sex=patient["sex"])[0]
    assert session.post(at(patient, "admit"), bed=bed, **form).status_code == 303
    stored = session.rows("patients")[patient["mrn"]]
    assert {name: str(stored[name]) for name in form} == form
    assert bed_of(session, patient) == bed
    assert session.get(at(patient, "admit")).status_code == 404


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("diagnosis", "", "Enter a diagnosis"),
        ("diagnosis", "x" * 81, "Enter a diagnosis"),
        ("consultant", "nobody", "Choose one."),
        ("source", "", "Choose one."),
        ("level", "cellar", "Choose one."),
        ("precautions", "", "Choose one."),
        ("stay_days", "0", "Enter 1 to 180 days."),
        ("stay_days", "2.5", "Enter 1 to 180 days."),
        ("stay_days", "999", "Enter 1 to 180 days."),
        ("bed", "", "Click an available bed"),
    ],
)
def test_an_incomplete_admission_is_refused(session, who, free, field, value, message):
    """The message stands at the field and nothing is stored."""
    patient = who("direct_ward")
    form = {
        "diagnosis": "Hernia",
        "consultant": session.user("consultant")["user_id"],
        "source": "gp",
        "level": "ward",
        "precautions": "none",
        "stay_days": "4",
        "bed": free("surgery", kind="bay", sex=patient["sex"])[0],
    }
    session.get(at(patient, "admit"))
    before = session.state()
    answer = session.post(at(patient, "admit"), **{**form, field: value})
    assert answer.status_code == 422
    assert message in answer.text
    assert session.state() == before


def test_releasing_a_bed_asks_for_housekeeping(session, beds):
    """A bed in cleaning is released only past the warning, any other not at all."""
    label = beds("medicine", condition="cleaning")[0]
    assert "Housekeeping has not reported" in session.post(f"/bed/{label}/release").text
    assert session.rows("beds")[label]["condition"] == "cleaning"
    assert session.post(f"/bed/{label}/release", confirmed="yes").status_code == 303
    assert session.rows("beds")[label]["condition"] == "ready"
    assert session.post(f"/bed/{label}/release", confirmed="yes").status_code == 422


def test_only_the_bed_manager_gives_beds(open_session):
    """Others may look at everything and change nothing."""
    session = open_session()
    session.login("charge_nurse")
    rows = session.rows("patients").values()
    waiting = next(row for row in rows if row["case_name"] == "queue_contact")
    lying = next(row for row in rows if row["case_name"] == "going_home")
    registered = next(row for row in rows if row["case_name"] == "direct_ward")
    bed = next(row for row in session.rows("beds").values() if row["condition"] == "cleaning")
    for address in (
        at(waiting, "place"),
        at(lying, "transfer"),
        at(lying, "swap"),
        at(lying, "discharge"),
        at(registered, "admit"),
        f"/bed/{bed['label']}/release",
    ):
        answer = session.post(address, confirmed="yes", reason="capacity", destination="home")
        assert answer.status_code == 422
        assert "beds are given by the bed manager" in answer.text
    assert session.journal("beds") == []


def test_the_index_finds_by_name_and_number(session, who):
    """Both namesakes are listed with their dates of birth; nothing is listed unasked."""
    patient, namesake = who("direct_ward"), who("direct_namesake")
    page = session.get("/index", params={"q": patient["family_name"]}).text
    assert patient["mrn"] in page
    assert namesake["mrn"] in page
    assert namesake["mrn"] not in session.get("/index", params={"q": patient["mrn"]}).text
    assert "Nobody matches." in session.get("/index", params={"q": "<b>x</b>"}).text
    assert "<b>x</b>" not in session.get("/index", params={"q": "<b>x</b>"}).text
    assert patient["mrn"] not in session.get("/index").text


def test_what_was_typed_is_escaped(session, who, free):
    """A diagnosis is text, on every page that shows it."""
    patient = who("direct_ward")
    form = {
        "diagnosis": "<script>alert(1)</script>",
        "consultant": session.user("consultant")["user_id"],
        "source": "gp",
        "level": "ward",
        "precautions": "none",
    }
    bed = free("surgery", kind="bay", sex=patient["sex"])[0]
    session.post(at(patient, "admit"), bed=bed, **form)
    ward = bed.split("-")[0]
    for page in (at(patient), at(patient, "transfer"), f"/ward/{ward}"):
        text = session.get(page).text
        assert "&lt;script&gt;alert" in text
        assert "<script>alert" not in text


def test_pages_record_what_is_on_the_screen(session, who):
    """The workstation knows the ward's map and the open patient."""
    patient = who("going_home")
    session.get("/ward/ICU")
    assert session.rows("workstation")["1"]["screen"] == "ward ICU"
    session.get(at(patient, "discharge"))
    shown = session.rows("workstation")["1"]
    assert (shown["screen"], shown["open_mrn"]) == ("discharge", patient["mrn"])
    assert session.get("/ward/9Z").status_code == 404
    assert session.get("/bed/9Z-01").status_code == 404
    assert session.get("/patient/1").status_code == 404


def test_the_figures_agree_with_the_map(session):
    """Occupancy counts occupied beds as a share of those that are not blocked."""
    page = session.get("/occupancy").text
    bays, beds = session.rows("bays"), session.rows("beds").values()
    for code in session.rows("wards"):
        own = [row for row in beds if bays[row["bay"]]["ward"] == code]
        occupied = sum(row["mrn"] is not None for row in own)
        open_beds = sum(row["condition"] != "blocked" for row in own)
        assert f'<td class="now">{int(100 * occupied / open_beds + 0.5)} %</td>' in page
