"""List views on Lightning's pages: rows, order, filters, controls and charts."""

from __future__ import annotations

import html
import json
import re

import pytest

from salesforce_org.pages.lists.logic import LogicError, parsed

from .pages_client import PageBrowser, signed_in, words


@pytest.fixture
def browser() -> PageBrowser:
    """The administrator, on an org of its own."""
    return signed_in()


def names(page: str) -> list[str]:
    """Return the names in the first column of a list."""
    return re.findall(r'<th scope="row"><div class="slds-truncate" title="([^"]*)"', page)


def made(browser: PageBrowser, **given: str) -> str:
    """Make a list view of opportunities and return its id."""
    values = {"Name": "Big Deals", "DeveloperName": "Big_Deals", "visibility": "all", **given}
    there = browser.goes("/lightning/o/Opportunity/views/new", **values)
    assert "panel=filters" in there
    return str(browser.org.one("ListView", DeveloperName=values["DeveloperName"])["Id"])


def filtered(browser: PageBrowser, id: str, *filters: tuple[str, str, str]) -> None:
    """Give a list view of opportunities filters in its panel, each with Done, and save all of them at once."""
    address = f"/lightning/o/Opportunity/views/{id}/filters"
    drawn = browser.send(address, do="done", number="scope", chosen="Everything").text
    for name, operation, value in filters:
        typed = {"field": name, "operation": operation, "value": value}
        drawn = browser.send(address, **hidden(drawn), **typed, do="done", number="new").text
    browser.goes(address, **hidden(drawn), do="save")


def hidden(drawn: str) -> dict[str, list[str]]:
    """Return what a panel's form holds of the draft."""
    held: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', drawn):
        held.setdefault(name, []).append(html.unescape(value))
    return held


def test_a_list_is_sorted_by_its_columns(browser: PageBrowser) -> None:
    """A list begins in the order of its first column, and any other can be chosen, both ways."""
    first = names(browser.page("/lightning/o/Account/list", filterName="AllAccounts"))
    assert first == sorted(first, key=str.casefold)
    down = names(
        browser.page("/lightning/o/Account/list", filterName="AllAccounts", sort="Name", order="desc")
    )
    assert down == first[::-1]


def test_words_narrow_a_list(browser: PageBrowser) -> None:
    """Searching a list keeps the rows that hold the words."""
    found = names(browser.page("/lightning/o/Account/list", filterName="AllAccounts", search="knight l"))
    assert set(found) == {"Knight LLC", "Knight Logistics"}


def test_recently_viewed_holds_what_was_opened(browser: PageBrowser) -> None:
    """The records somebody opened are listed, the last one first."""
    assert names(browser.page("/lightning/o/Account/list")) == []
    for name in ("Knight LLC", "Old Balance"):
        browser.page(f"/lightning/r/Account/{browser.id('Account', name)}/view")
    assert names(browser.page("/lightning/o/Account/list")) == ["Old Balance", "Knight LLC"]


def test_a_pinned_list_opens_first(browser: PageBrowser) -> None:
    """A pinned list view is what the object's tab shows."""
    id = browser.org.one("ListView", SobjectType="Account", DeveloperName="AllAccounts")["Id"]
    browser.goes("/lightning/o/Account/pin", id=id)
    assert "All Accounts" in words(browser.page("/lightning/o/Account/list"))
    assert names(browser.page("/lightning/o/Account/list"))


def test_a_list_view_is_made_and_filtered(browser: PageBrowser) -> None:
    """A new list view holds what its filters let through; record and component say the same."""
    id = made(browser)
    filtered(browser, id, ("StageName", "equals", "Prospecting"), ("Amount", "greaterThan", "$40,000"))
    shown = set(names(browser.page("/lightning/o/Opportunity/list", filterName=id)))
    fitting = browser.org.rows("Opportunity", StageName="Prospecting")
    assert shown == {row["Name"] for row in fitting if (row["Amount"] or 0) > 40_000}
    assert shown
    tree = browser.org.component("ListView", "Opportunity.Big_Deals")
    assert tree is not None
    assert [one["field"] for one in tree["filters"]] == ["OPPORTUNITY.STAGE_NAME", "OPPORTUNITY.AMOUNT"]
    assert "sharedTo" in tree


