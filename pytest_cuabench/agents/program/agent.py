"""The agent that is a program: started for each episode in a box, it acts through one door with one token."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import httpx2
from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.agents.program.endpoints.cdp import rules
from pytest_cuabench.agents.program.endpoints.cdp.episode import CdpEpisode
from pytest_cuabench.agents.program.endpoints.exchange import Exchange
from pytest_cuabench.agents.program.endpoints.vnc import PASSWORD
from pytest_cuabench.agents.program.sandbox import box, container
from pytest_cuabench.agents.program.sandbox.box import PORT, Box, Plan
from pytest_cuabench.agents.program.sandbox.files import check_files
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.driver import Driver
from pytest_cuabench.drivers.scratch import Scratch
from pytest_cuabench.errors import AgentFailure, Missing, ProviderFailure, SettingError, needing
from pytest_cuabench.task.action import Terminate
from pytest_cuabench.task.model import Isolation
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.usage import Usage

with needing("programs", "an agent that is a program"):
    from pytest_cuabench.agents.program.endpoints.cdp.endpoint import PATH, CdpEndpoint
    from pytest_cuabench.agents.program.endpoints.http import Guard, OwnEndpoint, opened
    from pytest_cuabench.agents.program.sandbox import hosts
    from pytest_cuabench.agents.program.sandbox.hosts import Host, Hosts, read_hosts

URL = f"http://127.0.0.1:{PORT}"
_GRACE = 3.0  # seconds in which a program may end by itself after the episode
_CONTROL = 60.0  # seconds that a call of the control may take
_CONTROL_PAUSES = (0.0, 0.5, 2.0)  # seconds before each try
# The control: it calls the door directly, as the box's variables may name a proxy.
_CALLS = """
import os, urllib.request as web
asked = web.Request(os.environ["CUABENCH_URL"] + "/v1/briefing")
asked.add_header("Authorization", "Bearer " + os.environ["CUABENCH_TOKEN"])
web.build_opener(web.ProxyHandler({})).open(asked).read()
"""
_PLACE = re.compile(r"\{(goal|task|url|token|password|model)\}")
Door = Literal["http", "mcp", "cdp", "vnc", "ssh"]
_PACKAGES = {  # of the doors
    "mcp": ("mcp",),
    "cdp": ("websockets",),
    "ssh": ("asyncssh",),
    "vnc": ("cryptography", "numpy"),
}
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
        self._in_pages: CdpEpisode | None = None
        self._own: list[OwnEndpoint] = []
        self._over: asyncio.Task[int]
        self._launch: Callable[..., Awaitable[Box]]

    def attach(self, environment: Environment) -> None:
        """See `Attached`."""
        self._environment = environment

    def check(self) -> None:
        """Check that the box can be made, its files exist and its variables are set.

        Raises:
            SettingError: Something is missing, or a file would show the program the suites.
        """
        check_files(self._files())
        self._check_command()
        if self.options.image:
            container.check(self.options.image)
        else:
            self._check_box()
        for door in self.options.doors:
            for package in _PACKAGES.get(door, ()):
                if find_spec(package) is None:
                    raise Missing.of(f"agent {self.profile.name!r}", package, door)
        for name in self.options.pass_environment:
            if name not in os.environ:
                raise SettingError(
                    f"agent {self.profile.name!r} passes on {name}, which is not set; type: export {name}=..."
                )

    def check_driver(self, driver: Driver) -> None:
        """See `ChecksDriver`."""
        if "cdp" in self.options.doors and not driver.pages:
            raise SettingError(self._no_pages)

    @property
    def _no_pages(self) -> str:
        return (
            f"agent {self.profile.name!r}: door = 'cdp' needs a suite that is played in a browser without a window, in "
            "all its phases; play this one with door = 'mcp' or 'http'"
        )

    def _check_command(self) -> None:
        """See that what the command names below /opt/agent is there, so that no episode is played without it."""
        given = {path.name: path for path in self._files()}
        for word in self.options.command:
            name, _, rest = word.removeprefix(f"{box.FILES}/").partition("/")
            if not word.startswith(f"{box.FILES}/") or _PLACE.search(word):
                continue
            if name not in given or not (given[name] / rest if rest else given[name]).exists():
                raise SettingError(
                    f"agent {self.profile.name!r}: the command names {word}, which options.files does not hold"
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
        user = self._episode.enter_context(box.own_user(self.options.image))
        self._launch = partial(self._launched, plan, folder, user, hidden)
        self._box = await self._launch()
        self._over = asyncio.create_task(self._exit())
        # The stack calls in reverse order: the program learns of the end, has its grace, and only then loses its doors.
        self._episode.callback(self._over.cancel)
        self._episode.push_async_callback(self._box.stop, _GRACE)
        self._episode.callback(self._exchange.end)

    async def decide(self, observation: Observation) -> Decision:
        """Wait for the program's next step, or for its end.

        Raises:
            ProviderFailure: It stopped, and what it needs does not work without it either.
            AgentFailure: It does not connect, or stops before its first step.
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
            return await self._exited(self._over.result())
        finally:
            step.cancel()
            flooded.cancel()
            await self._exchange.rest()  # a door may be looking at the screen, which the loop acts on next

    async def late(self) -> None:
        """See `SelfPaced`; a program answers for its silence, unless it needs what does not work without it either.

        Raises:
            ProviderFailure: It does.
            AgentFailure: It has not acted at all.
        """
        if self._exchange.steps == 0:
            await self._stop("did not act within the task's time", "budget")
        if trouble := await self._control():
            raise ProviderFailure(f"{self._name} waits; {trouble}{self._output()}")

    @property
    def deed(self) -> Mapping[str, str] | None:
        """See `SelfPaced`."""
        script = self._in_pages.latest if self._in_pages is not None else ""
        return {"kind": "script", "text": script} if script else None

    @property
    def scripts(self) -> int:
        """The scripts that the program had evaluated in pages of its episode."""
        return self._in_pages.scripts if self._in_pages is not None else 0

    def _cdp(self, token: str, scripts: bool) -> CdpEndpoint | None:
        """Return the endpoint to the episode's browser, if the program uses it; whether `scripts` may run in its pages.

        Where the pages themselves tell the state, by a world's probe, no scripts run in them either.

        Raises:
            SettingError: The suite is not played in a browser without a window.
        """
        self._in_pages = None
        if "cdp" not in self.options.doors:
            return None
        session = self._environment.pages
        if session is None:
            raise SettingError(self._no_pages)
        passed = frozenset(rules.PASSED) if scripts and session.spec.reports is None else rules.READING
        self._in_pages = CdpEpisode(self._exchange, session, passed)
        return CdpEndpoint(self._in_pages, f"ws://127.0.0.1:{PORT}{PATH}/{token}")

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
            await self._stop(f"did not connect within {self.options.connect:g} s")
        if not done:
            await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)

    def _own_doors(self, token: str) -> Iterator[OwnEndpoint]:
        """Yield the doors that have a socket of their own."""
        if "vnc" in self.options.doors:
            from pytest_cuabench.agents.program.endpoints.vnc.endpoint import VncEndpoint

            control = self.options.control
            yield VncEndpoint(self._exchange, self._environment, token, self._guard.counts, control=control)
        if "ssh" in self.options.doors:
            from pytest_cuabench.agents.program.endpoints.ssh import SshEndpoint

            yield SshEndpoint(self._exchange, token, self._guard.counts)

    async def _exit(self) -> int:
        """Return the program's exit code, once what it sent before has been carried out."""
        code = await self._box.exited
        for own in self._own:
            await own.idle()
        return code

    async def _exited(self, code: int) -> Decision:
        """Return how a program that ended is to be judged: its end is its own doing.

        Raises:
            ProviderFailure: What it needs does not work without it either.
            AgentFailure: It failed before its first step.
        """
        idle = self._exchange.steps == 0
        if self._exchange.calls == 0:
            await self._stop(f"ended with exit code {code} without a call of the door")
        if code != 0 and idle:
            await self._stop(f"failed with exit code {code} before its first step")
        # An exit with code 0 after steps is a finish, which needs no control.
        if (code != 0 or idle) and (trouble := await self._control()):
            raise ProviderFailure(f"{self._name} ended with exit code {code}; {trouble}{self._output()}")
        if code != 0:
            return self._ending(Terminate("failure", f"the program failed with exit code {code}"))
        return self._ending(Terminate("success", "the program exited"))

    async def _stop(self, what: str, ending: str = "failure") -> NoReturn:
        """End the play of a program that has not acted.

        Raises:
            ProviderFailure: What it needs does not work without it either.
            AgentFailure: All works without it.
        """
        trouble = await self._control()
        sentence = f"{self._name} {what}{f'; {trouble}' if trouble else ''}{self._output()}"
        raise ProviderFailure(sentence) if trouble else AgentFailure(sentence, Usage(cost=None), ending)

    async def _control(self) -> str:
        """Stop the program, and return what does not work without it either; empty if all does.

        The door has to answer; hosts that the program did not reach have to be reached; and where the program never
        called the door, another one in the same box has to.
        """
        called = self._exchange.calls > 0
        await self._box.stop(0.0)
        self._guard.count, self._guard.fault = 0, ""  # the control's calls are not refused for the program's
        self._guard.flooded.clear()
        return await self._door() or await self._hosts.control() or ("" if called else await self._caller())

    async def _door(self) -> str:
        """Call the door as the program does; return what failed."""
        problem = ""
        for pause in _CONTROL_PAUSES:  # the program's connections may still take up the door's
            await asyncio.sleep(pause)
            try:
                transport = httpx2.AsyncHTTPTransport(uds=str(self._hosts.door))
                async with httpx2.AsyncClient(transport=transport, timeout=_CONTROL) as client:
                    await client.get(
                        f"{URL}/v1/briefing", headers={"Authorization": f"Bearer {self._guard.token}"}
                    )
            except httpx2.HTTPError as error:
                problem = f"the door does not answer: {type(error).__name__}"
            else:
                return self._guard.fault
        return problem

    async def _caller(self) -> str:
        """Let another program call the door from such a box; return what failed."""
        try:
            other = await self._launch(command=("python3", "-I", "-c", _CALLS))
        except ProviderFailure as failure:
            return str(failure)
        try:
            async with asyncio.timeout(_CONTROL):
                code = await asyncio.shield(other.exited)  # `stop` waits for it after a timeout
        except TimeoutError:
            return f"another program in such a box did not call the door within {_CONTROL:g} s, either"
        finally:
            await other.stop(0.0)
        return f"another program in such a box cannot call the door: {other.tail():.300}" if code else ""

    async def _launched(
        self, plan: Plan, folder: Path, user: int, hidden: Sequence[str], command: Sequence[str] = ()
    ) -> Box:
        """Start the program, or another command in such a box.

        Raises:
            ProviderFailure: The box cannot be made.
        """
        plan = replace(plan, command=command or plan.command)
        if image := self.options.image:
            return await container.started(plan, image, folder, user, hidden)
        return await Box.started(plan, folder, user, hidden)

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
