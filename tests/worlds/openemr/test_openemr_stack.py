"""The containers of the world openemr, with a program that stands for `docker` and writes down what it is told.

OpenEMR's image was never started here: what is tested is which commands are given, in which order, and what becomes
of their answers.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openemr_database import REPOSITORY
from ruamel.yaml import YAML

from openemr import stack
from openemr.stack import COMPOSE, IMAGES, PULL, MissingPart, Project, StackError

DOCKER = """\
# Stands for docker: notes its arguments and variables, and does in a folder what is to be done in a container.
import os, subprocess, sys
from pathlib import Path

fake, words = Path(os.environ["FAKE"]), sys.argv[1:]
with (fake / "told").open("a") as told:
    told.write(" ".join(words) + "\\n")
with (fake / "variables").open("a") as told:
    told.writelines(f"{name}={value}\\n" for name, value in os.environ.items() if name.startswith("CUABENCH_"))

def broken(name):
    return (fake / name).exists() and (fake / name).read_text() in ("", words[-1])

if words == ["version"]:
    sys.exit(broken("no-engine"))
if words == ["compose", "version"]:
    sys.exit((fake / "no-compose").exists())
if words[:2] == ["image", "inspect"]:
    sys.exit(broken("no-image"))
if "up" in words and (fake / "broken").exists():
    sys.exit("container openemr is unhealthy")
if "port" in words:
    print({"openemr": "127.0.0.1:32768", "mariadb": "127.0.0.1:32769"}[words[-2]])
if "exec" in words:
    inside = words[words.index("openemr") + 1 :]
    sites = "/var/www/localhost/htdocs/openemr/sites"
    sys.exit(subprocess.run([word.replace(sites, str(fake / "sites")) for word in inside]).returncode)
"""


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the fake before all others; return its folder."""
    folder = tmp_path / "fake"
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin" / "docker"
    program.write_text(f"#!{sys.executable}\n{DOCKER}")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE", str(folder))
    monkeypatch.setattr(stack.tempfile, "gettempdir", lambda: str(tmp_path))
    return folder


def told(folder: Path) -> list[str]:
    """Return what docker compose was told to do, in one word each."""
    lines = (folder / "told").read_text().splitlines()
    return [line.split()[5] for line in lines if "--project-name" in line]


def test_everything_is_here(docker):
    """Nothing is missing where docker, compose and both images answer."""
    stack.look()


@pytest.mark.parametrize("image", IMAGES)
def test_a_missing_image_is_told_with_the_command_to_type(docker, image):
    """Both images are pulled by one line."""
    (docker / "no-image").write_text(image)
    with pytest.raises(MissingPart) as missing:
        stack.look()
    assert str(missing.value) == f"the world openemr needs the image {image}, which is not here; type: {PULL}"
    assert PULL == "docker pull mariadb:10.11 && docker pull openemr/openemr:7.0.2"


@pytest.mark.parametrize(
    ("lacking", "command"),
    [
        ("no-engine", "type: sudo systemctl start docker"),
        ("no-compose", "type: sudo apt install docker-compose-plugin"),
    ],
)
def test_a_missing_program_is_told_with_the_command_to_type(docker, lacking, command):
    """The container engine, or its command compose."""
    (docker / lacking).touch()
    with pytest.raises(MissingPart, match=command):
        stack.look()


def test_the_first_starts_the_containers_and_the_last_ends_them(docker):
    """Another worker joins in between: it finds the same addresses and passwords, and starts nothing."""
    first, second = Project(), Project()
    first.start()
    second.start()
    assert told(docker).count("up") == 1
    assert first.address == second.address == "http://127.0.0.1:32768"
    assert first.server.where == second.server.where
    assert first.server.where["port"] == 32769
    assert first.password == second.password
    first.end()
    assert told(docker).count("down") == 1  # before the start
    second.end()
    assert told(docker)[-1] == "down"
    assert told(docker).count("down") == 2


def test_what_a_killed_program_left_is_removed_before_the_start(docker):
    """Nobody holds the lock of it, so it is nobody's."""
    killed = Project()
    killed.start()
    assert killed._lock is not None
    killed._lock.close()  # as the system does when a process ends
    after = Project()
    after.start()
    assert told(docker) == ["down", "up", "port", "port", "down", "up", "port", "port"]
    assert after.password != killed.password
    after.end()


