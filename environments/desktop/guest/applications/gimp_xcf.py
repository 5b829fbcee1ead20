"""GIMP's own files: small ones are written to begin with, and any are read into rows."""

from __future__ import annotations

import hashlib
import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PIL import Image

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]

_TILE = 64
_LARGEST = 8_000_000  # bytes of all pixels
_MOST = 5000  # layers, tiles, properties and the like
_KINDS = ("rgb", "gray", "indexed")
_NORMAL = 28  # the mode of layers
_UNITS = ("pixels", "inches", "millimeters", "points", "picas")
_FLAGS = {
    8: "visible",
    9: "linked",
    10: "lock alpha",
    28: "lock content",
    32: "lock position",
    11: "apply mask",
}
_NUMBERS = {7: "mode", 34: "color tag"}
_ORIENTATIONS = {1: "horizontal", 2: "vertical"}
_GRID, _PAIR = "gimp-image-grid", re.compile(r"^\((\S+) (.*)\)$", re.M)
_USUAL_GRID = """\
(style solid)
(fgcolor (color-rgba 0 0 0 1))
(bgcolor (color-rgba 1 1 1 1))
(xspacing 10)
(yspacing 10)
(spacing-unit inches)
(xoffset 0)
(yoffset 0)
(offset-unit inches)
"""
_VOLATILE = ("gimp-image-metadata", "exif-data", "icc-profile")  # with dates, or long


def write(width: int, height: int, layers: Sequence[Mapping[str, Any]]) -> bytes:
    """Return a picture in RGB whose layers, the topmost first, have a name, a colour and a box of their own."""
    out = bytearray(b"gimp xcf file\0" + struct.pack(">III", width, height, 0))
    out += _prop(17, b"\0") + _prop(19, struct.pack(">ff", 72, 72)) + _prop(0, b"")
    at = len(out)
    out += bytes(4 * (len(layers) + 2))  # the pointers: layers, and no channels
    for number, layer in enumerate(layers):
        struct.pack_into(">I", out, at + 4 * number, len(out))
        _write_layer(out, layer)
    return bytes(out)


def _prop(kind: int, data: bytes) -> bytes:
    return struct.pack(">II", kind, len(data)) + data


def _write_layer(out: bytearray, layer: Mapping[str, Any]) -> None:
    left, top, width, height = layer["box"]
    name = layer["name"].encode() + b"\0"
    out += struct.pack(">IIII", width, height, 1, len(name)) + name
    out += _prop(6, struct.pack(">I", 255)) + _prop(8, struct.pack(">I", 1))
    out += _prop(7, struct.pack(">I", _NORMAL)) + _prop(15, struct.pack(">ii", left, top)) + _prop(0, b"")
    out += struct.pack(">II", len(out) + 8, 0)  # the hierarchy follows, and there is no mask
    out += struct.pack(">IIIII", width, height, 4, len(out) + 20, 0)
    tiles = [
        min(_TILE, width - x) * min(_TILE, height - y)
        for y in range(0, height, _TILE)
        for x in range(0, width, _TILE)
    ]
    out += struct.pack(">II", width, height)
    start = len(out) + 4 * (len(tiles) + 1)
    for size in tiles:
        out += struct.pack(">I", start)
        start += 4 * size
    out += bytes(4) + bytes((*layer["color"], 255)) * sum(tiles)


def rows(name: str, data: bytes) -> Rows:
    """Yield the rows `images/NAME`, `layers/NAME/LAYER` and `channels/NAME/CHANNEL` of the file `images/NAME`."""
    name = name.partition("/")[2]
    for part, found in read(data).items():
        yield from ((f"{part}/{name}/{key}" if key else f"{part}/{name}", row) for key, row in found.items())


def read(data: bytes) -> dict[str, dict[str, Row]]:
    """Return the rows of a file: of the picture (with the key ""), and of its layers and channels by name."""
    return _Reader(data).rows()


