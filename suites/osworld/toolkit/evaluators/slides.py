"""Presentations of PowerPoint's format: shapes, texts, formats, notes, backgrounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from lxml.etree import _Element
from pptx import Presentation
from pptx.oxml.ns import qn
from pydantic import Field

from .matching import Strict
from .packages import opened

Fault = str | None


class Transition(Strict):
    """The transition of a slide, counted from 0, by its element's name."""

    slide_idx: int
    transition_type: str


class Colour(Strict):
    """A colour that every background has, from 0 to 255."""

    rgb: Annotated[list[int], Field(min_length=3, max_length=3)]
    original_rgb: list[int] | None = None


def compare_pptx_files(
    result: bytes | None,
    expected: bytes,
    *,
    examine_number_of_slides: bool = True,
    examine_shape: bool = True,
    examine_text: bool = True,
    examine_indent: bool = True,
    examine_font_name: bool = True,
    examine_font_size: bool = True,
    examine_font_bold: bool = True,
    examine_font_italic: bool = True,
    examine_color_rgb: bool = True,
    examine_font_underline: bool = True,
    examine_strike_through: bool = True,
    examine_alignment: bool = True,
    examine_bullets: bool = True,
    examine_background_color: bool = True,
    examine_note: bool = True,
    approximately_tolerance: Annotated[float, Field(ge=0, le=0.5)] = 0.005,
    enable_debug: bool = True,
) -> Fault:
    """Slide by slide and shape by shape, what is examined is equal in two presentations."""
    examined = dict(locals())
    decks = [opened(content, Presentation) for content in (result, expected)]
    for deck in decks:
        if isinstance(deck, str):
            return deck
    one, two = ([*deck.slides] for deck in decks)  # type: ignore[union-attr]
    if examine_number_of_slides and len(one) != len(two):
        return f"it has {len(one)} slides, not {len(two)}"
    for number, (slide, other) in enumerate(zip(one, two, strict=False), 1):
        if (fault := _unlike(slide, other, examined, approximately_tolerance)) is not None:
            return f"slide {number}: {fault}"
    return None


def _unlike(slide: Any, other: Any, examined: dict[str, Any], tolerance: float) -> Fault:
    if examined["examine_background_color"] and _background(slide) != _background(other):
        return f"its background is {_background(slide)}, not {_background(other)}"
    if examined["examine_note"] and _note(slide) != _note(other):
        return f"its note is {_note(slide)!r:.80}"
    shapes, others = [*_shapes(slide.shapes)], [*_shapes(other.shapes)]
    if len(shapes) != len(others):
        return f"it has {len(shapes)} shapes, not {len(others)}"
    for shape, like in zip(shapes, others, strict=True):
        if examined["examine_shape"] and (fault := _moved(shape, like, tolerance)) is not None:
            return fault
        if (fault := _unlike_text(shape, like, examined)) is not None:
            return f"{shape.name}: {fault}"
    return None


def _moved(shape: Any, like: Any, tolerance: float) -> Fault:
    for side in ("left", "top", "width", "height"):
        one, two = getattr(shape, side) or 0, getattr(like, side) or 0
        if abs(one - two) > tolerance * max(abs(one), abs(two), 1):
            return f"{side} of {shape.name} is {one}, not {two}"
    return None


def _unlike_text(shape: Any, like: Any, examined: dict[str, Any]) -> Fault:
    one, two = _frames(shape), _frames(like)
    if len(one) != len(two):
        return "it has other parts with text"
    for frame, wanted in zip(one, two, strict=True):
        if (fault := _unlike_frame(frame, wanted, examined)) is not None:
            return fault
    return None


def _shapes(shapes: Any) -> Iterator[Any]:
    """Yield shapes, and those within groups."""
    for shape in shapes:
        yield shape
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)


def _frames(shape: Any) -> list[Any]:
    """Return the texts of a shape, or of the cells of its table."""
    if getattr(shape, "has_table", False):
        return [cell.text_frame for row in shape.table.rows for cell in row.cells]
    return [shape.text_frame] if shape.has_text_frame else []


def paragraphs(deck: Any) -> Iterator[Any]:
    """Yield the paragraphs of a presentation's slides."""
    for slide in deck.slides:
        for shape in _shapes(slide.shapes):
            for frame in _frames(shape):
                yield from frame.paragraphs


def _letters(paragraph: Any) -> Iterator[Any]:
    """Yield the piece of text in which each letter of a paragraph is, since pieces mean nothing."""
    for run in paragraph.runs:
        yield from [run] * len(run.text)


