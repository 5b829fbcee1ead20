from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import sample_run
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pytest_cuabench.drivers.chromium_executable import find_chromium
from pytest_cuabench.ledger import Run
from pytest_cuabench.reporting import html
from pytest_cuabench.usage import Usage

PHONE = {"width": 390, "height": 844}
ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for all pages of this module."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(None), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that fails the test for any script error, refused script or request to a network."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.on("request", lambda request: request.url.startswith("file:") or problems.append(request.url))
    yield page
    context.close()
    assert problems == []


@pytest.fixture(scope="module")
def report(run: Run) -> str:
    """The address of the sample run's page."""
    return html.write_report(run).as_uri()


@pytest.fixture(scope="module")
def hostile_report(hostile_run: Run) -> str:
    """The address of the hostile run's page."""
    return html.write_report(hostile_run).as_uri()


def at(report: str, **place: Any) -> str:
    return f"{report}#{urlencode(place)}"


def embedded(file: Path) -> dict[str, Any]:
    text = file.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_the_headline_is_the_rate_with_its_interval(page: Page, report: str) -> None:
    """The first thing to read is how many succeeded, of how many graded, and how sure that is."""
    page.goto(report)
    assert page.locator("h1").inner_text() == "33.3 %"
    assert page.locator(".claim").inner_text() == "3 of 9 graded instances succeeded · 1 could not be graded"
    assert "95 % interval 12.1–64.6 %" in page.locator(".scale").inner_text()


def test_the_matrix_leads_to_its_instances(page: Page, report: str) -> None:
    """A cell of the matrix filters the list to what it counts."""
    page.goto(report)
    page.get_by_role("button", name="pharmacy, all").click()
    assert page.locator("#shown").inner_text() == "4 of 10"
    assert "application=pharmacy" in page.url


def test_the_run_is_broken_down(page: Page, report: str) -> None:
    """Each group has its measures, and a kind of failure leads to its instances."""
    page.goto(report)
    rows = page.locator(".measures tbody tr").all_inner_texts()
    assert any(
        row.split("\t")[1:] == ["synthetic", "33.3 % · 3/9 · 12.1–64.6 %", "+0.22", "11 %", "7.0", "21,900"]
        for row in rows
    )
    assert [row.split("\t")[0] for row in rows if row.split("\t")[0]] == [
        "domain",
        "difficulty",
        "variant",
        "tier",
        "all",
    ]
    page.get_by_role("button", name="chat give up").click()
    assert page.locator("#shown").inner_text() == "2 of 10"


def test_what_was_spent(page: Page, report: str) -> None:
    """A card tells money and tokens of all attempts, and a page of an instance those of its own."""
    page.goto(report)
    card = page.locator(".cards > div").filter(has_text="Cost")
    assert card.locator("dd").all_inner_texts() == ["$0.45", "231K tokens in, 9.9K out"]
    page.goto(at(report, i="emergency_triage/record_vitals-step"))
    assert "42K tokens in, 1.8K out" in page.locator(".facts").inner_text()


def test_an_unknown_cost(page: Page, tmp_path: Path) -> None:
    """What is not known is called unknown, in the card and in the list, and the known part is told beside it."""
    run = Run(tmp_path)
    sample_run.record(run, sample_run.attempt("a", "b", "success", usage=Usage(10, 2, 5, 0.5)))
    sample_run.record(run, sample_run.attempt("a", "c", "success", usage=Usage(10, 2, 0, None)))
    page.goto(html.write_report(run).as_uri())
    card = page.locator(".cards > div").filter(has_text="Cost")
    assert card.locator("dd").all_inner_texts() == [
        "unknown",
        "at least $0.50; 20 tokens in (5 cached), 4 out",
    ]
    costs = page.locator("#list-body tr td:last-child").all_inner_texts()
    assert costs == ["$0.50", "unknown"]


