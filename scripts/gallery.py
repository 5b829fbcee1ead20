"""Write docs/gallery.md: a screenshot of each application of the worlds `clinic` and `imaging`, and of the org's pages.

    scripts/gallery [APPLICATION | salesforce ...]

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
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.task.evidence import State

ROOT = Path(__file__).resolve().parents[1]
PAGE, PICTURES, SUITE = (
    ROOT / "docs" / "gallery.md",
    ROOT / "docs" / "images" / "gallery",
    ROOT / "suites" / "medcua",
)
SIZE, LARGEST = {"width": 1280, "height": 720}, 150_000
LATE = 5000  # milliseconds until the viewer has drawn its images
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
        built: What the viewer has once it is built.
        title: Its heading; nothing is what the suite calls the application.
    """

    caption: str = "The first page after signing in."
    path: Callable[[State], str] | None = None
    clicks: tuple[str, ...] = ()
    seed: int = 0
    built: str = ""
    title: str = ""


def at(path: str) -> Callable[[State], str]:
    """Return a path that is the same in every state."""
    return lambda state: path


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


# The OHIF Viewer.
VIEWER = {
    "pacs_radiology": Screen(
        "A CT of a chest that does not exist, in the basic viewer.",
        of("findings", "/viewer?StudyInstanceUIDs={study_uid}", story="chest"),
        built='[data-cy="viewport-overlay-bottom-right"]:has-text("I:")',
    ),
    "pathology_viewer": Screen(
        "A slide with its label and a tumour, in the workflow for microscopy.",
        of("studies", "/microscopy?StudyInstanceUIDs={study_uid}", modality="SM"),
        built=".ol-overviewmap",
    ),
}

# The org's pages, in the order of a day's work; `salesforce_` and the name is the picture's.
ORG = {
    "home": Screen("What is due today, and how the quarter stands.", title="Home"),
    "launcher": Screen(
        "All apps and items.", clicks=("role=button[name='App Launcher']",), title="App Launcher"
    ),
    "accounts": Screen(
        "A list view with its controls.",
        at("/lightning/o/Account/list?filterName=AllAccounts"),
        title="List view",
    ),
    "account": Screen(
        "Highlights, related lists and the activity composer.",
        of("Account", "/lightning/r/Account/{Id}/view", Name="Tech Giants"),
        title="Account",
    ),
    "opportunity": Screen(
        "The path of an opportunity.",
        of("Opportunity", "/lightning/r/Opportunity/{Id}/view", Name="Product Development"),
        title="Opportunity",
    ),
    "contact": Screen(
        "A form with its lookups.",
        at("/lightning/o/Contact/list"),
        ("role=button[name='New'] >> nth=0",),
        title="New contact",
    ),
    "convert": Screen(
        "A lead becomes an account, a contact and an opportunity.",
        of("Lead", "/lightning/r/Lead/{Id}/view", IsConverted=False),
        ("role=button[name='Convert']",),
        title="Convert a lead",
    ),
    "case": Screen(
        "A case with its feed of replies.",
        of("Case", "/lightning/r/Case/{Id}/view", Subject="Login Issues with Mobile Application"),
        title="Case",
    ),
    "knowledge": Screen(
        "An article that is published.",
        of("Knowledge__kav", "/lightning/r/Knowledge__kav/{Id}/view", PublishStatus="Online"),
        title="Knowledge",
    ),
    "users": Screen(
        "Setup, with its tree and Quick Find.",
        at("/lightning/setup/ManageUsers/home"),
        title="Users in Setup",
    ),
    "roles": Screen("Who sees whose records.", at("/lightning/setup/Roles/home"), title="Roles in Setup"),
    "fields": Screen(
        "An object's fields in the Object Manager.",
        at("/lightning/setup/ObjectManager/Opportunity/FieldsAndRelationships/view"),
        title="Object Manager",
    ),
}


async def photograph(page: Page, world: World, application: str) -> None:
    """Sign in to an application, go to its screen, and keep it; nobody signs in to the viewer."""
    screen = (SCREENS | VIEWER).get(application, Screen())
    session = await world.open(application, screen.seed)
    state = await session.state()
    if application not in VIEWER:
        known = credentials(application, state, screen.seed)
        await enter(page, session.start_url, "User ID", "Sign in", *known)
    await keep(page, screen, session.origin, state, application)
    await session.close()


