"""Workbooks of Excel's format: sheets, cells, formats, charts."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Annotated, Any, Literal

from openpyxl import Workbook, load_workbook
from openpyxl.cell import Cell, MergedCell
from openpyxl.utils.cell import column_index_from_string, get_column_letter, range_boundaries
from openpyxl.worksheet.worksheet import Worksheet
from pydantic import Field

from .matching import Rule, Strict, fits
from .packages import opened

Fault = str | None
_MOST_CELLS = 200_000
_MOST_COLUMNS = 16_384

SheetName = str | int
CellProperty = Literal[
    "value", "number_format", "font_name", "font_color", "font_bold", "font_italic", "font_underline", "font_size",
    "fill_type", "bgcolor", "fgcolor", "hyperlink", "merge",
]  # fmt: skip


class SheetNames(Strict):
    """Both workbooks have sheets of the same names, in the same order."""

    type: Literal["sheet_name"]


class _Two(Strict):
    sheet_idx0: SheetName
    sheet_idx1: SheetName


class SheetData(_Two):
    """Two sheets have the same values; numbers to some decimals."""

    type: Literal["sheet_data"]
    precision: Annotated[int, Field(ge=0, le=15)] = 4
    ignore_case: bool = False


class Style(_Two):
    """Cells of two sheets have the same of some properties."""

    type: Literal["style"]
    props: list[CellProperty]


class Freeze(_Two):
    """Two sheets are frozen at the same cell."""

    type: Literal["freeze"]


class Rows(_Two):
    """Rows of two sheets have the same height, or are hidden alike."""

    type: Literal["row_props"]
    props: list[Literal["hidden", "height"]]


class Columns(_Two):
    """Columns of two sheets have the same width, or are hidden alike."""

    type: Literal["col_props"]
    props: list[Literal["hidden", "width"]]


class Charts(_Two):
    """Two sheets have charts of the same data, and the same of some properties."""

    type: Literal["chart"]
    chart_props: list[Literal["type", "title", "direction"]]


class Filters(_Two):
    """Two sheets filter the same cells."""

    type: Literal["filter"]


class CheckCell(Strict):
    """One cell is as some rules say."""

    type: Literal["check_cell"]
    sheet_idx: SheetName
    coordinate: Annotated[str, Field(pattern=r"^[A-Z]{1,3}[1-9][0-9]{0,6}$")]
    props: dict[CellProperty, Rule]


class Zoom(Rule):
    """A sheet is shown in a size."""

    type: Literal["zoom"]
    sheet_idx: SheetName


class Validation(Strict):
    """A sheet checks what is entered; each of its validities is like one of these."""

    type: Literal["data_validation"]
    sheet_idx: SheetName
    dv_props: list[
        dict[
            Literal["ranges", "type", "formula1", "formula2", "operator", "allowBlank", "prompt", "error"],
            Rule,
        ]
    ]


TableRule = Annotated[
    SheetNames
    | SheetData
    | Style
    | Freeze
    | Rows
    | Columns
    | Charts
    | Filters
    | CheckCell
    | Zoom
    | Validation,
    Field(discriminator="type"),
]


@dataclass(frozen=True, slots=True)
class _Books:
    """The result and the expected workbook: with values, and as they are written."""

    result: Workbook
    expected: Workbook | None

    def sheet(self, name: SheetName) -> Worksheet | None:
        """Return a sheet: a number or `RI0` of the result, `EI0` of the expected one; `RN` and `EN` with its name."""
        book, key = self.result, name
        if isinstance(name, str) and name[:2] in ("RI", "EI", "RN", "EN"):
            chosen = self.result if name[0] == "R" else self.expected
            if chosen is None:
                return None
            book, key = chosen, int(name[2:]) if name[1] == "I" and name[2:].isdecimal() else name[2:]
        names = book.sheetnames
        if isinstance(key, int):
            key = names[key] if key < len(names) else ""
        found = book[key] if key in names else None
        return found if isinstance(found, Worksheet) else None


def compare_table(result: bytes | None, expected: bytes | None, *, rules: list[TableRule]) -> Fault:
    """Sheets, cells and charts of a workbook are like those of another one, or as rules say."""
    found = opened(result, _workbook)
    if isinstance(found, str):
        return found
    other = None if expected is None else opened(expected, _workbook)
    if isinstance(other, str):
        return f"the expected workbook: {other}"
    books = _Books(found, other)
    for rule in rules:
        if (fault := _judged(rule, books)) is not None:
            return f"{rule.type}: {fault}"
    return None


def _workbook(content: io.BytesIO) -> Workbook:
    return load_workbook(content, data_only=True)


def _judged(rule: Any, books: _Books) -> Fault:
    match rule:
        case SheetNames():
            wanted = books.expected.sheetnames if books.expected else []
            names = books.result.sheetnames
            return None if names == wanted else f"the sheets are {names}"
        case CheckCell() | Zoom() | Validation():
            sheet = books.sheet(rule.sheet_idx)
            return f"there is no sheet {rule.sheet_idx}" if sheet is None else _ONE[type(rule)](sheet, rule)
        case _:
            one, two = books.sheet(rule.sheet_idx0), books.sheet(rule.sheet_idx1)
            if one is None or two is None:
                return f"there is no sheet {rule.sheet_idx0 if one is None else rule.sheet_idx1}"
            return _difference(_OF[type(rule)](one, rule), _OF[type(rule)](two, rule))


def _difference(one: Any, two: Any) -> Fault:
    if one == two:
        return None
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        for key in sorted({*one, *two}, key=str):
            if one.get(key) != two.get(key):
                return f"{key} is {one.get(key)!r}, not {two.get(key)!r}"
    return f"it is {one!r:.200}, not {two!r:.200}"


def _cells(sheet: Worksheet) -> Iterator[Cell | MergedCell]:
    if sheet.max_row * sheet.max_column > _MOST_CELLS:
        raise ValueError(f"a sheet has more than {_MOST_CELLS} cells")
    for row in sheet.iter_rows():
        yield from row


def _data(sheet: Worksheet, rule: SheetData) -> dict[str, Any]:
    return {
        cell.coordinate: _plain(cell.value, rule.precision, rule.ignore_case)
        for cell in _cells(sheet)
        if cell.value not in (None, "")
    }


def _plain(value: Any, precision: int, ignore_case: bool) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return round(float(value), precision)
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return str(value).lower() if ignore_case else str(value)


def _styles(sheet: Worksheet, rule: Style) -> dict[str, list[Any]]:
    return {cell.coordinate: [_property(cell, name) for name in rule.props] for cell in _cells(sheet)}


def _property(cell: Cell | MergedCell, name: str) -> Any:
    """Return a property of a cell; one without a value has no number format and no font."""
    if name == "merge":
        return isinstance(cell, MergedCell)
    if name == "value":
        return cell.value
    if name == "fill_type":
        return cell.fill.fill_type
    if name in ("bgcolor", "fgcolor"):
        return _colour(cell.fill.fgColor) if cell.fill.fill_type else None
    if cell.value is None:
        return None
    if name == "number_format":
        return cell.number_format if cell.data_type == "n" else None
    if name == "hyperlink":
        link = getattr(cell, "hyperlink", None)
        return link.target or link.location if link else ""
    if name == "font_color":
        return _colour(cell.font.color) if cell.font.color else None
    key = name.removeprefix("font_")
    return getattr(cell.font, {"bold": "b", "italic": "i", "underline": "u", "size": "sz"}.get(key, key))


def _colour(color: Any) -> Any:
    """Return a colour as records have it, opaque; of a theme or a palette, by its place there."""
    if color.type != "rgb":
        return f"{color.type} {getattr(color, color.type)} {color.tint or 0}"
    return f"FF{str(color.rgb)[-6:].upper()}"


def _frozen(sheet: Worksheet, rule: Freeze) -> tuple[int, int] | None:
    """Return how many columns and rows are frozen, however far the sheet is scrolled; a split window is not."""
    pane = sheet.sheet_view.pane
    if pane is None or pane.state not in ("frozen", "frozenSplit"):
        return None
    return int(pane.xSplit or 0), int(pane.ySplit or 0)


def _row_properties(sheet: Worksheet, rule: Rows) -> dict[str, list[Any]]:
    lines = {
        number: [getattr(line, name) for name in rule.props] for number, line in sheet.row_dimensions.items()
    }
    return {f"row {number}": kept for number, kept in lines.items() if any(kept)}


def _column_properties(sheet: Worksheet, rule: Columns) -> dict[str, list[Any]]:
    lines = {
        get_column_letter(number): [getattr(line, key) for key in rule.props]
        for name, line in sheet.column_dimensions.items()
        for number in range(line.min or column_index_from_string(name), min(line.max or 0, _MOST_COLUMNS) + 1)
    }
    return {f"column {name}": kept for name, kept in lines.items() if any(kept)}


def _charts(sheet: Worksheet, rule: Charts) -> list[Any]:
    return sorted(
        (
            [_series(chart), *(_of_chart(chart, name) for name in rule.chart_props)]
            for chart in vars(sheet)["_charts"]
        ),
        key=repr,
    )


def _series(chart: Any) -> list[Any]:
    def place(one: Any) -> str:
        for kind in ("numRef", "strRef"):
            reference = getattr(one, kind, None) if one is not None else None
            if reference is not None:
                return str(reference.f).replace("'", "").replace("$", "")
        return ""

    return sorted(
        [place(getattr(one, "val", None) or getattr(one, "yVal", None)), place(one.cat)]
        for one in chart.series
    )


def _of_chart(chart: Any, name: str) -> Any:
    if name == "type":
        return chart.tagname
    if name == "direction":
        return getattr(chart, "barDir", None)
    rich = chart.title.tx.rich if chart.title and chart.title.tx and chart.title.tx.rich else None
    return "".join(run.t for paragraph in (rich.p if rich else ()) for run in paragraph.r or ())


def _filter(sheet: Worksheet, rule: Filters) -> Any:
    """Return the cells that are filtered, without rows below the last one with a value, and how."""
    if not sheet.auto_filter.ref:
        return None
    left, top, right, bottom = range_boundaries(
        str(sheet.auto_filter.ref).replace("$", "").rpartition("!")[2]
    )
    kept = [(one.colId, _shown(one)) for one in sheet.auto_filter.filterColumn if _shown(one)]
    return left, top, right, min(bottom or sheet.max_row, sheet.max_row), sorted(kept)


def _shown(column: Any) -> list[str]:
    """Return what a column is filtered by; a hidden button, as merged cells have, filters nothing."""
    parts = ("filters", "customFilters", "top10", "dynamicFilter", "colorFilter", "iconFilter")
    return [repr(getattr(column, part)) for part in parts if getattr(column, part) is not None]


def _checked(sheet: Worksheet, rule: CheckCell) -> Fault:
    cell = sheet[rule.coordinate]
    for name, one in rule.props.items():
        seen = _property(cell, name)
        if not fits(seen, one):
            return f"{name} of {rule.coordinate} is {seen!r}"
    return None


def _zoomed(sheet: Worksheet, rule: Zoom) -> Fault:
    seen = sheet.sheet_view.zoomScale or 100
    return None if fits(seen, rule) else f"it is shown at {seen} %"


def _validated(sheet: Worksheet, rule: Validation) -> Fault:
    there = sheet.data_validations.dataValidation
    if len(there) < len(rule.dv_props):
        return f"there are {len(there)} validities"
    for one in there:
        seen = {
            "ranges": str(one.sqref),
            **{
                name: getattr(one, name)
                for name in ("type", "formula1", "formula2", "operator", "allowBlank", "prompt", "error")
            },
        }
        if not any(all(fits(seen[name], each) for name, each in wanted.items()) for wanted in rule.dv_props):
            return f"a validity is {seen}"
    return None


_OF: Mapping[type, Callable[[Worksheet, Any], Any]] = {
    SheetData: _data,
    Style: _styles,
    Freeze: _frozen,
    Rows: _row_properties,
    Columns: _column_properties,
    Charts: _charts,
    Filters: _filter,
}
_ONE: Mapping[type, Callable[[Worksheet, Any], Fault]] = {
    CheckCell: _checked,
    Zoom: _zoomed,
    Validation: _validated,
}

EVALUATORS = {"compare_table": compare_table}
