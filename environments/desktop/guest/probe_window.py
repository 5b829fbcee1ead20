"""A full-screen window that records every event, for the conformance tests of drivers.

Run inside the desktop by Debian's Python with GTK 3: `probe_window.py` with a channel as standard input, over which the
record is told, or `probe_window.py FILE`, which writes it to a file. It names events as a browser does, so that both
share one catalogue of cases. It is not part of the guest's process.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any, TextIO

sys.path.insert(0, str(Path(__file__).parent / "sealed" / "inside"))

import gi  # type: ignore[import-not-found]

gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # type: ignore[import-not-found] # noqa: E402

NOTCH = 120  # as a browser counts the wheel
CSS = b"""
* { font: 16px monospace; }
#pad { background: #dde; } #scroller { background: #eee; } #outer { background: #edd; } #inner { background: #fff; }
#item { background: #fc6; } #target { background: #cfc; } #words { padding: 0; }
"""
KEYS = {
    "Return": "Enter", "ISO_Left_Tab": "Tab", "BackSpace": "Backspace", "Page_Up": "PageUp", "Prior": "PageUp",
    "Page_Down": "PageDown", "Next": "PageDown", "Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft",
    "Right": "ArrowRight", "space": " ", "Caps_Lock": "CapsLock", "Num_Lock": "NumLock",
    "Scroll_Lock": "ScrollLock", "Menu": "ContextMenu", "Control_L": "Control", "Control_R": "Control",
    "Shift_L": "Shift", "Shift_R": "Shift", "Alt_L": "Alt", "Alt_R": "Alt", "Meta_L": "Meta",
    "Super_L": "Meta", "Super_R": "Meta", "KP_Enter": "Enter", "Multi_key": "Compose",
}  # fmt: skip
ROWS = ((24, "qwertyuiop"), (38, "asdfghjkl"), (52, "zxcvbnm"))  # keycodes of a PC's keyboard
CODES = {first + at: f"Key{one.upper()}" for first, row in ROWS for at, one in enumerate(row)}
CODES |= {10 + at: f"Digit{one}" for at, one in enumerate("1234567890")}
CODES |= {
    **dict(zip((79, 80, 81, 83, 84, 85, 87, 88, 89, 90), (f"Numpad{one}" for one in "7894561230"), strict=True)),
    82: "NumpadSubtract", 86: "NumpadAdd", 91: "NumpadDecimal", 104: "NumpadEnter", 106: "NumpadDivide",
    63: "NumpadMultiply", 36: "Enter", 129: "NumpadDecimal",
}  # fmt: skip
DOM_BUTTONS = {1: 0, 2: 1, 3: 2, 8: 3, 9: 4}
WHEEL = {
    Gdk.ScrollDirection.UP: (0, -1), Gdk.ScrollDirection.DOWN: (0, 1),
    Gdk.ScrollDirection.LEFT: (-1, 0), Gdk.ScrollDirection.RIGHT: (1, 0),
}  # fmt: skip


class Probe:
    """The window and its record."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.window = Gtk.Window(title="Probe")
        self.text, self.line = Gtk.TextView(accepts_tab=False), Gtk.Entry()
        self.words = Gtk.Label(label="alpha beta gamma", selectable=True, xalign=0)
        self.scrolled = {name: [0, 0] for name in ("scroller", "outer", "inner")}
        self.down: set[int] = set()
        self.pressed: dict[int, dict[str, Any]] = {}  # the last press by button
        self.cleared = False
        self.lay_out()
        self.tell_edits()
        self.window.connect("configure-event", self.on_configure)
        self.window.connect(
            "map-event", lambda window, _: window.fullscreen()
        )  # the manager may miss the first request
        self.window.fullscreen()
        self.window.show_all()
        self.every_event(self.window.get_window())

    def lay_out(self) -> None:
        """Place all widgets as the catalogue expects."""
        fixed = Gtk.Fixed()
        scroller, outer, inner = (self.area(name) for name in self.scrolled)
        clear = Gtk.Button(label="Clear")
        clear.connect("clicked", lambda _: self.clear())
        for widget, x, y, width, height in (
            (self.area("pad"), 20, 20, 300, 200), (self.text, 360, 20, 400, 100), (self.line, 360, 140, 400, 30),
            (self.words, 360, 190, 400, 20), (scroller, 20, 250, 300, 200), (outer, 20, 480, 300, 200),
            (inner, 60, 520, 180, 100), (self.item(), 360, 260, 80, 60), (self.target(), 560, 260, 160, 120),
            (clear, 1160, 720, 100, 40),
        ):  # fmt: skip
            widget.set_size_request(width, height)
            fixed.put(widget, x, y)
        self.words.set_name("words")
        self.window.add(fixed)

    def area(self, name: str) -> Any:
        """Return a widget that receives events."""
        box = Gtk.EventBox(name=name)
        box.add_events(Gdk.EventMask.SCROLL_MASK)
        return box

    def item(self) -> Any:
        """Return the drag source."""
        box = self.area("item")
        box.add(Gtk.Label(label="item"))
        box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
        box.drag_source_add_text_targets()
        box.connect("drag-begin", lambda *_: self.write({"type": "dragstart", "target": "item"}))
        box.connect("drag-data-get", lambda widget, context, data, *_: data.set_text("cargo", -1))
        return box

    def target(self) -> Any:
        """Return the drop target."""
        box = self.area("target")
        box.add(Gtk.Label(label="target"))
        box.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
        box.drag_dest_add_text_targets()
        box.connect("drag-motion", lambda *_: self.write({"type": "dragover", "target": "target"}))
        box.connect("drag-data-received", self.on_drop)
        return box

    def on_drop(self, widget: Any, context: Any, x: int, y: int, data: Any, *_: Any) -> None:
        """Record a drop, with its position within the target."""
        left, top = widget.translate_coordinates(self.window, 0, 0)
        place = {"x": x + left, "y": y + top}
        self.write({"type": "drop", "target": "target", "cargo": data.get_text(), **place})

    def on_configure(self, window: Any, event: Any) -> None:
        """Record once that the window fills the screen."""
        screen = window.get_screen()
        if (event.width, event.height) == (screen.get_width(), screen.get_height()):
            GLib.idle_add(lambda: self.write({"type": "ready"}))

    def every_event(self, window: Any) -> None:
        """Disable the compression of motion events."""
        window.set_event_compression(False)
        window.set_events(window.get_events() | Gdk.EventMask.POINTER_MOTION_MASK)
        for child in window.get_children():
            self.every_event(child)

    def clear(self) -> None:
        """Reset fields, scroll positions and the record."""
        self.text.get_buffer().set_text("")
        self.line.set_text("")
        self.line.set_overwrite_mode(False)
        self.words.select_region(0, 0)
        self.window.set_focus(None)
        for place in self.scrolled.values():
            place[:] = [0, 0]
        self.cleared = True

    def forget(self) -> None:
        """Empty the record after the events of the click on Clear."""
        self.cleared = False
        self.file.seek(0)
        self.file.truncate()
        self.write({"type": "ready"})

    def handle(self, event: Any) -> None:
        """Record an event and pass it to GTK, except for what opens a context menu."""
        kind = event.type
        writers = {
            Gdk.EventType.BUTTON_PRESS: self.on_press, Gdk.EventType._2BUTTON_PRESS: self.on_more,
            Gdk.EventType._3BUTTON_PRESS: self.on_more, Gdk.EventType.MOTION_NOTIFY: self.on_move,
            Gdk.EventType.SCROLL: self.on_scroll, Gdk.EventType.KEY_PRESS: self.on_key_down,
            Gdk.EventType.KEY_RELEASE: self.on_key_up,
        }  # fmt: skip
        if kind in writers:
            writers[kind](event)
        menu = kind == Gdk.EventType.BUTTON_PRESS and event.button.button == 3
        if not menu and not (kind == Gdk.EventType.KEY_PRESS and event.key.keyval == Gdk.KEY_Menu):
            Gtk.main_do_event(event)
        if kind == Gdk.EventType.BUTTON_RELEASE:
            self.on_release(event)
        if self.cleared:
            self.forget()

    def on_press(self, event: Any) -> None:
        """Record a press; it counts as the first until GDK reports a double or triple press."""
        button = DOM_BUTTONS.get(event.button.button, -1)
        entry = {"type": "mousedown", **self.where(event), "button": button, "detail": 1}
        self.pressed[button] = entry
        if not self.follows(event):
            self.write(entry)
        if button == 2:
            self.write({**entry, "type": "contextmenu"})

    def follows(self, event: Any) -> bool:
        """Whether GDK's next event marks this press as the second or third."""
        after = Gdk.Event.peek()
        more = (Gdk.EventType._2BUTTON_PRESS, Gdk.EventType._3BUTTON_PRESS)
        return after is not None and after.type in more and after.button.time == event.button.time

    def on_more(self, event: Any) -> None:
        """Update the last press to the second or third."""
        button = DOM_BUTTONS.get(event.button.button, -1)
        self.pressed[button]["detail"] = 2 if event.type == Gdk.EventType._2BUTTON_PRESS else 3
        self.write(self.pressed[button])

    def on_release(self, event: Any) -> None:
        """Record a release and the click that it completes."""
        button = DOM_BUTTONS.get(event.button.button, -1)
        press = self.pressed.get(button, {"detail": 0, "target": None})
        entry = {**self.where(event), "button": button, "detail": press["detail"]}
        self.write({"type": "mouseup", **entry})
        if press["target"] == entry["target"]:
            self.write({"type": "auxclick" if button else "click", **entry})
            if press["detail"] == 2 and not button:
                self.write({"type": "dblclick", **entry})
        bounds = self.words.get_selection_bounds()
        chosen = self.words.get_text()[bounds[-2] : bounds[-1]] if bounds else ""
        self.write({"type": "selected", "words": chosen.strip()})

    def on_move(self, event: Any) -> None:
        """Record a move of the pointer."""
        self.write({"type": "mousemove", **self.where(event)})

    def on_scroll(self, event: Any) -> None:
        """Record a wheel notch and the resulting scroll position."""
        known, direction = event.get_scroll_direction()
        if not known:
            return
        dx, dy = WHEEL[direction]
        place = self.where(event)
        self.write({"type": "wheel", **place, "dx": dx * NOTCH, "dy": dy * NOTCH})
        if place["target"] in self.scrolled:
            at = self.scrolled[place["target"]]
            new = [max(0, at[0] + dx * NOTCH), max(0, at[1] + dy * NOTCH)]
            if new != at:
                at[:] = new
                self.write({"type": "scroll", "target": place["target"], "left": at[0], "top": at[1]})

    def on_key_down(self, event: Any) -> None:
        """Record a key press or repeat."""
        code = event.key.hardware_keycode
        self.write({"type": "keydown", **self.key(event), "repeat": code in self.down})
        self.down.add(code)

    def on_key_up(self, event: Any) -> None:
        """Record a key release."""
        self.down.discard(event.key.hardware_keycode)
        self.write({"type": "keyup", **self.key(event), "repeat": False})

    def key(self, event: Any) -> dict[str, Any]:
        """Return a browser's name of a key with its modifiers, including the pressed modifier itself."""
        value = event.key.keyval
        name, letter = Gdk.keyval_name(value) or "", Gdk.keyval_to_unicode(value)
        called = (
            "Dead"
            if name.startswith("dead_")
            else KEYS.get(name) or (chr(letter) if letter > 0x20 and letter != 0x7F else name)
        )
        held = self.modifiers(event)
        own = {"Control": "ctrl", "Shift": "shift", "Alt": "alt", "Meta": "meta"}.get(called)
        if own is not None:
            held[own] = event.type == Gdk.EventType.KEY_PRESS
        return {"key": called, "code": CODES.get(event.key.hardware_keycode, ""), **held}

    def where(self, event: Any) -> dict[str, Any]:
        """Return position, target, modifiers, and the buttons held before the event."""
        state = event.get_state()[1]
        masks = Gdk.ModifierType
        bits = ((masks.BUTTON1_MASK, 1), (masks.BUTTON3_MASK, 2), (masks.BUTTON2_MASK, 4))
        buttons = sum(bit for mask, bit in bits if state & mask)
        _, x, y = event.get_root_coords()
        widget = Gtk.get_event_widget(event)
        target = widget.get_name() if widget is not None else None
        return {"x": int(x), "y": int(y), "target": target, "buttons": buttons, **self.modifiers(event)}

    def modifiers(self, event: Any) -> dict[str, bool]:
        """Return the held modifiers."""
        state, masks = event.get_state()[1], Gdk.ModifierType
        names = {"ctrl": masks.CONTROL_MASK, "shift": masks.SHIFT_MASK, "alt": masks.MOD1_MASK}
        return {name: bool(state & mask) for name, mask in {**names, "meta": masks.MOD4_MASK}.items()}

    def tell_edits(self) -> None:
        """Record changes of fields as differences, since a long text has many changes."""
        text, line = self.text.get_buffer(), self.line.get_buffer()
        text.connect("insert-text", lambda _, place, new, *__: self.edit("text", place.get_offset(), new, 0))
        text.connect(
            "delete-range",
            lambda _, start, end: self.edit(
                "text", start.get_offset(), "", end.get_offset() - start.get_offset()
            ),
        )
        line.connect("inserted-text", lambda _, at, new, *__: self.edit("line", at, new, 0))
        line.connect("deleted-text", lambda _, at, gone: self.edit("line", at, "", gone))

    def edit(self, field: str, at: int, new: str, gone: int) -> None:
        """Record that a text replaced some characters of a field; positions are in characters."""
        self.write({"type": "edit", "field": field, "at": at, "new": new, "gone": gone})

    def write(self, entry: dict[str, Any]) -> None:
        """Add a line to the record."""
        self.file.write(json.dumps(entry) + "\n")
        self.file.flush()


class RecordApi:
    """Handler of the requests."""

    def __init__(self, record: io.StringIO) -> None:
        self._record = record

    def record(self) -> dict[str, str]:
        """Return the record's lines."""
        return {"lines": self._record.getvalue()}


def opened() -> TextIO:
    """Return the record: a file that is named, or one in memory that is told over the channel."""
    if sys.argv[1:]:
        return Path(sys.argv[1]).open("w", encoding="utf-8")
    import serving  # type: ignore[import-not-found]

    record = io.StringIO()
    serving.start(serving.take_channel(), RecordApi(record), GLib.idle_add)
    return record


def main() -> None:
    """Show the window until it is closed."""
    style = Gtk.CssProvider()
    style.load_from_data(CSS)
    priority = Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION
    Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), style, priority)
    probe = Probe(opened())
    probe.window.connect("destroy", Gtk.main_quit)
    Gdk.event_handler_set(probe.handle)
    Gtk.main()


if __name__ == "__main__":
    main()
