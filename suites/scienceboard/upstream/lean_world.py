"""Raw Lean: a theorem, the REPL, and nothing else; what is seen is text, and an action is a tactic.

An input is the JSON object `{"tactic", "proofState"}`, called as the API `tactic` or typed. What upstream refuses is
refused here in the same way: an error of its own in the history, and no word to the REPL. A turn without a single good
input is invalid; each so many of them shorten the episode, and good turns in between do not set the count back.
"""

from __future__ import annotations

import json
from typing import Any

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.driver import Driver, DriverContext
from pytest_cuabench.errors import CheckerFailure, EnvironmentFailure, SettingError
from pytest_cuabench.task.action import Action, CallApi, Capability, Size, Type, Wait
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.observation import ActionResult, Observation, ObservationKind

from . import steps
from .clients.lean import Program, Repl, TookTooLong, errors, find_repl
from .probes import Probe, kept
from .records import Record
from .tasks import UpstreamTask

API = "tactic"
_FORBIDDEN = ("sorry", "admit")
_KEYS = {"tactic", "proofState"}
_IMPORT, _TACTIC = 600.0, 45.0  # seconds: Mathlib is large; a tactic may search, but not for ever


class LeanDriver(Driver):
    """Lean's REPL on this computer."""

    observations = ("dom",)
    pages = False

    def open(self, context: DriverContext) -> Environment:
        """Return the world of Raw Lean.

        Raises:
            SettingError: There is no REPL on this computer.
        """
        return LeanWorld(find_repl())


