"""A small application with one page per behaviour that the tests of the browser driver need."""

from __future__ import annotations

import asyncio

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

_STYLE = "<style>body { font: 16px sans-serif; margin: 20px; } button, a { margin: 4px; }</style>"

PAGES = {
    "": "<h1>Start</h1><button id=go>Go</button>",
    "two": "<h1>Two</h1><button id=close onclick='window.close()'>close</button>"
    "<button id=ask onclick='alert(`Still there?`)'>ask</button>",
    "later": """<button id=go onclick="setTimeout(() => setTimeout(() => out.textContent = 'done', 60), 60)">Go</button>
      <p id=out></p>""",
    "fetch": """<button id=go onclick="fetch('/slow').then((r) => r.text()).then((t) => out.textContent = t)">Go
      </button><p id=out></p>""",
    "form": "<form method=post action=/slow-post><button id=go>Go</button></form>",
    "animated": """<style>#box { width: 50px; height: 50px; background: red; transition: width .3s }
      #box.on { width: 300px }</style><button id=go onclick="box.classList.add('on')">Go</button><div id=box></div>""",
    "endless": """<style>@keyframes turn { to { transform: rotate(360deg) } }
      #box { width: 50px; height: 50px; background: red; animation: turn 1s infinite }</style>
      <button id=go onclick="out.textContent = 'done'">Go</button><div id=box></div><p id=out></p>""",
    "frames": """<button id=go onclick="out.textContent = 'done'">Go</button><p id=out></p><p id=count>0</p>
      <script>(function loop() { count.textContent++; requestAnimationFrame(loop); })()</script>""",
    "polling": """<button id=go onclick="out.textContent = 'done'">Go</button><p id=out></p>
      <script>setInterval(() => fetch('/tick'), 50); fetch('/forever'); new EventSource('/events')</script>""",
    "dialogs": """<h1>Dialogs</h1><p id=out></p>
      <button id=alert onclick="alert('Saved'); out.textContent = 'alerted'">alert</button>
      <button id=confirm onclick="out.textContent = confirm('Delete?')">confirm</button>
      <button id=prompt onclick="out.textContent = prompt('Name?', 'Ann')">prompt</button>
      <button id=twice onclick="alert('one'); alert('two'); out.textContent = 'both'">twice</button>
      <button id=leave onclick="onbeforeunload = (e) => e.preventDefault(); location = '/two'">leave</button>
      <input id=field onkeydown="out.textContent = event.key">""",
    "upload": """<p id=out></p><input id=one type=file
      onchange="out.textContent = [...this.files].map((f) => f.name + ':' + f.size).join()">
      <button id=hidden onclick="const i = document.createElement('input'); i.type = 'file';
      i.onchange = () => out.textContent = i.files[0].name; i.click()">hidden</button>""",
    "select": """<p id=out></p><select id=ward onchange="out.textContent = 'change ' + this.value"
      oninput="out.dataset.input = this.value"><option value=a>Ward A<option value=b>Ward B
      <option value=c disabled>Ward C<option value=d>Ward D</select>""",
    "modal": """<p id=out></p><dialog id=box><input id=field><select id=ward
      onchange="out.textContent = this.value"><option value=a>Ward A<option value=b>Ward B</select></dialog>
      <script>box.showModal()
      addEventListener("keydown", (e) => { if (e.ctrlKey && e.key === "s") { e.preventDefault(); confirm("Save?") } })
      addEventListener("dblclick", () => out.textContent = "twice")</script>""",
    "popup": """<p id=out></p><select id=ward onchange="out.textContent = this.value">
      <option value=a>Ward A<option value=b>Ward B</select>""",
    "chords": """<p id=loaded></p><input id=field><div id=rich contenteditable>rich text</div><p id=out></p><script>
      loaded.textContent = performance.timeOrigin;
      addEventListener("keydown", (e) => {
        if (location.search !== "?keep" || ["Control", "Shift", "Alt"].includes(e.key)) return;
        e.preventDefault();
        out.textContent += e.key.toUpperCase();
      })</script>""",
    "keyboard": """<input id=field><p id=out></p><script>
      const told = [], tell = (...parts) => { told.push(parts.join(":")); out.textContent = told.join(" "); };
      for (const kind of ["keydown", "keyup"])
        field.addEventListener(kind, (e) => tell(kind, e.key, e.code, e.location));
      field.addEventListener("input", (e) => tell("input", e.inputType, e.data));
      field.addEventListener("compositionend", (e) => tell("compositionend", e.data))</script>""",
    "tabs": """<h1>Opener</h1><a id=blank href=/two target=_blank>blank</a> <a id=plain href=/two>plain</a>
      <button id=open onclick="window.open('/two')">open</button>
      <button id=selects onclick="window.open('/popup')">selects</button>
      <button id=small onclick="window.open('/two', '', 'width=300,height=200')">small</button>""",
    "files": """<a id=csv href=/file>file</a> <a id=evil href=/evil>evil</a> <a id=late href=/late-file>late</a>
      <a id=blob download=made.txt>made</a><script>
      blob.href = URL.createObjectURL(new Blob(['made here']))</script>""",
    "looks": """<h1>Patients</h1><nav><a href=/two>Two</a></nav><label>Name <input id=name value=Ann></label>
      <label>Password <input type=password value=hunter2></label>
      <label><input type=checkbox checked> Urgent</label><button disabled>Save</button>
      <div style="height: 40px; width: 90px; overflow: auto"><p>seen</p>
      <p style="margin-top: 90px">hidden away</p></div>
      <div onclick="1" style="width: 80px">Clickable</div>
      <button style="position: absolute; left: 600px; top: 100px" id=covered>Covered</button>
      <div style="position: absolute; left: 550px; top: 80px; width: 200px; height: 80px; background: #ccc"></div>
      <iframe srcdoc="<button id=inner>Inner</button>" style="position: absolute; left: 600px; top: 300px"></iframe>
      <p style="margin-top: 2000px" id=far>Far below</p>""",
    "covered": """<style>body, iframe { margin: 0; border: 0 }</style><h1 style="height: 100px; margin: 0"
      onclick="this.textContent = 'Bar pressed'">Bar</h1>
      <iframe style="display: block; width: 600px; height: 300px"
      srcdoc="<style>body, iframe { margin: 0; border: 0 }</style>
      <iframe style='display: block; width: 500px; height: 900px' srcdoc='<div style=height:60px></div>
      <button id=upper onclick=this.textContent=1>Upper</button>'></iframe>
      <script>document.scrollingElement.scrollTop = 90</script>"></iframe>""",
    "scaled": """<iframe style="position: absolute; left: 100px; top: 50px; width: 200px; height: 150px;
      border: 4px solid; padding: 6px; transform: scale(2); transform-origin: 0 0"
      srcdoc="<body style='margin: 0'><button id=inner style='margin: 30px'>Inner</button>
      <script>inner.onclick = () => inner.textContent = 'Pressed'</script>"></iframe>""",
    "several": "<p class=same>one</p><p class=same>two</p><p class=same style='display: none'>three</p>",
    "search": "<h1>Search</h1>",
    "blank": "",
    "colours": "<div style='height: 50px; background: red'></div>",
    "fields": """<textarea id=area rows=9 cols=60></textarea> <textarea id=short maxlength=100></textarea>
      <form action=/two><input id=line></form> <input id=password type=password> <input id=number type=number>
      <div id=rich contenteditable style="width: 300px; min-height: 20px; border: 1px solid"></div>
      <div id=open style="width: 200px"></div> <div id=closed style="width: 200px"></div>
      <iframe id=frame srcdoc="<textarea id=inner></textarea>"></iframe><script>
      document.getElementById("open").attachShadow({mode: "open"}).innerHTML = "<textarea id=o>";
      const root = document.getElementById("closed").attachShadow({mode: "closed"});
      root.innerHTML = "<textarea id=c>"; window.closedValue = () => root.firstChild.value;</script>""",
    "code": "".join(f"<input class=digit id=d{number} maxlength=1 size=1>" for number in range(80))
    + """<script>addEventListener("input", (event) => event.target.nextElementSibling?.focus())</script>""",
    "heard": """<div id=around><textarea id=area rows=9 cols=60></textarea></div><p id=out>0</p>
      <script>let heard = 0; const hear = (event) => { out.textContent = ++heard; }</script>""",
}


