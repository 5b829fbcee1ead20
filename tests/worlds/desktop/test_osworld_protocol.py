"""OSWorld's calls, each in the shape that its clients know, and nothing beyond what the desktop's user may do."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from .on_a_port import open_guest

NAMESPACE = "{https://accessibility.ubuntu.example.org/ns/%s}"
PROBE = ["python3", "/opt/guest/probe_window.py", "/home/user/probe.jsonl"]


@pytest.fixture(scope="module")
def machine() -> Iterator[httpx.Client]:
    """A client of a machine that all tests share."""
    with open_guest() as (_, client):
        yield client


@pytest.fixture(scope="module")
def window(machine: httpx.Client) -> httpx.Client:
    """The same machine with a window on it."""
    assert machine.post("/setup/launch", json={"command": PROBE}).text.endswith("launched successfully")
    shown = {
        "command": "true",
        "shell": True,
        "verification": {"window_exists": "Probe"},
        "check_interval": 0.2,
    }
    assert machine.post("/setup/execute_with_verification", json=shown).json()["verification"] == "passed"
    return machine


def run(machine: httpx.Client, command: str | list[str], *, shell: bool = False) -> dict[str, Any]:
    """Return the JSON of a command."""
    reply = machine.post("/execute", json={"command": command, "shell": shell})
    return dict(reply.json()) | {"status_code": reply.status_code}


@pytest.mark.slow
def test_platform_and_sizes(machine: httpx.Client) -> None:
    """A machine that nobody started yet has a screen, a pointer and a name."""
    assert machine.get("/platform").text == "Linux"
    assert machine.post("/screen_size").json() == {"width": 1280, "height": 800}
    run(machine, ["python", "-c", "import pyautogui; pyautogui.moveTo(33, 44)"])
    assert machine.get("/cursor_position").json() == [33, 44]
    assert machine.get("/terminal").json() == {"output": None, "status": "success"}


def test_screenshot(machine: httpx.Client) -> None:
    """The screenshot is a PNG of the screen, and the pointer is on it."""
    run(machine, ["python", "-c", "import pyautogui; pyautogui.moveTo(600, 400)"])
    first = Image.open(io.BytesIO(machine.get("/screenshot").content)).convert("RGB")
    run(machine, ["python", "-c", "import pyautogui; pyautogui.moveTo(100, 100)"])
    second = Image.open(io.BytesIO(machine.get("/screenshot").content)).convert("RGB")
    assert (first.format or "PNG", first.size) == ("PNG", (1280, 800))
    near = (590, 390, 620, 430)
    assert first.crop(near).tobytes() != second.crop(near).tobytes()


def test_commands(machine: httpx.Client) -> None:
    """A command is a list, a line that is split, or a line for a shell; its code is told and no error."""
    assert run(machine, ["echo", "a b"])["output"] == "a b\n"
    assert run(machine, "echo 'a b' c")["output"] == "a b c\n"
    assert run(machine, "echo $HOME | tr a-z A-Z", shell=True)["output"] == "/HOME/USER\n"
    assert run(machine, "ls ~/nowhere")["error"].startswith("ls: cannot access '/home/user/nowhere'")
    assert run(machine, "exit 3", shell=True) | {"status_code": 200} == {
        "status": "success", "output": "", "error": "", "returncode": 3, "status_code": 200,
    }  # fmt: skip
    assert machine.post("/setup/execute", json={"command": ["true"]}).json()["returncode"] == 0


@pytest.mark.parametrize("command", ["", "a 'b", [], ["a", 5], 7, ["nonesuch"], "a\0b"])
def test_impossible_commands(machine: httpx.Client, command: object) -> None:
    """What cannot be run is told as an error in the protocol's shape."""
    for path in ("/execute", "/setup/launch"):
        reply = machine.post(path, json={"command": command})
        assert reply.status_code in (400, 500), (path, reply.text)
        assert reply.json()["status"] == "error"
        assert reply.json()["message"]


def test_commands_run_as_the_desktops_user(machine: httpx.Client) -> None:
    """A command is an ordinary user in a box: no other processes, no network, nothing of the host."""
    assert run(machine, ["id", "-un"])["output"] == "user\n"
    processes = run(machine, "ls /proc | grep -c '^[0-9]'", shell=True)["output"]
    assert int(processes) < 10
    assert run(machine, "tail -n +3 /proc/net/dev", shell=True)["output"].split(":")[0].strip() == "lo"
    assert run(machine, ["ls", "/"])["output"].split() == [
        "bin", "dev", "etc", "home", "lib", "lib64", "opt", "proc", "run", "sbin", "sys", "tmp", "usr", "var",
    ]  # fmt: skip
    assert run(machine, ["touch", "/opt/tools/bin/python", "/opt/guest/x", "/usr/x"])["returncode"] != 0
    assert "CapEff:\t0000000000000000" in run(machine, ["cat", "/proc/self/status"])["output"]


