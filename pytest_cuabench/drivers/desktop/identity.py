"""Identifies a desktop's image for the fingerprint of the world."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from pytest_cuabench.errors import CuabenchError


@cache
def container_image(detail: str | None) -> str | None:
    """Return the id of a container's image; None if unavailable: the attempt reports why."""
    from pytest_cuabench.drivers.desktop.engine import engine, image
    from pytest_cuabench.drivers.desktop.images import container_spec

    try:
        client = engine()
    except CuabenchError:
        return None
    try:
        return str(image(client, container_spec(detail).image).id).removeprefix("sha256:")[:12]
    except CuabenchError:
        return None
    finally:
        client.close()


@cache
def disk_image(detail: str | None) -> str | None:
    """Return the recipe of a disk that we built, else its size and modification time."""
    from pytest_cuabench.drivers.desktop.images import machine_spec

    try:
        spec = machine_spec(detail)
    except CuabenchError:
        return None
    # No hash of its content, as disks have tens of GB.
    found = spec.disk.stat()
    about = spec.recipe or f"{found.st_size} {found.st_mtime_ns}"
    return sha256(f"{about}\0{spec.snapshot}".encode()).hexdigest()[:12]
