"""Sign-in to an org by several kinds of credentials. Passwords and tokens never appear in messages or `repr`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pytest_cuabench.drivers.salesforce.errors import OrgError
from pytest_cuabench.errors import EnvironmentFailure, SettingError

if TYPE_CHECKING:
    import httpx2

PREFIX = "CUABENCH_SALESFORCE_"
VERSION = "62.0"
_ADDRESS = re.compile(
    r"https://[A-Za-z0-9.-]+(:\d+)?/?|http://(localhost|127\.0\.0\.1|[a-z0-9-]+\.localhost)(:\d+)?/?"
)


@dataclass(frozen=True, slots=True)
class Credentials:
    """The user's credentials; the first complete kind is used, in the order of the fields.

    Attributes:
        access_token: An existing token; it cannot be renewed.
        client_id: Consumer key of a connected app; with its secret alone it signs in as the app's run-as user.
        security_token: Appended to the password, if the org requires it.
    """

    access_token: str | None = field(default=None, repr=False)
    client_id: str | None = field(default=None, repr=False)
    client_secret: str | None = field(default=None, repr=False)
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    security_token: str = field(default="", repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Credentials:
        """Read the variables `CUABENCH_SALESFORCE_ACCESS_TOKEN`, `..._CLIENT_ID`, `..._PASSWORD` and so on.

        Raises:
            SettingError: The credentials are incomplete.
        """
        given = {name: environment.get(PREFIX + name.upper()) for name in cls.__dataclass_fields__}
        found = cls(**{name: value for name, value in given.items() if value})
        if not (found.access_token or found.by_app or found.by_password):
            raise SettingError(
                f"no credentials for the org: set {PREFIX}ACCESS_TOKEN, or {PREFIX}CLIENT_ID and "
                f"{PREFIX}CLIENT_SECRET, or {PREFIX}USERNAME and {PREFIX}PASSWORD (and {PREFIX}SECURITY_TOKEN)"
            )
        return found

    @property
    def by_app(self) -> bool:
        """Whether a connected app's key and secret are given."""
        return bool(self.client_id and self.client_secret)

    @property
    def by_password(self) -> bool:
        """Whether a user's name and password are given."""
        return bool(self.username and self.password)

    @property
    def renewable(self) -> bool:
        """Whether an expired token can be replaced."""
        return self.access_token is None


@dataclass(frozen=True, slots=True)
class Grant:
    """The address of an org, and a token for it."""

    instance: str
    token: str = field(repr=False)


def org_address(text: str) -> str:
    """Return the origin of an org.

    Raises:
        SettingError: It is not an https URL; http is allowed for localhost only.
    """
    if not _ADDRESS.fullmatch(text):
        raise SettingError(f"invalid org {text!r}; expected a URL such as https://my-org.my.salesforce.com")
    return text.rstrip("/")


async def sign_in(http: httpx2.AsyncClient, address: str, given: Credentials, version: str) -> Grant:
    """Return a token.

    Raises:
        EnvironmentFailure: The org refuses, or does not answer.
    """
    if given.access_token:
        return Grant(address, given.access_token)
    if given.by_app and given.by_password:
        secret = {"username": given.username, "password": f"{given.password}{given.security_token}"}
        return await _token(http, address, {"grant_type": "password", **_app(given), **secret})
    if given.by_app:
        return await _token(http, address, {"grant_type": "client_credentials", **_app(given)})
    return await _soap_login(http, address, given, version)


def _app(given: Credentials) -> dict[str, str | None]:
    return {"client_id": given.client_id, "client_secret": given.client_secret}


async def _token(http: httpx2.AsyncClient, address: str, form: Mapping[str, str | None]) -> Grant:
    reply = await _post(http, f"{address}/services/oauth2/token", data=form)
    try:
        answer = reply.json()
    except ValueError:
        answer = {}
    if reply.status_code != 200 or "access_token" not in answer:
        error = answer.get("error", f"status {reply.status_code}")
        raise OrgError(
            f"the org at {address} rejected the sign-in: {answer.get('error_description', error)}", str(error)
        )
    return Grant(str(answer.get("instance_url") or address).rstrip("/"), str(answer["access_token"]))


async def _soap_login(http: httpx2.AsyncClient, address: str, given: Credentials, version: str) -> Grant:
    from pytest_cuabench.drivers.salesforce.soap import PARTNER, elements, envelope, read_reply

    who = {"username": given.username, "password": f"{given.password}{given.security_token}"}
    body = f'<login xmlns="{PARTNER}">{elements(who)}</login>'
    reply = await _post(
        http,
        f"{address}/services/Soap/u/{version}",
        content=envelope(body).encode(),
        headers={"Content-Type": "text/xml; charset=UTF-8", "SOAPAction": "login"},
    )
    result = read_reply(reply.content, reply.status_code, f"the org at {address} rejected the sign-in")
    place = urlsplit(result["serverUrl"])
    return Grant(f"{place.scheme}://{place.netloc}", result["sessionId"])


async def _post(http: httpx2.AsyncClient, url: str, **content: object) -> httpx2.Response:
    import httpx2

    try:
        return await http.post(url, **content)  # type: ignore[arg-type]
    except httpx2.HTTPError as error:
        place = urlsplit(url)
        raise EnvironmentFailure(
            f"the org at {place.scheme}://{place.netloc} does not answer: {type(error).__name__}"
        ) from None
