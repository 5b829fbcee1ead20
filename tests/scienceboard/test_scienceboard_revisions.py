"""Which release of the records is played, what is known of each, and what a desktop must have for a record."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cuabench_suite_scienceboard.upstream import native
from cuabench_suite_scienceboard.upstream.errata import errata
from cuabench_suite_scienceboard.upstream.native.stage import NativeStage
from cuabench_suite_scienceboard.upstream.records import Record, read_records
from cuabench_suite_scienceboard.upstream.revisions import digest, revision_of, revisions_of
from cuabench_suite_scienceboard.upstream.tasks import task_of, with_task_files

from pytest_cuabench.drivers.desktop.guest import Begun
from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task import library
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.suite import load_suite
from scienceboard.small_records import SMALL, small

PIEMONTE = "grassdata_piemonte_utm32n_wgs84_grass7"


@pytest.fixture
def releases(monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    """Three records: one of both releases, one of the first, one of the second."""
    both, first, second = (small(name, instruction=name) for name in ("A-01", "C-07", "C-08"))
    revised = replace(second, name="C-07")
    known = {
        "original": {"kalgebra/a_01": digest(both)[:16], "kalgebra/c_07": digest(first)[:16]},
        "verified": {"kalgebra/a_01": digest(both)[:16], "kalgebra/c_07": digest(revised)[:16]},
    }
    monkeypatch.setattr("cuabench_suite_scienceboard.upstream.revisions._known", lambda: known)
    return [both, first, revised]


def test_a_revision_is_told_by_what_records_say(releases: list[Record]) -> None:
    """All of one release, all of both, or how many of none."""
    both, first, revised = releases
    assert revision_of([both]) == "original or verified"
    assert revision_of([both, first]) == "original"
    assert revision_of([both, revised]) == "verified"
    assert revision_of([both, first, small("D-09")]) == "unknown: 1 of 3 records differ from original"
    assert revisions_of(revised) == {"verified"}


def test_what_was_put_right_is_no_erratum_any_more(releases: list[Record]) -> None:
    """The published record is flagged, the revised one is not; what both share stays flagged in both."""
    both, first, revised = releases
    assert "the wanted points are of ln(x^2+1)" in errata(first)[0]
    assert errata(revised) == ()
    assert "1+-i" in errata(both)[0]


def test_the_tier_of_an_attempt_names_the_revision(tmp_path: Path) -> None:
    """It is shown wherever a tier is: terminal, summary, report."""
    (tmp_path / "A-01.json").write_text(json.dumps(SMALL), encoding="utf-8")
    suite = load_suite(library.SUITES / "scienceboard")
    (task,) = with_task_files(suite, tmp_path).tasks
    assert task.meta.tier == "upstream unknown: 1 of 1 records differ from original"


def test_published_records_are_of_the_first_release(published: Path) -> None:
    """Every file of it has its digest here."""
    assert revision_of(read_records(published)) == "original"


def grass(*items: dict[str, Any]) -> Record:
    """Return a record of GRASS about these items."""
    begin = [{"func": "map", "grassdb": "/home/user/grassdata", "location": PIEMONTE, "mapset": "PERMANENT"}]
    return small(type="GrassGIS", initialize=begin, evaluate=list(items))


TOLD: dict[str, dict[str, dict[str, Any]]] = {
    "files": {
        f"grassdata/{PIEMONTE}/PERMANENT/vector/roads/head": {},
        f"grassdata/{PIEMONTE}/PERMANENT/cellhd/elevation": {},
        "grassdata/elsewhere/PERMANENT/vector/lakes/head": {},
    },
    "columns": {
        "roads.NAME": {"location": PIEMONTE, "map": "roads", "name": "NAME", "type": "text", "place": 1}
    },
}


def _label(column: str) -> dict[str, Any]:
    key = (
        "lambda dump: [p for p in [i for i in dump['windows'] if i['name'] == 'roads@PERMANENT'][0]['params'] "
        "if p['name'] == 'attribute_column']"
    )
    return {
        "type": "info",
        "key": key,
        "value": column,
        "pred": "lambda key, value: key[0]['value'] == value",
    }


def _compared(column: str) -> dict[str, Any]:
    key = f"lambda dump: str(dump.get('attribute_column', '')).strip() == '{column}' and 'map=roads@PERMANENT' in dump"
    return {"type": "info", "key": key, "value": True}


def _where(condition: str) -> dict[str, Any]:
    key = f"lambda dump: dump['roads@PERMANENT']['where'] == \"{condition}\""
    return {"type": "info", "key": key, "value": True}


def _db(**changes: Any) -> dict[str, Any]:
    kwargs = {"map": "roads@PERMANENT", "format": "json"}
    item = {
        "type": "db",
        "cmd": "v.db.select",
        "kwargs": kwargs,
        "key": "lambda out: out['info']",
        "value": "NAME",
    }
    return {**item, **changes}


@pytest.mark.parametrize(
    ("item", "absent"),
    [
        ({"type": "info", "key": "lambda d: d['layers'][0]['name']", "value": "roads@PERMANENT"}, None),
        ({"type": "info", "key": "lambda d: d['layers'][0]['name']", "value": "elevation@PERMANENT"}, None),
        (
            {"type": "info", "key": "lambda d: d['layers'][0]['name']", "value": "railroads@PERMANENT"},
            "railroads",
        ),
        ({"type": "info", "key": "lambda d: 'map=lakes@PERMANENT' in d['a']", "value": True}, "lakes"),
        (_label("NAME"), None),
        (_label("NOME"), "column NOME"),
        (_compared("NAME"), None),
        (_compared("NOME"), "column NOME"),
        (_where("NAME='a'"), None),
        (_where("NOME='a'"), "column NOME"),
        (_db(), None),
        (_db(value="ISTAT"), "column ISTAT"),
        (_db(value={"name": "COLOR", "sql_type": "TEXT"}), None),
        (_db(kwargs={"map": "rails@PERMANENT"}), "rails"),
    ],
)
def test_a_record_about_what_is_not_there_says_so(item: dict[str, Any], absent: str | None) -> None:
    """Maps and columns are read off what a record is judged by, and looked up in the prepared desktop."""
    reason = native.unmet(grass(item), TOLD)
    assert (reason is None) if absent is None else (reason is not None and absent in reason)


def test_a_figure_in_the_console_is_a_fact_of_the_data() -> None:
    """How many cells a map has is not the same in ours."""
    item = {
        "type": "info",
        "key": "lambda dump: dump['output']",
        "value": "n: 263975",
        "pred": "lambda k, v: v in k",
    }
    assert "fact of the data" in str(native.lacking(grass(item)))
    assert native.lacking(grass({**item, "value": "v.info map=roads"})) is None


@pytest.mark.parametrize(
    ("error", "absent"),
    [
        ("./main.tex:3: LaTeX Error: File `bussproofs.sty' not found.", "bussproofs.sty"),
        ("! LaTeX Error: File `beamer.cls' not found.", "beamer.cls"),
        ("./main.tex:9: Undefined control sequence.", None),
        ("! LaTeX Error: File `chapter.tex' not found.", None),
        (None, None),
    ],
)
def test_a_document_whose_package_is_not_installed_says_so(error: str | None, absent: str | None) -> None:
    """A mistake in the document, or a file of its own, is what the record may be about."""
    record = small(
        type="TeXstudio",
        initialize=[{"func": "touch", "path": "/home/user/atelier/main.tex", "text": "x"}],
        evaluate=[{"type": "compile", "path": "/home/user/atelier", "file": "main"}],
    )
    told = {"builds": {"atelier/main.tex": {"ok": error is None, "error": error}}}
    reason = native.unmet(record, told)
    assert (reason is None) if absent is None else (reason is not None and absent in reason)


class Prepared:
    """A guest that is prepared at once, or refuses."""

    def __init__(self, refusal: str | None = None) -> None:
        self.begun: list[str] = []
        self._refusal = refusal

    def lacking(self, application: str) -> str | None:
        """Return None: all is installed."""
        return None

    async def begin(self, application: str, setup: Any, seconds: float) -> Begun:
        """Note that it was prepared."""
        self.begun.append(application)
        if self._refusal:
            raise CheckerFailure(self._refusal)
        return Begun("home", None)

    async def state(self) -> State:
        """Return what is true there."""
        return State(TOLD)


@pytest.mark.asyncio
async def test_a_record_is_tried_once_before_it_is_played() -> None:
    """What is not there skips the record with a sentence, and so does a preparation that is refused."""
    item = {"type": "info", "key": "lambda d: d['name']", "value": "railroads@PERMANENT"}
    instance = Instance(task_of(grass(item), "scienceboard"), "goal")
    guest = Prepared()
    stage = NativeStage(guest)  # type: ignore[arg-type]
    for _ in range(2):
        assert "do not have railroads" in str(await stage.lacking(instance))
    assert guest.begun == ["grass"]
    refusing = NativeStage(Prepared("there is no map railroads"))  # type: ignore[arg-type]
    assert await refusing.lacking(instance) == "there is no map railroads"
    calculator = Prepared()
    assert await NativeStage(calculator).lacking(Instance(task_of(small(), "scienceboard"), "goal")) is None  # type: ignore[arg-type]
    assert calculator.begun == []
