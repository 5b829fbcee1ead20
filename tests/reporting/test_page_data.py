"""What the page holds, read back from the file without a browser."""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sample_run

from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.page import write_report
from pytest_cuabench.reporting.page.pictures import Pictures


def overview(file: Path) -> dict[str, Any]:
    """Return the data of the first page."""
    return json.loads(_element(file, "data"))


def piece(file: Path, run: int = 0, number: int = 0) -> dict[str, Any]:
    """Return the data of an instance."""
    packed = base64.b64decode(_element(file, f"piece-{run}-{number}"))
    return json.loads(zlib.decompress(packed, -zlib.MAX_WBITS))


def _element(file: Path, name: str) -> str:
    found = re.search(
        rf'<script type="[\w/-]+" id="{name}">(.*?)</script>', file.read_text("utf-8"), re.DOTALL
    )
    assert found is not None
    return found[1]


def test_pictures_are_referred_to_where_they_exist(tmp_path: Path) -> None:
    """A screenshot that was not kept is not asked for, and an odd folder name is a valid address."""
    run = Run(tmp_path)
    done = sample_run.record(run, sample_run.attempt("a", "100% #1", "failure", steps=2), size=(320, 180))
    (tmp_path / str(done.trajectory) / "step-001.png").unlink()
    attempt = piece(write_report(run))["attempts"][0]
    assert [frame.get("shot") for frame in attempt["frames"]] == ["step-000.png", None, "final.png"]
    assert attempt["folder"] == "trajectories/a/100%25%20%231-intent/1"


def test_pictures_are_found_from_where_the_page_is(run: Run, tmp_path: Path) -> None:
    """A page that is written elsewhere, or tells of two runs, knows the way to each."""
    other = Run(run.folder.parent / "other")
    sample_run.record(other, sample_run.attempt("a", "b", "success"))
    file = write_report(run, other)
    assert file.name == "comparison.html"
    assert piece(file, 1)["attempts"][0]["folder"] == "../other/trajectories/a/b-intent/1"


@pytest.mark.slow
def test_a_full_benchmark_stays_small(tmp_path: Path) -> None:
    """432 instances of long-winded steps stay below 5 MB, and each keeps its ending."""
    run = Run(tmp_path)
    for number in range(432):
        folder = tmp_path / "trajectories" / str(number)
        folder.mkdir(parents=True)
        steps = [
            sample_run.step(
                n, [{"kind": "click", "x": n, "y": n}], thought=_words(number, n), screenshot=None
            )
            for n in range(16)
        ]
        (folder / "steps.jsonl").write_text("\n".join(map(json.dumps, steps)))
        done = sample_run.attempt(
            "a", f"t{number:03}", "failure", steps=16, trajectory=f"trajectories/{number}"
        )
        with (tmp_path / LEDGER).open("a") as ledger:
            ledger.write(json.dumps(done.to_json()) + "\n")
    file = write_report(run)
    assert file.stat().st_size < 5_000_000
    for number in (0, 431):
        assert piece(file, 0, number)["attempts"][0]["frames"][-2]["n"] == 15


def _words(number: int, step: int) -> str:
    """Return a thought of 2,000 characters that no other step has."""
    digest = base64.b85encode(zlib.crc32(f"{number} {step}".encode()).to_bytes(4, "big") * 4).decode()
    return " ".join(f"{digest}{place * step + number}" for place in range(80))


@pytest.mark.parametrize("inline", [False, True])
def test_nothing_in_the_data_can_end_its_element(hostile_run: Run, tmp_path: Path, inline: bool) -> None:
    """No embedded text holds a sign that HTML knows, and all of it reads back as what was said."""
    file = write_report(hostile_run, file=tmp_path / "page.html", inline=inline)
    assert overview(file)["instances"][0]["goal"].startswith(sample_run.HOSTILE)
    assert piece(file)["answer"].startswith(sample_run.HOSTILE)
    embedded = re.findall(
        r'<script type="[^"]+" id="[\w-]+">(.*?)</script>', file.read_text("utf-8"), re.DOTALL
    )
    assert len(embedded) == (6 if inline else 2)
    assert not set("<>&\u2028\u2029\x00") & set("".join(embedded))
    plain = file.read_text("utf-8").partition("<noscript>")[2].partition("</noscript>")[0]
    assert html.escape("</script><script>document.title='owned'</script>") in plain
    assert "\u202e" not in plain


def test_a_lone_surrogate_breaks_nothing(tmp_path: Path) -> None:
    """Half a character, which models do write, stays an escape of JSON."""
    run = Run(tmp_path)
    sample_run.record(
        run, sample_run.attempt("a", "b", "failure", answer="\ud83d", goal="\ud83d"), size=(32, 18)
    )
    file = write_report(run)
    assert piece(file)["answer"] == overview(file)["instances"][0]["goal"] == "\ud83d"


def test_a_page_that_is_there_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that cannot be written to its end leaves the one before as it is."""
    run = Run(tmp_path)
    sample_run.record(run, sample_run.attempt("a", "b", "failure"), size=(32, 18))
    before = write_report(run).read_bytes()

    def broken(_: Pictures) -> Iterator[str]:
        raise OSError("No space left on device")

    monkeypatch.setattr(Pictures, "elements", broken)
    with pytest.raises(OSError, match="No space"):
        write_report(run)
    assert (tmp_path / "report.html").read_bytes() == before
