"""Runs of several machines become one: every attempt once, nothing lost, and inputs stay as they are."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_world import ATTEMPT

from pytest_cuabench.commands import cli
from pytest_cuabench.commands import merge as command
from pytest_cuabench.errors import RecordFailure, SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.ledger.lines import LEDGER, regrade
from pytest_cuabench.ledger.merge import merge, missing_shards
from pytest_cuabench.ledger.record import Recorder, Run

PRINT = Fingerprint("task", "world", "1.0", {"cua_observation": "tree", "cua_max_steps": "9"}, "agent")
GOOD = ATTEMPT.with_values(
    outcome="success", verdict=replace(ATTEMPT.verdict, violations=()), fingerprint=PRINT
)  # type: ignore[type-var]
BROKEN = GOOD.with_values(outcome="environment_error", verdict=None, error="it broke", fingerprint=None)
Make = Callable[..., Run]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a run with trajectories; each attempt's case tells where it was played."""

    def making(name: str, *attempts: Attempt, **about: Any) -> Run:
        run = Run(tmp_path / name)
        run.create({"agent": "scripted", "started": f"2026-0{len(name)}", "settings": {"run": name}} | about)
        for number, attempt in enumerate(attempts):
            recorder = Recorder(run, attempt.instance, attempt.number)
            recorder.document("case", {"played": f"{name} {number}"})
            shot = recorder.picture("final", b"png")
            assert shot
            place = recorder.relative(recorder.folder)
            run.append(
                attempt.with_values(
                    trajectory=place, screenshot=f"{place}/{shot}", started=f"{name} {number}"
                )
            )
        return run

    return making


def at(instance: str, attempt: Attempt = GOOD, **changes: Any) -> Attempt:
    """Return an attempt at another instance."""
    return attempt.with_values(instance=f"desk/{instance}", **changes)


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.name != ".lock"]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def outcomes(run: Run) -> dict[str, list[str]]:
    """Return the outcomes of all attempts by instance."""
    found: dict[str, list[str]] = {}
    for attempt in run.attempts():
        found.setdefault(attempt.instance.removeprefix("desk/"), []).append(attempt.outcome)
    return found


def test_shards_become_one_run(make: Make, tmp_path: Path) -> None:
    """All attempts are there with their trajectories, and the inputs are as they were."""
    runs = make("one", at("a"), at("b", BROKEN), at("b", number=2)), make("three", at("c"), at("d"))
    before = [contents(run.folder) for run in runs]

    merged = merge(runs, tmp_path / "all")

    assert [contents(run.folder) for run in runs] == before
    assert outcomes(merged) == {
        "a": ["success"],
        "b": ["environment_error", "success"],
        "c": ["success"],
        "d": ["success"],
    }
    for attempt in merged.attempts():
        assert attempt.trajectory
        assert attempt.screenshot
        assert (merged.folder / attempt.screenshot).read_bytes() == b"png"
        case = json.loads((merged.folder / attempt.trajectory / "case.json").read_text())
        assert case == {"played": attempt.started}
    about = merged.about()
    assert [part["run"] for part in about["merged"]] == ["one", "three"]
    assert (about["started"], about["agent"], about["settings"]) == ("2026-03", "scripted", {})
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_merging_again_changes_nothing(make: Make, tmp_path: Path) -> None:
    """The same runs in whatever order, once more or with the merged run as an earlier input, are the same run."""
    runs = [make("one", at("a"), at("b", BROKEN)), make("three", at("b"), at("c"))]
    first = contents(merge(runs, tmp_path / "all").folder)
    assert contents(merge(runs, tmp_path / "all").folder) == first
    assert contents(merge([*reversed(runs), runs[0]], tmp_path / "all").folder) == first


def test_a_shard_that_comes_later_is_added(make: Make, tmp_path: Path) -> None:
    """What was merged before stays, also where its inputs are gone."""
    one = make("one", at("a"))
    merge([one], tmp_path / "all")
    shutil.rmtree(one.folder)
    merged = merge([make("three", at("b"))], tmp_path / "all")
    assert outcomes(merged) == {"a": ["success"], "b": ["success"]}
    assert [part["run"] for part in merged.about()["merged"]] == ["one", "three"]


