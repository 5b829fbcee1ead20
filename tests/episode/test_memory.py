from __future__ import annotations

import subprocess
import sys

from pytest_cuabench.episode import memory


def test_children_are_counted() -> None:
    """What a worker started belongs to what the worker takes."""
    memory.forget()
    alone = memory.worker_memory()
    program = "import sys; held = b'x' * (64 << 20); print('there', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        memory.forget()
        assert memory.worker_memory() >= alone + (64 << 20)


def test_a_reading_is_kept_for_a_while(monkeypatch) -> None:
    """Within the same few seconds nothing is read again."""
    memory.forget()
    first = memory.worker_memory()
    monkeypatch.setattr(memory, "_read", lambda: 1 / 0)
    assert memory.worker_memory() == first


def test_many_processes_are_read_less_often(monkeypatch) -> None:
    """A reading that takes a second is kept for minutes."""
    now = iter([1000.0, 1001.0, 1060.0, 1102.0, 1103.0])
    readings = iter([1, 2])
    monkeypatch.setattr(memory.time, "monotonic", lambda: next(now))
    monkeypatch.setattr(memory, "_read", lambda: next(readings))
    memory.forget()
    assert [memory.worker_memory() for _ in range(3)] == [1, 1, 2]
    memory.forget()
