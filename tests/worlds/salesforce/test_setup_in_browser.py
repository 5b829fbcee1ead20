"""Setup in a real Chromium: what its scripts do, found by role and accessible name as agents and solutions find it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect, sync_playwright

from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.errors import SettingError

from .world_process import OrgSession, OrgWorld, running

pytestmark = pytest.mark.slow
PATIENCE = 10_000


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OrgWorld]:
    """The org's program."""
    with running(tmp_path_factory.mktemp("setup") / "control") as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[BrowserContext]:
    """One browser for all tests."""
    try:
        program = find_chromium(None)
    except SettingError as error:
        pytest.skip(str(error))
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield launched.new_context(viewport={"width": 1920, "height": 1080})
        launched.close()


@pytest.fixture
def org(world: OrgWorld) -> Iterator[OrgSession]:
    """An org of its own."""
    with world.open() as session:
        yield session


@pytest.fixture
def page(chromium: BrowserContext, org: OrgSession) -> Iterator[Page]:
    """A page at Setup Home, signed in; a script that fails is a failure."""
    problems: list[str] = []
    opened = chromium.new_page()
    opened.set_default_timeout(PATIENCE)
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.goto(org.front_door("/lightning/setup/SetupOneHome/home"))
    yield opened
    opened.close()
    assert not problems


def find(page: Page, words: str, label: str) -> None:
    """Go to a page by Quick Find."""
    page.get_by_placeholder("Quick Find").fill(words)
    page.get_by_role("tree").get_by_role("link", name=label, exact=True).click()


def press(page: Page, name: str) -> None:
    """Press the first button of a name."""
    page.get_by_role("main").get_by_role("button", name=name, exact=True).first.click()


def named(org: OrgSession, object: str, name: str, field: str = "Name") -> dict[str, object]:
    """Return the record of a name."""
    return next(row for row in org.rows(object).values() if row[field] == name)


def test_quick_find_narrows_the_tree(page: Page) -> None:
    """Words leave the pages that hold them, with their branches unfolded; nothing left is said."""
    tree = page.get_by_role("tree")
    page.get_by_placeholder("Quick Find").fill("milest")
    expect(tree.get_by_role("link")).to_have_text(["Milestones"])
    page.get_by_placeholder("Quick Find").fill("no such page")
    expect(page.get_by_text("Didn't find what you're looking for?")).to_be_visible()
    page.get_by_placeholder("Quick Find").fill("")
    expect(tree.get_by_role("link", name="Setup Home")).to_be_visible()
    expect(tree.get_by_role("link", name="Users", exact=True)).to_be_hidden()


def test_a_public_group_by_dual_list(page: Page, org: OrgSession) -> None:
    """Members of two kinds are moved over; the API name comes from the label."""
    find(page, "public", "Public Groups")
    press(page, "New")
    page.get_by_role("textbox", name="Label", exact=True).fill("Finance Team")
    left = page.get_by_role("listbox", name="Available Members")
    for kind, member in (("Users", "User: Auditor"), ("Roles", "Role: CFO"), ("Users", "User: John Doe")):
        page.get_by_label("Search:").select_option(kind)
        left.select_option(label=member)
        press(page, "Add to Selected Members")
    right = page.get_by_role("listbox", name="Selected Members")
    expect(right.locator("option")).to_have_text(["User: Auditor", "Role: CFO", "User: John Doe"])
    right.select_option(label="User: John Doe")
    press(page, "Remove from Selected Members")
    page.get_by_label("for:").fill("john doe")
    press(page, "Find")
    expect(left.locator("option")).to_have_text(["User: John Doe", "User: John Doerr"])
    press(page, "Save")
    expect(page.get_by_role("table", name="View All Users")).to_be_visible()
    group = named(org, "Group", "Finance Team")
    assert group["DeveloperName"] == "Finance_Team"
    members = [row for row in org.rows("GroupMember").values() if row["GroupId"] == group["Id"]]
    assert len(members) == 2


