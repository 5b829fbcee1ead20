"""Keys one by one, in chords, and held over others."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench.task.action import Click, HoldKey, Key, KeyDown, KeyUp, Type
from pytest_cuabench.task.keys import parse_chord

from .case import LINE, PAD, TEXT, Case, event

_NAMED = {
    "enter": "Enter", "tab": "Tab", "escape": "Escape", "backspace": "Backspace", "delete": "Delete",
    "insert": "Insert", "home": "Home", "end": "End", "pageup": "PageUp", "pagedown": "PageDown",
    "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight", "space": " ",
    "capslock": "CapsLock", "numlock": "NumLock", "scrolllock": "ScrollLock", "pause": "Pause",
    "menu": "ContextMenu", "ctrl": "Control", "shift": "Shift", "alt": "Alt", "meta": "Meta", "f1": "F1",
    "f2": "F2", "f10": "F10", "f13": "F13", "f24": "F24", "a": "a", "A": "A", "7": "7", "+": "+", "/": "/",
}  # fmt: skip

_SYMBOLS = "!@#$%^&*()_-=[]{}\\|;:'\",.<>?`~"  # where they lie on the keyboard depends on the layout


def _keys() -> Iterator[Case]:
    focus = Click(*LINE)
    for key, name in _NAMED.items():
        has = (event("keydown", key=name, repeat=False), event("keyup", key=name))
        yield Case(f"key-{key}", (focus, Key((key,))), has, counts={"keydown": 1, "keyup": 1})
    for modifiers, key, name in (
        (("ctrl",), "k", "k"), (("alt",), "x", "x"), (("meta",), "k", "k"), (("shift",), "a", "A"),
        (("ctrl",), "enter", "Enter"), (("shift",), "tab", "Tab"), (("ctrl", "alt"), "y", "y"),
    ):  # fmt: skip
        state = {one: one in modifiers for one in ("ctrl", "shift", "alt", "meta")}
        chord = (*modifiers, key)
        yield Case(f"chord-{'-'.join(chord)}", (focus, Key(chord)), (event("keydown", key=name, **state),))
    for symbol in _SYMBOLS:
        yield Case(f"symbol-{symbol}", (focus, Key((symbol,))), fields={"line": symbol}, counts={"keyup": 1})
    yield Case("key-repeat", (focus, Key(("b",), repeat=3)), fields={"line": "bbb"}, counts={"keyup": 3})
    yield Case("letters-write", (focus, Key(("q",)), Key(("shift", "w"))), fields={"line": "qW"})
    yield Case(
        "key-down-and-up", (focus, KeyDown("x"), KeyUp("x")),
        (event("keydown", key="x"), event("keyup", key="x")), fields={"line": "x"},
    )  # fmt: skip
    yield Case(
        "modifier-held-over-click", (KeyDown("ctrl"), Click(*PAD), KeyUp("ctrl"), Click(*PAD)),
        (event("click", ctrl=True), event("keyup", key="Control"), event("click", ctrl=False)),
    )  # fmt: skip
    yield Case(
        "modifier-held-over-type",
        (focus, KeyDown("shift"), Key(("e",)), KeyUp("shift")),
        fields={"line": "E"},
    )
    held = (focus, KeyDown("shift"), Type("abc 1"), KeyUp("shift"), Type("d"))
    yield Case("shift-held-over-text", held, fields={"line": "ABC !d"})
    lock = Key(("capslock",))
    yield Case(
        "capslock-and-keys",
        (focus, lock, Key(("a",)), Key(("1",)), lock, Key(("b",))),
        fields={"line": "A1b"},
    )
    yield Case("capslock-and-text", (focus, lock, Type("ab"), lock), fields={"line": "ab"})
    yield Case(
        "hold-key-repeats", (focus, HoldKey(("down",), 0.7)),
        (event("keydown", key="ArrowDown", repeat=False), event("keydown", key="ArrowDown", repeat=True)),
        counts={"keyup": 1},
    )  # fmt: skip
    yield Case("hold-key-short", (focus, HoldKey(("a",), 0.05)), fields={"line": "a"}, counts={"keyup": 1})


_PAD_KEYS = {
    **{str(digit): str(digit) for digit in range(10)}, "add": "+", "subtract": "-", "multiply": "*", "divide": "/",
    "decimal": ".",
}  # fmt: skip
_DEAD_KEYS = {
    "acute": "eé", "grave": "aà", "circumflex": "oô", "tilde": "nñ", "diaeresis": "uü", "caron": "sš", "cedilla": "cç",
    "abovering": "aå",
}  # fmt: skip
_COMPOSED = {"'e": "é", "oc": "©", "ss": "ß", "ae": "æ", "<<": "«", "12": "½", "-L": "£", "~n": "ñ"}
_OTHER_KEYS = {
    "help": "Help", "undo": "Undo", "redo": "Redo", "find": "Find", "cancel": "Cancel", "select": "Select",
    "execute": "Execute", "clear": "Clear",
}  # fmt: skip
_BROWSER_CHORDS = (
    "ctrl+r", "ctrl+l", "ctrl+u", "ctrl+d", "ctrl+f", "ctrl+g", "ctrl+h", "ctrl+j", "ctrl+o", "ctrl+p", "ctrl+s",
    "ctrl+e", "ctrl+b", "ctrl+i", "ctrl+1", "ctrl+9", "ctrl+0", "ctrl+shift+r", "ctrl+shift+d",
)  # fmt: skip


def _whole_keyboard() -> Iterator[Case]:
    """Keys beside those that write on the main part of a US keyboard, and what several of them write together."""
    line = Click(*LINE)
    for name, written in _PAD_KEYS.items():
        code = f"Numpad{name.capitalize()}"
        down = event("keydown", key=written, code=code, shift=False)
        yield Case(f"keypad-{name}", (line, Key((f"kp_{name}",))), (down,), fields={"line": written})
    enter = (Click(*TEXT), Type("a"), Key(("kp_enter",)), Type("b"))
    yield Case(
        "keypad-enter", enter, (event("keydown", key="Enter", code="NumpadEnter"),), fields={"text": "a\nb"}
    )
    yield Case(
        "keypad-sum", (line, *(Key((f"kp_{one}",)) for one in ("7", "add", "8"))), fields={"line": "7+8"}
    )
    yield Case(
        "keypad-then-arrows", (line, Key(("kp_4",)), Key(("left",)), Key(("kp_5",))), fields={"line": "54"}
    )
    yield Case("keypad-repeat", (line, Key(("kp_0",), repeat=3)), fields={"line": "000"})
    held = (line, KeyDown("kp_3"), KeyUp("kp_3"), Key(("kp_4",)))
    yield Case("keypad-down-and-up", held, (event("keyup", code="Numpad3"),), fields={"line": "34"})
    for mark, (letter, marked) in _DEAD_KEYS.items():
        dead = (line, Key((f"dead_{mark}",)), Key((letter,)))
        yield Case(f"dead-{mark}", dead, fields={"line": marked})
    yield Case("dead-capital", (line, Key(("dead_acute",)), Key(("shift", "e"))), fields={"line": "É"})
    yield Case(
        "dead-between",
        (line, Type("a"), Key(("dead_tilde",)), Key(("n",)), Type("b")),
        fields={"line": "añb"},
    )
    for pair, composed in _COMPOSED.items():
        keys = tuple(Key((one,)) for one in ("compose", *pair))
        yield Case(f"compose-{pair}", (line, *keys), fields={"line": composed})
    for key, name in _OTHER_KEYS.items():
        yield Case(f"key-{key}", (line, Key((key,))), (event("keydown", key=name), event("keyup", key=name)))
    for number in range(3, 24):
        if (key := f"f{number}") not in _NAMED:
            has = (event("keydown", key=key.upper()), event("keyup", key=key.upper()))
            yield Case(f"key-{key}", (line, Key((key,))), has)
    for character in "éßñ€я患∞Å":
        yield Case(f"foreign-{character}", (line, Key((character,))), fields={"line": character})
    for character in "éя":
        yield Case(
            f"foreign-ctrl-{character}", (line, Key(("ctrl", character)), Type("x")), fields={"line": "x"}
        )
    for text in _BROWSER_CHORDS:
        *held_keys, key = chord = parse_chord(text)
        state = {one: one in held_keys for one in ("ctrl", "shift", "alt", "meta")}
        name = key.upper() if "shift" in held_keys else key
        yield Case(f"chord-{'-'.join(chord)}", (line, Key(chord)), (event("keydown", key=name, **state),))
    for letter in "bcdefghijklmnoprstuvwxyz":
        has = (event("keydown", key=letter, code=f"Key{letter.upper()}"),)
        yield Case(f"letter-{letter}", (line, Key((letter,))), has, fields={"line": letter})
    for digit in "012345689":
        has = (event("keydown", key=digit, code=f"Digit{digit}"),)
        yield Case(f"digit-{digit}", (line, Key((digit,))), has, fields={"line": digit})


def _holds() -> Iterator[Case]:
    """Keys that stay down over others."""
    write = (Click(*LINE), Type("first words"))
    selected = (*write, KeyDown("shift"), Key(("left",), repeat=5), KeyUp("shift"), Type("z"))
    yield Case("held-shift-selects", selected, fields={"line": "first z"})
    every = (*write, KeyDown("ctrl"), Key(("a",)), KeyUp("ctrl"), Type("new"))
    yield Case("held-ctrl-selects-all", every, fields={"line": "new"})
    copied = (
        *write, KeyDown("ctrl"), Key(("a",)), Key(("c",)), KeyUp("ctrl"), Key(("end",)),
        KeyDown("ctrl"), Key(("v",)), KeyUp("ctrl"),
    )  # fmt: skip
    yield Case("held-ctrl-copies", copied, fields={"line": "first wordsfirst words"})
    yield Case(
        "held-ctrl-writes-no-text", (Click(*LINE), KeyDown("ctrl"), Type("k"), KeyUp("ctrl"), Type("x")),
        fields={"line": "x"},
    )  # fmt: skip
    yield Case(
        "held-shift-and-chord", (Click(*LINE), KeyDown("shift"), Key(("ctrl", "k")), KeyUp("shift")),
        (event("keydown", ctrl=True, shift=True, key="K"),),
    )  # fmt: skip
    two = (Click(*LINE), KeyDown("a"), KeyDown("b"), KeyUp("a"), KeyUp("b"))
    yield Case(
        "held-keys-overlap", two,
        (event("keydown", key="a"), event("keydown", key="b"), event("keyup", key="a"), event("keyup", key="b")),
        fields={"line": "ab"},
    )  # fmt: skip
    yield Case(
        "held-keys-of-a-chord",
        (KeyDown("ctrl"), KeyDown("alt"), Click(*PAD), KeyUp("alt"), KeyUp("ctrl"), Click(*PAD)),
        (event("click", ctrl=True, alt=True), event("click", ctrl=False, alt=False)),
    )  # fmt: skip
    lock = Key(("capslock",))
    yield Case("capslock-and-shift", (Click(*LINE), lock, Key(("shift", "a")), lock), fields={"line": "a"})
    signs = (Click(*LINE), lock, Key(("-",)), Key(("shift", "-")), lock)
    yield Case("capslock-and-signs", signs, fields={"line": "-_"})
    shifted = (Click(*LINE), lock, KeyDown("shift"), Key(("q",)), KeyUp("shift"), Key(("q",)), lock)
    yield Case("capslock-and-held-shift", shifted, fields={"line": "qQ"})
    held = (Click(*LINE), HoldKey(("ctrl", "a"), 0.05), Type("x"))
    yield Case("hold-key-chord", (*write, *held), fields={"line": "x"})


CASES = (*_keys(), *_whole_keyboard(), *_holds())
