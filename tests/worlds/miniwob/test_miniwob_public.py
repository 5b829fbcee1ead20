"""What the browser gets from the world of MiniWoB++, and whose reports count."""

from __future__ import annotations

import re

import pytest

import miniwob_web.pages

from .conftest import Served


def test_the_page_is_shown_in_its_frame_only(served: Served) -> None:
    """In front is the frame; the page itself, another page or a script as a page lead back to it."""
    assert 'src="/miniwob/terminal.html"' in served.ask("GET", "/", "document").text
    assert served.ask("GET", "/miniwob/terminal.html", "iframe").status_code == 200
    for path in ("/miniwob/terminal.html", "/miniwob/click-test.html", "/core/core.js", "/core/record.js"):
        answer = served.ask("GET", path, "document")
        assert (answer.status_code, answer.headers["location"]) == (302, "/"), path
    assert served.ask("GET", "/miniwob/click-test.html", "iframe").status_code == 302


def test_nothing_else_is_served(served: Served) -> None:
    """No file beside those that pages use, and no other session's host."""
    for path in (
        "/common/../../envs/__init__.py",
        "/core/%2e%2e/%2e%2e/__init__.py",
        "/nothing",
        "/core/core.js",
    ):
        assert served.ask("GET", path, "empty").status_code == 404, path
    assert served.ask("GET", "/common/ui_utils.js", "script").status_code == 200
    assert served.ask("GET", "/", "document", headers={"host": "other.localhost"}).status_code == 404


def test_scripts_of_the_page_only(served: Served) -> None:
    """The policy allows no script that the page did not come with, and no form that is sent."""
    policy = served.ask("GET", "/miniwob/terminal.html", "iframe").headers["content-security-policy"]
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src")).split()[1:]
    assert scripts[0] == "'self'"
    assert all(re.fullmatch(r"'sha256-[\w+/]+='", source) for source in scripts[1:])
    assert len(scripts) > 1
    assert "form-action 'none'" in policy


def test_the_first_reward_counts(served: Served) -> None:
    """A later reward changes nothing, and the state says that the episode is over."""
    assert served.session.state()["ended"] is False
    served.report(reward=-1, reason=None)
    served.report(reward=1, reason=None)
    state = served.session.state()
    assert state["ended"] is True
    assert state["collections"]["episode"]["now"]["reward"] == -1
    assert [write["op"] for write in state["journal"]] == ["update"]


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("/episode/guessed", {"json": {"reward": 1, "reason": None}}),
        ("/episode/", {"json": {"reward": 1, "reason": None}}),
        ("{report}", {"data": {"reward": "1"}}),
        ("{report}", {"json": {"reward": "1", "reason": None}}),
        (
            "{report}",
            {
                "content": b'{"reward": 1e999, "reason": null}',
                "headers": {"content-type": "application/json"},
            },
        ),
    ],
)
def test_other_reports_are_refused(served: Served, path: str, options: dict[str, object]) -> None:
    """Without the secret, as a form, or with what is no reward, nothing is taken."""
    answer = served.ask("POST", path.format(report=f"/episode/{served.session.secret}"), **options)
    assert answer.status_code in (400, 404)
    assert served.session.state()["ended"] is False


def test_an_episode_is_played_once(served: Served) -> None:
    """A page that is loaded again ends the episode without a reward, and is told no address to report to."""
    script = served.ask("GET", "/core/core.js", "script").text
    assert served.session.secret not in script
    row = served.session.state()["collections"]["episode"]["now"]
    assert (row["ended"], row["reward"], row["reason"]) == (True, 0.0, "the page was loaded again")


def test_missing_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package, the world says what to type."""
    monkeypatch.setattr(miniwob_web.pages, "find_spec", lambda name: None)
    with pytest.raises(miniwob_web.pages.MissingPages, match=r"pip install 'pytest-cuabench\[miniwob\]'"):
        miniwob_web.pages.find_pages()
