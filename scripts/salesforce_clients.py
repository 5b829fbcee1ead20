"""Write docs/salesforce-clients.md: requests of other clients and the responses of the emulated org.

scripts/salesforce-clients
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import io
import json
import os
import platform
import re
import shlex
import subprocess
import tempfile
import textwrap
import time
import zipfile
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from pprint import pprint
from typing import Any

from simple_salesforce import Salesforce

from pytest_cuabench.drivers.salesforce.simple import connect
from pytest_cuabench.drivers.worlds import World, find_world

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = Path(__file__).with_name("jsforce_expressions.js")
PAGE = ROOT / "docs" / "salesforce-clients.md"
FOLDER = Path(os.environ.get("CUABENCH_SALESFORCE_CLI") or Path.home() / ".cache/cuabench/salesforce-cli")
QUIET = {"SF_DISABLE_TELEMETRY": "true", "SF_AUTOUPDATE_DISABLE": "true", "SF_SKIP_NEW_VERSION_CHECK": "true"}
LONGEST, WIDEST = 16, 150
HEAD = """\
# Salesforce's and other clients with the emulated org

Written by `scripts/salesforce-clients` from the org of seed 0; the tests are `tests/worlds/salesforce/test_cli.py`,
`test_metadata_soap.py` and `test_api_*.py`. simple-salesforce speaks REST, Bulk 1 (JSON), Bulk 2 and, through zeep,
Metadata; jsforce REST, Bulk 1 (CSV), SOAP, Metadata and Tooling; salesforce-bulk Bulk 1 (CSV) of version 40.0.
Answers are trimmed to {lines} lines; addresses and keys are replaced.
"""
MANIFEST = '<Package xmlns="http://soap.sforce.com/2006/04/metadata">{0}<version>62.0</version></Package>\n'
FIELD = """\
<CustomField xmlns="http://soap.sforce.com/2006/04/metadata">
    <fullName>Level__c</fullName>
    <label>Level</label>
    <length>10</length>
    <type>Text</type>
</CustomField>
"""


@dataclass
class Transcript:
    """The page as it grows; `secrets` are texts that are replaced."""

    secrets: Mapping[str, str]
    parts: list[str] = field(default_factory=list)

    def head(self, text: str) -> None:
        """Begin a part."""
        self.parts.append(f"\n## {text}\n")

    def add(self, language: str, asked: str, answered: str, seconds: float) -> None:
        """Note a question, its answer, and how long it took."""
        for secret, name in self.secrets.items():
            answered = answered.replace(secret, name)
        lines = [line.rstrip()[:WIDEST] for line in plain(answered).splitlines() if line.strip()]
        more = len(lines) - LONGEST
        if more > 0:  # what a project command did stands at its end, after how it went on
            ended = "sf project" in asked
            lines = (
                [f"... {more} lines", *lines[-LONGEST:]]
                if ended
                else [*lines[:LONGEST], f"... {more} more lines"]
            )
        self.parts.append(f"\n```{language}\n{asked}\n```\n```text\n" + "\n".join(lines) + "\n```\n")
        print(f"{seconds:6.1f} s  {asked.splitlines()[0]}")


def plain(text: str) -> str:
    """Return what a program wrote without colours, and without what differs from run to run."""
    bare = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
    return re.sub(
        r"\b\d+(\.\d+)?m?s\b", "0ms", re.sub(r"(?m)^.*Warning: Using insecure protocol.*$", "", bare)
    )


# simple-salesforce


def deployed(sf: Salesforce, files: Mapping[str, str]) -> Any:
    """Deploy files as a zip and return the status of that."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    id, _ = sf.mdapi.deploy(buffer, sandbox=False)
    return sf.mdapi.check_deploy_status(id)


def retrieved(sf: Salesforce, **members: list[str]) -> Any:
    """Retrieve components and return the state and the names of the files."""
    id, _ = sf.mdapi.retrieve("", unpackaged=members)
    state, _, messages, raw = sf.mdapi.retrieve_zip(id)
    return state, messages, zipfile.ZipFile(io.BytesIO(raw)).namelist()


