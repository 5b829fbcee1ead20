"""Fields of list views as the metadata calls them (`OPPORTUNITY.STAGE_NAME`), and back to the schema's names."""

from __future__ import annotations

import re
from functools import cache

from salesforce_org.store import SObject

PREFIX = {"Case": "CASES", "Product2": "PRODUCT2", "Pricebook2": "PRICEBOOK2"}
PERSON = {"Name": "FULL_NAME", "Phone": "PHONE1", "MobilePhone": "PHONE3", "HomePhone": "PHONE4"}
OWN = {
    "Account": {
        "Phone": "ACCOUNT.PHONE1",
        "Fax": "ACCOUNT.PHONE2",
        "Website": "ACCOUNT.URL",
        "AnnualRevenue": "SALES",
        "NumberOfEmployees": "EMPLOYEES",
        "ParentId": "ACCOUNT.PARENT_NAME",
        "BillingStreet": "ACCOUNT.ADDRESS1_STREET",
        "BillingCity": "ACCOUNT.ADDRESS1_CITY",
        "BillingState": "ACCOUNT.ADDRESS1_STATE",
        "BillingPostalCode": "ACCOUNT.ADDRESS1_ZIP",
        "BillingCountry": "ACCOUNT.ADDRESS1_COUNTRY",
    },
    "Contact": {one: word if word == "FULL_NAME" else f"CONTACT.{word}" for one, word in PERSON.items()},
    "Lead": {
        "Name": "FULL_NAME",
        "Phone": "LEAD.PHONE",
        "MobilePhone": "LEAD.MOBILE_PHONE",
        "CampaignId": "CAMPAIGN.NAME",
    },
    "Case": {"ContactId": "NAME"},
    "Campaign": {"Name": "CAMPAIGN.NAME"},
    "Task": {"ActivityDate": "TASK.DUE_DATE", "WhoId": "TASK.WHO_NAME", "WhatId": "TASK.WHAT_NAME"},
}
EVERYWHERE = {
    "AccountId": "ACCOUNT.NAME",
    "CampaignId": "CAMPAIGN.NAME",
    "OwnerId": "CORE.USERS.FULL_NAME",
    "Owner.Alias": "CORE.USERS.ALIAS",
    "CreatedById": "CREATEDBY_USER.ALIAS",
    "LastModifiedById": "UPDATEDBY_USER.ALIAS",
    "CreatedDate": "CREATED_DATE",
    "LastModifiedDate": "LAST_UPDATE",
}


def token(kind: SObject, name: str) -> str:
    """Return what the metadata calls a field of a list view."""
    return _tokens(kind.name, tuple(one.name for one in kind.fields)).get(name, name)


def field_name(kind: SObject, told: str) -> str:
    """Return the name that a layout uses for what the metadata calls a field; itself where it is one."""
    if kind.field(told) is not None or kind.parent(told.partition(".")[0]) is not None:
        found = kind.field(told)
        return found.name if found else told
    names = tuple(one.name for one in kind.fields)
    back = {one: name for name, one in _tokens(kind.name, names).items()}
    if told in back:
        return back[told]
    bare = told.rpartition(".")[2].replace("_", "").casefold()
    return next((name for name in names if name.casefold() in (bare, f"{bare}id")), told)


@cache
def _tokens(object: str, names: tuple[str, ...]) -> dict[str, str]:
    prefix = PREFIX.get(object, object.upper())
    if object.endswith("__c"):
        return {"Name": "NAME", **{name: _dated("", name) for name in EVERYWHERE}}
    plain = {name: f"{prefix}.{_snake(name)}" for name in names if not name.endswith("__c")}
    shared = {name: _dated(prefix, name) for name in (*names, "Owner.Alias") if name in EVERYWHERE}
    return plain | shared | OWN.get(object, {})


def _dated(prefix: str, name: str) -> str:
    known = EVERYWHERE[name]
    return f"{prefix}.{known}" if prefix and name in ("CreatedDate", "LastModifiedDate") else known


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()
