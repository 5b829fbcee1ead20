"""A user's own web application as a world: what its tables in TOML may say.

    driver = "chromium"
    url = "http://127.0.0.1:{port}/"
    start = ["{python}", "-m", "flask", "--app", "todo", "run", "--port", "{port}"]

    [reset]
    database = "{data}/todo.db"

    [state]
    database = "{data}/todo.db"
    queries.todos = "SELECT id, title, done FROM todos"

docs/worlds.md describes every key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.redact import is_secret

Text = Annotated[str, Field(min_length=1)]
Command = Annotated[tuple[Text, ...], Field(min_length=1)]
Address = Annotated[str, Field(pattern=r"^https?://[^\s@/?#]+(/[^\s]*)?$")]
Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Latitude = Annotated[float, Field(ge=-90, le=90)]
Longitude = Annotated[float, Field(ge=-180, le=180)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]

FILLED = ("application", "data", "folder", "port", "python", "seed")  # what {...} may stand for
_AT_RESET = ("application", "seed")
_BRACES = re.compile(r"\{([a-z_]+)\}")
VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_SECRET_HEADERS = ("authorization", "cookie", "key", "auth")


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class _Channel(_Table):
    """A way to the application that the agent does not have: a command, an HTTP call or its SQLite database."""

    command: Command | None = None
    url: Address | None = None
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | None = None
    headers: dict[Text, str] = Field(default_factory=dict)
    database: Text | None = None

    @model_validator(mode="after")
    def _one_way(self) -> _Channel:
        _refuse(self._faults())
        return self

    def _faults(self) -> Iterator[str]:
        ways = [name for name in ("command", "url", "database") if getattr(self, name) is not None]
        if len(ways) != 1:
            yield f"give one of command, url or database, not {' and '.join(ways) or 'none of them'}"
        if self.url is None and (self.method or self.headers):
            yield "method and headers belong to url"
        for name, value in self.headers.items():
            secret = is_secret(name) or any(word in name.lower() for word in _SECRET_HEADERS)
            if secret and not VARIABLE.search(value):
                yield f"the header {name} is a secret; write ${{NAME}} for an environment variable that holds it"

    @property
    def guarded(self) -> bool:
        """Whether a call needs a secret that the agent does not have."""
        return any(VARIABLE.search(value) for value in self.headers.values())

    def texts(self) -> Iterator[str]:
        """Yield what may have names in braces."""
        yield from self.command or ()
        yield from (each for each in (self.url, self.database) if each)


class IdleTable(_Channel):
    """How the application says whether it has done all that was asked of it: JSON as {"idle": true}.

    Where it is not, it may say what is left: {"idle": false, "work": ["2 mails"]}.
    """

    def _faults(self) -> Iterator[str]:
        yield from super()._faults()
        if self.database is not None:
            yield "idle needs a command or a url; a database cannot report it"


class ResetTable(_Channel):
    """How the application gets back to where it began.

    Attributes:
        quiet: How it says that nothing of the episode before is open or queued; else `idle` of the application.
        restart: Whether to start the program again for each episode, so that what it had to do ends with it.
        source: The SQLite file that is copied back (key `from`); else what the database held when the application
            first answered.
    """

    source: Text | None = Field(default=None, alias="from")
    quiet: IdleTable | None = None
    restart: bool = False

    def _faults(self) -> Iterator[str]:
        yield from super()._faults()
        if self.source and self.database is None:
            yield "from belongs to database"


class StateTable(_Channel):
    """How what is true in the application is read: JSON as {collection: {id: row}}, or rows of SQL queries.

    Attributes:
        queries: For each collection a SELECT; its first column is the id of a row.
    """

    queries: dict[Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")], Text] = Field(
        default_factory=dict
    )

    def _faults(self) -> Iterator[str]:
        yield from super()._faults()
        if self.database is not None and not self.queries:
            yield 'a database needs queries, such as queries.todos = "SELECT id, title FROM todos"'
        if self.database is None and self.queries:
            yield "queries belong to database"


class Credentials(_Table):
    """What the browser answers where the application asks by HTTP authentication (Basic or Digest).

    Attributes:
        password: With `${NAME}` for an environment variable that holds it.
    """

    username: Text
    password: Annotated[str, Field(pattern=VARIABLE)]


Permission = Literal[
    "geolocation", "notifications", "camera", "microphone", "clipboard-read", "clipboard-write", "midi"
]


class WebApp(_Table):
    """A web application, and the ways behind it.

    Attributes:
        start: The program to start for each worker; without it the application runs already.
        prepare: A program that is run once for each worker before, to fill its folder `{data}`.
        start_seconds: How long it may take until it answers.
        variables: Environment variables that the programs are given, beside PATH and the like.
        idle: How it says whether it has done all that was asked of it; the state is read when it has.
        finish_seconds: How long is waited at the end of an episode for what the agent set going.
        certificate: A PEM file beside `environment.toml`: the server's own certificate, or that of its authority.
        insecure: Accept any certificate.
        geolocation: Latitude and longitude in degrees that pages with this permission are told.
    """

    url: Address
    start: Command | None = None
    prepare: Command | None = None
    start_seconds: Annotated[float, Field(gt=0, le=3600)] = 60.0
    variables: tuple[Variable, ...] = ()
    certificate: Text | None = None
    insecure: bool = False
    credentials: Credentials | None = None
    permissions: tuple[Permission, ...] = ()
    geolocation: tuple[Latitude, Longitude] | None = None
    reset: ResetTable | None = None
    state: StateTable
    idle: IdleTable | None = None
    finish_seconds: Annotated[float, Field(ge=0, le=600)] = 10.0

    @property
    def quiet(self) -> IdleTable | None:
        """How it says that nothing of the episode before is open or queued."""
        return (self.reset and self.reset.quiet) or self.idle

    @property
    def _channels(self) -> dict[str, _Channel]:
        """The ways behind the application, by their tables' names."""
        ways: dict[str, _Channel | None] = {
            "reset": self.reset,
            "reset.quiet": self.reset and self.reset.quiet,
        }
        ways |= {"state": self.state, "idle": self.idle}
        return {name: way for name, way in ways.items() if way}

    @model_validator(mode="after")
    def _whole(self) -> WebApp:
        _refuse(self._faults())
        return self

    def _faults(self) -> Iterator[str]:
        own = "{port}" in self.url
        if self.start and not own:
            yield "with start, url must name {port}, so that each worker has an instance of its own"
        if own and not self.start:
            yield "url names {port}, so start is missing: the program to start"
        if self.certificate and self.insecure:
            yield "give certificate or insecure, not both"
        if self.geolocation and "geolocation" not in self.permissions:
            yield 'geolocation needs permissions = ["geolocation"]'
        if self.prepare and not self.start:
            yield "prepare belongs to start"
        if self.reset and self.reset.restart and not self.start:
            yield "reset.restart belongs to start"
        if self.reset and self.reset.database and not (self.start or self.reset.source):
            yield "reset.from is missing: the SQLite file that is copied back"
        yield from self._reachable()
        texts = [("url", self.url), *(("start", each) for each in self.start or ())]
        texts += [("prepare", each) for each in self.prepare or ()]
        yield from (fault for key, text in texts for fault in _braces(key, text, set(FILLED) - {*_AT_RESET}))
        texts = [(name, each) for name, way in self._channels.items() for each in way.texts()]
        yield from (fault for key, text in texts for fault in _braces(key, text, set(FILLED)))
        used = {name for _, text in texts for name in _BRACES.findall(text)}
        if not self.start and (wrong := sorted(used & {"data", "port"})):
            yield f"{{{wrong[0]}}} belongs to start"

    def _reachable(self) -> Iterator[str]:
        """Yield the HTTP calls that the agent's browser could make as well."""
        for key, channel in self._channels.items():
            if channel.url and _origin(channel.url) == _origin(self.url) and not channel.guarded:
                yield (
                    f"{key}.url lies where the agent's browser may go; use another port, or add a header with a "
                    f'secret, such as headers = {{ Authorization = "Bearer ${{TOKEN}}" }}'
                )


class AppFile(WebApp):
    """An `environment.toml` of a web application."""

    name: Name | None = None
    driver: Literal["chromium"] = "chromium"
    requires: tuple[str, ...] = ()


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _braces(key: str, text: str, known: set[str]) -> Iterator[str]:
    for name in _BRACES.findall(text):
        if name not in known:
            yield f"{key}: {unknown_name('value', name, known)}"


def _refuse(faults: Iterator[str]) -> None:
    if told := list(faults):
        raise ValueError("; ".join(told))


def filled(text: str, values: dict[str, str]) -> str:
    """Return a text with its `{names}` replaced."""
    return _BRACES.sub(lambda found: values[found[1]], text)
