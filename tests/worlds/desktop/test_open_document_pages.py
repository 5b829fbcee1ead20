"""What is read of a presentation in a flat OpenDocument file."""

from __future__ import annotations

from typing import Any

from guest.applications.formats import FORMATS

PARTS = """
<office:document
    xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0"
    xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
    xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0">
 <office:settings>
  <config:config-item-set config:name="ooo:configuration-settings">
   <config:config-item config:name="IsPrintDate">true</config:config-item>
  </config:config-item-set>
 </office:settings>
 <office:body>
  <office:presentation>
   <presentation:footer-decl presentation:name="ftr2">Parish hall</presentation:footer-decl>
   <presentation:date-time-decl presentation:name="dtd7" presentation:source="fixed">3 May</presentation:date-time-decl>
   <draw:page draw:name="First" presentation:use-footer-name="ftr2"
       presentation:use-date-time-name="dtd7">{forms}<draw:rect/><draw:rect draw:name="Gate"/></draw:page>
   <presentation:settings presentation:endless="true">
    <presentation:show presentation:name="Short" presentation:pages="First"/>
   </presentation:settings>
  </office:presentation>
 </office:body>
</office:document>
"""


def rows(forms: str = "") -> dict[str, dict[str, Any]]:
    """Return the rows of a small presentation."""
    return dict(FORMATS["open-document"]("talk.fodp", PARTS.replace("{forms}", forms)))


def test_how_a_presentation_is_shown() -> None:
    """It stands beside the settings of the document, with its custom shows."""
    read = rows()
    assert read["talk.fodp/settings"] == {"IsPrintDate": "true"}
    assert read["talk.fodp/slide show"] == {"@endless": "true"}
    assert read["talk.fodp/slide show/Short"] == {"@name": "Short", "@pages": "First"}


def test_forms_of_no_form() -> None:
    """They come with some saves, and are no shape."""
    assert rows("<office:forms/>") == rows()
    assert "talk.fodp/page First/2" not in rows("<office:forms/>")


def test_footers() -> None:
    """What they say is read where it is used, whatever LibreOffice calls it in the file."""
    read = rows()
    page = {"use-footer": "Parish hall", "use-date-time": "3 May", "use-date-time@source": "fixed"}
    assert page.items() <= read["talk.fodp/page First"].items()
    assert not any("ftr2" in key or "ftr2" in row.values() for key, row in read.items())
