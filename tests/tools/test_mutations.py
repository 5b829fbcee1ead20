"""The mutation tool on the sample suite: what proofs notice, what they do not, and what cannot be judged."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import mutations
import pytest

pytestmark = pytest.mark.slow  # whole suites are changed and judged

SUITE = "suites/sample"
SAMPLE = Path(__file__).parents[1] / "sample_suite"


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose sample suite was audited, with its run in `reports/proof`."""
    project = tmp_path_factory.mktemp("project")
    shutil.copytree(SAMPLE, project / SUITE, ignore=shutil.ignore_patterns("__pycache__"))
    (project / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", SUITE, "--cua-audit-full", "--cua-run", "proof", "-q"]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    return project


@pytest.fixture
def audited(proof: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the audited project, to be changed and judged."""
    shutil.copytree(proof, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    _forget_suite()
    yield tmp_path / "project"
    _forget_suite()


def _forget_suite() -> None:
    """Let the next test load its own copy of the suite."""
    for name in [name for name in sys.modules if name.startswith("cuabench_suite_sample")]:
        del sys.modules[name]


def check(*more: str) -> int:
    """Run the tool on the project's audit."""
    return mutations.main(["--suite", f"./{SUITE}", "--jobs", "1", "reports/proof", *more])


def edit(project: Path, file: str, old: str, new: str) -> None:
    """Change the project's copy of the suite."""
    path = project / SUITE / "desk" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_survivors_are_listed_with_their_place(audited, capsys):
    """Nobody tries to write for Bo while counting: that this is harm there, is not proved."""
    assert check() == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("desk: ")
    assert "mutants caught" in lines[0]
    assert sorted(line.split("desk/")[1] for line in lines[1:]) == [
        "both.py:16: passed over: yield from harm(evidence)",
        "count.py:14: passed over: yield from harm(evidence)",
    ]


UNIT_TESTS = """
from pathlib import Path
from pytest_cuabench.task.evidence import Evidence, State, Write
from pytest_cuabench.task.suite import load_suite
from pytest_cuabench.task.case import Case

load_suite(Path("suites/sample").resolve())


def test_nobody_counts_into_the_notes_of_bo():
    from cuabench_suite_sample.desk import count

    harm = Write("notes", "1", "insert", None, {"patient": "B"})
    evidence = Evidence(State({}), State({}, (harm,)), "3", "answer")
    assert len(list(count.check(evidence, Case("", {"count": 3})))) == 2
"""


def test_unit_tests_are_asked_about_survivors(audited, capsys):
    """Both shares are told; what no test notices is still listed."""
    (audited / "tests").mkdir()
    (audited / "tests" / "test_sample_desk.py").write_text(UNIT_TESTS)
    check("--tests", "tests")
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.count("mutants caught") == 2
    assert [line.split("desk/")[1] for line in rest] == ["both.py:16: passed over: yield from harm(evidence)"]


def test_unit_tests_that_cannot_run_catch_nothing(audited, capsys):
    """Tests which break for another reason are an error, no proof."""
    (audited / "tests").mkdir()
    (audited / "tests" / "test_sample_desk.py").write_text("import nothing_of_that_name\n")
    assert check("--tests", "tests") == 2
    assert "did not run" in capsys.readouterr().err


def test_the_threshold_decides(audited):
    """A share that is high enough passes, whatever survives."""
    assert check("--threshold", "50") == 0
    assert check("--threshold", "99") == 1


def test_several_processes_find_the_same(audited, capsys):
    """Workers inherit what was recorded."""
    check()
    alone = capsys.readouterr().out
    check("--jobs", "2")
    assert capsys.readouterr().out == alone


def test_files_and_modules_stay_as_they_are(audited):
    """Mutants live in memory, and are gone afterwards."""
    folder = audited / SUITE / "desk"
    before = {file: file.read_bytes() for file in folder.glob("*.py")}
    check()
    note = sys.modules["cuabench_suite_sample.desk.note"]
    check()
    assert {file: file.read_bytes() for file in folder.glob("*.py")} == before
    assert sys.modules["cuabench_suite_sample.desk.note"] is note


def test_checks_that_changed_since_the_audit_are_refused(audited, capsys):
    """A claim that does not hold unmutated says nothing about mutants."""
    edit(audited, "shared.py", 'if write.row.get("patient") == "B":', "if False:")
    assert check() == 2
    assert "note-wrong-note_for_bo-s0 does not hold, mutated or not" in capsys.readouterr().err


def test_a_check_of_several_applications_is_mutated_too(audited, capsys):
    """A check that a task imports from outside of its application belongs to its checks."""
    check()
    before = capsys.readouterr().out.splitlines()[0]
    _forget_suite()
    count, toolkit = audited / SUITE / "desk" / "count.py", audited / SUITE / "toolkit"
    toolkit.mkdir()
    (toolkit / "counting.py").write_text(count.read_text().replace("from .shared", "from ..desk.shared"))
    count.write_text("from ..toolkit.counting import case, check, one_too_many, solve\n")
    assert check() == 1
    first, *survivors = capsys.readouterr().out.splitlines()
    assert first == before
    assert any("toolkit/counting.py:14: passed over" in line for line in survivors)


def test_a_run_without_evidence_cannot_be_judged(audited, capsys):
    """The sentence names the file that is missing; no run at all is one sentence, too."""
    shutil.rmtree(audited / "reports" / "proof" / "trajectories")
    assert check() == 2
    assert "before.json is missing" in capsys.readouterr().err
    assert mutations.main(["reports/none", "--suite", f"./{SUITE}"]) == 2
    assert "is not a run" in capsys.readouterr().err


def test_an_application_without_claims_is_below(audited, capsys):
    """Nothing recorded proves nothing."""
    ledger = audited / "reports" / "proof" / "ledger.jsonl"
    ledger.write_text("")
    assert check() == 1
    assert "desk: no claims were recorded" in capsys.readouterr().out


def test_runs_are_put_together(audited, capsys):
    """What was proved later adds to what was proved before, and replaces it."""
    parts = audited / "reports" / "proof", audited / "reports" / "more"
    shutil.copytree(*parts)
    lines = (parts[0] / "ledger.jsonl").read_text().splitlines(keepends=True)
    for part, kept in zip(parts, (lines[:10], lines[8:]), strict=True):
        (part / "ledger.jsonl").write_text("".join(kept))
    check()
    alone = capsys.readouterr().out
    check("reports/more")
    together = capsys.readouterr().out
    assert "by 10 claims" in alone
    assert "by 27 claims" in together
    (parts[0] / "ledger.jsonl").write_text("".join(lines))
    check()
    assert capsys.readouterr().out == together


def test_mutants_without_an_end_count_as_caught(audited, monkeypatch, capsys):
    """A loop that a mutant made endless is given up."""
    monkeypatch.setattr(mutations, "PATIENCE", 1)
    loop = '    tries = 0\n    while tries == 3:\n        pass\n    return Milestone("noted"'
    edit(audited, "shared.py", '    return Milestone("noted"', loop)
    assert check() == 1
    assert "tries" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "weaknesses"),
    [
        ("yield Violation('a')", ["passed over: yield Violation('a')"]),
        ("yield from others()", ["passed over: yield from others()"]),
        ("yield Milestone('a', done, 1)", ["always reached, instead of: done"]),
        ("x = a < b <= c", ["the opposite of: a < b <= c"]),
        ("x = a + b", []),
    ],
)
def test_what_can_be_weakened(source, weaknesses):
    """Every finding, every milestone and every comparison; nothing else."""
    tree = ast.parse(f"def check():\n    {source}\n")
    found = mutations.mutants("m", Path("m.py"), tree, {("m.py", 1)}, set())
    assert [mutant.what for mutant in found] == weaknesses


def test_functions_that_no_claim_enters_are_left_out():
    """What only builds cases is no check."""
    tree = ast.parse("def case(a):\n    return a == 1\n")
    assert list(mutations.mutants("m", Path("m.py"), tree, set(), set())) == []


def test_of_mixed_findings_the_milestones_stay():
    """Taking all of a judge's findings away would break the weights and prove nothing about its harm."""
    judge = "def judge():\n    yield Milestone('a', 1, 1)\n    yield Violation('b')\n"
    source = f"def check():\n    yield from judge()\n\n{judge}"
    tree = ast.parse(source)
    assert mutations.milestones_only(tree) == set()
    first, *_ = mutations.mutants("m", Path("m.py"), tree, {("m.py", 1), ("m.py", 4)}, set())
    made = {
        "Milestone": type("Milestone", (str,), {"__new__": lambda c, *a: str.__new__(c, a[0])}),
        "Violation": str,
    }
    exec(mutations.weakened(tree, first), made)
    assert list(made["check"]()) == ["a"]
