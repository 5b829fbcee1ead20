"""Anki in the desktop: a collection as a setup tells of it, and what is read of it again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drivers.guests import Guest, absent

from guest import applications
from guest.errors import Conflict

ABOUT = {
    "presets": [{"name": "Slow", "options": {"new": {"perDay": 5}}}],
    "decks": [{"name": "Capitals", "preset": "Slow"}],
    "note_types": [
        {
            "name": "Vocabulary",
            "like": "Basic",
            "fields": ["Word", "Meaning"],
            "templates": [{"name": "Recall", "front": "{{Word}}", "back": "{{Meaning}}"}],
        }
    ],
    "notes": [
        {
            "type": "Basic",
            "deck": "Capitals",
            "fields": ["Peru", "Lima"],
            "tags": ["b", "a"],
            "interval": 20,
            "due": 3,
        },
        {"type": "Vocabulary", "deck": "Capitals", "fields": ["gato", "cat"], "flag": 2, "suspended": True},
    ],
}


def test_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Anki, the command is told that installs it."""
    monkeypatch.setattr(applications, "applications", lambda: Path("/nowhere"))
    with pytest.raises(Conflict, match=r"^anki needs /opt/cuabench/.*; type: scripts/install-docos anki$"):
        applications.require(applications.find("anki"))


@pytest.fixture(scope="module")
def guest() -> Iterator[Guest]:
    """A guest whose sessions are Anki's."""
    reason = absent()
    if reason or applications.missing(applications.find("anki")):
        pytest.skip(reason or "Anki is not installed; type: scripts/install-docos anki")
    guest = Guest(screen="1920x1080")
    yield guest
    guest.close()


@pytest.mark.slow
def test_anki(guest: Guest) -> None:
    """It starts without questions; what a setup tells of is there; saving preferences as they are changes nothing."""
    setup = [{"do": "collection", "about": ABOUT}]
    guest.begin("anki", setup)
    (window,) = [node for node in guest.nodes() if node["depth"] == 1]
    assert window["name"] == "User 1 - Anki"
    assert guest.begin("anki", setup)["layer"] == "clean"
    before = guest.collections()
    assert before["presets"]["Slow"]["new.perDay"] == 5
    assert before["decks"]["Capitals"]["preset"] == "Slow"
    assert before["fields"]["Vocabulary/Meaning"]["font"] == "DejaVu Sans"
    assert before["templates"]["Vocabulary/Recall"]["qfmt"] == "{{Word}}"
    assert before["notes"]["Peru"] == {"type": "Basic", "tags": "a b", "Front": "Peru", "Back": "Lima"}
    assert (before["cards"]["Peru/Card 1"]["due"], before["cards"]["Peru/Card 1"]["interval"]) == (3, 20)
    assert (before["cards"]["gato/Recall"]["state"], before["cards"]["gato/Recall"]["flag"]) == (
        "suspended",
        2,
    )
    guest.act({"kind": "key", "keys": ["ctrl", "p"]}, {"kind": "wait", "seconds": 1})
    guest.act({"kind": "key", "keys": ["escape"]})
    assert guest.collections() == before
