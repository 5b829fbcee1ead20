"""TeXstudio itself: how it starts, and what is told of its documents, their builds and the editor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drivers.guests import Guest, absent

PROGRAM, LATEX = Path("/usr/bin/texstudio"), Path("/usr/bin/pdflatex")
MAIN = "paper/main.tex"
TEXT = "\\documentclass{article}\n\\begin{document}\nSee~\\cite{knuth}.\n\\bibliographystyle{plain}\n" \
    "\\bibliography{refs}\n\\end{document}\n"  # fmt: skip
ENTRY = "@book{knuth,\n  author = {Knuth},\n  title = {Digital},\n  publisher = {AW},\n  year = {1986}\n}\n"
SETUP = [
    {"do": "write", "path": MAIN, "text": TEXT},
    {"do": "write", "path": "paper/refs.bib", "text": ENTRY},
    {"do": "open", "path": "paper/refs.bib"},
    {"do": "open", "path": MAIN},
]

pytestmark = [
    pytest.mark.skipif(absent() is not None, reason=absent() or ""),
    pytest.mark.skipif(
        not (PROGRAM.exists() and LATEX.exists()),
        reason="TeXstudio is not installed; type: scripts/install-scienceboard",
    ),
]


@pytest.fixture(scope="module")
def guest() -> Iterator[Guest]:
    """A guest whose sessions are TeXstudio's."""
    guest = Guest(screen="1920x1080")
    yield guest
    guest.close()


def begin(guest: Guest, text: str = TEXT) -> dict[str, Any]:
    """Start a session with this text as the main document."""
    setup = [step | {"text": text} if step.get("path") == MAIN and "text" in step else step for step in SETUP]
    return guest.begin("texstudio", setup)


def build(guest: Guest, text: str) -> dict[str, Any]:
    """Return what is told of the build of a document."""
    begin(guest, text)
    row: dict[str, Any] = guest.collections()["builds"][MAIN]
    return row


def test_a_quiet_start(guest: Guest) -> None:
    """Both files are open in their order, no dialog is in the way, and looking changes nothing."""
    begin(guest)
    state = guest.collections()
    assert list(state["editor"]) == ["paper/refs.bib", MAIN]
    assert state["editor"][MAIN] == {"front": True, "unsaved": False}
    windows = [node["name"] for node in guest.nodes() if node["depth"] == 1]
    assert windows == ["/home/user/paper/main.tex - TeXstudio"]
    assert set(state["files"]) == {MAIN, "paper/refs.bib"}
    assert guest.collections() == state
    assert begin(guest)["layer"] == "clean"


def test_typing_and_saving(guest: Guest) -> None:
    """What is typed is unsaved until it is saved, and every character of it arrives."""
    begin(guest)
    guest.act({"kind": "key", "keys": ["ctrl", "home"]}, {"kind": "type", "text": "% ä ∑ {x}_$"})
    typed = guest.collections()
    assert typed["editor"][MAIN] == {"front": True, "unsaved": True}
    assert typed["files"][MAIN]["text"] == TEXT
    guest.act({"kind": "key", "keys": ["ctrl", "s"]})
    saved = guest.collections()
    assert saved["editor"][MAIN] == {"front": True, "unsaved": False}
    assert saved["files"][MAIN]["text"] == "% ä ∑ {x}_$" + TEXT
    assert begin(guest)["layer"] == "home"
    assert guest.collections()["files"][MAIN]["text"] == TEXT


def test_builds(guest: Guest) -> None:
    """A build tells pages, the first error with its line, and what is not defined; it leaves nothing behind."""
    assert build(guest, TEXT) == {"ok": True, "pages": 1, "error": None, "undefined": []}
    assert build(guest, TEXT.replace("knuth", "nobody"))["undefined"] == ["nobody"]
    broken = build(guest, TEXT.replace("See", r"\nosuchcommand"))
    assert (broken["ok"], broken["error"]) == (False, "main.tex:3: Undefined control sequence.")
    assert set(guest.collections()["files"]) == {MAIN, "paper/refs.bib"}


def test_hostile_documents(guest: Guest) -> None:
    """A document that runs programs, reads other people's files, or never ends does no harm."""
    shell = build(guest, TEXT.replace("See", r"\immediate\write18{touch /home/user/made}See"))
    assert shell["ok"]
    assert "made" not in guest.collections()["files"]
    outside = build(guest, TEXT.replace("See", r"\input{/etc/passwd}"))
    assert not outside["ok"]
    endless = build(guest, TEXT.replace("See", r"\def\x{\x}\x"))
    assert (endless["ok"], endless["error"]) == (False, "LaTeX did not come to an end")


def test_unknown_steps(guest: Guest) -> None:
    """A step that TeXstudio does not know is told with those that it knows; so is an unknown companion."""
    for step, told in (
        ({"do": "dance"}, "known: folder, open, start, write"),
        ({"do": "start", "application": "solitaire", "setup": []}, "no application is named 'solitaire'"),
    ):
        body = {"application": "texstudio", "setup": [step]}
        reply = guest.client.post("/session", json=body)
        assert reply.status_code == 400
        assert told in reply.json()["error"]
