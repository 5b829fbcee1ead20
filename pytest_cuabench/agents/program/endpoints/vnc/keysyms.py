"""The numbers that X11 and VNC give to keys.

Characters of Latin-1 have their own number, others 0x01000000 and their code point; older numbers follow the national
character sets of their time, with the set in the second byte.
"""

from __future__ import annotations

_NAMED = {
    0xFF08: "backspace", 0xFF09: "tab", 0xFF0A: "enter", 0xFF0B: "clear", 0xFF0D: "enter", 0xFF13: "pause",
    0xFF14: "scrolllock", 0xFF15: "printscreen", 0xFF1B: "escape", 0xFF20: "compose", 0xFF50: "home", 0xFF51: "left",
    0xFF52: "up", 0xFF53: "right", 0xFF54: "down", 0xFF55: "pageup", 0xFF56: "pagedown", 0xFF57: "end",
    0xFF60: "select", 0xFF61: "printscreen", 0xFF62: "execute", 0xFF63: "insert", 0xFF65: "undo", 0xFF66: "redo",
    0xFF67: "menu", 0xFF68: "find", 0xFF69: "cancel", 0xFF6A: "help", 0xFF6B: "pause", 0xFF7F: "numlock",
    0xFF80: "space", 0xFF89: "tab", 0xFF8D: "kp_enter", 0xFF95: "home", 0xFF96: "left", 0xFF97: "up", 0xFF98: "right",
    0xFF99: "down", 0xFF9A: "pageup", 0xFF9B: "pagedown", 0xFF9C: "end", 0xFF9D: "clear", 0xFF9E: "insert",
    0xFF9F: "delete", 0xFFAA: "kp_multiply", 0xFFAB: "kp_add", 0xFFAC: ",", 0xFFAD: "kp_subtract",
    0xFFAE: "kp_decimal", 0xFFAF: "kp_divide", 0xFFBD: "=", 0xFFE5: "capslock", 0xFFFF: "delete",
    0xFE20: "tab",  # with Shift, on its key
    **{0xFFB0 + digit: f"kp_{digit}" for digit in range(10)},
    **{0xFFBE + number: f"f{number + 1}" for number in range(24)},
    **dict.fromkeys((0xFFE1, 0xFFE2), "shift"), **dict.fromkeys((0xFFE3, 0xFFE4), "ctrl"),
    **dict.fromkeys((0xFFE7, 0xFFE8, 0xFFEB, 0xFFEC), "meta"), **dict.fromkeys((0xFFE9, 0xFFEA), "alt"),
    **{0xFE50 + number: f"dead_{name}" for number, name in enumerate(
        ("grave", "acute", "circumflex", "tilde", "macron", "breve", "abovedot", "diaeresis", "abovering",
         "doubleacute", "caron", "cedilla", "ogonek")
    )},
    0xFE60: "dead_belowdot", 0xFE62: "dead_horn",
}  # fmt: skip
_SETS = {
    0x01: "iso8859_2", 0x02: "iso8859_3", 0x03: "iso8859_4", 0x05: "iso8859_6", 0x06: "koi8_r", 0x07: "iso8859_7",
    0x0C: "iso8859_8", 0x0D: "cp874", 0x13: "iso8859_15",
}  # fmt: skip
_SINGLE = {
    0x07D2: "Σ", 0x0AA9: "—", 0x0AAA: "–", 0x0AAE: "…", 0x0AD0: "‘", 0x0AD1: "’", 0x0AD2: "“", 0x0AD3: "”",
    0x20AC: "€",
}  # fmt: skip
LEVELS = frozenset(
    {0xFE03, 0xFF7E, 0xFE11}
)  # AltGr and its like: the key that follows is already the character


def key_of(keysym: int) -> str | None:
    """Return the canonical name of the key with a number; None if it has no name here."""
    return _NAMED.get(keysym) or _character(keysym)


def _character(keysym: int) -> str | None:
    if 0x20 <= keysym <= 0xFF:
        character = chr(keysym)
    elif 0x0100_0020 <= keysym <= 0x0110_FFFF and not 0x0100_D800 <= keysym <= 0x0100_DFFF:
        character = chr(keysym - 0x0100_0000)
    else:
        character = _SINGLE.get(keysym) or _old(keysym)
    return "space" if character == " " else character if character.isprintable() and character else None


def _old(keysym: int) -> str:
    table, byte = _SETS.get(keysym >> 8), keysym & 0xFF
    return bytes([byte]).decode(table, "ignore") if table and byte >= 0xA0 else ""
