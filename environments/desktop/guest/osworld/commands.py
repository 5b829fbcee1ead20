"""`/execute` and `/setup/launch`: commands in the box."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from guest import tools
from guest.desktop import Desktop
from guest.osworld.replies import Handler, Refused, fields_of
from guest.osworld.running import MAX_OUTPUT, command_of, exists, run
from guest.osworld.windows import titles
from guest.plain import PlainResponse

SECONDS = 120.0
_POLL = 0.2  # seconds, the shortest interval between two checks


def calls(desktop: Desktop) -> Iterator[tuple[str, str, Handler]]:
    """Yield method, path and handler of each call."""

    async def execute(request: Request) -> Response:
        data = await fields_of(request)
        return PlainResponse(await _executed(desktop, data))

    async def verified(request: Request) -> Response:
        data = await fields_of(request)
        seconds, interval, wanted = _verification(data)
        answer = await _executed(desktop, data)
        end = asyncio.get_running_loop().time() + seconds
        while (missing := await _missing(desktop, wanted)) is not None:
            if asyncio.get_running_loop().time() >= end:
                raise Refused(500, f"Verification failed after {seconds:g} seconds: {missing}")
            await asyncio.sleep(interval)
        return PlainResponse({**answer, "verification": "passed"})

    async def launch(request: Request) -> Response:
        data = await fields_of(request)
        argv = command_of(data, desktop)
        if not await exists(desktop, argv[0]):
            raise Refused(500, f"[Errno 2] No such file or directory: {argv[0]!r}")
        desktop.touched()
        await desktop.launch(argv, tools.environment(desktop.box.name, desktop.environment))
        said = data["command"] if isinstance(data["command"], str) else " ".join(data["command"])
        return PlainTextResponse(f"{said} launched successfully")

    for prefix in ("", "/setup"):
        yield "POST", f"{prefix}/execute", execute
        yield "POST", f"{prefix}/execute_with_verification", verified
    yield "POST", "/setup/launch", launch


async def _executed(desktop: Desktop, data: dict[str, Any]) -> dict[str, Any]:
    done = await run(desktop, command_of(data, desktop), seconds=SECONDS)
    return {
        "status": "success",
        "output": done.out[:MAX_OUTPUT].decode(errors="replace"),
        "error": done.err[:MAX_OUTPUT].decode(errors="replace"),
        "returncode": done.code,
    }


def _verification(data: dict[str, Any]) -> tuple[float, float, dict[str, str]]:
    wanted, times = (
        data.get("verification", {}),
        (data.get("max_wait_time", 10), data.get("check_interval", 1)),
    )
    if not all(
        isinstance(time, int | float) and not isinstance(time, bool) and 0 <= time <= 600 for time in times
    ):
        raise Refused(400, "max_wait_time and check_interval must be 0 to 600 seconds")
    if not isinstance(wanted, dict) or not set(wanted) <= {"window_exists", "command_success"}:
        raise Refused(400, "verification must be an object with window_exists or command_success")
    if not all(isinstance(value, str) and value for value in wanted.values()):
        raise Refused(400, "window_exists and command_success must be text")
    return float(times[0]), max(_POLL, float(times[1])), wanted


async def _missing(desktop: Desktop, wanted: dict[str, str]) -> str | None:
    """Return the conditions that do not hold yet."""
    title, command = wanted.get("window_exists"), wanted.get("command_success")
    if title is not None and not any(title in one for one in await titles(desktop)):
        return f"no window has {title!r} in its title"
    if command is not None and (await run(desktop, ["/bin/sh", "-c", command], seconds=5)).code != 0:
        return "the command does not succeed"
    return None
