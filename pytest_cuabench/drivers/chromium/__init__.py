"""A web world in Chromium: one browser per worker, a fresh browser context per episode."""

from pytest_cuabench.drivers.chromium.browser.browser import Chromium
from pytest_cuabench.drivers.chromium.environment import ChromiumEnvironment
from pytest_cuabench.drivers.chromium.world import World, WorldSession

__all__ = ["Chromium", "ChromiumEnvironment", "World", "WorldSession"]
