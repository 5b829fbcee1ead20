"""Names of keys: one canonical spelling each, and the many others that agents write.

A key is a single character as it is, a name in lower case (`enter`, `f5`), a key of the keypad (`kp_0`, `kp_enter`), a
dead key (`dead_acute`, which joins the next letter), or `compose`. X11's names of characters are known, such as
`eacute`; they come from its public header `keysymdef.h` and lie in `keysyms.txt`.
"""

from __future__ import annotations

import difflib
import re
from functools import cache
from pathlib import Path

from pytest_cuabench.errors import ActionError

MODIFIERS = frozenset({"ctrl", "shift", "alt", "meta"})
KEYPAD = {
    **{f"kp_{digit}": str(digit) for digit in range(10)},
    "kp_add": "+", "kp_subtract": "-", "kp_multiply": "*", "kp_divide": "/", "kp_decimal": ".", "kp_enter": "\n",
}  # fmt: skip
"""Keys of the keypad with what they write."""
DEAD = {
    "grave": "\u0300", "acute": "\u0301", "circumflex": "\u0302", "tilde": "\u0303", "macron": "\u0304",
    "breve": "\u0306", "abovedot": "\u0307", "diaeresis": "\u0308", "abovering": "\u030a", "doubleacute": "\u030b",
    "caron": "\u030c", "horn": "\u031b", "belowdot": "\u0323", "cedilla": "\u0327", "ogonek": "\u0328",
}  # fmt: skip
"""Dead keys without `dead_`, with the combining character that they add."""
_NAMED = frozenset({
    "enter", "tab", "escape", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown", "up", "down",
    "left", "right", "space", "capslock", "numlock", "scrolllock", "printscreen", "pause", "menu", "help", "undo",
    "redo", "find", "cancel", "select", "execute", "clear", "compose",
})  # fmt: skip
_KNOWN = frozenset(
    {*MODIFIERS, *_NAMED, *KEYPAD, *(f"dead_{name}" for name in DEAD), *(f"f{n}" for n in range(1, 25))}
)
_SPELLINGS = {  # each key with its further names: of X11, of browsers, of pyautogui, its signs, and what models write
    "ctrl": "control ctl ⌃ ✲ ⎈", "alt": "⌥ ⎇ option altgr alt_gr alt_graph altgraph iso_level3_shift mode_switch",
    "shift": "⇧",
    "meta": "cmd command super win windows os ⌘ ❖ ⊞", "enter": "return linefeed ⏎ ↵ ↩ ⮐ ␍ ⌤",
    "escape": "esc ⎋ ␛",
    "tab": "iso_left_tab kp_tab ⇥ ↹ ␉", "backspace": "bksp back_space ⌫ ␈", "delete": "del kp_delete ⌦ ␡",
    "insert": "ins kp_insert ⎀",
    "home": "kp_home ↖ ⇱", "end": "kp_end ↘ ⇲", "pageup": "page_up prior pgup kp_page_up kp_prior ⇞",
    "pagedown": "page_down next pgdn pgdown kp_page_down kp_next ⇟", "up": "arrowup kp_up ↑ ⬆",
    "down": "arrowdown kp_down ↓ ⬇",
    "left": "arrowleft kp_left ← ⬅", "right": "arrowright kp_right → ➡", "space": "spacebar space_bar kp_space spc ␣ ␠",
    "capslock": "caps_lock caps ⇪", "numlock": "num_lock ⇭", "scrolllock": "scroll_lock", "pause": "break ⎉",
    "printscreen": "print print_screen prtsc prtscr prtscn sys_req sysrq snapshot ⎙",
    "menu": "contextmenu context_menu apps application ▤", "clear": "kp_begin ⌧", "compose": "multi_key",
    "kp_add": "add", "kp_subtract": "subtract", "kp_multiply": "multiply", "kp_divide": "divide",
    "kp_decimal": "decimal", "kp_enter": "numpad_enter numpadenter",
    "+": "plus", "-": "minus hyphen dash", "*": "asterisk star", "/": "slash", ".": "period dot",
    ",": "comma kp_separator separator", "=": "equal equals kp_equal", "\\": "backslash", ";": "semicolon",
    ":": "colon", "'": "apostrophe quoteright quote", '"': "quotedbl", "`": "grave quoteleft backquote",
    "[": "bracketleft", "]": "bracketright", "(": "parenleft", ")": "parenright", "{": "braceleft", "}": "braceright",
    "<": "less",
    ">": "greater", "_": "underscore", "!": "exclam", "?": "question", "#": "numbersign", "$": "dollar", "%": "percent",
    "&": "ampersand", "@": "at", "^": "asciicircum", "~": "asciitilde tilde", "|": "bar pipe",
}  # fmt: skip
_SIDES = ("{}_l", "{}_r", "{}left", "{}right", "{}_left", "{}_right", "left_{}", "right_{}", "l{}", "r{}")
_ALIASES = {
    " ": "space", "\n": "enter", "\t": "tab",
    **{other: key for key, others in _SPELLINGS.items() for other in others.split()},
    **{form.format(n): f"kp_{n}" for n in range(10) for form in ("num_{}", "num{}", "numpad_{}", "numpad{}")},
    **{f"numpad{key.removeprefix('kp_')}": key for key in KEYPAD},
    **{
        form.format(way): way
        for way in ("up", "down", "left", "right")
        for form in ("arrow_{}", "{}_arrow", "{}arrow")
    },
}  # fmt: skip
_ALIASES |= {
    side.format(name): key
    for key in sorted(MODIFIERS)
    for name in (key, *_SPELLINGS.get(key, "").split())
    for side in _SIDES
    if side.format(name) not in _ALIASES
}
_AS_PICTURE = "\ufe0f"  # behind a sign that is to be drawn in colours
_SYMBOLS = re.compile(r"(?<=[⌃⌥⎇⇧⌘❖⊞])(?=[^+\s])")  # behind the sign of a modifier, as in ⇧⌘T
_DASHED = re.compile(r"(?:(?:ctrl|control|shift|alt|option|meta|cmd|command|super|win)-)+(?:[^-].*|-)", re.I)


