"""Write docs/images/report.png and report-instance.png: two looks at the page of a recorded run.

    scripts/report-picture RUN [INSTANCE [STEP]]
    scripts/report-picture ADDRESS

RUN is a run's folder. INSTANCE is shown at STEP; without one it is the first that failed, at its middle. ADDRESS is
what `cuabench watch` printed: then watch.png and watch-episode.png are written, of the run as it is now.
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import sync_playwright

from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.ledger.record import find_run
from pytest_cuabench.reporting.page import write_report

PICTURES = Path(__file__).parents[1] / "docs" / "images"
SIZE = {"width": 1360, "height": 900}

# The pictures are loaded, and two frames were painted since.
DRAWN = """() => Promise.all([...document.images].map((image) => image.decode().catch(() => null)))
    .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))"""


def main(folder: str, instance: str = "", step: str = "") -> None:
    """Write the page again and take its pictures."""
    run = find_run(Path(folder))
    last = run.last_attempts()
    if not instance:
        failed = (
            name for name, attempt in last.items() if attempt.result.graded and attempt.outcome != "success"
        )
        instance = next(failed, next(iter(last)))
    step = step or str(last[instance].steps // 2 + 1)
    page_file = write_report(run)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(None), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        for name, address in (("report", ""), ("report-instance", f"#i={quote(instance)}&s={step}")):
            page.goto("about:blank")
            page.goto(page_file.as_uri() + address)
            page.wait_for_load_state("networkidle")
            page.evaluate(DRAWN)
            page.screenshot(path=PICTURES / f"{name}.png")
        browser.close()


def watch(address: str) -> None:
    """Take pictures of the tiles of a run that is played, and of its first episode."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(None), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        page.goto(address)
        for name, shown in (("watch", ".tile img"), ("watch-episode", ".steps button")):
            page.locator(shown).first.wait_for()
            page.evaluate(DRAWN)
            page.screenshot(path=PICTURES / f"{name}.png")
            page.locator(".tile a").first.evaluate_all("links => links[0]?.click()")
        browser.close()


if __name__ == "__main__":
    (watch if sys.argv[1].startswith("http://") else main)(*sys.argv[1:])
