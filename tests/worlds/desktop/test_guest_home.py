"""HOME is restored wholly, and no link that a program leaves there leads the supervisor elsewhere."""

from __future__ import annotations

import mmap
import os
from pathlib import Path

import pytest

from guest import documents, home, kept, safe_files, steps
from guest.data import SetupError
from guest.errors import BadRequest


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A HOME, with a secret beside it."""
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_restored(place: Path) -> None:
    """What was added is gone, what was changed is as before, links are removed and not followed."""
    pristine = place.parent / "pristine"
    home.make_pristine(pristine)
    home.restore(place, pristine)
    settings = place / ".config/gtk-3.0/settings.ini"
    before = settings.read_text()
    settings.write_text("changed")
    (place / "closed").mkdir()
    (place / "closed/inner").mkdir(mode=0o000)
    (place / "link").symlink_to(place.parent)
    home.restore(place, pristine)
    assert settings.read_text() == before
    assert sorted(entry.name for entry in place.iterdir()) == [".config"]
    assert (place.parent / "secret").read_text() == "secret"


def test_documents(place: Path) -> None:
    """Visible files are told with size, digest and text; bytes that are no text are told without."""
    (place / "notes").mkdir()
    (place / "notes/a.txt").write_text("Grüße")
    (place / "b.bin").write_bytes(b"\xff\xfe")
    (place / ".hidden").write_text("x")
    rows = documents.Documents(place).rows()
    assert set(rows) == {"notes/a.txt", "b.bin"}
    assert rows["notes/a.txt"]["text"] == "Grüße"
    assert rows["notes/a.txt"]["size"] == 7
    assert "text" not in rows["b.bin"]
    assert len(rows["b.bin"]["sha256"]) == 64


def test_documents_see_changes(place: Path) -> None:
    """What is written through a map in memory, which leaves length and times as they are, is seen."""
    (place / "a").write_text("one")
    with (place / "a").open("r+b") as file, mmap.mmap(file.fileno(), 3) as held:
        held[0:1] = b"O"
        first, times = documents.Documents(place).rows()["a"]["sha256"], (place / "a").stat().st_ctime_ns
        held[1:2] = b"N"
        assert (place / "a").stat().st_ctime_ns == times
        assert documents.Documents(place).rows()["a"]["sha256"] != first


def test_what_is_no_file_is_not_read(place: Path) -> None:
    """A link is told as one, and a pipe without a writer holds nobody up."""
    (place / "out").symlink_to(place.parent / "secret")
    (place / "folder").symlink_to(place.parent)
    os.mkfifo(place / "pipe")
    rows = documents.Documents(place).rows()
    assert rows["out"] == {"link": str(place.parent / "secret")}
    assert rows["folder"] == {"link": str(place.parent)}
    assert rows["pipe"] == {"special": True}


def test_read_and_written_below(place: Path) -> None:
    """A path below HOME is written with its folders, and read."""
    safe_files.write(place, "a/b/c.txt", b"text")
    safe_files.make_folder(place, "a/d")
    assert safe_files.read(place, "a/b/c.txt") == b"text"
    assert (place / "a/d").is_dir()


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../secret", "a/../../secret", "a\0b"])
def test_paths_that_climb_out(path: str, place: Path) -> None:
    """A path that is empty, absolute or climbs out is refused before anything is touched."""
    with pytest.raises(BadRequest, match="below HOME"):
        safe_files.write(place, path, b"")


def test_links_are_not_followed(place: Path) -> None:
    """Neither the last name nor a folder on the way may be a link."""
    (place / "link").symlink_to(place.parent / "secret")
    (place / "folder").symlink_to(place.parent)
    for path in ("link", "folder/secret"):
        with pytest.raises(OSError):  # noqa: PT011 - which one depends on the name's place
            safe_files.read(place, path)
        with pytest.raises(OSError):  # noqa: PT011
            safe_files.write(place, path, b"changed")
    assert (place.parent / "secret").read_text() == "secret"


def test_kept_files(place: Path) -> None:
    """Files that a setup names are told with their content, hidden ones too; links and missing ones are not read."""
    (place / "link").symlink_to(place.parent / "secret")
    setup = [
        {"do": "put", "path": ".config/picture", "base64": "AAH/"},
        {"do": "keep", "paths": [".config/picture", "link", "nothing"]},
    ]
    steps.carry_out(place, setup)
    rows = kept.rows(place, kept.paths_of(setup))
    assert rows[".config/picture"]["base64"] == "AAH/"
    assert all("base64" not in rows[name] and rows[name]["unreadable"] for name in ("link", "nothing"))


@pytest.mark.parametrize(
    "step",
    [
        {"do": "keep", "paths": ["../secret"]},
        {"do": "keep", "paths": [5]},
        {"do": "put", "path": "/etc/x", "base64": ""},
        {"do": "put", "path": "x", "base64": "?"},
    ],
)
def test_malformed_steps(place: Path, step: dict[str, object]) -> None:
    """A step that leads out of HOME, or is malformed, is refused."""
    with pytest.raises(SetupError):
        steps.carry_out(place, [step])
