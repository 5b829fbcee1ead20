"""How far the first screenshots of one starting point differ, on resets that each follow a messy episode.

Each episode remaps keys and buttons, recolours the screen, leaves a window behind, clicks and types. Then the desktop
is reset to the same starting point, and its first screenshot is compared with the very first one, pixel by pixel.
Nothing is masked. The table is the one in docs/desktops.md.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import statistics
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PIL import Image, ImageChops

from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.drivers.desktop.xvfb import Xvfb
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Click, Drag, Point, RunCode, Size, Type

SCREEN = Size(1920, 1080)
TEX = "\\documentclass{article}\n\\begin{document}\nHello\n\\end{document}\n"
STARTS: dict[str, list[dict[str, Any]]] = {
    "probe": [],
    "kalgebra": [{"do": "define", "text": "a:=7"}, {"do": "define", "text": "b:=a*2"}],
    "texstudio": [{"do": "write", "path": "a/main.tex", "text": TEX}, {"do": "open", "path": "a/main.tex"}],
    "grass": [{"do": "layer", "name": "relief", "kind": "raster"}],
}
MESS = """
from Xlib import X, Xatom, display
d = display.Display()
root = d.screen().root
d.set_close_down_mode(X.RetainPermanent)
code = d.keysym_to_keycode(ord("a"))
d.change_keyboard_mapping(code, [[ord("q"), ord("Q")]])
d.set_pointer_mapping([3, 2, 1, *range(4, 11)])
root.change_property(d.intern_atom("RESOURCE_MANAGER"), Xatom.STRING, 8, b"*background: red")
root.change_attributes(background_pixel=0xFF0000)
root.clear_area()
look = {"background_pixel": 0x00FF00, "override_redirect": 1}
root.create_window(700, 300, 300, 200, 0, d.screen().root_depth, **look).map()
for window in root.query_tree().children:
    window.configure(x=90, width=700)
root.warp_pointer(7, 9)
d.sync()
open("left.txt", "w").write("left")
"""
DEEDS = (
    Click(900, 500),
    Type("a:=7\n"),
    Drag((Point(300, 300), Point(500, 600))),
    Click(400, 60, button="right"),
    RunCode(MESS),
)


async def play(application: str, resets: int, folder: Path | None) -> tuple[list[int], list[float]]:
    """Return by how many pixels each first screenshot differs from the first of all, and the seconds of each reset."""
    leases = Leases()
    desktop = DesktopEnvironment(Xvfb(SCREEN, leases), SCREEN)
    task = SimpleNamespace(application=application, setup=lambda seed: STARTS[application])
    instance: Any = SimpleNamespace(task=task, seed=0)
    try:
        if lacking := await desktop.lacking(instance):
            raise SystemExit(lacking)
        pictures, seconds = [await first(desktop, instance)], []
        for _ in range(resets):
            for deed in DEEDS:
                result = await desktop.perform(deed)
                if result.error or (result.text or "exit code 0").splitlines()[0] != "exit code 0":
                    raise SystemExit(f"the mess was not made: {result}")
            began = time.perf_counter()
            pictures.append(await first(desktop, instance))
            seconds.append(time.perf_counter() - began)
        keep(pictures, application, folder)
        return [differing(pictures[0], one) for one in pictures[1:]], seconds
    finally:
        await desktop.close()
        await leases.close()


async def first(desktop: DesktopEnvironment, instance: Any) -> Image.Image:
    """Reset the desktop and return its first screenshot."""
    await desktop.reset(instance)
    seen = await desktop.observe("screenshot")
    assert seen.screenshot is not None
    return Image.open(io.BytesIO(seen.screenshot)).convert("RGB")


def differing(one: Image.Image, other: Image.Image) -> int:
    """Return how many pixels differ."""
    bands = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return SCREEN.width * SCREEN.height - most.histogram()[0]


def keep(pictures: list[Image.Image], application: str, folder: Path | None) -> None:
    """Write the screenshots to a folder, to be looked at."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for number, picture in enumerate(pictures):
            picture.save(folder / f"{application}-{number:02}.png")


def main() -> int:
    """Measure and print; 1 when any pixel differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "applications", nargs="*", choices=[*STARTS, []], metavar="APPLICATION", help=", ".join(STARTS)
    )
    parser.add_argument("--resets", type=int, default=10, metavar="N")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the screenshots there")
    given = parser.parse_args()
    print(f"{SCREEN}, {given.resets} resets each, load {os.getloadavg()[0]:.1f}", flush=True)
    print("| application | equal | most pixels that differ | reset p50 | worst |\n|---|---|---|---|---|")
    worst = 0
    for application in given.applications or STARTS:
        try:
            pixels, seconds = asyncio.run(play(application, given.resets, given.keep))
        except EnvironmentFailure as failure:  # such as a machine that is too busy
            print(f"| {application} | not measured: {failure} | | | |", flush=True)
            worst = 1
            continue
        equal, worst = f"{pixels.count(0)} of {len(pixels)}", max(worst, *pixels)
        times = f"{statistics.median(seconds):.1f} s | {max(seconds):.1f} s"
        print(f"| {application} | {equal} | {max(pixels)} | {times} |", flush=True)
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
