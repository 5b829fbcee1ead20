"""The state of an X server and its window manager as plain data, equal for equal desktops.

Ids of windows and atoms differ between starts, so they are replaced by names.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import xcffib
import xcffib.dpms
import xcffib.randr
import xcffib.xproto as x

from guest.display import Display

_CORE_KEYBOARD = 0x100
_LONGEST = 65_536  # 32-bit words of a property
_SELECTIONS = ("PRIMARY", "SECONDARY", "CLIPBOARD")
_VOLATILE = ("AT_SPI_BUS", "_NET_STARTUP_ID", "_NET_WM_USER_TIME")  # an address with a random part, and times

Found = dict[str, Any]


def display_state(display: Display) -> Found:
    """Return the state of a display; for use in the display's thread."""
    parts: dict[str, Callable[[Display], Any]] = {
        "keymap": _keymap,
        "modifiers": lambda one: list(one.core.GetModifierMapping().reply().keycodes),
        "keyboard": _keyboard,
        "keys": _keys,
        "buttons": lambda one: list(one.core.GetPointerMapping().reply().map),
        "acceleration": _acceleration,
        "pointer": _pointer,
        "cursor": _cursor,
        "properties": lambda one: _properties(one, one.root),
        "screen": _screen,
        "saver": _saver,
        "hosts": _hosts,
        "fonts": lambda one: sorted(path.name.to_string() for path in one.core.GetFontPath().reply().path),
        "selections": _selections,
        "focus": _focus,
        "windows": _windows,
    }
    return {name: part(display) for name, part in parts.items()}


def _keymap(display: Display) -> str:
    setup = display.connection.get_setup()
    first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
    reply = display.core.GetKeyboardMapping(first, count).reply()
    return _digest([reply.keysyms_per_keycode, *reply.keysyms])


def _keyboard(display: Display) -> list[int]:
    """Return auto-repeat, lamps, click and bell."""
    reply = display.core.GetKeyboardControl().reply()
    bell = (reply.key_click_percent, reply.bell_percent, reply.bell_pitch, reply.bell_duration)
    return [reply.global_auto_repeat, reply.led_mask, *bell, *reply.auto_repeats]


def _keys(display: Display) -> list[int]:
    """Return modifiers that are down, latched or locked, the layout's group, and all keys that are down."""
    state = display.xkb.GetState(_CORE_KEYBOARD).reply()
    down = display.core.QueryKeymap().reply().keys
    return [state.baseMods, state.latchedMods, state.lockedMods, state.group, *down]


def _acceleration(display: Display) -> list[int]:
    reply = display.core.GetPointerControl().reply()
    return [reply.acceleration_numerator, reply.acceleration_denominator, reply.threshold]


def _pointer(display: Display) -> list[int]:
    reply = display.core.QueryPointer(display.root).reply()
    return [reply.root_x, reply.root_y, reply.mask]


def _cursor(display: Display) -> str:
    shape = display.xfixes.GetCursorImage().reply()
    return _digest([shape.width, shape.height, shape.xhot, shape.yhot, *shape.cursor_image])


def _properties(display: Display, window: int) -> Found:
    found: Found = {}
    for atom in display.core.ListProperties(window).reply().atoms:
        name = _name(display, atom)
        if name not in _VOLATILE:
            found[name] = _value(display, window, atom)
    return found


def _value(display: Display, window: int, atom: int) -> Any:
    reply = display.core.GetProperty(False, window, atom, 0, 0, _LONGEST).reply()
    kind = _name(display, reply.type)
    if reply.format != 32:
        return [kind, bytes(reply.value.buf()).decode(errors="backslashreplace")]
    numbers = list(reply.value.to_atoms())
    if kind == "ATOM":
        return [kind, sorted(_name(display, number) for number in numbers)]
    return [kind, len(numbers)] if kind in ("WINDOW", "PIXMAP") else [kind, numbers]


def _screen(display: Display) -> list[Any]:
    """Return the current and the initial size, and the area of each output."""
    shape = display.core.GetGeometry(display.root).reply()
    return [shape.width, shape.height, *display.size, *_outputs(display)]


def _outputs(display: Display) -> list[list[int]]:
    if not display.has("RANDR"):
        return []
    randr = display.connection(xcffib.randr.key)
    reply = randr.GetScreenResourcesCurrent(display.root).reply()
    shown = [randr.GetCrtcInfo(crtc, reply.config_timestamp).reply() for crtc in reply.crtcs]
    return [[one.x, one.y, one.width, one.height, one.rotation] for one in shown]


def _saver(display: Display) -> list[int]:
    reply = display.core.GetScreenSaver().reply()
    return [reply.timeout, reply.interval, reply.prefer_blanking, reply.allow_exposures, *_power(display)]


def _power(display: Display) -> list[int]:
    if not display.has("DPMS"):
        return []
    power = display.connection(xcffib.dpms.key)
    if not power.Capable().reply().capable:
        return []
    about = power.Info().reply()
    return [about.power_level, about.state]


def _hosts(display: Display) -> list[Any]:
    reply = display.core.ListHosts().reply()
    return [reply.mode, len(reply.hosts)]


def _selections(display: Display) -> dict[str, bool]:
    """Return the selections that have an owner."""
    owners = {name: display.core.GetSelectionOwner(display.atom(name)).reply().owner for name in _SELECTIONS}
    return {name: owner != 0 for name, owner in owners.items()}


def _focus(display: Display) -> str:
    focus = display.core.GetInputFocus().reply().focus
    return "" if focus in (0, 1) else _title(display, focus)


def _windows(display: Display) -> list[list[Any]]:
    """Return title and box of each visible window, the lowest first."""
    found = []
    for window in display.core.QueryTree(display.root).reply().children:
        try:
            if display.core.GetWindowAttributes(window).reply().map_state == x.MapState.Viewable:
                shape = display.core.GetGeometry(window).reply()
                found.append([_title(display, window), shape.x, shape.y, shape.width, shape.height])
        except x.WindowError:  # the window has just been closed
            continue
    return found


def _title(display: Display, window: int) -> str:
    try:
        return str(_value(display, window, display.atom("WM_NAME"))[1])
    except xcffib.xproto.WindowError:
        return ""


def _name(display: Display, atom: int) -> str:
    return str(display.core.GetAtomName(atom).reply().name.to_string()) if atom else ""


def _digest(numbers: list[int]) -> str:
    return f"{zlib.crc32(repr(numbers).encode()):08x}"
