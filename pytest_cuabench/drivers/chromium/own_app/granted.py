"""What a user's own application is granted in the browser: a certificate, credentials, permissions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Granted:
    """What a world's origin gets beside what every page has.

    Attributes:
        insecure: Whether its certificate is accepted unchecked; what the world declares as trusted was checked before.
        credentials: User name and password of HTTP authentication, by these names.
        permissions: Names of permissions, as Playwright has them.
        geolocation: Latitude and longitude that its pages are told.
    """

    insecure: bool = False
    credentials: Mapping[str, str] | None = field(default=None, repr=False)
    permissions: tuple[str, ...] = ()
    geolocation: tuple[float, float] | None = None

    def options(self, origin: str) -> dict[str, Any]:
        """Return these as options of Playwright's `new_context`; permissions are granted to the origin afterwards."""
        options: dict[str, Any] = {}
        if self.credentials:
            options["http_credentials"] = {**self.credentials, "origin": origin}
        if self.geolocation:
            latitude, longitude = self.geolocation
            options["geolocation"] = {"latitude": latitude, "longitude": longitude}
        return options


NOTHING = Granted()
