"""Flat OpenDocument files, and LibreOffice's settings, as they are read into rows."""

from __future__ import annotations

import re
from typing import Any

import pytest

from guest.applications import open_document
from guest.applications.formats import FORMATS

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{kind}:1.0"'
    for name, kind in (
        ("office", "office"), ("style", "style"), ("table", "table"), ("text", "text"), ("number", "datastyle"),
        ("config", "config"), ("draw", "drawing"), ("meta", "meta"), ("fo", "xsl-fo-compatible"),
    )
)  # fmt: skip
STYLES = """
<style:style style:name="ce1" style:family="table-cell"><style:text-properties fo:color="#ff0000"/></style:style>
<style:style style:name="co1" style:family="table-column">
  <style:table-column-properties fo:break-before="auto" style:column-width="0.889in"/></style:style>
"""
SHEET = """
<table:table table:name="Orders">
  <table:table-column table:style-name="co1" table:number-columns-repeated="3"/>
  <table:table-row>
    <table:table-cell table:number-columns-repeated="2"/>
    <table:table-cell table:style-name="ce1" office:value-type="string"><text:p>Ink</text:p></table:table-cell>
  </table:table-row>
  <table:table-row-group table:display="false">
    <table:table-row table:number-rows-repeated="2">
      <table:table-cell table:content-validation-name="val1" office:value="4"><text:p>4</text:p></table:table-cell>
    </table:table-row>
  </table:table-row-group>
  <table:named-expressions>
    <table:named-range table:name="Sum" table:cell-range-address="$A$1"/>
  </table:named-expressions>
</table:table>
"""
VALIDATIONS = """<table:content-validations><table:content-validation table:name="val1" table:condition="above(3)"/>
</table:content-validations>"""


def document(body: str, *, styles: str = STYLES, before: str = "", named: str = "") -> str:
    """Return a flat file."""
    return (
        f"<office:document {NAMES}>{before}<office:styles>{named}</office:styles>"
        f"<office:automatic-styles>{styles}</office:automatic-styles><office:body>{body}</office:body></office:document>"
    )


def sheets(content: str, attributes: str = "") -> str:
    """Return the body of a workbook."""
    return f"<office:spreadsheet {attributes}>{content}</office:spreadsheet>"


def rows(text: str) -> dict[str, dict[str, Any]]:
    """Return the rows of a document by their keys."""
    return dict(open_document.rows("a.fods", text))


def test_cells_are_named_by_column_and_row() -> None:
    """Repeated cells and rows are counted, and so are those within a group."""
    found = rows(document(sheets(VALIDATIONS + SHEET)))
    assert found["a.fods/Orders/C1"]["p"] == "Ink"
    assert found["a.fods/Orders/A2"] == found["a.fods/Orders/A3"]
    assert found["a.fods/Orders/A3"]["within table-row-group"] == "false"
    assert "a.fods/Orders/A1" not in found
    assert "a.fods/Orders/column A" not in found  # as all columns are


def test_automatic_styles_stand_where_they_are_used() -> None:
    """What the writer numbers by itself says the same under another number."""
    text = document(sheets(VALIDATIONS + SHEET))
    assert rows(text)["a.fods/Orders/C1"]["style/text-properties@color"] == "#ff0000"
    assert rows(text)["a.fods/Orders/A2"]["content-validation@condition"] == "above(3)"
    assert rows(text) == rows(text.replace("ce1", "ce7").replace("val1", "val2").replace("co1", "co3"))


def test_what_holds_for_a_sheet_or_for_all() -> None:
    """Names within a sheet are fields of its row; what the workbook says has one of its own."""
    found = rows(document(sheets(SHEET, 'table:structure-protected="true"')))
    assert found["a.fods/Orders"]["named-expressions/named-range[Sum]@cell-range-address"] == "$A$1"
    assert found["a.fods/spreadsheet"] == {"@structure-protected": "true"}


def test_parts_are_numbered_by_their_kind() -> None:
    """Another part before it does not change the name of one."""
    iteration = '<table:iteration table:status="enable"/>'
    for before in ("", '<table:null-date table:date-value="1904-01-01"/>'):
        settings = f"<table:calculation-settings>{before}{iteration}</table:calculation-settings>"
        found = rows(document(sheets(settings)))
        assert found["a.fods/calculation-settings/iteration.1"] == {"@status": "enable"}


def test_texts_are_counted_by_kind() -> None:
    """Paragraphs and headings of a text are rows, with spans and spaces as they are read."""
    body = (
        "<office:text><text:h>One</text:h><text:p>a<text:span>b</text:span><text:s/>c</text:p></office:text>"
    )
    found = rows(document(body))
    assert (found["a.fods/h.1"]["text"], found["a.fods/p.1"]["text"]) == ("One", "ab c")


def test_what_changes_by_itself_is_left_out() -> None:
    """Dates, statistics and the printer are no state; other properties and settings are."""
    before = (
        "<office:meta><meta:editing-cycles>3</meta:editing-cycles><meta:keyword>tea</meta:keyword></office:meta>"
        '<office:settings><config:config-item-set config:name="ooo:configuration-settings">'
        '<config:config-item config:name="PrinterName">x</config:config-item>'
        '<config:config-item config:name="AutoCalculate">true</config:config-item>'
        "</config:config-item-set></office:settings>"
    )
    found = rows(document(sheets(""), before=before))
    assert found == {"a.fods/meta": {"keyword": "tea"}, "a.fods/settings": {"AutoCalculate": "true"}}


def test_endless_tables_are_cut() -> None:
    """A sheet may repeat its cells a million times over."""
    text = document(sheets(re.sub('repeated="2"', 'repeated="1048576"', SHEET)))
    assert len(rows(text)) <= 2 * 500 + 64


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ("<value>4</value>", {"Least": "4"}),
        ("<value><it>a,b</it><it>c</it></value>", {"Least.1": "a,b", "Least.2": "c"}),
    ],
)
def test_registry(value: str, fields: dict[str, str]) -> None:
    """A path of the settings is a row; the items of a list are fields."""
    text = (
        '<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Calc/Sort">'
        f'<prop oor:name="Least" oor:op="fuse">{value}</prop></item></oor:items>'
    )
    assert dict(FORMATS["registry"]("r.xcu", text)) == {"r.xcu/Office.Calc/Sort": fields}
