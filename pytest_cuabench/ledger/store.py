"""A run's folder in object storage (`--cua-reports=URL`), by fsspec.

URL/<run>/run.json, trajectories/...     the same files as on disk
URL/<run>/ledger/<offset>.jsonl          parts of the ledger, each named by the byte that it begins with

Objects cannot be appended to, so the ledger grows by parts. Joined they are the ledger on disk, byte for byte, and
its signatures stay valid. Pictures may stay in the storage: `pictures.json` in a trajectory says where they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from pytest_cuabench.errors import Missing, SettingError, StoreFailure
from pytest_cuabench.ledger.jsonl import record_of, recording, write_json
from pytest_cuabench.ledger.lines import ABOUT, LEDGER
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.redact import masked
from pytest_cuabench.task.text import short

PICTURES = "pictures.json"
_PARTS, _TRAJECTORIES = "ledger", "trajectories"
_KINDS = (".png", ".webp")
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
# Addresses come from a file of a run and get into a report's HTML: no character may end an attribute.
_ADDRESS = re.compile(r"(https?://[\w.-]+(:[0-9]+)?|file://)/[^\s\"'<>;\\]*", re.ASCII)
_EXTRAS = {
    "s3": "s3",
    "s3a": "s3",
    "gs": "gcs",
    "gcs": "gcs",
    "az": "azure",
    "abfs": "azure",
    "abfss": "azure",
}
_SECRET_VARIABLE = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|CONNECTION_STRING|CREDENTIAL", re.IGNORECASE)


def is_url(place: str) -> bool:
    """Whether a place is a URL, and no folder of this computer."""
    return _URL.match(place) is not None


def checked_url(url: str) -> str:
    """Return a URL without a slash at its end.

    Raises:
        SettingError: It holds credentials, which would get into the record.
    """
    parts = urlsplit(url)
    if ":" in parts.netloc.rpartition("@")[0] or parts.query or parts.fragment:
        words = "must not hold a password, a query or a fragment"
        raise SettingError(
            f"the URL {words}; credentials are taken from the storage's own environment variables"
        )
    return url.rstrip("/")


@dataclass(frozen=True, slots=True)
class Store:
    """A folder in object storage; its files are named relative to it."""

    url: str
    fs: Any
    root: str

    @classmethod
    def open(cls, url: str) -> Store:
        """Return the folder at a URL, which need not exist.

        Raises:
            SettingError: The URL is invalid, or a package is missing.
            StoreFailure: The storage cannot be used.
        """
        url = checked_url(url)
        scheme = url.partition("://")[0].lower()
        extra = _EXTRAS.get(scheme, "s3")
        try:
            from fsspec.core import url_to_fs
            from fsspec.registry import get_filesystem_class

            # Before any connection, so that an unknown scheme and a missing package have sentences of their own.
            get_filesystem_class(scheme)
        except ImportError:
            how = f"type: pip install 'pytest-cuabench[{extra}]'"
            raise Missing(f"{url}: the package for {scheme}:// is missing; {how}") from None
        except ValueError:
            known = "s3://, gs://, az:// or file://"
            raise SettingError(f"{url}: {scheme}:// is not a known storage; use {known}") from None
        with _reaching(url):
            # Other sessions write there, too: a listing must be a fresh one.
            options = {"auto_mkdir": True} if scheme in ("file", "local") else {"use_listings_cache": False}
            fs, root = url_to_fs(url, **options)
            return cls(url, fs, str(root).rstrip("/"))

    def at(self, name: str) -> Store:
        """Return a folder within this one."""
        return Store(f"{self.url}/{name}", self.fs, f"{self.root}/{name}")

    @property
    def address(self) -> str | None:
        """Where a browser finds the folder, if it may read it; None for a storage that is not on the web."""
        bucket, _, key = self.root.partition("/")
        match self.url.partition("://")[0].lower():
            case "file" | "local":
                return Path(self.root).as_uri()
            case "s3" | "s3a":
                own = getattr(self.fs, "endpoint_url", None)
                if own := own or os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL"):
                    return f"{own.rstrip('/')}/{bucket}/{quote(key)}"
                return f"https://{bucket}.s3.amazonaws.com/{quote(key)}"
            case "gs" | "gcs":
                return f"https://storage.googleapis.com/{bucket}/{quote(key)}"
            case "az" | "abfs" | "abfss" if account := getattr(self.fs, "account_name", None):
                return f"https://{account}.blob.core.windows.net/{bucket}/{quote(key)}"
        return None

    def files(self) -> dict[str, int]:
        """Return the files beneath with their sizes; nothing where there is no such folder.

        Raises:
            StoreFailure: The storage cannot be read.
        """
        with _reaching(self.url):
            self.fs.invalidate_cache()
            found = self.fs.find(self.root, detail=True) if self.fs.exists(self.root) else {}
        start = f"{self.root}/"
        sizes = (
            (name.lstrip("/") if not start.startswith("/") else name, about) for name, about in found.items()
        )
        return {
            name.removeprefix(start): int(about["size"] or 0)
            for name, about in sizes
            if name.startswith(start)
        }

    def put(self, folder: Path, names: Iterable[str]) -> None:
        """Copy files of a local folder.

        Raises:
            StoreFailure: The storage cannot be written to.
        """
        ordered = list(names)
        if ordered:
            with _reaching(self.url):
                self.fs.put(
                    [str(folder / name) for name in ordered], [f"{self.root}/{name}" for name in ordered]
                )

    def put_part(self, offset: int, lines: bytes) -> None:
        """Add a part of the ledger, of whole lines.

        Raises:
            StoreFailure: The storage cannot be written to.
        """
        with _reaching(self.url):
            # The zeros in front let the names sort as the offsets do.
            self.fs.pipe_file(f"{self.root}/{_PARTS}/{offset:012d}.jsonl", lines)

    def remove(self, name: str) -> None:
        """Remove a file, if there is one.

        Raises:
            StoreFailure: The storage cannot be written to.
        """
        if self.holds(name):
            with _reaching(self.url):
                self.fs.rm_file(f"{self.root}/{name}")

    def read(self, name: str) -> bytes:
        """Return the content of a file.

        Raises:
            StoreFailure: It cannot be read.
        """
        with _reaching(f"{self.url}/{name}"):
            return bytes(self.fs.cat_file(f"{self.root}/{name}"))

    def ledger(self, files: Iterable[str]) -> bytes:
        """Return the ledger, joined from its parts among the files.

        Raises:
            SettingError: A part is missing.
            StoreFailure: The storage cannot be read.
        """
        whole = b""
        for name in sorted(name for name in files if re.fullmatch(rf"{_PARTS}/[0-9]{{12}}\.jsonl", name)):
            offset = int(PurePosixPath(name).stem)
            if offset > len(whole):
                raise SettingError(
                    f"{self.url}: the ledger's part from byte {len(whole)} to {offset} is missing"
                )
            whole = whole[:offset] + self.read(name)
        return whole

    def runs(self) -> list[Store]:
        """Return this run, or the runs in this folder.

        Raises:
            SettingError: There is none.
            StoreFailure: The storage cannot be read.
        """
        if self.holds(ABOUT):
            return [self]
        found = [self.at(name) for name in self.folders() if self.at(name).holds(ABOUT)]
        if not found:
            raise SettingError(f"{self.url} is not a run, and holds none: there is no {ABOUT}")
        return found

    def holds(self, name: str) -> bool:
        """Whether there is such a file.

        Raises:
            StoreFailure: The storage cannot be read.
        """
        with _reaching(self.url):
            return bool(self.fs.exists(f"{self.root}/{name}"))

    def folders(self) -> list[str]:
        """Return the names of what is in this folder.

        Raises:
            StoreFailure: The storage cannot be read.
        """
        with _reaching(self.url):
            self.fs.invalidate_cache()
            listed = self.fs.ls(self.root, detail=False) if self.fs.exists(self.root) else []
        return sorted(str(name).rstrip("/").rpartition("/")[2] for name in listed)

    def fetch(self, folder: Path, *, pictures: bool = False) -> None:
        """Copy the run into a local folder; without `pictures` these are left, and linked by reports.

        Raises:
            SettingError: A part of the ledger is missing.
            StoreFailure: The storage cannot be read.
            RecordFailure: The folder cannot be written to.
        """
        files = self.files()
        ledger = self.ledger(files)
        wanted = [name for name in files if _is_ours(name) and (pictures or not _is_picture(name))]
        with recording(folder):
            folder.mkdir(parents=True, exist_ok=True)
            for parent in {(folder / name).parent for name in wanted}:
                parent.mkdir(parents=True, exist_ok=True)
        with _reaching(self.url):
            if wanted:
                self.fs.get(
                    [f"{self.root}/{name}" for name in wanted], [str(folder / name) for name in wanted]
                )
        if not pictures:
            self._tell_pictures(folder, ledger, files)
        if ledger:
            with recording(folder):
                (folder / LEDGER).write_bytes(ledger)

    def fetch_ledger(self, folder: Path) -> None:
        """Copy the ledger alone into a local folder.

        Raises:
            SettingError: There is none, or a part of it is missing.
            StoreFailure: The storage cannot be read.
        """
        if not self.try_to_fetch_ledger(folder):
            raise SettingError(f"{self.url} is not a run: it holds no {_PARTS}/")

    def try_to_fetch_ledger(self, folder: Path) -> bool:
        """Copy the ledger alone into a local folder, and return whether there is one."""
        parts = self.at(_PARTS).files()
        if parts:
            with recording(folder):
                (folder / LEDGER).write_bytes(self.ledger(f"{_PARTS}/{name}" for name in parts))
        return bool(parts)

    def fetch_newer(self, folder: Path) -> None:
        """Bring a local run up to date, where another computer went on with it.

        Raises:
            SettingError: The two ledgers contradict each other.
            StoreFailure: The storage cannot be read.
            RecordFailure: The folder cannot be written to.
        """
        file = folder / LEDGER
        here = file.read_bytes() if file.is_file() else b""
        whole = here[: here.rfind(b"\n") + 1]  # a crash may have cut the last line short
        there = self.ledger(self.files())
        if there.startswith(whole) and len(there) > len(whole):
            self.fetch(folder)
        elif not here.startswith(there):
            raise SettingError(
                f"{file} and the ledger in {self.url} hold different records; move the local run away"
            )

    def _tell_pictures(self, folder: Path, ledger: bytes, files: Iterable[str]) -> None:
        """Write which pictures of each attempt are in the storage."""
        records = (record_of(line) or {} for line in ledger.splitlines())
        trajectories = {str(place) for record in records if (place := record.get("trajectory"))}
        kept: dict[str, list[str]] = {}
        for name in filter(_is_picture, files):
            above = {str(parent) for parent in PurePosixPath(name).parents}
            for trajectory in above & trajectories:
                kept.setdefault(trajectory, []).append(name.removeprefix(f"{trajectory}/"))
        for trajectory, names in kept.items():
            there = self.at(trajectory)
            told = {"url": there.url, "address": there.address, "files": sorted(names)}
            with recording(folder / trajectory):
                (folder / trajectory).mkdir(parents=True, exist_ok=True)
            write_json(folder / trajectory / PICTURES, told, compact=True)


class Elsewhere(NamedTuple):
    """The pictures of a trajectory that are in object storage: where a browser finds them, and their names."""

    address: str
    files: frozenset[str]


def pictures_elsewhere(trajectory: Path) -> Elsewhere | None:
    """Return the pictures of a trajectory that were left in object storage; None if there are none to link."""
    file = trajectory / PICTURES
    try:
        found = parse_json(file.read_bytes()) if file.is_file() else None
    except ValueError:
        return None
    address = found.get("address") if isinstance(found, Mapping) else None
    names = found.get("files") if isinstance(found, Mapping) else None
    if not isinstance(address, str) or not isinstance(names, list):
        return None
    if not _ADDRESS.fullmatch(address):
        return None
    return Elsewhere(address, frozenset(name for name in names if isinstance(name, str)))


def _is_picture(name: str) -> bool:
    return _is_ours(name) and PurePosixPath(name).suffix in _KINDS


def _is_ours(name: str) -> bool:
    """Whether a name in the storage is a file of a run that is needed here, and stays within the run's folder."""
    parts = name.split("/")
    if any(part in ("", ".", "..") or "\\" in part for part in parts):
        return False
    return name in (ABOUT, "purse") or parts[0] == _TRAJECTORIES


@contextmanager
def _reaching(url: str) -> Iterator[None]:
    """Turn any error of the storage's library into a sentence without secrets.

    Raises:
        StoreFailure: There was one.
    """
    try:
        yield
    except ImportError as error:
        raise Missing(f"{url}: {error}") from None
    except Exception as error:  # each storage has errors of its own, and not all are OSErrors
        # A value of three characters or fewer stands in too many other words.
        secrets = [
            value for name, value in os.environ.items() if _SECRET_VARIABLE.search(name) and len(value) > 3
        ]
        words = short(masked(f"{type(error).__name__}: {error}", secrets), 300)
        raise StoreFailure(f"cannot reach {url}: {words}") from None