def test_filter_logic_combines(browser: PageBrowser) -> None:
    """Filters can be combined by numbers, AND, OR and NOT; what cannot be read is refused."""
    id = made(browser)
    stages = [("StageName", "equals", stage) for stage in ("Prospecting", "Qualification")]
    filtered(browser, id, *stages)
    assert names(browser.page("/lightning/o/Opportunity/list", filterName=id)) == []
    address = f"/lightning/o/Opportunity/views/{id}/filters"
    draft = hidden(browser.page("/lightning/o/Opportunity/list", filterName=id, panel="filters"))
    assert "not referenced" in words(browser.send(address, **draft, do="save", logic="1").text)
    browser.goes(address, **draft, do="save", logic="1 or 2")
    rows = [
        row for row in browser.org.rows("Opportunity") if row["StageName"] in ("Prospecting", "Qualification")
    ]
    assert len(names(browser.page("/lightning/o/Opportunity/list", filterName=id))) == len(rows)


def test_what_the_filter_panel_holds_is_a_draft(browser: PageBrowser) -> None:
    """Conditions are added, changed and removed in the panel, and the list view keeps its own until Save."""
    id = made(browser)
    filtered(browser, id, ("StageName", "equals", "Prospecting"))
    address = f"/lightning/o/Opportunity/views/{id}/filters"
    kept = browser.org.component("ListView", "Opportunity.Big_Deals")
    draft = hidden(browser.page("/lightning/o/Opportunity/list", filterName=id, panel="filters"))
    asked = browser.send(
        address, **draft, do="done", number="2", field="Amount", operation="equals", value="x"
    )
    assert "Enter a number." in words(asked.text)
    changed = browser.send(
        address, **draft, do="done", number="1", field="Type", operation="equals", value=""
    )
    assert "Type equals" in words(changed.text)
    assert "Stage equals" not in words(changed.text)
    empty = browser.send(address, **draft, do="remove-1").text
    assert "Stage" not in words(empty)
    assert browser.org.component("ListView", "Opportunity.Big_Deals") == kept
    browser.goes(address, **hidden(empty), do="save")
    assert (browser.org.component("ListView", "Opportunity.Big_Deals") or {})["filters"] == []


@pytest.mark.parametrize("text", ["1 AND", "(1", "1 2", "1 XOR 2", "", "1)", "AND"])
def test_logic_that_is_none_is_refused(text: str) -> None:
    """Filter logic that does not combine all conditions is an error, never something else."""
    with pytest.raises(LogicError):
        parsed(text, 1)


def test_relative_dates_filter(browser: PageBrowser) -> None:
    """Dates can be compared with words such as NEXT 30 DAYS."""
    from salesforce_org.pages.lists.conditions import span

    today = browser.org.today()
    first, after = span(browser.org, "next 30 days")
    assert first is not None
    assert after is not None
    assert (after - first).days == 30
    assert span(browser.org, "TODAY")[0] == today
    assert span(browser.org, "one day") == (None, None)


def test_fields_to_display_are_chosen_in_order(browser: PageBrowser) -> None:
    """The chosen fields are the columns, in the chosen order; none at all is refused."""
    id = made(browser)
    address = f"/lightning/o/Opportunity/views/{id}/fields"
    browser.goes(address, columns=["Name", "LeadSource", "AccountId"])
    page = browser.page("/lightning/o/Opportunity/list", filterName=id)
    heads = re.findall(r'<span class="slds-truncate" title="([^"]+)">[^<]+</span><svg', page)
    assert heads == ["Opportunity Name", "Lead Source", "Account Name"]
    assert "Select between 1 and 15 fields." in words(browser.send(address).text)


def test_a_list_view_is_shared(browser: PageBrowser) -> None:
    """Sharing with a role is in the component; making it private takes it out."""
    id = made(browser)
    address = f"/lightning/o/Opportunity/views/{id}/sharing"
    browser.goes(address, visibility="groups", sharedTo=["role:CFO"])
    tree = browser.org.component("ListView", "Opportunity.Big_Deals")
    assert tree is not None
    assert tree["sharedTo"] == {"role": ["CFO"]}
    browser.goes(address, visibility="private")
    tree = browser.org.component("ListView", "Opportunity.Big_Deals")
    assert tree is not None
    assert "sharedTo" not in tree


