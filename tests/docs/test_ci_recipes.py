"""The recipes for CI do what docs/ci.md says: their own steps are run, in clean clones of a project's repository."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from ci_github import GitHub
from ci_gitlab import GitLab
from ci_server import ROOT, Job, Server, allure
from forge_servers import Comments, forge
from ruamel.yaml import YAML

from pytest_cuabench.commands.cli import names
from pytest_cuabench.gate.config import read_gate
from pytest_cuabench.settings import SETTINGS

RECIPES = ROOT / "examples" / "ci"
BASELINE = "cuabench-baseline.jsonl"
NO_ALLURE = () if allure() else ("allure",)
NIGHTS = 10
FAIL = 10
PLAYED = {"SUITE": "suites/sample", "AGENT": "clerk:Clerk", "WORKERS": "0"}
SERVICES = ["github", "gitlab"]
pipelines = pytest.mark.slow  # two pipelines of a dozen sessions
NAMED = re.compile(r"--(?:cua-[a-z-]+[a-z]|agent)\b")


@dataclass(frozen=True)
class Story:
    """Two pipelines: main as it was, and a release whose agent cannot count any more."""

    server: Server
    artifacts: Path
    main: dict[str, Job]
    evidence: str
    release: dict[str, Job]
    later: str
    comments: list[str]


def recipe(name: str) -> Any:
    """Read a recipe."""
    return YAML(typ="safe").load((RECIPES / name).read_text())


def project(folder: Path) -> Path:
    """Make what a team has: a suite, an agent, its gate, and an empty baseline."""
    shutil.copytree(Path(__file__).parent / "ci_project", folder)
    shutil.copytree(ROOT / "tests" / "sample_suite", folder / "suites" / "sample")
    (folder / "gitignore").rename(folder / ".gitignore")
    shutil.copy(RECIPES / "requirements-agent.txt", folder)
    gate = (RECIPES / "gate.toml").read_text()
    (folder / "gate.toml").write_text(gate.replace("emergency_triage/record_vitals", "desk/note"))
    (folder / BASELINE).touch()
    return folder


def tell(folder: Path, comments: Comments, machine: Callable[[Server], GitHub | GitLab]) -> Story:
    """Run both pipelines; the release also empties the baseline, which must not help it."""
    server = Server(folder / "server", project(folder / "project"))
    runs = machine(server)
    main = runs.run("main", "1", NO_ALLURE, **PLAYED)
    evidence = server.read(BASELINE)
    assert evidence, main
    nights = [json.dumps(json.loads(evidence) | {"run": f"ci-night-{n}"}) for n in range(NIGHTS)]
    server.change("main", "Some nights on main", {BASELINE: "\n".join(nights) + "\n"})
    server.change("release", "A new release", {"unlearned.txt": "count\n", BASELINE: ""})
    release = runs.run("release", "2", NO_ALLURE, **PLAYED)
    later = server.read(BASELINE)
    return Story(server, server.artifacts("2"), main, evidence, release, later, comments.bodies())


@pytest.fixture(scope="module")
def github(tmp_path_factory: pytest.TempPathFactory) -> Story:
    """Run the GitHub workflow, on fewer machines."""
    with forge("github") as (api, comments):

        def machine(server: Server) -> GitHub:
            return GitHub(recipe("github.yml"), server, api, most=2)

        return tell(tmp_path_factory.mktemp("github"), comments, machine)


@pytest.fixture(scope="module")
def gitlab(tmp_path_factory: pytest.TempPathFactory) -> Story:
    """Run the GitLab pipeline on fewer machines, where the repository can be written to without a token."""

    def machine(server: Server) -> GitLab:
        pipeline = recipe("gitlab.yml")
        pipeline["play"]["parallel"] = 2
        pipeline["variables"]["BASELINE_REMOTE"] = str(server.repository)
        return GitLab(pipeline, server, api)

    with forge("gitlab") as (api, comments):
        return tell(tmp_path_factory.mktemp("gitlab"), comments, machine)


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("github.yml", ["vendor.github-workflows"]),
        ("gitlab.yml", ["vendor.gitlab-ci", "--data-transform=gitlab-ci"]),
    ],
)
def test_recipes_are_valid(name: str, schema: list[str]) -> None:
    """A recipe is what its service's own schema allows."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", *schema, str(RECIPES / name)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["github.yml", "gitlab.yml"])