def test_verification(machine: httpx.Client) -> None:
    """A command is verified by another that must succeed; what never does is an error that says so."""
    wanted = {"command": ["true"], "verification": {"command_success": "false"}, "max_wait_time": 0.3}
    reply = machine.post("/execute_with_verification", json=wanted)
    assert reply.status_code == 500
    assert "Verification failed after 0.3 seconds: the command does not succeed" in reply.json()["message"]
    unknown = wanted | {"verification": {"moon": "full"}}
    assert machine.post("/execute_with_verification", json=unknown).status_code == 400


def test_fields_come_as_json_or_as_a_form(machine: httpx.Client) -> None:
    """Every call takes its fields as a JSON object or as a form, where `shell=True` is written out."""
    run(machine, ["mkdir", "-p", "/home/user/both"])
    trees = [
        machine.post("/list_directory", **{kind: {"path": "~/both"}}).json() for kind in ("json", "data")
    ]
    assert trees[0] == trees[1] == {"directory_tree": {"type": "directory", "name": "both", "children": []}}
    machine.post("/write", data={"path": "~/both/n", "content": "5"})
    assert machine.post("/file", json={"file_path": "~/both/n"}).content == b"5"
    assert machine.post("/window_size", json={"app_class_name": "moon"}).status_code == 404
    for shell in ("true", "True"):
        said = machine.post("/execute", data={"command": "echo $HOME", "shell": shell}).json()
        assert said["output"] == "/home/user\n"
    assert machine.post("/execute", data={"command": ["echo", "a b"]}).json()["output"] == "a b\n"
    verified = {"command": "true", "verification": '{"command_success": "true"}', "check_interval": "0.2"}
    assert machine.post("/execute_with_verification", data=verified).json()["verification"] == "passed"
    for wrong in ({"command": "true", "shell": "perhaps"}, {"shell": "true"}):
        assert machine.post("/execute", data=wrong).status_code == 400
    assert machine.post("/execute", content="command=true").status_code == 415
    assert (
        machine.post("/execute", content="{", headers={"content-type": "application/json"}).status_code == 400
    )


def test_python_programs(machine: httpx.Client) -> None:
    """A Python program is run as a file with its own input; output, errors and exit code are told apart."""
    done = machine.post("/run_python", json={"code": "import sys\nprint('é', len(sys.stdin.read()))"}).json()
    assert done == {
        "status": "success", "message": "é 0\n", "need_more": False, "output": "é 0\n", "error": "",
        "return_code": 0,
    }  # fmt: skip
    failed = machine.post("/run_python", json={"code": "print(1)\n1 / 0"}).json()
    assert (failed["status"], failed["output"], failed["return_code"]) == ("error", "1\n", 1)
    assert failed["error"].endswith("ZeroDivisionError: division by zero\n")
    assert failed["message"] == failed["output"] + "\n" + failed["error"]
    silent = machine.post("/run_python", json={"code": "raise SystemExit(3)"}).json()
    assert (silent["error"], silent["return_code"]) == ("Process exited with code 3", 3)
    assert machine.post("/run_python", json={}).status_code == 400
    assert run(machine, "ls /tmp/tmp.*", shell=True)["returncode"] != 0


def test_bash_scripts(machine: httpx.Client) -> None:
    """A bash script runs in its folder with its errors among the output; a late one is an error."""
    run(machine, ["mkdir", "-p", "/home/user/there"])
    script = "pwd\nread line\necho $BASH_VERSINFO >&2\nexit 4"
    done = machine.post("/run_bash_script", json={"script": script, "working_dir": "~/there"}).json()
    assert done == {"status": "error", "output": "/home/user/there\n5\n", "error": "", "returncode": 4}
    defaults = {"script": "true", "timeout": 30, "working_dir": None}
    assert machine.post("/run_bash_script", json=defaults).json()["status"] == "success"
    late = machine.post("/run_bash_script", json={"script": "sleep 9", "timeout": 0.5})
    assert (late.status_code, late.json()["returncode"]) == (500, -1)
    assert late.json()["output"] == "Script execution timed out after 0.5 seconds"
    for wrong in ({}, {"script": "true", "timeout": "soon"}, {"script": "true", "working_dir": "~/nowhere"}):
        assert machine.post("/run_bash_script", json=wrong).json()["returncode"] == -1


