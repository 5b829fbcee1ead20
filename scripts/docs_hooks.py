"""Bring the repository's files that pages link to into the site, so that the same links work there and on GitHub.

A page of `docs/` keeps its address; `agents/README.md` becomes one below `repository/`, with the pages and files
that it links to in turn. A link to a folder leads to the folder's README.md. MkDocs then checks all of them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
_LINKED = InclusionLevel.NOT_IN_NAV  # reached by links; the navigation may name it all the same
LINK = re.compile(r"(?<=\]\()(?!\w+:|#|/)([^)#\s]*)(?=[)#])")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the files outside of `docs/` that the navigation names or that pages link to."""
    waiting = [f"docs/{file.src_uri}" for file in files.documentation_pages()]
    waiting += [
        entry.removeprefix("repository/") for entry in _named(config.nav) if entry.startswith("repository/")
    ]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or not (ROOT / path).is_file():
            continue  # MkDocs reports what is missing
        seen.add(path)
        if not path.startswith("docs/"):
            files.append(
                File.generated(config, _address(path), abs_src_path=str(ROOT / path), inclusion=_LINKED)
            )
        if path.endswith(".md"):
            text = (ROOT / path).read_text(encoding="utf-8")
            waiting += [_target(path, link) for link in LINK.findall(text)]
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links between `docs/` and the rest of the repository to their addresses in the site."""
    address = page.file.src_uri
    path = address.removeprefix("repository/") if address.startswith("repository/") else f"docs/{address}"

    def moved(link: re.Match[str]) -> str:
        target = _target(path, link[1])
        if not (ROOT / target).exists():
            return link[1]
        return posixpath.relpath(_address(target), posixpath.dirname(address) or ".")

    return LINK.sub(moved, markdown)


def _target(path: str, link: str) -> str:
    """Return what a link of a page leads to, as a path in the repository."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
    return posixpath.join(target, "README.md") if (ROOT / target).is_dir() else target


def _address(path: str) -> str:
    """Return where a file of the repository lies in the site."""
    return path.removeprefix("docs/") if path.startswith("docs/") else f"repository/{path}"


def _named(nav: Any) -> Iterator[str]:
    """Yield the pages that a navigation names."""
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, list | dict):
        for entry in nav.values() if isinstance(nav, dict) else nav:
            yield from _named(entry)