async def _page(request: Request) -> Response:
    name = request.path_params.get("name", "")
    if name not in PAGES:
        return HTMLResponse("nothing here", 404)
    return HTMLResponse(
        f"<!doctype html><meta charset=utf-8><title>{name or 'start'}</title>{_STYLE}{PAGES[name]}"
    )


async def _slow(_: Request) -> Response:
    await asyncio.sleep(0.3)
    return Response("slow answer")


async def _slow_post(_: Request) -> Response:
    await asyncio.sleep(0.2)
    return RedirectResponse("/two", 303)


async def _forever(_: Request) -> Response:
    await asyncio.sleep(30)
    return Response("late")


async def _events(_: Request) -> Response:
    async def stream():  # type: ignore[no-untyped-def]
        while True:
            yield "data: tick\n\n"
            await asyncio.sleep(0.05)

    return StreamingResponse(stream(), media_type="text/event-stream")


async def _file(request: Request) -> Response:
    name = "../../evil.txt" if request.url.path == "/evil" else "list.csv"
    return Response("a,b\n1,2\n", headers={"content-disposition": f'attachment; filename="{name}"'})


async def _late_file(_: Request) -> Response:
    async def stream():  # type: ignore[no-untyped-def]
        yield "a,b\n"
        await asyncio.sleep(4)
        yield "1,2\n"

    headers = {"content-disposition": 'attachment; filename="late.csv"'}
    return StreamingResponse(
        stream(), headers=headers, media_type="text/csv"
    )  # a browser need not guess the type


