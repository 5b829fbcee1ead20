"""The frame of Lightning's pages: apps, tabs, home, search, and what every page keeps to."""

from __future__ import annotations

import ast
import html
import re
import tomllib

import pytest

from salesforce_org.pages.layout import FOLDER, layout_of
from salesforce_org.pages.staging import drawings
from salesforce_org.pages.styles import used_rules
from salesforce_org.setup.area import AREAS

from .pages_client import PageBrowser, signed_in, words

SOURCE = FOLDER.parents[1]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


@pytest.fixture
def browser() -> PageBrowser:
    """The administrator, on an org of its own."""
    return signed_in()


def test_the_launcher_offers_apps_and_items(browser: PageBrowser) -> None:
    """The App Launcher lists every app and, for searching, every object with a tab."""
    page = browser.page("/lightning/page/home")
    launcher = page[page.index("data-launcher>") :]
    for label in ("Sales", "Service", "Incidents", "Entitlements", "Price Books", "Knowledge"):
        assert label in words(launcher), label


def test_an_app_brings_its_tabs(browser: PageBrowser) -> None:
    """Opening an app leads to its first tab and shows its tabs from then on."""
    answered = browser.client.get("/lightning/app/standard__Service")
    assert answered.status_code == 303
    tabs = re.findall(r'data-tab="([^"]+)"', browser.page("/lightning/page/home"))
    assert tabs[:3] == ["Home", "Cases", "Accounts"]


def test_what_is_not_in_the_app_has_a_temporary_tab(browser: PageBrowser) -> None:
    """An item of another app is shown in a tab that stays while others are looked at, until it is closed."""
    tab = '<li class="slds-context-bar__item[^>]*data-tab="Entitlements"'
    assert not re.search(tab, browser.page("/lightning/page/home"))
    assert re.search(tab, browser.page("/lightning/o/Entitlement/list"))
    assert re.search(tab, browser.page("/lightning/o/Account/list"))
    left = browser.goes("/lightning/tabs/close", tab="standard-Entitlement", back="/lightning/o/Account/list")
    assert left == "/lightning/o/Account/list"
    assert not re.search(tab, browser.page(left))
    browser.page("/lightning/o/Entitlement/list")
    assert (
        browser.goes("/lightning/tabs/close", tab="standard-Entitlement", back="") == "/lightning/page/home"
    )


def test_a_console_app_opens_records_as_tabs(browser: PageBrowser) -> None:
    """Records that are looked at stay open beside the menu of items, each until it is closed; others are shown then."""
    browser.client.get("/lightning/app/standard__ServiceConsole")
    cases = [row["Id"] for row in browser.org.rows("Case")][:2]
    for id in cases:
        browser.page(f"/lightning/r/Case/{id}/view")
    page = browser.page("/lightning/o/Case/list")
    assert "Show Navigation Menu" in page
    assert [
        f'href="/lightning/r/Case/{id}/view" class="slds-context-bar__label-action"' in page for id in cases
    ] == [True, True]
    assert (
        browser.goes("/lightning/workspace/close", id=cases[1], back="")
        == f"/lightning/r/Case/{cases[0]}/view"
    )
    assert browser.goes("/lightning/workspace/close", id=cases[0], back="") == "/lightning/page/home"
    assert "org-workspace" not in browser.page("/lightning/o/Case/list")
    browser.client.get("/lightning/app/standard__Service")
    browser.page(f"/lightning/r/Case/{cases[0]}/view")
    assert "Show Navigation Menu" not in browser.page("/lightning/o/Case/list")


