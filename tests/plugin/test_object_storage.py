"""Runs that are copied to object storage while they are played, resumed and merged from there."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from pytest_cuabench.collection import uploading
from pytest_cuabench.commands.cli import main
from pytest_cuabench.errors import SettingError, StoreFailure
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.store import Elsewhere, Store, pictures_elsewhere

fsspec = pytest.importorskip(
    "fsspec", reason="object storage needs more; type: pip install 'pytest-cuabench[s3]'"
)
Play = Callable[..., pytest.RunResult]
SECRET = "a-secret-that-is-nowhere"


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """The URL of a new bucket."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower())[:60].strip("-")
    fsspec.filesystem("s3").mkdir(name)
    return f"s3://{name}/nightly"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies that fail are tried again at once."""
    monkeypatch.setattr(uploading, "_WAITS", (0.01,) * 6)
    monkeypatch.setattr(uploading, "_PAUSE", 0.01)


def on_disk(folder: Path) -> dict[str, bytes]:
    """Return what a run holds that reports and gates are made of."""
    files = (file for file in folder.rglob("*") if file.is_file() and not file.name.startswith("."))
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_a_run_in_s3_is_the_run_on_disk(play: Play, bucket: str, the_run: Any, tmp_path: Path) -> None:
    """What is in the bucket after a session is what is on disk, byte for byte, with its report."""
    done = play("--agent=oracle", "--cua-run=one", f"--cua-reports={bucket}")
    done.assert_outcomes(passed=6)
    done.stdout.fnmatch_lines([f"records: {bucket}/one"])
    there = Store.open(bucket).at("one")
    there.fetch(tmp_path / "one", pictures=True)
    here = on_disk(the_run().folder)
    kept = on_disk(tmp_path / "one")
    assert kept == {name: here[name] for name in kept}
    assert set(here) - set(kept) == {"report.html", "summary.md"}
    assert {"report.html", "summary.md"} <= set(there.files())


def test_no_credentials_are_recorded(play: Play, bucket: str, the_run: Any) -> None:
    """Neither the keys of the storage nor signed addresses get into a record."""
    play("--agent=oracle", "-k", "note-step", f"--cua-reports={bucket}").assert_outcomes(passed=1)
    contents = b"".join(on_disk(the_run().folder).values())
    assert SECRET.encode() not in contents
    assert b"Signature=" not in contents


@pytest.mark.parametrize("workers", [(), ("-n2", "--cua-at-once=2")])
def test_an_attempt_is_copied_when_it_ends(
    play: Play,
    players: Any,
    tmp_path: Path,
    impatient: None,
    sample: pytest.Pytester,
    workers: tuple[str, ...],
) -> None:
    """While a session plays, its earlier attempts are in the storage already: with workers, too."""
    agent = players("x .", both_step="look")
    looking = (
        "        if word == 'look':\n"
        "            for _ in range(500):\n"
        f"                parts = sorted(Path({str(tmp_path)!r}).glob('s/one/ledger/*'))\n"
        "                lines = b''.join(part.read_bytes() for part in parts).count(b'\"attempt\"')\n"
        "                if lines >= 2:\n"
        "                    break\n"
        "                await asyncio.sleep(0.02)\n"
        "            return Decision((Terminate('success' if lines >= 2 else 'failure'),))\n"
    )
    file = Path("the_players.py")
    file.write_text(
        file.read_text().replace('        if word == "wait":', looking + '        if word == "wait":')
    )
    options = (agent, "--cua-run=one", f"--cua-reports=file://{tmp_path}/s", *workers)
    if workers:
        sample.runpytest_subprocess("suites/sample", *options)
    else:
        play(*options)
    attempts = {attempt.instance: attempt for attempt in Run(Path("reports/one")).attempts()}
    assert attempts["desk/both-step"].outcome == "failure"  # it ended the episode as done, without doing it
    assert len(attempts) == 6


def test_resuming_on_another_computer(play: Play, players: Any, bucket: str) -> None:
    """A run whose disk is lost is resumed from the storage: finished instances are not played again."""
    options = (players("x .", both_step="broke"), "--cua-attempts=1", f"--cua-reports={bucket}")
    play(*options, "--cua-run=one").assert_outcomes(failed=5, errors=1)
    shutil.rmtree("reports")
    done = play(players("x ."), *options[1:], "--cua-resume=one")
    done.stdout.fnmatch_lines(["*resuming one: 5 of 6 instances are finished*"])
    done.assert_outcomes(failed=6)
    there = Store.open(bucket).at("one")
    assert there.ledger(there.files()) == Path("reports/one/ledger.jsonl").read_bytes()
    assert len(list(Run(Path("reports/one")).attempts())) == 7


def test_two_computers_that_went_on_with_one_run(play: Play, tmp_path: Path) -> None:
    """A local record that contradicts the one in the storage is refused, and both stay as they are."""
    options = ("--agent=oracle", f"--cua-reports=file://{tmp_path}/s")
    play(*options, "--cua-run=one", "-k", "note").assert_outcomes(passed=2)
    ledger = Path("reports/one/ledger.jsonl")
    ledger.write_bytes(changed := ledger.read_bytes().replace(b'"note"', b'"nose"'))
    done = play(*options, "--cua-resume=one")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*hold different records; move the local run away"])
    assert ledger.read_bytes() == changed


def test_a_name_that_is_taken_there(play: Play, tmp_path: Path) -> None:
    """A new run does not overwrite one of the same name that another computer recorded."""
    options = ("--agent=oracle", "-k", "note-step", "--cua-run=one", f"--cua-reports=file://{tmp_path}/s")
    play(*options).assert_outcomes(passed=1)
    shutil.rmtree("reports")
    done = play(*options)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(
        ["*/s/one already exists; resume it with --cua-resume=one, or choose another name"]
    )
    assert not Path("reports/one").exists()


def test_a_session_without_instances_leaves_nothing(play: Play, tmp_path: Path) -> None:
    """Where nothing was played, the storage keeps no run that would be resumed or merged."""
    play("--agent=oracle", "-k", "nothing", "--cua-run=one", f"--cua-reports=file://{tmp_path}/s")
    assert Store.open(f"file://{tmp_path}/s/one").files() == {}


def test_a_copy_that_fails_is_tried_again(
    play: Play, tmp_path: Path, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A storage that fails for a while loses nothing."""
    failures = iter(range(3))
    put = Store.put_part

    def failing(self: Store, offset: int, lines: bytes) -> None:
        if next(failures, None) is not None:
            raise StoreFailure("cannot reach the storage: it is away")
        put(self, offset, lines)

    monkeypatch.setattr(Store, "put_part", failing)
    done = play("--agent=oracle", "--cua-run=one", f"--cua-reports=file://{tmp_path}/s")
    assert done.ret == 0
    there = Store.open(f"file://{tmp_path}/s/one")
    assert there.ledger(there.files()) == Path("reports/one/ledger.jsonl").read_bytes()


