"""A virtual machine's monitor: the QMP commands that the driver uses."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from qemu.qmp import ConnectError, ExecuteError, QMPClient, QMPError, Runstate

from pytest_cuabench.errors import EnvironmentFailure

_SECONDS = 30.0  # for one command
_JOB_SECONDS = 120.0  # for a snapshot of a large machine on a slow disk
_POLL = 0.02
_T = TypeVar("_T")


class Monitor:
    """The connection to one machine's monitor.

    Args:
        disks: The nodes that change while the machine runs; the first one also stores the snapshots.
    """

    def __init__(self, client: QMPClient, disks: Sequence[str]) -> None:
        self._client, self._disks = client, list(disks)

    @classmethod
    async def connect(cls, socket: Path, disks: Sequence[str]) -> Monitor:
        """Connect to the monitor that listens on a socket.

        Raises:
            OSError: The socket does not accept connections yet.
        """
        logging.getLogger("qemu.qmp").setLevel(logging.CRITICAL)  # do not log the end of a machine
        client = QMPClient("desktop")
        try:
            await asyncio.wait_for(client.connect(str(socket)), _SECONDS)
        except ConnectError as error:
            raise OSError(str(error)) from None
        return cls(client, disks)

    @property
    def connected(self) -> bool:
        """Whether the connection is open."""
        return self._client.runstate is Runstate.RUNNING

    async def execute(self, command: str, **arguments: Any) -> Any:
        """Run a command and return its result.

        Raises:
            EnvironmentFailure: The command failed, or the machine ended.
        """
        options = {name.replace("_", "-"): value for name, value in arguments.items()}
        return await _plainly(command, self._client.execute(command, options or None))

    async def cannot_write(self) -> bool:
        """Whether the machine stands still because its disk takes no more."""
        with suppress(EnvironmentFailure):
            return bool((await self.execute("query-status"))["status"] == "io-error")
        return False

    async def forwarded(self) -> int:
        """Return the local port that is forwarded to the guest."""
        # QMP has no command for the chosen port, only the human monitor has.
        table = str(await self.execute("human-monitor-command", command_line="info usernet"))
        found = re.search(r"HOST_FORWARD\]\s+\d+\s+127\.0\.0\.1\s+(\d+)", table)
        if found is None:
            raise EnvironmentFailure("the virtual machine forwards no port to its guest")
        return int(found[1])

    async def save(self, name: str) -> None:
        """Save a snapshot."""
        await self._job("snapshot-save", tag=name, vmstate=self._disks[0], devices=self._disks)

    async def load(self, name: str) -> None:
        """Load a snapshot."""
        await self._job("snapshot-load", tag=name, vmstate=self._disks[0], devices=self._disks)

    async def delete(self, name: str) -> None:
        """Delete a snapshot."""
        await self._job("snapshot-delete", tag=name, devices=self._disks)

    async def quit(self) -> None:
        """Stop the machine at once, if it still runs."""
        with suppress(EnvironmentFailure):
            await self.execute("quit")
        with suppress(QMPError, OSError, EOFError, TimeoutError):
            await asyncio.wait_for(self._client.disconnect(), _SECONDS)

    async def _job(self, command: str, **arguments: Any) -> None:
        """Run a background job and wait for its end."""
        job = f"job-{secrets.token_hex(4)}"
        await self.execute(command, job_id=job, **arguments)
        try:
            async with asyncio.timeout(_JOB_SECONDS):
                while (found := await self._find(job))["status"] != "concluded":
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            raise EnvironmentFailure(
                f"the virtual machine did not end {command} within {_JOB_SECONDS:g} s"
            ) from None
        await self.execute("job-dismiss", id=job)
        if error := found.get("error"):
            raise EnvironmentFailure(f"the virtual machine refuses {command}: {error}")

    async def _find(self, job: str) -> Mapping[str, Any]:
        jobs: list[dict[str, Any]] = await self.execute("query-jobs")
        found = next((one for one in jobs if one["id"] == job), None)
        if found is None:
            raise EnvironmentFailure(f"the virtual machine does not know its job {job} any more")
        return found


async def _plainly(command: str, reply: Coroutine[Any, Any, _T]) -> _T:
    try:
        return await asyncio.wait_for(reply, _SECONDS)
    except ExecuteError as error:
        raise EnvironmentFailure(f"the virtual machine refuses {command}: {error}") from None
    except TimeoutError:
        raise EnvironmentFailure(
            f"the virtual machine did not answer {command} within {_SECONDS:g} s"
        ) from None
    except (QMPError, OSError, EOFError):
        raise EnvironmentFailure(f"the virtual machine ended while it was asked to {command}") from None
