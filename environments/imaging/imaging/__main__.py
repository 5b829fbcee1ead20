"""Command line of the world program."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from starlette.applications import Starlette

from imaging import NAME, VERSION
from imaging.orthanc import MissingOrthanc, Orthancs, find_orthanc
from imaging.public import Public
from imaging.sessions import Sessions
from imaging.viewer import MissingViewer, find_viewer
from worldkit.arguments import parser
from worldkit.control import ProbedControl
from worldkit.serving import Options, Program, serve

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / NAME


def program(build: Path, orthancs: Orthancs | None = None) -> Program:
    """Make the viewer and its archive ready to serve."""
    public = Public(Sessions(orthancs), build)

    def control(port: int) -> Starlette:
        return ProbedControl(public, port, VERSION).application()

    return Program(NAME, VERSION, public.sessions.names, public, control)


def main() -> int:
    """Serve until told to stop; what is missing is told on the first line, any other trouble on stderr."""
    arguments = parser(NAME, __doc__, FIXTURES)
    arguments.add_argument("--mode", choices=["orthanc"], help="Orthanc in place of the embedded archive")
    given = arguments.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="cua-imaging-", ignore_cleanup_errors=True) as folder:
            orthancs = Orthancs(find_orthanc(), Path(folder)) if given.mode else None
            served = program(find_viewer(), orthancs)
            asyncio.run(serve(served, Options(given.listen, given.control, given.until_eof)))
    except (MissingViewer, MissingOrthanc) as missing:
        sys.stdout.write(json.dumps({"ready": False, "missing": str(missing)}) + "\n")
        return 3
    except OSError as problem:
        sys.stderr.write(f"{NAME}: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
