"""Who plays, and where: by option, by fixture, or nobody."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatch
from typing import Any

import pytest

Play = Callable[..., pytest.RunResult]


def usage_error(result: pytest.RunResult) -> str:
    """Return the sentence of a usage error."""
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    errors = [line for line in result.stderr.lines if line.startswith("ERROR: ")]
    assert len(errors) == 1
    assert "Traceback" not in result.stderr.str()
    return str(errors[0]).removeprefix("ERROR: ")


def test_nobody(play: Play, sample: pytest.Pytester) -> None:
    """Without an agent nothing is played, one line says how to choose one, and nothing is written."""
    result = play()
    result.assert_outcomes(skipped=6)
    assert result.ret == pytest.ExitCode.OK
    lines = [line for line in result.outlines if "cuabench" in line and not line.startswith("plugins:")]
    assert lines == [
        "cuabench: 6 instances were skipped; choose an agent, such as --agent=oracle (the reference solution), "
        "or prove the tasks with --cua-audit"
    ]
    assert not (sample.path / "reports").exists()


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [
        ("orcle", "--agent: no agent named 'orcle'; known: *; did you mean --agent=oracle?"),
        (
            "nowhere:Player",
            "agent 'Player': no module named 'nowhere'; check that it is installed and spelled correctly",
        ),
        ("mine.toml", "*/mine.toml is missing"),
    ],
)
def test_unknown_agent(play: Play, sample: pytest.Pytester, agent: str, sentence: str) -> None:
    """An agent that cannot be had is a usage error of one sentence, before anything is collected or written."""
    assert fnmatch(usage_error(play(f"--agent={agent}")), sentence)
    assert not (sample.path / "reports").exists()


def test_agent_by_class(players: Any, play: Play, played: Any) -> None:
    """A class of the user's plays, and is named in the record."""
    play(players("n =2"), "-k", "note-step").assert_outcomes(passed=1)
    assert played()["desk/note-step"][0].agent == "Player"


def test_agent_by_environment_and_ini(
    play: Play, sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The agent may be chosen by the ini file or the environment; the header tells which."""
    sample.makeini("[pytest]\ncua_agent = oracle\n")
    play("-k", "note-step").stdout.fnmatch_lines(
        ["cuabench: agent oracle (ini cua_agent); run reports/*-oracle"]
    )
    monkeypatch.setenv("CUABENCH_AGENT", "noop")
    result = play("-k", "note-step")
    result.stdout.fnmatch_lines(["cuabench: agent noop (CUABENCH_AGENT); run reports/*-noop"])
    result.assert_outcomes(failed=1)


def test_agent_by_fixture(players: Any, play: Play, sample: pytest.Pytester, played: Any) -> None:
    """With `--agent=fixture` the player is what the user's fixture returns, which may use other fixtures."""
    players("n =2")
    sample.makeconftest(
        """
        import pytest
        from the_players import Player

        @pytest.fixture
        def agent(instance, tmp_path):
            assert instance.id == "desk/note-step"
            return Player()
        """
    )
    play("--agent=fixture", "-k", "note-step").assert_outcomes(passed=1)
    assert played()["desk/note-step"][0].agent == "fixture"


def test_fixture_without_option(players: Any, play: Play, sample: pytest.Pytester) -> None:
    """A fixture alone does not start a run: no accidental spending."""
    players("n")
    sample.makeconftest(
        "import pytest\nfrom the_players import Player\n\n@pytest.fixture\ndef agent():\n    return Player()\n"
    )
    play("-k", "note-step").assert_outcomes(skipped=1)
    assert not (sample.path / "reports").exists()


def test_other_environment(play: Play, change: Any) -> None:
    """An overridden environment is where the instance is played, and may depend on it."""
    change(
        "conftest.py",
        "def environment() -> FakeEnvironment:\n",
        "def environment(instance) -> FakeEnvironment:\n"
        "    if instance.task.id == 'count':\n"
        "        return FakeEnvironment({'patients': {str(n): {} for n in range(7)}}, react)\n",
    )
    result = play("--agent=oracle", "-k", "count-step or note-step")
    result.assert_outcomes(passed=2)


def test_broken_environment_fixture(play: Play, change: Any) -> None:
    """An environment that is not available is an error, in one sentence when it is a known one."""
    change(
        "conftest.py",
        "    return FakeEnvironment(",
        "    raise EnvironmentFailure('no desk is free')\n    return (",
    )
    result = play("--agent=oracle", "-k", "note-step")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["no desk is free"])
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--cua-epochs=0", "invalid value for --cua-epochs: '0'; expected a whole number of 1 or more"),
        (
            "--cua-seeds=a",
            "invalid value for --cua-seeds: 'a'; expected up to 10000 different whole numbers*",
        ),
        ("--cua-run=a/b", "invalid value for --cua-run: 'a/b'; expected a name of letters, digits, - and _"),
        ("--cua-run=..", "invalid value for --cua-run: '..'; expected a name of letters, digits, - and _"),
    ],
)
def test_bad_settings(play: Play, option: str, sentence: str) -> None:
    """A value that is not allowed is a usage error of one sentence."""
    assert fnmatch(usage_error(play("--agent=oracle", option)), sentence)


