"""What the documents say is true."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest

from pytest_cuabench.settings import SETTINGS

ROOT = Path(__file__).parents[2]
OPTION = re.compile(r"(?<![\w-])--(?:cua-[a-z-]+[a-z]|agent)\b(?!-)")
PAGES = sorted({*ROOT.glob("[A-Z]*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("[a-z]*/README.md")})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_work(page: Path) -> None:
    """Every interactive example in a page prints what the page says."""
    assert doctest.testfile(str(page), module_relative=False).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_blocks_compile(page: Path) -> None:
    """Every Python block without prompts is valid Python."""
    for block in re.findall(r"```python[^\n]*\n(.*?)```", page.read_text(), re.DOTALL):
        if ">>>" not in block:
            compile(block, str(page), "exec")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link of a page leads to a file that is there."""
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_options_are_listed() -> None:
    """The page of options lists all that the plugin has, and no page names another one."""
    known = {flag for setting in SETTINGS for flag in setting.flags or (setting.option,)}
    named = {page: set(OPTION.findall(page.read_text())) for page in PAGES}

    assert known - named[ROOT / "docs/options.md"] == set()
    assert {page.name: names - known for page, names in named.items() if names - known} == {}


@pytest.mark.slow
def test_site_is_built_without_a_dead_link(tmp_path: Path) -> None:
    """The site builds strictly, links of its pages lead to files in it, and no page asks another host for anything."""
    pytest.importorskip("material", reason="the site needs mkdocs-material; type: scripts/install --dev")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]

    built = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    )

    assert built.returncode == 0, built.stdout + built.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert tmp_path / "architecture.html" in pages
    assert (
        tmp_path / "repository/agents/README.html" in pages
        or tmp_path / "repository/agents/index.html" in pages
    )
    for page in pages:
        tree = lxml.html.parse(page)
        assert [link for link in tree.xpath("//*/@href | //*/@src") if _dead(page, link)] == [], page
        assert tree.xpath("//script[starts-with(@src, 'http')] | //link[starts-with(@href, 'http')]") == [], (
            page
        )


def _dead(page: Path, link: str) -> bool:
    address = urlsplit(link)
    if address.scheme or address.netloc or not address.path:
        return False
    return page.name != "404.html" and not (page.parent / unquote(address.path)).exists()
