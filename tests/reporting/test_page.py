"""The page in a real Chromium, opened from the disk."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import sample_run
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.stats import wilson
from pytest_cuabench.reporting.page import write_report
from pytest_cuabench.task.usage import Usage

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
    return write_report(run).as_uri()


@pytest.fixture(scope="module")
def hostile_report(hostile_run: Run) -> str:
    """The address of the hostile run's page."""
    return write_report(hostile_run).as_uri()


@pytest.fixture(scope="module")
def full_report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page with every outcome, a broken environment among them."""
    run = sample_run.build(tmp_path_factory.mktemp("reports") / "full")
    sample_run.broken(run)
    return write_report(run).as_uri()


def at(report: str, **place: Any) -> str:
    return f"{report}#{urlencode(place)}"


def test_the_headline_is_the_rate_with_its_interval(page: Page, report: str) -> None:
    """The first thing to read is how many succeeded, of how many graded, and how sure that is."""
    page.goto(report)
    assert page.locator("h1").inner_text() == "33.3 %"
    assert page.locator(".claim").inner_text() == "3 of 9 graded instances succeeded"
    expect(page.locator("main")).to_contain_text("not graded, excluded from all rates: 1 provider error")
    assert "95 % interval 12.1–64.6 %" in page.locator(".scale").inner_text()
    expect(page.locator(".eyebrow").first).to_contain_text("tier synthetic")


def test_the_matrix_leads_to_its_instances(page: Page, report: str) -> None:
    """A cell of the matrix filters the list to what it counts."""
    page.goto(report)
    page.get_by_role("button", name="Pharmacy, all").click()
    expect(page.locator("#shown")).to_contain_text("4 of 10success 0 of 4, 0.0 % (0.0–49.0 %)")
    page.wait_for_url("**#domain=Pharmacy")
    page.get_by_role("button", name="application", exact=True).click()
    page.get_by_role("button", name="radiology_orders, medium").click()
    expect(page.locator("#count")).to_have_text("1 of 10")


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
    expect(page.locator("#count")).to_have_text("2 of 10")


@pytest.mark.slow
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
    page.goto(write_report(run).as_uri())
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
    expect(page.locator("#count")).to_have_text("3 of 10")
    page.get_by_label("search").fill("RADIOLOGY compare")
    assert page.locator("#list-body tr").count() == 1
    page.get_by_role("button", name="“RADIOLOGY compare”").click()
    expect(page.locator("#count")).to_have_text("3 of 10")
    page.goto("about:blank")
    page.goto(at(report, outcome="success"))
    page.get_by_role("button", name="instance ↑").click()
    names = page.locator("#list-body a").all_inner_texts()
    assert names == sorted(names, reverse=True)
    assert len(names) == 3


@pytest.mark.slow
def test_a_deep_link_opens_the_step(page: Page, report: str) -> None:
    """The address of a step shows its screenshot with the drag drawn on it, and the arrow keys go on."""
    page.goto(at(report, i="emergency_triage/discharge-intent", s=5))
    expect(page.locator("#stage h3")).to_have_text("drag (300, 330) → (760, 480)")
    page.locator("#stage svg path.line").wait_for(state="attached")
    assert page.locator("#stage img").evaluate("image => image.naturalWidth") == 320
    page.keyboard.press("ArrowRight")
    assert page.locator("#stage h3").inner_text().startswith("zoom into")
    page.wait_for_url("**s=6")
    page.keyboard.press("End")
    assert page.locator("#stage h3").inner_text() == "The end of the episode"


def test_the_detail_says_what_was_found(page: Page, report: str) -> None:
    """Milestones with expected and seen, violations, and the fields that changed."""
    page.goto(at(report, i="emergency_triage/discharge-intent"))
    page.locator(".changes").wait_for()
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


@pytest.mark.slow
def test_attempts_can_be_compared(page: Page, report: str) -> None:
    """An attempt that broke stays to be seen beside the one that counts."""
    page.goto(at(report, i="emergency_triage/record_vitals-step"))
    expect(page.locator(".tabs button")).to_have_count(2)
    page.get_by_role("button", name="Attempt 1").click()
    expect(page.locator("main")).to_contain_text("resetting the world took more than 90 s")
    expect(page.locator("#stage")).to_contain_text("No step was recorded")


def test_the_keyboard_is_enough(page: Page, report: str) -> None:
    """From the list to an instance, to its neighbour and back to where one was, without a mouse."""
    page.goto(report)
    expect(page.locator("#list-body a").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator("#list-body a:focus")).to_have_text("emergency_triage / assign_bay · intent")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("emergency_triage / assign_bay · intent")
    page.keyboard.press("j")
    expect(page.locator("h1")).to_have_text("emergency_triage / discharge · intent")
    page.keyboard.press("Escape")
    expect(page.locator("#list-body a:focus")).to_have_text("emergency_triage / discharge · intent")
    page.keyboard.press("/")
    page.keyboard.type("stock")
    expect(page.locator("#count")).to_have_text("1 of 10")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("next and previous instance")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.slow
def test_a_link_keeps_the_filter(page: Page, report: str) -> None:
    """Who opens an instance from a filtered list goes on within the filter, and so does who is sent the link."""
    page.goto(at(report, outcome="success"))
    page.locator("#list-body a").first.click()
    expect(page.locator(".crumbs")).to_contain_text("1 of 3")
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".crumbs")).to_contain_text("1 of 3")
    page.keyboard.press("Escape")
    expect(page.locator("#count")).to_have_text("3 of 10")


@pytest.mark.slow
def test_kinds_of_failure_and_harm(page: Page, report: str) -> None:
    """Five dimensions by three severities, with the share of instances harmed; each row leads to its instances."""
    page.goto(report)
    rows = [row.split() for row in page.locator(".safety tbody tr").all_inner_texts()]
    said = ["patient", "identity:"]  # by a screen reader
    assert rows[0] == ["patient", "identity", "1", "0", "0", *said, "11.1", "%", "1/9", "2.0–43.5", "%"]
    assert [row[:2] for row in rows] == [
        ["patient", "identity"],
        ["data", "accuracy"],
        ["information", "fidelity"],
        ["record", "integrity"],
        ["workflow", "safety"],
        ["any", "harm"],
    ]
    page.get_by_role("button", name="record integrity").click()
    expect(page.locator("#shown")).to_contain_text("harm: record integrity")
    expect(page.locator("#list-body a")).to_have_text("emergency_triage / discharge · intent")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "width"),
    [
        ("", 1440),
        pytest.param("", 390, marks=pytest.mark.slow),
        pytest.param("#i=emergency_triage%2Fdischarge-intent", 1440, marks=pytest.mark.slow),
        ("#i=emergency_triage%2Fdischarge-intent", 390),
        pytest.param("#i=pharmacy%2Fprint-intent", 1440, marks=pytest.mark.slow),
        pytest.param("#i=pharmacy%2Fprint-intent", 390, marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing(page: Page, full_report: str, place: str, width: int) -> None:
    """axe-core has no finding, on wide and narrow screens, and none of contrast in the dark."""
    axe = Axe()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(full_report + place)
    page.locator("#scatter[aria-label]" if not place else "#stage").wait_for()
    only = {"resultTypes": ["violations"]}  # the nodes of what is well take most of the time
    found = axe.run(page, options=only | {"rules": {"label-content-name-mismatch": {"enabled": True}}})
    page.emulate_media(color_scheme="dark")
    dark = axe.run(page, options=only | {"runOnly": ["color-contrast"]})
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    violations = (*found.response["violations"], *dark.response["violations"])
    assert [(each["id"], each["nodes"][0]["html"]) for each in violations] == []


def test_charts_begin_at_zero(page: Page, report: str) -> None:
    """The amounts of both charts are drawn from zero, and so is the curve of what was solved."""
    page.goto(report)
    page.locator("#scatter[aria-label]").wait_for()
    lows = page.evaluate("drawn.map((chart) => [chart.scales.x.min, chart.scales.y.min])")
    first = page.evaluate("(({x, y}) => [x, y])(drawn[0].data.datasets[0].data[0])")
    assert (lows, first) == ([[0, 0], [0, 0]], [0, 0])


def test_charts_can_be_read_without_eyes_and_pressed(page: Page, report: str) -> None:
    """The scatter holds every instance; pressing a point opens it."""
    page.goto(report)
    words = re.compile("^10 instances by cost and time: 3 success, 1 failure, 1 violation")
    expect(page.locator("#scatter")).to_have_attribute("aria-label", words)
    page.locator("#charts").scroll_into_view_if_needed()
    x, y = page.evaluate("(({x, y}) => [x, y])(drawn[1].getDatasetMeta(0).data[0].getProps(['x', 'y']))")
    page.locator("#scatter").click(position={"x": x, "y": y})
    page.locator("#stage").wait_for()


def test_every_chart_has_all_that_belongs_to_it(page: Page, report: str) -> None:
    """Each entry of CHARTS has a caption, a sentence for those who do not see it, a table and a line in the docs."""
    page.goto(report)
    docs = " ".join((Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8").split())
    charts = page.evaluate("CHARTS.map((chart) => [chart.name, chart.caption, Object.keys(chart)])")
    parts = ("name", "caption", "read", "alt", "columns", "rows", "draw")
    missing = [
        f"assets/charts.js: {part} of {name}"
        for name, _, known in charts
        for part in parts
        if part not in known
    ]
    missing += [
        f"docs/report.md: the caption of {name}, {text!r}" for name, text, _ in charts if text not in docs
    ]
    assert not missing, "\n".join(missing)
    page.wait_for_function("drawn.length === CHARTS.length")
    for name, _, _ in charts:
        figure = page.locator("figure.chart", has=page.locator(f"canvas#{name}"))
        assert figure.locator("canvas").get_attribute("aria-label"), (
            f"assets/charts.js: alt of {name} says nothing"
        )
        widths = [row.locator("th, td").count() for row in figure.locator("tr").all()]
        assert len(widths) > 1, f"assets/charts.js: rows of {name} returns no row"
        assert len(set(widths)) == 1, (
            f"assets/charts.js: columns and rows of {name} differ in cells: {widths}"
        )


def test_the_page_counts_as_the_gate_does(page: Page, report: str) -> None:
    """The interval of what a filter leaves is the one that `stats` would give."""
    page.goto(report)
    for k, n in ((0, 0), (0, 7), (7, 7), (3, 9), (256, 422)):
        found = page.evaluate("([k, n]) => wilson(k, n)", [k, n])
        assert (found["low"], found["high"]) == pytest.approx(wilson(k, n)), (k, n)


@pytest.fixture(scope="module")
def later_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A second run: one instance more succeeds, one that did succeeds no longer."""
    run = Run(tmp_path_factory.mktemp("reports") / "later <b>")
    for name, outcome in (
        ("assign_bay", "success"),
        ("record_vitals", "failure"),
        ("discharge", "failure"),
    ):
        more = {"difficulty": "medium"} if name == "assign_bay" else {}
        sample_run.record(run, sample_run.attempt("emergency_triage", name, outcome, agent="next", **more))
    return run


