"""Detection of text fields where a long text can be inserted at once without the page noticing.

A text of up to `KEYED` characters is typed key by key. A longer one is inserted, except its last character, if the
focus is in a text field and no listener on the path of its events handles keys or input. Otherwise (with such a
listener, and in fields of dates, numbers and other types) every key is sent. A Tab, and an Enter outside of a text
area, is always a key, and the focus is checked again after it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from pytest_cuabench.drivers.chromium.scripts import script

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.tab import Tab

KEYED = 64  # characters
Field = Literal["area", "line", "rich"]

_LISTENING = frozenset({"keydown", "keypress", "keyup", "beforeinput", "input", "textInput"})
_GROUP = "focus"


async def insertable_field(tab: Tab) -> Field | None:
    """Return the kind of the focused text field; None without one, or if a listener handles its input.

    `area` accepts newlines as text, `line` has none, and `rich` handles the Enter key itself.
    """
    from playwright.async_api import Error

    asked = {"expression": script("focus.js"), "objectGroup": _GROUP}
    try:
        found = (await tab.cdp.send("Runtime.evaluate", asked))["result"]
        field = await _insertable(tab, found["objectId"]) if "objectId" in found else None
        await tab.cdp.send("Runtime.releaseObjectGroup", {"objectGroup": _GROUP})
    except Error:
        return None  # the page was replaced meanwhile
    return field


async def _insertable(tab: Tab, path: str) -> Field | None:
    properties = await tab.cdp.send("Runtime.getProperties", {"objectId": path, "ownProperties": True})
    kind, *objects = (one.get("value", {}) for one in properties["result"] if one["name"].isdecimal())
    if not kind.get("value"):
        return None
    nodes = [one["objectId"] for one in objects if one.get("subtype") != "null" and "objectId" in one]
    ours = await _script_of(tab, nodes.pop()) if objects[-1].get("type") == "function" else None
    asked = [tab.cdp.send("DOMDebugger.getEventListeners", {"objectId": node}) for node in nodes]
    listeners = [one for answer in await asyncio.gather(*asked) for one in answer["listeners"]]
    if any(one["type"] in _LISTENING and one["scriptId"] != ours for one in listeners):
        return None
    field: Field = kind["value"]
    return field


async def _script_of(tab: Tab, function: str) -> str | None:
    """Return the id of the script that defines a function."""
    properties = await tab.cdp.send("Runtime.getProperties", {"objectId": function, "ownProperties": True})
    inner: list[dict[str, Any]] = properties.get("internalProperties", [])
    places = (one["value"]["value"] for one in inner if one["name"] == "[[FunctionLocation]]")
    return next((str(place["scriptId"]) for place in places), None)
