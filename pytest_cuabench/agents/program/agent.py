"""The agent that is a program: started for each episode in a box, it acts through one door with one token."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.agents.program import box
from pytest_cuabench.agents.program.box import PORT, Box, Plan
from pytest_cuabench.agents.program.door import Guard, OwnDoor, opened
from pytest_cuabench.agents.program.exchange import Exchange
from pytest_cuabench.agents.program.vnc.door import PASSWORD, VncDoor
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.errors import Missing, ProviderFailure, SettingError
from pytest_cuabench.task.action import Terminate
from pytest_cuabench.task.model import Isolation
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.usage import Usage

URL = f"http://127.0.0.1:{PORT}"
_GRACE = 3.0  # seconds in which a program may end by itself after the episode
_PLACE = re.compile(r"\{(goal|task|url|token|password|model)\}")
_PACKAGES = {"mcp": "mcp", "ssh": "asyncssh"}  # of the doors
_Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class ProgramOptions(BaseModel):
    """`[options]` of a profile with `adapter = "program"`.

    Attributes:
        command: The program and its arguments; {goal}, {task} (documents and goal), {url}, {token}, {password} (of
            VNC) and {model} are replaced.
        files: Files and folders that the box shows read-only in /opt/agent; relative to the profile.
        write: Files to write to the program's home before it starts, with the same replacements.
        environment: Variables of the program, with the same replacements.
        pass_environment: Names of further variables whose values are passed on; the profile's `key` always is.
        door: How the program acts besides HTTP: by the Model Context Protocol at {url}/mcp, by VNC, or by SSH.
        control: Whether a program may act by VNC; otherwise it only sees the live screen.
        network: Whether the box has this computer's network or none but the door.
        connect: Seconds until the program's first call.
        requests: Maximum number of requests of an episode.
        processes: Maximum number of processes and threads.
        memory: Maximum megabytes of data of one process.
        disk: Megabytes of the program's home, and of its /tmp.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: tuple[str, ...] = Field(min_length=1)
    files: tuple[str, ...] = ()
    write: Mapping[str, str] = Field(default_factory=dict)
    environment: Mapping[_Name, str] = Field(default_factory=dict)
    pass_environment: tuple[_Name, ...] = ()
    door: Literal["http", "mcp", "vnc", "ssh"] = "http"
    control: bool = True
    network: Literal["none", "host"] = "none"
    connect: float = Field(default=120.0, gt=0)
    requests: int = Field(default=10_000, ge=1)
    processes: int = Field(default=1000, ge=10)
    memory: int | None = Field(default=None, ge=64)
    disk: int = Field(default=512, ge=1)


