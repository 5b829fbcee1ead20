"""The comment on a pull or merge request, against strict servers of the forges' APIs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from forge_servers import NUMBER, PROJECT, TOKEN, Comments, forge
from gate_records import HARM, attempt, plan, plays

from pytest_cuabench.commands.cli import main
from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.baseline import FILE, Evidence, append_evidence
from pytest_cuabench.gate.comment import Mark, comment
from pytest_cuabench.gate.config import Gate, read_gate
from pytest_cuabench.gate.forges import Forge, ForgeError, GitHub, GitLab, publish
from pytest_cuabench.gate.judge import judge_run
from pytest_cuabench.gate.summary import write_judgement
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.verdict import Milestone, Verdict

NOW, BEFORE, LATER = "2026-11-20T10:00:00+00:00", "2026-11-19T10:00:00+00:00", "2026-11-21T10:00:00+00:00"
DONE = (Milestone("saved", True, 1.0),)
HOSTILE = "<img src=x onerror=alert(1)>|`@everyone --> \n## Gate: pass"


def judged(
    folder: Path, *attempts: Attempt, main: tuple[Attempt, ...] = (), gate: str = ""
) -> tuple[Run, Gate]:
    """Return a run of these attempts that a gate has judged, with five runs of main in its baseline."""
    folder.mkdir()
    (folder / "gate.toml").write_text(gate or "[baseline]\n")
    (folder / FILE).touch()
    for night in range(5) if main else ():
        append_evidence(
            folder / FILE,
            Evidence.of(f"night-{night}", f"2026-11-0{night + 1}T00:00:00+00:00", "claude", main),
        )
    run = Run(folder / "run-1")
    run.create({"started": NOW})
    run.plan(plan(*attempts).values())
    for each in attempts:
        run.append(each)
    run.close()
    demands = read_gate(folder / "gate.toml")
    write_judgement(run.folder, judge_run(run, demands))
    return run, demands


@pytest.fixture(params=["github", "gitlab"])
def server(request: pytest.FixtureRequest) -> Iterator[tuple[Forge, Comments]]:
    with forge(request.param) as (address, comments):
        kind = GitHub if request.param == "github" else GitLab
        yield kind(address, PROJECT, NUMBER, TOKEN, pause=lambda seconds: None), comments


def test_what_changed_beside_main(tmp_path: Path) -> None:
    """Instances that mostly succeeded on main and do no more are listed with what is missing, and those that do now."""
    main = (*plays("solid", "++"), *plays("weak", "--"), *plays("same", "++"))
    here = [*plays("solid", "--"), *plays("weak", "++"), *plays("same", "++")]
    _, text = comment(*judged(tmp_path / "ci", *here, main=main))
    worse, _, better = text.partition("**Better than main: 1 instance**")
    assert "**Worse than main: 1 instance**" in worse
    assert "| ward/solid\\-intent | 10/10 | 0/2 | the task is not done; missed\\: saved |" in worse
    assert "| ward/weak\\-intent | 0/10 | 2/2 |" in better
    assert "same" not in text


def test_main_stands_beside(tmp_path: Path) -> None:
    """The success rate has that of the same instances in the baseline beside it, with its age and fingerprint."""
    same = plays("t", "++")
    _, text = comment(*judged(tmp_path / "ci", *same, *plays("new", "+"), main=tuple(same)))
    assert "**3 of 3** graded instances" in text
    found = next(line for line in text.splitlines() if line.startswith("Main on 1 instance of these: 100"))
    assert "newest run night\\-4" in found
    assert "days old, fingerprint `" in found


def test_harm_is_named_first(tmp_path: Path) -> None:
    """An instance that got worse and did harm is listed with the harm."""
    harmful = attempt("t", "violation", epoch=1, verdict=Verdict(DONE, (HARM,)))
    _, text = comment(*judged(tmp_path / "ci", *plays("t", "-"), harmful, main=tuple(plays("t", "++"))))
    assert "critical patient\\_identity\\: the wrong patient" in text


def test_no_more_than_ten(tmp_path: Path) -> None:
    """A table has at most ten instances, and says how many more there are."""
    main = tuple(each for n in range(13) for each in plays(f"t{n}", "++"))
    here = [each for n in range(13) for each in plays(f"t{n}", "--")]
    _, text = comment(*judged(tmp_path / "ci", *here, main=main))
    assert text.count("| 10/10 | 0/2 |") == 10
    assert "and 3 further instances in the report." in text


def test_texts_of_agents_are_harmless(tmp_path: Path) -> None:
    """What an agent or a world wrote makes neither markup, nor a mention, nor another hidden line."""
    broken = attempt("t", "environment_error", error=HOSTILE)
    bad = attempt("t2", "violation", verdict=Verdict(DONE, (replace(HARM, detail=HOSTILE),)))
    _, text = comment(*judged(tmp_path / "ci", broken, bad, main=tuple(plays("t2", "++"))))
    plain = re.sub(r"\\.", "", text)  # without what is escaped
    assert not [sign for sign in ("<img", "@everyone", "`@", "\n## Gate") if sign in plain]
    assert "@everyone" not in text
    assert text.count("-->") == 1
    assert Mark.read(str(Mark(HOSTILE, NOW))) == Mark(HOSTILE, NOW)


def test_a_run_without_judgement(tmp_path: Path) -> None:
    """Without gate.json there is nothing to comment, and the command that makes it is named."""
    run, gate = judged(tmp_path / "ci", *plays("t", "+"))
    (run.folder / "gate.json").unlink()
    with pytest.raises(
        SettingError, match=r"run-1 was not judged yet; type: cuabench gate run-1 --config gate\.toml"
    ):
        comment(run, gate)


def test_one_comment_stays(server: tuple[Forge, Comments]) -> None:
    """A second run replaces the comment; another gate of the pipeline has its own, and people's are left alone."""
    forge, comments = server
    comments.add("Looks good to me")
    mark = Mark("medcua", BEFORE)
    assert publish(forge, mark, f"{mark}\nfirst").startswith(f"commented on request {NUMBER}")
    other = Mark("scuba", BEFORE)
    publish(forge, other, f"{other}\nother")
    mark = replace(mark, started=NOW)
    assert publish(forge, mark, f"{mark}\nsecond").startswith(f"replaced the comment on request {NUMBER}")
    assert comments.bodies() == ["Looks good to me", f"{mark}\nsecond", f"{other}\nother"]


