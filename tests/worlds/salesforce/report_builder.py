"""The report builder, in a browser without a screen."""

from __future__ import annotations

from typing import Any

from .pages_client import PageBrowser, words


class Builder:
    """The report builder on a new report of a type, or on a stored one."""

    def __init__(self, browser: PageBrowser, type: str = "", id: str = "") -> None:
        self.browser = browser
        if type:
            answered = browser.client.get("/lightning/builder/report", params={"type": type})
            self.base = answered.headers["location"].removesuffix("/edit")
        else:
            self.base = f"/lightning/r/Report/{id}"
        self.page = browser.page(f"{self.base}/edit")

    def do(self, act: str, **values: Any) -> str:
        """Make a change and return the builder's words."""
        answered = self.browser.send(f"{self.base}/builder", do=act, **values)
        assert answered.status_code == 200
        return words(answered.text)

    def save(self, name: str, **values: Any) -> str:
        """Save under a name and return the id of the report."""
        address = self.browser.goes(f"{self.base}/save", Name=name, **values)
        return address.split("/")[4]

    def tree(self, id: str) -> Any:
        """Return the stored component of a saved report."""
        row = self.browser.org.get("Report", id)
        assert row is not None
        stored = self.browser.org.components("Report")
        return next(tree for name, tree in stored.items() if name.endswith(f"/{row['DeveloperName']}"))
