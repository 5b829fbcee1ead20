"""What a browser shows beside the page, as data: how it is opened and used, and what the page must get of it.

Each part is played by mouse and keyboard, without a window and in one. Either it is on the screenshot and works, or a
notice names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_cuabench.task.action import (
    Action,
    Click,
    Drag,
    Key,
    MouseDown,
    MouseUp,
    Move,
    Scroll,
    Size,
    Type,
    Wait,
)

SCREEN = Size(1000, 700)
MODES = ("headless", "window")
_AT = "style='position: absolute; left: 40px; top: 60px; width: 200px; height: 24px; margin: 0'"
_LIST = (
    f"<select id=list {_AT} onchange='out.textContent = this.value'>"
    "<option value=a>Ward A<option value=b>Ward B<option value=c>Ward C</select>"
)
_FIELD, _ARROW = Click(60, 72), Click(228, 72)
_TOP = (300, 0, 700, 150)  # where dialogs lie
_BELOW = (40, 90, 200, 150)  # the field, without the pointer


@dataclass(frozen=True)
class Part:
    """One part of a browser.

    Attributes:
        body: The page; `out` holds what it got.
        opening: What shows the part.
        shown: Where the screenshot must change then: left, top, right, bottom; None if nothing opens.
        using: What uses it, by mode where a part is laid out differently.
        got: What `out` says in the end, by mode where the choices differ.
        notices: What the agent is told instead, by mode.
    """

    name: str
    body: str
    opening: tuple[Action, ...]
    shown: tuple[int, int, int, int] | None = _BELOW
    using: tuple[Action, ...] | Mapping[str, tuple[Action, ...]] = ()
    got: str | Mapping[str, str] = ""
    notices: Mapping[str, str] = field(default_factory=dict)

    def uses(self, mode: str) -> tuple[Action, ...]:
        """Return what uses the part in a mode."""
        return self.using[mode] if isinstance(self.using, Mapping) else self.using

    def gets(self, mode: str) -> str:
        """Return what the page gets in a mode."""
        return self.got if isinstance(self.got, str) else self.got[mode]


def _replaced(how: str) -> str:
    """Return a page whose field, when it is left with a new content, has all controls made anew."""
    return (
        "<div id=work></div><script>const say = (text) => { out.textContent += text + ' '; };"
        f"const make = () => {{ work.innerHTML = `<input onchange='say(\"change\"); {how}' {_AT}>"
        "<button style='position: absolute; left: 40px; top: 120px; width: 200px; height: 24px'>Go</button>"
        "<select style='position: absolute; left: 40px; top: 200px; width: 200px; height: 24px'"
        " onchange='say(this.value)'><option>one<option>two</select>`; };"
        "for (const kind of ['mousedown', 'mouseup', 'click'])"
        " addEventListener(kind, (event) => { if (event.target.localName === 'button') say(kind); }, true);"
        "make()</script>"
    )


def _picker(
    kind: str,
    value: str,
    using: tuple[Action, ...] | Mapping[str, tuple[Action, ...]],
    got: str | Mapping[str, str],
) -> Part:
    body = f"<input type={kind} value={value!r} {_AT} oninput='out.textContent = this.value'>"
    return Part(kind, body, (_ARROW,), using=using, got=got)


def _both(sentence: str) -> Mapping[str, str]:
    return dict.fromkeys(MODES, sentence)


PARTS = (
    Part("select by keys", _LIST, (_ARROW,), using=(Key(("down",)), Key(("enter",))), got="b"),
    Part("select by mouse", _LIST, (_ARROW,), using=(Click(60, 145),), got="c"),
    Part(
        "select at the lower edge",
        f"<body style='height: 1500px'>{_LIST.replace('top: 60px', 'top: 685px')}", (Click(228, 692),),
        shown=(40, 620, 240, 680), got={"headless": "c", "window": "b"},
        using={"headless": (Click(60, 672),), "window": (Key(("down",)), Key(("enter",)))},
    ),
    Part(
        "select in a modal dialog",
        "<dialog id=box style='position: fixed; inset: 0; margin: 0; border: 0; padding: 0; width: 500px;"
        " height: 400px'>"
        f"{_LIST}</dialog><script>box.showModal()</script>",
        (_ARROW,), using=(Click(60, 121),), got="b",
    ),
    Part(
        "select in a closed shadow root",
        f"<div id=host></div><script>const root = host.attachShadow({{mode: 'closed'}}); root.innerHTML = `{_LIST}`;"
        "root.firstChild.onchange = (event) => out.textContent = event.target.value</script>",
        (_ARROW,), using=(Click(60, 121),), got="b",
    ),
    Part(
        "select in a frame without scripts",
        "<iframe id=frame sandbox='allow-same-origin' style='position: absolute; left: 0; top: 0; width: 500px;"
        f" height: 300px; border: 0' srcdoc=\"{_LIST}\"></iframe><script>setInterval(() => out.textContent ="
        " frame.contentDocument.getElementById('list').value, 20)</script>",
        (_ARROW,), shown=None, using=(Key(("down",)), Key(("enter",))), got="b",
        notices={"headless": "This part of the page runs no scripts"},
    ),
    _picker("date", "2031-03-04", (Click(148, 232),), "2031-03-12"),
    _picker("month", "2031-03", (Click(172, 180),), "2031-07"),
    _picker("week", "2031-W10", (Click(74, 233),), "2031-W11"),
    _picker("time", "09:30", (Click(69, 147), Key(("enter",))), "10:30"),
    _picker("datetime-local", "2031-03-04T09:30", (Click(148, 232), Click(600, 500)), "2031-03-12T09:30"),
    _picker(
        "color", "#336699",
        {"headless": (Click(57, 150),), "window": (Click(89, 284), Key(("ctrl", "a")), Type("255"), Key(("enter",)))},
        {"headless": "#ff0000", "window": "#ff6699"},
    ),
    Part(
        "suggestions",
        f"<input list=drugs {_AT} onchange='out.textContent = this.value'>"
        "<datalist id=drugs><option value=Aspirin><option value=Atenolol><option value=Insulin></datalist>",
        (_ARROW,), shown=(130, 90, 220, 170),
        using=(Key(("down",)), Key(("down",)), Key(("enter",)), Key(("tab",))), got="Atenolol",
    ),
    Part(
        "a press on a control that is replaced when the field before is left",
        _replaced("make()"), (_FIELD, Type("x"), Click(60, 132)), None, got="mousedown change mouseup",
    ),
    Part(
        "a press on a control that is replaced before it is let go",
        _replaced("setTimeout(make, 50)"), (_FIELD, Type("x"), MouseDown(60, 132), Wait(0.3), MouseUp(60, 132)), None,
        got="mousedown change mouseup",
    ),
    Part(
        "a press on a control that is replaced after it is let go",
        _replaced("setTimeout(make, 400)"), (_FIELD, Type("x"), Click(60, 132)), None,
        got="mousedown change mouseup click",
    ),
    Part(
        "a select that is replaced when the field before is left",
        _replaced("make()"), (_FIELD, Type("x"), Click(60, 212)), None, using=(Key(("down",)), Key(("enter",))),
        got="change",
    ),
    Part(
        "a select that is replaced while its list is open",
        _replaced("setTimeout(make, 200)"), (_FIELD, Type("x"), Click(60, 212), Wait(0.5)), None,
        using=(Key(("down",)), Key(("enter",))), got="change",
    ),
    Part("tooltip", f"<p title='Last seen today' {_AT}>Ann</p>", (Move(60, 72), Wait(1.5)), shown=(60, 86, 160, 130)),
    Part(
        "context menu", "<p>Ann</p>", (Click(500, 300, button="right"),), shown=(520, 310, 600, 400),
        using=(Key(("escape",)),), notices={"headless": "This browser shows no context menu"},
    ),
    Part(
        "find bar", "<p>Ann</p>", (Key(("ctrl", "f")),), shown=(500, 0, 1000, 40),
        using=(Type("Ann"), Key(("escape",))), notices={"headless": "This browser has no find bar"},
    ),
    Part(
        "zoom by keys", "<p style='width: 400px'>Ann</p>", (Key(("ctrl", "+")),), shown=(0, 0, 300, 200),
        using=(Key(("ctrl", "0")),),
        notices={"headless": "This browser does not zoom"},
    ),
    Part(
        "zoom by wheel", "<p style='width: 400px'>Ann</p>", (Scroll(500, 400, dy=-1, modifiers=("ctrl",)),),
        shown=(0, 0, 300, 200), using=(Key(("ctrl", "0")),), notices={"headless": "This browser does not zoom"},
    ),
    Part(
        "full screen by the page",
        f"<button {_AT} onclick='document.body.requestFullscreen()'>Full</button>"
        "<script>document.onfullscreenchange = () => out.textContent +="
        " document.fullscreenElement ? 'in ' : 'out'</script>",
        (_FIELD,), shown=(300, 300, 900, 600), using=(Key(("escape",)),), got="in out",
    ),
    Part("full screen by F11", "<p>Ann</p>", (Key(("f11",)),), None, notices=_both("The page fills the whole screen")),
    Part("print by keys", "<p>Ann</p>", (Key(("ctrl", "p")),), None, notices=_both("The page was printed to the file")),
    Part(
        "print by script", f"<button {_AT} onclick='print(); out.textContent = 1'>Print</button>",
        (_FIELD,), None, got="1", notices=_both("The page was printed to the file"),
    ),
    Part(
        "scrollbar", "<div style='height: 3000px'></div><script>onscroll = () => out.textContent = 'scrolled'</script>",
        (Drag(((992, 40), (992, 300))),), shown=(980, 300, 1000, 400), got="scrolled",
    ),
    Part("file dialog", f"<input type=file {_AT}>", (_FIELD,), shown=(300, 80, 700, 300), using=(Key(("escape",)),)),
    Part(
        "file picker of scripts",
        f"<button {_AT} onclick='showOpenFilePicker().catch((error) => out.textContent = error.name)'>Pick</button>",
        (_FIELD,), None, got="AbortError", notices=_both("This browser opens no file picker"),
    ),
    Part(
        "a pointer that the page holds",
        f"<button {_AT} onclick='document.body.requestPointerLock()"
        ".then(() => 0, (error) => out.textContent = error.name)'>Hold</button>"
        "<script>onkeydown = (event) => out.textContent += event.key</script>",
        (_FIELD,), None, using=(Key(("x",)),), got={"headless": "NotSupportedErrorx", "window": "x"},
        notices={"headless": "The page asked to hold the pointer"},
    ),
    Part(
        "validation bubble",
        f"<form><input required {_AT}><button style='position: absolute; top: 300px'>Send</button></form>",
        (Click(20, 310),), shown=(60, 88, 300, 130),
    ),
    Part(
        "alert", f"<button {_AT} onclick='alert(1); out.textContent = 2'>Ask</button>", (_FIELD,), shown=_TOP,
        using=(Key(("enter",)),), got="2",
    ),
    Part(
        "confirm", f"<button {_AT} onclick='out.textContent = confirm(1)'>Ask</button>", (_FIELD,), shown=_TOP,
        using=(Key(("escape",)),), got="false",
    ),
    Part(
        "prompt", f"<button {_AT} onclick='out.textContent = prompt(1)'>Ask</button>", (_FIELD,), shown=_TOP,
        using=(Type("Ann"), Key(("enter",))), got="Ann",
    ),
    Part("address bar", "<p>Ann</p>", (Key(("ctrl", "l")),), None, notices=_both("There is no address bar")),
    Part("new window", "<p>Ann</p>", (Key(("ctrl", "n")),), None, notices=_both("This key opens no tab or window")),
    Part("tools", "<p>Ann</p>", (Key(("f12",)),), None, notices=_both("The browser's tools")),
    Part("saving", "<p>Ann</p>", (Key(("ctrl", "s")),), None, notices=_both("The browser's own pages")),
)  # fmt: skip
