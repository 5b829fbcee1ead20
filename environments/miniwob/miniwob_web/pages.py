"""The pages as the installed package `miniwob` has them; nothing of them is copied into this project."""

from __future__ import annotations

import base64
import mimetypes
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

CORE = "/core/core.js"  # the first script of every page
_FOLDERS = ("/core/", "/common/")
_INLINE = re.compile(r"<script(?![^>]*\bsrc\b)[^>]*>(.*?)</script>", re.DOTALL)
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' {scripts}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    )
)


class MissingPages(Exception):
    """Raised where the package is not installed; the text says what to type."""


def find_pages() -> Path:
    """Return the package's folder of HTML files.

    Raises:
        MissingPages: The package is not installed, or holds no pages.
    """
    spec = find_spec("miniwob")
    folder = Path(spec.origin).parent / "html" if spec and spec.origin else None
    if folder is None or not (folder / CORE.lstrip("/")).is_file():
        raise MissingPages(
            "the world miniwob needs the pages of MiniWoB++; type: pip install 'pytest-cuabench[miniwob]'"
        )
    return folder


class Pages:
    """The files of the package.

    Attributes:
        by_application: The file of each page by the name of its application, such as `click_test`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        files = sorted((folder / "miniwob").glob("*.html"))
        self.by_application: Mapping[str, Path] = {file.stem.replace("-", "_"): file for file in files}

    def policy(self, file: Path) -> str:
        """Return the Content Security Policy of a page.

        Only scripts that the page came with may run: some pages show what is typed into them as HTML.
        """
        return _POLICY.format(scripts=" ".join(_hashes(file)))

    def asset(self, path: str) -> tuple[bytes, str] | None:
        """Return a file that pages use, with its media type; None if there is none."""
        file = (self._folder / path.lstrip("/")).resolve()
        inside = path.startswith(_FOLDERS) and file.is_relative_to(self._folder.resolve())
        if not inside or not file.is_file():
            return None
        return file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream"

    def core(self, settings: str) -> bytes:
        """Return the first script of a page with the session's settings after it, a JSON object; see `episode.js`."""
        original = (self._folder / CORE.lstrip("/")).read_bytes()
        return b"%s\ncore.settings = %s;\n" % (original, settings.encode())


@cache
def _hashes(file: Path) -> tuple[str, ...]:
    text = file.read_bytes().decode().replace("\r\n", "\n")  # as the parser of HTML reads it
    digests = (sha256(script.encode()).digest() for script in _INLINE.findall(text))
    return tuple(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
