"""Merge the runs of several machines into one, with each attempt once; the inputs stay unchanged.

The merged run is built in a temporary folder and moved into place. A run merged there before is one of the inputs, so
merging again changes nothing, and further shards can be added.
"""

from __future__ import annotations

import filecmp
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import RecordFailure, SettingError
from pytest_cuabench.ledger import locks
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import Fingerprint, differences, same_agent
from pytest_cuabench.ledger.inspection import is_inside, read_ledger
from pytest_cuabench.ledger.jsonl import recording, write_json, write_lines
from pytest_cuabench.ledger.lines import ABOUT, ATTEMPT, LEDGER, key_of
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.signing import CLOSED, SIGNED, Key, Signer, admit
from pytest_cuabench.task.outcome import Outcome

_TRAJECTORIES = "trajectories"
_BEGINNING = ("case.json", "before.json", "steps.jsonl")


@dataclass(frozen=True, slots=True)
class _Source:
    """One input: its attempts by key, in order, and its other records."""

    run: Run
    attempts: Mapping[str, dict[str, Any]]
    others: Sequence[dict[str, Any]]

    @classmethod
    def read(cls, run: Run) -> _Source:
        """Read a run, without its signatures, which are valid in the original ledger only.

        Raises:
            SettingError: Its ledger is invalid.
        """
        ledger = read_ledger(run.folder)
        ledger.refuse(every=True)
        found = (line.record for line in ledger.lines if line.record is not None)
        records = [
            {name: value for name, value in record.items() if name != SIGNED}
            for record in found
            if record.get("type") != CLOSED
        ]
        attempts = {key_of(each): each for each in records if each.get("type") == ATTEMPT}
        return cls(run, attempts, [each for each in records if each.get("type") != ATTEMPT])


@dataclass(slots=True)
class _Joined:
    """The attempts of one instance with their sources, in merged order."""

    keys: list[str] = field(default_factory=list)
    graded_by: Run | None = None


def merge(runs: Sequence[Run], into: Path, key: Key | None = None) -> Run:
    """Merge runs into one and return it.

    Args:
        key: Verifies the signatures of all runs and signs the merged one; without it the merged run is not signed.

    Raises:
        SettingError: The runs are incompatible, or `into` is not a merged run.
        RecordFailure: The merged run cannot be written; nothing has changed then.
    """
    into = into.resolve()
    with recording(into):
        _refuse_place(runs, into)
    earlier = [Run(into)] if (into / ABOUT).is_file() else []
    inputs = [*earlier, *_distinct(runs)]
    closed = [admit(run.folder, key, "merge") for run in inputs] if key else [False]
    sources = [_Source.read(run) for run in inputs]
    if not any(source.attempts for source in sources):
        raise SettingError("nothing to merge: these runs hold no attempts")
    _refuse_strangers([source.run for source in sources])
    order = _joined(sources)
    with recording(into):
        into.parent.mkdir(parents=True, exist_ok=True)
        # Beside its place: a rename is atomic only within one file system.
        built = into.with_name(f".{into.name}.{os.getpid()}")
        lock = locks.lead(into) if earlier else None
        try:
            merged = Run(built, Signer(key) if key else None)
            _build(merged, sources, order)
            # A merged ledger is complete only if the session of each part closed its own.
            if all(closed):
                merged.close()
            _put(built, into)
        finally:
            shutil.rmtree(built, ignore_errors=True)
            if lock is not None:
                lock.release()
    return Run(into)


def missing_shards(about: Mapping[str, Any]) -> list[str]:
    """Return the shards that a merged run lacks, such as `2/4`, according to its `run.json`."""
    named = [_shards(part) for part in about.get("merged", ())]
    shards = {shard for part in named for shard in part}
    if not all(named):  # one of the runs was not a shard, so the full set is unknown
        return []
    counts = sorted({count for _, count in shards})
    return [f"{n}/{count}" for count in counts for n in range(1, count + 1) if (n, count) not in shards]


