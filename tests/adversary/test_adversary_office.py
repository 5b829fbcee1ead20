"""What an agent may put into its files so that a judge's reader says what it wants, stops or fails."""

from __future__ import annotations

import asyncio
import io
import json
import os
import socket
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Awaitable, Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from drivers.guests import ENVIRONMENT, Guest, absent

from pytest_cuabench.task import library
from pytest_cuabench.task.suite import code_package

sys.path.insert(0, str(ENVIRONMENT))
applications, box, declared, reading, safe_files = (
    import_module(f"guest.{name}")
    for name in ("applications", "box", "applications.declared", "reading", "safe_files")
)
errors = import_module("guest.errors")
HERE = SimpleNamespace(name="none")  # a box that confines nothing
_T = TypeVar("_T")

OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
HEAD = "".join(f' xmlns:{name}="{OFFICE}{name}:1.0"' for name in ("office", "style", "table", "text"))
NESTED = "<a>" * 50_000 + "</a>" * 50_000
BOMB = "<!DOCTYPE a [" + '<!ENTITY a0 "lol">' + "".join(
    f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9)
) + "]><a>&a9;</a>"  # fmt: skip
# Each takes hours to read as it asks to be read.
ENDLESS = {
    "styles within styles": (
        "open-document",
        f"<office:document{HEAD}><office:automatic-styles>"
        + "".join(
            f'<style:style style:name="S{n}">'
            + f'<style:x style:style-name="S{n + 1}"/>' * 12
            + "</style:style>"
            for n in range(14)
        )
        + '</office:automatic-styles><office:body><office:text><text:p style:style-name="S0"/></office:text>'
        "</office:body></office:document>",
    ),
    "a cell that stands for 32,000": (
        "open-document",
        f"<office:document{HEAD}><office:body><office:spreadsheet><table:table>"
        '<table:table-row table:number-rows-repeated="500"><table:table-cell table:number-columns-repeated="64">'
        + "<text:p>x</text:p>" * 20_000
        + "</table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document>",
    ),
}
# Each was slow, deep or ambiguous for its reader.
HOSTILE = {
    "deep XML": ("xml", NESTED),
    "entities in entities": ("xml", BOMB),
    "a file of the machine": ("xml", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
    "deep JSON": ("json", '{"a":' + "[" * 100_000),
    "a number of a million digits": ("json", '{"a":' + "9" * 1_000_000 + "}"),
    "quotes that are never closed": ("s-expressions", '(a "' + '\\"' * 400_000),
    "deep lists": ("s-expressions", "(" * 500_000),
    "a deep book": ("gnucash", NESTED),
    "no picture": ("xcf", "gimp xcf v011\0" + "\xff" * 1000),
    "a deep vault": ("vault", NESTED),
    "an unknown form": ("pickle", ""),
}


def done(work: Awaitable[_T]) -> _T:
    """Return what a coroutine comes to."""

    async def wait() -> _T:
        return await work

    return asyncio.run(wait())


def test_hostile_files() -> None:
    """Whatever a file holds, its row says why it cannot be read, and those around it are read."""
    note = reading.Job("notes", "note", "text", b"here")
    jobs = [
        reading.Job("", f"all/{name}", form, text.encode("latin-1")) for name, (form, text) in HOSTILE.items()
    ]
    found = done(reading.collections([*jobs, note]))
    assert found["notes"] == {"note": {"text": "here"}}
    for name in HOSTILE:
        assert list(found["all"][name]) == ["unreadable"], name
    assert "root:" not in json.dumps(found)


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_files(name: str) -> None:
    """A file whose reading never ends is unreadable after some processor time, and what was read before it is told."""
    form, text = ENDLESS[name]
    jobs = [
        reading.Job("first", "note", "text", b"here"),
        reading.Job("document", "a", form, text.encode()),
    ]
    assert done(reading.collections(jobs, processor=1)) == {
        "first": {"note": {"text": "here"}},
        "document": {"a": {"unreadable": "it takes more than 1 s to read"}},
    }


def test_no_row_hides_another() -> None:
    """Of two parts with one name both are told, and a section has no defaults for the others."""
    formats = import_module("guest.applications.formats")
    lists = formats.read("b", "s-expressions", b"(net 1) (net.2 x) (net 2)")
    assert {row["value"] for row in lists.values()} == {"1", "2", "x"}
    cell = "<table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell></table:table-row>"
    sheet = f'<table:table table:name="A">{cell}</table:table>'
    both = "".join(sheet.format(word) for word in ("bad", "good"))
    body = f"<office:body><office:spreadsheet>{both}</office:spreadsheet></office:body>"
    text = f"<office:document{HEAD}>{body}</office:document>"
    told = json.dumps(formats.read("d", "open-document", text.encode()))
    assert "bad" in told
    assert "good" in told
    assert formats.read("c", "ini", b"[DEFAULT]\na=1\n[x]\n[y]\n")["c/x"] == {}


READERS = {
    "it fails": ("print('ready', flush=True); raise SystemExit('broken')", "broken"),
    "it is killed by a limit": ("print('ready', flush=True)\nwhile True: pass", "more than 1 s"),
    "it tells without end": ("print('ready', flush=True)\nwhile True: print('x' * 9999)", "longer than"),
    "it takes all memory": ("print('ready', flush=True)\nx = b'x' * 2**40", "MemoryError"),
}
OURS = {
    "it does not start": "import nothing_like_this",
    "the system kills it": "import os\nprint('ready', flush=True)\nos.kill(os.getpid(), 9)",
}


def test_readers_that_fail() -> None:
    """A reader that fails on its input is the input's fault; one that does not start, or is killed, is ours."""
    for name, (code, words) in READERS.items():
        with pytest.raises(reading.Unread, match=words):
            done(reading.run_reader(HERE, [sys.executable, "-c", code], name.encode() * 10**5, processor=1))
    for name, code in OURS.items():
        with pytest.raises(errors.DesktopFailure, match="cannot be read"):
            done(reading.run_reader(HERE, [sys.executable, "-c", code], name.encode()))


def test_a_reader_that_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that works until it is stopped has too much to do; one that only waits is a slow machine's."""
    monkeypatch.setattr(reading, "_WALL", 0.5)
    monkeypatch.setattr(reading, "_BUSY", 0.02)
    ready = "print('ready', flush=True)\n"
    with pytest.raises(reading.Unread, match="more than 5 s"):
        done(reading.run_reader(HERE, [sys.executable, "-c", f"{ready}while True: pass"], b""))
    monkeypatch.setattr(reading, "_BUSY", 9.0)
    with pytest.raises(errors.DesktopFailure, match=r"within 0\.5 s"):
        done(reading.run_reader(HERE, [sys.executable, "-c", f"{ready}import time; time.sleep(60)"], b""))


LOOK = """
import glob, json, os, sys
print("ready", flush=True)
print(json.dumps({
    "home": os.path.exists("/home/user"), "bus": os.path.exists("/run/user"), "display": os.listdir("/tmp"),
    "environment": sorted(os.environ), "planted": "usercustomize" in sys.modules,
    "processes": len(glob.glob("/proc/[0-9]*")), "sockets": glob.glob("/run/*"),
}))
"""


def test_a_reader_is_alone(tmp_path: Path) -> None:
    """A reader meets nothing of the desktop's programs: no HOME, no bus, no display, no variable, no process."""
    if reason := absent():
        pytest.skip(reason)
    confined = box.make_box("bwrap", tmp_path / "state")
    confined.empty()
    site = confined.places.home.host / ".local/lib/python3.11/site-packages"
    site.mkdir(parents=True)
    (site / "usercustomize.py").write_text("print('ready', flush=True); print('{}'); raise SystemExit")
    seen = json.loads(done(reading.run_reader(confined, ["/usr/bin/python3", "-s", "-c", LOOK], b"")))
    assert (seen["home"], seen["bus"], seen["display"], seen["planted"], seen["sockets"]) == (
        False, False, [], False, [],
    )  # fmt: skip
    assert set(seen["environment"]) <= {"HOME", "LANG", "LC_CTYPE", "PATH", "PWD", "TZ"}
    assert seen["processes"] <= 2


def test_only_files_are_read(tmp_path: Path) -> None:
    """A pipe with a writer, a socket, a link, a folder and a device are none; a sparse file is longer than is read."""
    (tmp_path / "secret").write_text("secret")
    home = tmp_path / "home"
    home.mkdir()
    os.mkfifo(home / "pipe")
    writer = os.open(home / "pipe", os.O_RDWR | os.O_NONBLOCK)
    os.write(writer, b"forged")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(home / "socket"))
    (home / "link").symlink_to(tmp_path / "secret")
    (home / "device").symlink_to("/dev/zero")
    (home / "folder").mkdir()
    with (home / "sparse").open("wb") as file:
        file.truncate(2**40)
    desktop = SimpleNamespace(read=lambda path, longest: safe_files.read(home, path, longest))
    for name in ("pipe", "socket", "link", "device", "folder", "sparse", "nothing"):
        job = declared.job_of(desktop, name, "text", "notes")
        assert job.form == "unreadable", name
        assert len(job.content) < 100
    os.close(writer)
    listening.close()


