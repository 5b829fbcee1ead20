"""Mouse and keyboard input of tabs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.chromium.acting.insertion import KEYED, insertable_field
from pytest_cuabench.drivers.chromium.session.clipboard import pastes
from pytest_cuabench.drivers.chromium.session.keys import (
    BITS,
    Composition,
    own_fields,
    playwright_name,
    runs,
    strokes,
    with_locks,
)
from pytest_cuabench.task.action import Button, KeyUp, MouseUp, Point

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.session.tab import Tab

NOTCH = 120  # pixels of one wheel notch
_MOST_MOVES = 8  # moves within one stretch of a drag; each takes a frame
_REPEATS_AFTER, _REPEATS_EVERY = 0.5, 0.033  # seconds until a held key repeats, and between repeats
_DOUBLE = 0.5  # seconds between the presses of a double click
_AT_ONCE = 64  # concurrent key events
_INSERTED_AT_ONCE = 4000  # characters of a text that is inserted
_NEVER = (Point(-1, -1), "", 0.0, 0)  # the last press: where, which button, when, how often in a row
_PASTE: dict[str, dict[str, Any]] = {
    "v": {"code": "KeyV", "windowsVirtualKeyCode": 86},
    "insert": {"windowsVirtualKeyCode": 45},
}
_NOTHING = ["DefaultParagraphSeparator"]  # without a value this command does nothing
_SIDE_BUTTONS = {"back": 8, "forward": 16}  # bits of the protocol; Playwright has no such buttons


class Input:
    """Sends input, and remembers pressed keys and buttons with their tab, to release them there."""

    def __init__(self) -> None:
        self.cursor = Point(0, 0)
        self._held: dict[str, Tab] = {}
        self._caps = False
        self._composition = Composition()
        self._owed: list[KeyUp | MouseUp] = []
        self._aside: list[str] = []  # modifiers that were pressed while a dialog was open
        self.pressed_aside: dict[Button, Point] = {}  # where each button was pressed on a dialog
        self._pressed = _NEVER
        self._on_drawn: set[Button] = set()  # pressed on a drawn list, which the page does not know of

    async def move(self, tab: Tab, to: Point) -> None:
        """Move the pointer."""
        # Presses count as a double click only where the pointer stayed.
        if to != self._pressed[0]:
            self._pressed = _NEVER
        self.cursor = to
        if not await tab.drawn.takes("move", to):
            await tab.page.mouse.move(to.x, to.y)

    async def click(self, tab: Tab, at: Point, button: Button, count: int) -> None:
        """Click once, twice or three times."""
        self.cursor = at
        if await tab.drawn.takes("down", at, button):
            await tab.drawn.takes("up", at, button)
        elif button in _SIDE_BUTTONS:
            await tab.page.mouse.move(at.x, at.y)
            for number in range(1, count + 1):
                await self._side(tab, "mousePressed", button, number)
                await self._side(tab, "mouseReleased", button, number)
        else:
            await tab.page.mouse.click(at.x, at.y, button=button, click_count=count)  # type: ignore[arg-type]

    async def press(self, tab: Tab, at: Point, button: Button, *, down: bool) -> None:
        """Press or release one button."""
        await self.move(tab, at)
        if button in _SIDE_BUTTONS:
            await self._side(tab, "mousePressed" if down else "mouseReleased", button, 1)
        elif down and await tab.drawn.takes("down", at, button):
            self._on_drawn.add(button)
        elif down:
            count = self._count(at, button)
            await tab.page.mouse.down(button=button, click_count=count)  # type: ignore[arg-type]
        elif button in self._on_drawn:
            self._on_drawn.discard(button)
            await tab.drawn.takes("up", at, button)
        else:
            await tab.drawn.takes("release", at, button)
            *_, count = self._pressed
            await tab.page.mouse.up(button=button, click_count=max(1, count))  # type: ignore[arg-type]

    def _count(self, at: Point, button: Button) -> int:
        """Return how many presses in a row this is: two within half a second are a double click."""
        where, before, when, count = self._pressed
        now = asyncio.get_running_loop().time()
        again = (where, before) == (at, button) and now - when < _DOUBLE
        self._pressed = (at, button, now, count % 3 + 1 if again else 1)
        return self._pressed[-1]

    # While a dialog is open, the page takes no input.

    def hold_aside(self, key: str) -> None:
        """Hold a modifier, of which the page learns once it takes input again."""
        if key in BITS and not self.holds(key):
            self._aside.append(key)

    def owe(self, release: KeyUp | MouseUp) -> None:
        """Release a key or button as soon as the page takes input again."""
        if isinstance(release, KeyUp) and release.key in self._aside:
            self._aside.remove(release.key)
        else:
            self._owed.append(release)

    async def release_owed(self, tab: Tab) -> None:
        """Release what was let go while a dialog was open, and press the modifiers that are held now."""
        while self._owed:
            release = self._owed.pop(0)
            if isinstance(release, KeyUp):
                await self.up(tab, release.key)
            else:
                at = next(iter(release.points()), self.cursor)
                await self.press(tab, at, release.button, down=False)
        while self._aside:
            await self.down(tab, self._aside.pop(0))

    async def drag(self, tab: Tab, path: Sequence[Point], button: Button) -> None:
        """Press at the first point, move along the path, release at the last."""
        await self.press(tab, path[0], button, down=True)
        steps = max(1, _MOST_MOVES // (len(path) - 1))
        self._pressed = _NEVER
        for point in path[1:]:
            self.cursor = point
            if await tab.drawn.takes("move", point):
                continue
            await tab.page.mouse.move(point.x, point.y, steps=steps)
        await self.press(tab, path[-1], button, down=False)

    async def scroll(self, tab: Tab, at: Point, dx: int, dy: int) -> None:
        """Scroll at a point, with an event for each notch."""
        await self.move(tab, at)
        notches = [(0, NOTCH if dy > 0 else -NOTCH)] * abs(dy) + [(NOTCH if dx > 0 else -NOTCH, 0)] * abs(dx)
        for notch in notches:  # one after the other, as the browser would join what comes at once
            if await tab.drawn.takes("wheel", at, by=1 if sum(notch) > 0 else -1):
                continue
            await tab.page.mouse.wheel(*notch)

    async def chord(self, tab: Tab, keys: Sequence[str], repeat: int = 1) -> None:
        """Press keys in order and release them in reverse."""
        async with self.holding(tab, keys[:-1]):
            for _ in range(repeat):
                await self.down(tab, keys[-1])
                await self.up(tab, keys[-1])

    async def hold(self, tab: Tab, keys: Sequence[str], seconds: float) -> None:
        """Hold a chord; the last key repeats as on a real keyboard."""
        clock = asyncio.get_running_loop().time
        async with self.holding(tab, keys):
            end, pause = clock() + seconds, _REPEATS_AFTER
            while clock() + pause < end:
                await asyncio.sleep(pause)
                # Modifiers do not repeat on a real keyboard.
                if keys[-1] not in BITS:
                    await self.down(tab, keys[-1])
                pause = _REPEATS_EVERY
            await asyncio.sleep(max(0.0, end - clock()))

    @asynccontextmanager
    async def holding(self, tab: Tab, keys: Sequence[str]) -> AsyncIterator[None]:
        """Keep keys pressed during a block, except those that are held already."""
        fresh = [key for key in dict.fromkeys(keys) if key not in self._held]
        for key in fresh:
            await self.down(tab, key)
        yield
        for key in reversed(fresh):
            await self.up(tab, key)

    async def down(self, tab: Tab, key: str) -> None:
        """Press a key."""
        # Keys of the protocol lock nothing, so the lock is kept here.
        if key == "capslock" and key not in self._held:
            self._caps = not self._caps
        shift = self.holds("shift")
        if self._caps and (letter := strokes(with_locks(key, shift=shift, caps=True))) and key.isalpha():
            self._held[key] = tab
            # A capital by Caps Lock has no Shift among its modifiers.
            await self._send(tab, _with({**letter[0], "modifiers": 0}, self.modifiers()))
            return
        name = playwright_name(key, shift)
        self._held[key] = tab
        typed = key if len(key) > 1 else with_locks(key, shift=shift)
        composed = None if self.modifiers() & ~BITS["shift"] else self._composition.take(typed)
        if composed is not None:
            await self._commit(tab, composed)
        elif name is not None and pastes(self._held, key):
            await self._paste(tab, key, name)
        elif name is not None:
            await tab.page.keyboard.down(name)
        elif (fields := own_fields(key)) is not None:
            kind = "keyDown" if "text" in fields else "rawKeyDown"
            await self._send(tab, _with({"type": kind, **fields}, self.modifiers()))

    async def _paste(self, tab: Tab, key: str, name: str) -> None:
        """Press a key that pastes; where the clipboard is shared, the editor is given another command for it."""
        if not tab.clipboard.shared:
            await tab.page.keyboard.down(name)
            return
        fields = {"key": name, "code": name, **_PASTE[key.lower()]}
        event = {"type": "rawKeyDown", **fields, "modifiers": self.modifiers(), "commands": _NOTHING}
        await tab.clipboard.paste(tab.evaluate_everywhere, self._send(tab, event))

    async def up(self, tab: Tab, key: str) -> None:
        """Release a key in the tab where it was pressed."""
        tab = self._held.pop(key, tab)
        name = playwright_name(key)
        if tab.page.is_closed():
            return
        if name is not None:
            await tab.page.keyboard.up(name)
        elif (fields := own_fields(key)) is not None:
            fields.pop("text", None)
            await self._send(tab, {"type": "keyUp", "modifiers": self.modifiers(), **fields})

    async def type(self, tab: Tab, text: str) -> None:
        """Type a text by keys, or insert a long text if no page can detect it; see `insertion`."""
        rest = text.replace("\r\n", "\n").replace("\r", "\n")
        while rest:
            piece, tab_key, rest = rest.partition("\t")
            while piece:
                piece = await self._type_some(tab, piece)
            await self._key_by_key(tab, tab_key)

    async def _type_some(self, tab: Tab, text: str) -> str:
        """Type a text without tabs up to where the focus may have moved, and return the rest."""
        plain = len(text) > KEYED and not self.modifiers()
        field = await insertable_field(tab) if plain else None
        if field is None:
            await self._key_by_key(tab, text)
            return ""
        if field == "area":
            await self._insert(tab, text)
            return ""
        line, enter, rest = text.partition("\n")
        await self._insert(tab, line)
        await self._key_by_key(tab, enter)
        while field == "rich" and rest:
            line, enter, rest = rest.partition("\n")
            await self._insert(tab, line)
            await self._key_by_key(tab, enter)
        return rest

    async def _insert(self, tab: Tab, text: str) -> None:
        """Insert a text except its last character, which is typed, so that the page gets a key event."""
        last = text[-1:] if strokes(text[-1:] or "\0") else ""
        body = text.removesuffix(last)
        for start in range(0, len(body), _INSERTED_AT_ONCE):
            await tab.cdp.send("Input.insertText", {"text": body[start : start + _INSERTED_AT_ONCE]})
        await self._key_by_key(tab, last)

    async def _key_by_key(self, tab: Tab, text: str) -> None:
        for keyed, run in runs(text):
            if not keyed:
                await self._commit(tab, run)
            else:
                await self._send_keys(tab, run)

    async def _commit(self, tab: Tab, text: str) -> None:
        """Write a text as an input method does: a key that it takes, a composition, and its end."""
        # What pages are shown of a key that an input method has taken.
        fields = {"key": "Process", "code": "", "windowsVirtualKeyCode": 229, "modifiers": self.modifiers()}
        await self._send(tab, {"type": "rawKeyDown", **fields})
        if text:
            caret = {"selectionStart": len(text), "selectionEnd": len(text)}
            await tab.cdp.send("Input.imeSetComposition", {"text": text, **caret})
            await tab.cdp.send("Input.insertText", {"text": text})
        await self._send(tab, {"type": "keyUp", **fields})

    @property
    def composing(self) -> bool:
        """Whether a dead key or Compose waits for the next key."""
        return self._composition.begun

    def holds(self, key: str) -> bool:
        """Whether a key is held, also while a dialog is open."""
        return (key in self._held and KeyUp(key) not in self._owed) or key in self._aside

    def modifiers(self) -> int:
        """The protocol's bits of the modifiers that are held."""
        return sum(BITS[key] for key in self._held if key in BITS)

    async def _send_keys(self, tab: Tab, run: str) -> None:
        """Send key events without waiting for each: they arrive in order, and much faster."""
        held = self.modifiers()
        if self.holds("shift"):
            run = "".join(with_locks(one, shift=True) for one in run)
        if any(pastes(self._held, character) for character in run):
            for character in run:
                await self.down(tab, character)
                await self.up(tab, character)
            return
        events = [event for character in run for event in strokes(character) or ()]
        for first in range(0, len(events), _AT_ONCE):
            part = events[first : first + _AT_ONCE]
            await asyncio.gather(*(self._send(tab, _with(event, held)) for event in part))

    async def _side(self, tab: Tab, kind: str, button: Button, count: int) -> None:
        pressed = _SIDE_BUTTONS[button] if kind == "mousePressed" else 0
        event = {"type": kind, "x": self.cursor.x, "y": self.cursor.y, "button": button, "buttons": pressed}
        await tab.cdp.send(
            "Input.dispatchMouseEvent", {**event, "clickCount": count, "modifiers": self.modifiers()}
        )

    async def _send(self, tab: Tab, event: dict[str, Any]) -> None:
        await tab.cdp.send("Input.dispatchKeyEvent", event)


def _with(event: dict[str, Any], held: int) -> dict[str, Any]:
    if not held:
        return event
    changed = {**event, "modifiers": event.get("modifiers", 0) | held}
    if held & ~BITS["shift"]:  # with ctrl, alt or meta a key enters no text
        changed.pop("text", None)
        changed.pop("unmodifiedText", None)
    return changed