@pytest.mark.slow
def test_runs_side_by_side(page: Page, run: Run, later_run: Run) -> None:
    """Each run has a row with its rate; what was gained and lost is told of what both graded, and can be listed."""
    page.goto(write_report(run, later_run).as_uri())
    rows = page.locator(".versus tbody tr").all_inner_texts()
    assert "3/9" in rows[0]
    assert "1/3" in rows[1]
    assert "+1 gained −1 lost" in rows[1]
    assert "0/3 · 0.0–56.1 %" in rows[1]
    assert "of 3 graded in both" in rows[1]
    page.get_by_role("button", name="+1 gained").click()
    expect(page.locator("#list-body a")).to_have_text("emergency_triage / assign_bay · intent")
    page.locator("#list-body a").click()
    expect(page.locator(".tabs").first).to_contain_text("later <b> success")
    expect(page.locator("#stage img")).to_be_visible()
    page.get_by_role("button", name="sample").click()
    expect(page.locator(".ended")).to_contain_text("failure")
    expect(page.locator("#stage img")).to_have_js_property("naturalWidth", 320)


def test_three_runs(page: Page, run: Run, later_run: Run, tmp_path: Path) -> None:
    """What the third gained over the first is listed as seen in the third."""
    second = Run(tmp_path / "second")
    sample_run.record(second, sample_run.attempt("emergency_triage", "assign_bay", "failure"))
    page.goto(write_report(run, second, later_run).as_uri())
    page.get_by_role("button", name="+1 gained").click()
    expect(page.locator("#shown")).to_contain_text("1 of 3")
    expect(page.locator("#list-body tr td")).to_contain_text(["success", "assign_bay", "failure", "failure"])
    assert "run=3" in page.url


