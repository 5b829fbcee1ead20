"""Runs in Blender: writes a file when the first picture of the viewport was drawn. `-- FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy


def tell() -> None:
    """Write the file, and stop watching."""
    bpy.types.SpaceView3D.draw_handler_remove(_handler, "WINDOW")
    Path(sys.argv[-1]).write_text("drawn", encoding="utf-8")


def drawn() -> None:
    """Tell it soon, when the window shows what was drawn."""
    if not bpy.app.timers.is_registered(tell):
        bpy.app.timers.register(tell, first_interval=0.01)


_handler = bpy.types.SpaceView3D.draw_handler_add(drawn, (), "WINDOW", "POST_PIXEL")
