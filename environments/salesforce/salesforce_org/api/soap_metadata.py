"""`/services/Soap/m`: the Metadata API. What is asked for is done at once; jobs are finished when they are told of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar
from xml.etree.ElementTree import Element

from salesforce_org.access import is_administrator
from salesforce_org.api import soap
from salesforce_org.api.soap import METADATA, SoapCall, SoapFault
from salesforce_org.metadata.deploy import Deployment, Options, deploy
from salesforce_org.metadata.listing import listed
from salesforce_org.metadata.package import decode, read_manifest, unpack
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.retrieve import Retrieval, retrieve
from salesforce_org.store import Org, ids

MOST_JOBS = 20
MOST_LISTS = 3
Job = TypeVar("Job")
Operation = Callable[[SoapCall], str]
OPERATIONS: dict[str, Operation] = {}


@dataclass
class Jobs:
    """The last deployments and retrievals of a session by id, and how many there have been."""

    deployments: dict[str, Deployment] = field(default_factory=dict)
    retrievals: dict[str, Retrieval] = field(default_factory=dict)
    made: int = 0

    def id(self, prefix: str) -> str:
        """Return the id of the next job."""
        self.made += 1
        return ids.make(prefix, self.made)


def operation(handler: Operation) -> Operation:
    """Register a function for the operation that it is called after, without what follows an underscore."""
    OPERATIONS[handler.__name__.rstrip("_")] = handler
    return handler


@soap.service("m", METADATA)
def metadata(call: SoapCall) -> str:
    """Answer an operation.

    Raises:
        OrgError: It is refused.
    """
    handler = OPERATIONS.get(call.operation)
    if handler is None:
        raise SoapFault("soapenv:Client", f"No operation available for request {call.operation[:80]}")
    _admit(call.org, call.user_id)
    return handler(call)


def _admit(org: Org, user_id: str) -> None:
    if not is_administrator(org, user_id):
        raise SoapFault(
            "INSUFFICIENT_ACCESS",
            "use of the Metadata API requires a user with the ModifyAllData or ModifyMetadata permissions",
        )


def flag(element: Element | None, name: str, default: bool = False) -> bool:
    """Return a boolean child of an element, in any case of letters."""
    if element is None:
        return default
    told = soap.text(element, name).strip().casefold()
    return told in ("true", "1") if told else default


@operation
def describeMetadata(call: SoapCall) -> str:
    """Tell which types there are."""
    objects = [
        {
            **({"childXmlNames": list(type.children.values())} if type.children else {}),
            "directoryName": type.folder,
            "inFolder": type.in_folders,
            "metaFile": type.content,
            "suffix": type.suffix,
            "xmlName": type.name,
        }
        for type in TYPES.values()
        if not type.parent and not type.is_folder
    ]
    told = {"metadataObjects": objects, "organizationNamespace": ""}
    return call.result(told | {"partialSaveAllowed": True, "testRequired": False})


@operation
def listMetadata(call: SoapCall) -> str:
    """List the components of up to three types."""
    queries = list(soap.children(call.envelope.body, "queries"))
    if len(queries) > MOST_LISTS:
        raise SoapFault(
            "EXCEEDED_ID_LIMIT", f"record limit reached. cannot submit more than {MOST_LISTS} queries"
        )
    asked = ((soap.text(one, "type"), soap.text(one, "folder")) for one in queries)
    return call.result(*(told for kind, folder in asked for told in listed(call.org, kind, folder)))


@operation
def retrieve_(call: SoapCall) -> str:
    """Gather the components that a manifest names."""
    # The CLI calls the element `request`, the description of the interface `retrieveRequest`.
    request = next(iter(call.envelope.body), call.envelope.body)
    wanted = next(soap.children(request, "unpackaged"), None)
    if wanted is None:
        raise SoapFault("INVALID_PACKAGE_NAME", "No package named and nothing asked for in unpackaged")
    jobs = call.session.part(Jobs)
    id = jobs.id("09S")
    version = soap.text(request, "apiVersion") or call.version
    manifest = read_manifest(wanted, version)
    done = retrieve(call.org, id, manifest, single=flag(request, "singlePackage"))
    _keep(jobs.retrievals, id, done)
    return call.result({"done": False, "id": id, "state": "Queued"})


@operation
def checkRetrieveStatus(call: SoapCall) -> str:
    """Tell what a retrieval gathered."""
    found = _job(call, call.session.part(Jobs).retrievals)
    return call.result(found.told(with_zip=flag(call.envelope.body, "includeZip", True)))


@operation
def deploy_(call: SoapCall) -> str:
    """Write a package into the org."""
    body = call.envelope.body
    files = unpack(decode(soap.text(body, "ZipFile")))
    told = next(soap.children(body, "DeployOptions"), None)
    options = Options(
        check_only=flag(told, "checkOnly"),
        rollback_on_error=flag(told, "rollbackOnError"),
        ignore_warnings=flag(told, "ignoreWarnings"),
        allow_missing_files=flag(told, "allowMissingFiles"),
        purge_on_delete=flag(told, "purgeOnDelete"),
    )
    jobs = call.session.part(Jobs)
    id = jobs.id("0Af")
    _keep(jobs.deployments, id, deploy(call.org, id, files, options))
    return call.result({"done": False, "id": id, "state": "Queued"})


@operation
def checkDeployStatus(call: SoapCall) -> str:
    """Tell what became of a deployment."""
    found = _job(call, call.session.part(Jobs).deployments)
    return call.result(found.told(details=flag(call.envelope.body, "includeDetails")))


@operation
def cancelDeploy(call: SoapCall) -> str:
    """Refuse to cancel: a deployment is finished before anybody can ask."""
    ids = call.texts("String") + call.texts("id")
    found = call.session.part(Jobs).deployments.get(ids[0] if ids else "")
    if found is None:
        raise SoapFault("INVALID_ID_FIELD", "invalid cross reference id")
    raise SoapFault("INVALID_CROSS_REFERENCE_KEY", f"Deployment already completed: {found.status}")


def _keep(jobs: dict[str, Job], id: str, job: Job) -> None:
    jobs[id] = job
    while len(jobs) > MOST_JOBS:
        del jobs[next(iter(jobs))]


def _job(call: SoapCall, jobs: dict[str, Job]) -> Job:
    asked = (call.texts("asyncProcessId") or [""])[0].strip()
    found = next((job for id, job in jobs.items() if asked and id.startswith(asked)), None)
    if found is None:
        raise SoapFault("INVALID_ID_FIELD", f"invalid cross reference id: {asked[:18]}")
    return found
