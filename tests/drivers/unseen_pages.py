"""Pages that watch for what is not theirs, and odd ones on which nothing of the driver may fail."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

# What a page can find out of itself: its names, all functions of the browser, and what is thrown.
SELF = """(() => {
  const found = {};
  for (const key of Reflect.ownKeys(window)) found[`window ${String(key)}`] = 1;
  const told = (name, holder) => {
    for (const key of Reflect.ownKeys(holder)) {
      const own = Object.getOwnPropertyDescriptor(holder, key);
      for (const part of ["value", "get", "set"]) {
        const work = own[part];
        if (typeof work !== "function") continue;
        found[`${name}.${String(key)} ${part}`] = [Function.prototype.toString.call(work),
          Reflect.ownKeys(work).map(String).join(), work.name, work.length, own.writable, own.enumerable,
          own.configurable].join("|");
      }
    }
  };
  told("window", window);
  for (const key of Object.getOwnPropertyNames(window)) {
    const one = window[key];
    if (typeof one !== "function" || one.prototype === undefined) continue;
    told(key, one.prototype);
    told(`${key} itself`, one);
  }
  const {prototype: element} = Element, wrong = {
    toString: () => Function.prototype.toString.call(1), attachShadow: () => element.attachShadow.call(1),
    setTimeout: () => setTimeout(), frame: () => requestAnimationFrame(1), made: () => new setTimeout(),
    picker: () => document.createElement("input").showPicker(),
    nobody: () => HTMLInputElement.prototype.showPicker.call(1),
    data: () => DataTransfer.prototype.setData.call(1), post: () => Worker.prototype.postMessage.call(1),
    database: () => indexedDB.open(), place: () => Geolocation.prototype.getCurrentPosition.call(1),
  };
  for (const [name, work] of Object.entries(wrong)) {
    try { found[`calling ${name}`] = String(work()); } catch (error) { found[`calling ${name}`] = error.stack; }
  }
  return JSON.stringify(found).replaceAll(location.host, "HOST");
})()"""

# Every kind of field that has a list, with everything that a page can notice.
WATCHED = """<!doctype html><meta charset=utf-8><title>watched</title>
<style>body { margin: 0 } .at { position: absolute; left: 40px; width: 200px; height: 24px; margin: 0 }</style>
<p class=at style="top: 20px" title="Last seen today" id=titled>Ann</p>
<select class=at style="top: 60px" id=select><option>one<option>two<option>three</select>
<input class=at style="top: 100px" id=date type=date value=2031-03-04>
<input class=at style="top: 140px" id=time type=time value=09:30>
<input class=at style="top: 180px" id=color type=color value=#336699>
<input class=at style="top: 220px" id=list list=drugs><datalist id=drugs><option>Aspirin<option>Atenolol</datalist>
<svg class=at style="top: 260px"><title>Drawn</title><rect width=200 height=24 /></svg>
<script>
const seen = [], say = (kind, more = "") => seen.push(`${kind} ${more}`.trim());
new MutationObserver((all) => all.forEach((one) => say("mutation", one.attributeName ?? one.type)))
  .observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
new PerformanceObserver((all) => all.getEntries().forEach((one) => say("shift", one.value)))
  .observe({type: "layout-shift", buffered: true});
addEventListener("error", (event) => say("error", event.message), true);
addEventListener("unhandledrejection", (event) => say("rejection", event.reason));
for (const name of ["log", "info", "warn", "error", "debug"])
  console[name] = (...given) => say(`console ${name}`, given);
let pressed = 0;
addEventListener("mousedown", () => pressed++, true);
const count = () => document.querySelectorAll("*").length, first = count();
const state = () => [count() - first, document.querySelectorAll(":popover-open, [popover], [aria-expanded]").length,
  document.elementFromPoint(60, 120)?.id, Object.keys(window).includes("drawn")].join();
</script>"""

_OBJECTS = "Object Array String Map Set Element Node EventTarget Event Document HTMLElement HTMLInputElement"
# By what each is served as, with which policy.
ODD = {
    "clobbered title": (
        "text/html",
        "",
        "<form title=Form><input name=title><input name=hasAttribute><input name=closest><input name=isConnected>"
        "<img name=title><img name=activeElement><img name=getSelection><p title=One>One</p></form>"
        "<script>document.title = 'clobbered'; onmousemove = () => 1</script>",
    ),
    "poisoned prototypes": (
        "text/html",
        "",
        "<p title=One>One</p><select><option>a<option>b</select><input type=date>"
        f"<script>for (const name of '{_OBJECTS}'.split(' ')) {{ const of = window[name].prototype;"
        " for (const key of Object.getOwnPropertyNames(of)) if (key !== 'constructor'"
        " && typeof Object.getOwnPropertyDescriptor(of, key).value === 'function') Object.defineProperty(of, key,"
        " {value: () => { throw Error('page') }, configurable: true}) }</script>",
    ),
    "strict policy": (
        "text/html",
        "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none';"
        " sandbox allow-scripts allow-same-origin",
        "<p title=One>One</p><select><option>a<option>b</select><input list=l><datalist id=l><option>x</datalist>",
    ),
    "xhtml": (
        "application/xhtml+xml",
        "",
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p title="One">One</p>'
        '<select><option>a</option><option>b</option></select><input type="date" /></body></html>',
    ),
    "svg": (
        "image/svg+xml",
        "",
        '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><title>Whole</title>'
        '<rect width="400" height="300"><title>Part</title></rect></svg>',
    ),
    "xml": ("text/xml", "", '<?xml version="1.0"?><ward title="3"><bed>1</bed><bed>2</bed></ward>'),
    "sandboxed frame": (
        "text/html",
        "",
        "<iframe sandbox style='width: 500px; height: 300px' srcdoc=\"<p title=One>One</p>"
        "<select><option>a<option>b</select>\"></iframe>"
        "<iframe sandbox=allow-scripts srcdoc=\"<select><option>a<option>b</select>\"></iframe>",
    ),
    "shadow roots": (
        "text/html",
        "",
        "<div id=a></div><div id=b></div><script>"
        "for (const [host, mode] of [[a, 'open'], [b, 'closed']]) host.attachShadow({mode}).innerHTML = "
        "'<p title=One>One</p><select><option>a<option>b</select><input type=date>'</script>",
    ),
    "written while hovered": (
        "text/html",
        "",
        "<p title=One>One</p><script>let written = 0; onmousemove = () => { if (written++ > 1) return; document.open();"
        " document.write('<p title=Two>Two</p><select><option>a<option>b</select>'); document.close(); }</script>",
    ),
    "gone while hovered": (
        "text/html",
        "",
        "<p title=One>One</p><select><option>a<option>b</select><script>onmousemove = (event) => setTimeout(() => "
        "event.target.replaceWith?.(event.target.cloneNode(true)), 300)</script>",
    ),
}  # fmt: skip


async def _page(request: Request) -> Response:
    name = request.path_params["name"]
    if name == "watched":
        return Response(WATCHED, media_type="text/html")
    kind, policy, body = ODD.get(name, ("text/html", "", "<!doctype html><title>start</title><h1>Start</h1>"))
    headers = {"content-security-policy": policy} if policy else {}
    return Response(body, media_type=kind, headers=headers)


def application() -> Starlette:
    """Return the application of these pages."""
    return Starlette(routes=[Route("/{name:path}", _page)])