@pytest.mark.parametrize("turned", [False, True])
def test_a_judged_attempt_comes_last(make: Make, tmp_path: Path, turned: bool) -> None:
    """What broke on one machine and was judged on another is judged, whichever is named first."""
    runs = [make("one", at("a", BROKEN)), make("three", at("a"))]
    merged = merge(runs[::-1] if turned else runs, tmp_path / "all")
    assert outcomes(merged) == {"a": ["environment_error", "success"]}
    places = [attempt.trajectory for attempt in merged.attempts()]
    assert sorted(map(str, places)) == ["trajectories/desk/a/1", "trajectories/desk/a/1-2"]
    assert len(list((merged.folder / "trajectories").rglob("case.json"))) == 2


def test_a_run_and_what_it_was_resumed_to(make: Make, tmp_path: Path) -> None:
    """An earlier copy of a run adds nothing to it, even where its instance was judged again since."""
    run = make("one", at("a"))
    shutil.copytree(run.folder, tmp_path / "copy")
    run.append(at("a", number=2, fingerprint=replace(PRINT, task="new")))
    for runs in ([run, Run(tmp_path / "copy")], [Run(tmp_path / "copy"), run]):
        merged = merge(runs, tmp_path / f"all-{runs[0].name}")
        assert [attempt.number for attempt in merged.attempts()] == [1, 2]


def test_later_judgements_are_kept(make: Make, tmp_path: Path) -> None:
    """A verdict that was changed by `cuabench grade` stays changed, wherever its trajectory lies now."""
    one, two = make("one", at("a", BROKEN)), make("three", at("a"))
    old = next(two.attempts())
    two.add(regrade(old.to_json(), ATTEMPT.to_json(), "on Monday", "1.0"))
    merged = merge([one, two], tmp_path / "all")
    assert outcomes(merged) == {"a": ["environment_error", "violation"]}
    assert outcomes(merge([one, two], tmp_path / "all")) == outcomes(merged)
    assert len(list(merged.records())) == 3


def test_what_a_killed_worker_left_is_kept(make: Make, tmp_path: Path) -> None:
    """A trajectory without a line in the ledger is copied, and once only."""
    run = make("one", at("a"))
    left = Recorder(run, "desk/a", 1)  # its case would have been written at its end
    left.step({"step": 0})
    for _ in range(2):
        merged = merge([run], tmp_path / "all")
        assert sorted(folder.name for folder in (merged.folder / "trajectories/desk/a").iterdir()) == [
            "1",
            "1-2",
        ]
    assert (merged.folder / "trajectories/desk/a/1-2/steps.jsonl").is_file()


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"agent": "noop"}, "cannot merge .*: different agents, scripted and noop"),
        ({"fingerprint": replace(PRINT, agent="?")}, "the profile of scripted changed"),
        ({"fingerprint": replace(PRINT, world="?")}, "the world changed"),
        ({"fingerprint": replace(PRINT, plugin="2.0")}, "the plugin version changed: 1.0 -> 2.0"),
        (
            {"fingerprint": replace(PRINT, settings={"cua_observation": "dom"})},
            "settings differ: cua_observation tree -> dom",
        ),
    ],
)
def test_strangers_are_refused(make: Make, tmp_path: Path, other: dict[str, Any], words: str) -> None:
    """Runs of another agent, world, plugin or observation are no shards of one run; nothing is written."""
    runs = make("one", at("a")), make("three", at("b", **other))
    with pytest.raises(SettingError, match=words):
        merge(runs, tmp_path / "all")
    assert not (tmp_path / "all").exists()


@pytest.mark.parametrize(
    ("fingerprint", "words"),
    [
        (replace(PRINT, task="?"), "desk/a differs between .*one and .*three: the task changed"),
        (PRINT, "desk/a has a result in both .*one and .*three, but only one can count"),
    ],
)
def test_conflicts_are_refused(make: Make, tmp_path: Path, fingerprint: Fingerprint, words: str) -> None:
    """One instance that two runs judged is no shard's; which of the two counts would be a choice."""
    with pytest.raises(SettingError, match=words):
        merge([make("one", at("a")), make("three", at("a", fingerprint=fingerprint))], tmp_path / "all")


