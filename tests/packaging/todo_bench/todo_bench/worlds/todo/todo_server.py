"""A world program with the standard library only: lists of things to do, one for each session."""

import argparse
import json
import secrets
import socketserver
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SESSIONS = {}  # id -> the journal of a session


class Handler(BaseHTTPRequestHandler):
    """What both listeners share."""

    def reply(self, status, data=None):
        body = b"" if data is None else json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()

    def log_message(self, *_):
        pass


class Public(Handler):
    """What an agent reaches: the host's name says whose list it is."""

    def do_GET(self):
        self.reply(200, [write["after"]["title"] for write in SESSIONS[self.session()]])

    def do_POST(self):
        journal = SESSIONS[self.session()]
        row = {"title": self.body(), "done": False}
        journal.append(
            {
                "collection": "todos",
                "key": str(len(journal) + 1),
                "op": "insert",
                "before": None,
                "after": row,
            }
        )
        self.reply(204)

    def session(self):
        return self.headers["Host"].partition(".")[0]


class Control(Handler):
    """What only the plugin reaches, over a Unix socket."""

    def address_string(self):
        return "control"

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/health":
            self.reply(200, {"ok": True, "protocol": 1, "applications": ["desk"]})
        elif (session := path.split("/")[2]) not in SESSIONS:
            self.reply(404, {"error": "there is no session with this id"})
        else:
            journal = SESSIONS[session]
            rows = {write["key"]: write["after"] for write in journal}
            self.reply(200, {"collections": {"todos": rows}, "journal": journal, "revision": len(journal)})

    def do_POST(self):
        if json.loads(self.body())["application"] != "desk":
            self.reply(400, {"error": "application must be desk"})
            return
        session = secrets.token_hex(8)
        SESSIONS[session] = []
        origin = f"http://{session}.localhost:{public.server_address[1]}"
        self.reply(201, {"id": session, "origin": origin, "start_url": f"{origin}/", "revision": 0})

    def do_DELETE(self):
        SESSIONS.pop(self.path.split("/")[2], None)
        self.reply(204)


class ControlServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """HTTP over a Unix socket."""

    daemon_threads = True


parser = argparse.ArgumentParser()
parser.add_argument("--listen", required=True)
parser.add_argument("--control", required=True)
parser.add_argument("--fixtures")
parser.add_argument("--until-eof", action="store_true")
given = parser.parse_args()
host, _, port = given.listen.rpartition(":")
public = ThreadingHTTPServer((host, int(port)), Public)
control = ControlServer(given.control, Control)
for server in (public, control):
    threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdout.write(json.dumps({"ready": True, "protocol": 1, "applications": ["desk"]}) + "\n")
sys.stdout.flush()
sys.stdin.read()  # until the plugin ends
