"""An OpenEMR that runs already, named by a file: how it is read, its sites, and the first sign-in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import parse_qs

import pytest
from openemr_database import REPOSITORY, Running

from openemr.address import Address
from openemr.first import sign_in
from openemr.stack import StackError

SQLCONF = "<?php\n$host   = 'localhost';\n$login  = 'emr_user';\n$pass   = 'x';\n$dbase  = 'emr';\n"
TOLD = """
url = "http://127.0.0.1:9/emr/"
sites = "sites"
username = "admin"
password = "Quiet-Harbour"

[database]
unix_socket = "/run/mysqld/mysqld.sock"
user = "root"
password = "secret"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An address file beside a folder of sites."""
    default = tmp_path / "sites" / "default"
    (default / "documents").mkdir(parents=True)
    (default / "sqlconf.php").write_text(SQLCONF)
    (default / "documents" / "key").write_text("sealed")
    made = tmp_path / "address.toml"
    made.write_text(TOLD)
    return made


def test_the_database_is_the_one_of_openemrs_own_settings(file):
    """Its name, and whom OpenEMR connects as; the administrator comes from the file."""
    address = Address(file)
    assert (address.address, address.username) == ("http://127.0.0.1:9/emr", "admin")
    assert (address.server.base, address.server.user) == ("emr", "emr_user")
    assert address.server.where["user"] == "root"
    assert "secret" not in repr(address.server)


def test_a_site_is_a_copy_with_another_database(file):
    """The keys come along, and the default site stays as it is."""
    address, sites = Address(file), file.parent / "sites"
    address.add_site("cua-1", "cua_1")
    assert (sites / "cua-1" / "documents" / "key").read_text() == "sealed"
    assert (sites / "cua-1" / "sqlconf.php").read_text() == SQLCONF.replace(
        "$dbase  = 'emr'", "$dbase = 'cua_1'"
    )
    assert (sites / "default" / "sqlconf.php").read_text() == SQLCONF
    address.remove_site("cua-1")
    assert [one.name for one in sites.iterdir()] == ["default"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (TOLD, "url =", "Invalid value"),
        ('username = "admin"', "", "username is missing, or no text"),
        ('password = "Quiet-Harbour"', "password = 4", "password is missing, or no text"),
        ("[database]", "[databse]", "database is missing, or no table"),
        ('user = "root"', 'usr = "root"', "usr is not known here"),
        ("http://", "", "expected http://HOST:PORT"),
        ('sites = "sites"', 'sites = "elsewhere"', "sites is no folder of OpenEMR's sites"),
    ],
)
def test_a_wrong_file_is_told_in_one_sentence(file, old, new, said):
    """What is wrong in it, where, and where an example is."""
    file.write_text(TOLD.replace(old, new))
    with pytest.raises(StackError, match=said) as raised:
        Address(file)
    assert str(file) in str(raised.value)


def test_the_program_tells_a_wrong_file_and_ends(tmp_path):
    """As any trouble, on its last line, and without looking for containers."""
    path = [str(REPOSITORY / "environments" / name) for name in ("openemr", "kit")]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "openemr",
            "--control",
            str(tmp_path / "c"),
            "--mode",
            str(tmp_path / "none.toml"),
        ],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(path)},
        check=False,
    )
    assert done.returncode == 1
    assert "none.toml" in done.stderr.splitlines()[-1]


class Login(BaseHTTPRequestHandler):
    """Stands for OpenEMR's login page: it takes one password."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self._answer(
            '<input id="authUser">' if "/interface/login/login.php" in self.path else "Welcome to nginx"
        )

    def do_POST(self) -> None:
        self.asked.append(self.path)
        form = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        right = form["clearPass"] == ["right"] and form["new_login_session_management"] == ["1"]
        self._answer("welcome" if right else "location.href = 'login.php?error=1&site=default'")

    def _answer(self, text: str) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def openemr() -> Iterator[str]:
    """The address of the stand-in."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Login) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_the_first_sign_in_is_at_the_default_site(openemr):
    """So that what OpenEMR writes then stands in the base before it is copied."""
    sign_in(Running(None, openemr, password="right"))  # type: ignore[arg-type]
    assert Login.asked[-1] == "/interface/main/main_screen.php?auth=login&site=default"


@pytest.mark.parametrize(
    ("where", "password", "said"),
    [
        ("", "wrong", "does not let admin sign in"),
        ("/elsewhere", "right", None),
        (None, "right", "does not answer: ConnectError"),
    ],
)
def test_an_openemr_that_lets_nobody_in_is_told(openemr, where, password, said):
    """A wrong password, or nobody there; OpenEMR may lie in a folder."""
    stack: Any = Running(None, "http://127.0.0.1:9" if where is None else openemr + where, password=password)  # type: ignore[arg-type]
    if said is None:
        sign_in(stack)
        return
    with pytest.raises(StackError, match=said):
        sign_in(stack)
