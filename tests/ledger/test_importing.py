"""Foreign trajectories become a run that is shown, and that nothing counts."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger import atif
from pytest_cuabench.ledger.record import Run, read_steps
from pytest_cuabench.reporting.figures import rate

pytest.importorskip("atif", reason="type: pip install 'pytest-cuabench[atif]'")


def picture(place: str) -> dict[str, Any]:
    """Return a picture of a message."""
    return {"type": "image", "source": {"media_type": "image/jpeg", "path": place}}


def call(name: str, function: str, **arguments: Any) -> dict[str, Any]:
    """Return the call of a tool."""
    return {"tool_call_id": name, "function_name": function, "arguments": arguments}


def trajectory(**changes: Any) -> dict[str, Any]:
    """Return a trajectory as other harnesses write them, which claims a reward."""
    asked = [{"type": "text", "text": "Fill in the form for Maria."}, picture("images/0.jpg")]
    clicked = [
        {"source_call_id": "a", "content": [{"type": "text", "text": "clicked"}, picture("images/1.jpg")]}
    ]
    listed = [{"source_call_id": "b", "content": "total 0"}, {"content": "a notice"}]
    return {
        "schema_version": "ATIF-v1.6",
        "session_id": "fill the form",
        "agent": {"name": "terminus-2", "version": "2.0.0"},
        "steps": [
            {"step_id": 1, "source": "system", "message": "You control a computer."},
            {"step_id": 2, "source": "user", "timestamp": "2026-03-01T10:00:00Z", "message": asked},
            {
                "step_id": 3,
                "source": "agent",
                "timestamp": "2026-03-01T10:00:07Z",
                "reasoning_content": "The form is open.",
                "message": "I click.",
                "tool_calls": [call("a", "click", x=500, y=120)],
                "observation": {"results": clicked},
                "metrics": {"prompt_tokens": 1200, "completion_tokens": 40, "cost_usd": 0.004},
            },
            {
                "step_id": 4,
                "source": "agent",
                "timestamp": "2026-03-01T10:00:15+00:00",
                "message": "Now the terminal.",
                "tool_calls": [call("b", "bash", command="ls"), call("c", "type", text="Maria")],
                "observation": {"results": listed},
                "metrics": {"prompt_tokens": 1900, "completion_tokens": 60, "cost_usd": 0.006},
            },
        ],
        "extra": {"reward": 1.0, "outcome": "success"},
        **changes,
    }  # fmt: skip


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a foreign job with one trajectory and its pictures; commands are called beside it."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "job" / "task"
    (folder / "images").mkdir(parents=True)
    for number in range(2):
        Image.new("RGB", (64, 48), (200, 40 * number, 0)).save(folder / "images" / f"{number}.jpg")
    write(folder, trajectory())
    return folder


def write(folder: Path, content: Mapping[str, Any]) -> None:
    """Write a trajectory into a folder."""
    (folder / "trajectory.json").write_text(json.dumps(content))


def imported() -> Run:
    """Import what is in the job's folder as the run `foreign`."""
    assert main(["import", "job", "--run", "foreign"]) == 0
    return Run(Path("reports/foreign"))


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Call a command in vain, and return its one sentence."""
    capsys.readouterr()
    assert main([*arguments]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told.strip()


def test_what_is_shown(job: Path) -> None:
    """Goal, thoughts, calls, results, what was told, times, tokens and screens are in the record."""
    (attempt,) = imported().attempts()

    assert (attempt.instance, attempt.agent, attempt.goal) == (
        "terminus-2/fill-the-form-atif",
        "terminus-2",
        "Fill in the form for Maria.",
    )
    assert (attempt.usage.tokens_in, attempt.usage.cost, attempt.seconds.total) == (
        3100,
        pytest.approx(0.01),
        15,
    )
    assert attempt.started == "2026-03-01T10:00:00.000+00:00"
    folder = Path("reports/foreign") / str(attempt.trajectory)
    first, second = read_steps(folder)
    assert first["thought"] == "The form is open.\n\nI click."
    assert first["notices"] == ["You control a computer."]
    assert [result["text"] for result in first["results"]] == ["clicked"]
    assert [result["text"] for result in second["results"]] == ["total 0", None, "a notice"]
    assert (first["screenshot"], second["screenshot"]) == ("step-000.png", "step-001.png")
    assert (folder / "final.png").read_bytes() == (folder / "step-001.png").read_bytes()


def test_foreign_clicks_get_no_mark(job: Path) -> None:
    """A foreign `click` may count in other pixels: it is shown as the call that it is."""
    run = imported()

    (first, _) = read_steps(run.folder / "trajectories/terminus-2/fill-the-form-atif/1")
    assert first["actions"] == [{"kind": "call_api", "name": "click", "arguments": '{"x": 500, "y": 120}'}]


def test_it_counts_nowhere(job: Path) -> None:
    """Whatever the record claims, the attempt is `imported` and in no rate."""
    attempts = list(imported().attempts())

    assert [attempt.outcome for attempt in attempts] == ["imported"]
    assert rate(attempts).graded == 0


@pytest.mark.parametrize(
    "command",
    [
        ("gate", "reports/foreign", "--config", "gate.toml"),
        ("baseline", "update", "reports/foreign"),
        ("table", "foreign"),
        ("grade", "foreign"),
        ("merge", "foreign", "--into", "merged"),
        ("export", "foreign", "--to", "csv"),
        ("report", "foreign", "reports/foreign"),
    ],
    ids=lambda command: command[0],
)
def test_what_decides_refuses_it(
    job: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """No command that decides, compares or merges takes an imported run."""
    imported()
    Path("gate.toml").write_text('zero_tolerance = "critical"\n')

    assert "was imported: it was not played or judged here, and can only be shown" in refused(
        capsys, *command
    )


def test_it_is_not_resumed(job: Path, sample: pytest.Pytester) -> None:
    """A session does not play into an imported run."""
    assert main(["import", str(job), "--run", "foreign", "--reports", str(sample.path / "reports")]) == 0

    stopped = sample.runpytest_inprocess("suites/sample", "--agent=noop", "--cua-resume=foreign")

    assert stopped.ret == 4
    stopped.stderr.fnmatch_lines(["*--cua-resume*: foreign was imported: *"])


@pytest.mark.parametrize("version", ["ATIF-v99", "ATIF-v1.9", "ATIF-v2.0", "ATIF-v1", "1.6", "", None])
def test_unknown_versions(job: Path, capsys: pytest.CaptureFixture[str], version: str | None) -> None:
    """A version that nobody knows here is refused, which the package `atif` would accept."""
    write(job, trajectory(schema_version=version))

    told = refused(capsys, "import", "job")

    assert told.endswith(f"its schema_version is {version!r}, but this version reads ATIF-v1.0 to ATIF-v1.8")
    assert not Path("reports").exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "is not a trajectory in ATIF: "),
        ("[]", "is not a trajectory in ATIF: it is no JSON object"),
        (json.dumps(trajectory(steps=[])), "without a step of an agent"),
        (json.dumps(trajectory(steps=trajectory()["steps"][:2])), "without a step of an agent"),
        (json.dumps(trajectory(agent={"name": "a"})), "agent.version is missing"),
        (json.dumps(trajectory(surplus=1)), "surplus"),
        ("[" * 100_000, "nested too deeply"),
    ],
    ids=["cut", "list", "empty", "unanswered", "incomplete", "surplus", "deep"],
)  # fmt: skip
def test_invalid_files(job: Path, capsys: pytest.CaptureFixture[str], content: str, sentence: str) -> None:
    """An invalid file is one sentence with its name, and no run is left."""
    (job / "trajectory.json").write_text(content)

    told = refused(capsys, "import", "job")

    assert "job/task/trajectory.json" in told
    assert sentence in told
    assert not Path("reports").exists()


def test_files_that_are_none(
    job: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links out of the folder, devices, pipes, files and folders beyond the limits are one sentence each."""
    file = job / "trajectory.json"
    outside = tmp_path / "outside.json"
    file.rename(outside)
    for target, words in (("/dev/zero", "leads out of job"), (str(outside), "leads out of job")):
        file.symlink_to(target)
        assert words in refused(capsys, "import", "job")
        if target == "/dev/zero":
            assert "is no regular file" in refused(capsys, "import", "job/task/trajectory.json")
        file.unlink()
    os.mkfifo(file)
    assert "is no regular file" in refused(capsys, "import", "job")
    file.unlink()
    outside.rename(file)
    assert "is no regular file" in refused(capsys, "import", "/dev/zero")
    monkeypatch.setattr(atif, "_LARGEST", 100)
    assert "has more than 100 bytes" in refused(capsys, "import", "job")
    monkeypatch.setattr(atif, "_LARGEST", 1_000_000)
    monkeypatch.setattr(atif, "_MOST_BYTES", 100)
    assert "more than 100 bytes; import them in parts" in refused(capsys, "import", "job")
    monkeypatch.setattr(atif, "_MOST_FILES", 1)
    (job / "trajectory-2.json").touch()
    assert "more than 1 trajectories; import them in parts" in refused(capsys, "import", "job")
    assert not Path("reports").exists()