def test_patterns_stay_below_home(tmp_path: Path) -> None:
    """A pattern follows no link, finds what is there whatever lies beside it, and says when it finds too much."""
    outside, home = tmp_path / "outside", tmp_path / "home"
    for folder in (outside, home / "work"):
        folder.mkdir(parents=True)
        (folder / "a.fods").write_text("x")
    (home / "linked").symlink_to(outside)
    assert safe_files.matching(home, "linked/*.fods", 9) == []
    assert safe_files.matching(home, "*/*.fods", 9) == ["work/a.fods"]
    for number in range(300):
        (home / f"work/{number:03}.fods").touch()
    desktop = SimpleNamespace(
        read=lambda path, longest: safe_files.read(home, path, longest),
        matching=lambda pattern, most: safe_files.matching(home, pattern, most),
    )
    jobs = declared.jobs(desktop, {"document": {"files": ["work/*.fods"], "format": "text"}})
    assert (len(jobs), jobs[-1].form, jobs[-1].name) == (201, "unreadable", "work/*.fods")


# What osworld's records read


def osworld(name: str) -> Any:
    """Return a module of the suite's."""
    pytest.importorskip("pptx", reason="type: pip install 'pytest-cuabench[osworld]'")
    return import_module(f"{code_package(library.SUITES / 'osworld')}.toolkit.{name}")


