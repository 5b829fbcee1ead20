"""Flat OpenDocument files, read into rows."""

from __future__ import annotations

_TEXT = """<office:document xmlns:office="urn:office" xmlns:text="urn:text"><office:styles>
<text:notes-configuration text:note-class="footnote" text:start-value="2"/>
<text:notes-configuration text:note-class="endnote" text:start-value="5"/>
</office:styles></office:document>"""


def test_notes() -> None:
    """Footnotes and endnotes, which have no names, are told apart by their class."""
    from guest.applications import open_document

    found = dict(open_document.rows("a.fodt", _TEXT))
    start = {key.rpartition("/")[2]: fields["@start-value"] for key, fields in found.items()}
    assert start == {"footnote": "2", "endnote": "5"}
