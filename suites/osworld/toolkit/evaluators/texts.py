"""Documents of Word's format: text, formats, tables, breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from docx import Document
from docx.document import Document as Docx
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Pt
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from .matching import Strict
from .packages import opened

Fault = str | None
_MOST_STYLES = 20  # each based on the next one


class FontName(Strict):
    """A font that all text has."""

    font_name: str


class Count(Strict):
    """How many page breaks there are; at least one, where no number is given."""

    page_break_count: int | None = None


def compare_docx_files(
    result: bytes | None,
    expected: bytes,
    *,
    ignore_blanks: bool = True,
    ignore_case: bool = False,
    ignore_order: bool = False,
    content_only: bool = False,
    delete_empty_lines: bool = False,
) -> Fault:
    """Two documents have the same paragraphs."""

    def read(document: Docx) -> list[str]:
        lines = [one.text.lower() if ignore_case else one.text for one in document.paragraphs]
        lines = sorted(lines) if ignore_order else lines
        lines = [line for line in lines if line.strip()] if delete_empty_lines else lines
        return [re.sub(r"\s+", " ", "\n".join(lines)).strip()] if ignore_blanks or content_only else lines

    return _same(result, expected, read)


def compare_docx_tables(result: bytes | None, expected: bytes) -> Fault:
    """Two documents have the same tables."""
    return _same(
        result,
        expected,
        lambda document: [
            [[cell.text.strip() for cell in row.cells] for row in table.rows] for table in document.tables
        ],
    )


def compare_line_spacing(result: bytes | None, expected: bytes) -> Fault:
    """Two documents have the same paragraphs with the same spacing of lines."""
    return _same(
        result,
        expected,
        lambda document: [(one.text, _spacing(one)) for one in document.paragraphs],
    )


def compare_font_names(result: bytes | None, rules: FontName) -> Fault:
    """All text has one font."""

    def read(document: Docx) -> Fault:
        for run in _runs(document):
            name = _format(run, lambda font: font.name) or _document_font(document)
            if run.text.strip() and str(name).casefold() != rules.font_name.casefold():
                return f"{run.text!r:.60} has the font {name or 'of its style'}"
        return None

    return _judged(result, read)


def compare_subscript_contains(result: bytes | None, expected: bytes) -> Fault:
    """Two documents have the same text in subscript, and some."""

    def read(document: Docx) -> str:
        return "".join(run.text for run in _runs(document) if _format(run, lambda font: font.subscript))

    wanted = opened(expected, lambda file: read(Document(file)))
    return _judged(
        result,
        lambda document: None if read(document) == wanted != "" else f"in subscript is {read(document)!r}",
    )


def compare_highlighted_text(result: bytes | None, expected: bytes) -> Fault:
    """Two documents have the same text highlighted."""
    return _same(
        result,
        expected,
        lambda document: [run.text for run in _runs(document) if run.font.highlight_color is not None],
    )


def check_highlighted_words(result: bytes | None, expected: bytes) -> Fault:
    """Nothing is highlighted, and the text is that of the other document."""
    if (fault := compare_docx_files(result, expected)) is not None:
        return fault

    def read(document: Docx) -> Fault:
        left = [run.text for run in _runs(document) if run.font.highlight_color is not None]
        return f"{left[0]!r:.60} is highlighted" if left else None

    return _judged(result, read)


def contains_page_break(result: bytes | None, rules: Count) -> Fault:
    """A document has page breaks."""

    def read(document: Docx) -> Fault:
        breaks = sum(
            each.get(qn("w:type")) == "page"
            for run in _runs(document)
            for each in run.element.findall(qn("w:br"))
        )
        breaks += sum(
            bool(_inherited(one, lambda format: format.page_break_before)) for one in document.paragraphs
        )
        wanted = rules.page_break_count
        return (
            None
            if (breaks == wanted if wanted is not None else breaks > 0)
            else f"there are {breaks} page breaks"
        )

    return _judged(result, read)


def has_page_numbers_in_footers(result: bytes | None) -> Fault:
    """Every section has the number of the page in its footer."""

    def read(document: Docx) -> Fault:
        for number, section in enumerate(document.sections, 1):
            fields = [
                *(each.text or "" for each in section.footer._element.iter(qn("w:instrText"))),
                *(each.get(qn("w:instr")) or "" for each in section.footer._element.iter(qn("w:fldSimple"))),
            ]
            if not any(re.search(r"\bPAGE\b", one) for one in fields):
                return f"section {number} has no number of the page"
        return None

    return _judged(result, read)


def is_first_line_centered(result: bytes | None) -> Fault:
    """The first paragraph is centred."""
    return _judged(
        result,
        lambda document: (
            None
            if document.paragraphs and _aligned(document.paragraphs[0]) == WD_ALIGN_PARAGRAPH.CENTER
            else "it is not centred"
        ),
    )


def evaluate_strike_through_last_paragraph(result: bytes | None, expected: bytes) -> Fault:
    """The text is the expected one, and all of the last paragraph is struck through."""
    if (fault := compare_docx_files(result, expected)) is not None:
        return fault

    def read(document: Docx) -> Fault:
        left = [
            run.text
            for run in _of(document.paragraphs[-1])
            if run.text.strip() and not _format(run, lambda font: font.strike or font.double_strike)
        ]
        return f"{left[0]!r:.60} is not struck through" if left else None

    return _judged(result, read)


def check_italic_font_size_14(result: bytes | None, expected: bytes) -> Fault:
    """The text is the expected one, and what is in italics has 14 points."""
    if (fault := compare_docx_files(result, expected)) is not None:
        return fault

    def read(document: Docx) -> Fault:
        other = [
            run.text for run in _runs(document) if run.italic and run.text.strip() and run.font.size != Pt(14)
        ]
        return f"{other[0]!r:.60} has another size" if other else None

    return _judged(result, read)


def check_tabstops(
    result: bytes | None, expected: bytes, *, word_number_split_by_tabstop: int | None = None, index: int = 0
) -> Fault:
    """Two documents have tab stops of the same kinds at the same places, and tabs after some words."""

    def read(document: Docx) -> list[list[tuple[Any, Any]]]:
        return [
            [(stop.alignment, stop.position) for stop in one.paragraph_format.tab_stops]
            for one in document.paragraphs
            if one.text.strip()
        ]

    if (fault := _same(result, expected, read)) is not None or word_number_split_by_tabstop is None:
        return fault

    def tabbed(document: Docx) -> Fault:
        for one in document.paragraphs:
            if one.text.strip():
                parts = one.text.split("\t")
                if index >= len(parts) or len(parts[index].split()) != word_number_split_by_tabstop:
                    return f"{one.text!r:.60} has its tab elsewhere"
        return None

    return _judged(result, tabbed)


def _runs(document: Docx) -> Iterator[Run]:
    for paragraph in paragraphs(document):
        yield from _of(paragraph)


def _of(paragraph: Paragraph) -> list[Run]:
    """Return the pieces of a paragraph, with those in links."""
    element: Any = paragraph._p
    return [Run(one, paragraph) for one in element.iter(qn("w:r"))]


def _styles(style: Any) -> Iterator[Any]:
    """Yield a style and those that it is based on."""
    for _ in range(_MOST_STYLES):
        if style is None:
            return
        yield style
        style = style.base_style


def _format(run: Run, read: Callable[[Any], Any]) -> Any:
    """Return a format of a piece of text: its own, or that of its styles."""
    paragraph: Any = next(one for one in run._r.iterancestors(qn("w:p")))
    for one in (run, *_styles(run.style), *_styles(Paragraph(paragraph, run._parent).style)):
        if (found := read(one.font)) is not None:
            return found
    return None


def _document_font(document: Docx) -> str | None:
    fonts = document.styles.element.find(f"{qn('w:docDefaults')}//{qn('w:rFonts')}")
    return None if fonts is None else fonts.get(qn("w:ascii"))


def _inherited(paragraph: Paragraph, read: Callable[[Any], Any]) -> Any:
    """Return a format of a paragraph: its own, or that of its styles."""
    formats = (one.paragraph_format for one in (paragraph, *_styles(paragraph.style)))
    return next((found for one in formats if (found := read(one)) is not None), None)


def _aligned(paragraph: Paragraph) -> Any:
    return _inherited(paragraph, lambda format: format.alignment)


def _spacing(paragraph: Paragraph) -> Any:
    """Return the spacing of a paragraph's lines; single is the usual one."""
    return _inherited(paragraph, lambda format: format.line_spacing) or 1.0


