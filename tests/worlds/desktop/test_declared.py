"""Applications that are declared in TOML: what is read of what they save, and Geany itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from drivers.guests import Guest, absent

from guest.applications import declared, discover, find
from guest.data import SetupError

SETTINGS = ".config/geany/geany.conf"
DECLARED = """
packages = ["scribe"]
programs = ["/usr/bin/scribe"]
command = ["scribe", "--quiet"]
ready = "frame"

[env]
LANG = "C"

[state.settings]
files = ["scribe.conf"]
format = "ini"
without = ["scribe.conf/window:*", "*:seen"]

[state.notes]
files = ["notes.txt"]
format = "text"
"""
XML = """
packages = []
programs = []
command = ["scribe"]
ready = "frame"

[state.tools]
files = ["tools.xml"]
format = "xml"
"""


class Files:
    """A desktop's files, as far as applications see them."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)

    def read(self, relative: str, longest: int) -> bytes:
        """Return a file."""
        if relative not in self.files:
            raise FileNotFoundError(2, "No such file or directory", relative)
        return self.files[relative][:longest]

    def write(self, relative: str, content: bytes) -> None:
        """Write a file."""
        self.files[relative] = content

    def inside(self, path: str) -> str:
        """Return a path as programs see it."""
        return f"/home/user/{path}"


@pytest.fixture
def scribe(tmp_path: Path) -> declared.Declared:
    """A declared application."""
    (tmp_path / "scribe.toml").write_text(DECLARED)
    (tmp_path / "scribe" / ".config").mkdir(parents=True)
    (tmp_path / "scribe" / ".config" / "first").write_text("1")
    return declared.read(tmp_path / "scribe.toml")


