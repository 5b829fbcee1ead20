"""Where a suite is played: on its own driver, or on the place that `--cua-world` names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.driver import Place
from pytest_cuabench.drivers.registry import find_driver, relatives
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.library import more
from pytest_cuabench.task.model import phase_places
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.worlds import known_worlds

if TYPE_CHECKING:
    from pytest_cuabench.settings import Settings
    from pytest_cuabench.task.model import SuiteInfo


BROWSER = "browser"  # `--cua-world browser=...` is for the browsers of all web worlds


def place_of(suite: SuiteInfo, settings: Settings) -> Place:
    """Return where a suite is played.

    Raises:
        SettingError: `--cua-world` names no place that this suite's world can be at.
    """
    place, window = _place_of_world(suite, settings), settings.world.of(BROWSER)
    known = find_driver(place.driver, suite).browsers_at(place)
    if window is None or not known:
        return place
    if window not in known:
        source = settings.sources.get("world", "--cua-world")
        raise SettingError(
            f"invalid value for {source}: '{BROWSER}={window}'; expected {BROWSER}={' or '.join(known)}"
        )
    return replace(place, browser=window, chosen=True)


def _place_of_world(suite: SuiteInfo, settings: Settings) -> Place:
    where = settings.world.of(suite.world)
    if where is None:
        return Place(suite.driver)
    source = settings.sources.get("world", "--cua-world")
    own = find_driver(suite.driver, suite)
    drivers = [own, *relatives(own)]
    for driver in drivers:
        try:
            place = driver.place(where)
        except SettingError as error:
            raise SettingError(f"{source}: {error}") from None
        if place is None and where in driver.accepted(suite):
            place = Place(driver.name, where)
        if place is not None:
            return replace(place, chosen=(place.driver, place.detail) != (suite.driver, None))
    accepted = [words for driver in drivers for words in driver.accepted(suite)]
    if not accepted:
        raise SettingError(
            f"{source}: the world {suite.world} runs on the driver {suite.driver} only; "
            f"remove {suite.world}={where}"
        )
    raise SettingError(
        f"invalid value for {source}: '{suite.world}={where}'; expected {suite.world}={' or '.join(accepted)}"
    )


def refuse_unknown_worlds(settings: Settings, suites: Iterable[SuiteInfo]) -> None:
    """Check that `--cua-world` names worlds that exist: shipped ones, or one of a suite that was collected.

    Raises:
        SettingError: It names another one, as a typing mistake does.
    """
    known = {*known_worlds(None), BROWSER} | {
        place.world for suite in suites for place in (suite, *suite.places.values(), *phase_places(suite))
    }
    for name, _ in settings.world:
        if name not in known:
            raise SettingError(f"{settings.sources['world']}: {unknown_name('world', name, known)}{more()}")
