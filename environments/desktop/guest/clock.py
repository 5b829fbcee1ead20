"""Sets the clock of a machine that was restored from a snapshot."""

from __future__ import annotations

import json
import time
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from guest.errors import BadRequest, Conflict
from guest.plain import PlainResponse

_OURS = Path(
    "/sys/firmware/qemu_fw_cfg/by_name/opt/cuabench"
)  # exists only in machines that our driver started
_EARLIEST, _LATEST = 1_500_000_000, 7_000_000_000  # seconds since 1970: of the years 2017 to 2191


async def put_right(request: Request) -> Response:
    """Set the machine's clock to {"seconds": since 1970}; only if the machine belongs to the desktop."""
    try:
        seconds = float(json.loads(await request.body())["seconds"])
    except (ValueError, KeyError, TypeError):
        raise BadRequest('the body must be {"seconds": the time since 1970}') from None
    if not _EARLIEST < seconds < _LATEST:
        raise BadRequest(f"seconds is {seconds:g}, which is no time of these days")
    if not _OURS.exists():
        raise Conflict("the clock of this machine is not the desktop's own")
    time.clock_settime(time.CLOCK_REALTIME, seconds)
    return PlainResponse({"seconds": time.time()})


def routes() -> list[BaseRoute]:
    """Return the route of the clock."""
    return [Route("/clock", put_right, methods=["POST"])]
