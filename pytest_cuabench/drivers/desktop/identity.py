"""What a desktop's image is, as a few words for the fingerprint: other programs in it are another world."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from pytest_cuabench.errors import CuabenchError
from pytest_cuabench.places import Place


@cache
def image_of(place: Place) -> str | None:
    """Return which image a place is made from; None where there is none, or where it cannot be found out now."""
    try:
        if place.driver == "docker":
            return _container(place.detail)
        return _disk(place.detail) if place.driver == "qemu" else None
    except CuabenchError:
        return None  # the attempt will say so, and come to no result


def _container(detail: str | None) -> str:
    from pytest_cuabench.drivers.desktop.engine import engine, image
    from pytest_cuabench.drivers.desktop.images import container_spec

    client = engine()
    try:
        return str(image(client, container_spec(detail).image).id).removeprefix("sha256:")[:12]
    finally:
        client.close()


def _disk(detail: str | None) -> str:
    """Return the recipe of a disk that we built; of another one its size and its time of change must do."""
    from pytest_cuabench.drivers.desktop.images import machine_spec

    spec = machine_spec(detail)
    found = spec.disk.stat()
    about = spec.recipe or f"{found.st_size} {found.st_mtime_ns}"
    return sha256(f"{about}\0{spec.snapshot}".encode()).hexdigest()[:12]