def test_a_list_view_is_renamed_cloned_and_deleted(browser: PageBrowser) -> None:
    """The gear's other items keep record and component together."""
    id = made(browser)
    address = f"/lightning/o/Opportunity/views/{id}"
    browser.goes(f"{address}/rename", Name="Huge Deals", DeveloperName="Huge_Deals")
    assert browser.org.component("ListView", "Opportunity.Big_Deals") is None
    assert browser.org.one("ListView", DeveloperName="Huge_Deals")["Id"] == id
    browser.goes(f"{address}/clone", Name="Copy", DeveloperName="Copy_of_it", visibility="all")
    browser.goes(f"{address}/delete")
    assert browser.org.get("ListView", id) is None
    assert browser.org.component("ListView", "Opportunity.Huge_Deals") is None
    assert browser.org.one("ListView", DeveloperName="Copy_of_it")


def test_names_of_list_views_are_checked(browser: PageBrowser) -> None:
    """A taken or malformed API name is refused at its field."""
    made(browser)
    for name, sentence in (("Big_Deals", "taken"), ("1 bad", "must begin with a letter")):
        answered = browser.send("/lightning/o/Opportunity/views/new", Name="X", DeveloperName=name)
        assert sentence in words(answered.text)


def test_a_chart_is_stored_as_it_can_be_queried(browser: PageBrowser) -> None:
    """A new chart is a record with object and fields by API name, and an instance on the list."""
    view = browser.org.one("ListView", SobjectType="Opportunity", DeveloperName="AllOpportunities")
    given = {
        "ChartType": "pie",
        "MasterLabel": "By Account",
        "AggregateType": "Sum",
        "AggregateField": "Opportunity.Amount",
        "GroupingField": "Opportunity.AccountId",
    }
    address = f"/lightning/o/Opportunity/views/{view['Id']}/chart"
    dialog = words(browser.part(address))
    assert "Account Name" in dialog
    there = browser.goes(address, **given)
    chart = browser.org.one("ListViewChart", MasterLabel="By Account")
    assert {name: chart[name] for name in given} == given
    assert (chart["SobjectType"], chart["DeveloperName"]) == ("Opportunity", "By_Account")
    instance = browser.org.one(
        "ListViewChartInstance", ListViewContextId=view["Id"], ListViewChartId=chart["Id"]
    )
    assert (instance["Label"], instance["SourceEntity"]) == ("By Account", "Opportunity")
    page = browser.page(there)
    assert "<path d=" in page


def test_a_sum_needs_numbers(browser: PageBrowser) -> None:
    """A chart that would add up texts is refused at its field."""
    view = browser.org.one("ListView", SobjectType="Lead", DeveloperName="AllOpenLeads")
    given = {"ChartType": "vbar", "MasterLabel": "X", "AggregateType": "Sum", "GroupingField": "Lead.Status"}
    answered = browser.send(
        f"/lightning/o/Lead/views/{view['Id']}/chart", **given, AggregateField="Lead.Company"
    )
    assert "Select a field that holds numbers" in words(answered.text)


CHART = {
    "ChartType": "vbar",
    "MasterLabel": "Deals",
    "AggregateType": "Count",
    "AggregateField": "Opportunity.Amount",
    "GroupingField": "Opportunity.Name",
}


def chart_address(browser: PageBrowser) -> str:
    """Return the address of new charts of all opportunities."""
    view = browser.org.one("ListView", SobjectType="Opportunity", DeveloperName="AllOpportunities")
    return f"/lightning/o/Opportunity/views/{view['Id']}/chart"


def test_a_chart_offers_the_fields_that_fit(browser: PageBrowser) -> None:
    """Only numbers can be added up; texts can be counted; a field that still fits stays chosen."""
    address = f"{chart_address(browser)}/fields"
    summed = browser.part(address, AggregateType="Sum", AggregateField="Opportunity.Amount")
    assert 'name="AggregateField" value="Opportunity.Amount"' in summed
    assert "Lead Source" not in words(summed)
    counted = browser.part(address, AggregateType="Count", AggregateField="Opportunity.Description")
    assert 'name="AggregateField" value=""' in counted
    assert "Lead Source" in words(counted)