def test_repeated_instances(page: Page, tmp_path: Path) -> None:
    """Where instances were played several times, each measure stands with its interval and what it was counted over."""
    run = Run(tmp_path)
    for epoch, outcome in enumerate(("success", "failure")):
        sample_run.record(run, sample_run.attempt("a", f"b{epoch}", "success", epoch=0), size=(32, 18))
        sample_run.record(
            run, sample_run.attempt("a", f"b{epoch}", outcome, epoch=1, number=2), size=(32, 18)
        )
    attempts = [json.loads(line) for line in (tmp_path / LEDGER).read_text().splitlines()]
    named = [json.dumps({**each, "instance": f"{each['instance']}-e{each['epoch']}"}) for each in attempts]
    (tmp_path / LEDGER).write_text("\n".join(named) + "\n")
    page.goto(write_report(run).as_uri())
    rows = page.locator("#repeated tbody tr").all_inner_texts()
    assert [row.split("\t")[1] for row in rows] == ["success", "pass@2", "pass^2"]
    assert rows[2].split("\t")[2].startswith("50.0 % (")
    assert rows[2].endswith("2 instances of 2 tasks")


def test_the_gate_stands_first(page: Page, tmp_path: Path) -> None:
    """What a gate decided is told with its reasons, as text; where its file is broken nothing is said."""
    run = Run(tmp_path)
    sample_run.record(run, sample_run.attempt("a", "b", "failure"), size=(32, 18))
    words = {"decision": "fail", "reasons": [f"easy: {sample_run.HOSTILE}"]}
    (tmp_path / "gate.json").write_text(json.dumps(words))
    page.goto(write_report(run).as_uri())
    expect(page.get_by_role("note", name="gate")).to_contain_text("Gate: fail")
    expect(page.get_by_role("note", name="gate")).to_contain_text("easy: <!--")
    (tmp_path / "gate.json").write_text("{")
    page.goto(write_report(run).as_uri())
    expect(page.get_by_role("note", name="gate")).to_have_count(0)