class _Reader:
    """Reads one file; positions are those of its bytes."""

    def __init__(self, data: bytes) -> None:
        if data[:9] != b"gimp xcf ":
            raise ValueError("it is no picture of GIMP")
        self._data, self._at = data, 14
        version = data[9:13]
        self._version = 0 if version == b"file" else int(version[1:])
        self._compression, self._room = 0, _LARGEST

    def rows(self) -> dict[str, dict[str, Row]]:
        width, height, kind = self._numbers(3)
        image: Row = {"width": width, "height": height, "type": _KINDS[kind], "unit": "inches"}
        image |= dict(_grid(_USUAL_GRID))
        if self._version >= 4:
            (image["precision"],) = self._numbers(1)
        else:
            image["precision"] = 150  # 8 bit, as older files
        for number, value in self._properties():
            self._image_property(number, value, image)
        layers, channels = list(self._pointers()), list(self._pointers())
        return {
            "images": {"": image},
            "layers": dict(self._items(layers, typed=True)),
            "channels": dict(self._items(channels, typed=False)),
        }

    def _image_property(self, number: int, value: bytes, image: Row) -> None:
        match number:
            case 1:
                image["colors"] = struct.unpack_from(">I", value)[0]
            case 17:
                self._compression = value[0]
                image["compression"] = "better" if value[0] == 2 else "usual"
            case 18:
                guides = struct.iter_unpack(">iB", value)
                image["guides"] = ", ".join(sorted(f"{_ORIENTATIONS[way]} {at}" for at, way in guides))
            case 19:
                image["resolution"] = " x ".join(f"{one:.2f}" for one in struct.unpack(">ff", value))
            case 21:
                image |= dict(_parasites(value))
            case 22:
                unit = struct.unpack(">I", value)[0]
                image["unit"] = _UNITS[unit] if unit < len(_UNITS) else f"unit {unit}"
            case 25:
                image["paths"] = _digest(value)

    def _items(self, places: Sequence[int], typed: bool) -> Rows:
        for number, place in enumerate(places):
            self._at = place
            width, height = self._numbers(2)
            kind = self._numbers(1)[0] if typed else None
            name = self._text()
            row: Row = {"position": number, "width": width, "height": height, "color tag": 0}
            row |= dict.fromkeys(_FLAGS.values(), False)
            for prop, value in self._properties():
                _item_property(prop, value, row)
            pixels = self._pointer()
            mask = self._pointer() if typed else 0
            if typed:
                row |= {"alpha": bool(kind and kind % 2), "mask": self._mask(mask) if mask else "none"}
            yield name, row | self._pixels(pixels)

    def _mask(self, place: int) -> str:
        """Return what a mask lets through."""
        self._at = place + 8
        self._text()
        list(self._properties())
        return str(self._pixels(self._pointer())["values"])

    def _pixels(self, place: int) -> Row:
        """Return a digest of a hierarchy's pixels, whatever their compression; of one plane, its values and extent."""
        self._at = place
        width, height, depth = self._numbers(3)
        self._room -= width * height * depth
        if self._room < 0:
            raise ValueError("it has too many pixels")
        self._at = self._pointer() + 8
        picture = bytearray(width * height * depth)
        places = self._pointers()
        for y in range(0, height, _TILE):
            for x in range(0, width, _TILE):
                wide, high = min(_TILE, width - x), min(_TILE, height - y)
                tile = self._tile(next(places), wide * high, depth)
                for line in range(high):
                    at = ((y + line) * width + x) * depth
                    picture[at : at + wide * depth] = tile[line * wide * depth : (line + 1) * wide * depth]
        found = {"pixels": _digest(picture)}
        if depth == 1:
            plane = Image.frombytes("L", (width, height), bytes(picture))
            lowest, highest = plane.getextrema()
            box = plane.getbbox() or ()
            found |= {"values": f"{lowest} to {highest}", "extent": ", ".join(map(str, box))}
        return found

    def _tile(self, start: int, size: int, depth: int) -> bytes:
        if self._compression == 0:
            return self._data[start : start + size * depth]
        if self._compression == 2:
            return zlib.decompressobj().decompress(memoryview(self._data)[start:], size * depth)
        tile = bytearray(size * depth)
        for plane in range(depth):
            one, start = self._runs(start, size)
            tile[plane::depth] = one
        return bytes(tile)

    def _runs(self, at: int, size: int) -> tuple[bytes, int]:
        """Return the bytes of one plane of a tile that is compressed in runs, and where the next one begins."""
        data, out = self._data, bytearray()
        while len(out) < size:
            count = data[at]
            alike = count < 128
            length = count + 1 if alike else 256 - count
            at += 1
            if length == 128:
                length = data[at] * 256 + data[at + 1]
                at += 2
            out += data[at : at + 1] * length if alike else data[at : at + length]
            at += 1 if alike else length
        return bytes(out), at

    def _numbers(self, count: int) -> tuple[int, ...]:
        found = struct.unpack_from(f">{count}I", self._data, self._at)
        self._at += 4 * count
        return found

    def _text(self) -> str:
        (length,) = self._numbers(1)
        self._at += length
        return self._data[self._at - length : self._at].rstrip(b"\0").decode(errors="replace")

    def _pointer(self) -> int:
        form = ">Q" if self._version >= 11 else ">I"
        found = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return int(found[0])

    def _pointers(self) -> Iterator[int]:
        for _ in range(_MOST):
            if not (place := self._pointer()):
                return
            yield place
        raise ValueError("it has too many parts")

    def _properties(self) -> Iterator[tuple[int, bytes]]:
        for _ in range(_MOST):
            number, length = self._numbers(2)
            if number == 0:
                return
            self._at += length
            yield number, self._data[self._at - length : self._at]
        raise ValueError("it has too many properties")


def _digest(data: bytes | bytearray) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _item_property(number: int, value: bytes, row: Row) -> None:
    if number in _FLAGS:
        row[_FLAGS[number]] = value != bytes(4)
    elif number in _NUMBERS:
        row[_NUMBERS[number]] = struct.unpack(">I", value)[0]
    match number:
        case 6:
            row.setdefault("opacity", round(struct.unpack(">I", value)[0] / 2.55, 1))
        case 33:
            row["opacity"] = round(struct.unpack(">f", value)[0] * 100, 1)
        case 15:
            row["offsets"] = ", ".join(map(str, struct.unpack(">ii", value)))
        case 21:
            row |= dict(_parasites(value))
        case 29:
            row["group"] = True
        case 30:
            row["item path"] = "/".join(str(one) for (one,) in struct.iter_unpack(">I", value))


def _parasites(value: bytes) -> Iterator[tuple[str, str]]:
    """Yield what is attached, as texts by name."""
    reader = _Part(value)
    while reader.rest():
        name = reader.text()
        reader.number()
        data = reader.bytes(reader.number())
        if name == _GRID:
            yield from _grid(data.decode(errors="replace"))
        elif name not in _VOLATILE:
            yield name, data.rstrip(b"\0").decode(errors="replace")


def _grid(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a grid."""
    yield from ((f"grid {name}", one) for name, one in _PAIR.findall(text))


class _Part:
    """A part of a file that is read from its beginning."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def rest(self) -> bool:
        return self._at < len(self._data)

    def bytes(self, count: int) -> bytes:
        found = self._data[self._at : self._at + count]
        if len(found) < count:
            raise ValueError("a part is cut")
        self._at += count
        return found

    def number(self) -> int:
        return int.from_bytes(self.bytes(4))

    def text(self) -> str:
        return self.bytes(self.number()).rstrip(b"\0").decode(errors="replace")
