"""GitHub's and GitLab's comments as their documentation describes them: strict in what they take, and told to fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import dumps, loads
from re import fullmatch
from threading import Thread
from typing import Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "a-token-of-the-tests"
PROJECT = "group/agent"
NUMBER = 7


@dataclass
class Comments:
    """A request's comments, and what the server is to do wrong.

    Attributes:
        written: Each comment: id, body, writer.
        trouble: The answers to the next requests, as status and headers; then all is well.
        before: Called before each request is answered, as another job would act.
    """

    kind: str
    user: str = "bot"
    written: list[dict[str, Any]] = field(default_factory=list)
    trouble: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    before: Callable[[str, str], None] = lambda method, path: None

    def add(self, body: str, writer: str = "") -> int:
        """Write a comment as this or another user."""
        self.written.append({"id": len(self.written) + 1, "body": body, "writer": writer or self.user})
        return len(self.written)

    def bodies(self) -> list[str]:
        """Return the texts of all comments that are there."""
        return [each["body"] for each in self.written if each["body"] is not None]

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        """Return status and data for a request."""
        if path == "/user":
            return (200, {"id": self.user, "login": self.user}) if self.kind == "gitlab" else (403, {})
        collection = {
            "github": f"/repos/{PROJECT}/issues/{NUMBER}/comments",
            "gitlab": f"/projects/{PROJECT}/merge_requests/{NUMBER}/notes",
        }[self.kind]
        single = {"github": f"/repos/{PROJECT}/issues/comments/", "gitlab": f"{collection}/"}[self.kind]
        if path == collection and method == "GET":
            page, size = int(query["page"][0]), int(query["per_page"][0])
            alive = [self._shown(each) for each in self.written if each["body"] is not None]
            return 200, alive[(page - 1) * size : page * size]
        if path == collection and method == "POST" and isinstance(body, dict) and set(body) == {"body"}:
            return 201, self._shown(self.written[self.add(body["body"]) - 1])
        if path.startswith(single) and (number := fullmatch(r"[0-9]+", path.removeprefix(single))):
            return self._change(method, int(number[0]), body)
        return 404, {"message": "Not Found"}

    def _change(self, method: str, number: int, body: Any) -> tuple[int, Any]:
        known = [each for each in self.written if each["id"] == number and each["body"] is not None]
        if not known:
            return 404, {"message": "Not Found"}
        if method == "DELETE":
            known[0]["body"] = None
            return 204, None
        if method != {"github": "PATCH", "gitlab": "PUT"}[self.kind]:
            return 405, {}
        known[0]["body"] = body["body"]
        return 200, self._shown(known[0])

    def _shown(self, each: dict[str, Any]) -> dict[str, Any]:
        if self.kind == "gitlab":
            return {"id": each["id"], "body": each["body"], "author": {"id": each["writer"]}, "system": False}
        bot = {"login": each["writer"], "type": "Bot" if each["writer"] == self.user else "User"}
        page = f"https://forge.test/{NUMBER}#{each['id']}"
        return {"id": each["id"], "body": each["body"], "user": bot, "html_url": page}


class _Handler(BaseHTTPRequestHandler):
    def _serve(self) -> None:
        comments = cast(Any, self.server).comments
        place = urlsplit(self.path)
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        comments.asked.append((self.command, place.path))
        comments.before(self.command, place.path)
        signed = {"github": ("authorization", f"Bearer {TOKEN}"), "gitlab": ("private-token", TOKEN)}[
            comments.kind
        ]
        headers: dict[str, str] = {}
        if comments.trouble and place.path != "/user":
            (status, headers), answer = comments.trouble.pop(0), {}
        elif self.headers.get(signed[0]) != signed[1]:
            status, answer = 401, {"message": "Bad credentials"}
        else:
            body = loads(data) if data else None
            status, answer = comments.answer(self.command, unquote(place.path), parse_qs(place.query), body)
        text = b"" if answer is None else dumps(answer).encode()
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(text))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def forge(kind: str) -> Iterator[tuple[str, Comments]]:
    """Serve a request's comments; give the address of the API, and the comments."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        server.comments = Comments(kind)  # type: ignore[attr-defined]
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", server.comments  # type: ignore[attr-defined]
        server.shutdown()
        thread.join()
