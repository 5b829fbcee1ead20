"""Keys of a US keyboard: canonical names as Playwright names them, characters as the protocol sends them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_NAMES = {
    "ctrl": "Control", "shift": "Shift", "alt": "Alt", "meta": "Meta", "enter": "Enter", "tab": "Tab",
    "escape": "Escape", "backspace": "Backspace", "delete": "Delete", "insert": "Insert", "home": "Home",
    "end": "End", "pageup": "PageUp", "pagedown": "PageDown", "up": "ArrowUp", "down": "ArrowDown",
    "left": "ArrowLeft", "right": "ArrowRight", "space": " ", "capslock": "CapsLock", "numlock": "NumLock",
    "scrolllock": "ScrollLock", "printscreen": "PrintScreen", "pause": "Pause", "menu": "ContextMenu",
}  # fmt: skip
BITS = {"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}

_SIGNS = {
    "`~": ("Backquote", 192), "-_": ("Minus", 189), "=+": ("Equal", 187), "[{": ("BracketLeft", 219),
    "]}": ("BracketRight", 221), "\\|": ("Backslash", 220), ";:": ("Semicolon", 186), "'\"": ("Quote", 222),
    ",<": ("Comma", 188), ".>": ("Period", 190), "/?": ("Slash", 191),
}  # fmt: skip


def _layout() -> Iterator[tuple[str, str, int, bool]]:
    for letter in "abcdefghijklmnopqrstuvwxyz":
        yield letter, f"Key{letter.upper()}", ord(letter.upper()), False
        yield letter.upper(), f"Key{letter.upper()}", ord(letter.upper()), True
    for digit, shifted in zip("0123456789", ")!@#$%^&*(", strict=True):
        yield digit, f"Digit{digit}", ord(digit), False
        yield shifted, f"Digit{digit}", ord(digit), True
    for pair, (code, number) in _SIGNS.items():
        yield pair[0], code, number, False
        yield pair[1], code, number, True
    yield " ", "Space", 32, False


_CHARACTERS = {character: (code, number, shifted) for character, code, number, shifted in _layout()}


_BY_CODE = {(code, shifted): character for character, (code, _, shifted) in _CHARACTERS.items()}


def with_locks(character: str, *, shift: bool, caps: bool = False) -> str:
    """Return the character that a key gives while Shift is held or Caps Lock is on, as on a real keyboard."""
    if character not in _CHARACTERS:
        return character
    code, _, shifted = _CHARACTERS[character]
    upper = shifted or shift
    if caps and character.isalpha():
        upper = not upper
    return _BY_CODE.get((code, upper), character)


def playwright_name(key: str, shift: bool = False) -> str | None:
    """Return Playwright's name of a canonical key, None for one it does not know.

    A character is named by its physical key, so that with shift held it gives the shifted character.
    """
    if key in _NAMES:
        return _NAMES[key]
    if len(key) == 1:
        code, _, shifted = _CHARACTERS.get(key, (None, 0, False))
        return key if shifted and not shift else code
    return key.upper() if int(key[1:]) <= 12 else None


def function_key_fields(key: str) -> dict[str, Any] | None:
    """Return the protocol's fields of f13 to f24, None for any other key."""
    if len(key) < 3 or not key[1:].isdecimal():
        return None
    return {"key": key.upper(), "code": key.upper(), "windowsVirtualKeyCode": 111 + int(key[1:])}


def strokes(character: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return the protocol's key-down and key-up events that type a character, None when no key has it."""
    if character in "\n\t":
        name, number, text = ("Enter", 13, "\r") if character == "\n" else ("Tab", 9, "")
        fields: dict[str, Any] = {"key": name, "code": name, "windowsVirtualKeyCode": number}
        return {"type": "keyDown" if text else "rawKeyDown", **fields, "text": text}, {
            "type": "keyUp",
            **fields,
        }
    if character not in _CHARACTERS:
        return None
    code, number, shifted = _CHARACTERS[character]
    fields = {
        "key": character,
        "code": code,
        "windowsVirtualKeyCode": number,
        "modifiers": 8 if shifted else 0,
    }
    down = {"type": "keyDown", **fields, "text": character, "unmodifiedText": character}
    return down, {"type": "keyUp", **fields}


def runs(text: str) -> Iterator[tuple[bool, str]]:
    """Split a text into runs, each typed with keys (True) or inserted whole (False).

    A character is kept together with the combining marks that follow it.
    """
    run, keyed = "", True
    for place, character in enumerate(text):
        follows = text[place + 1 : place + 2]
        has_key = strokes(character) is not None and not _joins(follows)
        if has_key != keyed and run:
            yield keyed, run
            run = ""
        keyed, run = has_key, run + character
    if run:
        yield keyed, run


def _joins(character: str) -> bool:
    return bool(character) and ("\u0300" <= character <= "\u036f" or character in "\u200d\ufe0f\u20e3")
