"""What further clients, which nobody here wrote, can do with a running org: jsforce and salesforce-bulk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .jsforce_client import evaluate
from .world_process import OrgSession, running


@pytest.fixture(scope="module")
def org(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OrgSession]:
    """A running program with one org."""
    with running(tmp_path_factory.mktemp("org") / "control") as world, world.open() as session:
        yield session


def test_jsforce_signs_in_and_reads_what_pages_need(org: OrgSession) -> None:
    """SOAP sign-in with its fault, list views, layouts, tabs, theme, changes."""
    user = org.described["username"]
    right, wrong, views, layouts, *counts = evaluate(
        org,
        "login()",
        "login('wrong')",
        "org.sobject('Account').listviews()",
        "org.sobject('Account').layouts()",
        "org.sobject('Account').compactLayouts().then(one => one.compactLayouts.length)",
        "org.sobject('Account').quickActions().then(all => all.length)",
        "org.tabs().then(all => all.length > 5 ? 1 : 0)",
        "org.theme().then(one => one.themeItems.length > 5 ? 1 : 0)",
        "org.limits().then(one => one.DailyApiRequests.Max > 0 ? 1 : 0)",
        "org.process.approval.list().then(one => Object.keys(one).length)",
    )
    assert right == user
    assert "INVALID_LOGIN: Invalid username, password, security token; or user locked out." in wrong
    assert (len(views["listviews"]), len(layouts["layouts"])) == (5, 1)
    assert counts == [1, 0, 1, 1, 1, 0]


def test_jsforce_writes_over_bulk_soap_metadata_and_tooling(org: OrgSession) -> None:
    """Bulk 1 in CSV, Bulk 2, merge, undelete, components made and read, Apex that does not compile."""
    loaded, queried, second, merged, undeleted, made, rule, apex = evaluate(
        org,
        "org.bulk.load('Account', 'insert', [{Name: 'Bulk A'}, {Name: 'Bulk B'}])",
        "(async () => { const rows = []; for await (const one of await org.bulk.query("
        "\"SELECT Name FROM Account WHERE Name LIKE 'Bulk %'\")) rows.push(one.Name); return rows; })()",
        "org.bulk2.loadAndWaitForResults({object: 'Account', operation: 'insert', input: [{Name: 'C'}],"
        " pollInterval: 50}).then(one => one.successfulResults.length)",
        "org.sobject('Account').create([{Name: 'M'}, {Name: 'N'}]).then(([m, n]) => org.soap.merge("
        "{masterRecord: {type: 'Account', Id: m.id}, recordToMergeIds: [n.id]})).then(one => one.success)",
        "org.sobject('Account').create({Name: 'U'}).then(async one => { await org.sobject('Account').destroy(one.id);"
        " return (await org.soap.undelete([one.id]))[0].success; })",
        "org.metadata.create('CustomField', {fullName: 'Account.J__c', label: 'J', type: 'Text', length: 10})"
        ".then(async () => (await org.metadata.read('CustomField', 'Account.J__c')).label)",
        "org.tooling.sobject('ValidationRule').create({FullName: 'Account.R', Metadata: {active: false,"
        " errorConditionFormula: 'false', errorMessage: 'x'}}).then(one => org.tooling.sobject('ValidationRule')"
        ".destroy(one.id)).then(one => one.success)",
        "org.tooling.executeAnonymous('x').then(one => one.compileProblem)",
    )
    assert [one["success"] for one in loaded] == [True, True]
    assert queried == ["Bulk A", "Bulk B"]
    assert (second, merged, undeleted, made, rule) == (1, True, True, "J", True)
    assert apex.startswith("Apex is not enabled")


@pytest.fixture
def bulk(org: OrgSession) -> Any:
    """salesforce-bulk, with an access token; it speaks version 40.0."""
    library = pytest.importorskip("salesforce_bulk", reason="pip install salesforce-bulk")
    return library.SalesforceBulk(sessionId=org.described["access_token"], host=org.world.url)


def test_salesforce_bulk_writes_and_queries(bulk: Any) -> None:
    """Jobs are in XML, batches in CSV and JSON."""
    adapter = pytest.importorskip("salesforce_bulk").CsvDictsAdapter
    job = bulk.create_insert_job("Account", contentType="CSV")
    batch = bulk.post_batch(job, adapter(iter([{"Name": "Py A"}, {"Name": "Py B"}])))
    bulk.wait_for_batch(job, batch)
    assert [one.success for one in bulk.get_batch_results(batch, job)] == ["true", "true"]
    bulk.close_job(job)
    for content in ("CSV", "JSON"):
        job = bulk.create_query_job("Account", contentType=content)
        batch = bulk.query(job, "SELECT Name FROM Account WHERE Name LIKE 'Py %'")
        bulk.close_job(job)
        assert bulk.is_batch_done(batch)
        (found,) = bulk.get_all_results_for_query_batch(batch)
        assert b"Py A" in found.read()
