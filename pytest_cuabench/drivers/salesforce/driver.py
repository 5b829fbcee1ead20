"""The driver of Salesforce orgs: the emulator in a browser, there on a desktop, or a live org."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_cuabench.drivers.chromium.driver import ChromiumDriver
from pytest_cuabench.drivers.driver import Place, PlannedSuite

if TYPE_CHECKING:
    from pytest_cuabench.drivers.base import Environment
    from pytest_cuabench.drivers.driver import DriverContext
    from pytest_cuabench.task.model import SuiteInfo

ON_DESKTOP = "xvfb"  # the desktop that the emulator may be shown on


class SalesforceDriver(ChromiumDriver):
    """An org that is reset through its API and shown in Chromium."""

    places = (ON_DESKTOP, "the address of an org such as https://my-org.my.salesforce.com")

    def place(self, where: str) -> Place:
        """Return a desktop, or an org by its address."""
        from pytest_cuabench.drivers.salesforce.login import org_address

        detail = where if where == ON_DESKTOP else org_address(where)
        return Place(self.name, detail, shown=detail)

    def browsers_at(self, place: Place) -> tuple[str, ...]:
        """The desktop's own browser has a window already."""
        return () if place.detail == ON_DESKTOP else super().browsers_at(place)

    def concurrent(self, suite: SuiteInfo, place: Place) -> bool:
        """The emulator serves many orgs; a live org is one."""
        return place.detail in (None, ON_DESKTOP)

    def check(self, planned: PlannedSuite) -> None:
        """Check that a browser exists and, for a live org, credentials and permission to write."""
        address = planned.place.detail
        if address == ON_DESKTOP:
            return  # the browser of the desktop
        super().check(planned)
        if address:
            from pytest_cuabench.drivers.salesforce.login import Credentials
            from pytest_cuabench.drivers.salesforce.safety import require_permission

            require_permission(planned.settings.allow_reset, address)
            Credentials.from_environment()

    def open(self, context: DriverContext) -> Environment:
        """See `Driver.open`."""
        from pytest_cuabench.drivers.salesforce.opening import open_on_desktop, open_salesforce

        return (open_on_desktop if context.place.detail == ON_DESKTOP else open_salesforce)(context)