def test_files(machine: httpx.Client) -> None:
    """Files go there and come back byte for byte, with folders made on the way."""
    content = bytes(range(256))
    sent = machine.post(
        "/setup/upload", data={"file_path": "~/a/é b.bin"}, files={"file_data": ("f", content)}
    )
    assert (sent.status_code, sent.text) == (200, "File Uploaded: 256 bytes")
    got = machine.post("/file", data={"file_path": "$HOME/a/é b.bin"})
    assert got.content == content
    assert got.headers["content-disposition"].startswith("attachment")
    assert machine.post("/setup/upload", data={"file_path": "/x"}).json().keys() == {"error"}


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/home/user", "/etc/shadow", "/root/.bashrc", "../../etc/shadow", "/proc/1/mem", "~/out"],
)
def test_files_out_of_reach(machine: httpx.Client, path: str) -> None:
    """What the desktop's user cannot read is not found, by whatever path or link."""
    run(machine, ["ln", "-sfn", "/root/.bashrc", "/home/user/out"])
    reply = machine.post("/file", data={"file_path": path})
    assert (reply.status_code, reply.json()) == (404, {"error": "File not found"})
    assert machine.get("/read", params={"path": path}).status_code == 404


def test_uploads_stay_inside(machine: httpx.Client, tmp_path: Path) -> None:
    """An upload is written by the desktop's user: never over the system, never outside of the box."""
    files = {"file_data": ("f", b"x")}
    for path in ("/usr/bin/owned", "/opt/tools/bin/owned", "/etc/passwd"):
        assert machine.post("/setup/upload", data={"file_path": path}, files=files).status_code == 500
    there = tmp_path / "owned"
    machine.post("/setup/upload", data={"file_path": str(there)}, files=files)
    assert not there.exists()
    assert (
        machine.post("/setup/upload", data={"file_path": "../../../tmp/up"}, files=files).status_code == 200
    )
    assert not Path("/tmp/up").exists()


def test_text_files(machine: httpx.Client) -> None:
    """ScienceBoard's calls read, write and add to a text."""
    assert machine.post("/write", json={"path": "~/n.tex", "content": "é1\n"}).status_code == 200
    assert machine.post("/append", json={"path": "~/n.tex", "content": "2\n"}).status_code == 200
    assert machine.get("/read", params={"path": "~/n.tex"}).text == "é1\n2\n"
    assert machine.post("/write", json={"path": "~/n.tex"}).status_code == 200  # no content empties it
    assert machine.get("/read", params={"path": "~/n.tex"}).text == ""


def test_listing(machine: httpx.Client) -> None:
    """A folder is told as a tree of names."""
    run(machine, "mkdir -p ~/list/b && touch ~/list/a.txt '~/list/x' ~/list/b/$'c\\nd'", shell=True)
    tree = machine.post("/list_directory", json={"path": "~/list"}).json()["directory_tree"]
    assert (tree["type"], tree["name"]) == ("directory", "list")
    assert {child["name"] for child in tree["children"]} == {"a.txt", "b"}
    assert machine.post("/list_directory", json={"path": "~/nowhere"}).status_code == 400
    assert machine.post("/desktop_path").json() == {"desktop_path": "/home/user/Desktop"}


def test_tree(window: httpx.Client) -> None:
    """The tree is OSWorld's XML: roles as tags, states, texts and places in their namespaces."""
    root = ET.fromstring(window.get("/accessibility").json()["AT"])
    assert root.tag == "desktop-frame"
    (button,) = [node for node in root.iter("push-button") if node.get("name") == "Clear"]
    assert button.get(NAMESPACE % "state" + "showing") == "true"
    x, y = json.loads(
        (button.get(NAMESPACE % "component" + "screencoord") or "").replace("(", "[").replace(")", "]")
    )
    width, height = json.loads(
        (button.get(NAMESPACE % "component" + "size") or "").replace("(", "[").replace(")", "]")
    )
    assert x < 1210 < x + width
    assert y < 740 < y + height


def test_depth_of_the_tree(window: httpx.Client) -> None:
    """ScienceBoard may ask for a shallower tree; other depths than a tree has are refused."""
    whole = len(window.get("/accessibility").json()["AT"])
    assert window.post("/opt", json={"depth": 2}).status_code == 200
    cut = ET.fromstring(window.get("/accessibility").json()["AT"])
    assert window.post("/opt", json={"depth": 50}).status_code == 200
    assert len(ET.tostring(cut)) < whole
    assert not [grand for child in cut for inner in child for grand in inner]
    assert [window.post("/opt", json={"depth": depth}).status_code for depth in (0, 51, True, "2")] == [
        400
    ] * 4


