"""How the world is started, controlled and ended."""

import json
import signal
import socket
import stat
from pathlib import Path

import httpx
import pytest

APPLICATIONS = Path(__file__).resolve().parents[3] / "environments/clinic/clinic/applications"


def test_ready_line_names_what_runs(world):
    """The one line on stdout says where both listeners are and what is served."""
    assert world.ready == {
        "ready": True,
        "protocol": 1,
        "name": "clinic",
        "version": world.ready["version"],
        "listen": f"127.0.0.1:{world.port}",
        "control": world.ready["control"],
        "applications": sorted(file.parent.name for file in APPLICATIONS.glob("*/__init__.py")),
    }


def test_health_counts_sessions(world, open_session):
    """Health tells the protocol, how many sessions are open and how many pages failed."""
    before = world.control.get("/health").json()
    open_session()
    after = world.control.get("/health").json()
    assert before["ok"] is True
    assert before["protocol"] == 1
    assert before["errors"] == 0
    assert after["sessions"] == before["sessions"] + 1


def test_control_socket_is_private(world):
    """Only the user who started the program can reach the control socket."""
    assert stat.S_IMODE(Path(world.ready["control"]).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"application": "surgery"}, "emergency_triage"),
        ({}, "emergency_triage"),
        ({"application": "emergency_triage", "seed": -1}, "2147483647"),
        ({"application": "emergency_triage", "seed": "7"}, "whole number"),
        ({"application": "emergency_triage", "seed": True}, "whole number"),
        ([], "JSON object"),
    ],
)
def test_bad_session_requests_say_what_is_allowed(world, body, named):
    """A session that cannot be made is refused with a sentence that names what can."""
    answer = world.control.post("/sessions", json=body)
    assert answer.status_code == 400
    assert named in answer.json()["error"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/state"), ("GET", "/requests"), ("POST", "/reset"), ("DELETE", "")],
)
def test_unknown_session_is_not_found(world, method, path):
    """Every session route answers 404 with an error for an id that does not exist."""
    answer = world.control.request(method, f"/sessions/none{path}")
    assert answer.status_code == 404
    assert "session" in answer.json()["error"]


def test_same_seed_gives_same_world_in_another_process(open_session, another_world):
    """The state of a seed does not depend on the process that made it."""
    here, there = open_session(5), another_world.open(5)
    assert here.described["fingerprint"] == there.described["fingerprint"]
    assert here.state() == there.state()
    there.browser.close()


def test_seeds_differ(open_session):
    """Different seeds give different worlds."""
    fingerprints = {open_session(seed).described["fingerprint"] for seed in range(12)}
    assert len(fingerprints) == 12


def test_sessions_are_isolated(open_session):
    """What is written in one session is not seen in another of the same seed."""
    first, second = open_session(), open_session()
    first.login()
    first.post(first.chart("abdominal_pain", tab="vitals"), heart_rate="80")
    assert second.state()["revision"] == 0
    assert second.state()["fingerprint"] == second.described["fingerprint"]
    assert first.state()["fingerprint"] != first.described["fingerprint"]


def test_login_of_one_session_is_worthless_in_another(open_session):
    """A cookie does not open another session."""
    first, second = open_session(), open_session()
    first.login()
    second.browser.cookies.update(first.browser.cookies)
    answer = second.get("/board")
    assert answer.headers["location"].startswith("/login")


def test_reset_starts_over_at_a_new_origin(session):
    """Reset restores the fingerprint, moves to a new origin and forgets logs and logins."""
    session.post(session.chart("abdominal_pain", tab="vitals"), heart_rate="80")
    before, old_browser = session.described, session.browser
    session.described = session.control.post(f"{session.path}/reset").json()
    assert session.described["id"] == before["id"]
    assert session.described["origin"] != before["origin"]
    assert session.described["fingerprint"] == before["fingerprint"]
    assert session.described["revision"] == 0
    assert session.requests() == []
    assert session.state()["journal"] == []
    assert session.rows("logins") == {}
    assert old_browser.get("/board").status_code == 404
    old_browser.close()
    session.browse()
    assert session.get("/board").status_code == 303


def test_a_copy_goes_on_with_the_same_data_and_login(session):
    """A copy has data, journal and logins of its own; what is written there is not in the first session."""
    session.post(session.chart("abdominal_pain", tab="vitals"), heart_rate="80")
    answer = session.control.post(f"{session.path}/copy")
    assert answer.status_code == 201
    copied = type(session)(session.control, session.port, answer.json())
    copied.browser.cookies.update(session.browser.cookies)
    assert copied.described["origin"] != session.described["origin"]
    first = session.state()
    assert copied.state() == first
    assert copied.post(copied.chart("abdominal_pain", tab="vitals"), heart_rate="90").status_code == 303
    assert session.state() == first
    assert copied.state()["revision"] > first["revision"]
    copied.browser.close()
    session.control.delete(copied.path)


