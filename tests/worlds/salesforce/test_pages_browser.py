"""Lightning's pages in a real browser: what the keyboard does in comboboxes, lookups and lists, and dialogs in turn."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from pytest_cuabench.drivers.chromium import Chromium
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.action import Drag, Key, Type

from .lightning_desk import LightningDesk, sitting
from .world_process import OrgWorld, running

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OrgWorld]:
    """The program."""
    with running(tmp_path_factory.mktemp("org") / "c") as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def desk(world: OrgWorld, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LightningDesk]:
    """A signed-in browser."""
    try:
        chromium = Chromium(find_chromium(None))
    except SettingError as error:
        pytest.skip(str(error))
    try:
        folder: Path = tmp_path_factory.mktemp("downloads")
        async with sitting(world, chromium, folder, "/lightning/page/home") as made:
            yield made
    finally:
        await chromium.close()


async def test_a_picklist_is_worked_by_keys(desk: LightningDesk) -> None:
    """Letters go to the option that begins so, arrows to its neighbours, Enter takes it, Escape leaves it."""
    await desk.go("/lightning/o/Account/new")
    await desk.click('role=combobox[name="Type"]')
    await desk.do(Type("customer - c"))
    await desk.keys("enter")
    assert await desk.read('role=combobox[name="Type"]') == "Customer - Channel"
    await desk.keys("down", "up", "enter")
    assert await desk.read('role=combobox[name="Type"]') == "Customer - Direct"
    await desk.keys("down", "home", "escape")
    assert await desk.read('role=combobox[name="Type"]') == "Customer - Direct"
    assert await desk.there('role=dialog[name="New Account"]')


async def test_lists_in_dialogs_are_not_cut_off(desk: LightningDesk) -> None:
    """The last picklist of a short dialog shows its values above the dialog's foot, where they can be clicked."""
    await desk.go("/lightning/o/Opportunity/list?filterName=AllOpportunities&panel=charts")
    await desk.click('role=button[name="New Chart"]')
    await desk.click('role=combobox[name="Aggregate Type"]')
    await desk.click('role=option[name="Average"]')
    await desk.click('role=combobox[name="Aggregate Field"]')
    assert not await desk.there('role=option[name="Lead Source"]')
    await desk.click('role=option[name="Amount"]')
    await desk.click('role=combobox[name="Grouping Field"]')
    await desk.click('role=listbox[name="Grouping Field"] >> role=option[name="Account Name"]')
    assert await desk.read('role=combobox[name="Grouping Field"]') == "Account Name"


async def test_a_form_begins_at_its_first_field(desk: LightningDesk) -> None:
    """What is typed into a new form stands in the first field below the owner, also after Save & New and in Setup."""
    await desk.go("/lightning/o/Account/list?filterName=AllAccounts")
    await desk.click('role=button[name="New"]')
    await desk.do(Type("Amber One"))
    await desk.click('role=button[name="Save & New"]')
    assert await desk.there("text=/was created/")
    await desk.do(Type("Amber Two"))
    await desk.keys("ctrl+s")
    names = {row["Name"] for row in desk.session.rows("Account").values()}
    assert {"Amber One", "Amber Two"} <= names
    await desk.go("/lightning/setup/Picklists/page?address=%2Fnew")
    await desk.do(Type("Sizes"))
    assert await desk.read('role=textbox[name="Label"]') == "Sizes"


async def test_the_tab_key_goes_down_a_form_of_setup(desk: LightningDesk) -> None:
    """Last Name follows First Name, although Role stands beside it."""
    await desk.go("/lightning/setup/ManageUsers/page?address=%2Fnew")
    await desk.do(Type("Ada"))
    await desk.keys("tab")
    await desk.do(Type("Quill"))
    assert await desk.read('role=textbox[name="First Name"]') == "Ada"
    assert await desk.read('role=textbox[name="Last Name"]') == "Quill"


async def test_a_message_hides_no_search_box_and_no_tab(desk: LightningDesk) -> None:
    """A message lies below header and tabs, and its cross takes it away."""
    await desk.go("/lightning/o/Campaign/new")
    await desk.do(Type("Amber"))
    await desk.keys("enter")
    message, bar = (
        await desk.environment.locate("[data-toast]"),
        await desk.environment.locate("nav >> nth=0"),
    )
    assert message is not None
    assert bar is not None
    assert message.y >= bar.y + bar.height
    await desk.click('[data-toast] >> role=button[name="Close"]')
    assert not await desk.there("[data-toast]")