class LeanWorld(Environment):
    """One REPL; a new process for each episode, so that nothing of a broken attempt is left."""

    screen = Size(1280, 720)
    capabilities: tuple[Capability, ...] = ("api", "keyboard")
    reset_seconds = 900.0  # until Mathlib is imported, also from a cold disk

    def __init__(self, program: Program) -> None:
        self._repl = Repl(program)
        self._record: Record | None = None
        self._headers: list[str] = []
        self._history: list[dict[str, Any]] = []
        self._turns: list[bool] = []  # whether each had a good input
        self._good: list[dict[str, Any]] = []  # what was said with success, to say again after a restart
        self._stopped = False

    async def reset(self, instance: Instance) -> None:
        """Start the REPL, import and open what the record says, and state the theorem.

        Raises:
            EnvironmentFailure: The REPL refuses.
            SettingError: The task is no record of Raw Lean.
        """
        task = instance.task
        if not isinstance(task, UpstreamTask) or task.record.sort != "Raw":
            raise SettingError(
                f"{task.name} is no record of Raw Lean; use --cua-tasks scienceboard=PATH/tasks/Raw"
            )
        self._record = task.record
        self._history, self._turns, self._good = [], [], []
        self._history = await self._begin(task.record)
        self.last_reset = Reset("lean", "start")
        if len(self._history) != 1:
            raise CheckerFailure(f"{task.name} states {len(self._history)} theorems, but must state one")

    async def _begin(self, record: Record) -> list[dict[str, Any]]:
        """Start the REPL and prepare it; return the states of what is to be proved."""
        self._headers, self._stopped = [], False
        await self._repl.start()
        env: int | None = None
        stated: list[dict[str, Any]] = []
        for step in record.begin:
            env = await self._prepare(step, env, stated)
        return stated

    async def _prepare(self, step: steps.Step, env: int | None, stated: list[dict[str, Any]]) -> int:
        reply = await self._command(_words(step), env)
        if isinstance(step, steps.Statement) and step.func == "query":
            stated.append(_only_goal(reply))
        else:
            self._headers.append(_words(step))
        if not isinstance(reply.get("env"), int):
            raise EnvironmentFailure(f"Lean's REPL replied to {_words(step)[:200]!r} without env")
        return int(reply["env"])

    async def _command(self, words: str, env: int | None) -> dict[str, Any]:
        message = {"cmd": words} if env is None else {"cmd": words, "env": env}
        reply = await self._repl.ask(message, _IMPORT)
        if found := errors(reply):
            raise EnvironmentFailure(f"Lean's REPL refuses {words[:200]!r}: {found[0][:300]}")
        return reply

    async def observe(self, kind: ObservationKind) -> Observation:
        """Return headers, the first state and every record since, as text; a turn begins with it.

        Raises:
            SettingError: Something else than text is to be shown.
        """
        if kind != "dom":
            raise SettingError("Raw Lean is shown as text only; add --cua-observation=dom")
        self._turns.append(False)
        lines = [*self._headers, *(json.dumps(record, ensure_ascii=False) for record in self._history)]
        return Observation(self.screen, dom="\n".join(lines))

    def steps_left(self) -> int:
        """Return how many turns are left after what invalid ones cost; see `Environment.steps_left`."""
        if self._record is None:
            return 0
        every, cost = self._record.penalty or (1, 0)
        cut = self._turns.count(False) // every * cost
        return max(0, self._record.steps - cut - len(self._turns))

    async def perform(self, action: Action) -> ActionResult:
        """Hand a tactic to the REPL; what it answers is in the history, and no error of the action."""
        match action:
            case CallApi(name=name, arguments=text) if name == API:
                pass
            case CallApi(name=name):
                return ActionResult(error=f"call_api: there is no {name}; known: {API}")
            case Type(text=text):
                pass
            case Wait():
                return ActionResult()
            case _:
                return ActionResult(error=f"{action.kind} is not available in this environment")
        record = await self._input(text)
        self._history.append(record)
        return ActionResult(text=json.dumps(record, ensure_ascii=False))

    async def _input(self, text: str) -> dict[str, Any]:
        problem, message = _read_input(text)
        if problem:
            return {"input": text, "messages": [{"severity": "error", "data": problem}]}
        try:
            reply = await self._said(message)
        except TookTooLong:
            self._stopped = True
            problem = f"this took more than {_TACTIC:g} s and was stopped"
            return {**message, "messages": [{"severity": "error", "data": problem}]}
        if found := errors(reply):
            return {**message, "messages": [{"severity": "error", "data": "\n".join(found)}]}
        self._good.append(message)
        if self._turns:
            self._turns[-1] = True
        return {**message, "goals": reply.get("goals"), "next": reply.get("proofState")}

    async def _said(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a tactic; a REPL that had to be stopped is brought back to where it was before."""
        if self._stopped and self._record is not None:
            await self._begin(self._record)
            for known in self._good:
                await self._repl.ask(known, _TACTIC)
        return await self._repl.ask(message, _TACTIC)

    async def settle(self) -> None:
        """Nothing moves here."""

    async def revision(self) -> int | None:
        """Return how much was said to the REPL."""
        return len(self._history)

    async def state(self) -> State:
        """Return every record of the REPL."""
        return State(kept({Probe("lean.history").key: list(self._history)}), revision=len(self._history))

    async def close(self) -> None:
        """End the REPL."""
        await self._repl.close()


def _words(step: steps.Step) -> str:
    match step:
        case steps.Import(func="import"):
            return "\n".join(f"import {name}" for name in step.libs)
        case steps.Import():
            return f"open {' '.join(step.libs)}"
        case steps.Statement():
            return step.expr
    raise CheckerFailure(f"Raw Lean knows nothing of {type(step).__name__.lower()}")


def _only_goal(reply: dict[str, Any]) -> dict[str, Any]:
    sorries = reply.get("sorries", ())
    if len(sorries) != 1 or not {"proofState", "goal"} <= set(sorries[0]):
        raise EnvironmentFailure(f"the theorem leaves {len(sorries)} places to prove, not one")
    return {"proofState": sorries[0]["proofState"], "goal": sorries[0]["goal"]}


def _read_input(text: str) -> tuple[str, dict[str, Any]]:
    """Return why an input is refused, or an empty text and what it says."""
    for word in _FORBIDDEN:
        if word in text:
            return f"{word} is not allowed", {}
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"this is no JSON: {error}", {}
    if not isinstance(data, dict) or set(data) != _KEYS:
        return "give an object with exactly the keys tactic and proofState", {}
    if not isinstance(data["tactic"], str) or type(data["proofState"]) is not int:
        return "tactic is a text and proofState a whole number", {}
    return "", data