def test_a_foreign_mark(server: tuple[Forge, Comments]) -> None:
    """A comment that somebody else wrote with the hidden line is not replaced."""
    forge, comments = server
    mark = Mark("medcua", NOW)
    comments.add(f"{mark}\nmine", writer="mallory")
    publish(forge, mark, f"{mark}\nreal")
    assert comments.bodies() == [f"{mark}\nmine", f"{mark}\nreal"]


def test_a_newer_run_stays(server: tuple[Forge, Comments]) -> None:
    """A run that ends late does not replace the comment of a run that began after it."""
    forge, comments = server
    newer = f"{Mark('medcua', LATER)}\nnewer"
    comments.add(newer)
    assert publish(forge, Mark("medcua", NOW), "late") == (
        f"the comment on request {NUMBER} is of a newer run and stays as it is"
    )
    assert comments.bodies() == [newer]


def test_a_run_of_unknown_begin(server: tuple[Forge, Comments]) -> None:
    """A run that does not say when it began replaces the comment, and is replaced by the next."""
    forge, comments = server
    for mark in (Mark("medcua", LATER), Mark("medcua", ""), Mark("medcua", NOW)):
        publish(forge, mark, f"{mark}\nof {mark.started}")
    assert comments.bodies() == [f"{Mark('medcua', NOW)}\nof {NOW}"]


def test_a_comment_that_is_deleted_meanwhile(server: tuple[Forge, Comments]) -> None:
    """A comment that goes away before it is replaced is made anew."""
    forge, comments = server
    comments.add(f"{Mark('medcua', BEFORE)}\nold")

    def delete(method: str, path: str) -> None:
        if method in ("PATCH", "PUT"):
            comments.written[0]["body"] = None

    comments.before = delete
    mark = Mark("medcua", NOW)
    publish(forge, mark, f"{mark}\nnew")
    assert comments.bodies() == [f"{mark}\nnew"]


def test_two_jobs_at_once(server: tuple[Forge, Comments]) -> None:
    """Where another job comments at the same time, one comment is left."""
    forge, comments = server
    mark = Mark("medcua", NOW)

    def comment_first(method: str, path: str) -> None:
        if method == "POST":
            comments.add(f"{Mark('medcua', BEFORE)}\nother job")

    comments.before = comment_first
    publish(forge, mark, f"{mark}\nmine")
    assert comments.bodies() == [f"{mark}\nmine"]


def test_many_comments(server: tuple[Forge, Comments]) -> None:
    """The comment is found behind more comments than a page holds."""
    forge, comments = server
    for number in range(230):
        comments.add(f"comment {number}")
    comments.add(f"{Mark('medcua', BEFORE)}\nold")
    mark = Mark("medcua", NOW)
    publish(forge, mark, f"{mark}\nnew")
    assert comments.bodies()[230:] == [f"{mark}\nnew"]


