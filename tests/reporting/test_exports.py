"""A run that was really played, in every format, read back by the format's own library."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from phases import add_phases

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger.record import Run

PACKAGES = {
    "hf": "datasets",
    "mlflow": "sqlalchemy",
    "openinference": "opentelemetry.exporter.otlp.json.common",
}
SAMPLE = Path(__file__).parents[1] / "sample_suite"
SECRET = "swordfish-4711"
TYPIST = f'''
"""An agent that says and types what it must not, and says what it used."""

from pytest_cuabench import Decision, Usage
from pytest_cuabench.task.action import Click, Key, Terminate, Type


class Typist:
    def __init__(self, profile): pass

    async def start(self, briefing):
        assert "{SECRET}" in briefing.goal
        self.script = iter([
            Decision((Type("{SECRET}"), Key(("n",))), "The password is {SECRET}.", usage=Usage(90, 7, 40, 0.02)),
            Decision((Click(30, 20),), thought="half a character: \\ud83d", usage=Usage(80, 5, 0, 0.01)),
            Decision((Terminate("success"),), thought="Done.", usage=Usage(10, 2, 0, 0.0)),
        ])

    async def decide(self, observation):
        return next(self.script)

    async def close(self): pass
'''


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample suite, played by an agent that tells a password, typed and in its thoughts; and with a phase.

    It is played by other processes: pytester forgets what a test imported, and NumPy can be imported only once.
    """
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(SAMPLE, folder / "suites" / "sample", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "typist.py").write_text(TYPIST)
    note = folder / "suites" / "sample" / "desk" / "note"
    for file, old, new in (
        (note.with_suffix(".py"), 'return {"name"', f'return {{"password": "{SECRET}", "name"'),
        (note.with_suffix(".toml"), "was seen.", "was seen; sign in with {password}."),
        (note.with_suffix(".toml"), "Press n for {name}.", "Press n for {name} with {password}."),
    ):
        file.write_text(file.read_text().replace(old, new))
    play(folder, "one", "--agent=typist:Typist", "-k", "note")
    add_phases(folder / "suites" / "sample")
    play(folder, "phased", "--agent=oracle", "-k", "count-intent")
    return folder


def play(folder: Path, name: str, *options: str) -> None:
    """Play the sample suite."""
    command = (sys.executable, "-m", "pytest", "suites/sample", f"--cua-run={name}", "-q", *options)
    known = {**os.environ, "PYTHONPATH": str(SAMPLE.parent)}
    done = subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def run(project: Path, tmp_path: Path) -> Run:
    """A copy of the run of two instances by the agent."""
    return Run(shutil.copytree(project / "reports" / "one", tmp_path / "one"))


def exported(run: Run, name: str) -> Path:
    """Export a run by the command, and return the folder."""
    pytest.importorskip(PACKAGES.get(name, name), reason=f"type: pip install 'pytest-cuabench[{name}]'")
    assert main(["export", str(run.folder), "--to", name]) == 0
    return run.folder / "exports" / name


def is_told(text: str) -> None:
    """Assert that the agent's words are there, and the password is not."""
    assert SECRET not in text
    assert "The password is •••." in text


def screens(run: Run, instance: str = "desk/note-intent") -> list[bytes]:
    """Return the recorded pictures of an instance, the last one at the end."""
    folder = run.folder / "trajectories" / instance / "1"
    return [file.read_bytes() for file in [*sorted(folder.glob("step-*.png")), folder / "final.png"]]


def test_atif(run: Run) -> None:
    """Each attempt is a trajectory: goal, decisions with calls, results, tokens, times, and the screens beside it."""
    folder = exported(run, "atif")
    from atif import Trajectory

    files = sorted(folder.rglob("trajectory.json"))
    assert [file.parent.relative_to(folder).as_posix() for file in files] == [
        "desk/note-intent/1",
        "desk/note-step/1",
    ]
    is_told(files[0].read_text())
    found = Trajectory.model_validate_json(files[0].read_text())
    assert (found.schema_version, found.session_id) == ("ATIF-v1.8", "one")
    assert [step.source for step in found.steps] == ["user", "agent", "agent", "agent"]
    first, typed = found.steps[:2]
    assert first.message[0].text == "Sit down. Note that Ada was seen; sign in with •••."
    assert [(call.function_name, call.arguments) for call in typed.tool_calls or ()] == [
        ("type", {"text": "•••"}),
        ("key", {"keys": ["n"]}),
    ]
    metrics = typed.metrics
    assert metrics
    assert (metrics.prompt_tokens, metrics.cached_tokens, metrics.cost_usd) == (90, 40, 0.02)
    assert found.final_metrics
    assert found.final_metrics.total_cost_usd == pytest.approx(0.03)
    assert found.extra
    assert found.extra["pytest-cuabench"]["outcome"] == "success"
    times = [step.timestamp for step in found.steps]
    assert times == sorted(times, key=str)
    pictures = [
        part.source.path
        for content in (
            first.message,
            *(r.content for s in found.steps if s.observation for r in s.observation.results),
        )
        if isinstance(content, list)
        for part in content
        if part.type == "image"
    ]
    assert [(files[0].parent / name).read_bytes() for name in pictures] == screens(run)


