"""Flat OpenDocument files (.fods, .fodt, .fodp), read into rows that do not depend on how their writer numbered things.

    FILE/meta                       properties of the document
    FILE/settings                   settings that are saved with it
    FILE/style/FAMILY/NAME          a style with a name
    FILE/master/NAME                a master page with its layout
    FILE/spreadsheet                what holds for all sheets, such as their protection
    FILE/SHEET, FILE/SHEET/B3       a sheet, a cell; `column B` and `row 3` beside them
    FILE/p.2, FILE/h.1, FILE/TAG[NAME]      what stands in a text, counted by kind
    FILE/page NAME, FILE/page NAME/2        a page of a presentation, and its second shape
    FILE/slide show, FILE/slide show/NAME   how a presentation is shown, and its custom shows
    FILE/TAG/NAME                   anything else, such as a named range

Fields are named by the path of tags and attributes, without namespaces; tags have their name or, from the second on,
number. An automatic style, which its writer calls P7 today and P8 tomorrow, is put in where it is used; so is what a
header or footer of a presentation says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

Rows = Iterator[tuple[str, dict[str, Any]]]

_MOST_COLUMNS, _MOST_ROWS = 64, 500
_DEEPEST = 12  # styles within styles
_REPEATED = ("number-columns-repeated", "number-rows-repeated")
# What changes by itself, or says nothing of the document.
_OWN_ATTRIBUTES = {"rsid", "paragraph-rsid", "id", "version", "mimetype", "use-soft-page-breaks", *_REPEATED}
_OWN_META = {
    "document-statistic", "generator", "date", "creation-date", "editing-cycles", "editing-duration", "creator",
    "initial-creator", "print-date", "printed-by",
}  # fmt: skip
_OWN_SETTINGS = ("Printer", "Rsid", "ScriptConfiguration", "CurrentDatabase", "SyntaxStringRef")
_BLOCKS = ("p", "h", "list")  # of texts
_USUAL = {
    ("family", "table-column"),
    ("family", "table-row"),
    ("break-before", "auto"),
    ("column-width", "0.889in"),
    ("default-cell-style-name", "Default"),
    ("use-optimal-row-height", "true"),
}  # of columns and rows
_DECLARATIONS = ("content-validation", "header-decl", "footer-decl", "date-time-decl")
_REFERENCES = (
    "style-name", "layout-name", "validation-name", "use-header-name", "use-footer-name", "use-date-time-name",
)  # fmt: skip


def rows(name: str, text: str) -> Rows:
    """Yield the rows of a document."""
    root = ElementTree.fromstring(text)  # noqa: S314 - files are cut to a length
    yield from _Document(name, root).rows()


class _Document:
    def __init__(self, name: str, root: Element) -> None:
        self._name, self._root = name, root
        self._unnamed = {
            _name(style): style
            for part in root
            for style in part
            if _tag(part) == "automatic-styles" or (_tag(part) == "styles" and _is_number(style))
        }
        for one in root.iter():
            if _tag(one) in _DECLARATIONS:
                self._unnamed[_name(one)] = one

    def rows(self) -> Rows:
        """Yield the rows that say something."""
        return ((key, fields) for key, fields in self._rows() if fields)

    def _rows(self) -> Rows:
        for part in self._root:
            match _tag(part):
                case "meta":
                    yield (
                        f"{self._name}/meta",
                        self._of_all(one for one in part if _tag(one) not in _OWN_META),
                    )
                case "settings":
                    yield f"{self._name}/settings", self._settings(part)
                case "styles":
                    for style in part:
                        if not _is_number(style):
                            family = _attribute(style, "family") or _tag(style)
                            label = _label(style) or _attribute(style, "note-class") or "default"
                            yield self._row("style", family, label, of=style)
                case "master-styles":
                    for page in part:
                        yield self._row("master", _label(page) or _tag(page), of=page)
                case "body":
                    for content in part:
                        yield f"{self._name}/{_tag(content)}", self._attributes(content)
                        yield from self._content(content)

    def _content(self, content: Element) -> Rows:
        seen: Counter[str] = Counter()
        for one in content:
            tag, label = _tag(one), _label(one)
            if tag in ("content-validations", *_DECLARATIONS):
                continue  # put in where they are used
            if tag == "table" and _tag(content) == "spreadsheet":
                yield from self._sheet(label, one)
            elif tag == "page":
                yield from self._page(label, one)
            elif not label and tag not in _BLOCKS:
                tag = "slide show" if tag == "settings" else tag  # not those of the document
                if fields := self._attributes(one):
                    yield f"{self._name}/{tag}", fields
                numbers: Counter[str] = Counter()
                for part in one:
                    numbers[_tag(part)] += 1
                    yield self._row(tag, _label(part) or f"{_tag(part)}.{numbers[_tag(part)]}", of=part)
            else:
                seen[tag] += 1
                yield self._row(f"{tag}[{label}]" if label else f"{tag}.{seen[tag]}", of=one)

    def _sheet(self, label: str, sheet: Element) -> Rows:
        columns, lines = count(0), count(1)
        beside: list[Element] = []
        yield from self._lines(label, sheet, columns, lines, beside)
        fields = self._attributes(sheet) | self._of_all(beside)
        yield f"{self._name}/{label}", fields

    def _lines(
        self, label: str, part: Element, columns: Iterator[int], lines: Iterator[int], beside: list[Element]
    ) -> Rows:
        """Yield columns, rows and cells, also those within groups; gather what else there is."""
        for one in part:
            match _tag(one):
                case "table-column":
                    for number in _numbers(one, "number-columns-repeated", columns, _MOST_COLUMNS):
                        yield (
                            f"{self._name}/{label}/column {_letters(number)}",
                            _remarkable(self._fields(one)),
                        )
                case "table-row":
                    for number in _numbers(one, "number-rows-repeated", lines, _MOST_ROWS):
                        yield from self._line(label, number, one)
                case (
                    "table-column-group"
                    | "table-row-group"
                    | "table-header-rows"
                    | "table-header-columns" as tag
                ):
                    for key, fields in self._lines(label, one, columns, lines, beside):
                        yield key, {**fields, f"within {tag}": self._attributes(one).get("@display", "true")}
                case _:
                    beside.append(one)

    def _line(self, label: str, number: int, line: Element) -> Rows:
        fields = self._attributes(line)
        if fields.get("style/table-row-properties@use-optimal-row-height") == "true":
            fields.pop("style/table-row-properties@row-height", None)
        yield f"{self._name}/{label}/row {number}", _remarkable(fields)
        columns = count(0)
        for cell in line:
            for column in _numbers(cell, "number-columns-repeated", columns, _MOST_COLUMNS):
                if found := self._fields(cell):
                    yield f"{self._name}/{label}/{_letters(column)}{number}", found

    def _page(self, label: str, page: Element) -> Rows:
        yield f"{self._name}/page {label}", self._attributes(page)
        numbers = count(1)
        for one in page:
            if _tag(one) == "forms" and not len(one):
                continue  # of no form
            shape = _attribute(one, "name") or ("" if _tag(one) in ("notes", "par") else str(next(numbers)))
            yield self._row(f"page {label}", shape or _tag(one), of=one)

    def _row(self, *names: str, of: Element) -> tuple[str, dict[str, Any]]:
        return "/".join((self._name, *names)), self._fields(of)

    def _settings(self, part: Element) -> dict[str, Any]:
        items = (one for each in part if _name(each) == "ooo:configuration-settings" for one in each)
        return {_name(one): one.text for one in items if not _name(one).startswith(_OWN_SETTINGS)}

    # The fields of a row

    def _of_all(self, elements: Iterable[Element]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        seen: Counter[str] = Counter()
        for one in elements:
            self._add(one, _step(one, seen), fields, 0)
        return fields

    def _fields(self, element: Element) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        self._add(element, "", fields, 0)
        return fields

    def _attributes(self, element: Element) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        self._add_attributes(element, "", fields, 0)
        return fields

    def _add(self, element: Element, path: str, fields: dict[str, Any], depth: int) -> None:
        self._add_attributes(element, path, fields, depth)
        if text := _text(element):
            fields[path or "text"] = text
        elif not len(element) and not element.attrib and path:
            fields[path] = ""
        seen: Counter[str] = Counter()
        for child in element:
            step = _step(child, seen)
            self._add(child, f"{path}/{step}" if path else step, fields, depth)

    def _add_attributes(self, element: Element, path: str, fields: dict[str, Any], depth: int) -> None:
        for full, value in element.attrib.items():
            attribute = full.rpartition("}")[2]
            if attribute in _OWN_ATTRIBUTES:
                continue
            style = self._unnamed.get(value) if attribute.endswith(_REFERENCES) else None
            if style is None:
                if attribute != "name" or self._unnamed.get(value) is not element:
                    fields[f"{path}@{attribute}"] = value
            elif depth < _DEEPEST:
                word = attribute.removesuffix("-name")
                self._add(style, f"{path}/{word}" if path else word, fields, depth + 1)


def _step(element: Element, seen: Counter[str]) -> str:
    label = _label(element)
    step = f"{_tag(element)}[{label}]" if label else _tag(element)
    seen[step] += 1
    return step if seen[step] == 1 else f"{step}#{seen[step]}"


def _text(element: Element) -> str:
    """Return the text of a paragraph with what stands in its parts; of other elements, their own."""
    if _tag(element) not in ("p", "h", "span", "a"):
        return (element.text or "").strip()
    signs = {"s": " ", "tab": "\t", "line-break": "\n"}
    return (element.text or "") + "".join(
        (signs.get(_tag(child)) or ("" if _tag(child) in ("note", "annotation", "frame") else _text(child)))
        + (child.tail or "")
        for child in element
    )


def _remarkable(fields: dict[str, Any]) -> dict[str, Any]:
    """Return what a column or row has beside what all of them have that were never touched."""
    return {name: value for name, value in fields.items() if (name.rpartition("@")[2], value) not in _USUAL}


def _numbers(element: Element, attribute: str, numbers: Iterator[int], most: int) -> Iterator[int]:
    """Yield the numbers of an element that stands for several alike."""
    repeated = _attribute(element, attribute)
    for _ in range(min(int(repeated), most) if repeated.isdecimal() else 1):
        if (number := next(numbers)) > most:
            return
        yield number


def _letters(column: int) -> str:
    return (chr(64 + column // 26) if column >= 26 else "") + chr(65 + column % 26)


def _is_number(style: Element) -> bool:
    return style.tag.startswith("{urn:oasis:names:tc:opendocument:xmlns:datastyle")


def _label(element: Element) -> str:
    return _attribute(element, "display-name") or _name(element)


def _name(element: Element) -> str:
    return _attribute(element, "name")


def _attribute(element: Element, name: str) -> str:
    return next((value for full, value in element.attrib.items() if full.rpartition("}")[2] == name), "")


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]
