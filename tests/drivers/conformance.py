"""What every driver must do with the canonical actions, as data: actions in, events of the probe page out.

A binding gives each case to its environment, on a screen of 1280x800 that shows the probe page and nothing
else, and asks its `Probe` what the page saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pytest_cuabench.task.action import (
    MAX_TEXT,
    Action,
    Click,
    Drag,
    HoldKey,
    Key,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Scroll,
    Size,
    Type,
    Wait,
)

SCREEN = Size(1280, 800)
PAD, TEXT, LINE, WORD, SCROLLER = (100, 100), (500, 60), (500, 155), (430, 200), (150, 350)
INNER, OUTER = (100, 560), (290, 620)
ITEM, TARGET = (400, 290), (640, 320)
BUTTONS = {"left": 0, "middle": 1, "right": 2, "back": 3, "forward": 4}

LOCKS = {"capslock", "numlock", "scrolllock"}

Event = Mapping[str, Any]


class Probe(Protocol):
    """Access to what the probe page recorded."""

    async def clear(self) -> None:
        """Bring a fresh page on the screen and forget the record."""

    async def events(self) -> list[dict[str, Any]]:
        """Return the events so far, in order."""

    async def fields(self) -> dict[str, str]:
        """Return what the text fields hold."""


@dataclass(frozen=True)
class Case:
    """`has` must appear in the record in this order, each event with at least these properties."""

    name: str
    actions: tuple[Action, ...]
    has: tuple[Event, ...] = ()
    lacks: tuple[Event, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    heavy: bool = False  # needs more than some seconds

    @property
    def locks(self) -> tuple[Action, ...]:
        """The actions that toggle a lock; done again, they put it back."""
        return tuple(one for one in self.actions if isinstance(one, Key) and set(one.keys) & LOCKS)


def event(kind: str, **properties: Any) -> Event:
    """Return a partial event."""
    return {"type": kind, **properties}


def fits(partial: Event, recorded: Event) -> bool:
    """Whether a recorded event has all properties of a partial one."""
    return all(recorded.get(name) == value for name, value in partial.items())


def missing(case: Case, events: list[dict[str, Any]]) -> Event | None:
    """Return the first expected event that is not in the record in its order."""
    rest = iter(events)
    return next((one for one in case.has if not any(fits(one, recorded) for recorded in rest)), None)


def _at(point: tuple[int, int]) -> dict[str, int]:
    return {"x": point[0], "y": point[1]}


def _clicks() -> Iterator[Case]:
    for name, number in BUTTONS.items():
        for count in (1, 2, 3) if number < 3 else (1,):
            last = {"button": number, "detail": count, **_at(PAD)}
            kind = "click" if number == 0 else "auxclick"
            yield Case(
                f"click-{name}-{count}",
                (Click(*PAD, button=name, count=count),),  # type: ignore[arg-type]
                (event("mousedown", **last), event("mouseup", **last), event(kind, **last)),
                counts={"mousedown": count, "mouseup": count},
            )
    yield Case("double-click-event", (Click(*PAD, count=2),), (event("dblclick", **_at(PAD)),))
    yield Case("right-click-menu", (Click(*PAD, button="right"),), (event("contextmenu", **_at(PAD)),))
    yield Case("double-click-word", (Click(*WORD, count=2),), (event("selected", words="beta"),))
    yield Case("triple-click-line", (Click(*WORD, count=3),), (event("selected", words="alpha beta gamma"),))
    for point in ((0, 0), (1279, 0), (0, 799), (1279, 799), (640, 400)):
        yield Case(f"click-at-{point[0]}-{point[1]}", (Click(*point),), (event("click", **_at(point)),))
    yield Case("click-where-the-pointer-is", (Move(*PAD), Click()), (event("click", **_at(PAD)),))
    for held in (("ctrl",), ("shift",), ("alt",), ("meta",), ("ctrl", "shift"), ("ctrl", "alt", "shift")):
        state = {key: key in held for key in ("ctrl", "shift", "alt", "meta")}
        yield Case(
            f"click-with-{'-'.join(held)}",
            (Click(*PAD, modifiers=held), Click(*PAD)),
            (event("click", **state), event("click", ctrl=False, shift=False, alt=False, meta=False)),
        )
    yield Case(
        "right-click-with-shift", (Click(*PAD, button="right", modifiers=("shift",)),),
        (event("mousedown", button=2, shift=True),),
    )  # fmt: skip


def _pointer() -> Iterator[Case]:
    yield Case("move", (Move(*PAD),), (event("mousemove", **_at(PAD), buttons=0),), counts={"mousedown": 0})
    for name, bit in (("left", 1), ("right", 2), ("middle", 4)):
        number = BUTTONS[name]
        yield Case(
            f"press-and-let-go-{name}",
            (MouseDown(*PAD, button=name), Move(150, 120), MouseUp(150, 120, button=name)),  # type: ignore[arg-type]
            (
                event("mousedown", **_at(PAD), button=number),
                event("mousemove", x=150, y=120, buttons=bit),
                event("mouseup", x=150, y=120, button=number),
            ),
        )
    path = ((60, 60), (200, 80), (250, 180))
    moves = [event("mousemove", **_at(point), buttons=1) for point in path[1:]]
    yield Case(
        "drag", (Drag(path[:2]),),
        (event("mousedown", **_at(path[0])), moves[0], event("mouseup", **_at(path[1]))),
    )  # fmt: skip
    yield Case(
        "drag-along-path", (Drag(path),),
        (event("mousedown", **_at(path[0])), *moves, event("mouseup", **_at(path[2]))),
    )  # fmt: skip
    yield Case(
        "drag-moves-between", (Drag(((60, 60), (260, 60))),), (event("mousemove", x=160, y=60, buttons=1),)
    )
    yield Case(
        "drag-with-right-button", (Drag(path[:2], button="right"),),
        (event("mousedown", button=2), event("mousemove", buttons=2), event("mouseup", button=2)),
    )  # fmt: skip
    for key in ("shift", "ctrl", "alt"):
        yield Case(
            f"drag-with-{key}", (Drag(path[:2], modifiers=(key,)),),
            (event("mousedown", **{key: True}), event("mouseup", **{key: True}), event("keyup", **{key: False})),
        )  # fmt: skip
    yield Case("drag-selects-text", (Drag(((361, 200), (408, 200))),), (event("selected", words="alpha"),))
    yield Case(
        "drag-and-drop", (Drag((ITEM, TARGET)),),
        (event("dragstart"), event("dragover"), event("drop", cargo="cargo", **_at(TARGET))),
    )  # fmt: skip
    yield Case("drag-and-drop-nowhere", (Drag((ITEM, (900, 700))),), (event("dragstart"),), (event("drop"),))


def _scrolls() -> Iterator[Case]:
    down, right = (event("wheel", **_at(SCROLLER), **{axis: 120}) for axis in ("dy", "dx"))
    for dx, dy in ((0, 1), (0, 3), (0, 5), (1, 0), (2, 0), (1, 2)):
        yield Case(
            f"scroll-{dx}-{dy}", (Scroll(*SCROLLER, dx=dx, dy=dy),),
            (*[down] * dy, event("scroll", top=120 * dy)) if dy else (*[right] * dx, event("scroll", left=120 * dx)),
            counts={"wheel": dx + dy},
        )  # fmt: skip
    yield Case(
        "scroll-down-and-up", (Scroll(*SCROLLER, dy=3), Scroll(*SCROLLER, dy=-2)),
        (*[event("wheel", dy=120)] * 3, *[event("wheel", dy=-120)] * 2, event("scroll", top=120)),
    )  # fmt: skip
    yield Case(
        "scroll-right-and-left", (Scroll(*SCROLLER, dx=2), Scroll(*SCROLLER, dx=-1)),
        (*[event("wheel", dx=120)] * 2, event("wheel", dx=-120), event("scroll", left=120)),
    )  # fmt: skip
    yield Case(
        "scroll-where-the-pointer-is", (Move(*SCROLLER), Scroll(dy=1)),
        (event("wheel", **_at(SCROLLER), dy=120),),
    )  # fmt: skip
    yield Case(
        "scroll-nested-inside", (Scroll(*INNER, dy=2),),
        (event("scroll", target="inner", top=240),), (event("scroll", target="outer"),),
    )  # fmt: skip
    yield Case(
        "scroll-nested-beside", (Scroll(*OUTER, dy=2),),
        (event("scroll", target="outer", top=240),), (event("scroll", target="inner"),),
    )  # fmt: skip
    yield Case(
        "scroll-with-shift", (Scroll(*SCROLLER, dy=1, modifiers=("shift",)),), (event("wheel", shift=True),)
    )


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


_TEXTS = {
    "plain": "hello world", "mixed-case": "Hello World AZ az", "digits": "0123456789",
    "signs": "!@#$%^&*()_+-=[]{}\\|;:'\",.<>/?`~", "spaces": "  two  spaces  ", "umlauts": "Größe für Åse, ça va?",
    "cjk": "患者の名前は王小明", "emoji": "a😀b🩺c", "joined-emoji": "x👩‍⚕️y", "combining": "e\u0301te\u0301 n\u0303",
    "arabic": "مرحبا", "hebrew": "שלום", "typography": "“quoted” – dash — … ×µ±²", "currency": "€ £ ¥ ₹",
    "mathematics": "𝒳 ≤ 𝟙 ∑", "long": "The quick brown fox jumps. " * 20,
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
    moves = (event("mousemove", **_at(point), buttons=1) for point in path[1:])
    every = (event("mousedown", **_at(path[0])), *moves, event("mouseup", **_at(path[-1])))
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
    yield Case("wait-between", (Click(*LINE), Wait(0.05), Type("after")), fields={"line": "after"})


CASES = (*_clicks(), *_pointer(), *_scrolls(), *_keys(), *_typing(), *_long_typing(), *_sequences())


def alike(cases: Iterable[Case], most: int = 3) -> set[str]:
    """Return the names of heavy cases, and of those beyond the first few of their kind: they are slow tests."""
    seen = Counter[str]()
    found = set()
    for case in cases:
        kind = case.name.partition("-")[0]
        seen[kind] += 1
        if case.heavy or seen[kind] > most:
            found.add(case.name)
    return found
