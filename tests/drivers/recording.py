"""What a browser tells of its pages' exceptions and messages, heard from outside of them."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from playwright.async_api import Page

from pytest_cuabench.drivers.chromium.session import scripts


class Heard(NamedTuple):
    """An exception or a message; `ours` is whether a script of the driver stands in its stack."""

    text: str
    ours: bool


class Recorder:
    """Hears all pages that it is given."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []

    async def listen(self, page: Page) -> None:
        """Begin to listen to a page."""
        cdp = await page.context.new_cdp_session(page)
        worlds: dict[int, str] = {}
        cdp.on(
            "Runtime.executionContextCreated",
            lambda event: worlds.update({event["context"]["id"]: event["context"]["name"]}),
        )

        def hear(kind: str, event: dict[str, Any], of: dict[str, Any], text: str) -> None:
            beside = bool(worlds.get(of.get("executionContextId", 0)))
            self.heard.append(Heard(f"{kind}: {text}", beside or scripts._SOURCE in json.dumps(event)))

        def thrown(event: dict[str, Any]) -> None:
            details = event["exceptionDetails"]
            text = f"{details['text']} {details.get('exception', {}).get('description', '')}"
            hear("exception", event, details, text)

        def said(event: dict[str, Any]) -> None:
            words = [str(one.get("value", one.get("description", ""))) for one in event["args"]]
            hear(f"console {event['type']}", event, event, " ".join(words))

        cdp.on("Runtime.exceptionThrown", thrown)
        cdp.on("Runtime.consoleAPICalled", said)
        cdp.on("Log.entryAdded", lambda event: hear("log", event, {}, str(event["entry"]["text"])))
        await cdp.send("Runtime.enable")
        await cdp.send("Log.enable")
