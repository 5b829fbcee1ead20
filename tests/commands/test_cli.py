"""The console script: what it says, and what it says of mistakes."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_cuabench.commands import cli, world
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.evidence import State

START = [
    sys.executable,
    "-c",
    "import sys; from pytest_cuabench.commands.cli import main; sys.exit(main())",
    "world",
]


@pytest.fixture
def served() -> Iterator[subprocess.Popen[str]]:
    """The world with one application, started as a person does."""
    command = [*START, "clinic", "--application", "emergency_triage", "--seed", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def read_table(process: subprocess.Popen[str]) -> list[str]:
    """Return the lines printed until the world waits."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.rstrip())
        if "Ctrl-C" in line:
            break
    return lines


def test_a_world_is_served_until_it_is_interrupted(served: subprocess.Popen[str]) -> None:
    """The table says where the application is and how to sign in there; Ctrl-C ends it in peace."""
    first, _, headings, row, _, *notes = read_table(served)
    assert first == "world clinic, seed 3"
    assert headings.split("  ")[0] == "application"
    name, address, user, password = row.split()
    assert name == "emergency_triage"
    assert re.fullmatch(r"http://[\w-]+\.localhost:\d+/\S*", address)
    assert user
    assert password.count("-") == 2
    assert "Browsers resolve *.localhost" in " ".join(notes)
    host = address.split("/")[2]
    request = urllib.request.Request(
        f"http://127.0.0.1:{host.rpartition(':')[2]}/login", headers={"Host": host}
    )
    with urllib.request.urlopen(request, timeout=10) as page:
        assert "Sign in" in page.read().decode()
    os.kill(served.pid, signal.SIGINT)
    assert served.wait(20) == 0
    assert served.stderr is not None
    assert served.stderr.read() == ""


@pytest.mark.slow
def test_an_org_says_who_may_sign_in() -> None:
    """The emulated org has one administrator, whose name and password are told."""
    with subprocess.Popen([*START, "salesforce"], stdout=subprocess.PIPE, text=True) as process:
        try:
            first, _, _, row, *_ = read_table(process)
        finally:
            process.kill()
    assert first == "world salesforce, seed 0"
    name, address, user, password = row.split()
    assert (name, address.split(":")[0]) == ("salesforce", "http")
    assert "@" in user
    assert len(password) > 7


def test_an_org_says_how_tools_sign_in() -> None:
    """The address resolves outside browsers, the token opens it, and each way to sign in is told."""
    with subprocess.Popen([*START, "salesforce"], stdout=subprocess.PIPE, text=True) as process:
        try:
            text = "\n".join(read_table(process))
            address = re.findall(r"tools sign in at (http://127\.0\.0\.1:\d+)", text)[0]
            told = dict(re.findall(r"(?m)^  (\w+(?: \w+)?) {2,}(\S+)$", text))
            names = {"user", "password", "security token", "client key", "client secret", "access token"}
            assert names <= set(told)
            form = {"grant_type": "password", "username": told["user"]}
            form |= {"client_id": told["client key"], "client_secret": told["client secret"]}
            form["password"] = told["password"] + told["security token"]
            tokens = [told["access token"], _posted(f"{address}/services/oauth2/token", form)["access_token"]]
            for token in tokens:
                ask = urllib.request.Request(f"{address}/services/data/v62.0/limits")
                ask.add_header("Authorization", f"Bearer {token}")
                with urllib.request.urlopen(ask, timeout=10) as reply:
                    assert reply.status == 200
        finally:
            process.kill()
    assert f"sf org login access-token --instance-url {address} " in text
    assert f"connect('{address}', '{told['access token']}')" in text


