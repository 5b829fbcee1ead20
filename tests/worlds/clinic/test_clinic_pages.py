"""What a browser gets: login, protection, hostile input, weight, and looks in a real Chromium."""

import re

import httpx
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from pytest_cuabench.drivers.chromium.browser.executable import find_chromium

TABS = ("", "/vitals", "/triage", "/disposition", "/allergies", "/wristband")
FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]
HOSTILE = "<script>alert(1)</script>\"'><img src=x>"


def test_pages_require_a_login_and_come_back(open_session):
    """A page asked for without login leads to it after the login."""
    session = open_session()
    address = session.chart("dyspnea", tab="vitals")
    redirect = session.get(address)
    assert redirect.status_code == 303
    form = session.get(redirect.headers["location"])
    wanted = re.search(r'name="next" value="([^"]+)"', form.text)
    assert wanted is not None
    user = session.user()
    answer = session.post("/login", user_id=user["user_id"], password=user["password"], next=wanted[1])
    assert answer.headers["location"] == address


@pytest.mark.parametrize("elsewhere", ["//evil.example", "https://evil.example/", "/\\evil.example", ""])
def test_login_never_leads_to_another_site(open_session, elsewhere):
    """The address to go on to is always one of this session."""
    session = open_session()
    user = session.user()
    answer = session.post("/login", user_id=user["user_id"], password=user["password"], next=elsewhere)
    assert answer.headers["location"] == "/"


def test_wrong_password_reads_like_unknown_user(open_session):
    """Both are refused with the same page, and each attempt is recorded."""
    session = open_session()
    known = session.user()["user_id"]
    for name in (known, "nobody"):
        answer = session.post("/login", user_id=name, password="wrong")
        assert answer.headers["location"] == "/login?refused=1&next=%2F"
    assert "User ID or password is not correct." in session.get("/login?refused=1").text
    attempts = [(row["user"], row["ok"]) for row in session.rows("logins").values()]
    assert attempts == [(known, False), ("nobody", False)]
    assert session.get("/board").status_code == 303


def test_logout_ends_the_login(session):
    """After signing out the old cookie opens nothing."""
    cookie = session.browser.cookies["signin"]
    session.post("/logout")
    session.browser.cookies.set("signin", cookie)
    assert session.get("/board").status_code == 303


def test_every_answer_is_protected(session):
    """Pages carry a strict policy and are not stored; the cookie is out of reach of scripts."""
    answer = session.get("/board")
    assert answer.headers["content-security-policy"].startswith("default-src 'self';")
    assert answer.headers["cache-control"] == "no-store"
    assert "HttpOnly" in session.login().headers["set-cookie"]
    assert not re.search(
        r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|<!--|\sdata-(?!value|listbox|suggest|dialog|decline|first)",
        answer.text,
    )


def test_assets_are_addressed_by_content_and_cacheable(session):
    """Style and script carry a hash in their address and may be kept."""
    page = session.get("/board").text
    addresses = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert len(addresses) == 4
    for address in addresses:
        answer = session.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": ""},
    ],
)
def test_forms_from_elsewhere_are_refused(session, headers):
    """A form that another origin sends is refused and changes nothing."""
    before = session.state()
    answer = session.browser.post("/logout", headers=headers)
    assert answer.status_code == 403
    assert session.state() == before


def test_form_without_any_origin_is_refused(session):
    """A POST that does not say where it comes from is not trusted."""
    del session.browser.headers["origin"]
    assert session.post("/logout").status_code == 403


def test_oversized_form_is_refused(session):
    """More than any form here can hold is refused before it is read as a form."""
    answer = session.post(session.chart("dyspnea", tab="disposition"), note="x" * 70_000)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "path", ["/nothing", "/chart/00000000", "/chart/00000000/vitals", "/static/none.css"]
)
def test_unknown_addresses_are_plain_404s(session, path):
    """A page that does not exist says so and nothing else, and is no error of the world."""
    answer = session.get(path)
    assert answer.status_code == 404
    assert "There is no such page" in answer.text
    assert session.control.get("/health").json()["errors"] == 0


