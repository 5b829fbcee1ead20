"""The rules of the ECG workstation: what is refused, warned about, allowed and drawn."""

import importlib
import re
from datetime import datetime
from pathlib import Path

import pytest

# The drawing is tested directly; the world is a program beside the package, not something installed.
with pytest.MonkeyPatch.context() as path:
    path.syspath_prepend(Path(__file__).resolve().parents[3] / "environments" / "clinic")
    dipole, intervals, paper, rhythm, signals = (
        importlib.import_module(f"clinic.applications.ecg_workstation.{name}")
        for name in ("dipole", "intervals", "paper", "rhythm", "signal")
    )
Signal = signals.Signal

FORM = {
    "heart_rate": "72",
    "pr_ms": "160",
    "qrs_ms": "90",
    "qt_ms": "380",
    "axis": "40",
    "qtc_formula": "bazett",
}
NORMAL = Signal(seed=1, rhythm="sinus", rate=72, pr_ms=160, qrs_ms=90, qt_ms=380, axis=50)


@pytest.fixture
def study(session):
    """Finds the unread recording of a kind."""

    def find(*profiles):
        rows = session.rows("studies").values()
        return next(row for row in rows if row["profile"] in profiles and row["status"] == "unread")

    return find


def sign(session, study, **changed):
    """Sign a report of a recording."""
    password = session.user("reader")["password"]
    form = FORM | {"statements": "sinus_rhythm", "password": password} | changed
    return session.post(f"/ecg/{study['study_id']}/sign", **form)


def variant(**changed):
    """Return the usual signal with changes."""
    return Signal(**{**vars(NORMAL), **changed})


def height(lead, signal, first, last):
    """Return the mean of a lead between two times after each beat's onset."""
    onsets = [at for at in rhythm.beats(signal).ventricular if 0.5 < at < 9]
    samples = dipole.leads(signal)[lead]
    parts = [samples[int((at + first) * 250) : int((at + last) * 250)].mean() for at in onsets]
    return sum(parts) / len(parts)


# The tracing


def test_limb_leads_obey_einthoven():
    """II is the sum of I and III, and the augmented leads sum to nothing."""
    leads = dipole.leads(NORMAL)
    assert abs(leads["I"] + leads["III"] - leads["II"]).max() < 1e-9
    assert abs(leads["aVR"] + leads["aVL"] + leads["aVF"]).max() < 1e-9


@pytest.mark.parametrize(
    ("injury", "raised", "lowered"),
    [("anterior", "V3", None), ("inferior", "III", "aVL"), ("lateral", "aVL", "III")],
)
def test_an_infarct_raises_its_territory(injury, raised, lowered):
    """ST elevation stands where it should, with its reciprocal depression."""
    signal = variant(injury=injury)
    assert height(raised, signal, 0.1, 0.16) - height(raised, NORMAL, 0.1, 0.16) > 0.1
    if lowered:
        assert height(lowered, signal, 0.1, 0.16) - height(lowered, NORMAL, 0.1, 0.16) < -0.1


def test_bundle_branch_blocks_turn_v1():
    """V1 is deeply negative in left and late positive in right bundle branch block."""
    left, right = variant(shape="lbbb", qrs_ms=150), variant(shape="rbbb", qrs_ms=140)
    assert height("V1", left, 0.04, 0.12) < -0.5
    assert height("V1", right, 0.09, 0.13) > 0.4


def test_swapped_arms_turn_lead_one_over():
    """I is inverted, II and III change places, the chest leads stay."""
    right, swapped = dipole.leads(NORMAL), dipole.leads(variant(arms_swapped=True))
    assert abs(right["I"] + swapped["I"]).max() < 1e-9
    assert abs(right["II"] - swapped["III"]).max() < 1e-9
    assert abs(right["aVR"] - swapped["aVL"]).max() < 1e-9
    assert abs(right["V1"] - swapped["V1"]).max() < 1e-9


@pytest.mark.parametrize("name", ["sinus", "fibrillation", "flutter", "complete_block"])
def test_the_mean_rate_is_the_one_asked_for(name):
    """Counting beats over ten seconds gives the rate, whatever the rhythm."""
    times = [at for at in rhythm.beats(variant(rhythm=name)).ventricular if 0 <= at < 10]
    assert abs(len(times) * 6 - 72) <= 6


def test_rhythms_have_their_pattern():
    """Fibrillation is irregular without P waves; Mobitz I drops a beat; extra beats come early."""
    fibrillation = rhythm.beats(variant(rhythm="fibrillation"))
    gaps = [b - a for a, b in zip(fibrillation.ventricular, fibrillation.ventricular[1:], strict=False)]
    assert fibrillation.atrial == ()
    assert max(gaps) - min(gaps) > 0.25
    dropped = rhythm.beats(variant(rhythm="wenckebach"))
    assert len(dropped.ventricular) < len(dropped.atrial)
    assert rhythm.beats(variant(rhythm="extra_beats")).early


