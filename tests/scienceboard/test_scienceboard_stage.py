"""Records played on an upstream machine, from the command line down to the servers in it; all of these are fakes."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from cuabench_suite_scienceboard.upstream.lean_world import LeanDriver
from cuabench_suite_scienceboard.upstream.stage import APPLICATION, REVERT, revert, stage_beside
from cuabench_suite_scienceboard.upstream.tasks import task_of, with_task_files

from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.drivers.desktop.remote import RemoteMachine
from pytest_cuabench.drivers.registry import find_driver
from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.loop import Episode
from pytest_cuabench.episode.play import Play
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.ledger.regrade import grade
from pytest_cuabench.task import library
from pytest_cuabench.task.action import Action, Answer, CallApi, Size, Terminate, Type
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.suite import load_suite
from pytest_cuabench.testing import ScriptedAgent
from scienceboard.fakes.kalgebra import FakeKAlgebra
from scienceboard.fakes.serving import Hall
from scienceboard.lab import Lab
from scienceboard.small_records import SMALL, small

SCREEN = Size(64, 48)
SUITE = library.SUITES / "scienceboard"


class TypedInto(FakeKAlgebra):
    """A KAlgebra that knows what was typed on the machine's keyboard."""

    lab: Lab

    async def tell(self, request: Any) -> Any:
        """Define what was typed before telling the variables."""
        for action in self.lab.guest.desktop.acted:
            name, _, value = str(action.get("text", "")).partition(":=")
            self.variables |= {name: value} if value else {}
        return await super().tell(request)