def test_board_filters_and_searches(session):
    """The filter shows one status; the search finds parts of names and numbers."""
    patients = session.rows("patients").values()
    waiting = [row["mrn"] for row in patients if row["status"] == "waiting"]
    assert sorted(re.findall(r'href="/chart/(\d+)"', session.get("/board?show=waiting").text)) == sorted(
        waiting
    )
    one = session.patient("dyspnea")
    for text in (
        one["mrn"][2:6] + one["mrn"][6:],
        f"{one['given_name'].lower()} {one['family_name'].upper()}",
    ):
        found = re.findall(r'href="/chart/(\d+)"', session.get("/board", params={"q": text}).text)
        assert found == [one["mrn"]]
    assert "No patients match." in session.get("/board?q=zzzz").text


def test_hostile_text_is_shown_as_text(session):
    """Markup typed into search, allergy and note is escaped wherever it comes back."""
    chart = session.chart("dyspnea")
    session.post(f"{chart}/allergies", substance=HOSTILE, reaction=HOSTILE, severity="mild")
    session.post(f"{chart}/disposition", disposition="ward", note=HOSTILE)
    session.post(f"{chart}/disposition", disposition="", note=HOSTILE)
    assert session.rows("allergies")[session.journal("allergies")[-1]["key"]]["substance"] == HOSTILE
    pages = [session.get(f"{chart}{tab}") for tab in TABS]
    pages.append(session.get("/board", params={"q": HOSTILE}))
    pages.append(session.post(f"{chart}/vitals", heart_rate=HOSTILE))
    for page in pages:
        assert "<script>alert" not in page.text
        assert "<img" not in page.text
    assert "&lt;script&gt;" in pages[0].text


def test_board_does_not_count_for_the_reader(session):
    """The number of waiting patients is not printed beside the filter."""
    labels = re.findall(r'<a href="/board\?show=\w+"[^>]*>([^<]*)</a>', session.get("/board").text)
    assert labels == ["All", "Waiting", "In triage", "Triaged", "In treatment", "Left"]


def test_pages_are_light(session):
    """No page with all that it loads weighs more than 60 kB."""
    for tab in ("/board", *(session.chart("palpitations") + tab for tab in TABS)):
        page = session.get(tab)
        assets = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text))
        weight = len(page.content) + sum(len(session.get(address).content) for address in assets)
        assert weight < 60_000