def _shards(part: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Return the shards that a run's sessions played; empty if a session was not limited to a shard."""
    told = [each.get("settings", {}).get("shard", "") for each in (part, *part.get("resumed", ()))]
    found = [re.match(r"([0-9]{1,4})/([0-9]{1,4})\b", text) for text in told]
    shards = [(int(shard[1]), int(shard[2])) for shard in found if shard]
    return shards if len(shards) == len(told) else []


# Compatibility


def _refuse_place(runs: Sequence[Run], into: Path) -> None:
    for run in runs:
        folder = run.folder.resolve()
        if into in (folder, *folder.parents) or folder in into.parents:
            raise SettingError(
                f"--into: one of {into} and the run {folder} contains the other; choose another folder"
            )
    with suppress(FileNotFoundError, NotADirectoryError):
        if not any(into.iterdir()) or "merged" in Run(into).about():
            return
        raise SettingError(f"--into: {into} already exists and is not a merged run; choose another folder")
    if into.exists():
        raise SettingError(f"--into: {into} is not a folder; choose another one")


def _distinct(runs: Sequence[Run]) -> list[Run]:
    return list({run.folder.resolve(): run for run in runs}.values())


def _refuse_strangers(runs: Sequence[Run]) -> None:
    """Reject runs that differ in agent, world, plugin or observation.

    Raises:
        SettingError: Two runs are incompatible.
    """
    first: dict[str, tuple[Run, Attempt]] = {}
    for run in runs:
        for attempt in run.last_attempts().values():
            if not attempt.result.graded:
                continue
            other, known = first.setdefault(attempt.item.suite, (run, attempt))
            if reasons := list(_strange(known, attempt)):
                raise SettingError(
                    f"cannot merge {other.folder} and {run.folder}: {'; '.join(reasons)} "
                    f"({known.item.instance} and {attempt.item.instance})"
                )


def _strange(old: Attempt, new: Attempt) -> Iterator[str]:
    if old.agent != new.agent:
        yield f"different agents, {old.agent} and {new.agent}"
    elif old.conditions.fingerprint and new.conditions.fingerprint:
        if not same_agent(old.conditions.fingerprint, new.conditions.fingerprint):
            yield f"the profile of {old.agent} changed"
        yield from differences(_common(old.conditions.fingerprint), _common(new.conditions.fingerprint))


def _common(fingerprint: Fingerprint) -> Fingerprint:
    """Return the parts that all tasks of a suite share; budgets belong to tasks."""
    shared = {name: value for name, value in fingerprint.settings.items() if "max_" not in name}
    return replace(fingerprint, task="", settings=shared)


# Attempts and their order


def _joined(sources: Sequence[_Source]) -> dict[str, _Joined]:
    """Return the attempts of each instance; graded ones come last, as in a resumed run.

    Raises:
        SettingError: Two runs hold different results of one instance.
    """
    found: dict[str, _Joined] = {}
    for source in sources:
        by_instance: dict[str, list[str]] = {}
        for key, record in source.attempts.items():
            by_instance.setdefault(record["instance"], []).append(key)
        for instance, keys in by_instance.items():
            _join(found.setdefault(instance, _Joined()), keys, source, sources)
    return found


def _join(joined: _Joined, keys: Sequence[str], source: _Source, sources: Sequence[_Source]) -> None:
    known, mine = set(joined.keys), set(keys)
    new = [key for key in keys if key not in known]
    graded = any(_graded(source.attempts[key]) for key in new)
    others = [key for key in joined.keys if key not in mine and _graded(_find(sources, key))]
    if graded and others:
        raise SettingError(_conflict(joined, source, _find(sources, others[-1]), source.attempts[keys[-1]]))
    if graded:
        joined.graded_by = source.run
    joined.keys[:] = [*new, *joined.keys] if others else [*joined.keys, *new]


def _graded(record: Mapping[str, Any]) -> bool:
    return Outcome.of(record["outcome"]).graded


def _find(sources: Sequence[_Source], key: str) -> dict[str, Any]:
    return next(source.attempts[key] for source in sources if key in source.attempts)


def _conflict(joined: _Joined, source: _Source, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    first, second = Attempt.from_json(old), Attempt.from_json(new)
    prints = first.conditions.fingerprint, second.conditions.fingerprint
    reasons = differences(prints[0], prints[1]) if prints[0] and prints[1] else []
    where = joined.graded_by.folder if joined.graded_by else "another run"
    if reasons:
        return f"{first.item.instance} differs between {where} and {source.run.folder}: {'; '.join(reasons)}"
    return (
        f"{first.item.instance} has a result in both {where} and {source.run.folder}, but only one can count; "
        "use epochs (--cua-epochs) to play an instance several times"
    )


# Writing


def _build(built: Run, sources: Sequence[_Source], order: Mapping[str, _Joined]) -> None:
    shutil.rmtree(built.folder, ignore_errors=True)
    built.folder.mkdir()
    records = [
        _copied(_find(sources, key), _home(sources, key), built)
        for key in chain.from_iterable(joined.keys for joined in order.values())
    ]
    for source in sources:
        _copy_unfinished(source, built)
    write_json(built.folder / ABOUT, _about([source.run for source in sources]))
    lines = [*_others(sources), *records]
    write_lines(built.folder / LEDGER, map(built.signer.sign, lines) if built.signer else lines)


def _home(sources: Sequence[_Source], key: str) -> Run:
    return next(source.run for source in sources if key in source.attempts)


def _copied(record: dict[str, Any], home: Run, built: Run) -> dict[str, Any]:
    """Copy an attempt's trajectory to a unique path, and return the record with that path."""
    place = record.get("trajectory")
    if not place or not (source := home.folder / place).is_dir():
        return record
    new = _copy(source, built, place)
    moved = {name: value for name in ("trajectory", "screenshot") if (value := record.get(name))}
    return {**record, **{name: f"{new}{value.removeprefix(place)}" for name, value in moved.items()}}


def _copy(source: Path, built: Run, place: str) -> str:
    parent, _, own = place.rpartition("/")
    for name in chain([own], (f"{own.partition('-')[0]}-{again}" for again in count(2))):
        target = built.folder / parent / name
        if not target.exists():
            try:
                # A link that is followed would copy files from outside of the run.
                shutil.copytree(source, target, symlinks=True)
            except shutil.Error as error:
                _, where, why = error.args[0][0]
                raise RecordFailure(f"cannot copy {source} to {where}: {why}") from error
            return f"{parent}/{name}"
    raise AssertionError("count() does not end")


def _copy_unfinished(source: _Source, built: Run) -> None:
    """Copy unfinished trajectories of killed workers, unless they were copied before."""
    told = {record.get("trajectory") for record in source.attempts.values()}
    begun = (source.run.folder / _TRAJECTORIES).glob("*/*/*/*")
    for folder in sorted({file.parent for file in begun if file.name in _BEGINNING}):
        place = folder.relative_to(source.run.folder).as_posix()
        there = (built.folder / place).parent.glob("*")
        if (
            place not in told
            and is_inside(source.run.folder, place)
            and not any(_same(folder, other) for other in there)
        ):
            _copy(folder, built, place)


def _same(folder: Path, other: Path) -> bool:
    """Whether two folders hold the same unfinished episode."""
    pairs = [(folder / name, other / name) for name in _BEGINNING]
    # Not shallow, which trusts size and time.
    return all(one.is_file() == two.is_file() for one, two in pairs) and all(
        filecmp.cmp(one, two, shallow=False) for one, two in pairs if one.is_file()
    )


def _put(built: Path, into: Path) -> None:
    """Move the finished run into place; the old run is removed afterwards."""
    old = into.with_name(f".{into.name}.{os.getpid()}.old")
    if into.exists():
        into.rename(old)  # a rename replaces no folder that holds files
    try:
        built.rename(into)
    except OSError:
        if old.exists():
            old.rename(into)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _others(sources: Sequence[_Source]) -> list[dict[str, Any]]:
    """Return plans, regrades and other records, each once."""
    records = chain.from_iterable(source.others for source in sources)
    return list({key_of(record): record for record in records}.values())


def _about(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the merged `run.json`: common values, and each run's own data."""
    parts: dict[str, dict[str, Any]] = {}
    for run in runs:
        about = run.about()
        for part in about.get("merged") or [{"run": run.name, **about}]:
            parts[f"{part['run']} {part.get('started')}"] = part
    told = list(parts.values())
    first = {name: value for name, value in told[0].items() if name not in ("run", "resumed")}
    settings = first.get("settings", {})
    shared = {
        name: value
        for name, value in settings.items()
        if all(part.get("settings", {}).get(name) == value for part in told)
    }
    started = min((part["started"] for part in told if part.get("started")), default=None)
    return {**first, "started": started, "settings": shared, "merged": told}
