"""Settings of GSettings, with their defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from guest.applications import gsettings
from guest.applications.formats import FORMATS

SCHEMA = """<schemalist>
  <schema id="org.potter.Wheel.general" path="/org/potter/Wheel/general/">
    <key name="speed" type="d"><default>6</default></key>
    <key name="kind" type="s"><default>"kick"</default></key>
    <key name="lights" type="b"><default>true</default></key>
  </schema>
  <schema id="org.potter.Wheel.clay" path="/org/potter/Wheel/clay/">
    <key name="bags" type="i"><default>2</default></key>
  </schema>
  <schema id="org.potter.old" path="/org/potter/old/"><key name="x" type="b"><default>false</default></key></schema>
</schemalist>"""


@pytest.fixture(autouse=True)
def schemas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a schema."""
    (tmp_path / "org.potter.Wheel.gschema.xml").write_text(SCHEMA)
    monkeypatch.setattr(gsettings, "_SCHEMAS", tmp_path)
    gsettings._defaults.cache_clear()


def rows(text: str) -> dict[str, dict[str, str]]:
    return dict(FORMATS["gsettings"]("keyfile", text))


def test_what_was_never_set_has_its_default() -> None:
    """Groups that nobody wrote are there too; another application's are not."""
    general = {"speed": "6.0", "kind": "'kick'", "lights": "false"}
    assert rows("[org/potter/Wheel/general]\nlights=false\n") == {
        "keyfile/org/potter/Wheel/general": general,
        "keyfile/org/potter/Wheel/clay": {"bags": "2"},
    }


def test_what_was_set_and_set_back_is_unchanged() -> None:
    """A default that is written out reads like one that is not."""
    tried = "[org/potter/Wheel/general]\nlights=false\nspeed=6.0\nkind='kick'\n[org/potter/Wheel/clay]\nbags=2\n"
    assert rows(tried) == rows("[org/potter/Wheel/general]\nlights=false\n")


def test_an_application_without_schemas() -> None:
    """Only what is written is there."""
    assert rows("[org/weaver/Loom]\nwidth=3\n") == {"keyfile/org/weaver/Loom": {"width": "3"}}
