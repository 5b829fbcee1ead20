"""Run in the box: a scripted model server by OpenAI's protocol on its loopback, then the command that is given.

It solves the clinic's task of saving a disposition as browser-use's models do: by the numbers of elements that it is
told.
"""

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

GOAL = os.environ["CUABENCH_TASK"]
(USER,) = re.findall(r"user ID is (\S+) and the password is (\S+?)\. ", GOAL)
MRN = re.findall(r"MRN (\w+)", GOAL)[0]
PLACE = re.findall(r"(?:choose|Select|mark) “(.+?)”", GOAL)[0]
TURNS = count()


def actions(seen: str, turn: int) -> list[dict[str, object]]:
    """Return the actions of a turn."""
    match turn:
        case 0:
            user, password = (
                _number(seen, r"<input[^>]*type=text"),
                _number(seen, r"<input[^>]*type=password"),
            )
            return [
                {"input": {"index": number, "text": text}}
                for number, text in ((user, USER[0]), (password, USER[1]))
            ]
        case 1:
            return [_click(seen, r"<button[^\n]*\n\s*Sign in")]
        case 2:
            return [_click(seen, rf"<a(?=[^\[]*\n(?:(?!<tr)[\s\S])*{MRN})")]
        case 3:
            return [_click(seen, r"<a[^\n]*\n\s*Disposition")]
        case 4:
            return [_click(seen, rf"<label[^\n]*\n\s*{PLACE}")]
        case 5:
            return [_click(seen, r"<button[^\n]*\n\s*Save disposition")]
    return [{"done": {"text": "Saved.", "success": True}}]


def _click(seen: str, pattern: str) -> dict[str, object]:
    return {"click": {"index": _number(seen, pattern)}}


def _number(seen: str, pattern: str) -> int:
    found = re.findall(r"\[(\d+)\]" + pattern, seen)
    if not found:
        raise LookupError(f"no {pattern} in {seen}")
    return int(found[-1])


class Model(BaseHTTPRequestHandler):
    """Answers requests for chat completions."""

    def do_POST(self) -> None:
        """Answer by the actions of the next turn."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        contents = [message["content"] for message in body["messages"]]
        parts = [
            part for each in contents for part in ([{"text": each}] if isinstance(each, str) else each or [])
        ]
        seen = "\n".join(part.get("text", "") for part in parts)
        try:
            decided = actions(seen[seen.rfind("<browser_state>") :], next(TURNS))
        except LookupError as error:
            decided = [{"done": {"text": str(error), "success": True}}]
        told = {"evaluation_previous_goal": "", "memory": "", "next_goal": "", "action": decided}
        message = {"role": "assistant", "content": json.dumps(told)}
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def main() -> int:
    """Serve, and run the command."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/v1"
    return subprocess.run(sys.argv[1:], env={**os.environ, "OPENAI_BASE_URL": address}).returncode


sys.exit(main())
