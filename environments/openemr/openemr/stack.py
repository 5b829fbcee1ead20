"""Starts the containers of `compose.yaml`, or joins those that another worker of this user started.

There is one such project for a user of a machine. Whoever uses it holds a shared lock; who starts or ends it holds
the lock alone, so the last one to leave ends it. Containers that nobody holds the lock of were left by a program
that was killed: the next one removes them before it starts its own.
"""

from __future__ import annotations

import fcntl  # not filelock, which has no shared locks
import json
import os
import secrets
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from openemr.mariadb import Server

COMPOSE = Path(__file__).resolve().parents[1] / "compose.yaml"
IMAGES = ("mariadb:10.11", "openemr/openemr:7.0.2")
PULL = " && ".join(f"docker pull {image}" for image in IMAGES)
_SITES = "/var/www/localhost/htdocs/openemr/sites"
_STARTING = 840  # seconds for the installation into an empty database
_CALL = 120  # seconds for any other command


class MissingPart(Exception):
    """Raised when something is not installed; the text says what to type."""


class StackError(OSError):
    """Raised when Docker or OpenEMR fails."""


def look() -> None:
    """Check that Docker, its command compose, and the images are here.

    Raises:
        MissingPart: One of them is not.
    """
    if _asked("docker", "version") is None:
        raise MissingPart(
            "the world openemr runs in containers, and no container engine answers; "
            "type: sudo systemctl start docker (without systemd: sudo dockerd &)"
        )
    for image in IMAGES:
        if _asked("docker", "image", "inspect", image) is None:
            raise MissingPart(f"the world openemr needs the image {image}, which is not here; type: {PULL}")
    if _asked("docker", "compose", "version") is None:
        raise MissingPart(
            "the world openemr needs the command docker compose; type: sudo apt install docker-compose-plugin"
        )


class Project:
    """The containers, while this process uses them."""

    def __init__(self) -> None:
        self._name = f"cuabench-openemr-{os.getuid()}"
        self._folder = _private_folder()
        self._lock: IO[str] | None = None
        self._root = self.password = ""
        self.address, self.username = "", "admin"
        self.server = Server({})

    def start(self) -> None:
        """Join the containers that run, or start them.

        Raises:
            StackError: They do not start.
        """
        with (self._folder / "starting.lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            self._lock = (self._folder / "using.lock").open("w")
            if self._alone():
                self._down()  # what was left, if anything
                self._up()
            fcntl.flock(self._lock, fcntl.LOCK_SH)
            self._find()

    def end(self) -> None:
        """Leave; the last one ends the containers."""
        if self._lock is None:
            return
        with (self._folder / "starting.lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            if self._alone():
                self._down()
            self._lock.close()
            self._lock = None

    def add_site(self, site: str, database: str) -> None:
        """Copy the default site, with its keys, and let the copy use another database."""
        self._in_openemr("cp", "-a", f"{_SITES}/default", f"{_SITES}/{site}")
        change = f"s/^[$]dbase[[:space:]]*=.*/$dbase = '{database}';/"
        self._in_openemr("sed", "-i", change, f"{_SITES}/{site}/sqlconf.php")

    def remove_site(self, site: str) -> None:
        """Remove a site's folder."""
        self._in_openemr("rm", "-rf", f"{_SITES}/{site}")

    def _alone(self) -> bool:
        assert self._lock is not None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _up(self) -> None:
        made = {"root": secrets.token_urlsafe(24), "password": f"Cua-{secrets.token_hex(4)}"}
        kept = self._folder / "passwords.json"
        kept.touch(mode=0o600)
        kept.write_text(json.dumps(made), encoding="utf-8")
        self._read_passwords()
        self._compose("up", "--detach", "--wait", "--wait-timeout", str(_STARTING), seconds=_STARTING + _CALL)

    def _down(self) -> None:
        self._compose("down", "--volumes", "--remove-orphans", "--timeout", "5")

    def _find(self) -> None:
        self._read_passwords()
        self.address = f"http://{self._port('openemr', 80)}"
        host, _, port = self._port("mariadb", 3306).rpartition(":")
        self.server = Server({"host": host, "port": int(port), "user": "root", "password": self._root})

    def _read_passwords(self) -> None:
        made = json.loads((self._folder / "passwords.json").read_text(encoding="utf-8"))
        self._root, self.password = made["root"], made["password"]

    def _port(self, service: str, port: int) -> str:
        return self._compose("port", service, str(port)).strip()

    def _in_openemr(self, *command: str) -> None:
        self._compose("exec", "--no-TTY", "openemr", *command)

    def _compose(self, *words: str, seconds: float = _CALL) -> str:
        command = ("docker", "compose", "--project-name", self._name, "--file", str(COMPOSE), *words)
        told = {
            # `down` reads the same file, where a password has to stand
            "CUABENCH_ROOT_PASSWORD": self._root or "none",
            "CUABENCH_PASSWORD": self.password or "none",
            "CUABENCH_OWNER": str(os.getpid()),
        }
        return _run(command, seconds, told)


def _run(command: tuple[str, ...], seconds: float, more: Mapping[str, str]) -> str:
    shown = " ".join(word for word in command[:2] + command[6:9])
    try:
        done = subprocess.run(  # noqa: S603 - words of our own
            command, capture_output=True, text=True, timeout=seconds, env={**os.environ, **more}, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise StackError(f"{shown}: {problem}") from None
    if done.returncode:
        last: list[Any] = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise StackError(f"{shown} ended with {done.returncode}: {last[0]}")
    return done.stdout


def _asked(*command: str) -> str | None:
    """Return what a command prints; None if it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - words of our own
            command, capture_output=True, text=True, timeout=_CALL, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _private_folder() -> Path:
    """Return this user's own folder for the locks and passwords.

    Raises:
        StackError: It is somebody else's.
    """
    folder = Path(tempfile.gettempdir()) / f"cuabench-openemr-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077 or folder.is_symlink():
        raise StackError(f"{folder} is not a folder of yours alone; remove it and try again")
    return folder
