"""Starts GRASS's unmodified window inside the box, and serves its state.

Run as `grass LOCATION/MAPSET --exec python3 -I wrapper.py`, with its channel as standard input; it needs nothing but
GRASS, the standard library and `sealed/inside`. GRASS has a Python console, whose lines run in this very process: code
that does more than compute breaks the seal (`own_code.py`).
"""

from __future__ import annotations

import ctypes.util
import os
import shutil
import sys
from pathlib import Path
from typing import Any

GISBASE = os.environ["GISBASE"]

_HERE = Path(__file__).parent
sys.path[:0] = [
    os.path.join(GISBASE, "gui", "wxpython"),
    os.path.join(GISBASE, "etc", "python"),
    str(_HERE),
    str(_HERE.parents[1] / "sealed" / "inside"),
]


def find_libraries_at_once() -> None:
    """Find GRASS's libraries directly; `ctypes.util` runs a compiler and a linker for each."""
    known = ctypes.util.find_library

    def find(name: str) -> str | None:
        for file in (name, f"lib{name}.so"):
            path = os.path.join(GISBASE, "lib", file)
            if os.path.exists(path):
                return path
        return known(name)

    ctypes.util.find_library = find


find_libraries_at_once()

import grass.script.core  # type: ignore[import-not-found] # noqa: E402
import own_code  # type: ignore[import-not-found] # noqa: E402
import places  # type: ignore[import-not-found] # noqa: E402
import serving  # type: ignore[import-not-found] # noqa: E402
import wx  # type: ignore[import-not-found] # noqa: E402
import wxgui  # type: ignore[import-not-found] # noqa: E402
from core import toolboxes  # type: ignore[import-not-found] # noqa: E402
from core.settings import UserSettings  # type: ignore[import-not-found] # noqa: E402
from core.utils import registerPid  # type: ignore[import-not-found] # noqa: E402
from grass.script.core import set_raise_on_error  # noqa: E402

Reply = dict[str, Any]


def start_fewer_programs() -> None:
    """Look for programs and addons without starting a module, which loads more than a hundred libraries."""
    known, addons = toolboxes._getAddons, os.path.join(os.environ["GRASS_ADDON_BASE"], "modules.xml")
    toolboxes._getAddons = lambda: known() if os.path.exists(addons) else []
    for module in (grass.script, grass.script.core):
        module.find_program = lambda program, *_: shutil.which(program) is not None


class Failed(Exception):
    """Raised when a request cannot be fulfilled; the message says why."""


class GrassWindow(wxgui.GMApp):  # type: ignore[misc]
    """The application without its splash screen, which would cover the window for 3 s."""

    loaded = False

    def OnInit(self) -> bool:
        """Skip the splash screen."""
        self.SetAppName("GRASS GIS")
        self.SetVendorName("The GRASS Development Team")
        return True

    def open(self) -> None:
        """Show the main window, without which the main loop would end."""
        from main_window.frame import GMFrame  # type: ignore[import-not-found]

        self.frame = GMFrame(parent=None, id=wx.ID_ANY, workspace=None)
        self.frame.datacatalog.tree.loadingDone.connect(self._catalogue_loaded)
        self.frame.Maximize()  # its default size does not account for the borders
        self.frame.Show()
        self.SetTopWindow(self.frame)

    def _catalogue_loaded(self) -> None:
        self.loaded = True


class WindowApi:
    """Handlers of the requests; every method runs in the window's thread."""

    def __init__(self, window: GrassWindow) -> None:
        self._window = window
        self._laid_out = False

    @property
    def _frame(self) -> Any:
        frame = getattr(self._window, "frame", None)
        if not frame:
            raise Failed("the main window is not there")
        return frame

    def ready(self) -> Reply:
        """Return what is still in progress before a user could work."""
        try:
            frame = self._frame
        except Failed:
            return {"waiting": "for the main window"}
        if not self._window.loaded:
            return {"waiting": "for the data catalogue"}
        if any(_is_drawing(display) for display in frame.GetAllMapDisplays()):
            return {"waiting": "for the map to be drawn"}
        if not self._laid_out:
            self._laid_out = True
            _lay_out(frame)
        if wx.EventLoopBase.GetActive().Pending():
            return {"waiting": "for its panes to be laid out"}
        return {"waiting": None}

    def state(self) -> Reply:
        """Return the window's state."""
        frame = self._frame
        pages = [frame.notebookLayers.GetPage(n) for n in range(frame.notebookLayers.GetPageCount())]
        names = [frame.notebookLayers.GetPageText(n) for n in range(len(pages))]
        displays = [
            {"name": name, "current": page is frame.currentPage, **_display(page.maptree.GetMapDisplay())}
            for name, page in zip(names, pages, strict=True)
        ]
        return {
            "title": frame.GetTitle(),
            "session": _session(),
            "displays": displays,
            "layers": [
                {"display": name, **layer}
                for name, page in zip(names, pages, strict=True)
                for layer in _layers(page.maptree)
            ],
            "windows": _windows(frame),
            "console": frame.goutput.cmdOutput.GetText(),
        }

    def add_layer(self, name: str, kind: str) -> Reply:
        """Add a map like a double-click in the data catalogue, and zoom to the first one."""
        frame = self._frame
        frame.AddMaps([name], kind, True)
        if len(frame._giface.GetLayerList()) == 1:
            frame.GetMapDisplay().GetWindow().ZoomToMap()
        return {}

    def view(self, scale: float, east: float | None = None, north: float | None = None) -> Reply:
        """Set the scale of the current map display, and optionally its centre."""
        display = self._frame.GetMapDisplay()
        if east is not None and north is not None:
            display.Map.region["center_easting"], display.Map.region["center_northing"] = east, north
        display.SetMapScale(scale)
        display.GetWindow().UpdateMap()
        return {}

    def place(self, name: str) -> Reply:
        """Return the box of something that GRASS paints itself."""
        return {"box": places.find(self._frame, name)}


