"""The listener: each host answers for itself, and strangers get nothing."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from docs_web.public import Public


def client(public: Public, host: str) -> TestClient:
    """Return a browser at a host."""
    return TestClient(public, base_url=f"https://{host}", follow_redirects=False)


@pytest.mark.parametrize(
    ("host", "path", "status"),
    [
        ("search.example", "/", 200),
        ("search.example", "/search?q=ink", 200),
        ("search.example", "/other", 302),
        ("www.quill.example", "/", 302),
        ("www.quill.example", "/manual/ink.html", 200),
        ("www.quill.example", "/manual/none.html", 404),
        ("blog.example", "/", 200),
        ("help.absent.example", "/", 404),
        ("elsewhere.example", "/", 404),
    ],
)
def test_hosts(public: Public, host: str, path: str, status: int) -> None:
    """A host answers with its own pages."""
    assert client(public, host).get(path).status_code == status


def test_posts_are_refused(public: Public) -> None:
    """There is nothing to send."""
    assert client(public, "search.example").post("/search", data={"q": "ink"}).status_code == 405


def test_results_are_escaped(public: Public) -> None:
    """What is asked for is shown as text, and what was found in bold."""
    page = client(public, "search.example").get("/search", params={"q": "<script>alert(1)</script> ink"}).text
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "<b>ink</b>" in page or "<b>Ink</b>" in page


@pytest.mark.parametrize("page", ["0", "-1", "x", "99999999999", "²", ""])
def test_odd_page_numbers(public: Public, page: str) -> None:
    """They are the first part."""
    assert (
        client(public, "search.example").get("/search", params={"q": "ink", "page": page}).status_code == 200
    )


def test_a_broken_page_is_counted(public: Public, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that fails inside is a failure of every open session, which is then not graded."""
    session = public.sessions.open("browser", 0)
    monkeypatch.setattr(public.index, "search", lambda *_: 1 / 0)
    assert client(public, "search.example").get("/search?q=ink").status_code == 500
    assert (public.errors, session.state()["failures"]) == (1, 1)
