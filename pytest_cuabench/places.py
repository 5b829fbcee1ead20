"""Where a suite is played: on its own driver, or on another machine that `--cua-world` names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from pytest_cuabench import library
from pytest_cuabench.errors import SettingError

if TYPE_CHECKING:
    from pytest_cuabench.settings import Settings
    from pytest_cuabench.task import SuiteInfo

DESKTOPS = (
    "xvfb",
    "docker",
    "qemu",
    "guest",
)  # drivers of one family: a world of one runs on the others, too
ORG = "salesforce"  # the driver of orgs; another place of one is a live org's address
DESKTOP_OF_OURS = "xvfb"  # where an org may be shown, too: in a browser of a desktop
_ADDRESS = re.compile(r"https?://[^/\s@?#]+/?|unix:/\S+")


class Place(NamedTuple):
    """Where a suite is played.

    Attributes:
        driver: Name of the driver.
        detail: What the user said beside it: an address for `guest`, an address or a desktop for `salesforce`, an
            image for `docker` and `qemu`.
        chosen: Whether it is another place than the suite's own.
    """

    driver: str
    detail: str | None = None
    chosen: bool = False

    def __str__(self) -> str:
        return (
            str(self.detail)
            if self.driver == "guest" or (self.driver == ORG and self.detail)
            else ":".join(filter(None, (self.driver, self.detail)))
        )


def place_of(suite: SuiteInfo, settings: Settings) -> Place:
    """Return where a suite is played.

    Raises:
        SettingError: `--cua-world` names no place that this suite's world can be at.
    """
    where = settings.world.of(suite.world)
    if where is None:
        return Place(suite.driver)
    source = settings.sources.get("world", "--cua-world")
    if suite.driver == ORG:
        return Place(ORG, where if where == DESKTOP_OF_OURS else _org(where, source), chosen=True)
    if suite.driver not in DESKTOPS:
        raise SettingError(
            f"{source}: the world {suite.world} runs on the driver {suite.driver} only; leave {suite.world}= out"
        )
    if _ADDRESS.fullmatch(where):
        return Place("guest", where.rstrip("/"), chosen=True)
    driver, _, detail = where.partition(":")
    if driver not in DESKTOPS or driver == "guest" or (driver == "xvfb" and detail):
        raise SettingError(
            f"{source}: {suite.world}={where} is no place; give {suite.world}=xvfb, docker, qemu, or the address "
            "of a desktop such as http://host:5000"
        )
    return Place(driver, detail or None, chosen=(driver, detail) != (suite.driver, ""))


def _org(where: str, source: str) -> str:
    from pytest_cuabench.drivers.salesforce.login import org_address

    try:
        return org_address(where)
    except SettingError as error:
        raise SettingError(f"{source}: {error}") from None


def refuse_unknown_worlds(settings: Settings, suites: Iterable[SuiteInfo]) -> None:
    """See that `--cua-world` names worlds that exist: ours, or one of a suite that was collected.

    Raises:
        SettingError: It names another one, as a slip of the pen does.
    """
    shipped = {file.parent.name for file in library.ENVIRONMENTS.glob("*/environment.toml")}
    known = shipped | {suite.world for suite in suites}
    for name, _ in settings.world:
        if name not in known:
            raise SettingError(
                f"{settings.sources['world']}: no world is named {name!r}; known: {', '.join(sorted(known))}"
            )
