"""Templates and static files, loaded once for all sessions."""

from __future__ import annotations

import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined

from salesforce_org import rich_text
from salesforce_org.pages import routing

FOLDER = Path(__file__).parents[1]


@dataclass(frozen=True)
class Asset:
    """A static file held in memory."""

    body: bytes
    media_type: str


def prepare() -> tuple[Environment, dict[str, Asset]]:
    """Return the templates and the static files by address; `asset(name)` gives the address in a template."""
    routing.load()
    assets: dict[str, Asset] = {}
    addresses: dict[str, str] = {}
    for folder in (FOLDER / "static", FOLDER / "static" / "vendor"):
        for file in sorted(path for path in folder.iterdir() if path.is_file()):
            body = file.read_bytes()
            address = f"/static/{file.stem}-{hashlib.sha256(body).hexdigest()[:12]}{file.suffix}"
            assets[address] = Asset(body, mimetypes.guess_type(file.name)[0] or "application/octet-stream")
            addresses[file.name] = address
    loader = FileSystemLoader([FOLDER / "pages" / "templates", FOLDER / "setup" / "templates"])
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=FileSystemBytecodeCache(),
    )
    environment.globals["asset"] = addresses.__getitem__
    environment.filters["rich"] = rich_text.clean
    return environment, assets
