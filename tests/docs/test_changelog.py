"""The changelog is short, and its newest version is the project's."""

from __future__ import annotations

import re
import tomllib
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()

MOST_LINES = 20
LONGEST_LINE = 120


def test_sections_are_short() -> None:
    """A section has twenty lines at most, and a line 120 characters."""
    sections = groupby(LINES, key=lambda line: line.startswith("#"))
    longest = max(len([line for line in body if line]) for heading, body in sections if not heading)
    assert longest <= MOST_LINES
    assert [line for line in LINES if len(line) > LONGEST_LINE] == []


def test_newest_version_is_the_one_that_is_built() -> None:
    """The first version below `Unreleased` is that of pyproject.toml and CITATION.cff, with a date."""
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    unreleased, newest, *_ = (line for line in LINES if line.startswith("## "))
    assert unreleased == "## Unreleased"
    assert re.fullmatch(rf"## {re.escape(built)} \(\d{{4}}-\d\d-\d\d\)", newest)
    assert cited is not None
    assert cited[1] == built


def test_sections_have_the_usual_names() -> None:
    """A section is named as Keep a Changelog names it."""
    names = {line.removeprefix("### ") for line in LINES if line.startswith("### ")}
    assert names <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
