"""What the documents say is true."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from pytest_cuabench.outcome import Outcome
from pytest_cuabench.settings import SETTINGS

ROOT = Path(__file__).parents[2]
PAGES = sorted({*ROOT.glob("[A-Z]*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("[a-z]*/README.md")})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_work(page: Path) -> None:
    """Every interactive example in a page prints what the page says."""
    assert doctest.testfile(str(page), module_relative=False).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_blocks_compile(page: Path) -> None:
    """Every Python block without prompts is valid Python."""
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        if ">>>" not in block:
            compile(block, str(page), "exec")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of a page leads to a file that is there."""
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_options_in_readme_exist() -> None:
    """README names no option that the plugin does not have."""
    known = {setting.option for setting in SETTINGS} | {
        flag for setting in SETTINGS for flag in setting.flags or ()
    }
    named = set(re.findall(r"--(?:cua-[a-z-]+[a-z]|agent)\b", (ROOT / "README.md").read_text()))

    assert named - known == set()


def test_outcome_table_is_the_one_in_the_code() -> None:
    """The documented outcomes are graded and retried as the code has it."""
    rows = re.findall(
        r"^\| `(\w+)` \| (yes|no) \| (yes|no)? ?\|", (ROOT / "docs/outcomes.md").read_text(), re.M
    )

    documented = {label: (graded == "yes", retried == "yes") for label, graded, retried in rows}

    assert documented == {outcome.label: (outcome.graded, outcome.retried) for outcome in Outcome}
