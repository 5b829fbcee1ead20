"""However pytest comes to play an instance again, every result counts, and all reports tell the same number."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger.record import Run

LEARNING = '''
"""Does nothing at its first play, and what is asked afterwards, in whichever process that is."""
from pathlib import Path

from pytest_cuabench.task.action import Key, Terminate
from pytest_cuabench.testing import ScriptedAgent


class Learner(ScriptedAgent):
    def __init__(self):
        super().__init__(())

    async def start(self, briefing):
        await super().start(briefing)
        played = Path(__file__).with_name("played")
        first = not played.exists()
        played.touch()
        end = Terminate("success")
        self._script = [end] if first else [Key(("n",)), end]
'''
TEST = "def test_{}(attempt):\n    attempt.require()\n"
WITH_PARAMETER = "import pytest\n\n@pytest.mark.parametrize('colour', ['red', 'blue'])\n" + TEST.format(
    "sample"
).replace("attempt)", "attempt, colour)")
RUNS_THRICE = """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    for _ in range(3):
        for report in runtestprotocol(item, nextitem=nextitem, log=False):
            item.ihook.pytest_runtest_logreport(report=report)
    return True
"""
LISTS_TWICE = "def pytest_collection_modifyitems(items):\n    items *= 2\n"
COPIES = "import copy\n\ndef pytest_collection_modifyitems(items):\n    items += [copy.copy(item) for item in items]\n"
NOT_PASSED = (10, 11)  # a gate that fails, or cannot conclude
PATH = "suites/sample"
NODE = "suites/sample/test_sample.py::test_sample[desk/note-intent]"


@dataclass(frozen=True)
class Way:
    """A way to play an instance again.

    Attributes:
        results: The number of graded results; None where the session is refused.
        files: Files that are written into the suite.
        conftest: Added to the suite's `conftest.py`.
        needs: The plugin that it takes.
    """

    options: tuple[str, ...] = ()
    results: int | None = 2
    files: tuple[tuple[str, str], ...] = ()
    conftest: str = ""
    needs: str = ""
    paths: tuple[str, ...] = (PATH,)


WAYS = {
    "repeat": Way(("--count=2",), needs="pytest_repeat"),
    "repeat by session": Way(("--count=3", "--repeat-scope=session"), 3, needs="pytest_repeat"),
    "flakefinder": Way(("--flake-finder", "--flake-runs=2"), needs="pytest_flakefinder"),
    "rerun": Way(("--reruns=2",), 1, needs="pytest_rerunfailures"),
    "protocol": Way(conftest=RUNS_THRICE, results=1),
    "duplicates": Way(("--keep-duplicates",), paths=(PATH, PATH)),
    "node ids": Way(("--keep-duplicates",), 1, paths=(NODE, NODE)),
    "functions": Way(files=(("test_sample.py", TEST.format("one") + "\n" + TEST.format("two")),)),
    "modules": Way(files=(("test_other.py", TEST.format("other")),)),
    "parametrize": Way(files=(("test_sample.py", WITH_PARAMETER),)),
    "epochs": Way(("--cua-epochs=2",)),
    "epochs and functions": Way(("--cua-epochs=2",), 4, files=(("test_other.py", TEST.format("other")),)),
    "repeat and rerun": Way(("--count=2", "--reruns=1"), needs="pytest_rerunfailures"),
    "at once": Way(("--count=2", "--cua-at-once=2"), needs="pytest_repeat"),
    "first failed": Way(("--count=2", "--ff"), needs="pytest_repeat"),
    "listed twice": Way(conftest=LISTS_TWICE, results=None),
    "copies": Way(conftest=COPIES, results=None),
    "each": Way(("--dist=each", "--tx=2*popen"), None),
}


@pytest.fixture
def again(sample: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Play the learner in one way, with a gate that wants every instance to succeed."""

    def run(way: Way, *options: str) -> pytest.RunResult:
        if way.needs and find_spec(way.needs) is None:
            pytest.skip(f"{way.needs} is not installed")
        (sample.path / "learner.py").write_text(LEARNING)
        (sample.path / "gate.toml").write_text("rate = 1.0\n")
        sample.syspathinsert()
        for name, text in way.files:
            (sample.path / PATH / name).write_text(text)
        with (sample.path / PATH / "conftest.py").open("a") as conftest:
            conftest.write(way.conftest)
        reports = ("--junitxml=junit.xml", "--alluredir=allure")
        chosen = ("--agent=learner:Learner", "--cua-gate=gate.toml", "-k", "note-intent")
        return sample.runpytest_inprocess(
            "-p",
            "no:anyio",
            "-p",
            "no:hypothesispytest",
            *way.paths,
            *chosen,
            *reports,
            *way.options,
            *options,
        )

    return run


