"""Instances are ordinary pytest items: ids, keywords, markers, seeds, and what failed last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_cuabench.task import library

Play = Callable[..., pytest.RunResult]
OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest")
HEAVY = ["playwright", "greenlet", "PIL", "httpx2", "jinja2", "starlette", "uvicorn", "allure_commons"]
ALL = ["note-intent", "note-step", "count-intent", "count-step", "both-intent", "both-step"]


def collected(result: pytest.RunResult) -> list[str]:
    """Return the ids of the instances that were collected."""
    start = "suites/sample/test_sample.py::test_sample[desk/"
    return [
        line.removeprefix(start).removesuffix("]")
        for line in map(str, result.outlines)
        if line.startswith(start)
    ]


def test_ids(play: Play) -> None:
    """Items are named after suite, application, task and wording, in the order of the files."""
    assert collected(play("--collect-only", "-q")) == ALL


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (("-k", "note"), ["note-intent", "note-step"]),
        (("-k", "desk and step"), ["note-step", "count-step", "both-step"]),
        (("-k", "desk/both-intent"), ["both-intent"]),
        (("-m", "easy"), ["note-intent", "note-step"]),
        (("-m", "easy and front_desk"), ["note-intent", "note-step"]),
        (("-m", "medium and intent"), ["count-intent"]),
        (("-m", "sample and not step"), ["note-intent", "count-intent", "both-intent"]),
        (("-m", "desk and hard"), ["both-intent", "both-step"]),
        (("-m", "synthetic and hard"), ["both-intent", "both-step"]),
        (("-m", "task(domain='Front Desk')"), ALL),
        (("-m", "task(domain='ICU')"), []),
        (("-m", "task(difficulty='hard', variant='step')"), ["both-step"]),
        (("-m", "task(id='desk/count')"), ["count-intent", "count-step"]),
        (("-m", "task(seed=0)"), ALL),
        (("-m", "task(seed=1)"), []),
    ],
)
def test_selection(play: Play, options: tuple[str, str], names: list[str]) -> None:
    """Instances are chosen by pytest's own keywords and marker expressions."""
    assert collected(play("--collect-only", "-q", *options)) == names


def test_one_item_by_its_id(players: Any, play: Play, sample: pytest.Pytester) -> None:
    """An instance can be played by the id that pytest prints."""
    option = players("n =2")
    item = "suites/sample/test_sample.py::test_sample[desk/both-step]"
    sample.runpytest_inprocess(*OTHERS, item, option).assert_outcomes(passed=1)


def test_strict_markers(play: Play, sample: pytest.Pytester) -> None:
    """Every marker of a suite is known to pytest, so that strict sessions hold and warnings do not come."""
    sample.makeini("[pytest]\nstrict = true\n")
    result = play("--collect-only", "-q", "--strict-markers", "-W", "error")
    assert (result.ret, collected(result)) == (0, ALL)


def test_mistyped_marker(play: Play, sample: pytest.Pytester) -> None:
    """A marker that a suite's test names itself is still checked."""
    (sample.path / "suites" / "sample" / "test_sample.py").write_text(
        "import pytest\n\n@pytest.mark.eazy\ndef test_sample(attempt):\n    attempt.require()\n"
    )
    result = play("--collect-only", "--strict-markers")
    result.stdout.fnmatch_lines(["*'eazy' not found in `markers` configuration option*"])


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (("--cua-seeds=0,2",), ["note-intent", "note-intent-s2"]),
        (("--cua-seeds=3-4",), ["note-intent-s3", "note-intent-s4"]),
        (("--cua-epochs=3",), ["note-intent", "note-intent-e1", "note-intent-e2"]),
        (
            ("--cua-seeds=0-1", "--cua-epochs=2"),
            ["note-intent", "note-intent-e1", "note-intent-s1", "note-intent-s1-e1"],
        ),
    ],
)
def test_seeds_and_epochs(play: Play, options: tuple[str, ...], names: list[str]) -> None:
    """Each seed and each repetition is an item of its own, named after it."""
    assert collected(play("--collect-only", "-q", "-k", "note-intent", *options)) == names


def test_epochs_are_played_and_kept_apart(players: Any, play: Play, outcomes: Any, the_run: Any) -> None:
    """Repetitions of an instance have records of their own."""
    play(players("n ."), "-k", "note-intent", "--cua-epochs=2").assert_outcomes(passed=2)
    assert outcomes() == {"desk/note-intent": ["success"], "desk/note-intent-e1": ["success"]}
    folders = the_run().folder / "trajectories" / "desk"
    assert {path.name for path in folders.iterdir()} == {"note-intent", "note-intent-e1"}


