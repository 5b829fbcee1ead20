"""What the browser gets from the world of MiniWoB++, and whose reports count."""

from __future__ import annotations

import json
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
    served.report({"reward": -1, "reason": None})
    served.report({"reward": 1, "reason": None})
    state = served.session.state()
    assert state["ended"] is True
    assert state["collections"]["episode"]["now"]["reward"] == -1
    assert [write["op"] for write in state["journal"]] == ["update"]


RUBBISH = (
    b"", b"{", b"null", b"[]", b'"text"', b"\xff", b"[" * 100_000, b"9" * 5_000,
    b'{"reward": 1e999, "reason": null}', b'{"reward": NaN, "reason": null}', b'{"reward": "1", "reason": null}',
    b'{"reward": 1, "reason": 1}', b'{"utterance": "\\ud800"}', b'{"utterance": {}}',
    b'{"reward": 1' + b"0" * 400 + b', "reason": null}',
)  # fmt: skip


def test_rubbish_is_no_report(served: Served) -> None:
    """What is no report is refused, changes nothing and is no failure; its state can still be sent."""
    for said in RUBBISH:
        assert served.report(said) == 400, said[:60]
    state = served.session.state()
    assert (state["ended"], state["failures"]) == (False, 0)
    json.dumps(state, allow_nan=False, ensure_ascii=False).encode()


def test_no_address_takes_a_report(served: Served) -> None:
    """Nothing that a page can ask for takes one: a post is refused, whatever it says, and fails nowhere."""
    for path in (
        "/",
        "/episode/guessed",
        "/report",
        f"/sessions/{served.session.id}/report",
        "/core/core.js",
    ):
        assert served.ask("POST", path, json={"reward": 1, "reason": None}).status_code == 405, path
        assert served.ask("POST", path, content=b"\xff{").status_code == 405, path
    assert (served.session.ended, served.session.failures) == (False, 0)


def test_an_episode_is_played_once(served: Served) -> None:
    """A page that is loaded again ends the episode without a reward, and is told that it is over."""
    script = served.ask("GET", "/core/core.js", "script").text
    assert '"over": true' in script
    row = served.session.state()["collections"]["episode"]["now"]
    assert (row["ended"], row["reward"], row["reason"]) == (True, 0.0, "the page was loaded again")


def test_missing_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package, the world says what to type."""
    monkeypatch.setattr(miniwob_web.pages, "find_spec", lambda name: None)
    with pytest.raises(miniwob_web.pages.MissingPages, match=r"pip install 'pytest-cuabench\[miniwob\]'"):
        miniwob_web.pages.find_pages()
