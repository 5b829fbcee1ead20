"""The agent that is a program: started for each episode in a box, it acts through one door with one token."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
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
from pytest_cuabench.agents.program import box, container, hosts
from pytest_cuabench.agents.program import cdp_rules as rules
from pytest_cuabench.agents.program.box import PORT, Box, Plan
from pytest_cuabench.agents.program.cdp_door import PATH, CdpDoor
from pytest_cuabench.agents.program.door import Guard, OwnDoor, opened
from pytest_cuabench.agents.program.exchange import Exchange
from pytest_cuabench.agents.program.hosts import Host, Hosts, read_hosts
from pytest_cuabench.agents.program.vnc.door import PASSWORD, VncDoor
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.scratch import Scratch
from pytest_cuabench.errors import Missing, ProviderFailure, SettingError
from pytest_cuabench.task.action import Terminate
from pytest_cuabench.task.model import Isolation
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.usage import Usage

URL = f"http://127.0.0.1:{PORT}"
_GRACE = 3.0  # seconds in which a program may end by itself after the episode
_PLACE = re.compile(r"\{(goal|task|url|token|password|model)\}")
Door = Literal["http", "mcp", "cdp", "vnc", "ssh"]
_PACKAGES = {"mcp": "mcp", "cdp": "websockets", "ssh": "asyncssh"}  # of the doors
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
        door: What the program speaks besides HTTP: the Model Context Protocol at {url}/mcp, the Chrome DevTools
            Protocol at {url}/cdp/{token}, VNC, SSH, or several of them.
        control: Whether a program may act by VNC; otherwise it only sees the live screen.
        network: None but the door, this computer's, or the hosts that the program may reach, such as a model's.
        image: A container image to run it in, instead of this computer's programs.
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
    door: Door | tuple[Door, ...] = "http"
    control: bool = True
    network: Literal["none", "host"] | Annotated[tuple[str, ...], Field(min_length=1)] = "none"
    image: str | None = Field(default=None, pattern=r"^[A-Za-z0-9]")
    connect: float = Field(default=120.0, gt=0)
    requests: int = Field(default=10_000, ge=1)
    processes: int = Field(default=1000, ge=10)
    memory: int | None = Field(default=None, ge=64)
    disk: int = Field(default=512, ge=1)

    @property
    def doors(self) -> tuple[Door, ...]:
        """The ways in."""
        return (self.door,) if isinstance(self.door, str) else self.door


class ProgramAgent:
    """Agent that waits for a program's calls.

    Attributes:
        isolation: What the record says of the wall between program and judge.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.options = profile.read_options(ProgramOptions)
        network = self.options.network
        self._named: tuple[Host, ...] = () if isinstance(network, str) else read_hosts(network, PORT)
        image = self.options.image
        if image and network == "host":
            raise SettingError(
                "options.network: a container cannot share this computer's network; name the hosts instead: "
                'network = ["api.example.com"]'
            )
        self.isolation: Isolation = "container" if image else "box"
        if self._named:
            self.isolation = "container_with_hosts" if image else "box_with_hosts"
        elif network == "host":
            self.isolation = "box_with_network"
        self._episode = AsyncExitStack()
        self._exchange: Exchange
        self._box: Box
        self._guard: Guard
        self._hosts: Hosts
        self._environment: Environment
        self._cdp_door: CdpDoor | None = None
        self._own: list[OwnDoor] = []
        self._over: asyncio.Task[int]

    def attach(self, environment: Environment) -> None:
        """See `Attached`."""
        self._environment = environment

    def check(self) -> None:
        """Check that the box can be made, its files exist and its variables are set.

        Raises:
            SettingError: Something is missing, or a file would show the program the suites.
        """
        box.check_files(self._files())
        if self.options.image:
            container.check(self.options.image)
        else:
            self._check_box()
        for door in self.options.doors:
            if (package := _PACKAGES.get(door)) and find_spec(package) is None:
                raise Missing(
                    f"agent {self.profile.name!r} needs the package {package!r}; type: "
                    f"pip install 'pytest-cuabench[{door}]'"
                )
        for name in self.options.pass_environment:
            if name not in os.environ:
                raise SettingError(
                    f"agent {self.profile.name!r} passes on {name}, which is not set; type: export {name}=..."
                )

    def _check_box(self) -> None:
        box.check()
        if not box.has_program(self.options.command[0], self._files()):
            raise SettingError(
                f"agent {self.profile.name!r}: the box has no program {self.options.command[0]!r}; "
                "install it below /usr, or name its file in options.files"
            )

    async def start(self, briefing: Briefing) -> None:
        """Open the door and start the program.

        Raises:
            ProviderFailure: The box cannot be made.
        """
        await self.close()
        token = secrets.token_urlsafe(32)
        self._exchange = Exchange(briefing)
        scratch = Scratch("cuabench-door-")
        self._episode.callback(scratch.remove)
        folder = scratch.path  # only its socket is shown to the box
        door = opened(
            self._exchange,
            folder / box.DOOR,
            token,
            self.options.requests,
            mcp="mcp" in self.options.doors,
            cdp=self._cdp(token, briefing.scripts),
        )
        self._guard = await self._episode.enter_async_context(door)
        self._hosts = Hosts(self._named, folder / box.DOOR, Host("127.0.0.1", PORT))
        if self._named:
            await self._episode.enter_async_context(self._hosts.opened(folder / hosts.SOCKET))
        passed = dict(self._passed())
        plan = self._plan(briefing, token, passed)
        self._own = list(self._own_doors(token))
        for own in self._own:
            await self._episode.enter_async_context(own.opened(folder))
            plan = replace(
                plan, doors={**plan.doors, own.socket: own.port}, write={**own.files(), **plan.write}
            )
        hidden = (token, token[:PASSWORD], *passed.values())
        if image := self.options.image:
            self._box = await container.started(plan, image, folder, hidden)
        else:
            self._box = await Box.started(plan, folder, hidden)
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
                return self._with_hosts(step.result())
            if flooded.done():
                reason = f"the program sent more than {self.options.requests} requests"
                return self._ending(Terminate("failure", reason))
            return self._exited(self._over.result())
        finally:
            step.cancel()
            flooded.cancel()
            await self._exchange.rest()

    def late(self) -> None:
        """See `SelfPaced`; a program that has acted answers for its silence, unless the door or a host broke.

        Raises:
            ProviderFailure: It has not acted, or they did.
        """
        if self._exchange.steps == 0:
            raise ProviderFailure(f"{self._name} did not act within the task's time{self._output()}")
        if trouble := self._trouble():
            raise ProviderFailure(f"{self._name} waits; {trouble}{self._output()}")

    @property
    def scripts(self) -> int:
        """The scripts that the program had evaluated in pages of its episode."""
        return self._cdp_door.scripts if self._cdp_door is not None else 0

    def _cdp(self, token: str, scripts: bool) -> CdpDoor | None:
        """Return the door to the episode's browser, if the program uses it; whether `scripts` may run in its pages.

        Where the pages themselves tell the state, by a world's probe, no scripts run in them either.

        Raises:
            SettingError: The suite is not played in a browser without a window.
        """
        from pytest_cuabench.drivers.chromium.environment import ChromiumEnvironment

        self._cdp_door = None
        if "cdp" in self.options.doors:
            if not isinstance(self._environment, ChromiumEnvironment) or self._environment.windowed:
                raise SettingError(
                    f"agent {self.profile.name!r}: door = 'cdp' needs a suite that is played in a browser without a "
                    "window; play this one with door = 'mcp' or 'http'"
                )
            address = f"ws://127.0.0.1:{PORT}{PATH}/{token}"
            session = self._environment.session
            passed = frozenset(rules.PASSED) if scripts and session.reports is None else rules.READING
            self._cdp_door = CdpDoor(self._exchange, session, address, passed)
        return self._cdp_door

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
                f"{self._name} did not connect within {self.options.connect:g} s{self._output()}"
            )
        if not done:
            await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)

    def _own_doors(self, token: str) -> Iterator[OwnDoor]:
        """Yield the doors that have a socket of their own."""
        if "vnc" in self.options.doors:
            control = self.options.control
            yield VncDoor(self._exchange, self._environment, token, self._guard.counts, control=control)
        if "ssh" in self.options.doors:
            from pytest_cuabench.agents.program.ssh_door import SshDoor

            yield SshDoor(self._exchange, token, self._guard.counts)

    async def _exit(self) -> int:
        """Return the program's exit code, once what it sent before has been carried out."""
        code = await self._box.exited
        for own in self._own:
            await own.idle()
        return code

    def _exited(self, code: int) -> Decision:
        """Return how a program that ended is to be judged: once it has acted, its end is its own doing."""
        idle = self._exchange.steps == 0
        if self._exchange.calls == 0:
            raise ProviderFailure(
                f"{self._name} ended with exit code {code} without a call of the door{self._output()}"
            )
        if code != 0 and idle:
            raise ProviderFailure(
                f"{self._name} failed with exit code {code} before its first step{self._output()}"
            )
        if (code != 0 or idle) and (trouble := self._trouble()):
            raise ProviderFailure(f"{self._name} ended with exit code {code}; {trouble}{self._output()}")
        if code != 0:
            return self._ending(Terminate("failure", f"the program failed with exit code {code}"))
        return self._ending(Terminate("success", "the program exited"))

    def _trouble(self) -> str:
        """Return what failed that is not the program's doing; empty if nothing did."""
        return self._guard.fault or self._hosts.unreachable

    def _ending(self, action: Terminate) -> Decision:
        decision = Decision((action,), usage=Usage(cost=None), raw={"output": self._box.tail()})
        return self._with_hosts(decision)

    def _with_hosts(self, decision: Decision) -> Decision:
        """Add what the program reached and was refused to the record of its step."""
        found = self._hosts.record()
        return replace(decision, raw={**(decision.raw or {}), **found}) if found else decision

    @property
    def _name(self) -> str:
        return f"the program {self.options.command[0]!r} of agent {self.profile.name!r}"

    def _output(self) -> str:
        """Return the refused hosts and the end of the program's output as the end of a sentence."""
        lines = self._box.tail().splitlines()
        words = f"its last output: {' | '.join(lines[-3:]):.600}" if lines else "it wrote nothing"
        return f"{self._hosts.refusals()}; {words}"

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
                **(self._hosts.environment() if self._named else {}),
                **passed,
                **{name: filled(text) for name, text in options.environment.items()},
            },
            files=self._files(),
            write={name: filled(text) for name, text in options.write.items()},
            network=options.network == "host",
            processes=options.processes,
            memory=options.memory,
            disk=options.disk,
            doors={box.DOOR: PORT, **({hosts.SOCKET: hosts.PORT} if self._named else {})},
        )
