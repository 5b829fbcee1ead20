"""Write docs/gallery.md with one screenshot of each application of the world `clinic`.

    scripts/gallery [APPLICATION ...]

Names limit what is photographed anew; the page is always written for every picture there is. An application needs
no entry in SCREENS: its default is the first page after signing in.
"""

import asyncio
import io
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.async_api import Page, Response, async_playwright

from pytest_cuabench.commands.world import credentials
from pytest_cuabench.drivers.chromium_executable import find_chromium
from pytest_cuabench.evidence import State
from pytest_cuabench.worlds import World, find_world

ROOT = Path(__file__).resolve().parents[1]
PAGE, PICTURES, SUITE = (
    ROOT / "docs" / "gallery.md",
    ROOT / "docs" / "images" / "gallery",
    ROOT / "suites" / "medcua",
)
SIZE, LARGEST = {"width": 1280, "height": 720}, 150_000
FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-sync",
]


@dataclass(frozen=True)
class Screen:
    """The most characteristic screen of an application.

    Attributes:
        caption: What is to be seen.
        path: Where it is, from the starting state; nothing is the first page after signing in.
        clicks: Selectors to click there, one after the other.
    """

    caption: str = "The first page after signing in."
    path: Callable[[State], str] | None = None
    clicks: tuple[str, ...] = ()
    seed: int = 0


def of(collection: str, path: str, **equal: object) -> Callable[[State], str]:
    """Return a path with the fields of the first row that fits.

    Raises:
        LookupError: None does.
    """

    def find(state: State) -> str:
        for row in state.rows(collection, **equal):
            return path.format(**row)
        raise LookupError(f"no row of {collection} has {equal}")

    return find


SCREENS = {
    "bed_management": Screen("The bed board of the hospital."),
    "doctor_prescription": Screen(
        "The medication list of a patient.", of("medications", "/p/{mrn}/medications")
    ),
    "ecg_workstation": Screen(
        "An acute inferior infarction on the paper, measured by the algorithm and not yet read.",
        of("studies", "/ecg/{study_id}", profile="inferior"),
        ("role=button[name='Run analysis']",),
        seed=3,
    ),
    "emergency_triage": Screen("The tracking board."),
    "endoscopy": Screen(
        "A procedure under way.", of("procedures", "/case/{case_no}/procedure", status="in_progress")
    ),
    "icu_bedside": Screen("The trends of a patient with an alarm.", of("alarms", "/patient/{mrn}/trends")),
    "icu_central": Screen("All beds of the unit at a glance."),
    "imaging_console": Screen("The images of a scan.", of("scans", "/exam/{accession}/images")),
    "infusion_pump": Screen(
        "A channel that infuses.", of("channels", "/pumps/{mrn}/{letter}", status="infusing")
    ),
    "nurse_station": Screen("The patients of a shift with what is due."),
    "nursing_assessment": Screen("A Braden scale to fill in.", of("braden", "/patients/{mrn}/braden")),
    "nursing_documentation": Screen(
        "The early warning chart of a patient.", of("wounds", "/beds/{mrn}/vitals")
    ),
    "outpatient_pharmacy": Screen("A prescription with an alert to settle.", of("alerts", "/rx/{rx_no}")),
    "radiation_tps": Screen(
        "The dose of a plan against its goals.",
        of("plans", "/rt/{mrn}/{plan}/evaluate", dose_state="current"),
    ),
    "ultrasound": Screen("A live picture.", of("exams", "/exam/{accession}/scan", status="in_progress")),
}


async def photograph(page: Page, world: World, application: str) -> None:
    """Sign in, go to the screen, and keep it.

    Raises:
        SystemExit: A page is not there, or fails.
    """
    screen = SCREENS.get(application, Screen())
    session = await world.open(application, screen.seed)
    state = await session.state()
    user, password = credentials(application, state, screen.seed)
    broken: list[Response] = []
    page.on("response", lambda answer: broken.append(answer) if answer.status >= 400 else None)
    await page.goto(session.start_url)
    await page.get_by_label("User ID").fill(user)
    await page.locator("#password").fill(password)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_load_state("networkidle")
    if screen.path:
        await page.goto(session.origin + screen.path(state))
    for selector in screen.clicks:
        await page.click(selector)
        await page.wait_for_load_state("networkidle")
    if broken:
        sys.exit(f"scripts/gallery: {broken[0].url} answers {broken[0].status}")
    (PICTURES / f"{application}.png").write_bytes(small(await page.screenshot()))
    await session.close()


def small(png: bytes) -> bytes:
    """Return the picture with as many colours as its size allows."""
    with Image.open(io.BytesIO(png)) as image:
        for colours in (256, 128, 64, 32, 16):
            out = io.BytesIO()
            image.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
            if out.tell() <= LARGEST:
                break
    return out.getvalue()


def written(applications: list[str]) -> str:
    """Return the page for the pictures there are."""
    lines = [
        "# Gallery",
        "",
        "The applications of the world `clinic`, each at its most characteristic screen.",
        "Written by `scripts/gallery`; people and values are invented, and differ on every seed.",
        "",
    ]
    for name in applications:
        if (PICTURES / f"{name}.png").is_file():
            title, caption = title_of(name), SCREENS.get(name, Screen()).caption
            lines += [
                f"## {title}",
                "",
                f"![{title}](images/gallery/{name}.png)",
                "",
                f"`{name}`. {caption}",
                "",
            ]
    return "\n".join(lines)


def title_of(application: str) -> str:
    """Return what the suite calls the application."""
    file = SUITE / application / "tasks.toml"
    if not file.is_file():
        return application.replace("_", " ").capitalize()
    return tomllib.loads(file.read_text(encoding="utf-8"))["application"]["title"]


async def main(wanted: list[str]) -> None:
    """Photograph what is wanted, all by default, and write the page."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    world = World(find_world("clinic"))
    try:
        known = await world.applications()
        if unknown := sorted(set(wanted) - set(known)):
            sys.exit(f"scripts/gallery: no application {', '.join(unknown)}; known: {', '.join(known)}")
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(None), args=FLAGS)
            for application in wanted or known:
                page = await browser.new_page(viewport=SIZE)
                await photograph(page, world, application)
                await page.context.close()
            await browser.close()
        PAGE.write_text(written(known), encoding="utf-8")
    finally:
        await world.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
