"""Structured reports that the viewer stores: what was measured, on which image, from where to where."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydicom import Dataset

from imaging import part10
from imaging.elements import Elements

MODALITY = "SR"
STORAGE = "1.2.840.10008.5.1.4.1.1.88."  # what the classes of structured reports begin with


@dataclass(frozen=True)
class Report:
    """A stored report.

    Attributes:
        uid: Of its instance.
        elements: Its metadata, as the viewer asks for it.
        file: As it was sent.
        title: The description of its series.
        lines: What it says was measured.
    """

    uid: str
    study_uid: str
    elements: Elements
    file: bytes
    title: str
    lines: list[dict[str, Any]]


def report(file: bytes) -> Report | None:
    """Return what was sent; None if it is no structured report, or one that cannot be read: pages are not trusted."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = _read(file)
        if made is not None:  # as it is told and listed
            told = [made.title, made.lines, made.elements]
            json.dumps(told, allow_nan=False, ensure_ascii=False).encode()
    except Exception:  # the reader raises many kinds for files that are cut or nested wrongly
        return None
    return made


def _read(file: bytes) -> Report | None:
    held = part10.read(file)
    if not str(held.get("SOPClassUID", "")).startswith(STORAGE):
        return None
    return Report(
        str(held.SOPInstanceUID),
        str(held.StudyInstanceUID),
        held.to_json_dict(),
        file,
        str(held.get("SeriesDescription", "")),
        list(_lines(held)),
    )


def _lines(item: Dataset) -> Iterator[dict[str, Any]]:
    """Yield each number of a report that stands over coordinates in an image."""
    for part in item.get("ContentSequence", ()):
        if part.get("ValueType") == "NUM":
            for place in part.get("ContentSequence", ()):
                if place.get("ValueType") == "SCOORD":
                    yield _line(part, place)
        yield from _lines(part)


def _line(number: Dataset, place: Dataset) -> dict[str, Any]:
    value = number.MeasuredValueSequence[0]
    across_and_down = [float(one) for one in place.GraphicData]
    image = place.ContentSequence[0].ReferencedSOPSequence[0].ReferencedSOPInstanceUID
    return {
        "what": str(number.ConceptNameCodeSequence[0].CodeMeaning),
        "value": float(value.NumericValue),
        "unit": str(value.MeasurementUnitsCodeSequence[0].CodeValue),
        "image_uid": str(image),
        "pixels": [list(one) for one in zip(across_and_down[::2], across_and_down[1::2], strict=True)],
    }
