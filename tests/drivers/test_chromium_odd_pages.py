"""Large and odd pages: what is read of them is bounded, and no name that a page gives changes it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_cuabench.drivers.chromium.observing import bounds
from pytest_cuabench.drivers.chromium.observing.locating import find_all
from pytest_cuabench.drivers.chromium.session import tab as tabs
from pytest_cuabench.drivers.chromium.session.frames import ScriptError
from pytest_cuabench.drivers.chromium.session.tab import Tab
from pytest_cuabench.task.action import Click, Key, Point, Scroll, Type
from pytest_cuabench.task.observation import OBSERVATION_KINDS, Observation

from .conftest import Harness

pytestmark = pytest.mark.asyncio(loop_scope="module")

# One generated page for each kind of object: an element of every kind of observation in a form, and beside it controls,
# pictures, frames and variables with all the names that the browser has for such an object.
NAMES = """(kind) => {
  const names = new Set();
  let at = kind === "Window" ? window : window[kind].prototype;
  for (; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names];
}"""
BODY = """<h1>Title</h1><form id="form" onsubmit="return false">{named}<p id="text">Some <b>words</b> in a line</p>
<a href="#here">Link</a> <label>Field <input id="field" value="old"></label>
<select id="list"><option>one<option>two</select><button id="go" type="button">Go</button></form><p id="out"></p>"""
PLAIN = "<script>document.getElementById('go').onclick = () => { out.textContent = 'clicked'; };</script>"
WRITE = """(given) => {
  const {open, write, close} = Document.prototype;
  open.call(document);
  write.call(document, given);
  close.call(document);
}"""
HELD = """["field", "list", "out"].map((id) => {
  const one = Document.prototype.getElementById.call(document, id);
  return one.value ?? one.textContent;
})"""
# What solutions write, in Playwright's forms.
SELECTORS = (
    "#field",
    "text=Go",
    "role=button[name='Go']",
    "form:has-text('Some words')",
    "form > p >> b",
    "//form//button",
    "#go >> xpath=..",
    "button:visible",
    "p:below(h1) >> nth=0",
    "#form",
)
KINDS = ("Node", "Element", "HTMLElement", "HTMLFormElement", "Document", "Window")
# What a page's scripts may do to the functions of their own world.
SCRIPTS = (
    "class Node {} class Element {} class HTMLElement {}",
    "var length = 5, top2 = 1, name = 'x', frames = [], parent = null, self = null",
    "for (const one of Object.getOwnPropertyNames(Array.prototype)) if (one !== 'constructor') "
    "try { Array.prototype[one] = () => { throw Error('page'); }; } catch (fixed) {}",
    "Array.prototype[Symbol.iterator] = String.prototype.replace = RegExp.prototype.exec = "
    "() => { throw Error('page'); }",
    "Array.prototype.toJSON = Object.prototype.toJSON = () => 'page'; Object.prototype.get = () => 'page'",
    "Promise.prototype.then = () => {}; Promise.prototype.constructor = class {}; Promise = null",
    "EventTarget.prototype.dispatchEvent = CustomEvent = Event = null; JSON.parse = JSON.stringify = null",
    "Node.prototype.appendChild = null; Element.prototype.getBoundingClientRect = () => ({}); "
    "window.getComputedStyle = null",
    "Object.defineProperty(Document.prototype, 'readyState', {get: () => 'loading'}); "
    "Document.prototype.getAnimations = null",
    "Map.prototype.get = Map.prototype.set = Set.prototype.add = WeakMap.prototype.get = "
    "() => { throw Error('page'); }",
    "Math.min = Math.max = Object.keys = Object.entries = Reflect.apply = () => { throw Error('page'); }",
)


def page(harness: Harness) -> Any:
    """Return the page in front."""
    session = harness.environment._session
    assert session is not None
    return session.active.page


async def shown(harness: Harness, body: str) -> None:
    """Replace the page's document by a body."""
    await harness.go("empty")
    await page(harness).evaluate(WRITE, f"<!doctype html><title>odd</title><body>{body}")
    await harness.environment.settle()


async def seen(harness: Harness) -> list[Observation]:
    """Return all kinds of observation, without pictures."""
    return [await harness.environment.observe(kind) for kind in OBSERVATION_KINDS if kind != "screenshot"]


def told(observations: list[Observation]) -> list[object]:
    """Return what observations tell of the page beside its named, hidden elements."""
    return [
        (
            [(node.role, node.name, node.value) for node in one.tree or ()],
            one.dom,
            [(m.role, m.name) for m in one.marks or ()],
        )
        for one in observations
    ]