def paragraphs(document: Docx) -> Iterator[Paragraph]:
    """Yield the paragraphs of a document, and those of its tables."""
    yield from document.paragraphs
    for table in document.tables:
        for row in table.rows:
            for cell in row.cells:
                yield from cell.paragraphs


def _judged(result: bytes | None, judge: Callable[[Docx], Fault]) -> Fault:
    return opened(result, lambda file: judge(Document(file)))


def _same(result: bytes | None, expected: bytes, read: Callable[[Docx], Any]) -> Fault:
    wanted = opened(expected, lambda file: [read(Document(file))])
    if isinstance(wanted, str):
        return f"the expected document: {wanted}"
    found = opened(result, lambda file: [read(Document(file))])
    if isinstance(found, str):
        return found
    if found == wanted:
        return None
    one, two = found[0], wanted[0]
    if isinstance(one, list) and isinstance(two, list):
        for first, second in zip(one, two, strict=False):
            if first != second:
                return f"it has {first!r:.120}, not {second!r:.120}"
        return f"it has {len(one)} parts, not {len(two)}"
    return f"it has {one!r:.120}, not {two!r:.120}"


EVALUATORS = {
    "check_highlighted_words": check_highlighted_words,
    "check_italic_font_size_14": check_italic_font_size_14,
    "check_tabstops": check_tabstops,
    "compare_docx_files": compare_docx_files,
    "compare_docx_tables": compare_docx_tables,
    "compare_font_names": compare_font_names,
    "compare_highlighted_text": compare_highlighted_text,
    "compare_line_spacing": compare_line_spacing,
    "compare_subscript_contains": compare_subscript_contains,
    "contains_page_break": contains_page_break,
    "evaluate_strike_through_last_paragraph": evaluate_strike_through_last_paragraph,
    "has_page_numbers_in_footers": has_page_numbers_in_footers,
    "is_first_line_centered": is_first_line_centered,
}
