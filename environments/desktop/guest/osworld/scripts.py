"""`/run_python` and `/run_bash_script`, which newer clients of OSWorld send: whole programs, with their output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from guest.desktop import Desktop
from guest.osworld.replies import Handler, fields_of
from guest.osworld.running import MAX_OUTPUT, TimedOut, path_of, ready, run
from guest.plain import PlainResponse
from guest.program import Done

_PYTHON_SECONDS = 30.0
_BASH_SECONDS, _MOST_SECONDS = 100.0, 600.0
# A program is a file, so that it has an input and a path of its own.
_AS_FILE = (
    'file=$(mktemp) && cat >"$file" && "$@" "$file" </dev/null; code=$?; rm -f -- "$file"; exit "$code"'
)


def calls(desktop: Desktop) -> Iterator[tuple[str, str, Handler]]:
    """Yield method, path and handler of each call."""

    async def python(request: Request) -> Response:
        code = (await fields_of(request)).get("code")
        if not isinstance(code, str) or not code:
            return PlainResponse({"status": "error", "message": "Code not supplied!"}, 400)
        try:
            done = await _ran(desktop, _AS_FILE, "python3", code, ".", _PYTHON_SECONDS)
        except TimedOut:
            return PlainResponse(
                _python_reply(
                    "error", None, "TimeoutExpired", f"Execution timeout: {_PYTHON_SECONDS:g} seconds"
                ),
                500,
            )
        return PlainResponse(_python_result(done))

    async def bash(request: Request) -> Response:
        data = await fields_of(request)
        script, seconds, folder = data.get("script"), data.get("timeout", _BASH_SECONDS), "."
        if not isinstance(script, str) or not script:
            return _bash_refusal(400, "Script not supplied!")
        if (
            isinstance(seconds, bool)
            or not isinstance(seconds, int | float)
            or not 0 < seconds <= _MOST_SECONDS
        ):
            return _bash_refusal(400, f"timeout must be a number of seconds, at most {_MOST_SECONDS:g}")
        if working := data.get("working_dir"):
            await ready(desktop)
            folder = path_of(str(working).replace("\0", ""), desktop)
            if (await run(desktop, ["test", "-d", folder])).code != 0:
                return _bash_refusal(400, f"Working directory does not exist: {folder}")
        try:
            done = await _ran(desktop, f"exec 2>&1; {_AS_FILE}", "/bin/bash", script, folder, seconds)
        except TimedOut:
            return _bash_refusal(500, f"Script execution timed out after {seconds:g} seconds")
        status = "success" if done.code == 0 else "error"
        return PlainResponse(
            {"status": status, "output": _text(done.out), "error": "", "returncode": done.code}
        )

    yield "POST", "/run_python", python
    yield "POST", "/run_bash_script", bash


async def _ran(
    desktop: Desktop, steps: str, interpreter: str, program: str, folder: str, seconds: float
) -> Done:
    argv = ["/bin/sh", "-c", steps, "sh", interpreter]
    return await run(desktop, argv, folder, program.encode(errors="replace"), seconds)


def _python_result(done: Done) -> dict[str, Any]:
    out, error = _text(done.out), _text(done.err)
    if done.code and not error:
        error = f"Process exited with code {done.code}"
    both = "\n".join(part for part in (out, error) if part)
    return _python_reply("error" if done.code else "success", out, error, both) | {"return_code": done.code}


def _python_reply(status: str, output: str | None, error: str, message: str) -> dict[str, Any]:
    return {"status": status, "message": message, "need_more": False, "output": output, "error": error}


def _bash_refusal(status: int, sentence: str) -> Response:
    return PlainResponse({"status": "error", "output": sentence, "error": "", "returncode": -1}, status)


def _text(output: bytes) -> str:
    return output[:MAX_OUTPUT].decode(errors="replace")
