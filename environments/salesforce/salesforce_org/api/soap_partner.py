"""The partner interface, and the enterprise and tooling interfaces as far as they are the same.

Sign-in and writes are here; `soap_queries`, `soap_describe`, `passwords` and `apex` register further operations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element

from salesforce_org.api import dml
from salesforce_org.api.collections import attempt
from salesforce_org.api.merging import merged
from salesforce_org.api.soap import SoapCall, SoapFault, children, service, text
from salesforce_org.api.soap_records import read, sent
from salesforce_org.assignment import ASSIGNED, assign
from salesforce_org.lead_conversion import Conversion, convert
from salesforce_org.soql import virtual
from salesforce_org.store import SObject, ids
from salesforce_org.store.errors import NotThere, OrgError

PARTNER = "urn:partner.soap.sforce.com"
ENTERPRISE = "urn:enterprise.soap.sforce.com"
TOOLING = "urn:tooling.soap.sforce.com"
MOST = 200
Operation = Callable[[SoapCall], str]
OPERATIONS: dict[str, Operation] = {}


def operation(name: str) -> Callable[[Operation], Operation]:
    """Register the function of an operation."""

    def register(function: Operation) -> Operation:
        OPERATIONS[name] = function
        return function

    return register


@service("u", PARTNER, "urn:fault.partner.soap.sforce.com")
@service("c", ENTERPRISE, "urn:fault.enterprise.soap.sforce.com")
@service("T", TOOLING, "urn:fault.tooling.soap.sforce.com")
def partner(call: SoapCall) -> str:
    """Answer an operation."""
    if call.operation not in OPERATIONS:
        raise SoapFault("soapenv:Client", f"No operation available for request {call.operation[:80]}")
    return OPERATIONS[call.operation](call)


@operation("login")
def login(call: SoapCall) -> str:
    """Give a session id for username, password and security token, which have been found right."""
    session = call.session
    base = f"{call.origin}/services/Soap"
    told = {
        "metadataServerUrl": f"{base}/m/{call.version}/{session.org_id}",
        "passwordExpired": False,
        "sandbox": bool(next(call.org.rows("Organization")).get("IsSandbox")),
        "serverUrl": f"{base}/{call.letter}/{call.version}/{session.org_id}",
        "sessionId": session.access.issue(session.org_id, call.user_id),
        "userId": call.user_id,
    }
    return call.result({**told, "userInfo": _user_info(call)})


@operation("logout")
def logout(call: SoapCall) -> str:
    """End a session id."""
    call.session.access.tokens.pop(call.envelope.session_id, None)
    return "<logoutResponse/>"


@operation("getUserInfo")
def user_info(call: SoapCall) -> str:
    """Tell who the acting user is."""
    return call.result(_user_info(call))


@operation("getServerTimestamp")
def timestamp(call: SoapCall) -> str:
    """Tell the org's time."""
    return call.result({"timestamp": call.org.now.strftime("%Y-%m-%dT%H:%M:%S.000Z")})


@operation("merge")
def merge(call: SoapCall) -> str:
    """Merge up to two records into a third one of the same object."""
    # jsforce calls the element `mergeRequests`, the description of the interface `request`.
    return _each(call, list(call.envelope.body), lambda element: _merged(call, element))


def _merged(call: SoapCall, element: Element) -> dict[str, Any]:
    master = next(children(element, "masterRecord"), None)
    kind, table = read(call, Element("none") if master is None else master)
    id = full_id(str(table.pop("Id", "") or ""))
    others = [full_id(one.text or "") for one in children(element, "recordToMergeIds")]
    if others:
        moved = merged(call.org, kind, id, others, table)
    else:
        raise OrgError("REQUIRED_FIELD_MISSING", "recordToMergeIds must be specified", ("recordToMergeIds",))
    return {"id": id, "mergedRecordIds": others, "success": True, "updatedRelatedIds": moved}


@operation("create")
def create(call: SoapCall) -> str:
    """Store new records."""

    def one(element: Element) -> dict[str, Any]:
        kind, table = read(call, element)
        table.pop("Id", None)
        id = dml.create(call.org, kind, table)
        if kind.name in ASSIGNED and "AssignmentRuleHeader" in call.envelope.headers:
            assign(call.org, kind.name, id)
        return {"id": id, "success": True}

    return _each(call, sent(call), one)


@operation("update")
def update(call: SoapCall) -> str:
    """Change records."""

    def one(element: Element) -> dict[str, Any]:
        kind, table = read(call, element)
        id = str(table.pop("Id", "") or "")
        if not id:
            raise OrgError("MISSING_ARGUMENT", "Id not specified in an update call")
        dml.change(call.org, kind, id, table)
        return {"id": ids.full(id), "success": True}

    return _each(call, sent(call), one)


@operation("upsert")
def upsert(call: SoapCall) -> str:
    """Change the records that an external id names, or store new ones."""
    name = text(call.envelope.body, "externalIDFieldName", "Id") or "Id"

    def one(element: Element) -> dict[str, Any]:
        kind, table = read(call, element)
        key = dml.external_key(kind, name)
        id, new = dml.upsert(call.org, kind, key, str(table.get(key.name) or ""), table)
        return {"created": new, "id": id, "success": True}

    return _each(call, sent(call), one)