def state(application: declared.Declared, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return what an application says of these files."""
    return asyncio.run(application.state(Files(files)))  # type: ignore[arg-type]


def test_files_that_came_with_the_program(tmp_path: Path) -> None:
    """A whole path is a file of the computer and not of the home folder."""
    (tmp_path / "shipped.conf").write_text("[a]\nb=1\n")
    table = f'[state.defaults]\nfiles = ["{tmp_path}/shipped.conf"]\nformat = "ini"\n'
    (tmp_path / "scribe.toml").write_text(DECLARED + table)
    found = state(declared.read(tmp_path / "scribe.toml"), {})
    assert found["defaults"] == {"shipped.conf/a": {"b": "1"}}


def test_first_settings_and_command(scribe: declared.Declared) -> None:
    """The files of the first start are written, and the files to open follow the command."""
    desktop: Any = Files({})
    setup = [{"do": "open", "path": "a.txt"}]
    asyncio.run(scribe.prepare(desktop, setup))
    launch = scribe.launch(desktop, setup)
    assert desktop.files == {".config/first": b"1"}
    assert (launch.argv, dict(launch.env)) == (("scribe", "--quiet", "/home/user/a.txt"), {"LANG": "C"})


def test_unknown_step(scribe: declared.Declared) -> None:
    """A step that only another application has is refused."""
    desktop: Any = Files({})
    with pytest.raises(
        SetupError, match="setup step 'plot' is unknown here; known: folder, keep, open, put, write"
    ):
        asyncio.run(scribe.prepare(desktop, [{"do": "plot"}]))


def test_state(scribe: declared.Declared) -> None:
    """Options keep their case and text; what changes by itself is left out, as is a byte order mark."""
    text = b"\xef\xbb\xbf[Editor]\nTabWidth=4\nrule=a=%(b)s;c\nseen=1\n[x]\n[window]\nwidth=9\n"
    files = {"scribe.conf": text, "notes.txt": "ä".encode()}
    assert state(scribe, files) == {
        "settings": {"scribe.conf/Editor": {"TabWidth": "4", "rule": "a=%(b)s;c"}, "scribe.conf/x": {}},
        "notes": {"notes.txt": {"text": "ä"}},
    }


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"no section = 1\n", "MissingSectionHeaderError"),
        (b"[a]\nnothing\n", "ParsingError"),
        (b"[" * 100_000, "MissingSectionHeaderError"),
        (b"\x00\xff[\n", "MissingSectionHeaderError"),
    ],
)
def test_broken_file(scribe: declared.Declared, content: bytes, words: str) -> None:
    """A file that a program broke is a row that says so, and the rest is read."""
    found = state(scribe, {"scribe.conf": content, "notes.txt": b"here"})
    assert found["settings"]["scribe.conf"]["unreadable"].startswith(words)
    assert found["notes"] == {"notes.txt": {"text": "here"}}


@pytest.mark.parametrize(
    ("content", "row"),
    [
        (
            b'<?xml version="1.0"?><!-- today --><a v="1"><b key="k"> x </b><b>y</b><b/><c><d/></c></a>',
            {"@v": "1", "/b[k]": "x", "/b[k]@key": "k", "/b": "y", "/b#2": "", "/c/d": ""},
        ),
        (b'<a xmlns="x:y" xmlns:z="x:z"><b/><z:c>1</z:c></a>', {"/b": "", "/c": "1"}),
        (b"<a><b></a>", {"unreadable": "ParseError: mismatched tag: line 1, column 8"}),
        (b"<a>" * 5000 + b"</a>" * 5000, {"unreadable": "RecursionError: maximum recursion depth exceeded"}),
    ],
)
def test_xml(tmp_path: Path, content: bytes, row: dict[str, str]) -> None:
    """An XML file is a row, in which each attribute and text has its path; comments and namespaces are left out."""
    (tmp_path / "scribe.toml").write_text(XML)
    (seen,) = state(declared.read(tmp_path / "scribe.toml"), {"tools.xml": content})["tools"].values()
    if "unreadable" in row:
        assert seen["unreadable"].startswith(row["unreadable"])
    else:
        assert seen == row


@pytest.fixture
def draughts(tmp_path: Path) -> declared.Declared:
    """An application whose state has the further formats."""
    tables = "".join(
        f'[state.{kind}]\nfiles = ["{kind}"]\nformat = "{form}"\n'
        for kind, form in {"plan": "json", "board": "s-expressions", "keys": "tabs"}.items()
    )
    head = 'packages = []\nprograms = []\ncommand = ["draughts"]\nready = "frame"\n'
    (tmp_path / "draughts.toml").write_text(head + tables)
    return declared.read(tmp_path / "draughts.toml")


def test_nested_formats(draughts: declared.Declared) -> None:
    """Values are fields by their paths; numbers are as they were meant, and lists are told apart."""
    files = {
        "plan": b'{"rules": {"gap": 0.19999999999999998, "on": [true, {"a": null}], "none": []}, "name": "x"}',
        "board": b'# a (note\n(board (net 1 "A B") (net 2 "C\\"D") (pad (tstamp 7) rect (size 1 2) (size 3)) (fill))',
        "keys": b"save\tCtrl+S\nnothing\nopen\t\n",
    }
    assert state(draughts, files) == {
        "plan": {
            "plan/rules": {"gap": 0.2, "on.0": True, "on.1.a": None},
            "plan/name": {"value": "x"},
        },
        "board": {
            "board/net": {"value": "1 A B"},
            "board/net.2": {"value": '2 C"D'},
            "board/pad/7": {"value": "rect", "tstamp": "7", "size": "1 2", "size.2": "3"},
            "board/fill": {"value": ""},
        },
        "keys": {"keys": {"save": "Ctrl+S", "open": ""}},
    }


def test_several_outer_lists(draughts: declared.Declared) -> None:
    """Without an outermost list, each list is a row."""
    found = state(draughts, {"board": b"(version 1)\n(rule r (min 2mm))\n"})["board"]
    assert found == {"board/version": {"value": "1"}, "board/rule": {"value": "r", "min": "2mm"}}


@pytest.mark.parametrize(
    "content", [b"(a (b)", b"(a))", b"(" * 100_000, b"[" * 100_000, b"[]", b"{", b"\xff)"]
)
def test_broken_nested_file(draughts: declared.Declared, content: bytes) -> None:
    """Whatever a program wrote, there is a row that says what is wrong."""
    found = state(draughts, {"plan": content, "board": content, "keys": b""})
    assert found["plan"]["plan"]["unreadable"]
    if content.startswith(b"(") or content.endswith(b")"):
        assert found["board"]["board"]["unreadable"]


def test_missing_file(scribe: declared.Declared) -> None:
    """A file that is not there yet is told, so that it is a change when it comes."""
    assert state(scribe, {})["settings"] == {"scribe.conf": {"unreadable": "No such file or directory"}}


def test_declared_applications_are_known() -> None:
    """A TOML file is an application by its name, like a module."""
    assert find("geany").packages == ("geany", "geany-common")
    assert {"kalgebra", "geany"} <= set(discover())


@pytest.fixture(scope="module")
def guest() -> Iterator[Guest]:
    """A guest whose sessions are Geany's."""
    if (reason := absent()) or not Path("/usr/bin/geany").exists():
        pytest.skip(reason or "Geany is not installed; type: scripts/install-docos geany")
    guest = Guest(screen="1920x1080")
    yield guest
    guest.close()


@pytest.mark.slow
def test_geany(guest: Guest) -> None:
    """Geany starts maximised with its file and without dialogs; saving its preferences as they are changes nothing."""
    setup = [{"do": "write", "path": "a.py", "text": "x = 1\n"}, {"do": "open", "path": "a.py"}]
    guest.begin("geany", setup)
    (window,) = [node for node in guest.nodes() if node["depth"] == 1]
    assert window["name"] == "a.py - /home/user - Geany"
    assert window["box"][2] - window["box"][0] > 1900
    assert guest.begin("geany", setup)["layer"] == "clean"
    before = guest.collections()
    guest.act({"kind": "key", "keys": ["ctrl", "alt", "p"]}, {"kind": "key", "keys": ["alt", "o"]})
    assert guest.collections() == before
    assert before["settings"]["geany.conf/geany"]["long_line_column"] == "72"