async def test_suggestions_are_taken_or_left(desk: LightningDesk) -> None:
    """A subject is typed, or chosen below the field; the times of a day stand below a time."""
    await desk.go("/lightning/o/Event/new")
    await desk.click('role=combobox[name="Subject"]')
    await desk.click('role=option[name="Email"]')
    assert await desk.read('role=combobox[name="Subject"]') == "Email"
    await desk.fill('role=combobox[name="Subject"]', "se")
    assert not await desk.there('role=option[name="Call"]')
    await desk.keys("down", "enter")
    await desk.do(Type(" twice"))
    assert await desk.read('role=combobox[name="Subject"]') == "Send Letter/Quote twice"
    await desk.fill('role=combobox[name="Time"] >> nth=0', "4:1")
    await desk.keys("down", "down", "enter")
    assert await desk.read('role=combobox[name="Time"] >> nth=0') == "4:15 PM"


async def test_a_lookup_is_worked_by_keys(desk: LightningDesk) -> None:
    """Typing brings what fits, arrows and Enter take one, Delete gives it up again."""
    await desk.go("/lightning/o/Account/new")
    await desk.click('role=combobox[name="Parent Account"]')
    await desk.do(Type("knight l"))
    await desk.keys("down", "down", "enter")
    assert await desk.read('role=combobox[name="Parent Account"]') in ("Knight LLC", "Knight Logistics")
    await desk.keys("delete")
    assert await desk.read('role=combobox[name="Parent Account"]') == ""


async def test_a_record_is_made_from_a_lookup(desk: LightningDesk) -> None:
    """New in a lookup opens a second dialog, and what is saved there is chosen in the first."""
    await desk.go("/lightning/o/Contact/new")
    await desk.fill('role=textbox[name="Last Name"]', "Fern")
    await desk.click('role=combobox[name="Account Name"]')
    await desk.do(Type("fern valley"))
    await desk.click('role=option[name="New Account"]')
    await desk.fill('role=textbox[name="Account Name"]', "Fern Valley")
    await desk.click('role=dialog[name="New Account"] >> role=button[name="Save"]')
    assert await desk.read('role=combobox[name="Account Name"]') == "Fern Valley"
    await desk.click('role=button[name="Save"]')
    assert "Fern" in {row["LastName"] for row in desk.session.rows("Contact").values()}


async def test_lists_of_two_columns_are_worked_by_keys(desk: LightningDesk) -> None:
    """Letters and arrows select, Ctrl with an arrow moves to the other list, buttons change the order."""
    await desk.go("/lightning/o/Opportunity/list?filterName=AllOpportunities")
    await desk.click('role=button[name="List View Controls"]')
    await desk.click('role=menuitem[name="Select Fields to Display"]')
    await desk.click('[data-dual-list="left"] >> role=option >> nth=0')
    await desk.do(Type("next st"))
    await desk.keys("ctrl+right")
    assert await desk.there('[data-dual-list="right"] >> role=option[name="Next Step"]')
    for _ in range(6):
        await desk.click('role=button[name="Move selection up"]')
    await desk.click('role=button[name="Save"]')
    head = "role=columnheader >> nth={}"
    assert "Next Step" in str(await desk.read(head.format(3)))


async def test_the_calendar_is_worked_by_keys(desk: LightningDesk) -> None:
    """Down opens the calendar, arrows move the day, Enter writes it."""
    await desk.go("/lightning/o/Opportunity/new")
    await desk.fill('role=textbox[name="Close Date"]', "3/31/2027")
    await desk.keys("down", "right", "down", "enter")
    assert await desk.read('role=textbox[name="Close Date"]') == "4/8/2027"


async def test_dialogs_keep_the_focus_and_give_it_back(desk: LightningDesk) -> None:
    """Escape closes a dialog and leads back to the button that opened it."""
    await desk.go("/lightning/o/Account/list?filterName=AllAccounts")
    await desk.click('role=button[name="New"]')
    assert await desk.there('role=dialog[name="New Account"]')
    await desk.keys("escape")
    assert not await desk.there('role=dialog[name="New Account"]')
    await desk.keys("enter")
    assert await desk.there('role=dialog[name="New Account"]')


async def test_the_launcher_finds_items(desk: LightningDesk) -> None:
    """Words in the App Launcher narrow apps and items down, and a click goes there."""
    await desk.click("css=body")
    await desk.go("/lightning/page/home")
    await desk.click('role=button[name="App Launcher"]')
    await desk.do(Type("entitle"))
    await desk.click('role=link[name="Entitlements"]')
    assert await desk.there("role=heading[name=/Entitlements/]")


async def test_fields_are_changed_in_place(desk: LightningDesk) -> None:
    """A pencil opens the form at its field; Save keeps what was typed and says so."""
    await desk.go("/lightning/o/Account/list?filterName=AllAccounts&search=old+balance")
    await desk.click('role=link[name="Old Balance"]')
    await desk.click('role=tab[name="Details"]')
    await desk.click('role=button[name="Edit Phone"]')
    await desk.do(Key(("ctrl", "a")), Type("555-0199"))
    await desk.click('role=form[name="Edit Old Balance"] >> role=button[name="Save"]')
    phones = {row["Name"]: row["Phone"] for row in desk.session.rows("Account").values()}
    assert phones["Old Balance"] == "555-0199"
    assert await desk.there("role=status >> nth=0")


