"""A scripted model server for Agent-S, by OpenAI's protocol; it runs in the box and starts the program behind it."""

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SCRIPT = json.loads(os.environ["SCRIPT"])
given = 0


class Server(BaseHTTPRequestHandler):
    """Answers with the next plan, with a point, or with a reflection."""

    def do_POST(self) -> None:
        """Answer a request."""
        global given
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        assert "data:image/png;base64," in asked
        if "Output only the coordinate" in asked:
            text = str(SCRIPT["point"])
        elif "class Agent" in asked or "def click(" in asked:
            word = re.search(r"Write (.+?) into", json.dumps(json.loads(asked), ensure_ascii=False))
            plan = SCRIPT["plans"][given].replace("WORD", word[1] if word else "")
            text = f"(Grounded Action)\nNext.\n```python\n{plan}\n```"
            given += 1
        else:
            text = "The trajectory goes as planned."
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "scripted",
            "choices": [choice],
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        """Say nothing."""


threading.Thread(target=ThreadingHTTPServer(("127.0.0.1", 8765), Server).serve_forever, daemon=True).start()
sys.exit(subprocess.run(sys.argv[1:]).returncode)
