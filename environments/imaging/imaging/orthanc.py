"""Orthanc in place of the embedded archive: one for each session of radiology, with the files of the same studies.

Orthanc is filled once with the files of a seed. What it then holds is the start of every session of this seed, which
gets an Orthanc of its own over a copy: nothing that an episode stored is left for another. It asks for a password that
only this process knows, and is reached through the public listener alone. Slides stay in the embedded archive, which
draws them when they are asked for.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx2
from starlette.requests import Request
from starlette.responses import Response

from imaging.radiology import Study

PLUGIN = Path("/usr/share/orthanc/plugins/libOrthancDicomWeb.so")
_USER = "reading-room"
_INDEX = "index"  # Orthanc's database, and what it keeps beside it; all other files never change
_START = 30.0  # seconds
_SEEDS = 4  # that are kept filled
_ESCAPED = re.compile(r"[^!-~]|[%&#]")
_ASKED = ("accept", "content-type", "host")
# Ends the program by a signal once this process wants it, and also if this process is gone.
_UNTIL_EOF = '"$@" & read -r _; kill -s "$0" $!; wait'


class MissingOrthanc(Exception):
    """Raised where Orthanc is not installed; the text says what to type."""


def find_orthanc() -> Path:
    """Return Orthanc's program.

    Raises:
        MissingOrthanc: It is not installed, or not with DICOMweb.
    """
    program = shutil.which("Orthanc", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin")))
    if program is None or not PLUGIN.exists():
        raise MissingOrthanc(
            "Orthanc is not installed with DICOMweb; type: apt-get install orthanc orthanc-dicomweb"
        )
    return Path(program)


@dataclass(frozen=True)
class Running:
    """An Orthanc that answers."""

    process: subprocess.Popen[bytes]
    address: str
    password: str
    folder: Path

    @property
    def login(self) -> tuple[str, str]:
        """The name and the password that it asks for."""
        return _USER, self.password

    def stop(self) -> None:
        """End it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def run(program: Path, folder: Path, signal: str) -> Running:
    """Start Orthanc over a folder, and wait until it answers.

    Args:
        signal: What ends it: KILL, or TERM, after which it takes two seconds to leave its database whole.

    Raises:
        OSError: It does not start.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    password = secrets.token_urlsafe(24)
    settings = {
        "Name": "Archive",
        "HttpPort": port,
        "RemoteAccessAllowed": False,
        "AuthenticationEnabled": True,
        "RegisteredUsers": {_USER: password},
        "DicomServerEnabled": False,
        "StorageDirectory": str(folder),
        "SyncStorageArea": False,
        "SaveJobs": False,
        "Plugins": [str(PLUGIN)],
        "DicomWeb": {"Enable": True},
    }
    told = folder.parent / f"{folder.name}.json"
    told.touch(0o600)
    told.write_text(json.dumps(settings), encoding="utf-8")
    process = subprocess.Popen(  # noqa: S603 - our own command
        ["/bin/sh", "-c", _UNTIL_EOF, signal, str(program), str(told)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    running = Running(process, f"http://127.0.0.1:{port}", password, folder)
    end = time.monotonic() + _START
    while time.monotonic() < end:
        with suppress(httpx2.TransportError):
            httpx2.get(f"{running.address}/system", auth=running.login, trust_env=False).raise_for_status()
            return running
        time.sleep(0.02)
    running.stop()
    raise OSError(f"Orthanc ({program}) did not answer within {_START:g} s")


class Orthancs:
    """Starts an Orthanc for each session, on a thread, one after the other.

    Args:
        folder: Where they keep their files.
    """

    def __init__(self, program: Path, folder: Path) -> None:
        self._program, self._folder = program, folder
        self._filled: OrderedDict[int, Path] = OrderedDict()
        self._starting = ThreadPoolExecutor(1)

    def open(self, seed: int, studies: Sequence[Study]) -> Orthanc:
        """Return an Orthanc that is being started with the files of studies, which a seed tells apart."""
        return Orthanc(self._starting.submit(self._start, seed, studies))

    def _start(self, seed: int, studies: Sequence[Study]) -> Running:
        if seed not in self._filled:
            self._filled[seed] = self._fill(studies)
        self._filled.move_to_end(seed)
        while len(self._filled) > _SEEDS:
            shutil.rmtree(self._filled.popitem(last=False)[1].parent)
        folder = Path(tempfile.mkdtemp(dir=self._folder)) / "archive"
        shutil.copytree(self._filled[seed], folder, copy_function=_copy)
        return run(self._program, folder, "KILL")

    def _fill(self, studies: Sequence[Study]) -> Path:
        folder = Path(tempfile.mkdtemp(dir=self._folder)) / "seed"
        running = run(self._program, folder, "TERM")
        try:
            with httpx2.Client(base_url=running.address, auth=running.login, trust_env=False) as client:
                for study in studies:
                    for file in study.files():
                        client.post("/instances", content=file, timeout=_START).raise_for_status()
        finally:
            running.stop()
        return folder


def _copy(file: str, to: str) -> None:
    """Copy the database; share the rest, which Orthanc adds to and takes from but does not change."""
    if Path(file).name.startswith(_INDEX):
        shutil.copy(file, to)
    else:
        os.link(file, to)


class Orthanc:
    """The Orthanc of one session."""

    def __init__(self, starting: Future[Running]) -> None:
        self._starting = starting
        self._client: httpx2.AsyncClient | None = None

    async def ready(self) -> None:
        """Wait until it answers.

        Raises:
            OSError: It does not start.
        """
        running = await asyncio.wrap_future(self._starting)
        if self._client is None:
            self._client = httpx2.AsyncClient(
                base_url=running.address, auth=running.login, timeout=_START, trust_env=False
            )

    async def answered(self, request: Request) -> Response:
        """Return its answer to a request of the viewer."""
        await self.ready()
        assert self._client is not None
        answer = await self._client.request(
            request.method,
            f"{request.url.path}?{_plain(request)}",
            content=await request.body(),
            headers={name: request.headers[name] for name in _ASKED if name in request.headers},
        )
        kind = answer.headers.get("content-type", "application/octet-stream")
        return Response(
            answer.content, answer.status_code, {"content-type": kind, "cache-control": "no-store"}
        )

    def close(self) -> None:
        """End it, once it has started, and delete its files."""
        if not self._starting.cancel():
            self._starting.add_done_callback(_end)


def _plain(request: Request) -> str:
    """Return a query without escapes, which Orthanc 1.10 does not undo; `?` matches any character that needs one."""
    plain = (f"{name}={_ESCAPED.sub('?', value)}" for name, value in request.query_params.multi_items())
    return "&".join(plain)


def _end(started: Future[Running]) -> None:
    if started.exception() is None:
        started.result().stop()
        shutil.rmtree(started.result().folder.parent, ignore_errors=True)
