"""What stands around every page: the open app with its tabs, the App Launcher's content, who is signed in."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

from starlette.datastructures import QueryParams

from salesforce_org.pages import apps
from salesforce_org.pages.apps import App, Sight, Tab
from salesforce_org.pages.formats import record_href
from salesforce_org.sessions import Login
from salesforce_org.store import Org, Record


class Visiting(Protocol):
    """What the frame needs of the request that it is drawn for."""

    path: str
    query: QueryParams
    login: Login | None

    @property
    def org(self) -> Org: ...
    @property
    def user(self) -> Record: ...


class Shell:
    """The frame of a page; everything is looked up when a template asks for it."""

    def __init__(self, visit: Visiting) -> None:
        self._visit = visit

    @cached_property
    def _sight(self) -> Sight:
        return apps.sight(self._visit.org, self._visit.user)

    @cached_property
    def apps(self) -> tuple[App, ...]:
        """The apps that the user sees, by label."""
        return tuple(one for one in apps.all_apps(self._visit.org) if self._sight.app(one))

    @cached_property
    def app(self) -> App:
        """The app that is open."""
        wanted = self._visit.login.app if self._visit.login else ""
        return next((one for one in self.apps if one.name == wanted), apps.first(self.apps))

    @cached_property
    def tabs(self) -> tuple[Tab, ...]:
        """The tabs of the app that is open."""
        shown = (name for name in self.app.tabs if self._sight.tab(name) == apps.ON)
        return tuple(apps.tab(self._visit.org, name) for name in shown)

    def temporary(self, object: str) -> tuple[Tab, ...]:
        """Return the tabs beside those of the app: of the shown page, whose object is told, and of earlier ones."""
        visit, known = self._visit, {one.name for one in self.tabs}
        assert visit.login is not None
        names = visit.login.temporary.setdefault(self.app.name, [])
        for one in self.items:
            if one.shown_at(visit.path, object) and one.name not in known and one.name not in names:
                names.append(one.name)
        return tuple(one for name in names for one in self.items if one.name == name and name not in known)

    @property
    def workspace(self) -> tuple[tuple[str, str, str], ...]:
        """Return id, name and address of the records that are open as tabs of a console app."""
        assert self._visit.login is not None
        org, found = self._visit.org, []
        for id in self._visit.login.workspace.get(self.app.name, []):
            kind = org.schema.of_id(id)
            if kind is not None and org.get(kind.name, id):
                found.append((id, str(org.name_of(id) or ""), record_href(kind.name, id)))
        return tuple(found)

    @cached_property
    def items(self) -> tuple[Tab, ...]:
        """Every tab that the user sees, by label."""
        items = apps.all_items(self._visit.org)
        return tuple(one for one in items if self._sight.tab(one.name) != apps.HIDDEN)

    @property
    def user_name(self) -> str:
        """Who is signed in."""
        return str(self._visit.org.name_of(self._visit.user["Id"]) or "")

    @property
    def here(self) -> str:
        """The address of this page."""
        query = str(self._visit.query)
        return self._visit.path + (f"?{query}" if query else "")