def test_missing_package(
    job: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the package `atif` there is one sentence with what to type."""
    monkeypatch.setitem(sys.modules, "atif", None)

    told = refused(capsys, "import", "job")

    assert told.endswith("needs the package 'atif'; type: pip install 'pytest-cuabench[atif]'")


def test_bad_places(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No such file, a folder without trajectories, a name in use, a name that is none: one sentence each."""
    imported()

    assert "no such file: nothing.json" in refused(capsys, "import", "nothing.json")
    assert "holds no trajectory.json" in refused(capsys, "import", "job/task/images")
    assert "reports/foreign exists already; name another run with --run=NAME" in refused(
        capsys, "import", "job", "--run", "foreign"
    )
    assert "invalid value for --run" in refused(capsys, "import", "job", "--run", "../x")


@pytest.mark.parametrize(
    "place",
    [
        "../../private.jpg",
        "{private}",
        "link.jpg",
        "https://example.org/x.png",
        "text.jpg",
        "missing.jpg",
        "\0",
    ],
)
def test_pictures_come_from_the_folder_only(
    job: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    """What lies elsewhere, is a link to it, an address, or no picture is left out and counted."""
    private = tmp_path / "private.jpg"
    Image.new("RGB", (8, 8)).save(private)
    (job / "link.jpg").symlink_to(private)
    (job / "text.jpg").write_text("no picture")
    message = [{"type": "text", "text": "do it"}, picture(place.format(private=private))]
    steps = [
        {"step_id": 1, "source": "user", "message": message},
        {"step_id": 2, "source": "agent", "message": "Done."},
    ]
    write(job, trajectory(steps=steps))

    run = imported()

    assert (
        "1 attempt imported; 1 picture not found in the folder of their trajectory" in capsys.readouterr().out
    )
    assert not list(run.folder.rglob("*.png"))


def test_hostile_values(job: Path) -> None:
    """Names with paths and control characters, lone surrogates, huge and negative figures, and odd times are tamed."""
    agent = {"name": "../../\u202eevil\n", "version": "\ud83d"}
    odd = {"prompt_tokens": -5, "completion_tokens": 10**18, "cost_usd": 1e300}
    step = {"source": "agent", "message": "\ud83d <script>", "metrics": odd}
    times = ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-01-01")
    steps = [{"step_id": number, "timestamp": time, **step} for number, time in enumerate(times, 1)]
    write(job, trajectory(agent=agent, session_id="../../up", steps=steps, trajectory_id="\x1b[2J/.."))

    (attempt,) = imported().attempts()

    assert attempt.instance == "evil/2J-atif"
    assert attempt.agent.isprintable()
    assert (attempt.usage.tokens_in, attempt.usage.tokens_out, attempt.usage.cost) == (0, 0, None)


def test_several_of_one_name(job: Path) -> None:
    """Trajectories with one name, and those of sub-agents, are instances of their own."""
    part = {**trajectory(), "trajectory_id": "part"}
    write(job, trajectory(subagent_trajectories=[part]))
    shutil.copytree(job, job.parent / "again")

    names = sorted(attempt.instance for attempt in imported().attempts())

    assert names == [
        "terminus-2/fill-the-form-2-atif",
        "terminus-2/fill-the-form-atif",
        "terminus-2/part-2-atif",
        "terminus-2/part-atif",
    ]


def test_own_exports_come_back(table: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was exported here keeps its actions and their marks, but is imported like any other."""
    from pytest_cuabench.task.action import Click, Key, Terminate

    monkeypatch.chdir(tmp_path)
    table.run.create({})
    table.play([Click(20, 10), Key(("n",)), Terminate("success")])
    assert main(["export", "run", "--to", "atif", "--output", "job"]) == 0

    run = imported()

    (attempt,) = run.attempts()
    assert attempt.outcome == "imported"
    actions = [step["actions"] for step in read_steps(run.folder / str(attempt.trajectory))]
    assert actions == [
        [{"kind": "click", "x": 20, "y": 10}],
        [{"kind": "key", "keys": ["n"]}],
        [{"kind": "terminate"}],
    ]
