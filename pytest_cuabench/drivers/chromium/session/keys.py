"""Keys of a US keyboard: canonical names as Playwright names them, characters as the protocol sends them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

from pytest_cuabench.task.keys import DEAD, KEYPAD

_NAMES = {
    "ctrl": "Control", "shift": "Shift", "alt": "Alt", "meta": "Meta", "enter": "Enter", "tab": "Tab",
    "escape": "Escape", "backspace": "Backspace", "delete": "Delete", "insert": "Insert", "home": "Home",
    "end": "End", "pageup": "PageUp", "pagedown": "PageDown", "up": "ArrowUp", "down": "ArrowDown",
    "left": "ArrowLeft", "right": "ArrowRight", "space": " ", "capslock": "CapsLock", "numlock": "NumLock",
    "scrolllock": "ScrollLock", "printscreen": "PrintScreen", "pause": "Pause", "menu": "ContextMenu",
}  # fmt: skip
_OTHERS = {  # names in browsers, with the number of the key
    "help": ("Help", 0x2F), "undo": ("Undo", 0), "redo": ("Redo", 0), "find": ("Find", 0), "cancel": ("Cancel", 3),
    "select": ("Select", 0x29), "execute": ("Execute", 0x2B), "clear": ("Clear", 0x0C), "compose": ("Compose", 0),
    **{f"f{number}": (f"F{number}", 111 + number) for number in range(13, 25)},
    **{f"dead_{name}": ("Dead", 0) for name in DEAD},
}  # fmt: skip
_KEYPAD_CODES = {
    "add": 107, "subtract": 109, "multiply": 106, "divide": 111, "decimal": 110, "enter": 13,
    **{str(digit): 96 + digit for digit in range(10)},
}  # fmt: skip
_COMPOSED = {  # what two characters after Compose give, beside letters with a mark
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "oc": "©", "co": "©", "or": "®", "ro": "®", "=e": "€",
    "e=": "€", "=c": "€", "L-": "£", "-L": "£", "=Y": "¥", "Y=": "¥", "<<": "«", ">>": "»", "12": "½", "14": "¼",
    "34": "¾", "+-": "±", "oo": "°", "!!": "¡", "??": "¿", "xx": "×", ":-": "÷", "-:": "÷", "/o": "ø", "o/": "ø",
    "/O": "Ø", "O/": "Ø", "aa": "å", "AA": "Å", "mu": "µ", "tm": "™", "..": "…",
}  # fmt: skip
_MARKS = {
    "'": "acute", "`": "grave", "^": "circumflex", "~": "tilde", '"': "diaeresis", ",": "cedilla", ";": "ogonek",
    "c": "caron", "<": "caron", "-": "macron", "o": "abovering", "*": "abovering", "=": "doubleacute", ".": "abovedot",
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
    return None if key in _OTHERS or key in KEYPAD else key.upper()


def own_fields(key: str) -> dict[str, Any] | None:
    """Return the protocol's fields of a key that Playwright does not know, None for any other key."""
    if key in KEYPAD:
        name, written = key.removeprefix("kp_"), KEYPAD[key]
        code = "Numpad" + (name if name.isdecimal() else name.capitalize())
        fields = {"code": code, "windowsVirtualKeyCode": _KEYPAD_CODES[name], "location": 3, "isKeypad": True}
        return {**fields, "key": "Enter" if name == "enter" else written, "text": written.replace("\n", "\r")}
    if key in _OTHERS:
        name, number = _OTHERS[key]
        code = "" if name in ("Dead", "Compose") else name
        return {"key": name, "code": code, "windowsVirtualKeyCode": number}
    if len(key) == 1 and key not in _CHARACTERS:
        return {"key": key, "code": "", "windowsVirtualKeyCode": 0, "text": key}
    return None


class Composition:
    """What dead keys and Compose have gathered; what comes of it is committed as an input method does."""

    def __init__(self) -> None:
        self._keys: list[str] = []

    @property
    def begun(self) -> bool:
        """Whether it waits for the next key."""
        return bool(self._keys)

    def take(self, key: str) -> str | None:
        """Take a key that was pressed, and return the text that is to be committed; None if the key stays as it is.

        An empty text means that the key was swallowed.
        """
        if key in ("compose", *(f"dead_{name}" for name in DEAD)):
            self._keys.append(key)
            return "" if key == "compose" else None
        if not self._keys or (len(key) > 1 and key != "space"):
            return None
        self._keys.append(" " if key == "space" else key)
        if self._keys[0] == "compose" and len(self._keys) < 3:
            return ""
        (first, *rest), self._keys = self._keys, []
        return _composed(*rest) if first == "compose" else _marked(first.removeprefix("dead_"), rest[-1])


def _marked(mark: str, letter: str) -> str:
    """Return a letter with a mark; the mark alone before a space, and nothing if they do not go together."""
    if letter == " ":
        alone = {"grave": "`", "acute": "'", "circumflex": "^", "tilde": "~", "diaeresis": '"'}
        return alone.get(mark) or unicodedata.normalize("NFKC", " " + DEAD[mark])
    joined = unicodedata.normalize("NFC", letter + DEAD[mark])
    return joined if len(joined) == 1 else ""


def _composed(one: str, other: str) -> str:
    if (found := _COMPOSED.get(one + other)) is not None:
        return found
    for mark, letter in ((one, other), (other, one)):
        if mark in _MARKS and letter.isalpha() and (joined := _marked(_MARKS[mark], letter)):
            return joined
    return ""


def strokes(character: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return the protocol's key-down and key-up events that type a character, None when no key has it."""
    if character in "\n\t":
        # The Enter key's text is a carriage return; Tab has none, as it moves the focus.
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
    # Combining marks; and the joiner, the variation selector and the keycap of emoji.
    return bool(character) and ("\u0300" <= character <= "\u036f" or character in "\u200d\ufe0f\u20e3")
