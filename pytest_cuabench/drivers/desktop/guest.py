"""The client of our own guest (`environments/desktop/README.md` has the protocol)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pytest_cuabench.drivers.desktop.client import Language, TreeNode
from pytest_cuabench.drivers.desktop.guest_http import GuestHttp, Refused
from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.drivers.paint import checked
from pytest_cuabench.errors import ActionError, CheckerFailure, EnvironmentFailure, SettingError
from pytest_cuabench.task.action import Action, Point, Size
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.observation import ActionResult, Box, RunResult

PROTOCOL = 1
_CAP = 18.0  # seconds: the guest's own settling cap on an emulated processor, with a margin


@dataclass(frozen=True, slots=True)
class Health:
    """A guest's description of itself.

    Attributes:
        confinement: How programs are isolated from the guest: `bwrap`, `user:NAME` or `none`.
        missing: The missing Debian packages of each application that cannot run.
    """

    screen: Size
    confinement: str
    applications: tuple[str, ...]
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Begun(NamedTuple):
    """The beginning of a session: the layer that was recreated, and the digest of the initial state."""

    layer: str
    fingerprint: str | None


class Found(NamedTuple):
    """The element that a selector matches."""

    box: Box
    text: str


class WrongProtocol(Exception):
    """Raised when the server at the address does not speak our protocol."""


class Guest:
    """A client of our guest; see `GuestClient`."""

    sessions = True

    def __init__(self, address: Address, name: str, patience: float = 20.0) -> None:
        self.screen = Size(0, 0)
        self.health = Health(self.screen, "none", ())
        self._name, self._patience = name, patience
        self._http_client = GuestHttp(address, name, patience)

    async def open(self) -> None:
        """See `GuestClient.open`.

        Raises:
            SettingError: The protocol version or the token is wrong.
            WrongProtocol: The server does not know our protocol.
        """
        try:
            reply = await self._http_client.json("GET", "/health")
        except Refused as refusal:
            raise WrongProtocol(str(refusal)) from None
        if reply.get("protocol") != PROTOCOL:
            raise SettingError(
                f"the guest of {self._name} speaks protocol {reply.get('protocol')}, not {PROTOCOL}; start the "
                "guest of the pytest-cuabench version that is installed here"
            )
        with self._parsing("/health"):
            applications = dict(reply["applications"])
            self.screen = Size(*map(int, reply["screen"]))
            self.health = Health(
                self.screen,
                str(reply["confinement"]),
                tuple(applications),
                {
                    name: tuple(map(str, about.get("packages", ())))
                    for name, about in applications.items()
                    if not about["available"]
                },
            )

    def lacking(self, application: str) -> str | None:
        """Return why an application cannot run, with the command to install it; None if it can."""
        if application not in self.health.missing:
            return None
        packages = self.health.missing[application]
        if not packages:
            return f"{application} cannot run on this desktop: programs that it needs are not installed"
        command = f"sudo apt-get install --no-install-recommends {' '.join(packages)}"
        if any(package.startswith("pypi:") for package in packages):  # not Debian's alone
            command = f"scripts/install-docos {application}"
        return (
            f"{application} cannot run on this desktop without {', '.join(packages)}; type there: {command}"
        )

    async def begin(self, application: str, setup: Sequence[Mapping[str, Any]], seconds: float) -> Begun:
        """Show an application's starting point.

        Raises:
            EnvironmentFailure: It was not ready in time, or the desktop failed.
            CheckerFailure: The guest rejects the task's setup.
        """
        body = {"application": application, "setup": [dict(step) for step in setup]}
        try:
            reply = await self._http_client.json("POST", "/session", body, seconds)
        except Refused as refusal:
            raise CheckerFailure(
                f"the guest of {self._name} cannot set {application} up: {refusal}"
            ) from None
        with self._parsing("/session"):
            return Begun(str(reply["layer"]), reply.get("fingerprint"))

    async def end(self) -> None:
        """End the session."""
        await self._request("DELETE", "/session")

    async def set_clock(self) -> None:
        """Set the clock of a machine restored from a snapshot; other machines share the host's clock."""
        await self._request("POST", "/clock", {"seconds": time.time()})

    async def state(self) -> State:
        """Read the desktop's state.

        Raises:
            EnvironmentFailure: It cannot be read completely; the failure carries the readable part.
        """
        reply = await self._request("GET", "/session/state")
        with self._parsing("/session/state"):
            state = State(
                {
                    name: {key: dict(row) for key, row in rows.items()}
                    for name, rows in reply["collections"].items()
                },
                revision=int(reply["revision"]),
                fingerprint=reply.get("fingerprint"),
                unsealed=reply.get("unsealed"),
            )
        if trouble := reply.get("trouble"):
            raise EnvironmentFailure(f"the guest of {self._name}: {trouble}", state)
        return state

    async def locate(self, target: str) -> Found | None:
        """Return the one element that a selector matches, or None.

        Raises:
            LookupError: It matches several elements, or is malformed.
        """
        try:
            reply = await self._http_client.json("GET", "/locate", target=target)
        except Refused as refusal:
            raise LookupError(str(refusal)) from None
        with self._parsing("/locate"):
            box = reply["box"]
            return None if box is None else Found(Box(*map(float, box)), str(reply.get("text") or ""))

    async def screenshot(self, *, pointer: bool = True) -> bytes:
        """See `GuestClient.screenshot`; `pointer` is whether it is on the picture."""
        try:
            picture = await self._http_client.bytes("GET", "/screenshot", cursor=int(pointer))
            return await asyncio.to_thread(checked, picture, self.screen)
        except Refused as refusal:
            raise self._unexpected("GET /screenshot", refusal) from None
        except ValueError as error:
            raise EnvironmentFailure(f"the guest of {self._name}: its screenshot {error}") from None

    async def tree(self) -> tuple[TreeNode, ...]:
        """See `GuestClient.tree`; the guest leaves out hidden nodes."""
        reply = await self._request("GET", "/tree")
        with self._parsing("/tree"):
            return tuple(_node(data) for data in reply["nodes"])

    async def perform(self, actions: Sequence[Action], *, settle: bool = True) -> tuple[ActionResult, ...]:
        """See `GuestClient.perform`; without `settle` it does not wait until the screen has settled."""
        asked = sum(action.extra_seconds() for action in actions)
        body = {"actions": [action.to_json() for action in actions], "settle": settle}
        reply = await self._request("POST", "/actions", body, self._patience + _CAP + asked)
        with self._parsing("/actions"):
            return tuple(ActionResult(one.get("error"), one.get("text")) for one in reply["results"])

    async def settle(self) -> None:
        """See `GuestClient.settle`."""
        await self._request("POST", "/settle", None, self._patience + _CAP)

    async def cursor(self) -> Point:
        """See `GuestClient.cursor`."""
        reply = await self._request("GET", "/cursor")
        with self._parsing("/cursor"):
            return Point(int(reply["x"]), int(reply["y"]))

    async def run_code(self, code: str, language: Language, seconds: float) -> RunResult:
        """See `GuestClient.run_code`."""
        body = {"code": code, "language": language, "seconds": seconds}
        try:
            reply = await self._http_client.json("POST", "/code", body, self._patience + seconds)
        except Refused as refusal:
            raise ActionError(f"run_code: {refusal}") from None
        with self._parsing("/code"):
            return RunResult(int(reply["code"]), str(reply["out"]), str(reply["err"]))

    async def read_file(self, path: str) -> bytes | None:
        """See `GuestClient.read_file`."""
        row = (await self.state()).collections.get("files", {}).get(path)
        return None if row is None or row.get("text") is None else str(row["text"]).encode()

    async def close(self) -> None:
        """See `GuestClient.close`."""
        await self._http_client.close()

    async def _request(
        self, method: str, path: str, body: Any = None, seconds: float | None = None
    ) -> dict[str, Any]:
        try:
            return await self._http_client.json(method, path, body, seconds)
        except Refused as refusal:
            raise self._unexpected(f"{method} {path}", refusal) from None

    def _unexpected(self, call: str, refusal: Refused) -> EnvironmentFailure:
        return EnvironmentFailure(f"the guest of {self._name} refuses {call}: {refusal}")

    def _parsing(self, path: str) -> _Parsing:
        return _Parsing(
            f"the guest of {self._name} answers {path} in a shape that is not of protocol {PROTOCOL}"
        )


class _Parsing:
    """Turns errors in parsing an answer into an `EnvironmentFailure`."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KeyError | TypeError | ValueError | AttributeError | OverflowError):
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
