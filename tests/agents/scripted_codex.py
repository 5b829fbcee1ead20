"""Run in the box: a scripted model server for Codex on its loopback, then the command that is given.

Codex lets this model call tools by a program in JavaScript only. The model calls `key` with n, then `finish`, then says
that it is done. It fails where the result of the first call shows no picture.
"""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CALLS = [
    "const seen = await tools.mcp__cua__key({keys: ['n']}); image(seen.content.find(part => part.type === 'image'));",
    "text(await tools.mcp__cua__finish({answer: 'done'}));",
]
CONFIG = Path(".codex/config.toml")


class Model(BaseHTTPRequestHandler):
    """Answers streaming requests of the Responses API."""

    def do_POST(self) -> None:
        """Answer by the next call, counted by the results in the conversation."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        results = [item for item in body["input"] if item["type"] == "custom_tool_call_output"]
        if results and '"type": "input_image"' not in json.dumps(results[0]):
            self.send_error(400, "the first result shows no picture")
            return
        number = len(results)
        item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
        if number < len(CALLS):
            item = {
                "type": "custom_tool_call",
                "call_id": f"call_{number}",
                "namespace": "functions",
                "name": "exec",
                "input": CALLS[number],
            }
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        response = {"id": f"resp_{number}", "object": "response"}
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in (
            {"type": "response.created", "response": response},
            {
                "type": "response.output_item.done",
                "output_index": 0,
                "item": {"id": f"item_{number}", **item},
            },
            {"type": "response.completed", "response": {**response, "usage": usage}},
        ):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def log_message(self, *words: object) -> None:
        """Write nothing."""


server = ThreadingHTTPServer(("127.0.0.1", 9000), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
CONFIG.write_text(CONFIG.read_text().replace("https://api.openai.com", "http://127.0.0.1:9000"))
sys.exit(subprocess.run(sys.argv[1:], env={**os.environ, "OPENAI_API_KEY": "sk-of-the-tests"}).returncode)