def test_roles_unfold_and_are_looked_up(page: Page, org: OrgSession) -> None:
    """The tree unfolds at once, and the role above is found by typing."""
    find(page, "roles", "Roles")
    press(page, "Set Up Roles")
    press(page, "Expand All")
    page.get_by_role("link", name="Add Role under CFO").click()
    page.get_by_role("textbox", name="Label", exact=True).fill("VP in R&D")
    above = page.get_by_role("combobox", name="This role reports to")
    expect(above).to_have_value("CFO")
    above.fill("ceo")
    page.get_by_role("option", name="CEO", exact=True).click()
    press(page, "Save")
    expect(page.get_by_role("heading", name="Role VP in R&D")).to_be_visible()
    made = named(org, "UserRole", "VP in R&D")
    assert made["ParentRoleId"] == named(org, "UserRole", "CEO")["Id"]
    assert made["DeveloperName"] == "VP_in_R_D"


def test_deactivating_asks_first(page: Page, org: OrgSession) -> None:
    """Cancel leaves the checkbox ticked, OK clears it; Save stores it."""
    find(page, "users", "Users")
    page.get_by_role("link", name="Edit Bob, Alice", exact=True).click()
    box = page.get_by_role("checkbox", name="Active", exact=True)
    dialog = page.get_by_role("dialog", name="Deactivate User")
    for answer, ticked in (("Cancel", True), ("OK", False)):
        box.click()
        dialog.get_by_role("button", name=answer).click()
        expect(box).to_be_checked(checked=ticked)
    press(page, "Save")
    expect(page.get_by_role("table", name="Users")).to_be_visible()
    assert named(org, "User", "Alice Bob")["IsActive"] is False


def test_profiles_follow_the_license(page: Page) -> None:
    """Only profiles of the chosen license are offered to a new user."""
    page.goto(page.url.replace("SetupOneHome/home", "ManageUsers/page?address=%2Fnew"))
    profiles = page.get_by_role("combobox", name="Profile", exact=True)
    page.get_by_label("User License").select_option(label="Gold Partner")
    expect(profiles.locator("option")).to_have_text(["--None--", "Gold Partner User"])
    page.get_by_label("User License").select_option(label="Salesforce")
    expect(profiles.locator("option", has_text="System Administrator")).to_have_count(1)


