"""Runs in Blender, without a window: saves the preferences and the startup file that every desktop begins with.

No splash, tips or animation, and what software rendering draws slowly is off. The workspace Layout has a smaller
viewport, a wider Properties editor beside it, and a Graph Editor below the Outliner.
"""

from __future__ import annotations

from typing import Any

import bpy  # type: ignore[import-not-found]


def set_preferences(preferences: Any) -> None:
    """Set what differs from the defaults."""
    preferences.use_preferences_save = False  # they are saved by the button that saves them
    preferences.view.show_splash = False
    preferences.view.show_tooltips = False
    preferences.view.smooth_view = 0
    preferences.view.mini_axis_type = "NONE"
    preferences.system.viewport_aa = "OFF"
    preferences.filepaths.file_preview_type = "NONE"


def arrange() -> None:
    """Divide the viewport of the workspace Layout, and give its right part to the Properties editor."""
    window = bpy.context.window_manager.windows[0]
    viewport, properties = (
        next(area for area in window.screen.areas if area.type == kind) for kind in ("VIEW_3D", "PROPERTIES")
    )
    with bpy.context.temp_override(window=window, area=viewport, region=viewport.regions[-1]):
        bpy.ops.screen.area_split(direction="VERTICAL", factor=0.6)
    properties.type = "GRAPH_EDITOR"
    window.screen.areas[-1].type = "PROPERTIES"
    for area in (area for screen in bpy.data.screens for area in screen.areas):
        for space in (space for space in area.spaces if space.type == "VIEW_3D"):
            space.show_gizmo = False


set_preferences(bpy.context.preferences)
arrange()
bpy.ops.wm.save_userpref()
bpy.ops.wm.save_homefile()
