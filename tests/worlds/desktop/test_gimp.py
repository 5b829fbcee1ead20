"""What is read of GIMP's pictures."""

from __future__ import annotations

import struct

import pytest

from guest.applications import formats, gimp_xcf

LAYERS = [
    {"name": "Boat", "color": [200, 60, 40], "box": [10, 20, 70, 90]},
    {"name": "Sky", "color": [150, 200, 230], "box": [0, 0, 130, 110]},
]


def test_layers() -> None:
    """Rows are named by file and layer, and have what GIMP writes when nothing is unusual."""
    found = formats.read("images/a.xcf", "xcf", gimp_xcf.write(130, 110, LAYERS))
    assert list(found) == ["images/a.xcf", "layers/a.xcf/Boat", "layers/a.xcf/Sky"]
    boat = found["layers/a.xcf/Boat"]
    assert (boat["position"], boat["width"], boat["height"], boat["offsets"]) == (0, 70, 90, "10, 20")
    assert (boat["mode"], boat["opacity"], boat["visible"], boat["mask"]) == (28, 100.0, True, "none")


def test_picture() -> None:
    """Its size, its resolution, and the grid that it has without one of its own."""
    picture = formats.read("images/a.xcf", "xcf", gimp_xcf.write(130, 110, LAYERS))["images/a.xcf"]
    assert (picture["width"], picture["height"], picture["type"]) == (130, 110, "rgb")
    assert (picture["resolution"], picture["grid xspacing"]) == ("72.00 x 72.00", "10")


def test_pixels() -> None:
    """Another colour is another picture."""
    other = [{**LAYERS[0], "color": [200, 60, 41]}, LAYERS[1]]
    first, second = (gimp_xcf.read(gimp_xcf.write(130, 110, layers))["layers"] for layers in (LAYERS, other))
    assert first["Boat"]["pixels"] != second["Boat"]["pixels"]
    assert first["Sky"]["pixels"] == second["Sky"]["pixels"]


def test_runs() -> None:
    """Pixels are the same whether they are compressed or not."""
    plain = gimp_xcf.write(64, 64, [{"name": "One", "color": [9, 8, 7], "box": [0, 0, 64, 64]}])
    planes = b"".join(b"\x7f" + struct.pack(">H", 4096) + bytes([value]) for value in (9, 8, 7, 255))
    at = plain.index(b"\0\0\0\x11\0\0\0\x01") + 8
    packed = plain[:at] + b"\x01" + plain[at + 1 : -4 * 4096] + planes
    assert gimp_xcf.read(packed)["layers"] == gimp_xcf.read(plain)["layers"]


@pytest.mark.parametrize("data", [b"", b"gimp xcf v011\0", gimp_xcf.write(130, 110, LAYERS)[:300]])
def test_broken(data: bytes) -> None:
    """A file that is none has a row that says so."""
    assert list(formats.read("images/a.xcf", "xcf", data)["images/a.xcf"]) == ["unreadable"]