async def _vector(request: Request) -> Response:
    """A page whose button runs the script of the query."""
    script = request.query_params["script"]
    return HTMLResponse(
        f"<!doctype html><meta charset=utf-8><title>vector</title>{_STYLE}<h1>Vector</h1>"
        f"<button id=go>Go</button><script>go.onclick = () => {{ {script} }}</script>"
    )


async def _away(request: Request) -> Response:
    return RedirectResponse(request.query_params["to"], 302)


async def _worker(request: Request) -> Response:
    text = f"fetch('{request.query_params['to']}', {{mode: 'no-cors'}}).catch(() => 0)"
    return Response(text, media_type="text/javascript")


async def _tick(_: Request) -> Response:
    return Response("tick")


def application() -> Starlette:
    """Return the application."""
    return Starlette(
        routes=[
            Route("/slow", _slow),
            Route("/slow-post", _slow_post, methods=["POST"]),
            Route("/forever", _forever),
            Route("/events", _events),
            Route("/file", _file),
            Route("/evil", _file),
            Route("/late-file", _late_file),
            Route("/vector", _vector),
            Route("/away", _away),
            Route("/worker.js", _worker),
            Route("/tick", _tick),
            Route("/{name}", _page),
            Route("/", _page),
        ]
    )


class Elsewhere:
    """Another site, which counts who reached it."""

    def __init__(self) -> None:
        self.hits: list[str] = []

    async def __call__(self, scope, receive, send) -> None:  # type: ignore[no-untyped-def]
        if scope["type"] == "lifespan":
            while (await receive())["type"] != "lifespan.shutdown":
                await send({"type": "lifespan.startup.complete"})
            await send({"type": "lifespan.shutdown.complete"})
            return
        self.hits.append(scope["path"])
        await Response("elsewhere")(scope, receive, send)