def test_options_and_commands_exist(name: str) -> None:
    """A recipe names no option of pytest-cuabench and no command that there is not."""
    text = (RECIPES / name).read_text()
    assert set(NAMED.findall(text)) <= {setting.option for setting in SETTINGS}
    assert set(re.findall(r"\bcuabench ([a-z]+)", text)) <= set(names())


@pytest.mark.parametrize("service", ["github.yml", "gitlab.yml"])
@pytest.mark.parametrize("code", range(7))
def test_exit_codes_of_a_session(tmp_path: Path, service: str, code: int) -> None:
    """Tasks that failed are for the gate to judge; every other end but a good one ends the job, with its own code."""
    jobs = recipe(service)
    if service == "github.yml":
        script = next(
            step["run"] for step in jobs["jobs"]["play"]["steps"] if step.get("name", "").startswith("Play")
        )
    else:
        script = "\n".join(line for line in jobs["play"]["script"] if "playwright" not in line)
    program = tmp_path / "pytest"
    program.write_text(f"#!/bin/sh\nexit {code}\n")
    program.chmod(0o755)
    script = script.replace("${{ matrix.shard }}", "1")
    done = subprocess.run(
        ("bash", "-e", "-o", "pipefail", "-c", script),
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        cwd=tmp_path,
    )
    assert done.returncode == (0 if code in (0, 1) else code)


def test_the_gate_can_be_read() -> None:
    """The gate of the recipes demands what it says, of tasks that the shipped suite has."""
    gate = read_gate(RECIPES / "gate.toml")
    assert gate.baseline is not None
    assert gate.baseline.file == BASELINE
    for entry in gate.must_pass:
        application, task = entry.split("/")
        assert (ROOT / "suites" / "medcua" / application / f"{task}.toml").is_file()


def test_the_requirements_are_of_this_version() -> None:
    """The recipes pin the version that they come with."""
    (line,) = (RECIPES / "requirements-agent.txt").read_text().splitlines()
    assert line.split("  #")[0] == f"pytest-cuabench[anthropic,suites]=={version('pytest-cuabench')}"


@pipelines
@pytest.mark.parametrize("service", SERVICES)
def test_an_unchanged_agent_passes(service: str, request: pytest.FixtureRequest) -> None:
    """Main is green, and what it showed is in the repository's baseline."""
    story: Story = request.getfixturevalue(service)
    assert {name: job.code for name, job in story.main.items() if job.code} == {}, story.main
    assert "gate: pass, exit code 0" in story.main["decide"].said
    (line,) = story.evidence.splitlines()
    evidence = json.loads(line)
    assert evidence["run"] == "ci-1"
    assert len(evidence["instances"]) == 6
    assert {(plays, good) for _, _, plays, good, _ in evidence["instances"].values()} == {(3, 3)}


@pipelines
@pytest.mark.parametrize("service", SERVICES)
def test_a_regression_is_caught(service: str, request: pytest.FixtureRequest) -> None:
    """A release that lost a task fails with the gate's exit code and the reason in a sentence."""
    story: Story = request.getfixturevalue(service)
    assert story.release["play"].result == "success"
    assert story.release["decide"].code == FAIL, story.release["decide"].said
    assert f"gate: fail, exit code {FAIL}" in story.release["decide"].said
    assert "✗ desk/count-step" in story.release["decide"].said
    assert story.release["baseline"].code is None or "nothing is added" in story.release["baseline"].said
    assert len(story.later.splitlines()) == NIGHTS


