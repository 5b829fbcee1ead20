"""The search engine's index: SQLite's full-text search (BM25) over all pages and over their parts.

A page counts by the sum of how well it matches as a whole and how well its best part does, so that one section of a
long manual is found; a title whose words are those of the query raises it. Words match by their stem, gently: plurals
and the endings -ed and -ing. The index is kept in the user's cache under a name that depends on what was indexed, so
that only the first world after a change of the pages reads them all.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from docs_web.folders import version
from docs_web.site import Site

_CODE = sorted(
    file for file in Path(__file__).parent.iterdir() if file.is_file()
)  # what the index depends on, too
_WEIGHTS = "4.0, 3.0, 1.0"  # of the columns site, title, text
_TITLE = 0.5  # how much a title that is the query adds
_PHRASE = 0.3  # how much a page adds on which the query stands word by word
_MOST = 600  # rows that are ranked
_MISSING = 0.8  # of the least score, where a page is in only one of the two lists
_PART = 150  # words
_SHOWN = 32  # words of a result's snippet
_WORD, _VOWEL = re.compile(r"\w+"), re.compile("[aeiouy]")
_TABLES = """
CREATE TABLE pages_at (id INTEGER PRIMARY KEY, page INTEGER, url TEXT, site TEXT, title TEXT);
CREATE TABLE parts_at (id INTEGER PRIMARY KEY, page INTEGER, text TEXT);
CREATE INDEX parts_of ON parts_at (page, id);
CREATE TABLE words (word TEXT PRIMARY KEY, pages INTEGER);
CREATE VIRTUAL TABLE pages USING fts5(site, title, text, content='', tokenize='unicode61');
CREATE VIRTUAL TABLE parts USING fts5(site, title, text, content='', tokenize='unicode61');
"""
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
        rows = self._db.execute("SELECT id, site, title FROM pages_at")
        self._names = {number: (_word_stems(title), _word_stems(site)) for number, site, title in rows}

    def search(self, query: str, page: int = 1) -> Results:
        """Return what is found for a query, ten pages at a time, the best first."""
        stems = [stem(word) for word in _words(query)]
        if not stems:
            return Results((), 0)
        terms = " OR ".join(f'"{one}"' for one in dict.fromkeys(stems))
        total = self._db.execute("SELECT count(*) FROM pages WHERE pages MATCH ?", (terms,)).fetchone()[0]
        ranked = self._ranked(terms, frozenset(stems), self._with_phrase(query))
        shown = ranked[(page - 1) * _RESULTS : page * _RESULTS]
        return Results(tuple(self._result(*one, stems) for one in shown), total, self._hint(query))

    def _with_phrase(self, query: str) -> frozenset[int]:
        """Return the pages on which the words of a query stand side by side."""
        words = _stems(query).split()[:_MOST_WORDS]
        if len(words) < 2:
            return frozenset()
        phrase = (f'"{" ".join(words)}"',)
        return frozenset(
            row[0] for row in self._db.execute("SELECT rowid FROM pages WHERE pages MATCH ?", phrase)
        )

    def _ranked(self, terms: str, stems: frozenset[str], phrase: frozenset[int]) -> list[tuple[int, int]]:
        """Return the best pages, each with its best part."""
        whole = {page: score for page, score, _ in self._matches("pages", terms)}
        parts: dict[int, tuple[float, int]] = {}
        for page, score, part in self._matches("parts", terms):
            parts.setdefault(page, (score, part))
        missing = _MISSING * min(whole.values(), default=0.0)
        without = _MISSING * min((score for score, _ in parts.values()), default=0.0)

        def weight(page: int) -> float:
            score = whole.get(page, missing) + parts.get(page, (without, 0))[0]
            return score * (1 + _TITLE * _alike(*self._names[page], stems) + _PHRASE * (page in phrase))

        best = sorted({*whole, *parts}, key=lambda page: (-weight(page), page))
        return [(page, parts[page][1] if page in parts else 0) for page in best]

    def _matches(self, table: str, terms: str) -> list[tuple[int, float, int]]:
        """Return pages, scores from 0 and rows, the best first."""
        return self._db.execute(
            f"SELECT place.page, -bm25({table}, {_WEIGHTS}), place.id FROM {table} "  # noqa: S608 - our own names
            f"JOIN {table}_at AS place ON place.id = {table}.rowid "
            f"WHERE {table} MATCH ? ORDER BY 2 DESC, 3 LIMIT {_MOST}",
            (terms,),
        ).fetchall()

    def _result(self, page: int, part: int, stems: Sequence[str]) -> Result:
        url, site, title = self._db.execute(
            "SELECT url, site, title FROM pages_at WHERE id = ?", (page,)
        ).fetchone()
        text = self._db.execute(
            "SELECT text FROM parts_at WHERE page = ? AND id >= ? LIMIT 1", (page, part)
        ).fetchone()
        return Result(url, site, title, _snippet(text[0], frozenset(stems)))

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
    found = dict.fromkeys(_WORD.findall(query.lower()))
    return [word for word in found if word not in _COMMON][:_MOST_WORDS]


def stem(word: str) -> str:
    """Return a word without the endings of plurals, -ed and -ing, and without a last e."""
    if len(word) < 4 or word.isdigit():
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    ending = next((ending for ending in ("ing", "ed") if word.endswith(ending)), "")
    begin = word.removesuffix(ending)
    if ending and len(begin) >= 3 and _VOWEL.search(begin):
        twice = begin[-1] == begin[-2] and begin[-1] not in "lsz"
        return begin[:-1] if twice else begin.rstrip("e")
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _stems(text: str) -> str:
    return " ".join(map(stem, _WORD.findall(text.lower())))


def _word_stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, _words(text)))


def _alike(title: frozenset[str], site: frozenset[str], asked: frozenset[str]) -> float:
    """Return how much of a title and of a query are the same words, from 0 to 1, besides those of the site's name."""
    title, asked = title - site, asked - site
    both = len(title & asked)
    return both / len(title) * both / len(asked) if both else 0.0