def trip(sf: Salesforce) -> Any:
    """Make a custom object with a field, a record of it, and delete all again."""
    api = sf.mdapi
    name = api.CustomField(label="Trip Name", type=api.FieldType("Text"))
    told = {"label": "Trip", "pluralLabel": "Trips", "nameField": name}
    shared = {"deploymentStatus": "Deployed", "sharingModel": api.SharingModel("ReadWrite")}
    api.CustomObject.create([api.CustomObject(fullName="Trip__c", **told, **shared)])
    days = {"label": "Days", "type": api.FieldType("Number"), "precision": 4, "scale": 0}
    api.CustomField.create([api.CustomField(fullName="Trip__c.Days__c", **days)])
    made = sf.Trip__c.create({"Name": "Rome", "Days__c": 3})
    found = sf.query("SELECT Name, Days__c FROM Trip__c")["records"][0]
    api.CustomObject.delete(["Trip__c"])
    return made["success"], found["Name"], found["Days__c"]


ROLE = {
    "package.xml": MANIFEST.format("<types><members>Scribe</members><name>Role</name></types>"),
    "roles/Scribe.role": '<Role xmlns="http://soap.sforce.com/2006/04/metadata"><name>Scribe</name></Role>',
}
LIBRARY: list[tuple[str, Callable[[Salesforce], Any]]] = [
    (
        'sf.query("SELECT Name, Account.Name FROM Contact WHERE AccountId != null ORDER BY Name LIMIT 2")',
        lambda sf: sf.query(
            "SELECT Name, Account.Name FROM Contact WHERE AccountId != null ORDER BY Name LIMIT 2"
        ),
    ),
    (
        'sf.Account.create({"Name": "Made by a library"})',
        lambda sf: sf.Account.create({"Name": "Made by a library"}),
    ),
    (
        'sf.bulk.Lead.insert([{"LastName": "A", "Company": "B"}])',
        lambda sf: sf.bulk.Lead.insert([{"LastName": "A", "Company": "B"}]),
    ),
    (
        'sf.bulk2.Account.query("SELECT Id, Name FROM Account LIMIT 2")',
        lambda sf: list(sf.bulk2.Account.query("SELECT Id, Name FROM Account LIMIT 2")),
    ),
    (
        'sf.toolingexecute("query", params={"q": "SELECT QualifiedApiName FROM EntityDefinition LIMIT 2"})',
        lambda sf: sf.toolingexecute(
            "query", params={"q": "SELECT QualifiedApiName FROM EntityDefinition LIMIT 2"}
        ),
    ),
    (
        "len(sf.mdapi.describe_metadata().metadataObjects)",
        lambda sf: len(sf.mdapi.describe_metadata().metadataObjects),
    ),
    ('sf.mdapi.Role.read(["CFO"])', lambda sf: sf.mdapi.Role.read(["CFO"])),
    ("# a custom object with a field, a record of it, and away again", trip),
    ("sf.mdapi.deploy(roles_scribe_zip)  # and its status", lambda sf: deployed(sf, ROLE)),
    ('sf.mdapi.retrieve("", unpackaged={"Role": ["*"]})', lambda sf: retrieved(sf, Role=["*"])),
]


def library(page: Transcript, address: str, token: str) -> None:
    """Note what simple-salesforce can do."""
    version = importlib.metadata.version("simple-salesforce")
    page.head(
        f"simple-salesforce {version} (zeep {importlib.metadata.version('zeep')}, Python {platform.python_version()})"
    )
    sf = connect(address, token)
    for asked, ask in LIBRARY:
        begun, shown = time.monotonic(), io.StringIO()
        with redirect_stdout(shown):
            pprint(ask(sf), width=110, sort_dicts=False)
        page.add("python", asked, shown.getvalue(), time.monotonic() - begun)


# jsforce, which the CLI brings along

