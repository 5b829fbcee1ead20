"""What `cuabench world` knows of the place where it is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_cuabench.commands import world
from pytest_cuabench.drivers.chromium.own_app.app_access import AppSpec
from pytest_cuabench.drivers.worlds import find_world
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.web_app import WebApp


@pytest.mark.parametrize(("name", "place"), [("below", "below"), ("among", "suites/among"), ("itself", ".")])
def test_suites_that_lie_here(name: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An own suite's task says who signs in to its application, as a shipped one's does."""
    suite = tmp_path / place
    desk = suite / "desk"
    desk.mkdir(parents=True)
    (suite / "suite.toml").write_text(
        f'name = "{name}"\ntitle = "Mine"\npaper = "none"\napplications = ["desk"]\nvariants = ["plain"]\n'
        '[environment]\ndriver = "chromium"\nworld = "clinic"\nscreen = [800, 600]\n'
        "[budget]\nsteps = 5\nseconds = 60\n"
    )
    (desk / "application.toml").write_text(
        'title = "Desk"\ndomain = "Any"\ntier = "mock"\ntasks = ["look"]\n'
    )
    (desk / "look.toml").write_text('title = "Look"\ndifficulty = "easy"\nwording = ["Look."]\n')
    (desk / "look.py").write_text(
        "def case(state, random):\n    return {'user_id': 'ann', 'password': 'secret'}\n\n\n"
        "def check(evidence, case):\n    return ()\n\n\nasync def solve(pilot, case):\n    pass\n"
    )
    monkeypatch.chdir(tmp_path)
    assert world.credentials("desk", State({}), 0) == ("ann", "secret")


def test_what_is_done_at_a_running_application_stays(tmp_path: Path) -> None:
    """A running application is not said to forget what a person does there; only a started one ends."""
    running = WebApp(url="http://127.0.0.1:8000/", state={"command": ["state"]})
    started = WebApp(url="http://127.0.0.1:{port}/", start=["serve"], state={"command": ["state"]})
    assert "what you do there stays" in world._notes(AppSpec("mine", running, tmp_path), ())[0]
    assert "ends with this program" in world._notes(AppSpec("mine", started, tmp_path), ())[0]


def test_hosts_without_addresses_are_opened_by_a_browser_of_their_own() -> None:
    """A web whose hosts exist nowhere else is told with the command that starts a browser for it."""
    door = world.Door("browser", "https://search.example/", "-", "-", tunnel="127.0.0.1:4711")
    spec = find_world("docs_web")
    (note,) = world._notes(spec, [door])
    assert "MAP * 127.0.0.1:4711" in note
    assert note.endswith("https://search.example/")
    assert "password" not in "\n".join(world._told("docs_web", 0, [door]))