@pytest.mark.parametrize("name", list(CHART))
def test_a_chart_is_made_of_what_is_offered(browser: PageBrowser, name: str) -> None:
    """What no list offers is refused at its field, and so is nothing at all."""
    address = chart_address(browser)
    assert "Complete this field." in words(browser.send(address, **CHART | {name: ""}).text)
    if name != "MasterLabel":
        assert "Select a value of the list." in words(browser.send(address, **CHART | {name: "Else"}).text)
    assert not list(browser.org.rows("ListViewChart"))


def test_small_groups_are_drawn_together(browser: PageBrowser) -> None:
    """A chart of many groups draws the largest ones, and all others as one; nothing gets lost."""
    page = browser.page(browser.goes(chart_address(browser), **CHART))
    legend = page.partition('aria-label="Deals values"')[2]
    shown = re.findall(r'title="([^"]*)">[^<]*</div></th><td class="slds-text-align_right">(\d+)<', legend)
    assert len(shown) == 12
    assert shown[-1][0] == "Other"
    counted = [row for row in browser.org.rows("Opportunity") if row["Amount"] is not None]
    assert sum(int(number) for _, number in shown) == len(counted)
    assert "Count of Amount by Opportunity Name" in words(page)


def test_a_chart_is_drawn_in_another_shape(browser: PageBrowser) -> None:
    """The gear draws a chart in another shape and stores nothing."""
    there = browser.goes(chart_address(browser), **CHART)
    assert "<rect" in browser.page(there)
    page = browser.page(f"{there}&shape=pie")
    assert "<path d=" in page
    assert "Donut Chart" in words(page)
    assert browser.org.one("ListViewChart", MasterLabel="Deals")["ChartType"] == "vbar"


def test_selected_records_change_owner_together(browser: PageBrowser) -> None:
    """A mass action needs rows and changes all of them."""
    assert "Select at least one record" in words(browser.part("/lightning/o/Account/owner"))
    ids = [browser.id("Account", name) for name in ("Knight LLC", "Old Balance")]
    to = browser.id("User", "John Doe")
    browser.goes("/lightning/o/Account/owner", ids=",".join(ids), OwnerId=to)
    rows = [browser.org.get("Account", id) for id in ids]
    assert [row["OwnerId"] for row in rows if row] == [to, to]


def test_selected_records_are_deleted_all_or_none(browser: PageBrowser) -> None:
    """When one of the selected records cannot go, none goes, and the dialog says why."""
    loose, held = (browser.org.insert("Account", Name=name) for name in ("Loose", "Held"))
    browser.org.insert("Contract", AccountId=held, StartDate="2027-01-01", ContractTerm=12, Status="Draft")
    answered = browser.send("/lightning/o/Account/delete", ids=f"{loose},{held}")
    assert "could not be completed" in words(answered.text)
    assert browser.org.get("Account", loose) is not None
    browser.goes("/lightning/o/Account/delete", ids=loose)
    assert browser.org.get("Account", loose) is None


CELLS = "/lightning/o/Opportunity/cells"


def test_cells_that_people_can_fill_are_edited_in_a_list(browser: PageBrowser) -> None:
    """Fields of a record have a pencil; owners, fields of others and the list of recent records have none."""
    browser.page(f"/lightning/r/Opportunity/{browser.id('Opportunity', 'Cloud Software Deal')}/view")
    page = browser.page("/lightning/o/Opportunity/list", filterName="AllOpportunities")
    assert set(re.findall(r'data-edit="([^"]+)"', page)) == {
        *("Name", "AccountId", "Amount", "CloseDate", "StageName", "Probability")
    }
    assert "data-edit" not in browser.page("/lightning/o/Opportunity/list")


def test_a_cell_has_the_editor_of_its_field(browser: PageBrowser) -> None:
    """The editor holds the value, or the draft; with several rows selected it offers to change all of them."""
    id = browser.id("Opportunity", "Cloud Software Deal")
    address = f"/lightning/r/Opportunity/{id}/cell"
    assert 'value="Prospecting"' in browser.part(address, name="StageName")
    drafted = {"t.Amount": "17", "selected": "3"}
    editor = browser.part(address, name="Amount", **drafted)
    assert 'value="17"' in editor
    assert "Update 3 selected items" in words(editor)
    assert browser.client.get(f"{address}?name=OwnerId").status_code == 404


