"""How far repeated plays of an instance agree: in decisions, verdict, final state and screens.

Plays are comparable where the agent decided the same, so that what differs is the world's or the judge's doing. A play
deviates in an aspect if it is not like most of the plays with the same decisions. Screens are alike if they differ
invisibly, or in a thin line such as a caret that blinks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import read_steps
from pytest_cuabench.ledger.stats import upper_bound
from pytest_cuabench.reporting.table import Played

_CARET = 3  # pixels
_VISIBLE = 24  # of 255 levels; smoothed corners and edges differ by less
_COUNTED = frozenset({"revision", "fingerprint"})  # over episodes, and what follows from the rest
ASPECTS = ("decisions", "verdict", "state", "screens")


@dataclass(frozen=True, slots=True)
class Agreement:
    """The repeated plays of one task.

    Attributes:
        plays: Number of graded plays that were repeated.
        deviating: Number of plays that deviate, by aspect.
        first: Where the first play deviates, by aspect: a place in the state, or the number of a step.
    """

    task: str
    plays: int
    deviating: Mapping[str, int]
    first: Mapping[str, str]

    def bound(self, aspect: str) -> float:
        """Return the upper bound of the share of deviating plays, with 95 % confidence."""
        return upper_bound(self.deviating[aspect], self.plays, 0.95)


def agreements(played: Iterable[Played]) -> Iterator[Agreement]:
    """Yield one agreement for each task with repeated plays, which are epochs of a run or the same in several runs."""
    tasks: dict[str, dict[tuple[str, int, str], list[Played]]] = {}
    for each in played:
        attempt = each.attempt
        if attempt.result.graded:
            name = f"{attempt.item.suite}: {attempt.item.application}/{attempt.item.task}"
            same = attempt.item.variant, attempt.item.seed, attempt.agent
            tasks.setdefault(name, {}).setdefault(same, []).append(each)
    for name, instances in sorted(tasks.items()):
        if repeated := [plays for plays in instances.values() if len(plays) > 1]:
            yield _agreement(name, repeated)


def _agreement(task: str, instances: Sequence[Sequence[Played]]) -> Agreement:
    deviating, first = Counter[str](), dict[str, str]()
    for plays in instances:
        pictures = _Pictures()
        traces = [_Trace.of(each.run.folder, each.attempt, pictures) for each in plays]
        usual = _usual(traces, lambda trace: trace.decisions)
        deviating["decisions"] += len(traces) - len(usual)
        for aspect, read in _ASPECTS.items():
            like = _usual(usual, read)
            others = [trace for trace in usual if trace not in like]
            deviating[aspect] += len(others)
            if others and aspect not in first:
                first[aspect] = _difference(aspect, like[0], others[0])
    return Agreement(task, sum(map(len, instances)), {name: deviating[name] for name in ASPECTS}, first)


@dataclass
class _Pictures:
    """The different screens of an instance, by step."""

    seen: dict[int, dict[bytes, int]] = field(default_factory=dict)

    def number(self, step: int, file: Path) -> int:
        """Return the number of the first screen at this step that is like a picture."""
        known, data = self.seen.setdefault(step, {}), file.read_bytes()
        if data not in known:
            like = (number for other, number in known.items() if _alike(data, other))
            known[data] = next(like, len(known))
        return known[data]


def _alike(one: bytes, other: bytes) -> bool:
    left, right = (Image.open(BytesIO(each)).convert("RGB") for each in (one, other))
    if left.size != right.size:
        return False
    box = ImageChops.difference(left, right).point(lambda level: 255 * (level > _VISIBLE)).getbbox()
    return box is None or min(box[2] - box[0], box[3] - box[1]) <= _CARET


@dataclass(frozen=True, slots=True, eq=False)
class _Trace:
    decisions: str
    verdict: str
    state: Any
    screens: tuple[int, ...]

    @classmethod
    def of(cls, folder: Path, attempt: Attempt, pictures: _Pictures) -> _Trace:
        place = folder / (attempt.files.trajectory or "")
        steps = read_steps(place)
        shown = [(place / name if (name := step.get("screenshot")) else None) for step in steps]
        after = place / "after.json"
        state = json.loads(after.read_bytes()) if after.is_file() else {}
        verdict = attempt.verdict.to_json() if attempt.verdict else {}
        return cls(
            _text([step.get("actions") for step in steps]),
            _text([attempt.outcome, verdict]),
            _uncounted(state),
            tuple(pictures.number(n, file) for n, file in enumerate(shown) if file and file.is_file()),
        )


def _uncounted(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state without its counters; a field that searches while one types asks for more or fewer pages."""
    rest = {name: part for name, part in state.items() if name not in _COUNTED}
    writes = [
        {name: part for name, part in write.items() if name != "request"} for write in rest.get("journal", ())
    ]
    return rest | {"journal": writes}


_ASPECTS: Mapping[str, Callable[[_Trace], Any]] = {
    "verdict": lambda trace: trace.verdict,
    "state": lambda trace: _text(trace.state),
    "screens": lambda trace: trace.screens,
}


def _usual(traces: Sequence[_Trace], read: Callable[[_Trace], Any]) -> list[_Trace]:
    """Return the traces that are alike in an aspect, of the largest such group."""
    most, _ = Counter(map(read, traces)).most_common(1)[0]
    return [trace for trace in traces if read(trace) == most]


def _text(data: Any) -> str:
    return json.dumps(data, sort_keys=True)


def _difference(aspect: str, one: _Trace, other: _Trace) -> str:
    if aspect == "screens":
        pairs = zip(one.screens, other.screens, strict=False)
        return next((f"step {n}" for n, (a, b) in enumerate(pairs) if a != b), "their number")
    if aspect == "state":
        return next(_unlike(one.state, other.state, ""), "")
    return other.verdict[:200]


def _unlike(one: Any, other: Any, path: str) -> Iterator[str]:
    """Yield the paths at which two states differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other}, key=str):
            yield from _unlike(one.get(name), other.get(name), f"{path}.{name}" if path else str(name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _unlike(left, right, f"{path}[{number}]")
    elif one != other:
        yield path
