"""Deal the tests to pytest-xdist's workers: the longest files first, and as many tests to each worker.

With `--dist worksteal` each worker begins with a stretch of the collected tests, and one that is done takes from the
end of another's stretch. In the order of collection the longest files would lie side by side in one stretch, or be
begun when everybody else is done.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

HERE = Path(__file__).parent
# Files with tests of minutes each, in the order in which they are begun.
LONGEST = (
    "adversary/test_adversary_desktops.py",
    "agents/test_models_on_the_clinic.py",
    "cluster/test_engines.py",
    "adversary/test_adversary_web.py",
    # Begun second, as `scripts/test` builds their images meanwhile, and not last: each worker that takes a part of one
    # starts a virtual machine of its own.
    "drivers/test_qemu_machine.py",
    "cluster/test_cluster_kubernetes.py",
    "drivers/test_docker_conformance.py",
    "drivers/test_docker_machine.py",
    "adversary/test_adversary_machines.py",
    # What several of their tests share takes most of a minute, in each worker that takes a part of them at the end.
    "suites/test_medcua_runs.py",
    "adversary/test_adversary_sealed.py",
    "suites/test_medcua_at_once.py",
    "drivers/test_chromium_hostile.py",
    "docs/test_ci_recipes.py",
    "packaging/test_openenv.py",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests in the order in which the workers, which all collect the same, are to begin them."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = dealt(items, workers)


def dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the tests in as many stretches as there are workers, each with the long files that it was dealt first."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    stretches: list[list[pytest.Item]] = [[] for _ in range(workers)]
    slow = sorted((path for path in files if _is_slow(files[path])), key=_rank)
    for number, path in enumerate(slow):
        stretches[number % workers] += files.pop(path)
    rest: Iterator[pytest.Item] = (item for file in files.values() for item in file)
    share = -(-len(items) // workers)
    for stretch in stretches[:-1]:
        stretch += islice(rest, max(0, share - len(stretch)))
    stretches[-1] += rest
    return [item for stretch in stretches for item in stretch]


def _is_slow(file: list[pytest.Item]) -> bool:
    return any(item.get_closest_marker("slow") for item in file) or _rank(file[0].path) < len(LONGEST)


def _rank(path: Path) -> int:
    name = path.relative_to(HERE).as_posix() if path.is_relative_to(HERE) else ""
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)
