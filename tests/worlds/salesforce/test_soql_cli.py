"""Tables that Salesforce's command line makes of queries: it asks for the columns beside the records."""

from __future__ import annotations

import csv
from collections.abc import Iterator

import pytest

from .salesforce_cli import Cli, signed_in
from .world_process import OrgSession, running

pytestmark = pytest.mark.slow  # each command starts Node, which takes seconds


@pytest.fixture(scope="module")
def org(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OrgSession]:
    """A seeded org in a program of its own."""
    with running(tmp_path_factory.mktemp("world") / "control") as world, world.open() as session:
        yield session


@pytest.fixture(scope="module")
def cli(tmp_path_factory: pytest.TempPathFactory, org: OrgSession) -> Cli:
    """The command line, signed in by access token."""
    return signed_in(tmp_path_factory.mktemp("home"), org)


@pytest.mark.parametrize(
    ("soql", "head"),
    [
        ("SELECT Id, Owner.Name, CreatedBy.Profile.Name FROM Account LIMIT 2", "Id Owner.Name CreatedBy.Profile.Name"),
        ("SELECT StageName, COUNT(Id) n FROM Opportunity GROUP BY StageName", "StageName n"),
        ("SELECT StageName, COUNT(Id), MAX(Name) FROM Opportunity GROUP BY StageName", "StageName count(Id) max(Name)"),
        (
            "SELECT Name, (SELECT LastName FROM Contacts LIMIT 1) FROM Account "
            "WHERE Id IN (SELECT AccountId FROM Contact)",
            "Name Contacts.totalSize Contacts.records.0.LastName",
        ),
        ("SELECT Queue.Name, toLabel(SobjectType) FROM QueueSobject", "Queue.Name SobjectType"),
    ],
)  # fmt: skip
def test_tables_have_a_value_in_every_cell(cli: Cli, soql: str, head: str) -> None:
    """Columns are headed as selected, and values stand below."""
    words = ("data", "query", "--query", soql, "--result-format", "csv", "--output-file", "found.csv")
    cli.on_org(*words)
    with (cli.project / "found.csv").open(newline="") as file:
        first, *rows = csv.reader(file)
    assert first == head.split()
    assert rows
    assert all(all(row) for row in rows)