def test_an_assignment_in_three_screens(page: Page, org: OrgSession) -> None:
    """Users are searched and ticked, the expiration is chosen, and the summary says what became of it."""
    find(page, "permission set g", "Permission Set Groups")
    page.get_by_role("link", name="LaLaLandUsers", exact=True).click()
    press(page, "Manage Assignments")
    press(page, "Add Assignment")
    page.get_by_label("Search this list...").fill("john")
    expect(page.get_by_role("checkbox", name="Select Doe, John")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Select Bob, Alice")).to_be_hidden()
    page.get_by_role("checkbox", name="Select Doe, John").check()
    press(page, "Next")
    page.get_by_label("Specify the expiration date").check()
    page.get_by_label("Expires in").select_option("60 Days")
    press(page, "Back")
    expect(page.get_by_role("checkbox", name="Select Doe, John")).to_be_checked()
    press(page, "Next")
    page.get_by_label("No expiration date").check()
    expect(page.get_by_label("Expires in")).to_be_hidden()
    press(page, "Assign")
    expect(page.get_by_role("cell", name="Success")).to_be_visible()
    given = list(org.rows("PermissionSetAssignment").values())
    user = named(org, "User", "John Doe")["Id"]
    assert [
        row["ExpirationDate"] for row in given if row["AssigneeId"] == user and row["PermissionSetGroupId"]
    ] == [None]


def test_deleting_asks_first(page: Page, org: OrgSession) -> None:
    """Del opens a question; Cancel keeps the record, OK deletes it."""
    find(page, "milestones", "Milestones")
    name = str(next(iter(org.rows("MilestoneType").values()))["Name"])
    for answer, count in (("Cancel", 1), ("OK", 0)):
        page.get_by_role("button", name=f"Del {name}").click()
        page.get_by_role("dialog", name="Del").get_by_role("button", name=answer).click()
        expect(page.get_by_role("link", name=name, exact=True)).to_have_count(count)


def test_rights_follow_each_other(page: Page) -> None:
    """Delete ticks what it needs, clearing Read clears what needs it, and Edit Access ticks Read Access."""
    find(page, "permission s", "Permission Sets")
    for link in ("Buyer", "Object Settings", "Accounts"):
        page.get_by_role("main").get_by_role("link", name=link, exact=True).click()
    press(page, "Edit")
    page.get_by_role("checkbox", name="Delete", exact=True).check()
    expect(page.get_by_role("checkbox", name="Edit", exact=True)).to_be_checked()
    page.get_by_role("checkbox", name="Read", exact=True).uncheck()
    expect(page.get_by_role("checkbox", name="Delete", exact=True)).not_to_be_checked()
    page.get_by_role("checkbox", name="Account Fax Edit Access").check()
    expect(page.get_by_role("checkbox", name="Account Fax Read Access")).to_be_checked()


def test_what_is_muted_takes_along_what_needs_it(page: Page) -> None:
    """Muting goes the other way than allowing: to what depends on it, and back again."""
    find(page, "permission set groups", "Permission Set Groups")
    page.get_by_role("link", name="LaLaLandUsers", exact=True).click()
    page.get_by_role("link", name="Muting Permission Set in Group").click()
    for name in ("New", "Save"):
        press(page, name)
    page.get_by_role("link", name="LaLaLandUsers Muting", exact=True).click()
    page.get_by_role("link", name="Object Settings", exact=True).click()
    page.get_by_role("table", name="All Object Settings").get_by_role(
        "link", name="Cases", exact=True
    ).click()
    press(page, "Edit")
    box = {
        one: page.get_by_role("checkbox", name=f"Mute {one}", exact=True)
        for one in ("Read", "Edit", "Delete")
    }
    box["Edit"].check()
    expect(box["Delete"]).to_be_checked()
    expect(box["Read"]).not_to_be_checked()
    box["Delete"].uncheck()
    expect(box["Edit"]).not_to_be_checked()
    page.get_by_role("checkbox", name="Mute Priority Read Access").check()
    expect(page.get_by_role("checkbox", name="Mute Priority Edit Access")).to_be_checked()


def test_a_visible_tab_is_available(page: Page) -> None:
    """Ticking Visible ticks Available, and a tab that is no more available is not visible."""
    find(page, "permission sets", "Permission Sets")
    page.get_by_role("link", name="Buyer", exact=True).click()
    page.get_by_role("link", name="Object Settings", exact=True).click()
    page.get_by_role("table", name="All Object Settings").get_by_role(
        "link", name="Cases", exact=True
    ).click()
    press(page, "Edit")
    available, visible = (page.get_by_role("checkbox", name=f"Tab {one}") for one in ("Available", "Visible"))
    visible.check()
    expect(available).to_be_checked()
    available.uncheck()
    expect(visible).not_to_be_checked()


def test_methods_fit_the_field(page: Page) -> None:
    """A criterion of a matching rule offers the methods of its field; the unique name comes from the name."""
    find(page, "matching", "Matching Rules")
    press(page, "New Rule")
    page.get_by_label("Object", exact=True).select_option("Lead")
    press(page, "Next")
    page.get_by_label("Rule Name").fill("By phone")
    page.get_by_label("Rule Name").press("Tab")
    page.get_by_label("Field 1").select_option("Phone")
    expect(page.get_by_label("Unique Name")).to_have_value("By_phone")
    methods = page.get_by_label("Matching Method 1").locator("option")
    expect(methods).to_have_text(["--None--", "Exact", "Fuzzy: Phone"])
    page.get_by_label("Field 1").select_option("Email")
    expect(methods).to_have_text(["--None--", "Exact"])


def test_an_order_of_values(page: Page, org: OrgSession) -> None:
    """Up and Top move the chosen value."""
    page.goto(page.url.replace("SetupOneHome/home", "ObjectManager/Lead/FieldsAndRelationships/Status/view"))
    press(page, "Reorder")
    box = page.get_by_role("listbox", name="Picklist Values")
    labels = box.locator("option").all_text_contents()
    box.select_option(label=labels[-1])
    press(page, "Top")
    press(page, "Down")
    press(page, "Save")
    expect(page.get_by_role("table", name="Status Picklist Values")).to_be_visible()
    entries = org.rows("metadata/StandardValueSet")["LeadStatus"]["standardValue"]
    assert [one["label"] for one in entries][:2] == [labels[0], labels[-1]]


def test_objects_are_found_and_counted(page: Page) -> None:
    """Quick Find narrows the list of objects, and the number above it follows."""
    page.goto(page.url.partition("/lightning/")[0] + "/lightning/setup/ObjectManager/home")
    page.locator("#object-find").fill("contract")
    shown = page.locator("tbody tr:visible")
    expect(shown.first).to_contain_text("Contract")
    expect(page.get_by_text("Items, Sorted by Label")).to_have_text(f"{shown.count()} Items, Sorted by Label")


@pytest.mark.parametrize("width", [1280, 1920])
def test_pages_fit_the_screen(page: Page, width: int) -> None:
    """Nothing but wide tables scrolls sideways."""
    page.set_viewport_size({"width": width, "height": 720})
    for inner in (
        "setup/ManageUsers/home",
        "setup/ManageUsers/page?address=%2Fnew",
        "setup/NavigationMenus/home",
        "setup/Queues/page?address=%2Fnew",
        "setup/ObjectManager/home",
        "search?q=e",
    ):
        page.goto(page.url.partition("/lightning/")[0] + f"/lightning/{inner}")
        assert page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        ), inner