def fault(func: str, result: dict[str, Any], rules: Any, content: bytes) -> str:
    """Return what a record's evaluator finds wrong with a file."""
    data = {
        "id": "one", "instruction": "Do it.", "snapshot": "chrome", "config": [],
        "evaluator": {"func": func, "result": result, "expected": rules},
    }  # fmt: skip
    record = osworld("records").read_record(data, "chrome", "here")
    one, *_ = osworld("judging").judgements(record, osworld("downloads").Downloads(None))
    return one.fault(dict.fromkeys(one.paths, content)) or ""


SCHEMAS = {
    "a view that never ends": (
        "CREATE VIEW urls AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT x AS url, x AS title FROM n WHERE x < 0"
    ),
    "a view that hides rows": (
        "CREATE TABLE real (url, title); INSERT INTO real VALUES ('https://a.example/', 'A'); "
        "CREATE VIEW urls AS SELECT * FROM real WHERE 0"
    ),
    "a column that is computed": (
        "CREATE TABLE urls (real, url AS ('https://b.example/'), title AS (hex(zeroblob(400000000)))); "
        "INSERT INTO urls (real) VALUES ('https://a.example/')"
    ),
    "another table": "CREATE TABLE other (url, title)",
}


def test_hostile_databases() -> None:
    """A browser's database with views and computed columns is no history without the word, and reading it ends."""
    words = {"type": "rule", "rules": {"type": "keywords", "keywords": ["a.example"]}}
    for name, schema in SCHEMAS.items():
        with sqlite3.connect(":memory:") as database:
            database.executescript(schema)
            content = database.serialize()
        assert fault("check_history_deleted", {"type": "history"}, words, content), name


def test_bookmarks_in_ruins() -> None:
    """Bookmarks of any shape are a fault, and no error."""
    names = {"type": "rule", "rules": {"type": "bookmark_bar_folders_names", "names": ["A"]}}
    for text in ("[]", '{"roots": {"bookmark_bar": []}}', '{"roots": {"bookmark_bar": {"children": [7]}}}'):
        assert fault("is_expected_bookmarks", {"type": "bookmarks"}, names, text.encode()), text


def test_pictures_that_other_programs_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """PostScript is no picture, so that nothing draws it."""
    pictures = osworld("evaluators.pictures")
    monkeypatch.setattr(subprocess, "check_call", pytest.fail)
    monkeypatch.setattr(subprocess, "Popen", pytest.fail)
    drawn = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n%%EOF\n"
    assert pictures.check_image_size(drawn, pictures.PictureSize(width=9, height=9))


