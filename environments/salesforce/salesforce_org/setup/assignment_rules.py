"""Assignment rules of cases and leads: rules, one of which is active, with entries in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from starlette.responses import Response

from salesforce_org.assignment import KIND, owner_of
from salesforce_org.metadata.records import said
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.criteria import fields, of_tree, sentence, stored
from salesforce_org.setup.forms import CANCEL, SAVE, SAVE_AND_NEW, Form, Input, Section, submit
from salesforce_org.setup.shown import named
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, listing, related, show_list
from salesforce_org.store import DmlError, Org
from salesforce_org.store.org import Tree

RULES, ENTRIES = "assignmentRule", "ruleEntry"
_TYPES = (Choice("Queue", "Queue"), Choice("User", "User"))


@dataclass(frozen=True, slots=True)
class RulePages:
    """The pages of one object's rules.

    Attributes:
        about: The objects whose fields criteria may be about, beside the object itself.
    """

    node: str
    object: str
    about: tuple[str, ...]

    @property
    def label(self) -> str:
        """What one is called."""
        return f"{self.object} Assignment Rule"

    def register(self) -> None:
        """Put the pages at their addresses."""
        area = Area(self.node)
        area.get("/home")(self.home)
        area.get("/new")(lambda page: self._rule_form(page, None).show(page))
        area.post("/new")(lambda page: self.save_rule(page, None))
        area.get("/rule/{name}")(self.detail)
        area.get("/rule/{name}/e")(lambda page: self._rule_form(page, _name(page)).show(page))
        area.post("/rule/{name}/e")(lambda page: self.save_rule(page, _name(page)))
        area.post("/rule/{name}/delete")(self.delete)
        area.get("/rule/{name}/entry/{number}")(lambda page: self._entry_form(page).show(page))
        area.post("/rule/{name}/entry/{number}")(self.save_entry)
        area.post("/rule/{name}/entry/{number}/delete")(self.delete_entry)

    def home(self, page: SetupVisit) -> Response:
        """Show all rules."""
        columns = (
            Column("Rule Name", lambda one: Cell(one["fullName"], page.link(_address(one["fullName"])))),
            Column("Active", lambda one: bool(one.get("active"))),
            Column("Rule Entries", lambda one: str(len(one.get(ENTRIES, ())))),
        )
        table = listing(
            page, f"{self.label}s", columns, self._rules(page.org), lambda one: self._actions(page, one)
        )
        intro = (
            f"{self.label}s give new {self.object.lower()}s an owner. One rule at most is active; its entries are "
            "looked at in order, and the first that fits assigns the record."
        )
        return show_list(page, ListPage(f"{self.label}s", table, intro, (Action("New", page.link("/new")),)))

    def save_rule(self, page: SetupVisit, old: str | None) -> Response:
        """Store a rule; an active one takes the place of the one that was active."""

        def write(given: Mapping[str, Any]) -> str:
            rules, name = self._rules(page.org), given["name"]
            if any(one["fullName"].casefold() == name.casefold() and one["fullName"] != old for one in rules):
                raise DmlError("DUPLICATE_VALUE", "Another rule has this name", ("name",))
            kept = self._rule(page.org, old) if old else {}
            new = {**kept, "fullName": name, "active": given["active"]}
            others = [
                {**one, "active": False} if given["active"] else one
                for one in rules
                if one["fullName"] != name or one["fullName"] == old
            ]
            told = [new if one["fullName"] == old else one for one in others]
            self._put(page.org, told if old else [*others, new])
            return _address(name) if old else "/home"

        return submit(page, self._rule_form(page, old), write, back=_address(old) if old else "/home")

    def delete(self, page: SetupVisit) -> Response:
        """Delete a rule with its entries."""
        name = _name(page)
        self._put(page.org, [one for one in self._rules(page.org) if one["fullName"] != name])
        return page.go()

    def detail(self, page: SetupVisit) -> Response:
        """Show a rule with its entries."""
        rule = self._rule(page.org, _name(page))
        pairs = [("Rule Name", Cell(rule["fullName"])), ("Active", Cell(checked=bool(rule.get("active"))))]
        entries = list(enumerate(rule.get(ENTRIES, ()), 1))
        columns = (
            Column("Order", lambda one: str(one[0])),
            Column("Criteria", lambda one: _criteria(page.org, one[1])),
            Column("Assign To", lambda one: _assignee(page.org, one[1])),
            Column("Email", lambda one: one[1].get("template", "")),
        )
        table = related("Rule Entries", columns, entries, lambda one: _entry_actions(page, one[0]))
        return page.render(
            "setup/assignment_rule.html", label=self.label, name=rule["fullName"], pairs=pairs, table=table
        )

    def save_entry(self, page: SetupVisit) -> Response:
        """Store an entry at the place that its sort order says."""
        name, number = _name(page), page.params["number"]
        rule = self._rule(page.org, name)
        entries = list(rule.get(ENTRIES, ()))

        def write(given: Mapping[str, Any]) -> str:
            entry = self._entry(page.org, given)
            kept = [one for at, one in enumerate(entries, 1) if str(at) != number]
            order = int(given["order"]) if given["order"].isdecimal() else 0
            if not 1 <= order <= len(kept) + 1:
                text = f"The sort order is a number from 1 to {len(kept) + 1}"
                raise DmlError("INVALID_FIELD", text, ("order",))
            kept.insert(order - 1, entry)
            self._replace(page.org, name, {**rule, ENTRIES: kept})
            return _address(name)

        again = f"{_address(name)}/entry/new"
        return submit(page, self._entry_form(page), write, back=_address(name), again=again)

    def delete_entry(self, page: SetupVisit) -> Response:
        """Delete an entry."""
        rule = self._rule(page.org, _name(page))
        kept = [one for at, one in enumerate(rule.get(ENTRIES, ()), 1) if str(at) != page.params["number"]]
        told = {**rule, ENTRIES: kept} if kept else {key: one for key, one in rule.items() if key != ENTRIES}
        self._replace(page.org, rule["fullName"], told)
        return page.go(_address(rule["fullName"]))

    def _rules(self, org: Org) -> list[Tree]:
        return list((org.component(KIND, self.object) or {}).get(RULES, ()))

    def _rule(self, org: Org, name: str) -> Tree:
        found = next((one for one in self._rules(org) if one["fullName"] == name), None)
        if found is None:
            raise NotHere
        return found

    def _replace(self, org: Org, name: str, new: Tree) -> None:
        self._put(org, [new if one["fullName"] == name else one for one in self._rules(org)])

    def _put(self, org: Org, rules: list[Tree]) -> None:
        org.put_component(KIND, self.object, {RULES: rules} if rules else None)

    def _entry(self, org: Org, given: Mapping[str, Any]) -> dict[str, Any]:
        to = {} if given["keep"] else {"assignedTo": given["assignee"], "assignedToType": given["type"]}
        if not (given["keep"] or given["assignee"]):
            raise DmlError("REQUIRED_FIELD_MISSING", "You must enter a value", ("assignee",))
        criteria = stored(org, given["criteria"], "criteriaItems", "booleanFilter")
        return {**to, **criteria, **said(template=given["template"] or None)}

    def _actions(self, page: SetupVisit, rule: Tree) -> list[Action]:
        name = rule["fullName"]
        ask = f"Are you sure you want to delete the rule {name}?"
        return [
            Action("Edit", page.link(f"{_address(name)}/e")),
            Action("Del", page.link(f"{_address(name)}/delete"), post=True, confirm=ask),
        ]

    def _rule_form(self, page: SetupVisit, name: str | None) -> Form:
        text = f"Set this as the active {self.object.lower()} assignment rule"
        inputs = (
            Input("name", "Rule Name", required=True, length=80),
            Input("active", "Active", "checkbox", help=text),
        )
        values = {"name": name, "active": self._rule(page.org, name).get("active")} if name else {}
        title = name or f"New {self.label}"
        return Form(title, self.label, (Section("Rule Detail", inputs),), values)

    def _entry_form(self, page: SetupVisit) -> Form:
        org, rule, number = page.org, self._rule(page.org, _name(page)), page.params["number"]
        entries = rule.get(ENTRIES, ())
        at = int(number) if number.isdecimal() and len(number) < 4 else 0
        if number != "new" and not 1 <= at <= len(entries):
            raise NotHere
        entry = entries[at - 1] if at else {}
        templates = tuple(Choice(one, one) for one in sorted(org.components("EmailTemplate")))
        to = f"Step 3: Select the user or queue to assign the {self.object} to"
        sections = (
            Section(
                "Step 1: Set the order in which this rule entry will be processed",
                (Input("order", "Sort Order", required=True, length=3),),
            ),
            Section(
                "Step 2: Select the criteria for this rule entry",
                (
                    Input(
                        "criteria",
                        "Run this rule if the criteria are met",
                        "criteria",
                        True,
                        fields(org, self.object, *self.about),
                        help="Run this rule if the following criteria are met:",
                    ),
                ),
            ),
            Section(
                to,
                (
                    Input("type", "Assignee Type", "picklist", True, _TYPES, none=False),
                    Input("assignee", "Assign To", "picklist", choices=self._owners(org), depends="type"),
                    Input("keep", "Do Not Reassign Owner", "checkbox"),
                    Input("template", "Email Template", "picklist", choices=templates),
                ),
            ),
        )
        values = {
            "order": str(at or len(entries) + 1),
            "criteria": of_tree(entry.get("criteriaItems", ()), entry.get("booleanFilter")),
            "type": entry.get("assignedToType", "Queue"),
            "assignee": entry.get("assignedTo", ""),
            "keep": bool(entry) and "assignedTo" not in entry,
            "template": entry.get("template", ""),
        }
        buttons = (SAVE, SAVE_AND_NEW, CANCEL)
        return Form(rule["fullName"], "Rule Entry", sections, values, buttons)

    def _owners(self, org: Org) -> tuple[Choice, ...]:
        queues = {row["QueueId"] for row in org.rows("QueueSobject", SobjectType=self.object)}
        found = [
            Choice(row["DeveloperName"], row["Name"], "Queue")
            for row in org.rows("Group", Type="Queue")
            if row["Id"] in queues
        ]
        found += [
            Choice(row["Username"], named(org, row["Id"]), "User") for row in org.rows("User", IsActive=True)
        ]
        return tuple(sorted(found, key=lambda choice: choice.label.casefold()))


def _name(page: SetupVisit) -> str:
    return unquote(page.params["name"])


def _address(name: str) -> str:
    return f"/rule/{quote(name, safe='')}"


def _criteria(org: Org, entry: Tree) -> str:
    if "formula" in entry:
        return str(entry["formula"])
    return sentence(org, entry.get("criteriaItems", ()), entry.get("booleanFilter"))


def _assignee(org: Org, entry: Tree) -> str:
    return named(org, owner_of(org, entry)) or str(entry.get("assignedTo", "Do Not Reassign Owner"))


def _entry_actions(page: SetupVisit, number: int) -> list[Action]:
    here = f"{page.path}/entry/{number}"
    ask = f"Are you sure you want to delete rule entry {number}?"
    return [
        Action("Edit", page.link(here)),
        Action("Del", page.link(f"{here}/delete"), post=True, confirm=ask),
    ]


PAGES = (
    RulePages("CaseRules", "Case", ("Account", "Contact", "User")),
    RulePages("LeadRules", "Lead", ("User",)),
)
for one in PAGES:
    one.register()