def test_the_formula_editor(page: Page, org: OrgSession) -> None:
    """A formula is put together from fields, operators and functions, and checked; the rule is stored so."""
    page.goto(
        "/lightning/setup/ObjectManager/Asset/ValidationRules/view".join(
            (page.url.split("/lightning")[0], "")
        )
    )
    page.get_by_role("main").get_by_role("button", name="New", exact=True).click()
    page.get_by_label("Rule Name").fill("Owner must have an address")
    press(page, "Insert Field")
    dialog = page.get_by_role("dialog", name="Insert Field")
    for label in ("Asset >", "Owner >", "Email"):
        dialog.get_by_role("button", name=label, exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("API Name: Owner.Email")
    dialog.get_by_role("button", name="Insert", exact=True).click()
    page.get_by_label("Insert Operator").select_option("=")
    page.get_by_label("Function Category").select_option("Text")
    page.get_by_label("Functions", exact=True).last.select_option(label="BR")
    press(page, "Insert Selected Function")
    formula = page.locator("textarea[name=errorConditionFormula]")
    expect(formula).to_have_value("Owner.Email = BR()")
    press(page, "Check Syntax")
    told = page.locator("[data-formula-checked]")
    expect(told).to_have_text("No syntax errors in merge fields or functions. (Compiled size: 18 characters)")
    formula.fill("LEN(Owner.Email) <> 8 )")
    press(page, "Check Syntax")
    expect(told).to_have_text("Error: Syntax error. Extra ')'")
    formula.fill("ISBLANK(Owner.Email)")
    page.locator("textarea[name=errorMessage]").fill("No address.")
    press(page, "Save")
    expect(page.get_by_role("link", name="Back to Asset Validation Rules")).to_be_visible()
    rules = org.rows("metadata/ValidationRule")
    assert rules["Asset.Owner_must_have_an_address"]["errorConditionFormula"] == "ISBLANK(Owner.Email)"


def test_field_level_security_of_a_new_field(page: Page, org: OrgSession) -> None:
    """The box above a column ticks all profiles; what is only read is visible, what is hidden is not read."""
    origin = page.url.split("/lightning")[0]
    page.goto(f"{origin}/lightning/setup/ObjectManager/Account/FieldsAndRelationships/view")
    page.get_by_role("main").get_by_role("button", name="New", exact=True).click()
    page.get_by_label("Phone", exact=True).check()
    press(page, "Next")
    page.get_by_label("Field Label").fill("Night line")
    page.get_by_label("Field Label").press("Tab")
    expect(page.get_by_label("Field Name")).to_have_value("Night_line")
    press(page, "Next")
    page.get_by_label("Visible", exact=True).uncheck()
    page.get_by_label("Marketing User Read-Only").check()
    expect(page.get_by_label("Marketing User Visible")).to_be_checked()
    page.get_by_label("Standard User Visible").check()
    press(page, "Next")
    press(page, "Save")
    expect(page.get_by_role("link", name="Night line")).to_be_visible()
    given = [row for row in org.rows("FieldPermissions").values() if row["Field"] == "Account.Night_line__c"]
    assert sorted(row["PermissionsEdit"] for row in given) == [False, True]


def test_an_app_by_its_wizard(page: Page, org: OrgSession) -> None:
    """The developer name comes from the label, items are filtered and moved over, and the app is in the launcher."""
    find(page, "app man", "App Manager")
    press(page, "New Lightning App")
    dialog = page.get_by_role("dialog", name="New Lightning App")
    next = dialog.get_by_role("button", name="Next")
    dialog.get_by_role("textbox", name="App Name").fill("Power Plants")
    for _ in range(3):
        next.click()
    dialog.get_by_role("searchbox", name="Filter Available Items").fill("asset")
    expect(dialog.get_by_role("listbox", name="Available Items").get_by_role("option")).to_have_text(
        ["Assets"]
    )
    dialog.get_by_role("option", name="Assets", exact=True).dblclick()
    next.click()
    dialog.get_by_role("searchbox", name="Filter Available Profiles").fill("system adm")
    dialog.get_by_role("option", name="System Administrator").click()
    dialog.get_by_role("button", name="Move selection to Selected Profiles").click()
    dialog.get_by_role("button", name="Save & Finish").click()
    expect(page.get_by_role("rowheader", name="Power Plants", exact=True)).to_be_visible()
    page.get_by_role("button", name="App Launcher").click()
    page.get_by_placeholder("Search apps and items...").fill("Power")
    page.get_by_role("list", name="Apps").get_by_role("link", name="Power Plants").click()
    tabs = page.get_by_role("navigation", name="Power Plants")
    expect(tabs.get_by_role("link", name="Assets", exact=True)).to_be_visible()


def test_an_object_with_a_tab_for_one_profile(page: Page) -> None:
    """Names come from the label; one choice for all profiles is where each begins that is chosen by itself."""
    page.get_by_role("link", name="Object Manager", exact=True).first.click()
    press(page, "Create")
    page.get_by_role("menuitem", name="Custom Object").click()
    page.get_by_role("textbox", name="Label", exact=True).fill("Wind Farm")
    page.get_by_role("textbox", name="Plural Label").fill("Wind Farms")
    expect(page.get_by_role("textbox", name="Object Name")).to_have_value("Wind_Farm")
    expect(page.get_by_role("textbox", name="Record Name")).to_have_value("Wind Farm Name")
    page.get_by_role("checkbox", name="Launch New Custom Tab Wizard").check()
    press(page, "Save")
    expect(page.get_by_role("combobox", name="Object", exact=True)).to_have_value("Wind_Farm__c")
    page.get_by_role("combobox", name="Tab Style").fill("sun")
    page.get_by_role("option", name="Sun", exact=True).click()
    press(page, "Next")
    standard = page.get_by_role("combobox", name="Standard User", exact=True)
    expect(standard).to_be_disabled()
    page.get_by_role("combobox", name="Tab visibility of all profiles").select_option("Tab Hidden")
    page.get_by_role("radio", name="Apply a different tab visibility for each profile").check()
    expect(standard).to_be_enabled()
    expect(standard).to_have_value("Hidden")


def test_the_formula_editor_of_a_report(page: Page, org: OrgSession) -> None:
    """A summary formula is put together in a dialog of the builder, validated with its display, and applied."""
    page.goto(f"{org.described['origin']}/lightning/builder/report?type=ProductList")
    search = page.get_by_role("combobox", name="Add row group")
    search.fill("Active")
    search.press("Enter")
    expect(page.get_by_role("list", name="Group Rows")).to_contain_text(
        "Active"
    )  # a redrawn page closes its menus
    page.get_by_role("button", name="More Column Options").click()
    page.get_by_role("menuitem", name="Add Summary Formula").click()
    dialog = page.get_by_role("dialog", name="Edit Summary-Level Formula Column")
    dialog.get_by_label("Column Name").fill("Before")
    area, told = dialog.locator("textarea"), dialog.locator("[data-formula-checked]")
    area.fill("PREVGROUPVAL(, ACTIVE)")
    for _ in ", ACTIVE)":
        area.press("ArrowLeft")
    dialog.get_by_role("button", name="Insert Field").click()
    page.get_by_role("dialog", name="Insert Field").get_by_role("button", name="Record Count").dblclick()
    expect(area).to_have_value("PREVGROUPVAL(RowCount, ACTIVE)")
    dialog.get_by_role("button", name="Validate").click()
    expect(told).to_contain_text("You must select a grouping context")
    dialog.get_by_role("tab", name="Display").click()
    dialog.get_by_text("Specific Groups", exact=True).click()
    dialog.get_by_role("tab", name="General").click()
    dialog.get_by_role("button", name="Validate").click()
    expect(told).to_contain_text("No syntax errors")
    dialog.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("columnheader", name="Before")).to_be_visible()


