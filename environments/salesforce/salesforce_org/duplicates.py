"""Records that are likely the same, as matching rules find them; duplicate rules warn of them or refuse them.

Custom matching rules and all duplicate rules are metadata components; the standard matching rules are built in here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from salesforce_org.list_views import Filter
from salesforce_org.pages.lists.conditions import holds
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.store import DmlError
from salesforce_org.store.org import Org, Record, Tree

PEOPLE = ("Contact", "Lead")
_FORMS = re.compile(
    r"\b(inc|incorporated|llc|ltd|limited|corp|corporation|co|company|gmbh|plc)\b\.?", re.IGNORECASE
)
_LIKE = 0.85  # of two texts that people would take for the same
_STREETS = {
    "st": "street",
    "str": "street",
    "ave": "avenue",
    "av": "avenue",
    "rd": "road",
    "blvd": "boulevard",
}
_STREETS |= {
    "dr": "drive",
    "ln": "lane",
    "sq": "square",
    "hwy": "highway",
    "apt": "apartment",
    "ste": "suite",
}


@dataclass(frozen=True, slots=True)
class Found:
    """Records that a duplicate rule finds.

    Attributes:
        blocks: Whether the record may not be saved at all; else it is saved when its author insists.
    """

    records: tuple[Record, ...]
    alert: str
    blocks: bool


def find_duplicates(
    org: Org, object: str, given: Mapping[str, Any], old: Record | None = None
) -> Found | None:
    """Return the records that a new or changed one seems to repeat, where a duplicate rule says so.

    Args:
        given: Its fields.
        old: The record as it is, where it exists; what is not changed is not looked at again.
    """
    if old is not None and all(old.get(name) == value for name, value in given.items()):
        return None
    whole = {**(old or {}), **given}
    rules = [
        rule for name, rule in org.components("DuplicateRule").items() if name.partition(".")[0] == object
    ]
    rules = [
        rule for rule in rules if rule["isActive"] and _speaks(rule, old) and _fits(org, object, rule, whole)
    ]
    rules.sort(key=lambda one: int(one["sortOrder"]))
    hits = [(rule, found) for rule in rules if (found := _matches(org, rule, whole))]
    if not hits:
        return None
    blocking = [rule for rule, _ in hits if rule[_action(old)] == "Block"]
    records = {row["Id"]: row for _, found in hits for row in found}
    alert = [*blocking, hits[0][0]][0].get("alertText") or ""
    return Found(tuple(records.values()), alert, bool(blocking))


def refuse_duplicates(org: Org, object: str, given: Mapping[str, Any], old: Record | None = None) -> None:
    """Refuse a record that a duplicate rule finds, unless it may be saved and the caller insists.

    Raises:
        DmlError: It is found.
    """
    found = find_duplicates(org, object, given, old)
    if found and (found.blocks or not org.saves_duplicates):
        raise DmlError("DUPLICATES_DETECTED", found.alert)


def _action(old: Record | None) -> str:
    return "actionOnInsert" if old is None else "actionOnUpdate"


def _speaks(rule: Tree, old: Record | None) -> bool:
    """Whether a rule says anything to whoever saves; one that only reports does not."""
    operations = rule.get("operationsOnInsert" if old is None else "operationsOnUpdate", ())
    return rule[_action(old)] == "Block" or "Alert" in operations


def _fits(org: Org, object: str, rule: Tree, whole: Mapping[str, Any]) -> bool:
    """Whether a record fulfils the conditions of a duplicate rule."""
    told = rule.get("duplicateRuleFilter") or {}
    items = sorted(told.get("duplicateRuleFilterItems", ()), key=lambda one: int(one["sortOrder"]))
    record = {**dict.fromkeys((one.name for one in org.schema[object].fields if one.stored), None), **whole}
    tests = [
        holds(org, org.schema[object], Filter(one["field"], one["operation"], one.get("value", "")))
        for one in items
    ]
    return _together(told.get("booleanFilter", ""), [test(record) for test in tests])


def _together(logic: str, holding: list[bool]) -> bool:
    """Combine conditions as filter logic says; without it, or where it does not fit them, all must hold."""
    try:
        return parsed(logic, len(holding))(lambda number: holding[number - 1]) if logic else all(holding)
    except LogicError:
        return all(holding)


def _matches(org: Org, rule: Tree, whole: Mapping[str, Any]) -> list[Record]:
    found = []
    for one in rule.get("duplicateRuleMatchRules", ()):
        other = one["matchRuleSObjectType"]
        same = _matching(org, other, one["matchingRule"])
        given = {**whole, **_mapped(one.get("objectMapping") or {}, whole)}
        rows = (row for row in org.rows(other) if not row.get("IsConverted"))
        found += [row for row in rows if row["Id"] != whole.get("Id") and same and same(given, row)]
    return found


def _mapped(mapping: Tree, whole: Mapping[str, Any]) -> dict[str, Any]:
    return {one["outputField"]: whole.get(one["inputField"]) for one in mapping.get("mappingFields", ())}


Same = Callable[[Mapping[str, Any], Record], bool]


def _matching(org: Org, other: str, name: str) -> Same | None:
    """Return whether two records are the same by an active matching rule; None where there is no such rule."""
    row = next(org.rows("MatchingRule", SobjectType=other, DeveloperName=name), None)
    if row is None or row["RuleStatus"] != "Active":
        return None
    for rule in (org.component("MatchingRules", other) or {}).get("matchingRules", ()):
        if rule["fullName"] == name:
            return lambda given, row: _by_items(rule, given, row)
    if other == "Account":
        return lambda given, row: (
            bool(_company(given.get("Name"))) and _company(given["Name"]) == _company(row["Name"])
        )
    return lambda given, row: _same_person(org, given, row)


def _by_items(rule: Tree, given: Mapping[str, Any], row: Record) -> bool:
    holding = [
        same_value(
            one["matchingMethod"],
            given.get(one["fieldName"]),
            row.get(one["fieldName"]),
            blank=one.get("blankValueBehavior") == "MatchBlanks",
        )
        for one in rule["matchingRuleItems"]
    ]
    return _together(rule.get("booleanFilter", ""), holding)


@lru_cache(1 << 16)
def _plain(text: Any) -> str:
    return " ".join(str(text or "").casefold().split())


@lru_cache(1 << 16)
def _company(text: Any) -> str:
    return _plain(re.sub(r"[^\w\s]", " ", _FORMS.sub(" ", str(text or ""))))


def same_value(method: str, one: Any, other: Any, *, blank: bool = False) -> bool:
    """Whether two values of a field match by a method of matching rules; `blank` says whether two blanks do."""
    texts = _plain(one), _plain(other)
    if not all(texts):
        return blank and not any(texts)
    return _METHODS[method](*texts)


def _alike(one: str, other: str) -> bool:
    return one == other or SequenceMatcher(None, one, other).ratio() >= _LIKE


def _first_name(one: str, other: str) -> bool:
    initial = min(len(one.rstrip(".")), len(other.rstrip("."))) == 1 and one[0] == other[0]
    return initial or _alike(one, other)


def _phone(one: str, other: str) -> bool:
    digits = [re.sub(r"\D", "", text)[-10:] for text in (one, other)]
    return bool(digits[0]) and digits[0] == digits[1]


def _street(text: str) -> str:
    return " ".join(_STREETS.get(word, word) for word in re.sub(r"[^\w\s]", " ", text).split())


_METHODS: Mapping[str, Callable[[str, str], bool]] = {
    "Exact": lambda one, other: one == other,
    "FirstName": _first_name,
    "LastName": _alike,
    "CompanyName": lambda one, other: _alike(_company(one), _company(other)),
    "Phone": _phone,
    "City": _alike,
    "Street": lambda one, other: _alike(_street(one), _street(other)),
    "Zip": lambda one, other: one[:5] == other[:5],
    "Title": _alike,
}


def _same_person(org: Org, given: Mapping[str, Any], row: Record) -> bool:
    if _plain(given.get("LastName")) != _plain(row["LastName"]):
        return False
    if _plain(given.get("FirstName")) != _plain(row["FirstName"]):
        return False
    emails = _plain(given.get("Email")), _plain(row["Email"])
    if all(emails):
        return emails[0] == emails[1]
    companies = _employer(org, given), _employer(org, row)
    return companies[0] == companies[1] or not all(companies)


def _employer(org: Org, row: Mapping[str, Any]) -> str:
    account = org.get("Account", row.get("AccountId"))
    return _company(row.get("Company") or (account["Name"] if account else None))
