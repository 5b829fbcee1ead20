"""Detection of text fields where a long text can be inserted at once without the page noticing.

A text of up to `KEYED` characters is typed key by key. A longer one is inserted, except its last character, if the
focus is in a text field and no listener on the path of its events handles keys or input. Otherwise (with such a
listener, and in fields of dates, numbers and other types) every key is sent. A Tab, and an Enter outside of a text
area, is always a key, and the focus is checked again after it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from pytest_cuabench.drivers.chromium.session.frames import ScriptError
from pytest_cuabench.drivers.chromium.session.scripts import event

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.session.tab import Tab

KEYED = 64  # characters
Field = Literal["area", "line", "rich"]

_LISTENING = frozenset({"keydown", "keypress", "keyup", "beforeinput", "input", "textInput"})
_GROUP = "focus"


async def insertable_field(tab: Tab) -> Field | None:
    """Return the kind of the focused text field; None without one, or if a listener handles its input.

    `area` accepts newlines as text, `line` has none, and `rich` handles the Enter key itself.
    """
    from playwright.async_api import Error

    try:
        path = await tab.objects("focus.js", _GROUP)
        field = await _insertable(tab, path) if path else None
        await tab.cdp.send("Runtime.releaseObjectGroup", {"objectGroup": _GROUP})
    except (Error, ScriptError):
        return None  # the page was replaced meanwhile; keys are right in every field
    return field


async def _insertable(tab: Tab, path: str) -> Field | None:
    properties = await tab.cdp.send("Runtime.getProperties", {"objectId": path, "ownProperties": True})
    kind, *objects = (one.get("value", {}) for one in properties["result"] if one["name"].isdecimal())
    if not kind.get("value"):
        return None
    nodes = [one["objectId"] for one in objects if one.get("subtype") != "null" and "objectId" in one]
    targets = await asyncio.gather(*(_as_the_page_has(tab, node) for node in nodes))
    # Events reach the window as well, which is no node of their path.
    targets.append(await _window(tab, targets[-1]))
    asked = [tab.cdp.send("DOMDebugger.getEventListeners", {"objectId": one}) for one in targets]
    answers = await asyncio.gather(*asked)
    listeners = [one for answer in answers for one in answer["listeners"]]
    # The driver's listeners come from the script that listens for the secret event.
    ours = {one["scriptId"] for one in listeners if one["type"] == event()}
    if any(one["type"] in _LISTENING and one["scriptId"] not in ours for one in listeners):
        return None
    field: Field = kind["value"]
    return field


async def _as_the_page_has(tab: Tab, node: str) -> str:
    """Return a node in the world of the page's own scripts, whose listeners alone are told there."""
    found = (await tab.cdp.send("DOM.describeNode", {"objectId": node}))["node"]
    asked = {"backendNodeId": found["backendNodeId"], "objectGroup": _GROUP}
    return str((await tab.cdp.send("DOM.resolveNode", asked))["object"]["objectId"])


async def _window(tab: Tab, document: str) -> str:
    """Return the window of a document of the page."""
    call = {"functionDeclaration": "function () { return window; }", "objectGroup": _GROUP}
    found = await tab.cdp.send("Runtime.callFunctionOn", {"objectId": document, **call})
    return str(found["result"]["objectId"])