async def test_filters_and_charts_are_made(desk: LightningDesk) -> None:
    """A filter narrows the list down, a chart is drawn from it."""
    await desk.go("/lightning/o/Opportunity/list?filterName=AllOpportunities&panel=charts")
    await desk.click('role=button[name="New Chart"]')
    await desk.fill('role=textbox[name="Chart Name"]', "By Stage")
    for label, typed in (
        ("Aggregate Type", "sum"),
        ("Aggregate Field", "amount"),
        ("Grouping Field", "stage"),
    ):
        await desk.click(f'role=combobox[name="{label}"]')
        await desk.do(Type(typed))
        await desk.keys("enter")
    await desk.click('role=button[name="Save"]')
    charts = {row["MasterLabel"]: row for row in desk.session.rows("ListViewChart").values()}
    assert charts["By Stage"]["GroupingField"] == "Opportunity.StageName"
    assert await desk.there('role=img[name="By Stage"]')


async def test_a_rich_text_is_written_with_the_keyboard(desk: LightningDesk) -> None:
    """The title fills the URL name; the editor takes lines and formats, and keeps them when it is saved."""
    await desk.go("/lightning/o/Knowledge__kav/new")
    await desk.fill('role=textbox[name="Title"]', "Ferns & how to water them")
    await desk.click('role=textbox[name="Question"]')
    assert await desk.read('role=textbox[name="URL Name"]') == "Ferns-how-to-water-them"
    await desk.do(Type("Twice a week."))
    await desk.keys("enter")
    await desk.click('[data-rich]:has([name="Question__c"]) >> role=button[name="Bold"]')
    await desk.do(Type("Never at noon."))
    await desk.click('role=dialog >> role=button[name="Save"]')
    rows = desk.session.rows("Knowledge__kav").values()
    article = next(row for row in rows if row["Title"].startswith("Ferns"))
    assert article["Question__c"] == "<p>Twice a week.</p><p><b>Never at noon.</b></p>"
    assert article["UrlName"] == "Ferns-how-to-water-them"


async def test_cells_of_a_list_are_edited_with_the_keyboard(desk: LightningDesk) -> None:
    """Arrow keys go from cell to cell, Enter opens the editor and takes what was typed; Save stores all changes."""
    await desk.go("/lightning/o/Opportunity/list?filterName=MyOpportunities&search=maintenance+contract")
    await desk.click("table[data-list] tbody td.org-number")
    await desk.keys("right", "right", "right", "right", "enter")
    await desk.do(Type("4321"))
    await desk.keys("enter", "right", "right")
    assert await desk.there("td.slds-is-edited >> text=4321")
    await desk.click('role=form[name="Changes in the list"] >> role=button[name="Save"]')
    amounts = {row["Name"]: row["Amount"] for row in desk.session.rows("Opportunity").values()}
    assert amounts["Maintenance Contract"] == 4321


async def test_a_form_is_still_open_after_a_reload(desk: LightningDesk) -> None:
    """A record's form has an address of its own; Escape asks before it throws away what was entered."""
    await desk.go("/lightning/o/Account/list?filterName=AllAccounts")
    await desk.click('role=button[name="New"]')
    await desk.keys("f5")
    assert await desk.there('role=dialog[name="New Account"]')
    await desk.fill('role=textbox[name="Account Name"]', "Half")
    await desk.keys("escape")
    await desk.click('role=button[name="Discard Changes"]')
    assert not await desk.there("role=dialog")
    assert await desk.there("role=heading[name=/All Accounts/]")


async def test_shortcuts_press_the_buttons_of_the_page(desk: LightningDesk) -> None:
    """`e` edits the record that is shown, ctrl+S saves it, `?` lists the shortcuts and `/` goes to the search."""
    await desk.go("/lightning/o/Account/list?filterName=AllAccounts&search=old+balance")
    await desk.click('role=link[name="Old Balance"]')
    await desk.keys("e")
    await desk.fill('role=textbox[name="Phone"]', "555-0142")
    await desk.keys("ctrl+s")
    phones = {row["Name"]: row["Phone"] for row in desk.session.rows("Account").values()}
    assert phones["Old Balance"] == "555-0142"
    await desk.keys("?")
    assert await desk.there('role=dialog[name="Keyboard Shortcuts"]')
    await desk.keys("escape", "/")
    await desk.do(Type("knight"))
    assert await desk.there('role=listbox[name="Suggestions"] >> role=option >> nth=0')


