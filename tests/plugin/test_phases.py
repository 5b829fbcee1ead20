"""A suite with a phase before its tasks, played as a session: what is recorded, reported, graded and refused."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from phases import PAGE, add_phases

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.table import cells, measured, played_in

Play = Callable[..., pytest.RunResult]


@pytest.fixture(autouse=True)
def phased(sample: pytest.Pytester) -> Path:
    """Add the phase to the sample suite."""
    folder = sample.path / "suites" / "sample"
    add_phases(folder)
    return folder


def test_both_phases_are_played_and_recorded(play: Play, played: Any) -> None:
    """The reference solution looks for the page where that is a part of the variant, and then does the task."""
    play("--agent=oracle").assert_outcomes(passed=6)
    (searched,), (given,) = played()["desk/note-intent"], played()["desk/note-step"]
    assert [(phase.name, phase.document, phase.metrics) for phase in searched.phases] == [
        ("search", PAGE, {"found": 1.0})
    ]
    assert given.phases == ()


def test_audit(play: Play) -> None:
    """The reference has to succeed in every phase; doing nothing and wrong solutions fail as without phases."""
    play("--cua-audit").assert_outcomes(passed=12)


def test_audit_of_a_phase_that_fails(play: Play, phased: Path) -> None:
    """A reference that does not find the page is no proof, although it does the task."""
    module = phased / "reading.py"
    module.write_text(module.read_text().replace('pilot.answer(case["url"])', 'pilot.answer("elsewhere")'))
    result = play("--cua-audit", "-k", "note-reference-s0")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*its phase search does not succeed: elsewhere"])


def test_report(play: Play, the_run: Callable[[], Run]) -> None:
    """The report's page and Allure have the steps of a phase before those of the task."""
    play("--agent=oracle", "-k", "note-intent", "--alluredir=allure").assert_outcomes(passed=1)
    page = (the_run().folder / "report.html").read_text()
    packed = re.search(r'id="piece-0-0">(.*?)<', page)
    assert packed is not None
    shown = json.loads(zlib.decompress(base64.b64decode(packed[1]), -zlib.MAX_WBITS))
    frames = shown["attempts"][0]["frames"]
    assert [frame.get("phase") for frame in frames] == ["search"] * 3 + [None] * 3
    assert frames[2]["facts"]["handed on"] == PAGE
    results = [json.loads(file.read_text()) for file in Path("allure").glob("*-result.json")]
    assert "phase search" in json.dumps(results)


def test_table(play: Play, the_run: Callable[[], Run]) -> None:
    """A phase's metric is a measure of tables, over the episodes that played the phase."""
    play("--agent=oracle", "-k", "note").assert_outcomes(passed=2)
    table = measured(played_in([the_run()]), ["variant"], ["search found", "success"])
    assert [row[0] for row in cells(table)] == ["variant", "intent", "step"]
    assert [row[1] for row in cells(table)][1:] == ["100.0 % · 1", "–"]


def test_grade(play: Play, the_run: Callable[[], Run]) -> None:
    """A run with phases is graded again from its records."""
    play("--agent=oracle", "-k", "note").assert_outcomes(passed=2)
    assert main(["grade", str(the_run().folder), "--suite", "suites/sample"]) == 0


def test_resume(play: Play, the_run: Callable[[], Run]) -> None:
    """What was played is not played again, unless the phase's budget has changed meanwhile."""
    play("--agent=oracle", "-k", "note-intent").assert_outcomes(passed=1)
    name = the_run().name
    play("--agent=oracle", "-k", "note-intent", f"--cua-resume={name}").assert_outcomes(passed=1)
    assert len(list(the_run().attempts())) == 1


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (
            "suite.toml",
            'variants = ["intent"]\ngiven',
            'variants = ["intend"]\ngiven',
            "*did you mean 'intent'?",
        ),
        ("suite.toml", 'module = "reading"', 'module = "readin"', "*readin.py is missing*"),
        ("reading.py", "def named", "def name", "*reading.py: def named(evidence, case) is missing*"),
        ("desk/note.toml", "[reference]", "[[reference]]", "*reference*"),
        ("desk/note.toml", 'url = "https://desk.example/notes"\n', "", "*reference.url is missing*"),
    ],
)
def test_malformed_phase(play: Play, phased: Path, file: str, old: str, new: str, sentence: str) -> None:
    """What is wrong with a phase's declaration is one sentence with the file."""
    text = (phased / file).read_text()
    assert old in text
    (phased / file).write_text(text.replace(old, new, 1))
    result = play("--agent=oracle")
    assert result.ret != pytest.ExitCode.OK
    assert any(
        line for line in (*result.outlines, *result.errlines) if Path(file).stem in line or "variant" in line
    )
    (result.stdout if any("rror" in line for line in result.outlines) else result.stderr).fnmatch_lines(
        [sentence]
    )


def test_task_without_a_reference(play: Play, phased: Path) -> None:
    """A suite with phases needs to know of each task where its steps are told."""
    note = phased / "desk" / "note.toml"
    note.write_text(note.read_text().partition("\n[reference]")[0])
    result = play("--agent=oracle")
    assert "note.toml: a [reference] is missing" in "\n".join((*result.outlines, *result.errlines))


def test_a_program_by_cdp_is_refused_where_a_phase_has_no_browser(play: Play, phased: Path) -> None:
    """The door by CDP is refused before the run if one of the phases is played on a desktop."""
    (phased / "library.py").write_text(
        "from phases import open_library\n\nfrom pytest_cuabench.drivers.driver import Driver\n\n\n"
        "class Desktop(Driver):\n    pages = False\n\n    def open(self, context):\n        return open_library()\n"
    )
    about = phased / "suite.toml"
    about.write_text(about.read_text().replace("library:open_library", "library:Desktop"))
    Path("mine.toml").write_text('adapter = "program"\n[options]\ncommand = ["python3"]\ndoor = "cdp"\n')
    result = play("--agent=mine.toml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*door = 'cdp' needs a suite that is played in a browser*in all its phases*"]
    )
