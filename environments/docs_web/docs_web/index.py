"""The search engine's index: SQLite's full-text search over all pages, ranked by BM25.

It is kept in the user's cache under a name that depends on what was indexed, so that only the first world after a
change of the pages reads them all.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from docs_web.folders import version
from docs_web.site import Site

_CODE = sorted(
    file for file in Path(__file__).parent.iterdir() if file.is_file()
)  # what the index depends on, too
_WEIGHTS = "4.0, 3.0, 1.0"  # of the columns site, title, text
_COMMON = frozenset(
    """
    a an and are as at be by can do does for from have how i if in into is it its me my not of on or so some that the
    then there this to use want was what when where which while who why will with you your
    """.split()  # noqa: SIM905 - a list of forty strings is harder to read
)
_MOST_WORDS = 24
_RESULTS = 10


@dataclass(frozen=True, slots=True)
class Result:
    """A result; `snippet` has the words that were found between `\\x02` and `\\x03`."""

    url: str
    site: str
    title: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Results:
    """A page of results; `hint` is the query as it may have been meant."""

    results: tuple[Result, ...]
    total: int
    hint: str = ""


class Index:
    """The index of some sites, opened or made."""

    def __init__(self, sites: Sequence[Site], kept: Path) -> None:
        names = "\n".join(f"{site.host} {site.name} {site.version()}" for site in sites)
        digest = hashlib.sha256(f"{version(_CODE)}\n{names}".encode()).hexdigest()[:16]
        file = kept / f"index-{digest}.sqlite"
        if not file.exists():
            _make(sites, file)
        self.digest = digest
        self._db = sqlite3.connect(f"file:{file}?mode=ro", uri=True, check_same_thread=False)

    def search(self, query: str, page: int = 1) -> Results:
        """Return what is found for a query, ten pages at a time, the best first."""
        words = _words(query)
        if not words:
            return Results((), 0)
        terms = " OR ".join(f'"{word}"' for word in words)
        total = self._db.execute("SELECT count(*) FROM pages WHERE pages MATCH ?", (terms,)).fetchone()[0]
        rows = self._db.execute(
            "SELECT url, site, title, snippet(pages, 3, char(2), char(3), ' … ', 32) FROM pages "  # noqa: S608
            f"WHERE pages MATCH ? ORDER BY bm25(pages, 0.0, {_WEIGHTS}), url LIMIT ? OFFSET ?",
            (terms, _RESULTS, (page - 1) * _RESULTS),
        )
        return Results(tuple(Result(*row) for row in rows), total, self._hint(query))

    def _hint(self, query: str) -> str:
        """Return the query with words that are on no page replaced by the nearest that are; nothing if all are."""
        better = {word: near for word in _words(query) if (near := self._nearest(word))}
        hinted = re.sub(r"\w+", lambda found: better.get(found[0].lower(), found[0]), query)
        return hinted if better else ""

    def _nearest(self, word: str) -> str | None:
        if word.isdigit() or self._db.execute("SELECT 1 FROM words WHERE word = ?", (word,)).fetchone():
            return None
        known = self._db.execute(
            "SELECT word FROM words WHERE length(word) BETWEEN ? AND ? ORDER BY pages DESC",
            (len(word) - 1, len(word) + 1),
        )
        near = difflib.get_close_matches(word, [row[0] for row in known], n=1, cutoff=0.75)
        return near[0] if near else None


def _words(query: str) -> list[str]:
    found = dict.fromkeys(re.findall(r"\w+", query.lower()))
    return [word for word in found if word not in _COMMON][:_MOST_WORDS]


def _make(sites: Sequence[Site], file: Path) -> None:
    handle, name = tempfile.mkstemp(dir=file.parent)
    os.close(handle)
    db = sqlite3.connect(name)
    with db:
        db.execute(
            "CREATE VIRTUAL TABLE pages USING fts5(url UNINDEXED, site, title, text, tokenize = 'porter unicode61')"
        )
        db.execute("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize = 'unicode61')")
        for site in sites:
            for page in site.pages():
                row = (f"https://{site.host}{page.path}", site.name, page.title, page.text)
                db.execute("INSERT INTO pages VALUES (?, ?, ?, ?)", row)
                db.execute("INSERT INTO plain VALUES (?)", (f"{page.title} {page.text}",))
        db.execute("CREATE VIRTUAL TABLE counted USING fts5vocab(plain, 'row')")
        db.execute("CREATE TABLE words (word TEXT PRIMARY KEY, pages INTEGER)")
        db.execute("INSERT INTO words SELECT term, doc FROM counted WHERE length(term) > 2")
        db.execute("DROP TABLE counted")
        db.execute("DROP TABLE plain")
    db.execute("VACUUM")
    db.close()
    Path(name).replace(file)
