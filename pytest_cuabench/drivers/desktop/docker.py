"""A desktop in a container without network, with few capabilities and bounded resources.

The container's standard input is a lifeline attached to this process: when the process ends in any way, the engine
closes it, the guest exits, and the engine removes the container. A lease lets the next session clean up in case the
engine was stopped meanwhile.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.confining import users
from pytest_cuabench.drivers.desktop.container_user import PASSWD, passwd
from pytest_cuabench.drivers.desktop.engine import engine, image, said
from pytest_cuabench.drivers.desktop.handover import ASK, CONTROL, offer
from pytest_cuabench.drivers.desktop.images import ContainerSpec, container_spec
from pytest_cuabench.drivers.desktop.lifeline import Lifeline
from pytest_cuabench.drivers.desktop.machine import Address, OwnMachine
from pytest_cuabench.drivers.leases import Lease, Leases, Owner
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.worlds import world_folder

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

OWNER, LEASE = "cuabench.owner", "cuabench.lease"  # labels of our containers
_PREFIX = "cua-docker-"
_CODE = "/opt/cuabench/desktop"
_SHARED = "/run/cuabench"  # shows the folder with the sockets and the token
_STATE = "/var/lib/cuabench"
_USER = "user"
# Capabilities of the guest: change the owner of HOME, switch to the user, end programs.
_RIGHTS = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "SETGID", "SETUID")
_WRITABLE = {  # tmpfs: counts as memory of the container
    "/tmp": "rw,nosuid,nodev,exec,mode=1777,size=192m,nr_inodes=60k",  # noqa: S108 - the container's own
    "/home/user": "rw,nosuid,nodev,exec,mode=0755,size=256m,nr_inodes=60k",
    _STATE: "rw,nosuid,nodev,exec,mode=0755,size=512m",
}
_MIB, _NANO = 2**20, 1_000_000_000


class Docker(OwnMachine):
    """One container of the local engine, reached over a Unix socket in a private folder, which it cannot write to."""

    kind = "docker"
    boot = 60.0

    def __init__(self, screen: Size, leases: Leases, detail: str | None = None) -> None:
        self._screen, self._leases = screen, leases
        self._spec = container_spec(detail)
        self._client: DockerClient | None = None
        self._container: Container | None = None
        self._lifeline: Lifeline | None = None
        self._folder: Path | None = None
        self._user: Any = None  # a `User` of `users`, which is loaded by its file
        self._lease: Lease | None = None

    async def alive(self) -> bool:
        """See `Machine.alive`; the lifeline closes when the container ends."""
        return self._lifeline is not None and self._lifeline.open

    async def last_output(self) -> str:
        """See `Machine.last_output`."""
        return self._lifeline.last_line if self._lifeline else ""

    async def close(self) -> None:
        """See `Machine.close`."""
        await asyncio.to_thread(self._close)

    @property
    def name(self) -> str | None:
        """The container's name while there is one."""
        return self._container.name if self._container is not None else None

    async def _start(self) -> Address:
        return await asyncio.to_thread(self._boot)

    def _boot(self) -> Address:
        self._client = client = engine()
        found = image(client, self._spec.image)
        _check_network(client, self._spec)
        token, name = secrets.token_urlsafe(24), f"cuabench-{secrets.token_hex(6)}"
        self._folder = folder = _folder_with(token)
        self._user = user = _own_user()
        # By the image's id, so that the list of users is that of the image which the container runs.
        (folder / "passwd").write_text(passwd(client, str(found.id), _USER, user.number), encoding="utf-8")
        self._lease = self._leases.take(self.kind, {"container": name, "folder": str(folder)})
        settings = _settings(self._spec, name, folder, self._lease.id)
        self._container, self._lifeline = _run(client, str(found.id), self._command(), settings, folder)
        return Address("http://desktop", folder / CONTROL, token)

    def _command(self) -> list[str]:
        options = {
            "--listen": f"given:{_SHARED}/{ASK}",
            "--token-file": f"{_SHARED}/token",
            "--state": _STATE,
            "--screen": str(self._screen),
            "--confine": f"user:{_USER}",
        }
        return [word for pair in options.items() for word in pair] + ["--until-eof"]

    def _close(self) -> None:
        if self._lifeline is not None:
            self._lifeline.close()
        if self._container is not None:
            _remove(self._container)
        if self._client is not None:
            self._client.close()
        if self._user is not None:
            self._user.release()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        # Last: until all of it is gone, the next session has the lease to end it by.
        if self._lease is not None:
            self._leases.release(self._lease)
        self._client = self._container = self._lifeline = self._address = None
        self._user = self._folder = self._lease = None