def test_speed_and_gain_rescale_the_tracing():
    """50 mm/s doubles the width of a sample, 20 mm/mV the height of a complex and of the pulse."""
    usual, fast = paper.draw(NORMAL, paper.View()), paper.draw(NORMAL, paper.View(speed=50))
    assert fast.strips[0].scale == 2 * usual.strips[0].scale == 50 * 4 / 250
    high = paper.draw(NORMAL, paper.View(gain=20))

    def extent(sheet):
        steps = [int(step.split()[1]) for step in re.findall(r"1 -?\d+", sheet.strips[0].path)]
        return max(abs(step) for step in steps)

    assert extent(high) == pytest.approx(2 * extent(usual), rel=0.05)
    assert "v-40h" in usual.pulses[0]
    assert "v-80h" in high.pulses[0]


def test_layouts_hold_their_leads():
    """Cabrera order begins with aVL and turns aVR; each layout shows what it says."""
    names = {
        key: [s.name for s in paper.draw(NORMAL, paper.View(layout=key, lead="V3")).strips]
        for key in paper.LAYOUTS
    }
    assert names["cabrera"][::2] == ["aVL", "I", "−aVR", "II", "aVF", "III"]
    assert set(names["six"]) == set(dipole.LEADS)
    assert len(names["standard"]) == 13
    assert names["single"] == ["V3"]


@pytest.mark.parametrize(
    ("formula", "value"), [("bazett", 438), ("fridericia", 418), ("framingham", 418), ("hodges", 415)]
)
def test_qt_is_corrected_after_four_formulas(formula, value):
    """A QT of 380 ms at 80 a minute, worked out by hand."""
    assert intervals.corrected(380, 80, formula) == pytest.approx(value, abs=1.5)


# The pages


def test_the_worklist_filters_and_searches(session, study):
    """A status, an earlier day, or a name narrows the list."""
    everything, unread = session.get("/worklist").text, session.get("/worklist?show=unread").text
    assert unread.count("<tr class=") < everything.count("<tr class=")
    assert 'class="is-signed"' not in unread
    found = study("qt")
    searched = session.get(f"/worklist?q={found['mrn']}").text
    assert searched.count("<tr class=") == 1
    today = {row["study_id"] for row in session.rows("studies").values() if row["study_id"] in everything}
    earlier = session.get("/worklist?show=earlier").text
    assert not any(number in earlier for number in today)


def test_a_tracing_is_drawn_and_names_nothing(session, study):
    """The page holds paths, but neither the profile nor what the algorithm would say."""
    found = study("left_block", "right_block")
    page = session.get(f"/ecg/{found['study_id']}").text
    assert page.count('class="trace"') == 13
    assert found["profile"] not in page
    assert "bundle branch" not in page
    assert "Ventricular rate" not in page


def test_the_view_is_in_the_address_until_it_is_stored(session, study):
    """Looking at another speed writes nothing; storing it writes the four parts."""
    found = study("narrow_fast")
    before = session.rows("studies")
    page = session.get(f"/ecg/{found['study_id']}?speed=50&layout=cabrera&gain=7").text
    assert "view not stored" in page
    assert 'data-speed="50"' in page
    assert 'data-gain="10"' in page
    assert session.rows("studies") == before
    form = {"speed": "50", "gain": "10", "layout": "cabrera", "lead": "II", "panel": "analysis"}
    assert session.post(f"/ecg/{found['study_id']}/view", **form).status_code == 303
    (entry,) = session.journal("studies")
    assert (entry["after"]["speed"], entry["after"]["layout"]) == (50, "cabrera")
    assert "as stored" in session.get(f"/ecg/{found['study_id']}").text


def test_links_keep_the_rest_of_the_view(session, study):
    """Choosing a gain keeps the speed and the comparison, and a panel keeps both."""
    page = session.get(f"/ecg/{study('qt')['study_id']}?speed=50").text
    assert "?speed=50&amp;gain=20" in page
    assert re.search(r"/report\?speed=50", page)
    assert "?speed=50&amp;start=5" in page


@pytest.mark.parametrize("wrong", [{"speed": "30"}, {"gain": "7"}, {"layout": "nine"}, {"lead": "V9"}])
def test_views_that_no_product_has_are_refused(session, study, wrong):
    """Nothing is stored of a view outside of the choices."""
    form = {"speed": "50", "gain": "10", "layout": "cabrera", "lead": "II"} | wrong
    assert session.post(f"/ecg/{study('qt')['study_id']}/view", **form).status_code == 422
    assert session.journal("studies") == []