EXPRESSIONS = [
    "await login()",
    "await login('wrong')",
    "await org.query('SELECT Name, BillingAddress FROM Account ORDER BY Name LIMIT 1')",
    "await org.bulk.load('Account', 'insert', [{Name: 'Bulk A'}, {Name: 'Bulk B'}])",
    "await org.sobject('Account').listviews().then((one) => one.listviews.map((view) => view.label))",
    "await org.sobject('Lead').create({LastName: 'Li', Company: 'Tea House'}).then((lead) => org.soap.convertLead("
    "{leadId: lead.id, convertedStatus: 'Qualified'}))",
    "await org.metadata.read('Role', 'CFO')",
    "await org.tooling.sobject('ValidationRule').create({FullName: 'Account.Never', Metadata: "
    "{active: true, errorConditionFormula: 'false', errorMessage: 'No'}})",
    "await org.tooling.query('SELECT ValidationName, Active FROM ValidationRule')",
    "await org.tooling.executeAnonymous('System.debug(1);').then((one) => one.compileProblem)",
]


def javascript(page: Transcript, address: str, keys: Mapping[str, str]) -> None:
    """Note what jsforce can do."""
    modules = FOLDER / "node_modules"
    about = json.loads((modules / "@jsforce/jsforce-node/package.json").read_text())
    page.head(f"jsforce {about['version']}")
    node = next(modules.glob("node-*/bin/node"))
    secrets = keys["access_token"], keys["username"], keys["password"] + keys["security_token"]
    for asked in EXPRESSIONS:
        begun = time.monotonic()
        done = subprocess.run(
            [node, SCRIPT, address, *secrets, asked.removeprefix("await ")],
            env=os.environ | {"NODE_PATH": str(modules)},
            capture_output=True,
            text=True,
            check=True,
        )
        (answer,) = json.loads(done.stdout)
        shown = answer if isinstance(answer, str) else json.dumps(answer, indent=1)
        page.add("javascript", asked, shown, time.monotonic() - begun)


# salesforce-bulk


def older_bulk(page: Transcript, address: str, token: str) -> None:
    """Note what salesforce-bulk can do, where it is installed."""
    try:
        from salesforce_bulk import CsvDictsAdapter, SalesforceBulk
    except ImportError:
        print("left out: pip install salesforce-bulk")
        return
    page.head(f"salesforce-bulk {importlib.metadata.version('salesforce-bulk')}")
    bulk = SalesforceBulk(sessionId=token, host=address)
    job = bulk.create_insert_job("Account", contentType="CSV")
    steps: list[tuple[str, Callable[[], Any]]] = [
        (
            'batch = bulk.post_batch(job, CsvDictsAdapter(iter([{"Name": "C"}, {"Site": "East"}])))',
            lambda: bulk.post_batch(
                job, CsvDictsAdapter(iter([{"Name": "C", "Site": ""}, {"Name": "", "Site": "East"}]))
            ),
        ),
        ("bulk.get_batch_results(batch, job)", lambda: bulk.get_batch_results(next(iter(bulk.batches)), job)),
        ("bulk.job_status(job)", lambda: bulk.job_status(job)),
    ]
    for asked, ask in steps:
        begun, shown = time.monotonic(), io.StringIO()
        with redirect_stdout(shown):
            pprint(ask(), width=110, sort_dicts=False)
        page.add("python", asked, shown.getvalue(), time.monotonic() - begun)


# The CLI

COMMANDS = [
    'data query --query "SELECT Name, Account.Name FROM Contact ORDER BY Name LIMIT 3"',
    'data query --query "SELECT Name, (SELECT LastName FROM Contacts) FROM Account ORDER BY Name LIMIT 3"',
    'data query --query "SELECT StageName, COUNT(Id) n FROM Opportunity GROUP BY StageName"',
    """data create record --sobject Account --values "Name='Made by the CLI'\"""",
    """data update record --sobject Account --where "Name='Made by the CLI'" --values Phone=555-0100""",
    """data delete record --sobject Account --where "Name='Made by the CLI'\"""",
    "sobject describe --sobject Lead",
    "org list metadata --metadata-type Role",
    "project retrieve start --manifest package.xml",
    "project deploy start --manifest changes.xml",
    'data query --query "SELECT Name, Level__c FROM Account LIMIT 2"',
    "project deploy start --manifest empty.xml --post-destructive-changes changes.xml",
    "project generate manifest --from-org org",
    "org list limits",
]