@pytest.fixture
def lab(make_lab: Callable[..., Lab], monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A machine with a KAlgebra in it, that nobody needs to revert."""
    application = TypedInto()
    application.lab = made = make_lab(application)
    monkeypatch.setattr("pytest_cuabench.drivers.desktop.settling.QUIET", 0.0)  # its screen never changes
    monkeypatch.setenv(REVERT, "none")
    monkeypatch.setenv(APPLICATION, made.machine.kalgebra.url)
    return made


@pytest_asyncio.fixture
async def desktop(lab: Lab) -> AsyncIterator[DesktopEnvironment]:
    """The driver of desktops on this machine."""
    remote = RemoteMachine(lab.url)
    environment = DesktopEnvironment(remote, SCREEN, stage=partial(stage_beside, remote))
    yield environment
    await environment.close()


async def played(desktop: DesktopEnvironment, folder: Path, *script: Action, **changes: Any) -> Episode:
    """Play an episode of a small record."""
    task = task_of(small(**changes), "scienceboard")
    instance = Instance(task, "goal")
    recorder = Recorder(Run(folder), instance.id, 1)
    episode = Episode(Play(instance, desktop, ScriptedAgent(script), Limits(10, 60.0)), recorder)
    await episode.play()
    episode.keep()
    Run(folder).append(episode.record())
    return episode


@pytest.mark.asyncio
async def test_a_record_is_played_and_judged_again(
    desktop: DesktopEnvironment, lab: Lab, tmp_path: Path
) -> None:
    """Prepared, acted on through the guest, asked at the end; the record in the evidence judges it ever after."""
    episode = await played(desktop, tmp_path / "run", Type("p:=0.5"), Terminate("infeasible"))
    assert (episode.end.outcome, episode.end.error) == (Outcome.SUCCESS, None)
    assert lab.guest.launched == ["/app/bin/kalgebra 8000"]
    assert episode.record().goal == "Store one half in p."
    assert episode.record().tier == "upstream"
    (judged,) = grade(Run(tmp_path / "run"), {"scienceboard": SUITE})
    assert (judged.problem, judged.changed) == ("", False)


@pytest.mark.asyncio
async def test_a_record_that_is_not_solved_is_a_failure(desktop: DesktopEnvironment, tmp_path: Path) -> None:
    """Nothing was typed."""
    assert (await played(desktop, tmp_path, Terminate())).end.outcome is Outcome.FAILURE


@pytest.mark.asyncio
async def test_a_demanded_ending_needs_no_server(desktop: DesktopEnvironment, tmp_path: Path) -> None:
    """FAIL and ANS are in the ending alone; giving up is what was asked for."""
    fail = {"evaluate": [{"type": "stop", "value": "FAIL"}]}
    assert (
        await played(desktop, tmp_path / "a", Terminate("infeasible"), **fail)
    ).end.outcome is Outcome.SUCCESS
    assert (await played(desktop, tmp_path / "b", Terminate(), **fail)).end.outcome is Outcome.FAILURE
    answer = {"evaluate": [{"type": "stop", "value": "ANS", "args": ["8", "km"]}]}
    assert (await played(desktop, tmp_path / "c", Answer("8 km"), **answer)).end.outcome is Outcome.SUCCESS
    assert (await played(desktop, tmp_path / "d", Answer("8km"), **answer)).end.outcome is Outcome.FAILURE


@pytest.mark.asyncio
async def test_what_leaves_traces_is_asked_at_the_end_only(
    desktop: DesktopEnvironment, lab: Lab, tmp_path: Path
) -> None:
    """To compile before the agent begins would write files that upstream's machine does not have then."""
    tex = {
        "type": "TeXstudio",
        "initialize": [{"func": "touch", "path": "/home/user/main.tex", "text": "x"}],
        "evaluate": [{"type": "compile", "path": "/home/user", "file": "main"}],
    }
    episode = await played(desktop, tmp_path, Terminate(), **tex)
    assert episode.end.outcome is Outcome.SUCCESS
    assert len(lab.guest.asked("/tex/check")) == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("fault", ["status", "garbage", "cut"])
async def test_a_server_that_dies_is_an_error_of_the_environment(
    fault: Any, desktop: DesktopEnvironment, lab: Lab, tmp_path: Path
) -> None:
    """Upstream would say that the agent failed."""
    lab.application.fault, lab.application.failing = fault, "/vars"
    episode = await played(desktop, tmp_path, Terminate())
    assert episode.end.outcome is Outcome.ENVIRONMENT_ERROR
    assert "KAlgebra at http" in str(episode.end.error)


@pytest.mark.asyncio
async def test_somebody_must_revert_the_machine(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A command of the user's does; that nobody needs to has to be said."""
    remote = RemoteMachine(lab.url)
    monkeypatch.delenv(REVERT)
    with pytest.raises(SettingError, match="put the command that reverts yours into CUABENCH_WORLD_REVERT"):
        await revert(remote)
    program = tmp_path / "revert.py"
    program.write_text("import sys; sys.exit(int(sys.argv[1]))", encoding="utf-8")
    monkeypatch.setenv(REVERT, f"{sys.executable} {program} 0")
    assert await revert(remote) == "snapshot"
    monkeypatch.setenv(REVERT, f"{sys.executable} {program} 3")
    with pytest.raises(Exception, match="ended with code 3"):
        await revert(remote)
    monkeypatch.setenv(REVERT, str(tmp_path / "gone"))
    with pytest.raises(SettingError, match="cannot be run: No such file"):
        await revert(remote)


@pytest.mark.asyncio
async def test_applications_take_calls_where_the_run_offers_them(lab: Lab, tmp_path: Path) -> None:
    """The agent is told of them; what they refuse is its own mistake, and reading is not among them."""
    lab.application.known = {"x->x^2": lambda x, y: x * x - y}
    remote = RemoteMachine(lab.url)
    offering = DesktopEnvironment(remote, SCREEN, stage=partial(stage_beside, remote, api=True))
    script = (
        CallApi("plot_curve", '{"expression": "x->x^2"}'),
        CallApi("plot_curve", '{"expression": "nonsense"}'),
        CallApi("plot_curve", '{"curve": "x"}'),
        CallApi("variables"),
        CallApi("show_tab", "[1]"),
        Terminate(),
    )
    item = {"type": "eqn", "key": [[2, 4]], "value": {"(2, 4)": True}}
    episode = await played(offering, tmp_path, *script, evaluate=[item], steps=10)
    await offering.close()
    assert isinstance(episode.spec.agent, ScriptedAgent)
    assert episode.spec.agent.briefing is not None
    assert "api" in episode.spec.agent.briefing.capabilities
    assert 'plot_curve {"expression": text} plots a curve.' in episode.spec.agent.briefing.documents[0]
    first, *others = (seen.results[0] for seen in episode.spec.agent.observations[1:])
    assert (first.error, first.text) == (None, "OK")
    told = (
        "cannot parse nonsense",
        'write plot_curve {"expression": text}',
        "there is no variables",
        "must be an object",
    )
    assert [part for part, result in zip(told, others, strict=True) if part not in str(result.error)] == []
    assert episode.end.outcome is Outcome.SUCCESS


@pytest.mark.asyncio
async def test_no_call_is_offered_unless_the_run_says_so(desktop: DesktopEnvironment, tmp_path: Path) -> None:
    """Upstream's code has none, and scores are to be comparable."""
    episode = await played(desktop, tmp_path, CallApi("show_tab", '{"index": 1}'), Terminate())
    assert isinstance(episode.spec.agent, ScriptedAgent)
    assert (
        episode.spec.agent.observations[1].results[0].error == "call_api is not available in this environment"
    )


class Rewound:
    """A local machine with snapshots."""

    def __init__(self) -> None:
        self.kept: list[str] = []

    async def keep(self, name: str) -> None:
        self.kept.append(name)

    async def restore(self, name: str) -> bool:
        return name in self.kept


@pytest.mark.asyncio
async def test_a_machine_of_ours_goes_back_to_its_snapshot() -> None:
    """The first episode keeps it under upstream's name, the others go back to it."""
    machine: Any = Rewound()
    assert [await revert(machine), await revert(machine)] == ["snapshot", "snapshot"]
    assert machine.kept == ["sci_bench"]


# From the command line


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with a suite scienceboard, and three records beside it."""
    for name in [name for name in sys.modules if name.startswith("cuabench_suite_scienceboard")]:
        monkeypatch.delitem(sys.modules, name)  # the shipped suite of this name
    folder = pytester.path / "suites" / "scienceboard"
    shutil.copytree(SUITE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    records = pytester.path / "tasks" / "VM" / "KAlgebra"
    records.mkdir(parents=True)
    fail = {**SMALL, "steps": 10, "evaluate": [{"type": "stop", "value": "FAIL"}]}
    for name, data in (("A-01", SMALL), ("B-04", fail), ("C-14", SMALL)):
        (records / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    pytester.makeini("[pytest]\n")
    return pytester


ITEM = "suites/scienceboard/test_scienceboard.py::test_scienceboard"
OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest", "-p", "no:cacheprovider")


def test_records_are_the_items(project: pytest.Pytester) -> None:
    """Ids, markers of difficulty and application, and a marker where something is known to be wrong."""
    tasks = "--cua-tasks=scienceboard=tasks/VM"
    result = project.runpytest_inprocess("suites/scienceboard", tasks, "--collect-only", "-q", *OTHERS)
    ids = [line for line in map(str, result.outlines) if line.startswith(ITEM)]
    assert ids == [f"{ITEM}[kalgebra/{name}-goal]" for name in ("a_01", "b_04", "c_14")]
    for marker, names in (
        ("medium", ["b_04"]),
        ("erratum and not medium", ["a_01", "c_14"]),
        ("task(domain='GIS')", []),
    ):
        result = project.runpytest_inprocess(
            "suites/scienceboard", tasks, "--collect-only", "-q", "-m", marker, *OTHERS
        )
        found = [line for line in map(str, result.outlines) if line.startswith(ITEM)]
        assert found == [f"{ITEM}[kalgebra/{name}-goal]" for name in names]


def test_records_are_played_from_the_command_line(project: pytest.Pytester, lab: Lab, hall: Hall) -> None:
    """`--cua-world` says where the machine is; a player that does nothing solves none."""
    result = project.runpytest_inprocess(
        "suites/scienceboard",
        "--cua-tasks=scienceboard=tasks",
        f"--cua-world=desktop={hall.put_in_front(lab.guest)}",
        "--agent=noop",
        "--cua-run=one",
        *OTHERS,
    )
    result.assert_outcomes(failed=3)
    attempts = list(Run(project.path / "reports" / "one").attempts())
    assert {attempt.outcome for attempt in attempts} == {"failure"}, attempts[0].error


@pytest.mark.parametrize(
    ("tasks", "sentence"),
    [
        ("scienceboard=nowhere", "there is no task record there"),
        ("scienceboard=both", "name one of its folders, such as tasks/VM, tasks/Dual or tasks/Raw"),
    ],
)
def test_mistakes_are_said_when_tasks_are_collected(
    tasks: str, sentence: str, project: pytest.Pytester
) -> None:
    """One sentence, and no item."""
    raw = {**SMALL, "type": "Lean", "sort": "Raw", "initialize": [], "evaluate": [{"type": "placeholder"}]}
    both = project.path / "both"
    both.mkdir()
    for name, data in (("A-01", SMALL), ("A-02", raw)):
        (both / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    result = project.runpytest_inprocess(
        "suites/scienceboard", f"--cua-tasks={tasks}", "--collect-only", *OTHERS
    )
    assert result.ret != 0
    assert sentence in "\n".join(map(str, result.outlines))


def test_raw_lean_is_a_world_of_its_own(tmp_path: Path) -> None:
    """Its records change the suite's driver to one that lies in the suite."""
    raw = {**SMALL, "type": "Lean", "sort": "Raw", "initialize": [], "evaluate": [{"type": "placeholder"}]}
    (tmp_path / "A-02.json").write_text(json.dumps(raw), encoding="utf-8")
    suite = with_task_files(load_suite(SUITE), tmp_path)
    assert (suite.world, [task.id for task in suite.tasks]) == ("lean", ["a_02_raw"])
    assert isinstance(find_driver(suite.driver, suite), LeanDriver)
    assert "erratum" not in suite.tasks[0].difficulty
    assert suite.tasks[0].meta.errata
