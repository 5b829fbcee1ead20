"""GitHub and GitLab, as far as one comment on a pull or merge request needs them.

`publish` replaces a gate's comment, or makes it. Only comments of the token's own user are replaced: a person may write
the hidden line, too. Two jobs may make a comment at once; then the older one stays. The token is sent to the forge's
API alone, and stands in no message.

Sources: GitHub's REST API, "Issue comments"; GitLab's REST API, "Notes" and "Users".
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import quote, urlsplit

import httpx2

from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.gate.comment import Mark
from pytest_cuabench.task.text import short

_ATTEMPTS = 4
_LONGEST_WAIT = 60.0
_PAGE = 100  # comments, the most that both give at once
_MOST_PAGES = 50


class ForgeError(CuabenchError):
    """A comment could not be published; the sentence says why, and what to do."""


class Gone(ForgeError):
    """The comment, or what it is on, is not there, or not for this token."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment as the forge tells of it."""

    id: int
    body: str
    own: bool
    address: str = ""


@dataclass(frozen=True, slots=True)
class Forge(ABC):
    """The API of a forge, and the request that is commented on.

    Attributes:
        api: The address of the API.
        project: GitHub's `owner/name`, or GitLab's number or path of the project.
        number: The number of the pull or merge request.
        token: May write comments there.
    """

    api: str
    project: str
    number: int
    token: str
    pause: Callable[[float], None] = time.sleep

    title: ClassVar[str]
    permission: ClassVar[str]

    def __post_init__(self) -> None:
        place = urlsplit(self.api)
        local = place.hostname in ("localhost", "127.0.0.1", "::1")
        # Over plain http the token could be read on the way.
        if not (place.scheme == "https" or (place.scheme == "http" and local)):
            raise SettingError(f"{self.title}'s API must be an https address, not {short(self.api)!r}")

    @property
    @abstractmethod
    def headers(self) -> Mapping[str, str]:
        """What each request is signed with."""

    @property
    @abstractmethod
    def place(self) -> str:
        """The path of the request's comments."""

    @abstractmethod
    def comments(self) -> Iterator[Comment]:
        """Yield the comments on the request, the oldest first."""

    @abstractmethod
    def create(self, body: str) -> Comment:
        """Add a comment."""

    @abstractmethod
    def replace(self, comment: Comment, body: str) -> Comment:
        """Replace the text of a comment."""

    @abstractmethod
    def delete(self, comment: Comment) -> None:
        """Delete a comment of one's own."""

    def ask(self, method: str, path: str, body: str | None = None) -> Any:
        """Return what the API answers, after a few attempts if it is busy.

        Raises:
            Gone: It answers 404 or 410.
            ForgeError: It cannot be reached or refuses.
        """
        reply = None
        for attempt in range(_ATTEMPTS):
            try:
                reply = httpx2.request(
                    method,
                    self.api.rstrip("/") + path,
                    headers=self.headers,
                    json=None if body is None else {"body": body},
                    timeout=30.0,
                )
            except httpx2.HTTPError as error:
                trouble = f"cannot be reached ({type(error).__name__})"
            else:
                if reply.is_success:
                    return self._read(reply)
                trouble = f"answers {reply.status_code}"
                if not _passing(reply):
                    break
            wait = _wait(reply, attempt)
            if attempt == _ATTEMPTS - 1 or wait > _LONGEST_WAIT:
                break
            self.pause(wait)
        raise self._refusal(reply, trouble)

    def _read(self, reply: httpx2.Response) -> Any:
        if reply.status_code == 204:
            return None
        try:
            return reply.json()
        except ValueError:
            raise ForgeError(
                f"{self.title} answers with something else than JSON; is {self.api} its API?"
            ) from None

    def _refusal(self, reply: httpx2.Response | None, trouble: str) -> ForgeError:
        code = reply.status_code if reply is not None else 0
        if reply is not None and _limited(reply):
            return ForgeError(f"{self.title} {trouble}: too many requests for now; run the job again later")
        match code:
            case 401:
                return ForgeError(f"{self.title} {trouble}: the token is not valid, or no longer")
            case 403:
                return ForgeError(
                    f"{self.title} {trouble}: the token may not write comments; {self.permission}"
                )
            case 404 | 410:
                words = (
                    f"there is no request {self.number} in {short(self.project)}, or the token may not see it"
                )
                return Gone(f"{self.title} {trouble}: {words}")
        return ForgeError(f"{self.title} {trouble}; run the job again later")

    def _pages(self, path: str) -> Iterator[Mapping[str, Any]]:
        for page in range(1, _MOST_PAGES + 1):
            found = self.ask("GET", f"{path}&page={page}")
            if not isinstance(found, list):
                raise ForgeError(
                    f"{self.title} answers with something else than comments; is {self.api} its API?"
                )
            yield from found
            if len(found) < _PAGE:
                return


