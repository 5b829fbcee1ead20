"""simple-salesforce speaking to an org in this process: its requests go to a test client and not over a wire."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import requests
from lazily import lazily
from requests.adapters import BaseAdapter

from .small_org import Tool

if TYPE_CHECKING:
    from simple_salesforce import Salesforce
    from simple_salesforce.metadata import SfdcMetadataApi
    from zeep import Client

library, zeep = lazily("simple_salesforce"), lazily("zeep")


class InProcess(BaseAdapter):
    """Hands requests to a test client."""

    def __init__(self, tool: Tool) -> None:
        super().__init__()
        self.tool = tool

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        """Answer a request."""
        answered = self.tool.http.request(
            str(request.method), request.path_url, content=request.body, headers=dict(request.headers)
        )
        response = requests.Response()
        response.status_code = answered.status_code
        response.headers.update(answered.headers)
        response.headers.pop("content-encoding", None)
        response.raw = io.BytesIO(answered.content)
        response.request, response.url = request, str(request.url)
        return response

    def close(self) -> None:
        """There is nothing to close."""


def client(tool: Tool) -> Salesforce:
    """Return simple-salesforce, signed in by access token."""
    session = requests.Session()
    session.mount("https://", InProcess(tool))
    token = tool.keys["access_token"]
    return library.Salesforce(instance="org.test", session_id=token, session=session, version="62.0")


@cache
def _described() -> Client:
    """Return a client that has read the interface's description, which takes more than a second."""
    description = Path(library.metadata.__file__).with_name("metadata.wsdl")
    settings = zeep.Settings(strict=False, xsd_ignore_sequence_order=True)
    return zeep.Client(description.as_uri(), settings=settings)


def metadata(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> SfdcMetadataApi:
    """Return simple-salesforce's client of the Metadata API; the description is read once for all tests."""
    described = _described()
    described.transport.session = requests.Session()
    described.transport.session.mount("https://", InProcess(tool))
    monkeypatch.setattr("simple_salesforce.metadata.Client", lambda *args, **options: described)
    return client(tool).mdapi


def zipped(files: Mapping[str, str]) -> io.BytesIO:
    """Return a zip of text files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return buffer


def unzipped(raw: bytes) -> dict[str, str]:
    """Return the text files of a zip."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}
