"""The walks of CONTRIBUTING.md: how many files each takes at most, and that the files exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
MOST = {"Change a task": 2, "Add an action": 9, "Add a maker": 5, "Add a chart to the report": 4}
SECTIONS = dict(
    re.findall(
        r"^## (.+)\n((?:(?!## ).*\n)+)", (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.M
    )
)
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b(?!\.md)")


@pytest.mark.parametrize("walk", MOST)
def test_a_walk_is_short(walk: str) -> None:
    """A walk lists no more files than it may take."""
    assert 1 <= len(re.findall(r"^\d+\. `", SECTIONS[walk], re.M)) <= MOST[walk]


@pytest.mark.parametrize("walk", MOST)
def test_a_walk_names_files_that_exist(walk: str) -> None:
    """Each file and folder of a walk exists, but for those that the walk makes."""
    named = re.findall(r"`((?:[\w.]+/)+[\w.]*|\w+\.toml)`", SECTIONS[walk])
    fixed = [path for path in named if not PLACEHOLDER.search(path) and "/" in path]
    assert [path for path in fixed if not (REPOSITORY / path).exists()] == []
    tests = re.findall(r"pytest (tests/[\w/.]+)", SECTIONS[walk])
    assert [path for path in tests if not (REPOSITORY / path).is_file()] == []
