"""Segmentations of an abdomen: a second series of one instance, with an outline of each organ in every image.

Outlines follow the organs as `phantoms.py` draws them, but for one, which lies beside the organ that it is named after.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from imaging.elements import Elements, code, el
from imaging.phantoms import KINDS, SIZE, outline

MODALITY = "SEG"
STORAGE = "1.2.840.10008.5.1.4.1.1.66.4"
# Of each organ: its place among the shapes of an abdomen, its code, its colour, how far an outline may be misplaced.
_ORGANS = {
    "Liver": (2, "10200004", (40000, 46000, 45000), None),
    "Spleen": (3, "78961009", (38000, 28000, 24000), (-42, -6)),
    "Right kidney": (4, "9846003", (52000, 26000, 48000), (4, -50)),
    "Left kidney": (5, "18639004", (46000, 40000, 20000), (-10, -44)),
    "Stomach": (6, "69695003", (56000, 34000, 34000), (-40, -14)),
    "Aorta": (7, "15825003", (36000, 50000, 42000), None),
}


@dataclass(frozen=True)
class Segment:
    """The outline of an organ, misplaced by some pixels across and down."""

    name: str
    shift: tuple[int, int] = (0, 0)


def drawn(random: Random) -> tuple[Segment, ...]:
    """Return the segments of a study: four to six, of which one is misplaced."""
    wrong = random.choice([name for name, organ in _ORGANS.items() if organ[3]])
    others = random.sample([name for name in _ORGANS if name != wrong], random.randint(3, len(_ORGANS) - 1))
    return tuple(
        Segment(name, (organ[3] or (0, 0)) if name == wrong else (0, 0))
        for name, organ in _ORGANS.items()
        if name == wrong or name in others
    )


def misplaced(segments: tuple[Segment, ...]) -> str:
    """Return the name of the one that lies beside its organ."""
    return next(segment.name for segment in segments if any(segment.shift))


def metadata(images: list[Elements], segments: tuple[Segment, ...]) -> Elements:
    """Return the instance that outlines organs in the images of a series."""
    first = images[0]
    of_study = {tag: first[tag] for tag in _OF_STUDY}
    series = f"{first['0020000D']['Value'][0]}.2"
    frames = [(number + 1, place) for number in range(len(segments)) for place in range(len(images))]
    return of_study | {
        "00080008": el("CS", "DERIVED", "PRIMARY"),
        "00080016": el("UI", STORAGE),
        "00080018": el("UI", f"{series}.1"),
        "00080060": el("CS", MODALITY),
        "0008103E": el("LO", "Organs"),
        "00081115": el("SQ", {"0020000E": first["0020000E"], "0008114A": el("SQ", *map(_reference, images))}),
        "0020000E": el("UI", series),
        "00200011": el("IS", 2),
        "00200013": el("IS", 1),
        "00209221": el("SQ", {"00209164": el("UI", f"{series}.8")}),
        "00209222": el("SQ", *(_dimension(series, *one) for one in (_BY_SEGMENT, _BY_PLACE))),
        "00280002": el("US", 1),
        "00280004": el("CS", "MONOCHROME2"),
        "00280008": el("IS", len(frames)),
        "00280010": el("US", SIZE),
        "00280011": el("US", SIZE),
        "00280100": el("US", 1),
        "00280101": el("US", 1),
        "00280102": el("US", 0),
        "00280103": el("US", 0),
        "00282110": el("CS", "00"),
        "00620001": el("CS", "BINARY"),
        "00620002": el("SQ", *(_segment(number + 1, one.name) for number, one in enumerate(segments))),
        "00700080": el("CS", "ORGANS"),
        "00700081": el("LO", "Organs"),
        "00700084": el("PN", {"Alphabetic": "Contouring^Desk"}),
        "52009229": el("SQ", _shared(first)),
        "52009230": el("SQ", *(_frame(number, place + 1, images[place]) for number, place in frames)),
    }


def pixels(variation: int, segments: tuple[Segment, ...]) -> bytes:
    """Return the masks of all segments in all images, one bit a pixel; where outlines meet, the later one has it."""
    slices = KINDS["abdomen"].slices
    masks = np.zeros((len(segments), slices, SIZE, SIZE), dtype=bool)
    for place in range(slices):
        for number, segment in sorted(enumerate(segments), key=lambda one: any(one[1].shift)):
            mask = outline("abdomen", variation, place, _ORGANS[segment.name][0], segment.shift)
            masks[:, place] &= ~mask
            masks[number, place] = mask
    return np.packbits(masks.ravel(), bitorder="little").tobytes()


_OF_STUDY = (
    *("00080020", "00080030", "00080050", "00080061", "00080090", "00081030", "00100010", "00100020"),
    *("0020000D", "00200010", "00200052", "00083002", "00080021", "00080031"),
)
_BY_SEGMENT = ((0x0062000B, 0x0062000A), "ReferencedSegmentNumber")
_BY_PLACE = ((0x00200032, 0x00209113), "ImagePositionPatient")


def _reference(image: Elements) -> Elements:
    return {"00081150": image["00080016"], "00081155": image["00080018"]}


def _dimension(series: str, tags: tuple[int, int], name: str) -> Elements:
    pointer, group = (f"{tag:08X}" for tag in tags)
    return {
        "00209164": el("UI", f"{series}.8"),
        "00209165": el("AT", pointer),
        "00209167": el("AT", group),
        "00209421": el("LO", name),
    }


def _segment(number: int, name: str) -> Elements:
    _, concept, colour, _ = _ORGANS[name]
    return {
        "00620003": el("SQ", code("123037004", "SCT", "Anatomical Structure")),
        "00620004": el("US", number),
        "00620005": el("LO", name),
        "00620008": el("CS", "MANUAL"),
        "0062000D": el("US", *colour),
        "0062000F": el("SQ", code(concept, "SCT", name)),
    }


def _shared(image: Elements) -> Elements:
    measures = {"00180050": image["00180050"], "00180088": image["00180050"], "00280030": image["00280030"]}
    return {"00209116": el("SQ", {"00200037": image["00200037"]}), "00289110": el("SQ", measures)}


def _frame(number: int, place: int, image: Elements) -> dict[str, Any]:
    source = _reference(image) | {
        "0040A170": el("SQ", code("121322", "DCM", "Source image for image processing operation"))
    }
    derivation = {"00082112": el("SQ", source), "00089215": el("SQ", code("113076", "DCM", "Segmentation"))}
    return {
        "00089124": el("SQ", derivation),
        "00209111": el("SQ", {"00209157": el("UL", number, place)}),
        "00209113": el("SQ", {"00200032": image["00200032"]}),
        "0062000A": el("SQ", {"0062000B": el("US", number)}),
    }