def _posted(url: str, form: dict[str, str]) -> dict[str, str]:
    with urllib.request.urlopen(url, urllib.parse.urlencode(form).encode(), timeout=10) as reply:
        found: dict[str, str] = json.load(reply)
    return found


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["nowhere"],
            "cuabench world: no world named 'nowhere'; known: clinic, desktop, docs_web, ",
        ),
        (
            ["clinic", "--application", "bakery"],
            "cuabench world: the world clinic: no application named 'bakery'; known: ",
        ),
    ],
)
def test_mistakes_are_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong name is said with the right ones, and is the asker's mistake."""
    assert cli.main(["world", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["--seed", "-1"], ["--seed", "x"], ["--port", "65536"], ["--port", "1.5"]]
)
def test_numbers_have_limits(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """argparse names the option and what is allowed."""
    with pytest.raises(SystemExit) as end:
        cli.main(["world", "clinic", *arguments])
    assert end.value.code == 2
    assert f"argument {arguments[0]}: must be a whole number from 0 to" in capsys.readouterr().err


def test_a_taken_port_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """The world cannot start; that is nobody's mistake in asking."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert cli.main(["world", "clinic", "--port", str(taken.getsockname()[1])]) == 1
    said = capsys.readouterr().err
    assert said.startswith("cuabench world: the world clinic did not start: ")
    assert said.count("\n") == 1


def test_without_a_command_the_commands_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """The usage lists what there is."""
    with pytest.raises(SystemExit):
        cli.main([])
    assert "COMMAND" in capsys.readouterr().err
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])
    assert end.value.code == 0
    assert world.HELP.split(",")[0] in capsys.readouterr().out


def test_an_interrupted_command_ends_as_shells_expect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C outside of what a command handles has its usual code; what broke has another than a mistake."""

    def stop(options: object) -> int:
        raise KeyboardInterrupt

    def broken(options: object) -> int:
        raise EnvironmentFailure("it fell over")

    monkeypatch.setattr(world, "run", stop)
    assert cli.main(["world", "clinic"]) == 130
    monkeypatch.setattr(world, "run", broken)
    assert cli.main(["world", "clinic"]) == 1


def test_an_application_without_tasks_shows_its_first_user() -> None:
    """No suite knows it, but somebody can sign in."""
    state = State({"users": {"ann": {"user_id": "ann", "password": "secret"}}})
    assert world.credentials("nowhere", state, 0) == ("ann", "secret")
    assert world.credentials("nowhere", State({}), 0) == ("-", "-")


@pytest.mark.parametrize(("arguments", "meant"), [(["vew"], "view"), (["image", "dokcer"], "docker")])
def test_nearest_word(arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """For a word that is not allowed the nearest one is suggested."""
    with pytest.raises(SystemExit):
        cli.main(arguments)
    assert capsys.readouterr().err.endswith(f"; did you mean '{meant}'?\n")


def test_other_packages_bring_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An entry point is a subcommand; one that cannot be imported is reported when it is called, and the others run."""
    told = "[pytest_cuabench.commands]\ncount = their_count\nwrong = their_wrong\n"
    about = tmp_path / "theirs-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(told, encoding="utf-8")
    (tmp_path / "their_wrong.py").write_text("import no_such_module\n", encoding="utf-8")
    (tmp_path / "their_count.py").write_text(
        'HELP = "Count."\n\n\ndef add_arguments(parser):\n    parser.add_argument("number", type=int)\n\n\n'
        "def run(options):\n    return options.number\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert cli.main(["count", "7"]) == 7
    with pytest.raises(SystemExit):
        cli.main(["wrong"])
    assert "the command wrong cannot be imported: ModuleNotFoundError: No module named 'no_such_module'" in (
        capsys.readouterr().err
    )


def test_help_imports_no_command() -> None:
    """`cuabench --help` tells what every command is for, and imports neither commands nor pytest."""
    code = (
        "import sys; from pytest_cuabench.commands import cli\n"
        "try: cli.main(['--help'])\n"
        "except SystemExit: print(*sorted(sys.modules))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    modules = set(out.splitlines()[-1].split())
    assert not modules & {"pytest", "playwright", "pydantic", *(set(cli.names().values()) - {cli.__name__})}
    assert all(f"    {name} " in out or f"    {name}\n" in out for name in cli.names())
