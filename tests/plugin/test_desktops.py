"""What a session says of desktops: what they cannot show, what is not installed, what their resets cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Play = Callable[..., pytest.RunResult]
LAYERED = """
import pytest
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.testing import FakeEnvironment


class Desktop(FakeEnvironment):
    reset_seconds = 9.0
    last_reset = None
    lacks = None

    async def lacking(self, instance):
        return self.lacks

    async def reset(self, instance):
        await super().reset(instance)
        layer = ("start", "clean", "home", "home", "recreate", "home")[self.resets - 1]
        reason = "it failed 2 times in a row: the X server has ended" if layer == "recreate" else None
        self.last_reset = Reset("xvfb", layer, reason)


@pytest.fixture(scope="session")
def desktop():
    return Desktop()


@pytest.fixture
def environment(desktop):
    return desktop
"""


@pytest.fixture
def on_desktop(change: Any, sample: pytest.Pytester) -> Callable[[str], None]:
    """Let the sample suite play on a desktop that is a fake; `old` -> `new` changes it."""

    def write(old: str = "", new: str = "") -> None:
        change("suite.toml", 'driver = "chromium"\nworld = "clinic"', 'driver = "xvfb"\nworld = "desktop"')
        (sample.path / "suites" / "sample" / "conftest.py").write_text(LAYERED.replace(old, new or old))

    return write


def test_layers_are_told(on_desktop: Any, play: Play, players: Any, played: Any) -> None:
    """The terminal says what each layer took and what was recreated and why; the ledger keeps it."""
    on_desktop()
    result = play(players("."))
    result.stdout.fnmatch_lines(
        [
            "reset on xvfb p50 * ms, p95 * ms: clean * ms/* ms (1), home * (3), start * (1), recreate * (1)",
            "xvfb was recreated before *: it failed 2 times in a row: the X server has ended",
        ]
    )
    layers = [attempt.conditions.reset.layer for (attempt,) in played().values()]
    assert sorted(layers) == ["clean", "home", "home", "home", "recreate", "start"]


def test_a_machine_may_be_the_real_thing(on_desktop: Any, play: Play, players: Any, played: Any) -> None:
    """A machine that says how real it is is believed, whatever the tasks say of their usual one."""
    on_desktop("layer, reason)", "layer, reason, 'real')")
    result = play(players("."))
    result.stdout.fnmatch_lines(["tier: real"])
    assert {attempt.tier for (attempt,) in played().values()} == {"real"}


def test_tiers_are_counted(on_desktop: Any, play: Play, players: Any) -> None:
    """Where instances are of several tiers, the terminal says how many of each."""
    on_desktop("layer, reason)", "layer, reason, 'real' if layer == 'clean' else None)")
    play(players(".")).stdout.fnmatch_lines(["instances by tier: synthetic 5, real 1"])


def test_missing_software_skips(on_desktop: Any, play: Play, players: Any, the_run: Any) -> None:
    """What is not installed skips the instance with what to type, and the record says so."""
    on_desktop("lacks = None", "lacks = 'desk needs deskd; type: scripts/install-scienceboard'")
    result = play(players("."), "-rs")
    result.assert_outcomes(skipped=6)
    result.stdout.fnmatch_lines(["*desk needs deskd; type: scripts/install-scienceboard"])
    kinds = [record["type"] for record in the_run().records()]
    assert kinds.count("skipped") == 6
    assert "attempt" not in kinds


@pytest.mark.parametrize("source", ["option", "profile"])
def test_no_page_text(
    on_desktop: Any, play: Play, players: Any, sample: pytest.Pytester, source: str
) -> None:
    """A kind of observation that desktops do not have is refused before anything is played."""
    on_desktop()
    agent = players(".")
    if source == "profile":
        profile = sample.path / "mine.toml"
        profile.write_text(
            'name = "mine"\nadapter = "the_players:Player"\nobservation = "dom"\ndescription = "x"\n'
        )
        result = play(f"--agent={profile}")
        result.stdout.fnmatch_lines(
            ["*the agent's profile: the driver xvfb of suite sample has no observation 'dom'; *"]
        )
    else:
        result = play(agent, "--cua-observation=dom")
        result.stdout.fnmatch_lines(
            [
                "*--cua-observation: the driver xvfb of suite sample has no observation 'dom'; "
                "use --cua-observation=screenshot or tree*"
            ]
        )
    assert result.ret == pytest.ExitCode.INTERRUPTED


@pytest.mark.parametrize(
    ("world", "sentence"),
    [
        (
            "desktpo=docker",
            "*--cua-world: no world named 'desktpo'; known: browser, clinic, desktop, *; "
            "did you mean 'desktop'?",
        ),
        (
            "desktop=dokcer",
            "*invalid value for --cua-world: 'desktop=dokcer'; expected desktop=xvfb or docker or *",
        ),
        ("desktop=http://", "*invalid value for --cua-world: 'desktop=http://'; *"),
    ],
)
def test_slips_of_the_pen(
    on_desktop: Any, play: Play, players: Any, sample: pytest.Pytester, world: str, sentence: str
) -> None:
    """A world or a place that does not exist is told in a sentence, and nothing is played."""
    on_desktop()
    (sample.path / "suites" / "sample" / "conftest.py").unlink()
    result = play(players("."), f"--cua-world={world}")
    result.stderr.fnmatch_lines([sentence])
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_another_place_is_another_question(
    on_desktop: Any, play: Play, players: Any, played: Any, sample: pytest.Pytester
) -> None:
    """A desktop in a container is another world than one of this computer's own; the record says which it was."""
    on_desktop()
    play(players("."))
    here = next(iter(played().values()))[0].fingerprint
    (sample.path / "reports").rename(sample.path / "before")
    play(players("."), "--cua-world=desktop=docker")
    there = next(iter(played().values()))[0].fingerprint
    assert here.digest != there.digest
    assert there.settings["cua_world"] == "docker"
    assert "cua_world" not in here.settings


def test_desktop_has_no_pages(capsys: pytest.CaptureFixture[str]) -> None:
    """`cuabench world` says that a desktop has no pages to click through, and starts nothing."""
    from pytest_cuabench.commands.cli import main

    assert main(["world", "desktop"]) != 0
    assert "the world desktop has no pages to click through, as its driver is xvfb" in capsys.readouterr().err