def press_slowly(page: Page, target: str) -> None:
    """Press a button, and let go when the page has long drawn what leaving a field changed."""
    box = page.locator(target).bounding_box()
    assert box is not None, target
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    with page.expect_response("**/*", timeout=PATIENCE):
        page.mouse.down()
    page.wait_for_timeout(150)
    page.mouse.up()


def test_what_is_pressed_after_typing_is_done(page: Page) -> None:
    """Leaving a field draws its builder anew; the button that is being pressed stays, and so do open menus."""
    page.goto(page.url.partition("/lightning")[0] + "/lightning/builder/report?type=Opportunity")
    page.get_by_role("combobox", name="Add row group").fill("Stage")
    page.get_by_role("menuitem", name="Stage", exact=True).click()
    page.get_by_label("Report Title").fill("By Stage")
    press_slowly(page, "role=button[name='Add Chart']")
    page.get_by_role("button", name="Chart Properties").click()
    page.get_by_label("Chart Title").fill("Stages")
    press_slowly(page, "label[for=chart-showValues]")
    expect(page.get_by_label("Show Values")).to_be_checked()
    expect(page.get_by_label("Chart Title")).to_have_value("Stages")
    expect(page.get_by_label("Report Title")).to_have_value("By Stage")
    page.get_by_title("Donut").click()
    expect(page.get_by_label("Sliced By")).to_be_visible()
    expect(page.get_by_label("Value", exact=True)).to_have_value("RowCount")
    page.goto(page.url.partition("/lightning")[0] + "/lightning/o/Dashboard/new")
    page.get_by_label("Name").fill("Board")
    page.get_by_role("button", name="Create").click()
    page.get_by_label("Dashboard Name").fill("Deals")
    press_slowly(page, "role=button[name='+ Widget']")
    page.get_by_role("menuitem", name="Text").click()
    expect(page.get_by_role("dialog", name="Add Text")).to_be_visible()


