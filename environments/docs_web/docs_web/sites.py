"""The sites that `sites.toml` declares, as far as their documentation is installed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from docs_web.documentation import Documentation
from docs_web.folders import Folder, exported
from docs_web.manuals import Manual
from docs_web.site import Site
from docs_web.written import Written

DECLARED = Path(__file__).with_name("sites.toml")


def read_sites(fixtures: Path, kept: Path, declared: Path = DECLARED) -> list[Site]:
    """Return the sites.

    Args:
        fixtures: The folder of the pages that are written here, by host.
        kept: Where what is made of installed documentation is kept.
        declared: The file that declares them.

    Raises:
        OSError: What is installed cannot be read.
    """
    sites = tomllib.loads(declared.read_text(encoding="utf-8"))
    return [
        *(_folder(one) for one in sites.get("folder", ()) if Path(one["root"]).is_dir()),
        *(
            _manual(one)
            for one in sites.get("manual", ())
            if all(Path(file).exists() for file in one["files"].values())
        ),
        *(_notebook(one, kept) for one in sites.get("notebook", ()) if Path(one["root"]).is_dir()),
        *(
            Documentation(one["host"], one["name"], fixtures / one["host"], one["at"], one["versions"])
            for one in sites.get("documentation", ())
        ),
        *(
            Written(one["host"], one["name"], fixtures / one["host"], one["style"])
            for one in sites.get("written", ())
        ),
    ]


def _folder(one: dict[str, Any]) -> Site:
    root, start = Path(one["root"]), one["at"] + one["start"]
    return Folder(one["host"], one["name"], root, one["at"], start, one["pages"], one["content"])


def _manual(one: dict[str, Any]) -> Site:
    files = {folder: Path(file) for folder, file in one["files"].items()}
    return Manual(one["host"], one["name"], files, one["at"], one["at"] + one["start"], one["depth"])


def _notebook(one: dict[str, Any], kept: Path) -> Site:
    root = exported(Path(one["root"]), kept)
    start = one["at"] + one["start"]
    return Folder(one["host"], one["name"], root, one["at"], start, ["**/*.html"], "//div[@class='pages']")
