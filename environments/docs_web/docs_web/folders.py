"""Sites that are folders of HTML files, as Debian packages install them."""

from __future__ import annotations

import hashlib
import mimetypes
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from lxml import html

from docs_web.site import File, Page, readable

_EXPORT_SECONDS = 60


class Folder:
    """A folder that is served as it is.

    Args:
        at: The path on the host that leads to the folder, with a slash at both ends.
        pages: Patterns of the HTML files that the search engine knows, seen from the folder.
        content: XPath of the part of a page that is its own.
    """

    def __init__(
        self, host: str, name: str, root: Path, at: str, start: str, pages: Sequence[str], content: str
    ) -> None:
        self.host, self.name, self.start = host, name, start
        self._root, self._at, self._patterns, self._content = root, at, pages, content

    def pages(self) -> Iterator[Page]:
        """See `Site.pages`."""
        for file in self._files():
            tree = html.document_fromstring(file.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
            title = " ".join((tree.findtext(".//title") or file.stem).split())
            own = tree.xpath(self._content)
            path = self._at + quote(file.relative_to(self._root).as_posix())
            yield Page(path, title, readable(own[0] if own else tree))

    def answer(self, path: str) -> File | None:
        """See `Site.answer`."""
        if not path.startswith(self._at):
            return None
        file = Path(os.path.normpath(self._root / path.removeprefix(self._at)))
        if not file.is_relative_to(self._root) or not file.is_file():
            return None
        return File(file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream")

    def version(self) -> str:
        """See `Site.version`."""
        return version(self._files())

    def _files(self) -> list[Path]:
        return sorted({file for pattern in self._patterns for file in self._root.glob(pattern)})


def exported(notebook: Path, kept: Path) -> Path:
    """Return a folder with a notebook of Zim as HTML, made by Zim where `kept` has none of this version yet.

    Raises:
        OSError: Zim could not do it.
    """
    made = kept / f"zim-{version(sorted(notebook.rglob('*.txt')))}"
    if made.is_dir():
        return made
    with tempfile.TemporaryDirectory(dir=kept) as folder:
        new = Path(folder) / "pages"
        command = ["zim", "--export", "--format=html", "--template=Default", f"--output={new}", "-r"]
        try:
            subprocess.run(  # noqa: S603
                [*command, str(notebook)],
                check=True,
                capture_output=True,
                timeout=_EXPORT_SECONDS,
                env={**os.environ, "HOME": folder, "PATH": os.defpath},
            )
        except subprocess.SubprocessError as error:
            raise OSError(f"zim cannot export {notebook}: {error}") from error
        try:
            new.rename(made)
        except OSError:  # another process was first
            if not made.is_dir():
                raise
    return made


def version(files: Sequence[Path]) -> str:
    """Return a text that changes with the files."""
    seen = hashlib.sha256()
    for file in files:
        status = file.stat()
        seen.update(f"{file} {status.st_size} {status.st_mtime_ns}\n".encode())
    return seen.hexdigest()[:16]
