"""Serve a page with a button that keeps a note late: python serve.py PORT DATABASE.

The file that LATE_WRITE names says how: kind, seconds and text of the note, separated by spaces.

    commit    the request is answered when the note is kept, after the seconds
    autosave  the page sends it after the seconds
    beacon    the page sends it when it is left; it is kept after the seconds
    job       the request is answered at once; a thread keeps the note after the seconds
    held      likewise, but when the file LATE_WRITE.go is there
    start     showing the page keeps it, once, if the file LATE_WRITE.go is there
"""

import http.server
import json
import os
import sqlite3
import sys
import threading
import time
from pathlib import Path

PORT, DATABASE = sys.argv[1:]
GO = Path(os.environ["LATE_WRITE"] + ".go")
SENDS = {
    "commit": "fetch('/keep', {method: 'POST'})",
    "autosave": "setTimeout(() => fetch('/keep', {method: 'POST'}), SECONDS * 1000)",
    "beacon": "window.addEventListener('pagehide', () => navigator.sendBeacon('/keep'))",
    "job": "fetch('/keep', {method: 'POST'})",
    "held": "fetch('/keep', {method: 'POST'})",
    "start": "",
}
open_jobs: list[threading.Thread] = []


def told() -> tuple[str, float, str]:
    kind, seconds, text = Path(os.environ["LATE_WRITE"]).read_text().split()
    return kind, float(seconds), text


def held(text: str) -> None:
    while not GO.exists():
        time.sleep(0.02)
    keep(0.0, text)


def keep(seconds: float, text: str) -> None:
    time.sleep(seconds)
    with sqlite3.connect(DATABASE, timeout=30) as database:
        database.execute("INSERT INTO notes(text) VALUES (?)", (text,))


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, seconds, text = told()
        if kind == "start" and GO.exists():
            GO.unlink()
            keep(0.0, text)
        sends = SENDS[kind].replace("SECONDS", str(seconds))
        page = f'<button style="width: 300px; height: 200px" onclick="{sends}">Keep</button>'
        if self.path == "/jobs-4711":
            jobs = sum(job.is_alive() for job in open_jobs)
            page = json.dumps({"idle": not jobs, "work": [f"{jobs} jobs"]})
        self.answer(200, page)

    def do_POST(self) -> None:
        kind, seconds, text = told()
        if kind in ("job", "held"):
            work, given = (keep, (seconds, text)) if kind == "job" else (held, (text,))
            open_jobs.append(threading.Thread(target=work, args=given, daemon=True))
            open_jobs[-1].start()
        else:
            keep(0.0 if kind == "autosave" else seconds, text)
        self.answer(204, "")

    def answer(self, status: int, text: str) -> None:
        try:
            self.send_response(status)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())
        except OSError:
            pass  # the client has gone

    def log_message(self, *_: object) -> None:
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(PORT)), Handler).serve_forever()
