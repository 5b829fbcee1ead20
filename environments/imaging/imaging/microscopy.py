"""Whole slides as DICOM: a study of one series, whose instances are the magnifications, tiled in full."""

from __future__ import annotations

from imaging import slides
from imaging.elements import Elements, code, el

WHOLE_SLIDE = "1.2.840.10008.5.1.4.1.1.77.1.6"
JPEG_BASELINE = "1.2.840.10008.1.2.4.50"
MODALITY = "SM"

_ORIGINAL = ("ORIGINAL", "PRIMARY", "VOLUME", "NONE")


def level(study: Elements, series: str, slide: slides.Slide, number: int) -> Elements:
    """Return the metadata of one magnification.

    The stain is not told: a pathologist sees it.
    """
    width, height = slides.size(number)
    spacing = slides.SPACING[number]
    resampled = number < len(slides.SPACING) - 1
    kind = ("DERIVED", "PRIMARY", "VOLUME", "RESAMPLED") if resampled else _ORIGINAL
    return study | {
        "00080008": el("CS", *kind),
        "00080016": el("UI", WHOLE_SLIDE),
        "00080018": el("UI", f"{series}.{number + 1}"),
        "00080060": el("CS", MODALITY),
        "00083002": el("UI", JPEG_BASELINE),
        "0020000E": el("UI", series),
        "00200011": el("IS", 1),
        "00200013": el("IS", number + 1),
        "0008103E": el("LO", "Whole slide"),
        "00200052": el("UI", f"{series}.9"),
        "00201040": el("LO", "SLIDE_CORNER"),
        "00209311": el("CS", "TILED_FULL"),
        "00280002": el("US", 3),
        "00280004": el("CS", "YBR_FULL_422"),
        "00280006": el("US", 0),
        "00280008": el("IS", slides.frames(number)),
        "00280010": el("US", slides.TILE),
        "00280011": el("US", slides.TILE),
        "00280100": el("US", 8),
        "00280101": el("US", 8),
        "00280102": el("US", 7),
        "00280103": el("US", 0),
        "00282110": el("CS", "01"),
        "00400512": el("LO", slide.label.replace("\n", " ")),
        "00480001": el("FL", slides.WIDTH_MM),
        "00480002": el("FL", slides.HEIGHT_MM),
        "00480006": el("UL", width),
        "00480007": el("UL", height),
        "00480008": el("SQ", {"0040072A": el("DS", 0), "0040073A": el("DS", 0)}),
        "00480010": el("CS", "NO"),
        "00480102": el("DS", 0, 1, 0, 1, 0, 0),
        "00480105": el(
            "SQ",
            {
                "00480106": el("SH", "1"),
                "00480107": el("ST", "Brightfield"),
                "00220016": el("SQ", code("111744", "DCM", "Brightfield illumination")),
                "00480108": el("SQ", code("414298005", "SCT", "Full Spectrum")),
            },
        ),
        "00480302": el("UL", 1),
        "00480303": el("UL", 1),
        "52009229": el(
            "SQ",
            {
                "00289110": el("SQ", {"00280030": el("DS", spacing, spacing), "00180050": el("DS", 0.001)}),
                "00400710": el("SQ", {"00089007": el("CS", *_ORIGINAL)}),
            },
        ),
    }
