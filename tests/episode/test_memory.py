from __future__ import annotations

import subprocess
import sys

from pytest_cuabench.episode import memory


def test_children_are_counted() -> None:
    """What a worker started belongs to what the worker takes."""
    memory._read.cache_clear()
    alone = memory.worker_memory()
    program = "import sys; held = b'x' * (64 << 20); print('there', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        memory._read.cache_clear()
        assert memory.worker_memory() >= alone + (64 << 20)


def test_a_reading_is_kept_for_a_while(monkeypatch) -> None:
    """Within the same minute nothing is read again."""
    monkeypatch.setattr(memory.time, "monotonic", lambda: 100.0)
    memory.worker_memory()
    misses = memory._read.cache_info().misses
    memory.worker_memory()
    assert memory._read.cache_info().misses == misses
