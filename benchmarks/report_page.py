"""The report of a whole benchmark: its size, how long it takes to write, and until a person can use it.

A page is ready when its list of instances is there and reacts to a key. That is asked in every frame from the first
one on, and told in milliseconds since the page was asked for. Beside it the same for one instance by its link: ready
is when its steps are there and an arrow key has gone on to the next one.

    .venv/bin/python benchmarks/report_page.py [INSTANCES]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from urllib.parse import quote

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "reporting"))

import large_run

from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.reporting.page import write_report

ROUNDS = 9
PHONE, DESKTOP = (390, 844), (1440, 900)
PROBE = """
const ask = () => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const row = () => document.activeElement && document.activeElement.closest("#list-body");
  const step = () => document.querySelector("#slider") && document.querySelector("#slider").value === "1";
  if (document.querySelector("#list-body tr")) press("j");
  else if (document.querySelector("#slider")) press("ArrowRight");
  if (row() || step()) window.ready = performance.now();
  else requestAnimationFrame(ask);
};
requestAnimationFrame(ask);
"""
WAIT = """() => new Promise((resolve) => {
  const ask = () => (window.ready ? resolve(window.ready) : requestAnimationFrame(ask));
  ask();
})"""


def ready_ms(browser: Browser, address: str, size: tuple[int, int]) -> tuple[float, float, float]:
    """Return the median, the best and the worst time until the page is ready, each time in a new context."""
    times = []
    for _ in range(ROUNDS):
        with browser.new_context(viewport={"width": size[0], "height": size[1]}) as context:
            context.add_init_script(PROBE)
            page = context.new_page()
            page.goto(address, wait_until="commit")
            times.append(page.evaluate(WAIT))  # Playwright's own polling needs eval, which the page forbids
    return median(times), min(times), max(times)


def main() -> None:
    """Measure and print."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 432
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        run = large_run.build(Path(folder) / "run", size)
        start = time.perf_counter()
        page = write_report(run)
        steps = sum(attempt.steps for attempt in run.attempts())
        print(f"{size} instances, {steps:,} steps: {page.stat().st_size / 1e6:.2f} MB")
        print(f"written in {time.perf_counter() - start:.2f} s")
        browser = playwright.chromium.launch(executable_path=find_chromium(None), args=["--no-sandbox"])
        instance = next(iter(run.attempts())).instance
        for name, address in (("overview", ""), ("one instance", f"#i={quote(instance)}")):
            for screen in (DESKTOP, PHONE):
                middle, best, worst = ready_ms(browser, page.as_uri() + address, screen)
                print(
                    f"{name} at {screen[0]} px ready in {middle:.0f} ms ({best:.0f}-{worst:.0f}, {ROUNDS} rounds)"
                )
        browser.close()


if __name__ == "__main__":
    main()