def reap(resource: Mapping[str, str]) -> None:
    """Remove the container and the folder of a dead worker's lease, if they still exist."""
    from docker.errors import NotFound

    client = engine()
    try:
        with suppress(NotFound):
            container = client.containers.get(resource["container"])
            if LEASE in container.labels:  # never remove another container
                _remove(container)
    finally:
        client.close()
    folder = Path(resource["folder"])
    if folder.name.startswith(_PREFIX) and folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)


def _settings(spec: ContainerSpec, name: str, folder: Path, lease: str) -> dict[str, Any]:
    """Return the container's limits as arguments of the Docker SDK."""
    owner = Owner.me()
    guest = world_folder("desktop", None)
    return {
        "name": name,
        "labels": {OWNER: f"{owner.pid}@{owner.born:.2f}", LEASE: lease},
        "auto_remove": True,
        "stdin_open": True,  # the lifeline
        "network_mode": spec.network,
        "hostname": "desktop" if spec.network == "none" else None,
        "read_only": True,
        "tmpfs": dict(_WRITABLE),
        "volumes": {
            str(guest): {"bind": _CODE, "mode": "ro"},
            str(folder): {"bind": _SHARED, "mode": "ro"},
            str(folder / "passwd"): {"bind": PASSWD, "mode": "ro"},
        },
        "log_config": {"Type": "none"},  # the lifeline has the output; logs of the engine have no bound
        "cap_drop": ["ALL"],
        "cap_add": list(_RIGHTS),
        "security_opt": ["no-new-privileges"],
        "mem_limit": spec.memory * _MIB,
        # Memory and swap together: no swap.
        "memswap_limit": spec.memory * _MIB,
        "nano_cpus": int(spec.cpus * _NANO),
        "pids_limit": spec.pids,
        "shm_size": 256 * _MIB,
        "healthcheck": {
            "test": ["CMD", "python3", "-m", "guest.healthy", f"{_SHARED}/{CONTROL}", f"{_SHARED}/token"],
            "interval": 30 * _NANO,
            "timeout": 10 * _NANO,
            "start_period": 30 * _NANO,
        },
    }


def _own_user() -> Any:
    try:
        return users.take()
    except OSError as error:
        raise EnvironmentFailure(f"no desktop can be started: {error}") from None


def _run(
    client: DockerClient, image_id: str, command: list[str], settings: dict[str, Any], folder: Path
) -> tuple[Container, Lifeline]:
    try:
        container = client.containers.create(image_id, command, **settings)
        try:
            lifeline = Lifeline(container)
            # Before the start, as the guest asks for its socket at once.
            offer(folder, lambda: lifeline.open)
            container.start()
        except BaseException:
            _remove(container)
            raise
    except OSError as error:  # errors of the engine are among them
        raise EnvironmentFailure(f"the container engine cannot start a desktop: {said(error)}") from None
    return container, lifeline


def _check_network(client: DockerClient, spec: ContainerSpec) -> None:
    """Check that a requested network is internal.

    Raises:
        SettingError: It does not exist, or is not internal.
    """
    if spec.network == "none":
        return
    found = [one for one in client.networks.list(names=[spec.network]) if one.name == spec.network]
    if not found or not found[0].attrs.get("Internal"):
        state = "leads out to the world" if found else "does not exist"
        raise SettingError(
            f"the network {spec.network!r} {state}; type: docker network create --internal NAME, connect what a "
            "desktop may reach to it, and set network = 'NAME' in the desktop's file"
        )


def _folder_with(token: str) -> Path:
    # Short and private: socket paths are limited to about 100 characters.
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    # Empty first, with its mode: at no moment can other users read the token.
    (folder / "token").touch(mode=0o600)
    (folder / "token").write_text(token, encoding="ascii")
    return folder


def _remove(container: Container) -> None:
    """Kill and remove a container; a removal in progress is awaited."""
    from docker.errors import APIError, NotFound

    try:
        container.remove(force=True, v=True)
    except NotFound:  # `auto_remove` was faster
        return
    except APIError as error:
        if error.status_code != 409:  # a removal is in progress
            raise EnvironmentFailure(f"a desktop's container cannot be removed: {said(error)}") from None
    with suppress(APIError):
        container.wait(condition="removed", timeout=20)
