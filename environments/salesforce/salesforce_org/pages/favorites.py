"""What the header offers beside search: favorites, which belong to the sign-in, and the list of shortcuts."""

from __future__ import annotations

from starlette.responses import Response

from salesforce_org.pages.dialogs import back
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import Visit

MOST = 200
SHORTCUTS = (
    ("Everywhere", (("/", "Go to the global search"), ("Ctrl+/ or ?", "Show the keyboard shortcuts"))),
    (
        "Records and forms",
        (
            ("e", "Edit the record that is shown"),
            ("Ctrl+S", "Save what is being edited"),
            ("Esc", "Close a dialog; asks first where something was entered"),
        ),
    ),
    (
        "Lists",
        (
            ("Arrow keys, Home, End", "Go from cell to cell"),
            ("Enter or Space", "Go into a cell, to its links and buttons; Tab goes on to the next"),
            ("F2", "Edit a cell in place; Enter keeps, Esc drops what was entered"),
            ("Esc", "Go back from inside a cell to the cell"),
        ),
    ),
)


@page("POST", "/lightning/favorites")
def mark(visit: Visit) -> Response:
    """Make the page that asks a favorite, or no longer."""
    here, login = back(visit), visit.login
    if login is not None and here:
        kept = {href: label for href, label in login.favorites.items() if href != here}
        if len(kept) == len(login.favorites) and len(kept) < MOST:
            kept[here] = visit.field("label") or here
        login.favorites = kept
    return visit.render("shell/favorites.html", here=here)


@page("GET", "/lightning/favorites/edit")
def ask(visit: Visit) -> Response:
    """Show the favorites in a dialog in which they are renamed and removed."""
    return visit.render("shell/edit_favorites.html")


@page("POST", "/lightning/favorites/edit")
def save(visit: Visit) -> Response:
    """Keep the names that were given, without the favorites that were removed."""
    if visit.login is not None:
        removed = {str(one) for one in visit.form.getlist("remove")}
        pairs = zip(visit.form.getlist("href"), visit.form.getlist("label"), strict=False)
        named = {str(href): str(label).strip() for href, label in pairs}
        visit.login.favorites = {
            href: named.get(href) or label
            for href, label in visit.login.favorites.items()
            if href not in removed
        }
    return visit.go(back(visit) or "/lightning/page/home", "Favorites saved.")


@page("GET", "/lightning/shortcuts")
def shortcuts(visit: Visit) -> Response:
    """List the keyboard shortcuts."""
    return visit.render("shell/shortcuts.html", groups=SHORTCUTS)


@page("GET", "/lightning/discard")
def discard(visit: Visit) -> Response:
    """Ask whether what was entered in the dialog below shall be lost."""
    return visit.render("shell/discard.html")