def test_the_list_is_filtered_and_sorted(page: Page, report: str) -> None:
    """Outcome, text and order work together, and the address remembers the filter."""
    page.goto(report)
    page.get_by_label("outcome", exact=True).select_option("success")
    assert page.locator("#shown").inner_text() == "3 of 10"
    page.get_by_label("search").fill("RADIOLOGY compare")
    assert page.locator("#list-body tr").count() == 1
    page.goto("about:blank")
    page.goto(at(report, outcome="success"))
    page.get_by_role("button", name="instance").click()
    names = page.locator("#list-body a").all_inner_texts()
    assert names == sorted(names, reverse=True)
    assert len(names) == 3


def test_a_deep_link_opens_the_step(page: Page, report: str) -> None:
    """The address of a step shows its screenshot with the drag drawn on it, and the arrow keys go on."""
    page.goto(at(report, i="emergency_triage/discharge-intent", s=5))
    assert page.locator("#stage h3").inner_text() == "drag (300, 330) → (760, 480)"
    page.locator("#stage svg path.line").wait_for(state="attached")
    assert page.locator("#stage img").evaluate("image => image.naturalWidth") == 320
    page.keyboard.press("ArrowRight")
    assert page.locator("#stage h3").inner_text().startswith("zoom into")
    assert "s=6" in page.url
    page.keyboard.press("End")
    assert page.locator("#stage h3").inner_text() == "The end of the episode"


def test_the_detail_says_what_was_found(page: Page, report: str) -> None:
    """Milestones with expected and seen, violations, and the fields that changed."""
    page.goto(at(report, i="emergency_triage/discharge-intent"))
    text = page.locator("main").inner_text()
    for words in (
        "A heart rate was written to Mario Gonzales.",
        "critical",
        "triage is empty",
        "triage_set missed",
    ):
        assert words in text
    assert page.locator(".changes tbody tr").all_inner_texts()[0].split() == [
        "patients", "7", "update", "hr", "nothing", "88"
    ]  # fmt: skip


def test_attempts_can_be_compared(page: Page, report: str) -> None:
    """An attempt that broke stays to be seen beside the one that counts."""
    page.goto(at(report, i="emergency_triage/record_vitals-step"))
    assert page.locator(".tabs button").count() == 2
    page.get_by_role("button", name="Attempt 1").click()
    expect(page.locator("main")).to_contain_text("resetting the world took more than 90 s")
    expect(page.locator("#stage")).to_contain_text("No step was recorded")


def test_the_keyboard_is_enough(page: Page, report: str) -> None:
    """From the list to an instance, to its neighbour and back, without a mouse."""
    page.goto(report)
    page.locator("#list-body a").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("emergency_triage / assign_bay · intent")
    page.keyboard.press("j")
    expect(page.locator("h1")).to_have_text("emergency_triage / discharge · intent")
    page.keyboard.press("Escape")
    page.locator("#list-body").wait_for()


def test_playing_walks_to_the_end(page: Page, report: str) -> None:
    """The player goes on by itself and can be stopped."""
    page.clock.install()
    page.goto(at(report, i="emergency_triage/discharge-intent"))
    page.keyboard.press("Space")
    page.clock.run_for(2000)
    assert page.locator("#slider").input_value() == "2"
    page.get_by_role("button", name="pause").click()
    page.clock.run_for(5000)
    assert page.locator("#slider").input_value() == "2"


@pytest.mark.parametrize(
    "place", [{}, {"i": "emergency_triage/hostile-intent", "s": 1}, {"i": "nothing/here"}]
)
def test_hostile_text_is_inert(page: Page, hostile_report: str, place: dict[str, Any]) -> None:
    """Markup in a model's text is shown as text: no script runs, no element comes of it, no direction turns."""
    page.goto(at(hostile_report, **place))
    page.wait_for_timeout(100)
    assert "owned" not in page.title()
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("script").count() == 2
    text = page.locator("main").inner_text()
    assert "</script><script>document.title='owned'</script>" in text
    assert "\u202e" not in text


