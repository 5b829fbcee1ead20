"""Texts that are typed, and edited by keys."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench.task.action import MAX_TEXT, Click, Drag, Key, Type, Wait
from pytest_cuabench.task.keys import parse_chord

from .case import LINE, TEXT, Case, at, event

_TEXTS = {
    "plain": "hello world", "mixed-case": "Hello World AZ az", "digits": "0123456789",
    "signs": "!@#$%^&*()_+-=[]{}\\|;:'\",.<>/?`~", "spaces": "  two  spaces  ", "umlauts": "Größe für Åse, ça va?",
    "cjk": "患者の名前は王小明", "emoji": "a😀b🩺c", "joined-emoji": "x👩‍⚕️y", "combining": "e\u0301te\u0301 n\u0303",
    "arabic": "مرحبا", "hebrew": "שלום", "typography": "“quoted” – dash — … ×µ±²", "currency": "€ £ ¥ ₹",
    "mathematics": "𝒳 ≤ 𝟙 ∑", "cyrillic": "Привет, мир", "greek": "Καλημέρα κόσμε", "thai": "สวัสดีครับ",
    "hindi": "नमस्ते दुनिया", "korean": "안녕하세요", "kana": "ひらがなカタカナ", "vietnamese": "Tiếng Việt phở",
    "polish": "Zażółć gęślą jaźń", "turkish": "İıŞşĞğ", "flags": "a🇩🇪b", "skin": "x👍🏽y", "keycap": "x1️⃣y",
    "arrows": "← ↑ → ↓ ⇒", "fractions": "½ ¼ ¾ H₂O m²", "boxes": "┌─┐│└┘", "greek-units": "37.4 °C, 5 µg/ml ±0.1",
    "url": "https://example.org/a?b=c&d=%20#e", "mail": "first.last+tag@example.org", "path": "/home/a b/c.txt",
    "json": '{"a": [1, "b\\n"], "c": null}', "html": "<b class='x'>1 &amp; 2</b>",
    "sql": "SELECT * FROM t WHERE a = 'b';", "shell": "echo \"$HOME\" | sed 's/a/b/' && ls ~/*",
    "latex": "\\frac{a_1}{b^2} \\% \\&", "long": "The quick brown fox jumps. " * 20,
}  # fmt: skip


_MANY = {
    "thousand": ("The quick brown fox jumps. " * 40)[:1000], "signs": "".join(map(chr, range(0x4E00, 0x4E00 + 600))),
}  # fmt: skip
_PARAGRAPH = "Größe, ça va? e\u0301n\u0303 患者の名前 a😀b x👩‍⚕️y שלום “q” – €\n\nThe quick brown fox.\n"
_LONGEST = {
    "ascii": ("The quick brown fox jumps. " * 800)[: MAX_TEXT - 1] + "!",
    "mixed": (_PARAGRAPH * 300)[: MAX_TEXT - 1] + "!",
    "signs": "".join(chr(0x4E00 + number * number % 3000) for number in range(MAX_TEXT // 4)),
}  # fmt: skip


def _long_typing() -> Iterator[Case]:
    for name, text in _MANY.items():
        yield Case(f"type-many-{name}", (Click(*LINE), Type(text)), fields={"line": text})
    for name, text in _LONGEST.items():
        yield Case(f"type-longest-{name}", (Click(*TEXT), Type(text)), fields={"text": text}, heavy=True)
    tabbed = "x" * 900 + "\t" + "y" * 900
    yield Case(
        "type-long-with-tab", (Click(*TEXT), Type(tabbed)), fields={"text": "x" * 900, "line": "y" * 900}
    )
    path = tuple((30 + number % 280, 30 + number // 6) for number in range(1000))
    moves = (event("mousemove", **at(point), buttons=1) for point in path[1:])
    every = (event("mousedown", **at(path[0])), *moves, event("mouseup", **at(path[-1])))
    yield Case("drag-many-points", (Drag(path),), every, heavy=True)


def _typing() -> Iterator[Case]:
    for name, text in _TEXTS.items():
        yield Case(f"type-{name}", (Click(*LINE), Type(text)), fields={"line": text})
    yield Case(
        "type-with-keys", (Click(*LINE), Type("aB!")),
        (
            event("keydown", key="a", code="KeyA", shift=False),
            event("keydown", key="B", code="KeyB", shift=True),
            event("keydown", key="!", code="Digit1", shift=True),
        ),
        counts={"keydown": 3, "keyup": 3},
    )  # fmt: skip
    yield Case("type-lines", (Click(*TEXT), Type("one\ntwo\n\nfour")), fields={"text": "one\ntwo\n\nfour"})
    yield Case("type-windows-lines", (Click(*TEXT), Type("one\r\ntwo")), fields={"text": "one\ntwo"})
    yield Case("type-tab", (Click(*TEXT), Type("a\tb")), fields={"text": "a", "line": "b"})
    program = "def f(x):\n    if x > 1:\n        return x\n\n    return -1\n"
    yield Case("type-program", (Click(*TEXT), Type(program)), fields={"text": program})
    yield Case("type-in-parts", (Click(*LINE), Type("ab"), Type("cé"), Type("d")), fields={"line": "abcéd"})
    two = (Click(*LINE), Type("first"), Click(*TEXT), Type("second"))
    yield Case("type-in-two-fields", two, fields={"line": "first", "text": "second"})
    yield Case("type-nothing", (Click(*LINE), Type("")), counts={"keydown": 0})


def _sequences() -> Iterator[Case]:
    write, every = (Click(*LINE), Type("first words")), Key(("ctrl", "a"))
    yield Case("replace-all", (*write, every, Type("new")), fields={"line": "new"})
    yield Case("delete-all", (*write, every, Key(("delete",))), fields={"line": ""})
    yield Case("backspace-some", (*write, Key(("backspace",), repeat=5)), fields={"line": "first "})
    yield Case("home-and-insert", (*write, Key(("home",)), Type("x")), fields={"line": "xfirst words"})
    yield Case("undo", (*write, every, Key(("delete",)), Key(("ctrl", "z"))), fields={"line": "first words"})
    copied = (*write, every, Key(("ctrl", "c")), Click(*TEXT), Key(("ctrl", "v")))
    yield Case("copy-and-paste", copied, fields={"text": "first words"})
    cut = (*write, every, Key(("ctrl", "x")), Click(*TEXT), Key(("ctrl", "v")))
    yield Case("cut-and-paste", cut, fields={"line": "", "text": "first words"})
    chosen = (*write, Key(("shift", "home")), Type("z"))
    yield Case("select-to-home", chosen, fields={"line": "z"})
    word = (*write, Key(("ctrl", "shift", "left")), Type("w"))
    yield Case("select-a-word", word, fields={"line": "first w"})
    lines = (Click(*TEXT), Type("one\ntwo\nthree"))
    for name, keys, found in (
        ("start-of-text", ("ctrl+home",), "xone\ntwo\nthree"),
        ("end-of-text", ("ctrl+home", "ctrl+end"), "one\ntwo\nthreex"),
        ("line-up", ("up", "end"), "one\ntwox\nthree"),
        ("line-down", ("ctrl+home", "down"), "one\nxtwo\nthree"),
        ("start-of-line", ("home",), "one\ntwo\nxthree"),
        ("over-the-line", ("shift+home",), "one\ntwo\nx"),
        ("over-all-before", ("ctrl+shift+home",), "x"),
        ("over-line-up", ("end", "shift+up", "shift+home"), "one\nx"),
        ("join-lines", ("home", "backspace"), "one\ntwoxthree"),
        ("split-line", ("home", "enter"), "one\ntwo\n\nxthree"),
        ("delete-ahead", ("ctrl+home", "delete", "delete"), "xe\ntwo\nthree"),
    ):  # fmt: skip
        yield Case(
            f"edit-{name}",
            (*lines, *(Key(parse_chord(key)) for key in keys), Type("x")),
            fields={"text": found},
        )
    for name, keys, found in (
        ("word-before", ("ctrl+backspace",), "first x"),
        ("word-after", ("home", "ctrl+delete"), "x words"),
        ("word-left", ("ctrl+left",), "first xwords"),
        ("two-words-left", ("ctrl+left", "ctrl+left"), "xfirst words"),
        ("left-and-right", ("left", "left", "right"), "first wordxs"),
        ("to-the-end", ("home", "shift+end"), "x"),
        ("left-of-selection", ("ctrl+a", "left"), "xfirst words"),
        ("right-of-selection", ("ctrl+a", "right"), "first wordsx"),
        ("delete-selection", ("shift+left", "delete"), "first wordx"),
        ("paste-over", ("ctrl+a", "ctrl+c", "ctrl+v"), "first wordsx"),
        ("paste-twice", ("ctrl+a", "ctrl+x", "ctrl+v", "ctrl+v"), "first wordsfirst wordsx"),
        ("insert-keys", ("ctrl+a", "ctrl+insert", "end", "shift+insert"), "first wordsfirst wordsx"),
        ("cut-keys", ("ctrl+a", "shift+delete", "shift+insert"), "first wordsx"),
    ):  # fmt: skip
        yield Case(
            f"edit-{name}",
            (*write, *(Key(parse_chord(key)) for key in keys), Type("x")),
            fields={"line": found},
        )
    yield Case("edit-next-field", (*lines, Key(("tab",)), Type("x")), fields={"line": "x"})
    yield Case("edit-field-before", (*write, Key(("shift", "tab")), Type("x")), fields={"text": "x"})
    yield Case(
        "edit-double-clicked", (*write, Click(380, 155, count=2), Type("x")), fields={"line": "x words"}
    )
    yield Case("edit-triple-clicked", (*write, Click(380, 155, count=3), Type("x")), fields={"line": "x"})
    yield Case("edit-clicked", (*write, Click(750, 155), Type("x")), fields={"line": "first wordsx"})
    yield Case("wait-between", (Click(*LINE), Wait(0.05), Type("after")), fields={"line": "after"})


CASES = (*_typing(), *_long_typing(), *_sequences())
