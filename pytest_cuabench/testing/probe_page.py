"""A page that records every event it gets, with places and keys, and a server that keeps the record.

record = Record()
server = Server(record.app())
world = FakeWorld(server.port)  # of `served_world`; or open http://127.0.0.1:PORT in a driver of your own
...
assert [event["key"] for event in record.events if event["type"] == "keydown"] == ["a"]
server.stop()
"""

from __future__ import annotations

import threading
import time
from typing import Any, Literal

from pytest_cuabench.errors import needing

with needing("worlds", "the probe page"):
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import HTMLResponse, Response
    from starlette.routing import Route
    from starlette.types import ASGIApp

PAGE = """<!doctype html><meta charset=utf-8><title>Probe</title>
<style>
  * { margin: 0; font: 16px/20px monospace; }
  html, body { height: 100%; overflow: hidden; }
  body > * { position: absolute; box-sizing: border-box; }
  #pad { left: 20px; top: 20px; width: 300px; height: 200px; background: #dde; user-select: none; }
  #text { left: 360px; top: 20px; width: 400px; height: 100px; }
  #line { left: 360px; top: 140px; width: 400px; height: 30px; }
  #words { left: 360px; top: 190px; width: 400px; }
  #scroller { left: 20px; top: 250px; width: 300px; height: 200px; overflow: scroll; background: #eee; }
  #scroller div { width: 3000px; height: 3000px; }
  #outer { left: 20px; top: 480px; width: 300px; height: 200px; overflow: scroll; background: #edd; }
  #inner { margin: 40px; width: 180px; height: 100px; overflow: scroll; background: #fff; }
  #inner div, #outer > p { height: 2000px; }
  #item { left: 360px; top: 260px; width: 80px; height: 60px; background: #fc6; }
  #target { left: 560px; top: 260px; width: 160px; height: 120px; background: #cfc; }
</style>
<div id=pad></div><textarea id=text></textarea><input id=line>
<p id=words>alpha beta gamma</p>
<div id=scroller><div></div></div>
<div id=outer><div id=inner><div></div></div><p></p></div>
<div id=item draggable=true>item</div><div id=target>target</div>
<script>
  let batch = [], number = 0;
  function send() {
    const events = batch;
    batch = [];
    const fields = {text: text.value, line: line.value};
    fetch("/events", {method: "POST", body: JSON.stringify({number: number++, events, fields})});
  }
  function record(event, more) {
    const {type, clientX: x, clientY: y, button, buttons, detail, key, code, repeat} = event;
    const {ctrlKey: ctrl, shiftKey: shift, altKey: alt, metaKey: meta, deltaX: dx, deltaY: dy} = event;
    const target = event.target.id || event.target.localName;
    const entry = {type, target, x, y, button, buttons, detail, key, code, repeat, ctrl, shift, alt, meta, dx, dy};
    if (!batch.length) queueMicrotask(() => requestAnimationFrame(send));
    batch.push({...entry, ...more});
  }
  const plain = ["mousedown", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "mousemove", "wheel",
    "keydown", "keyup", "input", "focusin"];
  for (const type of plain) addEventListener(type, (event) => record(event), {capture: true, passive: true});
  for (const type of ["mousedown", "mouseup", "auxclick", "contextmenu"])
    addEventListener(type, (event) => { if (event.button > 2) event.preventDefault(); }, true);
  addEventListener("contextmenu", (event) => event.preventDefault());
  addEventListener("wheel", (event) => { if (event.ctrlKey) event.preventDefault(); }, {passive: false});  // zooms
  addEventListener("mouseup", (event) => record(event, {type: "selected", words: String(getSelection()).trim()}));
  for (const box of [scroller, outer, inner])
    box.addEventListener("scroll", (event) => record(event, {left: box.scrollLeft, top: box.scrollTop}));
  item.addEventListener("dragstart", (event) => {
    event.dataTransfer.setData("text/plain", "cargo");
    record(event);
  });
  for (const type of ["dragenter", "dragover"])
    target.addEventListener(type, (event) => { event.preventDefault(); record(event); });
  target.addEventListener("drop", (event) => {
    event.preventDefault();
    record(event, {cargo: event.dataTransfer.getData("text/plain")});
  });
  addEventListener("keydown", (event) => {
    const browsers = event.ctrlKey && "rludfghjopsebi190".includes(event.key.toLowerCase());
    if (/^F\\d+$/.test(event.key) || event.altKey || browsers) event.preventDefault();
  });
</script>"""


class Record:
    """What the probe page told; its messages are numbered, since one may overtake another."""

    def __init__(self) -> None:
        self._told: dict[int, dict[str, Any]] = {}

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events, in order."""
        return [event for number in sorted(self._told) for event in self._told[number]["events"]]

    @property
    def fields(self) -> dict[str, str]:
        """What the fields held at the last event."""
        return dict(self._told[max(self._told)]["fields"]) if self._told else {}

    def clear(self) -> None:
        """Forget everything."""
        self._told.clear()

    def app(self) -> Starlette:
        """Return the page's application."""

        async def page(_: Request) -> Response:
            return HTMLResponse(PAGE)

        async def events(request: Request) -> Response:
            told = await request.json()
            self._told[told["number"]] = told
            return Response(status_code=204)

        return Starlette(routes=[Route("/events", events, methods=["POST"]), Route("/", page)])


class Server:
    """An application on a free port, served from a thread; web sockets need a library that uvicorn knows."""

    def __init__(self, app: ASGIApp, *, sockets: bool = False) -> None:
        ws: Literal["auto", "none"] = "auto" if sockets else "none"
        config = uvicorn.Config(app, port=0, log_level="critical", timeout_graceful_shutdown=1, ws=ws)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._server.servers[0].sockets[0].getsockname()[1])

    def stop(self) -> None:
        """Stop serving."""
        self._server.should_exit = True
        # Browsers keep connections open, for which uvicorn would wait.
        self._server.force_exit = True
        self._thread.join(5)
