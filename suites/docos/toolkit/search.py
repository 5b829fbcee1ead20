"""The search before a task: the page of the documentation web that tells how to do it.

Metrics (as the paper defines them): `found` (TUI) is 1 where the expected address is part of the retrieved one, and
`path` (HPP) the share of the expected address's segments that both begin with. Both compare addresses that `normal` has
made alike; where several pages tell all of it, the nearest one is expected. `found_raw` and `path_raw` compare them as
they are written, as the paper does. `failure` is the kind of a search that missed: `imprecise_page` (another page of
the same site), `non_official_source`, or `acted_before_finding` (no page at all).
"""

from __future__ import annotations

import re
from itertools import takewhile
from urllib.parse import unquote, urlsplit

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot
from pytest_cuabench.task.action import Navigate

_ENGINES = {  # hosts that search; the first one is that of the documentation web, the others are of the real one
    "search.example", "duckduckgo.com", "html.duckduckgo.com", "www.bing.com", "www.google.com", "search.brave.com",
    "www.startpage.com", "www.ecosia.org",
}  # fmt: skip
_PATHS_OF_RESULTS = {"/search", "/html", "/html/", "/sp/search", "/do/search"}
_MOST_PARTS = 3  # parts of the list of results that the reference solution looks at
# With its scheme, or as lists of results show it: `docs.example/a/page`.
_ADDRESS = re.compile(
    r"(?<![\w@./-])(?:https?://|(?=(?:[\w-]+\.)+[a-z]{2,}/))[^\s<>\"'()\[\]]+", re.IGNORECASE
)


def check(evidence: Evidence, case: Case) -> Findings:
    """The search is over when the expected page is named."""
    page = named(evidence, case) or ""
    yield Milestone("found", bool(_included(_nearest(case, page), page)), 1.0, case["url"], page or "no page")


def measure(evidence: Evidence, case: Case) -> dict[str, float | str]:
    """Return the metrics of the search."""
    page = named(evidence, case) or ""
    expected = _nearest(case, page)
    return {
        "found": _included(expected, page),
        "path": _progress(normal(expected), normal(page)),
        "found_raw": float(expected in page),
        "path_raw": _progress(expected, page),
        "queries": float(sum(_is_query(url) for url in evidence.activity.navigations)),
        "failure": _failure(expected, page),
    }


def named(evidence: Evidence, case: Case) -> str | None:
    """Return the first address in the answer, with its scheme; without one, the page in front; None without a page."""
    answer = evidence.answer if isinstance(evidence.answer, str) else ""
    given = [found.rstrip(".,;:!?*_`") for found in _ADDRESS.findall(answer)]
    pages = [url if "://" in url else f"https://{url}" for url in given]
    if pages:
        return next((url for url in pages if urlsplit(url).hostname not in _ENGINES), pages[0])
    opened = [url for url in evidence.activity.navigations if urlsplit(url).hostname not in _ENGINES]
    return opened[-1] if opened else None


def expected(case: Case) -> str:
    """Return the address of the expected page."""
    return str(case["url"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Ask the search engine, open the expected page from its results, and name it; without a query open it at once."""
    if not case["query"]:
        await pilot.act(Navigate(case["url"]), thought="Open the page")
        await pilot.answer(case["url"])
        return
    await pilot.fill("input[name=q]", case["query"])
    await pilot.press("enter")
    link = f'main a[href="{case["url"]}"]'
    for part in range(2, _MOST_PARTS + 1):
        if await pilot.sees(link):
            break
        await pilot.click(f'nav a:text-is("{part}")')
    await pilot.click(link)
    await pilot.answer(case["url"])


def normal(url: str) -> str:
    """Return an address without what does not tell pages apart: scheme, fragment, case of the host, a final slash."""
    parts = urlsplit(url.strip())
    path = re.sub(r"(/index\.html?|/)$", "", unquote(parts.path))
    return (parts.hostname or "") + path + (f"?{parts.query}" if parts.query else "")


def _nearest(case: Case, page: str) -> str:
    """Return the address of the fitting page that a page is, or else is nearest to."""
    fitting = [str(case["url"]), *case.values.get("as_well", ())]
    return max(fitting, key=lambda url: (_included(url, page), _progress(normal(url), normal(page))))


def _included(expected: str, page: str) -> float:
    return float(bool(page) and normal(expected) in normal(page))


def _progress(expected: str, page: str) -> float:
    wanted, have = expected.split("/"), page.split("/")
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(wanted, have, strict=False))
    return len(list(alike)) / len(wanted)


def _failure(expected: str, page: str) -> str:
    if _included(expected, page):
        return ""
    if not page:
        return "acted_before_finding"
    same = urlsplit(expected).hostname == urlsplit(page).hostname
    return "imprecise_page" if same else "non_official_source"


def _is_query(url: str) -> bool:
    parts = urlsplit(url)
    return parts.hostname in _ENGINES and "q=" in parts.query and parts.path in {*_PATHS_OF_RESULTS, "/"}