def test_atif_of_phases(project: Path) -> None:
    """An earlier phase comes first and says so; a solution, which asks no model, claims no call of one."""
    folder = exported(Run(project / "reports" / "phased"), "atif")
    from atif import Trajectory

    found = Trajectory.model_validate_json((folder / "desk/count-intent/1/trajectory.json").read_text())
    told = [(step.source, (step.extra or {}).get("phase")) for step in found.steps]
    assert told == [
        ("user", "search"),
        ("agent", "search"),
        ("agent", "search"),
        ("user", None),
        ("agent", None),
    ]
    calls = [call.tool_call_id for step in found.steps for call in step.tool_calls or ()]
    assert len(calls) == len(set(calls)) == 3
    assert (folder / "desk/count-intent/1/search/step-000.png").is_file()
    decided = [step for step in found.steps if step.source == "agent"]
    assert {(step.llm_call_count, step.metrics) for step in decided} == {(0, None)}


def test_openinference(run: Run) -> None:
    """A line is a trace: the attempt, its steps, what the model was shown and said, and each action."""
    folder = exported(run, "openinference")
    from opentelemetry.proto_json.collector.trace.v1.trace_service import ExportTraceServiceRequest

    text = (folder / "traces.jsonl").read_text()
    is_told(json.dumps([json.loads(line) for line in text.splitlines()], ensure_ascii=False))
    traces = [
        ExportTraceServiceRequest.from_json(line).resource_spans[0].scope_spans[0].spans
        for line in text.splitlines()
    ]
    assert len(traces) == 2
    assert len({span.trace_id for spans in traces for span in spans}) == 2
    names = [span.name for span in traces[0]]
    typist = "Typist"
    assert names == [
        f"invoke_agent {typist}",
        *("step 1", f"chat {typist}", "type", "key"),
        *("step 2", f"chat {typist}", "click"),
        *("step 3", f"chat {typist}", "terminate"),
    ]  # fmt: skip
    root, step, chat, typed = traces[0][:4]
    assert (root.parent_span_id or b"", step.parent_span_id, typed.parent_span_id) == (
        b"",
        root.span_id,
        step.span_id,
    )
    assert (
        root.start_time_unix_nano
        <= step.start_time_unix_nano
        <= step.end_time_unix_nano
        <= root.end_time_unix_nano
    )
    assert attributes(root)["openinference.span.kind"] == "AGENT"
    assert [attributes(event)["gen_ai.evaluation.score.value"] for event in root.events] == [1.0, 1.0]
    said = attributes(chat)
    assert said["gen_ai.usage.input_tokens"] == said["llm.token_count.prompt"] == 90
    assert said["llm.output_messages.0.message.tool_calls.1.tool_call.function.name"] == "key"
    shown = said["llm.input_messages.0.message.contents.1.message_content.image.image.url"]
    assert b64decode(shown.removeprefix("data:image/png;base64,")) == screens(run)[0]
    assert json.loads(attributes(typed)["input.value"]) == {"text": "•••"}


def attributes(span: Any) -> dict[str, Any]:
    """Return the attributes of a span or an event."""
    return {each.key: next(v for v in vars_of(each.value) if v is not None) for each in span.attributes}


def vars_of(value: Any) -> tuple[Any, ...]:
    """Return what a value may be."""
    return value.string_value, value.double_value, value.int_value, value.bool_value


def test_openinference_again(run: Run) -> None:
    """A second export is the same trace, so that a store does not count an attempt twice."""
    folder = exported(run, "openinference")
    first = (folder / "traces.jsonl").read_text()

    exported(run, "openinference")

    assert (folder / "traces.jsonl").read_text() == first


def test_hf(run: Run, tmp_path: Path) -> None:
    """The folder alone, moved elsewhere, is loaded as two tables with the pictures inside."""
    datasets = pytest.importorskip("datasets", reason="type: pip install 'pytest-cuabench[hf]'")
    folder = exported(run, "hf").rename(tmp_path / "moved")
    for file in (run.folder / "trajectories").rglob("*.png"):
        file.rename(file.with_suffix(".gone"))

    def load(name: str) -> Any:
        return datasets.load_dataset(str(folder), name, split="train", cache_dir=str(tmp_path / "cache"))

    attempts, steps = load("attempts"), load("steps")

    is_told(json.dumps([row["thought"] for row in steps], ensure_ascii=False))
    assert [(row["attempt"], row["outcome"], row["tokens_in"], row["success"]) for row in attempts] == [
        ("desk/note-intent/1", "success", 180, True),
        ("desk/note-step/1", "success", 180, True),
    ]
    assert [row["step"] for row in steps] == [0, 1, 2, 0, 1, 2]
    assert [call["name"] for call in json.loads(steps[0]["calls"])] == ["type", "key"]
    assert all(row["screen"].size == attempts[0]["end"].size for row in steps)
    assert SECRET not in json.dumps([{**row, "screen": None, "began": "", "ended": ""} for row in steps])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # MLflow's own use of SQLAlchemy
