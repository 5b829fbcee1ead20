"""Put GNU Health, Tryton's web client and a filled database into the cache; `scripts/install-clinical` calls it."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from hospital import journal
from hospital.parts import INSIDE, WARD, Parts, cache

_MODULES = ("health", "health_lab")
_RENAMED = {"sortablejs": "Sortable"}


def _run(*command: str | Path, **more: str) -> None:
    subprocess.run([*map(str, command)], check=True, env={**os.environ, **more})  # noqa: S603 - our own


def _programs(parts: Parts) -> None:
    """Install GNU Health into an environment of its own."""
    if not parts.python.exists():
        venv.create(parts.folder / "venv", with_pip=True)
    _run(
        parts.python,
        "-m",
        "pip",
        "install",
        "-q",
        "--disable-pip-version-check",
        "-r",
        INSIDE / "packages.txt",
    )


def _client(parts: Parts) -> None:
    """Lay out the web client with its libraries."""
    with tempfile.TemporaryDirectory() as folder:
        names = (INSIDE / "web.txt").read_text().split()
        _run(
            "npm",
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--loglevel",
            "error",
            "--prefix",
            folder,
            *names,
        )
        modules, web = Path(folder) / "node_modules", Path(folder) / "web"
        shutil.copytree(modules / "tryton-sao", web, ignore=shutil.ignore_patterns("src", "tests"))
        for name in (each.rpartition("@")[0] for each in names[1:]):
            shutil.copytree(modules / name, web / "bower_components" / _RENAMED.get(name, name))
        gettext = web / "bower_components" / "gettext.js" / "dist"
        shutil.copy(
            gettext / "gettext.iife.min.js", gettext / "gettext.min.js"
        )  # as the client's page calls it
        shutil.rmtree(parts.web, ignore_errors=True)
        shutil.move(web, parts.web)


def _database(parts: Parts) -> None:
    """Initialise and fill a database, which takes half a minute."""
    password = f"Quiet-{secrets.token_hex(3)}-Harbour"
    with tempfile.TemporaryDirectory() as folder:
        file, configuration, admin = (Path(folder) / name for name in ("made.sqlite", "conf", "admin"))
        file.touch()
        admin.write_text(secrets.token_hex(16))
        configuration.write_text(f"[database]\nuri = sqlite://\npath = {folder}\n")
        tool = parts.python.with_name("trytond-admin")
        options = ("--all", "--activate-dependencies", "--email", "admin@example.org")
        _run(tool, "-c", configuration, "-d", "made", *options, "-u", *_MODULES, TRYTONPASSFILE=str(admin))
        _run(parts.python, "-W", "ignore", INSIDE / "seed.py", configuration, "made", WARD, password)
        with sqlite3.connect(file) as database:
            journal.watch(database)
        database.close()
        for old in parts.folder.glob("hospital-*.sqlite"):
            old.unlink()
        parts.password.write_text(password)
        shutil.move(file, parts.template)


def main() -> None:
    """Install what is not there yet."""
    parts = cache()
    parts.folder.mkdir(parents=True, exist_ok=True)
    if not parts.template.exists():
        _programs(parts)
    if not (parts.web / "index.html").exists():
        _client(parts)
    if not parts.template.exists():
        _database(parts)
    sys.stdout.write(f"hospital: {parts.folder}\n")


if __name__ == "__main__":
    main()