def test_what_is_chosen_while_the_answer_is_on_its_way_counts(page: Page) -> None:
    """A radio button and a list that are chosen before the answer to the change before them are not set back."""
    page.goto(page.url.partition("/lightning")[0] + "/lightning/builder/report?type=Opportunity")
    page.get_by_role("combobox", name="Add row group").fill("Stage")
    page.get_by_role("menuitem", name="Stage", exact=True).click()
    page.get_by_role("button", name="Add Chart").click()
    page.get_by_role("button", name="Chart Properties").click()
    waiting: list[Route] = []
    page.route("**/builder", lambda route: waiting.append(route), times=1)
    page.locator("label[for=chart-showValues]").click()
    page.get_by_title("Donut").click()
    with page.expect_response("**/builder"):
        waiting[0].continue_()
    expect(page.get_by_label("Sliced By")).to_be_visible()
    expect(page.get_by_label("Show Values")).to_be_checked()


def test_what_is_pressed_after_typing_is_done_in_lightning_app_builder(page: Page, org: OrgSession) -> None:
    """A page's label is typed and Save pressed: it is saved, and marked so; so are a filter's button and a text."""
    record = next(iter(org.rows("Account")))
    page.goto(f"{page.url.partition('/lightning')[0]}/visualEditor/appBuilder.app?recordId={record}")
    page.get_by_label("Label", exact=True).fill("Firms")
    press_slowly(page, "[role=toolbar] >> role=button[name='Save']")
    expect(page.get_by_role("dialog", name="Page Saved")).to_be_visible()
    expect(page.locator(".builder-title")).to_have_text("Firms")
    page.get_by_role("button", name="Not Yet").click()
    page.get_by_role("button", name="Rich Text", exact=True).dblclick()
    page.get_by_label("Text", exact=True).fill("Call first")
    press_slowly(page, "role=button[name='Add Filter']")
    expect(page.get_by_role("form", name="Filter")).to_be_visible()
    expect(page.locator("[data-canvas]")).to_contain_text("Call first")