@pytest.fixture(scope="module")
def chromium():
    """The system's browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(None), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def screen(chromium, session):
    """A signed-in page of 1280x720 and what it complained about."""
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(10_000)
    page.complaints = []
    page.on(
        "console", lambda message: page.complaints.append(message.text) if message.type == "error" else None
    )
    page.on("pageerror", lambda problem: page.complaints.append(str(problem)))
    page.goto(session.described["start_url"])
    user = session.user()
    page.get_by_label("User ID").fill(user["user_id"])
    page.get_by_label("Password").fill(user["password"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("table", name="Patients")).to_be_visible()
    yield page
    page.close()


@pytest.mark.slow
def test_pages_fit_the_screen_in_chromium(screen: Page, session):
    """At 1280x720 no page scrolls sideways, is blocked by its own policy or complains in the console."""
    addresses = ["/board", "/board?show=left", *(session.chart("palpitations") + tab for tab in TABS)]
    addresses += [session.chart("child_vomiting", "child_head_injury") + tab for tab in TABS]
    for address in addresses:
        screen.goto(session.described["origin"] + address)
        assert screen.evaluate("document.documentElement.scrollWidth") == 1280, address
    assert screen.complaints == []


@pytest.mark.slow
def test_triage_of_a_child_by_hand(screen: Page, session):
    """A whole triage works with the mouse and the keyboard, through lists, units and the warning dialog."""
    child = session.patient("child_vomiting", "child_head_injury")
    tabs = screen.get_by_role("navigation", name="Chart")
    screen.get_by_role("link", name=f"{child['family_name']}, {child['given_name']}").click()
    tabs.get_by_role("link", name="Triage").click()
    screen.get_by_role("button", name="Start triage").click()
    tabs.get_by_role("link", name="Vitals").click()
    screen.get_by_label("Heart rate").fill("210")
    screen.get_by_label("Temperature", exact=True).fill("99.5")
    screen.get_by_role("radio", name="°F").check()
    screen.get_by_label("Weight", exact=True).fill("44")
    screen.get_by_role("radio", name="lb").check()
    screen.get_by_role("combobox", name="Oxygen delivery").press("ArrowDown")
    screen.keyboard.press("ArrowDown")
    screen.keyboard.press("Enter")
    screen.get_by_role("button", name="Save vital signs").click()
    dialog = screen.get_by_role("alertdialog", name="Confirm unusual values")
    expect(dialog).to_contain_text("Heart rate 210 /min")
    screen.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    screen.get_by_label("Heart rate").fill("104")
    screen.get_by_role("button", name="Save vital signs").click()
    expect(screen.get_by_role("status")).to_contain_text("Vital signs saved")
    tabs.get_by_role("link", name="Allergies").click()
    screen.get_by_role("combobox", name="Substance").fill("amox")
    screen.get_by_role("option", name="Amoxicillin").click()
    screen.get_by_role("combobox", name="Reaction").fill("Hives")
    screen.keyboard.press("Tab")
    screen.get_by_role("radio", name="Moderate").check()
    screen.get_by_role("button", name="Add allergy").click()
    screen.get_by_role("button", name="Mark reviewed").click()
    tabs.get_by_role("link", name="Triage").click()
    screen.get_by_role("radio", name="ESI 3").check()
    screen.get_by_role("combobox", name="Reason").click()
    screen.get_by_role("option", name="Two or more resources expected").click()
    screen.get_by_role("button", name="Save ESI").click()
    screen.get_by_role("button", name="Complete triage").click()
    expect(screen.get_by_role("status")).to_contain_text("Triage completed")
    row = session.rows("patients")[child["mrn"]]
    assert (row["status"], row["esi"], row["weight_kg"]) == ("triaged", 3, 20.0)
    (entered,) = [each["after"] for each in session.journal("vitals")]
    assert (entered["oxygen"], entered["temp_c"], entered["unusual_confirmed"]) == (
        "nasal_cannula",
        37.5,
        False,
    )
    assert screen.complaints == []


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
@pytest.mark.slow
def test_monitors_rest_when_asked(chromium, world, motion, moves):
    """Traces and alarms of the central station stand still for whoever asks for reduced motion."""
    session = world.open(0, "icu_central")
    page = chromium.new_page(viewport={"width": 1280, "height": 720}, reduced_motion=motion)
    page.goto(session.described["start_url"])
    user = session.user("monitor_nurse")
    page.get_by_label("User ID").fill(user["user_id"])
    page.get_by_label("Password").fill(user["password"])
    page.keyboard.press("Enter")
    expect(page.locator(".tile").first).to_be_visible()
    first = page.screenshot()
    page.wait_for_timeout(500)
    assert (page.screenshot() != first) is moves
    assert page.evaluate("document.getAnimations().length > 0") is moves
    page.close()
    world.control.delete(session.path)


def test_browser_cannot_reach_control(screen: Page, world):
    """A page of a session finds no control server behind any of its addresses."""
    answers = screen.evaluate("Promise.all(['/health', '/sessions'].map(async p => (await fetch(p)).status))")
    assert answers == [404, 404]
    assert httpx.get(f"http://127.0.0.1:{world.port}/health").status_code == 404