async def acted(harness: Harness, places: dict[str, Point]) -> list[object]:
    """Write into the field, open the list and press the button; return what the page then holds."""
    tab = active(harness)
    await harness.do(Click(*places["#field"]), Key(("ctrl", "a")), Type("new " * 20))
    await harness.do(Click(*places["#list"]), Key(("down",)), Key(("enter",)), Click(*places["#go"]))
    found: list[object] = await tab.evaluate(HELD)
    return found


async def places_of(harness: Harness) -> dict[str, Point]:
    """Return where the parts of the page are."""
    boxes = {one: await harness.environment.locate(one) for one in ("#field", "#list", "#go")}
    return {one: box.middle for one, box in boxes.items() if box is not None}


async def found(harness: Harness) -> list[object]:
    """Return what a solution finds by selectors, and the page as a document."""
    boxes = [await harness.environment.locate(one) for one in SELECTORS]
    texts = [await harness.environment.read(one) for one in SELECTORS]
    assert None not in boxes + texts
    document = await active(harness).run("document.js")
    return [*boxes, *texts, document["title"], document["text"], len(await find_all(page(harness), "form p"))]


def active(harness: Harness) -> Tab:
    """Return the tab in front."""
    session = harness.environment._session
    assert session is not None
    return session.active


OWN = "<h1>Title</h1><p>What the page says.</p>"
LINKS = "<ul>" + "<li><a href=#>Another page of this site</a>" * 60 + "</ul>"
LAYOUTS = {
    "plain": OWN,
    "tags": f"<header>Site</header><aside>{LINKS}</aside><nav>{LINKS}</nav>{OWN}<footer>Site</footer>",
    "roles": f"<div role=navigation>{LINKS}</div><div>{OWN}</div><div role=contentinfo>Site</div>",
    "classes": f"<div class=header><div class=navheader>Back</div>{OWN}<div class=FooterNavi>Site</div></div>",
    "main": f"<div>{LINKS[:300]}</div><main>{OWN * 9}<nav>{LINKS}</nav></main>",
    "a teaser": f"<article>Read this, too</article><div>{OWN}</div>",
    "hidden": f"<div hidden>{LINKS}</div><div style='display: none'>{LINKS}</div>{OWN}",
}


async def test_a_document_is_what_a_page_says_itself(harness: Harness) -> None:
    """The text of a document has nothing that is around each page of a site, however a page marks it."""
    for name, body in LAYOUTS.items():
        await shown(harness, body)
        text = " ".join((await active(harness).run("document.js"))["text"].split())
        own = " ".join(["Title What the page says."] * (9 if name == "main" else 1))
        assert text == (f"Read this, too {own}" if name == "a teaser" else own), name
    await shown(harness, f"<nav>{LINKS}</nav>")
    assert (await active(harness).run("document.js"))["text"].startswith("Another page")


async def rested(harness: Harness) -> bool:
    """Whether the page in front says that it rests."""
    session = harness.environment._session
    assert session is not None
    return (await session._rest(2.0)).rested


@pytest.mark.slow
async def test_names_of_elements_change_nothing(harness: Harness) -> None:
    """With elements and frames named like every member of the DOM, a page is read and used as without."""
    await shown(harness, BODY.format(named="") + PLAIN)
    places, parts = await places_of(harness), await found(harness)
    names = {kind: await page(harness).evaluate(NAMES, kind) for kind in KINDS}
    plain = told(await seen(harness)), await acted(harness, places)
    for kind in KINDS:
        hidden = "".join(f'<input type=hidden name="{name}" id="{name}">' for name in names[kind])
        pictures = "".join(f'<img hidden name="{name}"><embed hidden name="{name}">' for name in names[kind])
        frames = "".join(f'<iframe hidden name="{name}"></iframe>' for name in names[kind][:20])
        await shown(harness, BODY.format(named=hidden) + PLAIN + pictures + frames)
        assert told(await seen(harness)) == plain[0], kind
        assert await found(harness) == parts, kind
        assert await acted(harness, places) == plain[1], kind
        assert await rested(harness), kind


async def test_scripts_of_the_page_change_nothing(harness: Harness) -> None:
    """A page that replaces the functions of its own world is read and used as without, and no action waits in vain."""
    await shown(harness, BODY.format(named="") + PLAIN)
    places, parts = await places_of(harness), await found(harness)
    plain = told(await seen(harness)), await acted(harness, places)
    for script in SCRIPTS:
        await shown(harness, BODY.format(named="") + PLAIN + f"<script>{script}</script>")
        assert told(await seen(harness)) == plain[0], script
        assert await found(harness) == parts, script
        assert await acted(harness, places) == plain[1], script
        assert await rested(harness), script


