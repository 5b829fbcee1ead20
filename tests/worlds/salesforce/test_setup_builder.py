"""Lightning App Builder: pages that are built, saved and activated, and the records that they show."""

from __future__ import annotations

from typing import Any

import lxml.html
import pytest

from salesforce_org import flexipages
from salesforce_org.metadata.objects import Objects
from salesforce_org.pages.layout import layout_of

from .setup_browser import Browser, browser, writes

BUILDER = flexipages.KIND
REVENUE = "RecordAnnualRevenueField"


class Builder:
    """The builder, open on a page."""

    def __init__(self, one: Browser, address: str) -> None:
        self.browser = one.go(address)
        self.address = one.url

    def do(self, deed: str, **values: Any) -> Builder:
        """Do something to the draft; the answer is the whole screen."""
        answer = self.browser.client.post(
            self.address, data={"do": deed, **values}, headers={"HX-Request": "true"}
        )
        assert answer.status_code == 200, answer.text
        self.browser.page = lxml.html.fromstring(answer.text)
        return self

    def send(self, path: str, **values: Any) -> str:
        """Send a dialog, and return what it says."""
        return str(self.browser.client.post(f"{self.address}/{path}", data=values).text)

    @property
    def items(self) -> list[str]:
        """The names of what stands on the page, in order."""
        found = self.browser.page.xpath("//*[@data-canvas]//*[@data-item]")
        return [str(one.get("aria-label")) for one in found]

    @property
    def tree(self) -> Any:
        """The page as it is stored."""
        return self.browser.org.component(BUILDER, "Account_Record_Page")


@pytest.fixture
def account() -> tuple[Browser, str]:
    """A browser in an org of its own, and an account whose field Active says Yes."""
    one = browser()
    id = next(row["Id"] for row in one.org.rows("Account") if row["Active__c"] == "Yes")
    return one, str(id)


@pytest.fixture
def builder(account: tuple[Browser, str]) -> Builder:
    """The builder on the page that shows accounts, with dynamic forms."""
    one, id = account
    return Builder(one, f"/visualEditor/appBuilder.app?recordId={id}").do("upgrade")


def with_filter(builder: Builder, **told: Any) -> Builder:
    """Show the annual revenue under a condition only."""
    given = {"field": "Active__c", "operator": "EQUAL", "value": "Yes", **told}
    return builder.do("select", item=REVENUE).do("done", **given)


def test_nothing_is_stored_before_it_is_saved(builder: Builder) -> None:
    """What is built is a draft; saving makes the component that a retrieve shows."""
    before = len(writes(builder.browser))
    with_filter(builder)
    assert (builder.tree, len(writes(builder.browser))) == (None, before)
    assert "Nobody sees it until it is activated" in builder.send("save")
    assert builder.tree["sobjectType"] == "Account"
    item = flexipages.find(builder.tree, REVENUE)
    assert item is not None
    assert flexipages.inner(item)["visibilityRule"]["criteria"] == [
        {"leftValue": "{!Record.Active__c}", "operator": "EQUAL", "rightValue": "Yes"}
    ]


def test_an_upgraded_page_has_the_fields_of_the_layout(builder: Builder) -> None:
    """Record Detail gives way to the layout's sections with all their fields."""
    org = builder.browser.org
    names = {one for section in layout_of(org.schema["Account"]).sections for one in section.fields}
    builder.do("tab", item="flexipage_tabset", tab="detailTab")
    assert "Record Detail" not in builder.items
    assert len([one for one in builder.items if one != "Field Section"]) >= len(names)


def test_steps_are_undone_and_done_again(builder: Builder) -> None:
    """Undo takes back one change after the other, redo does them again."""
    builder.do("tab", item="flexipage_tabset", tab="detailTab").do("remove", item=REVENUE)
    assert "Annual Revenue" not in builder.items
    assert "Annual Revenue" in builder.do("undo").items
    assert "Record Detail" in builder.do("undo").items
    assert "Annual Revenue" not in builder.do("redo").do("redo").items


def test_components_and_fields_are_added_where_they_belong(builder: Builder) -> None:
    """A field goes below the selected one, a component into a region; a field without a section is refused."""
    builder.do("tab", item="flexipage_tabset", tab="detailTab").do("panel", panel="fields")
    builder.do("select", item=REVENUE).do("add", what="field", name="CreatedDate")
    after = builder.items.index("Annual Revenue") + 1
    assert builder.items[after] == "Created Date"
    builder.do("add", what="component", name="flexipage:richText", region="sidebar", at="0")
    assert "Rich Text" in builder.items
    empty = Builder(builder.browser, "/lightning/setup/FlexiPageList/page?address=%2Fnew")
    empty.browser.send("Done", kind="RecordPage", label="Bare", object="Account", template=_template())
    empty.address = empty.browser.url
    assert (
        "Fields go into field sections"
        in lxml.html.tostring(empty.do("add", what="field", name="Name").browser.page).decode()
    )


