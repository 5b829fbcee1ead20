"""What a world program sends is checked, and what is wrong is one sentence."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_cuabench.drivers import world_messages as messages
from pytest_cuabench.errors import EnvironmentFailure

STATE: dict[str, Any] = {
    "collections": {"todos": {"1": {"title": "Milk", "done": False}}},
    "journal": [
        {"collection": "todos", "key": 1, "op": "insert", "before": None, "after": {"title": "Milk"}},
    ],
    "revision": 1,
    "more": "is allowed",
}


def test_right_state() -> None:
    """A state with all that is described, and more, is taken."""
    told = messages.read(messages.WorldState, STATE, "the world todo answered")

    assert told.journal[0].key == 1
    assert told.failures == 0


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"collections": []}, "with a list as collections; expected: an object"),
        ({"collections": {"todos": [1]}}, "with a list as collections.todos; expected: an object"),
        ({"collections": {"todos": {"1": "x"}}}, "with 'x' as collections.todos.1; expected: an object"),
        ({"journal": {}}, "with an object as journal; expected: a list"),
        ({"revision": "7"}, "with '7' as revision; expected: a whole number"),
        (
            {"journal": [{**STATE["journal"][0], "op": "upsert"}]},
            "with 'upsert' as journal.0.op; expected: input should be 'insert', 'update' or 'delete'",
        ),
    ],
)
def test_wrong_state(changes: dict[str, Any], sentence: str) -> None:
    """What does not fit is named with its place, and with what was expected."""
    with pytest.raises(EnvironmentFailure) as failure:
        messages.read(messages.WorldState, STATE | changes, "the world todo answered GET /state")

    assert str(failure.value) == f"the world todo answered GET /state {sentence}"


def test_missing_part() -> None:
    """What is missing is named, and how many more mistakes there are."""
    with pytest.raises(EnvironmentFailure) as failure:
        messages.read(messages.Opened, {"origin": "http://x"}, "the world todo answered POST /sessions")

    assert str(failure.value) == (
        "the world todo answered POST /sessions without id; docs/worlds.md describes it (1 more mistakes)"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"[1]", "with a list; expected an object"),
        (b"hello", "with something that is not JSON"),
        (b"7", "with 7; expected an object"),
    ],
)
def test_no_object(text: bytes, words: str) -> None:
    """An answer that is no JSON object is refused."""
    with pytest.raises(EnvironmentFailure, match=words):
        messages.read_object(text, "the world todo answered GET /health")