@operation("delete")
def delete(call: SoapCall) -> str:
    """Put records into the recycle bin."""

    def one(id: str) -> dict[str, Any]:
        kind = _kind_of(call, id)
        if kind is None:
            raise NotThere("invalid cross reference id", "INVALID_CROSS_REFERENCE_KEY")
        dml.remove(call.org, kind, id)
        return {"id": id, "success": True}

    return _each(call, call.texts("ids") or call.texts("ID"), _by_id(one))


def _kind_of(call: SoapCall, id: str) -> SObject | None:
    computed = (one.object for one in virtual.tables(True).values()) if call.letter == "T" else ()
    return next((one for one in computed if one.prefix == id[:3]), None) or call.org.schema.of_id(id)


@operation("undelete")
def undelete(call: SoapCall) -> str:
    """Take records back from the recycle bin."""

    def one(id: str) -> dict[str, Any]:
        call.org.undelete(id)
        return {"id": id, "success": True}

    return _each(call, call.texts("ids") or call.texts("ID"), _by_id(one))


@operation("emptyRecycleBin")
def empty(call: SoapCall) -> str:
    """Take records out of the recycle bin for good."""

    def one(id: str) -> dict[str, Any]:
        call.org.purge(id)
        return {"id": id, "success": True}

    return _each(call, call.texts("ids") or call.texts("ID"), _by_id(one))


@operation("convertLead")
def convert_lead(call: SoapCall) -> str:
    """Convert leads into accounts, contacts and opportunities."""

    def one(element: Element) -> dict[str, Any]:
        done = convert(call.org, _conversion(element))
        return {
            "accountId": done.account_id,
            "contactId": done.contact_id,
            "leadId": done.lead_id,
            "opportunityId": done.opportunity_id,
            "success": True,
        }

    return _each(call, list(children(call.envelope.body, "leadConverts")), one)


def _conversion(element: Element) -> Conversion:
    def true(name: str) -> bool:
        return text(element, name).strip() in ("true", "1")

    return Conversion(
        lead_id=text(element, "leadId"),
        status=text(element, "convertedStatus"),
        account_id=text(element, "accountId"),
        contact_id=text(element, "contactId"),
        opportunity_id=text(element, "opportunityId"),
        opportunity_name=text(element, "opportunityName"),
        with_opportunity=not true("doNotCreateOpportunity"),
        owner_id=text(element, "ownerId"),
        overwrite_source=true("overwriteLeadSource"),
    )


def full_id(told: str) -> str:
    """Return an id in its 18 characters.

    Raises:
        OrgError: The text is not an id.
    """
    try:
        return ids.full(told.strip())
    except ValueError:
        raise OrgError("MALFORMED_ID", f"malformed id {told[:40]}") from None


def _each(call: SoapCall, asked: list[Any], one: Callable[[Any], dict[str, Any]]) -> str:
    """Do something with each, wholly or not at all; with AllOrNoneHeader one refusal takes all back."""
    if len(asked) > MOST:
        raise SoapFault("EXCEEDED_ID_LIMIT", f"record limit reached. cannot submit more than {MOST} records")
    results = [_result(call, attempt(call.org, lambda each=each: one(each))) for each in asked]  # type: ignore[misc]
    header = call.envelope.headers.get("AllOrNoneHeader")
    whole = header is not None and text(header, "allOrNone").strip() in ("true", "1")
    if whole and not all(one["success"] for one in results):
        raise SoapFault("ALL_OR_NONE_OPERATION_ROLLED_BACK", "One record was refused, so nothing was changed")
    return call.result(*results)


def _result(call: SoapCall, told: dict[str, Any]) -> dict[str, Any]:
    """Return a result in the order that the interface's types prescribe."""
    if told["success"]:
        return told
    errors = [
        {"fields": one["fields"], "message": one["message"], "statusCode": one["statusCode"]}
        for one in told["errors"]
    ]
    if call.operation != "convertLead":
        return {"errors": errors, "id": None, "success": False}
    made, later = dict.fromkeys(("accountId", "contactId")), dict.fromkeys(("leadId", "opportunityId"))
    return {**made, "errors": errors, **later, "success": False}


def _by_id(one: Callable[[str], dict[str, Any]]) -> Callable[[str], dict[str, Any]]:
    return lambda told: one(full_id(told))


def _user_info(call: SoapCall) -> dict[str, Any]:
    user = call.org.get("User", call.user_id) or {}
    organization = next(call.org.rows("Organization"))
    return {
        "accessibilityMode": False,
        "chatterExternal": False,
        "currencySymbol": "$",
        "orgAttachmentFileSizeLimit": 5_242_880,
        "orgDefaultCurrencyIsoCode": "USD",
        "orgDefaultCurrencyLocale": "en_US",
        "orgDisallowHtmlAttachments": False,
        "orgHasPersonAccounts": False,
        "organizationId": call.session.org_id,
        "organizationMultiCurrency": False,
        "organizationName": organization["Name"],
        "profileId": user.get("ProfileId"),
        "roleId": user.get("UserRoleId"),
        "sessionSecondsValid": 7200,
        "userDefaultCurrencyIsoCode": None,
        "userEmail": user.get("Email"),
        "userFullName": call.org.name_of(call.user_id),
        "userId": call.user_id,
        "userLanguage": user.get("LanguageLocaleKey") or "en_US",
        "userLocale": user.get("LocaleSidKey") or "en_US",
        "userName": user.get("Username"),
        "userTimeZone": user.get("TimeZoneSidKey") or str(call.org.zone),
        "userType": "Standard",
        "userUiSkin": "Theme3",
    }
