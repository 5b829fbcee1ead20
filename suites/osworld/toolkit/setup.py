"""From a record's `config` to the setup of a desktop, by a whitelist; nothing of a record is executed.

| step of a record | here |
|---|---|
| `download` | the file of the local folder is written below HOME |
| `open`, `launch` of a known application | the application is started, with the file |
| `execute`, `command` | `mkdir` of folders; clicks into the middle of the screen and waits are left out |
| `sleep`, `activate_window` | left out: a task begins when the application is ready, which has the focus |

`postconfig` is left out if it waits, presses the keys that save, export or quit, or restarts applications to make them
write: files are judged as they are when the episode ends, so the goal tells the agent to do it. Everything else is
`Unsupported`.
"""

from __future__ import annotations

import ast
import base64
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from .downloads import Downloads
from .places import below_home
from .records import Record, Step, Unsupported

APPLICATIONS = {
    "chrome": "chromium",
    "gimp": "gimp",
    "libreoffice_calc": "calc",
    "libreoffice_impress": "impress",
    "libreoffice_writer": "writer",
    "vlc": "vlc",
}
_PROGRAMS = {
    "chromium": "chromium",
    "gimp": "gimp",
    "google-chrome": "chromium",
    "localc": "calc",
    "loimpress": "impress",
    "lowriter": "writer",
    "vlc": "vlc",
}
_OFFICE = {"--calc": "calc", "--impress": "impress", "--writer": "writer"}
_FLAGS = {"--no-audio", "--no-video-title-show", "--remote-debugging-port=1337", "--norestore", "--nologo"}
_ENDINGS = {
    "calc": {".csv", ".ods", ".xls", ".xlsx"},
    "chromium": {".htm", ".html"},
    "gimp": {".xcf"},
    "impress": {".odp", ".ppt", ".pptx"},
    "vlc": {".avi", ".mkv", ".mp3", ".mp4", ".ogg", ".wav", ".webm"},
    "writer": {".doc", ".docx", ".odt", ".rtf"},
}
_PYTHON = {"python", "python3"}
_SAVING = {"ctrl+s", "ctrl+shift+e", "shift+ctrl+e", "write"}
_QUITTING = {"ctrl+q"}
_ANSWERING = {"enter", "esc", "right"}  # of the questions that are asked then
_LEFT_OUT = {"sleep", "activate_window"}
_ENDED = {"chrome", "google-chrome", "vlc"}  # by `pkill`, so that settings are written


@dataclass(frozen=True, slots=True)
class Prepared:
    """How a record begins.

    Attributes:
        application: The one that it is played on.
        steps: The setup of the desktop.
        closing: What the agent has to do itself, because `postconfig` is left out: `save`, `quit`.
    """

    application: str
    steps: tuple[Mapping[str, Any], ...]
    closing: frozenset[str]


def prepared(record: Record, downloads: Downloads) -> Prepared:
    """Return how a record is prepared; a step `download` is still to be loaded.

    Raises:
        Unsupported: It has a step that is not played here.
    """
    steps: list[dict[str, Any]] = []
    started: list[str] = []
    for step in record.config:
        for made in _made(step, downloads):
            if "application" in made:
                started.append(made.pop("application"))
            if made:
                steps.append(made)
    if len(set(started)) > 1:
        raise Unsupported(
            "setup steps", "launch", f"it opens several applications: {', '.join(sorted(set(started)))}"
        )
    application = (
        started[0] if started else APPLICATIONS.get(record.domain) or APPLICATIONS.get(record.snapshot)
    )
    if application is None:
        raise Unsupported("applications", record.snapshot or record.domain)
    return Prepared(
        application,
        tuple(steps),
        frozenset(word for step in record.judging.postconfig for word in _closing(step)),
    )


def loaded(steps: Iterable[Mapping[str, Any]], downloads: Downloads) -> Iterator[Mapping[str, Any]]:
    """Yield the steps with the content of what is downloaded."""
    for step in steps:
        if step["do"] == "download":
            content = base64.b64encode(downloads.read(step["url"])).decode()
            yield {"do": "put", "path": step["path"], "base64": content}
        else:
            yield step


