"""What adversaries try: each way has a kind, and what one is heard saying outside of its world is a hole."""

from __future__ import annotations

import socket
from typing import Any, cast

import pytest

from pytest_cuabench.proof.arena import Adversary, Arena, Stage, Way
from pytest_cuabench.proof.ways import DESKTOP, KINDS, RELAUNCH, SCRIPTS, after_harm, kind
from pytest_cuabench.task.action import Terminate

from .conftest import table

NAMED = {
    "UDP", "closed endpoint", "cost", "flood", "forged report", "fork", "hung page", "keyring", "late write",
    "relaunch", "surrogate",
}  # fmt: skip


def test_kinds() -> None:
    """No kind that is told is without a way, and a way is of its kind after harm, too."""
    everything = [*DESKTOP, *RELAUNCH, *after_harm({}, SCRIPTS)]
    assert {kind(way) for way in everything} | set(KINDS.values()) >= NAMED
    assert {kind(way) for way in after_harm({}, SCRIPTS)} == {
        "UDP", "flood", "forged report", "hung page", "late write",
    }  # fmt: skip


class Played:
    """Stands in for an arena: the adversary says something by UDP, or nothing, and fails."""

    def __init__(self, *, heard: bool, outcome: str, graded: bool) -> None:
        self.heard, self.outcome, self.graded = heard, outcome, graded

    def play(self, task: object, environment: object, agent: Adversary, attempts: int = 2) -> Any:
        """Return what an attempt is judged by."""
        port = agent.port
        if self.heard:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as speaker:
                speaker.sendto(b"heard", ("127.0.0.1", port))

        class Attempt:
            outcome, error, ending = self.outcome, "it broke", "done"

            class result:
                graded = self.graded

        return Attempt


@pytest.mark.parametrize(
    ("heard", "outcome", "graded", "hole"),
    [
        (True, "failure", True, "reaches this computer by UDP"),
        (False, "failure", False, "voids its attempt: it broke"),
        (False, "success", True, "passes"),
        (False, "failure", True, "hides harm: it broke"),
        (False, "violation", True, ""),
    ],
)
def test_holes(heard: bool, outcome: str, graded: bool, hole: str) -> None:
    """A datagram, an attempt that is not graded, a success and a harm that is hidden are holes."""
    arena = cast(Arena, Played(heard=heard, outcome=outcome, graded=graded))
    stage = Stage(arena, cast(Any, None), cast(Any, None))
    assert stage.judged(Way("any", (Terminate("success"),), harm=True)).hole == hole


def test_table() -> None:
    """The table counts ways by kind and world, and below those that are ungraded and those that passed."""
    rows = [["a", "cost", "x", "no", "failure", True], ["b", "cost", "y", "no", "success", True],
            ["b", "fork", "z", "no", "environment_error", False]]  # fmt: skip
    assert list(table(rows)) == [
        "| kind | a | b | all |",
        "|---|---:|---:|---:|",
        "| cost | 1 | 1 | 2 |",
        "| fork | 0 | 1 | 1 |",
        "| **played** | 1 | 2 | 3 |",
        "| **ungraded** | 0 | 1 | 1 |",
        "| **passed** | 0 | 1 | 1 |",
    ]
