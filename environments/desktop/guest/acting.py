"""The canonical actions, as the plugin sends them: plain data in, an error for the agent or a text out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from guest import code
from guest.desk import Desk
from guest.errors import BadRequest, NotNow

_MOST_SECONDS = 60.0
_LONGEST_TEXT = 20_000  # characters, as in the plugin's own check

Arguments = Mapping[str, Any]


async def act(desk: Desk, action: object) -> dict[str, str | None]:
    """Carry out one action; what is wrong with it is told, not raised.

    Raises:
        Trouble: The desktop broke.
    """
    try:
        kind, arguments = _parts(action)
        text = await _ACTS[kind](desk, arguments)
    except (BadRequest, NotNow) as error:
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


def _plain(name: str) -> Callable[[Desk, Arguments], Awaitable[str | None]]:
    """Return an act that is a method of the hands with the same arguments."""

    async def call(desk: Desk, arguments: Arguments) -> None:
        for key in ("x", "y"):
            _on_screen(desk, key, arguments.get(key))
        await getattr(desk.input, name)(**arguments)

    return call


async def _drag(desk: Desk, arguments: Arguments) -> None:
    path = [(int(x), int(y)) for x, y in arguments["path"]]
    for point in path:
        for key, value in zip("xy", point, strict=True):
            _on_screen(desk, key, value)
    await desk.input.drag(path, arguments.get("button", "left"), arguments.get("modifiers", ()))


async def _key(desk: Desk, arguments: Arguments) -> None:
    await desk.input.key(*arguments["keys"], repeat=int(arguments.get("repeat", 1)))


async def _hold(desk: Desk, arguments: Arguments) -> None:
    await desk.input.hold(arguments["keys"], _seconds(arguments["seconds"]))


async def _type(desk: Desk, arguments: Arguments) -> None:
    text = arguments["text"]
    if not isinstance(text, str) or len(text) > _LONGEST_TEXT:
        raise BadRequest(f"type: text must be at most {_LONGEST_TEXT} characters")
    await desk.input.type(text)


async def _wait(desk: Desk, arguments: Arguments) -> None:
    await asyncio.sleep(_seconds(arguments.get("seconds", 1.0)))


async def _cursor(desk: Desk, arguments: Arguments) -> str:
    x, y = await desk.screen.cursor()
    return f"({x}, {y})"


async def _open(desk: Desk, arguments: Arguments) -> None:
    await desk.open_application(arguments["name"])


async def _run_code(desk: Desk, arguments: Arguments) -> str:
    program, language, limits = code.read_request(arguments)
    ran = await code.run_code(desk, program, language, limits)
    return ran.told


_ACTS: dict[str, Callable[[Desk, Arguments], Awaitable[str | None]]] = {
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


def _on_screen(desk: Desk, axis: str, value: object) -> None:
    size = desk.screen.size[0 if axis == "x" else 1]
    if value is not None and not (isinstance(value, int) and 0 <= value < size):
        raise BadRequest(f"{axis} is {value!r}, but must be a pixel from 0 to {size - 1}")


def _seconds(value: float) -> float:
    if not 0 <= value <= _MOST_SECONDS:
        raise BadRequest(f"seconds is {value}, but must be 0 to {_MOST_SECONDS:g}")
    return value