def test_a_storage_that_stays_away(
    play: Play, tmp_path: Path, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be copied is told and fails the session; the local record is complete, resuming copies it."""

    def failing(self: Store, offset: int, lines: bytes) -> None:
        raise StoreFailure("cannot reach the storage: it is away")

    options = ("--agent=oracle", f"--cua-reports=file://{tmp_path}/s")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "put_part", failing)
        done = play(*options, "--cua-run=one")
    assert done.ret == pytest.ExitCode.INTERNAL_ERROR
    done.stdout.fnmatch_lines(
        [
            "*it is away; the record in */one is complete, but 7 lines of its ledger are not in *--cua-resume=one"
        ]
    )
    assert len(list(Run(Path("reports/one")).attempts())) == 6
    play(*options, "--cua-resume=one").assert_outcomes(passed=6)
    there = Store.open(f"file://{tmp_path}/s/one")
    assert there.ledger(there.files()) == Path("reports/one/ledger.jsonl").read_bytes()


@pytest.fixture
def refuse(s3_server: str) -> Iterator[Callable[[float], None]]:
    """Let the storage refuse the credentials after a number of calls."""

    def after(calls: float) -> None:
        headers = {"Content-Type": "text/plain"}
        asked = Request(f"{s3_server}/moto-api/reset-auth", str(calls).encode(), headers)
        with urlopen(asked) as reply:
            assert reply.status == 200

    yield after
    after(math.inf)


def test_credentials_that_expire(
    play: Play, bucket: str, impatient: None, refuse: Callable[[float], None]
) -> None:
    """Credentials that are refused in the middle of a run fail its session in a sentence; nothing is lost."""
    options = ("--agent=oracle", f"--cua-reports={bucket}")
    refuse(12)
    done = play(*options, "--cua-run=one")
    assert done.ret == pytest.ExitCode.INTERNAL_ERROR
    done.stdout.fnmatch_lines(
        [f"cuabench: *{bucket}/one*; the record in */one is complete, but *--cua-resume=one"]
    )
    done.stdout.no_fnmatch_line("*Traceback*")
    here = Path("reports/one/ledger.jsonl").read_bytes()
    assert len(list(Run(Path("reports/one")).attempts())) == 6
    refuse(math.inf)
    play(*options, "--cua-resume=one").assert_outcomes(passed=6)
    there = Store.open(bucket).at("one")
    assert there.ledger(there.files()).startswith(here)


def test_merging_from_the_storage(play: Play, bucket: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Shards are merged from the folder that they were copied to; the report links their pictures there."""
    for shard in ("1/2", "2/2"):
        play(
            "--agent=oracle", f"--cua-shard={shard}", f"--cua-run=shard{shard[0]}", f"--cua-reports={bucket}"
        )
    shutil.rmtree("reports")
    capsys.readouterr()
    assert main(["merge", bucket, "--into", "reports/merged"]) == 0
    assert "2 runs: 6 instances, 6 attempts" in capsys.readouterr().out
    merged = Run(Path("reports/merged"))
    assert not list(merged.folder.rglob("*.png"))
    page = (merged.folder / "report.html").read_text()
    address = Store.open(bucket).address
    assert address is not None
    assert f"img-src 'self' file: {address.partition('/nightly')[0].rpartition('/')[0]};" in page
    for attempt in merged.attempts():
        assert attempt.trajectory is not None
        there = pictures_elsewhere(merged.folder / attempt.trajectory)
        assert there is not None
        assert "final.png" in there.files
        assert there.address.startswith(f"{address}/shard")


def test_merging_with_pictures(play: Play, bucket: str) -> None:
    """Pictures are copied where that is asked for, so that the report needs no storage."""
    play("--agent=oracle", "-k", "note", "--cua-run=one", f"--cua-reports={bucket}").assert_outcomes(passed=2)
    assert main(["merge", f"{bucket}/one", "--into", "merged", "--pictures=copy"]) == 0
    assert len(list(Path("merged").rglob("final.png"))) == 2
    assert not list(Path("merged").rglob("pictures.json"))


def test_signatures_stay_valid(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signed ledger is in the storage as it was signed: merging verifies it there."""
    monkeypatch.setenv("CUABENCH_LEDGER_KEY", "k" * 32)
    play("--agent=oracle", "--cua-run=one", f"--cua-reports=file://{tmp_path}/s").assert_outcomes(passed=6)
    shutil.rmtree("reports")
    monkeypatch.setenv("CUABENCH_LEDGER_KEY", "k" * 32)
    assert main(["merge", f"file://{tmp_path}/s", "--into", "merged"]) == 0
    for part in Path(tmp_path / "s/one/ledger").iterdir():  # as many as it was copied in
        part.write_bytes(part.read_bytes().replace(b'"success"', b'"failure"'))
    monkeypatch.setenv("CUABENCH_LEDGER_KEY", "k" * 32)
    assert main(["merge", f"file://{tmp_path}/s", "--into", "other"]) != 0


def test_durations_from_the_storage(play: Play, bucket: str) -> None:
    """All shards can be balanced by one run in the storage, which no machine has on its disk."""
    play("--agent=oracle", "--cua-run=one", f"--cua-reports={bucket}").assert_outcomes(passed=6)
    done = play("--agent=oracle", "--cua-shard=1/2", f"--cua-durations={bucket}/one")
    assert 0 < done.parseoutcomes()["passed"] < 6
    done = play("--agent=oracle", "--cua-shard=1/2", f"--cua-durations={bucket}/two")
    done.stderr.fnmatch_lines(["*--cua-durations: */two is not a run*"])


def test_only_failures_keep_pictures_there(play: Play, players: Any, tmp_path: Path, impatient: None) -> None:
    """With `retain-on-failure` the storage gets no screenshots of successes."""
    agent = players("n .", count_step="=2 .")
    play(agent, "--cua-run=one", "--cua-screenshots=retain-on-failure", f"--cua-reports=file://{tmp_path}/s")
    kept = {file.parts[-4:-2] for file in Path(tmp_path / "s").rglob("*.png")}
    outcomes = {attempt.instance: attempt.outcome for attempt in Run(Path("reports/one")).attempts()}
    assert {"/".join(names) for names in kept} == {name for name, out in outcomes.items() if out != "success"}
    assert "success" in outcomes.values()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("s3://me:hunter22@bucket/x", "*must not hold a password*"),
        ("s3://bucket/x?sig=hunter22", "*must not hold a password, a query*"),
        ("gopher://x/y", "*gopher:// is not a known storage; use s3://*"),
        ("gs://bucket/x", "*the package for gs:// is missing; type: pip install 'pytest-cuabench[[]gcs]'"),
        ("file:///proc/nowhere", "--cua-reports: cannot reach file:///proc/nowhere/*"),
    ],
)
def test_urls_that_cannot_be_used(play: Play, url: str, sentence: str) -> None:
    """A URL that cannot be used is one sentence before anything is played, which repeats no password."""
    if url.startswith("gs:") and fsspec_knows("gcsfs"):
        pytest.skip("gcsfs is installed")
    done = play("--agent=oracle", f"--cua-reports={url}")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([f"*{sentence}"])
    assert "hunter22" not in done.stderr.str()


def fsspec_knows(module: str) -> bool:
    """Whether a storage's package is installed."""
    from importlib.util import find_spec

    return find_spec(module) is not None


def test_a_ledger_with_a_hole(tmp_path: Path) -> None:
    """A part of the ledger that is missing is told, and nothing is merged from the rest."""
    there = Store.open(f"file://{tmp_path}/one")
    there.put_part(0, b'{"a":1}\n')
    there.put_part(16, b'{"c":3}\n')
    with pytest.raises(SettingError, match="the ledger's part from byte 8 to 16 is missing"):
        there.ledger(there.files())


def test_names_that_leave_the_folder(tmp_path: Path) -> None:
    """Objects whose names point out of the run, or are no part of it, are not fetched."""
    listed = ("run.json", "trajectories/../../out.json", "trajectories/a/x.json", "hook.py")
    for name in listed:
        fsspec.filesystem("memory").pipe_file(f"/hostile/{name}", b"{}")
    Store.open("memory://hostile").fetch(tmp_path / "in" / "run")
    found = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*") if file.is_file()}
    assert found == {"in/run/run.json", "in/run/trajectories/a/x.json"}


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)//",
        'https://x/y"><script>',
        "https://x; script-src *",
        "https:///x",
        "ftp://x/y",
        3,
    ],
)
def test_addresses_that_are_no_links(tmp_path: Path, address: object) -> None:
    """An address that could change the page is not taken from a file of a run."""
    (tmp_path / "pictures.json").write_text(json.dumps({"address": address, "files": ["final.png"]}))
    assert pictures_elsewhere(tmp_path) is None


def test_an_address_that_is_a_link(tmp_path: Path) -> None:
    """An address on the web or on this disk is linked."""
    (tmp_path / "pictures.json").write_text(
        json.dumps({"address": "https://x.org/a%20b", "files": ["final.png", 1]})
    )
    assert pictures_elsewhere(tmp_path) == Elsewhere("https://x.org/a%20b", frozenset({"final.png"}))
