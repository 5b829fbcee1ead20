"""Templates and static files, loaded once for all sessions."""

from __future__ import annotations

import hashlib
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined

from salesforce_org import rich_text
from salesforce_org.pages import routing, styles

FOLDER = Path(__file__).parents[1]
STATIC = FOLDER / "static"
TEMPLATES = (FOLDER / "pages" / "templates", FOLDER / "setup" / "templates")
SLDS = "vendor/slds.css"
# What every page loads, in one request each. Dialogs come late: Escape may close something inside of them first.
SCRIPTS = (
    *(
        "vendor/htmx.js",
        "vendor/idiomorph.js",
        "morph.js",
        "menus.js",
        "floating.js",
        "combobox.js",
        "lookup.js",
        "suggestions.js",
        "dual_list.js",
        "date_picker.js",
    ),
    *(
        "tabs.js",
        "rich_text.js",
        "toasts.js",
        "lists.js",
        "share.js",
        "cells.js",
        "board.js",
        "grids.js",
        "builder.js",
        "navigation.js",
        "modals.js",
        "keys.js",
    ),
)
FILES: Mapping[str, tuple[str, ...]] = {
    "page.css": (SLDS, "org.css"),
    "page.js": SCRIPTS,
    "login.css": (SLDS, "entry.css"),
    "setup.css": ("setup.css",),
    "setup.js": ("setup.js", "formula_editor.js"),
    "app_builder.css": ("app_builder.css",),
    "app_builder.js": ("app_builder.js",),
    "icon.svg": ("icon.svg",),
}
SPRITES = ("action", "custom", "standard", "utility")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


@dataclass(frozen=True)
class Asset:
    """A static file held in memory."""

    body: bytes
    media_type: str


class Drawing(NamedTuple):
    """A symbol of a sprite: attributes and content of an `svg` element."""

    attributes: Mapping[str, str]
    content: str


def prepare() -> tuple[Environment, dict[str, Asset]]:
    """Return the templates and the static files by address.

    In a template `asset(name)` gives the address of a file, and `drawing(ref)` an icon. Icons are drawn inside pages,
    because a browser that needs one of a sprite loads and parses all of them.
    """
    routing.load()
    assets: dict[str, Asset] = {}
    addresses: dict[str, str] = {}
    contents = {
        part: (STATIC / part).read_text(encoding="utf-8") for parts in FILES.values() for part in parts
    }
    contents[SLDS] = styles.used_rules(contents[SLDS], styles.classes(FOLDER))
    for name, parts in FILES.items():
        body = "\n".join(contents[part] for part in parts).encode()
        stem, _, suffix = name.partition(".")
        addresses[name] = f"/static/{stem}-{hashlib.sha256(body).hexdigest()[:12]}.{suffix}"
        assets[addresses[name]] = Asset(body, mimetypes.types_map[f".{suffix}"])
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=FileSystemBytecodeCache(),
    )
    environment.globals["asset"] = addresses.__getitem__
    environment.globals["drawing"] = drawings().__getitem__
    environment.filters["rich"] = rich_text.clean
    return environment, assets


def drawings() -> dict[str, Drawing]:
    """Return the icons of the design system by reference, such as `utility:down`."""
    found: dict[str, Drawing] = {}
    for sprite in SPRITES:
        text = (STATIC / "vendor" / f"{sprite}.svg").read_text(encoding="utf-8")
        for symbol in text.split("<symbol ")[1:]:
            start, _, content = symbol.partition("</symbol>")[0].partition(">")
            attributes = dict(_ATTRIBUTE.findall(start))
            found[f"{sprite}:{attributes.pop('id')}"] = Drawing(attributes, content)
    return found