def test_mlflow(run: Run) -> None:
    """The store holds a run with the rates, and one nested in it for each attempt, with steps and pictures."""
    mlflow = pytest.importorskip("mlflow", reason="type: pip install 'pytest-cuabench[mlflow]'")
    folder = exported(run, "mlflow")
    store = mlflow.MlflowClient(tracking_uri=f"sqlite:///{folder / 'mlflow.db'}")

    (experiment,) = (each for each in store.search_experiments() if each.name == "sample")
    runs = {each.info.run_name: each for each in store.search_runs([experiment.experiment_id])}
    whole, intent = runs.pop("one"), runs["desk/note-intent 1"]

    assert whole.data.metrics["success_rate"] == 1.0
    assert {each.data.tags["mlflow.parentRunId"] for each in runs.values()} == {whole.info.run_id}
    assert sorted(runs) == ["desk/note-intent 1", "desk/note-step 1"]
    assert (intent.data.params["instance"], intent.data.metrics["tokens_in"]) == ("desk/note-intent", 180)
    kept = Path(store.download_artifacts(intent.info.run_id, ""))
    is_told(json.dumps(json.loads((kept / "steps.json").read_text()), ensure_ascii=False))
    names = ["screens/step-000.png", "screens/step-001.png", "screens/step-002.png", "screens/final.png"]
    assert [(kept / name).read_bytes() for name in names] == screens(run)
    assert SECRET.encode() not in b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("name", ["atif", "openinference", "hf"])
def test_attempts_without_steps(run: Run, name: str) -> None:
    """Attempts whose process died, which have no trajectory, are exported or left out, never an error."""
    ledger = run.folder / "ledger.jsonl"
    *_, line = ledger.read_text().splitlines()
    lost = json.loads(line) | {"trajectory": None, "screenshot": None, "verdict": None, "number": 2}
    lost |= {"outcome": "environment_error", "error": "the worker died"}
    with ledger.open("a") as stream:
        stream.write(json.dumps(lost) + "\n")

    exported(run, name)


@pytest.mark.parametrize("name", ["csv", "atif", "openinference", "hf"])
def test_a_run_without_attempts(run: Run, name: str) -> None:
    """A run that was stopped before its first attempt ended has an export without any."""
    ledger = run.folder / "ledger.jsonl"
    ledger.write_text(ledger.read_text().splitlines()[0] + "\n")

    assert exported(run, name).is_dir()


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command in vain, and return its one sentence."""
    assert main(["export", *arguments]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told.removeprefix("cuabench export: ").strip()


def test_bad_input(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No such run, no such format, a folder in use: one sentence each, and the folder stays as it was."""
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine")
    here = str(run.folder)

    assert refused(capsys, "nothing", "--to", "csv").startswith("no run named 'nothing'; ")
    assert refused(capsys, here, "--to", "cvs").endswith("did you mean 'csv'?")
    assert refused(capsys, here, "--to", "csv", "--output", str(full)) == (
        f"{full} already exists and is not an empty folder; name a new one with --output=DIR"
    )
    assert [file.name for file in full.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("ledger.jsonl", '{"type": "attempt"}'),
        ("trajectories/desk/note-intent/1/steps.jsonl", '{"step": 0}'),
        ("trajectories/desk/note-intent/1/case.json", "{"),
    ],
)
def test_damaged_records(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, content: str
) -> None:
    """A damaged record is one sentence that names the file, and nothing half is left."""
    pytest.importorskip("atif", reason="type: pip install 'pytest-cuabench[atif]'")
    (run.folder / file).write_text(content + "\n")

    told = refused(capsys, str(run.folder), "--to", "atif", "--output", str(tmp_path / "new"))

    assert file in told
    assert not (tmp_path / "new").exists()


def test_a_link_out_of_the_run_is_not_followed(run: Run, tmp_path: Path) -> None:
    """A picture that is a link to another file of this computer is left out."""
    private = tmp_path / "private"
    private.write_text("a private file")
    picture = run.folder / "trajectories" / "desk" / "note-intent" / "1" / "step-000.png"
    picture.unlink()
    picture.symlink_to(private)

    folder = exported(run, "atif")

    assert not (folder / "desk/note-intent/1/step-000.png").exists()
    assert (folder / "desk/note-intent/1/step-001.png").exists()


def test_missing_package(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A package that is not installed is one sentence with what to type."""
    monkeypatch.setitem(sys.modules, "atif", None)
    monkeypatch.delitem(sys.modules, "pytest_cuabench.reporting.exporters.atif", raising=False)

    assert refused(capsys, str(run.folder), "--to", "atif") == (
        "the exporter atif needs the package 'atif'; type: pip install 'pytest-cuabench[atif]'"
    )
