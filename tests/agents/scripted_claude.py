"""Run in the box: a scripted model server for Claude Code on its loopback, then the command that is given.

The model calls the tool `key` with n, then `finish`, then says that it is done. It fails where the result of the first
call shows no picture.
"""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CALLS = [("mcp__cua__key", {"keys": ["n"]}), ("mcp__cua__finish", {"answer": "done"})]
OFFERED: set[str] = set()


class Model(BaseHTTPRequestHandler):
    """Answers streaming requests of the Messages API."""

    def do_POST(self) -> None:
        """Answer by the next call, counted by the results in the conversation."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
            self.send_error(404)
            return
        OFFERED.update(tool["name"] for tool in body.get("tools", ()))
        told = [block for message in body["messages"] for block in _blocks(message)]
        results = [block for block in told if block["type"] == "tool_result"]
        if results and '"type": "image"' not in json.dumps(results[0]):
            self.send_error(400, "the first result shows no picture")
            return
        self._stream(CALLS[len(results)] if len(results) < len(CALLS) and OFFERED else None)

    def _stream(self, call: tuple[str, dict[str, object]] | None) -> None:
        usage = {"input_tokens": 10, "output_tokens": 5}
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-5-5",
            "content": [],
        }
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": "Done."}
        if call:
            block = {"type": "tool_use", "id": f"toolu_{CALLS.index(call)}", "name": call[0], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        stop = "tool_use" if call else "end_turn"
        events = [
            {"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
            {"type": "message_stop"},
        ]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def log_message(self, *words: object) -> None:
        """Write nothing."""


def _blocks(message: dict) -> list[dict]:
    return message["content"] if isinstance(message["content"], list) else []


server = ThreadingHTTPServer(("127.0.0.1", 9000), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
done = subprocess.run(sys.argv[1:], env={**os.environ, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9000"})
sys.exit(done.returncode)