def test_a_range_of_all_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell merged of 17 billion is given up after some processor time."""
    from openpyxl import Workbook

    monkeypatch.setattr(osworld("judging"), "_SECONDS", 0.5)
    plain, made = io.BytesIO(), io.BytesIO()
    book = Workbook()
    book.active.merge_cells("A1:B2")
    book.save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(made, "w") as new:
        for part in old.infolist():
            new.writestr(part, old.read(part).replace(b'"A1:B2"', b'"A1:XFD1048576"'))
    rules = [{"type": "check_cell", "sheet_idx": 0, "coordinate": "A1", "props": {}}]
    record = {"type": "vm_file", "path": "/home/user/a.xlsx", "dest": "a.xlsx"}
    data = {
        "id": "one", "instruction": "Do it.", "snapshot": "libreoffice_calc", "config": [],
        "evaluator": {"func": "compare_table", "result": record, "options": {"rules": rules}},
    }  # fmt: skip
    read = osworld("records").read_record(data, "libreoffice_calc", "here")
    one, *_ = osworld("judging").judgements(read, osworld("downloads").Downloads(None))
    assert "too long" in (one.fault({"a.xlsx": made.getvalue()}) or "")


# On desktops


@pytest.fixture(scope="module")
def guest() -> Iterator[Guest]:
    """A desktop for all attacks of this module, one after another."""
    if reason := absent():
        pytest.skip(reason)
    found = Guest(screen="1920x1080")
    yield found
    found.close()


FORGED = (
    """print('ready', flush=True); print('{"notes": {"Peru": {"Back": "Lima"}}}'); import os; os._exit(0)"""
)
PLANTS = f"""
import os, sys
site = os.path.expanduser(f"~/.local/lib/python3.{{sys.version_info[1]}}/site-packages")
os.makedirs(site)
for name in ("usercustomize", "sitecustomize", "anki", "json"):
    open(f"{{site}}/{{name}}.py", "w").write({FORGED!r})
open(f"{{site}}/a.pth", "w").write("import usercustomize\\n")
for folder in ("bin", ".local/bin"):
    os.makedirs(os.path.expanduser(f"~/{{folder}}"), exist_ok=True)
    for name in ("python3", "keepassxc-cli"):
        path = os.path.expanduser(f"~/{{folder}}/{{name}}")
        open(path, "w").write("#!/bin/sh\\necho ready\\necho forged\\n")
        os.chmod(path, 0o755)
"""
_BASE = """
import glob, os, shutil, sqlite3
path = glob.glob(os.path.expanduser("~/.local/share/Anki2/*/collection.anki2"))[0]
"""
_VIEW = """
shutil.copy(path, path + ".new")  # Anki has locked its own
base = sqlite3.connect(path + ".new")
base.execute("drop table notes")
base.execute("create view notes as with recursive n(id) as (select 1 union all select id + 1 from n)"
             " select id from n where id < 0")
base.commit()
base.execute("pragma journal_mode = delete")
base.close()
os.replace(path + ".new", path)
for log in glob.glob(path + "-*"): os.unlink(log)
"""
COLLECTIONS = {
    "a view that never ends": _VIEW,
    "rubbish": "open(path, 'wb').write(b'SQLite format 3\\0' + os.urandom(9999))",
    "a pipe": "os.unlink(path)\nos.mkfifo(path)",
}


def run(guest: Guest, code: str) -> None:
    """Run a program as an agent does, whatever it has planted before."""
    program = f"python3 -I - <<'END'\n{code}\nEND"
    ran = guest.call("POST", "/code", {"code": program, "language": "bash", "seconds": 30})
    assert ran["code"] == 0, ran


@pytest.mark.slow
def test_anki_is_not_believed(guest: Guest) -> None:
    """Modules that an agent puts before Anki's own forge nothing, and a hostile collection is told as unreadable."""
    if applications.missing(applications.find("anki")):
        pytest.skip("Anki is not installed; type: scripts/install-docos anki")
    notes = [{"type": "Basic", "deck": "Capitals", "fields": ["Peru", "?"]}]
    setup = [{"do": "collection", "about": {"decks": [{"name": "Capitals"}], "notes": notes}}]
    guest.begin("anki", setup)
    before = guest.collections()
    assert before["notes"]["Peru"]["Back"] == "?"
    run(guest, PLANTS)
    guest.act({"kind": "open_app", "name": "anki"})
    assert guest.collections()["notes"] == before["notes"]
    for name, code in COLLECTIONS.items():
        run(guest, _BASE + code)
        told = guest.call("GET", "/session/state")
        assert told["trouble"] is None, name
        assert "notes" not in told["collections"], name