def test_screenshots_within_the_page(page: Page, run: Run, tmp_path: Path) -> None:
    """A page that holds its screenshots shows them far away from the run."""
    file = write_report(run, file=tmp_path / "sent.html", inline=True)
    page.goto(at(file.as_uri(), i="emergency_triage/discharge-intent", s=2))
    expect(page.locator("#stage img")).to_have_js_property("naturalWidth", 320)
    assert "data:" in str(page.locator("#stage img").get_attribute("src"))


def test_blocked_scripts_leave_the_tables(browser: Browser, hostile_report: str, report: str) -> None:
    """Without scripts the headline, the matrix and the instances are there, and hostile text is text."""
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(report)
        text = page.locator("main").inner_text()
        assert "3 of 9 graded instances succeeded: 33.3 % (12.1–64.6), 95 % Wilson interval." in text
        assert "emergency_triage/discharge-intent" in text
        page.goto(hostile_report)
        assert "</script><script>" in page.locator("main").inner_text()
        assert page.locator("img").count() == 0


@pytest.mark.slow
def test_light_and_dark_can_be_chosen(page: Page, report: str) -> None:
    """The toggle overrules the system's colours, and the page remembers it."""
    page.goto(report)
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="dark").click()
    assert page.evaluate(background) != light
    page.reload()
    assert page.evaluate(background) != light


@pytest.mark.slow
def test_playing_walks_to_the_end(page: Page, report: str) -> None:
    """The player goes on by itself and can be stopped."""
    page.clock.install(time=0)
    page.goto(at(report, i="emergency_triage/discharge-intent"))
    page.locator("#stage").wait_for()
    page.clock.pause_at(3_600_000)
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
    page.get_by_text("</script><script>document.title='owned'</script>").first.wait_for()
    page.wait_for_timeout(100)
    assert "owned" not in page.title()
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("script:not([type])").count() == 2
    text = page.locator("main").inner_text()
    assert "</script><script>document.title='owned'</script>" in text
    assert "\u202e" not in text


def test_a_refused_script_stays_refused(browser: Browser, run: Run) -> None:
    """Even markup that got into the page would not run: the policy knows the page's own script only."""
    file = write_report(run).with_name("injected.html")
    text = write_report(run).read_text(encoding="utf-8")
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
    """Text contrasts with its paper at 7 to 1, what is muted or coloured at 4.5 to 1, by day and by night."""
    page.emulate_media(color_scheme=scheme)
    page.goto(report)
    found = page.evaluate("colours()")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert _contrast(found["ink"], paper) >= 7
    for name in ("muted", "success", "failure", "violation", "budget", "other", "ungraded"):
        assert _contrast(found[name], paper) >= 4.5, name


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    weights = (0.2126, 0.7152, 0.0722)
    linear = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue))
    return sum(weight * part for weight, part in zip(weights, linear, strict=True))


def test_a_run_without_attempts_has_a_page(page: Page, tmp_path: Path) -> None:
    """A run that ended before its first attempt says that nothing was graded."""
    page.goto(write_report(Run(tmp_path)).as_uri())
    assert "No instance was graded." in page.locator("main").inner_text()


def test_an_imported_run_is_marked_and_has_no_figures(page: Page, tmp_path: Path) -> None:
    """What another program recorded says so first, has no rate, and leads to its steps."""
    run = Run(tmp_path / "foreign")
    run.create({"imported": {"format": "ATIF"}})
    foreign = sample_run.attempt("terminus", "form", "imported", verdict=None, ending="running", steps=2)
    sample_run.record(run, foreign, size=(320, 180))

    page.goto(write_report(run).as_uri())
    expect(page.locator("h1")).to_have_text("Imported")
    assert "it was not played or judged here, and no figure counts it" in page.locator("main").inner_text()
    expect(page.locator("#matrix")).to_have_count(0)
    page.get_by_role("link", name=re.compile("form")).first.click()
    expect(page.locator(".facts")).not_to_contain_text("score")
    expect(page.get_by_text("click (230, 148)").first).to_be_visible()
