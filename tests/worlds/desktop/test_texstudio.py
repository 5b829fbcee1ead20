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


def document(body: str) -> str:
    """Return a document of a line."""
    return f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


OTHERS = {
    "unknown": TEXT.replace("knuth", "nobody"),
    "broken": document(r"\nosuchcommand"),
    "shell": document(r"\immediate\write18{touch /home/user/made}See"),
    "outside": document(r"\input{/etc/passwd}"),
}
FILES = {
    MAIN: TEXT,
    "paper/refs.bib": ENTRY,
    "others/refs.bib": ENTRY,
    **{f"others/{name}.tex": text for name, text in OTHERS.items()},
}
SETUP = [
    *({"do": "write", "path": path, "text": text} for path, text in FILES.items()),
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


def begin(guest: Guest) -> dict[str, Any]:
    """Start a session, or bring it back to its beginning."""
    return guest.begin("texstudio", SETUP)


@pytest.mark.slow
def test_a_quiet_start(guest: Guest) -> None:
    """Both files are open in their order, no dialog is in the way, and looking changes nothing."""
    begin(guest)
    state = guest.collections()
    assert list(state["editor"]) == ["paper/refs.bib", MAIN]
    assert state["editor"][MAIN] == {"front": True, "unsaved": False}
    windows = [node["name"] for node in guest.nodes() if node["depth"] == 1]
    assert windows == ["/home/user/paper/main.tex - TeXstudio"]
    assert {path: row["text"] for path, row in state["files"].items()} == FILES
    assert guest.collections() == state
    assert begin(guest)["layer"] == "clean"


@pytest.mark.slow
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
    assert begin(guest)["layer"] == "desktop"
    assert guest.collections()["files"][MAIN]["text"] == TEXT


def test_builds(guest: Guest) -> None:
    """A build tells pages, the first error with its line, and what is not defined; it leaves nothing behind."""
    begin(guest)
    builds = guest.collections()["builds"]
    assert builds[MAIN] == {"ok": True, "pages": 1, "error": None, "undefined": []}
    assert builds["others/unknown.tex"]["undefined"] == ["nobody"]
    broken = builds["others/broken.tex"]
    assert (broken["ok"], broken["error"]) == (False, "broken.tex:3: Undefined control sequence.")


def test_hostile_documents(guest: Guest) -> None:
    """A document that runs programs or reads files of others does no harm."""
    begin(guest)
    state = guest.collections()
    assert state["builds"]["others/shell.tex"]["ok"]
    assert set(state["files"]) == set(FILES)  # nothing was made
    assert not state["builds"]["others/outside.tex"]["ok"]


@pytest.mark.slow
def test_a_document_without_end(guest: Guest) -> None:
    """A document that never ends is cut off after some seconds of computing, and that is told as its fault."""
    text = document(r"\def\x{\x}\x")
    guest.begin("texstudio", [{"do": "write", "path": MAIN, "text": text}, {"do": "open", "path": MAIN}])
    build = guest.collections()["builds"][MAIN]
    assert (build["ok"], build["error"]) == (False, "LaTeX did not come to an end")


def test_unknown_steps(guest: Guest) -> None:
    """A step that TeXstudio does not know is told with those that it knows; so is an unknown companion."""
    for step, told in (
        ({"do": "dance"}, "known: folder, keep, open, put, start, write"),
        ({"do": "start", "application": "solitaire", "setup": []}, "no application is named 'solitaire'"),
    ):
        body = {"application": "texstudio", "setup": [step]}
        reply = guest.client.post("/session", json=body)
        assert reply.status_code == 400
        assert told in reply.json()["error"]