async def photograph_org(page: Page, world: World) -> None:
    """Sign in to the org, and keep each of its screens."""
    session = await world.open("salesforce", 0)
    state, told = await session.state(), session.described
    await enter(page, session.start_url, "Username", "Log In", told["username"], told["password"])
    for name, screen in ORG.items():
        await page.goto(session.origin + "/lightning/page/home")
        await keep(page, screen, session.origin, state, f"salesforce_{name}")
    await session.close()


async def enter(page: Page, url: str, label: str, button: str, user: str, password: str) -> None:
    """Sign in."""
    await page.goto(url)
    await page.get_by_label(label).fill(user)
    await page.locator("#password").fill(password)
    await page.get_by_role("button", name=button).click()
    await page.wait_for_load_state("networkidle")


async def keep(page: Page, screen: Screen, origin: str, state: State, name: str) -> None:
    """Go to a screen and keep its picture.

    Raises:
        SystemExit: A page is not there, or fails.
    """
    broken: list[Response] = []
    page.on("response", note := lambda answer: broken.append(answer) if answer.status >= 400 else None)
    if screen.path:
        await page.goto(origin + screen.path(state))
    if screen.built:
        await page.wait_for_selector(screen.built)
        await page.wait_for_timeout(LATE)
    for selector in screen.clicks:
        await page.click(selector)
        await page.wait_for_load_state("networkidle")
    if broken:
        sys.exit(f"scripts/gallery: {broken[0].url} answers {broken[0].status}")
    page.remove_listener("response", note)
    (PICTURES / f"{name}.png").write_bytes(small(await page.screenshot()))


def small(png: bytes) -> bytes:
    """Return the picture with as many colours as its size allows."""
    with Image.open(io.BytesIO(png)) as image:
        for colours in (256, 128, 64, 32, 16):
            out = io.BytesIO()
            image.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
            if out.tell() <= LARGEST:
                break
    return out.getvalue()


def written() -> str:
    """Return the page for the pictures there are."""
    lines = [
        "# Gallery",
        "",
        "Written by `scripts/gallery`; people and values are invented, and differ on every seed.",
        "",
        "## The clinic",
        "",
        "The applications of the world `clinic`, each at its most characteristic screen:",
        "",
    ]
    for name in sorted(file.stem for file in PICTURES.glob("*.png")):
        if name not in VIEWER and not name.startswith("salesforce_"):
            screen = SCREENS.get(name, Screen())
            lines += shown(name, title_of(name), f"`{name}`. {screen.caption}")
    lines += ["## The viewer", "", "The OHIF Viewer over the archive of the world `imaging`:", ""]
    for name, screen in VIEWER.items():
        if (PICTURES / f"{name}.png").is_file():
            lines += shown(name, title_of(name), f"`{name}`. {screen.caption}")
    lines += ["## The org", "", "Pages of the world `salesforce`:", ""]
    for name, screen in ORG.items():
        if (PICTURES / f"salesforce_{name}.png").is_file():
            lines += shown(f"salesforce_{name}", screen.title, screen.caption)
    return "\n".join(lines)


def shown(picture: str, title: str, caption: str) -> list[str]:
    """Return the lines of one picture."""
    return [f"### {title}", "", f"![{title}](images/gallery/{picture}.png)", "", caption, ""]


def title_of(application: str) -> str:
    """Return what the suite calls the application."""
    file = SUITE / application / "application.toml"
    if not file.is_file():
        return application.replace("_", " ").capitalize()
    return tomllib.loads(file.read_text(encoding="utf-8"))["title"]


async def main(wanted: list[str]) -> None:
    """Photograph what is wanted, all by default, and write the page."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    clinic, imaging, org = (World(find_world(name)) for name in ("clinic", "imaging", "salesforce"))
    try:
        known = [*await clinic.applications(), *VIEWER, "salesforce"]
        if unknown := sorted(set(wanted) - set(known)):
            sys.exit(f"scripts/gallery: no application {', '.join(unknown)}; known: {', '.join(known)}")
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(None), args=FLAGS)
            for application in wanted or known:
                page = await browser.new_page(viewport=SIZE)
                if application == "salesforce":
                    await photograph_org(page, org)
                else:
                    await photograph(page, imaging if application in VIEWER else clinic, application)
                await page.context.close()
            await browser.close()
        PAGE.write_text(written(), encoding="utf-8")
    finally:
        await clinic.close()
        await imaging.close()
        await org.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