def test_bad_choice(play: Play) -> None:
    """An option with choices is refused by name."""
    result = play("--agent=oracle", "--cua-screenshots=sometimes")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [
            "ERROR: invalid value for --cua-screenshots: 'sometimes'; expected one of on, off, retain-on-failure"
        ]
    )


@pytest.mark.parametrize("options", [(), ("--agent=oracle",), ("--cua-audit", "-q")])
def test_malformed_suite(play: Play, change: Any, options: tuple[str, ...]) -> None:
    """A malformed suite file is one sentence with the file and the key, whether or not anything is played."""
    change("suite.toml", "steps = 10", "steps = 0")
    result = play(*options)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        [
            "*ERROR collecting suites/sample/test_sample.py*",
            "*/suite.toml:[0-9]*: budget.steps: input should be greater than or equal to 1, not 0",
        ]
    )
    assert "Traceback" not in result.stdout.str() + result.stderr.str()


def test_collection_errors_of_others(play: Play, sample: pytest.Pytester) -> None:
    """A test file that cannot be imported is shown as ever beside a run."""
    sample.makepyfile(test_broken="import nothing_of_the_kind")
    result = play("--agent=oracle", "test_broken.py")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        ["*ERROR collecting test_broken.py*", "*No module named 'nothing_of_the_kind'*"]
    )
    assert "INTERNALERROR" not in result.stdout.str()


def test_observation_of_a_profile(play: Play, sample: pytest.Pytester, change: Any) -> None:
    """A profile's kind of observation is used, unless the user asks for another."""
    (sample.path / "eyes.toml").write_text('adapter = "oracle"\nobservation = "tree"\n')
    change(
        "conftest.py",
        "@pytest.fixture\n",
        "class Watching(FakeEnvironment):\n"
        "    async def observe(self, kind):\n"
        "        Path('kinds').write_text(kind)\n"
        "        return await super().observe(kind)\n\n\n"
        "FakeEnvironment = Watching\n\n\n@pytest.fixture\n",
    )
    for options, kind in (
        ((), "tree"),
        (("--cua-observation=marks",), "marks"),
        (("--cua-observation=screenshot",), "screenshot"),
    ):
        play("--agent=eyes.toml", "-k", "note-step", *options).assert_outcomes(passed=1)
        assert (sample.path / "kinds").read_text() == kind


def test_one_skipped_instance(play: Play) -> None:
    """A single skipped instance is reported in the singular."""
    assert "cuabench: 1 instance was skipped; choose" in play("-k", "note-step").stdout.str()