class GitHub(Forge):
    """GitHub, or a GitHub Enterprise server."""

    __slots__ = ()
    title = "GitHub"
    permission = "give the job `permissions: pull-requests: write` (a fork's has none)"

    @property
    def headers(self) -> Mapping[str, str]:
        """A bearer token and the version of the API."""
        return {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }

    @property
    def place(self) -> str:
        """Comments on a pull request are those of its issue."""
        return f"/repos/{quote(self.project)}/issues"

    def comments(self) -> Iterator[Comment]:
        """Yield the comments; those of bots count as own ones, as the token of a job cannot say who it is."""
        try:
            me = self.ask("GET", "/user").get("login")
        except ForgeError:
            me = None
        for each in self._pages(f"{self.place}/{self.number}/comments?per_page={_PAGE}"):
            writer = each.get("user") or {}
            own = writer.get("login") == me if me else writer.get("type") == "Bot"
            yield Comment(int(each["id"]), str(each.get("body") or ""), own, str(each.get("html_url", "")))

    def create(self, body: str) -> Comment:
        """Add a comment to the pull request."""
        made = self.ask("POST", f"{self.place}/{self.number}/comments", body)
        return Comment(int(made["id"]), body, True, str(made.get("html_url", "")))

    def replace(self, comment: Comment, body: str) -> Comment:
        """Replace the text of a comment."""
        made = self.ask("PATCH", f"{self.place}/comments/{comment.id}", body)
        return Comment(comment.id, body, True, str(made.get("html_url", comment.address)))

    def delete(self, comment: Comment) -> None:
        """Delete a comment."""
        self.ask("DELETE", f"{self.place}/comments/{comment.id}")


class GitLab(Forge):
    """GitLab, its own or one that you run."""

    __slots__ = ()
    title = "GitLab"
    permission = "use a project access token with the scope `api` (the job's own token may not)"

    @property
    def headers(self) -> Mapping[str, str]:
        """A project's or a person's access token."""
        return {"PRIVATE-TOKEN": self.token}

    @property
    def place(self) -> str:
        """The notes of the merge request."""
        # GitLab takes the path of a project as one segment, with %2F for each slash.
        return f"/projects/{quote(self.project, safe='')}/merge_requests/{self.number}/notes"

    def comments(self) -> Iterator[Comment]:
        """Yield the notes that people and tokens wrote."""
        me = self.ask("GET", "/user").get("id")
        for each in self._pages(f"{self.place}?per_page={_PAGE}&sort=asc&order_by=created_at"):
            if not each.get("system"):
                writer = each.get("author") or {}
                yield Comment(int(each["id"]), str(each.get("body") or ""), writer.get("id") == me)

    def create(self, body: str) -> Comment:
        """Add a note to the merge request."""
        return Comment(int(self.ask("POST", self.place, body)["id"]), body, True)

    def replace(self, comment: Comment, body: str) -> Comment:
        """Replace the text of a note."""
        self.ask("PUT", f"{self.place}/{comment.id}", body)
        return Comment(comment.id, body, True)

    def delete(self, comment: Comment) -> None:
        """Delete a note."""
        self.ask("DELETE", f"{self.place}/{comment.id}")


def publish(forge: Forge, mark: Mark, body: str) -> str:
    """Write a gate's comment in place of its last one, and return a sentence on what was done.

    A comment of a run that began later stays as it is.

    Raises:
        ForgeError: The forge cannot be reached or refuses; nothing else was changed.
    """
    for comment in _of_gate(forge, mark):
        if _later(comment, mark):
            return f"the comment on request {forge.number} is of a newer run and stays as it is"
        try:
            return f"replaced the comment on request {forge.number} {forge.replace(comment, body).address}".strip()
        except Gone:  # deleted since; another one is made, unless the whole request is gone
            continue
    made = forge.create(body)
    first, *others = _of_gate(forge, mark) or [made]
    for other in others:
        with suppress(Gone):  # the other job deletes it, too
            forge.delete(other)
    if first.id != made.id and not _later(first, mark):  # another job made one at the same time
        made = forge.replace(first, body)
    return f"commented on request {forge.number} {made.address}".strip()


def _of_gate(forge: Forge, mark: Mark) -> list[Comment]:
    """Return a gate's own comments, the oldest first."""
    found = [
        comment
        for comment in forge.comments()
        if comment.own and (known := Mark.read(comment.body)) and known.gate == mark.gate
    ]
    return sorted(found, key=lambda comment: comment.id)


def _later(comment: Comment, mark: Mark) -> bool:
    """Whether a comment is of a run that began later; one whose begin is unknown is replaced, and replaces."""
    known = Mark.read(comment.body)
    return known is not None and bool(mark.started) and known.started > mark.started


def _limited(reply: httpx2.Response) -> bool:
    spent = reply.headers.get("x-ratelimit-remaining") == "0" or "retry-after" in reply.headers
    return reply.status_code == 429 or (reply.status_code == 403 and spent)  # GitHub answers with either


def _passing(reply: httpx2.Response) -> bool:
    return reply.status_code >= 500 or _limited(reply)


def _wait(reply: httpx2.Response | None, attempt: int) -> float:
    """Return the seconds that the forge asks for, or a little more after each attempt."""
    asked = reply.headers.get("retry-after", "") if reply is not None else ""
    if asked.isdecimal():
        return float(asked)
    until = reply.headers.get("x-ratelimit-reset", "") if reply is not None and _limited(reply) else ""
    return max(0.0, float(until) - time.time()) if until.isdecimal() else float(2**attempt)