def test_reset_may_change_the_seed(session):
    """Reset with a seed gives the world of that seed, and refuses a bad one without harm."""
    refused = session.control.post(f"{session.path}/reset", json={"seed": 1.5})
    assert refused.status_code == 400
    assert session.get("/board").status_code == 200
    answer = session.control.post(f"{session.path}/reset", json={"seed": 9}).json()
    assert answer["fingerprint"] != session.described["fingerprint"]
    session.described = answer


def test_state_is_not_repeated_for_a_known_revision(session):
    """With unless=current revision only the revision is reported."""
    state = session.state()
    same = session.control.get(f"{session.path}/state", params={"unless": state["revision"]}).json()
    assert same == {"revision": state["revision"], "failures": 0, "unchanged": True}
    session.get(session.chart("abdominal_pain"))
    later = session.control.get(f"{session.path}/state", params={"unless": state["revision"]}).json()
    assert later["revision"] > state["revision"]
    assert "collections" in later


def test_deleted_session_is_gone(world):
    """A deleted session answers neither control nor browser."""
    session = world.open()
    assert session.control.delete(session.path).status_code == 204
    assert session.control.get(f"{session.path}/state").status_code == 404
    assert session.get("/login").status_code == 404
    session.browser.close()


def test_a_late_write_dies_with_its_session(world):
    """A world says when a request is still coming in; what arrives after the end of its session changes no other."""
    old = world.open()
    old.login()
    arriving = b"reading=1"
    with socket.create_connection(("127.0.0.1", world.port)) as late:
        host, cookie = old.browser.headers["host"], old.browser.cookies.jar
        head = f"POST /queue HTTP/1.1\r\nhost: {host}\r\norigin: {old.described['origin']}\r\n"
        head += "".join(f"cookie: {each.name}={each.value}\r\n" for each in cookie)
        head += f"content-type: application/x-www-form-urlencoded\r\ncontent-length: {len(arriving)}\r\n\r\n"
        late.sendall(head.encode())
        idle = f"{old.path}/idle"
        assert next(found for _ in range(500) if not (found := old.control.get(idle).json())["idle"]) == {
            "idle": False,
            "work": ["POST /queue"],
        }
        old.control.delete(old.path)
        new = world.open()
        before = new.state()
        late.sendall(arriving)
        assert late.recv(100).startswith(b"HTTP/1.1 404")
    assert new.state() == before
    assert new.control.get(f"{new.path}/idle").json() == {"idle": True, "work": []}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0123456789abcdef.localhost", "x.example", ""])
def test_unknown_host_learns_nothing(world, host):
    """A request for a host that is no session gets a plain 404."""
    answer = httpx.get(f"http://127.0.0.1:{world.port}/login", headers={"host": host})
    assert answer.status_code == 404
    assert answer.text == "Not found\n"


@pytest.mark.parametrize("path", ["/health", "/sessions", "/sessions/{id}/state", "/sessions/{id}/requests"])
def test_control_is_not_on_the_public_listener(session, path):
    """Control routes do not exist for a browser, not even a signed-in one."""
    address = path.format(id=session.described["id"])
    assert session.get(address).status_code == 404
    assert session.post(address).status_code == 404


def test_ends_when_stdin_closes(start_clinic, tmp_path):
    """With --until-eof the program does not outlive its parent, and removes its socket."""
    with start_clinic(tmp_path / "control", "--until-eof") as process:
        assert json.loads(process.stdout.readline())["ready"]
        process.stdin.close()
        assert process.wait(20) == 0
        assert process.stderr.read() == ""
    assert not (tmp_path / "control").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_ends_cleanly_on_signals(start_clinic, tmp_path, number):
    """A signal ends the program with status 0 and nothing on stderr."""
    with start_clinic(tmp_path / "control") as process:
        process.stdout.readline()
        process.send_signal(number)
        assert process.wait(20) == 0
        assert process.stdout.read() == ""
        assert process.stderr.read() == ""


def test_stale_socket_is_replaced(start_clinic, tmp_path):
    """A socket that a dead process left behind does not prevent a start."""
    path = tmp_path / "control"
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(path))
    with start_clinic(path, "--until-eof") as process:
        assert json.loads(process.stdout.readline())["ready"]
        process.stdin.close()
        assert process.wait(20) == 0


def test_file_at_the_socket_path_is_kept(start_clinic, tmp_path):
    """Something that is not a socket is never removed: the start fails with one line."""
    path = tmp_path / "control"
    path.write_text("precious")
    with start_clinic(path) as process:
        assert process.wait(20) == 1
        assert process.stderr.read().count("\n") == 1
    assert path.read_text() == "precious"


def test_unknown_application_is_one_line(start_clinic, tmp_path):
    """A start with an application that does not exist says which ones do."""
    with start_clinic(tmp_path / "control", "--applications", "surgery") as process:
        assert process.wait(20) == 1
        complaint = process.stderr.read()
    assert "emergency_triage" in complaint
    assert complaint.count("\n") == 1