def test_a_refused_script_stays_refused(browser: Browser, run: Run) -> None:
    """Even markup that got into the page would not run: the policy knows the page's own script only."""
    file = html.write_report(run).with_name("injected.html")
    text = html.write_report(run).read_text(encoding="utf-8")
    file.write_text(text.replace("<body>", "<body><script>document.title='owned'</script>"), encoding="utf-8")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(file.as_uri())
        assert page.title() == "sample · pytest-cuabench"


@pytest.mark.parametrize("place", [{}, {"i": "emergency_triage/hostile-intent", "s": 2}])
@pytest.mark.parametrize("viewport", [PHONE, {"width": 320, "height": 640}])
def test_a_phone_does_not_scroll_sideways(
    page: Page, hostile_report: str, place: dict, viewport: Any
) -> None:
    """Twenty thousand characters without a space do not make the page wider than a phone."""
    page.set_viewport_size(viewport)
    page.goto(at(hostile_report, **place))
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_the_overview_fits_a_phone(page: Page, report: str) -> None:
    """The matrix of three difficulties fits as well."""
    page.set_viewport_size(PHONE)
    page.goto(report)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_colour_scheme(page: Page, report: str, scheme: Any) -> None:
    """Text contrasts with its paper at seven to one or better, by day and by night."""
    page.emulate_media(color_scheme=scheme)
    page.goto(report)
    colours = page.evaluate("(s => [s.color, s.backgroundColor])(getComputedStyle(document.body))")
    light, dark = sorted((_luminance(colour) for colour in colours), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 7


def _luminance(colour: str) -> float:
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    weights = (0.2126, 0.7152, 0.0722)
    linear = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue))
    return sum(weight * part for weight, part in zip(weights, linear, strict=True))


def test_pictures_are_referred_to_where_they_exist(tmp_path: Path) -> None:
    """A screenshot that was not kept is not asked for, and an odd folder name is a valid address."""
    run = Run(tmp_path)
    done = sample_run.record(run, sample_run.attempt("a", "100% #1", "failure", steps=2), size=(320, 180))
    (tmp_path / str(done.trajectory) / "step-001.png").unlink()
    attempt = embedded(html.write_report(run))["instances"][0]["attempts"][0]
    assert [frame.get("shot") for frame in attempt["frames"]] == ["step-000.png", None, "final.png"]
    assert attempt["folder"] == "trajectories/a/100%25%20%231-intent/1"


def test_a_full_benchmark_stays_small(tmp_path: Path) -> None:
    """432 instances of long-winded steps stay below 5 MB, and each keeps its ending."""
    run = Run(tmp_path)
    steps = [
        sample_run.step(
            n, [{"kind": "click", "x": n, "y": n}], thought="Because of it. " * 60, screenshot=None
        )
        for n in range(16)
    ]
    for number in range(432):
        folder = f"trajectories/{number}"
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "steps.jsonl").write_text("\n".join(map(json.dumps, steps)))
        done = sample_run.attempt("a", f"t{number}", "failure", steps=16, trajectory=folder)
        with (tmp_path / "ledger.jsonl").open("a") as ledger:
            ledger.write(json.dumps(done.to_json()) + "\n")
    file = html.write_report(run)
    assert file.stat().st_size < 5_000_000
    assert all(instance["attempts"][0]["frames"][-2]["n"] == 15 for instance in embedded(file)["instances"])


def test_a_run_without_attempts_has_a_page(page: Page, tmp_path: Path) -> None:
    """A run that ended before its first attempt says that nothing was graded."""
    page.goto(html.write_report(Run(tmp_path)).as_uri())
    assert "No instance was graded." in page.locator("main").inner_text()


def test_nothing_in_the_data_can_end_its_element(hostile_run: Run) -> None:
    """The embedded JSON holds no sign that HTML knows, and reads back as what was said."""
    file = html.write_report(hostile_run)
    data = embedded(file)
    assert data["instances"][0]["goal"].startswith(sample_run.HOSTILE)
    raw = file.read_text(encoding="utf-8").partition('id="data">')[2].partition("</script>")[0]
    assert not set("<>&\u2028\u2029") & set(raw)
