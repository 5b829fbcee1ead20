"""Performs canonical actions given as plain data; the result is a text or an error for the agent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from guest import code
from guest.desktop import Desktop
from guest.errors import BadRequest, Conflict
from guest.timeouts import scaled

_MOST_SECONDS = 60.0
_LONGEST_TEXT = 20_000  # characters, as in the plugin's own check
_LONG_TEXT = 100  # characters after which programs are waited for until they have nothing more to do
_IDLE_SECONDS, _IDLE_CHARACTER = scaled(1.0), scaled(0.01)  # at most, in all and for each character

Arguments = Mapping[str, Any]


async def act(desktop: Desktop, action: object) -> dict[str, str | None]:
    """Perform one action; an agent's mistake is returned as an error, not raised.

    Raises:
        DesktopFailure: The desktop failed.
    """
    try:
        kind, arguments = _parts(action)
        text = await _ACTS[kind](desktop, arguments)
    except (BadRequest, Conflict) as error:
        return {"error": str(error), "text": None}
    except OSError as error:
        return {"error": f"not possible now: {error.strerror or error}", "text": None}
    except (TypeError, ValueError, KeyError) as error:
        return {"error": f"malformed action: {type(error).__name__}: {error}", "text": None}
    return {"error": None, "text": text}


def _parts(action: object) -> tuple[str, Arguments]:
    if not isinstance(action, Mapping) or action.get("kind") not in _ACTS:
        raise BadRequest(f"an action is an object whose kind is one of: {', '.join(_ACTS)}")
    return str(action["kind"]), {key: value for key, value in action.items() if key != "kind"}


def _plain(name: str) -> Callable[[Desktop, Arguments], Awaitable[str | None]]:
    """Return a handler that calls the method of `Input` with the same name and arguments."""

    async def call(desktop: Desktop, arguments: Arguments) -> None:
        for key in ("x", "y"):
            _on_screen(desktop, key, arguments.get(key))
        await getattr(desktop.input, name)(**arguments)

    return call


async def _drag(desktop: Desktop, arguments: Arguments) -> None:
    path = [(int(x), int(y)) for x, y in arguments["path"]]
    for point in path:
        for key, value in zip("xy", point, strict=True):
            _on_screen(desktop, key, value)
    await desktop.input.drag(path, arguments.get("button", "left"), arguments.get("modifiers", ()))


async def _key(desktop: Desktop, arguments: Arguments) -> None:
    await desktop.input.key(*arguments["keys"], repeat=int(arguments.get("repeat", 1)))


async def _hold(desktop: Desktop, arguments: Arguments) -> None:
    await desktop.input.hold(arguments["keys"], _seconds(arguments["seconds"]))


async def _type(desktop: Desktop, arguments: Arguments) -> None:
    text = arguments["text"]
    if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
        raise BadRequest(f"type: text must be at most {_LONGEST_TEXT} characters")
    await desktop.input.type(text)
    if len(text) > _LONG_TEXT:
        await desktop.wait_until_idle(_IDLE_SECONDS + _IDLE_CHARACTER * len(text))


async def _wait(desktop: Desktop, arguments: Arguments) -> None:
    await asyncio.sleep(_seconds(arguments.get("seconds", 1.0)))


async def _cursor(desktop: Desktop, arguments: Arguments) -> str:
    x, y = await desktop.screen.cursor()
    return f"({x}, {y})"


async def _open(desktop: Desktop, arguments: Arguments) -> None:
    await desktop.open_application(arguments["name"])


async def _run_code(desktop: Desktop, arguments: Arguments) -> str:
    program, language, limits = code.read_request(arguments)
    ran = await code.run_code(desktop, program, language, limits)
    return ran.text


_ACTS: dict[str, Callable[[Desktop, Arguments], Awaitable[str | None]]] = {
    "move": _plain("move"),
    "click": _plain("click"),
    "mouse_down": _plain("press"),
    "mouse_up": _plain("release"),
    "drag": _drag,
    "scroll": _plain("scroll"),
    "key": _key,
    "key_down": _plain("key_down"),
    "key_up": _plain("key_up"),
    "hold_key": _hold,
    "type": _type,
    "wait": _wait,
    "cursor_position": _cursor,
    "open_app": _open,
    "run_code": _run_code,
}


def _on_screen(desktop: Desktop, axis: str, value: object) -> None:
    size = desktop.screen.size[0 if axis == "x" else 1]
    if value is not None and not (isinstance(value, int) and 0 <= value < size):
        raise BadRequest(f"{axis} is {value!r}, but must be a pixel from 0 to {size - 1}")


def _seconds(value: float) -> float:
    if not 0 <= value <= _MOST_SECONDS:
        raise BadRequest(f"seconds is {value}, but must be 0 to {_MOST_SECONDS:g}")
    return value