def test_two_recordings_are_compared_on_one_paper(session, study):
    """Both are drawn in three rows; only the patient's own earlier recordings can be chosen."""
    found, other = study("left_block", "right_block"), study("qt")
    past = next(r for r in session.rows("studies").values() if r["mrn"] == found["mrn"] and r != found)
    base = f"/ecg/{found['study_id']}/previous"
    assert session.get(f"{base}?compare={past['study_id']}").text.count('class="trace"') == 24
    assert session.get(f"{base}?compare={other['study_id']}").text.count('class="trace"') == 13


def test_the_analysis_runs_once(session, study):
    """It shows what the algorithm says, right or wrong, and the QTc after the chosen formula."""
    found = study("arms_swapped", "fibrillation_misread", "counted_double")
    base = f"/ecg/{found['study_id']}"
    assert session.post(f"{base}/analyse").status_code == 303
    said = session.rows("automatic")[found["study_id"]]
    page = session.get(f"{base}?qtc=hodges").text
    assert "Must be over-read" in page
    assert f"<dd>{intervals.corrected(said['qt_ms'], said['heart_rate'], 'hodges')} " in page
    assert session.post(f"{base}/analyse").status_code == 422


def test_a_report_begins_with_the_analysis(session, study):
    """Values and statements are taken over into the form."""
    found = study("qt")
    session.post(f"/ecg/{found['study_id']}/analyse")
    page = session.get(f"/ecg/{found['study_id']}/report").text
    said = session.rows("automatic")[found["study_id"]]
    assert f'name="qt_ms" value="{said["qt_ms"]}"' in page
    assert f'name="statements" value="{said["statements"]}"' in page


def test_a_signed_report_is_final(session, study):
    """It keeps values, QTc and signature, and cannot be changed."""
    found = study("qt")
    base = f"/ecg/{found['study_id']}"
    session.post(f"{base}/analyse")
    assert sign(session, found, comparison="none", comment="x < y").status_code == 303
    row = session.rows("reports")[found["study_id"]]
    assert (row["heart_rate"], row["qtc_ms"], row["statements"], row["warned"]) == (
        72,
        416,
        "sinus_rhythm",
        False,
    )
    assert row["signed_by"] == session.user("reader")["user_id"]
    assert session.rows("studies")[found["study_id"]]["status"] == "signed"
    assert "x &lt; y" in session.get(f"{base}/report").text
    assert sign(session, found).status_code == 422
    assert session.post(f"{base}/report", **FORM, statements="").status_code == 422


def test_a_draft_can_be_changed_and_signed_later(session, study):
    """Saving twice keeps one report without a signature."""
    base = f"/ecg/{study('qt')['study_id']}/report"
    session.post(base, **FORM, statements="sinus_rhythm")
    session.post(base, **FORM | {"pr_ms": ""}, statements="")
    (row,) = [row for row in session.rows("reports").values() if row["study_id"] in base]
    assert (row["pr_ms"], row["statements"], row["signed_at"]) == (None, "", None)
    assert session.rows("studies")[row["study_id"]]["status"] == "draft"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"heart_rate": "14"}, "15 to 350."),
        ({"heart_rate": "351"}, "15 to 350."),
        ({"heart_rate": "72.5"}, "Whole number."),
        ({"heart_rate": "٧٢"}, "Whole number."),
        ({"heart_rate": ""}, "Needed."),
        ({"pr_ms": "59"}, "60 to 600."),
        ({"qrs_ms": "301"}, "40 to 300."),
        ({"qt_ms": "149"}, "150 to 800."),
        ({"axis": "-181"}, "-180 to 180."),
        ({"statements": ""}, "A report needs a statement."),
        ({"statements": "sinus_rhythm,nonsense"}, "Choose statements from the list."),
        ({"qtc_formula": "rautaharju"}, "Choose a formula."),
        ({"comparison": "better"}, "Choose from the list."),
        ({"comment": "x" * 401}, "At most 400 characters."),
        ({"password": "wrong"}, "The password is not right."),
    ],
)
def test_what_cannot_be_is_refused(session, study, changed, message):
    """The field says why, what was typed stays, and nothing is stored."""
    answer = sign(session, study("qt"), **changed)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("reports") == []


def test_limits_themselves_are_possible(session, study):
    """Both ends of a range are stored, a minus sign in any form."""
    base = f"/ecg/{study('qt')['study_id']}/report"
    assert session.post(base, **FORM | {"heart_rate": "15", "axis": "−180"}).status_code == 303
    assert session.post(base, **FORM | {"heart_rate": "350", "axis": "180"}).status_code == 303


