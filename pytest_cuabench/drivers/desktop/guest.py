"""The client of our own guest (`environments/desktop/README.md` has the protocol)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pytest_cuabench.drivers.desktop.client import Language, Ran, TreeNode
from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.drivers.desktop.wire import Refused, Wire
from pytest_cuabench.errors import ActionError, CheckerFailure, EnvironmentFailure, SettingError
from pytest_cuabench.task.action import Action, Point, Size
from pytest_cuabench.task.durations import seconds_for
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.observation import ActionResult, Box

PROTOCOL = 1
_CAP = 18.0  # seconds: the guest's own cap of a settling on an emulated processor, with room


@dataclass(frozen=True, slots=True)
class Health:
    """What a guest says of itself.

    Attributes:
        confinement: How programs are kept from the guest: `bwrap`, `user:NAME` or `none`.
        missing: For each application that cannot run here, the Debian packages that it lacks.
    """

    screen: Size
    confinement: str
    applications: tuple[str, ...]
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Begun(NamedTuple):
    """How a session began: what had to be created again, and the digest of the state it begins with."""

    layer: str
    fingerprint: str | None


class Found(NamedTuple):
    """An element that a selector found."""

    box: Box
    text: str


class AnotherProtocol(Exception):
    """What answers at the address speaks another protocol than ours."""


class Guest:
    """Our guest at the other end of a wire; see `GuestClient` for what every guest can do."""

    sessions = True

    def __init__(self, address: Address, name: str, patience: float = 20.0) -> None:
        self.screen = Size(0, 0)
        self.health = Health(self.screen, "none", ())
        self._name, self._patience = name, patience
        self._wire = Wire(address, name, patience)

    async def open(self) -> None:
        """See `GuestClient.open`.

        Raises:
            SettingError: It is of another version, or wants another token.
            AnotherProtocol: Something answers, but it does not know our protocol.
        """
        try:
            told = await self._wire.json("GET", "/health")
        except Refused as refusal:
            raise AnotherProtocol(str(refusal)) from None
        if told.get("protocol") != PROTOCOL:
            raise SettingError(
                f"the guest of {self._name} speaks protocol {told.get('protocol')}, not {PROTOCOL}; take it from the "
                "same version of pytest-cuabench as this is"
            )
        with self._shape("/health"):
            applications = dict(told["applications"])
            self.screen = Size(*map(int, told["screen"]))
            self.health = Health(
                self.screen,
                str(told["confinement"]),
                tuple(applications),
                {
                    name: tuple(map(str, about.get("packages", ())))
                    for name, about in applications.items()
                    if not about["available"]
                },
            )

    def lacking(self, application: str) -> str | None:
        """Return why an application cannot run there, in a sentence that says what to type; None where it can."""
        if application not in self.health.missing:
            return None
        packages = self.health.missing[application]
        if not packages:
            return f"{application} cannot run on this desktop: programs that it needs are not installed"
        return (
            f"{application} cannot run on this desktop without {', '.join(packages)}; "
            f"type there: sudo apt-get install --no-install-recommends {' '.join(packages)}"
        )

    async def begin(self, application: str, setup: Sequence[Mapping[str, Any]], seconds: float) -> Begun:
        """Bring an application's starting point on the screen.

        Raises:
            EnvironmentFailure: It was not there in time, or something of the desktop broke.
            CheckerFailure: The guest does not understand the task's setup.
        """
        body = {"application": application, "setup": [dict(step) for step in setup]}
        try:
            told = await self._wire.json("POST", "/session", body, seconds)
        except Refused as refusal:
            raise CheckerFailure(
                f"the guest of {self._name} cannot set {application} up: {refusal}"
            ) from None
        with self._shape("/session"):
            return Begun(str(told["layer"]), told.get("fingerprint"))

    async def end(self) -> None:
        """End the session."""
        await self._told("DELETE", "/session")

    async def put_clock_right(self) -> None:
        """Tell a machine that went back in time what time it is; others have a clock that they share with us."""
        await self._told("POST", "/clock", {"seconds": time.time()})

    async def state(self) -> State:
        """Return what is true on the desktop.

        Raises:
            EnvironmentFailure: It cannot be read, or a part of it only; the failure then has that part.
        """
        told = await self._told("GET", "/session/state")
        with self._shape("/session/state"):
            state = State(
                {
                    name: {key: dict(row) for key, row in rows.items()}
                    for name, rows in told["collections"].items()
                },
                revision=int(told["revision"]),
                fingerprint=told.get("fingerprint"),
            )
        if trouble := told.get("trouble"):
            raise EnvironmentFailure(f"the guest of {self._name}: {trouble}", state)
        return state

    async def locate(self, target: str) -> Found | None:
        """Return the one element that a selector finds, None where there is none.

        Raises:
            LookupError: It finds several, or is no selector.
        """
        try:
            told = await self._wire.json("GET", "/locate", target=target)
        except Refused as refusal:
            raise LookupError(str(refusal)) from None
        with self._shape("/locate"):
            box = told["box"]
            return None if box is None else Found(Box(*map(float, box)), str(told.get("text") or ""))

    async def screenshot(self) -> bytes:
        """See `GuestClient.screenshot`."""
        try:
            return await self._wire.bytes("GET", "/screenshot", cursor=1)
        except Refused as refusal:
            raise self._unexpected("GET /screenshot", refusal) from None

    async def tree(self) -> tuple[TreeNode, ...]:
        """See `GuestClient.tree`; nodes that do not show are left out by the guest."""
        told = await self._told("GET", "/tree")
        with self._shape("/tree"):
            return tuple(_node(data) for data in told["nodes"])

    async def perform(self, actions: Sequence[Action]) -> tuple[ActionResult, ...]:
        """See `GuestClient.perform`."""
        asked = sum(map(seconds_for, actions))
        body = {"actions": [action.to_json() for action in actions]}
        told = await self._told("POST", "/actions", body, self._patience + _CAP + asked)
        with self._shape("/actions"):
            return tuple(ActionResult(one.get("error"), one.get("text")) for one in told["results"])

    async def settle(self) -> None:
        """See `GuestClient.settle`."""
        await self._told("POST", "/settle", None, self._patience + _CAP)

    async def cursor(self) -> Point:
        """See `GuestClient.cursor`."""
        told = await self._told("GET", "/cursor")
        with self._shape("/cursor"):
            return Point(int(told["x"]), int(told["y"]))

    async def run_code(self, code: str, language: Language, seconds: float) -> Ran:
        """See `GuestClient.run_code`."""
        body = {"code": code, "language": language, "seconds": seconds}
        try:
            told = await self._wire.json("POST", "/code", body, self._patience + seconds)
        except Refused as refusal:
            raise ActionError(f"run_code: {refusal}") from None
        with self._shape("/code"):
            return Ran(int(told["code"]), str(told["out"]), str(told["err"]))

    async def read_file(self, path: str) -> bytes | None:
        """See `GuestClient.read_file`."""
        row = (await self.state()).collections.get("files", {}).get(path)
        return None if row is None or row.get("text") is None else str(row["text"]).encode()

    async def write_file(self, path: str, content: bytes) -> None:
        """See `GuestClient.write_file`; files of a session are part of its setup."""
        raise EnvironmentFailure(
            f"files of {self._name} are written by a task's setup: {path} was not written"
        )

    async def close(self) -> None:
        """See `GuestClient.close`."""
        await self._wire.close()

    async def _told(
        self, method: str, path: str, body: Any = None, seconds: float | None = None
    ) -> dict[str, Any]:
        try:
            return await self._wire.json(method, path, body, seconds)
        except Refused as refusal:
            raise self._unexpected(f"{method} {path}", refusal) from None

    def _unexpected(self, call: str, refusal: Refused) -> EnvironmentFailure:
        return EnvironmentFailure(f"the guest of {self._name} refuses {call}: {refusal}")

    def _shape(self, path: str) -> _Shape:
        return _Shape(
            f"the guest of {self._name} answers {path} in a shape that is not of protocol {PROTOCOL}"
        )


class _Shape:
    """What is read within answers that cannot be read becomes one sentence."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KeyError | TypeError | ValueError | AttributeError):
            raise EnvironmentFailure(self._sentence) from error


def _node(data: Mapping[str, Any]) -> TreeNode:
    return TreeNode(
        role=str(data["role"]),
        name=str(data["name"]),
        value="" if data["value"] is None else str(data["value"]),
        description=str(data.get("description") or ""),
        states=tuple(map(str, data["states"])),
        box=Box(*map(float, data["box"])) if data["box"] else Box(0, 0, 0, 0),
        depth=int(data["depth"]),
        parent=-1 if data["parent"] is None else int(data["parent"]),
    )
