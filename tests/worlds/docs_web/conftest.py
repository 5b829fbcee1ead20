"""A web of small sites: a folder, a manual of one page, documentation and a weblog that are written in Markdown."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ENVIRONMENTS = Path(__file__).parents[3] / "environments"
for folder in ("docs_web", "kit"):
    if str(ENVIRONMENTS / folder) not in sys.path:
        sys.path.append(str(ENVIRONMENTS / folder))

from docs_web.index import Index  # noqa: E402
from docs_web.public import Public  # noqa: E402
from docs_web.sessions import Sessions  # noqa: E402
from docs_web.site import Site  # noqa: E402
from docs_web.sites import read_sites  # noqa: E402

DECLARED = """
[[folder]]
host = "help.scribe.example"
name = "Scribe Help"
root = "{folder}/help"
at = "/2.0/"
start = "index.html"
pages = ["*.html"]
content = "//main"

[[folder]]
host = "help.absent.example"
name = "Not installed"
root = "{folder}/absent"
at = "/"
start = "index.html"
pages = ["*.html"]
content = "//main"

[[manual]]
host = "www.quill.example"
name = "Quill Manual"
at = "/manual/"
start = "index.html"
depth = 2
files = {{ "" = "{folder}/quill/quill.html" }}

[[documentation]]
host = "docs.nib.example"
name = "Nib"
at = "/help/"
versions = ["2.0", "1.0"]

[[written]]
host = "blog.example"
name = "A weblog"
style = "blog"
"""
QUILL = """<html><head><title>Quill</title><style>p {}</style></head><body><h1>Quill</h1><p>About quills.</p>
<div class="contents topic" id="contents"><a href="#ink">Ink</a></div>
<div class="section" id="ink"><h1>Ink</h1><p>Ink is black. See <a href="#drying">drying</a>. <img src="ink.png"></p>
<div class="section" id="drying"><h2>Drying</h2><p>Sand dries it.</p>
<div class="section" id="sand"><h3>Sand</h3><p>Fine sand. Back to <a href="#ink">ink</a>.</p></div></div></div>
<div class="sect1"><h2 id="_feathers">Feathers</h2><p>Of geese.</p></div></body></html>"""
BLOG = """# Dry ink faster!
> Ann, 3 May 2019

Blow on it, and <b>wait</b>.

# Another day

Nothing.
"""
NIB = """# Cut a nib

Use a **penknife**. See [how to keep it](keep-a-nib) and [inks](../writing/choose-an-ink).

# Keep a nib

In a drawer.
"""
PAGE = "<html><head><title>{title}</title></head><body><nav>Everywhere</nav><main><p>{text}</p></main></body></html>"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder with all files."""
    (tmp_path / "help").mkdir()
    for name, text in (
        ("index", "Scribe writes letters."),
        ("margins", "Margins are set in the layout dialog."),
    ):
        (tmp_path / "help" / f"{name}.html").write_text(PAGE.format(title=name.title(), text=text))
    (tmp_path / "secret.txt").write_text("not served")
    (tmp_path / "quill").mkdir()
    (tmp_path / "quill" / "quill.html").write_text(QUILL)
    (tmp_path / "quill" / "ink.png").write_bytes(b"a picture")
    (tmp_path / "fixtures" / "blog.example").mkdir(parents=True)
    (tmp_path / "fixtures" / "blog.example" / "tips.md").write_text(BLOG)
    for version, chapters in (
        ("2.0", {"10-nibs": NIB, "20-writing": "# Choose an ink\n\nBlack."}),
        ("1.0", {"10-nibs": "# Cut a nib\n\nUse your **teeth**."}),
    ):
        folder = tmp_path / "fixtures" / "docs.nib.example" / version
        folder.mkdir(parents=True)
        for chapter, text in chapters.items():
            (folder / f"{chapter}.md").write_text(text)
    (tmp_path / "sites.toml").write_text(DECLARED.format(folder=tmp_path))
    return tmp_path


@pytest.fixture
def sites(place: Path) -> Sequence[Site]:
    """The sites that are installed."""
    return read_sites(place / "fixtures", place, place / "sites.toml")


@pytest.fixture
def index(sites: Sequence[Site], place: Path) -> Index:
    """Their index."""
    return Index(sites, place)


@pytest.fixture
def public(sites: Sequence[Site], index: Index) -> Public:
    """The listener."""
    return Public({site.host: site for site in sites}, index, Sessions("search.example", "f"))
