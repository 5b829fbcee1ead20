"""An org in a browser on a desktop: the guest shows its pages, the state is read from the org."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pytest_cuabench.drivers.chromium.world import WorldSession
from pytest_cuabench.drivers.desktop.guest import Begun, Found, Guest
from pytest_cuabench.drivers.desktop.stage import Stage
from pytest_cuabench.drivers.salesforce.environment import Orgs, open_org
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.model import Instance

BROWSER = "browser"  # the guest's application
# ARIA roles as Chromium maps them to AT-SPI roles.
ROLES: Mapping[str, str] = {
    "button": "push-button",
    "cell": "table-cell",
    "checkbox": "check-box",
    "columnheader": "column-header",
    "combobox": "combo-box",
    "gridcell": "table-cell",
    "img": "image",
    "listbox": "list-box",
    "listitem": "list-item",
    "menuitem": "menu-item",
    "option": "list-item",
    "radio": "radio-button",
    "row": "table-row",
    "searchbox": "entry",
    "spinbutton": "spin-button",
    "status": "status-bar",
    "tab": "page-tab",
    "textbox": "entry",
    "treeitem": "tree-item",
}
_PART = re.compile(r'role=(?P<role>[a-z]+)(?P<name>\[name="(?:[^"\\]|\\.)*"\])?(?P<rest>.*)', re.DOTALL)
_NTH = re.compile(r"nth=(\d+)")


class OrgStage(Stage):
    """A `Stage` that prepares an org and shows it in the desktop's browser."""

    def __init__(self, guest: Guest, orgs: Orgs) -> None:
        self._guest, self._orgs = guest, orgs
        self._session: WorldSession | None = None

    async def lacking(self, instance: Instance) -> str | None:
        """See `Stage.lacking`."""
        return self._guest.lacking(BROWSER)

    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """See `Stage.begin`."""
        if self._session is not None:
            await self._session.close()
        self._session = await open_org(self._orgs, instance)
        return await self._guest.begin(BROWSER, [{"do": "browse", "url": self._session.start_url}], seconds)

    async def state(self) -> State:
        """See `Stage.state`."""
        if self._session is None:
            raise EnvironmentFailure("No episode is running; call reset first.")
        return await self._session.state()

    async def idle(self) -> tuple[str, ...] | None:
        """See `Stage.idle`."""
        return await self._session.idle() if self._session else None

    async def locate(self, target: str) -> Found | None:
        """See `Stage.locate`; page selectors by role and name are accepted as well."""
        return await self._guest.locate(as_desktop(target))


def as_desktop(target: str) -> str:
    """Translate a page selector by role to a desktop selector; a desktop selector stays unchanged."""
    return " >> ".join(_as_desktop(part.strip()) for part in _joined(target.split(">>")))


def _joined(parts: list[str]) -> list[str]:
    """Append each `nth=` to the part before it."""
    joined: list[str] = []
    for part in map(str.strip, parts):
        if (number := _NTH.fullmatch(part)) and joined:
            joined[-1] += f":nth({number[1]})"
        else:
            joined.append(part)
    return joined


def _as_desktop(part: str) -> str:
    found = _PART.fullmatch(part)
    if found is None:
        return part
    rest = found["rest"] if found["rest"].startswith(":nth") else ""
    return f"{ROLES.get(found['role'], found['role'])}{found['name'] or ''}{rest}"
