"""Serve GNU Health on a Unix socket until standard input ends; run by the Python that it is installed in.

    python serve.py SOCKET        with TRYTOND_CONFIG in the environment

`POST /-/open/NAME` forgets what is remembered of a database, after its file was replaced.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

from trytond.application import app
from trytond.cache import Cache
from trytond.pool import Pool
from trytond.transaction import Transaction
from werkzeug.serving import make_server

_DOOR = "/-/open/"
_SAME = ("ir.", "ir_ui_view.", "ir_model", "modelview.")  # caches that only an administrator's changes reach


def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Answer the world program's own request, and pass all others to GNU Health."""
    path = environ["PATH_INFO"]
    if not path.startswith(_DOOR):
        environ["REMOTE_ADDR"] = "127.0.0.1"  # a socket has none, and signing in asks for it
        return app(environ, start)
    name = path.removeprefix(_DOOR)
    if name in Pool.database_list():
        _forget(name)
    else:
        with Transaction().start(name, 0, readonly=True):
            Pool(name).init()
    start("204 No Content", [])
    return []


def _forget(name: str) -> None:
    """Forget what a session may have changed; views and translations are those of the template in all of them."""
    for cache_name, cache in Cache._instances.items():
        if not cache_name.startswith(_SAME):
            cache._clear(name)


def _wait_for_eof() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_wait_for_eof, daemon=True).start()
    server = make_server(f"unix://{sys.argv[1]}", 0, answer, threaded=True)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    server.serve_forever()
