"""What `cuabench world` knows of the place where it is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_cuabench.commands import world
from pytest_cuabench.task.evidence import State


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