def test_windows(window: httpx.Client) -> None:
    """A window is found by title and class, measured, brought to the front, and closed."""
    assert window.post("/window_size", data={"app_class_name": "probe_window.py"}).json() == {
        "width": 1280,
        "height": 800,
    }
    assert window.post("/window_size", data={"app_class_name": "moon"}).status_code == 404
    strict = {"window_name": "prob", "strict": True}
    assert window.post("/setup/activate_window", json=strict).status_code == 404
    assert window.post("/setup/activate_window", json=strict | {"strict": False}).status_code == 200
    by_class = {"window_name": "probe_window.py", "by_class": True, "strict": True}
    assert window.post("/setup/close_window", json=by_class).status_code == 200
    end = time.monotonic() + 60
    while window.post("/setup/close_window", json=by_class).status_code == 200 and time.monotonic() < end:
        time.sleep(0.05)
    assert window.post("/setup/close_window", json=by_class).status_code == 404


def test_opening(machine: httpx.Client) -> None:
    """A program is opened by its name, until its window is there; what is neither file nor program is not."""
    opened = machine.post("/setup/open_file", json={"path": " ".join(PROBE)})
    assert (opened.status_code, opened.text) == (200, "File opened and window activated successfully")
    assert machine.post("/setup/open_file", json={"path": "nonesuch"}).status_code == 404
    machine.post("/setup/close_window", json={"window_name": "Probe"})


def test_wallpaper(machine: httpx.Client) -> None:
    """A picture is put behind the windows, and can be asked for again; what is no picture is refused."""
    picture = io.BytesIO()
    Image.new("RGB", (40, 30), (200, 10, 10)).save(picture, "PNG")
    assert machine.post("/wallpaper").status_code == 404
    machine.post(
        "/setup/upload", data={"file_path": "~/w.png"}, files={"file_data": ("f", picture.getvalue())}
    )
    assert machine.post("/setup/change_wallpaper", json={"path": "~/w.png"}).status_code == 200
    assert machine.post("/wallpaper").content == picture.getvalue()
    shown = Image.open(io.BytesIO(machine.get("/screenshot").content)).convert("RGB")
    assert (200, 10, 10) in {colour for _, colour in shown.getcolors(1 << 20) or ()}
    machine.post("/write", json={"path": "~/w.png", "content": "no picture"})
    assert machine.post("/setup/change_wallpaper", json={"path": "~/w.png"}).status_code == 400


def test_downloads(machine: httpx.Client) -> None:
    """A file of the web is fetched for the desktop; other addresses are not, also behind a redirect."""

    class Web(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/file" else 302)
            self.send_header("Location", "file:///etc/passwd")
            self.end_headers()
            self.wfile.write(b"from the web")

    with HTTPServer(("127.0.0.1", 0), Web) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_address[1]}"
        sent = {"url": f"{base}/file", "path": "~/web.txt"}
        assert machine.post("/setup/download_file", json=sent).status_code == 200
        assert machine.get("/read", params={"path": "~/web.txt"}).text == "from the web"
        for url in (f"{base}/away", "file:///etc/passwd", "ftp://127.0.0.1/x", "http://"):
            assert machine.post("/setup/download_file", json=sent | {"url": url}).status_code in (400, 500), (
                url
            )
        server.shutdown()
    assert machine.get("/read", params={"path": "~/web.txt"}).text == "from the web"


def test_browsers_are_refused(machine: httpx.Client) -> None:
    """A page in somebody's browser cannot act on a desktop that listens without a token."""
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        reply = machine.post("/execute", json={"command": ["touch", "/home/user/pwned"]}, headers=headers)
        assert reply.status_code == 403
    plain = {"Content-Type": "text/plain"}
    assert machine.post("/execute", content=b'{"command": ["true"]}', headers=plain).status_code == 415
    assert run(machine, ["test", "-e", "/home/user/pwned"])["returncode"] == 1


@pytest.mark.parametrize(
    ("path", "content"),
    [("/execute", b"{"), ("/execute", b"[]"), ("/execute", b"[" * 100_000), ("/tex/check", b'{"path": 1}')],
)
def test_malformed_requests(machine: httpx.Client, path: str, content: bytes) -> None:
    """A request that makes no sense is the caller's mistake, told in one sentence."""
    reply = machine.post(path, content=content, headers={"Content-Type": "application/json"})
    assert reply.status_code == 400
    assert reply.json().get("message") or reply.json().get("error")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="type: apt-get install texlive-latex-base")
