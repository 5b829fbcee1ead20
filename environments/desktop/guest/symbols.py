"""Keys by name and characters as X11 key symbols."""

from __future__ import annotations

from guest.errors import BadRequest

MODIFIERS = {"ctrl": 0xFFE3, "shift": 0xFFE1, "alt": 0xFFE9, "meta": 0xFFEB}
_NAMED = {
    **MODIFIERS,
    "enter": 0xFF0D, "tab": 0xFF09, "escape": 0xFF1B, "backspace": 0xFF08, "delete": 0xFFFF, "insert": 0xFF63,
    "home": 0xFF50, "end": 0xFF57, "pageup": 0xFF55, "pagedown": 0xFF56, "up": 0xFF52, "down": 0xFF54,
    "left": 0xFF51, "right": 0xFF53, "space": 0x20, "capslock": 0xFFE5, "numlock": 0xFF7F, "scrolllock": 0xFF14,
    "printscreen": 0xFF61, "pause": 0xFF13, "menu": 0xFF67,
    **{f"f{number}": 0xFFBD + number for number in range(1, 25)},
}  # fmt: skip
_CONTROLS = {"\n": 0xFF0D, "\t": 0xFF09}


def of_key(key: str) -> int:
    """Return the symbol of a canonical key name.

    Raises:
        BadRequest: No key has this name.
    """
    if key in _NAMED:
        return _NAMED[key]
    if len(key) == 1 and key.isprintable():
        return of_character(key)
    raise BadRequest(f"unknown key {key!r}; known: single characters, {', '.join(sorted(_NAMED))}")


def of_text(text: str) -> list[int]:
    """Return the symbols of a text; each kind of line end is one Return.

    Raises:
        BadRequest: A character is a control character without a key.
    """
    return [of_character(one) for one in text.replace("\r\n", "\n").replace("\r", "\n")]


def of_character(character: str) -> int:
    """Return the symbol of one character: Latin-1 by its code, others by Unicode.

    Raises:
        BadRequest: It is a control character without a key, or a lone surrogate.
    """
    if character in _CONTROLS:
        return _CONTROLS[character]
    number = ord(character)
    if number < 0x20 or 0x7F <= number < 0xA0 or 0xD800 <= number < 0xE000:
        raise BadRequest(f"no key writes the character U+{number:04X}")
    return number if number < 0x100 else 0x01000000 + number
