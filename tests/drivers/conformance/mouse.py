"""Clicks, moves, drags and the wheel."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench.task.action import Click, Drag, KeyDown, KeyUp, MouseDown, MouseUp, Move, Scroll

from .case import BUTTONS, INNER, ITEM, OUTER, PAD, SCROLLER, TARGET, WORD, Case, at, event


def _clicks() -> Iterator[Case]:
    for name, number in BUTTONS.items():
        for count in (1, 2, 3) if number < 3 else (1,):
            last = {"button": number, "detail": count, **at(PAD)}
            kind = "click" if number == 0 else "auxclick"
            yield Case(
                f"click-{name}-{count}",
                (Click(*PAD, button=name, count=count),),  # type: ignore[arg-type]
                (event("mousedown", **last), event("mouseup", **last), event(kind, **last)),
                counts={"mousedown": count, "mouseup": count},
            )
    yield Case("double-click-event", (Click(*PAD, count=2),), (event("dblclick", **at(PAD)),))
    yield Case("right-click-menu", (Click(*PAD, button="right"),), (event("contextmenu", **at(PAD)),))
    yield Case("double-click-word", (Click(*WORD, count=2),), (event("selected", words="beta"),))
    yield Case("triple-click-line", (Click(*WORD, count=3),), (event("selected", words="alpha beta gamma"),))
    for point in ((0, 0), (1279, 0), (0, 799), (1279, 799), (640, 400)):
        yield Case(f"click-at-{point[0]}-{point[1]}", (Click(*point),), (event("click", **at(point)),))
    yield Case("click-where-the-pointer-is", (Move(*PAD), Click()), (event("click", **at(PAD)),))
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
    yield Case("move", (Move(*PAD),), (event("mousemove", **at(PAD), buttons=0),), counts={"mousedown": 0})
    for name, bit in (("left", 1), ("right", 2), ("middle", 4)):
        number = BUTTONS[name]
        yield Case(
            f"press-and-let-go-{name}",
            (MouseDown(*PAD, button=name), Move(150, 120), MouseUp(150, 120, button=name)),  # type: ignore[arg-type]
            (
                event("mousedown", **at(PAD), button=number),
                event("mousemove", x=150, y=120, buttons=bit),
                event("mouseup", x=150, y=120, button=number),
            ),
        )
    path = ((60, 60), (200, 80), (250, 180))
    moves = [event("mousemove", **at(point), buttons=1) for point in path[1:]]
    yield Case(
        "drag", (Drag(path[:2]),),
        (event("mousedown", **at(path[0])), moves[0], event("mouseup", **at(path[1]))),
    )  # fmt: skip
    yield Case(
        "drag-along-path", (Drag(path),),
        (event("mousedown", **at(path[0])), *moves, event("mouseup", **at(path[2]))),
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
        (event("dragstart"), event("dragover"), event("drop", cargo="cargo", **at(TARGET))),
    )  # fmt: skip
    yield Case("drag-and-drop-nowhere", (Drag((ITEM, (900, 700))),), (event("dragstart"),), (event("drop"),))


def _scrolls() -> Iterator[Case]:
    down, right = (event("wheel", **at(SCROLLER), **{axis: 120}) for axis in ("dy", "dx"))
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
        (event("wheel", **at(SCROLLER), dy=120),),
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


def _presses() -> Iterator[Case]:
    """Buttons that are pressed and let go one by one."""
    both = (
        MouseDown(*PAD), MouseDown(button="right"), Move(150, 120), MouseUp(button="right"), MouseUp(),
    )  # fmt: skip
    yield Case(
        "buttons-together", both,
        (
            event("mousedown", button=0), event("mousedown", button=2), event("mousemove", buttons=3),
            event("mouseup", button=2), event("mouseup", button=0),
        ),
    )  # fmt: skip
    pressed = (MouseDown(*PAD), MouseUp(*PAD))
    yield Case(
        "presses-of-a-double-click", pressed * 2, (event("dblclick", **at(PAD)),), counts={"mousedown": 2}
    )
    yield Case("presses-of-a-triple-click", pressed * 3, (event("mousedown", detail=3),))
    yield Case(
        "presses-far-apart", (*pressed, MouseDown(200, 180), MouseUp(200, 180)), (event("click"), event("click")),
        (event("dblclick"),),
    )  # fmt: skip
    yield Case("clicks-of-two-actions", (Click(*PAD),) * 2, (event("click"),) * 2, (event("dblclick"),))
    yield Case("clicks-of-three-actions", (Click(*PAD),) * 3, (event("click"),) * 3, (event("dblclick"),))
    yield Case(
        "press-here-let-go-there", (MouseDown(*PAD), MouseUp(*SCROLLER)),
        (event("mousedown", **at(PAD)), event("mouseup", **at(SCROLLER))), (event("click", target="scroller"),),
    )  # fmt: skip
    yield Case(
        "press-where-the-pointer-is", (Move(*PAD), MouseDown(), MouseUp()),
        (event("mousedown", **at(PAD)), event("mouseup", **at(PAD)), event("click", **at(PAD))),
    )  # fmt: skip
    chosen = (MouseDown(361, 200), Move(380, 200), Move(408, 200), MouseUp(408, 200))
    yield Case("press-and-move-selects-text", chosen, (event("selected", words="alpha"),))
    yield Case(
        "press-and-move-drags", (MouseDown(*ITEM), Move(420, 300), Move(600, 310), Move(*TARGET), MouseUp()),
        (event("dragstart"), event("dragover"), event("drop", cargo="cargo")),
    )  # fmt: skip
    for held in ("ctrl", "shift", "alt", "meta"):
        down, up = KeyDown(held), KeyUp(held)
        yield Case(
            f"held-{held}-over-click", (down, Click(*PAD), up, Click(*PAD)),
            (event("click", **{held: True}), event("click", **{held: False})),
        )  # fmt: skip
        yield Case(
            f"held-{held}-over-press", (MouseDown(*PAD), down, MouseUp(), up),
            (event("mousedown", **{held: False}), event("mouseup", **{held: True})),
        )  # fmt: skip
    for held in ("ctrl", "shift", "alt"):
        yield Case(
            f"held-{held}-over-scroll", (KeyDown(held), Scroll(*SCROLLER, dy=1), KeyUp(held)),
            (event("wheel", **{held: True}),), counts={"wheel": 1},
        )  # fmt: skip
        yield Case(
            f"held-{held}-over-drag", (KeyDown(held), Drag(((60, 60), (200, 80))), KeyUp(held)),
            (event("mousedown", **{held: True}), event("mouseup", **{held: True})),
        )  # fmt: skip
    back = ((250, 180), (120, 160), (60, 60))
    yield Case(
        "drag-back", (Drag(back),),
        (event("mousedown", x=250, y=180), event("mousemove", x=120, y=160), event("mouseup", x=60, y=60)),
    )  # fmt: skip
    yield Case(
        "drag-with-middle-button", (Drag(back, button="middle"),),
        (event("mousedown", button=1), event("mousemove", buttons=4), event("mouseup", button=1)),
    )  # fmt: skip
    yield Case(
        "drag-then-click", (Drag(back), Click(*PAD)), (event("mouseup"), event("click", detail=1, **at(PAD)))
    )
    places = ((30, 30), (300, 30), (300, 200), (30, 200))
    yield Case(
        "move-around",
        tuple(Move(*place) for place in places),
        tuple(event("mousemove", **at(place)) for place in places),
    )


def _wheel() -> Iterator[Case]:
    up, left = event("wheel", dy=-120), event("wheel", dx=-120)
    for dx, dy in ((0, 10), (0, 20), (7, 0)):
        yield Case(
            f"scroll-{dx}-{dy}", (Scroll(*SCROLLER, dx=dx, dy=dy),),
            (event("scroll", top=120 * dy) if dy else event("scroll", left=120 * dx),), counts={"wheel": dx + dy},
        )  # fmt: skip
    yield Case(
        "scroll-up-at-the-top", (Scroll(*SCROLLER, dy=-2),), (up, up), (event("scroll"),), counts={"wheel": 2}
    )
    yield Case("scroll-left-at-the-left", (Scroll(*SCROLLER, dx=-1),), (left,), (event("scroll"),))
    yield Case(
        "scroll-and-back", (Scroll(*SCROLLER, dy=4), Scroll(*SCROLLER, dy=-4)), (up, event("scroll", top=0))
    )
    yield Case(
        "scroll-two-areas", (Scroll(*SCROLLER, dy=1), Scroll(*INNER, dy=1)),
        (event("scroll", target="scroller", top=120), event("scroll", target="inner", top=120)),
    )  # fmt: skip
    for held in ("ctrl", "alt"):
        yield Case(
            f"scroll-with-{held}", (Scroll(*SCROLLER, dy=1, modifiers=(held,)), Scroll(*SCROLLER, dy=1)),
            (event("wheel", **{held: True}), event("wheel", **{held: False})),
        )  # fmt: skip


CASES = (*_clicks(), *_pointer(), *_presses(), *_scrolls(), *_wheel())
