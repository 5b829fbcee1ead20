"""`--cua-cluster`: xdist's workers on the nodes of a Ray cluster, which take instances from xdist's queue.

For each worker an actor is started, wherever Ray finds room. It serves one gateway of execnet, through which xdist
starts the worker as if it were on this computer; where it does not share the run's folder, it ships its record. If a
node is lost, what was being played there is recorded as an infrastructure failure. Its worker starts again on a new
actor if there is room, or else beside another worker.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.errors import SettingError, needing
from pytest_cuabench.settings import KEY_VARIABLE, Settings

SETUP = "cuabench_cluster"
LOCAL = "local"
_STARTING = 120.0  # seconds until Ray has room for an actor
_PR_SET_PDEATHSIG = 1
_AGAIN = 15.0  # the same, in place of one that was lost


class Cluster:
    """Plugin of the controller: actors, their gateways, and new ones in place of those that are lost."""

    def __init__(self, settings: Settings, config: pytest.Config, key: str | None = None) -> None:
        self._source, self._key = settings.sources["cluster"], key
        self._actors: dict[str, Any] = {}
        self._number = 0
        count = _workers(config, self._source)
        self._ray = _connected(settings, self._source)
        try:
            config.option.px = [self._started() for _ in range(count)]
        except BaseException:
            self._end()
            raise
        config.option.tx = [f"popen//via={name}" for name in self._actors]
        config.option.dist = config.option.dist if config.option.dist != "no" else "load"

    def pytest_configure_node(self, node: Any) -> None:
        """Pass on the variables that settings and the agent are read from; a node of the cluster has its own."""
        names = [name for name in os.environ if name.startswith("CUABENCH_") and name != KEY_VARIABLE]
        if self._key:
            names.append(self._key)
        node.workerinput[SETUP] = {name: os.environ[name] for name in names if name in os.environ}

    @pytest.hookimpl(tryfirst=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Start an actor in place of one that was lost, before xdist replaces its worker."""
        via = node.gateway.spec.via
        if error is None or self._lives(via):
            return
        self._actors.pop(via, None)
        with suppress(SettingError):  # there is no room
            node.nodemanager.group.makegateway(self._started(_AGAIN))
        living = [name for name in reversed(self._actors) if self._lives(name)]
        if not living:
            pytest.exit(
                f"{self._source}: no node of the cluster is left", returncode=pytest.ExitCode.INTERNAL_ERROR
            )
        node.gateway.spec.via = living[0]  # xdist starts the new worker by the spec of the lost one

    def pytest_unconfigure(self) -> None:
        """End the actors."""
        self._end()

    def _started(self, patience: float = _STARTING) -> str:
        """Start an actor; return the spec of its gateway.

        Raises:
            SettingError: There is no room, or the node lacks the working directory.
        """
        name = f"ray{self._number}"
        self._number += 1
        # Two threads: `serve` takes one until the end, and `ping` has to be answered.
        actor = self._ray.remote(num_cpus=1, max_restarts=0, max_concurrency=2)(_Host).remote(str(Path.cwd()))
        try:
            host, port = self._ray.get(actor.address.remote(), timeout=patience)
        except self._ray.exceptions.GetTimeoutError:
            self._ray.kill(actor)
            raise SettingError(
                f"{self._source}: the cluster had no free CPU for worker {self._number} within {patience:g} s; "
                "use a smaller -n"
            ) from None
        except self._ray.exceptions.RayTaskError as error:
            raise SettingError(f"{self._source}: {error.cause}") from None
        except self._ray.exceptions.RayError as error:
            said = str(error).partition("\n")[0]
            raise SettingError(f"{self._source}: worker {self._number} did not start: {said}") from None
        actor.serve.remote()
        self._actors[name] = actor
        return f"id={name}//socket={host}:{port}//execmodel=thread"

    def _lives(self, name: str) -> bool:
        try:
            self._ray.get(self._actors[name].ping.remote(), timeout=10)
        except Exception:
            return False
        return True

    def _end(self) -> None:
        for actor in self._actors.values():
            self._ray.kill(actor)
        self._actors.clear()
        self._ray.shutdown()


class _Host:
    """The actor: serves one gateway in its own process."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._socket: Any = None

    def address(self) -> tuple[str, int]:
        """Listen, and return where."""
        import ray
        from execnet.gateway_base import get_execmodel
        from execnet.script import socketserver

        if not Path(self._folder).is_dir():
            raise FileNotFoundError(
                f"a node has no {self._folder}; put the suites at the same path on every node"
            )
        os.chdir(self._folder)
        here: Any = ray.util.get_node_ip_address
        # A global that `startserver` reads, and that is set only where the file runs as a script.
        socketserver.execmodel = get_execmodel("thread")
        self._socket = socketserver.bind_and_listen((here(), 0), socketserver.execmodel)
        host, port = self._socket.getsockname()
        return host, port

    def serve(self) -> None:
        """Serve the first connection until it ends, and no other."""
        from execnet.script import socketserver

        socketserver.startserver(self._socket)

    def ping(self) -> None:
        """Answer."""


def set_up(variables: Mapping[str, str]) -> None:
    """Prepare a worker on a node: its variables, and that it ends with the node's actor."""
    os.environ.update(variables)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _workers(config: pytest.Config, source: str) -> int:
    """Return the number of workers that -n asks for.

    Raises:
        SettingError: There is none, or --tx names gateways as well.
    """
    count = len(config.getoption("tx", None) or ()) and config.getoption("numprocesses", None)
    if not count:
        raise SettingError(f"{source} starts as many workers as -n says; add -n 4, and no --tx")
    return int(count)


def _connected(settings: Settings, source: str) -> Any:
    """Start a cluster on this computer, or connect to one.

    Raises:
        SettingError: Ray is not installed, or does not answer there.
    """
    with needing("ray", source):
        import ray
    address = None if settings.cluster == LOCAL else settings.cluster
    try:
        ray.init(
            address=address,
            log_to_driver=False,
            include_dashboard=False if address is None else None,
            configure_logging=False,
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise SettingError(
            f"{source}: cannot connect to Ray at {settings.cluster}: {str(error).splitlines()[0]}"
        ) from None
    return ray