def _template() -> str:
    one = flexipages.TEMPLATES[0]
    return f"{one.type}/{one.name}"


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({"field": ""}, "Select a field."),
        ({"field": "AnnualRevenue", "operator": "CONTAINS"}, "Select an operator."),
        ({"field": "AnnualRevenue", "operator": "GT", "value": "much"}, "Enter a number."),
        ({"value": ""}, "Enter a value."),
    ],
)
def test_what_is_no_filter(builder: Builder, told: dict[str, str], problem: str) -> None:
    """A filter needs a field, an operator that fits it, and a value of its kind."""
    with_filter(builder, **told)
    assert problem in builder.browser.text
    builder.send("save")
    assert "visibilityRule" not in str(builder.tree)


def test_an_active_page_shows_a_field_under_its_condition(
    account: tuple[Browser, str], builder: Builder
) -> None:
    """As the org's default it shows the field where the rule holds, and hides it elsewhere; details and forms alike."""
    one, id = account
    with_filter(builder).send("save")
    builder.send("activation", do="org", factors="Large Small")
    address = f"/lightning/r/Account/{id}"
    assert "Annual Revenue" in one.go(f"{address}/view").text
    one.org.update(id, Active__c="No")
    assert "Annual Revenue" not in one.go(f"{address}/view").text
    assert "Annual Revenue" not in one.go(f"{address}/edit").text
    assert "Account Name" in one.go(f"{address}/view").text


def test_an_active_page_shows_its_texts(account: tuple[Browser, str], builder: Builder) -> None:
    """A Rich Text component is a card of its region, cleaned of everything but formatting."""
    one, id = account
    text = "<p>Call <b>before noon</b><script>alert(1)</script></p>"
    for region in ("header", "main", "sidebar"):
        builder.do("add", what="component", name="flexipage:richText", region=region, at="0")
        builder.do("set", name="richTextValue", value=text)
    builder.send("save")
    builder.send("activation", do="org", factors="Large Small")
    page = one.go(f"/lightning/r/Account/{id}/view").page
    cards = page.xpath("//article[@aria-label='Rich Text']")
    assert [card.text_content().strip() for card in cards] == ["Call before noon"] * 3
    assert {card.find(".//b").text for card in cards} == {"before noon"}


def test_an_active_page_says_what_is_required_and_what_is_only_shown(
    account: tuple[Browser, str], builder: Builder
) -> None:
    """A required field must be filled, a read-only one cannot be entered, in the form and on save."""
    one, id = account
    builder.do("tab", item="flexipage_tabset", tab="detailTab")
    for name, behavior in ((REVENUE, "required"), (REVENUE.replace("AnnualRevenue", "Phone"), "readonly")):
        builder.do("select", item=name).do("set", name="uiBehavior", value=behavior)
    builder.send("save")
    builder.send("activation", do="org", factors="Large Small")
    before = one.org.get("Account", id) or {}
    one.go(f"/lightning/r/Account/{id}/edit")
    assert not one.page.xpath("//input[@name='Phone']")
    one.send("Save", AnnualRevenue="", status=200)
    assert "Complete this field." in one.text
    form = {"AnnualRevenue": "7", "Phone": "1", "Name": before["Name"]}
    one.client.post(f"/lightning/r/Account/{id}/edit", data=form)
    after = one.org.get("Account", id) or {}
    assert (after["AnnualRevenue"], after["Phone"]) == (7, before["Phone"])


def test_activation_is_taken_back(builder: Builder) -> None:
    """Without its assignments the object is as it was, and the page can be deleted."""
    org = builder.browser.org
    before = Objects().read(org, "Account")
    builder.send("save")
    builder.send("activation", do="org", factors="Large")
    assert flexipages.active(org, "Account", "standard__Sales") == "Account_Record_Page"
    setup = builder.browser.go("/lightning/setup/FlexiPageList/home")
    assert "is active" in setup.send("Del Account Record Page").text
    builder.send("activation", do="remove")
    assert Objects().read(org, "Account") == before
    setup.go("/lightning/setup/FlexiPageList/home").send("Del Account Record Page")
    assert builder.tree is None


def test_an_app_has_its_own_page(builder: Builder) -> None:
    """A page that is an app's default shows records in that app only."""
    org = builder.browser.org
    builder.send("save")
    builder.send("activation", do="apps", apps="standard__LightningSales", factors="Large")
    assert flexipages.active(org, "Account", "standard__LightningSales") == "Account_Record_Page"
    assert flexipages.active(org, "Account", "standard__Sales") is None


@pytest.mark.parametrize(
    ("logic", "shown"),
    [("", False), ("1 OR 2", True), ("NOT 1", False), ("2 AND NOT 2", False), ("1 AND", False)],
)
def test_rules_combine_their_criteria(logic: str, shown: bool) -> None:
    """All criteria hold, or as the logic says; logic that cannot be read hides."""
    org = browser().org
    row = {"Name": "Acme", "AnnualRevenue": 700}
    criteria = [
        {"leftValue": "{!Record.Name}", "operator": "CONTAINS", "rightValue": "cme"},
        {"leftValue": "{!Record.AnnualRevenue}", "operator": "GT", "rightValue": "5,000"},
    ]
    rule = {"visibilityRule": {"criteria": criteria, **({"booleanFilter": logic} if logic else {})}}
    item = {"fieldInstance": {"fieldItem": "Record.Name", **rule}}
    assert flexipages.visible(org, org.schema["Account"], row, item) is shown
