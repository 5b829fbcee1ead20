"""A container may be the box: the same program, the same wall, a system of its own."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from drivers.machines_here import container_image, require_engine
from small_world import Table

from pytest_cuabench.agents.program.sandbox import container
from pytest_cuabench.drivers.leases import Owner
from pytest_cuabench.errors import Missing, SettingError

from .boxed import look_everywhere, program

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def image() -> str:
    """An image with Python."""
    return container_image()


def left() -> list[str]:
    """Return the containers of this process; other sessions may have theirs."""
    mine = f"label={container.LABEL}={json.dumps(asdict(Owner.me()))}"
    found = container._docker("ps", "--all", "--quiet", "--filter", mine)
    return found.stdout.split()


def test_plays(table: Table, image: str) -> None:
    """A program in a container acts and finishes; the record says so, and nothing is left of it."""
    agent = program("key('n'); finish(answer=str(os.getuid()))", image=image)
    agent.check()
    last = table.play(agent).last
    assert (last.outcome, last.conditions.isolation, last.steps) == ("success", "container", 2), last.error
    assert int(last.answer or "") >= 60_000
    assert left() == []


def test_adversary_finds_nothing(
    table: Table, image: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A program that looks everywhere sees nothing of the session; the folders that it finds are the image's."""
    assert "/work" not in look_everywhere(table, monkeypatch, tmp_path, image=image)


@pytest.mark.parametrize(
    ("code", "options", "outcome"),
    [
        (
            "os.kill(1, 9); time.sleep(60)",
            {},
            "budget_exhausted",
        ),  # the first process cannot be killed from inside
        ("held = [bytes(10_000_000) for _ in range(100)]; time.sleep(60)", {"memory": 200}, "gave_up"),
        ("[open(f'/tmp/{n}', 'wb').write(bytes(1_000_000)) for n in range(100)]", {"disk": 5}, "gave_up"),
        ("while True: os.fork()", {"processes": 30}, "gave_up"),
    ],
    ids=["its forwarder", "memory", "disk", "processes"],
)
def test_is_judged(table: Table, image: str, code: str, options: dict[str, int], outcome: str) -> None:
    """A program that acts and then uses up or attacks its container is judged, and nothing is left of it."""
    last = table.play(program(f"key('l')\n{code}", image=image, **options), seconds=20.0).last
    assert last.outcome == outcome, last.error
    assert left() == []


def test_hangs(table: Table, image: str) -> None:
    """A program that hangs is removed with its container."""
    last = table.play(program("key('l'); time.sleep(600)", image=image), seconds=6.0).last
    assert (last.outcome, left()) == ("budget_exhausted", [])


def test_hosts(table: Table, image: str) -> None:
    """The proxy to named hosts is in the container, too."""
    code = """
try:
    urllib.request.urlopen("http://other.example/")
except urllib.error.HTTPError as error:
    key("n"); finish(answer=error.read().decode())
"""
    last = table.play(program(code, image=image, network=["api.model.example"])).last
    assert last.conditions.isolation == "container_with_hosts"
    assert "other.example:80 is not one of this episode's hosts" in (last.answer or ""), last.error


def test_removes_what_dead_sessions_left(image: str) -> None:
    """Containers of dead owners are removed; those of living ones stay."""
    dead = replace(Owner.me(), pid=2**22 - 1)
    names = []
    for owner in (dead, Owner.me()):
        label = f"{container.LABEL}={json.dumps(asdict(owner))}"
        words = ("run", "--detach", "--label", label, "--network=none", *container._entry(image))
        names.append(container._docker(*words, "-c", "import time; time.sleep(600)").stdout.strip()[:12])
    try:
        container.reap()
        assert left() == names[1:]
        assert container._docker("inspect", names[0]).returncode != 0
    finally:
        subprocess.run(["docker", "rm", "--force", *names], capture_output=True, check=False)


def test_image_without_python() -> None:
    """An image without Python is told before anything is played."""
    require_engine()
    name = "cuabench-test-empty"
    subprocess.run(["docker", "import", "-", name], input=bytes(10240), capture_output=True, check=True)
    try:
        with pytest.raises(Missing, match=f"the image '{name}' has no python3 from 3.9, which passes on"):
            program("", image=name).check()
    finally:
        subprocess.run(["docker", "rmi", name], capture_output=True, check=False)


def test_unknown_image() -> None:
    """An image that does not exist is told with what to type."""
    require_engine()
    with pytest.raises(Missing, match="no image 'no-such'; type: docker pull no-such"):
        program("", image="no-such").check()


def test_shares_no_network() -> None:
    """A container with this computer's network is refused."""
    with pytest.raises(
        SettingError, match="a container cannot share this computer's network; name the hosts"
    ):
        program("", image="any", network="host")
