"""The scripts that run inside pages, kept as files of their own language."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

_SECRET = secrets.token_hex(16)
_SOURCE = f"{secrets.token_hex(8)}.js"  # a page that formats stacks by itself may see it
BINDING = "screenTold"  # by which scripts beside a page tell the driver; it stands in their world alone


def event() -> str:
    """Return the type of event by which the scripts are asked, unknown to pages."""
    return _SECRET


@cache
def script(name: str) -> str:
    """Return the text of a script of this package."""
    return (
        files("pytest_cuabench.drivers.chromium")
        .joinpath("page_scripts")
        .joinpath(name)
        .read_text(encoding="utf-8")
        .replace("SECRET", _SECRET)
        .replace("SOURCE", _SOURCE)
    )


def within(texts: Iterable[str], settings: Mapping[str, object]) -> str:
    """Return one script that runs in pages before their own, of texts that share what `rest.js` has for them."""
    body = "\n".join([script("rest.js"), *texts])
    given = f"const shared = {{}}, SETTINGS = {json.dumps(settings)};"
    # Where the calls of a script are listed they have this name, and are taken out of what a page is thrown.
    return f'(() => {{ "use strict"; {given}\n{body}\n}})();\n//# sourceURL={_SOURCE}\n'


def beside(names: Iterable[str], settings: Mapping[str, object]) -> str:
    """Return one script that listens in a world beside the page's own scripts, of several of this package."""
    texts = [script(name) for name in ("native.js", "beside.js", *names)]
    body = "\n".join(texts).replace('"BINDING"', json.dumps(BINDING))
    return f'(() => {{ "use strict"; const SETTINGS = {json.dumps(settings)};\n{body}\n}})()'


def with_native(name: str) -> str:
    """Return a script, an expression, that has the browser's own members by `native.js`, for a world of its own."""
    return f"(() => {{\n{script('native.js')}\nreturn (\n{script(name)}\n);\n}})()"


def isolated(name: str, *given: object) -> str:
    """Return an expression that calls a script, a function, in a world beside the page's scripts; see `native.js`."""
    return f"{with_native(name)}({', '.join(json.dumps(one) for one in given)})"


def rest(limit: int, began: float, known: Iterable[str]) -> str:
    """Return an expression that waits until a page rests, for a world of its own.

    Args:
        limit: Milliseconds to wait at most.
        began: When the last action began, in milliseconds since 1970.
        known: Names of what repeats by itself from the load of a page on, as the page told them.
    """
    given = json.dumps({"limit": limit, "began": began, "known": list(known)})
    return f"""new Promise((done) => {{
      const reply = "{_SECRET}" + Math.random();
      addEventListener(reply, (event) => done(event.detail), {{once: true}});
      const detail = JSON.stringify({{...{given}, reply}});
      if (dispatchEvent(new CustomEvent("{_SECRET}", {{cancelable: true, detail}}))) done(null);
    }})"""
