"""KAlgebra 22.12, unmodified: a calculator with a console, 2D and 3D graphs, and a dictionary of functions.

Its state is read from the accessibility tree, which tells all digits of a variable and all plots, also behind other
tabs. Two things are only in the picture: the colour of a plot, remembered from when the list was last to be seen,
and whether the text beside a surface was drawn or only typed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from guest import steps
from guest.applications import kalgebra_sight as sight
from guest.applications.base import Collections, Launch, SetupError, Step
from guest.applications.kalgebra_tree import LEVELS, RESOLUTIONS, SETTINGS, STYLES, TABS, Parts, Window, parts
from guest.errors import NotYet, Trouble
from guest.patience import until

if TYPE_CHECKING:
    from PIL import Image

    from guest.desk import Desk
    from guest.nodes import Node

_WINDOW = (1500, 900)  # wide enough for its docks; its own first size is 900 x 500
_ABOVE_INPUT = 64  # pixels of the surface that hints to the input may cover
_ITEMS = (*RESOLUTIONS, *STYLES, *SETTINGS.values())
_VERBS: dict[str, dict[str, Any]] = {
    "tab": {"name": str},
    "define": {"text": str},
    "plot2d": {"expression": str},
    "plot3d": {"expression": str},
    "choose": {"item": str},
}


class _Surface:
    """Which expression the surface was drawn from: the text that stood there when the picture became another.

    The text alone does not tell, since it is no other while it is only typed. The picture alone does not either: it
    also changes when the surface is turned, which moves the axes, too, or is drawn in another style.
    """

    def __init__(self) -> None:
        self.expression: str | None = None
        self._picture: Image.Image | None = None
        self._style: str | None = None

    def look(self, text: str, picture: Image.Image, style: str | None) -> None:
        """Take note of how it looks now."""
        before, self._picture = self._picture, picture
        restyled, self._style = style != self._style, style
        if not sight.drawn(picture):
            return
        if before is None or not sight.drawn(before) or (not restyled and _redrawn(before, picture)):
            self.expression = text


def _redrawn(before: Image.Image, after: Image.Image) -> bool:
    return before.tobytes() != after.tobytes() and sight.same_view(before, after)


class KAlgebra:
    """KAlgebra for the guest."""

    name = "kalgebra"
    packages = ("kalgebra",)
    programs = ("/usr/bin/kalgebra",)

    def __init__(self) -> None:
        self._parts: Parts | None = None
        self._surface = _Surface()
        self._colours: dict[str, str] = {}

    async def prepare(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Check the steps, and forget what was seen in the episode before."""
        for step in steps.own(setup, _VERBS):
            if step["do"] == "tab" and step["name"] not in TABS:
                raise SetupError(f"setup step tab: name is {step['name']!r}; known: {', '.join(TABS)}")
            if step["do"] == "choose" and step["item"] not in _ITEMS:
                raise SetupError(f"setup step choose: item is {step['item']!r}; known: {', '.join(_ITEMS)}")
        self._parts, self._surface, self._colours = None, _Surface(), {}

    def launch(self, desk: Desk, setup: Sequence[Step]) -> Launch:
        """Start it in the middle of the screen, with its console readable for the accessibility bus."""
        (width, height), (wide, high) = desk.screen.size, _WINDOW
        wide, high = min(wide, width), min(high, height - 40)
        place = f"{wide}x{high}+{(width - wide) // 2}+{(height - high) // 2}"
        environment = {
            "QTWEBENGINE_CHROMIUM_FLAGS": "--force-renderer-accessibility",
            "QTWEBENGINE_DISABLE_SANDBOX": "1",  # the desktop's own confinement leaves no room for a second
            "LIBGL_ALWAYS_SOFTWARE": "1",
        }
        return Launch(("kalgebra", "-qwindowgeometry", place), environment)

    async def ready(self, desk: Desk) -> str | None:
        """Wait for the console, which a page of its own process draws, and for a cursor in the input line."""
        nodes = await desk.nodes()
        if not any(node.role == "document-web" for node in nodes):
            return "its console has not been loaded"
        if not any(node.role == "text" and "focused" in node.states for node in nodes):
            return "its input line has no cursor"
        return None if await self._window(desk) else "its window is not complete"

    async def arrange(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Do in the running program what the setup says, in its order; it ends on the calculator unless told."""
        verbs: dict[str, Callable[[Desk, str], Awaitable[None]]] = {
            "tab": self._tab,
            "define": self._define,
            "plot2d": self._plot2d,
            "plot3d": self._plot3d,
            "choose": self._choose,
        }
        for step in steps.own(setup, _VERBS):
            (argument,) = (value for key, value in step.items() if key != "do")
            await verbs[step["do"]](desk, argument)
            await self.state(desk)  # colours are remembered from when they are to be seen

    async def state(self, desk: Desk) -> Collections:
        """Read variables, plots, surface, settings and console; the screen stays as it is."""
        window = await self._window(desk) or await self._unless_closed(desk)
        if window is None:
            return {name: {} for name in ("variables", "functions2d", "plot3d", "view", "console")}
        picture = await desk.screen.image(cursor=False)
        view = window.view()
        self._see_colours(window, picture)
        self._see_surface(window, picture, view["style"])
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

    def _see_colours(self, window: Window, picture: Image.Image) -> None:
        plots = window.plots()
        seen = {
            plot.name: sight.swatch(picture, plot.box, plot.selected)
            for plot in plots
            if plot.box is not None
        }
        known = self._colours | {name: colour for name, colour in seen.items() if colour is not None}
        self._colours = {plot.name: known[plot.name] for plot in plots if plot.name in known}

    def _see_surface(self, window: Window, picture: Image.Image, style: str | None) -> None:
        box = window.surface_box()
        if box is None or window.covered or box[3] <= 2 * _ABOVE_INPUT:
            return
        x, y, width, height = box
        seen = picture.crop((x, y, x + width, y + height - _ABOVE_INPUT))
        self._surface.look(window.surface_text(), seen, style)

    # Preparing

    async def _tab(self, desk: Desk, name: str) -> None:
        await desk.do_action(await self._found(desk, f'page-tab[name="{name}"]'))
        await self._until(desk, lambda window: window.tab == name, f"tab {name} does not open")

    async def _define(self, desk: Desk, text: str) -> None:
        await self._tab(desk, "Calculator")
        lines = len((await self._there(desk)).console())
        await self._enter(desk, "text", text)
        await self._until(desk, lambda window: len(window.console()) > lines, f"{text} was not calculated")

    async def _plot2d(self, desk: Desk, expression: str) -> None:
        await self._tab(desk, "2D Graph")
        plots = len((await self._there(desk)).plots())
        await desk.do_action(await self._found(desk, 'frame[name="Functions"] >> page-tab[name="Add"]'))
        await self._enter(desk, 'frame[name="Functions"] >> text', expression)
        await self._until(desk, lambda window: len(window.plots()) > plots, f"{expression} was not plotted")

    async def _plot3d(self, desk: Desk, expression: str) -> None:
        await self._tab(desk, "3D Graph")
        await self._enter(desk, "text", expression)

        async def drawn() -> None:
            await self.state(desk)
            if self._surface.expression != expression:
                raise NotYet(f"the surface is that of {self._surface.expression}")

        await until(drawn, f"KAlgebra: {expression} was not drawn")

    async def _choose(self, desk: Desk, item: str) -> None:
        await self._tab(
            desk, "3D Graph" if item in STYLES else "2D Graph"
        )  # menus of other tabs are disabled
        before = await self._there(desk)
        wanted = not before.is_checked(item) if item in SETTINGS.values() else True
        if before.is_checked(item) is not wanted:
            await desk.do_action(await self._found(desk, f'menu-item[name="{item}"]:hidden'))
        await self._until(desk, lambda window: window.is_checked(item) is wanted, f"{item} cannot be chosen")

    async def _enter(self, desk: Desk, selector: str, text: str) -> None:
        """Replace what a field holds, and press Return."""
        node = await self._found(desk, selector)
        assert node.box is not None
        x, y, width, height = node.box
        await desk.input.click(x + width // 2, y + height // 2)
        await desk.input.key("ctrl", "a")
        await desk.input.type(f"{text}\n")
        await desk.settle()

    async def _found(self, desk: Desk, selector: str) -> Node:
        async def found() -> Node:
            node = await desk.find(selector)
            if node is None:
                raise NotYet("it is not there")
            return node

        return await until(found, f"KAlgebra shows no {selector}")

    async def _until(self, desk: Desk, true: Callable[[Window], bool], complaint: str) -> Window:
        """Read the window until something is true; while KAlgebra computes, it does not answer."""

        async def shown() -> Window:
            window = await self._window(desk)
            if window is None or not true(window):
                raise NotYet("the window does not show it" if window else "the window is not complete")
            return window

        return await until(shown, f"KAlgebra: {complaint}")

    # Reading

    async def _there(self, desk: Desk) -> Window:
        return await self._until(desk, bool, "its window was not read")

    async def _unless_closed(self, desk: Desk) -> Window | None:
        """Read the window, which lacks its console for a moment when that was written anew; None when it was closed."""

        async def read() -> Window | None:
            window = await self._window(desk)
            if window is None and _runs(desk):
                raise NotYet("its window is not complete")
            return window

        return await until(read, "KAlgebra could not be read")

    async def _window(self, desk: Desk) -> Window | None:
        """Read the window anew; None while it is not there."""
        return await self._again(desk) or await self._afresh(desk)

    async def _again(self, desk: Desk) -> Window | None:
        """Read the parts whose places are known; None where one has gone."""
        if self._parts is None:
            return None
        read = await asyncio.gather(
            *(desk.reread(node, LEVELS.get(name, 0)) for name, node in self._parts.items())
        )
        found = {name: node for name, node in zip(self._parts, read, strict=True) if node is not None}
        return Window(found) if len(found) == len(self._parts) else None

    async def _afresh(self, desk: Desk) -> Window | None:
        """Look for the parts in the whole tree."""
        self._parts = parts(await desk.nodes(showing=False, whole=True))
        if self._parts is None:
            return None
        self._guard(desk, self._parts)
        return Window(self._parts)

    def _guard(self, desk: Desk, found: Parts) -> None:
        """Keep KAlgebra from crashing: the list on the screen keeps a last line when a variable was removed.

        The other list's table (a header beside each of its lines, and above) knows how many there are.
        """
        accessibility, table = desk.session.accessibility, found["variables"]

        async def cells() -> int:
            lines = await accessibility.children(table) // 3 - 1
            return 2 + 2 * lines  # two headers above two columns

        accessibility.guards[found["variables on the screen"].ref] = cells


def _runs(desk: Desk) -> bool:
    """Tell whether it runs, or was closed by the person at the desktop.

    Raises:
        Trouble: It has crashed.
    """
    ours = [one for one in desk.session.programs if one.name.startswith(f"{APPLICATION.name}-")]
    for program in ours:
        if not program.alive and program.process.returncode != 0:
            raise Trouble(f"KAlgebra ended {program.end}")
    return any(program.alive for program in ours)


APPLICATION = KAlgebra()
