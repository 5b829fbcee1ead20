"""Screen recording: ffmpeg in its own box, with an output file that programs cannot see."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from guest import processes, program
from guest.desktop import Desktop
from guest.osworld.replies import Handler, Refused
from guest.osworld.running import ready
from guest.places import Place
from guest.plain import PlainResponse
from guest.program import Program
from guest.session import Session

_RATE = 15  # pictures a second
_FINISH_SECONDS, _START_SECONDS, _POLL = 15.0, 10.0, 0.02
_LONGEST = 1800  # seconds: limit of a recording
_INSIDE = "/run/film"
_NAME = "recording.mp4"


@dataclass(slots=True)
class Recorder:
    """Records at most one film at a time; a restart of the desktop discards it."""

    desktop: Desktop
    _film: tuple[Program, Session] | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def start(self) -> None:
        """Start a recording; a current one is discarded.

        Raises:
            Refused: ffmpeg does not start.
        """
        async with self._lock:
            await self._drop()
            place = self._place()
            (place.host / _NAME).unlink(missing_ok=True)
            desktop = self.desktop
            width, height = desktop.screen.size
            log = desktop.box.places.space / "logs" / "recording.log"
            film = await program.start(
                desktop.box, _ffmpeg(desktop.session.server.name, width, height, f"{place.inside}/{_NAME}"),
                desktop.environment, log, binds=(place,),
            )  # fmt: skip
            desktop.session.programs.append(film)  # so that a reset ends it
            self._film = (film, desktop.session)
            await _until_begun(film, place.host / _NAME)

    async def end(self) -> bytes:
        """Stop recording and return the film as MP4.

        Raises:
            Refused: Nothing is being recorded, or the file is empty.
        """
        async with self._lock:
            if self._film is None or self._film[1] is not self.desktop.live_session():
                await self._drop()
                raise Refused(400, "No recording in progress to stop.")
            (film, _), self._film = self._film, None
            _stop(film)
            with suppress(TimeoutError):
                await asyncio.wait_for(film.process.wait(), _FINISH_SECONDS)
            await film.kill()
            file = self._place().host / _NAME
            if not file.is_file() or file.is_symlink() or not file.stat().st_size:
                raise Refused(500, f"the recording came to nothing: ffmpeg ended {film.end}")
            return await asyncio.to_thread(file.read_bytes)

    async def _drop(self) -> None:
        film, self._film = self._film, None
        if film is not None:
            await film[0].kill()

    def _place(self) -> Place:
        folder = self.desktop.options.state / "film"
        folder.mkdir(exist_ok=True)
        self.desktop.box.own(folder)
        return Place(folder, _INSIDE if self.desktop.box.name == "bwrap" else str(folder))


def calls(desktop: Desktop) -> Iterator[tuple[str, str, Handler]]:
    """Yield method, path and handler of each call."""
    recorder = Recorder(desktop)

    async def start(request: Request) -> Response:
        await ready(desktop)
        await recorder.start()
        return PlainResponse({"status": "success", "message": "Started recording successfully."})

    async def end(request: Request) -> Response:
        film = await recorder.end()
        return Response(film, media_type="video/mp4")

    yield "POST", "/start_recording", start
    yield "POST", "/end_recording", end


def _ffmpeg(display: str, width: int, height: int, file: str) -> list[str]:
    return [
        "ffmpeg", "-y", "-nostdin", "-loglevel", "error", "-f", "x11grab", "-draw_mouse", "1",
        "-framerate", str(_RATE), "-video_size", f"{width}x{height}", "-i", display, "-t", str(_LONGEST),
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
        "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-movflags", "frag_keyframe+empty_moov", "-g", str(_RATE), file,
    ]  # fmt: skip


async def _until_begun(film: Program, file: Path) -> None:
    """Wait until ffmpeg has opened its file: from then on it records."""
    clock = asyncio.get_running_loop().time
    end = clock() + _START_SECONDS
    while not file.exists():
        if not film.alive:
            raise Refused(
                500, f"the recording did not start: ffmpeg ended {film.end}; apt-get install ffmpeg"
            )
        if clock() > end:
            await film.kill()
            raise Refused(500, f"the recording did not start within {_START_SECONDS:g} seconds")
        await asyncio.sleep(_POLL)


def _stop(film: Program) -> None:
    """Signal ffmpeg itself to finish, since the box does not forward signals."""
    for pid in processes.descendants(film.process.pid) or [film.process.pid]:
        with suppress(OSError):
            if Path(f"/proc/{pid}/comm").read_text().strip() == "ffmpeg":
                os.kill(pid, signal.SIGINT)