def test_no_page_says_that_it_is_an_emulator() -> None:
    """Neither templates nor texts in code name an emulator; comments and docstrings may."""
    for file in sorted(SOURCE.rglob("*.html")) + sorted((SOURCE / "static").glob("*.js")):
        text = re.sub(r"{#.*?#}|//[^\n]*", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert "emulat" not in text.lower(), file
    for file in (*(SOURCE / "pages").rglob("*.py"), *(SOURCE / "setup").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        texts = [
            one.value
            for one in ast.walk(tree)
            if isinstance(one, ast.Constant) and isinstance(one.value, str)
        ]
        told = {ast.get_docstring(one, clean=False) for one in ast.walk(tree) if isinstance(one, DOCUMENTED)}
        assert not [one for one in texts if "emulat" in one.lower() and one not in told], file


def test_search_finds_by_words_of_names(browser: PageBrowser) -> None:
    """Results are grouped by object, and suggestions come with the object's name."""
    page = words(browser.page("/lightning/search", q="knight"))
    assert "Knight LLC" in page
    assert "Frank Knight" in page
    offered = words(browser.part("/lightning/search/suggestions", q="frank kni"))
    assert "Frank Knight" in offered
    assert "Lead" in offered


def test_search_finds_beginnings_of_words_only(browser: PageBrowser) -> None:
    """What stands inside a word is not found, neither by the search box nor in a list."""
    assert "FutureTech" in words(browser.page("/lightning/search", q="futuret"))
    assert "FutureTech" not in words(browser.page("/lightning/search", q="turetech"))
    listed = {"filterName": "AllAccounts"}
    assert "Knight LLC" in browser.page("/lightning/o/Account/list", **listed, search="kni")
    assert "Knight LLC" not in browser.page("/lightning/o/Account/list", **listed, search="night")


def test_favorites_are_kept_renamed_and_removed(browser: PageBrowser) -> None:
    """The star marks a page on every other one; the list of favorites can be edited."""
    here = "/lightning/o/Account/list?filterName=AllAccounts"
    marked = browser.send("/lightning/favorites", here, label="All Accounts")
    assert "Remove this page from your favorites" in marked.text
    assert "All Accounts" in words(
        browser.part("/lightning/favorites/edit") + browser.page("/lightning/page/home")
    )
    assert (
        browser.goes("/lightning/favorites/edit", href=here, label="Best Customers") == "/lightning/page/home"
    )
    assert f'href="{here}"' in browser.page("/lightning/page/home")
    assert "Best Customers" in browser.page("/lightning/page/home")
    browser.goes("/lightning/favorites/edit", href=here, label="Best Customers", remove=here)
    assert "Best Customers" not in browser.page("/lightning/page/home")
    assert browser.org.journal.writes == []


def test_the_address_of_a_form_says_what_lies_behind_it(browser: PageBrowser) -> None:
    """A form that is opened by its address lies over the page that the address names, and leads back to it."""
    behind = "/lightning/o/Account/list?filterName=AllAccounts&sort=Phone"
    page = browser.page("/lightning/o/Contact/new", backgroundContext=behind)
    assert f'data-behind="{html.escape(behind)}"' in page
    id = browser.id("Account", "Knight LLC")
    form = browser.page(f"/lightning/r/Account/{id}/edit", backgroundContext=behind)
    assert f'name="back" value="{html.escape(behind)}"' in form
    elsewhere = browser.page("/lightning/o/Contact/new", backgroundContext="https://example.com/")
    assert 'data-behind="/lightning/o/Contact/list"' in elsewhere


def test_what_is_searched_for_is_only_text(browser: PageBrowser) -> None:
    """Markup in a search stays text."""
    page = browser.page("/lightning/search", q="<script>alert(1)</script>")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_pages_keep_to_the_policy(browser: PageBrowser) -> None:
    """No page has a script or a style of its own between its tags."""
    opportunity = browser.id("Opportunity", "Cloud Software Deal")
    for path in ("/lightning/page/home", "/lightning/o/Lead/list?filterName=AllOpenLeads&panel=filters"):
        page = browser.page(path)
        assert " style=" not in page
        assert not re.search(r"<script[^>]*>[^<]", page)
    page = browser.page(f"/lightning/r/Opportunity/{opportunity}/view")
    assert not re.search(r"\son[a-z]+=", re.sub(r'"[^"]*"', '""', page))


def test_ids_on_a_page_are_unique(browser: PageBrowser) -> None:
    """No two elements of a record's page, with its composer and menus, share an id."""
    opportunity = browser.id("Opportunity", "Cloud Software Deal")
    ids = re.findall(r'\sid="([^"]+)"', browser.page(f"/lightning/r/Opportunity/{opportunity}/view"))
    assert sorted(ids) == sorted(set(ids))


def test_every_field_has_a_label(browser: PageBrowser) -> None:
    """Each input of a new record's form is named by a label or by itself."""
    form = browser.part("/lightning/o/Contact/new")
    labelled = set(re.findall(r'<label[^>]*\sfor="([^"]+)"', form))
    fields = re.findall(r"<(?:input|textarea|select|button)\b[^>]*>", form)
    nameless = [
        one
        for one in fields
        if 'type="hidden"' not in one
        and "aria-label=" not in one
        and not any(f'id="{id}"' in one for id in labelled)
        and "<button" not in one
    ]
    assert nameless == []


def test_layouts_name_fields_that_exist(browser: PageBrowser) -> None:
    """All fields, columns and related lists of the layout files are in the schema."""
    from salesforce_org.pages import fields

    schema = browser.org.schema
    for file in FOLDER.glob("*.toml"):
        layout = layout_of(schema[file.stem])
        names = [name for section in layout.sections for name in section.fields]
        assert [name for name in names if not fields.parts(layout.object, name)] == [], file.stem
        missing = [one.name for one in layout.related if schema.child(file.stem, one.name) is None]
        assert missing == [], file.stem


def test_icons_of_layouts_and_areas_are_drawn() -> None:
    """Every icon that a layout file or an area of Setup names is among the drawings of the design system."""
    named = [
        tomllib.loads(file.read_text("utf-8")).get("icon", "standard:default")
        for file in FOLDER.glob("*.toml")
    ]
    named += [f"standard:{area.symbol}" for area in AREAS.values()]
    assert len(AREAS) > 10
    assert set(named) - drawings().keys() == set()


def test_pages_load_one_style_sheet_and_one_script(browser: PageBrowser) -> None:
    """A page asks for nothing else, because each request and each rule costs time on a browser's first page."""
    page = browser.page("/lightning/page/home")
    names = re.findall(r'"/static/(\w+)-[0-9a-f]+\.(\w+)"', page)
    assert sorted(names) == [("icon", "svg"), ("page", "css"), ("page", "js")]


def test_rules_that_no_page_matches_are_left_out() -> None:
    """A selector stays if all classes that it needs are known, or begin as a known one with a variable end."""
    css = (
        '@charset "UTF-8";/* .slds-a{} */a,.other{b:c}.slds-a:not(.slds-no) .slds-b_big,.slds-no{d:e}'
        "@media (min-width:1em){.slds-a.slds-no{f:g}}@media print{.slds-a{h:i}.slds-no{j:k}}"
    )
    cut = '@charset "UTF-8";a,.other{b:c}.slds-a:not(.slds-no) .slds-b_big{d:e}@media print{.slds-a{h:i}}'
    assert used_rules(css, frozenset({"slds-a", "slds-b_"})) == cut


def test_addresses_of_nothing_say_so(browser: PageBrowser) -> None:
    """An unknown object, record or list is a page, with the org's header, that says it is not there."""
    for path in (
        "/lightning/o/Nothing/list",
        "/lightning/r/Account/001000000000000AAA/view",
        "/lightning/o/Account/list?filterName=No",
    ):
        answered = browser.client.get(path)
        assert (answered.status_code, "App Launcher" in answered.text) == (404, True)