@pipelines
@pytest.mark.parametrize("service", SERVICES)
def test_the_comment(service: str, request: pytest.FixtureRequest) -> None:
    """The release's request has one comment, with the verdict, what got worse, and main's rate; main has none."""
    story: Story = request.getfixturevalue(service)
    (comment,) = story.comments
    assert "### ✗ Gate fail: sample" in comment, story.release["decide"].said
    assert "**12 of 18** graded instances" in comment
    assert "**Worse than main: 2 instances**" in comment
    assert "no comment: this job is not of a pull or merge request" in story.main["decide"].said


@pipelines
def test_the_step_summary(github: Story) -> None:
    """The page of the job says first what was decided and why, and then what was played."""
    good, bad = github.main["decide"].summary, github.release["decide"].summary
    assert good.startswith("## ✓ Gate: pass")
    assert "**18 of 18** graded instances succeeded" in good
    assert bad.startswith("## ✗ Gate: fail")
    assert "desk/count\\-step" in bad.split("### What holds")[0]
    assert "**12 of 18** graded instances succeeded" in bad


@pipelines
def test_what_is_uploaded(github: Story) -> None:
    """Whoever opens the artifacts finds the page, the judgement and each machine's JUnit XML."""
    artifacts = github.artifacts
    assert {"report.html", "gate.json", "gate.md", "summary.md"} <= {
        f.name for f in (artifacts / "report").iterdir()
    }
    assert json.loads((artifacts / "report" / "gate.json").read_text())["exit_code"] == FAIL
    assert [len(list(artifacts.glob(f"played-{n}/junit-{n}.xml"))) for n in (1, 2)] == [1, 1]


@pipelines
def test_sessions_that_break(github: Story) -> None:
    """Where no shard could play, nothing is green, nothing is skipped that must be seen, and no evidence is added."""
    machine = GitHub(recipe("github.yml"), github.server, "http://127.0.0.1:9", most=1)
    jobs = machine.run("main", "3", NO_ALLURE, **PLAYED | {"AGENT": "nobody"})
    assert jobs["play"].code == pytest.ExitCode.USAGE_ERROR
    assert {name: jobs[name].result for name in ("play", "decide", "baseline")} == {
        "play": "failure",
        "decide": "failure",
        "baseline": "skipped",
    }
    assert "A shard did not end by itself" in jobs["decide"].summary
    assert len(github.server.read(BASELINE).splitlines()) == NIGHTS


@pipelines
def test_the_table_of_properties(github: Story) -> None:
    """docs/ci.md names the properties that JUnit XML really has."""
    page = (ROOT / "docs" / "ci.md").read_text()
    rows = re.findall(r"^\| (`cua_.*?) \|", page, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    found = {
        each.get("name")
        for file in github.artifacts.glob("played-*/junit-*.xml")
        for each in ElementTree.parse(file).iter("property")
    }
    elsewhere = {"cua_recorded", "cua_claim", "cua_claim_holds", "cua_broke", "cua_code_used", "cua_scripts"}
    elsewhere.add("cua_human_steps")  # where a person took over
    assert named - elsewhere == found  # resumed sessions, audits, desktops and attempts that broke have more


@pipelines
@pytest.mark.skipif(allure() is None, reason="Allure's command line is not installed")
@pytest.mark.parametrize("service", SERVICES)
def test_allure_knows_earlier_runs(service: str, request: pytest.FixtureRequest) -> None:
    """The second report has the first one in its trend, and each test its history."""
    story: Story = request.getfixturevalue(service)
    (trend,) = story.artifacts.rglob("history/history-trend.json")
    history = json.loads(trend.with_name("history.json").read_text())
    assert [run["data"]["passed"] for run in json.loads(trend.read_text())] == [12, 18]
    assert len(history) == 18
    assert {len(each["items"]) for each in history.values()} == {2}