@pytest.mark.parametrize(
    ("statements", "warning"),
    [
        ("sinus_rhythm", "The automatic analysis was not run."),
        ("sinus_rhythm,stemi_inferior", "Acute inferior ST-elevation infarction: nobody was alerted."),
        ("normal_ecg,lbbb", "contradicts another statement"),
    ],
)
def test_what_looks_forgotten_is_asked_for(session, study, statements, warning):
    """A dialog names it; confirming signs and says that it was confirmed."""
    found = study("qt")
    question = sign(session, found, statements=statements)
    assert question.status_code == 200
    assert warning in question.text
    assert session.journal("reports") == []
    assert sign(session, found, statements=statements, confirmed="yes").status_code == 303
    assert session.rows("reports")[found["study_id"]]["warned"] is True


def test_only_readers_report(open_session):
    """A technician may analyse, but neither draft nor sign."""
    session = open_session()
    session.login("technician")
    number = next(key for key, row in session.rows("studies").items() if row["profile"] == "qt")
    assert session.post(f"/ecg/{number}/analyse").status_code == 303
    answer = session.post(f"/ecg/{number}/report", **FORM, statements="sinus_rhythm")
    assert answer.status_code == 422
    assert "reading cardiologist" in answer.text


def test_an_alert_says_who_was_told(session, study):
    """Finding, person, read-back and note are kept; no warning comes at the signature then."""
    found = study("anterior", "inferior", "lateral")
    base, finding = f"/ecg/{found['study_id']}", f"stemi_{found['profile']}"
    form = {"finding": finding, "contact": "2", "read_back": "yes", "note": "by phone"}
    assert session.post(f"{base}/alert", **form).status_code == 303
    (row,) = session.rows("alerts").values()
    assert (row["finding"], row["contact_id"], row["read_back"], row["note"]) == (
        finding,
        2,
        True,
        "by phone",
    )
    assert "by phone" in session.get(f"{base}/alert").text
    session.post(f"{base}/analyse")
    assert sign(session, found, statements=f"sinus_rhythm,{finding}").status_code == 303


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"contact": "1"}, "Choose the finding."),
        ({"finding": "lbbb", "contact": "1"}, "Choose the finding."),
        ({"finding": "stemi_lateral"}, "Choose who was told."),
        ({"finding": "stemi_lateral", "contact": "9"}, "Choose who was told."),
        ({"finding": "stemi_lateral", "contact": "1", "note": "x" * 201}, "At most 200 characters."),
    ],
)
def test_an_incomplete_alert_is_refused(session, study, form, message):
    """Nothing is recorded of it."""
    answer = session.post(f"/ecg/{study('qt')['study_id']}/alert", **form)
    assert answer.status_code == 422
    assert message in answer.text
    assert session.journal("alerts") == []


def test_a_recording_that_is_not_there_is_not_found(session):
    """An unknown number leads nowhere."""
    assert session.get("/ecg/E00-00000").status_code == 404


# The seeds


def test_every_seed_has_what_the_tasks_need(state):
    """Each kind occurs once among the unread, nobody has two of them, and no time is shared by a patient."""
    rows = state["collections"]
    unread = [row for row in rows["studies"].values() if row["status"] == "unread"]
    kinds = [row["profile"] for row in unread]
    for group in (
        {"two_today"},
        {"rate"},
        {"narrow_fast"},
        {"small", "tall"},
        {"frontal"},
        {"qt"},
        {"fibrillation_misread", "arms_swapped", "counted_double"},
        {"left_block", "right_block"},
        {"scar_overcalled", "fibrillation_overcalled"},
    ):
        assert sum(kind in group for kind in kinds) == 1
    stat = [row for row in unread if row["priority"] == "stat"]
    assert len(stat) == len({row["profile"] for row in stat}) == 2
    assert {row["profile"] for row in stat} & {"anterior", "inferior", "lateral"}
    assert len({row["mrn"] for row in unread}) == len(unread)
    today = state["clock"][:10]
    assert all(row["acquired_at"][:10] == today for row in unread)
    assert all(
        datetime.fromisoformat(row["acquired_at"]) < datetime.fromisoformat(state["clock"]) for row in unread
    )


def test_every_seed_has_somebody_on_call(state):
    """Of two interventional cardiologists one is on duty, as the hours and the clock say."""
    hour = int(state["clock"][11:13])
    people = [row for row in state["collections"]["contacts"].values() if row["service"].startswith("Interv")]
    assert len(people) == 2
    for person in people:
        by_day = person["hours"].endswith("07:00–19:00")
        assert person["on_duty"] is (by_day == (7 <= hour < 19))


def test_every_seed_starts_with_nothing_done(state):
    """No alert, no report of an unread recording, and the usual view everywhere."""
    rows = state["collections"]
    assert rows["alerts"] == {}
    for number, row in rows["studies"].items():
        assert (row["speed"], row["gain"], row["layout"]) == (25, 10, "standard")
        assert (number in rows["reports"]) is (row["status"] != "unread")
        assert row["status"] != "signed" or rows["reports"][number]["signed_at"]
