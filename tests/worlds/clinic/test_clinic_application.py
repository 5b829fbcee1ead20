"""How an application plugs in, and what happens when one fails."""

import json
import shutil
from pathlib import Path

import httpx
import pytest

SCHEMA = "CREATE TABLE notes (book TEXT, page INTEGER, words TEXT, PRIMARY KEY (book, page));"
FAULTY = """
from datetime import datetime
from pathlib import Path

from clinic import rows
from clinic.application import Application, Page


def fill(db, seeding):
    rows.insert(db, "department", id=1, hospital="H", name="D", product="P", workstation="W")
    rows.insert(db, "notes", book="a", page=1, words="first")
    return datetime(2026, 1, 5, 9, 0)


def fail(visit):
    rows.insert(visit.db, "notes", book="a", page=2, words="never seen")
    raise RuntimeError("broken on purpose")


def replace(visit):
    visit.db.execute("INSERT OR REPLACE INTO notes VALUES ('a', 1, 'second')")
    return visit.go("/")


def forge(visit):
    visit.db.execute("UPDATE notes SET words = 'forged'")
    visit.db.execute("DELETE FROM _journal")
    return visit.go("/")


APPLICATION = Application(
    name="faulty",
    folder=Path(__file__).parent,
    seed=fill,
    pages=tuple(Page("POST", f"/{each.__name__}", each, anyone=True) for each in (fail, replace, forge)),
)
"""


@pytest.fixture
def faulty(start_clinic, tmp_path, request):
    """The program with one more application, and a client for each of its two sides."""
    here = Path(__file__).parents[3] / "environments" / "clinic"
    program = shutil.copytree(here, tmp_path / "program", ignore=shutil.ignore_patterns("__pycache__"))
    folder = program / "clinic" / "applications" / "faulty"
    (folder / "static").mkdir(parents=True)
    (folder / "__init__.py").write_text(FAULTY)
    (folder / "schema.sql").write_text(SCHEMA)
    for name in ("application.css", "icon.svg"):
        (folder / "static" / name).write_text("")
    with start_clinic(tmp_path / "control", "--until-eof", program=program) as process:
        ready = json.loads(process.stdout.readline())
        transport = httpx.HTTPTransport(uds=ready["control"])
        with httpx.Client(transport=transport, base_url="http://control") as control:
            made = control.post("/sessions", json={"application": "faulty"}).json()
            headers = {"host": made["origin"].removeprefix("http://"), "origin": made["origin"]}
            with httpx.Client(base_url=f"http://{ready['listen']}", headers=headers) as browser:
                yield ready, control, f"/sessions/{made['id']}", browser
        process.stdin.close()
        assert process.wait(20) == 0


def test_application_is_found_by_its_folder(faulty):
    """A folder that declares an application is enough."""
    ready, control, session, _ = faulty
    assert {"emergency_triage", "faulty"} <= set(ready["applications"])
    notes = control.get(f"{session}/state").json()["collections"]["notes"]
    assert notes == {"a|1": {"book": "a", "page": 1, "words": "first"}}


@pytest.mark.parametrize("path", ["/fail", "/forge"])
def test_failure_is_rolled_back_counted_and_kept_private(faulty, path):
    """A page that fails shows nothing of it, leaves no data behind, and counts in health."""
    _, control, session, browser = faulty
    before = control.get(f"{session}/state").json()
    answer = browser.post(path)
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "Traceback" not in answer.text
    assert control.get(f"{session}/state").json() == {**before, "failures": 1}
    assert control.get(f"{session}/requests").json()["requests"][-1]["status"] == 500
    assert control.get("/health").json()["errors"] == 1


def test_replacing_a_row_is_journalled_as_delete_and_insert(faulty):
    """Even REPLACE cannot change a row without a trace."""
    _, control, session, browser = faulty
    browser.post("/replace")
    browser.post("/fail")
    journal = control.get(f"{session}/state").json()["journal"]
    assert [(entry["op"], entry["key"]) for entry in journal] == [("delete", "a|1"), ("insert", "a|1")]
    assert journal[0]["before"]["words"] == "first"
