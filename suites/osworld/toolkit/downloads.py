"""What records download, taken from a local folder: nothing is fetched."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from .records import Unsupported

FOLDER = "CUABENCH_OSWORLD_FILES"
LARGEST = 8 * 1024 * 1024  # bytes, as for files that a desktop tells


@dataclass(frozen=True, slots=True)
class Downloads:
    """A folder in which files lie as in the URLs' paths, or as in their last two parts or more."""

    folder: Path | None

    @classmethod
    def beside(cls, records: Path) -> Downloads:
        """Return the folder that the user named, or the one beside the records."""
        named = os.environ.get(FOLDER)
        folder = (
            Path(named).expanduser()
            if named
            else (records if records.is_dir() else records.parents[2]) / "files"
        )
        return cls(folder if folder.is_dir() else None)

    def find(self, url: str) -> Path:
        """Return the file of a download.

        Raises:
            Unsupported: It is not in the folder, or too large.
        """
        parts = [part for part in unquote(urlsplit(url).path).split("/") if part]
        if self.folder is None:
            raise Unsupported("downloads", url, f"put it into the folder that {FOLDER} names")
        if ".." in parts or any("\0" in part for part in parts):
            raise Unsupported("downloads", url, "its path leads out of the folder")
        for start in range(max(0, len(parts) - 1)):
            file = self.folder.joinpath(*parts[start:])
            if file.is_file() and file.resolve().is_relative_to(self.folder.resolve()):
                if file.stat().st_size > LARGEST:
                    raise Unsupported("downloads", url, f"it is larger than {LARGEST} bytes")
                return file
        raise Unsupported("downloads", url, f"{self.folder} has no {'/'.join(parts[-3:])}")

    def read(self, url: str) -> bytes:
        """Return the content of a download.

        Raises:
            Unsupported: It is not in the folder, or too large.
        """
        return self.find(url).read_bytes()