def _snippet(text: str, stems: frozenset[str]) -> str:
    """Return the lines of a text that hold most of what was looked for, as many words as a result shows."""
    words = text.split()
    hits = [bool(stems & set(_stems(word).split())) for word in words]
    first = max(range(max(1, len(words) - _SHOWN + 1)), key=lambda at: (sum(hits[at : at + _SHOWN]), -at))
    shown = [
        f"\x02{word}\x03" if hit else word
        for word, hit in zip(words[first : first + _SHOWN], hits[first:], strict=False)
    ]
    return f"{'… ' if first else ''}{' '.join(shown)}{' …' if first + _SHOWN < len(words) else ''}"


def _parts(text: str) -> Iterator[str]:
    """Yield the lines of a text, in parts of about 150 words."""
    lines: list[str] = []
    for line in text.splitlines():
        lines.append(line)
        if sum(len(each.split()) for each in lines) >= _PART:
            yield "\n".join(lines)
            lines = []
    if lines or not text:
        yield "\n".join(lines)


def _make(sites: Sequence[Site], file: Path) -> None:
    handle, name = tempfile.mkstemp(dir=file.parent)
    os.close(handle)
    db = sqlite3.connect(name)
    with db:
        db.executescript(_TABLES)
        known: Counter[str] = Counter()
        for number, (site, page) in enumerate((one, page) for one in sites for page in one.pages()):
            row = (number, number, f"https://{site.host}{page.path}", site.name, page.title)
            db.execute("INSERT INTO pages_at VALUES (?, ?, ?, ?, ?)", row)
            names = _stems(site.name), _stems(page.title)
            whole = _WORD.findall(f"{page.title} {page.text}".lower())
            known.update(word for word in set(whole) if len(word) > 2)
            db.execute(
                "INSERT INTO pages (rowid, site, title, text) VALUES (?, ?, ?, ?)",
                (number, *names, _stems(page.text)),
            )
            for part in _parts(page.text):
                at = db.execute("INSERT INTO parts_at (page, text) VALUES (?, ?)", (number, part)).lastrowid
                db.execute(
                    "INSERT INTO parts (rowid, site, title, text) VALUES (?, ?, ?, ?)",
                    (at, *names, _stems(part)),
                )
        db.executemany("INSERT INTO words VALUES (?, ?)", known.items())
    db.execute("VACUUM")
    db.close()
    Path(name).replace(file)
