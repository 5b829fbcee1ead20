"""The user of a container's programs: a number that nothing else on this computer has.

Containers of one image would share a user otherwise, by whom the kernel counts processes, watches of files and pipes.
"""

from __future__ import annotations

import tarfile
from io import BytesIO
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.desktop.engine import said
from pytest_cuabench.errors import EnvironmentFailure

if TYPE_CHECKING:
    from docker import DockerClient

PASSWD = "/etc/passwd"  # noqa: S105 - a file
_known: dict[str, str] = {}  # of images, by their ids


def passwd(client: DockerClient, image_id: str, name: str, number: int) -> str:
    """Return an image's list of users, in which one has another number.

    Raises:
        EnvironmentFailure: The engine does not show it.
    """
    if image_id not in _known:
        _known[image_id] = _read(client, image_id)
    rows = [line.split(":") for line in _known[image_id].splitlines()]
    return "".join(
        ":".join([*row[:2], str(number), *row[3:]] if row[0] == name else row) + "\n" for row in rows
    )


def _read(client: DockerClient, image_id: str) -> str:
    """Read the list from a container that is not started."""
    from docker.errors import APIError

    try:
        container = client.containers.create(image_id, network_mode="none")
        try:
            chunks, _ = container.get_archive(PASSWD)
            content = b"".join(chunks)
        finally:
            container.remove(force=True, v=True)
    except APIError as error:
        raise EnvironmentFailure(
            f"the container engine does not show an image's users: {said(error)}"
        ) from None
    with tarfile.open(fileobj=BytesIO(content)) as archive:
        member = archive.extractfile("passwd")
        return member.read().decode(errors="replace") if member else ""