@pytest.mark.slow
def test_typesetting(machine: httpx.Client) -> None:
    """A document passes when TeX ends without an error; nothing in it starts a program, nothing waits for an answer."""
    document = r"\documentclass{article}\begin{document}%s\end{document}"
    texts = {
        "fine": document % r"Hi\immediate\write18{touch /home/user/pwned}",
        "wrong": document % r"\nonesuch",
        "asks": document % r"\read-1 to \x",
        "cites": document % r"\cite{a}\bibliographystyle{plain}\bibliography{refs}",
    }
    for name, text in texts.items():
        machine.post(
            "/setup/upload", data={"file_path": f"~/t/{name}.tex"}, files={"file_data": ("f", text.encode())}
        )
    machine.post("/write", json={"path": "~/t/refs.bib", "content": "@misc{a, title={T}, author={A}}"})

    def passes(name: str, bibtex: bool = False) -> bool:
        return bool(
            machine.post("/tex/check", json={"path": "~/t", "file": name, "bibtex": bibtex}).json()["pass"]
        )

    assert [passes(name) for name in ("fine", "wrong", "asks", "absent")] == [True, False, False, False]
    assert passes("cites", bibtex=True)
    assert run(machine, ["test", "-e", "/home/user/pwned"])["returncode"] == 1
    for name in ("../t/fine", "-shell-escape", "\\input{x}"):
        assert machine.post("/tex/check", json={"path": "~/t", "file": name}).status_code == 400


@pytest.mark.slow
def test_lean(machine: httpx.Client) -> None:
    """A statement passes when it is a line of the project and the project builds with nothing left open."""

    def put(path: str, text: str) -> None:
        machine.post("/setup/upload", data={"file_path": path}, files={"file_data": ("f", text.encode())})

    def passes(statement: str) -> httpx.Response:
        return machine.post("/lean/check", json={"header": statement})

    header = "theorem one : 1 = 1 := by"
    put("~/sci/Sci/Basic.lean", f"{header}\n  rfl\n")
    assert passes("theorem two : 2 = 2 := by").json() == {"pass": False}
    assert "'lake'" in passes(header).json()["message"]  # no Lean on this machine: that is no failed proof
    put("~/.elan/bin/lake", "#!/bin/sh\ncat said; exit $(cat code)\n")
    run(machine, "chmod +x ~/.elan/bin/lake", shell=True)
    for said, code, passed in (
        ("Built", 0, True),
        ("declaration uses 'sorry'", 0, False),
        ("error", 1, False),
    ):
        put("~/sci/said", said)
        put("~/sci/code", str(code))
        assert passes(header).json() == {"pass": passed}, said


def test_chimerax(machine: httpx.Client) -> None:
    """ChimeraX's own server is asked on its port; where it does not run, the sentence says how to start it."""
    reply = machine.post("/chimerax/run", json={"command": "info sel", "port": 1025})
    assert reply.status_code == 500
    assert "remotecontrol rest start" in reply.json()["message"]
    assert machine.post("/chimerax/run", json={"command": "info", "port": 22}).status_code == 400


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="type: apt-get install ffmpeg")
def test_recording(machine: httpx.Client, tmp_path: Path) -> None:
    """A recording is an MP4 that plays; there is one at a time, and none without a beginning."""
    assert machine.post("/end_recording").status_code == 400
    for _ in range(2):
        assert machine.post("/start_recording").json()["status"] == "success"
    run(machine, ["python", "-c", "import pyautogui; pyautogui.moveTo(9, 9, 0.3)"])
    film = tmp_path / "film.mp4"
    film.write_bytes(machine.post("/end_recording").content)
    probe = [
        "ffprobe",
        "-v",
        "error",
        "-count_packets",
        "-show_entries",
        "stream=codec_name,nb_read_packets",
        "-of",
        "csv",
    ]
    told = (
        subprocess.run([*probe, str(film)], capture_output=True, text=True, check=True)
        .stdout.strip()
        .split(",")
    )
    assert told[1] == "h264"
    assert int(told[2]) >= 2
    assert machine.post("/end_recording").status_code == 400


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="type: apt-get install ffmpeg")
def test_a_reset_ends_a_recording() -> None:
    """A new episode begins on a new desktop, and the film of the old one is gone with it."""
    with open_guest() as (guest, client):
        guest.begin()
        client.post("/start_recording")
        guest.act({"kind": "click", "x": 100, "y": 100})
        assert guest.begin()["layer"] == "desktop"
        assert client.post("/end_recording").status_code == 400