def test_changed_cells_are_saved_together(browser: PageBrowser) -> None:
    """Save writes the cells of all rows and leads back to the list."""
    ids = [browser.id("Opportunity", name) for name in ("Cloud Software Deal", "Maintenance Contract")]
    here = "/lightning/o/Opportunity/list?filterName=AllOpportunities&sort=Amount"
    changes = {f"{ids[0]}.Amount": "$1,234", f"{ids[0]}.StageName": "Qualification", f"{ids[1]}.Amount": ""}
    answered = browser.send(CELLS, here, **changes)
    assert answered.headers["hx-redirect"] == here
    rows = [browser.org.get("Opportunity", id) or {} for id in ids]
    assert [(row["Amount"], row["StageName"]) for row in rows] == [
        (1234, "Qualification"),
        (None, "Id. Decision Makers"),
    ]
    assert browser.toasts() == ["Your changes are saved."]


def test_a_row_that_is_refused_says_why(browser: PageBrowser) -> None:
    """The other rows are saved; the refused one is named with what is wrong at which field."""
    ids = [browser.id("Opportunity", name) for name in ("Cloud Software Deal", "Maintenance Contract")]
    answered = browser.send(
        CELLS, **{f"{ids[0]}.Amount": "9", f"{ids[1]}.CloseDate": "", f"{ids[1]}.Name": "N"}
    )
    detail = json.loads(answered.headers["hx-trigger"])["cells-refused"]
    assert json.loads(detail["rows"]) == {ids[1]: {"CloseDate": "Complete this field."}}
    first, second = (browser.org.get("Opportunity", id) or {} for id in ids)
    assert (first["Amount"], second["Name"]) == (9, "Maintenance Contract")


BOARD = {"filterName": "AllOpportunities", "display": "kanban"}


def headings(page: str) -> list[str]:
    """Return the headings of a board's columns, each with its sum."""
    heads = re.findall(r'<header class="org-board__head">(.*?)</header>', page, re.DOTALL)
    return [words(one) for one in heads]


def test_a_board_has_a_column_for_each_stage(browser: PageBrowser) -> None:
    """Each stage, the closed ones too, has its label, the number of its records and the sum of their amounts."""
    rows = list(browser.org.rows("Opportunity"))
    field = browser.org.schema["Opportunity"].field("StageName")
    assert field is not None
    expected = []
    for stage in (one for one in browser.org.picklist(field) if one.active):
        amounts = [row["Amount"] or 0 for row in rows if row["StageName"] == stage.value]
        expected.append(f"{stage.label} ({len(amounts)}) ${sum(amounts):,.2f}")
    assert headings(browser.page("/lightning/o/Opportunity/list", **BOARD)) == expected


@pytest.mark.parametrize(
    ("object", "view", "first"),
    [("Case", "AllOpenCases", "New ("), ("Lead", "AllOpenLeads", "Open - Not Contacted (")],
)
def test_boards_without_amounts_have_counts_alone(
    browser: PageBrowser, object: str, view: str, first: str
) -> None:
    """The columns of cases and leads are their statuses; what a lead has once it is converted has none."""
    heads = headings(browser.page(f"/lightning/o/{object}/list", filterName=view, display="kanban"))
    assert heads[0].startswith(first)
    assert not [one for one in heads if "$" in one or "Converted" in one.replace("Not Converted", "")]


def test_a_card_shows_the_first_fields(browser: PageBrowser) -> None:
    """A card has the record's name as a link, other fields of the list view, and the menu of its row."""
    id = browser.id("Opportunity", "Cloud Software Deal")
    page = browser.page("/lightning/o/Opportunity/list", **BOARD)
    card = re.search(rf'<li [^>]*data-id="{id}"[^>]*data-card>(.*?)</section>', page, re.DOTALL)
    assert card is not None
    assert f'<a href="/lightning/r/Opportunity/{id}/view">Cloud Software Deal</a>' in card[1]
    assert f'hx-get="/lightning/r/Opportunity/{id}/delete"' in card[1]
    assert 'title="Account Name: ' in card[1]


