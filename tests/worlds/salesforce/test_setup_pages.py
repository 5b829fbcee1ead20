"""All pages of Setup: every one can be opened, whatever record it is about, and looking changes nothing."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import unquote

import pytest

from salesforce_org.setup.area import AREAS
from salesforce_org.setup.tree import TREE

from .setup_browser import Browser, browser, inner_links, writes

START = "/lightning/setup/SetupOneHome/home"
FEW = 1


@pytest.fixture(scope="module")
def looking() -> Browser:
    """A browser that only looks."""
    return browser()


def kind(url: str) -> str:
    """Return an address with what varies left out: ids, names of objects and fields, values of the query."""
    path, _, query = unquote(url).replace("?", "&").partition("&")
    node = path.split("/")[3]
    if node not in AREAS:
        return "not built"
    address = re.sub(
        r"/(?:[0-9A-Za-z]{18}|[A-Z]\w+)(?=/|$)", "/*", query.partition("address=")[2].partition("&")[0]
    )
    shape = re.sub(r"(ObjectManager)/\w+/(\w+)(?:/\w+)?/view", r"\1/*/\2/view", path)
    asked = sorted(re.findall(r"(\w+)=", query))
    return f"{shape} {address} {asked}"


def crawl(one: Browser, most: int) -> int:
    """Open what links lead to, at most so many pages of a kind; return how many were opened."""
    seen, counts, todo = set[str](), Counter[str](), [START]
    while todo:
        url = todo.pop(0).partition("#")[0]
        if url in seen or counts[kind(url)] >= most:
            continue
        seen.add(url)
        counts[kind(url)] += 1
        one.go(url)
        todo.extend(
            link
            for link in inner_links(one)
            if most == FEW or not re.search("sort(=|%3D)|letter(=|%3D)", link)
        )
    return len(seen)


@pytest.mark.slow
def test_every_kind_of_page_opens(looking: Browser) -> None:
    """A few pages of each kind open, from Setup Home on, and none of them writes."""
    assert crawl(looking, FEW) > 90
    assert not writes(looking)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [1, 2])
def test_every_page_opens(seed: int) -> None:
    """Every page that a link leads to opens in other seeds' orgs."""
    one = browser(seed)
    assert crawl(one, 10_000) > 3000
    assert not writes(one)


def test_the_tree_names_pages_that_exist(looking: Browser) -> None:
    """Every area hangs in the tree, and nodes without one lead to a page that says so."""
    assert set(AREAS) <= set(TREE.by_name)
    for name in sorted(set(TREE.by_name) - set(AREAS))[::20]:
        assert "Insufficient Privileges" in looking.go(f"/lightning/setup/{name}/home").text


def test_the_way_to_a_page_is_open_in_the_tree(looking: Browser) -> None:
    """The branches above the page that is shown are unfolded, others are not."""
    looking.go("/lightning/setup/Roles/home")
    expanded = looking.page.xpath(
        "//*[@role='treeitem' and @aria-expanded='true' and @aria-level>1]/@data-label"
    )
    assert expanded == ["Users"]
    assert [node.label for node in TREE.trail("MilestoneTypes")] == [
        "Platform Tools",
        "Feature Settings",
        "Service",
        "Entitlement Management",
        "Milestones",
    ]


@pytest.mark.parametrize(
    "address",
    [
        "/lightning/setup/Nowhere/home",
        "/lightning/setup/ManageUsers/page?address=%2Fnowhere%2Fat%2Fall",
        "/lightning/setup/ManageUsers/page?address=%2F005000000000000AAA",
        "/lightning/setup/ManageUsers/page?address=%2F%3Cscript%3E",
        "/lightning/setup/ManageUsers/page",
        "/lightning/setup/PermSets/page?address=%2Fx%2Fobjects%2FAccount",
        "/lightning/setup/ObjectManager/Nothing/Details/view",
        "/lightning/setup/ObjectManager/Account/Nothing/view",
        "/lightning/setup/ObjectManager/Account/FieldsAndRelationships/Nothing/view",
        "/lightning/setup/ObjectManager/page?address=%2FAccount%2FName%2Fvalues%2Fnew",
        "/lightning/setup/Picklists/page?address=%2Fset%2FNothing",
    ],
)
def test_what_is_not_there_is_not_found(looking: Browser, address: str) -> None:
    """An address that names nothing is a page that was not found."""
    looking.go(address, status=404)


def test_lists_are_sorted_and_narrowed(looking: Browser) -> None:
    """A click on a heading sorts, another turns the order around, and a letter leaves those that begin with it."""
    looking.go("/lightning/setup/ManageUsers/home").open("Username")
    names = [row[4] for row in looking.rows("Users")]
    assert names == sorted(names, key=str.casefold)
    looking.open("Username")
    assert [row[4] for row in looking.rows("Users")] == names[::-1]
    looking.go("/lightning/setup/ManageUsers/home").open("B")
    assert {row[2][0] for row in looking.rows("Users")} == {"B"}


def test_whoever_is_not_signed_in_sees_nothing() -> None:
    """Pages of Setup lead to the login page."""
    one = browser()
    one.client.cookies.clear()
    assert "/login" in str(one.client.get(START).url)


def test_setups_search_finds_pages_objects_and_people(looking: Browser) -> None:
    """Words find pages of the tree, objects and users, those first whose names begin with them."""
    found = looking.go("/lightning/setup/search?q=prof").rows("Search Results")
    assert found[0] == ["Profiles", "Setup Page"]
    assert ["Custom: Sales Profile", "Profile"] in found
    assert looking.go("/lightning/setup/search?q=contra").rows("Search Results")[0] == [
        "Contract Settings",
        "Setup Page",
    ]
    looking.open("Contract")
    assert looking.url == "/lightning/setup/ObjectManager/Contract/Details/view"
    user = next(row["Name"] for row in looking.org.rows("User", IsActive=True))
    assert [user, "User"] in looking.go(f"/lightning/setup/search?q={user}").rows("Search Results")
    assert 'No results for "<i>zz"' in looking.go("/lightning/setup/search?q=<i>zz").text