def _lay_out(window: Any) -> None:
    """Lay out all toolbars again after the panes have their widths.

    GTK ignores a change of size that happens during another layout.
    """
    for child in window.GetChildren():
        if isinstance(child, wx.ToolBar) and child.IsShown():
            child.Hide()
            child.Show()
        _lay_out(child)


def _is_drawing(display: Any) -> bool:
    """Whether the map is being drawn or will be redrawn."""
    window = display.GetMapWindow()
    return bool(display.Map.GetRenderMgr()._rendering or window.resize or window.timerRunId is not None)


def _display(display: Any) -> Reply:
    region = display.Map.region
    bars = {name: bar for name, bar in display.toolbars.items() if bar and bar.IsShown()}
    editor = bars.get("vdigit")
    edited = editor.GetLayer() if editor else None
    items = display.statusbarManager
    return {
        "region": {key: float(region[key]) for key in ("n", "s", "e", "w", "nsres", "ewres")}
        | {key: int(region[key]) for key in ("rows", "cols")},
        "scale": display.GetMapScale(),
        "toolbars": sorted(bars),
        "toolbars_shown": bool(display.AreAllToolbarsShown()),
        "editing": edited.GetName() if edited else None,
        "status": items.GetItemLabels()[items.GetMode()],
        "status_mode": items.GetMode(),
        "status_shown": bool(display.IsStatusbarShown()),
        "three_dimensional": bool(display.IsPaneShown("3d")),
        "overlays": sorted(_overlay(item) for item in display.decorations.values()),
    }


def _overlay(decoration: Any) -> str:
    return " ".join(str(word) for word in decoration.cmd) if decoration.IsShown() else ""


def _layers(tree: Any) -> list[Reply]:
    """Return the items of a layer tree from top to bottom."""
    found = []
    for item in places.items(tree):
        info = tree.GetLayerInfo(item)
        layer = info["maplayer"]
        found.append(
            {
                "label": info["label"],
                "text": tree.GetItemText(item).strip(),
                "type": info["type"],
                "name": layer.GetName() if layer else None,
                "opacity": round(layer.GetOpacity(), 4) if layer else None,
                "checked": bool(item.IsChecked()),
                "selected": bool(item.IsSelected()),
                **_drawn(layer),
            }
        )
    return found


def _drawn(layer: Any) -> Reply:
    """Return how a layer is drawn; changes in an open dialog do not count before they are applied."""
    command: Any = (layer.GetCmd() if layer else None) or ()
    if len(command) != 2 or not isinstance(command[1], dict):
        return {"command": "", "options": {}}
    return {"command": command[0], "options": {name: str(value) for name, value in command[1].items()}}


def _windows(frame: Any) -> list[str]:
    others = [window for window in wx.GetTopLevelWindows() if window and window is not frame]
    return sorted(window.GetTitle() for window in others if window.IsShown())


def _session() -> dict[str, str]:
    with open(os.environ["GISRC"], encoding="utf-8") as file:
        pairs = (line.split(":", 1) for line in file if ":" in line)
        return {name.strip(): value.strip() for name, value in pairs}


def main() -> None:
    """Start the window and the server thread."""
    channel = serving.take_channel()
    own_code.OwnCode(
        lambda why: serving.tell(channel, {"broken": why}),
        own=f"{_HERE.parents[1]}/",
        interpreters=(
            "/usr/lib/python3/dist-packages/wx/py/",
            os.path.join(GISBASE, "gui", "wxpython", "gmodeler"),
        ),
    ).watch()
    UserSettings.Set(group="general", key="singleWindow", subkey="enabled", value=True)
    # Avoid the dialog that appears if loading takes more than 5 s.
    UserSettings.Set(group="datacatalog", key="lazyLoading", subkey="asked", value=True)
    start_fewer_programs()
    quiet = wx.LogNull()  # as in wxgui's main, before wx looks for a locale
    window = GrassWindow(None)
    set_raise_on_error(True)
    registerPid(os.getpid())
    window.open()
    serving.start(channel, WindowApi(window), wx.CallAfter)
    window.MainLoop()
    del quiet


if __name__ == "__main__":
    main()