def test_setup_opens_in_its_own_tab_and_goes_on_searching(page: Page) -> None:
    """The gear opens Setup beside the app; what was sought in Quick Find stays, and the tree shows the page."""
    page.goto(page.url.partition("/lightning")[0] + "/lightning/page/home")
    page.get_by_role("button", name="Setup", exact=True).click()
    with page.context.expect_page() as opened:
        page.get_by_role("menuitem", name="Setup", exact=True).click()
    setup = opened.value
    setup.get_by_label("Quick Find").fill("entitlement proc")
    setup.get_by_role("link", name="Entitlement Processes").click()
    expect(setup.get_by_label("Quick Find")).to_have_value("entitlement proc")
    expect(setup.get_by_role("link", name="Entitlement Settings")).not_to_be_visible()
    setup.get_by_label("Quick Find").fill("")
    setup.reload()
    expect(setup.get_by_role("link", name="Entitlement Processes")).to_be_in_viewport()
    setup.close()


def test_lists_and_the_launcher_are_worked_by_keys(page: Page) -> None:
    """The list view's name opens its picker; arrows and Enter choose what was found; headings stay when rows scroll."""
    home = page.url.partition("/lightning")[0]
    page.goto(home + "/lightning/o/Account/list?filterName=AllAccounts")
    page.get_by_role("heading", name="All Accounts").get_by_text("All Accounts").click()
    page.get_by_label("Search lists...").fill("my acc")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="My Accounts")).to_be_visible()
    page.goto(home + "/lightning/o/Account/list?filterName=AllAccounts")
    page.locator("#rows").evaluate("one => (one.scrollTop = 200)")
    expect(page.get_by_role("columnheader", name="Account Name")).to_be_in_viewport()
    page.get_by_role("button", name="App Launcher").click()
    page.get_by_label("Search apps and items...").fill("entitlem")
    page.keyboard.press("Enter")
    expect(page.locator("[data-tab=Entitlements].slds-is-active")).to_be_visible()


