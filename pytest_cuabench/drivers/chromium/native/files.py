"""Downloads and uploads of the browser."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright import async_api as playwright

MOST_BYTES = 50_000_000
_PATIENCE = 60.0  # seconds a download may take


def safe_name(suggested: str) -> str:
    """Return a file name without a path from a server's suggestion."""
    name = re.split(r"[/\\]", suggested)[-1]
    name = re.sub(r'[\x00-\x1f\x7f<>:"|?*]', "_", name).strip(". ")
    return name[:120] or "download"


def free_name(folder: Path, name: str) -> str:
    """Return the name, numbered as browsers do when the folder has such a file already."""
    path, number = Path(name), 1
    while (folder / name).exists():
        name = f"{path.stem} ({number}){path.suffix}"
        number += 1
    return name


class Files:
    """The files of one episode: downloads, and files for upload.

    Args:
        downloads: Holds a folder for each episode.
    """

    def __init__(self, downloads: Path, uploads: Path | None) -> None:
        downloads.mkdir(parents=True, exist_ok=True)
        self._downloads, self._uploads = Path(tempfile.mkdtemp(dir=downloads)), uploads
        self._mine: list[Path] = []

    async def save(self, download: playwright.Download) -> tuple[str | None, str]:
        """Save a download; return its name, None when it was refused, and a sentence for the agent."""
        from playwright.async_api import Error

        name = safe_name(download.suggested_filename)
        try:
            async with asyncio.timeout(_PATIENCE):
                # `path` waits for the end of the download.
                got = Path(await download.path())
                if got.stat().st_size > MOST_BYTES:
                    return (
                        None,
                        f"File {name} was not downloaded: it is larger than {MOST_BYTES // 10**6} MB.",
                    )
                name = free_name(self._downloads, name)
                await download.save_as(self._downloads / name)
        except TimeoutError:
            with suppress(Error):
                await download.cancel()
            return None, f"File {name} was not downloaded: it took longer than {_PATIENCE:g} s."
        except Error:
            return None, f"File {name} could not be downloaded."
        self._mine.append(self._downloads / name)
        return name, f"File {name} was downloaded."

    async def add(self, title: str, content: bytes) -> str:
        """Save a printed page, and return the name of its file."""
        name = free_name(self._downloads, f"{safe_name(title.removesuffix('.pdf'))}.pdf")
        await asyncio.to_thread((self._downloads / name).write_bytes, content)
        self._mine.append(self._downloads / name)
        return name

    def remove(self) -> None:
        """Remove the downloads at the episode's end."""
        shutil.rmtree(self._downloads, ignore_errors=True)

    def available(self) -> dict[str, Path]:
        """Return the files that may be uploaded, by name."""
        given = sorted(self._uploads.iterdir()) if self._uploads and self._uploads.is_dir() else []
        return {path.name: path for path in (*self._mine, *given) if path.is_file()}