async def test_large_pages_are_read_in_part(harness: Harness) -> None:
    """Of a very large page the screen is told first, what is left out is said, and scrolling shows it."""
    rows = "".join(f"<tr><td>{n}<td><a href='#{n}'>open {n}</a><td><button>go</button>" for n in range(5000))
    links = "".join(f"<li><a href='#{n}'>link {n}</a>" for n in range(12000))
    many = f"<ul>{links}</ul>"
    for body, first, later in (
        (f"<table>{rows}</table>", "open 0", "open 4999"),
        (many, "link 0", "link 11999"),
    ):
        await shown(harness, body)
        tree, marked, _, text = await _by_kind(harness)
        assert first in [node.name for node in tree.tree or () if node.role == "link"]
        assert {"link"} <= {mark.role for mark in marked.marks or ()}
        assert len(tree.tree or ()) <= bounds.MOST_NODES
        assert ("Only a part of this very large page was read" in " ".join(tree.notices)) is (body is many)
        assert first in (text.dom or "")
        assert (text.dom or "").count("\n") <= bounds.MOST_LINES + 2
        assert "lines of the page are told, those on the screen first" in " ".join(text.notices)
        await page(harness).evaluate("scrollTo(0, 1e9)")
        tree, marked, _, text = await _by_kind(harness)
        names = [mark.name for mark in marked.marks or ()]
        assert later in names
        assert later in [node.name for node in tree.tree or ()]
        assert later in (text.dom or "")
        number = next(mark for mark in marked.marks or () if mark.name == later)
        await harness.do(Click(*number.box.middle))
        assert page(harness).url.endswith(f"#{later.split()[1]}")


async def _by_kind(harness: Harness) -> list[Observation]:
    return [await harness.environment.observe(kind) for kind in ("tree", "marks", "screenshot+tree", "dom")]


async def test_an_outline_tells_what_the_tree_tells(harness: Harness) -> None:
    """The outline of a large page has what the browser's own tree has, and the same marks."""
    session = harness.environment._session
    assert session is not None
    await harness.go("looks")
    whole = await _by_kind(harness)
    session.active.slow = True
    outlined = await _by_kind(harness)
    session.active.slow = False

    def nodes(one: Observation) -> set[object]:
        return {(node.role, node.name, node.value, *map(round, node.box)) for node in one.tree or ()}

    assert nodes(outlined[0]) == nodes(whole[0])
    assert [mark[1:] for mark in outlined[1].marks or ()] == [mark[1:] for mark in whole[1].marks or ()]


async def test_huge_texts_and_many_parts(harness: Harness) -> None:
    """Of huge texts, many roots, frames and options each kind of observation is there, and of a bounded size."""
    for body in (
        "<p id=t></p><script>t.textContent = 'word '.repeat(1_100_000)</script>",
        "<a id=t href=#>x</a><input id=v><script>t.title = t.ariaLabel = v.value = 'x'.repeat(4e6)</script>",
        "<script>let at = document.body; for (let n = 0; n < 1000; n++) "
        "at = at.appendChild(document.createElement('div')); at.textContent = 'deep'</script>",
        "<script>for (let n = 0; n < 2000; n++) document.body.appendChild(document.createElement('div'))"
        ".attachShadow({mode: n % 2 ? 'open' : 'closed'}).innerHTML = `<button>b${n}</button>`</script>",
        "".join(f"<iframe srcdoc='<button>b{n}</button>' width=90 height=50></iframe>" for n in range(60)),
        "<select><option>first" + "<option>o" * 10_000 + "</select>",
    ):
        await shown(harness, body)
        for one in await seen(harness):
            parts = [*(one.tree or ()), *(mark[1:] for mark in one.marks or ()), one.dom or ""]
            assert len(json.dumps(parts)) < 2 * bounds.MOST_CHARACTERS, body[:60]
            assert "could not be read" not in " ".join(one.notices), body[:60]
            cut = [part for part in parts if "(cut)" in json.dumps(part)]
            assert not cut or bounds.SHORTENED in " ".join(one.notices), body[:60]
            assert one.marks is not None or any(parts), body[:60]


async def test_a_script_of_ours_that_fails_is_told(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script of the driver that fails is told by its name, one that does not end is stopped; the picture is shown."""
    session = harness.environment._session
    assert session is not None
    await shown(harness, "<p>hello")
    with pytest.raises(ScriptError, match=r"hit\.js: TypeError"):
        await session.active.run("hit.js", None)

    async def broken(name: str, *given: object) -> Any:
        raise ScriptError(f"{name}: TypeError: no such thing")

    monkeypatch.setattr(tabs, "_RUNS", 0.2)
    monkeypatch.setattr(tabs, "isolated", lambda name: "for (;;);")
    with pytest.raises(TimeoutError):
        await session.active.run("hit.js")
    monkeypatch.undo()
    monkeypatch.setattr(session.active, "run", broken)
    one = await harness.environment.observe("marks")
    assert one.screenshot
    assert "a script of the driver failed in it (outline.js: TypeError: no such thing)" in " ".join(
        one.notices
    )
    assert await harness.do(Scroll(5, 5, dy=1))
