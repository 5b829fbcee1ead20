"""`cuabench world`: start a world for a person to click through."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from pytest_cuabench.drivers.chromium.own_app.app_access import AppSpec
from pytest_cuabench.drivers.chromium.own_app.web_app import AppWorld, find_web_world, web_world
from pytest_cuabench.drivers.registry import installed_driver
from pytest_cuabench.drivers.worlds import World, WorldSpec
from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.suite import known_suites, load_suite
from pytest_cuabench.task.text import columns, say
from pytest_cuabench.task.toml import read_toml

HELP = "Start a world until Ctrl-C, and print the address and the sign-in of each application."
_HEADINGS = ("application", "address", "user ID", "password")
# Of a Salesforce org, for tools.
_KEYS = ("security_token", "client_key", "client_secret", "access_token")
_NOTES = (
    "Browsers resolve *.localhost to this machine by themselves; curl and other programs may need a Host header.",
    "Each address is a copy of its own. What you do there is gone when this program ends: press Ctrl-C.",
)
_NOBODY = "-"  # signs in
_IN_CHROMIUM = (
    "Its hosts exist for a browser only that is started for it; Ctrl-C ends them:\n"
    "  chromium --user-data-dir=$(mktemp -d) --ignore-certificate-errors "
    "--host-resolver-rules='MAP * {tunnel}' {address}"
)
_STARTED = ("The application was started for you and ends with this program: press Ctrl-C.",)
_RUNNING = (
    "The application was running already, and what you do there stays: press Ctrl-C to end this program.",
)


class Door(NamedTuple):
    """Where an application is, who signs in, what else tools need for it, and what answers for its hosts."""

    application: str
    address: str
    user: str
    password: str
    keys: Mapping[str, str] = {}
    tunnel: str | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which world, which of its applications, on which seed and port."""
    parser.add_argument(
        "world", help="a world by its name: clinic, salesforce, docs_web, or one in ./environments"
    )
    parser.add_argument("--application", metavar="NAME", help="only this application (default: all)")
    parser.add_argument(
        "--seed", type=_seed, default=0, metavar="N", help="seed of the world's data (default: 0)"
    )
    parser.add_argument(
        "--port", type=_port, default=0, metavar="P", help="port to listen on (default: any free port)"
    )


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C, which is the usual end."""
    try:
        asyncio.run(_serve(options.world, options.application, options.seed, options.port))
    except KeyboardInterrupt:
        say("\n")
    return 0


async def _serve(name: str, application: str | None, seed: int, port: int) -> None:
    _refuse_windows(name)
    spec = find_web_world(name, Path.cwd())
    with tempfile.TemporaryDirectory(prefix="cuabench-") as scratch:
        world = web_world(spec, Path(scratch), port)
        try:
            doors = [await _open(world, each, seed) for each in await _chosen(world, name, application)]
            say("\n".join([*_told(name, seed, doors), "", *_notes(spec, doors)]) + "\n")
            sys.stdout.flush()
            await world.ended()
        finally:
            await world.close()


def _refuse_windows(name: str) -> None:
    """Check that a world has pages, and not windows on a screen of its own.

    Raises:
        SettingError: It has none.
    """
    for folder in _suites():
        environment = read_toml(folder / "suite.toml").get("environment", {})
        driver = str(environment.get("driver"))
        if environment.get("world") == name and ":" not in driver and not installed_driver(driver).pages:
            raise SettingError(
                f"the world {name} has no pages to click through, as its driver is {driver}; "
                f"environments/{name}/README.md says how to start it"
            )


async def _chosen(world: World | AppWorld, name: str, application: str | None) -> list[str]:
    """Return the applications to open.

    Raises:
        SettingError: The world has none of this name.
    """
    known = await world.applications()
    if application is not None and application not in known:
        raise SettingError(f"the world {name}: {unknown_name('application', application, known)}")
    return [application] if application else known


async def _open(world: World | AppWorld, application: str, seed: int) -> Door:
    session = await world.open(application, seed)
    told, tunnel = session.described, getattr(session, "tunnel", None)
    if "username" in told and "password" in told:
        keys = {name: str(told[name]) for name in _KEYS} if "org_id" in told else {}
        return Door(application, session.start_url, str(told["username"]), str(told["password"]), keys)
    user, password = credentials(application, await session.state(), seed)
    return Door(application, session.start_url, user, password, tunnel=tunnel)


def credentials(application: str, state: State, seed: int) -> tuple[str, str]:
    """Return the sign-in that the tasks of an application give to agents, else the first user's."""
    for task in _tasks(application):
        values = task.case(state, next(iter(task.wording.goals)), seed).values
        if "user_id" in values and "password" in values:
            return str(values["user_id"]), str(values["password"])
    user = next(iter(state.rows("users")), {})
    return str(user.get("user_id", _NOBODY)), str(user.get("password", _NOBODY))


def _tasks(application: str) -> Iterator[Task]:
    """Yield the tasks that any known suite has in an application; a suite that cannot be read has none."""
    for folder in _suites():
        try:
            tasks = load_suite(folder).tasks
        except CuabenchError:
            continue
        yield from (task for task in tasks if task.application == application)


def _suites() -> list[Path]:
    """Return the folders of the suites that lie here, as `.`, `./NAME` or `./suites/NAME`, and of all known ones."""
    here = Path.cwd()
    found = (file for start in ("", "*/", "suites/*/") for file in sorted(here.glob(f"{start}suite.toml")))
    return list(dict.fromkeys([*(file.parent for file in found), *known_suites().values()]))


def _told(name: str, seed: int, doors: Sequence[Door]) -> Iterator[str]:
    yield f"world {name}, seed {seed}"
    yield ""
    signs_in = any(door.user != _NOBODY for door in doors)
    rows = ((door.application, door.address, door.user, door.password) for door in doors)
    yield from columns([row if signs_in else row[:2] for row in (_HEADINGS, *rows)])
    for door in doors:
        yield from _for_tools(door)


def _notes(spec: WorldSpec | AppSpec, doors: Sequence[Door]) -> tuple[str, ...]:
    """Return what to know of the addresses: what is done at a running application is not taken back."""
    if hidden := [door for door in doors if door.tunnel]:
        return tuple(_IN_CHROMIUM.format(tunnel=door.tunnel, address=door.address) for door in hidden)
    if isinstance(spec, AppSpec):
        return _STARTED if spec.app.start else _RUNNING
    return _NOTES


def _for_tools(door: Door) -> Iterator[str]:
    """Tell how tools sign in to an org; an address by number also resolves outside browsers."""
    if not door.keys:
        return
    address, token = f"http://127.0.0.1:{urlsplit(door.address).port}", door.keys["access_token"]
    yield ""
    yield f"tools sign in at {address}"
    told = {"user": door.user, "password": door.password, **door.keys}
    yield from (f"  {name.replace('_', ' ').ljust(16)}{value}" for name, value in told.items())
    login = f"sf org login access-token --instance-url {address} --no-prompt --alias emulated"
    yield f"  SF_ACCESS_TOKEN='{token}' {login}"
    yield f"  from pytest_cuabench.drivers.salesforce.simple import connect; sf = connect('{address}', '{token}')"


def _seed(text: str) -> int:
    return _whole(text, 0, 10**9)


def _port(text: str) -> int:
    return _whole(text, 0, 65_535)


def _whole(text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}, not {text!r}")
    return int(text)