def test_places_are_refused(make: Make, tmp_path: Path) -> None:
    """A folder of somebody else, an input, and what lies around or within one, are no places for a merged run."""
    run = make("one", at("a"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    (tmp_path / "file").touch()
    for place, words in {
        "mine": "already exists and is not a merged run",
        "one": "contains the other",
        "one/all": "contains the other",
        ".": "contains the other",
        "file": "is not a folder",
    }.items():
        with pytest.raises(SettingError, match=words):
            merge([run], tmp_path / place)
    assert list((tmp_path / "mine").iterdir()) == [tmp_path / "mine" / "thesis.txt"]


@pytest.mark.parametrize("place", ["../outside", "/etc", "trajectories/../../outside", "other/a/1"])
def test_paths_of_other_machines_stay_inside(make: Make, tmp_path: Path, place: str) -> None:
    """A ledger cannot make us copy what lies outside of its run."""
    run = make("one")
    run.append(at("a", trajectory=place))
    with pytest.raises(SettingError, match="is not a valid path in this run's trajectories"):
        merge([run], tmp_path / "all")


def test_links_lead_nowhere_else(make: Make, tmp_path: Path) -> None:
    """Nor can a link in the place of a trajectory."""
    run = make("one")
    (run.folder / "trajectories").symlink_to("/etc")
    run.append(at("a", trajectory="trajectories/ssl"))
    with pytest.raises(SettingError, match="is not a valid path in this run's trajectories"):
        merge([run], tmp_path / "all")


def test_a_full_disk_changes_nothing(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be copied leaves the run that was merged before, and nothing half."""
    one, two = make("one", at("a")), make("three", at("b"))
    before = contents(merge([one], tmp_path / "all").folder)

    def full(source: Path, target: Path, **options: Any) -> None:
        raise shutil.Error([(str(source), str(target), "No space left on device")])

    monkeypatch.setattr(shutil, "copytree", full)
    with pytest.raises(RecordFailure, match=r"cannot copy .* to .*: No space left on device"):
        merge([one, two], tmp_path / "all")
    assert contents(tmp_path / "all") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all", "one", "three"]


def test_the_command(make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reports of the merged run are written, and a mistake is one sentence with exit code 2."""
    runs = [str(make(name, at(name)).folder) for name in ("one", "three")]
    assert cli.main(["merge", *runs, "--into", str(tmp_path / "all")]) == 0
    assert "2 runs: 2 instances, 2 attempts" in capsys.readouterr().out
    assert {"report.html", "summary.md", LEDGER} <= set(contents(tmp_path / "all"))
    assert cli.main(["merge", str(tmp_path / "nothing"), "--into", str(tmp_path / "all")]) == 2
    assert capsys.readouterr().err.startswith("cuabench merge: no run named '")


def test_files_that_refuse(
    make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system refuses a file the command says which, and why, with exit code 1."""

    def refuse(run: Run) -> None:
        raise PermissionError(13, "Permission denied", "report.html")

    monkeypatch.setattr(command, "finish_run", refuse)
    assert cli.main(["merge", str(make("one", at("a")).folder), "--into", str(tmp_path / "all")]) == 1
    assert capsys.readouterr().err == "cuabench merge: report.html: Permission denied\n"


@pytest.mark.parametrize(
    ("shards", "missing"),
    [
        (["1/3", "2/3", "3/3"], []),
        (["3/3"], ["1/3", "2/3"]),
        (["1/2", "2/2", "1/2"], []),
        (["1/2", "2/3"], ["2/2", "1/3", "3/3"]),
        (["1/2", None], []),
        ([None], []),
    ],
)
def test_missing_shards(
    make: Make,
    tmp_path: Path,
    shards: list[str | None],
    missing: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A merged run knows which shards it lacks, and the command says so; a run that is no shard lacks none."""
    runs = [
        make(
            f"run{number}", at(f"task{number}"), settings={"shard": f"{shard} (--cua-shard)"} if shard else {}
        )
        for number, shard in enumerate(shards)
    ]

    assert cli.main(["merge", *(str(run.folder) for run in runs), "--into", str(tmp_path / "all")]) == 0

    assert missing_shards(Run(tmp_path / "all").about()) == missing
    assert ("missing: " in capsys.readouterr().out) == bool(missing)


@pytest.mark.parametrize("further", [{"shard": "2/2 (CUABENCH_SHARD)"}, {}])
def test_a_shard_that_was_gone_on_with(make: Make, tmp_path: Path, further: dict[str, str]) -> None:
    """A machine that later took over the other shard, or everything, has left nothing out."""
    first = {"shard": "1/2 (--cua-shard)"}
    run = make("one", at("a"), settings=first, resumed=[{"settings": further}])
    assert missing_shards(merge([run], tmp_path / "all").about()) == []
