"""What a user's own application may need of the browser: a certificate, credentials, permissions."""

from __future__ import annotations

import datetime
import hashlib
import http.server
import ssl
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import parse_http_list, parse_keqv_list

import pytest

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.own_app.app_access import AppSpec
from pytest_cuabench.drivers.chromium.own_app.web_app import AppWorld
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.action import Click, Navigate, Size
from pytest_cuabench.task.toml import fit_strict
from pytest_cuabench.task.web_app import WebApp
from pytest_cuabench.testing.served_world import instance

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGE = """<!doctype html><title>own</title><h1>Own</h1><button id=ask onclick="
  navigator.geolocation.getCurrentPosition(
  (found) => out.textContent = found.coords.latitude, () => out.textContent = 'refused')">Where?</button>
<p id=out></p>"""
SECRET = "Basic " + b64encode(b"ann:pass-4711").decode()


DIGEST = 'Digest realm="own", nonce="7c4b", qop="auth", algorithm={}'


def _digested(answer: str, path: str, hashing: Callable[[bytes], Any]) -> bool:
    """Whether an answer to a challenge by Digest proves the password."""

    def hashed(*parts: str) -> str:
        found: str = hashing(":".join(parts).encode()).hexdigest()
        return found

    told = parse_keqv_list(parse_http_list(answer.partition(" ")[2]))
    user, asked = hashed("ann", "own", "pass-4711"), hashed("GET", path)
    given = [told.get(key, "") for key in ("nonce", "nc", "cnonce", "qop")]
    return bool(told) and told["response"] == hashed(user, *given, asked)


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        answer, guarded, challenge = self.headers.get("Authorization", ""), False, 'Basic realm="own"'
        if self.path.startswith("/guarded"):
            guarded = answer != SECRET
        elif self.path.startswith("/digest"):
            name = "SHA-256" if "sha" in self.path else "MD5"
            challenge = DIGEST.format(name)
            guarded = not _digested(answer, self.path, hashlib.sha256 if "sha" in self.path else hashlib.md5)
        self.send_response(401 if guarded else 200)
        if guarded:
            self.send_header("WWW-Authenticate", challenge)
        state = self.path == "/state"
        self.send_header("Content-Type", "application/json" if state else "text/html")
        self.end_headers()
        self.wfile.write(b"{}" if state else PAGE.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _certificate(folder: Path) -> Path:
    """Write a self-signed certificate of localhost with its key into one file."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now).not_valid_after(now + datetime.timedelta(days=2))
    pem = made.add_extension(names, critical=False).sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "own.pem"
    file.write_bytes(pem.public_bytes(serialization.Encoding.PEM) + private)
    return file


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """An application with a certificate that nobody trusts; yields its folder and its address."""
    folder = tmp_path_factory.mktemp("own")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_certificate(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"https://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def world_of(served: tuple[Path, str], scratch: Path, path: str = "/", **options: Any) -> AppWorld:
    """Return the application as a world whose table has these options."""
    folder, origin = served
    state = {"command": ["echo", "{}"]}
    app = fit_strict({"url": origin + path, "state": state, **options}, WebApp, "environment.toml")
    return AppWorld(AppSpec("own", app, folder), scratch)


async def refused(world: AppWorld) -> str:
    """Return why a world cannot be used."""
    try:
        with pytest.raises(SettingError) as raised:
            await world.open("own", 0)
        return str(raised.value)
    finally:
        await world.close()


async def test_what_is_missing_is_said_at_once(
    served: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate that is not trusted, and missing credentials, are told in a sentence that names the option."""
    said = await refused(world_of(served, tmp_path))
    assert "is not trusted (self-signed certificate)" in said
    assert 'certificate = "FILE.pem"' in said
    assert "insecure = true" in said
    said = await refused(world_of(served, tmp_path, "/guarded", insecure=True))
    assert "asks for a user name and a password (HTTP Basic)" in said
    assert "credentials = {" in said
    told = {"username": "ann", "password": "${OWN_PASSWORD}"}
    monkeypatch.delenv("OWN_PASSWORD", raising=False)
    said = await refused(world_of(served, tmp_path, "/guarded", insecure=True, credentials=told))
    assert "export OWN_PASSWORD=" in said
    said = await refused(world_of(served, tmp_path, certificate="nowhere.pem"))
    assert "nowhere.pem: No such file" in said
    (served[0] / "empty.pem").write_text("nothing")
    assert "no certificate in PEM form" in await refused(world_of(served, tmp_path, certificate="empty.pem"))


async def test_what_is_granted(
    browser: Chromium, served: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a certificate, credentials and permissions its pages are played; what is refused is told to the agent."""
    monkeypatch.setenv("OWN_PASSWORD", "pass-4711")
    told = {"username": "ann", "password": "${OWN_PASSWORD}"}
    place = {"permissions": ["geolocation"], "geolocation": [48.25, 11.5]}
    for options, path, answer in (
        ({"certificate": "own.pem", "credentials": told, **place}, "/guarded", "48.25"),
        ({"insecure": True}, "/", "refused"),
    ):
        world = world_of(served, tmp_path, path, **options)
        environment = ChromiumEnvironment(browser, world, Size(1000, 700), downloads=tmp_path)
        try:
            await environment.reset(instance("own"))
            button = await environment.locate("#ask")
            assert button is not None
            await environment.perform(Click(*button.middle))
            assert await environment.read("#out") == answer
            notices = " ".join((await environment.observe("dom")).notices)
            assert ("asked for the permission geolocation" in notices) == (answer == "refused")
            await environment.perform(Navigate("/guarded/page"))
            notices = " ".join((await environment.observe("dom")).notices)
            assert ("by HTTP authentication" in notices) == (answer == "refused")
        finally:
            await environment.close()
            await world.close()


async def test_authentication_by_digest(
    browser: Chromium, served: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Credentials are proved by Digest where the application asks so; a wrong password is told to the agent."""
    told = {"username": "ann", "password": "${OWN_PASSWORD}"}
    for password, path in (("pass-4711", "/digest"), ("pass-4711", "/digest-sha"), ("wrong", "/digest")):
        monkeypatch.setenv("OWN_PASSWORD", password)
        world = world_of(served, tmp_path, "/", insecure=True, credentials=told)
        environment = ChromiumEnvironment(browser, world, Size(1000, 700), downloads=tmp_path)
        try:
            await environment.reset(instance("own"))
            await environment.perform(Navigate(path))
            seen = await environment.observe("dom")
            assert ("by HTTP authentication" in " ".join(seen.notices)) == (password == "wrong")
            session = environment._session
            assert session is not None
            requests = [one for one in session.log.activity().requests if one.url.endswith(path)]
            assert [one.status for one in requests][-1] == (401 if password == "wrong" else 200)
        finally:
            await environment.close()
            await world.close()
