"""One episode as programs that speak the Chrome DevTools Protocol act in it: their steps, scripts and tabs."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.makers.chat.action_spaces.base import strip_surrogates
from pytest_cuabench.agents.program.endpoints.cdp import rules
from pytest_cuabench.agents.program.endpoints.exchange import Exchange, TooManyCalls
from pytest_cuabench.task.action import Action
from pytest_cuabench.task.usage import Usage

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.session.session import Session
    from pytest_cuabench.drivers.chromium.session.tab import Tab

_MOST_NOTED, _NOTED = 20, 300  # scripts of a step in the record, and characters of each
_CONTEXT = "episode"
Json = dict[str, Any]


class Refused(Exception):
    """A call that is answered with an error."""

    def __init__(self, message: str, code: int = -32000) -> None:
        super().__init__(message)
        self.code = code


class Ended(Exception):
    """The episode has ended."""


@dataclass
class CdpEpisode:
    """What the connections of an episode share.

    Attributes:
        passed: The methods that go to the browser.
        scripts: Scripts that programs had evaluated so far.
        noted: Their beginnings since the last step.
        latest: The last one of these.
        alone: Held for a step, or a picture.
    """

    exchange: Exchange
    session: Session
    passed: Collection[str] = frozenset(rules.PASSED)
    scripts: int = 0
    noted: list[str] = field(default_factory=list)
    latest: str = ""
    alone: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def version(self) -> Json:
        """Return the browser's version."""
        browser = self.session.front.tabs[0].page.context.browser if self.session.front.tabs else None
        version = browser.version if browser else "0"
        return {
            "protocolVersion": "1.3",
            "product": f"HeadlessChrome/{version}",
            "revision": "",
            "userAgent": f"Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/{version}",
            "jsVersion": "",
        }

    def describe(self, tab: Tab) -> Json:
        """Return what the protocol says of a tab."""
        return {
            "targetId": tab.main,
            "type": "page",
            "title": tab.title,
            "url": tab.page.url,
            "attached": True,
            "canAccessOpener": False,
            "browserContextId": _CONTEXT,
        }

    def note(self, method: str, parameters: Json) -> None:
        """Count a script, and keep its beginning for the record."""
        self.scripts += 1
        arguments = parameters.get("arguments")
        arguments = arguments if isinstance(arguments, list) else []
        called = [each.get("value") for each in arguments if isinstance(each, dict)]
        own = [parameters.get(name) for name in ("expression", "functionDeclaration", "source")]
        # Playwright's own function evaluates a text, which is the longest of its arguments.
        given = [each for each in called if isinstance(each, str)] or [each for each in own if each]
        text = max(map(str, given), key=len, default="") or method
        self.latest = strip_surrogates(" ".join(text[: 4 * _NOTED].split())[:_NOTED])
        if len(self.noted) < _MOST_NOTED:
            self.noted.append(self.latest)

    async def decide(self, actions: Sequence[Action]) -> None:
        """Make a step of actions.

        Raises:
            Ended: The episode has ended.
            Refused: An action could not be carried out.
        """
        noted, self.noted, self.latest = self.noted, [], ""
        decision = Decision(tuple(actions), usage=Usage(cost=None), raw={"scripts": noted} if noted else None)
        async with self.alone:
            try:
                seen = await self.exchange.act(decision)
            except TooManyCalls:
                raise Refused("wait for the answer to a step before sending the next one") from None
        if seen is None:
            raise Ended
        if error := next((each.error for each in seen.results if each.error), None):
            raise Refused(error)
