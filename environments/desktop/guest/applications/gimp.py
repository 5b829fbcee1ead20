"""GIMP from Debian: its pictures as they are saved, and its settings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from guest import reading, steps
from guest.applications import declared, gimp_xcf
from guest.applications.base import Desk
from guest.applications.formats import FORMATS
from guest.data import Collections, Launch, SetupError, Step

_VERBS: dict[str, dict[str, Any]] = {
    "picture": {"path": str, "width": int, "height": int, "layers": list},
    "open": {"path": str},
}
_SEED = Path(__file__).with_name("gimp")
_FOLDER = ".config/GIMP/2.10"
_PLUGINS = f"{_FOLDER}/pluginrc"  # what a long search for plug-ins found
_ENVIRONMENT = {
    "GTK_MODULES": "gail:atk-bridge",  # GTK 2 on the accessibility bus
    "GIMP2_SYSCONFDIR": "/usr/share/empty",  # the settings are in HOME alone
}
_TABLES: dict[str, dict[str, Any]] = {
    "settings": {
        "files": [f"{_FOLDER}/{name}" for name in ("gimprc", "templaterc*", "unitrc*", "controllerrc")],
        "format": "s-expressions",
        "without": [
            "gimprc/import-raw-plug-in:*",  # what it writes by itself
            "gimprc/fill-options:*",
            "gimprc/stroke-options:*",
            "gimprc/image-resize-*",  # what was entered last in dialogs
            "gimprc/image-convert-*",
            "gimprc/layer-*",
            "gimprc/channel-*",
        ],
    },
    "resources": {
        "files": [f"{_FOLDER}/{name}/*" for name in ("palettes", "gradients", "brushes", "dynamics")],
        "format": "text",
    },
    "presets": {"files": [f"{_FOLDER}/tool-presets/*.gtp"], "format": "s-expressions"},
    "shortcuts": {"files": [f"{_FOLDER}/menurc*"], "format": "shortcuts"},
}
_COLLECTIONS = (*_TABLES, "images", "layers", "channels")
# Groups that are written as a whole once a part of them differs, as they are until then.
_USUAL = """
(default-view
    (show-menubar yes) (show-statusbar yes) (show-rulers yes) (show-scrollbars yes) (show-selection yes)
    (show-layer-boundary yes) (show-canvas-boundary yes) (show-guides yes) (show-grid no) (show-sample-points yes)
    (snap-to-guides yes) (snap-to-grid no) (snap-to-canvas no) (snap-to-path no)
    (padding-mode default) (padding-color (color-rgb 1 1 1)) (padding-in-show-all no))
(default-image
    (width 1920) (height 1080) (unit pixels) (xresolution 300) (yresolution 300) (resolution-unit inches)
    (image-type rgb) (precision u8-gamma) (color-managed yes) (color-profile NULL) (fill-type background)
    (comment "Created with GIMP"))
(default-grid
    (style solid) (fgcolor (color-rgba 0 0 0 1)) (bgcolor (color-rgba 1 1 1 1)) (xspacing 10) (yspacing 10)
    (spacing-unit inches) (xoffset 0) (yoffset 0) (offset-unit inches))
(color-management
    (mode display) (display-profile-from-gdk no) (display-rendering-intent relative-colorimetric)
    (display-use-black-point-compensation yes) (display-optimize yes) (simulation-rendering-intent perceptual)
    (simulation-use-black-point-compensation no) (simulation-optimize yes) (simulation-gamut-check no)
    (out-of-gamut-color (color-rgb 1 0 1)) (show-rgb-u8 no) (show-hsv no) (display-module CdisplayLcms))
"""
_MOST = 20  # pictures
_TOGETHER = 64 * 1024 * 1024  # bytes of all of them
_PROCESSOR = 12  # seconds to read them


class GIMP:
    """The image editor with the pictures that `{"do": "picture", ...}` describes, and those of `open` steps."""

    name = "gimp"
    packages = ("gimp", "gimp-help-en", "libgail-common", "libatk-adaptor")
    programs = (
        "/usr/bin/gimp",
        "/usr/share/gimp/2.0/help/en/index.html",
        "/usr/lib/x86_64-linux-gnu/gtk-2.0/modules/libgail.so",
        "/usr/lib/x86_64-linux-gnu/gtk-2.0/modules/libatk-bridge.so",
    )

    def __init__(self) -> None:
        self._window = ""

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Write the files of the first start, and the pictures.

        Raises:
            SetupError: A step is not understood.
        """
        for file in filter(Path.is_file, sorted(_SEED.rglob("*"))):
            desktop.write(str(file.relative_to(_SEED)), file.read_bytes())
        if (kept := desktop.store / "pluginrc").exists():
            desktop.write(_PLUGINS, kept.read_bytes())
        for step in steps.own(setup, _VERBS):
            if step["do"] == "open":
                continue
            try:
                desktop.write(step["path"], gimp_xcf.write(step["width"], step["height"], step["layers"]))
            except (KeyError, TypeError, ValueError) as error:
                raise SetupError(f"setup step picture: {error!r}") from error

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command with the pictures."""
        paths = [desktop.inside(step["path"]) for step in setup if step["do"] in _VERBS]
        first = PurePosixPath(paths[0]) if paths else None
        # What is no XCF is imported, as `[name] (imported)`.
        shown = "GNU Image" if first is None else first.name if first.suffix == ".xcf" else f"[{first.stem}]"
        self._window = f'frame[name^="{shown}"]'
        return Launch(("gimp", "--no-splash", *paths), _ENVIRONMENT)

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is missing: the picture, or the docks, which come after the window."""
        for wanted in (self._window, 'page-tab[name="Paths"]'):
            if not await desktop.find(wanted):
                return f"there is no {wanted} yet"
        return None

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Keep what the first start found, so that the next ones are quicker."""
        (desktop.store / "pluginrc").write_bytes(desktop.read(_PLUGINS))

    async def state(self, desktop: Desk) -> Collections:
        """Return what the pictures and the settings hold, as they are saved."""
        read = await reading.collections(await asyncio.to_thread(_jobs, desktop), _PROCESSOR)
        found: Collections = {name: {} for name in _COLLECTIONS} | read
        usual = dict(FORMATS["s-expressions"]("gimprc", _USUAL))
        usual["gimprc/default-fullscreen-view"] = usual["gimprc/default-view"]
        return found | {"settings": {**usual, **found["settings"]}}


def _jobs(desktop: Desk) -> list[reading.Job]:
    """Return what is to be read."""
    found = declared.jobs(desktop, _TABLES)
    room = _TOGETHER
    for path in desktop.matching("work/*.xcf", _MOST):
        job = declared.job_of(desktop, path, "xcf", "images", longest=room)
        room -= len(job.content)
        found.append(replace(job, collection="", name=f"images/{job.name}"))
    return found


APPLICATION = GIMP()