def canonical_key(name: str) -> str:
    """Return the canonical name of a key: lower case names, single characters as they are.

    Raises:
        ActionError: No key has this name.
    """
    name = name.replace(_AS_PICTURE, "")
    if len(name) == 1 and name not in _ALIASES and name.isprintable():
        return name
    plain = name.lower() if len(name) == 1 else name.strip().lower().replace(" ", "_").replace("-", "_")
    key = _ALIASES.get(plain, plain)
    if key in _KNOWN or key in _ALIASES.values():
        return key
    if (character := _character(name.strip())) is not None:
        return character
    raise ActionError(
        f"unknown key {name!r}{_nearest(plain)}; known: single characters, f1 to f24, "
        f"{', '.join(sorted(_KNOWN - {f'f{n}' for n in range(1, 25)}))}, and X11's names of characters"
    )


def parse_chord(text: str) -> tuple[str, ...]:
    """Split `ctrl+shift+t` into canonical keys; `ctrl++` is ctrl with plus, and `ctrl-t` and `⌃t` are ctrl with t."""
    if len(text) > 1:
        text = text.replace(_AS_PICTURE, "").strip()
        if (signs := _SYMBOLS.sub("+", text)) != text:
            text = signs.lower()  # menus write ⌘C for what is pressed without shift
    parts = [text] if len(text) == 1 else text.replace("++", "+plus").split("+")
    if len(parts) == 1 and _DASHED.fullmatch(text):
        parts = text.replace("--", "-minus").split("-")
    if not all(parts):
        raise ActionError(f"{text!r} is not a key chord; write keys joined by '+', for example ctrl+a")
    return tuple(canonical_key(part if len(part) == 1 else part.strip()) for part in parts)


def parse_chords(text: str) -> tuple[tuple[str, ...], ...]:
    """Split `ctrl+a Delete` into chords that are pressed in sequence; names such as `Page Down` are one key.

    Raises:
        ActionError: A part is no chord.
    """
    try:
        return (parse_chord(text),)
    except ActionError:
        if len(parts := text.split()) < 2:
            raise
        return tuple(map(parse_chord, parts))


def _character(name: str) -> str | None:
    """Return the character that X11 calls by a name, such as `eacute`, `EuroSign` or `U20AC`."""
    if found := re.fullmatch(r"[Uu]\+?([0-9A-Fa-f]{4,6})", name):
        number = int(found[1], 16)
        character = chr(number) if number < 0x110000 else ""
        return character if character and character.isprintable() else None
    return _x11().get(name)


@cache
def _x11() -> dict[str, str]:
    lines = Path(__file__).with_name("keysyms.txt").read_text(encoding="utf-8").splitlines()
    return {name: character for name, _, character in (line.partition(" ") for line in lines)}


def _nearest(name: str) -> str:
    near = difflib.get_close_matches(name, {*_KNOWN, *_ALIASES}, 1)
    return f", did you mean {near[0]!r}?" if near else ""
