"""Salesforce's own command line moves records in bulk and in trees, searches, and opens the org."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import urlsplit

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


def test_a_table_is_imported_exported_and_deleted(cli: Cli, org: OrgSession) -> None:
    """Jobs of the Bulk interface, there and back; the export is what the deletion is told."""
    (cli.project / "in.csv").write_text("Name,Site\nBulk One,East\nBulk Two,West\n")
    done = cli.on_org("data", "import", "bulk", "--sobject", "Account", "--file", "in.csv", "--wait", "2")
    assert (done["successfulRecords"], done["failedRecords"]) == (2, 0)
    query = "SELECT Id FROM Account WHERE Name LIKE 'Bulk %'"
    cli.on_org("data", "export", "bulk", "--query", query, "--output-file", "out.csv", "--wait", "2")
    ids = (cli.project / "out.csv").read_text().replace('"', "").split()[1:]
    assert set(ids) <= set(org.rows("Account"))
    assert len(ids) == 2
    cli.on_org("data", "delete", "bulk", "--sobject", "Account", "--file", "out.csv", "--wait", "2")
    assert not set(ids) & set(org.rows("Account"))


def test_a_tree_is_imported_and_found(cli: Cli) -> None:
    """A file of nested records is stored, and a search finds it."""
    leaf = {"attributes": {"type": "Contact", "referenceId": "leaf"}, "LastName": "Zephyrine"}
    root = {"attributes": {"type": "Account", "referenceId": "root"}, "Name": "Zephyr Mills"}
    tree = {"records": [{**root, "Contacts": {"records": [leaf]}}]}
    (cli.project / "tree.json").write_text(json.dumps(tree))
    made = cli.on_org("data", "import", "tree", "--files", "tree.json")
    assert {one["refId"] for one in made} == {"root", "leaf"}
    found = cli.on_org(
        "data", "search", "--query", "FIND {zephyr*} RETURNING Account(Name), Contact(LastName)"
    )
    names = {one.get("Name") or one.get("LastName") for one in found["searchRecords"]}
    assert names == {"Zephyr Mills", "Zephyrine"}


def test_the_org_is_opened(cli: Cli, org: OrgSession) -> None:
    """The link that the command line gives signs a browser in at the session's own host."""
    url = str(cli.on_org("org", "open", "--url-only", "--path", "/lightning/o/Lead/list")["url"])
    assert url.startswith(f"{org.described['origin']}/secur/frontdoor.jsp?")
    with org.browser() as browser:
        parts = urlsplit(url)
        entered = browser.get(f"{parts.path}?{parts.query}")
        assert entered.headers["location"] == "/lightning/o/Lead/list"
