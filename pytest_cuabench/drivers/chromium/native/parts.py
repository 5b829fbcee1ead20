"""Parts of a browser beside the page: what they are called, which keys reach them, and what an agent does instead.

A page's own handlers see every key first, except the few that browsers keep for themselves (`RESERVED`). What they
leave the driver does (`COMMANDS`), or `keys.js` tells it, and a notice tells the agent that the part does not exist;
nothing is refused silently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

ADDRESS, TABS, TOOLS, SAVING = "address bar", "tabs and windows", "developer tools", "saving and settings"
MENU, FIND, ZOOM, FULL, PICKER, PRINT = (
    "context menu",
    "find bar",
    "zoom",
    "full screen",
    "file picker",
    "print",
)
FRAME, LOCK = "sandboxed frame", "pointer lock"

RELOAD, BACK, FORWARD = "reload", "back", "forward"
COMMANDS = (RELOAD, BACK, FORWARD, *"123456789")  # of a browser without a window; a digit shows a tab

# Part -> what the agent is told, after its name.
_INSTEAD = {
    ADDRESS: "there is no address bar on this screen; the action navigate opens an address of the application",
    TABS: "this key opens no tab or window here; links of the application do, and switch_tab changes between them",
    TOOLS: "the browser's tools and page sources are not available",
    SAVING: "the browser's own pages (saving, bookmarks, history, settings) are not available",
    MENU: "this browser shows no context menu; the right click reached the page, which has none of its own",
    FIND: "this browser has no find bar; scroll, or use the application's own search",
    ZOOM: "this browser does not zoom; the page was not changed",
    FULL: "the page fills the whole screen already",
    FRAME: "this part of the page runs no scripts; lists in it do not open here, but arrow keys change them",
    **{
        f"permission {name}": f"the page asked for the permission {name}, which was refused without a prompt; "
        "pages here get what the world grants, and nobody can allow more"
        for name in ("geolocation", "notifications", "camera", "microphone", "clipboard-read")
    },
    LOCK: "the page asked to hold the pointer (requestPointerLock), which this browser does not do",
    PICKER: "this browser opens no file picker for scripts (showOpenFilePicker); fields for files work",
}
_KEYS = {
    ADDRESS: "ctrl+l alt+d f6 shift+f6 ctrl+k ctrl+e alt+shift+t alt+shift+a",
    TABS: "ctrl+t ctrl+n ctrl+shift+n ctrl+shift+t ctrl+shift+a ctrl+shift+w alt+f4 alt+tab alt+shift+tab alt+home",
    RELOAD: "f5 ctrl+r ctrl+f5 ctrl+shift+r",
    BACK: "alt+left",
    FORWARD: "alt+right",
    **{digit: f"ctrl+{digit}" for digit in "123456789"},
    TOOLS: "ctrl+u f12 ctrl+shift+i ctrl+shift+j ctrl+shift+c shift+escape",
    SAVING: "ctrl+s ctrl+o ctrl+d ctrl+shift+d ctrl+shift+o ctrl+shift+b ctrl+shift+delete ctrl+h ctrl+j f1 f7 f10 "
    "alt+f alt+e ctrl+shift+q ctrl+shift+m ctrl+shift+s alt+shift+i",
    FIND: "ctrl+f f3 ctrl+g ctrl+shift+g shift+f3",
    ZOOM: "ctrl++ ctrl+= ctrl+shift++ ctrl+- ctrl+shift+_ ctrl+0",
    FULL: "f11",
    PRINT: "ctrl+p",
}
RESERVED = frozenset(
    {"ctrl+t", "ctrl+n", "ctrl+shift+n", "ctrl+shift+t", "ctrl+shift+w", "ctrl+w", "ctrl+f4"}
    | {"ctrl+tab", "ctrl+shift+tab", "ctrl+pageup", "ctrl+pagedown"}
)  # pages never see these
_BEYOND = frozenset(
    {ADDRESS, TABS, TOOLS, SAVING, FULL}
)  # not on the screen even where the browser has a window
_ORDER = ("ctrl", "alt", "shift", "meta")


def _chords(*parts: str) -> Iterator[tuple[str, str]]:
    for part in parts:
        for chord in _KEYS[part].split():
            yield chord, part


BY_CHORD = dict(_chords(*_KEYS))


def beyond_the_page(keys: Sequence[str]) -> bool:
    """Whether keys, in the order in which they are pressed, lead to something that is not on the screen."""
    chord = chord_of(keys)
    part = BY_CHORD.get(chord)
    return part in _BEYOND or chord in RESERVED or str(part).isdecimal()  # tabs are switched by the driver


def notice(part: object, *, window: bool) -> str | None:
    """Return what an agent is told about a part that its input led to; None where the browser has the part."""
    if not isinstance(part, str) or part not in _INSTEAD or (window and part not in _BEYOND | {PICKER}):
        return None
    sentence = _INSTEAD[part]
    return f"{sentence[0].upper()}{sentence[1:]}."


def part_of(chord: str) -> str | None:
    """Return the part that a chord leads to."""
    return BY_CHORD.get(chord)


def chord_of(keys: Sequence[str]) -> str:
    """Return keys in the order in which they are pressed as one text, such as `ctrl+shift+n`."""
    *held, last = (key.lower() for key in keys)
    return "+".join([name for name in _ORDER if name in held] + [last]) if held or last else ""
