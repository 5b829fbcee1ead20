"""A synchronous client for programs that play an episode (docs/programs.md).

    from pytest_cuabench.serving.client import Episode

    episode = Episode()              # address and token come from the environment of the box
    print(episode.goal)
    seen = episode.click(640, 360)
    seen = episode.type("Hello")
    episode.finish(answer="42")

This file works by itself: it needs `requests` and nothing else of this package.
"""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from typing import Any

import requests


class DoorError(Exception):
    """Raised when a call is refused; the message says why."""


@dataclass(frozen=True)
class Observation:
    """The screen after a step.

    Attributes:
        ended: Whether the episode is over: finished, out of budget, or stopped. Nothing else is set then.
        step: Steps so far.
        screenshot: A PNG file, or None where the observation has no picture.
        results: One dict (`error`, `text`, `image`) for each action of the last step.
        notices: Messages, such as about a step that could not be read.
    """

    ended: bool
    step: int
    max_steps: int
    size: tuple[int, int] = (0, 0)
    screenshot: bytes | None = None
    tree: list[dict[str, Any]] | None = None
    marks: list[dict[str, Any]] | None = None
    dom: str | None = None
    tabs: tuple[dict[str, Any], ...] = ()
    cursor: tuple[int, int] = (0, 0)
    results: tuple[dict[str, Any], ...] = ()
    notices: tuple[str, ...] = ()


class Episode:
    """The one episode that this program plays.

    Attributes:
        phase: The name of the phase that precedes the task, such as "search"; empty for the task itself.
        goal: The task as text.
        documents: Texts besides the goal.
        pictures: PNG files that belong to the documents.
        screen: Width and height in pixels.
        actions: Names of the actions that work here.
        max_steps: Maximum number of steps.
    """

    def __init__(
        self, url: str | None = None, token: str | None = None, timeout: float | None = None
    ) -> None:
        """Connect, by default to the address and with the token in CUABENCH_URL and CUABENCH_TOKEN.

        Raises:
            DoorError: The address or the token is missing or refused.
        """
        found = {"CUABENCH_URL": url, "CUABENCH_TOKEN": token}
        found = {name: value or os.environ.get(name) for name, value in found.items()}
        if missing := [name for name, value in found.items() if not value]:
            raise DoorError(
                f"{' and '.join(missing)} not set; run this program as an agent of pytest-cuabench"
            )
        self._url = found["CUABENCH_URL"]
        self._timeout = timeout
        self._session = requests.Session()
        self._session.trust_env = False  # no proxy between the box and the door
        self._session.headers["Authorization"] = f"Bearer {found['CUABENCH_TOKEN']}"
        briefing = self._call("GET", "briefing")
        self.phase: str = briefing["phase"]
        self.goal: str = briefing["goal"]
        self.documents: list[str] = briefing["documents"]
        self.pictures = [base64.b64decode(picture) for picture in briefing["pictures"]]
        self.screen = tuple(briefing["screen"])
        self.actions: list[str] = briefing["actions"]
        self.max_steps: int = briefing["max_steps"]

    def observe(self) -> Observation:
        """Return the screen after the last step; this is no step."""
        return _observation(self._call("GET", "observation"))

    def act(
        self, *actions: dict[str, Any], thought: str = "", usage: dict[str, Any] | None = None
    ) -> Observation:
        """Perform actions in order, as one step, up to the first that fails; return the screen afterwards.

        Args:
            actions: Such as {"kind": "click", "x": 640, "y": 360}; all are in the OpenAPI document.
            thought: A comment for the record.
            usage: tokens_in, tokens_out, tokens_cached, and cost in US dollars; without it the cost is unknown.

        Raises:
            DoorError: The step has another form.
        """
        step = {"actions": list(actions), "thought": thought, "usage": usage}
        return _observation(self._call("POST", "step", step))

    def pyautogui(self, code: str, thought: str = "", usage: dict[str, Any] | None = None) -> Observation:
        """Perform the calls of pyautogui in a text, or DONE, FAIL or WAIT, as one step; it is parsed, never executed.

        Agent frameworks return such texts. Points are pixels of the screen. What cannot be read is in `notices`.
        """
        step = {"pyautogui": code, "thought": thought, "usage": usage}
        return _observation(self._call("POST", "step", step))

    def click(self, x: int, y: int, button: str = "left", count: int = 1) -> Observation:
        """Click at a pixel."""
        return self.act({"kind": "click", "x": x, "y": y, "button": button, "count": count})

    def type(self, text: str) -> Observation:
        """Type a text."""
        return self.act({"kind": "type", "text": text})

    def key(self, keys: str) -> Observation:
        """Press keys together, such as "ctrl+a"."""
        return self.act({"kind": "key", "keys": keys})

    def scroll(self, x: int, y: int, dy: int, dx: int = 0) -> Observation:
        """Scroll at a pixel by notches of the wheel; dy > 0 is down."""
        return self.act({"kind": "scroll", "x": x, "y": y, "dx": dx, "dy": dy})

    def wait(self, seconds: float = 1.0) -> Observation:
        """Wait, at most 60 seconds."""
        return self.act({"kind": "wait", "seconds": seconds})

    def finish(
        self, status: str = "success", answer: str | None = None, usage: dict[str, Any] | None = None
    ) -> None:
        """End the episode with success, failure or infeasible; the first call counts.

        Raises:
            DoorError: The status is unknown.
        """
        self._call("POST", "finish", {"status": status, "answer": answer, "usage": usage})

    def _call(self, method: str, name: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        try:
            response = self._session.request(
                method, f"{self._url}/v1/{name}", json=body, timeout=self._timeout
            )
            data: dict[str, Any] = response.json()
        except (requests.RequestException, ValueError) as error:
            raise DoorError(f"the episode does not answer at {self._url}: {error}") from error
        if response.status_code != 200:
            raise DoorError(data.get("error") or f"{method} {name}: status {response.status_code}")
        return data


def _observation(data: dict[str, Any]) -> Observation:
    screenshot = data.pop("screenshot", None)
    lists = {name: tuple(value) for name, value in data.items() if name in _TUPLES}
    return Observation(
        **{**data, **lists}, screenshot=None if screenshot is None else base64.b64decode(screenshot)
    )


_TUPLES = {"size", "tabs", "cursor", "results", "notices"}
