"""What sites serve: folders as they are, long pages section by section, and what is written in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from lxml import html

from docs_web.documentation import Documentation
from docs_web.index import Index
from docs_web.site import Site
from docs_web.sites import DECLARED, read_sites


def answer(sites: Sequence[Site], host: str, path: str) -> str | None:
    """Return what a site answers, as text."""
    file = next(site for site in sites if site.host == host).answer(path)
    return file.body.decode() if file else None


def pages(sites: Sequence[Site], host: str) -> dict[str, str]:
    """Return the texts of a site's pages by their paths."""
    return {page.path: page.text for page in next(site for site in sites if site.host == host).pages()}


def test_only_installed_sites_are_served(sites: Sequence[Site]) -> None:
    """A site whose documentation is not installed is left out."""
    assert [site.host for site in sites] == [
        "help.scribe.example",
        "www.quill.example",
        "docs.nib.example",
        "blog.example",
    ]


def test_a_folder_is_served_as_it_is(sites: Sequence[Site], place: Path) -> None:
    """A file's bytes are those of the package, and only what is a page's own is indexed."""
    served = answer(sites, "help.scribe.example", "/2.0/margins.html")
    assert served == (place / "help" / "margins.html").read_text()
    assert pages(sites, "help.scribe.example") == {
        "/2.0/index.html": "Scribe writes letters.",
        "/2.0/margins.html": "Margins are set in the layout dialog.",
    }


@pytest.mark.parametrize(
    "path", ["/2.0/../secret.txt", "/2.0//etc/passwd", "/2.0/", "/1.0/margins.html", "/2.0/none"]
)
def test_nothing_outside_of_the_folder_is_served(sites: Sequence[Site], path: str) -> None:
    """Dots and slashes lead nowhere."""
    assert answer(sites, "help.scribe.example", path) is None


@pytest.mark.parametrize("path", ["/manual/../secret.txt", "/manual/none.png", "/ink.png"])
def test_nothing_beside_a_manual_is_served(sites: Sequence[Site], path: str) -> None:
    """Only its sections and what lies in its folder are."""
    assert answer(sites, "www.quill.example", path) is None


def test_sections_are_pages(sites: Sequence[Site]) -> None:
    """Each heading down to the depth is a page with its own text, below the page of its chapter."""
    assert pages(sites, "www.quill.example") == {
        "/manual/index.html": "Quill\nAbout quills.",
        "/manual/ink.html": "Ink\nInk is black. See drying.",
        "/manual/ink/drying.html": "Drying\nSand dries it.\nSand\nFine sand. Back to ink.",
        "/manual/feathers.html": "Feathers\nOf geese.",
    }


def test_links_of_sections(sites: Sequence[Site]) -> None:
    """Links lead to the section's page, pictures keep their place, and each page leads up, back and on."""
    ink, drying = (
        answer(sites, "www.quill.example", f"/manual/{name}.html") or "" for name in ("ink", "ink/drying")
    )
    assert 'href="/manual/ink/drying.html#drying"' in ink
    assert '<img src="/manual/ink.png">' in ink
    assert answer(sites, "www.quill.example", "/manual/ink.png") == "a picture"
    assert '› <a href="/manual/ink.html">Ink</a>' in drying
    assert 'href="/manual/ink.html#ink"' in drying
    assert '<a href="/manual/ink.html" rel="prev">' in drying
    assert '<a href="/manual/feathers.html" rel="next">' in drying


def test_documentation_has_pages_in_versions(sites: Sequence[Site]) -> None:
    """Each heading is a page of its chapter, in each version of its own, with the version in its title."""
    nib = next(site for site in sites if site.host == "docs.nib.example")
    assert nib.start == "/help/2.0/"
    assert [(page.path, page.title) for page in nib.pages()] == [
        ("/help/2.0/nibs/cut-a-nib", "Cut a nib – Nib 2.0"),
        ("/help/2.0/nibs/keep-a-nib", "Keep a nib – Nib 2.0"),
        ("/help/2.0/writing/choose-an-ink", "Choose an ink – Nib 2.0"),
        ("/help/1.0/nibs/cut-a-nib", "Cut a nib – Nib 1.0"),
    ]


def test_documentation_leads_on(sites: Sequence[Site]) -> None:
    """A page has the pages of all chapters, the one before and after, and itself in other versions."""
    cut, keep, ink = (
        answer(sites, "docs.nib.example", f"/help/2.0/{place}") or ""
        for place in ("nibs/cut-a-nib", "nibs/keep-a-nib", "writing/choose-an-ink")
    )
    assert "<h2>Writing</h2>" in cut
    assert '<a href="/help/2.0/writing/choose-an-ink">Choose an ink</a>' in cut
    assert '<a href="/help/1.0/nibs/cut-a-nib">1.0</a>' in cut
    assert '<a href="/help/1.0/">1.0</a>' in keep
    assert '<a href="/help/2.0/nibs/keep-a-nib" rel="prev">' in ink
    assert '<a href="/help/2.0/nibs/keep-a-nib" rel="next">' in cut
    assert 'class="old"' not in cut