def _unlike_frame(frame: Any, like: Any, examined: dict[str, Any]) -> Fault:
    one, two = frame.text.strip(), like.text.strip()
    if examined["examine_text"] and one != two:
        return f"its text is {one!r:.80}"
    for paragraph, wanted in zip(frame.paragraphs, like.paragraphs, strict=False):
        for name, read in _PARAGRAPH.items():
            if examined[name] and read(paragraph) != read(wanted):
                seen = f"{read(paragraph)}, not {read(wanted)}"
                return f"{name.removeprefix('examine_')} of {paragraph.text!r:.40} is {seen}"
        pairs = dict.fromkeys(zip(_letters(paragraph), _letters(wanted), strict=False))
        for run, like_run in pairs:
            for name, read in _RUN.items():
                if examined[name] and read(run) != read(like_run):
                    return f"{name.removeprefix('examine_')} of {run.text!r:.40} is {read(run)}, not {read(like_run)}"
    return None


def _colour(run: Any) -> str | None:
    try:
        return str(run.font.color.rgb) if run.font.color and run.font.color.type is not None else None
    except AttributeError:  # a colour of the theme
        return None


def _attribute(run: Any, name: str) -> str | None:
    properties = run._r.find(qn("a:rPr"))
    return None if properties is None else properties.get(name)


def _background(slide: Any) -> str | None:
    fill = slide._element.find(f".//{qn('p:bgPr')}/{qn('a:solidFill')}/{qn('a:srgbClr')}")
    return None if fill is None else str(fill.get("val")).upper()


def _note(slide: Any) -> str:
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    return "" if frame is None else str(frame.text).strip()


def _bullet(paragraph: Any) -> str | None:
    properties: _Element | None = paragraph._p.find(qn("a:pPr"))
    for child in properties if properties is not None else ():
        if child.tag == qn("a:buChar"):
            return f"bullet {child.get('char')}"
        if child.tag == qn("a:buAutoNum"):
            return "number"
    return None


_PARAGRAPH: dict[str, Callable[[Any], Any]] = {
    "examine_alignment": lambda paragraph: paragraph.alignment or 1,
    "examine_bullets": _bullet,
    "examine_indent": lambda paragraph: paragraph.level,
}
_RUN: dict[str, Callable[[Any], Any]] = {
    "examine_color_rgb": _colour,
    "examine_font_bold": lambda run: bool(run.font.bold),
    "examine_font_italic": lambda run: bool(run.font.italic),
    "examine_font_name": lambda run: run.font.name,
    "examine_font_size": lambda run: run.font.size,
    "examine_font_underline": lambda run: (_attribute(run, "u") or "none") != "none",
    "examine_strike_through": lambda run: (_attribute(run, "strike") or "noStrike") != "noStrike",
}


def check_slide_orientation_Portrait(result: bytes | None) -> Fault:
    """Slides are higher than wide."""
    return opened(
        result,
        lambda file: (lambda deck: None if deck.slide_height > deck.slide_width else "they are not")(
            Presentation(file)
        ),
    )


def check_transition(result: bytes | None, rules: Transition) -> Fault:
    """A slide has a transition."""

    def read(file: Any) -> Fault:
        slides = [*Presentation(file).slides]
        if not 0 <= rules.slide_idx < len(slides):
            return "there is no such slide"
        kinds = [
            child.tag.rpartition("}")[2]
            for element in slides[rules.slide_idx]._element.iter()
            if isinstance(element.tag, str) and element.tag.endswith("}transition")
            for child in element
        ]
        return None if rules.transition_type in kinds else f"its transitions are {kinds}"

    return opened(result, read)


def evaluate_presentation_fill_to_rgb_distance(result: bytes | None, rules: Colour) -> Fault:
    """Every slide's background is nearly of a colour; OSWorld gives a share for being near."""

    def read(file: Any) -> Fault:
        for number, slide in enumerate(Presentation(file).slides, 1):
            seen = (
                _background(slide)
                or _background(slide.slide_layout)
                or _background(slide.slide_layout.slide_master)
            )
            if seen is None:
                return f"slide {number} has no colour"
            parts = [int(seen[at : at + 2], 16) for at in (0, 2, 4)]
            if sum((a - b) ** 2 for a, b in zip(parts, rules.rgb, strict=True)) > 3 * 13**2:  # 5 % of each
                return f"slide {number} is {seen}"
        return None

    return opened(result, read)


EVALUATORS = {
    "check_slide_orientation_Portrait": check_slide_orientation_Portrait,
    "check_transition": check_transition,
    "compare_pptx_files": compare_pptx_files,
    "evaluate_presentation_fill_to_rgb_distance": evaluate_presentation_fill_to_rgb_distance,
}
