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
    "help": 0xFF6A, "undo": 0xFF65, "redo": 0xFF66, "find": 0xFF68, "cancel": 0xFF69, "select": 0xFF60,
    "execute": 0xFF62, "clear": 0xFF0B, "compose": 0xFF20,
    "kp_enter": 0xFF8D, "kp_add": 0xFFAB, "kp_subtract": 0xFFAD, "kp_multiply": 0xFFAA, "kp_divide": 0xFFAF,
    "kp_decimal": 0xFFAE, **{f"kp_{digit}": 0xFFB0 + digit for digit in range(10)},
    "dead_grave": 0xFE50, "dead_acute": 0xFE51, "dead_circumflex": 0xFE52, "dead_tilde": 0xFE53, "dead_macron": 0xFE54,
    "dead_breve": 0xFE55, "dead_abovedot": 0xFE56, "dead_diaeresis": 0xFE57, "dead_abovering": 0xFE58,
    "dead_doubleacute": 0xFE59, "dead_caron": 0xFE5A, "dead_cedilla": 0xFE5B, "dead_ogonek": 0xFE5C,
    "dead_belowdot": 0xFE60, "dead_horn": 0xFE62,
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
