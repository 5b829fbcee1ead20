"""Run inside of the box: the Model Context Protocol over standard input and output, forwarded to the door.

For programs that start their server instead of connecting to one. Each line is one message. Standard library only.
"""

import json
import os
import sys
import urllib.error
import urllib.request


def main() -> None:
    """Forward messages until standard input ends."""
    # The door is reached directly, though the box's variables may name a proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    headers = {
        "Authorization": f"Bearer {os.environ['CUABENCH_TOKEN']}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        request = urllib.request.Request(os.environ["CUABENCH_URL"] + "/mcp", line, headers)  # noqa: S310
        try:
            with opener.open(request) as response:
                answer = response.read().decode().strip()
        except urllib.error.HTTPError as error:
            answer = _problem(line, error.read().decode(errors="replace"))
        except OSError as error:  # the door hangs up on what is too long
            answer = _problem(line, str(error))
        if answer:
            print(answer.replace("\n", " "), flush=True)  # noqa: T201


def _problem(line: bytes, words: str) -> str:
    try:
        number = json.loads(line).get("id")
    except (ValueError, AttributeError, RecursionError):
        number = None
    return json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": -32600, "message": words[:500]}})


if __name__ == "__main__":
    main()