def test_passwords_are_made_at_the_start_and_never_on_a_command_line(docker):
    """They are handed on as variables, and kept in a file that only this user reads."""
    project = Project()
    project.start()
    root = project.server.where["password"]
    assert root not in (docker / "told").read_text()
    assert project.password not in (docker / "told").read_text()
    assert f"CUABENCH_ROOT_PASSWORD={root}" in (docker / "variables").read_text()
    (kept,) = project._folder.glob("*.json")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(project._folder.stat().st_mode) == 0o700
    assert root not in repr(project.server)
    project.end()


def test_containers_that_do_not_start_are_one_sentence(docker):
    """It ends with what compose said last."""
    (docker / "broken").touch()
    with pytest.raises(
        StackError, match=r"docker compose up .* ended with 1: container openemr is unhealthy"
    ):
        Project().start()


def test_a_folder_of_somebody_else_is_not_used(docker, tmp_path):
    """Others could write into it."""
    (tmp_path / f"cuabench-openemr-{os.getuid()}").mkdir()
    (tmp_path / f"cuabench-openemr-{os.getuid()}").chmod(0o777)
    with pytest.raises(StackError, match="is not a folder of yours alone; remove it and try again"):
        Project()


def test_a_site_is_the_default_one_with_another_database(docker):
    """All else in its file stays, keys and users included."""
    default = docker / "sites" / "default"
    default.mkdir(parents=True)
    (default / "key").write_text("k")
    (default / "sqlconf.php").write_text("<?php\n$host\t= 'mariadb';\n$dbase\t= 'openemr';\n$config = 1;\n")
    project = Project()
    project.add_site("cua-1", "cua_1")
    made = docker / "sites" / "cua-1"
    assert (made / "sqlconf.php").read_text() == (
        "<?php\n$host\t= 'mariadb';\n$dbase = 'cua_1';\n$config = 1;\n"
    )
    assert (made / "key").read_text() == "k"
    project.remove_site("cua-1")
    assert not made.exists()
    assert (default / "sqlconf.php").exists()


def test_the_program_says_on_its_first_line_what_is_missing(docker, tmp_path):
    """So that tests are skipped instead of failing."""
    (docker / "no-image").write_text(IMAGES[1])
    world, kit = REPOSITORY / "environments" / "openemr", REPOSITORY / "environments" / "kit"
    done = subprocess.run(
        [sys.executable, "-m", "openemr", "--control", str(tmp_path / "control"), "--until-eof"],
        cwd=world,
        env={**os.environ, "PYTHONPATH": f"{world}{os.pathsep}{kit}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert json.loads(done.stdout)["missing"].endswith(f"type: {PULL}")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """The compose file."""
    found: dict[str, Any] = YAML(typ="safe").load(COMPOSE)
    return found


def test_images_are_pinned_and_the_ones_that_are_looked_for(compose):
    """What is missing is told before compose would fetch something."""
    assert tuple(service["image"] for service in compose["services"].values()) == IMAGES
    assert all(":" in image and not image.endswith(":latest") for image in IMAGES)


def test_ports_are_on_this_machine_only_and_chosen_by_docker(compose):
    """No fixed port, so that nothing collides."""
    for service in compose["services"].values():
        assert all(port.startswith("127.0.0.1::") for port in service["ports"])


def test_services_are_labelled_and_say_when_they_are_healthy(compose):
    """Labels find what is ours; OpenEMR waits for its database."""
    for service in compose["services"].values():
        assert service["labels"]["cuabench.world"] == "openemr"
        assert {"test", "interval", "timeout", "retries"} <= service["healthcheck"].keys()
    assert compose["services"]["openemr"]["depends_on"]["mariadb"]["condition"] == "service_healthy"


def test_no_password_stands_in_the_file(compose):
    """Each comes from a variable, and the file is refused without it."""
    for service in compose["services"].values():
        secrets = {name: value for name, value in service["environment"].items() if "PASS" in name}
        assert secrets
        assert all(value.startswith("${CUABENCH_") for value in secrets.values())