def test_a_list_is_displayed_as_the_address_says(browser: PageBrowser) -> None:
    """Table and Kanban lead to each other, a search stays on the board, and records looked at last are a table."""
    id = browser.org.one("ListView", SobjectType="Opportunity", DeveloperName="AllOpportunities")["Id"]
    address = f"/lightning/o/Opportunity/list?filterName={id}"
    for query, checked in ((BOARD, "Kanban"), ({"filterName": id}, "Table")):
        page = browser.page("/lightning/o/Opportunity/list", **query)
        items = re.findall(r'menuitemradio" aria-checked="(\w+)" tabindex="-1" href="([^"]*)"', page)
        assert [(now, html.unescape(href)) for now, href in items] == [
            (str(checked == "Table").lower(), address),
            (str(checked == "Kanban").lower(), f"{address}&display=kanban"),
        ]
        assert ("data-board" in page, "data-list " in page) == (checked == "Kanban", False)
        assert ('name="display" value="kanban"' in page) == (checked == "Kanban")
    found = browser.page("/lightning/o/Opportunity/list", **BOARD, search="Cloud Software Deal")
    assert headings(found)[0] == "Prospecting (1) $48,000.00"
    assert "data-board" not in browser.page("/lightning/o/Opportunity/list", display="kanban")


def test_filters_of_a_board_lead_back_to_it(browser: PageBrowser) -> None:
    """The panel of filters is closed, and its changes saved, without leaving the board."""
    page = browser.page("/lightning/o/Opportunity/list", **BOARD, panel="filters")
    id = browser.org.one("ListView", SobjectType="Opportunity", DeveloperName="AllOpportunities")["Id"]
    there = f"/lightning/o/Opportunity/list?filterName={id}&display=kanban"
    assert html.escape(there) in page or there in page
    address = f"/lightning/o/Opportunity/views/{id}/filters"
    answered = browser.send(address, there, **hidden(page), do="save")
    assert "display=kanban" in answered.headers["hx-redirect"]


def test_a_moved_card_changes_its_record(browser: PageBrowser) -> None:
    """The record gets the value of the column, with what follows from it, and the page says that it was saved."""
    id = browser.id("Opportunity", "Cloud Software Deal")
    here = "/lightning/o/Opportunity/list?filterName=AllOpportunities&display=kanban"
    answered = browser.send(f"/lightning/r/Opportunity/{id}/board", here, value="Closed Won")
    assert answered.headers["hx-redirect"] == here
    row = browser.org.get("Opportunity", id) or {}
    assert (row["StageName"], row["IsWon"], row["Probability"]) == ("Closed Won", True, 100)
    assert browser.toasts() == ['Opportunity "Cloud Software Deal" was saved.']


def test_a_refused_card_stays_where_it_was(browser: PageBrowser) -> None:
    """A validation rule's message is shown on the board, and so is that of a field that must not be empty."""
    id = browser.id("Opportunity", "Cloud Software Deal")
    rule = {
        "active": True,
        "errorConditionFormula": 'ISPICKVAL(StageName, "Closed Won")',
        "errorMessage": "Ask your manager first.",
    }
    browser.org.put_component("ValidationRule", "Opportunity.Manager", rule)
    for value in ("Closed Won", ""):
        answered = browser.send(f"/lightning/r/Opportunity/{id}/board", value=value)
        assert answered.status_code == 204
    assert (browser.org.get("Opportunity", id) or {})["StageName"] == "Prospecting"
    assert browser.toasts() == ["Ask your manager first.", "Complete this field."]
    assert [one["kind"] for one in browser.login.toasts] == ["error", "error"]


def test_what_cannot_be_grouped_has_no_board(browser: PageBrowser) -> None:
    """Without a picklist that has values, Kanban is disabled, its address shows the table, and nothing is moved."""
    page = browser.page("/lightning/o/Pricebook2/list", filterName="AllPriceBooks", display="kanban")
    disabled = re.findall(r'aria-disabled="true"><span class="slds-truncate">([^<]*)', page)
    assert disabled[-2:] == ["Kanban", "Split View"]
    assert "data-board" not in page
    assert names(page)
    id = next(iter(browser.org.rows("Pricebook2")))["Id"]
    assert browser.send(f"/lightning/r/Pricebook2/{id}/board", value="x").status_code == 404
