"""Parts of the items for workers that play several at a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pytest_cuabench.collection.scheduling import Parts

ITEMS = [f"test_it.py::test[{number}]" for number in range(10)]


class Worker:
    """A worker that keeps what it is given."""

    def __init__(self, name: str) -> None:
        self.gateway = SimpleNamespace(id=name)
        self.shutting_down = False
        self.given: list[int] = []

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.given += numbers

    def shutdown(self) -> None:
        self.shutting_down = True


def scheduled() -> tuple[Any, Worker, Worker]:
    """Return two workers with their parts, and the scheduler."""
    option = SimpleNamespace(loadscopereorder=False, maxprocesses=None)
    config: Any = SimpleNamespace(option=option, getvalue=lambda name: ["popen", "popen"])
    parts = Parts(config, SimpleNamespace(loadscopesched=lambda *words: None))
    workers = Worker("gw0"), Worker("gw1")
    for worker in workers:
        parts.add_node(worker)
    for worker in workers:
        parts.add_node_collection(worker, ITEMS)
    parts.schedule()
    return parts, *workers


def test_each_worker_has_every_second_item() -> None:
    """Of two workers, each is given the items of its part at once."""
    _, first, second = scheduled()
    assert (first.given, second.given) == ([0, 2, 4, 6, 8], [1, 3, 5, 7, 9])


def test_two_workers_that_die_are_replaced() -> None:
    """A part goes to a new worker when that has collected; the item at which a worker died is not run again."""
    parts, first, second = scheduled()
    parts.mark_test_complete(first, 0)
    third, fourth = Worker("gw2"), Worker("gw3")
    assert parts.remove_node(first) == ITEMS[2]
    parts.add_node(third)
    assert parts.remove_node(second) == ITEMS[1]
    parts.add_node(fourth)
    parts.add_node_collection(third, ITEMS)
    parts.schedule()
    parts.add_node_collection(fourth, ITEMS)
    parts.schedule()
    assert sorted((third.given, fourth.given)) == [[3, 5, 7, 9], [4, 6, 8]]
