"""Runs in Blender, without a window: runs the script of a setup, and saves the file. `-- SCRIPT FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

import bpy  # type: ignore[import-not-found]

script, path = sys.argv[-2:]
exec(compile(Path(script).read_text(encoding="utf-8"), script, "exec"), {"bpy": bpy})  # noqa: S102 - confined
bpy.ops.wm.save_as_mainfile(filepath=path, check_existing=False)