@pytest.mark.parametrize("name", WAYS)
def test_every_result_counts(
    request: pytest.FixtureRequest, name: str, again: Callable[..., pytest.RunResult], sample: pytest.Pytester
) -> None:
    """An agent that is wrong first and right afterwards passes no gate of 100 %, however it is played again."""
    way = WAYS[name]
    if name == "at once":
        request.getfixturevalue("desk")  # whose world may be played in several times at once
    result = again(way)
    if way.results is None:
        assert result.ret == pytest.ExitCode.USAGE_ERROR, result.stdout.str()
        assert "--cua-epochs=N" in result.stderr.str() + result.stdout.str()
        assert not list((sample.path / "reports").glob("*/trajectories/*"))
        return
    assert result.ret in NOT_PASSED, result.stdout.str()
    (folder,) = (sample.path / "reports").iterdir()
    attempts = list(Run(folder).attempts())
    assert [attempt.outcome for attempt in attempts] == ["failure"] + ["success"] * (way.results - 1)
    assert len({attempt.instance for attempt in attempts}) == way.results
    assert figures(folder, sample.path, result) == dict.fromkeys(
        ("terminal", "summary", "gate", "page", "JUnit", "Allure", "csv"), (way.results - 1, way.results)
    )
    result.stdout.fnmatch_lines([f"*{way.results}/{way.results} *%*"])


def figures(folder: Path, root: Path, result: pytest.RunResult) -> dict[str, tuple[int, int]]:
    """Return successes and results by report."""
    gate = next(each for each in read(folder / "gate.json")["findings"] if each["check"] == "bound")[
        "figures"
    ]
    return {
        "terminal": first_share(r"^desk .*?(\d+)/(\d+)", result.stdout.str()),
        "summary": first_share(r"\*\*(\d+) of (\d+)\*\*", (folder / "summary.md").read_text()),
        "gate": (round(gate["value"] * gate["n"]), gate["n"]),
        "page": counted(re.findall(r'"outcome":"(\w+)"', (folder / "report.html").read_text())),
        "JUnit": counted(junit(root / "junit.xml").values()),
        "Allure": counted(
            {
                each["historyId"]: each["status"]
                for each in map(read, (root / "allure").glob("*-result.json"))
            }.values()
        ),
        "csv": counted(row["outcome"] for row in rows_of(folder)),
    }


def junit(file: Path) -> dict[str, str]:
    """Return the outcome of each instance; a plugin that runs a test again may write a case without a failure."""
    found: dict[str, str] = {}
    failed = set()
    for case in ElementTree.parse(file).iter("testcase"):
        told = {each.attrib["name"]: each.attrib["value"] for each in case.iter("property")}
        assert found.setdefault(told["cua_instance"], told["cua_outcome"]) == told["cua_outcome"]
        failed |= {told["cua_instance"]} if case.find("failure") is not None else set()
    assert failed == {instance for instance, outcome in found.items() if outcome != "success"}
    return found


def rows_of(folder: Path) -> list[dict[str, str]]:
    """Return the rows of the CSV export."""
    assert main(["export", "--to=csv", str(folder)]) == 0
    return list(csv.DictReader((folder / "exports" / "csv" / "attempts.csv").open()))


def read(file: Path) -> Any:
    """Return what a JSON file holds."""
    return json.loads(file.read_text())


def first_share(pattern: str, text: str) -> tuple[int, int]:
    """Return the first share in a text."""
    found = re.search(pattern, text, re.MULTILINE)
    assert found, text
    return int(found[1]), int(found[2])


def counted(outcomes: Iterable[str]) -> tuple[int, int]:
    """Return how many outcomes are successes, and how many there are."""
    found = list(outcomes)
    return sum(outcome in ("success", "passed") for outcome in found), len(found)


def test_two_suites_with_one_name(again: Callable[..., pytest.RunResult], sample: pytest.Pytester) -> None:
    """Instances of two suites that have one name are refused, since their results could not be told apart."""
    other = sample.path / "suites" / "other"
    shutil.copytree(sample.path / PATH, other, ignore=shutil.ignore_patterns("__pycache__"))
    (other / "test_sample.py").rename(other / "test_other.py")
    about = other / "suite.toml"
    about.write_text(about.read_text().replace('name = "sample"', 'name = "other"'))
    result = again(Way(paths=("suites",)))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*desk/note-intent is an instance of two suites, *; play each suite in a run of its own*"]
    )


def test_a_rerun_is_told(again: Callable[..., pytest.RunResult]) -> None:
    """A test that is run again is not played again, says so, and leaves pytest's counts to the plugin that runs it."""
    way = Way(("--reruns=2",), needs="pytest_rerunfailures")
    result = again(way)
    result.stdout.fnmatch_lines(
        ["*recorded*the result is kept; --cua-epochs plays several times", "*1 failed, *2 rerun*"]
    )


def test_repeats_of_a_resumed_run(again: Callable[..., pytest.RunResult], sample: pytest.Pytester) -> None:
    """A run that is resumed with more repeats keeps the results that it has, and plays the further ones."""
    way = Way(("--cua-run=one",))
    assert again(way).ret in NOT_PASSED
    more = Way(("--cua-resume=one", "--cua-epochs=2"))
    assert again(more).ret in NOT_PASSED
    attempts = list(Run(sample.path / "reports" / "one").attempts())
    assert [attempt.outcome for attempt in attempts] == ["failure", "success"]