def test_limits(players: Any, play: Play, played: Any) -> None:
    """The budget of steps is the task's, unless the user sets another."""
    option = players("z")
    play(option, "-k", "note-step or both-step", "--cua-run=own").assert_outcomes(failed=2)
    assert {name: attempts[0].steps for name, attempts in played().items()} == {
        "desk/note-step": 10,
        "desk/both-step": 20,
    }
    result = play(option, "-k", "both-step", "--cua-max-steps=3")
    result.stdout.fnmatch_lines(["  steps      3 of 3; *"])


def test_last_failed(players: Any, play: Play) -> None:
    """Only what failed or broke is played again with `--lf`."""
    option = players("n =2", count_step="=7", both_intent="idle")
    play(option, "--cua-run=first").assert_outcomes(passed=4, failed=1, errors=1)
    again = play(option, "--cua-run=second", "--lf", "--collect-only", "-q")
    assert collected(again) == ["count-step", "both-intent"]


@pytest.mark.parametrize("option", ["--collect-only", "--help", "--fixtures", "--markers"])
def test_looking_writes_nothing(play: Play, sample: pytest.Pytester, option: str) -> None:
    """Collecting and asking for help leave no folder of a run behind."""
    assert play("--agent=oracle", option).ret == 0
    reports = sample.path / "reports"
    assert not reports.exists() or list(reports.iterdir()) == []


def test_suite_by_name(sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shipped suite is played by its name, from any folder of a project."""
    monkeypatch.setattr(library, "SUITES", sample.path / "suites")
    result = sample.runpytest_inprocess(*OTHERS, "--cua-suite=sample", "--agent=oracle")
    result.assert_outcomes(passed=6)


def test_suite_beside_given_paths(sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--cua-suite` adds to the paths on the command line."""
    sample.makepyfile(test_mine="def test_mine():\n    pass\n", test_other="def test_other():\n    pass\n")
    monkeypatch.setattr(library, "SUITES", sample.path / "suites")
    options = ("test_mine.py", "--cua-suite=sample", "--agent=oracle", "-k", "mine or note-intent")
    result = sample.runpytest_inprocess("-v", *OTHERS, *options)
    assert result.ret == 0
    result.stdout.fnmatch_lines_random(["test_mine.py::test_mine*", "*::test_sample[[]desk/note-intent*"])
    result.stdout.no_fnmatch_line("*test_other*")


def test_unknown_suite(sample: pytest.Pytester) -> None:
    """A suite that is not there is a usage error with the known ones."""
    result = sample.runpytest_inprocess(*OTHERS, "--cua-suite=nothing", "--agent=oracle")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --cua-suite: no suite named 'nothing'; known: *medcua*"])
    assert not (sample.path / "reports").exists()


def test_plain_tests_beside_a_suite(players: Any, play: Play, sample: pytest.Pytester) -> None:
    """Ordinary tests may stand beside a suite's, and may even have a fixture named `instance`."""
    option = players("n =2")
    sample.makepyfile(
        test_plain="""
        import pytest

        @pytest.fixture
        def instance():
            return 5

        def test_plain(instance):
            assert instance == 5
        """
    )
    play(option, "test_plain.py").assert_outcomes(passed=7)


@pytest.mark.slow
def test_many_instances_are_collected_lightly(sample: pytest.Pytester) -> None:
    """Collecting 2,000 instances imports nothing that only playing needs."""
    sample.makepyfile(
        collect=f"""
        import sys
        import pytest

        plugins = [*{OTHERS!r}, "-p", "no:allure_pytest"]
        code = pytest.main(["--collect-only", "-qq", "suites/sample", "--cua-epochs=334", *plugins])
        heavy = set({HEAVY!r})
        print("code", int(code), "heavy", sorted(heavy & set(sys.modules)))
        drivers = ("pool", "worlds", "chromium", "desktop", "salesforce")
        print([name for name in drivers if f"pytest_cuabench.drivers.{{name}}" in sys.modules])
        """
    )
    result = sample.runpython("collect.py")
    result.stdout.fnmatch_lines(["suites/sample/test_sample.py: 2004", "code 0 heavy [[][]]", "[[][]]"])