@pytest.mark.slow
def test_keepassxc_is_not_believed(guest: Guest) -> None:
    """Settings and wrappers forge nothing, and a key that takes for ever to derive is told as unreadable."""
    if applications.missing(applications.find("keepassxc")):
        pytest.skip("KeePassXC is not installed; type: apt-get install keepassxc")
    group = "<Group><UUID>AAAAAAAAAAAAAAAAAAAAAQ==</UUID><Name>Root</Name></Group>"
    xml = f"<KeePassFile><Meta/><Root>{group}</Root></KeePassFile>"
    guest.begin("keepassxc", [{"do": "vault", "path": "a.kdbx", "password": "key", "xml": xml}])
    before = guest.collections()
    assert list(before["groups"]) == ["Root"]
    run(guest, PLANTS)
    assert guest.collections()["groups"] == before["groups"]
    # The work that the header asks for, a number of 64 bits.
    run(
        guest,
        "import os\npath = os.path.expanduser('~/a.kdbx')\ndata = open(path, 'rb').read()\n"
        "before, rounds, after = data.partition(b'\\6\\x08\\0')\n"
        "open(path, 'wb').write(before + rounds + (2**40).to_bytes(8, 'little') + after[8:])\n",
    )
    told = guest.call("GET", "/session/state")
    assert told["trouble"] is None
    assert list(told["collections"]["database"]["a.kdbx"]) == ["unreadable"]


NOTEBOOK = "[Notebook]\nversion=0.4\nname=Notes\nhome=Home\nshared=True\nendofline=unix\n"
READ_AS_FILES: dict[str, tuple[dict[str, Any], ...]] = {
    "writer": (), "gimp": (), "vlc": (), "anki": (), "geany": (),
    "zim": ({"do": "write", "path": "Notes/notebook.zim", "text": NOTEBOOK}, {"do": "open", "path": "Notes"}),
}  # fmt: skip
# What each of them may load from HOME, programs of their names, and start files of shells and sessions.
LOADED = """
import os, pathlib
home = pathlib.Path.home()
code = "import os, sys\\nopen(os.path.expanduser('~/ran'), 'w')\\nprint('ready'); print('forged')\\n"
for path in (
    ".config/GIMP/2.10/plug-ins/forged/forged.py", ".config/GIMP/2.10/scripts/forged.scm",
    ".local/share/vlc/lua/extensions/forged.lua", ".local/share/Anki2/addons21/forged/__init__.py",
    ".local/share/zim/plugins/forged/__init__.py", ".config/geany/plugins/forged.so",
    ".config/libreoffice/4/user/Scripts/python/forged.py", ".config/libreoffice/4/user/basic/Standard/Forged.xba",
    *(f"{folder}/{name}" for folder in ("bin", ".local/bin") for name in (
        "soffice", "libreoffice", "gimp", "vlc", "anki", "zim", "geany", "cat", "sh", "env", "prlimit", "bwrap")),
):
    (home / path).parent.mkdir(parents=True, exist_ok=True)
    (home / path).write_text("#!/usr/bin/python3\\n" + code)
    (home / path).chmod(0o755)
lines = "export PATH=$HOME/bin:$PATH LD_PRELOAD=$HOME/forged.so PYTHONPATH=$HOME GTK_PATH=$HOME QT_PLUGIN_PATH=$HOME\\n"
for path in (".profile", ".bashrc", ".xprofile", ".pam_environment"):
    (home / path).write_text(lines)
"""
BY_ONESELF = """
import os, subprocess, time
own = {**os.environ, "HOME": os.path.expanduser("~/bin"), "XDG_CONFIG_HOME": "/tmp/own", "LD_LIBRARY_PATH": "/tmp"}
for argv in (["/usr/bin/NAME"], [os.path.expanduser("~/bin/NAME")]):
    if os.path.exists(argv[0]): subprocess.Popen(argv, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(3)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", list(READ_AS_FILES))
def test_an_application_whose_files_are_its_state(guest: Guest, name: str) -> None:
    """Started beside modules, plug-ins, wrappers and settings of an agent's, its state is what the files say."""
    application = applications.find(name)
    if applications.missing(application):
        pytest.skip(f"it is not installed; type: apt-get install {' '.join(application.packages)}")
    guest.begin(name, READ_AS_FILES[name])
    before = guest.collections()
    run(guest, PLANTS)
    run(guest, LOADED)
    run(guest, BY_ONESELF.replace("NAME", {"writer": "soffice"}.get(name, name)))
    guest.act({"kind": "open_app", "name": name})
    told = guest.call("GET", "/session/state")
    assert (told["trouble"], told["unsealed"]) == (None, None)
    after = told["collections"]
    assert after.keys() == before.keys()
    for key in before.keys() - {"files"}:
        assert before[key].items() <= after[key].items(), f"{key} has other rows"
