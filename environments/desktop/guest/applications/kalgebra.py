"""KAlgebra 22.12, unmodified: a calculator with a console, 2D and 3D graphs, and a dictionary of functions.

Its state is read from the accessibility tree, which has all digits of a variable and all plots, also behind other
tabs. Two things are only in the screenshot, which is looked at where KAlgebra alone has painted it (`painting.py`): the
colour of a plot, cached when the list was last visible, and whether the text beside a surface was drawn or only typed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from guest import steps
from guest.applications import kalgebra_picture
from guest.applications.base import Desk
from guest.applications.kalgebra_tree import (
    LEVELS,
    RESOLUTIONS,
    SETTINGS,
    STYLES,
    TABS,
    Parts,
    Window,
    console,
    parts,
)
from guest.data import Collections, Launch, SetupError, Step
from guest.errors import NotReady
from guest.stacking import is_uncovered
from guest.timeouts import scaled, wait_until

if TYPE_CHECKING:
    from PIL import Image

    from guest.nodes import Box, Node

_WINDOW = (1500, 900)  # wide enough for its docks; its own first size is 900 x 500
_NEEDLESS = frozenset({("frame", "Operations")})  # the dictionary, half of all nodes
_ABOVE_INPUT = 64  # pixels of the surface that input hints may cover
_CLOSED: Collections = {name: {} for name in ("variables", "functions2d", "plot3d", "view", "console")}
_SECONDS = scaled(12.0)  # of a state: it does not answer while it computes
_ITEMS = (*RESOLUTIONS, *STYLES, *SETTINGS.values())
_VERBS: dict[str, dict[str, Any]] = {
    "tab": {"name": str},
    "define": {"text": str},
    "plot2d": {"expression": str},
    "plot3d": {"expression": str},
    "choose": {"item": str},
}


class _Surface:
    """Tracks the expression of the drawn surface: the text at the time when the picture last changed.

    The text alone is not enough, since it changes while typing. The picture alone is not either: it also changes when
    the surface is rotated, which moves the axes, or its style changes.
    """

    def __init__(self) -> None:
        self.expression: str | None = None
        self._picture: Image.Image | None = None
        self._style: str | None = None

    def look(self, text: str, picture: Image.Image, style: str | None) -> None:
        """Record the current text and picture."""
        before, self._picture = self._picture, picture
        restyled, self._style = style != self._style, style
        if not kalgebra_picture.drawn(picture):
            return
        if (
            before is None
            or not kalgebra_picture.drawn(before)
            or (not restyled and _redrawn(before, picture))
        ):
            self.expression = text


def _redrawn(before: Image.Image, after: Image.Image) -> bool:
    return before.tobytes() != after.tobytes() and kalgebra_picture.same_view(before, after)


class KAlgebra:
    """KAlgebra for the guest."""

    name = "kalgebra"
    packages = ("kalgebra",)
    programs = ("/usr/bin/kalgebra",)
    executable = programs[0]
    settings = ".kalgebra"
    private = (settings,)
    closed = _CLOSED

    def __init__(self) -> None:
        self._parts: Parts | None = None
        self._surface = _Surface()
        self._colours: dict[str, str] = {}

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Check the steps, and reset what was cached in the previous episode."""
        for step in steps.own(setup, _VERBS):
            if step["do"] == "tab" and step["name"] not in TABS:
                raise SetupError(f"setup step tab: name is {step['name']!r}; known: {', '.join(TABS)}")
            if step["do"] == "choose" and step["item"] not in _ITEMS:
                raise SetupError(f"setup step choose: item is {step['item']!r}; known: {', '.join(_ITEMS)}")
        self._parts, self._surface, self._colours = None, _Surface(), {}

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command, with the window centred and the console accessible."""
        (width, height), (wide, high) = desktop.screen.size, _WINDOW
        wide, high = min(wide, width), min(high, height - 40)
        place = f"{wide}x{high}+{(width - wide) // 2}+{(height - high) // 2}"
        environment = {
            "QTWEBENGINE_CHROMIUM_FLAGS": "--force-renderer-accessibility",
            "QTWEBENGINE_DISABLE_SANDBOX": "1",  # it cannot be nested in the desktop's sandbox
            "LIBGL_ALWAYS_SOFTWARE": "1",
        }
        return Launch(("kalgebra", "-qwindowgeometry", place), environment)

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is missing: the console, which a web page renders, or the focus of the input line."""
        nodes = await desktop.nodes()
        if not any(node.role == "document-web" for node in nodes):
            return "its console has not been loaded"
        if not any(node.role == "text" and "focused" in node.states for node in nodes):
            return "its input line has no cursor"
        return None if await self._window(desktop) else "its window is not complete"

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Perform the setup in order; the calculator is in front at the end unless the setup says otherwise."""
        verbs: dict[str, Callable[[Desk, str], Awaitable[None]]] = {
            "tab": self._tab,
            "define": self._define,
            "plot2d": self._plot2d,
            "plot3d": self._plot3d,
            "choose": self._choose,
        }
        for step in steps.own(setup, _VERBS):
            (argument,) = (value for key, value in step.items() if key != "do")
            await verbs[step["do"]](desktop, argument)
            if step["do"] != "define":
                await self.live_state(desktop)  # cache the colours while they are visible

    async def state(self, desktop: Desk) -> Collections:
        """Return nothing: the program keeps it all to itself."""
        return {}

    async def live_state(self, desktop: Desk) -> Collections:
        """Read variables, plots, surface, settings and console."""
        window = await self._complete(desktop)
        view = window.view()
        if (picture := await desktop.painting.picture()) is not None:
            if await self._uncovered(desktop, window, [plot.box for plot in window.plots()]):
                self._see_colours(window, picture)
            surface = _seen_of(window.surface_box())
            if surface and not window.covered and await self._uncovered(desktop, window, [surface]):
                x, y, width, height = surface
                seen = picture.crop((x, y, x + width, y + height))
                self._surface.look(window.surface_text(), seen, view["style"])
        drawn = self._surface.expression
        return {
            "variables": window.variables(),
            "functions2d": {
                plot.name: {
                    "expression": plot.expression,
                    "shown": plot.shown,
                    "colour": self._colours.get(plot.name),
                }
                for plot in window.plots()
            },
            "plot3d": {"surface": {"expression": drawn}} if drawn is not None else {},
            "view": {"window": view},
            "console": window.console(),
        }

    # Seeing

    async def _uncovered(self, desktop: Desk, window: Window, boxes: Sequence[Box | None]) -> bool:
        """Whether no other window lies over parts of the window."""
        frame, display = window.box(), desktop.session.display
        parts = [box for box in boxes if box is not None]
        if frame is None or not parts:
            return frame is not None
        return await display.run(lambda: all(is_uncovered(display, frame, part) for part in parts))

    def _see_colours(self, window: Window, picture: Image.Image) -> None:
        plots = window.plots()
        seen = {
            plot.name: kalgebra_picture.swatch(picture, plot.box, plot.selected)
            for plot in plots
            if plot.box is not None
        }
        known = self._colours | {name: colour for name, colour in seen.items() if colour is not None}
        self._colours = {plot.name: known[plot.name] for plot in plots if plot.name in known}

    # Preparing

    async def _tab(self, desktop: Desk, name: str) -> None:
        if (await self._there(desktop, "tabs")).tab != name:
            await desktop.do_action(await self._found(desktop, f'page-tab[name="{name}"]'))
            await self._until(desktop, lambda window: window.tab == name, f"tab {name} does not open", "tabs")

    async def _define(self, desktop: Desk, text: str) -> None:
        await self._tab(desktop, "Calculator")
        lines = len((await self._there(desktop, "console")).console())
        await self._enter(desktop, "text", text)
        await self._until(
            desktop, lambda window: len(window.console()) > lines, f"{text} was not calculated", "console"
        )

    async def _plot2d(self, desktop: Desk, expression: str) -> None:
        await self._tab(desktop, "2D Graph")
        plots = len((await self._there(desktop, "functions")).plots())
        await desktop.do_action(await self._found(desktop, 'frame[name="Functions"] >> page-tab[name="Add"]'))
        await self._enter(desktop, 'frame[name="Functions"] >> text', expression)
        await self._until(
            desktop, lambda window: len(window.plots()) > plots, f"{expression} was not plotted", "functions"
        )

    async def _plot3d(self, desktop: Desk, expression: str) -> None:
        await self._tab(desktop, "3D Graph")
        await self._enter(desktop, "text", expression)

        async def drawn() -> None:
            await self.live_state(desktop)
            if self._surface.expression != expression:
                raise NotReady(f"the surface is that of {self._surface.expression}")

        await wait_until(drawn, f"KAlgebra: {expression} was not drawn")

    async def _choose(self, desktop: Desk, item: str) -> None:
        await self._tab(
            desktop, "3D Graph" if item in STYLES else "2D Graph"
        )  # menus of other tabs are disabled
        before = await self._there(desktop, item)
        wanted = not before.is_checked(item) if item in SETTINGS.values() else True
        if before.is_checked(item) is not wanted:
            await desktop.do_action(await self._found(desktop, f'menu-item[name="{item}"]:hidden'))
        await self._until(
            desktop, lambda window: window.is_checked(item) is wanted, f"{item} cannot be chosen", item
        )

    async def _enter(self, desktop: Desk, selector: str, text: str) -> None:
        """Replace a field's content, and press Return."""
        node = await self._found(desktop, selector)
        assert node.box is not None
        x, y, width, height = node.box
        await desktop.input.click(x + width // 2, y + height // 2)
        await desktop.input.key("ctrl", "a")
        await desktop.input.type(f"{text}\n")
        await desktop.settle()

    async def _found(self, desktop: Desk, selector: str) -> Node:
        async def found() -> Node:
            node = await desktop.find(selector)
            if node is None:
                raise NotReady("it is not there")
            return node

        return await wait_until(found, f"KAlgebra shows no {selector}")

    async def _until(
        self, desktop: Desk, true: Callable[[Window], bool], complaint: str, *names: str
    ) -> Window:
        """Read the window, or some parts, until a condition holds; KAlgebra does not answer while it computes."""

        async def shown() -> Window:
            window = await self._window(desktop, *names)
            if window is None or not true(window):
                raise NotReady("the window does not show it" if window else "the window is not complete")
            return window

        return await wait_until(shown, f"KAlgebra: {complaint}")

    # Reading

    async def _there(self, desktop: Desk, *names: str) -> Window:
        return await self._until(desktop, bool, "its window was not read", *names)

    async def _complete(self, desktop: Desk) -> Window:
        """Read the window, whose console may be missing briefly while it is rendered."""

        async def read() -> Window:
            window = await self._window(desktop)
            if window is None:
                raise NotReady("its window is not complete")
            return window

        return await wait_until(read, "KAlgebra could not be read", _SECONDS)

    async def _window(self, desktop: Desk, *names: str) -> Window | None:
        """Read the window, or some of its parts only; None while it is incomplete."""
        again = await self._again(desktop, names)
        if again is None and self._parts is not None and await self._found_console(desktop, self._parts):
            again = await self._again(desktop, names)
        return again or await self._afresh(desktop)

    async def _again(self, desktop: Desk, names: Sequence[str]) -> Window | None:
        """Read cached parts again, all of them without `names`; None if one is gone."""
        if self._parts is None:
            return None
        wanted = {name: self._parts[name] for name in names or self._parts}
        read = await asyncio.gather(
            *(desktop.reread(node, LEVELS.get(name, 0)) for name, node in wanted.items())
        )
        found = {name: node for name, node in zip(wanted, read, strict=True) if node is not None}
        return Window(found) if len(found) == len(wanted) else None

    async def _found_console(self, desktop: Desk, known: Parts) -> bool:
        """Whether the console is on the screen, which each result replaces; much faster than reading the whole tree."""
        found = console(await desktop.nodes())
        if found is not None:
            known["console"] = found
        return found is not None

    async def _afresh(self, desktop: Desk) -> Window | None:
        """Find the parts in the whole tree."""
        self._parts = parts(await desktop.nodes(showing=False, whole=True, without=_NEEDLESS))
        if self._parts is None:
            return None
        self._guard(desktop, self._parts)
        return Window(self._parts)

    def _guard(self, desktop: Desk, found: Parts) -> None:
        """Prevent a crash of KAlgebra, whose visible list keeps a last row after a variable was removed.

        The number of rows is read from the table of the other list, including its headers.
        """
        accessibility, table = desktop.session.accessibility, found["variables"]

        async def cells() -> int:
            lines = await accessibility.children(table) // 3 - 1
            return 2 + 2 * lines  # two headers above two columns

        accessibility.guards[found["variables on the screen"].ref] = cells


def _seen_of(surface: Box | None) -> Box | None:
    """Return the part of a surface that no input hints cover; None if there is hardly any."""
    if surface is None or surface[3] <= 2 * _ABOVE_INPUT:
        return None
    x, y, width, height = surface
    return x, y, width, height - _ABOVE_INPUT


APPLICATION = KAlgebra()