def _made(step: Step, downloads: Downloads) -> Iterator[dict[str, Any]]:
    """Yield the desktop's steps, and `application` for one that is started."""
    given = step.parameters
    match step.type:
        case "download":
            for file in given.get("files", ()):
                if not isinstance(file, dict):
                    raise Unsupported("setup steps", "download", f"{file!r:.60}")
                url = str(file.get("url"))
                downloads.find(url)
                yield {"do": "download", "path": below_home(file.get("path")), "url": url}
        case "open":
            path = below_home(given.get("path"))
            yield {"application": _opener(path), "do": "open", "path": path}
        case "launch":
            yield from _launched(_words(given.get("command")))
        case "execute" | "command":
            words = _words(given.get("command"))
            if words[:2] == ["mkdir", "-p"]:
                yield from ({"do": "folder", "path": below_home(path)} for path in words[2:])
            elif _pressed(words) != []:
                raise Unsupported("setup steps", step.type, shlex.join(words)[:80])
        case name if name not in _LEFT_OUT:
            raise Unsupported("setup steps", name)


def _words(command: Any) -> list[str]:
    """Return a command as its words; a text is split as a shell splits it, and nothing else of a shell is known."""
    if isinstance(command, list) and command and all(isinstance(one, str) for one in command):
        return [str(one) for one in command]
    if isinstance(command, str) and command and not re.search(r"[;&|`$<>\n\\(){}*?]", command):
        try:
            return shlex.split(command)
        except ValueError:
            pass
    raise Unsupported("commands", f"{command!r:.80}")


def _launched(words: list[str]) -> Iterator[dict[str, Any]]:
    while words and re.fullmatch(r"VLC_VERBOSE=-?\d", words[0]):
        words = words[1:]
    if not words:
        raise Unsupported("commands", "launch of nothing")
    program, *rest = words
    name = PurePosixPath(program).name
    if name == "socat":  # it forwards a port to a browser's debugger, which is not used here
        return
    files = [one for one in rest if not one.startswith("-")]
    flags = {one for one in rest if one.startswith("-")}
    if name in ("libreoffice", "soffice"):
        kind = [_OFFICE[flag] for flag in flags if flag in _OFFICE]
        application = kind[0] if kind else _opener(files[0]) if files else None
    else:
        application = _PROGRAMS.get(name)
    if application is None or flags - _FLAGS - _OFFICE.keys():
        raise Unsupported("commands", shlex.join(words)[:80])
    yield {"application": application}
    for file in files:
        yield {"do": "open", "path": below_home(file)}


def _opener(path: str) -> str:
    ending = PurePosixPath(path).suffix.lower()
    for application, endings in _ENDINGS.items():
        if ending in endings:
            return application
    raise Unsupported("setup steps", "open", f"no application is known for {PurePosixPath(path).name}")


def _closing(step: Step) -> set[str]:
    """Return what a step of `postconfig` does instead of the agent; others must be harmless to leave out.

    Raises:
        Unsupported: It does something else.
    """
    words = _words(step.parameters["command"]) if "command" in step.parameters else []
    match step.type:
        case "execute" | "command":
            keys = _pressed(words)
            if keys is not None and set(keys) <= _SAVING | _QUITTING | _ANSWERING:
                return {"save" for _ in _SAVING.intersection(keys)} | {
                    "quit" for _ in _QUITTING.intersection(keys)
                }
        case "launch":
            if (words[0] == "pkill" and set(words[1:]) <= _ENDED) or not any(
                "do" in one for one in _launched(words)
            ):
                return set()
        case name if name in {*_LEFT_OUT, "close_window"}:
            return set()
    raise Unsupported("steps before judging", step.type, shlex.join(words)[:80])


def _pressed(words: list[str]) -> list[str] | None:
    """Return the keys that a command of pyautogui presses, and `write` for texts, by reading its code.

    None if it does something else.
    """
    if len(words) != 3 or words[0] not in _PYTHON or words[1] != "-c" or len(words[2]) > 2_000:
        return None
    try:
        body = ast.parse(words[2].strip()).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    keys: list[str] = []
    for statement in body:
        if isinstance(statement, ast.Import):
            continue
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(module), function), arguments, [])):
                pass
            case _:
                return None
        match module, function:
            case ("time", "sleep") | ("pyautogui", "click"):
                if function == "click" and not all(isinstance(one, ast.Set) for one in arguments):
                    return None  # {SCREEN_WIDTH_HALF}, {SCREEN_HEIGHT_HALF} are read as sets
            case ("pyautogui", "hotkey" | "press"):
                try:
                    named = [ast.literal_eval(one) for one in arguments]
                except ValueError:
                    return None
                flat = [key for one in named for key in (one if isinstance(one, list) else [one])]
                keys.append("+".join("enter" if key == "return" else str(key) for key in flat))
            case ("pyautogui", "write"):
                keys.append("write")
            case _:
                return None
    return keys
