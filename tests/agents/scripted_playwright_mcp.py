"""Run in the box: a scripted client of Playwright MCP, which solves the clinic's task of saving a disposition.

It starts the server that is named on its command line, speaks the Model Context Protocol by lines of JSON, and acts by
the references of the page's snapshots, as a model does.
"""

import json
import os
import re
import subprocess
import sys
import urllib.request
from itertools import count

NUMBERS = count(1)


def main() -> None:
    """Play."""
    goal = _briefing()["goal"]
    (user,) = re.findall(r"user ID is (\S+) and the password is (\S+?)\. ", goal)
    mrn, place = re.findall(r"MRN (\w+)", goal)[0], re.findall(r"(?:choose|Select|mark) “(.+?)”", goal)[0]
    with subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        about = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "tests", "version": "1"},
        }
        _ask(server, "initialize", about)
        _tell(server, {"method": "notifications/initialized"})
        seen = _call(server, "browser_snapshot")
        _call(server, "browser_type", element="User ID", target=_ref(seen, 'textbox "User ID"'), text=user[0])
        field = _ref(seen, 'textbox "Password"')
        _call(server, "browser_type", element="Password", target=field, text=user[1], submit=True)
        seen = _call(server, "browser_snapshot")
        _call(server, "browser_click", element="patient", target=_ref_in_row(seen, mrn))
        seen = _call(server, "browser_snapshot")
        _call(server, "browser_click", element="Disposition", target=_ref(seen, 'link "Disposition"'))
        seen = _call(server, "browser_snapshot")
        _call(server, "browser_click", element=place, target=_ref(seen, f'radio "{place}'))
        _call(server, "browser_take_screenshot")
        seen = _call(server, "browser_snapshot")
        _call(server, "browser_click", element="save", target=_ref(seen, 'button "Save disposition"'))
        server.kill()


def _briefing() -> dict[str, str]:
    headers = {"Authorization": f"Bearer {os.environ['CUABENCH_TOKEN']}"}
    request = urllib.request.Request(os.environ["CUABENCH_URL"] + "/v1/briefing", headers=headers)
    with urllib.request.urlopen(request) as response:
        found: dict[str, str] = json.load(response)
    return found


def _ref(seen: str, what: str) -> str:
    """Return the reference of an element in a snapshot."""
    found = re.search(re.escape(what) + r".*?\[ref=(\w+)\]", seen)
    if not found:
        sys.exit(f"no {what} in {seen}")
    return found[1]


def _ref_in_row(seen: str, words: str) -> str:
    """Return the reference of the first link in the row of a table that holds some words."""
    lines = seen.splitlines()
    place = next(n for n, line in enumerate(lines) if words in line)
    start = max(n for n in range(place + 1) if lines[n].lstrip().startswith("- row"))
    return _ref("\n".join(lines[start:]), "- link")


def _call(server: "subprocess.Popen[str]", tool: str, **arguments: object) -> str:
    result = _ask(server, "tools/call", {"name": tool, "arguments": arguments})
    text = "\n".join(part.get("text", "") for part in result["content"])
    if result.get("isError"):
        sys.exit(f"{tool} failed: {text[:500]}")
    return text


def _ask(server: "subprocess.Popen[str]", method: str, parameters: object) -> dict[str, object]:
    number = next(NUMBERS)
    _tell(server, {"id": number, "method": method, "params": parameters})
    assert server.stdout is not None
    for line in server.stdout:
        message = json.loads(line)
        if message.get("id") == number and "method" not in message:
            if "error" in message:
                sys.exit(f"{method}: {message['error']}")
            return dict(message["result"])
    sys.exit("the server ended")


def _tell(server: "subprocess.Popen[str]", message: dict[str, object]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    server.stdin.flush()


main()