def test_a_page_comes_back_at_the_tab_from_which_something_was_made(page: Page, org: OrgSession) -> None:
    """A contact that is made from the related list of a company leads back to its Related tab."""
    record = next(iter(org.rows("Account")))
    page.goto(f"{page.url.partition('/lightning')[0]}/lightning/r/Account/{record}/view")
    page.get_by_role("tab", name="Related").click()
    page.get_by_role("article", name="Contacts").get_by_role("button", name="New").click()
    page.get_by_label("Last Name").fill("Zed")
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("tab", name="Related", selected=True)).to_be_visible()
    expect(page.get_by_role("article", name="Contacts").get_by_role("link", name="Zed")).to_be_visible()


def test_a_list_view_is_shared_with_kinds_of_groups(page: Page) -> None:
    """A kind is chosen, its groups are found by typing, and what is chosen stands below until it is removed."""
    page.goto(page.url.partition("/lightning")[0] + "/lightning/o/Account/list?filterName=AllAccounts")

    def ask() -> None:
        page.get_by_role("button", name="List View Controls").click()
        page.get_by_role("menuitem", name="Sharing Settings").click()

    ask()
    page.get_by_text("Share list view with groups of users").click()
    page.get_by_label("Share With", exact=True).select_option("Roles")
    for words in ("ceo", "cfo"):
        page.get_by_role("dialog").get_by_role("combobox", name="Search").fill(words)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove CEO").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).not_to_be_visible()
    ask()
    expect(page.get_by_role("list", name="Shared With")).to_have_text("Roles CFO")


def test_what_stands_around_pages_is_in_its_place(page: Page, org: OrgSession) -> None:
    """The gear, the launcher after View All, a lead's path, a list's display, Object Manager's menus and sidebar."""
    home = page.url.partition("/lightning")[0]
    lead = next(id for id, row in org.rows("Lead").items() if not row["IsConverted"])
    page.goto(f"{home}/lightning/r/Lead/{lead}/view")
    stages = page.get_by_role("listbox", name="Path Options").get_by_role("option")
    expect(stages.last).to_have_text("Converted")
    stages.last.click()
    expect(page.get_by_role("button", name="Select Converted Status")).to_be_visible()
    page.get_by_role("button", name="Setup", exact=True).click()
    gear = page.get_by_role("menu", name="Setup", exact=True).get_by_role("menuitem")
    expect(gear).to_have_text(["Setup", "Developer Console", "Edit Page", "Edit Object"])
    expect(gear.nth(1)).to_be_disabled()
    page.get_by_role("button", name="App Launcher").click()
    page.get_by_role("button", name="View All").click()
    expect(page.get_by_role("dialog", name="App Launcher").last).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#launcher-search")).not_to_be_visible()
    page.goto(f"{home}/lightning/o/Account/list?filterName=AllAccounts")
    page.get_by_role("button", name="Select list display").click()
    display = page.get_by_role("menu", name="Select list display")
    expect(display.get_by_role("menuitemradio", name="Table", checked=True)).to_be_visible()
    expect(display.get_by_role("menuitemradio", name="Kanban", checked=False)).to_be_visible()
    expect(display.get_by_role("menuitem", disabled=True)).to_have_text(["Split View"])
    page.get_by_role("button", name="List View Controls").click()
    page.get_by_role("menuitem", name="Edit List Filters").click()
    expect(page.get_by_role("complementary", name="Filters")).to_be_visible()
    page.goto(f"{home}/lightning/setup/ObjectManager/home")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="MyAnimal", exact=True))
    row.get_by_role("button", name="Show Actions").click()
    row.get_by_role("menuitem", name="Edit").click()
    expect(page.get_by_role("link", name="Fields & Relationships")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("button", name="Save", exact=True).first).to_be_visible()
