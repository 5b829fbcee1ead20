"""A suite plays the task files that its benchmark was published with, by functions of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.suite import load_suite

SAMPLE = Path(__file__).parents[1] / "sample_suite"
HOOKS = """
import dataclasses


def with_task_files(suite, path):
    named = set(path.read_text(encoding="utf-8").split())
    return dataclasses.replace(suite, tasks=tuple(task for task in suite.tasks if task.id in named))


def task_of_case(case, attempt):
    return None
"""
OTHERS = ("-p", "no:cacheprovider", "--collect-only", "-q")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the sample suite that names a module for task files, which is still to be written."""
    copy = shutil.copytree(SAMPLE, tmp_path / "sample", ignore=shutil.ignore_patterns("__pycache__"))
    name_hooks(copy)
    return copy


def name_hooks(suite: Path) -> None:
    """Let a suite name the module `theirs` for task files."""
    file = suite / "suite.toml"
    text = file.read_text(encoding="utf-8").replace(
        "\n[environment]", '\ntask_files = "theirs"\n\n[environment]'
    )
    file.write_text(text, encoding="utf-8")


def test_named_files_are_played(sample: pytest.Pytester) -> None:
    """`--cua-tasks` replaces the suite's tasks by those of the files, relative to the root."""
    folder = sample.path / "suites" / "sample"
    name_hooks(folder)
    (folder / "theirs.py").write_text(HOOKS, encoding="utf-8")
    sample.path.joinpath("list.txt").write_text("count", encoding="utf-8")
    result = sample.runpytest_inprocess("suites/sample", "--cua-tasks=sample=list.txt", *OTHERS)
    ids = [line.rpartition("[")[2] for line in map(str, result.outlines) if "test_sample[" in line]
    assert ids == ["desk/count-intent]", "desk/count-step]"]


@pytest.mark.parametrize(
    ("tasks", "sentence"),
    [
        (
            "sample=list.txt",
            "*--cua-tasks: the suite sample plays no published task files; remove sample=list.txt*",
        ),
        (
            "smaple=list.txt",
            "*--cua-tasks: no suite named 'smaple'; known: *sample*did you mean 'sample'?*",
        ),
    ],
)
def test_a_suite_without_task_files_is_refused(tasks: str, sentence: str, sample: pytest.Pytester) -> None:
    """Neither a suite that cannot play any nor a misspelt one is passed over."""
    result = sample.runpytest_inprocess(
        "suites/sample", f"--cua-tasks={tasks}", "--agent=noop", "-p", "no:cacheprovider"
    )
    assert result.ret in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERRUPTED)
    told = result.stderr if result.ret == pytest.ExitCode.USAGE_ERROR else result.stdout
    told.fnmatch_lines([sentence])


def test_faults_of_the_module_are_told_with_the_suite(folder: Path) -> None:
    """Missing functions and wrong signatures, with file and line; nothing is imported for that."""
    (folder / "theirs.py").write_text(
        "raise OSError\n\n\ndef with_task_file(suite, where): ...\n", encoding="utf-8"
    )
    with pytest.raises(SettingError) as refused:
        load_suite(folder)
    assert str(refused.value).splitlines() == [
        f"{folder}/theirs.py: def with_task_files(suite, path) is missing; did you mean 'with_task_file'?",
        f"{folder}/theirs.py: def task_of_case(case, attempt) is missing",
    ]
    (folder / "theirs.py").unlink()
    with pytest.raises(SettingError, match=r"theirs\.py is missing"):
        load_suite(folder)


def test_an_exception_of_the_module_says_where(folder: Path) -> None:
    """The suite's code failed: type, message, file and line."""
    (folder / "theirs.py").write_text(HOOKS, encoding="utf-8")
    suite = load_suite(folder)
    assert suite.task_files is not None
    with pytest.raises(SettingError, match=r"with_task_files: FileNotFoundError: .*theirs\.py:6\)"):
        suite.task_files.suite(suite, folder / "nowhere.txt")
