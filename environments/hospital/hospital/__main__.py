"""Command line of the world program."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from starlette.applications import Starlette

from hospital import NAME, VERSION
from hospital.parts import INSIDE, MissingPartError, Parts, installed
from hospital.public import Public
from hospital.sessions import DOCTOR, Session, Sessions
from worldkit.arguments import parser
from worldkit.control import Control
from worldkit.serving import Options, Program, serve

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / NAME


class HospitalControl(Control[Session]):
    """The control routes of all worlds; a session begins at the web client's login dialog."""

    patience = 10.0

    def details(self, session: Session) -> dict[str, Any]:
        """Add the login dialog, and who signs in there."""
        return {
            "start_url": f"http://{session.host}:{self.port}/#{session.database}",
            "username": DOCTOR[1],
            "password": session.password,
        }


@contextmanager
def gnu_health(parts: Parts, folder: Path) -> Iterator[Path]:
    """Run GNU Health on a socket in a folder, with its databases in the same place.

    Raises:
        OSError: It does not start.
    """
    configuration, socket = folder / "trytond.conf", folder / "trytond"
    configuration.write_text(
        f"[database]\nuri = sqlite://\npath = {folder}\nlist = False\n", encoding="utf-8"
    )
    command = [str(parts.python), "-W", "ignore", str(INSIDE / "serve.py"), str(socket)]
    told = {**os.environ, "TRYTOND_CONFIG": str(configuration)}
    told.pop("PYTHONPATH", None)  # it is another Python
    with subprocess.Popen(  # noqa: S603 - our own command
        command, env=told, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline().strip() != b"ready":
                raise OSError("GNU Health does not start; type: scripts/install-clinical hospital")
            yield socket
        finally:
            process.kill()


def main() -> int:
    """Serve until told to stop; what is missing is told on the first line, and any other trouble on stderr."""
    given = parser(NAME, __doc__, FIXTURES).parse_args()
    try:
        parts = installed()
    except MissingPartError as missing:
        sys.stdout.write(json.dumps({"ready": False, "missing": str(missing)}) + "\n")
        return 3
    try:
        with (
            tempfile.TemporaryDirectory(prefix="cua-hospital-") as folder,
            gnu_health(parts, Path(folder)) as socket,
        ):
            inside = httpx2.Client(
                transport=httpx2.HTTPTransport(uds=str(socket)), base_url="http://hospital", timeout=60.0
            )

            def remember(name: str) -> None:
                inside.post(f"/-/open/{name}").raise_for_status()

            password = parts.password.read_text(encoding="utf-8").strip()
            sessions = Sessions(
                parts.template,
                Path(folder),
                password,
                remember,
            )
            sessions.prepare()
            public = Public(sessions, parts.web.resolve(), socket)

            def control(port: int) -> Starlette:
                return HospitalControl(public, port, VERSION).application()

            program = Program(NAME, VERSION, tuple(sessions.names), public, control)
            asyncio.run(serve(program, Options(given.listen, given.control, given.until_eof)))
    except (OSError, httpx2.HTTPError) as problem:
        sys.stderr.write(f"{NAME}: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
