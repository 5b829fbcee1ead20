"""An application made ready to serve: routes compiled, templates loaded, assets hashed."""

import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from starlette.routing import compile_path

from clinic.application import Application, Page
from clinic.fixtures import Fixtures
from clinic.toolkit import FOLDER as TOOLKIT
from clinic.toolkit import PAGES as TOOLKIT_PAGES
from clinic.toolkit.words import FILTERS, SEXES, age


@dataclass(frozen=True)
class Asset:
    """A static file held in memory."""

    body: bytes
    media_type: str


@dataclass(frozen=True)
class Route:
    """A page with its compiled address."""

    page: Page
    pattern: re.Pattern[str]


@dataclass(frozen=True)
class Stage:
    """Everything of an application that all its sessions share."""

    application: Application
    fixtures: Fixtures
    environment: Environment
    assets: dict[str, Asset]
    routes: tuple[Route, ...]

    def find(self, method: str, path: str) -> tuple[Page, dict[str, str]] | None:
        """Return the page at an address and the variable parts of the address."""
        for route in self.routes:
            match = route.pattern.match(path)
            if match and route.page.method == method:
                return route.page, match.groupdict()
        return None


def prepare(application: Application, fixtures: Fixtures) -> Stage:
    """Load what can be loaded before the first session."""
    assets: dict[str, Asset] = {}
    addresses: dict[str, str] = {}
    for folder in (TOOLKIT, application.folder):
        for file in sorted((folder / "static").iterdir()):
            addresses[file.name] = _add_asset(assets, file)
    pages = (*TOOLKIT_PAGES, *application.pages)
    if application.home != "/":
        pages += (Page("GET", "/", lambda visit: visit.go(application.home)),)
    environment = _environment(application, addresses)
    return Stage(application, fixtures, environment, assets, tuple(_route(page) for page in pages))


def _add_asset(assets: dict[str, Asset], file: Path) -> str:
    body = file.read_bytes()
    address = f"/static/{file.stem}-{hashlib.sha256(body).hexdigest()[:12]}{file.suffix}"
    assets[address] = Asset(body, mimetypes.guess_type(file.name)[0] or "application/octet-stream")
    return address


def _environment(application: Application, addresses: dict[str, str]) -> Environment:
    loader = FileSystemLoader([application.folder / "templates", TOOLKIT / "templates"])
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=FileSystemBytecodeCache(),  # to compile a large template takes longer than most pages
    )
    environment.globals.update(application.words, SEXES=SEXES, age=age, asset=addresses.__getitem__)
    environment.filters.update(FILTERS)
    return environment


def _route(page: Page) -> Route:
    return Route(page, compile_path(page.path)[0])
