"""File calls, performed by small programs in the box, so that the box confines them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from guest.desktop import Desktop
from guest.osworld.fetching import fetch
from guest.osworld.replies import MAX_UPLOAD, Handler, Refused, fields_of, form_of, text_of
from guest.osworld.running import path_of, ready, run
from guest.plain import PlainResponse

_MOST_ENTRIES, _DEEPEST = 20_000, 20
_SECONDS = 60.0


def calls(desktop: Desktop) -> Iterator[tuple[str, str, Handler]]:
    """Yield method, path and handler of each call."""

    async def file(request: Request) -> Response:
        path = text_of(await fields_of(request), "file_path")
        await ready(desktop)
        name = PurePosixPath(path).name.replace('"', "").encode("ascii", "replace").decode()
        content = await read(desktop, path_of(path, desktop))
        return Response(content, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    async def upload(request: Request) -> Response:
        form = await form_of(request)
        path, data = text_of(form, "file_path"), form.get("file_data")
        if not isinstance(data, UploadFile):
            raise Refused(400, "file_path and file_data are required", "error")
        content = await data.read()
        await ready(desktop)
        await write(desktop, path_of(path, desktop), content)
        return PlainTextResponse(f"File Uploaded: {len(content)} bytes")

    async def download(request: Request) -> Response:
        data = await fields_of(request)
        url, path = text_of(data, "url"), text_of(data, "path")
        await ready(desktop)
        await write(desktop, path_of(path, desktop), await fetch(url))
        return PlainTextResponse(f"File downloaded successfully: {path}")

    async def listing(request: Request) -> Response:
        path = text_of(await fields_of(request), "path")
        await ready(desktop)
        return PlainResponse({"directory_tree": await _tree(desktop, path_of(path, desktop))})

    async def desktop_path(request: Request) -> Response:
        await ready(desktop)
        return PlainResponse({"desktop_path": path_of("~/Desktop", desktop)})

    async def read_text(request: Request) -> Response:
        path = text_of(request.query_params, "path")
        await ready(desktop)
        return PlainTextResponse(await read(desktop, path_of(path, desktop)))

    async def write_text(request: Request) -> Response:
        path, content = await _text(request)
        await ready(desktop)
        await write(desktop, path_of(path, desktop), content)
        return PlainTextResponse("OK")

    async def append_text(request: Request) -> Response:
        path, content = await _text(request)
        await ready(desktop)
        where = path_of(path, desktop)
        append = ["dd", f"of={where}", "oflag=append", "conv=notrunc", "status=none"]
        await _must(desktop, append, content)
        return PlainTextResponse("OK")

    yield "POST", "/file", file
    yield "POST", "/setup/upload", upload
    yield "POST", "/setup/download_file", download
    yield "POST", "/list_directory", listing
    yield "POST", "/desktop_path", desktop_path
    yield "GET", "/read", read_text
    yield "POST", "/write", write_text
    yield "POST", "/append", append_text


async def read(desktop: Desktop, path: str) -> bytes:
    """Read a file.

    Raises:
        Refused: The session's user cannot read it, or it is too large.
    """
    done = await run(desktop, ["head", "-c", str(MAX_UPLOAD + 1), "--", path], seconds=_SECONDS)
    if done.code != 0:
        raise Refused(404, "File not found", "error")
    if len(done.out) > MAX_UPLOAD:
        raise Refused(413, f"the file is longer than {MAX_UPLOAD} bytes", "error")
    return done.out


async def write(desktop: Desktop, path: str, content: bytes) -> None:
    """Write a file, and create its parent folders.

    Raises:
        Refused: The session's user may not write it.
    """
    await _must(desktop, ["install", "-D", "-m", "644", "-T", "/dev/stdin", path], content)


async def _must(desktop: Desktop, argv: list[str], content: bytes) -> None:
    done = await run(desktop, argv, stdin=content, seconds=_SECONDS)
    if done.code != 0:
        last = done.err.decode(errors="replace").strip().splitlines()[-1:] or [f"code {done.code}"]
        raise Refused(500, last[0], "error")


async def _text(request: Request) -> tuple[str, bytes]:
    data = await fields_of(request)
    return text_of(data, "path"), text_of(data, "content", "").encode(errors="replace")


async def _tree(desktop: Desktop, path: str) -> dict[str, Any]:
    """Return a folder's tree.

    Raises:
        Refused: The session's user cannot read it.
    """
    find = ["find", path, "-maxdepth", str(_DEEPEST), "-printf", r"%y\0%P\0"]
    done = await run(desktop, ["test", "-d", path])
    if done.code != 0:
        raise Refused(400, f"{path} is no directory", "error")
    fields = (await run(desktop, find, seconds=_SECONDS)).out.decode(errors="replace").split("\0")[:-1]
    root: dict[str, Any] = {"type": "directory", "name": PurePosixPath(path).name, "children": []}
    folders = {"": root}
    for kind, relative in list(zip(fields[::2], fields[1::2], strict=True))[1:_MOST_ENTRIES]:
        parent, _, name = relative.rpartition("/")
        entry: dict[str, Any] = {"type": "file", "name": name}
        if kind == "d":
            entry = {"type": "directory", "name": name, "children": []}
            folders[relative] = entry
        folders[parent]["children"].append(entry)
    return root
