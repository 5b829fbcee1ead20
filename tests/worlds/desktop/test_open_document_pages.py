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
   <draw:page draw:name="First">{forms}<draw:rect/><draw:rect draw:name="Gate"/></draw:page>
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
