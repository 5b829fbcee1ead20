"""Command line of the world program."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import trustme
from starlette.applications import Starlette

from docs_web import NAME, VERSION
from docs_web.index import Index
from docs_web.live import START, AnyHost, Live, Replay
from docs_web.public import SEARCH, Public
from docs_web.recording import Recorder, Recording
from docs_web.sessions import Session, Sessions
from docs_web.sites import read_sites
from worldkit.arguments import parser
from worldkit.control import Control
from worldkit.serving import Certificate, Options, Program, serve

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / NAME


class DocsControl(Control[Session]):
    """The control routes of all worlds; a session is told the hosts of all sites, or that it may be any host."""

    def details(self, session: Session) -> dict[str, Any]:
        """Add the hosts, and where connections to them lead."""
        origin = f"https://{session.host}"
        return {
            "origin": origin,
            "start_url": f"{origin}/",
            "hosts": sorted(self.public.sites) if isinstance(self.public, Public) else ["*"],
            "tunnel": f"127.0.0.1:{self.port}",
        }


def program(fixtures: Path, kept: Path, folder: Path) -> Program:
    """Make the sites ready to serve.

    Args:
        kept: Where the index is kept.
        folder: Where the certificate is written.
    """
    kept.mkdir(parents=True, exist_ok=True)
    sites = read_sites(fixtures, kept)
    index = Index(sites, kept)
    public = Public({site.host: site for site in sites}, index, Sessions(SEARCH, index.digest))
    return _program(public, [SEARCH, *public.sites], folder)


def real_program(mode: str, folder: Path) -> Program:
    """Make the real web ready to serve, or a recording of it.

    Args:
        mode: `live:FOLDER` or `replay:FOLDER`.
        folder: Where the certificate is written.

    Raises:
        OSError: There is no such mode, or no recording.
    """
    kind, _, where = mode.partition(":")
    if kind not in ("live", "replay") or not where:
        raise OSError(
            f"no mode {mode!r}; type live:FOLDER to record the real web, replay:FOLDER to answer from it"
        )
    kept = Path(where)
    source = Live(Recorder(kept)) if kind == "live" else Replay(Recording(kept))
    return _program(AnyHost(source, Sessions(START, mode)), [START], folder)


def _program(public: Public | AnyHost, hosts: list[str], folder: Path) -> Program:
    def control(port: int) -> Starlette:
        return DocsControl(public, port, VERSION).application()

    return Program(NAME, VERSION, tuple(public.sessions.names), public, control, _certificate(hosts, folder))


def _certificate(hosts: list[str], folder: Path) -> Certificate:
    """Write a certificate for all hosts; its authority is gone when this returns."""
    made = trustme.CA(organization_name="Authority of a test environment").issue_cert(*hosts)
    chain, key = folder / "chain.pem", folder / "key.pem"
    for part in made.cert_chain_pems:
        part.write_to_path(chain, append=True)
    made.private_key_pem.write_to_path(key)
    return Certificate(chain, key)


def main() -> int:
    """Serve until told to stop; a start that cannot work is one line on stderr."""
    arguments = parser(NAME, __doc__, FIXTURES)
    arguments.add_argument("--mode", metavar="MODE:FOLDER", help="the real web: live (recorded) or replay")
    given = arguments.parse_args()
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cuabench" / NAME
    try:
        with tempfile.TemporaryDirectory(prefix="cua-docs-") as folder:
            served = (
                real_program(given.mode, Path(folder))
                if given.mode
                else program(given.fixtures, kept, Path(folder))
            )
            asyncio.run(serve(served, Options(given.listen, given.control, given.until_eof)))
    except OSError as problem:
        sys.stderr.write(f"{NAME}: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