@dataclass(frozen=True)
class Shell:
    """The CLI in a project of its own."""

    project: Path

    def run(self, words: str, **variables: str) -> str:
        """Run a command and return what it wrote."""
        bins = [*(FOLDER / "node_modules").glob("node-*/bin"), FOLDER / "node_modules" / ".bin"]
        path = os.pathsep.join([*map(str, bins), os.environ["PATH"]])
        own = {"HOME": str(self.project.parent), "PATH": path, "CI": "true", "NO_COLOR": "1"}
        done = subprocess.run(
            ["sf", *shlex.split(words)],
            cwd=self.project,
            env=os.environ | QUIET | own | variables,
            capture_output=True,
            text=True,
            timeout=300,
        )
        if done.returncode:
            raise SystemExit(f"sf {words}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def written(self) -> str:
        """Return how many components of each type are named in the manifest of the whole org."""
        types = re.findall(r"<types>.*?</types>", (self.project / "package.xml").read_text(), re.DOTALL)
        names = ((re.findall("<name>(.*?)</name>", one)[0], one.count("<members>")) for one in types)
        return "\n".join(f"{name}: {count}" for name, count in names)

    def prepare(self) -> None:
        """Write a project with manifests and one new field."""
        fields = self.project / "force-app/main/default/objects/Account/fields"
        fields.mkdir(parents=True)
        # Without a version the CLI asks Salesforce's own site for one, and fails where there is no way to it.
        told = {"packageDirectories": [{"path": "force-app", "default": True}], "sourceApiVersion": "62.0"}
        (self.project / "sfdx-project.json").write_text(json.dumps(told))
        some = {"Role": "CFO", "Queue": "*", "PermissionSetGroup": "*", "StandardValueSet": "LeadStatus"}
        listed = "".join(
            f"<types><members>{one}</members><name>{kind}</name></types>" for kind, one in some.items()
        )
        level = "<types><members>Account.Level__c</members><name>CustomField</name></types>"
        for name, types in (("package", listed), ("changes", level), ("empty", "")):
            (self.project / f"{name}.xml").write_text(MANIFEST.format(types))
        (fields / "Level__c.field-meta.xml").write_text(FIELD)


def command_line(page: Transcript, address: str, token: str, home: Path) -> None:
    """Note what the CLI can do."""
    shell = Shell(home / "project")
    shell.prepare()
    page.head(shell.run("--version").strip())
    login = "org login access-token --instance-url http://ORG --no-prompt --alias org"
    begun = time.monotonic()
    answered = shell.run(login.replace("http://ORG", address), SF_ACCESS_TOKEN=token)
    page.add("console", f"$ SF_ACCESS_TOKEN=TOKEN sf {login}", answered, time.monotonic() - begun)
    for words in COMMANDS:
        begun = time.monotonic()
        answered = shell.run(words if "--from-org" in words else f"{words} --target-org org")
        answered += shell.written() if "--from-org" in words else ""
        page.add("console", f"$ sf {words}", answered, time.monotonic() - begun)


async def main() -> None:
    """Start an org, ask both clients, and write the page."""
    if not (FOLDER / "node_modules" / ".bin" / "sf").exists():
        raise SystemExit("salesforce-clients: type: scripts/install-salesforce-cli")
    world = World(find_world("salesforce"))
    try:
        await world.applications()  # starts it
        keys = await world.call("POST", "/sessions", {"application": "salesforce", "seed": 0})
        address = re.sub(r"//[^:/]+", "//127.0.0.1", keys["origin"])
        token = keys["access_token"]
        page = Transcript({address: "http://ORG", token: "TOKEN", token.partition("!")[2]: "TOKEN"})
        with tempfile.TemporaryDirectory() as home:
            await asyncio.to_thread(library, page, address, token)
            await asyncio.to_thread(javascript, page, address, keys)
            await asyncio.to_thread(older_bulk, page, address, token)
            await asyncio.to_thread(command_line, page, address, token, Path(home))
    finally:
        await world.close()
    PAGE.write_text(textwrap.dedent(HEAD).format(lines=LONGEST) + "".join(page.parts), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