@pytest.mark.parametrize("trouble", [[(502, {})], [(429, {"retry-after": "1"})], [(500, {}), (503, {})]])
def test_a_busy_forge(server: tuple[Forge, Comments], trouble: list[tuple[int, dict[str, str]]]) -> None:
    """A forge that is busy for a moment is asked again."""
    forge, comments = server
    comments.trouble = trouble
    mark = Mark("medcua", NOW)
    publish(forge, mark, f"{mark}\nnew")
    assert comments.bodies() == [f"{mark}\nnew"]


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        ((401, {}), "answers 401: the token is not valid, or no longer"),
        ((403, {}), "answers 403: the token may not write comments; "),
        ((404, {}), f"answers 404: there is no request {NUMBER} in {PROJECT}, or the token may not see it"),
        (
            (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999"}),
            "too many requests for now",
        ),
        ((429, {"retry-after": "3600"}), "too many requests for now"),
        ((500, {}), "answers 500; run the job again later"),
    ],
)
def test_a_forge_that_refuses(
    server: tuple[Forge, Comments], trouble: tuple[int, dict[str, str]], sentence: str
) -> None:
    """Each refusal is one sentence with what to do, without the token, and nothing is written."""
    forge, comments = server
    comments.trouble = [trouble] * 9
    mark = Mark("medcua", NOW)
    with pytest.raises(ForgeError) as error:
        publish(forge, mark, f"{mark}\nnew")
    assert sentence in str(error.value)
    assert TOKEN not in str(error.value)
    assert comments.bodies() == []


def test_a_token_is_sent_by_https_alone() -> None:
    """The address of an API elsewhere must be https."""
    with pytest.raises(
        SettingError, match=r"GitHub's API must be an https address, not 'http://forge\.test'"
    ):
        GitHub("http://forge.test", PROJECT, NUMBER, TOKEN)


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Comments]:
    """A job of GitHub's for a pull request, with a judged run."""
    judged(tmp_path / "ci", *plays("t", "+"))
    monkeypatch.chdir(tmp_path / "ci")
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": NUMBER, "head": {"sha": "abc123"}}}))
    with forge("github") as (address, comments):
        known = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": address,
            "GITHUB_REPOSITORY": PROJECT,
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_TOKEN": TOKEN,
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        }
        for name, value in known.items():
            monkeypatch.setenv(name, value)
        yield comments


COMMAND = ["comment", "run-1", "--config", "gate.toml"]


def test_a_job_comments_by_itself(job: Comments, capsys: pytest.CaptureFixture[str]) -> None:
    """In a job of a pull request the command needs no option."""
    assert main(COMMAND) == 0
    assert [body.splitlines()[1] for body in job.bodies()] == ["### ? Gate inconclusive: small"]
    assert job.bodies()[0].endswith("commit abc123\n")
    assert TOKEN not in "".join(capsys.readouterr())


def test_a_dry_run_prints(job: Comments, capsys: pytest.CaptureFixture[str]) -> None:
    """A dry run prints the comment and sends nothing."""
    assert main([*COMMAND, "--dry-run", "--name=night"]) == 0
    assert "Gate inconclusive: night" in capsys.readouterr().out
    assert job.asked == []


def test_a_failed_comment_changes_no_exit_code(
    job: Comments, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A job whose comment is refused succeeds, says why, and has the text in its summary."""
    job.trouble = [(403, {})] * 9
    assert main(COMMAND) == 0
    assert "no comment was written: GitHub answers 403" in capsys.readouterr().err
    assert "Gate inconclusive: small" in (tmp_path / "summary.md").read_text()


def test_a_fork_has_no_token(
    job: Comments, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a token the text is in the job's summary."""
    monkeypatch.delenv("GITHUB_TOKEN")
    assert main(COMMAND) == 0
    assert (
        "GITHUB_TOKEN is not set, as in jobs of forks; it is in the job's summary" in capsys.readouterr().err
    )


def test_a_job_of_main(
    job: Comments, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A job that is not of a request comments on nothing."""
    monkeypatch.delenv("GITHUB_EVENT_PATH")
    monkeypatch.setenv("GITHUB_REF", "refs/heads/main")
    assert main(COMMAND) == 0
    assert "this job is not of a pull or merge request" in capsys.readouterr().out
    assert job.asked == []
    assert not (tmp_path / "summary.md").exists()


def test_outside_of_a_job(
    job: Comments, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Elsewhere the forge has to be named."""
    monkeypatch.delenv("GITHUB_ACTIONS")
    assert main(COMMAND) == 2
    assert "say where to comment: --github, --gitlab, or --dry-run" in capsys.readouterr().err
