"""simple-salesforce for an emulated org: the library knows only https, and the org listens on this machine with http.

    sf = connect("http://127.0.0.1:8080", access_token)

needs `pip install simple-salesforce`.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit, urlunsplit

import requests
from requests.adapters import HTTPAdapter
from simple_salesforce.api import Salesforce

from pytest_cuabench.drivers.salesforce.login import VERSION


class PlainHttp(HTTPAdapter):
    """Sends requests for any https address to one http address."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._place = urlsplit(address)

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        """Send a request there."""
        request.url = urlunsplit((self._place.scheme, self._place.netloc, *urlsplit(request.url or "")[2:]))
        return super().send(request, *args, **options)


def session(address: str) -> requests.Session:
    """Return a session whose https requests go to an http address."""
    made = requests.Session()
    made.mount("https://", PlainHttp(address))
    return made


def connect(address: str, access_token: str, **options: Any) -> Salesforce:
    """Return a client, signed in by access token; options are those of `simple_salesforce.Salesforce`."""
    options = {"session": session(address), "version": VERSION, **options}
    made = Salesforce(instance_url=address, session_id=access_token, **options)
    # Its metadata client has a session of its own.
    made.mdapi._client.transport.session.mount("https://", PlainHttp(address))
    return made