def test_old_documentation_says_so(sites: Sequence[Site]) -> None:
    """A page of an old version leads to the current one."""
    old = answer(sites, "docs.nib.example", "/help/1.0/nibs/cut-a-nib") or ""
    assert 'The current version is <a href="/help/2.0/nibs/cut-a-nib">2.0</a>' in old


def test_documentation_has_an_index(sites: Sequence[Site]) -> None:
    """Titles and bold words lead to their pages."""
    index = answer(sites, "docs.nib.example", "/help/2.0/general-index") or ""
    assert '<dt>penknife</dt><dd><a href="/help/2.0/nibs/cut-a-nib">Cut a nib</a></dd>' in index
    assert index.index("<dt>Keep a nib</dt>") < index.index("<dt>penknife</dt>")


@pytest.mark.parametrize("path", ["/help/3.0/", "/help/2.0/nibs", "/2.0/nibs/cut-a-nib", "/help/2.0/../1.0/"])
def test_documentation_has_nothing_else(sites: Sequence[Site], path: str) -> None:
    """Other versions, chapters alone and other folders are no pages."""
    assert answer(sites, "docs.nib.example", path) is None


def test_written_pages(sites: Sequence[Site]) -> None:
    """A heading starts a page at an address of its own, with who wrote it, and links to the others."""
    page = answer(sites, "blog.example", "/tips/dry-ink-faster") or ""
    assert "<h1>Dry ink faster!</h1>" in page
    assert '<p class="byline">Ann, 3 May 2019</p>' in page
    assert '<a href="/tips/another-day">Another day</a>' in page
    assert "Dry ink faster!" in (answer(sites, "blog.example", "/") or "")
    assert pages(sites, "blog.example")["/tips/dry-ink-faster"] == "Blow on it, and wait."


def test_search(index: Index) -> None:
    """What the query is about comes first, with the words that were found marked."""
    found = index.search("how do I dry the ink?")
    assert found.results[0].url == "https://blog.example/tips/dry-ink-faster"
    assert {one.url for one in found.results} > {"https://www.quill.example/manual/ink.html"}
    assert "\x02" in found.results[1].snippet
    assert found.hint == ""


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("set margns in layuot", "set margins in layout"),
        ("Feathrs", "feathers"),
        ("xqzzyv", ""),
        ("1234", ""),
    ],
)
def test_hint(index: Index, query: str, hint: str) -> None:
    """A word that is on no page is replaced by the nearest one that is."""
    assert index.search(query).hint == hint


@pytest.mark.parametrize("query", ["", "the of and", '"', "a OR b*", "NEAR(ink", "ink AND (", "-ink ^", "\0"])
def test_queries_are_words(index: Index, query: str) -> None:
    """Signs that mean something to SQLite are no more than text."""
    index.search(query)


def test_the_index_is_kept_until_pages_change(sites: Sequence[Site], place: Path) -> None:
    """A second world reads the index of the first; another text makes another index."""
    first, again = Index(sites, place), Index(sites, place)
    (place / "help" / "margins.html").write_text(
        "<title>Margins</title><main>Wide margins of parchment.</main>"
    )
    changed = Index(sites, place)
    assert (again.digest == first.digest, changed.digest == first.digest) == (True, False)
    assert not again.search("parchment").results
    assert changed.search("parchment").results


def test_shipped_pages_are_read(place: Path) -> None:
    """Every declared site whose documentation is installed can be read, from its first page on."""
    shipped = read_sites(Path(__file__).parents[3] / "fixtures" / "docs_web", place, DECLARED)
    for site in shipped:
        first = next(iter(site.pages()))
        assert site.answer(first.path), site.host
        assert site.start == "/" or site.answer(site.start), site.host


def test_the_documentation_that_is_shipped(tmp_path: Path) -> None:
    """Each has at least 25 pages of the current version, older ones, and no link that leads nowhere."""
    shipped = read_sites(Path(__file__).parents[3] / "fixtures" / "docs_web", tmp_path, DECLARED)
    for site in (one for one in shipped if isinstance(one, Documentation)):
        found = [page.path for page in site.pages()]
        current = [path for path in found if path.startswith(site.start)]
        assert len(current) >= 25, site.host
        assert len(found) > len(current), site.host
        for path in found:
            file = site.answer(path)
            assert file is not None
            links = html.fromstring(file.body).xpath("//main//a/@href")
            ways = [urljoin(f"https://{site.host}{path}", link) for link in links]
            lost = [
                way
                for way in ways
                if (to := urlsplit(way)).hostname == site.host and not site.answer(to.path)
            ]
            assert lost == [], path
