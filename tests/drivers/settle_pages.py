"""Pages whose button sets off work of one kind, and the server that some of them need.

Each page is the script that a click on its button runs; `done()` says that the work is over and on the screen.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from .pages import application as usual

_WORKER = """onmessage = (event) => setTimeout(() => postMessage(event.data), 250);"""
_FRAME = (
    "<script>onmessage = () => setTimeout(() => { seen = true; document.body.append(`done`) }, 300)</script>"
)

# The work that an action set off is over when the action returns.
SEEN = {
    "debounce of 150 ms": "clearTimeout(window.t); t = setTimeout(done, 150)",
    "debounce of 300 ms": "clearTimeout(window.t); t = setTimeout(done, 300)",
    "debounce of 500 ms": "clearTimeout(window.t); t = setTimeout(done, 500)",
    "debounce that is armed again": """t = setTimeout(done, 250);
        setTimeout(() => { clearTimeout(t); t = setTimeout(done, 300) }, 150)""",
    "debounce that looks whether its time has come": """const end = performance.now() + 300;
        (function expired() { const left = end - performance.now();
        left > 1 ? setTimeout(expired, left) : done() })()""",
    "debounce that fetches": "setTimeout(() => fetch('/slow').then(done), 300)",
    "two sleeps": "(async () => { await sleep(250); out.textContent = 'half'; await sleep(250); done() })()",
    "interval that looks whether it is ready": """const end = performance.now() + 150, t = setInterval(() => {
        if (performance.now() > end) { clearInterval(t); done() } }, 200)""",
    "text of a timer": "setTimeout('done()', 300)",
    "timer of a later function": "setTimeout(() => setTimeout(() => setTimeout(done, 100), 150), 200)",
    "timer after a promise": "Promise.resolve().then(() => sleep(300)).then(done)",
    "timer with a clock beside it": "setInterval(() => { clock.textContent++ }, 1000); setTimeout(done, 400)",
    "idle callback": "requestIdleCallback(() => requestIdleCallback(done))",
    "idle callback after a timer": "setTimeout(() => requestIdleCallback(done), 300)",
    "frames that follow each other": """let n = 0;
        (function step() { ++n < 9 ? requestAnimationFrame(step) : done() })()""",
    "timer in a frame": "same.contentWindow.postMessage(1)",
    "timer in a sandboxed frame": "sandboxed.contentWindow.postMessage(1, '*')",
    "timer of a frame's function": "same.contentWindow.setTimeout(done, 300)",
    "frame that is made": """const f = document.createElement('iframe'); f.onload = () => setTimeout(done, 300);
        f.src = '/two'; document.body.append(f)""",
    "shadow root": "setTimeout(() => { shadow.innerHTML = '<p>done'; done() }, 300)",
    "popup": "open('/probe?name=load')",
    "page that fills itself after it is loaded": "location = '/probe?name=load'",
    "fetch": "fetch('/slow').then((r) => r.text()).then(done)",
    "fetch that is read in pieces": """(async () => { const reader = (await fetch('/stream')).body.getReader();
        for (;;) { const piece = await reader.read(); if (piece.done) break; out.textContent += piece.value.length }
        done() })()""",
    "text that streams as events": """const s = new EventSource('/words'); s.onmessage = (e) => {
        out.textContent += e.data; if (e.data === 'end') { s.close(); done() } }""",
    "page that arrives in pieces": "same.removeAttribute('srcdoc'); same.src = '/pieces'; same.onload = done",
    "web socket that answers": "socket.onmessage = done; socket.send('ask')",
    "web socket that streams": """socket.onmessage = (e) => { out.textContent += e.data;
        if (e.data === 'end') done() }; socket.send('stream')""",
    "web socket that is opened": """const s = new WebSocket(`ws://${location.host}/socket`);
        s.onopen = () => s.send('ask'); s.onmessage = done""",
    "worker that answers": "worker.onmessage = done; worker.postMessage(1)",
    "worker that is made": "const w = new Worker('/worker'); w.onmessage = done; w.postMessage(1)",
    "database": """indexedDB.open('notes', 1).onupgradeneeded = (e) => { e.target.result.createObjectStore('n');
        e.target.onsuccess = () => { const t = e.target.result.transaction('n', 'readwrite');
        for (let i = 0; i < 3000; i++) t.objectStore('n').put('x'.repeat(200), i);
        t.oncomplete = () => { e.target.result.close(); indexedDB.deleteDatabase('notes'); done() } } }""",
    "transition": "box.style.transition = 'width .3s'; box.style.width = '300px'; box.ontransitionend = done",
    "transition in a shadow root": """shadow.innerHTML = '<div style="width: 9px; transition: width .3s">x</div>';
        const inner = shadow.firstChild; inner.offsetWidth; inner.style.width = '90px'; inner.ontransitionend = done""",
    "picture": "const i = new Image(); i.onload = done; i.src = '/picture'; document.body.append(i)",
    "lazy picture": """const i = new Image(); i.loading = 'lazy'; i.onload = done; i.src = '/picture';
        i.style.cssText = 'display: block; margin-top: 4000px'; document.body.append(i); scrollTo(0, 9999)""",
    "font": "new FontFace('own', 'url(/font)').load().catch(() => 0).then(done)",
    "dynamic import": "import('/module').then(done)",
}

# What goes on from the load on, and is nobody's work. A click only writes a word.
RESTLESS = {
    "nothing": "",
    "heartbeat of 50 ms": "(function beat() { setTimeout(beat, 50) })()",
    "heartbeat of 300 ms": "(function beat() { setTimeout(beat, 300) })()",
    "heartbeat of 450 ms": "(function beat() { setTimeout(beat, 450) })()",
    "heartbeat of changing lengths": "(function beat() { setTimeout(beat, 100 + 300 * Math.random()) })()",
    "sleeps": "(async () => { for (;;) await sleep(200) })()",
    "interval of 100 ms": "setInterval(() => 0, 100)",
    "clock": "setInterval(() => { clock.textContent++ }, 1000)",
    "counter": "setInterval(() => { clock.textContent++ }, 40)",
    "frames": "(function loop() { requestAnimationFrame(loop) })()",
    "idle callbacks": "(function loop() { requestIdleCallback(loop) })()",
    "polls": "setInterval(() => fetch('/tick'), 150)",
    "worker": "setInterval(() => worker.postMessage(1), 100)",
    "deaf worker": "onclick = () => deaf.postMessage(1)",
    "web socket": "setInterval(() => socket.readyState === 1 && socket.send('ask'), 100)",
    "ticker": "socket.onopen = () => socket.send('ticker')",
    "events": "new EventSource('/events')",
    "storm": "setInterval(() => { for (let i = 0; i < 300; i++) setTimeout(() => 0, 100 + i) }, 100)",
}

_HELPERS = """const sleep = (ms) => new Promise((go) => setTimeout(go, ms));
  const done = () => { seen = true; out.textContent = 'done' };
  const shadow = host.attachShadow({mode: 'closed'});
  const made = (text) => new Worker(URL.createObjectURL(new Blob([text])));"""
_NEEDS = {
    "socket.": "const socket = new WebSocket(`ws://${location.host}/socket`);",
    "worker.": "const worker = new Worker('/worker');",
    "deaf.": "const deaf = made('onmessage = () => 0');",
}


def _document(at_load: str, at_click: str) -> str:
    needs = "".join(text for word, text in _NEEDS.items() if word in at_load + at_click)
    frames = "".join(
        f'<iframe id={name} {how} srcdoc="{_FRAME}" width=90 height=40></iframe>'
        for name, how in (("same", ""), ("sandboxed", "sandbox=allow-scripts"))
        if f"{name}." in at_click
    )
    return (
        "<!doctype html><meta charset=utf-8><title>probe</title><style>body { margin: 20px }</style><h1>Probe</h1>"
        "<button id=go>Go</button><p id=out></p><p id=clock>0</p><div id=box style='width: 50px'>box</div>"
        f"<div id=host></div>{frames}<script>var seen = false;{_HELPERS}{needs}{at_load}\n"
        f"go.onclick = () => {{ {at_click} }}</script>"
    )


async def _probe(request: Request) -> Response:
    name = request.query_params["name"]
    if name == "load":
        return HTMLResponse(_document("setTimeout(done, 300)", ""))
    if name in RESTLESS:
        return HTMLResponse(_document(RESTLESS[name], "done()"))
    return HTMLResponse(_document("", SEEN[name]))


async def _script(request: Request) -> Response:
    """A page with the scripts of the query."""
    return HTMLResponse(
        _document(request.query_params.get("load", ""), request.query_params.get("click", ""))
    )


def _in_pieces(pieces: list[str], pause: float, type: str) -> Response:
    async def stream() -> AsyncIterator[str]:
        for piece in pieces:
            yield piece
            await asyncio.sleep(pause)

    return StreamingResponse(stream(), media_type=type)


async def _stream(_: Request) -> Response:
    return _in_pieces([f"word {number} " for number in range(10)], 0.1, "text/plain")


async def _words(_: Request) -> Response:
    words = [f"word{number} " for number in range(10)]
    return _in_pieces([f"data: {word}\n\n" for word in (*words, "end")], 0.1, "text/event-stream")


async def _pieces(_: Request) -> Response:
    return _in_pieces([f"<p>{number}" + " " * 1000 for number in range(6)], 0.15, "text/html")


async def _late(request: Request) -> Response:
    await asyncio.sleep(0.3)
    if request.url.path == "/module":
        return Response("export default 1", media_type="text/javascript")
    if request.url.path == "/font":
        return Response(b"no font", media_type="font/woff2")
    return Response(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", media_type="image/svg+xml"
    )


async def _worker(_: Request) -> Response:
    return Response(_WORKER, media_type="text/javascript")


async def _socket(socket: WebSocket) -> None:
    await socket.accept()
    try:
        while True:
            asked = await socket.receive_text()
            if asked == "ask":
                await asyncio.sleep(0.25)
                await socket.send_text("answer")
            for number in range(10 if asked == "stream" else 10_000 if asked == "ticker" else 0):
                await asyncio.sleep(0.1)
                await socket.send_text(f"{number} ")
            if asked == "stream":
                await socket.send_text("end")
    except WebSocketDisconnect:
        pass


def application() -> Starlette:
    """Return the application: these pages beside those of the other tests."""
    routes = [
        Route("/probe", _probe),
        Route("/script", _script),
        Route("/stream", _stream),
        Route("/words", _words),
        Route("/pieces", _pieces),
        *(Route(f"/{name}", _late) for name in ("module", "font", "picture")),
        Route("/worker", _worker),
        WebSocketRoute("/socket", _socket),
        *usual().routes,
    ]
    return Starlette(routes=routes)
