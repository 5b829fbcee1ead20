"""Signed ledgers: whatever is changed, moved, repeated or removed by somebody without the key is noticed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from gate_records import attempt, plan

from pytest_cuabench.commands.cli import main
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.lines import ABOUT, LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.signing import Key, Signer, admit, take_key
from pytest_cuabench.settings import KEY_VARIABLE

SECRET = "a key of more than sixteen bytes"
KEY = Key(SECRET)
PASS, FAIL, INCONCLUSIVE, WRONG = 0, 10, 11, 2


def play(folder: Path, *attempts: Attempt, key: Key | None = KEY, closed: bool = True) -> Run:
    """Write a run as a session with two workers does."""
    run = Run(folder, Signer(key) if key else None)
    run.create({"agent": "claude", "started": "2026-11-21"})
    workers = [
        Run(folder, Signer(key, f"gw{n}", run.signer.session)) if run.signer else run for n in range(2)
    ]
    workers[0].plan(plan(*attempts).values())
    for number, each in enumerate(attempts):
        workers[number % 2].append(each)
    if closed:
        run.close()
    return run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A signed run."""
    return play(tmp_path / "run", attempt("first"), attempt("second", "failure"), attempt("third"))


Judge = Callable[..., tuple[int, str]]


@pytest.fixture
def judged(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Judge a run by a gate that demands signatures; return the exit code and what was said."""
    (tmp_path / "gate.toml").write_text("rate = 0.1\ncoverage = 0.1\n")

    def judge(run: Run, *options: str, key: str = SECRET) -> tuple[int, str]:
        monkeypatch.setenv(KEY_VARIABLE, key)
        code = main(
            [
                "gate",
                str(run.folder),
                "--config",
                str(tmp_path / "gate.toml"),
                *(options or ["--require-signed"]),
            ]
        )
        assert KEY_VARIABLE not in os.environ
        said = "".join(capsys.readouterr())
        assert SECRET not in said
        return code, said

    return judge


def lines(run: Run) -> list[str]:
    """Return the lines of a ledger: plan, first, second, third, closed."""
    return (run.folder / LEDGER).read_text().splitlines()


def test_an_untouched_ledger(run: Run, judged: Judge) -> None:
    """What nobody touched is verified, and the gate says so."""
    code, said = judged(run)
    assert code == PASS, said
    assert "resumed 0 times; signed by 1 session, 1 of them closed." in said


TOUCHED: dict[str, tuple[Callable[[list[str]], list[str]], int, str]] = {
    "a word": (
        lambda all: [*all[:2], all[2].replace('"ICU"', '"ER"'), *all[3:]],
        3,
        "its signature is invalid",
    ),
    "a blank": (
        lambda all: [*all[:2], all[2].replace('","', '", "', 1), *all[3:]],
        3,
        "its signature is invalid",
    ),
    "a line removed": (lambda all: [*all[:1], *all[2:]], 3, "lines were removed"),
    "a writer's last line removed": (lambda all: [*all[:3], *all[4:]], 4, "lines were removed"),
    "a writer removed": (lambda all: [*all[:2], *all[3:]], 4, "lines were removed"),
    "lines of a writer moved": (lambda all: [all[0], all[3], all[2], all[1], all[4]], 2, "removed or moved"),
    "a line repeated": (lambda all: [*all[:4], all[3], all[4]], 5, "removed or moved"),
    "an unsigned line": (
        lambda all: [*all[:4], json.dumps({"type": "skipped", "instance": "ward/third-intent"}), all[4]],
        5,
        "it is not signed",
    ),
    "a signature taken off": (
        lambda all: [*all[:2], all[2].partition(',"signed"')[0] + "}", *all[3:]],
        3,
        "it is not signed",
    ),
    "another line's signature": (
        lambda all: [
            *all[:2],
            all[2].partition(',"signed"')[0] + ',"signed"' + all[1].partition(',"signed"')[2],
            *all[3:],
        ],
        3,
        "its signature is invalid",
    ),
    "a signature that is none": (
        lambda all: [*all[:2], all[2].partition(',"signed"')[0] + ',"signed":{"by":7}}', *all[3:]],
        3,
        "is malformed",
    ),
    "a key behind the signature": (
        lambda all: [*all[:2], all[2][:-1] + ',"note":"other"}', *all[3:]],
        3,
        "it holds fields that are not signed",
    ),
    "a key within the signature": (
        lambda all: [*all[:2], all[2][:-2] + ',"outcome":"success"}}', *all[3:]],
        3,
        "it holds fields that are not signed",
    ),
    "a blank behind the signature": (
        lambda all: [*all[:2], all[2][:-1] + " }", *all[3:]],
        3,
        "it holds fields that are not signed",
    ),
    "a line ending of another system": (
        lambda all: [*all[:2], all[2] + "\r", *all[3:]],
        3,
        "it holds fields that are not signed",
    ),
    "a signature in another order": (
        lambda all: [*all[:2], re.sub(r'("by":"[^"]*"),("n":[0-9]+)', r"\2,\1", all[2]), *all[3:]],
        3,
        "it holds fields that are not signed",
    ),
    "a number in another form": (
        lambda all: [*all[:2], re.sub(r'("n":)([0-9]+)', r"\g<1>\g<2>.0", all[2]), *all[3:]],
        3,
        "is malformed",
    ),
    "a key named twice": (
        lambda all: [*all[:2], all[2][:-1] + ',"signed"' + all[2].partition(',"signed"')[2], *all[3:]],
        3,
        "is named twice",
    ),
    "an escape for a letter": (
        lambda all: [*all[:2], all[2].replace('"mac"', '"\\u006dac"'), *all[3:]],
        3,
        "it holds fields that are not signed",
    ),
    "a plan with a further key": (
        lambda all: [all[0][:-1] + ',"instances":[]}', *all[1:]],
        1,
        "",
    ),
    "a line after the end": (lambda all: [*all, all[4]], 6, "removed or moved"),
}


@pytest.mark.parametrize("name", TOUCHED)
def test_a_touched_ledger(run: Run, judged: Judge, name: str) -> None:
    """What was touched fails with the number of the line."""
    change, number, words = TOUCHED[name]
    (run.folder / LEDGER).write_text("\n".join(change(lines(run))) + "\n")
    code, said = judged(run)
    assert code == FAIL, said
    assert any(f"line {number}: " in line and words in line for line in said.splitlines()), said


def test_the_end_removed(run: Run, judged: Judge) -> None:
    """Without the closing line it is not known what stood at the end: a killed session leaves the same."""
    for count in (4, 3, 2):
        (run.folder / LEDGER).write_text("\n".join(lines(run)[:count]) + "\n")
        code, said = judged(run)
        assert code == INCONCLUSIVE, said
        assert "the ledger is not closed after it" in said


def test_the_facts_of_the_run_changed(run: Run, judged: Judge) -> None:
    """The closing line knows `run.json`."""
    (run.folder / ABOUT).write_text('{"agent": "claude", "started": "2026-11-22"}')
    code, said = judged(run)
    assert code == INCONCLUSIVE
    assert "run.json was changed after it" in said


def test_another_key(run: Run, judged: Judge) -> None:
    """What was signed with another key is as good as not signed, also where no signature is demanded."""
    for options in ((), ("--suite", str(Path(__file__).parents[1] / "sample_suite"))):
        code, said = judged(run, *options, key="another key of sixteen bytes")
        assert code == FAIL
        assert "line 1: its signature is invalid" in said


def test_no_signature(tmp_path: Path, judged: Judge) -> None:
    """An unsigned run fails where signatures are demanded, by the option or by the gate's own file."""
    plain = play(tmp_path / "plain", attempt("first"), key=None)
    assert judged(plain)[0] == FAIL
    assert judged(plain, "--suite", str(Path(__file__).parents[1] / "sample_suite"))[0] == PASS
    (tmp_path / "gate.toml").write_text("rate = 0.1\nrequire_signed = true\n")
    code, said = judged(plain, "--suite", str(Path(__file__).parents[1] / "sample_suite"))
    assert code == FAIL
    assert "line 1: it is not signed" in said


@pytest.mark.parametrize(
    ("key", "words"), [("", "there is no key to verify"), ("short", "has 5 bytes, but needs at least 16")]
)
def test_no_key(run: Run, judged: Judge, key: str, words: str) -> None:
    """A demand without a key, or with one that can be guessed, is one sentence."""
    code, said = judged(run, key=key)
    assert code == WRONG
    assert words in said
    assert len(said.splitlines()) == 1


def test_lines_of_another_run(run: Run, tmp_path: Path, judged: Judge) -> None:
    """Lines that the same key signed for another run are no lines of this one."""
    other = play(tmp_path / "other", attempt("second"))
    mine, theirs = lines(run), lines(other)
    (run.folder / LEDGER).write_text("\n".join([*mine[:2], theirs[1], *mine[2:]]) + "\n")
    assert judged(run)[0] == FAIL


def test_merged_runs(tmp_path: Path, judged: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the key the merged run is signed again, from verified inputs only; without it, it is not signed."""
    parts = [play(tmp_path / name, attempt(name)) for name in ("one", "two")]
    assert main(["merge", *(str(part.folder) for part in parts), "--into", str(tmp_path / "plain")]) == 0
    assert '"signed"' not in (tmp_path / "plain" / LEDGER).read_text()
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    assert main(["merge", *(str(part.folder) for part in parts), "--into", str(tmp_path / "all")]) == 0
    assert judged(Run(tmp_path / "all"))[0] == PASS


@pytest.mark.parametrize("how", ["unsigned", "touched", "open"])
def test_merging_what_does_not_hold(
    tmp_path: Path,
    judged: Judge,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    how: str,
) -> None:
    """A merge signs nothing that was not signed, and closes nothing that was not closed."""
    one = play(tmp_path / "one", attempt("one"))
    two = play(tmp_path / "two", attempt("two"), key=None if how == "unsigned" else KEY, closed=how != "open")
    if how == "touched":
        text = (two.folder / LEDGER).read_text()
        (two.folder / LEDGER).write_text(text.replace("ICU", "ER"))
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    code = main(["merge", str(one.folder), str(two.folder), "--into", str(tmp_path / "all")])
    if how == "open":
        assert judged(Run(tmp_path / "all"))[0] == INCONCLUSIVE
        return
    assert code == WRONG
    words = {"unsigned": "is not signed", "touched": "its signature is invalid"}[how]
    assert words in capsys.readouterr().err


def test_adding_to_a_run(run: Run, tmp_path: Path) -> None:
    """What is added to a signed run must be signed, and nothing signed is added to an unsigned one."""
    assert admit(run.folder, KEY, "x")
    with pytest.raises(SettingError, match=f"is signed; type: export {KEY_VARIABLE}"):
        admit(run.folder, None, "x")
    with pytest.raises(SettingError, match="its signature is invalid"):
        admit(run.folder, Key("another key of sixteen bytes"), "x")
    plain = play(tmp_path / "plain", attempt("first"), key=None)
    assert not admit(plain.folder, None, "x")
    with pytest.raises(SettingError, match=f"is not signed, .*; unset {KEY_VARIABLE}, or start a new run"):
        admit(plain.folder, KEY, "x")
    open_one = play(tmp_path / "open", attempt("first"), closed=False)
    assert not admit(open_one.folder, KEY, "x")


def test_a_resumed_run(run: Run, judged: Judge) -> None:
    """A second session adds its own numbers and closes the ledger again; the gate counts both."""
    again = Run(run.folder, Signer(KEY))
    again.resume({"agent": "claude"})
    again.plan(plan(attempt("first"), attempt("fourth")).values())
    again.append(attempt("fourth"))
    again.close()
    code, said = judged(run)
    assert code == PASS, said
    assert "resumed 1 time; signed by 2 sessions, 2 of them closed." in said


def test_the_key_is_shown_to_nobody() -> None:
    """The key is in no repr, and is gone from the environment once it was taken."""
    signer = Signer(KEY)
    assert SECRET not in f"{KEY!r} {KEY} {signer!r} {Run(Path('x'), signer)!r}"
    environment = {KEY_VARIABLE: SECRET, "A": "b"}
    assert take_key(environment) is not None
    assert environment == {"A": "b"}
    assert take_key(environment) is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
def test_the_key_is_gone_from_the_system() -> None:
    """Other processes of the same user do not find the key where the system keeps an environment."""
    program = (
        "from pathlib import Path\n"
        "from pytest_cuabench.ledger.signing import take_key\n"
        "assert take_key()._secret\n"
        "print(Path('/proc/self/environ').read_bytes())\n"
        "import subprocess, sys; print(subprocess.run(['env'], capture_output=True, text=True).stdout)\n"
    )
    environment = {**os.environ, KEY_VARIABLE: SECRET}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert KEY_VARIABLE in done.stdout
    assert SECRET not in done.stdout
