"""Write docs/conformance.md: what every player and driver was put through, and what came of it.

    scripts/conformance [PART ...]

Each part is a run of tests; what they record about themselves is kept in reports/conformance and told on the page.
"""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "conformance.md"
KEPT = ROOT / "reports" / "conformance"
FUZZ = "any_ or changed or nested or hostile or anything_is_read"
CLINIC = "tests/runs/test_players_on_the_clinic.py"
PARTS = {
    "episodes": (CLINIC, "-k=not wrong_value"),
    "mistakes": (CLINIC, "-k=wrong_value"),
    "grid": ("tests/players/test_click_grid.py",),
    "drivers": ("tests/drivers", "-k=test_conforms"),
    "readers": ("tests/players", f"-k={FUZZ}"),
}
HEAD = """# Conformance of players and drivers

Written by `scripts/conformance`, which runs the tests that are named below and tells what they recorded; nothing on
this page is written by hand. No maker's service is asked: its model is played by a server on this machine that speaks
the maker's protocol and refuses what the maker refuses. The plugin, the maker's own SDK, the browser, the worlds and
the checks are the real ones.
"""
EPISODES = """## Whole episodes

`tests/runs/test_players_on_the_clinic.py`. `pytest --cua-suite=medcua --agent=NAME` plays tasks of the clinic; the
model says in its own notation what the reference solution does, with places computed from the picture that the server
got, and the task's ordinary checks judge. *plain*: one task judged by the record and one by the answer, both with
reward 1 and no violation. *passed* in the other columns: the episode still ended with reward 1; but a wrong value is
failed by the checks, and a server that dies is a `provider_error` which keeps the steps and tokens so far. *n.a.*:
the maker has no such thing. –: not played; how calls are made and tried again is the same code for all models of an
adapter.
"""
GRID = """## Click grid

`tests/players/test_click_grid.py`. A real page of {targets} targets of 12x12 pixels, from edge to edge. The model sees
them on the picture that it is sent and points at the middle of each; the cell says how many were hit and how far from
its middle the worst click landed, in pixels of the screen. Each click beside a target would count as one.
"""
DRIVERS = """## Drivers

`tests/drivers/conformance.py`: canonical actions in, events of a probe page out.
"""
READERS = """## Readers of replies

Inputs made by Hypothesis, hostile ones and valid ones with changes, to whatever reads a model's reply. Each
must become actions or a sentence that is told to the model. *not understood* counts the latter.
"""


@dataclass(frozen=True)
class Result:
    """One test: where it stands, whether it passed, and what it recorded."""

    module: str
    name: str
    passed: bool
    told: dict[str, list[list[Any]]]


def run(part: str) -> bool:
    """Run the tests of a part; whether all passed."""
    KEPT.mkdir(parents=True, exist_ok=True)
    options = ("-c", "tests/pytest.toml", "--rootdir", ".", "-n", "2", "--dist", "worksteal", "-q")
    record = (f"--junitxml={KEPT / part}.xml", "-o", "junit_family=xunit1")
    done = subprocess.run([sys.executable, "-m", "pytest", *options, *record, *PARTS[part]], cwd=ROOT)
    return done.returncode == 0


def results(part: str) -> list[Result]:
    """Return the tests of a part as they were last run."""
    return [_result(case) for case in ElementTree.parse(KEPT / f"{part}.xml").iter("testcase")]


def _result(case: ElementTree.Element) -> Result:
    told = defaultdict(list)
    for entry in case.iter("property"):
        told[entry.attrib["name"]].append(json.loads(entry.attrib["value"]))
    passed = not any(case.find(sort) is not None for sort in ("failure", "error", "skipped"))
    return Result(case.attrib["classname"], case.attrib["name"], passed, dict(told))


def text() -> str:
    """Return the page."""
    return "\n".join([HEAD, *_episodes(), "", *_grid(), "", *_drivers(), "", *_readers(), ""])


def _episodes() -> Iterator[str]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for result in (*results("episodes"), *results("mistakes")):
        for player, case, applies in result.told.get("case", ()):
            found[player][case] = ("passed" if result.passed else "FAILED") if applies else "n.a."
    cases = list(dict.fromkeys(case for cells in found.values() for case in cells))
    yield EPISODES
    yield from _table(
        ["player", *cases], ([player, *_cells(found[player], cases)] for player in sorted(found))
    )


def _grid() -> Iterator[str]:
    rows = [row for result in results("grid") for row in result.told.get("grid", ())]
    targets = max(row[3] for row in rows)
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for player, screen, hits, _, drift in rows:
        found[player][screen] = f"{hits}/{targets}, {drift:.1f}"
    screens = sorted({row[1] for row in rows}, key=lambda screen: [*map(int, screen.split("x"))])
    yield GRID.format(targets=targets)
    yield from _table(
        ["player", *screens], ([player, *_cells(found[player], screens)] for player in sorted(found))
    )


def _drivers() -> Iterator[str]:
    drivers: dict[str, list[bool]] = defaultdict(list)
    for result in results("drivers"):
        driver = result.module.rpartition(".test_")[2].removesuffix("_conformance")
        drivers[driver].append(result.passed)
    yield DRIVERS
    yield from _table(
        ["driver", "cases", "passed"],
        ([name, len(cases), sum(cases)] for name, cases in sorted(drivers.items())),
    )


def _readers() -> Iterator[str]:
    found = results("readers")
    came: Counter[tuple[str, str]] = Counter()
    crashes: Counter[str] = Counter()
    for result in found:
        for reader, what, count in result.told.get("read", ()):
            came[reader, what] += count
            crashes[reader] += not result.passed
    yield READERS
    yield from _table(
        ["reader", "inputs", "actions", "not understood", "crashes"],
        ([name, *_came(came, name), crashes[name]] for name in sorted({reader for reader, _ in came})),
    )


def _came(came: Counter[tuple[str, str]], reader: str) -> tuple[int, int, int]:
    understood, refused = came[reader, "understood"], came[reader, "refused"]
    return understood + refused, understood, refused


def _cells(found: dict[str, str], columns: Iterable[str]) -> list[str]:
    return [found.get(column, "–") for column in columns]


def _table(head: list[str], rows: Iterable[list[Any]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def main(parts: list[str]) -> int:
    """Run parts, all where none is named, and write the page."""
    if unknown := set(parts) - set(PARTS):
        print(f"conformance: no part is named {', '.join(sorted(unknown))}; known: {', '.join(PARTS)}")
        return 2
    passed = [run(part) for part in parts or PARTS]
    if missing := [part for part in PARTS if not (KEPT / f"{part}.xml").is_file()]:
        print(f"conformance: no page yet; these parts were never run: {', '.join(missing)}")
        return 1
    PAGE.write_text(text(), encoding="utf-8")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