async def test_fields_of_a_report_are_found_by_typing(desk: LightningDesk) -> None:
    """Letters narrow the fields down, Enter takes the first one, and Escape closes the editor of a filter."""
    await desk.go("/lightning/builder/report?type=ProductList")
    await desk.click('role=combobox[name="Add row group"]')
    await desk.do(Type("product fam"))
    await desk.keys("enter")
    assert await desk.there('role=button[name="Remove group Product Family"]')
    await desk.click("#panel-filters")
    await desk.click('role=combobox[name="Add filter"]')
    await desk.do(Type("active"))
    await desk.keys("enter")
    assert await desk.there('role=dialog[name="Filter by Active"]')
    await desk.keys("escape")
    assert not await desk.there('role=dialog[name="Filter by Active"]')


async def test_the_folder_of_a_report_is_chosen_in_a_dialog(desk: LightningDesk) -> None:
    """The chosen folder stands in the dialog that asked for it, and what was typed there stays."""
    await desk.go("/lightning/builder/report?type=ProductList")
    await desk.click('role=button[name="Save"]')
    await desk.fill('role=textbox[name="Report Name"]', "Stock")
    await desk.click('role=button[name="Select Folder"]')
    await desk.click('role=option[name="Service Reports"]')
    await desk.click('#modals > :last-child >> role=button[name="Select Folder"]')
    assert await desk.read("#save-folder") == "Service Reports"
    assert await desk.read('role=textbox[name="Report Name"]') == "Stock"


async def test_a_record_is_approved(desk: LightningDesk) -> None:
    """A lead is submitted from its page's menu to a chosen approver, and approved in its Approval History."""
    await desk.go("/lightning/setup/ApprovalProcesses/home?object=Lead")
    await desk.click('role=link[name="required_lead_action"]')
    await desk.click('role=button[name="Activate"]')
    me = desk.session.described["user_id"]
    lead = next(row["Id"] for row in desk.session.rows("Lead").values() if row["OwnerId"] == me)
    await desk.go(f"/lightning/r/Lead/{lead}/view?tab=related")
    await desk.click('role=button[name="Show more actions"]')
    await desk.click('role=menuitem[name="Submit for Approval"]')
    await desk.click('role=button[name="Submit"]')
    assert await desk.there('role=dialog >> text="Complete this field."')
    await desk.click('role=combobox[name="Choose Approver"]')
    await desk.do(Type(str(desk.session.rows("User")[me]["LastName"])))
    await desk.keys("down", "down", "enter")
    await desk.fill('role=textbox[name="Comments"]', "Please")
    await desk.click('role=button[name="Submit"]')
    assert await desk.there('text="Lead was submitted for approval."')
    await desk.click('role=article[name="Approval History"] >> role=button[name="Approve"]')
    await desk.click('role=dialog >> role=button[name="Approve"]')
    assert await desk.there('role=cell[name="Approved"]')
    (request,) = desk.session.rows("ProcessInstance").values()
    assert (request["Status"], request["TargetObjectId"]) == ("Approved", lead)


async def carry(desk: LightningDesk, card: str, column: str) -> None:
    """Drag a card of a board to the heading of a column."""
    start = await desk.environment.locate(f'role=listitem[name="{card}"]')
    end = await desk.environment.locate(f'role=region[name="{column}"] >> role=heading')
    assert start is not None
    assert end is not None
    await desk.do(Drag((start.middle, end.middle)))


async def test_a_card_is_dragged_to_another_column(desk: LightningDesk) -> None:
    """Its record gets the value of the column; what the org refuses is back where it was, with the reason."""
    await desk.go("/lightning/o/Opportunity/list?filterName=AllOpportunities")
    await desk.click('role=button[name="Select list display"]')
    await desk.click('role=menuitemradio[name="Kanban"]')
    rows = desk.session.rows("Opportunity")
    first = next(row for row in sorted(rows.values(), key=lambda row: row["Name"]) if not row["IsClosed"])
    id, name = first["Id"], first["Name"]
    target = "Qualification" if first["StageName"] != "Qualification" else "Needs Analysis"
    await carry(desk, name, target)
    assert desk.session.rows("Opportunity")[id]["StageName"] == target
    assert await desk.there(f'text=/"{name}" was saved/')
    assert await desk.there(f'role=region[name="{target}"] >> role=listitem[name="{name}"]')
    rule = {
        "FullName": "Opportunity.Held",
        "Metadata": {
            "active": True,
            "errorConditionFormula": "true",
            "errorMessage": "This deal is on hold.",
        },
    }
    made = desk.session.api.post("/services/data/v62.0/tooling/sobjects/ValidationRule", json=rule)
    assert made.status_code == 201, made.text
    await carry(desk, name, "Prospecting")
    assert desk.session.rows("Opportunity")[id]["StageName"] == target
    assert await desk.there('text="This deal is on hold."')
    assert await desk.there(f'role=region[name="{target}"] >> role=listitem[name="{name}"]')