class ProgramAgent:
    """Agent that waits for a program's calls.

    Attributes:
        isolation: What the record says of the wall between program and judge.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.options = profile.read_options(ProgramOptions)
        self.isolation: Isolation = "box" if self.options.network == "none" else "box_with_network"
        self._episode = AsyncExitStack()
        self._exchange: Exchange
        self._box: Box
        self._guard: Guard
        self._environment: Environment
        self._own: OwnDoor | None = None
        self._over: asyncio.Task[int]

    def attach(self, environment: Environment) -> None:
        """See `Attached`."""
        self._environment = environment

    def check(self) -> None:
        """Check that the box can be made, its files exist and its variables are set.

        Raises:
            SettingError: Something is missing, or a file would show the program the suites.
        """
        box.check(self._files())
        if not box.has_program(self.options.command[0], self._files()):
            raise SettingError(
                f"agent {self.profile.name!r}: the box has no program {self.options.command[0]!r}; "
                "install it below /usr, or name its file in options.files"
            )
        extra = self.options.door
        if (package := _PACKAGES.get(extra)) and find_spec(package) is None:
            raise Missing(
                f"agent {self.profile.name!r} needs the package {package!r}; type: "
                f"pip install 'pytest-cuabench[{extra}]'"
            )
        for name in self.options.pass_environment:
            if name not in os.environ:
                raise SettingError(
                    f"agent {self.profile.name!r} passes on {name}, which is not set; type: export {name}=..."
                )

    async def start(self, briefing: Briefing) -> None:
        """Open the door and start the program.

        Raises:
            ProviderFailure: The box cannot be made.
        """
        await self.close()
        token = secrets.token_urlsafe(32)
        self._exchange = Exchange(briefing)
        folder = Path(tempfile.mkdtemp(prefix="cuabench-door-"))  # only its socket is shown to the box
        self._episode.callback(shutil.rmtree, folder, ignore_errors=True)
        door = opened(
            self._exchange,
            folder / box.DOOR,
            token,
            self.options.requests,
            mcp=self.options.door == "mcp",
        )
        self._guard = await self._episode.enter_async_context(door)
        passed = dict(self._passed())
        plan = self._plan(briefing, token, passed)
        self._own = self._own_door(token)
        if self._own is not None:
            await self._episode.enter_async_context(self._own.opened(folder))
            plan = replace(
                plan,
                doors={**plan.doors, self._own.socket: self._own.port},
                write={**self._own.files(), **plan.write},
            )
        self._box = await Box.started(plan, folder, hidden=(token, token[:PASSWORD], *passed.values()))
        self._over = asyncio.create_task(self._exit())
        self._episode.callback(self._over.cancel)
        self._episode.push_async_callback(self._box.stop, _GRACE)
        self._episode.callback(self._exchange.end)

    async def decide(self, observation: Observation) -> Decision:
        """Wait for the program's next step, or for its end.

        Raises:
            ProviderFailure: The program does not connect, or fails.
        """
        step = asyncio.create_task(self._exchange.decide(observation))
        flooded = asyncio.create_task(self._guard.flooded.wait())
        try:
            await self._first(step, flooded)
            if step.done():
                return step.result()
            if flooded.done():
                reason = f"the program sent more than {self.options.requests} requests"
                return self._ending(Terminate("failure", reason))
            return self._exited(self._over.result())
        finally:
            step.cancel()
            flooded.cancel()
            await self._exchange.rest()

    async def close(self) -> None:
        """End the program with all that it started, and close the door."""
        await self._episode.aclose()

    async def _first(self, *waited: asyncio.Task[object]) -> None:
        """Wait until one of these is done or the program has ended, but not for a program that never connects."""
        events = {*waited, self._over}
        called = self._exchange.calls > 0
        done, _ = await asyncio.wait(
            events, timeout=None if called else self.options.connect, return_when=asyncio.FIRST_COMPLETED
        )
        if not done and self._exchange.calls == 0:
            raise ProviderFailure(
                f"{self._named} did not connect within {self.options.connect:g} s{self._output()}"
            )
        if not done:
            await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)

    def _own_door(self, token: str) -> OwnDoor | None:
        """Return the door that the profile has besides HTTP, unless HTTP leads to it, too."""
        if self.options.door == "vnc":
            return VncDoor(
                self._exchange, self._environment, token, self._guard.counts, control=self.options.control
            )
        if self.options.door == "ssh":
            from pytest_cuabench.agents.program.ssh_door import SshDoor

            return SshDoor(self._exchange, token, self._guard.counts)
        return None

    async def _exit(self) -> int:
        """Return the program's exit code, once what it sent before has been carried out."""
        code = await self._box.exited
        if self._own is not None:
            await self._own.idle()
        return code

    def _exited(self, code: int) -> Decision:
        if self._exchange.calls == 0:
            raise ProviderFailure(
                f"{self._named} ended with exit code {code} without a call of the door{self._output()}"
            )
        if code != 0:
            raise ProviderFailure(f"{self._named} failed with exit code {code}{self._output()}")
        return self._ending(Terminate("success", "the program exited"))

    def _ending(self, action: Terminate) -> Decision:
        return Decision((action,), usage=Usage(cost=None), raw={"output": self._box.tail()})

    @property
    def _named(self) -> str:
        return f"the program {self.options.command[0]!r} of agent {self.profile.name!r}"

    def _output(self) -> str:
        """Return the end of the program's output as the end of a sentence."""
        lines = self._box.tail().splitlines()
        return f"; its last output: {' | '.join(lines[-3:]):.600}" if lines else "; it wrote nothing"

    def _passed(self) -> Iterator[tuple[str, str]]:
        for name in (*((self.profile.key,) if self.profile.key else ()), *self.options.pass_environment):
            if value := os.environ.get(name):
                yield name, value

    def _files(self) -> list[Path]:
        return [self.profile.folder / Path(name).expanduser() for name in self.options.files]

    def _plan(self, briefing: Briefing, token: str, passed: Mapping[str, str]) -> Plan:
        values = {
            "goal": briefing.goal,
            "task": prompts.task(briefing),
            "url": URL,
            "token": token,
            "password": token[:PASSWORD],
            "model": self.profile.model or "",
        }

        def filled(text: str) -> str:
            return _PLACE.sub(lambda place: values[place[1]], text)

        options = self.options
        return Plan(
            command=[filled(word) for word in options.command],
            environment={
                "CUABENCH_URL": URL,
                "CUABENCH_TOKEN": token,
                **passed,
                **{name: filled(text) for name, text in options.environment.items()},
            },
            files=self._files(),
            write={name: filled(text) for name, text in options.write.items()},
            network=options.network == "host",
            processes=options.processes,
            memory=options.memory,
            disk=options.disk,
        )
