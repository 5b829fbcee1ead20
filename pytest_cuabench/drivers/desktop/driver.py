"""The drivers of desktops: one environment on the machine that the user chose."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.driver import Driver, Place, PlannedSuite
from pytest_cuabench.errors import SettingError

if TYPE_CHECKING:
    from pytest_cuabench.drivers.base import Environment
    from pytest_cuabench.drivers.desktop.machine import Machine
    from pytest_cuabench.drivers.driver import DriverContext
    from pytest_cuabench.task.model import SuiteInfo

_ADDRESS = re.compile(r"https?://[^/\s@?#]+/?|unix:/\S+")


class DesktopDriver(Driver):
    """A machine with a screen and a guest server; subclasses define the machine."""

    family = "desktop"
    observations = ("screenshot", "tree", "screenshot+tree", "marks")
    pages = False

    def concurrent(self, suite: SuiteInfo, place: Place) -> bool:
        """Each environment has a machine of its own."""
        return True

    @abstractmethod
    def machine(self, context: DriverContext) -> Machine:
        """Return the machine, which starts on first use."""

    def open(self, context: DriverContext) -> Environment:
        """See `Driver.open`."""
        from pytest_cuabench.drivers.desktop.opening import on_machine

        return on_machine(self.machine(context), context)


class XvfbDriver(DesktopDriver):
    """A private desktop on this computer."""

    places = ("xvfb",)

    def place(self, where: str) -> Place | None:
        """Accept its own name."""
        return Place(self.name) if where == self.name else None

    def machine(self, context: DriverContext) -> Machine:
        """See `DesktopDriver.machine`."""
        from pytest_cuabench.drivers.desktop.opening import leases
        from pytest_cuabench.drivers.desktop.xvfb import Xvfb

        suite = context.suite
        return Xvfb(suite.screen, leases(context), suite.world, suite.folder)

    def reap(self, resource: Mapping[str, str]) -> None:
        """See `Driver.reap`."""
        from pytest_cuabench.drivers.desktop.xvfb import reap

        reap(resource)


class _ImageDriver(DesktopDriver):
    """A desktop from an image, which may be named after a colon."""

    def place(self, where: str) -> Place | None:
        """Accept its own name, and an image after it."""
        name, _, detail = where.partition(":")
        return Place(self.name, detail or None) if name == self.name else None


class DockerDriver(_ImageDriver):
    """A desktop in a container."""

    places = ("docker", "docker:IMAGE")

    def machine(self, context: DriverContext) -> Machine:
        """See `DesktopDriver.machine`."""
        from pytest_cuabench.drivers.desktop.docker import Docker
        from pytest_cuabench.drivers.desktop.opening import leases

        return Docker(context.suite.screen, leases(context), context.place.detail)

    def image(self, place: Place) -> str | None:
        """Return the image's id."""
        from pytest_cuabench.drivers.desktop.identity import container_image

        return container_image(place.detail)

    def reap(self, resource: Mapping[str, str]) -> None:
        """See `Driver.reap`."""
        from pytest_cuabench.drivers.desktop.docker import reap

        reap(resource)


class QemuDriver(_ImageDriver):
    """A desktop in a virtual machine."""

    places = ("qemu", "qemu:FILE")

    def machine(self, context: DriverContext) -> Machine:
        """See `DesktopDriver.machine`."""
        from pytest_cuabench.drivers.desktop.opening import leases
        from pytest_cuabench.drivers.desktop.qemu.machine import Qemu

        return Qemu(context.suite.screen, leases(context), context.place.detail)

    def image(self, place: Place) -> str | None:
        """Return a hash of the disk's recipe, or of its size and modification time."""
        from pytest_cuabench.drivers.desktop.identity import disk_image

        return disk_image(place.detail)

    def reap(self, resource: Mapping[str, str]) -> None:
        """See `Driver.reap`."""
        from pytest_cuabench.drivers.desktop.qemu.machine import reap

        reap(resource)


class GuestDriver(DesktopDriver):
    """A desktop that was started elsewhere, by its address."""

    places = ("the address of a desktop such as http://host:5000",)

    def place(self, where: str) -> Place | None:
        """Accept an address without a path and without a user's name."""
        address = where.rstrip("/")
        return Place(self.name, address, shown=address) if _ADDRESS.fullmatch(where) else None

    def concurrent(self, suite: SuiteInfo, place: Place) -> bool:
        """There is one machine."""
        return False

    def check(self, planned: PlannedSuite) -> None:
        """Check that there is an address."""
        _address(planned.suite, planned.place)

    def machine(self, context: DriverContext) -> Machine:
        """See `DesktopDriver.machine`."""
        from pytest_cuabench.drivers.desktop.remote import RemoteMachine

        return RemoteMachine(_address(context.suite, context.place))


def _address(suite: SuiteInfo, place: Place) -> str:
    if place.detail is None:
        raise SettingError(
            f"the address of the desktop is missing; add --cua-world {suite.world}=http://host:5000"
        )
    return place.detail
