"""A running OpenEMR that a file names: where it answers, its folder of sites, its database, and who signs in."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from openemr.mariadb import Server
from openemr.stack import StackError

_SETTING = re.compile(r"^\$(\w+)\s*=\s*'([^'\n]*)'\s*;", re.MULTILINE)
_NEEDED = {"url": str, "sites": str, "username": str, "password": str, "database": dict}
_DATABASE = {"host", "port", "unix_socket", "user", "password"}
_EXAMPLE = "an example is in environments/openemr/README.md"


class Address:
    """The OpenEMR of an address file; it runs before and after.

    Args:
        file: TOML with `url`, `sites`, `username`, `password`, and a table `database` with what an administrator of
            the database connects with: `host` and `port`, or `unix_socket`; `user` and `password`.

    Raises:
        StackError: The file is not there, lacks something, or names what is not there.
    """

    def __init__(self, file: Path) -> None:
        told = _read(file)
        self.address = told["url"].rstrip("/")
        self.username, self.password = told["username"], told["password"]
        self._sites = Path(file.parent, told["sites"])
        found = _settings(file, self._sites / "default" / "sqlconf.php")
        self.server = Server(told["database"], user=found["login"], base=found["dbase"])

    def start(self) -> None:
        """Nothing to start."""

    def end(self) -> None:
        """Nothing to end."""

    def add_site(self, site: str, database: str) -> None:
        """Copy the default site, with its keys and owners, and let the copy use another database."""
        place = self._sites / site
        done = subprocess.run(  # noqa: S603 - words of our own
            ["cp", "-a", str(self._sites / "default"), str(place)],  # noqa: S607 - as in the container
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise StackError(f"copying the default site failed: {done.stderr.strip()}")
        settings = place / "sqlconf.php"
        text = settings.read_text(encoding="utf-8")
        settings.write_text(re.sub(r"(?m)^\$dbase\s*=.*$", f"$dbase = '{database}';", text), encoding="utf-8")

    def remove_site(self, site: str) -> None:
        """Remove a site's folder."""
        shutil.rmtree(self._sites / site, ignore_errors=True)


def _read(file: Path) -> dict[str, Any]:
    try:
        told = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise StackError(f"{file}: {problem}; {_EXAMPLE}") from None
    for name, kind in _NEEDED.items():
        if not isinstance(told.get(name), kind):
            raise StackError(f"{file}: {name} is missing, or no {_kind(kind)}; {_EXAMPLE}")
    if unknown := [*(told.keys() - _NEEDED.keys()), *(told["database"].keys() - _DATABASE)]:
        raise StackError(f"{file}: {unknown[0]} is not known here; {_EXAMPLE}")
    if urlsplit(told["url"]).scheme not in ("http", "https"):
        raise StackError(f"{file}: url is {told['url']!r}, expected http://HOST:PORT")
    return told


def _kind(kind: type) -> str:
    return "table" if kind is dict else "text"


def _settings(file: Path, settings: Path) -> Mapping[str, str]:
    """Return what OpenEMR's own file says of its database."""
    try:
        found = dict(_SETTING.findall(settings.read_text(encoding="utf-8")))
    except OSError as problem:
        raise StackError(f"{file}: sites is no folder of OpenEMR's sites: {problem}") from None
    if lacking := {"login", "dbase"} - found.keys():
        raise StackError(f"{settings} does not say ${min(lacking)}; finish OpenEMR's set-up first")
    return found
